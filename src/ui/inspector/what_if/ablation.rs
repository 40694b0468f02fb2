//! Which tools helped and which harmed, over the runs that are listed.

use egui::{Align, Grid, Layout, ScrollArea, Ui};

use crate::evaluate::what_if::ToolEffect;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::explore::table_buttons_ui;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, change_words, count, grouped, progress_bar_ui, rich_text};
use crate::workbench::{Ablation, Command, ExportedTable, Fetched, Progress, WhatIfCommand, views};

/// Highest that the table is; what is beyond is scrolled to.
const HIGHEST: f32 = 180.0;

/// Draws the part: a button that begins it, how far it is, and what tools brought.
pub(super) fn ablation_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(view) = views::ablation(cx.state) else {
        CommandButton::text(CommandId::AblateTools)
            .short("Tools over all listed runs")
            .show(ui, cx);
        return;
    };
    let name = cx.state.variants.get(&view.key.variant).map_or("score", |variant| variant.label);
    ui.horizontal(|ui| {
        let words = format!("What tools brought to {name}");
        ui.label(rich_text(words, Type::Body, tokens(ui).dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_there = matches!(view.found, Some(Fetched::Ready(_) | Fetched::Failed(_)));
            let (words, name) = if is_there {
                ("Close", "Close what tools brought")
            } else {
                ("Stop", "Stop leaving tools out")
            };
            let button = Button::text(words).named(name).look(Look::Tool).height(20.0);
            if button.show(ui).clicked() {
                cx.send(Command::WhatIf(WhatIfCommand::Ablate(false)));
            }
        });
    });
    match view.found {
        Some(Fetched::Ready(found)) => {
            table_ui(ui, found);
            ui.horizontal(|ui| {
                table_buttons_ui(ui, cx, ExportedTable::Tools, "what tools brought");
            });
        }
        Some(Fetched::Failed(why)) => {
            ui.label(rich_text(why, Type::Caption, tokens(ui).loss));
        }
        Some(Fetched::Pending) | None => {
            let fraction = view.progress.and_then(Progress::fraction);
            progress_bar_ui(ui, "Leaving tools out", fraction, ui.available_width());
        }
    }
}

fn table_ui(ui: &mut Ui, found: &Ablation) {
    let tokens = tokens(ui);
    // What brought most first, what harmed most last; behind all what has no score.
    let mut effects: Vec<&ToolEffect> = found.effects.iter().collect();
    let brought = |effect: &ToolEffect| effect.brought.unwrap_or(f64::NEG_INFINITY);
    effects.sort_by(|one, other| brought(other).total_cmp(&brought(one)));
    ScrollArea::vertical().id_salt("ablation").max_height(HIGHEST).show(ui, |ui| {
        Grid::new("what_tools_brought").num_columns(4).striped(true).show(ui, |ui| {
            for words in ["tool", "agent", "brought", "runs"] {
                ui.label(rich_text(words, Type::Caption, tokens.dim));
            }
            ui.end_row();
            for effect in effects {
                ui.label(rich_text(&effect.tool, Type::Caption, tokens.text));
                ui.label(rich_text(&effect.agent, Type::Caption, tokens.text));
                let ink = match effect.brought {
                    Some(brought) if brought < 0.0 => tokens.loss,
                    Some(brought) if brought > 0.0 => tokens.gain,
                    _ => tokens.dim,
                };
                let words = rich_text(brought_words(effect), Type::Caption, ink);
                ui.label(words).on_hover_text(about_words(effect));
                ui.label(rich_text(effect.runs.to_string(), Type::Caption, tokens.dim));
                ui.end_row();
            }
        });
    });
    let left_out = found.left_out.len();
    let words = match (found.effects.is_empty(), left_out) {
        (true, 0) => "No run has calls to leave out.".to_owned(),
        (_, 0) => format!("Of {}; a task counts once.", count(found.runs, "run")),
        _ => format!("Of {}; {left_out} left out.", count(found.runs, "run")),
    };
    let label = ui.label(rich_text(words, Type::Caption, tokens.dim));
    if left_out > 0 {
        label.on_hover_text(found.left_out.join("\n"));
    }
}

/// The change with its interval over tasks.
fn brought_words(effect: &ToolEffect) -> String {
    match (effect.brought, effect.interval) {
        (Some(brought), Some(interval)) => format!(
            "{} ({} to {})",
            change_words(brought),
            change_words(interval.low),
            change_words(interval.high)
        ),
        (Some(brought), None) => change_words(brought),
        (None, _) => "no score".to_owned(),
    }
}

fn about_words(effect: &ToolEffect) -> String {
    let interval = match (effect.interval, effect.tasks) {
        (Some(_), tasks) => format!("95 % over {}", count(tasks, "task")),
        (None, 0) => "nothing to compare".to_owned(),
        (None, 1) => "of one task there is no interval".to_owned(),
        (None, tasks) => format!("no interval over {}", count(tasks, "task")),
    };
    let unscored = match effect.unscored {
        0 => String::new(),
        unscored => format!(" and {} without a score", grouped(unscored as u64)),
    };
    format!(
        "{} in {}{unscored}; {interval}. Without it later calls fail in {}.",
        count(effect.calls, "call"),
        count(effect.runs, "run"),
        count(effect.broke, "run")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::Interval;

    #[test]
    fn runs_without_a_score_are_counted_and_said() {
        let effect = ToolEffect {
            tool: "set_fill".to_owned(),
            agent: "a".to_owned(),
            variant: "ssim/uniform7".to_owned(),
            runs: 3,
            tasks: 2,
            calls: 8,
            brought: Some(0.4),
            interval: Some(Interval { low: 0.2, high: 0.6 }),
            broke: 1,
            unscored: 1,
        };
        assert_eq!(
            about_words(&effect),
            "8 calls in 3 runs and 1 without a score; 95 % over 2 tasks. \
             Without it later calls fail in 1 run."
        );
        let effect = ToolEffect { interval: None, unscored: 0, ..effect };
        assert!(about_words(&effect).starts_with("8 calls in 3 runs; no interval over 2 tasks."));
        let effect = ToolEffect { runs: 1, tasks: 1, ..effect };
        assert!(about_words(&effect).contains("of one task there is no interval"));
        let (runs, tasks, calls, brought) = (0, 0, 0, None);
        let effect = ToolEffect { runs, tasks, calls, unscored: 1, brought, ..effect };
        let words = about_words(&effect);
        assert!(words.starts_with("0 calls in 0 runs and 1 without a score; nothing"), "{words}");
    }
}

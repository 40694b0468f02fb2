//! What the assistant would do next, to be accepted as calls.

use egui::{Align, Label, Layout, Ui};

use crate::agent::assistant::GhostChange;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::inspector::parts::quiet_ui;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Look, elided_label_ui, rich_text};
use crate::workbench::views;
use crate::workbench::{DesignStanding, Fetched, NextStep, OfferedHunk, OfferedStep};

/// Most changes of a step that are listed.
const MOST_HUNKS: usize = 4;

/// Draws the part: a row that opens it, and what the assistant says.
pub(super) fn next_step_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if !views::has_assistant(cx.state) {
        return;
    }
    let is_open = cx.state.what_if.assistant.is_open;
    let found = views::next_step(cx.state);
    ui.horizontal(|ui| {
        let icon = if is_open { icons::UNFOLDED } else { icons::FOLDED };
        let button = CommandButton::text(CommandId::ShowNextStep).short("Next step");
        button.with_icon(icon).look(Look::Tool).show(ui, cx);
        // Also while it is folded: how far the design is says whether opening it is worth while.
        if let Some(Fetched::Ready(next)) = found {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = standing_words(next.standing);
                elided_label_ui(ui, &words, Type::Caption, tokens(ui).dim);
            });
        }
    });
    if !is_open {
        return;
    }
    match found {
        Some(Fetched::Ready(next)) => match &next.step {
            Some(step) => step_ui(ui, cx, step),
            None => quiet_ui(ui, nothing_words(next)),
        },
        Some(Fetched::Failed(why)) => {
            ui.add(Label::new(rich_text(why, Type::Body, tokens(ui).loss)).wrap());
        }
        Some(Fetched::Pending) | None => quiet_ui(ui, "Looking for the next step…"),
    }
    ui.add_space(4.0);
}

fn standing_words(standing: DesignStanding) -> String {
    match standing {
        DesignStanding::Distance(distance) => format!("distance to the ground truth {distance}"),
        DesignStanding::Flaws(1) => "1 thing is amiss".to_owned(),
        DesignStanding::Flaws(flaws) => format!("{flaws} things are amiss"),
    }
}

/// Why there is no step.
fn nothing_words(next: &NextStep) -> &'static str {
    match next.standing {
        DesignStanding::Distance(0) => "Nothing that counts differs from the ground truth.",
        DesignStanding::Flaws(0) => {
            "Nothing is amiss. Without a ground truth with layers, that is all the assistant looks for."
        }
        DesignStanding::Distance(_) | DesignStanding::Flaws(_) => {
            "The assistant knows no step from here: go on by hand."
        }
    }
}

fn step_ui(ui: &mut Ui, cx: &ViewContext<'_>, step: &OfferedStep) {
    let tokens = tokens(ui);
    ui.add(Label::new(rich_text(&step.words, Type::Strong, tokens.text)).wrap());
    let why = format!("{} · {}", step.stage.label(), step.why);
    ui.add(Label::new(rich_text(why, Type::Caption, tokens.dim)).wrap());
    for hunk in step.hunks.iter().take(MOST_HUNKS) {
        hunk_ui(ui, hunk);
    }
    let more = step.hunks.len().saturating_sub(MOST_HUNKS);
    if more > 0 {
        quiet_ui(ui, &format!("and {more} more"));
    }
    // A step that no tool makes is shown all the same; only putting it in is not offered.
    let is_by_tools = !step.calls.is_empty();
    if !is_by_tools {
        quiet_ui(ui, "No tool does exactly this: make it by hand, with the tools below.");
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if is_by_tools {
            let accept = CommandButton::text(CommandId::AcceptStep).short("Accept");
            accept.look(Look::Primary).with_key().show(ui, cx);
        }
        let another = CommandButton::text(CommandId::AnotherStep).short("Another way");
        another.look(Look::Tool).show(ui, cx);
        let ghost = CommandButton::text(CommandId::ShowGhost).short("Outline");
        let is_outlined = cx.state.what_if.assistant.shows_ghost;
        ghost.look(Look::Tool).selected(is_outlined).show(ui, cx);
    });
}

/// A change, with its sign.
fn hunk_ui(ui: &mut Ui, hunk: &OfferedHunk) {
    let tokens = tokens(ui);
    let (sign, color) = match hunk.change {
        GhostChange::Added => ("+", tokens.gain),
        GhostChange::Removed => ("−", tokens.loss),
        GhostChange::Changed => ("~", tokens.warn),
    };
    let value = &hunk.value;
    let what = match hunk.change {
        GhostChange::Added => "added".to_owned(),
        GhostChange::Removed => "removed".to_owned(),
        GhostChange::Changed => {
            format!("{} {} → {}", value.field.label(), value.from, value.to)
        }
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(rich_text(sign, Type::Strong, color));
        elided_label_ui(ui, &format!("{}: {what}", hunk.name), Type::Body, tokens.text);
    });
}

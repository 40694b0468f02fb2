//! The scores of the step by every metric: a table to read, to choose from and to copy.
//!
//! [`row`] draws a variant, [`models`] says by which models, [`copied`] writes the table for
//! elsewhere.

mod copied;
mod models;
mod row;

use egui::collapsing_header::CollapsingState;
use egui::{
    Align, Align2, Key, Layout, Rect, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo,
    vec2,
};

use crate::metric::Score;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    ArrowList, Button, EmptyState, Look, allocate_stable_of, hairline_ui, paint_text, rich_text,
};
use crate::workbench::views::{self, PaneStatus, ScoreRow, Scores};
use crate::workbench::{Command, ScoresCommand};
use copied::CopyFormat;

/// Draws the table.
pub(super) fn scores_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let scores = views::scores(cx.state);
    if let PaneStatus::Nothing(why) = scores.status {
        EmptyState::new(icons::HEAT, "No scores", why).show(ui, |_| {});
        return;
    }
    ui.add_space(6.0);
    title_ui(ui, cx, &scores);
    row::heading_ui(ui, scores.last_step);
    hairline_ui(ui);
    for key in ArrowList::Scores.arrows(ui) {
        let by = if key == Key::ArrowDown { 1 } else { -1 };
        cx.send(Command::Scores(ScoresCommand::ChooseBy(by)));
    }
    ScrollArea::vertical().id_salt("score_rows").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        ui.add_space(2.0);
        // All rows are laid out, seen or not: the chosen one must be there to be scrolled to.
        let (missing, there): (Vec<&ScoreRow<'_>>, Vec<&ScoreRow<'_>>) =
            scores.rows.iter().partition(|row| matches!(row.now, Some(Score::Missing(_))));
        rows_ui(ui, cx, &there);
        missing_ui(ui, cx, &missing);
        ui.add_space(4.0);
        models::models_ui(ui, cx);
        ui.add_space(8.0);
    });
}

fn rows_ui(ui: &mut Ui, cx: &ViewContext<'_>, rows: &[&ScoreRow<'_>]) {
    for score in rows {
        let rect = row::row_ui(ui, cx, score);
        if score.is_curve {
            // Each time it changes and not each frame: the table can be scrolled away from it.
            scroll_once(ui, &score.variant.id, rect);
        }
    }
}

/// What cannot be computed at this step, by the reason; folded, but for the chosen one.
fn missing_ui(ui: &mut Ui, cx: &ViewContext<'_>, rows: &[&ScoreRow<'_>]) {
    // In the order of the table: a reason stands where the first of its rows would.
    let mut by_reason: Vec<(String, Vec<&ScoreRow<'_>>)> = Vec::new();
    for row in rows {
        let why = row.now.map(|score| match score {
            Score::Missing(why) => why.to_string(),
            Score::Value(_) => String::new(),
        });
        let why = why.unwrap_or_default();
        match by_reason.iter_mut().find(|(known, _)| *known == why) {
            Some((_, rows)) => rows.push(row),
            None => by_reason.push((why, vec![row])),
        }
    }
    for (why, rows) in by_reason {
        let words = format!("{} not computed: {why}", rows.len());
        // What is chosen is never folded away from who chose it.
        let has_chosen = rows.iter().any(|row| row.is_curve);
        let id = ui.make_persistent_id(("not_computed", &why));
        let mut fold = CollapsingState::load_with_default_open(ui.ctx(), id, has_chosen);
        if fold_ui(ui, &words, fold.is_open()).clicked() {
            fold.toggle(ui);
        }
        fold.show_body_unindented(ui, |ui| rows_ui(ui, cx, &rows));
    }
}

/// The row that folds what is below it. Its words are cut where the panel ends, or they would widen it.
fn fold_ui(ui: &mut Ui, words: &str, is_open: bool) -> Response {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, words, wanted, Sense::click());
    let role = Role::DisclosureTriangle;
    response.widget_info(|| WidgetInfo::selected(role, true, is_open, words));
    if response.hovered() || response.has_focus() {
        let ground = rect.shrink2(vec2(6.0, 0.0));
        ui.painter().rect_filled(ground, size::RADIUS_SMALL, tokens.raised);
    }
    let icon = if is_open { icons::UNFOLDED } else { icons::FOLDED };
    let at = rect.left_center() + vec2(size::GUTTER + 5.0, 0.0);
    let style = (Type::IconSmall, tokens.dim);
    paint_text(ui.painter(), at, Align2::CENTER_CENTER, icon, style, 16.0);
    let at = rect.left_center() + vec2(size::GUTTER + 16.0, 0.0);
    let style = (Type::Caption, tokens.dim);
    let room = rect.right() - size::GUTTER - at.x;
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, words, style, room);
    response.on_hover_text(words)
}

/// Brings the chosen row into view when it was just chosen, by whatever way.
fn scroll_once(ui: &Ui, chosen: &str, rect: Rect) {
    // In egui's memory, since the table has no state of its own and this is only about scrolling.
    let last = ArrowList::Scores.id().with("shown");
    let shown = ui.data(|data| data.get_temp::<String>(last));
    if shown.as_deref() != Some(chosen) {
        ui.data_mut(|data| data.insert_temp(last, chosen.to_owned()));
        ui.scroll_to_rect(rect, None);
    }
}

/// Which step, and what can be done with all of it.
fn title_ui(ui: &mut Ui, cx: &ViewContext<'_>, scores: &Scores<'_>) {
    let wanted = vec2(ui.available_width(), size::BUTTON);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(size::BUTTON);
        ui.add_space(size::GUTTER);
        let words = match scores.step {
            0 => "Start state".to_owned(),
            step => format!("Step {step}"),
        };
        ui.label(rich_text(words, Type::Title, tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(8.0);
            copy_ui(ui, cx, scores);
            if cx.state.asked_variants().next().is_some() {
                CommandButton::text(CommandId::AskModels)
                    .short("Ask…")
                    .look(Look::Tool)
                    .show(ui, cx);
            }
            if let Some(why) = views::why_not_scored(cx.state) {
                ui.label(RichText::new(why).font(Type::Caption.font()).color(tokens(ui).dim));
                ui.add_space(6.0);
            } else if scores.status == PaneStatus::Loading {
                let words = RichText::new("scoring…").font(Type::Caption.font());
                ui.label(words.color(tokens(ui).dim));
                ui.add_space(6.0);
            }
        });
    });
}

fn copy_ui(ui: &mut Ui, cx: &ViewContext<'_>, scores: &Scores<'_>) {
    let button = Button::icon(icons::COPY, "Copy the scores").look(Look::Tool);
    let button = button.tooltip("Copy the table, as Markdown or CSV.").show(ui);
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(150.0);
        for (format, words) in [(CopyFormat::Markdown, "As Markdown"), (CopyFormat::Csv, "As CSV")]
        {
            if ui.button(words).clicked() {
                ui.ctx().copy_text(copied::table(cx.state, scores, format));
            }
        }
    });
}

//! The checks of an edit's task at the selected step: each with its number, what that must be, and a
//! strip of the steps at which it passes.

use std::ops::Range;

use egui::{Align, CursorIcon, Label, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::parts::quiet_ui;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, tokens};
use crate::ui::widgets::{allocate_stable, caption_row_ui, rich_text, section_header_ui, sentence};
use crate::workbench::views::{EditCheckRow, EditChecks, PaneStatus};
use crate::workbench::{Command, PlaybackCommand};

/// How high the strip of steps is; it is pressed in a row twice as high.
const STRIP: f32 = 4.0;

/// Draws the section.
pub(super) fn checks_ui(ui: &mut Ui, cx: &ViewContext<'_>, checks: &EditChecks<'_>) {
    let all = checks.rows.len();
    let aside = match (&checks.status, all) {
        (_, 0) => String::new(),
        (PaneStatus::Loading, _) => "checking…".to_owned(),
        _ => format!("{} of {all} passed", checks.passed()),
    };
    section_header_ui(ui, "Checks", &aside);
    match checks.status {
        PaneStatus::Failed(why) => quiet_ui(ui, &format!("Cannot be checked: {why}.")),
        _ if checks.rows.is_empty() => quiet_ui(ui, "Checking…"),
        _ => {}
    }
    for row in &checks.rows {
        check_ui(ui, cx, row);
    }
    // The strip of each check fills as steps are judged: this says that it is not whole yet.
    let (judged, steps) = checks.judged;
    if all > 0 && judged < steps {
        ui.label(rich_text(
            format!("{judged} of {steps} steps checked"),
            Type::Caption,
            tokens(ui).dim,
        ));
    }
}

fn check_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &EditCheckRow<'_>) {
    let tokens = tokens(ui);
    let verdict = row.verdict;
    let (icon, ink, word) = if verdict.passed {
        (icons::DONE, tokens.gain, "passed")
    } else {
        (icons::NOT_SO, tokens.loss, "failed")
    };
    caption_row_ui(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let color = if verdict.passed { tokens.dim } else { tokens.loss };
            ui.label(rich_text(word, Type::Caption, color));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(rich_text(icon, Type::Icon, ink));
                let name = rich_text(sentence(verdict.check), Type::Medium, tokens.text);
                ui.add(Label::new(name).truncate());
            });
        });
    });
    // The number and what it must be, or why there is none.
    let why = RichText::new(sentence(&verdict.why)).font(Type::Caption.font());
    ui.add(Label::new(why.color(tokens.dim)).wrap().selectable(true));
    strip_ui(ui, cx, row);
    ui.add_space(6.0);
}

/// The steps of the run from left to right, as the check finds them; a click goes to a step.
fn strip_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &EditCheckRow<'_>) {
    let Some(steps) = row.stretches.last().map(|(range, _)| range.end) else { return };
    let tokens = tokens(ui);
    let size = vec2(ui.available_width(), STRIP * 2.0);
    let (rect, response) = allocate_stable(ui, size, Sense::click());
    let x_of = |step: u32| rect.left() + rect.width() * step as f32 / steps as f32;
    for (range, passed) in &row.stretches {
        // A point of ground between two stretches: the colours alone should not have to tell them.
        let right = (x_of(range.end) - 1.0).max(x_of(range.start) + 1.0);
        let height = if *passed == Some(true) { STRIP } else { STRIP * 0.5 };
        let bar = Rect::from_min_max(
            pos2(x_of(range.start), rect.center().y - height * 0.5),
            pos2(right, rect.center().y + height * 0.5),
        );
        ui.painter().rect_filled(bar, 1.0, stretch_ink(tokens, *passed));
    }
    let here = x_of(cx.state.selection.step) + rect.width() / steps as f32 * 0.5;
    let line = egui::Stroke::new(1.5, tokens.text);
    ui.painter().vline(here, rect.y_range(), line);
    let spoken = format!("{}: {}", row.verdict.check, stretches_words(&row.stretches));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &spoken));
    let at = response.hover_pos().map(|at| step_at(at.x, rect, steps));
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if let Some(step) = at.filter(|_| response.clicked()) {
        cx.send(Command::Playback(PlaybackCommand::Step(step)));
    }
    response.on_hover_ui(|ui| {
        let step = at.map(|step| format!("Step {step}. ")).unwrap_or_default();
        ui.label(format!("{step}{}", sentence(&stretches_words(&row.stretches))));
    });
}

fn step_at(x: f32, rect: Rect, steps: u32) -> u32 {
    let along = ((x - rect.left()) / rect.width().max(1.0)).clamp(0.0, 1.0);
    ((along * steps as f32) as u32).min(steps.saturating_sub(1))
}

fn stretch_ink(tokens: &Tokens, passed: Option<bool>) -> egui::Color32 {
    match passed {
        Some(true) => tokens.gain,
        Some(false) => tokens.loss,
        None => tokens.hairline,
    }
}

/// At which steps a check passes, in words.
fn stretches_words(stretches: &[(Range<u32>, Option<bool>)]) -> String {
    /// More would be read by nobody.
    const MOST: usize = 4;
    let passing: Vec<String> = stretches
        .iter()
        .filter(|(_, passed)| *passed == Some(true))
        .map(|(range, _)| match range.end - range.start {
            1 => range.start.to_string(),
            _ => format!("{} to {}", range.start, range.end - 1),
        })
        .collect();
    let is_known = stretches.iter().all(|(_, passed)| passed.is_some());
    match passing.len() {
        0 if is_known => "passes at no step".to_owned(),
        0 => "passes at none of the steps checked so far".to_owned(),
        all if all > MOST => {
            format!(
                "passes at steps {} and {} more stretches",
                passing[..MOST].join(", "),
                all - MOST
            )
        }
        _ => format!("passes at steps {}", passing.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_steps_that_pass() {
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(stretches_words(&[(0..3, no), (3..4, yes)]), "passes at steps 3");
        assert_eq!(stretches_words(&[(0..3, yes), (3..4, no)]), "passes at steps 0 to 2");
        assert_eq!(stretches_words(&[(0..3, no)]), "passes at no step");
        let not_yet = stretches_words(&[(0..3, no), (3..9, None)]);
        assert_eq!(not_yet, "passes at none of the steps checked so far");
        let many: Vec<_> = (0..12).map(|at| (at..at + 1, Some(at % 2 == 0))).collect();
        assert_eq!(stretches_words(&many), "passes at steps 0, 2, 4, 6 and 2 more stretches");
    }

    #[test]
    fn every_point_of_the_strip_is_a_step() {
        let rect = Rect::from_min_size(pos2(10.0, 0.0), vec2(100.0, 8.0));
        assert_eq!(step_at(10.0, rect, 4), 0);
        assert_eq!(step_at(34.9, rect, 4), 0);
        assert_eq!(step_at(35.1, rect, 4), 1);
        assert_eq!(step_at(110.0, rect, 4), 3);
        assert_eq!(step_at(-5.0, rect, 4), 0);
    }
}

//! How the person and the assistant worked together, in numbers. What was not recorded is said to be so, never 0.

use egui::{Align, Layout, Ui};

use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{elided_label_ui, rich_text, section_header_ui};
use crate::workbench::AssistantDesk;

/// Draws the numbers.
pub(super) fn measures_ui(ui: &mut Ui, assistant: &AssistantDesk) {
    let measures = assistant.measures();
    section_header_ui(ui, "How it went", "so far");
    let shown = measures.shown.to_string();
    row_ui(ui, "Suggestions shown", &shown);
    row_ui(ui, "accepted", &share_words(measures.acceptance));
    row_ui(ui, "changes taken", &share_words(measures.hunk_acceptance));
    row_ui(ui, "time to decide", &secs_words(measures.decision_secs));
    row_ui(ui, "kept", &share_words(measures.kept));
    row_ui(ui, "edited after", &share_words(measures.edited_after));
    row_ui(ui, "undone", &share_words(measures.undone));
    for left in &measures.survival {
        row_ui(ui, &format!("left after {:.0} s", left.age_secs), &share_words(left.share));
    }
    if let Some(by) = measures.initiative {
        row_ui(ui, "By you", &share_words(Some(by.person)));
        row_ui(ui, "by the assistant", &share_words(Some(by.assistant)));
        row_ui(ui, "by it, then edited", &share_words(Some(by.assistant_edited)));
        row_ui(ui, "by it alone", &share_words(Some(by.assistant_alone)));
    }
    row_ui(ui, "Steps of yours", &share_words(measures.person_steps));
    let asked = [measures.next_requests, measures.why_requests, measures.another_requests];
    let [next, why, another] = asked;
    row_ui(ui, "Asked: next, why, another", &format!("{next}, {why}, {another}"));
    row_ui(ui, "time to the first change", &secs_words(measures.first_change_secs));
    row_ui(ui, "time to the first request", &secs_words(measures.first_request_secs));
    row_ui(ui, "over-reliance", &share_words(measures.over_reliance));
    row_ui(ui, "under-reliance", &share_words(measures.under_reliance));
    ui.add_space(6.0);
}

fn row_ui(ui: &mut Ui, name: &str, value: &str) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(value, Type::Body, tokens.text));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, name, Type::Body, tokens.dim);
            });
        });
    });
}

fn share_words(share: Option<f64>) -> String {
    share.map_or_else(|| "not recorded".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

fn secs_words(secs: Option<f64>) -> String {
    secs.map_or_else(|| "not recorded".to_owned(), |secs| format!("{secs:.1} s"))
}

//! What was done since, in one line each, and what was said.

use std::fmt::Write as _;

use egui::{Align, Frame, Label, Layout, Margin, Ui};

use crate::agent::assistant::Author;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, clock_words, count, elided_label_ui, rich_text, text_width,
};
use crate::workbench::{AssistantDesk, Speaker, Talk};

/// How many lines of what was done are listed at first: the newest.
const FEW_LINES: usize = 5;

/// Draws what was done.
pub(super) fn done_ui(ui: &mut Ui, assistant: &AssistantDesk, lists_all: &mut bool) {
    let tokens = tokens(ui);
    let done = &assistant.done;
    let skipped = if *lists_all { 0 } else { done.len().saturating_sub(FEW_LINES) };
    if done.len() > FEW_LINES {
        let words = if *lists_all {
            "Only the last steps".to_owned()
        } else {
            format!("{} before", count(skipped, "step"))
        };
        if Button::text(&words).look(Look::Tool).compact().show(ui).clicked() {
            *lists_all = !*lists_all;
        }
    }
    for line in done.iter().skip(skipped) {
        let (icon, color, by) = match line.by {
            Author::Person => (icons::EDIT, tokens.dim, "you"),
            Author::Assistant => (icons::CHECK, tokens.gain, "taken from the assistant"),
            Author::AssistantAlone => (icons::PLAY, tokens.gain, "done by the assistant"),
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let icon = ui.label(rich_text(icon, Type::IconSmall, color));
            icon.on_hover_text(by);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let at = clock_words(line.at_secs.max(0.0) as u64);
                ui.label(rich_text(at, Type::Caption, tokens.dim));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    elided_label_ui(ui, &line.words, Type::Body, tokens.dim);
                });
            });
        });
    }
    if !done.is_empty() {
        ui.add_space(6.0);
    }
}

/// Draws the conversation.
pub(super) fn talk_ui(ui: &mut Ui, assistant: &AssistantDesk) {
    for talk in &assistant.talk {
        match talk.by {
            Speaker::Person => own_words_ui(ui, talk),
            Speaker::Assistant | Speaker::Problem => words_ui(ui, talk),
        }
        ui.add_space(6.0);
    }
    let costs = &assistant.costs;
    if costs.answers > 0 {
        let [read, written] = costs.tokens;
        let answers = count(costs.answers as usize, "answer");
        let mut words = format!("{answers} · {read} + {written} tokens");
        if costs.unknown < costs.answers {
            write!(words, " · ${:.4}", costs.known_usd).ok();
        }
        if costs.unknown > 0 {
            write!(words, " · cost of {} not known", costs.unknown).ok();
        }
        ui.add(Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
    }
}

fn words_ui(ui: &mut Ui, talk: &Talk) {
    let tokens = tokens(ui);
    let ink = if talk.by == Speaker::Problem { tokens.loss } else { tokens.text };
    ui.add(Label::new(rich_text(&talk.words, Type::Body, ink)).wrap());
    if let Some(cost) = talk.cost_usd {
        ui.label(rich_text(format!("${cost:.4}"), Type::Caption, tokens.dim));
    }
}

fn own_words_ui(ui: &mut Ui, talk: &Talk) {
    let tokens = tokens(ui);
    let most = ui.available_width() * 0.82;
    let width = text_width(ui, &talk.words, Type::Body).ceil().min(most);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        let bubble = Frame::new()
            .fill(tokens.raised)
            .corner_radius(size::RADIUS)
            .inner_margin(Margin::symmetric(10, 6));
        bubble.show(ui, |ui| {
            ui.set_width(width);
            ui.add(Label::new(rich_text(&talk.words, Type::Body, tokens.text)).wrap());
        });
    });
}

//! Asking models behind endpoints for scores: about which runs, for which scores, and what that costs.

use egui::{Align, Id, Key, Label, Layout, Modal, Modifiers, Ui, vec2};

use super::context::ViewContext;
use super::theme::{Type, tokens};
use super::usage::money;
use super::widgets::{
    Button, Look, Several, choice_ui, count, escape_left_field, grouped, rich_text,
    section_header_ui, tick_ui,
};
use crate::workbench::{
    AskCommand, AskEstimate, AskEstimateKey, AskScope, Command, Fetched, State,
};

const WIDTH: f32 = 460.0;
const ABOUT: &str = "Sends pictures and plans to the judge and the captioner of the file of models. Each answer is kept, and is not paid for again.";

/// Draws the dialog.
pub(super) fn ask_ui(ui: &Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("ask"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().width();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room - 80.0).clamp(280.0, WIDTH));
        ui.label(rich_text("Ask for scores", Type::Title, tokens.text));
        ui.add(Label::new(rich_text(ABOUT, Type::Body, tokens.dim)).wrap());
        ui.add_space(8.0);
        scopes_ui(ui, cx);
        variants_ui(ui, cx);
        let questions = cost_ui(ui, cx);
        ui.add_space(14.0);
        buttons_ui(ui, cx, questions);
    });
    if !escape_left_field(ui.ctx()) && response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

fn scopes_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header_ui(ui, "About", "");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let chosen = cx.state.ask_scope();
        for scope in cx.state.ask_scopes() {
            let words = scope_words(cx.state, scope);
            if choice_ui(ui, &words, &words, scope == chosen, Several::No).clicked() {
                cx.send(Command::Ask(AskCommand::Scope(scope)));
            }
        }
    });
    ui.add_space(6.0);
}

fn scope_words(state: &State, scope: AskScope) -> String {
    let label = scope.label();
    match scope {
        AskScope::Step | AskScope::Run => label.to_owned(),
        AskScope::Listed => {
            format!("{label} ({})", grouped(state.explore.table.shown.len() as u64))
        }
        AskScope::Selected => format!("{label} ({})", grouped(state.explore.selected.len() as u64)),
    }
}

fn variants_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header_ui(ui, "Scores", "");
    for variant in cx.state.asked_variants() {
        let words = format!("{} · {}", variant.label, variant.variant_label);
        let is_on = cx.state.asking.variants.contains(&variant.id);
        if tick_ui(ui, &words, variant.source, is_on).is_some() {
            cx.send(Command::Ask(AskCommand::Toggle(variant.id.clone())));
        }
    }
    ui.add_space(6.0);
}

/// Says how many questions there are and what they cost; gives how many, once that is known and they can be sent.
fn cost_ui(ui: &mut Ui, cx: &ViewContext<'_>) -> Option<u64> {
    section_header_ui(ui, "Cost", "");
    // Of many runs this is a pass over all of them: once a frame.
    let runs = cx.state.asked_runs();
    let why_not = cx.state.why_not_asked(&runs);
    let known = cx.state.derived.ask_estimates.get(&AskEstimateKey { runs });
    let (lines, questions) = match (why_not, known) {
        (Some(why), _) => (vec![why.to_owned()], None),
        (None, Some(Fetched::Ready(estimate))) => {
            (estimate_words(estimate), Some(estimate.questions))
        }
        (None, Some(Fetched::Failed(why))) => {
            (vec![format!("The questions cannot be counted: {why}")], None)
        }
        (None, Some(Fetched::Pending) | None) => (vec!["Counting the questions…".to_owned()], None),
    };
    for line in lines {
        ui.add(Label::new(rich_text(line, Type::Body, tokens(ui).text)).wrap());
    }
    questions
}

/// What asking would send and cost, a line each.
fn estimate_words(estimate: &AskEstimate) -> Vec<String> {
    if estimate.questions == 0 {
        return vec!["No question has to be sent.".to_owned()];
    }
    let questions = count(usize::try_from(estimate.questions).unwrap_or(usize::MAX), "question");
    let (looked_at, all) = estimate.looked_at;
    let questions = if looked_at < all {
        format!("About {questions}, by {looked_at} of {} pictures", grouped(all as u64))
    } else {
        questions
    };
    let read = grouped(estimate.tokens_read);
    let tokens = format!("About {read} tokens read, {} written", grouped(estimate.tokens_written));
    let cost = match (estimate.expected_usd, estimate.most_usd) {
        (Some(expected), Some(most)) => {
            format!("About {}, at most {}", money(expected), money(most))
        }
        (Some(expected), None) => format!("About {}", money(expected)),
        (None, _) => "Cost unknown: the file of models has no prices".to_owned(),
    };
    vec![questions, tokens, cost]
}

fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, questions: Option<u64>) {
    let row = vec2(ui.available_width(), 28.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let button = Button::text("Ask").look(Look::Primary).key(Some("Enter".to_owned()));
        let button = button.enabled(questions.is_some());
        let button = button.tooltip("Send the questions, as a job that can be paused.");
        let is_clicked = button.show(ui).clicked();
        // Enter on a choice chooses it.
        let is_free = ui.memory(|memory| memory.focused().is_none());
        let is_entered =
            is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if questions.is_some() && (is_clicked || is_entered) {
            cx.send(Command::Ask(AskCommand::Start));
        }
        if Button::text("Cancel").key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_says_what_it_is_worked_out_from() {
        let estimate = AskEstimate {
            questions: 412,
            tokens_read: 98_000,
            tokens_written: 82_400,
            expected_usd: Some(1.069),
            most_usd: None,
            looked_at: (48, 206),
        };
        let words = estimate_words(&estimate);
        assert_eq!(words[0], "About 412 questions, by 48 of 206 pictures");
        assert_eq!(words[1], "About 98,000 tokens read, 82,400 written");
        assert_eq!(words[2], "About $1.07");
        let unpriced = AskEstimate { expected_usd: None, looked_at: (206, 206), ..estimate };
        let words = estimate_words(&unpriced);
        assert_eq!(words[0], "412 questions");
        assert!(words[2].contains("no prices"), "{}", words[2]);
        let kept = estimate_words(&AskEstimate::default());
        assert_eq!(kept.len(), 1, "{kept:?}");
    }
}

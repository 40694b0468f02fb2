//! What cannot be taken back, asked once more: that somebody withdraws, that names are revealed.

use egui::{Align, Id, Layout, Modal, Ui, vec2};

use super::parts::annotate;
use crate::label::Act;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, count, rich_text};
use crate::workbench::{AnnotateCommand, ReviewCommand, State};

/// Asks what is to be asked.
pub(super) fn confirmations_ui(ui: &Ui, cx: &ViewContext<'_>) {
    if let Some(person) = &cx.state.annotate.asking_withdrawal {
        let title = format!("Withdraw {person} from the project?");
        let words = what_goes(cx.state, person);
        let does = AnnotateCommand::Withdraw(person.clone());
        let leaves = AnnotateCommand::AskWithdrawal(None);
        question_ui(ui, cx, (&title, &words), ("Withdraw for good", does), leaves);
    } else if cx.state.annotate.asking_reveal {
        let title = "Reveal who made what?";
        let words = "Whoever reviews sees from now on which model made each design, in every copy of the project \
                     that hears of it. It is recorded who revealed it and when, and cannot be taken back. Who \
                     labels still sees no names; answers given from now on are marked as not blind in exports.";
        let does = AnnotateCommand::Review(ReviewCommand::Reveal);
        let leaves = AnnotateCommand::Review(ReviewCommand::AskReveal(false));
        question_ui(ui, cx, (title, words), ("Reveal", does), leaves);
    }
}

fn question_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    (title, words): (&str, &str),
    (name, does): (&str, AnnotateCommand),
    leaves: AnnotateCommand,
) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("label_confirmation"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().width();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room - 80.0).clamp(280.0, 460.0));
        ui.label(rich_text(title, Type::Title, tokens.text));
        ui.add_space(8.0);
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        ui.add_space(14.0);
        let row = vec2(ui.available_width(), 28.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            let button = Button::text(name).look(Look::Raised).tint(tokens.loss);
            let is_pressed = button.with_icon(icons::WARNING).show(ui).clicked();
            let key = Some("Esc".to_owned());
            // Enter is not shown: what cannot be undone is pressed and not hit by who types on.
            let is_left = Button::text("Cancel").key(key).show(ui).clicked();
            (is_pressed, is_left)
        })
        .inner
    });
    let should_close = response.should_close();
    let (is_pressed, is_left) = response.inner;
    if is_pressed {
        annotate(cx, does);
    } else if is_left || should_close {
        annotate(cx, leaves);
    }
}

fn what_goes(state: &State, person: &str) -> String {
    let ledger = &state.annotate.ledger;
    let theirs = ledger.backwards(person).filter(|event| event.act.is_personal());
    let mut answers = 0;
    let mut others = 0;
    for event in theirs {
        match event.act {
            Act::Answered(_) => answers += 1,
            _ => others += 1,
        }
    }
    let others = if others > 0 {
        format!(", and {others} more (skips, flags, what was taken back, agreed to or settled)")
    } else {
        String::new()
    };
    format!(
        "Removed from the file for good: {}{others}. This cannot be undone. That {person} withdrew, and when, \
         is kept, so that no older copy or packet brings anything of it back; copies elsewhere still have it \
         until they are joined with this one.",
        count(answers, "answer"),
    )
}

/// Asks about a person from their menu.
pub(super) fn menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, person: &str) {
    if Button::text("Withdraw…").look(Look::Tool).with_icon(icons::WARNING).show(ui).clicked() {
        annotate(cx, AnnotateCommand::AskWithdrawal(Some(person.to_owned())));
        ui.close();
    }
}

//! Who takes part: what each agreed to and said of themselves, and whether they qualified.

use egui::{Align, Layout, Ui};

use crate::label::Qualification;
use crate::label::participants::{Participant, Participants};
use crate::ui::annotate::parts::annotate;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, rich_text, section_header_ui};
use crate::workbench::{AnnotateCommand, ReviewCommand, views};

/// Draws a line a person; nothing where the project asks nothing of people and nobody withdrew.
pub(super) fn participants_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(found) = views::findings(cx.state) else { return };
    let people = &found.participants;
    if people.table().0.is_empty() {
        return;
    }
    ui.add_space(8.0);
    section_header_ui(ui, "Who takes part", "");
    for person in &people.all {
        person_ui(ui, cx, people, person);
        ui.add_space(4.0);
    }
}

fn person_ui(ui: &mut Ui, cx: &ViewContext<'_>, people: &Participants, person: &Participant) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Qualification::Failed(_) = person.qualification {
                let let_on = Button::text("Let on").of(&person.person).look(Look::Raised).compact();
                let name = format!("Let {} on", person.person);
                let tooltip =
                    "They failed the qualification and get no items; this lets them label.";
                if let_on.named(&name).tooltip(tooltip).show(ui).clicked() {
                    let command = ReviewCommand::LetOn(person.person.clone());
                    annotate(cx, AnnotateCommand::Review(command));
                }
            }
            let ink = match person.qualification {
                Qualification::Failed(_) => tokens.warn,
                Qualification::Passed(_) => tokens.gain,
                _ => tokens.dim,
            };
            // Of a study without a qualification there is nothing to say of anybody.
            if person.qualification != Qualification::NotAsked {
                let words = person.qualification_words();
                ui.label(rich_text(words, Type::Caption, ink));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, &person.person, Type::Body, tokens.text);
            });
        });
    });
    let words = about(people, person);
    if !words.is_empty() {
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
    }
}

/// When they agreed or withdrew, and what they said of themselves.
fn about(people: &Participants, person: &Participant) -> String {
    let day = |at: &str| at.split('T').next().unwrap_or(at).to_owned();
    let mut parts = Vec::new();
    parts.extend(person.withdrawn_at.as_deref().map(|at| format!("withdrew {}", day(at))));
    parts.extend(person.consented_at.as_deref().map(|at| format!("agreed {}", day(at))));
    let words = people.survey_words(&person.person);
    for (question, words) in people.questions.iter().zip(words) {
        if !words.is_empty() {
            parts.push(format!("{question}: {words}"));
        }
    }
    parts.join(" · ")
}

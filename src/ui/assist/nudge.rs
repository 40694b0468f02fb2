//! How far arrow keys move what is selected: the question for it.

use egui::{Align, Id, Key, Layout, Modal, Modifiers, Role, TextEdit, Ui, WidgetInfo, vec2};

use super::questions::Question;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text};
use crate::workbench::{AssistCommand, Command, LookCommand, NudgeSizes};

/// How wide the question is.
const WIDTH: f32 = 300.0;
/// How wide a field is.
const FIELD: f32 = 80.0;
/// The fields, in their order.
const NAMES: [&str; 2] = ["Small nudge", "Big nudge"];
/// What each of them is of.
const KEYS: [&str; 2] = ["Arrow keys alone.", "Arrow keys with Shift."];

/// The question, while it is asked.
#[derive(Debug, Default)]
pub(super) struct NudgeDialog {
    /// What stands in the fields.
    typed: Option<[String; 2]>,
    /// It was asked for since the last frame.
    is_new: bool,
}

impl NudgeDialog {
    /// Asks for other sizes than these.
    pub(super) fn open(&mut self, now: NudgeSizes) {
        self.typed = Some([now.small(), now.big()].map(|size| size.to_string()));
        self.is_new = true;
    }

    /// Draws the question, and takes the answer.
    pub(super) fn show(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let Some(typed) = &mut self.typed else { return };
        let is_new = std::mem::take(&mut self.is_new);
        let tokens = tokens(ui);
        let modal = Modal::new(Question::Nudge.id())
            .backdrop_color(tokens.backdrop)
            .frame(tokens.overlay_frame().inner_margin(16));
        let mut is_done = false;
        let response = modal.show(ui.ctx(), |ui| {
            ui.set_width(WIDTH);
            ui.label(rich_text("Nudge amount", Type::Title, tokens.text));
            ui.add_space(8.0);
            fields_ui(ui, typed, is_new);
            let sizes = sizes_of(typed);
            ui.add_space(4.0);
            let (least, most) = NudgeSizes::RANGE;
            let words = format!("Whole numbers from {least} to {most}, in units of the page.");
            let ink = if sizes.is_some() { tokens.dim } else { tokens.warn };
            ui.label(rich_text(words, Type::Caption, ink));
            ui.add_space(12.0);
            let row = vec2(ui.available_width(), 28.0);
            ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
                let button = Button::text("Set").look(Look::Primary).enabled(sizes.is_some());
                let is_clicked = button.key(Some("Enter".to_owned())).show(ui).clicked();
                let is_entered =
                    ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
                if let Some(sizes) = sizes.filter(|_| is_clicked || is_entered) {
                    let nudge = LookCommand::Nudge(sizes);
                    cx.send(Command::Assist(AssistCommand::Look(nudge)));
                    is_done = true;
                }
                let cancel = Button::text("Cancel").key(Some("Esc".to_owned()));
                is_done |= cancel.show(ui).clicked();
            });
        });
        if is_done || response.should_close() {
            self.typed = None;
        }
    }
}

fn fields_ui(ui: &mut Ui, typed: &mut [String; 2], is_new: bool) {
    let first = Id::unique("nudge_amount_field").with(0_usize);
    for (at, (text, (name, keys))) in typed.iter_mut().zip(NAMES.iter().zip(KEYS)).enumerate() {
        ui.horizontal(|ui| {
            let tokens = tokens(ui);
            let id = Id::unique("nudge_amount_field").with(at);
            let field = ui.add(TextEdit::singleline(text).id(id).desired_width(FIELD));
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, *name));
            field.on_hover_text(keys);
            ui.label(rich_text(*name, Type::Body, tokens.text));
        });
    }
    // From the canvas too, whose keys would be tools and no digits.
    if is_new || ui.ctx().memory(|memory| memory.focused().is_none()) {
        ui.ctx().memory_mut(|memory| memory.request_focus(first));
    }
}

/// What the fields say, if both are numbers that can be.
fn sizes_of(typed: &[String; 2]) -> Option<NudgeSizes> {
    let [small, big] = typed.each_ref().map(|text| text.trim().parse().ok());
    NudgeSizes::new(small?, big?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_numbers_in_range_are_an_answer() {
        let sizes = |small: &str, big: &str| sizes_of(&[small.to_owned(), big.to_owned()]);
        assert_eq!(sizes(" 2", "25 "), NudgeSizes::new(2, 25));
        for (small, big) in [("", "10"), ("1", "ten"), ("0", "10"), ("1", "1001"), ("-1", "10")] {
            assert_eq!(sizes(small, big), None, "{small}, {big}");
        }
    }
}

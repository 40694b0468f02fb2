//! The parts that the views of the inspector are made of.

use egui::{Color32, Frame, Label, Margin, RichText, Ui, vec2};

use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, hairline_ui, path_label_ui, rich_text};

/// A longer text is shown in part until it is asked for.
const LONG: usize = 900;

/// A part of the panel, with a line above it unless it is the first.
pub(in crate::ui::inspector) fn section_ui(ui: &mut Ui, first: bool, add: impl FnOnce(&mut Ui)) {
    if !first {
        ui.add_space(8.0);
        hairline_ui(ui);
        ui.add_space(4.0);
    }
    let margin = Margin::symmetric(size::GUTTER as i8, 0);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

/// A name at the left, what it is at one indent.
pub(super) fn fact_ui(ui: &mut Ui, name: &str, words: &str) {
    row_ui(ui, name, |ui| {
        let words = rich_text(words, Type::Body, tokens(ui).text);
        ui.add(Label::new(words).truncate().selectable(true));
    });
}

/// The same with what it goes by, on hover.
pub(super) fn fact_because_ui(ui: &mut Ui, name: &str, words: &str, why: &str) {
    row_ui(ui, name, |ui| {
        elided_label_ui(ui, words, Type::Body, tokens(ui).text).on_hover_text(why);
    });
}

/// The same of a path, whose end says more than its start.
pub(super) fn path_fact_ui(ui: &mut Ui, name: &str, path: &str) {
    row_ui(ui, name, |ui| path_label_ui(ui, path));
}

fn row_ui(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    const NAMES: f32 = 84.0;
    let tokens = tokens(ui);
    // Lower than a button: nothing in these rows is pressed, and there are many of them.
    ui.spacing_mut().interact_size.y = 21.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let before = ui.cursor().left();
        ui.allocate_ui(vec2(NAMES - 8.0, 21.0), |ui| {
            elided_label_ui(ui, name, Type::Body, tokens.dim);
        });
        // After the name, whatever it took, so that all values begin at one line.
        ui.add_space((before + NAMES - ui.cursor().left()).max(0.0));
        add(ui);
    });
}

/// Words of second rank.
pub(super) fn quiet_ui(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).color(tokens(ui).dim)).wrap());
}

/// Words that can be selected; long ones are shown in part until asked for.
pub(super) fn text_ui(ui: &mut Ui, id: &str, text: &str, color: Color32) {
    // With the length, so that another text at the same place is folded again.
    let id = ui.scope_id().with(("long_text", id, text.len()));
    let all = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
    let shown: String = if all { text.to_owned() } else { text.chars().take(LONG).collect() };
    let cut = shown.len() < text.len();
    let words = if cut { format!("{shown}…") } else { shown };
    let job_words = RichText::new(words).color(color).line_height(Some(17.0));
    ui.add(Label::new(job_words).wrap().selectable(true));
    if cut {
        ui.add_space(4.0);
        let more = Button::text("Show all").look(Look::Tool).height(22.0);
        if more.tooltip("Show the whole text.").show(ui).clicked() {
            ui.data_mut(|data| data.insert_temp(id, true));
        }
    }
}

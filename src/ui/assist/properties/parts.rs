//! What the sections of the panel are made of: headings, rows of two, menus, segments.

use egui::{Align, ComboBox, Frame, Layout, Margin, Response, Role, Ui, WidgetInfo, vec2};

use super::number_field::FIELD;
use crate::editor::Common;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, caption_row_ui, hairline_ui, rich_text, text_width};

/// Between two fields of a row.
const BETWEEN: f32 = 8.0;

/// A part of the panel, with its heading, a line above it, and buttons at the right of the heading.
pub(super) fn section_ui(
    ui: &mut Ui,
    title: &str,
    buttons: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui),
) {
    hairline_ui(ui);
    padded_ui(ui, |ui| {
        caption_row_ui(ui, |ui| {
            ui.label(rich_text(title, Type::Section, tokens(ui).dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                buttons(ui);
            });
        });
        body(ui);
    });
}

/// A part of the panel without a heading.
pub(super) fn padded_ui(ui: &mut Ui, body: impl FnOnce(&mut Ui)) {
    let margin = Margin { left: 12, right: 12, top: 4, bottom: 8 };
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing = vec2(BETWEEN, 8.0);
        ui.spacing_mut().interact_size.y = FIELD;
        body(ui);
    });
}

/// How wide each of so many fields of a row is.
pub(super) fn column(ui: &Ui, count: u8) -> f32 {
    let count = f32::from(count.max(1));
    ((ui.available_width() - BETWEEN * (count - 1.0)) / count).floor().max(24.0)
}

/// A button with nothing but an icon, of a list or heading.
pub(super) fn small_button_ui(ui: &mut Ui, icon: &'static str, name: &str) -> bool {
    Button::icon(icon, name).look(Look::Tool).height(20.0).tooltip(name).show(ui).clicked()
}

/// The button that adds one.
pub(super) fn plus_ui(ui: &mut Ui, name: &str) -> bool {
    small_button_ui(ui, icons::ADD, name)
}

/// A button that is on or off; gives what it was changed to.
pub(super) fn toggle_ui(ui: &mut Ui, icon: &'static str, name: &str, is_on: bool) -> Option<bool> {
    let button = Button::icon(icon, name).look(Look::Tool).height(FIELD).tooltip(name);
    button.selected(is_on).show(ui).clicked().then_some(!is_on)
}

/// Things to choose one of, beside each other, each with its icon and its name; gives what was chosen.
pub(super) fn segments_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    options: &[(T, &'static str, &str)],
    now: &Common<T>,
) -> Option<T> {
    let mut chosen = None;
    Frame::new().fill(tokens(ui).panel).stroke(tokens(ui).line()).corner_radius(size::RADIUS).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.horizontal(|ui| {
                for (value, icon, name) in options {
                    let button = Button::icon(icon, name).look(Look::Tool).height(FIELD - 2.0);
                    let button = button.selected(now.is(value)).tooltip(name);
                    if button.show(ui).clicked() {
                        chosen = Some(*value);
                    }
                }
            });
        },
    );
    chosen
}

/// A menu of few things to choose from; gives what was chosen. `other` stands there where what is set is none of them.
pub(super) fn menu_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    options: &[(T, &str)],
    now: &Common<T>,
    width: f32,
) -> Option<T> {
    let words = match now {
        Common::Nothing => "–",
        Common::Mixed => "Mixed",
        Common::Same(value) => {
            options.iter().find(|(of, _)| of == value).map_or("Other", |(_, words)| words)
        }
    };
    let mut chosen = None;
    words_menu_ui(ui, name, words, width, |ui| {
        for (value, words) in options {
            if ui.selectable_label(now.is(value), *words).clicked() {
                chosen = Some(*value);
            }
        }
    });
    chosen
}

/// A menu that shows these words.
pub(super) fn words_menu_ui(
    ui: &mut Ui,
    name: &str,
    words: &str,
    width: f32,
    content: impl FnOnce(&mut Ui),
) -> Response {
    let shown = rich_text(elided(ui, words, width - 36.0), Type::Body, tokens(ui).text);
    let combo = ComboBox::from_id_salt(("assist_menu", name)).selected_text(shown).width(width);
    let response = combo.height(320.0).show_ui(ui, content).response;
    let said = format!("{name}: {words}");
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &said));
    response.on_hover_text(name)
}

/// The longest beginning of the words that has room.
fn elided(ui: &Ui, words: &str, room: f32) -> String {
    if text_width(ui, words, Type::Body) <= room {
        return words.to_owned();
    }
    let mut short = words.to_owned();
    while short.pop().is_some() {
        let cut = format!("{}…", short.trim_end());
        if text_width(ui, &cut, Type::Body) <= room {
            return cut;
        }
    }
    "…".to_owned()
}

/// Quiet words on a line of their own.
pub(super) fn hint_ui(ui: &mut Ui, words: &str) {
    let words = rich_text(words, Type::Caption, tokens(ui).dim);
    ui.add(egui::Label::new(words).wrap());
}

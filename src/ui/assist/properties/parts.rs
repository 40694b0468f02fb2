//! What the sections of the panel are made of: headings, rows of two, menus, segments.

use egui::{
    Align, Align2, ComboBox, Frame, Id, Layout, Margin, Response, Role, StrokeKind, Ui, WidgetInfo,
    vec2,
};

use super::number_field::{FIELD, Fields};
use super::typing::{Done, TextSpot};
use crate::design::NodeId;
use crate::editor::Common;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, caption_row_ui, elided_label_ui, hairline_ui, paint_text, rich_text, text_width,
};

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

/// A field of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordsField<'a> {
    /// By which it is known.
    pub(super) id: Id,
    /// What it is of, in full words.
    pub(super) name: &'a str,
    pub(super) shown: &'a str,
    /// What stands there faintly while there are no words.
    pub(super) empty: &'a str,
    pub(super) width: f32,
}

impl WordsField<'_> {
    /// Draws it; gives what was typed into it, once it is meant.
    pub(super) fn show(self, ui: &mut Ui, fields: &mut Fields, nodes: &[NodeId]) -> Option<Done> {
        let Self { id, name, shown, empty, width } = self;
        let typing = &mut fields.typing;
        let (_, rect) = ui.allocate_space(vec2(width, FIELD));
        let theme = tokens(ui);
        let outline = typing.outline(ui, id);
        ui.painter().rect(rect, size::RADIUS, theme.raised, outline, StrokeKind::Inside);
        let words = rect.shrink2(vec2(4.0, 0.0));
        if shown.is_empty() && !ui.memory(|memory| memory.has_focus(id)) {
            let style = (Type::Body, theme.dim);
            let at = words.left_center();
            paint_text(ui.painter(), at, Align2::LEFT_CENTER, empty, style, words.width());
        }
        let style = (Type::Body, theme.text);
        let spot = TextSpot { id, rect: words, name, shown, nodes, style };
        let (response, done) = typing.show(ui, spot);
        response.on_hover_text(typing.why_wrong(id).unwrap_or(name));
        done
    }
}

/// The name of what stands behind it in a row, in two fifths of the room.
pub(super) fn label_ui(ui: &mut Ui, words: &str) {
    let room = ui.available_width() * 0.4;
    ui.allocate_ui(vec2(room, 20.0), |ui| {
        ui.set_min_width(room);
        elided_label_ui(ui, words, Type::Body, tokens(ui).dim);
    });
}

/// Quiet words on a line of their own.
pub(super) fn hint_ui(ui: &mut Ui, words: &str) {
    let words = rich_text(words, Type::Caption, tokens(ui).dim);
    ui.add(egui::Label::new(words).wrap());
}

//! The selected node: what it is, what its partner is, which calls made it so.

use egui::{
    Align, Align2, Color32, Label, Layout, Rect, RichText, ScrollArea, StrokeKind, Ui, vec2,
};

use crate::base::Rgba;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::inspector::parts::section_ui;
use crate::ui::theme::{Type, swatch_color, tokens};
use crate::ui::widgets::{
    Button, Look, caption_row_ui, elided_label_ui, paint_text, rich_text, section_header_ui,
    text_width,
};
use crate::workbench::views::{self, Nodes, Property, PropertyGroup, PropertyValue};
use crate::workbench::{Command, Comparison, LayerRow, LayerTree, PlaybackCommand};

/// Names of properties stand in a column of this width.
const NAMES: f32 = 92.0;
const LINE: f32 = 21.0;

/// Draws the node.
pub(super) fn details_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    nodes: &Nodes<'_>,
    layers: &std::sync::Arc<LayerTree>,
    row: &LayerRow,
) {
    // Of the tree that is shown, which may be an older one than the state asks for.
    let against = nodes.key.as_ref().map_or(Comparison::None, |key| key.against);
    ui.set_min_width(ui.available_width());
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    ScrollArea::vertical().id_salt("node_details_area").auto_shrink(false).show(ui, |ui| {
        ui.add_space(6.0);
        section_ui(ui, true, |ui| {
            caption_row_ui(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let icon = icons::of_node_kind(&row.kind);
                ui.label(rich_text(icon, Type::Icon, tokens(ui).dim));
                elided_label_ui(ui, &row.name, Type::Title, tokens(ui).text);
            });
            id_ui(ui, row);
            history_ui(ui, cx, row);
        });
        for group in views::properties(layers, row) {
            section_ui(ui, false, |ui| group_ui(ui, &group, against));
        }
        ui.add_space(12.0);
    });
}

/// Type and id, to be copied.
fn id_ui(ui: &mut Ui, row: &LayerRow) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        let kind = row.kind.to_lowercase().replace('_', " ");
        ui.label(RichText::new(kind).color(tokens.dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = Button::icon(icons::COPY, "Copy the id").look(Look::Tool).height(22.0);
            if copy.tooltip("Copy the id of the node.").show(ui).clicked() {
                ui.ctx().copy_text(row.id.to_string());
            }
            ui.add_space(-6.0);
            elided_label_ui(ui, row.id.as_str(), Type::Mono, tokens.dim);
        });
    });
}

/// Links to the steps that made it and changed it last.
fn history_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &LayerRow) {
    // Only runs with calls have one: of pictures and of the ground truth nobody knows who made
    // what.
    let Some(history) = row.history else { return };
    step_link_ui(ui, cx, "Made by", history.made);
    if history.changed != history.made {
        step_link_ui(ui, cx, "Last changed by", history.changed);
    }
}

fn step_link_ui(ui: &mut Ui, cx: &ViewContext<'_>, words: &str, step: u32) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        ui.label(RichText::new(words).color(tokens.dim));
        // There is no call to go to that made what an agent began with.
        if step == 0 {
            ui.label(RichText::new("the start state").color(tokens.text));
            return;
        }
        let call = call_name(cx, step).unwrap_or("step");
        let link = RichText::new(format!("step {step} · {call}")).color(tokens.accent_ink);
        let response = ui.add(Label::new(link).truncate().sense(egui::Sense::click()));
        let name = format!("{words} {call}, go to step {step}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, &name));
        let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
        if response.on_hover_text(format!("Go to step {step}.")).clicked() {
            cx.send(Command::Playback(PlaybackCommand::Step(step)));
        }
    });
}

fn call_name<'a>(cx: &ViewContext<'a>, step: u32) -> Option<&'a str> {
    let run = cx.state.selected_run()?.loaded.as_ref()?;
    let step = run.steps.get((step as usize).checked_sub(1)?)?;
    Some(&step.call.as_ref()?.name)
}

fn group_ui(ui: &mut Ui, group: &PropertyGroup, against: Comparison) {
    let differs = group.properties.iter().any(|property| property.differs);
    let aside = match against {
        Comparison::GroundTruth if differs => "truth → here",
        Comparison::Previous if differs => "before → now",
        _ => "",
    };
    section_header_ui(ui, group.title, aside);
    for property in &group.properties {
        property_ui(ui, property);
    }
    ui.add_space(2.0);
}

/// A name at the left; at one indent the value, or the old one and below it the new one where both
/// do not fit beside each other.
fn property_ui(ui: &mut Ui, property: &Property) {
    let tokens = tokens(ui);
    let left = ui.cursor().left();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let name_room = vec2(NAMES - 8.0, LINE);
        let line = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(name_room, line, |ui| {
            ui.set_min_height(LINE);
            elided_label_ui(ui, &property.label, Type::Body, tokens.dim);
        });
        ui.add_space((left + NAMES - ui.cursor().left()).max(0.0));
        let room = ui.available_width();
        let now = property.now.as_ref();
        if !property.differs {
            value_ui(ui, now.or(property.before.as_ref()), tokens.text, room);
            return;
        }
        let before = property.before.as_ref();
        // Measured before anything is drawn: a label that is cut would not say that it does not
        // fit.
        let beside = width(ui, before) + width(ui, now) + 22.0 <= room;
        if beside {
            value_ui(ui, before, tokens.dim, room);
            arrow_ui(ui, tokens.warn);
            value_ui(ui, now, tokens.text, room);
        } else {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                value_ui(ui, before, tokens.dim, room);
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    arrow_ui(ui, tokens.warn);
                    value_ui(ui, now, tokens.text, room - 22.0);
                });
            });
        }
    });
}

const NONE: &str = "none";

fn width(ui: &Ui, value: Option<&PropertyValue>) -> f32 {
    let text = value.map_or(NONE, |value| &value.text);
    let swatch = value.is_some_and(|value| !value.colors.is_empty());
    text_width(ui, text, Type::Body) + if swatch { 20.0 } else { 0.0 }
}

fn arrow_ui(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(22.0, LINE), egui::Sense::hover());
    let style = (Type::IconSmall, color);
    let center = Align2::CENTER_CENTER;
    paint_text(ui.painter(), rect.center(), center, icons::BECOMES, style, 20.0);
}

fn value_ui(ui: &mut Ui, value: Option<&PropertyValue>, ink: Color32, room: f32) {
    let mut room = room;
    if let Some(value) = value.filter(|value| !value.colors.is_empty()) {
        swatch_ui(ui, &value.colors);
        room -= 20.0;
    }
    let words = value.map_or(NONE, |value| &value.text);
    // The room is given by hand, since a label that may be cut takes all there is, and the arrow
    // comes after it.
    let taken = text_width(ui, words, Type::Body).min(room.max(20.0));
    ui.allocate_ui_with_layout(
        vec2(taken + 1.0, LINE),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_height(LINE);
            let words = rich_text(words, Type::Body, ink);
            ui.add(Label::new(words).truncate().selectable(true));
        },
    );
}

/// A colour, or the colours of a gradient from left to right, on a ground that shows how opaque
/// they are.
fn swatch_ui(ui: &mut Ui, colors: &[Rgba]) {
    let (slot, _) = ui.allocate_exact_size(vec2(20.0, LINE), egui::Sense::hover());
    let rect = Rect::from_center_size(slot.left_center() + vec2(7.0, 0.0), vec2(14.0, 14.0));
    let tokens = tokens(ui);
    let painter = ui.painter();
    painter.rect_filled(rect, 3, swatch_color([255; 4]));
    // Half white, half grey: a half-transparent colour shows another on each side.
    let half = Rect::from_min_max(rect.center_top(), rect.right_bottom());
    painter.rect_filled(half, 0, swatch_color([180, 180, 180, 255]));
    // A stripe a point is all that fits; the stops of a gradient are hardly more.
    let count = colors.len().clamp(1, 14);
    for (at, color) in colors.iter().take(count).enumerate() {
        let width = rect.width() / count as f32;
        let left = rect.left() + width * at as f32;
        let stripe = Rect::from_min_size(egui::pos2(left, rect.top()), vec2(width, rect.height()));
        painter.rect_filled(stripe, if count == 1 { 3 } else { 0 }, swatch_color(color.to_u8()));
    }
    painter.rect_stroke(rect, 3, tokens.line(), StrokeKind::Outside);
}

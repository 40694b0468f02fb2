//! Auto layout: direction, alignment, gap, padding; and how extents are found.

use egui::{Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::number_field::{FIELD, Fields, NumberField, property_ui};
use super::parts::{
    column, plus_ui, section_ui, segments_ui, small_button_ui, toggle_ui, words_menu_ui,
};
use super::subject::Subject;
use crate::design::{Direction, Node, NodeKind, PrimaryAlign, Sizing};
use crate::editor::{
    Act, ArrangeAct, BoxSide, Common, NumberProperty, Setting, SizeLimit, Third, has_size_limits,
};
use crate::ui::icons;
use crate::ui::theme::{size, tokens};
use crate::ui::widgets::tick_ui;

/// Draws the section of frames; of what only lies in one, how its extents are found.
pub(super) fn layout_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    each_side: &mut bool,
    is_screen: bool,
) {
    let can_lay_out = subject.any(|node| can_lay_out(&node.kind));
    let has_layout = subject.any(|node| node.auto_layout.is_some());
    if !can_lay_out && !has_sizing(subject) {
        return;
    }
    if is_screen && !has_layout {
        section_ui(ui, "Frame", |_| {}, |ui| clip_ui(ui, subject));
        return;
    }
    let title = if can_lay_out { "Auto layout" } else { "Resizing" };
    section_ui(
        ui,
        title,
        |ui| {
            if is_screen {
                return;
            }
            if has_layout && small_button_ui(ui, icons::MINUS, "Remove auto layout") {
                subject.act(Act::Arrange(ArrangeAct::RemoveAutoLayout));
            }
            if can_lay_out && !has_layout && plus_ui(ui, "Add auto layout") {
                subject.act(Act::Arrange(ArrangeAct::AddAutoLayout));
            }
        },
        |ui| {
            if has_layout {
                flow_ui(ui, fields, subject);
                paddings_ui(ui, fields, subject, each_side);
            }
            if has_sizing(subject) {
                sizings_ui(ui, subject);
                limits_ui(ui, fields, subject);
            }
            clip_ui(ui, subject);
        },
    );
}

fn can_lay_out(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Frame | NodeKind::Component | NodeKind::ComponentSet | NodeKind::Instance
    )
}

/// Whether an extent can be found otherwise than as it is.
fn has_sizing(subject: Subject<'_>) -> bool {
    subject.any(|node| {
        node.auto_layout.is_some() || node.text().is_some() || is_in_layout(subject, node)
    })
}

fn is_in_layout(subject: Subject<'_>, node: &Node) -> bool {
    let parent = node.parent.as_ref().and_then(|parent| subject.document.get(parent));
    parent.is_some_and(|parent| parent.auto_layout.is_some())
}

/// Direction and gap at the left, where the content lies at the right.
fn flow_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let width = column(ui, 2);
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(width);
            direction_ui(ui, subject);
            gap_ui(ui, fields, subject, width);
        });
        pad_ui(ui, subject, width);
    });
    let property = NumberProperty::LineGap;
    let value = subject.number(property);
    if value.is_there() {
        let field = NumberField::new(property.label(), value).mark(icons::GAP_DOWN).unit("lines");
        property_ui(ui, fields, subject, property, field, width);
    }
}

/// A direction, or going on in new lines.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Across,
    Down,
    Wrap,
}

fn direction_ui(ui: &mut Ui, subject: Subject<'_>) {
    let now = subject.common(|node| {
        let layout = node.auto_layout.as_deref()?;
        Some(match (layout.direction, layout.wraps) {
            (Direction::Horizontal, false) => Flow::Across,
            (Direction::Horizontal, true) => Flow::Wrap,
            (Direction::Vertical, _) => Flow::Down,
        })
    });
    let options = [
        (Flow::Across, icons::ACROSS, "Horizontal"),
        (Flow::Down, icons::DOWN, "Vertical"),
        (Flow::Wrap, icons::WRAPS, "Wrap"),
    ];
    match segments_ui(ui, &options, &now) {
        None => {}
        Some(Flow::Across) if now.is(&Flow::Wrap) => subject.set(Setting::Wraps(false)),
        Some(Flow::Across) => subject.set(Setting::Direction(Direction::Horizontal)),
        Some(Flow::Down) => subject.set(Setting::Direction(Direction::Vertical)),
        Some(Flow::Wrap) => {
            if !now.is(&Flow::Across) {
                subject.set(Setting::Direction(Direction::Horizontal));
            }
            subject.set(Setting::Wraps(true));
        }
    }
}

fn gap_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>, width: f32) {
    let property = NumberProperty::Gap;
    let is_spread = subject.common(|node| {
        Some(node.auto_layout.as_deref()?.primary_align == PrimaryAlign::SpaceBetween)
    });
    let value = if is_spread == Common::Mixed { Common::Mixed } else { subject.number(property) };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let field = NumberField::new(property.label(), value).mark(icons::GAP_ACROSS).empty("Auto");
        property_ui(ui, fields, subject, property, field, width - 28.0);
        let is_on = is_spread.is(&true);
        if let Some(on) = toggle_ui(ui, icons::EXTENT_ACROSS, "Auto gap", is_on) {
            subject.set(Setting::SpreadGap(on));
        }
    });
}

/// Nine places, of which the content lies at one.
fn pad_ui(ui: &mut Ui, subject: Subject<'_>, width: f32) {
    let (_, rect) = ui.allocate_space(vec2(width, FIELD * 2.0 + 8.0));
    let theme = tokens(ui);
    ui.painter().rect(rect, size::RADIUS, theme.raised, theme.line(), StrokeKind::Inside);
    let now = subject.common(Third::of_content);
    let cell = vec2(rect.width() / 3.0, rect.height() / 3.0);
    for (row, down) in (0_u8..).zip(Third::ALL) {
        for (line, across) in (0_u8..).zip(Third::ALL) {
            let at = rect.min + vec2(cell.x * f32::from(line), cell.y * f32::from(row));
            let place = Rect::from_min_size(at, cell);
            let name = format!("Align {}", pad_words(across, down));
            let id = ui.make_persistent_id(("assist_pad", row, line));
            let response = ui.interact(place, id, Sense::click());
            let is_on = now.is(&[across, down]);
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, &name));
            if response.has_focus() {
                let ring = Stroke::new(1.5, theme.accent);
                ui.painter().rect_stroke(
                    place.shrink(1.0),
                    size::RADIUS_SMALL,
                    ring,
                    StrokeKind::Inside,
                );
            }
            if is_on {
                let bar = Rect::from_center_size(place.center(), vec2(12.0, 4.0));
                ui.painter().rect_filled(bar, 2, theme.accent);
            } else {
                let ink = if response.hovered() { theme.text } else { theme.faint };
                ui.painter().circle_filled(place.center(), 1.5, ink);
            }
            let response = response.on_hover_text(&name);
            if response.clicked() && !is_on {
                subject.set(Setting::AlignContent(across, down));
            }
        }
    }
}

fn pad_words(across: Third, down: Third) -> String {
    let down = match down {
        Third::Start => "top",
        Third::Middle => "middle",
        Third::End => "bottom",
    };
    let across = match across {
        Third::Start => "left",
        Third::Middle => "center",
        Third::End => "right",
    };
    format!("{down} {across}")
}

fn paddings_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>, each_side: &mut bool) {
    let width = ((ui.available_width() - 32.0 - 8.0) / 2.0).floor();
    ui.horizontal(|ui| {
        for (property, mark) in [
            (NumberProperty::PaddingAcross, icons::EXTENT_ACROSS),
            (NumberProperty::PaddingDown, icons::EXTENT_DOWN),
        ] {
            let value = subject.number(property);
            let field = NumberField::new(property.label(), value).mark(mark);
            property_ui(ui, fields, subject, property, field, width);
        }
        if let Some(on) = toggle_ui(ui, icons::EACH_SIDE, "Each padding by itself", *each_side) {
            *each_side = on;
        }
    });
    if !*each_side {
        return;
    }
    let width = column(ui, 2);
    for row in [
        [(BoxSide::Left, "L"), (BoxSide::Top, "T")],
        [(BoxSide::Right, "R"), (BoxSide::Bottom, "B")],
    ] {
        ui.horizontal(|ui| {
            for (side, mark) in row {
                let property = NumberProperty::Padding(side);
                let field = NumberField::new(property.label(), subject.number(property)).mark(mark);
                property_ui(ui, fields, subject, property, field, width);
            }
        });
    }
}

fn sizings_ui(ui: &mut Ui, subject: Subject<'_>) {
    let width = column(ui, 2);
    ui.horizontal(|ui| {
        for (axis, name) in [(Direction::Horizontal, "Width"), (Direction::Vertical, "Height")] {
            let now = subject.common(|node| Some(subject.document.sizing(&node.id, axis)));
            let can_hug = subject.any(|node| node.auto_layout.is_some() || node.text().is_some());
            let can_fill = subject.any(|node| is_in_layout(subject, node));
            let mut options = vec![(Sizing::Fixed, "Fixed")];
            options.extend(can_hug.then_some((Sizing::Hug, "Hug")));
            options.extend(can_fill.then_some((Sizing::Fill, "Fill")));
            let name = format!("{name} sizing");
            let words = match &now {
                Common::Nothing => "–",
                Common::Mixed => "Mixed",
                Common::Same(now) => {
                    options.iter().find(|(of, _)| of == now).map_or("Other", |(_, words)| words)
                }
            };
            words_menu_ui(ui, &name, words, width, |ui| {
                for (sizing, words) in &options {
                    let is_now = now.is(sizing);
                    if ui.selectable_label(is_now, *words).clicked() && !is_now {
                        subject.set(Setting::Sizing(axis, *sizing));
                    }
                }
                limits_menu_ui(ui, subject, axis);
            });
        }
    });
}

/// Adds limits that are not there, and takes away those that are.
fn limits_menu_ui(ui: &mut Ui, subject: Subject<'_>, axis: Direction) {
    if !subject.any(|node| has_size_limits(subject.document, node)) {
        return;
    }
    ui.separator();
    for limit in SizeLimit::ALL.into_iter().filter(|limit| limit.axis() == axis) {
        let is_there = subject.number(NumberProperty::Limit(limit)).is_there();
        let name = limit.label().to_lowercase();
        let words = if is_there { format!("Remove {name}") } else { format!("Add {name}…") };
        if ui.button(words).clicked() {
            subject.set(Setting::Limited(limit, !is_there));
        }
    }
}

/// The limits that there are, those of the width at the left.
fn limits_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let width = column(ui, 2);
    let rows = [
        [(SizeLimit::MinWidth, "≥"), (SizeLimit::MinHeight, "≥")],
        [(SizeLimit::MaxWidth, "≤"), (SizeLimit::MaxHeight, "≤")],
    ];
    for row in rows {
        let row = row.map(|(limit, mark)| {
            let property = NumberProperty::Limit(limit);
            (limit, mark, property, subject.number(property))
        });
        if !row.iter().any(|(_, _, _, value)| value.is_there()) {
            continue;
        }
        ui.horizontal(|ui| {
            for (limit, mark, property, value) in row {
                if !value.is_there() {
                    ui.allocate_space(vec2(width, FIELD));
                    continue;
                }
                ui.spacing_mut().item_spacing.x = 4.0;
                let field = NumberField::new(property.label(), value).mark(mark).unit("px");
                property_ui(ui, fields, subject, property, field, width - 24.0);
                let remove = format!("Remove {}", limit.label().to_lowercase());
                if small_button_ui(ui, icons::MINUS, &remove) {
                    subject.set(Setting::Limited(limit, false));
                }
                ui.spacing_mut().item_spacing.x = 8.0;
            }
        });
    }
}

fn clip_ui(ui: &mut Ui, subject: Subject<'_>) {
    if !subject.any(|node| node.kind.is_some_frame()) {
        return;
    }
    let clips = subject.common(|node| node.kind.is_some_frame().then_some(node.clips_content));
    let words = if clips == Common::Mixed { "Clip content (mixed)" } else { "Clip content" };
    let tooltip = "Cut what reaches beyond the frame.";
    if let Some(on) = tick_ui(ui, words, tooltip, clips.is(&true)) {
        subject.set(Setting::ClipsContent(on));
    }
}

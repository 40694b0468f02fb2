//! Place, size, angle, corners; alignment, constraints.

use egui::Ui;

use super::number_field::{Fields, NumberField, property_ui};
use super::parts::{column, menu_ui, padded_ui, section_ui, toggle_ui};
use super::subject::Subject;
use crate::design::Direction;
use crate::editor::{BoxCorner, Common, Constraint, NumberProperty, Setting, ShapeNumber};
use crate::ui::icons;

/// Draws the fields; of the screen itself no place, which it has none of.
pub(super) fn place_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    each_corner: &mut bool,
    has_place: bool,
) {
    padded_ui(ui, |ui| {
        let width = column(ui, 2);
        let field = |property: NumberProperty, mark: &'static str| {
            NumberField::new(property.label(), subject.number(property)).mark(mark)
        };
        if has_place {
            ui.horizontal(|ui| {
                for (property, mark) in [(NumberProperty::X, "X"), (NumberProperty::Y, "Y")] {
                    let field = field(property, mark);
                    let is_free = subject.number(property).is_there();
                    let field = field.enabled(is_free).empty("Auto").tooltip(if is_free {
                        ""
                    } else {
                        "Auto layout says where this lies."
                    });
                    property_ui(ui, fields, subject, property, field, width);
                }
            });
        }
        ui.horizontal(|ui| {
            for (property, mark) in [(NumberProperty::Width, "W"), (NumberProperty::Height, "H")] {
                let has_any = subject.number(property).is_there();
                let field = field(property, mark).enabled(has_any).empty("–");
                property_ui(ui, fields, subject, property, field, width);
            }
        });
        ui.horizontal(|ui| {
            let property = NumberProperty::Rotation;
            if has_place && subject.number(property).is_there() {
                let field = field(property, icons::ANGLE).unit("°");
                property_ui(ui, fields, subject, property, field, width);
            }
            let property = NumberProperty::CornerRadius;
            if subject.number(property).is_there() {
                let four = subject.number(NumberProperty::Corner(BoxCorner::TopLeft)).is_there();
                let room = if four { width - 32.0 } else { width };
                let field = field(property, icons::CORNERS);
                property_ui(ui, fields, subject, property, field, room);
                let name = "Each corner by itself";
                if four && let Some(on) = toggle_ui(ui, icons::EACH_SIDE, name, *each_corner) {
                    *each_corner = on;
                }
            }
        });
        if *each_corner {
            corners_ui(ui, fields, subject);
        }
        shape_ui(ui, fields, subject);
    });
}

/// The arc of an ellipse, how many corners a polygon or a star has; nothing of other shapes.
fn shape_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    const ROWS: [&[(ShapeNumber, &str, &str)]; 2] = [
        &[
            (ShapeNumber::ArcStart, icons::ANGLE, "°"),
            (ShapeNumber::ArcSweep, icons::TURNED, "%"),
            (ShapeNumber::ArcRatio, "R", "%"),
        ],
        &[(ShapeNumber::Count, "N", ""), (ShapeNumber::StarRatio, "R", "%")],
    ];
    for row in ROWS {
        let numbers = row.iter().map(|(number, mark, unit)| {
            let property = NumberProperty::Shape(*number);
            (property, subject.number(property), *mark, *unit)
        });
        let there: Vec<_> = numbers.filter(|(_, value, _, _)| value.is_there()).collect();
        if there.is_empty() {
            continue;
        }
        let width = column(ui, if row.len() == 3 { 3 } else { 2 });
        ui.horizontal(|ui| {
            for (property, value, mark, unit) in there {
                let field = NumberField::new(property.label(), value).mark(mark).unit(unit);
                property_ui(ui, fields, subject, property, field, width);
            }
        });
    }
}

/// Each corner by itself, as they lie, and how far they run out.
fn corners_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let width = column(ui, 2);
    let rows = [
        [(BoxCorner::TopLeft, "TL"), (BoxCorner::TopRight, "TR")],
        [(BoxCorner::BottomLeft, "BL"), (BoxCorner::BottomRight, "BR")],
    ];
    for row in rows {
        ui.horizontal(|ui| {
            for (corner, mark) in row {
                let property = NumberProperty::Corner(corner);
                let value = subject.number(property);
                if value.is_there() {
                    let field = NumberField::new(property.label(), value).mark(mark);
                    property_ui(ui, fields, subject, property, field, width);
                }
            }
        });
    }
    let property = NumberProperty::CornerSmoothing;
    let value = subject.number(property);
    if value.is_there() {
        let field = NumberField::new(property.label(), value).mark("S").unit("%");
        property_ui(ui, fields, subject, property, field, width);
    }
}

/// How nodes follow the size of what they lie in; nothing for those that auto layout places, and for the screen.
pub(super) fn constraints_ui(ui: &mut Ui, subject: Subject<'_>) {
    if !subject.number(NumberProperty::X).is_there() || !subject.any(|node| node.parent.is_some()) {
        return;
    }
    section_ui(
        ui,
        "Constraints",
        |_| {},
        |ui| {
            let width = column(ui, 2);
            ui.horizontal(|ui| {
                constraint_ui(ui, subject, Direction::Horizontal, width);
                constraint_ui(ui, subject, Direction::Vertical, width);
            });
        },
    );
}

fn constraint_ui(ui: &mut Ui, subject: Subject<'_>, axis: Direction, width: f32) {
    let (name, words) = match axis {
        Direction::Horizontal => {
            ("Horizontal constraint", ["Left", "Right", "Left and right", "Center", "Scale"])
        }
        Direction::Vertical => {
            ("Vertical constraint", ["Top", "Bottom", "Top and bottom", "Center", "Scale"])
        }
    };
    let options: Vec<(Constraint, &str)> = Constraint::ALL.into_iter().zip(words).collect();
    let now: Common<Constraint> = subject.common(|node| Constraint::of(node, axis));
    if let Some(chosen) = menu_ui(ui, name, &options, &now, width) {
        subject.set(Setting::Constrain(axis, chosen));
    }
}

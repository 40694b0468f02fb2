//! The form of an outline: weight, side, sides, dashes, ends, corners.

use egui::{Id, StrokeKind, Ui, vec2};

use super::number_field::{FIELD, Fields, NumberField, number_text, property_ui};
use super::parts::{column, menu_ui, toggle_ui};
use super::subject::Subject;
use super::typing::TextSpot;
use crate::design::{Node, NodeKind, StrokeAlign, StrokeCap, StrokeJoin};
use crate::editor::{BoxSide, Common, NumberProperty, PaintList, Setting};
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{paint_text, text_width};

const ALIGNS: [(StrokeAlign, &str); 3] = [
    (StrokeAlign::Inside, "Inside"),
    (StrokeAlign::Center, "Center"),
    (StrokeAlign::Outside, "Outside"),
];

const CAPS: [(StrokeCap, &str); 8] = [
    (StrokeCap::None, "No cap"),
    (StrokeCap::Round, "Round cap"),
    (StrokeCap::Square, "Square cap"),
    (StrokeCap::LineArrow, "Line arrow"),
    (StrokeCap::TriangleArrow, "Triangle arrow"),
    (StrokeCap::TriangleFilled, "Reversed triangle"),
    (StrokeCap::CircleFilled, "Circle arrow"),
    (StrokeCap::DiamondFilled, "Diamond arrow"),
];

const JOINS: [(StrokeJoin, &str); 3] = [
    (StrokeJoin::Miter, "Miter join"),
    (StrokeJoin::Bevel, "Bevel join"),
    (StrokeJoin::Round, "Round join"),
];

/// Draws what stands below the paints of an outline.
pub(super) fn stroke_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    each_side: &mut bool,
) {
    let has_sides = subject.number(NumberProperty::StrokeSide(BoxSide::Top)).is_there();
    ui.horizontal(|ui| {
        let property = NumberProperty::StrokeWeight;
        let room = if has_sides { ui.available_width() - 32.0 } else { ui.available_width() };
        let width = ((room - 8.0) / 2.0).floor();
        let align = of_stroke(subject, |node| node.stroke.align);
        if let Some(align) = menu_ui(ui, "Stroke position", &ALIGNS, &align, width) {
            subject.set(Setting::StrokeAlign(align));
        }
        let field = NumberField::new(property.label(), subject.number(property));
        property_ui(ui, fields, subject, property, field.mark(icons::WEIGHT), width);
        let name = "Each stroke by itself";
        if has_sides && let Some(on) = toggle_ui(ui, icons::EACH_SIDE, name, *each_side) {
            *each_side = on;
        }
    });
    if *each_side && has_sides {
        sides_ui(ui, fields, subject);
    }
    let width = column(ui, 2);
    ui.horizontal(|ui| {
        let caps = subject.common(|node| has_ends(node).then_some(node.stroke.cap));
        if caps.is_there()
            && let Some(cap) = menu_ui(ui, "Stroke cap", &CAPS, &caps, width)
        {
            subject.set(Setting::StrokeCap(cap));
        }
        let joins = of_stroke(subject, |node| node.stroke.join);
        if let Some(join) = menu_ui(ui, "Stroke join", &JOINS, &joins, width) {
            subject.set(Setting::StrokeJoin(join));
        }
    });
    ui.horizontal(|ui| {
        dashes_ui(ui, fields, subject, width);
        let property = NumberProperty::MiterAngle;
        let joins = of_stroke(subject, |node| node.stroke.join);
        if joins.is(&StrokeJoin::Miter) {
            let field = NumberField::new(property.label(), subject.number(property));
            let field = field.mark(icons::ANGLE).unit("°");
            property_ui(ui, fields, subject, property, field, width);
        }
    });
}

fn of_stroke<T: PartialEq>(subject: Subject<'_>, field: impl Fn(&Node) -> T) -> Common<T> {
    subject.common(|node| PaintList::Strokes.takes(&node.kind).then(|| field(node)))
}

/// Whether an outline may have ends.
fn has_ends(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Line | NodeKind::Vector(_)) || !node.stroke.dashes.is_empty()
}

fn sides_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let width = column(ui, 2);
    for row in [
        [(BoxSide::Left, "L"), (BoxSide::Top, "T")],
        [(BoxSide::Right, "R"), (BoxSide::Bottom, "B")],
    ] {
        ui.horizontal(|ui| {
            for (side, mark) in row {
                let property = NumberProperty::StrokeSide(side);
                let field = NumberField::new(property.label(), subject.number(property));
                property_ui(ui, fields, subject, property, field.mark(mark), width);
            }
        });
    }
}

/// Lengths of dashes and gaps in turn, with commas between.
fn dashes_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>, width: f32) {
    const NAME: &str = "Dashes";
    let dashes = of_stroke(subject, |node| node.stroke.dashes.clone());
    let shown = match &dashes {
        Common::Nothing => return,
        Common::Mixed => "Mixed".to_owned(),
        Common::Same(dashes) if dashes.is_empty() => "Solid".to_owned(),
        Common::Same(dashes) => {
            dashes.iter().map(|dash| number_text(*dash)).collect::<Vec<_>>().join(", ")
        }
    };
    let (_, rect) = ui.allocate_space(vec2(width, FIELD));
    let id = Id::unique("assist_dashes");
    let theme = tokens(ui);
    let outline = fields.typing.outline(ui, id);
    ui.painter().rect(rect, size::RADIUS, theme.raised, outline, StrokeKind::Inside);
    let left = egui::Align2::LEFT_CENTER;
    let at = rect.left_center() + vec2(8.0, 0.0);
    paint_text(ui.painter(), at, left, "Dash", (Type::Body, theme.dim), width);
    let room = text_width(ui, "Dash", Type::Body) + 14.0;
    let words = rect.with_min_x(rect.left() + room).with_max_x(rect.right() - 4.0);
    let style = (Type::Body, theme.text);
    let spot = TextSpot { id, rect: words, name: NAME, shown: &shown, nodes: subject.ids, style };
    let (response, done) = fields.typing.show(ui, spot);
    let tooltip = "Lengths of dashes and gaps, such as 4, 2; 0 for a solid line.";
    response.on_hover_text(fields.typing.why_wrong(id).unwrap_or(tooltip));
    let Some(done) = done.filter(|done| done.nodes == subject.ids) else { return };
    match parse_dashes(&done.text) {
        Some(dashes) => subject.set(Setting::Dashes(dashes)),
        None => fields.typing.refuse(id, "type lengths such as 4, 2"),
    }
}

/// Lengths with commas or spaces between; `None` of anything else. Nothing, a zero and the word are a solid line.
fn parse_dashes(text: &str) -> Option<Vec<f64>> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("solid") {
        return Some(Vec::new());
    }
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let dashes: Vec<f64> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    if !dashes.iter().all(|dash| dash.is_finite() && *dash >= 0.0) {
        return None;
    }
    Some(if dashes.iter().all(|dash| *dash == 0.0) { Vec::new() } else { dashes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_lengths_and_nothing_else() {
        assert_eq!(parse_dashes("4, 2"), Some(vec![4.0, 2.0]));
        assert_eq!(parse_dashes("4 2 1.5"), Some(vec![4.0, 2.0, 1.5]));
        for solid in ["", "0", "Solid", "0, 0"] {
            assert_eq!(parse_dashes(solid), Some(Vec::new()), "{solid}");
        }
        for bad in ["-1", "a", "4, x", "inf", "NaN"] {
            assert_eq!(parse_dashes(bad), None, "{bad}");
        }
    }
}

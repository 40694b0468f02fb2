//! What only some kinds of shape have, in and out.

use serde_json::json;

use super::value::{
    ANY, Names, Notes, Object, UNIT, json_number, name_of, named, number, present, put,
};
use crate::design::node::{Node, NodeKind};
use crate::design::shape::{BooleanOp, EllipseArc};

const BOOLEAN_OPS: &Names<BooleanOp> = &[
    ("UNION", BooleanOp::Union),
    ("INTERSECT", BooleanOp::Intersect),
    ("SUBTRACT", BooleanOp::Subtract),
    ("EXCLUDE", BooleanOp::Exclude),
];

/// How many corners or tips a shape may have.
const CORNERS: (f64, f64) = (3.0, 360.0);

/// Whether the kind has fields of its own here.
pub(super) fn has_shape(kind: &NodeKind) -> bool {
    use NodeKind::{BooleanOperation, Ellipse, RegularPolygon, Star};
    matches!(kind, Ellipse(_) | RegularPolygon { .. } | Star { .. } | BooleanOperation(_))
}

/// The kind with what the object says of its shape. REST has no field for the corners of polygons
/// and stars, only their outlines; `pointCount`, `innerRadius` are the plugin API's names.
pub(super) fn read_shape(kind: NodeKind, object: &Object, notes: &mut Notes) -> NodeKind {
    match kind {
        NodeKind::Ellipse(_) => NodeKind::Ellipse(read_arc(object, notes)),
        NodeKind::RegularPolygon { corners: default } => {
            NodeKind::RegularPolygon { corners: read_count(object, default, notes) }
        }
        NodeKind::Star { tips, inner_ratio } => {
            let tips = read_count(object, tips, notes);
            // Files have it by either name.
            let old = number(object, "starInnerRadius", UNIT, notes);
            let ratio = old.or_else(|| number(object, "innerRadius", UNIT, notes));
            NodeKind::Star { tips, inner_ratio: ratio.unwrap_or(inner_ratio) }
        }
        NodeKind::BooleanOperation(default) => NodeKind::BooleanOperation(named(
            object,
            "booleanOperation",
            BOOLEAN_OPS,
            default,
            notes,
        )),
        other => other,
    }
}

fn read_count(object: &Object, default: u32, notes: &mut Notes) -> u32 {
    number(object, "pointCount", CORNERS, notes).map_or(default, |count| count as u32)
}

fn read_arc(object: &Object, notes: &mut Notes) -> EllipseArc {
    // The API leaves the field out for a whole ellipse.
    let whole = EllipseArc::WHOLE;
    let Some(arc) = present(object, "arcData").and_then(|arc| arc.as_object()) else {
        return whole;
    };
    EllipseArc {
        start: number(arc, "startingAngle", ANY, notes).unwrap_or(whole.start),
        end: number(arc, "endingAngle", ANY, notes).unwrap_or(whole.end),
        inner_ratio: number(arc, "innerRadius", UNIT, notes).unwrap_or(whole.inner_ratio),
    }
}

/// Writes the shape, and takes out the outline that was written for another.
pub(super) fn write_shape(node: &Node, was: Option<&Node>, object: &mut Object) {
    match node.kind {
        NodeKind::Ellipse(arc) => {
            let arc = json!({
                "startingAngle": json_number(arc.start),
                "endingAngle": json_number(arc.end),
                "innerRadius": json_number(arc.inner_ratio),
            });
            put(object, "arcData", arc);
        }
        // Written for this program and for the plugin: REST's own reader passes it over.
        NodeKind::RegularPolygon { corners } => put(object, "pointCount", corners),
        NodeKind::Star { tips, inner_ratio } => {
            put(object, "pointCount", tips);
            object.shift_remove("starInnerRadius");
            put(object, "innerRadius", json_number(inner_ratio));
        }
        NodeKind::BooleanOperation(op) => {
            put(object, "booleanOperation", name_of(BOOLEAN_OPS, &op));
        }
        _ => {}
    }
    // Of a node made here there is no outline to be wrong.
    if was.is_some_and(|was| was.kind != node.kind) {
        object.shift_remove("fillGeometry");
        object.shift_remove("strokeGeometry");
    }
}

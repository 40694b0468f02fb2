//! What is still to be done, as calls of the canvas's tools.

use serde_json::{Value, json};

use crate::base::Rgba;
use crate::design::diff::{Change, Diff, StyleField};
use crate::design::{Document, Node, NodeId};

/// A field that a participant changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Where the node is.
    Place,
    /// How large it is.
    Size,
    /// What it says.
    Words,
    /// Its one solid fill.
    Fill,
    /// Its opacity.
    Opacity,
    /// The rounding of its corners.
    Corners,
}

impl Field {
    /// Every one.
    pub const ALL: [Self; 6] =
        [Self::Place, Self::Size, Self::Words, Self::Fill, Self::Opacity, Self::Corners];

    /// Its name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Size => "size",
            Self::Words => "words",
            Self::Fill => "fill",
            Self::Opacity => "opacity",
            Self::Corners => "corners",
        }
    }
}

/// A value to be put into a field of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct HealingStep {
    /// Which node.
    pub node: NodeId,
    /// Which field.
    pub field: Field,
    /// What stands there.
    pub from: Value,
    /// What should.
    pub to: Value,
}

impl HealingStep {
    /// The tool that does it, and its arguments.
    pub fn call(&self) -> (&'static str, Value) {
        let id = self.node.as_str();
        let to = &self.to;
        match self.field {
            Field::Place => ("move_node", json!({"nodeId": id, "x": to["x"], "y": to["y"]})),
            Field::Size => {
                let (width, height) = (&to["width"], &to["height"]);
                ("resize_node", json!({"nodeId": id, "width": width, "height": height}))
            }
            Field::Words => ("set_text_content", json!({"changes": [{"nodeId": id, "text": to}]})),
            Field::Fill => {
                let [r, g, b, a] = ["r", "g", "b", "a"].map(|channel| &to[channel]);
                ("set_fill_color", json!({"nodeId": id, "r": r, "g": g, "b": b, "a": a}))
            }
            Field::Opacity => ("set_opacity", json!({"nodeId": id, "opacity": to})),
            Field::Corners => ("set_corner_radius", json!({"nodeId": id, "radius": to})),
        }
    }
}

/// What stands in a field of a node; `None` where the node has not this one field, or several values in it.
pub(super) fn value_of(document: &Document, node: &Node, field: Field) -> Option<Value> {
    match field {
        Field::Place => {
            // On the page, as the tool counts places.
            let corner = document.absolute_box(&node.id).ok()?.origin();
            Some(json!({"x": corner.x, "y": corner.y}))
        }
        Field::Size => {
            let size = node.size;
            Some(json!({"width": size.width, "height": size.height}))
        }
        Field::Words => Some(json!(node.text()?.characters)),
        Field::Fill => fill_of(node).map(color_json),
        Field::Opacity => Some(json!(node.opacity)),
        Field::Corners => node.corner_radii.as_uniform().map(|radius| json!(radius)),
    }
}

/// The colour of a node whose fill is one solid paint in sight.
pub(super) fn fill_of(node: &Node) -> Option<Rgba> {
    let [paint] = node.fills.as_slice() else { return None };
    paint.solid_color().filter(|_| paint.visible)
}

/// A colour as the tools take it.
pub(super) fn color_json(color: Rgba) -> Value {
    json!({"r": color.r, "g": color.g, "b": color.b, "a": color.a})
}

/// The steps that make one document of another, both of the same nodes by id: parents first, as the places of what is
/// in them depend on them. What no single field says (a node that is missing, a stroke) is no step.
pub fn healing_steps(now: &Document, truth: &Document, difference: &Diff) -> Vec<HealingStep> {
    let mut steps = Vec::new();
    for node in &difference.nodes {
        let (Some(before), Some(after)) = (&node.before, &node.after) else { continue };
        let (Some(is), Some(should)) = (now.get(before), truth.get(after)) else { continue };
        for change in &node.changes {
            for field in fields_of(change) {
                let (Some(from), Some(to)) =
                    (value_of(now, is, field), target(now, is, truth, should, field, change))
                else {
                    continue;
                };
                steps.push(HealingStep { node: before.clone(), field, from, to });
            }
        }
    }
    steps
}

/// The fields that a change is in.
fn fields_of(change: &Change) -> Vec<Field> {
    match change {
        Change::Moved { .. } => vec![Field::Place],
        Change::Resized { .. } => vec![Field::Size],
        Change::Rewritten { .. } => vec![Field::Words],
        Change::Restyled { fields } => {
            let known = fields.iter().filter_map(|field| match field {
                // Only what a script can set; of the rest there is nothing that could be put back.
                StyleField::Fills => Some(Field::Fill),
                StyleField::Opacity => Some(Field::Opacity),
                StyleField::Corners => Some(Field::Corners),
                _ => None,
            });
            known.collect()
        }
        Change::Added
        | Change::Removed
        | Change::Retyped { .. }
        | Change::Renamed { .. }
        | Change::Reparented { .. }
        | Change::Reordered { .. }
        | Change::Turned { .. } => Vec::new(),
    }
}

fn target(
    now: &Document,
    is: &Node,
    truth: &Document,
    should: &Node,
    field: Field,
    change: &Change,
) -> Option<Value> {
    // Places are compared within the parent, which may itself not be where it should be yet.
    if let (Field::Place, Change::Moved { from, to }) = (field, change) {
        let corner = now.absolute_box(&is.id).ok()?.origin();
        return Some(json!({"x": corner.x + to.x - from.x, "y": corner.y + to.y - from.y}));
    }
    value_of(truth, should, field)
}

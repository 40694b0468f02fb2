//! The table of fields: how each is read, compared and written.

use serde_json::Value;

use crate::base::Rgba;

use super::effect::{read_effects, write_effects};
use super::export_settings::{read_export_settings, write_export_settings};
use super::kind;
use super::layout::{read_auto_layout, read_item, write_auto_layout, write_item};
use super::paint::{
    BLEND_MODES, STROKE_ALIGNS, STROKE_CAPS, STROKE_JOINS, read_paints, write_paints,
};
use super::text::{read_text, write_characters, write_lists, write_overrides, write_style};
use super::value::{
    EXTENT, Names, Notes, Object, UNIT, boolean, extent, json_color, json_number, list, name_of,
    named, number, present, put, put_numbers, put_unless, string,
};
use crate::design::node::{Constraints, MaskType, Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::paint::{Paint, Stroke, StrokeAlign, StrokeCap, StrokeJoin};
use crate::design::shape::{AnchorKind, CornerRadii, FigmaPath, PathGeometry, Sides, WindingRule};

const MASK_TYPES: &Names<MaskType> =
    &[("ALPHA", MaskType::Alpha), ("VECTOR", MaskType::Vector), ("LUMINANCE", MaskType::Luminance)];

const WINDING_RULES: &Names<WindingRule> =
    &[("NONZERO", WindingRule::NonZero), ("EVENODD", WindingRule::EvenOdd)];

/// As `handleMirroring` of Figma's plugins has it.
const ANCHOR_KINDS: &Names<AnchorKind> = &[
    ("NONE", AnchorKind::Corner),
    ("ANGLE", AnchorKind::Smooth),
    ("ANGLE_AND_LENGTH", AnchorKind::Symmetric),
];

/// A field, or a few that only make sense together.
pub(super) struct FigmaField {
    /// Whether nodes of this kind have it.
    pub(super) applies: fn(&NodeKind) -> bool,
    /// Whether it means the same in two nodes.
    pub(super) same: fn(&Node, &Node) -> bool,
    /// Writes it over what is there. Second is the node as its source reads; `None` if it was made
    /// here, which writes all that is not optional.
    pub(super) write: fn(&Node, Option<&Node>, &mut Object),
}

/// Fields that come before the children and the box.
pub(super) const HEAD: &[FigmaField] = &[
    FigmaField {
        applies: |_| true,
        same: |a, b| a.name == b.name,
        write: |node, _, object| put(object, "name", node.name.as_str()),
    },
    FigmaField {
        applies: |_| true,
        same: |a, b| a.kind.type_name() == b.kind.type_name(),
        write: |node, _, object| put(object, "type", node.kind.type_name()),
    },
    FigmaField {
        applies: |_| true,
        same: |a, b| a.visible == b.visible,
        write: |node, _, object| put_unless(object, "visible", node.visible, node.visible),
    },
    FigmaField {
        applies: |_| true,
        same: |a, b| a.locked == b.locked,
        write: |node, _, object| put_unless(object, "locked", !node.locked, node.locked),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.opacity == b.opacity,
        write: |node, _, object| {
            put_unless(object, "opacity", node.opacity == 1.0, json_number(node.opacity));
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.blend_mode == b.blend_mode,
        write: |node, _, object| put(object, "blendMode", name_of(BLEND_MODES, &node.blend_mode)),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.is_mask == b.is_mask,
        write: |node, _, object| put_unless(object, "isMask", !node.is_mask, node.is_mask),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.mask_type == b.mask_type && a.is_mask == b.is_mask,
        write: |node, _, object| {
            let says_nothing = !node.is_mask && node.mask_type == MaskType::Alpha;
            put_unless(object, "maskType", says_nothing, name_of(MASK_TYPES, &node.mask_type));
        },
    },
];

/// What the API always gives and this program has no use for, of nodes made here.
const GIVEN: FigmaField = FigmaField {
    applies: is_layer,
    same: |_, _| true,
    write: |node, _, object| {
        put(object, "scrollBehavior", "SCROLLS");
        if node.kind == NodeKind::Section {
            put(object, "sectionContentsHidden", false);
        }
    },
};

/// Fields that come after the children and the box.
pub(super) const BODY: &[FigmaField] = &[
    GIVEN,
    FigmaField {
        applies: is_layer,
        same: |a, b| a.constraints == b.constraints,
        write: |node, _, object| write_constraints(&node.constraints, object),
    },
    FigmaField {
        applies: can_clip,
        same: |a, b| a.clips_content == b.clips_content,
        write: |node, _, object| put(object, "clipsContent", node.clips_content),
    },
    FigmaField { applies: is_layer, same: |a, b| a.fills == b.fills, write: write_fills },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.paints == b.stroke.paints,
        write: |node, _, object| write_paints(&node.stroke.paints, object, "strokes"),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.weight == b.stroke.weight,
        write: |node, _, object| put(object, "strokeWeight", json_number(node.stroke.weight)),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.sides == b.stroke.sides,
        write: |node, _, object| write_sides(node.stroke.sides, object),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.miter_angle == b.stroke.miter_angle,
        write: |node, _, object| {
            let angle = node.stroke.miter_angle;
            let is_default = angle == Stroke::MITER_ANGLE;
            put_unless(object, "strokeMiterAngle", is_default, json_number(angle));
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.align == b.stroke.align,
        write: |node, _, object| {
            put(object, "strokeAlign", name_of(STROKE_ALIGNS, &node.stroke.align));
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.cap == b.stroke.cap,
        write: |node, _, object| {
            let cap = node.stroke.cap;
            put_unless(object, "strokeCap", cap == StrokeCap::None, name_of(STROKE_CAPS, &cap));
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.join == b.stroke.join,
        write: |node, _, object| {
            let join = node.stroke.join;
            let name = name_of(STROKE_JOINS, &join);
            put_unless(object, "strokeJoin", join == StrokeJoin::Miter, name);
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.stroke.dashes == b.stroke.dashes,
        write: |node, _, object| {
            let dashes: Vec<_> = node.stroke.dashes.iter().copied().map(json_number).collect();
            put_unless(object, "strokeDashes", dashes.is_empty(), dashes);
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.corner_radii == b.corner_radii,
        write: |node, _, object| write_radii(node.corner_radii, object),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.corner_smoothing == b.corner_smoothing,
        write: |node, _, object| {
            let smoothing = node.corner_smoothing;
            put_unless(object, "cornerSmoothing", smoothing == 0.0, json_number(smoothing));
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.auto_layout == b.auto_layout,
        write: write_auto_layout,
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.layout_item == b.layout_item,
        write: write_item,
    },
    FigmaField {
        applies: kind::has_shape,
        same: |a, b| a.kind == b.kind,
        write: kind::write_shape,
    },
    FigmaField {
        applies: |kind| matches!(kind, NodeKind::Vector(_)),
        same: |a, b| geometry(a) == geometry(b),
        write: |node, _, object| write_geometry(node, object),
    },
    FigmaField {
        applies: |kind| matches!(kind, NodeKind::Text(_)),
        same: |a, b| a.text().map(|t| &t.characters) == b.text().map(|t| &t.characters),
        write: |node, _, object| {
            write_characters(node.text().map_or("", |text| &text.characters), object);
        },
    },
    FigmaField {
        applies: |kind| matches!(kind, NodeKind::Text(_)),
        same: |a, b| {
            a.text().map(|text| (&text.line_types, &text.line_indents))
                == b.text().map(|text| (&text.line_types, &text.line_indents))
        },
        write: |node, _, object| {
            if let Some(text) = node.text() {
                write_lists(text, object);
            }
        },
    },
    FigmaField {
        applies: |kind| matches!(kind, NodeKind::Text(_)),
        same: |a, b| a.text().map(|t| &t.style) == b.text().map(|t| &t.style),
        write: |node, was, object| {
            if let Some(text) = node.text() {
                let was = was.and_then(Node::text).map(|text| &text.style);
                write_style(&text.style, was, object);
            }
        },
    },
    FigmaField {
        applies: |kind| matches!(kind, NodeKind::Text(_)),
        same: |a, b| {
            a.text().map(|text| (&text.override_ids, &text.overrides))
                == b.text().map(|text| (&text.override_ids, &text.overrides))
        },
        write: |node, _, object| {
            if let Some(text) = node.text() {
                write_overrides(text, object);
            }
        },
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.effects == b.effects,
        write: |node, _, object| write_effects(&node.effects, object),
    },
    FigmaField {
        applies: is_layer,
        same: |a, b| a.export_settings == b.export_settings,
        write: write_export_settings,
    },
];

fn is_layer(kind: &NodeKind) -> bool {
    !kind.is_file_or_page()
}

fn can_clip(kind: &NodeKind) -> bool {
    use NodeKind::{Component, ComponentSet, Frame, Group, Instance};
    matches!(kind, Frame | Group | Component | ComponentSet | Instance)
}

/// The node its source describes: without place, parent, children and origin.
pub(super) fn read_node(id: NodeId, object: &Object, notes: &mut Notes) -> Node {
    let name = string(object, "name", notes).unwrap_or_default();
    // The kind first, as what follows is read the same for all of them.
    let default = Node::new(id, name, read_kind(object, notes));
    Node {
        visible: boolean(object, "visible", true, notes),
        locked: boolean(object, "locked", false, notes),
        opacity: number(object, "opacity", UNIT, notes).unwrap_or(1.0),
        blend_mode: named(object, "blendMode", BLEND_MODES, default.blend_mode, notes),
        is_mask: boolean(object, "isMask", false, notes),
        mask_type: read_mask_type(object, notes),
        fills: read_paints(object, "fills", notes),
        stroke: read_stroke(object, notes),
        effects: read_effects(object, notes),
        corner_radii: read_radii(object, notes),
        corner_smoothing: number(object, "cornerSmoothing", UNIT, notes).unwrap_or(0.0),
        clips_content: boolean(object, "clipsContent", false, notes),
        constraints: read_constraints(object, notes),
        auto_layout: read_auto_layout(object, notes),
        layout_item: read_item(object, notes),
        export_settings: read_export_settings(object, notes),
        ..default
    }
}

/// Before `maskType` there was `isMaskOutline`.
fn read_mask_type(object: &Object, notes: &mut Notes) -> MaskType {
    let is_outline = boolean(object, "isMaskOutline", false, notes);
    let default = if is_outline { MaskType::Vector } else { MaskType::Alpha };
    named(object, "maskType", MASK_TYPES, default, notes)
}

fn read_kind(object: &Object, notes: &mut Notes) -> NodeKind {
    match NodeKind::from_type_name(string(object, "type", notes).unwrap_or_default()) {
        NodeKind::Vector(_) => NodeKind::Vector(read_geometry(object, notes)),
        NodeKind::Text(_) => NodeKind::Text(Box::new(read_text(object, notes))),
        NodeKind::Other(name) => {
            // The file's own node has no kind of its own here, and is nothing odd.
            if name != "DOCUMENT" {
                notes.add(format_args!("has the unknown type {name:?}"));
            }
            NodeKind::Other(name)
        }
        kind => kind::read_shape(kind, object, notes),
    }
}

fn read_stroke(object: &Object, notes: &mut Notes) -> Stroke {
    let dashes = list(object, "strokeDashes", notes);
    Stroke {
        paints: read_paints(object, "strokes", notes),
        weight: number(object, "strokeWeight", EXTENT, notes).unwrap_or(1.0),
        sides: read_sides(object, notes),
        align: named(object, "strokeAlign", STROKE_ALIGNS, StrokeAlign::Inside, notes),
        cap: named(object, "strokeCap", STROKE_CAPS, StrokeCap::None, notes),
        join: named(object, "strokeJoin", STROKE_JOINS, StrokeJoin::Miter, notes),
        miter_angle: number(object, "strokeMiterAngle", (0.0, 180.0), notes)
            .unwrap_or(Stroke::MITER_ANGLE),
        dashes: dashes.iter().filter_map(extent).collect(),
    }
}

fn read_sides(object: &Object, notes: &mut Notes) -> Option<Sides> {
    let given = present(object, "individualStrokeWeights")?.as_object()?;
    // A side that is not given has the weight of all.
    let weight = number(object, "strokeWeight", EXTENT, notes).unwrap_or(1.0);
    let [top, right, bottom, left] = ["top", "right", "bottom", "left"]
        .map(|key| number(given, key, EXTENT, notes).unwrap_or(weight));
    Some(Sides { top, right, bottom, left })
}

fn write_sides(sides: Option<Sides>, object: &mut Object) {
    let Some(sides) = sides else {
        object.shift_remove("individualStrokeWeights");
        return;
    };
    let numbers = [
        ("top", sides.top),
        ("right", sides.right),
        ("bottom", sides.bottom),
        ("left", sides.left),
    ];
    put_numbers(object, "individualStrokeWeights", &numbers);
}

/// `rectangleCornerRadii` where present, else `cornerRadius` at every corner.
fn read_radii(object: &Object, notes: &mut Notes) -> CornerRadii {
    let four = present(object, "rectangleCornerRadii").and_then(|value| {
        Some(CornerRadii {
            top_left: extent(value.get(0)?)?,
            top_right: extent(value.get(1)?)?,
            bottom_right: extent(value.get(2)?)?,
            bottom_left: extent(value.get(3)?)?,
        })
    });
    // Present and wrong is noted; absent is the usual case.
    if four.is_none() && present(object, "rectangleCornerRadii").is_some() {
        notes.add("rectangleCornerRadii is not a list of four numbers of at least 0");
    }
    let uniform = number(object, "cornerRadius", EXTENT, notes).unwrap_or(0.0);
    four.unwrap_or(CornerRadii::uniform(uniform))
}

fn write_radii(radii: CornerRadii, object: &mut Object) {
    let uniform = radii.as_uniform();
    let four = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
    let four = four.map(json_number).to_vec();
    // The API writes one of the two; a file that has both keeps both.
    let both = object.contains_key("rectangleCornerRadii") && object.contains_key("cornerRadius");
    let no_one = uniform.is_none_or(|radius| radius == 0.0);
    put_unless(object, "cornerRadius", no_one, uniform.map(json_number));
    let no_four = uniform.is_some() && (no_one || !both);
    put_unless(object, "rectangleCornerRadii", no_four, four);
}

fn read_constraints(object: &Object, notes: &mut Notes) -> Constraints {
    let default = Constraints::default();
    let Some(object) = present(object, "constraints").and_then(Value::as_object) else {
        return default;
    };
    let [horizontal, vertical] =
        [("horizontal", default.horizontal), ("vertical", default.vertical)]
            .map(|(key, default)| string(object, key, notes).map_or(default, str::to_owned));
    Constraints { horizontal, vertical }
}

fn write_constraints(constraints: &Constraints, object: &mut Object) {
    let there = object.get("constraints").and_then(Value::as_object).cloned();
    let mut inner = there.unwrap_or_default();
    // In Figma's order of keys.
    put(&mut inner, "vertical", constraints.vertical.as_str());
    put(&mut inner, "horizontal", constraints.horizontal.as_str());
    put(object, "constraints", inner);
}

/// The deprecated names for the fills of a frame follow where they are present.
fn write_fills(node: &Node, _: Option<&Node>, object: &mut Object) {
    write_paints(&node.fills, object, "fills");
    // Readers older than `fills` look at these.
    if object.contains_key("background") {
        write_paints(&node.fills, object, "background");
    }
    if object.contains_key("backgroundColor") {
        let solid = node.fills.iter().find(|paint| paint.visible).and_then(Paint::solid_color);
        put(object, "backgroundColor", json_color(solid.unwrap_or(Rgba::TRANSPARENT)));
    }
}

fn geometry(node: &Node) -> Option<&PathGeometry> {
    match &node.kind {
        NodeKind::Vector(geometry) => Some(geometry),
        _ => None,
    }
}

fn read_geometry(object: &Object, notes: &mut Notes) -> PathGeometry {
    PathGeometry {
        fill: read_paths(object, "fillGeometry", notes),
        stroke: read_paths(object, "strokeGeometry", notes),
    }
}

fn read_paths(object: &Object, key: &str, notes: &mut Notes) -> Vec<FigmaPath> {
    // Read one after the other, as each may leave a note.
    let paths = list(object, key, notes).iter().filter_map(Value::as_object);
    let paths = paths.map(|path| FigmaPath {
        data: string(path, "path", notes).unwrap_or_default().to_owned(),
        winding: named(path, "windingRule", WINDING_RULES, WindingRule::NonZero, notes),
        anchor_kinds: read_anchor_kinds(path, notes),
    });
    paths.collect()
}

/// All of them, or none if one is not known: each is told by its place.
fn read_anchor_kinds(path: &Object, notes: &mut Notes) -> Vec<AnchorKind> {
    let said = list(path, "handleMirroring", notes);
    let kinds = said.iter().map(|said| {
        let known = ANCHOR_KINDS.iter().find(|(name, _)| said.as_str() == Some(*name));
        known.map(|(_, kind)| *kind)
    });
    let kinds: Option<Vec<AnchorKind>> = kinds.collect();
    if kinds.is_none() {
        notes.add(format_args!("handleMirroring has an unknown value"));
    }
    kinds.unwrap_or_default()
}

fn write_geometry(node: &Node, object: &mut Object) {
    let Some(geometry) = geometry(node) else { return };
    for (key, paths) in [("fillGeometry", &geometry.fill), ("strokeGeometry", &geometry.stroke)] {
        let paths = paths.iter().map(|path| {
            let winding = name_of(WINDING_RULES, &path.winding);
            let mut json = serde_json::json!({ "path": path.data, "windingRule": winding });
            // What follows from the path is not said again.
            if !path.anchor_kinds.is_empty() {
                let kinds = path.anchor_kinds.iter().map(|kind| name_of(ANCHOR_KINDS, kind));
                json["handleMirroring"] = kinds.collect();
            }
            json
        });
        put(object, key, paths.collect::<Vec<_>>());
    }
}

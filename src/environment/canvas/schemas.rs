//! The schema of each tool's arguments, as the published server lists them.

use crate::environment::schema::build::{
    Property, Schema, array, boolean, integer, number, object, one_of, optional, required, string,
};

const HORIZONTAL_ALIGN: &[&str] = &["LEFT", "CENTER", "RIGHT", "JUSTIFIED"];
const VERTICAL_ALIGN: &[&str] = &["TOP", "CENTER", "BOTTOM"];
const SIZING: &[&str] = &["FIXED", "HUG", "FILL"];
const MODES: &[&str] = &["NONE", "HORIZONTAL", "VERTICAL"];
// As Figma's plugin API lists them; the renderer draws all of them.
const BLEND_MODES: &[&str] = &[
    "PASS_THROUGH",
    "NORMAL",
    "DARKEN",
    "MULTIPLY",
    "LINEAR_BURN",
    "COLOR_BURN",
    "LIGHTEN",
    "SCREEN",
    "LINEAR_DODGE",
    "COLOR_DODGE",
    "OVERLAY",
    "SOFT_LIGHT",
    "HARD_LIGHT",
    "DIFFERENCE",
    "EXCLUSION",
    "HUE",
    "SATURATION",
    "COLOR",
    "LUMINOSITY",
];

fn channel() -> Schema {
    number().min(0.0).max(1.0)
}

fn non_negative() -> Schema {
    number().min(0.0)
}

fn rgba() -> [Property; 4] {
    [
        required("r", channel()),
        required("g", channel()),
        required("b", channel()),
        optional("a", channel()),
    ]
}

fn color() -> Schema {
    object(rgba())
}

fn ids() -> Schema {
    array(string())
}

// The published schema has no least size: what Figma refuses is refused by the tools.
fn corner_and_size() -> [Property; 4] {
    ["x", "y", "width", "height"].map(|name| required(name, number()))
}

fn fill_and_stroke() -> [Property; 3] {
    [
        optional("fillColor", color()),
        optional("strokeColor", color()),
        optional("strokeWeight", non_negative()),
    ]
}

fn named_in_parent() -> [Property; 2] {
    [required("name", string()), optional("parentId", string())]
}

pub(super) fn nothing() -> Schema {
    object([])
}

pub(super) fn select_channel() -> Schema {
    object([required("channel", string())])
}

pub(super) fn node_ids() -> Schema {
    object([required("nodeIds", ids())])
}

pub(super) fn get_result_image() -> Schema {
    object([optional("pageId", string()), optional("scale", number().min(0.1))])
}

pub(super) fn import_json() -> Schema {
    object([required("jsonString", string())])
}

pub(super) fn create_rectangle() -> Schema {
    // Arguments stand in the published order: models are shown them so.
    let own = [optional("cornerRadius", non_negative())];
    object(
        corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke()).chain(own),
    )
}

pub(super) fn create_ellipse() -> Schema {
    object(corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke()))
}

pub(super) fn create_frame() -> Schema {
    let mode = [
        optional("layoutMode", one_of(MODES)),
        optional("layoutWrap", one_of(&["NO_WRAP", "WRAP"])),
    ];
    // Auto layout comes along with the frame, so that one call makes a row of cards.
    let box_and_paint =
        corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke());
    let layout = mode.into_iter().chain(paddings()).chain(alignments()).chain(sizings());
    object(box_and_paint.chain(layout).chain([optional("itemSpacing", number())]))
}

pub(super) fn create_polygon() -> Schema {
    let count = [required("pointCount", integer().min(3.0))];
    let own = count.into_iter().chain(named_in_parent()).chain(fill_and_stroke());
    object(corner_and_size().into_iter().chain(own))
}

pub(super) fn create_star() -> Schema {
    let own = [
        optional("name", string()),
        // Figma's own limits of a star; a polygon has none in the published schema.
        required("pointCount", integer().min(3.0).max(60.0)),
        optional("innerRadius", number().min(0.0).max(100.0)),
        optional("parentId", string()),
    ];
    object(corner_and_size().into_iter().chain(own).chain(fill_and_stroke()))
}

pub(super) fn create_mask() -> Schema {
    object([
        required("maskNodeId", string()),
        required("contentNodeIds", ids().min_items(1)),
        optional("groupName", string()),
    ])
}

fn paddings() -> [Property; 4] {
    let sides = ["paddingTop", "paddingRight", "paddingBottom", "paddingLeft"];
    sides.map(|name| optional(name, number()))
}

fn alignments() -> [Property; 2] {
    [
        optional("primaryAxisAlignItems", one_of(&["MIN", "MAX", "CENTER", "SPACE_BETWEEN"])),
        optional("counterAxisAlignItems", one_of(&["MIN", "MAX", "CENTER", "BASELINE"])),
    ]
}

fn sizings() -> [Property; 2] {
    ["layoutSizingHorizontal", "layoutSizingVertical"].map(|name| optional(name, one_of(SIZING)))
}

/// An object that begins with the id of the node it is about.
fn of_node(properties: impl IntoIterator<Item = Property>) -> Schema {
    object([required("nodeId", string())].into_iter().chain(properties))
}

pub(super) fn set_padding() -> Schema {
    of_node(paddings())
}

pub(super) fn set_axis_align() -> Schema {
    of_node(alignments())
}

pub(super) fn set_layout_sizing() -> Schema {
    of_node(sizings())
}

pub(super) fn set_item_spacing() -> Schema {
    of_node([required("itemSpacing", number())])
}

pub(super) fn set_layout_mode() -> Schema {
    of_node([
        required("layoutMode", one_of(MODES)),
        optional("layoutWrap", one_of(&["NO_WRAP", "WRAP"])),
    ])
}

pub(super) fn rotate_node() -> Schema {
    of_node([required("angle", number().min(0.0).max(360.0))])
}

pub(super) fn boolean_nodes() -> Schema {
    let operations = one_of(&["UNION", "SUBTRACT", "INTERSECT", "EXCLUDE"]);
    object([required("nodeIds", ids().min_items(2)), required("operation", operations)])
}

pub(super) fn set_shadow() -> Schema {
    of_node([
        required("shadowColor", color()),
        required("offsetX", number()),
        required("offsetY", number()),
        required("radius", non_negative()),
        optional("spread", non_negative()),
    ])
}

pub(super) fn copy_style() -> Schema {
    let properties = ["fills", "strokes", "effects", "cornerRadius", "opacity"];
    object([
        required("sourceNodeId", string()),
        required("targetNodeId", string()),
        optional("properties", array(one_of(&properties))),
    ])
}

pub(super) fn set_blend_mode() -> Schema {
    of_node([required("blendMode", one_of(BLEND_MODES))])
}

pub(super) fn get_node_info_by_types() -> Schema {
    of_node([required("types", array(string()))])
}

pub(super) fn node_id() -> Schema {
    of_node([])
}

pub(super) fn set_text_decoration() -> Schema {
    let cases = ["ORIGINAL", "UPPER", "LOWER", "TITLE", "SMALL_CAPS", "SMALL_CAPS_FORCED"];
    of_node([
        optional("textDecoration", one_of(&["NONE", "UNDERLINE", "STRIKETHROUGH"])),
        optional("textCase", one_of(&cases)),
    ])
}

pub(super) fn create_text() -> Schema {
    object([
        required("x", number()),
        required("y", number()),
        required("text", string()),
        required("name", string()),
        required("width", number()),
        required("height", number()),
        optional("fontSize", number()),
        optional("fontWeight", number().min(100.0).max(900.0)),
        optional("fontColor", color()),
        optional("textAlignHorizontal", one_of(HORIZONTAL_ALIGN)),
        optional("textAlignVertical", one_of(VERTICAL_ALIGN)),
        optional("parentId", string()),
    ])
}

pub(super) fn create_graphic() -> Schema {
    object([
        required("svg", string()),
        required("name", string()),
        required("x", number()),
        required("y", number()),
        optional("parentId", string()),
    ])
}

pub(super) fn create_line() -> Schema {
    let ends = ["startX", "startY", "endX", "endY"].map(|name| required(name, number()));
    let own = [
        optional("strokeColor", color()),
        optional("strokeWeight", non_negative()),
        optional("strokeCap", one_of(&["NONE", "ROUND", "SQUARE"])),
        // One dash and one gap: the published tool knows no longer patterns.
        optional("dashPattern", array(non_negative()).min_items(2).max_items(2)),
    ];
    object(ends.into_iter().chain(named_in_parent()).chain(own))
}

pub(super) fn move_node() -> Schema {
    object([
        required("nodeId", string()),
        required("x", number()),
        required("y", number()),
        optional("parentId", string()),
    ])
}

pub(super) fn clone_node() -> Schema {
    object([
        required("nodeId", string()),
        optional("parentId", string()),
        optional("x", number()),
        optional("y", number()),
    ])
}

pub(super) fn resize_node() -> Schema {
    object([
        required("nodeId", string()),
        // Unlike new nodes, which may be smaller: so the published schema has it.
        required("width", number().min(1.0)),
        required("height", number().min(1.0)),
    ])
}

pub(super) fn group_nodes() -> Schema {
    object([required("nodeIds", ids().min_items(2)), optional("groupName", string())])
}

pub(super) fn ungroup_nodes() -> Schema {
    object([required("groupId", string())])
}

pub(super) fn rename_node() -> Schema {
    object([required("nodeId", string()), required("newName", string())])
}

pub(super) fn reorder_node() -> Schema {
    let directions = one_of(&["TOP", "BOTTOM", "FORWARD", "BACKWARD"]);
    object([required("nodeId", string()), required("direction", directions)])
}

pub(super) fn set_fill_color() -> Schema {
    // The colour's channels stand beside the id, not in an object of their own.
    object([required("nodeId", string())].into_iter().chain(rgba()))
}

pub(super) fn set_corner_radius() -> Schema {
    let corners = ["topLeft", "topRight", "bottomRight", "bottomLeft"];
    let head = [required("nodeId", string()), required("radius", non_negative())];
    object(head.into_iter().chain(corners.map(|name| optional(name, boolean()))))
}

pub(super) fn set_opacity() -> Schema {
    object([required("nodeId", string()), required("opacity", channel())])
}

pub(super) fn set_stroke() -> Schema {
    object([
        required("nodeId", string()),
        optional("strokeColor", color()),
        optional("weight", non_negative()),
        optional("align", one_of(&["CENTER", "INSIDE", "OUTSIDE"])),
    ])
}

pub(super) fn set_fill_gradient() -> Schema {
    // A stop is a colour with a place; fewer than two are no gradient.
    let stop = object(rgba().into_iter().chain([required("position", channel())]));
    let forms = ["GRADIENT_LINEAR", "GRADIENT_RADIAL", "GRADIENT_ANGULAR", "GRADIENT_DIAMOND"];
    object([
        required("nodeId", string()),
        required("gradientStops", array(stop).min_items(2)),
        optional("gradientType", one_of(&forms)),
        optional("angle", number().min(0.0).max(360.0)),
    ])
}

pub(super) fn set_text_content() -> Schema {
    let change = object([required("nodeId", string()), required("text", string())]);
    // An empty list fits: the tool says what is wrong with it.
    object([required("changes", array(change))])
}

pub(super) fn set_text_properties() -> Schema {
    object([
        required("nodeId", string()),
        optional("fontSize", non_negative()),
        optional("lineHeight", non_negative()),
        optional("letterSpacing", number()),
        optional("textAlignHorizontal", one_of(HORIZONTAL_ALIGN)),
        optional("textAlignVertical", one_of(VERTICAL_ALIGN)),
    ])
}

pub(super) fn set_text_font() -> Schema {
    let font = object([required("family", string()), required("style", string())]);
    object([required("nodeId", string()), required("font", font)])
}

//! The schema of each tool's arguments, as the published server lists them.

use crate::environment::schema::build::{
    Property, Schema, array, boolean, number, object, one_of, optional, required, string,
};

const HORIZONTAL_ALIGN: &[&str] = &["LEFT", "CENTER", "RIGHT", "JUSTIFIED"];
const VERTICAL_ALIGN: &[&str] = &["TOP", "CENTER", "BOTTOM"];
const SIZING: &[&str] = &["FIXED", "HUG", "FILL"];

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
    let own = [optional("cornerRadius", non_negative())];
    object(
        corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke()).chain(own),
    )
}

pub(super) fn create_ellipse() -> Schema {
    object(corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke()))
}

pub(super) fn create_frame() -> Schema {
    let axis = ["MIN", "MAX", "CENTER"];
    let primary = one_of(&[axis.as_slice(), &["SPACE_BETWEEN"]].concat());
    let counter = one_of(&[axis.as_slice(), &["BASELINE"]].concat());
    let paddings = ["paddingTop", "paddingRight", "paddingBottom", "paddingLeft"];
    let layout = [
        optional("layoutMode", one_of(&["NONE", "HORIZONTAL", "VERTICAL"])),
        optional("layoutWrap", one_of(&["NO_WRAP", "WRAP"])),
    ];
    let alignment = [
        optional("primaryAxisAlignItems", primary),
        optional("counterAxisAlignItems", counter),
        optional("layoutSizingHorizontal", one_of(SIZING)),
        optional("layoutSizingVertical", one_of(SIZING)),
        optional("itemSpacing", number()),
    ];
    let paddings = paddings.map(|name| optional(name, number()));
    let box_and_paint =
        corner_and_size().into_iter().chain(named_in_parent()).chain(fill_and_stroke());
    object(box_and_paint.chain(layout).chain(paddings).chain(alignment))
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

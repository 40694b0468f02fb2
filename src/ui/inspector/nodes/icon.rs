//! The icon of a kind of node.

use crate::ui::icons;

/// The icon of a Figma type.
pub(super) fn kind_icon(kind: &str) -> &'static str {
    match kind {
        "FRAME" => icons::NODE_FRAME,
        "GROUP" => icons::NODE_GROUP,
        "SECTION" => icons::NODE_SECTION,
        "RECTANGLE" => icons::NODE_RECTANGLE,
        "ELLIPSE" => icons::NODE_ELLIPSE,
        "REGULAR_POLYGON" => icons::NODE_POLYGON,
        "STAR" => icons::NODE_STAR,
        "LINE" => icons::NODE_LINE,
        "VECTOR" => icons::NODE_VECTOR,
        "TEXT" => icons::NODE_TEXT,
        "BOOLEAN_OPERATION" => icons::NODE_BOOLEAN,
        "COMPONENT" | "COMPONENT_SET" => icons::NODE_COMPONENT,
        "INSTANCE" => icons::NODE_INSTANCE,
        "SLICE" => icons::NODE_SLICE,
        _ => icons::NODE,
    }
}

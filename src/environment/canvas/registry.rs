//! The table of tools.

use std::sync::LazyLock;

use serde_json::Value;

use crate::environment::schema::build::Schema;
use crate::environment::{ToolCategory, ToolSpec};

use super::arguments::read;
use super::error::ToolError;
use super::hands::APPLY_EDIT;
use super::page::Page;
use super::reply::Reply;
use super::{
    boolean, connection, copying, creation, effects, graphic, grouping, inspection, layout,
    masking, operation, resize, rotation, scan, schemas, shared_styles, style, text, transfer,
};

/// What does the work of a tool, with arguments that fit its schema.
pub(super) type Handler = fn(&mut Page, Value) -> Result<Reply, ToolError>;

/// The tools with their handlers, in the order a model sees them.
pub(super) struct Registry {
    specs: Vec<ToolSpec>,
    handlers: Vec<Handler>,
}

/// One row of the table.
struct RegistryRow {
    name: &'static str,
    category: ToolCategory,
    schema: fn() -> Schema,
    handler: Handler,
    description: &'static str,
}

impl Registry {
    /// The one registry.
    pub(super) fn get() -> &'static Self {
        static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry {
            specs: ROWS.iter().map(RegistryRow::spec).collect(),
            handlers: ROWS.iter().map(|row| row.handler).collect(),
        });
        &REGISTRY
    }

    /// What a model is told.
    pub(super) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The tool of this name.
    pub(super) fn find(&self, name: &str) -> Option<(&ToolSpec, Handler)> {
        // Fifty names: looking through them costs less than the call.
        let at = self.specs.iter().position(|spec| spec.name == name)?;
        Some((self.specs.get(at)?, *self.handlers.get(at)?))
    }
}

/// The kind of work that a tool of this environment does; `None`: there is no tool of this name.
pub fn category_of(name: &str) -> Option<ToolCategory> {
    let category = ROWS.iter().find(|row| row.name == name).map(|row| row.category);
    // No model is told of it, so that it is no row.
    category.or((name == APPLY_EDIT).then_some(ToolCategory::Operation))
}

impl RegistryRow {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name,
            description: self.description,
            schema: (self.schema)().into_value(),
            category: self.category,
        }
    }
}

const ROWS: &[RegistryRow] = &[
    RegistryRow {
        name: "get_channels",
        category: ToolCategory::Connection,
        schema: schemas::nothing,
        handler: |_, _| Ok(connection::get_channels()),
        description: "Lists the channels to the design tool. For debugging: the design is already \
            connected, and the other tools need no channel.",
    },
    RegistryRow {
        name: "select_channel",
        category: ToolCategory::Connection,
        schema: schemas::select_channel,
        handler: |_, a| connection::select_channel(&read(a)?),
        description: "Joins the channel with this name. For debugging: the right channel is \
            already joined.",
    },
    RegistryRow {
        name: "check_connection_status",
        category: ToolCategory::Connection,
        schema: schemas::nothing,
        handler: |_, _| Ok(connection::check_connection_status()),
        description: "Tells whether the design tool can be reached, and on which channel. For \
            debugging.",
    },
    RegistryRow {
        name: "get_page_info",
        category: ToolCategory::Inspection,
        schema: schemas::nothing,
        handler: |p, _| inspection::get_page_info(p),
        description: "Describes the page: its id and name, and for each node directly on it the id, \
            name, type, fills, strokes, position, size and children.",
    },
    RegistryRow {
        name: "get_selection_info",
        category: ToolCategory::Inspection,
        schema: schemas::nothing,
        handler: |_, _| Ok(inspection::get_selection_info()),
        description: "Describes what is selected in the design tool. Without a window nothing ever \
            is; use get_node_info with ids instead.",
    },
    RegistryRow {
        name: "get_node_info",
        category: ToolCategory::Inspection,
        schema: schemas::node_ids,
        handler: |p, a| inspection::get_node_info(p, &read(a)?),
        description: "Describes the nodes with the given ids: name, type, fills and strokes (colours \
            as hex), corner radius, position and size on the page, text and text style, visibility, \
            parent and direct children.",
    },
    RegistryRow {
        name: "get_node_info_by_types",
        category: ToolCategory::Inspection,
        schema: schemas::get_node_info_by_types,
        handler: |p, a| scan::get_node_info_by_types(p, &read(a)?),
        description: "Finds the visible nodes of the given types (such as \"TEXT\" or \"RECTANGLE\") in \
            a node, itself included: id, name, type and box on the page of each.",
    },
    RegistryRow {
        name: "get_result_image",
        category: ToolCategory::Inspection,
        schema: schemas::get_result_image,
        handler: |p, a| inspection::get_result_image(p, &read(a)?),
        description: "Draws everything visible on the page as a PNG picture, so that you can look at \
            your work. `scale` is in pixels a unit and defaults to 1. The picture covers whatever is \
            on the page: nodes outside the main frame enlarge it.",
    },
    RegistryRow {
        name: "get_page_structure",
        category: ToolCategory::Inspection,
        schema: schemas::nothing,
        handler: |p, _| inspection::get_page_structure(p),
        description: "Shows the tree of all nodes on the page, hidden ones included: id, name, type, \
            position on the page and size of each, children in paint order from the bottom up.",
    },
    RegistryRow {
        name: "export_json",
        category: ToolCategory::Inspection,
        schema: schemas::nothing,
        handler: |p, _| Ok(transfer::export_json(p)),
        description: "Gives the whole page as Figma REST JSON. For debugging: the answer is long; \
            get_page_structure and get_node_info tell the same in less.",
    },
    RegistryRow {
        name: "import_json",
        category: ToolCategory::Inspection,
        schema: schemas::import_json,
        handler: |p, a| transfer::import_json(p, &read(a)?),
        description: "Replaces everything on the page by a design in Figma REST JSON, given as a \
            string. Its main frame is put at (0, 0) and named \"Main Screen\". For debugging.",
    },
    RegistryRow {
        name: "create_rectangle",
        category: ToolCategory::Creation,
        schema: schemas::create_rectangle,
        handler: |p, a| creation::create_rectangle(p, &read(a)?),
        description: "Makes a rectangle with its left top corner at (x, y) on the page, on top of \
            the children of `parentId` (a FRAME, GROUP or SECTION). Colour channels are within 0 and \
            1. Without `fillColor` it is light grey; without `strokeColor` it has no outline.",
    },
    RegistryRow {
        name: "create_frame",
        category: ToolCategory::Creation,
        schema: schemas::create_frame,
        handler: |p, a| creation::create_frame(p, &read(a)?),
        description: "Makes a frame: a box that holds other nodes and cuts them at its edge. Its left \
            top corner is at (x, y) on the page. White without `fillColor` (alpha 0 makes it \
            transparent). With `layoutMode` HORIZONTAL or VERTICAL it carries auto layout: paddings \
            default to 10, `itemSpacing` to 0, alignment to MIN, sizing to FIXED; without it those \
            arguments have no effect.",
    },
    RegistryRow {
        name: "create_text",
        category: ToolCategory::Creation,
        schema: schemas::create_text,
        handler: |p, a| creation::create_text(p, &read(a)?),
        description: "Makes a text in the Inter font in a box of the given size with its left top \
            corner at (x, y) on the page. Lines break at the box's width; `\\n` starts a paragraph. \
            Defaults: `fontSize` 14, `fontWeight` 400 (100, 200 … 900; anything between is 400), \
            black, LEFT, TOP. Make the box large enough: a text may overflow it but does not change \
            it.",
    },
    RegistryRow {
        name: "create_graphic",
        category: ToolCategory::Creation,
        schema: schemas::create_graphic,
        handler: |p, a| graphic::create_graphic(p, &read(a)?),
        description: "Makes a vector graphic, such as an icon, from SVG markup: a frame of the SVG's \
            size at (x, y) on the page that holds its shapes. The markup needs an <svg> element with \
            a viewBox or a width and height. Fills, strokes, gradients, opacity, transforms and text \
            are taken over; pictures, masks, filters and patterns are not, and the answer names what \
            was left out.",
    },
    RegistryRow {
        name: "create_ellipse",
        category: ToolCategory::Creation,
        schema: schemas::create_ellipse,
        handler: |p, a| creation::create_ellipse(p, &read(a)?),
        description: "Makes an ellipse in the box with its left top corner at (x, y) on the page; \
            equal width and height give a circle. Without `fillColor` it is light grey; without \
            `strokeColor` it has no outline.",
    },
    RegistryRow {
        name: "create_polygon",
        category: ToolCategory::Creation,
        schema: schemas::create_polygon,
        handler: |p, a| creation::create_polygon(p, &read(a)?),
        description: "Makes a regular polygon of `pointCount` corners (3 to 360), one of them at the \
            top, in the box with its left top corner at (x, y) on the page. Without \
            `fillColor` it is light grey; without `strokeColor` it has no outline.",
    },
    RegistryRow {
        name: "create_star",
        category: ToolCategory::Creation,
        schema: schemas::create_star,
        handler: |p, a| creation::create_star(p, &read(a)?),
        description: "Makes a star of `pointCount` tips, one of them at the top, in the box with its \
            left top corner at (x, y) on the page. `innerRadius` says in per cent how far \
            the notches lie from the middle, 50 if left out: 100 as far as the tips. \
            Without `fillColor` it is light grey; without `strokeColor` it has no outline.",
    },
    RegistryRow {
        name: "create_line",
        category: ToolCategory::Creation,
        schema: schemas::create_line,
        handler: |p, a| creation::create_line(p, &read(a)?),
        description: "Makes a straight line from (startX, startY) to (endX, endY) on the page. \
            Defaults: black, `strokeWeight` 1, `strokeCap` NONE, solid. `dashPattern` gives the \
            lengths of dash and gap.",
    },
    RegistryRow {
        name: "create_mask",
        category: ToolCategory::Creation,
        schema: schemas::create_mask,
        handler: |p, a| masking::create_mask(p, &read(a)?),
        description: "Shows nodes only where a mask node covers them: puts the mask and the contents \
            into a new group, named \"Mask Group\" if `groupName` is left out, in the parent \
            of the mask. Nothing moves on the page.",
    },
    RegistryRow {
        name: "set_padding",
        category: ToolCategory::Layout,
        schema: schemas::set_padding,
        handler: |p, a| layout::set_padding(p, &read(a)?),
        description: "Sets the space between the edges of an auto-layout frame and its children, in \
            pixels. Sides that are left out stay as they are.",
    },
    RegistryRow {
        name: "set_axis_align",
        category: ToolCategory::Layout,
        schema: schemas::set_axis_align,
        handler: |p, a| layout::set_axis_align(p, &read(a)?),
        description: "Sets where the children of an auto-layout frame lie along its direction \
            (`primaryAxisAlignItems`) and across it (`counterAxisAlignItems`; BASELINE \
            only in a HORIZONTAL frame). What is left out stays as it is.",
    },
    RegistryRow {
        name: "set_layout_sizing",
        category: ToolCategory::Layout,
        schema: schemas::set_layout_sizing,
        handler: |p, a| layout::set_layout_sizing(p, &read(a)?),
        description: "Sets how the width and height of a node are found: FIXED, by its content (HUG, \
            for auto-layout frames and texts) or by the space its parent has (FILL, for \
            children of auto-layout frames). A parent that hugs a child that is to fill it \
            becomes FIXED.",
    },
    RegistryRow {
        name: "set_item_spacing",
        category: ToolCategory::Layout,
        schema: schemas::set_item_spacing,
        handler: |p, a| layout::set_item_spacing(p, &read(a)?),
        description: "Sets the space between the children of an auto-layout frame, in pixels. \
            Negative lets them overlap.",
    },
    RegistryRow {
        name: "set_layout_mode",
        category: ToolCategory::Layout,
        schema: schemas::set_layout_mode,
        handler: |p, a| layout::set_layout_mode(p, &read(a)?),
        description: "Gives a frame auto layout (HORIZONTAL or VERTICAL) or takes it (NONE: its \
            children stay where they are). A frame that had none then hugs its children \
            along that direction; set_layout_sizing changes that. `layoutWrap` WRAP starts \
            a new line where children do not fit, in a HORIZONTAL frame only.",
    },
    RegistryRow {
        name: "move_node",
        category: ToolCategory::Operation,
        schema: schemas::move_node,
        handler: |p, a| operation::move_node(p, &read(a)?),
        description: "Moves a node, with everything in it, so that the left top corner of its box is \
            at (x, y) on the page. With `parentId` it is also put into that FRAME, GROUP or SECTION, \
            on top of its children.",
    },
    RegistryRow {
        name: "clone_node",
        category: ToolCategory::Operation,
        schema: schemas::clone_node,
        handler: |p, a| operation::clone_node(p, &read(a)?),
        description: "Copies a node with everything in it, on top of its siblings or of the children \
            of `parentId`. The copy lies where the original does unless x or y say otherwise (on the \
            page). All copies have new ids.",
    },
    RegistryRow {
        name: "resize_node",
        category: ToolCategory::Operation,
        schema: schemas::resize_node,
        handler: |p, a| resize::resize_node(p, &read(a)?),
        description: "Gives a node another width and height; its left top corner stays. The children \
            of a frame follow their constraints (left and top by default, so they stay), those of a \
            group are stretched with it. Of a line only the length changes. The font size of a text \
            does not change.",
    },
    RegistryRow {
        name: "delete_node",
        category: ToolCategory::Operation,
        schema: schemas::node_ids,
        handler: |p, a| operation::delete_node(p, &read(a)?),
        description: "Deletes the nodes with the given ids, with everything in them.",
    },
    RegistryRow {
        name: "group_nodes",
        category: ToolCategory::Operation,
        schema: schemas::group_nodes,
        handler: |p, a| grouping::group_nodes(p, &read(a)?),
        description: "Puts two or more nodes into a new group, in the parent of the first, at the \
            place of the topmost of them. Nothing moves on the page, and the order of the nodes \
            stays.",
    },
    RegistryRow {
        name: "ungroup_nodes",
        category: ToolCategory::Operation,
        schema: schemas::ungroup_nodes,
        handler: |p, a| grouping::ungroup_nodes(p, &read(a)?),
        description: "Dissolves a group: its children take its place in its parent, and do not move \
            on the page.",
    },
    RegistryRow {
        name: "rename_node",
        category: ToolCategory::Operation,
        schema: schemas::rename_node,
        handler: |p, a| operation::rename_node(p, read(a)?),
        description: "Gives a node another name.",
    },
    RegistryRow {
        name: "rotate_node",
        category: ToolCategory::Operation,
        schema: schemas::rotate_node,
        handler: |p, a| rotation::rotate_node(p, &read(a)?),
        description: "Turns a node about the middle of its box to an angle in degrees, counter- \
            clockwise from upright; turning it to 0 sets it upright again.",
    },
    RegistryRow {
        name: "boolean_nodes",
        category: ToolCategory::Operation,
        schema: schemas::boolean_nodes,
        handler: |p, a| boolean::boolean_nodes(p, &read(a)?),
        description: "Combines shapes or texts to one shape, in the parent of the first: UNION, \
            SUBTRACT (the others from the lowest), INTERSECT or EXCLUDE. It is painted as \
            the topmost of them; as the lowest for SUBTRACT. Frames and sections cannot be \
            combined.",
    },
    RegistryRow {
        name: "reorder_node",
        category: ToolCategory::Operation,
        schema: schemas::reorder_node,
        handler: |p, a| operation::reorder_node(p, &read(a)?),
        description: "Changes what a node covers among its siblings: TOP or BOTTOM puts it above or \
            below all of them, FORWARD or BACKWARD above or below the next one.",
    },
    RegistryRow {
        name: "set_fill_color",
        category: ToolCategory::Style,
        schema: schemas::set_fill_color,
        handler: |p, a| style::set_fill_color(p, &read(a)?),
        description: "Replaces all fills of a node by one colour; of a text, the colour of its \
            letters. Channels are within 0 and 1; `a` is 1 if left out, and 0 makes the fill \
            invisible.",
    },
    RegistryRow {
        name: "set_corner_radius",
        category: ToolCategory::Style,
        schema: schemas::set_corner_radius,
        handler: |p, a| style::set_corner_radius(p, &read(a)?),
        description: "Rounds the corners of a node. All four corners change unless their flag \
            (topLeft, topRight, bottomRight, bottomLeft) is false. Only frames and rectangles have \
            four separate corners.",
    },
    RegistryRow {
        name: "get_styles",
        category: ToolCategory::Style,
        schema: schemas::nothing,
        handler: |p, _| Ok(shared_styles::get_styles(p)),
        description: "Lists the shared styles of the file: colours, texts, effects and grids, each \
            with id and name. A file begun here has none.",
    },
    RegistryRow {
        name: "set_opacity",
        category: ToolCategory::Style,
        schema: schemas::set_opacity,
        handler: |p, a| style::set_opacity(p, &read(a)?),
        description: "Sets how opaque a node is with everything in it: 0 is invisible, 1 is opaque.",
    },
    RegistryRow {
        name: "set_stroke",
        category: ToolCategory::Style,
        schema: schemas::set_stroke,
        handler: |p, a| style::set_stroke(p, &read(a)?),
        description: "Replaces the outline of a node: `strokeColor` is black if left out, `align` \
            says on which side of the edge it lies (CENTER if left out), `weight` its width in \
            pixels (as it is if left out).",
    },
    RegistryRow {
        name: "set_fill_gradient",
        category: ToolCategory::Style,
        schema: schemas::set_fill_gradient,
        handler: |p, a| style::set_fill_gradient(p, &read(a)?),
        description: "Replaces all fills of a node by a gradient, GRADIENT_LINEAR if `gradientType` is \
            left out. Positions of the stops are within 0 and 1. `angle` turns it about the middle \
            of the node: 0 runs from left to right, 90 from top to bottom.",
    },
    RegistryRow {
        name: "set_drop_shadow",
        category: ToolCategory::Style,
        schema: schemas::set_shadow,
        handler: |p, a| effects::set_drop_shadow(p, &read(a)?),
        description: "Gives a node a drop shadow in place of those it has: colour, offset, blur \
            radius and spread (0 if left out) in pixels.",
    },
    RegistryRow {
        name: "set_inner_shadow",
        category: ToolCategory::Style,
        schema: schemas::set_shadow,
        handler: |p, a| effects::set_inner_shadow(p, &read(a)?),
        description: "Gives a node an inner shadow in place of those it has: colour, offset, blur \
            radius and spread (0 if left out) in pixels.",
    },
    RegistryRow {
        name: "copy_style",
        category: ToolCategory::Style,
        schema: schemas::copy_style,
        handler: |p, a| copying::copy_style(p, &read(a)?),
        description: "Copies the look of a node to another: fills, paints of the outline (not its \
            weight), effects, corner radii and opacity, or those named in `properties`. \
            What one of the two nodes cannot have is left out, and the answer says so.",
    },
    RegistryRow {
        name: "set_blend_mode",
        category: ToolCategory::Style,
        schema: schemas::set_blend_mode,
        handler: |p, a| effects::set_blend_mode(p, &read(a)?),
        description: "Sets how a node is mixed with what lies below it, such as MULTIPLY or SCREEN. \
            PASS_THROUGH, for frames and groups, lets each child mix by itself.",
    },
    RegistryRow {
        name: "set_text_content",
        category: ToolCategory::Text,
        schema: schemas::set_text_content,
        handler: |p, a| text::set_text_content(p, &read(a)?),
        description: "Replaces the characters of one or several texts. If one of the changes cannot \
            be made, none is.",
    },
    RegistryRow {
        name: "get_text_node_info",
        category: ToolCategory::Text,
        schema: schemas::node_id,
        handler: |p, a| scan::get_text_node_info(p, &read(a)?),
        description: "Describes the visible texts in a node, or the node itself if it is one: \
            characters, font, font size, and the box on the page.",
    },
    RegistryRow {
        name: "set_text_properties",
        category: ToolCategory::Text,
        schema: schemas::set_text_properties,
        handler: |p, a| text::set_text_properties(p, &read(a)?),
        description: "Changes the font size, line height, letter spacing (all in pixels) or alignment \
            of a text. What is left out stays as it is.",
    },
    RegistryRow {
        name: "set_text_decoration",
        category: ToolCategory::Text,
        schema: schemas::set_text_decoration,
        handler: |p, a| text::set_text_decoration(p, &read(a)?),
        description: "Sets the line along a text (NONE, UNDERLINE, STRIKETHROUGH), how its letters \
            are shown (`textCase`: ORIGINAL, UPPER, LOWER, TITLE, SMALL_CAPS, \
            SMALL_CAPS_FORCED), or both. What is left out stays as it is.",
    },
    RegistryRow {
        name: "set_text_font",
        category: ToolCategory::Text,
        schema: schemas::set_text_font,
        handler: |p, a| text::set_text_font(p, &read(a)?),
        description: "Sets the font family and style of a text, such as {\"family\": \"Inter\", \
            \"style\": \"Semi Bold\"}. Styles of Inter: Thin, Extra Light, Light, Regular, Medium, \
            Semi Bold, Bold, Extra Bold, Black, each also with Italic. Other families are kept in \
            the design but drawn in Inter.",
    },
];

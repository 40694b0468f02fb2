//! Tools that look and change nothing.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::base::Pixels;
use crate::design::{LineHeight, Node, NodeId, NodeKind, TextStyle};
use crate::render::{Diagnostic, RenderError, RenderOptions, render_page};

use super::compat::Quirk;
use super::effects::effect_fields;
use super::error::ToolError;
use super::layout::layout_fields;
use super::page::{PAGE_ID, PAGE_NAME, Page};
use super::reply::{ColorForm, Reply, corner_radius, naming, number, paints};
use super::style::has_corners;
use super::text::{align_word, case_word, decoration_word, font_style_word, vertical_align_word};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeIds {
    pub(super) node_ids: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetResultImage {
    page_id: Option<String>,
    scale: Option<f64>,
}

pub(super) fn get_page_info(page: &Page) -> Result<Reply, ToolError> {
    let roots = page.document.roots();
    let children: Vec<Value> =
        roots.iter().map(|id| node_info(page, id)).collect::<Result<_, _>>()?;
    let structured = json!({
        "id": PAGE_ID,
        "name": PAGE_NAME,
        "immediateChildren": children,
        "immediateChildrenCount": children.len(),
    });
    // The published text reads a field that its reply lacks.
    let count = if page.has(Quirk::PageInfoSaysUndefined) {
        "contains undefined".to_owned()
    } else {
        format!("has {}", children.len())
    };
    let text = format!("Page \"{PAGE_NAME}\" {count} children: {structured}");
    Ok(Reply::new(text, structured))
}

/// Nothing is ever selected: there is no window whose selection it could be.
pub(super) fn get_selection_info() -> Reply {
    let structured = json!({"selectionCount": 0, "selection": []});
    Reply::new("Nothing is selected", structured)
}

pub(super) fn get_node_info(page: &Page, arguments: &NodeIds) -> Result<Reply, ToolError> {
    let ids = arguments.non_empty()?;
    // What is there is told, though others are not: a model often lists ids it only believes in.
    let (mut list, mut missing) = (Vec::new(), Vec::new());
    for id in ids {
        match page.node(id) {
            Ok(node) => {
                list.push(json!({"nodeId": id, "nodeInfo": node_info(page, &node.id)?}));
            }
            Err(_) => missing.push(id.chars().take(80).collect::<String>()),
        }
    }
    if list.is_empty() {
        return Err(ToolError::UnknownNodes(missing));
    }
    let mut structured = Map::from_iter([("nodeList".to_owned(), Value::Array(list))]);
    if !missing.is_empty() {
        structured.insert("missing".to_owned(), json!(missing));
    }
    Ok(Reply::json(Value::Object(structured)))
}

impl NodeIds {
    /// The ids, at least one.
    pub(super) fn non_empty(&self) -> Result<&[String], ToolError> {
        if self.node_ids.is_empty() {
            let message = "nodeIds: is empty; name at least one node";
            return Err(ToolError::BadArguments(message.to_owned()));
        }
        Ok(&self.node_ids)
    }
}

/// What the published plugin tells of a node.
fn node_info(page: &Page, id: &NodeId) -> Result<Value, ToolError> {
    let node = page.node(id.as_str())?;
    if matches!(node.kind, NodeKind::Vector(_)) && page.has(Quirk::VectorsHaveNoInfo) {
        return Ok(Value::Null);
    }
    let at = page.box_of(id)?;
    // The published plugin leaves out what a node has not, in this order.
    let mut info = naming(node);
    if !node.fills.is_empty() {
        info["fills"] = paints(&node.fills, ColorForm::Hex);
    }
    if !node.stroke.paints.is_empty() {
        info["strokes"] = paints(&node.stroke.paints, ColorForm::Hex);
        info["strokeWeight"] = number(node.stroke.weight);
    }
    if has_corners(&node.kind) {
        info["cornerRadius"] = corner_radius(node.corner_radii);
    }
    info["position"] = json!({"x": number(at.x), "y": number(at.y)});
    info["size"] = json!({"width": number(at.width), "height": number(at.height)});
    if let Some(text) = node.text() {
        info["characters"] = Value::from(text.characters.as_str());
        info["style"] = style_info(&text.style);
    }
    if node.opacity != 1.0 {
        info["opacity"] = number(node.opacity);
    }
    info["visible"] = Value::Bool(node.visible);
    // What our tools can set beyond the published ones, so that an agent sees what it did.
    if let Value::Object(info) = &mut info {
        info.extend(shape_fields(&node.kind));
        info.extend(effect_fields(node));
        info.extend(node.auto_layout.as_deref().into_iter().flat_map(layout_fields));
    }
    let rotation = node.transform.rotation_degrees();
    if rotation != 0.0 {
        info["rotation"] = number(rotation);
    }
    if node.is_mask {
        info["isMask"] = Value::Bool(true);
    }
    if node.kind.is_container() {
        let children = node.children.iter().filter_map(|id| page.document.get(id));
        info["children"] = children.map(|child| naming(child)).collect();
    }
    info["parent"] = parent_info(page, node);
    Ok(info)
}

/// What only some kinds of shape have, by the names of the plugin's API.
fn shape_fields(kind: &NodeKind) -> Vec<(String, Value)> {
    match kind {
        NodeKind::RegularPolygon { corners } => {
            vec![("pointCount".to_owned(), Value::from(*corners))]
        }
        NodeKind::Star { tips, inner_ratio } => vec![
            ("pointCount".to_owned(), Value::from(*tips)),
            ("innerRadius".to_owned(), number(*inner_ratio)),
        ],
        NodeKind::BooleanOperation(operation) => {
            vec![("booleanOperation".to_owned(), json!(operation))]
        }
        _ => Vec::new(),
    }
}

fn parent_info(page: &Page, node: &Node) -> Value {
    let parent = node.parent.as_ref().and_then(|id| page.document.get(id));
    parent.map_or_else(
        || json!({"id": PAGE_ID, "name": PAGE_NAME, "type": "PAGE"}),
        |parent| naming(parent),
    )
}

fn style_info(style: &TextStyle) -> Value {
    // In pixels whatever the design says it in, as the plugin has it.
    let line_height = match style.line_height {
        LineHeight::Auto => Value::from("AUTO"),
        LineHeight::Pixels(pixels) => number(pixels),
        LineHeight::Percent(percent) => number(percent / 100.0 * style.font_size),
    };
    json!({
        "fontFamily": style.font_family,
        "fontStyle": font_style_word(style),
        "fontWeight": number(style.font_weight),
        "fontSize": number(style.font_size),
        "textAlignHorizontal": align_word(style.align),
        "textAlignVertical": vertical_align_word(style.vertical_align),
        "letterSpacing": number(style.letter_spacing),
        "lineHeightPx": line_height,
        "textDecoration": decoration_word(style.decoration),
        "textCase": case_word(style.case),
    })
}

pub(super) fn get_page_structure(page: &Page) -> Result<Reply, ToolError> {
    let roots = page.document.roots().iter();
    let tree: Vec<Value> = roots.map(|id| structure(page, id)).collect::<Result<_, _>>()?;
    Ok(Reply::json(json!({"pageId": PAGE_ID, "pageName": PAGE_NAME, "structureTree": tree})))
}

/// One node of the tree with its subtree; as deep as the document, which is bounded.
fn structure(page: &Page, id: &NodeId) -> Result<Value, ToolError> {
    let node = page.node(id.as_str())?;
    let at = page.box_of(id)?;
    let mut info = naming(node);
    info["position"] = json!({"x": number(at.x), "y": number(at.y)});
    info["size"] = json!({"width": number(at.width), "height": number(at.height)});
    if !node.children.is_empty() {
        info["children"] =
            node.children.iter().map(|id| structure(page, id)).collect::<Result<_, _>>()?;
    }
    Ok(info)
}

pub(super) fn get_result_image(
    page: &Page,
    arguments: &GetResultImage,
) -> Result<Reply, ToolError> {
    if let Some(id) = arguments.page_id.as_deref().filter(|id| *id != PAGE_ID) {
        let asked: String = id.chars().take(80).collect();
        return Err(ToolError::Refused(format!(
            "pageId: there is no page \"{asked}\"; the only one is \"{PAGE_ID}\""
        )));
    }
    // The schema has its least; the renderer says where it would be too much.
    let scale = arguments.scale.unwrap_or(1.0);
    let options = RenderOptions { scale, ..RenderOptions::default() };
    let (pixels, diagnostics) = match render_page(&page.settings.render, &page.document, options) {
        Ok(rendered) => (rendered.pixels, rendered.diagnostics),
        // An empty page is no failure: an agent may look before it has drawn. The published tool
        // shows it as a picture of 50 × 50 pixels.
        Err(RenderError::Empty(_)) => {
            (Pixels::filled(50, 50, [255; 4]).map_err(RenderError::from)?, Vec::new())
        }
        Err(error) => return Err(error.into()),
    };
    let (width, height) = (pixels.width(), pixels.height());
    let structured = json!({
        "pageId": PAGE_ID, "format": "PNG", "scale": number(scale), "mimeType": "image/png",
        "width": width, "height": height,
    });
    let text =
        format!("The page as a picture of {width} × {height} pixels{}", left_out(&diagnostics));
    Ok(Reply { image: Some(pixels), ..Reply::new(text, structured) })
}

fn left_out(diagnostics: &[Diagnostic]) -> String {
    const SHOWN: usize = 5;
    if diagnostics.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        diagnostics.iter().take(SHOWN).map(|d| format!("{}: {}", d.node, d.message)).collect();
    // A few are enough to see what kind of thing is missing; all of them may be thousands.
    let more = diagnostics.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!(". Not drawn as the design says: {}{more}", shown.join("; "))
}

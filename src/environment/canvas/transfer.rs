//! JSON in and out.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::{Limits, Point, parse_json};
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, DocumentError, NodeId, NodeKind, figma};
use crate::render::all_render_bounds;

use super::compat::{Compat, Quirk};
use super::error::ToolError;
use super::page::{PAGE_ID, PAGE_NAME, Page, place};
use super::reply::Reply;
use super::start::{MAIN_FRAME_NAME, StartError};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImportJson {
    json_string: String,
}

/// The page with everything on it, in the shape of Figma's own `JSON_REST_V1` export.
pub(super) fn export_json(page: &Page) -> Reply {
    Reply::json(json!({
        "document": page_json(page),
        // Empty, as in an export of one page: components are of the whole file.
        "components": {},
        "componentSets": {},
        "schemaVersion": 0,
        "styles": {},
    }))
}

/// The page as a CANVAS node.
pub(super) fn page_json(page: &Page) -> Value {
    let drawn = all_render_bounds(&page.settings.render, &page.document);
    let roots = page.document.roots().iter();
    let children: Vec<Value> =
        roots.filter_map(|id| figma::node_to_json_with(&page.document, id, &drawn).ok()).collect();
    json!({"id": PAGE_ID, "name": PAGE_NAME, "type": "CANVAS", "children": children})
}

pub(super) fn import_json(page: &mut Page, arguments: &ImportJson) -> Result<Reply, ToolError> {
    let text = arguments.json_string.as_bytes();
    if text.len() as u64 > Limits::JSON_BYTES {
        let (got, most) = (text.len(), Limits::JSON_BYTES);
        return Err(ToolError::Json(format!("{got} bytes are over the limit of {most}")));
    }
    let json: Value = parse_json(text).map_err(|e| ToolError::Json(e.to_string()))?;
    let loaded = figma::from_json(json)?;
    let (mut document, main_frame) = onto_page(loaded.document, page.settings.compat)?;
    // An export names its pictures and does not hold them: those of the page before are taken.
    document.add_images_of(&page.document);
    let count = document.len();
    // Undone like any other call, though nothing of the old document is left.
    page.last_edit = Some(Edit::between(&page.document, &document));
    page.document = document;
    page.main_frame = main_frame.clone();
    // The published answer, with what is ours beside it.
    let mut structured = json!({
        "success": true,
        "rootFrameId": main_frame.as_str(),
        "message": "Document JSON imported successfully",
    });
    let mut text = format!("Imported {count} nodes; the main frame has the id {main_frame}");
    if let (Value::Object(fields), false) = (&mut structured, loaded.warnings.is_empty()) {
        // All of them are in the structured answer.
        let shown: Vec<&str> = loaded.warnings.iter().take(5).map(String::as_str).collect();
        text = format!("{text}. {} remarks: {}", loaded.warnings.len(), shown.join("; "));
        fields.insert("warnings".to_owned(), json!(loaded.warnings));
    }
    Ok(Reply::new(text, structured))
}

/// The design with its main frame alone on the page, at (0, 0) and named [`MAIN_FRAME_NAME`].
pub(super) fn onto_page(
    mut document: Document,
    compat: Compat,
) -> Result<(Document, NodeId), StartError> {
    if compat.has(Quirk::ImportDropsComponents) {
        drop_components(&mut document)?;
    }
    // What a file was exported for goes before what looks like a screen in it.
    let exported = document.exported_root().filter(|node| can_be_screen(&node.kind));
    let main = exported
        .or_else(|| document.main_frame().filter(|node| can_be_screen(&node.kind)))
        .ok_or(StartError::NoFrame)?;
    let main = main.id.clone();
    let mut change = Transaction::begin(&mut document);
    change.reparent(&main, None, None)?;
    let others: Vec<NodeId> =
        change.document().roots().iter().filter(|id| **id != main).cloned().collect();
    for other in others {
        change.remove(&other)?;
    }
    place(&mut change, &main, Point::ZERO)?;
    change.update(&main, |frame| MAIN_FRAME_NAME.clone_into(&mut frame.name))?;
    change.commit();
    Ok((document, main))
}

/// The design as it is, with all that lies on its pages, and what of it is its screen.
pub(super) fn as_it_is(document: Document) -> Result<(Document, NodeId), StartError> {
    let main = document.main_frame().filter(|node| node.has_box());
    let main = main.ok_or(StartError::NoFrame)?.id.clone();
    Ok((document, main))
}

fn can_be_screen(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Frame
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
            | NodeKind::Section
    )
}

/// Takes out what the published importer leaves out, with all it holds.
fn drop_components(document: &mut Document) -> Result<(), DocumentError> {
    use NodeKind::{Component, Instance, RegularPolygon};
    let left_out = document
        .iter_depth_first()
        .filter(|node| matches!(node.kind, Instance | Component | RegularPolygon { .. }));
    let left_out: Vec<NodeId> = left_out.map(|node| node.id.clone()).collect();
    let mut change = Transaction::begin(document);
    for id in left_out {
        // It may be gone with one around it.
        if change.document().get(&id).is_some() {
            change.remove(&id)?;
        }
    }
    change.commit();
    Ok(())
}

//! `set_layout_sizing`: how the width and height of a node are found.
//!
//! Rules of Figma (developers.figma.com, `layoutSizingHorizontal`): HUG is for auto-layout frames and
//! texts, FILL for children of auto-layout frames, FIXED for anything. A frame cannot hug what fills
//! it: giving a child FILL makes a parent that hugs FIXED along that axis, and giving a frame HUG
//! makes children that fill it FIXED.

use serde::Deserialize;
use serde_json::json;

use crate::design::edit::Transaction;
use crate::design::{
    AutoLayout, Direction, Document, DocumentError, Node, NodeId, NodeKind, Sizing,
};

use crate::environment::canvas::auto_layout::{LayoutMode, Size, size_word};
use crate::environment::canvas::compat::Quirk;
use crate::environment::canvas::error::ToolError;
use crate::environment::canvas::page::{Page, settle};
use crate::environment::canvas::reply::Reply;
use crate::environment::canvas::text::{TextSizing, size_text};

/// Width and height, in the order of the arguments.
pub(super) const AXES: [Direction; 2] = [Direction::Horizontal, Direction::Vertical];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::environment::canvas) struct SetLayoutSizing {
    node_id: String,
    layout_sizing_horizontal: Option<Size>,
    layout_sizing_vertical: Option<Size>,
}

pub(in crate::environment::canvas) fn set_layout_sizing(
    page: &mut Page,
    arguments: &SetLayoutSizing,
) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if page.has(Quirk::SizingChecksTheWrongAxis) {
        check_as_published(node, arguments)?;
    }
    for (axis, sizing) in arguments.given() {
        check(&page.document, node, axis, sizing)?;
    }
    // Refused before the transaction begins: a text that hugs its width alone.
    let text =
        node.text().map(|text| TextSizing::asked(arguments.wanted(), text.style.auto_resize));
    let (id, text) = (node.id.clone(), text.transpose()?);
    let mut change = Transaction::begin(&mut page.document);
    for (axis, sizing) in arguments.given() {
        change.set_sizing(&id, axis, sizing)?;
    }
    if let Some(text) = text {
        // Last, as the words of auto layout and of the text must agree in the end.
        change.update(&id, |node| size_text(node, text))?;
    }
    page.last_edit = Some(settle(change, &page.settings.render));
    reply(page, &id)
}

impl SetLayoutSizing {
    /// What is asked for, of width and height.
    fn wanted(&self) -> [Option<Sizing>; 2] {
        [self.layout_sizing_horizontal, self.layout_sizing_vertical]
            .map(|size| size.map(Sizing::from))
    }

    fn given(&self) -> impl Iterator<Item = (Direction, Sizing)> + use<> {
        let wanted = AXES.into_iter().zip(self.wanted());
        wanted.filter_map(|(axis, sizing)| Some((axis, sizing?)))
    }
}

fn reply(page: &Page, id: &NodeId) -> Result<Reply, ToolError> {
    let node = page.node(id.as_str())?;
    let [across, down] = AXES.map(|axis| size_word(page.document.sizing(id, axis)));
    let layout = node.auto_layout.as_deref();
    let mode = layout.map_or(LayoutMode::None, |layout| layout.direction.into()).word();
    let name = &node.name;
    let structured = json!({
        "id": id.as_str(), "name": name, "layoutSizingHorizontal": across,
        "layoutSizingVertical": down, "layoutMode": mode,
    });
    Ok(Reply::new(format!("\"{name}\" is now {across} in width and {down} in height"), structured))
}

/// Refuses what Figma refuses.
fn check(
    document: &Document,
    node: &Node,
    axis: Direction,
    sizing: Sizing,
) -> Result<(), ToolError> {
    let why = match sizing {
        Sizing::Hug if !can_hug(node) => {
            "HUG is for texts and frames with auto layout; set_layout_mode gives it"
        }
        Sizing::Fill if parent_layout(document, node).is_none() => {
            "FILL is for children of a frame with auto layout"
        }
        Sizing::Fixed | Sizing::Hug | Sizing::Fill => return Ok(()),
    };
    let argument = match axis {
        Direction::Horizontal => "layoutSizingHorizontal",
        Direction::Vertical => "layoutSizingVertical",
    };
    Err(ToolError::wrong_type(node, &format!("{argument}: {why}")))
}

/// The published plugin's own checks; what they let through, Figma checks.
fn check_as_published(node: &Node, arguments: &SetLayoutSizing) -> Result<(), ToolError> {
    if !node.kind.can_lay_out() || node.auto_layout.is_none() {
        return Err(ToolError::wrong_type(node, "it has no auto layout"));
    }
    // The published plugin looks at this argument for both.
    let is_hug = arguments.layout_sizing_horizontal == Some(Size::Hug);
    if is_hug && !matches!(node.kind, NodeKind::Frame | NodeKind::Text(_)) {
        return Err(ToolError::wrong_type(node, "HUG is only for FRAME and TEXT"));
    }
    Ok(())
}

fn can_hug(node: &Node) -> bool {
    node.text().is_some() || (node.kind.can_lay_out() && node.auto_layout.is_some())
}

/// The auto layout that places a node, if any.
fn parent_layout<'a>(document: &'a Document, node: &Node) -> Option<&'a AutoLayout> {
    let parent = document.get(node.parent.as_ref()?)?;
    parent.auto_layout.as_deref().filter(|_| !node.layout_item.is_absolute)
}

/// Says how an extent is found, in today's words and in those of older files.
pub(super) fn set_sizing(
    change: &mut Transaction<'_>,
    id: &NodeId,
    axis: Direction,
    sizing: Sizing,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let direction = parent_layout(change.document(), node).map(|layout| layout.direction);
    change.update(id, |node| node.set_sizing(axis, sizing, direction))
}

//! The page being worked on: the document, its main frame, and where things go.

use crate::base::{Affine, Point, Rect};
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};
use crate::render::{RenderContext, TextMeasurer};

use super::compat::Quirk;
use super::error::ToolError;
use super::start::{CanvasSettings, DefaultParent};

/// The id of the page, as Figma gives it to the first page of a file.
pub(super) const PAGE_ID: &str = "0:1";
/// The name of the page.
pub(super) const PAGE_NAME: &str = "Page 1";

/// The page being worked on. The document's roots are the children of the page.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// The design.
    pub(super) document: Document,
    /// The frame that is the screen; may have been deleted since.
    pub(super) main_frame: NodeId,
    /// How the tools behave.
    pub(super) settings: CanvasSettings,
    /// What the call at work changed of the design; `None` while it changed nothing.
    pub(super) last_edit: Option<Edit>,
}

impl Page {
    /// The node of this id.
    pub(super) fn node(&self, id: &str) -> Result<&Node, ToolError> {
        let found = self.document.get(&NodeId::from(id));
        found.map(AsRef::as_ref).ok_or_else(|| ToolError::unknown(id))
    }

    /// Whether the tools have this quirk of the published ones.
    pub(super) fn has(&self, quirk: Quirk) -> bool {
        self.settings.compat.has(quirk)
    }

    /// The main frame, or what stands for it if it was deleted; `None` on an empty page.
    pub(super) fn screen(&self) -> Option<NodeId> {
        let main = self.document.get(&self.main_frame).map(|node| node.id.clone());
        main.or_else(|| self.document.main_frame().map(|node| node.id.clone()))
    }

    /// Where a new node goes; `None` is the page. See [`DefaultParent`].
    pub(super) fn parent_of_new(&self, wanted: Option<&str>) -> Result<Option<NodeId>, ToolError> {
        let wanted = wanted.map(|id| self.container(id));
        match (self.settings.default_parent, wanted) {
            // The runner asks no further: whatever cannot take the node, the screen does.
            (DefaultParent::MainFrame, Some(Ok(Some(parent)))) => Ok(Some(parent)),
            (DefaultParent::MainFrame, _) => {
                Ok(self.document.get(&self.main_frame).map(|main| main.id.clone()))
            }
            (DefaultParent::Page, Some(parent)) => parent,
            (DefaultParent::Page, None) => Ok(None),
        }
    }

    /// The parent of this id: the page (`None`) or a node that takes children.
    pub(super) fn container(&self, id: &str) -> Result<Option<NodeId>, ToolError> {
        // The page itself is no node of the document, unless a file brought one of its id.
        if id == PAGE_ID && self.document.get(&NodeId::from(id)).is_none() {
            return Ok(None);
        }
        let node = self.node(id)?;
        if takes_children(&node.kind) {
            return Ok(Some(node.id.clone()));
        }
        Err(ToolError::wrong_type(node, "only a FRAME, GROUP or SECTION takes children"))
    }

    /// The box of a node on the page.
    pub(super) fn box_of(&self, id: &NodeId) -> Result<Rect, DocumentError> {
        self.document.absolute_box(id)
    }

    /// The left top corner of a node's box as Figma's own x and y have it: relative to the box of
    /// the nearest node around it that is no group, or to the page.
    pub(super) fn local_corner(&self, id: &NodeId) -> Result<Point, DocumentError> {
        let corner = self.box_of(id)?.origin();
        // A group has no space of its own in Figma: x and y go through it.
        let container = self.document.ancestors(id).find(|node| node.kind != NodeKind::Group);
        let origin = container.map(|node| self.box_of(&node.id)).transpose()?;
        let origin = origin.map_or(Point::ZERO, Rect::origin);
        Ok(Point::new(corner.x - origin.x, corner.y - origin.y))
    }

    /// The id of a node's parent, the page's for a root.
    pub(super) fn parent_id(&self, id: &NodeId) -> String {
        let parent = self.document.get(id).and_then(|node| node.parent.as_ref());
        parent.map_or_else(|| PAGE_ID.to_owned(), ToString::to_string)
    }
}

/// Ends a change: what follows from it (auto layout, the boxes of combined shapes) is done first.
pub(super) fn settle(change: Transaction<'_>, render: &RenderContext) -> Edit {
    change.commit_with(&TextMeasurer(render))
}

/// Whether the tools put nodes into nodes of this kind, as the published runner has it.
pub(super) fn takes_children(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Frame | NodeKind::Group | NodeKind::Section)
}

/// Moves a node so that its box on the page has its left top corner at `corner`.
pub(super) fn place(
    change: &mut Transaction<'_>,
    id: &NodeId,
    corner: Point,
) -> Result<(), DocumentError> {
    let now = change.document().absolute_transform(id)?;
    let at = change.document().absolute_box(id)?.origin();
    // Without arithmetic where there is nothing to move, so that coordinates keep their digits.
    if at == corner {
        return Ok(());
    }
    let placed = Affine { e: now.e + corner.x - at.x, f: now.f + corner.y - at.y, ..now };
    change.set_absolute_transform(id, placed)
}

/// Puts a new node on top of a parent's children, its box at `corner` on the page.
pub(super) fn insert_at(
    change: &mut Transaction<'_>,
    node: Node,
    parent: Option<&NodeId>,
    corner: Point,
) -> Result<(), DocumentError> {
    let id = node.id.clone();
    // In first and moved then, as its place on the page depends on the parent's.
    change.insert(node, parent, None)?;
    place(change, &id, corner)
}

//! The nodes by id, shared between snapshots.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use crate::base::{Affine, Pixels, Rect};

use super::child_list::ChildList;
use super::envelope::Envelope;
use super::images::Images;
use super::node::{Node, NodeKind};
use super::node_id::NodeId;

/// A design: a forest of nodes. A whole file has one root, the DOCUMENT node, with its CANVAS pages
/// as children; a page being worked on, or a single exported node, has its top nodes as roots.
///
/// Cloning is cheap (a few pointers), so a clone *is* a snapshot: the table of nodes is a persistent
/// tree, of which a change copies only the branch to the nodes it touches. All changes go through
/// [`edit::Transaction`](super::edit::Transaction).
///
/// Two documents are equal when their nodes, order and envelope are; which id comes next and which
/// pictures are there does not count, so that a change undone gives an equal document although its ids stay spent.
#[derive(Clone, Debug, Default)]
pub struct Document {
    nodes: RedBlackTreeMapSync<NodeId, Arc<Node>>,
    roots: ChildList,
    /// The largest `n` of all ids `1:n` ever seen here.
    last_id: u64,
    envelope: Arc<Envelope>,
    images: Images,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.roots == other.roots && self.envelope == other.envelope
    }
}

/// Why a document refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DocumentError {
    /// No node has this id.
    #[error("no node with id {0}")]
    UnknownNode(NodeId),
    /// A node of this id exists.
    #[error("a node with id {0} exists already")]
    DuplicateId(NodeId),
    /// The kind of the node cannot have children.
    #[error("{id} is a {kind} and cannot have children")]
    NotAContainer {
        /// Which node.
        id: NodeId,
        /// Its type.
        kind: String,
    },
    /// A node cannot be put into itself or its own subtree.
    #[error("{0} cannot be put into itself or one of its own descendants")]
    Cycle(NodeId),
    /// More than [`Limits::NODES`](crate::base::Limits::NODES) nodes, or deeper than
    /// [`Limits::NODE_DEPTH`](crate::base::Limits::NODE_DEPTH).
    #[error("the design would have too many nodes or nest too deep ({0})")]
    TooLarge(String),
    /// A transform that flattens the node to a line or a point cannot be undone.
    #[error("the transform of {0} has no inverse: it would flatten the node")]
    Singular(NodeId),
    /// A coordinate that is NaN, infinite or out of range.
    #[error("{what} must be a finite number within ±10,000,000, not {value}")]
    BadNumber {
        /// Which field.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A number outside the range its field has.
    #[error("{what} must be a number between {min} and {max}, not {value}")]
    OutOfRange {
        /// Which field.
        what: &'static str,
        /// What was given.
        value: f64,
        /// The least allowed.
        min: f64,
        /// The most allowed.
        max: f64,
    },
}

impl Document {
    /// The node of this id.
    pub fn get(&self, id: &NodeId) -> Option<&Arc<Node>> {
        self.nodes.get(id)
    }

    /// The node of this id, or the error that names it.
    pub fn node(&self, id: &NodeId) -> Result<&Arc<Node>, DocumentError> {
        self.get(id).ok_or_else(|| DocumentError::UnknownNode(id.clone()))
    }

    /// The top nodes, bottom first.
    pub fn roots(&self) -> &ChildList {
        &self.roots
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the two are snapshots with no change between them. `false` says nothing: equal nodes
    /// may have been made twice.
    pub fn shares_nodes_with(&self, other: &Self) -> bool {
        self.nodes.ptr_eq(&other.nodes) && self.roots.is_same(&other.roots)
    }

    /// All nodes in paint order: depth first, parents before children, bottom first.
    pub fn iter_depth_first(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.depth_first_from(self.roots.iter().rev().collect())
    }

    /// From the node's own space to the page.
    pub fn absolute_transform(&self, id: &NodeId) -> Result<Affine, DocumentError> {
        let mut node = self.node(id)?;
        let mut page_from_node = node.transform;
        // Upwards, each map after the one below it: where a parent is missing there is no place.
        while let Some(parent) = &node.parent {
            node = self.node(parent)?;
            page_from_node = node.transform.after(page_from_node);
        }
        Ok(page_from_node)
    }

    /// Figma's `absoluteBoundingBox`: the box around the node's own rectangle, on the page.
    pub fn absolute_box(&self, id: &NodeId) -> Result<Rect, DocumentError> {
        Ok(self.absolute_transform(id)?.bounds_of(self.node(id)?.size))
    }

    /// Whether a node is locked, or lies in one that is.
    pub fn is_locked(&self, id: &NodeId) -> bool {
        self.get(id).is_some_and(|node| node.locked)
            || self.ancestors(id).any(|around| around.locked)
    }

    /// Whether the auto layout of what it lies in says where a node lies.
    pub fn is_placed(&self, id: &NodeId) -> bool {
        let Some(node) = self.get(id) else { return false };
        let parent = node.parent.as_ref().and_then(|parent| self.get(parent));
        parent.is_some_and(|it| it.auto_layout.is_some()) && !node.layout_item.is_absolute
    }

    /// The children of a node, bottom first; of the page for `None`. Empty for an unknown node.
    pub fn children_of(&self, parent: Option<&NodeId>) -> &ChildList {
        match parent {
            None => &self.roots,
            Some(id) => self.get(id).map_or(ChildList::EMPTY, |node| &node.children),
        }
    }

    /// The parent of a node, its parent, and so on up to a root. Empty for a root or unknown node.
    pub fn ancestors(&self, id: &NodeId) -> impl Iterator<Item = &Arc<Node>> {
        let parent = self.get(id).and_then(|node| self.parent_of(node));
        std::iter::successors(parent, |node| self.parent_of(node))
    }

    /// The places of a node and of what it lies in among their siblings, from the page down: such paths compare as nodes
    /// are painted. Empty for an unknown node.
    pub fn paint_path(&self, id: &NodeId) -> Vec<usize> {
        let upwards = self.get(id).into_iter().chain(self.ancestors(id));
        let places = upwards.map(|node| {
            let siblings = self.children_of(node.parent.as_ref());
            siblings.position(&node.id).unwrap_or(siblings.len())
        });
        let mut path: Vec<usize> = places.collect();
        path.reverse();
        path
    }

    fn parent_of(&self, node: &Node) -> Option<&Arc<Node>> {
        self.get(node.parent.as_ref()?)
    }

    /// A node and all its descendants in paint order. Empty for an unknown node.
    pub fn subtree(&self, id: &NodeId) -> impl Iterator<Item = &Arc<Node>> {
        self.depth_first_from(self.get(id).map(|node| &node.id).into_iter().collect())
    }

    fn depth_first_from<'a>(
        &'a self,
        mut stack: Vec<&'a NodeId>,
    ) -> impl Iterator<Item = &'a Arc<Node>> {
        // A stack of its own instead of recursion: an iterator can be dropped half way.
        std::iter::from_fn(move || {
            loop {
                // An id that names nothing, as an edit of another document may leave, is skipped.
                if let Some(node) = self.nodes.get(stack.pop()?) {
                    stack.extend(node.children.iter().rev());
                    return Some(node);
                }
            }
        })
    }

    /// The frame that is the design: what is rendered, compared and written as the result.
    ///
    /// The first root FRAME named `Main Screen` (what CANVAS's runner exports), else what its
    /// evaluator picks: the first FRAME child of a CANVAS, else the first FRAME with a box in
    /// depth-first order, else the top node (below file and page, which have no box). `None` only
    /// for an empty document.
    /// Source: kixlab/canvas, `evaluation/metrics/component_similarity/block_matcher.py`.
    pub fn main_frame(&self) -> Option<&Arc<Node>> {
        // Mostly it is one of the few that lie on a page: asked often, of designs with many nodes.
        let tops = self.top_layers();
        let mut on_canvas = None;
        for node in tops.iter().filter_map(|id| self.get(id)) {
            let parent = self.parent_of(node);
            let is_on_canvas = parent.is_some_and(|parent| parent.kind == NodeKind::Canvas);
            if node.kind != NodeKind::Frame || (node.parent.is_some() && !is_on_canvas) {
                continue;
            }
            if node.name == "Main Screen" {
                return Some(node);
            }
            on_canvas = on_canvas.or(Some(node).filter(|_| is_on_canvas));
        }
        if on_canvas.is_some() {
            return on_canvas;
        }
        let (mut first_on_canvas, mut first_with_box) = (None, None);
        for node in self.iter_depth_first().filter(|node| node.kind == NodeKind::Frame) {
            let parent = self.parent_of(node);
            let is_on_canvas = parent.is_some_and(|parent| parent.kind == NodeKind::Canvas);
            // A frame of that name inside another is a part of a design, not the design.
            if node.name == "Main Screen" && (node.parent.is_none() || is_on_canvas) {
                return Some(node);
            }
            if is_on_canvas {
                first_on_canvas = first_on_canvas.or(Some(node));
            }
            if node.has_box() {
                first_with_box = first_with_box.or(Some(node));
            }
        }
        // A design without any frame (a lone group or shape) is still one.
        first_on_canvas
            .or(first_with_box)
            .or_else(|| self.iter_depth_first().find(|node| node.has_box()))
            .or_else(|| self.get(self.roots.first()?))
    }

    /// The node a single export is about: the only root, where it is neither a file nor a page.
    pub fn exported_root(&self) -> Option<&Arc<Node>> {
        let only = self.roots.first().filter(|_| self.roots.len() == 1)?;
        self.get(only).filter(|root| !root.kind.is_file_or_page())
    }

    /// The page that holds the design: the CANVAS of [`Self::main_frame`], else the first CANVAS.
    /// `None` where the top nodes lie on the page themselves, without a CANVAS.
    pub fn page(&self) -> Option<&Arc<Node>> {
        let around = self.main_frame().into_iter().flat_map(|frame| self.ancestors(&frame.id));
        around.chain(self.iter_depth_first()).find(|node| node.kind == NodeKind::Canvas)
    }

    /// The page that a node lies on, or is; `None` where there is none around it.
    pub fn page_of(&self, id: &NodeId) -> Option<&Arc<Node>> {
        let mut upwards = self.get(id).into_iter().chain(self.ancestors(id));
        upwards.find(|node| node.kind == NodeKind::Canvas)
    }

    /// Its pages, in their order; none where the top nodes lie on no page.
    pub fn pages(&self) -> Vec<NodeId> {
        let mut pages = Vec::new();
        let mut open: Vec<&NodeId> = self.roots.iter().rev().collect();
        while let Some(node) = open.pop().and_then(|id| self.get(id)) {
            if node.kind == NodeKind::Canvas {
                pages.push(node.id.clone());
            } else if node.kind.is_file_or_page() {
                open.extend(node.children.iter().rev());
            }
        }
        pages
    }

    /// The layers that lie on its pages, or on none, bottom first: what is no file and no page, and lies in no layer.
    pub fn top_layers(&self) -> Vec<NodeId> {
        let mut layers = Vec::new();
        let mut open: Vec<&NodeId> = self.roots.iter().rev().collect();
        while let Some(id) = open.pop() {
            match self.get(id) {
                Some(node) if node.kind.is_file_or_page() => {
                    open.extend(node.children.iter().rev());
                }
                Some(_) => layers.push(id.clone()),
                None => {}
            }
        }
        layers
    }

    /// The box around the layers on its pages, or on none, that are shown and have a box; `None` where there are none.
    pub fn box_of_layers(&self) -> Option<Rect> {
        let layers = self.top_layers();
        let seen = layers.iter().filter_map(|id| self.get(id));
        let seen = seen.filter(|node| node.visible && node.has_box());
        Rect::union_all(seen.filter_map(|node| self.absolute_box(&node.id).ok()))
    }

    /// The same as one page alone shows it: whoever goes from the roots down meets nothing else. To be looked at, not
    /// to be worked on.
    #[must_use]
    pub fn with_page_alone(&self, page: &NodeId) -> Self {
        let mut alone = self.clone();
        alone.roots = [page.clone()].into_iter().collect();
        alone
    }

    /// How many ancestors a node has, and itself: 1 for a root, 0 for an unknown node.
    pub fn depth(&self, id: &NodeId) -> usize {
        self.get(id).map_or(0, |_| 1 + self.ancestors(id).count())
    }

    /// The pictures that image paints show.
    pub fn images(&self) -> &Images {
        &self.images
    }

    /// Adds a picture under this name, unless there is one.
    pub fn add_image(&mut self, image_ref: impl Into<String>, picture: Arc<Pixels>) {
        self.images.add(image_ref, picture);
    }

    /// The JSON around the nodes.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// Changes the JSON around the nodes. What is to be undone goes through
    /// [`Edit::between`](super::edit::Edit::between).
    pub fn set_envelope(&mut self, envelope: Envelope) {
        self.envelope = Arc::new(envelope);
    }

    pub(super) fn shared_envelope(&self) -> &Arc<Envelope> {
        &self.envelope
    }

    pub(super) fn set_shared_envelope(&mut self, envelope: Arc<Envelope>) {
        self.envelope = envelope;
    }

    /// Adds the pictures of another document, but those whose names are taken.
    pub fn add_images_of(&mut self, other: &Self) {
        self.images.add_all(&other.images);
    }

    pub(super) fn set_roots(&mut self, roots: ChildList) {
        self.roots = roots;
    }

    pub(super) fn roots_mut(&mut self) -> &mut ChildList {
        &mut self.roots
    }

    /// Puts a node into the table as it is, or takes it out, and remembers that its id is spent.
    pub(super) fn put(&mut self, id: &NodeId, node: Option<Arc<Node>>) {
        match node {
            Some(node) => self.nodes.insert_mut(id.clone(), node),
            None => {
                self.nodes.remove_mut(id);
            }
        }
        // Spent also when it is taken out: an id that was seen never means another node.
        self.spend(id.as_str());
    }

    /// The node to change, copied first if anyone else holds it.
    pub(super) fn get_mut(&mut self, id: &NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id).map(Arc::make_mut)
    }

    /// Remembers that an id is spent.
    pub(super) fn spend(&mut self, id: &str) {
        self.last_id = self.last_id.max(serial_of(id).unwrap_or(0));
    }

    pub(super) fn last_id(&self) -> u64 {
        self.last_id
    }

    pub(super) fn set_last_id(&mut self, last_id: u64) {
        self.last_id = last_id;
    }

    /// A fresh id `1:n`.
    pub(super) fn next_id(&mut self) -> NodeId {
        self.last_id += 1;
        NodeId::new(format!("1:{}", self.last_id))
    }
}

/// The `n` of an id `1:n`, so far as ids count up: what is beyond 2⁵³ will never be reached.
fn serial_of(id: &str) -> Option<u64> {
    let serial: u64 = id.strip_prefix("1:")?.parse().ok()?;
    (serial < 1 << 53).then_some(serial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;

    fn node(id: &str, kind: NodeKind, parent: Option<&str>) -> Node {
        Node { parent: parent.map(NodeId::from), ..Node::new(id.into(), id, kind) }
    }

    fn ids<'a>(nodes: impl Iterator<Item = &'a Arc<Node>>) -> Vec<&'a str> {
        nodes.map(|node| node.id.as_str()).collect()
    }

    fn tree() -> Document {
        Document::from_nodes([
            node("page", NodeKind::Canvas, None),
            node("a", NodeKind::Frame, Some("page")),
            node("b", NodeKind::Frame, Some("page")),
            node("a1", NodeKind::Section, Some("a")),
            node("a11", NodeKind::from_type_name("STAR"), Some("a1")),
        ])
        .unwrap()
    }

    #[test]
    fn walks_go_down_in_paint_order_and_up_to_the_root() {
        let document = tree();
        assert_eq!(ids(document.iter_depth_first()), ["page", "a", "a1", "a11", "b"]);
        assert_eq!(ids(document.subtree(&"a".into())), ["a", "a1", "a11"]);
        assert_eq!(ids(document.ancestors(&"a11".into())), ["a1", "a", "page"]);
        assert_eq!(document.children_of(Some(&"page".into())), ["a".into(), "b".into()]);
        assert_eq!(document.children_of(None), document.roots());
        assert_eq!(document.depth(&"a11".into()), 4);
    }

    #[test]
    fn unknown_nodes_have_nothing() {
        let (document, id) = (tree(), NodeId::from("absent"));
        assert_eq!(document.subtree(&id).count() + document.ancestors(&id).count(), 0);
        assert!(document.children_of(Some(&id)).is_empty());
        assert_eq!(document.depth(&id), 0);
        assert_eq!(document.absolute_box(&id), Err(DocumentError::UnknownNode(id)));
    }

    #[test]
    fn a_page_alone_has_nothing_of_the_others() {
        let file = Document::from_nodes([
            node("one", NodeKind::Canvas, None),
            node("a", NodeKind::Frame, Some("one")),
            node("two", NodeKind::Canvas, None),
            node("b", NodeKind::Frame, Some("two")),
        ])
        .unwrap();
        assert_eq!(file.pages(), ["one", "two"].map(NodeId::from));
        assert_eq!(file.top_layers(), ["a", "b"].map(NodeId::from));
        assert_eq!(file.with_page_alone(&"two".into()).top_layers(), [NodeId::from("b")]);
        let alone = file.with_page_alone(&"two".into());
        assert_eq!(ids(alone.iter_depth_first()), ["two", "b"]);
        assert_eq!(alone.main_frame().unwrap().id.as_str(), "b");
        assert_eq!(alone.page().unwrap().id.as_str(), "two");
        assert_eq!(ids(file.iter_depth_first()), ["one", "a", "two", "b"]);
    }

    #[test]
    fn the_box_of_layers_is_around_those_that_are_shown() {
        let frame = |id: &str, x: f64, visible: bool| Node {
            transform: Affine::translate(x, 5.0),
            size: Size::new(40.0, 30.0),
            visible,
            ..node(id, NodeKind::Frame, Some("page"))
        };
        let page = node("page", NodeKind::Canvas, None);
        let layers = [frame("a", 0.0, true), frame("b", 100.0, true), frame("c", 900.0, false)];
        let document = Document::from_nodes(std::iter::once(page.clone()).chain(layers)).unwrap();
        assert_eq!(document.box_of_layers(), Some(Rect::new(0.0, 5.0, 140.0, 30.0)));
        let hidden = Document::from_nodes([page, frame("c", 900.0, false)]).unwrap();
        assert_eq!((hidden.box_of_layers(), Document::default().box_of_layers()), (None, None));
    }

    #[test]
    fn the_page_is_the_canvas_around_the_main_frame() {
        assert_eq!(tree().page().unwrap().id.as_str(), "page");
        let page_of = |id: &str| tree().page_of(&id.into()).map(|page| page.id.to_string());
        assert_eq!(page_of("page").as_deref(), Some("page"));
        let main = tree().main_frame().unwrap().id.to_string();
        assert_eq!((page_of(&main).as_deref(), page_of("nowhere")), (Some("page"), None));
        let bare = Document::from_nodes([node("a", NodeKind::Frame, None)]).unwrap();
        assert_eq!((bare.page(), bare.pages()), (None, Vec::new()));
    }

    #[test]
    fn a_node_cannot_come_before_its_parent() {
        let error = Document::from_nodes([node("a", NodeKind::Frame, Some("b"))]).unwrap_err();
        assert_eq!(error, DocumentError::UnknownNode("b".into()));
    }
}

//! What changed between two documents, as JSON: applied to the first it gives exactly the second, wherever that is.
//!
//! An [`Edit`] is exact because it holds the very nodes; a [`DocumentPatch`] is what is written down of it. What is
//! typed of a node stands in it as the API writes that; place and size are digit by digit beside it, because boxes on
//! the page are worked out and back again. What a node was read from is named by the node it is a copy of (`like`), or
//! stands there too, as files are written back by it.
//!
//! Reading one trusts nothing: [`DocumentPatch::apply`] refuses, by the name of the node, whatever would not be a
//! document, and then nothing has changed.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::{Affine, Limits, Pixels, Size};
use crate::design::child_list::ChildList;
use crate::design::document::{Document, DocumentError};
use crate::design::edit::{Edit, check_numbers};
use crate::design::envelope::{Envelope, EnvelopeShape};
use crate::design::figma::{node_of_fields, typed_fields};
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::origin::{Origin, Placement};
use crate::design::picture_text::{picture_of_text, pictures_as_text, shown_pictures};

/// Most bytes of pictures in one patch; those beyond are left out, and drawn as missing.
const PICTURE_BYTES: usize = 24 << 20;

/// What changed between two documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DocumentPatch {
    /// Nodes that are new, changed or put elsewhere, parents before children, from the bottom up.
    #[serde(default)]
    nodes: Vec<NodePatch>,
    /// Nodes that are gone, each by its own id.
    #[serde(default)]
    removed: Vec<NodeId>,
    /// The children of nodes whose order is another, where `nodes` do not say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    order: Vec<ChildOrder>,
    /// All that stands around the nodes of a file, such as the lists of its styles and components, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    around: Option<Map<String, Value>>,
    /// Pictures that paints show and that were not there before: PNG in base64, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pictures: BTreeMap<String, String>,
}

/// What became of a node. What is absent is as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NodePatch {
    id: NodeId,
    /// Where it is put, if it is new or lies elsewhere; absent or null beside an `index`: the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    /// Its place among the children, from the bottom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// What is typed of it, all of it, as the API writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<Map<String, Value>>,
    /// From its own space to its parent's, two rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transform: Option<[[f64; 3]; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    /// The fields of the object it came from ([`Node::source`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Map<String, Value>>,
    /// The node of the document before that it was copied from, and was read as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    like: Option<NodeId>,
    /// What else its file said of it, of a node that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read: Option<ReadAs>,
}

/// [`Origin`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ReadAs {
    id: NodeId,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    children_at: Option<usize>,
    page_from_node: [[f64; 3]; 2],
    transform: [[f64; 3]; 2],
    size: Size,
    relative_to_parent: bool,
    has_box: bool,
}

/// The children of a node, or of the page, bottom first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChildOrder {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

/// Why a patch cannot be applied. The document is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatchError {
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// Two entries about one node.
    #[error("node {0} comes twice")]
    Twice(NodeId),
    /// A node that is not there and is not put anywhere.
    #[error("node {0} is new and has no index: say where it goes")]
    Unplaced(NodeId),
    /// A node that is not there and of which something is missing.
    #[error("node {0} is new: it needs node, transform and size")]
    Incomplete(NodeId),
    /// A parent without a place among its children.
    #[error("node {0} has a parent and no index: say where among its children it goes")]
    NoIndex(NodeId),
    /// A field that cannot be read, or says what it would say by itself.
    #[error("node {id}: the field {field:?} is missing, or is not as the API writes it")]
    Field {
        /// Of which node.
        id: NodeId,
        /// Which.
        field: String,
    },
    /// Something would lie in a node that is gone.
    #[error("node {0} would lie in a node that is removed")]
    LeftBehind(NodeId),
    /// An order that names others than the children.
    #[error("the order of {0} names others than its children")]
    Order(String),
    /// Something around the nodes of a document that is no whole file.
    #[error("only a whole file has something around its nodes that can be another")]
    NoFile,
    /// Nodes that lie in one another.
    #[error("{0} nodes would lie in one another, and on no page")]
    Unreached(usize),
    /// A picture that cannot be read.
    #[error("the picture {name:?} cannot be used: {why}")]
    Picture {
        /// Its name.
        name: String,
        /// The cause.
        why: String,
    },
}

/// What a patch comes to.
#[derive(Clone, Debug)]
pub struct Patched {
    /// The change.
    pub edit: Edit,
    /// Pictures that are there from now on, by their names.
    pub pictures: Vec<(String, Arc<Pixels>)>,
}

impl DocumentPatch {
    /// What leads from one document to another, but for what is around the nodes ([`Envelope`]) of one that is no
    /// whole file.
    pub fn between(before: &Document, after: &Document) -> Self {
        let gone = before.iter_depth_first().filter(|node| after.get(&node.id).is_none());
        let mut patch =
            Self { removed: gone.map(|node| node.id.clone()).collect(), ..Self::default() };
        for node in after.iter_depth_first() {
            let was = before.get(&node.id);
            // Nodes that no edit touched are shared by both, so most are told apart by their address.
            if was.is_none_or(|was| !Arc::ptr_eq(was, node)) {
                patch.nodes.extend(NodePatch::between(was, node, before, after));
            }
        }
        patch.order = patch.open_orders(before, after);
        let (was, now) = (before.envelope(), after.envelope());
        // Of a bare node there is nothing around it that could be said.
        let are_files = [was, now].map(|envelope| envelope.shape == EnvelopeShape::Document);
        patch.around =
            (are_files == [true; 2] && was.fields != now.fields).then(|| now.fields.clone());
        patch.pictures = patch.new_pictures(before, after);
        patch
    }

    /// How many nodes it is about, and how many of them are gone.
    pub fn counts(&self) -> (usize, usize) {
        (self.nodes.len() + self.order.len(), self.removed.len())
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
            && self.removed.is_empty()
            && self.order.is_empty()
            && self.around.is_none()
    }

    /// What it makes of a document.
    ///
    /// # Errors
    ///
    /// Whatever would not be a document, by the name of the node.
    pub fn apply(&self, before: &Document) -> Result<Patched, PatchError> {
        let lists = self.links(before)?;
        let removed: BTreeSet<&NodeId> = self.removed.iter().collect();
        let mut made = BTreeMap::new();
        for patch in &self.nodes {
            let node = patch.make(before)?;
            check_numbers(&node)?;
            made.insert(node.id.clone(), node);
        }
        let mut roots = before.roots().clone();
        for (parent, children) in lists {
            let Some(parent) = parent else {
                roots = children;
                continue;
            };
            if removed.contains(&parent) {
                match children.first() {
                    Some(child) => return Err(PatchError::LeftBehind(child.clone())),
                    None => continue,
                }
            }
            if !made.contains_key(&parent) {
                made.insert(parent.clone(), Node::clone(before.node(&parent)?));
            }
            if let Some(node) = made.get_mut(&parent) {
                node.children = children;
            }
        }
        for node in made.values().filter(|node| !node.children.is_empty()) {
            // Kinds that are not known here may hold others, as they do in files.
            if !node.kind.is_container() && !matches!(node.kind, NodeKind::Other(_)) {
                let kind = node.kind.type_name().to_owned();
                return Err(DocumentError::NotAContainer { id: node.id.clone(), kind }.into());
            }
        }
        let gone = self.removed.iter().map(|id| (id.clone(), None));
        let made = made.into_iter().map(|(id, node)| (id, Some(Arc::new(node))));
        let changes = gone.chain(made).map(|(id, after)| {
            let before = before.get(&id).cloned();
            (id, (before, after))
        });
        let was = before.shared_envelope();
        let now = match &self.around {
            Some(_) if was.shape != EnvelopeShape::Document => return Err(PatchError::NoFile),
            Some(fields) => Arc::new(Envelope { fields: fields.clone(), ..Envelope::default() }),
            None => Arc::clone(was),
        };
        let edit = Edit::of_changes(changes, (before.roots().clone(), roots), (was, &now));
        check_whole(before, &edit)?;
        Ok(Patched { edit, pictures: self.decoded_pictures()? })
    }

    /// The lists of children that become others.
    fn links(&self, before: &Document) -> Result<BTreeMap<Option<NodeId>, ChildList>, PatchError> {
        let mut links = Links { before, lists: BTreeMap::new() };
        let mut seen = BTreeSet::new();
        let mut ids = self.removed.iter().chain(self.nodes.iter().map(|node| &node.id));
        if let Some(twice) = ids.find(|id| !seen.insert(*id)) {
            return Err(PatchError::Twice(twice.clone()));
        }
        for id in &self.removed {
            before.node(id)?;
            links.take(id);
        }
        for node in &self.nodes {
            match (before.get(&node.id), node.index) {
                (Some(_), Some(_)) => links.take(&node.id),
                (None, None) => return Err(PatchError::Unplaced(node.id.clone())),
                (Some(_), None) if node.parent.is_some() => {
                    return Err(PatchError::NoIndex(node.id.clone()));
                }
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
        for node in &self.nodes {
            if let Some(index) = node.index {
                links.list(node.parent.as_ref()).insert(index, node.id.clone());
            }
        }
        for ChildOrder { parent, children } in &self.order {
            let list = links.list(parent.as_ref());
            let (mut there, mut wanted) = (list.to_vec(), children.clone());
            there.sort();
            wanted.sort();
            if there != wanted {
                let parent = parent.as_ref().map_or("the page".to_owned(), ToString::to_string);
                return Err(PatchError::Order(parent));
            }
            *list = children.iter().cloned().collect();
        }
        // A node that goes takes nothing along that is not said to go.
        for id in &self.removed {
            let left = links.list(Some(id)).first().cloned();
            if let Some(left) = left {
                return Err(PatchError::LeftBehind(left));
            }
        }
        for node in &self.nodes {
            if let Some(parent) = node.parent.as_ref().filter(|_| node.index.is_some())
                && before.get(parent).is_none()
                && !seen.contains(parent)
            {
                return Err(DocumentError::UnknownNode(parent.clone()).into());
            }
        }
        Ok(links.lists)
    }

    /// The orders that do not follow from where nodes were put.
    fn open_orders(&self, before: &Document, after: &Document) -> Vec<ChildOrder> {
        let mut links = Links { before, lists: BTreeMap::new() };
        for id in &self.removed {
            links.take(id);
        }
        for node in self.nodes.iter().filter(|node| node.index.is_some()) {
            links.take(&node.id);
        }
        for node in &self.nodes {
            if let Some(index) = node.index {
                links.list(node.parent.as_ref()).insert(index, node.id.clone());
            }
        }
        let parents = after.iter_depth_first().map(|node| Some(&node.id));
        let mut open = Vec::new();
        for parent in std::iter::once(None).chain(parents) {
            let wanted = after.children_of(parent);
            let there = links.lists.get(&parent.cloned());
            if there.unwrap_or_else(|| before.children_of(parent)) != wanted {
                open.push(ChildOrder { parent: parent.cloned(), children: wanted.to_vec() });
            }
        }
        open
    }

    fn new_pictures(&self, before: &Document, after: &Document) -> BTreeMap<String, String> {
        let nodes = self.nodes.iter().filter_map(|patch| after.get(&patch.id));
        let names = nodes.flat_map(|node| shown_pictures(node));
        let new = names.filter(|name| before.images().get(name).is_none());
        pictures_as_text(after.images(), new, PICTURE_BYTES).0
    }

    fn decoded_pictures(&self) -> Result<Vec<(String, Arc<Pixels>)>, PatchError> {
        let pictures = self.pictures.iter().map(|(name, text)| {
            let pixels = picture_of_text(text).map_err(|error| bad_picture(name, &error))?;
            Ok((name.clone(), Arc::new(pixels)))
        });
        pictures.collect()
    }
}

fn bad_picture(name: &str, why: &dyn std::error::Error) -> PatchError {
    PatchError::Picture { name: name.chars().take(80).collect(), why: why.to_string() }
}

/// Lists of children while nodes are taken out and put in.
struct Links<'d> {
    before: &'d Document,
    lists: BTreeMap<Option<NodeId>, ChildList>,
}

impl Links<'_> {
    fn list(&mut self, parent: Option<&NodeId>) -> &mut ChildList {
        let before = self.before.children_of(parent);
        self.lists.entry(parent.cloned()).or_insert_with(|| before.clone())
    }

    fn take(&mut self, id: &NodeId) {
        let parent = self.before.get(id).and_then(|node| node.parent.clone());
        self.list(parent.as_ref()).remove(id);
    }
}

impl NodePatch {
    /// Of a node that is as it was.
    fn about(id: &NodeId) -> Self {
        Self {
            id: id.clone(),
            parent: None,
            index: None,
            node: None,
            transform: None,
            size: None,
            source: None,
            like: None,
            read: None,
        }
    }

    /// `None` where it is the same but for its children.
    fn between(
        was: Option<&Arc<Node>>,
        now: &Arc<Node>,
        before: &Document,
        after: &Document,
    ) -> Option<Self> {
        let mut patch = Self::about(&now.id);
        if was.is_none_or(|was| was.parent != now.parent) {
            patch.parent.clone_from(&now.parent);
            patch.index = after.children_of(now.parent.as_ref()).position(&now.id);
        }
        if was.is_none_or(|was| was.transform != now.transform) {
            patch.transform = Some(now.transform.to_rows());
        }
        if was.is_none_or(|was| was.size != now.size) {
            patch.size = Some(now.size);
        }
        if let Some(was) = was {
            patch.node = (typed(was) != typed(now)).then(|| typed_fields(now));
            patch.source = (was.source != now.source).then(|| Map::clone(&now.source));
            if was.origin != now.origin {
                patch.read = now.origin.as_deref().map(ReadAs::of);
            }
        } else {
            patch.node = Some(typed_fields(now));
            // A copy says of whom, not once more all that nobody here understands.
            patch.like = original_of(now, before);
            if patch.like.is_none() {
                patch.source = (!now.source.is_empty()).then(|| Map::clone(&now.source));
                patch.read = now.origin.as_deref().map(ReadAs::of);
            }
        }
        (patch != Self::about(&now.id)).then_some(patch)
    }

    fn make(&self, before: &Document) -> Result<Node, PatchError> {
        let id = &self.id;
        let was = before.get(id);
        let mut node = match (&self.node, was) {
            (Some(fields), _) => self.read_typed(fields)?,
            (None, Some(was)) => Node::clone(was),
            (None, None) => return Err(PatchError::Incomplete(id.clone())),
        };
        match was {
            // What the patch does not say of it is as it was.
            Some(was) => {
                node.parent.clone_from(&was.parent);
                node.children.clone_from(&was.children);
                (node.transform, node.size) = (was.transform, was.size);
                (node.source, node.origin) = (Arc::clone(&was.source), was.origin.clone());
            }
            None if self.transform.is_none() || self.size.is_none() => {
                return Err(PatchError::Incomplete(id.clone()));
            }
            None => {}
        }
        if self.index.is_some() {
            node.parent.clone_from(&self.parent);
        }
        if let Some(like) = &self.like {
            let like = before.node(like)?;
            (node.source, node.origin) = (Arc::clone(&like.source), like.origin.clone());
        }
        if let Some(source) = &self.source {
            node.source = Arc::new(source.clone());
        }
        if let Some(read) = &self.read {
            node.origin = Some(Arc::new(read.origin()));
        }
        if let Some(rows) = self.transform {
            node.transform = Affine::from_rows(rows);
        }
        node.size = self.size.unwrap_or(node.size);
        Ok(node)
    }

    /// The node of the fields. They have to be all there are and as they are written, so that none is passed
    /// over that cannot be read.
    fn read_typed(&self, fields: &Map<String, Value>) -> Result<Node, PatchError> {
        let node = node_of_fields(self.id.clone(), fields);
        let written = typed_fields(&node);
        let mut names = written.keys().chain(fields.keys());
        let wrong = names.find(|name| written.get(*name) != fields.get(*name));
        match wrong {
            Some(field) => {
                let field = field.chars().take(80).collect();
                Err(PatchError::Field { id: self.id.clone(), field })
            }
            None => Ok(node),
        }
    }
}

impl ReadAs {
    fn of(origin: &Origin) -> Self {
        let Placement { page_from_node, transform, size, relative_to_parent, has_box } =
            origin.placement;
        Self {
            id: origin.id.clone(),
            parent: origin.parent.clone(),
            children: origin.children.to_vec(),
            children_at: origin.children_at,
            page_from_node: page_from_node.to_rows(),
            transform: transform.to_rows(),
            size,
            relative_to_parent,
            has_box,
        }
    }

    fn origin(&self) -> Origin {
        Origin {
            id: self.id.clone(),
            parent: self.parent.clone(),
            children: self.children.iter().cloned().collect(),
            children_at: self.children_at,
            placement: Placement {
                relative_to_parent: self.relative_to_parent,
                has_box: self.has_box,
                ..Placement::new(
                    Affine::from_rows(self.page_from_node),
                    Affine::from_rows(self.transform),
                    self.size,
                )
            },
        }
    }
}

/// The node with nothing but what is typed of it.
fn typed(node: &Node) -> Node {
    Node {
        parent: None,
        children: ChildList::new(),
        transform: Affine::IDENTITY,
        size: Size::default(),
        source: Arc::default(),
        origin: None,
        ..node.clone()
    }
}

/// The node of a document that a new one was read as.
fn original_of(node: &Node, before: &Document) -> Option<NodeId> {
    let origin = node.origin.as_ref()?;
    // By its id first: a copy is read as what it was copied from.
    let read_as = before.get(&origin.id)?;
    let is_same = read_as.source == node.source && read_as.origin.as_ref() == Some(origin);
    is_same.then(|| origin.id.clone())
}

/// Every node of the document behind the edit is reached once, and none too deep.
fn check_whole(before: &Document, edit: &Edit) -> Result<(), PatchError> {
    let mut after = before.clone();
    edit.apply(&mut after);
    if after.len() > Limits::NODES {
        let (nodes, most) = (after.len(), Limits::NODES);
        return Err(DocumentError::TooLarge(format!("{nodes} nodes, {most} at most")).into());
    }
    let mut stack: Vec<(&NodeId, usize)> = after.roots().iter().map(|id| (id, 1)).collect();
    let mut reached = 0;
    while let Some((id, depth)) = stack.pop() {
        if depth > Limits::NODE_DEPTH {
            let most = Limits::NODE_DEPTH;
            let message = format!("{depth} levels, {most} at most");
            return Err(DocumentError::TooLarge(message).into());
        }
        reached += 1;
        stack.extend(after.node(id)?.children.iter().map(|child| (child, depth + 1)));
    }
    // Lists name no node twice, so that what is not reached lies in a circle.
    match after.len().saturating_sub(reached) {
        0 => Ok(()),
        unreached => Err(PatchError::Unreached(unreached)),
    }
}

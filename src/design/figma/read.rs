//! JSON to document.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::base::Limits;

use super::field::read_node;
use super::geometry::{Surroundings, recover};
use super::value::{Notes, Object};
use crate::design::child_list::ChildList;
use crate::design::document::{Document, DocumentError};
use crate::design::envelope::{Envelope, EnvelopeShape};
use crate::design::node::Node;
use crate::design::node_id::NodeId;
use crate::design::origin::Origin;

/// Why JSON is not a design.
#[derive(Debug, thiserror::Error)]
pub enum FigmaError {
    /// No node in it.
    #[error(
        "there is no Figma node in this JSON: expected a node, {{\"document\": node}} or {{\"nodes\": …}}"
    )]
    NoNode,
    /// A node that cannot be.
    #[error("{message} (at {path})")]
    BadNode {
        /// What is wrong.
        message: String,
        /// Where, as a JSON pointer.
        path: String,
    },
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// What was read, with what was odd about it.
#[derive(Debug)]
pub struct Loaded {
    /// The design.
    pub document: Document,
    /// Nodes or fields read with a replacement (null boxes, unknown types …), for people.
    pub warnings: Vec<String>,
}

/// Reads a whole file, a `nodes` answer or a single node.
///
/// Sources: figma/rest-api-spec, `dist/api_types.ts`; the two shapes around a node are those the
/// evaluator of kixlab/canvas takes (`block_matcher.py`).
pub fn from_json(json: Value) -> Result<Loaded, FigmaError> {
    let Value::Object(mut fields) = json else { return Err(FigmaError::NoNode) };
    let mut reader = FigmaReader::default();
    // A whole file has a `document` and may have `nodes` of its own sense; so that comes first.
    let shape = if fields.get("document").is_some_and(Value::is_object) {
        reader.read_root(taken(&mut fields, "document"), "/document")?;
        EnvelopeShape::Document
    } else if let Some(Value::Object(nodes)) = fields.get_mut("nodes") {
        EnvelopeShape::Nodes(reader.read_entries(nodes)?)
    } else if looks_like_node(&fields) {
        reader.read_root(Value::Object(std::mem::take(&mut fields)), "")?;
        EnvelopeShape::Bare
    } else {
        return Err(FigmaError::NoNode);
    };
    reader.document.set_envelope(Envelope { shape, fields });
    Ok(Loaded { document: reader.document, warnings: reader.notes.into_list() })
}

fn looks_like_node(fields: &Object) -> bool {
    fields.get("type").is_some_and(Value::is_string)
        || fields.get("children").is_some_and(Value::is_array)
}

/// Takes a value out and leaves null in its place.
fn taken(object: &mut Object, key: &str) -> Value {
    object.get_mut(key).map_or(Value::Null, Value::take)
}

#[derive(Default)]
struct FigmaReader {
    document: Document,
    notes: Notes,
    /// The ids of the nodes so far.
    ids: BTreeSet<NodeId>,
    /// Where the reader is: the pointer of the root, then positions among children.
    root: String,
    path: Vec<usize>,
}

impl FigmaReader {
    /// The entries of `nodes` that hold a node; others (null for an id the file lacks) stay in place.
    fn read_entries(&mut self, nodes: &mut Object) -> Result<Vec<(String, NodeId)>, FigmaError> {
        let mut entries = Vec::new();
        for (key, entry) in nodes.iter_mut().filter(|(_, entry)| holds_node(entry)) {
            // Null stays in its place, so that the envelope keeps the order of its keys.
            let node = entry.get_mut("document").map_or(Value::Null, Value::take);
            // A JSON pointer: its two special characters are escaped (RFC 6901).
            let path = format!("/nodes/{}/document", key.replace('~', "~0").replace('/', "~1"));
            entries.push((key.clone(), self.read_root(node, &path)?));
        }
        Ok(entries)
    }

    fn read_root(&mut self, node: Value, path: &str) -> Result<NodeId, FigmaError> {
        path.clone_into(&mut self.root);
        // Before the first id is given: one that the file uses further down must not be given out.
        spend_ids(&mut self.document, &node);
        let id = self.read(node, None, Surroundings::default())?;
        self.document.roots_mut().push(id.clone());
        Ok(id)
    }

    fn read(
        &mut self,
        json: Value,
        parent: Option<&NodeId>,
        around: Surroundings,
    ) -> Result<NodeId, FigmaError> {
        // Before it goes down: the depth that is checked is that of this recursion.
        self.check_room()?;
        let Value::Object(mut source) = json else { return Err(self.not_an_object(&json)) };
        let id = self.id_of(&source);
        // The children have nodes of their own; what stays is the object without them.
        let (children_at, children) = self.take_children(&mut source);
        let mut node = read_node(id.clone(), &source, &mut self.notes);
        // From the top down, as boxes are on the page and transforms relative to what is around.
        let placement = recover(&source, &node.kind, around, &mut self.notes);
        let inside = around.inside(&node.kind, placement.page_from_node);
        (node.transform, node.size) = (placement.transform, placement.size);
        node.parent = parent.cloned();
        node.source = Arc::new(without_spare_room(source));
        node.children = self.read_children(children, &id, inside)?;
        node.origin = Some(Arc::new(Origin {
            id: id.clone(),
            parent: parent.cloned(),
            children: node.children.clone(),
            children_at,
            placement,
        }));
        self.document.put(&id, Some(Arc::new(node)));
        Ok(id)
    }

    fn read_children(
        &mut self,
        children: Vec<Value>,
        parent: &NodeId,
        around: Surroundings,
    ) -> Result<ChildList, FigmaError> {
        let mut ids = ChildList::new();
        for (at, child) in children.into_iter().enumerate() {
            // Only for messages, so numbers are kept and no text is built until something is wrong.
            self.path.push(at);
            ids.push(self.read(child, Some(parent), around)?);
            self.path.pop();
        }
        Ok(ids)
    }

    /// The id in the file, or a fresh one. The notes that follow are about this node.
    fn id_of(&mut self, source: &Object) -> NodeId {
        let given = source.get("id").and_then(Value::as_str);
        let id = match given {
            Some(id) if !self.ids.contains(&id.into()) => NodeId::from(id),
            // Missing, or another node's: it gets a fresh one, and is written back with its own.
            _ => self.document.next_id(),
        };
        self.ids.insert(id.clone());
        let name = source.get("name").and_then(Value::as_str).unwrap_or_default();
        self.notes.about(&format!("{id} {name:?}"));
        match given {
            None => self.notes.add("has no id in the file"),
            Some(given) if given != id.as_str() => {
                self.notes.add(format_args!("has the id {given:?} of another node in the file"));
            }
            Some(_) => {}
        }
        id
    }

    /// A list of children is taken out; anything else is left.
    fn take_children(&mut self, source: &mut Object) -> (Option<usize>, Vec<Value>) {
        let at = source.keys().position(|key| key == "children");
        match source.get("children") {
            // The key goes, its position is remembered, and the order of the others stays.
            Some(Value::Array(_)) => match source.shift_remove("children") {
                Some(Value::Array(children)) => (at, children),
                _ => (None, Vec::new()),
            },
            Some(_) => {
                self.notes.add("children is not a list");
                (None, Vec::new())
            }
            None => (None, Vec::new()),
        }
    }

    fn check_room(&self) -> Result<(), DocumentError> {
        let (levels, most) = (self.path.len() + 1, Limits::NODE_DEPTH);
        if levels > most {
            return Err(DocumentError::TooLarge(format!("{levels} levels, {most} at most")));
        }
        // Ids are counted, not the table: the node is put there after its children.
        if self.ids.len() >= Limits::NODES {
            return Err(DocumentError::TooLarge(format!("more than {} nodes", Limits::NODES)));
        }
        Ok(())
    }

    fn not_an_object(&self, json: &Value) -> FigmaError {
        let what = match json {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        let path =
            self.path.iter().fold(self.root.clone(), |path, at| format!("{path}/children/{at}"));
        FigmaError::BadNode { message: format!("a node must be an object, not {what}"), path }
    }
}

/// The node that these fields describe: without place, parent and children, and as one that was made
/// here. What cannot be read is its default.
pub fn node_of_fields(id: NodeId, fields: &Object) -> Node {
    read_node(id, fields, &mut Notes::default())
}

fn holds_node(entry: &Value) -> bool {
    entry.get("document").is_some_and(Value::is_object)
}

/// The same fields without the room that reading left for more. They are most of what a document
/// takes: of one of many small nodes, an eighth of the memory was such room.
fn without_spare_room(object: Object) -> Object {
    // A map cannot be shrunk, but one that is made for so many fields holds no more.
    let mut exact = Object::with_capacity(object.len());
    exact.extend(object.into_iter().map(|(key, value)| (key, exact_value(value))));
    exact
}

fn exact_value(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(without_spare_room(object)),
        // Collecting could reuse the old allocation, spare room and all.
        Value::Array(mut values) => {
            for value in &mut values {
                *value = exact_value(value.take());
            }
            values.shrink_to_fit();
            Value::Array(values)
        }
        other => other,
    }
}

/// Remembers every id in the tree, so that fresh ids are none of them.
fn spend_ids(document: &mut Document, root: &Value) {
    // The same walk for any depth: it comes before depth is checked.
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if let Some(id) = node.get("id").and_then(Value::as_str) {
            document.spend(id);
        }
        stack.extend(node.get("children").and_then(Value::as_array).into_iter().flatten());
    }
}

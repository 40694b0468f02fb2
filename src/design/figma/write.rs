//! Document to JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::base::{Affine, Rect};

use super::field::{BODY, FigmaField, HEAD, read_node};
use super::geometry::{Surroundings, recover, relative, same_linear, same_map, same_size};
use super::value::{Notes, Object, close, json_number, json_rows, put, put_numbers};
use crate::design::document::{Document, DocumentError};
use crate::design::envelope::EnvelopeShape;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::origin::{Origin, Placement};

/// Writes the document in the shape it came in. A document that was not changed gives equal JSON.
///
/// A document made here is written as `{"document": <node>}`; where that shape, or the shape it
/// came in, cannot hold as many top nodes as there are, as `{"nodes": …}`.
pub fn to_json(document: &Document) -> Value {
    Writer { document, drawn: None }.write_document()
}

/// Writes as [`to_json`], with `absoluteRenderBounds` of every node that is not as it was read:
/// what `drawn` says, `null` where it says nothing.
pub fn to_json_with(document: &Document, drawn: &BTreeMap<NodeId, Rect>) -> Value {
    Writer { document, drawn: Some(drawn) }.write_document()
}

/// Writes one node with its subtree.
pub fn node_to_json(document: &Document, id: &NodeId) -> Result<Value, DocumentError> {
    Writer { document, drawn: None }.write_subtree(id)
}

/// Writes one node with its subtree, and `absoluteRenderBounds` as [`to_json_with`].
pub fn node_to_json_with(
    document: &Document,
    id: &NodeId,
    drawn: &BTreeMap<NodeId, Rect>,
) -> Result<Value, DocumentError> {
    Writer { document, drawn: Some(drawn) }.write_subtree(id)
}

struct Writer<'a> {
    document: &'a Document,
    /// What every visible node paints, on the page.
    drawn: Option<&'a BTreeMap<NodeId, Rect>>,
}

struct WrittenNode {
    json: Value,
    /// Whether the node and all in it are as they were read.
    is_as_read: bool,
}

impl Writer<'_> {
    fn write_document(&self) -> Value {
        let envelope = self.document.envelope();
        let roots = self.document.roots();
        match (&envelope.shape, roots.first()) {
            (EnvelopeShape::Document, Some(root)) if roots.len() == 1 => {
                let mut fields = envelope.fields.clone();
                put(&mut fields, "document", self.write_root(root));
                Value::Object(fields)
            }
            (EnvelopeShape::Bare, Some(root)) if roots.len() == 1 => self.write_root(root),
            (EnvelopeShape::Nodes(entries), _) => {
                self.write_nodes(envelope.fields.clone(), entries)
            }
            // The shape it came in holds one node, and there are none or several.
            _ => self.write_nodes(Object::new(), &[]),
        }
    }

    fn write_root(&self, id: &NodeId) -> Value {
        self.write_subtree(id).unwrap_or_default()
    }

    /// `{"nodes": …}` with every root in the entry it came from, or one of its own.
    fn write_nodes(&self, mut fields: Object, entries: &[(String, NodeId)]) -> Value {
        let roots = self.document.roots();
        let mut nodes = match fields.get_mut("nodes").map(Value::take) {
            Some(Value::Object(nodes)) => nodes,
            _ => Object::new(),
        };
        for (key, _) in entries.iter().filter(|(_, id)| !roots.contains(id)) {
            nodes.shift_remove(key);
        }
        for root in roots {
            let entry = entries.iter().find(|(_, id)| id == root);
            let key = entry.map_or(root.as_str(), |(key, _)| key);
            // What else the file said in the entry (`components`, `styles`) stays.
            match nodes.get_mut(key).and_then(Value::as_object_mut) {
                Some(entry) => put(entry, "document", self.write_root(root)),
                None => put(&mut nodes, key, json!({ "document": self.write_root(root) })),
            }
        }
        put(&mut fields, "nodes", nodes);
        Value::Object(fields)
    }

    fn write_subtree(&self, id: &NodeId) -> Result<Value, DocumentError> {
        let node = self.document.node(id)?;
        let ancestors: Vec<_> = self.document.ancestors(id).collect();
        let (mut around, mut as_read) = (Surroundings::default(), true);
        // From the top down: each transform is to the page by way of those above.
        for ancestor in ancestors.iter().rev() {
            let page_from_node = around.page_from_parent.after(ancestor.transform);
            around = around.inside(&ancestor.kind, page_from_node);
            as_read = as_read && stands_as_read(ancestor);
        }
        Ok(self.write(node, around, as_read).json)
    }

    /// Writes a subtree; `as_read` says whether all ancestors stand where they were read.
    fn write(&self, node: &Node, around: Surroundings, as_read: bool) -> WrittenNode {
        let page_from_node = around.page_from_parent.after(node.transform);
        let as_read = as_read && stands_as_read(node);
        let inside = around.inside(&node.kind, page_from_node);
        let children = node.children.iter().filter_map(|child| self.document.get(child));
        let children: Vec<_> = children.map(|child| self.write(child, inside, as_read)).collect();

        let origin = node.origin.as_deref();
        // Children were written first: whether they are as read decides about the bounds of this one.
        let mut is_as_read = as_read
            && origin.is_some_and(|origin| origin.children == node.children)
            && children.iter().all(|child| child.is_as_read);
        let children = children.into_iter().map(|child| child.json).collect();
        let mut object = Object::clone(&node.source);
        // Read again from its source rather than kept: a second node for each would double a document.
        let was = origin.map(|_| read_node(node.id.clone(), &node.source, &mut Notes::default()));
        if let Some(at) = origin.and_then(|origin| origin.children_at) {
            // Where `children` stood among the keys, as the reader took them out.
            let at = at.min(object.len());
            object.shift_insert(at, "children".to_owned(), Value::Null);
        }
        if origin.is_none_or(|origin| origin.id != node.id) {
            put(&mut object, "id", node.id.as_str());
        }
        // In the order of the API: name and kind, children, place, and then the look.
        is_as_read &= write_fields(HEAD, node, was.as_ref(), &mut object);
        write_children(node, children, &mut object);
        if !as_read && node.has_box() {
            write_place(node, page_from_node, around, &mut object);
        }
        is_as_read &= write_fields(BODY, node, was.as_ref(), &mut object);
        if !is_as_read && node.has_box() {
            self.write_render_bounds(node, &mut object);
        }
        WrittenNode { json: Value::Object(object), is_as_read }
    }

    /// `null` for what paints nothing.
    fn write_render_bounds(&self, node: &Node, object: &mut Object) {
        match self.drawn.map(|drawn| drawn.get(&node.id)) {
            Some(Some(bounds)) => put_box(object, "absoluteRenderBounds", *bounds),
            Some(None) => put(object, "absoluteRenderBounds", Value::Null),
            None => {}
        }
    }
}

/// Whether parent, transform and size are the very ones that were read.
fn stands_as_read(node: &Node) -> bool {
    node.origin.as_ref().is_some_and(|origin| {
        origin.parent == node.parent
            && origin.placement.transform == node.transform
            && origin.placement.size == node.size
    })
}

/// What is typed of a node, all of it as the API writes it: without children and place, and whatever
/// it was read from.
pub fn typed_fields(node: &Node) -> Object {
    let mut object = Object::new();
    write_fields(HEAD, node, None, &mut object);
    write_fields(BODY, node, None, &mut object);
    object
}

/// Writes what differs from `was`, and says whether nothing did.
fn write_fields(
    fields: &[FigmaField],
    node: &Node,
    was: Option<&Node>,
    object: &mut Object,
) -> bool {
    let mut is_same = true;
    // All of them, though one differs already: each writes only its own.
    for field in fields.iter().filter(|field| (field.applies)(&node.kind)) {
        if was.is_none_or(|was| !(field.same)(node, was)) {
            (field.write)(node, was, object);
            is_same = false;
        }
    }
    is_same
}

fn write_children(node: &Node, children: Vec<Value>, object: &mut Object) {
    // A container made here has the key even when it is empty, as the API has it.
    let was_there = node.origin.as_ref().is_some_and(|origin| origin.children_at.is_some());
    let belongs = node.origin.is_none() && node.kind.is_container();
    if was_there || belongs || !children.is_empty() {
        put(object, "children", children);
    }
}

fn same_place(was: &Placement, page_from_node: Affine, node: &Node) -> bool {
    same_map(was.page_from_node, page_from_node) && same_size(was.size, node.size)
}

/// Writes what differs of box, rotation and, where they are present or needed, `relativeTransform`
/// and `size`. Even a node that kept its place on the page may have another parent to relate to.
fn write_place(node: &Node, page_from_node: Affine, around: Surroundings, object: &mut Object) {
    let was = node.origin.as_deref().map(|origin: &Origin| origin.placement);
    if was.is_none_or(|was| !same_place(&was, page_from_node, node)) {
        write_box(was.as_ref(), page_from_node, node, object);
    }
    if was.is_none_or(|was| !same_linear(was.transform, node.transform)) {
        write_rotation(node.transform, object);
    }
    let to_parent = was.is_some_and(|was| was.relative_to_parent);
    let base = if to_parent { around.page_from_parent } else { around.page_from_container };
    let is_there = object.contains_key("relativeTransform") || object.contains_key("size");
    if !is_there {
        // Box and rotation say all there is to say of most nodes, and then no more is written.
        let read = recover(object, &node.kind, around, &mut Notes::default());
        if same_place(&read, page_from_node, node) {
            return;
        }
    }
    write_matrix(node, relative(base, page_from_node), object);
}

fn write_box(was: Option<&Placement>, page_from_node: Affine, node: &Node, object: &mut Object) {
    if let Some(was) = was {
        move_render_bounds(was, page_from_node, node, object);
    }
    put_box(object, "absoluteBoundingBox", page_from_node.bounds_of(node.size));
}

fn put_box(object: &mut Object, key: &str, bounds: Rect) {
    let numbers =
        [("x", bounds.x), ("y", bounds.y), ("width", bounds.width), ("height", bounds.height)];
    put_numbers(object, key, &numbers);
}

/// Radians, counter-clockwise; absent where 0.
fn write_rotation(transform: Affine, object: &mut Object) {
    let radians = transform.rotation_degrees().to_radians();
    // The API leaves it out of what is upright.
    if close(radians, 0.0) {
        object.shift_remove("rotation");
    } else {
        put(object, "rotation", json_number(radians));
    }
}

fn write_matrix(node: &Node, transform: Affine, object: &mut Object) {
    // Kept digit by digit where it says the same.
    let there = object.get("relativeTransform").and_then(super::value::rows);
    if there.is_none_or(|rows| !same_map(Affine::from_rows(rows), transform)) {
        put(object, "relativeTransform", json_rows(transform.to_rows()));
    }
    put_numbers(object, "size", &[("x", node.size.width), ("y", node.size.height)]);
}

/// What is drawn moves along with a node that only moved; after any other change it is not known
/// here, and left out. Outlines go when the size changes, but those of a VECTOR, which are typed.
fn move_render_bounds(was: &Placement, now: Affine, node: &Node, object: &mut Object) {
    if !same_size(was.size, node.size) && !matches!(node.kind, NodeKind::Vector(_)) {
        object.shift_remove("fillGeometry");
        object.shift_remove("strokeGeometry");
    }
    // The numbers are of the page, so that they move by what the node moved.
    let only_moved = same_linear(was.page_from_node, now) && same_size(was.size, node.size);
    let Some(there) = object.get("absoluteRenderBounds").and_then(Value::as_object) else { return };
    match ["x", "y"].map(|key| there.get(key).and_then(Value::as_f64)) {
        [Some(x), Some(y)] if only_moved => {
            let by = (now.e - was.page_from_node.e, now.f - was.page_from_node.f);
            put_numbers(object, "absoluteRenderBounds", &[("x", x + by.0), ("y", y + by.1)]);
        }
        _ => drop(object.shift_remove("absoluteRenderBounds")),
    }
}

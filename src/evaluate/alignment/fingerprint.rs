//! What nodes, calls and pictures come down to where two runs are compared: a number that is the same for
//! the same content, whatever the ids.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::{Affine, Pixels, Point};
use crate::design::{ChildList, Document, Node, NodeId};
use crate::environment::ToolCall;
use crate::run::id_arguments::with_ids;

/// A number that stands for content: equal for equal content, else different but for one in 2¹²⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// That of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_hash(&blake3::hash(bytes))
    }

    /// That of a picture: its size and its pixels.
    pub fn of_picture(pixels: &Pixels) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&pixels.width().to_le_bytes());
        hasher.update(&pixels.height().to_le_bytes());
        hasher.update(pixels.rgba());
        Self::from_hash(&hasher.finalize())
    }

    /// That of several, in their order.
    fn of_all<'a>(prints: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for print in prints {
            hasher.update(&print.0.to_le_bytes());
        }
        Self::from_hash(&hasher.finalize())
    }

    fn from_hash(hash: &blake3::Hash) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        Self(u128::from_le_bytes(half))
    }
}

/// The documents of a run at one step: each node by the place of its program and its id.
#[derive(Debug, Default)]
pub(super) struct Documents {
    nodes: BTreeMap<(usize, NodeId), KnownNode>,
    /// One more than the last place of a program.
    programs: usize,
    /// All nodes in paint order, each with the one it lies in.
    whole: Option<Fingerprint>,
}

#[derive(Clone, Debug)]
struct KnownNode {
    node: Arc<Node>,
    /// From the node's space to that of the page.
    transform: Affine,
    look: Fingerprint,
    /// Of what it is called.
    name: Fingerprint,
}

impl Documents {
    /// Those of a step, `before` being those of the step before; what both share is looked at once.
    pub(super) fn new(designs: &[(usize, Document)], before: &Self) -> Self {
        let mut nodes: BTreeMap<(usize, NodeId), KnownNode> = BTreeMap::new();
        let mut order = Vec::new();
        for (program, design) in designs {
            for node in design.iter_depth_first() {
                let parent = node.parent.as_ref().and_then(|id| nodes.get(&(*program, id.clone())));
                let around = parent.map_or(Affine::IDENTITY, |parent| parent.transform);
                let transform = around.after(node.transform);
                let key = (*program, node.id.clone());
                let known = before
                    .nodes
                    .get(&key)
                    .filter(|known| Arc::ptr_eq(&known.node, node) && known.transform == transform);
                // A step changes one node of hundreds: of the others nothing is hashed again.
                let (look, name) = match known {
                    Some(known) => (known.look, known.name),
                    None => (look_of(node, transform), Fingerprint::of(node.name.as_bytes())),
                };
                order.extend(parent.map(|parent| parent.look));
                order.push(look);
                order.push(name);
                nodes.insert(key, KnownNode { node: Arc::clone(node), transform, look, name });
            }
        }
        let whole = (!designs.is_empty()).then(|| Fingerprint::of_all(&order));
        let programs = designs.iter().map(|(program, _)| program + 1).max().unwrap_or(0);
        Self { nodes, programs, whole }
    }

    /// All of them as one; `None` where there is no document.
    pub(super) fn fingerprint(&self) -> Option<Fingerprint> {
        self.whole
    }

    /// What is different from those before: of every node that was made, changed or deleted what it was and
    /// what it is, in no order; `None` where nothing is.
    pub(super) fn change_since(&self, before: &Self) -> Option<Fingerprint> {
        let mut changes = Vec::new();
        for (key, now) in &self.nodes {
            match before.nodes.get(key) {
                None => changes.push(Fingerprint::of_all(&[MADE, now.look])),
                Some(was) if Arc::ptr_eq(&was.node, &now.node) => {}
                Some(was) => changes.extend(self.change(key.0, was, now)),
            }
        }
        let gone = before.nodes.iter().filter(|(key, _)| !self.nodes.contains_key(key));
        changes.extend(gone.map(|(_, was)| Fingerprint::of_all(&[DELETED, was.look])));
        // Two calls may make the same nodes one before the other.
        changes.sort_unstable();
        (!changes.is_empty()).then(|| Fingerprint::of_all(&changes))
    }

    fn change(&self, program: usize, was: &KnownNode, now: &KnownNode) -> Vec<Fingerprint> {
        let own = |it: &KnownNode| look_of(&it.node, it.node.transform);
        let mut changes = Vec::new();
        // By its own transform: what lies in a frame that was moved did not change itself.
        if own(was) != own(now) {
            changes.push(Fingerprint::of_all(&[was.look, now.look]));
        }
        if was.node.name != now.node.name {
            let name = Fingerprint::of(now.node.name.as_bytes());
            changes.push(Fingerprint::of_all(&[RENAMED, now.look, name]));
        }
        // Those that came or went are told of by themselves; the rest may lie in another order.
        let children = now.node.children.iter().map(|id| (program, id.clone()));
        let children: Vec<(usize, NodeId)> = children.collect();
        let had: BTreeSet<&NodeId> = was.node.children.iter().collect();
        let stayed = children.iter().map(|key| &key.1).filter(|id| had.contains(id));
        let are_here = was.node.children.iter();
        let are_here = are_here.filter(|id| self.nodes.contains_key(&(program, NodeId::clone(id))));
        if are_here.ne(stayed) {
            let looks = children.iter().filter_map(|key| self.nodes.get(key));
            let looks: Vec<Fingerprint> = looks.map(|known| known.look).collect();
            changes.push(Fingerprint::of_all(std::iter::once(&REORDERED).chain(&looks)));
        }
        changes
    }

    /// What a call asks for: its tool and its arguments, whatever the order of their names. The ids of nodes are
    /// replaced by what the nodes are, so that calls of two runs can be the same.
    pub(super) fn call(&self, call: &ToolCall) -> Fingerprint {
        let named = with_ids(&call.arguments, &|id| self.name_of(id));
        let mut text = call.name.clone();
        text.push('\0');
        write_canonically(named.as_ref().unwrap_or(&call.arguments), DEPTH, &mut text);
        Fingerprint::of(text.as_bytes())
    }

    /// What a node is called and where it lies, which tells it from the others of its document.
    fn name_of(&self, id: &str) -> Option<String> {
        let id = NodeId::new(id);
        let mut programs = 0..self.programs;
        let known = programs.find_map(|program| self.nodes.get(&(program, id.clone())));
        let KnownNode { node, transform, .. } = known?;
        let corner = transform.apply(Point::ZERO);
        let (kind, size) = (node.kind.type_name(), node.size);
        Some(format!(
            "{kind} {} {:.0} {:.0} {:.0} {:.0}",
            node.name, corner.x, corner.y, size.width, size.height
        ))
    }
}

const MADE: Fingerprint = Fingerprint(1);
const DELETED: Fingerprint = Fingerprint(2);
const RENAMED: Fingerprint = Fingerprint(3);
const REORDERED: Fingerprint = Fingerprint(4);

/// What a node is but for its name, its id and what lies in it, at this place.
fn look_of(node: &Node, transform: Affine) -> Fingerprint {
    let mut source = Map::clone(&node.source);
    source.remove("id");
    source.remove("name");
    // By a copy and not field by field: a field that is new one day counts as well.
    let look = Node {
        id: NodeId::new(""),
        name: String::new(),
        parent: None,
        children: ChildList::default(),
        transform,
        source: Arc::new(source),
        origin: None,
        ..Node::clone(node)
    };
    Fingerprint::of(format!("{look:?}").as_bytes())
}

/// Deepest value that is looked at.
const DEPTH: usize = 64;

/// Writes a value the same way whatever the order of its names; a field that is null is as good as none,
/// and a whole number the same with and without a point.
fn write_canonically(value: &Value, depth: usize, text: &mut String) {
    // What lies deeper than any design is not told apart: hostile nesting must not exhaust the stack.
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Number(number) => match number.as_f64() {
            // Writing to a String cannot fail.
            Some(number) => write!(text, "{number:?}").unwrap_or_default(),
            None => text.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonically(item, depth, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().filter(|field| !field.1.is_null()).collect();
            fields.sort_unstable_by(|one, other| one.0.cmp(other.0));
            text.push('{');
            for (name, field) in fields {
                // As JSON, with quotes and escapes: a name may hold `:` and `,` itself.
                text.push_str(&Value::String(name.clone()).to_string());
                text.push(':');
                write_canonically(field, depth, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::base::Size;
    use crate::design::NodeKind;

    fn node(id: &str, parent: Option<&str>, x: f64) -> Node {
        let mut node = Node::new(NodeId::from(id), "Card", NodeKind::Frame);
        node.parent = parent.map(NodeId::from);
        node.size = Size::new(20.0, 10.0);
        node.transform = Affine::translate(x, 0.0);
        node
    }

    fn documents(nodes: Vec<Node>, before: &Documents) -> Documents {
        Documents::new(&[(0, Document::from_nodes(nodes).unwrap())], before)
    }

    fn call(arguments: Value) -> ToolCall {
        ToolCall { id: String::new(), name: "set_fill".to_owned(), arguments }
    }

    #[test]
    fn ids_do_not_count() {
        let none = Documents::default();
        let one = documents(vec![node("1:1", None, 0.0), node("1:2", Some("1:1"), 5.0)], &none);
        let other = documents(vec![node("7:1", None, 0.0), node("7:9", Some("7:1"), 5.0)], &none);
        assert_eq!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.change_since(&none), other.change_since(&none));
        assert_eq!(
            one.call(&call(json!({ "nodeId": "1:2", "r": 1 }))),
            other.call(&call(json!({ "r": 1.0, "nodeId": "7:9", "a": null }))),
        );
        assert_ne!(
            one.call(&call(json!({ "nodeId": "1:2" }))),
            one.call(&call(json!({ "nodeId": "1:1" })))
        );
        assert_eq!(none.fingerprint(), None);
    }

    #[test]
    fn a_frame_that_moves_is_one_change_whatever_lies_in_it() {
        let none = Documents::default();
        let before = documents(vec![node("1:1", None, 0.0), node("1:2", Some("1:1"), 5.0)], &none);
        let moved = documents(vec![node("1:1", None, 9.0), node("1:2", Some("1:1"), 5.0)], &before);
        let alone = documents(vec![node("1:1", None, 0.0)], &none);
        let moved_alone = documents(vec![node("1:1", None, 9.0)], &alone);
        assert!(moved.change_since(&before).is_some());
        assert_eq!(moved.change_since(&before), moved_alone.change_since(&alone));
        assert_eq!(before.change_since(&before), None);
    }

    #[test]
    fn another_order_is_a_change() {
        let none = Documents::default();
        let root = || node("1:1", None, 0.0);
        let [a, b] = [node("1:2", Some("1:1"), 1.0), node("1:3", Some("1:1"), 2.0)];
        let one = documents(vec![root(), a.clone(), b.clone()], &none);
        let other = documents(vec![root(), b, a], &one);
        assert!(other.change_since(&one).is_some());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }
}

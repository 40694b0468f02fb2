//! Instances are made of the layers of their component.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::design::edit::Transaction;
use crate::design::hunk::Field;
use crate::design::{ChildList, Document, DocumentError, Node, NodeId, NodeKind};

/// What an instance calls its component in Figma's JSON.
const COMPONENT: &str = "componentId";

/// What Figma's JSON has of an instance alone.
pub(super) const OF_INSTANCES: [&str; 4] =
    ["componentId", "componentProperties", "overrides", "isExposedInstance"];

/// The component that an instance is one of; `None` of any other node.
pub fn component_of(node: &Node) -> Option<NodeId> {
    if node.kind != NodeKind::Instance {
        return None;
    }
    node.source.get(COMPONENT).and_then(Value::as_str).map(NodeId::from)
}

/// The id of a layer in an instance, by that of the layer in the component: `I5:1;2:3`, and of a layer of an instance in
/// it `I5:1;2:3;4:5`. Source: ids in files of Figma's REST interface.
pub(super) fn id_inside(instance: &NodeId, of: &NodeId) -> NodeId {
    let [instance, of] =
        [instance, of].map(|id| id.as_str().strip_prefix('I').unwrap_or(id.as_str()));
    NodeId::new(format!("I{instance};{of}"))
}

/// Puts an instance on top of a parent's children, where the component lies; gives its id.
pub(super) fn instance(
    change: &mut Transaction<'_>,
    component: &NodeId,
    parent: Option<&NodeId>,
) -> Result<NodeId, DocumentError> {
    let id = change.new_id();
    let main = Arc::clone(change.document().node(component)?);
    let mut root = Node { id: id.clone(), kind: NodeKind::Instance, ..Node::clone(&main) };
    name_component(&mut root, component);
    change.insert(root, parent, None)?;
    fill(change, &id, component)?;
    Ok(id)
}

/// Copies what lies in a component into an instance that is empty.
fn fill(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
) -> Result<(), DocumentError> {
    let inside: Vec<Arc<Node>> = change.document().subtree(component).skip(1).cloned().collect();
    let mut made = BTreeMap::from([(component.clone(), instance.clone())]);
    for node in inside {
        let Some(parent) = node.parent.as_ref().and_then(|parent| made.get(parent)).cloned() else {
            continue;
        };
        let id = copy(change, &node, instance, &parent, None)?;
        made.insert(node.id.clone(), id);
    }
    Ok(())
}

/// Copies one layer of a component into an instance, without what lies in it; gives the copy's id.
pub(super) fn copy(
    change: &mut Transaction<'_>,
    node: &Node,
    instance: &NodeId,
    parent: &NodeId,
    index: Option<usize>,
) -> Result<NodeId, DocumentError> {
    let wanted = id_inside(instance, &node.id);
    let is_free = change.document().get(&wanted).is_none();
    let id = if is_free { wanted } else { change.new_id() };
    let copy = Node { id: id.clone(), children: ChildList::new(), ..node.clone() };
    change.insert(copy, Some(parent), index)?;
    Ok(id)
}

/// Makes all in an instance as it is in its component.
pub(super) fn refill(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
) -> Result<(), DocumentError> {
    let main = Arc::clone(change.document().node(component)?);
    empty(change, instance)?;
    change.update(instance, |node| {
        for field in Field::ALL.into_iter().filter(|field| follows(*field, true)) {
            field.copy(&main, node);
        }
        name_component(node, component);
    })?;
    fill(change, instance, component)
}

/// Makes an instance one of another component. What was changed in it stays in layers of the same name and kind.
pub(super) fn swap(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
) -> Result<(), DocumentError> {
    let before = change.document().clone();
    let old = before.get(instance).and_then(|node| component_of(node));
    refill(change, instance, component)?;
    let Some(old) = old.filter(|old| before.get(old).is_some()) else { return Ok(()) };
    for (main, own) in pairs(&before, &old, instance) {
        let (Some(main), Some(own)) = (before.get(&main), before.get(&own)) else { continue };
        let changed: Vec<Field> = Field::ALL
            .into_iter()
            .filter(|field| !matches!(field, Field::Place | Field::Rotation | Field::Size))
            .filter(|field| follows(*field, true) && !field.is_same(main, own))
            .collect();
        let like = change
            .document()
            .subtree(instance)
            .find(|node| node.name == main.name && node.kind.type_name() == own.kind.type_name());
        let Some(like) = like.map(|node| node.id.clone()).filter(|_| !changed.is_empty()) else {
            continue;
        };
        change.update(&like, |node| changed.iter().for_each(|field| field.copy(own, node)))?;
    }
    Ok(())
}

/// Takes out what lies in a node.
fn empty(change: &mut Transaction<'_>, id: &NodeId) -> Result<(), DocumentError> {
    for child in change.document().children_of(Some(id)).to_vec() {
        if change.document().get(&child).is_some() {
            change.remove(&child)?;
        }
    }
    Ok(())
}

/// The layers of a component with those that stand for them in an instance, itself first: by their ids, and where an
/// instance was copied as a whole and its layers have ids of their own, by their order and kind.
pub(super) fn pairs(
    document: &Document,
    component: &NodeId,
    instance: &NodeId,
) -> Vec<(NodeId, NodeId)> {
    let mut pairs = vec![(component.clone(), instance.clone())];
    let mut next = 0;
    while let Some((main, own)) = pairs.get(next).cloned() {
        next += 1;
        let [mains, owns] = [&main, &own].map(|id| document.children_of(Some(id)));
        for (at, main) in mains.iter().enumerate() {
            let by_id = id_inside(instance, main);
            let by_place = || {
                let own = owns.get(at).and_then(|id| document.get(id))?;
                let kind = document.get(main)?.kind.type_name();
                let is_copy = !own.id.as_str().starts_with('I');
                (is_copy && own.kind.type_name() == kind).then(|| own.id.clone())
            };
            let own = if document.get(&by_id).is_some() { Some(by_id) } else { by_place() };
            pairs.extend(own.map(|own| (main.clone(), own)));
        }
    }
    pairs
}

/// Makes a node one that follows a component.
pub(super) fn name_component(node: &mut Node, component: &NodeId) {
    let source = Arc::make_mut(&mut node.source);
    for field in OF_INSTANCES {
        source.remove(field);
    }
    source.insert(COMPONENT.to_owned(), component.as_str().into());
}

/// Fields of a layer in an instance that follow its component: all of its look, and its place in the instance.
pub(super) fn follows(field: Field, is_root: bool) -> bool {
    match field {
        Field::Kind => false,
        // Where the instance lies is its own.
        Field::Place | Field::Rotation => !is_root,
        _ => field.is_value(),
    }
}

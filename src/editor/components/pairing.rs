//! Which layer of an instance stands for which of its component.

use serde_json::Value;

use crate::design::hunk::Field;
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::editor::error::EditorError;

/// What an instance calls its component in Figma's JSON.
pub(super) const COMPONENT: &str = "componentId";

/// The component that an instance is one of; `None` of any other node.
pub fn component_of(node: &Node) -> Option<NodeId> {
    if node.kind != NodeKind::Instance {
        return None;
    }
    node.source.get(COMPONENT).and_then(Value::as_str).map(NodeId::from)
}

/// The id of a layer in an instance, by that of the layer in the component: `I5:1;2:3`, and of a layer of an instance
/// in it `I5:1;2:3;4:5`. Source: ids in files of Figma's REST interface.
pub(super) fn id_inside(instance: &NodeId, of: &NodeId) -> NodeId {
    let [instance, of] =
        [instance, of].map(|id| id.as_str().strip_prefix('I').unwrap_or(id.as_str()));
    NodeId::new(format!("I{instance};{of}"))
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
            let own = if document.get(&by_id).is_some() {
                Some(by_id)
            } else {
                owns.get(at).and_then(|own| copy_at_place(document, main, own))
            };
            pairs.extend(own.map(|own| (main.clone(), own)));
        }
    }
    pairs
}

/// The layer at the place of a component's layer, if it has an id of its own and is of the same kind.
fn copy_at_place(document: &Document, main: &NodeId, own: &NodeId) -> Option<NodeId> {
    let own = document.get(own)?;
    let kind = document.get(main)?.kind.type_name();
    let is_copy = !own.id.as_str().starts_with('I');
    (is_copy && own.kind.type_name() == kind).then(|| own.id.clone())
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

/// The instance that a node is or lies in, the outermost where instances lie in one another: the one that says what is
/// overridden in it. `None` of a node in none.
pub(super) fn outermost_instance(document: &Document, id: &NodeId) -> Option<NodeId> {
    let around = document.get(id).into_iter().chain(document.ancestors(id));
    let instances = around.filter(|node| node.kind == NodeKind::Instance);
    instances.last().map(|node| node.id.clone())
}

/// The set that a component is a variant of; `None` of any other.
pub(super) fn set_of<'d>(document: &'d Document, component: &NodeId) -> Option<&'d Node> {
    let node = document.get(component).filter(|node| node.kind == NodeKind::Component)?;
    let parent = document.get(node.parent.as_ref()?)?;
    (parent.kind == NodeKind::ComponentSet).then(|| parent.as_ref())
}

/// An instance cannot lie in its own component, nor in one whose instances lie in that.
pub(super) fn check_no_cycle(
    document: &Document,
    component: &NodeId,
    place: Option<&NodeId>,
) -> Result<(), EditorError> {
    if document.node(component)?.kind != NodeKind::Component {
        return Err(EditorError::not_possible("only a component has instances"));
    }
    let Some(place) = place else { return Ok(()) };
    let around = document.ancestors(place).map(|node| &node.id).chain(std::iter::once(place));
    let around: Vec<&NodeId> = around.collect();
    let mut reached = vec![component.clone()];
    let mut next = 0;
    while let Some(id) = reached.get(next).cloned() {
        next += 1;
        if around.contains(&&id) {
            return Err(EditorError::not_possible("a component cannot hold an instance of itself"));
        }
        for used in document.subtree(&id).filter_map(|node| component_of(node)) {
            if !reached.contains(&used) {
                reached.push(used);
            }
        }
    }
    Ok(())
}

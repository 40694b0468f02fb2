//! Components and their instances.
//!
//! An instance names its component by Figma's `componentId`; what lies in it has ids that name the layer of the
//! component it was made of, as Figma's have ([`copying`]). After every edit of a component its instances follow it
//! ([`following`]), but for what is another in them.

mod copying;
mod following;

use std::sync::Arc;

use serde_json::{Value, json};

use super::arrange::group::{put_around, wrap};
use super::arrange::members::{chosen, select_made};
use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::{Affine, Point, Size};
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, EnvelopeShape, Node, NodeId, NodeKind};

pub use copying::component_of;
pub(super) use following::followed;

/// What is done with components.
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentAct {
    /// Makes what is selected a component: a frame becomes one, anything else gets one around it.
    Create,
    /// Puts an instance onto the page, around a place.
    Insert {
        /// Of which component.
        component: NodeId,
        /// Its middle, on the page.
        at: Point,
    },
    /// Makes the selected instances frames, which follow nothing.
    Detach,
    /// Makes the selected instances those of another component; what was changed in layers of the same name stays.
    Swap(NodeId),
    /// Makes what was changed in the selected instances as it is in their components.
    Reset,
}

/// Does it.
pub(in crate::editor) fn component_act(
    editor: &mut Editor,
    act: ComponentAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ComponentAct::Create => create(editor, context),
        ComponentAct::Insert { component, at } => insert(editor, &component, at, context),
        ComponentAct::Detach => {
            let instances = selected_instances(editor)?;
            editor.edit("Detach instance", &instances, context, |change| {
                let mut instances = instances.iter();
                instances.try_for_each(|id| change.update(id, detach))
            })?;
            Ok(())
        }
        ComponentAct::Swap(component) => {
            let instances = selected_instances(editor)?;
            for instance in &instances {
                check_no_cycle(editor.document(), &component, Some(instance))?;
            }
            editor.edit("Swap instance", &instances, context, |change| {
                let mut instances = instances.iter();
                instances.try_for_each(|id| copying::swap(change, id, &component))
            })?;
            Ok(())
        }
        ComponentAct::Reset => {
            let instances = selected_instances(editor)?;
            editor.edit("Reset instance", &instances, context, |change| {
                for id in &instances {
                    let of = change.document().get(id).and_then(|node| component_of(node));
                    if let Some(component) = of.filter(|it| change.document().get(it).is_some()) {
                        copying::refill(change, id, &component)?;
                    }
                }
                Ok(())
            })?;
            Ok(())
        }
    }
}

fn create(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let Ok(nodes) = chosen(editor) else {
        return Err(EditorError::not_possible("select what is to be a component"));
    };
    let document = editor.document();
    let is_component =
        |id: &NodeId| document.get(id).is_some_and(|it| matches!(it.kind, NodeKind::Component));
    let lies_in_one = |id: &NodeId| document.ancestors(id).any(|around| is_component(&around.id));
    let holds_one = |id: &NodeId| document.subtree(id).any(|it| is_component(&it.id));
    if nodes.iter().any(|id| lies_in_one(id) || holds_one(id)) {
        return Err(EditorError::not_possible("a component cannot lie in another one"));
    }
    let mut after = document.clone();
    let mut change = Transaction::begin(&mut after);
    let component = match nodes.as_slice() {
        [only] if document.get(only).is_some_and(|node| node.kind == NodeKind::Frame) => {
            change.update(only, |node| node.kind = NodeKind::Component)?;
            only.clone()
        }
        _ => around(&mut change, &nodes)?,
    };
    change.commit_with(context.measure);
    list(&mut after, &component);
    let edit = Edit::between(document, &after);
    editor.take_in("Create component", &nodes, edit, None);
    select_made(editor, vec![component]);
    Ok(())
}

/// Puts a component around nodes, where the one in front of them lies.
fn around(change: &mut Transaction<'_>, nodes: &[NodeId]) -> Result<NodeId, EditorError> {
    let document = change.document();
    let name = match nodes {
        [only] => document.get(only).map_or("Component", |node| node.name.as_str()),
        _ => "Component",
    };
    let mut component = Node::new("".into(), name, NodeKind::Component);
    put_around(&mut component, document, nodes);
    if component.size == Size::default() {
        return Err(EditorError::not_possible("it has no box"));
    }
    component.id = change.new_id();
    Ok(wrap(change, component, nodes)?)
}

/// Names a component beside the nodes, as files have it.
fn list(document: &mut Document, component: &NodeId) {
    let Some(node) = document.get(component) else { return };
    let entry = json!({
        "key": "", "name": node.name, "description": "", "documentationLinks": [], "remote": false,
    });
    let mut envelope = document.envelope().clone();
    if envelope.shape != EnvelopeShape::Document {
        return;
    }
    let components = envelope.fields.entry("components").or_insert_with(|| json!({}));
    if let Value::Object(components) = components {
        components.insert(component.as_str().to_owned(), entry);
        document.set_envelope(envelope);
    }
}

fn insert(
    editor: &mut Editor,
    component: &NodeId,
    at: Point,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let main = document.node(component)?;
    if main.kind != NodeKind::Component || !at.is_finite() {
        return Err(EditorError::not_possible("only a component has instances"));
    }
    let size = main.size;
    let screen = document.main_frame();
    let screen = screen.filter(|screen| {
        let area = document.absolute_box(&screen.id);
        screen.kind.is_container() && area.is_ok_and(|area| area.contains(at))
    });
    let parent = match screen {
        Some(screen) => Some(screen.id.clone()),
        None => main.parent.clone(),
    };
    check_no_cycle(document, component, parent.as_ref())?;
    let mut made = None;
    editor.edit("Insert instance", std::slice::from_ref(component), context, |change| {
        let id = copying::instance(change, component, parent.as_ref())?;
        let (x, y) = (at.x - size.width / 2.0, at.y - size.height / 2.0);
        change.set_absolute_transform(&id, Affine::translate(x.round(), y.round()))?;
        made = Some(id);
        Ok(())
    })?;
    select_made(editor, made.into_iter().collect());
    Ok(())
}

/// An instance cannot lie in its own component, nor in one whose instances lie in that.
fn check_no_cycle(
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

fn selected_instances(editor: &Editor) -> Result<Vec<NodeId>, EditorError> {
    let document = editor.document();
    let mut instances = editor.topmost_selected();
    instances.retain(|id| document.get(id).is_some_and(|it| it.kind == NodeKind::Instance));
    if instances.is_empty() {
        Err(EditorError::not_possible("select an instance"))
    } else {
        Ok(instances)
    }
}

fn detach(node: &mut Node) {
    node.kind = NodeKind::Frame;
    let source = Arc::make_mut(&mut node.source);
    for field in copying::OF_INSTANCES {
        source.remove(field);
    }
}

#[cfg(test)]
mod tests;

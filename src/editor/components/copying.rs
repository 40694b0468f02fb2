//! Instances are made of the layers of their component.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::keeping::{KEPT, KeptLayer, kept, layer_like, store};
use super::overrides::{Naming, Override, mains_of, name_overrides, overrides_of};
use super::pairing::{
    COMPONENT, check_no_cycle, component_of, follows, id_inside, outermost_instance,
};
use super::properties::{
    ComponentProperty, PROPERTIES, PropertyValue, component_properties, property_holder, referring,
};
use super::variants::{DEFINITIONS, instance_name, properties_for};
use crate::design::edit::Transaction;
use crate::design::hunk::Field;
use crate::design::{ChildList, Document, DocumentError, Node, NodeId, NodeKind};

/// How deep instances are swapped in what is swapped.
const MOST_ROUNDS: usize = 16;

/// What files have of an instance alone.
pub(super) const OF_INSTANCES: [&str; 5] =
    ["componentId", "componentProperties", "overrides", "isExposedInstance", KEPT];

/// Puts an instance on top of a parent's children, where the component lies; gives its id.
pub(super) fn instance(
    change: &mut Transaction<'_>,
    component: &NodeId,
    parent: Option<&NodeId>,
) -> Result<NodeId, DocumentError> {
    let id = change.new_id();
    let main = Arc::clone(change.document().node(component)?);
    let mut root = Node { id: id.clone(), kind: NodeKind::Instance, ..Node::clone(&main) };
    let properties = properties_for(change.document(), component, None);
    name_component(&mut root, component, properties);
    if let Some(name) = instance_name(change.document(), component) {
        root.name = name;
    }
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
    // The id that Figma gives it, by which pairs are found; where it is taken they are found by their places.
    let wanted = id_inside(instance, &node.id);
    let is_free = change.document().get(&wanted).is_none();
    let id = if is_free { wanted } else { change.new_id() };
    let copy = Node { id: id.clone(), children: ChildList::new(), ..node.clone() };
    change.insert(copy, Some(parent), index)?;
    Ok(id)
}

/// Makes all in an instance as it is in its component, in one that lies in another instance as it is in that one's.
pub(super) fn reset(change: &mut Transaction<'_>, instance: &NodeId) -> Result<(), DocumentError> {
    let document = change.document();
    let of = document.get(instance).and_then(|node| component_of(node));
    let Some(component) = of.filter(|it| document.get(it).is_some()) else { return Ok(()) };
    let around = outermost_instance(document, instance).filter(|around| around != instance);
    let mut overridden = overrides_of(document, instance);
    refill(change, instance, &component, None)?;
    if around.is_none() {
        return Ok(());
    }
    overridden.retain(|one| change.document().get(&one.node).is_some());
    name_overrides(change, &overridden, Naming::NotNamed)?;
    as_around(change, instance)
}

/// Gives all in an instance that lies in another one what that one's component has; one that was swapped there stays as
/// its own component has it.
fn as_around(change: &mut Transaction<'_>, instance: &NodeId) -> Result<(), DocumentError> {
    let around = outermost_instance(change.document(), instance);
    let Some(around) = around.filter(|around| around != instance) else { return Ok(()) };
    let mains = mains_of(change.document(), &around);
    let inside: Vec<NodeId> =
        change.document().subtree(instance).map(|node| node.id.clone()).collect();
    for own in inside {
        let main = mains.get(&own).and_then(|main| change.document().get(main)).cloned();
        let Some(main) = main.filter(|main| main.kind != NodeKind::Component) else { continue };
        change.update(&own, |node| {
            let fields = Field::ALL.into_iter().filter(|field| follows(*field, false));
            fields.for_each(|field| field.copy(&main, node));
        })?;
    }
    Ok(())
}

/// Makes all in an instance as it is in a component; `old` are the properties that it keeps where the component has
/// them.
fn refill(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
    old: Option<&Value>,
) -> Result<(), DocumentError> {
    let main = Arc::clone(change.document().node(component)?);
    let properties = properties_for(change.document(), component, old);
    let name = instance_name(change.document(), component);
    empty(change, instance)?;
    change.update(instance, |node| {
        for field in Field::ALL.into_iter().filter(|field| follows(*field, true)) {
            field.copy(&main, node);
        }
        node.name = name.unwrap_or_default();
        name_component(node, component, properties);
    })?;
    fill(change, instance, component)
}

/// Makes an instance one of another component. What is overridden in it stays in layers that lie alike and have the
/// same name and kind, or is kept for a component that has such layers; instances in it that were swapped stay so, or
/// keep it while they cannot, and properties that were set stay set.
pub(super) fn swap(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
) -> Result<(), DocumentError> {
    swap_with(change, instance, component, MOST_ROUNDS)
}

fn swap_with(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    component: &NodeId,
    rounds: usize,
) -> Result<(), DocumentError> {
    // What was overridden is asked of the design as it was, while the layers are replaced.
    let before = change.document().clone();
    let (kept, unread) = kept(&before, instance);
    let node = before.node(instance)?;
    refill(change, instance, component, node.source.get(PROPERTIES))?;
    as_around(change, instance)?;
    // A layer that is switched off stays so.
    change.update(instance, |now| now.visible = node.visible)?;
    let mut taken: BTreeMap<NodeId, Vec<Field>> = BTreeMap::new();
    let mut swapped: BTreeSet<NodeId> = BTreeSet::new();
    let (mut overridden, mut left) = (Vec::new(), Vec::new());
    for kept in kept {
        let Some(like) = layer_like(change.document(), instance, &kept, &taken) else {
            left.push(kept);
            continue;
        };
        // Of several that were kept for a layer the newest, which comes first, says what it is swapped to.
        if let Some(other) = kept.swapped_to.clone()
            && swapped.insert(like.clone())
        {
            // Meanwhile the component may be gone, or hold what the instance lies in.
            let can_be = check_no_cycle(change.document(), &other, Some(&like)).is_ok();
            if !can_be || rounds == 0 {
                left.push(kept);
                continue;
            }
            swap_with(change, &like, &other, rounds - 1)?;
        }
        let KeptLayer { own, mut fields, .. } = kept;
        // What was overridden last comes first.
        let taken = taken.entry(like.clone()).or_default();
        fields.retain(|field| !taken.contains(field));
        change.update(&like, |node| {
            for field in &fields {
                field.copy(&own, node);
            }
            if let Some(inside) = own.source.get(KEPT).filter(|_| like != *instance) {
                Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), inside.clone());
            }
        })?;
        taken.extend(&fields);
        overridden.extend(fields.into_iter().map(|field| Override { node: like.clone(), field }));
    }
    store(change, instance, &left, unread)?;
    name_overrides(change, &overridden, Naming::Named)?;
    set_again(change, &before, instance, rounds)
}

/// Has layers say what properties were set to in an instance before it was swapped, whatever they are called now.
fn set_again(
    change: &mut Transaction<'_>,
    before: &Document,
    instance: &NodeId,
    rounds: usize,
) -> Result<(), DocumentError> {
    let first = property_holder(before, instance).map(|it| component_properties(before, &it.id));
    let first = first.unwrap_or_default();
    let was = component_properties(before, instance);
    let now = component_properties(change.document(), instance);
    for property in was {
        // What nobody set is as the new component has it at first.
        let is_set = first.iter().any(|it| it.key == property.key) && !first.contains(&property);
        if is_set && now.contains(&property) {
            set_referring(change, instance, &property, rounds)?;
        }
    }
    Ok(())
}

/// Gives the layers of a component, a set or an instance that refer to a property what it sets.
pub(super) fn set_property(
    change: &mut Transaction<'_>,
    root: &NodeId,
    property: &ComponentProperty,
) -> Result<(), DocumentError> {
    set_referring(change, root, property, MOST_ROUNDS)
}

fn set_referring(
    change: &mut Transaction<'_>,
    root: &NodeId,
    property: &ComponentProperty,
    rounds: usize,
) -> Result<(), DocumentError> {
    let kind = property.value.kind();
    for layer in referring(change.document(), root, kind, &property.key) {
        let node = change.document().get(&layer);
        if node.and_then(|node| kind.value_of(node)).as_ref() == Some(&property.value) {
            continue;
        }
        match &property.value {
            PropertyValue::Text(words) => change.update(&layer, |node| {
                if let Some(text) = node.text_mut() {
                    text.rewrite(words);
                }
            })?,
            PropertyValue::Boolean(is_on) => change.update(&layer, |node| node.visible = *is_on)?,
            PropertyValue::Component(component) => {
                let is_there = change.document().get(component).is_some();
                let is_instance =
                    change.document().get(&layer).is_some_and(|it| it.kind == NodeKind::Instance);
                if is_there && is_instance && rounds > 0 {
                    swap_with(change, &layer, component, rounds - 1)?;
                }
            }
        }
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

/// Makes a node one that follows a component, with these of its properties.
pub(super) fn name_component(
    node: &mut Node,
    component: &NodeId,
    properties: Option<Map<String, Value>>,
) {
    let source = Arc::make_mut(&mut node.source);
    // Whatever else it was before, the file says of that and not of this.
    for field in OF_INSTANCES {
        source.remove(field);
    }
    source.shift_remove(DEFINITIONS);
    source.insert(COMPONENT.to_owned(), component.as_str().into());
    if let Some(properties) = properties {
        source.insert(PROPERTIES.to_owned(), properties.into());
    }
}

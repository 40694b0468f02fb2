//! What an instance has otherwise than its component.
//!
//! Two things say so, and are one answer here ([`overrides_of`]): a field that is another than in the component, and
//! Figma's `overrides` in the instance, which name fields that keep what they have though the component has the same.
//! What people change in an instance is written there with the change ([`recorded`]). Place, rotation and what follows
//! from layout are overridden only where a file names them: Figma has no such override.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::field_names::{field_named, names_of};
use super::pairing::{component_of, follows, outermost_instance, pairs, set_of};
use super::properties::{ComponentProperty, PropertyKind, property_of, reference_of, write_value};
use crate::design::edit::{Edit, Transaction};
use crate::design::hunk::Field;
use crate::design::{Direction, Document, DocumentError, Node, NodeId, NodeKind, Sizing};

const OVERRIDES: &str = "overrides";
const FIELDS: &str = "overriddenFields";

/// A field of a layer that an instance has otherwise than its component, or keeps whatever the component has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Override {
    /// The instance, or a layer in it.
    pub node: NodeId,
    /// Which field.
    pub field: Field,
}

/// What is overridden in an instance, itself first, from the outside in; of an instance in another one what that one
/// overrides in it.
pub fn overrides_of(document: &Document, instance: &NodeId) -> Vec<Override> {
    let Some(outermost) = outermost_instance(document, instance) else { return Vec::new() };
    let mains = mains_of(document, &outermost);
    let named = document.get(&outermost).map(|node| Entries::of(node).fields()).unwrap_or_default();
    let mut overrides = Vec::new();
    for own in document.subtree(instance) {
        let is_root = own.id == outermost;
        let main = mains.get(&own.id).and_then(|main| document.get(main));
        for field in Field::ALL.into_iter().filter(|field| follows(*field, is_root)) {
            // What layout places is elsewhere whenever a neighbour grows: there the file alone says that it was
            // meant.
            let differs = !is_placed_by_layout(field, is_root)
                && main.is_some_and(|main| is_another(document, field, main, own));
            if differs || named.contains(&(own.id.clone(), field)) {
                overrides.push(Override { node: own.id.clone(), field });
            }
        }
    }
    overrides
}

/// The layer that each layer of an instance is to be as: that of the component that it stands for, and of an instance
/// in it that was swapped, and what lies in that, that of the component it was swapped to. Nothing where the component
/// is not in the file.
pub(super) fn mains_of(document: &Document, instance: &NodeId) -> BTreeMap<NodeId, NodeId> {
    let mut mains = layers_of_component(document, instance);
    for (own, _) in swapped(document, instance, &mains) {
        mains.extend(mains_of(document, &own));
    }
    mains
}

/// An instance in another one that was made one of another component than it is of there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwappedInstance {
    /// Which.
    pub node: NodeId,
    /// The component that it is of where nothing is overridden.
    pub original: NodeId,
}

/// The instances in an instance that were swapped, from the outside in; those that a component brought swapped are not.
pub fn swapped_instances(document: &Document, instance: &NodeId) -> Vec<SwappedInstance> {
    let Some(outermost) = outermost_instance(document, instance) else { return Vec::new() };
    let layers = layers_of_component(document, &outermost);
    let swapped = swapped(document, &outermost, &layers);
    let inside = document.subtree(instance).skip(1).filter_map(|node| {
        let original = swapped.get(&node.id)?.clone();
        Some(SwappedInstance { node: node.id.clone(), original })
    });
    inside.collect()
}

/// The instances among the layers of an instance that are of another component than the layers they stand for, with
/// that one's.
fn swapped(
    document: &Document,
    instance: &NodeId,
    layers: &BTreeMap<NodeId, NodeId>,
) -> BTreeMap<NodeId, NodeId> {
    let swapped = layers.iter().filter(|(own, _)| *own != instance).filter_map(|(own, main)| {
        let [now, original] =
            [own, main].map(|id| document.get(id).and_then(|it| component_of(it)));
        let (now, original) = now.zip(original)?;
        (now != original).then(|| (own.clone(), original))
    });
    swapped.collect()
}

/// The layer of the component that each layer of an instance stands for, whatever was swapped; nothing where the
/// component is not in the file.
pub(super) fn layers_of_component(
    document: &Document,
    instance: &NodeId,
) -> BTreeMap<NodeId, NodeId> {
    let component = document.get(instance).and_then(|node| component_of(node));
    let component = component.filter(|component| document.get(component).is_some());
    let pairs = component.map(|component| pairs(document, &component, instance));
    pairs.unwrap_or_default().into_iter().map(|(main, own)| (own, main)).collect()
}

/// Fields of which a difference alone says nothing: layout makes it.
fn is_placed_by_layout(field: Field, is_root: bool) -> bool {
    matches!(field, Field::Place | Field::Rotation) || (field == Field::Size && !is_root)
}

/// Whether a field is another than in the component. An instance of a variant has the name of the set.
fn is_another(document: &Document, field: Field, main: &Node, own: &Node) -> bool {
    if field == Field::Name
        && let Some(set) = set_of(document, &main.id)
        && component_of(own).is_some()
    {
        return own.name != set.name && own.name != main.name;
    }
    !field.is_same(main, own)
}

/// The fields of a layer that the file of its instance names.
pub(super) fn named_fields(document: &Document, own: &NodeId) -> BTreeSet<Field> {
    let instance = outermost_instance(document, own).and_then(|id| document.get(&id).cloned());
    let named = instance.map(|node| Entries::of(&node).fields()).unwrap_or_default();
    named.into_iter().filter(|(id, _)| id == own).map(|(_, field)| field).collect()
}

/// What files of instances are to say of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// They are overridden.
    Named,
    /// They are not.
    NotNamed,
}

/// Has the files of instances name fields as overridden, or not any more.
pub(super) fn name_overrides(
    change: &mut Transaction<'_>,
    overrides: &[Override],
    naming: Naming,
) -> Result<(), DocumentError> {
    let mut of_instances: BTreeMap<NodeId, Vec<&Override>> = BTreeMap::new();
    for one in overrides {
        if let Some(instance) = outermost_instance(change.document(), &one.node) {
            of_instances.entry(instance).or_default().push(one);
        }
    }
    for (instance, overrides) in of_instances {
        let document = change.document();
        let mains = mains_of(document, &instance);
        let mut entries = Entries::of(document.node(&instance)?);
        for Override { node, field } in overrides {
            let main = mains.get(node).and_then(|main| document.get(main));
            let own = document.node(node)?;
            let names =
                (naming == Naming::Named).then(|| names_of(*field, main.map(AsRef::as_ref), own));
            entries.set(node, *field, names);
        }
        change.update(&instance, |node| entries.write(node))?;
    }
    Ok(())
}

/// The edit with what it overrides in instances written into them, and no more what it does not.
pub(super) fn recorded(before: &Document, edit: Edit) -> Edit {
    let mut after = before.clone();
    edit.apply(&mut after);
    let touched = edit.touched().filter_map(|id| outermost_instance(&after, id));
    let instances: BTreeSet<NodeId> = touched.collect();
    if instances.is_empty() {
        return edit;
    }
    let mut change = Transaction::begin(&mut after);
    for instance in &instances {
        // An entry breaks no rule; without it the comparison still tells what is another.
        if record(before, &mut change, instance).is_err() {
            return edit;
        }
    }
    edit.followed_by(&change.commit())
}

fn record(
    before: &Document,
    change: &mut Transaction<'_>,
    instance: &NodeId,
) -> Result<(), DocumentError> {
    let document = change.document();
    let root = document.node(instance)?;
    let mains = mains_of(document, instance);
    let is_resized = before.get(instance).is_some_and(|was| was.size != root.size);
    let (mut entries, mut set) = (Entries::of(root), Vec::new());
    for own in document.subtree(instance) {
        let was = before.get(&own.id);
        if was.is_some_and(|was| Arc::ptr_eq(was, own)) {
            continue;
        }
        let main = mains.get(&own.id).and_then(|main| document.get(main));
        // A layer that was put in stands for none.
        if main.is_none() && !mains.is_empty() {
            continue;
        }
        let is_root = own.id == *instance;
        for field in Field::ALL.into_iter().filter(|field| follows(*field, is_root)) {
            let differs = main.is_none_or(|main| is_another(document, field, main, own));
            let is_changed = match was {
                Some(was) => !field.is_same(was, own),
                // One that is new here has what it came with.
                None => differs && !is_placed_by_layout(field, is_root),
            };
            let is_set = match field {
                Field::Place | Field::Rotation => false,
                Field::Size => is_root || (!is_resized && has_own_size(document, was, own)),
                _ => true,
            };
            if is_changed && (is_set || !differs) {
                let names = differs.then(|| names_of(field, main.map(AsRef::as_ref), own));
                entries.set(&own.id, field, names);
            }
        }
        set.extend(set_by_layer(document, main.map(AsRef::as_ref), own));
    }
    // Entries of layers that a file does not have stay; those that went, or lie in what this is a copy of, do not.
    entries.keep(|id| {
        let mut around = document.ancestors(id).map(|node| &node.id);
        id == instance || before.get(id).is_none() || around.any(|around| around == instance)
    });
    change.update(instance, |node| entries.write(node))?;
    for (instance, property) in set {
        change.update(&instance, |node| write_value(node, &property.key, &property.value))?;
    }
    Ok(())
}

/// The properties that a layer refers to, as they are by what it has, where the instance that it lies in says
/// otherwise.
fn set_by_layer(
    document: &Document,
    main: Option<&Node>,
    own: &Node,
) -> Vec<(NodeId, ComponentProperty)> {
    let around = document.ancestors(&own.id).find(|node| node.kind == NodeKind::Instance);
    let Some(around) = around else { return Vec::new() };
    let set = PropertyKind::ALL.into_iter().filter_map(|kind| {
        // Files need not say it of layers of instances again.
        let key = reference_of(own, kind).or_else(|| reference_of(main?, kind))?;
        let now = property_of(around, key).filter(|now| now.kind() == kind)?;
        let value = kind.value_of(own).filter(|value| *value != now)?;
        Some((around.id.clone(), ComponentProperty { key: key.to_owned(), value }))
    });
    set.collect()
}

/// Whether what changed of a layer's size was set, and did not follow from its content or from what is around it.
fn has_own_size(document: &Document, was: Option<&Arc<Node>>, own: &Node) -> bool {
    let Some(was) = was else { return false };
    let axes = [
        (Direction::Horizontal, was.size.width == own.size.width),
        (Direction::Vertical, was.size.height == own.size.height),
    ];
    let mut changed = axes.into_iter().filter(|(_, is_same)| !is_same);
    changed.any(|(axis, _)| document.sizing(&own.id, axis) == Sizing::Fixed)
}

/// Figma's `overrides` of an instance: entries in their order, with what else they say.
#[derive(Debug, Default)]
struct Entries {
    list: Vec<Map<String, Value>>,
    /// Entries that are no objects, which stay behind the others.
    odd: Vec<Value>,
}

impl Entries {
    fn of(instance: &Node) -> Self {
        let mut entries = Self::default();
        let there = instance.source.get(OVERRIDES).and_then(Value::as_array);
        for value in there.into_iter().flatten() {
            match value.as_object() {
                Some(entry) => entries.list.push(entry.clone()),
                None => entries.odd.push(value.clone()),
            }
        }
        entries
    }

    /// The fields that they name, each with whose it is.
    fn fields(&self) -> BTreeSet<(NodeId, Field)> {
        let mut fields = BTreeSet::new();
        for entry in &self.list {
            let Some(id) = entry.get("id").and_then(Value::as_str) else { continue };
            fields.extend(names_in(entry).filter_map(field_named).map(|it| (id.into(), it)));
        }
        fields
    }

    /// Has these names say that a field is overridden; `None`: it is not.
    fn set(&mut self, id: &NodeId, field: Field, names: Option<Vec<&'static str>>) {
        // All that name the field go first: several of Figma's names are one field here.
        for entry in self.list.iter_mut().filter(|entry| is_of(entry, id)) {
            if let Some(Value::Array(there)) = entry.get_mut(FIELDS) {
                there.retain(|name| name.as_str().and_then(field_named) != Some(field));
            }
        }
        if let Some(names) = names {
            let at = self.list.iter().position(|entry| is_of(entry, id));
            let at = at.unwrap_or_else(|| {
                let entry = json!({ "id": id.as_str(), FIELDS: [] });
                self.list.extend(entry.as_object().cloned());
                self.list.len() - 1
            });
            if let Some(entry) = self.list.get_mut(at) {
                match entry.get_mut(FIELDS) {
                    Some(Value::Array(there)) => there.extend(names.into_iter().map(Value::from)),
                    _ => drop(entry.insert(FIELDS.to_owned(), names.into())),
                }
            }
        }
        self.list.retain(|entry| !is_of(entry, id) || names_in(entry).next().is_some());
    }

    /// Keeps the entries of these nodes.
    fn keep(&mut self, is_kept: impl Fn(&NodeId) -> bool) {
        self.list.retain(|entry| {
            let id = entry.get("id").and_then(Value::as_str).map(NodeId::from);
            // What names no node is not ours to drop.
            id.is_none_or(|id| is_kept(&id))
        });
    }

    /// Writes them, where they say something else than what is there.
    fn write(self, instance: &mut Node) {
        let list = self.list.into_iter().map(Value::Object).chain(self.odd);
        let list: Vec<Value> = list.collect();
        let there = instance.source.get(OVERRIDES).and_then(Value::as_array);
        // A file that was only looked at is written as it was.
        if there.map_or(list.is_empty(), |there| *there == list) {
            return;
        }
        Arc::make_mut(&mut instance.source).insert(OVERRIDES.to_owned(), list.into());
    }
}

fn is_of(entry: &Map<String, Value>, id: &NodeId) -> bool {
    entry.get("id").and_then(Value::as_str) == Some(id.as_str())
}

fn names_in(entry: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let names = entry.get(FIELDS).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests;

//! Making, binding, setting, renaming and deleting properties of components.

use std::sync::Arc;

use serde_json::Value;

use super::copying::set_property;
use super::pairing::{check_no_cycle, component_of};
use super::properties::{
    ComponentProperty, PROPERTIES, PropertyKind, PropertyValue, component_properties, instances_of,
    name_and_id, new_key, own_layers, property_holder, property_holder_around, refer, reference_of,
    referring, rename_key, write_value,
};
use super::variants::{DEFINITIONS, variant_properties};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::typing::MOST_CHARACTERS;

/// The longest name of a property, in characters.
const LONGEST_NAME: usize = 200;

/// What is done with properties of components.
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentPropertyAct {
    /// Sets a property of instances, or what one of a component or set is at first, with the layers that refer to it.
    Set {
        /// Of which; those that do not have it stay as they are.
        nodes: Vec<NodeId>,
        /// Which property, and what it is set to.
        property: ComponentProperty,
    },
    /// Makes a property that these layers of one component or set refer to, called as the first of them.
    Create {
        /// Which layers.
        layers: Vec<NodeId>,
        /// What of them it sets.
        kind: PropertyKind,
    },
    /// Has layers refer to a property that there is, and take on what it is at first; or to none of the kind.
    Refer {
        /// Which layers.
        layers: Vec<NodeId>,
        /// What of them it sets.
        kind: PropertyKind,
        /// Which property.
        key: Option<String>,
    },
    /// Calls a property otherwise.
    Rename {
        /// Of which component or set.
        holder: NodeId,
        /// Which property.
        key: String,
        /// What it is to be called.
        name: String,
    },
    /// Takes a property away; layers stay as they are.
    Delete {
        /// Of which component or set.
        holder: NodeId,
        /// Which property.
        key: String,
    },
}

/// Does it.
pub(super) fn component_property_act(
    editor: &mut Editor,
    act: ComponentPropertyAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ComponentPropertyAct::Set { nodes, property } => set(editor, &nodes, &property, context),
        ComponentPropertyAct::Create { layers, kind } => create(editor, &layers, kind, context),
        ComponentPropertyAct::Refer { layers, kind, key: Some(key) } => {
            refer_to(editor, &layers, kind, &key, context)
        }
        ComponentPropertyAct::Refer { layers, kind, key: None } => {
            editor.edit("Detach property", &layers, context, |change| {
                layers.iter().try_for_each(|id| change.update(id, |node| refer(node, kind, None)))
            })?;
            Ok(())
        }
        ComponentPropertyAct::Rename { holder, key, name } => {
            rename(editor, &holder, &key, &name, context)
        }
        ComponentPropertyAct::Delete { holder, key } => delete(editor, &holder, &key, context),
    }
}

fn set(
    editor: &mut Editor,
    nodes: &[NodeId],
    property: &ComponentProperty,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    if let PropertyValue::Text(words) = &property.value {
        let count = words.chars().count();
        if count > MOST_CHARACTERS {
            let words =
                format!("the text would have {count} characters, {MOST_CHARACTERS} at most");
            return Err(EditorError::NotPossible(words));
        }
    }
    let takers: Vec<NodeId> = nodes.iter().filter_map(|id| taker(document, id, property)).collect();
    if takers.is_empty() {
        return Err(EditorError::not_possible("nothing that is selected has this property"));
    }
    if let PropertyValue::Component(component) = &property.value {
        for id in &takers {
            let layers = referring(document, id, PropertyKind::InstanceSwap, &property.key);
            for place in layers.iter().chain([id]) {
                check_no_cycle(document, component, Some(place))?;
            }
        }
    }
    editor.edit("Set property", &takers, context, |change| {
        for id in &takers {
            set_property(change, id, property)?;
            change.update(id, |node| write_value(node, &property.key, &property.value))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Who is changed where this is set: the node itself, or the set of a variant; `None` of one that has no such property.
fn taker(document: &Document, id: &NodeId, property: &ComponentProperty) -> Option<NodeId> {
    let properties = component_properties(document, id);
    if !properties.iter().any(|it| it.is_same(property)) {
        return None;
    }
    let node = document.get(id)?;
    match node.kind {
        NodeKind::Instance => Some(id.clone()),
        _ => property_holder(document, id).map(|holder| holder.id.clone()),
    }
}

/// The component or set whose properties all of these layers can refer to.
fn common_holder<'d>(
    document: &'d Document,
    layers: &[NodeId],
    kind: PropertyKind,
) -> Result<&'d Node, EditorError> {
    let mut common: Option<&Node> = None;
    for id in layers {
        let layer = document.node(id)?;
        if kind.value_of(layer).is_none() {
            let what = match kind {
                PropertyKind::Text => "only a text has words that a property can set",
                PropertyKind::Boolean => "only a layer can be shown or hidden by a property",
                PropertyKind::InstanceSwap => "only an instance can be swapped by a property",
            };
            return Err(EditorError::not_possible(what));
        }
        let holder = property_holder_around(document, id);
        let Some(holder) = holder else {
            return Err(EditorError::not_possible("only layers of a component have properties"));
        };
        if common.is_some_and(|common| common.id != holder.id) {
            let why = "the selected layers are of several components";
            return Err(EditorError::not_possible(why));
        }
        common = Some(holder);
    }
    common.ok_or_else(|| EditorError::not_possible("select a layer of a component"))
}

fn create(
    editor: &mut Editor,
    layers: &[NodeId],
    kind: PropertyKind,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let holder = common_holder(document, layers, kind)?;
    let first = layers.first().and_then(|id| document.get(id));
    let Some((name, value)) = first.and_then(|it| Some((&it.name, kind.value_of(it)?))) else {
        return Err(EditorError::not_possible("select a layer of a component"));
    };
    check_swap(document, layers, &value)?;
    let name = free_name(document, holder, name, None);
    let property = ComponentProperty { key: new_key(document, &name), value };
    let holder = holder.id.clone();
    editor.edit("Create property", layers, context, |change| {
        change.update(&holder, |node| write_value(node, &property.key, &property.value))?;
        for id in layers {
            change.update(id, |node| refer(node, kind, Some(&property.key)))?;
        }
        // All of them have what the first has.
        set_property(change, &holder, &property)
    })?;
    Ok(())
}

fn refer_to(
    editor: &mut Editor,
    layers: &[NodeId],
    kind: PropertyKind,
    key: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let holder = common_holder(document, layers, kind)?;
    let mut properties = component_properties(document, &holder.id).into_iter();
    let property = properties.find(|it| it.key == key && it.value.kind() == kind);
    let Some(property) = property else {
        return Err(EditorError::not_possible("the component has no such property"));
    };
    check_swap(document, layers, &property.value)?;
    let holder = holder.id.clone();
    editor.edit("Apply property", layers, context, |change| {
        for id in layers {
            change.update(id, |node| refer(node, kind, Some(key)))?;
        }
        set_property(change, &holder, &property)
    })?;
    Ok(())
}

/// Whether instances can be swapped to a component where they are; other values go anywhere.
fn check_swap(
    document: &Document,
    layers: &[NodeId],
    value: &PropertyValue,
) -> Result<(), EditorError> {
    let PropertyValue::Component(component) = value else { return Ok(()) };
    for id in layers {
        let now = document.get(id).and_then(|node| component_of(node));
        if now.as_ref() != Some(component) && document.get(component).is_some() {
            check_no_cycle(document, component, Some(id))?;
        }
    }
    Ok(())
}

fn rename(
    editor: &mut Editor,
    holder: &NodeId,
    key: &str,
    name: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let node = defining(document, holder, key)?;
    let name = clean_name(name);
    if name.is_empty() {
        return Err(EditorError::not_possible("a property has a name"));
    }
    let (old, id) = name_and_id(key);
    if old == name {
        return Ok(());
    }
    let name = free_name(document, node, &name, Some(key));
    // The id is what tells properties of one name apart; old files have none.
    let new = if id.is_empty() { new_key(document, &name) } else { format!("{name}{id}") };
    let instances = instances_of(document, holder);
    editor.edit("Rename property", std::slice::from_ref(holder), context, |change| {
        change.update(holder, |node| rename_key(node, DEFINITIONS, key, &new))?;
        for kind in PropertyKind::ALL {
            for layer in referring(change.document(), holder, kind, key) {
                change.update(&layer, |node| refer(node, kind, Some(&new)))?;
            }
        }
        // Values that were set stay.
        for instance in &instances {
            change.update(instance, |node| rename_key(node, PROPERTIES, key, &new))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn delete(
    editor: &mut Editor,
    holder: &NodeId,
    key: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    defining(editor.document(), holder, key)?;
    editor.edit("Delete property", std::slice::from_ref(holder), context, |change| {
        change.update(holder, |node| {
            if let Some(Value::Object(there)) = Arc::make_mut(&mut node.source).get_mut(DEFINITIONS)
            {
                there.shift_remove(key);
            }
        })?;
        forget(change, holder, key)
    })?;
    Ok(())
}

/// Has no layer of a component or set refer to a property.
fn forget(change: &mut Transaction<'_>, holder: &NodeId, key: &str) -> Result<(), DocumentError> {
    for kind in PropertyKind::ALL {
        for layer in referring(change.document(), holder, kind, key) {
            change.update(&layer, |node| refer(node, kind, None))?;
        }
    }
    Ok(())
}

/// Has the layers of what is no instance or component any more refer to nothing.
pub(super) fn forget_all(change: &mut Transaction<'_>, root: &NodeId) -> Result<(), DocumentError> {
    let layers = own_layers(change.document(), root).into_iter();
    let layers: Vec<NodeId> = layers.map(|layer| layer.id.clone()).collect();
    for layer in layers {
        change.update(&layer, |node| {
            for kind in PropertyKind::ALL {
                if reference_of(node, kind).is_some() {
                    refer(node, kind, None);
                }
            }
        })?;
    }
    Ok(())
}

/// The component or set, which has the property.
fn defining<'d>(
    document: &'d Document,
    holder: &NodeId,
    key: &str,
) -> Result<&'d Node, EditorError> {
    let node = document.node(holder)?;
    let is_it = component_properties(document, holder).iter().any(|it| it.key == key);
    if node.kind == NodeKind::Instance || !is_it {
        return Err(EditorError::not_possible("the component has no such property"));
    }
    Ok(node)
}

/// A name that no other property of a component or set has: this one, or with a number.
fn free_name(document: &Document, holder: &Node, name: &str, own: Option<&str>) -> String {
    let name = clean_name(name);
    let name = if name.is_empty() { "Property".to_owned() } else { name };
    let mut taken: Vec<String> =
        variant_properties(document, &holder.id).into_iter().map(|it| it.name).collect();
    let others = component_properties(document, &holder.id).into_iter();
    let others = others.filter(|it| Some(it.key.as_str()) != own);
    taken.extend(others.map(|it| it.name().to_owned()));
    let numbered = (2_u32..).map(|number| format!("{name} {number}"));
    let mut free = std::iter::once(name.clone()).chain(numbered);
    free.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// A name as it can stand before the `#` of a key, on one line.
fn clean_name(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() || c == '#' { ' ' } else { c });
    let plain: String = plain.collect();
    plain.trim().chars().take(LONGEST_NAME).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests;

//! Properties of components beside their variants: words, switches and instances that are set at an instance, and what
//! of the layers of the component each of them sets.
//!
//! A component, or the set that it is a variant of, defines them; layers refer to them by their keys, and instances
//! hold a value of each. All three are Figma's own fields.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::pairing::{component_of, pairs, set_of};
use super::variants::DEFINITIONS;
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, Node, NodeId, NodeKind};

/// What Figma calls the values that an instance has.
pub(super) const PROPERTIES: &str = "componentProperties";
/// What of a layer of a component is set by a property of its instances.
pub(super) const REFERENCES: &str = "componentPropertyReferences";

/// What a property of a component sets in the layers that refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// What a text says.
    Text,
    /// Whether a layer is drawn.
    Boolean,
    /// Which component an instance is one of.
    InstanceSwap,
}

impl PropertyKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Text, Self::Boolean, Self::InstanceSwap];

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Text => "text property",
            Self::Boolean => "boolean property",
            Self::InstanceSwap => "instance swap property",
        }
    }

    /// Figma's name in files.
    fn type_name(self) -> &'static str {
        match self {
            Self::Text => "TEXT",
            Self::Boolean => "BOOLEAN",
            Self::InstanceSwap => "INSTANCE_SWAP",
        }
    }

    /// What of a layer refers to such a property, in files.
    fn field(self) -> &'static str {
        match self {
            Self::Text => "characters",
            Self::Boolean => "visible",
            Self::InstanceSwap => "mainComponent",
        }
    }

    /// What a layer has of what such a property sets; `None` of one that has nothing of the kind.
    pub fn value_of(self, layer: &Node) -> Option<PropertyValue> {
        match self {
            Self::Text => Some(PropertyValue::Text(layer.text()?.characters.clone())),
            Self::Boolean => {
                (!layer.kind.is_file_or_page()).then_some(PropertyValue::Boolean(layer.visible))
            }
            Self::InstanceSwap => component_of(layer).map(PropertyValue::Component),
        }
    }
}

/// A value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyValue {
    /// Words.
    Text(String),
    /// Drawn or not.
    Boolean(bool),
    /// A component of the file, or one that is elsewhere.
    Component(NodeId),
}

impl PropertyValue {
    /// Of which kind of property it is.
    pub fn kind(&self) -> PropertyKind {
        match self {
            Self::Text(_) => PropertyKind::Text,
            Self::Boolean(_) => PropertyKind::Boolean,
            Self::Component(_) => PropertyKind::InstanceSwap,
        }
    }

    /// `None` of variants, and of what no file should say.
    fn read(type_name: Option<&str>, value: Option<&Value>) -> Option<Self> {
        let kind =
            PropertyKind::ALL.into_iter().find(|kind| Some(kind.type_name()) == type_name)?;
        let value = value?;
        match kind {
            PropertyKind::Text => value.as_str().map(|words| Self::Text(words.to_owned())),
            PropertyKind::Boolean => value.as_bool().map(Self::Boolean),
            PropertyKind::InstanceSwap => value.as_str().map(|id| Self::Component(id.into())),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Text(words) => words.as_str().into(),
            Self::Boolean(is_on) => (*is_on).into(),
            Self::Component(id) => id.as_str().into(),
        }
    }
}

/// A property of a component or set with what it is at first, or of an instance with what it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentProperty {
    /// By which layers refer to it: the name with Figma's `#id`, which keeps apart those of one name.
    pub key: String,
    /// Its value.
    pub value: PropertyValue,
}

impl ComponentProperty {
    /// What people call it: the key without the id.
    pub fn name(&self) -> &str {
        name_and_id(&self.key).0
    }

    /// Whether it is the same property, whatever each of them has as its value.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.key == other.key && self.value.kind() == other.value.kind()
    }
}

/// What people call a property of this key, and the rest of the key from the `#` on; that is empty in keys of old
/// files.
pub(super) fn name_and_id(key: &str) -> (&str, &str) {
    let Some(at) = key.rfind('#').filter(|at| *at > 0) else { return (key, "") };
    let (name, id) = key.split_at(at);
    let is_id = id.len() > 1 && id.chars().skip(1).all(|c| c.is_ascii_digit() || c == ':');
    if is_id { (name, id) } else { (key, "") }
}

/// Who defines the properties of a component, a set or an instance: the set, or the component that is in none.
pub fn property_holder<'d>(document: &'d Document, id: &NodeId) -> Option<&'d Node> {
    let node = document.get(id)?;
    match node.kind {
        NodeKind::ComponentSet => Some(node),
        NodeKind::Component => Some(set_of(document, id).unwrap_or(node)),
        _ => {
            let component = component_of(node)?;
            let main = document.get(&component).filter(|it| it.kind == NodeKind::Component)?;
            Some(set_of(document, &component).unwrap_or(main))
        }
    }
}

/// Who defines the properties that a layer of a component may refer to; `None` of a layer that lies in no component,
/// and of one that an instance brought there.
pub fn property_holder_around<'d>(document: &'d Document, layer: &NodeId) -> Option<&'d Node> {
    let mut around = document.ancestors(layer);
    let around =
        around.find(|node| matches!(node.kind, NodeKind::Component | NodeKind::Instance))?;
    if around.kind == NodeKind::Component { property_holder(document, &around.id) } else { None }
}

/// The instances of a component that is in no set, or of all variants of a set.
pub(super) fn instances_of(document: &Document, holder: &NodeId) -> Vec<NodeId> {
    let instances = document.iter_depth_first().filter(|node| {
        node.kind == NodeKind::Instance
            && property_holder(document, &node.id).is_some_and(|it| it.id == *holder)
    });
    instances.map(|node| node.id.clone()).collect()
}

/// The properties of a component or set as they are at first, or of an instance as it has them: those that are defined,
/// in their order, and of an instance whose component is not in the file all that it has.
pub fn component_properties(document: &Document, id: &NodeId) -> Vec<ComponentProperty> {
    let Some(node) = document.get(id) else { return Vec::new() };
    let holder = property_holder(document, id);
    let mut properties = holder.map(|it| read(it, DEFINITIONS, "defaultValue")).unwrap_or_default();
    if node.kind != NodeKind::Instance {
        return properties;
    }
    let own = read(node, PROPERTIES, "value");
    if holder.is_none() {
        return own;
    }
    for property in &mut properties {
        if let Some(own) = own.iter().find(|own| own.is_same(property)) {
            property.value.clone_from(&own.value);
        }
    }
    properties
}

/// What an instance says that it has of a property.
pub(super) fn property_of(instance: &Node, key: &str) -> Option<PropertyValue> {
    let property = instance.source.get(PROPERTIES)?.get(key)?;
    PropertyValue::read(property.get("type")?.as_str(), property.get("value"))
}

fn read(node: &Node, field: &str, value: &str) -> Vec<ComponentProperty> {
    let there = node.source.get(field).and_then(Value::as_object);
    let properties = there.into_iter().flatten().filter_map(|(key, of)| {
        let type_name = of.get("type").and_then(Value::as_str);
        let value = PropertyValue::read(type_name, of.get(value))?;
        Some(ComponentProperty { key: key.clone(), value })
    });
    properties.collect()
}

/// The property of a kind that a layer refers to, by its key.
pub fn reference_of(layer: &Node, kind: PropertyKind) -> Option<&str> {
    layer.source.get(REFERENCES)?.get(kind.field())?.as_str()
}

/// Has a layer refer to a property, or to none of the kind.
pub(super) fn refer(layer: &mut Node, kind: PropertyKind, key: Option<&str>) {
    let there = layer.source.get(REFERENCES).and_then(Value::as_object);
    let mut references = there.cloned().unwrap_or_default();
    match key {
        Some(key) => drop(references.insert(kind.field().to_owned(), key.into())),
        None => drop(references.shift_remove(kind.field())),
    }
    let source = Arc::make_mut(&mut layer.source);
    if references.is_empty() {
        source.shift_remove(REFERENCES);
    } else {
        source.insert(REFERENCES.to_owned(), references.into());
    }
}

/// The layers of a component, a set or an instance that are its own, from the outside in: what lies in instances in it
/// is theirs.
pub(super) fn own_layers<'d>(document: &'d Document, root: &NodeId) -> Vec<&'d Arc<Node>> {
    let mut layers = Vec::new();
    // A stack: what is pushed last comes first, so that layers come in their order.
    let mut open: Vec<&NodeId> = document.children_of(Some(root)).iter().rev().collect();
    while let Some(id) = open.pop() {
        let Some(node) = document.get(id) else { continue };
        layers.push(node);
        if node.kind != NodeKind::Instance {
            open.extend(node.children.iter().rev());
        }
    }
    layers
}

/// The layers of a component, a set or an instance that refer to a property.
pub(super) fn referring(
    document: &Document,
    root: &NodeId,
    kind: PropertyKind,
    key: &str,
) -> Vec<NodeId> {
    let mut layers = layers_that_say(document, root, kind, key);
    // Files need not say it of layers of instances again.
    let component = document.get(root).and_then(|node| component_of(node));
    if let Some(component) = component.filter(|it| document.get(it).is_some()) {
        let mains = layers_that_say(document, &component, kind, key);
        let all = if mains.is_empty() { Vec::new() } else { pairs(document, &component, root) };
        for (main, own) in all {
            if mains.contains(&main) && !layers.contains(&own) {
                layers.push(own);
            }
        }
    }
    layers
}

/// Those of its own layers in whose file it stands that they refer to a property.
fn layers_that_say(
    document: &Document,
    root: &NodeId,
    kind: PropertyKind,
    key: &str,
) -> Vec<NodeId> {
    let layers = own_layers(document, root).into_iter();
    let layers = layers.filter(|layer| reference_of(layer, kind) == Some(key));
    layers.map(|layer| layer.id.clone()).collect()
}

/// Writes what a property of an instance is, or what one of a component or set is at first.
pub(super) fn write_value(node: &mut Node, key: &str, value: &PropertyValue) {
    let (field, entry) = match node.kind {
        NodeKind::Instance => (PROPERTIES, "value"),
        _ => (DEFINITIONS, "defaultValue"),
    };
    let mut all = node.source.get(field).and_then(Value::as_object).cloned().unwrap_or_default();
    let property =
        all.entry(key.to_owned()).or_insert_with(|| json!({ "type": value.kind().type_name() }));
    if let Some(property) = property.as_object_mut() {
        property.insert(entry.to_owned(), value.to_json());
    }
    Arc::make_mut(&mut node.source).insert(field.to_owned(), all.into());
}

/// Gives a property another key in a list of them, at the same place.
pub(super) fn rename_key(node: &mut Node, field: &str, old: &str, new: &str) {
    let Some(there) = node.source.get(field).and_then(Value::as_object) else { return };
    if !there.contains_key(old) {
        return;
    }
    let renamed: Map<String, Value> = there
        .iter()
        .map(|(key, of)| (if key == old { new } else { key }.to_owned(), of.clone()))
        .collect();
    Arc::make_mut(&mut node.source).insert(field.to_owned(), renamed.into());
}

/// A key that no property of the design has, for one of this name.
pub(super) fn new_key(document: &Document, name: &str) -> String {
    let definitions = document.iter_depth_first().filter_map(|node| node.source.get(DEFINITIONS));
    let keys = definitions.filter_map(Value::as_object).flat_map(Map::keys);
    let numbers = keys.filter_map(|key| name_and_id(key).1.strip_prefix("#1:")?.parse().ok());
    let last: u64 = numbers.max().unwrap_or(0);
    format!("{name}#1:{}", last.saturating_add(1))
}

/// The properties of components that were changed by way of layers that refer to them, each with whose it is.
pub(super) fn changed_in_layers<'i>(
    before: &Document,
    after: &Document,
    ids: impl Iterator<Item = &'i NodeId>,
) -> Vec<(NodeId, ComponentProperty)> {
    let mut changed = Vec::new();
    for id in ids {
        let (Some(was), Some(now)) = (before.get(id), after.get(id)) else { continue };
        if !now.source.contains_key(REFERENCES) {
            continue;
        }
        let Some(holder) = property_holder_around(after, id) else { continue };
        for kind in PropertyKind::ALL {
            // What refers to another property by now changed neither of the two.
            let key = reference_of(now, kind).filter(|key| reference_of(was, kind) == Some(*key));
            let value =
                kind.value_of(now).filter(|value| kind.value_of(was).as_ref() != Some(value));
            let (Some(key), Some(value)) = (key, value) else { continue };
            let defined = component_properties(after, &holder.id);
            if defined.iter().any(|it| it.key == key && it.value.kind() == kind) {
                let property = ComponentProperty { key: key.to_owned(), value };
                changed.push((holder.id.clone(), property));
            }
        }
    }
    changed
}

/// The edit with what properties are at first as the layers have it that refer to them.
pub(super) fn with_defaults(before: &Document, edit: Edit) -> Edit {
    let refers = edit
        .touched()
        .filter_map(|id| before.get(id))
        .any(|node| node.source.contains_key(REFERENCES));
    if !refers {
        return edit;
    }
    let mut after = before.clone();
    edit.apply(&mut after);
    let changed = changed_in_layers(before, &after, edit.touched());
    let mut change = Transaction::begin(&mut after);
    for (holder, ComponentProperty { key, value }) in &changed {
        // What is said breaks no rule; without it the layers still tell.
        if change.update(holder, |node| write_value(node, key, value)).is_err() {
            return edit;
        }
    }
    edit.followed_by(&change.commit())
}

/// A component or set that an instance can be swapped to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapChoice {
    /// The component: of a set the first variant.
    pub component: NodeId,
    /// What it is called: a set by its own name.
    pub name: String,
    /// Whether the property prefers it.
    pub is_preferred: bool,
}

fn preferred_values<'n>(node: &'n Node, field: &str, key: &str) -> Option<&'n [Value]> {
    node.source.get(field)?.get(key)?.get("preferredValues")?.as_array().map(Vec::as_slice)
}

/// The key under which a component or set is published, by which preferred values name it.
fn published_key<'d>(document: &'d Document, list: &str, id: &NodeId) -> Option<&'d str> {
    document.envelope().fields.get(list)?.get(id.as_str())?.get("key")?.as_str()
}

/// What an instance swap property of a component, a set or an instance can be set to: what it prefers comes first.
pub fn swap_choices(document: &Document, of: &NodeId, key: &str) -> Vec<SwapChoice> {
    let preferred = property_holder(document, of)
        .and_then(|holder| preferred_values(holder, DEFINITIONS, key))
        .or_else(|| preferred_values(document.get(of)?, PROPERTIES, key))
        .unwrap_or_default();
    let preferred: Vec<&str> = preferred
        .iter()
        .filter_map(|it| it.get("key")?.as_str())
        // Whatever was never published has the same empty key.
        .filter(|it| !it.is_empty())
        .collect();
    let mut choices: Vec<SwapChoice> = document
        .iter_depth_first()
        .filter_map(|node| {
            let (component, list) = match node.kind {
                NodeKind::ComponentSet => {
                    let first = node.children.iter().find(|id| {
                        document.get(id).is_some_and(|it| it.kind == NodeKind::Component)
                    });
                    (first?, "componentSets")
                }
                NodeKind::Component if set_of(document, &node.id).is_none() => {
                    (&node.id, "components")
                }
                _ => return None,
            };
            let is_preferred =
                published_key(document, list, &node.id).is_some_and(|key| preferred.contains(&key));
            let (component, name) = (component.clone(), node.name.clone());
            Some(SwapChoice { component, name, is_preferred })
        })
        .collect();
    // Stable: in the order of the file besides.
    choices.sort_by_key(|choice| !choice.is_preferred);
    choices
}

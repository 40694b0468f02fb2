//! The variants of a component set: components whose names say which combination of properties they are
//! (`State=Hover, Size=Large`).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::pairing::{component_of, set_of};
use crate::design::{Document, Node, NodeId, NodeKind};

/// What Figma calls the properties of a component or a set, and what they are at first.
pub(super) const DEFINITIONS: &str = "componentPropertyDefinitions";

/// A property of the variants of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantProperty {
    /// What it is called.
    pub name: String,
    /// The values that there are, in the order of the variants.
    pub values: Vec<String>,
}

/// The properties and values that the name of a variant says; `None` of a name that says none.
pub fn variant_values(name: &str) -> Option<Vec<(String, String)>> {
    let pairs = name.split(',').map(|pair| {
        let (property, value) = pair.split_once('=')?;
        let (property, value) = (property.trim(), value.trim());
        (!property.is_empty()).then(|| (property.to_owned(), value.to_owned()))
    });
    pairs.collect()
}

/// The variants of a set with their values, in their order; components whose names say none are left out.
fn variants<'d>(
    document: &'d Document,
    set: &NodeId,
) -> impl Iterator<Item = (&'d Node, Vec<(String, String)>)> {
    let children = document.children_of(Some(set)).iter().filter_map(|id| document.get(id));
    let components = children.filter(|node| node.kind == NodeKind::Component);
    components.filter_map(|node| Some((node.as_ref(), variant_values(&node.name)?)))
}

/// The properties of a set, in the order in which its variants name them.
pub fn variant_properties(document: &Document, set: &NodeId) -> Vec<VariantProperty> {
    let mut properties: Vec<VariantProperty> = Vec::new();
    for (name, value) in variants(document, set).flat_map(|(_, values)| values) {
        let at = properties.iter().position(|property| property.name == name);
        let at = at.unwrap_or_else(|| {
            properties.push(VariantProperty { name, values: Vec::new() });
            properties.len() - 1
        });
        if let Some(property) = properties.get_mut(at)
            && !property.values.contains(&value)
        {
            property.values.push(value);
        }
    }
    properties
}

/// The set that an instance is of a variant of; `None` of one whose component is no variant, or is not in the file.
pub fn set_of_instance(document: &Document, instance: &NodeId) -> Option<NodeId> {
    let component = component_of(document.get(instance)?)?;
    set_of(document, &component).map(|set| set.id.clone())
}

/// What an instance has of a property.
pub fn variant_value(document: &Document, instance: &NodeId, property: &str) -> Option<String> {
    let component = component_of(document.get(instance)?)?;
    set_of(document, &component)?;
    let values = variant_values(&document.get(&component)?.name)?;
    values.into_iter().find(|(name, _)| name == property).map(|(_, value)| value)
}

/// The variant beside a component that has this value of a property and is like it in most of the others, the first of
/// several. `None` where none has the value.
pub(super) fn nearest_variant(
    document: &Document,
    component: &NodeId,
    property: &str,
    value: &str,
) -> Option<NodeId> {
    let set = set_of(document, component)?;
    let now = variant_values(&document.get(component)?.name).unwrap_or_default();
    let wanted = (property.to_owned(), value.to_owned());
    let mut best: Option<(usize, &Node)> = None;
    for (variant, values) in variants(document, &set.id) {
        let others = values.iter().filter(|it| it.0 != property && now.contains(it)).count();
        if values.contains(&wanted) && best.is_none_or(|(most, _)| others > most) {
            best = Some((others, variant));
        }
    }
    best.map(|(_, variant)| variant.id.clone())
}

/// The name that an instance of a component gets: that of the set of a variant.
pub(super) fn instance_name(document: &Document, component: &NodeId) -> Option<String> {
    let named = set_of(document, component).or_else(|| document.get(component).map(AsRef::as_ref));
    named.map(|node| node.name.clone())
}

/// Figma's `componentProperties` of an instance of a component: what the variant says, and of the other properties what
/// the instance had, if the component has them, or what they are at first. `None` of a component without properties.
pub(super) fn properties_for(
    document: &Document,
    component: &NodeId,
    old: Option<&Value>,
) -> Option<Map<String, Value>> {
    let set = set_of(document, component);
    let main = document.get(component)?;
    let holder = set.unwrap_or(main);
    let mut properties = Map::new();
    for (name, definition) in
        holder.source.get(DEFINITIONS).and_then(Value::as_object).into_iter().flatten()
    {
        let kind = definition.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind == "VARIANT" {
            continue;
        }
        let kept = old.and_then(|old| old.get(name));
        // Of another kind by now, the old value says nothing.
        let kept = kept.filter(|old| old.get("type").and_then(Value::as_str) == Some(kind));
        let property = kept.cloned().unwrap_or_else(|| property_at_first(definition, kind));
        properties.insert(name.clone(), property);
    }
    if set.is_some() {
        for (name, value) in variant_values(&main.name).unwrap_or_default() {
            // The value is the name's to say; what else the file says of it stays.
            let kept = old.and_then(|old| old.get(&name)).and_then(Value::as_object).cloned();
            let mut property = kept.unwrap_or_default();
            property.insert("value".to_owned(), value.into());
            property.insert("type".to_owned(), "VARIANT".into());
            properties.insert(name, property.into());
        }
    }
    (!properties.is_empty()).then_some(properties)
}

/// What an instance has of a property that nobody set in it.
fn property_at_first(definition: &Value, kind: &str) -> Value {
    let mut first = json!({ "value": definition.get("defaultValue"), "type": kind });
    if let Some(preferred) = definition.get("preferredValues") {
        first["preferredValues"] = preferred.clone();
    }
    first
}

/// Figma's definitions of the properties of a set whose variants have these names: what `old` says of the others stays,
/// and so does what a property is at first, while there is such a value.
pub(super) fn definitions_of(names: &[String], old: Option<&Value>) -> Map<String, Value> {
    let old = old.and_then(Value::as_object).cloned().unwrap_or_default();
    let others =
        old.iter().filter(|(_, of)| of.get("type").and_then(Value::as_str) != Some("VARIANT"));
    let mut definitions: Map<String, Value> =
        others.map(|(name, of)| (name.clone(), of.clone())).collect();
    for (name, value) in names.iter().filter_map(|name| variant_values(name)).flatten() {
        let before = old.get(&name).and_then(|of| of.get("defaultValue"));
        let is_first = before.and_then(Value::as_str) == Some(value.as_str());
        let definition = definitions.entry(name).or_insert_with(
            || json!({ "type": "VARIANT", "defaultValue": value, "variantOptions": [] }),
        );
        // It begins with the value of the first variant, until the one that was first before is met.
        if is_first && let Some(definition) = definition.as_object_mut() {
            definition.insert("defaultValue".to_owned(), value.as_str().into());
        }
        if let Some(Value::Array(options)) = definition.get_mut("variantOptions")
            && !options.iter().any(|option| option.as_str() == Some(value.as_str()))
        {
            options.push(value.into());
        }
    }
    definitions
}

/// The names of the variants of a set, in their order.
pub(super) fn variant_names(document: &Document, set: &NodeId) -> Vec<String> {
    variants(document, set).map(|(node, _)| node.name.clone()).collect()
}

/// The name of the set that components make, and what each of them is called in it.
///
/// As in Figma: `Button/Primary` and `Button/Secondary` are `Property 1=Primary` and `Property 1=Secondary` of the set
/// `Button`, each further part of a name is a property of its own, and names that say properties already stay. Names
/// with nothing in common are values as a whole. No two become the same.
pub(super) fn names_in_set(names: &[&str]) -> (String, Vec<String>) {
    if names.iter().all(|name| variant_values(name).is_some()) {
        return ("Component set".to_owned(), names.iter().map(ToString::to_string).collect());
    }
    let mut parts: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            // Both would part the name again when it is read.
            let parts = name.split('/').map(|part| part.replace([',', '='], " ").trim().to_owned());
            parts.filter(|part| !part.is_empty()).collect()
        })
        .collect();
    let first = parts.first().and_then(|parts| parts.first()).cloned();
    let set = first.unwrap_or_else(|| "Component set".to_owned());
    let have_set = parts.iter().all(|parts| parts.len() > 1 && parts.first() == Some(&set));
    if have_set {
        for parts in &mut parts {
            parts.remove(0);
        }
    }
    let properties = parts.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let named = parts.into_iter().map(|mut parts| {
        // Every variant has a value of every property.
        parts.resize(properties, "Default".to_owned());
        let mut name = joined_name(&parts);
        let (last, mut number) = (parts.last().cloned().unwrap_or_default(), 2_u32);
        // Two variants that say the same could not be told apart: the last value gets a number.
        while !taken.insert(name.clone()) {
            if let Some(part) = parts.last_mut() {
                *part = format!("{last} {number}");
            }
            number += 1;
            name = joined_name(&parts);
        }
        name
    });
    let named = named.collect();
    (set, named)
}

fn joined_name(values: &[String]) -> String {
    let pairs = values.iter().enumerate();
    let pairs: Vec<String> =
        pairs.map(|(at, value)| format!("Property {}={value}", at + 1)).collect();
    pairs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variants_are_read() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let read = variant_values("State=Hover, Size = Large");
        assert_eq!(read, Some(vec![pair("State", "Hover"), pair("Size", "Large")]));
        assert_eq!(variant_values("Formula=a=b"), Some(vec![pair("Formula", "a=b")]));
        for name in ["", "Button", "State=Hover, Large", "=x", "State=Hover,"] {
            assert_eq!(variant_values(name), None, "{name}");
        }
    }

    #[test]
    fn names_become_properties_as_in_figma() {
        for (names, set, expected) in [
            (
                &["Button/Primary", "Button/Secondary"][..],
                "Button",
                &["Property 1=Primary", "Property 1=Secondary"][..],
            ),
            (
                &["Button / Primary / Hover", "Button/Primary"],
                "Button",
                &["Property 1=Primary, Property 2=Hover", "Property 1=Primary, Property 2=Default"],
            ),
            (&["Home", "Back"], "Home", &["Property 1=Home", "Property 1=Back"]),
            (
                &["Card", "Card", "Card"],
                "Card",
                &["Property 1=Card", "Property 1=Card 2", "Property 1=Card 3"],
            ),
            (&["State=On", "State=Off"], "Component set", &["State=On", "State=Off"]),
            (&["a=b,c", "/"], "a b c", &["Property 1=a b c", "Property 1=Default"]),
        ] {
            let (got, named) = names_in_set(names);
            assert_eq!(
                (got.as_str(), named.as_slice()),
                (set, expected.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice())
            );
            assert!(named.iter().all(|name| variant_values(name).is_some()), "{named:?}");
        }
    }
}

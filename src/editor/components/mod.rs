//! Components and their instances.
//!
//! An instance names its component by Figma's `componentId`; what lies in it has ids that name the layer of the
//! component it was made of, as Figma's have ([`pairing`], [`copying`]). After every edit of a component its instances
//! follow it ([`following`]), but for what is overridden in them ([`overrides`], in Figma's words: [`field_names`]),
//! which stays with them when they are swapped ([`keeping`]). Components of a set are its [`variants`]; other
//! properties are set at an instance and change the layers that refer to them ([`mod@properties`], [`property_acts`],
//! [`linking`]).

mod copying;
mod field_names;
mod following;
mod keeping;
mod linking;
mod overrides;
mod pairing;
mod properties;
mod property_acts;
mod variants;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::arrange::group::{put_around, wrap};
use super::arrange::members::{chosen, select_made};
use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::{Affine, Point, Rgba, Size};
use crate::design::edit::{Edit, Transaction};
use crate::design::hunk::Field;
use crate::design::{
    CornerRadii, Document, DocumentError, EnvelopeShape, Node, NodeId, NodeKind, Paint,
};

use overrides::{Naming, mains_of, name_overrides};
use pairing::{check_no_cycle, outermost_instance, set_of};
use properties::refer;
use property_acts::{component_property_act, forget_all};
use variants::{DEFINITIONS, definitions_of, names_in_set, nearest_variant};

pub(super) use following::followed;
pub use keeping::kept_overrides;
pub(super) use linking::link_layers;
pub use overrides::{Override, SwappedInstance, overrides_of, swapped_instances};
pub use pairing::component_of;
pub use properties::{
    ComponentProperty, PropertyKind, PropertyValue, SwapChoice, component_properties,
    property_holder, property_holder_around, reference_of, swap_choices,
};
pub use property_acts::ComponentPropertyAct;
pub use variants::{
    VariantProperty, set_of_instance, variant_properties, variant_value, variant_values,
};

/// Figma's look of a component set: room around the variants, and a dashed line.
const SET_PADDING: f64 = 20.0;
const SET_DASHES: [f64; 2] = [10.0, 5.0];
const SET_RADIUS: f64 = 5.0;
const SET_LINE: [u8; 4] = [0x97, 0x47, 0xff, 0xff];

/// What is done with components.
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentAct {
    /// Makes what is selected a component: a frame becomes one, anything else gets one around it. Of several components
    /// it makes a set.
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
    /// Swaps the selected instances to the variant of their set that has a value, and is like it in the others.
    SetVariant {
        /// Which property.
        property: String,
        /// The value.
        value: String,
    },
    /// Makes what was changed in the selected instances as it is in their components.
    Reset,
    /// The same of single fields, whatever is selected.
    ResetOverrides(Vec<Override>),
    /// Makes an instance in another one that was swapped one of the component that it is of there.
    ResetSwap(NodeId),
    /// Makes, sets or takes away properties of components.
    Property(ComponentPropertyAct),
}

/// Does it.
pub(in crate::editor) fn component_act(
    editor: &mut Editor,
    act: ComponentAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ComponentAct::Create if are_components(editor) => create_set(editor, context),
        ComponentAct::Create => create(editor, context),
        ComponentAct::Insert { component, at } => insert(editor, &component, at, context),
        ComponentAct::Detach => {
            let instances = selected_instances(editor)?;
            editor.edit("Detach instance", &instances, context, |change| {
                for id in &instances {
                    change.update(id, detach)?;
                    forget_all(change, id)?;
                }
                Ok(())
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
        ComponentAct::SetVariant { property, value } => {
            set_variant(editor, &property, &value, context)
        }
        ComponentAct::Reset => {
            let instances = selected_instances(editor)?;
            editor.edit("Reset instance", &instances, context, |change| {
                instances.iter().try_for_each(|id| copying::reset(change, id))
            })?;
            Ok(())
        }
        ComponentAct::ResetOverrides(overrides) => reset_overrides(editor, overrides, context),
        ComponentAct::ResetSwap(node) => reset_swap(editor, &node, context),
        ComponentAct::Property(act) => component_property_act(editor, act, context),
    }
}

fn set_variant(
    editor: &mut Editor,
    property: &str,
    value: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let mut swaps = Vec::new();
    for instance in selected_instances(editor)? {
        let now = document.get(&instance).and_then(|node| component_of(node));
        let variant = now.as_ref().and_then(|it| nearest_variant(document, it, property, value));
        // One that has the value already is left as it is.
        let is_set = variant_value(document, &instance, property).as_deref() == Some(value);
        let Some(variant) = variant.filter(|_| !is_set) else { continue };
        check_no_cycle(document, &variant, Some(&instance))?;
        swaps.push((instance, variant));
    }
    let nodes: Vec<NodeId> = swaps.iter().map(|(instance, _)| instance.clone()).collect();
    editor.edit("Change variant", &nodes, context, |change| {
        swaps.iter().try_for_each(|(instance, variant)| copying::swap(change, instance, variant))
    })?;
    Ok(())
}

/// Gives layers of instances back what the components have, field by field.
fn reset_overrides(
    editor: &mut Editor,
    mut overrides: Vec<Override>,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    overrides.retain(|one| document.get(&one.node).is_some());
    let mains: Vec<Option<Arc<Node>>> =
        overrides.iter().map(|one| main_of(document, &one.node)).collect();
    if mains.contains(&None) {
        return Err(EditorError::not_possible("the main component is not in this file"));
    }
    let nodes: Vec<NodeId> = overrides.iter().map(|one| one.node.clone()).collect();
    editor.edit("Reset override", &nodes, context, |change| {
        for (one, main) in overrides.iter().zip(mains.iter().flatten()) {
            let set = set_of(change.document(), &main.id).map(|set| set.name.clone());
            change.update(&one.node, |own| {
                one.field.copy(main, own);
                if let (Field::Name, NodeKind::Instance, Some(set)) = (one.field, &own.kind, set) {
                    own.name = set;
                }
            })?;
        }
        name_overrides(change, &overrides, Naming::NotNamed)
    })?;
    Ok(())
}

/// The layer of the component that one of an instance stands for.
fn main_of(document: &Document, own: &NodeId) -> Option<Arc<Node>> {
    let instance = outermost_instance(document, own)?;
    document.get(mains_of(document, &instance).get(own)?).cloned()
}

fn reset_swap(
    editor: &mut Editor,
    node: &NodeId,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    let around = document.get(node).and_then(|node| node.parent.as_ref());
    let swapped = around.and_then(|around| outermost_instance(document, around));
    let swapped = swapped.map(|outermost| swapped_instances(document, &outermost));
    let one = swapped.into_iter().flatten().find(|one| one.node == *node);
    let Some(SwappedInstance { node, original }) = one else {
        return Err(EditorError::not_possible("the instance was not swapped"));
    };
    check_no_cycle(document, &original, Some(&node))?;
    editor.edit("Reset swap", std::slice::from_ref(&node), context, |change| {
        copying::swap(change, &node, &original)
    })?;
    Ok(())
}

/// Whether several components are selected, and nothing else.
fn are_components(editor: &Editor) -> bool {
    let document = editor.document();
    let nodes = editor.topmost_selected();
    let mut kinds = nodes.iter().map(|id| document.get(id).map(|node| &node.kind));
    nodes.len() > 1 && kinds.all(|kind| kind == Some(&NodeKind::Component))
}

/// Makes a set of the selected components, which become its variants.
fn create_set(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    let document = editor.document();
    if nodes.iter().any(|id| set_of(document, id).is_some()) {
        return Err(EditorError::not_possible("one of the components is in a set already"));
    }
    let names: Vec<&str> =
        nodes.iter().filter_map(|id| document.get(id)).map(|node| node.name.as_str()).collect();
    let (name, variants) = names_in_set(&names);
    let mut after = document.clone();
    let mut change = Transaction::begin(&mut after);
    let set = set_around(&mut change, &nodes, name, &variants)?;
    change.commit_with(context.measure);
    list_set(&mut after, &set, &nodes);
    let edit = Edit::between(document, &after);
    editor.take_in("Create component set", &nodes, edit, None);
    select_made(editor, vec![set]);
    Ok(())
}

fn set_around(
    change: &mut Transaction<'_>,
    nodes: &[NodeId],
    name: String,
    variants: &[String],
) -> Result<NodeId, DocumentError> {
    let mut set = Node::new(change.new_id(), name, NodeKind::ComponentSet);
    put_around(&mut set, change.document(), nodes);
    let at = set.transform;
    set.transform = Affine { e: at.e - SET_PADDING, f: at.f - SET_PADDING, ..at };
    let (width, height) = (set.size.width, set.size.height);
    set.size = Size::new(width + 2.0 * SET_PADDING, height + 2.0 * SET_PADDING);
    set.stroke.paints = vec![Paint::solid(Rgba::from_u8(SET_LINE))];
    set.stroke.dashes = SET_DASHES.to_vec();
    set.corner_radii = CornerRadii::uniform(SET_RADIUS);
    set.clips_content = true;
    let defined = nodes.iter().filter_map(|id| change.document().get(id)?.source.get(DEFINITIONS));
    let defined: Map<String, Value> = defined
        .filter_map(Value::as_object)
        .flatten()
        .map(|(key, of)| (key.clone(), of.clone()))
        .collect();
    let definitions = definitions_of(variants, Some(&defined.into()));
    Arc::make_mut(&mut set.source).insert(DEFINITIONS.to_owned(), definitions.into());
    let set = wrap(change, set, nodes)?;
    for (id, name) in nodes.iter().zip(variants) {
        change.update(id, |node| {
            node.name.clone_from(name);
            // What layers of variants refer to the set defines.
            Arc::make_mut(&mut node.source).shift_remove(DEFINITIONS);
        })?;
    }
    Ok(set)
}

/// Names a set beside the nodes, and in the entries of its variants, as files have it.
fn list_set(document: &mut Document, set: &NodeId, variants: &[NodeId]) {
    let mut envelope = document.envelope().clone();
    let Some(node) = document.get(set).filter(|_| envelope.shape == EnvelopeShape::Document) else {
        return;
    };
    let entry = json!({
        "key": "", "name": node.name, "description": "", "documentationLinks": [], "remote": false,
    });
    let sets = envelope.fields.entry("componentSets").or_insert_with(|| json!({}));
    if let Value::Object(sets) = sets {
        sets.insert(set.as_str().to_owned(), entry);
    }
    for id in variants {
        let listed = envelope.fields.get_mut("components");
        let entry = listed.and_then(|listed| listed.get_mut(id.as_str()));
        if let (Some(Value::Object(entry)), Some(node)) = (entry, document.get(id)) {
            entry.insert("name".to_owned(), node.name.as_str().into());
            entry.insert("componentSetId".to_owned(), set.as_str().into());
        }
    }
    document.set_envelope(envelope);
}

fn create(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let Ok(nodes) = chosen(editor) else {
        return Err(EditorError::not_possible("select what is to be a component"));
    };
    let document = editor.document();
    // Neither around them nor among what is in them.
    let has_components = nodes
        .iter()
        .flat_map(|id| document.ancestors(id).chain(document.subtree(id)))
        .any(|node| node.kind == NodeKind::Component);
    if has_components {
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
    // Into the topmost frame there of the page that is looked at, else onto that page.
    let parent = editor.frame_at(at).or_else(|| editor.page());
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
    if reference_of(node, PropertyKind::InstanceSwap).is_some() {
        refer(node, PropertyKind::InstanceSwap, None);
    }
}

#[cfg(test)]
mod tests;

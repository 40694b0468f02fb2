//! Instances follow their components.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::copying::{copy, name_component};
use super::overrides::{named_fields, recorded};
use super::pairing::{COMPONENT, component_of, follows, pairs, set_of};
use super::properties::{PROPERTIES, REFERENCES, instances_of, with_defaults};
use super::variants::{DEFINITIONS, definitions_of, properties_for, variant_names};
use crate::design::edit::{Edit, Transaction};
use crate::design::hunk::Field;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};
use crate::editor::styles::STYLES;

/// Through how many components with instances of one another a change goes.
const MOST_ROUNDS: usize = 16;

/// An edit with what follows from it in instances of the components it changes: each field that was as in the component
/// becomes as it is now, and layers come, go and change their order with it. What was another stays, and what the file
/// names as overridden.
pub(in crate::editor) fn followed(before: &Document, edit: Edit) -> Edit {
    let (mut old, mut last) = (before.clone(), with_instances(before, edit));
    last = with_defaults(before, last);
    let mut all: Option<Edit> = None;
    // Instances may lie in other components, which change with them: round by round, until nothing follows.
    for _ in 0..MOST_ROUNDS {
        let mut new = old.clone();
        last.apply(&mut new);
        let changed = changed_components(&old, &new, &last);
        let next = if changed.is_empty() { None } else { follow_all(&old, &new, &changed) };
        let Some(next) = next.filter(|next| !next.is_empty()) else { break };
        all = Some(joined(all, &last));
        (old, last) = (new, next);
    }
    recorded(before, with_definitions(before, joined(all, &last)))
}

/// The edit with what sets say of their variants, and instances of sets and components of their properties, true again.
fn with_definitions(before: &Document, edit: Edit) -> Edit {
    let mut after = before.clone();
    edit.apply(&mut after);
    let (mut sets, mut components) = (BTreeSet::new(), BTreeSet::new());
    for id in edit.touched() {
        let [was, now] = [before, &after]
            .map(|document| document.get(id).filter(|node| node.kind == NodeKind::Component));
        if let (Some(was), Some(now)) = (was, now)
            && was.source.get(DEFINITIONS) != now.source.get(DEFINITIONS)
        {
            components.insert(id.clone());
        }
        for document in [before, &after] {
            let node = document.get(id);
            let parent = node.and_then(|node| document.get(node.parent.as_ref()?));
            let around = node.into_iter().chain(parent);
            let around = around.filter(|node| node.kind == NodeKind::ComponentSet);
            sets.extend(around.map(|set| set.id.clone()));
        }
    }
    // One that is new says what whoever made it had it say.
    sets.retain(|id| before.get(id).is_some() && after.get(id).is_some());
    if sets.is_empty() && components.is_empty() {
        return edit;
    }
    let mut change = Transaction::begin(&mut after);
    let mut said = sets.iter().try_for_each(|set| say_variants(&mut change, before, set));
    for component in &components {
        said = said.and_then(|()| say_properties(&mut change, component));
    }
    // What is said breaks no rule; without it names of variants and layers still tell.
    match said {
        Ok(()) => edit.followed_by(&change.commit()),
        Err(_) => edit,
    }
}

fn say_variants(
    change: &mut Transaction<'_>,
    before: &Document,
    set: &NodeId,
) -> Result<(), DocumentError> {
    let document = change.document();
    let (was, now) = (before.node(set)?.name.clone(), document.node(set)?.name.clone());
    let old = document.node(set)?.source.get(DEFINITIONS);
    let definitions = definitions_of(&variant_names(document, set), old);
    change.update(set, |node| put_unless_same(node, DEFINITIONS, definitions))?;
    for instance in instances_of(change.document(), set) {
        change.update(&instance, |node| {
            if node.name == was {
                now.clone_into(&mut node.name);
            }
        })?;
    }
    say_properties(change, set)
}

/// Has the instances of a set, or of a component that is in none, say of each of its properties what they have.
fn say_properties(change: &mut Transaction<'_>, holder: &NodeId) -> Result<(), DocumentError> {
    for instance in instances_of(change.document(), holder) {
        let node = change.document().node(&instance)?;
        let Some(component) = component_of(node) else { continue };
        let old = node.source.get(PROPERTIES);
        let properties = properties_for(change.document(), &component, old).unwrap_or_default();
        change.update(&instance, |node| put_unless_same(node, PROPERTIES, properties))?;
    }
    Ok(())
}

/// Writes a field of a node's file; an empty one that is not there stays out.
fn put_unless_same(node: &mut Node, key: &str, value: Map<String, Value>) {
    let there = node.source.get(key).and_then(Value::as_object);
    if there.map_or(value.is_empty(), |there| *there == value) {
        return;
    }
    Arc::make_mut(&mut node.source).insert(key.to_owned(), value.into());
}

/// The edit with instances in place of components that were copied, however that was done. A component that is put in
/// and is like none there stays one.
fn with_instances(before: &Document, edit: Edit) -> Edit {
    let is_new = |id: &&NodeId| before.get(id).is_none();
    if !edit.touched().any(|id| is_new(&id)) {
        return edit;
    }
    let mut after = before.clone();
    edit.apply(&mut after);
    let new = edit.touched().filter(is_new).filter_map(|id| after.get(id));
    let copies: Vec<(NodeId, NodeId)> = new
        .filter(|node| node.kind == NodeKind::Component)
        // A copy in a set is another variant.
        .filter(|node| set_of(&after, &node.id).is_none())
        .filter_map(|node| Some((node.id.clone(), original(before, &after, &node.id)?)))
        .collect();
    let mut change = Transaction::begin(&mut after);
    for (copy, of) in &copies {
        let properties = properties_for(change.document(), of, None);
        let made = change.update(copy, |node| {
            node.kind = NodeKind::Instance;
            name_component(node, of, properties);
        });
        // A change of the kind alone breaks no rule; without it the copy is a component of its own.
        if made.is_err() {
            return edit;
        }
    }
    edit.followed_by(&change.commit())
}

/// The component that a new one is a copy of, with all that lies in it. One that the file lists is its own, and so is
/// one that there are instances of: it was cut, and is put in again.
fn original(before: &Document, after: &Document, copy: &NodeId) -> Option<NodeId> {
    let listed = after.envelope().fields.get("components");
    if listed.is_some_and(|listed| listed.get(copy.as_str()).is_some()) {
        return None;
    }
    if before.iter_depth_first().any(|node| component_of(node).as_ref() == Some(copy)) {
        return None;
    }
    let mut components = before.iter_depth_first().filter(|it| it.kind == NodeKind::Component);
    let same = components.find(|it| {
        let (own, other) = (before.subtree(&it.id), after.subtree(copy));
        // Zipped alone, a component with which the copy only begins would be taken for it.
        before.subtree(&it.id).count() == after.subtree(copy).count()
            && own.zip(other).all(|(own, other)| {
                let is_root = own.id == it.id;
                let mut fields = Field::ALL.into_iter().filter(|field| follows(*field, is_root));
                fields.all(|field| field.is_same(own, other))
            })
    });
    same.map(|it| it.id.clone())
}

fn joined(first: Option<Edit>, next: &Edit) -> Edit {
    first.map_or_else(|| next.clone(), |first| first.followed_by(next))
}

/// The components in which something is another.
fn changed_components(old: &Document, new: &Document, edit: &Edit) -> BTreeSet<NodeId> {
    let mut changed = BTreeSet::new();
    for id in edit.touched() {
        for document in [old, new] {
            let own = document.get(id).into_iter();
            let around = own.chain(document.ancestors(id));
            let components = around.filter(|node| node.kind == NodeKind::Component);
            changed.extend(components.map(|node| node.id.clone()));
        }
    }
    // One that is gone leaves its instances as they are; one that is new has none.
    changed.retain(|id| {
        [old, new]
            .iter()
            .all(|document| document.get(id).is_some_and(|node| node.kind == NodeKind::Component))
    });
    changed
}

/// What becomes of all instances; `None` where one cannot follow, as the design would get too large.
fn follow_all(old: &Document, new: &Document, changed: &BTreeSet<NodeId>) -> Option<Edit> {
    let mut after = new.clone();
    let mut change = Transaction::begin(&mut after);
    // Collected before any follows: the walk would meet layers that come meanwhile.
    let instances: Vec<(NodeId, NodeId)> = new
        .iter_depth_first()
        .filter_map(|node| Some((component_of(node)?, node.id.clone())))
        .filter(|(component, _)| changed.contains(component))
        .collect();
    for (component, instance) in instances {
        follow(&mut change, old, new, &component, &instance).ok()?;
    }
    Some(change.commit())
}

fn follow(
    change: &mut Transaction<'_>,
    old: &Document,
    new: &Document,
    component: &NodeId,
    instance: &NodeId,
) -> Result<(), DocumentError> {
    if change.document().get(instance).is_none() {
        return Ok(());
    }
    let pairs: Vec<(NodeId, NodeId)> = pairs(old, component, instance);
    let mut own_of: BTreeMap<NodeId, NodeId> = pairs.into_iter().collect();
    own_of.retain(|_, own| change.document().get(own).is_some());
    // What went from the component goes from the instance.
    let gone: Vec<NodeId> = own_of
        .iter()
        .filter(|(main, _)| {
            *main != component && !new.ancestors(main).any(|around| around.id == *component)
        })
        .map(|(_, own)| own.clone())
        .collect();
    for own in gone {
        if change.document().get(&own).is_some() {
            change.remove(&own)?;
        }
    }
    own_of.retain(|_, own| change.document().get(own).is_some());
    for main in new.subtree(component) {
        let is_root = main.id == *component;
        match (old.get(&main.id), own_of.get(&main.id)) {
            (Some(was), Some(own)) => take_over(change, was, main, own, is_root)?,
            (None, Some(_)) => {}
            // Somebody took it out of the instance, and out it stays.
            (Some(was), None) if was.parent == main.parent => {}
            (Some(_) | None, None) => {
                let around = main.parent.as_ref();
                let parent = around.and_then(|parent| own_of.get(parent)).cloned();
                // What another component has in an instance of it is not for one that was swapped.
                let [theirs, own] =
                    [(new, around), (change.document(), parent.as_ref())].map(|(document, id)| {
                        id.and_then(|id| document.get(id)).and_then(|node| component_of(node))
                    });
                if let Some(parent) = parent.filter(|_| theirs == own || around == Some(component))
                {
                    let own = copy(change, main, instance, &parent, None)?;
                    own_of.insert(main.id.clone(), own);
                }
            }
        }
    }
    // Once all are there, they come in their order, where that is another.
    for main in new.subtree(component) {
        let is_same_order = old.get(&main.id).is_some_and(|was| was.children == main.children);
        if !is_same_order {
            reorder(change, new, main, &own_of)?;
        }
    }
    Ok(())
}

/// Puts what stands for the children of a layer in their order.
fn reorder(
    change: &mut Transaction<'_>,
    new: &Document,
    main: &Node,
    own_of: &BTreeMap<NodeId, NodeId>,
) -> Result<(), DocumentError> {
    let Some(parent) = own_of.get(&main.id) else { return Ok(()) };
    for child in &main.children {
        let Some(own) = own_of.get(child) else { continue };
        let Some(now) = change.document().get(own).cloned() else { continue };
        change.reparent(own, Some(parent), None)?;
        // In another layer it lies as it does in the component.
        if now.parent.as_ref() != Some(parent)
            && let Some(child) = new.get(child)
        {
            change.update(own, |node| node.transform = child.transform)?;
        }
    }
    Ok(())
}

/// Gives a layer of an instance the fields that were as in the component and are others there now, the component that
/// an instance is of among them.
fn take_over(
    change: &mut Transaction<'_>,
    was: &Arc<Node>,
    main: &Arc<Node>,
    own: &NodeId,
    is_root: bool,
) -> Result<(), DocumentError> {
    let Some(now) = change.document().get(own).cloned() else { return Ok(()) };
    let mut fields: Vec<Field> = Field::ALL
        .into_iter()
        .filter(|field| follows(*field, is_root))
        .filter(|field| !field.is_same(was, main) && field.is_same(was, &now))
        .collect();
    let differs = |key: &str| was.source.get(key) != main.source.get(key);
    let is_of_same = now.source.get(COMPONENT) == was.source.get(COMPONENT);
    let mut keys = Vec::new();
    keys.extend(differs(REFERENCES).then_some(REFERENCES));
    // A layer with the style of the component's follows that to another, or to none.
    let is_styled_alike = now.source.get(STYLES) == was.source.get(STYLES);
    keys.extend((differs(STYLES) && is_styled_alike).then_some(STYLES));
    // One that was swapped here stays swapped, and its properties are those of what it is now.
    if differs(COMPONENT) && is_of_same {
        keys.extend([COMPONENT, PROPERTIES]);
    }
    if fields.is_empty() && keys.is_empty() {
        return Ok(());
    }
    // Named in the file it stays, though it was as the component was.
    let named = named_fields(change.document(), own);
    fields.retain(|field| !named.contains(field));
    change.update(own, |node| {
        for field in &fields {
            field.copy(main, node);
        }
        for key in keys {
            let source = Arc::make_mut(&mut node.source);
            match main.source.get(key) {
                Some(value) => drop(source.insert(key.to_owned(), value.clone())),
                None => drop(source.shift_remove(key)),
            }
        }
    })
}

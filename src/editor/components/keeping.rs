//! What an instance keeps when it becomes one of another component.
//!
//! What is overridden in a layer stays where the other component has one that lies alike ([`layer_like`]). What finds
//! none is written into the instance, and is there again once the instance is of a component that has the layer.
//! Resetting the instance takes it away.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::overrides::{Override, layers_of_component, mains_of, overrides_of};
use super::pairing::{component_of, follows, outermost_instance};
use crate::base::{Affine, Size};
use crate::design::edit::{Transaction, check_numbers};
use crate::design::figma::{node_of_fields, typed_fields};
use crate::design::hunk::Field;
use crate::design::{Document, DocumentError, Node, NodeId};

/// The field of an instance with what its component has no layers for. Whatever reads Figma's files passes it over.
pub(super) const KEPT: &str = "pentimentoKeptOverrides";

/// Where a layer lies in an instance: names, kinds and which of several alike, from the outside in; empty for itself.
type LayerPath = Vec<(String, String, usize)>;

/// A layer of an instance that keeps something when its component becomes another.
#[derive(Clone, Debug)]
pub(super) struct KeptLayer {
    path: LayerPath,
    /// The layer as it was.
    pub(super) own: Arc<Node>,
    /// What is overridden of it.
    pub(super) fields: Vec<Field>,
    /// The component that an instance in it was swapped to.
    pub(super) swapped_to: Option<NodeId>,
}

/// The same in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptLayerRecord {
    id: NodeId,
    path: LayerPath,
    fields: Vec<Field>,
    /// What is typed of the layer, as the API writes it.
    node: Map<String, Value>,
    transform: [[f64; 3]; 2],
    size: Size,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    component_id: Option<NodeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<Value>,
}

impl KeptLayer {
    fn read(value: &Value) -> Option<Self> {
        let entry = KeptLayerRecord::deserialize(value).ok()?;
        let mut own = node_of_fields(entry.id, &entry.node);
        (own.transform, own.size) = (Affine::from_rows(entry.transform), entry.size);
        if let Some(inside) = entry.kept {
            Arc::make_mut(&mut own.source).insert(KEPT.to_owned(), inside);
        }
        check_numbers(&own).ok()?;
        let (path, mut fields, swapped_to) = (entry.path, entry.fields, entry.component_id);
        // A file may say anything: what is kept is of a layer within, and of fields that are overridden at all.
        let (_, kind, _) = path.last()?;
        if *kind != own.kind.type_name() {
            return None;
        }
        fields.retain(|field| follows(*field, false));
        Some(Self { path, own: Arc::new(own), fields, swapped_to })
    }

    fn to_json(&self) -> Option<Value> {
        let entry = KeptLayerRecord {
            id: self.own.id.clone(),
            path: self.path.clone(),
            fields: self.fields.clone(),
            node: typed_fields(&self.own),
            transform: self.own.transform.to_rows(),
            size: self.own.size,
            component_id: self.swapped_to.clone(),
            kept: self.own.source.get(KEPT).cloned(),
        };
        serde_json::to_value(entry).ok()
    }
}

/// How many overrides an instance keeps of layers that its component does not have.
pub fn kept_overrides(instance: &Node) -> usize {
    let (stored, _) = stored(instance);
    stored.iter().map(|kept| kept.fields.len() + usize::from(kept.swapped_to.is_some())).sum()
}

/// What an instance keeps, itself first, from the outside in, then what it kept before; and of that what cannot be
/// read.
pub(super) fn kept(document: &Document, instance: &NodeId) -> (Vec<KeptLayer>, Vec<Value>) {
    let around = outermost_instance(document, instance);
    let mut mains = around.as_ref().map(|it| mains_of(document, it)).unwrap_or_default();
    // What was swapped is called as where it was swapped.
    mains.extend(around.map(|it| layers_of_component(document, &it)).unwrap_or_default());
    let main_of = |own: &NodeId| mains.get(own).and_then(|main| document.get(main));
    let mut fields: BTreeMap<NodeId, Vec<Field>> = BTreeMap::new();
    for Override { node, field } in overrides_of(document, instance) {
        fields.entry(node).or_default().push(field);
    }
    let layers = document.subtree(instance).filter_map(|own| {
        let is_inside = own.id != *instance;
        let component = component_of(own).filter(|_| is_inside);
        let swapped_to = component.filter(|component| {
            main_of(&own.id).is_some_and(|main| component_of(main).as_ref() != Some(component))
        });
        let fields = fields.get(&own.id).cloned().unwrap_or_default();
        let main_kept = main_of(&own.id).and_then(|main| main.source.get(KEPT));
        let keeps = is_inside && own.source.get(KEPT).is_some_and(|own| Some(own) != main_kept);
        let is_kept = !fields.is_empty() || swapped_to.is_some() || keeps;
        is_kept.then(|| {
            let path = path_in(document, instance, &own.id, main_of);
            KeptLayer { path, own: Arc::clone(own), fields, swapped_to }
        })
    });
    let mut layers: Vec<KeptLayer> = layers.collect();
    let (before, unread) = document.get(instance).map(|it| stored(it)).unwrap_or_default();
    layers.extend(before);
    (layers, unread)
}

fn stored(instance: &Node) -> (Vec<KeptLayer>, Vec<Value>) {
    let (mut stored, mut unread) = (Vec::new(), Vec::new());
    let list = match instance.source.get(KEPT) {
        None => &[],
        Some(Value::Array(list)) => list.as_slice(),
        Some(other) => std::slice::from_ref(other),
    };
    for value in list {
        match KeptLayer::read(value) {
            Some(kept) => stored.push(kept),
            None => unread.push(value.clone()),
        }
    }
    (stored, unread)
}

/// Writes into an instance what found no layer in its component.
pub(super) fn store(
    change: &mut Transaction<'_>,
    instance: &NodeId,
    left: &[KeptLayer],
    unread: Vec<Value>,
) -> Result<(), DocumentError> {
    let list: Vec<Value> = left.iter().filter_map(KeptLayer::to_json).chain(unread).collect();
    if list.is_empty() {
        return Ok(());
    }
    change.update(instance, |node| {
        Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), list.into());
    })
}

/// By the names of the component, as layers of an instance may be called otherwise, and the kinds that they have.
fn path_in<'d>(
    document: &'d Document,
    instance: &NodeId,
    layer: &NodeId,
    main_of: impl Fn(&NodeId) -> Option<&'d Arc<Node>>,
) -> LayerPath {
    let name_of = |id: &NodeId| {
        let Some(own) = document.get(id) else { return <(String, String)>::default() };
        let named = main_of(id).unwrap_or(own);
        (named.name.clone(), own.kind.type_name().to_owned())
    };
    let mut path = LayerPath::new();
    let mut at = layer;
    while at != instance {
        let Some(parent) = document.get(at).and_then(|node| node.parent.as_ref()) else { break };
        let (name, kind) = name_of(at);
        let siblings = document.children_of(Some(parent)).iter().take_while(|id| *id != at);
        let alike = siblings.filter(|id| name_of(id) == (name.clone(), kind.clone())).count();
        path.push((name, kind, alike));
        at = parent;
    }
    path.reverse();
    path
}

fn is_called(document: &Document, id: &NodeId, name: &str, kind: &str) -> bool {
    document.get(id).is_some_and(|node| node.name == name && node.kind.type_name() == kind)
}

/// The layer of an instance that is the same one, or lies alike, or else the first of the same name and kind that took
/// nothing yet.
pub(super) fn layer_like(
    document: &Document,
    instance: &NodeId,
    kept: &KeptLayer,
    taken: &BTreeMap<NodeId, Vec<Field>>,
) -> Option<NodeId> {
    let same = document.get(&kept.own.id).filter(|node| {
        let is_inside = document.ancestors(&node.id).any(|around| around.id == *instance);
        is_inside && node.kind.type_name() == kept.own.kind.type_name()
    });
    let mut at = Some(instance.clone());
    for (name, kind, alike) in &kept.path {
        let children = at.as_ref().map(|at| document.children_of(Some(at)));
        let mut alike_ones =
            children.into_iter().flatten().filter(|id| is_called(document, id, name, kind));
        at = alike_ones.nth(*alike).cloned();
    }
    same.map(|node| node.id.clone()).or(at).or_else(|| {
        let (name, kind, _) = kept.path.last()?;
        let mut inside = document.subtree(instance).skip(1).map(|node| &node.id);
        inside.find(|id| is_called(document, id, name, kind) && !taken.contains_key(*id)).cloned()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::base::Point;
    use crate::design::{NodeKind, figma};
    use crate::editor::components::copying;
    use crate::editor::components::tests::{
        CONTEXT, RED, act, change, fill, fill_of, node, select, text, with_instance, words_of,
    };
    use crate::editor::{Act, ComponentAct, Editor};

    /// A button with a plate and a label, an instance of it, and a component that has a plate alone.
    fn with_bare() -> (Editor, NodeId) {
        let (mut editor, instance) = with_instance();
        let bare = node("bare", NodeKind::Component, "", [200.0, 20.0, 60.0, 30.0]);
        let plate = node("bare-plate", NodeKind::Rectangle, "", [0.0, 0.0, 60.0, 30.0]);
        let plate = Node { name: "plate".to_owned(), ..plate };
        editor
            .edit("Add", &[], &CONTEXT, |it| {
                it.insert(bare, Some(&"screen".into()), None)?;
                it.insert(plate, Some(&"bare".into()), None)
            })
            .unwrap();
        select(&mut editor, &[instance.as_str()]);
        (editor, instance)
    }

    fn swap(editor: &mut Editor, component: &str) {
        act(editor, ComponentAct::Swap(component.into())).unwrap();
    }

    /// Writes other words into the label and hides it.
    fn override_label(editor: &mut Editor, label: &NodeId) {
        change(editor, label, |node| {
            "Sell".clone_into(&mut node.text_mut().unwrap().characters);
            node.visible = false;
        });
    }

    fn count(editor: &Editor, instance: &NodeId) -> usize {
        kept_overrides(editor.document().get(instance).unwrap())
    }

    #[test]
    fn what_a_component_has_no_layer_for_is_there_again_when_the_instance_is_swapped_back() {
        let (mut editor, instance) = with_bare();
        let [plate, label] = ["plate", "label"].map(|id| NodeId::new(format!("I{instance};{id}")));
        override_label(&mut editor, &label);
        fill(&mut editor, &plate, RED);
        let before = editor.document().clone();
        let overrides = overrides_of(&before, &instance);
        swap(&mut editor, "bare");
        assert_eq!(count(&editor, &instance), 2);
        let stayed = editor.document().children_of(Some(&instance)).first().unwrap().clone();
        assert_eq!(fill_of(&editor, &stayed), Some(RED), "what it has a layer for is in that");
        // Written into a file and read again.
        let read = figma::from_json(figma::to_json(editor.document())).unwrap();
        let mut again = Editor::new(read.document);
        for editor in [&mut editor, &mut again] {
            select(editor, &[instance.as_str()]);
            swap(editor, "button");
            assert_eq!(words_of(editor, &label), "Sell");
            assert_eq!(overrides_of(editor.document(), &instance), overrides);
            assert!(!editor.document().get(&instance).unwrap().source.contains_key(KEPT));
        }
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(count(&editor, &instance), 2);
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(*editor.document(), before);
    }

    #[test]
    fn what_is_kept_goes_when_the_instance_is_reset_or_detached() {
        for end in [ComponentAct::Reset, ComponentAct::Detach] {
            let (mut editor, instance) = with_bare();
            let label = NodeId::new(format!("I{instance};label"));
            override_label(&mut editor, &label);
            swap(&mut editor, "bare");
            act(&mut editor, end.clone()).unwrap();
            assert_eq!(count(&editor, &instance), 0, "{end:?}");
            if end == ComponentAct::Reset {
                swap(&mut editor, "button");
                assert_eq!(words_of(&editor, &label), "Buy");
            }
        }
    }

    #[test]
    fn a_copy_of_an_instance_has_what_that_keeps() {
        let (mut editor, instance) = with_bare();
        override_label(&mut editor, &NodeId::new(format!("I{instance};label")));
        swap(&mut editor, "bare");
        let mut copy = None;
        editor
            .edit("Duplicate", &[], &CONTEXT, |it| {
                copy = Some(it.duplicate(&instance)?);
                Ok(())
            })
            .unwrap();
        let copy = copy.unwrap();
        select(&mut editor, &[copy.as_str()]);
        swap(&mut editor, "button");
        let label = editor.document().subtree(&copy).find(|it| it.name == "label").unwrap();
        let (label, is_visible) = (label.id.clone(), label.visible);
        assert_eq!((words_of(&editor, &label).as_str(), is_visible), ("Sell", false));
        assert_eq!(count(&editor, &instance), 2, "the other one keeps its own");
    }

    #[test]
    fn an_instance_in_an_instance_is_swapped_again_and_has_its_overrides() {
        let (mut editor, instance) = with_bare();
        // A card around the instance, an instance of that, and in it the button swapped.
        act(&mut editor, ComponentAct::Create).unwrap();
        let card = editor.selection().only().unwrap().clone();
        let at = Point::new(300.0, 300.0);
        act(&mut editor, ComponentAct::Insert { component: card.clone(), at }).unwrap();
        let outer = editor.selection().only().unwrap().clone();
        let inner = editor.document().children_of(Some(&outer)).first().unwrap().clone();
        assert_ne!(inner, instance);
        select(&mut editor, &[inner.as_str()]);
        swap(&mut editor, "bare");
        let plate = editor.document().children_of(Some(&inner)).first().unwrap().clone();
        fill(&mut editor, &plate, RED);
        let blank = node("blank", NodeKind::Component, "", [0.0, 0.0, 9.0, 9.0]);
        editor
            .edit("Add", &[], &CONTEXT, |it| it.insert(blank, Some(&"screen".into()), None))
            .unwrap();
        select(&mut editor, &[outer.as_str()]);
        swap(&mut editor, "blank");
        assert!(editor.document().get(&inner).is_none());
        assert_eq!(count(&editor, &outer), 2, "the swap and the fill");
        swap(&mut editor, card.as_str());
        let document = editor.document();
        let inner = document.children_of(Some(&outer)).first().unwrap().clone();
        assert_eq!(document.get(&inner).and_then(|it| component_of(it)), Some("bare".into()));
        let plate = document.children_of(Some(&inner)).first().unwrap().clone();
        assert_eq!(fill_of(&editor, &plate), Some(RED));
    }

    #[test]
    fn what_a_file_should_not_say_is_left_alone_and_stops_no_swap() {
        let (mut editor, instance) = with_bare();
        let label = NodeId::new(format!("I{instance};label"));
        override_label(&mut editor, &label);
        swap(&mut editor, "bare");
        let mut entries = editor.document().get(&instance).unwrap().source[KEPT].clone();
        let good = entries[0].clone();
        let mut flat = good.clone();
        flat["transform"] = json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        let mut nowhere = good.clone();
        (nowhere["id"], nowhere["path"]) = (json!("9:9"), json!([["gone", "TEXT", 0]]));
        entries = json!([flat, 7, { "id": 1 }, nowhere, good]);
        change(&mut editor, &instance, |node| {
            Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), entries);
        });
        assert_eq!(count(&editor, &instance), 4);
        swap(&mut editor, "button");
        assert_eq!(words_of(&editor, &label), "Sell");
        let left = editor.document().get(&instance).unwrap().source[KEPT].clone();
        assert_eq!(left.as_array().unwrap().len(), 4, "{left}");
        assert_eq!(left[0]["id"], "9:9");
        // The instance is no less one for what is no list at all.
        change(&mut editor, &instance, |node| {
            Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), json!("x"));
        });
        swap(&mut editor, "bare");
        assert_eq!(count(&editor, &instance), 2);
        // Nor does an entry change what no instance overrides, or speak of a layer of another kind or of the instance.
        let [mut placed, mut retyped, mut root] = [(); 3].map(|()| good.clone());
        placed["fields"] = json!([Field::Kind, Field::Parent, Field::Order, Field::Words]);
        retyped["path"] = json!([["label", "RECTANGLE", 0]]);
        root["path"] = json!([]);
        change(&mut editor, &instance, |node| {
            let entries = json!([placed, retyped, root]);
            Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), entries);
        });
        assert_eq!(count(&editor, &instance), 1);
        swap(&mut editor, "button");
        assert_eq!(words_of(&editor, &label), "Sell");
        let left = editor.document().get(&instance).unwrap().source[KEPT].clone();
        assert_eq!(left, json!([retyped, root]));
    }

    /// An instance of Card in the component Z, in which the button was swapped to Y, made one of Blank; keeps the swap.
    fn with_kept_swap() -> (Editor, NodeId) {
        let component =
            |id: &str, y: f64| node(id, NodeKind::Component, "screen", [0.0, y, 50.0, 20.0]);
        let nodes = [
            node("page", NodeKind::Canvas, "", [0.0; 4]),
            node("screen", NodeKind::Frame, "page", [0.0, 0.0, 900.0, 900.0]),
            component("button", 0.0),
            component("y", 100.0),
            component("blank", 200.0),
            component("card", 300.0),
            component("z", 400.0),
        ];
        let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
        put_instance(&mut editor, "button", "card");
        let instance = put_instance(&mut editor, "card", "z");
        let inside = inside(&editor, &instance);
        select(&mut editor, &[inside.as_str()]);
        swap(&mut editor, "y");
        select(&mut editor, &[instance.as_str()]);
        swap(&mut editor, "blank");
        assert_eq!(count(&editor, &instance), 1);
        (editor, instance)
    }

    fn put_instance(editor: &mut Editor, component: &str, parent: &str) -> NodeId {
        let (component, parent) = (NodeId::from(component), NodeId::from(parent));
        let mut made = None;
        editor
            .edit("Put", &[], &CONTEXT, |it| {
                made = Some(copying::instance(it, &component, Some(&parent))?);
                Ok(())
            })
            .unwrap();
        made.unwrap()
    }

    fn inside(editor: &Editor, instance: &NodeId) -> NodeId {
        editor.document().children_of(Some(instance)).first().unwrap().clone()
    }

    fn component_inside(editor: &Editor, instance: &NodeId) -> Option<NodeId> {
        component_of(editor.document().get(&inside(editor, instance)).unwrap())
    }

    #[test]
    fn a_swap_that_would_hold_itself_by_now_and_one_to_what_is_gone_stay_kept() {
        for is_deleted in [false, true] {
            let (mut editor, instance) = with_kept_swap();
            if is_deleted {
                editor.edit("Delete", &[], &CONTEXT, |it| it.remove(&"y".into())).unwrap();
            } else {
                put_instance(&mut editor, "z", "y");
            }
            select(&mut editor, &[instance.as_str()]);
            swap(&mut editor, "card");
            assert_eq!(component_inside(&editor, &instance), Some("button".into()));
            assert_eq!(count(&editor, &instance), 1, "not lost");
        }
    }

    #[test]
    fn of_several_swaps_kept_for_a_layer_the_newest_counts() {
        let (mut editor, instance) = with_kept_swap();
        change(&mut editor, &instance, |node| {
            let newest = node.source[KEPT][0].clone();
            let mut older = newest.clone();
            older["componentId"] = json!("blank");
            Arc::make_mut(&mut node.source).insert(KEPT.to_owned(), json!([newest, older]));
        });
        swap(&mut editor, "card");
        assert_eq!(component_inside(&editor, &instance), Some("y".into()));
    }

    #[test]
    fn what_was_overridden_since_comes_before_what_was_kept() {
        let (mut editor, instance) = with_bare();
        let label = NodeId::new(format!("I{instance};label"));
        override_label(&mut editor, &label);
        swap(&mut editor, "bare");
        // Meanwhile the other component gets a label, too, which says something of its own in the instance.
        let words = text("note", "", "Note", [0.0, 0.0, 50.0, 20.0]);
        let words = Node { name: "label".to_owned(), ..words };
        let nodes = ["bare".into()];
        editor.edit("Add", &nodes, &CONTEXT, |it| it.insert(words, Some(&nodes[0]), None)).unwrap();
        let note = NodeId::new(format!("I{instance};note"));
        change(&mut editor, &note, |node| {
            "Now".clone_into(&mut node.text_mut().unwrap().characters);
        });
        select(&mut editor, &[instance.as_str()]);
        swap(&mut editor, "button");
        assert_eq!(words_of(&editor, &label), "Now");
        assert!(!editor.document().get(&label).unwrap().visible, "that was kept");
    }
}

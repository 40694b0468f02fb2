//! What is written is judged by the official description of Figma's REST JSON.
//!
//! `tests/run` puts it at `target/tools/figma-rest-api-spec/openapi.yaml` (npm package
//! `@figma/rest-api-spec`, pinned there).

use std::collections::{BTreeMap, BTreeSet};

use pentimento::base::{Affine, Point, Rgba, Size};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    AutoLayout, BooleanOp, Direction, Document, Effect, EffectKind, EllipseArc, MaskType, Node,
    NodeId, NodeKind, Paint, PathGeometry, Shadow, Sides, TextContent, figma,
};
use pentimento::render::all_render_bounds;
use serde_json::{Map, Value, json};

use crate::render::sketch::context;
use crate::{shared, tools};

/// The validators of the node types, by Figma's names of the types.
pub(crate) struct Schema(BTreeMap<String, jsonschema::Validator>);

impl Schema {
    /// `None`, with a note, where the description is not there; on CI that is a failure.
    pub(crate) fn open() -> Option<Self> {
        let path = tools::path("figma-rest-api-spec/openapi.yaml")?;
        let text = std::fs::read_to_string(path).unwrap();
        let spec: Value = serde_yaml_ng::from_str(&text).unwrap();
        let schemas = spec["components"]["schemas"].as_object().unwrap();
        let nodes = schemas.iter().filter(|(name, _)| name.ends_with("Node"));
        let validator = |(name, schema): (&String, &Value)| {
            let names = schema.pointer("/allOf").and_then(Value::as_array).cloned();
            let own = names.unwrap_or_else(|| vec![schema.clone()]);
            let kind = own
                .iter()
                .find_map(|part| part.pointer("/properties/type/enum/0").and_then(Value::as_str))?;
            let root = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$ref": format!("#/components/schemas/{name}"),
                "components": {"schemas": without_children(schemas)},
            });
            Some((kind.to_owned(), jsonschema::validator_for(&root).unwrap()))
        };
        Some(Self(nodes.filter_map(validator).collect()))
    }

    /// What is wrong with one node, its children apart.
    fn errors_of(&self, node: &Value) -> BTreeSet<String> {
        let kind = node["type"].as_str().unwrap_or_default();
        let Some(validator) = self.0.get(kind) else {
            return BTreeSet::from([format!("no type {kind:?}")]);
        };
        let mut alone = node.clone();
        if let Some(children) = alone.get_mut("children") {
            *children = json!([]);
        }
        let say =
            |error: jsonschema::ValidationError<'_>| format!("{} {}", error.instance_path(), error);
        validator.iter_errors(&alone).map(say).collect()
    }

    /// What is wrong in a tree, by node id.
    pub(crate) fn errors_in(&self, tree: &Value) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        let mut stack = vec![tree];
        while let Some(node) = stack.pop() {
            stack.extend(node["children"].as_array().into_iter().flatten());
            all.insert(node["id"].as_str().unwrap_or_default().to_owned(), self.errors_of(node));
        }
        all
    }
}

/// The schemas with the children of nodes left open: each node is judged by itself, or one wrong
/// leaf would make every ancestor wrong.
fn without_children(schemas: &Map<String, Value>) -> Value {
    let mut schemas = schemas.clone();
    for schema in schemas.values_mut() {
        if let Some(items) = schema.pointer_mut("/properties/children/items") {
            *items = json!({});
        }
    }
    Value::Object(schemas)
}

fn every_kind() -> Document {
    let text = TextContent { characters: "Hello\nworld".to_owned(), ..TextContent::default() };
    let kinds = [
        NodeKind::Frame,
        NodeKind::Group,
        NodeKind::Section,
        NodeKind::Rectangle,
        NodeKind::Ellipse(EllipseArc { end: 3.0, inner_ratio: 0.5, ..EllipseArc::WHOLE }),
        NodeKind::Line,
        NodeKind::Vector(PathGeometry::default()),
        NodeKind::Text(Box::new(text)),
        NodeKind::Component,
        NodeKind::ComponentSet,
        NodeKind::RegularPolygon { corners: 6 },
        NodeKind::Star { tips: 5, inner_ratio: 0.4 },
        NodeKind::BooleanOperation(BooleanOp::Exclude),
        NodeKind::Slice,
    ];
    let mut nodes: Vec<Node> = kinds
        .into_iter()
        .enumerate()
        .map(|(at, kind)| {
            let mut node = Node::new(NodeId::new(format!("1:{}", at + 2)), "n", kind);
            node.transform = Affine::translate(40.0 * at as f64, 8.0);
            node.size = Size::new(32.0, 24.0);
            node.fills = vec![Paint::solid(Rgba::new(0.2, 0.4, 0.6, 0.5))];
            node.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
            node.parent = Some("1:1".into());
            node
        })
        .collect();
    nodes[3].stroke.sides = Some(Sides { top: 1.0, right: 2.0, bottom: 3.0, left: 4.0 });
    nodes[3].corner_smoothing = 0.6;
    nodes[3].is_mask = true;
    nodes[3].mask_type = MaskType::Luminance;
    nodes[4].effects = effects();
    let mut root = Node::new("1:1".into(), "all", NodeKind::Frame);
    root.size = Size::new(800.0, 40.0);
    root.auto_layout = Some(Box::new(AutoLayout {
        wraps: true,
        padding: Sides::uniform(4.0),
        includes_strokes: true,
        ..AutoLayout::new(Direction::Horizontal)
    }));
    nodes.insert(0, root);
    Document::from_nodes(nodes).unwrap()
}

fn effects() -> Vec<Effect> {
    let shadow = Shadow {
        color: Rgba::new(0.0, 0.0, 0.0, 0.25),
        offset: Point::new(0.0, 4.0),
        radius: 4.0,
        spread: 1.0,
        blend_mode: pentimento::design::BlendMode::Multiply,
    };
    let kinds = [
        EffectKind::DropShadow { shadow, show_behind_node: true },
        EffectKind::InnerShadow(shadow),
        EffectKind::LayerBlur { radius: 3.0 },
        EffectKind::BackgroundBlur { radius: 8.0 },
    ];
    kinds.map(|kind| Effect { kind, visible: true }).to_vec()
}

#[test]
fn every_kind_of_node_made_here_is_valid() {
    let Some(schema) = Schema::open() else { return };
    let document = every_kind();
    let drawn = all_render_bounds(&context(), &document);
    let json = figma::node_to_json_with(&document, &"1:1".into(), &drawn).unwrap();
    let errors = schema.errors_in(&json);
    assert_eq!(errors.len(), document.len());
    let wrong: Vec<_> = errors.into_iter().filter(|(_, errors)| !errors.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let again = figma::from_json(json).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
}

#[test]
fn a_changed_file_is_as_valid_as_it_came() {
    let Some(schema) = Schema::open() else { return };
    let Some(folder) = shared::path("data/figma") else { return };
    let mut judged = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let json: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let mut document = figma::from_json(json).unwrap().document;
        let before = errors_by_node(&schema, &figma::to_json(&document));
        shift_and_repaint(&mut document);
        let after = errors_by_node(
            &schema,
            &figma::to_json_with(&document, &all_render_bounds(&context(), &document)),
        );
        for (id, errors) in after {
            let new: Vec<_> = errors.difference(&before[&id]).collect();
            assert!(new.is_empty(), "{} {id}: {new:#?}", path.display());
            judged += 1;
        }
    }
    assert!(judged > 1000, "only {judged} nodes");
}

/// Of every shape that a file can have.
fn errors_by_node(schema: &Schema, written: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    let nodes =
        written["nodes"].as_object().into_iter().flatten().map(|(_, node)| &node["document"]);
    let bare = written["type"].is_string().then_some(written);
    for root in nodes.chain(written.get("document")).chain(bare) {
        all.extend(schema.errors_in(root));
    }
    all
}

/// Changes something of every node: its place, its opacity, its fills.
fn shift_and_repaint(document: &mut Document) {
    let ids: Vec<NodeId> = document.iter_depth_first().map(|node| node.id.clone()).collect();
    let mut change = Transaction::begin(document);
    for id in ids {
        change
            .update(&id, |node| {
                node.name.push('!');
                if node.has_box() {
                    node.opacity = 0.5;
                    node.transform.e += 3.0;
                    node.size.width += 1.0;
                    node.fills.push(Paint::solid(Rgba::BLACK));
                    node.stroke.weight += 1.0;
                }
                if let Some(text) = node.text_mut() {
                    text.characters.push_str(" and more");
                    text.style.font_size += 1.0;
                }
            })
            .unwrap();
    }
    change.commit();
}

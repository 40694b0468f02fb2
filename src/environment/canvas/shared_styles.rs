//! `get_styles`: the named styles of the file.
//!
//! Files list them beside the nodes (`styles` by id, with `name`, `key` and `styleType`); what a
//! style looks like is taken from the first node that uses it.

use serde_json::{Map, Value, json};

use crate::design::{Document, EnvelopeShape, Node};

use super::page::Page;
use super::reply::{ColorForm, Reply, effects, number, paints};
use super::text::font_style_word;

/// `{colors, texts, effects, grids}`, each a list of `{id, name, key, …}`; empty for a document made
/// here.
pub(super) fn get_styles(page: &Page) -> Reply {
    let mut lists: [Vec<Value>; 4] = Default::default();
    for (id, style) in listed(&page.document) {
        // What this program does not know of styles is left out; the file keeps it.
        let Some(kind) = style.get("styleType").and_then(Value::as_str) else { continue };
        let Some(at) = KINDS.iter().position(|(name, _)| *name == kind) else { continue };
        if let Some(list) = lists.get_mut(at) {
            list.push(entry(&page.document, kind, id, style));
        }
    }
    let counts: Vec<String> =
        KINDS.iter().zip(&lists).map(|((_, key), list)| format!("{} {key}", list.len())).collect();
    let fields = KINDS.iter().zip(lists).map(|((_, key), list)| ((*key).to_owned(), list.into()));
    let structured = Value::Object(fields.collect());
    Reply::new(format!("The file has {}: {structured}", counts.join(", ")), structured)
}

/// Figma's word for a kind of style, and where the answer lists it.
const KINDS: [(&str, &str); 4] =
    [("FILL", "colors"), ("TEXT", "texts"), ("EFFECT", "effects"), ("GRID", "grids")];

/// The styles the file lists, by id, in its order.
fn listed(document: &Document) -> Vec<(&String, &Map<String, Value>)> {
    let envelope = document.envelope();
    let around: Vec<&Map<String, Value>> = match &envelope.shape {
        EnvelopeShape::Document => vec![&envelope.fields],
        EnvelopeShape::Nodes(_) => {
            let nodes = envelope.fields.get("nodes").and_then(Value::as_object);
            nodes.into_iter().flat_map(Map::values).filter_map(Value::as_object).collect()
        }
        // A bare node has a `styles` of another meaning.
        EnvelopeShape::Bare => Vec::new(),
    };
    let styles = around.into_iter().filter_map(|fields| fields.get("styles")?.as_object());
    styles.flatten().filter_map(|(id, style)| Some((id, style.as_object()?))).collect()
}

fn entry(document: &Document, kind: &str, id: &str, style: &Map<String, Value>) -> Value {
    let mut entry = Map::from_iter([("id".to_owned(), Value::from(id))]);
    for key in ["name", "key"] {
        entry.insert(key.to_owned(), style.get(key).cloned().unwrap_or(Value::Null));
    }
    if let Some((_, used_as)) = USES.iter().find(|(name, _)| *name == kind)
        // Nothing else in a file says what a style looks like; one that nobody uses stays a name.
        && let Some((node, used_as)) = first_use(document, id, used_as)
    {
        entry.extend(look(node, used_as));
    }
    Value::Object(entry)
}

/// The names under which a node's `styles` refer to styles of each kind.
const USES: [(&str, &[&str]); 3] = [
    ("FILL", &["fill", "fills", "stroke", "strokes"]),
    ("TEXT", &["text"]),
    ("EFFECT", &["effect", "effects"]),
];

fn first_use<'a>(
    document: &'a Document,
    id: &str,
    used_as: &'a [&'static str],
) -> Option<(&'a Node, &'static str)> {
    document.iter_depth_first().find_map(|node| {
        let styles = node.source.get("styles")?;
        let mut names = used_as.iter();
        let name = names.find(|name| styles.get(**name).and_then(Value::as_str) == Some(id))?;
        Some((node.as_ref(), *name))
    })
}

fn look(node: &Node, used_as: &str) -> Vec<(String, Value)> {
    match used_as {
        "fill" | "fills" => vec![("paints".to_owned(), paints(&node.fills, ColorForm::Channels))],
        // Styles of paints serve fills and outlines alike.
        "stroke" | "strokes" => {
            vec![("paints".to_owned(), paints(&node.stroke.paints, ColorForm::Channels))]
        }
        "text" => node.text().map_or_else(Vec::new, |text| {
            let style = &text.style;
            let font = json!({"family": style.font_family, "style": font_style_word(style)});
            vec![("fontSize".to_owned(), number(style.font_size)), ("fontName".to_owned(), font)]
        }),
        _ => vec![("effects".to_owned(), effects(&node.effects))],
    }
}

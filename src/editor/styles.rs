//! Shared styles of colours and texts, as Figma's files have them: a list beside the nodes (`styles`), and in each node
//! the ids of those it uses. Files do not say what a style looks like: it is what its first user looks like, unless it
//! was made or redefined here, which is written beside its name.
//!
//! As in Figma, a layer whose look is changed by hand uses the style no longer ([`detached`]); changes by anybody else
//! leave it one of its users.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::design::diff::StyleField;
use crate::design::edit::{Edit, Transaction, check_numbers};
use crate::design::figma::{node_of_fields, typed_fields};
use crate::design::{Document, Envelope, EnvelopeShape, Node, NodeId, NodeKind};

/// What Figma calls the list, and what a node has of it.
pub(super) const STYLES: &str = "styles";
/// The field of an entry of the list with what the style looks like. Whatever reads Figma's files passes it over.
pub(super) const LOOK: &str = "pentimentoLook";
/// What of a node is in it, as the API writes it.
const LOOK_FIELDS: [&str; 3] = ["type", "fills", "style"];
/// What a style is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StyleKind {
    /// Fills.
    Fill,
    /// Letters.
    Text,
}

/// A shared style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedStyle {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is of.
    pub kind: StyleKind,
    /// The nodes that use it, in paint order.
    pub users: Vec<NodeId>,
}

impl StyleKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fill, Self::Text];

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Fill => "Colour",
            Self::Text => "Text",
        }
    }

    /// Figma's `styleType`.
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Fill => "FILL",
            Self::Text => "TEXT",
        }
    }

    /// Under which names nodes have its id; files have both.
    pub(super) fn uses(self) -> &'static [&'static str] {
        match self {
            Self::Fill => &["fill", "fills"],
            Self::Text => &["text"],
        }
    }

    /// The fields that it is made of.
    pub(super) fn fields(self) -> &'static [StyleField] {
        match self {
            Self::Fill => &[StyleField::Fills],
            Self::Text => &[StyleField::Font, StyleField::Paragraph],
        }
    }

    /// Has a node look as another one does, as far as such a style says it: not how lines and box of a text lie.
    pub(super) fn dress(self, like: &Node, node: &mut Node) {
        let own = node.text().map(|text| text.style.clone());
        self.fields().iter().for_each(|field| field.copy(like, node));
        if let (Some(own), Some(text)) = (own, node.text_mut()) {
            let style = &mut text.style;
            (style.align, style.vertical_align) = (own.align, own.vertical_align);
            (style.auto_resize, style.truncates) = (own.auto_resize, own.truncates);
            style.max_lines = own.max_lines;
        }
    }

    /// Whether two nodes look the same so far.
    fn is_same(self, a: &Node, b: &Node) -> bool {
        let mut dressed = b.clone();
        self.dress(a, &mut dressed);
        self.fields().iter().all(|field| field.is_same(&dressed, b))
    }

    /// What such a style looks like that looks as a node does.
    pub(super) fn look(self, like: &Node) -> Value {
        let kind = match self {
            Self::Fill => NodeKind::Rectangle,
            Self::Text => NodeKind::Text(Box::default()),
        };
        let mut look = Node::new(NodeId::new(""), "", kind);
        self.dress(like, &mut look);
        let mut fields = typed_fields(&look);
        fields.retain(|name, _| LOOK_FIELDS.contains(&name.as_str()));
        fields.into()
    }

    /// Whether a node can have one.
    pub(super) fn is_of(self, node: &Node) -> bool {
        match self {
            Self::Fill => !node.kind.is_file_or_page(),
            Self::Text => node.text().is_some(),
        }
    }
}

/// The styles of colours and texts that a file lists, in its order; of answers for single nodes none.
pub fn shared_styles(document: &Document) -> Vec<SharedStyle> {
    let listed = list_of(document.envelope()).into_iter().flatten();
    let mut styles: Vec<SharedStyle> = listed.filter_map(|(id, entry)| style(id, entry)).collect();
    // Most designs have none: then no node need be asked.
    if styles.is_empty() {
        return styles;
    }
    for node in document.iter_depth_first() {
        for style in &mut styles {
            if used_by(node, style.kind) == Some(style.id.as_str()) {
                style.users.push(node.id.clone());
            }
        }
    }
    styles
}

/// A node that looks as a style does: as it was made or redefined here, or else as the first of its users; `None` where
/// it has none.
pub fn style_look(document: &Document, style: &SharedStyle) -> Option<Arc<Node>> {
    let entry = list_of(document.envelope()).and_then(|list| list.get(&style.id));
    let stored = entry.and_then(|entry| entry.get(LOOK)?.as_object()).map(|fields| {
        let id = NodeId::new(style.id.as_str());
        Arc::new(node_of_fields(id, fields))
    });
    // A file may say anything.
    let stored = stored.filter(|look| style.kind.is_of(look) && check_numbers(look).is_ok());
    stored.or_else(|| document.get(style.users.first()?).cloned())
}

/// An edit by hand, with which nodes whose look it changes use their styles no longer.
pub(super) fn detached(before: &Document, edit: Edit) -> Edit {
    let Some(listed) = list_of(before.envelope()) else { return edit };
    let users = edit.touched().filter_map(|id| before.get(id));
    let users = users.filter(|node| {
        StyleKind::ALL.into_iter().any(|kind| used_of(listed, node, kind).is_some())
    });
    let users: Vec<Arc<Node>> = users.cloned().collect();
    // Most designs have none: then nothing is tried.
    if users.is_empty() {
        return edit;
    }
    let mut after = before.clone();
    edit.apply(&mut after);
    let mut change = Transaction::begin(&mut after);
    for was in &users {
        let Some(now) = change.document().get(&was.id).cloned() else { continue };
        let left = StyleKind::ALL.into_iter().filter(|kind| {
            let id = used_of(listed, was, *kind);
            id.is_some() && id == used_of(listed, &now, *kind) && !kind.is_same(was, &now)
        });
        for kind in left {
            // What a node uses breaks no rule; were it refused, the edit holds without it.
            if change.update(&was.id, |node| set_use(node, kind, None)).is_err() {
                return edit;
            }
        }
    }
    edit.followed_by(&change.commit())
}

pub(super) fn list_of(envelope: &Envelope) -> Option<&Map<String, Value>> {
    if envelope.shape != EnvelopeShape::Document {
        return None;
    }
    envelope.fields.get(STYLES)?.as_object()
}

fn style(id: &str, entry: &Value) -> Option<SharedStyle> {
    let kind = entry.get("styleType")?.as_str()?;
    let kind = StyleKind::ALL.into_iter().find(|own| own.type_name() == kind)?;
    let name = entry.get("name")?.as_str()?.to_owned();
    Some(SharedStyle { id: id.to_owned(), name, kind, users: Vec::new() })
}

/// The style of this kind that a node uses.
pub(super) fn used_by(node: &Node, kind: StyleKind) -> Option<&str> {
    let styles = node.source.get(STYLES)?;
    kind.uses().iter().find_map(|name| styles.get(*name)?.as_str())
}

/// The same, if it is one of these.
fn used_of<'n>(listed: &Map<String, Value>, node: &'n Node, kind: StyleKind) -> Option<&'n str> {
    used_by(node, kind).filter(|id| listed.contains_key(*id))
}

/// Has a node use a style, or none of this kind.
pub(super) fn set_use(node: &mut Node, kind: StyleKind, id: Option<&str>) {
    let source = Arc::make_mut(&mut node.source);
    let mut styles = match source.remove(STYLES) {
        Some(Value::Object(styles)) => styles,
        _ => Map::new(),
    };
    // Under either name, or the one that is left would say another style.
    for name in kind.uses() {
        styles.remove(*name);
    }
    if let (Some(id), Some(name)) = (id, kind.uses().first()) {
        styles.insert((*name).to_owned(), id.into());
    }
    if !styles.is_empty() {
        source.insert(STYLES.to_owned(), styles.into());
    }
}

//! Shared styles of colours and texts, as Figma's files have them: a list beside the nodes (`styles`), and in each node
//! the ids of those it uses. Files do not say what a style looks like: it is what its first user looks like, unless it
//! was made or redefined here, which is written beside its name.
//!
//! As in Figma, a layer whose look is changed by hand uses the style no longer ([`detached`]); changes by anybody else
//! leave it one of its users.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::step::Author;
use crate::design::diff::StyleField;
use crate::design::edit::{Edit, Transaction, check_numbers};
use crate::design::figma::{node_of_fields, typed_fields};
use crate::design::{Document, Envelope, EnvelopeShape, Node, NodeId, NodeKind};

/// What Figma calls the list, and what a node has of it.
pub(super) const STYLES: &str = "styles";
/// The field of an entry of the list with what the style looks like. Whatever reads Figma's files passes it over.
const LOOK: &str = "pentimentoLook";
/// What of a node is in it, as the API writes it.
const LOOK_FIELDS: [&str; 3] = ["type", "fills", "style"];
/// The longest name, in characters.
const LONGEST_NAME: usize = 200;

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

/// What is done with styles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StyleAct {
    /// Makes a style of what the one selected node looks like, which uses it.
    Create {
        /// Of what.
        kind: StyleKind,
        /// Its name.
        name: String,
    },
    /// Has the selected nodes use it.
    Apply(String),
    /// Gives it another name.
    Rename {
        /// Its id.
        id: String,
        /// The name.
        name: String,
    },
    /// Makes it what the one selected node looks like, in all that use it.
    Redefine(String),
    /// Has the selected nodes look as they do without a style of this kind.
    Detach(StyleKind),
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
    fn type_name(self) -> &'static str {
        match self {
            Self::Fill => "FILL",
            Self::Text => "TEXT",
        }
    }

    /// Under which names nodes have its id; files have both.
    fn uses(self) -> &'static [&'static str] {
        match self {
            Self::Fill => &["fill", "fills"],
            Self::Text => &["text"],
        }
    }

    /// The fields that it is made of.
    fn fields(self) -> &'static [StyleField] {
        match self {
            Self::Fill => &[StyleField::Fills],
            Self::Text => &[StyleField::Font, StyleField::Paragraph],
        }
    }

    /// Has a node look as another one does, as far as such a style says it: not how lines and box of a text lie.
    fn dress(self, like: &Node, node: &mut Node) {
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
    fn look(self, like: &Node) -> Value {
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
    fn is_of(self, node: &Node) -> bool {
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

fn list_of(envelope: &Envelope) -> Option<&Map<String, Value>> {
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
fn used_by(node: &Node, kind: StyleKind) -> Option<&str> {
    let styles = node.source.get(STYLES)?;
    kind.uses().iter().find_map(|name| styles.get(*name)?.as_str())
}

/// The same, if it is one of these.
fn used_of<'n>(listed: &Map<String, Value>, node: &'n Node, kind: StyleKind) -> Option<&'n str> {
    used_by(node, kind).filter(|id| listed.contains_key(*id))
}

/// Does it.
pub(super) fn style_act(
    editor: &mut Editor,
    act: StyleAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let before = editor.document();
    if before.envelope().shape != EnvelopeShape::Document {
        return Err(EditorError::not_possible("a design of single nodes has no shared styles"));
    }
    let selected = editor.selection().nodes.clone();
    let (label, nodes, after) = match act {
        StyleAct::Create { kind, name } => {
            let (node, name) = (only(editor, kind)?, checked_name(&name)?);
            let look = kind.look(before.node(&node)?);
            let mut after = before.clone();
            let mut change = Transaction::begin(&mut after);
            let id = free_id(&mut change);
            change.update(&node, |node| set_use(node, kind, Some(&id)))?;
            change.commit_with(context.measure);
            let entry = json!({
                "key": "", "name": name, "description": "", "remote": false,
                "styleType": kind.type_name(), LOOK: look,
            });
            put(&mut after, &id, entry);
            ("Create style", vec![node], after)
        }
        StyleAct::Rename { id, name } => {
            let name = checked_name(&name)?;
            let mut entry = entry_of(before, &id)?;
            entry["name"] = name.into();
            let mut after = before.clone();
            put(&mut after, &id, entry);
            ("Rename style", Vec::new(), after)
        }
        StyleAct::Apply(id) => {
            let style = found(before, &id)?;
            let Some(like) = style_look(before, &style) else {
                return Err(EditorError::not_possible(
                    "no layer uses the style: nothing says how it looks",
                ));
            };
            let nodes = of_kind(before, &selected, style.kind);
            ("Apply style", nodes.clone(), given(before, &nodes, &style, &like, context)?)
        }
        StyleAct::Redefine(id) => {
            let style = found(before, &id)?;
            let node = only(editor, style.kind)?;
            let like = Arc::clone(before.node(&node)?);
            let mut nodes = style.users.clone();
            if !nodes.contains(&node) {
                nodes.push(node);
            }
            let mut after = given(before, &nodes, &style, &like, context)?;
            let mut entry = entry_of(before, &id)?;
            entry[LOOK] = style.kind.look(&like);
            put(&mut after, &id, entry);
            ("Update style", nodes, after)
        }
        StyleAct::Detach(kind) => {
            let nodes = of_kind(before, &selected, kind);
            let mut after = before.clone();
            let mut change = Transaction::begin(&mut after);
            for id in &nodes {
                change.update(id, |node| set_use(node, kind, None))?;
            }
            change.commit_with(context.measure);
            ("Detach style", nodes, after)
        }
    };
    // The list of styles is no node: the edit is all in which the two designs differ. It is what was asked for, and
    // takes no style from anything else.
    let edit = Edit::between(before, &after);
    editor.take_in_by(Author::Person, label, &nodes, edit, None);
    Ok(())
}

/// The design with nodes that use a style and look as it does.
fn given(
    before: &Document,
    nodes: &[NodeId],
    style: &SharedStyle,
    like: &Node,
    context: &EditorContext<'_>,
) -> Result<Document, EditorError> {
    let mut after = before.clone();
    let mut change = Transaction::begin(&mut after);
    for id in nodes {
        change.update(id, |node| {
            style.kind.dress(like, node);
            set_use(node, style.kind, Some(&style.id));
        })?;
    }
    change.commit_with(context.measure);
    Ok(after)
}

/// The selected nodes that can have a style of this kind.
fn of_kind(document: &Document, selected: &[NodeId], kind: StyleKind) -> Vec<NodeId> {
    let is_of = |id: &&NodeId| document.get(id).is_some_and(|node| kind.is_of(node));
    selected.iter().filter(is_of).cloned().collect()
}

fn only(editor: &Editor, kind: StyleKind) -> Result<NodeId, EditorError> {
    let only = editor.selection().only().cloned();
    let node = only.as_ref().and_then(|id| editor.document().get(id));
    let has_look = node.is_some_and(|node| {
        kind.is_of(node) && (kind == StyleKind::Text || !node.fills.is_empty())
    });
    only.filter(|_| has_look).ok_or_else(|| {
        EditorError::not_possible(match kind {
            StyleKind::Fill => "select one layer with a fill",
            StyleKind::Text => "select one text",
        })
    })
}

fn entry_of(document: &Document, id: &str) -> Result<Value, EditorError> {
    let list = list_of(document.envelope());
    list.and_then(|list| list.get(id)).cloned().ok_or_else(unknown)
}

fn found(document: &Document, id: &str) -> Result<SharedStyle, EditorError> {
    shared_styles(document).into_iter().find(|style| style.id == id).ok_or_else(unknown)
}

/// An id that no style of the list has. No node spends it, so that it is fresh for the next style too until the list
/// says otherwise.
fn free_id(change: &mut Transaction<'_>) -> String {
    loop {
        let id = change.new_id();
        let listed = list_of(change.document().envelope());
        if listed.is_none_or(|listed| !listed.contains_key(id.as_str())) {
            return id.as_str().to_owned();
        }
    }
}

fn put(document: &mut Document, id: &str, entry: Value) {
    let mut envelope = document.envelope().clone();
    let list = envelope.fields.entry(STYLES).or_insert_with(|| json!({}));
    if !list.is_object() {
        *list = json!({});
    }
    if let Value::Object(list) = list {
        list.insert(id.to_owned(), entry);
    }
    document.set_envelope(envelope);
}

/// Has a node use a style, or none of this kind.
fn set_use(node: &mut Node, kind: StyleKind, id: Option<&str>) {
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

fn checked_name(name: &str) -> Result<String, EditorError> {
    let name = name.trim();
    let is_name = !name.is_empty()
        && name.chars().count() <= LONGEST_NAME
        && !name.chars().any(char::is_control);
    if is_name {
        Ok(name.to_owned())
    } else {
        Err(EditorError::not_possible("a style needs a name"))
    }
}

fn unknown() -> EditorError {
    EditorError::not_possible("the style is not there any more")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rgba;
    use crate::design::{NoTexts, Paint, TextAlign, TextContent, figma};
    use crate::editor::{Act, PropertyAct, SelectAct, Setting};

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };
    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };

    fn editor() -> Editor {
        let node = |id: &str, kind: NodeKind, parent: Option<&str>| Node {
            parent: parent.map(NodeId::from),
            ..Node::new(id.into(), id, kind)
        };
        let red = Node {
            fills: vec![Paint::solid(RED)],
            ..node("red", NodeKind::Rectangle, Some("screen"))
        };
        let plain = node("plain", NodeKind::Rectangle, Some("screen"));
        let nodes = [node("screen", NodeKind::Frame, None), red, plain];
        Editor::new(Document::from_nodes(nodes).unwrap())
    }

    fn select(editor: &mut Editor, id: &str) {
        editor.act(Act::Select(SelectAct::Only(vec![id.into()])), &CONTEXT).unwrap();
    }

    fn act(editor: &mut Editor, act: StyleAct) -> Result<(), EditorError> {
        editor.act(Act::Style(act), &CONTEXT)
    }

    fn color(editor: &Editor, id: &str) -> Option<Rgba> {
        editor.document().get(&id.into())?.fills.first()?.solid_color()
    }

    #[test]
    fn a_style_is_made_applied_renamed_redefined_and_left() {
        let mut editor = editor();
        let start = editor.document().clone();
        select(&mut editor, "red");
        let create = StyleAct::Create { kind: StyleKind::Fill, name: " Warning ".to_owned() };
        act(&mut editor, create).unwrap();
        let style = shared_styles(editor.document()).remove(0);
        assert_eq!((style.name.as_str(), style.kind), ("Warning", StyleKind::Fill));
        assert_eq!(style.users, [NodeId::from("red")]);
        select(&mut editor, "plain");
        act(&mut editor, StyleAct::Apply(style.id.clone())).unwrap();
        assert_eq!(color(&editor, "plain"), Some(RED));
        let id = style.id.clone();
        act(&mut editor, StyleAct::Rename { id, name: "Alarm".to_owned() }).unwrap();
        assert_eq!(shared_styles(editor.document())[0].name, "Alarm");
        // Another colour in one of them, and then in all.
        editor
            .edit("Fill", &["plain".into()], &CONTEXT, |it| {
                it.update(&"plain".into(), |node| node.fills = vec![Paint::solid(Rgba::WHITE)])
            })
            .unwrap();
        act(&mut editor, StyleAct::Redefine(style.id.clone())).unwrap();
        assert_eq!(color(&editor, "red"), Some(Rgba::WHITE));
        act(&mut editor, StyleAct::Detach(StyleKind::Fill)).unwrap();
        assert_eq!(shared_styles(editor.document())[0].users, [NodeId::from("red")]);
        assert_eq!(color(&editor, "plain"), Some(Rgba::WHITE));
        // Files have it as Figma's.
        let json = figma::to_json(editor.document());
        assert_eq!(json["styles"][&style.id]["styleType"], "FILL");
        while editor.undoable().0 > 0 {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        assert_eq!(*editor.document(), start);
    }

    /// Red is a style of three layers; gives its id.
    fn styled(editor: &mut Editor) -> String {
        let more = ["also", "other"].map(|id| Node {
            fills: vec![Paint::solid(Rgba::WHITE)],
            ..Node::new(id.into(), id, NodeKind::Rectangle)
        });
        editor
            .edit("Add", &[], &CONTEXT, |it| {
                more.into_iter().try_for_each(|node| it.insert(node, Some(&"screen".into()), None))
            })
            .unwrap();
        select(editor, "red");
        let create = StyleAct::Create { kind: StyleKind::Fill, name: "Warning".to_owned() };
        act(editor, create).unwrap();
        let id = shared_styles(editor.document()).remove(0).id;
        for user in ["plain", "also"] {
            select(editor, user);
            act(editor, StyleAct::Apply(id.clone())).unwrap();
        }
        id
    }

    fn users(editor: &Editor) -> Vec<NodeId> {
        shared_styles(editor.document()).remove(0).users
    }

    #[test]
    fn a_layer_that_is_recolored_by_hand_uses_the_style_no_longer() {
        let mut editor = editor();
        let id = styled(&mut editor);
        let before = editor.document().clone();
        assert_eq!(users(&editor), ["red", "plain", "also"].map(NodeId::from));
        select(&mut editor, "red");
        let blue = Rgba::new(0.0, 0.0, 1.0, 1.0);
        editor.act(Act::Property(PropertyAct::PickColor(blue)), &CONTEXT).unwrap();
        assert_eq!(users(&editor), ["plain", "also"].map(NodeId::from));
        // What is no part of the look takes no style away.
        select(&mut editor, "plain");
        let hide = PropertyAct::Set(Setting::Visible(false));
        editor.act(Act::Property(hide), &CONTEXT).unwrap();
        select(&mut editor, "other");
        act(&mut editor, StyleAct::Apply(id)).unwrap();
        let colors = ["red", "plain", "also", "other"].map(|id| color(&editor, id));
        assert_eq!(colors, [Some(blue), Some(RED), Some(RED), Some(RED)]);
        assert_eq!(users(&editor), ["plain", "also", "other"].map(NodeId::from));
        for _ in 0..3 {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        assert_eq!(*editor.document(), before);
        editor.act(Act::Redo, &CONTEXT).unwrap();
        assert_eq!(users(&editor), ["plain", "also"].map(NodeId::from));
    }

    #[test]
    fn a_style_keeps_its_look_whatever_becomes_of_its_users() {
        let mut editor = editor();
        let id = styled(&mut editor);
        // An assistant changes the first of them, which is nothing by hand.
        let mut after = editor.document().clone();
        let mut change = Transaction::begin(&mut after);
        change.update(&"red".into(), |node| node.fills = vec![Paint::solid(Rgba::BLACK)]).unwrap();
        let edit = change.commit();
        editor.take_in_by(Author::Assistant, "Fill", &["red".into()], edit, None);
        assert_eq!(users(&editor).len(), 3);
        editor
            .edit("Delete", &[], &CONTEXT, |it| {
                ["plain", "also"].iter().try_for_each(|id| it.remove(&(*id).into()))
            })
            .unwrap();
        // Written into a file and read again, too.
        let read = figma::from_json(figma::to_json(editor.document())).unwrap();
        for mut editor in [editor, Editor::new(read.document)] {
            select(&mut editor, "other");
            act(&mut editor, StyleAct::Apply(id.clone())).unwrap();
            assert_eq!(color(&editor, "other"), Some(RED));
            // Until it is made another.
            select(&mut editor, "red");
            act(&mut editor, StyleAct::Redefine(id.clone())).unwrap();
            assert_eq!(color(&editor, "other"), Some(Rgba::BLACK));
            select(&mut editor, "screen");
            act(&mut editor, StyleAct::Apply(id.clone())).unwrap();
            assert_eq!(color(&editor, "screen"), Some(Rgba::BLACK));
        }
    }

    #[test]
    fn a_text_keeps_its_style_when_its_box_or_its_lines_are_changed() {
        let text = |id: &str, size: f64| {
            let mut content =
                TextContent { characters: "Words".to_owned(), ..TextContent::default() };
            content.style.font_size = size;
            content.style.letter_spacing = size / 10.0;
            Node::new(id.into(), id, NodeKind::Text(Box::new(content)))
        };
        let nodes = [text("title", 30.0), text("body", 12.0)];
        let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
        select(&mut editor, "title");
        let create = StyleAct::Create { kind: StyleKind::Text, name: "Title".to_owned() };
        act(&mut editor, create).unwrap();
        let style = shared_styles(editor.document()).remove(0);
        select(&mut editor, "body");
        let center = PropertyAct::Set(Setting::TextAlign(TextAlign::Center));
        editor.act(Act::Property(center), &CONTEXT).unwrap();
        act(&mut editor, StyleAct::Apply(style.id.clone())).unwrap();
        let look = |editor: &Editor| {
            let style = &editor.document().get(&"body".into()).unwrap().text().unwrap().style;
            (style.font_size, style.letter_spacing, style.align)
        };
        assert_eq!(look(&editor), (30.0, 3.0, TextAlign::Center));
        let right = PropertyAct::Set(Setting::TextAlign(TextAlign::Right));
        editor.act(Act::Property(right), &CONTEXT).unwrap();
        assert_eq!(users(&editor).len(), 2);
        let bold = Setting::FontFace { weight: 700.0, italic: false };
        editor.act(Act::Property(PropertyAct::Set(bold)), &CONTEXT).unwrap();
        assert_eq!(users(&editor), [NodeId::from("title")]);
    }

    #[test]
    fn each_style_has_an_id_of_its_own() {
        let mut editor = editor();
        select(&mut editor, "red");
        for name in ["Warning", "Alarm"] {
            let create = StyleAct::Create { kind: StyleKind::Fill, name: name.to_owned() };
            act(&mut editor, create).unwrap();
        }
        let styles = shared_styles(editor.document());
        let names: Vec<&str> = styles.iter().map(|style| style.name.as_str()).collect();
        assert_eq!(names, ["Warning", "Alarm"]);
        assert_eq!(styles[1].users, [NodeId::from("red")], "it uses the last that it was made");
    }

    #[test]
    fn what_cannot_be_a_style_changes_nothing() {
        let mut editor = editor();
        let start = editor.document().clone();
        let create = |kind, name: &str| StyleAct::Create { kind, name: name.to_owned() };
        assert!(act(&mut editor, create(StyleKind::Fill, "A")).is_err(), "nothing is selected");
        select(&mut editor, "plain");
        assert!(act(&mut editor, create(StyleKind::Fill, "A")).is_err(), "it has no fill");
        assert!(act(&mut editor, create(StyleKind::Text, "A")).is_err(), "it is no text");
        select(&mut editor, "red");
        assert!(act(&mut editor, create(StyleKind::Fill, " ")).is_err(), "no name");
        assert!(act(&mut editor, StyleAct::Apply("9:9".to_owned())).is_err());
        assert_eq!((editor.document(), editor.steps()), (&start, 0));
    }
}

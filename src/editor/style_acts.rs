//! What is done with shared styles of colours and texts ([`styles`](super::styles)).

use std::sync::Arc;

use serde_json::{Value, json};

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::step::Author;
use super::styles::{
    LOOK, STYLES, SharedStyle, StyleKind, list_of, set_use, shared_styles, style_look,
};
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, EnvelopeShape, Node, NodeId};

/// The longest name, in characters.
const LONGEST_NAME: usize = 200;

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
    use crate::design::{NoTexts, NodeKind, Paint, TextAlign, TextContent, figma};
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

//! The families of fonts that a design's texts are in.

use std::collections::BTreeMap;

use super::text::set_style;
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId};

/// A family that texts of a design are in, as a whole or letter by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedFamily {
    /// What it is called.
    pub name: String,
    /// The texts, in paint order.
    pub nodes: Vec<NodeId>,
}

/// The families of a design by name, without regard to case.
pub fn families_used(document: &Document) -> Vec<UsedFamily> {
    let mut used: BTreeMap<String, UsedFamily> = BTreeMap::new();
    for node in document.iter_depth_first() {
        for name in families_of(node) {
            let first = || UsedFamily { name: name.to_owned(), nodes: Vec::new() };
            let family = used.entry(name.to_lowercase()).or_insert_with(first);
            if family.nodes.last() != Some(&node.id) {
                family.nodes.push(node.id.clone());
            }
        }
    }
    used.into_values().collect()
}

/// The families of a text; of letters only those that some letter has. None of any other node.
pub fn families_of(node: &Node) -> Vec<&str> {
    let Some(text) = node.text() else { return Vec::new() };
    let own = text.overrides.iter().filter(|(key, _)| text.override_ids.contains(key));
    let own = own.filter_map(|(_, style)| style.font_family.as_deref());
    let all = std::iter::once(text.style.font_family.as_str()).chain(own).map(str::trim);
    all.filter(|name| !name.is_empty()).collect()
}

/// Has all letters of a family in another one.
pub(super) fn replace(
    change: &mut Transaction<'_>,
    id: &NodeId,
    from: &str,
    to: &str,
) -> Result<(), DocumentError> {
    let is_from = |family: &str| family.trim().to_lowercase() == from.trim().to_lowercase();
    change.update(id, |node| {
        set_style(
            node,
            |style| {
                if is_from(&style.font_family) {
                    to.clone_into(&mut style.font_family);
                }
            },
            |own| {
                if own.font_family.as_deref().is_some_and(is_from) {
                    own.font_family = Some(to.to_owned());
                }
            },
        );
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{NoTexts, NodeKind, StyleOverride, TextContent};
    use crate::editor::{Act, Editor, EditorContext, PropertyAct};

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

    fn text(id: &str, family: &str, letters: Option<&str>) -> Node {
        let mut text = TextContent { characters: "ab".to_owned(), ..TextContent::default() };
        family.clone_into(&mut text.style.font_family);
        if let Some(letters) = letters {
            let font_family = Some(letters.to_owned());
            text.overrides.insert(2, StyleOverride { font_family, ..StyleOverride::default() });
            text.override_ids = vec![0, 2];
        }
        Node::new(id.into(), id, NodeKind::Text(Box::new(text)))
    }

    #[test]
    fn a_family_is_replaced_wherever_it_is_in_one_step() {
        let nodes = [
            text("a", "Nowhere Sans", None),
            text("b", "Inter", Some("nowhere sans ")),
            text("c", "Inter", None),
        ];
        let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
        let before = editor.document().clone();
        let names = |editor: &Editor| -> Vec<(String, usize)> {
            let used = families_used(editor.document()).into_iter();
            used.map(|family| (family.name, family.nodes.len())).collect()
        };
        let found = [("Inter".to_owned(), 2), ("Nowhere Sans".to_owned(), 2)];
        assert_eq!(names(&editor), found);
        let (from, to) = ("Nowhere Sans".to_owned(), "Inter".to_owned());
        let replace = PropertyAct::ReplaceFamily { from, to };
        editor.act(Act::Property(replace.clone()), &CONTEXT).unwrap();
        assert_eq!(names(&editor), [("Inter".to_owned(), 3)]);
        assert!(editor.act(Act::Property(replace), &CONTEXT).is_err(), "there is none left");
        assert_eq!(editor.undoable().0, 1);
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(*editor.document(), before);
    }

    #[test]
    fn a_style_that_no_letter_has_is_not_used() {
        let mut node = text("a", "Inter", Some("Nowhere Sans"));
        node.text_mut().unwrap().override_ids = vec![0, 0];
        let document = Document::from_nodes([node]).unwrap();
        let used = families_used(&document);
        assert_eq!(used.iter().map(|family| family.name.as_str()).collect::<Vec<_>>(), ["Inter"]);
    }
}

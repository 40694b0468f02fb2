//! What nodes are exported as: a row a file.

use super::common::Common;
use super::takers::{self, is_layer};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, ExportFileFormat, ExportSetting, ExportSize, NodeId};
use crate::editor::error::EditorError;

/// What is done with the rows.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportAct {
    /// Adds one; where the nodes have different ones, in place of all of them.
    Add,
    /// Takes one away, by its place.
    Remove(usize),
    /// Has another in the place of one.
    Set {
        /// Its place.
        at: usize,
        /// The row.
        setting: ExportSetting,
    },
}

/// The rows that these nodes have in common.
pub fn exports_of(document: &Document, nodes: &[NodeId]) -> Common<Vec<ExportSetting>> {
    let nodes = nodes.iter().filter_map(|id| document.get(id)).filter(|node| is_layer(node));
    Common::of(nodes.map(|node| Common::Same(node.export_settings.clone())))
}

/// Those of the nodes that are exported as something, each with its rows, in their order.
pub fn exported_nodes(document: &Document, nodes: &[NodeId]) -> Vec<NodeId> {
    let nodes = nodes.iter().filter_map(|id| document.get(id)).filter(|node| is_layer(node));
    nodes.filter(|node| !node.export_settings.is_empty()).map(|node| node.id.clone()).collect()
}

/// Those of the nodes that can be exported.
pub(super) fn takers(document: &Document, nodes: &[NodeId]) -> Result<Vec<NodeId>, EditorError> {
    let why = "nothing that is selected can be exported";
    takers::takers(document, nodes, is_layer, || why.to_owned())
}

/// Adds a row, or puts it in place of all: a PNG one size larger than the largest there is, as in Figma.
pub(super) fn add(
    change: &mut Transaction<'_>,
    id: &NodeId,
    replaces: bool,
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        if replaces {
            node.export_settings.clear();
        }
        let next = next_of(&node.export_settings);
        node.export_settings.push(next);
    })
}

fn next_of(settings: &[ExportSetting]) -> ExportSetting {
    let scales = settings.iter().filter(|setting| setting.format.is_pixels());
    let scales = scales.filter_map(|setting| match setting.size {
        ExportSize::Scale(scale) => Some(scale),
        ExportSize::Width(_) | ExportSize::Height(_) => None,
    });
    let largest = scales.fold(0.0, f64::max);
    let scale = (largest.floor() + 1.0).min(4.0);
    let suffix = if scale > 1.0 { format!("@{scale}x") } else { String::new() };
    ExportSetting { suffix, format: ExportFileFormat::Png, size: ExportSize::Scale(scale) }
}

/// Has another row at a place; nodes that have none there stay.
pub(super) fn set(
    change: &mut Transaction<'_>,
    id: &NodeId,
    at: usize,
    setting: &ExportSetting,
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        if let Some(there) = node.export_settings.get_mut(at) {
            there.clone_from(setting);
        }
    })
}

/// Takes the row at a place away; there may be none.
pub(super) fn remove(
    change: &mut Transaction<'_>,
    id: &NodeId,
    at: usize,
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        if at < node.export_settings.len() {
            node.export_settings.remove(at);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::{NoTexts, Node, NodeKind};
    use crate::editor::{Act, Editor, EditorContext, PropertyAct, SelectAct};

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

    fn editor() -> Editor {
        let mut screen = Node::new("screen".into(), "Screen", NodeKind::Frame);
        screen.size = Size::new(100.0, 100.0);
        let mut dot = Node::new("dot".into(), "Dot", NodeKind::Rectangle);
        (dot.parent, dot.size) = (Some("screen".into()), Size::new(10.0, 10.0));
        Editor::new(Document::from_nodes([screen, dot]).unwrap())
    }

    fn act(editor: &mut Editor, act: PropertyAct) {
        editor.act(Act::Property(act), &CONTEXT).unwrap();
    }

    fn rows(editor: &Editor, id: &str) -> Vec<String> {
        let settings = editor.document().get(&id.into()).unwrap().export_settings.iter();
        settings.map(|it| format!("{}{} {}", it.size, it.suffix, it.format.label())).collect()
    }

    #[test]
    fn rows_are_added_each_larger_changed_and_taken_away_and_undone() {
        let mut editor = editor();
        editor.act(Act::Select(SelectAct::Only(vec!["dot".into()])), &CONTEXT).unwrap();
        for _ in 0..2 {
            act(&mut editor, PropertyAct::Export(ExportAct::Add));
        }
        assert_eq!(rows(&editor, "dot"), ["1x PNG", "2x@2x PNG"]);
        let setting = ExportSetting {
            suffix: "-wide".to_owned(),
            format: ExportFileFormat::Jpg,
            size: ExportSize::Width(512.0),
        };
        act(&mut editor, PropertyAct::Export(ExportAct::Set { at: 0, setting: setting.clone() }));
        // There is no such row.
        act(&mut editor, PropertyAct::Export(ExportAct::Set { at: 7, setting }));
        act(&mut editor, PropertyAct::Export(ExportAct::Remove(7)));
        assert_eq!(rows(&editor, "dot"), ["512w-wide JPG", "2x@2x PNG"]);
        act(&mut editor, PropertyAct::Export(ExportAct::Remove(1)));
        assert_eq!(
            (rows(&editor, "dot"), editor.undoable().0),
            (vec!["512w-wide JPG".to_owned()], 4)
        );
        for _ in 0..4 {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        assert!(rows(&editor, "dot").is_empty());
    }

    #[test]
    fn without_a_selection_the_screen_gets_them_and_a_copy_has_them_too() {
        let mut editor = editor();
        act(&mut editor, PropertyAct::Export(ExportAct::Add));
        assert_eq!(rows(&editor, "screen"), ["1x PNG"]);
        let both = ["screen", "dot"].map(NodeId::from);
        assert_eq!(exports_of(editor.document(), &both), Common::Mixed);
        assert_eq!(exported_nodes(editor.document(), &both), [NodeId::from("screen")]);
        let mut copy = None;
        let nodes = ["screen".into()];
        editor
            .edit("Duplicate", &nodes, &CONTEXT, |change| {
                copy = Some(change.duplicate(&"screen".into())?);
                Ok(())
            })
            .unwrap();
        let copy = copy.unwrap();
        assert_eq!(rows(&editor, copy.as_str()), ["1x PNG"]);
        // Where they differ, one takes the place of all.
        act(
            &mut editor,
            PropertyAct::On {
                nodes: both.to_vec(),
                act: Box::new(PropertyAct::Export(ExportAct::Add)),
            },
        );
        assert_eq!(exports_of(editor.document(), &both), exports_of(editor.document(), &[copy]));
    }
}

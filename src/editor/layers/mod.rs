//! The tree of layers: names, eyes, locks, and layers that are put elsewhere.
//!
//! [`tree`] is what the tree lists; [`moving`] is where dragged layers go.

mod moving;
mod tree;

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::design::{Document, Node, NodeId};

pub use tree::{TreeRow, open_at_first, tree_rows};

/// The longest name a layer may be given, in characters.
const LONGEST_NAME: usize = 1_000;

/// What is done in the tree of layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerAct {
    /// Gives a layer another name.
    Rename {
        /// Which.
        node: NodeId,
        /// The name, of one line.
        name: String,
    },
    /// Shows or hides layers.
    SetVisible {
        /// Which.
        nodes: Vec<NodeId>,
        /// Whether they are shown.
        visible: bool,
    },
    /// Locks or unlocks layers.
    SetLocked {
        /// Which.
        nodes: Vec<NodeId>,
        /// Whether they are locked.
        locked: bool,
    },
    /// Puts layers elsewhere in the tree, where they keep their place on the page.
    MoveTo {
        /// Which.
        nodes: Vec<NodeId>,
        /// What they are put into; `None`: the page of a design without one.
        parent: Option<NodeId>,
        /// How many of its children, as they are now, stay below them.
        index: usize,
    },
}

/// Does it.
pub(super) fn layers_act(
    editor: &mut Editor,
    act: LayerAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        LayerAct::Rename { node, name } => {
            let name = checked_name(&name)?;
            editor.edit("Rename", std::slice::from_ref(&node), context, |change| {
                change.update(&node, |node| node.name = name)
            })?;
        }
        LayerAct::SetVisible { nodes, visible } => {
            let label = if visible { "Show" } else { "Hide" };
            editor.edit(label, &nodes, context, |change| {
                let mut nodes = nodes.iter();
                nodes.try_for_each(|id| change.update(id, |node| node.visible = visible))
            })?;
        }
        LayerAct::SetLocked { nodes, locked } => {
            let label = if locked { "Lock" } else { "Unlock" };
            editor.edit(label, &nodes, context, |change| {
                let mut nodes = nodes.iter();
                nodes.try_for_each(|id| change.update(id, |node| node.locked = locked))
            })?;
        }
        LayerAct::MoveTo { nodes, parent, index } => {
            moving::move_to(editor, &nodes, parent.as_ref(), index, context)?;
        }
    }
    Ok(())
}

/// A name as it is kept: without spaces around it.
fn checked_name(name: &str) -> Result<String, EditorError> {
    let name = name.trim();
    let why = if name.is_empty() {
        "a layer needs a name"
    } else if name.chars().count() > LONGEST_NAME {
        "the name is too long"
    } else if name.chars().any(char::is_control) {
        "a name is one line of text"
    } else {
        return Ok(name.to_owned());
    };
    Err(EditorError::NotPossible(why.to_owned()))
}

/// Whether a node itself is locked.
pub fn is_locked(node: &Node) -> bool {
    node.locked
}

/// Whether a layer, or one that it lies in, is hidden, and the same of locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inherited {
    /// It is not drawn.
    pub is_hidden: bool,
    /// It cannot be selected on the canvas.
    pub is_locked: bool,
}

impl Inherited {
    /// What holds for a node from those around it.
    pub fn from_ancestors(document: &Document, id: &NodeId) -> Self {
        let mut inherited = Self::default();
        for around in document.ancestors(id) {
            inherited.is_hidden |= !around.visible;
            inherited.is_locked |= is_locked(around);
        }
        inherited
    }
}

#[cfg(test)]
mod tests;

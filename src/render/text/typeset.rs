//! TEXT nodes laid out, with the outlines of their words; kept, as most texts of a design stay the
//! same from one picture to the next.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::design::{Node, TextContent};

use super::areas;
use super::color::{self, ColoredGlyph};
use super::ink;
use super::layout::{self, TextLayout};
use super::typesetter::Typesetter;
use crate::render::shape::FilledPath;

/// Texts kept in memory.
const KEPT_TEXTS: usize = 2048;

/// A text ready to be painted, in the node's space.
#[derive(Debug)]
pub(super) struct Typeset {
    pub(super) layout: TextLayout,
    /// The words, by style, then from the top.
    pub(super) areas: Vec<(u32, FilledPath)>,
    /// Glyphs in colours of their own, from the top.
    pub(super) colored: Vec<Arc<ColoredGlyph>>,
}

/// Texts by their node.
#[derive(Default)]
pub(super) struct Typesets(HashMap<SharedNode, Arc<Typeset>>);

/// A node by its identity. It is held, so that no other can come to be the same, and as it is shared,
/// it cannot change in place either.
#[derive(Clone, Debug)]
pub(in crate::render) struct SharedNode(Arc<Node>);

impl SharedNode {
    pub(in crate::render) fn new(node: &Arc<Node>) -> Self {
        Self(Arc::clone(node))
    }
}

impl PartialEq for SharedNode {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedNode {}

impl Hash for SharedNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Typesetter {
    /// The text of `node`, if it is one.
    pub(super) fn typeset(&self, node: &Arc<Node>) -> Option<Arc<Typeset>> {
        let content = node.text()?;
        let key = SharedNode::new(node);
        if let Some(known) = self.texts.borrow().0.get(&key) {
            return Some(Arc::clone(known));
        }
        let set = Arc::new(Typeset::new(self, node, content));
        let kept = &mut self.texts.borrow_mut().0;
        if kept.len() >= KEPT_TEXTS {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&set));
        Some(set)
    }
}

impl Typeset {
    fn new(typesetter: &Typesetter, node: &Node, content: &TextContent) -> Self {
        let layout = layout::in_box(typesetter, content, node.size);
        let areas = areas::of(typesetter, &layout);
        let color_of = |style| ink::letter_color(node, content, style);
        let colored = color::glyphs(typesetter, &layout, color_of);
        Self { layout, areas, colored }
    }
}

//! TEXT nodes laid out, with the outlines of their words; kept, as most texts of a design stay the
//! same from one picture to the next.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::design::{Node, TextContent};

use super::super::shape::FilledPath;
use super::areas;
use super::color::{self, ColoredGlyph};
use super::ink;
use super::layout::{self, TextLayout};

/// Texts kept in memory, a thread.
const KEPT_TEXTS: usize = 2048;

/// A text ready to be painted, in the node's space.
#[derive(Debug)]
pub(super) struct Typeset {
    pub(super) layout: TextLayout,
    /// The words, by style, then from the top.
    pub(super) areas: Vec<(u32, FilledPath)>,
    /// Glyphs in colours of their own, from the top.
    pub(super) colored: Vec<Rc<ColoredGlyph>>,
}

/// By the address of the node. The node is held, so that no other can come to lie there; as it is
/// shared, it cannot change in place either.
type Kept = HashMap<*const Node, (Arc<Node>, Rc<Typeset>)>;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

impl Typeset {
    /// The text of `node`, if it is one.
    pub(super) fn of(node: &Arc<Node>) -> Option<Rc<Self>> {
        let content = node.text()?;
        let known =
            KEPT.with_borrow(|kept| kept.get(&Arc::as_ptr(node)).map(|(_, set)| Rc::clone(set)));
        Some(known.unwrap_or_else(|| {
            let set = Rc::new(Self::new(node, content));
            keep(node, &set);
            set
        }))
    }

    fn new(node: &Node, content: &TextContent) -> Self {
        let layout = layout::in_box(content, node.size);
        let areas = areas::of(&layout);
        let colored = color::glyphs(&layout, |style| ink::letter_color(node, content, style));
        Self { layout, areas, colored }
    }
}

fn keep(node: &Arc<Node>, set: &Rc<Typeset>) {
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= KEPT_TEXTS {
            kept.clear();
        }
        kept.insert(Arc::as_ptr(node), (Arc::clone(node), Rc::clone(set)));
    });
}

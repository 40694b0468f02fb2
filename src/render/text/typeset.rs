//! TEXT nodes laid out, with the outlines of their words; kept, as most texts of a design stay the
//! same from one picture to the next.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use tiny_skia::FillRule;

use crate::design::{Node, TextContent};

use super::super::shape::FilledPath;
use super::glyph::combined_path;
use super::layout::{self, PlacedGlyph, TextLayout};

/// Texts kept in memory, a thread.
const KEPT_TEXTS: usize = 2048;

/// A text ready to be painted, in the node's space.
#[derive(Debug)]
pub(super) struct Typeset {
    pub(super) layout: TextLayout,
    /// The words, by style, then from the top.
    pub(super) areas: Vec<(u32, FilledPath)>,
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
        let styles = styles(&layout);
        let areas = styles.into_iter().flat_map(|style| word_areas(&layout, style)).collect();
        Self { layout, areas }
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

/// The override keys that occur, in rising order.
fn styles(layout: &TextLayout) -> Vec<u32> {
    let glyphs = layout.lines.iter().flat_map(|line| &line.glyphs);
    let mut keys: Vec<u32> = glyphs.map(|glyph| glyph.style).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The words of one style as areas. A whole line would be one area as well, but the rasteriser's
/// work grows with the edges that a scan line crosses in one path.
fn word_areas(layout: &TextLayout, style: u32) -> Vec<(u32, FilledPath)> {
    let mut areas = Vec::new();
    for line in &layout.lines {
        let glyphs: Vec<_> = line.glyphs.iter().filter(|glyph| glyph.style == style).collect();
        for word in glyphs.chunk_by(|glyph, next| adjoins(layout, glyph, next)) {
            let path = combined_path(layout, word.iter().copied());
            areas.extend(path.map(|path| (style, FilledPath::new(path, FillRule::Winding))));
        }
    }
    areas
}

/// Whether there is no space between two glyphs of a line.
fn adjoins(layout: &TextLayout, glyph: &PlacedGlyph, next: &PlacedGlyph) -> bool {
    let size = layout.faces.get(glyph.face).map_or(0.0, |face| face.size);
    let gap = next.x - (glyph.x + glyph.advance);
    gap.abs() < 0.1 * size
}

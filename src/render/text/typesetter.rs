//! TEXT nodes set: laid out, with the outlines of their words.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::base::Rgba;
use crate::design::{Node, Paint, PaintKind, TextContent};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::paint_facts::{is_seen, unit};

use super::font::library::Fonts;
use super::glyph::areas;
use super::glyph::colored::{self, ColorCache, ColoredGlyph};
use super::glyph::outlines::OutlineCache;
use super::layout;
use super::layout::shaper::Shaper;
use super::layout::text_layout::TextLayout;

/// Texts kept in memory.
const KEPT_TEXTS: usize = 2048;

/// A text ready to be painted, in the node's space.
#[derive(Debug)]
pub(crate) struct Typeset {
    pub(crate) layout: TextLayout,
    /// The words, by style, then from the top.
    pub(crate) areas: Vec<(u32, FilledPath)>,
    /// Glyphs in colours of their own, from the top.
    pub(crate) colored: Vec<Arc<ColoredGlyph>>,
}

/// What texts are set with: the fonts with the shaping engine over them, and what is kept of earlier
/// texts only to be faster. Whatever it set before, it sets a text in the same way.
///
/// It is for one thread at a time; a [`RenderContext`](crate::render::RenderContext) has one for each.
pub(crate) struct Typesetter {
    pub(crate) shaper: Shaper,
    pub(crate) outlines: OutlineCache,
    pub(crate) colors: ColorCache,
    texts: RefCell<HashMap<SharedNode, Arc<Typeset>>>,
}

impl fmt::Debug for Typesetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Typesetter").field("shaper", &self.shaper).finish_non_exhaustive()
    }
}

impl Typesetter {
    pub(crate) fn new(fonts: Arc<Fonts>) -> Self {
        Self {
            shaper: Shaper::new(fonts),
            outlines: OutlineCache::default(),
            colors: ColorCache::default(),
            texts: RefCell::default(),
        }
    }

    /// The text of `node`, if it is one. Most texts of a design stay the same from one picture to
    /// the next.
    pub(crate) fn typeset(&self, node: &Arc<Node>) -> Option<Arc<Typeset>> {
        let content = node.text()?;
        let key = SharedNode::new(node);
        if let Some(known) = self.texts.borrow().get(&key) {
            return Some(Arc::clone(known));
        }
        let layout = layout::in_box(&self.shaper, content, node.size);
        let areas = areas::of(&self.outlines, &layout);
        let colored = colored::glyphs(&self.outlines, &self.colors, &layout, |style| {
            letter_color(node, content, style)
        });
        let set = Arc::new(Typeset { layout, areas, colored });
        let mut kept = self.texts.borrow_mut();
        // All at once: what the next picture shows comes back with it.
        if kept.len() >= KEPT_TEXTS {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&set));
        Some(set)
    }

    /// The outlines of all glyphs of `node`, a word at a time; none if it is no text.
    pub(crate) fn outlines(&self, node: &Arc<Node>) -> Vec<FilledPath> {
        let set = self.typeset(node);
        set.map(|set| set.areas.iter().map(|(_, area)| area.clone()).collect()).unwrap_or_default()
    }
}

/// The one colour that stands for the fills of a style in glyphs with colours of their own: that of
/// the topmost fill, of a gradient its first; black for a picture, nothing without a fill.
fn letter_color(node: &Node, content: &TextContent, style: u32) -> Rgba {
    let fills = fills_of(node, content, style);
    // The topmost hides those below it, as a rule.
    let Some(top) = fills.iter().rfind(|paint| is_seen(paint)) else {
        return Rgba::TRANSPARENT;
    };
    let color = match &top.kind {
        PaintKind::Solid(color) => *color,
        PaintKind::Gradient(gradient) => {
            gradient.stops.first().map_or(Rgba::TRANSPARENT, |stop| stop.color)
        }
        PaintKind::Image(_) | PaintKind::Other(_) => Rgba::BLACK,
    };
    color.with_alpha(color.a * unit(top.opacity))
}

/// The fills of the override `style`, or those of the whole text.
pub(crate) fn fills_of<'d>(node: &'d Node, content: &'d TextContent, style: u32) -> &'d [Paint] {
    let own = content.overrides.get(&style).and_then(|style| style.fills.as_ref());
    own.unwrap_or(&node.fills)
}

/// A node by its identity. It is held, so that no other can come to be the same, and as it is shared,
/// it cannot change in place either.
#[derive(Clone, Debug)]
pub(crate) struct SharedNode(Arc<Node>);

impl SharedNode {
    pub(crate) fn new(node: &Arc<Node>) -> Self {
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

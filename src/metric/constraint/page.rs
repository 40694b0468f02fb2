//! What lies on a page: its texts, pictures and shapes, with their boxes as shares of the page.

use crate::base::{Pixels, Rect, Rgba};
use crate::design::{Document, Node, NodeId, NodeKind, Paint, PaintKind, ShownPicture};

use super::heuristic::THIN;

/// A page to be held against a query.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The document; its main frame is the page.
    pub document: &'a Document,
    /// How the page looks, of any size; only for texts over pictures and backgrounds of pictures.
    pub picture: Option<&'a Pixels>,
    /// Where it shows pictures that came with the query; `None` if nobody knows, so that the names of
    /// layers have to tell.
    pub shown: Option<&'a [ShownPicture]>,
}

/// Something on the page.
#[derive(Clone, Debug)]
pub(super) struct PageItem<'a> {
    pub(super) node: &'a Node,
    pub(super) what: What<'a>,
    /// Its box as a share of the page, 0..=1 if inside.
    pub(super) place: Rect,
}

/// What something is.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    Text {
        words: &'a str,
        /// In units of the page.
        size: f64,
    },
    /// It has a picture in its fills.
    Picture,
    /// Anything else that is seen.
    Shape,
}

/// Everything seen on a page, in the order it is drawn, the page itself left out.
#[derive(Debug)]
pub(super) struct Items<'a> {
    pub(super) page: &'a Node,
    pub(super) items: Vec<PageItem<'a>>,
}

impl<'a> Items<'a> {
    /// What lies on the main frame; `None` if there is none, or it has no area.
    pub(super) fn of(document: &'a Document) -> Option<Self> {
        let page = document.main_frame()?;
        let frame = document.absolute_box(&page.id).ok()?;
        if !(frame.width > 0.0 && frame.height > 0.0 && frame.is_finite()) {
            return None;
        }
        let mut items = Vec::new();
        let nodes = document.subtree(&page.id).filter(|node| node.id != page.id);
        for node in nodes.filter(|node| is_seen(document, node, &page.id)) {
            // A group may have no box; what is in it comes by itself.
            let Ok(place) = document.absolute_box(&node.id) else { continue };
            let place = Rect {
                x: (place.x - frame.x) / frame.width,
                y: (place.y - frame.y) / frame.height,
                width: place.width / frame.width,
                height: place.height / frame.height,
            };
            if place.is_finite() {
                items.push(PageItem { node, what: what(node), place });
            }
        }
        Some(Self { page, items })
    }

    /// The texts with their places in [`Self::items`].
    pub(super) fn texts(&self) -> impl Iterator<Item = (usize, &str)> {
        self.items.iter().enumerate().filter_map(|(at, item)| match item.what {
            What::Text { words, .. } => Some((at, words)),
            What::Picture | What::Shape => None,
        })
    }

    /// The item of a node, with its place in [`Self::items`].
    pub(super) fn find(&self, node: &NodeId) -> Option<(usize, &PageItem<'a>)> {
        self.items.iter().enumerate().find(|(_, item)| item.node.id == *node)
    }

    pub(super) fn get(&self, at: usize) -> Option<&PageItem<'a>> {
        self.items.get(at)
    }

    /// What lies under a part of the page before an item is drawn: the topmost thing that covers
    /// nearly all of it.
    pub(super) fn under(&self, place: Rect, before: usize) -> Ground {
        // Nearly all of it: a text's box is a little wider than its letters, and may stick out.
        let below = self.items.iter().take(before).rev();
        let below = below.filter(|item| share_covered(place, item.place) >= 0.95);
        let grounds = below.map(PageItem::ground).chain([ground_of(self.page)]);
        grounds.into_iter().find(|ground| *ground != Ground::Nothing).unwrap_or(Ground::Nothing)
    }
}

/// What something shows where it covers what is below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ground {
    /// It covers nothing.
    Nothing,
    /// An opaque colour.
    Color([u8; 3]),
    /// A picture, a gradient, or a colour that is seen through.
    Mixed(&'static str),
}

impl Ground {
    /// What it is, for people: a colour, or what is seen there.
    pub(super) fn words(self) -> String {
        match self {
            Self::Nothing => "what is seen".to_owned(),
            Self::Color([r, g, b]) => format!("#{r:02X}{g:02X}{b:02X}"),
            Self::Mixed(what) => what.to_owned(),
        }
    }
}

impl PageItem<'_> {
    pub(super) fn ground(&self) -> Ground {
        match self.what {
            // Letters let most of what is below through, whatever their box covers.
            What::Text { .. } => Ground::Nothing,
            What::Picture | What::Shape => ground_of(self.node),
        }
    }

    /// The colour of a text, opaque or not; `None` if it is none, or several.
    pub(super) fn text_color(&self) -> Option<Rgba> {
        let text = self.node.text()?;
        let overridden = text.overrides.values().any(|style| style.fills.is_some());
        let is_mixed = overridden && text.override_ids.iter().any(|id| *id != 0);
        let color = seen_paints(self.node).next()?.solid_color()?;
        (!is_mixed).then(|| color.with_alpha(color.a * self.node.opacity))
    }

    /// The colour of the outline of a text's letters; `None` if there is none that is seen.
    pub(super) fn outline_color(&self) -> Option<Rgba> {
        let (stroke, size) = (&self.node.stroke, self.node.text()?.style.font_size);
        let paint =
            stroke.paints.iter().rev().find(|paint| paint.visible && paint.opacity > 0.0)?;
        let color = paint.solid_color().filter(|_| stroke.weight >= THIN * size)?;
        Some(color.with_alpha(color.a * self.node.opacity))
    }
}

fn ground_of(node: &Node) -> Ground {
    let Some(paint) = seen_paints(node).next() else { return Ground::Nothing };
    match &paint.kind {
        PaintKind::Image(_) => Ground::Mixed("a picture"),
        PaintKind::Gradient(_) => Ground::Mixed("a gradient"),
        PaintKind::Other(_) => Ground::Mixed("an unknown paint"),
        PaintKind::Solid(_) => match paint.solid_color() {
            Some(color) if color.a * node.opacity >= 0.99 => {
                let [r, g, b, _] = color.to_u8();
                Ground::Color([r, g, b])
            }
            _ => Ground::Mixed("a colour that is seen through"),
        },
    }
}

/// The fills that are seen, the topmost first.
fn seen_paints(node: &Node) -> impl Iterator<Item = &Paint> {
    node.fills.iter().rev().filter(|paint| paint.visible && paint.opacity > 0.0)
}

fn is_seen(document: &Document, node: &Node, page: &NodeId) -> bool {
    // The page itself is looked at whether or not it is hidden in its file.
    let mut above = document.ancestors(&node.id).take_while(|above| above.id != *page);
    shows(node) && above.all(|above| shows(above))
}

fn shows(node: &Node) -> bool {
    node.visible && node.opacity > 0.0
}

fn what(node: &Node) -> What<'_> {
    if let NodeKind::Text(text) = &node.kind {
        return What::Text { words: &text.characters, size: text.style.font_size };
    }
    let is_picture = seen_paints(node).any(|paint| matches!(paint.kind, PaintKind::Image(_)));
    if is_picture { What::Picture } else { What::Shape }
}

/// How much of `place` is covered by `cover`, 0..=1; of a place without area whether its middle is.
pub(super) fn share_covered(place: Rect, cover: Rect) -> f64 {
    // A line has no area to be covered a share of.
    if place.area() <= 0.0 {
        return f64::from(u8::from(cover.contains(place.center())));
    }
    place.intersection(cover).map_or(0.0, |both| both.area() / place.area())
}

//! What is on the screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Rect, Rgba};
use crate::design::{BlendMode, Document, Node, NodeId, NodeKind, Paint, PaintKind};

/// Something on the screen that is not switched off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) node: &'a Arc<Node>,
    /// Its box on the page.
    pub(super) on_page: Rect,
    /// What frames around it leave of the page, all of theirs that cut, and the boxes of masks.
    pub(super) clip: Option<Rect>,
    /// Whether a mask, whose shape need not be its box, says where it shows.
    pub(super) is_masked: bool,
    /// How opaque it is with all that it lies in, its own opacity left out.
    pub(super) opacity_around: f64,
}

/// What a node passes on to what is in it.
#[derive(Clone, Copy, Debug)]
struct Around {
    clip: Option<Rect>,
    /// The box of the mask that holds for what is painted next.
    mask: Option<Rect>,
    is_masked: bool,
    opacity: f64,
}

/// A screen of a design: what is on it, in the order it is painted.
#[derive(Clone, Debug)]
pub(super) struct Screen<'a> {
    pub(super) document: &'a Document,
    pub(super) items: Vec<Seen<'a>>,
}

/// What is under something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// One opaque colour.
    Color([u8; 3]),
    /// A picture, a gradient, several things, or nothing.
    Unknown,
}

impl<'a> Screen<'a> {
    /// The screen of a design; of a file with pages the other frames beside it, too, which are screens of their own.
    pub(super) fn all(document: &'a Document) -> impl Iterator<Item = Self> {
        let main = document.main_frame();
        let page = document.page().map(|page| &page.id);
        let beside = page.into_iter().flat_map(move |page| document.children_of(Some(page)).iter());
        let beside = beside.filter_map(move |id| document.get(id));
        let beside = beside.filter(move |node| {
            node.kind == NodeKind::Frame && main.is_none_or(|main| main.id != node.id)
        });
        main.into_iter().chain(beside).filter_map(move |screen| Self::of(document, screen))
    }

    /// `None` if it has no area.
    fn of(document: &'a Document, screen: &'a Arc<Node>) -> Option<Self> {
        let whole = document.absolute_box(&screen.id).ok()?;
        if !(whole.area() > 0.0 && whole.is_finite()) {
            return None;
        }
        let mut items: Vec<Seen<'a>> = Vec::new();
        let mut around: BTreeMap<&NodeId, Around> = BTreeMap::new();
        for node in document.subtree(&screen.id) {
            let parent = node.parent.as_ref();
            let known = if node.id == screen.id {
                Some(Around { clip: None, mask: None, is_masked: false, opacity: 1.0 })
            } else {
                parent.and_then(|parent| around.get(parent)).copied()
            };
            // In something that is hidden nothing is seen.
            let Some(known) = known.filter(|_| node.visible) else { continue };
            let clip = common(known.clip, known.mask);
            let on_page = document.absolute_box(&node.id).ok().filter(|_| node.has_box());
            if let Some(on_page) = on_page.filter(|on_page| on_page.is_finite()) {
                let (is_masked, opacity_around) = (known.is_masked, known.opacity);
                items.push(Seen { node, on_page, clip, is_masked, opacity_around });
            }
            if node.is_mask {
                // It holds for what is painted after it in the same parent, up to the next mask. Neither it nor what
                // is in it is painted.
                if let Some(siblings) = parent.and_then(|parent| around.get_mut(parent)) {
                    (siblings.mask, siblings.is_masked) = (on_page, true);
                }
                continue;
            }
            // Parts of a combined shape are no layers that anybody sees.
            if matches!(node.kind, NodeKind::BooleanOperation(_)) {
                continue;
            }
            let own = on_page.filter(|_| node.clips_content);
            let opacity = known.opacity * node.opacity;
            let inner = Around { clip: common(clip, own), mask: None, opacity, ..known };
            around.insert(&node.id, inner);
        }
        Some(Self { document, items })
    }

    /// Whether a node lies in another.
    pub(super) fn is_inside(&self, node: &NodeId, other: &NodeId) -> bool {
        self.document.ancestors(node).any(|ancestor| ancestor.id == *other)
    }

    /// What is under a part of the page before the item at `before` is painted.
    pub(super) fn under(&self, part: Rect, before: usize) -> Ground {
        let below = self.items.iter().take(before).rev();
        for item in below.filter(|item| paints_fill(item.node) && !item.node.is_mask) {
            let Some(common) = item.on_page.intersection(part) else { continue };
            let is_whole = common.area() >= 0.95 * part.area();
            match item.color() {
                Some(color) if is_whole => return Ground::Color(color),
                // A corner of something else does not decide how a text is read.
                _ if common.area() < 0.05 * part.area() => {}
                _ => return Ground::Unknown,
            }
        }
        Ground::Unknown
    }
}

impl Seen<'_> {
    /// The colour that it covers its box with; `None` if it does not, or not with one.
    pub(super) fn color(&self) -> Option<[u8; 3]> {
        let node = self.node;
        let is_box = node.kind == NodeKind::Rectangle || node.kind.is_some_frame();
        let is_plain = matches!(node.blend_mode, BlendMode::PassThrough | BlendMode::Normal);
        let is_upright = node.transform.b == 0.0 && node.transform.c == 0.0;
        let is_opaque = node.opacity * self.opacity_around >= 1.0;
        let is_whole = !node.is_mask && !self.is_masked;
        if !(is_box && is_plain && is_upright && is_opaque && is_whole) {
            return None;
        }
        let top = node.fills.iter().rev().find(|paint| shows(paint))?;
        let color = top.solid_color().filter(|color| color.a >= 1.0)?;
        let [r, g, b, _] = color.to_u8();
        Some([r, g, b])
    }

    /// What of its box is not cut off; `None` if nothing is.
    pub(super) fn uncut(&self) -> Option<Rect> {
        self.clip.map_or(Some(self.on_page), |clip| clip.intersection(self.on_page))
    }
}

/// What two clips leave together; where that is nothing, an empty box says so.
fn common(one: Option<Rect>, other: Option<Rect>) -> Option<Rect> {
    match (one, other) {
        (Some(one), Some(other)) => {
            let empty = Rect { width: 0.0, height: 0.0, ..other };
            Some(one.intersection(other).unwrap_or(empty))
        }
        (one, other) => one.or(other),
    }
}

/// Whether a paint can be seen.
pub(super) fn shows(paint: &Paint) -> bool {
    let is_clear = match paint.kind {
        PaintKind::Solid(Rgba { a, .. }) => a <= 0.0,
        PaintKind::Gradient(_) | PaintKind::Image(_) | PaintKind::Other(_) => false,
    };
    paint.visible && paint.opacity > 0.0 && !is_clear
}

/// Whether a node paints its inside.
pub(super) fn paints_fill(node: &Node) -> bool {
    node.opacity > 0.0 && node.text().is_none() && node.fills.iter().any(shows)
}

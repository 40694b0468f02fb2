//! The nodes that count, in the space of their own root frame.

use std::sync::Arc;

use serde_json::Value;

use crate::base::{Affine, Point, Rect, Rgba};
use crate::design::{Document, EnvelopeShape, Node, NodeId, NodeKind, Paint, PaintKind};

use crate::metric::MissingScore;

/// Coordinates nearer than this are the file's own, but for what is left of arithmetic.
const SAME_PLACE: f64 = 1e-5;

/// A node that counts.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    pub(super) node: &'a Node,
    /// Its box, where the root frame is the unit square.
    pub(super) bounds: Rect,
    /// Whether it or a node it lies in is hidden.
    pub(super) is_hidden: bool,
}

/// What of a design counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedNodes {
    /// Hidden nodes do not, with all in them, and boxes are taken as they are.
    Shown,
    /// Hidden nodes do, and a box is at least one pixel wide and high, so that lines have an area.
    All,
}

/// The nodes that count, in paint order from the root frame on, which is one of them.
///
/// The root frame is the first FRAME on a page, else the first FRAME with a box, else the top node.
/// Nodes without a box are left out, those in them are not. A root frame without width or height
/// takes all boxes to 0 along it.
///
/// Source: kixlab/canvas, `evaluation/metrics/component_similarity/block_matcher.py`.
pub(super) fn blocks_of(
    document: &Document,
    counted: CountedNodes,
) -> Result<Vec<Block<'_>>, MissingScore> {
    let Some(root) = root_with_box(document) else {
        let why = "the design has no root frame with a box";
        return Err(MissingScore::Undefined(why.to_owned()));
    };
    let page_from_root = document.absolute_transform(&root.id).unwrap_or_default();
    let walk = NodeWalk { document, counted, frame: page_box(root, page_from_root) };
    Ok(walk.blocks(root, page_from_root))
}

/// Whether any node can count.
pub(super) fn has_root_frame(document: &Document) -> bool {
    root_with_box(document).is_some()
}

fn root_with_box(document: &Document) -> Option<&Arc<Node>> {
    root_frame(document).filter(|root| root.has_box())
}

struct NodeWalk<'a> {
    document: &'a Document,
    counted: CountedNodes,
    frame: Rect,
}

impl<'a> NodeWalk<'a> {
    fn blocks(&self, root: &'a Arc<Node>, page_from_root: Affine) -> Vec<Block<'a>> {
        let mut blocks = Vec::new();
        let mut stack = vec![(root, page_from_root, false)];
        while let Some((node, page_from_node, in_hidden)) = stack.pop() {
            let is_hidden = in_hidden || !node.visible;
            if is_hidden && self.counted == CountedNodes::Shown {
                continue;
            }
            if node.has_box() {
                let bounds = self.normalized(page_box(node, page_from_node));
                blocks.push(Block { node, bounds, is_hidden });
            }
            // Pushed from the last, so that the first is taken off next: paint order, which decides
            // among pairs that cost the same.
            let children = node.children.iter().rev().filter_map(|id| self.document.get(id));
            stack.extend(
                children.map(|child| (child, page_from_node.after(child.transform), is_hidden)),
            );
        }
        blocks
    }

    fn normalized(&self, bounds: Rect) -> Rect {
        let bounds = match self.counted {
            CountedNodes::Shown => bounds,
            CountedNodes::All => at_least_a_pixel(bounds),
        };
        let frame = self.frame;
        Rect::new(
            share(bounds.x - frame.x, frame.width),
            share(bounds.y - frame.y, frame.height),
            share(bounds.width, frame.width),
            share(bounds.height, frame.height),
        )
    }
}

fn share(length: f64, whole: f64) -> f64 {
    if whole > 0.0 { length / whole } else { 0.0 }
}

fn at_least_a_pixel(bounds: Rect) -> Rect {
    let center = bounds.center();
    let (width, height) = (bounds.width.max(1.0), bounds.height.max(1.0));
    Rect::new(center.x - width / 2.0, center.y - height / 2.0, width, height)
}

/// The box on the page: with the numbers of the file where they still hold.
fn page_box(node: &Node, page_from_node: Affine) -> Rect {
    let bounds = page_from_node.bounds_of(node.size);
    // The published evaluator reads the file, so its digits decide about a fourth decimal; but an
    // edited node has moved away from what its file said.
    file_box(node)
        .filter(|file| is_near(file.x, bounds.x) && is_near(file.y, bounds.y))
        .filter(|file| is_near(file.width, bounds.width) && is_near(file.height, bounds.height))
        .unwrap_or(bounds)
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_PLACE
}

fn file_box(node: &Node) -> Option<Rect> {
    let there = node.source.get("absoluteBoundingBox")?;
    let [x, y, width, height] =
        ["x", "y", "width", "height"].map(|key| there.get(key).and_then(Value::as_f64));
    Some(Rect::new(x?, y?, width?, height?))
}

fn root_frame(document: &Document) -> Option<&Arc<Node>> {
    let top = top_node(document)?;
    // Only the first candidate is asked for its box, as published: a page whose first frame has none
    // gives the top node, and not a later frame.
    let mut candidates = document.subtree(&top.id).filter_map(|node| match node.kind {
        NodeKind::Canvas => first_frame_in(document, node),
        NodeKind::Frame => Some(node).filter(|frame| speaks_of_a_box(frame)),
        _ => None,
    });
    candidates.next().filter(|frame| speaks_of_a_box(frame)).or(Some(top))
}

/// What the runner exports: of a page being worked on, the design; else the node of the file.
fn top_node(document: &Document) -> Option<&Arc<Node>> {
    let roots = document.roots();
    let is_one_file = roots.len() == 1;
    let is_of_nodes = matches!(document.envelope().shape, EnvelopeShape::Nodes(_));
    match roots.first() {
        Some(first) if is_one_file || is_of_nodes => document.get(first),
        _ => document.main_frame(),
    }
}

fn first_frame_in<'a>(document: &'a Document, page: &Node) -> Option<&'a Arc<Node>> {
    let mut children = page.children.iter().filter_map(|id| document.get(id));
    children.find(|child| child.kind == NodeKind::Frame)
}

/// Whether a box is there, or at least the word: a FRAME whose box is null is the root frame all
/// the same.
fn speaks_of_a_box(node: &Node) -> bool {
    node.has_box() || node.source.contains_key("absoluteBoundingBox")
}

impl<'a> Block<'a> {
    pub(super) fn id(&self) -> NodeId {
        self.node.id.clone()
    }

    /// What a TEXT says.
    pub(super) fn characters(&self) -> Option<&'a str> {
        self.node.text().map(|text| text.characters.as_str())
    }

    /// Whether it is a TEXT of which the file does not say what it says.
    pub(super) fn lacks_characters(&self) -> bool {
        self.characters() == Some("")
            && self.node.origin.is_some()
            && !self.node.source.get("characters").is_some_and(Value::is_string)
    }

    pub(super) fn center(&self) -> Point {
        self.bounds.center()
    }

    pub(super) fn diagonal(&self) -> f64 {
        let Rect { width, height, .. } = self.bounds;
        (width * width + height * height).sqrt()
    }

    /// The distance of two centres, along the axis where it is larger.
    pub(super) fn center_offset(&self, other: &Self) -> f64 {
        let way = self.center().since(other.center());
        way.x.abs().max(way.y.abs())
    }

    /// 1 − distance of centres over the larger of both diagonals; 1 if neither has one. Below 0 for
    /// what is further away than it is large.
    pub(super) fn position_likeness(&self, other: &Self) -> f64 {
        let diagonal = self.diagonal().max(other.diagonal());
        if diagonal <= 0.0 {
            return 1.0;
        }
        let way = self.center().since(other.center());
        1.0 - (way.x * way.x + way.y * way.y).sqrt() / diagonal
    }

    /// The common area over the joint one, 0 where there is none.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let (a, b) = (self.bounds, other.bounds);
        let width = (a.right().min(b.right()) - a.x.max(b.x)).max(0.0);
        let height = (a.bottom().min(b.bottom()) - a.y.max(b.y)).max(0.0);
        let common = width * height;
        let joint = a.area() + b.area() - common;
        if joint > 0.0 { common / joint } else { 0.0 }
    }

    /// The lowest visible solid fill with a colour, as 8-bit RGB cut off, without its opacity.
    pub(super) fn published_color(&self) -> Option<[i32; 3]> {
        // The first in the file, which is the lowest: opacity and what lies above do not count.
        let mut fills = self.node.fills.iter().enumerate();
        let color = fills.find_map(|(at, paint)| match paint.kind {
            PaintKind::Solid(color) if paint.visible && self.says_color(at, color) => Some(color),
            _ => None,
        })?;
        // Python's `int`, which cuts off.
        Some([color.r, color.g, color.b].map(|channel| (channel * 255.0) as i32))
    }

    /// Whether the black of a fill is its colour, not what is taken where a file says none.
    fn says_color(&self, at: usize, color: Rgba) -> bool {
        let there = self.node.source.get("fills").and_then(|fills| fills.get(at));
        let Some(there) = there.filter(|_| color == Rgba::BLACK) else { return true };
        let Some(color) = there.get("color") else { return false };
        ["r", "g", "b"].iter().all(|key| color.get(key).is_some())
    }

    /// The topmost visible solid fill with its opacity.
    pub(super) fn top_color(&self) -> Option<Rgba> {
        let mut visible = self.node.fills.iter().rev().filter(|paint| paint.visible);
        visible.find_map(Paint::solid_color)
    }
}

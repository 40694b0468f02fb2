//! What a press selects.

use super::input::{Pointer, PointerKeys};
use crate::base::{Point, Rect};
use crate::design::gesture::{Depth, HitSettings, hit, hits};
use crate::design::{Document, Node, NodeId};
use crate::editor::selection::Selection;

/// How high the name above a frame is, in points of the screen.
const NAME_HEIGHT: f64 = 20.0;
/// About how wide a letter of it is, in points of the screen.
const LETTER: f64 = 7.0;

/// What a press on a node does to the selection.
#[derive(Debug)]
pub(super) struct Picked {
    /// The selection right away, if that is another.
    pub(super) now: Option<Selection>,
    /// The selection once the button is let go without a drag.
    pub(super) on_click: Option<Selection>,
}

/// The node of the level that is clicked on, with Ctrl the deepest; a frame by its name above it.
pub(super) fn node_at(
    document: &Document,
    selection: &Selection,
    pointer: Pointer,
) -> Option<NodeId> {
    let depth = if pointer.keys.command { Depth::Deepest } else { Depth::Level };
    let settings = HitSettings::at_zoom(pointer.zoom);
    let found = hit(document, pointer.at, selection.entered.as_ref(), depth, settings);
    found.or_else(|| {
        let mut frames = named_frames(document).into_iter().rev();
        frames.find(|id| {
            let area = document.get(id).and_then(|frame| name_area(document, frame, pointer.zoom));
            area.is_some_and(|area| area.contains(pointer.at))
        })
    })
}

/// All nodes that lie there, the topmost first; what lies around a hit stands right behind it.
pub(super) fn lying_at(document: &Document, pointer: Pointer) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    let hits = hits(document, pointer.at, HitSettings::at_zoom(pointer.zoom));
    for hit in &hits {
        let around = document.ancestors(hit).filter(|node| node.has_box()).map(|node| &node.id);
        for id in std::iter::once(hit).chain(around) {
            if !found.contains(id) {
                found.push(id.clone());
            }
        }
    }
    // What holds others comes behind them, however it was found.
    found.sort_by_key(|id| std::cmp::Reverse(document.depth(id)));
    found
}

/// What a press on a node does: an unselected one is selected at once, of what is selected already only when the button
/// is let go, so that all of it can be dragged.
pub(super) fn pressed(
    document: &Document,
    selection: &Selection,
    node: &NodeId,
    keys: PointerKeys,
) -> Picked {
    let is_selected = selection.nodes.contains(node);
    let only = Selection::of_nodes(document, vec![node.clone()]);
    match (is_selected, keys.shift) {
        (false, false) => Picked { now: Some(only), on_click: None },
        (false, true) => {
            let mut nodes = selection.nodes.clone();
            nodes.push(node.clone());
            let entered =
                if selection.nodes.is_empty() { only.entered } else { selection.entered.clone() };
            Picked { now: Some(Selection { nodes, entered }), on_click: None }
        }
        (true, false) => Picked { now: None, on_click: Some(only) },
        (true, true) => {
            let mut left = selection.clone();
            left.nodes.retain(|id| id != node);
            Picked { now: None, on_click: Some(left) }
        }
    }
}

/// The frames on the page, whose names stand above them, bottom first.
pub fn named_frames(document: &Document) -> Vec<NodeId> {
    let mut layers = document.top_layers();
    let is_named = |node: &Node| node.kind.is_some_frame() && node.visible && node.has_box();
    layers.retain(|id| document.get(id).is_some_and(|node| is_named(node)));
    layers
}

/// Where on the page the name of a frame stands: above its left top corner, 20 points of the screen high, as wide as
/// its letters and no wider than the frame. `zoom` is in points of the screen a unit of the page.
pub fn name_area(document: &Document, frame: &Node, zoom: f64) -> Option<Rect> {
    let at = document.absolute_box(&frame.id).ok()?;
    let letters = f64::from(u32::try_from(frame.name.chars().count()).unwrap_or(u32::MAX));
    let width = (letters * LETTER + 8.0).min((at.width * zoom).max(24.0)) / zoom;
    let height = NAME_HEIGHT / zoom;
    Some(Rect::from_corners(Point::new(at.x, at.y - height), Point::new(at.x + width, at.y)))
}

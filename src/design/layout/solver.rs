//! One tree of auto-layout frames, laid out.
//!
//! Four passes: the widths that content asks for, bottom up; the widths there are, top down, with
//! the heights of the texts that follow from them; then the same for heights. Only frames that are
//! stale, or that a stale one lies in, are asked; only those are arranged whose own extent changed,
//! or that of a child.
//!
//! Where widths depend on heights (columns that wrap, turned children, baselines of frames) the
//! passes are repeated until nothing changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::axis::Bounds;
use super::item::SolverItem;
use super::sizing::{flow, is_upright, layout_of, placed_by};
use super::{TOLERANCE, baseline, line, share, strokes, text};
use crate::base::Limits;
use crate::design::auto_layout::{AutoLayout, CounterAlign, Direction, PrimaryAlign, Sizing};
use crate::design::document::Document;
use crate::design::edit::Transaction;
use crate::design::edit::{Resized, resize};
use crate::design::measure::Measure;
use crate::design::node::Node;
use crate::design::node_id::NodeId;

/// How often the passes are repeated at most.
const ROUNDS: usize = 8;

/// Lays out one tree of auto-layout frames.
pub(super) struct Solver<'t, 'd> {
    pub(super) change: &'t mut Transaction<'d>,
    pub(super) measure: &'t dyn Measure,
    /// Frames whose children have to be placed again.
    pub(super) stale: BTreeSet<NodeId>,
    /// Those, and all that one of them may change.
    pub(super) involved: BTreeSet<NodeId>,
    /// Frames beyond this tree whose size changed, and texts there whose lines have to follow another width.
    pub(super) resized: Resized,
    /// The extents that content asks for, along the axis of the pass.
    natural: BTreeMap<NodeId, f64>,
    /// Whether anything changed in this round.
    changed: bool,
    /// Whether a width was met that depends on a height.
    crosses: bool,
}

/// What is needed of a frame to place its children.
struct LayoutFrame<'n> {
    layout: &'n AutoLayout,
    /// Padding and stroke at the start and the end of the axis.
    insets: (f64, f64),
    /// Between the insets; below 0 where they are larger than the frame.
    space: f64,
    items: Vec<SolverItem>,
    /// Which of the items stand in which line.
    lines: Vec<Range<usize>>,
}

impl<'t, 'd> Solver<'t, 'd> {
    pub(super) fn new(change: &'t mut Transaction<'d>, measure: &'t dyn Measure) -> Self {
        Self {
            change,
            measure,
            stale: BTreeSet::new(),
            involved: BTreeSet::new(),
            resized: Resized::default(),
            natural: BTreeMap::new(),
            changed: false,
            crosses: false,
        }
    }

    /// Lays out the tree of which `root` is the top frame.
    pub(super) fn solve(&mut self, root: &NodeId) {
        for _ in 0..ROUNDS {
            (self.changed, self.crosses) = (false, false);
            for axis in [Direction::Horizontal, Direction::Vertical] {
                self.natural.clear();
                // Bottom up, then top down: what hugs must know its content, what fills its parent.
                let extent = self.ask(root, axis, false);
                self.set_extent(root, axis, extent);
                self.arrange(root, axis);
            }
            // Most trees are done after one round: widths never asked for a height.
            if !(self.changed && self.crosses) {
                break;
            }
        }
    }

    fn document(&self) -> &Document {
        self.change.document()
    }

    /// The extent that a node asks for by its content, or has. `anew`: its content is asked though
    /// nothing in it is stale.
    fn ask(&mut self, id: &NodeId, axis: Direction, anew: bool) -> f64 {
        let Some(node) = self.document().get(id).cloned() else { return 0.0 };
        let bounds = axis.bounds(&node.layout_item);
        let there = axis.extent(node.size);
        let sizing = self.document().sizing(id, axis);
        let asked = match layout_of(&node) {
            Some(layout) if anew || self.involved.contains(id) => {
                let hugs = sizing != Sizing::Fixed;
                // Only where its content is asked for does it matter what a child that fills would like.
                let counts_fill = hugs || layout.wraps;
                let children: Vec<NodeId> =
                    flow(self.document(), id).map(|child| child.id.clone()).collect();
                for child in &children {
                    let fills = self.document().sizing(child, axis) == Sizing::Fill;
                    self.ask(child, axis, counts_fill && fills);
                }
                if hugs { self.content(&node, layout, axis) } else { there }
            }
            _ => there,
        };
        // Kept for `frame`, which reads what the children asked for.
        let natural = bounds.clamp(asked).clamp(0.0, Limits::COORDINATE);
        self.natural.insert(id.clone(), natural);
        natural
    }

    /// What a frame's children take along an axis, with the padding; what it has if there are none.
    fn content(&mut self, node: &Arc<Node>, layout: &AutoLayout, axis: Direction) -> f64 {
        // As if it hugged, so that nothing wraps that could be as wide as it likes.
        let frame = self.frame(node, layout, axis, Sizing::Hug);
        if frame.items.is_empty() {
            return axis.extent(node.size);
        }
        let taken = if axis == layout.direction {
            let outer: Vec<f64> = frame.items.iter().map(SolverItem::outer).collect();
            let hugs = self.document().sizing(&node.id, axis) == Sizing::Hug;
            line::length(&outer, spacing(layout, hugs))
        } else {
            let gap = if layout.spreads_lines { 0.0 } else { layout.line_spacing };
            line::length(&self.thicknesses(&frame), gap)
        };
        (frame.insets.0 + taken + frame.insets.1).max(0.0)
    }

    /// Reads a frame and its children; those that do not fill have the extent they ask for.
    fn frame<'n>(
        &mut self,
        node: &Arc<Node>,
        layout: &'n AutoLayout,
        axis: Direction,
        sizing: Sizing,
    ) -> LayoutFrame<'n> {
        let document = self.change.document();
        let mut items: Vec<SolverItem> = flow(document, &node.id)
            .map(|child| SolverItem::of(document, child, layout, axis))
            .collect();
        for (item, child) in items.iter_mut().zip(flow(document, &node.id)) {
            let natural = self.natural.get(&item.id).copied().unwrap_or(item.extent);
            item.extent = natural;
            // The box of a turned child depends on its other extent too, which may change yet.
            if is_upright(child) {
                item.boxed = natural;
            } else {
                self.crosses = true;
            }
        }
        let insets = insets(node, layout, axis);
        let space = axis.extent(node.size) - insets.0 - insets.1;
        let lines = self.lines(node, layout, axis, &items, sizing);
        LayoutFrame { layout, insets, space, items, lines }
    }

    /// Where the lines of a frame break: nowhere, unless it wraps.
    fn lines(
        &mut self,
        node: &Arc<Node>,
        layout: &AutoLayout,
        axis: Direction,
        items: &[SolverItem],
        sizing: Sizing,
    ) -> Vec<Range<usize>> {
        let along = layout.direction;
        let one_line = std::iter::once(0..items.len()).collect();
        if !layout.wraps || items.is_empty() || (axis == along && sizing == Sizing::Hug) {
            return one_line;
        }
        // Columns break by heights, which are found after the widths that follow from the breaks.
        self.crosses |= along == Direction::Vertical;
        let hugs = self.document().sizing(&node.id, along) == Sizing::Hug;
        if hugs && along.bounds(&node.layout_item).most.is_infinite() {
            return one_line;
        }
        let insets = insets(node, layout, along);
        let space = along.extent(node.size) - insets.0 - insets.1;
        let gap = spacing(layout, hugs);
        let extents: Vec<f64> = if axis == along {
            items.iter().map(SolverItem::least).collect()
        } else {
            let document = self.document();
            let children = flow(document, &node.id);
            children.map(|child| SolverItem::of(document, child, layout, along).least()).collect()
        };
        // A frame that got the extent of all its children in one line has one line, though over
        // negative gaps some of them stick out.
        if hugs && line::fits(&extents, gap, space) {
            return one_line;
        }
        line::breaks(&extents, gap, space)
    }

    /// How thick each line is, across the direction of the frame.
    fn thicknesses(&mut self, frame: &LayoutFrame<'_>) -> Vec<f64> {
        let on_baseline = baseline::aligns(frame.layout);
        let mut thicknesses = Vec::with_capacity(frame.lines.len());
        for line in &frame.lines {
            let items = &frame.items[line.clone()];
            // What fills a line of several does not make it thick, or it would never get thin again.
            let follows = frame.layout.wraps && !items.iter().all(SolverItem::fills);
            let asked = items.iter().map(|item| {
                if follows && item.follows_line() { item.least() } else { item.outer() }
            });
            let mut thickness = asked.fold(0.0, f64::max);
            if on_baseline {
                // What fills follows the line, wherever its letters stand.
                let standing: Vec<&SolverItem> =
                    items.iter().filter(|item| !item.fills()).collect();
                let drops = self.baselines(standing.iter().copied());
                // The tallest above the common baseline and the deepest below may be two children.
                let above = drops.iter().copied().fold(0.0, f64::max);
                let below = standing.iter().zip(&drops).map(|(item, drop)| item.outer() - drop);
                thickness = (above + below.fold(0.0, f64::max)).max(thickness);
            }
            thicknesses.push(thickness);
        }
        thicknesses
    }

    /// How far each item's baseline lies below the top of the room it takes.
    fn baselines<'i>(&mut self, items: impl IntoIterator<Item = &'i SolverItem>) -> Vec<f64> {
        let mut drops = Vec::new();
        for item in items {
            let document = self.change.document();
            let inside = document
                .get(&item.id)
                .and_then(|node| baseline::below_top(document, node, self.measure));
            // What is inside may not have its place yet.
            self.crosses |= inside.is_some();
            let drop = inside.map_or(item.boxed, |inside| inside.clamp(0.0, item.boxed));
            drops.push(item.around.0 + drop);
        }
        drops
    }

    /// Gives the children of a frame, and theirs, extent and place along an axis.
    fn arrange(&mut self, id: &NodeId, axis: Direction) {
        let Some(node) = self.document().get(id).cloned() else { return };
        let Some(layout) = layout_of(&node) else { return };
        if !self.involved.contains(id) {
            return;
        }
        // A frame whose children are as they were is not placed anew: files contradict these rules.
        let children: Vec<NodeId> = if self.stale.contains(id) || self.has_grown_child(id, axis) {
            self.stale.insert(id.clone());
            self.place_children(&node, layout, axis)
        } else {
            flow(self.document(), id).map(|child| child.id.clone()).collect()
        };
        for child in &children {
            self.arrange(child, axis);
        }
    }

    /// Whether a child asks for another extent than it has.
    fn has_grown_child(&self, id: &NodeId, axis: Direction) -> bool {
        flow(self.document(), id).any(|child| {
            let asked = self.natural.get(&child.id);
            self.document().sizing(&child.id, axis) != Sizing::Fill
                && asked.is_some_and(|asked| (asked - axis.extent(child.size)).abs() > TOLERANCE)
        })
    }

    /// Whether a frame's extent is what its content asks for: it hugs, or fills a frame that does or
    /// a line that is as thick as its children.
    fn follows_content(&self, id: &NodeId, axis: Direction) -> bool {
        // Up through what fills, to whoever decides: a frame that hugs, or one of a given size.
        let mut at = self.document().get(id);
        for _ in 0..Limits::NODE_DEPTH {
            let Some(node) = at else { return false };
            match self.document().sizing(&node.id, axis) {
                Sizing::Hug => return true,
                Sizing::Fixed => return false,
                Sizing::Fill => at = placed_by(self.document(), node),
            }
            let layout = at.and_then(|parent| layout_of(parent));
            if layout.is_some_and(|layout| layout.wraps && layout.direction != axis) {
                return true;
            }
        }
        false
    }

    fn place_children(
        &mut self,
        node: &Arc<Node>,
        layout: &AutoLayout,
        axis: Direction,
    ) -> Vec<NodeId> {
        let sizing = self.document().sizing(&node.id, axis);
        // Its extent is known by now: lines break at it.
        let mut frame = self.frame(node, layout, axis, Sizing::Fixed);
        // Along the frame children follow each other; across it each lies by itself in its line.
        let starts = if axis == layout.direction {
            let asked = self.follows_content(&node.id, axis);
            along(&mut frame, spacing(layout, sizing == Sizing::Hug), asked)
        } else {
            self.across(&mut frame)
        };
        // The extent first: a node that is resized may move its own box.
        for (item, start) in frame.items.iter().zip(starts) {
            self.set_extent(&item.id, axis, item.extent);
            self.set_start(&item.id, axis, frame.insets.0 + start + item.around.0);
        }
        frame.items.into_iter().map(|item| item.id).collect()
    }

    /// Extents and starts across the direction of the frame.
    fn across(&mut self, frame: &mut LayoutFrame<'_>) -> Vec<f64> {
        let tracks = self.tracks(frame);
        let mut starts = Vec::with_capacity(frame.items.len());
        // Taken out, as nobody asks for the lines any more and the items are to be changed.
        let lines = std::mem::take(&mut frame.lines);
        for (line, (track_start, track)) in lines.into_iter().zip(tracks) {
            for item in frame.items[line.clone()].iter_mut().filter(|item| item.fills()) {
                item.fill(track - item.around.0 - item.around.1);
            }
            // Read again after those that fill got their extent.
            let items = &frame.items[line];
            let spare = items.iter().map(|item| track - item.outer());
            match frame.layout.counter_align {
                CounterAlign::Center => starts.extend(spare.map(|spare| track_start + spare / 2.0)),
                CounterAlign::Max => starts.extend(spare.map(|spare| track_start + spare)),
                // Only across a horizontal frame; anywhere else it means the start.
                CounterAlign::Baseline if baseline::aligns(frame.layout) => {
                    let drops = self.baselines(items);
                    let lowest = items.iter().zip(&drops).filter(|(item, _)| !item.fills());
                    let lowest = lowest.map(|(_, drop)| *drop).fold(0.0, f64::max);
                    starts.extend(items.iter().zip(&drops).map(|(item, drop)| {
                        track_start + if item.fills() { 0.0 } else { lowest - drop }
                    }));
                }
                CounterAlign::Min | CounterAlign::Baseline => {
                    starts.extend(spare.map(|_| track_start));
                }
            }
        }
        starts
    }

    /// Where each line starts across the direction of the frame, and how thick it is. The only line
    /// of a frame that does not wrap is as thick as the frame.
    fn tracks(&mut self, frame: &LayoutFrame<'_>) -> Vec<(f64, f64)> {
        let layout = frame.layout;
        if !layout.wraps {
            return vec![(0.0, frame.space)];
        }
        let mut tracks = self.thicknesses(frame);
        let gap = if layout.spreads_lines { 0.0 } else { layout.line_spacing };
        if !layout.spreads_lines && frame.items.iter().all(SolverItem::fills) {
            // No line gets thinner than its children ask; what is left goes to the thinnest first.
            let shares = tracks.iter().map(|track| Bounds { least: *track, most: f64::INFINITY });
            let shares: Vec<Bounds> = shares.collect();
            let gaps = gap * tracks.len().saturating_sub(1) as f64;
            let level = share::level(frame.space - gaps, &shares);
            tracks = shares.into_iter().map(|share| share.clamp(level)).collect();
        }
        let align = match layout.counter_align {
            _ if layout.spreads_lines => PrimaryAlign::SpaceBetween,
            CounterAlign::Min | CounterAlign::Baseline => PrimaryAlign::Min,
            CounterAlign::Center => PrimaryAlign::Center,
            CounterAlign::Max => PrimaryAlign::Max,
        };
        let starts = line::starts(&tracks, gap, frame.space, align);
        starts.into_iter().zip(tracks).collect()
    }

    /// Gives a node an extent, unless it has that. A text whose lines follow its width gets its new
    /// height; the children of a plain frame follow by their constraints.
    fn set_extent(&mut self, id: &NodeId, axis: Direction, extent: f64) {
        let Some(node) = self.document().get(id) else { return };
        let extent = extent.clamp(0.0, Limits::COORDINATE);
        if (axis.extent(node.size) - extent).abs() <= TOLERANCE {
            return;
        }
        let size = axis.with_extent(node.size, extent);
        // A text goes by its letters; its height is the letters' to say, and only set in the second axis.
        let (is_frame, is_text) = (layout_of(node).is_some(), node.text().is_some());
        match axis {
            Direction::Horizontal if is_text => {
                text::set_width(self.change, id, extent, self.measure);
            }
            Direction::Vertical if is_text => self.change.settle_node(id, |node| node.size = size),
            // A child that cannot follow (its place would be out of range) keeps its place.
            _ => drop(resize(self.change, id, size, &mut self.resized)),
        }
        if is_frame {
            self.stale.insert(id.clone());
            self.involved.insert(id.clone());
        }
        self.changed = true;
    }

    /// Moves a node so that its box starts there in its parent, unless it does.
    fn set_start(&mut self, id: &NodeId, axis: Direction, start: f64) {
        let Some(node) = self.document().get(id) else { return };
        // Moved by the difference of boxes, so that a turned child moves rightly too.
        let by = start - axis.start(node.transform.bounds_of(node.size));
        if by.abs() > TOLERANCE {
            let transform = axis.moved(node.transform, by);
            self.change.settle_node(id, |node| node.transform = transform);
            self.changed = true;
        }
    }
}

/// The least space between children of a line: none where they are spread. On an axis that hugs
/// there is nothing to spread, and the spacing counts.
fn spacing(layout: &AutoLayout, hugs: bool) -> f64 {
    let spreads = layout.primary_align == PrimaryAlign::SpaceBetween && !hugs;
    if spreads { 0.0 } else { layout.item_spacing }
}

/// Extents and starts along the direction of the frame. `follows_content`: its extent is what its
/// children asked for, or more.
fn along(frame: &mut LayoutFrame<'_>, gap: f64, follows_content: bool) -> Vec<f64> {
    let mut starts = Vec::with_capacity(frame.items.len());
    for line in std::mem::take(&mut frame.lines) {
        let items = &mut frame.items[line];
        let asked: Vec<f64> = items.iter().map(SolverItem::outer).collect();
        if follows_content && line::fits(&asked, gap, frame.space) {
            // The frame was given what they ask for, and that is what they get, or more.
            for item in items.iter_mut() {
                item.bounds.least = item.extent;
            }
        }
        fill_line(items, frame.space, gap);
        let outer: Vec<f64> = items.iter().map(SolverItem::outer).collect();
        starts.extend(line::starts(&outer, gap, frame.space, frame.layout.primary_align));
    }
    starts
}

/// Shares what the others of a line leave among those that fill.
fn fill_line(items: &mut [SolverItem], space: f64, gap: f64) {
    // What fills takes only the room around it for certain.
    let taken = items.iter().map(|item| {
        let around = item.around.0 + item.around.1;
        if item.fills() { around } else { item.outer() }
    });
    let gaps = gap * items.len().saturating_sub(1) as f64;
    let left = space - gaps - taken.sum::<f64>();
    let shares: Vec<Bounds> =
        items.iter().filter(|item| item.fills()).map(|item| item.bounds).collect();
    let level = share::level(left, &shares);
    items.iter_mut().filter(|item| item.fills()).for_each(|item| item.fill(level));
}

/// Padding, and stroke where it counts, at the start and the end of an axis.
fn insets(node: &Node, layout: &AutoLayout, axis: Direction) -> (f64, f64) {
    let (start, end) = axis.sides(layout.padding);
    if !layout.includes_strokes {
        return (start, end);
    }
    let (before, after) = axis.sides(strokes::inside(node));
    (start + before, end + after)
}

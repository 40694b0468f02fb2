//! The shape of a BOOLEAN_OPERATION.
//!
//! A file that was read with geometry has the outline itself; it is drawn until an edit changes a
//! shape below, which drops it ([`design::edit`](crate::design::edit)). Else the shapes of the
//! visible children are combined as they would be filled, whatever their paints: strokes and
//! effects belong to the whole ([Figma's help, *Boolean operations*]). Only what has no inside, a
//! LINE or a VECTOR known by its stroke alone, counts with its stroke, as it would be nothing
//! otherwise. Groups and frames, which Figma does not combine but files may hold, count as the
//! union of what is in them.
//!
//! [Figma's help, *Boolean operations*]: https://help.figma.com/hc/en-us/articles/360039957534

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use tiny_skia::FillRule;

use crate::base::{Limits, Rect};
use crate::design::{BooleanOp, Document, Node, NodeKind};
use crate::render::diagnostic::{Diagnostic, Diagnostics};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::polygon_set::{PolygonSet, TooIntricate};
use crate::render::geometry::round_corners;
use crate::render::text::typesetter::{SharedNode, Typesetter};

use super::shape::Shape;
use super::{file_geometry, stroke};

/// How far outlines may lie from the curves they follow, in pixels at scale 1.
const TOLERANCE: f64 = 0.01;

/// Combinations kept in memory.
const KEPT_COMBINATIONS: usize = 512;

/// What a combination covers, and what was said while it was made.
#[derive(Debug)]
struct Combination {
    /// The subtree it was made of.
    parts: Vec<Arc<Node>>,
    pixels_per_unit: f64,
    areas: Vec<FilledPath>,
    said: Vec<Diagnostic>,
}

/// Combinations by their node, kept only to be faster.
#[derive(Debug, Default)]
pub(crate) struct Combinations(RefCell<HashMap<SharedNode, Arc<Combination>>>);

/// What shapes are worked out with.
#[derive(Debug)]
pub(crate) struct ShapeCache {
    pub(crate) typesetter: Typesetter,
    pub(crate) combinations: Combinations,
}

/// The shape of `node`, followed as finely as a picture of `pixels_per_unit` needs; what cannot be
/// told is reported and left out.
pub(crate) fn shape_of(
    cache: &ShapeCache,
    document: &Document,
    node: &Arc<Node>,
    pixels_per_unit: f64,
    diagnostics: &mut Diagnostics,
) -> Shape {
    match node.kind {
        NodeKind::BooleanOperation(_) => {
            Shape::free(areas(cache, document, node, pixels_per_unit, diagnostics))
        }
        _ => Shape::of_single(node, diagnostics),
    }
}

/// What a BOOLEAN_OPERATION covers, in its own space.
pub(crate) fn areas(
    cache: &ShapeCache,
    document: &Document,
    node: &Arc<Node>,
    pixels_per_unit: f64,
    diagnostics: &mut Diagnostics,
) -> Vec<FilledPath> {
    let combination = combination(cache, document, node, pixels_per_unit);
    for said in &combination.said {
        diagnostics.add(&said.node, said.message.clone());
    }
    combination.areas.clone()
}

/// The box of what a BOOLEAN_OPERATION covers, in its own space; `None` if that is nothing.
pub(crate) fn bounds(cache: &ShapeCache, document: &Document, node: &Arc<Node>) -> Option<Rect> {
    let areas = areas(cache, document, node, 1.0, &mut Diagnostics::default());
    Rect::union_all(areas.iter().map(|area| area.bounds))
}

fn combination(
    cache: &ShapeCache,
    document: &Document,
    node: &Arc<Node>,
    pixels_per_unit: f64,
) -> Arc<Combination> {
    let key = SharedNode::new(node);
    if let Some(known) = cache.combinations.0.borrow().get(&key)
        // A combination is as fine as the picture it was made for.
        && known.pixels_per_unit == pixels_per_unit
        && known.is_of(document, node)
    {
        return Arc::clone(known);
    }
    let made = Arc::new(combine(cache, document, node, pixels_per_unit));
    let mut kept = cache.combinations.0.borrow_mut();
    // All at once: what is still in use comes back with the next picture, and nothing has to be
    // remembered of when each was used.
    if kept.len() >= KEPT_COMBINATIONS {
        kept.clear();
    }
    kept.insert(key, Arc::clone(&made));
    made
}

impl Combination {
    /// Whether it was made of this very subtree: the same node may stand in another document with
    /// other children under the same ids.
    fn is_of(&self, document: &Document, node: &Node) -> bool {
        let mut parts = self.parts.iter();
        document
            .subtree(&node.id)
            .all(|now| parts.next().is_some_and(|part| Arc::ptr_eq(part, now)))
            && parts.next().is_none()
    }
}

fn combine(
    cache: &ShapeCache,
    document: &Document,
    node: &Arc<Node>,
    pixels_per_unit: f64,
) -> Combination {
    let tolerance = TOLERANCE / pixels_per_unit.clamp(1e-4, 1e4);
    let mut combiner = Combiner { cache, document, tolerance, diagnostics: Diagnostics::default() };
    let areas = combiner.areas(node, 0);
    Combination {
        parts: document.subtree(&node.id).cloned().collect(),
        pixels_per_unit,
        areas,
        said: combiner.diagnostics.into_vec(),
    }
}

struct Combiner<'d> {
    cache: &'d ShapeCache,
    document: &'d Document,
    /// How far outlines may lie from their curves, in each node's own units.
    tolerance: f64,
    diagnostics: Diagnostics,
}

impl Combiner<'_> {
    /// What a BOOLEAN_OPERATION covers: by the file, else by its children.
    fn areas(&mut self, node: &Arc<Node>, depth: usize) -> Vec<FilledPath> {
        let of_file = file_geometry::fill(node, &mut self.diagnostics);
        // Figma's own combination, as long as no edit dropped it.
        if !of_file.is_empty() {
            return of_file;
        }
        let region = self.combined(node, depth);
        let path = match node.corner_radii.top_left {
            // Figma rounds the corners of the whole, not of the parts.
            radius if radius > 0.0 => round_corners::rounded(region.contours(), radius),
            _ => region.to_path(),
        };
        path.map(|path| FilledPath::new(path, FillRule::Winding)).into_iter().collect()
    }

    fn combined(&mut self, node: &Arc<Node>, depth: usize) -> PolygonSet {
        let NodeKind::BooleanOperation(op) = node.kind else { return PolygonSet::default() };
        let parts = self.children(node, depth);
        PolygonSet::combined(op, parts).unwrap_or_else(|_| self.too_intricate(node))
    }

    fn too_intricate(&mut self, node: &Node) -> PolygonSet {
        let message = "not drawn: its shapes have too many edges, or cross too often";
        self.diagnostics.add(&node.id, message);
        PolygonSet::default()
    }

    /// What the visible children cover, each in the space of `node`.
    fn children(&mut self, node: &Node, depth: usize) -> Vec<PolygonSet> {
        if depth >= Limits::NODE_DEPTH {
            return Vec::new();
        }
        let children = node.children.iter().filter_map(|id| self.document.get(id));
        let visible: Vec<_> = children.filter(|child| child.visible).collect();
        let mut regions = Vec::with_capacity(visible.len());
        for child in visible {
            regions.push(self.region(child, depth + 1).moved(child.transform));
        }
        regions
    }

    /// What a node covers, in its own space.
    fn region(&mut self, node: &Arc<Node>, depth: usize) -> PolygonSet {
        let region = match &node.kind {
            NodeKind::BooleanOperation(_) => {
                let areas = self.areas(node, depth);
                self.united(&areas)
            }
            // Letters combine by their outlines.
            NodeKind::Text(_) => self.united(&self.cache.typesetter.outlines(node)),
            kind if kind.is_container() => self.content(node, depth),
            _ => {
                let shape = Shape::of_single(node, &mut self.diagnostics);
                // A line or an open path has no inside to count.
                let areas = match shape.areas() {
                    areas if areas.is_empty() => self.stroke_areas(node, &shape),
                    areas => areas,
                };
                self.united(&areas)
            }
        };
        self.report_missing_geometry(node);
        region.unwrap_or_else(|_| self.too_intricate(node))
    }

    /// Parts have no paints of their own as a rule, so that nobody else misses what is not there.
    fn report_missing_geometry(&mut self, node: &Node) {
        if let NodeKind::Vector(geometry) = &node.kind
            && geometry.fill.is_empty()
            && geometry.stroke.is_empty()
        {
            let message = "no geometry in the file: it has no part in the shape it belongs to";
            self.diagnostics.add(&node.id, message);
        }
    }

    /// What has no inside counts with its stroke.
    fn stroke_areas(&mut self, node: &Arc<Node>, shape: &Shape) -> Vec<FilledPath> {
        // The stroker follows curves by pixels a unit, here by the tolerance.
        let finest = 4.0 * TOLERANCE / self.tolerance;
        let areas = stroke::areas(node, shape, finest, &mut self.diagnostics);
        areas.into_iter().map(|stroke| stroke.area).collect()
    }

    /// A group's content; a frame's too, with its own box where that is filled, cut at its edge.
    fn content(&mut self, node: &Arc<Node>, depth: usize) -> Result<PolygonSet, TooIntricate> {
        let mut parts = self.children(node, depth);
        // A frame's box; of a group, nothing.
        let own = Shape::of_single(node, &mut self.diagnostics).areas();
        let own = self.united(&own)?;
        if node.fills.iter().any(|fill| fill.visible) {
            parts.push(own.clone());
        }
        let content = PolygonSet::combined(BooleanOp::Union, parts)?;
        let is_cut = node.clips_content && node.kind != NodeKind::Group;
        if is_cut { content.within(&own) } else { Ok(content) }
    }

    fn united(&self, areas: &[FilledPath]) -> Result<PolygonSet, TooIntricate> {
        PolygonSet::of_areas(areas, self.tolerance)
    }
}

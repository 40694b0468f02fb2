//! The page of a design with where the components of its brief are, and where something could go.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::base::{Axis, Point, Rect, Size};
use crate::design::hunk::{Field, Hunk};
use crate::design::{Document, Measure, Node, NodeId};
use crate::evaluate::flaws::moved;
use crate::graphictown::{Query, WantedText};
use crate::metric::constraint::{Clause, Findings, Relation, name_words};

/// Room at the edges of the page, as a share of its sides.
pub(super) const MARGIN: f64 = 0.06;
/// Between what stands to each other, as a share of the page's height.
const GAP: f64 = 0.02;
/// Most places of one thing that are proposed.
const MOST_SPOTS: usize = 40;

/// The page of a design.
pub(super) struct Sheet<'a> {
    pub(super) document: &'a Document,
    pub(super) query: &'a Query,
    pub(super) measure: &'a dyn Measure,
    /// The page's node and its box.
    pub(super) page: &'a Arc<Node>,
    pub(super) frame: Rect,
    /// The components that were found, in the order of the brief.
    pub(super) parts: Vec<PlacedComponent<'a>>,
}

/// A component on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedComponent<'a> {
    pub(super) component: &'a str,
    pub(super) node: &'a Arc<Node>,
    pub(super) place: Rect,
}

impl<'a> Sheet<'a> {
    /// `None` if there is no page with an area.
    pub(super) fn of(
        document: &'a Document,
        query: &'a Query,
        findings: &'a Findings,
        measure: &'a dyn Measure,
    ) -> Option<Self> {
        let page = document.main_frame()?;
        let frame = document.absolute_box(&page.id).ok()?;
        let mut parts: Vec<PlacedComponent<'a>> = Vec::new();
        for found in &findings.0 {
            let component = found.component.as_str();
            let Some(node) = found.node.as_ref().and_then(|id| document.get(id)) else { continue };
            let Ok(place) = document.absolute_box(&node.id) else { continue };
            if parts.iter().all(|part| part.component != component) {
                parts.push(PlacedComponent { component, node, place });
            }
        }
        Some(Self { document, query, measure, page, frame, parts })
    }

    pub(super) fn part(&self, component: &str) -> Option<PlacedComponent<'a>> {
        self.parts.iter().find(|part| part.component == component).copied()
    }

    /// What the brief says of a text; `None` if the component is none.
    pub(super) fn wanted_text(&self, component: &str) -> Option<&'a WantedText> {
        self.query.texts.iter().find(|text| text.role == component)
    }

    /// Corners at which something of this size could lie, the most natural first. What the clauses ask comes before
    /// what is so now, and that before the usual places; what would lie on a text comes last.
    pub(super) fn spots(
        &self,
        size: Size,
        own: Option<PlacedComponent<'_>>,
        clauses: &[&Clause],
    ) -> Vec<Point> {
        let [across, down] = Axis::ALL.map(|axis| self.starts(axis, size, own, clauses));
        let mut spots = Vec::new();
        for (i, x) in across.iter().enumerate() {
            for (j, y) in down.iter().enumerate() {
                let place = Rect::new(*x, *y, size.width, size.height);
                spots.push((self.is_on_text(place, own), i + j, i, place.origin()));
            }
        }
        spots.sort_by_key(|(on_text, rank, i, _)| (*on_text, *rank, *i));
        spots.truncate(MOST_SPOTS);
        spots.into_iter().map(|(.., spot)| spot).collect()
    }

    /// Where something could begin along an axis.
    fn starts(
        &self,
        axis: Axis,
        size: Size,
        own: Option<PlacedComponent<'_>>,
        clauses: &[&Clause],
    ) -> Vec<f64> {
        let length = axis.extent(Rect::new(0.0, 0.0, size.width, size.height));
        let (from, to) = axis.span(self.frame);
        let (whole, gap) = (to - from, GAP * self.frame.height);
        let middle = from + (whole - length) / 2.0;
        let edges = [from + MARGIN * whole, to - MARGIN * whole - length];
        let mut starts = Vec::new();
        for clause in clauses {
            match clause {
                Clause::Zone(zone) => {
                    let range = match axis {
                        Axis::Horizontal => zone.across,
                        Axis::Vertical => zone.down,
                    };
                    starts.extend(
                        range
                            .into_iter()
                            .flat_map(|range| in_range(range, length, (from, whole), edges)),
                    );
                }
                Clause::Relation(relation, name) => {
                    for other in self.named(name, own) {
                        let (start, end) = axis.span(other);
                        starts.push(match (relation, axis) {
                            (Relation::Below, Axis::Vertical)
                            | (Relation::RightOf, Axis::Horizontal) => end + gap,
                            (Relation::Above, Axis::Vertical)
                            | (Relation::LeftOf, Axis::Horizontal) => start - gap - length,
                            _ => f64::midpoint(start, end) - length / 2.0,
                        });
                    }
                }
                Clause::Between(a, b) => {
                    let (firsts, seconds) = (self.named(a, own), self.named(b, own));
                    for (first, second) in firsts.iter().zip(&seconds) {
                        let [(a, b), (c, d)] = [axis.span(*first), axis.span(*second)];
                        let between = f64::midpoint(f64::midpoint(a, b), f64::midpoint(c, d));
                        starts.push(between - length / 2.0);
                    }
                }
                Clause::Reaches([top, right, bottom, left]) => {
                    let [first, last] = match axis {
                        Axis::Horizontal => [left, right],
                        Axis::Vertical => [top, bottom],
                    };
                    starts.extend(first.then_some(edges[0]));
                    starts.extend(last.then_some(edges[1]));
                }
                Clause::Covers(..) | Clause::Spread(_) => {}
            }
        }
        let now = own.map(|own| axis.span(own.place).0);
        // Where nothing is asked along this axis, it stays as it is.
        starts.extend(now);
        starts.extend([middle, edges[0], edges[1]]);
        if axis == Axis::Vertical {
            let others = self.parts.iter().filter(|part| part.node.text().is_some());
            for other in others.filter(|other| !is_own(other, own)) {
                starts.push(other.place.bottom() + gap);
                starts.push(other.place.y - gap - length);
            }
        }
        let mut kept: Vec<f64> = Vec::new();
        for start in starts.into_iter().filter(|start| start.is_finite()) {
            // Whole pixels, but not of what stays where it is.
            let start = if Some(start) == now { start } else { start.round() };
            if kept.iter().all(|other| (other - start).abs() >= 0.5) {
                kept.push(start);
            }
        }
        kept
    }

    /// The boxes of other components, those first that share the most words with a name; then all others together.
    pub(super) fn named(&self, name: &str, own: Option<PlacedComponent<'_>>) -> Vec<Rect> {
        let words = name_words(name);
        let mut others: Vec<&PlacedComponent<'_>> =
            self.parts.iter().filter(|part| !is_own(part, own)).collect();
        others.sort_by_key(|part| {
            let shared = name_words(part.component);
            Reverse(shared.iter().filter(|word| words.contains(word)).count())
        });
        let mut places: Vec<Rect> = others.iter().map(|part| part.place).collect();
        places.extend(Rect::union_all(places.clone()));
        places
    }

    fn is_on_text(&self, place: Rect, own: Option<PlacedComponent<'_>>) -> bool {
        // A picture may lie below any text.
        if own.is_some_and(|own| own.node.text().is_none()) {
            return false;
        }
        let texts = self.parts.iter().filter(|part| part.node.text().is_some());
        let mut others = texts.filter(|part| !is_own(part, own));
        others.any(|part| part.place.intersection(place).is_some_and(|both| both.area() > 0.0))
    }

    /// The hunk that moves a component so that its corner is there; `None` where that is not a move.
    pub(super) fn moved_to(&self, part: PlacedComponent<'_>, corner: Point) -> Option<Hunk> {
        moved(self.document, part.node, corner.since(part.place.origin()))
    }

    /// The hunks that give a component another box; none where it is turned, or not placed by itself.
    pub(super) fn boxed(&self, part: PlacedComponent<'_>, place: Rect) -> Vec<Hunk> {
        let node = part.node;
        let is_upright = node.transform.b == 0.0 && node.transform.c == 0.0;
        let like = Arc::new(Node { size: place.size(), ..Node::clone(node) });
        let size = Hunk::set(self.document, &node.id, Field::Size, &like).filter(|_| is_upright);
        let both = size.zip(self.moved_to(part, place.origin()));
        both.map(|(size, moved)| vec![size, moved]).unwrap_or_default()
    }
}

fn is_own(part: &PlacedComponent<'_>, own: Option<PlacedComponent<'_>>) -> bool {
    own.is_some_and(|own| own.node.id == part.node.id)
}

/// Where something begins whose middle is to be within shares of the page: centred, at the edge that they are at, in
/// their middle, or at their ends.
fn in_range(
    [first, last]: [f64; 2],
    length: f64,
    (from, whole): (f64, f64),
    edges: [f64; 2],
) -> Vec<f64> {
    let at = |share: f64| from + share * whole - length / 2.0;
    let middle = f64::midpoint(first, last);
    let mut starts = Vec::new();
    if (first..=last).contains(&0.5) && (middle - 0.5).abs() < 0.01 {
        starts.push(at(0.5));
    } else if middle < 0.5 {
        starts.push(edges[0]);
    } else {
        starts.push(edges[1]);
    }
    starts.extend([at(middle), at(last - 0.01), at(first + 0.01)]);
    starts
}

/// The id that a new node gets.
pub(super) fn free_id(document: &Document) -> NodeId {
    let mut copy = document.clone();
    crate::design::edit::Transaction::begin(&mut copy).new_id()
}

//! How much work it is to combine polygons, before it is done.
//!
//! The sweep's time and memory grow with the crossings of edges, of which a few thousand edges can
//! have millions. They are counted first, with a bound on the counting itself.

use super::flatten::Corner;

/// Most edges of all polygons that are combined at once.
const MAX_EDGES: usize = 400_000;

/// Most crossings of them.
const MAX_CROSSINGS: usize = 300_000;

/// Most pairs of edges looked at to count them.
const MAX_PAIRS: usize = 40_000_000;

/// The box of an edge and the edge itself.
#[derive(Clone, Copy, Debug)]
struct Edge {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    from: Corner,
    to: Corner,
}

impl Edge {
    fn new(from: Corner, to: Corner) -> Self {
        Self {
            left: from[0].min(to[0]),
            right: from[0].max(to[0]),
            top: from[1].min(to[1]),
            bottom: from[1].max(to[1]),
            from,
            to,
        }
    }

    /// Whether the two have a common point that is not a corner of both.
    fn meets(&self, other: &Self) -> bool {
        let is_apart = self.bottom < other.top || other.bottom < self.top;
        if is_apart {
            return false;
        }
        // Neighbours along a polygon meet by nature: that is no work for the sweep.
        let adjoins = self.to == other.from || self.from == other.to;
        !adjoins && self.splits(other) && other.splits(self)
    }

    /// Whether the ends of `other` are not on one side of the line along this edge.
    fn splits(&self, other: &Self) -> bool {
        self.side(other.from) * self.side(other.to) <= 0.0
    }

    fn side(&self, point: Corner) -> f64 {
        let along = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        along[0] * (point[1] - self.from[1]) - along[1] * (point[0] - self.from[0])
    }
}

/// Whether the closed `polygons` can be combined in bounded time and memory.
pub(crate) fn is_tractable<'c>(polygons: impl Iterator<Item = &'c Vec<Corner>> + Clone) -> bool {
    if polygons.clone().map(Vec::len).sum::<usize>() > MAX_EDGES {
        return false;
    }
    let mut edges: Vec<Edge> = polygons.flat_map(|polygon| edges(polygon)).collect();
    // Sorted from the left, an edge can only meet those that begin before it ends: real designs
    // are looked at in about n log n.
    edges.sort_by(|a, b| a.left.total_cmp(&b.left));
    let (mut pairs, mut crossings) = (0, 0);
    for (index, edge) in edges.iter().enumerate() {
        for other in edges[index + 1..].iter().take_while(|other| other.left <= edge.right) {
            pairs += 1;
            crossings += usize::from(edge.meets(other));
            // Asked at every pair: a thicket is found out after a bounded part of it.
            if pairs > MAX_PAIRS || crossings > MAX_CROSSINGS {
                return false;
            }
        }
    }
    true
}

fn edges(polygon: &[Corner]) -> impl Iterator<Item = Edge> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(from, to)| Edge::new(*from, *to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_shapes_are_tractable_and_a_thicket_is_not() {
        let mut squares = Vec::new();
        for n in 0..20_000 {
            let (x, y) = (f64::from(n % 200) * 4.0, f64::from(n / 200) * 4.0);
            squares.push(vec![[x, y], [x + 3.0, y], [x + 3.0, y + 3.0], [x, y + 3.0]]);
        }
        assert!(is_tractable(squares.iter()));
        // Every edge goes from one side to the other.
        let thicket: Vec<Corner> = (0..4_000u32)
            .map(|n| [f64::from(n % 2) * 1e3, f64::from(n.wrapping_mul(2_654_435_761) >> 20)])
            .collect();
        assert!(!is_tractable(std::iter::once(&thicket)));
    }
}

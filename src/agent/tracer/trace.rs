//! Small forms traced as outlines: icons, arrows, logotypes.
//!
//! Marching squares (Lorensen & Cline 1987, in the plane) over the ink, between the pixels, then
//! Douglas & Peucker's simplification.

use super::text::read::Ink;

/// Where the outline lies between no ink and full ink.
const LEVEL: f32 = 0.5;
/// How far a simplified outline may stray, in pixels.
const TOLERANCE: f32 = 0.12;
/// Outlines that enclose less, in square pixels, are noise.
const LEAST_AREA: f32 = 0.4;

/// Closed outlines of the ink, in its coordinates; holes run the other way round.
pub(super) fn outlines(ink: &Ink, most_points: usize) -> Vec<Vec<[f32; 2]>> {
    let contours = contours(ink);
    let mut tolerance = TOLERANCE;
    loop {
        let simple: Vec<Vec<[f32; 2]>> = contours
            .iter()
            .map(|c| simplify(c, tolerance))
            .filter(|c| c.len() >= 3 && area(c).abs() >= LEAST_AREA)
            .collect();
        if simple.iter().map(Vec::len).sum::<usize>() <= most_points || tolerance > 8.0 {
            return simple;
        }
        // Coarser and coarser until it fits: forms with many points are blurred or noise.
        tolerance *= 1.5;
    }
}

/// Twice a crossing's cell, so that crossings are whole numbers: `(2x + 1, 2y)` lies between the
/// samples `(x, y)` and `(x + 1, y)`.
type Crossing = (isize, isize);

fn contours(ink: &Ink) -> Vec<Vec<[f32; 2]>> {
    // Every crossing is left once and entered once, so following them always comes back; ordered,
    // so that the outlines come out in the same order every time.
    let mut next = std::collections::BTreeMap::new();
    for y in -1..ink.height as isize {
        for x in -1..ink.width as isize {
            for (from, to) in cell(ink, x, y) {
                next.insert(from, to);
            }
        }
    }
    let mut contours = Vec::new();
    while let Some((start, mut at)) = next.pop_first() {
        let mut contour = vec![place(ink, start)];
        while at != start {
            contour.push(place(ink, at));
            let Some(after) = next.remove(&at) else { break };
            at = after;
        }
        contours.push(contour);
    }
    contours
}

fn sample(ink: &Ink, x: isize, y: isize) -> f32 {
    if x < 0 || y < 0 || x >= ink.width as isize || y >= ink.height as isize {
        return 0.0;
    }
    ink.cover[y as usize * ink.width + x as usize]
}

/// The one or two pieces of outline in the cell whose left top sample is `(x, y)`, ink to the left.
fn cell(ink: &Ink, x: isize, y: isize) -> Vec<(Crossing, Crossing)> {
    let [here, east, south_east, south] =
        [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| sample(ink, x + dx, y + dy) >= LEVEL);
    let (top, right) = ((2 * x + 1, 2 * y), (2 * x + 2, 2 * y + 1));
    let (bottom, left) = ((2 * x + 1, 2 * y + 2), (2 * x, 2 * y + 1));
    match (here, east, south_east, south) {
        (false, false, false, false) | (true, true, true, true) => vec![],
        (true, false, false, false) => vec![(top, left)],
        (false, true, false, false) => vec![(right, top)],
        (false, false, true, false) => vec![(bottom, right)],
        (false, false, false, true) => vec![(left, bottom)],
        (true, true, false, false) => vec![(right, left)],
        (false, true, true, false) => vec![(bottom, top)],
        (false, false, true, true) => vec![(left, right)],
        (true, false, false, true) => vec![(top, bottom)],
        (true, true, true, false) => vec![(bottom, left)],
        (true, true, false, true) => vec![(right, bottom)],
        (true, false, true, true) => vec![(top, right)],
        (false, true, true, true) => vec![(left, top)],
        // Two samples across: they are parted and not joined, here and below.
        (true, false, true, false) => vec![(top, left), (bottom, right)],
        (false, true, false, true) => vec![(right, top), (left, bottom)],
    }
}

/// Where a crossing is, the middle of the first pixel at (0.5, 0.5).
fn place(ink: &Ink, (cx, cy): Crossing) -> [f32; 2] {
    let (x, y) = (cx.div_euclid(2), cy.div_euclid(2));
    let (dx, dy) = (cx.rem_euclid(2), cy.rem_euclid(2));
    // Linear between the two samples: soft edges say where within the pixel the outline is.
    let (a, b) = (sample(ink, x, y), sample(ink, x + dx, y + dy));
    let t = if a == b { 0.5 } else { ((LEVEL - a) / (b - a)).clamp(0.0, 1.0) };
    [x as f32 + 0.5 + t * dx as f32, y as f32 + 0.5 + t * dy as f32]
}

/// Twice the enclosed area would be the cross sum; this is the area, signed by direction.
fn area(contour: &[[f32; 2]]) -> f32 {
    let pairs = contour.iter().zip(contour.iter().cycle().skip(1));
    pairs.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>() / 2.0
}

/// A closed contour with as few points as stay within `tolerance` of all.
fn simplify(contour: &[[f32; 2]], tolerance: f32) -> Vec<[f32; 2]> {
    let Some(first) = contour.first() else { return Vec::new() };
    // The algorithm is of open lines: a closed one is cut at its first point and at the one
    // furthest from that, which both are kept.
    let far: Vec<f32> =
        contour.iter().map(|p| (p[0] - first[0]).powi(2) + (p[1] - first[1]).powi(2)).collect();
    let split = (0..far.len()).max_by(|a, b| far[*a].total_cmp(&far[*b])).unwrap_or(0);
    let mut kept = open_simplify(&contour[..=split], tolerance);
    kept.pop();
    let back: Vec<[f32; 2]> = contour[split..].iter().copied().chain([*first]).collect();
    kept.extend(open_simplify(&back, tolerance));
    kept.pop();
    kept
}

fn open_simplify(points: &[[f32; 2]], tolerance: f32) -> Vec<[f32; 2]> {
    let mut keep = vec![false; points.len()];
    let mut spans = vec![(0, points.len().saturating_sub(1))];
    while let Some((from, to)) = spans.pop() {
        for end in [from, to] {
            if let Some(k) = keep.get_mut(end) {
                *k = true;
            }
        }
        let worst = (from + 1..to)
            .map(|i| (i, distance_to_segment(points[i], points[from], points[to])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((worst, _)) = worst.filter(|(_, off)| *off > tolerance) {
            spans.push((from, worst));
            spans.push((worst, to));
        }
    }
    points.iter().zip(keep).filter(|(_, k)| *k).map(|(p, _)| *p).collect()
}

fn distance_to_segment(p: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx * dx + dy * dy;
    let t = if length == 0.0 { 0.0 } else { ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length };
    let t = t.clamp(0.0, 1.0);
    (p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(width: usize, height: usize, inked: impl Fn(usize, usize) -> bool) -> Ink {
        let inked = (0..width * height).map(|i| inked(i % width, i / width));
        Ink { width, height, cover: inked.map(|it| if it { 1.0 } else { 0.0 }).collect() }
    }

    #[test]
    fn a_square_has_one_outline_of_its_area() {
        let found = outlines(&ink(10, 10, |x, y| (2..8).contains(&x) && (2..8).contains(&y)), 100);
        assert_eq!(found.len(), 1);
        assert!((area(&found[0]).abs() - 36.0).abs() < 1.0, "{found:?}");
        assert!(found[0].len() <= 8);
    }

    #[test]
    fn a_ring_has_an_outline_and_a_hole_that_runs_the_other_way() {
        let ring = |x: usize, y: usize| {
            let r = (x as f32 - 10.0).hypot(y as f32 - 10.0);
            (4.0..9.0).contains(&r)
        };
        let found = outlines(&ink(21, 21, ring), 200);
        assert_eq!(found.len(), 2);
        assert!(area(&found[0]) * area(&found[1]) < 0.0);
    }

    #[test]
    fn the_number_of_points_is_bounded() {
        let noise = ink(60, 60, |x, y| (x * 7919 + y * 104_729) % 13 < 6);
        assert!(outlines(&noise, 80).iter().map(Vec::len).sum::<usize>() <= 80);
    }
}

//! Which ideal form a filled region has: a box with round corners, or an ellipse.

use super::draft::Shape;
use super::mask::Mask;

/// Share of a square that a quarter circle in it leaves free.
const CORNER_SHARE: f64 = 1.0 - std::f64::consts::FRAC_PI_4;
/// Below this radius a corner is square.
const LEAST_RADIUS: f64 = 1.2;

/// The best form for `filled`, if it coincides with at least `least_overlap` of what `counts`.
pub(super) fn shape_of(
    filled: &Mask,
    least_overlap: f64,
    counts: impl Fn(usize, usize) -> bool,
) -> Option<Shape> {
    let radii = radii_of(filled);
    let shapes = [Shape::Box(radii.map(|r| r as f32)), Shape::Ellipse];
    let scores = shapes.map(|shape| (overlap(filled, &counts, &shape), shape));
    let [as_box, as_ellipse] = scores;
    // A disc is also a box with the largest corners; it is called a disc when its box is square.
    let (w, h) = (filled.area.width() as f64, filled.area.height() as f64);
    let squarish = (w - h).abs() <= 0.08 * w.max(h) + 1.0;
    let best = if as_ellipse.0 >= as_box.0 - if squarish { 0.02 } else { -0.01 } {
        as_ellipse
    } else {
        as_box
    };
    (best.0 >= least_overlap).then_some(best.1)
}

/// Radii of the corners, left top, right top, right bottom, left bottom, from how many pixels each
/// corner lacks. Corners that differ by little are one.
fn radii_of(filled: &Mask) -> [f64; 4] {
    let a = filled.area;
    // No corner reaches beyond the middle, where the next one begins.
    let side = a.width().div_ceil(2).min(a.height().div_ceil(2));
    let corners = [(false, false), (true, false), (true, true), (false, true)];
    even_out(corners.map(|(right, low)| {
        let (mut lacking, mut depth) = (0usize, 0usize);
        for j in 0..side {
            let y = if low { a.y1 - 1 - j } else { a.y0 + j };
            // Only the run that starts in the corner: further gaps are something else.
            let run = (0..side)
                .take_while(|i| {
                    let x = if right { a.x1 - 1 - i } else { a.x0 + i };
                    !filled.has(x, y)
                })
                .count();
            if run == 0 {
                break;
            }
            lacking += run;
            depth = j + 1;
        }
        // A quarter circle leaves r² (1 − π/4) of its square free. From the area and not from the
        // depth: a pixel more or less hardly changes it.
        let radius = (lacking as f64 / CORNER_SHARE).sqrt();
        // A quarter circle is as deep as it is wide; anything else is not a corner.
        if radius < LEAST_RADIUS || depth == 0 { 0.0 } else { radius.min(side as f64) }
    }))
}

fn even_out(found: [f64; 4]) -> [f64; 4] {
    let mean = found.iter().sum::<f64>() / 4.0;
    if found.iter().all(|r| (r - mean).abs() <= 1.0 + 0.15 * mean) {
        // Corners were drawn alike by whoever made the screen; what differs by a pixel is noise.
        let even = if mean < LEAST_RADIUS { 0.0 } else { mean };
        return [even; 4];
    }
    found
}

/// How much of the region and its ideal coincide, over what counts.
fn overlap(filled: &Mask, counts: &impl Fn(usize, usize) -> bool, shape: &Shape) -> f64 {
    let (mut both, mut either) = (0usize, 0usize);
    for (x, y) in filled.area.pixels() {
        if !counts(x, y) {
            continue;
        }
        let (has, ideal) = (filled.has(x, y), inside(filled, shape, x, y));
        both += usize::from(has && ideal);
        either += usize::from(has || ideal);
    }
    both as f64 / either.max(1) as f64
}

/// Whether the middle of a pixel is inside the ideal form.
fn inside(filled: &Mask, shape: &Shape, x: usize, y: usize) -> bool {
    let a = filled.area;
    let (w, h) = (a.width() as f64, a.height() as f64);
    let (px, py) = ((x - a.x0) as f64 + 0.5, (y - a.y0) as f64 + 0.5);
    let Shape::Box(radii) = shape else {
        let (u, v) = (px / w * 2.0 - 1.0, py / h * 2.0 - 1.0);
        return u * u + v * v <= 1.0;
    };
    let corner = match (px > w / 2.0, py > h / 2.0) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    };
    let radius = f64::from(radii[corner]);
    let (dx, dy) = (radius - px.min(w - px), radius - py.min(h - py));
    dx <= 0.0 || dy <= 0.0 || dx * dx + dy * dy <= radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::tracer::area::Area;

    fn ideal(w: usize, h: usize, shape: &Shape) -> Mask {
        let area = Area::new(0, 0, w, h);
        let all = Mask::of(area, |_, _| true);
        Mask::of(area, |x, y| inside(&all, shape, x, y))
    }

    #[test]
    fn radii_of_round_corners_are_found() {
        for radius in [0.0f32, 4.0, 8.0, 15.0] {
            let mask = ideal(60, 40, &Shape::Box([radius; 4]));
            let Some(Shape::Box(found)) = shape_of(&mask, 0.9, |_, _| true) else {
                panic!("a box of radius {radius}")
            };
            assert!(found.iter().all(|r| (r - radius).abs() < 1.0), "{radius}: {found:?}");
        }
    }

    #[test]
    fn a_disc_is_an_ellipse_and_a_triangle_is_neither() {
        assert_eq!(
            shape_of(&ideal(30, 30, &Shape::Ellipse), 0.9, |_, _| true),
            Some(Shape::Ellipse)
        );
        let triangle = Mask::of(Area::new(0, 0, 30, 30), |x, y| x <= y);
        assert_eq!(shape_of(&triangle, 0.9, |_, _| true), None);
    }
}

//! What a picture must look like after it was moved, mirrored, cut or turned.

use crate::base::Pixels;

use super::{Axis, Region};

/// A picture whose pixels are told one by one; `None` if it has no area or too much.
fn picture_of(
    width: u32,
    height: u32,
    pixel: impl Fn(u32, u32) -> Option<[u8; 4]>,
) -> Option<Pixels> {
    // An area over the limit must not be allocated; its size is refused by this.
    let mut picture = Pixels::filled(width, height, [0; 4]).ok()?;
    let mut row = Vec::with_capacity(width as usize * 4);
    for y in 0..height {
        row.clear();
        row.extend((0..width).flat_map(|x| pixel(x, y).unwrap_or_default()));
        picture.put(0, y, width, &row);
    }
    Some(picture)
}

/// Mirrored.
pub(super) fn flipped(picture: &Pixels, axis: Axis) -> Option<Pixels> {
    let (width, height) = (picture.width(), picture.height());
    picture_of(width, height, |x, y| match axis {
        Axis::Horizontal => picture.get(width - 1 - x, y),
        Axis::Vertical => picture.get(x, height - 1 - y),
    })
}

/// A part of it.
pub(super) fn cropped(picture: &Pixels, region: Region) -> Option<Pixels> {
    // Asked first, as the sums below would overflow for a region read from a file.
    if !region.is_inside(picture) {
        return None;
    }
    picture_of(region.width, region.height, |x, y| picture.get(region.x + x, region.y + y))
}

/// Every channel but the alpha as its complement.
pub(super) fn inverted(picture: &Pixels) -> Option<Pixels> {
    picture_of(picture.width(), picture.height(), |x, y| {
        picture.get(x, y).map(|[r, g, b, a]| [255 - r, 255 - g, 255 - b, a])
    })
}

/// Turned clockwise by this many quarters, 0..=3.
pub(super) fn quarter_turned(picture: &Pixels, quarters: u32) -> Option<Pixels> {
    let (width, height) = (picture.width(), picture.height());
    match quarters {
        0 => Some(picture.clone()),
        1 => picture_of(height, width, |x, y| picture.get(y, height - 1 - x)),
        2 => picture_of(width, height, |x, y| picture.get(width - 1 - x, height - 1 - y)),
        _ => picture_of(height, width, |x, y| picture.get(width - 1 - y, x)),
    }
}

/// How many quarters clockwise an angle is, 0..=3, if it is whole quarters.
pub(super) fn quarters(degrees: f64) -> Option<u32> {
    let turn = degrees.rem_euclid(360.0) / 90.0;
    let whole = turn.round();
    ((turn - whole).abs() < 1e-9).then_some(whole as u32 % 4)
}

/// A picture turned clockwise about its centre, on a canvas of any size with the same centre.
pub(super) struct Turned<'a> {
    picture: &'a Pixels,
    canvas: (u32, u32),
    sin: f64,
    cos: f64,
}

impl<'a> Turned<'a> {
    /// Turned by `degrees`, on a canvas of this width and height.
    pub(super) fn new(picture: &'a Pixels, degrees: f64, canvas: (u32, u32)) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Self { picture, canvas, sin, cos }
    }

    /// Where a point of the canvas lies in the picture, both in pixels with (0, 0) at the middle of
    /// the first one.
    fn source(&self, x: f64, y: f64) -> (f64, f64) {
        let (x, y) = (x - centre(self.canvas.0), y - centre(self.canvas.1));
        // Turned back: the inverse of a clockwise turn where y points down.
        (
            x * self.cos + y * self.sin + centre(self.picture.width()),
            y * self.cos - x * self.sin + centre(self.picture.height()),
        )
    }

    /// Whether everything within 3 pixels of a pixel of the canvas shows the picture.
    pub(super) fn is_covered(&self, x: u32, y: u32) -> bool {
        let (right, bottom) = (f64::from(self.picture.width()), f64::from(self.picture.height()));
        // The picture is convex, so that corners speak for what is between them.
        [(-3.0, -3.0), (3.0, -3.0), (-3.0, 3.0), (3.0, 3.0)].iter().all(|(dx, dy)| {
            let (x, y) = self.source(f64::from(x) + dx, f64::from(y) + dy);
            x >= 0.0 && y >= 0.0 && x <= right - 1.0 && y <= bottom - 1.0
        })
    }

    /// The turned picture, with what it does not cover taken from `around`.
    pub(super) fn over(&self, around: &Pixels) -> Option<Pixels> {
        let (width, height) = self.canvas;
        picture_of(width, height, |x, y| {
            let (from_x, from_y) = self.source(f64::from(x), f64::from(y));
            self.sample(from_x, from_y).or_else(|| around.get(x, y))
        })
    }

    /// The colour between four pixels.
    fn sample(&self, x: f64, y: f64) -> Option<[u8; 4]> {
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (left, top) = (x as u32, y as u32);
        let (right_share, lower_share) = (x.fract(), y.fract());
        // Exactly on a pixel there is nothing to blend with, and the next one may be outside.
        let right = if right_share > 0.0 { left + 1 } else { left };
        let below = if lower_share > 0.0 { top + 1 } else { top };
        let [a, b] = [self.picture.get(left, top)?, self.picture.get(right, top)?];
        let [c, d] = [self.picture.get(left, below)?, self.picture.get(right, below)?];
        Some(std::array::from_fn(|k| {
            let [a, b, c, d] = [a[k], b[k], c[k], d[k]].map(f64::from);
            let upper = a + (b - a) * right_share;
            let lower = c + (d - c) * right_share;
            (upper + (lower - upper) * lower_share).round() as u8
        }))
    }
}

/// The middle of a side, where 0 is the middle of its first pixel.
fn centre(side: u32) -> f64 {
    (f64::from(side) - 1.0) / 2.0
}

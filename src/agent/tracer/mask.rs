//! Sets of pixels in a box.

use super::area::Area;

/// Which pixels of a box belong to something.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    /// The box.
    pub(super) area: Area,
    bits: Vec<bool>,
}

impl Mask {
    /// The pixels of `area` for which `belongs` holds.
    pub(super) fn of(area: Area, belongs: impl Fn(usize, usize) -> bool) -> Self {
        Self { area, bits: area.pixels().map(|(x, y)| belongs(x, y)).collect() }
    }

    /// Whether a pixel, in picture coordinates, belongs; false outside the box.
    pub(super) fn has(&self, x: usize, y: usize) -> bool {
        let a = self.area;
        x >= a.x0
            && x < a.x1
            && y >= a.y0
            && y < a.y1
            && self.bits[(y - a.y0) * a.width() + x - a.x0]
    }

    /// How many pixels belong.
    pub(super) fn count(&self) -> usize {
        self.bits.iter().filter(|b| **b).count()
    }

    /// The mask with its holes filled: everything that cannot be reached from outside the box.
    pub(super) fn filled(&self) -> Self {
        let (w, h) = (self.area.width(), self.area.height());
        let mut outside = vec![false; w * h];
        let mut queue: Vec<usize> = Vec::new();
        // From the rim inwards: what is reached is outside, and what is left is the form with its
        // holes.
        let border = (0..w).flat_map(|x| [x, (h - 1) * w + x]);
        let border = border.chain((0..h).flat_map(|y| [y * w, y * w + w - 1]));
        for at in border {
            reach(at, &self.bits, &mut outside, &mut queue);
        }
        while let Some(at) = queue.pop() {
            let (x, y) = (at % w, at / w);
            // Four neighbours, as a diagonal chain of the form's pixels, which is connected, must
            // hold.
            if x > 0 {
                reach(at - 1, &self.bits, &mut outside, &mut queue);
            }
            if x + 1 < w {
                reach(at + 1, &self.bits, &mut outside, &mut queue);
            }
            if y > 0 {
                reach(at - w, &self.bits, &mut outside, &mut queue);
            }
            if y + 1 < h {
                reach(at + w, &self.bits, &mut outside, &mut queue);
            }
        }
        Self { area: self.area, bits: outside.into_iter().map(|o| !o).collect() }
    }
}

fn reach(at: usize, bits: &[bool], outside: &mut [bool], queue: &mut Vec<usize>) {
    if !bits[at] && !outside[at] {
        outside[at] = true;
        queue.push(at);
    }
}

/// The 8-connected parts of a picture-wide set, each with its box and pixels, in the order of
/// their first pixel.
pub(super) fn connected_parts(
    area: Area,
    belongs: impl Fn(usize, usize) -> bool,
) -> Vec<ConnectedComponent> {
    let mut left = Mask::of(area, belongs);
    let mut parts = Vec::new();
    for (x, y) in area.pixels() {
        if left.has(x, y) {
            parts.push(take_part(&mut left, x, y));
        }
    }
    parts
}

/// A connected set of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConnectedComponent {
    /// The box around them.
    pub(super) bounds: Area,
    /// The pixels, in no meaningful but a stable order.
    pub(super) pixels: Vec<(usize, usize)>,
}

fn take_part(left: &mut Mask, x: usize, y: usize) -> ConnectedComponent {
    let area = left.area;
    let mut part = ConnectedComponent { bounds: Area::pixel(x, y), pixels: Vec::new() };
    let mut queue = vec![(x, y)];
    left.bits[(y - area.y0) * area.width() + x - area.x0] = false;
    while let Some((x, y)) = queue.pop() {
        part.bounds = part.bounds.union(Area::pixel(x, y));
        part.pixels.push((x, y));
        let around =
            Area::new(x.saturating_sub(1), y.saturating_sub(1), x + 2, y + 2).intersection(area);
        for (nx, ny) in around.pixels() {
            let bit = &mut left.bits[(ny - area.y0) * area.width() + nx - area.x0];
            // Taken when it is queued and not when it is looked at: each pixel comes once.
            if std::mem::take(bit) {
                queue.push((nx, ny));
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_fills_to_a_disc_but_a_bay_stays_open() {
        let ring =
            |x: usize, y: usize| (1..6).contains(&x) && (1..6).contains(&y) && !(x == 3 && y == 3);
        let mask = Mask::of(Area::new(0, 0, 7, 7), ring);
        assert_eq!((mask.count(), mask.filled().count()), (24, 25));
        let bay = Mask::of(Area::new(0, 0, 7, 7), |x, y| ring(x, y) && !(x == 3 && y < 3));
        assert_eq!(bay.filled().count(), bay.count());
    }

    #[test]
    fn parts_that_touch_at_a_corner_are_one() {
        let parts = connected_parts(Area::new(0, 0, 5, 5), |x, y| x == y && x != 2 || x == 4);
        assert_eq!(parts.iter().map(|p| p.pixels.len()).collect::<Vec<_>>(), [2, 6]);
    }
}

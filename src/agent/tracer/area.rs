//! A box of whole pixels.

/// Pixels `x0..x1` by `y0..y1` of a picture; empty when an end does not exceed its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Area {
    pub(super) x0: usize,
    pub(super) y0: usize,
    pub(super) x1: usize,
    pub(super) y1: usize,
}

impl Area {
    /// From its ends.
    pub(super) const fn new(x0: usize, y0: usize, x1: usize, y1: usize) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// The box of one pixel.
    pub(super) const fn pixel(x: usize, y: usize) -> Self {
        Self::new(x, y, x + 1, y + 1)
    }

    /// Pixels across.
    pub(super) const fn width(self) -> usize {
        self.x1.saturating_sub(self.x0)
    }

    /// Pixels down.
    pub(super) const fn height(self) -> usize {
        self.y1.saturating_sub(self.y0)
    }

    /// Pixels in all.
    pub(super) const fn count(self) -> usize {
        self.width() * self.height()
    }

    /// The smallest box holding both.
    pub(super) fn union(self, other: Self) -> Self {
        Self::new(
            self.x0.min(other.x0),
            self.y0.min(other.y0),
            self.x1.max(other.x1),
            self.y1.max(other.y1),
        )
    }

    /// The common part; empty if there is none.
    pub(super) fn intersection(self, other: Self) -> Self {
        let (x0, y0) = (self.x0.max(other.x0), self.y0.max(other.y0));
        // An end before its start is moved there: empty, and still a place.
        Self::new(x0, y0, self.x1.min(other.x1).max(x0), self.y1.min(other.y1).max(y0))
    }

    /// Whether all of `other` is inside.
    pub(super) const fn holds(self, other: Self) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && self.x1 >= other.x1 && self.y1 >= other.y1
    }

    /// Grown by `by` on each side, kept within a picture of `width` × `height`.
    pub(super) fn grow(self, by: usize, width: usize, height: usize) -> Self {
        Self::new(
            self.x0.saturating_sub(by),
            self.y0.saturating_sub(by),
            (self.x1 + by).min(width),
            (self.y1 + by).min(height),
        )
    }

    /// Empty pixels between the two along x, negative where they overlap.
    pub(super) fn gap_x(self, other: Self) -> isize {
        self.x0.max(other.x0) as isize - self.x1.min(other.x1) as isize
    }

    /// Empty pixels between the two along y, negative where they overlap.
    pub(super) fn gap_y(self, other: Self) -> isize {
        self.y0.max(other.y0) as isize - self.y1.min(other.y1) as isize
    }

    /// Every pixel, row by row.
    pub(super) fn pixels(self) -> impl Iterator<Item = (usize, usize)> {
        (self.y0..self.y1).flat_map(move |y| (self.x0..self.x1).map(move |x| (x, y)))
    }
}

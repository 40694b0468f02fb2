//! OpenCV's linear resize: two neighbours a direction, no antialiasing.

use std::sync::Arc;

use crate::metric::ScalarMap;

/// The two samples that make one output sample.
#[derive(Clone, Copy)]
pub(super) struct Taps {
    /// The nearer to the start.
    pub(super) first: usize,
    /// The one after it, or the same at the end of the line.
    pub(super) second: usize,
    /// The share of the second, 0..=1.
    pub(super) share: f64,
}

impl Taps {
    /// The taps of each of `to` samples of a line that has `from`, both at least 1.
    pub(super) fn of_line(from: usize, to: usize) -> Vec<Self> {
        let scale = from as f64 / to as f64;
        // Half a sample in, as OpenCV aligns the middles of pixels and not their corners.
        (0..to).map(|at| Self::around((at as f64 + 0.5) * scale - 0.5, from)).collect()
    }

    fn around(position: f64, len: usize) -> Self {
        let first = position.max(0.0) as usize;
        // Beyond the middle of the last pixel there is nothing to blend with: the edge is repeated.
        if position < 0.0 || first + 1 >= len {
            let first = first.min(len - 1);
            return Self { first, second: first, share: 0.0 };
        }
        Self { first, second: first + 1, share: position - first as f64 }
    }
}

/// A map at another size; `None` if a side is 0 or the map has not the values its size needs.
///
/// Source: OpenCV, `resize` with `INTER_LINEAR` on 32-bit floats.
pub(super) fn resize(map: &ScalarMap, width: u32, height: u32) -> Option<ScalarMap> {
    let (from_width, from_height) = (map.width as usize, map.height as usize);
    let (to_width, to_height) = (width as usize, height as usize);
    let is_whole = from_width.checked_mul(from_height) == Some(map.values.len());
    if !is_whole || map.values.is_empty() || width == 0 || height == 0 {
        return None;
    }
    if (map.width, map.height) == (width, height) {
        return Some(map.clone());
    }
    let across = Taps::of_line(from_width, to_width);
    // Made as the shared slice it will be, so that a large map is not copied.
    let mut values: Arc<[f32]> = std::iter::repeat_n(0.0, to_width * to_height).collect();
    let rows = Arc::make_mut(&mut values).chunks_exact_mut(to_width);
    let mut lines = StretchedRows::new(map, &across);
    for (out, taps) in rows.zip(Taps::of_line(from_height, to_height)) {
        let (one, other) = lines.pair(taps.first, taps.second);
        blend(out, one, other, taps.share as f32);
    }
    Some(ScalarMap { width, height, values })
}

fn blend(out: &mut [f32], one: &[f32], other: &[f32], share: f32) {
    for (value, (one, other)) in out.iter_mut().zip(one.iter().zip(other)) {
        *value = one * (1.0 - share) + other * share;
    }
}

/// The last two rows that were resized across: the next output row mostly needs the same ones.
struct StretchedRows<'a> {
    map: &'a ScalarMap,
    across: &'a [Taps],
    kept: [(Option<usize>, Vec<f32>); 2],
}

impl<'a> StretchedRows<'a> {
    fn new(map: &'a ScalarMap, across: &'a [Taps]) -> Self {
        Self { map, across, kept: [(); 2].map(|()| (None, vec![0.0; across.len()])) }
    }

    /// Two rows across; they are the same one or follow each other.
    fn pair(&mut self, first: usize, second: usize) -> (&[f32], &[f32]) {
        // A row stands in the slot of its parity, so that neighbours never push each other out.
        self.stretch(first);
        self.stretch(second);
        (&self.kept[first % 2].1, &self.kept[second % 2].1)
    }

    fn stretch(&mut self, row: usize) {
        let (kept, line) = &mut self.kept[row % 2];
        if *kept == Some(row) {
            return;
        }
        let width = self.map.width as usize;
        let samples = &self.map.values[row * width..(row + 1) * width];
        for (out, taps) in line.iter_mut().zip(self.across) {
            // OpenCV's weights are 32-bit floats, and the two passes round in between.
            let share = taps.share as f32;
            *out = samples[taps.first] * (1.0 - share) + samples[taps.second] * share;
        }
        *kept = Some(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: u32, height: u32, values: &[f32]) -> ScalarMap {
        ScalarMap { width, height, values: values.into() }
    }

    /// Computed by OpenCV.
    #[test]
    fn a_small_map_comes_out_as_opencv_makes_it() {
        let found = resize(&map(2, 2, &[0.0, 4.0, 8.0, 20.0]), 4, 2).unwrap();
        assert_eq!(*found.values, [0.0, 1.0, 3.0, 4.0, 8.0, 11.0, 17.0, 20.0]);
        let found = resize(&map(4, 1, &[0.0, 1.0, 5.0, 9.0]), 2, 3).unwrap();
        assert_eq!(*found.values, [0.5, 7.0, 0.5, 7.0, 0.5, 7.0]);
    }

    #[test]
    fn a_map_without_area_or_values_is_refused() {
        assert!(resize(&map(0, 0, &[]), 2, 2).is_none());
        assert!(resize(&map(2, 2, &[1.0]), 2, 2).is_none());
        assert!(resize(&map(1, 1, &[1.0]), 0, 2).is_none());
    }
}

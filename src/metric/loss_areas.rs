//! Where on a map the loss is: its areas, largest first.

use crate::base::Rect;

/// Cells a side that a map is looked at in: areas are what people see as one, not single pixels.
const CELLS: usize = 160;
/// Cells that may lie between two parts of one area.
const GAP: usize = 1;
/// Most areas that [`loss_areas`] tells apart.
pub const MOST_LOSS_AREAS: usize = 64;

/// An area of a map that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct LossArea {
    /// Where, in pixels of the map.
    pub area: Rect,
    /// How much of all difference of the map lies in it, 0 ..= 1.
    pub share: f64,
}

/// The connected areas of a map in which something differs by at least `threshold`, those with the most
/// difference first; at most [`MOST_LOSS_AREAS`].
///
/// `differences`: 0 the same ..= 1, rows of `width` values from the top. What does not reach the threshold
/// is part of the whole that shares are told of, and of no area. A map without rows or without any
/// difference has none.
pub fn loss_areas(differences: &[f32], width: usize, threshold: f32) -> Vec<LossArea> {
    if width == 0 || differences.len() < width {
        return Vec::new();
    }
    let height = differences.len() / width;
    // On a grid of at most `CELLS` cells a side, so that joining cells takes as long for a large picture as for a
    // small one.
    let side = width.max(height).div_ceil(CELLS);
    let columns = width.div_ceil(side);
    let mut grid = DifferenceGrid::new(columns, height.div_ceil(side));
    let mut total = 0.0;
    for (y, row) in differences.chunks_exact(width).enumerate() {
        for (x, difference) in row.iter().enumerate() {
            // A single NaN would make every share one.
            let difference = if difference.is_nan() { 0.0 } else { *difference };
            total += f64::from(difference);
            if difference >= threshold && difference > 0.0 {
                grid.add([x, y], side, f64::from(difference));
            }
        }
    }
    let mut areas: Vec<LossArea> = grid
        .areas()
        .into_iter()
        .map(|cell| LossArea { area: cell.area(), share: cell.sum / total })
        .collect();
    areas.sort_by(|one, other| other.share.total_cmp(&one.share));
    areas.truncate(MOST_LOSS_AREAS);
    areas
}

/// What differs, by cells.
struct DifferenceGrid {
    columns: usize,
    rows: usize,
    cells: Vec<Option<DifferenceCell>>,
}

/// What differs in a cell or in several: how much, and from where to where, in pixels.
#[derive(Clone, Copy)]
struct DifferenceCell {
    sum: f64,
    least: [usize; 2],
    most: [usize; 2],
}

impl DifferenceGrid {
    fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![None; columns * rows] }
    }

    fn add(&mut self, pixel: [usize; 2], side: usize, difference: f64) {
        let at = pixel[1] / side * self.columns + pixel[0] / side;
        let one = DifferenceCell { sum: difference, least: pixel, most: pixel };
        let cell = &mut self.cells[at];
        *cell = Some(cell.map_or(one, |cell| cell.with(one)));
    }

    /// Cells that touch, or lie no farther apart than the gap, as one.
    fn areas(mut self) -> Vec<DifferenceCell> {
        let mut areas = Vec::new();
        let mut open = Vec::new();
        for start in 0..self.cells.len() {
            let Some(mut area) = self.cells[start].take() else { continue };
            open.push(start);
            while let Some(at) = open.pop() {
                let (column, row) = (at % self.columns, at / self.columns);
                let reach = GAP + 1;
                for y in row.saturating_sub(reach)..=(row + reach).min(self.rows - 1) {
                    for x in column.saturating_sub(reach)..=(column + reach).min(self.columns - 1) {
                        let next = y * self.columns + x;
                        if let Some(cell) = self.cells[next].take() {
                            area = area.with(cell);
                            open.push(next);
                        }
                    }
                }
            }
            areas.push(area);
        }
        areas
    }
}

impl DifferenceCell {
    fn with(self, other: Self) -> Self {
        Self {
            sum: self.sum + other.sum,
            least: [0, 1].map(|axis| self.least[axis].min(other.least[axis])),
            most: [0, 1].map(|axis| self.most[axis].max(other.most[axis])),
        }
    }

    fn area(self) -> Rect {
        let [x, y] = self.least.map(|at| at as f64);
        let [right, bottom] = self.most.map(|at| at as f64 + 1.0);
        Rect::new(x, y, right - x, bottom - y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with boxes of one difference each.
    fn map(width: usize, height: usize, boxes: &[([usize; 4], f32)]) -> Vec<f32> {
        let mut values = vec![0.0; width * height];
        for ([left, top, across, down], difference) in boxes {
            for y in *top..top + down {
                values[y * width + left..y * width + left + across].fill(*difference);
            }
        }
        values
    }

    #[test]
    fn the_larger_of_two_areas_is_first_and_each_is_where_it_is() {
        let boxes = [([10, 20, 30, 10], 0.5), ([100, 150, 40, 40], 1.0)];
        let areas = loss_areas(&map(200, 300, &boxes), 200, 0.2);
        let [large, small] = &areas[..] else { panic!("{areas:?}") };
        assert_eq!(large.area, Rect::new(100.0, 150.0, 40.0, 40.0));
        assert_eq!(small.area, Rect::new(10.0, 20.0, 30.0, 10.0));
        assert!((large.share - 1600.0 / 1750.0).abs() < 1e-9);
        assert!((large.share + small.share - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_below_the_threshold_is_in_no_area_but_in_the_whole() {
        let boxes = [([0, 0, 100, 10], 0.1), ([0, 60, 100, 10], 0.9)];
        let areas = loss_areas(&map(100, 100, &boxes), 100, 0.5);
        assert_eq!(areas.len(), 1);
        assert!((areas[0].share - 0.9).abs() < 1e-6);
    }

    #[test]
    fn letters_of_a_word_are_one_area_and_two_words_are_two() {
        let letters = [0, 3, 6, 9].map(|x| ([x, 5, 2, 8], 1.0));
        let far = [([60, 5, 2, 8], 1.0)];
        let areas = loss_areas(&map(120, 40, &[&letters[..], &far].concat()), 120, 0.5);
        assert_eq!(areas.len(), 2, "{areas:?}");
        assert_eq!(areas[0].area, Rect::new(0.0, 5.0, 11.0, 8.0));
    }

    #[test]
    fn nothing_differs_in_nothing() {
        assert!(loss_areas(&[], 0, 0.1).is_empty());
        assert!(loss_areas(&[0.0; 12], 4, 0.0).is_empty());
        assert!(loss_areas(&[f32::NAN; 12], 4, 0.0).is_empty());
        let many: Vec<_> =
            (0..20).flat_map(|y| (0..20).map(move |x| [x * 50, y * 50, 4, 4])).collect();
        let boxes: Vec<_> = many.into_iter().map(|it| (it, 1.0)).collect();
        assert_eq!(loss_areas(&map(1000, 1000, &boxes), 1000, 0.5).len(), MOST_LOSS_AREAS);
    }

    #[test]
    fn areas_together_hold_all_that_reaches_the_threshold() {
        // A generator that gives the same everywhere (xorshift).
        let mut noise = 7u32;
        let values: Vec<f32> = (0..97 * 61)
            .map(|_| {
                noise ^= noise << 13;
                noise ^= noise >> 17;
                noise ^= noise << 5;
                if noise.is_multiple_of(211) { (noise >> 8) as f32 / (1 << 24) as f32 } else { 0.0 }
            })
            .collect();
        let total: f64 = values.iter().map(|it| f64::from(*it)).sum();
        let high: f64 = values.iter().filter(|it| **it >= 0.4).map(|it| f64::from(*it)).sum();
        let areas = loss_areas(&values, 97, 0.4);
        assert!(areas.len() < MOST_LOSS_AREAS);
        let shares: f64 = areas.iter().map(|area| area.share).sum();
        assert!((shares - high / total).abs() < 1e-9);
    }
}

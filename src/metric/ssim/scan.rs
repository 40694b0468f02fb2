//! The way of a window down two pictures.

use multiversion::multiversion;

use super::rows::{PictureRows, UnchangedBlocks};
use super::window::Window;
use crate::base::{CancelToken, Cancelled};

/// Local similarities that were found before.
pub(super) struct Recalled<'a> {
    /// Of all pixels, to be brought up to date.
    pub(super) values: &'a mut [f64],
    /// Where they are right already; `None`: nowhere.
    pub(super) unchanged: Option<UnchangedBlocks<'a>>,
}

/// Goes down the rows; shows each row of local similarities, the sums of three channels, to `each_row` and gives the
/// score.
pub(super) fn scan<W: Window>(
    mut pictures: [PictureRows<'_>; 2],
    cancel: &CancelToken,
    mut recalled: Option<Recalled<'_>>,
    mut each_row: impl FnMut(&[f64]),
) -> Result<f64, Cancelled> {
    let (width, height) = (pictures[0].width(), pictures[0].height());
    let mut window = W::of_width(width);
    let mut similarity = vec![0.0; width];
    // Sums by column, over the rows that count. Adding by column keeps the order of additions, and so the last bit,
    // independent of how the loop is compiled.
    let mut column_totals = vec![0.0; width];
    // The map shows every pixel, but near the edge the window sees mirrored ones: they do not count.
    let counted = W::RADIUS..height - W::RADIUS;
    for row in 0..height {
        cancel.check()?;
        let (known, similarity): (&[bool], &mut [f64]) = match &mut recalled {
            Some(Recalled { values, unchanged }) => (
                unchanged.as_mut().map_or(&[], |it| it.around(row, W::RADIUS)),
                &mut values[row * width..(row + 1) * width],
            ),
            None => (&[], &mut similarity),
        };
        similarity_of_row(&mut window, &mut pictures, row, known, similarity);
        each_row(similarity);
        if counted.contains(&row) {
            for (total, value) in column_totals.iter_mut().zip(&*similarity) {
                *total += value;
            }
        }
    }
    let inner = &column_totals[W::RADIUS..width - W::RADIUS];
    let count = inner.len() * counted.len() * 3;
    Ok(inner.iter().sum::<f64>() / count as f64)
}

/// [`Window::similarity`], compiled for levels of instructions. None fuses multiplication and addition, so that all
/// give the same bits.
#[multiversion(targets = "simd")]
fn similarity_of_row<W: Window>(
    window: &mut W,
    pictures: &mut [PictureRows<'_>; 2],
    row: usize,
    known: &[bool],
    out: &mut [f64],
) {
    window.similarity(pictures, row, known, out);
}

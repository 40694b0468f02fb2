//! What SSIM looks at around a pixel.

use super::rows::PictureRows;

/// The neighbourhood that local similarities are taken over, on its way down two pictures.
pub(super) trait Window {
    /// How far it reaches from its centre; a picture has at least `2 * RADIUS + 1` rows and columns.
    const RADIUS: usize;

    /// At the top of two pictures of this width.
    fn of_width(width: usize) -> Self;

    /// The similarity around each pixel of `row`, the sum of the three channels. Rows are taken from the top, none left
    /// out. What stands in `out` for a block ([`BLOCK`](super::rows::BLOCK)) that is `known` is right already.
    fn similarity(
        &mut self,
        pictures: &mut [PictureRows<'_>; 2],
        row: usize,
        known: &[bool],
        out: &mut [f64],
    );
}

/// The sample that stands for position `at` of a line: … 2 1 0 | 0 1 2 … | … (SciPy's `reflect`).
/// `at` is at most `len` beyond either end.
pub(super) fn mirror(at: isize, len: usize) -> usize {
    if at < 0 {
        (-1 - at) as usize
    } else {
        let at = at as usize;
        if at < len { at } else { 2 * len - 1 - at }
    }
}

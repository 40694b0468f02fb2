//! Black and white, as the adjustment of that name with its default mix.
//!
//! A colour is divided into its grey, its nearest secondary colour (yellow, cyan, magenta) and its
//! nearest primary (red, green, blue); the grey counts fully and the others by their share of the
//! mix, in percent.

use crate::base::Pixels;

use super::rows;

/// Shares of red, green and blue.
const PRIMARY: [u32; 3] = [40, 40, 20];
/// Shares of cyan, magenta and yellow: of the secondary colour that lacks red, green or blue.
const SECONDARY: [u32; 3] = [60, 80, 60];

pub(super) fn apply(pixels: &Pixels) -> Pixels {
    rows::mapped(pixels, |rgb| [grey(rgb); 3])
}

fn grey(rgb: [u8; 3]) -> u8 {
    let mut order = [0, 1, 2];
    order.sort_by_key(|channel| rgb[*channel]);
    let [least, _, most] = order;
    let [low, mid, high] = order.map(|channel| u32::from(rgb[channel]));
    // Of two equal channels either may be the least: what is multiplied by its share is 0 then.
    let parts = 100 * low + (mid - low) * SECONDARY[least] + (high - mid) * PRIMARY[most];
    ((parts + 50) / 100) as u8
}

//! Whether a text can be read on what is under it.
//!
//! The contrast ratio of WCAG 2.2 (1.4.3): at least 4.5, or 3 for texts of 18 points and more.

use crate::base::{Pixels, Rect, Rgba};

/// The least contrast of a text, and of a large one.
pub const LEAST: [f64; 2] = [4.5, 3.0];
/// Points from which on a text is large.
pub const LARGE_POINTS: f64 = 18.0;
/// Of what is under a text on a picture, this share has to be in contrast.
const READABLE: f64 = 0.75;
/// Pixels that differ less than this from the text's colour, in the sum over channels, are the text.
const SAME: u32 = 90;

/// The contrast ratio of two opaque colours, 1..=21 (WCAG 2.2, "contrast ratio").
pub fn contrast_ratio(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance of an sRGB colour, 0..=1.
fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(crate::metric::lab::linear8);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// A colour over an opaque one.
pub(super) fn over(top: Rgba, ground: [u8; 3]) -> [u8; 3] {
    let [r, g, b, _] = top.to_u8();
    let top_channels = [r, g, b];
    std::array::from_fn(|k| {
        let mixed = f64::from(top_channels[k]) * top.a + f64::from(ground[k]) * (1.0 - top.a);
        mixed.round().clamp(0.0, 255.0) as u8
    })
}

/// The contrast of a text with the pixels of the page around its letters: what at least three in four
/// of them have. `None` if nothing but the text's own colour is there.
///
/// `place` is the text's box as a share of the page, `picture` the page with the text on it.
pub fn contrast_on_picture(picture: &Pixels, place: Rect, text: [u8; 3]) -> Option<f64> {
    let mut ratios = Vec::new();
    for y in pixels(place.y, place.bottom(), picture.height()) {
        for x in pixels(place.x, place.right(), picture.width()) {
            let Some([r, g, b, _]) = picture.get(x, y) else { continue };
            let apart: u32 =
                [r, g, b].iter().zip(text).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            // The picture has the letters on it, which must not be measured against themselves.
            if apart >= SAME {
                ratios.push(contrast_ratio([r, g, b], text));
            }
        }
    }
    // The ratio that three in four pixels reach: a mean would let a bright corner speak for letters that
    // cannot be read.
    ratios.sort_by(f64::total_cmp);
    let at = (ratios.len() as f64 * (1.0 - READABLE)) as usize;
    ratios.get(at).copied()
}

/// The pixels of a side between two shares of it, at least one where it is on the page.
fn pixels(from: f64, to: f64, count: u32) -> std::ops::Range<u32> {
    let [from, to] = [from, to].map(|share| (share.clamp(0.0, 1.0) * f64::from(count)) as u32);
    from..to.max(from + 1).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_guidelines() {
        let (white, black) = ([255; 3], [0; 3]);
        assert!((contrast_ratio(white, black) - 21.0).abs() < 1e-9);
        assert_eq!(contrast_ratio(white, white), 1.0);
        // The grey that the guidelines' explanations use as the darkest that fails on white.
        assert!(contrast_ratio([119; 3], white) < 4.5 && contrast_ratio([118; 3], white) > 4.5);
        assert_eq!(over(Rgba::from_u8([255, 255, 255, 255]).with_alpha(0.0), [9, 8, 7]), [9, 8, 7]);
    }

    #[test]
    fn on_a_picture_three_in_four_pixels_around_the_letters_decide() {
        // Columns: white letters, then dark and light ground.
        fn contrast(dark: usize) -> Option<f64> {
            let mut row = vec![[255u8, 255, 255, 255]; 2];
            row.extend(vec![[20, 20, 20, 255]; dark]);
            row.extend(vec![[210, 210, 210, 255]; 10 - dark]);
            let picture = Pixels::from_rgba(12, 3, row.concat().repeat(3)).unwrap();
            let whole = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
            contrast_on_picture(&picture, whole, [255; 3])
        }
        assert!(contrast(9).unwrap() > 10.0);
        assert!(contrast(5).unwrap() < 2.0);
        let flat = Pixels::filled(4, 4, [255; 4]).unwrap();
        let place = Rect { x: 2.0, y: -1.0, width: 9.0, height: 9.0 };
        assert_eq!(contrast_on_picture(&flat, place, [255; 3]), None);
    }
}

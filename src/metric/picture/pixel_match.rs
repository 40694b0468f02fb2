//! Which pixels of two pictures differ to the eye: with anti-aliased edges and small shifts let pass, and areas left
//! out.

use crate::base::{CancelToken, Cancelled, Limits, Pixels};
use crate::metric::ScalarMap;

/// The largest difference of two colours: that of Kotsarenko and Ramos's measure over 8 bits a channel.
const LARGEST: f32 = 35_215.0;

/// What counts as the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelMatch {
    /// Colours that differ by no more than this share of the largest difference are the same, 0 ..= 1; pixelmatch's
    /// own is 0.1.
    pub threshold: f32,
    /// Whether pixels that only smooth an edge are the same.
    pub ignores_antialiasing: bool,
    /// A pixel is the same if one within so many pixels of it on the other side is, both ways; 0: the one in its place.
    pub shift: u32,
}

/// A rectangle of a picture, in its pixels: from the first corner up to and without the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// Left and top.
    pub min: [u32; 2],
    /// Right and bottom.
    pub max: [u32; 2],
}

/// Which pixels of two pictures differ.
#[derive(Clone, Debug)]
pub struct PixelDifference {
    /// How far each is apart, 0 the same ..= 1; as wide as the first picture and as high as the higher one. What lies
    /// beside one of them is as different as can be.
    pub map: ScalarMap,
    /// How many differ.
    pub differing: u64,
    /// How many differ and were let pass as anti-aliased.
    pub antialiased: u64,
    /// How many were compared: all but those that were left out.
    pub counted: u64,
}

/// Why two pictures cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PixelMatchError {
    /// A narrow, high picture has too many pixels as wide as the other one.
    #[error("as wide as the other picture it is {width} × {height} pixels, over the limit of {most} in all", most = Limits::IMAGE_PIXELS)]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u64,
    },
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl PixelDifference {
    /// The share of pixels that differ, of those that were compared; `None` if all were left out.
    pub fn share(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.differing as f64 / self.counted as f64)
    }
}

impl PixelMatch {
    /// Compares two pictures, on white where they are clear. The second is brought to the width of the first by its
    /// nearest pixels.
    ///
    /// Sources: the difference of two colours is that of Kotsarenko and Ramos, *Measuring perceived color difference
    /// using YIQ NTSC transmission color space in mobile applications*, 2010; anti-aliased pixels are told by
    /// Vyšniauskas, *Anti-aliased Pixel and Intensity Slope Detector*, 2009, as pixelmatch (mapbox/pixelmatch,
    /// `index.js`) does both.
    ///
    /// # Errors
    ///
    /// [`PixelMatchError`].
    pub fn compare(
        &self,
        first: &Pixels,
        second: &Pixels,
        ignored: &[PixelBox],
        cancel: &CancelToken,
    ) -> Result<PixelDifference, PixelMatchError> {
        let width = first.width();
        let (first, second) =
            (ComparedPixels::of(first, width)?, ComparedPixels::of(second, width)?);
        let (width, height) = (first.width, first.height.max(second.height));
        let both = first.height.min(second.height);
        let most = LARGEST * self.threshold * self.threshold;
        let mut values = vec![0.0_f32; width * height];
        let (mut differing, mut antialiased, mut counted) = (0, 0, 0);
        for y in 0..height {
            cancel.check()?;
            for x in 0..width {
                if ignored.iter().any(|area| area.contains(x, y)) {
                    continue;
                }
                counted += 1;
                if y >= both {
                    values[y * width + x] = 1.0;
                    differing += 1;
                    continue;
                }
                let delta = first.delta_within(&second, x, y, self.shift as usize, both);
                if delta <= most {
                    continue;
                }
                // In either picture: an edge that one has sharp the other may have smooth.
                let is_smooth = self.ignores_antialiasing
                    && (first.is_antialiased(&second, x, y, both)
                        || second.is_antialiased(&first, x, y, both));
                if is_smooth {
                    antialiased += 1;
                } else {
                    values[y * width + x] = (delta / LARGEST).sqrt().min(1.0);
                    differing += 1;
                }
            }
        }
        let map = ScalarMap { width: width as u32, height: height as u32, values: values.into() };
        Ok(PixelDifference { map, differing, antialiased, counted })
    }
}

impl PixelBox {
    fn contains(&self, x: usize, y: usize) -> bool {
        let [[left, top], [right, bottom]] =
            [self.min, self.max].map(|it| it.map(|at| at as usize));
        (left..right).contains(&x) && (top..bottom).contains(&y)
    }
}

/// A picture as it is compared.
struct ComparedPixels {
    width: usize,
    height: usize,
    /// Its samples, to tell what is exactly the same.
    words: Vec<[u8; 4]>,
    /// Its colours on white: brightness and the two of the hue.
    yiq: Vec<[f32; 3]>,
}

impl ComparedPixels {
    /// A picture this wide.
    fn of(pixels: &Pixels, width: u32) -> Result<Self, PixelMatchError> {
        let scale = f64::from(pixels.width()) / f64::from(width);
        let height = ((f64::from(pixels.height()) / scale).round() as usize).max(1);
        if u64::from(width) * height as u64 > Limits::IMAGE_PIXELS {
            return Err(PixelMatchError::TooLarge { width, height: height as u64 });
        }
        let last = [pixels.width() - 1, pixels.height() - 1];
        let mut words = Vec::with_capacity(width as usize * height);
        for y in 0..height {
            for x in 0..width {
                let [x, y] = [f64::from(x), y as f64].map(|at| ((at + 0.5) * scale) as u32);
                // Rounding may lead one beyond the last row.
                words.push(pixels.get(x.min(last[0]), y.min(last[1])).unwrap_or_default());
            }
        }
        let yiq = words.iter().map(|word| yiq_on_white(*word)).collect();
        Ok(Self { width: width as usize, height, words, yiq })
    }

    fn delta(&self, at: usize, other: &Self, other_at: usize) -> f32 {
        let ([y, i, q], [other_y, other_i, other_q]) = (self.yiq[at], other.yiq[other_at]);
        let (y, i, q) = (y - other_y, i - other_i, q - other_q);
        0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
    }

    /// How far the pixels at a place are apart, where either may be found so many pixels beside it in the other
    /// picture.
    fn delta_within(&self, other: &Self, x: usize, y: usize, shift: usize, height: usize) -> f32 {
        let at = y * self.width + x;
        let here = self.delta(at, other, at);
        if shift == 0 || here == 0.0 {
            return here;
        }
        let (mut least, mut least_back) = (here, here);
        for near_y in y.saturating_sub(shift)..=(y + shift).min(height - 1) {
            for near_x in x.saturating_sub(shift)..=(x + shift).min(self.width - 1) {
                let near = near_y * self.width + near_x;
                least = least.min(self.delta(at, other, near));
                least_back = least_back.min(other.delta(at, self, near));
            }
        }
        // Both ways: else a speck would be found in whatever surrounds it.
        least.max(least_back)
    }

    /// Whether a pixel lies on a slope of brightness between a darker and a brighter area, of which one is flat in both
    /// pictures.
    fn is_antialiased(&self, other: &Self, x: usize, y: usize, height: usize) -> bool {
        let at = y * self.width + x;
        let mut same = usize::from(self.is_at_edge(x, y, height));
        // The one that is the most brighter than it, and the one that is the most darker, each with by how much.
        let (mut brighter, mut darker) = ((0.0, at), (0.0, at));
        for near in self.around(x, y, height) {
            let change = self.yiq[at][0] - self.yiq[near][0];
            if change == 0.0 {
                same += 1;
                // Three of its own brightness: it is part of an area and no slope.
                if same > 2 {
                    return false;
                }
            } else if change < brighter.0 {
                brighter = (change, near);
            } else if change > darker.0 {
                darker = (change, near);
            }
        }
        if brighter.0 == 0.0 || darker.0 == 0.0 {
            return false;
        }
        [brighter.1, darker.1]
            .into_iter()
            .any(|near| self.has_many_alike(near, height) && other.has_many_alike(near, height))
    }

    /// Whether three and more of the pixels around one are exactly the same.
    fn has_many_alike(&self, at: usize, height: usize) -> bool {
        let (x, y) = (at % self.width, at / self.width);
        let alike = self.around(x, y, height).filter(|near| self.words[*near] == self.words[at]);
        usize::from(self.is_at_edge(x, y, height)) + alike.count() > 2
    }

    fn is_at_edge(&self, x: usize, y: usize, height: usize) -> bool {
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == height
    }

    /// The up to eight pixels around one, column by column as pixelmatch goes: of equally bright ones the first counts.
    fn around(&self, x: usize, y: usize, height: usize) -> impl Iterator<Item = usize> {
        let (width, at) = (self.width, y * self.width + x);
        let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
        let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
        columns
            .flat_map(move |x| rows.clone().map(move |y| y * width + x))
            .filter(move |near| *near != at)
    }
}

fn yiq_on_white([r, g, b, a]: [u8; 4]) -> [f32; 3] {
    let share = f64::from(a) / 255.0;
    let [r, g, b] = [r, g, b].map(|channel| 255.0 + (f64::from(channel) - 255.0) * share);
    // In double precision, as the published numbers have more digits than single precision holds.
    [
        r * 0.298_895_31 + g * 0.586_622_47 + b * 0.114_482_23,
        r * 0.595_977_99 - g * 0.274_176_1 - b * 0.321_801_89,
        r * 0.211_470_17 - g * 0.522_617_11 + b * 0.311_146_94,
    ]
    .map(|channel| channel as f32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EXACT: PixelMatch = PixelMatch { threshold: 0.1, ignores_antialiasing: false, shift: 0 };

    /// Rows of greys, each digit a ninth of white.
    fn picture(rows: &[&str]) -> Pixels {
        let greys = rows.iter().flat_map(|row| row.bytes().map(|digit| (digit - b'0') * 28));
        let rgba = greys.flat_map(|grey| [grey, grey, grey, 255]).collect();
        Pixels::from_rgba(rows[0].len() as u32, rows.len() as u32, rgba).unwrap()
    }

    fn compared(how: PixelMatch, first: &Pixels, second: &Pixels) -> PixelDifference {
        how.compare(first, second, &[], &CancelToken::new()).unwrap()
    }

    #[test]
    fn a_smooth_edge_beside_a_sharp_one_is_let_pass_and_a_grey_line_is_not() {
        let smooth = picture(&["0005999"; 7]);
        let sharp = picture(&["0009999"; 7]);
        let counted = compared(EXACT, &smooth, &sharp);
        assert_eq!((counted.differing, counted.antialiased, counted.counted), (7, 0, 49));
        let how = PixelMatch { ignores_antialiasing: true, ..EXACT };
        let passed = compared(how, &smooth, &sharp);
        assert_eq!((passed.differing, passed.antialiased), (0, 7));
        assert!(passed.map.values.iter().all(|value| *value == 0.0));
        // On one ground there is no slope: something was drawn there.
        let line = compared(how, &picture(&["9995999"; 7]), &picture(&["9999999"; 7]));
        assert_eq!((line.differing, line.antialiased), (7, 0));
    }

    #[test]
    fn what_moved_by_no_more_than_the_shift_is_the_same_and_a_speck_is_not() {
        let here = picture(&["99900999"; 5]);
        let there = picture(&["99990099"; 5]);
        assert_eq!(compared(EXACT, &here, &there).differing, 10);
        let within = |shift| PixelMatch { shift, ..EXACT };
        assert_eq!(compared(within(1), &here, &there).differing, 0);
        let far = picture(&["99999900"; 5]);
        assert!(compared(within(2), &here, &far).differing > 0);
        assert_eq!(compared(within(3), &here, &far).differing, 0);
        let speck = picture(&["99999", "99099", "99999"]);
        let none = picture(&["99999"; 3]);
        for shift in 0..=3 {
            assert_eq!(compared(within(shift), &speck, &none).differing, 1, "{shift}");
        }
    }

    #[test]
    fn what_is_left_out_is_neither_drawn_nor_counted_and_what_sticks_out_differs() {
        let (black, white) = (picture(&["0000"; 4]), picture(&["9999"; 4]));
        let area = PixelBox { min: [1, 0], max: [3, 2] };
        let found = EXACT.compare(&black, &white, &[area], &CancelToken::new()).unwrap();
        assert_eq!((found.differing, found.counted), (12, 12));
        assert_eq!(found.map.values[..4].iter().filter(|value| **value > 0.0).count(), 2);
        assert_eq!(found.share(), Some(1.0));
        let all = PixelBox { min: [0, 0], max: [9, 9] };
        let none = EXACT.compare(&black, &white, &[all], &CancelToken::new()).unwrap();
        assert_eq!((none.counted, none.share()), (0, None));
        let long = compared(EXACT, &picture(&["0000"; 4]), &picture(&["0000"; 6]));
        assert_eq!((long.map.height, long.differing), (6, 8));
        // Of twice the size nothing differs: it is brought to the same width.
        let large = picture(&["00009999"; 8]);
        assert_eq!(compared(EXACT, &picture(&["0099"; 4]), &large).differing, 0);
    }

    #[test]
    fn of_two_equally_bright_neighbours_that_of_the_first_column_counts() {
        // The one below at the left is part of an area, the one above at the right stands alone.
        let rows = ["1111111", "1212121", "2167912", "1985421", "2993012", "1992121", "2121212"];
        let mut others = rows;
        others[3] = "1980421";
        let how = PixelMatch { ignores_antialiasing: true, ..EXACT };
        let found = compared(how, &picture(&rows), &picture(&others));
        assert_eq!((found.differing, found.antialiased), (0, 1));
    }

    #[test]
    fn a_picture_that_would_grow_over_the_limit_is_refused() {
        let wide = Pixels::filled(10_000, 1, [255; 4]).unwrap();
        let high = Pixels::filled(1, 10_000, [255; 4]).unwrap();
        let found = EXACT.compare(&wide, &high, &[], &CancelToken::new());
        assert!(matches!(found, Err(PixelMatchError::TooLarge { height: 100_000_000, .. })));
    }

    #[test]
    fn clear_pixels_are_white() {
        let clear = Pixels::filled(3, 3, [0, 0, 0, 0]).unwrap();
        let white = Pixels::filled(3, 3, [255; 4]).unwrap();
        assert_eq!(compared(EXACT, &clear, &white).differing, 0);
    }

    proptest! {
        #[test]
        fn nothing_differs_from_itself_and_both_ways_the_same_does(
            first in proptest::collection::vec(0_u8..4, 36),
            second in proptest::collection::vec(0_u8..4, 36),
            ignores_antialiasing: bool,
            shift in 0_u32..=3,
        ) {
            let [first, second] = [first, second].map(|greys| {
                let rgba = greys.into_iter().flat_map(|grey| [grey * 80, grey * 80, grey * 80, 255]);
                Pixels::from_rgba(6, 6, rgba.collect()).unwrap()
            });
            let how = PixelMatch { ignores_antialiasing, shift, ..EXACT };
            prop_assert_eq!(compared(how, &first, &first).differing, 0);
            let [one, other] = [compared(how, &first, &second), compared(how, &second, &first)];
            prop_assert_eq!((one.differing, one.antialiased), (other.differing, other.antialiased));
            // The more is let pass, the less differs.
            prop_assert!(one.differing <= compared(EXACT, &first, &second).differing);
        }
    }
}

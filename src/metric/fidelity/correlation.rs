//! The exact correlation of two planes.

use rayon::prelude::*;
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};

use crate::base::{CancelToken, Cancelled};

use crate::metric::plane::Plane;

/// Sums of the products of a template with what lies under it, at each place where it is wholly
/// inside the picture: rows from the top, `picture.width() - template.width() + 1` a row.
///
/// The template must not be larger than the picture. The sums are exact: planes are at most
/// [`Limits::IMAGE_PIXELS`](crate::base::Limits) large, where the transform errs by less than 0.1.
///
/// Both planes go through one complex transform, one as real and the other as imaginary part.
pub(super) fn correlate(
    picture: &Plane,
    template: &Plane,
    cancel: &CancelToken,
) -> Result<Vec<u64>, Cancelled> {
    let mut grid = Grid::of(picture, template);
    cancel.check()?;
    grid.transform(FftDirection::Forward);
    cancel.check()?;
    grid.cross_spectrum();
    grid.transform(FftDirection::Inverse);
    cancel.check()?;
    let columns = picture.width() - template.width() + 1;
    let rows = picture.height() - template.height() + 1;
    let scale = 1.0 / (grid.width * grid.height) as f64;
    let mut sums = Vec::with_capacity(columns * rows);
    for row in grid.values.chunks_exact(grid.width).take(rows) {
        sums.extend(row[..columns].iter().map(|value| (value.re * scale).round() as u64));
    }
    Ok(sums)
}

/// A plane of complex numbers, whose sides have no prime factor above 5.
struct Grid {
    width: usize,
    height: usize,
    values: Vec<Complex<f64>>,
}

impl Grid {
    fn of(picture: &Plane, template: &Plane) -> Self {
        let (width, height) = (smooth(picture.width()), smooth(picture.height()));
        let mut values = vec![Complex::default(); width * height];
        for (y, row) in values.chunks_exact_mut(width).enumerate().take(picture.height()) {
            for (value, &sample) in row.iter_mut().zip(picture.row(y)) {
                value.re = f64::from(sample);
            }
            if y < template.height() {
                for (value, &sample) in row.iter_mut().zip(template.row(y)) {
                    value.im = f64::from(sample);
                }
            }
        }
        Self { width, height, values }
    }

    /// Transforms along both sides; nothing is divided by.
    fn transform(&mut self, direction: FftDirection) {
        for _ in 0..2 {
            self.transform_rows(direction);
            self.transpose();
        }
    }

    fn transform_rows(&mut self, direction: FftDirection) {
        let plan = FftPlanner::new().plan_fft(self.width, direction);
        let scratch = || vec![Complex::default(); plan.get_inplace_scratch_len()];
        self.values
            .par_chunks_exact_mut(self.width)
            .for_each_init(scratch, |scratch, row| plan.process_with_scratch(row, scratch));
    }

    fn transpose(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut turned = vec![Complex::default(); self.values.len()];
        turned.par_chunks_exact_mut(height).enumerate().for_each(|(x, column)| {
            for (y, value) in column.iter_mut().enumerate() {
                *value = self.values[y * width + x];
            }
        });
        *self = Self { width: height, height: width, values: turned };
    }

    /// From the transform of picture + i · template to that of their correlation.
    fn cross_spectrum(&mut self) {
        for y in 0..self.height {
            let opposite_y = (self.height - y) % self.height;
            for x in 0..self.width {
                let at = y * self.width + x;
                let opposite = opposite_y * self.width + (self.width - x) % self.width;
                if at <= opposite {
                    let (value, mirrored) = (self.values[at], self.values[opposite].conj());
                    let picture = (value + mirrored) * 0.5;
                    let template = (value - mirrored) * Complex::new(0.0, -0.5);
                    let product = picture * template.conj();
                    self.values[at] = product;
                    self.values[opposite] = product.conj();
                }
            }
        }
    }
}

/// The least number from `len` on that has no prime factor above 5.
fn smooth(len: usize) -> usize {
    let is_smooth = |candidate: &usize| {
        [2, 3, 5].iter().fold(*candidate, |mut rest, prime| {
            while rest > 1 && rest.is_multiple_of(*prime) {
                rest /= prime;
            }
            rest
        }) == 1
    };
    // A power of two is never further away than that.
    (len.max(1)..=2 * len).find(is_smooth).unwrap_or(len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One product at a time.
    fn slowly(picture: &Plane, template: &Plane) -> Vec<u64> {
        let mut sums = Vec::new();
        for top in 0..=picture.height() - template.height() {
            for left in 0..=picture.width() - template.width() {
                let row_sum = |y: usize| {
                    let under = &picture.row(top + y)[left..];
                    let products = under.iter().zip(template.row(y));
                    products.map(|(&a, &b)| u64::from(a) * u64::from(b)).sum::<u64>()
                };
                sums.push((0..template.height()).map(row_sum).sum());
            }
        }
        sums
    }

    fn plane(width: usize, height: usize, samples: &[u8]) -> Plane {
        let samples = samples.iter().copied().cycle().take(width * height).collect();
        Plane::new(width, height, samples).unwrap()
    }

    proptest! {
        #[test]
        fn the_transform_gives_the_very_sums(
            (width, height) in (1usize..40, 1usize..40),
            (less_wide, less_high) in (0usize..40, 0usize..40),
            a in proptest::collection::vec(any::<u8>(), 1..300),
            b in proptest::collection::vec(any::<u8>(), 1..300),
        ) {
            let picture = plane(width, height, &a);
            let template_width = width.saturating_sub(less_wide).max(1);
            let template = plane(template_width, height.saturating_sub(less_high).max(1), &b);
            let found = correlate(&picture, &template, &CancelToken::new()).unwrap();
            prop_assert_eq!(found, slowly(&picture, &template));
        }
    }

    #[test]
    fn white_on_white_is_exact_at_a_size_that_is_not_smooth() {
        let picture = plane(997, 499, &[255]);
        let found = correlate(&picture, &plane(211, 101, &[255]), &CancelToken::new()).unwrap();
        assert!(found.iter().all(|&sum| sum == 211 * 101 * 255 * 255));
    }

    #[test]
    fn sides_become_products_of_small_primes() {
        assert_eq!([1, 7, 11, 97, 1081].map(smooth), [1, 8, 12, 100, 1125]);
    }
}

//! Finding one picture in another, by their exact correlation.

use rayon::prelude::*;
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};

use crate::base::{CancelToken, Cancelled};
use crate::metric::plane::Plane;

/// The places where a template fits best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemplateMatch {
    /// By normalised cross-correlation: OpenCV's `TM_CCORR_NORMED`.
    pub correlation: BestPlace,
    /// By the correlation coefficient: OpenCV's `TM_CCOEFF_NORMED`.
    pub coefficient: BestPlace,
}

/// Where a template fits best; of places that fit alike, the first by rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestPlace {
    /// Left edge of the template in the picture.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// How well it fits there: 0..=1 by cross-correlation, −1..=1 by the coefficient.
    pub likeness: f64,
}

/// Where one of the given pictures fits best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputPlace {
    /// Which of the given pictures, from 0.
    pub input: usize,
    /// The size at which it was looked for.
    pub width: u32,
    /// As above, down.
    pub height: u32,
    /// Where it fits best, and how well.
    pub place: BestPlace,
    /// Whether it fits well enough to count as shown.
    pub is_shown: bool,
}

/// Searches a picture for a template at its own size; `None` if the template is larger in either
/// direction.
///
/// By cross-correlation a template or place that is black all over has likeness 0. By the coefficient
/// a place of one colour has likeness 0, and a template of one colour fits everywhere with 1, as
/// OpenCV has it.
///
/// # Errors
///
/// [`Cancelled`] once `cancel` is raised.
pub fn match_template(
    picture: &Plane,
    template: &Plane,
    cancel: &CancelToken,
) -> Result<Option<TemplateMatch>, Cancelled> {
    if template.width() > picture.width() || template.height() > picture.height() {
        return Ok(None);
    }
    let products = correlate(picture, template, cancel)?;
    let likeness = Likeness::of(template);
    let mut sums = WindowSums::new(picture, template.width(), template.height());
    let columns = picture.width() - template.width() + 1;
    let mut best = [BestPlace { x: 0, y: 0, likeness: f64::NEG_INFINITY }; 2];
    for (y, products) in products.chunks_exact(columns).enumerate() {
        cancel.check()?;
        sums.go_to(y);
        for (x, &product) in products.iter().enumerate() {
            let found = likeness.at(product, sums.at(x));
            for (best, likeness) in best.iter_mut().zip(found) {
                // Strictly: of equals the first, as OpenCV's `minMaxLoc`.
                if likeness > best.likeness {
                    *best = BestPlace { x: x as u32, y: y as u32, likeness };
                }
            }
        }
    }
    let [correlation, coefficient] = best;
    Ok(Some(TemplateMatch { correlation, coefficient }))
}

/// Sum of samples, and of their squares.
#[derive(Clone, Copy, Default)]
struct Moments {
    sum: u64,
    squares: u64,
}

impl Moments {
    fn of(samples: &[u8]) -> Self {
        samples.iter().fold(Self::default(), |sum, &sample| sum.with(sample))
    }

    fn with(self, sample: u8) -> Self {
        let sample = u64::from(sample);
        Self { sum: self.sum + sample, squares: self.squares + sample * sample }
    }

    fn without(self, sample: u8) -> Self {
        let sample = u64::from(sample);
        Self { sum: self.sum - sample, squares: self.squares - sample * sample }
    }

    /// `count` times the sum of squared deviations from the mean: a whole number, so it is exact.
    fn spread(self, count: u64) -> u128 {
        u128::from(count) * u128::from(self.squares) - u128::from(self.sum) * u128::from(self.sum)
    }
}

/// The two measures of likeness to one template.
struct Likeness {
    count: u64,
    template: Moments,
    template_spread: f64,
}

impl Likeness {
    fn of(template: &Plane) -> Self {
        let count = template.samples().len() as u64;
        let moments = Moments::of(template.samples());
        Self { count, template: moments, template_spread: moments.spread(count) as f64 }
    }

    /// By cross-correlation and by the coefficient, where the products with the template sum to
    /// `products` and the samples to `window`.
    fn at(&self, products: u64, window: Moments) -> [f64; 2] {
        let norm = (window.squares as f64).sqrt() * (self.template.squares as f64).sqrt();
        // Two roots and not one of the product, which would not fit 53 bits for large templates.
        let correlation = if norm == 0.0 { 0.0 } else { (products as f64 / norm).min(1.0) };
        [correlation, self.coefficient(products, window)]
    }

    fn coefficient(&self, products: u64, window: Moments) -> f64 {
        if self.template_spread == 0.0 {
            return 1.0;
        }
        let norm = (window.spread(self.count) as f64).sqrt() * self.template_spread.sqrt();
        if norm == 0.0 {
            return 0.0;
        }
        // Whole numbers of 128 bits: means would round, and what is left after subtracting them is
        // small.
        let covariance = i128::from(self.count) * i128::from(products)
            - i128::from(window.sum) * i128::from(self.template.sum);
        (covariance as f64 / norm).clamp(-1.0, 1.0)
    }
}

/// Sums over the window that a template covers, on its way down a picture.
struct WindowSums<'a> {
    picture: &'a Plane,
    width: usize,
    height: usize,
    /// Sums down each column of the window's rows.
    columns: Vec<Moments>,
    /// Sums over the window at each place of the row.
    windows: Vec<Moments>,
}

impl<'a> WindowSums<'a> {
    fn new(picture: &'a Plane, width: usize, height: usize) -> Self {
        let mut columns = vec![Moments::default(); picture.width()];
        for row in picture.rows().take(height - 1) {
            add_row(&mut columns, row);
        }
        let windows = Vec::with_capacity(picture.width() - width + 1);
        Self { picture, width, height, columns, windows }
    }

    /// To row `top`: 0 first, then each after the one before.
    fn go_to(&mut self, top: usize) {
        add_row(&mut self.columns, self.picture.row(top + self.height - 1));
        if top > 0 {
            for (column, &sample) in self.columns.iter_mut().zip(self.picture.row(top - 1)) {
                *column = column.without(sample);
            }
        }
        self.sum_across();
    }

    fn sum_across(&mut self) {
        self.windows.clear();
        let mut window = Moments::default();
        for (x, entering) in self.columns.iter().enumerate() {
            window.sum += entering.sum;
            window.squares += entering.squares;
            if x + 1 >= self.width {
                self.windows.push(window);
                let leaving = self.columns[x + 1 - self.width];
                window.sum -= leaving.sum;
                window.squares -= leaving.squares;
            }
        }
    }

    fn at(&self, x: usize) -> Moments {
        self.windows[x]
    }
}

fn add_row(columns: &mut [Moments], row: &[u8]) {
    for (column, &sample) in columns.iter_mut().zip(row) {
        *column = column.with(sample);
    }
}

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
    let mut grid = ComplexPlane::of(picture, template);
    cancel.check()?;
    grid.transform(FftDirection::Forward);
    cancel.check()?;
    grid.cross_spectrum();
    grid.transform(FftDirection::Inverse);
    cancel.check()?;
    // Beyond these places the template would wrap around the grid's edge; they are not kept.
    let columns = picture.width() - template.width() + 1;
    let rows = picture.height() - template.height() + 1;
    let scale = 1.0 / (grid.width * grid.height) as f64;
    let mut sums = Vec::with_capacity(columns * rows);
    for row in grid.values.chunks_exact(grid.width).take(rows) {
        // The transform is not divided by; and the sum is a whole number, so rounding makes it
        // exact.
        sums.extend(row[..columns].iter().map(|value| (value.re * scale).round() as u64));
    }
    Ok(sums)
}

/// A plane of complex numbers, whose sides have no prime factor above 5.
struct ComplexPlane {
    width: usize,
    height: usize,
    values: Vec<Complex<f64>>,
}

impl ComplexPlane {
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
        self.values.par_chunks_exact_mut(self.width).for_each_init(
            || vec![Complex::default(); plan.get_inplace_scratch_len()],
            |scratch, row| plan.process_with_scratch(row, scratch),
        );
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
                // Both of a pair at once, as each is made of the two and overwrites them. Of a real
                // plane F(−k) is the conjugate of F(k): the even part is the picture's, the odd one
                // the template's.
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
    // A power of two is never further away than that.
    (len.max(1)..=2 * len).find(|candidate| is_smooth(*candidate)).unwrap_or(len)
}

fn is_smooth(mut number: usize) -> bool {
    for prime in [2, 3, 5] {
        while number > 1 && number.is_multiple_of(prime) {
            number /= prime;
        }
    }
    number == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn find(picture: &Plane, template: &Plane) -> TemplateMatch {
        match_template(picture, template, &CancelToken::new()).unwrap().unwrap()
    }

    fn plane(width: usize, height: usize, samples: &[u8]) -> Plane {
        let samples = samples.iter().copied().cycle().take(width * height).collect();
        Plane::new(width, height, samples).unwrap()
    }

    fn crop(picture: &Plane, (left, top): (usize, usize), width: usize, height: usize) -> Plane {
        let rows = (top..top + height).map(|y| &picture.row(y)[left..left + width]);
        Plane::new(width, height, rows.flatten().copied().collect()).unwrap()
    }

    proptest! {
        #[test]
        fn a_part_of_a_picture_is_found_in_it(
            samples in proptest::collection::vec(any::<u8>(), 900),
            (left, top) in (0usize..22, 0usize..22),
            (width, height) in (3usize..8, 3usize..8),
        ) {
            let picture = plane(30, 30, &samples);
            let found = find(&picture, &crop(&picture, (left, top), width, height));
            for place in [found.correlation, found.coefficient] {
                prop_assert!(place.likeness > 0.999_999_999 && place.likeness <= 1.0);
                prop_assert_eq!((place.x as usize, place.y as usize), (left, top));
            }
        }

        #[test]
        fn likeness_stays_in_range(
            a in proptest::collection::vec(any::<u8>(), 1..200),
            b in proptest::collection::vec(any::<u8>(), 1..50),
        ) {
            let found = find(&plane(19, 13, &a), &plane(5, 6, &b));
            prop_assert!((0.0..=1.0).contains(&found.correlation.likeness));
            prop_assert!((-1.0..=1.0).contains(&found.coefficient.likeness));
        }
    }

    #[test]
    fn what_is_flat_or_black_fits_as_in_opencv() {
        let varied = plane(9, 9, &[0, 7, 200, 13]);
        let black = find(&varied, &plane(2, 2, &[0]));
        assert_eq!((black.correlation.likeness, black.coefficient.likeness), (0.0, 1.0));
        let on_flat = find(&plane(9, 9, &[40]), &plane(2, 2, &[0, 7, 200, 13]));
        assert_eq!(on_flat.coefficient.likeness, 0.0);
    }

    #[test]
    fn a_larger_template_is_nowhere() {
        let found = match_template(&plane(3, 9, &[1]), &plane(4, 2, &[1]), &CancelToken::new());
        assert_eq!(found, Ok(None));
    }

    /// One product at a time.
    fn slowly(picture: &Plane, template: &Plane) -> Vec<u64> {
        let mut sums = Vec::new();
        for top in 0..=picture.height() - template.height() {
            for left in 0..=picture.width() - template.width() {
                let mut sum = 0;
                for y in 0..template.height() {
                    let under = &picture.row(top + y)[left..];
                    let products = under.iter().zip(template.row(y));
                    sum += products.map(|(&a, &b)| u64::from(a) * u64::from(b)).sum::<u64>();
                }
                sums.push(sum);
            }
        }
        sums
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
        // The largest sums there can be, on sides that are prime: where the transform errs most.
        let picture = plane(997, 499, &[255]);
        let found = correlate(&picture, &plane(211, 101, &[255]), &CancelToken::new()).unwrap();
        assert!(found.iter().all(|&sum| sum == 211 * 101 * 255 * 255));
    }

    #[test]
    fn sides_become_products_of_small_primes() {
        assert_eq!([1, 7, 11, 97, 1081].map(smooth), [1, 8, 12, 100, 1125]);
    }
}

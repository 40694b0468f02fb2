//! Finding one picture in another.

use crate::base::{CancelToken, Cancelled};

use super::correlation::correlate;
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
        let row = |y| &picture.row(y)[left..left + width];
        let samples = (top..top + height).flat_map(row).copied().collect();
        Plane::new(width, height, samples).unwrap()
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
}

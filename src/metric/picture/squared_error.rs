//! PSNR and the inverse of the RMSE: two readings of the same squared error.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::CancelToken;

use super::ComparedPictures;
use crate::metric::measure::all_missing;
use crate::metric::{
    Comparison, Direction, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};

/// The largest value of a sample.
const PEAK: f64 = 255.0;

/// The mean squared error over all samples, as decibels and as a number that grows with likeness.
///
/// - `psnr/skimage`: 10 · log₁₀(255² / MSE) in dB, at least 0. Equal pictures have no PSNR: it is
///   infinite, which published results hold as `Infinity`; here it is [`MissingScore::infinite`].
///   Its map is the squared error of each pixel, the mean over the three channels.
/// - `rmse_inverse/canvas`: 1 / (1 + RMSE) with samples within 0..=1, so 0.5..=1; equal pictures
///   score exactly 1. Its map is the same of each pixel.
#[derive(Clone, Copy, Debug)]
pub struct SquaredError;

static VARIANTS: [VariantSpec; 2] = [
    VariantSpec {
        id: Cow::Borrowed("psnr/skimage"),
        label: "PSNR",
        variant_label: Cow::Borrowed("dB"),
        needs: Needs::Pictures,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (0.0, f64::INFINITY),
        map_range: Some((PEAK * PEAK, 0.0)),
        version: 1,
        source: "CANVAS, Evaluation; kixlab/canvas evaluation/metrics (skimage peak_signal_noise_ratio)",
    },
    VariantSpec {
        id: Cow::Borrowed("rmse_inverse/canvas"),
        label: "RMSE inverse",
        variant_label: Cow::Borrowed("1 / (1 + RMSE)"),
        needs: Needs::Pictures,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (0.5, 1.0),
        map_range: Some((0.5, 1.0)),
        version: 1,
        source: "CANVAS, Evaluation; kixlab/canvas evaluation/metrics",
    },
];

impl Metric for SquaredError {
    fn variants(&self) -> &[VariantSpec] {
        &VARIANTS
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        measure(comparison, cancel).unwrap_or_else(|missing| all_missing(&VARIANTS, &missing))
    }
}

fn measure(
    comparison: &Comparison<'_>,
    cancel: &CancelToken,
) -> Result<Vec<Measurement>, MissingScore> {
    let pictures = ComparedPictures::of(comparison, cancel)?;
    let errors = squared_errors(&pictures, cancel)?;
    // The sum of whole numbers is exact in any order; only the mean of it is rounded.
    let total: u64 = errors.iter().map(|&error| u64::from(error)).sum();
    let mean = total as f64 / (3 * pictures.pixel_count()) as f64;
    let by_pixel = errors.iter().map(|&error| f64::from(error) / 3.0);
    let squares: Arc<[f32]> = by_pixel.clone().map(|error| error as f32).collect();
    let inverses: Arc<[f32]> = by_pixel.map(|error| rmse_inverse(error) as f32).collect();
    Ok(vec![
        Measurement { score: psnr(mean), evidence: Some(pictures.map(squares)) },
        Measurement {
            score: Score::from_number(rmse_inverse(mean)),
            evidence: Some(pictures.map(inverses)),
        },
    ])
}

/// The sum of the three squared differences at each pixel: whole numbers, so sums are exact.
fn squared_errors(
    pictures: &ComparedPictures,
    cancel: &CancelToken,
) -> Result<Vec<u32>, MissingScore> {
    let mut errors = vec![0; pictures.pixel_count()];
    for (y, out) in errors.chunks_exact_mut(pictures.width()).enumerate() {
        if cancel.is_cancelled() {
            return Err(MissingScore::Cancelled);
        }
        let [truth, generated] = pictures.rows(y);
        for (truth, generated) in truth.into_iter().zip(generated) {
            add_squares(out, truth, generated);
        }
    }
    Ok(errors)
}

fn add_squares(out: &mut [u32], a: &[u8], b: &[u8]) {
    for (sum, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
        let difference = u32::from(a.abs_diff(b));
        *sum += difference * difference;
    }
}

fn psnr(mean_squared_error: f64) -> Score {
    // Infinity would spoil every mean it enters, and is no score.
    if mean_squared_error == 0.0 {
        return Score::Missing(MissingScore::infinite());
    }
    Score::from_number(10.0 * (PEAK * PEAK / mean_squared_error).log10())
}

fn rmse_inverse(mean_squared_error: f64) -> f64 {
    // The published code divides samples by 255 before it squares; dividing the root is the same
    // but for the last digit.
    1.0 / (1.0 + mean_squared_error.sqrt() / PEAK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;

    fn scores(a: [u8; 4], b: [u8; 4]) -> [Score; 2] {
        let [a, b] = [a, b].map(|color| Pixels::filled(3, 2, color).unwrap());
        let found =
            SquaredError.measurements(&Comparison::of_pictures(&a, &b), &CancelToken::new());
        let [psnr, inverse] = found.try_into().unwrap();
        [psnr.score, inverse.score]
    }

    #[test]
    fn black_and_white_are_the_ends_of_both_scales() {
        let [psnr, inverse] = scores([0, 0, 0, 255], [255, 255, 255, 255]);
        assert_eq!((psnr.value(), inverse.value()), (Some(0.0), Some(0.5)));
    }

    #[test]
    fn equal_pictures_have_no_psnr_and_an_inverse_of_exactly_one() {
        let [psnr, inverse] = scores([9, 8, 7, 0], [9, 8, 7, 255]);
        assert!(matches!(psnr, Score::Missing(MissingScore::Undefined(_))));
        assert_eq!((psnr.value(), psnr.value_or_infinity()), (None, Some(f64::INFINITY)));
        assert_eq!(inverse.value(), Some(1.0));
    }

    #[test]
    fn the_maps_hold_the_error_of_each_pixel() {
        let a = Pixels::from_rgba(2, 1, vec![0, 0, 0, 255, 10, 10, 10, 255]).unwrap();
        let b = Pixels::from_rgba(2, 1, vec![3, 0, 0, 255, 10, 10, 10, 255]).unwrap();
        let found =
            SquaredError.measurements(&Comparison::of_pictures(&a, &b), &CancelToken::new());
        assert_eq!(*found[0].map().unwrap().values, [3.0, 0.0]);
        assert_eq!(*found[1].map().unwrap().values, [rmse_inverse(3.0) as f32, 1.0]);
    }
}

//! The mean colour difference of two pictures.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{CancelToken, Cancelled};

use super::ComparedPictures;
use crate::metric::measure::all_missing;
use crate::metric::{
    Comparison, Direction, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};
use crate::metric::{Lab, ciede2000, lab};

/// The mean over all pixels of CIEDE2000, with the difference of each pixel as its map.
///
/// Pictures are read as sRGB under D65. Equal pictures score exactly 0; the largest difference of two
/// sRGB colours is below [`LARGEST`]. A difference of 1 is about the least that people see.
#[derive(Clone, Copy, Debug)]
pub struct ColorDifference;

/// No two sRGB colours differ by more.
const LARGEST: f64 = 120.0;

static VARIANTS: [VariantSpec; 1] = [VariantSpec {
    id: Cow::Borrowed("color_difference/ciede2000"),
    label: "Colour difference",
    variant_label: Cow::Borrowed("mean ΔE2000"),
    needs: Needs::Pictures,
    is_asked: false,
    direction: Direction::LowerIsBetter,
    range: (0.0, LARGEST),
    map_range: Some((LARGEST, 0.0)),
    version: 1,
    source: "Sharma, Wu and Dalal 2005",
}];

impl Metric for ColorDifference {
    fn variants(&self) -> &[VariantSpec] {
        &VARIANTS
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        match measure(comparison, cancel) {
            Ok(measurement) => vec![measurement],
            Err(missing) => all_missing(&VARIANTS, &missing),
        }
    }
}

fn measure(comparison: &Comparison<'_>, cancel: &CancelToken) -> Result<Measurement, MissingScore> {
    let pictures = ComparedPictures::of(comparison, cancel)?;
    let formula = DifferenceFormula::new();
    let mut values: Arc<[f32]> = std::iter::repeat_n(0.0, pictures.pixel_count()).collect();
    let totals: Vec<f64> = Arc::make_mut(&mut values)
        .par_chunks_exact_mut(pictures.width())
        .enumerate()
        .map(|(y, out)| cancel.check().map(|()| formula.row(pictures.rows(y), out)))
        .collect::<Result<_, Cancelled>>()?;
    // Added row by row in their order, so that the sum is the same on any number of threads.
    let mean = totals.iter().sum::<f64>() / pictures.pixel_count() as f64;
    Ok(Measurement { score: Score::from_number(mean), evidence: Some(pictures.map(values)) })
}

/// The formula for 8-bit samples.
pub(in crate::metric) struct DifferenceFormula {
    /// The linear intensity of each sample.
    linear: [f64; 256],
}

impl DifferenceFormula {
    pub(in crate::metric) fn new() -> Self {
        // A power for each of three channels of millions of pixels would take longer than all the
        // rest.
        Self { linear: std::array::from_fn(|sample| lab::linear8(sample as u8)) }
    }

    /// Writes the differences along a row; gives their sum.
    fn row(&self, [truth, generated]: [[&[u8]; 3]; 2], out: &mut [f32]) -> f64 {
        // Pictures of designs repeat the same two colours many times over.
        let mut last = ([[0; 3]; 2], 0.0);
        let mut total = 0.0;
        for (x, value) in out.iter_mut().enumerate() {
            let pair = [truth, generated].map(|[r, g, b]| [r[x], g[x], b[x]]);
            if pair != last.0 {
                last = (pair, self.difference(pair));
            }
            total += last.1;
            *value = last.1 as f32;
        }
        total
    }

    /// Of two sRGB colours.
    pub(in crate::metric) fn difference(&self, [one, other]: [[u8; 3]; 2]) -> f64 {
        // Exactly 0, where the formula may leave a last bit.
        if one == other {
            return 0.0;
        }
        let [one, other] = [one, other]
            .map(|rgb| Lab::from_linear(rgb.map(|sample| self.linear[sample as usize])));
        ciede2000(one, other)
    }
}

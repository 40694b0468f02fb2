//! Structural similarity.
//!
//! [`SsimUniform7`] is the number published code computes: scikit-image's `structural_similarity`
//! with its defaults. Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error
//! visibility to structural similarity", 2004, eq. 13, with a uniform 7×7 window and sample
//! covariance (divided by 48, not 49).
//!
//! [`SsimGaussian`] is the number the paper describes: the same formula with an 11×11 Gaussian window.
//!
//! Both go down the rows, channels side by side, with a [`Window`] that knows the rows around the
//! one it stands at. Sums over the uniform window are integers, so they are exact and can slide; those
//! over the Gaussian are two passes of 11 taps in double precision.

#![expect(
    clippy::inline_always,
    reason = "a kernel is compiled for the instructions of its caller"
)]

mod gaussian;
mod uniform;
mod window;

use std::borrow::Cow;
use std::sync::Arc;

use fearless_simd::{Level, dispatch};

use crate::base::{CancelToken, Cancelled, Pixels};

use super::measure::all_missing;
use super::plane::Plane;
use super::resize::compared_planes;
use super::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, ScalarMap, Score,
    VariantSpec,
};
use gaussian::GaussianMeans;
use uniform::UniformSums;
use window::Window;

/// SSIM as the CANVAS evaluator computes it: uniform 7×7 window.
///
/// Pictures are compared as 8-bit RGB without alpha, at the smaller width and height
/// ([`compared_planes`]). The map has the local value at every pixel, the mean over the three
/// channels; near the edge the pictures are mirrored. The score is the mean of the map without a
/// border of 3 pixels. Both lie within −1..=1; equal pictures score exactly 1. A compared side below
/// 7 pixels is [`MissingScore::TooSmall`].
#[derive(Clone, Copy, Debug)]
pub struct SsimUniform7;

/// SSIM as the CANVAS paper and Wang et al. describe it: Gaussian window, σ = 1.5, cut after 5 pixels.
///
/// As [`SsimUniform7`] in everything else, with the population covariance, a border of 5 pixels and a
/// smallest side of 11. It is scikit-image's `structural_similarity(…, gaussian_weights=True,
/// sigma=1.5, use_sample_covariance=False)`.
#[derive(Clone, Copy, Debug)]
pub struct SsimGaussian;

static UNIFORM: [VariantSpec; 1] = [VariantSpec {
    id: Cow::Borrowed("ssim/uniform7"),
    label: "SSIM",
    variant_label: Cow::Borrowed("uniform 7×7"),
    needs: Needs::Pictures,
    direction: Direction::HigherIsBetter,
    range: (-1.0, 1.0),
    map_range: Some((-1.0, 1.0)),
    version: 1,
    source: "CANVAS, Evaluation; kixlab/canvas evaluation/metrics (skimage structural_similarity)",
}];

static GAUSSIAN: [VariantSpec; 1] = [VariantSpec {
    id: Cow::Borrowed("ssim/gaussian"),
    label: "SSIM Gaussian",
    variant_label: Cow::Borrowed("Gaussian 11×11, σ 1.5"),
    needs: Needs::Pictures,
    direction: Direction::HigherIsBetter,
    range: (-1.0, 1.0),
    map_range: Some((-1.0, 1.0)),
    version: 1,
    source: "CANVAS, Evaluation (the text); Wang et al. 2004, section III.C",
}];

impl SsimUniform7 {
    /// The score alone, a little faster and without the memory for a map.
    pub fn score(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Score {
        score::<UniformSums>(ground_truth, generated, cancel)
    }

    /// The score with its map.
    pub fn compare(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Measurement {
        compare::<UniformSums>(ground_truth, generated, cancel)
    }
}

impl SsimGaussian {
    /// The score alone, a little faster and without the memory for a map.
    pub fn score(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Score {
        score::<GaussianMeans>(ground_truth, generated, cancel)
    }

    /// The score with its map.
    pub fn compare(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Measurement {
        compare::<GaussianMeans>(ground_truth, generated, cancel)
    }
}

// Two metrics, not two variants of one: nothing of one pass serves the other.

impl Metric for SsimUniform7 {
    fn variants(&self) -> &[VariantSpec] {
        &UNIFORM
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        match comparison.fitted_pictures(cancel) {
            Ok((truth, generated)) => vec![Self::compare(&truth, generated, cancel)],
            Err(missing) => all_missing(&UNIFORM, &missing),
        }
    }
}

impl Metric for SsimGaussian {
    fn variants(&self) -> &[VariantSpec] {
        &GAUSSIAN
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        match comparison.fitted_pictures(cancel) {
            Ok((truth, generated)) => vec![Self::compare(&truth, generated, cancel)],
            Err(missing) => all_missing(&GAUSSIAN, &missing),
        }
    }
}

fn score<W: Window>(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Score {
    measure::<W>(ground_truth, generated, cancel, Wanted::Score)
        .map_or_else(Score::Missing, |(score, _)| score)
}

fn compare<W: Window>(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
) -> Measurement {
    match measure::<W>(ground_truth, generated, cancel, Wanted::ScoreAndMap) {
        Ok((score, map)) => Measurement { score, evidence: map.map(Evidence::Map) },
        Err(missing) => Measurement::missing(missing),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Score,
    ScoreAndMap,
}

fn measure<W: Window>(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
    wanted: Wanted,
) -> Result<(Score, Option<ScalarMap>), MissingScore> {
    let width = ground_truth.width().min(generated.width());
    let height = ground_truth.height().min(generated.height());
    let side = 2 * W::RADIUS + 1;
    if (width.min(height) as usize) < side {
        return Err(MissingScore::TooSmall(format!("{side}×{side}")));
    }
    let stopped = |Cancelled| MissingScore::Cancelled;
    let planes = compared_planes(ground_truth, generated, cancel).map_err(stopped)?;
    if wanted == Wanted::Score {
        let mean = scan::<W>(&planes, cancel, |_| {}).map_err(stopped)?;
        return Ok((Score::from_number(mean), None));
    }
    let (mean, values) = scan_with_map::<W>(&planes, cancel).map_err(stopped)?;
    Ok((Score::from_number(mean), Some(ScalarMap { width, height, values })))
}

fn scan_with_map<W: Window>(
    planes: &[[Plane; 3]; 2],
    cancel: &CancelToken,
) -> Result<(f64, Arc<[f32]>), Cancelled> {
    let [[first, ..], _] = planes;
    // Made as the shared slice it will be, so that the map of a large picture is not copied.
    let mut values: Arc<[f32]> = std::iter::repeat_n(0.0, first.samples().len()).collect();
    let mut rows = Arc::make_mut(&mut values).chunks_exact_mut(first.width());
    let mean = scan::<W>(planes, cancel, |channels| {
        if let Some(row) = rows.next() {
            write_mean(row, channels);
        }
    })?;
    Ok((mean, values))
}

fn write_mean(row: &mut [f32], [r, g, b]: [&[f64]; 3]) {
    for (mean, ((r, g), b)) in row.iter_mut().zip(r.iter().zip(g).zip(b)) {
        *mean = ((r + g + b) * (1.0 / 3.0)) as f32;
    }
}

/// Goes down the rows, all three channels side by side; shows each row of local similarities to
/// `each_row` and gives the score.
fn scan<W: Window>(
    [ground_truth, generated]: &[[Plane; 3]; 2],
    cancel: &CancelToken,
    mut each_row: impl FnMut([&[f64]; 3]),
) -> Result<f64, Cancelled> {
    let mut channels: [ChannelScan<'_, W>; 3] =
        std::array::from_fn(|c| ChannelScan::new(&ground_truth[c], &generated[c]));
    let [first, ..] = ground_truth;
    let level = Level::new();
    for y in 0..first.height() {
        cancel.check()?;
        // Compiled for each level of instructions. None fuses multiplication and addition, so that
        // all give the same bits.
        dispatch!(level, _ => advance(&mut channels, y));
        each_row(channels.each_ref().map(|channel| channel.similarity.as_slice()));
    }
    Ok(channels.iter().map(ChannelScan::mean).sum::<f64>() / 3.0)
}

#[inline(always)]
fn advance<W: Window>(channels: &mut [ChannelScan<'_, W>; 3], row: usize) {
    // A `for`, as a closure would not be compiled for the level.
    for channel in channels {
        channel.advance(row);
    }
}

/// One channel on its way down the rows.
struct ChannelScan<'a, W> {
    x: &'a Plane,
    y: &'a Plane,
    window: W,
    /// The local similarity at each pixel of the row.
    similarity: Vec<f64>,
    /// Sums of the local similarity by column, over the rows that count. Adding by column keeps the
    /// order of additions, and so the last bit, independent of how the loop is compiled.
    column_totals: Vec<f64>,
}

impl<'a, W: Window> ChannelScan<'a, W> {
    fn new(x: &'a Plane, y: &'a Plane) -> Self {
        Self {
            x,
            y,
            window: W::new(x, y),
            similarity: vec![0.0; x.width()],
            column_totals: vec![0.0; x.width()],
        }
    }

    /// Computes row `row`, which must follow the last one computed.
    #[inline(always)]
    fn advance(&mut self, row: usize) {
        self.window.similarity([self.x, self.y], row, &mut self.similarity);
        if (W::RADIUS..self.x.height() - W::RADIUS).contains(&row) {
            for (total, value) in self.column_totals.iter_mut().zip(&self.similarity) {
                *total += value;
            }
        }
    }

    /// The mean of the similarity without the border.
    fn mean(&self) -> f64 {
        let (width, height) = (self.x.width(), self.x.height());
        let inner = &self.column_totals[W::RADIUS..width - W::RADIUS];
        inner.iter().sum::<f64>() / (inner.len() * (height - 2 * W::RADIUS)) as f64
    }
}

#[cfg(test)]
mod tests;

//! Structural similarity.
//!
//! [`SsimUniform7`] is the number published code computes: scikit-image's `structural_similarity`
//! with its defaults. Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error
//! visibility to structural similarity", 2004, eq. 13, with a uniform 7×7 window and sample
//! covariance (divided by 48, not 49).
//!
//! [`SsimGaussian`] is the number the paper describes: the same formula with an 11×11 Gaussian window.
//!
//! Both go down the rows with a [`Window`] that knows the rows around the one it stands at, in all channels. Sums over
//! the uniform window are integers, so they are exact and can slide; those over the Gaussian are two passes of 11 taps
//! in double precision.

#![expect(
    clippy::inline_always,
    reason = "a kernel is compiled for the instructions of its caller"
)]

mod gaussian;
mod rows;
mod scan;
mod uniform;
mod window;

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled, Pixels};

use super::measure::all_missing;
use super::resize_cache::AtSize;
use super::step_memory::LastSimilarity;
use super::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, ScalarMap, Score,
    StepMemory, VariantSpec,
};
use gaussian::GaussianMeans;
use rows::{PictureRows, UnchangedBlocks};
use scan::{Recalled, scan};
use uniform::UniformSums;
use window::Window;

/// SSIM as the CANVAS evaluator computes it: uniform 7×7 window.
///
/// Pictures are compared as 8-bit RGB without alpha, at the smaller width and height (as by
/// [`compared_planes`](super::resize::compared_planes)). The map has the local value at every pixel, the mean over the
/// three channels; near the edge the pictures are mirrored. The score is the mean of the map without a border of 3
/// pixels. Both lie within −1..=1; equal pictures score exactly 1. A compared side below 7 pixels is
/// [`MissingScore::TooSmall`].
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
    is_asked: false,
    direction: Direction::HigherIsBetter,
    range: (-1.0, 1.0),
    map_range: Some((-1.0, 1.0)),
    version: 2,
    source: "CANVAS, Evaluation; kixlab/canvas evaluation/metrics (skimage structural_similarity)",
}];

static GAUSSIAN: [VariantSpec; 1] = [VariantSpec {
    id: Cow::Borrowed("ssim/gaussian"),
    label: "SSIM Gaussian",
    variant_label: Cow::Borrowed("Gaussian 11×11, σ 1.5"),
    needs: Needs::Pictures,
    is_asked: false,
    direction: Direction::HigherIsBetter,
    range: (-1.0, 1.0),
    map_range: Some((-1.0, 1.0)),
    version: 2,
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
        match comparison.pictures_at_size(cancel) {
            Ok((truth, generated)) => {
                let memory = comparison.memory.filter(|_| comparison.scores_only);
                let measured = match memory {
                    Some(memory) => remembered(&truth, generated, memory, cancel),
                    None => measured::<UniformSums>(comparison, [&truth, generated], cancel),
                };
                vec![measured]
            }
            Err(missing) => all_missing(&UNIFORM, &missing),
        }
    }
}

impl Metric for SsimGaussian {
    fn variants(&self) -> &[VariantSpec] {
        &GAUSSIAN
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        match comparison.pictures_at_size(cancel) {
            Ok((truth, generated)) => {
                vec![measured::<GaussianMeans>(comparison, [&truth, generated], cancel)]
            }
            Err(missing) => all_missing(&GAUSSIAN, &missing),
        }
    }
}

/// With the map where somebody looks at it.
fn measured<W: Window>(
    comparison: &Comparison<'_>,
    [ground_truth, generated]: [&Pixels; 2],
    cancel: &CancelToken,
) -> Measurement {
    if comparison.scores_only {
        return Measurement::of(score::<W>(ground_truth, generated, cancel));
    }
    compare::<W>(ground_truth, generated, cancel)
}

fn score<W: Window>(ground_truth: &Pixels, generated: &Pixels, cancel: &CancelToken) -> Score {
    measure::<W>(ground_truth, generated, cancel, SsimOutput::Score)
        .map_or_else(Score::Missing, |(score, _)| score)
}

fn compare<W: Window>(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
) -> Measurement {
    match measure::<W>(ground_truth, generated, cancel, SsimOutput::ScoreAndMap) {
        Ok((score, map)) => Measurement { score, evidence: map.map(Evidence::Map) },
        Err(missing) => Measurement::missing(missing),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SsimOutput {
    Score,
    ScoreAndMap,
}

fn measure<W: Window>(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
    wanted: SsimOutput,
) -> Result<(Score, Option<ScalarMap>), MissingScore> {
    let [ground_truth, generated] = at_one_size::<W>(ground_truth, generated, cancel)?;
    let (width, height) = (generated.width(), generated.height());
    let pictures = [PictureRows::of(&ground_truth), PictureRows::of(&generated)];
    if wanted == SsimOutput::Score {
        let mean = scan::<W>(pictures, cancel, None, |_| {})?;
        return Ok((Score::from_number(mean), None));
    }
    let (mean, values) = scan_with_map::<W>(pictures, cancel)?;
    Ok((Score::from_number(mean), Some(ScalarMap { width, height, values })))
}

/// Both pictures at the smaller width and height.
fn at_one_size<'a, W: Window>(
    ground_truth: &'a Pixels,
    generated: &'a Pixels,
    cancel: &CancelToken,
) -> Result<[AtSize<'a>; 2], MissingScore> {
    let width = ground_truth.width().min(generated.width());
    let height = ground_truth.height().min(generated.height());
    // Asked before resizing: scikit-image refuses such pictures too, and the border would leave no
    // pixel.
    let side = 2 * W::RADIUS + 1;
    if (width.min(height) as usize) < side {
        return Err(MissingScore::TooSmall(format!("{side}×{side}")));
    }
    let ground_truth = AtSize::of(ground_truth, width, height, cancel)?;
    Ok([ground_truth, AtSize::of(generated, width, height, cancel)?])
}

/// Most pixels of a picture whose similarities are kept: 8 MB.
const MOST_KEPT: usize = 1 << 20;

/// The score alone. Where the picture is as that of the step before was, what was found then holds: it is the same to
/// the bit.
fn remembered(
    ground_truth: &Pixels,
    generated: &Pixels,
    memory: &StepMemory,
    cancel: &CancelToken,
) -> Measurement {
    match score_remembered::<UniformSums>(ground_truth, generated, memory, cancel) {
        Ok(score) => Measurement::of(score),
        Err(missing) => Measurement::missing(missing),
    }
}

fn score_remembered<W: Window>(
    ground_truth: &Pixels,
    generated: &Pixels,
    memory: &StepMemory,
    cancel: &CancelToken,
) -> Result<Score, MissingScore> {
    let [ground_truth, generated] = at_one_size::<W>(ground_truth, generated, cancel)?;
    let (width, height) = (generated.width(), generated.height());
    let pictures = [PictureRows::of(&ground_truth), PictureRows::of(&generated)];
    let pixels = width as usize * height as usize;
    if pixels > MOST_KEPT {
        let mean = scan::<W>(pictures, cancel, None, |_| {})?;
        return Ok(Score::from_number(mean));
    }
    // Taken out meanwhile: one that is stopped leaves none behind that is half this and half that.
    let last = memory.similarity.lock().take().filter(|last| {
        last.ground_truth == ground_truth.id()
            && (last.generated.width(), last.generated.height()) == (width, height)
    });
    let (before, mut values) = match last {
        Some(last) => (Some(last.generated), last.values),
        None => (None, vec![0.0; pixels]),
    };
    let unchanged = before.as_ref().map(|before| UnchangedBlocks::of([before, &generated]));
    let recalled = Recalled { values: &mut values, unchanged };
    let mean = scan::<W>(pictures, cancel, Some(recalled), |_| {})?;
    let (ground_truth, generated) = (ground_truth.id(), Pixels::clone(&generated));
    *memory.similarity.lock() = Some(LastSimilarity { ground_truth, generated, values });
    Ok(Score::from_number(mean))
}

fn scan_with_map<W: Window>(
    pictures: [PictureRows<'_>; 2],
    cancel: &CancelToken,
) -> Result<(f64, Arc<[f32]>), Cancelled> {
    let (width, height) = (pictures[0].width(), pictures[0].height());
    // Made as the shared slice it will be, so that the map of a large picture is not copied.
    let mut values: Arc<[f32]> = bytemuck::zeroed_arc_slice(width * height);
    let mut rows = Arc::make_mut(&mut values).chunks_exact_mut(width);
    let mean = scan::<W>(pictures, cancel, None, |similarity| {
        let Some(row) = rows.next() else { return };
        for (mean, sum) in row.iter_mut().zip(similarity) {
            // Multiplied, as a division at each pixel is slow; the score itself never goes through this
            // f32.
            *mean = (sum * (1.0 / 3.0)) as f32;
        }
    })?;
    Ok((mean, values))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scikit-image's way, literally: means of products in floating point, one window at a time.
    fn slow_ssim(a: &Pixels, b: &Pixels) -> (f64, Vec<f64>) {
        let (w, h) = (a.width() as i64, a.height() as i64);
        let mut map = vec![0.0; (w * h) as usize];
        for channel in 0..3 {
            for y in 0..h {
                for x in 0..w {
                    map[(y * w + x) as usize] += slow_local(a, b, channel, x, y) / 3.0;
                }
            }
        }
        let inner: Vec<f64> = (3..h - 3)
            .flat_map(|y| (3..w - 3).map(move |x| (y * w + x) as usize))
            .map(|at| map[at])
            .collect();
        (inner.iter().sum::<f64>() / inner.len() as f64, map)
    }

    fn slow_local(a: &Pixels, b: &Pixels, channel: usize, x: i64, y: i64) -> f64 {
        fn reflect(at: i64, len: i64) -> i64 {
            if at < 0 { -1 - at } else { at.min(2 * len - 1 - at) }
        }
        let (w, h) = (i64::from(a.width()), i64::from(a.height()));
        let [mut ux, mut uy, mut uxx, mut uyy, mut uxy] = [0.0; 5];
        for dy in -3..=3 {
            for dx in -3..=3 {
                let (px, py) = (reflect(x + dx, w) as u32, reflect(y + dy, h) as u32);
                let p = f64::from(a.get(px, py).unwrap()[channel]);
                let q = f64::from(b.get(px, py).unwrap()[channel]);
                ux += p / 49.0;
                uy += q / 49.0;
                uxx += p * p / 49.0;
                uyy += q * q / 49.0;
                uxy += p * q / 49.0;
            }
        }
        let norm = 49.0 / 48.0;
        let (vx, vy) = (norm * (uxx - ux * ux), norm * (uyy - uy * uy));
        let vxy = norm * (uxy - ux * uy);
        let (c1, c2) = ((0.01f64 * 255.0).powi(2), (0.03f64 * 255.0).powi(2));
        (2.0 * ux * uy + c1) * (2.0 * vxy + c2) / ((ux * ux + uy * uy + c1) * (vx + vy + c2))
    }

    /// The mean over what has a whole window: one window at a time, each weight by its definition.
    fn slow_gaussian(a: &Pixels, b: &Pixels) -> f64 {
        let bell = |at: i64| (-(at * at) as f64 / (2.0 * 1.5 * 1.5)).exp();
        let total: f64 = (-5..=5).map(bell).sum();
        let (c1, c2) = ((0.01f64 * 255.0).powi(2), (0.03f64 * 255.0).powi(2));
        let (mut sum, mut count) = (0.0, 0.0);
        for (x, y) in (5..a.height() - 5).flat_map(|y| (5..a.width() - 5).map(move |x| (x, y))) {
            for channel in 0..3 {
                let [mut ux, mut uy, mut uxx, mut uyy, mut uxy] = [0.0; 5];
                for (dx, dy) in (-5..=5).flat_map(|dy| (-5..=5).map(move |dx| (dx, dy))) {
                    let weight = bell(dx) * bell(dy) / (total * total);
                    let (px, py) = ((i64::from(x) + dx) as u32, (i64::from(y) + dy) as u32);
                    let p = f64::from(a.get(px, py).unwrap()[channel]);
                    let q = f64::from(b.get(px, py).unwrap()[channel]);
                    ux += weight * p;
                    uy += weight * q;
                    uxx += weight * p * p;
                    uyy += weight * q * q;
                    uxy += weight * p * q;
                }
                let (vx, vy, vxy) = (uxx - ux * ux, uyy - uy * uy, uxy - ux * uy);
                sum += (2.0 * ux * uy + c1) * (2.0 * vxy + c2)
                    / ((ux * ux + uy * uy + c1) * (vx + vy + c2));
                count += 1.0;
            }
        }
        sum / count
    }

    fn compare(a: &Pixels, b: &Pixels) -> (f64, ScalarMap) {
        let found = SsimUniform7::compare(a, b, &CancelToken::new());
        (found.score.value().unwrap(), found.map().unwrap().clone())
    }

    fn picture(width: u32, height: u32, samples: &[u8]) -> Pixels {
        let len = (width * height * 4) as usize;
        Pixels::from_rgba(width, height, samples.iter().copied().cycle().take(len).collect())
            .unwrap()
    }

    /// Pictures of the same size between 7×7 and 24×24, of random, flat or smooth samples.
    fn pair() -> impl Strategy<Value = (Pixels, Pixels)> {
        fn samples() -> impl Strategy<Value = Vec<u8>> {
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 1..400),
                any::<u8>().prop_map(|v| vec![v]),
                proptest::collection::vec(prop_oneof![Just(0u8), Just(255)], 1..300),
            ]
        }
        (7u32..25, 7u32..25, samples(), samples())
            .prop_map(|(w, h, a, b)| (picture(w, h, &a), picture(w, h, &b)))
    }

    /// Pictures wider than what is looked at together, which are the same but for some stripes.
    fn alike() -> impl Strategy<Value = (Pixels, Pixels)> {
        let stripes = proptest::collection::vec((0u32..150, 0u32..9, any::<u8>()), 0..4);
        (100u32..150, 7u32..14, proptest::collection::vec(any::<u8>(), 1..400), stripes).prop_map(
            |(width, height, samples, stripes)| {
                let a = picture(width, height, &samples);
                let mut b = a.clone();
                for (x, y, sample) in stripes.into_iter().filter(|it| it.0 < width && it.1 < height)
                {
                    b.put(x, y, 1, &[sample, sample, sample, 255]);
                }
                (a, b)
            },
        )
    }

    proptest! {
        #[test]
        fn the_sliding_sums_agree_with_the_slow_way((a, b) in prop_oneof![pair(), alike()]) {
            let (score, map) = compare(&a, &b);
            let (slow_score, slow_map) = slow_ssim(&a, &b);
            prop_assert!((score - slow_score).abs() < 1e-9, "{} and {}", score, slow_score);
            for (fast, slow) in map.values.iter().zip(slow_map) {
                prop_assert!((f64::from(*fast) - slow).abs() < 1e-6, "{} and {}", fast, slow);
            }
        }

        #[test]
        fn the_gaussian_means_agree_with_the_slow_way((a, b) in prop_oneof![pair(), alike()]) {
            prop_assume!(a.width().min(a.height()) >= 11);
            let score = SsimGaussian::score(&a, &b, &CancelToken::new()).value().unwrap();
            let slow_score = slow_gaussian(&a, &b);
            prop_assert!((score - slow_score).abs() < 1e-9, "{} and {}", score, slow_score);
            let alike = SsimGaussian::score(&a, &a, &CancelToken::new());
            prop_assert_eq!(alike.value(), Some(1.0));
        }

        #[test]
        fn a_picture_is_exactly_like_itself((a, _) in pair()) {
            let (score, map) = compare(&a, &a);
            prop_assert_eq!(score, 1.0);
            prop_assert!(map.values.iter().all(|&v| v == 1.0));
        }

        #[test]
        fn it_is_symmetric_and_in_range((a, b) in pair()) {
            let (score, map) = compare(&a, &b);
            let (swapped, swapped_map) = compare(&b, &a);
            prop_assert_eq!(score, swapped);
            prop_assert_eq!(&map, &swapped_map);
            prop_assert!((-1.0..=1.0).contains(&score));
            prop_assert!(map.values.iter().all(|v| (-1.0..=1.0).contains(v)));
        }

        #[test]
        fn what_is_remembered_of_the_steps_before_changes_no_bit(
            (truth, first) in prop_oneof![pair(), alike()],
            steps in proptest::collection::vec(
                proptest::collection::vec((0u32..150, 0u32..24, any::<u8>()), 0..5),
                1..6,
            ),
            other in prop_oneof![pair(), alike()],
        ) {
            let (memory, never) = (StepMemory::default(), CancelToken::new());
            let mut pictures = vec![first.clone()];
            let mut now = first;
            for stripes in steps {
                for (x, y, sample) in stripes {
                    if x < now.width() && y < now.height() {
                        now.put(x, y, 1, &[sample, sample, sample, 255]);
                    }
                }
                pictures.push(now.clone());
            }
            // Of another run at another task, and back: nothing of one holds of the other.
            let of_truth = pictures.iter().map(|picture| (&truth, picture));
            let all = of_truth.clone().chain([(&other.0, &other.1)]).chain(of_truth);
            for (truth, picture) in all {
                let known = remembered(truth, picture, &memory, &never).score;
                prop_assert_eq!(&known, &SsimUniform7::score(truth, picture, &never));
            }
        }

        #[test]
        fn the_score_alone_is_the_score_with_the_map((a, b) in pair()) {
            let alone = SsimUniform7::score(&a, &b, &CancelToken::new());
            prop_assert_eq!(alone.value(), Some(compare(&a, &b).0));
        }
    }

    #[test]
    fn a_step_that_is_stopped_or_too_large_leaves_nothing_behind() {
        let (memory, stopped) = (StepMemory::default(), CancelToken::new());
        let (a, b) = (picture(20, 20, &[1, 2, 3]), picture(20, 20, &[9, 8, 7, 6, 5]));
        remembered(&a, &b, &memory, &CancelToken::new());
        assert!(memory.similarity.lock().is_some());
        stopped.cancel();
        let score = remembered(&a, &b, &memory, &stopped).score;
        assert_eq!(score, Score::Missing(MissingScore::Cancelled));
        assert!(memory.similarity.lock().is_none());
        let large = Pixels::filled(1 << 12, (1 << 8) + 1, [1, 2, 3, 255]).unwrap();
        let score = remembered(&large, &large, &memory, &CancelToken::new()).score;
        assert_eq!(score, Score::Value(1.0));
        assert!(memory.similarity.lock().is_none());
    }

    #[test]
    fn the_score_is_the_mean_of_the_map_without_its_border() {
        let a = picture(19, 11, &(0..=250).collect::<Vec<u8>>());
        let b = picture(19, 11, &(0..=250).rev().collect::<Vec<u8>>());
        let (score, map) = compare(&a, &b);
        let inner: Vec<f64> = (3..8)
            .flat_map(|y| (3..16).map(move |x| (x, y)))
            .map(|(x, y)| f64::from(map.get(x, y).unwrap()))
            .collect();
        assert!((score - inner.iter().sum::<f64>() / inner.len() as f64).abs() < 1e-7);
    }

    #[test]
    fn flat_pictures_follow_the_luminance_term() {
        let black = picture(8, 9, &[0, 0, 0, 255]);
        let white = picture(8, 9, &[255, 255, 255, 255]);
        let c1 = (0.01f64 * 255.0).powi(2);
        let (score, _) = compare(&black, &white);
        assert!((score - c1 / (255.0 * 255.0 + c1)).abs() < 1e-15);
    }

    #[test]
    fn alpha_does_not_count() {
        let opaque = picture(9, 9, &[9, 80, 200, 255]);
        let clear = picture(9, 9, &[9, 80, 200, 0]);
        assert_eq!(compare(&opaque, &clear).0, 1.0);
    }

    #[test]
    fn a_side_below_the_window_has_no_score() {
        let narrow = picture(6, 100, &[1]);
        let wide = picture(100, 100, &[1]);
        for (a, b) in [(&narrow, &narrow), (&wide, &narrow), (&narrow, &wide)] {
            let found = SsimUniform7::compare(a, b, &CancelToken::new());
            assert_eq!(found.score, Score::Missing(MissingScore::TooSmall("7×7".to_owned())));
            assert!(found.map().is_none());
        }
    }

    #[test]
    fn the_map_has_the_compared_size() {
        let (_, map) = compare(&picture(30, 9, &[7, 90, 3]), &picture(12, 40, &[90, 3, 5]));
        assert_eq!((map.width, map.height, map.values.len()), (12, 9, 108));
    }

    #[test]
    fn a_raised_token_gives_no_score_but_the_reason() {
        let cancel = CancelToken::new();
        cancel.cancel();
        let a = picture(9, 9, &[1]);
        let found = SsimUniform7::compare(&a, &a, &cancel);
        assert_eq!(found.score, Score::Missing(MissingScore::Cancelled));
    }
}

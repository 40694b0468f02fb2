//! The spectral residual: what is unusual about a picture's spectrum is where its picture is unusual.

use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};

use crate::base::Pixels;

use super::SaliencyPredictor;
use super::linear::{self, Taps};
use crate::metric::plane::grey;
use crate::metric::{MissingScore, ScalarMap};

/// Side of the square that a picture is brought to.
const SIDE: usize = 64;
const AREA: usize = SIDE * SIDE;

/// The spectral residual, as OpenCV's `StaticSaliencySpectralResidual` computes it.
///
/// The picture in grey, squeezed to 64×64, is transformed; from the logarithm of its amplitudes their
/// 3×3 mean is subtracted; what comes back is smoothed (5×5, σ = 8), squared, divided by its maximum
/// and brought to the size of the picture. Values lie within 0..=1. They agree with OpenCV's to
/// 0.0001: its arctangent is a polynomial, here no angle is needed.
///
/// Source: Hou and Zhang, "Saliency detection: a spectral residual approach", 2007; opencv_contrib
/// modules/saliency.
#[derive(Clone, Copy, Debug)]
pub struct SpectralResidual;

impl SaliencyPredictor for SpectralResidual {
    fn name(&self) -> &'static str {
        "spectral-residual"
    }

    fn predict(&self, picture: &Pixels) -> Result<ScalarMap, MissingScore> {
        let values = residual_map(&squeezed(picture)).iter().map(|&value| value as f32).collect();
        let map = ScalarMap { width: SIDE as u32, height: SIDE as u32, values };
        linear::resize(&map, picture.width(), picture.height()).ok_or(MissingScore::NotFinite)
    }
}

/// The picture in grey at 64×64: OpenCV's `INTER_LINEAR_EXACT`, to the bit. Only the pixels that it
/// looks at are made grey.
fn squeezed(picture: &Pixels) -> Vec<f64> {
    let across = FixedTaps::of_line(picture.width(), SIDE);
    let down = FixedTaps::of_line(picture.height(), SIDE);
    let mut out = Vec::with_capacity(AREA);
    for y in &down {
        out.extend(across.iter().map(|x| {
            let (one, other) = (x.blend(picture, y.first), x.blend(picture, y.second));
            let sum = one * y.first_weight() + other * y.second_weight;
            // Rounded once, at the end: 8 bits of weight for either direction are still there.
            f64::from((sum + (1 << 15)) >> 16)
        }));
    }
    out
}

/// Taps with weights in 8 bits, that sum to 256.
struct FixedTaps {
    first: u32,
    second: u32,
    second_weight: u32,
}

impl FixedTaps {
    fn of_line(from: u32, to: usize) -> Vec<Self> {
        let taps = Taps::of_line(from as usize, to).into_iter();
        taps.map(|taps| Self {
            first: taps.first as u32,
            second: taps.second as u32,
            second_weight: (taps.share * 256.0).round_ties_even() as u32,
        })
        .collect()
    }

    /// The grey between the two pixels of row `y`, in 1/256.
    fn blend(&self, picture: &Pixels, y: u32) -> u32 {
        let [first, second] = [self.first, self.second].map(|x| {
            let [r, g, b, _] = picture.get(x, y).unwrap_or_default();
            u32::from(grey([r, g, b]))
        });
        first * self.first_weight() + second * self.second_weight
    }

    fn first_weight(&self) -> u32 {
        256 - self.second_weight
    }
}

fn residual_map(grey: &[f64]) -> Vec<f64> {
    let mut spectrum: Vec<Complex<f64>> = grey.iter().map(|&v| Complex::new(v, 0.0)).collect();
    transform(&mut spectrum, FftDirection::Forward);
    // One is added as in OpenCV's code, where the paper takes the logarithm itself: an amplitude of
    // 0 then has one, too.
    let logs: Vec<f64> = spectrum.iter().map(|value| (value.norm() + 1.0).ln()).collect();
    let usual = filtered(&logs, &[1.0 / 3.0; 3]);
    for ((value, log), usual) in spectrum.iter_mut().zip(&logs).zip(&usual) {
        // The phase stays: it is what says where things are.
        *value = with_amplitude(*value, (log - usual).exp());
    }
    transform(&mut spectrum, FftDirection::Inverse);
    let amplitudes: Vec<f64> = spectrum.iter().map(|value| value.norm()).collect();
    let squares = filtered(&amplitudes, &bell()).into_iter().map(|v| v * v).collect::<Vec<_>>();
    // At least the smallest positive number, as a picture of one colour has no residual to divide
    // by.
    let most = squares.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    squares.into_iter().map(|value| value / most).collect()
}

/// The same phase with another amplitude; the phase of nothing is 0.
fn with_amplitude(value: Complex<f64>, amplitude: f64) -> Complex<f64> {
    let norm = value.norm();
    if norm == 0.0 { Complex::new(amplitude, 0.0) } else { value * (amplitude / norm) }
}

/// Transforms rows, then columns; nothing is divided by.
fn transform(square: &mut [Complex<f64>], direction: FftDirection) {
    let plan = FftPlanner::new().plan_fft(SIDE, direction);
    let mut scratch = vec![Complex::default(); plan.get_inplace_scratch_len()];
    for _ in 0..2 {
        plan.process_with_scratch(square, &mut scratch);
        transpose(square);
    }
}

fn transpose(square: &mut [Complex<f64>]) {
    for y in 0..SIDE {
        for x in 0..y {
            square.swap(y * SIDE + x, x * SIDE + y);
        }
    }
}

/// The weights of 5 samples under a Gaussian of σ = 8.
fn bell() -> [f64; 5] {
    // 128 = 2σ². So wide a bell over five samples is nearly flat; OpenCV asks for just that.
    let weights = [-2.0f64, -1.0, 0.0, 1.0, 2.0].map(|at| (-at * at / 128.0).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Weighted means down, then across, mirrored at the edge without repeating it.
fn filtered<const N: usize>(square: &[f64], weights: &[f64; N]) -> Vec<f64> {
    let taps: [[usize; N]; SIDE] = std::array::from_fn(|at| {
        std::array::from_fn(|k| mirror(at as isize + k as isize - (N / 2) as isize))
    });
    let mut down = Vec::with_capacity(AREA);
    for rows in &taps {
        down.extend((0..SIDE).map(|x| {
            let samples = rows.iter().map(|y| square[y * SIDE + x]);
            samples.zip(weights).map(|(sample, weight)| weight * sample).sum::<f64>()
        }));
    }
    let mut out = Vec::with_capacity(AREA);
    for row in down.chunks_exact(SIDE) {
        out.extend(taps.iter().map(|columns| {
            let samples = columns.iter().map(|x| row[*x]);
            samples.zip(weights).map(|(sample, weight)| weight * sample).sum::<f64>()
        }));
    }
    out
}

fn mirror(at: isize) -> usize {
    let last = SIDE as isize - 1;
    // OpenCV's `BORDER_REFLECT_101`: … 2 1 | 0 1 2 …
    (last - (last - at.abs()).abs()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predict(width: u32, height: u32, sample: impl Fn(u32, u32) -> u8) -> ScalarMap {
        let pixels = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|(x, y)| [[sample(x, y); 3].as_slice(), &[255]].concat())
            .collect();
        SpectralResidual.predict(&Pixels::from_rgba(width, height, pixels).unwrap()).unwrap()
    }

    #[test]
    fn a_lone_mark_is_what_people_look_at() {
        let map = predict(64, 64, |x, y| match (x, y) {
            (40..44, 20..24) => 0,
            _ => 255,
        });
        let most = map.values.iter().position(|&value| value == 1.0).unwrap();
        let (x, y) = (most % 64, most / 64);
        assert!((38..46).contains(&x) && (18..26).contains(&y), "({x}, {y})");
    }

    #[test]
    fn any_picture_has_a_map_of_its_size_within_its_range() {
        for (width, height) in [(1, 1), (1, 90), (3, 2), (200, 65)] {
            let map = predict(width, height, |x, y| (x * 7 + y * y * 3) as u8);
            assert_eq!((map.width, map.height), (width, height));
            assert_eq!(map.values.len(), (width * height) as usize);
            assert!(map.values.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }

    #[test]
    fn lines_mirror_without_repeating_their_ends() {
        assert_eq!([-2, -1, 0, 63, 64, 65].map(mirror), [2, 1, 0, 63, 62, 61]);
    }
}

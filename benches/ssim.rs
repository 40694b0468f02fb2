//! SSIM with its map, and the spectral residual, against the clock, on two phone screens of
//! 1080 × 2340 pixels.
//!
//! With `PENTIMENTO_BENCH_DIR` set, the pictures are also written there as PNG, for
//! `ssim_skimage.py` to time scikit-image and OpenCV on, and our times and scores as `ours.json`, for it to print
//! beside theirs.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use criterion::Criterion;
use pentimento::base::{CancelToken, Pixels, PixelsError};
use pentimento::metric::saliency::{SaliencyPredictor as _, SpectralResidual};
use pentimento::metric::ssim::{SsimGaussian, SsimUniform7};
use serde_json::json;

const WIDTH: u32 = 1080;
const HEIGHT: u32 = 2340;

/// A screen of a bar, cards with a gradient, and rows of marks where text would be. `shift` moves
/// the cards and `ink` recolours the marks, as an agent's attempt would.
fn screen(shift: u32, ink: u8) -> Result<Pixels, PixelsError> {
    let rgba = (0..HEIGHT)
        .flat_map(|y| (0..WIDTH).map(move |x| (x, y)))
        .flat_map(|(x, y)| pixel(x, y + shift, ink))
        .collect();
    Pixels::from_rgba(WIDTH, HEIGHT, rgba)
}

fn pixel(x: u32, y: u32, ink: u8) -> [u8; 4] {
    let in_card = (48..WIDTH - 48).contains(&x) && y % 390 >= 40;
    if y < 180 {
        return [38, 70, 220, 255];
    }
    if !in_card {
        return [246, 246, 248, 255];
    }
    let row = y % 390;
    let is_text = (row / 36) % 2 == 1 && x > 300 && x < 300 + 80 * (row / 36) && mark(x, y);
    if is_text {
        return [ink, ink, ink, 255];
    }
    if x < 250 && (80..310).contains(&row) {
        return [(x % 256) as u8, (row % 256) as u8, 120, 255];
    }
    [255, 255, 255, 255]
}

/// Whether a stroke of a made-up letter covers the pixel.
fn mark(x: u32, y: u32) -> bool {
    let letter = (x / 18).wrapping_mul(2_654_435_761).rotate_left(y / 36 % 31);
    (x % 18 / 3 + letter).is_multiple_of(3) || (y % 36 / 4 + letter).is_multiple_of(5)
}

fn write_pair(ground_truth: &Pixels, generated: &Pixels) -> Result<(), PixelsError> {
    let Some(dir) = std::env::var_os("PENTIMENTO_BENCH_DIR").map(PathBuf::from) else {
        return Ok(());
    };
    for (picture, name) in [(ground_truth, "gt.png"), (generated, "gen.png")] {
        picture.save_png(&dir.join(name))?;
    }
    Ok(())
}

fn main() -> Result<(), PixelsError> {
    let (ground_truth, generated) = (screen(0, 30)?, screen(7, 90)?);
    write_pair(&ground_truth, &generated)?;
    let cancel = CancelToken::new();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("ssim/uniform7 1080x2340 score and map", |bencher| {
        bencher.iter(|| {
            SsimUniform7::compare(black_box(&ground_truth), black_box(&generated), &cancel)
        });
    });
    criterion.bench_function("ssim/uniform7 1080x2340 score", |bencher| {
        bencher
            .iter(|| SsimUniform7::score(black_box(&ground_truth), black_box(&generated), &cancel));
    });
    criterion.bench_function("ssim/gaussian 1080x2340 score and map", |bencher| {
        bencher.iter(|| {
            SsimGaussian::compare(black_box(&ground_truth), black_box(&generated), &cancel)
        });
    });
    criterion.bench_function("spectral residual 1080x2340", |bencher| {
        bencher.iter(|| SpectralResidual.predict(black_box(&ground_truth)));
    });
    criterion.final_summary();
    write_times(&ground_truth, &generated);
    Ok(())
}

/// Writes medians in milliseconds beside the pictures, with the scores, for `ssim_skimage.py`.
#[expect(clippy::expect_used, reason = "a folder that cannot be written has no figures")]
fn write_times(ground_truth: &Pixels, generated: &Pixels) {
    let Some(dir) = std::env::var_os("PENTIMENTO_BENCH_DIR").map(PathBuf::from) else { return };
    let cancel = CancelToken::new();
    let ours = json!({
        "uniform": SsimUniform7::score(ground_truth, generated, &cancel).value(),
        "SSIM, uniform, score and map": median_ms(|| {
            black_box(SsimUniform7::compare(black_box(ground_truth), black_box(generated), &cancel));
        }),
        "SSIM, uniform, score alone": median_ms(|| {
            black_box(SsimUniform7::score(black_box(ground_truth), black_box(generated), &cancel));
        }),
        "SSIM, Gaussian, score and map": median_ms(|| {
            black_box(SsimGaussian::compare(black_box(ground_truth), black_box(generated), &cancel));
        }),
        "spectral residual": median_ms(|| {
            drop(black_box(SpectralResidual.predict(black_box(ground_truth))));
        }),
    });
    std::fs::write(dir.join("ours.json"), ours.to_string()).expect("our times are written");
}

/// The median of so many times, in milliseconds.
fn median_ms(work: impl Fn()) -> f64 {
    const TIMES: usize = 15;
    let mut times: Vec<Duration> = (0..TIMES)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .collect();
    times.sort();
    times[TIMES / 2].as_secs_f64() * 1e3
}

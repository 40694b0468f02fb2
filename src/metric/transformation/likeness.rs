//! How like each other two pictures are.

use crate::base::{CancelToken, Cancelled, Pixels};

use crate::metric::grey::grey;
use crate::metric::resize::compared_planes;
use crate::metric::ssim::SsimUniform7;
use crate::metric::{MissingScore, Score};

/// SSIM, or one less the mean absolute difference where a side is below its window.
pub(super) fn likeness(a: &Pixels, b: &Pixels, cancel: &CancelToken) -> Result<f64, Cancelled> {
    match SsimUniform7::score(a, b, cancel) {
        Score::Value(value) => Ok(value),
        Score::Missing(MissingScore::Cancelled) => Err(Cancelled),
        Score::Missing(_) => closeness(a, b, cancel),
    }
}

/// The picture with each pixel's luma for its colour.
pub(super) fn in_greys(picture: &Pixels) -> Pixels {
    let mut out = picture.clone();
    for (y, row) in picture.rgba().chunks_exact(picture.width() as usize * 4).enumerate() {
        let (pixels, _) = row.as_chunks::<4>();
        let greys: Vec<u8> = pixels
            .iter()
            .flat_map(|&[r, g, b, a]| {
                let luma = grey([r, g, b]);
                [luma, luma, luma, a]
            })
            .collect();
        out.put(0, y as u32, picture.width(), &greys);
    }
    out
}

/// One less the mean absolute difference of all samples, 0..=1, at the smaller size.
fn closeness(a: &Pixels, b: &Pixels, cancel: &CancelToken) -> Result<f64, Cancelled> {
    let [a, b] = compared_planes(a, b, cancel)?;
    let (mut sum, mut count) = (0u64, 0u64);
    for (a, b) in a.iter().zip(&b) {
        let differences = a.samples().iter().zip(b.samples()).map(|(a, b)| a.abs_diff(*b));
        sum += differences.map(u64::from).sum::<u64>();
        count += a.samples().len() as u64;
    }
    Ok(1.0 - sum as f64 / (255.0 * count as f64))
}

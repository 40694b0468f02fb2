//! Holds two pictures against a check, and says what it found.

use serde::Serialize;

use crate::base::{CancelToken, Cancelled, Pixels};
use crate::metric::plane::grey;
use crate::metric::resize::compared_planes;
use crate::metric::ssim::SsimUniform7;
use crate::metric::{Measurement, MissingScore, Score};

use super::color::{
    Luma, channel_means, colored_share, hue_turn, mean_chroma, mean_difference, tint_rise,
};
use super::geometry::{Turned, cropped, flipped, inverted, quarter_turned, quarters};
use super::{Bounds, Check, Region};

/// The verdict of one check.
pub(super) fn judge(
    check: &Check,
    before: &Pixels,
    after: &Pixels,
    cancel: &CancelToken,
) -> Result<Verdict, Cancelled> {
    cancel.check()?;
    let edit = Edit { before, after, cancel };
    // A picture of the wrong size is a verdict like any other, with what it would have to be; only
    // being stopped is none.
    let finding = match edit.find(check) {
        Ok(finding) | Err(CheckStop::Failed(finding)) => finding,
        Err(CheckStop::Cancelled) => return Err(Cancelled),
    };
    Ok(finding.into_verdict(check.name()))
}

/// Why there is nothing to measure.
enum CheckStop {
    Cancelled,
    Failed(Finding),
}

impl From<Cancelled> for CheckStop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

fn failed(wanted: Bounds, why: String) -> CheckStop {
    CheckStop::Failed(Finding::Failed { wanted, why })
}

fn measured(what: &'static str, value: f64, wanted: Bounds) -> Finding {
    Finding::Measured { value, wanted, what }
}

/// A picture before and after.
struct Edit<'a> {
    before: &'a Pixels,
    after: &'a Pixels,
    cancel: &'a CancelToken,
}

impl Edit<'_> {
    fn find(&self, check: &Check) -> Result<Finding, CheckStop> {
        match *check {
            Check::Flip { axis, tolerance } => {
                self.like(flipped(self.before, axis).as_ref(), tolerance)
            }
            Check::Rotate { degrees, tolerance } => self.rotate(degrees, tolerance),
            Check::Crop { region, tolerance } => self.crop(region, tolerance),
            Check::Resize { width, height, tolerance } => self.resize(width, height, tolerance),
            Check::Extend { left, top, right, bottom, tolerance } => {
                self.extend([left, top, right, bottom], tolerance)
            }
            Check::Shift { right, down, tolerance } => self.shift(right, down, tolerance),
            Check::Invert { tolerance } => self.like(inverted(self.before).as_ref(), tolerance),
            // From here on everything stays in its place, and figures of both pictures are compared.
            Check::Brightness { rise, region } => {
                let [old, new] = self.lumas(region, rise)?.map(|luma| luma.mean());
                Ok(measured("rise of the mean luma", new - old, rise))
            }
            Check::Contrast { factor, region } => {
                let deviations = self.lumas(region, factor)?.map(|luma| luma.deviation());
                ratio("factor of the luma's deviation", deviations, factor)
            }
            Check::Saturation { factor, region } => {
                let region = self.region(region, factor)?;
                let chromas = self.pictures().map(|picture| mean_chroma(picture, region));
                ratio("factor of the mean chroma", chromas, factor)
            }
            Check::Hue { degrees, tolerance, region } => self.hue(degrees, tolerance, region),
            Check::Tint { color, rise, region } => {
                let region = self.region(region, rise)?;
                let [old, new] = self.pictures().map(|picture| channel_means(picture, region));
                Ok(measured("rise over the other channels", tint_rise(old, new, color), rise))
            }
            Check::Greyscale { tolerance } => self.greyscale(tolerance),
            Check::Noise { rise, region } => {
                let [old, new] = self.lumas(region, rise)?.map(|luma| luma.noise());
                let (old, new) = old.zip(new).ok_or_else(|| too_small(rise))?;
                Ok(measured("rise of the noise", new - old, rise))
            }
            Check::Opacity { factor, tolerance, region } => {
                let wanted =
                    Bounds { min: Some(factor - tolerance), max: Some(factor + tolerance) };
                let region = self.region(region, wanted)?;
                let alphas = self.pictures().map(|picture| channel_means(picture, region)[3]);
                ratio("factor of the mean alpha", alphas, wanted)
            }
            Check::Changed { difference, region } => {
                self.difference(region, None, Bounds::at_least(difference))
            }
            Check::Unchanged { difference, region, except } => {
                self.difference(region, except, Bounds::at_most(difference))
            }
            Check::Blur { factor, region } | Check::Sharpen { factor, region } => {
                self.sharpness(factor, region)
            }
        }
    }

    fn pictures(&self) -> [&Pixels; 2] {
        [self.before, self.after]
    }

    /// How like what was expected the picture is; `expected` is `None` where none can be.
    fn like(&self, expected: Option<&Pixels>, tolerance: f64) -> Result<Finding, CheckStop> {
        let wanted = Bounds::at_least(1.0 - tolerance);
        let Some(expected) = expected else {
            return Err(failed(wanted, "no such picture can be made of this one".to_owned()));
        };
        self.expect_size(expected.width(), expected.height(), wanted)?;
        let likeness = likeness(expected, self.after, self.cancel)?;
        Ok(measured("likeness to what was expected", likeness, wanted))
    }

    fn expect_size(&self, width: u32, height: u32, wanted: Bounds) -> Result<(), CheckStop> {
        let (made_width, made_height) = (self.after.width(), self.after.height());
        if (made_width, made_height) == (width, height) {
            return Ok(());
        }
        let why = format!(
            "the picture is {made_width} × {made_height} pixels, expected {width} × {height}"
        );
        Err(failed(wanted, why))
    }

    fn rotate(&self, degrees: f64, tolerance: f64) -> Result<Finding, CheckStop> {
        if let Some(quarters) = quarters(degrees) {
            return self.like(quarter_turned(self.before, quarters).as_ref(), tolerance);
        }
        let wanted = Bounds::at_least(1.0 - tolerance);
        let turned = Turned::new(self.before, degrees, (self.after.width(), self.after.height()));
        // What the turned picture does not cover may be anything, so it is taken from what was made,
        // and the score is the mean of the map where no window reaches there.
        let expected = turned.over(self.after);
        self.cancel.check()?;
        let found =
            expected.map(|expected| SsimUniform7::compare(&expected, self.after, self.cancel));
        let (mut sum, mut count) = (0.0, 0u64);
        if let Some(map) = found.as_ref().and_then(Measurement::map) {
            let places = (0..map.height).flat_map(|y| (0..map.width).map(move |x| (x, y)));
            for ((x, y), value) in places.zip(map.values.iter()) {
                if turned.is_covered(x, y) {
                    sum += f64::from(*value);
                    count += 1;
                }
            }
        }
        if count == 0 {
            let why = "too little of the turned picture is in view";
            return Err(failed(wanted, why.to_owned()));
        }
        Ok(measured("likeness to the turned picture", sum / count as f64, wanted))
    }

    fn crop(&self, region: Region, tolerance: f64) -> Result<Finding, CheckStop> {
        // Before cropping, so that the reason names the region and the size.
        region_of(self.before, Some(region), Bounds::at_least(1.0 - tolerance))?;
        self.like(cropped(self.before, region).as_ref(), tolerance)
    }

    fn resize(&self, width: u32, height: u32, tolerance: f64) -> Result<Finding, CheckStop> {
        let wanted = Bounds::at_least(1.0 - tolerance);
        self.expect_size(width, height, wanted)?;
        // The measure brings both to the smaller size itself.
        let likeness = likeness(self.before, self.after, self.cancel)?;
        Ok(measured("likeness to what was expected", likeness, wanted))
    }

    fn extend(&self, borders: [u32; 4], tolerance: f64) -> Result<Finding, CheckStop> {
        let [left, top, right, bottom] = borders;
        let wanted = Bounds::at_least(1.0 - tolerance);
        let (old_width, old_height) = (self.before.width(), self.before.height());
        let width = old_width.saturating_add(left).saturating_add(right);
        let height = old_height.saturating_add(top).saturating_add(bottom);
        self.expect_size(width, height, wanted)?;
        // What is in the new border is free; only the picture in it must be the old one.
        let inner = Region { x: left, y: top, width: old_width, height: old_height };
        self.compare_parts(self.before, Region::whole(self.before), inner, wanted)
    }

    fn shift(&self, right: i32, down: i32, tolerance: f64) -> Result<Finding, CheckStop> {
        let wanted = Bounds::at_least(1.0 - tolerance);
        let (width, height) = (self.before.width(), self.before.height());
        self.expect_size(width, height, wanted)?;
        let [(from_x, to_x, across), (from_y, to_y, along)] =
            [overlap(right, width), overlap(down, height)];
        if across == 0 || along == 0 {
            return Err(failed(wanted, "nothing of the picture is left in view".to_owned()));
        }
        let from = Region { x: from_x, y: from_y, width: across, height: along };
        self.compare_parts(self.before, from, Region { x: to_x, y: to_y, ..from }, wanted)
    }

    /// How alike a part of a picture and a part of what was made are.
    fn compare_parts(
        &self,
        before: &Pixels,
        old: Region,
        new: Region,
        wanted: Bounds,
    ) -> Result<Finding, CheckStop> {
        let parts = cropped(before, old).zip(cropped(self.after, new));
        let (old, new) = parts.ok_or_else(|| failed(wanted, "it has no such part".to_owned()))?;
        let likeness = likeness(&old, &new, self.cancel)?;
        Ok(measured("likeness of what was moved", likeness, wanted))
    }

    fn hue(
        &self,
        degrees: f64,
        tolerance: f64,
        part: Option<Region>,
    ) -> Result<Finding, CheckStop> {
        let wanted = Bounds::at_most(tolerance);
        let region = self.region(part, wanted)?;
        let turn = hue_turn(self.before, self.after, region)
            .ok_or_else(|| failed(wanted, "nothing is coloured before and after".to_owned()))?;
        // Either way round: 350° off is 10° off.
        let off = (turn - degrees).rem_euclid(360.0);
        Ok(measured("degrees off the wanted turn of hues", off.min(360.0 - off), wanted))
    }

    fn greyscale(&self, tolerance: f64) -> Result<Finding, CheckStop> {
        /// The luma may be weighed otherwise, but must be of the same picture.
        const LEAST_LIKENESS: f64 = 0.5;
        let wanted = Bounds::at_most(tolerance);
        self.expect_size(self.before.width(), self.before.height(), wanted)?;
        let [old, new] = self.pictures().map(in_greys);
        let likeness = likeness(&old, &new, self.cancel)?;
        // Without this a picture painted over in grey would pass.
        if likeness < LEAST_LIKENESS {
            let why = format!("the luma is not that of before: likeness {likeness:.4}");
            return Err(failed(wanted, why));
        }
        let share = colored_share(self.after, Region::whole(self.after));
        Ok(measured("share of coloured pixels", share, wanted))
    }

    fn sharpness(&self, factor: Bounds, region: Option<Region>) -> Result<Finding, CheckStop> {
        let [old, new] = self.lumas(region, factor)?.map(|luma| luma.sharpness());
        let (old, new) = old.zip(new).ok_or_else(|| too_small(factor))?;
        ratio("factor of the mean Laplacian", [old, new], factor)
    }

    fn difference(
        &self,
        region: Option<Region>,
        except: Option<Region>,
        wanted: Bounds,
    ) -> Result<Finding, CheckStop> {
        let region = self.region(region, wanted)?;
        let mean = mean_difference(self.pictures(), region, except)
            .ok_or_else(|| failed(wanted, "no pixels are left to compare".to_owned()))?;
        Ok(measured("mean colour difference", mean, wanted))
    }

    /// The luma of a part of both pictures.
    fn lumas(&self, region: Option<Region>, wanted: Bounds) -> Result<[Luma; 2], CheckStop> {
        let region = self.region(region, wanted)?;
        Ok(self.pictures().map(|picture| Luma::of(picture, region)))
    }

    /// The region of two pictures that must have the same size.
    fn region(&self, region: Option<Region>, wanted: Bounds) -> Result<Region, CheckStop> {
        self.expect_size(self.before.width(), self.before.height(), wanted)?;
        region_of(self.before, region, wanted)
    }
}

/// The region, or all of a picture; it must be inside.
fn region_of(
    picture: &Pixels,
    region: Option<Region>,
    wanted: Bounds,
) -> Result<Region, CheckStop> {
    let region = region.unwrap_or_else(|| Region::whole(picture));
    if region.is_inside(picture) {
        return Ok(region);
    }
    let (width, height) = (picture.width(), picture.height());
    let why = format!("the region {region} is not inside a picture of {width} × {height} pixels");
    Err(failed(wanted, why))
}

fn too_small(wanted: Bounds) -> CheckStop {
    failed(wanted, "fewer than 3 × 3 pixels have no details".to_owned())
}

/// New over old; of nothing there is no multiple.
fn ratio(what: &'static str, [old, new]: [f64; 2], wanted: Bounds) -> Result<Finding, CheckStop> {
    /// What summing in floating point may make of nothing.
    const NOTHING: f64 = 1e-9;
    // Neither can be multiplied to something: the check of a rise is made for that.
    if old < NOTHING {
        return Err(failed(wanted, format!("{what}: it was 0 before, so it has no factor")));
    }
    Ok(measured(what, new / old, wanted))
}

/// Where a line that moves by `step` starts before and after, and how much of it stays in view.
fn overlap(step: i32, len: u32) -> (u32, u32, u32) {
    // Not `abs`, which the least of all integers has none of.
    let by = step.unsigned_abs();
    let (from, to) = if step >= 0 { (0, by) } else { (by, 0) };
    (from, to, len.saturating_sub(by))
}

/// What a check found, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The check's name, as in files.
    pub check: &'static str,
    /// Whether the task was done, as far as the check can tell.
    pub passed: bool,
    /// The number that decided; `None` if there was nothing to measure.
    pub measured: Option<f64>,
    /// What it had to be.
    pub wanted: Bounds,
    /// The number and what it had to be in words, or why there is none.
    pub why: String,
}

/// What was measured, before it is held against what is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Finding {
    /// A number.
    Measured {
        /// The number.
        value: f64,
        /// What it must be.
        wanted: Bounds,
        /// What the number is, such as `likeness to the flipped picture`.
        what: &'static str,
    },
    /// The picture cannot be what was asked for.
    Failed {
        /// What the number would have to be.
        wanted: Bounds,
        /// Why not.
        why: String,
    },
}

impl Finding {
    /// As the verdict of the check of this name.
    pub(super) fn into_verdict(self, check: &'static str) -> Verdict {
        match self {
            Self::Measured { value, wanted, what } => {
                let passed = wanted.contain(value);
                let why = format!("{what}: {value:.4}, wanted {wanted}");
                Verdict { check, passed, measured: Some(value), wanted, why }
            }
            Self::Failed { wanted, why } => {
                Verdict { check, passed: false, measured: None, wanted, why }
            }
        }
    }
}

/// SSIM, or one less the mean absolute difference where a side is below its window.
pub(super) fn likeness(a: &Pixels, b: &Pixels, cancel: &CancelToken) -> Result<f64, Cancelled> {
    match SsimUniform7::score(a, b, cancel) {
        Score::Value(value) => Ok(value),
        Score::Missing(MissingScore::Cancelled) => Err(Cancelled),
        // Below 7 pixels a side there is no window, but a task may well be about an icon.
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

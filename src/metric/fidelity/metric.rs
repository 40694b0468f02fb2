//! The share of given pictures that a design shows.

use std::borrow::Cow;

use crate::base::{CancelToken, Pixels};

use super::{BestPlace, InputPlace, TemplateMatch, area, match_template};
use crate::metric::measure::all_missing;
use crate::metric::plane::Plane;
use crate::metric::plane::grey_plane;
use crate::metric::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};

/// A picture counts as shown if it fits somewhere better than this.
const SHOWN_ABOVE: f64 = 0.9;

/// The share of the pictures that the task gave which the generated picture shows, rounded to two
/// decimals as published.
///
/// In shades of grey; a picture that is wider or higher than the generated one is shrunk to fit, its
/// proportions kept. It is looked for at that size only, so a picture that the design shows smaller or
/// larger counts as missing. `fidelity/ccorr-normed` is the published rule; in light designs it finds
/// nearly any light picture, as the mean is not subtracted. `fidelity/ccoeff-normed` subtracts it.
/// The evidence is the best place of each picture. A task that gave no picture has no fidelity (the
/// published code says 0).
#[derive(Clone, Copy, Debug)]
pub struct Fidelity;

const SOURCE: &str =
    "GraphicBench, Fidelity; dayeonki/designbench evaluation/evaluation_execution.py";

const fn variant(
    id: &'static str,
    label: &'static str,
    variant_label: &'static str,
) -> VariantSpec {
    VariantSpec {
        id: Cow::Borrowed(id),
        label,
        variant_label: Cow::Borrowed(variant_label),
        needs: Needs::Inputs,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        map_range: None,
        version: 1,
        source: SOURCE,
    }
}

static VARIANTS: [VariantSpec; 2] = [
    variant("fidelity/ccorr-normed", "Fidelity", "cross-correlation"),
    variant("fidelity/ccoeff-normed", "Fidelity coefficient", "correlation coefficient"),
];

impl Metric for Fidelity {
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
    let picture = comparison.generated_picture()?;
    let inputs = comparison.inputs()?;
    // Once for all inputs.
    let picture = grey_plane(picture);
    let found = inputs.iter().map(|input| find_input(&picture, input, cancel));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    Ok(vec![
        measurement(&found, |found| found.correlation),
        measurement(&found, |found| found.coefficient),
    ])
}

/// A picture as it was looked for, and where it fits.
struct FoundInput {
    width: u32,
    height: u32,
    found: TemplateMatch,
}

fn find_input(
    picture: &Plane,
    input: &Pixels,
    cancel: &CancelToken,
) -> Result<FoundInput, MissingScore> {
    if let Some(template) = shrunk_into(grey_plane(input), picture)
        && let Some(found) = match_template(picture, &template, cancel)?
    {
        let (width, height) = (template.width() as u32, template.height() as u32);
        return Ok(FoundInput { width, height, found });
    }
    let (width, height) = (input.width(), input.height());
    let why = "cannot be shrunk into what was made";
    Err(MissingScore::Undefined(format!("a given picture of {width} × {height} pixels {why}")))
}

/// The input, shrunk into the picture if it is larger in either direction.
fn shrunk_into(input: Plane, picture: &Plane) -> Option<Plane> {
    let (width, height) = (input.width() as f64, input.height() as f64);
    if input.width() <= picture.width() && input.height() <= picture.height() {
        return Some(input);
    }
    // The smaller of the two, so that the whole input fits and its proportions stay.
    let scale = (picture.height() as f64 / height).min(picture.width() as f64 / width);
    // Python's `int`, which cuts off: rounding up could make it larger than the picture again.
    area::shrink(&input, (width * scale) as usize, (height * scale) as usize)
}

fn measurement(found: &[FoundInput], place: fn(&TemplateMatch) -> BestPlace) -> Measurement {
    let places: Vec<InputPlace> = found
        .iter()
        .enumerate()
        .map(|(input, FoundInput { width, height, found })| {
            let place = place(found);
            let is_shown = place.likeness > SHOWN_ABOVE;
            InputPlace { input, width: *width, height: *height, place, is_shown }
        })
        .collect();
    let shown = places.iter().filter(|place| place.is_shown).count();
    // Rounded as published, so that tables come out to the digit.
    let score = Score::from_number(two_decimals(shown as f64 / places.len() as f64));
    Measurement { score, evidence: Some(Evidence::Places(places)) }
}

/// Rounded as Python's `round(value, 2)` does: to nearest of the exact value.
fn two_decimals(value: f64) -> f64 {
    format!("{value:.2}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(width: u32, height: u32, seed: u32) -> Pixels {
        let mut state = seed;
        let samples = (0..width * height).flat_map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let v = (state >> 24) as u8;
            [v, v, v, 255]
        });
        Pixels::from_rgba(width, height, samples.collect()).unwrap()
    }

    fn measured(picture: &Pixels, inputs: &[Pixels]) -> Vec<Measurement> {
        let mut comparison = Comparison { inputs, ..Comparison::default() };
        comparison.generated.picture = Some(picture);
        Fidelity.measurements(&comparison, &CancelToken::new())
    }

    #[test]
    fn a_picture_that_was_put_in_is_shown_and_another_is_not() {
        let (logo, other) = (noise(16, 12, 1), noise(16, 12, 2));
        let mut design = Pixels::filled(60, 50, [250, 250, 250, 255]).unwrap();
        for y in 0..12 {
            design.put(20, 9 + y, 16, &logo.rgba()[y as usize * 64..][..64]);
        }
        let found = measured(&design, &[logo, other]);
        assert_eq!(found[1].score.value(), Some(0.5));
        let Some(Evidence::Places(places)) = &found[1].evidence else { panic!("no places") };
        assert_eq!((places[0].place.x, places[0].place.y, places[0].is_shown), (20, 9, true));
        assert!(!places[1].is_shown);
    }

    #[test]
    fn a_picture_larger_than_the_design_is_shrunk_to_fit() {
        let design = noise(30, 20, 3);
        let found = measured(&design, &[noise(90, 20, 4)]);
        let Some(Evidence::Places(places)) = &found[0].evidence else { panic!("no places") };
        assert_eq!((places[0].width, places[0].height), (30, 6));
    }

    #[test]
    fn nothing_to_look_for_or_in_is_a_reason() {
        let design = noise(9, 9, 1);
        let found = measured(&design, &[]);
        assert!(matches!(found[0].score, Score::Missing(MissingScore::NoInputs(_))));
        let found = measured(&design, &[noise(2000, 1, 1)]);
        assert!(matches!(found[0].score, Score::Missing(MissingScore::Undefined(_))));
        let found = Fidelity.measurements(&Comparison::default(), &CancelToken::new());
        assert!(matches!(found[0].score, Score::Missing(MissingScore::NoPicture(_))));
    }

    #[test]
    fn means_are_rounded_as_python_rounds() {
        let rounded = [0.125, 0.375, 1.0 / 3.0, 0.025, 1.0].map(two_decimals);
        assert_eq!(rounded, [0.12, 0.38, 0.33, 0.03, 1.0]);
    }
}

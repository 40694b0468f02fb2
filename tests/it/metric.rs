//! Metrics against the values the published libraries compute.

use std::path::Path;

use pentimento::base::{CancelToken, Pixels};
use pentimento::metric::ssim::SsimUniform7;
use pentimento::metric::{Registry, ScalarMap};
use serde_json::Value;

use crate::shared;

/// How far a score may be from scikit-image's.
const SCORE_TOLERANCE: f64 = 1e-6;
/// How far a value of the map may be; the map is in single precision.
const MAP_TOLERANCE: f64 = 1e-5;
/// As above where the pictures were resized first: another Pillow may round differently.
const RESIZED_TOLERANCE: f64 = 1e-4;

struct ReferencePair {
    name: String,
    ground_truth: Pixels,
    generated: Pixels,
    resized: bool,
    expected: Value,
}

fn reference_pairs() -> Option<Vec<ReferencePair>> {
    let file = shared::path("reference/image_similarity.json")?;
    let json: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let pairs = json["pairs"].as_array().unwrap();
    assert!(!pairs.is_empty(), "{} lists no pairs", file.display());
    Some(pairs.iter().map(|pair| read_pair(file.parent().unwrap(), pair)).collect())
}

fn read_pair(dir: &Path, pair: &Value) -> ReferencePair {
    let open = |key: &str| Pixels::open(&dir.join(pair[key].as_str().unwrap())).unwrap();
    let (ground_truth, generated) = (open("gt"), open("gen"));
    let size = |p: &Pixels| (p.width(), p.height());
    ReferencePair {
        name: pair["name"].as_str().unwrap().to_owned(),
        resized: size(&ground_truth) != size(&generated),
        ground_truth,
        generated,
        expected: pair.clone(),
    }
}

fn check_samples(name: &str, map: &ScalarMap, samples: &[Value], tolerance: f64) {
    assert!(!samples.is_empty(), "{name} has no samples of the map");
    for sample in samples {
        let at = |key: &str| sample[key].as_u64().unwrap() as u32;
        let (x, y) = (at("col"), at("row"));
        let found = f64::from(map.get(x, y).unwrap());
        let expected = sample["value"].as_f64().unwrap();
        assert!(
            (found - expected).abs() <= tolerance,
            "{name} at ({x}, {y}): {found}, expected {expected}"
        );
    }
}

#[test]
fn ssim_and_its_map_are_those_of_scikit_image() {
    let Some(pairs) = reference_pairs() else { return };
    for pair in pairs {
        let found = SsimUniform7::compare(&pair.ground_truth, &pair.generated, &CancelToken::new());
        let score = found.score.value().unwrap_or_else(|| panic!("{}: no score", pair.name));
        let expected = pair.expected["ssim"].as_f64().unwrap();
        assert!(
            (score - expected).abs() <= SCORE_TOLERANCE,
            "{}: {score}, expected {expected}",
            pair.name
        );
        let map = found.map().unwrap();
        let size: Vec<u64> = vec![map.width.into(), map.height.into()];
        assert_eq!(serde_json::json!(size), pair.expected["compared_size"], "{}", pair.name);
        let tolerance = if pair.resized { RESIZED_TOLERANCE } else { MAP_TOLERANCE };
        let samples = pair.expected["ssim_map_samples"].as_array().unwrap();
        check_samples(&pair.name, map, samples, tolerance);
    }
}

#[test]
fn a_picture_of_the_reference_is_exactly_like_itself() {
    let Some(pairs) = reference_pairs() else { return };
    for pair in pairs {
        let score = SsimUniform7::score(&pair.generated, &pair.generated, &CancelToken::new());
        assert_eq!(score.value(), Some(1.0), "{}", pair.name);
    }
}

/// A locked value of our own making, so that the suite means something without the reference:
/// computed once by scikit-image 0.26 and Pillow 13 on these very pictures.
#[test]
fn locked_pictures_score_as_scikit_image_scored_them() {
    let pattern = |width: u32, height: u32, factor: u32| {
        let rgba = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|(x, y)| {
                [x * factor, y * 5 + x, (x * y) / 3 + factor]
                    .map(|v| (v % 256) as u8)
                    .into_iter()
                    .chain([255])
            })
            .collect();
        Pixels::from_rgba(width, height, rgba).unwrap()
    };
    for (a, b, expected) in [
        (pattern(40, 30, 3), pattern(40, 30, 4), LOCKED_SAME_SIZE),
        (pattern(64, 48, 2), pattern(23, 61, 5), LOCKED_RESIZED),
    ] {
        let score = SsimUniform7::score(&a, &b, &CancelToken::new()).value().unwrap();
        assert!((score - expected).abs() < 1e-12, "{score}, expected {expected}");
    }
}

const LOCKED_SAME_SIZE: f64 = 0.974_776_648_031_391_9;
const LOCKED_RESIZED: f64 = 0.653_770_042_142_512_9;

#[test]
fn every_metric_has_a_name_of_its_own_and_a_source() {
    let registry = Registry::built_in();
    let mut seen = std::collections::BTreeSet::new();
    for spec in registry.variants() {
        assert!(spec.id.contains('/') && !spec.label.is_empty() && !spec.source.is_empty());
        assert!(spec.range.0 < spec.range.1, "{}", spec.id);
        assert!(seen.insert(&spec.id), "{} is there twice", spec.id);
    }
}

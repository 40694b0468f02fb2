//! Metrics of pictures against the values that scikit-image and OpenCV compute.

use pentimento::base::{CancelToken, Cancelled, Pixels};
use pentimento::metric::fidelity::{BestPlace, match_template};
use pentimento::metric::plane::{Plane, rgb_planes};
use pentimento::metric::saliency::{self, SaliencyPredictor as _, SpectralResidual};
use pentimento::metric::{Comparison, Evidence, Measurement, MissingScore, Registry, Score};
use pentimento::metric::{Lab, ciede2000};
use serde_json::Value;

use crate::shared;

/// How far a score may be from the library's.
const TOLERANCE: f64 = 1e-6;
/// As above where the pictures were resized first: another Pillow may round differently.
const RESIZED_TOLERANCE: f64 = 1e-4;
/// How far the correlation coefficient of one case may be: OpenCV sums products in single precision,
/// and what is lost there counts for more once the means are taken off, in this case alone enough to
/// be seen. Ours is exact.
const COEFFICIENT_OF: &str = "tm3";
const COEFFICIENT_TOLERANCE: f64 = 2e-5;

fn reference(file: &str, list: &str) -> Option<Vec<Value>> {
    let path = shared::path(&format!("reference/{file}"))?;
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let entries = json[list].as_array().unwrap().clone();
    assert!(!entries.is_empty(), "{file} lists nothing");
    Some(entries)
}

fn open(file: &Value) -> Pixels {
    let folder = shared::path("reference").unwrap();
    Pixels::open(&folder.join(file.as_str().unwrap())).unwrap()
}

fn measure(id: &str, a: &Pixels, b: &Pixels) -> Measurement {
    let comparison = Comparison::of_pictures(a, b);
    Registry::built_in().measure_one(id, &comparison, &CancelToken::new()).unwrap().unwrap()
}

fn assert_near(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn pictures_score_as_scikit_image_scores_them() {
    let Some(pairs) = reference("image_similarity.json", "pairs") else { return };
    for pair in pairs {
        let (a, b) = (open(&pair["gt"]), open(&pair["gen"]));
        let is_resized = (a.width(), a.height()) != (b.width(), b.height());
        let tolerance = if is_resized { RESIZED_TOLERANCE } else { TOLERANCE };
        for (id, key) in [
            ("ssim/gaussian", "ssim_gaussian"),
            ("psnr/skimage", "psnr"),
            ("rmse_inverse/canvas", "rmse_inverse"),
        ] {
            let what = format!("{} of {}", id, pair["name"]);
            let found = measure(id, &a, &b);
            match (found.score.value(), pair[key].as_f64()) {
                (Some(value), Some(expected)) => assert_near(&what, value, expected, tolerance),
                (None, None) => assert!(found.map().is_none() || key == "psnr", "{what}"),
                (found, expected) => panic!("{what}: {found:?}, expected {expected:?}"),
            }
        }
    }
}

#[test]
fn saliency_maps_compare_as_the_published_code_compares_them() {
    let Some(pairs) = reference("saliency.json", "pairs") else { return };
    let map = |file: &Value| -> Vec<f64> {
        let [red, ..] = rgb_planes(&open(file));
        red.samples().iter().map(|&sample| f64::from(sample) / 255.0).collect()
    };
    for pair in pairs {
        let (a, b) = (map(&pair["gt_map"]), map(&pair["gen_map"]));
        let name = pair["name"].as_str().unwrap();
        for (measure, key) in [
            (saliency::correlation as fn(&[f64], &[f64]) -> Option<f64>, "cc"),
            (saliency::intersection, "sim"),
            (saliency::divergence, "kl"),
        ] {
            let expected = pair[key].as_f64().unwrap();
            assert_near(&format!("{key} of {name}"), measure(&a, &b).unwrap(), expected, TOLERANCE);
        }
    }
}

#[test]
fn the_spectral_residual_is_that_of_opencv() {
    let Some(pairs) = reference("saliency.json", "pairs") else { return };
    for pair in pairs {
        for side in ["gt", "gen"] {
            let name = pair["name"].as_str().unwrap();
            let picture = open(&format!("images/{name}_{side}.png").into());
            let stored = open(&pair[format!("{side}_map")]);
            let found = measure("saliency_cc/spectral-residual", &picture, &picture);
            let Some(Evidence::Saliency(maps)) = found.evidence else { panic!("no maps") };
            let (size, map) = ((320, 240), maps.ground_truth.unwrap());
            assert_eq!(((map.width, map.height), (stored.width(), stored.height())), (size, size));
            for (value, pixel) in map.values.iter().zip(stored.rgba().chunks_exact(4)) {
                let level = f64::from(*value) * 255.0;
                // Stored to the nearest of 256 levels.
                assert_near(&format!("{name}_{side}"), level, f64::from(pixel[0]), 0.52);
            }
        }
    }
}

#[test]
fn templates_are_found_where_opencv_finds_them() {
    let Some(cases) = reference("template_matching.json", "cases") else { return };
    for case in cases {
        let (picture, template) = (grey(&open(&case["image"])), grey(&open(&case["template"])));
        let found = match_template(&picture, &template, &CancelToken::new()).unwrap().unwrap();
        check_place(&case["image"], found.correlation, &case["ccorr_normed"], TOLERANCE);
        let (found, expected) = (found.coefficient, &case["ccoeff_normed"]);
        let is_lossy = case["image"].as_str().is_some_and(|name| name.contains(COEFFICIENT_OF));
        let tolerance = if is_lossy { COEFFICIENT_TOLERANCE } else { TOLERANCE };
        check_place(&case["image"], found, expected, tolerance);
    }
}

fn check_place(name: &Value, found: BestPlace, expected: &Value, tolerance: f64) {
    let place = [expected["x"].as_u64().unwrap(), expected["y"].as_u64().unwrap()];
    assert_eq!([u64::from(found.x), u64::from(found.y)], place, "{name}");
    assert_near(&name.to_string(), found.likeness, expected["max"].as_f64().unwrap(), tolerance);
}

/// The pictures of the reference are grey already.
fn grey(picture: &Pixels) -> Plane {
    let [red, green, blue] = rgb_planes(picture);
    assert!(red == green && green == blue);
    red
}

/// The test data that Sharma, Wu and Dalal published with their notes: two colours in L*a*b* and
/// their difference.
#[test]
fn colours_differ_as_the_notes_on_ciede2000_say() {
    for [l1, a1, b1, l2, a2, b2, expected] in SHARMA {
        let one = Lab { l: *l1, a: *a1, b: *b1 };
        let other = Lab { l: *l2, a: *a2, b: *b2 };
        let what = format!("{one:?} and {other:?}");
        assert_near(&what, ciede2000(one, other), *expected, 5e-5);
        assert_near(&what, ciede2000(other, one), *expected, 5e-5);
    }
}

#[test]
fn every_metric_of_pictures_stays_in_its_range_on_pictures_of_any_size() {
    let registry = Registry::built_in();
    let sizes = [(1, 1), (1, 40), (7, 7), (13, 11), (40, 33)];
    for (seed, (width, height)) in sizes.into_iter().enumerate() {
        let [a, b] = [1, 2].map(|k| noise(width, height, seed as u32 * 7 + k));
        let comparison = Comparison::of_pictures(&a, &b);
        for measured in registry.measure(&comparison, &CancelToken::new()).unwrap() {
            let (variant, score) = (measured.variant, measured.measurement.score);
            let is_fine = match &score {
                Score::Value(value) => (variant.range.0..=variant.range.1).contains(value),
                Score::Missing(why) => *why != MissingScore::NotFinite,
            };
            assert!(is_fine, "{} at {width}×{height}: {score:?}", variant.id);
        }
    }
}

#[test]
fn a_map_lies_within_what_its_variant_says() {
    let (a, b) = (noise(40, 30, 1), noise(40, 30, 2));
    let comparison = Comparison::of_pictures(&a, &b);
    for measured in Registry::built_in().measure(&comparison, &CancelToken::new()).unwrap() {
        let Some(map) = measured.measurement.map() else { continue };
        let (from, to) = measured.variant.map_range.unwrap();
        let (least, most) = (from.min(to) as f32, from.max(to) as f32);
        assert!(map.values.iter().all(|v| (least..=most).contains(v)), "{}", measured.variant.id);
        assert_eq!(map.values.len(), (map.width * map.height) as usize);
    }
}

#[test]
fn a_raised_token_stops_the_metrics_of_pixels() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let picture = noise(20, 20, 1);
    let comparison = Comparison::of_pictures(&picture, &picture);
    let registry = Registry::built_in();
    for id in ["ssim/gaussian", "psnr/skimage", "rmse_inverse/canvas", "color_difference/ciede2000"]
    {
        let (metric, at) = registry.find(id).unwrap();
        let score = metric.measurements(&comparison, &cancel).remove(at).score;
        assert_eq!(score, Score::Missing(MissingScore::Cancelled), "{id}");
        // That is no result: who asks for one hears that it was stopped.
        assert_eq!(registry.measure_one(id, &comparison, &cancel).err(), Some(Cancelled), "{id}");
    }
}

#[test]
fn a_picture_of_one_pixel_has_a_saliency_map_and_no_saliency_score() {
    let picture = noise(1, 1, 5);
    assert_eq!(SpectralResidual.predict(&picture).unwrap().values.len(), 1);
    let found = measure("saliency_cc/spectral-residual", &picture, &picture);
    assert!(matches!(found.score, Score::Missing(MissingScore::Undefined(_))));
}

fn noise(width: u32, height: u32, seed: u32) -> Pixels {
    let mut state = seed;
    let sample = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    Pixels::from_rgba(width, height, (0..width * height * 4).map(sample).collect()).unwrap()
}

#[rustfmt::skip]
const SHARMA: &[[f64; 7]] = &[
    [50.0, 2.6772, -79.7751, 50.0, 0.0, -82.7485, 2.0425],
    [50.0, 3.1571, -77.2803, 50.0, 0.0, -82.7485, 2.8615],
    [50.0, 2.8361, -74.0200, 50.0, 0.0, -82.7485, 3.4412],
    [50.0, -1.3802, -84.2814, 50.0, 0.0, -82.7485, 1.0],
    [50.0, -1.1848, -84.8006, 50.0, 0.0, -82.7485, 1.0],
    [50.0, -0.9009, -85.5211, 50.0, 0.0, -82.7485, 1.0],
    [50.0, 0.0, 0.0, 50.0, -1.0, 2.0, 2.3669],
    [50.0, -1.0, 2.0, 50.0, 0.0, 0.0, 2.3669],
    [50.0, 2.4900, -0.0010, 50.0, -2.4900, 0.0009, 7.1792],
    [50.0, 2.4900, -0.0010, 50.0, -2.4900, 0.0010, 7.1792],
    [50.0, 2.4900, -0.0010, 50.0, -2.4900, 0.0011, 7.2195],
    [50.0, 2.4900, -0.0010, 50.0, -2.4900, 0.0012, 7.2195],
    [50.0, -0.0010, 2.4900, 50.0, 0.0009, -2.4900, 4.8045],
    [50.0, -0.0010, 2.4900, 50.0, 0.0010, -2.4900, 4.8045],
    [50.0, -0.0010, 2.4900, 50.0, 0.0011, -2.4900, 4.7461],
    [50.0, 2.5, 0.0, 50.0, 0.0, -2.5, 4.3065],
    [50.0, 2.5, 0.0, 73.0, 25.0, -18.0, 27.1492],
    [50.0, 2.5, 0.0, 61.0, -5.0, 29.0, 22.8977],
    [50.0, 2.5, 0.0, 56.0, -27.0, -3.0, 31.9030],
    [50.0, 2.5, 0.0, 58.0, 24.0, 15.0, 19.4535],
    [50.0, 2.5, 0.0, 50.0, 3.1736, 0.5854, 1.0],
    [50.0, 2.5, 0.0, 50.0, 3.2972, 0.0, 1.0],
    [50.0, 2.5, 0.0, 50.0, 1.8634, 0.5757, 1.0],
    [50.0, 2.5, 0.0, 50.0, 3.2592, 0.3350, 1.0],
    [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
    [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630],
    [61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731],
    [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
    [22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373],
    [36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
    [90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441],
    [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
    [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
    [2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082],
];

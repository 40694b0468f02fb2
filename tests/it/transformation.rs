//! Success functions over pictures before and after an edit.

use pentimento::base::{CancelToken, Cancelled, Pixels};
use pentimento::metric::transformation::{Check, Checks, ChecksError, Verdict};
use serde_json::{Value, json};

const WIDTH: u32 = 48;
const HEIGHT: u32 = 36;

/// A picture in which every place looks different from its mirror image and its neighbours.
fn photo() -> Pixels {
    picture(WIDTH, HEIGHT, |x, y| {
        let wave = ((f64::from(x) * 0.45).sin() * 40.0 + (f64::from(y) * 0.3).cos() * 40.0) as i32;
        let texture = if (x * 7 + y * 13) % 11 < 4 { 18 } else { -10 };
        let ramp = (x * 2) as i32;
        [60 + ramp + wave, 90 + wave + texture, 110 - ramp / 2 + texture]
    })
}

fn picture(width: u32, height: u32, rgb: impl Fn(u32, u32) -> [i32; 3]) -> Pixels {
    let pixel = |x, y| {
        let [r, g, b] = rgb(x, y).map(|sample| sample.clamp(0, 255) as u8);
        [r, g, b, 255]
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Pixels::from_rgba(width, height, places.flat_map(|(x, y)| pixel(x, y)).collect()).unwrap()
}

fn at(picture: &Pixels, x: u32, y: u32) -> [i32; 3] {
    let [r, g, b, _] =
        picture.get(x.min(picture.width() - 1), y.min(picture.height() - 1)).unwrap();
    [r, g, b].map(i32::from)
}

/// The photo with each colour changed.
fn recolored(change: impl Fn([i32; 3]) -> [i32; 3]) -> Pixels {
    let photo = photo();
    picture(WIDTH, HEIGHT, |x, y| change(at(&photo, x, y)))
}

fn grey_of([r, g, b]: [i32; 3]) -> i32 {
    (r * 299 + g * 587 + b * 114) / 1000
}

fn blurred(photo: &Pixels) -> Pixels {
    picture(photo.width(), photo.height(), |x, y| {
        let mut sums = [0; 3];
        for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
            let around = at(photo, (x + dx).saturating_sub(1), (y + dy).saturating_sub(1));
            sums = std::array::from_fn(|k| sums[k] + around[k]);
        }
        sums.map(|sum| sum / 9)
    })
}

fn judge(check: Value, before: &Pixels, after: &Pixels) -> Verdict {
    let file = json!({ "checks": [check] });
    let checks = Checks::parse(file.to_string().as_bytes()).unwrap();
    let verdicts = checks.judge(before, after, &CancelToken::new()).unwrap();
    verdicts.into_iter().next().unwrap()
}

/// Each check with a picture that was edited so.
fn edits() -> Vec<(Value, Pixels)> {
    let photo = photo();
    let flat = |x: u32, y: u32| at(&photo, x, y);
    let noisy = |x: u32, y: u32| {
        let noise = ((x * 7919 + y * 104_729 + x * y * 31) % 61) as i32 - 30;
        flat(x, y).map(|sample| sample + noise)
    };
    let in_part = |x: u32, y: u32| (10..20).contains(&x) && (8..16).contains(&y);
    let part = json!({"x": 10, "y": 8, "width": 10, "height": 8});
    let faded = Pixels::from_rgba(
        WIDTH,
        HEIGHT,
        photo.rgba().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 128]).collect(),
    );
    let mut edits = vec![
        (
            json!({"check": "flip", "axis": "horizontal", "tolerance": 0.02}),
            picture(WIDTH, HEIGHT, |x, y| flat(WIDTH - 1 - x, y)),
        ),
        (
            json!({"check": "flip", "axis": "vertical"}),
            picture(WIDTH, HEIGHT, |x, y| flat(x, HEIGHT - 1 - y)),
        ),
        (
            json!({"check": "rotate", "degrees": 90.0, "tolerance": 0.0}),
            picture(HEIGHT, WIDTH, |x, y| flat(y, HEIGHT - 1 - x)),
        ),
        (
            json!({"check": "rotate", "degrees": -90}),
            picture(HEIGHT, WIDTH, |x, y| flat(WIDTH - 1 - y, x)),
        ),
        (json!({"check": "crop", "region": part}), picture(10, 8, |x, y| flat(x + 10, y + 8))),
        (
            json!({"check": "resize", "width": 96, "height": 72}),
            picture(96, 72, |x, y| flat(x / 2, y / 2)),
        ),
        (
            json!({"check": "extend", "left": 5, "bottom": 3, "tolerance": 0.0}),
            picture(WIDTH + 5, HEIGHT + 3, |x, y| {
                if x >= 5 && y < HEIGHT { flat(x - 5, y) } else { [255; 3] }
            }),
        ),
        (
            json!({"check": "shift", "right": -4, "down": 3}),
            picture(WIDTH, HEIGHT, |x, y| if y >= 3 { flat(x + 4, y - 3) } else { [0; 3] }),
        ),
        (json!({"check": "invert"}), recolored(|rgb| rgb.map(|sample| 255 - sample))),
        (
            json!({"check": "brightness", "rise": {"min": 0.05, "max": 0.1}}),
            recolored(|rgb| rgb.map(|sample| sample + 20)),
        ),
        (
            json!({"check": "contrast", "factor": {"max": 0.6}}),
            recolored(|rgb| rgb.map(|sample| 64 + sample / 2)),
        ),
        (
            json!({"check": "saturation", "factor": {"min": 1.3}}),
            recolored(|rgb| {
                let grey = grey_of(rgb);
                rgb.map(|sample| grey + (sample - grey) * 3 / 2)
            }),
        ),
        (json!({"check": "hue", "degrees": 120}), recolored(|[r, g, b]| [b, r, g])),
        (
            json!({"check": "tint", "color": "blue", "rise": {"min": 0.05}}),
            recolored(|[r, g, b]| [r, g, b + 25]),
        ),
        (
            json!({"check": "tint", "color": "cyan", "rise": {"min": 0.05}}),
            recolored(|[r, g, b]| [r - 25, g, b]),
        ),
        (json!({"check": "greyscale"}), recolored(|rgb| [grey_of(rgb); 3])),
        (json!({"check": "blur"}), blurred(&photo)),
        (json!({"check": "noise", "rise": {"min": 0.02}}), picture(WIDTH, HEIGHT, noisy)),
        (json!({"check": "opacity", "factor": 0.5}), faded.unwrap()),
        (
            json!({"check": "changed", "region": part}),
            picture(WIDTH, HEIGHT, |x, y| if in_part(x, y) { [250, 20, 20] } else { flat(x, y) }),
        ),
        (
            json!({"check": "unchanged", "except": part}),
            picture(WIDTH, HEIGHT, |x, y| if in_part(x, y) { [250, 20, 20] } else { flat(x, y) }),
        ),
    ];
    let soft = blurred(&photo);
    edits.push((
        json!({"check": "sharpen"}),
        picture(WIDTH, HEIGHT, |x, y| {
            let (sharp, soft) = (flat(x, y), at(&soft, x, y));
            std::array::from_fn(|k| 2 * sharp[k] - soft[k])
        }),
    ));
    edits
}

#[test]
fn every_check_passes_the_edit_it_is_for() {
    let before = photo();
    let mut seen = std::collections::BTreeSet::new();
    for (check, after) in edits() {
        let verdict = judge(check.clone(), &before, &after);
        assert!(verdict.passed, "{check}: {}", verdict.why);
        assert!(verdict.measured.is_some() && check["check"] == verdict.check);
        seen.insert(verdict.check);
    }
    assert_eq!(seen, Check::NAMES.into_iter().collect());
}

#[test]
fn no_check_but_that_nothing_changed_passes_a_picture_left_alone() {
    let before = photo();
    for (check, _) in edits() {
        let verdict = judge(check.clone(), &before, &before);
        assert_eq!(verdict.passed, verdict.check == "unchanged", "{check}: {}", verdict.why);
    }
}

#[test]
fn checks_of_geometry_do_not_pass_another_edit() {
    let before = photo();
    let edits = edits();
    let is_geometry = |check: &Value| {
        ["flip", "rotate", "crop", "resize", "extend", "shift", "invert"]
            .contains(&check["check"].as_str().unwrap())
    };
    for (at, (check, _)) in edits.iter().enumerate().filter(|(_, (check, _))| is_geometry(check)) {
        for (other_at, (other, after)) in edits.iter().enumerate() {
            let passed = judge(check.clone(), &before, after).passed;
            assert_eq!(passed, at == other_at, "{check} on the edit for {other}");
        }
    }
}

#[test]
fn a_turn_by_any_angle_is_recognised_on_its_own_canvas_or_a_larger_one() {
    let before = photo();
    let turned = |width: u32, height: u32, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let centre = |side: u32| (f64::from(side) - 1.0) / 2.0;
        picture(width, height, |x, y| {
            let (x, y) = (f64::from(x) - centre(width), f64::from(y) - centre(height));
            let from_x = (x * cos + y * sin + centre(WIDTH)).round();
            let from_y = (y * cos - x * sin + centre(HEIGHT)).round();
            let is_inside = (0.0..f64::from(WIDTH)).contains(&from_x)
                && (0.0..f64::from(HEIGHT)).contains(&from_y);
            if is_inside { at(&before, from_x as u32, from_y as u32) } else { [255; 3] }
        })
    };
    let check = json!({"check": "rotate", "degrees": 15, "tolerance": 0.25});
    for (width, height) in [(WIDTH, HEIGHT), (60, 50)] {
        let right = judge(check.clone(), &before, &turned(width, height, 15.0));
        assert!(right.passed, "{width} × {height}: {}", right.why);
        let wrong = judge(check.clone(), &before, &turned(width, height, -15.0));
        assert!(!wrong.passed, "{width} × {height}: {}", wrong.why);
    }
}

#[test]
fn what_cannot_be_measured_fails_and_says_why() {
    let (photo, flat) = (photo(), Pixels::filled(WIDTH, HEIGHT, [90, 90, 90, 255]).unwrap());
    let small = Pixels::filled(2, 2, [9, 9, 9, 255]).unwrap();
    let outside = json!({"x": 40, "y": 0, "width": 9, "height": 9});
    for (check, before, after, why) in [
        (json!({"check": "flip", "axis": "vertical"}), &photo, &small, "2 × 2"),
        (json!({"check": "crop", "region": outside}), &photo, &small, "not inside"),
        (json!({"check": "changed", "region": outside}), &photo, &photo, "not inside"),
        (json!({"check": "contrast", "factor": {"min": 1}}), &flat, &flat, "0 before"),
        (json!({"check": "hue", "degrees": 9}), &flat, &flat, "coloured"),
        (json!({"check": "blur"}), &small, &small, "3 × 3"),
        (json!({"check": "rotate", "degrees": 45}), &small, &small, "in view"),
        (json!({"check": "shift", "right": -2_147_483_648, "down": 0}), &photo, &photo, "in view"),
        (json!({"check": "greyscale"}), &photo, &flat, "likeness"),
        (
            json!({"check": "unchanged", "except": {"x": 0, "y": 0, "width": 99, "height": 99}}),
            &photo,
            &photo,
            "no pixels",
        ),
    ] {
        let verdict = judge(check.clone(), before, after);
        assert!(!verdict.passed && verdict.measured.is_none(), "{check}: {}", verdict.why);
        assert!(verdict.why.contains(why), "{check}: {}", verdict.why);
    }
}

#[test]
fn a_file_with_a_mistake_is_refused_with_what_it_is() {
    for (file, why) in [
        ("", "not a checks file"),
        ("[]", "not a checks file"),
        (r#"{"checks": []}"#, "no checks"),
        (r#"{"checks": [{"check": "flop"}]}"#, "flop"),
        (r#"{"checks": [{"check": "flip", "axis": "vertical", "tolerence": 1}]}"#, "tolerence"),
        (r#"{"checks": [{"check": "invert"}, {"check": "noise", "rise": {}}]}"#, "check 2 (noise)"),
        (r#"{"checks": [{"check": "noise", "rise": {"min": 2, "max": 1}}]}"#, "min above its max"),
        (r#"{"checks": [{"check": "invert", "tolerance": -1}]}"#, "tolerance below 0"),
        (r#"{"checks": [{"check": "resize", "width": 0, "height": 1}]}"#, "without area"),
        (r#"{"checks": [{"check": "changed", "difference": -1}]}"#, "below 0"),
    ] {
        let error = Checks::parse(file.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(why), "{file}: {error}");
    }
    let many = json!({"checks": vec![json!({"check": "invert"}); 1001]}).to_string();
    assert!(matches!(Checks::parse(many.as_bytes()), Err(ChecksError::TooMany(1001))));
}

#[test]
fn a_file_reads_back_as_it_was_written() {
    let checks: Vec<Value> = edits().into_iter().map(|(check, _)| check).collect();
    let parsed = Checks::parse(json!({ "checks": checks }).to_string().as_bytes()).unwrap();
    let written = serde_json::to_vec(&parsed).unwrap();
    assert_eq!(Checks::parse(&written).unwrap(), parsed);
}

#[test]
fn a_raised_token_stops_the_checks() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let checks = Checks::parse(br#"{"checks": [{"check": "invert"}]}"#).unwrap();
    assert_eq!(checks.judge(&photo(), &photo(), &cancel), Err(Cancelled));
}

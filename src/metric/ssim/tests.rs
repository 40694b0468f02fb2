//! The slow, obvious SSIM as the judge of the fast one, and what must hold for any pictures.

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
    let reflect = |at: i64, len: i64| if at < 0 { -1 - at } else { at.min(2 * len - 1 - at) };
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

fn compare(a: &Pixels, b: &Pixels) -> (f64, ScalarMap) {
    let found = SsimUniform7::compare(a, b, &CancelToken::new());
    (found.score.value().unwrap(), found.map().unwrap().clone())
}

fn picture(width: u32, height: u32, samples: &[u8]) -> Pixels {
    let len = (width * height * 4) as usize;
    Pixels::from_rgba(width, height, samples.iter().copied().cycle().take(len).collect()).unwrap()
}

/// Pictures of the same size between 7×7 and 24×24, of random, flat or smooth samples.
fn pair() -> impl Strategy<Value = (Pixels, Pixels)> {
    let samples = || {
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 1..400),
            any::<u8>().prop_map(|v| vec![v]),
            proptest::collection::vec(prop_oneof![Just(0u8), Just(255)], 1..300),
        ]
    };
    (7u32..25, 7u32..25, samples(), samples())
        .prop_map(|(w, h, a, b)| (picture(w, h, &a), picture(w, h, &b)))
}

proptest! {
    #[test]
    fn the_sliding_sums_agree_with_the_slow_way((a, b) in pair()) {
        let (score, map) = compare(&a, &b);
        let (slow_score, slow_map) = slow_ssim(&a, &b);
        prop_assert!((score - slow_score).abs() < 1e-9, "{} and {}", score, slow_score);
        for (fast, slow) in map.values.iter().zip(slow_map) {
            prop_assert!((f64::from(*fast) - slow).abs() < 1e-6, "{} and {}", fast, slow);
        }
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
    fn the_score_alone_is_the_score_with_the_map((a, b) in pair()) {
        let alone = SsimUniform7::score(&a, &b, &CancelToken::new());
        prop_assert_eq!(alone.value(), Some(compare(&a, &b).0));
    }
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

use proptest::prelude::*;

use super::*;

/// Every filter at settings that do something.
fn strong() -> Vec<Filter> {
    vec![
        Filter::BrightnessContrast { brightness: 40, contrast: 30 },
        Filter::BlackAndWhite,
        Filter::HueSaturationLightness { hue: 90, saturation: 40, light: -10 },
        Filter::Blur { amount: 5 },
        Filter::Photo { tint: Tint([236, 138, 0]), density: 60 },
        Filter::Glass { distortion: 8, smoothness: 4, scaling: 100 },
        Filter::Glow { graininess: 5, glow: 10, clear: 8 },
        Filter::OceanRipple { size: 6, magnitude: 9 },
        Filter::StainedGlass { cell: 10, border: 3, light: 4 },
        Filter::Patchwork { square: 4, relief: 8 },
        Filter::Watercolor { detail: 9, shadow: 6, texture: 2 },
    ]
}

/// Filters that change nothing.
fn neutral() -> Vec<Filter> {
    vec![
        Filter::BrightnessContrast { brightness: 0, contrast: 0 },
        Filter::HueSaturationLightness { hue: 0, saturation: 0, light: 0 },
        Filter::Blur { amount: 0 },
        Filter::Photo { tint: Tint([236, 138, 0]), density: 0 },
        Filter::Photo { tint: Tint([255; 3]), density: 100 },
        Filter::Glass { distortion: 0, smoothness: 5, scaling: 100 },
        Filter::Glow { graininess: 0, glow: 0, clear: 10 },
        Filter::OceanRipple { size: 5, magnitude: 0 },
    ]
}

fn turned(rgb: [u8; 3], hue: i32) -> [u8; 3] {
    one(Filter::HueSaturationLightness { hue, saturation: 0, light: 0 }, rgb)
}

fn luma([r, g, b]: [u8; 3]) -> f32 {
    0.3 * f32::from(r) + 0.59 * f32::from(g) + 0.11 * f32::from(b)
}

/// A colour around the middle of the curve.
fn middle(brightness: i32, contrast: i32) -> [u8; 3] {
    one(Filter::BrightnessContrast { brightness, contrast }, [128, 64, 192])
}

fn any_filter() -> impl Strategy<Value = Filter> {
    (0..11usize, -300..300i32, -300..300i32, -300..300i32, any::<[u8; 3]>()).prop_map(
        |(kind, a, b, c, rgb)| match kind {
            0 => Filter::BrightnessContrast { brightness: a, contrast: b },
            1 => Filter::BlackAndWhite,
            2 => Filter::HueSaturationLightness { hue: a, saturation: b, light: c },
            3 => Filter::Blur { amount: a },
            4 => Filter::Photo { tint: Tint(rgb), density: a },
            5 => Filter::Glass { distortion: a, smoothness: b, scaling: c },
            6 => Filter::Glow { graininess: a, glow: b, clear: c },
            7 => Filter::OceanRipple { size: a, magnitude: b },
            8 => Filter::StainedGlass { cell: a, border: b, light: c },
            9 => Filter::Patchwork { square: a, relief: b },
            _ => Filter::Watercolor { detail: a, shadow: b, texture: c },
        },
    )
}

fn any_picture() -> impl Strategy<Value = Pixels> {
    (1..40u32, 1..40u32, any::<u32>()).prop_map(|(width, height, seed)| {
        let samples = (0..width * height * 4).map(|at| noise::bits(at as i32, 0, seed));
        let rgba = samples.map(|bits| (bits >> 24) as u8).collect();
        Pixels::from_rgba(width, height, rgba).unwrap()
    })
}

/// A picture with an edge, a slope, a colour wheel of sorts and a hole.
fn sample() -> Pixels {
    let (width, height) = (120u32, 90u32);
    let mut rgba = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let alpha = if (40..60).contains(&x) && y > 70 { 0 } else { 255 };
        let r = (x * 255 / width) as u8;
        let g = (y * 255 / height) as u8;
        rgba.extend(if x > 80 { [20, 40, 200, alpha] } else { [r, g, 255 - r, alpha] });
    }
    Pixels::from_rgba(width, height, rgba).unwrap()
}

fn alphas(pixels: &Pixels) -> Vec<u8> {
    pixels.rgba().chunks(4).map(|pixel| pixel[3]).collect()
}

fn one(filter: Filter, rgb: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = rgb;
    let out = filter.apply(&Pixels::filled(1, 1, [r, g, b, 255]).unwrap());
    let [r, g, b, _] = out.get(0, 0).unwrap();
    [r, g, b]
}

proptest! {
    #[test]
    fn any_filter_keeps_size_and_alpha_and_counts_values_out_of_range_as_the_nearest(
        filter in any_filter(),
        picture in any_picture(),
    ) {
        let out = filter.apply(&picture);
        prop_assert_eq!((out.width(), out.height()), (picture.width(), picture.height()));
        if !matches!(filter, Filter::Blur { .. }) {
            prop_assert_eq!(alphas(&out), alphas(&picture));
        }
        prop_assert_eq!(&filter.clamped().apply(&picture), &out);
        prop_assert_eq!(filter.clamped().clamped(), filter.clamped());
        let json = serde_json::to_value(filter).unwrap();
        prop_assert_eq!(serde_json::from_value::<Filter>(json).unwrap(), filter);
    }

    #[test]
    fn neutral_settings_change_no_pixel(picture in any_picture()) {
        for filter in neutral() {
            prop_assert_eq!(&filter.apply(&picture), &picture, "{:?}", filter);
        }
    }

    #[test]
    fn grey_stays_grey_where_only_the_hue_or_saturation_changes(v: u8, hue in -180..180i32, saturation in -100..=100i32) {
        let filter = Filter::HueSaturationLightness { hue, saturation, light: 0 };
        prop_assert_eq!(one(filter, [v; 3]), [v; 3]);
        prop_assert_eq!(one(Filter::BlackAndWhite, [v; 3]), [v; 3]);
    }

    #[test]
    fn a_hue_turned_and_turned_back_is_what_it_was(rgb: [u8; 3], hue in -180..=180i32) {
        let back = turned(turned(rgb, hue), -hue);
        let off = (0..3).map(|n| back[n].abs_diff(rgb[n])).max().unwrap();
        prop_assert!(off <= 1, "{:?} {:?}", rgb, back);
        prop_assert_eq!(turned(rgb, 180), turned(rgb, -180));
    }

    #[test]
    fn a_photo_filter_keeps_the_brightness(rgb: [u8; 3], tint: [u8; 3], density in 0..=100i32) {
        let out = one(Filter::Photo { tint: Tint(tint), density }, rgb);
        prop_assert!((luma(out) - luma(rgb)).abs() <= 1.0, "{:?} {:?}", rgb, out);
    }
}

#[test]
fn the_tone_curve_is_monotone_and_keeps_its_ends() {
    for brightness in [-150, -70, 0, 35, 150] {
        for contrast in [-100, -30, 0, 60, 100] {
            let filter = Filter::BrightnessContrast { brightness, contrast };
            let curve: Vec<u8> = (0..=255).map(|v| one(filter, [v; 3])[0]).collect();
            assert!(curve.windows(2).all(|pair| pair[0] <= pair[1]), "{filter:?}");
            assert_eq!((curve[0], curve[255]), (0, 255));
        }
    }
    // 128/255 and 64/255 on v + v(1 − v), and on 3v² − 2v³.
    assert_eq!(middle(150, 0), [192, 112, 239]);
    assert_eq!(middle(0, 100), [128, 40, 216]);
}

/// Computed by Python's colorsys on the definition: hue turned, saturation divided by what is left.
#[test]
fn hue_saturation_and_lightness_are_those_of_hsl() {
    for (rgb, hue, saturation, light, expected) in HSL {
        let filter =
            Filter::HueSaturationLightness { hue: *hue, saturation: *saturation, light: *light };
        let found = one(filter, *rgb);
        let off = (0..3).map(|n| found[n].abs_diff(expected[n])).max().unwrap();
        assert!(off <= 1, "{filter:?} on {rgb:?}: {found:?}, not {expected:?}");
    }
}

#[test]
fn black_and_white_mixes_the_six_ranges_of_colour() {
    for (rgb, percent) in [
        ([255, 0, 0], 40),
        ([255, 255, 0], 60),
        ([0, 255, 0], 40),
        ([0, 255, 255], 60),
        ([0, 0, 255], 20),
        ([255, 0, 255], 80),
        ([255, 255, 255], 100),
    ] {
        let grey = ((255 * percent + 50) / 100) as u8;
        assert_eq!(one(Filter::BlackAndWhite, rgb), [grey; 3], "{rgb:?}");
    }
    // Half-way between red and yellow, half-way to white.
    assert_eq!(one(Filter::BlackAndWhite, [255, 191, 127]), [191; 3]);
}

#[test]
fn more_of_a_filter_is_more_of_its_effect() {
    let picture = sample();
    for pair in [
        [Filter::Blur { amount: 2 }, Filter::Blur { amount: 9 }],
        [
            Filter::Photo { tint: Tint([0, 109, 255]), density: 20 },
            Filter::Photo { tint: Tint([0, 109, 255]), density: 80 },
        ],
        [
            Filter::Glow { graininess: 0, glow: 4, clear: 0 },
            Filter::Glow { graininess: 0, glow: 16, clear: 0 },
        ],
        [
            Filter::Glow { graininess: 0, glow: 10, clear: 15 },
            Filter::Glow { graininess: 0, glow: 10, clear: 2 },
        ],
        [
            Filter::Glass { distortion: 2, smoothness: 3, scaling: 100 },
            Filter::Glass { distortion: 15, smoothness: 3, scaling: 100 },
        ],
        [
            Filter::OceanRipple { size: 5, magnitude: 2 },
            Filter::OceanRipple { size: 5, magnitude: 18 },
        ],
        [Filter::Patchwork { square: 4, relief: 1 }, Filter::Patchwork { square: 4, relief: 25 }],
        [
            Filter::Watercolor { detail: 12, shadow: 0, texture: 1 },
            Filter::Watercolor { detail: 3, shadow: 15, texture: 3 },
        ],
    ] {
        let [less, more] = pair.map(|filter| {
            let out = filter.apply(&picture);
            let pairs = out.rgba().iter().zip(picture.rgba());
            pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>()
        });
        assert!(less < more && less > 0, "{pair:?}: {less} {more}");
    }
}

#[test]
fn squares_of_a_patchwork_without_relief_have_the_mean_of_what_they_cover() {
    let picture = sample();
    let out = Filter::Patchwork { square: 3, relief: 0 }.apply(&picture);
    for (left, top) in [(0, 0), (50, 30), (110, 80)] {
        let places: Vec<_> = (0..100).map(|n| (left + n % 10, top + n / 10)).collect();
        let expected: [u8; 3] = std::array::from_fn(|channel| {
            let samples = places.iter().map(|(x, y)| picture.get(*x, *y).unwrap()[channel]);
            ((samples.map(u32::from).sum::<u32>() + 50) / 100) as u8
        });
        let is_mean = |(x, y): &(u32, u32)| out.get(*x, *y).unwrap()[..3] == expected;
        assert!(places.iter().all(is_mean), "{left} {top}");
    }
}

#[test]
fn pieces_of_stained_glass_are_of_one_colour_and_parted_by_lead() {
    let flat = Pixels::filled(200, 150, [200, 60, 40, 255]).unwrap();
    let out = Filter::StainedGlass { cell: 12, border: 4, light: 0 }.apply(&flat);
    let lead = out.rgba().chunks(4).filter(|pixel| pixel[..3] == [18, 18, 20]).count();
    let glass = out.rgba().chunks(4).filter(|pixel| pixel[..3] == [200, 60, 40]).count();
    assert_eq!(lead + glass, 200 * 150);
    // A lead of 4 around pieces of about 28 is a quarter of the window.
    assert!((0.18..0.34).contains(&(lead as f64 / 30_000.0)), "{lead}");
    // Even the thickest lead around the smallest pieces leaves glass.
    let out = Filter::StainedGlass { cell: 2, border: 20, light: 0 }.apply(&flat);
    assert!(out.rgba().chunks(4).any(|pixel| pixel[..3] == [200, 60, 40]));
}

#[test]
fn a_colour_without_alpha_bleeds_into_nothing() {
    let hole = [[255, 0, 0, 0], [0, 0, 255, 255]].concat().repeat(32);
    let picture = Pixels::from_rgba(8, 8, hole).unwrap();
    for filter in strong() {
        let is_pure = matches!(
            filter,
            Filter::Blur { .. }
                | Filter::Glass { .. }
                | Filter::OceanRipple { .. }
                | Filter::StainedGlass { .. }
                | Filter::Watercolor { .. }
        );
        let out = filter.apply(&picture);
        for pixel in out.rgba().chunks(4).filter(|pixel| is_pure && pixel[3] > 0) {
            assert!(pixel[0] < 60, "{filter:?}: {pixel:?}");
        }
    }
}

/// A change in the pixels of any filter is a decision: these are the bytes on every machine.
#[test]
fn filters_give_the_same_bytes_on_every_machine() {
    let picture = sample();
    let found: Vec<String> = strong()
        .iter()
        .map(|filter| blake3::hash(filter.apply(&picture).rgba()).to_hex()[..12].to_owned())
        .collect();
    assert_eq!(found, LOCKED, "{found:#?}");
}

const LOCKED: [&str; 11] = [
    "5107e3367a4a",
    "5b94146e0eb8",
    "5c2ac35fd74b",
    "964d12bef729",
    "2840b41095c0",
    "0cd378185d9e",
    "60fa1b3850ff",
    "2f4a31012e6e",
    "f13a41512cb2",
    "c9081758ce0e",
    "86bfefc3168e",
];

type Hsl = ([u8; 3], i32, i32, i32, [u8; 3]);
const HSL: &[Hsl] = &[
    ([120, 155, 52], 22, 0, 0, [82, 155, 52]),
    ([10, 205, 148], -150, -44, 37, [196, 142, 128]),
    ([141, 88, 54], -46, 0, 64, [214, 183, 194]),
    ([139, 99, 84], -22, -26, 87, [239, 234, 234]),
    ([44, 172, 198], 79, 0, -37, [75, 28, 125]),
    ([143, 45, 153], -177, -26, 80, [216, 232, 216]),
    ([99, 211, 216], 126, 0, 0, [216, 99, 199]),
    ([119, 156, 132], -158, 0, 18, [174, 143, 152]),
    ([241, 175, 74], 164, 0, 0, [74, 185, 241]),
    ([225, 141, 94], 2, 11, 50, [244, 199, 170]),
    ([101, 165, 51], -149, 0, 0, [165, 51, 156]),
    ([62, 169, 90], -32, 0, -90, [9, 17, 6]),
    ([42, 146, 167], -171, 0, 0, [167, 82, 42]),
    ([210, 39, 150], 136, 0, 0, [104, 210, 39]),
    ([128, 195, 81], -11, 0, 0, [149, 195, 81]),
    ([232, 86, 186], 5, -26, -76, [51, 25, 41]),
    ([106, 217, 106], -122, 0, 0, [217, 106, 110]),
    ([76, 20, 251], 118, 0, 0, [251, 68, 20]),
    ([149, 209, 102], 64, 0, 12, [120, 215, 179]),
    ([251, 18, 112], 35, 0, 65, [254, 187, 172]),
    ([110, 255, 96], -164, 0, 0, [255, 96, 227]),
    ([106, 118, 213], -47, 0, -87, [14, 26, 28]),
    ([59, 206, 20], 73, 0, 0, [20, 205, 206]),
    ([84, 172, 151], 156, 20, -20, [146, 58, 115]),
];

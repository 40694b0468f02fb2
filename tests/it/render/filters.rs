//! The photo filters on one of our own pictures, side by side.

use pentimento::base::Pixels;
use pentimento::raster::filter::{Filter, Tint};

use super::picture::assert_golden;

/// A landscape of our own: sky, sun, hills and a house, with the grain of a photo.
fn landscape(width: u32, height: u32) -> Pixels {
    let pixel = |x: u32, y: u32| -> [u8; 4] {
        let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
        let sun = (u - 0.72) * (u - 0.72) + (v - 0.24) * (v - 0.24);
        let far = 0.52 + 0.07 * libm::sinf(u * 9.0) + 0.03 * libm::cosf(u * 23.0);
        let near = 0.7 + 0.06 * libm::sinf(u * 5.0 + 1.0);
        let is_house = (0.2..0.36).contains(&u) && (0.56..0.76).contains(&v);
        let is_roof = v > 0.44 && v < 0.56 && (u - 0.28).abs() < (v - 0.44) * 0.85;
        let is_door = (0.26..0.30).contains(&u) && (0.66..0.76).contains(&v);
        let grain = ((x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)) % 13) as f32 - 6.0;
        let rgb = if is_door {
            [70.0, 40.0, 30.0]
        } else if is_roof {
            [170.0, 50.0, 40.0]
        } else if is_house {
            [235.0, 220.0, 190.0]
        } else if v > near {
            [60.0 + 60.0 * v, 120.0 + 50.0 * (1.0 - v), 45.0]
        } else if v > far {
            [70.0, 105.0 + 60.0 * (v - far), 90.0]
        } else if sun < 0.006 {
            [255.0, 235.0, 150.0]
        } else {
            [110.0 + 150.0 * v, 160.0 + 60.0 * v, 235.0 - 60.0 * v]
        };
        let [r, g, b] = rgb.map(|c: f32| (c + grain).clamp(0.0, 255.0) as u8);
        [r, g, b, 255]
    };
    let rgba = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Pixels::from_rgba(width, height, rgba).unwrap()
}

fn shown() -> [Filter; 11] {
    [
        Filter::BrightnessContrast { brightness: 40, contrast: 60 },
        Filter::BlackAndWhite,
        Filter::HueSaturationLightness { hue: 120, saturation: 30, light: 0 },
        Filter::Blur { amount: 5 },
        Filter::Photo { tint: Tint::named("Sepia").unwrap(), density: 80 },
        Filter::Glass { distortion: 8, smoothness: 5, scaling: 100 },
        Filter::Glow { graininess: 5, glow: 12, clear: 10 },
        Filter::OceanRipple { size: 8, magnitude: 14 },
        Filter::StainedGlass { cell: 8, border: 3, light: 3 },
        Filter::Patchwork { square: 3, relief: 9 },
        Filter::Watercolor { detail: 8, shadow: 8, texture: 2 },
    ]
}

#[test]
fn the_photo_filters_look_like_their_names() {
    let picture = landscape(300, 220);
    let (columns, gap) = (4, 8);
    let (width, height) = (columns * 308 + gap, 3 * 228 + gap);
    let mut sheet = Pixels::filled(width, height, [255; 4]).unwrap();
    let all = std::iter::once(picture.clone())
        .chain(shown().into_iter().map(|filter| filter.apply(&picture)));
    for (at, tile) in all.enumerate() {
        let (column, row) = (at as u32 % columns, at as u32 / columns);
        sheet.put(gap + column * 308, gap + row * 228, 300, tile.rgba());
    }
    assert_golden("filters", &sheet);
}

/// Not a measurement that fails: what a filter takes on a whole page is printed.
#[test]
fn a_whole_page_is_filtered_in_one_go() {
    let page = landscape(1296, 1728);
    for filter in shown() {
        let started = std::time::Instant::now();
        let out = filter.apply(&page);
        println!("{}: {} ms", filter.name(), started.elapsed().as_millis());
        assert_eq!((out.width(), out.height()), (1296, 1728));
    }
}

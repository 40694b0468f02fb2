//! Pictures side by side: how far they differ, and goldens.

use std::path::{Path, PathBuf};

use pentimento::base::Pixels;

/// How far two pictures of one size differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    /// Mean absolute difference of all channels, 0..=255.
    pub(crate) mean: f64,
    /// Largest absolute difference of any channel.
    pub(crate) largest: u8,
    /// Share of pixels of which a channel differs by more than 32.
    pub(crate) far: f64,
}

/// The difference of two pictures; they must be of one size.
pub(crate) fn difference(a: &Pixels, b: &Pixels) -> Difference {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()), "sizes differ");
    let each: Vec<u8> = a.rgba().iter().zip(b.rgba()).map(|(a, b)| a.abs_diff(*b)).collect();
    let far = each.chunks(4).filter(|pixel| pixel.iter().any(|value| *value > 32)).count();
    Difference {
        mean: each.iter().map(|value| f64::from(*value)).sum::<f64>() / each.len() as f64,
        largest: each.iter().copied().max().unwrap_or(0),
        far: far as f64 / (each.len() / 4) as f64,
    }
}

/// Compares with `tests/golden/{name}.png`. `UPDATE_GOLDEN=1` writes it; a failure leaves
/// expected | difference | actual in `tests/diffs/{name}.png`.
pub(crate) fn assert_golden(name: &str, actual: &Pixels) {
    let golden = folder("golden").join(format!("{name}.png"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        actual.save_png(&golden).unwrap();
        return;
    }
    let expected = Pixels::open(&golden).expect("no golden picture: write it with UPDATE_GOLDEN=1");
    if expected != *actual {
        let report = save_triptych(name, &expected, actual);
        panic!("{name} differs from its golden picture: see {}", report.display());
    }
}

/// Writes expected | difference | actual, and gives where.
pub(crate) fn save_triptych(name: &str, expected: &Pixels, actual: &Pixels) -> PathBuf {
    let path = folder("diffs").join(format!("{name}.png"));
    triptych(expected, actual).save_png(&path).unwrap();
    path
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn triptych(expected: &Pixels, actual: &Pixels) -> Pixels {
    const GAP: u32 = 4;
    let (width, height) =
        (expected.width().max(actual.width()), expected.height().max(actual.height()));
    let column = width + GAP;
    let total = column * 3 - GAP;
    let mut rgba = vec![255; (total * height * 4) as usize];
    for y in 0..height {
        for x in 0..width {
            let (left, right) = (expected.get(x, y), actual.get(x, y));
            let apart = apart(left, right);
            for (index, pixel) in [left, Some(apart), right].into_iter().enumerate() {
                let at = ((y * total + index as u32 * column + x) * 4) as usize;
                rgba[at..at + 4].copy_from_slice(&pixel.unwrap_or([255, 0, 255, 255]));
            }
        }
    }
    Pixels::from_rgba(total, height, rgba).unwrap()
}

/// Black where equal, brighter the further apart.
fn apart(a: Option<[u8; 4]>, b: Option<[u8; 4]>) -> [u8; 4] {
    let (Some(a), Some(b)) = (a, b) else { return [255, 0, 255, 255] };
    let far = |channel: usize| a[channel].abs_diff(b[channel]).saturating_mul(4);
    [far(0).max(far(3)), far(1).max(far(3)), far(2).max(far(3)), 255]
}

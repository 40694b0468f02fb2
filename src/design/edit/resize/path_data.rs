//! Scaling SVG path data.

use svgtypes::{SimplePathSegment as Segment, SimplifyingPathParser};

/// The path with every x times `kx` and every y times `ky`, in absolute coordinates and without
/// shorthands, as Figma writes it; `None` for data that is not a path.
pub(super) fn scale(data: &str, kx: f64, ky: f64) -> Option<String> {
    let mut scaled = String::with_capacity(data.len());
    for segment in SimplifyingPathParser::from(data) {
        put(&mut scaled, segment.ok()?, kx, ky);
    }
    (!scaled.is_empty()).then_some(scaled)
}

fn put(out: &mut String, segment: Segment, kx: f64, ky: f64) {
    let (letter, points) = match segment {
        Segment::MoveTo { x, y } => ('M', vec![(x, y)]),
        Segment::LineTo { x, y } => ('L', vec![(x, y)]),
        Segment::Quadratic { x1, y1, x, y } => ('Q', vec![(x1, y1), (x, y)]),
        Segment::CurveTo { x1, y1, x2, y2, x, y } => ('C', vec![(x1, y1), (x2, y2), (x, y)]),
        Segment::ClosePath => ('Z', Vec::new()),
    };
    let points: Vec<String> =
        points.iter().map(|(x, y)| format!("{} {}", round(x * kx), round(y * ky))).collect();
    out.push(letter);
    out.push_str(&points.join(" "));
}

/// To a ten-thousandth of a pixel, finer than anything drawn; no minus zero.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_axis_is_scaled_by_its_own_factor() {
        assert_eq!(scale("M0 0L10 10H5V4Z", 2.0, 3.0).unwrap(), "M0 0L20 30L10 30L10 12Z");
        assert_eq!(scale("m1,1 2-3q1 1 2 0", 2.0, 2.0).unwrap(), "M2 2L6 -4Q8 -2 10 -4");
    }

    #[test]
    fn what_is_no_path_is_left_to_the_caller() {
        for bad in ["", "10 10", "L5 5", "M1", "M0 0X"] {
            assert!(scale(bad, 2.0, 2.0).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_scaled_or_refused(data in "[MmLlCcQqAaHhVvZz0-9.,eE -]{0,60}", k in 0.01..100.0f64) {
            if let Some(scaled) = scale(&data, k, k) {
                prop_assert!(scaled.starts_with('M'));
            }
        }
    }
}

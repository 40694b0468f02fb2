//! Children along one line: where lines break, and where each child starts.

use std::ops::Range;

use crate::design::auto_layout::PrimaryAlign;

/// By how many pixels children may be too long for a line and still stand in it: extents in files
/// are `f32`.
const SLACK: f64 = 1e-3;

/// Which children stand in which line. A child too long for any line has one of its own.
pub(super) fn breaks(extents: &[f64], gap: f64, space: f64) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut first, mut taken) = (0, 0.0);
    for (at, extent) in extents.iter().enumerate() {
        // Never before the first of a line, or a child wider than the frame would never be placed.
        if at > first && taken + gap + extent > space + SLACK {
            lines.push(first..at);
            (first, taken) = (at, *extent);
        } else {
            taken += if at > first { gap + extent } else { *extent };
        }
    }
    if first < extents.len() {
        lines.push(first..extents.len());
    }
    lines
}

/// Whether all of them stand in one line.
pub(super) fn fits(extents: &[f64], gap: f64, space: f64) -> bool {
    length(extents, gap) <= space + SLACK
}

/// What a line takes, gaps included; never less than nothing, however much its children overlap.
pub(super) fn length(extents: &[f64], gap: f64) -> f64 {
    let gaps = extents.len().saturating_sub(1) as f64;
    (extents.iter().sum::<f64>() + gap * gaps).max(0.0)
}

/// Where each child of a line starts within `space`. What does not fit runs over the end, over
/// both ends (CENTER) or the start (MAX); what is to be spread starts at the start if it does not
/// fit or is alone.
pub(super) fn starts(extents: &[f64], gap: f64, space: f64, align: PrimaryAlign) -> Vec<f64> {
    let gaps = extents.len().saturating_sub(1) as f64;
    let taken: f64 = extents.iter().sum();
    let gap = match align {
        // The gap that spreads, in place of the one that is asked for.
        PrimaryAlign::SpaceBetween if gaps > 0.0 => ((space - taken) / gaps).max(0.0),
        _ => gap,
    };
    // Negative where they run over: then it moves the start out of the frame, as Figma does.
    let spare = space - taken - gap * gaps;
    let mut at = match align {
        PrimaryAlign::Min | PrimaryAlign::SpaceBetween => 0.0,
        PrimaryAlign::Center => spare / 2.0,
        PrimaryAlign::Max => spare,
    };
    let mut starts = Vec::with_capacity(extents.len());
    for extent in extents {
        starts.push(at);
        at += extent + gap;
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_before_what_does_not_fit() {
        assert_eq!(breaks(&[40.0, 40.0, 40.0], 10.0, 90.0), [0..2, 2..3]);
        assert_eq!(breaks(&[40.0, 40.0, 40.0], 10.0, 89.0), [0..1, 1..2, 2..3]);
        assert_eq!(breaks(&[200.0, 40.0], 10.0, 90.0), [0..1, 1..2]);
        assert!(breaks(&[], 10.0, 90.0).is_empty());
    }

    #[test]
    fn what_runs_over_does_so_where_it_is_aligned_from() {
        for (align, expected) in [
            (PrimaryAlign::Min, [0.0, 80.0]),
            (PrimaryAlign::Center, [-10.0, 70.0]),
            (PrimaryAlign::Max, [-20.0, 60.0]),
            (PrimaryAlign::SpaceBetween, [0.0, 80.0]),
        ] {
            assert_eq!(starts(&[80.0, 40.0], 0.0, 100.0, align), expected, "{align:?}");
        }
    }

    #[test]
    fn spreading_takes_no_heed_of_the_gap() {
        fn spread(extents: &[f64]) -> Vec<f64> {
            starts(extents, 30.0, 100.0, PrimaryAlign::SpaceBetween)
        }
        assert_eq!(spread(&[10.0, 10.0, 10.0]), [0.0, 45.0, 90.0]);
        assert_eq!(spread(&[10.0]), [0.0]);
        assert!(spread(&[]).is_empty());
    }

    #[test]
    fn children_that_overlap_never_take_less_than_nothing() {
        assert_eq!(length(&[10.0, 10.0], -100.0), 0.0);
        assert_eq!(length(&[10.0, 10.0], -5.0), 15.0);
    }
}

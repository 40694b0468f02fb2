//! Dash patterns.

use tiny_skia::{Path, StrokeDash};

use crate::base::Affine;
use crate::render::geometry::flatten;

/// Most dashes drawn along one path.
const MAX_DASHES: f64 = 50_000.0;

/// The length of a dash of none, which shows as its caps.
const POINT: f32 = 1e-3;

/// Lengths of dashes and gaps in turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dashes {
    lengths: Vec<f32>,
}

/// Why a pattern is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DashError {
    /// Negative, not finite, or all nothing.
    #[error("its dashes are no lengths: the stroke is drawn solid")]
    NoLengths,
    /// Too fine for so long a path.
    #[error("it would have more than {MAX_DASHES} dashes: the stroke is drawn solid")]
    TooMany,
}

impl Dashes {
    /// A pattern; `None` for a solid stroke. A list of odd length is repeated once, as in SVG.
    pub(crate) fn new(lengths: &[f64]) -> Result<Option<Self>, DashError> {
        if lengths.is_empty() {
            return Ok(None);
        }
        let are_lengths = lengths.iter().all(|length| length.is_finite() && *length >= 0.0);
        // A pattern without extent would never come to the end of the path.
        if !are_lengths || lengths.iter().sum::<f64>() <= 0.0 {
            return Err(DashError::NoLengths);
        }
        let mut lengths: Vec<f32> = lengths.iter().map(|length| *length as f32).collect();
        if lengths.len() % 2 == 1 {
            lengths.extend_from_within(..);
        }
        // The rasteriser drops dashes of no length; SVG and Figma draw their caps.
        lengths.iter_mut().step_by(2).for_each(|dash| *dash = dash.max(POINT));
        let has_gaps = lengths.iter().skip(1).step_by(2).any(|gap| *gap > 0.0);
        Ok(has_gaps.then_some(Self { lengths }))
    }

    /// The dashes along `path`, each an open path.
    pub(crate) fn along(&self, path: &Path, finest: f32) -> Result<Path, DashError> {
        let period: f64 = self.lengths.iter().map(|length| f64::from(*length)).sum();
        // Counted before: the dashes are all made at once.
        if length(path) / period * self.lengths.len() as f64 / 2.0 > MAX_DASHES {
            return Err(DashError::TooMany);
        }
        let dash = StrokeDash::new(self.lengths.clone(), 0.0).ok_or(DashError::NoLengths)?;
        path.dash(&dash, finest).ok_or(DashError::NoLengths)
    }
}

/// The length of all contours together.
fn length(path: &Path) -> f64 {
    // Roughly is enough: it is only compared with a bound.
    let mut whole = 0.0;
    for contour in flatten::contours(path, Affine::IDENTITY, 1.0) {
        let lines = contour.corners.windows(2);
        whole += lines.map(|it| (it[1][0] - it[0][0]).hypot(it[1][1] - it[0][1])).sum::<f64>();
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::{PathBuilder, PathSegment};

    fn line(length: f32) -> Path {
        let mut path = PathBuilder::new();
        path.move_to(0.0, 0.0);
        path.line_to(length, 0.0);
        path.finish().unwrap()
    }

    fn count(path: &Path) -> usize {
        path.segments().filter(|segment| matches!(segment, PathSegment::MoveTo(_))).count()
    }

    #[test]
    fn a_line_of_ten_has_two_dashes_of_three_with_gaps_of_two() {
        let dashes = Dashes::new(&[3.0, 2.0]).unwrap().unwrap();
        assert_eq!(count(&dashes.along(&line(10.0), 4.0).unwrap()), 2);
    }

    #[test]
    fn dashes_of_no_length_are_points() {
        let dashes = Dashes::new(&[0.0, 5.0]).unwrap().unwrap();
        assert_eq!(count(&dashes.along(&line(21.0), 4.0).unwrap()), 5);
    }

    #[test]
    fn what_is_no_pattern_is_said() {
        assert_eq!(Dashes::new(&[0.0, 0.0]), Err(DashError::NoLengths));
        assert_eq!(Dashes::new(&[-1.0, 4.0]), Err(DashError::NoLengths));
        assert_eq!(Dashes::new(&[f64::NAN]), Err(DashError::NoLengths));
        assert_eq!(Dashes::new(&[4.0, 0.0]), Ok(None));
    }

    #[test]
    fn a_pattern_too_fine_for_its_path_is_refused() {
        let dashes = Dashes::new(&[1e-3, 1e-3]).unwrap().unwrap();
        assert_eq!(dashes.along(&line(1e6), 4.0), Err(DashError::TooMany));
    }
}

//! SVG path data, as Figma writes geometry, to paths.

use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::Limits;
use crate::design::{FigmaPath, WindingRule, has_boundless_arc};

/// Most commands read of one path.
const MAX_COMMANDS: usize = 1_000_000;

/// Why path data cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathDataError {
    /// Not path data; what came before it is lost too, as half a shape misleads.
    #[error("its path data cannot be read: {0}")]
    Syntax(String),
    /// A coordinate too far away to be meant.
    #[error("its path data has a coordinate beyond ±{}", Limits::COORDINATE)]
    TooFar,
    /// More commands than the renderer takes.
    #[error("its path data has more than {MAX_COMMANDS} commands")]
    TooLong,
}

/// The path of `geometry`; `None` if it encloses and draws nothing.
pub(crate) fn to_path(geometry: &FigmaPath) -> Result<Option<Path>, PathDataError> {
    if has_boundless_arc(&geometry.data) {
        return Err(PathDataError::TooFar);
    }
    let mut path = PathBuilder::new();
    for (count, segment) in SimplifyingPathParser::from(geometry.data.as_str()).enumerate() {
        if count >= MAX_COMMANDS {
            return Err(PathDataError::TooLong);
        }
        push(&mut path, segment.map_err(|e| PathDataError::Syntax(e.to_string()))?)?;
    }
    Ok(path.finish())
}

/// What counts as inside, in the rasteriser's word.
pub(crate) fn fill_rule(winding: WindingRule) -> FillRule {
    match winding {
        WindingRule::NonZero => FillRule::Winding,
        WindingRule::EvenOdd => FillRule::EvenOdd,
    }
}

fn push(path: &mut PathBuilder, segment: SimplePathSegment) -> Result<(), PathDataError> {
    match segment {
        // Each number is looked at: one far out makes the rasteriser overflow.
        SimplePathSegment::MoveTo { x, y } => path.move_to(near(x)?, near(y)?),
        SimplePathSegment::LineTo { x, y } => path.line_to(near(x)?, near(y)?),
        SimplePathSegment::Quadratic { x1, y1, x, y } => {
            path.quad_to(near(x1)?, near(y1)?, near(x)?, near(y)?);
        }
        SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
            path.cubic_to(near(x1)?, near(y1)?, near(x2)?, near(y2)?, near(x)?, near(y)?);
        }
        SimplePathSegment::ClosePath => path.close(),
    }
    Ok(())
}

fn near(coordinate: f64) -> Result<f32, PathDataError> {
    // NaN is not near either, as no comparison with it holds.
    let is_near = coordinate.abs() <= Limits::COORDINATE;
    if is_near { Ok(coordinate as f32) } else { Err(PathDataError::TooFar) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(data: &str) -> Result<Option<Path>, PathDataError> {
        to_path(&FigmaPath::new(data.to_owned(), WindingRule::NonZero))
    }

    #[test]
    fn relative_smooth_and_arc_commands_are_read() {
        let path = read("M10 10h20v20H10z m5 5 q1 1 2 0 t2 0 a5 3 30 0 1 4 4 s1 2 3 4").unwrap();
        assert!(path.unwrap().len() > 8);
    }

    #[test]
    fn what_is_not_path_data_is_refused_with_a_reason() {
        assert!(matches!(read("M0 0 L oops"), Err(PathDataError::Syntax(_))));
        assert_eq!(read("M0 0 L1e30 0"), Err(PathDataError::TooFar));
        assert_eq!(read("M0 0 A1 1 0 0 1 0 1e60 Z"), Err(PathDataError::TooFar));
    }

    #[test]
    fn empty_data_draws_nothing() {
        assert_eq!(read("").unwrap(), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(data in "[MLHVCSQTAZmlhvcsqtaz0-9eE., +-]{0,200}") {
            drop(read(&data));
        }
    }
}

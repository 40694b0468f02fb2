//! What a `COLR` glyph paints.

use std::sync::Arc;

use skrifa::color::CompositeMode;
use tiny_skia::Path;

use crate::base::Rect;

use super::brush::{Brush, GradientLine};

/// The marks of a glyph, in font units, y up.
#[derive(Debug)]
pub(crate) struct Figure {
    /// Bottom first.
    pub(crate) marks: Vec<FigurePart>,
    /// The box around them; `None` if there are none.
    pub(crate) bounds: Option<Rect>,
}

/// A part of a figure.
#[derive(Debug)]
pub(crate) enum FigurePart {
    /// An area of one paint.
    Fill { region: PaintedArea, brush: Brush },
    /// Marks that are painted together, then laid on those below in some way.
    Layer { mode: CompositeMode, marks: Vec<Self> },
}

/// What several areas have in common.
#[derive(Clone, Debug)]
pub(crate) struct PaintedArea {
    /// The innermost; `None` for everything.
    pub(crate) path: Option<Arc<Path>>,
    /// The areas around it that cut it.
    pub(crate) within: Vec<Arc<Path>>,
}

impl Figure {
    pub(crate) fn new(marks: Vec<FigurePart>) -> Self {
        let bounds = Rect::union_all(marks.iter().filter_map(FigurePart::bounds));
        Self { marks, bounds }
    }

    /// Whether it is areas in colours and in plain gradients, one over another: what SVG has words
    /// for.
    pub(crate) fn is_plain(&self) -> bool {
        self.marks.iter().all(FigurePart::is_plain)
    }
}

impl FigurePart {
    fn bounds(&self) -> Option<Rect> {
        match self {
            Self::Fill { region, .. } => region.bounds(),
            Self::Layer { marks, .. } => Rect::union_all(marks.iter().filter_map(Self::bounds)),
        }
    }

    fn is_plain(&self) -> bool {
        match self {
            Self::Fill { region, brush } => {
                // Without a path it is everything, which only its clips bound; SVG has no sweep at all.
                let is_sweep =
                    matches!(brush, Brush::Gradient { line: GradientLine::Sweep { .. }, .. });
                region.path.is_some() && !is_sweep
            }
            Self::Layer { mode, marks } => {
                *mode == CompositeMode::SrcOver && marks.iter().all(Self::is_plain)
            }
        }
    }
}

impl PaintedArea {
    /// `None` for nothing, and for everything.
    fn bounds(&self) -> Option<Rect> {
        let paths = self.path.iter().chain(&self.within);
        let boxes = paths.map(|path| bounds_of_path(path));
        boxes.map(Some).reduce(|a, b| a?.intersection(b?)).flatten()
    }
}

pub(crate) fn bounds_of_path(path: &Path) -> Rect {
    let bounds = path.compute_tight_bounds().unwrap_or_else(|| path.bounds());
    let (x, y) = (f64::from(bounds.x()), f64::from(bounds.y()));
    Rect::new(x, y, f64::from(bounds.width()), f64::from(bounds.height()))
}

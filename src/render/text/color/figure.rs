//! What a `COLR` glyph paints.

use std::sync::Arc;

use skrifa::color::CompositeMode;
use tiny_skia::Path;

use crate::base::Rect;

use super::brush::{Brush, Line};
use super::recorder;
use crate::render::text::face::Face;
use crate::render::text::typesetter::{GlyphKey, Typesetter};

/// Figures kept in memory; some kB each.
const KEPT_FIGURES: usize = 1024;

/// The marks of a glyph, in font units, y up.
#[derive(Debug)]
pub(in crate::render) struct Figure {
    /// Bottom first.
    pub(in crate::render) marks: Vec<Mark>,
    /// The box around them; `None` if there are none.
    pub(super) bounds: Option<Rect>,
}

/// A part of a figure.
#[derive(Debug)]
pub(in crate::render) enum Mark {
    /// An area of one paint.
    Fill { region: Region, brush: Brush },
    /// Marks that are painted together, then laid on those below in some way.
    Layer { mode: CompositeMode, marks: Vec<Self> },
}

/// What several areas have in common.
#[derive(Clone, Debug)]
pub(in crate::render) struct Region {
    /// The innermost; `None` for everything.
    pub(in crate::render) path: Option<Arc<Path>>,
    /// The areas around it that cut it.
    pub(in crate::render) within: Vec<Arc<Path>>,
}

/// The figure of a glyph, if its font has one.
pub(super) fn of_glyph(typesetter: &Typesetter, face: &Face, id: u32) -> Option<Arc<Figure>> {
    let key = GlyphKey::new(face, id);
    if let Some(known) = typesetter.color.borrow().figures.get(&key) {
        return known.clone();
    }
    // Recording asks for outlines, which are kept elsewhere.
    let figure = recorder::record(typesetter, face, id).map(|marks| Arc::new(Figure::new(marks)));
    let figures = &mut typesetter.color.borrow_mut().figures;
    if figures.len() >= KEPT_FIGURES {
        figures.clear();
    }
    figures.insert(key, figure.clone());
    figure
}

impl Figure {
    fn new(marks: Vec<Mark>) -> Self {
        let bounds = Rect::union_all(marks.iter().filter_map(Mark::bounds));
        Self { marks, bounds }
    }

    /// Whether it is areas in colours and in plain gradients, one over another: what SVG has words
    /// for.
    pub(in crate::render) fn is_plain(&self) -> bool {
        self.marks.iter().all(Mark::is_plain)
    }
}

impl Mark {
    fn bounds(&self) -> Option<Rect> {
        match self {
            Self::Fill { region, .. } => region.bounds(),
            Self::Layer { marks, .. } => Rect::union_all(marks.iter().filter_map(Self::bounds)),
        }
    }

    fn is_plain(&self) -> bool {
        match self {
            Self::Fill { region, brush } => {
                let is_sweep = matches!(brush, Brush::Gradient { line: Line::Sweep { .. }, .. });
                region.path.is_some() && !is_sweep
            }
            Self::Layer { mode, marks } => {
                *mode == CompositeMode::SrcOver && marks.iter().all(Self::is_plain)
            }
        }
    }
}

impl Region {
    /// `None` for nothing, and for everything.
    fn bounds(&self) -> Option<Rect> {
        let paths = self.path.iter().chain(&self.within);
        let boxes = paths.map(|path| bounds_of_path(path));
        boxes.map(Some).reduce(|a, b| a?.intersection(b?)).flatten()
    }
}

pub(super) fn bounds_of_path(path: &Path) -> Rect {
    let bounds = path.compute_tight_bounds().unwrap_or_else(|| path.bounds());
    let (x, y) = (f64::from(bounds.x()), f64::from(bounds.y()));
    Rect::new(x, y, f64::from(bounds.width()), f64::from(bounds.height()))
}

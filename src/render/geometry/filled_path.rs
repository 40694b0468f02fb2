//! An area bounded by a path: what the scene is made of and the painter fills.

use std::sync::Arc;

use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::Rect;

use super::coverage;

/// An area bounded by a path.
#[derive(Clone, Debug)]
pub(crate) struct FilledPath {
    pub(crate) path: Arc<Path>,
    pub(crate) rule: FillRule,
    /// The box around it, tight where it is curved.
    pub(crate) bounds: Rect,
    /// The same area as an upright rectangle, if it is one.
    pub(crate) rect: Option<Rect>,
    /// Its coverage, where the area itself is kept from one picture to the next.
    pub(crate) coverage: Option<coverage::CoverageCache>,
}

impl FilledPath {
    pub(crate) fn new(path: Path, rule: FillRule) -> Self {
        let bounds = path.compute_tight_bounds().unwrap_or_else(|| path.bounds());
        let (x, y) = (f64::from(bounds.x()), f64::from(bounds.y()));
        let bounds = Rect::new(x, y, f64::from(bounds.width()), f64::from(bounds.height()));
        Self { path: Arc::new(path), rule, bounds, rect: None, coverage: None }
    }

    /// An upright rectangle; `None` if it has no area.
    pub(crate) fn of_rect(rect: Rect) -> Option<Self> {
        let [x, y, width, height] =
            [rect.x, rect.y, rect.width, rect.height].map(|value| value as f32);
        let path = PathBuilder::from_rect(tiny_skia::Rect::from_xywh(x, y, width, height)?);
        Some(Self { bounds: rect, rect: Some(rect), ..Self::new(path, FillRule::Winding) })
    }

    /// The same area, with its coverage kept along with it.
    pub(crate) fn with_coverage_kept(self) -> Self {
        Self { coverage: Some(coverage::CoverageCache::default()), ..self }
    }
}

//! The document resolved for painting: shapes, strokes and text in each node's own space, with what
//! every node covers on the page.
//!
//! Uses `geometry` and `text`. Start with [`Scene`]; [`builder`] makes it, from the [`shape`] of every
//! node, its [`stroke`], [`text_ink`] and [`effect`]s. [`view`] says which part of it a picture shows.

mod builder;
pub(crate) mod combined;
pub(crate) mod effect;
mod effect_resolver;
mod file_geometry;
pub(crate) mod outline;
pub(crate) mod render_bounds;
mod shape;
pub(crate) mod stroke;
mod text_ink;
pub(crate) mod view;

use std::sync::Arc;

use crate::base::{Affine, Rect, Rgba, Size};
use crate::design::{BlendMode, Images, Node, Paint, PaintKind};

use crate::render::diagnostic::{Diagnostic, Diagnostics};
use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::rounded_box::RoundedBox;
use crate::render::text::glyph::colored::ColoredGlyph;

use effect::{Effects, Reach};
use stroke::KeptSide;

/// What is to be painted, and what of the document could not be resolved.
#[derive(Debug)]
pub(crate) struct Scene<'d> {
    pub(crate) roots: Vec<SceneNode<'d>>,
    /// The pictures that image paints show.
    pub(crate) images: &'d Images,
    diagnostics: Diagnostics,
}

/// A visible node with its subtree.
#[derive(Debug)]
pub(crate) struct SceneNode<'d> {
    pub(crate) node: &'d Arc<Node>,
    pub(crate) page_from_node: Affine,
    /// Painted before the children.
    pub(crate) below: Vec<Ink<'d>>,
    pub(crate) children: Vec<Self>,
    /// Painted after the children: the stroke.
    pub(crate) above: Vec<Ink<'d>>,
    /// Cuts the children, in the node's own space.
    pub(crate) clip: Option<RoundedBox>,
    /// Its shadows and blurs; `None` if it has none that show.
    pub(crate) effects: Option<Box<Effects<'d>>>,
    /// Figma's render bounds on the page; `None` if it paints nothing.
    pub(crate) bounds: Option<Rect>,
    /// The page box of every pixel it paints: more than `bounds` where something is blurred.
    pub(crate) reach: Option<Rect>,
    /// Whether something in its subtree mixes with what is below in another way than source over.
    pub(crate) blends_within: bool,
}

/// An area of a node under one paint.
#[derive(Clone, Debug)]
pub(crate) struct Ink<'d> {
    pub(crate) area: FilledPath,
    pub(crate) kept: Option<KeptSide>,
    pub(crate) paint: &'d Paint,
    /// What paints instead of `paint`, within the area: a glyph with colours of its own.
    pub(crate) glyph: Option<Arc<ColoredGlyph>>,
}

impl Scene<'_> {
    /// The page box of all that is painted.
    pub(crate) fn bounds(&self) -> Option<Rect> {
        Rect::union_all(self.roots.iter().filter_map(|root| root.bounds))
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_vec()
    }
}

/// What inks have that paint nothing else than their glyph: nothing hides behind it.
static CLEAR: Paint = Paint {
    kind: PaintKind::Solid(Rgba::TRANSPARENT),
    visible: true,
    opacity: 1.0,
    blend_mode: BlendMode::Normal,
};

impl SceneNode<'_> {
    /// Every ink of the node itself, in paint order.
    pub(crate) fn own_ink(&self) -> impl Iterator<Item = &Ink<'_>> {
        self.below.iter().chain(&self.above)
    }

    /// The page box of its own fills and stroke.
    pub(crate) fn own_box(&self) -> Option<Rect> {
        Rect::union_all(self.own_ink().filter_map(|ink| ink.page_box(self.page_from_node)))
    }

    /// The page box of all it paints but for its effects.
    pub(crate) fn content_box(&self, reach: Reach) -> Option<Rect> {
        let children = Rect::union_all(self.children.iter().filter_map(|child| match reach {
            Reach::RenderBounds => child.bounds,
            Reach::Painted => child.reach,
        }));
        // By the box around the clip, not its round corners: bounds may be larger than what shows.
        let children = match &self.clip {
            Some(clip) => children
                .and_then(|bounds| bounds.intersection(bounds_of(self.page_from_node, clip.rect))),
            None => children,
        };
        Rect::union_all(self.own_box().into_iter().chain(children))
    }

    /// The box that gradients run over.
    pub(crate) fn paint_size(&self) -> Size {
        self.node.size
    }
}

impl<'d> Ink<'d> {
    /// All of an area.
    pub(crate) fn new(area: FilledPath, paint: &'d Paint) -> Self {
        Self { area, kept: None, paint, glyph: None }
    }

    /// A glyph with colours of its own; `None` if it has no area.
    pub(crate) fn of_glyph(glyph: &Arc<ColoredGlyph>) -> Option<Self> {
        let area = FilledPath::of_rect(glyph.bounds)?;
        Some(Self { glyph: Some(Arc::clone(glyph)), ..Self::new(area, &CLEAR) })
    }

    /// The box around it on the page.
    fn page_box(&self, page_from_node: Affine) -> Option<Rect> {
        let mut own = self.area.bounds;
        // Of an inside stroke only what lies within the edge is painted, though its area reaches
        // as far out.
        if let Some(KeptSide { side: stroke::EdgeSide::Inside, of }) = &self.kept {
            own = own.intersection(Rect::union_all(of.iter().map(|area| area.bounds))?)?;
        }
        Some(bounds_of(page_from_node, own))
    }
}

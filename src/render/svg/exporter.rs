//! What is written to, and how: the state of one export.

use crate::base::{Affine, Rect};
use crate::design::Images;
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::boxes::bounds_of;
use crate::render::scene::SceneNode;
use crate::render::text::typesetter::Typesetter;

use super::definitions::Definitions;
use super::geometry::SvgPage;
use super::markup::{Attributes, Markup};
use super::number::Precision;

/// How to write SVG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SvgOptions {
    /// What texts become.
    pub text: TextForm,
    /// What the elements of nodes are called.
    pub ids: NodeIds,
}

/// What texts become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextForm {
    /// The outlines of their letters: they look the same everywhere.
    #[default]
    Outlines,
    /// `<text>`: they stay text, and look the same where the fonts are.
    Text,
}

/// What the elements of nodes are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeIds {
    /// Nothing; only what is referred to has an id.
    #[default]
    Omitted,
    /// The names of the nodes; space becomes `_`, and a name that is taken gets a number.
    Names,
}

/// Writes one scene.
#[derive(Debug)]
pub(super) struct Exporter<'s> {
    pub(super) typesetter: &'s Typesetter,
    pub(super) options: SvgOptions,
    pub(super) images: &'s Images,
    pub(super) paint_mode: PaintMode,
    pub(super) sheet: SvgPage,
    pub(super) sheet_from_page: Affine,
    pub(super) definitions: Definitions,
    pub(super) diagnostics: Diagnostics,
    /// How much may still be written a second time, to cast shadows.
    pub(super) silhouette_bytes_left: usize,
    /// How much may still be embedded.
    pub(super) picture_pixels_left: u64,
}

/// Most bytes of geometry written only to cast shadows.
const SILHOUETTE_BYTES: usize = 32 << 20;

/// Most pixels of all embedded pictures.
const PICTURE_PIXELS: u64 = 64 << 20;

/// What is written of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaintMode {
    /// All of it.
    Colors,
    /// Only where it is, in this opaque colour: paints as far as they are there at all, without
    /// opacity, blending and effects; masks and clips cut as ever.
    Silhouette([u8; 3]),
}

/// What cuts the elements to be written.
#[derive(Clone, Debug)]
pub(super) struct SvgClip {
    /// Nothing outside of this box shows.
    pub(super) bounds: Rect,
    /// The clip that elements have to refer to themselves: an element around them would keep their
    /// blend modes from what is below it.
    pub(super) pending: Option<String>,
}

impl SvgClip {
    pub(super) fn to_box(bounds: Rect) -> Self {
        Self { bounds, pending: None }
    }

    /// The same with another clip to refer to, which holds this one.
    pub(super) fn replaced_by(&self, pending: String) -> Self {
        Self { bounds: self.bounds, pending: Some(pending) }
    }

    /// The clip that an element has to refer to.
    pub(super) fn pending(&self) -> Option<&String> {
        self.pending.as_ref()
    }
}

impl<'s> Exporter<'s> {
    pub(super) fn new(
        typesetter: &'s Typesetter,
        page_box: Rect,
        options: SvgOptions,
        images: &'s Images,
    ) -> Self {
        let extent = page_box.width.max(page_box.height);
        Self {
            typesetter,
            options,
            images,
            paint_mode: PaintMode::Colors,
            sheet: SvgPage { size: page_box.size(), precision: Precision::of_extent(extent) },
            sheet_from_page: Affine::translate(-page_box.x, -page_box.y),
            definitions: Definitions::default(),
            diagnostics: Diagnostics::default(),
            silhouette_bytes_left: SILHOUETTE_BYTES,
            picture_pixels_left: PICTURE_PIXELS,
        }
    }

    /// Writes in another mode for a while.
    pub(super) fn in_mode<T>(
        &mut self,
        paint_mode: PaintMode,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.paint_mode, paint_mode);
        let result = act(self);
        self.paint_mode = before;
        result
    }

    /// Defines a mask over `area`, in whole pixels.
    pub(super) fn mask(
        &mut self,
        id: &str,
        area: Rect,
        attributes: &Attributes,
        cover: &Markup,
    ) -> String {
        let (x, y) = (area.x.floor(), area.y.floor());
        let region = Rect::new(x, y, area.right().ceil() - x, area.bottom().ceil() - y);
        let attributes = Attributes::default()
            .with("maskUnits", "userSpaceOnUse")
            .and(&self.sheet.region_attributes(region))
            .and(attributes);
        self.definitions.add(id, "mask", &attributes, cover)
    }

    /// The box of what is to be seen of a node; `None` if that is nothing.
    pub(super) fn visible_box(&self, node: &SceneNode<'_>, clip: &SvgClip) -> Option<Rect> {
        // A pixel more than the bounds: coverage is rounded outwards.
        bounds_of(self.sheet_from_page, node.reach?).expand(1.0).intersection(clip.bounds)
    }

    pub(super) fn sheet_from(&self, node: &SceneNode<'_>) -> Affine {
        self.sheet_from_page.after(node.page_from_node)
    }
}

//! Pictures of a design that changes, each made from the one before.
//!
//! The scene is resolved anew for every picture, which costs little; what was painted where is
//! compared with the picture before, by the pointers of the nodes, and only the box around what
//! differs is painted again. Every byte is that of a whole picture, because nothing is moved, scaled
//! or cut otherwise for it: nodes that do not reach into the box are left out, those that do are painted
//! as ever on a surface of the picture's size, and the box is copied from there. Whatever spreads
//! a change (shadows, blurs, masks, layers whose extent changes) is taken in whole.

use crate::base::{Affine, Pixels, Rect};
use crate::design::{Document, Images, NodeId};

use crate::render::context::RenderContext;
use crate::render::diagnostic::RenderError;
use crate::render::geometry::boxes::bounds_of;
use crate::render::scene::Scene;
use crate::render::scene::view::{PixelGrid, scene_of_node, scene_of_page};

use super::effect_painter;
use super::painted::{self, Painted};
use super::painter::{self, PixelRect};
use super::{RenderOptions, Rendered};

/// Pictures remembered: one for people and one for scores, as a rule.
const KEPT_PICTURES: usize = 2;

/// The largest share of a picture that is painted as a part; more is no cheaper than all of it.
const LARGEST_PART: f64 = 0.8;

/// Renders like [`render_node`](crate::render::render_node) and [`render_page`](crate::render::render_page), byte
/// for byte, and remembers the last pictures: one that differs little from a remembered one costs
/// little.
///
/// Documents may be given in any order, also of different designs. It holds the nodes that the
/// pictures show, as a snapshot does, and the pictures.
#[derive(Debug, Default)]
pub struct Repainter {
    /// The one used last comes last.
    kept: Vec<KeptPicture>,
}

/// A picture with what it shows.
#[derive(Debug)]
struct KeptPicture {
    subject: PaintedSubject,
    options: RenderOptions,
    grid: PixelGrid,
    images: Images,
    painted: Vec<Painted>,
    pixels: Pixels,
}

/// What is in the picture.
#[derive(Clone, Debug, PartialEq)]
enum PaintedSubject {
    Node(NodeId),
    Page,
}

impl Repainter {
    /// The picture that [`render_node`](crate::render::render_node) gives.
    pub fn render_node(
        &mut self,
        context: &RenderContext,
        document: &Document,
        node: &NodeId,
        options: RenderOptions,
    ) -> Result<Rendered, RenderError> {
        let (scene, grid) =
            context.with_cache(|cache| scene_of_node(cache, document, node, options.scale))?;
        self.render(document, scene, (PaintedSubject::Node(node.clone()), grid, options))
    }

    /// The picture that [`render_page`](crate::render::render_page) gives.
    pub fn render_page(
        &mut self,
        context: &RenderContext,
        document: &Document,
        options: RenderOptions,
    ) -> Result<Rendered, RenderError> {
        let (scene, grid) =
            context.with_cache(|cache| scene_of_page(cache, document, options.scale))?;
        self.render(document, scene, (PaintedSubject::Page, grid, options))
    }

    fn render(
        &mut self,
        document: &Document,
        scene: Scene<'_>,
        (subject, grid, options): (PaintedSubject, PixelGrid, RenderOptions),
    ) -> Result<Rendered, RenderError> {
        let painted = Painted::all(&scene.roots, document);
        let known = self.take(&subject, options);
        let of_known = known
            .filter(|known| known.grid == grid && known.images.is_same(document.images()))
            .and_then(|known| repainted(known, &scene, &painted));
        let pixels = match of_known {
            Some(pixels) => pixels,
            None => painter::paint(&scene, &grid, options.background)?,
        };
        let images = document.images().clone();
        self.kept.push(KeptPicture {
            subject,
            options,
            grid,
            images,
            painted,
            pixels: pixels.clone(),
        });
        Ok(Rendered { pixels, page_box: grid.page_box(), diagnostics: scene.into_diagnostics() })
    }

    /// The remembered picture of this subject; makes room for its successor.
    fn take(&mut self, subject: &PaintedSubject, options: RenderOptions) -> Option<KeptPicture> {
        let at = self.kept.iter().position(|it| it.subject == *subject && it.options == options);
        let known = at.map(|at| self.kept.remove(at));
        if self.kept.len() >= KEPT_PICTURES {
            self.kept.remove(0);
        }
        known
    }
}

/// The picture of `scene`, of which `painted` is to be kept, made from a known one; `None` if too
/// much of it differs.
fn repainted(known: KeptPicture, scene: &Scene<'_>, painted: &[Painted]) -> Option<Pixels> {
    let Some(damaged) = painted::damage(&known.painted, painted).area else {
        return Some(known.pixels);
    };
    let (width, height) = (known.pixels.width(), known.pixels.height());
    let picture = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let device_from_page = known.grid.device_from_page();
    let Some(part) = part_around(bounds_of(device_from_page, damaged), picture) else {
        return Some(known.pixels);
    };
    let part = with_backdrops(part, scene, device_from_page, picture);
    // The caller paints all of it.
    if part.area() > LARGEST_PART * picture.area() {
        return None;
    }
    let part = PixelRect::of(part);
    let rgba =
        painter::paint_part(scene, &known.grid, (width, height), known.options.background, part)?;
    let mut pixels = known.pixels;
    pixels.put(part.left, part.top, part.width, &rgba);
    Some(pixels)
}

/// The whole pixels of the picture that something in `device_box` may touch.
fn part_around(device_box: Rect, picture: Rect) -> Option<Rect> {
    // Coverage is rounded outwards by a pixel; another one is for good measure.
    let around = device_box.expand(2.0).intersection(picture)?;
    let (left, top) = (around.x.floor(), around.y.floor());
    let (width, height) = (around.right().ceil() - left, around.bottom().ceil() - top);
    (width > 0.0 && height > 0.0).then(|| Rect::new(left, top, width, height))
}

/// The part with all that blurs of the background within it see, which has to be right when they
/// look: and so on, as that may be blurred background too.
fn with_backdrops(
    mut part: Rect,
    scene: &Scene<'_>,
    device_from_page: Affine,
    picture: Rect,
) -> Rect {
    let mut seen = effect_painter::backdrops(scene, device_from_page);
    loop {
        let Some(at) = seen.iter().position(|it| it.intersection(part).is_some()) else {
            return part;
        };
        let backdrop = part_around(seen.swap_remove(at), picture);
        part = backdrop.map_or(part, |backdrop| part.union(backdrop));
    }
}

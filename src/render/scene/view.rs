//! Which part of the page a picture shows, and at which scale.

use crate::base::{Affine, Limits, PixelsError, Rect};
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::render::diagnostic::RenderError;

use super::Scene;
use super::combined::ShapeCache;

/// Extents this close above a whole number of pixels are that whole number: the sums and products
/// that led to them are not exact.
const WHOLE_TOLERANCE: f64 = 1e-6;

/// The pixel lattice of a picture laid over the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PixelGrid {
    /// Left top corner on the page.
    x: f64,
    y: f64,
    /// Extent in pixels: whole, at least 1.
    columns: f64,
    rows: f64,
    /// Pixels a unit.
    scale: f64,
}

impl PixelGrid {
    /// Begins exactly at the corner of `page_box`; `None` if the box has no area.
    pub(crate) fn at_box(page_box: Rect, scale: f64) -> Option<Self> {
        let has_area = page_box.width > 0.0 && page_box.height > 0.0 && page_box.is_finite();
        let [columns, rows] = [page_box.width, page_box.height]
            .map(|extent| (extent * scale - WHOLE_TOLERANCE).ceil().max(1.0));
        has_area.then_some(Self { x: page_box.x, y: page_box.y, columns, rows, scale })
    }

    /// The pixels of the page's own lattice that `bounds` touches; `None` if it has no extent.
    pub(crate) fn around(bounds: Rect, scale: f64) -> Option<Self> {
        let is_nothing = bounds.width <= 0.0 && bounds.height <= 0.0;
        if is_nothing || !bounds.is_finite() {
            return None;
        }
        // Outwards to whole pixels; the page's own lattice, so that the same node has the same pixels
        // whatever else is in the picture.
        let [left, top] = [bounds.x, bounds.y].map(|at| (at * scale + WHOLE_TOLERANCE).floor());
        let [right, bottom] =
            [bounds.right(), bounds.bottom()].map(|at| (at * scale - WHOLE_TOLERANCE).ceil());
        let (columns, rows) = ((right - left).max(1.0), (bottom - top).max(1.0));
        Some(Self { x: left / scale, y: top / scale, columns, rows, scale })
    }

    /// Pixels across and down, or why there are too many.
    pub(crate) fn size(&self) -> Result<(u32, u32), PixelsError> {
        let (width, height) = (saturate(self.columns), saturate(self.rows));
        let area = u64::from(width) * u64::from(height);
        let too_long = width.max(height) > Limits::IMAGE_SIDE;
        if too_long || area > Limits::IMAGE_PIXELS {
            return Err(PixelsError::TooLarge { width, height });
        }
        Ok((width, height))
    }

    /// The box on the page that the picture shows.
    pub(crate) fn page_box(&self) -> Rect {
        Rect::new(self.x, self.y, self.columns / self.scale, self.rows / self.scale)
    }

    pub(crate) fn device_from_page(&self) -> Affine {
        Affine::scale(self.scale, self.scale).after(Affine::translate(-self.x, -self.y))
    }
}

fn saturate(pixels: f64) -> u32 {
    pixels.clamp(1.0, f64::from(u32::MAX)) as u32
}

/// The scene of a node, and the picture of it.
pub(crate) fn scene_of_node<'d>(
    cache: &ShapeCache,
    document: &'d Document,
    node: &NodeId,
    scale: f64,
) -> Result<(Scene<'d>, PixelGrid), RenderError> {
    check_scale(scale)?;
    let top = document.node(node)?;
    // Before the scene is built, which would be empty without saying why.
    if !top.visible {
        return Err(RenderError::Empty(format!("{} ({}) is hidden", top.name, top.id)));
    }
    let scene = Scene::of_node(cache, document, top)?;
    let grid = if is_cut_at_its_box(top) {
        PixelGrid::at_box(document.absolute_box(node)?, scale)
    } else {
        scene.bounds().and_then(|bounds| PixelGrid::around(bounds, scale))
    };
    match grid {
        Some(grid) => Ok((scene, grid)),
        None => Err(RenderError::Empty(format!("{} ({}) paints nothing", top.name, top.id))),
    }
}

/// The scene of the whole page, and the picture of it.
pub(crate) fn scene_of_page<'d>(
    cache: &ShapeCache,
    document: &'d Document,
    scale: f64,
) -> Result<(Scene<'d>, PixelGrid), RenderError> {
    check_scale(scale)?;
    // A page has no box of its own: what is painted says how large its picture is.
    let scene = Scene::of_page(cache, document);
    let grid = scene.bounds().and_then(|bounds| PixelGrid::around(bounds, scale));
    match grid {
        Some(grid) => Ok((scene, grid)),
        None => Err(RenderError::Empty("the page has no visible node".to_owned())),
    }
}

/// The scene of the whole page, and the picture of a part of it.
pub(crate) fn scene_of_area<'d>(
    cache: &ShapeCache,
    document: &'d Document,
    area: Rect,
    scale: f64,
) -> Result<(Scene<'d>, PixelGrid), RenderError> {
    check_scale(scale)?;
    let grid = PixelGrid::around(area, scale);
    let grid =
        grid.ok_or_else(|| RenderError::Empty("the part of the page is empty".to_owned()))?;
    Ok((Scene::of_page(cache, document), grid))
}

fn check_scale(scale: f64) -> Result<(), RenderError> {
    if (0.01..=16.0).contains(&scale) { Ok(()) } else { Err(RenderError::Scale(scale)) }
}

/// Whether a picture of the node ends at the node's box even where it paints beyond.
fn is_cut_at_its_box(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_off_the_lattice_begins_at_its_own_corner() {
        let grid = PixelGrid::at_box(Rect::new(10.5, 0.25, 100.0, 50.4), 1.0).unwrap();
        assert_eq!(grid.size().unwrap(), (100, 51));
        assert_eq!(grid.page_box(), Rect::new(10.5, 0.25, 100.0, 51.0));
    }

    #[test]
    fn bounds_off_the_lattice_are_rounded_out_to_it() {
        let grid = PixelGrid::around(Rect::new(-0.5, 1.2, 1.0, 1.0), 2.0).unwrap();
        assert_eq!(grid.page_box(), Rect::new(-0.5, 1.0, 1.0, 1.5));
    }

    #[test]
    fn rounding_noise_does_not_add_a_pixel() {
        let grid = PixelGrid::at_box(Rect::new(0.0, 0.0, 0.1 + 0.2, 3.0), 10.0).unwrap();
        assert_eq!(grid.size().unwrap(), (3, 30));
    }

    #[test]
    fn a_picture_of_a_million_pixels_a_side_is_refused() {
        let grid = PixelGrid::at_box(Rect::new(0.0, 0.0, 1e12, 1.0), 16.0).unwrap();
        assert!(matches!(grid.size(), Err(PixelsError::TooLarge { .. })));
    }
}

//! Paints that SVG has no form for, as embedded pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::base::{Affine, Pixels, Rect, Rgba, Size};
use crate::design::{Images, Paint};
use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::paint::source::{PaintContext, Source};
use crate::render::paint::surface::Surface;

use super::exporter::PaintMode;
use super::markup::Attributes;
use super::number::{coefficient, matrix};

/// Pixels of an embedded picture for each pixel of the export at scale 1.
const DENSITY: f64 = 2.0;

/// Longest side of an embedded picture.
const MOST_PIXELS: f64 = 2048.0;

/// A paint to be embedded.
#[derive(Clone, Copy, Debug)]
pub(super) struct PicturedPaint<'p> {
    pub(super) paint: &'p Paint,
    /// Of the node.
    pub(super) size: Size,
    pub(super) images: &'p Images,
    /// All of it, or only where it is.
    pub(super) paint_mode: PaintMode,
}

/// What the paint looks like over `area` of its node and within `seen` of the picture, as attributes
/// of an `<image>`; `None` if that is nothing. It is coarser where only `pixels_left` may be embedded.
pub(super) fn image_attributes(
    paint: PicturedPaint<'_>,
    area: Rect,
    (sheet_from_node, seen): (Affine, Rect),
    pixels_left: &mut u64,
) -> Option<Attributes> {
    let node_from_sheet = sheet_from_node.inverse()?;
    // Only what shows is embedded: pictures are most of a file.
    let visible = bounds_of(node_from_sheet, seen.expand(1.0));
    let (stretch_x, stretch_y) =
        (sheet_from_node.a.hypot(sheet_from_node.b), sheet_from_node.c.hypot(sheet_from_node.d));
    // A pixel more than the area, so that its edge does not mix with nothing.
    let margin = 1.0 / stretch_x.min(stretch_y).clamp(1e-6, 1e6);
    let shown = area.expand(margin).intersection(visible)?;
    let columns = pixels(shown.width * stretch_x);
    let rows = pixels(shown.height * stretch_y);
    let (columns, rows) = within_budget((columns, rows), pixels_left);
    let picture = paint.draw(shown, (columns, rows))?;
    let href = data_uri(&picture)?;
    let is_turned = !sheet_from_node.is_translation();
    let transform = is_turned.then(|| matrix(sheet_from_node));
    let placed = if is_turned { shown } else { bounds_of(sheet_from_node, shown) };
    Some(
        Attributes::default()
            .with("x", coefficient(placed.x))
            .with("y", coefficient(placed.y))
            .with("width", coefficient(placed.width))
            .with("height", coefficient(placed.height))
            .with_some("transform", transform)
            .with("preserveAspectRatio", "none")
            .with("href", href),
    )
}

/// A picture as the reference to it that holds it.
pub(super) fn data_uri(picture: &Pixels) -> Option<String> {
    let data = STANDARD.encode(picture.to_png().ok()?);
    Some(format!("data:image/png;base64,{data}"))
}

/// Columns and rows of a picture of an area of the export.
pub(super) fn extent(area: Rect, pixels_left: &mut u64) -> (u32, u32) {
    within_budget((pixels(area.width), pixels(area.height)), pixels_left)
}

fn pixels(extent: f64) -> u32 {
    (extent * DENSITY).ceil().clamp(1.0, MOST_PIXELS) as u32
}

/// At most half of what is left, so that there is always something for the next picture.
fn within_budget((columns, rows): (u32, u32), pixels_left: &mut u64) -> (u32, u32) {
    let wanted = u64::from(columns) * u64::from(rows);
    let most = (*pixels_left / 2).max(1);
    let shrink = (most as f64 / wanted as f64).sqrt().min(1.0);
    let [columns, rows] =
        [columns, rows].map(|pixels| (f64::from(pixels) * shrink).floor().max(1.0) as u32);
    *pixels_left = pixels_left.saturating_sub(u64::from(columns) * u64::from(rows));
    (columns, rows)
}

impl PicturedPaint<'_> {
    /// The paint over `shown`, stretched to so many pixels.
    fn draw(&self, shown: Rect, (columns, rows): (u32, u32)) -> Option<Pixels> {
        let mut surface = Surface::picture(columns, rows)?;
        let stretch =
            Affine::scale(f64::from(columns) / shown.width, f64::from(rows) / shown.height);
        let device_from_node = stretch.after(Affine::translate(-shown.x, -shown.y));
        let (size, images) = (self.size, self.images);
        let place = PaintContext { size, device_from_node, visible: surface.device_box(), images };
        let source = match self.paint_mode {
            PaintMode::Colors => Source::of(self.paint, place, 1.0),
            PaintMode::Silhouette(_) => Source::silhouette_of(self.paint, place),
        };
        source?.fill(&mut surface, &FilledPath::of_rect(shown)?, device_from_node, None);
        if let PaintMode::Silhouette([r, g, b]) = self.paint_mode {
            surface.tint(Rgba::from_u8([r, g, b, 255]));
        }
        Pixels::from_rgba(columns, rows, surface.pixmap.take_demultiplied()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_get_coarser_where_there_are_too_many() {
        let mut left = 40_000;
        assert_eq!(within_budget((100, 100), &mut left), (100, 100));
        assert_eq!(within_budget((200, 200), &mut left), (122, 122));
        let sides: Vec<_> = (0..50).map(|_| within_budget((200, 200), &mut left).0).collect();
        assert!(sides.is_sorted_by(|a, b| a >= b) && sides.ends_with(&[1]));
    }
}

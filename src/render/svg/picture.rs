//! Paints that SVG has no form for, as embedded pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::base::{Affine, Pixels, Rect, Size};
use crate::design::{Images, Paint};

use super::super::clip::bounds_of;
use super::super::shader::{Place, Source};
use super::super::shape::FilledPath;
use super::super::surface::Surface;
use super::geometry::Sheet;
use super::gradient::matrix;
use super::markup::Attributes;
use super::number::coefficient;

/// Pixels of an embedded picture for each pixel of the export at scale 1.
const DENSITY: f64 = 2.0;

/// Longest side of an embedded picture.
const MOST_PIXELS: f64 = 2048.0;

/// What the paint looks like over `area` of a node of `size`, as attributes of an `<image>`; `None`
/// if nothing of it is in the picture.
pub(super) fn image_attributes(
    paint: &Paint,
    (size, area): (Size, Rect),
    images: &Images,
    sheet_from_node: Affine,
    sheet: Sheet,
) -> Option<Attributes> {
    let node_from_sheet = sheet_from_node.inverse()?;
    let visible = bounds_of(node_from_sheet, sheet.view().expand(1.0));
    let (stretch_x, stretch_y) = (
        sheet_from_node.a.hypot(sheet_from_node.b),
        sheet_from_node.c.hypot(sheet_from_node.d),
    );
    // A pixel more than the area, so that its edge does not mix with nothing.
    let margin = 1.0 / stretch_x.min(stretch_y).clamp(1e-6, 1e6);
    let shown = area.expand(margin).intersection(visible)?;
    let columns = pixels(shown.width * stretch_x);
    let rows = pixels(shown.height * stretch_y);
    let picture = draw(paint, size, images, (shown, columns, rows))?;
    let data = STANDARD.encode(picture.to_png().ok()?);
    let transform =
        (sheet_from_node != Affine::IDENTITY).then(|| matrix(sheet_from_node));
    Some(
        Attributes::default()
            .with("x", coefficient(shown.x))
            .with("y", coefficient(shown.y))
            .with("width", coefficient(shown.width))
            .with("height", coefficient(shown.height))
            .with_some("transform", transform)
            .with("preserveAspectRatio", "none")
            .with("href", format!("data:image/png;base64,{data}")),
    )
}

fn pixels(extent: f64) -> u32 {
    (extent * DENSITY).ceil().clamp(1.0, MOST_PIXELS) as u32
}

/// The paint over `shown`, stretched to so many pixels.
fn draw(
    paint: &Paint,
    size: Size,
    images: &Images,
    (shown, columns, rows): (Rect, u32, u32),
) -> Option<Pixels> {
    let mut surface = Surface::picture(columns, rows)?;
    let stretch = Affine::scale(f64::from(columns) / shown.width, f64::from(rows) / shown.height);
    let device_from_node = stretch.after(Affine::translate(-shown.x, -shown.y));
    let place = Place { size, device_from_node, visible: surface.device_box(), images };
    let source = Source::of(paint, place, 1.0)?;
    surface.fill(&box_area(shown)?, source, device_from_node, None);
    Pixels::from_rgba(columns, rows, surface.pixmap.take_demultiplied()).ok()
}

fn box_area(rect: Rect) -> Option<FilledPath> {
    let bounds = tiny_skia::Rect::from_xywh(
        rect.x as f32,
        rect.y as f32,
        rect.width as f32,
        rect.height as f32,
    )?;
    let path = tiny_skia::PathBuilder::from_rect(bounds);
    Some(FilledPath { rect: Some(rect), ..FilledPath::new(path, tiny_skia::FillRule::Winding) })
}

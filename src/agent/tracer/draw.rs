//! The agent's idea of what its draft will look like.
//!
//! An agent cannot ask the renderer; this small one of its own predicts the picture well enough to
//! choose between two ways of drawing a thing. Only the picture that `get_result_image` gives counts.

use tiny_skia::{
    Color, FillRule, GradientStop, LinearGradient, Paint, Path, PathBuilder, Pixmap, Point, Shader,
    SpreadMode, Transform,
};

use crate::base::Rect;

use super::area::Area;
use super::draft::{Fill, GradientDirection, Piece, Shape, Stroke};
use super::picture::{Picture, Rgb};
use super::text::font;

/// How far a control point of a quarter circle lies from its end, of the radius.
const CIRCLE: f32 = 0.552_284_8;

/// A place to draw: the part `area` of the working picture.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pixmap: Pixmap,
    area: Area,
}

impl Sheet {
    /// A sheet of one colour; `None` if `area` is empty or far too large.
    pub(super) fn of_colour(area: Area, colour: Rgb) -> Option<Self> {
        let mut pixmap = Pixmap::new(area.width() as u32, area.height() as u32)?;
        pixmap.fill(skia_colour(colour));
        Some(Self { pixmap, area })
    }

    /// What is on the sheet, as a picture of the sheet's size.
    pub(super) fn picture(&self) -> Picture {
        let rgb = self.pixmap.pixels().iter();
        let rgb = rgb.map(|p| [p.red(), p.green(), p.blue()].map(f32::from)).collect();
        Picture::from_rgb(self.area.width(), self.area.height(), rgb)
    }

    /// Draws a piece over what is there.
    pub(super) fn draw(&mut self, piece: &Piece) {
        let to_sheet = Transform::from_translate(-(self.area.x0 as f32), -(self.area.y0 as f32));
        let Some(path) = path_of(&piece.shape, piece.bounds) else { return };
        let rule = match piece.shape {
            Shape::Trace(_) => FillRule::EvenOdd,
            _ => FillRule::Winding,
        };
        self.pixmap.fill_path(&path, &paint(&piece.fill, piece.bounds), rule, to_sheet, None);
        if let Some(stroke) = piece.stroke {
            self.draw_stroke(piece, stroke, to_sheet);
        }
    }

    /// Draws an outline inside the box of its piece.
    fn draw_stroke(&mut self, piece: &Piece, stroke: Stroke, to_sheet: Transform) {
        let half = stroke.weight / 2.0;
        // A stroke is painted to both sides of its path, so the path runs in its middle.
        let bounds = piece.bounds.expand(-f64::from(half));
        let path = match &piece.shape {
            Shape::Box(radii) => rounded_box(bounds, radii.map(|r| (r - half).max(0.0))),
            other => path_of(other, bounds),
        };
        let Some(path) = path else { return };
        let style = tiny_skia::Stroke { width: stroke.weight, ..tiny_skia::Stroke::default() };
        let paint = paint(&Fill::Solid(stroke.colour), bounds);
        self.pixmap.stroke_path(&path, &paint, &style, to_sheet, None);
    }
}

/// What a piece looks like over what is in `area` already; `None` if that cannot be drawn.
pub(super) fn draw_over(below: &Picture, piece: &Piece, area: Area) -> Option<Picture> {
    let mut sheet = Sheet::of_colour(area, [0.0; 3])?;
    for (pixel, (x, y)) in sheet.pixmap.pixels_mut().iter_mut().zip(below.area().pixels()) {
        let [r, g, b] = below.get(x, y).map(|v| v.round().clamp(0.0, 255.0) as u8);
        *pixel = tiny_skia::ColorU8::from_rgba(r, g, b, 255).premultiply();
    }
    sheet.draw(piece);
    Some(sheet.picture())
}

/// What a draft looks like in `area`, over `base`. Black if the area cannot be drawn.
pub(super) fn draw_all<'a>(
    base: Rgb,
    pieces: impl IntoIterator<Item = &'a Piece>,
    area: Area,
) -> Picture {
    let Some(mut sheet) = Sheet::of_colour(area, base) else {
        return Picture::from_rgb(area.width(), area.height(), vec![[0.0; 3]; area.count()]);
    };
    for piece in pieces {
        sheet.draw(piece);
    }
    sheet.picture()
}

fn skia_colour(colour: Rgb) -> Color {
    let [r, g, b] = colour.map(|v| v.round().clamp(0.0, 255.0) as u8);
    Color::from_rgba8(r, g, b, 255)
}

fn paint(fill: &Fill, bounds: Rect) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.shader = match fill {
        Fill::Solid(colour) => Shader::SolidColor(skia_colour(*colour)),
        // A gradient over no length is none; its mean is what it would show.
        Fill::Linear(axis, stops) => gradient(*axis, stops, bounds)
            .unwrap_or_else(|| Shader::SolidColor(skia_colour(fill.colour()))),
    };
    paint
}

fn gradient(
    axis: GradientDirection,
    stops: &[(f32, Rgb)],
    bounds: Rect,
) -> Option<Shader<'static>> {
    let start = Point::from_xy(bounds.x as f32, bounds.y as f32);
    let end = match axis {
        GradientDirection::Across => Point::from_xy(bounds.right() as f32, start.y),
        GradientDirection::Down => Point::from_xy(start.x, bounds.bottom() as f32),
    };
    let stops = stops.iter().map(|(at, colour)| GradientStop::new(*at, skia_colour(*colour)));
    LinearGradient::new(start, end, stops.collect(), SpreadMode::Pad, Transform::identity())
}

fn path_of(shape: &Shape, bounds: Rect) -> Option<Path> {
    match shape {
        Shape::Box(radii) => rounded_box(bounds, *radii),
        Shape::Ellipse => PathBuilder::from_oval(skia_rect(bounds)?),
        Shape::Text(run) => font::run_path(run),
        Shape::Paragraph(paragraph) => lines(&paragraph.lines),
        Shape::Trace(contours) => polygons(contours),
    }
}

fn lines(lines: &[Piece]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for line in lines {
        if let Some(path) = path_of(&line.shape, line.bounds) {
            builder.push_path(&path);
        }
    }
    builder.finish()
}

fn skia_rect(rect: Rect) -> Option<tiny_skia::Rect> {
    tiny_skia::Rect::from_ltrb(
        rect.x as f32,
        rect.y as f32,
        rect.right() as f32,
        rect.bottom() as f32,
    )
}

fn polygons(contours: &[Vec<[f32; 2]>]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for contour in contours {
        for (i, [x, y]) in contour.iter().enumerate() {
            if i == 0 {
                builder.move_to(*x, *y);
            } else {
                builder.line_to(*x, *y);
            }
        }
        builder.close();
    }
    builder.finish()
}

fn rounded_box(bounds: Rect, radii: [f32; 4]) -> Option<Path> {
    let rect = skia_rect(bounds)?;
    if radii.iter().all(|r| *r <= 0.05) {
        return Some(PathBuilder::from_rect(rect));
    }
    // As renderers do: corners that would overlap end in the middle.
    let most = rect.width().min(rect.height()) / 2.0;
    let [tl, tr, br, bl] = radii.map(|r| r.clamp(0.0, most));
    let (l, t, r, b) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    // Control points lie at `1 − k` of the radius from the ends of each quarter.
    let k = 1.0 - CIRCLE;
    let mut path = PathBuilder::new();
    path.move_to(l + tl, t);
    path.line_to(r - tr, t);
    path.cubic_to(r - tr * k, t, r, t + tr * k, r, t + tr);
    path.line_to(r, b - br);
    path.cubic_to(r, b - br * k, r - br * k, b, r - br, b);
    path.line_to(l + bl, b);
    path.cubic_to(l + bl * k, b, l, b - bl * k, l, b - bl);
    path.line_to(l, t + tl);
    path.cubic_to(l, t + tl * k, l + tl * k, t, l + tl, t);
    path.close();
    path.finish()
}

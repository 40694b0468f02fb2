//! Drawings and QR codes.

use std::sync::Arc;

use crate::base::{Point, Rgba, Size};

use super::scene::Scene;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::document::{Content, Object, Source};
use crate::environment::suite::drawing::{DrawingShape, DrawnShape};
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::geometry::Placement;
use crate::environment::suite::geometry::middle;
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::qr_code::QrCode;
use crate::environment::suite::text_layer::StrokeStyle;

/// Fewest and most corners of a polygon or tips of a star.
const CORNERS: std::ops::RangeInclusive<f64> = 3.0..=360.0;
/// Widths of lines, in points.
const WIDTHS: std::ops::RangeInclusive<f64> = 0.01..=1000.0;
/// Side of a new QR code, as a share of the page's shorter side.
const QR_SHARE: f64 = 0.2;

pub(super) fn draw(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let page = scene.state.need(given.expert)?.size;
    let color = given.color()?;
    let drawing = match given.action.name {
        "DrawLine" => line(given, color)?,
        _ => form(given, color, page)?,
    };
    let bounds = drawing.place.bounds();
    let name = given.layer()?;
    // Before it is added: what would be wholly off the page is not drawn.
    let note = scene.edge_note(name, bounds, page)?;
    let again = scene.add(given.expert, name, Content::Drawing(drawing))?;
    let what = given.action.name.trim_start_matches("Draw").to_lowercase();
    let text = format!(
        "Drew the {what} {:?}, {} × {} points",
        shorten(name),
        bounds.width.round(),
        bounds.height.round()
    );
    Ok(ActionResult::new(text).with_box(bounds).with_warning(again).with_warning(note))
}

fn form(given: &CheckedCall, color: Rgba, page: Size) -> Result<DrawnShape, Failure> {
    let (shape, width, height) = match given.action.name {
        "DrawRectangle" => {
            (DrawingShape::Rectangle, given.number("width")?, given.number("height")?)
        }
        "DrawTriangle" => (DrawingShape::Triangle, given.number("base")?, given.number("height")?),
        "DrawEllipse" => {
            // Radii in the table, sides in a box.
            let (across, down) = (given.number("majorRadius")?, given.number("radius")?);
            (DrawingShape::Ellipse, 2.0 * across, 2.0 * down)
        }
        name => {
            let across = 2.0 * given.number("radius")?;
            (round_shape(name, given)?, across, across)
        }
    };
    // The table allows a radius of 0; nothing would be drawn, and nobody would know why.
    if width <= 0.0 || height <= 0.0 {
        let message = format!("a drawing of {width} × {height} cannot be seen: give sizes above 0");
        return Err(Failure::OutOfRange(message));
    }
    let place = Placement::at(middle(page), Size::new(width, height));
    Ok(DrawnShape { shape, fill: Some(color), stroke: None, place })
}

fn round_shape(name: &str, given: &CheckedCall) -> Result<DrawingShape, Failure> {
    match name {
        "DrawPolygon" => Ok(DrawingShape::Polygon { corners: corners(given, "sides")? }),
        "DrawStar" => Ok(DrawingShape::Star { tips: corners(given, "numPoints")? }),
        _ => Ok(DrawingShape::Ellipse),
    }
}

fn corners(given: &CheckedCall, parameter: &str) -> Result<u32, Failure> {
    let count = given.number(parameter)?.round();
    if CORNERS.contains(&count) {
        return Ok(count as u32);
    }
    let (least, most) = (CORNERS.start(), CORNERS.end());
    Err(Failure::OutOfRange(format!("{parameter} must be within {least} and {most}, not {count}")))
}

fn line(given: &CheckedCall, color: Rgba) -> Result<DrawnShape, Failure> {
    let start = Point::new(given.number("startX")?, given.number("startY")?);
    let end = Point::new(given.number("endX")?, given.number("endY")?);
    let width = given.number("strokeWidth")?;
    if !WIDTHS.contains(&width) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        let message = format!("strokeWidth must be within {least} and {most}, not {width}");
        return Err(Failure::OutOfRange(message));
    }
    let (dx, dy) = (end.x - start.x, end.y - start.y);
    let length = libm::hypot(dx, dy);
    if length <= 0.0 {
        let message = "a line needs two ends in different places".to_owned();
        return Err(Failure::OutOfRange(message));
    }
    // A line lies level in its own box and is turned about its middle, as all layers are.
    let center = Point::new(f64::midpoint(start.x, end.x), f64::midpoint(start.y, end.y));
    let angle = libm::atan2(dy, dx).to_degrees();
    let place = Placement { angle, ..Placement::at(center, Size::new(length, 0.0)) };
    let stroke = Some(StrokeStyle { width, color });
    Ok(DrawnShape { shape: DrawingShape::Line, fill: None, stroke, place })
}

pub(super) fn qr(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let page = scene.state.need(given.expert)?.size;
    let (name, says) = (given.layer()?, given.text("linkeURL")?);
    if says.is_empty() {
        return Err(Failure::OutOfRange("linkeURL is empty".to_owned()));
    }
    let code = QrCode::of(says).ok_or_else(|| {
        Failure::TooLarge(format!("{:?} is too long for a QR code", shorten(says)))
    })?;
    let side = page.width.min(page.height) * QR_SHARE;
    let place = Placement::at(middle(page), Size::new(side, side));
    let object = Object { source: Source::Qr(Arc::new(code)), place };
    let again = scene.add(given.expert, name, Content::Object(object))?;
    let text = format!("Made the QR code {:?} of {:?}", shorten(name), shorten(says));
    Ok(ActionResult::new(text).with_box(place.bounds()).with_warning(again))
}

//! Where layers lie: moving, resizing, turning.

use serde_json::json;

use crate::base::{Point, Size};
use crate::graphictown::Expert;
use crate::render::RenderContext;

use super::scene::Scene;
use crate::environment::suite::action_kind::TargetLayers;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::anchor::AnchorReading;
use crate::environment::suite::compat::Compat;
use crate::environment::suite::document::{Content, Layer, SuiteDocument, TextUnit};
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::geometry::Placement;
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::text_layer::TextLayer;

/// Longest side of a layer, in points.
const MOST_SIDE: f64 = 100_000.0;

pub(super) fn reposition(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    let to = Point::new(given.number("posX")?, given.number("posY")?);
    let document = scene.state.need_mut(given.expert)?;
    let (unit, note) = match kind {
        TargetLayers::Text => unit_of(document, at, to),
        TargetLayers::Drawing | TargetLayers::Any => (TextUnit::Points, None),
    };
    let page = document.size;
    let to_in_points = Point::new(to.x * unit.points(), to.y * unit.points());
    let anchoring =
        Anchoring { render: scene.render, expert: given.expert, compat: scene.compat, page };
    let layer = document.layer_mut(at);
    let reading = layer.and_then(|layer| move_to(layer, to_in_points, anchoring));
    let text =
        format!("Moved {:?} to ({}, {}) {}", shorten(given.layer()?), to.x, to.y, unit.name());
    let done = ActionResult::new(text).with("unit", unit.name()).with_warning(note);
    finish(scene, given, at, told(done, reading))
}

/// With what the position was read as.
fn told(done: ActionResult, reading: Option<AnchorReading>) -> ActionResult {
    let Some(reading) = reading else { return done };
    done.with("anchor", json!({"x": reading.x.name(), "y": reading.y.name()}))
        .with_warning(reading.note())
}

/// The unit of a text's position: from the first text on of which millimetres would leave no whole
/// line on the page, and points would, it is points.
fn unit_of(document: &mut SuiteDocument, at: usize, to: Point) -> (TextUnit, Option<String>) {
    let line = match document.layers.get(at).map(|layer| &layer.content) {
        Some(Content::Text(text)) => text.font_size,
        _ => 0.0,
    };
    let page = document.size;
    let [mm_have_room, points_have_room] = [TextUnit::Millimetres, TextUnit::Points].map(|unit| {
        // One whole line on the page is enough: a longer text may well run over its end.
        let (x, y) = (to.x * unit.points(), to.y * unit.points());
        x < page.width && y + line * LINE <= page.height
    });
    // Once points were meant they stay meant: a plan does not change its unit half way.
    if document.text_unit == TextUnit::Points || mm_have_room || !points_have_room {
        return (document.text_unit, None);
    }
    document.text_unit = TextUnit::Points;
    let mm = TextUnit::Millimetres.points();
    let note = format!(
        "in mm that is ({}, {}) points, where no line of it is whole on a page of {} × {}; points are \
         meant, for this and all later texts",
        (to.x * mm).round(),
        (to.y * mm).round(),
        page.width,
        page.height
    );
    (TextUnit::Points, Some(note))
}

/// Height of a line over the size of its letters.
const LINE: f64 = 1.2;

/// What decides how a position is read.
#[derive(Clone, Copy, Debug)]
struct Anchoring<'r> {
    render: &'r RenderContext,
    expert: Expert,
    compat: Compat,
    page: Size,
}

impl Anchoring<'_> {
    /// A box at a position, and how that was read if there is more than one way.
    fn moved(self, place: Placement, to: Point) -> (Placement, Option<AnchorReading>) {
        match (self.expert, self.compat) {
            (Expert::PhotoEditor | Expert::LayoutDesigner, _) => (place.with_corner(to), None),
            // The released script takes the middle, wherever that leads.
            (Expert::VectorGraphicEditor, Compat::GraphicBench) => {
                let reading = AnchorReading::middle(to);
                (Placement { center: reading.center, ..place }, Some(reading))
            }
            (Expert::VectorGraphicEditor, Compat::Documented) => {
                let reading = AnchorReading::of(to, place.bounds().size(), self.page);
                let moved = Placement { center: reading.center, asked: Some(to), ..place };
                (moved, Some(reading))
            }
        }
    }

    /// A box of another size: its middle stays, unless its position means something else now.
    fn resized(self, place: Placement, size: Size) -> (Placement, Option<AnchorReading>) {
        let resized = Placement { size, ..place };
        match place.asked {
            Some(asked) => self.moved(resized, asked),
            None => (resized, None),
        }
    }
}

fn move_to(layer: &mut Layer, to: Point, anchoring: Anchoring<'_>) -> Option<AnchorReading> {
    let place = match &mut layer.content {
        Content::Text(text) => {
            // Of a text the frame is moved, and where its letters lie follows from that.
            text.corner = Some(to);
            text.settle(anchoring.render, anchoring.page);
            return None;
        }
        Content::Drawing(drawing) => &mut drawing.place,
        Content::Object(object) => &mut object.place,
    };
    let (moved, reading) = anchoring.moved(*place, to);
    *place = moved;
    reading
}

pub(super) fn resize(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    let size = Size::new(given.number("width")?, given.number("height")?);
    if [size.width, size.height].iter().any(|side| !(*side > 0.0 && *side <= MOST_SIDE)) {
        let message = format!(
            "a size of {} × {} cannot be: each side must be above 0 and at most {MOST_SIDE} points",
            size.width, size.height
        );
        return Err(Failure::OutOfRange(message));
    }
    let document = scene.state.need_mut(given.expert)?;
    let (page, expert) = (document.size, given.expert);
    let anchoring = Anchoring { render: scene.render, expert, compat: scene.compat, page };
    let layer = document.layer_mut(at);
    let reading = layer.and_then(|layer| resize_layer(layer, size, anchoring));
    let name = shorten(given.layer()?);
    let text = format!("{name:?} has {} × {} points now", size.width, size.height);
    finish(scene, given, at, told(ActionResult::new(text), reading))
}

fn resize_layer(layer: &mut Layer, size: Size, anchoring: Anchoring<'_>) -> Option<AnchorReading> {
    let (place, size) = match &mut layer.content {
        Content::Text(text) => {
            fit_text(text, size, anchoring);
            return None;
        }
        // A line has no height.
        Content::Drawing(drawing) if drawing.place.size.height <= 0.0 => {
            (&mut drawing.place, Size::new(size.width, 0.0))
        }
        Content::Drawing(drawing) => (&mut drawing.place, size),
        Content::Object(object) => (&mut object.place, size),
    };
    let (resized, reading) = anchoring.resized(*place, size);
    *place = resized;
    reading
}

/// Sets a text as large as a box has room for.
fn fit_text(text: &mut TextLayer, size: Size, anchoring: Anchoring<'_>) {
    let now = text.place.size;
    // Both sides limit it: letters keep their form.
    let factor = (size.width / now.width.max(1.0)).min(size.height / now.height.max(1.0));
    text.font_size = (text.font_size * factor).clamp(0.1, 2000.0);
    text.settle(anchoring.render, anchoring.page);
}

pub(super) fn rotate(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    let asked = given.number("angle")?;
    // Absolute, as the tables have it; whole turns mean nothing.
    let angle = asked % 360.0;
    let document = scene.state.need_mut(given.expert)?;
    if let Some(layer) = document.layer_mut(at) {
        layer.place_mut().angle = angle;
    }
    let text = format!("{:?} is turned to {asked}°", shorten(given.layer()?));
    finish(scene, given, at, ActionResult::new(text))
}

/// The answer after a layer has moved: where it lies, and whether that is on the page.
fn finish(
    scene: &Scene<'_>,
    given: &CheckedCall,
    at: usize,
    done: ActionResult,
) -> Result<ActionResult, Failure> {
    let document = scene.state.need(given.expert)?;
    // As it lies now, turned, with what a text's letters take.
    let bounds = document.layers.get(at).map(|layer| layer.bounds()).unwrap_or_default();
    let note = scene.edge_note(given.layer()?, bounds, document.size)?;
    Ok(done.with_box(bounds).with_warning(note))
}

//! A start that is there already: what differs from the picture is changed on its own nodes, what is
//! new is added, and everything else is left as it is.
//!
//! The agent knows of each node what a tool tells of it (box, colours, words), and has seen the start
//! and the picture to arrive at. Where a node was seen in its colour, the picture says what colour it
//! is to have; where the same line reads otherwise, what it is to say; what was seen in the picture
//! and not in the start is added.

use serde_json::{Value, json};

use super::area::Area;
use super::calls::{self, Scale};
use super::draft::{Piece, Shape, TextRun};
use super::picture::{Picture, Rgb, distance};
use super::see::Draft;

/// A colour this near to a node's is that of the node, in levels.
const SAME: f32 = 12.0;
/// A change of colour below this is none.
const LEAST_CHANGE: f32 = 6.0;
/// Pixels in which a node is seen at least, before anything is said of its colour.
const LEAST_PIXELS: usize = 6;
/// The share of them that must agree on the new colour.
const AGREEING: f32 = 0.55;
/// How near to the others' median a pixel is that agrees, in levels.
const AGREES: f32 = 26.0;
/// Ink counts from this share of its colour on; thinner edges are mostly ground.
const LEAST_INK: f32 = 0.45;
/// Edges of two boxes that are the same box are no further apart, in pixels.
const SAME_EDGE: f64 = 2.5;
/// A radius is another one from this difference on, in pixels.
const LEAST_RADIUS: f32 = 2.5;

/// A node of the start, as the tool describes it.
#[derive(Clone, Debug)]
struct StartNode {
    id: String,
    area: Area,
    fills: Vec<Value>,
    strokes: Vec<Value>,
    stroke_weight: f64,
    radius: Option<f64>,
    text: Option<(String, f64)>,
}

/// A call that changes a node.
pub(super) type Call = (&'static str, Value);

/// The ids of all nodes below the main frame, itself first; empty if there is none below it.
pub(super) fn ids_of_start(structure: Option<&Value>, main_frame: &str) -> Vec<String> {
    let roots = structure.and_then(|tree| tree.get("structureTree")).and_then(Value::as_array);
    let mut main = roots.into_iter().flatten();
    let main = main.find(|node| node.get("id").and_then(Value::as_str) == Some(main_frame));
    let mut ids = Vec::new();
    collect_ids(main, &mut ids);
    if ids.len() > 1 { ids } else { Vec::new() }
}

fn collect_ids(node: Option<&Value>, ids: &mut Vec<String>) {
    let Some(node) = node else { return };
    ids.extend(node.get("id").and_then(Value::as_str).map(ToOwned::to_owned));
    let children = node.get("children").and_then(Value::as_array);
    for child in children.into_iter().flatten() {
        collect_ids(Some(child), ids);
    }
}

/// What to change on the nodes of the start, and the pieces to add to it.
pub(super) fn edits(
    told: &Value,
    (start, start_draft): (&Picture, &Draft),
    (target, draft): (&Picture, &Draft),
    scale: Scale,
) -> (Vec<Call>, Vec<Piece>) {
    let nodes = nodes_of(told, start, scale);
    let mut calls = Vec::new();
    for node in &nodes {
        calls.extend(recolour(node, start, target));
        calls.extend(restroke(node, start, target));
        calls.extend(round_off(node, start_draft, draft, scale));
        calls.extend(reword(node, start_draft, draft));
    }
    // Letters that a changed text accounts for are not drawn a second time over it.
    let reworded: Vec<Area> = nodes
        .iter()
        .filter(|node| reword(node, start_draft, draft).next().is_some())
        .map(|node| node.area)
        .collect();
    let mut added: Vec<Piece> = draft.pieces.clone();
    added.retain(|piece| {
        let area = area_of(piece, target);
        let is_new = !start_draft.pieces.iter().any(|known| is_same(known, piece));
        let is_reworded = reworded.iter().any(|known| known.intersection(area).count() > 0);
        is_new && !(is_reworded && matches!(piece.shape, Shape::Text(_) | Shape::Trace(_)))
    });
    (calls, added)
}

fn nodes_of(told: &Value, picture: &Picture, scale: Scale) -> Vec<StartNode> {
    let list = told.get("nodeList").and_then(Value::as_array);
    let infos = list.into_iter().flatten().filter_map(|entry| entry.get("nodeInfo"));
    infos.filter_map(|info| node_of(info, picture, scale)).collect()
}

fn node_of(info: &Value, picture: &Picture, scale: Scale) -> Option<StartNode> {
    let (position, extent) = (info.get("position")?, info.get("size")?);
    let (x, y) = (number_in(position, "x")? / scale.x, number_in(position, "y")? / scale.y);
    let (w, h) = (number_in(extent, "width")? / scale.x, number_in(extent, "height")? / scale.y);
    let size = info.get("style").and_then(|style| number_in(style, "fontSize")).unwrap_or(0.0);
    let text = info.get("characters").and_then(Value::as_str);
    // What lies left of the picture or above it is cast to 0.
    let area = Area::new(
        (x.floor() as usize).min(picture.width()),
        (y.floor() as usize).min(picture.height()),
        ((x + w).ceil() as usize).min(picture.width()),
        ((y + h).ceil() as usize).min(picture.height()),
    );
    Some(StartNode {
        id: info.get("id")?.as_str()?.to_owned(),
        area,
        fills: list_in(info, "fills"),
        strokes: list_in(info, "strokes"),
        stroke_weight: number_in(info, "strokeWeight").unwrap_or(0.0),
        radius: number_in(info, "cornerRadius"),
        text: text.map(|text| (text.to_owned(), size)),
    })
}

fn number_in(value: &Value, name: &str) -> Option<f64> {
    value.get(name)?.as_f64()
}

fn list_in(value: &Value, name: &str) -> Vec<Value> {
    value.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The colour of `#rrggbb`.
fn colour_of(hex: &Value) -> Option<Rgb> {
    let hex = hex.as_str()?.strip_prefix('#')?;
    let [r, g, b] = [0, 2, 4].map(|at: usize| {
        let digits = hex.get(at..at + 2)?;
        u8::from_str_radix(digits, 16).ok().map(f32::from)
    });
    Some([r?, g?, b?])
}

/// The one visible, solid paint of a list.
fn solid(paints: &[Value]) -> Option<Rgb> {
    let [paint] = paints else { return None };
    let is_plain = paint.get("type")?.as_str()? == "SOLID"
        && paint.get("visible").and_then(Value::as_bool) != Some(false)
        && paint.get("opacity").and_then(Value::as_f64).unwrap_or(1.0) > 0.99;
    colour_of(paint.get("color")?).filter(|_| is_plain)
}

fn recolour(node: &StartNode, start: &Picture, target: &Picture) -> Option<Call> {
    if let Some(stops) = gradient_stops(&node.fills) {
        return regrade(node, &stops, start, target);
    }
    let fill = solid(&node.fills)?;
    let new = if node.text.is_some() {
        ink_colour(node.area, fill, start, target)
    } else {
        ground_colour(node.area, fill, start, target)
            .or_else(|| ink_colour(node.area, fill, start, target))
    }?;
    let mut arguments = calls::colour(new);
    arguments["nodeId"] = json!(node.id);
    (distance(new, fill) > LEAST_CHANGE).then_some(("set_fill_color", arguments))
}

/// What a colour became where it was seen as it is.
fn ground_colour(area: Area, fill: Rgb, start: &Picture, target: &Picture) -> Option<Rgb> {
    let seen = area.pixels().filter(|(x, y)| distance(start.get(*x, *y), fill) < SAME);
    let seen: Vec<(usize, usize)> = seen.collect();
    let [before, after] = [start, target].map(|picture| {
        let colours: Vec<Rgb> = seen.iter().map(|(x, y)| picture.get(*x, *y)).collect();
        agreed(&colours)
    });
    // What lies over a node shades both alike: only what differs between them is a change.
    let (before, after) = (before?, after?);
    Some(if distance(before, after) > LEAST_CHANGE { after } else { fill })
}

/// What the colour of thin ink became: each pixel is a mixture with the ground around it, by the share
/// that the start shows.
fn ink_colour(area: Area, fill: Rgb, start: &Picture, target: &Picture) -> Option<Rgb> {
    let around = area.grow(2, start.width(), start.height());
    let rim: Vec<(usize, usize)> = around
        .pixels()
        .filter(|(x, y)| Area::pixel(*x, *y).intersection(area).count() == 0)
        .collect();
    let [before, after] = [start, target]
        .map(|picture| median(rim.iter().map(|(x, y)| picture.get(*x, *y)).collect()));
    let (before, after) = (before?, after?);
    let contrast = distance(fill, before);
    if contrast < SAME {
        return None;
    }
    let mut colours = Vec::new();
    for (x, y) in area.pixels() {
        let share = distance(start.get(x, y), before) / contrast;
        // Along the way from the ground to the ink, and not of another colour.
        let mixed = [0, 1, 2].map(|c| before[c] + share * (fill[c] - before[c]));
        if (LEAST_INK..=1.1).contains(&share) && distance(mixed, start.get(x, y)) < AGREES {
            let now = target.get(x, y);
            colours.push(
                [0, 1, 2]
                    .map(|c| (after[c] + (now[c] - after[c]) / share.min(1.0)).clamp(0.0, 255.0)),
            );
        }
    }
    agreed(&colours)
}

/// The median of colours, if enough of them are near to it.
fn agreed(colours: &[Rgb]) -> Option<Rgb> {
    if colours.len() < LEAST_PIXELS {
        return None;
    }
    let middle = median(colours.to_vec())?;
    let agreeing = colours.iter().filter(|colour| distance(**colour, middle) < AGREES).count();
    (agreeing as f32 >= AGREEING * colours.len() as f32).then_some(middle)
}

fn median(mut colours: Vec<Rgb>) -> Option<Rgb> {
    let middle = colours.len() / 2;
    if colours.is_empty() {
        return None;
    }
    Some(
        [0, 1, 2]
            .map(|c| colours.select_nth_unstable_by(middle, |a, b| a[c].total_cmp(&b[c])).1[c]),
    )
}

/// The stops of the one linear gradient of a list, with its direction in degrees.
fn gradient_stops(paints: &[Value]) -> Option<(Vec<(f64, Rgb)>, f64)> {
    let [paint] = paints else { return None };
    if paint.get("type")?.as_str()? != "GRADIENT_LINEAR" {
        return None;
    }
    let stops = paint
        .get("gradientStops")?
        .as_array()?
        .iter()
        .map(|stop| Some((stop.get("position")?.as_f64()?, stop_colour(stop.get("color")?)?)));
    let handles = paint.get("gradientHandlePositions")?;
    let (from, to) = (handles.get(0)?, handles.get(1)?);
    let [dx, dy] = ["x", "y"].map(|axis| Some(number_in(to, axis)? - number_in(from, axis)?));
    let (dx, dy) = (dx?, dy?);
    let angle = dy.atan2(dx).to_degrees().rem_euclid(360.0);
    Some((stops.collect::<Option<Vec<_>>>()?, angle))
}

/// The colour of a stop: in hex, or channel by channel.
fn stop_colour(colour: &Value) -> Option<Rgb> {
    let hex = colour.get("hex").or_else(|| colour.get("color")).unwrap_or(colour);
    colour_of(hex).or_else(|| {
        let channels = ["r", "g", "b"].map(|name| number_in(colour, name));
        let [r, g, b] = channels.map(|share| Some((share? * 255.0) as f32));
        Some([r?, g?, b?])
    })
}

fn regrade(
    node: &StartNode,
    (stops, angle): &(Vec<(f64, Rgb)>, f64),
    start: &Picture,
    target: &Picture,
) -> Option<Call> {
    let mut changed = false;
    let mut new_stops = Vec::new();
    for (position, colour) in stops {
        // Near its place the gradient has the colour of the stop.
        let new = ground_colour(node.area, *colour, start, target)?;
        changed |= distance(new, *colour) > LEAST_CHANGE;
        let mut stop = calls::colour(new);
        stop["position"] = calls::number(*position);
        new_stops.push(stop);
    }
    let arguments = json!({"nodeId": node.id, "gradientStops": new_stops,
        "gradientType": "GRADIENT_LINEAR", "angle": calls::number(*angle)});
    changed.then_some(("set_fill_gradient", arguments))
}

fn restroke(node: &StartNode, start: &Picture, target: &Picture) -> Option<Call> {
    let stroke = solid(&node.strokes)?;
    let around = node.area.grow(2, start.width(), start.height());
    let new = ground_colour(around, stroke, start, target)?;
    let arguments = json!({"nodeId": node.id, "strokeColor": calls::colour(new),
        "weight": calls::number(node.stroke_weight)});
    (distance(new, stroke) > LEAST_CHANGE).then_some(("set_stroke", arguments))
}

/// Another radius, where the picture has the same box with other corners.
fn round_off(node: &StartNode, start: &Draft, draft: &Draft, scale: Scale) -> Option<Call> {
    // One radius for all corners, or none that a number could tell.
    node.radius?;
    let (before, after) = (seen_radius(start, node.area)?, seen_radius(draft, node.area)?);
    if (before - after).abs() < LEAST_RADIUS {
        return None;
    }
    let radius = calls::number((f64::from(after) * scale.x).round());
    Some(("set_corner_radius", json!({"nodeId": node.id, "radius": radius})))
}

/// The radius of the box that was seen at an area, if all its corners have one.
fn seen_radius(draft: &Draft, area: Area) -> Option<f32> {
    let piece = draft.pieces.iter().find(|piece| is_box_of(piece, area))?;
    let Shape::Box(radii) = &piece.shape else { return None };
    let mean = radii.iter().sum::<f32>() / 4.0;
    let is_even = radii.iter().all(|radius| (radius - mean).abs() < LEAST_RADIUS);
    // What is rounded fully is so whatever larger number it has.
    let most = piece.bounds.width.min(piece.bounds.height) as f32 / 2.0;
    is_even.then_some(mean.min(most))
}

fn is_box_of(piece: &Piece, area: Area) -> bool {
    let b = piece.bounds;
    let edges = [(b.x, area.x0), (b.y, area.y0), (b.right(), area.x1), (b.bottom(), area.y1)];
    edges.iter().all(|(edge, of)| (edge - *of as f64).abs() <= SAME_EDGE)
}

/// Other words or another size, where the line of a text reads otherwise than it did in the start.
fn reword<'a>(
    node: &'a StartNode,
    start: &Draft,
    draft: &Draft,
) -> impl Iterator<Item = Call> + use<'a> {
    let runs = node.text.as_ref().and_then(|(text, size)| {
        // Of several lines it is not known which words are in which.
        let (before, after) = (line_in(start, node.area)?, line_in(draft, node.area)?);
        Some((text, *size, before.clone(), after.clone()))
    });
    runs.into_iter().flat_map(|(text, size, before, after)| {
        let is_other = before.content != after.content && after.content != *text;
        let ratio = f64::from(after.size / before.size.max(1.0));
        let words = is_other.then(|| {
            let change = json!({"nodeId": node.id, "text": after.content});
            ("set_text_content", json!({ "changes": [change] }))
        });
        let is_larger = (ratio - 1.0).abs() > 0.03;
        let larger = is_larger.then(|| {
            let size = calls::number((size * ratio).round());
            ("set_text_properties", json!({"nodeId": node.id, "fontSize": size}))
        });
        words.into_iter().chain(larger)
    })
}

/// The one line of text that lies in an area.
fn line_in(draft: &Draft, area: Area) -> Option<&TextRun> {
    let mut lines = draft.pieces.iter().filter_map(|piece| {
        let middle = piece.bounds.center();
        let is_in = (area.x0 as f64..=area.x1 as f64).contains(&middle.x)
            && (area.y0 as f64..=area.y1 as f64).contains(&middle.y);
        match &piece.shape {
            Shape::Text(run) if is_in => Some(run),
            _ => None,
        }
    });
    lines.next().filter(|_| lines.next().is_none())
}

/// Whether two pieces are one thing, whatever its colour.
fn is_same(a: &Piece, b: &Piece) -> bool {
    // How a small form is seen depends on what lies around it; words are the same or are not.
    let is_one_kind = match (&a.shape, &b.shape) {
        (Shape::Text(a), Shape::Text(b)) => a.content == b.content,
        _ => true,
    };
    let (a, b) = (a.bounds, b.bounds);
    let edges = [(a.x, b.x), (a.y, b.y), (a.right(), b.right()), (a.bottom(), b.bottom())];
    is_one_kind && edges.iter().all(|(a, b)| (a - b).abs() <= SAME_EDGE)
}

fn area_of(piece: &Piece, picture: &Picture) -> Area {
    super::plan::touched(piece, picture)
}

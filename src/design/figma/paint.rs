//! Paints in and out.

use serde_json::Value;

use crate::base::{Affine, Point, Rgba};

use super::value::{
    ANY, EXTENT, Names, Notes, Object, UNIT, boolean, color, json_color, json_number, json_rows,
    list, name_of, named, number, point, present, put, put_unless, rows, string,
};
use crate::design::paint::{
    BlendMode, ColorStop, Gradient, GradientKind, ImageFilters, ImagePaint, Paint, PaintKind,
    StrokeAlign, StrokeCap, StrokeJoin,
};

pub(super) const BLEND_MODES: &Names<BlendMode> = &[
    ("PASS_THROUGH", BlendMode::PassThrough),
    ("NORMAL", BlendMode::Normal),
    ("DARKEN", BlendMode::Darken),
    ("MULTIPLY", BlendMode::Multiply),
    ("LINEAR_BURN", BlendMode::LinearBurn),
    ("COLOR_BURN", BlendMode::ColorBurn),
    ("LIGHTEN", BlendMode::Lighten),
    ("SCREEN", BlendMode::Screen),
    ("LINEAR_DODGE", BlendMode::LinearDodge),
    ("COLOR_DODGE", BlendMode::ColorDodge),
    ("OVERLAY", BlendMode::Overlay),
    ("SOFT_LIGHT", BlendMode::SoftLight),
    ("HARD_LIGHT", BlendMode::HardLight),
    ("DIFFERENCE", BlendMode::Difference),
    ("EXCLUSION", BlendMode::Exclusion),
    ("HUE", BlendMode::Hue),
    ("SATURATION", BlendMode::Saturation),
    ("COLOR", BlendMode::Color),
    ("LUMINOSITY", BlendMode::Luminosity),
];

pub(super) const STROKE_ALIGNS: &Names<StrokeAlign> = &[
    ("INSIDE", StrokeAlign::Inside),
    ("CENTER", StrokeAlign::Center),
    ("OUTSIDE", StrokeAlign::Outside),
];

pub(super) const STROKE_CAPS: &Names<StrokeCap> = &[
    ("NONE", StrokeCap::None),
    ("ROUND", StrokeCap::Round),
    ("SQUARE", StrokeCap::Square),
    ("LINE_ARROW", StrokeCap::LineArrow),
    ("TRIANGLE_ARROW", StrokeCap::TriangleArrow),
    ("DIAMOND_FILLED", StrokeCap::DiamondFilled),
    ("CIRCLE_FILLED", StrokeCap::CircleFilled),
    ("TRIANGLE_FILLED", StrokeCap::TriangleFilled),
];

pub(super) const STROKE_JOINS: &Names<StrokeJoin> =
    &[("MITER", StrokeJoin::Miter), ("BEVEL", StrokeJoin::Bevel), ("ROUND", StrokeJoin::Round)];

const GRADIENTS: &Names<GradientKind> = &[
    ("GRADIENT_LINEAR", GradientKind::Linear),
    ("GRADIENT_RADIAL", GradientKind::Radial),
    ("GRADIENT_ANGULAR", GradientKind::Angular),
    ("GRADIENT_DIAMOND", GradientKind::Diamond),
];

/// Handles of a gradient that does not say: from the top to the bottom of the box.
const DOWNWARDS: [Point; 3] = [Point::new(0.5, 0.0), Point::new(0.5, 1.0), Point::new(0.0, 0.0)];

/// A list of paints, one for each element, so that positions agree with the source.
pub(super) fn read_paints(object: &Object, key: &str, notes: &mut Notes) -> Vec<Paint> {
    list(object, key, notes).iter().map(|value| read_paint(value, notes)).collect()
}

fn read_paint(value: &Value, notes: &mut Notes) -> Paint {
    let empty = Object::new();
    let object = value.as_object().unwrap_or(&empty);
    Paint {
        kind: read_kind(object, notes),
        visible: boolean(object, "visible", true, notes),
        opacity: number(object, "opacity", UNIT, notes).unwrap_or(1.0),
        blend_mode: named(object, "blendMode", BLEND_MODES, BlendMode::Normal, notes),
    }
}

fn read_kind(object: &Object, notes: &mut Notes) -> PaintKind {
    // Gradients first: four names for one kind of paint.
    let name = string(object, "type", notes).unwrap_or_default();
    if let Some((_, kind)) = GRADIENTS.iter().find(|(gradient, _)| *gradient == name) {
        return PaintKind::Gradient(read_gradient(*kind, object, notes));
    }
    match name {
        "SOLID" => PaintKind::Solid(read_color(object, notes)),
        "IMAGE" => PaintKind::Image(read_image(object, notes)),
        _ => {
            notes.add(format_args!("a paint of the unknown type {name:?} is kept, not drawn"));
            PaintKind::Other(name.to_owned())
        }
    }
}

fn read_color(object: &Object, notes: &mut Notes) -> Rgba {
    object.get("color").and_then(color).unwrap_or_else(|| {
        notes.add("a paint has no colour that can be read; black is taken");
        Rgba::BLACK
    })
}

fn read_gradient(kind: GradientKind, object: &Object, notes: &mut Notes) -> Gradient {
    // Up to the first that is no point: a third without a second would be another gradient.
    let points: Vec<_> =
        list(object, "gradientHandlePositions", notes).iter().map_while(point).take(3).collect();
    let handles = points.try_into().unwrap_or_else(|_: Vec<Point>| {
        notes.add("a gradient has no three handles; it runs from top to bottom");
        DOWNWARDS
    });
    let stops = list(object, "gradientStops", notes).iter().filter_map(read_stop).collect();
    Gradient { kind, handles, stops }
}

fn read_stop(value: &Value) -> Option<ColorStop> {
    // A stop that cannot be read is left out; the others still make a gradient.
    let position = value.get("position")?.as_f64()?.clamp(0.0, 1.0);
    Some(ColorStop { position, color: color(value.get("color")?)? })
}

fn read_image(object: &Object, notes: &mut Notes) -> ImagePaint {
    let transform = present(object, "imageTransform").and_then(|value| {
        let rows = rows(value);
        if rows.is_none() {
            notes.add("imageTransform is not a matrix of two rows of three numbers");
        }
        rows
    });
    ImagePaint {
        image_ref: string(object, "imageRef", notes).map(str::to_owned),
        // Kept by its name: the renderer knows some, and the file may have others.
        scale_mode: string(object, "scaleMode", notes).unwrap_or("FILL").to_owned(),
        transform: transform.map(Affine::from_rows),
        scaling_factor: number(object, "scalingFactor", EXTENT, notes).unwrap_or(1.0),
        rotation: number(object, "rotation", ANY, notes).unwrap_or(0.0),
        filters: read_filters(object, notes),
    }
}

fn read_filters(object: &Object, notes: &mut Notes) -> ImageFilters {
    let Some(filters) = present(object, "filters").and_then(Value::as_object) else {
        return ImageFilters::default();
    };
    let [exposure, contrast, saturation, temperature, tint, highlights, shadows] =
        ["exposure", "contrast", "saturation", "temperature", "tint", "highlights", "shadows"]
            .map(|key| number(filters, key, (-1.0, 1.0), notes).unwrap_or(0.0));
    ImageFilters { exposure, contrast, saturation, temperature, tint, highlights, shadows }
}

fn write_image(image: &ImagePaint, object: &mut Object) {
    put(object, "scaleMode", image.scale_mode.as_str());
    put_unless(object, "imageRef", image.image_ref.is_none(), image.image_ref.as_deref());
    let rows = image.transform.map(|transform| json_rows(transform.to_rows()));
    put_unless(object, "imageTransform", rows.is_none(), rows);
    let (factor, turn) = (image.scaling_factor, image.rotation);
    put_unless(object, "scalingFactor", factor == 1.0, json_number(factor));
    put_unless(object, "rotation", turn == 0.0, json_number(turn));
    let f = image.filters;
    let numbers = [
        ("exposure", f.exposure),
        ("contrast", f.contrast),
        ("saturation", f.saturation),
        ("temperature", f.temperature),
        ("tint", f.tint),
        ("highlights", f.highlights),
        ("shadows", f.shadows),
    ];
    let set: Object = numbers
        .into_iter()
        .filter(|(_, value)| *value != 0.0)
        .map(|(key, value)| (key.to_owned(), json_number(value)))
        .collect();
    // Only what is set, as the API has it.
    put_unless(object, "filters", set.is_empty(), set);
}

/// Writes a list of paints. A paint that means what one in the list there means is taken from
/// there verbatim, at the same position first; the others are written over the one at their
/// position, so that fields beyond [`Paint`] survive.
pub(super) fn write_paints(paints: &[Paint], object: &mut Object, key: &str) {
    let mut silent = Notes::default();
    let there = object.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let read: Vec<_> = there.iter().map(|value| read_paint(value, &mut silent)).collect();
    let mut written = Vec::with_capacity(paints.len());
    for (at, paint) in paints.iter().enumerate() {
        // Its own place first: of two that mean the same each keeps its own object.
        let same = (read.get(at) == Some(paint)).then_some(at);
        let same = same.or_else(|| read.iter().position(|candidate| candidate == paint));
        written.push(match same.and_then(|at| there.get(at)) {
            Some(value) => value.clone(),
            None => write_paint(paint, there.get(at).zip(read.get(at))),
        });
    }
    put(object, key, written);
}

fn write_paint(paint: &Paint, over: Option<(&Value, &Paint)>) -> Value {
    // Over a paint of another kind its fields would stay behind and mean nothing.
    let over = over.filter(|(_, old)| type_name(&old.kind) == type_name(&paint.kind));
    let old = over.map(|(_, old)| old);
    let mut object = over.and_then(|(value, _)| value.as_object().cloned()).unwrap_or_default();
    if old.is_none_or(|old| old.blend_mode != paint.blend_mode) {
        put(&mut object, "blendMode", name_of(BLEND_MODES, &paint.blend_mode));
    }
    if old.is_none_or(|old| old.visible != paint.visible) {
        put_unless(&mut object, "visible", paint.visible, paint.visible);
    }
    if old.is_none_or(|old| old.opacity != paint.opacity) {
        put_unless(&mut object, "opacity", paint.opacity == 1.0, json_number(paint.opacity));
    }
    put(&mut object, "type", type_name(&paint.kind));
    if old.is_none_or(|old| old.kind != paint.kind) {
        // A bound variable would overrule what is written here.
        object.shift_remove("boundVariables");
        write_kind(&paint.kind, &mut object);
    }
    Value::Object(object)
}

fn type_name(kind: &PaintKind) -> &str {
    match kind {
        PaintKind::Solid(_) => "SOLID",
        PaintKind::Gradient(gradient) => name_of(GRADIENTS, &gradient.kind),
        PaintKind::Image(_) => "IMAGE",
        PaintKind::Other(name) => name,
    }
}

fn write_kind(kind: &PaintKind, object: &mut Object) {
    match kind {
        PaintKind::Solid(color) => put(object, "color", json_color(*color)),
        PaintKind::Gradient(gradient) => write_gradient(gradient, object),
        PaintKind::Image(image) => write_image(image, object),
        PaintKind::Other(_) => {}
    }
}

fn write_gradient(gradient: &Gradient, object: &mut Object) {
    let handles = gradient
        .handles
        .map(|p| serde_json::json!({ "x": json_number(p.x), "y": json_number(p.y) }));
    let stops = gradient.stops.iter().map(|stop| {
        let (color, position) = (json_color(stop.color), json_number(stop.position));
        serde_json::json!({ "color": color, "position": position })
    });
    put(object, "gradientHandlePositions", handles.to_vec());
    put(object, "gradientStops", stops.collect::<Vec<_>>());
}

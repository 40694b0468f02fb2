//! Arguments of calls, from what a node is: for whoever writes calls that give it to another node.

use serde_json::{Value, json};

use crate::base::Rgba;
use crate::design::{Effect, EffectKind, Gradient, Stroke, StrokeAlign, StrokeCap, TextStyle};

use super::reply::gradient_type;
use super::text::{align_word, case_word, decoration_word, font_style_word, vertical_align_word};

/// A colour, as every tool takes it.
pub fn color(color: Rgba) -> Value {
    json!({"r": color.r, "g": color.g, "b": color.b, "a": color.a})
}

/// Those of `set_fill_gradient`. The tool knows an angle and no handles, so that a gradient with handles
/// of its own comes out as another.
pub fn gradient(gradient: &Gradient) -> Value {
    let stops = gradient.stops.iter().map(|stop| {
        let mut json = color(stop.color);
        json["position"] = stop.position.into();
        json
    });
    let stops: Vec<Value> = stops.collect();
    let along = gradient.handles[1].since(gradient.handles[0]);
    let angle = along.y.atan2(along.x).to_degrees().rem_euclid(360.0);
    json!({"gradientStops": stops, "gradientType": gradient_type(gradient.kind), "angle": angle})
}

/// Those of `set_stroke`, in one colour.
pub fn stroke(stroke: &Stroke, paint: Rgba) -> Value {
    let align = match stroke.align {
        StrokeAlign::Inside => "INSIDE",
        StrokeAlign::Center => "CENTER",
        StrokeAlign::Outside => "OUTSIDE",
    };
    json!({"strokeColor": color(paint), "weight": stroke.weight, "align": align})
}

/// The word of `create_line` for the ends of an outline; there are none for arrows.
pub fn stroke_cap(cap: StrokeCap) -> &'static str {
    match cap {
        StrokeCap::Round => "ROUND",
        StrokeCap::Square => "SQUARE",
        _ => "NONE",
    }
}

/// The tool for a shadow and its arguments, which know no negative spread; `None` for other effects,
/// which have no tool.
pub fn shadow(effect: &Effect) -> Option<(&'static str, Value)> {
    let (tool, shadow) = match &effect.kind {
        EffectKind::DropShadow { shadow, .. } => ("set_drop_shadow", shadow),
        EffectKind::InnerShadow(shadow) => ("set_inner_shadow", shadow),
        _ => return None,
    };
    let arguments = json!({"shadowColor": color(shadow.color), "offsetX": shadow.offset.x,
        "offsetY": shadow.offset.y, "radius": shadow.radius, "spread": shadow.spread.max(0.0)});
    Some((tool, arguments))
}

/// Those of `set_text_font`.
pub fn font(style: &TextStyle) -> Value {
    json!({"font": {"family": style.font_family, "style": font_style_word(style)}})
}

/// Those of `set_text_decoration`.
pub fn decoration(style: &TextStyle) -> Value {
    json!({"textDecoration": decoration_word(style.decoration), "textCase": case_word(style.case)})
}

/// Where `create_text` and `set_text_properties` put the lines: across and down, with their names.
pub fn alignment(style: &TextStyle) -> [(&'static str, &'static str); 2] {
    [
        ("textAlignHorizontal", align_word(style.align)),
        ("textAlignVertical", vertical_align_word(style.vertical_align)),
    ]
}

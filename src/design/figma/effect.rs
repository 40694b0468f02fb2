//! Effects in and out.

use serde_json::{Value, json};

use crate::base::Rgba;

use super::paint::BLEND_MODES;
use super::value::{
    EXTENT, Notes, Object, boolean, color, json_color, json_number, list, name_of, named, number,
    point, present, put, put_unless, string,
};
use crate::design::effect::{Effect, EffectKind, Shadow};
use crate::design::paint::BlendMode;

/// A node's effects, one for each element, so that positions agree with the source.
pub(super) fn read_effects(object: &Object, notes: &mut Notes) -> Vec<Effect> {
    list(object, "effects", notes).iter().map(|value| read_effect(value, notes)).collect()
}

fn read_effect(value: &Value, notes: &mut Notes) -> Effect {
    let empty = Object::new();
    // What is no object reads as an unknown effect, which keeps its place in the list.
    let object = value.as_object().unwrap_or(&empty);
    Effect { kind: read_kind(object, notes), visible: boolean(object, "visible", true, notes) }
}

fn read_kind(object: &Object, notes: &mut Notes) -> EffectKind {
    match string(object, "type", notes).unwrap_or_default() {
        "DROP_SHADOW" => EffectKind::DropShadow {
            shadow: read_shadow(object, notes),
            show_behind_node: boolean(object, "showShadowBehindNode", false, notes),
        },
        "INNER_SHADOW" => EffectKind::InnerShadow(read_shadow(object, notes)),
        "LAYER_BLUR" => {
            EffectKind::LayerBlur { radius: number(object, "radius", EXTENT, notes).unwrap_or(0.0) }
        }
        "BACKGROUND_BLUR" => EffectKind::BackgroundBlur {
            radius: number(object, "radius", EXTENT, notes).unwrap_or(0.0),
        },
        name => {
            notes.add(format_args!("an effect of the unknown type {name:?} is kept, not drawn"));
            EffectKind::Other(name.to_owned())
        }
    }
}

fn read_shadow(object: &Object, notes: &mut Notes) -> Shadow {
    let given = object.get("color").and_then(color);
    Shadow {
        // Figma's own new shadow is a quarter black.
        color: given.unwrap_or(Rgba::new(0.0, 0.0, 0.0, 0.25)),
        offset: present(object, "offset").and_then(point).unwrap_or_default(),
        radius: number(object, "radius", EXTENT, notes).unwrap_or(0.0),
        spread: number(object, "spread", super::value::ANY, notes).unwrap_or(0.0),
        blend_mode: named(object, "blendMode", BLEND_MODES, BlendMode::Normal, notes),
    }
}

/// Writes the effects. One that means what one in the list there means is taken from there
/// verbatim, at the same position first; the others are written anew.
pub(super) fn write_effects(effects: &[Effect], object: &mut Object) {
    let mut silent = Notes::default();
    let there = object.get("effects").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let read: Vec<_> = there.iter().map(|value| read_effect(value, &mut silent)).collect();
    let mut written = Vec::with_capacity(effects.len());
    for (at, effect) in effects.iter().enumerate() {
        // Its own place first: of two that mean the same each keeps its own object.
        let same = (read.get(at) == Some(effect)).then_some(at);
        let same = same.or_else(|| read.iter().position(|candidate| candidate == effect));
        let verbatim = same.and_then(|at| there.get(at)).cloned();
        written.push(verbatim.unwrap_or_else(|| write_effect(effect)));
    }
    put(object, "effects", written);
}

fn write_effect(effect: &Effect) -> Value {
    let mut object = Object::new();
    match &effect.kind {
        EffectKind::DropShadow { shadow, show_behind_node } => {
            put(&mut object, "type", "DROP_SHADOW");
            put(&mut object, "visible", effect.visible);
            write_shadow(shadow, &mut object);
            put(&mut object, "showShadowBehindNode", *show_behind_node);
        }
        EffectKind::InnerShadow(shadow) => {
            put(&mut object, "type", "INNER_SHADOW");
            put(&mut object, "visible", effect.visible);
            write_shadow(shadow, &mut object);
        }
        EffectKind::LayerBlur { radius } => write_blur("LAYER_BLUR", effect, *radius, &mut object),
        EffectKind::BackgroundBlur { radius } => {
            write_blur("BACKGROUND_BLUR", effect, *radius, &mut object);
        }
        // All that is known of it; its own fields are in the source, and kept while nobody changes it.
        EffectKind::Other(name) => {
            put(&mut object, "type", name.as_str());
            put(&mut object, "visible", effect.visible);
        }
    }
    Value::Object(object)
}

fn write_shadow(shadow: &Shadow, object: &mut Object) {
    let offset = json!({ "x": json_number(shadow.offset.x), "y": json_number(shadow.offset.y) });
    put(object, "color", json_color(shadow.color));
    put(object, "blendMode", name_of(BLEND_MODES, &shadow.blend_mode));
    put(object, "offset", offset);
    put(object, "radius", json_number(shadow.radius));
    put_unless(object, "spread", shadow.spread == 0.0, json_number(shadow.spread));
}

fn write_blur(name: &str, effect: &Effect, radius: f64, object: &mut Object) {
    put(object, "type", name);
    put(object, "visible", effect.visible);
    put(object, "radius", json_number(radius));
    // The API gives it of every blur since there are progressive ones.
    put(object, "blurType", "NORMAL");
}

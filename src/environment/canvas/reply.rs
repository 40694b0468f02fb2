//! What the tools answer: text for the model, JSON in the published shape for programs.

use serde_json::{Map, Value, json};

use crate::base::{Pixels, Rect, Rgba};
use crate::design::{
    BlendMode, CornerRadii, Effect, EffectKind, Gradient, GradientKind, Node, Paint, PaintKind,
    Shadow,
};
use crate::environment::schema::build::shortest;

/// The answer of a call that worked.
#[derive(Debug)]
pub(super) struct Reply {
    /// For the model.
    pub(super) text: String,
    /// For programs.
    pub(super) structured: Value,
    /// A picture, if the tool makes one.
    pub(super) image: Option<Pixels>,
}

impl Reply {
    /// An answer without a picture.
    pub(super) fn new(text: impl Into<String>, structured: Value) -> Self {
        Self { text: text.into(), structured, image: None }
    }

    /// An answer whose text is its JSON.
    pub(super) fn json(structured: Value) -> Self {
        Self::new(structured.to_string(), structured)
    }
}

/// A number as JSON, as short as it is.
pub(super) fn number(value: f64) -> Value {
    shortest(value)
}

/// `{x, y, width, height}` entered into a reply.
pub(super) fn with_box(reply: &mut Map<String, Value>, at: Rect) {
    let fields = [("x", at.x), ("y", at.y), ("width", at.width), ("height", at.height)];
    reply.extend(fields.map(|(key, value)| (key.to_owned(), number(value))));
}

/// `{id, name, type}` of a node.
pub(super) fn naming(node: &Node) -> Value {
    json!({"id": node.id.as_str(), "name": node.name, "type": node.kind.type_name()})
}

/// How colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColorForm {
    /// `{r, g, b}`, as Figma's own paints have it.
    Channels,
    /// `#rrggbb`, as the inspection tools have it.
    Hex,
}

/// Paints as the plugin API shows them.
pub(super) fn paints(paints: &[Paint], form: ColorForm) -> Value {
    paints.iter().map(|p| paint(p, form)).collect()
}

fn paint(paint: &Paint, form: ColorForm) -> Value {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Value::from(paint_type(&paint.kind)));
    match &paint.kind {
        PaintKind::Solid(color) => {
            // Its alpha is the paint's opacity.
            fields.insert("color".to_owned(), color_json(color.with_alpha(1.0), form));
        }
        PaintKind::Gradient(gradient) => gradient_fields(gradient, form, &mut fields),
        PaintKind::Image(image) => {
            fields.insert("scaleMode".to_owned(), Value::from(image.scale_mode.as_str()));
        }
        PaintKind::Other(_) => {}
    }
    fields.insert("opacity".to_owned(), number(paint.opacity));
    fields.insert("visible".to_owned(), Value::Bool(paint.visible));
    fields.insert("blendMode".to_owned(), blend_mode(paint.blend_mode));
    Value::Object(fields)
}

fn gradient_fields(gradient: &Gradient, form: ColorForm, fields: &mut Map<String, Value>) {
    let handles = gradient.handles.iter();
    let handles = handles.map(|p| json!({"x": number(p.x), "y": number(p.y)})).collect();
    // Stops have an alpha, unlike the colours of solid paints.
    let stops = gradient.stops.iter().map(
        |stop| json!({"position": number(stop.position), "color": stop_color(stop.color, form)}),
    );
    fields.insert("gradientHandlePositions".to_owned(), handles);
    fields.insert("gradientStops".to_owned(), stops.collect());
}

fn stop_color(color: Rgba, form: ColorForm) -> Value {
    let mut value = color_json(color, form);
    if let Value::Object(fields) = &mut value {
        fields.insert("a".to_owned(), number(color.a));
    }
    value
}

fn color_json(color: Rgba, form: ColorForm) -> Value {
    match form {
        ColorForm::Hex => Value::from(color.to_hex().to_lowercase()),
        ColorForm::Channels => {
            json!({"r": number(color.r), "g": number(color.g), "b": number(color.b)})
        }
    }
}

fn paint_type(kind: &PaintKind) -> &str {
    match kind {
        PaintKind::Solid(_) => "SOLID",
        PaintKind::Gradient(gradient) => gradient_type(gradient.kind),
        PaintKind::Image(_) => "IMAGE",
        PaintKind::Other(name) => name,
    }
}

/// Figma's word for the form of a gradient.
pub(super) fn gradient_type(kind: GradientKind) -> &'static str {
    match kind {
        GradientKind::Linear => "GRADIENT_LINEAR",
        GradientKind::Radial => "GRADIENT_RADIAL",
        GradientKind::Angular => "GRADIENT_ANGULAR",
        GradientKind::Diamond => "GRADIENT_DIAMOND",
    }
}

/// Figma's word for a blend mode.
pub(super) fn blend_mode(mode: BlendMode) -> Value {
    serde_json::to_value(mode).unwrap_or(Value::Null)
}

/// One radius where all four are equal, else the word Figma's API uses.
pub(super) fn corner_radius(radii: CornerRadii) -> Value {
    // Where they differ Figma's API has no number but `figma.mixed`.
    radii.as_uniform().map_or_else(|| Value::from("mixed"), number)
}

/// Effects as the plugin API shows them.
pub(super) fn effects(effects: &[Effect]) -> Value {
    effects.iter().map(effect).collect()
}

fn effect(effect: &Effect) -> Value {
    let (name, mut fields) = match &effect.kind {
        EffectKind::DropShadow { shadow, .. } => ("DROP_SHADOW", shadow_fields(shadow)),
        EffectKind::InnerShadow(shadow) => ("INNER_SHADOW", shadow_fields(shadow)),
        EffectKind::LayerBlur { radius } => ("LAYER_BLUR", json!({"radius": number(*radius)})),
        EffectKind::BackgroundBlur { radius } => {
            ("BACKGROUND_BLUR", json!({"radius": number(*radius)}))
        }
        EffectKind::Other(name) => (name.as_str(), json!({})),
    };
    // After the fields of its kind, as the plugin API lists them.
    fields["type"] = Value::from(name);
    fields["visible"] = Value::Bool(effect.visible);
    fields
}

fn shadow_fields(shadow: &Shadow) -> Value {
    json!({
        "color": stop_color(shadow.color, ColorForm::Channels),
        "offset": {"x": number(shadow.offset.x), "y": number(shadow.offset.y)},
        "radius": number(shadow.radius), "spread": number(shadow.spread),
        "blendMode": blend_mode(shadow.blend_mode),
    })
}

//! What there is while a plan goes on, as far as words can contradict it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::metric::constraint::TextClass;

/// What a layer was made as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerKind {
    Text,
    Object,
    Drawing,
}

impl LayerKind {
    /// What an action makes.
    pub(super) fn made_by(action: &str) -> Option<Self> {
        match action {
            "CreateText" => Some(Self::Text),
            "ImportObject" | "GenerateQRObject" => Some(Self::Object),
            _ if action.starts_with("Draw") => Some(Self::Drawing),
            _ => None,
        }
    }

    /// What an action that changes a layer is for, by its name.
    pub(super) fn wanted_by(action: &str) -> Option<Self> {
        // These are for any layer that has pixels, whatever they are called.
        let changes = [
            "Align",
            "Arrange",
            "Color",
            "Opacity",
            "Remove",
            "Reposition",
            "Resize",
            "Rotate",
            "Stroke",
        ];
        let change = changes.iter().find_map(|start| action.strip_prefix(start))?;
        match change {
            "Text" => Some(Self::Text),
            "Object" => Some(Self::Object),
            "Drawing" => Some(Self::Drawing),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Object => "a picture",
            Self::Drawing => "a drawing",
        }
    }
}

/// A layer.
#[derive(Clone, Debug)]
pub(super) struct DescribedLayer {
    pub(super) kind: LayerKind,
    /// The step that made it.
    pub(super) made_at: usize,
    /// Width and height, once a step says them.
    pub(super) size: Option<[f64; 2]>,
    /// Where a step put it.
    pub(super) place: Option<[f64; 2]>,
    /// Points of its type.
    pub(super) points: Option<f64>,
    /// The size class that a step's words or the components say, with the step; 0: the components.
    pub(super) class: Option<(TextClass, usize)>,
    /// Which text component it is.
    pub(super) text: Option<usize>,
    /// Which visual component it is.
    pub(super) visual: Option<usize>,
}

/// An expert's document.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    /// Width and height, where the step that opened it says them.
    pub(super) size: Option<[f64; 2]>,
    pub(super) layers: BTreeMap<String, DescribedLayer>,
}

impl Document {
    /// A place as shares of the page.
    pub(super) fn share(&self, place: [f64; 2]) -> Option<[f64; 2]> {
        let size = self.size?;
        Some([place[0] / size[0], place[1] / size[1]])
    }

    /// Whether a layer covers so much of the page that others stand on it.
    pub(super) fn is_ground(&self, layer: &DescribedLayer, least: f64) -> bool {
        let (Some(page), Some(size)) = (self.size, layer.size) else { return false };
        size[0] * size[1] >= least * page[0] * page[1]
    }
}

/// A number of a step's parameters, which may be written as a text.
pub(super) fn number(given: &Map<String, Value>, name: &str) -> Option<f64> {
    let number = match given.get(name)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// Two numbers.
pub(super) fn both(given: &Map<String, Value>, names: [&str; 2]) -> Option<[f64; 2]> {
    Some([number(given, names[0])?, number(given, names[1])?])
}

/// The colour that a step sets.
pub(super) fn color(given: &Map<String, Value>) -> Option<[u8; 3]> {
    let mut color = [0; 3];
    for (part, name) in color.iter_mut().zip(["red", "green", "blue"]) {
        let number = number(given, name).filter(|number| (0.0..=255.0).contains(number))?;
        *part = number.round() as u8;
    }
    Some(color)
}

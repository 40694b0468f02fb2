//! Reads what [`json`](super::json) wrote, or what somebody says is that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::base::{Limits, Size};
use crate::graphictown::Expert;

use super::document::{
    Content, Layer, MOST_DEPTH, MOST_LAYERS, MOST_NODES, Object, Saved, Source, SuiteDocument,
};
use super::drawing::DrawingShape;
use super::given::{GivenContent, GivenPictures};
use super::json::{FORMAT, VERSION};
use super::parameters::MOST_CHARACTERS;
use super::preset::{MOST_AREA, MOST_POINTS};
use super::qr_code::QrCode;
use super::state::SuiteState;

/// Why JSON is no state of the suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteJsonError {
    /// Another format.
    #[error("it is no state of the design suite: its format is not \"pentimento/suite\"")]
    Format,
    /// A version of later.
    #[error("it is of version {0}; this program reads version {VERSION}")]
    Version(u64),
    /// Something is missing or of the wrong type.
    #[error("{at} is missing or not what it should be")]
    Field {
        /// Where.
        at: String,
    },
    /// A number that no design can hold.
    #[error("{at} has a number beyond ±{}", Limits::COORDINATE)]
    Number {
        /// Where.
        at: String,
    },
    /// A document, picture or file that is named, but not there.
    #[error("{what} {key:?} is named, but not there")]
    Unknown {
        /// What.
        what: &'static str,
        /// Its name.
        key: String,
    },
    /// A document inside itself, or more than a document holds.
    #[error("the document {key:?} is inside itself, or holds more than a document can")]
    TooLarge {
        /// Which.
        key: String,
    },
}

/// The state with what the query hands out.
pub(super) fn read(value: &Value) -> Result<(SuiteState, GivenPictures), SuiteJsonError> {
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(SuiteJsonError::Format);
    }
    // A later version may hold what would be lost here.
    let version = value.get("version").and_then(Value::as_u64).unwrap_or_default();
    if version != u64::from(VERSION) {
        return Err(SuiteJsonError::Version(version));
    }
    // Pictures first, then documents by need: each may show files that hold others.
    let mut reader = SuiteReader::of(value)?;
    let given = reader.given(value)?;
    let state = reader.state(value)?;
    Ok((state, given))
}

struct SuiteReader<'a> {
    documents: BTreeMap<&'a str, &'a Value>,
    pictures: BTreeMap<&'a str, Arc<GivenContent>>,
    /// Documents read already.
    read: BTreeMap<&'a str, SuiteDocument>,
    /// Documents that are being read: one of them in itself would never end.
    open: BTreeSet<&'a str>,
}

impl<'a> SuiteReader<'a> {
    fn of(value: &'a Value) -> Result<Self, SuiteJsonError> {
        let mut pictures = BTreeMap::new();
        // Decoded once each, however many layers show them.
        for (key, picture) in entries(value, "pictures") {
            let content = GivenContent::from_json(picture).ok_or_else(|| field("pictures", key))?;
            pictures.insert(key.as_str(), Arc::new(content));
        }
        let documents =
            entries(value, "documents").map(|(key, document)| (key.as_str(), document)).collect();
        Ok(Self { documents, pictures, read: BTreeMap::new(), open: BTreeSet::new() })
    }

    fn given(&self, value: &Value) -> Result<GivenPictures, SuiteJsonError> {
        let mut list = Vec::new();
        for given in value.get("given").and_then(Value::as_array).into_iter().flatten() {
            let aliases = given.get("aliases").map(|it| typed(it, "given.aliases")).transpose()?;
            list.push((self.picture(text(given, "picture")?)?, aliases.unwrap_or_default()));
        }
        Ok(GivenPictures::of_contents(list))
    }

    fn state(&mut self, value: &'a Value) -> Result<SuiteState, SuiteJsonError> {
        let mut state = SuiteState::default();
        for expert in Expert::ALL {
            let document = value.get("programs").and_then(|programs| programs.get(expert.name()));
            if let Some(document) = document.filter(|document| !document.is_null()) {
                let document = self.document(document, expert.name())?;
                state.open(expert, document);
            }
        }
        for file in value.get("files").and_then(Value::as_array).into_iter().flatten() {
            let saved = self.saved(file, "name")?;
            if !state.files.put(saved) {
                return Err(SuiteJsonError::TooLarge { key: "files".to_owned() });
            }
        }
        // After the documents: opening one makes it the current one.
        state.current = match value.get("current") {
            None | Some(Value::Null) => None,
            Some(name) => Some(typed(name, "current")?),
        };
        Ok(state)
    }

    fn document(&mut self, value: &'a Value, key: &str) -> Result<SuiteDocument, SuiteJsonError> {
        check_numbers(value, key)?;
        let size: Size = typed(need(value, "size", key)?, "size")?;
        let side = 1.0..=MOST_POINTS;
        if !side.contains(&size.width)
            || !side.contains(&size.height)
            || size.width * size.height > MOST_AREA
        {
            return Err(field(key, "size"));
        }
        let list = need(value, "layers", key)?.as_array().ok_or_else(|| field(key, "layers"))?;
        if list.len() > MOST_LAYERS {
            return Err(SuiteJsonError::TooLarge { key: key.to_owned() });
        }
        let mut layers = Vec::new();
        // Two layers of one number would be one node in every picture.
        let mut ids = BTreeSet::new();
        for layer in list {
            let layer = self.layer(layer, key)?;
            if !ids.insert(layer.id) {
                return Err(field(key, "layers"));
            }
            layers.push(Arc::new(layer));
        }
        // A number that a layer has already would be given again.
        let next_id: u64 = typed(need(value, "next_id", key)?, "next_id")?;
        let document = SuiteDocument {
            title: typed(need(value, "title", key)?, "title")?,
            size,
            background: typed(need(value, "background", key)?, "background")?,
            text_unit: typed(need(value, "text_unit", key)?, "text_unit")?,
            next_id: next_id.max(ids.last().map_or(1, |last| last.saturating_add(1))),
            is_saved: typed(need(value, "is_saved", key)?, "is_saved")?,
            removed: typed(need(value, "removed", key)?, "removed")?,
            layers,
        };
        if document.nodes() > MOST_NODES || document.depth() > MOST_DEPTH {
            return Err(SuiteJsonError::TooLarge { key: key.to_owned() });
        }
        Ok(document)
    }

    fn layer(&mut self, value: &'a Value, key: &str) -> Result<Layer, SuiteJsonError> {
        let content = need(value, "content", key)?;
        let content = if let Some(text) = content.get("text") {
            Content::Text(typed(text, "text")?)
        } else if let Some(drawing) = content.get("drawing") {
            Content::Drawing(typed(drawing, "drawing")?)
        } else {
            let object = content.get("object").ok_or_else(|| field(key, "content"))?;
            let (place, source) = (need(object, "place", key)?, need(object, "source", key)?);
            Content::Object(Object { source: self.source(source)?, place: typed(place, "place")? })
        };
        let filters: Vec<crate::raster::filter::Filter> =
            typed(need(value, "filters", key)?, "filters")?;
        let layer = Layer {
            id: typed(need(value, "id", key)?, "id")?,
            name: typed(need(value, "name", key)?, "name")?,
            opacity: typed::<f64>(need(value, "opacity", key)?, "opacity")?.clamp(0.0, 100.0),
            filters: filters.into_iter().take(16).collect(),
            content,
        };
        check_layer(&layer).map_or(Ok(()), |what| Err(field(key, what)))?;
        Ok(layer)
    }

    fn source(&mut self, value: &'a Value) -> Result<Source, SuiteJsonError> {
        if let Some(key) = value.get("picture").and_then(Value::as_str) {
            return Ok(Source::Given(self.picture(key)?));
        }
        if let Some(says) = value.get("qr").and_then(Value::as_str) {
            let code = QrCode::of(says).ok_or_else(|| field("source", "qr"))?;
            return Ok(Source::Qr(Arc::new(code)));
        }
        match (value.get("live"), value.get("flat")) {
            (Some(file), _) => Ok(Source::Live(self.saved(file, "file")?)),
            (_, Some(file)) => Ok(Source::Flat(self.saved(file, "file")?)),
            (None, None) => Err(field("source", "live, flat, picture or qr")),
        }
    }

    fn saved(&mut self, value: &'a Value, name: &str) -> Result<Arc<Saved>, SuiteJsonError> {
        let file = text(value, name)?.to_owned();
        let expert = typed(need(value, "expert", &file)?, "expert")?;
        let key = text(value, "document")?;
        Ok(Saved::new(file, expert, self.saved_document(key)?))
    }

    fn saved_document(&mut self, key: &'a str) -> Result<SuiteDocument, SuiteJsonError> {
        if let Some(document) = self.read.get(key) {
            return Ok(document.clone());
        }
        let value = *self.documents.get(key).ok_or_else(|| unknown("the document", key))?;
        // Deeper than any call could have made it, or inside itself.
        if self.open.len() >= MOST_DEPTH || !self.open.insert(key) {
            return Err(SuiteJsonError::TooLarge { key: key.to_owned() });
        }
        let document = self.document(value, key)?;
        self.open.remove(key);
        self.read.insert(key, document.clone());
        Ok(document)
    }

    fn picture(&self, key: &str) -> Result<Arc<GivenContent>, SuiteJsonError> {
        self.pictures.get(key).cloned().ok_or_else(|| unknown("the picture", key))
    }
}

fn unknown(what: &'static str, key: &str) -> SuiteJsonError {
    SuiteJsonError::Unknown { what, key: key.to_owned() }
}

fn entries<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    value.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn need<'v>(value: &'v Value, name: &str, at: &str) -> Result<&'v Value, SuiteJsonError> {
    value.get(name).ok_or_else(|| field(at, name))
}

fn field(at: &str, name: &str) -> SuiteJsonError {
    SuiteJsonError::Field { at: format!("{at}: {name}") }
}

fn text<'v>(value: &'v Value, name: &str) -> Result<&'v str, SuiteJsonError> {
    value.get(name).and_then(Value::as_str).ok_or_else(|| field("a reference", name))
}

fn typed<T: DeserializeOwned>(value: &Value, name: &str) -> Result<T, SuiteJsonError> {
    T::deserialize(value).map_err(|error| field(name, &error.to_string()))
}

/// What of a layer no call could have made.
fn check_layer(layer: &Layer) -> Option<&'static str> {
    // Actions check it when they are called; a file was written by anybody.
    let place = layer.place();
    if place.size.width < 0.0 || place.size.height < 0.0 || place.angle.abs() > 360.0 {
        return Some("place");
    }
    match &layer.content {
        Content::Text(text) => {
            let is_long = text.characters.chars().nth(MOST_CHARACTERS).is_some();
            let is_sized = (0.1..=2000.0).contains(&text.font_size);
            (is_long || !is_sized).then_some("text")
        }
        Content::Drawing(drawing) => match drawing.shape {
            DrawingShape::Polygon { corners: count } | DrawingShape::Star { tips: count } => {
                (!(3..=360).contains(&count)).then_some("shape")
            }
            DrawingShape::Rectangle
            | DrawingShape::Ellipse
            | DrawingShape::Triangle
            | DrawingShape::Line => None,
        },
        Content::Object(_) => {
            (place.size.width <= 0.0 || place.size.height <= 0.0).then_some("place")
        }
    }
}

/// No number of a document is beyond what geometry holds.
fn check_numbers(value: &Value, at: &str) -> Result<(), SuiteJsonError> {
    // By a list of its own: a file may nest deeper than the stack.
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Number(number) => {
                if number.as_f64().is_none_or(|number| number.abs() > Limits::COORDINATE) {
                    return Err(SuiteJsonError::Number { at: at.to_owned() });
                }
            }
            Value::Array(items) => pending.extend(items),
            Value::Object(fields) => pending.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    Ok(())
}

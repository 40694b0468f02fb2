//! The whole state as JSON, and back: what a run's `final.json` holds, and what a run begins with.
//!
//! ```text
//! format     "pentimento/suite", version 1
//! current    the expert whose document was worked on last
//! programs   the open document of each expert, or null
//! files      the shared folder: name, expert, document
//! documents  saved documents by a hash of their content, each once
//! pictures   what the query's pictures hold, by a hash, each once, as base64 of their files
//! given      the query's pictures: names and picture
//! ```
//!
//! Lossless: what is read back is equal, and what is drawn of it has the same bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::graphictown::Expert;

use super::given::{GivenContent, GivenPictures};
use super::layer::{Content, Layer};
use super::object::{Object, Source};
use super::saved::Saved;
use super::sheet::Sheet;
use super::state::State;

/// The format's name.
pub(super) const FORMAT: &str = "pentimento/suite";
/// The version this program writes.
pub(super) const VERSION: u32 = 1;

/// What documents refer to.
#[derive(Default)]
struct Tables {
    documents: BTreeMap<String, Value>,
    pictures: BTreeMap<String, Value>,
}

/// The whole state, with what the query hands out.
pub(super) fn state_json(state: &State, given: &GivenPictures) -> Value {
    let mut tables = Tables::default();
    let mut programs = Map::new();
    for expert in Expert::ALL {
        let sheet = state.document(expert);
        if let Some(sheet) = sheet {
            tables.note_sheet(sheet);
        }
        programs
            .insert(expert.name().to_owned(), sheet.map_or(Value::Null, |sheet| sheet_json(sheet)));
    }
    let files: Vec<Value> = state.files.iter().map(|file| tables.file(file)).collect();
    let given: Vec<Value> = given
        .contents()
        .map(|(content, aliases)| {
            tables.note_picture(&content);
            json!({"name": content.name, "aliases": aliases, "picture": content.key})
        })
        .collect();
    json!({
        "format": FORMAT,
        "version": VERSION,
        "current": state.current.map(Expert::name),
        "programs": programs,
        "files": files,
        "documents": tables.documents,
        "pictures": tables.pictures,
        "given": given,
    })
}

/// One document; what it shows is named by its hash.
pub(super) fn sheet_json(sheet: &Sheet) -> Value {
    let layers: Vec<Value> = sheet.layers.iter().map(|layer| layer_json(layer)).collect();
    json!({
        "title": sheet.title,
        "size": sheet.size,
        "background": sheet.background,
        "text_unit": sheet.text_unit,
        "next_id": sheet.next_id,
        "is_saved": sheet.is_saved,
        "removed": sheet.removed,
        "layers": layers,
    })
}

fn layer_json(layer: &Layer) -> Value {
    json!({
        "id": layer.id,
        "name": layer.name,
        "opacity": layer.opacity,
        "filters": layer.filters,
        "content": content_json(&layer.content),
    })
}

fn content_json(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"text": text}),
        Content::Drawing(drawing) => json!({"drawing": drawing}),
        Content::Object(object) => {
            json!({"object": {"source": source_json(&object.source), "place": object.place}})
        }
    }
}

fn source_json(source: &Source) -> Value {
    let saved_json = |saved: &Saved| json!({"file": saved.name, "expert": saved.expert, "document": saved.key()});
    match source {
        Source::Given(given) => json!({"picture": given.key}),
        Source::Live(saved) => json!({"live": saved_json(saved)}),
        Source::Flat(saved) => json!({"flat": saved_json(saved)}),
        Source::Qr(code) => json!({"qr": code.text}),
    }
}

/// A hash of what a layer shows and what its filters do, wherever it lies.
pub(super) fn layer_key(layer: &Layer) -> String {
    let mut alone = super::page::inside(layer, crate::base::Point::ZERO);
    match &mut alone.content {
        Content::Text(text) => (text.place.angle, text.corner) = (0.0, None),
        Content::Drawing(drawing) => drawing.place.angle = 0.0,
        Content::Object(object) => object.place.angle = 0.0,
    }
    let json = json!([content_json(&alone.content), layer.filters]).to_string();
    blake3::hash(json.as_bytes()).to_hex().chars().take(32).collect()
}

impl Tables {
    fn file(&mut self, saved: &Arc<Saved>) -> Value {
        self.note_saved(saved);
        json!({"name": saved.name, "expert": saved.expert, "document": saved.key()})
    }

    fn note_saved(&mut self, saved: &Saved) {
        if !self.documents.contains_key(saved.key()) {
            self.note_sheet(&saved.sheet);
            self.documents.insert(saved.key().to_owned(), sheet_json(&saved.sheet));
        }
    }

    fn note_sheet(&mut self, sheet: &Sheet) {
        for layer in &sheet.layers {
            let Content::Object(Object { source, .. }) = &layer.content else { continue };
            match source {
                Source::Given(given) => self.note_picture(given),
                Source::Live(saved) | Source::Flat(saved) => self.note_saved(saved),
                Source::Qr(_) => {}
            }
        }
    }

    fn note_picture(&mut self, picture: &GivenContent) {
        if !self.pictures.contains_key(&picture.key) {
            self.pictures.insert(picture.key.clone(), picture.to_json());
        }
    }
}

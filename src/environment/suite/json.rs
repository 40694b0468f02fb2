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

use crate::base::Point;
use crate::graphictown::Expert;

use super::document::{Content, Layer, Object, Saved, Source, SuiteDocument};
use super::given::{GivenContent, GivenPictures};
use super::state::SuiteState;

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
pub(super) fn state_json(state: &SuiteState, given: &GivenPictures) -> Value {
    // Filled while programs and files are written, and put beside them in the end.
    let mut tables = Tables::default();
    let mut programs = Map::new();
    for expert in Expert::ALL {
        let document = state.document(expert);
        if let Some(document) = document {
            tables.note_document(document);
        }
        programs.insert(
            expert.name().to_owned(),
            document.map_or(Value::Null, |document| document_json(document)),
        );
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
pub(super) fn document_json(document: &SuiteDocument) -> Value {
    let layers: Vec<Value> = document.layers.iter().map(|layer| layer_json(layer)).collect();
    json!({
        "title": document.title,
        "size": document.size,
        "background": document.background,
        "text_unit": document.text_unit,
        "next_id": document.next_id,
        "is_saved": document.is_saved,
        "removed": document.removed,
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
    match source {
        // By name: what they are is in the tables.
        Source::Given(given) => json!({"picture": given.key}),
        Source::Live(saved) => json!({"live": saved_json(saved)}),
        Source::Flat(saved) => json!({"flat": saved_json(saved)}),
        Source::Qr(code) => json!({"qr": code.text}),
    }
}

impl Saved {
    /// A hash of the document: the same for two documents that are drawn alike, whatever the file.
    pub(super) fn key(&self) -> &str {
        self.key.get_or_init(|| short_hash(&document_json(&self.document)))
    }
}

/// A hash of what a layer shows and what its filters do, wherever it lies.
pub(super) fn layer_key(layer: &Layer) -> String {
    let mut alone = layer.alone_at(Point::ZERO);
    alone.place_mut().angle = 0.0;
    // Where a text was put decides how it lies, not how it looks.
    if let Content::Text(text) = &mut alone.content {
        text.corner = None;
    }
    short_hash(&json!([content_json(&alone.content), layer.filters]))
}

fn short_hash(json: &Value) -> String {
    blake3::hash(json.to_string().as_bytes()).to_hex().chars().take(32).collect()
}

fn saved_json(saved: &Saved) -> Value {
    json!({"file": saved.name, "expert": saved.expert, "document": saved.key()})
}

impl Tables {
    fn file(&mut self, saved: &Arc<Saved>) -> Value {
        self.note_saved(saved);
        json!({"name": saved.name, "expert": saved.expert, "document": saved.key()})
    }

    fn note_saved(&mut self, saved: &Saved) {
        // What lies in it is noted first, so that whoever reads finds every document that is named.
        if !self.documents.contains_key(saved.key()) {
            self.note_document(&saved.document);
            self.documents.insert(saved.key().to_owned(), document_json(&saved.document));
        }
    }

    fn note_document(&mut self, document: &SuiteDocument) {
        for layer in &document.layers {
            let Content::Object(Object { source, .. }) = &layer.content else { continue };
            match source {
                Source::Given(given) => self.note_picture(given),
                Source::Live(saved) | Source::Flat(saved) => self.note_saved(saved),
                Source::Qr(_) => {}
            }
        }
    }

    fn note_picture(&mut self, picture: &GivenContent) {
        // Once, however often it is imported: the bytes are most of the file.
        if !self.pictures.contains_key(&picture.key) {
            self.pictures.insert(picture.key.clone(), picture.to_json());
        }
    }
}

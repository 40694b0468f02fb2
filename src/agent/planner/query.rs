//! What a planner is told of a task: the query's components and the pictures that come with it.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::base::Size;
use crate::graphictown::{PAGE_FIELD, Query, WantedSize, WantedText, WantedVisual};

use crate::agent::AgentView;
use crate::agent::chat::Part;

/// The query's components, as its authors publish them; null if the task has none.
pub(super) fn components_json(view: &AgentView<'_>) -> Value {
    view.query.map_or(Value::Null, components)
}

fn components(query: &Query) -> Value {
    let (mut texts, mut visuals) = (Map::new(), Map::new());
    for WantedText { role, content, size, color, position, font } in &query.texts {
        let fields = [
            ("content", content.as_deref().map(Value::from)),
            ("size", size.as_ref().map(size_json)),
            ("color", color.as_deref().map(Value::from)),
            ("position", position.as_deref().map(Value::from)),
            ("font", font.as_deref().map(Value::from)),
        ];
        texts.insert(role.clone(), object_of(&fields));
    }
    for WantedVisual { name, size, position } in &query.visuals {
        let fields = [
            ("size", size.as_ref().map(size_json)),
            ("position", position.as_deref().map(Value::from)),
        ];
        visuals.insert(name.clone(), object_of(&fields));
    }
    let mut fields = Map::new();
    fields.insert("background_color".to_owned(), json!(query.background));
    fields.insert("text".to_owned(), Value::Object(texts));
    fields.insert("visual".to_owned(), Value::Object(visuals));
    // Nothing that the published components have: said only where the page is none of theirs.
    if let Some(Size { width, height }) = query.page {
        fields.insert(PAGE_FIELD.to_owned(), json!({ "width": width, "height": height }));
    }
    Value::Object(fields)
}

/// What the query does not say is left out, as its authors leave it out: null would be a wish.
fn object_of(fields: &[(&str, Option<Value>)]) -> Value {
    let said = fields.iter().filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?)));
    Value::Object(said.collect())
}

fn size_json(size: &WantedSize) -> Value {
    match size {
        WantedSize::Points(points) => json!(points),
        WantedSize::Words(words) => json!(words),
    }
}

/// The pictures that come with the query, as its authors publish them.
pub(super) fn images_json(view: &AgentView<'_>) -> Value {
    let images = view.query.map(|query| query.images.as_slice()).unwrap_or_default();
    images.iter().map(|image| json!({ "content": image.name, "url": image.url })).collect()
}

/// The components in words, a line each.
pub(super) fn components_text(view: &AgentView<'_>) -> String {
    match components_json(view) {
        Value::Null => "The query is all there is.".to_owned(),
        components => serde_json::to_string_pretty(&components).unwrap_or_default(),
    }
}

/// The names under which pictures can be imported, a line each.
pub(super) fn pictures_text(view: &AgentView<'_>) -> String {
    if view.input_pictures.is_empty() {
        return "None.".to_owned();
    }
    let mut text = String::new();
    for picture in view.input_pictures {
        // Writing to a String cannot fail.
        writeln!(text, "- {}.png", picture.name).ok();
    }
    text.trim_end().to_owned()
}

/// The pictures themselves, those that can be read; what cannot be is told by `note`.
pub(super) fn pictures(view: &AgentView<'_>, mut note: impl FnMut(String)) -> Vec<Part> {
    let mut parts = Vec::new();
    for picture in view.input_pictures {
        let png = picture.load().and_then(|pixels| pixels.to_png().map_err(|e| e.to_string()));
        match png {
            Ok(png) => {
                parts.push(Part::Text(format!("{}.png:", picture.name)));
                parts.push(Part::Picture(Arc::from(png)));
            }
            Err(why) => note(format!("the picture {:?} is not shown: {why}", picture.name)),
        }
    }
    parts
}

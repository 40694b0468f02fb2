//! A layout as the actions of two experts.

use serde_json::{Value, json};

use crate::base::{Rect, Size};
use crate::graphictown::{DesignType, Expert};

use super::layout::{Layout, PlacedPicture, PlacedText, Side, TextOutline};

/// Millimetres of a point: texts are placed in millimetres.
const MM: f64 = 25.4 / 72.0;
/// The name of the file that goes from one to the other.
const ARTWORK: &str = "artwork";

/// The steps of the photo editor, none if there are no pictures, and those of the layout designer.
pub(super) fn steps(layout: &Layout, design: DesignType) -> (Vec<Value>, Vec<Value>) {
    let mut photo = Vec::new();
    if !layout.pictures.is_empty() {
        photo.extend(document(Expert::PhotoEditor, layout, design));
        photo.extend(layout.pictures.iter().flat_map(pictures));
        let parameters = json!({ "fileName": ARTWORK, "format": "psd" });
        let words = "Save the pictures for the Layout Designer.";
        photo.push(step(Expert::PhotoEditor, words, "SaveDocument", &parameters));
    }
    let mut page = Vec::new();
    page.extend(document(Expert::LayoutDesigner, layout, design));
    if !photo.is_empty() {
        page.extend(artwork(layout.page));
    }
    page.extend(layout.texts.iter().flat_map(text));
    let name = design.words().replace(' ', "_");
    let parameters = json!({ "fileName": name, "format": "pdf" });
    page.push(step(Expert::LayoutDesigner, "Export the design.", "ExportDocument", &parameters));
    (photo, page)
}

/// Who is needed.
pub(super) fn recruits(photo: &[Value]) -> Value {
    let recruit = |expert: Expert, task: &str| json!({ "expert": expert.name(), "task": task });
    let pictures = recruit(Expert::PhotoEditor, "Put the pictures on the background.");
    let texts = recruit(Expert::LayoutDesigner, "Set the texts and export the design.");
    if photo.is_empty() { json!([texts]) } else { json!([pictures, texts]) }
}

fn step(expert: Expert, description: &str, skill: &str, parameters: &Value) -> Value {
    json!({
        "id": 0,
        "expert": expert.name(),
        "description": description,
        "skill": skill,
        "parameters": parameters,
    })
}

/// A new document with its background.
fn document(expert: Expert, layout: &Layout, design: DesignType) -> [Value; 2] {
    let [red, green, blue] = layout.background;
    let kind = json!({ "docType": design.words() });
    let color = json!({ "red": red, "green": green, "blue": blue });
    let words = format!("Create a new document for a {}.", design.words());
    [
        step(expert, &words, "CreateDocument", &kind),
        step(expert, "Set the background colour.", "SetBackgroundColor", &color),
    ]
}

/// Each piece of a picture: imported, resized, put in its place.
fn pictures(picture: &PlacedPicture) -> Vec<Value> {
    let name = &picture.name;
    let file = format!("{name}.png");
    let piece = |(place, number): (&Rect, usize)| {
        let number = if picture.places.len() == 1 { String::new() } else { number.to_string() };
        let layer = layer_name(&format!("{name}{number}"));
        let words = format!("Import the picture {name}.");
        let import = json!({ "fileName": file, "layerName": layer });
        let mut steps = vec![step(Expert::PhotoEditor, &words, "ImportObject", &import)];
        steps.extend(object(Expert::PhotoEditor, &layer, *place));
        steps
    };
    picture.places.iter().zip(1..).flat_map(piece).collect()
}

/// A layer's size and place.
fn object(expert: Expert, layer: &str, place: Rect) -> [Value; 2] {
    let [x, y, width, height] = [place.x, place.y, place.width, place.height].map(f64::round);
    let size = json!({ "layerName": layer, "width": width.max(1.0), "height": height.max(1.0) });
    let corner = json!({ "layerName": layer, "posX": x, "posY": y });
    [
        step(expert, &format!("Resize {layer}."), "ResizeObject", &size),
        step(expert, &format!("Put {layer} in its place."), "RepositionObject", &corner),
    ]
}

/// What the photo editor saved, over the whole page.
fn artwork(page: Size) -> Vec<Value> {
    let layer = "ArtworkLayer";
    let import = json!({ "fileName": format!("{ARTWORK}.psd"), "layerName": layer });
    let words = "Import what the Photo Editor saved.";
    let mut steps = vec![step(Expert::LayoutDesigner, words, "ImportObject", &import)];
    let whole = Rect::new(0.0, 0.0, page.width, page.height);
    steps.extend(object(Expert::LayoutDesigner, layer, whole));
    steps
}

/// A text: made, sized, coloured, outlined if need be, aligned, put in its place.
fn text(text: &PlacedText) -> Vec<Value> {
    let layer = layer_name(&text.role);
    let role = &text.role;
    let [red, green, blue] = text.color;
    let side = match text.side {
        Side::Left => "left",
        Side::Center => "center",
        Side::Right => "right",
    };
    let mm = |points: f64| (points * MM * 10.0).round() / 10.0;
    let (x, y) = (mm(text.margin), mm(text.place.y));
    let of = |words: &str, skill: &str, parameters: &Value| {
        step(Expert::LayoutDesigner, &format!("{words} the {role}."), skill, parameters)
    };
    let outline = text.outline.map(|TextOutline { width, color: [red, green, blue] }| {
        let color = json!({ "layerName": layer, "strokeWidth": width, "red": red, "green": green, "blue": blue });
        of("Outline", "StrokeText", &color)
    });
    let mut steps = vec![
        of("Create", "CreateText", &json!({ "layerName": layer, "textString": text.content })),
        of("Size", "ResizeText", &json!({ "layerName": layer, "fontSize": text.points })),
        of(
            "Colour",
            "ColorText",
            &json!({ "layerName": layer, "red": red, "green": green, "blue": blue }),
        ),
    ];
    steps.extend(outline);
    steps.extend([
        of("Align", "AlignText", &json!({ "layerName": layer, "alignment": side })),
        of("Place", "RepositionText", &json!({ "layerName": layer, "posX": x, "posY": y })),
    ]);
    steps
}

/// `dreamy_moon` as `DreamyMoonLayer`.
fn layer_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        first + chars.as_str()
    };
    words.map(capital).collect::<String>() + "Layer"
}

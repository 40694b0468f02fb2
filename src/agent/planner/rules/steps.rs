//! A layout as the actions of two experts.

use serde_json::{Value, json};

use crate::base::{Rect, Size};
use crate::graphictown::{DesignType, Expert};

use super::layout::{Layout, LineAlignment, PlacedPicture, PlacedText, TextOutline};

/// Millimetres of a point: texts are placed in millimetres.
const MM: f64 = 25.4 / 72.0;
/// The name of the file that goes from one to the other.
const ARTWORK: &str = "artwork";

/// The steps of the photo editor, none if there are no pictures, and those of the layout designer.
pub(super) fn steps(layout: &Layout) -> (Vec<Value>, Vec<Value>) {
    let mut photo = Vec::new();
    if !layout.pictures.is_empty() {
        photo.extend(document(Expert::PhotoEditor, layout));
        photo.extend(layout.pictures.iter().flat_map(pictures));
        let parameters = json!({ "fileName": ARTWORK, "format": "psd" });
        let words = "Save the pictures for the Layout Designer.";
        photo.push(step(Expert::PhotoEditor, words, "SaveDocument", &parameters));
    }
    // What the photo editor saves is one picture for the layout designer, who sets texts over it.
    let mut page = Vec::new();
    page.extend(document(Expert::LayoutDesigner, layout));
    if !photo.is_empty() {
        page.extend(artwork(layout.page));
    }
    page.extend(layout.texts.iter().flat_map(text));
    let name = layout.design.map_or("design", DesignType::words).replace(' ', "_");
    let parameters = json!({ "fileName": name, "format": "pdf" });
    page.push(step(Expert::LayoutDesigner, "Export the design.", "ExportDocument", &parameters));
    (photo, page)
}

/// Who is needed.
pub(super) fn recruits(photo: &[Value]) -> Value {
    let mut recruits = vec![
        (Expert::PhotoEditor, "Put the pictures on the background."),
        (Expert::LayoutDesigner, "Set the texts and export the design."),
    ];
    if photo.is_empty() {
        recruits.remove(0);
    }
    let recruits = recruits.into_iter();
    recruits.map(|(expert, task)| json!({ "expert": expert.name(), "task": task })).collect()
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
fn document(expert: Expert, layout: &Layout) -> [Value; 2] {
    let [red, green, blue] = layout.background;
    let color = json!({ "red": red, "green": green, "blue": blue });
    let Size { width, height } = layout.page;
    let created = if let Some(design) = layout.design.map(DesignType::words) {
        let words = format!("Create a new document for a {design}.");
        step(expert, &words, "CreateDocument", &json!({ "docType": design }))
    } else {
        let words = format!("Create a new document of {width} × {height} points.");
        let size = json!({ "width": width, "height": height });
        step(expert, &words, "CreateDocumentCustom", &size)
    };
    [created, step(expert, "Set the background colour.", "SetBackgroundColor", &color)]
}

/// Each piece of a picture: imported, resized, put in its place.
fn pictures(picture: &PlacedPicture) -> Vec<Value> {
    let name = &picture.name;
    let mut steps = Vec::new();
    for (place, number) in picture.places.iter().zip(1..) {
        // Layers are known by their names: pieces of one picture need one each.
        let number = if picture.places.len() == 1 { String::new() } else { number.to_string() };
        let layer = layer_name(&format!("{name}{number}"));
        let words = format!("Import the picture {name}.");
        let import = json!({ "fileName": format!("{name}.png"), "layerName": layer });
        steps.push(step(Expert::PhotoEditor, &words, "ImportObject", &import));
        steps.extend(object(Expert::PhotoEditor, &layer, *place));
    }
    steps
}

/// A layer's size and place.
fn object(expert: Expert, layer: &str, place: Rect) -> [Value; 2] {
    // Actions take whole points; a size of none is refused.
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
        LineAlignment::Left => "left",
        LineAlignment::Center => "center",
        LineAlignment::Right => "right",
    };
    // Layout designers place in millimetres; a tenth of one is less than anybody sees.
    let [x, y] = [text.margin, text.place.y].map(|points| (points * MM * 10.0).round() / 10.0);
    let mut steps = vec![
        ("Create", "CreateText", json!({ "layerName": layer, "textString": text.content })),
        ("Size", "ResizeText", json!({ "layerName": layer, "fontSize": text.points })),
        (
            "Colour",
            "ColorText",
            json!({ "layerName": layer, "red": red, "green": green, "blue": blue }),
        ),
    ];
    if let Some(TextOutline { width, color: [red, green, blue] }) = text.outline {
        let stroke = json!({ "layerName": layer, "strokeWidth": width, "red": red, "green": green, "blue": blue });
        steps.push(("Outline", "StrokeText", stroke));
    }
    // Last, as size and alignment move what is placed.
    steps.push(("Align", "AlignText", json!({ "layerName": layer, "alignment": side })));
    steps.push(("Place", "RepositionText", json!({ "layerName": layer, "posX": x, "posY": y })));
    let steps = steps.into_iter();
    steps
        .map(|(words, skill, parameters)| {
            step(Expert::LayoutDesigner, &format!("{words} the {role}."), skill, &parameters)
        })
        .collect()
}

/// `dreamy_moon` as `DreamyMoonLayer`.
fn layer_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut layer = String::new();
    for word in words {
        let mut chars = word.chars();
        layer.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        layer += chars.as_str();
    }
    layer + "Layer"
}

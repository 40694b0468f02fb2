//! The four hand-made plans of GraphicBench's figures 5 to 8: who does what with which values.

use serde_json::{Value, json};

const PHOTO: &str = "Photo Editor";
const VECTOR: &str = "Vector Graphic Editor";
const LAYOUT: &str = "Layout Designer";

/// A plan: what the query hands out, and the steps.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) pictures: &'static [&'static str],
    pub(crate) steps: Vec<(&'static str, &'static str, Value)>,
}

/// A text of the layout designer's: made, set, coloured, aligned, sized, moved.
fn text(
    layer: &str,
    words: &str,
    (font, rgb, alignment): (&str, [u8; 3], &str),
    (size, x, y): (u32, i32, i32),
) -> Vec<(&'static str, &'static str, Value)> {
    let [red, green, blue] = rgb;
    vec![
        (LAYOUT, "CreateText", json!({"layerName": layer, "textString": words})),
        (LAYOUT, "ApplyFont", json!({"layerName": layer, "fontName": font})),
        (
            LAYOUT,
            "ColorText",
            json!({"layerName": layer, "red": red, "green": green, "blue": blue}),
        ),
        (LAYOUT, "AlignText", json!({"layerName": layer, "alignment": alignment})),
        (LAYOUT, "ResizeText", json!({"layerName": layer, "fontSize": size})),
        (LAYOUT, "RepositionText", json!({"layerName": layer, "posX": x, "posY": y})),
    ]
}

fn background(expert: &'static str, rgb: [u8; 3]) -> (&'static str, &'static str, Value) {
    let [red, green, blue] = rgb;
    (expert, "SetBackgroundColor", json!({"red": red, "green": green, "blue": blue}))
}

/// The last step of each.
fn save(name: &str, format: &str) -> (&'static str, &'static str, Value) {
    (LAYOUT, "SaveDocument", json!({"fileName": name, "format": format}))
}

fn on_layer(
    expert: &'static str,
    action: &'static str,
    layer: &str,
    values: Value,
) -> (&'static str, &'static str, Value) {
    let mut values = values;
    values["layerName"] = json!(layer);
    (expert, action, values)
}

/// Figure 5.
pub(crate) fn book_cover() -> Plan {
    let white = [255, 255, 255];
    let mono = |alignment| ("Andale Mono", white, alignment);
    let size = |width, height| json!({"width": width, "height": height});
    let place = |x, y| json!({"posX": x, "posY": y});
    let mut steps = vec![
        (PHOTO, "CreateDocument", json!({"docType": "book cover"})),
        background(PHOTO, [255, 179, 238]),
        (
            PHOTO,
            "ImportObject",
            json!({"fileName": "pink_moonlit.png", "layerName": "MoonlitLayer"}),
        ),
        on_layer(PHOTO, "ResizeObject", "MoonlitLayer", size(1079, 1069)),
        on_layer(PHOTO, "RepositionObject", "MoonlitLayer", place(108, 746)),
        (
            PHOTO,
            "ImportObject",
            json!({"fileName": "couple_silhouette.png", "layerName": "SilhouetteLayer"}),
        ),
        on_layer(PHOTO, "ResizeObject", "SilhouetteLayer", size(683, 677)),
        on_layer(PHOTO, "RepositionObject", "SilhouetteLayer", place(267, 1052)),
        on_layer(
            PHOTO,
            "AdjustHSL",
            "MoonlitLayer",
            json!({"hue": 18, "saturation": -18, "light": 0}),
        ),
        (
            PHOTO,
            "SaveDocument",
            json!({"fileName": "moonlit_illustration_edited", "format": "psd"}),
        ),
        (LAYOUT, "CreateDocument", json!({"docType": "book cover"})),
        (
            LAYOUT,
            "ImportObject",
            json!({"fileName": "moonlit_illustration_edited.psd", "layerName": "BackgroundLayer"}),
        ),
        on_layer(LAYOUT, "ResizeObject", "BackgroundLayer", size(1296, 1728)),
    ];
    steps.extend(text("TitleLayer", "LOVE\nSTORY", mono("center"), (72, -88, 29)));
    let author = "A Novel By\nOlivia Wilson";
    steps.extend(text("Authornamelayer", author, mono("center"), (30, -88, 107)));
    let tagline = "Best Selling Book of the Year";
    steps.extend(text("TaglineLayer", tagline, mono("center"), (20, -88, 7)));
    steps.push(save("moonlit_illustration_bookcover", "pdf"));
    let pictures = &["pink_moonlit", "couple_silhouette"];
    Plan { name: "book-cover", pictures, steps }
}

/// Figure 6.
pub(crate) fn business_card() -> Plan {
    let (green, white) = ([88, 188, 112], [255, 255, 255]);
    let mut steps = vec![
        (LAYOUT, "CreateDocument", json!({"docType": "business card"})),
        background(LAYOUT, [255, 231, 176]),
    ];
    let cooper = |rgb| ("Cooper Std Black", rgb, "center");
    // The gap of three spaces is where the cactus goes; the figure's text shows one.
    steps.extend(text("NameLayer1", "Cac   us", cooper(green), (200, -55, 192)));
    steps.extend(text("NameLayer2", "Cac   us", cooper(white), (200, -69, 178)));
    steps.extend([
        (
            LAYOUT,
            "ImportObject",
            json!({"fileName": "cactus_shaped_T.png", "layerName": "CactusTLayer"}),
        ),
        on_layer(LAYOUT, "ResizeObject", "CactusTLayer", json!({"width": 190, "height": 210})),
        on_layer(LAYOUT, "RepositionObject", "CactusTLayer", json!({"posX": 458, "posY": 152})),
    ]);
    let mono = ("Andale Mono", green, "center");
    steps.extend(text("TaglineLayer", "Livros Novos e Usados", mono, (40, 160, 360)));
    steps.push(save("cactus_business_card", "png"));
    Plan { name: "business-card", pictures: &["cactus_shaped_T"], steps }
}

/// Figure 7.
pub(crate) fn postcard() -> Plan {
    let mut steps = vec![
        (VECTOR, "CreateDocument", json!({"docType": "postcard"})),
        (
            VECTOR,
            "ImportObject",
            json!({"fileName": "floral_background.png", "layerName": "BackgroundLayer"}),
        ),
        on_layer(VECTOR, "ResizeObject", "BackgroundLayer", json!({"width": 1296, "height": 2129})),
        on_layer(VECTOR, "OpacityObject", "BackgroundLayer", json!({"opacity": 80})),
        on_layer(
            VECTOR,
            "DrawRectangle",
            "RectangleLayer",
            json!({"width": 1034, "height": 233, "red": 255, "green": 255, "blue": 255}),
        ),
        on_layer(VECTOR, "RepositionDrawing", "RectangleLayer", json!({"posX": 488, "posY": 196})),
        on_layer(VECTOR, "OpacityDrawing", "RectangleLayer", json!({"opacity": 60})),
        (VECTOR, "SaveDocument", json!({"fileName": "floral_image_edited", "format": "ai"})),
        (LAYOUT, "CreateDocument", json!({"docType": "postcard"})),
        (
            LAYOUT,
            "ImportObject",
            json!({"fileName": "floral_image_edited.ai", "layerName": "BackgroundLayer"}),
        ),
    ];
    let style = ("Adobe Handwriting Ernie Pro", [210, 35, 42], "left");
    steps.extend(text("MessageLayer", "Thank you!", style, (160, 33, 40)));
    steps.push(save("floral_postcard", "png"));
    Plan { name: "postcard", pictures: &["floral_background"], steps }
}

/// Figure 8.
pub(crate) fn poster() -> Plan {
    let mut steps = vec![
        (VECTOR, "CreateDocument", json!({"docType": "poster"})),
        background(VECTOR, [255, 251, 233]),
        on_layer(
            VECTOR,
            "DrawRectangle",
            "RectangleLayer",
            json!({"width": 1158, "height": 1300, "red": 26, "green": 26, "blue": 26}),
        ),
        on_layer(VECTOR, "RepositionDrawing", "RectangleLayer", json!({"posX": 500, "posY": 325})),
        (
            VECTOR,
            "ImportObject",
            json!({"fileName": "jellyfish_illustration.png", "layerName": "JellyfishLayer"}),
        ),
        on_layer(VECTOR, "ResizeObject", "JellyfishLayer", json!({"width": 1110, "height": 1060})),
        on_layer(VECTOR, "RepositionObject", "JellyfishLayer", json!({"posX": 720, "posY": 1000})),
        on_layer(VECTOR, "OpacityObject", "JellyfishLayer", json!({"opacity": 80})),
        (VECTOR, "SaveDocument", json!({"fileName": "jellyfish_edited", "format": "ai"})),
        (LAYOUT, "CreateDocument", json!({"docType": "poster"})),
        (
            LAYOUT,
            "ImportObject",
            json!({"fileName": "jellyfish_edited.ai", "layerName": "BackgroundLayer"}),
        ),
    ];
    let didot = |rgb, alignment| ("AWConqueror Std Didot", rgb, alignment);
    steps.extend(text("TitleLayer", "JELLYFISH", didot([0, 0, 0], "center"), (200, 28, 45)));
    let words = "Jellyfish (Medusozoa) is a marine animal found in all the world's oceans. These \
        creatures are known for their ability to move through rhythmic contractions and their \
        crucial role in marine ecosystems.";
    let description = didot([255, 255, 255], "left");
    steps.extend(text("DescriptionLayer", words, description, (25, 28, 551)));
    steps.push(save("jellyfish_poster", "pdf"));
    Plan { name: "poster", pictures: &["jellyfish_illustration"], steps }
}

/// All four.
pub(crate) fn all() -> [Plan; 4] {
    [book_cover(), business_card(), postcard(), poster()]
}

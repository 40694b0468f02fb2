//! The 48 actions: whose they are, what they take, what a model is told of them.
//!
//! The table is [`graphictown`]'s; the descriptions are ours and say what this environment does.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::environment::{ToolCategory, ToolSpec};
use crate::graphictown::{self, Expert, Parameter, ParameterKind};

use super::action_kind::ActionKind;

/// An action.
#[derive(Debug)]
pub(super) struct SuiteAction {
    /// Its name, unique.
    pub(super) name: &'static str,
    /// Who can do it.
    pub(super) experts: &'static [Expert],
    /// What it takes, in order.
    pub(super) parameters: &'static [Parameter],
    /// What it does.
    pub(super) kind: ActionKind,
}

/// The actions with what a model is told.
pub(super) struct Catalogue {
    actions: Vec<SuiteAction>,
    specs: Vec<ToolSpec>,
}

impl Catalogue {
    /// The one catalogue.
    pub(super) fn get() -> &'static Self {
        static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
            // The released table is the only source of names, experts and parameters.
            let actions: Vec<SuiteAction> =
                graphictown::all().iter().filter_map(SuiteAction::of).collect();
            let specs = actions.iter().filter_map(SuiteAction::spec).collect();
            Catalogue { actions, specs }
        });
        &CATALOGUE
    }

    /// What a model is told.
    pub(super) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The action of this name.
    pub(super) fn find(&self, name: &str) -> Option<&SuiteAction> {
        self.actions.iter().find(|action| action.name == name)
    }

    /// The names of all actions.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.actions.iter().map(|action| action.name)
    }
}

impl SuiteAction {
    fn of(released: &'static graphictown::Action) -> Option<Self> {
        // An action without a row would be one that a model is told nothing of.
        let row = ROWS.iter().find(|row| row.0 == released.name)?;
        Some(Self {
            name: row.0,
            experts: released.who_can(),
            parameters: &released.parameters,
            kind: ActionKind::named(row.0)?,
        })
    }

    fn spec(&self) -> Option<ToolSpec> {
        let row = ROWS.iter().find(|row| row.0 == self.name)?;
        let experts: Vec<&str> = self.experts.iter().map(|expert| expert.name()).collect();
        // The released calls name who acts beside the values.
        let mut properties = Map::new();
        properties.insert("expert".to_owned(), json!({"type": "string", "enum": experts}));
        let mut required = vec![json!("expert")];
        for parameter in self.parameters {
            properties.insert(parameter.name.clone(), schema_of(parameter));
            required.push(json!(parameter.name));
        }
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        Some(ToolSpec { name: row.0, description: row.2, schema, category: row.1 })
    }

    /// Its parameters in words: `layerName, red, green, blue`.
    pub(super) fn takes(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|it| it.name.as_str()).collect();
        names.join(", ")
    }
}

fn schema_of(parameter: &Parameter) -> Value {
    let mut schema = Map::new();
    let kind = if parameter.kind == ParameterKind::Text { "string" } else { "number" };
    // Numbers of either kind: the released calls write `12.0` for whole ones.
    schema.insert("type".to_owned(), json!(kind));
    if let Some((least, most)) = parameter.range {
        schema.insert("minimum".to_owned(), json!(least));
        schema.insert("maximum".to_owned(), json!(most));
    }
    if let Some(choices) = &parameter.choices {
        schema.insert("enum".to_owned(), json!(choices));
    }
    Value::Object(schema)
}

use ToolCategory::{Creation, Inspection, Operation, Style, Text};

/// Name, category, and what a model is told.
const ROWS: [(&str, ToolCategory, &str); 48] = [
    (
        "CreateDocument",
        Creation,
        "Opens a new document of a type: postcard or business card (1000 × 640 points), poster or book cover (1296 × 1728), letter, resume or flyer (612 × 792), magazine cover (603 × 783), label (288 × 192). An open document of the same program is closed; what was not saved of it is lost.",
    ),
    (
        "CreateDocumentCustom",
        Creation,
        "Opens a new document of this width and height in points, 1 to 14400 each. An open document of the same program is closed; what was not saved of it is lost.",
    ),
    (
        "SaveDocument",
        Operation,
        "Saves the open document into the shared folder, where every program can import it. psd (Photo Editor), ai and svg (Vector Graphic Editor) and indd (Layout Designer) stay editable there; png, jpg and pdf are one flat picture.",
    ),
    (
        "SetBackgroundColor",
        Style,
        "Gives the page a colour, red, green and blue within 0 and 255. A page without one is white paper, and see-through where it is imported.",
    ),
    (
        "AlignText",
        Text,
        "Aligns the lines of a text within its frame: left, center or right. The frame has the same margin on both sides of the page, so that center means the middle of the page.",
    ),
    (
        "ApplyFont",
        Text,
        "Sets a text in a font, such as \"Georgia\" or \"Arial Bold\". A family that the machine lacks is replaced by Inter.",
    ),
    (
        "ArrangeText",
        Operation,
        "Moves a text among the layers: to the front, one step frontward, one step backward, or to the back.",
    ),
    ("ColorText", Style, "Colours a text, red, green and blue within 0 and 255."),
    (
        "CreateText",
        Text,
        "Makes a text layer: black, 30 points, centred in the middle of the page.",
    ),
    ("OpacityText", Style, "Sets how opaque a text is, 0 to 100 percent."),
    ("RemoveText", Operation, "Removes a text."),
    (
        "RepositionText",
        Operation,
        "Moves a text: posX is the margin of its frame on the left (and so on the right), posY its top edge, both in millimetres from the page's left top corner (1 mm is 2.83 points). If millimetres would put the text off the page, points are meant, for this and all later texts of the document.",
    ),
    ("ResizeText", Text, "Sets the size of a text's letters, in points."),
    ("RotateText", Operation, "Turns a text about its middle, to this many degrees clockwise."),
    (
        "ImportObject",
        Creation,
        "Places a picture of the query, or a file that one of the programs saved, as a layer in the middle of the page: in its own size (a pixel is a point), or as large as the page has room for. A psd, ai, indd or svg file stays editable, with its filters.",
    ),
    ("OpacityObject", Style, "Sets how opaque an object is, 0 to 100 percent."),
    ("RemoveObject", Operation, "Removes an object."),
    (
        "RepositionObject",
        Operation,
        "Moves an object, in points from the page's left top corner. Photo Editor and Layout Designer: its left top corner goes there. Vector Graphic Editor: its middle.",
    ),
    (
        "ResizeObject",
        Operation,
        "Gives an object this width and height in points; its middle stays where it is.",
    ),
    (
        "RotateObject",
        Operation,
        "Turns an object about its middle, to this many degrees clockwise.",
    ),
    (
        "AdjustBC",
        Style,
        "Adds a filter to a layer: brightness (-150 to 150) and contrast (-100 to 100).",
    ),
    ("AdjustBW", Style, "Adds a filter to a layer: shades of grey."),
    (
        "AdjustHSL",
        Style,
        "Adds a filter to a layer: turns hues (-180 to 180 degrees), changes saturation (-100 to 100) and lightness (-100 to 100).",
    ),
    ("BlurObject", Style, "Adds a filter to a layer: a Gaussian blur of 0 to 100 points."),
    (
        "PhotoFilter",
        Style,
        "Adds a filter to a layer: a coloured glass before the lens, density 0 to 100 percent. Types: Warming Filter (85), Warming Filter (LBA), Warming Filter (81), Cooling Filter (80), Cooling Filter (LBB), Cooling Filter (82), Red, Orange, Yellow, Green, Cyan, Blue, Violet, Magenta, Sepia, Deep Red, Deep Blue, Deep Emerald, Deep Yellow, Underwater.",
    ),
    (
        "GlassFilter",
        Style,
        "Adds a filter to a layer: seen through patterned glass, distortion 0 to 20, smoothness 1 to 15, scaling 50 to 200 percent.",
    ),
    (
        "GlowFilter",
        Style,
        "Adds a filter to a layer: light that spreads from its bright parts, graininess 0 to 10, glow 0 to 20, clear 0 to 20.",
    ),
    (
        "OceanRippleFilter",
        Style,
        "Adds a filter to a layer: seen through moving water, ripple size 1 to 15, magnitude 0 to 20.",
    ),
    (
        "StainedGlassFilter",
        Style,
        "Adds a filter to a layer: pieces of coloured glass held by lead, cell size 2 to 50, border 1 to 20, light 0 to 10.",
    ),
    (
        "PatchworkFilter",
        Style,
        "Adds a filter to a layer: raised and sunk squares, square size 0 to 10, relief 0 to 25.",
    ),
    (
        "WatercolorFilter",
        Style,
        "Adds a filter to a layer: washes of colour on paper, brush detail 1 to 14, shadow 0 to 15, texture 1 to 3.",
    ),
    (
        "RetrieveFontStyle",
        Inspection,
        "Tells the font of a text: its family, style, size and colour.",
    ),
    (
        "StrokeText",
        Style,
        "Gives the letters of a text an outline, 0.5 to 5 points wide, in a colour.",
    ),
    (
        "DrawCircle",
        Creation,
        "Draws a circle in the middle of the page: its radius in points, 0 to 100, and its colour.",
    ),
    (
        "DrawEllipse",
        Creation,
        "Draws an ellipse in the middle of the page: half its width (majorRadius), half its height (radius), in points, and its colour.",
    ),
    (
        "DrawLine",
        Creation,
        "Draws a line from start to end, in points from the page's left top corner: its width and its colour.",
    ),
    (
        "DrawPolygon",
        Creation,
        "Draws a regular polygon in the middle of the page, a corner at the top: 3 to 360 sides, the radius of the circle around it in points, its colour.",
    ),
    (
        "DrawRectangle",
        Creation,
        "Draws a rectangle in the middle of the page: its width and height in points, and its colour.",
    ),
    (
        "DrawStar",
        Creation,
        "Draws a star in the middle of the page, a tip at the top: 3 to 360 tips, the radius of the circle around it in points, its colour.",
    ),
    (
        "DrawTriangle",
        Creation,
        "Draws a triangle in the middle of the page, its tip at the top: its base and height in points, and its colour.",
    ),
    ("OpacityDrawing", Style, "Sets how opaque a drawing is, 0 to 100 percent."),
    ("RemoveDrawing", Operation, "Removes a drawing."),
    (
        "RepositionDrawing",
        Operation,
        "Moves a drawing: its middle goes to this point, in points from the page's left top corner.",
    ),
    (
        "ResizeDrawing",
        Operation,
        "Gives a drawing this width and height in points; its middle stays where it is.",
    ),
    (
        "RotateDrawing",
        Operation,
        "Turns a drawing about its middle, to this many degrees clockwise.",
    ),
    (
        "StrokeDrawing",
        Style,
        "Gives a drawing an outline of this width in points, in a colour; a line gets this width and colour.",
    ),
    (
        "ExportDocument",
        Operation,
        "Exports the open document into the shared folder: indd stays editable where it is imported; pdf, png and jpg are one flat picture.",
    ),
    (
        "GenerateQRObject",
        Creation,
        "Makes a QR code of an address as an object, as wide as a fifth of the page's shorter side, in the middle of the page.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_48_actions_are_there_with_their_experts() {
        let catalogue = Catalogue::get();
        assert_eq!((catalogue.actions.len(), catalogue.specs.len()), (48, 48));
        let counts = Expert::ALL.map(|expert| {
            catalogue.actions.iter().filter(|action| action.experts.contains(&expert)).count()
        });
        // One more for the layout designer than the released table has: he saves, too.
        assert_eq!(counts, [31, 35, 21]);
    }

    #[test]
    fn a_schema_asks_for_the_expert_and_every_parameter() {
        let spec = &Catalogue::get().specs()[0];
        assert_eq!(spec.name, "CreateDocument");
        assert_eq!(spec.schema["required"], json!(["expert", "docType"]));
        let hsl = Catalogue::get().specs().iter().find(|spec| spec.name == "AdjustHSL").unwrap();
        assert_eq!(hsl.schema["properties"]["hue"]["minimum"], json!(-180.0));
        assert_eq!(hsl.schema["properties"]["expert"]["enum"], json!(["Photo Editor"]));
    }
}

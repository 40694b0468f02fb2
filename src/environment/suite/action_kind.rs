//! What each action does, one name for those that do the same to different layers.

use super::document::Layer;

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionKind {
    /// A new document of a type.
    OpenTyped,
    /// A new document of a size.
    OpenSized,
    /// Into the shared folder.
    Save,
    /// The colour of the page.
    Background,
    /// A text.
    MakeText,
    /// One of the properties of a text.
    ChangeText(TextChange),
    /// What the font of a text is.
    TellFont,
    /// Something drawn.
    Draw,
    /// An outline.
    Outline(TargetLayers),
    /// How opaque a layer is.
    Opacity(TargetLayers),
    /// Away with a layer.
    Remove(TargetLayers),
    /// To another place.
    Reposition(TargetLayers),
    /// To another size.
    Resize(TargetLayers),
    /// To another angle.
    Rotate(TargetLayers),
    /// A picture or a file.
    Import,
    /// A QR code.
    Qr,
    /// One of the eleven filters.
    Filter,
}

/// A property of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextChange {
    /// To which side.
    Align,
    /// In which font.
    Font,
    /// In which colour.
    Color,
    /// How large.
    Size,
    /// Before or behind which layers.
    Arrange,
}

/// For which layers an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetLayers {
    /// Texts.
    Text,
    /// Drawings.
    Drawing,
    /// Objects; the released scripts find any layer by its name, and so does this.
    Any,
}

impl TargetLayers {
    /// Whether a layer is one.
    pub(super) fn takes(self, layer: &Layer) -> bool {
        match self {
            Self::Text => layer.kind() == "text",
            Self::Drawing => layer.kind() == "drawing",
            Self::Any => true,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Drawing => "drawing",
            Self::Any => "object",
        }
    }
}

impl ActionKind {
    /// What the action of this name does.
    pub(super) fn named(name: &str) -> Option<Self> {
        let found = match name {
            "CreateDocument" => Self::OpenTyped,
            "CreateDocumentCustom" => Self::OpenSized,
            "SaveDocument" | "ExportDocument" => Self::Save,
            "SetBackgroundColor" => Self::Background,
            "CreateText" => Self::MakeText,
            "AlignText" => Self::ChangeText(TextChange::Align),
            "ApplyFont" => Self::ChangeText(TextChange::Font),
            "ColorText" => Self::ChangeText(TextChange::Color),
            "ResizeText" => Self::ChangeText(TextChange::Size),
            "ArrangeText" => Self::ChangeText(TextChange::Arrange),
            "RetrieveFontStyle" => Self::TellFont,
            "ImportObject" => Self::Import,
            "GenerateQRObject" => Self::Qr,
            "AdjustBC" | "AdjustBW" | "AdjustHSL" | "BlurObject" | "PhotoFilter"
            | "GlassFilter" | "GlowFilter" | "OceanRippleFilter" | "StainedGlassFilter"
            | "PatchworkFilter" | "WatercolorFilter" => Self::Filter,
            // All seven forms, which differ in their parameters only.
            _ if name.starts_with("Draw") => Self::Draw,
            _ => return Self::of_layer(name),
        };
        Some(found)
    }

    fn of_layer(name: &str) -> Option<Self> {
        // The released names are made of a verb and of what it is for.
        let kinds = [
            ("Text", TargetLayers::Text),
            ("Drawing", TargetLayers::Drawing),
            ("Object", TargetLayers::Any),
        ];
        let (verb, kind) =
            kinds.into_iter().find_map(|(end, kind)| Some((name.strip_suffix(end)?, kind)))?;
        match verb {
            "Stroke" => Some(Self::Outline(kind)),
            "Opacity" => Some(Self::Opacity(kind)),
            "Remove" => Some(Self::Remove(kind)),
            "Reposition" => Some(Self::Reposition(kind)),
            "Resize" => Some(Self::Resize(kind)),
            "Rotate" => Some(Self::Rotate(kind)),
            _ => None,
        }
    }
}

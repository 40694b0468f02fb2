//! Text as the document has it. Shaping and layout are the renderer's.

use std::collections::BTreeMap;

use super::paint::Paint;

/// The text of a TEXT node.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TextContent {
    /// The characters, with `\n` between paragraphs and U+2028 between lines of one paragraph.
    pub characters: String,
    /// The style of all of it.
    pub style: TextStyle,
    /// For each UTF-16 unit of `characters`, a key into `overrides`, 0 for none; may be shorter
    /// than the text. As Figma's `characterStyleOverrides`.
    pub override_ids: Vec<u32>,
    /// Partial styles by key: what each says replaces [`Self::style`] for its characters.
    pub overrides: BTreeMap<u32, StyleOverride>,
    /// What each line of `characters` (split at `\n` and U+2028) is in a list; lines beyond are none.
    pub line_types: Vec<LineType>,
    /// How deep each line is indented in its list, from 1; lines beyond are not.
    pub line_indents: Vec<u32>,
}

/// What a line is in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineType {
    /// In none.
    #[default]
    None,
    /// Numbered.
    Ordered,
    /// With a bullet.
    Unordered,
}

/// How letters are shown, whatever the characters say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextCase {
    /// As they are.
    #[default]
    Original,
    /// Capitals.
    Upper,
    /// Small letters.
    Lower,
    /// The first letter of each word a capital.
    Title,
    /// Small letters as small capitals.
    SmallCaps,
    /// All letters as small capitals.
    SmallCapsForced,
}

/// A line along the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextDecoration {
    /// None.
    #[default]
    None,
    /// Below the baseline.
    Underline,
    /// Through the small letters.
    Strikethrough,
}

/// The part of a style that an override sets.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StyleOverride {
    /// Another family.
    pub font_family: Option<String>,
    /// Another style name within the family.
    pub font_style: Option<String>,
    /// Another weight, 100..=900.
    pub font_weight: Option<f64>,
    /// Upright or italic.
    pub italic: Option<bool>,
    /// Another size in pixels.
    pub font_size: Option<f64>,
    /// Another letter spacing in pixels.
    pub letter_spacing: Option<f64>,
    /// Another distance of baselines.
    pub line_height: Option<LineHeight>,
    /// Other letters.
    pub case: Option<TextCase>,
    /// Another line along the text.
    pub decoration: Option<TextDecoration>,
    /// Other OpenType features, by tag.
    pub opentype: Option<BTreeMap<String, u32>>,
    /// Other fills than the node's.
    pub fills: Option<Vec<Paint>>,
}

/// How text looks and sits in its box.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Family name, such as `Inter`.
    pub font_family: String,
    /// Style name within the family, such as `Semi Bold Italic`; Figma's `fontStyle` where present.
    pub font_style: Option<String>,
    /// 100 (Thin) ..= 900 (Black).
    pub font_weight: f64,
    /// Slanted.
    pub italic: bool,
    /// Pixels per em.
    pub font_size: f64,
    /// Distance of baselines.
    pub line_height: LineHeight,
    /// Extra space after each character, in pixels.
    pub letter_spacing: f64,
    /// How letters are shown.
    pub case: TextCase,
    /// A line along the text.
    pub decoration: TextDecoration,
    /// OpenType features by tag (Figma's `opentypeFlags`), 0 for off.
    pub opentype: BTreeMap<String, u32>,
    /// Space between paragraphs, in pixels, at least 0.
    pub paragraph_spacing: f64,
    /// Indentation of the first line of each paragraph, in pixels.
    pub paragraph_indent: f64,
    /// Space between the lines of a list, in pixels, at least 0.
    pub list_spacing: f64,
    /// Alignment along the line.
    pub align: TextAlign,
    /// Alignment down the box.
    pub vertical_align: VerticalAlign,
    /// How the box follows the text.
    pub auto_resize: AutoResize,
    /// Whether what does not fit ends with an ellipsis (`textTruncation: ENDING`).
    pub truncates: bool,
    /// The most lines shown of a text that truncates.
    pub max_lines: Option<u32>,
}

/// Distance of baselines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    /// As the font says (Figma's `INTRINSIC_%`).
    Auto,
    /// Pixels.
    Pixels(f64),
    /// Per cent of the font size.
    Percent(f64),
}

/// Alignment along the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAlign {
    /// To the left edge.
    Left,
    /// To the middle.
    Center,
    /// To the right edge.
    Right,
    /// To both edges, but the last line.
    Justified,
}

/// Alignment down the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerticalAlign {
    /// From the top.
    Top,
    /// In the middle.
    Center,
    /// To the bottom.
    Bottom,
}

/// How the box follows the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoResize {
    /// Not at all: lines break at the box's width, and may overflow its height.
    None,
    /// The height follows; lines break at the box's width.
    Height,
    /// Both follow; lines break only where the text says.
    WidthAndHeight,
    /// Not at all, and what does not fit ends with an ellipsis.
    Truncate,
}

impl LineHeight {
    /// What people call it, with numbers as `number` writes them.
    pub fn label(self, number: fn(f64) -> String) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Pixels(pixels) => number(pixels),
            Self::Percent(percent) => format!("{} %", number(percent)),
        }
    }
}

impl TextAlign {
    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
            Self::Justified => "justified",
        }
    }
}

impl VerticalAlign {
    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Center => "middle",
            Self::Bottom => "bottom",
        }
    }
}

impl Default for TextStyle {
    fn default() -> Self {
        Self {
            // What Figma gives a new text; a file that does not say means the same.
            font_family: "Inter".to_owned(),
            font_style: None,
            font_weight: 400.0,
            italic: false,
            font_size: 12.0,
            line_height: LineHeight::Auto,
            letter_spacing: 0.0,
            case: TextCase::Original,
            decoration: TextDecoration::None,
            opentype: BTreeMap::new(),
            paragraph_spacing: 0.0,
            paragraph_indent: 0.0,
            list_spacing: 0.0,
            align: TextAlign::Left,
            vertical_align: VerticalAlign::Top,
            auto_resize: AutoResize::None,
            truncates: false,
            max_lines: None,
        }
    }
}

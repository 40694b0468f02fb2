//! Text in and out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::paint::{read_paints, write_paints};
use super::value::{
    ANY, EXTENT, Names, Notes, Object, boolean, json_number, list, name_of, named, number, present,
    put, put_number, put_unless, string,
};
use crate::design::text::{
    AutoResize, LineHeight, LineType, StyleOverride, TextAlign, TextCase, TextContent,
    TextDecoration, TextStyle, VerticalAlign,
};

const ALIGNS: &Names<TextAlign> = &[
    ("LEFT", TextAlign::Left),
    ("CENTER", TextAlign::Center),
    ("RIGHT", TextAlign::Right),
    ("JUSTIFIED", TextAlign::Justified),
];

const VERTICAL_ALIGNS: &Names<VerticalAlign> = &[
    ("TOP", VerticalAlign::Top),
    ("CENTER", VerticalAlign::Center),
    ("BOTTOM", VerticalAlign::Bottom),
];

const AUTO_RESIZES: &Names<AutoResize> = &[
    ("NONE", AutoResize::None),
    ("HEIGHT", AutoResize::Height),
    ("WIDTH_AND_HEIGHT", AutoResize::WidthAndHeight),
    ("TRUNCATE", AutoResize::Truncate),
];

const CASES: &Names<TextCase> = &[
    ("ORIGINAL", TextCase::Original),
    ("UPPER", TextCase::Upper),
    ("LOWER", TextCase::Lower),
    ("TITLE", TextCase::Title),
    ("SMALL_CAPS", TextCase::SmallCaps),
    ("SMALL_CAPS_FORCED", TextCase::SmallCapsForced),
];

const DECORATIONS: &Names<TextDecoration> = &[
    ("NONE", TextDecoration::None),
    ("UNDERLINE", TextDecoration::Underline),
    ("STRIKETHROUGH", TextDecoration::Strikethrough),
];

const LINE_TYPES: &Names<LineType> =
    &[("NONE", LineType::None), ("ORDERED", LineType::Ordered), ("UNORDERED", LineType::Unordered)];

/// Weights a font can have.
const WEIGHT: (f64, f64) = (1.0, 1000.0);

/// The text of a TEXT node.
pub(super) fn read_text(object: &Object, notes: &mut Notes) -> TextContent {
    // A text without a style is in Figma's default one.
    let style = present(object, "style").and_then(Value::as_object);
    // Keys by UTF-16 unit, as JavaScript counts; 0 is no override.
    let ids = list(object, "characterStyleOverrides", notes);
    TextContent {
        characters: string(object, "characters", notes).unwrap_or_default().to_owned(),
        style: style.map_or_else(TextStyle::default, |style| read_style(style, notes)),
        override_ids: ids.iter().map(override_id).collect(),
        overrides: read_overrides(object, notes),
        line_types: read_line_types(object, notes),
        line_indents: without_end(
            list(object, "lineIndentations", notes).iter().map(override_id).collect(),
        ),
    }
}

fn read_line_types(object: &Object, notes: &mut Notes) -> Vec<LineType> {
    let types = list(object, "lineTypes", notes).iter().map(|value| {
        let known = LINE_TYPES.iter().find(|(name, _)| value.as_str() == Some(name));
        known.map_or(LineType::None, |(_, line)| *line)
    });
    without_end(types.collect())
}

/// The list without the defaults at its end, which say nothing.
fn without_end<T: Default + PartialEq>(mut list: Vec<T>) -> Vec<T> {
    while list.last().is_some_and(|last| *last == T::default()) {
        list.pop();
    }
    list
}

fn read_opentype(object: &Object) -> Option<BTreeMap<String, u32>> {
    let flags = present(object, "opentypeFlags")?.as_object()?;
    let flags = flags
        .iter()
        .filter_map(|(tag, value)| Some((tag.clone(), u32::try_from(value.as_u64()?).ok()?)));
    Some(flags.collect())
}

/// A key into the override table; what is none counts as no override.
fn override_id(value: &Value) -> u32 {
    value.as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0)
}

fn read_style(object: &Object, notes: &mut Notes) -> TextStyle {
    let default = TextStyle::default();
    TextStyle {
        font_family: string(object, "fontFamily", notes).map_or(default.font_family, str::to_owned),
        font_style: string(object, "fontStyle", notes).map(str::to_owned),
        font_weight: number(object, "fontWeight", WEIGHT, notes).unwrap_or(default.font_weight),
        italic: boolean(object, "italic", default.italic, notes),
        font_size: number(object, "fontSize", EXTENT, notes).unwrap_or(default.font_size),
        line_height: read_line_height(object, notes),
        letter_spacing: number(object, "letterSpacing", ANY, notes).unwrap_or(0.0),
        case: named(object, "textCase", CASES, TextCase::Original, notes),
        decoration: named(object, "textDecoration", DECORATIONS, TextDecoration::None, notes),
        opentype: read_opentype(object).unwrap_or_default(),
        paragraph_spacing: number(object, "paragraphSpacing", EXTENT, notes).unwrap_or(0.0),
        paragraph_indent: number(object, "paragraphIndent", ANY, notes).unwrap_or(0.0),
        list_spacing: number(object, "listSpacing", EXTENT, notes).unwrap_or(0.0),
        align: named(object, "textAlignHorizontal", ALIGNS, default.align, notes),
        vertical_align: named(
            object,
            "textAlignVertical",
            VERTICAL_ALIGNS,
            default.vertical_align,
            notes,
        ),
        auto_resize: named(object, "textAutoResize", AUTO_RESIZES, default.auto_resize, notes),
        truncates: string(object, "textTruncation", notes) == Some("ENDING"),
        max_lines: number(object, "maxLines", (1.0, 1e6), notes).map(|lines| lines as u32),
    }
}

/// `lineHeightUnit` says which of the numbers counts. `INTRINSIC_%` at 100 is the font's own line
/// height; at another percentage Figma has worked it out in `lineHeightPx`.
fn read_line_height(object: &Object, notes: &mut Notes) -> LineHeight {
    let pixels = number(object, "lineHeightPx", EXTENT, notes).map(LineHeight::Pixels);
    match string(object, "lineHeightUnit", notes) {
        Some("FONT_SIZE_%") => {
            number(object, "lineHeightPercentFontSize", EXTENT, notes).map(LineHeight::Percent)
        }
        Some("INTRINSIC_%") => {
            let percent = number(object, "lineHeightPercent", EXTENT, notes).unwrap_or(100.0);
            // At 100 % the pixels are what the font says, and would be wrong in another font.
            pixels.filter(|_| (percent - 100.0).abs() > 0.01)
        }
        Some("PIXELS") | None => pixels,
        Some(unit) => {
            notes.add(format_args!("lineHeightUnit has the unknown value {unit:?}"));
            pixels
        }
    }
    .unwrap_or(LineHeight::Auto)
}

fn read_overrides(object: &Object, notes: &mut Notes) -> BTreeMap<u32, StyleOverride> {
    let Some(table) = present(object, "styleOverrideTable") else { return BTreeMap::new() };
    let mut overrides = BTreeMap::new();
    for (key, value) in table.as_object().into_iter().flatten() {
        if let (Ok(key), Some(value)) = (key.parse(), value.as_object()) {
            overrides.insert(key, read_override(value, notes));
        } else {
            notes.add(format_args!("styleOverrideTable has an entry {key:?} that is no style"));
        }
    }
    overrides
}

fn read_override(object: &Object, notes: &mut Notes) -> StyleOverride {
    let italic = present(object, "italic").and_then(Value::as_bool);
    let fills = present(object, "fills").map(|_| read_paints(object, "fills", notes));
    // Either field says something of it; without both the base style's holds.
    let has_line_height = present(object, "lineHeightUnit").or(present(object, "lineHeightPx"));
    let has_line_height = has_line_height.is_some();
    StyleOverride {
        font_family: string(object, "fontFamily", notes).map(str::to_owned),
        font_style: string(object, "fontStyle", notes).map(str::to_owned),
        font_weight: number(object, "fontWeight", WEIGHT, notes),
        italic,
        font_size: number(object, "fontSize", EXTENT, notes),
        letter_spacing: number(object, "letterSpacing", ANY, notes),
        line_height: has_line_height.then(|| read_line_height(object, notes)),
        case: present(object, "textCase")
            .map(|_| named(object, "textCase", CASES, TextCase::Original, notes)),
        decoration: present(object, "textDecoration")
            .map(|_| named(object, "textDecoration", DECORATIONS, TextDecoration::None, notes)),
        opentype: read_opentype(object),
        fills,
    }
}

/// Writes `characters`, and makes the lists that have one entry a line as long as there are lines.
pub(super) fn write_characters(characters: &str, object: &mut Object) {
    put(object, "characters", characters);
    let lines = characters.split(['\n', '\u{2028}']).count();
    for (key, filler) in [("lineTypes", Value::from("NONE")), ("lineIndentations", Value::from(0))]
    {
        if let Some(list) = object.get_mut(key).and_then(Value::as_array_mut) {
            // One entry a line, or the API refuses the file.
            list.resize(lines, filler);
        }
    }
}

/// Writes what differs from `was` into the `style` object; all of it if `was` is `None`.
pub(super) fn write_style(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    let mut inner = object.get("style").and_then(Value::as_object).cloned().unwrap_or_default();
    // The keys come in groups, as Figma writes them for a text that is new.
    write_font(style, was, &mut inner);
    write_spacing(style, was, &mut inner);
    write_alignment(style, was, &mut inner);
    write_letters(style, was, &mut inner);
    write_paragraphs(style, was, &mut inner);
    put(object, "style", inner);
}

fn write_font(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    let is_other_face = was.is_some_and(|was| {
        was.font_family != style.font_family
            || was.font_style != style.font_style
            || was.font_weight.to_bits() != style.font_weight.to_bits()
            || was.italic != style.italic
    });
    if is_other_face {
        // It names the old face, and the new one's name is in the font file.
        object.shift_remove("fontPostScriptName");
    }
    if was.is_none_or(|was| was.font_family != style.font_family) {
        put(object, "fontFamily", style.font_family.as_str());
    }
    if was.is_none_or(|was| was.font_style != style.font_style) {
        put_unless(object, "fontStyle", style.font_style.is_none(), style.font_style.as_deref());
    }
    if was.is_none_or(|was| was.font_weight != style.font_weight) {
        put(object, "fontWeight", json_number(style.font_weight));
    }
    if was.is_none_or(|was| was.italic != style.italic) {
        put_unless(object, "italic", !style.italic, style.italic);
    }
    if was.is_none_or(|was| was.font_size != style.font_size) {
        put(object, "fontSize", json_number(style.font_size));
    }
}

fn write_letters(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    let default = TextStyle::default();
    let was = was.unwrap_or(&default);
    if was.case != style.case {
        put_unless(
            object,
            "textCase",
            style.case == TextCase::Original,
            name_of(CASES, &style.case),
        );
    }
    if was.decoration != style.decoration {
        let name = name_of(DECORATIONS, &style.decoration);
        put_unless(object, "textDecoration", style.decoration == TextDecoration::None, name);
    }
    if was.opentype != style.opentype {
        let flags = json_opentype(&style.opentype);
        put_unless(object, "opentypeFlags", style.opentype.is_empty(), flags);
    }
}

fn json_opentype(flags: &BTreeMap<String, u32>) -> Object {
    flags.iter().map(|(tag, value)| (tag.clone(), Value::from(*value))).collect()
}

fn write_paragraphs(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    let default = TextStyle::default();
    let was = was.unwrap_or(&default);
    let numbers = [
        ("paragraphSpacing", was.paragraph_spacing, style.paragraph_spacing),
        ("paragraphIndent", was.paragraph_indent, style.paragraph_indent),
        ("listSpacing", was.list_spacing, style.list_spacing),
    ];
    for (key, _, value) in numbers.into_iter().filter(|(_, was, now)| was != now) {
        put_unless(object, key, value == 0.0, json_number(value));
    }
    if was.truncates != style.truncates {
        put_unless(object, "textTruncation", !style.truncates, "ENDING");
    }
    if was.max_lines != style.max_lines {
        put_unless(object, "maxLines", style.max_lines.is_none(), style.max_lines);
    }
}

/// Writes what the lines are in lists.
pub(super) fn write_lists(text: &TextContent, object: &mut Object) {
    let lines = text.characters.split(['\n', '\u{2028}']).count();
    let types: Vec<Value> = (0..lines)
        .map(|line| text.line_types.get(line).copied().unwrap_or_default())
        .map(|line| Value::from(name_of(LINE_TYPES, &line)))
        .collect();
    let indents: Vec<u32> =
        (0..lines).map(|line| text.line_indents.get(line).copied().unwrap_or(0)).collect();
    put(object, "lineTypes", types);
    put(object, "lineIndentations", indents);
}

fn write_alignment(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    if was.is_none_or(|was| was.align != style.align) {
        put(object, "textAlignHorizontal", name_of(ALIGNS, &style.align));
    }
    if was.is_none_or(|was| was.vertical_align != style.vertical_align) {
        put(object, "textAlignVertical", name_of(VERTICAL_ALIGNS, &style.vertical_align));
    }
    if was.is_none_or(|was| was.auto_resize != style.auto_resize) {
        let name = name_of(AUTO_RESIZES, &style.auto_resize);
        put_unless(object, "textAutoResize", style.auto_resize == AutoResize::None, name);
    }
}

fn write_spacing(style: &TextStyle, was: Option<&TextStyle>, object: &mut Object) {
    if was.is_none_or(|was| was.letter_spacing != style.letter_spacing) {
        put(object, "letterSpacing", json_number(style.letter_spacing));
    }
    // A percentage is written in pixels as well, and those follow the size.
    let percent_of_new_size = matches!(style.line_height, LineHeight::Percent(_))
        && was.is_some_and(|was| was.font_size != style.font_size);
    if percent_of_new_size || was.is_none_or(|was| was.line_height != style.line_height) {
        write_line_height(style.line_height, style.font_size, object);
    }
}

/// `lineHeightPx` of an automatic line height is the font's to say, so it is left out.
fn write_line_height(height: LineHeight, font_size: f64, object: &mut Object) {
    let (pixels, percent, unit) = match height {
        LineHeight::Auto => (None, None, "INTRINSIC_%"),
        LineHeight::Pixels(pixels) => (Some(pixels), None, "PIXELS"),
        LineHeight::Percent(percent) => {
            (Some(font_size * percent / 100.0), Some(percent), "FONT_SIZE_%")
        }
    };
    // All four fields, as each of them says something of the height to somebody.
    put_unless(object, "lineHeightPx", pixels.is_none(), pixels.map(json_number));
    put_unless(object, "lineHeightPercent", unit != "INTRINSIC_%", 100);
    put_unless(object, "lineHeightPercentFontSize", percent.is_none(), percent.map(json_number));
    put(object, "lineHeightUnit", unit);
}

fn write_override_line_height(style: &StyleOverride, base_size: f64, object: &mut Object) {
    // Without a height of its own none of the four may stay.
    let Some(height) = style.line_height else {
        for key in
            ["lineHeightPx", "lineHeightPercent", "lineHeightPercentFontSize", "lineHeightUnit"]
        {
            object.shift_remove(key);
        }
        return;
    };
    write_line_height(height, style.font_size.unwrap_or(base_size), object);
}

/// Writes the table of overrides and which characters they are for. Entries that mean what they
/// did stay verbatim, with those that are no style.
pub(super) fn write_overrides(text: &TextContent, object: &mut Object) {
    put(object, "characterStyleOverrides", text.override_ids.as_slice());
    let old = object.get("styleOverrideTable").and_then(Value::as_object).cloned();
    let mut table = old.unwrap_or_default();
    // Entries that are no number are no style, and not ours to take out.
    table.retain(|key, _| key.parse().map_or(true, |key: u32| text.overrides.contains_key(&key)));
    for (key, style) in &text.overrides {
        let key = key.to_string();
        let mut inner = table.get(&key).and_then(Value::as_object).cloned().unwrap_or_default();
        // A percentage without a size of its own is one of the base style's.
        write_override(style, text.style.font_size, &mut inner);
        put(&mut table, &key, inner);
    }
    put(object, "styleOverrideTable", table);
}

fn write_override(style: &StyleOverride, base_size: f64, object: &mut Object) {
    // Compared with what stands there as it reads, not with what stood in the document before.
    let was = read_override(object, &mut Notes::default());
    if was.font_family != style.font_family {
        put_unless(object, "fontFamily", style.font_family.is_none(), style.font_family.as_deref());
    }
    if was.font_style != style.font_style {
        put_unless(object, "fontStyle", style.font_style.is_none(), style.font_style.as_deref());
    }
    if was.italic != style.italic {
        put_unless(object, "italic", style.italic.is_none(), style.italic);
    }
    if was.case != style.case {
        put_unless(
            object,
            "textCase",
            style.case.is_none(),
            style.case.map(|c| name_of(CASES, &c)),
        );
    }
    if was.decoration != style.decoration {
        let name = style.decoration.map(|line| name_of(DECORATIONS, &line));
        put_unless(object, "textDecoration", name.is_none(), name);
    }
    if was.opentype != style.opentype {
        let flags = style.opentype.as_ref().map(json_opentype);
        put_unless(object, "opentypeFlags", flags.is_none(), flags);
    }
    if was.line_height != style.line_height {
        write_override_line_height(style, base_size, object);
    }
    let numbers = [
        ("fontWeight", was.font_weight, style.font_weight),
        ("fontSize", was.font_size, style.font_size),
        ("letterSpacing", was.letter_spacing, style.letter_spacing),
    ];
    for (key, _, now) in numbers.into_iter().filter(|(_, was, now)| was != now) {
        match now {
            Some(value) => put_number(object, key, value),
            None => drop(object.shift_remove(key)),
        }
    }
    match &style.fills {
        Some(fills) if was.fills.as_ref() != Some(fills) => write_paints(fills, object, "fills"),
        // Without fills of their own the letters have the node's.
        None if was.fills.is_some() => drop(object.shift_remove("fills")),
        _ => {}
    }
}

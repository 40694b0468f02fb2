//! Tools that change words and letters.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::design::edit::Transaction;
use crate::design::{
    LineHeight, Node, NodeId, StyleOverride, TextAlign, TextContent, TextStyle, VerticalAlign,
};

use super::arguments::check_font_size;
use super::compat::Quirk;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::Reply;

mod decoration;
mod font;
mod sizing;

pub(super) use decoration::{case_word, decoration_word, set_text_decoration};
pub(super) use font::style_of_weight;
pub(super) use sizing::{TextSizing, size_text};

#[derive(Debug, Deserialize)]
pub(super) struct SetTextContent {
    changes: Vec<TextChange>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextChange {
    node_id: String,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetTextProperties {
    node_id: String,
    font_size: Option<f64>,
    line_height: Option<f64>,
    letter_spacing: Option<f64>,
    text_align_horizontal: Option<HorizontalAlign>,
    text_align_vertical: Option<VerticalAlignment>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetTextFont {
    node_id: String,
    font: FontName,
}

#[derive(Debug, Deserialize)]
struct FontName {
    family: String,
    style: String,
}

/// Alignment along the line, by its argument word.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum HorizontalAlign {
    Left,
    Center,
    Right,
    Justified,
}

/// Alignment down the box, by its argument word.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum VerticalAlignment {
    Top,
    Center,
    Bottom,
}

pub(super) fn set_text_content(
    page: &mut Page,
    arguments: &SetTextContent,
) -> Result<Reply, ToolError> {
    let changes = &arguments.changes;
    if changes.is_empty() {
        let message = "changes: is empty; give at least one change";
        return Err(ToolError::BadArguments(message.to_owned()));
    }
    let texts: Vec<_> =
        changes.iter().map(|change| Ok((text_node(page, &change.node_id)?, change))).collect();
    // What comes before the first change that cannot be made.
    let good: Vec<_> = texts.iter().map_while(|text| text.as_ref().ok()).cloned().collect();
    let refusal = texts.into_iter().find_map(Result::err);
    // As documented it is all or nothing; the plugin keeps the chunks before the bad one.
    let made = match &refusal {
        None => good.len(),
        Some(_) if page.has(Quirk::TextChunksStayApplied) => good.len() / CHUNK * CHUNK,
        Some(_) => 0,
    };
    let results = replace_texts(page, good.get(..made).unwrap_or_default())?;
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    let count = changes.len();
    let structured = json!({
        "success": true, "changesApplied": count, "changesFailed": 0, "totalChanges": count,
        "results": results, "completedInChunks": count.div_ceil(CHUNK),
        "commandId": "cmd_set_text_content",
    });
    Ok(Reply::new(format!("Changed {count} of {count} texts"), structured))
}

/// The published plugin works in chunks of this size and says how many it needed.
const CHUNK: usize = 5;

/// Makes the changes, and tells of each.
fn replace_texts(
    page: &mut Page,
    changes: &[(NodeId, &TextChange)],
) -> Result<Vec<Value>, ToolError> {
    let mut results: Vec<Value> = Vec::new();
    let mut transaction = Transaction::begin(&mut page.document);
    for (id, change) in changes {
        let old = transaction.document().node(id)?.text().map(|text| text.characters.clone());
        transaction.update(id, |node| set_characters(node, &change.text))?;
        results.push(json!({
            "success": true, "nodeId": change.node_id,
            "originalText": old, "translatedText": change.text,
        }));
    }
    // A transaction without changes is dropped, so that there is nothing to undo.
    if !changes.is_empty() {
        page.last_edit = Some(settle(transaction, &page.settings.render));
    }
    Ok(results)
}

/// Replaces the characters; all of them take the style of the first, as in Figma.
fn set_characters(node: &mut Node, characters: &str) {
    let Some(text) = node.text_mut() else { return };
    // Before the overrides go: the first character may have a style of its own.
    let first = text.override_ids.first().and_then(|key| text.overrides.get(key)).cloned();
    characters.clone_into(&mut text.characters);
    text.override_ids.clear();
    text.overrides.clear();
    let Some(first) = first else { return };
    take_over(&mut text.style, &first);
    if let Some(fills) = first.fills {
        node.fills = fills;
    }
}

fn take_over(style: &mut TextStyle, from: &StyleOverride) {
    if from.font_family.is_some() || from.font_weight.is_some() || from.italic.is_some() {
        // The name is that of the old face; weight and slant say which one is meant.
        style.font_style = None;
    }
    if let Some(family) = &from.font_family {
        style.font_family.clone_from(family);
    }
    style.font_weight = from.font_weight.unwrap_or(style.font_weight);
    style.italic = from.italic.unwrap_or(style.italic);
    style.font_size = from.font_size.unwrap_or(style.font_size);
    style.letter_spacing = from.letter_spacing.unwrap_or(style.letter_spacing);
}

pub(super) fn set_text_properties(
    page: &mut Page,
    arguments: &SetTextProperties,
) -> Result<Reply, ToolError> {
    let id = text_node(page, &arguments.node_id)?;
    arguments.font_size.map_or(Ok(()), check_font_size)?;
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        if let Some(text) = node.text_mut() {
            arguments.apply(text);
        }
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    // A call without any property is no failure in the published tool.
    let changed = arguments.changed();
    let name = &page.node(id.as_str())?.name;
    let text = if changed.is_empty() {
        format!("Nothing was given to change about \"{name}\"")
    } else {
        format!("Set {} of \"{name}\"", changed.join(", "))
    };
    Ok(Reply::new(text, json!({"nodeId": id.as_str()})))
}

impl SetTextProperties {
    /// What is given is given to every letter, also where letters had their own.
    fn apply(&self, text: &mut TextContent) {
        let style = &mut text.style;
        style.font_size = self.font_size.unwrap_or(style.font_size);
        style.letter_spacing = self.letter_spacing.unwrap_or(style.letter_spacing);
        style.line_height = self.line_height.map_or(style.line_height, LineHeight::Pixels);
        style.align = self.text_align_horizontal.map_or(style.align, TextAlign::from);
        style.vertical_align =
            self.text_align_vertical.map_or(style.vertical_align, VerticalAlign::from);
        for own in text.overrides.values_mut() {
            own.font_size = own.font_size.filter(|_| self.font_size.is_none());
            own.letter_spacing = own.letter_spacing.filter(|_| self.letter_spacing.is_none());
        }
    }

    fn changed(&self) -> Vec<&'static str> {
        let given = [
            (self.font_size.is_some(), "fontSize"),
            (self.line_height.is_some(), "lineHeight"),
            (self.letter_spacing.is_some(), "letterSpacing"),
            (self.text_align_horizontal.is_some(), "textAlignHorizontal"),
            (self.text_align_vertical.is_some(), "textAlignVertical"),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, name)| name).collect()
    }
}

pub(super) fn set_text_font(page: &mut Page, arguments: &SetTextFont) -> Result<Reply, ToolError> {
    let id = text_node(page, &arguments.node_id)?;
    let FontName { family, style } = &arguments.font;
    let face = font::face(family, style)?;
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        if let Some(text) = node.text_mut() {
            family.clone_into(&mut text.style.font_family);
            text.style.font_style = Some(face.style.clone());
            text.style.font_weight = face.weight;
            text.style.italic = face.italic;
            for own in text.overrides.values_mut() {
                // Letters with a face of their own would else stay in it.
                (own.font_family, own.font_weight, own.italic) = (None, None, None);
            }
        }
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let name = &page.node(id.as_str())?.name;
    let note = if font::is_drawn(family) { "" } else { " (drawn in Inter)" };
    let text = format!("Set the font of \"{name}\" to {family} {}{note}", face.style);
    Ok(Reply::new(text, json!({"nodeId": id.as_str()})))
}

/// The id of a TEXT node.
fn text_node(page: &Page, id: &str) -> Result<NodeId, ToolError> {
    let node = page.node(id)?;
    match node.text() {
        Some(_) => Ok(node.id.clone()),
        None => Err(ToolError::wrong_type(node, "only a TEXT has characters and a font")),
    }
}

impl HorizontalAlign {
    pub(super) fn word(self) -> &'static str {
        align_word(self.into())
    }
}

impl VerticalAlignment {
    pub(super) fn word(self) -> &'static str {
        vertical_align_word(self.into())
    }
}

impl From<HorizontalAlign> for TextAlign {
    fn from(align: HorizontalAlign) -> Self {
        match align {
            HorizontalAlign::Left => Self::Left,
            HorizontalAlign::Center => Self::Center,
            HorizontalAlign::Right => Self::Right,
            HorizontalAlign::Justified => Self::Justified,
        }
    }
}

impl From<VerticalAlignment> for VerticalAlign {
    fn from(align: VerticalAlignment) -> Self {
        match align {
            VerticalAlignment::Top => Self::Top,
            VerticalAlignment::Center => Self::Center,
            VerticalAlignment::Bottom => Self::Bottom,
        }
    }
}

/// Figma's word for an alignment along the line.
pub(super) fn align_word(align: TextAlign) -> &'static str {
    match align {
        TextAlign::Left => "LEFT",
        TextAlign::Center => "CENTER",
        TextAlign::Right => "RIGHT",
        TextAlign::Justified => "JUSTIFIED",
    }
}

/// Figma's word for an alignment down the box.
pub(super) fn vertical_align_word(align: VerticalAlign) -> &'static str {
    match align {
        VerticalAlign::Top => "TOP",
        VerticalAlign::Center => "CENTER",
        VerticalAlign::Bottom => "BOTTOM",
    }
}

/// The style's name, or the one its weight and slant have in Inter.
pub(super) fn font_style_word(style: &TextStyle) -> String {
    style.font_style.clone().unwrap_or_else(|| {
        let (name, _) = style_of_weight(style.font_weight);
        if style.italic { font::slanted(name) } else { name.to_owned() }
    })
}

//! `set_text_decoration`: lines along the text, and how its letters are shown.

use serde::Deserialize;
use serde_json::json;

use crate::design::edit::Transaction;
use crate::design::{TextCase, TextContent, TextDecoration};

use super::text_node;
use crate::environment::canvas::error::ToolError;
use crate::environment::canvas::page::{Page, settle};
use crate::environment::canvas::reply::Reply;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::environment::canvas) struct SetTextDecoration {
    node_id: String,
    text_decoration: Option<DecorationArgument>,
    text_case: Option<Case>,
}

/// `textDecoration`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum DecorationArgument {
    None,
    Underline,
    Strikethrough,
}

/// `textCase`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Case {
    Original,
    Upper,
    Lower,
    Title,
    SmallCaps,
    SmallCapsForced,
}

pub(in crate::environment::canvas) fn set_text_decoration(
    page: &mut Page,
    arguments: &SetTextDecoration,
) -> Result<Reply, ToolError> {
    let id = text_node(page, &arguments.node_id)?;
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        if let Some(text) = node.text_mut() {
            arguments.apply(text);
        }
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let node = page.node(id.as_str())?;
    // Both are answered, also the one that was not given.
    let style = node.text().map(|text| (text.style.decoration, text.style.case));
    let (decoration, case) = style.unwrap_or_default();
    let (decoration, case) = (decoration_word(decoration), case_word(case));
    let text = format!("\"{}\" now has the decoration {decoration}, case {case}", node.name);
    let structured = json!({
        "nodeId": id.as_str(), "name": node.name, "textDecoration": decoration, "textCase": case,
    });
    Ok(Reply::new(text, structured))
}

impl SetTextDecoration {
    /// What is given is given to every letter, also where letters had their own.
    fn apply(&self, text: &mut TextContent) {
        let (line, case) = (self.text_decoration, self.text_case);
        text.style.decoration = line.map_or(text.style.decoration, Into::into);
        text.style.case = case.map_or(text.style.case, Into::into);
        for own in text.overrides.values_mut() {
            // What is not given stays as it was, letter by letter.
            own.decoration = own.decoration.filter(|_| line.is_none());
            own.case = own.case.filter(|_| case.is_none());
        }
    }
}

impl From<DecorationArgument> for TextDecoration {
    fn from(line: DecorationArgument) -> Self {
        match line {
            DecorationArgument::None => Self::None,
            DecorationArgument::Underline => Self::Underline,
            DecorationArgument::Strikethrough => Self::Strikethrough,
        }
    }
}

impl From<Case> for TextCase {
    fn from(case: Case) -> Self {
        match case {
            Case::Original => Self::Original,
            Case::Upper => Self::Upper,
            Case::Lower => Self::Lower,
            Case::Title => Self::Title,
            Case::SmallCaps => Self::SmallCaps,
            Case::SmallCapsForced => Self::SmallCapsForced,
        }
    }
}

/// Figma's word for a line along the text.
pub(in crate::environment::canvas) fn decoration_word(decoration: TextDecoration) -> &'static str {
    match decoration {
        TextDecoration::None => "NONE",
        TextDecoration::Underline => "UNDERLINE",
        TextDecoration::Strikethrough => "STRIKETHROUGH",
    }
}

/// Figma's word for how letters are shown.
pub(in crate::environment::canvas) fn case_word(case: TextCase) -> &'static str {
    match case {
        TextCase::Original => "ORIGINAL",
        TextCase::Upper => "UPPER",
        TextCase::Lower => "LOWER",
        TextCase::Title => "TITLE",
        TextCase::SmallCaps => "SMALL_CAPS",
        TextCase::SmallCapsForced => "SMALL_CAPS_FORCED",
    }
}

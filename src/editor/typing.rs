//! Text in place.
//!
//! Typing is one burst: all letters from beginning to end are one step for undo.

use std::ops::Range;

use super::context::EditorContext;
use super::edited::{InPlace, TypedText, typing_burst};
use super::editing::Editor;
use super::error::EditorError;
use super::text_style::{TextStyleAct, style_texts};
use crate::design::{Node, NodeId};

/// The longest name that a text gives its layer, in characters.
const LONGEST_NAME: usize = 60;
/// The most characters of a text.
pub(super) const MOST_CHARACTERS: usize = 1_000_000;

/// What is done to a text in place.
#[derive(Clone, Debug, PartialEq)]
pub enum TypingAct {
    /// Begin with this text.
    Begin(NodeId),
    /// Let all of the text that is typed into say this.
    Write(String),
    /// Put words in place of a range of its characters.
    Replace {
        /// The first character that goes.
        from: usize,
        /// The first behind it that stays.
        to: usize,
        /// What comes there.
        words: String,
    },
    /// Select these of the characters of the text that is typed into.
    Select(Range<usize>),
    /// Be done with it. A new text that is empty goes.
    End,
    /// Change the style of the letters that are selected, else that of the texts that are.
    Style(TextStyleAct),
}

/// Does it.
pub(super) fn typing_act(
    editor: &mut Editor,
    act: TypingAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        TypingAct::Begin(id) => {
            end(editor, context)?;
            begin(editor, &id)
        }
        TypingAct::Write(words) => write(editor, context, |text| {
            text.rewrite(&words);
            Ok(())
        }),
        TypingAct::Replace { from, to, words } => {
            write(editor, context, |text| text.replace(from..to, &words).map_err(EditorError::from))
        }
        TypingAct::Select(range) => {
            if let InPlace::Text(typed) = editor.in_place().clone() {
                editor.set_in_place(InPlace::Text(TypedText { selected: range, ..typed }));
            }
            Ok(())
        }
        TypingAct::End => end(editor, context),
        TypingAct::Style(act) => style_texts(editor, act, context),
    }
}

/// Begins to type into a text that is there.
pub(super) fn begin(editor: &mut Editor, id: &NodeId) -> Result<(), EditorError> {
    let node = editor.document().node(id)?;
    if node.text().is_none() {
        return Err(EditorError::NotPossible(format!("{} is no text", node.name)));
    }
    if editor.document().is_locked(id) {
        return Err(EditorError::NotPossible(format!("{} is locked", node.name)));
    }
    editor.end_burst();
    editor.set_in_place(InPlace::Text(TypedText::new(id.clone(), false)));
    Ok(())
}

/// Is done with the text that is typed into, if one is.
pub(super) fn end(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let InPlace::Text(TypedText { node: id, is_new, .. }) = editor.in_place().clone() else {
        return Ok(());
    };
    editor.set_in_place(InPlace::Nothing);
    let text = editor.document().get(&id).and_then(|node| node.text());
    let is_empty = text.is_some_and(|text| text.characters.trim().is_empty());
    let result = if is_new && is_empty {
        let burst = Some(typing_burst(&id));
        editor.edit_in_burst("Text", std::slice::from_ref(&id), burst, context, |change| {
            change.remove(&id)
        })
    } else {
        Ok(false)
    };
    editor.end_burst();
    result.map(drop)
}

fn write(
    editor: &mut Editor,
    context: &EditorContext<'_>,
    write: impl FnOnce(&mut crate::design::TextContent) -> Result<(), EditorError>,
) -> Result<(), EditorError> {
    let InPlace::Text(TypedText { node: id, is_new, .. }) = editor.in_place().clone() else {
        return Err(EditorError::NotPossible("no text is being typed into".to_owned()));
    };
    let mut node = Node::clone(editor.document().node(&id)?);
    let Some(text) = node.text_mut() else { return Ok(()) };
    write(text)?;
    let count = text.characters.chars().count();
    if count > MOST_CHARACTERS {
        let words = format!("the text would have {count} characters, {MOST_CHARACTERS} at most");
        return Err(EditorError::NotPossible(words));
    }
    if is_new {
        node.name = name_of(&node);
    }
    let burst = Some(typing_burst(&id));
    editor.edit_in_burst("Text", std::slice::from_ref(&id), burst, context, |change| {
        change.update(&id, |old| {
            old.name.clone_from(&node.name);
            old.kind.clone_from(&node.kind);
        })
    })?;
    // Where the letters are that were selected is for whoever typed to say.
    editor.set_in_place(InPlace::Text(TypedText::new(id, is_new)));
    Ok(())
}

/// What a text says, as the name of its layer.
pub(super) fn name_of(node: &Node) -> String {
    let words = node.text().map_or("", |text| text.characters.as_str());
    let mut lines = words.split(['\n', '\u{2028}']).map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or("Text");
    let line = line.chars().map(|c| if c.is_control() { ' ' } else { c });
    line.take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests;

//! Copying and pasting.
//!
//! What comes from the system's clipboard may be anything: it is bounded, read whole, and only then put in.

use std::sync::Arc;

use super::act_on_desk;
use crate::base::{Pixels, Rect, parse_json};
use crate::design::figma;
use crate::editor::{Act, ClipboardAct, Fragment, PastePlace};
use crate::environment::svg_design;
use crate::workbench::model::{AssistDesk, CopiedForm, CopyForm, NoticeLevel, State};
use crate::workbench::protocol::{ClipboardCommand, CopyNews, CopyOrder, HandsOrder, Request};

/// Most bytes of text that are pasted.
const MOST_BYTES: usize = 32 << 20;

/// Does what the command says and gives the work it takes.
pub(super) fn clipboard(state: &mut State, command: ClipboardCommand) -> Vec<Request> {
    let done = match command {
        ClipboardCommand::Copy => copy(state).map(|()| Vec::new()),
        ClipboardCommand::Cut => {
            copy(state).map(|()| act_on_desk(state, Act::Clipboard(ClipboardAct::Cut)))
        }
        ClipboardCommand::CopyAs(form) => copy_as(state, form),
        ClipboardCommand::CopyProperties => copy_properties(state).map(|()| Vec::new()),
        ClipboardCommand::PasteProperties => paste_properties(state),
        ClipboardCommand::Ask(place) => {
            let number = state.assist.clipboard.next_number();
            state.assist.clipboard.asked = Some((number, place));
            Ok(Vec::new())
        }
        ClipboardCommand::PasteText { text, place, visible } => {
            fragment_of_text(state, &text).map(|pasted| paste(state, pasted, place, visible))
        }
        ClipboardCommand::PastePicture { picture, place, visible } => {
            fragment_of_picture(picture).map(|pasted| paste(state, pasted, place, visible))
        }
    };
    done.unwrap_or_else(|why| {
        state.notify(NoticeLevel::Warning, format!("Not done: {why}."));
        Vec::new()
    })
}

fn desk(state: &State) -> Result<&AssistDesk, String> {
    state.assist.desk.as_deref().ok_or_else(|| "no design is open".to_owned())
}

fn copy(state: &mut State) -> Result<(), String> {
    let fragment = desk(state)?.editor.copied().map_err(|error| error.to_string())?;
    let text: Arc<str> = fragment.to_json().into();
    let clipboard = &mut state.assist.clipboard;
    clipboard.copied = Some((Arc::new(fragment), Arc::clone(&text)));
    clipboard.outgoing = Some((clipboard.next_number(), CopiedForm::Text(text)));
    Ok(())
}

fn copy_as(state: &State, form: CopyForm) -> Result<Vec<Request>, String> {
    let desk = desk(state)?;
    let fragment = desk.editor.copied().map_err(|error| error.to_string())?;
    let order = CopyOrder {
        desk: desk.number,
        document: fragment.document().clone(),
        render: desk.render.clone(),
        form,
    };
    Ok(vec![Request::Hands(HandsOrder::Copy(Box::new(order)))])
}

fn copy_properties(state: &mut State) -> Result<(), String> {
    let editor = &desk(state)?.editor;
    let only = editor.selection().only().and_then(|id| editor.document().get(id));
    let only = only.ok_or("the look of one layer is copied: select it alone")?;
    state.assist.clipboard.properties = Some(Arc::clone(only));
    Ok(())
}

fn paste_properties(state: &mut State) -> Result<Vec<Request>, String> {
    let from = state.assist.clipboard.properties.clone();
    let from = from.ok_or("no properties were copied yet")?;
    Ok(act_on_desk(state, Act::Clipboard(ClipboardAct::PasteProperties(from))))
}

fn paste(
    state: &mut State,
    (fragment, left_out): (Arc<Fragment>, Vec<String>),
    place: PastePlace,
    visible: Option<Rect>,
) -> Vec<Request> {
    let act = ClipboardAct::Paste { fragment, place, visible };
    let requests = act_on_desk(state, Act::Clipboard(act));
    // Whether it was put in or not: what was not understood may be why.
    if !left_out.is_empty() {
        let words = format!("Pasted without {}.", left_out.join(", "));
        state.notify(NoticeLevel::Info, words);
    }
    requests
}

/// What is pasted, and what of it could not be taken over.
type Pasted = (Arc<Fragment>, Vec<String>);

fn fragment_of_text(state: &State, text: &str) -> Result<Pasted, String> {
    if let Some((copied, own)) = &state.assist.clipboard.copied
        && **own == *text
    {
        return Ok((Arc::clone(copied), Vec::new()));
    }
    if text.len() > MOST_BYTES {
        return Err(format!(
            "what is on the clipboard has {} bytes, {MOST_BYTES} at most are pasted",
            text.len()
        ));
    }
    match text.trim_start().chars().next() {
        Some('{') => fragment_of_json(text),
        Some('<') => fragment_of_svg(text),
        _ => Err("what is on the clipboard is neither a picture nor Figma JSON nor SVG".to_owned()),
    }
}

fn fragment_of_json(text: &str) -> Result<Pasted, String> {
    let json = parse_json(text.as_bytes())
        .map_err(|error| format!("the JSON on the clipboard cannot be read: {error}"))?;
    let loaded = figma::from_json(json)
        .map_err(|error| format!("the JSON on the clipboard is no design: {error}"))?;
    let fragment = Fragment::of_design(&loaded.document)
        .map_err(|error| format!("the JSON on the clipboard cannot be pasted: {error}"))?;
    Ok((Arc::new(fragment), Vec::new()))
}

fn fragment_of_svg(text: &str) -> Result<Pasted, String> {
    let (document, left_out) = svg_design(text.as_bytes())
        .map_err(|error| format!("the SVG on the clipboard cannot be read: {error}"))?;
    let fragment = Fragment::of_design(&document)
        .map_err(|error| format!("the SVG on the clipboard cannot be pasted: {error}"))?;
    Ok((Arc::new(fragment.without_place()), left_out))
}

/// The picture is named by its pixels, so that the same one is kept once.
fn fragment_of_picture(picture: Pixels) -> Result<Pasted, String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&picture.width().to_le_bytes());
    hasher.update(picture.rgba());
    let name = hasher.finalize().to_hex();
    let fragment = Fragment::of_picture(name.as_str(), Arc::new(picture));
    fragment.map(|fragment| (Arc::new(fragment), Vec::new())).map_err(|error| error.to_string())
}

/// Takes in what layers were written as; that of a desk that was left is dropped.
pub(super) fn copied(state: &mut State, news: CopyNews) {
    if state.assist.desk.as_ref().is_none_or(|desk| desk.number != news.desk) {
        return;
    }
    match news.result {
        Ok(form) => {
            let words = match form {
                CopiedForm::Text(_) => "Copied as text.",
                CopiedForm::Picture(_) => "Copied as a picture.",
            };
            let clipboard = &mut state.assist.clipboard;
            clipboard.outgoing = Some((clipboard.next_number(), form));
            state.notify(NoticeLevel::Info, words);
        }
        Err(why) => state.notify(NoticeLevel::Warning, format!("Not copied: {why}.")),
    }
}

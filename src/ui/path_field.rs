//! A field for a path, with what the folder holds to go on with.

use std::path::{Path, PathBuf};

use egui::text::{CCursor, CCursorRange};
use egui::{CompletionPopup, Id, RectAlign, Suggestion, TextEdit, Ui};

use super::context::ViewContext;
use super::theme::{Type, tokens};
use super::widgets::{give_up_on_escape, rich_text};
use crate::workbench::Command;
use crate::workbench::views;

/// Asks for what the folder of a typed path holds, if that is not asked for already.
pub(super) fn ask_for_folder(cx: &ViewContext<'_>, typed: &str) {
    let Some((folder, _)) = views::typed_folder(typed) else { return };
    let is_asked = cx.state.completing.as_ref().is_some_and(|it| it.typed.as_os_str() == folder);
    if !is_asked {
        let typed = PathBuf::from(folder);
        cx.send(Command::CompletePath { folder: typed.clone(), typed });
    }
}

/// A field to type a path into; Tab and Enter take a completion. Gives what was typed, if it changed.
pub(super) fn path_field_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    id: Id,
    path: Option<&Path>,
    (name, hint): (&str, &str),
) -> Option<String> {
    // egui types into a string of its own; the state has what was sent.
    let before = path.map(|path| path.display().to_string()).unwrap_or_default();
    let mut text = before.clone();
    let ink = tokens(ui).text;
    let hint = rich_text(hint, Type::Body, tokens(ui).dim);
    let field = TextEdit::singleline(&mut text).hint_text(hint).desired_width(f32::INFINITY);
    // A path is one word, whatever is in its names.
    let popup = CompletionPopup::new(id).word_boundary(|_| false).align(RectAlign::BOTTOM_START);
    let output = popup.show(ui, field, |query| {
        let completions = views::completions(cx.state, query.text);
        // What is typed whole already needs no completion, and Enter is free again.
        let open = completions.into_iter().filter(|completion| completion.text != query.text);
        // In the colour of words, which can be read on the ground of the one that is chosen, too.
        open.map(|completion| {
            let name = rich_text(completion.name, Type::Body, ink);
            Suggestion::new(completion.text).content(name)
        })
        .collect()
    });
    let mut response = output.text_edit.response.response;
    give_up_on_escape(ui, &mut response, &mut text, &before);
    if response.has_focus() {
        ask_for_folder(cx, &text);
    }
    // A long path is cut at its end, which says most.
    let _named = response.accessible_name(name).on_hover_text(&before);
    (text != before).then_some(text)
}

/// After a completion the typing goes on at its end.
pub(super) fn put_cursor_at_end(ui: &Ui, id: Id, text: &str) {
    let Some(mut state) = TextEdit::load_state(ui.ctx(), id) else { return };
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(end)));
    state.store(ui.ctx(), id);
}

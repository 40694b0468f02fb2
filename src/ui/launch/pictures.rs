//! Where the pictures are that design queries name.

use egui::{RichText, Ui};

use super::parts::{Need, PathField, path_ui, wrapped_ui};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{count, section_header};
use crate::workbench::{Browse, Fetched, LaunchEdit, views};

/// Where the pictures of the chosen queries are; nothing where none is chosen.
pub(super) fn pictures_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if !views::launches_queries(cx.state) {
        return;
    }
    let tokens = tokens(ui);
    section_header(ui, "Pictures of the queries", "");
    let field = PathField {
        label: "Folder",
        choose: "Choose a folder of pictures…",
        need: Need::Optional,
        browse: Browse::PictureFolder,
        clear: Some(("Launch without pictures", LaunchEdit::Pictures(None))),
    };
    path_ui(ui, cx, cx.state.launch.options.pictures.as_deref(), field);
    let (words, ink) = match cx.state.launch_pictures() {
        None => ("Without one, labelled placeholders stand for them.".to_owned(), tokens.faint),
        Some(Fetched::Pending) => ("The folder is being read…".to_owned(), tokens.faint),
        Some(Fetched::Failed(why)) => (why.clone(), tokens.loss),
        Some(Fetched::Ready(listed)) if listed.pictures == 0 => {
            ("No PNG, JPEG or SVG is in it or below it.".to_owned(), tokens.warn)
        }
        Some(Fetched::Ready(listed)) => {
            (format!("{}, found by their names.", count(listed.pictures, "picture")), tokens.faint)
        }
    };
    let words = RichText::new(words).font(Type::Caption.font()).color(ink);
    wrapped_ui(ui, words);
    ui.add_space(6.0);
}

//! The documents of a run with several programs: a row to see what each has open and to choose which
//! of them the stage shows, and what stands above their pictures.

use egui::{Align2, Painter, Pos2, Rect, Response, Role, Sense, StrokeKind, Ui, WidgetInfo};
use egui::{pos2, vec2};

use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, paint_text, rich_text, text_width, tooltip_ui,
};
use crate::workbench::{
    Command, DocumentChoice, OpenDocument, PlaybackCommand, Program, SharedFile, StageCommand,
};

/// Height of the row.
pub(super) const ROW: f32 = 44.0;
/// Narrower chips say the first word of a program's name only.
const NARROWEST: f32 = 72.0;
/// Beside the chips: two buttons, with words where there is room, and that of the folder.
const ROOMY: f32 = 640.0;
const MARGIN: f32 = 8.0;

/// Draws the row.
pub(super) fn documents_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(MARGIN);
        let choice = cx.state.settings.documents;
        let roomy = ui.available_width() > ROOMY;
        let mut follow = CommandButton::icon(CommandId::FollowDocument, icons::FOLLOW);
        let mut all = CommandButton::icon(CommandId::AllDocuments, icons::SIDE_BY_SIDE);
        if roomy {
            (follow, all) = (follow.short("Follow"), all.short("Side by side"));
        }
        follow.selected(choice == DocumentChoice::Current).show(ui, cx);
        let names: Vec<&str> = cx.state.programs().collect();
        if names.is_empty() {
            let words = "Documents loading…";
            ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
            return;
        }
        let known = cx.state.documents();
        let files = known.map_or(&[][..], |documents| &documents.files);
        // What comes after the chips is measured first: they share what it leaves, equally, so that
        // a chip does not move when another document gets a longer name.
        let side_by_side =
            if roomy { text_width(ui, "Side by side", Type::Body) + 40.0 } else { size::BUTTON };
        let folder = text_width(ui, &folder_words(files, roomy), Type::Body) + 40.0;
        let gaps = 4.0 * (names.len() as f32 + 2.0) + MARGIN;
        let room = ui.available_width() - side_by_side - folder - gaps;
        let width = (room / names.len() as f32).clamp(40.0, 240.0);
        for (name, at) in names.into_iter().zip(0..) {
            match known.and_then(|documents| documents.program(at)) {
                Some(program) => chip_ui(ui, cx, (program, at), width),
                // The programs are known from the run, their documents only when its steps have
                // been replayed.
                None => blank_chip_ui(ui, name, width),
            }
        }
        all.selected(choice == DocumentChoice::All).show(ui, cx);
        folder_ui(ui, cx, files, roomy);
    });
}

fn folder_words(files: &[SharedFile], roomy: bool) -> String {
    match (files.len(), roomy) {
        (count, false) => count.to_string(),
        (1, true) => "1 file".to_owned(),
        (count, true) => format!("{count} files"),
    }
}

/// A program with its document; pressed, it is what the stage shows.
fn chip_ui(ui: &mut Ui, cx: &ViewContext<'_>, (program, at): (&Program, u8), width: f32) {
    let choice = cx.state.settings.documents;
    let is_chosen = choice == DocumentChoice::Program(at);
    let is_shown = match choice {
        DocumentChoice::Current => program.is_current,
        DocumentChoice::Program(_) => is_chosen,
        DocumentChoice::All => program.document.is_some(),
    };
    let (rect, response) = allocate_stable_of(ui, at, vec2(width, ROW - 8.0), Sense::click());
    let name = described(program);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &name));
    paint_chip(ui, rect, program, is_shown, &response);
    let help = if is_chosen {
        format!("{name}. Click to follow the steps again.")
    } else {
        format!("{name}. Click to show it at every step.")
    };
    let key = crate::ui::commands::command(CommandId::NextDocument).key(ui, cx.state);
    if response.on_hover_ui(|ui| tooltip_ui(ui, &help, key.as_deref())).clicked() {
        // Pressed again, a chip lets go, as its tooltip says: the stage follows the steps.
        let next = if is_chosen { DocumentChoice::Current } else { DocumentChoice::Program(at) };
        cx.send(Command::Stage(StageCommand::ShowDocuments(next)));
    }
}

/// A program of which it is not known yet what it has open.
fn blank_chip_ui(ui: &mut Ui, name: &str, width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW - 8.0), Sense::hover());
    let words = format!("{name}: its document is looked up");
    response.widget_info(|| WidgetInfo::selected(Role::Button, false, false, &words));
    let tokens = tokens(ui);
    ui.painter().rect(rect, size::RADIUS, tokens.raised, tokens.line(), StrokeKind::Inside);
    let inner = rect.shrink2(vec2(8.0, 3.0));
    let at = pos2(inner.left(), inner.top() + inner.height() * 0.27);
    let name = fitting_name(ui, name, inner.width());
    let style = (Type::Strong, tokens.dim);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, style, inner.width());
}

fn paint_chip(ui: &Ui, rect: Rect, program: &Program, is_shown: bool, response: &Response) {
    let tokens = tokens(ui);
    let fill = match (is_shown, response.hovered()) {
        (true, _) => tokens.accent_wash,
        (false, true) => tokens.raised_hover,
        (false, false) => tokens.raised,
    };
    let line =
        if response.has_focus() { egui::Stroke::new(1.5, tokens.accent) } else { tokens.line() };
    ui.painter().rect(rect, size::RADIUS, fill, line, StrokeKind::Inside);
    let inner = rect.shrink2(vec2(8.0, 3.0));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let mut left = inner.left();
    let upper = inner.top() + inner.height() * 0.27;
    if program.is_current {
        current_mark(&painter, pos2(left + 4.0, upper), tokens);
        left += 13.0;
    }
    let ink = if program.document.is_some() { tokens.text } else { tokens.dim };
    let room = inner.right() - left;
    let name = fitting_name(ui, &program.name, room);
    paint_text(&painter, pos2(left, upper), Align2::LEFT_CENTER, name, (Type::Strong, ink), room);
    let lower = pos2(inner.left(), inner.bottom() - inner.height() * 0.24);
    let words = detail_that_fits(ui, program.document.as_ref(), inner.width());
    let style = (Type::Caption, tokens.dim);
    paint_text(&painter, lower, Align2::LEFT_CENTER, &words, style, inner.width());
}

/// The dot of the program that was worked in last.
pub(super) fn current_mark(painter: &Painter, center: Pos2, tokens: &Tokens) {
    painter.circle_filled(center, 3.5, tokens.accent);
}

/// A program's name, or where there is no room for it its first word, which tells it from the others.
fn fitting_name<'a>(ui: &Ui, name: &'a str, room: f32) -> &'a str {
    let first = name.split_whitespace().next().unwrap_or(name);
    let fits = room >= NARROWEST && text_width(ui, name, Type::Strong) <= room;
    if fits { name } else { first }
}

/// What is open: as much of it as there is room for.
fn detail_that_fits(ui: &Ui, document: Option<&OpenDocument>, room: f32) -> String {
    let Some(document) = document else { return "no document".to_owned() };
    let saved = saved_words(document);
    let words = [
        format!("{} · {} · {saved}", document.title, size_words(document)),
        format!("{} · {saved}", size_words(document)),
        format!(
            "{} · {}",
            size_words(document),
            if document.is_saved { "saved" } else { "unsaved" }
        ),
    ];
    // From the longest on; the size alone says which document it is where nothing more fits.
    let mut words = words.into_iter();
    words
        .find(|words| text_width(ui, words, Type::Caption) <= room)
        .unwrap_or_else(|| size_words(document))
}

/// How large a page is.
pub(super) fn size_words(document: &OpenDocument) -> String {
    format!("{:.0} × {:.0}", document.size.width, document.size.height)
}

/// Whether what is open was saved, and as what.
pub(super) fn saved_words(document: &OpenDocument) -> String {
    match (&document.file, document.is_saved) {
        (Some(file), true) => format!("saved as {file}"),
        (None, true) => "saved".to_owned(),
        (_, false) => "not saved".to_owned(),
    }
}

/// All that there is to say of a program, for screen readers and those who wait with the pointer.
fn described(program: &Program) -> String {
    let current = if program.is_current { ", worked in last" } else { "" };
    match &program.document {
        None => format!("{}: no document at this step", program.name),
        Some(document) => format!(
            "{}: {}, {} points, {}{current}",
            program.name,
            document.title,
            size_words(document),
            saved_words(document)
        ),
    }
}

/// The folder that the programs share: a button that lists its files.
fn folder_ui(ui: &mut Ui, cx: &ViewContext<'_>, files: &[SharedFile], roomy: bool) {
    let words = folder_words(files, roomy);
    let name = format!("Shared folder, {}", folder_words(files, true));
    let button = Button::text(&words)
        .with_icon(icons::FOLDER)
        .named(&name)
        .look(Look::Tool)
        .tooltip("The folder through which the programs hand documents to one another.")
        .show(ui);
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(220.0);
        if files.is_empty() {
            let words = "No program has saved a file up to this step.";
            ui.label(egui::RichText::new(words).color(tokens(ui).dim));
        }
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for file in files {
                file_ui(ui, cx, file);
            }
        });
    });
}

/// A file; pressed, the step that saved it is shown.
fn file_ui(ui: &mut Ui, cx: &ViewContext<'_>, file: &SharedFile) {
    let step = file.saved_at.map(|step| format!("step {step}")).unwrap_or_default();
    let from =
        if step.is_empty() { file.program.clone() } else { format!("{} · {step}", file.program) };
    let button = egui::Button::new(&file.name).shortcut_text(from);
    let size = format!("{:.0} × {:.0} points", file.size.width, file.size.height);
    let response = ui.add_enabled(file.saved_at.is_some(), button);
    let response = response.on_hover_text(format!("{size}. Go to the step that saved it."));
    if let Some(step) = file.saved_at.filter(|_| response.clicked()) {
        cx.send(Command::Playback(PlaybackCommand::Step(step)));
    }
}

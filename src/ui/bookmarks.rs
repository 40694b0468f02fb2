//! The list of everything that was starred, written to or kept, to go to.

use egui::{
    Align2, Id, Key, Label, Modal, Modifiers, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{
    ArrowList, EmptyState, allocate_stable_of, paint_text, rich_text, text_width,
};
use crate::workbench::Command;
use crate::workbench::views::{self, Bookmark, Bookmarked};

/// Two lines.
const ROW: f32 = 42.0;
/// Rows seen at once.
const ROWS: f32 = 9.0;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub(super) struct Bookmarks {
    at: Option<usize>,
}

impl Bookmarks {
    /// Forgets where it stood.
    pub(super) fn reset(&mut self) {
        self.at = None;
    }

    /// Draws the overlay.
    pub(super) fn show(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        let modal = Modal::new(Id::unique("bookmarks"))
            .backdrop_color(tokens.backdrop)
            .frame(tokens.overlay_frame().inner_margin(12));
        let width = (ui.ctx().content_rect().width() - 96.0).clamp(320.0, 520.0);
        let shown = modal.show(ui.ctx(), |ui| {
            ui.set_width(width);
            ui.label(rich_text("Bookmarks", Type::Title, tokens.text));
            ui.add_space(6.0);
            let marks = views::bookmarks(cx.state);
            if marks.is_empty() {
                let words = "Star a run or a step, write a note on it, or keep a range of steps: it is listed here.";
                ui.set_min_height(120.0);
                EmptyState::new(icons::STAR, "No bookmarks yet", words).show(ui, |_| {});
                return;
            }
            self.keys(ui, cx, &marks);
            // As high as its rows: a list of two in a window of ten would look as if it were loading.
            let height = ROW * (marks.len() as f32).min(ROWS);
            let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            ui.spacing_mut().item_spacing.y = 0.0;
            let at = self.at;
            area.show_rows(ui, ROW, marks.len(), |ui, range| {
                for place in range {
                    let Some(mark) = marks.get(place) else { continue };
                    if row_ui(ui, (place, mark), at == Some(place)) {
                        cx.send(mark.of.command());
                    }
                }
            });
            ui.add_space(6.0);
            let words = "↑ ↓ choose, Enter goes there. Notes are kept with the workspace.";
            ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)));
        });
        if shown.should_close() {
            cx.send(Command::CloseOverlay);
        }
    }

    /// The list has the keyboard while it is open; it begins at what is looked at.
    fn keys(&mut self, ui: &Ui, cx: &ViewContext<'_>, marks: &[Bookmark<'_>]) {
        let last = marks.len() - 1;
        // Not once: in the frame in which egui measures the overlay, what has the keyboard loses it.
        if ui.memory(|memory| memory.focused().is_none()) {
            ArrowList::Bookmarks.take_keyboard(ui);
        }
        let here = marks.iter().position(|mark| mark.is_here).unwrap_or(0);
        let mut at = self.at.unwrap_or(here).min(last);
        for key in ArrowList::Bookmarks.arrows(ui) {
            at = if key == Key::ArrowDown { (at + 1).min(last) } else { at.saturating_sub(1) };
        }
        self.at = Some(at);
        let goes = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if let Some(mark) = marks.get(at).filter(|_| goes) {
            cx.send(mark.of.command());
        }
    }
}

/// A bookmark in two lines; whether it was clicked.
fn row_ui(ui: &mut Ui, (place, mark): (usize, &Bookmark<'_>), is_selected: bool) -> bool {
    let tokens = tokens(ui);
    let (rect, response) =
        allocate_stable_of(ui, place, vec2(ui.available_width(), ROW), Sense::click());
    let (place, text, is_starred) = match &mark.of {
        Bookmarked::Note(key, note) => {
            let place = key.step.map_or("The run".to_owned(), |step| format!("Step {step}"));
            (place, note.text.as_str(), note.is_starred)
        }
        Bookmarked::Range(key, kept) => {
            let (first, last) = (key.range.first, key.range.last);
            (format!("{first}–{last} {}", kept.name), kept.note.as_str(), false)
        }
    };
    // A row has room for a line; all of a note is read where it is written.
    let text = text.lines().next().unwrap_or_default().trim();
    let star = if is_starred { ", starred" } else { "" };
    let spoken = format!("{place} of {} on {}{star}: {text}", mark.agent, mark.task);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_selected, &spoken));
    if is_selected {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let (icon, ink) = match mark.of {
        Bookmarked::Note(..) if is_starred => (icons::STAR, tokens.warn),
        Bookmarked::Note(..) => (icons::NOTE, tokens.dim),
        Bookmarked::Range(..) => (icons::RANGE, tokens.accent),
    };
    let (left, top, bottom) = (rect.left() + 32.0, rect.top() + 13.0, rect.top() + 30.0);
    let at = pos2(rect.left() + 10.0, rect.center().y);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, icon, (Type::Icon, ink), 20.0);
    let strong = (Type::Strong, tokens.text);
    let most = (rect.width() * 0.5).max(120.0);
    paint_text(ui.painter(), pos2(left, top), Align2::LEFT_CENTER, &place, strong, most);
    let beside = left + text_width(ui, &place, Type::Strong).min(most) + 10.0;
    let room = (rect.right() - 8.0 - beside).max(20.0);
    let whose = format!("{} · {}", mark.task, mark.agent);
    let quiet = (Type::Body, tokens.dim);
    paint_text(ui.painter(), pos2(beside, top), Align2::LEFT_CENTER, &whose, quiet, room);
    let text = if text.is_empty() { "no note" } else { text };
    let ink = if text == "no note" { tokens.dim } else { tokens.text };
    let room = rect.right() - 8.0 - left;
    let at = pos2(left, bottom);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, text, (Type::Body, ink), room);
    response.clicked()
}

//! The library: task sets, their tasks, their runs; filtered, folded, by keyboard too.

mod arrange;
mod filter_field;
mod rows;

use egui::{Align, Layout, Panel, Popup, ScrollArea, Ui, vec2};

use super::commands::{CommandButton, CommandId};
use super::context::ViewContext;
use super::icons;
use super::theme::{size, tokens};
use super::widgets::{Button, EmptyState, Look, hairline_ui};
use crate::workbench::views::{self, LibraryOutline, LibraryRow, LibraryRows, OutlineStamp};
use crate::workbench::{Command, RunId, Selection};
use filter_field::FilterField;

/// What the panel itself remembers.
#[derive(Debug, Default)]
pub(super) struct Library {
    filter: FilterField,
    /// The selection the list was last scrolled to.
    shown: Selection,
    /// How far the list is scrolled, and how much of it is seen.
    scrolled: f32,
    seen_height: f32,
    /// The runs whose rows were in sight.
    in_sight: Vec<RunId>,
    /// Which rows there are, with what that follows from.
    outline: LibraryOutline,
    stamp: Option<OutlineStamp>,
}

impl Library {
    /// Puts the cursor into the filter, next frame.
    pub(super) fn focus_filter(&mut self) {
        self.filter.focus();
    }

    /// Draws the panel.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        // A pass over the whole library: only when something of it changed.
        let stamp = OutlineStamp::of(cx.state);
        if stamp.is_none() || stamp != self.stamp {
            (self.outline, self.stamp) = (views::library_outline(cx.state), stamp);
        }
        let rows = self.outline.rows(cx.state, 0..0);
        Panel::bottom("library_actions")
            .exact_size(size::BUTTON + 22.0)
            .show_separator_line(false)
            .frame(egui::Frame::new().fill(tokens(ui).panel))
            .show(ui, |ui| actions_ui(ui, cx));
        ui.add_space(8.0);
        self.filter.show(ui, cx, &rows);
        ui.add_space(6.0);
        if self.outline.is_empty() {
            empty_ui(ui, cx, &rows);
        } else {
            self.list_ui(ui, cx);
        }
    }

    fn list_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let mut area = ScrollArea::vertical().id_salt("library_rows").auto_shrink(false);
        // Only when it is not seen already; a list that always jumps cannot be read while runs come
        // in.
        if let Some(offset) = self.scroll_to_selection(cx) {
            area = area.vertical_scroll_offset(offset);
        }
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        let mut in_sight = Vec::new();
        let output = area.show_rows(ui, size::ROW, self.outline.len(), |ui, range| {
            for row in self.outline.rows(cx.state, range).rows {
                rows::row_ui(ui, cx, &row);
                in_sight.extend(match row {
                    LibraryRow::Run(row) => Some(row.id),
                    LibraryRow::Set(_) | LibraryRow::Task(_) | LibraryRow::Agent(_) => None,
                });
            }
        });
        // Only what is new: a command a frame would keep the window awake.
        if self.in_sight != in_sight {
            self.in_sight.clone_from(&in_sight);
            cx.send(Command::ShowRuns(in_sight));
        }
        self.scrolled = output.state.clamped_offset().y;
        self.seen_height = output.inner_rect.height();
    }

    /// Where to scroll so that what was just selected is seen, if it is not.
    fn scroll_to_selection(&mut self, cx: &ViewContext<'_>) -> Option<f32> {
        let selection = &cx.state.selection;
        // Whatever selected it, list, key or palette: the state says so, not the widget.
        if (&self.shown.run, &self.shown.task) == (&selection.run, &selection.task) {
            return None;
        }
        self.shown = selection.clone();
        let index = self.outline.selected(cx.state)?;
        let top = index as f32 * size::ROW;
        let seen = self.scrolled..=(self.scrolled + self.seen_height - size::ROW);
        // In its first frame the list does not know its height; it starts at the top anyway.
        if self.seen_height <= 0.0 || seen.contains(&top) {
            return None;
        }
        // Above the middle, so that more of what follows is seen than of what came before.
        Some((top - self.seen_height * 0.4).max(0.0))
    }
}

fn actions_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    hairline_ui(ui);
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(10.0);
        CommandButton::text(CommandId::RunAgent)
            .with_icon(icons::PLAY)
            .look(Look::Primary)
            .show(ui, cx);
        ui.spacing_mut().item_spacing.x = 4.0;
        CommandButton::text(CommandId::OpenFolder).with_icon(icons::OPEN).show(ui, cx);
        recent_ui(ui, cx);
    });
}

/// What was opened before, where one looks for it.
fn recent_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let recent = &cx.state.settings.recent;
    if recent.is_empty() {
        return;
    }
    let button = Button::icon(icons::UNFOLDED, "Opened before").look(Look::Tool).compact();
    let button = button.tooltip("Folders and files that were opened before.").show(ui);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(200.0);
        for path in recent {
            // Two folders of one name are told apart by where they are.
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| path.display().to_string());
            let above = path.parent().map(|above| above.display().to_string());
            let item = egui::Button::new(name).shortcut_text(above.unwrap_or_default());
            if ui.add(item).clicked() {
                cx.send(Command::Open(vec![path.clone()]));
            }
        }
    });
}

fn empty_ui(ui: &mut Ui, cx: &ViewContext<'_>, rows: &LibraryRows<'_>) {
    if rows.runs_total + rows.tasks_total == 0 && cx.state.library.sets.is_empty() {
        let words = "Open a folder with task sets or runs, or drop it here.";
        EmptyState::new(icons::TASKS, "Nothing open", words).show(ui, |_| {});
    } else {
        let words = "No task and no run passes the filter.";
        EmptyState::new(icons::FILTER, "Nothing found", words).show(ui, |ui| {
            let clear = Button::text("Clear the filter");
            if clear.tooltip("Show everything again.").show(ui).clicked() {
                cx.send(Command::SetFilter(String::new()));
            }
        });
    }
}

//! The kept ranges of the run: their names, their notes, and the one that is marked.

use egui::{Align, Align2, Id, Key, Layout, Margin, Role, Sense, TextEdit, Ui, WidgetInfo, vec2};

use super::parts::{quiet_ui, section_ui};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Look, allocate_stable_of, caption_row_ui, paint_text, rich_text, with_escape,
};
use crate::workbench::views::{self, KeptRangeRow};
use crate::workbench::{Command, KeptRange, RangeCommand, RangeKey};

/// The fields of the marked range, ahead of the state by what is being typed.
#[derive(Debug, Default)]
pub(super) struct RangesList {
    /// Whose words they are.
    key: Option<RangeKey>,
    typed: KeptRange,
    wants_focus: bool,
    has_focus: bool,
}

impl RangesList {
    /// Puts the cursor into the name of the marked range, next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Draws the section; nothing while no range is kept and none marked.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let rows = views::kept_ranges(cx.state);
        if rows.is_empty() && cx.state.selection.range.is_none() {
            return;
        }
        section_ui(ui, false, |ui| {
            // What is marked is either kept, and can be deleted, or not, and can be kept.
            let is_kept = rows.iter().any(|row| row.is_marked);
            caption_row_ui(ui, |ui| {
                ui.label(rich_text("Ranges", Type::Section, tokens(ui).dim));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if is_kept {
                        let delete = CommandButton::icon(CommandId::DeleteRange, icons::DELETE);
                        delete.show(ui, cx);
                    } else if cx.state.selection.range.is_some() {
                        let keep = CommandButton::text(CommandId::KeepRange).look(Look::Tool);
                        keep.show(ui, cx);
                    }
                });
            });
            for row in &rows {
                row_ui(ui, cx, row);
                if row.is_marked {
                    self.fields_ui(ui, cx, row);
                }
            }
            if rows.is_empty() {
                quiet_ui(ui, "Keep the marked steps under a name, to come back to them.");
            }
            if let Some(problem) = cx.state.notes.problem.as_ref().filter(|_| is_kept) {
                quiet_ui(ui, &format!("Ranges last only until the window is closed: {problem}."));
            }
        });
    }

    /// The name and the note of the marked range.
    fn fields_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, row: &KeptRangeRow<'_>) {
        // Another range's words are others, whatever was typed here.
        if self.key.as_ref() != Some(&row.key) || !self.has_focus {
            self.typed.clone_from(row.kept);
            self.key = Some(row.key.clone());
        }
        let hint = rich_text("Name", Type::Body, tokens(ui).dim);
        let name = TextEdit::singleline(&mut self.typed.name)
            .id(Id::unique("range_name"))
            .margin(Margin::symmetric(8, 5))
            .hint_text(hint)
            .event_filter(with_escape())
            .desired_width(f32::INFINITY);
        let name = ui.add(name).accessible_name("Name of the range");
        if std::mem::take(&mut self.wants_focus) {
            name.request_focus();
            name.scroll_to_me(None);
        }
        ui.add_space(4.0);
        let hint = rich_text("What you found in these steps", Type::Body, tokens(ui).dim);
        let note = TextEdit::multiline(&mut self.typed.note)
            .id(Id::unique("range_note"))
            .desired_rows(1)
            .margin(Margin::symmetric(8, 5))
            .hint_text(hint)
            .event_filter(with_escape())
            .desired_width(f32::INFINITY);
        let note = ui.add(note).accessible_name("Note on the range");
        ui.add_space(4.0);
        self.has_focus = name.has_focus() || note.has_focus();
        if self.has_focus && ui.input(|input| input.key_pressed(Key::Escape)) {
            name.surrender_focus();
            note.surrender_focus();
        }
        if name.changed() || note.changed() {
            let edit = RangeCommand::Edit(row.key.clone(), self.typed.clone());
            cx.send(Command::Ranges(edit));
        }
    }
}

/// A range in a line: its name, and its steps at the right.
fn row_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &KeptRangeRow<'_>) {
    let tokens = tokens(ui);
    let range = row.key.range;
    let title = row.kept.title(range);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) =
        allocate_stable_of(ui, (range.first, range.last), wanted, Sense::click());
    let told = format!("{title}, steps {} to {}", range.first, range.last);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, row.is_marked, &told));
    if row.is_marked {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.accent_wash);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let right = rect.right_center() - vec2(8.0, 0.0);
    let steps = format!("{}–{}", range.first, range.last);
    let style = (Type::Caption, tokens.dim);
    // The steps first, from the right: the name is cut where they begin.
    let steps = paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &steps, style, 90.0);
    let left = rect.left_center() + vec2(8.0, 0.0);
    let room = steps.left() - 8.0 - left.x;
    let style = (Type::Body, tokens.text);
    paint_text(ui.painter(), left, Align2::LEFT_CENTER, &title, style, room);
    if response.clicked() {
        cx.send(Command::Ranges(RangeCommand::Choose(row.key.clone())));
    }
}

//! Every key on one sheet, from the table of commands: to look up, and to change.

use std::collections::BTreeMap;

use egui::{
    Align, Context, Event, Id, Key, KeyboardShortcut, Layout, Modal, Modifiers, RichText,
    ScrollArea, Sense, TextEdit, Ui, vec2,
};

use super::commands::{
    CommandId, Group, UiCommand, all_commands, bound, command, unbound, why_not_chosen,
};
use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, Look, kbd_ui, key_text, rich_text, section_header_ui};
use crate::workbench::{Command, Overlay, Workspace};

/// What the mouse does, the keys that are held, and those that are found by place; not commands, but nobody would guess
/// them.
const BESIDES: [(&str, &str, Group); 15] = [
    ("Answer: A, tie, B; a scale; an option", "1 … 9", Group::Label),
    ("Answer: yes, no", "Y  N", Group::Label),
    ("Ground truth in place of the runs", "hold G", Group::Evidence),
    ("Zoom at the pointer", "wheel", Group::Evidence),
    ("Move the pictures, or the line", "drag", Group::Evidence),
    ("Ground truth in place of the run", "hold G", Group::Stage),
    ("Zoom at the pointer", "wheel", Group::Stage),
    ("Move the pictures", "drag", Group::Stage),
    ("Fit", "double click", Group::Stage),
    ("Select the node there", "click", Group::Stage),
    ("Move or resize what the what-if left", "drag", Group::Stage),
    ("Walk, fold and unfold in the list", "arrows", Group::Nodes),
    ("Goal in place of the design", "hold G", Group::Canvas),
    ("The design without the suggestion", "hold B", Group::Assistant),
    ("Digits and brackets on other layouts", "by place", Group::Workbench),
];
const ROW: f32 = 23.0;

/// What is searched for, and the command that a key is being chosen for.
#[derive(Debug, Default)]
pub(super) struct KeySheet {
    query: String,
    chosen_for: Option<CommandId>,
    /// What the last choice took from other commands, or why it was not possible.
    message: String,
}

impl KeySheet {
    /// Forgets what was typed.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Takes the key that is being chosen, before it is taken for that of a command.
    pub(super) fn take_key(&mut self, ctx: &Context, cx: &ViewContext<'_>) {
        let Some(id) = self.chosen_for.filter(|_| cx.state.overlay == Some(Overlay::Keys)) else {
            return;
        };
        // Taken out of the input: the same press must not also do what the key does now.
        let Some(key) = ctx.input_mut(|input| take_press(&mut input.events)) else { return };
        self.chosen_for = None;
        self.message.clear();
        match key.logical_key {
            Key::Escape => {}
            Key::Backspace | Key::Delete if key.modifiers.is_none() => {
                cx.send(Command::SetKeys(unbound(cx.state, id)));
            }
            _ => {
                if let Some(why) = why_not_chosen(id, key) {
                    why.clone_into(&mut self.message);
                    return;
                }
                let (keys, losers) = bound(cx.state, id, key);
                if !losers.is_empty() {
                    let names: Vec<&str> = losers.iter().map(|loser| loser.text).collect();
                    self.message = format!("It was the key of {}.", names.join(", "));
                }
                cx.send(Command::SetKeys(keys));
            }
        }
    }

    /// Draws the sheet.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        let modal = Modal::new(Id::unique("key_sheet"))
            .backdrop_color(tokens.backdrop)
            .frame(tokens.overlay_frame().inner_margin(16));
        let room = ui.ctx().content_rect().size();
        let response = modal.show(ui.ctx(), |ui| {
            ui.set_width((room.x - 80.0).clamp(320.0, 720.0));
            self.head_ui(ui, cx);
            ui.add_space(6.0);
            let height = room.y - 176.0;
            let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
            area.auto_shrink([false, false]).show(ui, |ui| {
                // The scroll bar has a place of its own beside the keys.
                ui.set_max_width(ui.available_width() - 14.0);
                if self.query.trim().is_empty() {
                    self.sheet_ui(ui, cx);
                } else {
                    self.matches_ui(ui, cx);
                }
            });
        });
        if response.should_close() {
            cx.send(Command::CloseOverlay);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        ui.horizontal(|ui| {
            ui.label(rich_text("Keys", Type::Display, tokens.text));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let close = Button::icon(icons::CLOSE, "Close").look(Look::Tool);
                if close.key(Some("Esc".to_owned())).show(ui).clicked() {
                    cx.send(Command::CloseOverlay);
                }
                if !cx.state.settings.keys.is_empty() {
                    let reset = Button::text("Reset all").look(Look::Tool);
                    let tooltip = "Give every command its own keys again.";
                    if reset.tooltip(tooltip).show(ui).clicked() {
                        self.message.clear();
                        cx.send(Command::SetKeys(BTreeMap::default()));
                    }
                }
                let hint = RichText::new("Search commands and keys").color(tokens.dim);
                let field = TextEdit::singleline(&mut self.query)
                    .id(Id::unique("key_sheet_search"))
                    .hint_text(hint)
                    .desired_width(200.0_f32.min(ui.available_width() - 8.0));
                ui.add(field).accessible_name("Search commands and keys");
            });
        });
        // While a key is waited for this is the only line that says how to get out of it.
        let words = match self.chosen_for {
            Some(id) => format!(
                "Press the key for “{}”. Esc: leave it as it is. Backspace: no key.",
                command(id).text.trim_end_matches('…')
            ),
            None if self.message.is_empty() => "Click a command to change its key.".to_owned(),
            None => self.message.clone(),
        };
        ui.add_space(4.0);
        let ink = if self.chosen_for.is_some() { tokens.text } else { tokens.dim };
        ui.label(rich_text(words, Type::Body, ink));
    }

    fn sheet_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        ui.spacing_mut().item_spacing.x = 32.0;
        // In two columns of about one height, which no order of the groups gives by itself.
        ui.columns_const(|[left, right]| {
            let [
                timeline,
                stage,
                nodes,
                scores,
                library,
                runs,
                workbench,
                window,
                table,
                label,
                evidence,
                rest @ ..,
            ] = Group::ALL;
            if cx.state.workspace == Workspace::Assist {
                let [tools, canvas, edit, order, letters, assistant, study] = rest;
                self.groups_ui(left, cx, [tools, edit, assistant, study]);
                self.groups_ui(right, cx, [canvas, order, letters, workbench]);
                return;
            }
            if cx.state.workspace == Workspace::Annotate {
                self.groups_ui(left, cx, [label]);
                self.groups_ui(right, cx, [evidence, workbench, window]);
                return;
            }
            if cx.state.workspace == Workspace::Explore {
                self.groups_ui(left, cx, [table]);
                self.groups_ui(right, cx, [workbench, window]);
                return;
            }
            self.groups_ui(left, cx, [timeline, library, runs]);
            self.groups_ui(right, cx, [stage, nodes, scores, workbench, window]);
        });
    }

    fn groups_ui<const N: usize>(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, groups: [Group; N]) {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        for group in groups {
            let mut commands = all_commands().filter(|command| command.group == group);
            if commands.next().is_some_and(|first| !first.is_there(cx.state)) {
                continue;
            }
            section_header_ui(ui, group.label(), group.scope().label());
            for command in all_commands().filter(|command| command.group == group) {
                self.command_ui(ui, cx, command);
            }
            // After the commands of the group they belong to.
            for (words, key, _) in BESIDES.iter().filter(|(_, _, at)| *at == group) {
                row_ui(ui, words, &[(*key).to_owned()], RowState::Usual);
            }
            ui.add_space(12.0);
        }
    }

    /// The commands whose words or keys have what is searched for.
    fn matches_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        let query = self.query.trim().to_lowercase();
        let mut is_any = false;
        for command in all_commands()
            .filter(|it| it.group.scope().is_in(cx.state.workspace) && it.is_there(cx.state))
        {
            let keys: Vec<String> = key_words(ui, cx, command);
            let in_words = command.text.to_lowercase().contains(&query);
            if in_words || keys.iter().any(|key| key.to_lowercase().contains(&query)) {
                is_any = true;
                self.command_ui(ui, cx, command);
            }
        }
        if !is_any {
            ui.label(rich_text("No match", Type::Body, tokens(ui).dim));
        }
    }

    fn command_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, command: &UiCommand) {
        let keys = key_words(ui, cx, command);
        let words = command.text.trim_end_matches('…');
        let is_awaited = self.chosen_for == Some(command.id);
        let state = match (is_awaited, command.has_chosen_keys(cx.state)) {
            (true, _) => RowState::Awaited,
            (false, true) => RowState::Changed,
            (false, false) => RowState::Usual,
        };
        let row = row_ui(ui, words, &keys, state);
        if row.on_hover_text(command.hover_text(cx.state)).clicked() {
            self.message.clear();
            self.chosen_for = (!is_awaited).then_some(command.id);
            // The next key is for the command, not for the field.
            ui.memory_mut(|memory| memory.surrender_focus(Id::unique("key_sheet_search")));
        }
    }
}

/// The first press, taken out; modifiers alone are none.
fn take_press(events: &mut Vec<Event>) -> Option<KeyboardShortcut> {
    let at = events.iter().position(|event| matches!(event, Event::Key { pressed: true, .. }))?;
    let Event::Key { key, modifiers, .. } = events.remove(at) else { return None };
    // The letter itself must not go anywhere else.
    events.retain(|event| !matches!(event, Event::Text(_)));
    let mut meant = Modifiers { shift: modifiers.shift, alt: modifiers.alt, ..Modifiers::NONE };
    // What egui calls the command key is Ctrl but on a Mac.
    meant.command = modifiers.command || modifiers.ctrl;
    Some(KeyboardShortcut::new(meant, key))
}

fn key_words(ui: &Ui, cx: &ViewContext<'_>, command: &UiCommand) -> Vec<String> {
    command.keys(cx.state).into_iter().map(|key| key_text(ui, key)).collect()
}

/// What is to be said of a command's keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowState {
    /// They are its own.
    Usual,
    /// Somebody chose them.
    Changed,
    /// The next press is its key.
    Awaited,
}

fn row_ui(ui: &mut Ui, words: &str, keys: &[String], state: RowState) -> egui::Response {
    let tokens = tokens(ui);
    let is_awaited = state == RowState::Awaited;
    let wanted = vec2(ui.available_width(), ROW);
    let row = ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(ROW);
        let ink = if is_awaited { tokens.accent_ink } else { tokens.text };
        ui.add(egui::Label::new(RichText::new(words).color(ink)).selectable(false));
        if state == RowState::Changed {
            ui.label(rich_text("changed", Type::Caption, tokens.dim));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.add_space(4.0);
            if is_awaited {
                kbd_ui(ui, "Press a key…");
            }
            // From the right, so that the last one is put first.
            for key in keys.iter().rev().filter(|_| !is_awaited) {
                kbd_ui(ui, key);
            }
        });
    });
    // After what is in it, so that the whole row can be clicked.
    let response = ui.interact(
        row.response.rect,
        ui.scope_id().with(("key_row", words, keys)),
        Sense::click(),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
    if response.hovered() || response.has_focus() {
        let ring = egui::Stroke::new(1.0, tokens.hairline);
        let at = response.rect.expand2(vec2(4.0, 0.0));
        ui.painter().rect_stroke(at, size::RADIUS_SMALL, ring, egui::StrokeKind::Inside);
    }
    response
}

//! From keys to commands.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::command::{Effect, Local, UiCommand};
use super::table::TABLE;
use crate::ui::context::ViewContext;
use crate::ui::widgets::ArrowList;
use crate::workbench::{Command, StageCommand, State};

/// Runs the commands whose keys were pressed. Nothing happens while a text field has focus; while
/// something lies over the window only what shows and hides it does.
pub(crate) fn run_shortcuts(ctx: &Context, cx: &ViewContext<'_>) -> Vec<Local> {
    // Letters are shortcuts, and must go into the field that is being typed into.
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    // Also while something lies over the window, so that letting go of the key is never missed.
    hold_ground_truth(ctx, cx);
    // Here and not in the table, where Escape takes the selection away.
    if cx.state.overlay.is_some()
        && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    {
        cx.send(Command::CloseOverlay);
    }
    // In the list of nodes, the table of scores and the list of answers, arrows walk through it.
    let in_list =
        ctx.memory(|memory| ArrowList::ALL.iter().any(|list| memory.has_focus(list.id())));
    let mut locals = Vec::new();
    // In the order they were pressed, each press by itself: in a slow frame there are several of one key.
    for command in ctx.input_mut(|input| take_presses(&mut input.events, cx.state, in_list)) {
        match (command.effect)(cx.state) {
            Effect::Send(_) => cx.commands.press(command),
            // The window's own part has no order with the rest.
            Effect::Window(local) => {
                let is_on = command.is_reachable(cx.state.overlay) && (command.enabled)(cx.state);
                locals.extend(is_on.then_some(local));
            }
        }
    }
    locals
}

/// Takes out the presses that are keys of commands; gives those commands, in order.
fn take_presses(events: &mut Vec<Event>, state: &State, in_list: bool) -> Vec<&'static UiCommand> {
    let mut commands = Vec::new();
    events.retain(|event| {
        let Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
        let command = command_of(*key, *modifiers, state, in_list);
        commands.extend(command);
        command.is_none()
    });
    commands
}

/// The command of a key. Of several that it could mean the one with the most modifiers: egui lets a
/// key without Shift be pressed with it, as `?` needs it on many keyboards.
fn command_of(
    key: Key,
    modifiers: Modifiers,
    state: &State,
    in_list: bool,
) -> Option<&'static UiCommand> {
    let keys = TABLE
        .iter()
        .flat_map(|command| command.keys(state).into_iter().map(move |key| (key, command)));
    let meant = keys.filter(|(shortcut, _)| {
        shortcut.logical_key == key
            && modifiers.matches_logically(shortcut.modifiers)
            && !(in_list && is_plain_arrow(*shortcut))
    });
    meant.max_by_key(|(shortcut, _)| modifier_count(*shortcut)).map(|(_, command)| command)
}

fn is_plain_arrow(key: KeyboardShortcut) -> bool {
    // With a modifier they are other commands, which work in lists too.
    let arrows = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];
    key.modifiers.is_none() && arrows.contains(&key.logical_key)
}

fn modifier_count(key: KeyboardShortcut) -> usize {
    let modifiers = key.modifiers;
    // Ctrl and the command key are one: egui sets both on some systems.
    [modifiers.shift, modifiers.alt, modifiers.ctrl || modifiers.command]
        .into_iter()
        .filter(|on| *on)
        .count()
}

/// The ground truth shows in place of the run as long as `G` is down.
fn hold_ground_truth(ctx: &Context, cx: &ViewContext<'_>) {
    let held = ctx.input(|input| input.key_down(Key::G) && input.modifiers.is_none());
    // Only the change is sent: the state has the rest, and a command draws another frame.
    if held != cx.state.stage.hold_ground_truth {
        cx.send(Command::Stage(StageCommand::HoldGroundTruth(held)));
    }
}

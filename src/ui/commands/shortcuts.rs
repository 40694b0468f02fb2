//! From keys to commands.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::command::{Local, UiCommand};
use super::table::TABLE;
use crate::ui::context::ViewContext;
use crate::ui::widgets::ArrowList;
use crate::workbench::{Command, Overlay, StageCommand};

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
    let mut pressed: Vec<(&KeyboardShortcut, &UiCommand)> = TABLE
        .iter()
        .filter(|command| reachable(command, cx.state.overlay))
        .flat_map(|command| command.keys.iter().map(move |key| (key, command)))
        .filter(|(key, _)| !(in_list && is_plain_arrow(**key)))
        .collect();
    // The more modifiers a key has, the sooner it must be looked for: egui ignores extra ones.
    pressed.sort_by_key(|(key, _)| std::cmp::Reverse(modifier_count(**key)));
    pressed
        .into_iter()
        // Consumed one after the other and run at once, so that a key fires a single command even
        // if two of them could be reached.
        .filter(|(key, _)| ctx.input_mut(|input| input.consume_shortcut(key)))
        .filter_map(|(_, command)| command.run(cx))
        .collect()
}

fn reachable(command: &UiCommand, overlay: Option<Overlay>) -> bool {
    use super::command::CommandId::{Jobs, KeySheet, Palette, SwitchTheme};
    match overlay {
        // The list of jobs hangs at its button and covers nothing.
        None | Some(Overlay::Jobs) => true,
        Some(_) => matches!(command.id, Jobs | KeySheet | Palette | SwitchTheme),
    }
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

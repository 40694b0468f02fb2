//! From keys to commands.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::command::{CommandPress, Effect, Group, KeyRoom, Local, UiCommand};
use super::table::all_commands;
use crate::ui::assist::{canvas_id, is_asking, typing_id};
use crate::ui::context::{KeyMeaning, ViewContext};
use crate::ui::widgets::{ArrowList, escape_left_field, note_typing};
use crate::workbench::{
    AnnotateCommand, AssistCommand, Command, Dwell, EvidenceCommand, LookCommand, Overlay,
    ReviewCommand, StageCommand, State, Workspace, views,
};

/// What leaves the question that is asked before something that cannot be taken back, if one is.
fn leaves_question(state: &State) -> Option<AnnotateCommand> {
    let annotate = &state.annotate;
    if annotate.asking_withdrawal.is_some() {
        return Some(AnnotateCommand::AskWithdrawal(None));
    }
    annotate.asking_reveal.then_some(AnnotateCommand::Review(ReviewCommand::AskReveal(false)))
}

/// Runs the commands whose keys were pressed. Nothing happens while a text field has focus, but to the style of a text
/// that is typed on the canvas, and Space and Enter are left to what Tab went to; while something lies over the window
/// only what shows and hides it does, and every other key is left to it.
///
/// What is pressed after a command that puts the cursor into a field is held back until the field has it:
/// whoever types on without waiting for a slow frame types into the field, and starts no commands.
///
/// Call it in each window, with what it holds back and what keys mean there.
pub(crate) fn run_shortcuts(
    ctx: &Context,
    cx: &ViewContext<'_>,
    room: KeyRoom,
    held: &mut HeldKeys,
    dwell: &Dwell,
) -> Vec<Local> {
    note_typing(ctx);
    if held.is_waiting(ctx) {
        return Vec::new();
    }
    // The first Escape in a field of a form leaves the field, and the form stays.
    let is_form = matches!(cx.state.overlay, Some(Overlay::Launch | Overlay::Export));
    if is_form && escape_left_field(ctx) {
        return Vec::new();
    }
    // Letters are shortcuts, and must go into the field that is being typed into.
    if ctx.text_edit_focused() {
        if ctx.memory(|memory| memory.has_focus(typing_id())) {
            style_what_is_typed(ctx, cx, room);
        }
        return Vec::new();
    }
    // Nothing is to happen behind a question; on a text field of it Escape is seen here too, as egui left it before.
    if is_asking(ctx) {
        return Vec::new();
    }
    // Also while something lies over the window, so that letting go of the key is never missed.
    if !is_typed_elsewhere(ctx) {
        hold_ground_truth(ctx, cx, room);
    }
    // Here and not in the table, where Escape takes the selection away.
    let mut is_left = false;
    if cx.state.overlay.is_some()
        && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    {
        cx.send(Command::CloseOverlay);
        is_left = true;
    }
    if let Some(leaves) = leaves_question(cx.state)
        && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    {
        cx.send(Command::Annotate(leaves));
        is_left = true;
    }
    let over = Over {
        focus: ctx.memory(|memory| match memory.focused() {
            None => Focus::Nothing,
            Some(id) if ArrowList::ALL.iter().any(|list| list.id() == id) => Focus::List,
            Some(id) if id == canvas_id() => Focus::Canvas,
            Some(_) => Focus::Widget,
        }),
        is_menu: egui::Popup::is_any_open(ctx),
        is_left,
    };
    let mut locals = Vec::new();
    // In the order they were pressed, each press by itself: in a slow frame there are several of one key.
    let pressed =
        ctx.input_mut(|input| take_presses(&mut input.events, cx.state, room, over, held));
    for press in pressed {
        let command = match press {
            Press::Command(command) => command,
            Press::Answer(key) => {
                cx.commands.press(Box::new(AnswerPress(key)));
                continue;
            }
        };
        match (command.effect)(cx.state) {
            Effect::Send(_) => cx.commands.press(Box::new(CommandPress { command, room })),
            // What is written down with how long it took, and yet in the order of the keys.
            Effect::Window(Local::ConfirmAnswer) => {
                let dwell = dwell.clone();
                cx.commands.press(Box::new(ConfirmPress { command, room, dwell }));
            }
            // The window's own part has no order with the rest.
            Effect::Window(local) => {
                let is_on = command.is_reachable(cx.state, room) && (command.enabled)(cx.state);
                locals.extend(is_on.then_some(local));
            }
        }
    }
    locals
}

/// While a text is typed on the canvas, the keys of its style are no letters.
fn style_what_is_typed(ctx: &Context, cx: &ViewContext<'_>, room: KeyRoom) {
    let workspace = room.workspace(cx.state);
    let mut events =
        ctx.input_mut(|input| std::mem::take(&mut input.events)).into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(event) = events.next() {
        let Event::Key { key, pressed: true, modifiers, .. } = event else {
            kept.push(event);
            continue;
        };
        let command = command_of(key, modifiers, cx.state, workspace, Focus::Canvas)
            .filter(|command| command.group == Group::Letters && !modifiers.is_none());
        let writes = matches!(events.peek(), Some(Event::Text(_)));
        match command {
            // A key with a letter of its own on it, which some keyboards write with Ctrl and Alt.
            Some(_) if writes && modifiers.ctrl && modifiers.alt => kept.push(event),
            Some(command) => {
                if writes {
                    events.next();
                }
                cx.commands.press(Box::new(CommandPress { command, room }));
            }
            None => kept.push(event),
        }
    }
    ctx.input_mut(|input| input.events = kept);
}

/// A key that was pressed and means something.
enum Press {
    Command(&'static UiCommand),
    /// It answers a question of the form on the screen.
    Answer(char),
}

/// A key that answers: what it does is seen when its turn comes, as the key before may have moved on to
/// another question.
#[derive(Debug)]
struct AnswerPress(char);

impl KeyMeaning for AnswerPress {
    fn pressed(&self, state: &State) -> Option<Command> {
        let keys = views::answer_keys(state).into_iter();
        let meant = keys.into_iter().find(|known| known.key == self.0)?;
        Some(Command::Annotate(meant.command))
    }
}

/// The key that writes an answer down.
#[derive(Debug)]
struct ConfirmPress {
    command: &'static UiCommand,
    room: KeyRoom,
    dwell: Dwell,
}

impl KeyMeaning for ConfirmPress {
    fn pressed(&self, state: &State) -> Option<Command> {
        let is_reachable = self.command.is_reachable(state, self.room);
        let is_on = is_reachable && (self.command.enabled)(state);
        is_on.then(|| Command::Annotate(AnnotateCommand::Submit(self.dwell.clone())))
    }
}

/// What has keys of its own.
#[derive(Clone, Copy, Debug)]
struct Over {
    /// What has the keyboard.
    focus: Focus,
    /// A menu is open.
    is_menu: bool,
    /// What lies over the window was left by a key of this frame.
    is_left: bool,
}

/// What has the keyboard in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// Nothing in it.
    Nothing,
    /// A list in which arrows choose, as that of nodes or the table of scores.
    List,
    /// The canvas, where Tab and Enter mean layers.
    Canvas,
    /// Something else that Tab went to: Space and Enter press it.
    Widget,
}

/// Takes out the presses that are keys of commands; gives those commands, in order.
fn take_presses(
    events: &mut Vec<Event>,
    state: &State,
    room: KeyRoom,
    over: Over,
    held: &mut HeldKeys,
) -> Vec<Press> {
    let room_now = room.workspace(state);
    let answers = answering_keys(state, room_now);
    let (mut commands, mut kept) = (Vec::new(), Vec::new());
    // The letter of a key comes right after it: that of the key that leads into a field is no typing.
    let mut is_own_letter = false;
    for event in std::mem::take(events) {
        if std::mem::take(&mut is_own_letter) && matches!(event, Event::Text(_)) {
            continue;
        }
        // What is typed before the field is there is kept for it.
        if held.is_holding() && is_typing(&event) {
            held.events.push(event);
            continue;
        }
        let Event::Key { key, pressed: true, modifiers, .. } = event else {
            kept.push(event);
            continue;
        };
        // A menu closes before anything below it is let go of.
        if key == Key::Escape && over.is_menu {
            kept.push(event);
            continue;
        }
        let presses = modifiers.is_none() && matches!(key, Key::Space | Key::Enter);
        let leaves = key == Key::Tab && over.focus != Focus::Canvas;
        // In a picker that is open over the canvas arrows move what has the keyboard, not the layers.
        let is_arrow =
            matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown);
        let picks = is_arrow && over.is_menu && room_now == Workspace::Assist;
        if ((presses || picks) && over.focus == Focus::Widget) || leaves {
            kept.push(event);
            continue;
        }
        // The same of a questionnaire of a study, which takes its own keys: nothing is edited meanwhile.
        if modifiers.is_none() && asks_in_study(state, room_now) && !is_function_key(key) {
            kept.push(event);
            continue;
        }
        // Keys of answers come before those of commands: they are there only while somebody labels.
        if let Some(answer) = answer_of(key, modifiers, &answers) {
            if leads_to_words(state, answer) {
                held.frames_left = MOST_FRAMES_HELD;
            }
            is_own_letter = true;
            commands.push(Press::Answer(answer));
            continue;
        }
        match command_of(key, modifiers, state, room_now, over.focus) {
            // What lies over the window has every key that means nothing over it; behind another key, which may
            // close that, it is seen when its turn comes.
            Some(command)
                if commands.is_empty() && !over.is_left && !command.is_reachable(state, room) =>
            {
                kept.push(event);
            }
            Some(command) => {
                if command.takes_typing(state, room) {
                    held.frames_left = MOST_FRAMES_HELD;
                    is_own_letter = true;
                }
                commands.push(Press::Command(command));
            }
            None => kept.push(event),
        }
    }
    *events = kept;
    commands
}

/// The keys that answer the form on the screen, while nothing lies over it and nothing else is asked.
fn answering_keys(state: &State, room: Workspace) -> Vec<char> {
    let is_covered = state.overlay.is_some() || leaves_question(state).is_some();
    if room != Workspace::Annotate || is_covered {
        return Vec::new();
    }
    let mut keys: Vec<char> = views::answer_keys(state).iter().map(|answer| answer.key).collect();
    // A digit may mean something after the key before it.
    if !keys.is_empty() {
        keys.extend('1'..='9');
    }
    keys
}

/// Whether somebody who takes part in a study is asked a form, and nothing lies over it.
fn asks_in_study(state: &State, room: Workspace) -> bool {
    let desk = state.assist.study.desk.as_ref();
    room == Workspace::Assist
        && state.overlay.is_none()
        && desk.is_some_and(|desk| desk.asked().is_some())
}

fn is_function_key(key: Key) -> bool {
    let name = key.name();
    name.len() > 1 && name.starts_with('F') && name[1..].chars().all(|it| it.is_ascii_digit())
}

/// Whether a key that answers puts the cursor into words.
fn leads_to_words(state: &State, key: char) -> bool {
    let keys = views::answer_keys(state);
    let meant = keys.iter().find(|known| known.key == key);
    meant.is_some_and(|meant| matches!(meant.command, AnnotateCommand::Write(_)))
}

/// The answer of a key without modifiers.
fn answer_of(key: Key, modifiers: Modifiers, answers: &[char]) -> Option<char> {
    let mut name = key.name().chars();
    let letter = name.next().filter(|_| name.next().is_none())?.to_ascii_lowercase();
    (modifiers.is_none() && answers.contains(&letter)).then_some(letter)
}

/// How long typing is held back at most: the frame of the press, that in which a field that was not there is
/// first drawn, and that in which it has the cursor, with one to spare.
const MOST_FRAMES_HELD: u8 = 4;

/// What was typed after a key that leads into a field, until the field has the cursor.
#[derive(Debug, Default)]
pub(crate) struct HeldKeys {
    events: Vec<Event>,
    /// How many frames more it is held; 0: nothing is.
    frames_left: u8,
    /// Whether the field is in another window, which gets the keyboard: what was typed until then is no command.
    is_lost: bool,
}

impl HeldKeys {
    /// The field that is waited for is in another window.
    pub(crate) fn lose(&mut self) {
        self.is_lost = self.is_holding();
    }

    fn is_holding(&self) -> bool {
        self.frames_left > 0
    }

    /// Holds back what was typed meanwhile, or gives all of it to this frame if the field is there now, or
    /// never comes. Whether it is still waited for.
    fn is_waiting(&mut self, ctx: &Context) -> bool {
        if !self.is_holding() {
            return false;
        }
        self.frames_left -= 1;
        ctx.input_mut(|input| {
            let (typed, others) =
                std::mem::take(&mut input.events).into_iter().partition(is_typing);
            input.events = others;
            let typed: Vec<Event> = typed;
            self.events.extend(typed);
        });
        if ctx.text_edit_focused() || !self.is_holding() {
            self.frames_left = 0;
            let events = std::mem::take(&mut self.events);
            if std::mem::take(&mut self.is_lost) {
                return false;
            }
            ctx.input_mut(|input| input.events.splice(0..0, events).for_each(drop));
            return false;
        }
        // A window in which nothing else happens would not draw the field.
        ctx.request_repaint();
        true
    }
}

/// Whether an event is of typing: keys going down or up, letters, what is pasted.
fn is_typing(event: &Event) -> bool {
    matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_) | Event::Ime(_))
}

/// The command of a key. Of several that it could mean the one with the most modifiers: egui lets a
/// key without Shift be pressed with it, as `?` needs it on many keyboards.
fn command_of(
    key: Key,
    modifiers: Modifiers,
    state: &State,
    room: Workspace,
    focus: Focus,
) -> Option<&'static UiCommand> {
    let keys = all_commands()
        .filter(|command| command.group.scope().is_in(room))
        .flat_map(|command| command.keys(state).into_iter().map(move |key| (key, command)));
    let meant = keys.filter(|(shortcut, _)| {
        shortcut.logical_key == key
            && modifiers.matches_logically(shortcut.modifiers)
            && !(focus == Focus::List && is_plain_arrow(*shortcut))
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

/// Whether another window of the program has the keyboard: keys that are up here may be down there.
fn is_typed_elsewhere(ctx: &Context) -> bool {
    ctx.input(|input| {
        let mut others = input.raw.viewports.iter().filter(|(id, _)| **id != input.raw.viewport_id);
        others.any(|(_, window)| window.focused == Some(true))
    })
}

/// The ground truth shows in place of the run as long as `G` is down.
fn hold_ground_truth(ctx: &Context, cx: &ViewContext<'_>, room: KeyRoom) {
    let held = ctx.input(|input| input.key_down(Key::G) && input.modifiers.is_none());
    if room.workspace(cx.state) == Workspace::Annotate {
        let desk = cx.state.annotate.desk.as_ref();
        if desk.is_some_and(|desk| desk.view.holds_truth != held) {
            let hold = EvidenceCommand::HoldTruth(held);
            cx.send(Command::Annotate(AnnotateCommand::View(hold)));
        }
        return;
    }
    if room.workspace(cx.state) == Workspace::Assist {
        let desk = cx.state.assist.desk.as_ref();
        if desk.is_some_and(|desk| desk.goal.is_some() && desk.holds_goal != held) {
            let hold = LookCommand::HoldGoal(held);
            cx.send(Command::Assist(AssistCommand::Look(hold)));
        }
        return;
    }
    // Only the change is sent: the state has the rest, and a command draws another frame.
    if held != cx.state.stage.hold_ground_truth {
        cx.send(Command::Stage(StageCommand::HoldGroundTruth(held)));
    }
}

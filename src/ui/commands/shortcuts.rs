//! From keys to commands.
//!
//! [`run_shortcuts`] takes presses out of the input. What each means is asked of the state after those before it: it waits
//! in the queue of commands as a [`KeyPress`]. What only the window can do comes back to it from there, with all that was
//! pressed after it, as if it were pressed in the next frame.

use std::cell::RefCell;
use std::rc::Rc;

use egui::{Context, Event, Key, KeyboardShortcut};

use super::assist::assistant::escaped_offer;
use super::command::{CommandPress, Effect, Group, KeyRoom, Local, UiCommand};
use super::pressed_key::PressedKey;
use super::table::all_commands;
use crate::ui::assist::{canvas_id, is_asking, is_cropping, typing_id};
use crate::ui::context::{KeyMeaning, ViewContext};
use crate::ui::widgets::{ArrowList, escape_left_field, note_typing};
use crate::workbench::{
    AnnotateCommand, AssistCommand, Command, Dwell, EvidenceCommand, LookCommand, Overlay,
    ReviewCommand, StageCommand, State, Workspace, views,
};

/// What Escape leaves before it means anything else: what lies over the window, or a question that is asked there.
fn left_by_escape(state: &State) -> Option<Command> {
    if state.overlay.is_some() {
        return Some(Command::CloseOverlay);
    }
    leaves_question(state).map(Command::Annotate)
}

/// What leaves the question that is asked before something that cannot be taken back, if one is.
fn leaves_question(state: &State) -> Option<AnnotateCommand> {
    let annotate = &state.annotate;
    if annotate.asking_withdrawal.is_some() {
        return Some(AnnotateCommand::AskWithdrawal(None));
    }
    annotate.asking_reveal.then_some(AnnotateCommand::Review(ReviewCommand::AskReveal(false)))
}

/// What puts away the step that the assistant offers, where Escape means that. Not in the table, where a key is that of
/// one command alone.
fn refused_by_escape(key: PressedKey, state: &State, room: Workspace) -> Option<Command> {
    let is_meant = key.is_escape() && room == Workspace::Assist;
    if is_meant { escaped_offer(state) } else { None }
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
    let over = Over {
        focus: ctx.memory(|memory| match memory.focused() {
            None => Focus::Nothing,
            Some(id) if ArrowList::ALL.iter().any(|list| list.id() == id) => Focus::List,
            Some(id) if id == canvas_id() => Focus::Canvas,
            Some(_) => Focus::Widget,
        }),
        is_menu: egui::Popup::is_any_open(ctx),
        is_busy: ctx.input(|input| input.pointer.any_down()) || is_cropping(ctx),
    };
    // In the order they were pressed, each press by itself: in a slow frame there are several of one key.
    let pressed =
        ctx.input_mut(|input| take_presses(&mut input.events, cx.state, room, over, held));
    if pressed.len() > 1 {
        // For what comes back from the queue: a window in which nothing else happens would not draw again.
        ctx.request_repaint();
    }
    let mut locals = Vec::new();
    let mut is_behind = false;
    for press in pressed {
        match press.meaning(cx.state, room, over.focus).map(|meaning| meaning.effect) {
            // Nothing was asked for before it.
            Some(Effect::Window(local)) if !is_behind && local != Local::ConfirmAnswer => {
                locals.push(local);
            }
            _ => {
                is_behind = true;
                cx.commands.press(Box::new(KeyPress {
                    press,
                    room,
                    focus: over.focus,
                    dwell: dwell.clone(),
                    again: held.again.clone(),
                }));
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
        // By what is written on it alone: whatever else it may mean, it is typed.
        let command = PressedKey::of(&event, events.peek())
            .filter(|pressed| !pressed.modifiers.is_none())
            .and_then(|pressed| command_of(pressed, cx.state, workspace, Focus::Canvas))
            .filter(|command| command.group == Group::Letters);
        if let Some(command) = command {
            events.next_if(|next| matches!(next, Event::Text(_)));
            cx.commands.press(Box::new(CommandPress { command, room }));
        } else {
            kept.push(event);
        }
    }
    ctx.input_mut(|input| input.events = kept);
}

/// A key that was pressed and may mean something.
#[derive(Debug)]
struct Press {
    key: PressedKey,
    /// The press as it came, with the letter that it writes.
    events: Vec<Event>,
    /// Whether what is typed after it is held back for the field that it leads to.
    holds_typing: bool,
    /// Whether the window was at something else that Escape gives up.
    is_busy: bool,
}

/// What a key is that of.
#[derive(Clone, Copy)]
enum KeyOwner {
    /// An answer, which has this letter or digit.
    Answer(char),
    Command(&'static UiCommand),
}

/// What a press comes to in a state.
struct Meaning {
    effect: Effect,
    /// Whether what is typed next is meant for a field that it leads to.
    takes_typing: bool,
}

impl Press {
    /// What it comes to in this state; `None`: nothing.
    fn meaning(&self, state: &State, room: KeyRoom, focus: Focus) -> Option<Meaning> {
        let workspace = room.workspace(state);
        // Here and not in the table, where Escape takes the selection away.
        if self.key.is_escape()
            && let Some(leaves) = left_by_escape(state)
        {
            return Some(Meaning { effect: Effect::Send(leaves), takes_typing: false });
        }
        if is_for_study(self.key, state, workspace) {
            return None;
        }
        // In the middle of a drag Escape gives that up alone.
        if !self.is_busy
            && let Some(refuses) = refused_by_escape(self.key, state, workspace)
        {
            return Some(Meaning { effect: Effect::Send(refuses), takes_typing: false });
        }
        match owner_of(self.key, state, workspace, focus, &answering_keys(state, workspace))? {
            KeyOwner::Answer(answer) => {
                let mut known = views::answer_keys(state).into_iter();
                let known = known.find(|known| known.key == answer)?;
                let takes_typing = matches!(known.command, AnnotateCommand::Write(_));
                let effect = Effect::Send(Command::Annotate(known.command));
                Some(Meaning { effect, takes_typing })
            }
            KeyOwner::Command(command) => {
                let is_on = command.is_reachable(state, room) && (command.enabled)(state);
                is_on.then(|| Meaning {
                    effect: (command.effect)(state),
                    takes_typing: command.takes_typing(state, room),
                })
            }
        }
    }
}

/// A press whose turn comes after those before it, which may go to another room, open something or close it.
#[derive(Debug)]
struct KeyPress {
    press: Press,
    room: KeyRoom,
    /// What had the keyboard when it was pressed.
    focus: Focus,
    /// How long what is answered was on the screen, as an answer is written down with it.
    dwell: Dwell,
    again: PressedAgain,
}

impl KeyMeaning for KeyPress {
    fn pressed(&self, state: &State) -> Option<Command> {
        // What was pressed after something that waits for the window waits too.
        if self.again.is_any() {
            self.again.add(&self.press.events);
            return None;
        }
        let meaning = self.press.meaning(state, self.room, self.focus)?;
        match meaning.effect {
            Effect::Send(command) if self.press.holds_typing || !meaning.takes_typing => {
                Some(command)
            }
            Effect::Window(Local::ConfirmAnswer) => {
                Some(Command::Annotate(AnnotateCommand::Submit(self.dwell.clone())))
            }
            // The window does it, or holds back what is typed after it.
            Effect::Send(_) | Effect::Window(_) => {
                self.again.add(&self.press.events);
                None
            }
        }
    }
}

/// What was pressed and is pressed again in the next frame of its window.
#[derive(Clone, Debug, Default)]
struct PressedAgain(Rc<RefCell<Vec<Event>>>);

impl PressedAgain {
    fn is_any(&self) -> bool {
        !self.0.borrow().is_empty()
    }

    fn add(&self, events: &[Event]) {
        self.0.borrow_mut().extend_from_slice(events);
    }

    fn take(&self) -> Vec<Event> {
        self.0.take()
    }
}

/// What has keys of its own.
#[derive(Clone, Copy, Debug)]
struct Over {
    /// What has the keyboard.
    focus: Focus,
    /// A menu is open.
    is_menu: bool,
    /// A button of the pointer is down, or a picture is being cropped: Escape gives that up.
    is_busy: bool,
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

/// Takes out the presses that mean something, or may do so behind another; gives them in order.
fn take_presses(
    events: &mut Vec<Event>,
    state: &State,
    room: KeyRoom,
    over: Over,
    held: &mut HeldKeys,
) -> Vec<Press> {
    let room_now = room.workspace(state);
    let answers = answering_keys(state, room_now);
    let (mut presses, mut kept) = (Vec::new(), Vec::new());
    // The letter of a key comes right after it: that of the key that leads into a field is no typing.
    let mut is_own_letter = false;
    let mut events_left = std::mem::take(events).into_iter().peekable();
    while let Some(event) = events_left.next() {
        if std::mem::take(&mut is_own_letter) && matches!(event, Event::Text(_)) {
            continue;
        }
        // What is typed before the field is there is kept for it.
        if held.is_holding() && is_typing(&event) {
            held.events.push(event);
            continue;
        }
        let Some(key) = PressedKey::of(&event, events_left.peek()) else {
            kept.push(event);
            continue;
        };
        let leaves = key.is_escape() && left_by_escape(state).is_some();
        let refuses = !over.is_busy && refused_by_escape(key, state, room_now).is_some();
        let owner = owner_of(key, state, room_now, over.focus, &answers);
        let is_behind = !presses.is_empty();
        let is_taken = match owner {
            Some(KeyOwner::Answer(_)) => true,
            // What lies over the window has every key that means nothing over it; behind another key, which may
            // close that, it is seen when its turn comes.
            Some(KeyOwner::Command(command)) => is_behind || command.is_reachable(state, room),
            // So it is with what may mean something in the room that another key leads to.
            None => is_behind && may_mean(key, state),
        };
        let is_taken = is_taken || refuses;
        if !leaves && (!is_taken || is_kept(key, state, room_now, over)) {
            kept.push(event);
            continue;
        }
        let holds_typing = match owner {
            Some(KeyOwner::Answer(answer)) => leads_to_words(state, answer),
            Some(KeyOwner::Command(command)) => command.takes_typing(state, room),
            None => false,
        };
        if holds_typing {
            held.hold();
        }
        is_own_letter = matches!(owner, Some(KeyOwner::Answer(_))) || holds_typing;
        let letter = events_left.peek().filter(|next| matches!(next, Event::Text(_))).cloned();
        let events = std::iter::once(event).chain(letter).collect();
        presses.push(Press { key, events, holds_typing, is_busy: over.is_busy });
    }
    *events = kept;
    presses
}

/// Whether a key is left to what has the keyboard, to a menu or to a form of a study.
fn is_kept(pressed: PressedKey, state: &State, room: Workspace, over: Over) -> bool {
    let PressedKey { key, modifiers, .. } = pressed;
    // A menu closes before anything below it is let go of.
    if key == Key::Escape && over.is_menu {
        return true;
    }
    let presses = modifiers.is_none() && matches!(key, Key::Space | Key::Enter);
    let leaves = key == Key::Tab && over.focus != Focus::Canvas;
    // In a picker that is open over the canvas arrows move what has the keyboard, not the layers.
    let is_arrow = matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown);
    let picks = is_arrow && over.is_menu && room == Workspace::Assist;
    // With a modifier they are commands, in lists too.
    let walks = is_arrow && modifiers.is_none() && over.focus == Focus::List;
    ((presses || picks) && over.focus == Focus::Widget)
        || walks
        || leaves
        || is_for_study(pressed, state, room)
}

/// Whether a key may mean something in another room, or over or below something else than now.
fn may_mean(key: PressedKey, state: &State) -> bool {
    key.readings().any(|key| {
        let mut keys = all_commands().flat_map(|command| command.keys(state));
        // Any letter and digit may answer a question.
        key.letter().is_some() || keys.any(|shortcut| key.is(shortcut))
    })
}

/// Whether a key is for the questionnaire of a study that is on the screen, which takes its own keys: nothing is
/// edited meanwhile.
fn is_for_study(pressed: PressedKey, state: &State, room: Workspace) -> bool {
    let PressedKey { key, modifiers, .. } = pressed;
    modifiers.is_none() && asks_in_study(state, room) && !is_function_key(key)
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
    again: PressedAgain,
}

impl HeldKeys {
    /// Holds back what is typed from now on, for a field that is about to have the cursor.
    pub(crate) fn hold(&mut self) {
        self.frames_left = MOST_FRAMES_HELD;
    }

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
        let again = self.again.take();
        if !again.is_empty() {
            // What is held was typed after it, and may be meant for another field than it seemed.
            self.frames_left = 0;
            let events = again.into_iter().chain(std::mem::take(&mut self.events));
            ctx.input_mut(|input| input.events.splice(0..0, events).for_each(drop));
            return false;
        }
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

/// What a key is that of, by what it writes or else by where it lies.
fn owner_of(
    key: PressedKey,
    state: &State,
    room: Workspace,
    focus: Focus,
    answers: &[char],
) -> Option<KeyOwner> {
    key.readings().find_map(|key| {
        // Keys of answers come before those of commands: they are there only while somebody labels.
        match key.letter().filter(|letter| answers.contains(letter)) {
            Some(answer) => Some(KeyOwner::Answer(answer)),
            None => command_of(key, state, room, focus).map(KeyOwner::Command),
        }
    })
}

/// The command of a key. Of several that it could mean the one with the most modifiers: egui lets a
/// key without Shift be pressed with it, as `?` needs it on many keyboards.
fn command_of(
    key: PressedKey,
    state: &State,
    room: Workspace,
    focus: Focus,
) -> Option<&'static UiCommand> {
    let keys = all_commands()
        .filter(|command| command.group.scope().is_in(room))
        .flat_map(|command| command.keys(state).into_iter().map(move |key| (key, command)));
    let meant = keys.filter(|(shortcut, _)| {
        key.is(*shortcut) && !(focus == Focus::List && is_plain_arrow(*shortcut))
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

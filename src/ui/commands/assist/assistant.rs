//! The assistant.

use egui::Key;

use super::edit::is_under_way;
use super::{assist, desk};
use crate::ui::commands::UiCommand;
use crate::ui::commands::command::{Effect, Local};
use crate::ui::commands::keys::{alt, ctrl, ctrl_shift, key, shift};
use crate::workbench::protocol::AssistantCommand as Asked;
use crate::workbench::{AssistCommand, AssistantDesk, Command, State};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    AskStep, Assistant, "Ask for the next step", "Have the assistant offer a step, told whole; nothing changes until you accept it.", [alt(Key::Enter)], can_ask, |_| ask(Asked::Ask);
    ShowMe, Assistant, "Show me", "Have a little told of the next step; again, more: the control, the layer, the value, the picture; at last it is done.", [key(Key::F2)], can_ask, |_| ask(Asked::ShowMe);
    SayWhy, Assistant, "Say why", "Have the assistant say why it offers that.", [key(Key::F3)], has_offer, |_| ask(Asked::Why);
    AnotherSuggestion, Assistant, "Another way", "Have the assistant offer another step instead.", [key(Key::F4)], has_offer, |_| ask(Asked::AnotherWay);
    NextSuggestion, Assistant, "Next suggestion", "Go on to the step that was offered after this one; behind the last, have another offered.", [alt(Key::CloseBracket)], can_go_on, |_| ask(Asked::NextWay);
    PreviousSuggestion, Assistant, "Previous suggestion", "Go back to the step that was offered before this one, as long as the design is as it was.", [alt(Key::OpenBracket)], can_go_back, |_| ask(Asked::PreviousWay);
    DoSuggestion, Assistant, "Do it for me", "Have the step carried out, a change after the other; you can stop it, and undo each.", [key(Key::F5)], has_offer, |_| ask(Asked::DoIt);
    ShowSuggestion, Assistant, "Suggestion on the canvas", "Show on the canvas what would come of the step, or do not: + added, − removed, ~ changed.", [key(Key::F6)], has_offer, |_| ask(Asked::ToggleGhost);
    AcceptSuggestion, Assistant, "Accept the suggestion", "Take all of the step, as one change that can be undone.", [ctrl(Key::Enter)], can_accept, |_| ask(Asked::Accept);
    AcceptTicked, Assistant, "Accept what is ticked", "Take what is ticked of the step, as one change that can be undone.", [ctrl_shift(Key::Enter)], can_accept_ticked, |_| ask(Asked::AcceptTicked);
    RefuseSuggestion, Assistant, "Refuse the suggestion", "Put the step away, as Esc does; the assistant remembers that you did.", [ctrl(Key::Backspace)], has_offer, |_| ask(Asked::Refuse);
    CheckWork, Assistant, "Check my work", "Have the assistant say what differs from the goal, or what is amiss.", [shift(Key::F2)], can_ask, |_| ask(Asked::CheckWork);
    StopAssistant, Assistant, "Stop the assistant", "Stop the search, the model, or what is being carried out; what was done stays.", [shift(Key::F4)], is_busy, |_| ask(Asked::Stop);
    AskAssistant, Assistant, "Ask the assistant…", "Put the cursor into the field in which the assistant is asked.", [ctrl(Key::Slash)], has_assistant, |_| Effect::Window(Local::AskAssistant);
];

fn ask(command: Asked) -> Effect {
    assist(AssistCommand::Assistant(command))
}

fn assistant(state: &State) -> Option<&AssistantDesk> {
    desk(state).map(|desk| &desk.assistant).filter(|assistant| !assistant.is_hidden)
}

fn has_assistant(state: &State) -> bool {
    assistant(state).is_some()
}

fn can_ask(state: &State) -> bool {
    assistant(state).is_some_and(|it| !it.is_thinking() && !it.is_playing())
}

fn has_offer(state: &State) -> bool {
    assistant(state).is_some_and(|it| it.offer.is_some() && !it.is_playing())
}

fn can_go_on(state: &State) -> bool {
    has_offer(state) && can_ask(state)
}

fn can_go_back(state: &State) -> bool {
    can_ask(state)
        && desk(state).is_some_and(|it| it.assistant.way_before(it.editor.steps()).is_some())
}

/// What Escape does with a step that is offered while nothing else is under way: it is refused, before the selection
/// goes, so that it can always be put away by that key alone; of one that is being carried out, the rest is stopped.
pub(in crate::ui::commands) fn escaped_offer(state: &State) -> Option<Command> {
    let is_offered = assistant(state).is_some_and(|it| it.offer.is_some());
    let is_meant = is_offered && state.assist.study.allows_assistant() && !is_under_way(state);
    is_meant.then_some(Command::Assist(AssistCommand::Assistant(Asked::Refuse)))
}

fn can_accept(state: &State) -> bool {
    assistant(state).is_some_and(|it| it.takeable().is_some())
}

fn can_accept_ticked(state: &State) -> bool {
    let offer = assistant(state).and_then(AssistantDesk::takeable);
    offer.is_some_and(|offer| !offer.ticked_fitting().is_empty())
}

fn is_busy(state: &State) -> bool {
    assistant(state).is_some_and(|it| it.is_thinking() || it.is_playing())
}

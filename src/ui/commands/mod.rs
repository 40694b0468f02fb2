//! Everything a person can do, in one table: text, tooltip, key, when enabled, what it sends.
//!
//! Shortcuts, palette, key sheet and the tooltips of buttons all come from [`TABLE`](table::TABLE).
//! No shortcut acts while a text field has focus.

mod shortcuts;
mod table;

pub(crate) use shortcuts::{Local, run_shortcuts};
pub(crate) use table::{Group, TABLE};

use egui::{KeyboardShortcut, Response, Ui};

use super::context::ViewContext;
use super::widgets::{Button, Look, key_text};
use crate::workbench::{Command, State, views};

/// One thing a person can do.
pub(crate) struct UiCommand {
    /// Which.
    pub(crate) id: CommandId,
    /// Where it stands in the key sheet.
    pub(crate) group: Group,
    /// What it is called, in menus and in the palette. `…` if it asks for more.
    pub(crate) text: &'static str,
    /// What it does, in a sentence.
    pub(crate) tooltip: &'static str,
    /// Its key, and a second one if there is.
    pub(crate) keys: &'static [KeyboardShortcut],
    /// Whether it would do anything now.
    pub(crate) enabled: fn(&State) -> bool,
    /// What it sends.
    pub(crate) effect: fn(&State) -> Effect,
}

/// What a command does.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Asks the workbench for something.
    Send(Command),
    /// Concerns only the window itself.
    Window(Local),
}

/// The commands there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandId {
    OpenFolder,
    OpenFiles,
    RunAgent,
    RunWith,
    RunAgain,
    PauseRun,
    StopRun,
    PauseAll,
    StopAll,
    SavePicture,
    Palette,
    KeySheet,
    Jobs,
    SwitchTheme,
    FocusFilter,
    NextRun,
    PreviousRun,
    Play,
    StepForward,
    StepBack,
    NextTurn,
    PreviousTurn,
    First,
    Last,
    NextLoss,
    NextGain,
    NextError,
    Best,
    Follow,
    Fit,
    ActualSize,
    Zoom2,
    Zoom4,
    Zoom8,
    ZoomIn,
    ZoomOut,
    ShowRun,
    ShowGroundTruth,
    ShowHeat,
    ShowBoxes,
    FollowDocument,
    AllDocuments,
    NextDocument,
    InspectStep,
    InspectNodes,
    InspectScores,
    InspectPlan,
    InspectQuery,
    NextAnswer,
    PreviousAnswer,
    NextScore,
    PreviousScore,
    NextNode,
    PreviousNode,
    Deselect,
    NextComparison,
    OnlyChanged,
    ListGroundTruth,
    FoldNodes,
    UnfoldNodes,
    ExportPng,
    ExportSvg,
    ExportJson,
}

/// What a command is, by its id.
pub(crate) fn command(id: CommandId) -> &'static UiCommand {
    // Every id has its entry; a test holds it.
    TABLE.iter().find(|command| command.id == id).unwrap_or(&TABLE[0])
}

/// Why a command would do nothing now, where that is not plain to see.
pub(crate) fn why_not(id: CommandId, state: &State) -> Option<String> {
    let says = |why: &str| Some(why.to_owned());
    match id {
        CommandId::RunAgain | CommandId::RunWith if state.selection.run.is_none() => {
            says("Select a run first.")
        }
        CommandId::RunAgain => state.selection.run.and_then(|run| views::why_not_again(state, run)),
        CommandId::RunWith => says("Its task is not open: open its task set."),
        CommandId::PauseRun | CommandId::StopRun => {
            says("Only a run that is being made in this window can be paused or stopped.")
        }
        CommandId::PauseAll | CommandId::StopAll => says("No run is being made."),
        CommandId::ShowHeat if state.selection.task.is_some() => {
            says("The task asks in words: there is nothing to compare the run with.")
        }
        CommandId::FollowDocument | CommandId::AllDocuments | CommandId::NextDocument => {
            says("Only a run of the design suite has several documents.")
        }
        CommandId::RunAgent => says("Open a task set first."),
        _ => None,
    }
}

impl UiCommand {
    /// Its first key as people read it.
    pub(crate) fn key(&self, ui: &Ui) -> Option<String> {
        self.keys.first().map(|key| key_text(ui, *key))
    }

    /// Sends what it sends, if it is enabled; gives what the window itself has to do.
    pub(crate) fn run(&self, cx: &ViewContext<'_>) -> Option<Local> {
        if !(self.enabled)(cx.state) {
            return None;
        }
        match (self.effect)(cx.state) {
            Effect::Send(command) => {
                cx.send(command);
                None
            }
            Effect::Window(local) => Some(local),
        }
    }
}

/// A button of a command: its tooltip, key and state come from the table.
pub(crate) struct CommandButton {
    id: CommandId,
    icon: Option<&'static str>,
    text: Option<&'static str>,
    look: Look,
    selected: Option<bool>,
    is_compact: bool,
}

impl CommandButton {
    /// A button with the command's icon alone.
    pub(crate) fn icon(id: CommandId, icon: &'static str) -> Self {
        Self { icon: Some(icon), text: None, look: Look::Tool, ..Self::text(id) }
    }

    /// A button with the command's words.
    pub(crate) fn text(id: CommandId) -> Self {
        let text = Some(command(id).text);
        Self { id, icon: None, text, look: Look::Raised, selected: None, is_compact: false }
    }

    /// The same with an icon before its words.
    pub(crate) fn with_icon(self, icon: &'static str) -> Self {
        Self { icon: Some(icon), ..self }
    }

    /// Other words than the table's, where room is short.
    pub(crate) fn short(self, text: &'static str) -> Self {
        Self { text: Some(text), ..self }
    }

    /// What it looks like.
    pub(crate) fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// Makes it a toggle that is on or off.
    pub(crate) fn selected(self, selected: bool) -> Self {
        Self { selected: Some(selected), ..self }
    }

    /// Less room at its sides, for a row of many.
    pub(crate) fn compact(self) -> Self {
        Self { is_compact: true, ..self }
    }

    /// Shows it, and runs the command when pressed.
    pub(crate) fn show(&self, ui: &mut Ui, cx: &ViewContext<'_>) -> Response {
        let command = command(self.id);
        let mut button = match (self.text, self.icon) {
            (Some(text), Some(icon)) => Button::text(text).with_icon(icon).named(command.text),
            (Some(text), None) => Button::text(text).named(command.text),
            (None, icon) => Button::icon(icon.unwrap_or_default(), command.text),
        };
        if let Some(selected) = self.selected {
            button = button.selected(selected);
        }
        if self.is_compact {
            button = button.compact();
        }
        let enabled = (command.enabled)(cx.state);
        let why_not = if enabled { None } else { why_not(self.id, cx.state) };
        let response = button
            .look(self.look)
            .enabled(enabled)
            .tooltip(why_not.as_deref().unwrap_or(command.tooltip))
            .key(command.key(ui))
            .show(ui);
        if response.clicked() {
            self.press(cx);
        }
        response
    }

    /// Runs the command.
    pub(crate) fn press(&self, cx: &ViewContext<'_>) {
        // What concerns only the window has no buttons of this kind.
        let _local: Option<Local> = command(self.id).run(cx);
    }
}

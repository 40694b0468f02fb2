//! Buttons of commands, and why one would do nothing.

use std::borrow::Cow;

use egui::{Response, Ui};

use super::command::Local;
use super::command_id::CommandId;
use super::table::command;
use crate::metric::MapKind;
use crate::ui::context::ViewContext;
use crate::ui::widgets::{Button, Look};
use crate::workbench::{State, views};

/// A button of a command: its tooltip, key and state come from the table.
pub(crate) struct CommandButton {
    id: CommandId,
    icon: Option<&'static str>,
    text: Option<&'static str>,
    look: Look,
    selected: Option<bool>,
    is_compact: bool,
    shows_key: bool,
}

impl CommandButton {
    /// A button with the command's icon alone.
    pub(crate) fn icon(id: CommandId, icon: &'static str) -> Self {
        Self { icon: Some(icon), text: None, look: Look::Tool, ..Self::text(id) }
    }

    /// A button with the command's words.
    pub(crate) fn text(id: CommandId) -> Self {
        let text = Some(command(id).text);
        Self {
            id,
            icon: None,
            text,
            look: Look::Raised,
            selected: None,
            is_compact: false,
            shows_key: false,
        }
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

    /// Has the key beside its words, and not only where the pointer rests on it.
    pub(crate) fn with_key(self) -> Self {
        Self { shows_key: true, ..self }
    }

    /// Shows it, and runs the command when pressed.
    pub(crate) fn show(&self, ui: &mut Ui, cx: &ViewContext<'_>) -> Response {
        let command = command(self.id);
        // Screen readers say the whole name even where the words are shortened for lack of room.
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
        if self.shows_key {
            button = button.with_key();
        }
        let enabled = (command.enabled)(cx.state);
        // Asked for only where it is shown: some of the reasons look through the library.
        let why_not = if enabled { None } else { why_not(self.id, cx.state) };
        let hover_text = command.hover_text(cx.state);
        let response = button
            .look(self.look)
            .enabled(enabled)
            .tooltip(why_not.as_deref().unwrap_or(&hover_text))
            .key(command.key(ui, cx.state))
            .of(self.id)
            .show(ui);
        if response.clicked() {
            self.press(cx);
        }
        response
    }

    /// Shows it as a line of a menu with its key, and runs the command when pressed.
    pub(crate) fn menu_item_ui(&self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let command = command(self.id);
        let key = command.key(ui, cx.state).unwrap_or_default();
        let mut item = egui::Button::new(self.text.unwrap_or(command.text)).shortcut_text(key);
        if let Some(selected) = self.selected {
            item = item.selected(selected);
        }
        let response = ui.add_enabled((command.enabled)(cx.state), item);
        if response.on_hover_text(command.hover_text(cx.state)).clicked() {
            self.press(cx);
        }
    }

    /// Runs the command.
    pub(crate) fn press(&self, cx: &ViewContext<'_>) {
        // What concerns only the window has no buttons of this kind.
        let _local: Option<Local> = command(self.id).run(cx);
    }
}

/// Why a command would do nothing now, where that is not plain to see.
fn why_not(id: CommandId, state: &State) -> Option<Cow<'static, str>> {
    let why = match id {
        CommandId::RunAgain | CommandId::RunWith | CommandId::HandOverRun
            if state.selection.run.is_none() =>
        {
            "Select a run first."
        }
        CommandId::RunAgain => {
            return views::why_not_again(state, state.selection.run?).map(Cow::Owned);
        }
        CommandId::HandOverRun => {
            return views::why_not_handed_on(state, state.selection.run?).map(Cow::Owned);
        }
        CommandId::ReloadRun | CommandId::RemoveRun => {
            return views::why_not_removed(state, state.selection.run?).map(Cow::Owned);
        }
        CommandId::RunWith => "Its task is not open: open its task set.",
        CommandId::PauseRun | CommandId::StopRun => {
            "Only a run that is being made in this window can be paused or stopped."
        }
        CommandId::PauseAll | CommandId::StopAll => "No run is being made.",
        CommandId::ShowSaliency => views::why_no_saliency(state, MapKind::Generated)?,
        CommandId::ShowTruthSaliency => views::why_no_saliency(state, MapKind::GroundTruth)?,
        CommandId::ShowSaliencyDifference => views::why_no_saliency(state, MapKind::Difference)?,
        CommandId::ShowHeat if state.asks_in_words() => {
            "The task asks in words: there is nothing to compare the run with."
        }
        CommandId::ShowGroundTruth | CommandId::ShowHeat
            if state.selected_task().is_none() && state.selection.run.is_some() =>
        {
            "The task set of this run is not open: there is nothing to compare it with."
        }
        CommandId::ShowGroundTruth | CommandId::ShowHeat => "The task has no ground truth.",
        CommandId::FollowDocument | CommandId::AllDocuments | CommandId::NextDocument => {
            "Only a run of the design suite has several documents."
        }
        CommandId::NextLoss | CommandId::NextGain | CommandId::Best
            if state.selection.run.is_some() =>
        {
            "No step of the run has a score."
        }
        CommandId::RunAgent => "Open a task set first.",
        CommandId::AskModels if state.asked_variants().next().is_none() => {
            "Nobody is there to be asked: name a judge or a captioner in the file of models."
        }
        CommandId::ContinueByHand => {
            return views::why_not_by_hand(state, state.selection.run?).map(Cow::Owned);
        }
        // The rest is off for a reason that is in plain sight, such as that nothing is selected.
        _ => return None,
    };
    Some(Cow::Borrowed(why))
}

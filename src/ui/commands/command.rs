//! What a command is.

use std::borrow::Cow;

use egui::{KeyboardShortcut, Ui};

use super::assist::local::AssistLocal;
use super::command_id::CommandId;
use super::key_names::from_text;
use crate::ui::context::{KeyMeaning, ViewContext};
use crate::ui::icons;
use crate::ui::widgets::key_text;
use crate::workbench::{Command, DockedPanel, Overlay, PanelWindow, State, Workspace};

/// One thing a person can do.
pub(crate) struct UiCommand {
    /// Which.
    pub(crate) id: CommandId,
    /// Where it stands in the key sheet.
    pub(crate) group: Group,
    /// What it is called, in menus and in the palette. `…` if it asks for more.
    pub(crate) text: &'static str,
    /// What it does, in a sentence; `{small}` and `{big}` are how far arrow keys go.
    pub(crate) tooltip: &'static str,
    /// Its key, and a second one if there is, unless somebody chose others: see [`Self::keys`].
    pub(crate) own_keys: &'static [KeyboardShortcut],
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

impl CommandId {
    /// The name that settings know it by.
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }
}

impl UiCommand {
    /// What it does, in a sentence, with the sizes that are set.
    pub(crate) fn hover_text(&self, state: &State) -> Cow<'static, str> {
        if !self.tooltip.contains('{') {
            return Cow::Borrowed(self.tooltip);
        }
        let nudge = state.settings.canvas.nudge;
        let sizes = [("{small}", nudge.small()), ("{big}", nudge.big())];
        let words = sizes.into_iter().fold(self.tooltip.to_owned(), |words, (name, size)| {
            words.replace(name, &size.to_string())
        });
        Cow::Owned(words)
    }

    /// Its first key as people read it.
    pub(crate) fn key(&self, ui: &Ui, state: &State) -> Option<String> {
        // Where people design by hand it is the key of something else.
        let is_taken =
            self.group.scope() == Scope::OutsideAssist && state.workspace == Workspace::Assist;
        self.keys(state).first().filter(|_| !is_taken).map(|key| key_text(ui, *key))
    }

    /// Its keys, the one that is shown first: its own, or those that somebody chose instead.
    pub(crate) fn keys(&self, state: &State) -> Vec<KeyboardShortcut> {
        match self.chosen_keys(state) {
            // What another version wrote and nobody understands here is passed over.
            Some(texts) => texts.iter().filter_map(|text| from_text(text)).collect(),
            None => self.own_keys.to_vec(),
        }
    }

    /// Whether somebody chose its keys.
    pub(crate) fn has_chosen_keys(&self, state: &State) -> bool {
        self.chosen_keys(state).is_some()
    }

    fn chosen_keys<'a>(&self, state: &'a State) -> Option<&'a Vec<String>> {
        let keys = &state.settings.keys;
        // Mostly nobody chose any, and every button asks.
        if keys.is_empty() { None } else { keys.get(&self.id.name()) }
    }

    /// Whether its key works in this room, with what lies over the window.
    pub(super) fn is_reachable(&self, state: &State, room: KeyRoom) -> bool {
        let workspace = room.workspace(state);
        self.is_there(state)
            && self.group.scope().is_in(workspace)
            && self.is_over(state, workspace)
    }

    /// Whether it is there at all: what a condition of a study forbids is not, rather than off.
    pub(crate) fn is_there(&self, state: &State) -> bool {
        self.group != Group::Assistant || state.assist.study.allows_assistant()
    }

    fn is_over(&self, state: &State, workspace: Workspace) -> bool {
        let annotate = &state.annotate;
        let is_asked = annotate.asking_withdrawal.is_some() || annotate.asking_reveal;
        // The list of jobs hangs at its button and covers nothing.
        let is_covered = !matches!(state.overlay, None | Some(Overlay::Jobs))
            || (is_asked && workspace == Workspace::Annotate);
        let is_over_all = matches!(
            self.id,
            CommandId::Jobs | CommandId::KeySheet | CommandId::Palette | CommandId::SwitchTheme
        );
        !is_covered || is_over_all
    }

    /// Whether it puts the cursor into a field, so that what is typed next is meant for that.
    pub(super) fn takes_typing(&self, state: &State, room: KeyRoom) -> bool {
        let is_on = self.is_reachable(state, room) && (self.enabled)(state);
        is_on
            && match (self.effect)(state) {
                Effect::Window(local) => local.leads_to_field(),
                Effect::Send(_) => matches!(
                    self.id,
                    CommandId::FlagItem | CommandId::Palette | CommandId::NameVersion
                ),
            }
    }

    /// Sends what it sends, if it is enabled; gives what the window itself has to do.
    pub(crate) fn run(&self, cx: &ViewContext<'_>) -> Option<Local> {
        // A key may be pressed at any time, whatever the buttons show.
        if !(self.enabled)(cx.state) || !self.is_there(cx.state) {
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

/// The key of a command of letters, pressed while a text is typed, where no other key is one of a command.
#[derive(Debug)]
pub(super) struct CommandPress {
    /// Which.
    pub(super) command: &'static UiCommand,
    /// Where.
    pub(super) room: KeyRoom,
}

impl KeyMeaning for CommandPress {
    /// `None` if it is off, lies under something that covers the window, or concerns the window alone.
    fn pressed(&self, state: &State) -> Option<Command> {
        if !self.command.is_reachable(state, self.room) || !(self.command.enabled)(state) {
            return None;
        }
        match (self.command.effect)(state) {
            Effect::Send(command) => Some(command),
            Effect::Window(_) => None,
        }
    }
}

impl std::fmt::Debug for UiCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UiCommand").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What the window does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    /// Put the cursor into the library's filter.
    FocusFilter,
    /// Put the cursor into the filter of the table over all runs.
    FocusTableFilter,
    /// Show which columns that table may have.
    ChooseColumns,
    /// Copy that table.
    CopyTable,
    /// Copy the link to what is looked at.
    CopyLink,
    /// Show which curves the timeline may have.
    ChooseCurves,
    /// Put the cursor into the field that finds words in the run.
    FindInRun,
    /// Put the cursor into the field in which the assistant is asked.
    AskAssistant,
    /// Write the answer down, with how long the item was on the screen.
    ConfirmAnswer,
    /// Put the cursor into the note on the item.
    WriteLabelNote,
    /// Zoom into or out of the evidence about the middle of the view.
    ZoomEvidence {
        /// Whether in.
        inward: bool,
    },
    /// Put the cursor into the note on the step.
    WriteNote,
    /// Put the cursor into the name of the marked range.
    NameRange,
    /// Copy what the stage shows.
    CopyStage,
    /// Fill the screen with the window, or not.
    FullScreen,
    /// Move the view by so many steps to the right and down.
    Pan([i8; 2]),
    /// Copy the path of the run's folder.
    CopyFolder,
    /// Zoom in about the middle of the view.
    ZoomIn,
    /// Zoom out about the middle of the view.
    ZoomOut,
    /// Something in the room in which people design by hand.
    Assist(AssistLocal),
}

impl Local {
    /// The window in which it is done that was asked for `here`; `None`: the main one.
    pub(crate) fn window(self, state: &State, here: Option<PanelWindow>) -> Option<PanelWindow> {
        let panel = match self {
            Self::FocusFilter => return None,
            Self::FocusTableFilter | Self::ChooseColumns => PanelWindow::Explore,
            Self::FindInRun | Self::WriteNote | Self::NameRange => PanelWindow::Inspector,
            Self::ChooseCurves => PanelWindow::Timeline,
            // Done wherever it is asked for, or in the one room that has its key.
            Self::CopyTable
            | Self::CopyLink
            | Self::AskAssistant
            | Self::ConfirmAnswer
            | Self::WriteLabelNote
            | Self::ZoomEvidence { .. }
            | Self::CopyStage
            | Self::FullScreen
            | Self::Pan(_)
            | Self::CopyFolder
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::Assist(_) => return here,
        };
        Some(panel).filter(|panel| state.has_window(*panel))
    }

    /// Whether it puts the cursor into a field.
    pub(crate) fn leads_to_field(self) -> bool {
        matches!(
            self,
            Self::FocusFilter
                | Self::FocusTableFilter
                | Self::FindInRun
                | Self::WriteNote
                | Self::NameRange
                | Self::WriteLabelNote
                | Self::AskAssistant
                | Self::Assist(
                    AssistLocal::SearchLayers | AssistLocal::RenameLayer | AssistLocal::NudgeAmount
                )
        )
    }

    /// The panel in which it is done, which may be hidden.
    pub(crate) fn panel(self) -> Option<DockedPanel> {
        match self {
            Self::FocusFilter => Some(DockedPanel::Library),
            Self::FindInRun | Self::WriteNote | Self::NameRange => Some(DockedPanel::Inspector),
            Self::ChooseCurves => Some(DockedPanel::Timeline),
            _ => None,
        }
    }
}

/// What keys mean where they are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyRoom {
    /// What they mean in the room that the main window shows when their turn comes.
    Main,
    /// What they mean in this room: a panel of it has a window of its own.
    Of(Workspace),
}

impl KeyRoom {
    /// The room they are meant in.
    pub(super) fn workspace(self, state: &State) -> Workspace {
        match self {
            Self::Main => state.workspace,
            Self::Of(workspace) => workspace,
        }
    }
}

/// Where a command's keys work. No two that can be meant together share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In the whole window, whatever is shown in it.
    Window,
    /// In the whole window but where people design by hand: there the keys are those that designers know.
    OutsideAssist,
    /// Where runs are stepped through.
    Inspect,
    /// In the table over all runs.
    Explore,
    /// Where people label.
    Annotate,
    /// Where people design by hand.
    Assist,
}

impl Scope {
    /// Whether keys of both can be meant at one time.
    pub(crate) fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::OutsideAssist, Self::Assist) | (Self::Assist, Self::OutsideAssist) => false,
            (Self::Window | Self::OutsideAssist, _) | (_, Self::Window | Self::OutsideAssist) => {
                true
            }
            _ => self == other,
        }
    }

    /// Whether its keys work in a room of the window.
    pub(crate) fn is_in(self, workspace: Workspace) -> bool {
        match self {
            Self::Window => true,
            Self::OutsideAssist => workspace != Workspace::Assist,
            Self::Inspect => workspace == Workspace::Inspect,
            Self::Explore => workspace == Workspace::Explore,
            Self::Annotate => workspace == Workspace::Annotate,
            Self::Assist => workspace == Workspace::Assist,
        }
    }

    /// Whether its commands act on something that is seen, in whichever window.
    pub(crate) fn is_seen(self, state: &State) -> bool {
        match self {
            Self::Window | Self::OutsideAssist => true,
            Self::Inspect => state.shows_step(),
            Self::Explore => state.shows_explore(),
            Self::Annotate => state.workspace == Workspace::Annotate,
            Self::Assist => state.workspace == Workspace::Assist,
        }
    }

    /// What the key sheet calls it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Window => "everywhere",
            Self::OutsideAssist => "outside assist",
            Self::Inspect => "inspect",
            Self::Explore => "explore",
            Self::Annotate => "annotate",
            Self::Assist => "assist",
        }
    }
}

/// The headings of the key sheet, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Workbench,
    Window,
    Runs,
    Library,
    Timeline,
    Stage,
    Nodes,
    Scores,
    Table,
    Label,
    Evidence,
    Tools,
    Canvas,
    Edit,
    Order,
    Letters,
    Assistant,
    Study,
}

impl Group {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 18] = [
        Self::Timeline,
        Self::Stage,
        Self::Nodes,
        Self::Scores,
        Self::Library,
        Self::Runs,
        Self::Workbench,
        Self::Window,
        Self::Table,
        Self::Label,
        Self::Evidence,
        Self::Tools,
        Self::Canvas,
        Self::Edit,
        Self::Order,
        Self::Letters,
        Self::Assistant,
        Self::Study,
    ];

    /// Where its keys work.
    pub(crate) fn scope(self) -> Scope {
        match self {
            Self::Workbench => Scope::Window,
            Self::Window => Scope::OutsideAssist,
            Self::Timeline
            | Self::Stage
            | Self::Nodes
            | Self::Scores
            | Self::Runs
            | Self::Library => Scope::Inspect,
            Self::Table => Scope::Explore,
            Self::Label | Self::Evidence => Scope::Annotate,
            Self::Tools
            | Self::Canvas
            | Self::Edit
            | Self::Order
            | Self::Letters
            | Self::Assistant
            | Self::Study => Scope::Assist,
        }
    }

    /// What its commands have in the palette.
    pub(crate) fn icon(self) -> &'static str {
        match self {
            Self::Workbench | Self::Window => icons::SEARCH,
            Self::Runs => icons::RUN,
            Self::Library => icons::OPEN,
            Self::Timeline => icons::PLAY,
            Self::Stage | Self::Evidence | Self::Canvas => icons::PICTURE,
            Self::Nodes | Self::Order => icons::NODES,
            Self::Scores | Self::Assistant => icons::BEST,
            Self::Table => icons::TABLE,
            Self::Label | Self::Study => icons::CHECK,
            Self::Tools | Self::Edit | Self::Letters => icons::EDIT,
        }
    }

    /// The heading.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Workbench => "Workbench",
            Self::Window => "Window",
            Self::Runs => "Runs",
            Self::Library => "Library",
            Self::Timeline => "Timeline",
            Self::Stage => "Stage",
            Self::Nodes => "Nodes",
            Self::Scores => "Scores",
            Self::Table => "Table",
            Self::Label => "Label",
            Self::Evidence => "Evidence",
            Self::Tools => "Tools",
            Self::Canvas => "Canvas",
            Self::Edit => "Edit",
            Self::Order => "Arrange",
            Self::Letters => "Text",
            Self::Assistant => "Assistant",
            Self::Study => "Study",
        }
    }
}

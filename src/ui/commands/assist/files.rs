//! New, open, save, export, versions, taking over and handing back.

use egui::Key;

use super::{assist, desk, has_desk, is_at_task};
use crate::base::Size;
use crate::editor::exported_nodes;
use crate::ui::commands::UiCommand;
use crate::ui::commands::command::Effect;
use crate::ui::commands::keys::{ctrl, ctrl_alt, ctrl_alt_shift, ctrl_shift};
use crate::workbench::protocol::ExportFormat;
use crate::workbench::views;
use crate::workbench::{
    AssistCommand, AssistStart, Browse, Command, FilesCommand, Recording, State, Workspace,
};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    NewDesign, Edit, "New design", "Begin with an empty frame of a phone; the start page has other sizes.", [ctrl(Key::N)], can_open, |_| assist(AssistCommand::Open(AssistStart::Blank(PHONE)));
    OpenDesign, Edit, "Open a design…", "Open a design from a file of Figma JSON, with the pictures beside it.", [ctrl_shift(Key::O)], can_open, |_| browse(Browse::Design);
    CloseDesign, Edit, "Close the design", "Leave the design; all that was done is on disk.", [ctrl(Key::W)], has_desk, |_| assist(AssistCommand::Close);
    SaveDesignAs, Edit, "Save as…", "Write the design to a file of Figma JSON. What is done is recorded by itself.", [ctrl_shift(Key::S)], has_desk, |_| browse(Browse::SaveDesign(ExportFormat::Json));
    ExportDesignPng, Edit, "Export as PNG…", "Write the selected layer, or the screen, to a picture at two pixels a unit.", [ctrl_shift(Key::E)], has_desk, |_| browse(Browse::SaveDesign(ExportFormat::Png { scale: 2 }));
    ExportDesignSvg, Edit, "Export as SVG…", "Write the selected layer, or the screen, as SVG with its texts as outlines.", [ctrl_alt_shift(Key::E)], has_desk, |_| browse(Browse::SaveDesign(ExportFormat::Svg));
    ExportLayers, Edit, "Export layers…", "Write the selected layers, or the screen, into a folder, as the rows under Export in the properties say.", [ctrl_alt_shift(Key::X)], has_exports, |_| browse(Browse::ExportLayers);
    NameVersion, Edit, "Name this version…", "Give the design as it is now a name, to look at and come back to.", [ctrl_alt(Key::S)], has_desk, |_| files(FilesCommand::AskName(Some(String::new())));
    LookAtVersion, Edit, "Versions", "Look at the version that got its name last, and from there at those before.", [ctrl_alt_shift(Key::V)], has_versions, last_version;
    HandBack, Edit, "Hand back to an agent…", "Launch an agent on the task, which begins with the design as it is.", [ctrl_alt_shift(Key::A)], can_hand_back, |_| files(FilesCommand::HandBack);
    ContinueByHand, Runs, "Continue by hand", "Go on with the run yourself, behind the step that is shown: on the canvas with the design, elsewhere call by call. The run stays as it is.", [ctrl_alt(Key::B)], can_continue_by_hand, |_| files(FilesCommand::ContinueByHand);
];

/// The first of the sizes that the start page offers.
const PHONE: Size = Size::new(393.0, 852.0);

fn files(command: FilesCommand) -> Effect {
    assist(AssistCommand::Files(command))
}

fn browse(what: Browse) -> Effect {
    Effect::Send(Command::Browse(what))
}

/// While a study is open its pages stand where another design would.
fn can_open(state: &State) -> bool {
    state.workspace == Workspace::Assist && state.assist.study.desk.is_none()
}

fn has_exports(state: &State) -> bool {
    desk(state)
        .is_some_and(|desk| !exported_nodes(desk.editor.document(), &desk.exportable()).is_empty())
}

fn has_versions(state: &State) -> bool {
    desk(state).is_some_and(|desk| !desk.files.versions.is_empty())
}

fn last_version(state: &State) -> Effect {
    let versions = desk(state).map_or(0, |desk| desk.files.versions.len());
    files(FilesCommand::View(versions.checked_sub(1)))
}

fn can_hand_back(state: &State) -> bool {
    let is_kept = desk(state).is_some_and(|desk| desk.recording != Recording::Empty);
    // No condition of a study has an agent do the task.
    is_kept && state.task_of_desk().is_some() && !is_at_task(state)
}

fn can_continue_by_hand(state: &State) -> bool {
    state.selection.run.is_some_and(|run| views::why_not_by_hand(state, run).is_none())
}

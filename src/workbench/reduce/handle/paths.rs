//! A path that somebody chose, in the system's dialog or by typing it.

use std::path::PathBuf;

use crate::workbench::model::{AssistStart, NoticeLevel, Overlay, State, TypedPath};
use crate::workbench::protocol::{
    AnnotateCommand, AssistCommand, Browse, Command, ExperimentEdit, ExploreCommand, FilesCommand,
    LaunchEdit, NewStudyEdit, PathKind, ScoresCommand, StudyCommand, with_extension,
};

/// The folder that a file is written to unless another is typed.
const FOLDER: &str = "~/";
const NO_DIALOG: &str = "The file dialog could not be shown. Install xdg-desktop-portal with a \
    backend (such as xdg-desktop-portal-gtk) or zenity, or type the path into its field.";

/// Asks for the path in the window; where it has a field already, says so.
pub(super) fn ask(state: &mut State, what: Browse) {
    if !what.has_overlay() {
        state.notify(NoticeLevel::Warning, NO_DIALOG);
        return;
    }
    let name = match what.path_kind() {
        PathKind::NewFile(_, _, name) => name,
        PathKind::Folder | PathKind::File(_) => "",
    };
    state.typed_path = Some(TypedPath { what, text: format!("{FOLDER}{name}") });
    state.overlay = Some(Overlay::Path);
}

/// The path is that far typed.
pub(super) fn edit(state: &mut State, text: String) {
    if let Some(typed) = &mut state.typed_path {
        typed.text = text;
    }
}

/// What is done with the path that was chosen. A file to be written gets the end of its name unless
/// it has it.
pub(super) fn chosen(what: Browse, path: PathBuf) -> Command {
    // Typed paths come here like chosen ones: a name without its ending gets it in either case.
    let path = match what.path_kind() {
        PathKind::NewFile(_, extension, _) => with_extension(path, extension),
        PathKind::Folder | PathKind::File(_) => path,
    };
    match what {
        Browse::OpenFolder | Browse::OpenFiles => Command::Open(vec![path]),
        Browse::Script => Command::EditLaunch(LaunchEdit::Script(Some(path))),
        Browse::ModelFile => Command::EditLaunch(LaunchEdit::ModelFile(Some(path))),
        Browse::OutDir => Command::EditLaunch(LaunchEdit::OutDir(path)),
        Browse::PictureFolder => Command::EditLaunch(LaunchEdit::Pictures(Some(path))),
        Browse::PromptFolder => {
            Command::EditLaunch(LaunchEdit::Experiment(ExperimentEdit::AddPrompts(path)))
        }
        Browse::Models => Command::Scores(ScoresCommand::UseModels(Some(path))),
        Browse::Captions => Command::Scores(ScoresCommand::UseCaptions(Some(path))),
        Browse::Labels => Command::Annotate(AnnotateCommand::Open(path)),
        Browse::MovedRuns => Command::Annotate(AnnotateCommand::Relocate(path)),
        Browse::NewLabels => Command::Annotate(AnnotateCommand::Make(path)),
        Browse::AddPicture => Command::AddPicture(path),
        Browse::PlacePicture(at) => Command::Assist(AssistCommand::PlacePictures(vec![path], at)),
        Browse::Study | Browse::StudyPacket => study(StudyCommand::Open(path)),
        Browse::StudyTasks => study(StudyCommand::EditNew(NewStudyEdit::Tasks(path))),
        Browse::NewStudy => study(StudyCommand::Make(path)),
        Browse::PackStudy(row) => study(StudyCommand::Pack { row, path }),
        Browse::StudyAnswers => study(StudyCommand::SaveAnswers(path)),
        Browse::MergeStudy => study(StudyCommand::Merge(path)),
        Browse::SaveStage { scale, form: _ } => Command::SaveStage { scale, path },
        Browse::NewLabelsFile(what) => {
            Command::Annotate(AnnotateCommand::ChooseNewFile(what, path))
        }
        Browse::SavePicture(pane) => Command::SavePicture { pane, path },
        Browse::Design => Command::Assist(AssistCommand::Open(AssistStart::File(path))),
        Browse::SaveDesign(format) => {
            Command::Assist(AssistCommand::Files(FilesCommand::Write { format, path }))
        }
        Browse::ExportLayers => {
            Command::Assist(AssistCommand::Files(FilesCommand::ExportLayers(path)))
        }
        Browse::Export(format) => Command::Export { format, path },
        Browse::Table(table, format) => {
            Command::Explore(ExploreCommand::Export { table, format, path })
        }
        Browse::Runs(kind, form) => Command::ExportRuns { kind, form, path },
        Browse::Figure(id, form) => {
            Command::Explore(ExploreCommand::SaveFigure { id: id.to_owned(), form, path })
        }
        Browse::Report(of) => Command::ExportReport { of, path },
    }
}

fn study(command: StudyCommand) -> Command {
    Command::Assist(AssistCommand::Study(command))
}

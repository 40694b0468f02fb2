//! Asking for a path: for what, and what becomes of the answer.

use std::path::{Path, PathBuf};

use super::annotate::NewLabelsFile;
use super::explore::{ExportedTable, TableFile};
use super::export::{ExportForm, RunsExport};
use super::stage::StagePane;
use crate::base::{PICTURE_ENDINGS, Point};
use crate::environment::DESIGN_PICTURE_ENDINGS;

/// What a path is asked for, by the system's dialog or, where there is none, in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Browse {
    /// A folder to open: gives [`Command::Open`](crate::workbench::protocol::Command::Open).
    OpenFolder,
    /// Files to open: gives [`Command::Open`](crate::workbench::protocol::Command::Open).
    OpenFiles,
    /// The script of the `scripted` agent: gives
    /// [`LaunchEdit::Script`](crate::workbench::protocol::LaunchEdit::Script).
    Script,
    /// The file of models that act: gives [`LaunchEdit::ModelFile`](crate::workbench::protocol::LaunchEdit::ModelFile).
    ModelFile,
    /// Where runs go: gives [`LaunchEdit::OutDir`](crate::workbench::protocol::LaunchEdit::OutDir).
    OutDir,
    /// Where the pictures of design queries are: gives
    /// [`LaunchEdit::Pictures`](crate::workbench::protocol::LaunchEdit::Pictures).
    PictureFolder,
    /// A folder of prompts: gives
    /// [`ExperimentEdit::AddPrompts`](crate::workbench::protocol::ExperimentEdit::AddPrompts).
    PromptFolder,
    /// The file of models: gives [`ScoresCommand::UseModels`](crate::workbench::protocol::ScoresCommand::UseModels).
    Models,
    /// The file of captions: gives
    /// [`ScoresCommand::UseCaptions`](crate::workbench::protocol::ScoresCommand::UseCaptions).
    Captions,
    /// A labelling project: gives [`AnnotateCommand::Open`](crate::workbench::protocol::AnnotateCommand::Open).
    Labels,
    /// Where the runs of the labelling project lie now: gives
    /// [`AnnotateCommand::Relocate`](crate::workbench::protocol::AnnotateCommand::Relocate).
    MovedRuns,
    /// Where a labelling project goes that is being made: gives
    /// [`AnnotateCommand::Make`](crate::workbench::protocol::AnnotateCommand::Make).
    NewLabels,
    /// What a labelling project that is being made takes from a file: gives
    /// [`AnnotateCommand::ChooseNewFile`](crate::workbench::protocol::AnnotateCommand::ChooseNewFile).
    NewLabelsFile(NewLabelsFile),
    /// A study to lead or take part in: gives [`StudyCommand::Open`](crate::workbench::protocol::StudyCommand::Open).
    Study,
    /// A packet of a study: gives [`StudyCommand::Open`](crate::workbench::protocol::StudyCommand::Open).
    StudyPacket,
    /// Where the tasks of a new study lie: gives
    /// [`StudyCommand::EditNew`](crate::workbench::protocol::StudyCommand::EditNew).
    StudyTasks,
    /// Where a new study goes: gives [`StudyCommand::Make`](crate::workbench::protocol::StudyCommand::Make).
    NewStudy,
    /// Where the packet for a row of the plan goes: gives
    /// [`StudyCommand::Pack`](crate::workbench::protocol::StudyCommand::Pack).
    PackStudy(u32),
    /// Where what was done in a packet goes: gives
    /// [`StudyCommand::SaveAnswers`](crate::workbench::protocol::StudyCommand::SaveAnswers).
    StudyAnswers,
    /// What was done in a packet, to be taken in: gives
    /// [`StudyCommand::Merge`](crate::workbench::protocol::StudyCommand::Merge).
    MergeStudy,
    /// Where a table goes: gives [`ExploreCommand::Export`](crate::workbench::protocol::ExploreCommand::Export).
    Table(ExportedTable, TableFile),
    /// A picture to be put beside the run: gives
    /// [`Command::AddPicture`](crate::workbench::protocol::Command::AddPicture).
    AddPicture,
    /// A picture to be put onto the page of a design, around this place: gives
    /// [`AssistCommand::PlacePictures`](crate::workbench::protocol::AssistCommand::PlacePictures).
    PlacePicture(Point),
    /// Where what the stage shows goes: gives [`Command::SaveStage`](crate::workbench::protocol::Command::SaveStage).
    SaveStage {
        /// Pixels of the file for each of the picture's, 1 ..= 4.
        scale: u8,
        /// As what.
        form: StageForm,
    },
    /// Where a pane's picture goes: gives [`Command::SavePicture`](crate::workbench::protocol::Command::SavePicture).
    SavePicture(StagePane),
    /// A design to be worked on by hand: gives
    /// [`AssistStart::File`](crate::workbench::AssistStart::File).
    Design,
    /// Where the design goes that is worked on by hand: gives
    /// [`FilesCommand::Write`](crate::workbench::protocol::FilesCommand::Write).
    SaveDesign(ExportFormat),
    /// Where layers of the design go that is worked on by hand: gives
    /// [`FilesCommand::ExportLayers`](crate::workbench::protocol::FilesCommand::ExportLayers).
    ExportLayers,
    /// Where the design or the selected node goes: gives
    /// [`Command::Export`](crate::workbench::protocol::Command::Export).
    Export(ExportFormat),
    /// Where runs go that are exported: gives [`Command::ExportRuns`](crate::workbench::protocol::Command::ExportRuns).
    Runs(RunsExport, ExportForm),
    /// Where a figure of the papers goes: gives
    /// [`ExploreCommand::SaveFigure`](crate::workbench::protocol::ExploreCommand::SaveFigure).
    Figure(&'static str, StageForm),
    /// Where a report goes: gives [`Command::ExportReport`](crate::workbench::protocol::Command::ExportReport).
    Report(ReportScope),
}

/// As what the stage is written; the end of the file's name says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageForm {
    /// Pixels.
    Png,
    /// A page with the picture on it, for a program that draws.
    Svg,
    /// The same for print.
    Pdf,
}

/// Which runs a report is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportScope {
    /// The one on the stage.
    Selected,
    /// Those that the library lists: that pass its filter, in its order.
    Listed,
}

/// What a design is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A picture at so many pixels a unit, 1..=4.
    Png {
        /// Pixels a unit.
        scale: u8,
    },
    /// SVG, with texts as outlines.
    Svg,
    /// Figma REST JSON.
    Json,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A folder that is there.
    Folder,
    /// A file that is there, of a kind, by what people call it and the ends of its name; `None`: any.
    File(Option<(&'static str, &'static [&'static str])>),
    /// A file to be written: what people call its kind, the end of its name, and the name it is given
    /// unless somebody chooses another.
    NewFile(&'static str, &'static str, &'static str),
}

impl Browse {
    /// What the dialog is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::OpenFolder => "Open a folder",
            Self::OpenFiles => "Open files",
            Self::Script => "Choose a script",
            Self::ModelFile | Self::Models => "Choose a file of models",
            Self::OutDir => "Choose where runs go",
            Self::PictureFolder => "Choose a folder of pictures",
            Self::PromptFolder => "Choose a folder of prompts",
            Self::Captions => "Choose a file of captions",
            Self::Labels => "Open a labelling project",
            Self::MovedRuns => "Where the runs lie now",
            Self::NewLabels => "Make a labelling project",
            Self::AddPicture => "Compare with a picture",
            Self::PlacePicture(_) => "Place an image",
            Self::SaveStage { .. } => "Save the stage",
            Self::NewLabelsFile(NewLabelsFile::Consent) => "Choose the text to agree to",
            Self::NewLabelsFile(NewLabelsFile::Examples) => "Choose good and bad examples",
            Self::NewLabelsFile(NewLabelsFile::Known) => "Choose a table of known answers",
            Self::NewLabelsFile(NewLabelsFile::Practice) => "Choose a table of items to learn by",
            Self::NewLabelsFile(NewLabelsFile::Queries | NewLabelsFile::QueryFolder) => {
                "Choose queries with their pictures"
            }
            Self::NewLabelsFile(NewLabelsFile::Form) => "Choose a form of your own",
            Self::SavePicture(_) => "Save the picture",
            Self::Design => "Open a design",
            Self::SaveDesign(ExportFormat::Json) => "Save the design as",
            Self::SaveDesign(_) | Self::Export(_) => "Export the design",
            Self::ExportLayers => "Choose where the files go",
            Self::Runs(RunsExport::Canvas, _) => "Choose where the folders go",
            Self::Runs(RunsExport::Demonstrations, _) => "Save the demonstrations",
            Self::Runs(..) => "Export runs",
            Self::Figure(..) => "Save the figure",
            Self::Study => "Open a study",
            Self::StudyPacket => "Open a packet of a study",
            Self::StudyTasks => "Choose where the tasks lie",
            Self::NewStudy => "Choose a folder for the study",
            Self::PackStudy(_) => "Save the packet",
            Self::StudyAnswers => "Save what was done",
            Self::MergeStudy => "Merge what was done",
            Self::Report(_) => "Export the report",
            Self::Table(..) => "Export the table",
        }
    }

    /// What is asked for.
    pub fn path_kind(self) -> PathKind {
        const JSON: &[&str] = &["json"];
        match self {
            Self::OpenFolder
            | Self::OutDir
            | Self::PictureFolder
            | Self::PromptFolder
            | Self::MovedRuns
            | Self::Study
            | Self::StudyTasks
            | Self::NewStudy
            | Self::ExportLayers
            | Self::Runs(RunsExport::Canvas, _)
            | Self::NewLabelsFile(NewLabelsFile::QueryFolder) => PathKind::Folder,
            Self::OpenFiles => PathKind::File(None),
            Self::StudyPacket => PathKind::File(Some(("Study packet", &["study-packet"]))),
            Self::MergeStudy => PathKind::File(Some(("Study answers", &["study-answers"]))),
            Self::PackStudy(_) => {
                PathKind::NewFile("Study packet", "study-packet", "packet.study-packet")
            }
            Self::StudyAnswers => {
                PathKind::NewFile("Study answers", "study-answers", "answers.study-answers")
            }
            Self::Script => PathKind::File(Some(("JSON", &["json", "jsonl"]))),
            Self::ModelFile | Self::Models | Self::Captions => PathKind::File(Some(("JSON", JSON))),
            Self::Labels => PathKind::File(Some(("Labelling project", &["labels"]))),
            Self::NewLabels => PathKind::NewFile("Labelling project", "labels", "study.labels"),
            Self::AddPicture => PathKind::File(Some(("Picture", PICTURE_ENDINGS))),
            // A design holds no others.
            Self::PlacePicture(_) => PathKind::File(Some(("Picture", DESIGN_PICTURE_ENDINGS))),
            Self::SaveStage { form: StageForm::Png, .. } => {
                PathKind::NewFile("PNG", "png", "stage.png")
            }
            Self::SaveStage { form: StageForm::Svg, .. } => {
                PathKind::NewFile("SVG", "svg", "stage.svg")
            }
            Self::SaveStage { form: StageForm::Pdf, .. } => {
                PathKind::NewFile("PDF", "pdf", "stage.pdf")
            }
            Self::NewLabelsFile(
                NewLabelsFile::Known | NewLabelsFile::Practice | NewLabelsFile::Queries,
            ) => PathKind::File(Some(("Table", &["csv", "jsonl"]))),
            Self::NewLabelsFile(NewLabelsFile::Form) => PathKind::File(Some(("Form", JSON))),
            Self::NewLabelsFile(_) => PathKind::File(Some(("Markdown", &["md", "txt"]))),
            Self::SavePicture(pane) => PathKind::NewFile("PNG", "png", pane.facts().file),
            Self::Design => PathKind::File(Some(("Figma JSON", JSON))),
            Self::Export(ExportFormat::Png { .. }) | Self::SaveDesign(ExportFormat::Png { .. }) => {
                PathKind::NewFile("PNG", "png", "design.png")
            }
            Self::Export(ExportFormat::Svg) | Self::SaveDesign(ExportFormat::Svg) => {
                PathKind::NewFile("SVG", "svg", "design.svg")
            }
            Self::Export(ExportFormat::Json) | Self::SaveDesign(ExportFormat::Json) => {
                PathKind::NewFile("Figma JSON", "json", "design.json")
            }
            Self::Runs(kind, form) => {
                PathKind::NewFile(form.label(), form.extension(), kind.file_name(form))
            }
            Self::Figure(_, StageForm::Png) => PathKind::NewFile("PNG", "png", "figure.png"),
            Self::Figure(_, StageForm::Svg) => PathKind::NewFile("SVG", "svg", "figure.svg"),
            Self::Figure(_, StageForm::Pdf) => PathKind::NewFile("PDF", "pdf", "figure.pdf"),
            Self::Report(_) => PathKind::NewFile("HTML", "html", "report.html"),
            Self::Table(table, format) => {
                let (name, extension, _) = format.file();
                PathKind::NewFile(name, extension, table.file_name(format))
            }
        }
    }

    /// Whether the window can ask for it in an overlay of its own: what the launch dialog asks for has a
    /// field there.
    pub fn has_overlay(self) -> bool {
        !matches!(
            self,
            Self::Script
                | Self::ModelFile
                | Self::OutDir
                | Self::PictureFolder
                | Self::PromptFolder
        )
    }
}

/// A path that is being typed, where the system has no dialog to ask for it.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedPath {
    /// What for.
    pub what: Browse,
    /// As far as it is typed.
    pub text: String,
}

/// The path with this extension at its end, unless it is there already. Appended and not replaced:
/// what follows a dot may be part of the name, as in `screen v1.2`.
pub fn with_extension(path: PathBuf, extension: &str) -> PathBuf {
    if has_extension(&path, extension) {
        return path;
    }
    let mut path = path.into_os_string();
    path.push(".");
    path.push(extension);
    path.into()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webp_is_compared_with_and_not_placed() {
        let [compared, placed] =
            [Browse::AddPicture, Browse::PlacePicture(Point::ZERO)].map(|what| {
                match what.path_kind() {
                    PathKind::File(Some((_, endings))) => endings,
                    _ => &[],
                }
            });
        assert!(compared.contains(&"webp") && !placed.contains(&"webp"));
    }

    #[test]
    fn a_file_gets_its_extension_unless_it_has_it_whatever_else_follows_a_dot() {
        let saved = ["screen", "screen v1.2", "screen.PNG", "screen.png", "a.b/screen"]
            .map(|name| with_extension(PathBuf::from(name), "png"));
        let expected =
            ["screen.png", "screen v1.2.png", "screen.PNG", "screen.png", "a.b/screen.png"];
        assert_eq!(saved, expected.map(PathBuf::from));
    }
}

//! The system's file dialogs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rfd::FileDialog;

use crate::workbench::protocol::ExportFormat;
use crate::workbench::{
    AnnotateCommand, Browse, Command, ExperimentEdit, LaunchEdit, ScoresCommand, StagePane,
};

/// A dialog that is gone sooner was never there.
const FASTEST_ANSWER: Duration = Duration::from_millis(250);
const NO_DIALOG: &str = "The file dialog could not be shown. Install xdg-desktop-portal with a \
    backend (such as xdg-desktop-portal-gtk) or zenity, or type the path after Ctrl+P.";

/// Shows dialogs one at a time, each on a thread of its own: they wait for the person, and the
/// window must not.
#[derive(Debug)]
pub(super) struct Dialogs {
    ctx: egui::Context,
    send: Sender<Command>,
    receive: Receiver<Command>,
    is_open: Arc<AtomicBool>,
}

impl Dialogs {
    pub(super) fn new(ctx: egui::Context) -> Self {
        let (send, receive) = bounded(4);
        Self { ctx, send, receive, is_open: Arc::default() }
    }

    /// Shows a dialog; while another is open, nothing happens.
    pub(super) fn open(&self, what: Browse) {
        // Read and set in one step, or two keys in one frame would open two dialogs.
        if self.is_open.swap(true, Ordering::AcqRel) {
            return;
        }
        let (ctx, send, is_open) = (self.ctx.clone(), self.send.clone(), Arc::clone(&self.is_open));
        let spawned = Builder::new().name("dialog".to_owned()).spawn(move || {
            let _closes = OnDrop(is_open);
            let began = Instant::now();
            let answer = ask(what);
            // Nobody backs out of a dialog as fast as a dialog fails that cannot be shown.
            let failed = answer.is_none() && began.elapsed() < FASTEST_ANSWER;
            let answer = answer.or_else(|| failed.then(|| Command::Warn(NO_DIALOG.to_owned())));
            if let Some(command) = answer {
                // Full only if nobody has looked for four dialogs.
                send.try_send(command).ok();
                // The window sleeps, and would take the answer only when the pointer moves.
                ctx.request_repaint();
            }
        });
        // A thread that did not begin drops nothing that would say so.
        if spawned.is_err() {
            self.is_open.store(false, Ordering::Release);
        }
    }

    /// What was chosen since the last time.
    pub(super) fn answers(&self) -> impl Iterator<Item = Command> {
        self.receive.try_iter()
    }
}

/// Says that no dialog is open, also if it panicked.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Shows the dialog; `None` if the person backs out.
fn ask(what: Browse) -> Option<Command> {
    let dialog = FileDialog::new();
    Some(match what {
        Browse::OpenFolder => Command::Open(dialog.set_title("Open a folder").pick_folders()?),
        Browse::OpenFiles => Command::Open(dialog.set_title("Open files").pick_files()?),
        Browse::Script => {
            let file = dialog.set_title("Choose a script").add_filter("JSON", &["json", "jsonl"]);
            Command::EditLaunch(LaunchEdit::Script(Some(file.pick_file()?)))
        }
        Browse::Models => {
            let file = dialog.set_title("Choose a file of models").add_filter("JSON", &["json"]);
            Command::Scores(ScoresCommand::UseModels(Some(file.pick_file()?)))
        }
        Browse::Captions => {
            let file = dialog.set_title("Choose a file of captions").add_filter("JSON", &["json"]);
            Command::Scores(ScoresCommand::UseCaptions(Some(file.pick_file()?)))
        }
        Browse::ModelFile => {
            let file = dialog.set_title("Choose a file of models").add_filter("JSON", &["json"]);
            Command::EditLaunch(LaunchEdit::ModelFile(Some(file.pick_file()?)))
        }
        Browse::OutDir => {
            let folder = dialog.set_title("Choose where runs go").pick_folder()?;
            Command::EditLaunch(LaunchEdit::OutDir(folder))
        }
        Browse::PictureFolder => {
            let folder = dialog.set_title("Choose a folder of pictures").pick_folder()?;
            Command::EditLaunch(LaunchEdit::Pictures(Some(folder)))
        }
        Browse::PromptFolder => {
            let folder = dialog.set_title("Choose a folder of prompts").pick_folder()?;
            Command::EditLaunch(LaunchEdit::Experiment(ExperimentEdit::Prompts(Some(folder))))
        }
        Browse::Labels => {
            let file = dialog.set_title("Open a labelling project");
            let file = file.add_filter("Labelling project", &["labels"]);
            Command::Annotate(AnnotateCommand::Open(file.pick_file()?))
        }
        Browse::MovedRuns => {
            let folder = dialog.set_title("Where the runs lie now").pick_folder()?;
            Command::Annotate(AnnotateCommand::Relocate(folder))
        }
        Browse::NewLabels => {
            let file = dialog.set_title("Make a labelling project");
            let file = file.add_filter("Labelling project", &["labels"]);
            let path = file.set_file_name("study.labels").save_file()?;
            Command::Annotate(AnnotateCommand::Make(with_extension(path, "labels")))
        }
        Browse::SavePicture(pane) => {
            let file = dialog.set_title("Save the picture").add_filter("PNG", &["png"]);
            let path = file.set_file_name(file_name(pane)).save_file()?;
            Command::SavePicture { pane, path: with_extension(path, "png") }
        }
        Browse::Export(format) => {
            let (name, extension) = match format {
                ExportFormat::Png { .. } => ("PNG", "png"),
                ExportFormat::Svg => ("SVG", "svg"),
                ExportFormat::Json => ("Figma JSON", "json"),
            };
            let file = dialog.set_title("Export the design").add_filter(name, &[extension]);
            let path = file.set_file_name(format!("design.{extension}")).save_file()?;
            Command::Export { format, path: with_extension(path, extension) }
        }
        Browse::Report(of) => {
            let file = dialog.set_title("Export the report").add_filter("HTML", &["html"]);
            let path = file.set_file_name("report.html").save_file()?;
            Command::ExportReport { of, path: with_extension(path, "html") }
        }
    })
}

fn file_name(pane: StagePane) -> &'static str {
    match pane {
        StagePane::Run => "run.png",
        StagePane::Program(_) => "document.png",
        StagePane::GroundTruth => "ground-truth.png",
        StagePane::Heat => "heat.png",
    }
}

/// The path with this extension at its end, unless it is there already. Appended and not replaced:
/// what follows a dot may be part of the name, as in `screen v1.2`.
fn with_extension(path: PathBuf, extension: &str) -> PathBuf {
    if path.extension().is_some_and(|known| known.eq_ignore_ascii_case(extension)) {
        return path;
    }
    let mut path = path.into_os_string();
    path.push(".");
    path.push(extension);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_extension_unless_it_has_it_whatever_else_follows_a_dot() {
        let saved = ["screen", "screen v1.2", "screen.PNG", "screen.png", "a.b/screen"]
            .map(|name| with_extension(PathBuf::from(name), "png"));
        let expected =
            ["screen.png", "screen v1.2.png", "screen.PNG", "screen.png", "a.b/screen.png"];
        assert_eq!(saved, expected.map(PathBuf::from));
    }
}

//! Files, versions and runs of designs: writing them, looking back, going on by hand, handing over.

use std::path::{Path, PathBuf};

use crate::design::edit::Edit;
use crate::editor::{Author, exported_nodes};
use crate::environment::EnvironmentKind;
use crate::run::Manifest;
use crate::workbench::model::{
    AssistDesk, AssistStart, DigestState, ExportFormat, JobKind, NoticeLevel, Recording, RunId,
    RunState, SavingFile, State,
};
use crate::workbench::protocol::{
    FilesCommand, HandsNews, HandsOrder, LayersOrder, Request, WriteDesign,
};
use crate::workbench::reduce::handle::runs;

use super::recording::record;
use super::study;

/// Does what the command says and gives the work it takes.
pub(super) fn files(state: &mut State, command: FilesCommand) -> Vec<Request> {
    match command {
        FilesCommand::HandBack => return hand_back(state),
        FilesCommand::ExportLayers(folder) => return export_layers(state, folder),
        _ => {}
    }
    let is_held = study::hands_are_held(state);
    let Some(desk) = &mut state.assist.desk else { return Vec::new() };
    match command {
        FilesCommand::Write { format, path } => {
            // A file to go on with is the whole design; a picture is of what was chosen, or of what is looked at.
            let node = match format {
                ExportFormat::Json => None,
                _ => desk.editor.selection().only().cloned().or_else(|| desk.looked_at()),
            };
            if node.is_none() && format != ExportFormat::Json {
                let words = "Nothing lies on this page: there is nothing to export.";
                state.notify(NoticeLevel::Warning, words);
                return Vec::new();
            }
            let document = desk.editor.document().clone();
            let order = Box::new(WriteDesign { path, format, document, node });
            return vec![Request::Hands(HandsOrder::Write(order))];
        }
        FilesCommand::AskName(name) => desk.files.naming = name,
        FilesCommand::NameVersion(name) => {
            desk.files.naming = None;
            let name = name.trim().to_owned();
            if !name.is_empty() {
                let desk = desk.number;
                return vec![Request::Hands(HandsOrder::NameVersion { desk, name })];
            }
        }
        FilesCommand::View(at) => {
            let versions = desk.files.versions.len();
            desk.files.viewed = at.filter(|at| *at < versions);
        }
        FilesCommand::Restore if is_held || desk.editor.is_holding() => {
            let words = "Not restored: let go of what you drag, or let the task go on, first.";
            state.notify(NoticeLevel::Warning, words);
        }
        FilesCommand::Restore => return restore(desk),
        // A design is opened by whoever knows whether the one before may be left.
        FilesCommand::ContinueByHand | FilesCommand::HandBack | FilesCommand::ExportLayers(_) => {}
    }
    Vec::new()
}

/// Has the selected layers written, or the screen where nothing is selected, each as its export settings say.
fn export_layers(state: &mut State, folder: PathBuf) -> Vec<Request> {
    let Some(desk) = &state.assist.desk else { return Vec::new() };
    let document = desk.editor.document();
    let layers = exported_nodes(document, &desk.exportable());
    let settings = layers.iter().filter_map(|id| document.get(id));
    let files: usize = settings.map(|node| node.export_settings.len()).sum();
    if files == 0 {
        let words = "There is nothing to export: add a row under Export in the properties.";
        state.notify(NoticeLevel::Warning, words);
        return Vec::new();
    }
    let (document, render) = (document.clone(), desk.render.clone());
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    let label = format!("exporting {files} to {}", folder.display());
    let job = state.jobs.start(JobKind::Save, label);
    let file = format!("{files} in {}", folder.display());
    let saving = SavingFile { file, folder: Some(folder.clone()) };
    state.in_flight.saves.insert(job, saving);
    let order = Box::new(LayersOrder { document, render, layers, folder });
    vec![Request::ExportLayers { job, order }]
}

/// The design becomes what the version was, as one step that can be undone.
fn restore(desk: &mut AssistDesk) -> Vec<Request> {
    let Some(version) = desk.files.viewed() else { return Vec::new() };
    let edit = Edit::between(desk.editor.document(), &version.document);
    let nodes: Vec<_> = edit.touched().cloned().collect();
    desk.files.viewed = None;
    desk.editor.take_in_by(Author::Person, "Restore version", &nodes, edit, None);
    record(desk)
}

/// The run on the stage behind the step that is shown, to be gone on with on the design itself; `None` where
/// the environment has none that hands could change.
pub(super) fn run_on_stage(state: &State) -> Option<AssistStart> {
    let (id, step) = (state.selection.run?, state.selection.step);
    let kind = &state.library.runs.get(&id)?.manifest.environment;
    (*kind == EnvironmentKind::Canvas).then_some(AssistStart::Run(id, step))
}

/// Has all of the design on disk, for an agent to go on with.
fn hand_back(state: &mut State) -> Vec<Request> {
    let Some(desk) = &state.assist.desk else { return Vec::new() };
    if state.task_of_desk().is_none() {
        let text = "Only the design of a task can be handed to an agent, as runs are of tasks.";
        state.notify(NoticeLevel::Warning, text);
        return Vec::new();
    }
    if desk.recording == Recording::Empty {
        let text = "Nothing was done to the design yet: run an agent on its task instead.";
        state.notify(NoticeLevel::Info, text);
        return Vec::new();
    }
    vec![Request::Hands(HandsOrder::HandOver(desk.number))]
}

/// The run in the library that lies in this folder.
fn run_in(state: &State, dir: &Path) -> Option<RunId> {
    let mut runs = state.library.runs.iter();
    runs.find(|(_, run)| run.dir == dir).map(|(id, _)| *id)
}

/// A run that was broken off is recorded again.
pub(super) fn at_work(state: &mut State, dir: &Path) {
    let mut runs = state.library.runs.iter();
    let broken_off = runs.find(|(_, run)| run.dir == dir && run.state == RunState::Interrupted);
    // Told with every step: a run that is lent to be changed is looked at anew wherever it is listed.
    if let Some(run) = broken_off.map(|(id, _)| *id).and_then(|id| state.library.runs.get_mut(&id))
    {
        run.state = RunState::Live;
    }
}

/// A run by hand is over. One that was read is told of by whoever follows it.
fn finished(state: &mut State, dir: &Path, manifest: Manifest) {
    let Some(id) = run_in(state, dir) else { return };
    let Some(run) = state.library.runs.get_mut(&id).filter(|run| run.loaded.is_none()) else {
        return;
    };
    run.state = RunState::of(&manifest, false);
    run.steps = manifest.totals.calls;
    run.manifest = manifest;
    // What was known of a run that was gone on with is of another end.
    run.digest = DigestState::NotRead;
    run.curves.forget();
    run.last_score = None;
    run.last_scores.clear();
    state.in_flight.finals_due.insert(id);
}

/// Takes in what became of files, versions and runs.
pub(super) fn files_news(state: &mut State, news: HandsNews) {
    match news {
        HandsNews::Version { desk, version } => {
            let open = state.assist.desk.as_mut().filter(|open| open.number == desk);
            if let Some(open) = open {
                open.files.versions.push(version);
            }
        }
        HandsNews::HandedOver { desk, result } => {
            let is_open = state.assist.desk.as_ref().is_some_and(|open| open.number == desk);
            match result {
                Ok(start_run) if is_open => {
                    if let Some(run) = run_in(state, &start_run.path) {
                        runs::open_to_go_on(state, run, start_run.step);
                    } else {
                        let text = "The run of the design is not open any more.";
                        state.notify(NoticeLevel::Error, text);
                    }
                }
                Ok(_) => {}
                Err(why) => {
                    let text = format!("The design cannot be handed over: {why}.");
                    state.notify(NoticeLevel::Error, text);
                }
            }
        }
        HandsNews::Written { path, result } => match result {
            Ok(()) => {
                let text = format!("Saved as {}.", path.display());
                state.notify(NoticeLevel::Info, text);
            }
            Err(why) => state.notify(NoticeLevel::Error, format!("Not saved: {why}.")),
        },
        HandsNews::Finished { dir, manifest } => finished(state, &dir, *manifest),
        // What is heard of the design itself.
        HandsNews::Opened { .. }
        | HandsNews::Recorded { .. }
        | HandsNews::Copied(_)
        | HandsNews::PictureRead { .. }
        | HandsNews::Assistant(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluate::RunDigest;
    use crate::metric::Score;
    use crate::run::{AgentRef, Outcome, TaskRef};
    use crate::workbench::model::{Curves, LibraryRun};

    /// Runs by hand in folders of these names.
    fn opened(dirs: [&str; 2], run_state: &RunState) -> State {
        let mut state = State::default();
        for (id, dir) in (0..).zip(dirs) {
            let manifest = Manifest::new(TaskRef::new("screens", "login"), AgentRef::by_hand(), "");
            let run = LibraryRun::new(manifest, dir.into(), run_state.clone());
            state.library.runs.insert(RunId(id), run);
        }
        state
    }

    #[test]
    fn what_was_known_of_a_run_that_was_gone_on_with_is_forgotten_when_it_is_over() {
        let mut state = opened(["/runs/a", "/runs/b"], &RunState::Live);
        for id in [RunId(0), RunId(1)] {
            let run = state.library.runs.get_mut(&id).unwrap();
            run.digest = DigestState::Read(Arc::new(RunDigest::default()));
            run.curves = Curves::of_one("ssim/uniform7", vec![Some(Score::Value(0.5))]);
            run.last_score = Some(Score::Value(0.5));
            run.last_scores.insert("psnr".into(), Score::Value(20.0));
        }
        let other = state.library.runs[&RunId(1)].clone();
        let mut manifest = state.library.runs[&RunId(0)].manifest.clone();
        (manifest.outcome, manifest.totals.calls) = (Outcome::Completed, 7);
        files_news(
            &mut state,
            HandsNews::Finished { dir: "/runs/a".into(), manifest: Box::new(manifest) },
        );
        let run = &state.library.runs[&RunId(0)];
        assert_eq!((&run.state, run.steps), (&RunState::Finished, 7));
        assert_eq!((&run.digest, &run.last_score), (&DigestState::NotRead, &None));
        assert!(run.last_scores.is_empty() && run.curves.get("ssim/uniform7", 0).is_none());
        assert!(state.in_flight.finals_due.contains(&RunId(0)), "its end is scored anew");
        assert_eq!(state.library.runs[&RunId(1)], other);
    }

    #[test]
    fn a_run_that_is_recorded_again_is_the_only_one_that_changes() {
        let mut state = opened(["/runs/a", "/runs/b"], &RunState::Interrupted);
        let before = state.library.runs.revision();
        at_work(&mut state, Path::new("/runs/b"));
        assert_eq!(state.library.runs[&RunId(1)].state, RunState::Live);
        let runs = &state.library.runs;
        assert!(runs.may_differ_since(RunId(1), before));
        assert!(!runs.may_differ_since(RunId(0), before));
        let before = state.library.runs.revision();
        at_work(&mut state, Path::new("/runs/b"));
        assert_eq!(state.library.runs.revision(), before, "it is at work already");
    }
}

//! What a window begins with: what was open the last time, what is asked for instead, the samples.

use std::path::{Path, PathBuf};

use crate::base::shipped;
use crate::workbench::{Link, LinkedHeat, SavedSession, Settings, StagePane};

use super::paths::{absolute, is_project};

/// The folder of the samples.
const SAMPLES: &str = "sample_runs";

/// What is opened again beside these paths: what was open, at first the samples. What is asked for takes its
/// place in the library, unless it is a labelling project or a study; then what was open is among the recent
/// paths, but for what is `always` open.
pub(super) fn open_again(
    settings: &mut Settings,
    paths: &[PathBuf],
    always: &[PathBuf],
) -> Vec<PathBuf> {
    let was_open = settings.session.open.clone();
    if paths.iter().all(|path| is_project(path)) {
        // Who comes for a project alone is shown the samples another time.
        let at_first = if paths.is_empty() { sample_runs() } else { Vec::new() };
        return was_open.unwrap_or(at_first);
    }
    // A project that comes along has a room of its own, and changes nothing in the library.
    let is_same = was_open
        .as_ref()
        .is_some_and(|open| paths.iter().all(|path| open.contains(path) || is_project(path)));
    if !is_same {
        settings.session = std::mem::take(&mut settings.session).without_view();
    }
    let replaced = was_open.into_iter().flatten();
    let replaced = replaced.filter(|path| !paths.contains(path) && !always.contains(path));
    settings.remember_recent(replaced.collect());
    Vec::new()
}

/// Where launched runs go: the default place, the one that was chosen last, and those before.
pub(super) fn run_folders(usual: &Path, settings: &Settings) -> Vec<PathBuf> {
    let chosen = settings.launch.options.out_dir.as_path();
    let others = settings.run_folders.iter().map(PathBuf::as_path);
    let folders = [usual, chosen].into_iter().chain(others).filter(|folder| folder.is_dir());
    folders.map(|folder| absolute(folder.to_path_buf())).collect()
}

/// The samples that come with the program, in the sources or beside the installed program, or else
/// those of the current folder.
pub(super) fn sample_runs() -> Vec<PathBuf> {
    let here = PathBuf::from(SAMPLES);
    shipped(SAMPLES).or_else(|| here.is_dir().then_some(here)).into_iter().collect()
}

/// Has a window begin with what a link says, as if that had been looked at the last time.
pub(super) fn look_at(settings: &mut Settings, link: Link, paths: &[PathBuf]) {
    let mut stage = settings.session.stage.clone().unwrap_or_default();
    stage.view = link.view.unwrap_or(stage.view);
    stage.lock = link.follow.unwrap_or(stage.lock);
    if let Some(LinkedHeat { variant, map }) = link.heat {
        (settings.heat_variant, settings.heat_map) = (variant, map);
        stage.panes.insert(StagePane::Heat);
    }
    settings.inspector_tab = link.tab.unwrap_or(settings.inspector_tab);
    settings.session = SavedSession {
        open: Some(paths.to_vec()),
        run: Some(link.run),
        // Beyond the end is the end.
        step: link.step.or(link.range.map(|range| range.first)).unwrap_or(u32::MAX),
        range: link.range,
        slots: link.beside,
        against: link.against,
        stage: Some(stage),
        ..settings.session.clone().without_view()
    };
}

/// The session, which may have opened the samples of an installed program that is gone: it was installed
/// elsewhere since, or an AppImage of a newer version lies unpacked in another folder.
pub(super) fn with_samples_of_this_program(session: SavedSession) -> SavedSession {
    let installed = Path::new("share/pentimento").join(SAMPLES);
    let mut open = session.open.iter().flatten();
    let gone = open.find(|path| path.ends_with(&installed) && !path.exists()).cloned();
    match gone.zip(shipped(SAMPLES)) {
        Some((gone, here)) => session.moved(&gone, &here),
        None => session,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_at_stays_where_the_same_is_opened_with_a_project_and_goes_where_more_is() {
        let dir = tempfile::tempdir().unwrap();
        let labels = dir.path().join("eyes.labels");
        std::fs::write(&labels, "what it holds does not matter here").unwrap();
        let (set, run) = (dir.path().join("set"), dir.path().join("set/runs/a"));
        let session = SavedSession {
            open: Some(vec![set.clone()]),
            run: Some(run.clone()),
            ..SavedSession::default()
        };
        let before = Settings { session, ..Settings::default() };
        let mut settings = before.clone();
        open_again(&mut settings, &[set.clone(), labels.clone()], &[]);
        assert_eq!(settings.session.run, Some(run));
        let mut settings = before;
        open_again(&mut settings, &[set, labels, dir.path().join("other")], &[]);
        assert_eq!(settings.session.run, None);
    }
}

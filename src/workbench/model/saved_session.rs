//! What was open and looked at, from one session to the next.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::TaskRef;

use super::annotate::{Draft, Workspace};
use super::arrangement::Arrangement;
use super::explore::ExploreView;
use super::launch::LaunchDialog;
use super::panel_windows::PanelWindows;
use super::selection::StepRange;
use super::stage::{SavedSlot, Stage};

/// What was open, chosen and filtered when the window was last used, and which launches were not over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedSession {
    /// Paths that were open, in the order they were opened; `None`: there was no session yet.
    pub open: Option<Vec<PathBuf>>,
    /// The task that was on the stage.
    pub task: Option<TaskRef>,
    /// The folder of the run that was on the stage.
    pub run: Option<PathBuf>,
    /// The step that was.
    pub step: u32,
    /// The range of steps that was marked.
    pub range: Option<StepRange>,
    /// The filter of the library.
    pub filter: String,
    /// In what order the library listed runs, and below what.
    pub arrangement: Arrangement,
    /// Agents that were folded, by name.
    pub folded_agents: BTreeSet<String>,
    /// Task sets that were folded, by id.
    pub folded_sets: BTreeSet<String>,
    /// Tasks that were not.
    pub unfolded_tasks: BTreeSet<TaskRef>,
    /// What the stage showed, and how.
    pub stage: Option<Stage>,
    /// What stood beside the run.
    pub slots: Vec<SavedSlot>,
    /// Which of it the run was compared with; `None`: the ground truth.
    pub against: Option<u8>,
    /// Steps a second while playing.
    pub steps_per_second: Option<f32>,
    /// Which room of the window was shown.
    pub workspace: Workspace,
    /// What was chosen in the table over all runs.
    pub explore: ExploreView,
    /// Panels that were hidden or had windows of their own, and where.
    #[serde(deserialize_with = "PanelWindows::known")]
    pub windows: PanelWindows,
    /// The labelling project that was open.
    pub labels: Option<SavedLabels>,
    /// The folder of the run by hand that was worked on.
    pub design: Option<PathBuf>,
    /// Launches that were not over: the window was closed, or the process killed.
    pub unfinished: Vec<UnfinishedLaunch>,
}

/// A launch of which some runs did not come to their end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UnfinishedLaunch {
    /// What the dialog said.
    pub launch: LaunchDialog,
    /// The tasks whose runs are not over.
    pub tasks: BTreeSet<TaskRef>,
    /// How many runs are not.
    pub runs: usize,
}

/// The labelling project that was open, and who was at it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedLabels {
    /// Its file.
    pub path: PathBuf,
    /// Who.
    pub person: Option<String>,
    /// The item that was on the screen.
    pub item: Option<String>,
    /// By which form, by its place.
    pub form: usize,
    /// What was answered of it and not finished.
    pub draft: Option<Draft>,
}

impl SavedSession {
    /// The same without what was looked at, for a window that opens something else; its windows stand where they
    /// stood.
    #[must_use]
    pub fn without_view(self) -> Self {
        let Self { windows, labels, design, unfinished, .. } = self;
        Self { windows, labels, design, unfinished, ..Self::default() }
    }

    /// The same without paths that are no text, which no file of settings can hold: one of them would keep all of it
    /// from being written.
    #[must_use]
    pub fn without_odd_paths(mut self) -> Self {
        if let Some(open) = &mut self.open {
            open.retain(|path| path.to_str().is_some());
        }
        for path in [&mut self.run, &mut self.design, &mut self.explore.study] {
            *path = path.take().filter(|path| path.to_str().is_some());
        }
        self.explore.study_agents.retain(|study, folders| {
            folders.retain(|folder| folder.to_str().is_some());
            study.to_str().is_some() && !folders.is_empty()
        });
        self.labels = self.labels.filter(|labels| labels.path.to_str().is_some());
        self.slots.retain(SavedSlot::is_text);
        self.unfinished.retain(|it| serde_json::to_value(&it.launch).is_ok());
        self
    }

    /// The same after a folder that was open came to lie elsewhere.
    #[must_use]
    pub fn moved(mut self, from: &Path, to: &Path) -> Self {
        let open = self.open.iter_mut().flatten();
        let labels = self.labels.iter_mut().map(|labels| &mut labels.path);
        let beside = self.slots.iter_mut().filter_map(|slot| match slot {
            SavedSlot::Run { dir: path, .. } | SavedSlot::File(path) => Some(path),
            SavedSlot::Start => None,
        });
        let all = open.chain(&mut self.run).chain(&mut self.design).chain(labels).chain(beside);
        for path in all {
            if let Ok(rest) = path.strip_prefix(from) {
                // Nothing joined would leave a separator at the end.
                *path = if rest.as_os_str().is_empty() { to.into() } else { to.join(rest) };
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::model::{PanelWindow, WindowPlace};

    #[test]
    fn windows_of_panels_are_written_and_read_and_files_of_other_versions_keep_the_rest() {
        let place =
            WindowPlace { corner: Some([2100.0, 40.0]), size: [420.0, 760.0], is_maximized: true };
        let mut session = SavedSession { step: 7, ..SavedSession::default() };
        session.windows.open.insert(PanelWindow::Inspector);
        session.windows.places.insert(PanelWindow::Inspector, place);
        session.explore.study_agents.insert("/study".into(), BTreeSet::from(["/runs".into()]));
        let json = serde_json::to_string(&session).unwrap();
        assert_eq!(serde_json::from_str::<SavedSession>(&json).unwrap(), session);
        assert_eq!(session.clone().without_view().windows, session.windows);
        // Of before there were such windows.
        let older: SavedSession = serde_json::from_str(r#"{"step": 7}"#).unwrap();
        assert_eq!((older.step, older.windows), (7, PanelWindows::default()));
        // Of a version with windows that are not known here.
        let newer = r#"{"step": 7, "windows": {"open": ["hologram"], "places": {}}}"#;
        let newer: SavedSession = serde_json::from_str(newer).unwrap();
        assert_eq!((newer.step, newer.windows), (7, PanelWindows::default()));
    }

    #[cfg(unix)]
    #[test]
    fn what_has_a_path_that_is_no_text_is_left_out_and_the_rest_is_written() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let odd = Path::new(OsStr::from_bytes(b"/home/ada/r\xe9sult"));
        let mut session = SavedSession {
            open: Some(vec!["/home/ada/runs".into(), odd.into()]),
            run: Some(odd.into()),
            step: 7,
            slots: vec![SavedSlot::File(odd.into()), SavedSlot::Start],
            labels: Some(SavedLabels { path: odd.into(), ..SavedLabels::default() }),
            design: Some(odd.into()),
            ..SavedSession::default()
        };
        session.explore.study = Some(odd.into());
        session.explore.study_agents.insert("/study".into(), BTreeSet::from([odd.into()]));
        assert!(serde_json::to_string(&session).is_err());
        let kept = SavedSession {
            open: Some(vec!["/home/ada/runs".into()]),
            step: 7,
            slots: vec![SavedSlot::Start],
            ..SavedSession::default()
        };
        assert_eq!(session.without_odd_paths(), kept);
        assert!(serde_json::to_string(&kept).is_ok());
    }

    #[test]
    fn what_lay_in_a_folder_that_moved_moves_with_it_and_nothing_else() {
        let session = |samples: &str| SavedSession {
            open: Some(vec![
                samples.into(),
                "/home/ada/old samples".into(),
                "/home/ada/runs".into(),
            ]),
            run: Some(format!("{samples}/runs/a").into()),
            slots: vec![SavedSlot::Run { dir: format!("{samples}/runs/b").into(), pinned: None }],
            labels: Some(SavedLabels {
                path: format!("{samples}/labels/b.labels").into(),
                ..SavedLabels::default()
            }),
            ..SavedSession::default()
        };
        let moved = session("/old/samples").moved(Path::new("/old/samples"), Path::new("/new"));
        assert_eq!(moved, session("/new"));
        assert!(!moved.open.unwrap()[0].to_string_lossy().ends_with('/'));
        let elsewhere = session("/old/samples").moved(Path::new("/old/sample"), Path::new("/new"));
        assert_eq!(elsewhere, session("/old/samples"));
    }
}

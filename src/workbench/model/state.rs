//! The whole state of the application.

use std::path::PathBuf;
use std::sync::Arc;

use crate::design::NodeId;
use crate::metric::Score;
use crate::run::RunOrigin;
use crate::task::Task;

use super::annotate::{Annotate, Workspace};
use super::asking::AskDialog;
use super::assist::Assist;
use super::browse::TypedPath;
use super::exchanges::ExchangesPanel;
use super::explore::Explore;
use super::find::Find;
use super::history::History;
use super::ids::JobId;
use super::in_flight::InFlight;
use super::jobs::Jobs;
use super::launch::LaunchDialog;
use super::layers::{LayerTree, LayerTreeKey};
use super::library::{Library, LibraryRun};
use super::nodes::NodesPanel;
use super::notes::Notes;
use super::panel_windows::{PanelWindow, PanelWindows};
use super::query::QueryPanel;
use super::saved_session::UnfinishedLaunch;
use super::selection::{Playback, Selection};
use super::settings::{Settings, ThemeChoice};
use super::stage::Stage;
use super::values::{
    Completing, Derivations, Fetched, KeyKept, ListedModel, ModelSetupKey, PictureKey,
    PicturesListed, StagePicture,
};
use super::variants::Variants;
use super::what_if::WhatIf;
use crate::agent::models::{EndpointReport, ModelSetup};

/// Most notices kept.
const MAX_NOTICES: usize = 20;
/// How many cards show a newcomer around.
pub const TOUR_CARDS: u8 = 3;

/// The whole state of the application. The window reads it; only [`handle`](crate::workbench::handle) and
/// [`apply`](crate::workbench::apply) change it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Which room of the window is shown.
    pub workspace: Workspace,
    /// Where people label.
    pub annotate: Annotate,
    /// Where people design by hand.
    pub assist: Assist,
    /// The table over all runs.
    pub explore: Explore,
    /// Everything that is open.
    pub library: Library,
    /// What is looked at.
    pub selection: Selection,
    /// Moving by itself.
    pub playback: Playback,
    /// What the stage shows and how.
    pub stage: Stage,
    /// Background work.
    pub jobs: Jobs,
    /// The path that is typed in the place of a dialog; shown by [`Overlay::Path`].
    pub typed_path: Option<TypedPath>,
    /// The folder of a path that is being typed.
    pub completing: Option<Completing>,
    /// What is looked for in the selected run.
    pub find: Find,
    /// What people wrote to runs and steps.
    pub notes: Notes,
    /// What the list of nodes shows.
    pub nodes: NodesPanel,
    /// The run with other calls that is being made.
    pub what_if: WhatIf,
    /// Which answers about the query are shown.
    pub query: QueryPanel,
    /// What the overlay of exchanges with models shows.
    pub exchanges: ExchangesPanel,
    /// What was looked at before.
    pub history: History,
    /// Which panels are hidden, and which are in windows of their own.
    pub windows: PanelWindows,
    /// What lies over the window.
    pub overlay: Option<Overlay>,
    /// What models behind endpoints are to be asked for.
    pub asking: AskDialog,
    /// The launch dialog's content, kept while it is closed.
    pub launch: LaunchDialog,
    /// Things to tell, oldest first.
    pub notices: Vec<Notice>,
    /// Remembered between sessions.
    pub settings: Settings,
    /// Values that the worker makes: pictures, layers, checks, listings, maps.
    pub derived: Derivations,
    /// The variants scores are measured by.
    pub variants: Variants,
    /// Metrics of one's own that the command line named, as it takes them, beside those of the file of models.
    pub named_metrics: Vec<String>,
    /// Paths among what is open of which the command line takes the tasks alone, and no runs.
    pub named_tasks: Vec<PathBuf>,
    /// Why the file of models or that of captions that is set cannot be used.
    pub models_problem: Option<String>,
    /// Where runs go unless told otherwise.
    pub default_out_dir: PathBuf,
    /// Whether the system asks for dark windows, as far as it says.
    pub system_is_dark: bool,
    /// Whether the last scores of runs that nobody looks at are held back.
    pub scoring_paused: bool,
    /// Launches that the last session left unfinished, until somebody says what becomes of them.
    pub unfinished: Vec<UnfinishedLaunch>,
    /// What is asked of the worker and not there yet; not for drawing.
    pub in_flight: InFlight,
}

/// A score with its change against the step before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepScore<'a> {
    /// At the step.
    pub score: &'a Score,
    /// Value minus the value at the step before, if both exist.
    pub delta: Option<f64>,
}

/// What lies over the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Every command by name, and every run and task.
    Palette,
    /// Every key.
    Keys,
    /// The launch dialog.
    Launch,
    /// All jobs.
    Jobs,
    /// What the model of the run was asked and answered.
    Exchanges,
    /// What to do about work under way while the window is being closed.
    Quit,
    /// What to do about runs that the last session left under way.
    Unfinished,
    /// What runs are exported as, and how.
    Export,
    /// A path that the system has no dialog to ask for.
    Path,
    /// What models behind endpoints are asked for, and what that costs.
    Ask,
    /// Every step and run with a star or a note.
    Bookmarks,
    /// A card that shows a newcomer around, by its place.
    Tour(u8),
}

impl Overlay {
    /// Whether it names who made runs, says where they lie or what they cost.
    pub(in crate::workbench) fn names_makers(self) -> bool {
        match self {
            Self::Launch
            | Self::Jobs
            | Self::Exchanges
            | Self::Unfinished
            | Self::Export
            | Self::Ask
            | Self::Bookmarks => true,
            Self::Palette | Self::Keys | Self::Quit | Self::Path | Self::Tour(_) => false,
        }
    }
}

/// Something to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number.
    pub id: u64,
    /// How bad.
    pub level: NoticeLevel,
    /// What happened, to what, and what to do.
    pub text: String,
    /// Whether it was read, or stood long enough: it is in the list of jobs only.
    pub is_hidden: bool,
    /// What one notice stands for however often it happens; `None`: this once.
    pub about: Option<NoticeSubject>,
}

/// What a notice is about: a later one about the same takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSubject {
    /// The runs of a batch that failed for one reason.
    FailedRuns {
        /// The first job of the batch.
        batch: JobId,
        /// Why they failed.
        why: String,
    },
    /// What people label.
    Labelling,
    /// Texts in fonts that are missing here: they can be selected.
    MissingFonts {
        /// The number of the design.
        desk: u64,
        /// The texts.
        nodes: Vec<NodeId>,
    },
    /// What was open the last time and could not be opened again: it can be taken off for good.
    NotOpened {
        /// Where it was.
        paths: Vec<PathBuf>,
    },
    /// Something that was written: it can be shown in the system's file manager.
    Saved {
        /// What, as people are told of it.
        file: String,
        /// The folder it lies in.
        folder: PathBuf,
    },
}

/// How bad a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something was odd.
    Warning,
    /// Something failed.
    Error,
}

impl State {
    /// The state at the start of a session, with what the last one remembered.
    pub fn new(settings: Settings, default_out_dir: PathBuf) -> Self {
        let mut launch = settings.launch.clone();
        // An empty folder is remembered for the default one, which may lie elsewhere by now.
        if launch.options.out_dir.as_os_str().is_empty() {
            launch.options.out_dir.clone_from(&default_out_dir);
        }
        let session = settings.session.clone();
        let stage = session.stage.clone().unwrap_or_default().within_bounds();
        let stage = Stage { heat_threshold: settings.heat_threshold, ..stage };
        let mut state = Self { stage, launch, settings, default_out_dir, ..Self::default() };
        state.library.filter.clone_from(&session.filter);
        state.library.arrangement = session.arrangement;
        state.library.folded.agents.clone_from(&session.folded_agents);
        state.workspace = session.workspace;
        state.explore.view.clone_from(&session.explore);
        state.windows = session.windows.clone().within_bounds();
        // In one place: the room is where runs are stepped through while the table has a window of its own.
        let is_apart = state.windows.open.contains(&PanelWindow::Explore);
        if is_apart && state.workspace == Workspace::Explore {
            state.workspace = Workspace::Inspect;
        }
        let speed = session.steps_per_second.filter(|speed| (0.5..=30.0).contains(speed));
        state.playback.steps_per_second = speed.unwrap_or(state.playback.steps_per_second);
        state.assist.again.clone_from(&session.design);
        state.unfinished.clone_from(&session.unfinished);
        state.overlay = (!state.unfinished.is_empty()).then_some(Overlay::Unfinished);
        state.in_flight.labels_again.clone_from(&session.labels);
        state.in_flight.restore = session.open.is_some().then_some(session);
        state
    }

    /// Tells something; the oldest notices go when there are too many.
    pub(in crate::workbench) fn notify(&mut self, level: NoticeLevel, text: impl Into<String>) {
        self.push_notice(level, text.into(), None);
    }

    /// Tells something in place of what was told about the same before.
    pub(in crate::workbench) fn notify_about(
        &mut self,
        about: NoticeSubject,
        level: NoticeLevel,
        text: String,
    ) {
        // Taken out and told at the end, so that it is seen though the older one was read.
        self.notices.retain(|notice| notice.about.as_ref() != Some(&about));
        self.push_notice(level, text, Some(about));
    }

    fn push_notice(&mut self, level: NoticeLevel, text: String, about: Option<NoticeSubject>) {
        let id = self.in_flight.next_notice;
        self.in_flight.next_notice += 1;
        self.notices.push(Notice { id, level, text, is_hidden: false, about });
        // The oldest go, read or not: what is worth a notice is newer than twenty others.
        let surplus = self.notices.len().saturating_sub(MAX_NOTICES);
        self.notices.drain(..surplus);
    }

    /// Whether a blind project is on the screen: nothing there, nor what is copied from it, may say who made what,
    /// what it cost or where it lies.
    pub fn shows_blind_project(&self) -> bool {
        self.workspace == Workspace::Annotate && self.annotate.is_blind()
    }

    /// Where runs go that are made now.
    pub(in crate::workbench) fn out_dir(&self) -> PathBuf {
        let chosen = &self.launch.options.out_dir;
        let is_default = chosen.as_os_str().is_empty();
        if is_default { &self.default_out_dir } else { chosen }.clone()
    }

    /// Whether the window is dark now.
    pub fn shows_dark(&self) -> bool {
        match self.settings.theme {
            ThemeChoice::System => self.system_is_dark,
            ThemeChoice::Dark => true,
            ThemeChoice::Light => false,
        }
    }

    /// The run on the stage.
    pub fn selected_run(&self) -> Option<&LibraryRun> {
        self.library.runs.get(&self.selection.run?)
    }

    /// The task on the stage, if its set is open.
    pub fn selected_task(&self) -> Option<&Task> {
        self.library.task(self.selection.task.as_ref()?)
    }

    /// Number of the first step of the selected run: 0, the start state, but of pictures whose task is not
    /// open, which begin with the first picture.
    pub fn first_step(&self) -> u32 {
        let is_pictures = self.selected_run().is_some_and(|run| {
            let origin = run.loaded.as_ref().map(|run| &run.origin);
            matches!(origin, Some(RunOrigin::Pictures { .. }))
        });
        let has_start = self.selected_task().is_some();
        u32::from(is_pictures && !has_start && self.last_step() > 0)
    }

    /// Number of the last step of the selected run; 0 without one.
    pub fn last_step(&self) -> u32 {
        self.selected_run().map_or(0, |run| run.steps)
    }

    /// A picture that is there.
    pub fn ready_picture(&self, key: &PictureKey) -> Option<&Arc<StagePicture>> {
        self.derived.pictures.ready(key)
    }

    /// The layers of a design, if they are there.
    pub fn ready_layers(&self, key: &LayerTreeKey) -> Option<&Arc<LayerTree>> {
        self.derived.layer_trees.ready(key)
    }

    /// What the launch dialog's file of models holds, while the dialog wants to know.
    pub fn launch_models(&self) -> Option<&Fetched<Vec<ListedModel>>> {
        self.derived.model_files.get(self.launch.model.file.as_deref()?)
    }

    /// What is known of a model of this name that the launch dialog chooses.
    pub fn launch_setup(&self, name: &str) -> Option<&Fetched<ModelSetup>> {
        self.derived.model_setups.get(&self.model_setup_key(name))
    }

    /// What is known of what the endpoint of a model of this name can do; `None` if it is not tested.
    pub fn endpoint_test(&self, name: &str) -> Option<&Fetched<EndpointReport>> {
        let test = self.launch.tests.iter().find(|test| test.choice.name == name)?;
        self.derived.endpoint_tests.get(test)
    }

    /// What became of the key that was entered last, if it was to be kept in the system's keyring.
    pub fn kept_key(&self) -> Option<&Fetched<KeyKept>> {
        self.derived.kept_keys.get(self.launch.entered_key.as_ref()?)
    }

    /// Of which model of the launch dialog something is to be known.
    pub(in crate::workbench) fn model_setup_key(&self, name: &str) -> ModelSetupKey {
        let choice = self.launch.model.named(name);
        // A key that came into the keyring is found there from then on.
        let kept = matches!(self.kept_key(), Some(Fetched::Ready(_)));
        ModelSetupKey { choice, entered: self.launch.keys_entered * 2 + u64::from(kept) }
    }

    /// What the launch dialog's folder of pictures holds, while that is shown.
    pub fn launch_pictures(&self) -> Option<&Fetched<PicturesListed>> {
        self.derived.picture_folders.get(self.launch.options.pictures.as_deref()?)
    }
}

//! The application: the window around the workbench, and the worker behind it.
//!
//! [`run_window`] opens the window. [`App`] turns the circle every frame: events of the worker into
//! the state, the window's drawing of it, commands of the person into the state. What is not egui's
//! is in [`Session`], which also runs without a window.
//!
//! Uses everything.

mod beginning;
mod dialogs;
mod paths;
mod session;
mod settings_file;
mod start;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::base::{Rect, Variables};
use crate::environment::{Environments, FontSource};
use crate::gpu::Target;
use crate::study::is_study;
use crate::ui::{CommandQueue, ViewContext, Window, dropped_files};
use crate::workbench::{
    AnnotateCommand, AssistCommand, Browse, Command, ExploreCommand, Link, NewLabelsFile, Overlay,
    PlaybackCommand, Saving, ScoresCommand, Settings, State, StudyCommand, Workspace,
};
use crate::worker::{WorkerConfig, WorkerError};

use beginning::{look_at, open_again, run_folders, sample_runs, with_samples_of_this_program};
use dialogs::Dialogs;
use paths::{absolute, is_answers, is_json, is_labels, is_project};
use settings_file::SettingsFile;

pub use session::Session;
pub use start::{WindowError, run_window};

/// How long events are taken in before the next frame is drawn.
const EVENTS_BUDGET: Duration = Duration::from_millis(8);
/// How long after a change the session is written: a process that is killed loses no more.
const SAVE_AFTER: Duration = Duration::from_millis(700);
/// Under which eframe stored the settings up to version 0.2, and does without a workspace.
const SETTINGS_KEY: &str = "settings";

/// What the window is opened with.
#[derive(Debug)]
pub struct WindowOptions {
    /// What it opens; empty: what was open the last time, at first the shipped samples.
    pub paths: Vec<PathBuf>,
    /// What is shown of it; its run is among the paths. `None`: what was looked at the last time.
    pub link: Option<Link>,
    /// A file of captions, remembered as if it had been chosen in the window; `None`: the one that the
    /// window remembers.
    pub captions: Option<PathBuf>,
    /// The file that keeps scores, with the settings beside it; `None` keeps neither.
    pub workspace: Option<PathBuf>,
    /// Where launched runs go unless told otherwise: always open.
    pub runs: PathBuf,
    /// What runs act on, with its fonts.
    pub environments: Environments,
    /// Where models have their keys.
    pub variables: Variables,
}

/// The application: state, worker, window.
#[derive(Debug)]
pub struct App {
    session: Session,
    window: Window,
    commands: CommandQueue,
    dialogs: Dialogs,
    /// When the last step was played, in seconds of egui's clock.
    last_tick: f64,
    /// For how many frames what follows from the table over all runs was put off.
    behind_for: u8,
    /// The settings as they are stored.
    saved: Settings,
    /// Where they are.
    settings_file: Option<SettingsFile>,
    /// When something was done first since they were stored.
    unsaved_since: Option<Instant>,
    /// Whether it was said that they cannot be stored, and still holds.
    has_told_unsaved: bool,
    /// Whether the window closes without asking.
    is_leaving: bool,
    /// Whether it was said that an answer is not on disk, when somebody wanted to close the window.
    has_warned: bool,
}

impl App {
    /// The application in eframe's context, as it is asked for.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        options: WindowOptions,
    ) -> Result<Self, WorkerError> {
        let WindowOptions { paths, link, captions, workspace, runs, environments, variables } =
            options;
        let settings_file = workspace.as_deref().map(SettingsFile::beside);
        let stored = settings_file.as_ref().and_then(SettingsFile::read);
        let stored = stored.or_else(|| cc.storage.and_then(stored_settings));
        // Whoever follows a link wants to see that, and is shown around another time.
        let is_first = stored.is_none() && link.is_none();
        let mut settings = stored.unwrap_or_default();
        settings.captions = captions.or(settings.captions);
        settings.session = with_samples_of_this_program(settings.session);
        let paths: Vec<PathBuf> = paths.into_iter().map(absolute).collect();
        let out_dirs = run_folders(&runs, &settings);
        let again = open_again(&mut settings, &paths, &out_dirs);
        if let Some(link) = link {
            look_at(&mut settings, link, &paths);
        }
        let labels = settings.session.labels.as_ref().map(|labels| labels.path.clone());
        let workspace_was = settings.session.workspace;
        let state = State::new(settings, runs);
        let config = WorkerConfig {
            workspace,
            variables,
            open_environment: Box::new(environments.opener()),
            render: environments.render(FontSource::Vendored).clone(),
            page_render: environments.render(FontSource::Machine).clone(),
            ..WorkerConfig::default()
        };
        let mut opened = paths.clone();
        opened.retain(|path| !is_project(path));
        let mut app = Self::with_state(&cc.egui_ctx, config, state, paths)?;
        app.settings_file = settings_file;
        if let Some(render) = &cc.wgpu_render_state {
            app.window.draw_on(Target::of(render));
        }
        // Each by itself: one that is gone does not keep the others from being opened, and what is
        // launched is in the library whatever else is open.
        for path in again.into_iter().chain(out_dirs) {
            if !opened.iter().any(|known| path.starts_with(known)) {
                opened.push(path.clone());
                app.carry_out(Command::Reopen(vec![path]));
            }
        }
        // In the room that was shown, unless a project was asked for.
        if let Some(labels) = labels.filter(|_| app.state().annotate.opening.is_none()) {
            app.carry_out(Command::Annotate(AnnotateCommand::Open(labels)));
            let is_study = app.state().assist.study.opening.is_some();
            let room = if is_study { Workspace::Assist } else { workspace_was };
            app.carry_out(Command::Annotate(AnnotateCommand::Show(room)));
        }
        if is_first && !app.state().settings.tour_is_seen && app.state().overlay.is_none() {
            app.carry_out(Command::ShowTour(0));
            app.keep_that_tour_was_seen();
        }
        Ok(app)
    }

    /// At once, as a window that is killed has shown it too; with what was open as it was stored before, since
    /// nothing of what opens is known yet.
    fn keep_that_tour_was_seen(&mut self) {
        let Some(file) = &self.settings_file else { return };
        let session = self.saved.session.clone();
        let seen = Settings { session, ..self.state().settings.clone() };
        // A file that cannot be written is told of when the session is stored.
        if file.write(&seen).is_ok() {
            self.saved = seen;
        }
    }

    /// An application with a worker and a state of the caller's making, and no samples.
    pub fn with_state(
        ctx: &egui::Context,
        config: WorkerConfig,
        mut state: State,
        paths: Vec<PathBuf>,
    ) -> Result<Self, WorkerError> {
        // The worker has threads of its own: without this, what they answer would wait for the next
        // movement of the pointer.
        let wake = {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        state.explore.settles_later = true;
        let mut session = Session::start(state, config, wake)?;
        let saved = session.state().settings.clone();
        let Settings { models, captions, .. } = &session.state().settings;
        if models.is_some() || captions.is_some() {
            // Either command has both files read.
            let again = ScoresCommand::UseModels(models.clone());
            session.carry_out(Command::Scores(again));
        }
        let mut app = Self {
            session,
            window: Window::new(ctx),
            commands: CommandQueue::new(),
            dialogs: Dialogs::new(ctx.clone()),
            last_tick: 0.0,
            behind_for: 0,
            saved,
            settings_file: None,
            unsaved_since: None,
            has_told_unsaved: false,
            is_leaving: false,
            has_warned: false,
        };
        if !paths.is_empty() {
            app.open(paths);
        }
        Ok(app)
    }

    /// What there is to show.
    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Does what a person could ask for.
    pub fn carry_out(&mut self, command: Command) {
        self.unsaved_since.get_or_insert_with(Instant::now);
        match command {
            // The workbench knows no dialogs: what they choose comes back as another command.
            Command::Browse(what) => self.dialogs.open(what),
            // Another folder may be the current one the next time.
            Command::Open(paths) => self.open(paths.into_iter().map(absolute).collect()),
            Command::Annotate(AnnotateCommand::Open(path)) => {
                let open = AnnotateCommand::Open(absolute(path));
                self.session.carry_out(Command::Annotate(open));
            }
            // What is a study is known by looking at it.
            Command::ChoosePath(Browse::OpenFolder | Browse::OpenFiles, path)
                if is_study(&absolute(path.clone())) =>
            {
                self.session.carry_out(Command::CloseOverlay);
                self.open(vec![absolute(path)]);
            }
            Command::ChoosePath(what, path) => {
                self.session.carry_out(Command::ChoosePath(what, absolute(path)));
            }
            Command::CompletePath { typed, folder } => {
                let folder = absolute(folder);
                self.session.carry_out(Command::CompletePath { typed, folder });
            }
            Command::Reveal(folder) => self.reveal(&folder),
            Command::OpenSamples => self.open_samples(),
            Command::Quit => self.is_leaving = true,
            command => self.session.carry_out(command),
        }
    }

    /// Opens task sets and runs, and a labelling project or a study in the room for it.
    fn open(&mut self, paths: Vec<PathBuf>) {
        let (labels, others): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| path.is_file() && is_labels(path));
        let (studies, others): (Vec<PathBuf>, Vec<PathBuf>) =
            others.into_iter().partition(|path| is_study(path));
        // While a project is being made, JSON is a form of one's own.
        let makes_labels = self.state().annotate.is_making();
        let (forms, others): (Vec<PathBuf>, Vec<PathBuf>) =
            others.into_iter().partition(|path| makes_labels && path.is_file() && is_json(path));
        for path in forms {
            let form = AnnotateCommand::ChooseNewFile(NewLabelsFile::Form, path);
            self.session.carry_out(Command::Annotate(form));
        }
        if !others.is_empty() {
            self.session.carry_out(Command::Open(others));
        }
        if let Some(path) = labels.into_iter().next() {
            self.session.carry_out(Command::Annotate(AnnotateCommand::Open(path)));
        }
        self.open_study(studies);
    }

    /// Opens a study, of several the first; what was done elsewhere is taken in by the one that is open.
    fn open_study(&mut self, studies: Vec<PathBuf>) {
        let leads = self.state().assist.study.leads();
        let (answers, others): (Vec<PathBuf>, Vec<PathBuf>) =
            studies.into_iter().partition(|path| leads && is_answers(path));
        for path in answers {
            let merge = AssistCommand::Study(StudyCommand::Merge(path));
            self.session.carry_out(Command::Assist(merge));
        }
        let more = others.len().saturating_sub(1);
        if let Some(path) = others.into_iter().next() {
            let open = AssistCommand::Study(StudyCommand::Open(path));
            self.session.carry_out(Command::Assist(open));
        }
        if more > 0 {
            self.session.warn(format!("One study is open at a time: {more} more are left out."));
        }
    }

    fn open_samples(&mut self) {
        let samples = sample_runs();
        if samples.is_empty() {
            self.session
                .warn("The samples are not beside the program: install it anew.".to_owned());
        } else {
            self.session.carry_out(Command::Reopen(samples));
        }
    }

    /// Shows a folder in the system's file manager.
    fn reveal(&mut self, folder: &Path) {
        let shown = if folder.is_dir() {
            open::that_detached(folder).map_err(|error| {
                format!("{error}; on Debian, the package xdg-utils finds the file manager")
            })
        } else {
            Err("it is not there any more".to_owned())
        };
        if let Err(why) = shown {
            self.session.warn(format!("{} cannot be shown: {why}.", folder.display()));
        }
    }

    /// Everything asked for since the last time: in the window, in dialogs, by dropping files.
    fn carry_out_all(&mut self, ctx: &egui::Context) {
        let mut is_any = false;
        // One by one: what a key means depends on what the keys before it did.
        while let Some(command) = self.commands.next(self.session.state()) {
            self.carry_out(command);
            is_any = true;
        }
        let others: Vec<Command> = self.dialogs.answers().chain(dropped_files(ctx)).collect();
        is_any |= !others.is_empty();
        for command in others {
            self.carry_out(command);
        }
        // After a frame that nobody did anything in, or else after the second.
        if self.state().explore.is_behind() && (!is_any || self.behind_for > 1) {
            self.settle();
            is_any = true;
        }
        // What a command changed is drawn in the next frame, and without it there might be none.
        if is_any {
            ctx.request_repaint();
        }
    }

    /// Finds what was put off of the table over all runs. Nobody did anything, and nothing is to be stored for it.
    fn settle(&mut self) {
        self.session.carry_out(Command::Explore(ExploreCommand::Settle));
    }

    /// Asks first if closing the window would cut work off.
    fn ask_before_closing(&mut self, ctx: &egui::Context) {
        let is_closing = ctx.input(|input| input.viewport().close_requested());
        if is_closing && !self.is_leaving && self.state().work_under_way().next().is_some() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            if self.state().overlay != Some(Overlay::Quit) {
                self.carry_out(Command::ToggleOverlay(Overlay::Quit));
            }
        } else if is_closing && !self.has_warned && self.has_unsaved_answer() {
            // Once: whoever closes it again knows.
            self.has_warned = true;
            self.is_leaving = false;
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.session.carry_out(Command::Annotate(AnnotateCommand::WarnOfUnsaved));
        } else if self.is_leaving && !is_closing {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    /// Whether an answer is on its way to the disk, or could not be written.
    fn has_unsaved_answer(&self) -> bool {
        let saving = self.state().annotate.desk.as_ref().map(|desk| &desk.saving);
        matches!(saving, Some(Saving::Writing(_) | Saving::Failing { .. }))
    }

    /// Writes what is remembered, if it changed and a moment has passed since.
    fn save_when_due(&mut self, ctx: &egui::Context) {
        let Some(since) = self.unsaved_since.filter(|_| self.settings_file.is_some()) else {
            return;
        };
        match SAVE_AFTER.checked_sub(since.elapsed()) {
            // A window that nobody touches draws no frame by itself.
            Some(left) if !left.is_zero() => ctx.request_repaint_after(left),
            _ => {
                self.save_now();
                if self.unsaved_since.is_some() {
                    ctx.request_repaint_after(SAVE_AFTER);
                }
            }
        }
    }

    fn save_now(&mut self) {
        self.unsaved_since = None;
        let Some(file) = &self.settings_file else { return };
        let settings = self.settings_to_save();
        if settings == self.saved {
            return;
        }
        match file.write(&settings) {
            Ok(()) => (self.saved, self.has_told_unsaved) = (settings, false),
            Err(error) => {
                // A full disk has room again some time, and a folder comes back.
                self.unsaved_since = Some(Instant::now());
                if !std::mem::replace(&mut self.has_told_unsaved, true) {
                    let text =
                        format!("The session cannot be saved yet, and is tried again: {error}.");
                    self.session.warn(text);
                }
            }
        }
    }

    fn settings_to_save(&self) -> Settings {
        let state = self.state();
        Settings { session: state.session_to_save(), ..state.settings.clone() }
    }

    /// Plays a step when it is time, and sees to it that there is a frame when it is.
    fn play(&mut self, ctx: &egui::Context) {
        let playback = &self.session.state().playback;
        if !playback.playing {
            return;
        }
        let (now, between) =
            (ctx.input(|input| input.time), f64::from(1.0 / playback.steps_per_second));
        // By the clock and not by frames: a slow frame does not slow the run down by more than
        // itself.
        let left = self.last_tick + between - now;
        if left <= 0.0 {
            self.last_tick = now;
            self.session.carry_out(Command::Playback(PlaybackCommand::Tick));
        }
        // Bounded, as egui's clock may stand still in a test.
        let wait = if left <= 0.0 { between } else { left };
        ctx.request_repaint_after(Duration::from_secs_f64(wait.clamp(0.0, 10.0)));
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        let jobs = self.state().jobs.next;
        let active = self.state().jobs.active().count();
        if self.session.take_events(EVENTS_BUDGET).is_more() {
            ctx.request_repaint();
        }
        let is_behind = self.state().explore.is_behind();
        self.behind_for = if is_behind { self.behind_for.saturating_add(1) } else { 0 };
        // Nothing is drawn, as while the window is hidden.
        if self.behind_for > 2 {
            self.settle();
        }
        // What was opened, launched or ended is remembered; a score that came is not.
        if (jobs, active) != (self.state().jobs.next, self.state().jobs.active().count()) {
            self.unsaved_since.get_or_insert_with(Instant::now);
        }
        self.ask_before_closing(ctx);
        self.play(ctx);
        self.save_when_due(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        if self.window.wants_screens(self.session.state()) {
            self.window.set_screens(screens(frame));
        }
        let context = ViewContext { state: self.session.state(), commands: &self.commands };
        self.window.show(ui, &context);
        let ctx = ui.ctx().clone();
        self.carry_out_all(&ctx);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        if self.settings_file.is_some() {
            self.save_now();
        } else if let Ok(json) = self.settings_to_save().to_json() {
            // Names, numbers and lists: there is nothing in them that JSON cannot hold.
            storage.set_string(SETTINGS_KEY, json);
        }
    }

    fn auto_save_interval(&self) -> Duration {
        // eframe's own part, the sizes of panels: its file is small.
        Duration::from_secs(5)
    }
}

/// The settings of the last session. Up to version 0.1 they were stored as eframe stores values.
fn stored_settings(storage: &dyn eframe::Storage) -> Option<Settings> {
    let json = storage.get_string(SETTINGS_KEY)?;
    Settings::from_json(&json).or_else(|| eframe::get_value(storage, SETTINGS_KEY))
}

/// The screens there are, in points of the system, that with the main window first; none where the system does not
/// say.
fn screens(frame: &eframe::Frame) -> Vec<Rect> {
    let Some(window) = frame.winit_window() else { return Vec::new() };
    let here = window.current_monitor();
    let others = window.available_monitors().filter(|monitor| Some(monitor) != here.as_ref());
    let others: Vec<_> = others.collect();
    let all = here.iter().chain(&others).map(|monitor| {
        let (at, size, scale) = (monitor.position(), monitor.size(), monitor.scale_factor());
        Rect {
            x: f64::from(at.x) / scale,
            y: f64::from(at.y) / scale,
            width: f64::from(size.width) / scale,
            height: f64::from(size.height) / scale,
        }
    });
    // A screen that was just taken away may still be listed, without a size.
    all.filter(|screen| screen.width > 0.0 && screen.height > 0.0).collect()
}

/// `Pentimento/runs` in the home folder; without one, `runs` in the current folder.
pub(crate) fn default_out_dir() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_dir());
    home.map_or_else(|| PathBuf::from("runs"), |home| home.join("Pentimento").join("runs"))
}

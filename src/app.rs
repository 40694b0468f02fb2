//! The application: the window around the workbench, and the worker behind it.
//!
//! [`run_window`] opens the window. [`App`] turns the circle every frame: events of the worker into
//! the state, the window's drawing of it, commands of the person into the state. What is not egui's
//! is in [`Session`], which also runs without a window.
//!
//! Uses everything.

mod dialogs;
mod session;
mod start;

use std::path::PathBuf;
use std::time::Duration;

use crate::base::shipped;
use crate::environment::{Environments, FontSource};
use crate::ui::{CommandQueue, ViewContext, Window};
use crate::workbench::{Command, PlaybackCommand, ScoresCommand, Settings, State};
use crate::worker::{WorkerConfig, WorkerError};

use dialogs::Dialogs;

pub use session::Session;
pub use start::{WindowError, run_window};

/// How long events are taken in before the next frame is drawn.
const EVENTS_BUDGET: Duration = Duration::from_millis(8);
/// The folder of the samples.
const SAMPLES: &str = "sample_runs";
/// Under which the settings are stored.
const SETTINGS_KEY: &str = "settings";

/// What the window is opened with.
#[derive(Debug)]
pub struct WindowOptions {
    /// What it opens; empty: the shipped samples.
    pub paths: Vec<PathBuf>,
    /// A file of captions, remembered as if it had been chosen in the window; `None`: the one that the
    /// window remembers.
    pub captions: Option<PathBuf>,
    /// The file that keeps scores; `None` keeps none.
    pub workspace: Option<PathBuf>,
    /// What runs act on, with its fonts.
    pub environments: Environments,
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
    /// The settings as they are stored.
    saved: Settings,
}

impl App {
    /// The application in eframe's context, as it is asked for.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        options: WindowOptions,
    ) -> Result<Self, WorkerError> {
        let WindowOptions { paths, captions, workspace, environments } = options;
        let mut settings = cc.storage.and_then(stored_settings).unwrap_or_default();
        settings.captions = captions.or(settings.captions);
        let paths = if paths.is_empty() { sample_runs() } else { paths };
        let state = State::new(settings, default_out_dir());
        let config = WorkerConfig {
            workspace,
            open_environment: Box::new(environments.opener()),
            render: environments.render(FontSource::Vendored).clone(),
            ..WorkerConfig::default()
        };
        Self::with_state(&cc.egui_ctx, config, state, paths)
    }

    /// An application with a worker and a state of the caller's making, and no samples.
    pub fn with_state(
        ctx: &egui::Context,
        config: WorkerConfig,
        state: State,
        paths: Vec<PathBuf>,
    ) -> Result<Self, WorkerError> {
        // The worker has threads of its own: without this, what they answer would wait for the next
        // movement of the pointer.
        let wake = {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        let mut session = Session::start(state, config, wake)?;
        let saved = session.state().settings.clone();
        session.carry_out(Command::Open(paths));
        let Settings { models, captions, .. } = &session.state().settings;
        if models.is_some() || captions.is_some() {
            // Either command has both files read.
            let again = ScoresCommand::UseModels(models.clone());
            session.carry_out(Command::Scores(again));
        }
        Ok(Self {
            session,
            window: Window::new(ctx),
            commands: CommandQueue::new(),
            dialogs: Dialogs::new(ctx.clone()),
            last_tick: 0.0,
            saved,
        })
    }

    /// What there is to show.
    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Does what a person could ask for.
    pub fn carry_out(&mut self, command: Command) {
        match command {
            // The workbench knows no dialogs: what they choose comes back as another command.
            Command::Browse(what) => self.dialogs.open(what),
            command => self.session.carry_out(command),
        }
    }

    /// Everything asked for since the last time: in the window, in dialogs, by dropping files.
    fn carry_out_all(&mut self, ctx: &egui::Context) {
        let commands = self.commands.take().into_iter();
        let asked: Vec<Command> =
            commands.chain(self.dialogs.answers()).chain(dropped_files(ctx)).collect();
        // What a command changed is drawn in the next frame, and without it there might be none.
        if !asked.is_empty() {
            ctx.request_repaint();
        }
        for command in asked {
            self.carry_out(command);
        }
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
        if self.session.take_events(EVENTS_BUDGET).is_more() {
            ctx.request_repaint();
        }
        self.play(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let context = ViewContext { state: self.session.state(), commands: &self.commands };
        self.window.show(ui, &context);
        let ctx = ui.ctx().clone();
        self.carry_out_all(&ctx);
        // Settings are stored with a frame, and a window that nobody touches draws none.
        if self.session.state().settings != self.saved {
            ctx.request_repaint_after(self.auto_save_interval() + Duration::from_secs(1));
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let settings = &self.session.state().settings;
        // Names, numbers and lists: there is nothing in them that JSON cannot hold.
        if let Ok(json) = settings.to_json() {
            storage.set_string(SETTINGS_KEY, json);
        }
        self.saved.clone_from(settings);
    }
}

/// The settings of the last session. Up to version 0.1 they were stored as eframe stores values.
fn stored_settings(storage: &dyn eframe::Storage) -> Option<Settings> {
    let json = storage.get_string(SETTINGS_KEY)?;
    Settings::from_json(&json).or_else(|| eframe::get_value(storage, SETTINGS_KEY))
}

fn dropped_files(ctx: &egui::Context) -> Option<Command> {
    let files = ctx.input(|input| input.raw.dropped_files.clone());
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_path_buf()).collect();
    (!paths.is_empty()).then_some(Command::Open(paths))
}

/// The samples that come with the program, in the sources or beside the installed program, or else
/// those of the current folder.
fn sample_runs() -> Vec<PathBuf> {
    let here = PathBuf::from(SAMPLES);
    shipped(SAMPLES).or_else(|| here.is_dir().then_some(here)).into_iter().collect()
}

/// `Pentimento/runs` in the home folder; without one, `runs` in the current folder.
pub(crate) fn default_out_dir() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_dir());
    home.map_or_else(|| PathBuf::from("runs"), |home| home.join("Pentimento").join("runs"))
}

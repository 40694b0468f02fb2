//! A prepared task: what the agent gets, and what its canvas begins with.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::base::{Limits, Size, parse_json, read_file_limited};
use crate::environment::canvas::HandTools;
use crate::environment::suite::GivenPicture;
use crate::environment::{
    Environment, EnvironmentKind, FONTS_SETTING, FontSource, HANDS_SETTING, OpenEnvironment,
    PictureRequest, StartState,
};
use crate::run::{AgentRef, GivenFile, Manifest, Parent, TaskRef};
use crate::task::{AgentInput, Artifact, Task};

use super::catch_panic::catch_panic;
use super::continued::ContinuedRun;
use super::cpu_pool::CpuPool;
use super::error::RunTaskError;
use super::run_settings::{RunSettings, START_RUN_SETTING, StartDesign};
use super::{AgentKind, PictureSource};

/// RFC 3339, UTC.
pub(super) fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// A task whose files were read. One of them serves any number of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedTask {
    /// What the agent gets. Where the ground truth is a document without a picture, the picture is
    /// drawn from it, at the document's own size.
    pub input: AgentInput,
    /// What the environment begins with.
    pub start: StartState,
    /// The pictures that the task hands out.
    pub input_pictures: Vec<GivenPicture>,
    /// The design it begins with, where that is not the task's own start.
    pub start_design: Option<StartDesign>,
    /// The run it goes on with, if there is one.
    pub continued: Option<ContinuedRun>,
}

impl PreparedTask {
    /// [`Self::new`] on a thread where that may take a while.
    pub(super) fn read(
        task: &Task,
        settings: &RunSettings,
        pictures: &PictureSource,
        open_environment: &OpenEnvironment,
        cpu: &CpuPool,
    ) -> Result<Self, RunTaskError> {
        let read = || Self::new(task, settings, pictures, open_environment);
        // The calls of a run that is gone on with may wait for a program outside, which on a shared thread all other
        // runs would do too.
        if settings.start_run.is_some() { read() } else { cpu.run(read) }
    }

    /// What the canvas of a task begins with where nobody says otherwise.
    ///
    /// # Errors
    ///
    /// [`RunTaskError`] if its files cannot be read.
    pub fn given_start(
        task: &Task,
        open_environment: &OpenEnvironment,
    ) -> Result<StartState, RunTaskError> {
        let (settings, pictures) = (RunSettings::default(), PictureSource::default());
        Ok(Self::new(task, &settings, &pictures, open_environment)?.start)
    }

    /// Reads a task, to be run with these settings; of them only what its environment begins with
    /// counts. The pictures of a design query come from `pictures`. The ground truth is in the vendored
    /// fonts whatever those of the run are.
    pub fn new(
        task: &Task,
        settings: &RunSettings,
        pictures: &PictureSource,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, RunTaskError> {
        let mut input = task.agent_input()?;
        draw_ground_truth(task, &mut input, open_environment)?;
        let start_design = settings.start_design.clone().filter(|_| settings.start_run.is_none());
        if let Some(design) = &start_design {
            input.start = Some(read_start_design(task, design)?);
        }
        if let Some(start_run) = &settings.start_run {
            let (continued, start) =
                ContinuedRun::open(start_run, task, settings.compat, open_environment)?;
            input.canvas_size = start.canvas_size;
            let input_pictures = continued.input_pictures(task, pictures);
            let continued = Some(continued);
            return Ok(Self { input, start, input_pictures, start_design: None, continued });
        }
        let input_pictures = pictures.input_pictures(task);
        // Self-contained from here on: the files it came from may be gone when a run is replayed.
        let start = StartState {
            given: input_pictures.clone(),
            compat: settings.compat.map(|compat| compat.name().to_owned()),
            fonts: settings.fonts,
            ..start_state(task, &input)
        };
        let start = start.self_contained()?;
        Ok(Self { input, start, input_pictures, start_design, continued: None })
    }

    /// The same task, to be done in another environment.
    ///
    /// # Errors
    ///
    /// [`RunTaskError::StartRun`] where it goes on with a run of another.
    pub fn in_environment(&self, environment: EnvironmentKind) -> Result<Self, RunTaskError> {
        if let Some(continued) = &self.continued {
            continued.ensure_is_in(&environment, &self.start.environment)?;
        }
        let mut prepared = self.clone();
        prepared.start.environment = environment;
        Ok(prepared)
    }

    /// What the agent is asked to do, with what was done before where it goes on with a run.
    pub fn instruction(&self, task: &Task) -> String {
        match &self.continued {
            Some(continued) => continued.instruction(&task.instruction),
            None => task.instruction.clone(),
        }
    }

    /// The environment at the start of a run.
    pub fn open(
        &self,
        open_environment: &OpenEnvironment,
    ) -> Result<Box<dyn Environment>, RunTaskError> {
        // An environment that cannot even be opened is a run that never began, and not a failed one.
        let opened = catch_panic("the environment", || open_environment(&self.start))
            .map_err(|panicked| RunTaskError::BrokeDown(panicked.to_string()))?;
        Ok(opened?)
    }

    /// The manifest of a run that begins now.
    pub fn manifest(
        &self,
        task: TaskRef,
        agent: AgentRef,
        settings: Map<String, Value>,
    ) -> Manifest {
        let mut manifest = Manifest::new(task, agent, now());
        if let Some(kind) = AgentKind::from_name(&manifest.agent.kind) {
            kind.mode().clone_into(&mut manifest.mode);
        }
        manifest.environment.clone_from(&self.start.environment);
        manifest.canvas_size = Some(self.start.canvas_size);
        manifest.compat.clone_from(&self.start.compat);
        manifest.given = self.given_files();
        if let Some(StartDesign { run: Some(run), step, .. }) = &self.start_design {
            manifest.parent = Some(Parent { run: run.clone(), step: *step, edits: Vec::new() });
        }
        manifest.settings = settings;
        // Also where nobody said, so that every run says what its texts were set in.
        let fonts = Value::from(self.start.fonts.name());
        manifest.settings.insert(FONTS_SETTING.to_owned(), fonts);
        if let Some(continued) = &self.continued {
            manifest.given.clone_from(&continued.given);
            manifest.parent = Some(continued.parent.clone());
            manifest.settings.insert(START_RUN_SETTING.to_owned(), json!(continued.start_run));
        }
        if let Some(hands) = self.start.hands.setting() {
            manifest.settings.insert(HANDS_SETTING.to_owned(), hands);
        }
        manifest
    }

    /// Which file each picture has, and what the start state holds of it.
    fn given_files(&self) -> Vec<GivenFile> {
        let start = self.start.document.as_ref();
        let list = start.and_then(|start| start.get("given")).and_then(Value::as_array);
        let mut files = Vec::with_capacity(self.input_pictures.len());
        for (at, given) in self.input_pictures.iter().enumerate() {
            // Pictures stand in the start state under keys of their own; the list, in the order of the
            // task, says which is whose.
            let key = list.and_then(|list| list.get(at)?.get("picture")?.as_str());
            let held = key.and_then(|key| start?.get("pictures")?.get(key));
            let missing = held.and_then(|held| held.get("missing")?.as_str());
            files.push(GivenFile {
                name: given.name.clone(),
                file: given.file.as_deref().map(absolute),
                picture: key.filter(|_| missing.is_none()).map(str::to_owned),
                missing: missing.map(str::to_owned),
            });
        }
        files
    }
}

/// The design that a run begins with instead of the task's own start.
fn read_start_design(task: &Task, design: &StartDesign) -> Result<Value, RunTaskError> {
    let failed = |why: String| RunTaskError::StartDesign { why, path: design.path.clone() };
    if task.environment != EnvironmentKind::Canvas {
        let why = "only tasks of the vector canvas begin with another design";
        return Err(failed(why.to_owned()));
    }
    let bytes = read_file_limited(&design.path, Limits::JSON_BYTES);
    let bytes = bytes.map_err(|error| failed(error.to_string()))?;
    parse_json(&bytes).map_err(|error| failed(error.to_string()))
}

/// The path from the root, as text.
fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.display().to_string()
}

fn draw_ground_truth(
    task: &Task,
    input: &mut AgentInput,
    open_environment: &OpenEnvironment,
) -> Result<(), RunTaskError> {
    if input.picture.is_some() {
        return Ok(());
    }
    // A picture at hand was what people looked at; only without one is the document drawn.
    let Some(document) = task.load_ground_truth_document()? else { return Ok(()) };
    // Compat is about what the agent's tools do; the ground truth is as it is.
    let start = StartState {
        document: Some(document),
        pictures: task.ground_truth.as_ref().and_then(Artifact::pictures_folder),
        ..start_state(task, input)
    };
    let drawn = catch_panic("the ground truth", || {
        let environment = open_environment(&start)?;
        Ok::<_, RunTaskError>(environment.picture(&PictureRequest::default()).ok())
    });
    let picture = drawn.map_err(|panicked| RunTaskError::BrokeDown(panicked.to_string()))??;
    let Some(picture) = picture.map(|picture| picture.pixels) else { return Ok(()) };
    // Where nothing else says how large the page is, it is as large as what it should become.
    if task.canvas_size.is_none() && input.start.is_none() {
        input.canvas_size = Size::new(f64::from(picture.width()), f64::from(picture.height()));
    }
    input.picture = Some(picture);
    Ok(())
}

fn start_state(task: &Task, input: &AgentInput) -> StartState {
    StartState {
        hands: HandTools::Refused,
        environment: task.environment.clone(),
        canvas_size: input.canvas_size,
        document: input.start.clone(),
        pictures: task.start.as_ref().and_then(Artifact::pictures_folder),
        given: Vec::new(),
        compat: None,
        fonts: FontSource::default(),
    }
}

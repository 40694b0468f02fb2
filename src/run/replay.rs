//! The environment's state at any step: the nearest snapshot, and the calls from there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};
use crate::environment::canvas::HandTools;
use crate::environment::{
    Environment, FALLBACK_CANVAS, FONTS_SETTING, FontSource, HANDS_SETTING, OpenEnvironment,
    Picture, PictureRequest, RenderError, Snapshot, StartError, StartState,
};

use super::images::{ImageError, PictureFile};
use super::manifest::Manifest;
use super::model::{Run, RunOrigin, Step};
use super::reader::{RunError, read_start};

/// Most snapshots kept. They share structure, so each costs about what its step changed.
const SNAPSHOTS: usize = 1024;

/// Why a state cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The run is known by its pictures only: there are no calls to replay.
    #[error("this run is known by its pictures only; there are no calls to replay")]
    NoCalls,
    /// There is no such step.
    #[error("the run has no step {step}; its last is {last}")]
    NoStep {
        /// The step asked for.
        step: u32,
        /// The last there is.
        last: u32,
    },
    /// The start state cannot be read.
    #[error(transparent)]
    Start(#[from] RunError),
    /// No environment can be made of the start state.
    #[error(transparent)]
    Environment(#[from] StartError),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The state cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// A call that came out differently than recorded: the run was made by another version, by a model
/// of the environment that is not ours, or its file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Which step.
    pub step: u32,
    /// What the agent was told then.
    pub recorded: String,
    /// What it would be told now.
    pub replayed: String,
}

/// An environment that can be put to any step of a run.
///
/// Going to a step costs the calls since the nearest snapshot at or before it. Snapshots are kept as
/// calls are replayed: of every step, or in runs of more than a thousand steps of evenly spaced ones.
#[derive(Debug)]
pub struct Replay {
    run: Arc<Run>,
    environment: Box<dyn Environment>,
    /// The step the environment is at; 0 is the start.
    at: u32,
    /// By step; always holds 0.
    snapshots: BTreeMap<u32, Snapshot>,
    divergences: BTreeMap<u32, Divergence>,
}

impl Replay {
    /// Puts the environment of a recorded run to its start.
    pub fn new(run: Arc<Run>, open_environment: &OpenEnvironment) -> Result<Self, ReplayError> {
        let environment = open_environment(&start_state(&run)?)?;
        let snapshots = BTreeMap::from([(0, environment.snapshot())]);
        Ok(Self { run, environment, at: 0, snapshots, divergences: BTreeMap::new() })
    }

    /// The run.
    pub fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// Takes a run that grew. What was replayed of the steps both have in common stays.
    pub fn update(&mut self, run: Arc<Run>) {
        // Compared and not trusted: a run of the same folder may have been replaced by another. Of one
        // that only grew this looks at one step, however long it is.
        let common = run.steps.common_with(&self.run.steps) as u32;
        drop(self.snapshots.split_off(&(common + 1)));
        drop(self.divergences.split_off(&(common + 1)));
        self.run = run;
        if self.at > common {
            self.rewind(common);
        }
    }

    /// The environment at whatever step it is, for what is the same at every step.
    pub fn environment(&self) -> &dyn Environment {
        &*self.environment
    }

    /// The environment after a step; 0 is the start.
    pub fn environment_at(
        &mut self,
        step: u32,
        cancel: &CancelToken,
    ) -> Result<&dyn Environment, ReplayError> {
        let last = self.run.steps.len() as u32;
        if step > last {
            return Err(ReplayError::NoStep { step, last });
        }
        self.rewind(step);
        while self.at < step {
            cancel.check()?;
            self.advance();
        }
        Ok(&*self.environment)
    }

    /// What the environment looks like after a step; 0 is the start.
    pub fn picture_at(
        &mut self,
        step: u32,
        request: &PictureRequest,
        cancel: &CancelToken,
    ) -> Result<Picture, ReplayError> {
        Ok(self.environment_at(step, cancel)?.picture(request)?)
    }

    /// The calls replayed so far that came out differently than recorded, in order.
    pub fn divergences(&self) -> impl Iterator<Item = &Divergence> {
        self.divergences.values()
    }

    /// Goes to the nearest snapshot at or before `step`, unless the environment is nearer.
    fn rewind(&mut self, step: u32) {
        // Where the environment already stands between the two, going on from there is shorter.
        let nearest = self.snapshots.range(..=step).next_back();
        if let Some((from, snapshot)) = nearest
            && (self.at > step || self.at < *from)
        {
            self.environment.restore(snapshot);
            self.at = *from;
        }
    }

    fn advance(&mut self) {
        if let Some(step) = self.run.steps.get(self.at as usize)
            && let Some(divergence) = replay_step(&mut *self.environment, step)
        {
            self.divergences.insert(step.number, divergence);
        }
        self.at += 1;
        // By the length that the run has now: one that grows while it is replayed keeps the closer
        // ones of its beginning.
        let stride = (self.run.steps.len() / SNAPSHOTS + 1) as u32;
        if self.at.is_multiple_of(stride) && !self.snapshots.contains_key(&self.at) {
            self.snapshots.insert(self.at, self.environment.snapshot());
        }
    }
}

/// The file with the recorded canvas after a step, from 1, of a run that is shown by its pictures
/// ([`Run::is_shown_by_pictures`]). `None`: there is none of that step or before.
pub fn recorded_file(run: &Run, step: u32) -> Option<Result<PictureFile, ImageError>> {
    let index = (step as usize).checked_sub(1)?;
    match &run.origin {
        RunOrigin::Pictures { files, .. } => Some(PictureFile::read(files.get(index)?.clone())),
        RunOrigin::Recorded { dir } => {
            // Not every call draws; what was drawn last is what is there.
            run.steps.get(index)?;
            let mut until = run.steps.range(0..index + 1).rev();
            let image = until.find_map(|step| step.outcome.as_ref()?.image.as_ref())?;
            Some(PictureFile::recorded(dir, image))
        }
    }
}

/// The path of [`recorded_file`] in a run that was read from a folder of pictures; `None` for any other
/// run, whose pictures are known by what they hold.
pub fn recorded_picture_file(run: &Run, step: u32) -> Option<PathBuf> {
    let RunOrigin::Pictures { files, .. } = &run.origin else { return None };
    files.get((step as usize).checked_sub(1)?).cloned()
}

fn replay_step(environment: &mut dyn Environment, step: &Step) -> Option<Divergence> {
    // Never stopped in the middle: a call that was given up would leave a state of no step.
    let outcome = environment.call(step.call.as_ref()?, &CancelToken::default());
    let recorded = step.outcome.as_ref()?;
    // Latencies differ and structured values may; what the agent was told is what it acted on.
    let same = outcome.text == recorded.text && outcome.is_error() == recorded.failure.is_some();
    (!same).then(|| Divergence {
        step: step.number,
        recorded: recorded.text.clone(),
        replayed: outcome.text,
    })
}

/// The fonts the run was made in; before runs said so, they are not known, and the vendored ones give
/// the same picture everywhere.
fn fonts(manifest: &Manifest) -> Result<FontSource, ReplayError> {
    let Some(said) = manifest.settings.get(FONTS_SETTING) else { return Ok(FontSource::default()) };
    let known = said.as_str().and_then(FontSource::from_name);
    Ok(known
        .ok_or_else(|| StartError::UnknownFonts(said.to_string().chars().take(80).collect()))?)
}

/// What the environment of a recorded run begins with.
///
/// # Errors
///
/// [`ReplayError::NoCalls`] of a run that is known by its pictures only, or why its start cannot be read.
pub fn start_state(run: &Run) -> Result<StartState, ReplayError> {
    let RunOrigin::Recorded { dir } = &run.origin else { return Err(ReplayError::NoCalls) };
    let manifest = &run.manifest;
    Ok(StartState {
        environment: manifest.environment.clone(),
        canvas_size: manifest.canvas_size.unwrap_or(FALLBACK_CANVAS),
        document: read_start(dir, manifest)?,
        // A run's own `images` hold what was seen, by other names.
        pictures: None,
        given: Vec::new(),
        compat: manifest.compat.clone(),
        fonts: fonts(manifest)?,
        hands: HandTools::from_setting(manifest.settings.get(HANDS_SETTING)),
    })
}

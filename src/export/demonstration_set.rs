//! Many runs as demonstrations and preferences: what becomes a line, and what is left out and why.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::demonstrations::{
    DemonstratedRun, DemonstrationError, DemonstrationOptions, demonstrations, is_taken_over,
    preference,
};
use super::run::{ExportRun, RunExportError};
use crate::base::{CancelToken, Cancelled};
use crate::environment::OpenEnvironment;
use crate::evaluate::MadeBy;
use crate::run::BY_HAND_KIND;

/// Whether pairs of what a person and an agent did are made, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemonstrationPairs {
    /// None.
    #[default]
    Without,
    /// Of each run that a person took over, if the run it was taken over from is among those named.
    With,
}

/// Lines of runs, as files hold them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemonstrationSet {
    /// A line of JSON each.
    pub lines: Vec<String>,
    /// How many runs these are of.
    pub runs: usize,
    /// The pairs, a line each; none where they were not asked for.
    pub pairs: Vec<String>,
    /// The runs that are in no line, and why.
    pub left_out: Vec<String>,
    /// The runs that were taken over and are in no pair, and why.
    pub unpaired: Vec<String>,
}

/// What making lines goes by.
pub struct DemonstrationContext<'a> {
    /// Makes environments.
    pub open_environment: &'a OpenEnvironment,
    /// Raised to stop it.
    pub cancel: &'a CancelToken,
    /// Told how many of how many runs are done, and which is next.
    pub progress: &'a (dyn Fn(usize, usize, &str) + Sync),
}

impl std::fmt::Debug for DemonstrationContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DemonstrationContext").finish_non_exhaustive()
    }
}

impl DemonstrationSet {
    /// Makes lines of runs, and pairs if they are asked for. A run that is broken in any way is left out, and holds up
    /// no other. Runs are read when their turn comes.
    ///
    /// # Errors
    ///
    /// [`Cancelled`].
    pub fn of(
        runs: &[ExportRun],
        options: DemonstrationOptions,
        pairs: DemonstrationPairs,
        context: &DemonstrationContext<'_>,
    ) -> Result<Self, Cancelled> {
        let mut set = Self::default();
        // Which they are has to be known before, for the progress; whether there is a pair is seen when it is made.
        let taken_over: Vec<&ExportRun> = match pairs {
            DemonstrationPairs::With => runs.iter().filter(|run| may_be_taken_over(run)).collect(),
            DemonstrationPairs::Without => Vec::new(),
        };
        let count = runs.len() + taken_over.len();
        for (done, run) in runs.iter().enumerate() {
            context.cancel.check()?;
            (context.progress)(done, count, &name(&run.dir));
            match lines_of(run, options, context) {
                Ok(lines) => {
                    set.runs += 1;
                    set.lines.extend(lines.iter().map(Value::to_string));
                }
                // One run that is damaged is named and left out; all others are written.
                Err(LeftOut::Unreadable(why)) => set.left_out.push(why.to_string()),
                Err(LeftOut::Broken(DemonstrationError::Cancelled(stopped))) => {
                    return Err(stopped);
                }
                Err(LeftOut::Broken(why)) => {
                    set.left_out.push(format!("{}: {why}", run.dir.display()));
                }
            }
        }
        for (done, run) in taken_over.into_iter().enumerate() {
            context.cancel.check()?;
            (context.progress)(runs.len() + done, count, &name(&run.dir));
            match pair_of(run, runs, options, context) {
                Ok(pair) => set.pairs.extend(pair.as_ref().map(Value::to_string)),
                Err(NoPair::Broken(DemonstrationError::Cancelled(stopped))) => return Err(stopped),
                Err(why) => set.unpaired.push(format!("{}: {why}", run.dir.display())),
            }
        }
        (context.progress)(count, count, "");
        Ok(set)
    }

    /// Where the lines come from, by the command that makes them again.
    pub fn lines_made_by(&self, command: &str) -> MadeBy {
        MadeBy {
            command: command.to_owned(),
            runs: self.runs.to_string(),
            left_out: self.left_out.clone(),
            ..MadeBy::default()
        }
    }

    /// The same of the pairs.
    pub fn pairs_made_by(&self, command: &str) -> MadeBy {
        MadeBy {
            command: command.to_owned(),
            runs: self.pairs.len().to_string(),
            left_out: self.unpaired.clone(),
            ..MadeBy::default()
        }
    }

    /// Lines as a file holds them.
    pub fn text(lines: &[String]) -> String {
        lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// Why a run is in no line.
enum LeftOut {
    Unreadable(RunExportError),
    Broken(DemonstrationError),
}

/// Why a run is in no pair.
#[derive(Debug, thiserror::Error)]
enum NoPair {
    #[error("the run it was taken over from is not among those named")]
    NoParent,
    #[error(transparent)]
    Unreadable(#[from] RunExportError),
    #[error(transparent)]
    Broken(#[from] DemonstrationError),
}

fn lines_of(
    run: &ExportRun,
    options: DemonstrationOptions,
    context: &DemonstrationContext<'_>,
) -> Result<Vec<Value>, LeftOut> {
    let of = read(run).map_err(LeftOut::Unreadable)?;
    demonstrations(&of, options, context.open_environment, context.cancel).map_err(LeftOut::Broken)
}

fn read(run: &ExportRun) -> Result<DemonstratedRun, RunExportError> {
    Ok(DemonstratedRun { run: run.read()?, task: run.task.as_ref().map(Arc::clone) })
}

/// By what is listed of it.
fn may_be_taken_over(run: &ExportRun) -> bool {
    run.manifest.parent.is_some() && run.manifest.agent.kind == BY_HAND_KIND
}

fn pair_of(
    chosen: &ExportRun,
    runs: &[ExportRun],
    options: DemonstrationOptions,
    context: &DemonstrationContext<'_>,
) -> Result<Option<Value>, NoPair> {
    let own = read(chosen)?;
    if !is_taken_over(&own.run) {
        return Ok(None);
    }
    let parent = own.run.manifest.parent.as_ref().map(|parent| parent.run.as_str());
    let rejected = runs.iter().find(|run| Some(run.manifest.id.as_str()) == parent);
    let rejected = read(rejected.ok_or(NoPair::NoParent)?)?;
    let pair = preference(&own, &rejected, options, context.open_environment, context.cancel);
    Ok(pair?)
}

/// What a run is called while it is its turn: the end of its path.
fn name(dir: &Path) -> String {
    dir.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

//! A run that another goes on with: what that one begins with, and what its agent is told of it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{CancelToken, Limits, parse_json};
use crate::environment::canvas::APPLY_EDIT;
use crate::environment::suite::GivenPicture;
use crate::environment::{
    BegunCall, BegunStart, Compat, EnvironmentKind, OpenEnvironment, StartError, StartState,
};
use crate::run::replay::{Replay, ReplayError, start_state};
use crate::run::{GivenFile, Parent, Run, reader};
use crate::task::{Artifact, Task};

use super::PictureSource;
use super::catch_panic::catch_panic;
use super::error::RunTaskError;
use super::run_settings::{RunSettings, StartRun};

/// Most of what was done before that an agent is told in its instruction, in characters; what was done last counts
/// most.
const TOLD_CHARS: usize = 48_000;
/// Most that an error repeats of what a call told, in characters.
const CUT: usize = 120;

/// A run that another goes on with, replayed and as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ContinuedRun {
    /// Which, and behind which step.
    pub start_run: StartRun,
    /// The same for the new run's manifest.
    pub parent: Parent,
    /// The pictures that it was given.
    pub given: Vec<GivenFile>,
    /// What was called before.
    pub calls: Vec<BegunCall>,
    /// Its folder.
    path: PathBuf,
    /// Where its own pictures come from.
    pictures: PictureSource,
}

impl ContinuedRun {
    /// Reads and replays the run; gives what the new one begins with, too.
    ///
    /// # Errors
    ///
    /// Why it cannot be gone on with there: it cannot be read, is of another task, has no such step, or does not come
    /// out as it was recorded.
    pub(super) fn open(
        start_run: &StartRun,
        task: &Task,
        compat: Option<Compat>,
        open_environment: &OpenEnvironment,
    ) -> Result<(Self, StartState), RunTaskError> {
        let StartRun { path, run: id, step } = start_run;
        let failed = |why: String| RunTaskError::StartRun { why, path: path.clone() };
        let run = Arc::new(reader::open(path).map_err(RunTaskError::StartRunUnread)?);
        let manifest = &run.manifest;
        if manifest.id != *id {
            let why = format!("{} lies there, and not {}", cut(&manifest.id), cut(id));
            return Err(failed(why));
        }
        if manifest.task.id != task.id {
            let why = format!("it is of the task {}, not of {}", cut(&manifest.task.id), task.id);
            return Err(failed(why));
        }
        let mut start = start_state(&run).map_err(|error| failed(error.to_string()))?;
        let made_with = start.compat.as_deref().unwrap_or(Compat::default().name());
        if let Some(compat) = compat.filter(|compat| compat.name() != made_with) {
            let why = format!("it was made with compat {made_with}, not {}", compat.name());
            return Err(failed(why));
        }
        ensure_replays(&run, *step, open_environment).map_err(failed)?;
        let begun = BegunStart::from_document(start.document.take()).map_err(StartError::from)?;
        // A run that is only made again has the parent that it had.
        let lineage = RunSettings::from_json_lossy(&manifest.settings).start_run;
        let (start_run, parent) = match (lineage, &manifest.parent) {
            (Some(lineage), Some(parent)) if *step == 0 => (lineage, parent.clone()),
            _ => {
                let parent = Parent { run: id.clone(), step: *step, edits: Vec::new() };
                (start_run.clone(), parent)
            }
        };
        let calls = [begun.calls, calls_until(&run, *step)].concat();
        let document = BegunStart { document: begun.document, calls: calls.clone() };
        start.document = document.into_document();
        // As a task's start has them, whose bytes no document holds.
        start.pictures = task.start.as_ref().and_then(Artifact::pictures_folder);
        ensure_is_readable(&start).map_err(failed)?;
        let pictures =
            PictureSource::of_run(path, manifest).map_err(RunTaskError::StartRunUnread)?;
        let given = manifest.given.clone();
        let path = path.clone();
        Ok((Self { start_run, parent, given, calls, path, pictures }, start))
    }

    /// The pictures that the task hands out: those of the run, unless others are said.
    pub(super) fn input_pictures(&self, task: &Task, said: &PictureSource) -> Vec<GivenPicture> {
        let pictures = if *said == PictureSource::Nowhere { &self.pictures } else { said };
        pictures.input_pictures(task)
    }

    /// An agent that works in one environment goes on with no run of another.
    pub(super) fn ensure_is_in(
        &self,
        wanted: &EnvironmentKind,
        its: &EnvironmentKind,
    ) -> Result<(), RunTaskError> {
        if wanted == its {
            return Ok(());
        }
        let why = format!("it is of the environment {its}, and the agent works in {wanted}");
        Err(RunTaskError::StartRun { why, path: self.path.clone() })
    }

    /// What the agent is asked, and behind it what was done before it came, the last of it whole if that is not too
    /// long.
    pub(super) fn instruction(&self, of_task: &str) -> String {
        if self.calls.is_empty() {
            return of_task.to_owned();
        }
        let mut left = TOLD_CHARS;
        let mut lines = Vec::new();
        // From the last: where they do not fit, what was done first is the least that one has to know.
        for (number, begun) in self.calls.iter().enumerate().rev() {
            let line = format!("{}. {}", number + 1, told(begun));
            let length = line.chars().count();
            if length > left {
                lines.push(line.chars().take(left).chain(['…']).collect());
                break;
            }
            left -= length;
            lines.push(line);
        }
        lines.reverse();
        let count = self.calls.len();
        let which = if lines.len() < count { ", the last of them" } else { "" };
        format!(
            "{of_task}\n\nThis was begun before you: {count} calls were made, and what came of them is there now. Go on \
             from it. The calls{which}, each with what it told:\n{}",
            lines.join("\n")
        )
    }
}

/// A call as an agent is told of it. What a person did and no tool does is no call that it could make; and pictures as
/// text say nothing.
fn told(begun: &BegunCall) -> String {
    let BegunCall { call, text } = begun;
    if call.name != APPLY_EDIT {
        return format!("{} {} → {text}", call.name, call.arguments);
    }
    let mut change = call.arguments.clone();
    if let Some(change) = change.as_object_mut() {
        change.remove("pictures");
    }
    format!("by hand {change} → {text}")
}

/// The run has to come out up to the step as it was recorded, or nobody knows what is gone on with.
fn ensure_replays(
    run: &Arc<Run>,
    step: u32,
    open_environment: &OpenEnvironment,
) -> Result<(), String> {
    let replayed = catch_panic("the run", || {
        let mut replay = Replay::new(Arc::clone(run), open_environment)?;
        replay.environment_at(step, &CancelToken::default())?;
        let first = replay.divergences().next().cloned();
        Ok::<_, ReplayError>(first)
    });
    let first = replayed.map_err(|panicked| panicked.to_string())?;
    match first.map_err(|error| error.to_string())? {
        None => Ok(()),
        Some(first) => Err(format!(
            "step {} comes out differently than it was recorded: {:?} and not {:?}",
            first.step,
            cut(&first.replayed),
            cut(&first.recorded)
        )),
    }
}

fn calls_until(run: &Run, step: u32) -> Vec<BegunCall> {
    let steps = run.steps.range(0..step as usize);
    let calls = steps.filter_map(|step| {
        let text = step.outcome.as_ref().map_or_else(String::new, |outcome| outcome.text.clone());
        Some(BegunCall { call: step.call.clone()?, text })
    });
    calls.collect()
}

/// What is written has to be read again, or the new run could not be replayed.
fn ensure_is_readable(start: &StartState) -> Result<(), String> {
    let Some(document) = &start.document else { return Ok(()) };
    let bytes = serde_json::to_vec(document).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > Limits::JSON_BYTES {
        let most = Limits::JSON_BYTES >> 20;
        return Err(format!("what it began with and called is over {most} MiB"));
    }
    let read = parse_json::<serde::de::IgnoredAny>(&bytes);
    read.map(drop).map_err(|error| format!("what it called is {error}"))
}

fn cut(text: &str) -> String {
    text.chars().take(CUT).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::environment::ToolCall;

    #[test]
    fn what_a_person_did_is_told_without_its_tool_and_without_the_bytes_of_its_pictures() {
        let begun = |name: &str, arguments| BegunCall {
            call: ToolCall { id: "call-1".to_owned(), name: name.to_owned(), arguments },
            text: "Changed 1 nodes and removed 0".to_owned(),
        };
        let change = json!({"nodes": [{"id": "1:2"}], "pictures": {"a": "iVBORw0KGgo="}});
        assert_eq!(
            told(&begun(APPLY_EDIT, change)),
            r#"by hand {"nodes":[{"id":"1:2"}]} → Changed 1 nodes and removed 0"#
        );
        assert_eq!(
            told(&begun("move_node", json!({"pictures": 1}))),
            r#"move_node {"pictures":1} → Changed 1 nodes and removed 0"#
        );
    }
}

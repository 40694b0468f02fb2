//! Opening a design for a study, or for practice.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::design::Document;
use crate::run::reader;
use crate::run::replay::Replay;
use crate::study::practice::PracticeTask;
use crate::workbench::protocol::OpenedDesign;
use crate::workbench::{StudyStart, TrialPlace};
use crate::worker::shared::Shared;

/// Opens it: a task that was broken off behind its last step.
pub(in crate::worker) fn open_for_study(
    shared: &Shared,
    start: &StudyStart,
) -> Result<OpenedDesign, String> {
    match start {
        StudyStart::Trial(place) => open_trial(shared, place),
        StudyStart::Practice(task, seed) => open_practice(shared, task, *seed),
    }
}

fn open_trial(shared: &Shared, place: &TrialPlace) -> Result<OpenedDesign, String> {
    let mut document = if place.goes_on { last_design(shared, place)? } else { None }
        .map_or_else(|| first_design(shared, place), Ok)?;
    document.add_images_of(&place.goal);
    Ok(OpenedDesign {
        title: place.facts.task.clone(),
        instruction: Some(place.words.clone()).filter(|words| !words.is_empty()),
        goal: Some(Arc::clone(&place.goal)),
        document,
        render: shared.render.clone(),
    })
}

fn first_design(shared: &Shared, place: &TrialPlace) -> Result<Document, String> {
    let environment = (shared.open_environment)(&place.start).map_err(|it| it.to_string())?;
    environment.design().ok_or_else(|| "the task is not about a vector design".to_owned())
}

/// The design behind the last step that is recorded; `None` where none is.
fn last_design(shared: &Shared, place: &TrialPlace) -> Result<Option<Document>, String> {
    let run = reader::open(&place.dir).map_err(|error| error.to_string())?;
    let Some(last) = run.steps.last().map(|step| step.number) else { return Ok(None) };
    let mut replay =
        Replay::new(Arc::new(run), &*shared.open_environment).map_err(|error| error.to_string())?;
    let at_end = replay.environment_at(last, &CancelToken::default());
    Ok(at_end.map_err(|error| error.to_string())?.design())
}

fn open_practice(shared: &Shared, task: &PracticeTask, seed: u64) -> Result<OpenedDesign, String> {
    let begun = task.start(seed).map_err(|error| error.to_string())?;
    Ok(OpenedDesign {
        title: task.title.clone(),
        instruction: Some(task.words.clone()).filter(|words| !words.is_empty()),
        goal: Some(Arc::new(begun.goal)),
        document: begun.start,
        render: shared.render.clone(),
    })
}

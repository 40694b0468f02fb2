//! Events: what the worker says becomes a change of the state, and maybe more work.

mod ended;
mod opened;
mod runs;
mod scores;

use std::sync::Arc;

use crate::metric::constraint::Findings;

use super::cache;
use super::jobs::{JobId, Progress};
use super::outline::{Outline, OutlineKey};
use super::protocol::{Event, PictureKey, Request, StagePicture};
use super::query::CheckKey;
use super::state::{Fetched, Listed, NoticeLevel, State};
use super::wants;

/// Takes what the worker says into the state; events of jobs that no longer matter are dropped.
pub fn apply(state: &mut State, event: Event) -> Vec<Request> {
    match event {
        Event::Progress(job, progress) => move_on(state, job, progress),
        Event::JobEnded(job, outcome) => ended::job_ended(state, job, outcome),
        Event::Opened { job, sets, runs, warnings } if state.jobs.is_active(job) => {
            opened::opened(state, job, sets, runs);
            opened::tell_warnings(state, &warnings);
        }
        Event::Found { runs } => opened::found(state, runs),
        Event::RunRead { run_id, run, live } => runs::run_read(state, run_id, run, live),
        Event::Answering { run_id, answering } => runs::answering(state, run_id, answering),
        Event::RunGrew { run_id, totals, steps } => runs::run_grew(state, run_id, totals, steps),
        Event::RunEnded { run_id, manifest } => runs::run_ended(state, run_id, *manifest),
        Event::RunMoved { run_id, dir, replaced } => {
            let mut requests = runs::run_moved(state, run_id, dir, &replaced);
            requests.extend(wants::ask(state));
            return requests;
        }
        Event::RunHeld { job, is_held } => runs::run_held(state, job, is_held),
        Event::ModelsListed { job, path, result } if state.work.model_list == Some(job) => {
            state.launch_models = Some(Listed { path, listed: Some(result) });
        }
        Event::PicturesListed { job, path, result } if state.work.picture_list == Some(job) => {
            state.launch_pictures = Some(Listed { path, listed: Some(result) });
        }
        Event::RunLost { run_id, message } => runs::run_lost(state, run_id, message),
        Event::RunStarted { run_id, dir, manifest } => {
            runs::run_started(state, run_id, dir, *manifest);
        }
        Event::Picture { job, key, result } => picture(state, job, key, result),
        Event::Outline { job, key, result } => outline(state, job, key, result),
        Event::Checked { job, key, result } => checked(state, job, key, result),
        Event::Scored { job, run_id, step, scores, map } if state.jobs.is_active(job) => {
            scores::scored(state, (run_id, step), scores, map);
        }
        Event::ModelsUsed { job, result } if state.work.models == Some(job) => {
            scores::models_used(state, result);
        }
        Event::Warned { message } => state.tell(NoticeLevel::Warning, message),
        Event::Opened { .. }
        | Event::Scored { .. }
        | Event::ModelsUsed { .. }
        | Event::ModelsListed { .. }
        | Event::PicturesListed { .. } => {}
    }
    wants::ask(state)
}

fn move_on(state: &mut State, job: JobId, progress: Progress) {
    if let Some(job) = state.jobs.by_id.get_mut(&job).filter(|job| job.outcome.is_none()) {
        job.progress = progress;
    }
}

fn picture(state: &mut State, job: JobId, key: PictureKey, result: Result<StagePicture, String>) {
    if state.work.pictures.get(&key) != Some(&job) {
        return;
    }
    state.work.pictures.remove(&key);
    match result {
        Ok(picture) => cache::put_picture(state, key, picture),
        Err(why) => {
            state.pictures.insert(key, Fetched::Failed(why));
        }
    }
}

fn checked(state: &mut State, job: JobId, key: CheckKey, result: Result<Arc<Findings>, String>) {
    if state.work.check.take_if(|asked| *asked == (key, job)).is_none() {
        return;
    }
    match result {
        Ok(findings) => cache::put_check(state, key, findings),
        Err(why) => {
            state.checks.insert(key, Fetched::Failed(why));
        }
    }
}

fn outline(state: &mut State, job: JobId, key: OutlineKey, result: Result<Arc<Outline>, String>) {
    if state.work.outlines.get(&key) != Some(&job) {
        return;
    }
    state.work.outlines.remove(&key);
    match result {
        Ok(outline) => cache::put_outline(state, key, outline),
        Err(why) => {
            state.outlines.insert(key, Fetched::Failed(why));
        }
    }
}

//! Runs with other calls: what came of them, what each call brought, and recording them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, json};

use crate::agent::batch::seen_from;
use crate::agent::runner::RunSettings;
use crate::agent::{PictureSource, PreparedTask};
use crate::base::CancelToken;
use crate::environment::{EnvironmentKind, FALLBACK_CANVAS};
use crate::evaluate::canvas::scale_to_match;
use crate::evaluate::what_if::{
    Base, Branch, EndScores, LeftOut, Looks, SaveBranch, ShapleyEffects, WhatIfError,
    branch_manifest, groups_of, leave_one_out, save_branch, shapley, taken_over_manifest,
    thoughts_of, turns_by_hand, turns_of,
};
use crate::metric::Score;
use crate::run::{
    AgentRef, BY_HAND_KIND, Manifest, PlannedCall, TASKS_SETTING, TaskRef, edits_between, folder,
};
use crate::task::Task;
use crate::workbench::protocol::{ListedRun, SaveBranchOrder, StagePicture};
use crate::workbench::{
    BranchCall, BranchDesign, BranchOutcome, EffectsKey, Event, Inputs, ShapleyKey,
};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

use super::canvas::screen_of;
use super::context::ComputeContext;
use super::pictures::{branch_picture, compared_task_of};

/// Runs that were made once more and are kept, so that the next edit begins where it differs.
const KEPT: usize = 2;

impl From<WhatIfError> for JobError {
    fn from(error: WhatIfError) -> Self {
        match error {
            WhatIfError::Cancelled(cancelled) => cancelled.into(),
            error => Self::failed(error),
        }
    }
}

/// The run made once more, or the start of the task.
pub(super) fn base_of(
    shared: &Shared,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<Arc<Base>, JobError> {
    let open_environment = &*shared.open_environment;
    let Some(run) = inputs.loaded() else {
        let task = inputs.task.as_ref().ok_or_else(JobError::not_read)?;
        let prepared = prepared(shared, task)?;
        return Ok(Arc::new(Base::by_hand(prepared.start, open_environment)?));
    };
    let known = {
        let mut bases = shared.bases.lock();
        let at = bases.iter().position(|(known, _)| Arc::ptr_eq(known, run));
        // Put at the end: what stands first was not used for longest, and goes first.
        at.map(|at| bases.remove(at)).map(|kept| {
            let base = Arc::clone(&kept.1);
            bases.push(kept);
            base
        })
    };
    if let Some(base) = known {
        return Ok(base);
    }
    // Not locked meanwhile: of two threads that make one at once, both get theirs.
    let base = Arc::new(Base::of_run(run, open_environment, cancel)?);
    let mut bases = shared.bases.lock();
    bases.push((Arc::clone(run), Arc::clone(&base)));
    if bases.len() > KEPT {
        bases.remove(0);
    }
    Ok(base)
}

fn prepared(shared: &Shared, task: &Task) -> Result<PreparedTask, JobError> {
    let (settings, pictures) = (RunSettings::default(), PictureSource::default());
    PreparedTask::new(task, &settings, &pictures, &*shared.open_environment)
        .map_err(JobError::failed)
}

fn calls_of(inputs: &Inputs) -> Result<&[PlannedCall], JobError> {
    let branch = inputs.branch.as_ref().ok_or_else(JobError::not_read)?;
    Ok(&branch.calls)
}

/// Makes the calls and says what came of each.
pub(super) fn make_branch(
    shared: &Shared,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<BranchOutcome, JobError> {
    let base = base_of(shared, inputs, cancel)?;
    let mut branch = Branch::new(&base, Looks::Made, &*shared.open_environment)?;
    branch.run(calls_of(inputs)?, cancel, |_, _| ())?;
    let calls = branch.steps().iter().map(|step| BranchCall {
        call: Arc::clone(&step.call),
        text: step.told.text.clone(),
        failed: step.told.failure.is_some(),
    });
    let calls = calls.collect();
    let environment = branch.environment();
    let is_canvas = base.start().environment == EnvironmentKind::Canvas;
    let design = environment.design().filter(|_| is_canvas).map(|document| {
        let screen = screen_of(environment, &document);
        BranchDesign { document, screen }
    });
    Ok(BranchOutcome { calls, tools: environment.tools().to_vec().into(), design })
}

/// What a branch looks like after so many of its calls.
pub(super) fn picture_of_branch(
    shared: &Shared,
    inputs: &Inputs,
    made: u32,
    cancel: &CancelToken,
) -> Result<StagePicture, JobError> {
    let base = base_of(shared, inputs, cancel)?;
    let mut branch = Branch::new(&base, Looks::Skipped, &*shared.open_environment)?;
    let calls = calls_of(inputs)?;
    let calls = calls.get(..made as usize).unwrap_or(calls);
    branch.run(calls, cancel, |_, _| ())?;
    let task = inputs.task.as_ref();
    let compared = task.and_then(|task| compared_task_of(shared, task).ok().flatten());
    let truth = compared.as_ref().and_then(|compared| compared.truth().picture.as_ref());
    let truth = truth.map(|truth| (truth.width(), truth.height()));
    let frame = inputs.loaded().and_then(|run| run.manifest.canvas_size);
    let frame = frame.or(task.and_then(|task| task.canvas_size)).unwrap_or(FALLBACK_CANVAS);
    branch_picture(branch.environment(), scale_to_match(frame, truth)).map_err(JobError::failed)
}

/// The scores of a branch after each of its calls, the start's first.
pub(super) fn score_branch(
    shared: &Shared,
    inputs: &Inputs,
    variant: &str,
    cancel: &CancelToken,
) -> Result<Vec<Score>, JobError> {
    let base = base_of(shared, inputs, cancel)?;
    let mut branch = Branch::new(&base, Looks::Skipped, &*shared.open_environment)?;
    let calls = calls_of(inputs)?;
    branch.run(calls, cancel, |_, _| ())?;
    with_scores(shared, inputs, variant, |scores| {
        let mut curve = Vec::with_capacity(calls.len() + 1);
        for made in 0..=calls.len() {
            curve.extend(scores.of(branch.environment_at(made), cancel)?);
        }
        Ok(curve)
    })
}

/// Leaves out each group of calls, and tells how far it is.
pub(super) fn find_effects(
    cx: &ComputeContext<'_>,
    key: &EffectsKey,
    inputs: &Inputs,
) -> Result<LeftOut, JobError> {
    let told = |done: usize, total: usize| {
        cx.shared.mailbox.tell(cx.job, done, total, format!("{done} of {total} left out"));
    };
    let base = base_of(cx.shared, inputs, cx.cancel)?;
    let groups = groups_of(&base, key.grouping);
    with_scores(cx.shared, inputs, &key.variant, |scores| {
        let open = &*cx.shared.open_environment;
        Ok(leave_one_out(&base, &groups, scores, open, cx.cancel, &told)?)
    })
}

/// Shapley values of each group of calls, and how far they are.
pub(super) fn find_shapley(
    cx: &ComputeContext<'_>,
    key: &ShapleyKey,
    inputs: &Inputs,
) -> Result<ShapleyEffects, JobError> {
    let told = |done: usize, total: usize| {
        cx.shared.mailbox.tell(cx.job, done, total, format!("{done} of {total} pairs of orders"));
    };
    let base = base_of(cx.shared, inputs, cx.cancel)?;
    let groups = groups_of(&base, key.grouping);
    with_scores(cx.shared, inputs, &key.variant, |scores| {
        let open = &*cx.shared.open_environment;
        Ok(shapley(&base, &groups, scores, key.plan, open, cx.cancel, &told)?)
    })
}

fn with_scores<T>(
    shared: &Shared,
    inputs: &Inputs,
    variant: &str,
    work: impl FnOnce(&EndScores<'_>) -> Result<T, JobError>,
) -> Result<T, JobError> {
    let task = inputs.task.as_ref();
    let task = task.ok_or_else(|| JobError::failed("the task set of this run is not open"))?;
    let compared = compared_task_of(shared, task)?;
    let compared = compared.ok_or_else(|| JobError::failed("the task has no ground truth"))?;
    let by = shared.scorers.current();
    let variants = [variant];
    work(&EndScores { scorer: &by.scorer, task: &compared, variants: &variants })
}

/// Records the calls as a run of its own, and tells of it.
pub(super) fn save(cx: &ComputeContext<'_>, order: &SaveBranchOrder) -> Result<(), JobError> {
    let (shared, cancel) = (cx.shared, cx.cancel);
    let base = base_of(shared, &order.inputs, cancel)?;
    let now = jiff::Timestamp::now().to_string();
    let (mut manifest, turns, thoughts) = if let Some(run) = order.inputs.loaded() {
        let edits = edits_between(base.last(), &order.calls);
        let (manifest, turns) = if order.is_by_hand {
            (taken_over_manifest(run, edits, &now), turns_by_hand(&base, &order.calls))
        } else {
            (branch_manifest(run, edits, &now), turns_of(&base, &order.calls))
        };
        (manifest, turns, thoughts_of(run))
    } else {
        let task = order.inputs.task.as_ref().ok_or_else(JobError::not_read)?;
        // Each call by hand is a turn of its own, with its own picture.
        let turns = (1..).take(order.calls.len()).collect();
        (by_hand_manifest(shared, &order.set, task)?, turns, BTreeMap::new())
    };
    let dir =
        folder::claim(&order.out_dir, &manifest.task, &manifest.agent.name).map_err(|error| {
            JobError::Failed(format!("{} cannot be written to: {error}", order.out_dir.display()))
        })?;
    if let Some(tasks) = order.set_dir.as_deref() {
        // As seen from the run, so that both can be moved together.
        let place = seen_from(&dir, tasks);
        manifest.settings.insert(TASKS_SETTING.to_owned(), json!(place));
    }
    let save = SaveBranch {
        dir: &dir,
        manifest: &manifest,
        calls: &order.calls,
        turns: &turns,
        thoughts: &thoughts,
        now: &now,
    };
    let manifest = save_branch(&save, &base, &*shared.open_environment, cancel)
        .map_err(|error| JobError::Failed(format!("{error}: {}", dir.display())))?;
    let steps = Some(manifest.totals.calls);
    let run = ListedRun { dir, manifest, steps, live: false, unreadable: None };
    shared.mailbox.send(Event::Found { runs: vec![run] });
    Ok(())
}

fn by_hand_manifest(shared: &Shared, set: &str, task: &Task) -> Result<Manifest, JobError> {
    let task_ref = TaskRef::new(set, &task.id);
    let mut manifest = prepared(shared, task)?.manifest(task_ref, AgentRef::by_hand(), Map::new());
    BY_HAND_KIND.clone_into(&mut manifest.mode);
    Ok(manifest)
}

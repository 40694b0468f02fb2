//! What the computing threads do: values, and designs written to files.
//!
//! [`derive`] is the one place that knows how each kind of value is made; a new kind is a line in it.
//! Uses `shared` and the reader's way to read a run.

mod ablation;
mod alignment;
pub(in crate::worker) mod amiss;
pub(in crate::worker) mod asking;
mod assist_answer;
mod assist_step;
pub(in crate::worker) mod canvas;
mod checking;
pub(in crate::worker) mod context;
mod design_picture;
mod difference;
mod documents;
mod evidence;
mod exchanges;
pub(in crate::worker) mod explore;
mod exporting;
mod exporting_layers;
mod exporting_runs;
mod findings;
mod history;
mod layers;
mod listing;
mod making_labels;
mod next_step;
mod node_boxes;
mod node_drag;
mod packets;
mod pictures;
mod reporting;
pub(in crate::worker) mod sessions;
pub(in crate::worker) mod what_if;

use std::sync::Arc;

use crate::base::{Cancelled, Pixels};
use crate::evaluate::{
    CanvasError, CheckError, ComparedSide, ComparedTask, RunCanvas, Wanted, compared_step,
};
use crate::metric::{Evidence, Measured, Measurement, MissingScore, loss_areas};
use crate::run::{Run, reader};
use crate::task::Task;
use crate::workbench::{
    Ablation, AblationKey, Derived, DerivedKey, Event, Inputs, JobId, LossAreas, LossKey, MapInput,
    PictureKey, RunId, RunInput, ScoreKey, ScorePurpose, ScoredStep, Urgency,
};
use crate::worker::reading::as_listed;
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::{JobError, run_job};
use crate::worker::shared::work::ComputeJob;

use alignment::consensus;
use assist_answer::ask_model;
use assist_step::{draw_ghost, find_step};
use checking::{check_edit, check_step};
use context::ComputeContext;
use design_picture::drawn;
use difference::{difference, pixel_difference, slot_map};
use evidence::open_evidence;
use exchanges::{list_exchanges, read_exchange};
use exporting::export;
use exporting_layers::export_layers;
use exporting_runs::export_runs;
use layers::{LayerTreeError, RunAndTask, make_layer_tree};
use listing::{
    check_model, estimate_launch, keep_key, list_folder, list_models, list_pictures, list_prompts,
    test_endpoint,
};
use making_labels::make_labels;
pub(in crate::worker) use pictures::compared_task_of;
use pictures::make_picture;
use reporting::report;
use sessions::Sessions;

/// Computes until the queue is closed: what is at least this urgent.
pub(in crate::worker) fn compute_until_closed(
    shared: &Shared,
    mut sessions: Sessions,
    least: Urgency,
) {
    while let Some((job, work)) = shared.compute_jobs.pop(least) {
        compute(shared, &mut sessions, job, work);
    }
}

fn compute(shared: &Shared, sessions: &mut Sessions, job: JobId, work: ComputeJob) {
    run_job(shared, job, |cancel| {
        let mut cx = ComputeContext { shared, sessions, job, cancel };
        match work {
            ComputeJob::Derive { key, inputs } => derive_and_send(&mut cx, key, &inputs),
            ComputeJob::Export(order) => export(&mut cx, &order),
            ComputeJob::Report(order) => report(&mut cx, &order),
            ComputeJob::ExportRuns(order) => export_runs(&cx, *order),
            ComputeJob::ExportLayers(order) => export_layers(&cx, &order),
            ComputeJob::MakeLabels(order) => make_labels(&cx, order),
            ComputeJob::SaveBranch(order) => what_if::save(&cx, &order),
        }
    });
}

/// Makes a value and sends it. One that cannot be had is an answer as well, with the reason.
pub(in crate::worker) fn derive_and_send(
    cx: &mut ComputeContext<'_>,
    key: DerivedKey,
    inputs: &Inputs,
) -> Result<(), JobError> {
    // A job that was stopped has no answer: nobody waits for it any more.
    let result = match derive(cx, key, inputs) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => return Ok(()),
        Err(JobError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(JobError::Failed(why)) => Err(why),
    };
    cx.shared.mailbox.send(Event::Derived { job: cx.job, result });
    Ok(())
}

/// Makes a value; `None` for a kind that was sent as it came.
fn derive(
    cx: &mut ComputeContext<'_>,
    key: DerivedKey,
    inputs: &Inputs,
) -> Result<Option<Derived>, JobError> {
    let (shared, cancel) = (cx.shared, cx.cancel);
    let (task, run) = (inputs.task.as_ref(), inputs.loaded());
    Ok(Some(match key {
        // First, as an item's pictures have keys of the same kinds as those of the library.
        DerivedKey::Picture(key) if inputs.item.is_some() => {
            let item = inputs.item.as_ref().ok_or_else(JobError::not_read)?;
            Arc::new(packets::picture(item, &key)?).into()
        }
        DerivedKey::Picture(PictureKey::Branch(_, made)) => {
            Arc::new(what_if::picture_of_branch(shared, inputs, made, cancel)?).into()
        }
        DerivedKey::Branch(_) => Arc::new(what_if::make_branch(shared, inputs, cancel)?).into(),
        DerivedKey::BranchCurve(key) => {
            Arc::new(what_if::score_branch(shared, inputs, &key.variant, cancel)?).into()
        }
        DerivedKey::NextStep(key) => {
            Arc::new(next_step::find_next_step(shared, &key, inputs, cancel)?).into()
        }
        DerivedKey::DesignPicture(key) => {
            let design = inputs.design.as_ref().ok_or_else(JobError::not_read)?;
            Arc::new(drawn(design, key.scale)?).into()
        }
        DerivedKey::AssistGhost(key) => Arc::new(draw_ghost(&key, inputs)?).into(),
        DerivedKey::AssistStep(key) => Arc::new(find_step(&key, inputs, cancel)?).into(),
        DerivedKey::AssistAnswer(key) => Arc::new(ask_model(shared, &key, inputs, cancel)?).into(),
        DerivedKey::NodeDrag(_) => Arc::new(node_drag::record_drag(shared, inputs, cancel)?).into(),
        DerivedKey::Shapley(key) => Arc::new(what_if::find_shapley(cx, &key, inputs)?).into(),
        DerivedKey::Effects(key) => Arc::new(what_if::find_effects(cx, &key, inputs)?).into(),
        DerivedKey::Ablation(key) => Arc::new(ablate(cx, &key, inputs)?).into(),
        DerivedKey::Picture(key) => {
            let read = read_for_picture(inputs)?;
            let run = run.or(read.as_ref());
            Arc::new(make_picture(shared, cx.sessions, &key, task, run, cancel)?).into()
        }
        DerivedKey::Difference(_) => {
            let [truth, run] = both_pictures(inputs)?;
            Arc::new(difference(&truth, &run, cancel)?).into()
        }
        DerivedKey::PixelDifference(key) => {
            let [against, run] = both_pictures(inputs)?;
            Arc::new(pixel_difference(&key, &run, &against, cancel)?).into()
        }
        DerivedKey::SlotMap(key) => Arc::new(slot_map(shared, &key, inputs, cancel)?).into(),
        DerivedKey::Evidence(_) => {
            let item = inputs.item.as_ref().ok_or_else(JobError::not_read)?;
            Arc::new(open_evidence(shared, item)).into()
        }
        DerivedKey::Findings(_) => {
            let labels = inputs.labels.as_ref().ok_or_else(JobError::not_read)?;
            Arc::new(findings::find(labels)).into()
        }
        DerivedKey::Digests(_) => Arc::new(explore::read_digests(shared, inputs, cancel)?).into(),
        DerivedKey::TaskContents(_) => Arc::new(explore::read_contents(inputs, cancel)?).into(),
        DerivedKey::ExploredStudy(key) => {
            Arc::new(explore::count_study(shared, &key, cancel)?).into()
        }
        DerivedKey::PaperFigures(_) => Arc::new(explore::paper_figures(inputs, cancel)?).into(),
        DerivedKey::Statistics(key) => Arc::new(explore::statistics(&key, cancel)?).into(),
        DerivedKey::LayerTree(key) => {
            let of = RunAndTask { task, run };
            Arc::new(make_layer_tree(shared, cx.sessions, &key, of, cancel)?).into()
        }
        DerivedKey::Losses(key) => Arc::new(find_losses(&key, inputs)?).into(),
        DerivedKey::Trace(key) => {
            let run = run.ok_or_else(JobError::not_read)?;
            Arc::new(alignment::trace(cx, key, (run, task))?).into()
        }
        DerivedKey::Alignment(_) => Arc::new(alignment::align_runs(inputs, cancel)?).into(),
        DerivedKey::Consensus(key) => Arc::new(consensus(shared, &key, inputs, cancel)?).into(),
        DerivedKey::Check(key) => {
            let (Some(task), Some(run)) = (task, run) else { return Err(JobError::not_read()) };
            Arc::new(check_step(shared, cx.sessions, key, (task, run), cancel)?).into()
        }
        DerivedKey::EditCheck(key) => {
            let (Some(task), Some(run)) = (task, run) else { return Err(JobError::not_read()) };
            Arc::new(check_edit(shared, cx.sessions, key, (task, run), cancel)?).into()
        }
        DerivedKey::ExchangeList(_) => {
            Arc::new(list_exchanges(run.ok_or_else(JobError::not_read)?)?).into()
        }
        DerivedKey::Exchange(key) => {
            Arc::new(read_exchange(run.ok_or_else(JobError::not_read)?, &key)?).into()
        }
        DerivedKey::ModelFile(key) => Arc::new(list_models(&key.0)?).into(),
        DerivedKey::Folder(key) => Arc::new(list_folder(&key.0)?).into(),
        DerivedKey::EndpointTest(key) => Arc::new(test_endpoint(shared, &key, cancel)?).into(),
        DerivedKey::Estimate(key) => Arc::new(estimate_launch(shared, &key, cancel)?).into(),
        DerivedKey::AskEstimate(key) => {
            Arc::new(asking::estimate_questions(cx, &key, &inputs.asked)?).into()
        }
        DerivedKey::KeptKey(key) => Arc::new(keep_key(&key.0)?).into(),
        DerivedKey::ModelSetup(key) => Arc::new(check_model(shared, &key.choice)?).into(),
        DerivedKey::PictureFolder(key) => Arc::new(list_pictures(&key.0, cancel)?).into(),
        DerivedKey::PromptFolder(key) => Arc::new(list_prompts(&key.0)?).into(),
        DerivedKey::Scores(key) => {
            score(cx, key, inputs)?;
            return Ok(None);
        }
    }))
}

/// The two pictures that are held against each other.
fn both_pictures(inputs: &Inputs) -> Result<[Pixels; 2], JobError> {
    let pictures = inputs.pictures.as_ref().ok_or_else(JobError::not_read)?;
    let [first, second] = pictures.each_ref().map(|it| it.unpacked().map_err(JobError::failed));
    Ok([first?, second?])
}

/// Leaves tools out of many runs. Between two of them, what is more urgent goes first.
fn ablate(
    cx: &mut ComputeContext<'_>,
    key: &AblationKey,
    inputs: &Inputs,
) -> Result<Ablation, JobError> {
    let total = inputs.ablated.len();
    let (mut runs, mut left_out) = (Vec::new(), Vec::new());
    for (done, input) in inputs.ablated.iter().enumerate() {
        cx.cancel.check()?;
        cx.shared.mailbox.tell(cx.job, done, total, format!("{done} of {total} runs"));
        match ablation::leave_tools_out(cx, input, &key.variant) {
            Ok(run) => runs.push(run),
            Err(JobError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(JobError::Failed(why)) => left_out.push(format!("{why}: {}", input.dir.display())),
        }
        while let Some((job, urgent)) = cx.shared.compute_jobs.try_pop(Urgency::Curve) {
            compute(cx.shared, cx.sessions, job, urgent);
        }
    }
    Ok(ablation::ablation_of(&runs, left_out))
}

fn find_losses(key: &LossKey, inputs: &Inputs) -> Result<LossAreas, JobError> {
    let MapInput { map, scale } = inputs.map.as_ref().ok_or_else(JobError::not_read)?;
    let differences: Vec<f32> = map.values.iter().map(|value| scale.difference(*value)).collect();
    let areas = loss_areas(&differences, map.width as usize, f32::from(key.threshold) / 100.0);
    Ok(LossAreas { areas, size: [map.width, map.height] })
}

/// A run that was not read yet, for one picture of it.
fn read_for_picture(inputs: &Inputs) -> Result<Option<Arc<Run>>, JobError> {
    let Some(RunInput::Unread { dir, manifest }) = &inputs.run else { return Ok(None) };
    let run = reader::open(dir).map_err(JobError::failed)?;
    Ok(Some(Arc::new(as_listed(run, manifest))))
}

impl From<CanvasError> for JobError {
    fn from(error: CanvasError) -> Self {
        match error {
            CanvasError::Cancelled(cancelled) => cancelled.into(),
            error => Self::failed(error),
        }
    }
}

impl From<LayerTreeError> for JobError {
    fn from(error: LayerTreeError) -> Self {
        match error {
            LayerTreeError::Canvas(error) => error.into(),
            error @ LayerTreeError::NoDocument(_) => Self::failed(error),
        }
    }
}

impl From<CheckError> for JobError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Canvas(error) => error.into(),
            CheckError::Cancelled(cancelled) => cancelled.into(),
            error => Self::failed(error),
        }
    }
}

/// Scores, step by step, and sends what is known of each as soon as it is.
fn score(cx: &mut ComputeContext<'_>, key: ScoreKey, inputs: &Inputs) -> Result<(), JobError> {
    let task = inputs.task.as_ref().ok_or_else(JobError::not_read)?;
    match &inputs.run {
        Some(RunInput::Loaded(run)) => score_steps(cx, &key, run, task),
        Some(RunInput::Unread { dir, manifest }) => {
            let run = reader::open(dir).map_err(JobError::failed)?;
            let run = Arc::new(as_listed(run, manifest));
            // Nobody else may read it before somebody opens it, and its row says more than a score.
            if run.torn.is_some() {
                cx.shared.mailbox.send(Event::RunDamaged { run_id: key.run });
            }
            // Only now is it known how long the run is.
            let last = u32::try_from(run.steps.len()).map_err(JobError::failed)?;
            let mut key = key;
            if key.steps.is_empty() {
                key.steps.push(last);
            }
            key.steps.retain(|step| *step <= last);
            score_unread(cx, &key, &run, task)
        }
        None => Err(JobError::not_read()),
    }
}

/// Scores the steps in order. Between two steps of a curve, what is more urgent goes first.
fn score_steps(
    cx: &mut ComputeContext<'_>,
    key: &ScoreKey,
    run: &Arc<Run>,
    task: &Arc<Task>,
) -> Result<(), JobError> {
    // Told for every step already where there is nothing to compare with.
    let Some(compared) = task_or_reason(cx, key, task) else { return Ok(()) };
    for &step in &key.steps {
        let made = cx.sessions.with(cx.shared, key.run, run, Some(task), |canvas| {
            compared_step(canvas, step, cx.cancel)
        });
        score_one(cx, key, &compared, run, step, made)?;
        while key.purpose == ScorePurpose::Curve
            && let Some((job, urgent)) = cx.shared.compute_jobs.try_pop(Urgency::Timeline)
        {
            compute(cx.shared, cx.sessions, job, urgent);
        }
    }
    Ok(())
}

/// Steps of a run that nobody looks at: nothing of it is kept.
fn score_unread(
    cx: &mut ComputeContext<'_>,
    key: &ScoreKey,
    run: &Arc<Run>,
    task: &Arc<Task>,
) -> Result<(), JobError> {
    let Some(compared) = task_or_reason(cx, key, task) else { return Ok(()) };
    let open_environment = &*cx.shared.open_environment;
    let opened = RunCanvas::open(Arc::clone(run), Some(Arc::clone(task)), open_environment);
    let mut canvas = match opened {
        Ok(canvas) => canvas,
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => {
            let why = MissingScore::failed("replaying the run", &error);
            key.steps.iter().for_each(|step| send_missing(cx, key, *step, &why));
            return Ok(());
        }
    };
    for &step in &key.steps {
        cx.cancel.check()?;
        let made = Ok(compared_step(&mut canvas, step, cx.cancel));
        score_one(cx, key, &compared, run, step, made)?;
    }
    Ok(())
}

/// What the steps are compared with; without it, every step is told why it has no score.
fn task_or_reason(
    cx: &ComputeContext<'_>,
    key: &ScoreKey,
    task: &Arc<Task>,
) -> Option<Arc<ComparedTask>> {
    let why = match compared_task_of(cx.shared, task) {
        Ok(Some(task)) => return Some(task),
        Ok(None) => MissingScore::NoGroundTruth,
        Err(error) => MissingScore::failed("reading the ground truth", &error),
    };
    for &step in &key.steps {
        send_missing(cx, key, step, &why);
    }
    None
}

/// A step as it is compared, unless its run cannot even be opened.
type MadeStep = Result<Result<ComparedSide, Cancelled>, CanvasError>;

fn score_one(
    cx: &ComputeContext<'_>,
    key: &ScoreKey,
    task: &ComparedTask,
    run: &Run,
    step: u32,
    made: MadeStep,
) -> Result<(), JobError> {
    let made = match made {
        Ok(made) => made?,
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled.into()),
        // A run that breaks off here may be whole a step earlier: the other steps are tried.
        Err(error) => {
            send_missing(cx, key, step, &MissingScore::failed("replaying the run", &error));
            return Ok(());
        }
    };
    let ids: Vec<&str> = key.variants.iter().map(|id| &**id).collect();
    // Only the stage shows a map, which is as large as the picture.
    let map = match &key.purpose {
        ScorePurpose::Stage { map } => Some(&**map),
        ScorePurpose::Table | ScorePurpose::Curve | ScorePurpose::Last | ScorePurpose::Sketch => {
            None
        }
    };
    let wanted = Wanted { variants: Some(&ids), map };
    let by = cx.shared.scorers.current();
    by.score(task, run, step, made, wanted, cx.cancel, |measured| {
        send_scores(cx, key.run, step, measured);
    })?;
    // Taken out, so that it is told once.
    if let Some(message) = by.scorer.take_problem() {
        cx.shared.mailbox.send(Event::Warned { message });
    }
    Ok(())
}

fn send_missing(cx: &ComputeContext<'_>, key: &ScoreKey, step: u32, why: &MissingScore) {
    let ids: Vec<&str> = key.variants.iter().map(|id| &**id).collect();
    let wanted = Wanted { variants: Some(&ids), map: None };
    let measured = cx.shared.scorers.current().scorer.all_missing(wanted, why);
    send_scores(cx, key.run, step, measured);
}

fn send_scores(cx: &ComputeContext<'_>, run: RunId, step: u32, measured: Vec<Measured>) {
    let (mut maps, mut scores) = (Vec::new(), Vec::with_capacity(measured.len()));
    for Measured { variant, measurement } in measured {
        let Measurement { score, evidence } = measurement;
        // Of one variant at most. All that it has, as they were made together and are small where they are several.
        let found = evidence.map(Evidence::into_maps).unwrap_or_default();
        maps.extend(found.into_iter().map(|(kind, map)| (variant.id.clone(), kind, map)));
        scores.push((variant.id, score));
    }
    let scored = ScoredStep { run, step, scores, maps };
    cx.shared.mailbox.send(Event::Derived { job: cx.job, result: Ok(Derived::Scores(scored)) });
}

//! What the drawing threads do: pictures and scores.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};
use crate::design::NodeId;
use crate::evaluate::PrimaryMetric;
use crate::metric::{Evidence, Measured, Measurement, MissingScore, Score};
use crate::run::{Manifest, Run};
use crate::task::Task;
use crate::workbench::protocol::{ExportFormat, ScorePurpose, VariantId};
use crate::workbench::{CheckKey, Event, JobId, OutlineKey, PictureKey, RunId};

use super::checking::check_step;
use super::exporting::{ExportOrder, export};
use super::job::{JobError, run_job};
use super::outline::{MadeOf, OutlineError, make_outline};
use super::pictures::{compared_task_of, make_picture};
use super::queue::Priority;
use super::reading::open_run;
use super::sessions::Sessions;
use super::shared::Shared;
use crate::evaluate::CheckError;
use crate::evaluate::Wanted;
use crate::evaluate::{CanvasError, RunCanvas};
use crate::evaluate::{ComparedSide, ComparedTask, compared_step};

/// Work for a drawing thread.
#[derive(Debug)]
pub(super) enum Drawing {
    Picture {
        key: PictureKey,
        task: Option<Arc<Task>>,
        run: Option<Arc<Run>>,
    },
    Outline {
        key: OutlineKey,
        task: Option<Arc<Task>>,
        run: Option<Arc<Run>>,
    },
    Check {
        key: CheckKey,
        task: Arc<Task>,
        run: Arc<Run>,
    },
    Export {
        key: PictureKey,
        node: Option<NodeId>,
        format: ExportFormat,
        task: Option<Arc<Task>>,
        run: Option<Arc<Run>>,
        path: PathBuf,
    },
    Score(ScoreOrder),
    ScoreFinal {
        run_id: RunId,
        dir: PathBuf,
        manifest: Box<Manifest>,
        task: Arc<Task>,
    },
}

/// Steps of a run to score.
#[derive(Debug)]
pub(super) struct ScoreOrder {
    pub(super) run_id: RunId,
    pub(super) run: Arc<Run>,
    pub(super) task: Arc<Task>,
    pub(super) steps: Vec<u32>,
    pub(super) variants: Vec<VariantId>,
    pub(super) purpose: ScorePurpose,
}

impl Drawing {
    /// How soon it is wanted.
    pub(super) fn priority(&self) -> Priority {
        match self {
            Self::Picture { key: PictureKey::Thumbnail(..), .. } => Priority::Thumbnail,
            Self::Picture { .. }
            | Self::Outline { .. }
            | Self::Check { .. }
            | Self::Export { .. }
            | Self::Score(ScoreOrder { purpose: ScorePurpose::Stage { .. }, .. }) => {
                Priority::Stage
            }
            Self::Score(ScoreOrder { purpose: ScorePurpose::Table, .. }) => Priority::Table,
            Self::Score(_) => Priority::Curve,
            Self::ScoreFinal { .. } => Priority::Library,
        }
    }
}

/// Draws until the queue is closed: what is at least this urgent.
pub(super) fn draw_until_closed(shared: &Shared, least: Priority) {
    let mut sessions = Sessions::default();
    while let Some((job, drawing)) = shared.drawings.pop(least) {
        draw(shared, &mut sessions, job, drawing);
    }
}

fn draw(shared: &Shared, sessions: &mut Sessions, job: JobId, drawing: Drawing) {
    run_job(shared, job, |cancel| match drawing {
        Drawing::Picture { key, task, run } => {
            let made = make_picture(shared, sessions, &key, task.as_ref(), run.as_ref(), cancel);
            let result = match made {
                Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled.into()),
                made => made.map_err(|error| error.to_string()),
            };
            shared.mailbox.send(Event::Picture { job, key, result });
            Ok(())
        }
        Drawing::Outline { key, task, run } => {
            let of = MadeOf { task: task.as_ref(), run: run.as_ref() };
            let result = match make_outline(shared, sessions, &key, of, cancel) {
                Err(OutlineError::Canvas(CanvasError::Cancelled(cancelled))) => {
                    return Err(cancelled.into());
                }
                made => made.map(Arc::new).map_err(|error| error.to_string()),
            };
            shared.mailbox.send(Event::Outline { job, key, result });
            Ok(())
        }
        Drawing::Check { key, task, run } => {
            let result = match check_step(shared, sessions, key, (&task, &run), cancel) {
                Err(
                    CheckError::Cancelled(cancelled)
                    | CheckError::Canvas(CanvasError::Cancelled(cancelled)),
                ) => return Err(cancelled.into()),
                made => made.map(Arc::new).map_err(|error| error.to_string()),
            };
            shared.mailbox.send(Event::Checked { job, key, result });
            Ok(())
        }
        Drawing::Export { key, node, format, task, run, path } => {
            let of = MadeOf { task: task.as_ref(), run: run.as_ref() };
            let order = ExportOrder { key: &key, node: node.as_ref(), format, path: &path };
            export(shared, sessions, &order, of, cancel)
        }
        Drawing::Score(order) => score(shared, sessions, job, &order, cancel),
        Drawing::ScoreFinal { run_id, dir, manifest, task } => {
            let run = Arc::new(open_run(&dir, &manifest)?);
            let step = u32::try_from(run.steps.len()).map_err(JobError::failed)?;
            let variants = vec![PrimaryMetric::of_run(&manifest).variant().into()];
            let purpose = ScorePurpose::Curve;
            let order = ScoreOrder { run_id, run, task, steps: vec![step], variants, purpose };
            score_final(shared, job, &order, step, cancel)
        }
    });
}

/// Scores the steps in order. Between two steps of a curve, what is more urgent goes first.
fn score(
    shared: &Shared,
    sessions: &mut Sessions,
    job: JobId,
    order: &ScoreOrder,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let Some(task) = task_or_reason(shared, job, order) else { return Ok(()) };
    for &step in &order.steps {
        let made = sessions.with(shared, order.run_id, &order.run, Some(&order.task), |canvas| {
            compared_step(canvas, step, cancel)
        });
        score_one(shared, job, order, &task, (step, made), cancel)?;
        while order.purpose == ScorePurpose::Curve
            && let Some((job, urgent)) = shared.drawings.try_pop(Priority::Thumbnail)
        {
            draw(shared, sessions, job, urgent);
        }
    }
    Ok(())
}

fn score_final(
    shared: &Shared,
    job: JobId,
    order: &ScoreOrder,
    step: u32,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let Some(task) = task_or_reason(shared, job, order) else { return Ok(()) };
    let (run, of_task) = (Arc::clone(&order.run), Some(Arc::clone(&order.task)));
    let made = RunCanvas::open(run, of_task, &*shared.open_environment)
        .map(|mut canvas| compared_step(&mut canvas, step, cancel));
    score_one(shared, job, order, &task, (step, made), cancel)
}

/// What the steps are compared with; without it, every step is told why it has no score.
fn task_or_reason(shared: &Shared, job: JobId, order: &ScoreOrder) -> Option<Arc<ComparedTask>> {
    let why = match compared_task_of(shared, &order.task) {
        Ok(Some(task)) => return Some(task),
        Ok(None) => MissingScore::NoGroundTruth,
        Err(error) => MissingScore::NoPicture(format!("the ground truth: {error}")),
    };
    for &step in &order.steps {
        tell_missing(shared, job, order, step, &why);
    }
    None
}

/// A step as it is compared, unless its run cannot even be opened.
type MadeStep = Result<Result<ComparedSide, Cancelled>, CanvasError>;

fn score_one(
    shared: &Shared,
    job: JobId,
    order: &ScoreOrder,
    task: &ComparedTask,
    (step, made): (u32, MadeStep),
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let made = match made {
        Ok(made) => made?,
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => {
            let why = MissingScore::NoPicture(error.to_string());
            tell_missing(shared, job, order, step, &why);
            return Ok(());
        }
    };
    let ids: Vec<&str> = order.variants.iter().map(|id| &**id).collect();
    let map = match &order.purpose {
        ScorePurpose::Stage { map } => Some(&**map),
        ScorePurpose::Table | ScorePurpose::Curve => None,
    };
    let wanted = Wanted { variants: Some(&ids), map };
    let scorer = shared.scorers.current();
    scorer.score(task, &made, wanted, cancel, |measured| {
        tell_scores(shared, job, (order.run_id, step), measured);
    })?;
    if let Some(message) = scorer.take_problem() {
        shared.mailbox.send(Event::Warned { message });
    }
    Ok(())
}

fn tell_missing(shared: &Shared, job: JobId, order: &ScoreOrder, step: u32, why: &MissingScore) {
    let missing = |id: &VariantId| (id.clone(), Score::Missing(why.clone()));
    let scores = order.variants.iter().map(missing).collect();
    let run_id = order.run_id;
    shared.mailbox.send(Event::Scored { job, run_id, step, scores, map: None });
}

fn tell_scores(shared: &Shared, job: JobId, (run_id, step): (RunId, u32), measured: Vec<Measured>) {
    let mut map = None;
    let scores = measured.into_iter().map(|Measured { variant, measurement }| {
        let Measurement { score, evidence } = measurement;
        if let Some(found) = evidence.and_then(Evidence::into_map) {
            map = Some((variant.id.clone(), found));
        }
        (variant.id, score)
    });
    let scores = scores.collect();
    shared.mailbox.send(Event::Scored { job, run_id, step, scores, map });
}

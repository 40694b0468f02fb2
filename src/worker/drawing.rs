//! What the drawing threads do: pictures and scores.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::design::NodeId;
use crate::metric::{Evidence, Measurement, MissingScore};
use crate::run::{Manifest, Run};
use crate::task::Task;
use crate::workbench::protocol::ExportFormat;
use crate::workbench::{Event, JobId, OutlineKey, PictureKey, RunId};

use super::exporting::{ExportOrder, export};
use super::job::{JobError, run_job};
use super::outline::{MadeOf, OutlineError, make_outline};
use super::pictures::{ground_truth_of, make_picture};
use super::queue::Priority;
use super::reading::open_run;
use super::scoring::{CanvasError, RunCanvas, score_step};
use super::sessions::Sessions;
use super::shared::Shared;

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
    pub(super) maps: bool,
}

impl Drawing {
    /// How soon it is wanted.
    pub(super) fn priority(&self) -> Priority {
        match self {
            Self::Picture { key: PictureKey::Thumbnail(..), .. } => Priority::Thumbnail,
            Self::Picture { .. }
            | Self::Outline { .. }
            | Self::Export { .. }
            | Self::Score(ScoreOrder { maps: true, .. }) => Priority::Stage,
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
        Drawing::Export { key, node, format, task, run, path } => {
            let of = MadeOf { task: task.as_ref(), run: run.as_ref() };
            let order = ExportOrder { key: &key, node: node.as_ref(), format, path: &path };
            export(shared, sessions, &order, of, cancel)
        }
        Drawing::Score(order) => score(shared, sessions, job, &order, cancel),
        Drawing::ScoreFinal { run_id, dir, manifest, task } => {
            let run = Arc::new(open_run(&dir, &manifest)?);
            let step = u32::try_from(run.steps.len()).map_err(JobError::failed)?;
            let order = ScoreOrder { run_id, run, task, steps: vec![step], maps: false };
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
    let Some(truth) = truth_or_reason(shared, job, order)? else { return Ok(()) };
    for &step in &order.steps {
        let scored = sessions.with(shared, order.run_id, &order.run, Some(&order.task), |canvas| {
            score_step(canvas, &truth, step, cancel)
        });
        tell_score(shared, job, order, step, scored)?;
        while !order.maps
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
    let Some(truth) = truth_or_reason(shared, job, order)? else { return Ok(()) };
    let (run, task) = (Arc::clone(&order.run), Some(Arc::clone(&order.task)));
    let scored = RunCanvas::open(run, task, &*shared.open_environment)
        .map(|mut canvas| score_step(&mut canvas, &truth, step, cancel));
    tell_score(shared, job, order, step, scored)
}

/// The ground truth; without one, every step is told why it has no score.
fn truth_or_reason(
    shared: &Shared,
    job: JobId,
    order: &ScoreOrder,
) -> Result<Option<Pixels>, JobError> {
    let why = match ground_truth_of(shared, &order.task) {
        Ok(Some(truth)) => return Ok(Some(truth)),
        Ok(None) => MissingScore::NoGroundTruth,
        Err(error) => MissingScore::NoPicture(format!("the ground truth: {error}")),
    };
    for &step in &order.steps {
        let missing = Measurement::missing(why.clone());
        tell_score(shared, job, order, step, Ok(Ok(missing)))?;
    }
    Ok(None)
}

fn tell_score(
    shared: &Shared,
    job: JobId,
    order: &ScoreOrder,
    step: u32,
    scored: Result<Result<Measurement, crate::base::Cancelled>, CanvasError>,
) -> Result<(), JobError> {
    let Measurement { score, evidence } = match scored {
        Ok(scored) => scored?,
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => Measurement::missing(MissingScore::NoPicture(error.to_string())),
    };
    let map = evidence.and_then(Evidence::into_map).filter(|_| order.maps);
    shared.mailbox.send(Event::Scored { job, run_id: order.run_id, step, score, map });
    Ok(())
}

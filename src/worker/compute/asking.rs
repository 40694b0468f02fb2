//! Scores that models behind endpoints are asked for: what that would cost, and asking.
//!
//! The one place where the window's worker sends such questions.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

use parking_lot::Mutex;

use crate::agent::batch::{QuestionsEstimate, tokens_cost_usd};
use crate::base::CancelToken;
use crate::evaluate::{
    AskedModel, ComparedSide, ComparedTask, PendingQuestion, RunCanvas, Scorer, Wanted,
    compared_step,
};
use crate::metric::{Measured, MissingScore, Needs, Score};
use crate::model::endpoint::EndpointSettings;
use crate::run::reader;
use crate::workbench::{
    AskEstimate, AskEstimateKey, AskedInput, AskedRun, Event, JobId, RunId, ScoredStep, VariantId,
};
use crate::worker::reading::as_listed;
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;
use crate::worker::shared::scorers::ScoredBy;

use super::context::ComputeContext;
use super::pictures::compared_task_of;

/// How many questions are under way at once.
const AT_ONCE: usize = 4;
/// After how many questions in a row that one model left without an answer no more are sent.
const MOST_FAILURES: usize = 5;

/// What asking would send and cost. Nothing is asked; the pictures that stand for all are drawn.
pub(super) fn estimate_questions(
    cx: &ComputeContext<'_>,
    key: &AskEstimateKey,
    asked: &[AskedInput],
) -> Result<AskEstimate, JobError> {
    let by = cx.shared.scorers.current();
    let [mut judged, mut planned, mut captioned] = [QuestionsEstimate::default(); 3];
    let mut tasks: Vec<Arc<ComparedTask>> = Vec::new();
    for input in asked {
        let ids = AskedIds::new(&by.scorer, &input.asked);
        let mut is_first = true;
        let counted = each_step(cx.shared, input, cx.cancel, |task, _, made| {
            if mem::take(&mut is_first) {
                for question in by.scorer.questions(task, &made, wanted(ids.of_plan())) {
                    planned.add(question.size.bytes as f64, question.size.pixels as f64);
                }
            }
            let is_new = !tasks.iter().any(|known| Arc::ptr_eq(known, task));
            for question in by.scorer.questions(task, &made, wanted(ids.of_steps())) {
                let (bytes, pixels) = (question.size.bytes as f64, question.size.pixels as f64);
                match question.model {
                    AskedModel::Judge => judged.add(bytes, pixels),
                    AskedModel::TruthCaptioner if !is_new => {}
                    AskedModel::TruthCaptioner | AskedModel::Captioner => {
                        captioned.add(bytes, pixels);
                    }
                }
            }
            if is_new {
                tasks.push(Arc::clone(task));
            }
            Ok(())
        });
        match counted {
            // Nothing is asked about a run that cannot be read, and asking says so.
            Ok(()) | Err(JobError::Failed(_)) => {}
            Err(error @ JobError::Cancelled(_)) => return Err(error),
        }
    }
    let looked_at: usize = asked.iter().map(|input| input.asked.pictures()).sum();
    let all: usize = key.runs.iter().map(AskedRun::pictures).sum();
    let factor = all as f64 / looked_at.max(1) as f64;
    // A plan is asked about once, however many pictures there are of its run.
    let of_runs = key.runs.len() as f64 / asked.len().max(1) as f64;
    let (judged, planned) = (judged.times(factor), planned.times(of_runs));
    let (requests, read) = (judged.requests + planned.requests, judged.read + planned.read);
    let judged = QuestionsEstimate { requests, read };
    let captioned = captioned.times(factor);
    let costs = [(judged, by.judge.as_ref()), (captioned, by.captioner.as_ref())].into_iter();
    let expected = costs.clone().map(|(asked, by)| cost_usd(asked, by, Some(asked.written())));
    let most = costs.map(|(asked, by)| {
        let most = by.and_then(EndpointSettings::most_answer_tokens);
        cost_usd(asked, by, most.map(|tokens| asked.most_written(tokens as f64)))
    });
    Ok(AskEstimate {
        questions: (judged.requests + captioned.requests).round() as u64,
        tokens_read: (judged.read + captioned.read).round() as u64,
        tokens_written: (judged.written() + captioned.written()).round() as u64,
        expected_usd: expected.sum(),
        most_usd: most.sum(),
        looked_at: (looked_at, all),
    })
}

/// The scores that are asked for of each step of a run, and those of its plan, which are the same after all of them.
struct AskedIds<'a> {
    /// Those that are of each step, then those that are of a plan.
    all: Vec<&'a str>,
    steps: usize,
}

impl<'a> AskedIds<'a> {
    fn new(scorer: &Scorer, asked: &'a AskedRun) -> Self {
        let ids = asked.variants.iter().map(|id| &**id);
        let (of_plan, mut all): (Vec<&str>, Vec<&str>) = ids.partition(|id| {
            scorer.registry().variant(id).is_some_and(|variant| variant.needs == Needs::Plan)
        });
        let steps = all.len();
        all.extend(of_plan);
        Self { all, steps }
    }

    fn of_steps(&self) -> &[&'a str] {
        &self.all[..self.steps]
    }

    fn of_plan(&self) -> &[&'a str] {
        &self.all[self.steps..]
    }
}

/// These scores and no map.
fn wanted<'a>(ids: &'a [&'a str]) -> Wanted<'a> {
    Wanted { variants: Some(ids), map: None }
}

/// What questions to an endpoint cost in US dollars; nothing where there are none, `None` where nobody knows.
fn cost_usd(
    asked: QuestionsEstimate,
    endpoint: Option<&EndpointSettings>,
    written: Option<f64>,
) -> Option<f64> {
    if asked.requests <= 0.0 {
        return Some(0.0);
    }
    tokens_cost_usd(endpoint?.prices.as_ref(), asked.read, written?)
}

/// Asks about runs, some at once, and sends each answer's scores as soon as they are there. What was answered is kept
/// whatever becomes of the rest.
pub(in crate::worker) fn ask(
    shared: &Shared,
    job: JobId,
    runs: &[AskedInput],
    cancel: &CancelToken,
) -> Result<(), JobError> {
    // A ground truth of which nobody said what it shows is asked about once more.
    shared.compared_tasks.clear();
    let questions = Questions {
        shared,
        job,
        by: shared.scorers.current(),
        runs,
        pictures: runs.iter().map(|input| input.asked.pictures()).sum(),
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        unanswered: Mutex::default(),
    };
    let result = std::thread::scope(|scope| {
        let mut others = Vec::new();
        for number in 2..=AT_ONCE.min(runs.len()) {
            let thread = Builder::new().name(format!("ask-{number}"));
            // Where no thread can be had, those that there are ask.
            others.extend(thread.spawn_scoped(scope, || questions.ask_all(cancel)).ok());
        }
        let mut result = questions.ask_all(cancel);
        for thread in others {
            match thread.join() {
                Ok(other) => result = result.and(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        result
    });
    if let Some(message) = questions.by.scorer.take_problem() {
        shared.mailbox.send(Event::Warned { message });
    }
    result
}

/// Questions about runs, shared by the threads that ask them.
struct Questions<'a> {
    shared: &'a Shared,
    job: JobId,
    by: Arc<ScoredBy>,
    runs: &'a [AskedInput],
    pictures: usize,
    /// The run whose turn it is.
    next: AtomicUsize,
    /// Pictures that were asked about.
    done: AtomicUsize,
    /// How many in a row the judge and the captioner did not answer, and why not the last.
    unanswered: Mutex<[(usize, String); 2]>,
}

impl Questions<'_> {
    /// Asks about one run after another until none is left, or nobody answers.
    fn ask_all(&self, cancel: &CancelToken) -> Result<(), JobError> {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = self.runs.get(at) else { return Ok(()) };
            let (scorer, run) = (&self.by.scorer, input.asked.run);
            let ids = AskedIds::new(scorer, &input.asked);
            // What comes of the plan at the first step holds for the others, also that nobody answered.
            let mut of_plan: Option<Vec<Measured>> = None;
            let asked = each_step(self.shared, input, cancel, |task, step, made| {
                self.check_answered()?;
                let asked = if of_plan.is_none() { &ids.all } else { ids.of_steps() };
                if let Some(known) = of_plan.clone().filter(|known| !known.is_empty()) {
                    self.send(run, step, known, &[]);
                }
                let due = scorer.questions(task, &made, wanted(asked));
                let known = of_plan.get_or_insert_default();
                scorer.ask(task, &made, wanted(asked), cancel, |measured| {
                    if measured.iter().any(|it| it.variant.needs == Needs::Plan) {
                        known.clone_from(&measured);
                    }
                    self.send(run, step, measured, &due);
                })?;
                let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                let words = format!("{done} of {} pictures", self.pictures);
                self.shared.mailbox.tell(self.job, done, self.pictures, words);
                Ok(())
            });
            self.check_answered()?;
            match asked {
                Ok(()) => {}
                Err(error @ JobError::Cancelled(_)) => return Err(error),
                Err(JobError::Failed(why)) => {
                    let message = format!("not asked about a run: {why}: {}", input.dir.display());
                    self.shared.mailbox.send(Event::Warned { message });
                }
            }
        }
    }

    /// An endpoint that answers nothing is not asked a thousand times.
    fn check_answered(&self) -> Result<(), JobError> {
        let unanswered = self.unanswered.lock();
        let Some((count, why)) = unanswered.iter().find(|(count, _)| *count >= MOST_FAILURES)
        else {
            return Ok(());
        };
        let words =
            format!("{count} questions in a row were not answered ({why}): ask again later");
        Err(JobError::failed(words))
    }

    fn send(&self, run: RunId, step: u32, measured: Vec<Measured>, due: &[PendingQuestion]) {
        let is_captioned = measured.iter().any(|it| it.variant.needs == Needs::Captions);
        // What lacks a picture, or was answered before, says nothing of the endpoint.
        let was_due = due.iter().any(|it| (it.model != AskedModel::Judge) == is_captioned);
        let scores = measured.into_iter().map(|it| (it.variant.id, it.measurement.score));
        let scores: Vec<(VariantId, Score)> = scores.collect();
        let failure = scores.iter().find_map(|(_, score)| match score {
            Score::Missing(MissingScore::NoJudgement(why) | MissingScore::NoCaption(why)) => {
                Some(why.clone())
            }
            _ => None,
        });
        if was_due {
            let mut unanswered = self.unanswered.lock();
            let of_model = &mut unanswered[usize::from(is_captioned)];
            *of_model = match failure {
                Some(why) => (of_model.0 + 1, why),
                None => (0, String::new()),
            };
        }
        let scored = ScoredStep { run, step, scores, maps: Vec::new() };
        self.shared.mailbox.send(Event::Asked(scored));
    }
}

/// Gives `each` the steps of a run that are meant, as they are compared; before each it waits while the job is paused.
fn each_step(
    shared: &Shared,
    input: &AskedInput,
    cancel: &CancelToken,
    mut each: impl FnMut(&Arc<ComparedTask>, u32, ComparedSide) -> Result<(), JobError>,
) -> Result<(), JobError> {
    let task = input.task.as_ref().ok_or_else(|| JobError::failed("its task set is not open"))?;
    let compared = compared_task_of(shared, task)?;
    let compared =
        compared.ok_or_else(|| JobError::failed("its task has nothing to measure by"))?;
    let run = reader::open(&input.dir).map_err(JobError::failed)?;
    let run = Arc::new(as_listed(run, &input.manifest));
    let last = u32::try_from(run.steps.len()).map_err(JobError::failed)?;
    let mut steps = input.asked.steps.clone();
    if steps.is_empty() {
        steps.push(last);
    }
    let mut canvas =
        RunCanvas::open(Arc::clone(&run), Some(Arc::clone(task)), &*shared.open_environment)?;
    for step in steps.into_iter().filter(|step| *step <= last) {
        cancel.wait_while_paused()?;
        each(&compared, step, compared_step(&mut canvas, step, cancel)?)?;
    }
    Ok(())
}

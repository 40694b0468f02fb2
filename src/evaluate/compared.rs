//! What is compared: a step of a run with what its task wants, as far as each is known.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::base::{CancelToken, Cancelled, FileStamp, Pixels, PixelsId};
use crate::design::{Document, ShownPicture};
use crate::environment::suite::GivenPicture;
use crate::environment::{EnvironmentKind, HandOuts, OpenEnvironment, PictureRequest};
use crate::metric::constraint::Query;
use crate::metric::{Absence, Comparison, MissingScore, ResizeCache, Side, StepMemory};
use crate::run::RunPlan;
use crate::store::{ContentHash, hash_ground_truth, hash_side};
use crate::task::{Artifact, DesignBrief, Task};

use super::canvas::{CanvasError, RunCanvas, ground_truth, start_of};
use super::given_inputs::GivenInputs;

/// One side of a comparison, or why parts of it are not there.
#[derive(Clone, Debug, Default)]
pub struct ComparedSide {
    /// How it looks.
    pub picture: Option<Pixels>,
    /// Its nodes.
    pub design: Option<Document>,
    /// Where it shows pictures that the task gave; `None` if that is not known.
    pub shown: Option<Vec<ShownPicture>>,
    /// A sentence about the picture.
    pub caption: Option<String>,
    /// Why there is no picture.
    pub no_picture: Option<String>,
    /// Why there is no design.
    pub no_design: Option<String>,
    /// Why there is no caption.
    pub no_caption: Option<String>,
    /// The pictures that this run was given; `None`: those of its task.
    pub given: Option<Arc<GivenInputs>>,
    /// The plan that the run carried out.
    pub plan: Option<Arc<RunPlan>>,
    /// What metrics remember of the run's other steps.
    pub memory: Option<Arc<StepMemory>>,
}

/// Of which sides all that is measured is the same: those that are equal in it. Keeps no picture in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureIdentity {
    picture: PixelsId,
    caption: Option<String>,
    no_caption: Option<String>,
    no_design: Option<String>,
}

impl ComparedSide {
    /// The same as metrics take it.
    pub fn side(&self) -> Side<'_> {
        Side {
            picture: self.picture.as_ref(),
            design: self.design.as_ref(),
            shown: self.shown.as_deref(),
            caption: self.caption.as_deref(),
            plan: self.plan.as_deref().map(|plan| &plan.row),
            resize_cache: None,
            absence: Absence {
                picture: self.no_picture.as_deref(),
                design: self.no_design.as_deref(),
                caption: self.no_caption.as_deref(),
            },
        }
    }

    /// What tells it from others without a look at pixels, if it is known by its picture only.
    pub fn picture_identity(&self) -> Option<PictureIdentity> {
        let knows_more = self.design.is_some()
            || self.shown.is_some()
            || self.given.is_some()
            || self.plan.is_some();
        let picture = self.picture.as_ref().filter(|_| !knows_more)?.id();
        Some(PictureIdentity {
            picture,
            caption: self.caption.clone(),
            no_caption: self.no_caption.clone(),
            no_design: self.no_design.clone(),
        })
    }

    /// What its parts hash to.
    pub fn hash(&self) -> ContentHash {
        hash_side(&self.side())
    }
}

/// What attempts at a task are compared with.
#[derive(Debug, Default)]
pub struct ComparedTask {
    truth: ComparedSide,
    inputs: GivenInputs,
    no_truth: Option<String>,
    instruction: Option<String>,
    brief: Option<Arc<DesignBrief>>,
    hash: OnceLock<ContentHash>,
    resize_cache: ResizeCache,
    /// The same with a caption of the ground truth, once it was asked for.
    captioned: Mutex<Option<Arc<Self>>>,
}

impl ComparedTask {
    /// A ground truth, the pictures that were given and what was asked for.
    pub fn new(truth: ComparedSide, inputs: Vec<Pixels>, instruction: Option<String>) -> Self {
        let inputs = GivenInputs { pictures: inputs, why_none: None };
        Self { truth, inputs, instruction, ..Self::default() }
    }

    /// What a task wants: its ground-truth picture as it is in its file, or, if there is only a
    /// document, that at scale 1; its document as the environment opens it. A task that asks in words
    /// and hands out pictures wants those; `None` if there is nothing to compare with.
    pub fn load(
        task: &Task,
        open_environment: &OpenEnvironment,
    ) -> Result<Option<Self>, CanvasError> {
        let picture = ground_truth(task, open_environment)?;
        Ok(Self::with_truth(task, picture, open_environment))
    }

    /// The same with the picture of the ground truth already read, if there is one.
    pub fn with_truth(
        task: &Task,
        picture: Option<Pixels>,
        open_environment: &OpenEnvironment,
    ) -> Option<Self> {
        match picture {
            Some(picture) => Some(Self::with_picture(task, picture, open_environment)),
            // Words and pictures that are asked for can be missed too, though there is nothing to
            // be like.
            None => task.is_measurable().then(|| Self::asked(task)),
        }
    }

    /// What a run in this environment is compared with, or why with nothing. Runs of the suite hold the pictures that
    /// they were given, whether their queries are known or not.
    ///
    /// # Errors
    ///
    /// Why there is no score: there is nothing to be like, or it cannot be read.
    pub fn of_run(
        task: Option<&Task>,
        environment: Option<&EnvironmentKind>,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, MissingScore> {
        let Some(task) = task else {
            let is_suite = environment == Some(&EnvironmentKind::Suite);
            return is_suite.then(Self::unknown_query).ok_or(MissingScore::NoGroundTruth);
        };
        Self::load(task, open_environment)
            .map_err(|error| MissingScore::failed("reading the ground truth", &error))?
            .ok_or(MissingScore::NoGroundTruth)
    }

    /// What a query wants that is not known: nothing but what its runs hold themselves.
    pub fn unknown_query() -> Self {
        let why = "the query of this run was not found, and a design query has no ground truth";
        Self { no_truth: Some(why.to_owned()), ..Self::default() }
    }

    /// What a task wants that asks in words: its instruction, its query and the pictures it hands out. A
    /// picture that cannot be read is none.
    fn asked(task: &Task) -> Self {
        Self {
            inputs: GivenInputs::of_task(task).unwrap_or_default(),
            no_truth: Some(if task.brief.is_some() { OF_A_QUERY } else { OF_WORDS }.to_owned()),
            instruction: instruction(task),
            brief: task.brief.clone(),
            ..Self::default()
        }
    }

    fn with_picture(task: &Task, picture: Pixels, open_environment: &OpenEnvironment) -> Self {
        let (design, no_design) = match truth_design(task, open_environment) {
            Ok(design) => (Some(design), None),
            Err(why) => (None, Some(why)),
        };
        let truth =
            ComparedSide { picture: Some(picture), design, no_design, ..ComparedSide::default() };
        Self { brief: task.brief.clone(), ..Self::new(truth, Vec::new(), instruction(task)) }
    }

    /// The ground truth.
    pub fn truth(&self) -> &ComparedSide {
        &self.truth
    }

    /// The comparison of something with it.
    pub fn with<'a>(&'a self, generated: &'a ComparedSide) -> Comparison<'a> {
        Comparison {
            ground_truth: Side { resize_cache: Some(&self.resize_cache), ..self.truth.side() },
            generated: generated.side(),
            inputs: &self.inputs_of(generated).pictures,
            no_inputs: self.inputs_of(generated).why_none.as_deref(),
            no_truth: self.no_truth.as_deref(),
            instruction: self.instruction.as_deref(),
            query: self.query(),
            questions: self.questions(),
            scores_only: false,
            memory: generated.memory.as_deref(),
        }
    }

    /// What is asked for, component by component, if it is a design query.
    pub fn query(&self) -> Option<&Query> {
        self.brief.as_ref().map(|brief| &brief.query)
    }

    /// The yes/no questions about its result, if it comes with any.
    fn questions(&self) -> &[String] {
        self.brief.as_deref().map(|brief| brief.questions.as_slice()).unwrap_or_default()
    }

    /// The pictures that what was made was given.
    fn inputs_of<'a>(&'a self, generated: &'a ComparedSide) -> &'a GivenInputs {
        // A run that had other pictures than the task hands out today is measured by those it had.
        generated.given.as_deref().unwrap_or(&self.inputs)
    }

    /// The same with the ground truth that `caption` makes of it, made once. Who asks while another
    /// is being answered waits for that answer.
    pub fn captioned(
        &self,
        caption: impl FnOnce(&ComparedSide) -> Result<ComparedSide, Cancelled>,
    ) -> Result<Arc<Self>, Cancelled> {
        // Held while it is made: a caption is paid for, or takes seconds, and one is enough.
        let mut known = self.captioned.lock();
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(self.with_other_truth(caption(&self.truth)?));
        *known = Some(Arc::clone(&made));
        Ok(made)
    }

    /// The same with a caption of the ground truth, or the reason why there is none.
    #[must_use]
    pub fn with_truth_caption(&self, caption: Result<String, String>) -> Self {
        let (caption, no_caption) = match caption {
            Ok(caption) => (Some(caption), None),
            Err(why) => (None, Some(why)),
        };
        self.with_other_truth(ComparedSide { caption, no_caption, ..self.truth.clone() })
    }

    fn with_other_truth(&self, truth: ComparedSide) -> Self {
        Self {
            truth,
            inputs: self.inputs.clone(),
            no_truth: self.no_truth.clone(),
            instruction: self.instruction.clone(),
            brief: self.brief.clone(),
            ..Self::default()
        }
    }

    /// What it hashes to beside what was made, computed once but for runs with pictures of their own.
    pub fn hash(&self, made: &ComparedSide) -> ContentHash {
        // All that counts of what was made are the pictures that it was given instead of the task's.
        match &made.given {
            Some(_) => hash_ground_truth(&self.with(made)),
            None => *self.hash.get_or_init(|| hash_ground_truth(&self.with(made))),
        }
    }
}

/// Why a query is compared with nothing.
const OF_A_QUERY: &str = "a design query has no ground truth";
/// The same of another task that only asks in words.
const OF_WORDS: &str = "the task asks in words and has no ground truth";

/// The words of a task, if it has any.
fn instruction(task: &Task) -> Option<String> {
    let asked = task.instruction.trim();
    (!asked.is_empty()).then(|| asked.to_owned())
}

/// The design of the ground truth, or why there is none.
fn truth_design(task: &Task, open_environment: &OpenEnvironment) -> Result<Document, String> {
    let truth = task.ground_truth.as_ref();
    let document = task.load_ground_truth_document().map_err(|error| error.to_string())?;
    let document = document.ok_or("the ground truth is a picture without a document")?;
    let start = start_of(task, truth, Some(document));
    let environment = open_environment(&start).map_err(|error| error.to_string())?;
    environment.design().ok_or_else(|| "the ground truth is no vector design".to_owned())
}

/// A run after a step, 0 the start: its main frame at scale 1 and its design. What prevents one of
/// them is the reason why it is not there; only a stop is an error.
pub fn compared_step(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<ComparedSide, Cancelled> {
    let (given, memory) = (canvas.given(), Some(canvas.memory()));
    let plan = canvas.run().plan.clone();
    let mut side = ComparedSide { given, plan, memory, ..ComparedSide::default() };
    match canvas.picture(step, PictureRequest::default().scale, cancel) {
        Ok(picture) => side.picture = Some(picture.pixels),
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => side.no_picture = Some(error.to_string()),
    }
    // Asked for although there may be no picture: a document that cannot be drawn still has nodes.
    match canvas.environment_at(step, cancel) {
        Ok(Some(environment)) => {
            side.design = environment.design();
            side.shown = environment.hand_outs().and_then(HandOuts::shown_pictures);
        }
        Ok(None) => side.no_design = Some("only pictures were recorded of this run".to_owned()),
        Err(CanvasError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => side.no_design = Some(error.to_string()),
    }
    Ok(side)
}

/// What tasks want, read once as long as their files stay as they are.
#[derive(Debug, Default)]
pub struct ComparedTasks(Mutex<Vec<(TaskKey, Arc<ComparedTask>)>>);

/// What the reading depends on.
#[derive(Clone, Debug, PartialEq)]
struct TaskKey {
    truth: Option<Artifact>,
    instruction: String,
    brief: Option<Arc<DesignBrief>>,
    given: Vec<GivenPicture>,
    /// The files of the above.
    files: Vec<FileStamp>,
}

/// How many tasks are kept.
const TASKS: usize = 4;

impl ComparedTasks {
    /// What a task wants: what is kept of it, or what `load` reads, which is kept then. Two threads
    /// that ask at once may both read.
    pub fn get_or_load<E>(
        &self,
        task: &Task,
        load: impl FnOnce() -> Result<Option<ComparedTask>, E>,
    ) -> Result<Option<Arc<ComparedTask>>, E> {
        let key = TaskKey::of(task);
        if let Some(known) = self.known(&key) {
            return Ok(Some(known));
        }
        // Not locked meanwhile: drawing a ground truth takes seconds, in which others ask for
        // theirs.
        let Some(compared) = load()?.map(Arc::new) else { return Ok(None) };
        let mut tasks = self.0.lock();
        tasks.retain(|(known, _)| *known != key);
        tasks.push((key, Arc::clone(&compared)));
        // What was used last is at the end. Four, searched one by one, need no table by hash, for
        // which a query with its sizes would have no key anyway.
        if tasks.len() > TASKS {
            tasks.remove(0);
        }
        Ok(Some(compared))
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// What is kept, which then counts as used last.
    fn known(&self, key: &TaskKey) -> Option<Arc<ComparedTask>> {
        let mut tasks = self.0.lock();
        let at = tasks.iter().position(|(known, _)| known == key)?;
        let entry = tasks.remove(at);
        let known = Arc::clone(&entry.1);
        tasks.push(entry);
        Some(known)
    }
}

impl TaskKey {
    fn of(task: &Task) -> Self {
        let truth = task.ground_truth.as_ref();
        // By what the files are and not only by their names: an edited ground truth is another one.
        let of_truth = truth.into_iter().flat_map(|truth| [&truth.document, &truth.picture]);
        let of_given = task.given.iter().map(|picture| &picture.file);
        let files = of_truth.chain(of_given).flatten().map(|path| FileStamp::of(path)).collect();
        Self {
            truth: task.ground_truth.clone(),
            instruction: task.instruction.clone(),
            brief: task.brief.clone(),
            given: task.given.clone(),
            files,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskKind;

    #[test]
    fn sides_of_one_picture_are_one_unless_more_is_known_of_one() {
        let picture = Pixels::filled(4, 4, [1, 2, 3, 255]).unwrap();
        let of = |picture: &Pixels| ComparedSide {
            picture: Some(picture.clone()),
            ..ComparedSide::default()
        };
        let one = of(&picture).picture_identity();
        assert!(one.is_some() && one == of(&picture).picture_identity());
        let equal = Pixels::filled(4, 4, [1, 2, 3, 255]).unwrap();
        assert_ne!(of(&equal).picture_identity(), one);
        let caption = Some("a form".to_owned());
        assert_ne!(ComparedSide { caption, ..of(&picture) }.picture_identity(), one);
        for more in [
            ComparedSide { design: Some(Document::default()), ..of(&picture) },
            ComparedSide { shown: Some(Vec::new()), ..of(&picture) },
            ComparedSide { given: Some(Arc::default()), ..of(&picture) },
            // Of two without a picture there may be two reasons.
            ComparedSide::default(),
        ] {
            assert_eq!(more.picture_identity(), None, "{more:?}");
        }
    }

    #[test]
    fn a_ground_truth_that_was_edited_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("truth.png");
        let truth = Artifact { document: None, picture: Some(path.clone()) };
        let task =
            Task { ground_truth: Some(truth), ..Task::new("login", TaskKind::Replication, "") };
        let tasks = ComparedTasks::default();
        for side in [4, 70] {
            Pixels::filled(side, side, [1, 2, 3, 255]).unwrap().save_png(&path).unwrap();
            let compared = tasks
                .get_or_load(&task, || {
                    ComparedTask::load(&task, &crate::environment::open_environment)
                })
                .unwrap()
                .unwrap();
            assert_eq!(compared.truth().picture.as_ref().unwrap().width(), side);
        }
        let again = tasks.get_or_load(&task, || Err("read again")).unwrap();
        assert!(again.is_some());
    }
}

//! What a study is made of: its tasks and forms, found where it says they lie.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::environment::EnvironmentKind;
use crate::label::Form;
use crate::label::form::{FormError, builtin_form};
use crate::study::instruments::{PAIR_FORMS, is_to_be_filled_in};
use crate::study::{CandidateTask, STUDY_FILE, StudyPlan, StudyPlanError};
use crate::task::{self, Task, TaskError, TaskSet};

/// A task of a study as it lies on disk.
#[derive(Clone, Debug)]
pub struct MaterialTask {
    /// The task.
    pub task: Arc<Task>,
    /// Where its set lies, from the root.
    pub set_dir: PathBuf,
}

/// A study's plan with what it is made of.
#[derive(Clone, Debug)]
pub struct StudyMaterial {
    /// The plan.
    pub plan: Arc<StudyPlan>,
    /// Its tasks, in its order.
    pub tasks: Vec<MaterialTask>,
    /// The forms of its instruments, in its order.
    pub forms: Arc<Vec<Form>>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// Why a study cannot be run here.
#[derive(Debug, thiserror::Error)]
pub enum StudyMaterialError {
    /// There is no plan.
    #[error(transparent)]
    Plan(#[from] StudyPlanError),
    /// Its tasks cannot be read.
    #[error(transparent)]
    Tasks(#[from] TaskError),
    /// A form cannot be read.
    #[error(transparent)]
    Form(#[from] FormError),
    /// A task is not there.
    #[error("the task set {set:?} has no task {id:?}, or is not where the study says")]
    NoTask {
        /// Its set.
        set: String,
        /// Its id.
        id: String,
    },
    /// A task is none that people can do.
    #[error("the task {0:?} is not of the canvas, or its ground truth is no document")]
    NotPossible(String),
}

/// The tasks of these sets that a study can be of: of the canvas, with a ground truth as a document.
pub fn candidates(sets: &[TaskSet]) -> Vec<CandidateTask> {
    let of_sets = sets.iter().flat_map(|set| {
        set.tasks.iter().filter(|task| is_possible(task)).map(|task| CandidateTask {
            set: set.id.clone(),
            id: task.id.clone(),
            difficulty: task.difficulty.clone(),
            has_checks: task.checks.is_some(),
        })
    });
    of_sets.collect()
}

/// Whether a study can be of a task.
pub fn is_possible(task: &Task) -> bool {
    let truth = task.ground_truth.as_ref().and_then(|truth| truth.document.as_ref());
    task.environment == EnvironmentKind::Canvas && truth.is_some()
}

impl StudyMaterial {
    /// Opens the study in a folder.
    ///
    /// # Errors
    ///
    /// [`StudyMaterialError`].
    pub fn open(dir: &Path) -> Result<Self, StudyMaterialError> {
        let plan = StudyPlan::open(&dir.join(STUDY_FILE))?;
        let (mut sets, mut warnings) = (Vec::new(), Vec::new());
        for place in &plan.task_sets {
            let opened = task::open(&dir.join(place))?;
            warnings.extend(opened.warnings);
            for (set, odd) in opened.sets {
                warnings.extend(odd);
                sets.push(set);
            }
        }
        let tasks = plan.tasks.iter().map(|wanted| {
            let of_set = sets.iter().filter(|set| set.id == wanted.set);
            let found = of_set
                .flat_map(|set| set.tasks.iter().map(move |task| (set, task)))
                .find(|(_, task)| task.id == wanted.id);
            let (set, task) = found.ok_or_else(|| StudyMaterialError::NoTask {
                set: wanted.set.clone(),
                id: wanted.id.clone(),
            })?;
            if !is_possible(task) {
                return Err(StudyMaterialError::NotPossible(task.id.clone()));
            }
            let set_dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
            Ok(MaterialTask { task: Arc::clone(task), set_dir })
        });
        let tasks = tasks.collect::<Result<_, _>>()?;
        let mut forms = Vec::new();
        for instrument in &plan.instruments {
            // A name that comes with the program goes before a file: plans mean the same wherever they lie.
            let form = match builtin_form(&instrument.form) {
                Some(form) => form.clone(),
                None => Form::open(&dir.join(&instrument.form))?,
            };
            if is_to_be_filled_in(&form) {
                warnings.push(format!(
                    "the statements of {} are not filled in: it is not asked",
                    form.id
                ));
            }
            forms.push(form);
        }
        Ok(Self { plan: Arc::new(plan), tasks, forms: Arc::new(forms), warnings })
    }

    /// The forms that answers may be scored by: its own, and the comparisons that belong to them.
    pub fn scoring_forms(&self) -> Vec<Form> {
        let pairs = PAIR_FORMS.into_iter().filter_map(builtin_form).cloned();
        self.forms.iter().cloned().chain(pairs).collect()
    }
}

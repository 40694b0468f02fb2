//! What a study is made of: its tasks and forms, found where it says they lie.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::cli::collection::open_noting;
use crate::cli::output::note;
use crate::environment::canvas::HandTools;
use crate::environment::{FontSource, StartState};
pub(super) use crate::evaluate::studies::candidates;
use crate::evaluate::studies::is_possible;
use crate::label::Form;
use crate::label::form::builtin_form;
use crate::study::StudyPlan;
use crate::study::instruments::{PAIR_FORMS, is_to_be_filled_in};
use crate::study::scripted::SimulatedTask;
use crate::task::TaskSet;

/// The sets at a path.
pub(super) fn sets_at(path: &Path) -> anyhow::Result<Vec<TaskSet>> {
    Ok(open_noting(path)?.sets.into_iter().map(|(set, _)| set).collect())
}

/// The tasks of a plan, in its order, with where their sets lie, from the root.
pub(super) fn tasks_of(
    plan: &StudyPlan,
    sets: &[TaskSet],
) -> anyhow::Result<(Vec<SimulatedTask>, Vec<PathBuf>)> {
    let (mut tasks, mut dirs) = (Vec::new(), Vec::new());
    for wanted in &plan.tasks {
        let set = sets.iter().find(|set| set.id == wanted.set);
        let set = set.with_context(|| format!("the task set {:?} is not at hand", wanted.set))?;
        let task = set.tasks.iter().find(|task| task.id == wanted.id);
        let task = task.with_context(|| {
            format!("the task set {:?} has no task {:?}", wanted.set, wanted.id)
        })?;
        ensure!(
            is_possible(task),
            "the task {:?} is not of the canvas, or its ground truth is no document",
            wanted.id
        );
        // The size alone: a script has no eyes for the picture that a model would be given.
        let input = task.agent_input()?;
        tasks.push(SimulatedTask {
            truth: StartState {
                environment: task.environment.clone(),
                canvas_size: input.canvas_size,
                document: task.load_ground_truth_document()?,
                pictures: None,
                given: Vec::new(),
                compat: None,
                hands: HandTools::default(),
                fonts: FontSource::default(),
            },
            checks: task.checks.clone(),
        });
        dirs.push(std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone()));
    }
    Ok((tasks, dirs))
}

/// The forms of a plan's instruments, in its order: those of the program by their names, others as files beside it.
pub(super) fn forms_of(plan: &StudyPlan, dir: &Path) -> anyhow::Result<Vec<Form>> {
    let mut forms = Vec::new();
    for instrument in &plan.instruments {
        let form = match builtin_form(&instrument.form) {
            Some(form) => form.clone(),
            None => Form::open(&dir.join(&instrument.form))?,
        };
        if is_to_be_filled_in(&form) {
            note(&format!(
                "warning: the statements of {} are not filled in: it has no score. pentimento label forms {} writes the \
                 form to be filled in",
                form.id, form.id
            ));
        }
        forms.push(form);
    }
    Ok(forms)
}

/// The forms that answers may be scored by: those of the plan, and the comparisons that belong to them.
pub(super) fn scoring_forms(plan: &StudyPlan, dir: &Path) -> anyhow::Result<Vec<Form>> {
    let mut forms = forms_of(plan, dir)?;
    forms.extend(PAIR_FORMS.into_iter().filter_map(builtin_form).cloned());
    Ok(forms)
}

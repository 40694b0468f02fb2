//! The classifiers of plan errors as judges of a form that asks people the same: what is wrong with a plan's step.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::label::form::{Form, Question, QuestionKind};
use crate::label::judging::{JudgeKind, JudgeVerdict, Verdicts};
use crate::label::{Answer, AnswerValue, Item, ItemKind};
use crate::metric::plan::errors::{self, PlanError, PlanErrorClass};
use crate::metric::plan::{PlanRow, words};
use crate::task::TaskFinder;

use super::labelled::open_item;

/// The option that says that nothing is wrong.
const NONE: &str = "none";

/// A classifier: its name, what it is, and the errors it finds in a plan.
type Classifier = (&'static str, &'static str, fn(&PlanRow) -> Vec<PlanError>);

/// The classifiers there are.
const CLASSIFIERS: [Classifier; 2] = [
    (
        "inconsistency/certain",
        "rules; inconsistent is what contradicts an earlier step",
        errors::of_row,
    ),
    ("inconsistency/words", "rules; and whose words clash with what it does", words::errors_of_row),
];

/// What each classifier says of the steps that a form asks about; none of a form that does not ask for the classes
/// of plan errors.
pub fn plan_verdicts(
    form: &Form,
    items: &[Item],
    home: &Path,
    tasks: &mut TaskFinder,
) -> Vec<Verdicts> {
    let Some(question) = form.questions.iter().find(|question| asks_for_classes(question)) else {
        return Vec::new();
    };
    let mut verdicts =
        CLASSIFIERS.map(|(name, about, _)| Verdicts::new(name, JudgeKind::Rules, about)).to_vec();
    // A run is opened once, and has as many items as steps.
    let mut plans: BTreeMap<&str, Result<Vec<Vec<PlanError>>, String>> = BTreeMap::new();
    let steps = items.iter().filter(|item| item.kind == ItemKind::Step && item.counts());
    for item in steps {
        let (Some(run), Some(step)) = (item.runs.first(), item.step) else { continue };
        let errors = plans.entry(&run.content).or_insert_with(|| found(item, home, tasks));
        for (at, verdicts) in verdicts.iter_mut().enumerate() {
            let of_classifier = errors.as_ref().map_err(Clone::clone);
            let verdict = of_classifier.and_then(|all| {
                let errors = all.get(at).map_or(&[][..], Vec::as_slice);
                verdict(question, errors, step)
            });
            // Rules know no order: the second place, for the other way round, stays empty.
            verdicts.items.insert(item.id.clone(), [Some(verdict), None]);
        }
    }
    verdicts
}

/// The errors of a step's plan, by classifier.
fn found(item: &Item, home: &Path, tasks: &mut TaskFinder) -> Result<Vec<Vec<PlanError>>, String> {
    let run = open_item(item, home, tasks).runs.into_iter().next();
    let run = run.ok_or("the item has no run")?.map_err(|error| error.to_string())?;
    let plan = run.plan.as_ref().ok_or("the run carries out no plan")?;
    Ok(CLASSIFIERS.map(|(.., find)| find(&plan.row)).to_vec())
}

fn verdict(question: &Question, errors: &[PlanError], step: u32) -> JudgeVerdict {
    let of_step = errors.iter().filter(|error| error.step == Some(step as usize));
    let mut chosen = BTreeSet::new();
    let mut note = Vec::new();
    for error in of_step {
        let option = option_of(error.class).ok_or_else(|| {
            // Of what cannot be read as a step the form knows no class.
            format!(
                "the step has an error of form, which the form does not ask for: {}",
                error.message
            )
        })?;
        chosen.insert(option.to_owned());
        note.push(error.message.clone());
    }
    if chosen.is_empty() {
        chosen.insert(NONE.to_owned());
    }
    let values = BTreeMap::from([(question.id.clone(), AnswerValue::Choices(chosen))]);
    let answer = Answer { values, note: note.join("; "), ..Answer::default() };
    Ok((answer, BTreeMap::new()))
}

/// What the form calls a class, as GraphicWeaver has them.
fn option_of(class: PlanErrorClass) -> Option<&'static str> {
    match class {
        PlanErrorClass::Format => None,
        PlanErrorClass::InvalidExpert => Some("invalid_expert"),
        PlanErrorClass::InvalidAction | PlanErrorClass::InvalidParameters => Some("invalid_tool"),
        PlanErrorClass::LocalDependency => Some("dependency_local"),
        PlanErrorClass::GlobalDependency => Some("dependency_global"),
        PlanErrorClass::Inconsistency => Some("inconsistency"),
    }
}

fn asks_for_classes(question: &Question) -> bool {
    let mut classes = PlanErrorClass::ALL.into_iter().filter_map(option_of).chain([NONE]);
    matches!(question.answer, QuestionKind::Choices { .. })
        && classes.all(|id| question.answer.has_option(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_forms;

    #[test]
    fn one_form_that_comes_with_the_program_asks_for_the_classes() {
        let asking =
            builtin_forms().iter().filter(|form| form.questions.iter().any(asks_for_classes));
        let asking: Vec<&str> = asking.map(|form| form.id.as_str()).collect();
        assert_eq!(asking, ["plan-errors"]);
    }
}

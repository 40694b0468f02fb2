//! What programs say of the items of a labelling project.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::environment::OpenEnvironment;
use crate::label::form::builtin_form;
use crate::label::{Answer, AnswerValue, Form, Item, ItemKind, Proposal};
use crate::metric::plan::errors::{PlanError, PlanErrorClass};
use crate::run::{Run, RunPlan};
use crate::task::TaskFinder;

use super::label_items::ItemRun;
use super::labelled::open_item;
use super::proposed_tools::propose_tools;

/// The form that steps of plans are asked by.
const PLAN_ERRORS: &str = "plan-errors";
/// Its one question.
const QUESTION: &str = "errors";
/// Who says what is wrong with a step.
const BY: &str = "plan errors, found by rule";

/// Gives every item that a program has something to say of what it says, where forms are asked as they come with
/// the program: of steps of plans what is wrong with them (`plan-errors`), of tasks the tools of the shortest of
/// these runs that ends like the target (`required-tools`). `home` is the folder of the project's file. By a run
/// that cannot be opened nothing is proposed. Gives how many items were.
pub fn propose(
    items: &mut [Item],
    forms: &[Form],
    (runs, home): (&[ItemRun], &Path),
    open_environment: &OpenEnvironment,
) -> usize {
    propose_plan_errors(items, forms, home)
        + propose_tools(items, forms, (runs, home), open_environment)
}

fn propose_plan_errors(items: &mut [Item], forms: &[Form], home: &Path) -> usize {
    let Some(form) = builtin_form(PLAN_ERRORS).filter(|form| forms.contains(form)) else {
        return 0;
    };
    let mut tasks = TaskFinder::default();
    // Every step of a run follows the one before; one run is held at a time.
    let mut opened: BTreeMap<String, Option<Arc<Run>>> = BTreeMap::new();
    let mut proposed = 0;
    for item in items.iter_mut().filter(|item| item.kind == ItemKind::Step) {
        let (Some(labelled), Some(step)) = (item.runs.first(), item.step) else { continue };
        if !opened.contains_key(&labelled.content) {
            let run = open_item(item, home, &mut tasks).runs.into_iter().next();
            opened.clear();
            opened.insert(labelled.content.clone(), run.and_then(Result::ok));
        }
        let run = opened.get(&labelled.content).and_then(Option::as_ref);
        let answer = run.and_then(|run| verdict(run.plan.as_deref()?, step));
        let proposal = answer.map(|answer| Proposal { by: BY.to_owned(), answer });
        item.proposal = proposal.filter(|it| it.answer.check(form, &item.candidates).is_ok());
        proposed += usize::from(item.proposal.is_some());
    }
    proposed
}

/// What is wrong with a step of a plan; `None` where the form has no word for it, or the plan no such step.
fn verdict(plan: &RunPlan, step: u32) -> Option<Answer> {
    let steps = &plan.row.final_workflow.items;
    let at = usize::try_from(step).ok()?;
    if at == 0 || at > steps.len() {
        return None;
    }
    let error = plan.error_at(step);
    let option = match error {
        Some(error) => option_of(error)?,
        None => "none",
    };
    let note = error.map_or_else(String::new, |error| error.message.clone());
    let value = AnswerValue::Choices([option.to_owned()].into());
    Some(Answer { values: [(QUESTION.to_owned(), value)].into(), note, ..Answer::default() })
}

fn option_of(error: &PlanError) -> Option<&'static str> {
    match error.class {
        PlanErrorClass::InvalidExpert => Some("invalid_expert"),
        PlanErrorClass::InvalidAction | PlanErrorClass::InvalidParameters => Some("invalid_tool"),
        PlanErrorClass::LocalDependency => Some("dependency_local"),
        PlanErrorClass::GlobalDependency => Some("dependency_global"),
        PlanErrorClass::Inconsistency => Some("inconsistency"),
        // GraphicWeaver's form has no such class.
        PlanErrorClass::Format => None,
    }
}

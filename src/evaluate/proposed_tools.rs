//! Which tools a task requires, as far as a recorded run shows it: those of the shortest one that ends where it should.
//!
//! A proposal for who ticks the tools of CANVAS; what was necessary and what was a detour a program cannot say.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::environment::{OpenEnvironment, ToolCategory};
use crate::label::form::builtin_form;
use crate::label::{Answer, AnswerValue, Form, Item, ItemKind, Proposal};
use crate::run::Run;
use crate::task::{Task, TaskFinder};

use super::canvas::{RunCanvas, ground_truth, scale_to_match};
use super::label_items::ItemRun;
use super::labelled::open_item;

/// The form that the tools of tasks are asked by.
const REQUIRED_TOOLS: &str = "required-tools";
/// Its question about them.
const QUESTION: &str = "tools";
/// Who says which they are.
const BY: &str = "tools of the shortest run that ends like the target";
/// A channel that differs by no more looks the same: edges are not drawn alike everywhere.
const SAME_CHANNEL: u8 = 8;
/// At most one pixel of so many looks otherwise where a run ends like the target.
const OTHER_PIXELS: usize = 1000;

/// Gives every task of which one of these runs ends like the target the tools of the shortest one, where
/// `required-tools` is asked as it comes with the program. Gives how many were given any.
pub(super) fn propose_tools(
    items: &mut [Item],
    forms: &[Form],
    (runs, home): (&[ItemRun], &Path),
    open_environment: &OpenEnvironment,
) -> usize {
    let Some(form) = builtin_form(REQUIRED_TOOLS).filter(|form| forms.contains(form)) else {
        return 0;
    };
    let mut tasks = TaskFinder::default();
    let mut proposed = 0;
    for item in items.iter_mut().filter(|item| item.kind == ItemKind::Task) {
        let mut of_task: Vec<&ItemRun> =
            runs.iter().filter(|run| Some(&run.task_ref) == item.task.as_ref()).collect();
        // The shortest run that arrives: its tools are nearest to those that are needed.
        of_task.sort_by_key(|run| run.steps);
        let found = of_task.into_iter().find_map(|of| {
            let runs = vec![of.run.clone()];
            let opened = open_item(&Item { runs, ..item.clone() }, home, &mut tasks);
            let run = opened.runs.into_iter().next()?.ok()?;
            let task = of.task.clone().or(opened.task)?;
            ends_like_target(&run, &task, open_environment).then_some(run)
        });
        let answer = found.and_then(|run| answer(form, &run));
        item.proposal = answer.map(|answer| Proposal { by: BY.to_owned(), answer });
        proposed += usize::from(item.proposal.is_some());
    }
    proposed
}

/// The tools that changed something in a run; `None` where none of the form's did.
fn answer(form: &Form, run: &Run) -> Option<Answer> {
    let question = form.question(QUESTION)?;
    let did = run.steps.iter().filter(|step| {
        let looks = matches!(step.category, ToolCategory::Inspection | ToolCategory::Connection);
        let failed = step.outcome.as_ref().is_none_or(|outcome| outcome.failure.is_some());
        !looks && !failed
    });
    let names = did.filter_map(|step| Some(step.call.as_ref()?.name.clone()));
    let tools: BTreeSet<String> = names.filter(|name| question.answer.has_option(name)).collect();
    if tools.is_empty() {
        return None;
    }
    let note = format!("By its {} calls, those that look or failed left out.", run.steps.len());
    let values = [(QUESTION.to_owned(), AnswerValue::Choices(tools))].into();
    Some(Answer { values, note, ..Answer::default() })
}

/// Whether the end of a run looks like the target of its task. What cannot be opened or drawn does not.
fn ends_like_target(run: &Arc<Run>, task: &Arc<Task>, open_environment: &OpenEnvironment) -> bool {
    let Ok(Some(target)) = ground_truth(task, open_environment) else { return false };
    let opened = RunCanvas::open(Arc::clone(run), Some(Arc::clone(task)), open_environment);
    let Ok(mut canvas) = opened else { return false };
    let size = Some((target.width(), target.height()));
    let scale = canvas.frame_size().map_or(1.0, |frame| scale_to_match(frame, size));
    let last = u32::try_from(run.steps.len()).unwrap_or(u32::MAX);
    let end = canvas.picture(last, scale, &CancelToken::default());
    end.is_ok_and(|end| looks_the_same(&end.pixels, &target))
}

fn looks_the_same(one: &Pixels, other: &Pixels) -> bool {
    if (one.width(), one.height()) != (other.width(), other.height()) {
        return false;
    }
    let pixels = one.rgba().chunks_exact(4).zip(other.rgba().chunks_exact(4));
    let others = pixels.filter(|(one, other)| {
        one.iter().zip(*other).any(|(one, other)| one.abs_diff(*other) > SAME_CHANNEL)
    });
    others.count() * OTHER_PIXELS <= one.rgba().len() / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_looks_like_another_with_a_pixel_of_a_thousand_otherwise() {
        let white = Pixels::filled(40, 50, [255; 4]).unwrap();
        assert!(looks_the_same(&white, &white));
        let mut other = white.clone();
        other.put(0, 0, 1, &[255, 240, 255, 255].repeat(2));
        assert!(looks_the_same(&white, &other));
        other.put(2, 0, 1, &[0, 0, 0, 255]);
        assert!(!looks_the_same(&white, &other));
        assert!(!looks_the_same(&white, &Pixels::filled(50, 40, [255; 4]).unwrap()));
    }
}

//! The tools that a task requires, as recorded runs show them: a proposal, and nobody's answer.

use std::path::Path;

use pentimento::environment::Environments;
use pentimento::evaluate::{ItemRun, LabelPlan, PlannedItems};
use pentimento::label::form::builtin_form;
use pentimento::label::{AnswerValue, Item, Proposals, QueueSettings};
use pentimento::run::reader;
use pentimento::task;

use crate::first_study::samples;
use crate::labelling::{labelled, plan, sample_runs};

fn planned(proposals: Proposals) -> PlannedItems {
    let (set, _) = task::open(&samples()).unwrap().sets.remove(0);
    let runs = sample_runs().into_iter().map(|dir| {
        let run = reader::open(&dir).unwrap();
        let task = set.tasks.iter().find(|task| task.id == run.manifest.task.id);
        ItemRun {
            run: labelled(&dir),
            task_ref: run.manifest.task.clone(),
            task: task.cloned(),
            steps: run.steps.len() as u32,
        }
    });
    let runs: Vec<ItemRun> = runs.collect();
    let plan = LabelPlan {
        queue: QueueSettings { proposals, ..QueueSettings::default() },
        ..plan(builtin_form("required-tools").unwrap())
    };
    plan.all_items(&runs, Path::new("/"), &Environments::default().opener()).unwrap()
}

#[test]
fn the_tools_of_the_shortest_run_that_reaches_the_target_are_proposed() {
    let planned = planned(Proposals::After);
    let item = |task: &str| -> &Item {
        planned.items.iter().find(|item| item.task.as_ref().unwrap().id == task).unwrap()
    };
    let form = builtin_form("required-tools").unwrap();
    // Of its two runs one ends otherwise; what only looks is not required.
    let tip = item("recipe-tip").proposal_by(form).expect("it fits the form");
    let AnswerValue::Choices(tools) = &tip.answer.values["tools"] else { panic!("tools") };
    let wanted = ["create_frame", "create_graphic", "create_text", "set_corner_radius"];
    assert_eq!(tools.iter().collect::<Vec<_>>(), wanted);
    assert_eq!(tip.answer.values.len(), 1, "whether the words are right is for people to say");
    assert!(tip.answer.note.contains("6 calls"), "{}", tip.answer.note);
    // No run of it ends like its target.
    assert!(item("now-playing").proposal.is_none());
    let proposed = planned.items.iter().filter(|item| item.proposal.is_some()).count();
    assert_eq!(planned.proposed, proposed);
    assert!((5..planned.items.len()).contains(&proposed), "{proposed}");
    let said = planned.items.iter().filter_map(|item| item.proposal.as_ref());
    for proposal in said {
        let text = format!("{proposal:?}");
        assert!(!text.contains("scripted") && !text.contains("tracer"), "{text}");
    }
}

#[test]
fn where_proposals_are_never_shown_none_is_made() {
    assert!(planned(Proposals::Never).items.iter().all(|item| item.proposal.is_none()));
}

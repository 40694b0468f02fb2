//! The items of a labelling project: what of runs and their tasks is asked about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;

use crate::label::{Item, ItemId, ItemKind, LabelledRun};
use crate::run::TaskRef;
use crate::task::Task;

/// A run that items are made of.
#[derive(Clone, Debug)]
pub struct ItemRun {
    /// As the project knows it.
    pub run: LabelledRun,
    /// What it is an attempt at.
    pub task_ref: TaskRef,
    /// The same, if its set was found.
    pub task: Option<Arc<Task>>,
    /// Its steps.
    pub steps: u32,
}

/// The kinds of items that runs and their tasks have.
pub const ITEM_KINDS_OF_RUNS: [ItemKind; 6] = [
    ItemKind::Run,
    ItemKind::Pair,
    ItemKind::Step,
    ItemKind::Task,
    ItemKind::Design,
    ItemKind::Text,
];

/// The items of these kinds, in the order of tasks: every run, every two runs of one task by different agents, every
/// step of every run, every task, its design (the ground truth) and its words. A run that was copied counts once; the
/// second number says how many items were left out for that.
pub fn label_items(kinds: &BTreeSet<ItemKind>, runs: &[ItemRun]) -> (Vec<Item>, usize) {
    let mut of_tasks: BTreeMap<&TaskRef, Vec<&ItemRun>> = BTreeMap::new();
    for run in runs {
        of_tasks.entry(&run.task_ref).or_default().push(run);
    }
    let mut items = Vec::new();
    for (task_ref, runs) in of_tasks {
        let task = runs.iter().find_map(|run| run.task.as_deref());
        let from = items.len();
        for (at, first) in runs.iter().enumerate() {
            if kinds.contains(&ItemKind::Run) {
                items.push(item(ItemKind::Run, task_ref, &[first], None));
            }
            // Every two once: only with runs that come later. Two runs of one model say nothing of which model is
            // better.
            let others = runs[at + 1..].iter().filter(|other| other.run.model != first.run.model);
            for second in others.filter(|_| kinds.contains(&ItemKind::Pair)) {
                items.push(item(ItemKind::Pair, task_ref, &[first, second], None));
            }
            let steps = if kinds.contains(&ItemKind::Step) { first.steps } else { 0 };
            let steps = 1..=steps;
            items.extend(steps.map(|step| item(ItemKind::Step, task_ref, &[first], Some(step))));
        }
        let words = task.map(|task| task.instruction.clone()).filter(|words| !words.is_empty());
        let has_design = task.is_some_and(|task| task.ground_truth.is_some());
        for (kind, is_there) in [
            (ItemKind::Task, true),
            (ItemKind::Design, has_design),
            (ItemKind::Text, words.is_some()),
        ] {
            if is_there && kinds.contains(&kind) {
                items.push(Item { text: words.clone(), ..item(kind, task_ref, &[], None) });
            }
        }
        let strata = strata_of(task);
        // Strata are the task's, and the same for all of its items.
        for item in &mut items[from..] {
            item.strata.clone_from(&strata);
        }
    }
    let all = items.len();
    let mut seen = BTreeSet::new();
    // Ids are made of content, so that a copy has the id of what it was copied from.
    items.retain(|item| seen.insert(item.id.clone()));
    let copies = all - items.len();
    (items, copies)
}

/// Items of words that come from elsewhere, such as the questions that a design is tested by; one that is there
/// twice counts once.
pub fn text_items(texts: impl IntoIterator<Item = String>) -> Vec<Item> {
    let mut seen = BTreeSet::new();
    let items = texts.into_iter().map(|text| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(ItemKind::Text.name().as_bytes());
        hasher.update(b"\0");
        hasher.update(text.as_bytes());
        Item { text: Some(text), ..Item::bare(item_id(&hasher), ItemKind::Text) }
    });
    items.filter(|item| seen.insert(item.id.clone())).collect()
}

/// A name that says nothing of what it is, as it is seen by who labels.
pub(super) fn item_id(content: &blake3::Hasher) -> ItemId {
    ItemId(content.finalize().to_hex()[..16].to_owned())
}

fn strata_of(task: Option<&Task>) -> BTreeMap<String, String> {
    let mut strata = BTreeMap::new();
    if let Some(task) = task {
        let kind = json!(task.kind).as_str().unwrap_or_default().to_owned();
        strata.insert("type".to_owned(), kind);
        strata.extend(task.difficulty.clone().map(|it| ("difficulty".to_owned(), it)));
    }
    strata
}

fn item(kind: ItemKind, task: &TaskRef, runs: &[&ItemRun], step: Option<u32>) -> Item {
    let mut hasher = blake3::Hasher::new();
    hasher.update(kind.name().as_bytes());
    for run in runs {
        hasher.update(run.run.content.as_bytes());
    }
    if let Some(step) = step {
        hasher.update(&step.to_le_bytes());
    }
    // What an item is about names it: the same runs in another project are the same item, and answers can be joined.
    if runs.is_empty() {
        hasher.update(task.set.as_bytes());
        hasher.update(b"\0");
        hasher.update(task.id.as_bytes());
    }
    Item {
        task: Some(task.clone()),
        runs: runs.iter().map(|run| run.run.clone()).collect(),
        step,
        ..Item::bare(item_id(&hasher), kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(task: &str, model: &str, content: &str, steps: u32) -> ItemRun {
        ItemRun {
            run: LabelledRun {
                path: format!("runs/{content}"),
                content: content.to_owned(),
                model: model.to_owned(),
            },
            task_ref: TaskRef { set: "s".to_owned(), id: task.to_owned() },
            task: None,
            steps,
        }
    }

    #[test]
    fn runs_have_items_of_every_kind_that_is_asked_for() {
        let runs = [
            run("t", "a", "1", 2),
            run("t", "b", "2", 1),
            run("t", "a", "3", 0),
            run("u", "a", "4", 1),
            run("u", "a", "4", 1),
        ];
        let count = |kinds: &[ItemKind]| {
            let (items, copies) = label_items(&kinds.iter().copied().collect(), &runs);
            let ids: BTreeSet<&ItemId> = items.iter().map(|item| &item.id).collect();
            assert_eq!(ids.len(), items.len());
            (items.len(), copies)
        };
        assert_eq!(count(&[ItemKind::Run]), (4, 1), "a copy counts once");
        // 1 and 2, 2 and 3: those of one agent are no pair.
        assert_eq!(count(&[ItemKind::Pair]), (2, 0));
        assert_eq!(count(&[ItemKind::Step]), (4, 1));
        assert_eq!(count(&[ItemKind::Task]), (2, 0));
        assert_eq!(count(&ITEM_KINDS_OF_RUNS), (12, 2));
        assert_eq!(count(&[]), (0, 0));
        assert_eq!(
            count(&[ItemKind::Design, ItemKind::Text]),
            (0, 0),
            "nothing is known of the tasks"
        );
        let texts = ["Is it blue?", "Is it a card?", "Is it blue?"].map(str::to_owned);
        let items = text_items(texts);
        assert_eq!(items.len(), 2);
        assert_ne!(items[0].id, items[1].id);
    }
}

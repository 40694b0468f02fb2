//! What a project would have that is being made.

use std::collections::{BTreeMap, BTreeSet};

use crate::label::ItemKind;
use crate::run::TaskRef;
use crate::workbench::derive::views::run_order;
use crate::workbench::model::State;

/// What a project would be of, by the runs that the library lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewLabelsPreview {
    /// Runs that are listed.
    pub runs: usize,
    /// Runs there are.
    pub all_runs: usize,
    /// Their tasks.
    pub tasks: usize,
    /// Their agents.
    pub agents: usize,
    /// Items by what they are about, of the chosen forms, of all tasks.
    pub items: Vec<(ItemKind, usize)>,
    /// Answers to forms that one person each would give.
    pub answers: usize,
}

/// Counts what a project would have; copies of runs count here, and not in the project.
pub fn new_labels_preview(state: &State) -> Option<NewLabelsPreview> {
    let new = state.annotate.new.as_ref()?;
    let mut of_tasks: BTreeMap<&TaskRef, Vec<(&str, usize)>> = BTreeMap::new();
    let listed = run_order(state);
    for id in &listed {
        let Some(run) = state.library.runs.get(id) else { continue };
        let steps = usize::try_from(run.steps).unwrap_or(usize::MAX);
        of_tasks.entry(&run.task).or_default().push((&run.manifest.agent.name, steps));
    }
    let agents: BTreeSet<&str> = of_tasks.values().flatten().map(|(agent, _)| *agent).collect();
    let mut items: Vec<(ItemKind, usize)> = Vec::new();
    let mut answers = 0;
    for form in new.chosen_forms() {
        let of_kind = of_tasks.values().map(|runs| items_of_task(form.about, runs)).sum();
        answers += of_kind;
        // Forms about one kind share its items, but each asks for an answer of its own.
        if !items.iter().any(|(kind, _)| *kind == form.about) {
            items.push((form.about, of_kind));
        }
    }
    Some(NewLabelsPreview {
        runs: listed.len(),
        all_runs: state.library.runs.len(),
        tasks: of_tasks.len(),
        agents: agents.len(),
        items,
        answers,
    })
}

/// How many items of a kind a task has with these runs: who made each, and how many steps it took.
fn items_of_task(kind: ItemKind, runs: &[(&str, usize)]) -> usize {
    match kind {
        ItemKind::Run => runs.len(),
        ItemKind::Pair => {
            let pairs = runs
                .iter()
                .enumerate()
                // Of two agents: a pair by one says nothing about which is better.
                .map(|(at, one)| runs[at + 1..].iter().filter(|other| other.0 != one.0).count());
            pairs.sum()
        }
        ItemKind::Step => runs.iter().map(|(_, steps)| *steps).sum(),
        ItemKind::Task => 1,
        _ => 0,
    }
}

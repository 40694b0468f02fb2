//! Tasks to learn the canvas by, in five minutes: six small designs, each changed in a place or three that a seed says,
//! to be brought back.
//!
//! They are data (`assets/practice`): [`PracticeTask::all`] reads them, [`PracticeTask::start`] makes what is begun
//! with, [`PracticeTask::checks`] says what of it is as it should be. `changes` are the kinds of changes.

mod changes;

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::chance::Chance;
use crate::design::diff::{Diff, diff, pair_by_id, pair_rest_by_content};
use crate::design::figma::{FigmaError, from_json};
use crate::design::hunk::Field;
use crate::design::{Document, DocumentError};

pub use changes::{MadeChange, PracticeChange};

/// What a file of this format says of itself.
pub const PRACTICE_FORMAT: &str = "pentimento/practice";
/// The set that practice tasks are of, as far as anything asks.
pub const PRACTICE_SET: &str = "practice";

/// The list of tasks, and the designs that it names.
const TASKS: &str = include_str!("../../../assets/practice/practice.json");
const DESIGNS: [(&str, &str); 6] = [
    ("cards.json", include_str!("../../../assets/practice/cards.json")),
    ("signup.json", include_str!("../../../assets/practice/signup.json")),
    ("article.json", include_str!("../../../assets/practice/article.json")),
    ("list.json", include_str!("../../../assets/practice/list.json")),
    ("tile.json", include_str!("../../../assets/practice/tile.json")),
    ("player.json", include_str!("../../../assets/practice/player.json")),
];

/// Read once; a test holds that every one can be.
static PRACTICE: LazyLock<Vec<Arc<PracticeTask>>> = LazyLock::new(|| {
    read().map(|tasks| tasks.into_iter().map(Arc::new).collect()).unwrap_or_default()
});

/// The whole of `practice.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PracticeFile {
    format: String,
    version: u32,
    tasks: Vec<PracticeTask>,
}

/// A task to learn the canvas by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PracticeTask {
    /// What it is called in files.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// About how long it takes, in seconds.
    pub seconds: u32,
    /// The file of what should come of it.
    design: String,
    /// What is to be done; empty: that is to be found.
    pub words: String,
    /// What is good to know.
    #[serde(default)]
    pub tip: String,
    /// What is good to know where there is an assistant.
    #[serde(default)]
    pub assisted_tip: String,
    /// How many of the changes are made; none: all.
    #[serde(default)]
    pick: Option<usize>,
    /// What may be different at first.
    changes: Vec<PracticeChange>,
}

/// Why there is no practice.
#[derive(Debug, thiserror::Error)]
pub enum PracticeError {
    /// Its list cannot be read.
    #[error("the list of practice tasks cannot be read: {0}")]
    List(#[from] serde_json::Error),
    /// A design is not there, or none.
    #[error("the design {name} cannot be used: {source}")]
    Design {
        /// Its file.
        name: String,
        /// The cause.
        source: FigmaError,
    },
    /// The list is of another format.
    #[error("the list of practice tasks is of format {0:?}")]
    Format(String),
    /// A design is not at hand.
    #[error("there is no design {0}")]
    NoDesign(String),
    /// A change cannot be made.
    #[error(transparent)]
    Change(#[from] DocumentError),
}

/// What practice begins with, and what should come of it.
#[derive(Clone, Debug)]
pub struct PracticeStart {
    /// What it begins with.
    pub start: Document,
    /// What should come of it.
    pub goal: Document,
    /// What was changed: what is checked.
    pub made: Vec<MadeChange>,
}

fn read() -> Result<Vec<PracticeTask>, PracticeError> {
    let file: PracticeFile = serde_json::from_str(TASKS)?;
    if file.format != PRACTICE_FORMAT || file.version != 1 {
        return Err(PracticeError::Format(format!("{} {}", file.format, file.version)));
    }
    Ok(file.tasks)
}

impl PracticeTask {
    /// Every one, in order.
    pub fn all() -> &'static [Arc<Self>] {
        &PRACTICE
    }

    /// What it begins with, by a seed.
    ///
    /// # Errors
    ///
    /// [`PracticeError`].
    pub fn start(&self, seed: u64) -> Result<PracticeStart, PracticeError> {
        let text = DESIGNS.iter().find(|(name, _)| *name == self.design);
        let (_, text) = text.ok_or_else(|| PracticeError::NoDesign(self.design.clone()))?;
        let loaded = from_json(serde_json::from_str(text)?);
        let loaded =
            loaded.map_err(|source| PracticeError::Design { name: self.design.clone(), source })?;
        let goal = loaded.document;
        // By the task's own name: another task that is put before it changes nothing of this one.
        let mut chance = Chance::new(seed, &["practice", &self.id]);
        let mut places: Vec<usize> = (0..self.changes.len()).collect();
        if let Some(pick) = self.pick {
            chance.shuffle(&mut places);
            places.truncate(pick);
        }
        let (mut start, mut made) = (goal.clone(), Vec::new());
        for place in places {
            let Some(change) = self.changes.get(place) else { continue };
            // A change that nothing can be made of in this design is passed over: it would be passed at once.
            if let Some((node, words)) = change.make(&mut start, &goal, &mut chance)? {
                made.push(MadeChange { change: place, node, words });
            }
        }
        Ok(PracticeStart { start, goal, made })
    }

    /// What of a design is as it should be, change by change; the last one: whether nothing else differs.
    pub fn checks(&self, start: &PracticeStart, now: &Document) -> Vec<(String, bool)> {
        let open = open_changes(now, &start.goal);
        let checks = start.made.iter().filter_map(|made| {
            let holds = self.changes.get(made.change)?.holds(made, now, &start.goal, &open);
            Some((made.words.clone(), holds))
        });
        let mut checks: Vec<(String, bool)> = checks.collect();
        checks.push(("Everything is as in the goal".to_owned(), is_alike(&open)));
        checks
    }
}

/// What differs from the goal: nodes of one id are the same, others those that are alike, groups those that hold the
/// same.
fn open_changes(now: &Document, goal: &Document) -> Diff {
    let mut pairing = pair_by_id(now, goal);
    for group in changes::groups_made_anew(now, goal) {
        pairing.insert(&group.0, &group.1);
    }
    diff(now, goal, &pair_rest_by_content(now, goal, &pairing))
}

/// Whether nothing is different that is seen: names are not, nor is which of two lies in front that do not touch, as
/// all do that are copied or grouped here.
fn is_alike(open: &Diff) -> bool {
    let mut fields = open.nodes.iter().flat_map(|node| &node.changes).flat_map(Field::of_change);
    fields.all(|field| matches!(field, Field::Name | Field::Order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::goal::SameNodes;
    use crate::design::{Node, NodeId, NodeKind};
    use crate::study::distance::distance;

    #[test]
    fn there_are_six_and_they_take_five_minutes() {
        assert_eq!(read().unwrap().len(), 6);
        let seconds: u32 = PracticeTask::all().iter().map(|task| task.seconds).sum();
        assert_eq!(seconds, 300);
        assert!(PracticeTask::all()[5].words.is_empty(), "the last one is to be found");
    }

    #[test]
    fn every_seed_changes_something_and_the_goal_passes() {
        for task in PracticeTask::all() {
            let mut starts = std::collections::BTreeSet::new();
            for seed in 0..20 {
                let start = task.start(seed).unwrap();
                let checks = task.checks(&start, &start.start);
                assert!(checks.iter().all(|(_, holds)| !holds), "{} {seed}: {checks:?}", task.id);
                let checks = task.checks(&start, &start.goal);
                assert!(checks.iter().all(|(_, holds)| *holds), "{} {seed}: {checks:?}", task.id);
                let open = distance(&start.start, &start.goal, SameNodes::ById);
                assert!(open > 0.0 && open <= 12.0, "{} {seed}: {open}", task.id);
                let again = task.start(seed).unwrap();
                assert_eq!(again.made, start.made, "the same seed gives the same");
                starts.insert(format!(
                    "{:?} {open}",
                    start.start.iter_depth_first().collect::<Vec<_>>()
                ));
            }
            assert!(starts.len() > 1, "{}: it can be repeated with another start", task.id);
        }
    }

    #[test]
    fn what_is_put_together_is_a_group_and_no_frame() {
        let task = &PracticeTask::all()[4];
        let start = task.start(3).unwrap();
        let group = start.goal.get(&NodeId::new("5:3")).unwrap().clone();
        for kind in [NodeKind::Group, NodeKind::Frame] {
            let mut now = start.start.clone();
            let mut transaction = crate::design::edit::Transaction::begin(&mut now);
            let id = transaction.new_id();
            let around = Node { id: id.clone(), kind: kind.clone(), ..Node::clone(&group) };
            transaction.insert(around, group.parent.as_ref(), None).unwrap();
            let inside = start.goal.children_of(Some(&group.id)).iter();
            for child in inside {
                transaction.reparent(child, Some(&id), None).unwrap();
            }
            transaction.commit();
            let checks = task.checks(&start, &now);
            let found = checks.iter().find(|(words, _)| words == "All of it is one group");
            assert_eq!(found.unwrap().1, kind == NodeKind::Group, "{checks:?}");
        }
    }

    #[test]
    fn a_copy_in_the_gap_is_the_row_that_was_missing() {
        let task = &PracticeTask::all()[3];
        let start = task.start(3).unwrap();
        let missing = &start.made[0].node;
        let there = start.goal.get(missing).unwrap().clone();
        let mut now = start.start.clone();
        let mut transaction = crate::design::edit::Transaction::begin(&mut now);
        let model = NodeId::new("4:3");
        let copy = transaction.duplicate(&model).unwrap();
        transaction.update(&copy, |node| node.transform = there.transform).unwrap();
        transaction.commit();
        let checks = task.checks(&start, &now);
        assert!(checks.iter().all(|(_, holds)| *holds), "{checks:?}");
    }
}

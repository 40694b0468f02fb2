//! What the evaluator calls a run: it reads task and model from the name of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::run::{Manifest, TaskRef};
use crate::task::{Task, TaskKind};

use super::files::CanvasExportError;

/// The number that the first task gets that the evaluator has no name for: far from those of the published set.
const FIRST_OWN: u32 = 9001;

/// A run as the evaluator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "they are the evaluator's own names")]
pub(super) struct Case {
    pub(super) case_id: String,
    pub(super) gt_id: String,
    pub(super) model: String,
    /// `task-1` to `task-3` of a modification.
    pub(super) task: Option<&'static str>,
    pub(super) variant: String,
}

/// The names that were given.
pub(super) struct Cases {
    variant: String,
    /// What the evaluator calls the tasks; several of one name where two sets are called the same.
    ids: BTreeMap<TaskRef, Vec<GivenId>>,
    /// The ids that some task has.
    taken_ids: BTreeSet<String>,
    /// The number of the next task that the evaluator has no name for.
    next_own: u32,
    taken: BTreeSet<String>,
}

/// What the evaluator calls a task.
struct GivenId {
    task: Arc<Task>,
    gt_id: String,
}

impl Cases {
    pub(super) fn new(variant: &str) -> Self {
        Self {
            variant: plain(variant),
            ids: BTreeMap::new(),
            taken_ids: BTreeSet::new(),
            next_own: FIRST_OWN,
            taken: BTreeSet::new(),
        }
    }

    /// The name of a run, which no other one got.
    pub(super) fn of(
        &mut self,
        manifest: &Manifest,
        task: &Arc<Task>,
    ) -> Result<Case, CanvasExportError> {
        // The folder names of CANVAS's modification tasks.
        let kind = match task.kind {
            TaskKind::Replication => None,
            TaskKind::AttributeUpdate => Some("task-1"),
            TaskKind::ComponentInsertion => Some("task-2"),
            TaskKind::ModeChange => Some("task-3"),
            TaskKind::Composition => {
                let why = "the evaluator of CANVAS knows no tasks of this kind";
                return Err(CanvasExportError::NotReadable(why.to_owned()));
            }
        };
        let gt_id = self.gt_id(&manifest.task, task, kind);
        // Two runs of one model at one task get numbers, as the evaluator knows a result by its name alone.
        let mut number = 1;
        loop {
            let model = model_name(&manifest.agent.name, kind.is_some(), number);
            let case_id = match kind {
                None => format!("{gt_id}-{model}-{}", self.variant),
                Some(_) => format!("{gt_id}-{model}"),
            };
            // By kind too: the three kinds lie in folders of their own.
            if self.taken.insert(format!("{kind:?} {case_id}")) {
                let variant = self.variant.clone();
                return Ok(Case { case_id, gt_id, model, task: kind, variant });
            }
            number += 1;
        }
    }

    /// The id of a task, which no other task got: its ground truth is a file by that name.
    fn gt_id(&mut self, of: &TaskRef, task: &Arc<Task>, kind: Option<&str>) -> String {
        let known = self.ids.get(of).and_then(|known| known.iter().find(|it| it.task == *task));
        if let Some(known) = known {
            return known.gt_id.clone();
        }
        let gt_id = self.free_id(&of.id, kind);
        let given = GivenId { task: Arc::clone(task), gt_id: gt_id.clone() };
        self.ids.entry(of.clone()).or_default().push(given);
        gt_id
    }

    /// The id itself where it is one of the published set and no other set's task has it, else a number of its own:
    /// what has two hyphens is a task and a model to the evaluator.
    fn free_id(&mut self, id: &str, kind: Option<&str>) -> String {
        if is_published(id, kind) && self.take_id(id, kind) {
            return id.to_owned();
        }
        loop {
            let number = self.next_own;
            self.next_own += 1;
            let own = match kind {
                None | Some("task-3") => format!("gid{number}-1"),
                Some(_) => format!("gid{number}"),
            };
            if self.take_id(&own, kind) {
                return own;
            }
        }
    }

    /// Whether an id was free until now.
    fn take_id(&mut self, id: &str, kind: Option<&str>) -> bool {
        // Replications lie in a folder of their own, so that a mode change of the same screen keeps its id beside one.
        // All modifications share one: a single table has the tools that people used, by id alone.
        let side = if kind.is_some() { "modification" } else { "replication" };
        // In lower case, as some file systems make no difference.
        self.taken_ids.insert(format!("{side} {}", id.to_ascii_lowercase()))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

fn is_gid(text: &str) -> bool {
    text.strip_prefix("gid").is_some_and(is_number)
}

/// `gid6-27` of replications and mode changes, `color_adjustment-gid1` and `gid1` of the others.
fn is_published(id: &str, kind: Option<&str>) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    match (kind, parts.as_slice()) {
        (None | Some("task-3"), [project, screen]) => is_gid(project) && is_number(screen),
        // It becomes part of the names of files.
        (Some("task-1"), [change, gid]) => {
            !change.is_empty() && plain(change) == *change && is_gid(gid)
        }
        (Some(_), [gid]) => is_gid(gid),
        _ => false,
    }
}

/// The name of a model as part of a folder's. Of modifications the last part between hyphens is the model, and
/// what stands before the last underscore the task.
fn model_name(name: &str, is_modification: bool, number: usize) -> String {
    let mut name = plain(name);
    if is_modification {
        name = name.replace(['-', '_'], ".");
    }
    if name.is_empty() {
        "agent".clone_into(&mut name);
    }
    if number > 1 { format!("{name}.{number}") } else { name }
}

/// Only what is a name on every file system.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => c,
        _ => '.',
    });
    letters.take(80).collect::<String>().trim_matches(['.', '-']).to_owned()
}

impl Case {
    /// The folder of the result.
    pub(super) fn folder(&self) -> String {
        match self.task {
            None => format!("results/replication_gen/{}/{}", self.variant, self.case_id),
            Some(task) => format!("results/modification_gen/{task}/{}", self.case_id),
        }
    }

    /// What the evaluator is called with.
    pub(super) fn evaluate(&self) -> String {
        let (task, variant) = match self.task {
            None => ("replication_gen", self.variant.as_str()),
            Some(task) => ("modification_gen", task),
        };
        format!("--task {task} --variant {variant}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::AgentRef;

    fn case(cases: &mut Cases, id: &str, kind: TaskKind, agent: &str) -> Case {
        let task = TaskRef { set: "set".to_owned(), id: id.to_owned() };
        let agent = AgentRef { kind: "model".to_owned(), name: agent.to_owned(), version: None };
        let manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z".to_owned());
        cases.of(&manifest, &Arc::new(Task::new(id, kind, ""))).unwrap()
    }

    /// What a task of a set is called.
    fn gt_id(cases: &mut Cases, set: &str, task: Task) -> String {
        let agent = AgentRef { kind: "model".to_owned(), name: "a".to_owned(), version: None };
        let of = TaskRef::new(set, &task.id);
        let manifest = Manifest::new(of, agent, "2026-01-01T00:00:00Z".to_owned());
        cases.of(&manifest, &Arc::new(task)).unwrap().gt_id
    }

    #[test]
    fn tasks_of_one_id_in_two_sets_have_ground_truths_of_their_own() {
        let mut cases = Cases::new("image_only");
        let replication =
            |instruction: &str| Task::new("gid6-27", TaskKind::Replication, instruction);
        assert_eq!(gt_id(&mut cases, "published", replication("")), "gid6-27");
        assert_eq!(gt_id(&mut cases, "mine", replication("")), "gid9001-1");
        // Nor does another task of a set that is called the same share it.
        assert_eq!(gt_id(&mut cases, "mine", replication("Otherwise")), "gid9002-1");
        for (set, id) in [("published", "gid6-27"), ("mine", "gid9001-1")] {
            assert_eq!(gt_id(&mut cases, set, replication("")), id, "it stays");
        }
        // A mode change has a folder of its own, and an id that looks like one of our numbers is passed over.
        let change = |id: &str| Task::new(id, TaskKind::ModeChange, "");
        assert_eq!(gt_id(&mut cases, "published", change("gid6-27")), "gid6-27");
        assert_eq!(gt_id(&mut cases, "published", change("gid9003-1")), "gid9003-1");
        assert_eq!(gt_id(&mut cases, "mine", change("gid6-27")), "gid9004-1");
        let insertion = |id: &str| Task::new(id, TaskKind::ComponentInsertion, "");
        assert_eq!(gt_id(&mut cases, "published", insertion("gid1")), "gid1");
        assert_eq!(gt_id(&mut cases, "mine", insertion("gid1")), "gid9005");
        let attribute = |id: &str| Task::new(id, TaskKind::AttributeUpdate, "");
        assert_eq!(gt_id(&mut cases, "published", attribute("color-gid1")), "color-gid1");
        assert_eq!(gt_id(&mut cases, "mine", attribute("Color-gid1")), "gid9006");
        assert_eq!(gt_id(&mut cases, "mine", attribute("../up-gid1")), "gid9007");
    }

    #[test]
    fn published_ids_stay_and_others_get_numbers_of_their_own() {
        let mut cases = Cases::new("image_only");
        let published = case(&mut cases, "gid6-27", TaskKind::Replication, "gpt-4.1");
        assert_eq!(published.case_id, "gid6-27-gpt-4.1-image_only");
        let own = case(&mut cases, "now-playing", TaskKind::Replication, "gpt-4.1");
        assert_eq!(own.case_id, "gid9001-1-gpt-4.1-image_only");
        let again = case(&mut cases, "now-playing", TaskKind::Replication, "gpt-4.1");
        assert_eq!(again.case_id, "gid9001-1-gpt-4.1.2-image_only");
        let change = case(&mut cases, "color_adjustment-gid1", TaskKind::AttributeUpdate, "gpt-4o");
        assert_eq!(change.case_id, "color_adjustment-gid1-gpt.4o");
        assert_eq!(change.folder(), "results/modification_gen/task-1/color_adjustment-gid1-gpt.4o");
        let other = case(&mut cases, "wallet-colors", TaskKind::AttributeUpdate, "a/../b_c");
        assert_eq!(other.case_id, "gid9002-a....b.c");
        let mut cases = Cases::new("../up");
        let kept = case(&mut cases, "x", TaskKind::Replication, "..");
        assert_eq!(kept.folder(), "results/replication_gen/up/gid9001-1-agent-up");
    }
}

//! What a table over many runs keeps of each: which tools were called when, and what failed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::condition::{Condition, OtherSettings};
use super::studies::StudyAttempt;
use crate::environment::{FailureClass, ToolCategory};
use crate::graphictown::Expert;
use crate::metric::Score;
use crate::metric::behavior::ToolAgreement;
use crate::metric::plan::errors::{PlanError, PlanErrorClass};
use crate::metric::plan::{PlanRow, PlanScores};
use crate::run::{Run, RunOrigin, Step};

/// What is kept of a run: a few bytes a step, so that thousands of runs fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunDigest {
    /// The calls, in order; none where only pictures were recorded.
    pub steps: Vec<StepDigest>,
    /// The tools that were called, by name.
    pub tools: Vec<ToolCount>,
    /// After which step each turn ended.
    pub turn_ends: Vec<u32>,
    /// Whether only pictures were recorded, so that nothing is known of calls.
    pub is_pictures: bool,
    /// Whether part of what was recorded is lost.
    pub is_torn: bool,
    /// What is known of the plan that it carried out, if it did.
    pub plan: Option<PlanDigest>,
    /// What came of it, if it is of a study and was finished and checked.
    pub attempt: Option<StudyAttempt>,
    /// What it was made with, as far as it changes what comes of it.
    pub condition: Condition,
    /// What else it was made with.
    pub others: OtherSettings,
}

/// What is kept of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanDigest {
    /// What is wrong with it.
    pub errors: Vec<PlanErrorClass>,
    /// Delivery as published, step efficiency, expert use efficiency, each 0 to 1.
    pub numbers: [Option<f64>; 3],
}

impl PlanDigest {
    /// What is kept of a plan with these errors.
    pub fn of(row: &PlanRow, errors: &[PlanError]) -> Self {
        let scores = PlanScores::of(&row.final_workflow);
        let numbers =
            [&scores.delivery_published, &scores.step_efficiency, &scores.expert_use_efficiency];
        Self {
            errors: errors.iter().map(|error| error.class).collect(),
            numbers: numbers.map(Score::value),
        }
    }
}

/// What is kept of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepDigest {
    /// Its tool, by its place in [`RunDigest::tools`].
    pub tool: u16,
    /// In which turn, from 1.
    pub turn: u32,
    /// The kind of work.
    pub category: ToolCategory,
    /// How it failed, if it did.
    pub failure: Option<Failed>,
    /// Which expert acted, in a suite of programs.
    pub expert: Option<Expert>,
}

/// How a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// In this way.
    Class(FailureClass),
    /// The run died before it was answered.
    NoOutcome,
}

/// How often a tool was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCount {
    /// Its name; of many runs the same text, once [`ToolNames`] has seen them.
    pub name: Arc<str>,
    /// Its kind of work.
    pub category: ToolCategory,
    /// All calls.
    pub calls: u32,
    /// Those that failed.
    pub failures: u32,
}

/// Names of tools that runs have in common, each kept once: thousands of runs call the same few, and who compares their
/// names reads them from where they were read before.
#[derive(Debug, Default)]
pub struct ToolNames(HashSet<Arc<str>>);

impl ToolNames {
    /// Most names that are kept. An agent that makes up a name for every call has more.
    const MOST: usize = 4096;

    /// Lets a run have its names in common with those before it.
    pub fn share(&mut self, digest: &mut RunDigest) {
        for tool in &mut digest.tools {
            if let Some(known) = self.0.get(&tool.name) {
                tool.name = Arc::clone(known);
            } else if self.0.len() < Self::MOST {
                self.0.insert(Arc::clone(&tool.name));
            }
        }
    }
}

impl Failed {
    /// Its word, as filters and tables have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Class(class) => class.word(),
            Self::NoOutcome => "no_outcome",
        }
    }

    /// The words of all.
    pub fn words() -> impl Iterator<Item = &'static str> {
        FailureClass::ALL.into_iter().map(FailureClass::word).chain([Self::NoOutcome.word()])
    }
}

impl RunDigest {
    /// What is kept of a run and of what lies beside it in its folder.
    pub fn of_folder(run: &Run, dir: &Path) -> Self {
        Self { attempt: StudyAttempt::of_run(dir, &run.manifest), ..Self::of(run) }
    }

    /// What is kept of a run.
    pub fn of(run: &Run) -> Self {
        let (condition, others) = Condition::of(&run.manifest);
        let mut digest = Self {
            is_pictures: matches!(run.origin, RunOrigin::Pictures { .. }),
            is_torn: run.torn.is_some(),
            condition,
            others,
            ..Self::default()
        };
        let mut places: BTreeMap<&str, u16> = BTreeMap::new();
        for step in run.steps.iter() {
            let Some(call) = &step.call else { continue };
            let failure = failure_of(step);
            // More tools than fit into a place are not tools: their names are made up call by call.
            let next = u16::try_from(digest.tools.len()).unwrap_or(u16::MAX);
            let place = *places.entry(&call.name).or_insert(next);
            if usize::from(place) == digest.tools.len() {
                let (name, category) = (Arc::from(call.name.as_str()), step.category);
                digest.tools.push(ToolCount { name, category, calls: 0, failures: 0 });
            }
            if let Some(tool) = digest.tools.get_mut(usize::from(place)) {
                tool.calls += 1;
                tool.failures += u32::from(failure.is_some());
            }
            let expert = call.arguments.get("expert").and_then(|name| name.as_str());
            digest.steps.push(StepDigest {
                tool: place,
                turn: step.turn,
                category: step.category,
                failure,
                expert: expert.and_then(Expert::from_name),
            });
        }
        let ends = run.turns.iter().map(|turn| turn.first_step.saturating_add(turn.step_count));
        digest.plan = run.plan.as_ref().map(|plan| PlanDigest::of(&plan.row, &plan.errors));
        digest.turn_ends = ends.filter_map(|end| u32::try_from(end).ok()).collect();
        digest
    }

    /// The name of a step's tool.
    pub fn tool_of(&self, step: &StepDigest) -> &str {
        self.tools.get(usize::from(step.tool)).map_or("", |tool| &tool.name)
    }

    /// Whether it is known that no call went well, or that there was none, as [`Run::is_idle`] has it: the papers'
    /// failed run.
    pub fn is_idle(&self) -> bool {
        // A picture is a turn. Pictures alone do not say whether calls failed; only that there is none says so.
        if self.is_pictures {
            return self.turn_ends.is_empty();
        }
        self.steps.iter().all(|step| step.failure.is_some())
    }

    /// How many calls failed.
    pub fn failures(&self) -> usize {
        self.steps.iter().filter(|step| step.failure.is_some()).count()
    }

    /// Different tools that were called; a name that no tool has is none. `None`: it is not known.
    pub fn tool_diversity(&self) -> Option<usize> {
        (!self.is_pictures).then(|| self.known_tools().count())
    }

    /// The share of the called tools that people used too; a value or why there is none.
    pub fn tool_precision(&self, annotated: &[String]) -> Score {
        ToolAgreement::of(self.known_tools(), annotated.iter().map(String::as_str)).precision
    }

    /// The tools that were called, but for names that no tool has.
    fn known_tools(&self) -> impl Iterator<Item = &str> {
        let unknown = Some(Failed::Class(FailureClass::UnknownTool));
        let tools = self.tools.iter().enumerate();
        // Only a tool of which every call failed may be none.
        let known = tools.filter(move |(at, tool)| {
            let mut steps = self.steps.iter().filter(|step| usize::from(step.tool) == *at);
            tool.failures < tool.calls || steps.any(|step| step.failure != unknown)
        });
        known.map(|(_, tool)| &*tool.name)
    }

    /// The experts in the order in which they took turns, each change of hands once.
    pub fn expert_sequence(&self) -> Vec<Expert> {
        let mut sequence: Vec<Expert> = self.steps.iter().filter_map(|step| step.expert).collect();
        sequence.dedup();
        sequence
    }
}

fn failure_of(step: &Step) -> Option<Failed> {
    match &step.outcome {
        None => Some(Failed::NoOutcome),
        Some(outcome) => outcome.failure.as_ref().map(|failure| Failed::Class(failure.class)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::environment::{ToolCall, ToolFailure};
    use crate::run::{AgentRef, Manifest, StepOutcome, TaskRef, Turn, pictures};

    fn step(number: u32, name: &str, expert: &str, failure: Option<FailureClass>) -> Step {
        let failure = failure.map(|class| ToolFailure { class, message: String::new() });
        let arguments = json!({ "expert": expert });
        Step {
            number,
            turn: number,
            call: Some(ToolCall { id: String::new(), name: name.to_owned(), arguments }),
            category: ToolCategory::Creation,
            outcome: Some(StepOutcome {
                text: String::new(),
                structured: None,
                image: None,
                failure,
                latency_ms: 0.0,
            }),
        }
    }

    /// A run of these steps, all in one turn.
    fn recorded(steps: Vec<Step>) -> Run {
        let task = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { kind: "k".to_owned(), name: "n".to_owned(), version: None };
        Run {
            manifest: Manifest::new(task, agent, "2026-01-01T00:00:00Z"),
            origin: RunOrigin::Recorded { dir: PathBuf::new() },
            turns: vec![Turn {
                number: 1,
                thought: String::new(),
                first_step: 0,
                step_count: steps.len(),
                usage: None,
                seconds: None,
                observation: None,
            }]
            .into(),
            steps: steps.into(),
            notes: Vec::new(),
            torn: None,
            plan: None,
        }
    }

    fn died() -> Step {
        Step { outcome: None, ..step(4, "b", "Layout Designer", None) }
    }

    #[test]
    fn a_digest_and_its_run_agree_on_whether_no_call_did_anything() {
        let well = step(1, "a", "Photo Editor", None);
        let failed = step(2, "a", "Photo Editor", Some(FailureClass::UnknownNode));
        let runs = [
            (recorded(Vec::new()), Some(true)),
            (recorded(vec![failed.clone(), died()]), Some(true)),
            (recorded(vec![failed, well]), Some(false)),
            (pictures::anonymous(0), Some(true)),
            (pictures::anonymous(2), None),
        ];
        for (at, (run, is_idle)) in runs.into_iter().enumerate() {
            assert_eq!(run.is_idle(), is_idle, "{at}");
            assert_eq!(RunDigest::of(&run).is_idle(), is_idle == Some(true), "{at}");
        }
    }

    #[test]
    fn names_of_tools_are_kept_once_however_many_runs_call_them() {
        let digest = |name: &str| {
            let mut digest = RunDigest::of(&recorded(vec![step(1, name, "Photo Editor", None)]));
            digest.tools[0].calls = 7;
            digest
        };
        let mut names = ToolNames::default();
        let (mut first, mut second) = (digest("draw"), digest("draw"));
        assert!(!Arc::ptr_eq(&first.tools[0].name, &second.tools[0].name));
        let before = second.clone();
        for digest in [&mut first, &mut second] {
            names.share(digest);
        }
        assert!(Arc::ptr_eq(&first.tools[0].name, &second.tools[0].name));
        assert_eq!(second, before, "nothing else is another");
        // Who makes up names has them for oneself at some time, and they are right all the same.
        for at in 0..2 * ToolNames::MOST {
            let mut odd = digest(&format!("odd{at}"));
            names.share(&mut odd);
            assert_eq!(&*odd.tools[0].name, format!("odd{at}"));
        }
        assert_eq!(names.0.len(), ToolNames::MOST);
    }

    #[test]
    fn calls_failures_and_experts_are_kept_in_their_order() {
        let run = recorded(vec![
            step(1, "b", "Photo Editor", None),
            step(2, "a", "Photo Editor", Some(FailureClass::UnknownNode)),
            step(3, "c", "nobody", Some(FailureClass::UnknownTool)),
            died(),
        ]);
        let digest = RunDigest::of(&run);
        let tools: Vec<(&str, u32, u32)> =
            digest.tools.iter().map(|tool| (&*tool.name, tool.calls, tool.failures)).collect();
        assert_eq!(tools, [("b", 2, 1), ("a", 1, 1), ("c", 1, 1)]);
        assert_eq!((digest.failures(), digest.tool_diversity()), (3, Some(2)));
        let words: Vec<&str> =
            digest.steps.iter().filter_map(|step| step.failure.map(Failed::word)).collect();
        assert_eq!(words, ["unknown_node", "unknown_tool", "no_outcome"]);
        assert_eq!(digest.expert_sequence(), [Expert::PhotoEditor, Expert::LayoutDesigner]);
        assert_eq!(digest.turn_ends, [4]);
        assert_eq!(digest.tool_precision(&["a".to_owned()]), Score::Value(0.5));
    }
}

//! Lines of published files of plans.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::base::{parse_json, read_file_limited};
use crate::metric::constraint::{DesignType, Query};
use crate::task::{self, Task};

use crate::cli::plans::{self, PEOPLE};

/// Largest file of plans, in bytes.
const FILE_BYTES: u64 = 256 << 20;
/// The set that the released planners' plans are about.
const TEST_SET: &str = "graphicbench-test";
/// The set that comes with plans of people.
const TRAINING_SET: &str = "graphicbench-train";

/// A line of a file.
pub(super) struct PlanLine {
    /// Who planned.
    pub(super) model: String,
    /// The type of design, if the file's name or the line says one.
    pub(super) design: Option<DesignType>,
    /// Where it stands, such as `chatgpt/poster.jsonl:17`.
    pub(super) source: String,
    /// Of which set its query is.
    pub(super) set: &'static str,
    /// The plan as it stands.
    pub(super) plan: Map<String, Value>,
    /// The task that its own row says, where that is not made of the plan.
    task: Option<Task>,
}

/// The lines of a file, or the items of one that is a single JSON; what is no object of JSON is a plan that is
/// nothing but its text.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<PlanLine>> {
    let bytes = read_file_limited(path, FILE_BYTES)
        .with_context(|| format!("the plans in {} cannot be read", path.display()))?;
    let [folder, file] = [path.parent().and_then(Path::file_name), path.file_name()]
        .map(|name| name.unwrap_or_default().to_string_lossy());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let design = DesignType::named(&stem);
    let mut lines = Vec::new();
    for (number, plan) in plans_in(&bytes) {
        // The folder too: files of all models have the same names.
        let source = format!("{folder}/{file}:{number}");
        let model = folder.to_string();
        let line = PlanLine { model, design, source, set: TEST_SET, plan, task: None };
        lines.push(line.with_reference());
    }
    Ok(lines)
}

/// The plans with their numbers.
fn plans_in(bytes: &[u8]) -> Vec<(usize, Map<String, Value>)> {
    let lines = bytes.split(|byte| *byte == b'\n').zip(1_usize..);
    let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let lines: Vec<_> = lines.map(|(line, number)| (number, line, parse_json(line).ok())).collect();
    // Somebody may have put all into one list, or given each line several.
    if lines.iter().all(|(_, _, plan)| plan.is_none())
        && let Ok(whole) = parse_json::<Value>(bytes)
    {
        let items = if let Value::Array(items) = whole { items } else { vec![whole] };
        let plans = (1..).zip(items).map(|(number, item)| match item {
            Value::Object(plan) => (number, plan),
            other => (number, text_alone(other.to_string().as_bytes(), number)),
        });
        return plans.collect();
    }
    let plans = lines
        .into_iter()
        .map(|(number, line, plan)| (number, plan.unwrap_or_else(|| text_alone(line, number))));
    plans.collect()
}

fn text_alone(line: &[u8], number: usize) -> Map<String, Value> {
    let text = String::from_utf8_lossy(line).into_owned();
    let fields = [("id", json!(format!("line-{number}"))), ("final_workflow", json!(text))];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

impl PlanLine {
    /// A row of the training set has a plan that people made.
    fn with_reference(self) -> Self {
        // A line of a planner may hold the plan that people made beside its own, which counts.
        if self.is_plan() {
            return self;
        }
        let Some(plan) = task::reference_as_plan(&self.plan) else { return self };
        let design = plans::type_of(&plan).or(self.design);
        let task = Task::of_published_row(&Value::Object(self.plan));
        Self {
            model: PEOPLE.to_owned(),
            design,
            set: TRAINING_SET,
            plan,
            task,
            source: self.source,
        }
    }

    /// Whether it has any stage of a plan.
    pub(super) fn is_plan(&self) -> bool {
        plans::is_plan(&self.plan)
    }

    /// What stands under the first of two names that is there: the released files do not agree on them.
    fn either(&self, names: [&str; 2]) -> Option<&Value> {
        names.iter().find_map(|name| self.plan.get(*name))
    }

    /// The task that the plan is for, as the published queries name it.
    pub(super) fn task(&self) -> Task {
        if let Some(task) = &self.task {
            return task.clone();
        }
        let number = match self.either(["ID", "id"]) {
            Some(Value::String(id)) => id.trim().to_owned(),
            Some(id) => id.to_string(),
            None => "unnumbered".to_owned(),
        };
        // So that the run is an attempt at the task which `--tasks test.jsonl` has under this number.
        let in_test_set = self.design.and_then(|design| in_test_set(&number, design));
        let number = in_test_set.unwrap_or(number);
        let null = Value::Null;
        let components = self.either(["design_choices", "design_components"]).unwrap_or(&null);
        let key = self.design.map_or("design", DesignType::key);
        let (query, _) = Query::read(key, components, self.plan.get("images").unwrap_or(&null));
        let instruction = self.plan.get("user_query").and_then(Value::as_str).unwrap_or_default();
        // An id becomes the name of a folder, and a broken line may have a whole plan in this field.
        let id = format!("{key}-{}", number.chars().take(80).collect::<String>());
        Task::of_query(id, instruction.to_owned(), query)
    }
}

/// The number that a query has in `test.jsonl`, which counts all of them through: plans count each
/// type from 1. The types stand there one after the other.
fn in_test_set(number: &str, design: DesignType) -> Option<String> {
    let (before, count) = match design {
        DesignType::BookCover => (0, 260),
        DesignType::Poster => (260, 336),
        DesignType::Postcard => (596, 260),
        DesignType::BusinessCard => (856, 203),
    };
    let number: u32 = number.parse().ok().filter(|number| (1..=count).contains(number))?;
    Some((before + number).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_lines_or_the_items_of_one_list() {
        let ids = |text: &str| -> Vec<(usize, Value)> {
            let plans = plans_in(text.as_bytes()).into_iter();
            plans.map(|(number, plan)| (number, plan["id"].clone())).collect()
        };
        let lines = ids("\u{feff}{\"id\": 1}\r\n\n{\"id\": 2\n{\"id\": 3}");
        assert_eq!(lines, [(1, json!(1)), (3, json!("line-3")), (4, json!(3))]);
        for list in ["[{\"id\": 1}, 7]", "[\n {\n  \"id\": 1\n },\n 7\n]"] {
            assert_eq!(ids(list), [(1, json!(1)), (2, json!("line-2"))], "{list}");
        }
        assert_eq!(ids("{\n\"id\": 1\n}"), [(1, json!(1))]);
    }
}

//! One published query as a task.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::environment::EnvironmentKind;
use crate::environment::suite::GivenPicture;
use crate::metric::constraint::{DesignType, Query};
use crate::metric::plan::Stage;

use crate::run::Run;
use crate::task::literal::{Repair, read_literal};
use crate::task::model::{DesignBrief, Task, TaskKind, actions_of};

/// The design components of a row, by either of their names.
pub(super) fn components_of(row: &Value) -> Option<&Value> {
    row.get("design_components").or_else(|| row.get("design_choices"))
}

/// The type of design of a row, as it stands; empty if it names none.
fn design_of(row: &Value) -> &str {
    let named = row.get("type").or_else(|| row.get("design"));
    named.and_then(Value::as_str).unwrap_or_default()
}

impl Task {
    /// The task of a design query: make it in the suite, with the pictures it hands out.
    pub fn of_query(id: String, instruction: String, query: Query) -> Self {
        of_query(id, instruction, query, None)
    }

    /// The task of a published row of GraphicBench, such as a line of `train.jsonl`; `None` if it has
    /// no user query.
    pub fn of_published_row(row: &Value) -> Option<Self> {
        task(row).map(|(task, _)| task)
    }

    /// The task of a run as the run itself has it, for one whose task set is not at hand: the query in
    /// the plan it carried out. `None` if it has no plan, or the plan no query.
    pub fn of_plan(run: &Run) -> Option<Self> {
        let plan = &run.plan.as_ref()?.row;
        if !plan.design.is_object() {
            return None;
        }
        let id = run.manifest.task.id.clone();
        let design = id.split('-').next().unwrap_or_default();
        let (query, _) = Query::read(design, &plan.design, &plan.images);
        Some(Self::of_query(id, plan.query.clone(), query))
    }
}

/// A row as a task, with what was odd about it; `None` if it has no user query.
pub(in crate::task) fn task(row: &Value) -> Option<(Task, Vec<String>)> {
    let instruction = row.get("user_query")?.as_str()?.to_owned();
    let mut odd = Vec::new();
    let design = design_of(row);
    let query = if let Some(components) = components_of(row) {
        let components = literal(components, "design components", &mut odd);
        let (query, more) = Query::read(design, &components, &row["images"]);
        odd.extend(more);
        query
    } else {
        Query { design: DesignType::named(design), ..Query::default() }
    };
    let reference_plan = row.get("reference_plan").filter(|plan| !plan.is_null());
    let reference_plan = reference_plan.map(|plan| reference_plan_of(plan, &mut odd));
    let id = id_of(row, query.design, &mut odd);
    // The rows of the training set list no pictures; where they are listed, the plan adds none.
    let named = reference_plan.as_ref().filter(|_| query.images.is_empty());
    let named = named.map(pictures_of).unwrap_or_default();
    let mut task = Task {
        reference_tools: actions_of(reference_plan.as_ref()),
        ..of_query(id, instruction, query, reference_plan)
    };
    task.given.extend(named);
    Some((task, odd))
}

/// The task of a query: design it in the suite.
pub(in crate::task) fn of_query(
    id: String,
    instruction: String,
    query: Query,
    reference_plan: Option<Stage>,
) -> Task {
    Task {
        environment: EnvironmentKind::Suite,
        canvas_size: query.page_size(),
        category: query.design.map(|design| design.words().to_owned()),
        given: handed_out(&query),
        brief: Some(Arc::new(DesignBrief { query, questions: Vec::new() })),
        reference_plan,
        ..Task::new(id, TaskKind::Composition, instruction)
    }
}

/// The pictures that come with a query, which plans name by their visual or by their address. No file
/// comes with the data.
fn handed_out(query: &Query) -> Vec<GivenPicture> {
    let images = query.images.iter();
    images
        .map(|image| GivenPicture {
            name: image.name.clone(),
            aliases: vec![image.url.clone()],
            ..GivenPicture::default()
        })
        .collect()
}

/// The pictures that a reference plan imports and that none of its steps saves. The rows of the
/// training set list no pictures: what they come with is told by their plans alone.
fn pictures_of(plan: &Stage) -> Vec<GivenPicture> {
    let mut saved: BTreeSet<String> = BTreeSet::new();
    let mut pictures: Vec<GivenPicture> = Vec::new();
    for (_, step) in plan.steps() {
        let file = step.parameters.as_ref().and_then(|values| values.get("fileName")?.as_str());
        let Some(path) = file.map(Path::new) else { continue };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // A file that an earlier step saved is the team's own work in progress and not handed out.
        let is_known = stem.is_empty()
            || saved.contains(&stem)
            || pictures.iter().any(|known| known.name == stem);
        match step.action.as_deref() {
            Some("SaveDocument" | "ExportDocument") => drop(saved.insert(stem)),
            Some("ImportObject") if !is_known => {
                let aliases = vec![path.to_string_lossy().into_owned()];
                pictures.push(GivenPicture { name: stem, aliases, ..GivenPicture::default() });
            }
            _ => {}
        }
    }
    pictures
}

/// The type and the published number, such as `poster-261`.
fn id_of(row: &Value, design: Option<DesignType>, odd: &mut Vec<String>) -> String {
    let number = ["id", "ID"].iter().find_map(|key| row.get(*key));
    let number = match number {
        Some(Value::String(id)) if !id.trim().is_empty() => id.trim().to_owned(),
        Some(id @ Value::Number(_)) => id.to_string(),
        _ => {
            odd.push("it has no id".to_owned());
            "unnumbered".to_owned()
        }
    };
    // The id becomes part of a folder's name.
    let number: String = number.chars().take(80).collect();
    format!("{}-{number}", design.map_or("design", DesignType::key))
}

/// A value, or what a text holds that stands in its place.
fn literal<'a>(value: &'a Value, what: &str, odd: &mut Vec<String>) -> Cow<'a, Value> {
    let Value::String(text) = value else { return Cow::Borrowed(value) };
    match read_literal(text) {
        Ok(literal) => {
            odd.push(format!("its {what} are a text{}", repairs_of(&literal.repairs)));
            Cow::Owned(literal.value)
        }
        Err(error) => {
            odd.push(format!("its {what} are a text that cannot be read: {error}"));
            Cow::Owned(Value::Null)
        }
    }
}

/// What was mended, for people.
fn repairs_of(repairs: &[Repair]) -> String {
    let mut kinds: Vec<&str> = repairs.iter().map(|repair| repair.what).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() { String::new() } else { format!(", mended: {}", kinds.join(", ")) }
}

/// The plan; every published one is a text, so only what it does not hold is odd.
fn reference_plan_of(plan: &Value, odd: &mut Vec<String>) -> Stage {
    let Value::String(text) = plan else { return Stage::read(plan.clone()) };
    match read_literal(text) {
        Ok(literal) => {
            let stage = Stage::read(literal.value);
            if !stage.is_whole() {
                odd.push("its reference plan is not all steps".to_owned());
            }
            stage
        }
        Err(error) => {
            odd.push(format!("its reference plan cannot be read: {error}"));
            Stage::read(plan.clone())
        }
    }
}

/// A row that has a reference plan, in the shape of what planners write: the plan as the final
/// workflow, read if it can be, components that are a text read too, and the pictures that it names
/// where the row lists none. `None` without a plan.
pub fn reference_as_plan(row: &Map<String, Value>) -> Option<Map<String, Value>> {
    let plan = row.get("reference_plan").filter(|plan| !plan.is_null())?;
    let workflow = unquoted(plan).unwrap_or_else(|| plan.clone());
    let mut as_plan = row.clone();
    as_plan.remove("reference_plan");
    if !row.get("images").is_some_and(Value::is_array) {
        let pictures = pictures_of(&Stage::read(workflow.clone()));
        let images =
            pictures.iter().map(|it| json!({"content": it.name, "url": it.aliases.first()}));
        as_plan.insert("images".to_owned(), images.collect());
    }
    as_plan.insert("final_workflow".to_owned(), workflow);
    for key in ["design_components", "design_choices"] {
        // What cannot be read stays the text that it is: the executor names what is wrong with it.
        if let Some(components) = row.get(key).and_then(unquoted) {
            as_plan.insert(key.to_owned(), components);
        }
    }
    Some(as_plan)
}

/// A value, or what the text in its place says; `None` if that cannot be read.
fn unquoted(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => Some(read_literal(text).ok()?.value),
        other => Some(other.clone()),
    }
}

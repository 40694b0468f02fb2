//! Files of plans in the layouts their authors publish: `{model}/{type}.jsonl`, and rows of the training
//! set, each with the plan that people made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::base::{parse_json, read_file_limited};
use crate::metric::constraint::DesignType;
use crate::metric::plan::PlanRow;
use crate::run::Run;
use crate::task;

use super::output::note;

/// Largest file of plans, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// How many entries of a folder are looked at.
const MOST_ENTRIES: usize = 1000;
/// Folders below the one that is given: of models, and one around them.
const LEVELS_DOWN: usize = 2;

/// Who made the plans of the training set.
pub(super) const PEOPLE: &str = "reference";
/// A plan has at least one of these.
const STAGES: [&str; 4] =
    ["recruitment_status", "workflows", "combined_workflow", "final_workflow"];

/// The plans of one model for one type of design in a file.
#[derive(Clone, Debug)]
pub(super) struct PlanFile {
    /// Who planned: the name of its folder, or people.
    pub(super) model: String,
    /// The type of design, if the file's name or its rows say one.
    pub(super) design: Option<DesignType>,
    /// Where it lies.
    pub(super) path: PathBuf,
    /// The plans that can be read.
    pub(super) plans: Vec<PlanRow>,
    /// What is wrong with the other lines.
    pub(super) problems: Vec<String>,
}

impl PlanFile {
    /// Reads a file of plans: one of a model, and one for each type of which people made plans. What is
    /// wrong with lines is told of the first.
    pub(super) fn open(path: &Path) -> anyhow::Result<Vec<Self>> {
        let text = read_file_limited(path, LARGEST_FILE).map_err(anyhow::Error::from);
        let text = text
            .and_then(|bytes| Ok(String::from_utf8(bytes)?))
            .with_context(|| format!("the plans in {} cannot be read", path.display()))?;
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let design = DesignType::named(&name);
        let mut own = Self::empty(folder.to_string_lossy().into_owned(), design, path);
        let mut of_people: BTreeMap<Option<DesignType>, Self> = BTreeMap::new();
        // The same lines as `read_lines` reads: those that hold anything.
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        for (row, line) in PlanRow::read_lines(&text).into_iter().zip(lines) {
            match (row, reference(line)) {
                // Rows of the training set are of all types in one file, which their own names say.
                (Ok(_), Some((named, plan))) => {
                    let design = named.or(design);
                    of_people
                        .entry(design)
                        .or_insert_with(|| Self::empty(PEOPLE.to_owned(), design, path))
                        .plans
                        .push(plan);
                }
                (Ok(plan), None) => own.plans.push(plan),
                (Err(error), _) => own.problems.push(error.to_string()),
            }
        }
        // A file of plans of people alone has no model: its problems are told of the first of theirs.
        let mut files: Vec<Self> = of_people.into_values().collect();
        match files.first_mut() {
            Some(first) if own.plans.is_empty() => first.problems = own.problems,
            _ => files.insert(0, own),
        }
        Ok(files)
    }

    fn empty(model: String, design: Option<DesignType>, path: &Path) -> Self {
        Self { model, design, path: path.to_owned(), plans: Vec::new(), problems: Vec::new() }
    }

    /// Where it lies, and of which type it is where the file has several.
    pub(super) fn title(&self) -> String {
        let path = self.path.display();
        match self.design.filter(|_| self.model == PEOPLE) {
            Some(design) => format!("{path} ({})", design.key()),
            None => path.to_string(),
        }
    }

    /// Whether it is of the same model and type of design.
    pub(super) fn is_of_same(&self, other: &Self) -> bool {
        (&self.model, self.design) == (&other.model, other.design)
    }

    /// Says on stderr which lines are no plans.
    pub(super) fn note_problems(&self) {
        for problem in &self.problems {
            note(&format!("warning: {}: {problem}", self.path.display()));
        }
    }
}

/// The files at a path that are named as plans: it itself, in it, or in folders of models in it.
pub(super) fn files(path: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if path.is_file() {
        return vec![path.to_owned()];
    }
    collect(path, LEVELS_DOWN, &mut paths);
    paths.sort();
    paths
}

/// The files of plans at a path: it itself, in it, or in folders of models in it. Files whose name is
/// no type of design, and those without a plan, such as the questions, are none.
pub(super) fn find(path: &Path) -> anyhow::Result<Vec<PlanFile>> {
    let mut paths = Vec::new();
    collect(path, LEVELS_DOWN, &mut paths);
    paths.sort();
    let mut files = Vec::new();
    for path in &paths {
        files.extend(PlanFile::open(path)?);
    }
    // Questions lie in files of the same names; their rows are read as plans without any stage.
    files.retain(|file| file.plans.iter().any(is_planned));
    Ok(files)
}

/// The plans that runs carried out, a file for each model and type of design.
pub(super) fn of_runs<'a>(runs: impl Iterator<Item = (&'a Path, &'a Run)>) -> Vec<PlanFile> {
    let mut files: BTreeMap<(String, Option<DesignType>), PlanFile> = BTreeMap::new();
    for (dir, run) in runs {
        let Some(plan) = &run.plan else { continue };
        let model = run.manifest.agent.name.clone();
        let design = DesignType::of_task(&run.manifest.task.id);
        let file = files.entry((model.clone(), design));
        let file = file.or_insert_with(|| PlanFile::empty(model, design, dir));
        file.plans.push(plan.row.clone());
    }
    files.into_values().collect()
}

/// Whether a line has any stage of a plan.
pub(super) fn is_plan(line: &Map<String, Value>) -> bool {
    STAGES.iter().any(|stage| line.contains_key(*stage))
}

/// The type of design and the plan in a row of the training set, which people made.
fn reference(line: &str) -> Option<(Option<DesignType>, PlanRow)> {
    let row: Map<String, Value> = parse_json(line.as_bytes()).ok()?;
    let plan = task::reference_as_plan(&row).filter(|_| !is_plan(&row))?;
    Some((type_of(&plan), PlanRow::read(&plan)))
}

/// The type of design that a row says.
pub(super) fn type_of(row: &Map<String, Value>) -> Option<DesignType> {
    DesignType::named(row.get("type").and_then(Value::as_str).unwrap_or_default())
}

/// Whether a row has any stage of a plan.
fn is_planned(plan: &PlanRow) -> bool {
    !plan.recruits.is_empty() || !plan.workflows.is_empty() || !plan.final_workflow.raw.is_null()
}

fn collect(path: &Path, levels_down: usize, found: &mut Vec<PathBuf>) {
    if path.is_file() && (is_named_as_plans(path) || is_training_set(path)) {
        found.push(path.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    // Only as deep as published plans lie: what is named may be a folder of anything.
    for entry in entries.flatten().take(MOST_ENTRIES) {
        let path = entry.path();
        if path.is_dir() && levels_down > 0 {
            collect(&path, levels_down - 1, found);
        } else if is_named_as_plans(&path) && path.is_file() {
            found.push(path);
        }
    }
}

/// Whether it is the file of plans that people made; it counts where it is named, not in a folder, in
/// which it lies beside the queries of others.
fn is_training_set(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "train.jsonl")
}

fn is_named_as_plans(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
        && path.file_stem().is_some_and(|it| DesignType::named(&it.to_string_lossy()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_found_by_model_and_type_and_questions_are_none() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("plans/a/poster.jsonl", "{\"ID\": 1, \"final_workflow\": \"NOT RETRIEVED\"}\n[]\n"),
            ("plans/a/notes.jsonl", "{\"final_workflow\": []}\n"),
            ("questions/poster.jsonl", "{\"id\": 1, \"questions\": \"[]\"}\n"),
        ] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let found = find(dir.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].model.as_str(), found[0].design), ("a", Some(DesignType::Poster)));
        assert_eq!((found[0].plans.len(), found[0].problems.len()), (1, 1));
        assert!(find(&dir.path().join("nothing")).unwrap().is_empty());
    }

    #[test]
    fn plans_of_people_are_files_of_their_types() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.jsonl");
        let [poster, card] = ["poster", "business card"].map(|design| {
            format!(
                "{{\"id\": 1, \"type\": \"{design}\", \"reference_plan\": \"[{{'id': 1}}]\"}}\n"
            )
        });
        let text = [poster.as_str(), "not JSON\n", &card, &poster].concat();
        std::fs::write(&path, text).unwrap();
        let files = PlanFile::open(&path).unwrap();
        let told: Vec<_> =
            files.iter().map(|it| (it.model.as_str(), it.design, it.plans.len())).collect();
        let (poster, card) = (Some(DesignType::Poster), Some(DesignType::BusinessCard));
        assert!(
            told.contains(&(PEOPLE, poster, 2)) && told.contains(&(PEOPLE, card, 1)),
            "{told:?}"
        );
        assert_eq!((files.len(), files[0].problems.len()), (2, 1));
        assert_eq!(files[0].plans[0].final_workflow.steps().count(), 1);
        // Lines of planners stay what they are.
        std::fs::write(&path, "{\"final_workflow\": [], \"reference_plan\": \"[]\"}\n").unwrap();
        let files = PlanFile::open(&path).unwrap();
        assert_eq!((files.len(), files[0].model == PEOPLE), (1, false));
    }

    #[test]
    fn types_are_known_by_any_spelling() {
        for name in ["bookcover", "book cover", "Book-Cover"] {
            assert_eq!(DesignType::named(name), Some(DesignType::BookCover), "{name}");
        }
        assert_eq!(DesignType::named("flyer"), None);
    }
}

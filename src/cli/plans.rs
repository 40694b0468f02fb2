//! Files of plans in the layout their authors publish: `{model}/{type}.jsonl`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::base::read_file_limited;
use crate::metric::constraint::DesignType;
use crate::metric::plan::PlanRow;
use crate::run::Run;

use super::output::note;

/// Largest file of plans, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// How many entries of a folder are looked at.
const MOST_ENTRIES: usize = 1000;
/// Folders below the one that is given: of models, and one around them.
const LEVELS_DOWN: usize = 2;

/// A file of plans.
#[derive(Clone, Debug)]
pub(super) struct PlanFile {
    /// Who planned: the name of its folder.
    pub(super) model: String,
    /// The type of design, if its name says one.
    pub(super) design: Option<DesignType>,
    /// Where it lies.
    pub(super) path: PathBuf,
    /// The plans that can be read.
    pub(super) plans: Vec<PlanRow>,
    /// What is wrong with the other lines.
    pub(super) problems: Vec<String>,
}

impl PlanFile {
    /// Reads a file of plans.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("the plans in {} cannot be read", path.display());
        let bytes = read_file_limited(path, LARGEST_FILE).with_context(cannot)?;
        let text = String::from_utf8(bytes).with_context(cannot)?;
        let (mut plans, mut problems) = (Vec::new(), Vec::new());
        for row in PlanRow::read_lines(&text) {
            match row {
                Ok(plan) => plans.push(plan),
                Err(error) => problems.push(error.to_string()),
            }
        }
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self {
            model: folder.to_string_lossy().into_owned(),
            design: DesignType::named(&name),
            path: path.to_owned(),
            plans,
            problems,
        })
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
    let files = paths.iter().map(|path| PlanFile::open(path));
    let files: Vec<PlanFile> = files.collect::<anyhow::Result<_>>()?;
    Ok(files.into_iter().filter(|file| file.plans.iter().any(is_planned)).collect())
}

/// The plans that runs carried out, a file for each model and type of design.
pub(super) fn of_runs<'a>(runs: impl Iterator<Item = (&'a Path, &'a Run)>) -> Vec<PlanFile> {
    let mut files: BTreeMap<(String, Option<DesignType>), PlanFile> = BTreeMap::new();
    for (dir, run) in runs {
        let Some(plan) = &run.plan else { continue };
        let model = run.manifest.agent.name.clone();
        let design = DesignType::of_task(&run.manifest.task.id);
        let file = files.entry((model.clone(), design)).or_insert_with(|| PlanFile {
            model,
            design,
            path: dir.to_owned(),
            plans: Vec::new(),
            problems: Vec::new(),
        });
        file.plans.push(plan.row.clone());
    }
    files.into_values().collect()
}

/// Whether a row has any stage of a plan.
fn is_planned(plan: &PlanRow) -> bool {
    !plan.recruits.is_empty() || !plan.workflows.is_empty() || !plan.final_workflow.raw.is_null()
}

fn collect(path: &Path, levels_down: usize, found: &mut Vec<PathBuf>) {
    if is_named_as_plans(path) && path.is_file() {
        found.push(path.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    for entry in entries.flatten().take(MOST_ENTRIES) {
        let path = entry.path();
        if path.is_dir() && levels_down > 0 {
            collect(&path, levels_down - 1, found);
        } else if is_named_as_plans(&path) && path.is_file() {
            found.push(path);
        }
    }
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
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("plans/a/poster.jsonl", "{\"ID\": 1, \"final_workflow\": \"NOT RETRIEVED\"}\n[]\n");
        put("plans/a/notes.jsonl", "{\"final_workflow\": []}\n");
        put("questions/poster.jsonl", "{\"id\": 1, \"questions\": \"[]\"}\n");
        let found = find(dir.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].model.as_str(), found[0].design), ("a", Some(DesignType::Poster)));
        assert_eq!((found[0].plans.len(), found[0].problems.len()), (1, 1));
        assert!(find(&dir.path().join("nothing")).unwrap().is_empty());
    }

    #[test]
    fn types_are_known_by_any_spelling() {
        for name in ["bookcover", "book cover", "Book-Cover"] {
            assert_eq!(DesignType::named(name), Some(DesignType::BookCover), "{name}");
        }
        assert_eq!(DesignType::named("flyer"), None);
    }
}

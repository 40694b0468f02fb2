//! A labelling project as labels of attempts: what `report tables` and `metric ndec` count.
//!
//! Every item that is a run is an attempt. The questions that are called as a column of labels and answered with
//! yes or no are its cells, whatever form asks them: `success`, and those of the NDEC checklist. What nobody
//! answered, or is still to be settled, is an empty cell.

use std::iter::once;
use std::path::Path;

use anyhow::ensure;

use super::exchange::open;

use crate::cli::labels::{Label, column_of};
use crate::evaluate::figures::{Attempt, Preference, project_attempts, project_preferences};
use crate::label::{JudgedRun, judged_runs};
use crate::metric::checklist::{Checklist, ChecklistItem};

/// The column of success.
const SUCCESS: &str = "success";

/// What was said of attempts: in a table, or in a labelling project (`NAME.labels`).
pub(in crate::cli) fn read_labels(path: &Path) -> anyhow::Result<Vec<Label>> {
    if is_project(path) { attempts(path) } else { Ok(Label::read(path)?) }
}

/// What figures are made of: which models people preferred, of a labelling project alone, and what was said of
/// attempts.
pub(in crate::cli) fn said_for_figures(
    path: &Path,
) -> anyhow::Result<(Vec<Preference>, Vec<Attempt>)> {
    if is_project(path) {
        let file = open(path)?;
        let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
        let preferences = project_preferences(&forms, &items, &ledger);
        return Ok((preferences, project_attempts(&forms, &items, &ledger)));
    }
    let labels = Label::read(path)?.into_iter();
    let attempts = labels.map(|label| Attempt {
        design: label.design_measures(),
        model: label.model,
        mode: label.mode,
        difficulty: label.difficulty,
        seconds: label.seconds,
        success: label.success,
        ..Attempt::default()
    });
    Ok((Vec::new(), attempts.collect()))
}

/// Whether a file of labels is a labelling project, by its name.
pub(in crate::cli) fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("labels"))
}

fn attempts(path: &Path) -> anyhow::Result<Vec<Label>> {
    let file = open(path)?;
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    let checklist = ChecklistItem::ALL.map(column_of);
    let questions: Vec<&str> = once(SUCCESS).chain(checklist.iter().map(String::as_str)).collect();
    let judged = judged_runs(&forms, &items, &ledger, &questions).into_iter();
    let labels: Vec<Label> = judged.map(label_of).collect();
    ensure!(
        !labels.is_empty(),
        "the project asks neither success nor anything of the NDEC checklist about runs: {}",
        path.display()
    );
    Ok(labels)
}

fn label_of(judged: JudgedRun<'_>) -> Label {
    let JudgedRun { item, run, answers } = judged;
    let mut label = Label {
        model: run.model.clone(),
        task: item.task.as_ref().map(|task| format!("{}/{}", task.set, task.id)),
        difficulty: item.strata.get("difficulty").map(|it| it.to_lowercase()),
        success: answers.get(SUCCESS).copied(),
        ..Label::default()
    };
    // One of which nothing is answered: the attempt is counted, and no rate is of it.
    let checklist = label.checklist.insert(Checklist::default());
    for (cell, item) in checklist.0.iter_mut().zip(ChecklistItem::ALL) {
        *cell = answers.get(&column_of(item)).copied();
    }
    label
}

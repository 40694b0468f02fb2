//! A labelling project as labels of attempts: what `report tables` and `metric ndec` count.
//!
//! Every item that is a run is an attempt. The questions that are called as a column of labels and answered with
//! yes or no are its cells, whatever form asks them: `success`, and those of the NDEC checklist. What nobody
//! answered, or is still to be settled, is an empty cell.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::ensure;

use super::exchange::open;

use crate::cli::labels::{Label, column_of};
use crate::evaluate::figures::{Attempt, Preference, project_attempts, project_preferences};
use crate::label::form::QuestionKind;
use crate::label::{Form, Item, ItemId, counting_answers, final_answers};
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
    let mut labels: BTreeMap<&ItemId, Label> = BTreeMap::new();
    for form in forms.iter().filter(|form| asks_of_attempts(form)) {
        let runs = items.iter().filter(|item| item.counts());
        for item in runs {
            // A pair is no attempt of one model.
            if let [run] = item.runs.as_slice() {
                labels.entry(&item.id).or_insert_with(|| attempt(item, &run.model));
            }
        }
        for found in final_answers(form, &counting_answers(form, &items, &ledger), &ledger) {
            // Where people did not come to an answer there is no verdict on the attempt.
            let yes = match found.value.as_deref() {
                Some("yes") => true,
                Some("no") => false,
                _ => continue,
            };
            let Some(label) = labels.get_mut(&found.item) else { continue };
            let place = ChecklistItem::ALL.iter().position(|it| column_of(*it) == found.question);
            match place {
                Some(place) => label.checklist.get_or_insert_default().0[place] = Some(yes),
                None if found.question == SUCCESS => label.success = Some(yes),
                None => {}
            }
        }
    }
    ensure!(
        !labels.is_empty(),
        "the project asks neither success nor anything of the NDEC checklist about runs: {}",
        path.display()
    );
    Ok(labels.into_values().collect())
}

/// Whether any of its questions is a column of labels.
fn asks_of_attempts(form: &Form) -> bool {
    form.questions.iter().any(|question| {
        matches!(question.answer, QuestionKind::YesNo)
            && (question.id == SUCCESS
                || ChecklistItem::ALL.iter().any(|item| column_of(*item) == question.id))
    })
}

fn attempt(item: &Item, model: &str) -> Label {
    Label {
        model: model.to_owned(),
        task: item.task.as_ref().map(|task| format!("{}/{}", task.set, task.id)),
        difficulty: item.strata.get("difficulty").map(|it| it.to_lowercase()),
        // One of which nothing is answered: the attempt is counted, and no rate is of it.
        checklist: Some(Checklist::default()),
        ..Label::default()
    }
}

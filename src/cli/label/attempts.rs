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
use crate::evaluate::figures::Preference;
use crate::label::form::QuestionKind;
use crate::label::{Findings, Form, Item, ItemId, counting_answers, final_answers};
use crate::metric::checklist::{Checklist, ChecklistItem};
use crate::metric::stats::BootstrapPlan;

/// The column of success.
const SUCCESS: &str = "success";

/// What was said of attempts: in a table, or in a labelling project (`NAME.labels`).
pub(in crate::cli) fn read_labels(path: &Path) -> anyhow::Result<Vec<Label>> {
    if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("labels")) {
        attempts(path)
    } else {
        Ok(Label::read(path)?)
    }
}

/// Which models people preferred in a labelling project, by the first preference that was answered; none of a
/// file that is no project.
pub(in crate::cli) fn model_preferences(path: &Path) -> anyhow::Result<Vec<Preference>> {
    if path.extension().is_none_or(|it| !it.eq_ignore_ascii_case("labels")) {
        return Ok(Vec::new());
    }
    let file = open(path)?;
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    // Of the interval nothing is shown: it is drawn once.
    let plan = BootstrapPlan { resamples: 1, ..BootstrapPlan::default() };
    for form in &forms {
        let found = Findings::of(form, &items, &ledger, &plan, None);
        for (_, preferences) in found.preferences {
            let against = preferences.against.iter().filter_map(|((one, other), record)| {
                Some(Preference {
                    model: preferences.models.get(*one)?.clone(),
                    against: preferences.models.get(*other)?.clone(),
                    wins: record.wins,
                    ties: record.ties,
                    losses: record.losses,
                })
            });
            let against: Vec<Preference> = against.collect();
            // The first form that was answered, as the figure has room for one question.
            if against.iter().any(|it| it.wins + it.ties + it.losses > 0) {
                return Ok(against);
            }
        }
    }
    Ok(Vec::new())
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

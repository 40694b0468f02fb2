//! What the answers of a labelling project come to.

use std::collections::BTreeMap;

use crate::label::participants::Participants;
use crate::label::{FinalAnswer, Findings, Provenance};
use crate::metric::stats::BootstrapPlan;
use crate::workbench::{LabelsInput, ReviewFindings, ReviewRow, Topic};

/// Resamples of an interval: as `label report` has it.
const RESAMPLES: usize = 2_000;

/// Agreement, people and final answers of every form, and of every topic its items.
pub(super) fn find(input: &LabelsInput) -> ReviewFindings {
    let LabelsInput { labels, ledger } = input;
    let plan = BootstrapPlan { resamples: RESAMPLES, ..BootstrapPlan::default() };
    let forms: Vec<Findings> = labels
        .forms
        .iter()
        .map(|form| Findings::of(form, &labels.items, ledger, &plan, None))
        .collect();
    let topics = labels.topics();
    let places: BTreeMap<(usize, &str, Option<&str>), usize> =
        topics.iter().enumerate().map(|(at, topic)| (key_of(topic), at)).collect();
    let mut rows: Vec<Vec<ReviewRow>> = vec![Vec::new(); topics.len()];
    for (form, findings) in forms.iter().enumerate() {
        for found in &findings.finals {
            let key = (form, found.question.as_str(), found.option.as_deref());
            let row = labels.places.get(&found.item).map(|item| row_of(*item, found));
            let of_topic = places.get(&key).and_then(|at| rows.get_mut(*at));
            if let Some((of_topic, row)) = of_topic.zip(row) {
                of_topic.push(row);
            }
        }
    }
    for rows in &mut rows {
        // What is still to be settled first, and of that first where people differ most.
        rows.sort_by(|a, b| {
            let is_settled = [a, b].map(|row| row.provenance != Provenance::Unresolved);
            let equal = [a, b].map(|row| row.equal.unwrap_or(1.0));
            let by = is_settled[0].cmp(&is_settled[1]).then(equal[0].total_cmp(&equal[1]));
            by.then(a.item.cmp(&b.item))
        });
    }
    let survey = labels.survey.as_ref().map(|(_, form)| form);
    let of = (labels.forms.as_slice(), labels.items.as_slice());
    let participants = Participants::of(&labels.project, survey, of, ledger);
    ReviewFindings { forms, rows, participants }
}

fn key_of(topic: &Topic) -> (usize, &str, Option<&str>) {
    (topic.form, &topic.question, topic.option.as_deref())
}

fn row_of(item: usize, found: &FinalAnswer) -> ReviewRow {
    let mut votes: Vec<(String, usize)> =
        found.votes.iter().map(|(value, count)| (value.clone(), *count)).collect();
    votes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let all = pairs(votes.iter().map(|vote| vote.1).sum());
    let same: usize = votes.iter().map(|vote| pairs(vote.1)).sum();
    ReviewRow {
        item,
        votes,
        value: found.value.clone(),
        provenance: found.provenance,
        equal: (all > 0).then(|| same as f64 / all as f64),
    }
}

/// In how many pairs so many can be compared.
fn pairs(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

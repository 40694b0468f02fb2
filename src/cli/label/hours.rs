//! `label hours`: who worked how long on which day, as CSV.

use std::collections::BTreeMap;
use std::path::Path;

use super::exchange::open;
use super::participants::{participants, survey_cells, survey_columns};
use crate::base::defused;
use crate::cli::output::print;
use crate::label::Act;

/// What somebody did on a day.
#[derive(Default)]
struct Worked {
    answers: u64,
    /// Answers of which it was recorded how long they took.
    timed: u64,
    millis: u64,
    first: String,
    last: String,
}

/// A row a person and day (UTC): answers given, those answered anew and taken back too, as they took time; and
/// the hours that their items were on the screen.
pub(super) fn hours(project: &Path) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    let people = participants(&file, (&forms, &items), &ledger)?;
    let mut worked: BTreeMap<(String, String), Worked> = BTreeMap::new();
    for event in ledger.in_order() {
        let Act::Answered(answered) = &event.act else { continue };
        // What people say of themselves is no work.
        if event.item.is_study() {
            continue;
        }
        // As the machine's clock had it, which may be wrong, and be no time at all.
        let at: Option<jiff::Timestamp> = event.at.parse().ok();
        let day = at.map_or_else(|| "unknown".to_owned(), |at| at.strftime("%Y-%m-%d").to_string());
        let time = at.map_or_else(String::new, |at| at.strftime("%H:%M:%S").to_string());
        let of_day = worked.entry((event.person.clone(), day)).or_default();
        of_day.answers += 1;
        of_day.timed += u64::from(answered.millis.is_some());
        of_day.millis = of_day.millis.saturating_add(answered.millis.unwrap_or(0));
        if of_day.first.is_empty() || time < of_day.first {
            of_day.first.clone_from(&time);
        }
        if time > of_day.last {
            of_day.last = time;
        }
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = ["person", "day", "answers", "with_time", "hours", "first", "last"];
    let columns = columns.into_iter().map(str::to_owned);
    csv.write_record(columns.chain(survey_columns(&people)))?;
    for ((name, day), it) in &worked {
        // Without any time there are no hours, not 0 of them.
        let hours = it.millis as f64 / 3_600_000.0;
        let hours = if it.timed > 0 { format!("{hours:.4}") } else { String::new() };
        let counts = [it.answers.to_string(), it.timed.to_string(), hours];
        let row = [defused(name), day.clone()].into_iter().chain(counts);
        let row = row.chain([it.first.clone(), it.last.clone()]);
        csv.write_record(row.chain(survey_cells(&people, name)))?;
    }
    Ok(print(&String::from_utf8(csv.into_inner()?)?)?)
}

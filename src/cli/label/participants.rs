//! Who takes part, as columns of tables and as JSON.

use serde_json::{Value, json};

use crate::base::defused;
use crate::cli::table::{Column, Table, one_line};
use crate::label::participants::{Participants, survey_column};
use crate::label::{Form, Item, Ledger};
use crate::store::labels::LabelFile;

/// Everybody of a project's file.
pub(super) fn participants(
    file: &LabelFile,
    (forms, items): (&[Form], &[Item]),
    ledger: &Ledger,
) -> anyhow::Result<Participants> {
    let survey = file.pre_survey()?;
    Ok(Participants::of(file.project(), survey.as_ref(), (forms, items), ledger))
}

/// The columns that a table has of what people say of themselves.
pub(super) fn survey_columns(people: &Participants) -> Vec<String> {
    people.questions.iter().map(|question| survey_column(question)).collect()
}

/// Their cells.
pub(super) fn survey_cells(people: &Participants, person: &str) -> Vec<String> {
    people.survey_words(person).iter().map(|words| defused(words)).collect()
}

/// What somebody says of themselves; null where they say nothing.
pub(super) fn survey_json(people: &Participants, person: &str) -> Value {
    let found = people.all.iter().find(|it| it.person == person);
    json!(found.and_then(|it| it.survey.as_ref()).map(|answer| &answer.values))
}

/// A row a person.
pub(super) fn participants_json(people: &Participants) -> Vec<Value> {
    let rows = people.all.iter().map(|it| {
        let share = it.qualification.share();
        json!({
            "person": it.person, "agreed_at": it.consented_at, "withdrew_at": it.withdrawn_at,
            "qualification": share.map(|share| json!({
                "outcome": it.qualification.name(), "as_known": share.hits, "of": share.of,
            })),
            "about_person": it.survey.as_ref().map(|answer| &answer.values),
        })
    });
    rows.collect()
}

/// The same as a table; nothing where the project asks nothing of people.
pub(super) fn participants_text(people: &Participants) -> String {
    let (columns, rows) = people.table();
    if columns.is_empty() {
        return String::new();
    }
    let columns: Vec<Column<'_>> = columns.iter().map(|name| Column::left(name)).collect();
    let mut table = Table::new(&columns);
    for row in rows {
        table.push(row.iter().map(|cell| one_line(cell)).collect());
    }
    format!("Who takes part\n{}\n\n", table.to_text().trim_end())
}

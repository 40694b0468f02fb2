//! Who answers how, as a table and as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::cli::table::{Column, Table};
use crate::label::agreement::QuestionAlpha;
use crate::label::people::{PersonReport, Share};
use crate::metric::stats::StatsError;

/// α of each question without a person, by person.
type Without = BTreeMap<String, Vec<QuestionAlpha>>;

/// A row a person.
pub(super) fn people_json(people: &[PersonReport], without: &Without) -> Vec<Value> {
    let rows = people.iter().map(|person| {
        // Sides that were not recorded, as of a table, are counted and in no share.
        let left = person
            .left
            .as_ref()
            .map(|sides| json!({"share": share_json(sides.left), "unrecorded": sides.unrecorded}));
        let alphas = without.get(&person.person).into_iter().flatten().map(|it| {
            json!({"question": it.question, "option": it.option, "alpha": it.alpha.as_ref().ok(),
                "alpha_reason": it.alpha.as_ref().err().map(ToString::to_string)})
        });
        json!({
            "person": person.person, "items": person.items,
            "median_seconds": person.median_secs.as_ref().ok(),
            "fifth_percentile_seconds": person.fast_secs.as_ref().ok(),
            "too_fast": person.too_fast.map(share_json),
            "left": left,
            "known_failed": share_json(person.known_failed),
            "same_again": share_json(person.same_again),
            "with_majority": share_json(person.with_majority),
            "with_majority_halves": person.halves.map(share_json),
            "alpha_without": alphas.collect::<Vec<_>>(),
        })
    });
    rows.collect()
}

/// A share with its interval of 95 %.
pub(super) fn share_json(share: Share) -> Value {
    let interval = share.interval().ok();
    let mut found = Map::new();
    found.insert("hits".to_owned(), json!(share.hits));
    found.insert("of".to_owned(), json!(share.of));
    found.insert("share".to_owned(), json!(share.value()));
    found.insert("interval".to_owned(), json!(interval.map(|it| [it.low, it.high])));
    Value::Object(found)
}

/// A row a person; nothing where nobody answered.
pub(super) fn people_text(people: &[PersonReport], without: &Without) -> String {
    if people.is_empty() {
        return String::new();
    }
    let columns = [
        Column::left("person"),
        Column::right("items"),
        Column::right("median s"),
        Column::right("5 % s"),
        Column::right("too fast"),
        Column::left("left"),
        Column::right("known failed"),
        Column::right("same again"),
        Column::right("with majority"),
        Column::right("first half"),
        Column::right("second half"),
    ];
    let mut table = Table::new(&columns);
    for person in people {
        let [first, second] = person.halves;
        table.push(vec![
            person.person.clone(),
            person.items.to_string(),
            number(&person.median_secs, 1),
            number(&person.fast_secs, 1),
            person.too_fast.map_or_else(|| "–".to_owned(), counted),
            left(person),
            counted(person.known_failed),
            counted(person.same_again),
            percent(person.with_majority),
            percent(first),
            percent(second),
        ]);
    }
    format!("\n{}\n\n{}", table.to_text().trim_end(), without_text(without))
}

/// α of each question, a row, were each person left out, a column; nothing of fewer than three people.
fn without_text(without: &Without) -> String {
    let asked = without.values().next().filter(|_| without.len() > 2);
    let Some(asked) = asked.filter(|asked| !asked.is_empty()) else { return String::new() };
    let mut columns = vec![Column::left("alpha without")];
    columns.extend(without.keys().map(|person| Column::right(person)));
    let mut table = Table::new(&columns);
    for (at, question) in asked.iter().enumerate() {
        let mut row = vec![match &question.option {
            Some(option) => format!("{}: {option}", question.question),
            None => question.question.clone(),
        }];
        let alphas = without.values().filter_map(|of_person| of_person.get(at));
        row.extend(alphas.map(|it| number(&it.alpha, 3)));
        table.push(row);
    }
    format!("{}\n\n", table.to_text().trim_end())
}

fn number(value: &Result<f64, StatsError>, decimals: usize) -> String {
    value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.decimals$}"))
}

fn counted(share: Share) -> String {
    if share.of == 0 { "–".to_owned() } else { format!("{} of {}", share.hits, share.of) }
}

fn percent(share: Share) -> String {
    let value = share.value();
    value.map_or_else(|| "–".to_owned(), |it| format!("{:.0} % of {}", 100.0 * it, share.of))
}

fn left(person: &PersonReport) -> String {
    let Some(sides) = person.left else { return "–".to_owned() };
    match (sides.left.value(), sides.left.interval()) {
        (Some(share), Ok(interval)) => {
            let [share, low, high] = [share, interval.low, interval.high].map(|it| 100.0 * it);
            format!("{share:.0} % [{low:.0}, {high:.0}] of {}", sides.left.of)
        }
        _ if sides.unrecorded > 0 => "not recorded".to_owned(),
        _ => "–".to_owned(),
    }
}

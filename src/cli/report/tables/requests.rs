//! What providers of models were asked in runs, and what came of it: ours, and in none of the papers.

use std::collections::BTreeMap;

use crate::run::ProviderTotals;

use super::sources::Sources;
use super::table::{Cell, PaperTable};

const NOT_RECORDED: &str = "these runs are of before requests were counted, or were imported";

/// The requests of all runs of a model to each provider.
pub(super) fn requests(sources: &Sources) -> PaperTable {
    let title =
        "Requests of Pentimento (in none of the papers): what providers were asked, per model";
    let headings = [
        "Model",
        "Provider",
        "Runs",
        "Attempts",
        "Retries",
        "Answers",
        "Refusals",
        "Malformed Answers",
        "Malformed Calls",
        "Length Stops",
    ];
    let mut table = PaperTable::new("requests", title, &headings);
    table.heading_columns = 2;
    // By model alone: requests are sums, so runs that were made differently may share a row.
    let mut sums: BTreeMap<(&str, &str), (usize, ProviderTotals)> = BTreeMap::new();
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &sources.runs {
        let Some(providers) = &run.providers else {
            *unknown.entry(&run.model).or_default() += 1;
            continue;
        };
        for (provider, counts) in providers {
            let (runs, sum) = sums.entry((&run.model, provider)).or_default();
            *runs += 1;
            sum.add(counts);
        }
    }
    for ((model, provider), (runs, sum)) in sums {
        let counts = [
            sum.attempts,
            sum.retries,
            sum.answers,
            sum.refusals,
            sum.malformed_answers,
            sum.malformed_calls,
            sum.length_stops,
        ];
        let mut row = [model, provider].map(Cell::text).to_vec();
        row.push(Cell::text(runs.to_string()));
        row.extend(counts.map(|count| Cell::text(count.to_string())));
        table.rows.push(row);
    }
    // A row of its own rather than zeros: that nothing was asked would be wrong.
    for (model, runs) in unknown {
        let mut row = [model, "?"].map(Cell::text).to_vec();
        row.push(Cell::text(runs.to_string()));
        row.resize_with(headings.len(), || Cell::Missing(NOT_RECORDED.to_owned()));
        table.rows.push(row);
    }
    table.with_remark(
        "Sums over runs, every request counted, whether or not its answer was of use. Agents that ask no \
         model have no row.",
    )
}

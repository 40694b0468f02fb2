//! The table of the constraint check: ours, and in none of the papers.

use super::run_summary::ColumnScore;
use super::sources::Sources;
use super::suite::{self, Group};
use super::table::{Cell, PaperTable};
use crate::cli::score::mean_of;

/// The columns, as they are headed and as the scores of runs are.
const SHARES: [(&str, &str); 7] = [
    ("All", "Constraints"),
    ("Present", "Constraints · Present"),
    ("Colour", "Constraints · Colour"),
    ("Size", "Constraints · Size"),
    ("Position", "Constraints · Position"),
    ("On the page", "Constraints · On the page"),
    ("Contrast", "Constraints · Contrast"),
];

const NO_RUN: &str = "there is no run of it: name a folder with runs; pentimento import graphicbench \
                      makes them of plans";

/// How much of what the queries ask for is in the designs, per model and design type.
pub(super) fn constraints(sources: &Sources) -> PaperTable {
    let title = "Constraint check of Pentimento (a heuristic, in none of the papers): share of yes per \
                 model and design type";
    let mut table = PaperTable::new("constraints", title, &["Model", "Design Type", "n"]);
    table.heading_columns = 2;
    table.columns.extend(SHARES.iter().map(|(heading, _)| (*heading).to_owned()));
    let (rows, made) = suite::rows(sources);
    for row in &rows {
        // All types last, as a row of totals.
        let groups = row.by_type().chain([row.all()]);
        table.rows.extend(groups.map(|group| cells(&row.name, &group)));
    }
    table.with_remark(
        "Each component of a query against the design at the end of a run, by rules and without a \
         model: the mean over n runs of the share of yes among the questions that were answered. n \
         counts the runs of which any was; a run without an answer of a kind does not count in its \
         column.",
    )
    .with_remarks(made)
}

fn cells(name: &str, group: &Group<'_>) -> Vec<Cell> {
    let design = group.design.map_or("All", crate::metric::constraint::DesignType::title);
    let mut cells = vec![Cell::text(name), Cell::text(design)];
    // The first column is over all kinds of question: who has no share there was asked none.
    let all = SHARES.first().map(|(_, score)| group.scores(score)).unwrap_or_default();
    let count = all.iter().filter(|share| share.is_ok()).count();
    cells.push(Cell::text(count.to_string()));
    cells.extend(SHARES.iter().map(|(_, score)| share(&group.scores(score))));
    cells
}

/// The mean share of the runs that have one, or why the first has none.
fn share(shares: &[ColumnScore]) -> Cell {
    let values: Vec<f64> = shares.iter().filter_map(|share| share.as_ref().ok().copied()).collect();
    let mean = mean_of(&values).ok_or_else(|| {
        let why = shares.iter().find_map(|share| share.as_ref().err().cloned());
        why.unwrap_or_else(|| NO_RUN.to_owned())
    });
    Cell::of(mean.map(|mean| format!("{mean:.3}")))
}

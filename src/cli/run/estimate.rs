//! What a batch would cost: `--dry-run`.

use crate::agent::batch::{EXPECTED_TOKENS_A_TURN, Estimate, estimate as estimated};
use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::output::print;
use crate::cli::table::{CellAlignment, Column, Table};

use super::planned::PlannedRun;

/// Prints what each model would read, write and cost.
pub(super) fn estimate(runs: &[PlannedRun]) -> anyhow::Result<()> {
    let orders = runs.iter().map(|run| (&run.order, &*run.settings));
    let estimate = estimated(orders, &environments().opener(), &CancelToken::default())?;
    anyhow::ensure!(!estimate.models.is_empty(), "nothing to estimate: only models cost anything");
    Ok(print(&(table(&estimate).to_text() + &words(&estimate)))?)
}

fn words(estimate: &Estimate) -> String {
    format!(
        "\nexpected: {} turns a run of {EXPECTED_TOKENS_A_TURN} tokens each; at most: {} turns, every answer as \
         long as it may be.\nNothing was asked. Caching by the provider is not counted.\n",
        estimate.expected_turns, estimate.most_turns
    )
}

fn table(estimate: &Estimate) -> Table<'static> {
    let mut columns = vec![Column { heading: "model", side: CellAlignment::Left }];
    for heading in ["runs", "tokens read", "written", "expected cost", "at most"] {
        columns.push(Column { heading, side: CellAlignment::Right });
    }
    let mut table = Table::new(&columns);
    for model in &estimate.models {
        table.push(vec![
            model.label.clone(),
            model.runs.to_string(),
            model.expected.input.to_string(),
            model.expected.output.to_string(),
            cost(model.expected_usd),
            cost(model.most_usd),
        ]);
    }
    table
}

fn cost(usd: Option<f64>) -> String {
    usd.map_or_else(|| "no prices".to_owned(), |usd| format!("${usd:.2}"))
}

//! What came of a batch, as a table.

use std::sync::Arc;

use crate::agent::batch::{Contestant, Order};
use crate::cli::output::{runs, score_text};
use crate::cli::score::{mean_of, outcome_word};
use crate::cli::table::{Column, Side, Table};

use super::Done;
use super::order::name;

/// The orders with what came of them, and the mean of each agent.
pub(super) fn table(orders: &[Order], results: &[Option<anyhow::Result<Done>>]) -> String {
    let with_model = orders.iter().any(|order| order.contestant.model().is_some());
    let mut table = Table::new(&columns(with_model));
    for (order, result) in orders.iter().zip(results) {
        table.push(cells(order, result.as_ref(), with_model));
    }
    table.to_text() + "\n" + &means(orders, results)
}

fn columns(with_model: bool) -> Vec<Column<'static>> {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut columns = vec![left("task")];
    if with_model {
        columns.push(left("model"));
    }
    columns.extend([left("outcome"), right("turns"), right("calls"), right("failed")]);
    if with_model {
        columns.extend([right("tokens"), right("cost")]);
    }
    columns.push(right("SSIM"));
    columns
}

fn cells(order: &Order, result: Option<&anyhow::Result<Done>>, with_model: bool) -> Vec<String> {
    let mut cells = vec![name(order, false)];
    if with_model {
        cells.push(order.contestant.name().to_owned());
    }
    let Some(Ok(Done { manifest, score, .. })) = result else {
        let what = if result.is_some() { "not recorded" } else { "not begun" };
        cells.push(what.to_owned());
        return cells;
    };
    let totals = &manifest.totals;
    cells.push(outcome_word(&manifest.outcome).to_owned());
    cells.extend([totals.turns, totals.calls, totals.failures].map(|count| count.to_string()));
    if with_model {
        cells.push((totals.input_tokens + totals.output_tokens).to_string());
        cells.push(totals.cost_usd.map(|usd| format!("${usd:.4}")).unwrap_or_default());
    }
    cells.push(score.as_ref().map(score_text).unwrap_or_default());
    cells
}

/// The mean of each agent.
fn means(orders: &[Order], results: &[Option<anyhow::Result<Done>>]) -> String {
    let mut agents: Vec<&Arc<Contestant>> = Vec::new();
    for order in orders {
        if !agents.iter().any(|known| Arc::ptr_eq(known, &order.contestant)) {
            agents.push(&order.contestant);
        }
    }
    let mean = |agent: &Arc<Contestant>| {
        let theirs =
            orders.iter().zip(results).filter(|(order, _)| Arc::ptr_eq(&order.contestant, agent));
        let done = theirs.filter_map(|(_, result)| result.as_ref()?.as_ref().ok());
        let values: Vec<f64> = done.filter_map(|done| done.score.as_ref()?.value()).collect();
        let who = if agents.len() > 1 { format!("{}: ", agent.name()) } else { String::new() };
        mean_of(&values).map_or_else(
            || format!("{who}no run has an SSIM\n"),
            |mean| format!("{who}mean SSIM {mean:.4} over {}\n", runs(values.len())),
        )
    };
    agents.iter().map(|agent| mean(agent)).collect()
}

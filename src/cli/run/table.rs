//! What came of a batch, as a table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::batch::{AgentConfig, Order, Provenance};

use crate::cli::output::{runs, score_text};
use crate::cli::score::mean_of;
use crate::cli::table::{CellAlignment, Column, Table};
use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::run::{Manifest, ProviderTotals};

use super::planned::PlannedRun;

/// What came of an order.
pub(super) struct FinishedRun {
    pub(super) dir: PathBuf,
    pub(super) manifest: Manifest,
    /// By the primary metric of its task.
    pub(super) score: Option<Score>,
    pub(super) provenance: Provenance,
}

/// The orders with what came of them, and the mean of each agent.
pub(super) fn table(
    planned: &[PlannedRun],
    results: &[Option<anyhow::Result<FinishedRun>>],
) -> String {
    let with_model = planned.iter().any(|run| run.order.agent.model().is_some());
    let metrics = PrimaryMetric::of_tasks(planned.iter().map(|run| &*run.order.task));
    let mut table = Table::new(&columns(with_model, &metrics));
    for (PlannedRun { order, .. }, result) in planned.iter().zip(results) {
        let mut cells = cells(order, result.as_ref(), with_model);
        if let Some(Ok(done)) = result {
            let score = done.score.as_ref().map(score_text).unwrap_or_default();
            // One column a metric; a task has a score in that of its own.
            let own = PrimaryMetric::of_task(&order.task);
            cells.extend(
                metrics.iter().map(|one| if *one == own { score.clone() } else { String::new() }),
            );
        }
        table.push(cells);
    }
    table.to_text() + "\n" + &means(planned, results) + &asked(results)
}

/// What the providers of models were asked in all runs, if any was.
fn asked(results: &[Option<anyhow::Result<FinishedRun>>]) -> String {
    let mut sums: BTreeMap<&str, ProviderTotals> = BTreeMap::new();
    let done = results.iter().flatten().flatten();
    for (provider, counts) in
        done.filter_map(|done| done.manifest.totals.providers.as_ref()).flatten()
    {
        sums.entry(provider).or_default().add(counts);
    }
    let lines: Vec<String> =
        sums.iter().map(|(provider, counts)| format!("{provider}: {counts}\n")).collect();
    lines.concat()
}

fn columns(with_model: bool, metrics: &[PrimaryMetric]) -> Vec<Column<'static>> {
    let mut headings = vec![("task", CellAlignment::Left)];
    if with_model {
        headings.push(("model", CellAlignment::Left));
    }
    headings.push(("outcome", CellAlignment::Left));
    headings.extend(["turns", "calls", "failed"].map(|heading| (heading, CellAlignment::Right)));
    if with_model {
        headings.extend([("tokens", CellAlignment::Right), ("cost", CellAlignment::Right)]);
    }
    headings.extend(metrics.iter().map(|one| (one.heading(), CellAlignment::Right)));
    headings.into_iter().map(|(heading, side)| Column { heading, side }).collect()
}

fn cells(
    order: &Order,
    result: Option<&anyhow::Result<FinishedRun>>,
    with_model: bool,
) -> Vec<String> {
    let mut cells = vec![order.task_name()];
    if with_model {
        cells.push(order.agent.label().to_owned());
    }
    let Some(Ok(FinishedRun { manifest, .. })) = result else {
        let what = if result.is_some() { "not recorded" } else { "not begun" };
        cells.push(what.to_owned());
        return cells;
    };
    let totals = &manifest.totals;
    cells.push(manifest.outcome.word().to_owned());
    cells.extend([totals.turns, totals.calls, totals.failures].map(|count| count.to_string()));
    if with_model {
        cells.push((totals.input_tokens + totals.output_tokens).to_string());
        cells.push(totals.cost_usd.map(|usd| format!("${usd:.4}")).unwrap_or_default());
    }
    cells
}

/// The mean of each agent, by each primary metric.
fn means(planned: &[PlannedRun], results: &[Option<anyhow::Result<FinishedRun>>]) -> String {
    let agents = agents_of(planned);
    let metrics = PrimaryMetric::of_tasks(planned.iter().map(|run| &*run.order.task));
    let mut text = String::new();
    for agent in &agents {
        let who = if agents.len() > 1 { format!("{}: ", agent.label()) } else { String::new() };
        for by in &metrics {
            let what = by.heading();
            // A score by one metric says nothing beside one by another: each has a mean of its own.
            let theirs = planned.iter().zip(results).filter(|(PlannedRun { order, .. }, _)| {
                Arc::ptr_eq(&order.agent, agent) && PrimaryMetric::of_task(&order.task) == *by
            });
            let done = theirs.filter_map(|(_, result)| result.as_ref()?.as_ref().ok());
            let values: Vec<f64> = done.filter_map(|done| done.score.as_ref()?.value()).collect();
            text += &mean_of(&values).map_or_else(
                || format!("{who}no run has a score of {what}\n"),
                |mean| format!("{who}mean {what} {mean:.4} over {}\n", runs(values.len())),
            );
        }
    }
    text
}

/// Those who act, in their order.
pub(super) fn agents_of(planned: &[PlannedRun]) -> Vec<&Arc<AgentConfig>> {
    let mut agents: Vec<&Arc<AgentConfig>> = Vec::new();
    for PlannedRun { order, .. } in planned {
        if !agents.iter().any(|known| Arc::ptr_eq(known, &order.agent)) {
            agents.push(&order.agent);
        }
    }
    agents
}

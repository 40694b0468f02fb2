//! How things go together over runs, below the tables that CANVAS discusses them with.

use crate::environment::EnvironmentKind;
use crate::metric::behavior::{Pos, ToolAgreement};
use crate::metric::stats::{Correlation, StatsError, pearson, spearman};
use crate::task::TaskKind;

use super::canvas::{MODIFICATION, pos_of};
use super::run_summary::{Columns, RunSummary};

/// ρ of tool precision and of tool diversity with Pos@K, over all runs at modification tasks: CANVAS, *Modification
/// task requires precise selection of tools*.
pub(super) fn of_tools(columns: &Columns, runs: &[RunSummary]) -> Vec<String> {
    // By the scores that all of them have, as the table of Pos@K.
    let of_kind = runs.iter().filter(|run| {
        run.environment == EnvironmentKind::Canvas
            && run.kind.is_some_and(|kind| MODIFICATION.contains(&kind))
    });
    let runs: Vec<&RunSummary> = of_kind.collect();
    let counted: Vec<usize> =
        (0..columns.len()).filter(|at| runs.iter().any(|run| run.gain(*at).is_ok())).collect();
    let with_k = runs.iter().filter_map(|run| match pos_of(columns, &counted, run) {
        Ok(Pos::At(k)) => Some((*run, k as f64)),
        Ok(Pos::Failed) | Err(_) => None,
    });
    let with_k: Vec<(&RunSummary, f64)> = with_k.collect();
    let precision = with_k.iter().filter_map(|(run, k)| {
        let used = run.tools.as_ref()?.iter().map(String::as_str);
        let wanted = run.reference_tools.iter().map(String::as_str);
        Some((ToolAgreement::of(used, wanted).precision.value()?, *k))
    });
    let diversity =
        with_k.iter().filter_map(|(run, k)| Some((run.tools.as_ref()?.len() as f64, *k)));
    let of = counted.len();
    vec![
        told(
            "ρ",
            &format!("tool precision with Pos@K of {of} scores"),
            precision.collect(),
            spearman,
        ),
        told(
            "ρ",
            &format!("tool diversity with Pos@K of {of} scores"),
            diversity.collect(),
            spearman,
        ),
    ]
}

/// r of the nodes of the ground truth with SSIM and component similarity, over all runs of replication: CANVAS,
/// appendix, *Task difficulty effect*.
pub(super) fn of_nodes(columns: &Columns, runs: &[RunSummary]) -> Vec<String> {
    let remarks = ["SSIM", "Comp. Wise"].into_iter().filter_map(|name| {
        let at = columns.find(name)?;
        let of_kind = runs.iter().filter(|run| {
            run.environment == EnvironmentKind::Canvas && run.kind == Some(TaskKind::Replication)
        });
        let pairs = of_kind.filter_map(|run| Some((run.nodes? as f64, run.last(at).ok()?)));
        Some(told("r", &format!("node count with {name}"), pairs.collect(), pearson))
    });
    remarks.collect()
}

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatsError>;

fn told(symbol: &str, what: &str, pairs: Vec<(f64, f64)>, correlate: Correlate) -> String {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    match correlate(&a, &b) {
        Ok(found) => {
            let p = match found.p {
                Ok(p) if p < 0.01 => ", p < 0.01".to_owned(),
                Ok(p) => format!(", p = {p:.2}"),
                Err(why) => format!(", no p: {why}"),
            };
            format!("{symbol} of {what}: {:.3}{p}, {} runs.", found.value, a.len())
        }
        Err(why) => format!("{symbol} of {what} is not defined: {why}."),
    }
}

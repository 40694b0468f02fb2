//! How things go together over runs, below the tables that CANVAS discusses them with.

use crate::environment::EnvironmentKind;
use crate::metric::behavior::{Pos, ToolAgreement};
use crate::metric::stats::{Correlation, StatsError, pearson, spearman};
use crate::task::TaskKind;

use super::canvas::{CountedScores, MODIFICATION, pos_of};
use super::run_summary::{Columns, RunSummary};

/// ρ of tool precision and of tool diversity with Pos@K, over all runs at modification tasks: CANVAS, *Modification
/// task requires precise selection of tools*.
pub(super) fn of_tools(columns: &Columns, runs: &[RunSummary]) -> Vec<String> {
    let of_kind = runs.iter().filter(|run| {
        run.environment == EnvironmentKind::Canvas
            && run.kind.is_some_and(|kind| MODIFICATION.contains(&kind))
    });
    let runs: Vec<&RunSummary> = of_kind.collect();
    // By the scores that all of them have, as the table of Pos@K.
    let CountedScores { scored, counted, .. } = CountedScores::of(columns, &runs);
    let with_k = scored.into_iter().filter_map(|run| match pos_of(columns, &counted, run) {
        // Of no score every K would be 0.
        Ok(Pos::At(k)) if !counted.is_empty() => Some((run, k as f64)),
        Ok(Pos::At(_) | Pos::Failed) | Err(_) => None,
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
            runs.len(),
            precision.collect(),
            spearman,
        ),
        told(
            "ρ",
            &format!("tool diversity with Pos@K of {of} scores"),
            runs.len(),
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
        let of_kind: Vec<&RunSummary> = of_kind.collect();
        let pairs = of_kind.iter().filter_map(|run| Some((run.nodes? as f64, run.last(at).ok()?)));
        let what = format!("node count with {name}");
        Some(told("r", &what, of_kind.len(), pairs.collect(), pearson))
    });
    remarks.collect()
}

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatsError>;

/// The correlation of two numbers over those of so many runs that have both, in words.
fn told(
    symbol: &str,
    what: &str,
    runs: usize,
    pairs: Vec<(f64, f64)>,
    correlate: Correlate,
) -> String {
    let left_out = match runs.saturating_sub(pairs.len()) {
        0 => String::new(),
        left_out => format!("; {left_out} of {runs} runs lack one of the two and are left out"),
    };
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    match correlate(&a, &b) {
        Ok(found) => {
            let p = match found.p {
                Ok(p) if p < 0.01 => ", p < 0.01".to_owned(),
                Ok(p) => format!(", p = {p:.2}"),
                Err(why) => format!(", no p: {why}"),
            };
            format!("{symbol} of {what}: {:.3}{p}, {} runs{left_out}.", found.value, a.len())
        }
        Err(why) => format!("{symbol} of {what} is not defined: {why}{left_out}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Registry;

    /// A run that made so many of four scores better, and called as many tools that nobody wanted.
    fn run(better: usize) -> RunSummary {
        let ends = (0..4).map(|at| Ok(if at < better { 0.6 } else { 0.4 })).collect();
        let mut tools = vec!["set_fill_color".to_owned()];
        tools.extend((0..better).map(|at| format!("other_{at}")));
        RunSummary {
            model: "a".to_owned(),
            environment: EnvironmentKind::Canvas,
            kind: Some(TaskKind::AttributeUpdate),
            reference_tools: ["set_fill_color".to_owned()].into(),
            tools: Some(tools.into_iter().collect()),
            is_idle: Some(false),
            points: vec![vec![Ok(0.5); 4], ends],
            ..RunSummary::default()
        }
    }

    #[test]
    fn one_captioned_run_takes_no_other_out_of_the_correlation() {
        let columns = Columns::canvas(&Registry::built_in());
        let mut runs = [run(0), run(1), run(2), run(4)];
        for point in runs.iter_mut().take(3).flat_map(|run| &mut run.points) {
            point[3] = Err("no caption".to_owned());
        }
        let told = of_tools(&columns, &runs);
        assert!(
            told[0].starts_with("ρ of tool precision with Pos@K of 3 scores: -1.000"),
            "{told:?}"
        );
        assert!(
            told[1].starts_with("ρ of tool diversity with Pos@K of 3 scores: 1.000"),
            "{told:?}"
        );
        assert!(told.iter().all(|line| line.ends_with(", 4 runs.")), "{told:?}");
    }

    #[test]
    fn runs_without_one_of_the_two_numbers_are_counted() {
        let columns = Columns::canvas(&Registry::built_in());
        let mut unscored = run(3);
        unscored.points.iter_mut().for_each(|point| point.fill(Err("no picture".to_owned())));
        let failed = RunSummary { is_idle: Some(true), ..run(0) };
        let pictures = RunSummary { tools: None, ..run(1) };
        let runs = [run(0), run(1), run(2), run(4), unscored, failed, pictures];
        for line in of_tools(&columns, &runs) {
            let end = ", 4 runs; 3 of 7 runs lack one of the two and are left out.";
            assert!(line.contains("Pos@K of 4 scores") && line.ends_with(end), "{line}");
        }
        for line in of_tools(&columns, &runs[4..5]) {
            assert!(line.contains(" is not defined: "), "{line}");
            assert!(
                line.ends_with("; 1 of 1 runs lack one of the two and are left out."),
                "{line}"
            );
        }
    }
}

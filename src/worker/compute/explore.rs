//! What the table over all runs needs: what many runs called, and statistics.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::evaluate::RunDigest;
use crate::evaluate::figures::study_figure_with_marks;
use crate::evaluate::groups::TaskContent;
use crate::evaluate::studies::{CountedRuns, StudyOfRuns};
use crate::metric::stats::{
    BootstrapPlan, Correlation, DefinedInterval, StatsError, kendall_tau_b, pearson, resample,
    spearman,
};
use crate::run::reader;
use crate::study::{RESAMPLES as STUDY_RESAMPLES, StudyRecord};
use crate::task::TaskSet;
use crate::workbench::{
    Coefficient, Difference, DigestInput, Digests, ExploredStudy, ExploredStudyKey, Relation,
    Statistics, StatisticsKey, StatisticsOf, TaskContents,
};
use crate::worker::shared::job_border::JobError;

/// Resamples of an interval, of so many pairs at most; of more, fewer, so that the whole takes a second or two.
const RESAMPLES: usize = 2_000;
const LEAST_RESAMPLES: usize = 200;
const PAIRS_RESAMPLED: usize = 1_000_000;

/// Reads what a block of runs called. A run that cannot be read says why, and holds up no other.
pub(super) fn read_digests(runs: &DigestInput, cancel: &CancelToken) -> Result<Digests, JobError> {
    let mut digests = Digests::with_capacity(runs.len());
    for (run, dir) in runs {
        cancel.check()?;
        let digest = match reader::open(dir) {
            Ok(run) => Ok(Arc::new(RunDigest::of_folder(&run, dir))),
            Err(error) => Err(error.to_string().into()),
        };
        digests.push((*run, digest));
    }
    Ok(digests)
}

/// Reads what the tasks of a set ask. One that cannot be read has nothing, and holds up no other.
pub(super) fn read_contents(set: &TaskSet, cancel: &CancelToken) -> Result<TaskContents, JobError> {
    let mut contents = TaskContents::new();
    for task in &set.tasks {
        cancel.check()?;
        if let Ok(content) = TaskContent::of(task) {
            contents.insert(task.id.clone(), content);
        }
    }
    Ok(contents)
}

/// What a study comes to, of the runs that are shown.
pub(super) fn count_study(
    key: &ExploredStudyKey,
    cancel: &CancelToken,
) -> Result<ExploredStudy, JobError> {
    let record = StudyRecord::open(&key.dir).map_err(JobError::failed)?;
    cancel.check()?;
    // Questionnaires are no part of the figure.
    let runs = CountedRuns::These(&key.runs);
    let of = StudyOfRuns::of(record, runs, &[], key.counted, STUDY_RESAMPLES);
    let figure = study_figure_with_marks(&of.results);
    Ok(ExploredStudy { of, figure })
}

/// Makes the statistics of pairs.
pub(super) fn statistics(
    key: &StatisticsKey,
    cancel: &CancelToken,
) -> Result<Statistics, JobError> {
    let (first, second): (Vec<f64>, Vec<f64>) = key.pairs.iter().copied().unzip();
    // The more pairs, the fewer resamples: the time of all together stays the same.
    let resamples = (PAIRS_RESAMPLED / first.len().max(1)).clamp(LEAST_RESAMPLES, RESAMPLES);
    let plan = BootstrapPlan { resamples, ..BootstrapPlan::default() };
    Ok(match key.of {
        StatisticsOf::Relation => {
            // Between the three, so that a table that has changed meanwhile does not wait for the rest.
            cancel.check()?;
            let spearman = coefficient(spearman, &first, &second, &plan);
            cancel.check()?;
            let kendall = coefficient(kendall_tau_b, &first, &second, &plan);
            cancel.check()?;
            let pearson = coefficient(pearson, &first, &second, &plan);
            let runs = first.len();
            Statistics::Relation(Relation { runs, spearman, kendall, pearson, resamples })
        }
        StatisticsOf::Difference => Statistics::Difference(Difference::of(&first, &second, &plan)),
    })
}

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatsError>;

fn coefficient(
    correlate: Correlate,
    first: &[f64],
    second: &[f64],
    plan: &BootstrapPlan,
) -> Coefficient {
    let of_all = correlate(first, second);
    let interval = of_all.as_ref().map_err(Clone::clone).and_then(|_| {
        let resampled = resample(first.len(), plan, |places| {
            let [first, second] = [first, second].map(|values| {
                let drawn = places.iter().filter_map(|at| values.get(*at).copied());
                drawn.collect::<Vec<f64>>()
            });
            correlate(&first, &second).ok().map(|found| found.value)
        })?;
        // A resample may have drawn the same few pairs over and over, and then there is no coefficient.
        Ok(DefinedInterval::of(resampled, plan.confidence)?.interval)
    });
    Coefficient { of_all, interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::signed_rank_test;

    #[test]
    fn the_statistics_of_pairs_are_those_of_the_functions_they_are_made_by() {
        let pairs: Vec<(f64, f64)> = (0..60)
            .map(|at| (f64::from(at), f64::from(at * 7 % 31) + f64::from(at) / 2.0))
            .collect();
        let never = CancelToken::new();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let key = StatisticsKey::new(StatisticsOf::Relation, pairs);
        let Ok(Statistics::Relation(found)) = statistics(&key, &never) else {
            panic!("no relation")
        };
        assert_eq!(found.spearman.of_all, spearman(&a, &b));
        let (rho, interval) =
            (found.spearman.of_all.unwrap().value, found.spearman.interval.unwrap());
        assert!(interval.low < rho && rho < interval.high, "{interval:?}");
        assert_eq!((found.runs, found.resamples), (60, RESAMPLES));
        let key = StatisticsKey { of: StatisticsOf::Difference, ..key };
        let Ok(Statistics::Difference(found)) = statistics(&key, &never) else { panic!("none") };
        assert_eq!(found.signed_rank, signed_rank_test(&a, &b));
        assert_eq!(found.tasks, 60);
    }

    #[test]
    fn what_is_constant_has_no_correlation_and_says_so() {
        let key = StatisticsKey::new(StatisticsOf::Relation, vec![(1.0, 2.0); 5]);
        let Ok(Statistics::Relation(found)) = statistics(&key, &CancelToken::new()) else {
            panic!("no relation")
        };
        assert!(matches!(found.pearson.of_all, Err(StatsError::Constant { .. })));
        assert!(found.pearson.interval.is_err());
    }
}

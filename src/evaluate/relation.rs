//! How two columns of a table over runs go together: Spearman's, Kendall's and Pearson's correlation.

use crate::base::{CancelToken, Cancelled};
use crate::metric::stats::{
    BootstrapPlan, Correlation, DefinedInterval, PMethod, StatsError, kendall_tau_b, pearson,
    resample, spearman,
};

/// Resamples of an interval, of so many pairs at most; of more, fewer, so that the whole takes a second or two.
const RESAMPLES: usize = 2_000;
const LEAST_RESAMPLES: usize = 200;
const PAIRS_RESAMPLED: usize = 1_000_000;
/// Two dots always lie on a line, which says nothing.
const LEAST_RUNS: usize = 3;

/// How two columns go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// How many runs have both.
    pub runs: usize,
    /// Which of the two are the same in all of them.
    pub is_constant: [bool; 2],
    /// Spearman's ρ.
    pub spearman: Coefficient,
    /// Kendall's τ-b.
    pub kendall: Coefficient,
    /// Pearson's r.
    pub pearson: Coefficient,
    /// Resamples of each interval.
    pub resamples: usize,
}

/// A correlation and its percentile bootstrap interval, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    /// The coefficient with its p-value.
    pub of_all: Result<Correlation, StatsError>,
    /// From where to where it may be (95 %).
    pub interval: Result<DefinedInterval, StatsError>,
}

/// A coefficient of two variables.
type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatsError>;

/// How so many pairs are resampled.
pub(in crate::evaluate) fn resampling(pairs: usize) -> BootstrapPlan {
    // The more pairs, the fewer resamples: the time of all together stays the same.
    let resamples = (PAIRS_RESAMPLED / pairs.max(1)).clamp(LEAST_RESAMPLES, RESAMPLES);
    BootstrapPlan { resamples, ..BootstrapPlan::default() }
}

/// A p-value as papers print it.
pub fn p_words(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

impl Relation {
    /// Of the values in both columns of every run that has both.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] between two of the coefficients.
    pub fn of(pairs: &[(f64, f64)], cancel: &CancelToken) -> Result<Self, Cancelled> {
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let plan = resampling(pairs.len());
        // Between the three, so that a table that has changed meanwhile does not wait for the rest.
        cancel.check()?;
        let spearman = Coefficient::of(spearman, &first, &second, &plan);
        cancel.check()?;
        let kendall = Coefficient::of(kendall_tau_b, &first, &second, &plan);
        cancel.check()?;
        let pearson = Coefficient::of(pearson, &first, &second, &plan);
        let is_constant =
            [&first, &second].map(|values| values.windows(2).all(|it| it[0] == it[1]));
        let (runs, resamples) = (pairs.len(), plan.resamples);
        Ok(Self { runs, is_constant, spearman, kendall, pearson, resamples })
    }

    /// Why there is none of the three, in words; `names` are the columns'.
    pub fn gap(&self, names: [&str; 2]) -> Option<String> {
        let runs = match self.runs {
            1 => "1 run has".to_owned(),
            runs => format!("{runs} runs have"),
        };
        if self.runs < LEAST_RUNS {
            return Some(format!(
                "No correlation: {runs} both values, and at least {LEAST_RUNS} are needed"
            ));
        }
        let constant =
            names.into_iter().zip(self.is_constant).filter(|(_, is_constant)| *is_constant);
        let constant: Vec<&str> = constant.map(|(name, _)| name).collect();
        (!constant.is_empty()).then(|| {
            format!(
                "No correlation: all {} runs have the same {}",
                self.runs,
                constant.join(" and ")
            )
        })
    }

    /// All of it for people, a line each: the coefficients with p and interval, or why there is none, and of how many
    /// runs.
    pub fn lines(&self, names: [&str; 2]) -> Vec<String> {
        if let Some(why) = self.gap(names) {
            return vec![why + "."];
        }
        let coefficients = [
            ("Spearman's ρ", &self.spearman),
            ("Kendall's τ-b", &self.kendall),
            ("Pearson's r", &self.pearson),
        ];
        let lines = coefficients.map(|(name, coefficient)| coefficient.line(name));
        let (runs, resamples) = (self.runs, self.resamples);
        let made =
            format!("n = {runs}. Intervals: 95 %, percentiles of {resamples} resamples of runs.");
        lines.into_iter().chain([made]).collect()
    }
}

impl Coefficient {
    fn of(correlate: Correlate, first: &[f64], second: &[f64], plan: &BootstrapPlan) -> Self {
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
            DefinedInterval::of(resampled, plan.confidence)
        });
        Self { of_all, interval }
    }

    fn line(&self, name: &str) -> String {
        let found = match &self.of_all {
            Ok(found) => found,
            Err(why) => return format!("{name}: {why}."),
        };
        let interval = match &self.interval {
            Ok(it) if it.left_out > 0 => {
                let (low, high) = (it.interval.low, it.interval.high);
                format!("[{low:.3}, {high:.3}], {} resamples without one left out", it.left_out)
            }
            Ok(it) => format!("[{:.3}, {:.3}]", it.interval.low, it.interval.high),
            Err(why) => format!("no interval: {why}"),
        };
        let p = match &found.p {
            Ok(p) => format!("p {} ({})", p_words(*p), method_words(found.method)),
            Err(why) => format!("no p: {why}"),
        };
        format!("{name} {:.3}, {interval}, {p}.", found.value)
    }
}

fn method_words(method: PMethod) -> &'static str {
    match method {
        PMethod::StudentT => "Student's t",
        PMethod::Exact => "exact",
        PMethod::Asymptotic => "asymptotic",
        PMethod::Permutation => "by permutations",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(pairs: &[(f64, f64)]) -> Relation {
        Relation::of(pairs, &CancelToken::new()).unwrap()
    }

    #[test]
    fn the_coefficients_are_those_of_the_functions_they_are_made_by() {
        let pairs: Vec<(f64, f64)> = (0..60)
            .map(|at| (f64::from(at), f64::from(at * 7 % 31) + f64::from(at) / 2.0))
            .collect();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let found = relation(&pairs);
        assert_eq!(found.spearman.of_all, spearman(&a, &b));
        assert_eq!(found.kendall.of_all, kendall_tau_b(&a, &b));
        assert_eq!(found.pearson.of_all, pearson(&a, &b));
        let rho = found.spearman.of_all.as_ref().unwrap().value;
        let interval = found.spearman.interval.as_ref().unwrap().interval;
        assert!(interval.low < rho && rho < interval.high, "{interval:?}");
        assert_eq!((found.runs, found.resamples), (60, RESAMPLES));
        let lines = found.lines(["Calls", "SSIM"]);
        assert!(lines[0].starts_with(&format!("Spearman's ρ {rho:.3}, [")), "{lines:?}");
        assert!(lines[0].ends_with(" (Student's t)."), "{lines:?}");
        assert!(lines[1].starts_with("Kendall's τ-b ") && lines[2].starts_with("Pearson's r "));
        assert!(lines[3].starts_with("n = 60.") && lines[3].contains("2000"), "{lines:?}");
    }

    #[test]
    fn of_two_runs_and_of_a_column_that_never_varies_there_is_no_correlation() {
        let names = ["Calls", "SSIM"];
        let two = relation(&[(1.0, 2.0), (3.0, 4.0)]);
        let words = "No correlation: 2 runs have both values, and at least 3 are needed";
        assert_eq!(two.gap(names).as_deref(), Some(words));
        assert_eq!(relation(&[(1.0, 2.0)]).lines(names).len(), 1);
        let constant = relation(&[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]);
        let words = "No correlation: all 3 runs have the same SSIM";
        assert_eq!(constant.gap(names).as_deref(), Some(words));
        assert!(matches!(constant.pearson.of_all, Err(StatsError::Constant { .. })));
        assert!(constant.pearson.interval.is_err());
        let both = relation(&[(1.0, 2.0); 5]).gap(names).unwrap();
        assert!(both.ends_with("all 5 runs have the same Calls and SSIM"), "{both}");
    }

    #[test]
    fn resamples_without_a_coefficient_are_said_and_too_many_leave_no_interval() {
        // Of ten runs one alone has another value: it is missing in a third of the resamples.
        let pairs: Vec<(f64, f64)> =
            (0..10).map(|at| (f64::from(at), f64::from(u8::from(at == 4)))).collect();
        let found = relation(&pairs);
        assert!(found.pearson.of_all.is_ok() && found.pearson.interval.is_err());
        let line = &found.lines(["a", "b"])[2];
        assert!(line.contains("no interval: it has no value for "), "{line}");
        // Of a hundred runs four: some resamples have none of them.
        let pairs: Vec<(f64, f64)> =
            (0..100).map(|at| (f64::from(at), f64::from(u8::from(at % 25 == 0)))).collect();
        let line = &relation(&pairs).lines(["a", "b"])[2];
        assert!(line.contains("resamples without one left out"), "{line}");
    }

    #[test]
    fn ties_do_not_hide_a_perfect_order() {
        let pairs = [(1.0, 1.0), (1.0, 1.0), (2.0, 2.0), (2.0, 2.0), (3.0, 3.0)];
        let found = relation(&pairs);
        for coefficient in [&found.spearman, &found.kendall, &found.pearson] {
            let value = coefficient.of_all.as_ref().unwrap().value;
            assert!((value - 1.0).abs() < 1e-12, "{value}");
        }
    }
}

//! Time to success when not everybody gets there: Kaplan and Meier's curve and the time under it.
//!
//! A mean over successes alone is the better the more of the slow ones fail. Here who fails counts with all the
//! time they had: the restricted mean time to success is the area under the curve up to the limit.

use super::bootstrap::Draws;
use super::correlation::PMethod;
use super::distribution::chi_squared_above;
use super::error::StatsError;
use super::linear::Cholesky;

/// How long somebody tried, and whether it ended in success; else they were stopped, and would have gone on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeToSuccess {
    /// Seconds, at least 0.
    pub seconds: f64,
    /// Whether it ended in success.
    pub success: bool,
}

/// Kaplan and Meier's estimate of the share that is still at it.
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    /// The times at which somebody succeeded, rising, each with the share that had not by then.
    pub steps: Vec<(f64, f64)>,
    /// All attempts.
    pub attempts: usize,
    /// How many succeeded.
    pub successes: usize,
}

impl KaplanMeier {
    /// The curve of attempts.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] of none, [`StatsError::NotFinite`], [`StatsError::NegativeTime`].
    ///
    /// Source: Kaplan and Meier 1958; as statsmodels' `SurvfuncRight`.
    pub fn of(attempts: &[TimeToSuccess]) -> Result<Self, StatsError> {
        check(attempts)?;
        let mut sorted = attempts.to_vec();
        sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let (mut at_risk, mut share) = (sorted.len(), 1.0_f64);
        let mut steps = Vec::new();
        for together in sorted.chunk_by(|a, b| a.seconds == b.seconds) {
            let successes = together.iter().filter(|it| it.success).count();
            if successes > 0 {
                // Who is stopped at this very time was still at risk of succeeding.
                share *= 1.0 - successes as f64 / at_risk as f64;
                steps.push((together[0].seconds, share));
            }
            at_risk -= together.len();
        }
        let successes = attempts.iter().filter(|it| it.success).count();
        Ok(Self { steps, attempts: attempts.len(), successes })
    }

    /// The restricted mean time to success: the area under the curve from 0 to the limit, in seconds. Who never
    /// succeeds counts with the limit.
    pub fn restricted_mean(&self, limit_secs: f64) -> f64 {
        let (mut area, mut from, mut share) = (0.0, 0.0, 1.0);
        for (time, after) in self.steps.iter().filter(|(time, _)| *time < limit_secs) {
            area += share * (time - from);
            (from, share) = (*time, *after);
        }
        area + share * (limit_secs - from).max(0.0)
    }
}

fn check(attempts: &[TimeToSuccess]) -> Result<(), StatsError> {
    if attempts.is_empty() {
        return Err(StatsError::TooFew { what: "attempts", found: 0, needed: 1 });
    }
    for (at, attempt) in attempts.iter().enumerate() {
        if !attempt.seconds.is_finite() {
            return Err(StatsError::NotFinite { at });
        }
        if attempt.seconds < 0.0 {
            return Err(StatsError::NegativeTime { at });
        }
    }
    Ok(())
}

/// Somebody's attempt under a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PersonTime {
    /// Whose, from 0.
    pub person: usize,
    /// Under which condition, from 0.
    pub condition: usize,
    /// How long, and how it ended.
    pub time: TimeToSuccess,
}

/// The log-rank test.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRank {
    /// χ².
    pub chi_squared: f64,
    /// Conditions less one; those are not counted of which nobody was left when somebody first succeeded.
    pub degrees: usize,
    /// The p-value by exchanging the conditions of whole persons.
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The least p-value that exchanging so few persons could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// The p-value of χ², which takes all attempts for independent: of several by one person they are not.
    pub chi_squared_p: f64,
    /// Successes of each condition.
    pub observed: Vec<f64>,
    /// Successes that each would have if none were faster.
    pub expected: Vec<f64>,
}

/// Permutations that are drawn.
const PERMUTATIONS: usize = 1_999;

/// The log-rank test of conditions by permutation of persons: where everybody had one condition, persons exchange
/// theirs; where somebody had several, each exchanges their own. A person's attempts always stay together.
///
/// # Errors
///
/// As [`KaplanMeier::of`]; [`StatsError::TooFew`] of fewer than two conditions or persons,
/// [`StatsError::UnknownGroup`], [`StatsError::EmptyGroup`], [`StatsError::NoEvents`] where nobody succeeded.
///
/// Source: Mantel 1966; as statsmodels' `survdiff`, but for the p-value.
pub fn log_rank(
    attempts: &[PersonTime],
    persons: usize,
    conditions: usize,
    seed: u64,
) -> Result<LogRank, StatsError> {
    let mut sorted = checked(attempts, persons, conditions)?;
    sorted.sort_by(|a, b| a.time.seconds.total_cmp(&b.time.seconds));
    let labels: Vec<usize> = sorted.iter().map(|it| it.condition).collect();
    let whole = statistic(&sorted, &labels, conditions);
    let had = conditions_of(&sorted, persons, conditions);
    let is_between = had.iter().all(|mine| mine.len() <= 1);
    let enough = whole.chi_squared * (1.0 - 1e-9) - 1e-12;
    let mut hits = 0;
    for at in 0..PERMUTATIONS {
        let mut draws = Draws::new(seed, at as u64);
        let exchanged = exchange(&had, is_between, conditions, &mut draws);
        let labels: Vec<usize> =
            sorted.iter().map(|it| exchanged[it.person][it.condition]).collect();
        hits += usize::from(statistic(&sorted, &labels, conditions).chi_squared >= enough);
    }
    Ok(LogRank {
        chi_squared: whole.chi_squared,
        degrees: whole.degrees,
        p: (hits + 1) as f64 / (PERMUTATIONS + 1) as f64,
        method: PMethod::Permutation,
        least_p: least_p(&had, is_between, conditions),
        chi_squared_p: chi_squared_above(whole.chi_squared, whole.degrees),
        observed: whole.observed,
        expected: whole.expected,
    })
}

fn checked(
    attempts: &[PersonTime],
    persons: usize,
    conditions: usize,
) -> Result<Vec<PersonTime>, StatsError> {
    let times: Vec<TimeToSuccess> = attempts.iter().map(|it| it.time).collect();
    check(&times)?;
    for (what, found) in [("conditions", conditions), ("persons", persons)] {
        if found < 2 {
            return Err(StatsError::TooFew { what, found, needed: 2 });
        }
    }
    for (at, it) in attempts.iter().enumerate() {
        let named = [("person", it.person, persons), ("condition", it.condition, conditions)];
        if let Some((what, found, known)) = named.into_iter().find(|(_, it, known)| it >= known) {
            return Err(StatsError::UnknownGroup { at, what, found, known });
        }
    }
    for at in 0..conditions {
        if attempts.iter().all(|it| it.condition != at) {
            return Err(StatsError::EmptyGroup { at });
        }
    }
    if times.iter().all(|time| !time.success) {
        return Err(StatsError::NoEvents);
    }
    Ok(attempts.to_vec())
}

/// The conditions that each person had.
fn conditions_of(attempts: &[PersonTime], persons: usize, conditions: usize) -> Vec<Vec<usize>> {
    (0..persons)
        .map(|person| {
            let had = (0..conditions).filter(|condition| {
                attempts.iter().any(|it| it.person == person && it.condition == *condition)
            });
            had.collect()
        })
        .collect()
}

/// For each person, what each condition is called now.
fn exchange(
    had: &[Vec<usize>],
    is_between: bool,
    conditions: usize,
    draws: &mut Draws,
) -> Vec<Vec<usize>> {
    let same: Vec<usize> = (0..conditions).collect();
    if is_between {
        // Persons exchange their conditions among themselves.
        let taking_part: Vec<usize> =
            (0..had.len()).filter(|person| !had[*person].is_empty()).collect();
        let order = draws.shuffled(taking_part.len());
        let mut names = vec![same; had.len()];
        for (person, from) in taking_part.iter().zip(order) {
            let (mine, theirs) = (had[*person][0], had[taking_part[from]][0]);
            names[*person][mine] = theirs;
        }
        return names;
    }
    let each = had.iter().map(|mine| {
        let order = draws.shuffled(mine.len());
        let mut names = same.clone();
        for (condition, from) in mine.iter().zip(order) {
            names[*condition] = mine[from];
        }
        names
    });
    each.collect()
}

/// One over the number of ways to exchange: those that only rename the conditions are as uneven, and count with it.
fn least_p(had: &[Vec<usize>], is_between: bool, conditions: usize) -> f64 {
    let factorial = |n: usize| (1..=n).map(|at| at as f64).product::<f64>();
    let ways = if is_between {
        let sizes = (0..conditions).map(|at| had.iter().filter(|mine| mine.contains(&at)).count());
        let sizes: Vec<usize> = sizes.collect();
        // Groups of one size can exchange their names.
        let mut alike = sizes.clone();
        alike.sort_unstable();
        let names: f64 = alike.chunk_by(PartialEq::eq).map(|same| factorial(same.len())).product();
        let all = factorial(sizes.iter().sum());
        all / sizes.iter().map(|size| factorial(*size)).product::<f64>() / names
    } else {
        let each: f64 = had.iter().map(|mine| factorial(mine.len())).product();
        // Who lacks a condition cannot be given another in its place, so that nobody can exchange all names.
        let is_whole = had.iter().all(|mine| mine.is_empty() || mine.len() == conditions);
        if is_whole { each / factorial(conditions) } else { each }
    };
    // Of so many people that their number has no float, any p-value could have come.
    if ways.is_finite() { (1.0 / ways).min(1.0) } else { 0.0 }
}

struct Statistic {
    chi_squared: f64,
    degrees: usize,
    observed: Vec<f64>,
    expected: Vec<f64>,
}

/// The statistic of attempts in the order of their times, with these conditions.
fn statistic(sorted: &[PersonTime], labels: &[usize], conditions: usize) -> Statistic {
    let mut at_risk = vec![0.0_f64; conditions];
    for label in labels {
        at_risk[*label] += 1.0;
    }
    let mut observed = vec![0.0; conditions];
    let mut expected = vec![0.0; conditions];
    let mut covariance = vec![vec![0.0; conditions]; conditions];
    let mut from = 0;
    for together in sorted.chunk_by(|a, b| a.time.seconds == b.time.seconds) {
        let here = from..from + together.len();
        let mut died = vec![0.0; conditions];
        for (it, label) in together.iter().zip(&labels[here.clone()]) {
            died[*label] += f64::from(u8::from(it.time.success));
        }
        let (successes, all): (f64, f64) = (died.iter().sum(), at_risk.iter().sum());
        if successes > 0.0 {
            // Hypergeometric: so many of all at risk succeed, whoever they are.
            let spread = if all > 1.0 { successes * (all - successes) / (all - 1.0) } else { 0.0 };
            let shares: Vec<f64> = at_risk.iter().map(|count| count / all).collect();
            for (g, share) in shares.iter().enumerate() {
                observed[g] += died[g];
                expected[g] += successes * share;
                for (h, other) in shares.iter().enumerate() {
                    let same = f64::from(u8::from(g == h));
                    covariance[g][h] += spread * share * (same - other);
                }
            }
        }
        for label in &labels[here] {
            at_risk[*label] -= 1.0;
        }
        from += together.len();
    }
    // Nobody of some conditions may be left at the first success: these say nothing. Of the others the last one follows
    // from the rest.
    let mut told: Vec<usize> = (0..conditions).filter(|at| covariance[*at][*at] > 0.0).collect();
    told.pop();
    let apart: Vec<f64> = told.iter().map(|at| observed[*at] - expected[*at]).collect();
    let smaller: Vec<Vec<f64>> =
        told.iter().map(|g| told.iter().map(|h| covariance[*g][*h]).collect()).collect();
    // Without any spread, as of one success at the very end, nothing is apart.
    let chi_squared = Cholesky::of(&smaller)
        .map_or(0.0, |factor| factor.solve(&apart).iter().zip(&apart).map(|(x, y)| x * y).sum());
    Statistic { chi_squared, degrees: told.len().max(1), observed, expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(seconds: f64, success: bool) -> TimeToSuccess {
        TimeToSuccess { seconds, success }
    }

    #[test]
    fn who_is_stopped_leaves_the_curve_without_a_step() {
        let curve = KaplanMeier::of(&[
            took(2.0, true),
            took(3.0, false),
            took(4.0, true),
            took(6.0, false),
        ])
        .unwrap();
        assert_eq!(curve.steps, [(2.0, 0.75), (4.0, 0.375)]);
        assert_eq!((curve.attempts, curve.successes), (4, 2));
        // 2 · 1 + 2 · 0.75 + 6 · 0.375.
        assert!((curve.restricted_mean(10.0) - 5.75).abs() < 1e-12);
        assert!((curve.restricted_mean(1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_anybody_stopped_it_is_the_mean() {
        let times = [1.0, 2.0, 2.0, 5.0].map(|it| took(it, true));
        let mean = KaplanMeier::of(&times).unwrap().restricted_mean(10.0);
        assert!((mean - 2.5).abs() < 1e-12);
        let never = KaplanMeier::of(&[took(10.0, false); 3]).unwrap();
        assert_eq!(never.restricted_mean(10.0), 10.0);
    }

    fn attempts(is_within: bool, shift: f64) -> Vec<PersonTime> {
        (0..16)
            .flat_map(|person| {
                let both = if is_within { vec![0, 1] } else { vec![person % 2] };
                both.into_iter()
                    .flat_map(move |condition| (0..3).map(move |at| (person, condition, at)))
            })
            .map(|(person, condition, at)| {
                let at = person + at;
                let seconds = 10.0 + (at * 7 % 11) as f64 + shift * condition as f64;
                PersonTime { person, condition, time: took(seconds, at % 5 != 4) }
            })
            .collect()
    }

    #[test]
    fn a_difference_is_found_between_and_within_and_none_where_there_is_none() {
        for is_within in [false, true] {
            let apart = log_rank(&attempts(is_within, 12.0), 16, 2, 1).unwrap();
            assert!(apart.p < 0.01, "{is_within}: {apart:?}");
            assert!(
                (apart.observed.iter().sum::<f64>() - apart.expected.iter().sum::<f64>()).abs()
                    < 1e-9
            );
            let same = log_rank(&attempts(is_within, 0.0), 16, 2, 1).unwrap();
            assert!(same.p > 0.05, "{is_within}: {same:?}");
            assert!(same.least_p < 0.001);
            assert_eq!(same, log_rank(&attempts(is_within, 0.0), 16, 2, 1).unwrap());
        }
    }

    #[test]
    fn a_condition_that_nobody_was_left_of_at_the_first_success_hides_no_difference() {
        let times = [
            vec![took(2.0, true), took(4.0, true), took(6.0, false), took(8.0, true)],
            vec![took(3.0, true), took(5.0, true), took(7.0, true), took(9.0, false)],
            vec![took(1.0, false), took(1.5, false)],
        ];
        // The last one is left out whichever it is.
        for turned in 0..3 {
            let attempts = times.iter().enumerate().flat_map(|(condition, times)| {
                let condition = (condition + turned) % 3;
                times.iter().map(move |time| (condition, *time))
            });
            let attempts = attempts.enumerate();
            let attempts: Vec<PersonTime> = attempts
                .map(|(person, (condition, time))| PersonTime { person, condition, time })
                .collect();
            let test = log_rank(&attempts, 10, 3, 1).unwrap();
            // lifelines 0.30.3, multivariate_logrank_test; its p-value is that of the two conditions alone.
            assert!((test.chi_squared - 0.078_448_155_122).abs() < 1e-9, "{turned}: {test:?}");
            assert!((test.chi_squared_p - 0.779_411_542_210).abs() < 1e-9, "{turned}: {test:?}");
            assert_eq!(test.degrees, 1);
        }
    }

    #[test]
    fn whoever_lacks_a_condition_takes_no_way_to_exchange_from_the_others() {
        let both = (0..5).flat_map(|person| [0, 1].map(|condition| (person, condition)));
        let attempts = |pairs: Vec<(usize, usize)>| -> Vec<PersonTime> {
            let each = pairs.into_iter().map(|(person, condition)| PersonTime {
                person,
                condition,
                time: took((person + 7 * condition) as f64, true),
            });
            each.collect()
        };
        let whole = log_rank(&attempts(both.clone().collect()), 6, 2, 1).unwrap();
        assert!((whole.least_p - 2.0 / 32.0).abs() < 1e-12, "{whole:?}");
        let one_more = log_rank(&attempts(both.chain([(5, 0)]).collect()), 6, 2, 1).unwrap();
        assert!((one_more.least_p - 1.0 / 32.0).abs() < 1e-12, "{one_more:?}");
    }

    #[test]
    fn every_undefined_case_says_why() {
        let none = StatsError::TooFew { what: "attempts", found: 0, needed: 1 };
        assert_eq!(KaplanMeier::of(&[]), Err(none));
        let before = StatsError::NegativeTime { at: 0 };
        assert_eq!(KaplanMeier::of(&[took(-1.0, true)]), Err(before));
        let endless = StatsError::NotFinite { at: 0 };
        assert_eq!(KaplanMeier::of(&[took(f64::INFINITY, true)]), Err(endless));
        let one =
            |condition, success| PersonTime { person: 0, condition, time: took(1.0, success) };
        let all = [one(0, false), one(1, false)];
        assert_eq!(log_rank(&all, 2, 2, 0), Err(StatsError::NoEvents));
        assert_eq!(log_rank(&[one(0, true)], 2, 2, 0), Err(StatsError::EmptyGroup { at: 1 }));
        let found = StatsError::UnknownGroup { at: 0, what: "condition", found: 5, known: 2 };
        assert_eq!(log_rank(&[one(5, true)], 2, 2, 0), Err(found));
    }
}

//! How far several rankings of the same things agree.

use super::correlation::average_ranks;
use super::error::{StatsError, check_finite};

/// Kendall's coefficient of concordance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// W: 0 if the sums of ranks are all equal, 1 if every ranking is the same.
    pub w: f64,
    /// The mean of Spearman's ρ over every two rankings, where none has ties: 0 is what chance gives, whatever
    /// their number.
    pub mean_rho: f64,
    /// How many things were ranked.
    pub things: usize,
    /// How many rankings there are.
    pub rankings: usize,
}

/// Kendall's W of rankings of the same things, each with a place a thing, the best lowest. Equal places are ties
/// and get the mean of their ranks; W is corrected for them.
///
/// # Errors
///
/// [`StatsError::OneRater`] of fewer than two rankings, [`StatsError::TooFew`] of fewer than two things,
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::AllTied`] if every ranking ties all.
///
/// Source: Kendall and Babington Smith 1939; corrected for ties as in Siegel and Castellan 1988. W is Friedman's χ²
/// (`scipy.stats.friedmanchisquare`) divided by rankings × (things − 1).
pub fn kendall_w(rankings: &[Vec<f64>]) -> Result<Concordance, StatsError> {
    let [first, _, ..] = rankings else { return Err(StatsError::OneRater) };
    let things = first.len();
    if things < 2 {
        return Err(StatsError::TooFew { what: "things to rank", found: things, needed: 2 });
    }
    let mut sums = vec![0.0; things];
    let mut ties = 0.0;
    for ranking in rankings {
        if ranking.len() != things {
            return Err(StatsError::UnequalLengths { left: things, right: ranking.len() });
        }
        check_finite(ranking)?;
        let ranks = average_ranks(ranking);
        for (sum, rank) in sums.iter_mut().zip(&ranks) {
            *sum += rank;
        }
        ties += correction(ranks);
    }
    let (m, k) = (rankings.len() as f64, things as f64);
    // Ranks are half numbers, so that these sums are exact.
    let mean = m * (k + 1.0) / 2.0;
    let apart: f64 = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum();
    let most = m * m * (k * k * k - k) - m * ties;
    if most <= 0.0 {
        return Err(StatsError::AllTied);
    }
    let w = 12.0 * apart / most;
    // The mean of all pairs' correlations follows from W alone (Siegel and Castellan 1988).
    let mean_rho = (m * w - 1.0) / (m - 1.0);
    Ok(Concordance { w, mean_rho, things, rankings: rankings.len() })
}

/// The sum of t³ − t over groups of t tied ranks.
fn correction(mut ranks: Vec<f64>) -> f64 {
    ranks.sort_unstable_by(f64::total_cmp);
    let groups = ranks.chunk_by(PartialEq::eq);
    let each = groups.map(|group| {
        let tied = group.len() as f64;
        tied * tied * tied - tied
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::stats::spearman;

    fn w(rankings: &[&[f64]]) -> Result<f64, StatsError> {
        let rankings: Vec<Vec<f64>> = rankings.iter().map(|it| it.to_vec()).collect();
        kendall_w(&rankings).map(|found| found.w)
    }

    #[test]
    fn w_is_that_of_published_programs() {
        // χ² by scipy.stats.friedmanchisquare, divided by rankings × (things − 1).
        for (rankings, wanted) in REFERENCE {
            let found = w(rankings).unwrap();
            assert!((found - wanted).abs() < 1e-12, "{rankings:?}: {found}, {wanted}");
        }
    }

    #[test]
    fn w_is_1_of_equal_rankings_and_0_of_two_that_are_turned_around() {
        assert_eq!(w(&[&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]]), Ok(1.0));
        assert_eq!(w(&[&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]]), Ok(0.0));
        // By hand: the sums 4, 8, 6 of ranks are 2, 2 and 0 from their mean; 12 · 8 / (9 · 24).
        assert_eq!(w(&[&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], &[2.0, 3.0, 1.0]]), Ok(96.0 / 216.0));
    }

    #[test]
    fn what_is_undefined_says_why() {
        assert_eq!(w(&[]), Err(StatsError::OneRater));
        assert_eq!(w(&[&[1.0, 2.0]]), Err(StatsError::OneRater));
        let few = StatsError::TooFew { what: "things to rank", found: 1, needed: 2 };
        assert_eq!(w(&[&[1.0], &[1.0]]), Err(few));
        assert_eq!(w(&[&[1.0, 1.0], &[2.0, 2.0]]), Err(StatsError::AllTied));
        assert_eq!(
            w(&[&[1.0, 2.0], &[1.0]]),
            Err(StatsError::UnequalLengths { left: 2, right: 1 })
        );
        assert_eq!(w(&[&[1.0, f64::NAN], &[1.0, 2.0]]), Err(StatsError::NotFinite { at: 1 }));
    }

    proptest! {
        /// Without ties the mean of ρ over every two is what W comes to, and W is from 0 to 1.
        #[test]
        fn the_mean_correlation_is_that_of_the_slow_way(
            orders in prop::collection::vec(Just((0..5).map(f64::from).collect::<Vec<_>>()).prop_shuffle(), 2..6),
        ) {
            let found = kendall_w(&orders).unwrap();
            prop_assert!((0.0..=1.0).contains(&found.w));
            let mut rhos = Vec::new();
            for (at, one) in orders.iter().enumerate() {
                rhos.extend(orders[at + 1..].iter().map(|other| spearman(one, other).unwrap().value));
            }
            let mean = rhos.iter().sum::<f64>() / rhos.len() as f64;
            prop_assert!((found.mean_rho - mean).abs() < 1e-12, "{found:?} {mean}");
        }
    }

    /// By SciPy 1.17.1; the last two have ties.
    const REFERENCE: &[(&[&[f64]], f64)] = &[
        (&[&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], &[2.0, 3.0, 1.0]], 4.0 / 9.0),
        (
            &[
                &[1.0, 2.0, 3.0, 4.0, 5.0],
                &[2.0, 1.0, 3.0, 5.0, 4.0],
                &[1.0, 3.0, 2.0, 4.0, 5.0],
                &[5.0, 1.0, 2.0, 3.0, 4.0],
            ],
            0.5625,
        ),
        (&[&[1.0, 2.5, 2.5], &[1.0, 2.0, 3.0], &[2.0, 1.0, 3.0]], 0.636_363_636_363_636_4),
        (
            &[
                &[1.0, 1.0, 2.0, 3.0, 3.0],
                &[2.0, 1.0, 1.0, 4.0, 3.0],
                &[1.0, 2.0, 2.0, 2.0, 5.0],
                &[5.0, 4.0, 4.0, 1.0, 2.0],
            ],
            0.166_666_666_666_667_05,
        ),
    ];
}

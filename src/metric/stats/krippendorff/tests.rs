//! The coincidence matrix, literally, as the judge of sums over counts.

use proptest::prelude::*;

use super::*;
use crate::metric::stats::cohen::{Weighting, cohen_kappa};

const ALL: [Level; 4] = [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio];

/// Krippendorff 2011 as it is written: coincidences of all pairs, then distances of all values.
fn slow_alpha(rows: &[Vec<Option<f64>>], level: Level) -> f64 {
    let ratings = Ratings::from_numbers(rows);
    let Labels::Numbers(values) = ratings.labels() else { panic!("numbers were given") };
    let k = values.len();
    let mut coincidences = vec![vec![0.0; k]; k];
    for unit in ratings.rows().map(labels_of).filter(|unit| unit.len() > 1) {
        for (i, a) in unit.iter().enumerate() {
            for (j, b) in unit.iter().enumerate().filter(|(j, _)| *j != i) {
                assert_ne!(i, j);
                coincidences[*a as usize][*b as usize] += 1.0 / (unit.len() - 1) as f64;
            }
        }
    }
    let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let n: f64 = totals.iter().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for a in 0..k {
        for b in 0..k {
            let distance = slow_distance(level, a, b, values, &totals);
            observed += coincidences[a][b] * distance;
            expected += totals[a] * totals[b] * distance;
        }
    }
    1.0 - (n - 1.0) * observed / expected
}

fn slow_distance(level: Level, a: usize, b: usize, values: &[f64], totals: &[f64]) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    let apart = match level {
        _ if a == b => 0.0,
        Level::Nominal => 1.0,
        Level::Ordinal => {
            totals[low..=high].iter().sum::<f64>() - f64::midpoint(totals[low], totals[high])
        }
        Level::Interval => values[a] - values[b],
        Level::Ratio => (values[a] - values[b]) / (values[a] + values[b]),
    };
    apart * apart
}

fn tables() -> impl Strategy<Value = Vec<Vec<Option<f64>>>> {
    let cell = prop::option::weighted(0.8, (0_u8..6).prop_map(f64::from));
    (2_usize..5).prop_flat_map(move |raters| {
        prop::collection::vec(prop::collection::vec(cell.clone(), raters), 2..25)
    })
}

proptest! {
    #[test]
    fn sums_over_counts_give_what_the_coincidence_matrix_gives(rows in tables()) {
        for level in ALL {
            match krippendorff_alpha(&Ratings::from_numbers(&rows), level) {
                Ok(alpha) => {
                    let value = alpha.agreement.value;
                    prop_assert!((value - slow_alpha(&rows, level)).abs() < 1e-10, "{level:?}");
                    prop_assert!(value <= 1.0);
                }
                Err(error) => prop_assert!(
                    matches!(error, StatsError::NoOverlap | StatsError::Unanimous), "{error}"
                ),
            }
        }
    }

    #[test]
    fn raters_and_items_may_stand_in_any_order(rows in tables()) {
        let turned: Vec<Vec<Option<f64>>> =
            rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
        for level in ALL {
            let alpha = |rows| {
                krippendorff_alpha(&Ratings::from_numbers(rows), level).map(|a| a.agreement.value)
            };
            match (alpha(&rows), alpha(&turned)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-12),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn interval_alpha_does_not_mind_unit_and_origin(rows in tables()) {
        let other: Vec<Vec<Option<f64>>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.map(|value| 1e200 * (3.0 - value))).collect())
            .collect();
        let alpha = |rows| {
            krippendorff_alpha(&Ratings::from_numbers(rows), Level::Interval)
                .map(|alpha| alpha.agreement.value)
        };
        match (alpha(&rows), alpha(&other)) {
            (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-9),
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    /// With two raters and nothing missing, expected disagreement pools both raters' labels (Scott's
    /// π) and is taken without replacement; where both used labels equally often, π is κ.
    #[test]
    fn for_two_raters_with_equal_marginals_alpha_follows_from_kappa(
        labels in prop::collection::vec(0_u32..4, 2..30), turn in 0_usize..30,
    ) {
        let mut other = labels.clone();
        other.rotate_left(turn % labels.len());
        let pairs: Vec<(u32, u32)> = labels.iter().copied().zip(other).collect();
        let rows: Vec<_> = pairs
            .iter()
            .map(|&(a, b)| vec![Some(f64::from(a)), Some(f64::from(b))])
            .collect();
        let alpha = krippendorff_alpha(&Ratings::from_numbers(&rows), Level::Nominal);
        match (cohen_kappa(&pairs, Weighting::Plain), alpha) {
            (Ok(kappa), Ok(alpha)) => {
                let n = 2.0 * pairs.len() as f64;
                let expected = 1.0 - (1.0 - kappa.value) * (n - 1.0) / n;
                prop_assert!((alpha.agreement.value - expected).abs() < 1e-12);
            }
            (kappa, alpha) => prop_assert_eq!(kappa.map(|_| ()), alpha.map(|_| ())),
        }
    }
}

fn numbers_of(rows: &[&[f64]]) -> Ratings {
    let rows: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
    Ratings::from_numbers(&rows)
}

#[test]
fn full_agreement_is_exactly_one_at_every_level() {
    for level in ALL {
        let ratings = numbers_of(&[&[0.1; 3], &[0.7; 3], &[1e9; 3], &[0.0; 3]]);
        assert_eq!(krippendorff_alpha(&ratings, level).unwrap().agreement.value, 1.0);
    }
}

#[test]
fn every_undefined_case_says_why() {
    let alpha = |ratings: &Ratings, level| krippendorff_alpha(ratings, level).unwrap_err();
    for level in ALL {
        assert_eq!(alpha(&numbers_of(&[]), level), StatsError::OneRater);
        assert_eq!(alpha(&numbers_of(&[&[1.0], &[2.0]]), level), StatsError::OneRater);
        assert_eq!(alpha(&numbers_of(&[&[5.0; 2], &[5.0; 2]]), level), StatsError::Unanimous);
        let apart = [vec![Some(1.0), None], vec![None, Some(2.0)]];
        assert_eq!(alpha(&Ratings::from_numbers(&apart), level), StatsError::NoOverlap);
    }
    let negative = numbers_of(&[&[-1.0, 2.0], &[1.0, 1.0]]);
    assert_eq!(alpha(&negative, Level::Ratio), StatsError::NegativeRatio);
}

#[test]
fn words_have_a_nominal_alpha_only() {
    let words = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("yes")]];
    let words = Ratings::from_words(&words);
    assert!(krippendorff_alpha(&words, Level::Nominal).is_ok());
    for level in [Level::Ordinal, Level::Interval, Level::Ratio] {
        let error = krippendorff_alpha(&words, level).unwrap_err();
        assert_eq!(error, StatsError::WordLabels { example: "no".to_owned() });
    }
}

#[test]
fn too_many_ratios_are_refused_in_time() {
    let rows: Vec<_> = (0..20_000).map(|i| vec![Some(f64::from(i)), Some(f64::from(i))]).collect();
    let error = krippendorff_alpha(&Ratings::from_numbers(&rows), Level::Ratio).unwrap_err();
    assert!(matches!(error, StatsError::TooManyValues { distinct: 20_000, .. }), "{error}");
}

//! What must hold at a maximum, and where there is none.

use proptest::prelude::*;

use super::*;

fn data(columns: &[&[f64]], outcomes: &[u8]) -> LogisticData {
    let columns =
        columns.iter().enumerate().map(|(at, column)| (format!("x{at}"), column.to_vec()));
    LogisticData::new(columns, outcomes.iter().map(|outcome| *outcome == 1).collect()).unwrap()
}

fn error(columns: &[&[f64]], outcomes: &[u8], intercept: Intercept) -> StatsError {
    fit_logistic(&data(columns, outcomes), intercept).unwrap_err()
}

/// The maximum of a table of two by two has a closed form: odds and their ratio.
#[test]
fn a_table_of_two_by_two_has_its_odds() {
    let counts = [(0.0, 0, 30), (0.0, 1, 10), (1.0, 0, 5), (1.0, 1, 20)];
    let rows: Vec<(f64, u8)> =
        counts.iter().flat_map(|&(x, y, count)| vec![(x, y); count]).collect();
    let (x, y): (Vec<f64>, Vec<u8>) = rows.into_iter().unzip();
    let fit = fit_logistic(&data(&[&x], &y), Intercept::With).unwrap();
    let [constant, slope] = fit.terms.as_slice() else { panic!("two terms: {fit:?}") };
    assert!((constant.coefficient - (1.0_f64 / 3.0).ln()).abs() < 1e-12);
    assert!((slope.coefficient - 12.0_f64.ln()).abs() < 1e-12);
    let variance: f64 = [30.0, 10.0, 5.0, 20.0].iter().map(|count| 1.0 / count).sum();
    assert!((slope.standard_error - variance.sqrt()).abs() < 1e-12);
    assert_eq!((constant.name.as_str(), slope.name.as_str()), ("intercept", "x0"));
    assert_eq!(fit.accuracy, 50.0 / 65.0);
}

#[test]
fn separation_is_named() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let perfect = error(&[&x], &[0, 0, 0, 1, 1, 1], Intercept::With);
    assert_eq!(perfect, StatsError::PerfectSeparation);
    let touching = [1.0, 2.0, 3.0, 3.0, 4.0, 5.0];
    let quasi = error(&[&touching], &[0, 0, 0, 1, 1, 1], Intercept::With);
    assert_eq!(quasi, StatsError::QuasiSeparation);
    let signed = [-2.0, -1.0, 1.0, 2.0];
    let without = error(&[&signed], &[0, 0, 1, 1], Intercept::Without);
    assert_eq!(without, StatsError::PerfectSeparation);
}

#[test]
fn a_group_without_one_outcome_is_quasi_separated_beside_any_other_column() {
    let group = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let other = [0.3, 0.9, 0.1, 0.2, 0.8, 0.5, 0.4, 0.6, 0.7];
    let outcomes = [1, 1, 1, 0, 1, 0, 1, 0, 1];
    let quasi = error(&[&other, &group], &outcomes, Intercept::With);
    assert_eq!(quasi, StatsError::QuasiSeparation);
}

#[test]
fn one_wrong_observation_among_many_is_no_separation() {
    let x: Vec<f64> = (0..200).map(f64::from).collect();
    let mut outcomes: Vec<u8> = (0..200).map(|at| u8::from(at >= 100)).collect();
    outcomes[98] = 1;
    outcomes[99] = 0;
    outcomes[103] = 0;
    let fit = fit_logistic(&data(&[&x], &outcomes), Intercept::With).unwrap();
    assert!(fit.terms[1].coefficient > 0.5 && fit.accuracy > 0.97, "{fit:?}");
}

#[test]
fn columns_that_say_nothing_new_are_named() {
    let x = [1.0, 5.0, 2.0, 4.0, 3.0, 0.0];
    let twice = [2.0, 10.0, 4.0, 8.0, 6.0, 0.0];
    let outcomes = [0, 1, 1, 0, 1, 0];
    let named = |column: &str| StatsError::Collinear { column: column.to_owned() };
    for intercept in [Intercept::With, Intercept::Without] {
        assert_eq!(error(&[&x, &twice], &outcomes, intercept), named("x1"));
    }
    assert_eq!(error(&[&[7.0; 6]], &outcomes, Intercept::With), named("x0"));
    assert_eq!(error(&[&[0.0; 6]], &outcomes, Intercept::Without), named("x0"));
    assert!(fit_logistic(&data(&[&[7.0; 6]], &[1, 0, 0, 0, 1, 1]), Intercept::Without).is_ok());
    assert_eq!(data(&[&[7.0; 6]], &outcomes).standardised(), Err(named("x0")));
}

#[test]
fn too_little_to_fit_says_so() {
    let few = StatsError::TooFew { what: "observations", found: 1, needed: 2 };
    assert_eq!(error(&[&[1.0]], &[1], Intercept::With), few);
    assert_eq!(
        error(&[], &[1, 0], Intercept::With),
        StatsError::TooFew { what: "columns", found: 0, needed: 1 }
    );
    let ones = error(&[&[1.0, 2.0, 3.0]], &[1, 1, 1], Intercept::With);
    assert_eq!(ones, StatsError::OneOutcome { outcome: 1 });
    let nan = LogisticData::new([("x".to_owned(), vec![f64::NAN])], vec![true]);
    assert_eq!(nan, Err(StatsError::NotFinite { at: 0 }));
    let short = LogisticData::new([("x".to_owned(), vec![1.0])], vec![]);
    assert_eq!(short, Err(StatsError::UnequalLengths { left: 1, right: 0 }));
}

#[test]
fn halves_follow_from_the_seed() {
    let x: Vec<f64> = (0..101).map(|at| f64::from(at * 37 % 101)).collect();
    let outcomes: Vec<u8> = x.iter().map(|x| u8::from((x * 7.0) % 101.0 + x > 100.0)).collect();
    let data = data(&[&x], &outcomes);
    let split = |seed| split_accuracy(&data, Intercept::With, seed).unwrap();
    assert_eq!(split(1), split(1));
    assert_eq!((split(1).fitted, split(1).tested), (50, 51));
    assert!((0..5).any(|seed| split(seed).correct != split(9).correct));
    assert!(split(1).accuracy > 0.6, "{:?}", split(1));
}

proptest! {
    /// At the maximum, the residuals are at right angles to every column; and what units and origins
    /// the columns have changes neither likelihood nor z.
    #[test]
    fn fits_are_maxima_in_any_unit(
        rows in prop::collection::vec((-5_i8..6, -5_i8..6, 0_u8..2), 8..60),
        unit in prop::sample::select(vec![1e-9, 0.5, 1e6]),
        origin in prop::sample::select(vec![0.0, -3.0, 1e5]),
    ) {
        let a: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        let b: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let outcomes: Vec<u8> = rows.iter().map(|row| row.2).collect();
        let moved: Vec<f64> = a.iter().map(|a| unit * (a + origin)).collect();
        let plain = fit_logistic(&data(&[&a, &b], &outcomes), Intercept::With);
        let other = fit_logistic(&data(&[&moved, &b], &outcomes), Intercept::With);
        match (plain, other) {
            (Ok(plain), Ok(other)) => {
                let [constant, slope_a, slope_b] = plain.terms.as_slice() else { panic!() };
                let mut sums = [0.0; 3];
                for ((a, b), outcome) in a.iter().zip(&b).zip(&outcomes) {
                    let odds = constant.coefficient + slope_a.coefficient * a + slope_b.coefficient * b;
                    let residual = f64::from(*outcome) - 1.0 / (1.0 + (-odds).exp());
                    sums = [sums[0] + residual, sums[1] + residual * a, sums[2] + residual * b];
                }
                prop_assert!(sums.iter().all(|sum| sum.abs() < 1e-6), "{sums:?}");
                prop_assert!((plain.log_likelihood - other.log_likelihood).abs() < 1e-6);
                prop_assert!((plain.terms[2].z - other.terms[2].z).abs() < 1e-4);
                prop_assert!(plain.terms.iter().all(|term| (0.0..=1.0).contains(&term.p)));
                prop_assert!((0.0..=1.0).contains(&plain.accuracy) && plain.log_likelihood <= 0.0);
            }
            (plain, other) => prop_assert_eq!(plain.map(|_| ()), other.map(|_| ())),
        }
    }

    /// The definition, on a small grid of directions: if some line tells the outcomes apart, there is
    /// no fit; if there is a fit, none does.
    #[test]
    fn a_fit_exists_exactly_if_nothing_tells_the_outcomes_apart(
        rows in prop::collection::vec((-2_i8..3, -2_i8..3, 0_u8..2), 4..14),
    ) {
        let a: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        let b: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let outcomes: Vec<u8> = rows.iter().map(|row| row.2).collect();
        let fit = fit_logistic(&data(&[&a, &b], &outcomes), Intercept::Without);
        let (mut perfect, mut quasi) = (false, false);
        // Every direction that can border a region of lines on this grid, and those between them.
        for (x, y) in (-8..=8).flat_map(|x| (-8..=8).map(move |y| (x, y))) {
            let margins: Vec<i32> = rows
                .iter()
                .map(|&(a, b, outcome)| {
                    (x * i32::from(a) + y * i32::from(b)) * (2 * i32::from(outcome) - 1)
                })
                .collect();
            perfect |= margins.iter().all(|margin| *margin > 0);
            quasi |= margins.iter().all(|margin| *margin >= 0) && margins.iter().any(|m| *m > 0);
        }
        match fit {
            Ok(fit) => prop_assert!(!perfect && !quasi, "{fit:?}"),
            Err(StatsError::PerfectSeparation) => prop_assert!(perfect),
            Err(StatsError::QuasiSeparation) => prop_assert!(quasi && !perfect),
            Err(error) => prop_assert!(matches!(error, StatsError::Collinear { .. }), "{error}"),
        }
    }
}

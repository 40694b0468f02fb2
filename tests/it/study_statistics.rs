//! The statistics of studies against SciPy and statsmodels: `tests/data/study/reference.py` made the values of each
//! function, `tests/data/study/report.py` those of whole reports.

use std::path::Path;

use pentimento::metric::stats::{
    Grouping, KaplanMeier, LogisticData, PMethod, PassTable, PersonTime, SignedRankRule,
    TimeToSuccess, Zeros, cochran_q, fit_mixed_logistic, friedman, holm, kruskal_wallis, log_rank,
    mann_whitney, mcnemar, signed_rank_by,
};
use serde_json::{Value, json};

use crate::study_report::{printed, rows_of, simulated};

const TOLERANCE: f64 = 1e-9;

fn locked(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/study").join(file);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn reference(key: &str) -> Vec<Value> {
    let rows = locked("reference.json")[key].as_array().unwrap().clone();
    assert!(!rows.is_empty(), "{key}");
    rows
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
}

fn places(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|it| it.as_u64().unwrap() as usize).collect()
}

fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn near(found: f64, expected: &Value, tolerance: f64, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
}

#[test]
fn mcnemar_is_that_of_statsmodels() {
    for row in reference("mcnemar") {
        let [b, c] = ["b", "c"].map(|key| row[key].as_u64().unwrap());
        let table = PassTable { both: 7, only_first: b, only_second: c, neither: 9 };
        let test = mcnemar(&table).unwrap();
        near(test.p, &row["exact"], TOLERANCE, "exact");
        near(test.mid_p, &row["mid"], TOLERANCE, "mid-p");
        assert_eq!(test.chi_squared.is_some(), b + c >= 25);
        if let Some((value, p)) = test.chi_squared {
            // statsmodels does not stop at 0: equal counts have (−1)² there.
            if b != c {
                near(value, &row["chi_squared"], TOLERANCE, "χ²");
                near(p, &row["chi_squared_p"], TOLERANCE, "p of χ²");
            }
        }
    }
}

#[test]
fn cochrans_q_is_that_of_statsmodels() {
    for row in reference("cochran") {
        let rows: Vec<Vec<bool>> = table(&row["rows"])
            .iter()
            .map(|row| row.iter().map(|it| *it > 0.5).collect())
            .collect();
        let test = cochran_q(&rows, 1).unwrap();
        near(test.q, &row["q"], TOLERANCE, "Q");
        near(test.chi_squared_p, &row["p"], TOLERANCE, "p of χ²");
        let is_few = test.mixed_rows < 24;
        assert_eq!(test.method != PMethod::Asymptotic, is_few);
        // By permutation it is about the same, not the same.
        near(test.p, &row["p"], if is_few { 0.12 } else { TOLERANCE }, "p");
    }
}

#[test]
fn the_signed_rank_test_is_that_of_scipy() {
    for row in reference("wilcoxon") {
        let zeros = if row["zeros"] == "pratt" { Zeros::Pratt } else { Zeros::Dropped };
        let rule = SignedRankRule { zeros, ..SignedRankRule::TEXTBOOK };
        let test = signed_rank_by(&numbers(&row["a"]), &numbers(&row["b"]), rule).unwrap();
        near(test.positive.min(test.negative), &row["statistic"], TOLERANCE, "statistic");
        assert_eq!(test.method == PMethod::Exact, row["exact"].as_bool().unwrap());
        near(test.p, &row["p"], TOLERANCE, "p");
    }
}

#[test]
fn friedmans_test_is_that_of_scipy() {
    for row in reference("friedman") {
        let test = friedman(&table(&row["rows"]), 1).unwrap();
        near(test.chi_squared, &row["chi_squared"], TOLERANCE, "χ²");
        near(test.chi_squared_p, &row["p"], TOLERANCE, "p of χ²");
        let is_few = test.rows < 24;
        near(test.p, &row["p"], if is_few { 0.1 } else { TOLERANCE }, "p");
    }
}

#[test]
fn mann_whitney_is_that_of_scipy() {
    for row in reference("mann_whitney") {
        let (a, b) = (numbers(&row["a"]), numbers(&row["b"]));
        let test = mann_whitney(&a, &b).unwrap();
        near(test.u, &row["u"], TOLERANCE, "U");
        near(test.p, &row["p"], TOLERANCE, "p");
        // The effect, by its definition.
        let wins: f64 = a
            .iter()
            .flat_map(|x| {
                b.iter().map(move |y| if x > y { 1.0 } else { f64::from(u8::from(x == y)) / 2.0 })
            })
            .sum();
        assert!((test.superiority - wins / (a.len() * b.len()) as f64).abs() < TOLERANCE);
    }
}

#[test]
fn kruskal_wallis_is_that_of_scipy() {
    for row in reference("kruskal") {
        let test = kruskal_wallis(&table(&row["groups"])).unwrap();
        near(test.h, &row["h"], TOLERANCE, "H");
        near(test.chi_squared_p, &row["p"], TOLERANCE, "p of χ²");
        near(test.p, &row["p"], TOLERANCE, "p");
    }
}

#[test]
fn survival_is_that_of_statsmodels() {
    for row in reference("survival") {
        let (seconds, success) = (numbers(&row["seconds"]), places(&row["success"]));
        let times: Vec<TimeToSuccess> = seconds
            .iter()
            .zip(&success)
            .map(|(seconds, success)| TimeToSuccess { seconds: *seconds, success: *success == 1 })
            .collect();
        let curve = KaplanMeier::of(&times).unwrap();
        let expected: Vec<(f64, f64)> =
            numbers(&row["times"]).into_iter().zip(numbers(&row["shares"])).collect();
        assert_eq!(curve.steps.len(), expected.len());
        for (found, expected) in curve.steps.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            assert!((found.1 - expected.1).abs() < TOLERANCE);
        }
        let mean = curve.restricted_mean(row["limit"].as_f64().unwrap());
        near(mean, &row["restricted_mean"], 1e-7, "restricted mean");
        let group = places(&row["group"]);
        let attempts: Vec<PersonTime> = times
            .iter()
            .zip(&group)
            .enumerate()
            .map(|(person, (time, condition))| PersonTime {
                person,
                condition: *condition,
                time: *time,
            })
            .collect();
        let test = log_rank(&attempts, attempts.len(), 3, 1).unwrap();
        near(test.chi_squared, &row["chi_squared"], 1e-7, "χ²");
        near(test.chi_squared_p, &row["chi_squared_p"], 1e-7, "p of χ²");
        // One attempt each: permutation of persons comes near to χ².
        near(test.p, &row["chi_squared_p"], 0.12, "p");
    }
}

#[test]
fn the_mixed_model_is_at_the_maximum_that_scipy_finds() {
    for row in reference("mixed") {
        let grouping = Grouping { persons: places(&row["person"]), tasks: places(&row["task"]) };
        let columns = ["helped", "hard"].map(|key| (key.to_owned(), numbers(&row["columns"][key])));
        let outcomes = places(&row["outcome"]).into_iter().map(|it| it == 1).collect();
        let data = LogisticData::new(columns, outcomes).unwrap();
        let fit = fit_mixed_logistic(&data, &grouping).unwrap();
        near(fit.log_likelihood, &row["log_likelihood"], 1e-5, "log-likelihood");
        for (at, term) in fit.terms.iter().enumerate() {
            near(term.coefficient, &row["coefficients"][at], 2e-3, &term.name);
            near(term.standard_error, &row["std_err"][at], 5e-3, &term.name);
        }
        near(fit.person_deviation, &row["deviations"][0], 5e-3, "persons");
        near(fit.task_deviation, &row["deviations"][1], 5e-3, "tasks");
    }
}

#[test]
fn holm_is_that_of_statsmodels() {
    let all = locked("reference.json");
    let found = holm(&numbers(&all["holm"]["p"]));
    for (at, adjusted) in found.into_iter().enumerate() {
        near(adjusted, &all["holm"]["adjusted"][at], TOLERANCE, "Holm");
    }
}

/// A number, or nothing where nothing is expected.
fn same(found: &Value, expected: &Value, tolerance: f64, what: &str) {
    match found.as_f64() {
        Some(found) => near(found, expected, tolerance, what),
        None => assert!(found.is_null() && expected.is_null(), "{what}: {found}, not {expected}"),
    }
}

/// Both are of resamples, and each draws its own: the ends are about the same.
fn about_the_same(found: &Value, expected: &Value, what: &str) {
    let [low, high] = [0_usize, 1].map(|at| &expected[at]);
    let width = high.as_f64().unwrap() - low.as_f64().unwrap();
    for (end, expected) in [("low", low), ("high", high)] {
        same(&found[end], expected, 0.1 * width + 0.04, what);
    }
}

/// Everything that a simulated study comes to, out of one command.
fn hold_report(preset: &str) {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "24", &["--preset", preset]);
    let [figures, table] = ["figures", "attempts.csv"].map(|name| dir.path().join(name));
    let [tried, drawn, attempts] = [&out, &figures, &table].map(|it| it.to_str().unwrap());
    let report = ["report", tried, "--include-scripted", "--json", "--resamples", "2000", "--out"];
    let line = report.into_iter().chain([drawn, "--table-of", "attempts", "--table", attempts]);
    let found = printed(&line.collect::<Vec<&str>>());
    let found: Value = serde_json::from_str(&found).unwrap();
    let expected = locked("report.json")[preset].clone();

    let rows = rows_of(&table);
    let did = rows.iter().map(|row| {
        let [who, condition, level, task] =
            ["participant", "condition", "level", "task"].map(|name| &row[name]);
        let (success, seconds) = (row["success"] == "yes", row["seconds"].parse::<f64>().unwrap());
        json!([who, condition, level, task, success, seconds])
    });
    let did: Vec<Value> = did.collect();
    let is_what_was_counted = Some(&did) == expected["attempts"].as_array();
    assert!(is_what_was_counted, "scripts do something else now: make report.json anew");

    let expected_cells = expected["cells"].as_array().unwrap();
    let cells = found["cells"].as_array().unwrap();
    let drawn = rows_of(&figures.join("study-scripted.csv"));
    let drawn: Vec<_> = drawn.iter().filter(|row| row["who"] == "all").collect();
    assert_eq!((cells.len(), drawn.len()), (expected_cells.len(), expected_cells.len()));
    for ((cell, drawn), expected) in cells.iter().zip(drawn).zip(expected_cells) {
        let what = format!("{preset}, {}, {}", expected["level"], expected["condition"]);
        for key in ["level", "condition", "persons", "tasks", "attempts", "successes"] {
            assert_eq!(cell[key], expected[key], "{what}: {key}");
        }
        for key in ["success", "seconds", "geometric_seconds", "restricted_seconds"] {
            same(&cell[key], &expected[key], 1e-7, &format!("{what}: {key}"));
            // The figure shows them, to four digits.
            let shown: Option<f64> = drawn[&key.replace('_', " ")].parse().ok();
            same(&json!(shown), &expected[key], 5.1e-5, &format!("{what}, figure: {key}"));
        }
        same(&cell["wilson"]["low"], &expected["wilson"][0], TOLERANCE, &what);
        same(&cell["wilson"]["high"], &expected["wilson"][1], TOLERANCE, &what);
    }

    let tests = found["tests"].as_array().unwrap().iter().filter(|it| it["missing"].is_null());
    let tests: Vec<&Value> = tests.collect();
    let expected_tests = expected["tests"].as_array().unwrap();
    assert_eq!(tests.len(), expected_tests.len());
    for (test, expected) in tests.into_iter().zip(expected_tests) {
        let what = format!("{preset}, {}, {}", expected["measure"], expected["test"]);
        for key in ["measure", "test", "conditions", "persons", "tasks"] {
            assert_eq!(test[key], expected[key], "{what}: {key}");
        }
        assert_eq!(test["unit"], "person");
        same(&test["value"], &expected["value"], 1e-7, &what);
        if !expected["p"].is_null() {
            same(&test["p"], &expected["p"], TOLERANCE, &what);
        }
        // By permutation it is about the same, not the same.
        if !expected["p_about"].is_null() {
            same(&test["p"], &expected["p_about"], 0.01, &what);
        }
        if !expected["corrected_p"].is_null() {
            assert_eq!(test["correction"], "holm", "{what}");
            same(&test["corrected_p"], &expected["corrected_p"], TOLERANCE, &what);
        }
        let (effect, expected) = (&test["effect"], &expected["effect"]);
        assert_eq!(effect.is_null(), expected.is_null(), "{what}");
        if !expected.is_null() {
            same(&effect["value"], &expected["value"], 1e-7, &what);
            about_the_same(&effect["interval"], &expected["interval"], &what);
        }
    }
}

#[test]
fn the_report_of_a_study_within_people_is_that_of_scipy_and_statsmodels() {
    hold_report("small");
}

#[test]
fn the_report_of_a_study_between_people_is_that_of_scipy_and_statsmodels() {
    hold_report("psbench");
}

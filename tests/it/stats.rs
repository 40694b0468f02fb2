//! The statistics and their command, against the libraries that papers used.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::shared;

const TOLERANCE: f64 = 1e-6;

fn reference() -> Option<Value> {
    let path = shared::path("reference/statistics.json")?;
    Some(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

fn stats(coefficient: &str, file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .args(["stats", coefficient, file.to_str().unwrap(), "--json"])
        .output()
        .unwrap()
}

/// What the command prints for a table with this text.
fn printed(coefficient: &str, csv: &str) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.csv");
    std::fs::write(&file, csv).unwrap();
    let output = stats(coefficient, &file);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn complaint(coefficient: &str, csv: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.csv");
    std::fs::write(&file, csv).unwrap();
    let output = stats(coefficient, &file);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

/// A table of columns, each a JSON list; null is an empty cell.
fn csv(columns: &[&Value]) -> String {
    let names: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
    let rows = columns[0].as_array().unwrap().len();
    let cell = |column: &Value, row: usize| match &column[row] {
        Value::Null => String::new(),
        value => value.to_string(),
    };
    (0..rows).fold(names.join(",") + "\n", |text, row| {
        let cells: Vec<String> = columns.iter().map(|column| cell(column, row)).collect();
        text + &cells.join(",") + "\n"
    })
}

fn close(found: &Value, expected: &Value, what: &str) {
    let (found, expected) = (found.as_f64(), expected.as_f64());
    let apart = found.zip(expected).map(|(found, expected)| (found - expected).abs());
    assert!(apart.is_some_and(|apart| apart <= TOLERANCE), "{what}: {found:?}, not {expected:?}");
}

#[test]
fn what_is_found_is_a_table_in_a_file_that_says_how_it_was_made() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("table.csv"), dir.path().join("found.md"));
    std::fs::write(&from, "a,b\n1,2\n2,3\n3,1\n4,4\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .args(["stats", "spearman", from.to_str().unwrap(), "--table", to.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(to).unwrap();
    assert!(text.starts_with("| columns | variant | value |"), "{text}");
    assert!(text.contains("| all | rho | 0.4000 |"), "{text}");
    assert!(text.contains("command: pentimento stats spearman "), "{text}");
}

#[test]
fn kappa_alpha_and_fleiss_are_those_of_the_libraries() {
    let Some(reference) = reference() else { return };
    for row in reference["cohen"].as_array().unwrap() {
        let kappa = &printed("kappa", &csv(&[&row["a"], &row["b"]]))["kappa"];
        for (variant, key) in
            [("plain", "kappa"), ("linear", "kappa_linear"), ("quadratic", "kappa_quadratic")]
        {
            close(&kappa[variant]["value"], &row[key], key);
        }
    }
    for row in reference["krippendorff"].as_array().unwrap() {
        let columns: Vec<&Value> = row["ratings"].as_array().unwrap().iter().collect();
        let alpha = &printed("alpha", &csv(&columns))["alpha"];
        for level in ["nominal", "ordinal", "interval"] {
            close(&alpha[level]["value"], &row[format!("alpha_{level}")], level);
        }
    }
    for row in reference["fleiss"].as_array().unwrap() {
        let items = row["ratings"].as_array().unwrap();
        let raters = items[0].as_array().unwrap().len();
        let columns: Vec<Value> = (0..raters)
            .map(|rater| items.iter().map(|item| item[rater].clone()).collect())
            .collect();
        let fleiss = &printed("fleiss", &csv(&columns.iter().collect::<Vec<_>>()))["fleiss"];
        close(&fleiss["fleiss"]["value"], &row["kappa"], "fleiss");
    }
}

#[test]
fn correlations_are_those_of_scipy() {
    let Some(reference) = reference() else { return };
    for row in reference["rank_correlation"].as_array().unwrap() {
        let csv = csv(&[&row["a"], &row["b"]]);
        close(&printed("tau", &csv)["tau"]["b"]["value"], &row["kendall_tau_b"], "tau");
        let spearman = &printed("spearman", &csv)["spearman"]["rho"];
        close(&spearman["value"], &row["spearman"], "spearman");
        close(&spearman["p"], &row["spearman_p"], "spearman p");
        let pearson = &printed("pearson", &csv)["pearson"]["r"];
        close(&pearson["value"], &row["pearson"], "pearson");
        close(&pearson["p"], &row["pearson_p"], "pearson p");
    }
}

#[test]
fn logistic_regression_is_that_of_statsmodels() {
    let Some(reference) = reference() else { return };
    let logistic = &reference["logistic"];
    let rows = logistic["x"].as_array().unwrap().iter().zip(logistic["y"].as_array().unwrap());
    let text = rows.fold("ssim,saliency,blip,component,chosen\n".to_owned(), |text, (x, y)| {
        let cells: Vec<String> = x.as_array().unwrap().iter().map(Value::to_string).collect();
        format!("{text}{},{y}\n", cells.join(","))
    });
    let logit = &printed("logit", &text)["logit"];
    for variant in ["without_intercept", "with_intercept", "standardised_with_intercept"] {
        let (found, expected) = (&logit[variant], &logistic[variant]);
        for key in ["coef", "std_err", "z", "p"] {
            let terms = expected[key].as_array().unwrap();
            assert_eq!(found[key].as_array().unwrap().len(), terms.len());
            for (at, term) in terms.iter().enumerate() {
                close(&found[key][at], term, &format!("{variant} {key} {at}"));
            }
        }
        for key in ["log_likelihood", "accuracy_train"] {
            close(&found[key], &expected[key], &format!("{variant} {key}"));
        }
    }
    assert_eq!(logit["with_intercept"]["terms"][0], "intercept");
    assert_eq!(logit["with_intercept"]["accuracy_split"]["tested"], 182);
}

#[test]
fn wilson_intervals_are_those_of_statsmodels() {
    let Some(reference) = reference() else { return };
    let rows = reference["wilson"].as_array().unwrap();
    let text = rows.iter().fold("successes,trials\n".to_owned(), |text, row| {
        format!("{text}{},{}\n", row["successes"], row["n"])
    });
    let wilson = &printed("wilson", &text)["wilson"];
    for (row, line) in rows.iter().zip(2..) {
        for end in ["low", "high"] {
            close(&wilson[format!("line {line}")][end], &row[end], end);
        }
    }
    let columns = printed("wilson", "won,finished\n1,0\n0,\n1,1\n");
    assert_eq!(columns["wilson"]["won"]["successes"], 2);
    assert_eq!(columns["wilson"]["finished"]["left_out"], 1);
}

#[test]
fn more_than_two_columns_give_each_pair_and_the_mean() {
    let json = printed("kappa", "a,b,c\n1,1,2\n2,2,1\n1,1,1\n,1,1\n");
    assert_eq!(json["kappa"]["plain"]["pairs"], 3);
    assert_eq!(json["pairs"][0]["columns"], serde_json::json!(["a", "b"]));
    assert_eq!(json["pairs"][0]["kappa"]["plain"]["value"], 1.0);
    assert_eq!(json["pairs"][0]["kappa"]["plain"]["left_out"], 1);
}

#[test]
fn what_has_no_value_says_why() {
    let why = |json: &Value| json["missing"].as_str().unwrap_or_default().to_owned();
    let words = printed("kappa", "a,b\ngood,bad\nbad,bad\n");
    assert!(words["kappa"]["plain"]["value"].is_number());
    assert!(why(&words["kappa"]["linear"]).contains("words"));
    assert!(why(&printed("kappa", "a\n1\n2\n")["kappa"]["plain"]).contains("one rater"));
    assert!(why(&printed("alpha", "a,b\n1,1\n1,1\n")["alpha"]["ordinal"]).contains("same label"));
    assert!(why(&printed("fleiss", "a,b\n1,\n,1\n")["fleiss"]["fleiss"]).contains("two raters"));
    assert!(why(&printed("tau", "a,b\n1,1\n1,2\n")["tau"]["b"]).contains("constant"));
    let separated = printed("logit", "x,y\n1,0\n2,0\n3,1\n4,1\n");
    assert!(why(&separated["logit"]["with_intercept"]).contains("perfect separation"));
    assert!(why(&printed("pearson", "a,b\n")["pearson"]["r"]).contains("too few"));
    assert!(
        why(&printed("wilson", "successes,trials\n3,2\n")["wilson"]["line 2"]).contains("3 succ")
    );
    let half = printed("wilson", "successes,trials\n3,\n,4\n1,2\n");
    for line in ["line 2", "line 3"] {
        assert!(why(&half["wilson"][line]).contains("too few numbers in the line: 1"), "{half}");
    }
    assert_eq!(half["wilson"]["line 4"]["n"], 2);
    // It is the one word among numbers that somebody has to find.
    let mixed = printed("alpha", "a,b\n1,nan\n2,2\n");
    assert!(why(&mixed["alpha"]["interval"]).contains("\"nan\""), "{mixed}");
    assert!(why(&printed("alpha", "a,b\n")["alpha"]["nominal"]).contains("labels of two raters"));
    let nothing = printed("logit", "x,y\n");
    for variant in ["with_intercept", "standardised_with_intercept"] {
        assert!(why(&nothing["logit"][variant]).contains("too few observations: 0"), "{nothing}");
    }
}

#[test]
fn of_one_row_nothing_says_how_sure_it_is() {
    let found = printed("bootstrap", "m,n\n1,2\n,3\n");
    let why = found["bootstrap"]["mean_difference"]["missing"].as_str().unwrap();
    assert!(why.contains("too few items: 1"), "{why}");
    let found = printed("describe", "a\n7\n");
    let column = &found["describe"]["a"];
    assert_eq!((&column["value"], &column["n"]), (&7.0.into(), &1.into()));
    for figure in ["sd", "low", "high"] {
        assert!(column[figure]["missing"].as_str().unwrap().contains("too few"), "{column}");
    }
}

#[test]
fn json_lines_without_a_key_are_an_empty_table() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.jsonl");
    std::fs::write(&file, "\n{}\n").unwrap();
    for coefficient in ["logit", "describe", "kappa", "wilson"] {
        let output = stats(coefficient, &file);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{coefficient}: {said}");
        assert!(said.contains("the table is empty"), "{coefficient}: {said}");
    }
}

#[test]
fn names_that_turn_the_direction_of_text_are_the_same_names_in_json() {
    let name = "a\u{202e}b\u{7f}\u{2067}c";
    let json = printed("describe", &format!("{name}\n1\n2\n"));
    assert_eq!(json["describe"][name]["value"], 1.5);
}

#[test]
fn semicolons_separate_cells_as_commas_do() {
    let [commas, semicolons] = [',', ';'].map(|separator| {
        let text = "a b,\u{fc},c\n1,2,3\n2,2,3\n3,1,1\n";
        printed("kappa", &text.replace(',', &separator.to_string()))
    });
    assert_eq!(commas["pairs"], semicolons["pairs"]);
    assert_eq!(commas["pairs"][0]["columns"], serde_json::json!(["a b", "\u{fc}"]));
}

#[test]
fn bad_tables_name_the_line() {
    assert!(complaint("kappa", "a,b\n1,2\n1\n").contains("line 3 has 1 cells"));
    assert!(complaint("pearson", "a,b\n1,2\nx,1\n").contains("line 3, column \"a\": \"x\""));
    assert!(complaint("logit", "x,y\n1,2\n").contains("\"2\" is not an outcome of 0 or 1"));
    assert!(complaint("alpha", "").contains("empty"));
    // The last of two would take the place of the first.
    assert!(complaint("describe", "a,a\n1,5\n").contains("two columns are called \"a\""));
    let open = complaint("kappa", "a,b\nx,\"y\nz,w\n");
    assert!(open.contains("line 2: a quote opens a cell and is never closed"), "{open}");
}

#[test]
fn a_hundred_thousand_labels_have_a_kappa_and_an_alpha() {
    let text = (0..50_000).fold("a,b\n".to_owned(), |text, at: u32| {
        format!("{text}{},{}\n", at * 7 % 11, (at * 7 + at % 3) % 11)
    });
    assert_eq!(printed("kappa", &text)["kappa"]["quadratic"]["n"], 50_000);
    assert_eq!(printed("alpha", &text)["alpha"]["ratio"]["labels"], 100_000);
}

#[test]
fn majorities_name_their_ties_and_lines_without_votes() {
    let json = printed("majority", "a,b,c\nx,x,y\nx,y,\n,,\n2,2,2\n");
    let majority = &json["majority"];
    assert_eq!(
        (&majority["line 2"]["value"], &majority["line 2"]["votes"]),
        (&"x".into(), &2.into())
    );
    assert!(majority["line 3"]["value"].is_null());
    assert_eq!(majority["line 3"]["tie"], serde_json::json!(["x", "y"]));
    assert!(majority["line 4"]["missing"].is_string(), "{majority}");
    let items = &majority["items"];
    assert_eq!(
        (&items["value"], &items["ties"], &items["left_out"]),
        (&2.into(), &1.into(), &1.into())
    );
    // As for the coefficients of agreement: a number is one label however it is written.
    let numbers = printed("majority", "a,b,c\n1,1.0,2\n10,9,\n");
    let line = &numbers["majority"]["line 2"];
    assert_eq!((&line["value"], &line["votes"]), (&"1".into(), &2.into()));
    assert_eq!(numbers["majority"]["line 3"]["tie"], serde_json::json!(["9", "10"]));
}

#[test]
fn columns_are_described_with_a_seeded_interval() {
    let json = printed("describe", "a,b\n1,5\n2,\n3,5\n");
    let a = &json["describe"]["a"];
    assert_eq!((&a["value"], &a["sd"], &a["n"]), (&2.0.into(), &1.0.into(), &3.into()));
    let (low, high) = (a["low"].as_f64().unwrap(), a["high"].as_f64().unwrap());
    assert!((1.0..=2.0).contains(&low) && (2.0..=3.0).contains(&high), "{a}");
    assert_eq!(json["describe"]["b"]["sd"], 0.0);
    // The command beside it names another file.
    assert_eq!(
        json["describe"],
        printed("describe", "a,b\n1,5\n2,\n3,5\n")["describe"],
        "the same seed, the same interval"
    );
    assert!(printed("describe", "a\n\n")["describe"]["a"]["missing"].is_string());
    let bad = complaint("describe", "a,b\n1,2\n1,many\n");
    assert!(bad.contains("line 3") && bad.contains("\"b\"") && bad.contains("table.csv"), "{bad}");
}

#[test]
fn two_models_are_compared_by_pairs() {
    let csv = "m,n\n2,1\n3,2\n4,4\n5,1\n,9\n";
    let found = &printed("bootstrap", csv)["bootstrap"]["mean_difference"];
    assert_eq!(
        (&found["value"], &found["n"], &found["left_out"]),
        (&1.5.into(), &4.into(), &1.into())
    );
    assert!(
        found["low"].as_f64().unwrap() <= 1.5 && found["p"].as_f64().unwrap() <= 1.0,
        "{found}"
    );
    let found = &printed("sign", csv)["sign"]["share_of_wins"];
    assert_eq!(
        (&found["wins"], &found["losses"], &found["ties"]),
        (&3.into(), &0.into(), &1.into())
    );
    assert!((found["p"].as_f64().unwrap() - 0.25).abs() < 1e-12, "2 / 2³");
    let tied = printed("sign", "m,n\n1,1\n");
    assert!(tied["sign"]["share_of_wins"]["missing"].is_string(), "{tied}");
    assert!(printed("sign", "m\n1\n")["sign"]["share_of_wins"]["missing"].is_string());
}

#[test]
fn models_are_ranked_from_comparisons() {
    let csv = "left,right,preferred\na,b,left\na,b,a\nb,a,left\nb,c,tie\nc,a,\n";
    let json = printed("bradley-terry", csv);
    let ranking = &json["bradley-terry"];
    let strength = |model: &str| ranking[model]["value"].as_f64().unwrap();
    // Twice against once, and a tie: the odds are the strengths' ratio.
    assert!((strength("a") - strength("b") - 2f64.ln()).abs() < 1e-9, "{ranking}");
    assert!((strength("b") - strength("c")).abs() < 1e-9, "{ranking}");
    assert_eq!((&ranking["a"]["rank"], &ranking["a"]["wins"]), (&1.into(), &2.into()));
    let (low, high) = (ranking["a"]["low"].as_f64(), ranking["a"]["high"].as_f64());
    assert!(low.unwrap() < strength("a") && strength("a") < high.unwrap());
    let beaten = printed("bradley-terry", "left,right,preferred\na,b,a\n");
    let why = beaten["bradley-terry"]["ranking"]["missing"].as_str().unwrap();
    assert!(why.starts_with("a (or a group with it) never lost to b"), "{why}");
    // Rows without a preference are counted.
    assert_eq!((&ranking["c"]["n"], &ranking["c"]["left_out"]), (&1.into(), &1.into()));
    assert_eq!((&ranking["b"]["n"], &ranking["b"]["left_out"]), (&4.into(), &0.into()));
    for (csv, words) in [
        ("left,right,preferred\na,b,c\n", ["line 2", "\"preferred\""]),
        ("left,right,preferred\na,a,left\n", ["line 2", "\"right\""]),
        ("left,right\na,b\n", ["no column", "\"preferred\""]),
        ("left,right,preferred\n,b,left\n", ["line 2", "\"left\" is empty"]),
    ] {
        let bad = complaint("bradley-terry", csv);
        assert!(words.iter().all(|word| bad.contains(word)), "{bad}");
    }
}

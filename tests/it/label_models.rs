//! What labelling projects say of models, and of metrics, by the real program.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use pentimento::label::WriterId;
use pentimento::store::labels::LabelFile;

use crate::label::{Place, label, text};

/// The final answers of a report's only form.
fn finals_of(report: &Value) -> &[Value] {
    report["forms"][0]["final_answers"].as_array().unwrap()
}

#[test]
fn what_people_answered_of_runs_is_counted_by_model_like_a_table_of_labels() {
    let place = Place::new(&["--form", "task-success", "--form", "ndec"]);
    let items = place.items();
    let six = "smart_objects,masks,smart_filters,adjustment_layers,duplicate_layers,blank_layers";
    let mut lines = vec![format!("person,item,form,success,{six}")];
    // Of the first everything, of the second success alone and in dispute, of the others nothing.
    lines.push(format!("ada,{},task-success,yes,,,,,,", items[0]));
    lines.push(format!("ada,{},ndec,,yes,yes,yes,no,no,no", items[0]));
    lines.push(format!("ada,{},task-success,yes,,,,,,", items[1]));
    lines.push(format!("bo,{},task-success,no,,,,,,", items[1]));
    let csv = lines.join("\n");
    place.ok("import", &[&place.write("a.csv", &csv)]);
    let project = place.path("study.labels");
    let pentimento = |line: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.env("PENTIMENTO_WORKSPACE", "").args(line).output().unwrap()
    };
    let output = pentimento(&["metric", "ndec", project.to_str().unwrap(), "--json"]);
    let cells: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = cells["cells"].as_array().unwrap().iter();
    let all: Vec<&Value> =
        all.filter(|it| it["difficulty"].is_null() && it["layers"].is_null()).collect();
    let sum = |key: &str| all.iter().map(|cell| cell[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("attempts"), sum("judged"), sum("successes")), (items.len() as u64, 1, 1));
    let known: Vec<f64> = all.iter().filter_map(|cell| cell["ndec"].as_f64()).collect();
    assert_eq!(known, [50.0], "who has no answer has no rate of 0");
    let table = pentimento(&[
        "report",
        "tables",
        "--labels",
        project.to_str().unwrap(),
        "--only",
        "psbench-4",
    ]);
    assert!(table.status.success(), "{}", text(&table.stderr));
    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let shares = report["forms"][0]["shares"].as_array().unwrap();
    let success = shares.iter().filter(|it| it["question"] == "success");
    let yes = success.map(|it| it["categories"][0].clone());
    let of: u64 = yes.clone().map(|it| it["of"].as_u64().unwrap()).sum();
    assert_eq!(of, 1);
    assert!(
        yes.clone().any(|it| it["share"].is_null()) && yes.clone().all(|it| it["share"] != 0.0)
    );
    // One that asks nothing of the kind says so.
    let other = place.path("other.labels");
    let other = other.to_str().unwrap();
    assert!(label(&["new", other, "sample_runs", "--form", "likert"]).status.success());
    let err = text(&pentimento(&["metric", "ndec", other]).stderr);
    assert!(err.contains("asks neither success nor anything of the NDEC"), "{err}");
}

#[test]
fn success_by_difficulty_is_drawn_of_what_a_project_says_of_success_and_not_of_its_checks() {
    let place = Place::new(&["--form", "task-success", "--form", "ndec"]);
    let project = place.path("study.labels");
    let items = LabelFile::open(&project, WriterId(1)).unwrap().items().unwrap();
    let six = "smart_objects,masks,smart_filters,adjustment_layers,duplicate_layers,blank_layers";
    let mut answers = format!("person,item,form,success,{six}\n");
    let mut expected: BTreeMap<(String, String), [usize; 2]> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let id = item.id.0.as_str();
        // Of all the checklist, but of each third nothing of success.
        answers.extend(["ada,", id, ",ndec,,yes,yes,yes,yes,yes,yes\n"]);
        let success = ["yes", "no", ""][at % 3];
        if success.is_empty() {
            continue;
        }
        answers.extend(["ada,", id, ",task-success,", success, ",,,,,,\n"]);
        let Some(level) = item.strata.get("difficulty") else { continue };
        let counts =
            expected.entry((level.to_lowercase(), item.runs[0].model.clone())).or_default();
        counts[0] += 1;
        counts[1] += usize::from(success == "yes");
    }
    place.ok("import", &[&place.write("a.csv", &answers)]);
    let out = place.path("figures");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").args(["report", "figures", "--only", "psbench-3"]);
    let output = command.arg("--labels").arg(&project).arg("--out").arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut reader = csv::Reader::from_path(out.join("psbench-3.csv")).unwrap();
    let found = reader.records().map(|row| {
        let row = row.unwrap();
        let counts = [2, 3].map(|column| row[column].parse::<usize>().unwrap());
        ((row[0].to_owned(), row[1].to_owned()), counts)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    let told: usize = expected.values().map(|[attempts, _]| attempts).sum();
    assert!(0 < told && told < items.len());
    let about = std::fs::read_to_string(out.join("psbench-3.csv.json")).unwrap();
    let without = format!("Left out: {} attempts without a difficulty", items.len() - told);
    assert!(about.contains(&without), "{about}");
}

#[test]
fn preferences_come_to_wins_and_strengths_of_models() {
    let place = Place::new(&["--form", "pairwise-preference"]);
    let items = place.items();
    let mut csv = "person,item,preference\n".to_owned();
    for (at, item) in items.iter().enumerate() {
        for person in ["ada", "bo", "cy"] {
            let preference = ["first", "second", "tie"][(at + usize::from(person == "cy")) % 3];
            csv.extend([person, ",", item, ",", preference, "\n"]);
        }
    }
    place.ok("import", &[&place.write("a.csv", &csv)]);
    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let found = &report["forms"][0]["preferences"][0];
    assert_eq!(found["question"], "preference");
    let records = found["models"].as_array().unwrap();
    let sum = |key: &str| records.iter().map(|it| it["record"][key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("wins"), sum("losses"));
    assert_eq!(sum("wins") + sum("losses") + sum("ties"), 2 * items.len() as u64);
    assert!(found["strengths"].is_array() != found["strengths_reason"].is_string(), "{found}");
    // Nobody answered what else the form asks: that is no tie.
    let content = &report["forms"][0]["preferences"][1];
    assert_eq!(content["models"][0]["record"]["ties"], 0);
    assert!(content["models"][0]["record"]["unanswered"].as_u64().unwrap() > 0);
    assert!(content["strengths_reason"].is_string());
    let table = place.ok("report", &[]);
    assert!(table.contains("against") && table.contains("Bradley–Terry"), "{table}");
    assert!(report["forms"][0]["metrics"].is_null(), "nobody asked");

    // The metrics against these people, by the scores of the runs.
    let only =
        ["--metrics", "--only", "ssim/uniform7,rmse_inverse/canvas,component_similarity/canvas"];
    let known: Value =
        serde_json::from_str(&place.ok("report", &[&only[..], &["--json"]].concat())).unwrap();
    let found = &known["forms"][0]["metrics"];
    let settled = finals_of(&known).iter().filter(|it| it["question"] == "preference").count();
    assert_eq!(found["pairs"], settled);
    let ssim = &found["variants"][0];
    assert_eq!(ssim["variant"], "ssim/uniform7");
    let (hits, of) = (&ssim["accuracy"]["hits"], ssim["accuracy"]["of"].as_u64().unwrap());
    let disagreements = ssim["disagreements"].as_array().unwrap();
    assert_eq!(hits.as_u64().unwrap() + disagreements.len() as u64, of);
    assert!(of > 0, "{ssim}");
    for wrong in disagreements {
        assert_ne!(wrong["metric_prefers"], wrong["people_prefer"]);
        assert!(wrong["difference"].as_f64().unwrap() > 0.0);
    }
    let regression = &found["regression"];
    let columns = regression["columns"].as_array().unwrap();
    assert_eq!((columns.len(), regression["left_out"].as_u64()), (3, Some(0)), "{regression}");
    let fitted = regression["without_intercept"].is_object();
    assert!(fitted != regression["without_intercept_reason"].is_string(), "{regression}");
    let table = place.ok("report", &only);
    assert!(
        table.contains("Metrics against preference") && table.contains("ssim/uniform7"),
        "{table}"
    );
    for (more, said) in [
        (&["--metrics", "--only", "beauty"][..], "there is no variant \"beauty\""),
        (&["--only", "rmse_inverse/canvas"], "--metrics"),
    ] {
        let err = text(&place.run("report", more).stderr);
        assert!(err.contains(said), "{said}: {err}");
    }
    // A run that is not where it lay is a reason, and no score.
    let far = tempfile::tempdir().unwrap();
    let deep = far.path().join("a/b/c");
    std::fs::create_dir_all(&deep).unwrap();
    let moved = deep.join("moved.labels");
    std::fs::copy(place.path("study.labels"), &moved).unwrap();
    let output = label(&[
        "report",
        moved.to_str().unwrap(),
        "--json",
        "--metrics",
        "--only",
        "rmse_inverse/canvas",
    ]);
    let moved: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mse = &moved["forms"][0]["metrics"]["variants"][0];
    assert!(mse["accuracy"]["share"].is_null() && mse["auc_reason"].is_string(), "{mse}");
    let missing = mse["missing"].as_object().unwrap();
    assert!(missing.keys().all(|why| why.contains("not where it lay")), "{missing:?}");
    assert!(text(&output.stderr).contains("warning: the run is not where it lay"));
}

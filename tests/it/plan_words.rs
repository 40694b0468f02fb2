//! Inconsistency of plans in their words: how often it is right on steps that shaped none of its rules, its share over
//! the published plans, and as a judge of what people say of steps.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use pentimento::metric::plan::PlanRow;
use pentimento::metric::plan::words::of_row;

use crate::label::{Place, label, text};
use crate::shared;

/// Of the steps that were read: right, wrong and missed.
const HELD_OUT: (usize, usize, usize) = (6, 2, 2);

#[test]
fn of_steps_that_shaped_nothing_so_many_are_judged_as_a_person_did() {
    let Some(plans) = shared::path("data/graphicbench/plans") else { return };
    let held_out: Value =
        serde_json::from_str(include_str!("../data/held_out/plan_words.json")).unwrap();
    let (mut right, mut wrong, mut missed) = (0, Vec::new(), Vec::new());
    for of_plan in held_out["plans"].as_array().unwrap() {
        let word = |key: &str| of_plan[key].as_str().unwrap();
        let path = plans.join(word("model")).join(format!("{}.jsonl", word("design")));
        let lines = std::fs::read_to_string(&path).unwrap();
        let row = PlanRow::read_lines(&lines)
            .into_iter()
            .flatten()
            .find(|row| row.id == word("id"))
            .unwrap();
        assert_eq!(row.final_workflow.items.len() as u64, of_plan["steps"].as_u64().unwrap());
        let people: BTreeSet<usize> = of_plan["inconsistent"]
            .as_object()
            .unwrap()
            .keys()
            .map(|step| step.parse().unwrap())
            .collect();
        let clashes = of_row(&row);
        let found: BTreeSet<usize> = clashes.iter().map(|clash| clash.step).collect();
        right += people.intersection(&found).count();
        let name = format!("{} {} {}", word("model"), word("design"), word("id"));
        let more = clashes.iter().filter(|clash| !people.contains(&clash.step));
        wrong.extend(more.map(|clash| format!("{name} step {}: {clash}", clash.step)));
        missed.extend(people.difference(&found).map(|step| format!("{name} step {step}")));
    }
    let counts = (right, wrong.len(), missed.len());
    assert_eq!(counts, HELD_OUT, "wrong: {wrong:#?}\nmissed: {missed:#?}");
}

#[expect(clippy::needless_pass_by_value, reason = "tests read better so")]
fn step(words: &str, action: &str, parameters: Value) -> Value {
    json!({"expert": "Photo Editor", "description": words, "skill": action, "parameters": parameters})
}

/// The rules stand in the table of judges, and precision and recall are those of what people say of steps.
#[test]
fn the_classifiers_of_plan_errors_are_held_against_what_people_say_of_steps() {
    let dir = tempfile::tempdir().unwrap();
    let plan = json!({"ID": 1, "user_query": "A poster of cats.", "design_choices": {},
    "images": [], "final_workflow": [
        step("Create the page.", "CreateDocumentCustom", json!({"width": 100, "height": 100})),
        step("Write the title.", "CreateText", json!({"layerName": "Title", "textString": "Cats"})),
        step("Align it to the left.", "AlignText", json!({"layerName": "Title", "alignment": "right"})),
        step("Write the title.", "CreateText", json!({"layerName": "Title", "textString": "Dogs"})),
        step("Save it.", "SaveDocument", json!({"fileName": "cats", "format": "psd", "size": 3})),
    ]});
    let plans = dir.path().join("planner/poster.jsonl");
    std::fs::create_dir_all(plans.parent().unwrap()).unwrap();
    std::fs::write(&plans, format!("{plan}\n")).unwrap();
    let runs = dir.path().join("runs");
    let mut import = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    let import = import
        .env("PENTIMENTO_WORKSPACE", "")
        .args(["import", "graphicbench", plans.to_str().unwrap(), "--out", runs.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(import.status.success(), "{}", text(&import.stderr));
    let place = Place { dir };
    let project = place.path("study.labels");
    let made =
        label(&["new", project.to_str().unwrap(), runs.to_str().unwrap(), "--form", "plan-errors"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    // Items are in the order of steps.
    let items = place.items();
    assert_eq!(items.len(), 5);
    let said = ["none", "none", "inconsistency", "inconsistency", "inconsistency"];
    let mut csv = "person,item,errors\n".to_owned();
    for (item, errors) in items.iter().zip(said) {
        csv += &["ada,", item, ",", errors, "\n"].concat();
    }
    place.ok("import", &[&place.write("people.csv", &csv)]);
    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let judges = report["forms"][0]["judges"].as_array().unwrap();
    let figures = |name: &str, option: &str| {
        let judge = judges.iter().find(|judge| judge["judge"] == name).unwrap();
        assert_eq!((&judge["kind"], &judge["answered"]), (&"automatic, rules".into(), &5.into()));
        let questions = judge["questions"].as_array().unwrap();
        let question = questions.iter().find(|it| it["option"] == option).unwrap();
        question["against_people"]["by_label"][0].clone()
    };
    // Certain is the second text alone; words also the alignment; of the last step the parameter is wrong.
    let certain = figures("inconsistency/certain", "inconsistency");
    assert_eq!((&certain["precision"], &certain["recall"]), (&json!(1.0), &json!(1.0 / 3.0)));
    let words = figures("inconsistency/words", "inconsistency");
    assert_eq!((&words["precision"], &words["recall"]), (&json!(1.0), &json!(2.0 / 3.0)));
    let tool = figures("inconsistency/words", "invalid_tool");
    assert_eq!((&tool["false_positives"], &tool["precision"]), (&1.into(), &json!(0.0)));
    let table = place.ok("report", &[]);
    assert!(
        table.contains("automatic, rules") && table.contains("errors: inconsistency"),
        "{table}"
    );
}

#[test]
fn shares_of_inconsistency_stand_beside_the_printed_one() {
    let Some(plans) = shared::path("data/graphicbench/plans") else { return };
    let run = |line: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        let output = command.env("PENTIMENTO_WORKSPACE", "").args(line).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let plans = plans.to_str().unwrap();
    let table = run(&["report", "tables", plans, "--only", "plan-errors"]);
    assert!(table.contains("30.3 %") && table.contains("no agreement follows"), "{table}");
    let all = table.lines().find(|line| line.starts_with("| All")).unwrap();
    let cells: Vec<&str> = all.split('|').map(str::trim).collect();
    let share = |cell: &str| cell.split(' ').next().unwrap().parse::<f64>().unwrap();
    let (certain, words) = (share(cells[9]), share(cells[10]));
    assert!(0.0 < certain && certain < words && words < 100.0, "{all}");
    // What is listed with its evidence is what is counted.
    let listed = run(&["metric", "plan", plans, "--inconsistency", "words", "--errors"]);
    let listed = listed.lines().filter(|line| line.contains(": inconsistency: ")).count();
    assert!(cells[10].contains(&format!("({listed} of ")), "{listed}: {all}");
}

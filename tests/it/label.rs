//! Labelling projects by the real program: made, answered, exported, joined, reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder with a project of the sample runs.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(arguments: &[&str]) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        let project = place.path("study.labels");
        let mut line = vec!["new", project.to_str().unwrap(), "sample_runs"];
        line.extend(arguments);
        let made = label(&line);
        assert!(made.status.success(), "{}", text(&made.stderr));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs `label COMMAND study.labels MORE…`, which must go well; gives stdout.
    fn ok(&self, command: &str, more: &[&str]) -> String {
        let output = self.run(command, more);
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn run(&self, command: &str, more: &[&str]) -> Output {
        let project = self.path("study.labels");
        let mut line = vec![command, project.to_str().unwrap()];
        line.extend(more);
        label(&line)
    }

    fn write(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The ids of the items, in the project's order, by way of its file.
    fn items(&self) -> Vec<String> {
        let file = rusqlite::Connection::open(self.path("study.labels")).unwrap();
        let mut query = file.prepare("SELECT id FROM item ORDER BY place").unwrap();
        let ids = query.query_map([], |row| row.get(0)).unwrap();
        ids.collect::<Result<_, _>>().unwrap()
    }
}

fn label(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").arg("label").args(arguments);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Answers of three people to whether runs went well: they agree on all but the first.
fn answers(items: &[String]) -> String {
    let mut csv = "person,item,success,reason,note,seconds\n".to_owned();
    for person in ["ada", "bo", "cy"] {
        for (at, item) in items.iter().enumerate() {
            let yes = at % 2 == 0 && !(at == 0 && person == "cy");
            let (yes, why) = if yes { ("yes", "") } else { ("no", "=1+1") };
            let row = [person, item, yes, why, "\"a, \"\"b\"\"\"", "2.5"];
            csv += &row.join(",");
            csv.push('\n');
        }
    }
    csv
}

#[test]
fn a_project_is_made_answered_reported_and_joined_with_its_copy() {
    let place = Place::new(&["--form", "task-success", "--person", "ada", "--person", "bo"]);
    let items = place.items();
    assert!(items.len() > 10, "{}", items.len());
    let copy = place.path("copy.labels");
    std::fs::copy(place.path("study.labels"), &copy).unwrap();

    let csv = place.write("answers.csv", &answers(&items));
    let said = place.ok("import", &[&csv]);
    assert!(said.contains(&format!("{} answers", 3 * items.len())), "{said}");
    assert!(place.ok("verify", &[]).contains("every answer fits its form"));

    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let question = &report["forms"][0]["questions"][0];
    assert_eq!(question["question"], "success");
    assert_eq!(question["items"], items.len());
    let pairs = 3.0 * items.len() as f64;
    let raw = question["raw_agreement"].as_f64().unwrap();
    assert!((raw - (pairs - 2.0) / pairs).abs() < 1e-12, "{raw}");
    let alpha = question["alpha"].as_f64().unwrap();
    let interval: Vec<f64> = serde_json::from_value(question["interval"].clone()).unwrap();
    assert!(alpha < 1.0 && interval[0] <= alpha && alpha <= interval[1], "{alpha} {interval:?}");
    let finals = report["forms"][0]["final_answers"].as_array().unwrap();
    let of_first = finals.iter().find(|it| it["item"] == *items[0]).unwrap();
    assert_eq!((&of_first["value"], &of_first["provenance"]), (&"yes".into(), &"majority".into()));
    let table = place.ok("report", &[]);
    assert!(table.contains("1 by majority") && table.contains(&format!("{alpha:.3}")), "{table}");

    // Out and in again it is the same; what could be a formula is none.
    let exported = place.ok("export", &[]);
    assert!(exported.contains(",'=1+1") && !exported.contains(",=1+1"), "{exported}");
    let lines = place.write("answers.jsonl", &place.ok("export", &["--format", "jsonl"]));
    let other = copy.to_str().unwrap();
    let taken = label(&["import", other, &lines]);
    assert!(taken.status.success(), "{}", text(&taken.stderr));
    let again: Value = serde_json::from_slice(&label(&["report", other, "--json"]).stdout).unwrap();
    assert_eq!(again["forms"], report["forms"]);

    // Joined, each answer was given twice and stands once.
    let count = 3 * items.len();
    assert!(place.ok("merge", &[other]).contains(&format!("{count} new, 0 known")));
    assert!(place.ok("merge", &[other]).contains(&format!("0 new, {count} known")));
    let joined: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    assert_eq!(joined["forms"], report["forms"]);
    let events = place.write("events.jsonl", &place.ok("export", &["--format", "events"]));
    let merged = label(&["merge", other, &events]);
    assert!(text(&merged.stdout).contains(&format!("{count} new, {count} known")));
}

#[test]
fn a_table_with_a_wrong_answer_is_refused_whole() {
    let place = Place::new(&["--form", "task-success"]);
    let items = place.items();
    for (row, said) in [
        (format!("ada,{},maybe", items[1]), "line 3 of"),
        (format!("ada,{},maybe", items[1]), "success: must be yes or no"),
        ("ada,nothing,yes".to_owned(), "no item \"nothing\""),
        (format!(",{},yes", items[1]), "no person is named"),
    ] {
        let csv = format!("person,item,success\nada,{},yes\n{row}\n", items[0]);
        let csv = place.write("odd.csv", &csv);
        let output = place.run("import", &[&csv]);
        let err = text(&output.stderr);
        assert!(!output.status.success() && err.contains(said), "{said}: {err}");
    }
    assert!(place.ok("verify", &[]).contains(" 0 events"), "nothing of it was taken in");
    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let question = &report["forms"][0]["questions"][0];
    assert!(question["alpha"].is_null() && question["alpha_reason"].is_string());
}

#[test]
fn pairs_are_of_different_agents_on_one_task() {
    let place = Place::new(&["--form", "pairwise-preference", "--pairs", "--fixed-sides"]);
    let items = place.items();
    assert!(!items.is_empty());
    let file = rusqlite::Connection::open(place.path("study.labels")).unwrap();
    let item: String =
        file.query_row("SELECT content FROM item LIMIT 1", [], |row| row.get(0)).unwrap();
    let item: Value = serde_json::from_str(&item).unwrap();
    assert_ne!(item["runs"][0]["model"], item["runs"][1]["model"]);
    let run = place.dir.path().join(item["runs"][0]["path"].as_str().unwrap());
    assert!(run.join("run.json").exists(), "paths are seen from the file: {}", run.display());
    // The id tells nobody what is in it.
    assert!(items.iter().all(|id| id.chars().all(|c| c.is_ascii_hexdigit())));
    let csv = format!("person,item,preference,content\nada,{},second,\n", items[0]);
    let csv = place.write("a.csv", &csv);
    assert!(place.ok("import", &[&csv]).contains("1 answers"));
}

#[test]
fn what_cannot_be_a_project_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.labels");
    let project = path.to_str().unwrap();
    let refused = |arguments: &[&str], said: &str| {
        let output = label(arguments);
        let err = text(&output.stderr);
        assert!(!output.status.success() && err.contains(said), "{said}: {err}");
    };
    refused(&["new", project, "sample_runs", "--form", "no-such"], "no form that comes with");
    refused(&["new", project, "sample_runs", "--form", "pairwise-preference"], "say --pairs");
    refused(&["new", project, "sample_runs", "--form", "ndec", "--pairs"], "leave --pairs out");
    refused(
        &["new", project, "sample_runs", "--form", "ndec", "--person", "a", "--person", "a"],
        "a is named twice",
    );
    assert!(!Path::new(project).exists(), "nothing is left of what was refused");
    refused(&["report", project], "there is no labelling project");
    std::fs::write(project, "something of somebody's").unwrap();
    refused(&["new", project, "sample_runs", "--form", "ndec"], "a file is there already");
    assert_eq!(std::fs::read(project).unwrap(), b"something of somebody's");
    let forms = text(&label(&["forms"]).stdout);
    assert!(forms.contains("pairwise-preference") && forms.contains("NDEC checklist"), "{forms}");
    let form: Value = serde_json::from_slice(&label(&["forms", "ndec"]).stdout).unwrap();
    assert_eq!(form["questions"].as_array().unwrap().len(), 6);
}

//! Labelling projects by the real program: made, answered, exported, joined, reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use pentimento::environment::canvas::category_of;
use pentimento::label::WriterId;
use pentimento::store::labels::LabelFile;

/// A folder with a project of the sample runs.
pub(crate) struct Place {
    pub(crate) dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new(arguments: &[&str]) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        let project = place.path("study.labels");
        let mut line = vec!["new", project.to_str().unwrap(), "sample_runs"];
        line.extend(arguments);
        let made = label(&line);
        assert!(made.status.success(), "{}", text(&made.stderr));
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs `label COMMAND study.labels MORE…`, which must go well; gives stdout.
    pub(crate) fn ok(&self, command: &str, more: &[&str]) -> String {
        let output = self.run(command, more);
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    pub(crate) fn run(&self, command: &str, more: &[&str]) -> Output {
        let project = self.path("study.labels");
        let mut line = vec![command, project.to_str().unwrap()];
        line.extend(more);
        label(&line)
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The ids of the items, in the project's order, by way of its file.
    pub(crate) fn items(&self) -> Vec<String> {
        let file = rusqlite::Connection::open(self.path("study.labels")).unwrap();
        let mut query = file.prepare("SELECT id FROM item ORDER BY place").unwrap();
        let ids = query.query_map([], |row| row.get(0)).unwrap();
        ids.collect::<Result<_, _>>().unwrap()
    }
}

pub(crate) fn label(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").arg("label").args(arguments);
    command.output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
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

    let file = place.path("agreement.csv");
    place.ok("report", &["--table", file.to_str().unwrap()]);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let headings = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), report["forms"][0]["questions"].as_array().unwrap().len());
    let cell = |name: &str| &rows[0][headings.iter().position(|it| it == name).unwrap()];
    assert_eq!((cell("form"), cell("question")), ("task-success", "success"));
    assert_eq!(cell("alpha").parse().ok(), Some(alpha));
    assert_eq!(cell("low").parse().ok(), Some(interval[0]));

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
fn an_adjudicator_settles_what_people_do_not_agree_on_and_their_answers_stay() {
    let place = Place::new(&["--form", "task-success"]);
    let items = place.items();
    let csv = place
        .write("answers.csv", &format!("person,item,success\nada,{0},yes\nbo,{0},no\n", items[0]));
    place.ok("import", &[&csv]);
    assert!(place.ok("report", &[]).contains("0 adjudicated, 1 to settle"));
    let exported = place.ok("export", &[]);
    let line = |item: &str, question: &str, value: &str| {
        ["--item", item, "--question", question, "--value", value, "--as", "lead"]
            .map(str::to_owned)
    };
    let settle = |line: &[String], more: &[&str]| {
        let line: Vec<&str> = line.iter().map(String::as_str).chain(more.iter().copied()).collect();
        place.run("settle", &line)
    };
    for (line, more, said) in [
        (line("nothing", "success", "no"), &[][..], "the project has no item \"nothing\""),
        (line(&items[0], "taste", "no"), &[], "nothing called \"taste\""),
        (line(&items[0], "success", "maybe"), &[], "success: must be yes or no, not \"maybe\""),
        (line(&items[0], "reason", "maybe"), &[], "no single value"),
        (
            line(&items[0], "success", "no"),
            &["--form", "ndec"],
            "no form \"ndec\", it has task-success",
        ),
    ] {
        let output = settle(&line, more);
        let err = text(&output.stderr);
        assert!(!output.status.success() && err.contains(said), "{said}: {err}");
    }
    let said = settle(&line(&items[0], "success", "no"), &["--note", "the logo is missing"]);
    assert!(text(&said.stdout).contains("is settled: no"), "{}", text(&said.stderr));
    assert!(place.ok("report", &[]).contains("1 adjudicated, 0 to settle"));
    let report: Value = serde_json::from_str(&place.ok("report", &["--json"])).unwrap();
    let found = &report["forms"][0]["final_answers"][0];
    assert_eq!((&found["value"], &found["provenance"]), (&"no".into(), &"adjudicated".into()));
    assert_eq!((&found["settled_by"], &found["votes"]["yes"]), (&"lead".into(), &1.into()));
    assert_eq!(found["note"], "the logo is missing");
    assert_eq!(place.ok("export", &[]), exported, "what people said stays");
    // It travels with the events, and a copy of another project's form cannot bring what is none.
    let events = place.ok("export", &["--format", "events"]);
    let forged = events.replace("\"value\":\"no\"", "\"value\":\"never\"");
    let forged = place.write("forged.jsonl", &forged);
    let refused = place.run("merge", &[&forged]);
    assert!(text(&refused.stderr).contains("must be yes or no"), "{}", text(&refused.stderr));
}

#[test]
fn the_report_says_who_answers_how_and_what_would_be_without_somebody() {
    // The ids are the same in every project of these runs.
    let ids = Place::new(&["--form", "task-success"]).items();
    let place = Place { dir: tempfile::tempdir().unwrap() };
    let known = place.write("known.csv", &format!("item,success\n{},yes\n", ids[1]));
    let practice =
        place.write("practice.jsonl", &format!("{{\"item\": {:?}, \"success\": true}}\n", ids[2]));
    let project = place.path("study.labels");
    let new = |more: &[&str]| {
        let line = ["new", project.to_str().unwrap(), "sample_runs", "--form", "task-success"];
        label(&[&line, more].concat())
    };
    let odd = place.write("odd.csv", "item,success\nnothing,yes\n");
    for (more, said) in [
        (["--known", odd.as_str(), "--repeat", "0"], "line 2 of"),
        (["--known", known.as_str(), "--practice", known.as_str()], "has an answer already"),
        (["--known", known.as_str(), "--repeat", "9999"], "cannot be asked once more"),
    ] {
        let err = text(&new(&more).stderr);
        assert!(err.contains(said) && !project.exists(), "{said}: {err}");
    }
    let made = new(&["--known", &known, "--practice", &practice, "--repeat", "2"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let items = place.items();
    assert_eq!(items.len(), ids.len() + 2);

    let csv = answers(&items);
    place.ok("import", &[&place.write("answers.csv", &csv)]);
    let report = |more: &[&str]| -> Value {
        serde_json::from_str(&place.ok("report", &[&["--json"], more].concat())).unwrap()
    };
    let whole = report(&["--too-fast", "1"]);
    let form = &whole["forms"][0];
    // Practice and what is asked once more are in no result.
    assert_eq!(form["questions"][0]["items"], ids.len() - 1);
    assert!(form["final_answers"].as_array().unwrap().iter().all(|it| it["item"] != *ids[2]));
    let of = |name: &str| {
        let people = form["people"].as_array().unwrap();
        people.iter().find(|it| it["person"] == name).unwrap().clone()
    };
    let (ada, all) = (of("ada"), items.len());
    assert_eq!(ada["items"], all);
    assert_eq!(ada["median_seconds"], 2.5);
    assert_eq!((&ada["too_fast"]["hits"], &ada["too_fast"]["of"]), (&0.into(), &all.into()));
    // The second item's answer is yes, and everybody says no.
    assert_eq!((&ada["known_failed"]["hits"], &ada["known_failed"]["of"]), (&1.into(), &1.into()));
    assert_eq!(ada["same_again"]["of"], 2);
    assert_eq!(ada["left"], Value::Null, "no preference is asked");
    let cy = &of("cy")["with_majority"];
    assert_eq!((&cy["of"], &cy["hits"]), (&all.into(), &(all - 1).into()));
    let alpha_without = |name: &str| of(name)["alpha_without"][0]["alpha"].as_f64().unwrap();
    assert!((alpha_without("cy") - 1.0).abs() < 1e-12 && alpha_without("ada") < 1.0);

    // Left out, it is as if somebody had never been there.
    let without = report(&["--without", "cy"]);
    let without = &without["forms"][0];
    assert_eq!(without["questions"][0]["alpha"], 1.0);
    assert_eq!(without["people"].as_array().unwrap().len(), 2);
    let table = place.ok("report", &["--without", "cy"]);
    assert!(table.contains("median s") && !table.contains("\ncy"), "{table}");
    let nobody = text(&place.run("report", &["--without", "zoe"]).stderr);
    assert!(nobody.contains("nobody called \"zoe\"") && nobody.contains("ada, bo, cy"), "{nobody}");
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
    let place = Place::new(&["--form", "pairwise-preference", "--fixed-sides"]);
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
fn designs_and_words_of_tasks_and_words_from_elsewhere_are_items() {
    let contents = |place: &Place| -> Vec<Value> {
        let file = rusqlite::Connection::open(place.path("study.labels")).unwrap();
        let mut rows = file.prepare("SELECT content FROM item").unwrap();
        let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(|row| serde_json::from_str(&row.unwrap()).unwrap()).collect()
    };
    // Every task of the samples that has a target is a design to be looked through.
    let designs = contents(&Place::new(&["--form", "design-revision"]));
    assert!(designs.len() >= 16, "{}", designs.len());
    assert!(designs.iter().all(|it| it["kind"] == "design" && it["text"].is_string()));
    // The questions that designs are tested by, one a line, without any run.
    let dir = tempfile::tempdir().unwrap();
    let (project, texts) = (dir.path().join("q.labels"), dir.path().join("questions.txt"));
    std::fs::write(&texts, "Is the background blue?\n\n Is there a title? \nIs there a title?\n")
        .unwrap();
    let project = project.to_str().unwrap();
    let texts = texts.to_str().unwrap();
    let made =
        label(&["new", project, "--texts", texts, "--form", "question-check", "--person", "ada"]);
    assert!(text(&made.stdout).contains("2 items"), "{}", text(&made.stderr));
    // A form of one's own may take keys of the window, which is said.
    let form = dir.path().join("keyed.json");
    let asked = serde_json::json!({
        "format": "pentimento/form", "version": 1, "id": "keyed", "title": "Keyed", "about": "text",
        "questions": [{"id": "why", "text": "Why?", "answer": {"kind": "choice", "options": [
            {"id": "fonts", "text": "Fonts", "key": "f"}, {"id": "other", "text": "Other"}]}}],
    });
    std::fs::write(&form, asked.to_string()).unwrap();
    let keyed = dir.path().join("keyed.labels");
    let (keyed, form) = (keyed.to_str().unwrap(), form.to_str().unwrap());
    let made = label(&["new", keyed, "--texts", texts, "--form", form]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let warning = "warning: form keyed: questions[0].answer.options[0].key: “f” is the key of Flag";
    assert!(text(&made.stderr).contains(warning), "{}", text(&made.stderr));
    let other = dir.path().join("other.labels");
    let other = other.to_str().unwrap();
    let refused = label(&["new", other, "--texts", texts, "--form", "ndec"]);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("--texts is for a form about texts"));
}

/// Whoever ticks tools ticks those of the canvas, all of them.
#[test]
fn the_form_of_required_tools_has_every_tool_of_the_canvas() {
    let form = pentimento::label::form::builtin_form("required-tools").unwrap();
    let ticked: std::collections::BTreeSet<&str> =
        form.questions[0].answer.options().iter().map(|option| option.id.as_str()).collect();
    assert_eq!(ticked.len(), 50);
    let is_known = |tool: &&&str| category_of(tool).is_some();
    let unknown: Vec<_> = ticked.iter().filter(|tool| !is_known(tool)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
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
    refused(
        &["new", project, "sample_runs", "--form", "component-alignment"],
        "ranks candidate pictures: say which queries have some",
    );
    let alone = "sample_runs/runs/own-samples/sign-in/tracer-01";
    refused(&["new", project, alone, "--form", "pairwise-preference"], "there is no pair");
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

#[test]
fn a_sample_is_of_tasks_and_the_same_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let tasks = |name: &str| -> Vec<String> {
        let file = LabelFile::open(Path::new(&path(name)), WriterId(1)).unwrap();
        let items = file.items().unwrap();
        let mut tasks: Vec<String> =
            items.iter().filter_map(|item| Some(item.task.as_ref()?.id.clone())).collect();
        tasks.sort();
        tasks.dedup();
        tasks
    };
    let new = |name: &str, more: &[&str]| {
        let project = path(name);
        let mut line = vec!["new", &project, "sample_runs/runs", "--tasks", "sample_runs"];
        line.extend(["--form", "task-success"]);
        line.extend(more);
        label(&line)
    };
    assert!(new("a.labels", &["--sample", "6"]).status.success());
    assert!(new("b.labels", &["--sample", "6"]).status.success());
    assert!(new("c.labels", &["--sample", "6", "--seed", "7"]).status.success());
    assert_eq!(tasks("a.labels").len(), 6);
    assert_eq!(tasks("a.labels"), tasks("b.labels"));
    assert_ne!(tasks("a.labels"), tasks("c.labels"));
    let refused = text(&new("d.labels", &["--sample", "6", "--by", "colour"]).stderr);
    assert!(refused.contains("no task says its colour"), "{refused}");
    assert!(!new("e.labels", &["--equal"]).status.success(), "without a sample it means nothing");
}

#[test]
fn hours_are_of_people_and_days_and_are_none_without_times() {
    let place = Place::new(&["--form", "task-success"]);
    let items = place.items();
    let csv = format!(
        "person,item,success,seconds\nada,{0},yes,1800\nada,{1},no,900\nbo,{0},no,\n",
        items[0], items[1]
    );
    place.ok("import", &[&place.write("a.csv", &csv)]);
    let hours = place.ok("hours", &[]);
    let rows: Vec<Vec<&str>> = hours.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["person", "day", "answers", "with_time", "hours", "first", "last"]);
    let known: Vec<[&str; 4]> =
        rows[1..].iter().map(|row| [row[0], row[2], row[3], row[4]]).collect();
    assert_eq!(known, [["ada", "2", "2", "0.7500"], ["bo", "1", "0", ""]]);
}

//! Queries with candidate pictures: made into a study, ranked, reported, exchanged, packed for elsewhere and brought
//! back, without a word of who made what.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use pentimento::base::Pixels;
use pentimento::environment::Environments;
use pentimento::evaluate::LabelPlan;
use pentimento::label::form::{QuestionKind, builtin_form};
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, CellKey, Form, Item, QueueSettings, Shown, WriterId,
};
use pentimento::store::labels::{EvidenceSlot, LabelFile, NewEvent};

use crate::first_study::label;
use crate::labelling::plan;
use crate::packet_page::Browser;

/// Who made the candidates, as their files are called.
pub(crate) const SOURCES: [&str; 3] = ["quartz-7b", "saffron", "velvet-xl"];

/// A folder of so many queries, each with three pictures.
pub(crate) fn queries(dir: &Path, count: usize) -> PathBuf {
    let all = dir.join("drawn-by-models");
    for number in 0..count {
        let folder = all.join(format!("brief-{number:03}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("query.txt"), format!("A poster for the {number}. night of jazz"))
            .unwrap();
        for (at, source) in SOURCES.into_iter().enumerate() {
            let ground = [[34, 40, 72], [196, 90, 60], [226, 214, 180]][at];
            let mut picture =
                Pixels::filled(120, 160, [ground[0], ground[1], ground[2], 255]).unwrap();
            let (shade, side) = (40 + 3 * (number % 60) as u8, 24 + 18 * at as u32);
            let ink = [shade, 220 - shade, 128, 255];
            picture.put(16, 20 + 10 * at as u32, side, &ink.repeat((side * side) as usize));
            picture.save_png(&folder.join(format!("{source}.png"))).unwrap();
        }
    }
    all
}

/// A study of so many queries by a form, for ada and bo.
pub(crate) fn study_of_queries(dir: &Path, form: &Form, count: usize) -> PathBuf {
    let path = dir.join("study.labels");
    let plan = LabelPlan {
        name: "Posters".to_owned(),
        queue: QueueSettings { labels_per_item: 2, ..QueueSettings::default() },
        queries: Some(queries(dir, count)),
        ..plan(form)
    };
    let planned = plan.all_items(&[], dir, &Environments::default().opener()).unwrap();
    assert_eq!(planned.items.len(), count);
    plan.write(&path, &planned, ("5eed".to_owned(), WriterId(1))).unwrap();
    path
}

/// The form of the sample with ties.
pub(crate) fn with_ties() -> Form {
    let mut form = builtin_form("component-alignment").unwrap().clone();
    "posters".clone_into(&mut form.id);
    form.questions.retain(|question| question.id == "ranking");
    form.questions[0].answer = QuestionKind::Ranking { options: Vec::new(), ties: true };
    form.check().unwrap();
    form
}

fn file(dir: &Path) -> LabelFile {
    LabelFile::open(&dir.join("study.labels"), WriterId(7)).unwrap()
}

/// The ids of an item's candidates in the order of these makers.
fn ranked(item: &Item, sources: [usize; 3]) -> String {
    let of = |at: usize| {
        let place = item.sources.iter().position(|source| source == SOURCES[at]).unwrap();
        item.candidates[place].as_str()
    };
    sources.map(of).join("|")
}

/// A study of three queries, ranked by two people; of the first they agree, of the second they differ in all, of
/// the third in the last two.
pub(crate) fn answered() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("component-alignment").unwrap();
    study_of_queries(dir.path(), form, 3);
    let items = file(dir.path()).items().unwrap();
    let orders = [[[0, 1, 2], [0, 1, 2]], [[0, 1, 2], [2, 1, 0]], [[1, 0, 2], [1, 2, 0]]];
    let mut csv = "person,item,background,text,image,layout,ranking,seconds\n".to_owned();
    for (item, orders) in items.iter().zip(orders) {
        for (person, order) in ["ada", "bo"].into_iter().zip(orders) {
            let row = [person, &item.id.0, "4", "5", "1", "3", &ranked(item, order), "9.5"];
            csv += &row.join(",");
            csv.push('\n');
        }
    }
    fs::write(dir.path().join("answers.csv"), csv).unwrap();
    let said = label(dir.path(), &["import", "study.labels", "answers.csv"]);
    assert!(said.contains("6 answers"), "{said}");
    dir
}

#[test]
fn what_people_rank_comes_to_agreement_and_mean_ranks() {
    let dir = answered();
    let said = label(dir.path(), &["verify", "study.labels"]);
    assert!(said.contains("every answer fits its form"), "{said}");
    let report = label(dir.path(), &["report", "study.labels", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let found = &report["forms"][0]["rankings"][0];
    assert_eq!((&found["question"], &found["items"]), (&json!("ranking"), &json!(3)));
    // W of two people is (ρ + 1) / 2: 1, 0, and of 1 2 3 beside 1 3 2 (ρ 0.5) 0.75.
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&found["kendall_w"]) - 1.75 / 3.0).abs() < 1e-12, "{found}");
    assert!((number(&found["mean_rho"]) - 0.5 / 3.0).abs() < 1e-12, "{found}");
    let interval: Vec<f64> = serde_json::from_value(found["interval"].clone()).unwrap();
    assert!(interval[0] < 1.75 / 3.0 && 1.75 / 3.0 < interval[1] && interval[1] <= 1.0);
    let means: BTreeMap<&str, f64> = found["ranked"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["name"].as_str().unwrap(), number(&it["mean_rank"])))
        .collect();
    // By item: 1, 2, 2.5; 2, 2, 1; 3, 2, 2.5.
    let wanted = [("quartz-7b", 5.5 / 3.0), ("saffron", 5.0 / 3.0), ("velvet-xl", 7.5 / 3.0)];
    for (name, mean) in wanted {
        assert!((means[name] - mean).abs() < 1e-12, "{found}");
    }
    assert_eq!(found["ranked"][0]["name"], "saffron", "the best comes first");
    let text = label(dir.path(), &["report", "study.labels"]);
    assert!(text.contains("Kendall's W 0.583 [") && text.contains("saffron"), "{text}");
    label(dir.path(), &["report", "study.labels", "--out", "study.html"]);
    let page = fs::read_to_string(dir.path().join("study.html")).unwrap();
    assert!(page.contains("mean rank, 1 the best") && page.contains("Kendall’s W 0.58"));
    // One person's ranking agrees with nobody's, and says so.
    let alone = label(dir.path(), &["report", "study.labels", "--json", "--without", "bo"]);
    let alone: Value = serde_json::from_str(&alone).unwrap();
    let found = &alone["forms"][0]["rankings"][0];
    assert!(found["kendall_w"].is_null() && found["kendall_w_reason"].is_string(), "{found}");
    assert_eq!(found["ranked"].as_array().unwrap().len(), 3);
}

/// Every answer, whatever order it stands in.
pub(crate) fn all_answers(dir: &Path) -> Vec<String> {
    let lines = label(dir, &["export", "study.labels", "--format", "jsonl"]);
    let mut answers: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|it| json!([it["person"], it["item"], it["answer"], it["millis"]]).to_string())
        .collect();
    answers.sort();
    answers
}

#[test]
fn rankings_go_to_other_programs_and_come_back_and_name_nobody() {
    let dir = answered();
    let wanted = all_answers(dir.path());
    assert_eq!(wanted.len(), 6);
    let form = builtin_form("component-alignment").unwrap();
    for (format, extension) in
        [("csv", "csv"), ("jsonl", "jsonl"), ("label-studio", "json"), ("prodigy", "jsonl")]
    {
        let other = tempfile::tempdir().unwrap();
        study_of_queries(other.path(), form, 3);
        let out = label(dir.path(), &["export", "study.labels", "--format", format]);
        for source in SOURCES {
            assert!(!out.contains(source), "{source} is in {format}");
        }
        let name = format!("answers.{extension}");
        fs::write(other.path().join(&name), &out).unwrap();
        let mut line = vec!["import", "study.labels", &name];
        if !["csv", "jsonl"].contains(&format) {
            line.extend(["--format", format]);
        }
        label(other.path(), &line);
        assert_eq!(all_answers(other.path()), wanted, "{format}");
    }
    // As Label Studio documents its tags and results.
    let config = label(dir.path(), &["export", "study.labels", "--format", "label-studio-config"]);
    let xml = usvg::roxmltree::Document::parse(&config).unwrap();
    let tag = |name: &str| xml.descendants().find(|node| node.has_tag_name(name)).unwrap();
    assert_eq!(tag("List").attribute("value"), Some("$ranking-list"));
    assert_eq!(tag("Ranker").attribute("toName"), tag("List").attribute("name"));
    let tasks = label(dir.path(), &["export", "study.labels", "--format", "label-studio"]);
    let tasks: Value = serde_json::from_str(&tasks).unwrap();
    let list = tasks[0]["data"]["ranking-list"].as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert!(list[0]["html"].as_str().unwrap().starts_with("<img src=\"data:image/png;base64,"));
    let results = tasks[0]["annotations"][0]["result"].as_array().unwrap();
    let ranker = results.iter().find(|it| it["type"] == "ranker").unwrap();
    let ids = ranker["value"]["ranker"]["ranking"].as_array().unwrap();
    assert!(ids.iter().all(|id| list.iter().any(|it| it["id"] == *id)), "{ranker}");
    // Who leads finds out who made what.
    let candidates = label(dir.path(), &["export", "study.labels", "--format", "candidates"]);
    assert_eq!(candidates.lines().count(), 9);
    assert!(SOURCES.iter().all(|source| candidates.contains(source)));
}

/// What of a study must reach nobody who ranks: makers, files, and the ids that the project knows candidates by.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = SOURCES.map(str::to_owned).to_vec();
    names.extend(["drawn-by-models".to_owned(), "brief-0".to_owned()]);
    names.push(dir.to_string_lossy().into_owned());
    for item in file(dir).items().unwrap() {
        names.push(item.id.0.clone());
        names.extend(item.candidates.clone());
    }
    names
}

#[test]
fn a_packet_of_queries_names_nobody_and_comes_back() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let form = builtin_form("component-alignment").unwrap();
    study_of_queries(dir.path(), form, 8);
    let packet = other.path().join("for-bo.labels");
    let out = packet.to_str().unwrap();
    let said = label(dir.path(), &["pack", "study.labels", "--for", "bo", "--out", out]);
    assert!(said.starts_with("8 items for bo"), "{said}");
    let bytes = fs::read(&packet).unwrap();
    for name in names(dir.path()) {
        let is_there = bytes.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(!is_there, "{name:?} is in the packet");
    }
    let packed = LabelFile::open(&packet, WriterId(2)).unwrap();
    let mut first_shown = Vec::new();
    for item in packed.items().unwrap() {
        assert!(item.sources.is_empty() && item.strata.is_empty() && item.candidates.len() == 3);
        // What stands first is ranked last.
        let order: Vec<String> = item.candidates.iter().rev().cloned().collect();
        let values = [("background", 1), ("text", 2), ("image", 3), ("layout", 4)];
        let mut values: BTreeMap<String, AnswerValue> =
            values.map(|(id, rating)| (id.to_owned(), AnswerValue::Rating(rating))).into();
        values.insert("ranking".to_owned(), AnswerValue::Ranking(order));
        let shown = Shown { candidates: vec![0, 1, 2], ..Shown::default() };
        let answered = Answered {
            answer: Answer { values, ..Answer::default() },
            shown: Some(shown),
            millis: Some(900),
            views: BTreeMap::new(),
            changes: None,
        };
        packed
            .record(NewEvent {
                at: "2026-01-01T00:00:00Z".to_owned(),
                person: "bo".to_owned(),
                item: item.id.clone(),
                form: form.hash(),
                act: Act::Answered(Box::new(answered)),
            })
            .unwrap();
        let slot = EvidenceSlot::Candidate(0);
        first_shown.push((item.id.clone(), packed.picture(&item.id, slot).unwrap().unwrap()));
    }
    let merged = label(dir.path(), &["merge", "study.labels", out]);
    assert!(merged.contains("8 new"), "{merged}");
    label(dir.path(), &["verify", "study.labels"]);
    let project = file(dir.path());
    let (ledger, known) =
        (project.ledger().unwrap(), project.packed(&packed.project().id).unwrap());
    let mut firsts = Vec::new();
    for (id, picture) in first_shown {
        let item = known[&id].item.clone();
        let key = CellKey { item: item.clone(), form: form.hash(), person: "bo".to_owned() };
        let answered = ledger.answer(&key).unwrap();
        let items = project.items().unwrap();
        let item = items.iter().find(|it| it.id == item).unwrap();
        let AnswerValue::Ranking(order) = &answered.answer.values["ranking"] else { panic!() };
        let place = item.candidates.iter().position(|it| *it == order[2]).unwrap();
        let slot = EvidenceSlot::Candidate(u8::try_from(place).unwrap());
        assert_eq!(project.picture(&item.id, slot).unwrap().unwrap(), picture);
        let shown = answered.shown.as_ref().unwrap();
        assert_eq!(shown.candidates[0], u32::try_from(place).unwrap(), "as it stood there");
        firsts.push(place);
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert!(firsts.len() > 1, "who made it does not say where it stands");
}

#[test]
fn a_page_of_queries_is_ranked_by_keys_and_by_dragging_in_a_browser() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let forms = [builtin_form("component-alignment").unwrap().clone(), with_ties()];
    let path = home.path().join("for-bo.html");
    let out = path.to_str().unwrap();
    for (at, form) in forms.iter().enumerate() {
        let study = dir.path().join(format!("{at}"));
        fs::create_dir(&study).unwrap();
        study_of_queries(&study, form, 2);
        fs::remove_file(&path).ok();
        label(&study, &["pack", "study.labels", "--for", "bo", "--html", "--out", out]);
        let text = fs::read_to_string(&path).unwrap();
        for name in names(&study) {
            assert!(!text.contains(&name), "{name} is in the page");
        }
        let mut browser = Browser::start(&home.path().join(format!("profile-{at}")));
        browser.open(&path);
        browser.until("document.querySelectorAll('.panes img').length === 3");
        browser.until(
            "[...document.querySelectorAll('.panes img')].every((it) => it.naturalWidth === 120)",
        );
        let ranks = "[...document.querySelectorAll('.rank')].map((it) => it.textContent).join()";
        let selected =
            "document.querySelector('nav [aria-current]')?.lastChild.textContent ?? 'done'";
        let keys: &[&str] =
            if at == 0 { &["4", "5", "1", "3", "3", "1", "2"] } else { &["3", "1", "2"] };
        for key in keys {
            browser.press(key, 0);
        }
        assert_eq!(browser.value(ranks), json!("2,3,1"));
        // The last one goes to the top by dragging; said to be equal where the form lets them be.
        browser.drag(
            "[...document.querySelectorAll('.focused .options button')].at(-1)",
            "document.querySelector('.focused .options button')",
        );
        browser.until(&format!("({ranks}) === '3,1,2'"));
        browser.press("j", 0);
        let tied = if at == 0 { "3,1,2" } else { "2,1,2" };
        assert_eq!(browser.value(ranks), json!(tied), "{at}");
        browser.press("Enter", 0);
        browser.until(&format!("({selected}) === 'Query 2'"));
        browser.press("Backspace", 0);
        browser.until(&format!("({selected}) === 'Query 1'"));
        browser.press("z", 2 | 8);
        let answers = browser.events();
        drop(browser);
        let file_of_answers = home.path().join("answers.jsonl");
        fs::write(&file_of_answers, answers).unwrap();
        let said = label(&study, &["merge", "study.labels", file_of_answers.to_str().unwrap()]);
        assert!(said.contains("3 new"), "{said}");
        label(&study, &["verify", "study.labels"]);
        let lines = label(&study, &["export", "study.labels", "--format", "jsonl"]);
        let line: Value = serde_json::from_str(lines.trim()).unwrap();
        let order = line["answer"]["values"]["ranking"]["ranking"].as_array().unwrap().len();
        assert_eq!(order, if at == 0 { 3 } else { 2 });
        assert_eq!(line["shown"]["candidates"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn what_the_command_line_is_given_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    queries(dir.path(), 4);
    let ok = |line: &[&str]| label(dir.path(), line);
    let mut line = vec!["new", "study.labels", "--queries", "drawn-by-models"];
    line.extend(["--form", "component-alignment", "--person", "ada", "--repeat", "1"]);
    assert!(ok(&line).starts_with("5 items"));
    // What is asked once more shows the same pictures.
    let file = file(dir.path());
    for item in file.items().unwrap() {
        for place in 0..3 {
            let picture = file.picture(&item.id, EvidenceSlot::Candidate(place)).unwrap().unwrap();
            Pixels::decode(&picture).unwrap();
        }
    }
    drop(file);
    let connection = rusqlite::Connection::open(dir.path().join("study.labels")).unwrap();
    let kept: i64 =
        connection.query_row("SELECT count(*) FROM picture", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 12, "each picture once");
    connection.execute("DELETE FROM evidence WHERE step = 1", []).unwrap();
    drop(connection);
    let refused = |line: &[&str], said: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
        let output = command.current_dir(dir.path()).arg("label").args(line).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && err.contains(said), "{said}: {err}");
    };
    refused(&["verify", "study.labels"], "5 queries cannot be shown");
    let new = ["new", "other.labels", "--form", "ndec", "--queries", "drawn-by-models"];
    refused(&new, "none of the forms is");
    fs::write(dir.path().join("drawn-by-models/brief-001/saffron.png"), "no picture").unwrap();
    line[1] = "third.labels";
    refused(&line, "saffron.png");
    assert!(!dir.path().join("third.labels").exists());
}

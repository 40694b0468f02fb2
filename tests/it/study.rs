//! How a study is run on the command line: consent, questions about people, qualification, withdrawal, revealing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use pentimento::base::Pixels;
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, FormHash, Item, ItemId, ItemRole, Ledger, Shown, WriterId,
    text_hash,
};
use pentimento::store::labels::{LabelFile, LabelFileError, NewEvent};

use crate::first_study::{copied, label};

/// Questions about people, as somebody writes them down.
const ABOUT: &str = r#"{"format": "pentimento/form", "version": 1, "id": "about-you", "title": "About you",
    "about": "text", "questions": [
    {"id": "years", "text": "Years of design work?", "answer": {"kind": "rating", "least": 0, "most": 9}},
    {"id": "tool", "text": "What do you work with?", "answer": {"kind": "text"}, "optional": true}]}"#;

/// Five short runs.
pub(crate) const RUNS: [&str; 4] = [
    "runs/own-samples/quiz-progress",
    "runs/own-samples/recipe-tip",
    "runs/own-samples/timer-shape",
    "runs/own-samples/wallet-colors",
];

/// A study in a folder of its own.
pub(crate) struct Study {
    dir: tempfile::TempDir,
    /// Its items, in the project's order.
    pub(crate) items: Vec<Item>,
}

impl Study {
    /// With a form about runs, and these settings beside it.
    pub(crate) fn new(more: &[&str]) -> Self {
        let dir = copied();
        let at = dir.path();
        fs::write(at.join("about.json"), ABOUT).unwrap();
        let picture = Pixels::filled(40, 30, [200, 30, 30, 255]).unwrap().to_png().unwrap();
        fs::create_dir(at.join("pics")).unwrap();
        fs::write(at.join("pics/good.png"), picture).unwrap();
        fs::write(at.join("consent.md"), "# Consent\n\nYou may stop at any time.\n").unwrap();
        let examples = "# Good\n\n![A red box](pics/good.png)\n\n# Bad\n\nNothing at all.\n";
        fs::write(at.join("examples.md"), examples).unwrap();
        let mut line = vec!["new", "probe.labels", "--tasks", ".", "--form", "task-success"];
        line.extend(RUNS);
        label(at, &line);
        let probe = LabelFile::open(&at.join("probe.labels"), WriterId(7)).unwrap();
        let mut table = "item,success\n".to_owned();
        for item in probe.items().unwrap().iter().take(2) {
            table.extend([item.id.0.as_str(), ",yes\n"]);
        }
        fs::write(at.join("qualification.csv"), table).unwrap();
        let mut line =
            vec!["new", "study.labels", "runs", "--tasks", ".", "--form", "task-success"];
        line.extend(["--person", "ada", "--person", "bo", "--name", "A study"]);
        line.extend(more);
        label(at, &line);
        let items =
            LabelFile::open(&at.join("study.labels"), WriterId(8)).unwrap().items().unwrap();
        Self { dir, items }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir().join("study.labels")
    }

    pub(crate) fn file(&self, writer: u64) -> LabelFile {
        LabelFile::open(&self.path(), WriterId(writer)).unwrap()
    }

    fn ledger(&self) -> Ledger {
        self.file(99).ledger().unwrap()
    }

    fn label(&self, line: &[&str]) -> String {
        label(self.dir(), line)
    }
}

fn refused(dir: &Path, line: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
    let output = command.current_dir(dir).arg("label").args(line).output().unwrap();
    assert!(!output.status.success(), "{line:?} was not refused");
    String::from_utf8(output.stderr).unwrap()
}

/// Reads or copies files that this process has open: closing one of them here would let go of SQLite's locks on it,
/// and the next program to close it would take its log away.
fn by_another_process(program: &str, files: &[&Path]) -> Vec<u8> {
    let output = std::process::Command::new(program).args(files).output().unwrap();
    assert!(output.status.success(), "{program} {files:?}");
    output.stdout
}

fn did(person: &str, (item, form): (&ItemId, FormHash), act: Act) -> NewEvent {
    let at = "2026-01-02T03:04:05Z".to_owned();
    NewEvent { at, person: person.to_owned(), item: item.clone(), form, act }
}

fn answered(values: &[(&str, AnswerValue)], note: &str) -> Act {
    let values = values.iter().map(|(id, value)| ((*id).to_owned(), value.clone())).collect();
    Act::Answered(Box::new(Answered {
        answer: Answer { values, note: note.to_owned(), ..Answer::default() },
        shown: Some(Shown::default()),
        millis: Some(3_600),
        views: std::collections::BTreeMap::new(),
        changes: Some(0),
    }))
}

/// Somebody says whether a run succeeded.
pub(crate) fn says(file: &LabelFile, person: &str, item: &ItemId, yes: bool, note: &str) {
    let form = file.project().forms[0];
    let act = answered(&[("success", AnswerValue::YesNo(yes))], note);
    file.record(did(person, (item, form), act)).unwrap();
}

fn says_of_themselves(file: &LabelFile, person: &str, years: i32, tool: &str) {
    let form = file.project().study.pre_survey.unwrap();
    let values =
        [("years", AnswerValue::Rating(years)), ("tool", AnswerValue::Text(tool.to_owned()))];
    file.record(did(person, (&ItemId::study(), form), answered(&values, ""))).unwrap();
}

fn agrees(file: &LabelFile, person: &str) {
    let text = text_hash(&file.project().study.consent);
    let about = (&ItemId::study(), FormHash::NONE);
    file.record(did(person, about, Act::Consented { text })).unwrap();
}

#[test]
fn texts_are_taken_in_with_the_pictures_beside_them_and_nothing_from_elsewhere() {
    let study = Study::new(&["--consent", "consent.md", "--examples", "examples.md"]);
    let file = study.file(1);
    let settings = file.project().study.clone();
    assert_eq!(settings.consent, "# Consent\n\nYou may stop at any time.\n");
    let pictures = file.study_pictures().unwrap();
    let (hash, encoded) = pictures.iter().next().unwrap();
    assert!(settings.examples.contains(&format!("![A red box]({hash})")), "{settings:?}");
    assert!(!settings.examples.contains("pics/"), "where it lay is nobody's business");
    assert_eq!(Pixels::decode(encoded).unwrap().width(), 40);
    for (text, why) in [
        (&b"![x](../out.png)"[..], "does not lie beside"),
        (b"![x](/etc/passwd)", "does not lie beside"),
        (b"![x](http://a.example/b.png)", "does not lie beside"),
        (b"![x](gone.png)", "cannot be taken in"),
        (b"![x](about.json)", "cannot be taken in"),
        (b"  \n", "there is nothing in"),
        (b"\xff\xfe", "not UTF-8"),
    ] {
        fs::write(study.dir().join("bad.md"), text).unwrap();
        let mut line = vec!["new", "bad.labels", "runs", "--form", "task-success"];
        line.extend(["--examples", "bad.md"]);
        let said = refused(study.dir(), &line);
        assert!(said.contains(why), "{said}");
        assert!(!study.dir().join("bad.labels").exists());
    }
    let long = "word ".repeat(300_000);
    fs::write(study.dir().join("bad.md"), long).unwrap();
    let line = ["new", "bad.labels", "runs", "--form", "ndec", "--consent", "bad.md"];
    assert!(refused(study.dir(), &line).contains("bad.md"));
}

#[test]
fn what_cannot_be_asked_of_people_or_passed_is_refused() {
    let study = Study::new(&[]);
    let new = |more: &[&str]| {
        let line = ["new", "bad.labels", "runs", "--form", "task-success"];
        refused(study.dir(), &[&line[..], more].concat())
    };
    assert!(new(&["--pre-survey", "canvas-errors"]).contains("needs something to look at"));
    assert!(new(&["--pre-survey", "pairwise-preference"]).contains("needs something to look at"));
    assert!(new(&["--pre-survey", "no-such-form"]).contains("no form"));
    for pass in ["0", "1.5", "-1", "NaN", "much"] {
        let pass = format!("--pass={pass}");
        let said = new(&["--qualification", "qualification.csv", &pass]);
        assert!(said.contains("a share"), "{said}");
    }
    assert!(new(&["--qualification", "qualification.csv"]).contains("--pass"));
    assert!(new(&["--pass", "0.5"]).contains("--qualification"));
}

#[test]
fn what_people_say_of_themselves_is_a_column_of_every_table() {
    let study = Study::new(&["--pre-survey", "about.json", "--consent", "consent.md"]);
    let file = study.file(1);
    agrees(&file, "ada");
    says_of_themselves(&file, "ada", 3, "=HYPERLINK(\"x\")");
    says_of_themselves(&file, "ada", 4, "=HYPERLINK(\"x\")");
    says(&file, "ada", &study.items[0].id, true, "");
    says(&file, "bo", &study.items[0].id, false, "");

    let csv = study.label(&["export", "study.labels"]);
    let mut lines = csv.lines();
    let head =
        "person,item,form,note,unsure,seconds,success,reason,answer.blind,person.years,person.tool";
    assert_eq!(lines.next().unwrap(), head);
    let ada = lines.next().unwrap();
    assert!(ada.ends_with("yes,,yes,4,\"'=HYPERLINK(\"\"x\"\")\""), "no formula: {ada}");
    assert!(lines.next().unwrap().ends_with("no,,yes,,"), "bo says nothing of himself: {csv}");
    assert!(lines.next().is_none(), "what is said of oneself is no answer about an item: {csv}");
    let hours = study.label(&["hours", "study.labels"]);
    assert!(hours.lines().next().unwrap().ends_with("last,person.years,person.tool"), "{hours}");
    assert!(hours.lines().nth(1).unwrap().contains(",4,"), "{hours}");
    let jsonl = study.label(&["export", "study.labels", "--format", "jsonl"]);
    let first: Value = serde_json::from_str(jsonl.lines().next().unwrap()).unwrap();
    assert_eq!(first["about_person"]["years"]["rating"], 4);
    assert_eq!(first["blind"], true);
    let report: Value =
        serde_json::from_str(&study.label(&["report", "study.labels", "--json"])).unwrap();
    assert_eq!(report["participants"][0]["about_person"]["years"]["rating"], 4);
    assert_eq!(report["participants"][0]["agreed_at"], "2026-01-02T03:04:05Z");
    assert!(report["participants"][1]["agreed_at"].is_null());
    assert_eq!(report["forms"][0]["people"][0]["items"], 1);
    let text = study.label(&["report", "study.labels"]);
    assert!(text.contains("Who takes part") && text.contains("2026-01-02"), "{text}");
    study.label(&["report", "study.labels", "--out", "study.html"]);
    let page = fs::read_to_string(study.dir().join("study.html")).unwrap();
    assert!(page.contains("Who takes part") && page.contains("<th>years</th>"));

    // Both come back in, and what stands beside an answer is no question.
    for (name, text) in [("again.csv", &csv), ("again.jsonl", &jsonl)] {
        fs::write(study.dir().join(name), text).unwrap();
        let said = study.label(&["import", "study.labels", name]);
        assert!(said.contains("2 answers taken in"), "{said}");
    }
    study.label(&["verify", "study.labels"]);
}

#[test]
fn who_withdraws_is_gone_from_the_bytes_of_the_file_and_stays_gone() {
    let study = Study::new(&["--pre-survey", "about.json", "--consent", "consent.md"]);
    let file = study.file(1);
    agrees(&file, "bo");
    says_of_themselves(&file, "bo", 9, "quillbrush-bo");
    for item in &study.items {
        says(&file, "bo", &item.id, true, "quillbrush-bo said so");
        says(&file, "ada", &item.id, true, "quillbrush-ada said so");
    }
    let events = study.label(&["export", "study.labels", "--format", "events"]);
    fs::write(study.dir().join("before.jsonl"), &events).unwrap();
    // A copy of somebody's, while the file is written to.
    let names = ["study.labels", "study.labels-wal"];
    for name in names {
        let from = study.dir().join(name);
        if from.exists() {
            by_another_process("cp", &[&from, &study.dir().join(name.replace("study", "copy"))]);
        }
    }
    let said = refused(study.dir(), &["withdraw", "study.labels", "--person", "bo"]);
    assert!(said.contains("--yes") && said.contains("nothing was changed"), "{said}");
    assert!(study.ledger().people().any(|person| person == "bo"));
    assert!(
        refused(study.dir(), &["withdraw", "study.labels", "--person", "cy", "--yes"])
            .contains("nobody called")
    );

    // While another has it open.
    let said = study.label(&["withdraw", "study.labels", "--person", "bo", "--yes"]);
    assert!(said.contains("gone for good"), "{said}");
    let bytes = || {
        let mut all = Vec::new();
        for name in ["study.labels", "study.labels-wal", "study.labels-shm"] {
            let path = study.dir().join(name);
            if path.exists() {
                all.extend(by_another_process("cat", &[&path]));
            }
        }
        all
    };
    let has = |bytes: &[u8], words: &str| {
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    };
    assert!(!has(&bytes(), "quillbrush-bo"), "no trace of the words");
    assert!(has(&bytes(), "quillbrush-ada"), "those of others are there");
    let ledger = study.ledger();
    assert!(ledger.has_withdrawn("bo"));
    assert_eq!(ledger.backwards("bo").count(), 1, "that it was so is all that is left");

    // Nothing brings it back: not the other opening, no copy, no events, no import.
    let form = file.project().forms[0];
    let act = answered(&[("success", AnswerValue::YesNo(true))], "");
    let again = file.record(did("bo", (&study.items[0].id, form), act));
    assert!(matches!(again, Err(LabelFileError::Withdrawn { .. })), "{again:?}");
    let said = study.label(&["merge", "study.labels", "copy.labels", "before.jsonl"]);
    assert!(said.contains("0 new"), "{said}");
    assert!(!has(&bytes(), "quillbrush-bo"));
    assert!(
        refused(study.dir(), &["withdraw", "study.labels", "--person", "bo", "--yes"])
            .contains("already")
    );
    assert!(refused(study.dir(), &["pack", "study.labels", "--for", "bo"]).contains("withdrawn"));
    study.label(&["verify", "study.labels"]);

    // A copy that is joined with the file loses it, too.
    let in_copy = |words: &str| {
        let mut all = Vec::new();
        for name in ["copy.labels", "copy.labels-wal"] {
            all.extend(fs::read(study.dir().join(name)).unwrap_or_default());
        }
        has(&all, words)
    };
    assert!(in_copy("quillbrush-bo"));
    study.label(&["merge", "copy.labels", "study.labels"]);
    assert!(!in_copy("quillbrush-bo") && in_copy("quillbrush-ada"));

    // No number is given twice: what others have under it is something else.
    let next = {
        says(&file, "ada", &study.items[0].id, false, "");
        study.ledger().undo_target("ada").unwrap().id
    };
    assert!(!events.contains(&serde_json::to_string(&next).unwrap()), "{next:?}");
    let report = study.label(&["report", "study.labels"]);
    assert!(report.contains("withdrew"), "{report}");
}

#[test]
fn who_fails_the_qualification_is_packed_nothing_until_let_on() {
    let study = Study::new(&["--qualification", "qualification.csv", "--pass", "0.8"]);
    let asked: Vec<&Item> =
        study.items.iter().filter(|item| item.role == ItemRole::Qualification).collect();
    assert_eq!(asked.len(), 2);
    let pack = |name: &str| {
        let out = format!("{name}.labels");
        study.label(&["pack", "study.labels", "--for", "ada", "--out", &out]);
        LabelFile::open(&study.dir().join(out), WriterId(5)).unwrap()
    };
    let first = pack("first");
    let items = first.items().unwrap();
    assert_eq!(items.len(), 2);
    assert!(items.iter().all(|it| it.role == ItemRole::Qualification && it.known.is_none()));
    assert!(first.project().study.pass_mark.is_none());
    for (item, yes) in items.iter().zip([true, false]) {
        says(&first, "ada", &item.id, yes, "");
    }
    drop(first);
    study.label(&["merge", "study.labels", "first.labels"]);
    let said = refused(study.dir(), &["pack", "study.labels", "--for", "ada"]);
    assert!(said.contains("1 of 2") && said.contains("let-on"), "{said}");
    let report: Value =
        serde_json::from_str(&study.label(&["report", "study.labels", "--json"])).unwrap();
    assert_eq!(report["participants"][0]["qualification"]["outcome"], "failed");
    assert_eq!(report["forms"][0]["final_answers"].as_array().unwrap().len(), 0, "of no result");
    assert!(study.label(&["report", "study.labels"]).contains("failed, 1 of 2"));
    study.label(&["let-on", "study.labels", "--person", "ada", "--as", "lead"]);
    let said = refused(study.dir(), &["let-on", "study.labels", "--person", "ada", "--as", "lead"]);
    assert!(said.contains("already"), "{said}");
    let second = pack("second").items().unwrap();
    assert_eq!(second.len(), study.items.len() - 2);
    assert!(second.iter().all(|item| item.role == ItemRole::Plain));
    assert!(study.label(&["report", "study.labels"]).contains("let on, 1 of 2"));
    let said = refused(study.dir(), &["let-on", "study.labels", "--person", "zed", "--as", "lead"]);
    assert!(said.contains("nobody called"), "{said}");
}

#[test]
fn answers_after_the_reveal_say_that_they_are_not_blind() {
    let study = Study::new(&[]);
    let file = study.file(1);
    says(&file, "ada", &study.items[0].id, true, "");
    let said = study.label(&["reveal", "study.labels", "--as", "lead"]);
    assert!(said.contains("revealed"), "{said}");
    says(&file, "bo", &study.items[0].id, true, "");
    let csv = study.label(&["export", "study.labels"]);
    let blind: Vec<&str> = csv.lines().skip(1).map(|it| it.rsplit(',').next().unwrap()).collect();
    assert_eq!(blind, ["yes", "no"], "{csv}");
    let said = refused(study.dir(), &["reveal", "study.labels", "--as", "other"]);
    assert!(said.contains("already, by lead"), "{said}");
    let report: Value =
        serde_json::from_str(&study.label(&["report", "study.labels", "--json"])).unwrap();
    assert_eq!(report["revealed"]["by"], "lead");
    let line = ["new", "open.labels", "runs", "--form", "task-success", "--not-blind"];
    study.label(&line);
    assert!(refused(study.dir(), &["reveal", "open.labels", "--as", "lead"]).contains("not blind"));
}

#[test]
fn acts_stand_where_they_belong_and_answers_about_people_fit_their_form() {
    let study = Study::new(&["--pre-survey", "about.json"]);
    let file = study.file(1);
    let (form, about) = (file.project().forms[0], file.project().study.pre_survey.unwrap());
    let item = &study.items[0].id;
    let nobody = ItemId::study();
    for (item, form, act) in [
        (item, FormHash::NONE, Act::Revealed),
        (item, form, Act::Withdrawn),
        (&nobody, form, Act::Skipped),
        (&nobody, about, Act::Skipped),
        (&nobody, about, Act::Revealed),
        (&nobody, form, answered(&[("success", AnswerValue::YesNo(true))], "")),
        (item, about, answered(&[("years", AnswerValue::Rating(1))], "")),
    ] {
        let refused = file.record(did("ada", (item, form), act.clone()));
        assert!(refused.is_err(), "{act:?} on {item:?}");
    }
    assert!(file.ledger().unwrap().is_empty());
    // What comes from elsewhere is held against the form.
    let wrong = answered(&[("years", AnswerValue::Rating(77))], "");
    let event = serde_json::json!({"id": {"writer": "00000000000000aa", "sequence": 1}, "clock": 1,
        "at": "2026-01-01T00:00:00Z", "person": "ada", "item": "", "form": about, "act": wrong});
    fs::write(study.dir().join("wrong.jsonl"), event.to_string()).unwrap();
    let said = refused(study.dir(), &["merge", "study.labels", "wrong.jsonl"]);
    assert!(said.contains("about themselves"), "{said}");
    assert!(file.ledger().unwrap().is_empty());
}

/// A plan beside every run: its first item is nobody's of the team, its second is as it should be.
pub(crate) fn put_plans(dir: &Path) {
    let step = |expert: &str| {
        serde_json::json!({"expert": expert, "skill": "CreateDocument",
            "parameters": {"docType": "poster"}, "description": "Create a document."})
    };
    let plan = serde_json::json!({"id": "p", "user_query": "A poster.",
        "final_workflow": [step("Sculptor"), step("Photo Editor")]});
    for task in fs::read_dir(dir.join("runs/own-samples")).unwrap().flatten() {
        for run in fs::read_dir(task.path()).unwrap().flatten() {
            if run.path().join("events.jsonl").exists() {
                fs::write(run.path().join("plan.json"), plan.to_string()).unwrap();
            }
        }
    }
}

#[test]
fn what_is_wrong_with_a_plan_is_proposed_of_its_steps_alone_and_is_nobodys_answer() {
    let study = Study::new(&[]);
    put_plans(study.dir());
    for (when, shown) in [("before", true), ("after", true), ("never", false)] {
        let name = format!("{when}.labels");
        let mut line = vec!["new", &name, RUNS[0], "--tasks", ".", "--form", "plan-errors"];
        line.extend(["--person", "ada", "--proposals", when]);
        study.label(&line);
        let file = LabelFile::open(&study.dir().join(&name), WriterId(3)).unwrap();
        let items = file.items().unwrap();
        let said = |step: u32| {
            let item = items.iter().find(|item| item.step == Some(step)).unwrap();
            item.proposal.as_ref().map(|it| it.answer.values["errors"].words().join("|"))
        };
        assert_eq!(said(1), shown.then(|| "invalid_expert".to_owned()), "{when}");
        assert_eq!(said(2), shown.then(|| "none".to_owned()), "{when}");
        assert_eq!(said(3), None, "the plan has no such step");
        // No report takes it for an answer.
        assert!(file.ledger().unwrap().is_empty());
        let report: Value =
            serde_json::from_str(&study.label(&["report", &name, "--json"])).unwrap();
        assert_eq!(report["forms"][0]["final_answers"].as_array().unwrap().len(), 0);
        let out = format!("{when}-for-ada.labels");
        study.label(&["pack", &name, "--for", "ada", "--out", &out]);
        let packet = LabelFile::open(&study.dir().join(&out), WriterId(4)).unwrap();
        let packed = packet.items().unwrap();
        assert_eq!(packed.iter().any(|item| item.proposal.is_some()), shown, "{when}");
    }
}

#[test]
fn moved_runs_are_found_by_what_is_in_them_and_what_changed_is_missing() {
    let study = Study::new(&[]);
    let runs: std::collections::BTreeSet<String> =
        study.items.iter().flat_map(|item| &item.runs).map(|run| run.path.clone()).collect();
    fs::rename(study.dir().join("runs"), study.dir().join("elsewhere")).unwrap();
    let changed = study.items[0].runs[0].path.replacen("runs", "elsewhere", 1);
    let events = study.dir().join(&changed).join("events.jsonl");
    let mut text = fs::read_to_string(&events).unwrap();
    text.push('\n');
    fs::write(&events, text).unwrap();
    assert!(refused(study.dir(), &["relocate", "study.labels", "nowhere"]).contains("no folder"));
    let said = study.label(&["relocate", "study.labels", "elsewhere"]);
    let found = runs.len() - 1;
    let wanted = format!("0 runs were where they lay, {found} are found elsewhere, 1 are missing");
    assert!(said.contains(&wanted), "{said}");
    let items = study.file(70).items().unwrap();
    for (item, before) in items.iter().zip(&study.items) {
        assert_eq!((&item.id, &item.runs[0].content), (&before.id, &before.runs[0].content));
        let is_there = study.dir().join(&item.runs[0].path).is_dir();
        assert_eq!(is_there, before.runs[0].path != study.items[0].runs[0].path, "{item:?}");
    }
    // A second time there is nothing to do; what is missing is said again.
    let said = study.label(&["relocate", "study.labels", "elsewhere"]);
    assert!(said.contains(&format!("{found} runs were where they lay, 0 are found")), "{said}");
}

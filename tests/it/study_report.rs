//! Scripted participants do a whole study on the command line, and the report says what they are and what they did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pentimento::base::CancelToken;
use pentimento::environment::open_environment;
use pentimento::label::form::builtin_form;
use pentimento::label::{Answer, AnswerValue};
use pentimento::run::{Outcome, Run, Step, reader, replay};
use pentimento::study::{
    Counted, Happening, Moment, ParticipantKind, ReadLog, Request, Safety, StudyLog, StudyRecord,
    StudyResults, Trial, person_dir, person_log,
};
use serde_json::Value;

use crate::first_study::samples;

fn study(line: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.arg("study").args(line).output().unwrap()
}

/// What it prints.
pub(crate) fn printed(line: &[&str]) -> String {
    let output = study(line);
    assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(line: &[&str]) -> String {
    let output = study(line);
    assert!(!output.status.success(), "{line:?} was not refused");
    String::from_utf8(output.stderr).unwrap()
}

/// A study of so many scripted participants on the samples.
pub(crate) fn simulated(dir: &Path, participants: &str, more: &[&str]) -> PathBuf {
    let out = dir.join("tried");
    let samples = samples();
    let mut line = vec!["simulate", "--participants", participants, "--seed", "1"];
    line.extend(["--tasks", samples.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    line.extend(more);
    printed(&line);
    out
}

fn report(dir: &Path, more: &[&str]) -> Value {
    let mut line = vec!["report", dir.to_str().unwrap(), "--json", "--resamples", "200"];
    line.extend(more);
    serde_json::from_str(&printed(&line)).unwrap()
}

/// Every file below a folder, with what is in it.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_path_buf();
                all.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    all
}

/// The document after a run's calls, as it is replayed.
fn replayed(run: &Run) -> Value {
    let start = replay::start_state(run).unwrap();
    let mut environment = open_environment(&start).unwrap();
    for step in run.steps.iter() {
        environment.call(step.call.as_ref().unwrap(), &CancelToken::default());
    }
    environment.document_json()
}

#[test]
fn twenty_four_do_twelve_tasks_each_and_everything_says_that_they_are_scripts() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "24", &[]);
    let record = StudyRecord::open(&out).unwrap();
    assert_eq!(record.warnings, [""; 0]);
    assert_eq!((record.people.len(), record.plan.people), (24, 24));
    let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
    for person in &record.people {
        assert_eq!((person.by, person.trials.len()), (ParticipantKind::Scripted, 12));
        for (folder, trial) in &person.trials {
            assert!(trial.is_whole(), "{}", folder.display());
            // Confidence is asked after each task, not once a condition.
            let asked: Vec<&str> = trial.asked.iter().map(|it| it.form.as_str()).collect();
            assert_eq!(asked, ["confidence"], "{}", folder.display());
            assert!(trial.seconds() > 1.0 && trial.seconds() <= trial.facts.limit_secs);
            *endings.entry(trial.clock.ending.unwrap().name()).or_default() += 1;
            let success = trial.succeeded();
            *endings.entry(if success { "success" } else { "failure" }).or_default() += 1;
        }
    }
    assert!(endings["success"] > 100 && endings["failure"] > 5, "{endings:?}");
    let (mut logs, mut rare) = (0, BTreeMap::new());
    for (path, content) in files(&out.join("people")) {
        let words = path.to_string_lossy();
        assert!(words.starts_with('P') && words.contains("-scripted"), "{words}");
        if words.ends_with("/run.json") {
            let run: Value = serde_json::from_slice(&content).unwrap();
            let tasks = Path::new(run["settings"]["tasks"].as_str().unwrap());
            let seen = out.join("people").join(path.parent().unwrap()).join(tasks);
            assert!(tasks.is_relative() && seen.is_dir(), "{words}: {}", tasks.display());
        }
        if words.ends_with("study-scripted.jsonl") || words.ends_with("person-scripted.jsonl") {
            let read = ReadLog::of(content.as_slice()).unwrap();
            assert!(read.faults.is_empty(), "{words}: {:?}", read.faults);
            assert!(read.events.iter().all(|event| event.by == ParticipantKind::Scripted));
            let answers = read.events.iter().filter_map(|event| match &event.what {
                Happening::Answer { answer, .. } => Some(answer),
                _ => None,
            });
            assert!(answers.flatten().next().is_none(), "a script has no opinion");
            for event in &read.events {
                let what = match &event.what {
                    Happening::Pause { .. } => "pause",
                    Happening::Ask { request: Request::Why } => "why",
                    Happening::Ask { request: Request::AnotherWay } => "another way",
                    Happening::SuggestionPartly { .. } => "partly",
                    Happening::SuggestionWithdrawn { .. } => "withdrawn",
                    Happening::Change { undo: true, .. } => "undo",
                    _ => continue,
                };
                *rare.entry(what).or_insert(0) += 1;
            }
            logs += 1;
        }
    }
    assert_eq!(logs, 24 * 13);
    // Every path of a study is gone: not each by everybody, but each by somebody.
    assert_eq!(rare.len(), 6, "{rare:?}");
    // Each condition shows what it has: only who is assisted asks, only who may look things up leaves.
    for (condition, asks, leaves) in
        [("unassisted", false, false), ("web", false, true), ("assisted", true, false)]
    {
        let trials = record.people.iter().flat_map(|person| &person.trials);
        let here: Vec<&Trial> = trials
            .map(|(_, trial)| trial)
            .filter(|trial| trial.facts.condition == condition)
            .collect();
        assert_eq!(here.len(), 24 * 4);
        let told = here.iter().filter_map(|trial| trial.codesign.as_ref());
        assert_eq!(told.map(|it| it.next_requests).sum::<u32>() > 0, asks, "{condition}");
        assert_eq!(here.iter().any(|trial| trial.clock.away_ms > 0), leaves, "{condition}");
    }
}

#[test]
fn a_scripted_task_is_a_run_that_is_replayed_to_the_same_document() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "3", &[]);
    let record = StudyRecord::open(&out).unwrap();
    let (mut steps, mut completed) = (0, 0);
    for (folder, trial) in record.people.iter().flat_map(|person| &person.trials) {
        let run = reader::open(folder).unwrap();
        assert!(run.torn.is_none() && run.steps.iter().all(Step::went_well));
        let text = std::fs::read(folder.join("final.json")).unwrap();
        let last: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(replayed(&run), last, "{}", folder.display());
        assert_eq!(run.manifest.agent.kind, "scripted_participant");
        assert!(run.manifest.agent.name.contains("scripted"));
        assert_eq!(run.manifest.settings["study"]["condition"], trial.facts.condition);
        steps += run.steps.len();
        completed += usize::from(run.manifest.outcome == Outcome::Completed);
        // As many changes as calls, each by whom it was.
        let log = ReadLog::open(&folder.join("study-scripted.jsonl")).unwrap();
        let changes =
            log.events.iter().filter(|event| matches!(event.what, Happening::Change { .. }));
        assert_eq!(changes.count(), run.steps.len());
    }
    assert!(steps > 60 && completed > 10, "{steps} steps, {completed} completed");
}

#[test]
fn the_same_seed_gives_the_same_files_and_another_does_not() {
    let [one, two, other] = [0, 1, 2].map(|_| tempfile::tempdir().unwrap());
    let people = |dir: &Path, seed: &str| {
        let out = dir.join("tried");
        let samples = samples();
        let line = ["simulate", "--participants", "2", "--seed", seed, "--tasks"];
        let line = line.into_iter().chain([samples.to_str().unwrap(), "--out"]);
        printed(&line.chain([out.to_str().unwrap()]).collect::<Vec<&str>>());
        files(&out.join("people"))
    };
    let first = people(one.path(), "7");
    assert_eq!(first, people(two.path(), "7"));
    assert_ne!(first, people(other.path(), "8"));
}

#[test]
fn scripts_count_only_where_they_are_asked_for_and_every_figure_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "6", &[]);
    let people = report(&out, &[]);
    assert_eq!(
        (people["participants"].as_array().unwrap().len(), &people["scripted_left_out"]),
        (0, &Value::from(6))
    );
    assert_eq!(people["kind"], "people");
    let figures = dir.path().join("figures");
    let why = refused(&["report", out.to_str().unwrap(), "--out", figures.to_str().unwrap()]);
    assert!(why.contains("--include-scripted"), "{why}");
    let all = report(&out, &["--include-scripted", "--out", figures.to_str().unwrap()]);
    assert_eq!(all["kind"], "scripted, not people");
    assert_eq!(all["participants"].as_array().unwrap().len(), 6);
    let cells = all["cells"].as_array().unwrap();
    // Three levels and all of them, by three conditions.
    assert_eq!(cells.len(), 12);
    for cell in cells {
        let individuals = cell["individuals"].as_array().unwrap();
        let shares = individuals.iter().map(|it| it["success"].as_f64().unwrap());
        let mean = shares.sum::<f64>() / individuals.len() as f64;
        assert!((cell["success"].as_f64().unwrap() - mean).abs() < 1e-12, "{cell}");
        assert!(cell["wilson"]["low"].as_f64().unwrap() <= mean + 1e-12);
    }
    let tests = all["tests"].as_array().unwrap();
    let names: Vec<&str> = tests.iter().map(|it| it["test"].as_str().unwrap()).collect();
    assert!(names.contains(&"Friedman") && names.contains(&"log-rank"), "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "Wilcoxon signed rank").count(), 6);
    // Of each level all conditions, then the pairs.
    assert_eq!(names.iter().filter(|name| **name == "log-rank").count(), 3 * (1 + 3));
    assert!(tests.iter().all(|test| test["unit"] == "person" && test["tasks"].is_u64()));
    for test in tests.iter().filter(|it| it["missing"].is_null()) {
        assert!(test["corrected_p"].as_f64().unwrap() >= test["p"].as_f64().unwrap() - 1e-12);
        assert!(test["tasks"].as_u64().unwrap() > 0, "{test}");
        if let Some(value) = test["effect"]["value"].as_f64() {
            let interval = &test["effect"]["interval"];
            let is_said = interval["missing"].is_string();
            assert!(is_said || interval["high"].as_f64().unwrap() >= value - 1e-9, "{test}");
        }
    }
    assert!(all["codesign"]["unassisted"]["tasks"].is_u64());
    assert!(all["codesign"]["assisted"]["acceptance"].as_f64().unwrap() > 0.0);
    let assisted = &all["codesign"]["assisted"];
    for measure in ["first_change_ms_median", "first_request_ms_median"] {
        assert!(assisted[measure].as_f64().unwrap() > 0.0, "{measure}");
    }
    let by = ["steps_by_person", "steps_by_assistant", "steps_by_assistant_alone"];
    let shares: f64 = by.iter().map(|by| assisted[*by].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-12, "{assisted}");
    assert!(assisted["nearer_mean"]["assistant"].as_f64().unwrap() > 0.0, "{assisted}");
    assert_eq!(all["codesign"]["unassisted"]["steps_by_person"], 1.0);
    // As the text has "steps for each needed".
    assert!(assisted["step_ratio"].as_f64().unwrap() > 0.0, "{assisted}");
    // How far each design was over time, and who changed it; at the end of what succeeded nothing is left.
    let curves = all["distance_over_time"].as_array().unwrap();
    assert!(
        curves.iter().any(|it| it["points"].as_array().unwrap().last().unwrap()["distance"] == 0.0)
    );
    let points = curves.iter().flat_map(|it| it["points"].as_array().unwrap());
    let authors = points.filter(|it| it["distance"].as_f64().unwrap() >= 0.0).map(|it| &it["by"]);
    let authors: std::collections::BTreeSet<String> = authors.map(Value::to_string).collect();
    assert!(authors.contains("null") && authors.contains("\"person\""), "{authors:?}");
    assert!(authors.contains("\"assistant\""), "{authors:?}");
    assert_eq!(all["balance"]["is_even"], true);
    for ending in ["svg", "pdf", "png", "csv"] {
        for name in ["study-scripted", "study-progress-scripted"] {
            assert!(figures.join(format!("{name}.{ending}")).is_file(), "{name}.{ending}");
        }
    }
    let svg = std::fs::read_to_string(figures.join("study-scripted.svg")).unwrap();
    assert!(svg.matches("cripted, not people").count() >= 3, "title, picture and remark");
    let csv = std::fs::read_to_string(figures.join("study-scripted.csv")).unwrap();
    assert!(csv.lines().skip(1).all(|line| line.ends_with("\"scripted, not people\"")));
    // A row a cell and one a person in it.
    let people: usize = cells.iter().map(|it| it["individuals"].as_array().unwrap().len()).sum();
    assert_eq!(csv.lines().count(), 1 + cells.len() + people);
    let text =
        printed(&["report", out.to_str().unwrap(), "--include-scripted", "--resamples", "200"]);
    assert!(text.contains("Scripted, not people.") && text.contains("restricted mean"), "{text}");
    assert!(text.contains("time to the first change") && text.contains("steps of the assistant"));
}

#[test]
fn what_a_study_comes_to_is_written_as_tables_with_the_numbers_of_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "3", &[]);
    let [levels, attempts] =
        ["study.csv", "attempts.csv"].map(|it| dir.path().join(it).display().to_string());
    let found = report(&out, &["--include-scripted", "--table", &levels]);
    let cells = found["cells"].as_array().unwrap();
    let mut reader = csv::Reader::from_path(&levels).unwrap();
    let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), cells.len());
    for (row, cell) in rows.iter().zip(cells) {
        let at = |name: &str| &row[heads.iter().position(|head| head == name).unwrap()];
        assert_eq!(at("level"), cell["level"].as_str().unwrap_or("all"));
        assert_eq!(at("condition"), cell["condition"].as_str().unwrap());
        for name in ["persons", "attempts", "successes", "success", "seconds"] {
            assert_eq!(at(name).parse::<f64>().ok(), cell[name].as_f64(), "{name}");
        }
        let interval = &cell["success_interval"];
        assert_eq!(at("success high").parse::<f64>().ok(), interval["high"].as_f64());
        let wilson = &cell["wilson"];
        assert_eq!(at("success Wilson low").parse::<f64>().ok(), wilson["low"].as_f64());
        let reason = interval["missing"].as_str().unwrap_or_default();
        assert!(at("missing").contains(reason), "{row:?}");
    }
    let about = std::fs::read(format!("{levels}.json")).unwrap();
    let about: Value = serde_json::from_slice(&about).unwrap();
    assert_eq!(
        (&about["runs"], &about["kind"]),
        (&"36 attempts of 3 participants".into(), &"scripted, not people".into())
    );
    assert!(about["command"].as_str().unwrap().contains(" --table "), "{about}");

    report(&out, &["--include-scripted", "--table-of", "attempts", "--table", &attempts]);
    let mut reader = csv::Reader::from_path(&attempts).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 36);
    let successes = rows.iter().filter(|row| &row[6] == "yes").count() as u64;
    let all = cells.iter().filter(|cell| cell["level"].is_null());
    assert_eq!(successes, all.map(|cell| cell["successes"].as_u64().unwrap()).sum::<u64>());
    for row in &rows {
        assert!(Path::new(&row[9]).join("run.json").is_file() && &row[1] == "scripted", "{row:?}");
    }
    // Time away stands where people may leave; pauses of all kinds with everybody, as the logs have them.
    let (mut away, mut paused) = (0.0, 0.0);
    for row in rows_of(Path::new(&attempts)) {
        assert_eq!(row["seconds away"].is_empty(), row["condition"] != "web", "{row:?}");
        away += row["seconds away"].parse::<f64>().unwrap_or_default();
        for kind in ["button", "dialog", "focus", "crash"] {
            paused += row[&format!("seconds paused by {kind}")].parse::<f64>().unwrap();
        }
        let counts = ["pauses", "clock jumps"].map(|it| row[it].parse::<f64>().is_ok());
        assert_eq!(counts, [true; 2], "{row:?}");
    }
    let record = StudyRecord::open(&out).unwrap();
    let trials = record.people.iter().flat_map(|person| &person.trials).map(|(_, trial)| trial);
    let clocks: Vec<_> = trials.map(|trial| &trial.clock).collect();
    let all_away: u64 = clocks.iter().map(|clock| clock.away_ms).sum();
    let stops = clocks.iter().flat_map(|clock| &clock.stops);
    let all_paused: u64 = stops.map(|stop| stop.millis).sum();
    assert!((away - all_away as f64 / 1e3).abs() < 1e-6, "{away}, not {all_away} ms");
    assert!((paused - all_paused as f64 / 1e3).abs() < 1e-6, "{paused}, not {all_paused} ms");
    let clock = &found["clocks"]["web"];
    assert_eq!(
        (&clock["attempts"], &found["clocks"]["assisted"]["seconds_away_median"]),
        (&12.into(), &Value::Null)
    );
    assert!(clock["seconds_away_median"].as_f64().is_some(), "{clock}");
    let study = out.to_str().unwrap();
    assert!(refused(&["report", study, "--table", "x.doc"]).contains(".csv, .md, .tex"));
    assert!(refused(&["report", study, "--table-of", "attempts"]).contains("--table"));
}

/// The rows of a table in a file, by the names of its columns.
pub(crate) fn rows_of(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn agents_stand_beside_people_a_row_a_model_and_in_no_test() {
    let dir = tempfile::tempdir().unwrap();
    let (mine, runs) = (dir.path().join("mine"), samples().join("runs"));
    let (figures, levels) = (dir.path().join("figures"), dir.path().join("levels.csv"));
    let samples = samples();
    let tasks = samples.to_str().unwrap();
    printed(&["new", mine.to_str().unwrap(), "--tasks", tasks, "--preset", "psbench"]);
    let runs = runs.to_str().unwrap();
    let mut more = vec!["--agents", runs, "--out", figures.to_str().unwrap()];
    more.extend(["--table", levels.to_str().unwrap()]);
    let found = report(&mine, &more);
    let agents = &found["autonomous"];
    let models = serde_json::json!([
        {"model": "scripted", "runs": 8}, {"model": "tracer", "runs": 11}
    ]);
    assert_eq!((&agents["models"], agents["left_out"].as_array().unwrap().len()), (&models, 0));
    // Three levels and all of them, by two models.
    let cells = agents["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8);
    let [scripted, tracer] = &cells[6..] else { panic!("{cells:?}") };
    for (cell, condition, attempts, successes) in
        [(scripted, "autonomous:scripted", 8, 6), (tracer, "autonomous:tracer", 11, 0)]
    {
        assert_eq!((&cell["condition"], &cell["unit"]), (&condition.into(), &"run".into()));
        // One that could not go on passes as it was left: its agent was not done.
        assert_eq!(
            (&cell["attempts"], &cell["successes"]),
            (&attempts.into(), &successes.into()),
            "{cell}"
        );
        assert_eq!(cell["success_interval"], cell["wilson"]);
        assert!(cell["wilson"]["low"].as_f64().is_some(), "{cell}");
    }
    assert!(found["tests"].as_array().unwrap().iter().all(|test| test["persons"] == 0));
    assert!(found["cells"].as_array().unwrap().iter().all(|cell| cell["unit"] == "person"));
    let rows = rows_of(&levels);
    assert_eq!(rows.len(), 12 + 8);
    let of_scripted = |row: &&BTreeMap<String, String>| row["condition"] == "autonomous:scripted";
    let all = rows.iter().filter(of_scripted).find(|row| row["level"] == "all").unwrap();
    let [unit, persons, successes] = ["unit", "persons", "successes"].map(|it| all[it].as_str());
    assert_eq!((unit, persons, successes), ("run", "", "6"));
    let drawn = rows_of(&figures.join("study.csv"));
    let of_scripted = drawn.iter().filter(of_scripted).filter(|row| row["kind"] == "agents");
    assert_eq!(of_scripted.count(), 4);
    let svg = std::fs::read_to_string(figures.join("study.svg")).unwrap();
    assert!(svg.contains("Autonomous: scripted") && svg.contains("Autonomous: tracer"));
    let attempts = dir.path().join("attempts.csv");
    let table = attempts.to_str().unwrap();
    report(&mine, &["--agents", runs, "--table-of", "attempts", "--table", table]);
    let attempts = rows_of(&attempts);
    assert_eq!(attempts.iter().filter(|row| row["kind"] == "agent").count(), 8 + 11);
    let failed = attempts.iter().filter(|row| row["ending"] == "failed" && row["success"] == "no");
    assert_eq!(failed.count(), 2);
    let text = printed(&["report", mine.to_str().unwrap(), "--agents", runs]);
    let remark = "Autonomous: agents alone, 8 runs of scripted, 11 runs of tracer;";
    assert!(text.contains(remark) && text.contains("autonomous:tracer"), "{text}");
}

#[test]
fn runs_that_are_no_attempts_of_the_study_are_counted_and_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "3", &[]);
    let (runs, people) = (samples().join("runs"), out.join("people"));
    let without = report(&out, &["--include-scripted"]);
    assert_eq!(without["autonomous"], Value::Null);
    let (runs, people) = (runs.to_str().unwrap(), people.to_str().unwrap());
    let found = report(&out, &["--include-scripted", "--agents", runs, "--agents", people]);
    let agents = &found["autonomous"];
    let none = serde_json::json!([]);
    assert_eq!((&agents["models"], &agents["cells"]), (&none, &none));
    let left = agents["left_out"].as_array().unwrap();
    let of = |why: &str| {
        let found = left.iter().find(|it| it["why"].as_str().unwrap().contains(why));
        found.map_or(0, |it| it["runs"].as_u64().unwrap())
    };
    // People began with a changed truth, the agents with what the tasks give.
    let (others, starts) = (of("other tasks"), of("another design"));
    assert!(others > 0 && starts > 0 && others + starts == 19, "{left:?}");
    assert_eq!(of("by people"), 36);
    assert_eq!((&found["cells"], &found["tests"]), (&without["cells"], &without["tests"]));
}

#[test]
fn what_people_wrote_and_chose_is_in_the_report_and_in_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let (mine, samples) = (dir.path().join("mine"), samples());
    let study = mine.to_str().unwrap();
    printed(&["new", study, "--tasks", samples.to_str().unwrap()]);
    let by = ParticipantKind::Person;
    let home = person_dir(&mine, "P01", by);
    std::fs::create_dir_all(&home).unwrap();
    let mut log = StudyLog::create(&person_log(&home, by), by, Safety::NoFsync).unwrap();
    let mut write = |what| {
        let wall = "2026-01-01T09:00:00Z".to_owned();
        log.append(Moment { wall, mono_ms: 0 }, what).unwrap();
    };
    let (id, participant) = ("small".to_owned(), "P01".to_owned());
    write(Happening::Joined { study: id, participant, row: 0 });
    let background = [
        ("adobe", AnswerValue::Rating(2)),
        ("design_tools", AnswerValue::Rating(4)),
        ("years", AnswerValue::Choice("2_to_5".to_owned())),
    ];
    let words = "The layers, and \"undo\".";
    let remarks = [("remarks", AnswerValue::Text(words.to_owned()))];
    for (form, values) in [("background", background.to_vec()), ("remarks", remarks.to_vec())] {
        let values = values.into_iter().map(|(question, value)| (question.to_owned(), value));
        let answer = Answer { values: values.collect(), ..Answer::default() };
        write(Happening::Answer {
            form: form.to_owned(),
            version: builtin_form(form).unwrap().hash(),
            condition: None,
            answer: Some(answer),
        });
    }
    let answers = dir.path().join("answers.csv");
    let table = answers.to_str().unwrap();
    let found = report(&mine, &["--table-of", "answers", "--table", table]);
    let scores: Vec<&str> = found["questionnaires"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["score"].as_str().unwrap())
        .collect();
    assert_eq!(scores, ["background adobe", "background design_tools"]);
    let [text, choice] = ["texts", "choices"].map(|kind| &found[kind]);
    assert_eq!(
        (text[0]["question"].as_str(), text[0]["value"].as_str()),
        (Some("remarks"), Some(words))
    );
    assert_eq!((&text[0]["participant"], &text[0]["condition"]), (&"P01".into(), &Value::Null));
    assert_eq!((&choice[0]["question"], &choice[0]["value"]), (&"years".into(), &"2_to_5".into()));
    assert_eq!((text.as_array().unwrap().len(), choice.as_array().unwrap().len()), (1, 1));
    let rows = rows_of(&answers);
    let cells = ["participant", "form", "question", "kind", "value"];
    let rows: Vec<[&str; 5]> = rows.iter().map(|row| cells.map(|it| row[it].as_str())).collect();
    assert_eq!(
        rows,
        [
            ["P01", "remarks", "remarks", "words", words],
            ["P01", "background", "years", "choice", "2_to_5"],
        ]
    );
    let text = printed(&["report", study]);
    assert!(text.contains("2_to_5 1") && text.contains("in words 1"), "{text}");
}

#[test]
fn between_people_groups_are_compared_and_too_few_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "6", &["--preset", "psbench"]);
    let found = report(&out, &["--include-scripted"]);
    let tests = found["tests"].as_array().unwrap();
    let pairs: Vec<&Value> = tests.iter().filter(|it| it["test"] == "Mann–Whitney").collect();
    assert_eq!(pairs.len(), 6);
    // Two in a group: the least p of any outcome is 1/3.
    for pair in pairs.iter().filter(|it| it["missing"].is_null()) {
        assert_eq!(pair["says"], "n too small to say", "{pair}");
        assert_eq!(pair["persons"], 4);
    }
    assert!(tests.iter().any(|it| it["test"] == "Kruskal–Wallis"));
    // All sixteen sample tasks, each by everybody.
    let attempts: u64 = found["cells"].as_array().unwrap()[9..]
        .iter()
        .map(|it| it["attempts"].as_u64().unwrap())
        .sum();
    assert_eq!(attempts, 6 * 16);
}

#[test]
fn without_a_check_who_gave_up_has_failed_and_who_was_done_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "3", &[]);
    let before = report(&out, &["--include-scripted"]);
    assert_eq!(
        (&before["unfinished_left_out"], &before["unfinished"]),
        (&0.into(), &serde_json::json!([]))
    );
    let record = StudyRecord::open(&out).unwrap();
    let trials = record.people.iter().flat_map(|person| &person.trials);
    let mut passed = trials.filter(|(_, trial)| trial.succeeded());
    // As if the program had been gone before they were checked, and one of them had given up.
    for ending in ["done", "give_up"] {
        let log = passed.next().unwrap().0.join("study-scripted.jsonl");
        let text = std::fs::read_to_string(&log).unwrap();
        let lines = text.lines().filter(|line| !line.contains("\"event\":\"checked\""));
        let text = lines.collect::<Vec<&str>>().join("\n") + "\n";
        let ended = text.replace("\"event\":\"done\"", &format!("\"event\":\"{ending}\""));
        assert_eq!(ended == text, ending == "done");
        std::fs::write(&log, ended).unwrap();
    }
    let after = report(&out, &["--include-scripted"]);
    let sum = |found: &Value, what: &str| {
        let all = found["cells"].as_array().unwrap().iter().filter(|cell| cell["level"].is_null());
        all.map(|cell| cell[what].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum(&before, "attempts"), sum(&after, "attempts")), (36, 35));
    assert_eq!(sum(&before, "successes"), sum(&after, "successes") + 2);
    assert_eq!(after["unfinished_left_out"], 1);
    let left = &after["unfinished"][0];
    assert!(left["participant"].is_string() && left["task"].is_string(), "{left}");
    let text =
        printed(&["report", out.to_str().unwrap(), "--include-scripted", "--resamples", "200"]);
    for words in
        [left["why"].as_str().unwrap(), "it was done, and not checked", "Away under web: median "]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn what_help_brings_is_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let out = simulated(dir.path(), "18", &[]);
    let record = StudyRecord::open(&out).unwrap();
    let results = StudyResults::of(&record, &[], Counted::ScriptedToo, 200);
    let all: Vec<_> = results.cells.iter().filter(|cell| cell.level.is_none()).collect();
    let [unassisted, web, assisted] = all.as_slice() else { panic!("{all:?}") };
    // Scripts that are told what to do are faster and fail less: it was put in.
    assert!(assisted.seconds < unassisted.seconds, "{assisted:?} and {unassisted:?}");
    assert!(assisted.success > unassisted.success);
    assert_eq!((unassisted.attempts, web.attempts, assisted.attempts), (72, 72, 72));
    let time = results
        .comparisons
        .iter()
        .find(|it| it.test == "Friedman" && it.measure.name().contains("time"));
    assert!(time.unwrap().finding.as_ref().unwrap().p < 0.05);
}

#[test]
fn a_study_is_made_and_says_who_comes_next() {
    let dir = tempfile::tempdir().unwrap();
    let (new, samples) = (dir.path().join("mine"), samples());
    let (new, samples) = (new.to_str().unwrap(), samples.to_str().unwrap());
    std::fs::write(dir.path().join("consent.md"), "# You may stop\n").unwrap();
    let consent = dir.path().join("consent.md");
    let said = printed(&[
        "new",
        new,
        "--tasks",
        samples,
        "--seed",
        "4",
        "--consent",
        consent.to_str().unwrap(),
    ]);
    assert!(said.contains("12 people, 12 tasks, 3 conditions; the plan is even"), "{said}");
    let plan: Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("mine/study.json")).unwrap())
            .unwrap();
    assert_eq!(
        (plan["consent"].as_str().unwrap(), &plan["seed"]),
        ("# You may stop\n", &Value::from(4))
    );
    let next = printed(&["next", new]);
    assert!(next.starts_with("P01, of 12 planned") && next.contains("Assisted: "), "{next}");
    assert!(refused(&["new", new, "--tasks", samples]).contains("there is a study already"));
    let given = refused(&[
        "simulate",
        "--study",
        &format!("{new}/study.json"),
        "--out",
        &format!("{new}-2"),
    ]);
    assert!(given.contains("changed_truth"), "{given}");
    let empty = report(Path::new(new), &[]);
    assert_eq!(empty["cells"][0]["success"], Value::Null);
    assert_eq!(empty["codesign"]["assisted"], "not recorded");
    assert!(refused(&["withdraw", new, "P01"]).contains("nobody called"));
}

//! Metrics of one's own: programs that are asked about pairs of pictures.

use std::num::NonZeroU32;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use pentimento::base::{CancelToken, Pixels, Variables};
use pentimento::evaluate::{ComparedSide, ComparedTask, Scorer, Wanted};
use pentimento::metric::program::{PairProgram as _, PicturePair};
use pentimento::metric::{MissingScore, Score};
use pentimento::model::ModelSettings;
use pentimento::model::program::{
    MetricProgram, PairAnswer, PairMessage, PairQuestion, ProgramSettings,
};
use serde_json::{Value, json};

use crate::program::{assert_gone, cancel_once_written, script};

const SOON: Duration = Duration::from_secs(30);
const EXAMPLE: &str =
    "exec:better=lower range=0..255 python3 sample_runs/metrics/mean_absolute_difference.py";

/// A metric that may take so many seconds for a pair.
fn settings(dir: &Path, body: &str, seconds: u32) -> ProgramSettings {
    let command = format!("python3 '{}'", script(dir, "metric.py", body).display());
    ProgramSettings { command, seconds: NonZeroU32::new(seconds), ..ProgramSettings::default() }
}

fn program(dir: &Path, body: &str) -> MetricProgram {
    MetricProgram::new(&settings(dir, body, 60), &Variables::default()).unwrap()
}

/// What it answers about a picture of three pixels and one of four.
fn ask_with(program: &MetricProgram, cancel: &CancelToken) -> Result<f64, MissingScore> {
    let ground_truth = &Pixels::filled(3, 1, [0, 0, 0, 255]).unwrap();
    let generated = &Pixels::filled(4, 1, [255; 4]).unwrap();
    let pair = PicturePair { ground_truth, generated, instruction: Some("a poster") };
    program.value(&pair, cancel)
}

fn ask(program: &MetricProgram) -> Result<f64, MissingScore> {
    ask_with(program, &CancelToken::new())
}

/// Why a program gives no number.
fn failure(body: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    ask(&program(dir.path(), body)).unwrap_err().to_string()
}

#[test]
fn one_program_is_asked_about_pair_after_pair() {
    let dir = tempfile::tempdir().unwrap();
    let body = "count = 0\n\
        while True:\n\
        \x20   pair = hear()\n\
        \x20   assert pair['protocol'] == 1 and pair['instruction'] == 'a poster'\n\
        \x20   truth, made = pair['ground_truth'], pair['generated']\n\
        \x20   assert (truth['width'], truth['height'], made['width']) == (3, 1, 4)\n\
        \x20   for picture in (truth, made):\n\
        \x20       with open(picture['path'], 'rb') as png: assert png.read(4) == b'\\x89PNG'\n\
        \x20   count += 1\n\
        \x20   print('', flush=True)\n\
        \x20   say(value=count / 4)";
    let program = program(dir.path(), body);
    assert_eq!([ask(&program), ask(&program), ask(&program)], [Ok(0.25), Ok(0.5), Ok(0.75)]);
}

#[test]
fn each_way_to_fail_is_a_reason_in_one_line() {
    for (body, words) in [
        (
            "hear(); print('lost', file=sys.stderr); sys.exit(3)",
            &["ended before it answered", "exit code 3", "stderr: lost"][..],
        ),
        ("hear(); os.kill(os.getpid(), 15)", &["signal 15"]),
        ("hear(); print('nonsense', flush=True); time.sleep(60)", &["no message", "nonsense"]),
        ("hear(); say(value=float('nan')); time.sleep(60)", &["no message", "NaN"]),
        ("hear(); print('{\"value\": 1e999}', flush=True); time.sleep(60)", &["no message"]),
        ("hear(); say(value='0.5'); time.sleep(60)", &["no message"]),
        ("hear(); say(protocol=2, value=0.5); time.sleep(60)", &["no message", "protocol"]),
        ("hear(); say(value=0.5, note=''); time.sleep(60)", &["no message"]),
        ("hear(); os.close(1); time.sleep(60)", &["closed its stdout"]),
        ("hear()\nwhile True: sys.stdout.write('x' * 4096)", &["over the limit of 65536 bytes"]),
        ("hear()\nwhile True: print('more', flush=True)", &["no message", "more"]),
        ("hear(); say(error='no key'); time.sleep(60)", &["failed: no key"]),
    ] {
        let began = Instant::now();
        let why = failure(body);
        for words in words {
            assert!(why.contains(words), "{words:?} is not in {why:?}");
        }
        assert!(!why.contains('\n') && why.len() < 2500, "{why}");
        assert!(began.elapsed() < SOON, "{body}: what sleeps is ended");
    }
    let why = failure(&format!("hear(); say(error='{}')", "long".repeat(1000)));
    assert!(why.chars().count() < 400, "{why}");
    let dir = tempfile::tempdir().unwrap();
    let missing = program(dir.path(), "hear(); say(missing='no text')");
    assert_eq!(ask(&missing), Err(MissingScore::Undefined("no text".to_owned())));
    let command = "/no/such/metric --fast".to_owned();
    let settings = ProgramSettings { command, ..ProgramSettings::default() };
    let none = MetricProgram::new(&settings, &Variables::default()).unwrap();
    let why = ask(&none).unwrap_err().to_string();
    assert!(why.contains("cannot be started") && why.ends_with("/no/such/metric"), "{why}");
}

/// A program that starts another and leaves its number in a file before it goes on.
fn with_a_child(pid: &Path, before: &str, after: &str) -> String {
    format!(
        "{before}\nchild = subprocess.Popen(['sleep', '600'])\n\
         with open({:?}, 'w') as file: file.write(str(child.pid))\n{after}",
        pid.display().to_string()
    )
}

#[test]
fn a_program_that_never_answers_is_ended_at_its_time_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let body = with_a_child(&pid, "hear()", "print('thinking', file=sys.stderr); time.sleep(600)");
    let settings = settings(dir.path(), &body, 2);
    let program = MetricProgram::new(&settings, &Variables::default()).unwrap();
    let began = Instant::now();
    let why = ask(&program).unwrap_err().to_string();
    assert!(why.contains("gave no answer within 2 seconds"), "{why}");
    assert!(began.elapsed() < SOON);
    assert_gone(&pid);
}

#[test]
fn a_stopped_measurement_ends_the_program_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let program = program(dir.path(), &with_a_child(&pid, "hear()", "time.sleep(600)"));
    let cancel = CancelToken::new();
    let stopper = cancel_once_written(&pid, &cancel);
    assert_eq!(ask_with(&program, &cancel), Err(MissingScore::Cancelled));
    stopper.join().unwrap();
    assert_gone(&pid);
}

#[test]
fn at_the_end_the_program_ends_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let body = with_a_child(&pid, "hear()", "say(value=1); time.sleep(600)");
    let program = program(dir.path(), &body);
    assert_eq!(ask(&program), Ok(1.0));
    drop(program);
    assert_gone(&pid);
}

#[test]
fn a_program_that_is_gone_is_started_again_and_one_that_always_fails_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let once = program(dir.path(), "say(value=hear()['generated']['width'])");
    assert_eq!([ask(&once), ask(&once), ask(&once)], [Ok(4.0), Ok(4.0), Ok(4.0)]);
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let note = format!("with open({:?}, 'a') as log: log.write('x')\n", log.display().to_string());
    let program = program(dir.path(), &format!("{note}hear(); sys.exit(1)"));
    let whys: Vec<String> = (0..5).map(|_| ask(&program).unwrap_err().to_string()).collect();
    assert!(whys[2].contains("exit code 1") && !whys[2].contains("no more"), "{}", whys[2]);
    assert!(whys[3].contains("exit code 1") && whys[3].contains("no more"), "{}", whys[3]);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "xxx");
    script(dir.path(), "metric.py", "say(value=hear()['ground_truth']['width'])");
    assert_eq!(ask(&program), Ok(3.0), "another program, which did nothing wrong");
}

#[test]
fn a_line_behind_a_blank_one_is_never_the_score_of_the_next_pair() {
    let dir = tempfile::tempdir().unwrap();
    let twice = "while True: hear(); print('{\"value\": 1}\\n\\n{\"value\": 2}', flush=True)";
    let program = program(dir.path(), twice);
    assert_eq!(ask(&program), Ok(1.0));
    // The program wrote all of it at once: what is waited for is the thread that reads.
    std::thread::sleep(Duration::from_millis(500));
    let why = ask(&program).unwrap_err().to_string();
    assert!(why.contains("nobody asked for: {\"value\": 2}"), "{why}");
}

fn score(scorer: &Scorer, width: u32) -> Score {
    let side = |width| ComparedSide {
        picture: Some(Pixels::filled(width, 1, [0, 0, 0, 255]).unwrap()),
        ..ComparedSide::default()
    };
    let task = ComparedTask::new(side(9), Vec::new(), None);
    let wanted = Wanted { variants: Some(&["exec/metric"]), map: None };
    let mut all = Vec::new();
    let cancel = CancelToken::new();
    scorer.score(&task, &side(width), wanted, &cancel, |measured| all.extend(measured)).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0).measurement.score
}

#[test]
fn scores_are_remembered_until_the_program_is_another() {
    let dir = tempfile::tempdir().unwrap();
    let (log, workspace) = (dir.path().join("log"), dir.path().join("w.sqlite"));
    let answer = |expression: &str| {
        format!(
            "while True:\n\
             \x20   width = hear()['generated']['width']\n\
             \x20   with open({:?}, 'a') as log: log.write('x')\n\
             \x20   say(**({expression}))",
            log.display().to_string()
        )
    };
    let asked = || std::fs::read_to_string(&log).unwrap_or_default().len();
    let program = settings(dir.path(), &answer("{'value': width}"), 60);
    let models = ModelSettings { programs: vec![program], ..ModelSettings::default() };
    let scorer = || Scorer::of_models(&models, &Variables::default(), Some(workspace.clone()));
    let first = scorer();
    assert_eq!([score(&first, 3), score(&first, 4)], [Score::Value(3.0), Score::Value(4.0)]);
    assert_eq!([score(&first, 3), score(&scorer(), 4)], [Score::Value(3.0), Score::Value(4.0)]);
    assert_eq!(asked(), 2);
    script(dir.path(), "metric.py", &answer("{'value': 10 * width}"));
    assert_eq!(score(&first, 3), Score::Value(30.0), "not the one that runs, which is another");
    assert_eq!(score(&scorer(), 3), Score::Value(30.0));
    assert_eq!(asked(), 3);
    script(dir.path(), "metric.py", &answer("{'missing': 'too narrow'}"));
    let narrow = Score::Missing(MissingScore::Undefined("too narrow".to_owned()));
    assert_eq!([score(&first, 3), score(&first, 3)], [narrow.clone(), narrow]);
    assert_eq!(asked(), 4);
    script(dir.path(), "metric.py", &answer("{'error': 'it is out of order'}"));
    for count in [5, 6] {
        assert!(matches!(score(&first, 3), Score::Missing(MissingScore::Failed { .. })));
        assert_eq!(asked(), count, "an error is asked about again");
    }
}

fn pentimento(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments);
    command.env("PENTIMENTO_WORKSPACE", "").output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = pentimento(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The mean absolute difference of two pictures of one size.
fn mean_absolute_difference(one: &Pixels, other: &Pixels) -> f64 {
    assert_eq!((one.width(), one.height()), (other.width(), other.height()));
    let pixels = one.rgba().chunks_exact(4).zip(other.rgba().chunks_exact(4));
    let (mut sum, mut count) = (0_u64, 0_u32);
    for (a, b) in pixels {
        for (a, b) in a.iter().zip(b).take(3) {
            sum += u64::from(a.abs_diff(*b));
            count += 1;
        }
    }
    sum as f64 / f64::from(count)
}

#[test]
fn the_example_gives_the_mean_absolute_difference() {
    let [truth, made] =
        ["basket", "settings"].map(|name| format!("sample_runs/replication/{name}.png"));
    let line =
        ["metric", "--gt", truth.as_str(), "--gen", made.as_str(), "--metric", EXAMPLE, "--json"];
    let json: Value = serde_json::from_str(&stdout(&line)).unwrap();
    let metrics = json["metrics"].as_array().unwrap();
    let own = metrics.iter().find(|it| it["id"] == "exec/mean_absolute_difference").unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [truth, made] = [truth, made].map(|path| Pixels::open(&root.join(path)).unwrap());
    let expected = mean_absolute_difference(&truth, &made);
    assert!((own["value"].as_f64().unwrap() - expected).abs() < 1e-9, "{own} is not {expected}");
    assert!(expected > 1.0);
    assert_eq!((&own["better"], &own["range"]), (&json!("lower"), &json!([0.0, 255.0])));
    assert_eq!(own["label"], "mean_absolute_difference");
}

#[test]
fn a_metric_of_ones_own_is_a_column_and_a_filter_and_the_command_says_which() {
    let run = "sample_runs/runs/own-samples/quiz-progress/scripted-01";
    let tasks = ["--tasks", "sample_runs", "--metric", EXAMPLE];
    let line: Vec<&str> = ["score", run, "--no-cache"].into_iter().chain(tasks).collect();
    let scores = stdout(&line);
    assert!(scores.contains("mean_absolute_difference"), "{scores}");
    let columns = ["--columns", "task,exec/mean_absolute_difference"];
    for (filter, rows) in [("<=255", 1), (">255", 0)] {
        let filter = format!("exec/mean_absolute_difference{filter}");
        let line = ["report", "table", run, "--filter", filter.as_str()].into_iter();
        let line: Vec<&str> = line.chain(tasks).chain(columns).collect();
        let table = stdout(&line);
        assert_eq!(table.matches("| quiz-progress").count(), rows, "{table}");
        assert!(table.contains("| mean_absolute_difference"), "{table}");
        assert!(table.contains(&format!("--metric '{EXAMPLE}'")), "{table}");
    }
    let wrong = pentimento(&["score", run, "--metric", "ssim"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("must be exec:COMMAND"));
}

#[test]
fn every_line_is_as_the_schema_says() {
    let validator = jsonschema::validator_for(&PairMessage::json_schema()).unwrap();
    let picture = json!({"width": 3, "height": 4, "path": "/tmp/x.png"});
    for question in [
        json!({"protocol": 1, "ground_truth": picture, "generated": picture}),
        json!({"protocol": 1, "ground_truth": picture, "generated": picture, "instruction": "x"}),
    ] {
        validator.validate(&question).unwrap_or_else(|error| panic!("{error}: {question}"));
        let read: PairQuestion = serde_json::from_value(question.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), question);
    }
    for answer in [json!({"value": 0.5}), json!({"missing": "why"}), json!({"error": "why"})] {
        validator.validate(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        let read: PairAnswer = serde_json::from_value(answer.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), answer);
    }
    for wrong in [
        json!({"value": "0.5"}),
        json!({"value": null}),
        json!({"value": 0.5, "protocol": 2}),
        json!({"error": 3}),
        json!({}),
        json!(0.5),
    ] {
        assert!(validator.validate(&wrong).is_err(), "{wrong}");
        assert!(serde_json::from_value::<PairAnswer>(wrong.clone()).is_err(), "{wrong}");
    }
}

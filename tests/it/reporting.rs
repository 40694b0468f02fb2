//! Reports written from the workbench: of the run on the stage, of all that are listed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pentimento::app::Session;
use pentimento::workbench::protocol::ReportScope;
use pentimento::workbench::{Command, JobKind, Settings, State};
use pentimento::worker::WorkerConfig;

use super::cli;

const PATIENCE: Duration = Duration::from_mins(2);

fn samples() -> (tempfile::TempDir, Session) {
    opened(tempfile::tempdir().unwrap(), vec![PathBuf::from("sample_runs/taskset.json")])
}

/// A session over what is opened, with a folder of its own.
fn opened(dir: tempfile::TempDir, paths: Vec<PathBuf>) -> (tempfile::TempDir, Session) {
    let state = State::new(Settings::default(), dir.path().join("runs"));
    let config = WorkerConfig { drawing_threads: 1, ..WorkerConfig::default() };
    let mut session = Session::start(state, config, || {}).unwrap();
    session.carry_out(Command::Open(paths));
    until(&mut session, |state| {
        !state.library.runs.is_empty()
            && state.jobs.active().all(|(_, job)| job.kind != JobKind::Open)
    });
    (dir, session)
}

fn until(session: &mut Session, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(session.state()) {
        assert!(began.elapsed() < PATIENCE, "{:?}", session.state().notices);
        session.take_next_event(Duration::from_millis(50));
    }
}

fn is_saving(state: &State) -> bool {
    state.jobs.active().any(|(_, job)| job.kind == JobKind::Save)
}

#[test]
fn the_window_writes_the_page_that_the_command_line_writes() {
    let (dir, mut session) = samples();
    let path = dir.path().join("window.html");
    let of = ReportScope::Selected;
    session.carry_out(Command::ExportReport { of, path: path.clone() });
    until(&mut session, |state| !is_saving(state));
    let notice = session.state().notices.last().map(|notice| notice.text.clone());
    assert!(notice.is_some_and(|text| text.starts_with("saved ")), "{:?}", session.state().notices);
    let run = session.state().selected_run().unwrap();
    let other = dir.path().join("command.html");
    let variant = session.state().curve_variant().unwrap().id.to_string();
    let made = cli::program()
        .arg("report")
        .arg(&run.dir)
        .args(["--tasks", "sample_runs", "--only", &variant, "--out"])
        .arg(&other)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    // At the end each says which command made it: two of two files.
    let [window, command] = [path, other].map(|path| {
        let page = std::fs::read_to_string(path).unwrap();
        let (page, made_by) = page.rsplit_once("<footer>").unwrap();
        assert!(made_by.starts_with("Pentimento "), "{made_by}");
        assert!(made_by.contains(": pentimento report "), "{made_by}");
        assert!(made_by.contains(&format!("--only {variant}")), "{made_by}");
        let below = format!("<br>runs: 1<br>metrics: {variant}</footer>");
        assert!(made_by.contains(&below), "{made_by}");
        page.to_owned()
    });
    assert!(window.contains(&run.task.id) && window.contains("<svg class=\"curve\""));
    // The folder is written as it was given.
    let place = run.dir.display().to_string();
    let name = run.dir.file_name().unwrap().to_str().unwrap();
    assert!(window.contains(&place) || window.contains(name));
    let without = |page: &str| page.replace(&place, "").len();
    assert_eq!(without(&window), without(&command));
}

#[test]
fn the_runs_that_pass_the_filter_are_reported_and_none_is_said() {
    let (dir, mut session) = samples();
    let path = dir.path().join("listed.html");
    session.carry_out(Command::SetFilter("basket agent:tracer".to_owned()));
    let of = ReportScope::Listed;
    session.carry_out(Command::ExportReport { of, path: path.clone() });
    until(&mut session, |state| !is_saving(state));
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("<title>2 runs"), "{}", &page[..400]);
    session.carry_out(Command::SetFilter("nothing is called so".to_owned()));
    let path = dir.path().join("none.html");
    session.carry_out(Command::ExportReport { of, path: path.clone() });
    until(&mut session, |state| !is_saving(state));
    let told = &session.state().notices.last().unwrap().text;
    assert!(told.contains("no run to report") && !path.exists(), "{told}");
}

#[test]
fn a_run_that_cannot_be_read_is_left_out_of_the_report_which_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let sample = Path::new("sample_runs/runs/own-samples/quiz-progress/scripted-01");
    let opens = dir.path().join("opened");
    for name in ["a-01", "b-01"] {
        std::fs::create_dir_all(opens.join(name)).unwrap();
        for file in ["run.json", "events.jsonl"] {
            std::fs::copy(sample.join(file), opens.join(name).join(file)).unwrap();
        }
    }
    let (dir, mut session) = opened(dir, vec![opens.clone()]);
    until(&mut session, |state| state.library.runs.len() == 2);
    // Broken only after it was listed.
    let broken = opens.join("b-01/events.jsonl");
    std::fs::remove_file(&broken).unwrap();
    std::fs::create_dir(&broken).unwrap();
    let path = dir.path().join("report.html");
    let of = ReportScope::Listed;
    session.carry_out(Command::ExportReport { of, path: path.clone() });
    until(&mut session, |state| !is_saving(state));
    let page = std::fs::read_to_string(&path).unwrap();
    let (_, footer) = page.rsplit_once("<footer>").unwrap();
    assert!(footer.contains("<br>runs: 1<br>") && footer.contains("<br>left out: "), "{footer}");
    assert!(footer.contains("b-01 cannot be read"), "{footer}");
    until(&mut session, |state| {
        let mut notices = state.notices.iter();
        notices.any(|it| it.text.starts_with("left out: ") && it.text.contains("b-01"))
    });
}

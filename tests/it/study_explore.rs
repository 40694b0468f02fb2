//! The runs of a study in *Explore*: their columns, and the figure of the study, whose numbers are those of the report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use pentimento::app::Session;
use pentimento::evaluate::figures::{STUDY, study_figure_with_marks};
use pentimento::evaluate::studies::StudyAttempt;
use pentimento::study::{AgentAttempt, Autonomous, StudyRecord, Trial};
use pentimento::task;
use pentimento::workbench::{
    AnnotateCommand, AssistCommand, Cell, Column, Command, ExploreCommand, ExploredStudy,
    ExportedTable, Fetched, RunId, Settings, State, StudyCommand, StudyRows, StudySource,
    TableFile, TableFormat, Workspace,
};
use pentimento::worker::WorkerConfig;

use crate::cli::{program, stderr, stdout};
use crate::explore::run_line;
use crate::first_study::samples;
use crate::nodes::until;

/// A study that three scripts did.
pub(crate) fn simulated(dir: &Path) -> PathBuf {
    let out = dir.join("tried");
    let mut command = program();
    command.args(["study", "simulate", "--participants", "3", "--seed", "1", "--tasks"]);
    let output = command.arg(samples()).arg("--out").arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    out
}

/// Its runs in *Explore*, with what the study comes to.
pub(crate) fn explored(dir: &Path, study: &Path) -> Session {
    let state = State::new(Settings::default(), dir.join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![study.join("people")]));
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    session.carry_out(Command::Explore(ExploreCommand::SetFilter("agent:scripted".to_owned())));
    until(&mut session, "the study is counted", |state| {
        state.explore.table.shown.len() == 36 && is_counted(state, 36)
    });
    session
}

fn is_counted(state: &State, attempts: usize) -> bool {
    match state.explored_study() {
        Some(Fetched::Ready(study)) => study.of.attempts.len() == attempts,
        _ => false,
    }
}

/// The numbers of the figure that the command line writes.
fn reported(dir: &Path, study: &Path, more: &[String]) -> Vec<Vec<String>> {
    let out = dir.join("figures");
    let mut command = program();
    command.args(["study", "report"]).arg(study).arg("--include-scripted").args(more);
    let output = command.arg("--out").arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).from_path(out.join("study-scripted.csv"));
    // It can be made again, of the same runs.
    let about = std::fs::read_to_string(out.join("study-scripted.csv.json")).unwrap();
    assert!(more.iter().all(|word| about.contains(word)), "{about}");
    let rows = reader.unwrap().into_records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Both tables of the study that is shown are those that the commands in them write.
fn assert_tables_are_written_alike(dir: &Path, state: &State, attempts: usize) {
    let csv = TableFile::Text(TableFormat::Csv);
    for rows in [StudyRows::Levels, StudyRows::Attempts] {
        let of = ExportedTable::Study(StudySource::Shown, rows);
        let table = state.exported_table(of, csv).unwrap();
        let said = |name: &str| {
            let found = table.about.iter().find(|(known, _)| known == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        assert_eq!(said("runs").split(' ').next(), Some(attempts.to_string().as_str()));
        let (name, file) = (of.file_name(csv), dir.join("written.csv"));
        let line = said("command")
            .replace(&format!("--table {name}"), &format!("--table {}", file.display()));
        let output = run_line(&line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), table.to_csv(), "{line}");
    }
}

fn trial_of(record: &StudyRecord, state: &State, run: RunId) -> Trial {
    let dir = &state.library.runs[&run].dir;
    let mut trials = record.people.iter().flat_map(|person| &person.trials);
    trials.find(|(it, _)| it == dir).unwrap().1.clone()
}

#[test]
fn the_figure_of_a_study_over_its_runs_is_that_of_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let study = simulated(dir.path());
    let mut session = explored(dir.path(), &study);
    let figure = session.state().explore_figure(STUDY).unwrap();
    assert_eq!(figure.numbers, reported(dir.path(), &study, &[]));
    assert_tables_are_written_alike(dir.path(), session.state(), 36);
    let command = session.state().explore_figure_command(STUDY);
    assert!(command.starts_with("pentimento study report "), "{command}");
    assert!(command.contains("--include-scripted") && !command.contains("--select"), "{command}");

    // Of one person only: the same function, over their runs.
    let one = "model:\"P01 (scripted)\"".to_owned();
    session.carry_out(Command::Explore(ExploreCommand::SetFilter(one)));
    until(&mut session, "one person is counted", |state| is_counted(state, 12));
    let state = session.state();
    let figure = state.explore_figure(STUDY).unwrap();
    let command = state.explore_figure_command(STUDY);
    let runs = state.explore.table.shown.iter().map(|run| &state.library.runs[run].dir);
    let mut more = Vec::new();
    for run in runs {
        assert!(command.contains(&format!("--select {}", run.display())), "{command}");
        more.extend(["--select".to_owned(), run.display().to_string()]);
    }
    assert_eq!(more.len(), 24);
    assert_eq!(figure.numbers, reported(dir.path(), &study, &more));
    assert_tables_are_written_alike(dir.path(), state, 12);
    let people: Vec<&String> = figure.numbers.iter().map(|row| &row[2]).collect();
    assert!(people.iter().all(|who| ["who", "all", "P01"].contains(&who.as_str())), "{people:?}");
}

#[test]
fn agents_that_stand_beside_the_people_of_a_study_do_so_in_explore() {
    let dir = tempfile::tempdir().unwrap();
    let study = simulated(dir.path());
    let mut session = explored(dir.path(), &study);
    for command in
        [StudyCommand::Open(study.clone()), StudyCommand::ToggleAgents(samples().join("runs"))]
    {
        session.carry_out(Command::Assist(AssistCommand::Study(command)));
        until(&mut session, "the study is open", |state| state.assist.study.desk.is_some());
    }
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    until(&mut session, "agents are counted", |state| match state.explored_study() {
        Some(Fetched::Ready(study)) => !study.of.results.autonomous.is_empty(),
        _ => false,
    });
    let figure = session.state().explore_figure(STUDY).unwrap();
    assert!(figure.remarks.iter().any(|remark| remark.starts_with("Left out of agents' runs")));
    let more = ["--agents".to_owned(), samples().join("runs").display().to_string()];
    assert_eq!(figure.numbers, reported(dir.path(), &study, &more));
    assert_tables_are_written_alike(dir.path(), session.state(), 36);
    rows_select_their_runs(&mut session);
}

/// Those of agents as those of people do.
fn rows_select_their_runs(session: &mut Session) {
    let Some(Fetched::Ready(study)) = session.state().explored_study() else { panic!() };
    let mut of = study.of.clone();
    let (plan, people) = (of.results.plan.clone(), of.results.cells.len());
    // Two models at every other task.
    let attempts = (0..plan.tasks.len()).step_by(2).flat_map(|task| {
        ["small", "large"].map(|model| AgentAttempt {
            dir: format!("/agents/{model}/{task}").into(),
            model: model.to_owned(),
            task,
            success: task % 4 == 0,
            seconds: 10.0,
            ending: "completed",
        })
    });
    let attempts: Vec<AgentAttempt> = attempts.collect();
    of.results.autonomous = Autonomous::of(&plan, attempts.clone(), BTreeMap::new(), 50);
    let figure = study_figure_with_marks(&of.results);
    let rows = figure.as_ref().unwrap().marks.iter().filter(|mark| mark.person.is_none());
    let rows: Vec<(usize, String)> = rows.map(|mark| (mark.cell, mark.words.clone())).collect();
    let study = ExploredStudy { of, figure };
    let (mut of_people, mut of_agents) = (0, 0);
    for (cell, words) in &rows {
        let dirs: BTreeSet<&Path> = study.runs_of(*cell, None).collect();
        let row = study.of.results.cell(*cell).unwrap();
        assert_eq!(dirs.len(), row.attempts, "{words}");
        let level = row.level.as_deref();
        assert!(words.starts_with(level.unwrap_or("all")), "{words}");
        if *cell < people {
            assert!(dirs.iter().all(|dir| dir.join("run.json").exists()), "{words}");
            of_people += dirs.len();
            continue;
        }
        let model = ["small", "large"].into_iter().find(|model| words.contains(model)).unwrap();
        let expected = attempts.iter().filter(|attempt| {
            let is_here = level.is_none_or(|level| plan.tasks[attempt.task].difficulty == level);
            attempt.model == model && is_here
        });
        assert_eq!(dirs, expected.map(|attempt| attempt.dir.as_path()).collect(), "{words}");
        assert_eq!(study.runs_of(*cell, Some("P01")).count(), 0, "no person made them");
        of_agents += dirs.len();
    }
    // Each at its level and at all levels.
    assert_eq!((of_people, of_agents), (2 * 36, 2 * attempts.len()));

    let select = |session: &mut Session, cell| {
        let select = ExploreCommand::SelectStudyCell { cell, participant: None, is_added: false };
        session.carry_out(Command::Explore(select));
        session.state().explore.selected.clone()
    };
    let before = select(session, 0);
    assert!(!before.is_empty());
    assert!(select(session, rows.len()).is_empty(), "no row");
}

#[test]
fn the_papers_figures_of_success_have_a_study_in_the_window_as_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let study = simulated(dir.path());
    let mut session = explored(dir.path(), &study);
    until(&mut session, "all runs are read", |state| {
        state.library.runs.values().all(|run| run.digest.read().is_some())
    });
    let state = session.state();
    let out = dir.path().join("papers");
    for (id, place) in [("psbench-3", 2), ("psbench-4", 1)] {
        let figure = state.explore_figure(id).unwrap();
        let attempts = figure.numbers[1..].iter().map(|row| row[place].parse::<usize>().unwrap());
        assert_eq!(attempts.sum::<usize>(), 36, "{:?}", figure.numbers);
        let scripts = figure.numbers[1..].iter().flatten().filter(|cell| cell.contains("scripted"));
        assert_eq!(scripts.count(), figure.numbers.len() - 1, "{:?}", figure.numbers);
        let command = state.explore_figure_command(id);
        let written = command.replace("--out figures", &format!("--out {}", out.display()));
        let output = run_line(&written);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        let mut reader = csv::ReaderBuilder::new();
        let rows = reader.has_headers(false).from_path(out.join(format!("{id}.csv"))).unwrap();
        let rows = rows.into_records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
        assert_eq!(rows.collect::<Vec<Vec<String>>>(), figure.numbers);
    }
    // Without a filter that names them scripts are in no figure.
    let mut command = program();
    command.args(["report", "figures"]).arg(study.join("people")).args(["--only", "psbench-3"]);
    let output = command.arg("--out").arg(&out).output().unwrap();
    assert!(!output.status.success());
    assert!(
        stderr(&output).contains("36 runs of scripts that stand for people"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn groups_of_a_study_are_compared_by_the_success_that_its_logs_say() {
    let dir = tempfile::tempdir().unwrap();
    let people = simulated(dir.path()).join("people");
    let mut command = program();
    command.arg("compare").arg(&people).args(["--by", "settings.study.condition"]);
    command.args(["--metric", "success", "--filter", "agent:scripted", "--json"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let runs = task::open(&people).unwrap().runs;
    let mut counted = 0;
    for (side, group) in ["first", "second"].into_iter().zip(found["groups"].as_array().unwrap()) {
        for of_task in found["tasks"].as_array().unwrap() {
            let runs = runs.iter().filter(|run| of_task["task"] == run.manifest.task.id);
            let attempts = runs.filter_map(|run| StudyAttempt::of_run(&run.dir, &run.manifest));
            let attempts = attempts.filter(|attempt| group["name"] == attempt.condition);
            let successes: Vec<f64> = attempts.map(|it| f64::from(u8::from(it.success))).collect();
            assert_eq!(of_task[side]["measured"], successes.len());
            let sum = of_task[side]["mean"].as_f64().unwrap_or_default() * successes.len() as f64;
            assert!((sum - successes.iter().sum::<f64>()).abs() < 1e-9, "{of_task}");
            counted += successes.len();
        }
    }
    let in_groups = found["groups"].as_array().unwrap().iter();
    let in_groups = in_groups.map(|group| group["runs"].as_u64().unwrap()).sum::<u64>();
    assert!(in_groups > 0 && counted as u64 == in_groups, "{counted} {in_groups}");
}

#[test]
fn a_bar_and_a_dot_select_their_runs_and_success_is_a_column() {
    let dir = tempfile::tempdir().unwrap();
    let study = simulated(dir.path());
    let mut session = explored(dir.path(), &study);
    let record = StudyRecord::open(&study).unwrap();
    // The first cell is the first level under the first condition.
    let select = |session: &mut Session, participant: Option<&str>, is_added| {
        let participant = participant.map(str::to_owned);
        let command = ExploreCommand::SelectStudyCell { cell: 0, participant, is_added };
        session.carry_out(Command::Explore(command));
        session.state().explore.selected.clone()
    };
    let all = select(&mut session, None, false);
    let (level, condition) = (record.plan.levels()[0], &record.plan.conditions[0].id);
    let here = record.people.iter().flat_map(|person| &person.trials).filter(|(_, trial)| {
        trial.facts.difficulty == level && trial.facts.condition == *condition
    });
    assert_eq!(all.len(), here.count());
    for run in &all {
        let facts = trial_of(&record, session.state(), *run).facts;
        assert_eq!((facts.difficulty.as_str(), &facts.condition), (level, condition));
    }
    let own = select(&mut session, Some("P01"), false);
    assert!(!own.is_empty() && own.len() < all.len() && own.is_subset(&all));
    assert_eq!(select(&mut session, None, true), all, "beside what is selected");

    for column in [Column::Success, Column::SuccessSeconds] {
        session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column)));
    }
    until(&mut session, "all runs are read", |state| {
        state.library.runs.values().all(|run| run.digest.read().is_some())
    });
    let state = session.state();
    let mut successes = 0;
    for run in &state.explore.table.shown {
        let trial = trial_of(&record, state, *run);
        let cell = state.explore.table.cell(*run, &Column::Success);
        assert_eq!(cell, Some(&Cell::Flag(trial.succeeded())));
        let seconds = state.explore.table.number(*run, &Column::SuccessSeconds);
        assert_eq!(seconds, trial.succeeded().then(|| trial.seconds()));
        successes += usize::from(trial.succeeded());
    }
    assert!(successes > 0 && successes < 36, "{successes}");
}

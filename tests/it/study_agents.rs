//! Agents beside people in the window's results of a study: what `study report --agents` says of the same runs.

use std::path::Path;

use pentimento::app::Session;
use pentimento::evaluate::figures::STUDY_RESULTS;
use pentimento::workbench::{
    AssistCommand, Command, ExportedTable, Settings, State, StudyCommand, StudyFindings, StudyRows,
    StudySource, TableFile, TableFormat, views,
};
use pentimento::worker::WorkerConfig;

use crate::cli::stderr;
use crate::explore::run_line;
use crate::first_study::samples;
use crate::nodes::until;
use crate::study_report::printed;

fn ask(session: &mut Session, command: StudyCommand) {
    session.carry_out(Command::Assist(AssistCommand::Study(command)));
}

/// What was counted last, unless it is being counted anew.
fn counted(state: &State) -> Option<&StudyFindings> {
    let desk = state.assist.study.desk.as_deref().filter(|desk| desk.counting.is_none())?;
    Some(desk.results.as_ref()?.as_ref().unwrap())
}

/// What a command line writes into a file, as rows.
fn written(line: &str, file: &Path) -> Vec<Vec<String>> {
    let output = run_line(line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    let mut reader = csv::ReaderBuilder::new();
    let rows = reader.has_headers(false).from_path(file).unwrap().into_records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn agents_in_the_windows_results_are_those_of_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let (mine, tasks) = (dir.path().join("mine"), samples());
    let runs = tasks.join("runs");
    let study = mine.to_str().unwrap();
    printed(&["new", study, "--tasks", tasks.to_str().unwrap(), "--preset", "psbench"]);
    let state = State::new(Settings::default(), dir.path().join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![runs.clone()]));
    until(&mut session, "the runs are listed", |state| state.library.runs.len() == 19);
    ask(&mut session, StudyCommand::Open(mine.clone()));
    until(&mut session, "the study is open", |state| state.assist.study.desk.is_some());
    ask(&mut session, StudyCommand::ShowResults(true));
    until(&mut session, "people are counted", |state| counted(state).is_some());
    let found = counted(session.state()).unwrap();
    assert!(found.results.autonomous.is_empty() && found.figure.is_err());

    // The folder says beforehand what it holds.
    let folders = views::agent_folders(session.state());
    let [folder] = folders.as_slice() else { panic!("{folders:?}") };
    assert_eq!((folder.dir, folder.runs, folder.of_study()), (runs.as_path(), 19, 19));
    let agents = folder.agents.iter().map(|((name, _), runs)| (*name, *runs));
    assert_eq!(agents.collect::<Vec<_>>(), [("scripted", 8), ("tracer", 11)]);
    assert!(!folder.is_counted && folder.left_out.is_empty());

    // What is stopped leaves what was counted before; of several in a row the last is counted.
    ask(&mut session, StudyCommand::ToggleAgents(runs.clone()));
    ask(&mut session, StudyCommand::StopCounting);
    let found = counted(session.state()).unwrap();
    assert!(found.of.agents.is_empty() && found.results.autonomous.is_empty());
    ask(&mut session, StudyCommand::ToggleAgents(runs.clone()));
    assert!(counted(session.state()).is_none(), "it is counted anew");
    ask(&mut session, StudyCommand::ToggleAgents(runs.clone()));
    until(&mut session, "agents are counted", |state| counted(state).is_some());
    let state = session.state();
    let found = counted(state).unwrap();
    let models = found.results.autonomous.models.iter().map(|it| (it.name.as_str(), it.runs));
    assert_eq!(models.collect::<Vec<_>>(), [("scripted", 8), ("tracer", 11)]);

    // Figure and tables are what their commands write.
    let out = dir.path().join("figures");
    let line = state.explore_figure_command(STUDY_RESULTS);
    assert!(line.contains(&format!(" --agents {} ", runs.display())), "{line}");
    let line = line.replace("--out figures", &format!("--out {}", out.display()));
    let figure = state.explore_figure(STUDY_RESULTS).unwrap();
    assert_eq!(figure.numbers, written(&line, &out.join("study.csv")));
    assert!(figure.remarks.iter().any(|remark| remark.contains("8 runs of scripted")));
    let csv = TableFile::Text(TableFormat::Csv);
    for rows in [StudyRows::Levels, StudyRows::Attempts] {
        let of = ExportedTable::Study(StudySource::Open, rows);
        let table = state.exported_table(of, csv).unwrap();
        let (_, line) = table.about.iter().find(|(name, _)| name == "command").unwrap();
        let (name, file) = (of.file_name(csv), dir.path().join("written.csv"));
        let line = line.replace(&format!("--table {name}"), &format!("--table {}", file.display()));
        written(&line, &file);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), table.to_csv(), "{line}");
    }

    // A folder that is gone says so, and can be taken away again.
    let gone = dir.path().join("gone");
    ask(&mut session, StudyCommand::ToggleAgents(gone.clone()));
    until(&mut session, "why it cannot be counted", |state| {
        let desk = state.assist.study.desk.as_deref();
        desk.is_some_and(|desk| matches!(&desk.results, Some(Err(why)) if why.contains("gone")))
    });
    for folder in [gone, runs] {
        ask(&mut session, StudyCommand::ToggleAgents(folder));
    }
    until(&mut session, "people alone are counted", |state| {
        let desk = state.assist.study.desk.as_deref();
        desk.is_some_and(|desk| {
            let is_done = desk.counting.is_none() && matches!(desk.results, Some(Ok(_)));
            is_done && counted(state).is_some_and(|found| found.of.agents.is_empty())
        })
    });
    assert!(counted(session.state()).unwrap().results.autonomous.is_empty());
}

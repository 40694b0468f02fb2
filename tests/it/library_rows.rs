//! What the rows of the library say of runs that nobody has opened.

use std::path::PathBuf;
use std::sync::Arc;

use pentimento::evaluate::RunDigest;
use pentimento::metric::Score;
use pentimento::run::{IMPORTED_KIND, ImportRecord, Outcome};
use pentimento::workbench::protocol::ListedRun;
use pentimento::workbench::views::{self, LibraryRow, RunOutcome};
use pentimento::workbench::{
    AnnotateCommand, Arrangement, Cell, Column, Command, Derived, DerivedKey, DigestState, Event,
    ExploreCommand, Gap, Grouping, JobId, JobOutcome, Request, RunId, RunState, ScoreKey,
    ScorePurpose, ScoredStep, SortBy, State, TableFormat, Workspace, apply, handle,
};

use crate::workbench::{listed, opened};

/// The scores that are asked for now, with their jobs.
fn asked(requests: &[Request]) -> Vec<(JobId, ScoreKey)> {
    let score = |request: &Request| match request {
        Request::Derive { job, key: DerivedKey::Scores(key), .. } => Some((*job, key.clone())),
        _ => None,
    };
    requests.iter().filter_map(score).collect()
}

fn answer(state: &mut State, job: JobId, key: &ScoreKey, steps: &[u32]) -> Vec<Request> {
    for step in steps {
        let scores = key.variants.iter().map(|id| (id.clone(), Score::Value(0.5))).collect();
        let scored = ScoredStep { run: key.run, step: *step, scores, maps: Vec::new() };
        apply(state, Event::Derived { job, result: Ok(Derived::Scores(scored)) });
    }
    apply(state, Event::JobEnded(job, JobOutcome::Done))
}

#[test]
fn a_line_is_drawn_of_what_is_in_sight_once_all_last_scores_are_known() {
    let (mut state, first) = opened();
    let mut requests = first;
    handle(&mut state, Command::ShowRuns(vec![RunId(0), RunId(1), RunId(2)]));
    let mut lasts = Vec::new();
    // Until nothing but lines is left to be asked for.
    let sketch = loop {
        let Some((job, key)) = asked(&requests)
            .into_iter()
            .find(|(_, key)| matches!(key.purpose, ScorePurpose::Last | ScorePurpose::Sketch))
        else {
            panic!("no line was asked for after {lasts:?}")
        };
        if key.purpose == ScorePurpose::Sketch {
            break (job, key);
        }
        let last = state.library.runs[&key.run].steps;
        lasts.push(key.run);
        let next = answer(&mut state, job, &key, &[last]);
        requests
            .retain(|request| !matches!(request, Request::Derive { job: of, .. } if *of == job));
        requests.extend(next);
    };
    assert!(lasts.len() >= 2, "{lasts:?}");
    let (job, key) = sketch;
    // The first is selected: it gets all of its curve.
    assert_eq!((key.run, key.steps.as_slice()), (RunId(1), &[0, 1, 2, 3, 4, 5][..]));
    let next = answer(&mut state, job, &key, &key.steps.clone());
    assert_eq!(state.library.runs[&RunId(1)].curves.of(&key.variants[0]).len(), 7);
    let next = asked(&next);
    assert_eq!(next.iter().map(|(_, key)| key.run).collect::<Vec<_>>(), [RunId(2)]);
    // What is scrolled out of sight is given up.
    let given_up = handle(&mut state, Command::ShowRuns(vec![RunId(0)]));
    assert!(given_up.iter().any(|it| matches!(it, Request::Cancel(job) if *job == next[0].0)));
}

#[test]
fn runs_of_one_name_are_told_apart_by_number_or_time_and_others_are_not_marked() {
    let marks = |runs: Vec<ListedRun>| {
        let mut state = State::new(pentimento::workbench::Settings::default(), "/out".into());
        let requests = handle(&mut state, Command::Open(vec![PathBuf::from("/runs")]));
        let [Request::Open { job, .. }] = requests.as_slice() else { panic!("{requests:?}") };
        let event = Event::Opened { job: *job, sets: Vec::new(), runs, warnings: Vec::new() };
        apply(&mut state, event);
        let rows = views::library_rows(&state).rows;
        let marks = rows.into_iter().filter_map(|row| match row {
            LibraryRow::Run(row) => Some(row.mark().unwrap_or_default()),
            _ => None,
        });
        let mut marks: Vec<String> = marks.collect();
        marks.sort();
        marks
    };
    let run = |folder: &str, agent: &str, started: &str| {
        let mut run = listed("login", agent, 3, Outcome::Completed);
        run.dir = PathBuf::from(folder);
        run.manifest.started = started.to_owned();
        run.manifest.id = format!("{folder} {started}");
        run
    };
    let early = "2026-03-14T09:26:53Z";
    let three = vec![
        run("/a/tracer-01", "tracer", early),
        run("/a/tracer-02", "tracer", early),
        run("/a/gpt-01", "gpt", early),
    ];
    assert_eq!(marks(three), ["", "01", "02"]);
    let places = vec![
        run("/a/tracer-01", "tracer", early),
        run("/b/tracer-01", "tracer", "2026-03-14T11:02:00Z"),
    ];
    assert_eq!(marks(places), ["09:26", "11:02"]);
    let days = vec![
        run("/a/tracer-01", "tracer", early),
        run("/b/tracer-01", "tracer", "2026-03-15T09:26:00Z"),
    ];
    assert_eq!(marks(days), ["2026-03-14", "2026-03-15"]);
    let same = vec![run("/a/x", "tracer", early), run("/b/x", "tracer", early)];
    assert_eq!(marks(same), ["", ""]);
}

/// What the row of a run says of how it ended, and its word in *Explore* and in the inspector.
fn told(state: &mut State, id: u32) -> (RunOutcome, String) {
    drop(handle(state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    handle(state, Command::SelectRun(RunId(id)));
    let rows = views::library_rows(state).rows;
    let mut outcomes = rows.iter().filter_map(|row| match row {
        LibraryRow::Run(row) if row.id == RunId(id) => Some(row.outcome()),
        _ => None,
    });
    let outcome = outcomes.next().expect("the row of the run");
    let word = state.explore.table.text(RunId(id), &Column::State).unwrap().to_owned();
    assert_eq!(views::inspector(state).unwrap().word, word);
    assert!(state.explored_text(TableFormat::Csv).contains(&format!(",{word},")), "{word}");
    (outcome, word)
}

/// The runs that a filter of *Explore* leaves.
fn passing(state: &mut State, filter: &str) -> Vec<u32> {
    drop(handle(state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    drop(handle(state, Command::Explore(ExploreCommand::SetFilter(filter.to_owned()))));
    assert_eq!(state.explore.table.problem, None, "{filter}");
    state.explore.table.shown.iter().map(|run| run.0).collect()
}

#[test]
fn what_nobody_recorded_of_an_imported_run_is_claimed_nowhere() {
    let (mut state, _) = opened();
    // A plan that was carried out on import, and a record that says how it ended.
    for (id, imported) in [
        (0, None),
        (1, Some(ImportRecord { outcome: Some("done".to_owned()), ..ImportRecord::default() })),
    ] {
        let run = state.library.runs.get_mut(&RunId(id)).unwrap();
        run.state = RunState::Finished;
        run.manifest.outcome = Outcome::Completed;
        run.manifest.agent.kind = IMPORTED_KIND.to_owned();
        run.manifest.imported = imported;
        run.manifest.totals.seconds = 12.5;
    }
    for column in [Column::Started, Column::Seconds] {
        drop(handle(&mut state, Command::Explore(ExploreCommand::ToggleColumn(column))));
    }
    assert_eq!(told(&mut state, 0), (RunOutcome::NotRecorded, "imported".to_owned()));
    assert_eq!(told(&mut state, 1), (RunOutcome::Completed, "finished".to_owned()));
    let cell = |run, column| state.explore.table.cell(RunId(run), &column).cloned();
    for column in [Column::Started, Column::Seconds] {
        assert_eq!(cell(0, column.clone()), Some(Cell::Missing(Gap::NotRecorded)), "{column:?}");
    }
    assert_eq!(cell(1, Column::Started), Some(Cell::Text("2026-01-01T00:00:00Z".into())));
    assert_eq!(cell(1, Column::Seconds), Some(Cell::Number(12.5)));
    assert_eq!(passing(&mut state, "state:imported"), [0]);
    assert_eq!(passing(&mut state, "state:finished"), [1]);
    assert_eq!(passing(&mut state, "seconds>1"), [1]);
    // By their beginnings, the newest first: what has none is last.
    state.library.runs.get_mut(&RunId(0)).unwrap().manifest.started =
        "2027-01-01T00:00:00Z".to_owned();
    state.library.arrangement =
        Arrangement { sort: SortBy::Started, grouping: Grouping::None, is_reversed: false };
    assert_eq!(views::run_order(&state).last(), Some(&RunId(0)));
}

#[test]
fn a_run_of_which_part_is_lost_says_so_before_anybody_opens_it() {
    let (mut state, _) = opened();
    assert_eq!(told(&mut state, 0), (RunOutcome::Completed, "finished".to_owned()));
    // Found by whoever read it to score it.
    apply(&mut state, Event::RunDamaged { run_id: RunId(0) });
    assert_eq!(told(&mut state, 0), (RunOutcome::Damaged, "damaged".to_owned()));
    assert_eq!(passing(&mut state, "state:damaged"), [0]);
    assert!(passing(&mut state, "state:finished").is_empty());
    // Or by whoever read what it called.
    let (mut state, _) = opened();
    let digest = RunDigest { is_torn: true, ..RunDigest::default() };
    state.library.runs.get_mut(&RunId(0)).unwrap().digest = DigestState::Read(Arc::new(digest));
    assert_eq!(told(&mut state, 0), (RunOutcome::Damaged, "damaged".to_owned()));
}

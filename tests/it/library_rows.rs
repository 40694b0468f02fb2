//! What the rows of the library say of runs that nobody has opened.

use std::path::PathBuf;

use pentimento::metric::Score;
use pentimento::run::Outcome;
use pentimento::workbench::protocol::ListedRun;
use pentimento::workbench::views::{self, LibraryRow};
use pentimento::workbench::{
    Command, Derived, DerivedKey, Event, JobId, JobOutcome, Request, RunId, ScoreKey, ScorePurpose,
    ScoredStep, State, apply, handle,
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

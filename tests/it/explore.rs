//! The table over all runs without a window: one filter language here and in the library, and beside the fast ways
//! slow ones that are plain to see; and the figures by the real program.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use pentimento::base::Variables;
use pentimento::environment::{FailureClass, ToolCategory};
use pentimento::evaluate::figures::FIGURES;
use pentimento::evaluate::{Condition, Failed, RunDigest, StepDigest, ToolCount};
use pentimento::metric::{MissingScore, Registry, Score, VariantSpec};
use pentimento::model::ModelSettings;
use pentimento::run::ImportRecord;
use pentimento::task::Reference;
use pentimento::workbench::protocol::ReferenceOrder;
use pentimento::workbench::views::{self, LibraryRow};
use pentimento::workbench::{
    AnnotateCommand, Cell, Column, Command, Curves, Derived, DerivedKey, DigestState, Event,
    ExploreCommand, ExplorePanel, JobId, JobKind, JobOutcome, NoteKey, PaperFigures, Request,
    RunId, RunState, ScoreKey, ScorePurpose, ScoredStep, ScoresCommand, Selecting, State, Variants,
    Workspace, apply, handle,
};

use crate::cli::{assert_fails, program, run, stderr, stdout};
use crate::workbench::{SET, opened, task_ref};

fn digest(calls: &[(&str, Option<FailureClass>)]) -> Arc<RunDigest> {
    let mut digest = RunDigest::default();
    for (at, (name, failure)) in (1_u32..).zip(calls) {
        let known = digest.tools.iter().position(|tool| *tool.name == **name);
        let tool = known.unwrap_or_else(|| {
            let category = ToolCategory::Creation;
            digest.tools.push(ToolCount { name: (*name).into(), category, calls: 0, failures: 0 });
            digest.tools.len() - 1
        });
        digest.tools[tool].calls += 1;
        digest.tools[tool].failures += u32::from(failure.is_some());
        digest.steps.push(StepDigest {
            tool: tool as u16,
            turn: at.div_ceil(2),
            category: ToolCategory::Creation,
            failure: failure.map(Failed::Class),
            expert: None,
        });
    }
    Arc::new(digest)
}

/// Runs in every state, two of which are read.
fn room() -> State {
    let (mut state, _) = opened();
    let failed = Some(FailureClass::UnknownNode);
    let runs = &mut state.library.runs;
    for (id, calls) in [
        (0, vec![("create_text", None), ("move_node", failed), ("create_text", None)]),
        (1, vec![("create_text", failed), ("move_node", None)]),
    ] {
        let run = runs.get_mut(&RunId(id)).unwrap();
        run.digest = DigestState::Read(digest(&calls));
        run.manifest.totals.calls = calls.len() as u32;
        run.last_score = Some(Score::Value(0.4 + f64::from(id) / 4.0));
        run.manifest.totals.cost_usd = (id == 0).then_some(0.25);
        run.manifest.totals.seconds = 30.0 * f64::from(id + 1);
    }
    show(&mut state);
    state
}

fn show(state: &mut State) -> Vec<Request> {
    handle(state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore)))
}

fn filter(state: &mut State, filter: &str) -> BTreeSet<u32> {
    drop(handle(state, Command::Explore(ExploreCommand::SetFilter(filter.to_owned()))));
    assert_eq!(state.explore.table.problem, None, "{filter}");
    state.explore.table.shown.iter().map(|run| run.0).collect()
}

/// The same by the library.
fn in_library(state: &mut State, filter: &str) -> BTreeSet<u32> {
    drop(handle(state, Command::SetFilter(filter.to_owned())));
    let rows = views::library_rows(state);
    let runs = rows.rows.iter().filter_map(|row| match row {
        LibraryRow::Run(row) => Some(row.id.0),
        _ => None,
    });
    runs.collect()
}

#[test]
fn filters_find_calls_failures_steps_and_alternatives_in_table_and_library_alike() {
    let mut state = room();
    for (text, runs) in [
        ("", &[0, 1, 2, 3][..]),
        ("tool:create_text", &[0, 1]),
        ("tool=text", &[]),
        ("tool=create_text,move_node", &[0, 1]),
        ("error:any", &[0, 1]),
        ("error:bad_arguments", &[]),
        ("step:tool:create_text step:error:any", &[1]),
        ("step:tool:move_node step:error:any", &[0]),
        ("step:step=3", &[0]),
        ("step:turn>1 or state:cancelled", &[0, 2]),
        ("-step:error:any tool:create", &[]),
        ("model=gpt", &[1]),
        ("model=gp", &[]),
        ("model:gp", &[1]),
        ("cost>0.2", &[0]),
        ("calls>=3", &[0]),
        ("seconds>30", &[1]),
        ("seconds<=30", &[0]),
        ("tools=2", &[0, 1]),
        ("ssim<0.5 or ssim>0.6", &[0, 1]),
        ("ssim/uniform7<0.5", &[0]),
        ("state:live or state:cancelled", &[2, 3]),
        ("model:tracer task=cart", &[2]),
    ] {
        let expected: BTreeSet<u32> = runs.iter().copied().collect();
        assert_eq!(filter(&mut state, text), expected, "{text}");
        // Without a filter folded tasks hide their runs there.
        if !text.is_empty() {
            assert_eq!(in_library(&mut state, text), expected, "{text}");
        }
    }
}

#[test]
fn runs_whose_tokens_are_not_known_pass_no_comparison_of_them() {
    let mut state = room();
    for (id, run) in &mut state.library.runs {
        let totals = &mut run.manifest.totals;
        (totals.input_tokens, totals.output_tokens) = (if id.0 == 0 { 5 } else { 0 }, 0);
    }
    for (text, runs) in [("tokens<10", &[0][..]), ("tokens>=0", &[0]), ("tokens=0", &[])] {
        let expected: BTreeSet<u32> = runs.iter().copied().collect();
        assert_eq!(filter(&mut state, text), expected, "{text}");
        assert_eq!(in_library(&mut state, text), expected, "{text}");
    }
}

#[test]
fn filters_ask_for_scores_by_every_metric_that_there_is() {
    let mut state = room();
    let metrics = ModelSettings::default().registry(Registry::built_in(), &Variables::default());
    let first = metrics.variants().next().unwrap();
    let network = VariantSpec { id: "saliency_cc/umsi++".into(), ..first.clone() };
    state.variants = Variants::new(metrics.variants().cloned().chain([network]));
    for name in [
        "lpips",
        "lpips/alex",
        "clip_score",
        "caption_similarity",
        "originality",
        "vqa",
        "vqa/judge",
        "design_pass",
        "saliency_cc/umsi++",
    ] {
        let mut variants = state.variants.iter();
        let meant = variants.find(|it| it.id == name || it.metric() == name).unwrap().id.clone();
        for (id, score) in [(0, 0.25), (1, 0.75)] {
            let run = state.library.runs.get_mut(&RunId(id)).unwrap();
            run.last_scores.insert(meant.clone(), Score::Value(score));
        }
        let text = format!("{name}<0.5");
        assert_eq!(filter(&mut state, &text), BTreeSet::from([0]), "{text}");
        assert_eq!(in_library(&mut state, &text), BTreeSet::from([0]), "{text}");
    }
    filter(&mut state, "capt");
    let ways: Vec<&str> =
        state.explore.table.completions.iter().map(|way| way.term.as_str()).collect();
    assert_eq!(ways.first(), Some(&"caption_similarity<"), "{ways:?}");
    // What there is no more is said, as a word that is no metric is.
    state.variants = Variants::default();
    drop(handle(&mut state, Command::SetFilter("lpips<0.5".to_owned())));
    let error = views::library_rows(&state).filter_error.unwrap();
    assert!(error.message.contains("`lpips` is not known here"), "{error}");
}

/// The runs whose ends are to be measured by a variant.
fn measured_by(requests: &[Request], variant: &str) -> BTreeSet<RunId> {
    let runs = requests.iter().filter_map(|request| match request {
        Request::Derive { key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Last && key.variants.iter().any(|id| id == variant) =>
        {
            Some(key.run)
        }
        _ => None,
    });
    runs.collect()
}

#[test]
fn scores_by_a_learned_metric_are_asked_for_anew_when_another_model_stands_behind_its_name() {
    const NETWORK: &str = "saliency_cc/umsi++";
    let mut state = room();
    let network = VariantSpec { id: NETWORK.into(), ..state.variants[0].clone() };
    let variants: Vec<VariantSpec> = state.variants.iter().cloned().chain([network]).collect();
    state.variants = Variants::new(variants.clone());
    for id in 0..4 {
        let run = state.library.runs.get_mut(&RunId(id)).unwrap();
        run.last_scores.insert(NETWORK.into(), Score::Value(0.5));
    }
    let column = Column::Score(NETWORK.into());
    let toggle = Command::Explore(ExploreCommand::ToggleColumn(column.clone()));
    assert!(measured_by(&handle(&mut state, toggle), NETWORK).is_empty(), "all are known");
    let asked = handle(&mut state, Command::Scores(ScoresCommand::UseModels(None)));
    let job = asked.iter().find_map(|request| match request {
        Request::UseModels { job, .. } => Some(*job),
        _ => None,
    });
    let used = Event::ModelsUsed { job: job.unwrap(), result: Ok(variants) };
    let mut asked = apply(&mut state, used);
    // A few ends are measured at a time, and others were asked for before.
    let under_way = state.jobs.active().filter(|(_, job)| job.kind == JobKind::Derive);
    let under_way: Vec<JobId> = under_way.map(|(job, _)| job).collect();
    for job in under_way {
        asked.extend(apply(&mut state, Event::JobEnded(job, JobOutcome::Done)));
    }
    assert!(measured_by(&asked, NETWORK).contains(&RunId(0)), "{asked:?}");
    let cell = state.explore.table.cell(RunId(0), &column);
    assert!(matches!(cell, Some(Cell::Missing(_))), "{cell:?}");
}

#[test]
fn a_letter_asks_for_no_score_again_and_runs_that_came_while_another_room_was_shown_are_asked_for()
{
    const NETWORK: &str = "saliency_cc/umsi++";
    let mut state = room();
    let network = VariantSpec { id: NETWORK.into(), ..state.variants[0].clone() };
    state.variants =
        Variants::new(state.variants.iter().cloned().chain([network]).collect::<Vec<_>>());
    for id in 0..4 {
        let run = state.library.runs.get_mut(&RunId(id)).unwrap();
        run.last_scores.insert(NETWORK.into(), Score::Value(0.5));
    }
    let column = Command::Explore(ExploreCommand::ToggleColumn(Column::Score(NETWORK.into())));
    let show = |room| Command::Annotate(AnnotateCommand::Show(room));
    drop(handle(&mut state, column));
    drop(handle(&mut state, show(Workspace::Inspect)));
    // Each has all that the table shows, one aside.
    let run = state.library.runs.get_mut(&RunId(0)).unwrap();
    run.last_scores.clear();
    // A few ends are measured at a time, and others were asked for before.
    let under_way = state.jobs.active().filter(|(_, job)| job.kind == JobKind::Derive);
    for job in under_way.map(|(job, _)| job).collect::<Vec<JobId>>() {
        drop(apply(&mut state, Event::JobEnded(job, JobOutcome::Done)));
    }
    let asked = handle(&mut state, show(Workspace::Explore));
    assert_eq!(measured_by(&asked, NETWORK), BTreeSet::from([RunId(0)]), "{asked:?}");
    for text in ["m", "model:", "model:g"] {
        let set = Command::Explore(ExploreCommand::SetFilter(text.to_owned()));
        assert!(measured_by(&handle(&mut state, set), NETWORK).is_empty(), "{text}");
    }
}

#[test]
fn the_table_follows_what_runs_say_of_themselves_and_references_that_are_written() {
    let mut state = room();
    for column in [Column::Agent, Column::Mode, Column::Started, Column::Precision] {
        drop(handle(&mut state, Command::Explore(ExploreCommand::ToggleColumn(column))));
    }
    let run = state.library.runs.get_mut(&RunId(0)).unwrap();
    run.manifest.agent.kind = "hand".to_owned();
    run.manifest.agent.name = "Ada".to_owned();
    run.manifest.mode = "single_turn".to_owned();
    run.manifest.started = "2026-02-02T00:00:00Z".to_owned();
    drop(handle(&mut state, Command::CloseOverlay));
    let columns = [Column::Agent, Column::Model, Column::Mode, Column::Started];
    let words =
        columns.map(|column| state.explore.table.text(RunId(0), &column).map(str::to_owned));
    let expected = ["hand", "Ada", "single_turn", "2026-02-02T00:00:00Z"];
    assert_eq!(words, expected.map(|word| Some(word.to_owned())));

    assert_eq!(state.explore.table.number(RunId(0), &Column::Precision), None);
    let order = ReferenceOrder {
        set_dir: "/sets/screens".into(),
        task: task_ref("login"),
        reference: Reference::Tools(vec!["create_text".to_owned()]),
    };
    let written = Event::ReferenceWritten { order, backup: "/sets/screens/before".into() };
    drop(apply(&mut state, written));
    assert!(state.explore.table.number(RunId(0), &Column::Precision).is_some());
}

#[test]
fn what_is_not_read_yet_neither_passes_nor_is_passed_over() {
    let mut state = room();
    // Run 2 was never read, run 3 is live and is read when it has ended.
    assert_eq!(filter(&mut state, "-tool:create_text"), BTreeSet::new());
    assert_eq!(state.explore.table.awaited, 2);
    filter(&mut state, "-tool:create_text state:failed");
    assert_eq!(state.explore.table.awaited, 0, "whatever it called, it does not pass");
    // Terms about a step are of one and the same also where another term is not known: one text was made, and a move failed.
    for is_below in ["ssim<0.9", "-ssim>0.9"] {
        let text = format!("step:tool:create_text -step:error:any {is_below}");
        state.library.runs.get_mut(&RunId(0)).unwrap().last_score = Some(Score::Value(0.4));
        assert_eq!(filter(&mut state, &text), BTreeSet::from([0]), "{text}");
        let awaited = state.explore.table.awaited;
        state.library.runs.get_mut(&RunId(0)).unwrap().last_score = None;
        filter(&mut state, "");
        assert_eq!(filter(&mut state, &text), BTreeSet::new(), "{text}");
        assert_eq!(state.explore.table.awaited, awaited + 1, "{text}");
    }
}

/// What may stand before a term that is being typed.
const BEFORE: [&str; 11] = [
    "",
    "-",
    "calls>1 ",
    "step:tool:create_text ",
    "step:tool:create -step:error:any ",
    "-step:error:any -",
    "-step:error:any ",
    "calls>2 -step:tool:move -step:error:any ",
    "task:login or state:live ",
    "step:error:any or model:scripted step:tool:move ",
    "calls>2 or ",
];
/// Terms that are being typed, of every field.
const STARTS: [&str; 29] = [
    "",
    "tool:",
    "tool:create_text,m",
    "tool:m",
    "step:tool:",
    "step:tool:c",
    "step:work:",
    "model:",
    "model:g",
    "agent:",
    "task:",
    "mode:",
    "set:",
    "tag:",
    "category:",
    "difficulty:",
    "experiment:",
    "folder:",
    "label:",
    "type:",
    "is:",
    "error:",
    "error:n",
    "error:any,",
    "step:error:",
    "step:error:n",
    "state:",
    "state:f",
    "state:live,",
];

#[test]
fn every_way_to_go_on_leaves_as_many_runs_as_it_says() {
    // As it is, with calls that nobody read yet; and with calls of which it is known that they cannot be read.
    for is_lost in [false, true] {
        let mut state = room();
        if is_lost {
            let run = state.library.runs.get_mut(&RunId(2)).unwrap();
            run.digest = DigestState::Failed("its events are gone".into());
        }
        let run = &state.library.runs[&RunId(1)];
        let star = NoteKey { run: NoteKey::run_id(&run.manifest, &run.dir), step: None };
        drop(handle(&mut state, Command::ToggleStar(star)));
        let mut counted = 0;
        for start in STARTS {
            for before in BEFORE {
                let start = format!("{before}{start}");
                drop(handle(&mut state, Command::Explore(ExploreCommand::SetFilter(start))));
                for way in state.explore.table.completions.clone() {
                    let Some(runs) = way.runs else { continue };
                    counted += 1;
                    assert_eq!(filter(&mut state, &way.filter).len(), runs, "{}", way.filter);
                }
            }
        }
        assert!(counted > 150, "{counted}");
    }
}

#[test]
fn ways_to_go_on_are_counted_on_while_runs_change() {
    for start in STARTS {
        for before in BEFORE {
            let start = format!("{before}{start}");
            let (mut slow, mut state) = (room(), room());
            let set = Command::Explore(ExploreCommand::SetFilter(start.clone()));
            drop(handle(&mut state, set.clone()));
            let ways = |state: &State| state.explore.table.completions.clone();
            for change in 0..4 {
                for state in [&mut slow, &mut state] {
                    alter(state, change);
                }
                // Found anew, as for another filter.
                filter(&mut slow, "steps>0");
                drop(handle(&mut slow, set.clone()));
                assert_eq!(ways(&state), ways(&slow), "{start:?} after {change}");
            }
        }
    }
}

/// Runs become others: one is starred, calls of one are read, one fails, one is gone.
fn alter(state: &mut State, change: usize) {
    let run = &state.library.runs[&RunId(1)];
    let star = NoteKey { run: NoteKey::run_id(&run.manifest, &run.dir), step: None };
    let failed = Some(FailureClass::BrokeDown);
    let runs = &mut state.library.runs;
    match change {
        0 => drop(handle(state, Command::ToggleStar(star))),
        1 => {
            let run = runs.get_mut(&RunId(2)).unwrap();
            run.digest = DigestState::Read(digest(&[("draw_ellipse", failed)]));
            run.manifest.totals.calls = 1;
        }
        2 => runs.get_mut(&RunId(0)).unwrap().state = RunState::Failed("it broke".to_owned()),
        _ => drop(runs.remove(&RunId(1))),
    }
    // Whatever comes next makes the table anew.
    drop(handle(state, Command::Explore(ExploreCommand::Panel(ExplorePanel::Plots))));
}

#[test]
fn what_follows_from_the_table_is_put_off_for_letters_and_for_nothing_else() {
    let (mut now, mut later) = (room(), room());
    later.explore.settles_later = true;
    let follows = |state: &State| {
        let table = &state.explore.table;
        let pair = table.pair.as_ref().map(|pair| {
            let runs = pair.tasks.iter().flat_map(|task| task.runs().copied());
            (pair.first.clone(), pair.second.clone(), runs.collect::<Vec<RunId>>())
        });
        (table.series.clone(), table.sides.clone(), table.relation.is_some(), pair)
    };
    for text in ["calls>2", "", "step:tool:move"] {
        let before = follows(&later);
        for state in [&mut now, &mut later] {
            filter(state, text);
        }
        assert!(later.explore.is_behind() && !now.explore.is_behind(), "{text}");
        assert_eq!(later.explore.table.shown, now.explore.table.shown, "at once");
        assert_eq!(later.explore.table.completions, now.explore.table.completions);
        assert_eq!(follows(&later), before, "{text}");
        // A command that means what is shown comes after it, as any other does.
        let command = match text {
            "" => ExploreCommand::Select(Selecting::All),
            _ => ExploreCommand::Settle,
        };
        drop(handle(&mut later, Command::Explore(command)));
        assert!(!later.explore.is_behind());
        assert_eq!(follows(&later), follows(&now), "{text}");
    }
}

#[test]
fn calls_are_read_a_block_at_a_time_and_what_cannot_be_read_is_not_asked_for_again() {
    let (mut state, _) = opened();
    let asked = show(&mut state);
    let job = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Digests(_), inputs, .. } => {
            let unread: Vec<u32> = inputs.unread.iter().map(|(run, _)| run.0).collect();
            assert_eq!(unread, [0, 1, 2], "the live one is left until it has ended");
            Some(*job)
        }
        _ => None,
    });
    let digests = vec![
        (RunId(0), Ok(digest(&[("create_text", None)]))),
        (RunId(1), Err("events.jsonl: no such file".into())),
        (RunId(2), Ok(digest(&[]))),
        (RunId(77), Ok(digest(&[]))),
    ];
    let result = Ok(Derived::from(Arc::new(digests)));
    let again = apply(&mut state, Event::Derived { job: job.unwrap(), result });
    let asks = |requests: &[Request]| {
        let mut keys = requests.iter();
        keys.any(|it| matches!(it, Request::Derive { key: DerivedKey::Digests(_), .. }))
    };
    assert!(!asks(&again));
    let cell = |state: &State, run| state.explore.table.cell(RunId(run), &Column::Tools).cloned();
    drop(handle(&mut state, Command::Explore(ExploreCommand::ToggleColumn(Column::Tools))));
    assert_eq!(cell(&state, 0), Some(Cell::Number(1.0)));
    let Some(Cell::Missing(gap)) = cell(&state, 1) else { panic!("it cannot be read") };
    assert_eq!(gap.to_string(), "events.jsonl: no such file");
    // A job that fails as a whole does not ask for ever either.
    let (mut state, _) = opened();
    let asked = show(&mut state);
    let job = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Digests(_), .. } => Some(*job),
        _ => None,
    });
    let event = Event::Derived { job: job.unwrap(), result: Err("out of memory".to_owned()) };
    assert!(!asks(&apply(&mut state, event)));
    assert!(!asks(&apply(&mut state, Event::JobEnded(job.unwrap(), JobOutcome::Done))));
}

#[test]
fn statistics_of_scores_wait_until_no_more_are_coming() {
    let (mut state, mut asked) = opened();
    asked.extend(show(&mut state));
    let mut due: Vec<(JobId, ScoreKey)> = Vec::new();
    let mut answered = 0;
    loop {
        due.extend(asked.iter().filter_map(|request| match request {
            Request::Derive { job, key: DerivedKey::Scores(key), .. }
                if key.purpose == ScorePurpose::Last =>
            {
                Some((*job, key.clone()))
            }
            _ => None,
        }));
        let is_asked = asked
            .iter()
            .any(|it| matches!(it, Request::Derive { key: DerivedKey::Statistics(_), .. }));
        let Some((job, key)) = due.pop() else {
            assert!(is_asked, "nothing is coming any more");
            break;
        };
        assert!(!is_asked, "more scores are coming");
        answered += 1;
        let value = Score::Value(0.3 + f64::from(key.run.0) / 10.0);
        let scores = key.variants.iter().map(|id| (id.clone(), value.clone())).collect();
        let step = state.library.runs[&key.run].steps;
        let scored = ScoredStep { run: key.run, step, scores, maps: Vec::new() };
        let result = Ok(Derived::Scores(scored));
        asked = apply(&mut state, Event::Derived { job, result });
        asked.extend(apply(&mut state, Event::JobEnded(job, JobOutcome::Done)));
    }
    assert!(answered > 1, "{answered} runs were scored");
}

/// The job that makes figures of the papers, if it was asked for.
fn figures_job(requests: &[Request]) -> Option<JobId> {
    requests.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::PaperFigures(_), .. } => Some(*job),
        _ => None,
    })
}

#[test]
fn figures_of_the_papers_are_asked_of_the_worker_and_not_anew_for_each_score() {
    let mut state = room();
    let panel = Command::Explore(ExploreCommand::Panel(ExplorePanel::Figures));
    assert_eq!(figures_job(&handle(&mut state, panel.clone())), None, "calls are still read");
    state.library.runs.get_mut(&RunId(2)).unwrap().digest =
        DigestState::Read(digest(&[("create_text", None)]));
    let asked = handle(&mut state, panel.clone());
    let job = figures_job(&asked).expect("all calls are read");
    assert!(state.explored_figures().is_none());
    let figures = FIGURES.iter().map(|kind| state.explore_figure(kind.id)).collect();
    let result = Ok(Derived::from(Arc::new(PaperFigures(figures))));
    drop(apply(&mut state, Event::Derived { job, result }));
    drop(apply(&mut state, Event::JobEnded(job, JobOutcome::Done)));
    let rows = |state: &State| {
        let figures = state.explored_figures().expect("they stay while others are made");
        figures.0[1].as_ref().unwrap().numbers.len()
    };
    assert_eq!(rows(&state), 3, "a head and two models");

    let (key, made) = (state.explore_figures_key(), state.explore.table.made());
    state.library.runs.get_mut(&RunId(0)).unwrap().last_score = Some(Score::Value(0.9));
    assert_eq!(figures_job(&handle(&mut state, panel.clone())), None, "a score is nothing to them");
    assert!(state.explore.table.made() > made && state.explore_figures_key() == key);

    let ssim = state.variants.get("ssim/uniform7").unwrap().id.clone();
    let mut keys = vec![key];
    let not_asked = Score::Missing(MissingScore::NotAsked);
    for scores in [
        [Some(not_asked.clone()), Some(not_asked)],
        [Some(Score::Value(0.1)), Some(Score::Value(0.2))],
        [Some(Score::Value(0.1)), Some(Score::Value(0.3))],
    ] {
        let run = state.library.runs.get_mut(&RunId(0)).unwrap();
        run.curves = Curves::of_one(ssim.clone(), scores.into());
        assert!(figures_job(&handle(&mut state, panel.clone())).is_some(), "a curve is whole");
        let key = state.explore_figures_key();
        assert!(!keys.contains(&key));
        keys.push(key);
    }

    let filter = ExploreCommand::SetFilter("model:gpt".to_owned());
    let asked = handle(&mut state, Command::Explore(filter));
    assert!(figures_job(&asked).is_some() && !keys.contains(&state.explore_figures_key()));
    assert_eq!(rows(&state), 3, "those of before stay until they are there");
}

#[test]
fn a_very_long_filter_is_refused_with_words_and_what_is_on_stays() {
    let mut state = room();
    filter(&mut state, "model:gpt");
    let long = "x".repeat(50_000);
    drop(handle(&mut state, Command::Explore(ExploreCommand::SetFilter(long))));
    assert_eq!(state.explore.view.filter, "model:gpt");
    assert!(state.notices.last().unwrap().text.contains("at most 20000 are read"));
    drop(handle(&mut state, Command::Explore(ExploreCommand::SaveFilter(" mine ".to_owned()))));
    assert_eq!(state.explore.view.saved[0].name, "mine");
    filter(&mut state, "");
    drop(handle(&mut state, Command::Explore(ExploreCommand::FilterBack)));
    assert_eq!(state.explore.view.filter, "model:gpt");
    let saved = state.session_to_save();
    assert_eq!(saved.explore, state.explore.view);
    let text = serde_json::to_string(&saved).unwrap();
    let again: pentimento::workbench::SavedSession = serde_json::from_str(&text).unwrap();
    assert_eq!(again.explore, state.explore.view);
}

#[test]
fn the_table_as_text_has_every_run_with_its_folder_and_prints_means_for_papers() {
    use pentimento::workbench::TableFormat;
    let mut state = room();
    filter(&mut state, "ssim>0");
    let csv = state.explored_text(TableFormat::Csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(headings.first().map(String::as_str), Some("task"));
    assert_eq!(headings.last().map(String::as_str), Some("run"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    let ssim = headings.iter().position(|it| it == "ssim/uniform7").unwrap();
    assert_eq!((&rows[0][ssim], &rows[1][ssim]), ("0.4", "0.65"));
    drop(handle(&mut state, Command::Explore(ExploreCommand::Group(Some(Column::Model)))));
    let markdown = state.explored_text(TableFormat::Markdown);
    assert!(markdown.contains("| gpt (1) |") && markdown.contains("All shown (2)"), "{markdown}");
    let latex = state.explored_text(TableFormat::Latex);
    assert!(latex.contains("\\toprule") && latex.contains("$\\pm$"), "{latex}");
    // What is written for papers says of what it is.
    let open = state.library.runs.len();
    assert!(latex.contains(&format!("% runs: 2 of {open} that are open\n")), "{latex}");
    assert!(latex.contains("% filter: ssim>0\n") && markdown.contains("filter: `ssim>0`"));
}

#[test]
fn means_that_papers_print_say_of_how_many_runs_they_are_and_how_many_are_infinite() {
    use pentimento::workbench::TableFormat;
    let mut state = room();
    let equal = Some(Score::Missing(MissingScore::infinite()));
    state.library.runs.get_mut(&RunId(1)).unwrap().last_score = equal;
    filter(&mut state, "");
    let markdown = state.explored_text(TableFormat::Markdown);
    assert!(markdown.contains("| 0.400 (1 of 4, 1 infinite) |"), "{markdown}");
    assert_eq!(markdown.matches("| infinite |").count(), 1, "{markdown}");
    drop(handle(&mut state, Command::Explore(ExploreCommand::Group(Some(Column::Model)))));
    let latex = state.explored_text(TableFormat::Latex);
    assert!(latex.contains("infinite (1 of 1)"), "{latex}");
    assert!(latex.contains("0.400 (1 of 4, 1 infinite)"), "{latex}");
    // For programs it stays no number.
    let csv = state.explored_text(TableFormat::Csv);
    assert!(!csv.contains("infinite"), "{csv}");
}

#[test]
fn the_table_with_types_has_null_where_nothing_is_known_and_says_why() {
    use pentimento::evaluate::typed_table::TypedValues;
    let state = room();
    let table = state.explored_table();
    let column = |name: &str| table.columns.iter().find(|column| column.name == name).unwrap();
    let TypedValues::Numbers(ssim) = &column("ssim/uniform7").values else { panic!("no numbers") };
    let TypedValues::Texts(missing) = &column("missing").values else { panic!("no words") };
    let TypedValues::Texts(runs) = &column("run").values else { panic!("no words") };
    assert_eq!((ssim.len(), runs.len()), (state.library.runs.len(), missing.len()));
    assert!(ssim.contains(&Some(0.65)) && ssim.contains(&None), "{ssim:?}");
    for (score, why) in ssim.iter().zip(missing) {
        let is_said = why.as_ref().is_some_and(|why| why.contains("ssim/uniform7: "));
        assert_eq!(score.is_none(), is_said, "{score:?}: {why:?}");
    }
    assert!(runs.iter().all(Option::is_some));
    assert!(table.about.iter().any(|(name, value)| name == "metrics" && value.contains("ssim")));
}

#[test]
fn what_others_scored_is_listed_sorted_filtered_and_never_taken_for_a_score_of_ours() {
    use pentimento::evaluate::typed_table::TypedValues;
    let (mut state, _) = opened();
    for (id, scores) in [
        (0, r#"{"result": 1.0, "ssim": 0.9, "done": true, "grade": "C", "parts": {"text": 0.25}}"#),
        (1, r#"{"result": 0, "grade": 3, "nothing": null}"#),
    ] {
        let scores = serde_json::from_str(scores).unwrap();
        let run = state.library.runs.get_mut(&RunId(id)).unwrap();
        run.manifest.imported = Some(ImportRecord { scores, ..ImportRecord::default() });
    }
    show(&mut state);
    let table = &state.explore.table;
    assert!(table.imported().eq(["done", "grade", "parts.text", "result", "ssim"]));
    assert!(table.number_imported().eq(["done", "parts.text", "result", "ssim"]));
    for (text, runs) in [
        ("imported.result>=0.5", &[0][..]),
        ("imported.result=0", &[1]),
        ("imported.grade=C", &[0]),
        ("imported.grade=3,a", &[1]),
        ("imported.done=1", &[0]),
        ("imported.done:tru", &[0]),
        ("imported.parts.text<0.5", &[0]),
        ("imported.ssim>0.5", &[0]),
        ("ssim>0.5", &[]),
        ("imported.nothing<1", &[]),
    ] {
        let expected: BTreeSet<u32> = runs.iter().copied().collect();
        assert_eq!(filter(&mut state, text), expected, "{text}");
        assert_eq!(in_library(&mut state, text), expected, "{text}");
    }
    filter(&mut state, "imported.re");
    let ways = state.explore.table.completions.iter().map(|way| way.term.as_str());
    assert_eq!(ways.collect::<Vec<_>>(), ["imported.result<"]);
    filter(&mut state, "");
    let (result, grade) = (Column::imported("result"), Column::imported("grade"));
    for column in [&result, &grade] {
        drop(handle(&mut state, Command::Explore(ExploreCommand::ToggleColumn(column.clone()))));
    }
    let cell = |run, column| state.explore.table.cell(RunId(run), column).cloned();
    assert_eq!(cell(0, &result), Some(Cell::Number(1.0)));
    assert_eq!(cell(0, &grade), Some(Cell::Text("C".into())));
    assert!(matches!(cell(2, &result), Some(Cell::Missing(_))));
    let place = state.explore.table.place(&result).unwrap();
    assert_eq!(
        state.explore.table.all.means[place].map(|(mean, _, runs)| (mean, runs)),
        Some((0.5, 2))
    );
    // Words of one run make words of all, where a column has one type.
    let table = state.explored_table();
    let column = |name: &str| table.columns.iter().find(|column| column.name == name).unwrap();
    assert!(matches!(column("imported.result").values, TypedValues::Numbers(_)));
    let TypedValues::Texts(grades) = &column("imported.grade").values else { panic!("no words") };
    assert_eq!(grades[..3], [Some("C".to_owned()), Some("3".to_owned()), None]);
    assert_eq!(state.column_heading(&Column::imported("ssim")), "ssim · imported");
    assert_eq!(state.group_metric(&Column::imported("ssim")).usual_threshold(), None);
    for first in [0, 1] {
        let sort = ExploreCommand::Sort { column: result.clone(), is_added: false };
        drop(handle(&mut state, Command::Explore(sort)));
        assert_eq!(state.explore.table.shown[..2], [RunId(first), RunId(1 - first)]);
    }
    drop(handle(&mut state, Command::Close(SET.to_owned())));
    assert_eq!(state.explore.table.imported().len(), 0, "its runs are gone");
}

/// A term, and what it means by a slow way.
type Meaning = (String, fn(&State, RunId) -> bool);

fn terms() -> Vec<Meaning> {
    fn run(state: &State, id: RunId) -> &pentimento::workbench::LibraryRun {
        &state.library.runs[&id]
    }
    vec![
        ("model:tracer".to_owned(), |s, id| run(s, id).manifest.agent.name.contains("tracer")),
        ("task:login".to_owned(), |s, id| run(s, id).task.id.contains("login")),
        ("state:failed".to_owned(), |s, id| matches!(run(s, id).state, RunState::Failed(_))),
        ("calls>2".to_owned(), |s, id| run(s, id).manifest.totals.calls > 2),
        ("state:finished,live".to_owned(), |s, id| {
            matches!(run(s, id).state, RunState::Finished | RunState::Live)
        }),
        ("agent:scripted,nobody".to_owned(), |s, id| {
            let agent = &run(s, id).manifest.agent;
            agent.kind.contains("scripted") || agent.name.contains("scripted")
        }),
        ("steps<6".to_owned(), |s, id| run(s, id).steps < 6),
        ("login".to_owned(), |s, id| run(s, id).task.id.contains("login")),
    ]
}

proptest! {
    #[test]
    fn a_filter_holds_as_its_terms_do_one_by_one(
        chosen in prop::collection::vec((0_usize..8, any::<bool>(), any::<bool>()), 1..6),
    ) {
        let mut state = room();
        let terms = terms();
        let mut text = String::new();
        // Alternatives of terms, each negated or not.
        let mut alternatives: Vec<Vec<(usize, bool)>> = vec![Vec::new()];
        for (at, (term, negated, begins)) in chosen.iter().enumerate() {
            if at > 0 {
                text.push_str(if *begins { " or " } else { " " });
            }
            if at > 0 && *begins {
                alternatives.push(Vec::new());
            }
            text.push_str(if *negated { "-" } else { "" });
            text.push_str(&terms[*term].0);
            alternatives.last_mut().unwrap().push((*term, *negated));
        }
        let slow: BTreeSet<u32> = state
            .library
            .runs
            .keys()
            .filter(|id| {
                alternatives.iter().any(|all| {
                    all.iter().all(|(term, negated)| (terms[*term].1)(&state, **id) != *negated)
                })
            })
            .map(|id| id.0)
            .collect();
        prop_assert_eq!(filter(&mut state, &text), slow, "{}", text);
    }

    #[test]
    fn no_text_is_a_filter_that_breaks_anything(text in "[a-z:<>=\",0-9 \\-]{0,60}") {
        let mut state = room();
        drop(handle(&mut state, Command::Explore(ExploreCommand::SetFilter(text.clone()))));
        let table = &state.explore.table;
        if let Some(problem) = &table.problem {
            prop_assert!(text.get(problem.span.clone()).is_some() && !problem.message.is_empty());
            prop_assert_eq!(table.shown.len(), 4);
        }
        for way in &table.completions {
            prop_assert!(way.filter.ends_with(&way.term));
        }
    }
}

#[test]
fn figures_are_drawn_with_their_numbers_or_say_which_data_they_lack() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("figures");
    let arguments = ["report", "figures", "sample_runs/runs", "--tasks", "sample_runs", "--out"];
    let mut command = program();
    command.args(arguments).arg(&out).args(["--only", "canvas-4,canvas-36,psbench-4"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("canvas-4: CANVAS, Figure 4"));
    assert!(stderr(&output).contains("psbench-4 is not made: it needs what people said"));
    for id in ["canvas-4", "canvas-36"] {
        let svg = std::fs::read_to_string(out.join(format!("{id}.svg"))).unwrap();
        assert!(svg.contains("pentimento report figures sample_runs/runs"), "{svg}");
        let png = image::open(out.join(format!("{id}.png"))).unwrap();
        assert!(png.width() > 1_000 && png.height() > 200);
        let csv = std::fs::read_to_string(out.join(format!("{id}.csv"))).unwrap();
        assert!(csv.lines().count() > 1, "{csv}");
        // CSV has no place for where its numbers come from.
        let about = std::fs::read(out.join(format!("{id}.csv.json"))).unwrap();
        let about: serde_json::Value = serde_json::from_slice(&about).unwrap();
        assert!(about["program"].as_str().unwrap().starts_with("Pentimento "), "{about}");
        let command = about["command"].as_str().unwrap();
        assert!(command.starts_with("pentimento report figures sample_runs/runs"), "{about}");
        assert!(about["remark 1"].as_str().unwrap().contains(" runs"), "{about}");
    }
    assert!(!out.join("psbench-4.csv").exists());
    let labels = "sample_runs/labels/first-study.labels";
    let made = run([
        "report",
        "figures",
        "--labels",
        labels,
        "--only",
        "canvas-34",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(stdout(&made).contains("canvas-34"), "{}", stderr(&made));
    let twice = ["--labels", labels, "--labels", labels, "--filter", "preferred>0.5"];
    let refused = program().args(arguments).arg(&out).args(twice).output().unwrap();
    assert_fails(&refused, &["of one labelling project", "--labels names 2"]);
    let wrong = program().args(arguments).arg(&out).args(["--only", "canvas-99"]).output().unwrap();
    assert!(!wrong.status.success() && stderr(&wrong).contains("there are canvas-2, canvas-4"));
}

#[test]
fn runs_of_one_model_in_two_modes_are_two_rows_of_a_figure_in_the_window() {
    let mut state = room();
    let other = state.library.runs.get_mut(&RunId(1)).unwrap();
    other.manifest.agent.name = "tracer".to_owned();
    other.manifest.mode = "single_turn".to_owned();
    for run in state.library.runs.values_mut() {
        if let DigestState::Read(digest) = &mut run.digest {
            Arc::make_mut(digest).condition = Condition::of(&run.manifest).0;
        }
    }
    let figure = state.explore_figure("canvas-4").unwrap();
    let rows: Vec<[&str; 2]> = figure.numbers[1..].iter().map(|row| [&*row[1], &*row[2]]).collect();
    assert_eq!(rows, [["tracer · multi_turn", "1"], ["tracer · single_turn", "1"]]);
    assert!(
        figure.remarks.iter().any(|remark| remark.starts_with("Made with tracer · multi_turn"))
    );
}

#[test]
fn whom_people_prefer_is_drawn_of_the_open_labelling_project_as_on_the_command_line() {
    use pentimento::workbench::LabelNews;

    let mut state = room();
    let why = state.explore_figure("canvas-34").unwrap_err();
    assert!(why.contains("open a labelling project in which pairs were answered"), "{why}");
    let before = state.explore_figures_revision();
    let labels = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs/labels/first-study.labels");
    let path = std::path::PathBuf::from(labels);
    let read = pentimento::worker::read_labels(&path).unwrap();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Open(path.clone()))));
    drop(apply(&mut state, Event::Labels(LabelNews::Opened { path, result: Ok(read) })));
    drop(show(&mut state));
    assert_ne!(state.explore_figures_revision(), before, "the window makes it anew");
    let figure = state.explore_figure("canvas-34").unwrap();
    assert!(figure.numbers.len() > 1);
    let command = state.explore_figure_command("canvas-34");
    assert!(command.contains(&format!("--labels {labels}")), "{command}");

    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let made = run(["report", "figures", "--labels", labels, "--only", "canvas-34", "--out", &out]);
    assert!(made.status.success(), "{}", stderr(&made));
    let mut reader = csv::ReaderBuilder::new();
    let rows = reader.has_headers(false).from_path(dir.path().join("canvas-34.csv")).unwrap();
    let rows = rows.into_records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    assert_eq!(rows.collect::<Vec<Vec<String>>>(), figure.numbers);
}

#[test]
fn pos_at_k_is_drawn_of_runs_that_change_a_design_or_says_what_it_needs() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let figures = |runs: &str| {
        let runs = format!("sample_runs/runs/own-samples/{runs}");
        let line = ["report", "figures", &runs, "--tasks", "sample_runs", "--only", "canvas-2"];
        program().args(line).args(["--out", &out]).output().unwrap()
    };
    let made = figures("recipe-tip");
    assert!(stdout(&made).contains("canvas-2: CANVAS, Table 2 as bars"), "{}", stderr(&made));
    let mut reader = csv::Reader::from_path(dir.path().join("canvas-2.csv")).unwrap();
    let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(heads[..5], ["task", "model", "runs", "scores", "Pos@4"]);
    assert_eq!(heads.last().unwrap(), "F");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(!rows.is_empty());
    for row in rows {
        assert!(row[3].parse::<usize>().unwrap() > 0, "{row:?}");
        let shares = row.iter().skip(4).filter_map(|share| share.parse::<f64>().ok());
        assert!((shares.sum::<f64>() - 1.0).abs() < 0.01, "{row:?}");
    }
    let lacking = figures("basket");
    assert!(!lacking.status.success());
    assert!(stderr(&lacking).contains("it needs runs on a canvas at tasks that change a design"));
}

/// A window's state over the sample runs, opened by this path, as the table wants it.
fn samples_in_explore(filter: &str) -> (State, String) {
    use std::time::{Duration, Instant};

    use pentimento::app::Session;
    use pentimento::workbench::{JobKind, Settings, SortKey};
    use pentimento::worker::WorkerConfig;

    let path = format!("{}/sample_runs", env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().unwrap();
    let state = State::new(Settings::default(), dir.path().join("runs"));
    let config = WorkerConfig { drawing_threads: 2, ..WorkerConfig::default() };
    let mut session = Session::start(state, config, || {}).unwrap();
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    session.carry_out(Command::Open(vec![path.clone().into()]));
    for command in [
        ExploreCommand::SetFilter(filter.to_owned()),
        ExploreCommand::ToggleColumn(Column::Tools),
        ExploreCommand::ToggleColumn(Column::State),
        ExploreCommand::Sort { column: Column::Calls, is_added: false },
        ExploreCommand::Sort { column: Column::Task, is_added: true },
    ] {
        session.carry_out(Command::Explore(command));
    }
    // Until every run that is listed is scored and read.
    let began = Instant::now();
    loop {
        let state = session.state();
        let is_opening = state.jobs.active().any(|(_, job)| job.kind == JobKind::Open);
        let are_read = state.library.runs.values().all(|run| run.digest != DigestState::NotRead);
        let are_scored = state.explored_scores_due().is_empty();
        if !is_opening && are_read && are_scored && !state.library.runs.is_empty() {
            break;
        }
        assert!(began.elapsed() < Duration::from_mins(3), "{:?}", state.notices);
        session.take_next_event(Duration::from_millis(50));
    }
    let mut state = session.state().clone();
    let key = |column, is_descending| SortKey { column, is_descending };
    assert_eq!(state.explore.view.sort, [key(Column::Calls, true), key(Column::Task, false)]);
    drop(handle(&mut state, Command::Explore(ExploreCommand::InSight(Vec::new()))));
    (state, path)
}

/// Runs a command as a shell would, by this program, with words in quotes or not.
pub(crate) fn run_line(line: &str) -> std::process::Output {
    let words = line.strip_prefix("pentimento ").unwrap();
    let script = format!("exec \"$PENTIMENTO\" {words}");
    let mut shell = std::process::Command::new("sh");
    let program = program();
    shell.env("PENTIMENTO", program.get_program()).env("PENTIMENTO_WORKSPACE", "");
    shell.args(["-c", &script]).output().unwrap()
}

#[test]
fn the_command_in_a_table_makes_the_same_table_again() {
    use pentimento::workbench::{Selecting, TableFile, TableFormat};

    let (mut state, path) = samples_in_explore("tool:create -agent:nobody ssim>0");
    assert!(state.explore.table.shown.len() > 2, "{:?}", state.explore.table.shown.len());
    let made = |state: &State, format| {
        let command = state.explored_command(TableFile::Text(format));
        assert!(command.contains(&path), "{command}");
        let output = run_line(&command);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        stdout(&output)
    };
    for format in [TableFormat::Csv, TableFormat::Tsv, TableFormat::Markdown, TableFormat::Latex] {
        assert_eq!(made(&state, format), state.explored_text(format), "{format:?}");
    }
    // What is printed in the table is that command.
    let markdown = state.explored_text(TableFormat::Markdown);
    let printed = markdown.lines().find_map(|line| line.strip_prefix("command: `")).unwrap();
    let printed = printed.trim_end_matches('`');
    assert_eq!(printed, state.explored_command(TableFile::Text(TableFormat::Markdown)));
    let latex = state.explored_text(TableFormat::Latex);
    let printed = latex.lines().find_map(|line| line.strip_prefix("% command: ")).unwrap();
    assert_eq!(stdout(&run_line(printed)), latex);
    // Groups, and a selection, which groups do not count for.
    drop(handle(&mut state, Command::Explore(ExploreCommand::Group(Some(Column::Model)))));
    let grouped = made(&state, TableFormat::Markdown);
    assert_eq!(grouped, state.explored_text(TableFormat::Markdown));
    assert!(grouped.contains("All shown"), "{grouped}");
    let two: Vec<RunId> = state.explore.table.shown.iter().copied().take(2).collect();
    drop(handle(&mut state, Command::Explore(ExploreCommand::Select(Selecting::These(two)))));
    let selected = made(&state, TableFormat::Csv);
    assert_eq!(selected, state.explored_text(TableFormat::Csv));
    assert_eq!(selected.lines().count(), 3);
}

#[test]
fn a_table_of_commas_says_in_a_file_beside_it_where_it_comes_from() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("runs.csv");
    let mut command = program();
    command.args(["report", "table", "sample_runs/runs/own-samples/recipe-tip"]);
    command.args(["--tasks", "sample_runs", "--columns", "task,calls,ssim", "--sort=-calls"]);
    command.args(["--format", "csv", "--out"]).arg(&out);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let csv = std::fs::read_to_string(&out).unwrap();
    assert!(csv.starts_with("task,calls,ssim/uniform7,run\n"), "{csv}");
    let calls: Vec<u32> =
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(calls.len() > 1 && calls.is_sorted_by(|a, b| a >= b), "{calls:?}");
    let about = std::fs::read(dir.path().join("runs.csv.json")).unwrap();
    let about: serde_json::Value = serde_json::from_slice(&about).unwrap();
    assert!(about["program"].as_str().unwrap().starts_with("Pentimento "), "{about}");
    assert_eq!(about["metrics"], "ssim/uniform7");
    // The command in it makes the same rows.
    let again = run_line(about["command"].as_str().unwrap());
    assert_eq!(stdout(&again), csv, "{}", stderr(&again));
    for (arguments, words) in [
        (["--columns", "task,nothing"], "there is no column \"nothing\""),
        (["--filter", "nonsense:x"], "`nonsense` is not known here"),
        (["--select", "/nowhere"], "no run lies in /nowhere"),
    ] {
        let mut command = program();
        command.args(["report", "table", "sample_runs/runs/own-samples/recipe-tip"]);
        let output = command.args(arguments).output().unwrap();
        assert!(!output.status.success() && stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn runs_beside_the_tasks_are_in_no_table_and_in_no_plot() {
    let dir = tempfile::tempdir().unwrap();
    let made = |kind: &str, more: &[&str], out: &std::path::Path| {
        let mut command = program();
        command.args(["report", kind, "sample_runs/runs/own-samples/recipe-tip"]);
        command.args(["--tasks", "sample_runs", "--filter", "turns>0"]).args(more);
        let output = command.arg("--out").arg(out).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    let out = dir.path().join("runs.csv");
    made("table", &["--columns", "task,ssim", "--format", "csv"], &out);
    let csv = std::fs::read_to_string(&out).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.starts_with("recipe-tip,")), "{csv}");
    let about = std::fs::read(dir.path().join("runs.csv.json")).unwrap();
    let about: serde_json::Value = serde_json::from_slice(&about).unwrap();
    let command = about["command"].as_str().unwrap();
    assert!(command.contains("recipe-tip --tasks "), "{command}");
    let again = run_line(command);
    assert_eq!(stdout(&again), csv, "{}", stderr(&again));
    let out = dir.path().join("turns.svg");
    made("plot", &["--of", "turns"], &out);
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.contains(">2 runs with a value"), "{svg:.4000}");
}

#[test]
fn a_figure_is_saved_with_the_command_that_makes_it_in_the_picture_and_in_the_file() {
    use pentimento::workbench::StageForm;

    let mut state = room();
    filter(&mut state, "state:failed or ssim>0");
    let path = std::path::PathBuf::from("/out/figure.svg");
    let save = ExploreCommand::SaveFigure { id: "canvas-4".to_owned(), form: StageForm::Svg, path };
    let requests = handle(&mut state, Command::Explore(save));
    let saved = requests.iter().find_map(|request| match request {
        Request::SaveDrawing { svg, about, form, .. } => Some((svg, about, *form)),
        _ => None,
    });
    let (svg, about, form) = saved.expect("there are runs with calls");
    assert_eq!(form, StageForm::Svg);
    let command = state.explore_figure_command("canvas-4");
    assert!(command.contains("'--filter=state:failed or ssim>0' --only canvas-4"), "{command}");
    assert!(about.ends_with(&command), "{about}");
    assert!(svg.contains(": pentimento "), "it stands below the figure: {svg}");
    let lacking = ExploreCommand::SaveFigure {
        id: "psbench-4".to_owned(),
        form: StageForm::Png,
        path: "/out/x.png".into(),
    };
    drop(handle(&mut state, Command::Explore(lacking)));
    assert!(state.notices.last().unwrap().text.contains("the figure is not made"));
}

/// Draws a plot of the state by the command that stands below it, and holds it against what the window writes.
fn draws_again(state: &State, id: &str, out: &str, dir: &std::path::Path) -> String {
    let command = state.explore_figure_command(id);
    let figure = state.explore_figure(id).unwrap();
    let svg = pentimento::evaluate::figures::to_svg(&figure, &command);
    let path = dir.join(out);
    let output = run_line(&command.replace(out, &path.display().to_string()));
    assert!(output.status.success(), "{command}: {}", stderr(&output));
    let drawn = std::fs::read_to_string(&path).unwrap();
    // The file says in itself what stands below the plot.
    let (head, rest) = drawn.split_once("\n<desc>").unwrap();
    let (about, rest) = rest.split_once("</desc>").unwrap();
    assert!(about.contains("Pentimento ") && about.contains("report plot"), "{about}");
    assert_eq!(format!("{head}{rest}"), svg);
    about.to_owned()
}

#[test]
fn the_command_below_a_plot_draws_the_same_plot_again() {
    use pentimento::base::CancelToken;
    use pentimento::evaluate::figures::{DISTRIBUTION, SCATTER};
    use pentimento::workbench::{Fetched, Relation, Statistics};

    let (mut state, _) = samples_in_explore("tool:create ssim>0.5");
    assert!(state.explore.table.shown.len() < state.library.runs.len());
    // Until the worker has told how the columns go together, a file says that this is not known.
    let key = state.explore.table.relation.clone().unwrap();
    state.derived.statistics.insert(key.clone(), Fetched::Pending);
    let remarks = state.explore_figure(SCATTER).unwrap().remarks;
    assert!(remarks.iter().any(|remark| remark.contains("not computed yet")), "{remarks:?}");
    let relation = Relation::of(&key.pairs, &CancelToken::new()).unwrap();
    let lines = relation.lines(["Calls", "SSIM"]);
    assert!(
        lines.len() == 4 && lines[3].starts_with(&format!("n = {}. ", key.pairs.len())),
        "{lines:?}"
    );
    let statistics = Arc::new(Statistics::Relation(relation));
    state.derived.statistics.insert(key, Fetched::Ready(statistics));
    let remarks = state.explore_figure(SCATTER).unwrap().remarks;
    assert!(lines.iter().all(|line| remarks.contains(line)), "{lines:?} {remarks:?}");
    let dir = tempfile::tempdir().unwrap();
    for (id, out) in [(SCATTER, "scatter.svg"), (DISTRIBUTION, "distribution.svg")] {
        let about = draws_again(&state, id, out, dir.path());
        assert!(about.contains("Scores by ssim/uniform7."), "{about}");
    }
    drop(handle(&mut state, Command::Explore(ExploreCommand::ColorBy(Column::Kind))));
    let about = draws_again(&state, DISTRIBUTION, "distribution.svg", dir.path());
    assert!(about.contains("Colors: by type."), "{about}");
    let png = dir.path().join("turns.png");
    let mut colored = program();
    colored.args(["report", "plot", "sample_runs", "--of", "turns", "--color", "calls", "--out"]);
    let output = colored.arg(&png).output().unwrap();
    assert!(stderr(&output).contains("--color takes a column of words"), "{}", stderr(&output));
    let mut command = program();
    command.args(["report", "plot", "sample_runs", "--of", "turns", "--out"]).arg(&png);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let bytes = std::fs::read(&png).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.windows(11).any(|it| it == b"report plot"));
    let mut nothing = program();
    nothing.args(["report", "plot", "sample_runs", "--of", "preferred", "--out"]).arg(&png);
    let output = nothing.output().unwrap();
    assert!(stderr(&output).contains("it needs runs with a value"), "{}", stderr(&output));
}

#[test]
fn curves_over_runs_and_those_of_one_run_are_drawn_again_by_the_commands_below_them() {
    use pentimento::evaluate::figures::{MEAN_CURVES, RUN_CURVES};
    use pentimento::workbench::{Curves, VariantId};

    const IDS: [&str; 2] = ["ssim/uniform7", "ssim/gaussian"];
    let (mut state, _) = samples_in_explore("task:recipe-tip");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = program();
    command.args(["score", "sample_runs/runs/own-samples/recipe-tip", "--tasks", "sample_runs"]);
    command.args(["--steps", "--json", "--only", IDS[0], "--only", IDS[1]]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let scores: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // What the worker would have told of every step.
    let mut scored = Vec::new();
    for of_run in scores["runs"].as_array().unwrap() {
        let dir = root.join(of_run["dir"].as_str().unwrap());
        let mut runs = state.library.runs.iter_mut();
        let (id, entry) = runs.find(|(_, entry)| entry.dir == dir).unwrap();
        let steps = of_run["steps"].as_array().unwrap();
        entry.curves = Curves::of_one(IDS[0], vec![None; steps.len()]);
        for (step, scores) in (0..).zip(steps) {
            for score in scores.as_array().unwrap() {
                let variant = VariantId::from(score["id"].as_str().unwrap().to_owned());
                let value = score["value"].as_f64().unwrap();
                entry.curves.put(&variant, step, Score::Value(value));
            }
        }
        scored.push(*id);
    }
    let dir = tempfile::tempdir().unwrap();
    let about = draws_again(&state, MEAN_CURVES, "curves.svg", dir.path());
    assert!(about.contains("2 runs scored after each step"), "{about}");
    assert!(about.contains("Scores by ssim/uniform7.") && about.contains("--by-step"), "{about}");
    // A run whose steps are not all scored is left out, which is said.
    let known = state.library.runs[&scored[1]].curves.clone();
    state.library.runs.get_mut(&scored[1]).unwrap().curves = Curves::default();
    let figure = state.explore_figure(MEAN_CURVES).unwrap();
    let left_out = "Left out: 1 run not scored after each step.".to_owned();
    assert!(figure.remarks.contains(&left_out), "{:?}", figure.remarks);
    state.library.runs.get_mut(&scored[1]).unwrap().curves = known;

    drop(handle(&mut state, Command::SelectRun(scored[0])));
    state.settings.curves_beside = vec![IDS[1].to_owned()];
    let about = draws_again(&state, RUN_CURVES, "run.svg", dir.path());
    assert!(about.contains("--curve ssim/uniform7,ssim/gaussian --out"), "{about}");
    state.settings.shows_changes = true;
    let about = draws_again(&state, RUN_CURVES, "run.svg", dir.path());
    assert!(about.contains("ssim/gaussian --changes --out"), "{about}");
    assert!(about.contains(&format!("{}: 6 steps.", "recipe-tip · scripted")), "{about}");
    let both = "sample_runs/runs/own-samples/recipe-tip";
    let one = &format!("{both}/scripted-01");
    for (arguments, words) in [
        (vec![both, "--curve", IDS[0]], "there are 2 runs"),
        (vec![one, one, "--curve", IDS[0]], "--curve is of one run, and 2 are named"),
        (vec![one, "--curve", "nothing"], "there is no variant \"nothing\""),
        (vec![one, "--curve", IDS[0], "--by-step"], "cannot be used with"),
        (vec![one], "required"),
    ] {
        let mut command = program();
        command.args(["report", "plot"]).args(arguments).args(["--out", "none.svg"]);
        let output = command.output().unwrap();
        assert!(!output.status.success() && stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn a_plot_is_copied_as_a_picture_or_says_why_not() {
    use pentimento::evaluate::figures::{DISTRIBUTION, MEAN_CURVES};
    use pentimento::worker::{Worker, WorkerConfig};

    use crate::nodes::PATIENCE;

    let mut state = room();
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    for number in 1..=2 {
        let copy = ExploreCommand::CopyFigure(DISTRIBUTION.to_owned());
        let mut requests = handle(&mut state, Command::Explore(copy));
        requests.retain(|request| matches!(request, Request::CopyDrawing { .. }));
        let [Request::CopyDrawing { svg, .. }] = requests.as_slice() else {
            panic!("{requests:?}")
        };
        assert!(svg.contains(": pentimento report plot"), "{svg}");
        worker.send(requests.remove(0));
        let drawn = loop {
            let event = worker.event_within(PATIENCE).unwrap();
            if let Event::DrawingCopied(_) = event {
                break event;
            }
        };
        drop(apply(&mut state, drawn));
        let (found, pixels) = state.explore.outgoing.clone().expect("it goes to the clipboard");
        assert_eq!(found, number);
        assert!(pixels.width() > 1_000 && pixels.height() > 500, "{pixels:?}");
        assert_eq!(state.notices.last().unwrap().text, "Copied as a picture.");
    }
    drop(apply(&mut state, Event::DrawingCopied(Err("it is too large".to_owned()))));
    assert_eq!(state.notices.last().unwrap().text, "not copied: it is too large");
    let copy = ExploreCommand::CopyFigure(MEAN_CURVES.to_owned());
    let requests = handle(&mut state, Command::Explore(copy));
    assert!(!requests.iter().any(|it| matches!(it, Request::CopyDrawing { .. })), "{requests:?}");
    let told = &state.notices.last().unwrap().text;
    assert!(told.contains("the figure is not made: it needs runs that are scored"), "{told}");
}

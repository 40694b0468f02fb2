//! What calls brought is always of the run as it is, and by the models that are used.

use std::borrow::Cow;
use std::sync::Arc;

use pentimento::environment::ToolCall;
use pentimento::evaluate::what_if::{Grouping, LeftOut, ShapleyPlan};
use pentimento::metric::{Direction, Needs, VariantSpec};
use pentimento::run::{Run, Step};
use pentimento::workbench::{
    Command, Derived, DerivedKey, Event, InspectorTab, JobId, Request, RunId, RunsCommand,
    ScoresCommand, State, Variants, WhatIfCommand, apply, handle, views,
};
use serde_json::json;

use crate::workbench::{load, opened};

const BY_MODEL: &str = "distance/test";

/// A distance that goes by a model, for all that is known of it.
fn by_model() -> VariantSpec {
    VariantSpec {
        id: BY_MODEL.into(),
        label: "Distance",
        variant_label: "test".into(),
        needs: Needs::Pictures,
        is_asked: false,
        direction: Direction::LowerIsBetter,
        range: (0.0, f64::INFINITY),
        map_range: None,
        version: 1,
        source: "a test",
    }
}

fn send(state: &mut State, command: WhatIfCommand) -> Vec<Request> {
    handle(state, Command::WhatIf(command))
}

/// Jobs, each with of how many steps it is.
type Asked = Vec<(JobId, u32)>;

/// What is asked for of the calls that are left out, and of their orders: of how many steps.
fn asked(requests: &[Request]) -> (Asked, Asked) {
    let (mut effects, mut shapley) = (Asked::new(), Asked::new());
    for request in requests {
        match request {
            Request::Derive { job, key: DerivedKey::Effects(key), .. } => {
                effects.push((*job, key.steps));
            }
            Request::Derive { job, key: DerivedKey::Shapley(key), .. } => {
                shapley.push((*job, key.steps));
            }
            _ => {}
        }
    }
    (effects, shapley)
}

/// The first run with ten steps, shown with what each call brought by a distance: the job that it takes.
fn left_out(live: bool) -> (State, JobId) {
    let (mut state, _) = opened();
    state.variants = Variants::new([by_model()]);
    load(&mut state, 0, 10, live);
    handle(&mut state, Command::Scores(ScoresCommand::Choose(Cow::Borrowed(BY_MODEL))));
    handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf));
    let (effects, _) = asked(&send(&mut state, WhatIfCommand::LeaveOut(Some(Grouping::Call))));
    let [(job, 10)] = effects[..] else { panic!("{effects:?}") };
    (state, job)
}

fn answer(state: &mut State, job: JobId) {
    let found = LeftOut { full: Vec::new(), effects: Vec::new() };
    apply(state, Event::Derived { job, result: Ok(Derived::Effects(Arc::new(found))) });
}

fn shows_effects(state: &State) -> bool {
    views::what_if(state).is_some_and(|it| it.effects.is_some())
}

#[test]
fn what_calls_brought_is_asked_for_anew_of_a_run_that_has_grown() {
    let (mut state, job) = left_out(true);
    answer(&mut state, job);
    assert!(shows_effects(&state));
    let plan = ShapleyPlan { orders: 40, seed: 1 };
    let (_, shapley) = asked(&send(&mut state, WhatIfCommand::Shapley(Some(plan))));
    let [(drawn, 10)] = shapley[..] else { panic!("{shapley:?}") };
    let requests = load(&mut state, 0, 12, true);
    let (effects, shapley) = asked(&requests);
    assert!(matches!(effects[..], [(_, 12)]), "{effects:?}");
    assert!(matches!(shapley[..], [(_, 12)]), "{shapley:?}");
    assert!(!shows_effects(&state), "what was of ten steps");
    let is_given_up = |it: &Request| matches!(it, Request::Cancel(job) if *job == drawn);
    assert!(requests.iter().any(is_given_up), "{requests:?}");
    // Nothing is made again of a run that is as it was.
    assert_eq!(asked(&load(&mut state, 0, 12, false)), (Vec::new(), Vec::new()));
}

#[test]
fn what_calls_brought_is_asked_for_anew_by_other_models_though_it_is_being_made() {
    for is_there in [true, false] {
        let (mut state, job) = left_out(false);
        if is_there {
            answer(&mut state, job);
        }
        let requests = handle(&mut state, Command::Scores(ScoresCommand::UseModels(None)));
        let used = requests.iter().find_map(|request| match request {
            Request::UseModels { job, .. } => Some(*job),
            _ => None,
        });
        let event = Event::ModelsUsed { job: used.unwrap(), result: Ok(vec![by_model()]) };
        let requests = apply(&mut state, event);
        let (effects, _) = asked(&requests);
        assert!(matches!(effects[..], [(_, 10)]), "{is_there}: {effects:?}");
        // By the old models it is neither shown nor taken in.
        let is_given_up = |it: &Request| matches!(it, Request::Cancel(it) if *it == job);
        assert_eq!(requests.iter().any(is_given_up), !is_there, "{requests:?}");
        answer(&mut state, job);
        assert!(!shows_effects(&state), "{is_there}");
        assert_eq!(views::effects_key(&state).map(|key| key.variant), Some(BY_MODEL.to_owned()));
        assert!(state.library.runs[&RunId(0)].loaded.is_some());
    }
}

/// The first run with other arguments of its calls, as many as before, as it is read from the disk.
fn replaced(state: &State) -> Event {
    let run = state.library.runs[&RunId(0)].loaded.as_ref().unwrap();
    let steps = run.steps.iter().cloned().map(|step| {
        let call = step.call.map(|call| ToolCall { arguments: json!({ "width": 7 }), ..call });
        Step { call, ..step }
    });
    let run = Run { steps: steps.collect(), ..(**run).clone() };
    Event::RunRead { run_id: RunId(0), run: Arc::new(run), live: false }
}

fn told(state: &State) -> usize {
    state.notices.iter().filter(|it| it.text.contains("has other calls now")).count()
}

fn begun(live: bool) -> State {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, live);
    handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf));
    state
}

#[test]
fn a_run_that_was_replaced_is_listed_with_its_own_calls_and_what_was_done_to_the_others_is_gone() {
    for (is_edited, is_reloaded) in [(false, false), (true, false), (true, true)] {
        let mut state = begun(false);
        if is_edited {
            send(&mut state, WhatIfCommand::ToggleDropped(3));
        }
        let event = replaced(&state);
        if is_reloaded {
            handle(&mut state, Command::Runs(RunsCommand::Reload(RunId(0))));
            // What would be saved now is nobody's run.
            let requests = send(&mut state, WhatIfCommand::Save);
            assert!(!requests.iter().any(|it| matches!(it, Request::SaveBranch { .. })));
        }
        apply(&mut state, event);
        let view = views::what_if(&state).unwrap();
        assert!(!view.is_edited && !view.edited.unwrap().can_undo());
        assert_eq!(view.rows.len(), 10);
        for row in &view.rows {
            assert_eq!(row.item.planned.call.arguments, json!({ "width": 7 }));
        }
        assert_eq!(told(&state), usize::from(is_edited), "{is_edited} {is_reloaded}");
    }
}

#[test]
fn what_was_done_to_the_calls_of_a_run_stays_while_it_grows_and_when_it_is_read_again() {
    let mut state = begun(true);
    send(&mut state, WhatIfCommand::ToggleDropped(3));
    load(&mut state, 0, 12, true);
    handle(&mut state, Command::Runs(RunsCommand::Reload(RunId(0))));
    load(&mut state, 0, 12, false);
    let view = views::what_if(&state).unwrap();
    assert!(view.is_edited && view.rows[3].item.is_dropped);
    assert_eq!(told(&state), 0);
}

//! The run with other calls that is being made: its calls, what came of them, what each brought.

use std::sync::Arc;

use crate::environment::ToolSpec;
use crate::evaluate::PrimaryMetric;
use crate::evaluate::what_if::{Effect, Grouping, LeftOut};
use crate::metric::Score;
use crate::run::{CallSource, RunOrigin};
use crate::workbench::model::{
    BranchCall, BranchCurveKey, BranchKey, DerivedKey, EditedCalls, EffectsKey, Fetched,
    InspectorTab, PictureKey, Progress, State, WhatIfItem, WhatIfSubject, Workspace,
};

/// The list of calls and what is known of them.
#[derive(Debug)]
pub struct WhatIfView<'a> {
    /// What is branched.
    pub subject: WhatIfSubject,
    /// Its calls with what was done to them; `None` while the run is being read.
    pub edited: Option<&'a EditedCalls>,
    /// A row for each call, in the order of the list.
    pub rows: Vec<WhatIfRow<'a>>,
    /// Whether the calls are not those of the run.
    pub is_edited: bool,
    /// The tools there are, once known.
    pub tools: Option<&'a Arc<[ToolSpec]>>,
    /// Why nothing can be made of the calls, if so.
    pub problem: Option<&'a str>,
    /// The score of the run's end and of the branch's, as far as known.
    pub scores: [Option<&'a Score>; 2],
    /// What each group of calls brought, as far as it is asked for and known.
    pub effects: Option<&'a LeftOut>,
    /// How far leaving calls out is, while it is under way.
    pub leaving_out: Option<&'a Progress>,
    /// Why calls could not be left out, if so.
    pub effects_problem: Option<&'a str>,
    /// The largest effect, to draw the others beside it.
    pub most_brought: f64,
}

/// A call of the list.
#[derive(Debug)]
pub struct WhatIfRow<'a> {
    /// Its place in the list.
    pub at: usize,
    /// The call.
    pub item: &'a WhatIfItem,
    /// What came of it, once known; `None` of one that is left out.
    pub outcome: Option<&'a BranchCall>,
    /// What its group brought.
    pub effect: Option<&'a Effect>,
}

impl WhatIfRow<'_> {
    /// How much better the end is with it, once known.
    pub fn brought(&self) -> Option<f64> {
        self.effect?.brought.first().copied().flatten()
    }
}

/// What is branched where the window stands, if that has calls: the selected run, or the selected task.
pub fn what_if_subject(state: &State) -> Option<WhatIfSubject> {
    match (state.selection.run, &state.selection.task) {
        (Some(run), _) => {
            let loaded = state.library.runs.get(&run)?.loaded.as_ref();
            // Of pictures alone there is nothing to edit.
            let is_pictures =
                loaded.is_some_and(|run| matches!(run.origin, RunOrigin::Pictures { .. }));
            (!is_pictures).then_some(WhatIfSubject::Run(run))
        }
        (None, Some(task)) => Some(WhatIfSubject::Task(task.clone())),
        (None, None) => None,
    }
}

/// Whether the inspector shows a run with other calls.
pub fn shows_what_if(state: &State) -> bool {
    state.workspace == Workspace::Inspect
        && state.inspector_tab() == InspectorTab::WhatIf
        && what_if_subject(state).is_some()
}

/// The branch that is shown.
pub fn branch_key(state: &State) -> Option<BranchKey> {
    let subject = what_if_subject(state).filter(|_| shows_what_if(state))?;
    let edition = state.what_if.of(&subject)?.now.number;
    Some(BranchKey { subject, edition })
}

/// Whether the branch that is shown is not the run itself. One by hand always is.
pub fn is_branch_edited(state: &State) -> bool {
    let Some(subject) = what_if_subject(state).filter(|_| shows_what_if(state)) else {
        return false;
    };
    let edited = state.what_if.of(&subject);
    edited.is_some_and(|it| it.now.is_edited() || matches!(subject, WhatIfSubject::Task(_)))
}

/// By which variant branches are scored: the one whose curve is shown.
fn variant(state: &State) -> Option<String> {
    match state.curve_variant() {
        Some(variant) => Some(variant.id.to_string()),
        None => state.selected_task().map(|task| PrimaryMetric::of_task(task).variant().to_owned()),
    }
}

/// The curve of the branch that is shown.
pub fn branch_curve_key(state: &State) -> Option<BranchCurveKey> {
    Some(BranchCurveKey { branch: branch_key(state)?, variant: variant(state)? })
}

/// The scores of the branch that is shown, the start's first; nothing while it is the run itself.
pub fn branch_curve(state: &State) -> Option<&[Score]> {
    let key = branch_curve_key(state).filter(|_| is_branch_edited(state))?;
    state.derived.branch_curves.ready(&key).map(|curve| curve.as_slice())
}

/// The effects that are asked for.
pub fn effects_key(state: &State) -> Option<EffectsKey> {
    let grouping = state.what_if.leaving_out.filter(|_| shows_what_if(state))?;
    let Some(WhatIfSubject::Run(run)) = what_if_subject(state) else { return None };
    Some(EffectsKey { run, grouping, variant: variant(state)? })
}

/// The picture of the branch that is shown: of a run after the calls up to the selected step, so that both are
/// seen at one time; by hand after the selected call, or at its end.
pub fn branch_picture_key(state: &State) -> Option<PictureKey> {
    let key = branch_key(state).filter(|_| is_branch_edited(state))?;
    let items = &state.what_if.of(&key.subject)?.now.items;
    let until = match key.subject {
        WhatIfSubject::Run(_) if state.selection.step < state.last_step() => {
            after_step(items, state.selection.step)
        }
        WhatIfSubject::Run(_) => items.len(),
        WhatIfSubject::Task(_) => state.what_if.selected.map_or(items.len(), |at| at + 1),
    };
    let made = items.iter().take(until).filter(|item| !item.is_dropped).count();
    Some(PictureKey::Branch(key, u32::try_from(made).unwrap_or(u32::MAX)))
}

/// How many calls of the list there are up to that of a step, with those that were put in behind it.
fn after_step(items: &[WhatIfItem], step: u32) -> usize {
    let of_step = items.iter().rposition(|item| item.planned.source == CallSource::Recorded(step));
    let until = of_step.map_or(0, |at| at + 1);
    let behind = items.iter().skip(until);
    until + behind.take_while(|it| matches!(it.planned.source, CallSource::Inserted(_))).count()
}

/// What the inspector shows of a run with other calls.
pub fn what_if(state: &State) -> Option<WhatIfView<'_>> {
    let subject = what_if_subject(state)?;
    let edited = state.what_if.of(&subject);
    let branch = branch_key(state).and_then(|key| state.derived.branches.get(&key));
    let (outcome, problem) = match branch {
        Some(Fetched::Ready(outcome)) => (Some(&**outcome), None),
        Some(Fetched::Failed(why)) => (None, Some(why.as_str())),
        Some(Fetched::Pending) | None => (None, None),
    };
    let effects_key = effects_key(state);
    // What leaving calls out brought is made aside, and may be there while the branch is not.
    let (mut effects, mut effects_problem) = (None, None);
    match effects_key.as_ref().and_then(|key| state.derived.effects.get(key)) {
        Some(Fetched::Ready(found)) => effects = Some(&**found),
        Some(Fetched::Failed(why)) => effects_problem = Some(why.as_str()),
        Some(Fetched::Pending) | None => {}
    }
    let mut under_way = state.derived.in_flight.iter();
    let job = under_way.find_map(|(job, key)| match key {
        DerivedKey::Effects(key) if Some(key) == effects_key.as_ref() => Some(*job),
        _ => None,
    });
    let leaving_out = job.and_then(|job| Some(&state.jobs.by_id.get(&job)?.progress));
    let is_edited = is_branch_edited(state);
    let mut rows = Vec::new();
    let mut made = 0;
    for (at, item) in edited.into_iter().flat_map(|it| it.now.items.iter()).enumerate() {
        // Only calls that are made have an outcome, in the order of those that are left.
        let outcome = if item.is_dropped {
            None
        } else {
            made += 1;
            outcome.and_then(|outcome| outcome.calls.get(made - 1))
        };
        let step = match item.planned.source {
            CallSource::Recorded(step) => Some(step),
            CallSource::Inserted(_) => None,
        };
        // By the step of the recorded run, which an edit does not renumber.
        let effect = effects.zip(step).and_then(|(effects, step)| {
            effects.effects.iter().find(|it| it.group.steps.contains(&step))
        });
        rows.push(WhatIfRow { at, item, outcome, effect });
    }
    let brought = rows.iter().filter_map(|row| row.brought().map(f64::abs));
    let most_brought = brought.fold(0.0, f64::max);
    if state.what_if.is_ranked && effects.is_some() {
        // What is not known goes last, and equal ones stay in the order of the run.
        let key = |row: &WhatIfRow<'_>| row.brought().unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|a, b| key(b).total_cmp(&key(a)));
    }
    Some(WhatIfView {
        tools: outcome.map(|outcome| &outcome.tools),
        scores: [end_score(state), branch_curve(state).and_then(<[Score]>::last)],
        subject,
        edited,
        rows,
        is_edited,
        problem,
        effects,
        leaving_out,
        effects_problem,
        most_brought,
    })
}

/// The score of the selected run's end.
fn end_score(state: &State) -> Option<&Score> {
    let run = state.selected_run()?;
    run.curves.get(&state.curve_variant()?.id, run.steps)
}

/// What is left out together while nothing else was chosen.
pub fn chosen_grouping(state: &State) -> Grouping {
    state.what_if.leaving_out.unwrap_or_default()
}

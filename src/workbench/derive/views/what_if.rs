//! The run with other calls that is being made: its calls, what came of them, what each brought.

use std::sync::Arc;

use crate::environment::{EnvironmentKind, ToolSpec};
use crate::evaluate::PrimaryMetric;
use crate::evaluate::what_if::{GroupEffect, Grouping, LeftOut, ShapleyEffects};
use crate::metric::Score;
use crate::metric::stats::ShapleyValue;
use crate::run::{CallSource, RunOrigin};
use crate::task::{Reference, words_of_call};
use crate::workbench::model::{
    BranchCall, BranchCurveKey, BranchKey, DerivedKey, EditedCalls, EffectsKey, Fetched,
    InspectorTab, LibraryRun, PictureKey, Progress, ReferenceKind, RunId, ShapleyKey, State,
    WhatIfItem, WhatIfSubject,
};
use crate::workbench::protocol::ReferenceOrder;

use super::targets::is_in_range;

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
    /// Shapley values of the same groups, as far as they are asked for and known.
    pub shapley: Option<&'a ShapleyEffects>,
    /// How far they are, while they are under way.
    pub drawing_orders: Option<&'a Progress>,
    /// Why there are none, if so: they could not be made, or an end that they are made of has no score.
    pub shapley_problem: Option<String>,
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
    pub effect: Option<&'a GroupEffect>,
    /// What it brought on average over all orders.
    pub shapley: Option<&'a ShapleyValue>,
}

impl WhatIfRow<'_> {
    /// How much better the end is with it, once known.
    pub fn brought(&self) -> Option<f64> {
        self.effect?.brought.first().copied().flatten()
    }
}

/// The places of the calls that are listed, in the order of the list of calls.
pub fn listed_calls(state: &State) -> Vec<usize> {
    let subject = what_if_subject(state);
    let edited = subject.and_then(|subject| state.what_if.of(&subject));
    let mut behind = 1;
    let items = edited.into_iter().flat_map(|edited| edited.now.items.iter()).enumerate();
    let listed = items.filter(|(_, item)| {
        if let CallSource::Recorded(step) = item.planned.source {
            behind = step;
        }
        is_in_range(state, behind)
    });
    listed.map(|(at, _)| at).collect()
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

/// A run that one can go on with, as far as it says itself; else why it is none, for people.
pub(super) fn run_with_calls(state: &State, run: RunId) -> Result<&LibraryRun, &'static str> {
    let entry = state.library.runs.get(&run).ok_or("The run is not open any more.")?;
    let origin = entry.loaded.as_ref().map(|run| &run.origin);
    if matches!(origin, Some(RunOrigin::Pictures { .. })) {
        return Err("Only pictures were recorded of this run: there are no calls.");
    }
    Ok(entry)
}

/// Why a person cannot go on with a run; for people. `None`: they can.
pub fn why_not_by_hand(state: &State, run: RunId) -> Option<String> {
    let entry = match run_with_calls(state, run) {
        Ok(entry) => entry,
        Err(why) => return Some(why.to_owned()),
    };
    match &entry.manifest.environment {
        EnvironmentKind::Canvas if state.assist.study.desk.is_some() => {
            Some("A study is open in Assist: close it first.".to_owned())
        }
        EnvironmentKind::Unknown(name) => {
            let name: String = name.chars().take(80).collect();
            Some(format!("This version has no environment named {name:?}."))
        }
        _ => None,
    }
}

/// Whether the inspector shows a run with other calls.
pub fn shows_what_if(state: &State) -> bool {
    state.shows_step()
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
pub(super) fn variant(state: &State) -> Option<String> {
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

/// The effects that are shown.
pub fn effects_key(state: &State) -> Option<EffectsKey> {
    asked_effects(state).filter(|_| shows_what_if(state))
}

/// The effects that are asked for of the selected run, whatever is shown of it.
pub(in crate::workbench) fn asked_effects(state: &State) -> Option<EffectsKey> {
    let grouping = state.what_if.leaving_out?;
    let Some(WhatIfSubject::Run(run)) = what_if_subject(state) else { return None };
    let steps = state.library.runs.get(&run)?.steps;
    Some(EffectsKey { run, steps, grouping, variant: variant(state)? })
}

/// The Shapley values that are shown: of the groups that are left out.
pub fn shapley_key(state: &State) -> Option<ShapleyKey> {
    asked_shapley(state).filter(|_| shows_what_if(state))
}

/// The Shapley values that are asked for of the selected run, whatever is shown of it.
pub(in crate::workbench) fn asked_shapley(state: &State) -> Option<ShapleyKey> {
    let plan = state.what_if.shapley?;
    let EffectsKey { run, steps, grouping, variant } = asked_effects(state)?;
    Some(ShapleyKey { run, steps, grouping, variant, plan })
}

/// The reference that the calls shown would give the task, of those that did not fail, with the set's folder;
/// `None` while what came of the calls is not known, without the set, or where the task can have none of this kind.
pub fn reference_order(state: &State, kind: ReferenceKind) -> Option<ReferenceOrder> {
    let outcome = state.derived.branches.ready(&branch_key(state)?)?;
    let task = state.selection.task.clone()?;
    let set_dir = state.library.set_dir(&task.set)?;
    let planned = state.what_if.of(&what_if_subject(state)?)?.now.calls();
    let run = state.selected_run().and_then(|entry| entry.loaded.as_ref());
    // A call that is made is one that is planned, in the same order.
    let made = outcome.calls.iter().zip(&planned).filter(|(made, _)| !made.failed);
    let reference =
        match kind {
            ReferenceKind::Tools => Reference::tools_of(made.map(|(made, _)| &*made.call)),
            ReferenceKind::Plan => Reference::plan_of(made.map(|(made, planned)| {
                (&*made.call, run.and_then(|run| words_of_call(run, planned)))
            })),
        };
    let fits = reference.fits(&state.library.task(&task)?.environment);
    let order = ReferenceOrder { set_dir, task, reference };
    (fits && !order.reference.is_empty()).then_some(order)
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

/// Whether the stage shows the branch after all its calls: of one that is the run itself, the run's end.
pub fn shows_whole_branch(state: &State) -> bool {
    let Some(key) = branch_key(state) else { return false };
    if !is_branch_edited(state) {
        return state.selection.step >= state.last_step();
    }
    let items = state.what_if.of(&key.subject).map(|edited| edited.now.items.iter());
    let made = items.map(|items| items.filter(|item| !item.is_dropped).count());
    match branch_picture_key(state) {
        Some(PictureKey::Branch(_, shown)) => made == usize::try_from(shown).ok(),
        _ => false,
    }
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
    let shapley_key = shapley_key(state);
    let (mut shapley, mut shapley_problem) = (None, None);
    match shapley_key.as_ref().and_then(|key| state.derived.shapley.get(key)) {
        // They are made by one variant.
        Some(Fetched::Ready(found)) => match found.of_variants.first() {
            Some(Err(why)) => shapley_problem = Some(why.to_string()),
            _ => shapley = Some(&**found),
        },
        Some(Fetched::Failed(why)) => shapley_problem = Some(why.clone()),
        Some(Fetched::Pending) | None => {}
    }
    let leaving_out = progress(state, effects_key.map(DerivedKey::Effects));
    let drawing_orders = progress(state, shapley_key.map(DerivedKey::Shapley));
    let is_edited = is_branch_edited(state);
    let mut rows = Vec::new();
    let (mut made, mut behind) = (0, 1);
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
        // What was put in stays with the call that it stands behind.
        behind = step.unwrap_or(behind);
        if !is_in_range(state, behind) {
            continue;
        }
        // By the step of the recorded run, which an edit does not renumber.
        let effect = effects.zip(step).and_then(|(effects, step)| {
            effects.effects.iter().find(|it| it.group.steps.contains(&step))
        });
        let value = shapley.zip(step).and_then(|(shapley, step)| {
            let place = shapley.groups.iter().position(|group| group.steps.contains(&step))?;
            shapley.of_variants.first()?.as_ref().ok()?.values.get(place)
        });
        rows.push(WhatIfRow { at, item, outcome, effect, shapley: value });
    }
    let brought = rows.iter().filter_map(|row| row.brought().map(f64::abs));
    let values = rows.iter().filter_map(|row| row.shapley).flat_map(|it| {
        let interval = it.interval.map_or([it.value; 2], |it| [it.low, it.high]);
        [it.value.abs(), interval[0].abs(), interval[1].abs()]
    });
    let most_brought = brought.chain(values).fold(0.0, f64::max);
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
        shapley,
        drawing_orders,
        shapley_problem,
        most_brought,
    })
}

/// How far a value is that is being made.
pub(super) fn progress(state: &State, key: Option<DerivedKey>) -> Option<&Progress> {
    let key = key?;
    let mut under_way = state.derived.in_flight.iter();
    let job = under_way.find_map(|(job, known)| (*known == key).then_some(*job))?;
    Some(&state.jobs.by_id.get(&job)?.progress)
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

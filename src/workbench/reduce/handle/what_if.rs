//! Making a run with other calls.

use std::sync::Arc;

use super::select::{moved, select_task};
use super::windows::show_inspector;
use crate::environment::ToolCall;
use crate::run::id_arguments::with_ids;
use crate::run::{CallSource, PlannedCall, inserted_name, inserted_number};
use crate::workbench::derive::views;
use crate::workbench::model::{
    DerivedKey, Fetched, Inputs, InspectorTab, JobId, JobKind, NodeDragKey, NoticeLevel, RunInput,
    SavingFile, State, WhatIfItem, WhatIfSubject, Workspace,
};
use crate::workbench::protocol::{Request, SaveBranchOrder, WhatIfCommand};

/// Begins with the calls of what is selected, where the inspector shows them and nobody did.
pub(in crate::workbench::reduce) fn begin_shown(state: &mut State) {
    if !views::shows_what_if(state) {
        state.what_if.continued = None;
        return;
    }
    let Some(subject) = views::what_if_subject(state) else { return };
    // Whoever looks at another run by now does not go on with the one before.
    let selected = state.selection.run;
    state.what_if.continued.take_if(|(run, _)| Some(*run) != selected);
    let known = state.what_if.of(&subject);
    match subject {
        WhatIfSubject::Run(run) => {
            // One that is still being read is begun with when it is there.
            let loaded = state.library.runs.get(&run).and_then(|entry| entry.loaded.as_ref());
            let Some(loaded) = loaded else { return };
            // A run that has grown has all its calls, unless somebody has changed what there was of it.
            let has_grown = known.is_some_and(|known| {
                let calls = loaded.steps.iter().filter(|step| step.call.is_some()).count();
                let is_as_made = !known.now.is_edited() && known.now.by_hand.is_none();
                is_as_made && known.now.items.len() != calls
            });
            if known.is_none() {
                state.what_if.begin(subject.clone(), Some(loaded));
            } else if has_grown {
                state.what_if.grow(&subject, loaded);
            }
            if let Some((_, step)) = state.what_if.continued.take() {
                state.what_if.continue_by_hand(&subject, loaded, step);
            }
        }
        WhatIfSubject::Task(_) if known.is_none() => state.what_if.begin(subject, None),
        WhatIfSubject::Task(_) => {}
    }
}

/// Has a person go on with the selected run behind the step that is shown, by calls of its tools.
pub(super) fn continue_by_hand(state: &mut State) {
    let Some(run) = state.selection.run else { return };
    state.workspace = Workspace::Inspect;
    show_inspector(state, InspectorTab::WhatIf);
    state.what_if.continued = Some((run, state.selection.step));
    begin_shown(state);
}

/// Does what the command says.
pub(super) fn what_if(state: &mut State, command: WhatIfCommand) -> Vec<Request> {
    if let WhatIfCommand::ByHand(task) = command {
        select_task(state, task);
        state.settings.inspector_tab = InspectorTab::WhatIf;
        // Whoever begins with an empty list of calls is shown how to go on.
        state.what_if.assistant.is_open = true;
        return Vec::new();
    }
    if let WhatIfCommand::Ablate(is_asked) = command {
        ablate(state, is_asked);
        return Vec::new();
    }
    begin_shown(state);
    let Some(subject) = views::what_if_subject(state) else { return Vec::new() };
    let len = state.what_if.of(&subject).map_or(0, |edited| edited.now.items.len());
    match command {
        WhatIfCommand::Select(at) => state.what_if.selected = at.filter(|at| *at < len),
        WhatIfCommand::SelectBy(by) => {
            let listed = views::listed_calls(state);
            let selected = state.what_if.selected;
            let now = selected.and_then(|at| listed.iter().position(|listed| *listed == at));
            state.what_if.selected =
                moved(now, by, listed.len()).and_then(|to| listed.get(to).copied());
        }
        WhatIfCommand::ToggleDropped(at) => toggle(state, &subject, at),
        WhatIfCommand::ToggleSelected => {
            if let Some(at) = state.what_if.selected {
                toggle(state, &subject, at);
            }
        }
        WhatIfCommand::Move { from, to } => go(state, &subject, from, to),
        WhatIfCommand::MoveBy(by) => {
            if let Some(at) = state.what_if.selected {
                let to = at.saturating_add_signed(by as isize).min(len.saturating_sub(1));
                go(state, &subject, at, to);
            }
        }
        WhatIfCommand::Replace { at, arguments } => state.what_if.edit(&subject, |items, _| {
            let Some(item) = items.get_mut(at) else { return };
            // Leaving a field as it was is no edit: the branch would be made anew for nothing.
            if item.planned.call.arguments != arguments {
                Arc::make_mut(&mut item.planned.call).arguments = arguments;
                item.planned.is_edited = true;
            }
        }),
        WhatIfCommand::Insert { at, name, arguments } => {
            // An id of its own, which no recorded call has: later calls may name what it makes.
            let at = at.min(len);
            state.what_if.edit(&subject, |items, number| {
                let id = format!("inserted-{number}");
                let call = Arc::new(ToolCall { id, name, arguments });
                let source = CallSource::Inserted(number);
                let planned = PlannedCall { source, call, is_edited: true };
                items.insert(at, WhatIfItem { planned, is_dropped: false });
            });
            state.what_if.selected = Some(at);
        }
        WhatIfCommand::Undo => state.what_if.undo(&subject),
        WhatIfCommand::Redo => state.what_if.redo(&subject),
        WhatIfCommand::Discard => {
            let run = match &subject {
                WhatIfSubject::Run(run) => state.library.runs.get(run),
                WhatIfSubject::Task(_) => None,
            };
            let loaded = run.and_then(|entry| entry.loaded.as_ref()).cloned();
            // Of a run that is read anew the calls are not known just now.
            if loaded.is_some() || matches!(subject, WhatIfSubject::Task(_)) {
                state.what_if.discard(&subject, loaded.as_deref());
            }
        }
        WhatIfCommand::ByHand(_) | WhatIfCommand::Ablate(_) => {}
        WhatIfCommand::Save => return save(state, subject),
        WhatIfCommand::LeaveOut(grouping) => {
            state.what_if.leaving_out = grouping;
            // Without effects there is nothing to rank by.
            state.what_if.is_ranked &= grouping.is_some();
        }
        WhatIfCommand::Shapley(plan) => state.what_if.shapley = plan,
        WhatIfCommand::AskReference(kind) => state.what_if.asks_reference = kind,
        WhatIfCommand::MakeReference => return make_reference(state),
        WhatIfCommand::Rank(is_ranked) => state.what_if.is_ranked = is_ranked,
        WhatIfCommand::ShowNextStep(is_open) => state.what_if.assistant.is_open = is_open,
        WhatIfCommand::AcceptStep => accept_step(state, &subject),
        WhatIfCommand::AnotherStep => {
            if let Some(key) = views::next_step_key(state) {
                state.what_if.assistant.way = Some((key.branch, key.way.saturating_add(1)));
            }
        }
        WhatIfCommand::Drag(drag) => {
            if let Some((branch, _)) = views::design_in_hand(state) {
                state.what_if.begin_drag(branch, drag);
            }
        }
        WhatIfCommand::ShowGhost(shows_ghost) => {
            let assistant = &mut state.what_if.assistant;
            assistant.shows_ghost = shows_ghost;
            // Nothing is outlined that nobody is told of.
            assistant.is_open |= shows_ghost;
        }
    }
    drop_stale_drag(state);
    // Undoing may have taken the selected call away.
    let len = state.what_if.of(&subject).map_or(0, |edited| edited.now.items.len());
    state.what_if.selected = state.what_if.selected.filter(|at| *at < len);
    Vec::new()
}

/// Asks what tools brought over the listed runs, or no more.
fn ablate(state: &mut State, is_asked: bool) {
    state.what_if.ablation = is_asked.then(|| views::ablation_of_listed(state)).flatten();
    if is_asked && state.what_if.ablation.is_none() {
        let words = "no listed run of this task set is over: change the filter of the library";
        state.notify(NoticeLevel::Warning, words);
    }
}

/// Stops a job. What calls that are left out come to is asked for no more: else it would be begun again.
pub(super) fn stop(state: &mut State, job: JobId) -> Vec<Request> {
    match state.derived.in_flight.get(&job) {
        Some(DerivedKey::Effects(_)) => {
            state.what_if.leaving_out = None;
            state.what_if.is_ranked = false;
        }
        Some(DerivedKey::Shapley(_)) => state.what_if.shapley = None,
        Some(DerivedKey::Ablation(_)) => state.what_if.ablation = None,
        _ => return vec![Request::Cancel(job)],
    }
    Vec::new()
}

/// Puts the calls in that do what the assistant says, as one change.
fn accept_step(state: &mut State, subject: &WhatIfSubject) {
    let Some(step) = views::offered_step(state) else { return };
    let (calls, first) = (step.calls.clone(), step.first_inserted);
    put_in_last(state, subject, &calls, first);
}

/// What was dragged on a design that is another by now is not put in.
fn drop_stale_drag(state: &mut State) {
    let now = views::branch_key(state);
    if state.what_if.drag.as_ref().is_some_and(|(key, _)| Some(&key.branch) != now.as_ref()) {
        state.what_if.drag = None;
        let words = "the design changed before the drag was recorded: drag once more";
        state.notify(NoticeLevel::Error, words);
    }
}

/// Puts in the calls that do what a hand did, or says why there are none.
pub(in crate::workbench::reduce) fn record_drag(state: &mut State, key: &NodeDragKey) {
    let Some((_, drag)) = state.what_if.drag.take_if(|(known, _)| known == key) else { return };
    match state.derived.node_drags.get(key) {
        Some(Fetched::Ready(found)) => {
            let found = Arc::clone(found);
            put_in_last(state, &key.branch.subject, &found.calls, found.first_inserted);
        }
        Some(Fetched::Failed(why)) => {
            let words = format!("{} stays as it is: {why}", drag.node);
            state.notify(NoticeLevel::Error, &words);
        }
        Some(Fetched::Pending) | None => {}
    }
}

/// Puts calls in behind the last, as one change. They were worked out as if the first of them got the number `first`,
/// and may name what they make themselves.
fn put_in_last(state: &mut State, subject: &WhatIfSubject, calls: &[PlannedCall], first: u32) {
    if calls.is_empty() {
        return;
    }
    state.what_if.edit(subject, |items, next| {
        for (number, planned) in (next..).zip(calls) {
            // Numbers may have been used since, by changes that were taken back.
            let renamed = with_ids(&planned.call.arguments, &|id| {
                let own = inserted_number(id)?.checked_sub(first)?;
                Some(inserted_name(next + own))
            });
            let arguments = renamed.unwrap_or_else(|| planned.call.arguments.clone());
            let (id, name) = (format!("inserted-{number}"), planned.call.name.clone());
            let call = Arc::new(ToolCall { id, name, arguments });
            let source = CallSource::Inserted(number);
            let planned = PlannedCall { source, call, is_edited: true };
            items.push(WhatIfItem { planned, is_dropped: false });
        }
    });
    // What it came to is seen at the end.
    state.what_if.selected = None;
    if matches!(subject, WhatIfSubject::Run(_)) {
        state.selection.step = state.last_step();
    }
}

fn toggle(state: &mut State, subject: &WhatIfSubject, at: usize) {
    state.what_if.edit(subject, |items, _| match items.get_mut(at) {
        Some(item) if matches!(item.planned.source, CallSource::Recorded(_)) => {
            item.is_dropped = !item.is_dropped;
        }
        // Nothing of the run: it is put in again as easily.
        Some(_) => drop(items.remove(at)),
        None => {}
    });
}

fn go(state: &mut State, subject: &WhatIfSubject, from: usize, to: usize) {
    let mut moved = false;
    state.what_if.edit(subject, |items, _| {
        if from < items.len() && to < items.len() {
            let item = items.remove(from);
            items.insert(to, item);
            moved = true;
        }
    });
    if moved {
        state.what_if.selected = Some(to);
    }
}

fn save(state: &mut State, subject: WhatIfSubject) -> Vec<Request> {
    let Some(edited) = state.what_if.of(&subject) else { return Vec::new() };
    let calls = edited.now.calls();
    let by_hand = edited.now.by_hand;
    if by_hand.is_some() && !edited.now.has_inserted() {
        state.notify(NoticeLevel::Error, "nothing was done by hand yet: put a call in first");
        return Vec::new();
    }
    // A run goes along as it is read; of a task alone everything was put in by hand.
    let (inputs, task_ref, label) = match &subject {
        WhatIfSubject::Run(run) => {
            let Some(entry) = state.library.runs.get(run) else { return Vec::new() };
            // Without its run it would be told as made by hand, and while that is read anew it may be another.
            let Some(loaded) = entry.loaded.as_ref() else {
                let words = "the run is being read: record it once it is there";
                state.notify(NoticeLevel::Warning, words);
                return Vec::new();
            };
            let run = Some(RunInput::Loaded(Arc::clone(loaded)));
            let task = state.library.shared_task(&entry.task).cloned();
            let inputs = Inputs { task, run, ..Inputs::default() };
            let name = &entry.manifest.agent.name;
            let label = by_hand.map_or_else(
                || format!("what-if {name}"),
                |by_hand| format!("{name} by hand from step {}", by_hand.step),
            );
            (inputs, entry.task.clone(), label)
        }
        WhatIfSubject::Task(task) => {
            let inputs =
                Inputs { task: state.library.shared_task(task).cloned(), ..Inputs::default() };
            (inputs, task.clone(), format!("by hand on {}", task.id))
        }
    };
    if calls.is_empty() {
        state.notify(NoticeLevel::Error, "there is no call to be recorded: put one in first");
        return Vec::new();
    }
    let set_dir = state.library.set_dir(&task_ref.set);
    let out_dir = state.launch.options.out_dir.clone();
    let job = state.jobs.start(JobKind::Save, format!("recording {label}"));
    let saving = SavingFile { file: out_dir.display().to_string(), folder: Some(out_dir.clone()) };
    state.in_flight.saves.insert(job, saving);
    let set = task_ref.set;
    let is_by_hand = by_hand.is_some();
    let order =
        Box::new(SaveBranchOrder { subject, inputs, calls, is_by_hand, set, set_dir, out_dir });
    vec![Request::SaveBranch { job, order }]
}

fn make_reference(state: &mut State) -> Vec<Request> {
    let kind = state.what_if.asks_reference.take().unwrap_or_default();
    let Some(order) = views::reference_order(state, kind) else { return Vec::new() };
    let words = format!("{} of {}", order.reference.name(), order.task.id);
    // How it ended is told like any other save; what it is now, by an event of its own.
    let file = format!("the {words}");
    let job = state.jobs.start(JobKind::Save, words);
    state.in_flight.saves.insert(job, SavingFile { file, folder: None });
    vec![Request::MakeReference { job, order }]
}

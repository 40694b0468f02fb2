//! A run with other calls, while it is being made: which calls, and which value is made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Rect, Vector};
use crate::design::gesture::{Handle, ResizeKeys};
use crate::design::{Document, NodeId};
use crate::environment::{ToolCall, ToolSpec};
use crate::evaluate::what_if::{Grouping, LeftOut, ShapleyEffects, ShapleyPlan};
use crate::metric::Score;
use crate::run::{CallSource, PlannedCall, Run, TaskRef};

use super::ablation::AblationKey;
use super::ids::RunId;
use super::values::ResourceKey;

/// Most states of the calls that can be gone back to.
const MOST_UNDONE: usize = 500;
/// Most branches whose outcomes are kept.
const BRANCHES: usize = 64;

/// Most drags whose calls are kept: each is put in as soon as it is there.
const DRAGS: usize = 4;

/// What is branched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhatIfSubject {
    /// A run.
    Run(RunId),
    /// The start of a task: everything is called by hand.
    Task(TaskRef),
}

/// Which branch: that of a subject by one state of its calls. Numbers of states are used once in a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchKey {
    /// Of what.
    pub subject: WhatIfSubject,
    /// By which calls.
    pub edition: u64,
}

/// Which curve: the scores of a branch after each of its calls, by a variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchCurveKey {
    /// Of which branch.
    pub branch: BranchKey,
    /// By which variant.
    pub variant: String,
}

/// Which effects: what each group of a run's calls brought, by a variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectsKey {
    /// Of which run.
    pub run: RunId,
    /// How many steps it had: one that is under way gets more.
    pub steps: u32,
    /// What is left out together.
    pub grouping: Grouping,
    /// By which variant.
    pub variant: String,
}

/// Which Shapley values: what each group of a run's calls brought over all orders, by a variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapleyKey {
    /// Of which run.
    pub run: RunId,
    /// How many steps it had: one that is under way gets more.
    pub steps: u32,
    /// What is left out together.
    pub grouping: Grouping,
    /// By which variant.
    pub variant: String,
    /// How many orders are drawn, and by which seed.
    pub plan: ShapleyPlan,
}

/// A call in the list, made or left out.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfItem {
    /// The call.
    pub planned: PlannedCall,
    /// Whether it is left out.
    pub is_dropped: bool,
}

/// One state of the calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Edition {
    /// Its number.
    pub number: u64,
    /// The calls in order, those that are left out among them.
    pub items: Arc<[WhatIfItem]>,
    /// That a person goes on with the run in them, if so.
    pub by_hand: Option<ContinuedByHand>,
}

/// A run that a person goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuedByHand {
    /// Behind which of its steps.
    pub step: u32,
    /// The number of the state of the calls that it began with.
    pub began: u64,
}

impl Edition {
    /// The calls that are made.
    pub fn calls(&self) -> Vec<PlannedCall> {
        let made = self.items.iter().filter(|item| !item.is_dropped);
        made.map(|item| item.planned.clone()).collect()
    }

    /// The place right behind the last call that is made.
    pub fn end(&self) -> usize {
        self.items.iter().rposition(|item| !item.is_dropped).map_or(0, |last| last + 1)
    }

    /// Whether calls were put in.
    pub fn has_inserted(&self) -> bool {
        let mut sources = self.items.iter().map(|item| item.planned.source);
        sources.any(|source| matches!(source, CallSource::Inserted(_)))
    }

    /// Whether it differs from the run.
    pub fn is_edited(&self) -> bool {
        let mut last = 0;
        self.items.iter().any(|item| {
            let CallSource::Recorded(step) = item.planned.source else { return true };
            let is_behind = std::mem::replace(&mut last, step) > step;
            item.is_dropped || item.planned.is_edited || is_behind
        })
    }
}

/// The calls of one subject with what was done to them.
#[derive(Clone, Debug)]
pub struct EditedCalls {
    /// As they are.
    pub now: Edition,
    past: Vec<Edition>,
    future: Vec<Edition>,
    /// The calls of the run as they were made, when they were last taken from it: by them it is known for another one.
    made: Vec<Arc<ToolCall>>,
    /// The number of the next call that is put in.
    next_inserted: u32,
}

/// As what calls become the reference of their task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReferenceKind {
    /// By the tools they called.
    #[default]
    Tools,
    /// Step by step: of the design suite.
    Plan,
}

/// The branch that is being made.
#[derive(Clone, Debug, Default)]
pub struct WhatIf {
    /// What was edited in this session, by its subject.
    pub edited: BTreeMap<WhatIfSubject, EditedCalls>,
    /// The selected call, by its place in the list.
    pub selected: Option<usize>,
    /// What is left out together, while that is asked for.
    pub leaving_out: Option<Grouping>,
    /// How Shapley values are drawn of the same groups, while they are asked for.
    pub shapley: Option<ShapleyPlan>,
    /// Of which runs it is asked what tools brought, while it is.
    pub ablation: Option<AblationKey>,
    /// As what it is asked whether the calls are to become the task's reference, while it is.
    pub asks_reference: Option<ReferenceKind>,
    /// Whether the list is in the order of what calls brought.
    pub is_ranked: bool,
    /// What is asked of the assistant.
    pub assistant: BranchAssistant,
    /// The run that a person is about to go on with behind a step, until it is read.
    pub continued: Option<(RunId, u32)>,
    /// What a hand did on the picture, while calls are found that do the same.
    pub drag: Option<(NodeDragKey, NodeDrag)>,
    /// The number of the next state.
    next_edition: u64,
}

/// What is asked of the assistant while a branch is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchAssistant {
    /// Whether it says what could be next.
    pub is_open: bool,
    /// Whether its step is outlined on the picture.
    pub shows_ghost: bool,
    /// Which of the ways on it shows, of a branch that another way was asked for.
    pub way: Option<(BranchKey, u32)>,
}

/// The calls that do what a hand did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeDragKey {
    /// Behind the last call of which branch.
    pub branch: BranchKey,
    /// Which: numbers are used once in a session.
    pub number: u64,
}

/// What a hand did to a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDrag {
    /// The node.
    pub node: NodeId,
    /// What became of it.
    pub gesture: NodeGesture,
}

/// What a hand can do to a node. Lengths are those of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeGesture {
    /// It was moved by so much.
    Move(Vector),
    /// A handle was pulled by so much.
    Resize(Handle, Vector, ResizeKeys),
}

/// Calls to be put in behind the last.
#[derive(Clone, Debug, PartialEq)]
pub struct DragCalls {
    /// In order.
    pub calls: Vec<PlannedCall>,
    /// The number of the first of them.
    pub first_inserted: u32,
}

/// The calls that a branch is made of.
#[derive(Debug)]
pub struct BranchInput {
    /// In order.
    pub calls: Vec<PlannedCall>,
    /// The number that the next call gets that is put in.
    pub next_inserted: u32,
}

/// What came of the calls of a branch.
#[derive(Clone, Debug)]
pub struct BranchOutcome {
    /// For each call, in order.
    pub calls: Vec<BranchCall>,
    /// The tools there are.
    pub tools: Arc<[ToolSpec]>,
    /// The design behind the last call, of a vector canvas.
    pub design: Option<BranchDesign>,
}

/// A design on the canvas.
#[derive(Clone, Debug)]
pub struct BranchDesign {
    /// All that is on its page.
    pub document: Document,
    /// The box of the screen there, which the picture shows from edge to edge.
    pub screen: Rect,
}

/// What came of a call of a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchCall {
    /// As it was made: nodes by the ids they have there.
    pub call: Arc<ToolCall>,
    /// What an agent would have been told.
    pub text: String,
    /// Whether it failed.
    pub failed: bool,
}

impl ResourceKey for BranchKey {
    type Value = BranchOutcome;
    const BUDGET: usize = BRANCHES;

    fn cost(_: &BranchOutcome) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.subject == WhatIfSubject::Run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        matches!(&self.subject, WhatIfSubject::Task(task) if task.set == set)
    }
}

impl ResourceKey for BranchCurveKey {
    type Value = Vec<Score>;
    const BUDGET: usize = BRANCHES;

    fn cost(_: &Vec<Score>) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.branch.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.branch.is_of_set(set)
    }
}

impl ResourceKey for EffectsKey {
    type Value = LeftOut;
    const BUDGET: usize = BRANCHES;

    fn cost(_: &LeftOut) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

impl ResourceKey for ShapleyKey {
    type Value = ShapleyEffects;
    const BUDGET: usize = BRANCHES;

    fn cost(_: &ShapleyEffects) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

impl ResourceKey for NodeDragKey {
    type Value = DragCalls;
    const BUDGET: usize = DRAGS;

    fn cost(_: &DragCalls) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.branch.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.branch.is_of_set(set)
    }
}

impl EditedCalls {
    fn new(number: u64, items: Vec<WhatIfItem>) -> Self {
        let made = calls_of(&items);
        let now = Edition { number, items: items.into(), by_hand: None };
        Self { now, past: Vec::new(), future: Vec::new(), made, next_inserted: 1 }
    }

    /// Has other calls, so that those before can be gone back to.
    fn change(&mut self, now: Edition) {
        self.past.push(std::mem::replace(&mut self.now, now));
        // The oldest goes: nobody takes five hundred things back one by one.
        if self.past.len() > MOST_UNDONE {
            self.past.remove(0);
        }
        self.future.clear();
    }

    /// The number that the next call gets that is put in.
    pub fn next_inserted(&self) -> u32 {
        self.next_inserted
    }

    /// Whether somebody did something to the calls.
    fn is_changed(&self) -> bool {
        self.now.is_edited() || self.now.by_hand.is_some()
    }

    /// Whether the run still has these calls, and maybe more behind them.
    fn is_of(&self, run: &Run) -> bool {
        let mut calls = run.steps.iter().filter_map(|step| step.call.as_ref());
        self.made.iter().all(|made| calls.next() == Some(&**made))
    }

    /// Whether there is something to take back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to do again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

/// The calls of a run as they were made.
fn recorded_items(run: &Run) -> Vec<WhatIfItem> {
    let calls = run.steps.iter().filter_map(|step| step.call.as_ref());
    let items = (1..).zip(calls.cloned()).map(|(step, call)| WhatIfItem {
        planned: PlannedCall {
            source: CallSource::Recorded(step),
            call: Arc::new(call),
            is_edited: false,
        },
        is_dropped: false,
    });
    items.collect()
}

/// The calls themselves.
fn calls_of(items: &[WhatIfItem]) -> Vec<Arc<ToolCall>> {
    items.iter().map(|item| Arc::clone(&item.planned.call)).collect()
}

impl WhatIf {
    /// The calls of a subject, if they were begun with.
    pub fn of(&self, subject: &WhatIfSubject) -> Option<&EditedCalls> {
        self.edited.get(subject)
    }

    /// Begins with the calls of a run, or with none of a task's start.
    pub(in crate::workbench) fn begin(&mut self, subject: WhatIfSubject, run: Option<&Run>) {
        let items = run.map(recorded_items).unwrap_or_default();
        let edited = EditedCalls::new(self.number(), items);
        self.edited.insert(subject, edited);
        self.selected = None;
    }

    /// Has a person go on with a run behind a step: with its calls up to there as they were made, and
    /// none of those after.
    pub(in crate::workbench) fn continue_by_hand(
        &mut self,
        subject: &WhatIfSubject,
        run: &Run,
        step: u32,
    ) {
        let number = self.number();
        let Some(edited) = self.edited.get_mut(subject) else { return };
        let mut items = recorded_items(run);
        edited.made = calls_of(&items);
        let kept = items.len().min(step as usize);
        items.iter_mut().skip(kept).for_each(|item| item.is_dropped = true);
        let by_hand = Some(ContinuedByHand { step: kept as u32, began: number });
        edited.change(Edition { number, items: items.into(), by_hand });
        // Behind it the next call is put in.
        self.selected = kept.checked_sub(1);
    }

    /// Has a subject's calls as they were made again, or none of a task's start: a change like any other, which can be
    /// taken back.
    pub(in crate::workbench) fn discard(&mut self, subject: &WhatIfSubject, run: Option<&Run>) {
        self.selected = None;
        let items = run.map(recorded_items).unwrap_or_default();
        let number = self.next_edition;
        let Some(edited) = self.edited.get_mut(subject) else { return };
        edited.made = calls_of(&items);
        // Where they are as they were made, undo would have a step that does nothing.
        if items[..] == edited.now.items[..] && edited.now.by_hand.is_none() {
            return;
        }
        edited.change(Edition { number, items: items.into(), by_hand: None });
        self.next_edition += 1;
    }

    /// Has all calls of a run that has grown, of which nobody changed what there was.
    pub(in crate::workbench) fn grow(&mut self, subject: &WhatIfSubject, run: &Run) {
        let number = self.number();
        if let Some(edited) = self.edited.get_mut(subject) {
            let items = recorded_items(run);
            edited.made = calls_of(&items);
            edited.now = Edition { number, items: items.into(), by_hand: None };
        }
    }

    /// Forgets the calls of a run that has other ones by now: what was done to them, saved as a run, would be told as
    /// edits of calls that it never had. Of one that merely grew all stays. Whether something is lost by it that
    /// somebody did.
    pub(in crate::workbench) fn forget_replaced(&mut self, id: RunId, run: &Run) -> bool {
        let subject = WhatIfSubject::Run(id);
        if self.edited.get(&subject).is_none_or(|edited| edited.is_of(run)) {
            return false;
        }
        self.drag.take_if(|(key, _)| key.branch.subject == subject);
        self.edited.remove(&subject).is_some_and(|edited| edited.is_changed())
    }

    /// Changes the calls; what `change` leaves as it was is no change.
    pub(in crate::workbench) fn edit(
        &mut self,
        subject: &WhatIfSubject,
        change: impl FnOnce(&mut Vec<WhatIfItem>, u32),
    ) {
        let number = self.next_edition;
        let Some(edited) = self.edited.get_mut(subject) else { return };
        let mut items = edited.now.items.to_vec();
        change(&mut items, edited.next_inserted);
        // A change that changes nothing is none: undo would have a step that does nothing.
        if items[..] == edited.now.items[..] {
            return;
        }
        let newest = items.iter().filter_map(|item| match item.planned.source {
            CallSource::Inserted(number) => Some(number + 1),
            CallSource::Recorded(_) => None,
        });
        // Numbers are never used twice, also not after undo: calls refer to each other by them.
        edited.next_inserted = newest.max().unwrap_or(1).max(edited.next_inserted);
        let by_hand = edited.now.by_hand;
        edited.change(Edition { number, items: items.into(), by_hand });
        self.next_edition += 1;
    }

    /// Begins to find the calls that do what a hand did.
    pub(in crate::workbench) fn begin_drag(&mut self, branch: BranchKey, drag: NodeDrag) {
        let number = self.number();
        self.drag = Some((NodeDragKey { branch, number }, drag));
    }

    /// Takes the last change back.
    pub(in crate::workbench) fn undo(&mut self, subject: &WhatIfSubject) {
        let Some(edited) = self.edited.get_mut(subject) else { return };
        if let Some(before) = edited.past.pop() {
            edited.future.push(std::mem::replace(&mut edited.now, before));
        }
    }

    /// Does again what was taken back last.
    pub(in crate::workbench) fn redo(&mut self, subject: &WhatIfSubject) {
        let Some(edited) = self.edited.get_mut(subject) else { return };
        if let Some(after) = edited.future.pop() {
            edited.past.push(std::mem::replace(&mut edited.now, after));
        }
    }

    fn number(&mut self) -> u64 {
        self.next_edition += 1;
        self.next_edition - 1
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_as_it_was_made_is_discarded_without_a_step_for_undo() {
        let mut what_if = WhatIf::default();
        let subject = WhatIfSubject::Task(TaskRef::new("screens", "login"));
        what_if.begin(subject.clone(), None);
        what_if.discard(&subject, None);
        assert!(!what_if.of(&subject).unwrap().can_undo());
        let name = "create_rectangle".to_owned();
        let call = ToolCall { id: "inserted-1".to_owned(), name, arguments: json!({}) };
        let source = CallSource::Inserted(1);
        let planned = PlannedCall { source, call: Arc::new(call), is_edited: true };
        what_if.edit(&subject, |items, _| items.push(WhatIfItem { planned, is_dropped: false }));
        for _ in 0..2 {
            what_if.discard(&subject, None);
        }
        assert!(what_if.of(&subject).unwrap().now.items.is_empty());
        what_if.undo(&subject);
        assert_eq!(what_if.of(&subject).unwrap().now.items.len(), 1, "by one step");
    }
}

//! Which items are asked in which orders, and which were before.

use std::collections::{BTreeMap, BTreeSet};

use crate::label::{Form, Item, ItemId, ItemKind, Judgement, Ledger, Queue, assigned};
use crate::store::labels::LabelFile;

/// In which orders pairs are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orders {
    /// In one, by the queue.
    One,
    /// In that one, then in the other.
    Both,
}

/// What is to be asked.
pub(super) struct JudgingQueue<'a> {
    /// In the order of asking.
    pub(super) items: Vec<WorkItem<'a>>,
    /// Requests that were answered before.
    pub(super) known: usize,
}

/// An item by a form.
pub(super) struct WorkItem<'a> {
    /// Which form.
    pub(super) form: &'a Form,
    /// Which item.
    pub(super) item: &'a Item,
    /// Whether its second stands left, for each request.
    pub(super) orders: Vec<bool>,
    /// The places of candidates, in the order they are shown.
    pub(super) candidates: Vec<u32>,
}

impl JudgingQueue<'_> {
    /// How many requests that is, answers that have to be asked for twice aside.
    pub(super) fn requests(&self) -> usize {
        self.items.iter().map(|item| item.orders.len()).sum()
    }
}

/// What of a project a judge is still to be asked: the items that count, in the order and on the sides of its own
/// queue.
pub(super) fn work<'a>(
    (file, ledger, forms, items): (&LabelFile, &Ledger, &[&'a Form], &'a [Item]),
    (name, seed): (&str, u64),
    (orders, again_failed, limit): (Orders, bool, Option<usize>),
) -> JudgingQueue<'a> {
    let project = file.project();
    // A queue follows from who is asked; another seed is as good as somebody else.
    let asked = if seed == 0 { name.to_owned() } else { format!("{name} {seed}") };
    let mut mine =
        assigned(&project.id, (&project.people, &asked), items, project.queue.labels_per_item);
    for (mine, item) in mine.iter_mut().zip(items) {
        // Practice is to learn by, and what is asked once more would count twice.
        *mine &= item.counts();
    }
    let queue = Queue::of((&project.id, &asked), items, &mine, project.queue.sides);
    let mut work = JudgingQueue { items: Vec::new(), known: 0 };
    for form in forms {
        let done = done(form, ledger, name, again_failed);
        for turn in &queue.turns {
            let Some(item) = items.get(turn.index).filter(|item| item.kind == form.about) else {
                continue;
            };
            let first = turn.is_swapped;
            let wanted = match (item.kind, orders) {
                (ItemKind::Pair, Orders::Both) => vec![first, !first],
                (ItemKind::Pair, Orders::One) => vec![first],
                _ => vec![false],
            };
            let known = done.get(&item.id);
            let mut open = wanted;
            let all = open.len();
            open.retain(|order| known.is_none_or(|known| !known.contains(order)));
            work.known += all - open.len();
            if !open.is_empty() && limit.is_none_or(|limit| work.items.len() < limit) {
                let candidates = turn.candidates.clone();
                work.items.push(WorkItem { form, item, orders: open, candidates });
            }
        }
    }
    work
}

/// The orders in which each item was asked before.
fn done<'a>(
    form: &Form,
    ledger: &'a Ledger,
    name: &str,
    again_failed: bool,
) -> BTreeMap<&'a ItemId, BTreeSet<bool>> {
    let mut done: BTreeMap<&ItemId, BTreeSet<bool>> = BTreeMap::new();
    for known in ledger.judgements(form.hash()) {
        let is_failed = matches!(known.judged.outcome, Judgement::Failed { .. });
        if known.event.person == name && !(again_failed && is_failed) {
            done.entry(&known.event.item).or_default().insert(known.judged.is_swapped);
        }
    }
    done
}

//! Runs of two groups beside each other, task by task.

use std::collections::HashMap;

use crate::metric::stats;
use crate::run::natural_cmp;
use crate::task::TaskContent;

/// What makes two attempts attempts at one task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskIdentity {
    /// The id of the set, as its own file says it.
    pub set: String,
    /// The id of the task in it.
    pub id: String,
    /// What it asks, where sets of one id may ask something else; `None`: the ids tell.
    pub content: Option<TaskContent>,
}

/// The same of a run, as it stands there: thousands of runs are attempts at few tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskIdentityRef<'a> {
    /// The id of the set, as its own file says it.
    pub set: &'a str,
    /// The id of the task in it.
    pub id: &'a str,
    /// What it asks, where sets of one id may ask something else; `None`: the ids tell.
    pub content: Option<TaskContent>,
}

impl TaskIdentityRef<'_> {
    fn to_owned(self) -> TaskIdentity {
        let Self { set, id, content } = self;
        TaskIdentity { set: set.to_owned(), id: id.to_owned(), content }
    }
}

/// Which of two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupSide {
    /// The first.
    First,
    /// The second.
    Second,
}

impl GroupSide {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A run of one of two groups.
#[derive(Clone, Debug)]
pub struct GroupedRun<'a, R> {
    /// What it is an attempt at.
    pub task: TaskIdentityRef<'a>,
    /// In which group it is.
    pub side: GroupSide,
    /// The run.
    pub run: R,
    /// What it is compared by, infinite of a run that is equal to the ground truth by a score without a bound; `None` if
    /// it has no such value.
    pub value: Option<f64>,
}

/// A task of two groups.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedTask<R> {
    /// Which.
    pub task: TaskIdentity,
    first: MatchedSide<R>,
    second: MatchedSide<R>,
}

/// The runs of a group at a task.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedSide<R> {
    /// All of them, those with a value first.
    pub runs: Vec<R>,
    /// How many have a value.
    pub measured: usize,
    /// How many of the others have one that is infinite: their pictures are equal, and no mean can have it.
    pub infinite: usize,
    /// The values, the least first: their mean is the same in whatever order the runs came.
    values: Vec<f64>,
}

impl<R> Default for MatchedSide<R> {
    fn default() -> Self {
        Self { runs: Vec::new(), measured: 0, infinite: 0, values: Vec::new() }
    }
}

impl<R> MatchedSide<R> {
    /// The mean over those that have a value: several runs of a group at a task are repeats.
    pub fn mean(&self) -> Option<f64> {
        // Of equal repeats it is that very value, so that one that just passes still does, and a tie is one.
        stats::mean(&self.values).ok()
    }

    fn add(&mut self, run: R, value: Option<f64>) {
        match value {
            Some(value) if value.is_finite() => {
                self.runs.insert(self.measured, run);
                self.measured += 1;
                let place = self.values.partition_point(|known| *known <= value);
                self.values.insert(place, value);
            }
            _ => {
                self.infinite += usize::from(value == Some(f64::INFINITY));
                self.runs.push(run);
            }
        }
    }

    /// Whether a run has a value, be it infinite.
    fn has_value(&self) -> bool {
        self.measured + self.infinite > 0
    }
}

impl<R> MatchedTask<R> {
    /// The runs of one group.
    pub fn side(&self, side: GroupSide) -> &MatchedSide<R> {
        match side {
            GroupSide::First => &self.first,
            GroupSide::Second => &self.second,
        }
    }

    /// The means of both groups, where both have one.
    pub fn both(&self) -> Option<(f64, f64)> {
        Some((self.first.mean()?, self.second.mean()?))
    }

    /// Whether only the other group has a value, be it infinite.
    pub fn lacks(&self, side: GroupSide) -> bool {
        !self.side(side).has_value() && self.side(side.other()).has_value()
    }

    /// All runs of both groups.
    pub fn runs(&self) -> impl Iterator<Item = &R> {
        self.first.runs.iter().chain(&self.second.runs)
    }
}

/// Puts runs of two groups beside each other: every task of either, in the order of their ids.
pub fn match_tasks<'a, R>(
    runs: impl IntoIterator<Item = GroupedRun<'a, R>>,
) -> Vec<MatchedTask<R>> {
    // In the order they came, which is often that of their ids: a list that is in order is sorted in one pass.
    let mut met: Vec<(TaskIdentityRef<'a>, [MatchedSide<R>; 2])> = Vec::new();
    let mut places: HashMap<TaskIdentityRef<'a>, usize> = HashMap::new();
    for GroupedRun { task, side, run, value } in runs {
        let place = *places.entry(task).or_insert_with(|| {
            met.push((task, Default::default()));
            met.len() - 1
        });
        let [first, second] = &mut met[place].1;
        let side = if side == GroupSide::First { first } else { second };
        side.add(run, value);
    }
    let tasks = met.into_iter();
    let tasks = tasks.map(|(task, [first, second])| {
        let task = task.to_owned();
        MatchedTask { task, first, second }
    });
    let mut tasks: Vec<MatchedTask<R>> = tasks.collect();
    tasks.sort_by(|a, b| {
        let by_set = natural_cmp(&a.task.set, &b.task.set);
        let by_id = by_set.then_with(|| natural_cmp(&a.task.id, &b.task.id));
        // Of ids that read the same in one order, whatever the map's is.
        by_id.then_with(|| a.task.cmp(&b.task))
    });
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, side: GroupSide, run: u32, value: Option<f64>) -> GroupedRun<'_, u32> {
        let task = TaskIdentityRef { set: "screens", id, content: None };
        GroupedRun { task, side, run, value }
    }

    #[test]
    fn repeats_are_averaged_and_who_is_missing_is_kept() {
        use GroupSide::{First, Second};
        let matched = match_tasks([
            run("t10", First, 0, Some(0.5)),
            run("t2", First, 1, None),
            run("t2", First, 2, Some(0.2)),
            run("t2", First, 3, Some(0.4)),
            run("t2", Second, 4, Some(0.8)),
            run("t3", Second, 5, Some(f64::NAN)),
        ]);
        let ids: Vec<&str> = matched.iter().map(|task| task.task.id.as_str()).collect();
        assert_eq!(ids, ["t2", "t3", "t10"]);
        let (first, second) = matched[0].both().unwrap();
        assert!((first - 0.3).abs() < 1e-12 && second == 0.8);
        assert_eq!(matched[0].side(First).runs, [2, 3, 1]);
        assert_eq!(matched[0].side(First).measured, 2);
        assert_eq!(matched[0].runs().copied().collect::<Vec<_>>(), [2, 3, 1, 4]);
        assert_eq!((matched[1].both(), matched[1].side(Second).mean()), (None, None));
        assert!(matched[2].side(Second).runs.is_empty());
    }

    #[test]
    fn the_mean_of_equal_repeats_is_that_very_value() {
        let first = (0..3).map(|at| run("t", GroupSide::First, at, Some(0.7)));
        let second = [run("t", GroupSide::Second, 3, Some(0.7))];
        let matched = match_tasks(first.chain(second));
        // Their sum over three is 0.6999999999999998, which would neither pass from 0.7 nor tie.
        assert_eq!(matched[0].both(), Some((0.7, 0.7)));
    }

    #[test]
    fn an_infinite_value_is_in_no_mean_and_not_missing() {
        use GroupSide::{First, Second};
        let matched = match_tasks([
            run("t1", First, 0, Some(f64::INFINITY)),
            run("t1", Second, 1, Some(41.6)),
            run("t2", First, 2, Some(f64::INFINITY)),
            run("t2", First, 3, Some(40.0)),
            run("t3", First, 4, Some(f64::INFINITY)),
        ]);
        let of_first = |at: usize| {
            let side = matched[at].side(First);
            (side.measured, side.infinite, side.mean())
        };
        assert_eq!([0, 1, 2].map(of_first), [(0, 1, None), (1, 1, Some(40.0)), (0, 1, None)]);
        assert_eq!(matched[1].side(First).runs, [3, 2]);
        assert_eq!([0, 1, 2].map(|at: usize| matched[at].lacks(First)), [false; 3]);
        assert_eq!([0, 1, 2].map(|at: usize| matched[at].lacks(Second)), [false, true, true]);
    }

    #[test]
    fn tasks_of_one_name_that_ask_something_else_are_two() {
        let mut runs =
            [run("t", GroupSide::First, 0, Some(1.0)), run("t", GroupSide::Second, 1, Some(2.0))];
        runs[0].task.content = Some(TaskContent::of_bytes(b"a"));
        runs[1].task.content = Some(TaskContent::of_bytes(b"b"));
        assert_eq!(match_tasks(runs.clone()).len(), 2);
        runs[1].task.content = runs[0].task.content;
        assert_eq!(match_tasks(runs).len(), 1);
    }
}

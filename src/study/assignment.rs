//! Who does what in which order: conditions by Williams squares, groups of tasks so that they meet evenly.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::Chance;
use super::plan::{Arrangement, StudyPlan};

/// Tasks that somebody does under one condition, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The place of the condition.
    pub condition: usize,
    /// Which group of tasks, within people.
    pub group: Option<usize>,
    /// The places of the tasks, in the order they are done.
    pub tasks: Vec<usize>,
}

/// The rows of a Williams square of so many conditions: each stands at each position equally often, and follows each
/// other one equally often. An odd number of them needs twice as many rows.
///
/// Source: Williams 1949.
pub fn williams(conditions: usize) -> Vec<Vec<usize>> {
    let n = conditions;
    let mut rows: Vec<Vec<usize>> = (0..n)
        .map(|i| {
            // i, i − 1, i + 1, i − 2, i + 2 …, round and round.
            let entry =
                |j: usize| if j.is_multiple_of(2) { i + j / 2 } else { i + n - j.div_ceil(2) };
            (0..n).map(|j| entry(j) % n).collect()
        })
        .collect();
    if n % 2 == 1 && n > 1 {
        let mirrors: Vec<Vec<usize>> =
            rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
        rows.extend(mirrors);
    }
    rows
}

/// What the person in a row of the study does, in order. Rows are from 0 and have no end: the plan repeats itself.
pub fn schedule(plan: &StudyPlan, row: u32) -> Vec<Block> {
    let (n, p) = (plan.conditions.len(), row as usize);
    let person = format!("row {row}");
    let mut blocks = match plan.arrangement {
        Arrangement::Within => within(plan, n, p),
        Arrangement::Between => {
            // So many people at a time have all conditions, in an order that cannot be foreseen.
            let mut order: Vec<usize> = (0..n).collect();
            let block = (p / n).to_string();
            Chance::new(plan.seed, &[&plan.id, "conditions", &block]).shuffle(&mut order);
            let tasks = (0..plan.tasks.len()).collect();
            vec![Block { condition: order[p % n], group: None, tasks }]
        }
    };
    for block in &mut blocks {
        let group = block.group.unwrap_or_default().to_string();
        Chance::new(plan.seed, &[&plan.id, "order", &person, &group]).shuffle(&mut block.tasks);
    }
    blocks
}

/// The ids of the conditions that the person in a row has, in their order.
pub(super) fn conditions_of(plan: &StudyPlan, row: u32) -> Vec<&str> {
    let blocks = schedule(plan, row).into_iter();
    blocks.map(|block| plan.conditions[block.condition].id.as_str()).collect()
}

fn within(plan: &StudyPlan, n: usize, p: usize) -> Vec<Block> {
    let square = williams(n);
    let order = &square[p % square.len()];
    let blocks = order.iter().enumerate().map(|(j, condition)| {
        // Of three, checked: over 12 people each condition meets each group, and each position each group,
        // four times. Others go on by one, and begin one further after every square.
        let (step, first) =
            if n == 3 { (1 + (p / 3) % 2, p + p / 6) } else { (1, p + p / square.len()) };
        let group = (j * step + first) % n;
        let tasks = plan.tasks.iter().enumerate();
        let tasks = tasks.filter(|(_, task)| task.group.map(|it| it as usize) == Some(group));
        let tasks = tasks.map(|(at, _)| at).collect();
        Block { condition: *condition, group: Some(group), tasks }
    });
    blocks.collect()
}

/// The row of who comes next: the first that nobody has, so that who withdraws is replaced.
pub fn next_free_row(taken: &BTreeSet<u32>) -> u32 {
    (0..=u32::MAX).find(|row| !taken.contains(row)).unwrap_or(u32::MAX)
}

/// How often two met, by their places.
pub type Meetings = BTreeMap<(usize, usize), u32>;

/// How evenly conditions, positions and groups of tasks met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// How many people.
    pub people: usize,
    /// How often a condition (first) stood at a position (second).
    pub condition_at_position: Meetings,
    /// How often a condition met a group.
    pub condition_with_group: Meetings,
    /// How often a group stood at a position.
    pub group_at_position: Meetings,
    /// How often a condition followed another.
    pub followed_by: Meetings,
    /// How often the same condition, group and position met at most.
    pub most_alike: u32,
}

impl Balance {
    /// Of these people's schedules; what never met is there with 0.
    pub fn of(plan: &StudyPlan, rows: impl IntoIterator<Item = u32>) -> Self {
        let mut balance = Self::default();
        let n = plan.conditions.len();
        let positions = if plan.arrangement == Arrangement::Within { n } else { 1 };
        // All that can be counted, so that what never happens is a 0 in the table and not a gap.
        for condition in 0..n {
            for position in 0..positions {
                balance.condition_at_position.insert((condition, position), 0);
            }
            for other in (0..n).filter(|_| plan.arrangement == Arrangement::Within) {
                balance.condition_with_group.insert((condition, other), 0);
                balance.group_at_position.insert((condition, other), 0);
                if other != condition {
                    balance.followed_by.insert((condition, other), 0);
                }
            }
        }
        let mut alike: BTreeMap<(usize, usize, usize), u32> = BTreeMap::new();
        for row in rows {
            balance.people += 1;
            let blocks = schedule(plan, row);
            for (position, block) in blocks.iter().enumerate() {
                *balance.condition_at_position.entry((block.condition, position)).or_default() += 1;
                if let Some(group) = block.group {
                    *balance.condition_with_group.entry((block.condition, group)).or_default() += 1;
                    *balance.group_at_position.entry((group, position)).or_default() += 1;
                    *alike.entry((block.condition, group, position)).or_default() += 1;
                }
            }
            // What came right before is what carries over: a square is balanced if each follows each as often.
            for two in blocks.windows(2) {
                let pair = (two[0].condition, two[1].condition);
                *balance.followed_by.entry(pair).or_default() += 1;
            }
        }
        balance.most_alike = alike.values().copied().max().unwrap_or(0);
        balance
    }

    /// The tables with their names.
    pub fn tables(&self) -> [(&'static str, &Meetings); 4] {
        [
            ("condition × position", &self.condition_at_position),
            ("condition × group", &self.condition_with_group),
            ("group × position", &self.group_at_position),
            ("condition followed by", &self.followed_by),
        ]
    }

    /// Whether all met equally often.
    pub fn is_even(&self) -> bool {
        self.tables().iter().all(|(_, table)| {
            let mut counts = table.values();
            counts.next().is_none_or(|first| counts.all(|count| count == first))
        })
    }
}

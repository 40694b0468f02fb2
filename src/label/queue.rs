//! Which item comes next for whom, and what stands on which side.
//!
//! Both follow from the seed of (project, person, item), so that every copy of a project asks a person in
//! the same order: nobody's order is anybody else's, and none is that of the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::item::{Item, ItemId, ItemRole};

/// One item of a person's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its place among the project's items.
    pub index: usize,
    /// Whether the item's second stands on the left.
    pub is_swapped: bool,
    /// The places of its candidates, in the order they are shown.
    pub candidates: Vec<u32>,
}

/// What a person is asked, in order: practice first, then the qualification, then the others, shuffled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The items.
    pub turns: Vec<Turn>,
}

/// How sides are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    /// Each model as often on the left as on the right, as near as can be, for every person.
    #[default]
    Balanced,
    /// The item's first on the left, always: as published, with the baseline first.
    AsGiven,
}

impl Queue {
    /// All items in their order, each as it stands: of a packet.
    pub fn as_given(items: &[Item]) -> Self {
        let turns = items.iter().enumerate().map(|(index, item)| {
            let candidates = (0..).zip(&item.candidates).map(|(at, _)| at).collect();
            Turn { index, is_swapped: false, candidates }
        });
        Self { turns: turns.collect() }
    }

    /// The queue of a person: of the items, in their order, those that are marked as theirs
    /// ([`assigned`](super::assigned)).
    ///
    /// Of a pair, that order is taken which leaves its two models nearer to being as often left as right for this
    /// person; where both do, the seed decides. Practice and the qualification stand in the order they are given.
    pub fn of(
        (project, person): (&str, &str),
        items: &[Item],
        mine: &[bool],
        sides: Sides,
    ) -> Self {
        let mut order: Vec<(u8, u64, usize)> = Vec::with_capacity(items.len());
        let mine = items.iter().enumerate().zip(mine).filter(|(_, mine)| **mine);
        for ((index, item), _) in mine {
            let seed = seed(project, person, &item.id, "order");
            // Practice goes from easy to hard, as the project has it; the qualification stands likewise, so
            // that it is the same for everybody.
            let (part, place) = match item.role {
                ItemRole::Practice => (0, index as u64),
                ItemRole::Qualification => (1, index as u64),
                ItemRole::Plain | ItemRole::KnownAnswer => (2, seed),
            };
            order.push((part, place, index));
        }
        order.sort_unstable();
        let mut left_more: BTreeMap<&str, i64> = BTreeMap::new();
        let turns = order.into_iter().map(|(_, _, index)| {
            let item = &items[index];
            let is_swapped = match (item.models(), sides) {
                (Some(models), Sides::Balanced) => {
                    let coin = seed(project, person, &item.id, "side") & 1 == 1;
                    swapped(&mut left_more, models, coin)
                }
                _ => false,
            };
            Turn { index, is_swapped, candidates: shuffled(project, person, item) }
        });
        Self { turns: turns.collect() }
    }
}

/// Whether a pair's second goes left, by how much more often each model was left than right so far.
fn swapped<'a>(left_more: &mut BTreeMap<&'a str, i64>, [a, b]: [&'a str; 2], coin: bool) -> bool {
    let [more_a, more_b] = [a, b].map(|model| left_more.get(model).copied().unwrap_or(0));
    let is_swapped = match more_a.cmp(&more_b) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => coin,
    };
    // A model beside itself is on both sides.
    if a != b {
        let (left, right) = if is_swapped { (b, a) } else { (a, b) };
        *left_more.entry(left).or_insert(0) += 1;
        *left_more.entry(right).or_insert(0) -= 1;
    }
    is_swapped
}

fn shuffled(project: &str, person: &str, item: &Item) -> Vec<u32> {
    let mut order: Vec<(u64, u32)> = (0u32..)
        .zip(&item.candidates)
        .map(|(at, id)| (seed(project, person, &item.id, id), at))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

pub(super) fn seed(project: &str, person: &str, item: &ItemId, what: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in [project, person, &item.0, what] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{ItemKind, LabelledRun};

    fn pair(id: usize, models: [&str; 2]) -> Item {
        let runs = models.map(|model| LabelledRun {
            path: String::new(),
            content: String::new(),
            model: model.to_owned(),
        });
        Item { runs: runs.to_vec(), ..Item::bare(ItemId(format!("item-{id}")), ItemKind::Pair) }
    }

    fn queue_of(project: &str, person: &str, items: &[Item], sides: Sides) -> Queue {
        Queue::of((project, person), items, &vec![true; items.len()], sides)
    }

    #[test]
    fn sides_are_balanced_for_every_person_and_model() {
        let models = ["a", "b", "c", "d", "e"];
        let items: Vec<Item> = (0..10_000)
            .map(|at| pair(at, [models[at % 5], models[(at / 5 + at + 1) % 5]]))
            .collect();
        for person in ["ada", "bo"] {
            let queue = queue_of("study", person, &items, Sides::Balanced);
            let mut left: BTreeMap<&str, i64> = BTreeMap::new();
            let (mut swaps, mut pairs) = (0, 0);
            for turn in &queue.turns {
                let [a, b] = items[turn.index].models().unwrap();
                if a == b {
                    continue;
                }
                pairs += 1;
                swaps += i64::from(turn.is_swapped);
                *left.entry(if turn.is_swapped { b } else { a }).or_default() += 1;
                *left.entry(if turn.is_swapped { a } else { b }).or_default() -= 1;
            }
            assert!(left.values().all(|more| more.abs() <= 4), "{left:?}");
            // The seed decides often enough that a side says nothing about the file's order.
            assert!((swaps * 2 - pairs).abs() < pairs / 20, "{swaps} of {pairs}");
        }
    }

    #[test]
    fn two_models_stand_on_sides_that_cannot_be_told_from_those_before() {
        let items: Vec<Item> = (0..2_000).map(|at| pair(at, ["a", "b"])).collect();
        let queue = queue_of("study", "ada", &items, Sides::Balanced);
        let left = queue.turns.iter().filter(|turn| !turn.is_swapped).count();
        assert!(left.abs_diff(1_000) <= 1, "{left}");
        // Of two that follow one another both orders come up.
        let first = queue.turns.chunks(2).filter(|two| !two[0].is_swapped).count();
        assert!(first.abs_diff(500) < 80, "{first}");
    }

    #[test]
    fn a_queue_is_the_same_everywhere_and_nobody_elses() {
        let mut items: Vec<Item> = (0..50).map(|at| pair(at, ["a", "b"])).collect();
        items[7].role = ItemRole::Practice;
        items[3].role = ItemRole::Practice;
        let queue = queue_of("study", "ada", &items, Sides::Balanced);
        assert_eq!(queue, queue_of("study", "ada", &items, Sides::Balanced));
        let order = |queue: &Queue| queue.turns.iter().map(|turn| turn.index).collect::<Vec<_>>();
        assert_eq!(order(&queue)[..2], [3, 7], "practice comes first, in its order");
        let mut all = order(&queue);
        assert_ne!(all, order(&queue_of("study", "bo", &items, Sides::Balanced)));
        assert_ne!(all, order(&queue_of("other", "ada", &items, Sides::Balanced)));
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>(), "each once");
        let given = queue_of("study", "ada", &items, Sides::AsGiven);
        assert!(given.turns.iter().all(|turn| !turn.is_swapped));
    }
}

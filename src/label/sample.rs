//! A stratified sample of tasks: so many of each stratum, the same ones every time.
//!
//! Source: CANVAS, F.2 (100 designs, weighted by type and complexity); GraphicWeaver, Appendix B.3 (as many of
//! each type).

use std::collections::BTreeMap;

use super::item::ItemId;
use super::queue::seed;

/// How many of each stratum are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocation {
    /// In proportion to how many there are: the sample is like what it is of.
    #[default]
    Proportional,
    /// As many of each, as far as there are so many.
    Equal,
}

/// What is drawn of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many tasks.
    pub count: usize,
    /// What strata are made of, such as `type` and `difficulty`. A task that lacks one of them is in a
    /// stratum with the others that do.
    pub by: Vec<String>,
    /// How many of each.
    pub allocation: Allocation,
    /// Which ones: the same seed draws the same.
    pub seed: u64,
}

/// Which of the tasks are drawn, by their places, ascending; all of them if there are no more.
/// `tasks` gives each one's name and what it is.
pub fn draw(tasks: &[(&str, &BTreeMap<String, String>)], sample: &Sample) -> Vec<usize> {
    let mut strata: BTreeMap<Vec<Option<&str>>, Vec<(u64, usize)>> = BTreeMap::new();
    for (at, (name, strata_of)) in tasks.iter().enumerate() {
        let key = sample.by.iter().map(|by| strata_of.get(by).map(String::as_str)).collect();
        // From the seed and the name alone: a task that is added does not change the places of the others.
        let place = seed(&sample.seed.to_string(), "", &ItemId((*name).to_owned()), "sample");
        strata.entry(key).or_default().push((place, at));
    }
    let mut strata: Vec<Vec<(u64, usize)>> = strata.into_values().collect();
    for stratum in &mut strata {
        stratum.sort_unstable();
    }
    let sizes: Vec<usize> = strata.iter().map(Vec::len).collect();
    let mut drawn: Vec<usize> = strata
        .iter()
        .zip(allot(&sizes, sample.count, sample.allocation))
        .flat_map(|(stratum, count)| stratum.iter().take(count).map(|(_, at)| *at))
        .collect();
    drawn.sort_unstable();
    drawn
}

/// How many are drawn of each stratum: one after another from the one that is furthest behind its share; of
/// those that are as far behind from the larger one, then from the first.
fn allot(sizes: &[usize], count: usize, allocation: Allocation) -> Vec<usize> {
    let all: usize = sizes.iter().sum();
    let count = count.min(all);
    let mut drawn = vec![0usize; sizes.len()];
    for _ in 0..count {
        let open = (0..sizes.len()).filter(|at| drawn[*at] < sizes[*at]);
        let next = open.max_by_key(|&at| {
            let (weight, weights) = match allocation {
                Allocation::Proportional => (sizes[at], all),
                Allocation::Equal => (1, sizes.len()),
            };
            // count × weight − drawn × weights, as whole numbers: no rounding decides.
            let behind = (count * weight) as i128 - (drawn[at] * weights) as i128;
            (behind, sizes[at], std::cmp::Reverse(at))
        });
        if let Some(next) = next {
            drawn[next] += 1;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tasks(kinds: &[&str]) -> Vec<(String, BTreeMap<String, String>)> {
        let named = kinds.iter().enumerate().map(|(at, kind)| {
            let strata = BTreeMap::from([("type".to_owned(), (*kind).to_owned())]);
            (format!("task-{at}"), strata)
        });
        named.collect()
    }

    fn drawn(tasks: &[(String, BTreeMap<String, String>)], sample: &Sample) -> Vec<usize> {
        let tasks: Vec<_> = tasks.iter().map(|(name, strata)| (name.as_str(), strata)).collect();
        draw(&tasks, sample)
    }

    fn sample(count: usize, allocation: Allocation, seed: u64) -> Sample {
        Sample { count, by: vec!["type".to_owned()], allocation, seed }
    }

    #[test]
    fn strata_are_drawn_in_proportion_or_as_many_of_each() {
        let tasks = tasks(&["a", "a", "a", "a", "a", "a", "b", "b", "c", "c"]);
        let kinds = |drawn: &[usize]| {
            ["a", "b", "c"]
                .map(|kind| drawn.iter().filter(|at| tasks[**at].1["type"] == kind).count())
        };
        assert_eq!(kinds(&drawn(&tasks, &sample(5, Allocation::Proportional, 1))), [3, 1, 1]);
        assert_eq!(kinds(&drawn(&tasks, &sample(6, Allocation::Equal, 1))), [2, 2, 2]);
        // What a stratum does not have, others give.
        assert_eq!(kinds(&drawn(&tasks, &sample(9, Allocation::Equal, 1))), [5, 2, 2]);
        assert_eq!(drawn(&tasks, &sample(99, Allocation::Equal, 1)).len(), 10);
    }

    #[test]
    fn the_seed_says_which_ones() {
        let tasks = tasks(&["a"; 40]);
        let one = drawn(&tasks, &sample(10, Allocation::Proportional, 1));
        assert_eq!(one, drawn(&tasks, &sample(10, Allocation::Proportional, 1)));
        assert_ne!(one, drawn(&tasks, &sample(10, Allocation::Proportional, 2)));
        // What is drawn does not depend on the order of tasks.
        let mut turned = tasks.clone();
        turned.reverse();
        let names: std::collections::BTreeSet<&str> =
            one.iter().map(|at| tasks[*at].0.as_str()).collect();
        let again = drawn(&turned, &sample(10, Allocation::Proportional, 1));
        assert_eq!(names, again.iter().map(|at| turned[*at].0.as_str()).collect());
    }

    proptest! {
        #[test]
        fn no_stratum_is_further_than_one_from_its_share(
            sizes in prop::collection::vec(1usize..40, 1..8), share in 0.0f64..1.0,
        ) {
            let all: usize = sizes.iter().sum();
            let count = (share * all as f64) as usize;
            let drawn = allot(&sizes, count, Allocation::Proportional);
            prop_assert_eq!(drawn.iter().sum::<usize>(), count);
            for (size, drawn) in sizes.iter().zip(&drawn) {
                let share = count as f64 * *size as f64 / all as f64;
                prop_assert!((*drawn as f64 - share).abs() < 1.0 + 1e-9, "{} of {}", drawn, share);
            }
        }

        #[test]
        fn equal_strata_differ_by_one_where_there_are_enough(
            sizes in prop::collection::vec(1usize..40, 1..8), share in 0.0f64..=1.0,
        ) {
            let all: usize = sizes.iter().sum();
            let count = (share * all as f64) as usize;
            let drawn = allot(&sizes, count, Allocation::Equal);
            prop_assert_eq!(drawn.iter().sum::<usize>(), count);
            let open = sizes.iter().zip(&drawn).filter(|(size, drawn)| drawn < size);
            let most = drawn.iter().max().copied().unwrap_or(0);
            for (_, drawn) in open {
                prop_assert!(drawn + 1 >= most, "{} and {}", drawn, most);
            }
        }
    }
}

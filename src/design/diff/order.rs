//! The fewest moves that turn one order into another.

use std::collections::BTreeSet;

/// Positions of a longest strictly rising subsequence of `values`; the values are distinct. What is
/// not in it has to move. The same input gives the same answer. `O(n log n)`.
pub(super) fn longest_rising(values: &[usize]) -> BTreeSet<usize> {
    // For each length, the position of the least value that a rising sequence of it can end with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        // `ends` rises, as a longer sequence cannot end lower than a shorter one: patience sorting.
        let length = ends.partition_point(|end| values.get(*end) < Some(value));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        // A lower end for the same length leaves more values that may follow.
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    // Back from the end of the longest, by what came before each.
    let last = ends.last().copied();
    std::iter::successors(last, |at| before.get(*at).copied().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every subset.
    fn slow_length(values: &[usize]) -> usize {
        let subsets = 0..1_u32 << values.len();
        let rising = subsets.filter_map(|subset| {
            let chosen: Vec<_> =
                (0..values.len()).filter(|at| subset >> at & 1 == 1).map(|at| values[at]).collect();
            chosen.is_sorted().then_some(chosen.len())
        });
        rising.max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn it_rises_and_none_is_longer(order in Just((0..9).collect::<Vec<usize>>()).prop_shuffle()) {
            let found = longest_rising(&order);
            let chosen: Vec<_> = found.iter().map(|at| order[*at]).collect();
            prop_assert!(chosen.is_sorted());
            prop_assert_eq!(chosen.len(), slow_length(&order));
        }
    }

    #[test]
    fn what_was_brought_to_the_front_is_all_that_moved() {
        assert_eq!(longest_rising(&[1, 2, 3, 0]), BTreeSet::from([0, 1, 2]));
        assert_eq!(longest_rising(&[]), BTreeSet::new());
    }
}

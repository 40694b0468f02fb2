//! What most raters say.

use std::collections::BTreeMap;

use super::error::StatsError;

/// The outcome of a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Majority<L> {
    /// One label has the most votes, over half of them or not.
    Winner {
        /// That label.
        label: L,
        /// Its votes.
        votes: usize,
        /// All votes.
        of: usize,
    },
    /// Several labels have equally many and the most votes.
    Tie {
        /// Those labels, at least two, ascending.
        labels: Vec<L>,
        /// The votes of each.
        votes: usize,
        /// All votes.
        of: usize,
    },
}

/// The label with the most votes. A tie is named, never broken.
///
/// # Errors
///
/// [`StatsError::TooFew`] without votes.
pub fn majority_vote<L: Ord>(
    votes: impl IntoIterator<Item = L>,
) -> Result<Majority<L>, StatsError> {
    let mut counts: BTreeMap<L, usize> = BTreeMap::new();
    for label in votes {
        *counts.entry(label).or_default() += 1;
    }
    let of = counts.values().sum();
    let most = counts.values().copied().max().unwrap_or(0);
    let mut labels: Vec<L> =
        counts.into_iter().filter(|(_, count)| *count == most).map(|(label, _)| label).collect();
    match labels.pop() {
        None => Err(StatsError::TooFew { what: "votes", found: 0, needed: 1 }),
        Some(label) if labels.is_empty() => Ok(Majority::Winner { label, votes: most, of }),
        Some(last) => {
            labels.push(last);
            Ok(Majority::Tie { labels, votes: most, of })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_votes_win_and_ties_are_named() {
        let winner = Majority::Winner { label: "b", votes: 2, of: 3 };
        assert_eq!(majority_vote(["b", "a", "b"]), Ok(winner));
        let tie = Majority::Tie { labels: vec!["a", "b"], votes: 2, of: 5 };
        assert_eq!(majority_vote(["b", "a", "c", "b", "a"]), Ok(tie));
        let nobody = StatsError::TooFew { what: "votes", found: 0, needed: 1 };
        assert_eq!(majority_vote::<u8>([]), Err(nobody));
    }
}

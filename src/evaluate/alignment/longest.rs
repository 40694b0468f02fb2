//! The pairs of two sequences, in order, that weigh most together.
//!
//! Needleman and Wunsch's alignment (J. Mol. Biol. 48, 1970) with gaps that cost nothing, halved as
//! Hirschberg does (Comm. ACM 18, 1975) where the whole table would be too large: time is the product of the
//! lengths, memory their sum.

use std::ops::Range;

use crate::base::{CancelToken, Cancelled};

/// Cells of a table that is made at once, a byte each.
const CELLS: usize = 1 << 22;

/// The pairs of places of two sequences of these lengths that weigh most together, rising in both. Pairs
/// that weigh nothing are none. `most` is the most that a pair can weigh.
///
/// # Errors
///
/// [`Cancelled`].
pub(super) fn heaviest_pairs(
    lengths: [usize; 2],
    weight: &dyn Fn(usize, usize) -> u32,
    most: u32,
    cancel: &CancelToken,
) -> Result<Vec<(usize, usize)>, Cancelled> {
    let mut pairing = Pairing { weight, most, cancel, pairs: Vec::new() };
    pairing.pair(0..lengths[0], 0..lengths[1])?;
    Ok(pairing.pairs)
}

struct Pairing<'a> {
    weight: &'a dyn Fn(usize, usize) -> u32,
    most: u32,
    cancel: &'a CancelToken,
    pairs: Vec<(usize, usize)>,
}

impl Pairing<'_> {
    fn pair(&mut self, mut one: Range<usize>, mut other: Range<usize>) -> Result<(), Cancelled> {
        // No pair of a first place weighs more than the two first places if that is the most there is, so
        // nothing is lost by taking it; the same at the end.
        while !one.is_empty() && !other.is_empty() && self.is_most(one.start, other.start) {
            self.pairs.push((one.start, other.start));
            (one.start, other.start) = (one.start + 1, other.start + 1);
        }
        let mut at_end = 0;
        while !one.is_empty() && !other.is_empty() && self.is_most(one.end - 1, other.end - 1) {
            (one.end, other.end) = (one.end - 1, other.end - 1);
            at_end += 1;
        }
        if !one.is_empty() && !other.is_empty() {
            if one.len() == 1 || (one.len() + 1).saturating_mul(other.len() + 1) <= CELLS {
                self.pair_by_table(one.clone(), other.clone())?;
            } else {
                let middle = one.start + one.len() / 2;
                let cut = self.cut(one.start..middle, middle..one.end, other.clone())?;
                self.pair(one.start..middle, other.start..cut)?;
                self.pair(middle..one.end, cut..other.end)?;
            }
        }
        self.pairs.extend((0..at_end).map(|at| (one.end + at, other.end + at)));
        Ok(())
    }

    fn is_most(&self, one: usize, other: usize) -> bool {
        (self.weight)(one, other) == self.most
    }

    /// Where the other sequence is cut so that both parts weigh most with the halves of the first.
    fn cut(
        &self,
        first: Range<usize>,
        second: Range<usize>,
        other: Range<usize>,
    ) -> Result<usize, Cancelled> {
        let before = self.weights(first, &other, |at| other.start + at)?;
        let backwards = second.rev();
        let after = self.weights(backwards, &other, |at| other.end - 1 - at)?;
        let both = before.iter().zip(after.iter().rev()).map(|(before, after)| before + after);
        // Of equal cuts the first: `max_by_key` would give the last.
        let best = both.enumerate().max_by_key(|(at, weight)| (*weight, std::cmp::Reverse(*at)));
        Ok(other.start + best.map_or(0, |(at, _)| at))
    }

    /// The most that these rows weigh with the first 0, 1, 2 … of the columns.
    fn weights(
        &self,
        rows: impl Iterator<Item = usize>,
        other: &Range<usize>,
        column: impl Fn(usize) -> usize,
    ) -> Result<Vec<u32>, Cancelled> {
        let mut best = vec![0_u32; other.len() + 1];
        for row in rows {
            self.cancel.check()?;
            let mut diagonal = 0;
            for at in 0..other.len() {
                let paired = diagonal + (self.weight)(row, column(at));
                diagonal = best[at + 1];
                best[at + 1] = best[at + 1].max(best[at]).max(paired);
            }
        }
        Ok(best)
    }

    fn pair_by_table(&mut self, one: Range<usize>, other: Range<usize>) -> Result<(), Cancelled> {
        let columns = other.len() + 1;
        let mut steps = vec![Step::Pair; one.len() * other.len()];
        let mut best = vec![0_u32; columns];
        // From the ends, so that the way back goes from the beginnings and needs no turning round.
        for row in one.clone().rev() {
            self.cancel.check()?;
            let mut diagonal = 0;
            for at in (0..other.len()).rev() {
                let weight = (self.weight)(row, other.start + at);
                let (paired, down, right) = (diagonal + weight, best[at], best[at + 1]);
                diagonal = best[at];
                // Between equals what pairs goes first; else the row goes on, so that what only the first
                // has stands before what only the other has.
                best[at] = paired.max(down).max(right);
                let step = if weight > 0 && paired == best[at] {
                    Step::Pair
                } else if down == best[at] {
                    Step::Down
                } else {
                    Step::Right
                };
                steps[(row - one.start) * other.len() + at] = step;
            }
        }
        let (mut row, mut at) = (0, 0);
        while row < one.len() && at < other.len() {
            match steps[row * other.len() + at] {
                Step::Pair => {
                    self.pairs.push((one.start + row, other.start + at));
                    (row, at) = (row + 1, at + 1);
                }
                Step::Down => row += 1,
                Step::Right => at += 1,
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Step {
    Pair,
    Down,
    Right,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn weight(one: u8, other: u8) -> u32 {
        // Four letters, of which two go together a little.
        match (one, other) {
            (a, b) if a == b => 5,
            (0, 1) | (1, 0) => 2,
            _ => 0,
        }
    }

    /// Every way there is, one after the other.
    fn slowly(one: &[u8], other: &[u8]) -> u32 {
        let (Some((a, one_rest)), Some((b, other_rest))) = (one.split_first(), other.split_first())
        else {
            return 0;
        };
        let paired = weight(*a, *b) + slowly(one_rest, other_rest);
        paired.max(slowly(one_rest, other)).max(slowly(one, other_rest))
    }

    fn heaviest(one: &[u8], other: &[u8]) -> Vec<(usize, usize)> {
        let by_place = |a: usize, b: usize| weight(one[a], other[b]);
        heaviest_pairs([one.len(), other.len()], &by_place, 5, &CancelToken::new()).unwrap()
    }

    fn total(one: &[u8], other: &[u8], pairs: &[(usize, usize)]) -> u32 {
        pairs.iter().map(|(a, b)| weight(one[*a], other[*b])).sum()
    }

    proptest! {
        #[test]
        fn nothing_weighs_more(
            one in prop::collection::vec(0_u8..4, 0..9),
            other in prop::collection::vec(0_u8..4, 0..9),
        ) {
            let pairs = heaviest(&one, &other);
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            prop_assert_eq!(total(&one, &other, &pairs), slowly(&one, &other));
        }

        #[test]
        fn what_is_halved_weighs_as_much_as_what_is_not(
            one in prop::collection::vec(0_u8..4, 1..60),
            other in prop::collection::vec(0_u8..4, 1..60),
        ) {
            let by_place = |a: usize, b: usize| weight(one[a], other[b]);
            let cancel = CancelToken::new();
            let mut halves =
                Pairing { weight: &by_place, most: 5, cancel: &cancel, pairs: Vec::new() };
            let middle = one.len() / 2;
            let cut = halves.cut(0..middle, middle..one.len(), 0..other.len()).unwrap();
            halves.pair(0..middle, 0..cut).unwrap();
            halves.pair(middle..one.len(), cut..other.len()).unwrap();
            let whole = heaviest(&one, &other);
            prop_assert_eq!(total(&one, &other, &halves.pairs), total(&one, &other, &whole));
        }
    }

    #[test]
    fn long_sequences_fit_and_can_be_stopped() {
        let weight = |a: usize, b: usize| u32::from(a.is_multiple_of(3) && a == b);
        let pairs = heaviest_pairs([5_000, 5_000], &weight, 5, &CancelToken::new()).unwrap();
        assert_eq!(pairs.len(), 1_667);
        let cancel = CancelToken::new();
        cancel.cancel();
        assert_eq!(heaviest_pairs([5_000, 5_000], &weight, 5, &cancel), Err(Cancelled));
    }
}

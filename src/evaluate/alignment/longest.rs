//! The pairs of two sequences, in order, that weigh most together.
//!
//! Needleman and Wunsch's alignment (J. Mol. Biol. 48, 1970) with gaps that cost nothing. Of its table only a band
//! around the best way is worked out, as Ukkonen does (Inform. and Control 64, 1985), here with a bound of its own
//! for every place instead of one cost of a gap ([`Band`]); and where the band is too large to be kept, it is halved
//! as Hirschberg does (Comm. ACM 18, 1975). Time is the length times how far the two are from going together wholly,
//! at worst the product of the lengths; memory is their sum and [`CELLS`].

use std::ops::{Range, RangeInclusive};

use crate::base::{CancelToken, Cancelled};

/// Cells of a table that is made at once, a byte each.
const CELLS: usize = 1 << 22;
/// How much less than all is allowed for at first.
const SLACK: u64 = 256;

/// The pairs of places of two sequences that weigh most together, rising in both. Pairs that weigh nothing are none.
/// `bounds` has for every place of both the most that it weighs with any of the other, or more: the closer, the
/// quicker. `most` is the most that any pair can weigh.
///
/// # Errors
///
/// [`Cancelled`].
pub(super) fn heaviest_pairs<W: Fn(usize, usize) -> u32>(
    bounds: [&[u32]; 2],
    weight: W,
    most: u32,
    cancel: &CancelToken,
) -> Result<Vec<(usize, usize)>, Cancelled> {
    let sums = bounds.map(|bounds| sums_of(bounds, most));
    let mut pairing =
        Pairing { weight, most, sums, slack: SLACK, cells: CELLS, cancel, pairs: Vec::new() };
    pairing.pair(0..bounds[0].len(), 0..bounds[1].len(), None)?;
    Ok(pairing.pairs)
}

/// The sums of the first 0, 1, 2 … of all.
fn sums_of(bounds: &[u32], most: u32) -> Vec<u64> {
    let mut sums = vec![0; bounds.len() + 1];
    for (at, bound) in bounds.iter().enumerate() {
        sums[at + 1] = sums[at] + u64::from(*bound.min(&most));
    }
    sums
}

struct Pairing<'a, W> {
    weight: W,
    most: u32,
    /// Of both sequences: the sums of the bounds of the first 0, 1, 2 … places.
    sums: [Vec<u64>; 2],
    slack: u64,
    cells: usize,
    cancel: &'a CancelToken,
    pairs: Vec<(usize, usize)>,
}

impl<W: Fn(usize, usize) -> u32> Pairing<'_, W> {
    /// Pairs parts of both; `total` is what they weigh together at most, where that is known.
    fn pair(
        &mut self,
        mut one: Range<usize>,
        mut other: Range<usize>,
        mut total: Option<u32>,
    ) -> Result<(), Cancelled> {
        // No pair of a first place weighs more than the two first places if that is the most there is, so
        // nothing is lost by taking it; the same at the end.
        while !one.is_empty() && !other.is_empty() && self.is_most(one.start, other.start) {
            self.pairs.push((one.start, other.start));
            (one.start, other.start) = (one.start + 1, other.start + 1);
            total = total.map(|total| total.saturating_sub(self.most));
        }
        let mut at_end = 0;
        while !one.is_empty() && !other.is_empty() && self.is_most(one.end - 1, other.end - 1) {
            (one.end, other.end) = (one.end - 1, other.end - 1);
            at_end += 1;
            total = total.map(|total| total.saturating_sub(self.most));
        }
        if !one.is_empty() && !other.is_empty() {
            self.pair_in_a_band(&one, &other, total)?;
        }
        self.pairs.extend((0..at_end).map(|at| (one.end + at, other.end + at)));
        Ok(())
    }

    fn is_most(&self, one: usize, other: usize) -> bool {
        (self.weight)(one, other) == self.most
    }

    /// Widens the band until no better way can lie outside of it.
    fn pair_in_a_band(
        &mut self,
        one: &Range<usize>,
        other: &Range<usize>,
        total: Option<u32>,
    ) -> Result<(), Cancelled> {
        let losses = Losses::new(&self.sums, one, other);
        if losses.sums.contains(&0) {
            return Ok(());
        }
        let mut slack = total.map_or(self.slack, |total| losses.slack_for(total));
        loop {
            slack = slack.max(u64::from(self.most));
            let band = Band::new(&self.sums, one, other, &losses, slack);
            let found = if one.len() == 1 || band.cells() <= self.cells {
                let (found, pairs) = self.pairs_by_table(one, other, &band)?;
                if band.holds(losses.of(found)) {
                    self.pairs.extend(pairs);
                    return Ok(());
                }
                found
            } else {
                let cut = self.cut(one, other, &band)?;
                if band.holds(losses.of(cut.before + cut.after)) {
                    let (row, at) = (one.start + one.len() / 2, other.start + cut.at);
                    self.pair(one.start..row, other.start..at, Some(cut.before))?;
                    return self.pair(row..one.end, at..other.end, Some(cut.after));
                }
                cut.before + cut.after
            };
            // What was found can be had: whatever is better lies in a band that is wide enough for it.
            slack = slack.saturating_mul(8).min(losses.slack_for(found));
        }
    }

    /// Where the other sequence is cut so that its parts weigh most with the halves of the first.
    fn cut(&self, one: &Range<usize>, other: &Range<usize>, band: &Band) -> Result<Cut, Cancelled> {
        let middle = one.len() / 2;
        let before = self.weights_before(middle, one, other, band)?;
        let after = self.weights_after(middle, one, other, band, |_, _, _| ())?;
        let both = before.iter().zip(&after).map(|(before, after)| before + after);
        // Of equal cuts the first: `max_by_key` would give the last.
        let best = both.enumerate().max_by_key(|(at, weight)| (*weight, std::cmp::Reverse(*at)));
        let at = best.map_or(0, |(at, _)| at);
        Ok(Cut { at, before: before[at], after: after[at] })
    }

    /// The most that the rows before one weigh with the first 0, 1, 2 … columns; 0 outside of the band.
    fn weights_before(
        &self,
        until: usize,
        one: &Range<usize>,
        other: &Range<usize>,
        band: &Band,
    ) -> Result<Vec<u32>, Cancelled> {
        let mut best = vec![0_u32; other.len() + 1];
        for row in 0..until {
            self.cancel.check()?;
            let columns = band.columns(row + 1);
            let first = *columns.start();
            // What lies to the left of the band is not known and counts as nothing, which can be had.
            let (mut left, mut diagonal) = (0, first.checked_sub(1).map_or(0, |at| best[at]));
            for at in columns {
                let above = best[at];
                let paired = match at.checked_sub(1) {
                    Some(column) => diagonal + (self.weight)(one.start + row, other.start + column),
                    None => 0,
                };
                left = above.max(left).max(paired);
                best[at] = left;
                diagonal = above;
            }
            best[*band.columns(row).start()..first].fill(0);
        }
        Ok(best)
    }

    /// The most that the rows from one on weigh with all but the first 0, 1, 2 … columns; 0 outside of the band.
    /// `keep` is told of every cell which way the best goes on.
    fn weights_after(
        &self,
        from: usize,
        one: &Range<usize>,
        other: &Range<usize>,
        band: &Band,
        mut keep: impl FnMut(usize, usize, AlignmentStep),
    ) -> Result<Vec<u32>, Cancelled> {
        let mut best = vec![0_u32; other.len() + 1];
        for row in (from..one.len()).rev() {
            self.cancel.check()?;
            let columns = band.columns(row);
            let last = *columns.end();
            let mut right = 0;
            let mut diagonal = best.get(last + 1).copied().unwrap_or(0);
            for at in columns.rev() {
                let down = best[at];
                // Behind the last column nothing is left.
                if at < other.len() {
                    let weight = (self.weight)(one.start + row, other.start + at);
                    let paired = diagonal + weight;
                    let value = paired.max(down).max(right);
                    // Between equals what pairs goes first; else the row goes on, so that what only the first
                    // has stands before what only the other has.
                    let step = if weight > 0 && paired == value {
                        AlignmentStep::Pair
                    } else if down == value {
                        AlignmentStep::Down
                    } else {
                        AlignmentStep::Right
                    };
                    keep(row, at, step);
                    best[at] = value;
                    right = value;
                }
                diagonal = down;
            }
            best[last + 1..=*band.columns(row + 1).end()].fill(0);
        }
        Ok(best)
    }

    /// The most that both weigh within the band, and the pairs that weigh it.
    fn pairs_by_table(
        &self,
        one: &Range<usize>,
        other: &Range<usize>,
        band: &Band,
    ) -> Result<(u32, Vec<(usize, usize)>), Cancelled> {
        let (mut starts, mut cells) = (Vec::with_capacity(one.len()), 0);
        for row in 0..one.len() {
            starts.push(cells);
            cells += band.columns(row).count();
        }
        let mut steps = vec![AlignmentStep::Down; cells];
        // From the ends, so that the way back goes from the beginnings and needs no turning round.
        let best = self.weights_after(0, one, other, band, |row, at, step| {
            steps[starts[row] + at - *band.columns(row).start()] = step;
        })?;
        let mut pairs = Vec::new();
        let (mut row, mut at) = (0, 0);
        // Where the way leaves the band, nothing that weighs is left on it.
        while row < one.len() && at < other.len() && band.columns(row).contains(&at) {
            match steps[starts[row] + at - *band.columns(row).start()] {
                AlignmentStep::Pair => {
                    pairs.push((one.start + row, other.start + at));
                    (row, at) = (row + 1, at + 1);
                }
                AlignmentStep::Down => row += 1,
                AlignmentStep::Right => at += 1,
            }
        }
        Ok((best.first().copied().unwrap_or(0), pairs))
    }
}

#[derive(Clone, Copy)]
enum AlignmentStep {
    Pair,
    Down,
    Right,
}

/// After how many columns the other sequence is cut, and what its two parts weigh.
struct Cut {
    at: usize,
    before: u32,
    after: u32,
}

/// What ways through a table lose: a place that is passed over its bound, a pair what both bounds are together more
/// than twice its weight. All ways lose the sum of all bounds less twice what they weigh, so that the heaviest lose
/// least.
struct Losses {
    /// Of both sequences: the sum of all bounds.
    sums: [u64; 2],
}

impl Losses {
    fn new(sums: &[Vec<u64>; 2], one: &Range<usize>, other: &Range<usize>) -> Self {
        let [one_sums, other_sums] = sums;
        let one = one_sums[one.end] - one_sums[one.start];
        Self { sums: [one, other_sums[other.end] - other_sums[other.start]] }
    }

    /// What a way loses that weighs so much.
    fn of(&self, total: u32) -> u64 {
        (self.sums[0] + self.sums[1]).saturating_sub(2 * u64::from(total))
    }

    /// How much more that is than every way loses.
    fn slack_for(&self, total: u32) -> u64 {
        self.of(total).saturating_sub(self.least())
    }

    /// What every way loses: no pair weighs more than either bound.
    fn least(&self) -> u64 {
        self.sums[0].abs_diff(self.sums[1])
    }
}

/// Which cells of the table are worked out: for every number of rows that have passed, how many columns may have.
///
/// A way to a cell has lost the difference of the sums of both bounds up to there at least, and will lose that of
/// those behind it: whatever loses no more than the limit stays where these two together are no more than that.
struct Band {
    columns: Vec<(usize, usize)>,
    limit: u64,
}

impl Band {
    /// The band of all ways that lose at most so much more than every way does. `slack` is no less than any bound, so
    /// that no row is without a column.
    fn new(
        sums: &[Vec<u64>; 2],
        one: &Range<usize>,
        other: &Range<usize>,
        losses: &Losses,
        slack: u64,
    ) -> Self {
        let limit = losses.least().saturating_add(slack).min(losses.of(0));
        let difference = losses.sums[0] as i64 - losses.sums[1] as i64;
        let (rows, places) = (&sums[0][one.start..=one.end], &sums[1][other.start..=other.end]);
        let columns = rows.iter().map(|row| {
            // With `a` and `b` as the sums up to a cell: |a − b| + |difference − (a − b)| <= limit.
            let middle = 2 * (row - rows[0]) as i64 - difference;
            let (low, high) = (middle - limit as i64, middle + limit as i64);
            let twice = |place: &u64| 2 * (place - places[0]) as i64;
            let first = places.partition_point(|place| twice(place) < low).min(other.len());
            let end = places.partition_point(|place| twice(place) <= high);
            (first, end.saturating_sub(1).max(first))
        });
        Self { columns: columns.collect(), limit }
    }

    /// How many columns may have passed after so many rows.
    fn columns(&self, row: usize) -> RangeInclusive<usize> {
        let (first, last) = self.columns[row];
        first..=last
    }

    fn cells(&self) -> usize {
        self.columns.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Whether all ways that lose no more than this are in it.
    fn holds(&self, loss: u64) -> bool {
        loss <= self.limit
    }
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

    /// The most that each weighs with any of the others.
    fn bounds_of(one: &[u8], other: &[u8]) -> Vec<u32> {
        one.iter().map(|a| other.iter().map(|b| weight(*a, *b)).max().unwrap_or(0)).collect()
    }

    /// The pairs by a band that begins with so much slack, tables of so many cells at most, and bounds that are as
    /// close as can be or as loose as are allowed.
    fn paired(
        one: &[u8],
        other: &[u8],
        (slack, cells): (u64, usize),
        is_close: bool,
    ) -> Vec<(usize, usize)> {
        let bounds = if is_close {
            [bounds_of(one, other), bounds_of(other, one)]
        } else {
            [vec![5; one.len()], vec![5; other.len()]]
        };
        let never = CancelToken::new();
        let mut pairing = Pairing {
            weight: |a: usize, b: usize| weight(one[a], other[b]),
            most: 5,
            sums: bounds.map(|bounds| sums_of(&bounds, 5)),
            slack,
            cells,
            cancel: &never,
            pairs: Vec::new(),
        };
        pairing.pair(0..one.len(), 0..other.len(), None).unwrap();
        pairing.pairs
    }

    /// The pairs by the whole table: what pairs goes first, then what only the first has.
    fn by_whole_table(one: &[u8], other: &[u8]) -> Vec<(usize, usize)> {
        let mut best = vec![vec![0; other.len() + 1]; one.len() + 1];
        for row in (0..one.len()).rev() {
            for at in (0..other.len()).rev() {
                let pair = best[row + 1][at + 1] + weight(one[row], other[at]);
                best[row][at] = pair.max(best[row + 1][at]).max(best[row][at + 1]);
            }
        }
        let (mut row, mut at, mut pairs) = (0, 0, Vec::new());
        while row < one.len() && at < other.len() {
            let weight = weight(one[row], other[at]);
            if weight > 0 && best[row + 1][at + 1] + weight == best[row][at] {
                pairs.push((row, at));
                (row, at) = (row + 1, at + 1);
            } else if best[row + 1][at] == best[row][at] {
                row += 1;
            } else {
                at += 1;
            }
        }
        pairs
    }

    fn total(one: &[u8], other: &[u8], pairs: &[(usize, usize)]) -> u32 {
        pairs.iter().map(|(a, b)| weight(one[*a], other[*b])).sum()
    }

    proptest! {
        #[test]
        fn nothing_weighs_more(
            one in prop::collection::vec(0_u8..4, 0..9),
            other in prop::collection::vec(0_u8..4, 0..9),
            is_close in any::<bool>(),
        ) {
            let pairs = paired(&one, &other, (SLACK, CELLS), is_close);
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            prop_assert_eq!(total(&one, &other, &pairs), slowly(&one, &other));
        }

        #[test]
        fn a_band_finds_what_the_whole_table_does(
            one in prop::collection::vec(0_u8..6, 1..70),
            other in prop::collection::vec(0_u8..6, 1..70),
            slack in 0_u64..60,
            is_close in any::<bool>(),
        ) {
            // But for the ends, which are taken whole where they weigh most; both begin and end apart here.
            let one = [&[6][..], &one, &[6]].concat();
            let other = [&[7][..], &other, &[7]].concat();
            let banded = paired(&one, &other, (slack, CELLS), is_close);
            prop_assert_eq!(banded, by_whole_table(&one, &other));
        }

        #[test]
        fn what_is_halved_weighs_as_much_as_what_is_not(
            one in prop::collection::vec(0_u8..4, 1..60),
            other in prop::collection::vec(0_u8..4, 1..60),
            slack in 0_u64..60,
            cells in 1_usize..300,
            is_close in any::<bool>(),
        ) {
            let halved = paired(&one, &other, (slack, cells), is_close);
            prop_assert!(halved.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            let whole = by_whole_table(&one, &other);
            prop_assert_eq!(total(&one, &other, &halved), total(&one, &other, &whole));
        }
    }

    #[test]
    fn long_sequences_that_are_alike_take_a_small_part_of_the_table() {
        let one: Vec<u32> = (0..10_000).collect();
        // Every hundredth is another, and twenty are gone.
        let kept = one.iter().filter(|at| **at % 500 != 250);
        let other: Vec<u32> =
            kept.map(|at| if at % 100 == 7 { 10_000 + at } else { *at }).collect();
        let looked_at = std::cell::Cell::new(0_usize);
        let weight = |a: usize, b: usize| {
            looked_at.set(looked_at.get() + 1);
            if one[a] == other[b] { 5 } else { 0 }
        };
        let bounds = [vec![5; one.len()], vec![5; other.len()]];
        let bounds = [&*bounds[0], &*bounds[1]];
        // More than any weighs, so that nothing is taken from the ends at once.
        let pairs = heaviest_pairs(bounds, weight, 6, &CancelToken::new()).unwrap();
        let same: Vec<u32> = other.iter().filter(|it| **it < 10_000).copied().collect();
        assert_eq!(pairs.iter().map(|(a, _)| one[*a]).collect::<Vec<_>>(), same);
        assert!(looked_at.get() < one.len() * other.len() / 10, "{}", looked_at.get());
    }

    #[test]
    fn long_sequences_fit_and_can_be_stopped() {
        let weight = |a: usize, b: usize| u32::from(a.is_multiple_of(3) && a == b);
        let bounds = vec![1; 5_000];
        let never = CancelToken::new();
        let pairs = heaviest_pairs([&bounds, &bounds], weight, 5, &never).unwrap();
        assert_eq!(pairs.len(), 1_667);
        let cancel = CancelToken::new();
        cancel.cancel();
        assert_eq!(heaviest_pairs([&bounds, &bounds], weight, 5, &cancel), Err(Cancelled));
    }
}

//! Exchanging the values of each row: how likely sums of columns are to be so uneven by chance.

use super::bootstrap::Draws;
use super::correlation::PMethod;
use super::error::StatsError;

/// So many arrangements are counted one by one; of more, some are drawn at random.
const MOST_COUNTED: u64 = 100_000;
/// How many are drawn.
const DRAWN: usize = 9_999;
/// Most columns: their orders are written down.
const MOST_COLUMNS: usize = 7;

/// What exchanging the values within rows says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RowPermutation {
    /// The share of arrangements whose columns are at least as uneven.
    pub(super) p: f64,
    /// The least share that any arrangement of these rows could have.
    pub(super) least_p: f64,
    /// Whether all were counted.
    pub(super) method: PMethod,
}

/// Exchanges the values of every row in all ways, or in as many as [`DRAWN`], and sees how often the sums of the
/// columns are at least as far apart as they are. All rows have the same number of values, at least 2.
///
/// # Errors
///
/// [`StatsError::TooManyConditions`].
pub(super) fn permute_rows(rows: &[Vec<f64>], seed: u64) -> Result<RowPermutation, StatsError> {
    let columns = rows.first().map_or(0, Vec::len);
    if columns > MOST_COLUMNS {
        return Err(StatsError::TooManyConditions { found: columns, most: MOST_COLUMNS });
    }
    let observed = unevenness(&sums(rows, columns));
    let orders = orders(columns);
    // Exchanging whole columns changes nothing: the first row may stay as it is.
    let arrangements = rows.iter().skip(1).try_fold(1_u64, |all, _| {
        all.checked_mul(orders.len() as u64).filter(|all| *all <= MOST_COUNTED)
    });
    // Sums are of halves, or of shares whose rounding must not tell equals apart.
    let enough = observed - 1e-9 * observed.abs().max(1.0);
    let Some(arrangements) = arrangements else {
        let hits = (0..DRAWN).filter(|at| {
            let mut draws = Draws::new(seed, *at as u64);
            let mut sums = vec![0.0; columns];
            for row in rows {
                for (sum, place) in sums.iter_mut().zip(draws.shuffled(columns)) {
                    *sum += row[place];
                }
            }
            unevenness(&sums) >= enough
        });
        // The rows as they are count among those drawn (Davison and Hinkley 1997, chapter 4).
        let p = (hits.count() + 1) as f64 / (DRAWN + 1) as f64;
        return Ok(RowPermutation { p, least_p: 0.0, method: PMethod::Permutation });
    };
    let mut counted =
        PermutationCount { enough, hits: 0, largest: f64::NEG_INFINITY, of_largest: 0 };
    let first = rows.first().cloned().unwrap_or_default();
    counted.descend(rows.get(1..).unwrap_or_default(), &orders, &first);
    Ok(RowPermutation {
        p: counted.hits as f64 / arrangements as f64,
        least_p: counted.of_largest as f64 / arrangements as f64,
        method: PMethod::Exact,
    })
}

struct PermutationCount {
    enough: f64,
    hits: u64,
    largest: f64,
    of_largest: u64,
}

impl PermutationCount {
    /// Every order of the first of these rows, and below it of all that follow.
    fn descend(&mut self, rows: &[Vec<f64>], orders: &[Vec<usize>], sums: &[f64]) {
        let Some((row, rest)) = rows.split_first() else {
            let value = unevenness(sums);
            self.hits += u64::from(value >= self.enough);
            let tolerance = 1e-9 * value.abs().max(1.0);
            if value > self.largest + tolerance {
                (self.largest, self.of_largest) = (value, 0);
            }
            self.of_largest += u64::from(value >= self.largest - tolerance);
            return;
        };
        for order in orders {
            let next: Vec<f64> = sums.iter().zip(order).map(|(sum, at)| sum + row[*at]).collect();
            self.descend(rest, orders, &next);
        }
    }
}

/// How far sums are apart: rows keep their total, so that the sum of squares is enough.
fn unevenness(sums: &[f64]) -> f64 {
    sums.iter().map(|sum| sum * sum).sum()
}

fn sums(rows: &[Vec<f64>], columns: usize) -> Vec<f64> {
    (0..columns).map(|at| rows.iter().map(|row| row[at]).sum()).collect()
}

/// Every order of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let free = (0..count).filter(|at| !order.contains(at)).collect::<Vec<_>>();
                free.into_iter().map(move |at| order.iter().copied().chain([at]).collect())
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_all_and_each_once() {
        let mut four = orders(4);
        assert_eq!(four.len(), 24);
        four.sort();
        four.dedup();
        assert_eq!(four.len(), 24);
    }

    #[test]
    fn two_columns_are_the_sign_test() {
        // Five rows that all favour the second column: 2 of 32 choices are as uneven.
        let rows = vec![vec![0.0, 1.0]; 5];
        let found = permute_rows(&rows, 0).unwrap();
        assert_eq!((found.p, found.least_p, found.method), (0.0625, 0.0625, PMethod::Exact));
    }

    #[test]
    fn drawing_comes_near_to_counting() {
        let rows: Vec<Vec<f64>> =
            (0..6).map(|at| vec![1.0, 2.0 + f64::from(at % 2) / 2.0, 3.0]).collect();
        let exact = permute_rows(&rows, 3).unwrap();
        // Rows without a difference add nothing, but make counting too long.
        let more: Vec<Vec<f64>> = rows.iter().cloned().chain(vec![vec![2.0; 3]; 12]).collect();
        let drawn = permute_rows(&more, 3).unwrap();
        assert_eq!((exact.method, drawn.method), (PMethod::Exact, PMethod::Permutation));
        assert!((exact.p - drawn.p).abs() < 0.005, "{} and {}", exact.p, drawn.p);
        assert_eq!(permute_rows(&more, 3), permute_rows(&more, 3));
    }
}

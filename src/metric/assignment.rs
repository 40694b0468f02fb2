//! Who goes with whom: the pairs of least total cost.

/// The pairs (row, column) of least total cost, by row; each row and each column is in one pair at
/// most, and there are as many pairs as the smaller side has members.
///
/// `cost` is row by row, `rows * columns` finite numbers; the pairs are empty if it is not.
///
/// Several assignments can cost the same. Published scores depend on which of them SciPy's
/// `linear_sum_assignment` takes, so this is crate `lsap`, which goes through rows and columns in
/// SciPy's order (Crouse, "On implementing 2D rectangular assignment algorithms", 2016). Time grows
/// with the third power of the smaller side in the worst case.
pub fn cheapest_pairs(rows: usize, columns: usize, cost: &[f64]) -> Vec<(usize, usize)> {
    if rows.checked_mul(columns) != Some(cost.len()) || cost.is_empty() {
        return Vec::new();
    }
    // Not turned where there are more rows than columns: `lsap` does that itself, as SciPy does.
    match lsap::solve(rows, columns, &cost.to_vec(), false) {
        Ok((rows, columns)) => rows.into_iter().zip(columns).collect(),
        // A number that is not finite, which the callers' costs never are.
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least total by trying every assignment of the rows.
    fn least_total(rows: usize, columns: usize, cost: &[f64]) -> f64 {
        fn go(row: usize, rows: usize, columns: usize, cost: &[f64], taken: &mut Vec<bool>) -> f64 {
            if row == rows {
                return 0.0;
            }
            let mut best = f64::INFINITY;
            for column in 0..columns {
                if !taken[column] {
                    taken[column] = true;
                    let rest = go(row + 1, rows, columns, cost, taken);
                    best = best.min(cost[row * columns + column] + rest);
                    taken[column] = false;
                }
            }
            best
        }
        go(0, rows, columns, cost, &mut vec![false; columns])
    }

    #[test]
    fn where_all_cost_the_same_everyone_keeps_his_place() {
        assert_eq!(cheapest_pairs(3, 4, &[0.5; 12]), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(cheapest_pairs(4, 3, &[0.5; 12]), [(0, 0), (1, 1), (2, 2)]);
    }

    /// Made once with SciPy 1.17: rows of costs, one digit each, of which many assignments are best.
    #[test]
    fn among_equals_scipys_choice_is_taken() {
        type Case = (usize, &'static str, &'static [(usize, usize)]);
        let cases: [Case; 5] = [
            (4, "2122 1220 0002 2012", &[(0, 1), (1, 3), (2, 0), (3, 2)]),
            (3, "020120 102021 111112", &[(0, 0), (1, 1), (2, 2)]),
            (6, "222 112 102 021 001 001", &[(2, 1), (3, 0), (4, 2)]),
            (5, "21222 11101 10200 02220 21101", &[(0, 1), (1, 3), (2, 4), (3, 0), (4, 2)]),
            (7, "2101 0220 1222 1021 0012 1122 1110", &[(0, 2), (1, 0), (3, 1), (6, 3)]),
        ];
        for (rows, digits, expected) in cases {
            let cost: Vec<f64> =
                digits.chars().filter_map(|digit| digit.to_digit(10)).map(f64::from).collect();
            assert_eq!(cheapest_pairs(rows, cost.len() / rows, &cost), expected, "{digits}");
        }
    }

    #[test]
    fn nobody_and_what_is_no_cost_have_no_pairs() {
        assert!(cheapest_pairs(0, 3, &[]).is_empty());
        assert!(cheapest_pairs(2, 2, &[0.0; 3]).is_empty());
        assert!(cheapest_pairs(1, 1, &[f64::NAN]).is_empty());
    }

    proptest! {
        #[test]
        fn no_other_pairs_cost_less(
            (rows, columns, cost) in (1usize..5, 1usize..6).prop_flat_map(|(rows, columns)| {
                let (rows, columns) = (rows.min(columns), rows.max(columns));
                let cost = prop::collection::vec(-1.0..1.0f64, rows * columns);
                (Just(rows), Just(columns), cost)
            }),
        ) {
            let pairs = cheapest_pairs(rows, columns, &cost);
            prop_assert_eq!(pairs.len(), rows);
            let total: f64 = pairs.iter().map(|(row, column)| cost[row * columns + column]).sum();
            prop_assert!((total - least_total(rows, columns, &cost)).abs() < 1e-9);
        }
    }
}

//! Ranks.

/// The rank of each value, from 1; equal values share the mean of their ranks. Values are finite.
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Adding 0 turns −0 into 0, which is the same value.
    order.sort_unstable_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for ties in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        for at in ties {
            ranks[*at] = rank;
        }
        below += ties.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(average_ranks(&[10.0, -3.0, 10.0, 7.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(average_ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert!(average_ranks(&[]).is_empty());
    }
}

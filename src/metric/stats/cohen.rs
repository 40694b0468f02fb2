//! Cohen's κ of two raters.

use super::error::StatsError;
use super::ratings::Agreement;

/// How much it counts when two raters give different labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Different is different.
    Plain,
    /// By how many places they are apart in the order of labels.
    Linear,
    /// By the square of that.
    Quadratic,
}

/// Cohen's κ of two raters, given the codes of the items that both labelled
/// ([`super::Ratings::pairs`]).
///
/// The weights count *places* in the order of the codes, not differences of what the labels stand
/// for: of the labels 1, 2 and 5, 2 and 5 are neighbours. As scikit-learn has it, only labels that
/// one of the two raters used have a place. Within −1..=1; exactly 1 for equal raters, and exactly
/// symmetric, since all sums are integers.
///
/// # Errors
///
/// [`StatsError::NoOverlap`] without items, [`StatsError::Unanimous`] if both always gave one label.
///
/// Source: Cohen 1960 and 1968; scikit-learn `cohen_kappa_score`.
pub fn cohen_kappa(pairs: &[(u32, u32)], weighting: Weighting) -> Result<Agreement, StatsError> {
    if pairs.is_empty() {
        return Err(StatsError::NoOverlap);
    }
    let places = Places::of(pairs);
    // Whole numbers of 128 bits until the last division: sums do not depend on the order of raters,
    // so κ is symmetric to the bit.
    let observed: u128 =
        pairs.iter().map(|&(a, b)| weight(weighting, places.get(a), places.get(b))).sum();
    let expected = places.expected(pairs, weighting);
    let items = pairs.len() as f64;
    Agreement::new(observed as f64 / items, expected as f64 / (items * items))
}

/// What one item counts.
fn weight(weighting: Weighting, a: usize, b: usize) -> u128 {
    let apart = a.abs_diff(b) as u128;
    match weighting {
        Weighting::Plain => u128::from(apart > 0),
        Weighting::Linear => apart,
        Weighting::Quadratic => apart * apart,
    }
}

/// The codes in use, ascending.
struct Places(Vec<u32>);

impl Places {
    fn of(pairs: &[(u32, u32)]) -> Self {
        let mut codes: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        codes.sort_unstable();
        codes.dedup();
        Self(codes)
    }

    fn get(&self, code: u32) -> usize {
        self.0.partition_point(|known| *known < code)
    }

    /// The sum of the weights of every label of one rater with every label of the other.
    fn expected(&self, pairs: &[(u32, u32)], weighting: Weighting) -> u128 {
        let mut counts = vec![[0_u128; 2]; self.0.len()];
        for &(a, b) in pairs {
            counts[self.get(a)][0] += 1;
            counts[self.get(b)][1] += 1;
        }
        match weighting {
            Weighting::Plain => expected_plain(&counts),
            Weighting::Linear => expected_linear(&counts),
            Weighting::Quadratic => expected_quadratic(&counts),
        }
    }
}

fn totals(counts: &[[u128; 2]]) -> [u128; 2] {
    counts.iter().fold([0, 0], |[a, b], [more_a, more_b]| [a + more_a, b + more_b])
}

fn expected_plain(counts: &[[u128; 2]]) -> u128 {
    let [all_a, all_b] = totals(counts);
    all_a * all_b - counts.iter().map(|[a, b]| a * b).sum::<u128>()
}

/// A pair counts once for every border between neighbouring places that lies between its labels.
fn expected_linear(counts: &[[u128; 2]]) -> u128 {
    let [all_a, all_b] = totals(counts);
    let mut below = [0, 0];
    let mut sum = 0;
    for [a, b] in counts {
        below = [below[0] + a, below[1] + b];
        // One step per border instead of one per pair of labels: |i − j| is the number of borders
        // between.
        sum += below[0] * (all_b - below[1]) + below[1] * (all_a - below[0]);
    }
    sum
}

/// Σ (i − j)² a b = Σb Σ i² a + Σa Σ j² b − 2 Σ i a Σ j b.
fn expected_quadratic(counts: &[[u128; 2]]) -> u128 {
    let [all_a, all_b] = totals(counts);
    let [mut first_a, mut first_b, mut second_a, mut second_b] = [0; 4];
    for ([a, b], place) in counts.iter().zip(0_u128..) {
        first_a += place * a;
        first_b += place * b;
        second_a += place * place * a;
        second_b += place * place * b;
    }
    all_b * second_a + all_a * second_b - 2 * first_a * first_b
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Weighting; 3] = [Weighting::Plain, Weighting::Linear, Weighting::Quadratic];

    /// The definition: every label of one rater with every label of the other.
    fn slow_kappa(pairs: &[(u32, u32)], weighting: Weighting) -> f64 {
        let places = Places::of(pairs);
        let pairs = pairs.iter().map(|&(a, b)| (places.get(a), places.get(b)));
        let observed: f64 = pairs.clone().map(|(a, b)| weight(weighting, a, b) as f64).sum();
        let crossed = pairs.clone().flat_map(|x| pairs.clone().map(move |y| (x.0, y.1)));
        let expected: f64 = crossed.map(|(a, b)| weight(weighting, a, b) as f64).sum();
        1.0 - observed * pairs.len() as f64 / expected
    }

    proptest! {
        #[test]
        fn counts_give_what_all_pairs_give(
            pairs in prop::collection::vec((0_u32..9, 0_u32..9), 1..40),
        ) {
            for weighting in ALL {
                match cohen_kappa(&pairs, weighting) {
                    Ok(kappa) => {
                        prop_assert!((kappa.value - slow_kappa(&pairs, weighting)).abs() < 1e-12);
                        prop_assert!((-1.0..=1.0).contains(&kappa.value));
                    }
                    Err(error) => prop_assert_eq!(error, StatsError::Unanimous),
                }
            }
        }

        #[test]
        fn raters_may_be_swapped_and_items_shuffled(
            pairs in prop::collection::vec((0_u32..5, 0_u32..5), 1..40),
        ) {
            let swapped: Vec<_> = pairs.iter().rev().map(|&(a, b)| (b, a)).collect();
            for weighting in ALL {
                prop_assert_eq!(cohen_kappa(&pairs, weighting), cohen_kappa(&swapped, weighting));
            }
        }

        #[test]
        fn plain_kappa_does_not_mind_other_names_of_labels(
            pairs in prop::collection::vec((0_u32..5, 0_u32..5), 1..40),
        ) {
            let renamed: Vec<_> =
                pairs.iter().map(|&(a, b)| (1000 - a * a * 7, 1000 - b * b * 7)).collect();
            let kappa = cohen_kappa(&pairs, Weighting::Plain);
            prop_assert_eq!(kappa, cohen_kappa(&renamed, Weighting::Plain));
        }
    }

    #[test]
    fn equal_raters_agree_exactly() {
        for weighting in ALL {
            let kappa = cohen_kappa(&[(3, 3), (1, 1), (7, 7), (1, 1)], weighting).unwrap();
            assert_eq!(kappa.value, 1.0);
        }
    }

    #[test]
    fn nothing_and_always_the_same_have_no_kappa() {
        for weighting in ALL {
            assert_eq!(cohen_kappa(&[], weighting), Err(StatsError::NoOverlap));
            assert_eq!(cohen_kappa(&[(4, 4); 9], weighting), Err(StatsError::Unanimous));
        }
    }

    #[test]
    fn one_constant_rater_agrees_as_by_chance() {
        assert_eq!(cohen_kappa(&[(0, 0), (0, 1)], Weighting::Plain).unwrap().value, 0.0);
    }
}

//! Three ways to compare two saliency maps.
//!
//! Source: kixlab/canvas, evaluation/metrics/visual_saliency; the measures are those of Bylinskii et
//! al., "What do different evaluation metrics tell us about saliency models?", 2019.

/// What the published code adds to a standard deviation, so that it divides by something.
const DEVIATION_FLOOR: f64 = 1e-8;
/// What it adds to each share, so that the logarithm is of something.
const SHARE_FLOOR: f64 = 1e-8;

/// Pearson's correlation of two maps, −1..=1; exactly 1 for equal ones. Symmetric.
///
/// `None` if the maps have not the same number of values, if there are none, if one is flat, or if a
/// value is not finite. As in the published code each standard deviation is taken 10⁻⁸ larger.
pub fn correlation(ground_truth: &[f64], generated: &[f64]) -> Option<f64> {
    check(ground_truth, generated)?;
    let (truth_mean, truth_deviation) = mean_and_deviation(&scaled(ground_truth)?);
    let (generated_mean, generated_deviation) = mean_and_deviation(&scaled(generated)?);
    if ground_truth == generated {
        return Some(1.0);
    }
    // The published code scales maps to 0..=1 first, which matters because the floor is not in
    // units of the map. Products are divided one by one, in its order.
    let products = scaled(ground_truth)?.into_iter().zip(scaled(generated)?).map(|(p, q)| {
        (p - truth_mean) / (truth_deviation + DEVIATION_FLOOR) * (q - generated_mean)
            / (generated_deviation + DEVIATION_FLOOR)
    });
    Some((products.sum::<f64>() / ground_truth.len() as f64).clamp(-1.0, 1.0))
}

/// The part of the attention that both maps share, 0..=1; exactly 1 for equal ones. Symmetric.
///
/// `None` as for [`correlation`], but that flat maps are fine, or if a map has negative values or is
/// 0 everywhere: then it has no shares.
pub fn intersection(ground_truth: &[f64], generated: &[f64]) -> Option<f64> {
    check(ground_truth, generated)?;
    let (truth, generated_shares) = (shares(ground_truth)?, shares(generated)?);
    if ground_truth == generated {
        return Some(1.0);
    }
    let common = truth.iter().zip(&generated_shares).map(|(p, q)| p.min(*q));
    Some(common.sum::<f64>().clamp(0.0, 1.0))
}

/// The Kullback–Leibler divergence of the attention of what was made from that of the ground truth,
/// in nats: 0 for equal maps, below 18.5. Not symmetric.
///
/// `None` as for [`intersection`]. As in the published code each share is taken 10⁻⁸ larger, and the
/// shares are not normalised again.
pub fn divergence(ground_truth: &[f64], generated: &[f64]) -> Option<f64> {
    check(ground_truth, generated)?;
    let (truth, generated) = (shares(ground_truth)?, shares(generated)?);
    let terms = truth.iter().zip(&generated).map(|(p, q)| {
        // The floor goes to both, so that equal maps have ln 1 = 0 at every place.
        let (p, q) = (p + SHARE_FLOOR, q + SHARE_FLOOR);
        p * (p / q).ln()
    });
    Some(terms.sum::<f64>().max(0.0))
}

fn check(ground_truth: &[f64], generated: &[f64]) -> Option<()> {
    let is_fine = !ground_truth.is_empty()
        && ground_truth.len() == generated.len()
        && ground_truth.iter().chain(generated).all(|value| value.is_finite());
    is_fine.then_some(())
}

/// A map brought to 0..=1; `None` if it is flat.
pub(super) fn scaled(map: &[f64]) -> Option<Vec<f64>> {
    let least = map.iter().copied().fold(f64::INFINITY, f64::min);
    let range = map.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    (range > FLAT).then(|| map.iter().map(|value| (value - least) / range).collect())
}

/// A map whose values lie no further apart says nothing (the published code makes it zeros).
const FLAT: f64 = 1e-8;

fn mean_and_deviation(map: &[f64]) -> (f64, f64) {
    let count = map.len() as f64;
    let mean = map.iter().sum::<f64>() / count;
    // NumPy's `std`: divided by n.
    let variance = map.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// Each value as its part of the whole.
fn shares(map: &[f64]) -> Option<Vec<f64>> {
    let total: f64 = map.iter().sum();
    let has_shares = total > 0.0 && total.is_finite() && map.iter().all(|value| *value >= 0.0);
    has_shares.then(|| map.iter().map(|value| value / total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pair() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
        (2usize..60).prop_flat_map(|len| {
            let map = proptest::collection::vec(0.0f64..=1.0, len);
            (map.clone(), map)
        })
    }

    proptest! {
        #[test]
        fn each_stays_in_its_range((a, b) in pair()) {
            prop_assert!(correlation(&a, &b).is_none_or(|v| (-1.0..=1.0).contains(&v)));
            prop_assert!(intersection(&a, &b).is_none_or(|v| (0.0..=1.0).contains(&v)));
            prop_assert!(divergence(&a, &b).is_none_or(|v| (0.0..=18.5).contains(&v)));
        }

        #[test]
        fn correlation_and_intersection_are_symmetric((a, b) in pair()) {
            prop_assume!(correlation(&a, &b).is_some());
            let (there, back) = (correlation(&a, &b).unwrap(), correlation(&b, &a).unwrap());
            prop_assert!((there - back).abs() < 1e-12);
            prop_assert_eq!(intersection(&a, &b), intersection(&b, &a));
        }

        #[test]
        fn a_map_is_exactly_like_itself((a, _) in pair()) {
            prop_assume!(scaled(&a).is_some());
            prop_assert_eq!(correlation(&a, &a), Some(1.0));
            prop_assert_eq!(intersection(&a, &a), Some(1.0));
            prop_assert_eq!(divergence(&a, &a), Some(0.0));
        }
    }

    #[test]
    fn what_cannot_be_compared_has_no_number() {
        let fine = [0.0, 1.0];
        for bad in [&[][..], &[1.0], &[f64::NAN, 1.0], &[f64::INFINITY, 1.0]] {
            for measure in [correlation, intersection, divergence] {
                assert_eq!(measure(&fine, bad), None);
                assert_eq!(measure(bad, &fine), None);
            }
        }
        assert_eq!(correlation(&fine, &[3.0, 3.0]), None);
        assert_eq!(intersection(&fine, &[0.0, 0.0]), None);
        assert_eq!(divergence(&fine, &[-1.0, 2.0]), None);
    }

    #[test]
    fn maps_that_share_nothing_are_at_the_far_end() {
        let (a, b) = ([1.0, 0.0], [0.0, 1.0]);
        assert_eq!(intersection(&a, &b), Some(0.0));
        assert!((correlation(&a, &b).unwrap() + 1.0).abs() < 1e-7);
        assert!((divergence(&a, &b).unwrap() - 18.42).abs() < 0.01);
    }
}

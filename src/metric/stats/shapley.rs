//! Shapley values: what each player of a game brought, on average over all orders in which they could come.

use std::collections::HashMap;

use rayon::prelude::*;

use super::bootstrap::Draws;
use super::descriptive::{Interval, mean, standard_deviation};

/// Most players for which every coalition is asked for, and the values are exact.
pub const EXACT_PLAYERS: usize = 8;

/// Standard normal quantile of a two-sided interval of 95 %.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// What the players brought in one of several values of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapley {
    /// For each player, in their order.
    pub values: Vec<ShapleyValue>,
    /// The value of the game without anybody.
    pub empty: f64,
    /// With everybody; the sum of all players' values and [`Self::empty`].
    pub full: f64,
}

/// What one player brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapleyValue {
    /// The mean of the marginals, or the exact value.
    pub value: f64,
    /// A normal interval of 95 % over pairs of orders; `None` where the value is exact, or from one pair.
    pub interval: Option<Interval>,
}

/// How the values were come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapleyMethod {
    /// From all coalitions.
    Exact,
    /// From so many orders, each with its reverse.
    Sampled {
        /// How many, the reverses included; even.
        orders: usize,
    },
}

/// Exact Shapley values, from all 2ⁿ coalitions.
///
/// `value` gives the values of the game, as many for every coalition; `players` must be at most
/// [`EXACT_PLAYERS`], or the call lasts as good as for ever. `state` is made once for each thread.
///
/// # Errors
///
/// The first that `value` gives.
pub fn shapley_exact<S, E: Send>(
    players: usize,
    state: impl Fn() -> S + Sync + Send,
    value: impl Fn(&mut S, &[bool]) -> Result<Vec<f64>, E> + Sync + Send,
) -> Result<Vec<Shapley>, E> {
    let coalitions = 1_usize << players;
    let game: Vec<Vec<f64>> = (0..coalitions)
        .into_par_iter()
        .map_init(&state, |state, coalition| value(state, &members(coalition, players)))
        .collect::<Result<_, E>>()?;
    let of_values = (0..game[0].len()).map(|at| {
        let values = (0..players).map(|player| {
            let without = (0..coalitions).filter(|coalition| coalition & (1 << player) == 0);
            let marginals = without.filter_map(|coalition| {
                let with = game[coalition | (1 << player)].get(at)?;
                let gain = with - game[coalition].get(at)?;
                // |S|! (n − |S| − 1)! / n!, by 1 / (n · C(n − 1, |S|)).
                let size = coalition.count_ones() as usize;
                let weight = 1.0 / (players as f64 * binomial(players - 1, size));
                Some(weight * gain)
            });
            ShapleyValue { value: marginals.sum(), interval: None }
        });
        let values = values.collect();
        let [empty, full] =
            [0, coalitions - 1].map(|all| game[all].get(at).copied().unwrap_or_default());
        Shapley { values, empty, full }
    });
    Ok(of_values.collect())
}

/// Estimates Shapley values from so many pairs of a random order of the players and its reverse
/// (antithetic sampling), with a normal interval over the pairs.
///
/// The sum over the players is exactly what all bring together, up to rounding, however few the orders. The
/// same seed gives the same values on one thread and many. `done` is called after every pair.
///
/// Source: Castro, Gómez and Tejada 2009, "Polynomial calculation of the Shapley value based on
/// sampling"; Mitchell et al. 2022, "Sampling Permutations for Shapley Value Estimation", section 4.1, for
/// antithetic pairs.
///
/// # Errors
///
/// The first that `value` gives.
pub fn shapley_sampled<S, E: Send>(
    players: usize,
    pairs: usize,
    seed: u64,
    state: impl Fn() -> S + Sync + Send,
    value: impl Fn(&mut S, &[bool]) -> Result<Vec<f64>, E> + Sync + Send,
    done: impl Fn() + Sync + Send,
) -> Result<Vec<Shapley>, E> {
    let walked = (0..pairs).into_par_iter().map_init(&state, |state, pair| {
        let mut order = Draws::new(seed, pair as u64).shuffled(players);
        // Both walks begin with nobody and end with everybody, and small games meet again in between.
        let mut known = HashMap::new();
        let mut walked = Vec::with_capacity(2);
        for _ in 0..2 {
            walked.push(walk(&order, |coalition| {
                if let Some(known) = known.get(coalition) {
                    return Ok(Vec::clone(known));
                }
                let found = value(state, coalition)?;
                known.insert(coalition.to_vec(), found.clone());
                Ok(found)
            })?);
            order.reverse();
        }
        done();
        Ok(walked)
    });
    let walked: Vec<Vec<Marginals>> = walked.collect::<Result<_, E>>()?;
    let Some(first) = walked.first().and_then(|pair| pair.first()) else { return Ok(Vec::new()) };
    let of_values = (0..first.empty.len()).map(|at| {
        let values = (0..players).map(|player| {
            let means = walked.iter().map(|pair| {
                let gains = pair.iter().filter_map(|walk| walk.gains.get(player)?.get(at));
                gains.sum::<f64>() / pair.len() as f64
            });
            let means: Vec<f64> = means.collect();
            let value = mean(&means).unwrap_or_default();
            let error = standard_deviation(&means).map(|it| it / (means.len() as f64).sqrt());
            let interval = error.ok().map(|error| Interval::around(value, NORMAL_95 * error));
            ShapleyValue { value, interval }
        });
        let values = values.collect();
        let full = first.full.get(at).copied().unwrap_or_default();
        Shapley { values, empty: first.empty[at], full }
    });
    Ok(of_values.collect())
}

/// What came of one order.
struct Marginals {
    /// By player, and for each by value.
    gains: Vec<Vec<f64>>,
    empty: Vec<f64>,
    full: Vec<f64>,
}

fn walk<E>(
    order: &[usize],
    mut value: impl FnMut(&[bool]) -> Result<Vec<f64>, E>,
) -> Result<Marginals, E> {
    let mut coalition = vec![false; order.len()];
    let empty = value(&coalition)?;
    let mut gains = vec![Vec::new(); order.len()];
    let mut before = empty.clone();
    for player in order {
        if let Some(member) = coalition.get_mut(*player) {
            *member = true;
        }
        let after = value(&coalition)?;
        if let Some(gains) = gains.get_mut(*player) {
            *gains = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        }
        before = after;
    }
    Ok(Marginals { gains, empty, full: before })
}

fn members(coalition: usize, players: usize) -> Vec<bool> {
    (0..players).map(|player| coalition & (1 << player) != 0).collect()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|at| (n - at) as f64 / (at + 1) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A game with interactions of two, and a second value that is the product of all.
    fn game(weights: &[f64], coalition: &[bool]) -> Vec<f64> {
        let there: Vec<f64> =
            weights.iter().zip(coalition).filter(|(_, is)| **is).map(|(w, _)| *w).collect();
        let pairs: f64 =
            there.iter().enumerate().map(|(at, a)| there[at + 1..].iter().sum::<f64>() * a).sum();
        vec![there.iter().sum::<f64>() + pairs, there.iter().product()]
    }

    fn exact(weights: &[f64]) -> Vec<Shapley> {
        shapley_exact(weights.len(), || (), |(), it| Ok::<_, ()>(game(weights, it))).unwrap()
    }

    fn sampled(weights: &[f64], pairs: usize, seed: u64) -> Vec<Shapley> {
        shapley_sampled(
            weights.len(),
            pairs,
            seed,
            || (),
            |(), it| Ok::<_, ()>(game(weights, it)),
            || (),
        )
        .unwrap()
    }

    /// The definition, over all orders.
    fn over_all_orders(weights: &[f64], at: usize) -> Vec<f64> {
        fn orders(left: &[usize]) -> Vec<Vec<usize>> {
            if left.is_empty() {
                return vec![Vec::new()];
            }
            let heads = left.iter().flat_map(|head| {
                let rest: Vec<usize> = left.iter().copied().filter(|it| it != head).collect();
                orders(&rest).into_iter().map(move |tail| [vec![*head], tail].concat())
            });
            heads.collect()
        }
        let all = orders(&(0..weights.len()).collect::<Vec<_>>());
        let mut sums = vec![0.0; weights.len()];
        for order in &all {
            let walked = walk(order, |it| Ok::<_, ()>(game(weights, it))).unwrap();
            for (sum, gains) in sums.iter_mut().zip(&walked.gains) {
                *sum += gains[at] / all.len() as f64;
            }
        }
        sums
    }

    #[test]
    fn exact_values_are_the_means_over_all_orders() {
        let weights = [0.3, -1.0, 2.0, 0.7, 0.1];
        for (at, found) in exact(&weights).iter().enumerate() {
            for (value, wanted) in found.values.iter().zip(over_all_orders(&weights, at)) {
                assert!((value.value - wanted).abs() < 1e-12, "{value:?} {wanted}");
            }
        }
    }

    #[test]
    fn estimates_come_near_the_exact_values_and_their_intervals_hold_them() {
        let weights = [0.3, -1.0, 2.0, 0.7, 0.1, 0.0, -0.4, 1.1];
        let (truth, estimate) = (exact(&weights), sampled(&weights, 2_000, 7));
        let within = truth[1].values.iter().zip(&estimate[1].values).filter(|(exact, sampled)| {
            let Interval { low, high } = sampled.interval.unwrap();
            // By a hair, where nothing varies.
            (low - 1e-9..=high + 1e-9).contains(&exact.value)
        });
        assert!(within.count() >= 7, "{truth:?} {estimate:?}");
        // Pairs of an order and its reverse give interactions of two exactly.
        let one_pair = sampled(&weights, 1, 3);
        for (exact, sampled) in truth[0].values.iter().zip(&one_pair[0].values) {
            assert!((exact.value - sampled.value).abs() < 1e-12);
            assert_eq!(sampled.interval, None, "one pair has no spread");
        }
    }

    #[test]
    fn nobody_brings_nothing() {
        assert!(exact(&[])[0].values.is_empty());
        let none = sampled(&[], 3, 1);
        assert_eq!((none[0].empty, none[0].full), (0.0, 0.0));
        assert!(sampled(&[1.0], 0, 1).is_empty());
    }

    proptest! {
        #[test]
        fn what_all_brought_is_what_the_game_is_worth(
            weights in proptest::collection::vec(-2.0..2.0_f64, 1..12),
            pairs in 1..6_usize,
            seed in any::<u64>(),
        ) {
            for found in sampled(&weights, pairs, seed) {
                let sum: f64 = found.values.iter().map(|it| it.value).sum();
                prop_assert!((sum - (found.full - found.empty)).abs() < 1e-9);
            }
            prop_assert_eq!(sampled(&weights, pairs, seed), sampled(&weights, pairs, seed));
        }
    }
}

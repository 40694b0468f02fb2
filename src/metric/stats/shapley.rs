//! Shapley values: what each player of a game brought, on average over all orders in which they could come.

use std::collections::HashMap;

use rayon::prelude::*;

use super::bootstrap::Draws;
use super::descriptive::{Interval, mean, standard_deviation, student_t_half_width};

/// Most players for which every coalition is asked for, and the values are exact.
pub const EXACT_PLAYERS: usize = 8;

/// Fewest orders, with their reverses, of which values have intervals. Of fewer, the pairs of orders may well agree by
/// chance, and no quantile makes an interval of a spread that is none.
pub const INTERVAL_ORDERS: usize = 20;

/// How often intervals are to hold the exact value.
const CONFIDENCE: f64 = 0.95;

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
    /// An interval of 95 % by Student's t over pairs of orders; `None` where the value is exact, or from fewer than
    /// [`INTERVAL_ORDERS`].
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

impl ShapleyMethod {
    /// Why the values have no intervals, if so; for people.
    pub fn why_no_intervals(self) -> Option<String> {
        match self {
            Self::Exact => Some("the values are exact".to_owned()),
            Self::Sampled { orders } if orders < INTERVAL_ORDERS => {
                Some(format!("too few orders: {INTERVAL_ORDERS} at least"))
            }
            Self::Sampled { .. } => None,
        }
    }
}

/// Exact Shapley values, from all 2ⁿ coalitions.
///
/// `value` gives the values of the game, as many for every coalition, or why one of them has none there: then there are
/// no Shapley values in it, and its reason is that of the first such coalition, nobody's before all others. `players`
/// must be at most [`EXACT_PLAYERS`], or the call lasts as good as for ever. `state` is made once for each thread.
///
/// # Errors
///
/// The first that `value` gives.
pub fn shapley_exact<S, G: Clone + Send, E: Send>(
    players: usize,
    state: impl Fn() -> S + Sync + Send,
    value: impl Fn(&mut S, &[bool]) -> Result<Vec<Result<f64, G>>, E> + Sync + Send,
) -> Result<Vec<Result<Shapley, G>>, E> {
    let nobody = value(&mut state(), &members(0, players))?;
    // What has no value without anybody has no marginals: no other coalition need be asked for.
    if nobody.iter().all(Result::is_err) {
        return Ok(nobody.into_iter().filter_map(Result::err).map(Err).collect());
    }
    let others: Vec<Vec<Result<f64, G>>> = (1..1_usize << players)
        .into_par_iter()
        .map_init(&state, |state, coalition| value(state, &members(coalition, players)))
        .collect::<Result<_, E>>()?;
    let values = nobody.len();
    let game: Vec<Vec<Result<f64, G>>> = std::iter::once(nobody).chain(others).collect();
    Ok((0..values).map(|at| exact_value(&game, at, players)).collect())
}

/// One value of a game of which every coalition is known, by the bits of who is in it.
fn exact_value<G: Clone>(
    game: &[Vec<Result<f64, G>>],
    at: usize,
    players: usize,
) -> Result<Shapley, G> {
    let of_coalitions = game.iter().filter_map(|values| values.get(at));
    let game: Vec<f64> = of_coalitions.cloned().collect::<Result<_, G>>()?;
    let values = (0..players).map(|player| {
        let without = (0..game.len()).filter(|coalition| coalition & (1 << player) == 0);
        let marginals = without.filter_map(|coalition| {
            let gain = game.get(coalition | (1 << player))? - game.get(coalition)?;
            // |S|! (n − |S| − 1)! / n!, by 1 / (n · C(n − 1, |S|)).
            let size = coalition.count_ones() as usize;
            let weight = 1.0 / (players as f64 * binomial(players - 1, size));
            Some(weight * gain)
        });
        ShapleyValue { value: marginals.sum(), interval: None }
    });
    let values = values.collect();
    let [empty, full] = [game.first(), game.last()].map(|end| end.copied().unwrap_or_default());
    Ok(Shapley { values, empty, full })
}

/// Estimates Shapley values from so many pairs of a random order of the players and its reverse
/// (antithetic sampling), with an interval by Student's t over the pairs, from [`INTERVAL_ORDERS`] on.
///
/// The sum over the players is exactly what all bring together, up to rounding, however few the orders. The
/// same seed gives the same values on one thread and many. A value of the game that a coalition lacks has no estimate;
/// its reason is that of the first such coalition in the first order that meets one. `done` is called after every pair.
///
/// Source: Castro, Gómez and Tejada 2009, "Polynomial calculation of the Shapley value based on
/// sampling"; Mitchell et al. 2022, "Sampling Permutations for Shapley Value Estimation", section 4.1, for
/// antithetic pairs.
///
/// # Errors
///
/// The first that `value` gives.
pub fn shapley_sampled<S, G: Clone + Send, E: Send>(
    players: usize,
    pairs: usize,
    seed: u64,
    state: impl Fn() -> S + Sync + Send,
    value: impl Fn(&mut S, &[bool]) -> Result<Vec<Result<f64, G>>, E> + Sync + Send,
    done: impl Fn() + Sync + Send,
) -> Result<Vec<Result<Shapley, G>>, E> {
    let nobody = value(&mut state(), &vec![false; players])?;
    // What has no value without anybody has no marginals: no order need be walked.
    if nobody.iter().all(Result::is_err) {
        return Ok(nobody.into_iter().filter_map(Result::err).map(Err).collect());
    }
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
    let walked: Vec<Vec<OrderMarginals<G>>> = walked.collect::<Result<_, E>>()?;
    let values = walked.first().and_then(|pair| pair.first()).map_or(0, Vec::len);
    Ok((0..values).map(|at| estimate(&walked, at, players)).collect())
}

/// One value of a game, from pairs of walks.
fn estimate<G: Clone>(
    pairs: &[Vec<OrderMarginals<G>>],
    at: usize,
    players: usize,
) -> Result<Shapley, G> {
    let walks = pairs.iter().flatten().filter_map(|walk| walk.get(at));
    let walks: Vec<&Marginals> =
        walks.map(|it| it.as_ref().map_err(G::clone)).collect::<Result<_, G>>()?;
    // By Student's t, as the spread over the pairs is an estimate, too.
    let pairs = walks.len() / 2;
    let quantile = student_t_half_width(pairs.saturating_sub(1), CONFIDENCE);
    let quantile = quantile.ok().filter(|_| walks.len() >= INTERVAL_ORDERS);
    let values = (0..players).map(|player| {
        let means = walks.chunks(2).map(|pair| {
            let gains = pair.iter().filter_map(|walk| walk.gains.get(player));
            gains.sum::<f64>() / pair.len() as f64
        });
        let means: Vec<f64> = means.collect();
        let value = mean(&means).unwrap_or_default();
        let interval = quantile.and_then(|quantile| {
            let error = standard_deviation(&means).ok()? / (pairs as f64).sqrt();
            Some(Interval::around(value, quantile * error))
        });
        ShapleyValue { value, interval }
    });
    let values = values.collect();
    let [empty, full] = walks.first().map_or([0.0; 2], |walk| [walk.empty, walk.full]);
    Ok(Shapley { values, empty, full })
}

/// What came of one order, for each value of the game; or why one has a gap.
type OrderMarginals<G> = Vec<Result<Marginals, G>>;

/// What each brought to one value in one order.
struct Marginals {
    /// By player.
    gains: Vec<f64>,
    empty: f64,
    /// With all that came so far, in the end with everybody.
    full: f64,
}

fn walk<G, E>(
    order: &[usize],
    mut value: impl FnMut(&[bool]) -> Result<Vec<Result<f64, G>>, E>,
) -> Result<OrderMarginals<G>, E> {
    let mut coalition = vec![false; order.len()];
    let nobody = value(&coalition)?.into_iter();
    let mut walked: OrderMarginals<G> = nobody
        .map(|empty| {
            empty.map(|empty| Marginals { gains: vec![0.0; order.len()], empty, full: empty })
        })
        .collect();
    for player in order {
        // Nothing is asked for where no value can be had any more.
        if walked.iter().all(Result::is_err) {
            break;
        }
        if let Some(member) = coalition.get_mut(*player) {
            *member = true;
        }
        for (so_far, after) in walked.iter_mut().zip(value(&coalition)?) {
            let Ok(marginals) = so_far else { continue };
            match after {
                Ok(after) => {
                    if let Some(gain) = marginals.gains.get_mut(*player) {
                        *gain = after - marginals.full;
                    }
                    marginals.full = after;
                }
                Err(gap) => *so_far = Err(gap),
            }
        }
    }
    Ok(walked)
}

fn members(coalition: usize, players: usize) -> Vec<bool> {
    (0..players).map(|player| coalition & (1 << player) != 0).collect()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|at| (n - at) as f64 / (at + 1) as f64).product()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// The same as a game that has all of its values everywhere.
    fn whole(weights: &[f64], coalition: &[bool]) -> Vec<Result<f64, ()>> {
        game(weights, coalition).into_iter().map(Ok).collect()
    }

    fn exact(weights: &[f64]) -> Vec<Shapley> {
        let found =
            shapley_exact(weights.len(), || (), |(), it| Ok::<_, ()>(whole(weights, it))).unwrap();
        found.into_iter().map(Result::unwrap).collect()
    }

    fn sampled(weights: &[f64], pairs: usize, seed: u64) -> Vec<Shapley> {
        let found = shapley_sampled(
            weights.len(),
            pairs,
            seed,
            || (),
            |(), it| Ok::<_, ()>(whole(weights, it)),
            || (),
        );
        found.unwrap().into_iter().map(Result::unwrap).collect()
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
            let walked = walk(order, |it| Ok::<_, ()>(whole(weights, it))).unwrap();
            for (sum, gain) in sums.iter_mut().zip(&walked[at].as_ref().unwrap().gains) {
                *sum += gain / all.len() as f64;
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
    fn intervals_hold_the_exact_values_as_often_as_they_say_and_few_orders_have_none() {
        // What the best of those who came is worth: a game in which orders matter a lot.
        let weights = [0.3, 0.5, 0.7, 0.9, 1.0];
        let best = |(): &mut (), coalition: &[bool]| {
            let there = weights.iter().zip(coalition).filter(|(_, is)| **is).map(|(it, _)| *it);
            Ok::<_, ()>(vec![Ok::<f64, ()>(there.fold(0.0, f64::max))])
        };
        let exact = shapley_exact(weights.len(), || (), best).unwrap();
        let exact = &exact[0].as_ref().unwrap().values;
        let found = |pairs: usize, seed: u64| {
            let found = shapley_sampled(weights.len(), pairs, seed, || (), best, || ()).unwrap();
            found[0].as_ref().unwrap().values.clone()
        };
        for pairs in [10, 20] {
            let held = (0..200).flat_map(|seed| {
                let pairs = exact.iter().zip(found(pairs, seed));
                pairs.map(|(exact, it)| {
                    let Interval { low, high } = it.interval.unwrap();
                    (low - 1e-12..=high + 1e-12).contains(&exact.value)
                })
            });
            let held = held.filter(|is_held| *is_held).count();
            assert!(held >= 900, "{held} of 1000 at {pairs} pairs");
        }
        for pairs in [1, 2, 9] {
            assert!(found(pairs, 1).iter().all(|it| it.interval.is_none()), "{pairs}");
            let method = ShapleyMethod::Sampled { orders: pairs * 2 };
            assert!(method.why_no_intervals().unwrap().starts_with("too few orders"));
        }
        assert_eq!(ShapleyMethod::Sampled { orders: 20 }.why_no_intervals(), None);
    }

    #[test]
    fn nobody_brings_nothing() {
        assert!(exact(&[])[0].values.is_empty());
        let none = sampled(&[], 3, 1);
        assert_eq!((none[0].empty, none[0].full), (0.0, 0.0));
        assert!(sampled(&[1.0], 0, 1).is_empty());
    }

    /// A game whose first value is there always, its second with somebody only, its third but for one coalition.
    fn with_gaps(coalition: &[bool]) -> Vec<Result<f64, Vec<bool>>> {
        let members = coalition.iter().filter(|is| **is).count();
        let sum = f64::from(u32::try_from(members).unwrap());
        let is_last_alone = members == 1 && coalition.last() == Some(&true);
        [true, members > 0, !is_last_alone]
            .map(|has_value| if has_value { Ok(sum) } else { Err(coalition.to_vec()) })
            .into()
    }

    #[test]
    fn a_value_with_a_gap_says_where_and_the_others_are_given() {
        let exact = shapley_exact(3, || (), |(), it| Ok::<_, ()>(with_gaps(it)));
        let sampled = shapley_sampled(3, 40, 5, || (), |(), it| Ok::<_, ()>(with_gaps(it)), || ());
        for found in [exact.unwrap(), sampled.unwrap()] {
            let whole = found[0].as_ref().unwrap();
            assert!(whole.values.iter().all(|it| (it.value - 1.0).abs() < 1e-12), "{whole:?}");
            assert_eq!((whole.empty, whole.full), (0.0, 3.0));
            assert_eq!(found[1], Err(vec![false; 3]), "nobody alone has none");
            assert_eq!(found[2], Err(vec![false, false, true]));
        }
    }

    #[test]
    fn a_game_that_has_no_value_without_anybody_is_asked_for_no_further() {
        let asked = AtomicUsize::new(0);
        let value = |(): &mut (), coalition: &[bool]| {
            asked.fetch_add(1, Ordering::Relaxed);
            let is_there = coalition.contains(&true);
            Ok::<_, ()>(vec![if is_there { Ok(1.0) } else { Err("nobody is there") }])
        };
        let gap = [Err("nobody is there")];
        assert_eq!(shapley_exact(8, || (), value).unwrap(), gap);
        assert_eq!(shapley_sampled(20, 7, 1, || (), value, || ()).unwrap(), gap);
        assert_eq!(asked.into_inner(), 2, "once each way");
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

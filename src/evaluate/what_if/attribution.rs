//! What the calls of a run brought: the end with them and without.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::base::CancelToken;
use crate::environment::OpenEnvironment;
use crate::metric::stats::{EXACT_PLAYERS, Shapley, ShapleyMethod, shapley_exact, shapley_sampled};
use crate::metric::{MissingScore, Score};
use crate::run::{CallSource, PlannedCall};

use super::base::{Base, WhatIfError};
use super::branch::{Branch, Looks};
use super::groups::{CallGroup, steps_words};
use super::scores::{EndMemories, EndScores};

/// Pieces of work for each thread, so that none waits long for the others.
const PIECES_A_THREAD: usize = 4;

/// What is told while it goes on: how much is done, of how much.
pub type ProgressCallback<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// What leaving out one group of calls does.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupEffect {
    /// Which calls.
    pub group: CallGroup,
    /// The scores of the end without them, one for each variant.
    pub without: Vec<Score>,
    /// How much better the end is with them than without, for each variant; below 0: it is worse. `None` where
    /// one of the two has no score.
    pub brought: Vec<Option<f64>>,
    /// Other steps that fail without them and did not fail with them.
    pub broke: Vec<u32>,
}

/// What leaving out each group of a run's calls does.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The scores of the end with all calls, one for each variant.
    pub full: Vec<Score>,
    /// In the order of the groups.
    pub effects: Vec<GroupEffect>,
}

/// How Shapley values are come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapleyPlan {
    /// How many orders of the groups are drawn, each with its reverse; an odd number counts as the next.
    pub orders: usize,
    /// The same seed gives the same values.
    pub seed: u64,
}

/// What each group brought, on average over all orders in which they could have come.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapleyEffects {
    /// Which calls; the values stand in their order.
    pub groups: Vec<CallGroup>,
    /// How the values were come by.
    pub method: ShapleyMethod,
    /// For each variant, or why there are none by it; more is better, whatever the variant's direction.
    pub of_variants: Vec<Result<Shapley, UnscoredEnd>>,
}

/// An end that has no score by a variant, so that nothing can be said of what calls brought by it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no Shapley values: the end {} has no score: {why}", made_words(left_out, *is_start))]
pub struct UnscoredEnd {
    /// The steps that are left out, ascending; none: of the run with all its calls.
    pub left_out: Vec<u32>,
    /// Whether no call at all is made: then it is the start.
    pub is_start: bool,
    /// Why there is no score.
    pub why: MissingScore,
}

/// Which calls an end is made with, for people.
fn made_words(left_out: &[u32], is_start: bool) -> String {
    match left_out {
        _ if is_start => "without any call".to_owned(),
        [] => "with all calls".to_owned(),
        [step] => format!("without call {step}"),
        steps => format!("without calls {}", steps_words(steps)),
    }
}

/// Leaves out each group of calls by itself and scores what is left.
///
/// The calls behind the first one left out are made again, the others are not. `progress` is told of every group.
/// Runs on the threads of the rayon pool it is called in; an environment whose calls wait has one of its own.
///
/// # Errors
///
/// [`WhatIfError::Cancelled`], and what keeps an environment from being opened.
pub fn leave_one_out(
    base: &Base,
    groups: &[CallGroup],
    scores: &EndScores<'_>,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
    progress: &ProgressCallback<'_>,
) -> Result<LeftOut, WhatIfError> {
    let calls = base.unedited();
    let full = {
        let mut branch = Branch::new(base, Looks::Skipped, open_environment)?;
        branch.run(&calls, cancel, |_, _| ())?;
        scores.of(branch.environment(), cancel)?
    };
    // The last first: each has the most in common with the one before it.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(groups[*at].steps.first()));
    let done = AtomicUsize::new(0);
    let found: Vec<Vec<(usize, GroupEffect)>> = on_threads(base, || {
        let memories = EndMemories::new();
        // More pieces than threads, as they take unequally long; within a piece a branch goes on from what it made
        // before.
        let pieces = rayon::current_num_threads() * PIECES_A_THREAD;
        let size = order.len().div_ceil(pieces).max(1);
        let effects = order.par_chunks(size).map(|places| {
            let mut branch = Branch::new(base, Looks::Skipped, open_environment)?;
            let mut effects = Vec::with_capacity(places.len());
            for at in places {
                let group = &groups[*at];
                let left_out: BTreeSet<u32> = group.steps.iter().copied().collect();
                let rest = without(&calls, |step| left_out.contains(&step));
                branch.run(&rest, cancel, |_, _| ())?;
                let without = scores.of_next(branch.environment(), &memories, cancel)?;
                let brought = brought(&full, &without, scores);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, groups.len());
                let broke = branch.newly_failed();
                effects.push((*at, GroupEffect { group: group.clone(), without, brought, broke }));
            }
            Ok(effects)
        });
        effects.collect::<Result<_, WhatIfError>>()
    })?;
    let mut effects: Vec<(usize, GroupEffect)> = found.into_iter().flatten().collect();
    // Back into the order of the groups, whichever thread was first.
    effects.sort_by_key(|(at, _)| *at);
    Ok(LeftOut { full, effects: effects.into_iter().map(|(_, effect)| effect).collect() })
}

/// How much better each score of the end is than that without some calls.
fn brought(full: &[Score], without: &[Score], scores: &EndScores<'_>) -> Vec<Option<f64>> {
    let pairs = full.iter().zip(without).enumerate();
    let brought = pairs.map(|(at, (full, without))| {
        let gain = full.value()? - without.value()?;
        // Adding zero makes −0 the 0 that people read.
        Some(scores.sign(at) * gain + 0.0)
    });
    brought.collect()
}

/// Shapley values of groups of calls: the calls of a coalition are made in the run's order, all others are left
/// out; calls in no group are always made. Exact of up to [`EXACT_PLAYERS`] groups, else estimated. A variant by which
/// the end of a coalition has no score has none, and says of which; the others have theirs.
///
/// `progress` is told of every pair of orders; of exact values, once at the end.
///
/// # Errors
///
/// [`WhatIfError::Cancelled`], and what keeps an environment from being opened.
pub fn shapley(
    base: &Base,
    groups: &[CallGroup],
    scores: &EndScores<'_>,
    plan: ShapleyPlan,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
    progress: &ProgressCallback<'_>,
) -> Result<ShapleyEffects, WhatIfError> {
    let calls = base.unedited();
    // By step, from 1, for a look-up a call: coalitions are thousands.
    let mut group_of: Vec<Option<usize>> = vec![None; calls.len() + 1];
    for (at, group) in groups.iter().enumerate() {
        for step in &group.steps {
            if let Some(place) = group_of.get_mut(*step as usize) {
                *place = Some(at);
            }
        }
    }
    let memories = EndMemories::new();
    let coalitions =
        Coalitions { base, calls, group_of, scores, memories, open_environment, cancel };
    let players = groups.len();
    // An order with its reverse: where the one counts a group too high, the other tends to count it too low.
    let pairs = plan.orders.div_ceil(2).max(1);
    let (method, of_variants) = if players <= EXACT_PLAYERS {
        let exact = on_threads(base, || {
            shapley_exact(
                players,
                || coalitions.branch(),
                |branch, coalition| coalitions.values(branch, coalition),
            )
        })?;
        progress(1, 1);
        (ShapleyMethod::Exact, exact)
    } else {
        let done = AtomicUsize::new(0);
        let sampled = on_threads(base, || {
            shapley_sampled(
                players,
                pairs,
                plan.seed,
                || coalitions.branch(),
                |branch, coalition| coalitions.values(branch, coalition),
                || progress(done.fetch_add(1, Ordering::Relaxed) + 1, pairs),
            )
        })?;
        (ShapleyMethod::Sampled { orders: pairs * 2 }, sampled)
    };
    Ok(ShapleyEffects { groups: groups.to_vec(), method, of_variants })
}

/// What coalitions of groups come to.
struct Coalitions<'a> {
    base: &'a Base,
    calls: Vec<PlannedCall>,
    /// Of each step, the group its call is in.
    group_of: Vec<Option<usize>>,
    scores: &'a EndScores<'a>,
    memories: EndMemories,
    open_environment: &'a OpenEnvironment,
    cancel: &'a CancelToken,
}

impl<'a> Coalitions<'a> {
    fn branch(&self) -> Result<Branch<'a>, WhatIfError> {
        Branch::new(self.base, Looks::Skipped, self.open_environment)
    }

    /// The scores of the end that a coalition's calls come to; the groups outside it are left out.
    fn values(
        &self,
        branch: &mut Result<Branch<'_>, WhatIfError>,
        coalition: &[bool],
    ) -> Result<Vec<Result<f64, UnscoredEnd>>, WhatIfError> {
        let Ok(branch) = branch else {
            // Opened again, so that its error is what it was.
            return Err(self.branch().err().unwrap_or_else(|| {
                let why = "the environment could not be opened just now";
                WhatIfError::NoTruth(why.to_owned())
            }));
        };
        // A step that is in no group is always made.
        let made = without(&self.calls, |step| {
            let group = self.group_of.get(step as usize).copied().flatten();
            group.is_some_and(|at| coalition.get(at) == Some(&false))
        });
        branch.run(&made, self.cancel, |_, _| ())?;
        let found = self.scores.of_next(branch.environment(), &self.memories, self.cancel)?;
        let values = found.into_iter().enumerate().map(|(at, score)| match score {
            // Turned so that more is better, whichever way the metric goes.
            Score::Value(value) => Ok(self.scores.sign(at) * value),
            Score::Missing(why) => Err(self.unscored(&made, why)),
        });
        Ok(values.collect())
    }

    /// The end of those of the calls that are made.
    fn unscored(&self, made: &[PlannedCall], why: MissingScore) -> UnscoredEnd {
        let made_steps: BTreeSet<u32> = made.iter().filter_map(step_of).collect();
        let steps = self.calls.iter().filter_map(step_of);
        let left_out = steps.filter(|step| !made_steps.contains(step)).collect();
        UnscoredEnd { left_out, is_start: made.is_empty(), why }
    }
}

/// The step of the run that a call is; `None` of one that was put in.
fn step_of(planned: &PlannedCall) -> Option<u32> {
    match planned.source {
        CallSource::Recorded(step) => Some(step),
        CallSource::Inserted(_) => None,
    }
}

/// The calls but for those steps.
fn without(calls: &[PlannedCall], is_out: impl Fn(u32) -> bool) -> Vec<PlannedCall> {
    let kept = calls.iter().filter(|planned| !step_of(planned).is_some_and(&is_out));
    kept.cloned().collect()
}

/// Does the work on rayon's threads; calls that wait must not keep those from others, and get one thread.
fn on_threads<T: Send>(base: &Base, work: impl FnOnce() -> T + Send) -> T {
    if !base.calls_wait() {
        return work();
    }
    let builder = ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "what-if".to_owned());
    match builder.build() {
        Ok(pool) => pool.install(work),
        // No thread to be had: then on this one.
        Err(_) => work(),
    }
}

//! What runs have cost so far, and how long they will go on.
//!
//! How long is an estimate, and says by what: the time of the runs of the batch that have ended, or,
//! before there is one, the turns that the others may still take at the pace they have.

use std::collections::BTreeMap;

use crate::agent::AgentKind;
use crate::agent::runner::RunLimits;
use crate::run::{Manifest, ProviderTotals, Totals};
use crate::workbench::model::{Job, Pause, State};

/// What one run has cost so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunUsage {
    /// Whole turns.
    pub turns: u32,
    /// At most so many turns.
    pub max_turns: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// US dollars, where prices are known.
    pub usd: Option<f64>,
    /// Whether a model answered of which no price is known.
    pub is_unpriced: bool,
    /// Seconds at work, those in which it was paused aside, in whole turns.
    pub seconds: f64,
    /// How long it goes on at most, if it takes every turn at the pace it has; `None` before its
    /// first turn.
    pub left: Option<TimeLeft>,
}

/// What the runs of the present batch have cost so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchUsage<'a> {
    /// All of them.
    pub runs: usize,
    /// Those that have ended.
    pub ended: usize,
    /// Those that are made now.
    pub at_work: usize,
    /// Those that are paused.
    pub paused: usize,
    /// Those that wait to begin.
    pub waiting: usize,
    /// Whole turns.
    pub turns: u64,
    /// Tokens read and written.
    pub tokens: u64,
    /// US dollars, as far as prices are known.
    pub usd: f64,
    /// Runs that cost something nobody knows.
    pub unpriced: usize,
    /// Seconds at work of all runs together.
    pub seconds: f64,
    /// How long the batch goes on; `None` where nothing tells.
    pub left: Option<TimeLeft>,
    /// What was asked of each provider of models, and what came of it.
    pub providers: BTreeMap<&'a str, ProviderTotals>,
}

/// How long something goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLeft {
    /// So many seconds.
    pub seconds: f64,
    /// By what that is known.
    pub basis: LeftBasis,
}

/// What an estimate goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftBasis {
    /// The others take as long as these many runs that have ended.
    EndedRuns(usize),
    /// Every run takes all the turns it may, at the pace so far: it will hardly be longer.
    AllTurns,
}

/// What a run has cost so far.
pub fn run_usage(manifest: &Manifest) -> RunUsage {
    let Totals { turns, input_tokens, output_tokens, cost_usd, seconds, .. } = manifest.totals;
    let tokens = input_tokens.saturating_add(output_tokens);
    let max_turns = RunLimits::of_settings(&manifest.settings).max_turns;
    let left = (turns > 0).then(|| TimeLeft {
        seconds: seconds / f64::from(turns) * f64::from(max_turns.saturating_sub(turns)),
        basis: LeftBasis::AllTurns,
    });
    // Of other kinds of agents nobody expects a price.
    let is_unpriced = AgentKind::from_name(&manifest.agent.kind) == Some(AgentKind::Model)
        && cost_usd.is_none()
        && tokens > 0;
    RunUsage { turns, max_turns, tokens, usd: cost_usd, is_unpriced, seconds, left }
}

/// What the present batch has cost so far; all zero where there is none.
pub fn batch_usage(state: &State) -> BatchUsage<'_> {
    let mut batch = BatchUsage::default();
    let mut sums = UsageSums::default();
    for job in state.jobs.batch() {
        // `None` as long as it waits to begin.
        let run = job.run.and_then(|run| state.library.runs.get(&run));
        batch.runs += 1;
        match (&job.outcome, job.pause, run) {
            (Some(_), _, _) => batch.ended += 1,
            // Also one that has not begun: it will not, until somebody lets it.
            (None, Pause::Waits, _) => batch.paused += 1,
            (None, _, None) => batch.waiting += 1,
            (None, _, Some(_)) => batch.at_work += 1,
        }
        let spent = run.map(|run| run_usage(&run.manifest)).unwrap_or_default();
        batch.turns += u64::from(spent.turns);
        batch.tokens = batch.tokens.saturating_add(spent.tokens);
        batch.usd += spent.usd.unwrap_or(0.0);
        batch.unpriced += usize::from(spent.is_unpriced);
        batch.seconds += spent.seconds;
        for (name, asked) in
            run.into_iter().flat_map(|run| run.manifest.totals.providers.iter().flatten())
        {
            batch.providers.entry(name.as_str()).or_default().add(asked);
        }
        sums.add(job, run.is_some(), &spent);
    }
    batch.left = sums.left(state.jobs.at_once);
    batch
}

/// What an estimate needs.
#[derive(Debug, Default)]
struct UsageSums {
    ended: usize,
    ended_seconds: f64,
    /// Seconds so far of each run that has not ended.
    open: Vec<f64>,
    /// Seconds that the open runs take at most, of those of which it is known.
    open_most: Vec<f64>,
}

impl UsageSums {
    fn add(&mut self, job: &Job, has_begun: bool, spent: &RunUsage) {
        if job.outcome.is_none() {
            self.open.push(spent.seconds);
            self.open_most.extend(spent.left.map(|left| left.seconds));
        } else if has_begun && spent.turns > 0 {
            // One that failed before its first turn says nothing of how long the others take.
            self.ended += 1;
            self.ended_seconds += spent.seconds;
        }
    }

    fn left(&self, at_once: u32) -> Option<TimeLeft> {
        // The last runs are fewer than may be made at once.
        let lanes = f64::from(at_once.max(1)).min(self.open.len() as f64).max(1.0);
        if self.open.is_empty() {
            return None;
        }
        if self.ended > 0 {
            let mean = self.ended_seconds / self.ended as f64;
            let open: Vec<f64> = self.open.iter().map(|so_far| (mean - so_far).max(0.0)).collect();
            // However many are made at once, the longest of them takes its time.
            let seconds = (open.iter().sum::<f64>() / lanes).max(longest(&open));
            return Some(TimeLeft { seconds, basis: LeftBasis::EndedRuns(self.ended) });
        }
        if self.open_most.is_empty() {
            return None;
        }
        // Those of which nothing is known yet take as long as the others.
        let mean = self.open_most.iter().sum::<f64>() / self.open_most.len() as f64;
        let seconds = (mean * self.open.len() as f64 / lanes).max(longest(&self.open_most));
        Some(TimeLeft { seconds, basis: LeftBasis::AllTurns })
    }
}

fn longest(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::JobKind;

    fn spent(turns: u32, seconds: f64) -> RunUsage {
        let left = seconds / f64::from(turns.max(1)) * f64::from(10 - turns);
        let left = (turns > 0).then_some(TimeLeft { seconds: left, basis: LeftBasis::AllTurns });
        RunUsage { turns, seconds, left, ..RunUsage::default() }
    }

    fn job(is_over: bool) -> Job {
        let mut jobs = crate::workbench::Jobs::default();
        let id = jobs.start(JobKind::Run, "a");
        let mut job = jobs.by_id.remove(&id).unwrap();
        job.outcome = is_over.then_some(crate::workbench::JobOutcome::Done);
        job
    }

    #[test]
    fn runs_that_ended_say_how_long_the_others_take() {
        let mut sums = UsageSums::default();
        sums.add(&job(true), true, &spent(5, 60.0));
        sums.add(&job(true), true, &spent(5, 100.0));
        for so_far in [0.0, 20.0, 0.0, 0.0] {
            sums.add(&job(false), true, &RunUsage { seconds: so_far, ..RunUsage::default() });
        }
        let left = sums.left(2).unwrap();
        // Of 80 seconds each: 60 and three times 80, two at a time.
        assert_eq!(left, TimeLeft { seconds: 150.0, basis: LeftBasis::EndedRuns(2) });
        assert_eq!(sums.left(100).unwrap().seconds, 80.0);
    }

    #[test]
    fn before_one_has_ended_all_turns_are_reckoned_with_at_the_pace_so_far() {
        let mut sums = UsageSums::default();
        assert_eq!(sums.left(2), None);
        sums.add(&job(false), false, &RunUsage::default());
        assert_eq!(sums.left(2), None, "nothing has been done yet");
        sums.add(&job(false), true, &spent(2, 10.0));
        let left = sums.left(1).unwrap();
        assert_eq!(left, TimeLeft { seconds: 80.0, basis: LeftBasis::AllTurns });
    }
}

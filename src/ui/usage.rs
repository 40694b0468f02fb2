//! Turns, tokens, money and time of runs, as people read them.

use super::widgets::{count, duration, grouped};
use crate::workbench::views::{BatchUsage, LeftBasis, RunUsage, TimeLeft};

/// Dollars: to the cent, and what is less than a dollar to the hundredth of one.
pub(super) fn money(usd: f64) -> String {
    if usd > 0.0 && usd < 1.0 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

/// Tokens where room is short: `950`, `12.3k`, `4.1M`.
pub(super) fn short_tokens(tokens: u64) -> String {
    match tokens {
        0..1000 => tokens.to_string(),
        // Up to what would round to 1000.0k.
        1000..999_950 => format!("{:.1}k", tokens as f64 / 1e3),
        _ => format!("{:.1}M", tokens as f64 / 1e6),
    }
}

/// What a run has cost so far; `None` where nothing was asked that costs anything.
pub(super) fn cost_words(spent: &RunUsage) -> Option<String> {
    match spent.usd {
        Some(usd) => Some(money(usd)),
        None if spent.is_unpriced => Some("price unknown".to_owned()),
        None => None,
    }
}

/// How far a run is and what it has cost: `turn 3 of 50 · 12,004 tokens · $0.0123`.
pub(super) fn run_words(spent: &RunUsage) -> String {
    let turns = format!("{} of at most {} turns", spent.turns, spent.max_turns);
    let tokens = (spent.tokens > 0).then(|| format!("{} tokens", grouped(spent.tokens)));
    let seconds = (spent.seconds > 0.0).then(|| duration(spent.seconds));
    joined([Some(turns), tokens, cost_words(spent), seconds])
}

/// The same of a batch: `3 running · 1 paused · 54,522 tokens · $0.12 · about 4 min left`.
pub(super) fn batch_words(batch: &BatchUsage<'_>) -> String {
    let [at_work, paused, waiting] =
        [(batch.at_work, "running"), (batch.paused, "paused"), (batch.waiting, "waiting")]
            .map(|(number, what)| (number > 0).then(|| format!("{number} {what}")));
    joined([
        at_work,
        paused,
        waiting,
        (batch.tokens > 0).then(|| format!("{} tokens", grouped(batch.tokens))),
        batch_cost(batch),
        batch.left.as_ref().map(left_words),
    ])
}

/// What a batch has cost; runs without a price are said beside it, not left out.
fn batch_cost(batch: &BatchUsage<'_>) -> Option<String> {
    // A sum over some of the runs must not be read as that over all.
    match (batch.usd > 0.0, batch.unpriced) {
        (false, 0) => None,
        (true, 0) => Some(money(batch.usd)),
        (false, _) => Some("price unknown".to_owned()),
        (true, unpriced) => {
            Some(format!("{} and {} of unknown price", money(batch.usd), count(unpriced, "run")))
        }
    }
}

/// How long something goes on.
pub(super) fn left_words(left: &TimeLeft) -> String {
    let how = match left.basis {
        LeftBasis::EndedRuns(_) => "about",
        // Agents seldom take all turns they may, so the number is a bound and no forecast.
        LeftBasis::AllTurns => "at most",
    };
    format!("{how} {} left", rough(left.seconds))
}

/// What the estimate goes by.
pub(super) fn left_basis(left: &TimeLeft) -> String {
    match left.basis {
        LeftBasis::EndedRuns(runs) => {
            format!("If the others take as long as the {} that ended.", count(runs, "run"))
        }
        LeftBasis::AllTurns => {
            "If every turn that there may be is taken, at the pace so far.".to_owned()
        }
    }
}

/// No more exact than an estimate is.
fn rough(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    match seconds {
        ..10.0 => "a few seconds".to_owned(),
        ..90.0 => format!("{:.0} s", (seconds / 10.0).round() * 10.0),
        ..5400.0 => format!("{minutes:.0} min"),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_tokens_read_as_people_write_them() {
        assert_eq!([0.0, 0.0123, 1.005, 12.5].map(money), ["$0.00", "$0.0123", "$1.00", "$12.50"]);
        assert_eq!([7, 999, 12_345, 4_120_000].map(short_tokens), ["7", "999", "12.3k", "4.1M"]);
    }

    #[test]
    fn a_missing_price_is_said_and_never_taken_for_nothing() {
        let mut spent = RunUsage { turns: 3, max_turns: 50, ..RunUsage::default() };
        assert_eq!(run_words(&spent), "3 of at most 50 turns");
        (spent.tokens, spent.is_unpriced) = (1_200, true);
        assert_eq!(run_words(&spent), "3 of at most 50 turns · 1,200 tokens · price unknown");
        let batch = BatchUsage { usd: 0.5, unpriced: 2, ..BatchUsage::default() };
        assert_eq!(batch_words(&batch), "$0.5000 and 2 runs of unknown price");
        let batch = BatchUsage { unpriced: 1, at_work: 1, ..BatchUsage::default() };
        assert_eq!(batch_words(&batch), "1 running · price unknown");
    }

    #[test]
    fn what_is_left_is_rough_and_says_what_it_goes_by() {
        for (seconds, basis, words) in [
            (3.0, LeftBasis::AllTurns, "at most a few seconds left"),
            (44.0, LeftBasis::EndedRuns(2), "about 40 s left"),
            (600.0, LeftBasis::EndedRuns(2), "about 10 min left"),
            (9000.0, LeftBasis::AllTurns, "at most 2.5 h left"),
        ] {
            assert_eq!(left_words(&TimeLeft { seconds, basis }), words);
        }
    }
}

//! What came of an import.

use std::path::PathBuf;

use crate::base::cut_line;
use crate::run::TaskRef;

/// Most things that are listed one by one as left out; more are counted.
const MOST_SKIPPED: usize = 1000;
/// Most characters of a name from outside in a message.
const NAME_CHARACTERS: usize = 120;

/// What came in, and what did not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportReport {
    /// The runs, in the order they were read.
    pub runs: Vec<ImportedRun>,
    /// What was left out, with the reason; at most a thousand.
    pub skipped: Vec<Skipped>,
    /// How many more were left out.
    pub more_skipped: usize,
}

/// A run that was imported, or was there already.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedRun {
    /// Its folder.
    pub dir: PathBuf,
    /// Its id: the same whenever the same record is imported.
    pub id: String,
    /// What it is an attempt at.
    pub task: TaskRef,
    /// Who acted.
    pub agent: String,
    /// The format of the record.
    pub format: &'static str,
    /// Turns.
    pub turns: u32,
    /// Steps.
    pub steps: u32,
    /// Whether it had been imported before.
    pub was_there: bool,
    /// Whether it was there with another outcome or other scores than its record has now, which were taken in.
    pub has_new_scores: bool,
    /// What of its record could not be taken in, with the place.
    pub warnings: Vec<String>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where: a file or folder, and the line or entry.
    pub place: String,
    /// Why.
    pub reason: String,
}

/// A name from outside as messages have it: it may have any length, and is in every one.
pub(super) fn cut_name(name: &str) -> String {
    cut_line(name, NAME_CHARACTERS)
}

impl ImportReport {
    /// Enters something that was left out.
    pub(super) fn skip(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(Skipped { place: place.into(), reason: reason.into() });
        } else {
            self.more_skipped += 1;
        }
    }

    /// Runs that were not there before.
    pub fn new_runs(&self) -> usize {
        self.runs.iter().filter(|run| !run.was_there).count()
    }

    /// What happened, in one line for people.
    pub fn summary(&self) -> String {
        let (new, all) = (self.new_runs(), self.runs.len());
        let counted =
            if new == 1 { "1 run imported".to_owned() } else { format!("{new} runs imported") };
        let warned = self.runs.iter().filter(|run| !run.warnings.is_empty()).count();
        let skipped = self.skipped.len() + self.more_skipped;
        let rescored = self.runs.iter().filter(|run| run.has_new_scores).count();
        let more = [
            (all - new, "were there"),
            (rescored, "of them with new scores"),
            (warned, "not whole"),
            (skipped, "left out"),
        ];
        let more = more.into_iter().filter(|(count, _)| *count > 0);
        let words = more.map(|(count, what)| format!(", {count} {what}"));
        std::iter::once(counted).chain(words).collect()
    }
}

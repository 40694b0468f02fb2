//! Where words are in the selected run.

use std::borrow::Cow;
use std::ops::Range;

use crate::run::{Run, Step, Turn};
use crate::workbench::model::{Found, FoundIn, MOST_FOUND, RunNotes, SearchedRun, State};

/// Letters shown before what was found, and in all.
const BEFORE: usize = 24;
const EXCERPT: usize = 120;

impl State {
    /// Looks anew if the run, its length, its notes or the words have changed; cheap otherwise.
    pub(in crate::workbench) fn refresh_found(&mut self) {
        let open = self.selected_run().filter(|_| self.find.is_open);
        let open =
            open.and_then(|entry| Some((entry, self.selection.run?, entry.loaded.as_ref()?)));
        let Some((entry, id, run)) = open else {
            self.find.found.clear();
            (self.find.of, self.find.at) = (None, None);
            return;
        };
        // A run that is being made grows, which its lengths tell.
        let (steps, turns, notes) = (run.steps.len(), run.turns.len(), self.notes.of(entry));
        let is_same = self.find.of.as_ref().is_some_and(|of| {
            (of.run, of.steps, of.turns) == (id, steps, turns)
                && of.notes.as_ref() == notes
                && of.query == self.find.query
                && of.range == self.selection.range
        });
        if is_same {
            return;
        }
        let (notes, query) = (notes.cloned(), self.find.query.clone());
        let range = self.selection.range;
        self.find.found = found(run, notes.as_ref(), &query);
        self.find.found.retain(|found| range.is_none_or(|range| range.contains(found.step)));
        self.find.at = None;
        self.find.of = Some(SearchedRun { run: id, steps, turns, notes, query, range });
    }
}

/// All places where the words are, in the order of the steps.
fn found(run: &Run, notes: Option<&RunNotes>, query: &str) -> Vec<Found> {
    let needle = query.trim().to_lowercase();
    if needle.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut turns = run.turns.iter().peekable();
    let mut ranges = notes.into_iter().flat_map(|notes| &notes.ranges).peekable();
    for (index, step) in run.steps.iter().enumerate() {
        while let Some(turn) = turns.next_if(|turn| turn.first_step <= index) {
            search_turn(turn, run.steps.len(), &needle, &mut found);
        }
        // Where it begins; one from the start state on is shown with the first step.
        while let Some((range, kept)) = ranges.next_if(|(range, _)| range.first <= step.number) {
            let words = format!("{} {}", kept.name, kept.note);
            let at = step.number.min(range.last);
            search(Some(&words), FoundIn::Range, at, &needle, &mut found);
        }
        search_step(step, &needle, &mut found);
        let note = notes.and_then(|notes| notes.steps.get(&step.number));
        search(
            note.map(|note| note.text.as_str()),
            FoundIn::Note,
            step.number,
            &needle,
            &mut found,
        );
        // Asked at every step, as a single letter is found everywhere.
        if found.len() >= MOST_FOUND {
            found.truncate(MOST_FOUND);
            return found;
        }
    }
    // Turns after the last step: an answer without a call.
    for turn in turns {
        search_turn(turn, run.steps.len(), &needle, &mut found);
    }
    found.truncate(MOST_FOUND);
    found
}

fn search_turn(turn: &Turn, steps: usize, needle: &str, found: &mut Vec<Found>) {
    // A turn is shown with its first step; one without steps after the last before it.
    let first = if turn.step_count > 0 { turn.first_step + 1 } else { turn.first_step };
    let step = u32::try_from(first.min(steps)).unwrap_or(u32::MAX);
    search(Some(&turn.thought), FoundIn::Thought, step, needle, found);
}

fn search_step(step: &Step, needle: &str, found: &mut Vec<Found>) {
    if let Some(call) = &step.call {
        let words = format!("{} {}", call.name, call.arguments);
        search(Some(&words), FoundIn::Call, step.number, needle, found);
    }
    let Some(outcome) = &step.outcome else { return };
    let failure = outcome.failure.as_ref().map(|failure| failure.message.as_str());
    search(failure, FoundIn::Failure, step.number, needle, found);
    // What a program reads of the outcome says the same again where there are words.
    let words = match &outcome.structured {
        _ if failure.is_some() => None,
        Some(value) if outcome.text.trim().is_empty() => Some(Cow::Owned(value.to_string())),
        _ => Some(Cow::Borrowed(outcome.text.as_str())),
    };
    search(words.as_deref(), FoundIn::Outcome, step.number, needle, found);
}

/// The first place in a text: a step is gone to once, however often it says a word.
fn search(text: Option<&str>, place: FoundIn, step: u32, needle: &str, found: &mut Vec<Found>) {
    let Some(text) = text else { return };
    let Some(at) = position(text, needle) else { return };
    let (excerpt, span) = excerpt(text, at);
    found.push(Found { step, place, excerpt, span });
}

/// Where the needle, in small letters, is in a text.
fn position(text: &str, needle: &str) -> Option<Range<usize>> {
    if text.is_ascii() && needle.is_ascii() {
        let (text, needle) = (text.as_bytes(), needle.as_bytes());
        let mut windows = text.windows(needle.len());
        let start = windows.position(|window| window.eq_ignore_ascii_case(needle))?;
        return Some(start..start + needle.len());
    }
    // Small letters may take other bytes than capitals: places are counted in the text itself.
    text.char_indices().find_map(|(start, _)| {
        let rest = text.get(start..)?;
        let mut wanted = needle.chars().peekable();
        for (at, letter) in rest.char_indices() {
            if wanted.peek().is_none() {
                return Some(start..start + at);
            }
            for small in letter.to_lowercase() {
                if wanted.next() != Some(small) {
                    return None;
                }
            }
        }
        wanted.peek().is_none().then_some(start..text.len())
    })
}

/// The words around a place, in one line, and where in them it is.
fn excerpt(text: &str, Range { start: at, end }: Range<usize>) -> (String, Range<usize>) {
    // Counted in letters from the hit: a number of bytes could end inside of one.
    let head = text.get(..at).unwrap_or_default();
    let start = head.char_indices().rev().nth(BEFORE).map_or(0, |(start, _)| start);
    let mut line = if start > 0 { "…".to_owned() } else { String::new() };
    line.push_str(&one_line(text.get(start..at).unwrap_or_default()));
    let from = line.len();
    line.push_str(&one_line(text.get(at..end).unwrap_or_default()));
    let span = from..line.len();
    let tail = text.get(end..).unwrap_or_default();
    let cut = tail.char_indices().nth(EXCERPT).map_or(tail.len(), |(cut, _)| cut);
    line.push_str(&one_line(&tail[..cut]));
    (line, span)
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_found_whatever_the_case_of_their_letters() {
        assert_eq!(position("Set the Fill", "fill"), Some(8..12));
        assert_eq!(position("Größe ÄNDERN", "ändern"), Some(8..15));
        assert_eq!(position("İstanbul", "stanbul"), Some(2..9));
        assert_eq!(position("abc", "abcd"), None);
    }

    #[test]
    fn an_excerpt_is_one_line_around_the_word() {
        let text = format!("{}the\nword stands {}", "x".repeat(80), "y".repeat(300));
        let (line, span) = excerpt(&text, position(&text, "word").unwrap());
        assert!(line.starts_with('…') && !line.contains('\n'), "{line}");
        assert_eq!(&line[span], "word");
        assert!(line.chars().count() < 160);
    }

    proptest! {
        #[test]
        fn what_is_found_is_the_word(text in "\\PC{0,40}", word in "\\PC{1,3}") {
            let needle = word.to_lowercase();
            match position(&text, &needle) {
                Some(range) => prop_assert_eq!(text[range].to_lowercase(), needle),
                None => prop_assert!(!text.contains(&needle)),
            }
        }
    }
}

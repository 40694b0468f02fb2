//! Whether events could have come in this order.

use std::collections::BTreeMap;

use super::event::{Happening, StudyEvent};

/// Something odd in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFault {
    /// In which line, from 1.
    pub line: usize,
    /// What.
    pub why: String,
}

impl std::fmt::Display for LogFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// What cannot be of these events, which stand in these lines.
pub(super) fn check(events: &[StudyEvent], lines: &[usize]) -> Vec<LogFault> {
    let mut order = EventOrder::default();
    let mut faults = Vec::new();
    for (event, line) in events.iter().zip(lines) {
        let why = order.of_clock(event).into_iter().chain(order.of_event(&event.what));
        faults.extend(why.map(|why| LogFault { line: *line, why: why.to_owned() }));
        order.last = Some(event);
    }
    faults
}

#[derive(Default)]
struct EventOrder<'a> {
    last: Option<&'a StudyEvent>,
    is_of_task: bool,
    is_shown: bool,
    is_paused: bool,
    is_away: bool,
    is_over: bool,
    is_checked: bool,
    /// How many hunks each suggestion has, and what was decided of it.
    suggestions: BTreeMap<u32, (usize, Decided)>,
}

/// What was decided of a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    /// Nothing.
    No,
    /// Some of it was taken; more may be.
    Partly,
    /// All that can be.
    Wholly,
}

impl EventOrder<'_> {
    fn of_clock(&self, event: &StudyEvent) -> Option<&'static str> {
        let last = self.last?;
        if last.by != event.by {
            return Some("by another kind of participant than the lines before it");
        }
        if event.at.process < last.at.process {
            return Some("of an earlier process than the line before it");
        }
        // Clocks are compared within a process only: each begins anew with the program.
        let is_same = event.at.process == last.at.process;
        if is_same && event.at.mono_ms < last.at.mono_ms {
            return Some("earlier than the line before it");
        }
        (!is_same && event.what != Happening::Recovered)
            .then_some("another process, and it does not say that it recovered the log")
    }

    fn of_event(&mut self, what: &Happening) -> Option<&'static str> {
        if self.last.is_none() {
            self.is_of_task = matches!(what, Happening::Begun { .. });
            let is_head = self.is_of_task || matches!(what, Happening::Joined { .. });
            return (!is_head).then_some("the first line says neither a task nor a person");
        }
        match what {
            Happening::Begun { .. } | Happening::Joined { .. } => {
                return Some("begins once more");
            }
            Happening::Answer { .. } | Happening::Alive => return None,
            // A crash may come at any time.
            Happening::Recovered => {
                self.is_paused = self.is_shown && !self.is_over;
                self.is_away = false;
                return None;
            }
            Happening::Checked { .. } => return self.checked(),
            Happening::Consented { .. } => {
                return self.is_of_task.then_some("consent is about no task");
            }
            _ => {}
        }
        if !self.is_of_task {
            return Some("of a task, in what is about a person");
        }
        if self.is_over {
            return self.after_the_end(what);
        }
        if *what == Happening::Shown {
            return std::mem::replace(&mut self.is_shown, true).then_some("shown once more");
        }
        if !self.is_shown {
            return Some("before the task was shown");
        }
        self.while_shown(what)
    }

    fn checked(&mut self) -> Option<&'static str> {
        if !self.is_over {
            return Some("checked before it was over");
        }
        std::mem::replace(&mut self.is_checked, true).then_some("checked once more")
    }

    fn after_the_end(&mut self, what: &Happening) -> Option<&'static str> {
        // What nobody decided of by the end is ignored then, or was stale.
        match what {
            Happening::SuggestionIgnored { suggestion }
            | Happening::SuggestionStale { suggestion } => self.decide(*suggestion, what),
            _ => Some("after the task was over"),
        }
    }

    fn while_shown(&mut self, what: &Happening) -> Option<&'static str> {
        match what {
            Happening::Pause { .. } => {
                std::mem::replace(&mut self.is_paused, true).then_some("paused while paused")
            }
            Happening::Resume => {
                (!std::mem::take(&mut self.is_paused)).then_some("goes on without a pause")
            }
            Happening::Leaving => {
                std::mem::replace(&mut self.is_away, true).then_some("left while away")
            }
            Happening::Back => {
                (!std::mem::take(&mut self.is_away)).then_some("back without leaving")
            }
            Happening::Done | Happening::GiveUp | Happening::Timeout => {
                self.is_over = true;
                None
            }
            Happening::SuggestionOffered { suggestion, hunks } => {
                let known = self.suggestions.insert(*suggestion, (hunks.len(), Decided::No));
                known.is_some().then_some("a suggestion of this number was offered before")
            }
            Happening::SuggestionShown { suggestion } => {
                (!self.suggestions.contains_key(suggestion)).then_some("of no suggestion")
            }
            // A place beyond the last would be counted as taken of something that nobody was shown.
            Happening::SuggestionPartly { suggestion, taken } => {
                let hunks = self.suggestions.get(suggestion).map_or(0, |(hunks, _)| *hunks);
                if taken.iter().any(|at| *at as usize >= hunks) {
                    return Some("takes a part that the suggestion does not have");
                }
                self.decide(*suggestion, what)
            }
            Happening::SuggestionAccepted { suggestion }
            | Happening::SuggestionRefused { suggestion }
            | Happening::SuggestionIgnored { suggestion }
            | Happening::SuggestionStale { suggestion }
            | Happening::SuggestionWithdrawn { suggestion } => self.decide(*suggestion, what),
            _ => None,
        }
    }

    fn decide(&mut self, suggestion: u32, what: &Happening) -> Option<&'static str> {
        let Some((_, decided)) = self.suggestions.get_mut(&suggestion) else {
            return Some("of no suggestion");
        };
        let is_partly = matches!(what, Happening::SuggestionPartly { .. });
        let takes = is_partly || matches!(what, Happening::SuggestionAccepted { .. });
        let now = if is_partly { Decided::Partly } else { Decided::Wholly };
        let was = std::mem::replace(decided, now);
        let can_be = was == Decided::No || was == Decided::Partly && takes;
        (!can_be).then_some("of a suggestion that is decided of")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Hunk, ParticipantKind, Stamp, TrialFacts};

    fn hunk(node: &str) -> Hunk {
        Hunk {
            node: node.to_owned(),
            field: "fill".to_owned(),
            from: "white".into(),
            to: "red".into(),
            right: None,
        }
    }

    /// The lines, from 1, that cannot be.
    fn wrong_lines(all: Vec<Happening>) -> Vec<usize> {
        let events = all.into_iter().map(|what| StudyEvent {
            what,
            by: ParticipantKind::Person,
            at: Stamp { wall: "2026-01-01T00:00:00Z".to_owned(), mono_ms: 1, process: 1 },
        });
        let events: Vec<StudyEvent> = events.collect();
        let lines: Vec<usize> = (1..=events.len()).collect();
        check(&events, &lines).into_iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn what_nobody_decided_of_is_ignored_or_stale_after_the_end_and_not_refused() {
        let offered =
            |suggestion| Happening::SuggestionOffered { suggestion, hunks: vec![hunk("a")] };
        let all = vec![
            Happening::Begun { trial: TrialFacts::of_some_task(None) },
            Happening::Shown,
            offered(1),
            offered(2),
            offered(3),
            Happening::Done,
            Happening::SuggestionIgnored { suggestion: 1 },
            Happening::SuggestionStale { suggestion: 2 },
            Happening::SuggestionRefused { suggestion: 3 },
        ];
        assert_eq!(wrong_lines(all), [9]);
    }

    #[test]
    fn what_was_taken_in_part_may_be_taken_further_and_not_be_refused() {
        let trial = TrialFacts::of_some_task(None);
        let hunks = vec![hunk("a"), hunk("b"), hunk("c")];
        let partly = |taken| Happening::SuggestionPartly { suggestion: 1, taken: vec![taken] };
        let all = vec![
            Happening::Begun { trial },
            Happening::Shown,
            Happening::SuggestionOffered { suggestion: 1, hunks },
            partly(0),
            partly(1),
            Happening::SuggestionAccepted { suggestion: 1 },
            Happening::SuggestionRefused { suggestion: 1 },
        ];
        assert_eq!(wrong_lines(all), [7]);
    }
}

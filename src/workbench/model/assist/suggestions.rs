//! What happens with the assistant, as a study's log has it; [`suggestion_ledger`](crate::study::suggestion_ledger)
//! reads it back.

use std::collections::{BTreeMap, BTreeSet};

use crate::agent::assistant::{AssistAct, Author, HunkValue, RequestKind, changed_values};
use crate::design::hunk::Field;
use crate::editor::EditStep;
use crate::metric::codesign::{FieldName, NODE_FIELD};
use crate::study::{Happening, Hunk, Origin, Request, logged_values};

/// What was told of suggestions so far: by it what happens with the assistant and what is changed become lines of a
/// study's log, each decision once.
#[derive(Clone, Debug, Default)]
pub struct SuggestionLog {
    /// The hunks of each suggestion.
    offered: BTreeMap<u32, Vec<HunkValue>>,
    /// Those that something was decided of.
    decided: BTreeSet<u32>,
    /// The hunks that were taken of each, as far as any were.
    parts: BTreeMap<u32, BTreeSet<usize>>,
    /// Those that the document changed under, and nobody decided of yet.
    stale: BTreeSet<u32>,
    /// The hunks that were taken last, by suggestion and place: what changes then is theirs.
    taken: Vec<(u32, usize)>,
}

impl SuggestionLog {
    /// What an event of the assistant's ledger is in the study's log; nothing for what the log says otherwise: when the
    /// task is shown and over, and what was changed ([`Self::changes`]).
    pub fn take_in(&mut self, act: &AssistAct) -> Option<Happening> {
        match act {
            AssistAct::TaskBegan { .. }
            | AssistAct::Returned
            | AssistAct::TaskEnded
            | AssistAct::Changed { .. }
            | AssistAct::Distance { .. } => None,
            AssistAct::Request { kind } => Some(Happening::Ask {
                request: match kind {
                    RequestKind::Next => Request::Step,
                    RequestKind::Why => Request::Why,
                    RequestKind::Another => Request::AnotherWay,
                },
            }),
            AssistAct::Offered { suggestion, hunks, is_right, are_right } => {
                // One of this number was there before: the log knows each once.
                if self.offered.insert(*suggestion, hunks.clone()).is_some() {
                    return None;
                }
                let hunks = hunks.iter().enumerate().map(|(at, hunk)| {
                    hunk_of(hunk, are_right.get(at).copied().flatten().or(*is_right))
                });
                let hunks = hunks.collect();
                Some(Happening::SuggestionOffered { suggestion: *suggestion, hunks })
            }
            AssistAct::Shown { suggestion } => self
                .offered
                .contains_key(suggestion)
                .then_some(Happening::SuggestionShown { suggestion: *suggestion }),
            AssistAct::Taken { suggestion, hunks } => self.taken(*suggestion, hunks),
            AssistAct::Refused { suggestion } => {
                self.decides(*suggestion, Happening::SuggestionRefused { suggestion: *suggestion })
            }
            AssistAct::Ignored { suggestion } => {
                self.decides(*suggestion, self.left_open(*suggestion))
            }
            AssistAct::Stale { suggestion } => {
                // Some of it may still be taken.
                self.stale.insert(*suggestion);
                None
            }
            AssistAct::Withdrawn { suggestion } => self
                .decides(*suggestion, Happening::SuggestionWithdrawn { suggestion: *suggestion }),
        }
    }

    /// What a step changed, field by field, with whose that is. `distance` is how far the design is from what should
    /// come of it; it stands at the last change, as one step has one.
    pub fn changes(&mut self, step: &EditStep, distance: Option<f64>) -> Vec<Happening> {
        // Undoing and doing again are steps of the editor with these labels.
        let undo = step.label == "Undo";
        let values = changed_values(&step.before, &step.after);
        let last = values.len().saturating_sub(1);
        let changes = values.into_iter().enumerate().map(|(at, value)| {
            let origin = match step.author {
                Author::Person => Origin::Person,
                Author::AssistantAlone => Origin::Assistant,
                Author::Assistant => self.origin_of(&value),
            };
            let [from, to] = logged_values(&value);
            Happening::Change {
                node: value.node.as_str().to_owned(),
                field: field_name(&value.field).to_owned(),
                from,
                to,
                origin,
                undo,
                distance: distance.filter(|_| at == last),
            }
        });
        changes.collect()
    }

    /// Suggestions that nobody decided of: with the end of the task they are ignored, or were stale.
    pub fn end(&mut self) -> Vec<Happening> {
        let open: Vec<u32> =
            self.offered.keys().filter(|id| !self.decided.contains(id)).copied().collect();
        self.decided.extend(&open);
        open.into_iter().map(|suggestion| self.left_open(suggestion)).collect()
    }

    /// Why nobody decided of a suggestion.
    fn left_open(&self, suggestion: u32) -> Happening {
        if self.stale.contains(&suggestion) {
            Happening::SuggestionStale { suggestion }
        } else {
            Happening::SuggestionIgnored { suggestion }
        }
    }

    fn taken(&mut self, suggestion: u32, hunks: &[usize]) -> Option<Happening> {
        let all = self.offered.get(&suggestion)?.len();
        // What was taken in part can be taken further.
        if self.decided.contains(&suggestion) && !self.parts.contains_key(&suggestion) {
            return None;
        }
        self.decided.insert(suggestion);
        self.taken = hunks.iter().map(|at| (suggestion, *at)).collect();
        let places: BTreeSet<usize> = hunks.iter().copied().filter(|at| *at < all).collect();
        let parts = self.parts.entry(suggestion).or_default();
        parts.extend(&places);
        Some(if parts.len() == all {
            Happening::SuggestionAccepted { suggestion }
        } else {
            let taken = places.into_iter().filter_map(|at| u32::try_from(at).ok()).collect();
            Happening::SuggestionPartly { suggestion, taken }
        })
    }

    fn decides(&mut self, suggestion: u32, what: Happening) -> Option<Happening> {
        let is_first = self.offered.contains_key(&suggestion) && self.decided.insert(suggestion);
        is_first.then_some(what)
    }

    /// Which hunk of those taken last a change is, or of those before, if it leads there again; what followed from the
    /// last otherwise is the first one's.
    fn origin_of(&self, value: &HunkValue) -> Origin {
        let hunk_at = |(suggestion, at): (u32, usize)| {
            let hunk = self.offered.get(&suggestion)?.get(at)?;
            (hunk.node == value.node && hunk.field == value.field).then_some(hunk)
        };
        let last = self.taken.iter().copied().find(|taken| hunk_at(*taken).is_some());
        let before = self.parts.iter().rev();
        let mut before =
            before.flat_map(|(suggestion, places)| places.iter().map(move |at| (*suggestion, *at)));
        let found = last.or_else(|| {
            before.find(|taken| hunk_at(*taken).is_some_and(|hunk| hunk.leads_to_same(value)))
        });
        let found = found.or(self.taken.first().copied());
        found.map_or(Origin::Assistant, |(suggestion, at)| Origin::Suggestion {
            suggestion,
            hunk: u32::try_from(at).unwrap_or(u32::MAX),
        })
    }
}

fn hunk_of(value: &HunkValue, right: Option<bool>) -> Hunk {
    let [from, to] = logged_values(value);
    Hunk {
        node: value.node.as_str().to_owned(),
        field: field_name(&value.field).to_owned(),
        from,
        to,
        right,
    }
}

/// As logs call it: `node` where all of it comes or goes.
fn field_name(field: &FieldName) -> &str {
    if field.label() == Field::Existence.label() { NODE_FIELD } else { field.label() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::NodeId;

    fn value(node: &str, field: Field) -> HunkValue {
        let (from, to) = ("24, 0".to_owned(), "32, 0".to_owned());
        HunkValue {
            node: NodeId::new(node),
            field: field.into(),
            from,
            to,
            marks: None,
            with: Vec::new(),
        }
    }

    fn offered(log: &mut SuggestionLog, suggestion: u32) -> Option<Happening> {
        let hunks = vec![value("1:1", Field::Place), value("1:2", Field::Existence)];
        let (is_right, are_right) = (Some(true), Vec::new());
        log.take_in(&AssistAct::Offered { suggestion, hunks, is_right, are_right })
    }

    #[test]
    fn each_suggestion_is_decided_of_once() {
        let mut log = SuggestionLog::default();
        let Some(Happening::SuggestionOffered { hunks, .. }) = offered(&mut log, 1) else {
            panic!("it is offered")
        };
        assert_eq!([hunks[0].field.as_str(), hunks[1].field.as_str()], ["position", "node"]);
        let taken = AssistAct::Taken { suggestion: 1, hunks: vec![1] };
        let partly = Happening::SuggestionPartly { suggestion: 1, taken: vec![1] };
        assert_eq!(log.take_in(&taken), Some(partly));
        assert_eq!(log.take_in(&AssistAct::Refused { suggestion: 1 }), None);
        assert_eq!(log.take_in(&AssistAct::Shown { suggestion: 7 }), None, "of no suggestion");
        assert!(log.end().is_empty());
    }

    #[test]
    fn what_was_taken_in_part_is_taken_further_until_it_is_whole() {
        let mut log = SuggestionLog::default();
        offered(&mut log, 1);
        let taken = |hunks| AssistAct::Taken { suggestion: 1, hunks };
        let partly = Happening::SuggestionPartly { suggestion: 1, taken: vec![0] };
        assert_eq!(log.take_in(&taken(vec![0])), Some(partly));
        let accepted = Happening::SuggestionAccepted { suggestion: 1 };
        assert_eq!(log.take_in(&taken(vec![1])), Some(accepted));
    }

    #[test]
    fn what_went_stale_is_not_said_to_be_ignored_and_can_still_be_taken() {
        let mut log = SuggestionLog::default();
        for suggestion in 1..=2 {
            offered(&mut log, suggestion);
            assert_eq!(log.take_in(&AssistAct::Stale { suggestion }), None);
        }
        let stale = Happening::SuggestionStale { suggestion: 1 };
        assert_eq!(log.take_in(&AssistAct::Ignored { suggestion: 1 }), Some(stale));
        let all = AssistAct::Taken { suggestion: 2, hunks: vec![0, 1] };
        let accepted = Happening::SuggestionAccepted { suggestion: 2 };
        assert_eq!(log.take_in(&all), Some(accepted));
    }

    #[test]
    fn what_nobody_decided_of_is_ignored_at_the_end_or_was_stale() {
        let mut log = SuggestionLog::default();
        offered(&mut log, 3);
        offered(&mut log, 4);
        log.take_in(&AssistAct::Stale { suggestion: 4 });
        let ignored = Happening::SuggestionIgnored { suggestion: 3 };
        let stale = Happening::SuggestionStale { suggestion: 4 };
        assert_eq!(log.end(), [ignored, stale]);
        assert_eq!(log.take_in(&AssistAct::Ignored { suggestion: 4 }), None, "it was said");
        assert!(log.end().is_empty(), "once");
    }

    #[test]
    fn a_change_is_of_the_hunk_that_was_taken() {
        let mut log = SuggestionLog::default();
        offered(&mut log, 1);
        log.take_in(&AssistAct::Taken { suggestion: 1, hunks: vec![0, 1] });
        let hunk = |hunk| Origin::Suggestion { suggestion: 1, hunk };
        assert_eq!(log.origin_of(&value("1:2", Field::Existence)), hunk(1));
        assert_eq!(
            log.origin_of(&value("1:9", Field::Place)),
            hunk(0),
            "what follows from the first"
        );
        // Another is taken, both are undone, and the first is done again.
        let hunks = vec![value("1:3", Field::Size)];
        let (is_right, are_right) = (None, Vec::new());
        log.take_in(&AssistAct::Offered { suggestion: 2, hunks, is_right, are_right });
        log.take_in(&AssistAct::Taken { suggestion: 2, hunks: vec![0] });
        assert_eq!(log.origin_of(&value("1:2", Field::Existence)), hunk(1));
        let other = HunkValue { to: "1, 1".to_owned(), ..value("1:1", Field::Place) };
        let second = Origin::Suggestion { suggestion: 2, hunk: 0 };
        assert_eq!(log.origin_of(&other), second, "nowhere that the first led");
    }
}

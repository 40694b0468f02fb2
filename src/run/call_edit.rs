//! Edits of the calls of a run: which are left out, changed, put in or moved.
//!
//! Every edit names calls by the steps of the run it is about, never by places in what other edits made of
//! it, so that edits mean the same in any order. [`planned_calls`] gives the calls that come of edits, and
//! [`edits_between`] the edits that lead from a run to a list of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::environment::ToolCall;

use super::id_arguments::with_ids;

/// Most edits of one run.
pub const MOST_EDITS: usize = 10_000;

/// One change of a run's calls. Steps count from 1, as in the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "edit")]
pub enum CallEdit {
    /// The call is not made.
    Drop {
        /// Which.
        step: u32,
    },
    /// The call is made with these arguments instead of its own.
    Replace {
        /// Which.
        step: u32,
        /// With what: a JSON object, unchecked.
        arguments: Value,
    },
    /// A call is made that the run did not make.
    Insert {
        /// Right behind the place of this step; 0: before all others. Several at one place come in the order
        /// of their edits.
        after: u32,
        /// Which tool.
        name: String,
        /// With what: a JSON object, unchecked.
        arguments: Value,
    },
    /// The call is made at another place.
    Move {
        /// Which.
        step: u32,
        /// Right behind the place of this step; 0: before all others.
        after: u32,
    },
}

/// Where a planned call is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallSource {
    /// A step of the run.
    Recorded(u32),
    /// The how-manieth of those that were put in, from 1, by their edits' order.
    Inserted(u32),
}

/// A call that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCall {
    /// Where it is from.
    pub source: CallSource,
    /// What is asked; ids in it are as whoever wrote it meant them.
    pub call: Arc<ToolCall>,
    /// Whether its arguments are not those of the run.
    pub is_edited: bool,
}

/// What stands for the node that an inserted call makes or changes, where arguments of edits name nodes: `+1` of
/// the first.
pub fn inserted_name(number: u32) -> String {
    format!("+{number}")
}

/// The number of the inserted call that an id stands for, if it does ([`inserted_name`]).
pub fn inserted_number(id: &str) -> Option<u32> {
    id.strip_prefix('+')?.parse().ok()
}

/// Why edits cannot be applied to a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is no such step.
    #[error("the run has no step {step}; {}", last_words(*last))]
    NoStep {
        /// The step that was named.
        step: u32,
        /// The last there is.
        last: u32,
    },
    /// Two edits say different things of one call.
    #[error(
        "step {step} is {first} and {second}; a call is edited once in each way, and one that is dropped in no other"
    )]
    Conflict {
        /// Which.
        step: u32,
        /// What one edit does.
        first: &'static str,
        /// What the other does.
        second: &'static str,
    },
    /// A call was to be moved behind its own place.
    #[error("step {0} cannot be moved behind itself")]
    BehindItself(u32),
    /// More than anybody made by hand.
    #[error("there are {found} edits, and a run takes {MOST_EDITS} at most")]
    TooMany {
        /// How many.
        found: usize,
    },
}

fn last_words(last: u32) -> String {
    if last == 0 { "it has none".to_owned() } else { format!("its last is {last}") }
}

impl CallEdit {
    /// The step it is about; none of a call that is put in.
    pub fn step(&self) -> Option<u32> {
        match self {
            Self::Drop { step } | Self::Replace { step, .. } | Self::Move { step, .. } => {
                Some(*step)
            }
            Self::Insert { .. } => None,
        }
    }

    /// The first step before which everything is as it was.
    fn first_changed(&self) -> u32 {
        match self {
            Self::Drop { step } | Self::Replace { step, .. } => *step,
            Self::Insert { after, .. } => after.saturating_add(1),
            Self::Move { step, after } => (*step).min(after.saturating_add(1)),
        }
    }
}

/// The step up to which edits leave everything as it was; `last` without any.
pub fn unchanged_steps(edits: &[CallEdit], last: u32) -> u32 {
    let first = edits.iter().map(CallEdit::first_changed).min();
    first.map_or(last, |first| first.saturating_sub(1).min(last))
}

/// The calls that come of edits, in order. `calls` are those of the run.
///
/// # Errors
///
/// [`EditError`] of the first edit that cannot be applied; the edits are then applied to nothing.
pub fn planned_calls(
    calls: &[Arc<ToolCall>],
    edits: &[CallEdit],
) -> Result<Vec<PlannedCall>, EditError> {
    if edits.len() > MOST_EDITS {
        return Err(EditError::TooMany { found: edits.len() });
    }
    let sorted = SortedEdits::new(u32::try_from(calls.len()).unwrap_or(u32::MAX), edits)?;
    let mut planned = Vec::with_capacity(calls.len() + sorted.behind.len());
    // A place for each step, the start first: what stands there, then what was put behind it.
    for place in 0..=sorted.last {
        if place > 0 && !sorted.dropped.contains(&place) && !sorted.moved.contains(&place) {
            planned.extend(sorted.recorded(place, calls));
        }
        for attached in sorted.behind.get(&place).into_iter().flatten() {
            match attached {
                Attached::Moved(step) => planned.extend(sorted.recorded(*step, calls)),
                Attached::Inserted(number, call) => planned.push(PlannedCall {
                    source: CallSource::Inserted(*number),
                    call: Arc::clone(call),
                    is_edited: true,
                }),
            }
        }
    }
    Ok(planned)
}

/// What stands behind a place.
enum Attached {
    Moved(u32),
    Inserted(u32, Arc<ToolCall>),
}

/// Edits by what they are about.
struct SortedEdits<'a> {
    last: u32,
    dropped: BTreeSet<u32>,
    moved: BTreeSet<u32>,
    replaced: BTreeMap<u32, &'a Value>,
    behind: BTreeMap<u32, Vec<Attached>>,
    inserted: u32,
}

impl<'a> SortedEdits<'a> {
    /// The recorded call of a step, with the arguments it is given instead.
    fn recorded(&self, step: u32, calls: &[Arc<ToolCall>]) -> Option<PlannedCall> {
        let recorded = calls.get((step as usize).checked_sub(1)?)?;
        let (call, is_edited) = match self.replaced.get(&step) {
            None => (Arc::clone(recorded), false),
            Some(arguments) => {
                let arguments = (*arguments).clone();
                (Arc::new(ToolCall { arguments, ..(**recorded).clone() }), true)
            }
        };
        Some(PlannedCall { source: CallSource::Recorded(step), call, is_edited })
    }
    fn new(last: u32, edits: &'a [CallEdit]) -> Result<Self, EditError> {
        let mut sorted = Self {
            last,
            dropped: BTreeSet::new(),
            moved: BTreeSet::new(),
            replaced: BTreeMap::new(),
            behind: BTreeMap::new(),
            inserted: 0,
        };
        for edit in edits {
            sorted.add(edit)?;
        }
        Ok(sorted)
    }

    fn add(&mut self, edit: &'a CallEdit) -> Result<(), EditError> {
        if let Some(step) = edit.step() {
            self.check_step(step.max(1), step)?;
            self.check_free(step, edit)?;
        }
        match edit {
            CallEdit::Drop { step } => {
                self.dropped.insert(*step);
            }
            CallEdit::Replace { step, arguments } => {
                self.replaced.insert(*step, arguments);
            }
            CallEdit::Insert { after, name, arguments } => {
                self.check_step(*after, *after)?;
                self.inserted += 1;
                let number = self.inserted;
                let call = ToolCall {
                    id: format!("inserted-{number}"),
                    name: name.clone(),
                    arguments: arguments.clone(),
                };
                let attached = Attached::Inserted(number, Arc::new(call));
                self.behind.entry(*after).or_default().push(attached);
            }
            CallEdit::Move { step, after } => {
                self.check_step(*after, *after)?;
                if step == after {
                    return Err(EditError::BehindItself(*step));
                }
                self.moved.insert(*step);
                self.behind.entry(*after).or_default().push(Attached::Moved(*step));
            }
        }
        Ok(())
    }

    /// `found` is the number that was written, which may be the 0 that no step has.
    fn check_step(&self, step: u32, found: u32) -> Result<(), EditError> {
        if step > self.last || (found == 0 && step > 0) {
            return Err(EditError::NoStep { step: found, last: self.last });
        }
        Ok(())
    }

    fn check_free(&self, step: u32, edit: &CallEdit) -> Result<(), EditError> {
        let earlier = [
            (self.dropped.contains(&step), "dropped"),
            (self.replaced.contains_key(&step), "given other arguments"),
            (self.moved.contains(&step), "moved"),
        ];
        let second = match edit {
            CallEdit::Drop { .. } => "dropped",
            CallEdit::Replace { .. } => "given other arguments",
            CallEdit::Move { .. } | CallEdit::Insert { .. } => "moved",
        };
        let clash = earlier.into_iter().find(|(is_so, first)| {
            *is_so && (*first == second || *first == "dropped" || second == "dropped")
        });
        match clash {
            Some((_, first)) => Err(EditError::Conflict { step, first, second }),
            None => Ok(()),
        }
    }
}

/// The edits that lead from a run of `last` steps to these calls: as few moves as do.
///
/// Calls that were put in are numbered anew by their order, as [`planned_calls`] numbers them, and what names
/// them ([`inserted_name`]) with them.
pub fn edits_between(last: u32, planned: &[PlannedCall]) -> Vec<CallEdit> {
    let steps: Vec<u32> = planned
        .iter()
        .filter_map(|planned| match planned.source {
            CallSource::Recorded(step) => Some(step),
            CallSource::Inserted(_) => None,
        })
        .collect();
    // What is in order among itself stays; all others are moved: fewer moves there cannot be.
    let staying = longest_ascent(&steps);
    let there: BTreeSet<u32> = steps.iter().copied().collect();
    let dropped = (1..=last).filter(|step| !there.contains(step));
    let mut edits: Vec<CallEdit> = dropped.map(|step| CallEdit::Drop { step }).collect();
    let inserted = planned.iter().filter_map(|planned| match planned.source {
        CallSource::Inserted(number) => Some(number),
        CallSource::Recorded(_) => None,
    });
    // Numbers have gaps where inserted calls were taken out again.
    let numbers: BTreeMap<u32, u32> = inserted.zip(1..).collect();
    let mut place = 0;
    for planned in planned {
        let PlannedCall { source, call, is_edited } = planned;
        match source {
            CallSource::Recorded(step) => {
                if staying.contains(step) {
                    place = *step;
                } else {
                    edits.push(CallEdit::Move { step: *step, after: place });
                }
                if *is_edited {
                    let arguments = renumbered(&call.arguments, &numbers);
                    edits.push(CallEdit::Replace { step: *step, arguments });
                }
            }
            CallSource::Inserted(_) => edits.push(CallEdit::Insert {
                after: place,
                name: call.name.clone(),
                arguments: renumbered(&call.arguments, &numbers),
            }),
        }
    }
    edits
}

/// The arguments with the new number of each inserted call that they name.
fn renumbered(arguments: &Value, numbers: &BTreeMap<u32, u32>) -> Value {
    let renamed =
        with_ids(arguments, &|id| Some(inserted_name(*numbers.get(&inserted_number(id)?)?)));
    renamed.unwrap_or_else(|| arguments.clone())
}

/// The members of a longest ascending subsequence: the calls that need not be moved.
fn longest_ascent(steps: &[u32]) -> BTreeSet<u32> {
    // Patience sorting: the place with the least last member for each length, and who came before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, step) in steps.iter().enumerate() {
        let length = ends.partition_point(|end| steps.get(*end).is_some_and(|it| it < step));
        before.push(length.checked_sub(1).and_then(|length| ends.get(length).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut members = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        members.extend(steps.get(at));
        next = before.get(at).copied().flatten();
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn calls(count: u32) -> Vec<Arc<ToolCall>> {
        let calls = (1..=count).map(|n| ToolCall {
            id: format!("call-{n}"),
            name: "tool".to_owned(),
            arguments: json!({ "n": n }),
        });
        calls.map(Arc::new).collect()
    }

    fn sources(planned: &[PlannedCall]) -> Vec<CallSource> {
        planned.iter().map(|planned| planned.source).collect()
    }

    #[test]
    fn edits_name_steps_of_the_run_whatever_their_order() {
        use CallSource::{Inserted, Recorded};
        let mut edits = vec![
            CallEdit::Drop { step: 2 },
            CallEdit::Insert { after: 0, name: "new".into(), arguments: json!({}) },
            CallEdit::Move { step: 1, after: 4 },
            CallEdit::Insert { after: 4, name: "new".into(), arguments: json!({}) },
        ];
        let wanted = [Inserted(1), Recorded(3), Recorded(4), Recorded(1), Inserted(2)];
        assert_eq!(sources(&planned_calls(&calls(4), &edits).unwrap()), wanted);
        edits.swap(0, 2);
        assert_eq!(sources(&planned_calls(&calls(4), &edits).unwrap()), wanted);
        assert_eq!(unchanged_steps(&edits, 4), 0);
        assert_eq!(unchanged_steps(&[CallEdit::Move { step: 4, after: 2 }], 4), 2);
        assert_eq!(unchanged_steps(&[], 4), 4);
    }

    #[test]
    fn what_cannot_be_applied_says_why() {
        let replace = |step| CallEdit::Replace { step, arguments: json!({}) };
        let insert = |after| CallEdit::Insert { after, name: "a".into(), arguments: json!(1) };
        for (edits, words) in [
            (vec![CallEdit::Drop { step: 0 }], "no step 0; its last is 3"),
            (vec![replace(4)], "no step 4"),
            (vec![insert(4)], "no step 4"),
            (vec![CallEdit::Move { step: 1, after: 9 }], "no step 9"),
            (vec![CallEdit::Move { step: 1, after: 1 }], "behind itself"),
            (vec![replace(1), CallEdit::Drop { step: 1 }], "given other arguments and dropped"),
            (vec![CallEdit::Drop { step: 1 }, CallEdit::Drop { step: 1 }], "dropped and dropped"),
            (vec![insert(0); MOST_EDITS + 1], "there are 10001 edits"),
        ] {
            let error = planned_calls(&calls(3), &edits).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(planned_calls(&calls(0), &[insert(0)]).unwrap().len(), 1);
        let none = planned_calls(&calls(0), &[insert(1)]).unwrap_err();
        assert_eq!(none.to_string(), "the run has no step 1; it has none");
    }

    proptest! {
        #[test]
        fn the_edits_between_a_run_and_a_list_lead_to_that_list(
            order in Just((1..=12_u32).collect::<Vec<_>>()).prop_shuffle(),
            kept in proptest::collection::vec(any::<bool>(), 12),
            inserted in proptest::collection::vec(any::<bool>(), 12),
        ) {
            let run = calls(12);
            let mut list = Vec::new();
            let mut number = 0;
            for (at, step) in order.into_iter().enumerate() {
                if kept[at] {
                    list.push(PlannedCall {
                        source: CallSource::Recorded(step),
                        call: Arc::clone(&run[step as usize - 1]),
                        is_edited: false,
                    });
                }
                if inserted[at] {
                    number += 1;
                    list.push(PlannedCall {
                        source: CallSource::Inserted(number),
                        call: Arc::new(ToolCall {
                            id: format!("inserted-{number}"),
                            ..(*run[at]).clone()
                        }),
                        is_edited: true,
                    });
                }
            }
            prop_assert_eq!(planned_calls(&run, &edits_between(12, &list)).unwrap(), list);
        }
    }
}

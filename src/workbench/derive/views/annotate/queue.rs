//! The queue of who labels, and what was answered last.

use std::collections::BTreeSet;

use crate::label::{Act, AnswerValue, CellKey, Item, Ledger, Preferred, TIE};
use crate::workbench::model::{OpenLabels, State, Unit};

/// Which units the queue lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueFilter {
    /// All of them.
    #[default]
    All,
    /// Those that are open.
    Open,
    /// Those that were put off.
    Skipped,
    /// Those that are flagged.
    Flagged,
}

/// The places of the units that pass a filter, in the queue's order.
pub fn queue_rows(state: &State, filter: QueueFilter) -> Vec<usize> {
    let Some(desk) = &state.annotate.desk else { return Vec::new() };
    let states = desk.progress.states.iter().enumerate().filter(|(_, unit)| match filter {
        QueueFilter::All => true,
        QueueFilter::Open => !unit.is_answered,
        QueueFilter::Skipped => unit.is_skipped,
        QueueFilter::Flagged => unit.is_flagged,
    });
    states.map(|(at, _)| at).collect()
}

/// An answer in the strip of the last ones.
#[derive(Clone, Debug, PartialEq)]
pub struct LastAnswer {
    /// Its unit.
    pub at: usize,
    /// What was answered, as short as can be: `A`, `=`, `4`, `yes`.
    pub words: String,
    /// How long it took, where that was recorded.
    pub millis: Option<u64>,
    /// Whether it was answered anew.
    pub is_revised: bool,
}

/// The last answers of the person at the desk that stand, the newest first.
pub fn last_answers(state: &State, most: usize) -> Vec<LastAnswer> {
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    let mut last = Vec::new();
    let mut seen = BTreeSet::new();
    for event in state.annotate.ledger.backwards(&desk.person) {
        if last.len() == most {
            break;
        }
        let Act::Answered(_) = event.act else { continue };
        let at = desk.unit_of((&event.item, event.form));
        let Some((at, unit)) = at.and_then(|at| Some((at, desk.units.get(at)?))) else { continue };
        let Some(state_of) = desk.progress.states.get(at).filter(|it| it.is_answered) else {
            continue;
        };
        // Answered anew, it is listed once, where it was answered last.
        if seen.insert(at) {
            let words = short_words(&state.annotate.ledger, labels, (&desk.person, unit));
            let (millis, is_revised) = (state_of.millis, state_of.revisions > 0);
            last.push(LastAnswer { at, words, millis, is_revised });
        }
    }
    last
}

/// What stands as the answer of a unit, as short as can be: that of the form's first question.
fn short_words(ledger: &Ledger, labels: &OpenLabels, (person, unit): (&str, &Unit)) -> String {
    let Some((item, form)) = labels.item(unit).zip(labels.form(unit)) else { return String::new() };
    let Some(form_hash) = labels.form_hash(unit) else { return String::new() };
    let key = CellKey::new(&item.id, form_hash, person);
    let answer = ledger.answer(&key).map(|answered| &answered.answer);
    let first = form.questions.first();
    let value = answer.zip(first).and_then(|(answer, first)| answer.values.get(&first.id));
    match value {
        Some(AnswerValue::Preference(Preferred::Tie)) => "=".to_owned(),
        Some(AnswerValue::Preference(preferred)) => {
            // The side it was on for this person, and not which run of the project it is.
            let is_left = (*preferred == Preferred::First) != unit.turn.is_swapped;
            if is_left { "A" } else { "B" }.to_owned()
        }
        Some(AnswerValue::YesNo(_)) if form.questions.len() > 1 => {
            let values = answer.into_iter().flat_map(|answer| answer.values.values());
            let yes = values.filter(|value| **value == AnswerValue::YesNo(true)).count();
            format!("{yes} yes")
        }
        Some(AnswerValue::Marks(marks)) => format!("{} marks", marks.len()),
        // What candidates are called is where they stood, and never their ids.
        Some(AnswerValue::Ranking(order)) => match order.first() {
            Some(first) => ranked_first(item, unit, first),
            None => "–".to_owned(),
        },
        Some(value) => value.words().join(", "),
        None => "–".to_owned(),
    }
}

/// What stands first in a ranking: of candidates by their numbers on the screen, of options their ids.
fn ranked_first(item: &Item, unit: &Unit, first: &str) -> String {
    let words = first.split(TIE).map(|id| {
        let place = item.candidates.iter().position(|candidate| candidate == id);
        let shown = place.and_then(|place| {
            unit.turn.candidates.iter().position(|at| usize::try_from(*at) == Ok(place))
        });
        shown.map_or_else(|| id.to_owned(), |at| (at + 1).to_string())
    });
    format!("{} first", words.collect::<Vec<_>>().join(" = "))
}

//! What a question ranks of the item on the screen, and where each stands so far.

use crate::label::form::{FALLBACK_LANGUAGE, Question, QuestionKind};
use crate::label::{AnswerValue, TIE};
use crate::workbench::model::State;

/// What candidates are called: by where they stand, which says nothing of who made them.
pub(super) const CANDIDATES: [&str; 9] = [
    "Candidate 1",
    "Candidate 2",
    "Candidate 3",
    "Candidate 4",
    "Candidate 5",
    "Candidate 6",
    "Candidate 7",
    "Candidate 8",
    "Candidate 9",
];

/// Something that is ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedThing {
    /// The candidate's or option's id.
    pub id: String,
    /// What people call it.
    pub words: String,
    /// Where it stands so far, 1 the best.
    pub rank: Option<usize>,
    /// Whether another one stands there too.
    pub is_tied: bool,
}

/// The candidates of the item on the screen by their places in it, in the order they are shown, with their ids.
pub(super) fn shown_candidates(state: &State) -> Vec<(u8, &str)> {
    let Some((labels, desk)) = state.annotate.at_desk() else { return Vec::new() };
    let Some((unit, item)) = desk.unit().and_then(|unit| Some((unit, labels.item(unit)?))) else {
        return Vec::new();
    };
    let places = unit.turn.candidates.iter();
    let shown = places.filter_map(|place| {
        let id = item.candidates.get(usize::try_from(*place).ok()?)?;
        Some((u8::try_from(*place).ok()?, id.as_str()))
    });
    shown.collect()
}

/// What a question ranks, in the order it is shown; of another kind of question nothing.
pub fn ranked_things(state: &State, question: &Question) -> Vec<RankedThing> {
    let QuestionKind::Ranking { options, .. } = &question.answer else { return Vec::new() };
    let desk = state.annotate.desk.as_ref();
    let language = desk.map_or(FALLBACK_LANGUAGE, |desk| &desk.language);
    let named: Vec<(&str, String)> = if options.is_empty() {
        let shown = shown_candidates(state).into_iter().zip(CANDIDATES);
        shown.map(|((_, id), words)| (id, words.to_owned())).collect()
    } else {
        let words = options.iter().map(|it| it.text.in_language(language).to_owned());
        options.iter().map(|it| it.id.as_str()).zip(words).collect()
    };
    let order = desk.map(|desk| order_of(desk.draft.answer.values.get(&question.id)));
    let order = order.unwrap_or_default();
    let things = named.into_iter().map(|(id, words)| {
        let (rank, is_tied) = standing(order, id).unzip();
        RankedThing { id: id.to_owned(), words, rank, is_tied: is_tied.unwrap_or(false) }
    });
    things.collect()
}

/// Where a candidate of the item on the screen stands, by the form's first ranking of candidates.
pub fn candidate_rank(state: &State, place: u8) -> Option<usize> {
    let (item, form) = state.annotate.asked()?;
    let desk = state.annotate.desk.as_ref()?;
    let ranks = |it: &&Question| matches!(&it.answer, QuestionKind::Ranking { options, .. } if options.is_empty());
    let question = form.questions.iter().find(ranks)?;
    let id = item.candidates.get(usize::from(place))?;
    let order = order_of(desk.draft.answer.values.get(&question.id));
    standing(order, id).map(|(rank, _)| rank)
}

/// The order that an answer gives so far.
pub fn order_of(value: Option<&AnswerValue>) -> &[String] {
    match value {
        Some(AnswerValue::Ranking(order)) => order,
        _ => &[],
    }
}

/// The rank of something, and whether it is tied.
fn standing(order: &[String], id: &str) -> Option<(usize, bool)> {
    let mut before = 0;
    for place in order {
        let tied = place.split(TIE).count();
        if place.split(TIE).any(|known| known == id) {
            return Some((before + 1, tied > 1));
        }
        before += tied;
    }
    None
}

/// The order with something at its end, or without it where it stands in it.
pub fn toggled(order: &[String], id: &str) -> Vec<String> {
    let mut without = without(order, id);
    if standing(order, id).is_none() {
        without.push(id.to_owned());
    }
    without
}

/// The order with something at a place among the others, counted without it.
pub fn moved(order: &[String], id: &str, to: usize) -> Vec<String> {
    let mut others = without(order, id);
    others.insert(to.min(others.len()), id.to_owned());
    others
}

/// The order with the last one tied to the one before it; tied already, it stands alone again.
pub fn tied(order: &[String]) -> Vec<String> {
    let mut order = order.to_vec();
    let Some(last) = order.pop() else { return order };
    match (last.rsplit_once(TIE), order.pop()) {
        (Some((others, alone)), before) => {
            order.extend(before);
            order.extend([others.to_owned(), alone.to_owned()]);
        }
        (None, Some(before)) => order.push(format!("{before}{TIE}{last}")),
        (None, None) => order.push(last),
    }
    order
}

fn without(order: &[String], id: &str) -> Vec<String> {
    let left = order.iter().map(|place| {
        let others: Vec<&str> = place.split(TIE).filter(|known| *known != id).collect();
        others.join(&TIE.to_string())
    });
    left.filter(|place| !place.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> Vec<String> {
        text.split('|').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn what_is_ranked_goes_in_and_out_and_to_another_place() {
        for (before, id, after) in
            [("", "a", "a"), ("a", "b", "a|b"), ("a|b|c", "b", "a|c"), ("a=b|c", "a", "b|c")]
        {
            assert_eq!(toggled(&order(before), id), order(after));
        }
        for (before, id, to, after) in [
            ("a|b|c", "c", 0, "c|a|b"),
            ("a|b|c", "a", 2, "b|c|a"),
            ("a|b|c", "a", 9, "b|c|a"),
            ("a|b", "c", 1, "a|c|b"),
            ("a=b|c", "b", 0, "b|a|c"),
        ] {
            assert_eq!(moved(&order(before), id, to), order(after));
        }
    }

    #[test]
    fn the_last_one_is_tied_and_untied() {
        for (before, after) in [
            ("", ""),
            ("a", "a"),
            ("a|b", "a=b"),
            ("a=b", "a|b"),
            ("a|b=c", "a|b|c"),
            ("a=b|c", "a=b=c"),
        ] {
            assert_eq!(tied(&order(before)), order(after));
        }
        assert_eq!(standing(&order("a=b|c"), "c"), Some((3, false)));
        assert_eq!(standing(&order("a=b|c"), "b"), Some((1, true)));
        assert_eq!(standing(&order("a=b|c"), "d"), None);
    }
}

//! Who answers how: how fast, from which side, like the others or not, and like oneself before.
//!
//! Nothing here says that somebody is careless: it shows counts, with intervals, to who leads a project and to
//! the person they are about. What nobody recorded is not counted as anything.

use std::collections::BTreeMap;

use crate::metric::stats::{Interval, StatsError, quantile, wilson};

use super::answer::{Answer, AnswerValue, Preferred};
use super::event::{Answered, EventId};
use super::form::{Form, Scale};
use super::item::{Item, ItemId, ItemRole};
use super::ledger::Ledger;

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Those that are so.
    pub hits: u64,
    /// All.
    pub of: u64,
}

impl Share {
    /// 0 to 1; `None` of nothing.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }

    /// Its interval of 95 %.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] of nothing. Source: Wilson 1927.
    pub fn interval(self) -> Result<Interval, StatsError> {
        wilson(self.hits, self.of, 0.95)
    }

    /// Counts one more.
    pub fn count(&mut self, is_hit: bool) {
        self.hits += u64::from(is_hit);
        self.of += 1;
    }
}

/// How one person answered one form.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonReport {
    /// Who.
    pub person: String,
    /// Items answered, practice too.
    pub items: usize,
    /// The median time of an answer in seconds, where times were recorded.
    pub median_secs: Result<f64, StatsError>,
    /// The time that one in twenty answers was faster than, in seconds.
    pub fast_secs: Result<f64, StatsError>,
    /// Answers faster than the time that was asked about, of those with a time; `None`: nobody asked.
    pub too_fast: Option<Share>,
    /// How often what stood on the left was preferred, of the form's first preference, ties aside; `None`:
    /// the form has no preference.
    pub left: Option<SidePreference>,
    /// Known-answer items that were answered otherwise.
    pub known_failed: Share,
    /// Answers to what was asked once more that are as before, question by question.
    pub same_again: Share,
    /// Answers that are those of more than half of the others, of the answers where more than half of the
    /// others agree.
    pub with_majority: Share,
    /// The same in the first and in the second half of the items, in the order they were answered.
    pub halves: [Share; 2],
}

/// From which side somebody prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SidePreference {
    /// Preferences for the left, of those where it was recorded what stood there.
    pub left: Share,
    /// Preferences of which that was not recorded.
    pub unrecorded: u64,
}

/// How everybody answered a form, by name. `too_fast_secs` is the time that an answer should take.
pub fn people(
    form: &Form,
    items: &[Item],
    ledger: &Ledger,
    too_fast_secs: Option<f64>,
) -> Vec<PersonReport> {
    let items: BTreeMap<&ItemId, &Item> = items.iter().map(|item| (&item.id, item)).collect();
    // Once: it is the hash of all that the form asks.
    let hash = form.hash();
    let mut given: BTreeMap<&str, Vec<StandingAnswer<'_>>> = BTreeMap::new();
    for key in ledger.cell_keys().filter(|key| key.form == hash) {
        let event = ledger.cell(key).answer.and_then(|id| ledger.event(id));
        if let (Some(event), Some(item)) = (event, items.get(&key.item))
            && let Some(answered) = ledger.answer(key)
        {
            let given = given.entry(&key.person).or_default();
            given.push(StandingAnswer { item, order: event.order(), answered });
        }
    }
    let votes = Votes::of(form, &given);
    let reports = given.into_iter().map(|(person, mut given)| {
        given.sort_unstable_by_key(|given| given.order);
        report(form, person, &given, &votes, too_fast_secs)
    });
    reports.collect()
}

/// An answer that stands.
struct StandingAnswer<'a> {
    item: &'a Item,
    order: (u64, EventId),
    answered: &'a Answered,
}

/// How often each answer was given: by item, question and option.
struct Votes<'a>(BTreeMap<(&'a ItemId, &'a str, Option<&'a str>), BTreeMap<String, usize>>);

impl<'a> Votes<'a> {
    fn of(form: &'a Form, given: &BTreeMap<&str, Vec<StandingAnswer<'a>>>) -> Self {
        let mut votes = Self(BTreeMap::new());
        for given in given.values().flatten() {
            for (question, option, vote) in spoken(form, &given.answered.answer) {
                let key = (&given.item.id, question, option);
                *votes.0.entry(key).or_default().entry(vote).or_default() += 1;
            }
        }
        votes
    }

    /// What more than half of the others say, where one person says `own`.
    fn of_others(
        &self,
        item: &ItemId,
        question: &str,
        option: Option<&str>,
        own: &str,
    ) -> Option<String> {
        let votes = self.0.get(&(item, question, option))?;
        let others: Vec<(&String, usize)> =
            votes.iter().map(|(vote, count)| (vote, count - usize::from(vote == own))).collect();
        let all: usize = others.iter().map(|(_, count)| count).sum();
        let (most, _) = others.into_iter().find(|(_, count)| 2 * count > all)?;
        Some(most.clone())
    }
}

/// The single values of an answer: question, option where each is a yes or no of its own, value.
fn spoken<'a>(form: &'a Form, answer: &Answer) -> Vec<(&'a str, Option<&'a str>, String)> {
    let mut found = Vec::new();
    for question in &form.questions {
        match question.answer.scale() {
            Scale::None => {}
            Scale::Nominal | Scale::Ordinal => {
                let words =
                    answer.values.get(&question.id).into_iter().flat_map(AnswerValue::words);
                found.extend(words.map(|word| (question.id.as_str(), None, word)));
            }
            // Each option is a yes or no of its own, as agreement counts it: who leaves one out said no to it.
            Scale::PerOption => {
                found.extend(question.answer.options().iter().filter_map(|option| {
                    let has = answer.has_option(question, &option.id)?;
                    let vote = if has { "yes" } else { "no" };
                    Some((question.id.as_str(), Some(option.id.as_str()), vote.to_owned()))
                }));
            }
        }
    }
    found
}

fn report(
    form: &Form,
    person: &str,
    given: &[StandingAnswer<'_>],
    votes: &Votes<'_>,
    too_fast_secs: Option<f64>,
) -> PersonReport {
    let times = given.iter().filter_map(|given| given.answered.millis);
    let times: Vec<f64> = times.map(|millis| millis as f64 / 1000.0).collect();
    // Two halves of the work in its order: somebody who tires agrees less with the others in the second.
    let mut halves = [Share::default(); 2];
    let (mut known_failed, mut same_again) = (Share::default(), Share::default());
    let by_item: BTreeMap<&ItemId, &StandingAnswer<'_>> =
        given.iter().map(|it| (&it.item.id, it)).collect();
    for (at, one) in given.iter().enumerate() {
        let mine = spoken(form, &one.answered.answer);
        if one.item.role == ItemRole::KnownAnswer
            && let Some(is_known) = is_as_known(form, one.item, &one.answered.answer)
        {
            // Counted as failures, so that more is worse in this column as its name says.
            known_failed.count(!is_known);
        }
        // Only if both were answered: a repeat alone says nothing.
        let before = one.item.repeats.as_ref().and_then(|first| by_item.get(first));
        for before in before.into_iter().flat_map(|it| spoken(form, &it.answered.answer)) {
            // A question that was not asked again, as it depends on another, is neither.
            let again = mine.iter().find(|again| (again.0, again.1) == (before.0, before.1));
            if let Some(again) = again {
                same_again.count(again.2 == before.2);
            }
        }
        // Of an odd number the middle one belongs to the first half.
        let half = &mut halves[usize::from(2 * at >= given.len())];
        for (question, option, vote) in &mine {
            // Without the own vote, or everybody would agree with a majority that he is part of.
            if let Some(others) = votes.of_others(&one.item.id, question, *option, vote) {
                half.count(others == *vote);
            }
        }
    }
    let [first, second] = halves;
    PersonReport {
        person: person.to_owned(),
        items: given.len(),
        median_secs: quantile(&times, 0.5),
        fast_secs: quantile(&times, 0.05),
        too_fast: too_fast_secs.map(|least| Share {
            hits: times.iter().filter(|time| **time < least).count() as u64,
            of: times.len() as u64,
        }),
        left: sides(form, given),
        known_failed,
        same_again,
        with_majority: Share { hits: first.hits + second.hits, of: first.of + second.of },
        halves,
    }
}

/// Whether an answer says all that is known of the item; `None` where nothing is, of this form.
pub fn is_as_known(form: &Form, item: &Item, answer: &Answer) -> Option<bool> {
    let known = spoken(form, known_answer(form, item)?);
    let mine = spoken(form, answer);
    // A question that the known answer leaves open is not asked of anybody.
    Some(known.iter().all(|known| mine.contains(known)))
}

/// What is known to be the answer to this form about an item.
pub fn known_answer<'a>(form: &Form, item: &'a Item) -> Option<&'a Answer> {
    item.known.as_ref().filter(|known| known.check(form, &item.candidates).is_ok())
}

fn sides(form: &Form, given: &[StandingAnswer<'_>]) -> Option<SidePreference> {
    let question = form.preference()?;
    let mut sides = SidePreference::default();
    for given in given {
        let is_first = match given.answered.answer.values.get(&question.id) {
            Some(AnswerValue::Preference(Preferred::First)) => true,
            Some(AnswerValue::Preference(Preferred::Second)) => false,
            _ => continue,
        };
        match &given.answered.shown {
            Some(shown) => sides.left.count(is_first != shown.is_swapped),
            None => sides.unrecorded += 1,
        }
    }
    Some(sides)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Act, Event, ItemKind, Shown, WriterId};

    fn item(id: usize) -> Item {
        Item::bare(ItemId(format!("item-{id}")), ItemKind::Pair)
    }

    fn preference(preferred: Preferred) -> Answer {
        let value = AnswerValue::Preference(preferred);
        Answer { values: [("preference".to_owned(), value)].into(), ..Answer::default() }
    }

    /// Answers in the order given: who, which item, what, whether swapped, how long.
    type Row = (&'static str, usize, Preferred, Option<bool>, Option<u64>);

    fn ledger(rows: &[Row]) -> Ledger {
        let mut ledger = Ledger::default();
        for (at, (person, item, preferred, swapped, millis)) in (1..).zip(rows) {
            let shown = swapped.map(|is_swapped| Shown { is_swapped, ..Shown::default() });
            let answered = Answered {
                answer: preference(*preferred),
                shown,
                millis: *millis,
                views: BTreeMap::new(),
                changes: None,
            };
            let event = Event {
                id: EventId { writer: WriterId(1), sequence: at },
                clock: at,
                at: String::new(),
                person: (*person).to_owned(),
                item: ItemId(format!("item-{item}")),
                form: builtin_form("pairwise-preference").unwrap().hash(),
                act: Act::Answered(Box::new(answered)),
            };
            ledger.insert(event).unwrap();
        }
        ledger
    }

    fn of(items: &[Item], rows: &[Row], too_fast: Option<f64>) -> Vec<PersonReport> {
        people(builtin_form("pairwise-preference").unwrap(), items, &ledger(rows), too_fast)
    }

    #[test]
    fn sides_times_known_answers_and_repeats_are_counted() {
        use Preferred::{First, Second, Tie};
        let mut items: Vec<Item> = (0..5).map(item).collect();
        items[1].role = ItemRole::KnownAnswer;
        items[1].known = Some(preference(First));
        items[2].repeats = Some(items[0].id.clone());
        let rows = [
            ("ada", 0, First, Some(false), Some(1_000)),
            ("ada", 1, Second, Some(true), Some(2_000)),
            ("ada", 2, Second, Some(false), Some(9_000)),
            ("ada", 3, Tie, Some(false), None),
            ("ada", 4, First, None, None),
            ("bo", 1, First, None, None),
        ];
        let found = of(&items, &rows, Some(1.5));
        let [ada, bo] = found.as_slice() else { panic!("{found:?}") };
        // Of three with a side, the first and second stood on the left.
        let sides = SidePreference { left: Share { hits: 2, of: 3 }, unrecorded: 1 };
        assert_eq!((ada.items, ada.left), (5, Some(sides)));
        assert_eq!(
            (ada.median_secs.clone(), ada.too_fast),
            (Ok(2.0), Some(Share { hits: 1, of: 3 }))
        );
        assert!((ada.fast_secs.clone().unwrap() - 1.1).abs() < 1e-12);
        assert_eq!(ada.known_failed, Share { hits: 1, of: 1 });
        assert_eq!(ada.same_again, Share { hits: 0, of: 1 });
        assert_eq!(bo.known_failed, Share { hits: 0, of: 1 });
        assert!(bo.median_secs.is_err() && bo.left.unwrap().left.interval().is_err());
        assert_eq!(ada.with_majority, Share { hits: 0, of: 1 }, "bo is the others here");
    }

    #[test]
    fn who_drifts_agrees_less_in_the_second_half() {
        use Preferred::{First, Second};
        let items: Vec<Item> = (0..8).map(item).collect();
        let mut rows: Vec<Row> = Vec::new();
        for at in 0..8 {
            rows.push(("bo", at, First, None, None));
            rows.push(("cy", at, First, None, None));
            rows.push(("ada", at, if at < 4 { First } else { Second }, None, None));
        }
        let ada = of(&items, &rows, None).swap_remove(0);
        assert_eq!(ada.halves, [Share { hits: 4, of: 4 }, Share { hits: 0, of: 4 }]);
        assert_eq!(ada.with_majority.value(), Some(0.5));
        assert_eq!(ada.too_fast, None);
    }

    proptest! {
        /// Agreement with the others is what counting them one by one gives.
        #[test]
        fn the_others_are_everybody_else(answers in prop::collection::vec(
            (prop::sample::select(vec!["ada", "bo", "cy", "di"]), 0_usize..5, 0_u8..3), 0..40,
        )) {
            let preferred = [Preferred::First, Preferred::Tie, Preferred::Second];
            let rows: Vec<Row> = answers
                .iter()
                .map(|(who, item, what)| (*who, *item, preferred[usize::from(*what)], None, None))
                .collect();
            let items: Vec<Item> = (0..5).map(item).collect();
            let last: BTreeMap<(&str, usize), u8> =
                answers.iter().map(|(who, item, what)| ((*who, *item), *what)).collect();
            for found in of(&items, &rows, None) {
                let mut slow = Share::default();
                for ((who, item), what) in &last {
                    if *who != found.person {
                        continue;
                    }
                    let others: Vec<u32> = last
                        .iter()
                        .filter(|((other, about), _)| other != who && about == item)
                        .map(|(_, what)| u32::from(*what))
                        .collect();
                    let says = |wanted: u32| others.iter().filter(|it| **it == wanted).count();
                    if let Some(most) = (0..3).find(|it| 2 * says(*it) > others.len()) {
                        slow.count(most == u32::from(*what));
                    }
                }
                prop_assert_eq!(found.with_majority, slow);
                let [first, second] = found.halves;
                prop_assert_eq!(first.of + second.of, slow.of);
            }
        }
    }
}

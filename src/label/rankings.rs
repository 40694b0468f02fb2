//! What people's rankings come to: how far they agree, and who made what stands first.
//!
//! Agreement is Kendall's W of the rankings of one item, averaged over items; who made a picture has the mean of
//! its ranks, first over people and then over items. Both have intervals by bootstrap over items (Efron 1979).
//!
//! Source: GraphicBench, Figure 9 (three pictures ranked); Kendall and Babington Smith 1939.

use std::collections::BTreeMap;

use crate::metric::stats::{
    BootstrapPlan, DefinedInterval, StatsError, average_ranks, kendall_w, resample,
};

use super::agreement::Answers;
use super::answer::{AnswerValue, TIE};
use super::form::{Form, Question, QuestionKind};
use super::item::{Item, ItemId};

/// What the rankings of one question come to.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingFindings {
    /// Which question.
    pub question: String,
    /// Items that two or more people ranked.
    pub items: usize,
    /// Rankings, of all items.
    pub answers: usize,
    /// The mean of Kendall's W over these items, 0 to 1, or why it is undefined.
    pub w: Result<f64, StatsError>,
    /// Its middle over resampled items.
    pub interval: Result<DefinedInterval, StatsError>,
    /// The mean correlation of every two rankings of an item, of which chance gives 0; W of two people is at 0.5
    /// then.
    pub mean_rho: Result<f64, StatsError>,
    /// What was ranked, the best first: of candidates by who made them, else by option.
    pub ranked: Vec<MeanRank>,
}

/// Where something stands on average.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanRank {
    /// Who made the candidate, or the option.
    pub name: String,
    /// Items it was ranked in.
    pub items: usize,
    /// The mean of its ranks, 1 the best: over the people of an item, then over items.
    pub mean: f64,
    /// Its middle over resampled items.
    pub interval: Result<DefinedInterval, StatsError>,
    /// The mean share of people by item who ranked it first; a tie counts in part.
    pub first: f64,
}

/// One item's rankings.
struct Ranked<'a> {
    /// W and the mean correlation, where two or more people ranked it.
    agreement: Option<Result<[f64; 2], StatsError>>,
    /// The mean rank of each, and the share that ranked it first.
    means: BTreeMap<&'a str, [f64; 2]>,
    rankings: usize,
}

/// What the rankings of every question of a form come to.
pub fn rankings(
    form: &Form,
    items: &[Item],
    answers: &Answers<'_>,
    plan: &BootstrapPlan,
) -> Vec<RankingFindings> {
    let by_id: BTreeMap<&ItemId, &Item> = items.iter().map(|item| (&item.id, item)).collect();
    let asked = form.questions.iter();
    let asked = asked.filter(|it| matches!(it.answer, QuestionKind::Ranking { .. }));
    asked.map(|question| of_question(question, &by_id, answers, plan)).collect()
}

fn of_question(
    question: &Question,
    items: &BTreeMap<&ItemId, &Item>,
    answers: &Answers<'_>,
    plan: &BootstrapPlan,
) -> RankingFindings {
    let mut ranked: Vec<Ranked<'_>> = Vec::new();
    for (item, of_item) in answers {
        // Fixed options are their own names; candidates differ from item to item and are known by who made them.
        let names: Vec<(&str, &str)> = match &question.answer {
            QuestionKind::Ranking { options, .. } if !options.is_empty() => {
                options.iter().map(|option| (option.id.as_str(), option.id.as_str())).collect()
            }
            _ => items.get(*item).map(|item| named_candidates(item)).unwrap_or_default(),
        };
        let given =
            of_item.values().filter_map(|answer| match answer.values.get(&question.id)? {
                // A ranking of something else than these, as after a change of the item, does not count.
                AnswerValue::Ranking(order) => ranks(order, &names),
                _ => None,
            });
        ranked.extend(Ranked::of(&names, &given.collect::<Vec<_>>()));
    }
    let agreed: Vec<[f64; 2]> =
        ranked.iter().filter_map(|it| it.agreement.as_ref()?.as_ref().ok().copied()).collect();
    // Items of one person are ranked, but there is nothing that could agree.
    let shared = ranked.iter().filter(|it| it.agreement.is_some()).count();
    // One reason stands for all: the table has room for one.
    let why = ranked.iter().find_map(|it| it.agreement.as_ref()?.as_ref().err().cloned());
    let [w, mean_rho] = [0, 1].map(|which| {
        let defined = agreed.iter().map(|it| it[which]);
        mean_of(defined).ok_or_else(|| why.clone().unwrap_or(StatsError::NoOverlap))
    });
    // W is one number an item, so that whole items are drawn and never single rankings.
    let interval = w.clone().and_then(|_| {
        let drawn = resample(agreed.len(), plan, |places| {
            mean_of(places.iter().map(|place| agreed[*place][0]))
        })?;
        DefinedInterval::of(drawn, plan.confidence)
    });
    RankingFindings {
        question: question.id.clone(),
        items: shared,
        answers: ranked.iter().map(|it| it.rankings).sum(),
        w,
        interval,
        mean_rho,
        ranked: mean_ranks(&ranked, plan),
    }
}

/// Each candidate's id with who made it; where that is not known, candidates are not told apart across items.
fn named_candidates(item: &Item) -> Vec<(&str, &str)> {
    let sources = item.sources.iter().map(String::as_str).chain(std::iter::repeat(""));
    item.candidates.iter().map(String::as_str).zip(sources).collect()
}

/// The rank of each thing, in their order; ties have the mean of theirs. `None` of a ranking of something else.
fn ranks(order: &[String], names: &[(&str, &str)]) -> Option<Vec<f64>> {
    let mut places: BTreeMap<&str, f64> = BTreeMap::new();
    for (place, tied) in order.iter().enumerate() {
        places.extend(tied.split(TIE).map(|id| (id, place as f64)));
    }
    let of_names: Option<Vec<f64>> = names.iter().map(|(id, _)| places.get(id).copied()).collect();
    of_names.filter(|it| it.len() == places.len()).map(|it| average_ranks(&it))
}

impl<'a> Ranked<'a> {
    /// `None` where nobody ranked it.
    fn of(names: &[(&'a str, &'a str)], given: &[Vec<f64>]) -> Option<Self> {
        if given.is_empty() {
            return None;
        }
        let agreement =
            (given.len() > 1).then(|| kendall_w(given).map(|found| [found.w, found.mean_rho]));
        let people = given.len() as f64;
        let firsts: Vec<Vec<f64>> = given.iter().map(|ranks| first(ranks)).collect();
        // Who made several of an item's candidates has the mean of theirs.
        let mut of_name: BTreeMap<&str, ([f64; 2], f64)> = BTreeMap::new();
        for (at, (_, name)) in names.iter().enumerate().filter(|(_, (_, name))| !name.is_empty()) {
            let [rank, first] = [given, &firsts].map(|of| of.iter().map(|it| it[at]).sum::<f64>());
            let (sums, count) = of_name.entry(name).or_default();
            *sums = [sums[0] + rank / people, sums[1] + first / people];
            *count += 1.0;
        }
        let means = of_name.into_iter();
        let means = means.map(|(name, ([rank, first], count))| (name, [rank / count, first]));
        Some(Self { agreement, means: means.collect(), rankings: given.len() })
    }
}

/// The share of a first place that each has.
fn first(ranks: &[f64]) -> Vec<f64> {
    let best = ranks.iter().copied().fold(f64::INFINITY, f64::min);
    let tied = ranks.iter().filter(|rank| **rank <= best).count() as f64;
    ranks.iter().map(|rank| if *rank <= best { 1.0 / tied } else { 0.0 }).collect()
}

fn mean_ranks(ranked: &[Ranked<'_>], plan: &BootstrapPlan) -> Vec<MeanRank> {
    let mut names: Vec<&str> = ranked.iter().flat_map(|it| it.means.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    // A column for each name, a place for each item, so that a resample needs no look-up by name.
    let of_names: Vec<Vec<Option<f64>>> = names
        .iter()
        .map(|name| ranked.iter().map(|it| it.means.get(name).map(|means| means[0])).collect())
        .collect();
    let drawn = resample(ranked.len(), plan, |places| {
        let means = of_names
            .iter()
            // Not every name was ranked in every item: the mean goes over those items that were drawn and have it.
            .map(|of_name| mean_of(places.iter().filter_map(|place| of_name[*place])));
        means.collect::<Vec<_>>()
    });
    let found = names.iter().enumerate().filter_map(|(at, name)| {
        let firsts = ranked.iter().filter_map(|it| it.means.get(name).map(|means| means[1]));
        let interval = drawn.as_ref().map_err(Clone::clone).and_then(|drawn| {
            let values = drawn.iter().map(|of_all| of_all.get(at).copied().flatten());
            DefinedInterval::of(values, plan.confidence)
        });
        Some(MeanRank {
            name: (*name).to_owned(),
            items: of_names[at].iter().flatten().count(),
            mean: mean_of(of_names[at].iter().flatten().copied())?,
            interval,
            first: mean_of(firsts)?,
        })
    });
    let mut found: Vec<MeanRank> = found.collect();
    // `total_cmp` and a stable sort: equal means stay in the order of their names.
    found.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    found
}

fn mean_of(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), it| (sum + it, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Answer, ItemKind};

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 500, confidence: 0.95, seed: 5 };

    fn query(id: &str) -> Item {
        Item {
            candidates: ["a", "b", "c"].map(|it| format!("{id}{it}")).to_vec(),
            sources: ["one", "two", "three"].map(str::to_owned).to_vec(),
            ..Item::bare(ItemId(id.to_owned()), ItemKind::Query)
        }
    }

    /// Rankings by item and person, as `b|a=c`.
    fn found(rows: &[(&str, &str, &str)]) -> RankingFindings {
        let mut ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
        ids.dedup();
        let items: Vec<Item> = ids.into_iter().map(query).collect();
        let given: Vec<(ItemId, &str, Answer)> = rows
            .iter()
            .map(|(item, person, order)| {
                let named = |tied: &str| {
                    let ids: Vec<String> =
                        tied.split(TIE).map(|it| format!("{item}{it}")).collect();
                    ids.join("=")
                };
                let order = AnswerValue::Ranking(order.split('|').map(named).collect());
                let values = BTreeMap::from([("ranking".to_owned(), order)]);
                (ItemId((*item).to_owned()), *person, Answer { values, ..Answer::default() })
            })
            .collect();
        let mut answers = Answers::new();
        for (item, person, answer) in &given {
            let of_item: &mut BTreeMap<&str, &Answer> = answers.entry(item).or_default();
            of_item.insert(person, answer);
        }
        let form = builtin_form("component-alignment").unwrap();
        rankings(form, &items, &answers, &PLAN).remove(0)
    }

    #[test]
    fn agreement_and_mean_ranks_are_those_by_hand() {
        let found = found(&[
            ("q1", "ada", "a|b|c"),
            ("q1", "bo", "a|c|b"),
            ("q1", "cy", "b|a|c"),
            ("q2", "ada", "c|a|b"),
            ("q2", "bo", "c|a|b"),
            ("q3", "ada", "a|b|c"),
        ]);
        // Sums of ranks 4, 6, 8 of three people: 12 · 8 / (9 · 24); of two that agree 1; one alone counts nowhere.
        let w = f64::midpoint(96.0 / 216.0, 1.0);
        assert!((found.w.clone().unwrap() - w).abs() < 1e-12, "{found:?}");
        // (m · W − 1) / (m − 1) of each.
        let rho = f64::midpoint((3.0 * 96.0 / 216.0 - 1.0) / 2.0, 1.0);
        assert!((found.mean_rho.clone().unwrap() - rho).abs() < 1e-12, "{found:?}");
        assert_eq!((found.items, found.answers), (2, 6));
        let means: Vec<(&str, f64, f64)> =
            found.ranked.iter().map(|it| (it.name.as_str(), it.mean, it.first)).collect();
        let third = 1.0 / 3.0;
        let wanted = [
            ("one", (4.0 * third + 2.0 + 1.0) / 3.0, (2.0 * third + 0.0 + 1.0) / 3.0),
            ("three", (8.0 * third + 1.0 + 3.0) / 3.0, third),
            ("two", (2.0 + 3.0 + 2.0) / 3.0, third / 3.0),
        ];
        for ((name, mean, first), wanted) in means.iter().zip(wanted) {
            assert_eq!(*name, wanted.0, "{means:?}");
            assert!(
                (mean - wanted.1).abs() < 1e-12 && (first - wanted.2).abs() < 1e-12,
                "{means:?}"
            );
        }
        let interval = found.ranked[0].interval.clone().unwrap().interval;
        assert!(interval.low <= means[0].1 && means[0].1 <= interval.high, "{interval:?}");
        let interval = found.interval.unwrap();
        assert!(interval.interval.low >= 4.0 / 9.0 - 1e-12 && interval.interval.high <= 1.0);
        assert_eq!(interval.left_out, 0, "what one person ranked alone is not drawn");
    }

    #[test]
    fn ties_have_the_mean_of_their_ranks_and_share_a_first_place() {
        let found = found(&[("q", "ada", "a=b|c"), ("q", "bo", "a=b|c")]);
        assert_eq!(found.w, Ok(1.0));
        let means: Vec<(f64, f64)> = found.ranked.iter().map(|it| (it.mean, it.first)).collect();
        assert_eq!(means, [(1.5, 0.5), (1.5, 0.5), (3.0, 0.0)]);
        let tied = self::found(&[("q", "ada", "a=b=c"), ("q", "bo", "a=b=c")]);
        assert_eq!(tied.w, Err(StatsError::AllTied));
    }

    #[test]
    fn what_one_person_ranked_alone_has_no_agreement_and_says_why() {
        let found = found(&[("q", "ada", "a|b|c")]);
        assert_eq!(
            (found.w, found.interval),
            (Err(StatsError::NoOverlap), Err(StatsError::NoOverlap))
        );
        assert_eq!((found.items, found.answers, found.ranked.len()), (0, 1, 3));
        let nobody = self::found(&[]);
        assert_eq!((nobody.w, nobody.ranked), (Err(StatsError::NoOverlap), Vec::new()));
    }
}

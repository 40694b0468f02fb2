//! Which model people prefer: wins, ties and losses, and the strengths they come to.
//!
//! Source: CANVAS, appendix, figure 34 (wins, ties and losses by model, of the majority of three people; what
//! has no majority is left out); Bradley and Terry 1952; intervals by bootstrap over items (Efron 1979).

use std::collections::BTreeMap;

use crate::metric::stats::{
    BootstrapPlan, DefinedInterval, PairedComparison, Preferred as Side, StatsError, bradley_terry,
    log_strengths, resample,
};

use super::item::{Item, ItemId};
use super::outcome::FinalAnswer;

/// How pairs came out for one model, or for one model against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// It was preferred.
    pub wins: usize,
    /// Neither was.
    pub ties: usize,
    /// The other was.
    pub losses: usize,
    /// No answer has more than half of the votes, and nobody settled it.
    pub unresolved: usize,
    /// Nobody answered.
    pub unanswered: usize,
}

/// How strong a model is.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelStrength {
    /// Which model.
    pub model: String,
    /// Natural logarithm of its strength; all together are 0.
    pub log_strength: f64,
    /// Its interval, over resampled items.
    pub interval: Result<DefinedInterval, StatsError>,
}

/// What the answers to a preference come to.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPreferences {
    /// The models, by name.
    pub models: Vec<String>,
    /// Each model's record, in their order.
    pub records: Vec<Record>,
    /// The record of the one against the other, by their places, the lower one first.
    pub against: BTreeMap<(usize, usize), Record>,
    /// Strengths, the strongest first, or why there are none.
    pub strengths: Result<Vec<ModelStrength>, StatsError>,
}

/// What the final answers to one question come to by model. Pairs of one model with itself are left out.
pub fn preferences(
    question: &str,
    items: &[Item],
    finals: &[FinalAnswer],
    plan: &BootstrapPlan,
) -> ModelPreferences {
    let of_question = finals.iter().filter(|found| found.question == question);
    let finals: BTreeMap<&ItemId, &FinalAnswer> = of_question.map(|it| (&it.item, it)).collect();
    let pairs = items.iter().filter(|item| item.counts());
    let pairs: Vec<(&Item, [&str; 2])> = pairs
        .filter_map(|item| Some((item, item.models()?)))
        .filter(|(_, [first, second])| first != second)
        .collect();
    let mut models: Vec<&str> = pairs.iter().flat_map(|(_, models)| *models).collect();
    models.sort_unstable();
    models.dedup();
    let mut records = vec![Record::default(); models.len()];
    let mut against: BTreeMap<(usize, usize), Record> = BTreeMap::new();
    let mut comparisons = Vec::new();
    for (item, names) in pairs {
        // Places in the sorted list: each name is in it, so that the partition point is its own.
        let [left, right] = names.map(|name| models.partition_point(|known| *known < name));
        let found = finals.get(&item.id);
        let outcome = match found.map(|found| found.value.as_deref()) {
            None => PairOutcome::Unanswered,
            Some(Some("first")) => PairOutcome::Preferred(Side::Left),
            Some(Some("second")) => PairOutcome::Preferred(Side::Right),
            Some(Some("tie")) => PairOutcome::Preferred(Side::Tie),
            // Answered, but people did not come to one answer.
            Some(_) => PairOutcome::Unresolved,
        };
        // Only decided pairs go into the fit; the records count the others as well.
        if let PairOutcome::Preferred(preferred) = outcome {
            comparisons.push(PairedComparison { left, right, preferred });
        }
        records[left].count(outcome);
        records[right].count(outcome.turned());
        // Always told from the model that stands first in the alphabet, whichever side it was shown on.
        let seen = if left < right { outcome } else { outcome.turned() };
        against.entry((left.min(right), left.max(right))).or_default().count(seen);
    }
    let models: Vec<String> = models.into_iter().map(str::to_owned).collect();
    let strengths = strengths(&models, &comparisons, plan);
    ModelPreferences { models, records, against, strengths }
}

/// How one pair came out.
#[derive(Clone, Copy)]
enum PairOutcome {
    Preferred(Side),
    Unresolved,
    Unanswered,
}

impl PairOutcome {
    /// The same as the other one sees it.
    fn turned(self) -> Self {
        match self {
            Self::Preferred(Side::Left) => Self::Preferred(Side::Right),
            Self::Preferred(Side::Right) => Self::Preferred(Side::Left),
            other => other,
        }
    }
}

impl Record {
    /// Pairs with an answer.
    pub fn settled(&self) -> usize {
        self.wins + self.ties + self.losses
    }

    fn count(&mut self, outcome: PairOutcome) {
        *match outcome {
            PairOutcome::Preferred(Side::Left) => &mut self.wins,
            PairOutcome::Preferred(Side::Right) => &mut self.losses,
            PairOutcome::Preferred(Side::Tie) => &mut self.ties,
            PairOutcome::Unresolved => &mut self.unresolved,
            PairOutcome::Unanswered => &mut self.unanswered,
        } += 1;
    }
}

fn strengths(
    models: &[String],
    comparisons: &[PairedComparison],
    plan: &BootstrapPlan,
) -> Result<Vec<ModelStrength>, StatsError> {
    let ranking = bradley_terry(models.len(), comparisons, plan.confidence)?;
    // A resample in which a model is never beaten has no strengths, and so none of any model.
    let drawn = resample(comparisons.len(), plan, |places| {
        log_strengths(models.len(), places.iter().map(|place| comparisons[*place])).ok()
    });
    let strengths = ranking.into_iter().map(|strength| {
        let interval = drawn.as_ref().map_err(Clone::clone).and_then(|drawn| {
            let values = drawn.iter().map(|drawn| drawn.as_ref()?.get(strength.model).copied());
            DefinedInterval::of(values, plan.confidence)
        });
        ModelStrength {
            model: models[strength.model].clone(),
            log_strength: strength.log_strength,
            interval,
        }
    });
    Ok(strengths.collect())
}

impl ModelPreferences {
    /// Why there are no strengths, with the models' names.
    pub fn reason(&self, error: &StatsError) -> String {
        error.with_names(&self.models)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::{ItemKind, LabelledRun, Provenance};

    fn pair(id: usize, models: [usize; 2]) -> Item {
        let runs = models.map(|model| LabelledRun {
            path: String::new(),
            content: String::new(),
            model: format!("m{model}"),
        });
        Item { runs: runs.to_vec(), ..Item::bare(ItemId(format!("item-{id:03}")), ItemKind::Pair) }
    }

    fn settled(item: &Item, value: Option<&str>) -> FinalAnswer {
        FinalAnswer {
            item: item.id.clone(),
            question: "preference".to_owned(),
            option: None,
            value: value.map(str::to_owned),
            provenance: Provenance::Majority,
            votes: BTreeMap::new(),
            settled: None,
        }
    }

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 200, confidence: 0.95, seed: 3 };

    #[test]
    fn wins_ties_and_losses_are_counted_and_what_is_open_is_none_of_them() {
        let items: Vec<Item> = [[0, 1], [1, 0], [0, 1], [0, 1], [1, 2], [1, 1]]
            .into_iter()
            .zip(0..)
            .map(|(m, at)| pair(at, m))
            .collect();
        let values = [Some("first"), Some("first"), Some("tie"), None];
        let finals: Vec<FinalAnswer> =
            items.iter().zip(values).map(|(item, value)| settled(item, value)).collect();
        let found = preferences("preference", &items, &finals, &PLAN);
        assert_eq!(found.models, ["m0", "m1", "m2"]);
        let record = Record { wins: 1, ties: 1, losses: 1, unresolved: 1, unanswered: 0 };
        assert_eq!((found.records[0], found.against[&(0, 1)]), (record, record));
        assert_eq!(found.records[2], Record { unanswered: 1, ..Record::default() });
        let why = found.reason(&found.strengths.clone().unwrap_err());
        assert_eq!(why, "no comparisons connect m0 and m2");
        let one = preferences("preference", &items[..1], &finals[..1], &PLAN);
        let why = one.reason(&one.strengths.clone().unwrap_err());
        assert!(why.starts_with("m0 (or a group with it) never lost to m1"), "{why}");
        // A single tie makes two models equally strong, and says nothing of how sure that is.
        let tied = preferences("preference", &items[2..3], &finals[2..3], &PLAN).strengths.unwrap();
        assert_eq!((tied.len(), tied[0].log_strength), (2, 0.0));
        let few = StatsError::TooFew { what: "items", found: 1, needed: 2 };
        assert_eq!(tied[0].interval, Err(few));
    }

    proptest! {
        /// Strengths are where hill climbing on the likelihood ends (MM algorithm, Hunter 2004), and sides do
        /// not matter.
        #[test]
        fn strengths_are_those_of_the_slow_way(
            drawn in prop::collection::vec((0_usize..3, 1_usize..3, 0_u8..3, any::<bool>()), 12..60),
        ) {
            let mut items = Vec::new();
            let mut finals = Vec::new();
            let mut wins = [[0.0_f64; 3]; 3];
            for (at, (left, apart, what, turned)) in drawn.iter().enumerate() {
                let (left, right) = (*left, (left + apart) % 3);
                let item = pair(at, if *turned { [right, left] } else { [left, right] });
                let value = match (what, turned) {
                    (0, _) => "tie",
                    (1, false) | (2, true) => "first",
                    _ => "second",
                };
                let share = [0.5, 1.0, 0.0][usize::from(*what)];
                wins[left][right] += share;
                wins[right][left] += 1.0 - share;
                finals.push(settled(&item, Some(value)));
                items.push(item);
            }
            let plan = BootstrapPlan { resamples: 20, ..PLAN };
            let found = preferences("preference", &items, &finals, &plan);
            if let Ok(strengths) = &found.strengths {
                let mut slow = [1.0_f64; 3];
                for _ in 0..20_000 {
                    let before = slow;
                    for a in 0..3 {
                        let others = (0..3).filter(|b| *b != a);
                        let won: f64 = others.clone().map(|b| wins[a][b]).sum();
                        let met = others.map(|b| (wins[a][b] + wins[b][a]) / (before[a] + before[b]));
                        slow[a] = won / met.sum::<f64>();
                    }
                    let mean = slow.iter().map(|it| it.ln()).sum::<f64>() / 3.0;
                    slow = slow.map(|it| it / mean.exp());
                }
                for strength in strengths {
                    let at = found.models.iter().position(|it| *it == strength.model).unwrap();
                    let apart = (strength.log_strength - slow[at].ln()).abs();
                    prop_assert!(apart < 1e-6, "{strengths:?} {slow:?}");
                    if let Ok(of) = &strength.interval {
                        prop_assert!(of.interval.low <= of.interval.high && of.left_out <= 1);
                    }
                }
            }
        }
    }
}

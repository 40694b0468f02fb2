//! NDEC and task success: how a person would have worked, and whether it came out right.
//!
//! NDEC (non-destructive editing consistency) is a checklist of six questions that people answer
//! about a trajectory beside the gold one. Tables are by model, difficulty and whether the task is
//! about layers. Source: PSBench, section 3.3, equations 2 and 3, Tables 3 and 4, Figure 4.

use std::collections::BTreeMap;

use super::{MissingScore, Score};

/// The questions of the checklist: does the trajectory make proper use of …?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChecklistItem {
    /// Smart objects.
    SmartObjects,
    /// Layer and filter masks.
    Masks,
    /// Smart filters.
    SmartFilters,
    /// Adjustment layers.
    AdjustmentLayers,
    /// Duplicated layers.
    DuplicateLayers,
    /// Blank layers to work on.
    BlankLayers,
}

impl ChecklistItem {
    /// All six, in the order of the paper.
    pub const ALL: [Self; 6] = [
        Self::SmartObjects,
        Self::Masks,
        Self::SmartFilters,
        Self::AdjustmentLayers,
        Self::DuplicateLayers,
        Self::BlankLayers,
    ];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::SmartObjects => "smart objects",
            Self::Masks => "masks",
            Self::SmartFilters => "smart filters",
            Self::AdjustmentLayers => "adjustment layers",
            Self::DuplicateLayers => "duplicate layers",
            Self::BlankLayers => "blank layers",
        }
    }
}

/// The answers about one trajectory, in the order of [`ChecklistItem::ALL`]; `None` is unanswered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checklist(pub [Option<bool>; 6]);

impl Checklist {
    /// The answer to one question.
    pub fn answer(self, item: ChecklistItem) -> Option<bool> {
        self.0[item as usize]
    }

    /// NDEC of the task in per cent, 0..=100. Undefined while a question is unanswered.
    pub fn ndec(self) -> Score {
        // Equation 2 divides by all six: an open question is neither yes nor no, so there is no
        // score yet rather than a low one.
        let answered: Option<Vec<bool>> = self.0.into_iter().collect();
        let Some(answers) = answered else {
            let open = self.0.iter().filter(|answer| answer.is_none()).count();
            return undefined(format!("{open} of 6 questions are not answered"));
        };
        let satisfied = answers.into_iter().filter(|yes| *yes).count();
        Score::Value(satisfied as f64 / 6.0 * 100.0)
    }
}

/// Whether a task is about layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerRelation {
    /// `LR` in the paper's tables.
    LayerRelated,
    /// `NLR`.
    NotLayerRelated,
}

/// One attempt at a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskResult<'a> {
    /// Who tried.
    pub model: &'a str,
    /// How hard the task is, in the task set's own words.
    pub difficulty: &'a str,
    /// Whether it is about layers, where the task set says.
    pub layers: Option<LayerRelation>,
    /// Whether it succeeded; `None` while nobody has said.
    pub success: Option<bool>,
    /// How long it took, if known.
    pub seconds: Option<f64>,
    /// What people said about the trajectory, if they did.
    pub checklist: Option<Checklist>,
}

/// What a cell of a table is about; `None` is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellKey {
    /// Which model.
    pub model: String,
    /// Which difficulty.
    pub difficulty: Option<String>,
    /// Which relation to layers.
    pub layers: Option<LayerRelation>,
}

/// The results of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct ChecklistCell {
    /// Attempts.
    pub attempts: usize,
    /// Those of which it is known whether they succeeded.
    pub judged: usize,
    /// Those that did.
    pub successes: usize,
    /// Successes over judged attempts, in per cent.
    pub success_rate: Score,
    /// Mean time of the successes alone, in seconds.
    pub completion_secs: Score,
    /// Mean NDEC over whole checklists, in per cent.
    pub ndec: Score,
    /// The share of yes to each question, over its answers, in per cent.
    pub by_item: [Score; 6],
}

impl ChecklistCell {
    /// Sums up attempts. What has nothing to be computed from says so.
    pub fn of(results: &[TaskResult<'_>]) -> Self {
        // An attempt that nobody judged is no failure: it is counted, but not in the rate.
        let outcomes: Vec<bool> = results.iter().filter_map(|result| result.success).collect();
        // The paper gives the average completion time of successful tasks, not of attempts.
        let successes = results.iter().filter(|result| result.success == Some(true));
        let seconds = successes.filter_map(|result| result.seconds);
        let checklists: Vec<_> = results.iter().filter_map(|result| result.checklist).collect();
        // Equation 3 divides by the tasks that have a score: one left half open has none.
        let ndec = checklists.iter().filter_map(|checklist| checklist.ndec().value());
        Self {
            attempts: results.len(),
            judged: outcomes.len(),
            successes: outcomes.iter().filter(|success| **success).count(),
            success_rate: mean(outcomes.iter().copied().map(per_cent), "no attempt is judged"),
            completion_secs: mean(seconds, "no success has a time"),
            ndec: mean(ndec, "no checklist is filled in"),
            by_item: ChecklistItem::ALL.map(|item| {
                let answers = checklists.iter().filter_map(|checklist| checklist.answer(item));
                mean(answers.map(per_cent), "nobody answered")
            }),
        }
    }
}

/// The cells of a table: each model by difficulty and relation to layers, by each of them alone,
/// and overall.
pub fn tabulate(results: &[TaskResult<'_>]) -> BTreeMap<CellKey, ChecklistCell> {
    let mut groups: BTreeMap<CellKey, Vec<TaskResult<'_>>> = BTreeMap::new();
    for result in results {
        for difficulty in [None, Some(result.difficulty)] {
            // Where the task set does not say, there is no third relation: it counts overall only.
            for layers in std::iter::once(None).chain(result.layers.map(Some)) {
                let model = result.model.to_owned();
                let key = CellKey { model, difficulty: difficulty.map(str::to_owned), layers };
                groups.entry(key).or_default().push(*result);
            }
        }
    }
    groups.into_iter().map(|(key, results)| (key, ChecklistCell::of(&results))).collect()
}

fn per_cent(yes: bool) -> f64 {
    if yes { 100.0 } else { 0.0 }
}

fn mean(values: impl Iterator<Item = f64>, why_not: &str) -> Score {
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return undefined(why_not.to_owned());
    }
    Score::from_number(values.iter().sum::<f64>() / values.len() as f64)
}

fn undefined(why: String) -> Score {
    Score::Missing(MissingScore::Undefined(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Checklist =
        Checklist([Some(true), Some(true), Some(true), Some(false), Some(false), Some(false)]);

    fn result(difficulty: &str, success: bool, seconds: f64) -> TaskResult<'_> {
        TaskResult {
            model: "m",
            difficulty,
            layers: Some(LayerRelation::LayerRelated),
            success: Some(success),
            seconds: Some(seconds),
            checklist: None,
        }
    }

    #[test]
    fn three_of_six_are_half() {
        assert_eq!(HALF.ndec(), Score::Value(50.0));
        assert!(Checklist::default().ndec().value().is_none());
        assert_eq!(HALF.answer(ChecklistItem::Masks), Some(true));
    }

    #[test]
    fn only_successes_have_a_completion_time() {
        let cell = ChecklistCell::of(&[result("easy", true, 40.0), result("easy", false, 300.0)]);
        assert_eq!(cell.completion_secs, Score::Value(40.0));
        assert_eq!(cell.success_rate, Score::Value(50.0));
        assert!(ChecklistCell::of(&[result("easy", false, 3.0)]).completion_secs.value().is_none());
        assert!(ChecklistCell::of(&[]).success_rate.value().is_none());
    }

    #[test]
    fn attempts_count_in_every_cell_they_belong_to() {
        let mut filled = result("hard", true, 10.0);
        filled.checklist = Some(HALF);
        let unjudged = TaskResult { success: None, layers: None, ..result("easy", false, 1.0) };
        let table = tabulate(&[filled, result("easy", false, 20.0), unjudged]);
        let all = CellKey { model: "m".to_owned(), ..CellKey::default() };
        let overall = &table[&all];
        assert_eq!((overall.attempts, overall.judged, overall.successes), (3, 2, 1));
        assert_eq!(overall.ndec, Score::Value(50.0));
        assert_eq!(overall.by_item[0], Score::Value(100.0));
        let hard = CellKey { difficulty: Some("hard".to_owned()), ..all };
        assert_eq!(table[&hard].success_rate, Score::Value(100.0));
        assert_eq!(table.len(), 6);
    }
}

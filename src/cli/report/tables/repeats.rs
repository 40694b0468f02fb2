//! Repeats of the same runs: the mean over tasks beside the spread between repeats, and pass@k. Ours, and
//! in none of the papers.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::environment::EnvironmentKind;
use crate::evaluate::{Condition, OtherSettings, RowNames};
use crate::metric::stats::{mean, pass_at_k, standard_deviation};

use super::run_summary::{Columns, RunSummary};
use super::sources::Sources;
use super::success::Success;
use super::table::{Cell, PaperTable};

/// The ks of pass@k that are printed, as far as there are repeats.
const KS: [usize; 5] = [1, 2, 3, 5, 10];

const NO_SUCCESS: &str = "what counts as a success was not said: --success 'ssim>=0.9'";

/// Runs that were made alike, by task and by repeat.
struct RepeatGroup<'a> {
    name: String,
    columns: &'a Columns,
    tasks: BTreeMap<&'a str, BTreeMap<u32, &'a RunSummary>>,
    /// Runs that say the same repeat of the same task twice: the first counts.
    doubled: usize,
}

/// The mean over tasks of each group of runs beside the spread between their repeats.
pub(super) fn repeats(sources: &Sources) -> PaperTable {
    let title = "Repeats of Pentimento (in none of the papers): the mean over tasks, the spread between \
                 repeats, pass@k";
    let headings = ["Model", "Metric", "Tasks", "Repeats", "Mean", "Spread"];
    let mut table = PaperTable::new("repeats", title, &headings);
    table.heading_columns = 2;
    let groups = groups(sources);
    // Only as far as there are repeats: pass@k draws k of them.
    let most = groups.iter().map(RepeatGroup::repeats).max().unwrap_or(0);
    let ks: Vec<usize> = KS.into_iter().filter(|k| *k <= most).collect();
    table.columns.extend(ks.iter().map(|k| format!("pass@{k}")));
    for group in &groups {
        group.add_rows(sources.success.as_ref(), &ks, &mut table);
    }
    let success = match &sources.success {
        Some(success) => format!("A run succeeds if {success} at its end."),
        None => format!("There is no pass@k: {NO_SUCCESS}."),
    };
    table
        .with_remark(
            "Mean: over the repeats, of the mean over the tasks that have a score in every repeat. \
             Spread: the sample standard deviation of those means of the repeats. pass@k: the mean over \
             tasks of 1 − C(n − c, k) / C(n, k), with c successes of n repeats (Chen et al. 2021, \
             section 2.1).",
        )
        .with_remark(&success)
}

fn groups(sources: &Sources) -> Vec<RepeatGroup<'_>> {
    type Key<'a> = (bool, &'a str, &'a Condition, &'a OtherSettings);
    let mut by: BTreeMap<Key<'_>, Vec<&RunSummary>> = BTreeMap::new();
    for run in &sources.runs {
        let is_suite = run.environment == EnvironmentKind::Suite;
        by.entry((is_suite, &run.model, &run.condition, &run.others)).or_default().push(run);
    }
    let names = RowNames::of(by.keys().map(|(_, model, condition, _)| (*model, *condition)));
    let keys: Vec<&Key<'_>> = by.keys().collect();
    by.iter()
        .map(|(key, runs)| {
            let (is_suite, model, condition, others) = key;
            let mut name = names.name(model, condition);
            // What is no condition, such as the most turns, tells them apart only where it has to.
            let alike = keys.iter().filter(|other| (other.1, other.2) == (*model, *condition));
            if alike.count() > 1 {
                let said =
                    others.iter().map(|(name, is)| format!("{} {is}", name.replace('_', " ")));
                name = [vec![name], said.collect()].concat().join(" · ");
            }
            let columns = if *is_suite { &sources.suite } else { &sources.canvas };
            RepeatGroup::of(name, columns, runs)
        })
        .collect()
}

impl<'a> RepeatGroup<'a> {
    fn of(name: String, columns: &'a Columns, runs: &[&'a RunSummary]) -> Self {
        let mut group = Self { name, columns, tasks: BTreeMap::new(), doubled: 0 };
        let mut sorted = runs.to_vec();
        // Runs of no experiment are repeats in the order in which they were begun.
        sorted
            .sort_by(|a, b| (&a.task, a.repeat, &a.started).cmp(&(&b.task, b.repeat, &b.started)));
        for run in sorted {
            let repeats = group.tasks.entry(run.task.as_str()).or_default();
            let next = repeats.keys().next_back().map_or(1, |last| last + 1);
            let repeat = run.repeat.unwrap_or(next);
            match repeats.entry(repeat) {
                Entry::Vacant(free) => {
                    free.insert(run);
                }
                Entry::Occupied(_) => group.doubled += 1,
            }
        }
        group
    }

    fn repeats(&self) -> usize {
        let all: BTreeSet<u32> = self.tasks.values().flat_map(BTreeMap::keys).copied().collect();
        all.len()
    }

    fn runs(&self) -> impl Iterator<Item = &RunSummary> {
        self.tasks.values().flat_map(BTreeMap::values).copied()
    }

    /// A row a metric that any of the runs has; pass@k beside the metric that it goes by, or in the first.
    fn add_rows(&self, success: Option<&Success>, ks: &[usize], table: &mut PaperTable) {
        let printed: Vec<usize> = (0..self.columns.len())
            .filter(|at| self.runs().any(|run| score_of(run, *at).is_some()))
            .collect();
        let mut head = vec![Cell::text(self.name.as_str())];
        let Some(first) = printed.first() else {
            let none = Cell::Missing("no run has a score".to_owned());
            let repeats = Cell::text(self.repeats().to_string());
            head.extend([none.clone(), self.tasks_cell(0), repeats]);
            head.extend(std::iter::repeat_n(none, ks.len() + 2));
            table.rows.push(head);
            return;
        };
        let of_success = success.and_then(|success| success.column(self.columns));
        // Pass@k is of one metric: it stands once, in the row of that, and not beside every other.
        let row_of_success = of_success.filter(|at| printed.contains(at)).unwrap_or(*first);
        for (at, column) in self.columns.iter().enumerate().filter(|(at, _)| printed.contains(at)) {
            let (whole, mean, spread) = self.spread(at);
            let mut row = vec![Cell::text(self.name.as_str()), Cell::text(column.heading.as_str())];
            row.extend([self.tasks_cell(whole), Cell::text(self.repeats().to_string())]);
            row.extend([mean, spread]);
            row.extend(ks.iter().map(|k| match (success, of_success) {
                _ if at != row_of_success => Cell::text(""),
                (None, _) => Cell::Missing(NO_SUCCESS.to_owned()),
                (Some(success), Some(column)) if printed.contains(&column) => {
                    self.pass_at(*k, success, column)
                }
                (Some(success), _) => {
                    Cell::Missing(format!("no run has a score of {} here", success.metric))
                }
            }));
            table.rows.push(row);
        }
    }

    /// How many tasks count, and what is left out.
    fn tasks_cell(&self, whole: usize) -> Cell {
        let left_out = self.tasks.len() - whole;
        let failed = self.runs().filter(|run| run.has_failed).count();
        let notes = [
            (left_out > 0).then(|| {
                format!("{left_out} of {} tasks lack a repeat or a score", self.tasks.len())
            }),
            (failed > 0)
                .then(|| format!("{failed} runs failed: they have no score and are no success")),
            (self.doubled > 0).then(|| {
                format!("{} of a repeat that was there already were left out", self.doubled)
            }),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        Cell::text(whole.to_string()).with_note(note)
    }

    /// How many tasks count, the mean over them, and the spread of the means of the repeats.
    fn spread(&self, column: usize) -> (usize, Cell, Cell) {
        let repeats: BTreeSet<u32> =
            self.tasks.values().flat_map(BTreeMap::keys).copied().collect();
        // The scores of each task in every repeat, if it has all of them.
        let whole: Vec<Vec<f64>> = self
            .tasks
            .values()
            .filter_map(|task| {
                repeats.iter().map(|repeat| score_of(task.get(repeat)?, column)).collect()
            })
            .collect();
        // A mean for each repeat over the same tasks, so that the spread is that of repeats and not of tasks.
        let means: Vec<f64> = (0..repeats.len())
            .filter_map(|repeat| {
                let scores: Vec<f64> = whole.iter().map(|scores| scores[repeat]).collect();
                mean(&scores).ok()
            })
            .collect();
        let of_all = match mean(&means) {
            Ok(mean) => Cell::text(format!("{mean:.3}")),
            Err(_) => Cell::Missing("no task has a score in every repeat".to_owned()),
        };
        let spread = if repeats.len() < 2 {
            Cell::Missing("there is one repeat: no spread is known".to_owned())
        } else {
            match standard_deviation(&means) {
                Ok(deviation) => Cell::text(format!("{deviation:.3}")),
                Err(why) => Cell::Missing(why.to_string()),
            }
        };
        (whole.len(), of_all, spread)
    }

    fn pass_at(&self, k: usize, success: &Success, column: usize) -> Cell {
        let (mut estimates, mut short) = (Vec::new(), 0);
        for task in self.tasks.values() {
            let successes = task.values().filter(|run| success.of(run, column)).count();
            match pass_at_k(task.len(), successes, k) {
                Ok(estimate) => estimates.push(estimate),
                // The estimate of fewer repeats than k would be one for another k.
                Err(_too_few) => short += 1,
            }
        }
        let unscored = self.runs().filter(|run| !run.has_failed && score_of(run, column).is_none());
        let unscored = unscored.count();
        let notes = [
            (short > 0).then(|| {
                format!("{short} of {} tasks have fewer than {k} repeats", self.tasks.len())
            }),
            (unscored > 0)
                .then(|| format!("{unscored} runs without this score count as no success")),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        let cell = match mean(&estimates) {
            Ok(mean) => Cell::text(format!("{mean:.3}")),
            Err(_) => Cell::Missing(format!("no task has {k} repeats")),
        };
        cell.with_note(note)
    }
}

/// The score of a run at its end; one that failed has none that could be averaged.
fn score_of(run: &RunSummary, column: usize) -> Option<f64> {
    run.last(column).ok().filter(|_| !run.has_failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Registry;

    fn run(task: &str, repeat: Option<u32>, started: &str, ssim: Option<f64>) -> RunSummary {
        let score = ssim.ok_or_else(|| "it is blank".to_owned());
        RunSummary {
            model: "m".to_owned(),
            task: task.to_owned(),
            repeat,
            started: started.to_owned(),
            points: vec![vec![score]],
            ..RunSummary::default()
        }
    }

    fn table(runs: Vec<RunSummary>, success: Option<&str>) -> PaperTable {
        let canvas = Columns::canvas(&Registry::built_in());
        let success = success.map(|it| it.parse().unwrap());
        repeats(&Sources { canvas, runs, success, ..Sources::default() })
    }

    fn words(row: &[Cell]) -> Vec<String> {
        let words = row.iter().map(|cell| match cell {
            Cell::Text(words) | Cell::Noted { words, .. } => words.clone(),
            Cell::Missing(_) => "—".to_owned(),
        });
        words.collect()
    }

    #[test]
    fn the_spread_is_between_repeats_and_not_between_tasks() {
        let runs = vec![
            run("a", Some(1), "", Some(0.5)),
            run("b", Some(1), "", Some(0.9)),
            run("a", Some(2), "", Some(0.7)),
            run("b", Some(2), "", Some(0.9)),
        ];
        let table = table(runs, Some("ssim>=0.8"));
        assert_eq!(table.rows.len(), 1);
        // Means 0.7 and 0.8; of a none succeeds, of b both.
        let row = words(&table.rows[0]);
        assert_eq!(row, ["m", "SSIM", "2", "2", "0.750", "0.071", "0.500", "0.500"]);
    }

    #[test]
    fn what_is_missing_is_said_and_not_averaged_over() {
        let runs = vec![
            run("a", None, "2", Some(0.4)),
            run("a", None, "1", Some(0.8)),
            run("b", None, "1", Some(0.9)),
            run("c", None, "1", None),
        ];
        let made = table(runs.clone(), None);
        let row = words(&made.rows[0]);
        assert_eq!(row[..6], ["m", "SSIM", "1", "2", "0.600", "0.283"]);
        assert_eq!(made.rows[0][2].note(), Some("2 of 3 tasks lack a repeat or a score"));
        assert!(made.rows[0][6].note().unwrap().contains("--success"));
        let made = table(runs, Some("ssim>=0.5"));
        // Of a one of two, of b the one, of c none that is known.
        assert_eq!(words(&made.rows[0])[6..], ["0.500", "1.000"]);
        let note = made.rows[0][7].note().unwrap();
        assert!(note.contains("2 of 3 tasks have fewer than 2 repeats"), "{note}");
        assert!(note.contains("1 runs without this score count as no success"), "{note}");
        let one = table(vec![run("a", Some(1), "", Some(0.5))], Some("psnr>=20"));
        let row = &one.rows[0];
        assert!(matches!(&row[5], Cell::Missing(why) if why.contains("one repeat")));
        assert!(
            matches!(&row[6], Cell::Missing(why) if why.contains("no run has a score of psnr"))
        );
    }

    #[test]
    fn a_run_that_failed_is_neither_averaged_nor_a_success() {
        let failed = RunSummary { has_failed: true, ..run("a", Some(2), "", Some(0.9)) };
        let made = table(vec![run("a", Some(1), "", Some(0.9)), failed.clone()], Some("ssim>=0.5"));
        let row = words(&made.rows[0]);
        assert_eq!(row, ["m", "SSIM", "0", "2", "—", "—", "0.500", "1.000"]);
        assert!(made.rows[0][2].note().unwrap().contains("1 runs failed"));
        let none = table(vec![failed], Some("ssim>=0.5"));
        assert!(matches!(&none.rows[0][1], Cell::Missing(why) if why == "no run has a score"));
    }

    #[test]
    fn a_repeat_that_is_there_twice_counts_once() {
        let runs = vec![
            run("a", Some(1), "1", Some(0.5)),
            run("a", Some(1), "2", Some(0.9)),
            run("a", Some(2), "3", Some(0.7)),
        ];
        let table = table(runs, None);
        assert_eq!(words(&table.rows[0])[..5], ["m", "SSIM", "1", "2", "0.600"]);
        assert!(table.rows[0][2].note().unwrap().contains("1 of a repeat"));
    }
}

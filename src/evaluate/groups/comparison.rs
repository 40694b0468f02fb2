//! What is found over two groups of runs on the same tasks, in words and as a table: the same in the window and on the
//! command line.

use super::difference::Difference;
use super::group_by::GroupBy;
use super::matched::{GroupSide, MatchedTask};
use super::passing::{GroupMetric, PassRule, threshold_word};
use crate::base::one_line;
use crate::evaluate::made_by::MadeBy;
use crate::evaluate::relation::p_words;
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::metric::stats::{PMethod, PassTable, holm};

/// Two groups of runs, task by task.
#[derive(Clone, Debug)]
pub struct GroupComparison<R> {
    /// What separates them.
    pub by: GroupBy,
    /// What they are called.
    pub names: [String; 2],
    /// What they are compared by.
    pub metric: GroupMetric,
    /// Which runs pass; `None`: nothing says it.
    pub rule: Option<PassRule>,
    /// The tasks of either.
    pub tasks: Vec<MatchedTask<R>>,
    /// How they differ at the tasks of both, or why that is not known.
    pub difference: Result<Difference, String>,
}

impl<R> GroupComparison<R> {
    /// How many runs a group has.
    pub fn runs(&self, side: GroupSide) -> usize {
        self.tasks.iter().map(|task| task.side(side).runs.len()).sum()
    }

    /// At how many tasks which of the two passes.
    pub fn contingency(&self) -> Option<PassTable> {
        Some(self.rule?.contingency(self.tasks.iter().filter_map(MatchedTask::both)))
    }

    /// McNemar's and Wilcoxon's p-values, each with what Holm's correction over those there are makes of it; or why
    /// there is none.
    pub fn p_values(&self) -> [Result<(f64, f64), String>; 2] {
        let mcnemar = match self.contingency() {
            Some(counts) => counts.mcnemar().map_err(|why| why.to_string()),
            None => Err(format!(
                "nothing says {} which {} a run passes: set it (--passes-from)",
                threshold_word(self.metric.direction),
                self.metric.id
            )),
        };
        let wilcoxon = self.difference.as_ref().map_err(String::clone).and_then(|difference| {
            let test = difference.signed_rank.as_ref();
            test.map(|test| test.p).map_err(ToString::to_string)
        });
        let found = [mcnemar, wilcoxon];
        let known: Vec<f64> = found.iter().flatten().copied().collect();
        let mut adjusted = holm(&known).into_iter();
        found.map(|p| p.map(|p| (p, adjusted.next().unwrap_or(p))))
    }

    /// The tasks at which only the other group has a value.
    pub fn missing(&self, side: GroupSide) -> Vec<&str> {
        let lacking = self.tasks.iter().filter(|task| task.lacks(side));
        lacking.map(|task| task.task.id.as_str()).collect()
    }

    /// The tasks at which runs of a group have an infinite value, which is in no mean.
    pub fn infinite(&self, side: GroupSide) -> Vec<&str> {
        let infinite = self.tasks.iter().filter(|task| task.side(side).infinite > 0);
        infinite.map(|task| task.task.id.as_str()).collect()
    }

    /// All that is found over the tasks, a line each.
    pub fn findings(&self) -> Vec<String> {
        let lines = self.of_tasks().into_iter().chain(self.of_tests());
        // What groups and tasks call themselves must not break a line.
        lines.map(|line| one_line(&line)).collect()
    }

    fn of_tasks(&self) -> Vec<String> {
        let both = self.tasks.iter().filter(|task| task.both().is_some()).count();
        let mut lines = vec![format!("{both} tasks of both")];
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            let missing = self.missing(side);
            if !missing.is_empty() {
                let (tasks, ids) = (missing.len(), missing.join(", "));
                lines.push(format!("{name} is missing at {tasks}: {ids}"));
            }
        }
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            let infinite = self.infinite(side);
            if !infinite.is_empty() {
                let (tasks, ids) = (infinite.len(), infinite.join(", "));
                lines.push(format!(
                    "{name} is infinite at {tasks} (identical pictures, in no mean): {ids}"
                ));
            }
        }
        let repeats = GroupSide::BOTH
            .map(|side| self.tasks.iter().map(|task| task.side(side).measured).max().unwrap_or(0));
        if repeats.iter().any(|runs| *runs > 1) {
            lines.push(format!(
                "several runs at a task count as their mean: up to {} of {}, {} of {}",
                repeats[0], self.names[0], repeats[1], self.names[1]
            ));
        }
        lines
    }

    fn of_tests(&self) -> Vec<String> {
        let [first, second] = &self.names;
        let mut lines = Vec::new();
        if let (Some(rule), Some(counts)) = (self.rule, self.contingency()) {
            let PassTable { both, only_first, only_second, neither } = counts;
            let (word, from) = (threshold_word(rule.direction), rule.from);
            lines.push(format!(
                "passing {word} {from}: both {both}, only {first} {only_first}, only {second} {only_second}, neither \
                 {neither}"
            ));
        }
        let [mcnemar, wilcoxon] = self.p_values();
        lines.push(match mcnemar {
            Ok((p, holm)) => {
                format!("McNemar, exact: p {}, Holm {}", p_words(p), p_words(holm))
            }
            Err(why) => format!("McNemar: {why}"),
        });
        let difference = match &self.difference {
            Ok(difference) => difference,
            Err(why) => {
                lines.extend([format!("Wilcoxon: {why}"), format!("{first} - {second}: {why}")]);
                return lines;
            }
        };
        lines.push(match (wilcoxon, &difference.signed_rank) {
            (Ok((p, holm)), Ok(test)) => {
                let method = if test.method == PMethod::Exact { "exact" } else { "normal" };
                format!(
                    "Wilcoxon, {method}: p {}, Holm {}, rank-biserial {:.3}, {} ties",
                    p_words(p),
                    p_words(holm),
                    test.rank_biserial,
                    test.ties
                )
            }
            (Err(why), _) => format!("Wilcoxon: {why}"),
            (_, Err(why)) => format!("Wilcoxon: {why}"),
        });
        lines.push(match &difference.mean {
            Ok((mean, interval)) => {
                let d = match &difference.cohen_d {
                    Ok(d) => format!(", Cohen's d {d:.3}"),
                    Err(why) => format!("; no Cohen's d: {why}"),
                };
                let (low, high) = (interval.low, interval.high);
                format!(
                    "{first} - {second}: {mean:.3} [{low:.3}, {high:.3}] (95 %, bootstrap over tasks){d}"
                )
            }
            Err(why) => format!("{first} - {second}: {why}"),
        });
        lines
    }

    /// A row a task. What is found over all of them is said of the table, a line each; of `made_by` the runs, what they
    /// are compared by and what separates them are put in here.
    pub fn to_table(&self, mut made_by: MadeBy) -> TypedTable {
        let [first, second] = &self.names;
        let tasks = self.tasks.iter();
        let sets = tasks.clone().map(|task| Some(task.task.set.clone()));
        let ids = tasks.clone().map(|task| Some(task.task.id.clone()));
        let mut columns = vec![
            TypedColumn::texts("set", sets.collect()),
            TypedColumn::texts("task", ids.collect()),
        ];
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            let means = tasks.clone().map(|task| task.side(side).mean());
            columns.push(TypedColumn::numbers(format!("mean of {name}"), means.collect()));
            let runs = tasks.clone().map(|task| Some(task.side(side).measured as f64));
            columns.push(TypedColumn::numbers(format!("runs of {name}"), runs.collect()));
        }
        let differences =
            tasks.clone().map(|task| task.both().map(|(first, second)| first - second));
        columns.push(TypedColumn::numbers("difference", differences.collect()));
        for (side, name) in GroupSide::BOTH.into_iter().zip(&self.names) {
            // Few metrics can be infinite: of all others there is nothing to say.
            if !self.infinite(side).is_empty() {
                let runs = tasks.clone().map(|task| Some(task.side(side).infinite as f64));
                columns.push(TypedColumn::numbers(format!("infinite of {name}"), runs.collect()));
            }
        }
        let runs = GroupSide::BOTH.map(|side| self.runs(side));
        made_by.runs = format!("{} of {first}, {} of {second}", runs[0], runs[1]);
        made_by.choices.insert(0, ("groups by", self.by.to_string()));
        made_by.variants = vec![self.metric.id.clone()];
        let mut about = made_by.entries();
        let findings = (1..).zip(self.findings());
        about.extend(findings.map(|(number, line)| (format!("finding {number}"), line)));
        TypedTable { columns, about }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::groups::{GroupedRun, TaskIdentityRef, match_tasks};
    use crate::evaluate::typed_table::TypedValues;
    use crate::metric::Direction;

    /// Two groups by a number of which less is better: one task of repeats, and one that only the first has.
    fn comparison(chosen: Option<f64>) -> GroupComparison<u32> {
        let run = |id, side, value| {
            let task = TaskIdentityRef { set: "screens", id, content: None };
            GroupedRun { task, side, run: 0, value: Some(value) }
        };
        let [first, second] = GroupSide::BOTH;
        let tasks = match_tasks([
            run("a", first, 2.0),
            run("a", first, 4.0),
            run("a", second, 5.0),
            run("b", first, 9.0),
            run("b", second, 7.0),
            run("c", first, 1.0),
        ]);
        let both: Vec<(f64, f64)> = tasks.iter().filter_map(MatchedTask::both).collect();
        let (direction, range) = (Direction::LowerIsBetter, (0.0, f64::INFINITY));
        let metric = GroupMetric { id: "turns".to_owned(), direction, range };
        GroupComparison {
            by: GroupBy::Model,
            names: ["new", "old"].map(str::to_owned),
            rule: metric.rule(chosen),
            metric,
            tasks,
            difference: Ok(Difference::of(&both)),
        }
    }

    #[test]
    fn a_table_has_the_tasks_and_says_what_is_found_over_them() {
        let made_by = MadeBy {
            command: "pentimento compare".to_owned(),
            choices: vec![("filter", "x".to_owned())],
            ..MadeBy::default()
        };
        let table = comparison(Some(6.0)).to_table(made_by);
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let expected = ["set", "task", "mean of new", "runs of new", "mean of old", "runs of old"];
        assert_eq!(names[..6], expected);
        let differences = TypedValues::Numbers(vec![Some(-2.0), Some(2.0), None]);
        assert_eq!(table.columns[6].values, differences);
        let about: Vec<String> =
            table.about.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        // At `a` both are below it, at `b` neither.
        let expected = [
            "command: pentimento compare",
            "runs: 4 of new, 2 of old",
            "groups by: model",
            "filter: x",
            "metrics: turns",
            "finding 1: 2 tasks of both",
            "finding 2: old is missing at 1: c",
            "finding 3: several runs at a task count as their mean: up to 2 of new, 1 of old",
            "finding 4: passing up to 6: both 1, only new 0, only old 0, neither 1",
        ];
        assert_eq!(about[1..10], expected);
    }

    #[test]
    fn runs_that_are_equal_to_the_truth_are_infinite_and_not_missing() {
        let run = |id, side, value| {
            let task = TaskIdentityRef { set: "screens", id, content: None };
            GroupedRun { task, side, run: 0, value: Some(value) }
        };
        let [first, second] = GroupSide::BOTH;
        let tasks = match_tasks([
            run("a", first, f64::INFINITY),
            run("a", second, 5.0),
            run("b", first, 9.0),
            run("b", second, 7.0),
            run("c", second, 1.0),
        ]);
        let found = GroupComparison { tasks, ..comparison(None) };
        assert_eq!((found.missing(first), found.infinite(first)), (vec!["c"], vec!["a"]));
        let expected = [
            "1 tasks of both",
            "new is missing at 1: c",
            "new is infinite at 1 (identical pictures, in no mean): a",
        ];
        assert_eq!(found.findings()[..3], expected);
        let columns = found.to_table(MadeBy::default()).columns;
        assert_eq!(columns.len(), 8, "the second has none");
        assert_eq!(columns[7].name, "infinite of new");
        let counts = TypedValues::Numbers(vec![Some(1.0), Some(0.0), Some(0.0)]);
        assert_eq!(columns[7].values, counts);
    }

    #[test]
    fn what_is_not_known_is_said_in_its_place_and_a_name_breaks_no_line() {
        let mut found = comparison(None);
        assert_eq!(found.contingency(), None);
        found.difference = Err("it was not tested yet".to_owned());
        found.names[1] = "o\nld".to_owned();
        let lines = found.findings();
        let expected = [
            "McNemar: nothing says up to which turns a run passes: set it (--passes-from)",
            "Wilcoxon: it was not tested yet",
            "new - o ld: it was not tested yet",
        ];
        assert_eq!(lines[lines.len() - 3..], expected);
    }
}

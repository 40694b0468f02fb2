//! Which tools help and which harm, over many runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::evaluate::{Condition, RowNames};
use crate::metric::stats::{BootstrapPlan, Interval, bootstrap_mean, mean};
use crate::run::TaskRef;

use super::attribution::LeftOut;

/// Resamples of tasks of which [`ablate_tools`] has its intervals, in the window and on the command line.
pub const ABLATION_RESAMPLES: usize = 2_000;

/// A run whose calls were left out tool by tool ([`Grouping::Tool`](super::Grouping::Tool)).
#[derive(Clone, Debug, PartialEq)]
pub struct AblatedRun {
    /// Of which task.
    pub task: TaskRef,
    /// By which agent or model.
    pub agent: String,
    /// What it was made with, as far as it changes what comes of it.
    pub condition: Condition,
    /// By which variant it was scored.
    pub variant: String,
    /// What came of leaving each tool out; of each effect the first score counts.
    pub left_out: LeftOut,
}

/// What a tool brought to the runs of one agent that were made with the same.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolEffect {
    /// The tool.
    pub tool: String,
    /// The agent or model, and where its runs were made differently, in what these differ from the others.
    pub agent: String,
    /// By which variant.
    pub variant: String,
    /// Runs that called it and have both scores.
    pub runs: usize,
    /// Tasks of those runs.
    pub tasks: usize,
    /// Calls of it, in those runs: of runs without a score none count.
    pub calls: usize,
    /// The mean over tasks of how much better ends are with it than without; `None` without any run.
    pub brought: Option<f64>,
    /// The bootstrap interval of 95 % of that mean over tasks; `None` of fewer than two tasks.
    pub interval: Option<Interval>,
    /// Runs in which later calls failed without it.
    pub broke: usize,
    /// Runs that called it and have no score to compare.
    pub unscored: usize,
}

/// Effects by tool and agent, in the order of both names; an agent whose runs were made in several conditions has a row
/// for each. A task counts once, however many runs it has. Whoever asks leaves out runs that did not come to their end.
pub fn ablate_tools(runs: &[AblatedRun], plan: &BootstrapPlan) -> Vec<ToolEffect> {
    #[derive(Default)]
    struct Gathered<'a> {
        by_task: BTreeMap<&'a TaskRef, Vec<f64>>,
        calls: usize,
        broke: usize,
        unscored: usize,
        tasks: BTreeSet<&'a TaskRef>,
    }
    // By condition too, as in the tables: a mean over runs that were made differently would be of neither.
    let names = RowNames::of(runs.iter().map(|run| (run.agent.as_str(), &run.condition)));
    let mut gathered: BTreeMap<(&str, &str, &Condition, &str), Gathered<'_>> = BTreeMap::new();
    for run in runs {
        for effect in &run.left_out.effects {
            let (tool, agent) = (effect.group.label.as_str(), run.agent.as_str());
            let key = (tool, agent, &run.condition, run.variant.as_str());
            let of_tool = gathered.entry(key).or_default();
            of_tool.broke += usize::from(!effect.broke.is_empty());
            match effect.brought.first().copied().flatten() {
                Some(brought) => {
                    of_tool.calls += effect.group.steps.len();
                    of_tool.by_task.entry(&run.task).or_default().push(brought);
                    of_tool.tasks.insert(&run.task);
                }
                None => of_tool.unscored += 1,
            }
        }
    }
    let effects = gathered.into_iter().map(|((tool, agent, condition, variant), it)| {
        // The mean of each task first: one with many runs weighs no more than one with a single run.
        let of_tasks: Vec<f64> = it.by_task.values().filter_map(|all| mean(all).ok()).collect();
        // Of one task there is nothing to resample.
        let interval = (of_tasks.len() > 1).then(|| bootstrap_mean(&of_tasks, plan).ok()).flatten();
        ToolEffect {
            tool: tool.to_owned(),
            agent: names.name(agent, condition),
            variant: variant.to_owned(),
            runs: it.by_task.values().map(Vec::len).sum(),
            tasks: it.tasks.len(),
            calls: it.calls,
            brought: mean(&of_tasks).ok(),
            interval,
            broke: it.broke,
            unscored: it.unscored,
        }
    });
    effects.collect()
}

/// A column of words, by its name.
type ToolColumn = (&'static str, fn(&ToolEffect) -> &str);
/// A column of numbers, by its name.
type Numbers = (&'static str, fn(&ToolEffect) -> Option<f64>);

/// A row a tool, agent and variant, in their order; where it is from is for whoever writes it to say.
pub fn effects_table(effects: &[ToolEffect]) -> TypedTable {
    let texts: [ToolColumn; 3] =
        [("tool", |it| &it.tool), ("agent", |it| &it.agent), ("variant", |it| &it.variant)];
    let numbers: [Numbers; 8] = [
        ("runs", |it| Some(it.runs as f64)),
        ("tasks", |it| Some(it.tasks as f64)),
        ("calls", |it| Some(it.calls as f64)),
        ("brought", |it| it.brought),
        ("low", |it| it.interval.map(|it| it.low)),
        ("high", |it| it.interval.map(|it| it.high)),
        ("broke", |it| Some(it.broke as f64)),
        ("unscored", |it| Some(it.unscored as f64)),
    ];
    let texts = texts.into_iter().map(|(name, words)| {
        TypedColumn::texts(name, effects.iter().map(|it| Some(words(it).to_owned())).collect())
    });
    let numbers = numbers
        .into_iter()
        .map(|(name, number)| TypedColumn::numbers(name, effects.iter().map(number).collect()));
    TypedTable { columns: texts.chain(numbers).collect(), ..TypedTable::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::what_if::{CallGroup, GroupEffect};
    use crate::metric::Score;

    fn run(task: &str, brought: Option<f64>, broke: &[u32]) -> AblatedRun {
        let group = CallGroup { label: "set_fill".to_owned(), steps: vec![1, 2] };
        let without = vec![Score::Value(0.5)];
        let effect = GroupEffect { group, without, brought: vec![brought], broke: broke.to_vec() };
        AblatedRun {
            task: TaskRef { set: "s".to_owned(), id: task.to_owned() },
            agent: "a".to_owned(),
            condition: Condition::of_mode("multi_turn"),
            variant: "ssim/uniform7".to_owned(),
            left_out: LeftOut { full: vec![Score::Value(0.7)], effects: vec![effect] },
        }
    }

    #[test]
    fn a_task_counts_once_however_many_runs_it_has() {
        let runs = [
            run("one", Some(0.1), &[]),
            run("one", Some(0.3), &[4]),
            run("two", Some(0.6), &[]),
            run("two", None, &[]),
        ];
        let effects = ablate_tools(&runs, &BootstrapPlan::default());
        assert_eq!(effects.len(), 1);
        let effect = &effects[0];
        assert!((effect.brought.unwrap() - 0.4).abs() < 1e-12);
        assert_eq!((effect.runs, effect.tasks, effect.calls), (3, 2, 6), "of scored runs");
        assert_eq!((effect.broke, effect.unscored), (1, 1));
        let Interval { low, high } = effect.interval.unwrap();
        assert!(low <= 0.4 && 0.4 <= high);
        let one = ablate_tools(&runs[..2], &BootstrapPlan::default());
        assert_eq!(one[0].interval, None, "of one task there is no spread");
        assert!(ablate_tools(&[], &BootstrapPlan::default()).is_empty());
    }

    #[test]
    fn runs_that_were_made_differently_are_rows_of_their_own_which_say_in_what() {
        let mut single = run("one", Some(0.6), &[]);
        single.condition = Condition::of_mode("single_turn");
        let runs = [run("one", Some(0.2), &[]), single, run("two", Some(0.4), &[])];
        let effects = ablate_tools(&runs, &BootstrapPlan::default());
        let rows: Vec<(&str, usize)> = effects.iter().map(|it| (&*it.agent, it.runs)).collect();
        assert_eq!(rows, [("a · multi_turn", 2), ("a · single_turn", 1)]);
        assert!((effects[0].brought.unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(effects[1].brought, Some(0.6));
    }

    #[test]
    fn the_table_has_runs_without_a_score_and_empty_cells_where_there_is_no_number() {
        let effects = ablate_tools(&[run("one", None, &[3])], &BootstrapPlan::default());
        assert_eq!(
            effects_table(&effects).to_csv(),
            "tool,agent,variant,runs,tasks,calls,brought,low,high,broke,unscored\n\
             set_fill,a,ssim/uniform7,0,0,0,,,,1,1\n"
        );
    }
}

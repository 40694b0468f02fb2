//! The tables of CANVAS.

use std::collections::{BTreeMap, BTreeSet};

use crate::metric::behavior::{EditedScore, NoChange, Pos, PosDistribution, ToolAgreement};
use crate::metric::{Direction, Score};
use crate::task::TaskKind;

use super::facts::{ColumnScore, Columns, RunFacts, value_or_reason};
use super::numbers::{deviation, mean, quantile};
use super::table::{Cell, PaperTable};

const NO_RUNS: &str = "there is no such run";
const NO_TOOLS: &str = "only pictures were recorded of these runs, so their tools are not known";
const NO_ANNOTATION: &str = "nobody annotated the tools of these tasks";

/// What CANVAS calls modification.
const MODIFICATION: [TaskKind; 3] =
    [TaskKind::AttributeUpdate, TaskKind::ComponentInsertion, TaskKind::ModeChange];

/// Table 1: scores of both tasks.
pub(super) fn scores(columns: &Columns, runs: &[RunFacts]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-1",
        "CANVAS, Table 1: scores on design replication and modification",
        &["Model"],
    );
    for task in ["Replication", "Modification"] {
        table.columns.extend(columns.iter().map(|column| format!("{task} · {}", column.heading)));
    }
    let row = |model: &str, runs: &[&RunFacts]| {
        let replication = of_kinds(runs, &[TaskKind::Replication]);
        let modification = of_kinds(runs, &MODIFICATION);
        let mut cells = vec![Cell::text(model)];
        cells.extend((0..columns.len()).map(|at| Cell::of(with_deviation(&replication, at))));
        cells.extend((0..columns.len()).map(|at| Cell::of(with_gain(&modification, at))));
        cells
    };
    let rows = by_model(runs).iter().map(|(model, runs)| row(model, runs)).collect();
    table.with_rows(rows).with_remark(
        "± is the sample standard deviation over runs; Δ the mean change from the start.",
    )
}

/// Table 2: how many scores rise, in Task 1.
pub(super) fn pos_at_k(columns: &Columns, runs: &[RunFacts]) -> PaperTable {
    let heading = ["Model", "Pos@4", "Pos@3", "Pos@2", "Pos@1", "Pos@0", "F"];
    let table = PaperTable::new(
        "canvas-2",
        "CANVAS, Table 2: distribution of Pos@K in Task 1, attribute update",
        &heading,
    );
    let row = |(model, runs): (&&str, &Vec<&RunFacts>)| {
        let mut cells = vec![Cell::text(*model)];
        cells.extend(pos_cells(columns, &of_kinds(runs, &[TaskKind::AttributeUpdate])));
        cells
    };
    let rows = by_model(runs).iter().map(row).collect();
    table.with_rows(rows).with_remark(
        "A run counts for each of its scores that does not fall; if none changes, it is Pos@0. \
         F: no call did anything.",
    )
}

fn pos_cells(columns: &Columns, runs: &[&RunFacts]) -> Vec<Cell> {
    let most = columns.len();
    let missing = |why: String| vec![Cell::Missing(why); most + 2];
    let cases: Vec<Pos> = match runs.iter().map(|run| pos_of(columns, run)).collect() {
        Ok(cases) => cases,
        Err(why) => return missing(format!("Pos@K needs all scores: {why}")),
    };
    if cases.is_empty() {
        return missing(NO_RUNS.to_owned());
    }
    let found = PosDistribution::of(most, cases);
    let percent = |share: Score| {
        Cell::of(value_or_reason(&share).map(|share| format!("{:.1}%", 100.0 * share)))
    };
    let shares = (0..=most).rev().map(|k| percent(found.share(k)));
    shares.chain([percent(found.failed_share())]).collect()
}

/// How many scores a run made better; why this cannot be told if one of them is missing.
fn pos_of(columns: &Columns, run: &RunFacts) -> Result<Pos, String> {
    if run.is_idle == Some(true) {
        return Ok(Pos::Failed);
    }
    let ends = columns.iter().enumerate().map(|(at, column)| {
        let direction = column.variant.as_ref().map(|variant| variant.direction);
        let (before, after) = (Score::Value(run.first(at)?), Score::Value(run.last(at)?));
        Ok((before, after, direction.unwrap_or(Direction::HigherIsBetter)))
    });
    let ends: Vec<(Score, Score, Direction)> = ends.collect::<Result<_, String>>()?;
    let edited = ends.iter().map(|(before, after, direction)| EditedScore {
        before,
        after,
        direction: *direction,
    });
    let edited: Vec<EditedScore<'_>> = edited.collect();
    Pos::of(&edited, NoChange::IsBetterUnlessAllStay).map_err(|why| why.to_string())
}

/// Table 3: tools of all modifications.
pub(super) fn tools_of_modifications(runs: &[RunFacts]) -> PaperTable {
    tools(
        "canvas-3",
        "CANVAS, Table 3: tool invocation, all modification tasks",
        &MODIFICATION,
        runs,
    )
}

/// Table 17: tools of Task 1.
pub(super) fn tools_of_task_1(runs: &[RunFacts]) -> PaperTable {
    let title = "CANVAS, Table 17: tool invocation, Task 1, attribute update";
    tools("canvas-17", title, &[TaskKind::AttributeUpdate], runs)
}

/// Table 18: tools of Task 2.
pub(super) fn tools_of_task_2(runs: &[RunFacts]) -> PaperTable {
    let title = "CANVAS, Table 18: tool invocation, Task 2, component insertion";
    tools("canvas-18", title, &[TaskKind::ComponentInsertion], runs)
}

/// Table 19: tools of Task 3.
pub(super) fn tools_of_task_3(runs: &[RunFacts]) -> PaperTable {
    let title = "CANVAS, Table 19: tool invocation, Task 3, mode change";
    tools("canvas-19", title, &[TaskKind::ModeChange], runs)
}

fn tools(
    id: &'static str,
    title: &'static str,
    kinds: &[TaskKind],
    runs: &[RunFacts],
) -> PaperTable {
    let heading = ["Model", "Tool Precision", "Tool Recall", "Tool Diversity"];
    let row = |(model, runs): (&&str, &Vec<&RunFacts>)| {
        let runs = of_kinds(runs, kinds);
        let share = |of: fn(ToolAgreement) -> Score| {
            Cell::of(tool_mean(&runs, |run, used| {
                let wanted = &run.reference_tools;
                if wanted.is_empty() {
                    return Err(NO_ANNOTATION.to_owned());
                }
                let used = used.iter().map(String::as_str);
                let agreement = ToolAgreement::of(used, wanted.iter().map(String::as_str));
                value_or_reason(&of(agreement))
            }))
        };
        vec![
            Cell::text(*model),
            share(|agreement| agreement.precision),
            share(|agreement| agreement.recall),
            Cell::of(tool_mean(&runs, |_, used| Ok(used.len() as f64))),
        ]
    };
    let rows = by_model(runs).iter().map(row).collect();
    PaperTable::new(id, title, &heading).with_rows(rows)
}

fn tool_mean(
    runs: &[&RunFacts],
    of: impl Fn(&RunFacts, &BTreeSet<String>) -> ColumnScore,
) -> Result<String, String> {
    let of_run = |run: &&RunFacts| of(run, run.tools.as_ref().ok_or(NO_TOOLS)?);
    Ok(format!("{:.4}", mean_or_reason(runs.iter().map(of_run))?))
}

/// Table 15: replication per difficulty.
pub(super) fn scores_per_difficulty(columns: &Columns, runs: &[RunFacts]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-15",
        "CANVAS, Table 15: replication scores per difficulty",
        &["Difficulty", "Model"],
    );
    table.heading_columns = 2;
    table.columns.extend(columns.iter().map(|column| column.heading.to_owned()));
    let replication: Vec<RunFacts> =
        runs.iter().filter(|run| run.kind == Some(TaskKind::Replication)).cloned().collect();
    let limit = hard_from(&replication);
    for (name, is_hard) in [("Standard", false), ("Hard", true)] {
        for (model, runs) in by_model(&replication) {
            let mut cells = vec![Cell::text(name), Cell::text(model)];
            for at in 0..columns.len() {
                cells.push(match limit {
                    Some(limit) => {
                        let of_level = runs.iter().filter(|run| {
                            run.nodes.is_some_and(|nodes| (nodes as f64 > limit) == is_hard)
                        });
                        Cell::of(mean_text(of_level.map(|run| run.last(at))))
                    }
                    None => Cell::Missing(
                        "the ground truths are pictures, so their nodes are not known".to_owned(),
                    ),
                });
            }
            table.rows.push(cells);
        }
    }
    table.with_remark("Hard: more nodes than 85 % of the tasks that have runs here.")
}

/// More nodes than this are hard: the 85th percentile over tasks.
fn hard_from(runs: &[RunFacts]) -> Option<f64> {
    let tasks: BTreeMap<&str, usize> =
        runs.iter().filter_map(|run| Some((run.task.as_str(), run.nodes?))).collect();
    let nodes: Vec<f64> = tasks.values().map(|nodes| *nodes as f64).collect();
    quantile(&nodes, 0.85)
}

/// Table 16: replication turn by turn.
pub(super) fn turn_by_turn(columns: &Columns, runs: &[RunFacts]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-16",
        "CANVAS, Table 16: turn-by-turn performance, replication",
        &["Model", "Metric", "Initial", "Final", "Δ", "Std."],
    );
    table.heading_columns = 2;
    for (model, runs) in by_model(runs) {
        let runs = of_kinds(&runs, &[TaskKind::Replication]);
        for (at, column) in columns.iter().enumerate() {
            table.rows.push(vec![
                Cell::text(model),
                Cell::text(column.heading),
                Cell::of(mean_text(runs.iter().map(|run| run.first(at)))),
                Cell::of(mean_text(runs.iter().map(|run| run.last(at)))),
                Cell::of(mean_text(runs.iter().map(|run| run.gain(at)))),
                Cell::of(mean_text(runs.iter().map(|run| over_turns(run, at)))),
            ]);
        }
    }
    table.with_remark(
        "Initial is the start state; Std. the sample standard deviation over the turns of a run, \
         averaged over runs.",
    )
}

fn over_turns(run: &RunFacts, column: usize) -> ColumnScore {
    let values: Vec<f64> =
        run.points.iter().filter_map(|point| point.get(column)?.as_ref().ok().copied()).collect();
    match deviation(&values) {
        Some(deviation) => Ok(deviation),
        None => run.last(column).and(Err("a run of one turn has no deviation".to_owned())),
    }
}

/// The runs of CANVAS's environment by model, in the order of names.
fn by_model(runs: &[RunFacts]) -> BTreeMap<&str, Vec<&RunFacts>> {
    let mut by_model: BTreeMap<&str, Vec<&RunFacts>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.environment == "canvas") {
        by_model.entry(&run.model).or_default().push(run);
    }
    by_model
}

fn of_kinds<'a>(runs: &[&'a RunFacts], kinds: &[TaskKind]) -> Vec<&'a RunFacts> {
    runs.iter().filter(|run| run.kind.is_some_and(|kind| kinds.contains(&kind))).copied().collect()
}

/// The mean of the values there are; if there are none, the first reason why.
fn mean_or_reason(scores: impl Iterator<Item = ColumnScore>) -> ColumnScore {
    let (values, reasons) = split(scores);
    let reason = || reasons.into_iter().next().unwrap_or_else(|| NO_RUNS.to_owned());
    mean(&values).ok_or_else(reason)
}

fn split(scores: impl Iterator<Item = ColumnScore>) -> (Vec<f64>, Vec<String>) {
    let (mut values, mut reasons) = (Vec::new(), Vec::new());
    for score in scores {
        match score {
            Ok(value) => values.push(value),
            Err(why) => reasons.push(why),
        }
    }
    (values, reasons)
}

fn mean_text(scores: impl Iterator<Item = ColumnScore>) -> Result<String, String> {
    Ok(format!("{:.3}", mean_or_reason(scores)?))
}

fn with_deviation(runs: &[&RunFacts], column: usize) -> Result<String, String> {
    let (values, _) = split(runs.iter().map(|run| run.last(column)));
    let mean = mean_text(runs.iter().map(|run| run.last(column)))?;
    Ok(match deviation(&values) {
        Some(deviation) => format!("{mean} (±{deviation:.3})"),
        None => mean,
    })
}

fn with_gain(runs: &[&RunFacts], column: usize) -> Result<String, String> {
    let last = mean_text(runs.iter().map(|run| run.last(column)))?;
    let gain = mean_or_reason(runs.iter().map(|run| run.gain(column)));
    Ok(match gain {
        Ok(gain) if gain < 0.0 => format!("{last} (−Δ {:.3})", -gain),
        Ok(gain) => format!("{last} (Δ {gain:.3})"),
        Err(_) => last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Registry;

    fn run(model: &str, kind: TaskKind, points: &[[f64; 4]]) -> RunFacts {
        let point = |point: &[f64; 4]| point.iter().map(|value| Ok(*value)).collect();
        RunFacts {
            model: model.to_owned(),
            environment: "canvas".to_owned(),
            kind: Some(kind),
            nodes: Some(points.len()),
            task: format!("{model}-{}", points.len()),
            reference_tools: ["set_fill_color", "get_node_info"].map(str::to_owned).into(),
            tools: Some(["set_fill_color", "move_node"].map(str::to_owned).into()),
            is_idle: Some(false),
            points: points.iter().map(point).collect(),
            ..RunFacts::default()
        }
    }

    fn columns() -> Columns {
        Columns::canvas(&Registry::built_in())
    }

    fn words(cells: &[Cell]) -> Vec<&str> {
        let mut words = Vec::new();
        for cell in cells {
            words.push(match cell {
                Cell::Text(text) => text.as_str(),
                Cell::Missing(_) => "—",
            });
        }
        words
    }

    #[test]
    fn replication_has_its_deviation_and_modification_its_change() {
        let runs = [
            run("a", TaskKind::Replication, &[[0.0; 4], [0.5; 4]]),
            run("a", TaskKind::Replication, &[[0.0; 4], [0.7; 4]]),
            run("a", TaskKind::ModeChange, &[[0.5; 4], [0.25, 0.75, 0.5, 0.5]]),
        ];
        let table = scores(&columns(), &runs);
        let row = words(&table.rows[0]);
        assert_eq!(row[..2], ["a", "0.600 (±0.141)"]);
        assert_eq!(row[5..7], ["0.250 (−Δ 0.250)", "0.750 (Δ 0.250)"]);
    }

    #[test]
    fn pos_at_k_counts_what_does_not_fall_and_no_change_at_all_as_none() {
        let kind = TaskKind::AttributeUpdate;
        let mut idle = run("a", kind, &[[0.5; 4], [0.9; 4]]);
        idle.is_idle = Some(true);
        let runs = [
            run("a", kind, &[[0.5; 4], [0.6; 4]]),
            run("a", kind, &[[0.5; 4], [0.6, 0.4, 0.5, 0.4]]),
            run("a", kind, &[[0.5; 4], [0.5; 4]]),
            idle,
        ];
        let table = pos_at_k(&columns(), &runs);
        assert_eq!(
            words(&table.rows[0]),
            ["a", "25.0%", "0.0%", "25.0%", "0.0%", "25.0%", "25.0%"]
        );
    }

    #[test]
    fn tools_are_compared_with_what_people_used() {
        let mut pictures = run("b", TaskKind::ModeChange, &[[0.5; 4]]);
        pictures.tools = None;
        let runs = [run("a", TaskKind::ModeChange, &[[0.5; 4]]), pictures];
        let table = tools_of_task_3(&runs);
        assert_eq!(words(&table.rows[0]), ["a", "0.5000", "0.5000", "2.0000"]);
        assert_eq!(words(&table.rows[1]), ["b", "—", "—", "—"]);
        assert_eq!(table.footnotes(), [NO_TOOLS]);
    }
}

//! The tables of CANVAS.

use std::collections::{BTreeMap, BTreeSet};

use crate::environment::EnvironmentKind;
use crate::evaluate::{Condition, RowNames};
use crate::metric::behavior::{EditedScore, NoChange, Pos, PosDistribution, ToolAgreement};
use crate::metric::{Direction, Score};
use crate::task::TaskKind;

use super::means::{
    NO_RUNS, NotedNumber, cell, mean_in_words, mean_of_scores, notes_of, with_deviation, with_gain,
};
use super::numbers::{deviation, quantile};
use super::run_summary::{ColumnScore, Columns, RunSummary, value_or_reason};
use super::table::{Cell, PaperTable};

const NO_TOOLS: &str = "only pictures were recorded of these runs, so their tools are not known";
const NO_ANNOTATION: &str = "nobody annotated the tools of these tasks";

/// What CANVAS calls modification.
pub(super) const MODIFICATION: [TaskKind; 3] =
    [TaskKind::AttributeUpdate, TaskKind::ComponentInsertion, TaskKind::ModeChange];

/// The modes of Table 5, in its order, and what they are there.
const METHODS: [(&str, &str); 3] = [
    ("code", "Code (single-turn)"),
    ("single_turn", "Tool (single-turn)"),
    ("multi_turn", "Tool (agent)"),
];

/// The scores of Table 5.
const OF_TABLE_5: [&str; 3] = ["SSIM", "Saliency", "BLIP"];

/// The runs of one row: of one model, made with the same.
struct CanvasRow<'a> {
    name: String,
    model: &'a str,
    runs: Vec<&'a RunSummary>,
}

/// The rows of a table in the order of models and conditions, and how they were made.
struct Rows<'a> {
    rows: Vec<CanvasRow<'a>>,
    remark: Option<String>,
}

impl<'a> Rows<'a> {
    /// The runs with tools on a canvas.
    fn on_canvas(runs: impl IntoIterator<Item = &'a RunSummary>) -> Self {
        Self::of_environments(runs, &[EnvironmentKind::Canvas])
    }

    fn of_environments(
        runs: impl IntoIterator<Item = &'a RunSummary>,
        environments: &[EnvironmentKind],
    ) -> Self {
        let mut by_row: BTreeMap<(&str, &Condition), Vec<&RunSummary>> = BTreeMap::new();
        for run in runs.into_iter().filter(|run| environments.contains(&run.environment)) {
            // By condition too: a mean over two modes would be of neither.
            by_row.entry((&run.model, &run.condition)).or_default().push(run);
        }
        let names = RowNames::of(by_row.keys().copied());
        let rows = by_row.into_iter().map(|((model, condition), runs)| CanvasRow {
            name: names.name(model, condition),
            model,
            runs,
        });
        Self { remark: names.remark(), rows: rows.collect() }
    }

    fn iter(&self) -> impl Iterator<Item = &CanvasRow<'a>> {
        self.rows.iter()
    }
}

/// Table 1: scores of both tasks.
pub(super) fn scores(columns: &Columns, runs: &[RunSummary]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-1",
        "CANVAS, Table 1: scores on design replication and modification",
        &["Model"],
    );
    for task in ["Replication", "Modification"] {
        table.columns.extend(columns.iter().map(|column| format!("{task} · {}", column.heading)));
    }
    let rows = Rows::on_canvas(runs);
    for row in rows.iter() {
        // As the paper prints them: replication with its spread, modification with its gain.
        let replication = of_kinds(&row.runs, &[TaskKind::Replication]);
        let modification = of_kinds(&row.runs, &MODIFICATION);
        let mut cells = vec![Cell::text(&row.name)];
        cells.extend(
            (0..columns.len()).map(|at| cell(with_deviation(&replication, at), &replication)),
        );
        cells
            .extend((0..columns.len()).map(|at| cell(with_gain(&modification, at), &modification)));
        table.rows.push(cells);
    }
    table
        .with_remark(
            "± is the sample standard deviation over runs; Δ the mean change from the start.",
        )
        .with_remarks(rows.remark)
}

/// Table 2: how many scores rise, in Task 1.
pub(super) fn pos_at_k(columns: &Columns, runs: &[RunSummary]) -> PaperTable {
    let heading = ["Model", "Pos@4", "Pos@3", "Pos@2", "Pos@1", "Pos@0", "F"];
    let mut table = PaperTable::new(
        "canvas-2",
        "CANVAS, Table 2: distribution of Pos@K in Task 1, attribute update",
        &heading,
    );
    let rows = Rows::on_canvas(runs);
    for row in rows.iter() {
        let mut cells = vec![Cell::text(&row.name)];
        cells.extend(pos_cells(columns, &of_kinds(&row.runs, &[TaskKind::AttributeUpdate])));
        table.rows.push(cells);
    }
    table
        .with_remark(
            "A run counts for each of its scores that does not fall; if none changes, it is Pos@0. \
             F: no call did anything.",
        )
        .with_remarks(rows.remark)
}

/// By which scores the K of runs is told.
pub(super) struct CountedScores<'a> {
    /// The runs that have a K or failed: the others have no score at all.
    pub(super) scored: Vec<&'a RunSummary>,
    /// The places of the scores that all of them have.
    pub(super) counted: Vec<usize>,
    /// Why each other score does not count.
    without: Vec<String>,
}

impl<'a> CountedScores<'a> {
    /// A score counts only if all runs have it: K of three scores and K of four are no one number. A run without any
    /// score, as one whose picture cannot be drawn, is no reason to drop a score.
    pub(super) fn of(columns: &Columns, runs: &[&'a RunSummary]) -> Self {
        let scored = runs.iter().filter(|run| {
            run.is_idle == Some(true) || (0..columns.len()).any(|at| run.gain(at).is_ok())
        });
        let scored: Vec<&RunSummary> = scored.copied().collect();
        let (mut counted, mut without) = (Vec::new(), Vec::new());
        for (at, column) in columns.iter().enumerate() {
            let acted = scored.iter().filter(|run| run.is_idle != Some(true));
            match acted.map(|run| run.gain(at)).find_map(Result::err) {
                None => counted.push(at),
                Some(why) => without.push(format!("{}: {why}", column.name)),
            }
        }
        Self { scored, counted, without }
    }
}

/// The shares at each K and of failed runs, by the scores that there are: where some of them cannot
/// be computed, K goes up to how many are left, which is said.
fn pos_cells(columns: &Columns, runs: &[&RunSummary]) -> Vec<Cell> {
    let most = columns.len();
    // A cell for each K from 0 on, and one for failed runs.
    let cells = most + 2;
    if runs.is_empty() {
        return vec![Cell::Missing(NO_RUNS.to_owned()); cells];
    }
    let CountedScores { scored, counted, without } = CountedScores::of(columns, runs);
    if counted.is_empty() || scored.is_empty() {
        let why = runs.iter().find_map(|run| run.gain(0).err());
        let why = why.unwrap_or_else(|| without.join("; "));
        return vec![Cell::Missing(format!("Pos@K needs scores: {why}")); cells];
    }
    let cases: Result<Vec<Pos>, String> =
        scored.iter().map(|run| pos_of(columns, &counted, run)).collect();
    let cases = match cases {
        Ok(cases) => cases,
        Err(why) => return vec![Cell::Missing(format!("Pos@K needs scores: {why}")); cells],
    };
    let found = PosDistribution::of(counted.len(), cases);
    let mut notes = notes_of(runs);
    if !without.is_empty() {
        let (known, wanted) = (counted.len(), most);
        notes.push(format!("of {known} of the {wanted} scores; {}", without.join("; ")));
    }
    if scored.len() < runs.len() {
        notes.push(format!("{} of {} runs have no score", runs.len() - scored.len(), runs.len()));
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let shares = (0..=most).rev().map(|k| {
        if k <= counted.len() {
            percent(&found.share(k), note.clone())
        } else {
            Cell::Missing(format!("Pos@{k} needs {k} scores; {}", without.join("; ")))
        }
    });
    shares.chain([percent(&found.failed_share(), note.clone())]).collect()
}

fn percent(share: &Score, note: Option<String>) -> Cell {
    let share = value_or_reason(share).map(|share| format!("{:.1}%", 100.0 * share));
    Cell::of(share).with_note(note)
}

/// How many of these scores a run made better; why this cannot be told if one of them is missing.
pub(super) fn pos_of(
    columns: &Columns,
    counted: &[usize],
    run: &RunSummary,
) -> Result<Pos, String> {
    if run.is_idle == Some(true) {
        return Ok(Pos::Failed);
    }
    let mut ends: Vec<(Score, Score, Direction)> = Vec::new();
    for (at, column) in columns.iter().enumerate().filter(|(at, _)| counted.contains(at)) {
        let direction = column.variant.as_ref().map(|variant| variant.direction);
        let (before, after) = (Score::Value(run.first(at)?), Score::Value(run.last(at)?));
        ends.push((before, after, direction.unwrap_or(Direction::HigherIsBetter)));
    }
    let edited = ends.iter().map(|(before, after, direction)| EditedScore {
        before,
        after,
        direction: *direction,
    });
    let edited: Vec<EditedScore<'_>> = edited.collect();
    // Table 2's rule: a score that stays counts as one that rises, unless none moves at all.
    Pos::of(&edited, NoChange::IsBetterUnlessAllStay).map_err(|why| why.to_string())
}

/// Table 5: replication as code, with all calls at once, and turn by turn.
pub(super) fn methods(columns: &Columns, runs: &[RunSummary]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-5",
        "CANVAS, Table 5: replication as code, in a single turn and as an agent",
        &["Method", "Model"],
    );
    table.heading_columns = 2;
    let shown: Vec<usize> = OF_TABLE_5.iter().filter_map(|name| columns.find(name)).collect();
    let headings = columns.iter().enumerate().filter(|(at, _)| shown.contains(at));
    table.columns.extend(headings.map(|(_, column)| format!("Replication · {}", column.heading)));
    let replication = runs.iter().filter(|run| {
        let has_mode = METHODS.iter().any(|(mode, _)| run.condition.mode() == Some(mode));
        run.kind == Some(TaskKind::Replication) && has_mode
    });
    let replication: Vec<&RunSummary> = replication.collect();
    let environments = [EnvironmentKind::Canvas, EnvironmentKind::Page];
    let models: BTreeSet<&str> = replication.iter().map(|run| run.model.as_str()).collect();
    for (mode, method) in METHODS {
        let of_mode = replication.iter().filter(|run| run.condition.mode() == Some(mode));
        // Named within their method, which has a column of its own.
        let rows = Rows::of_environments(of_mode.copied(), &environments);
        // Every model in every method: a row without runs shows what is missing for the comparison.
        for model in &models {
            let method = Cell::text(format!("{method} · {mode}"));
            let mut of_model = rows.iter().filter(|row| row.model == *model).peekable();
            if of_model.peek().is_none() {
                let missing = shown.iter().map(|_| Cell::Missing(NO_RUNS.to_owned()));
                table.rows.push([method, Cell::text(*model)].into_iter().chain(missing).collect());
                continue;
            }
            for row in of_model {
                let scores = shown.iter().map(|at| cell(with_deviation(&row.runs, *at), &row.runs));
                let heading = [method.clone(), Cell::text(&row.name)];
                table.rows.push(heading.into_iter().chain(scores).collect());
            }
        }
    }
    let rows = Rows::of_environments(replication, &environments);
    table
        .with_remark(
            "± is the sample standard deviation over runs. Code is a page in HTML and CSS.",
        )
        .with_remarks(rows.remark)
}

/// Table 3: tools of all modifications.
pub(super) fn tools_of_modifications(runs: &[RunSummary]) -> PaperTable {
    tools(
        "canvas-3",
        "CANVAS, Table 3: tool invocation, all modification tasks",
        &MODIFICATION,
        runs,
    )
}

/// Table 17: tools of Task 1.
pub(super) fn tools_of_task_1(runs: &[RunSummary]) -> PaperTable {
    let title = "CANVAS, Table 17: tool invocation, Task 1, attribute update";
    tools("canvas-17", title, &[TaskKind::AttributeUpdate], runs)
}

/// Table 18: tools of Task 2.
pub(super) fn tools_of_task_2(runs: &[RunSummary]) -> PaperTable {
    let title = "CANVAS, Table 18: tool invocation, Task 2, component insertion";
    tools("canvas-18", title, &[TaskKind::ComponentInsertion], runs)
}

/// Table 19: tools of Task 3.
pub(super) fn tools_of_task_3(runs: &[RunSummary]) -> PaperTable {
    let title = "CANVAS, Table 19: tool invocation, Task 3, mode change";
    tools("canvas-19", title, &[TaskKind::ModeChange], runs)
}

fn tools(
    id: &'static str,
    title: &'static str,
    kinds: &[TaskKind],
    runs: &[RunSummary],
) -> PaperTable {
    let heading = ["Model", "Tool Precision", "Tool Recall", "Tool Diversity"];
    let mut table = PaperTable::new(id, title, &heading);
    let rows = Rows::on_canvas(runs);
    for row in rows.iter() {
        let runs = of_kinds(&row.runs, kinds);
        table.rows.push(vec![
            Cell::text(&row.name),
            agreement_cell(&runs, |agreement| agreement.precision),
            agreement_cell(&runs, |agreement| agreement.recall),
            cell(tool_mean(&runs, |_, used| Ok(used.len() as f64)), &runs),
        ]);
    }
    table.with_remarks(rows.remark)
}

/// A mean over runs of how their tools agree with those that people used.
fn agreement_cell(runs: &[&RunSummary], share: fn(ToolAgreement) -> Score) -> Cell {
    let mean = tool_mean(runs, |run, used| {
        let wanted = &run.reference_tools;
        if wanted.is_empty() {
            return Err(NO_ANNOTATION.to_owned());
        }
        let used = used.iter().map(String::as_str);
        let agreement = ToolAgreement::of(used, wanted.iter().map(String::as_str));
        value_or_reason(&share(agreement))
    });
    cell(mean, runs)
}

fn tool_mean(
    runs: &[&RunSummary],
    number: impl Fn(&RunSummary, &BTreeSet<String>) -> ColumnScore,
) -> Result<NotedNumber, String> {
    let numbers = runs.iter().map(|run| number(run, run.tools.as_ref().ok_or(NO_TOOLS)?));
    Ok(mean_of_scores(numbers)?.words(4))
}

/// Table 15: replication per difficulty.
pub(super) fn scores_per_difficulty(columns: &Columns, runs: &[RunSummary]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-15",
        "CANVAS, Table 15: replication scores per difficulty",
        &["Difficulty", "Model"],
    );
    table.heading_columns = 2;
    table.columns.extend(columns.iter().map(|column| column.heading.clone()));
    let all: Vec<&RunSummary> = runs.iter().collect();
    let replication = of_kinds(&all, &[TaskKind::Replication]);
    let limit = hard_from(&replication);
    let rows = Rows::on_canvas(replication);
    for (name, is_hard) in [("Standard", false), ("Hard", true)] {
        for row in rows.iter() {
            // A task whose nodes nobody knows is of neither level.
            let runs = row.runs.iter().filter(|run| {
                let sizes = limit.zip(run.nodes);
                sizes.map(|(limit, nodes)| nodes as f64 > limit) == Some(is_hard)
            });
            let runs: Vec<&RunSummary> = runs.copied().collect();
            let mut cells = vec![Cell::text(name), Cell::text(&row.name)];
            cells.extend((0..columns.len()).map(|at| match limit {
                Some(_) => cell(mean_in_words(runs.iter().map(|run| run.last(at))), &runs),
                None => Cell::Missing(
                    "the ground truths are pictures, so their nodes are not known".to_owned(),
                ),
            }));
            table.rows.push(cells);
        }
    }
    table
        .with_remark("Hard: more nodes than 85 % of the tasks that have runs here.")
        .with_remarks(rows.remark)
}

/// More nodes than this are hard: the 85th percentile over tasks.
fn hard_from(runs: &[&RunSummary]) -> Option<f64> {
    // Each task once, however many runs there are of it: else a favourite would move the limit.
    let tasks: BTreeMap<&str, usize> =
        runs.iter().filter_map(|run| Some((run.task.as_str(), run.nodes?))).collect();
    let nodes: Vec<f64> = tasks.values().map(|nodes| *nodes as f64).collect();
    quantile(&nodes, 0.85)
}

/// Table 16: replication turn by turn.
pub(super) fn turn_by_turn(columns: &Columns, runs: &[RunSummary]) -> PaperTable {
    let mut table = PaperTable::new(
        "canvas-16",
        "CANVAS, Table 16: turn-by-turn performance, replication",
        &["Model", "Metric", "Initial", "Final", "Δ", "Std."],
    );
    table.heading_columns = 2;
    let rows = Rows::on_canvas(runs);
    for row in rows.iter() {
        let runs = of_kinds(&row.runs, &[TaskKind::Replication]);
        for (at, column) in columns.iter().enumerate() {
            table.rows.push(vec![
                Cell::text(&row.name),
                Cell::text(&column.heading),
                cell(mean_in_words(runs.iter().map(|run| run.first(at))), &runs),
                cell(mean_in_words(runs.iter().map(|run| run.last(at))), &runs),
                cell(mean_in_words(runs.iter().map(|run| run.gain(at))), &runs),
                cell(mean_in_words(runs.iter().map(|run| over_turns(run, at))), &runs),
            ]);
        }
    }
    table
        .with_remark(
            "Initial is the start state; Std. the sample standard deviation over the turns of a run, \
             averaged over runs.",
        )
        .with_remarks(rows.remark)
}

fn over_turns(run: &RunSummary, column: usize) -> ColumnScore {
    let values: Vec<f64> =
        run.points.iter().filter_map(|point| point.get(column)?.as_ref().ok().copied()).collect();
    match deviation(&values) {
        Some(deviation) => Ok(deviation),
        // Where the score itself is missing, that is the reason to tell.
        None => run.last(column).and(Err("a run of one turn has no deviation".to_owned())),
    }
}

fn of_kinds<'a>(runs: &[&'a RunSummary], kinds: &[TaskKind]) -> Vec<&'a RunSummary> {
    // A run whose task was not found is of no kind, and so in none of these rows.
    runs.iter().filter(|run| run.kind.is_some_and(|kind| kinds.contains(&kind))).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tables::table::words;
    use crate::metric::Registry;

    fn run(model: &str, kind: TaskKind, points: &[[f64; 4]]) -> RunSummary {
        let points = points.iter().map(|point| point.iter().map(|value| Ok(*value)).collect());
        RunSummary {
            model: model.to_owned(),
            environment: EnvironmentKind::Canvas,
            kind: Some(kind),
            nodes: Some(points.len()),
            task: format!("{model}-{}", points.len()),
            reference_tools: ["set_fill_color", "get_node_info"].map(str::to_owned).into(),
            tools: Some(["set_fill_color", "move_node"].map(str::to_owned).into()),
            is_idle: Some(false),
            points: points.collect(),
            ..RunSummary::default()
        }
    }

    fn columns() -> Columns {
        Columns::canvas(&Registry::built_in())
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
    fn pos_at_k_goes_by_the_scores_there_are_and_says_which_are_not() {
        let kind = TaskKind::AttributeUpdate;
        let mut uncaptioned = [
            run("a", kind, &[[0.5; 4], [0.6; 4]]),
            run("a", kind, &[[0.5; 4], [0.4, 0.4, 0.0, 0.6]]),
        ];
        for point in uncaptioned.iter_mut().flat_map(|run| &mut run.points) {
            point[2] = Err("no caption".to_owned());
        }
        let table = pos_at_k(&columns(), &uncaptioned);
        let row = words(&table.rows[0]);
        assert_eq!(row, ["a", "—", "50.0%", "0.0%", "50.0%", "0.0%", "0.0%"]);
        let notes = table.footnotes();
        assert_eq!(notes[0], "Pos@4 needs 4 scores; BLIP: no caption");
        assert_eq!(notes[1], "of 3 of the 4 scores; BLIP: no caption");
        for point in uncaptioned.iter_mut().flat_map(|run| &mut run.points) {
            point.fill(Err("no ground truth".to_owned()));
        }
        let table = pos_at_k(&columns(), &uncaptioned);
        assert_eq!(table.footnotes(), ["Pos@K needs scores: no ground truth"]);
    }

    #[test]
    fn a_model_in_two_modes_has_two_rows_and_the_saliency_names_its_predictor() {
        let mut single = run("a", TaskKind::Replication, &[[0.0; 4], [0.9; 4]]);
        single.condition = Condition::of_mode("single_turn");
        let mut multi = run("a", TaskKind::Replication, &[[0.0; 4], [0.5; 4]]);
        multi.condition = Condition::of_mode("multi_turn");
        let table = scores(&columns(), &[single, multi]);
        let rows: Vec<[&str; 2]> =
            table.rows.iter().map(|row| [words(row)[0], words(row)[1]]).collect();
        assert_eq!(rows, [["a · multi_turn", "0.500"], ["a · single_turn", "0.900"]]);
        assert_eq!(table.columns[2], "Replication · Saliency (spectral-residual)");
    }

    #[test]
    fn table_5_has_a_row_for_each_method_and_model() {
        let runs =
            [("code", "page", 0.7), ("multi_turn", "canvas", 0.5), ("script", "canvas", 0.1)];
        let runs = runs.map(|(mode, environment, score)| RunSummary {
            condition: Condition::of_mode(mode),
            environment: environment.into(),
            ..run("a", TaskKind::Replication, &[[0.0; 4], [score; 4]])
        });
        let table = methods(&columns(), &runs);
        let rows: Vec<Vec<&str>> = table.rows.iter().map(|row| words(row)).collect();
        assert_eq!(table.columns.len(), 5);
        assert_eq!(rows[0][..3], ["Code (single-turn) · code", "a", "0.700"]);
        assert_eq!(rows[1][..3], ["Tool (single-turn) · single_turn", "a", "—"]);
        assert_eq!(rows[2][..3], ["Tool (agent) · multi_turn", "a", "0.500"]);
    }

    #[test]
    fn a_cell_of_runs_that_were_stopped_at_different_turns_says_so() {
        let runs = ["20", "50"].map(|turns| RunSummary {
            others: [("max_turns".to_owned(), turns.to_owned())].into(),
            ..run("a", TaskKind::Replication, &[[0.0; 4], [0.5; 4]])
        });
        let table = scores(&columns(), &runs);
        let note = "a mean over runs that were made differently: max turns 20 and 50";
        assert!(table.footnotes().contains(&note), "{:?}", table.footnotes());
    }

    #[test]
    fn pos_at_k_says_how_many_runs_failed() {
        let failed = RunSummary {
            has_failed: true,
            ..run("a", TaskKind::AttributeUpdate, &[[0.5; 4], [0.6; 4]])
        };
        assert_eq!(pos_at_k(&columns(), &[failed]).footnotes(), ["1 of 1 runs failed"]);
    }

    #[test]
    fn a_score_that_only_some_runs_have_says_over_how_many_it_is() {
        let mut runs = [
            run("a", TaskKind::Replication, &[[0.0; 4], [0.5; 4]]),
            run("a", TaskKind::Replication, &[[0.0; 4], [0.7; 4]]),
        ];
        runs[1].points[1][2] = Err("no caption".to_owned());
        let table = scores(&columns(), &runs);
        assert_eq!(words(&table.rows[0])[1..4], ["0.600 (±0.141)", "0.600 (±0.141)", "0.500"]);
        let replication = &table.rows[0][1..5];
        let notes: Vec<Option<&str>> = replication.iter().map(Cell::note).collect();
        assert_eq!(notes, [None, None, Some("of 1 of 2 runs; no caption"), None]);
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

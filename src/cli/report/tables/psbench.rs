//! The tables of PSBench, from what people said of attempts.

use std::collections::BTreeMap;

use crate::environment::EnvironmentKind;
use crate::evaluate::{Condition, RowNames};
use crate::metric::Score;
use crate::metric::checklist::{CellKey, ChecklistCell, LayerRelation, TaskResult, tabulate};

use super::run_summary::{RunSummary, value_or_reason};
use super::sources::Sources;
use super::table::{Cell, PaperTable};
use crate::cli::labels::Label;

const NO_SUCCESS: &str =
    "nobody said whether the tasks succeeded: --labels takes a file with a column success";
const NO_NDEC: &str =
    "nobody filled in the NDEC checklist: --labels takes a file with a column for each question";
const NO_SUCH_TASK: &str = "nobody said anything of such a task";

/// Difficulties in the order of tables; the last column is all of them.
const LEVELS: [(&str, Option<&str>); 4] =
    [("Easy", Some("easy")), ("Medium", Some("medium")), ("Hard", Some("hard")), ("Overall", None)];

const RELATIONS: [(&str, LayerRelation); 2] =
    [("LR", LayerRelation::LayerRelated), ("NLR", LayerRelation::NotLayerRelated)];

/// Table 3: success rates.
pub(super) fn success(sources: &Sources) -> PaperTable {
    let title = "PSBench, Table 3: success rates";
    table("psbench-3", title, sources, NO_SUCCESS, |cell| &cell.success_rate)
}

/// Table 4: NDEC.
pub(super) fn ndec(sources: &Sources) -> PaperTable {
    let title = "PSBench, Table 4: NDEC scores";
    table("psbench-4", title, sources, NO_NDEC, |cell| &cell.ndec)
}

/// By model and how it was asked, by difficulty and by relation to layers.
fn table(
    id: &'static str,
    title: &'static str,
    sources: &Sources,
    nothing: &str,
    value: fn(&ChecklistCell) -> &Score,
) -> PaperTable {
    let mut table = PaperTable::new(id, title, &["MLLM"]);
    for (level, _) in LEVELS {
        table.columns.extend(RELATIONS.map(|(relation, _)| format!("{level} · {relation}")));
    }
    let rows = rows(sources);
    let names = RowNames::of(rows.keys().map(|(model, condition)| (*model, condition)));
    // Over all labels of a row at once: a cell without a difficulty holds those of every difficulty.
    let cells: Vec<BTreeMap<CellKey, ChecklistCell>> =
        rows.values().map(|results| tabulate(results)).collect();
    let has_any = cells.iter().flat_map(BTreeMap::values).any(|cell| value(cell).value().is_some());
    for ((model, condition), cells) in rows.keys().zip(&cells) {
        let mut row = vec![Cell::text(names.name(model, condition))];
        for (_, level) in LEVELS {
            for (_, relation) in RELATIONS {
                // Without any label the reason is the same everywhere, and says what to give.
                if !has_any {
                    row.push(Cell::Missing(nothing.to_owned()));
                    continue;
                }
                let key = CellKey {
                    model: (*model).to_owned(),
                    difficulty: level.map(str::to_owned),
                    layers: Some(relation),
                };
                let found = cells.get(&key).ok_or_else(|| NO_SUCH_TASK.to_owned());
                let percent =
                    found.and_then(|cell| Ok(format!("{:.2}%", value_or_reason(value(cell))?)));
                row.push(Cell::of(percent));
            }
        }
        table.rows.push(row);
    }
    let table = table.with_remarks(names.remark());
    let labels = rows.values().map(Vec::len).sum::<usize>();
    let unplaced = rows.values().flatten().filter(|result| result.layers.is_none()).count();
    if unplaced == 0 {
        return table;
    }
    table.with_remark(&format!(
        "{unplaced} of {labels} labels do not say whether the task is about layers, so they are in no cell."
    ))
}

/// The environment of the published photo tasks, which this program does not have: the runs are imported.
pub(super) fn photo() -> EnvironmentKind {
    EnvironmentKind::from("photo")
}

/// What was said of the attempts of each row: a model with one condition, so that no rate is over two modes. Models
/// with runs but without labels have a row too, of what is missing.
fn rows(sources: &Sources) -> BTreeMap<(&str, Condition), Vec<TaskResult<'_>>> {
    let mut rows: BTreeMap<(&str, Condition), Vec<TaskResult<'_>>> = BTreeMap::new();
    for run in sources.runs_of(photo()) {
        rows.entry((run.model.as_str(), run.condition.clone())).or_default();
    }
    // Of runs alone: a label that says a mode does not decide for those that say none.
    let of_runs: Vec<(&str, Condition)> = rows.keys().cloned().collect();
    for label in sources.labels.iter().filter(|label| label.is_of_photo()) {
        let said = label.mode.as_deref();
        let mut fitting = of_runs.iter().filter(|(model, condition)| {
            *model == label.model && said.is_none_or(|mode| condition.mode() == Some(mode))
        });
        let condition = match (fitting.next(), fitting.next()) {
            (Some((_, only)), None) => only.clone(),
            _ => said.map(Condition::of_mode).unwrap_or_default(),
        };
        rows.entry((label.model.as_str(), condition)).or_default().push(result(sources, label));
    }
    rows
}

/// What a label says; what it leaves out of its task is taken from a run at it.
fn result<'a>(sources: &'a Sources, label: &'a Label) -> TaskResult<'a> {
    // What the label says counts first: whoever filled it in looked at this very attempt.
    let said = label.result();
    let run = sources.runs_of(photo()).find(|run| is_of(run, label));
    let of_run = run.and_then(|run| run.difficulty.as_deref()).unwrap_or_default();
    TaskResult {
        difficulty: if said.difficulty.is_empty() { of_run } else { said.difficulty },
        layers: said.layers.or_else(|| run?.layers),
        ..said
    }
}

/// Whether a run is the attempt that a label is about, or another at the same task.
fn is_of(run: &RunSummary, label: &Label) -> bool {
    // Tasks of runs have the set before their id, which people who fill in labels leave out.
    let Some(task) = &label.task else { return false };
    run.task == *task || run.task.split_once('/').is_some_and(|(_, id)| id == task)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tables::table::words;
    use crate::metric::checklist::Checklist;

    fn label(model: &str, task: &str, success: bool, yes: usize) -> Label {
        let mut checklist = Checklist::default();
        for (at, answer) in checklist.0.iter_mut().enumerate() {
            *answer = Some(at < yes);
        }
        Label {
            model: model.to_owned(),
            task: Some(task.to_owned()),
            success: Some(success),
            checklist: Some(checklist),
            ..Label::default()
        }
    }

    #[test]
    fn labels_are_counted_by_difficulty_and_layers_of_their_task() {
        let run = RunSummary {
            model: "m".to_owned(),
            environment: photo(),
            task: "ps/2".to_owned(),
            difficulty: Some("hard".to_owned()),
            layers: Some(LayerRelation::NotLayerRelated),
            ..RunSummary::default()
        };
        let [good, bad] = [(true, 6), (false, 3)].map(|(success, yes)| Label {
            difficulty: Some("easy".to_owned()),
            layers: Some(LayerRelation::LayerRelated),
            ..label("m", "1", success, yes)
        });
        let sources = Sources {
            runs: vec![run],
            labels: vec![good, bad, label("m", "2", false, 3), label("n", "7", true, 6)],
            ..Sources::default()
        };
        let rates = success(&sources);
        assert_eq!(
            words(&rates.rows[0]),
            ["m", "50.00%", "—", "—", "—", "—", "0.00%", "50.00%", "0.00%"]
        );
        assert_eq!(words(&rates.rows[1]), ["n", "—", "—", "—", "—", "—", "—", "—", "—"]);
        assert!(rates.remarks[0].starts_with("1 of 4 labels"), "{:?}", rates.remarks);
        let ndec = ndec(&sources);
        assert_eq!(words(&ndec.rows[0])[..2], ["m", "75.00%"]);
    }

    #[test]
    fn a_row_is_a_model_with_one_mode() {
        let in_mode = |mode: Option<&str>, success, yes| Label {
            mode: mode.map(str::to_owned),
            layers: Some(LayerRelation::LayerRelated),
            ..label("m", "1", success, yes)
        };
        let labels = vec![
            in_mode(Some("direct"), false, 0),
            in_mode(Some("agentic"), true, 6),
            in_mode(None, true, 3),
        ];
        let sources = Sources { labels: labels.clone(), ..Sources::default() };
        let rates = success(&sources);
        let overall = |table: &PaperTable| -> Vec<String> {
            let rows = table.rows.iter().map(|row| words(row));
            rows.map(|row| format!("{} {}", row[0], row[7])).collect()
        };
        assert_eq!(
            overall(&rates),
            ["m · not said how 100.00%", "m · agentic 100.00%", "m · direct 0.00%"]
        );
        assert_eq!(rates.remarks, ["Made with m · agentic: agentic; m · direct: direct."]);
        let expected = ["m · not said how 50.00%", "m · agentic 100.00%", "m · direct 0.00%"];
        assert_eq!(overall(&ndec(&sources)), expected);
        // A label that says no mode is of the one in which its model has runs.
        let run = RunSummary {
            model: "m".to_owned(),
            environment: photo(),
            condition: Condition::of_mode("direct"),
            ..RunSummary::default()
        };
        let sources = Sources { runs: vec![run], labels, ..Sources::default() };
        assert_eq!(overall(&success(&sources)), ["m · agentic 100.00%", "m · direct 50.00%"]);
    }

    #[test]
    fn without_labels_the_reason_names_what_to_give() {
        let run = RunSummary { environment: photo(), ..RunSummary::default() };
        let sources = Sources { runs: vec![run], ..Sources::default() };
        assert_eq!(ndec(&sources).footnotes(), [NO_NDEC]);
        assert_eq!(success(&sources).footnotes(), [NO_SUCCESS]);
    }
}

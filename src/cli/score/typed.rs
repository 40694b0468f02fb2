//! Every score as a table whose columns have types, for files.

use super::run::ScoredRun;
use crate::cli::scoring::last_step;
use crate::evaluate::MadeBy;
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::metric::{Measured, Score, VariantSpec};

/// Words of a run.
type RunText = fn(&ScoredRun) -> &str;
/// A count of a run.
type Count = fn(&ScoredRun) -> usize;

/// The words of a run, by the names of their columns.
const WORDS: [(&str, RunText); 6] = [
    ("run", |run| &run.shown_dir),
    ("set", |run| &run.run.manifest.task.set),
    ("task", |run| &run.run.manifest.task.id),
    ("agent", |run| &run.run.manifest.agent.name),
    ("mode", |run| &run.run.manifest.mode),
    ("outcome", ScoredRun::outcome_word),
];

/// The counts of a run, by the names of their columns.
const COUNTS: [(&str, Count); 3] = [
    ("turns", |run| run.run.turns.len()),
    ("calls", |run| run.run.steps.len()),
    ("failed", ScoredRun::failures),
];

/// A row of the table: a run at a step.
struct ScoreRow<'a> {
    run: &'a ScoredRun,
    step: usize,
    scores: &'a [Measured],
}

impl ScoreRow<'_> {
    /// Why scores are missing in it, if some are.
    fn missing(&self) -> Option<String> {
        let reasons = self.scores.iter().filter_map(|measured| match &measured.measurement.score {
            Score::Value(_) => None,
            Score::Missing(why) => Some(format!("{}: {why}", measured.variant.id)),
        });
        let reasons: Vec<String> = reasons.collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// A row a run, or a row a step where each was scored, with every score; of those without a value, the
/// reason is the last column's.
pub(super) fn typed_table(
    scored: &[ScoredRun],
    variants: &[&VariantSpec],
    about: &MadeBy,
) -> TypedTable {
    let rows: Vec<ScoreRow<'_>> = scored.iter().flat_map(rows_of).collect();
    let mut columns = Vec::new();
    for (name, words) in WORDS {
        let values = rows.iter().map(|row| Some(words(row.run).to_owned()));
        columns.push(TypedColumn::texts(name, values.collect()));
    }
    for (name, count) in COUNTS {
        let values = rows.iter().map(|row| Some(count(row.run) as f64));
        columns.push(TypedColumn::numbers(name, values.collect()));
    }
    let steps = rows.iter().map(|row| Some(row.step as f64));
    columns.push(TypedColumn::numbers("step", steps.collect()));
    for (at, variant) in variants.iter().enumerate() {
        let values = rows.iter().map(|row| row.scores.get(at)?.measurement.score.value());
        columns.push(TypedColumn::numbers(variant.id.to_string(), values.collect()));
    }
    let missing = rows.iter().map(ScoreRow::missing);
    columns.push(TypedColumn::texts("missing", missing.collect()));
    TypedTable { columns, about: about.entries() }
}

fn rows_of(run: &ScoredRun) -> Vec<ScoreRow<'_>> {
    if let Some(steps) = &run.steps {
        let steps = steps.iter().enumerate();
        return steps.map(|(step, scores)| ScoreRow { run, step, scores }).collect();
    }
    // A run by its end alone has the number of its last step, as in a table of all steps.
    let step = last_step(&run.run) as usize;
    vec![ScoreRow { run, step, scores: &run.scores }]
}

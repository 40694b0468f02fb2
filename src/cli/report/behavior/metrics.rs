//! One metric over a run: turn by turn, and which call moved it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::evaluate::typed_table::TypedColumn;
use crate::metric::behavior::{Attribution, Curve, CurvePoint, Moved};
use crate::metric::{Direction, MissingScore, Score, VariantSpec};
use crate::run::{Run, behavior};

use super::run_summary::{score_cell, score_json};
use crate::cli::scoring::Scored;

/// One metric over a run.
pub(super) struct MetricOverRun {
    id: String,
    direction: Direction,
    /// At the start and after every turn.
    turns: Vec<Score>,
    /// Of every turn.
    by_turn: Curve,
    /// Of every step.
    by_step: Curve,
    attribution: Attribution,
}

impl MetricOverRun {
    /// A metric of a run that was scored at every step.
    pub(super) fn new(scored: &Scored, variant: &VariantSpec) -> Self {
        let run = &scored.job.run;
        let steps = scored.steps.iter().map(|(_, all)| {
            let found = all.iter().find(|measured| measured.variant.id == variant.id);
            found.map_or_else(not_measured, |measured| measured.measurement.score.clone())
        });
        let steps: Vec<Score> = steps.collect();
        let turns: Vec<Score> = turn_ends(run).map(|at| at_step(&steps, at)).collect();
        // The first score is of the start, which no call made: attribution begins after it.
        let values: Vec<Option<f64>> = steps.iter().map(Score::value).collect();
        let start = values.first().copied().flatten();
        let after = values.get(1..).unwrap_or_default();
        Self {
            id: variant.id.to_string(),
            direction: variant.direction,
            // By turn as in Table 16 of CANVAS, by step to find the call that did it.
            by_turn: Curve::of(&turns, variant.direction),
            by_step: Curve::of(&steps, variant.direction),
            attribution: Attribution::of(start, &behavior::scored_steps(run, after)),
            turns,
        }
    }

    /// Everything, by name.
    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.id,
            "better": self.better(),
            "turns": self.turns.iter().map(score_json).collect::<Vec<_>>(),
            "initial": self.by_turn.initial().map(|point| score_json(&point.score())),
            "final": score_json(&self.by_turn.end()),
            "delta": score_json(&self.by_turn.delta()),
            "sd": score_json(&self.by_turn.standard_deviation()),
            "best_step": point(self.by_step.best()),
            "last_step": self.last_step(),
            "lost_since_best": score_json(&self.by_step.lost_since_best()),
            "changes": self.attribution.by_step,
            "by_tool": moves(&self.attribution.by_tool),
            "by_category": moves(&self.attribution.by_category),
            "unattributed": moved(self.attribution.unattributed),
        })
    }

    /// The last step with its value, or why there is none: an earlier one is not the end.
    fn last_step(&self) -> Value {
        match self.by_step.last() {
            Some(last) => point(Some(last)),
            None => score_json(&self.by_step.end()),
        }
    }

    /// A row of the table for people.
    pub(super) fn cells(&self, run: &str) -> Vec<String> {
        let best = self.by_step.best();
        vec![
            run.to_owned(),
            self.id.clone(),
            point_cell(self.by_turn.initial()),
            point_cell(self.by_turn.last()),
            score_cell(&self.by_turn.delta(), 4),
            score_cell(&self.by_turn.standard_deviation(), 4),
            point_cell(best),
            best.map_or_else(|| "—".to_owned(), |point| point.at.to_string()),
            self.gained_most().unwrap_or_else(|| "—".to_owned()),
            self.lost_most().unwrap_or_else(|| "—".to_owned()),
        ]
    }

    fn better(&self) -> &'static str {
        match self.direction {
            Direction::HigherIsBetter => "higher",
            Direction::LowerIsBetter => "lower",
        }
    }

    fn towards_better(&self) -> f64 {
        match self.direction {
            Direction::HigherIsBetter => 1.0,
            Direction::LowerIsBetter => -1.0,
        }
    }

    fn gained_most(&self) -> Option<String> {
        self.most(self.towards_better())
    }

    fn lost_most(&self) -> Option<String> {
        self.most(-self.towards_better())
    }

    /// The tool whose calls together went farthest this way; `None` if none went this way.
    fn most(&self, sign: f64) -> Option<String> {
        // Summed over its calls: a tool that goes up and down again has gone nowhere.
        let moved = self.attribution.by_tool.iter().map(|(tool, moved)| (tool, moved.total()));
        let farthest = moved.max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)));
        // Where no call went this way at all, the one that went least far the other way is no answer.
        let (tool, total) = farthest.filter(|(_, total)| sign * total > 0.0)?;
        Some(format!("{tool} {total:+.4}"))
    }
}

/// Words of a metric over a run.
type MetricText = fn(&MetricOverRun) -> Option<String>;
/// A number of a metric over a run.
type MetricNumber = fn(&MetricOverRun) -> Option<f64>;

/// The columns of a table with a row for each of these metrics.
pub(super) fn metric_columns(metrics: &[&MetricOverRun]) -> Vec<TypedColumn> {
    let named: [(&str, MetricText); 2] =
        [("metric", |it| Some(it.id.clone())), ("better", |it| Some(it.better().to_owned()))];
    let numbers: [(&str, MetricNumber); 8] = [
        ("initial", |it| it.by_turn.initial()?.score().value()),
        ("final", |it| it.by_turn.last()?.score().value()),
        ("delta", |it| it.by_turn.delta().value()),
        ("sd", |it| it.by_turn.standard_deviation().value()),
        ("best", |it| it.by_step.best()?.score().value()),
        ("best step", |it| Some(it.by_step.best()?.at as f64)),
        ("last step", |it| Some(it.by_step.last()?.at as f64)),
        ("lost since best", |it| it.by_step.lost_since_best().value()),
    ];
    let tools: [(&str, MetricText); 2] = [
        ("gained most by", MetricOverRun::gained_most),
        ("lost most by", MetricOverRun::lost_most),
    ];
    let texts = named.into_iter().map(|(name, words)| text_column(metrics, name, words));
    let mut columns: Vec<TypedColumn> = texts.collect();
    columns.extend(numbers.into_iter().map(|(name, number)| {
        TypedColumn::numbers(name, metrics.iter().map(|it| number(it)).collect())
    }));
    columns.extend(tools.into_iter().map(|(name, words)| text_column(metrics, name, words)));
    columns
}

fn text_column(metrics: &[&MetricOverRun], name: &str, words: MetricText) -> TypedColumn {
    TypedColumn::texts(name, metrics.iter().map(|it| words(it)).collect())
}

/// The steps after which turns end, the start first; a turn without steps ends where it began.
fn turn_ends(run: &Run) -> impl Iterator<Item = usize> + '_ {
    let ends = run.turns.iter().map(|turn| turn.first_step.saturating_add(turn.step_count));
    std::iter::once(0).chain(ends)
}

fn at_step(steps: &[Score], at: usize) -> Score {
    steps.get(at).cloned().unwrap_or_else(not_measured)
}

fn not_measured() -> Score {
    Score::Missing(MissingScore::Undefined("it was not measured".to_owned()))
}

fn point_cell(point: Option<CurvePoint>) -> String {
    match point {
        Some(point) if point.value.is_infinite() => "infinite".to_owned(),
        Some(point) => format!("{:.4}", point.value),
        None => "—".to_owned(),
    }
}

fn point(point: Option<CurvePoint>) -> Value {
    point.map_or(
        Value::Null,
        |point| json!({ "step": point.at, "value": score_json(&point.score()) }),
    )
}

fn moves(by_name: &BTreeMap<String, Moved>) -> Value {
    by_name.iter().map(|(name, it)| (name.clone(), moved(*it))).collect()
}

fn moved(it: Moved) -> Value {
    json!({ "steps": it.steps, "up": it.up, "down": it.down, "total": it.total() })
}

//! What a study comes to as tables for files: a row a level under a condition, an attempt, or an answer.

use std::path::Path;

use super::results::CountedAttempt;
use crate::evaluate::made_by::MadeBy;
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::metric::stats::{Interval, StatsError};
use crate::study::{
    AgentAttempt, Cell, GivenAnswer, ParticipantKind, STOP_REASONS, StudyResults, TaskClock, Unit,
};

/// Success and time by level and condition, as the report prints them: means over persons with 95 % intervals, and
/// beside them rows of agents alone, of runs. Wilson's interval is of the attempts, as if each were by another person.
/// What has no value is empty, and a column says why. `made_by` says the command; what it is of and what was left out is
/// put in here.
pub fn study_levels_table(results: &StudyResults, made_by: MadeBy) -> TypedTable {
    let cells: Vec<&Cell> = results.levels().concat();
    let cells = cells.as_slice();
    let levels = cells.iter().map(|cell| cell.level.clone().or_else(|| Some("all".to_owned())));
    let units = cells.iter().map(|cell| Some(cell.unit.name().to_owned()));
    let columns = vec![
        TypedColumn::texts("level", levels.collect()),
        TypedColumn::texts(
            "condition",
            cells.iter().map(|cell| results.condition_id(cell.condition)).collect(),
        ),
        TypedColumn::texts("unit", units.collect()),
        numbers("persons", cells, |cell| of_persons(cell, cell.units())),
        counts("tasks", cells, |cell| cell.tasks),
        counts("attempts", cells, |cell| cell.attempts),
        counts("successes", cells, |cell| cell.successes),
        numbers("success", cells, |cell| cell.success),
        numbers("success low", cells, |cell| low(Some(&cell.success_interval))),
        numbers("success high", cells, |cell| high(Some(&cell.success_interval))),
        numbers("success Wilson low", cells, |cell| low(Some(&cell.wilson))),
        numbers("success Wilson high", cells, |cell| high(Some(&cell.wilson))),
        numbers("persons with success", cells, |cell| of_persons(cell, cell.units_with_time())),
        numbers("seconds", cells, |cell| cell.seconds),
        numbers("seconds low", cells, |cell| low(Some(&cell.seconds_interval))),
        numbers("seconds high", cells, |cell| high(Some(&cell.seconds_interval))),
        numbers("geometric seconds", cells, |cell| cell.geometric_seconds),
        numbers("restricted seconds", cells, |cell| cell.restricted_seconds),
        numbers("restricted low", cells, |cell| low(restricted(cell))),
        numbers("restricted high", cells, |cell| high(restricted(cell))),
        TypedColumn::texts("missing", cells.iter().copied().map(gaps).collect()),
    ];
    TypedTable { columns, about: about(results, attempts_of_all(results), made_by) }
}

/// The attempts that are counted, with whose they are and what came of them; behind those of people the runs of agents
/// alone.
pub fn study_attempts_table(
    results: &StudyResults,
    attempts: &[CountedAttempt],
    made_by: MadeBy,
) -> TypedTable {
    let people = attempts.iter().map(|attempt| AttemptRow::of_person(results, attempt));
    let agents = &results.autonomous.attempts;
    let agents = agents.iter().filter_map(|attempt| AttemptRow::of_agent(results, attempt));
    let rows: Vec<AttemptRow<'_>> = people.chain(agents).collect();
    let conditions = rows.iter().map(|row| row.condition.clone());
    let columns = vec![
        texts("participant", &rows, |row| row.participant),
        texts("kind", &rows, |row| row.kind),
        TypedColumn::texts("condition", conditions.collect()),
        texts("level", &rows, |row| row.level),
        texts("set", &rows, |row| row.set),
        texts("task", &rows, |row| row.task),
        TypedColumn::flags("success", rows.iter().map(|row| Some(row.success)).collect()),
        TypedColumn::numbers("seconds", rows.iter().map(|row| Some(row.seconds)).collect()),
        texts("ending", &rows, |row| row.ending),
        TypedColumn::texts(
            "run",
            rows.iter().map(|row| Some(row.dir.display().to_string())).collect(),
        ),
    ];
    let columns = columns.into_iter().chain(clock_columns(&rows)).collect();
    TypedTable { columns, about: about(results, attempts.len(), made_by) }
}

/// When the clock ran without them and when it stood still, which is not in the seconds: empty of agents, and the time
/// away where nobody may leave.
fn clock_columns(rows: &[AttemptRow<'_>]) -> Vec<TypedColumn> {
    let clocks: Vec<Option<&TaskClock>> = rows.iter().map(|row| row.clock).collect();
    let away = rows.iter().map(|row| Some(row.clock.filter(|_| row.may_leave)?.away_secs()));
    let pauses = clocks.iter().map(|clock| clock.map(|it| it.stops.len() as f64));
    let mut columns = vec![
        TypedColumn::numbers("seconds away", away.collect()),
        TypedColumn::numbers("pauses", pauses.collect()),
    ];
    for (reason, name) in STOP_REASONS {
        let paused = clocks.iter().map(|clock| clock.map(|it| it.stopped_secs(reason)));
        let name = format!("seconds paused by {name}");
        columns.push(TypedColumn::numbers(name, paused.collect()));
    }
    let jumps = clocks.iter().map(|clock| clock.map(|it| it.wall_jumps_ms.len() as f64));
    columns.push(TypedColumn::numbers("clock jumps", jumps.collect()));
    columns
}

/// An attempt of anybody.
struct AttemptRow<'a> {
    participant: &'a str,
    kind: &'static str,
    condition: Option<String>,
    level: &'a str,
    set: &'a str,
    task: &'a str,
    success: bool,
    seconds: f64,
    ending: &'static str,
    dir: &'a Path,
    /// Of a person's.
    clock: Option<&'a TaskClock>,
    /// Whether they may leave the window under its condition, which is then written down.
    may_leave: bool,
}

impl<'a> AttemptRow<'a> {
    fn of_person(results: &StudyResults, attempt: &'a CountedAttempt) -> Self {
        Self {
            participant: &attempt.participant,
            kind: match attempt.by {
                ParticipantKind::Person => "person",
                ParticipantKind::Scripted => "scripted",
            },
            condition: results.condition_id(attempt.condition),
            level: &attempt.level,
            set: &attempt.set,
            task: &attempt.task,
            success: attempt.success,
            seconds: attempt.seconds,
            ending: attempt.ending.name(),
            dir: &attempt.dir,
            clock: Some(&attempt.clock),
            may_leave: results.may_leave(attempt.condition),
        }
    }

    fn of_agent(results: &'a StudyResults, attempt: &'a AgentAttempt) -> Option<Self> {
        let models = &results.autonomous.models;
        let model = models.iter().position(|model| model.name == attempt.model)?;
        let task = results.plan.tasks.get(attempt.task)?;
        Some(Self {
            participant: &attempt.model,
            kind: "agent",
            condition: results.condition_id(results.plan.conditions.len() + model),
            level: &task.difficulty,
            set: &task.set,
            task: &task.id,
            success: attempt.success,
            seconds: attempt.seconds,
            ending: attempt.ending,
            dir: &attempt.dir,
            clock: None,
            may_leave: false,
        })
    }
}

/// What was answered in words or by choice, with whose it is and what it is about.
pub fn study_answers_table(results: &StudyResults, made_by: MadeBy) -> TypedTable {
    let given = &results.answers;
    let texts = given.texts.iter().map(|it| (it, "words"));
    let choices = given.choices.iter().map(|it| (it, "choice"));
    let answers: Vec<(&GivenAnswer, &str)> = texts.chain(choices).collect();
    let given: Vec<&GivenAnswer> = answers.iter().map(|(it, _)| *it).collect();
    let kinds = answers.iter().map(|(_, kind)| Some((*kind).to_owned()));
    let columns = vec![
        answered("participant", &given, |it| Some(it.participant.as_str())),
        answered("condition", &given, |it| it.condition.as_deref()),
        answered("set", &given, |it| it.task.as_ref().map(|task| task.set.as_str())),
        answered("task", &given, |it| it.task.as_ref().map(|task| task.id.as_str())),
        answered("form", &given, |it| Some(it.form.as_str())),
        answered("question", &given, |it| Some(it.question.as_str())),
        TypedColumn::texts("kind", kinds.collect()),
        answered("value", &given, |it| Some(it.value.as_str())),
    ];
    TypedTable { columns, about: about(results, attempts_of_all(results), made_by) }
}

fn answered(
    name: &str,
    answers: &[&GivenAnswer],
    of: fn(&GivenAnswer) -> Option<&str>,
) -> TypedColumn {
    TypedColumn::texts(name, answers.iter().map(|it| of(it).map(str::to_owned)).collect())
}

/// How many attempts of people count.
fn attempts_of_all(results: &StudyResults) -> usize {
    let all = results.cells.iter().filter(|cell| cell.level.is_none());
    all.map(|cell| cell.attempts).sum()
}

fn counts(name: &str, cells: &[&Cell], of: fn(&Cell) -> usize) -> TypedColumn {
    TypedColumn::numbers(name, cells.iter().map(|cell| Some(of(cell) as f64)).collect())
}

fn numbers(name: &str, cells: &[&Cell], of: fn(&Cell) -> Option<f64>) -> TypedColumn {
    TypedColumn::numbers(name, cells.iter().copied().map(of).collect())
}

/// How many persons; nothing where runs are counted.
fn of_persons(cell: &Cell, count: usize) -> Option<f64> {
    (cell.unit == Unit::Person).then_some(count as f64)
}

fn texts<'a>(
    name: &str,
    rows: &[AttemptRow<'a>],
    of: fn(&AttemptRow<'a>) -> &'a str,
) -> TypedColumn {
    TypedColumn::texts(name, rows.iter().map(|row| Some(of(row).to_owned())).collect())
}

fn restricted(cell: &Cell) -> Option<&Result<Interval, StatsError>> {
    cell.restricted_interval.as_ref()
}

fn low(interval: Option<&Result<Interval, StatsError>>) -> Option<f64> {
    Some(interval?.as_ref().ok()?.low)
}

fn high(interval: Option<&Result<Interval, StatsError>>) -> Option<f64> {
    Some(interval?.as_ref().ok()?.high)
}

fn gaps(cell: &Cell) -> Option<String> {
    let intervals = [Some(&cell.success_interval), Some(&cell.seconds_interval), restricted(cell)];
    Some(interval_gaps(intervals)).filter(|gaps| !gaps.is_empty())
}

/// Why intervals are not there, each reason once; empty if all are.
pub fn interval_gaps<const N: usize>(
    intervals: [Option<&Result<Interval, StatsError>>; N],
) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for why in intervals.into_iter().flatten().filter_map(|it| it.as_ref().err()) {
        let why = why.to_string();
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
    reasons.join("; ")
}

fn about(results: &StudyResults, attempts: usize, mut made_by: MadeBy) -> Vec<(String, String)> {
    let people = results.participants.len();
    made_by.runs = format!("{attempts} attempts of {people} participants");
    made_by.choices.insert(0, ("study", results.plan.title.clone()));
    let agents = results.autonomous.remarks().join(" ");
    made_by.choices.extend((!agents.is_empty()).then_some(("agents", agents)));
    if results.has_scripted {
        made_by.choices.push(("kind", "scripted, not people".to_owned()));
    }
    if !results.unfinished.is_empty() {
        let left = results.unfinished.len();
        made_by.left_out.push(format!("{left} attempts without an end or a check"));
    }
    if results.scripted_left_out > 0 {
        let left = results.scripted_left_out;
        made_by.left_out.push(format!("{left} scripted participants"));
    }
    made_by.entries()
}

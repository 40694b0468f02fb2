//! A study's results as tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cli::table::{Column, Table};
use crate::evaluate::studies::interval_gaps;
use crate::metric::stats::{Interval, StatsError};
use crate::study::{Arrangement, Cell, EQUAL_SHARES, StudyResults, TestFinding, UnfinishedAttempt};

/// Everything, table by table.
pub(super) fn results_text(results: &StudyResults) -> String {
    let plan = &results.plan;
    let mut text = format!("{} ({})\n", plan.title, plan.id);
    if results.has_scripted {
        text += "Scripted, not people.\n";
    }
    let kind = match plan.arrangement {
        Arrangement::Between => "between people",
        Arrangement::Within => "within people",
    };
    let (participants, tasks) = (results.participants.len(), plan.tasks.len());
    writeln!(text, "{participants} participants, {tasks} tasks, {kind}").ok();
    let (scripted, unfinished) = (results.scripted_left_out, results.unfinished.len());
    writeln!(
        text,
        "Left out: {scripted} scripted, {unfinished} attempts without an end or a check"
    )
    .ok();
    for left in &results.unfinished {
        let UnfinishedAttempt { participant, condition, task, why } = left;
        writeln!(text, "  {participant}, {}/{} under {condition}: {why}", task.set, task.id).ok();
    }
    for remark in results.autonomous.remarks() {
        writeln!(text, "{remark}").ok();
    }
    text += &balance(results);
    for (title, table) in [
        ("Success and time", cells(results) + &clocks(results)),
        ("Tests", tests(results)),
        ("Success with persons and tasks random", mixed(results)),
        ("Questionnaires", questionnaires(results)),
        ("Answers in words and by choice", answers(results)),
        ("With the assistant", codesign(results)),
    ] {
        write!(text, "\n{title}\n{table}").ok();
    }
    text
}

fn balance(results: &StudyResults) -> String {
    let balance = &results.balance;
    if balance.is_even() {
        return "Conditions, positions and groups met equally often.\n".to_owned();
    }
    let uneven = balance.tables().into_iter().filter_map(|(name, table)| {
        let (least, most) = (table.values().min()?, table.values().max()?);
        (least != most).then(|| format!("{name} {least} to {most} times"))
    });
    format!("Met unequally often: {}.\n", uneven.collect::<Vec<_>>().join("; "))
}

fn condition(results: &StudyResults, at: usize) -> String {
    results.condition_id(at).unwrap_or_default()
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

fn interval(found: &Result<Interval, StatsError>, digits: usize) -> String {
    match found {
        Ok(it) => format!("{:.digits$} to {:.digits$}", it.low, it.high),
        Err(_) => "–".to_owned(),
    }
}

fn cells(results: &StudyResults) -> String {
    let mut table = Table::new(&[
        Column::left("level"),
        Column::left("condition"),
        Column::right("n"),
        Column::left("unit"),
        Column::right("attempts"),
        Column::right("success"),
        Column::left("95 %"),
        Column::right("succeeded"),
        Column::right("seconds"),
        Column::left("95 %"),
        Column::right("to success"),
        Column::left("95 %"),
        Column::left(""),
    ]);
    for cell in results.levels().into_iter().flatten() {
        // Beside the mean of successes, which is blind to who never succeeded.
        let restricted = cell.restricted_interval.as_ref();
        table.push(vec![
            cell.level.clone().unwrap_or_else(|| "all".to_owned()),
            condition(results, cell.condition),
            cell.units().to_string(),
            cell.unit.name().to_owned(),
            cell.attempts.to_string(),
            number(cell.success, 3),
            cell.success_interval_words(),
            cell.units_with_time().to_string(),
            number(cell.seconds, 0),
            interval(&cell.seconds_interval, 0),
            number(cell.restricted_seconds, 0),
            restricted.map_or_else(String::new, |found| interval(found, 0)),
            interval_gaps([Some(&cell.success_interval), Some(&cell.seconds_interval), restricted]),
        ]);
    }
    let mut text = table.to_text()
        + "Seconds: mean of successes only, of each person first, over those who succeeded. To success: restricted mean up \
           to the shortest limit of the level's tasks, failures with the whole of it.\n";
    if results.cells.iter().any(Cell::has_equal_shares) {
        text += EQUAL_SHARES;
        text.push('\n');
    }
    text
}

/// How long people were away, and how often the clock stood still.
fn clocks(results: &StudyResults) -> String {
    results.clock_lines(StudyResults::condition_id).into_iter().map(|line| line + "\n").collect()
}

fn tests(results: &StudyResults) -> String {
    let mut table = Table::new(&[
        Column::left("measure"),
        Column::left("test"),
        Column::left("conditions"),
        Column::right("persons"),
        Column::right("tasks"),
        Column::right("value"),
        Column::right("p"),
        Column::right("p, Holm"),
        Column::left("method"),
        Column::left("effect"),
        Column::left("95 %"),
        Column::left(""),
    ]);
    for it in &results.comparisons {
        let conditions = it.pair.map_or_else(
            || "all".to_owned(),
            |pair| pair.map(|at| condition(results, at)).join(" – "),
        );
        let counts = [it.persons, it.tasks].map(|count| count.to_string());
        let head = [it.measure.name(), it.test.to_owned(), conditions].into_iter().chain(counts);
        let effect = it.finding.as_ref().ok().and_then(|found| found.effect.as_ref());
        let tail = match &it.finding {
            Ok(found) => vec![
                format!("{} {:.3}", found.statistic.0, found.statistic.1),
                format!("{:.4}", found.p),
                it.pair.map_or_else(String::new, |_| format!("{:.4}", found.corrected_p)),
                found.method.name().to_owned(),
                effect.map_or_else(String::new, |it| format!("{} {:.3}", it.name, it.value)),
                effect.map_or_else(String::new, |it| interval(&it.interval, 3)),
                remarks(found),
            ],
            Err(why) => {
                let mut blank = vec![String::new(); 6];
                blank.push(why.to_string());
                blank
            }
        };
        table.push(head.chain(tail).collect());
    }
    table.to_text()
        + "The unit is the person. Intervals are of the effect in resamples of persons; pairs are corrected by Holm, measure \
           by measure.\n"
}

/// What is to be said of a test beside its numbers.
fn remarks(found: &TestFinding) -> String {
    let small = found.is_too_small().then(|| "n too small to say".to_owned());
    let gaps = found.effect.as_ref().map(|effect| interval_gaps([Some(&effect.interval)]));
    let remarks = small.into_iter().chain(gaps.filter(|gaps| !gaps.is_empty()));
    remarks.collect::<Vec<_>>().join("; ")
}

fn mixed(results: &StudyResults) -> String {
    let mut text = String::new();
    for model in &results.mixed {
        match &model.fit {
            Err(why) => {
                writeln!(text, "{}: no fit: {why}", model.name).ok();
            }
            Ok(fit) => {
                writeln!(
                    text,
                    "{}: {} attempts, {} persons (deviation {:.2}), {} tasks (deviation {:.2})",
                    model.name,
                    fit.observations,
                    fit.persons,
                    fit.person_deviation,
                    fit.tasks,
                    fit.task_deviation
                )
                .ok();
                let mut table = Table::new(&[
                    Column::left("term"),
                    Column::right("log odds"),
                    Column::right("std err"),
                    Column::left("95 %"),
                    Column::right("p"),
                ]);
                for term in &fit.terms {
                    table.push(vec![
                        term.name.clone(),
                        format!("{:.3}", term.coefficient),
                        format!("{:.3}", term.standard_error),
                        format!("{:.3} to {:.3}", term.interval.low, term.interval.high),
                        format!("{:.4}", term.p),
                    ]);
                }
                text += &table.to_text();
            }
        }
    }
    text
}

fn questionnaires(results: &StudyResults) -> String {
    if results.questionnaires.is_empty() {
        return "none was asked\n".to_owned();
    }
    let mut table = Table::new(&[
        Column::left("score"),
        Column::left("condition"),
        Column::right("persons"),
        Column::right("mean"),
        Column::left("95 %"),
        Column::right("not answered"),
        Column::left(""),
    ]);
    for score in &results.questionnaires {
        table.push(vec![
            score.name.clone(),
            score.condition.clone().unwrap_or_default(),
            score.individuals.len().to_string(),
            number(score.mean.as_ref().ok().copied(), 2),
            interval(&score.interval, 2),
            score.unanswered.to_string(),
            [score.faults.join("; "), interval_gaps([Some(&score.interval)])]
                .into_iter()
                .filter(|words| !words.is_empty())
                .collect::<Vec<_>>()
                .join("; "),
        ]);
    }
    table.to_text()
}

/// How often what was chosen, and how many wrote something.
fn answers(results: &StudyResults) -> String {
    let given = &results.answers;
    if given.texts.is_empty() && given.choices.is_empty() {
        return "none was given\n".to_owned();
    }
    let mut questions: BTreeMap<[&str; 3], BTreeMap<&str, usize>> = BTreeMap::new();
    let texts = given.texts.iter().map(|it| (it, "in words"));
    let choices = given.choices.iter().map(|it| (it, it.value.as_str()));
    for (it, value) in texts.chain(choices) {
        let condition = it.condition.as_deref().unwrap_or_default();
        let question =
            questions.entry([it.form.as_str(), it.question.as_str(), condition]).or_default();
        *question.entry(value).or_default() += 1;
    }
    let mut table = Table::new(&[
        Column::left("form"),
        Column::left("question"),
        Column::left("condition"),
        Column::left("answers"),
    ]);
    for (place, values) in questions {
        let values = values.iter().map(|(value, count)| format!("{value} {count}"));
        let values = values.collect::<Vec<_>>().join("; ");
        table.push(place.into_iter().map(str::to_owned).chain([values]).collect());
    }
    let more = "What each person wrote and chose: --json, or --table-of answers --table FILE.\n";
    table.to_text() + more
}

fn codesign(results: &StudyResults) -> String {
    let conditions = results.plan.conditions.iter().map(|it| Column::right(&it.title));
    let columns: Vec<Column<'_>> =
        [Column::left("measure")].into_iter().chain(conditions).collect();
    let mut table = Table::new(&columns);
    for (name, cells) in results.assistant_rows() {
        table.push([name].into_iter().chain(cells).collect());
    }
    table.to_text()
}

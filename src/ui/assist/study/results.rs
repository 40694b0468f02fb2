//! What a study comes to: the figure and the tables of the report.

use egui::{Grid, Label, Ui};

use super::agents::agents_ui;
use super::parts::study;
use crate::evaluate::figures::{Figure, STUDY_PROGRESS, STUDY_RESULTS};
use crate::metric::stats::{Interval, StatsError};
use crate::study::{Cell, Counted, EQUAL_SHARES, StudyResults, Unit};
use crate::ui::context::ViewContext;
use crate::ui::explore;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, Several, choice_ui, count, rich_text, section_header_ui};
use crate::workbench::{StudyCommand, StudyCount, StudyDesk, StudySource};

/// How wide the figure is at most.
const FIGURE: f32 = 720.0;

/// Draws what it comes to.
pub(super) fn results_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        counted_ui(ui, cx, desk.counted);
        // Also where it fails: agents whose folder is gone are taken away here.
        agents_ui(ui, cx, desk);
        if desk.counting.is_some() {
            ui.label(rich_text("Counting…", Type::Body, tokens.dim));
            if Button::text("Stop").look(Look::Raised).show(ui).clicked() {
                study(cx, StudyCommand::StopCounting);
            }
            return;
        }
        // Who stopped it sees what was counted before, or nothing.
        let agents = cx.state.explore.view.study_agents.get(&desk.dir);
        let is_wanted = |of: &StudyCount| {
            let chosen = agents.into_iter().flatten();
            of.counted == desk.counted && of.agents.iter().eq(chosen)
        };
        let is_old = match &desk.results {
            None => true,
            Some(Ok(found)) => !is_wanted(&found.of),
            Some(Err(_)) => false,
        };
        if is_old && Button::text("Count").look(Look::Raised).show(ui).clicked() {
            study(cx, StudyCommand::Count(desk.counted));
        }
        if let Some(Ok(found)) = &desk.results {
            ui.label(rich_text(summary(&found.results), Type::Body, tokens.dim));
        }
    });
    let found = match &desk.results {
        None => return,
        Some(Err(why)) => {
            let words = format!("What it comes to cannot be said: {why}.");
            ui.add(Label::new(rich_text(words, Type::Body, tokens.warn)).wrap());
            return;
        }
        Some(Ok(found)) => found,
    };
    let results = &found.results;
    if results.has_scripted {
        ui.label(rich_text("Scripted, not people.", Type::Strong, tokens.warn));
    }
    ui.add_space(8.0);
    figure_ui(ui, cx, &found.figure, STUDY_RESULTS, "the figure of time and success");
    cells_ui(ui, results);
    ui.horizontal(|ui| {
        explore::study_tables_ui(ui, cx, StudySource::Open);
    });
    tests_ui(ui, results);
    questionnaires_ui(ui, results);
    assistant_ui(ui, results);
    ui.add_space(12.0);
    section_header_ui(ui, "Distance left over time", "by whose changes");
    figure_ui(ui, cx, &found.progress, STUDY_PROGRESS, "the figure of the distance over time");
    let agents = if found.of.agents.is_empty() { "" } else { " --agents RUNS" };
    let report = format!("pentimento study report DIR{agents} --json");
    let words = format!("All of it, with every person and reason: {report}");
    ui.add_space(8.0);
    ui.label(rich_text(words, Type::Caption, tokens.dim));
}

/// Whether scripts are counted.
fn counted_ui(ui: &mut Ui, cx: &ViewContext<'_>, now: Counted) {
    let kinds = [(Counted::People, "People"), (Counted::ScriptedToo, "People and scripts")];
    for (counted, words) in kinds {
        let name = format!("Count {}", words.to_lowercase());
        let choice = choice_ui(ui, words, &name, now == counted, Several::No);
        if choice.clicked() && now != counted {
            study(cx, StudyCommand::Count(counted));
        }
    }
}

fn figure_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    figure: &Result<Figure, String>,
    id: &'static str,
    name: &str,
) {
    ui.scope(|ui| {
        ui.set_max_width(FIGURE.min(ui.available_width()));
        match figure {
            Ok(figure) => explore::figure_ui(ui, cx, figure, id, name),
            Err(why) => {
                let words = format!("No figure: {why}.");
                ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
            }
        }
    });
}

fn summary(results: &StudyResults) -> String {
    let people = count(results.participants.len(), "participant");
    let mut words = vec![format!("{people} counted")];
    if results.scripted_left_out > 0 {
        words.push(format!("{} scripted left out", results.scripted_left_out));
    }
    let unfinished = results.unfinished.len();
    if unfinished > 0 {
        words.push(format!("{unfinished} without an end or a check left out"));
    }
    words.join(", ")
}

fn condition(results: &StudyResults, at: usize) -> &str {
    results.plan.conditions.get(at).map_or("", |condition| condition.title.as_str())
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

/// A table with its heads.
fn table_ui(ui: &mut Ui, title: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let tokens = tokens(ui);
    ui.add_space(12.0);
    section_header_ui(ui, title, "");
    Grid::new(("study_table", title)).num_columns(heads.len()).spacing([20.0, 4.0]).show(
        ui,
        |ui| {
            for head in heads {
                ui.label(rich_text(*head, Type::Section, tokens.dim));
            }
            ui.end_row();
            for row in rows {
                for cell in row {
                    ui.label(rich_text(cell, Type::Body, tokens.text));
                }
                ui.end_row();
            }
        },
    );
}

fn cells_ui(ui: &mut Ui, results: &StudyResults) {
    let heads =
        ["Level", "Condition", "Persons", "Success", "95 %", "Seconds", "95 %", "To success"];
    let rows = results.levels().into_iter().flatten().map(|cell| {
        vec![
            cell.level.clone().unwrap_or_else(|| "all".to_owned()),
            results.condition_title(cell.condition).unwrap_or_default(),
            match cell.unit {
                Unit::Person => cell.units().to_string(),
                Unit::Run => count(cell.units(), "run"),
            },
            number(cell.success, 3),
            cell.success_interval_words(),
            number(cell.seconds, 0),
            interval(&cell.seconds_interval, 0),
            number(cell.restricted_seconds, 0),
        ]
    });
    table_ui(ui, "Success and time", &heads, rows);
    if results.cells.iter().any(Cell::has_equal_shares) {
        note_ui(ui, EQUAL_SHARES);
    }
    for line in results.clock_lines(StudyResults::condition_title) {
        note_ui(ui, &line);
    }
}

/// A line below a table.
fn note_ui(ui: &mut Ui, words: &str) {
    ui.add(Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
}

fn tests_ui(ui: &mut Ui, results: &StudyResults) {
    let heads =
        ["Measure", "Test", "Conditions", "Persons", "Tasks", "p", "p, Holm", "Effect, 95 %", ""];
    let rows = results.comparisons.iter().map(|it| {
        let conditions = it.pair.map_or_else(
            || "all".to_owned(),
            |pair| pair.map(|at| condition(results, at)).join(" – "),
        );
        let counts = [it.persons, it.tasks].map(|count| count.to_string());
        let head = [it.measure.name(), it.test.to_owned(), conditions].into_iter().chain(counts);
        let mut row: Vec<String> = head.collect();
        match &it.finding {
            Ok(found) => {
                let effect = found.effect.as_ref();
                row.push(format!("{:.4}", found.p));
                let corrected = it.pair.map(|_| format!("{:.4}", found.corrected_p));
                row.push(corrected.unwrap_or_default());
                let effect = effect.map(|it| {
                    format!("{} {:.3} ({})", it.name, it.value, interval(&it.interval, 3))
                });
                row.push(effect.unwrap_or_default());
                let small = if found.is_too_small() { "n too small to say" } else { "" };
                row.push(small.to_owned());
            }
            Err(why) => {
                row.extend([String::new(), String::new(), String::new()]);
                row.push(why.to_string());
            }
        }
        row
    });
    table_ui(ui, "Tests", &heads, rows);
}

fn questionnaires_ui(ui: &mut Ui, results: &StudyResults) {
    if results.questionnaires.is_empty() {
        return;
    }
    let heads = ["Score", "Condition", "Persons", "Mean", "95 %", "Not answered", ""];
    let rows = results.questionnaires.iter().map(|score| {
        vec![
            score.name.clone(),
            score.condition.clone().unwrap_or_default(),
            score.individuals.len().to_string(),
            number(score.mean.as_ref().ok().copied(), 2),
            interval(&score.interval, 2),
            score.unanswered.to_string(),
            score.faults.join("; "),
        ]
    });
    table_ui(ui, "Questionnaires", &heads, rows);
}

/// What happened between people and the assistant: a row a measure, a column a condition.
fn assistant_ui(ui: &mut Ui, results: &StudyResults) {
    let conditions = results.plan.conditions.iter().map(|it| it.title.as_str());
    let heads: Vec<&str> = [""].into_iter().chain(conditions).collect();
    let rows = results.assistant_rows().into_iter();
    let rows = rows.map(|(name, cells)| [name].into_iter().chain(cells).collect());
    table_ui(ui, "With the assistant", &heads, rows);
}

//! What a run is.

use egui::Ui;
use serde_json::Value;

use super::parts::{fact_because_ui, fact_ui, path_fact_ui, section_ui};
use crate::agent::models::{MODE_SETTING, MODEL_SETTING, PROMPTS_SETTING};
use crate::agent::runner::COMPAT_SETTING;
use crate::run::{ImportRecord, Manifest, Outcome};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::labels::label_words;
use crate::ui::usage::{cost_words, left_basis, left_words};
use crate::ui::widgets::{Look, duration, grouped, section_header_ui};
use crate::workbench::RunState;
use crate::workbench::views::{self, Inspector, Recording};

/// Draws what the run is.
pub(super) fn run_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    let manifest = inspector.manifest;
    section_ui(ui, false, |ui| {
        let is_paused = inspector.pause.is_on() && *inspector.state == RunState::Live;
        section_header_ui(ui, "Run", inspector.word);
        fact_ui(ui, "Agent", &agent_words(inspector));
        fact_ui(ui, "Task", &format!("{} · {}", manifest.task.id, manifest.task.set));
        let outcome = match inspector.recording {
            Recording::Run if is_paused => inspector.pause.word().to_owned(),
            Recording::Run => outcome_words(&manifest.outcome, inspector.state),
            Recording::Import | Recording::Pictures => imported_outcome(inspector.manifest),
        };
        fact_ui(ui, "Outcome", &outcome);
        if !manifest.mode.is_empty() {
            fact_ui(ui, "Mode", &manifest.mode.replace('_', " "));
        }
        let annotate = &cx.state.annotate;
        if let Some(labels) = annotate.said_of(inspector.dir) {
            fact_ui(ui, "Labels", &label_words(labels));
        } else if annotate.hides_labels_of(inspector.dir) {
            fact_ui(ui, "Labels", "hidden while somebody labels blind");
        }
        usage_ui(ui, inspector);
        if !manifest.started.is_empty() {
            // When it was carried out here is all that is known of a plan.
            let name = if manifest.recorded_start().is_some() { "Started" } else { "Imported" };
            fact_ui(ui, name, &started_words(&manifest.started));
        }
        if let Some(imported) = &manifest.imported {
            record_ui(ui, imported);
        }
        if let Some(compat) = &manifest.compat {
            fact_ui(ui, "Tools", &format!("as {compat}"));
        }
        if let Some(model) = manifest.settings.get(MODEL_SETTING) {
            fact_ui(ui, "Asked", &model_words(model));
        }
        // Where the tasks lay is for the commands, not for people: a row above names the task, and
        // another how the tools behaved. Prompts are long, and in the run for those who repeat it.
        let said = ["tasks", COMPAT_SETTING, MODE_SETTING, MODEL_SETTING, PROMPTS_SETTING];
        let settings = manifest.settings.iter().filter(|(name, _)| !said.contains(&name.as_str()));
        for (name, value) in settings.take(12) {
            let words = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            fact_ui(ui, &setting_name(name), &words);
        }
        if !inspector.dir.as_os_str().is_empty() {
            path_fact_ui(ui, "Folder", &inspector.dir.display().to_string());
        }
        ui.add_space(8.0);
        actions_ui(ui, cx, inspector);
    });
}

/// How an imported run ended, if its record says so.
fn imported_outcome(manifest: &Manifest) -> String {
    let said = manifest.imported.as_ref().and_then(|imported| imported.outcome.clone());
    said.unwrap_or_else(|| "not recorded".to_owned())
}

/// Most figures of a record that are listed.
const MOST_FACTS: usize = 12;

/// Where an imported run comes from, and what its record says of it as a whole.
fn record_ui(ui: &mut Ui, imported: &ImportRecord) {
    fact_ui(ui, "Imported from", &format!("{} · {}", imported.format, imported.source));
    for (name, value) in imported.scores.iter().take(MOST_FACTS) {
        fact_ui(ui, &format!("Recorded {name}"), &value_words(value));
    }
    for (name, value) in imported.facts.iter().take(MOST_FACTS) {
        fact_ui(ui, &setting_name(name), &value_words(value));
    }
}

fn value_words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// What can be done to the run: pause and stop it while it is made here, make it again.
fn actions_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    // A run that another program records is live and has no job: it can be watched, not stopped.
    let is_made_here = inspector.job.is_some_and(|job| cx.state.jobs.is_active(job));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        // Of a paused run both stand above the step.
        if is_made_here && inspector.pause.is_on() {
            return;
        }
        if is_made_here {
            let look = Look::Raised;
            let pause = CommandButton::icon(CommandId::PauseRun, icons::PAUSE).short("Pause");
            pause.look(look).show(ui, cx);
            let stop = CommandButton::icon(CommandId::StopRun, icons::STOP).short("Stop");
            stop.look(look).show(ui, cx);
        } else {
            let again = CommandButton::icon(CommandId::RunAgain, icons::AGAIN).short("Run again");
            again.look(Look::Raised).show(ui, cx);
        }
        let with = CommandButton::text(CommandId::RunWith).short("Run task with…");
        with.look(Look::Raised).show(ui, cx);
        // A clipboard is the window's own: the command by itself copies where its key is pressed.
        let copy = CommandButton::icon(CommandId::CopyLink, icons::COPY).show(ui, cx);
        if let Some(link) = cx.state.link().filter(|_| copy.clicked()) {
            ui.ctx().copy_text(link.to_string());
        }
    });
}

/// Turns, tokens, money and time, so far or in all.
fn usage_ui(ui: &mut Ui, inspector: &Inspector<'_>) {
    let totals = &inspector.manifest.totals;
    let spent = views::run_usage(inspector.manifest);
    let is_live = *inspector.state == RunState::Live;
    if totals.turns > 0 || is_live {
        let failed = if totals.failures > 0 {
            format!(", {} failed", totals.failures)
        } else {
            String::new()
        };
        // What it might have taken says nothing of a run that has ended.
        let most = if is_live { format!(" of {}", spent.max_turns) } else { String::new() };
        fact_ui(ui, "Turns", &format!("{}{most} · {} calls{failed}", totals.turns, totals.calls));
    }
    if spent.tokens > 0 {
        let (read, written) = (grouped(totals.input_tokens), grouped(totals.output_tokens));
        fact_ui(ui, "Tokens", &format!("{read} in · {written} out"));
    }
    if let Some(cost) = cost_words(&spent) {
        fact_ui(ui, "Cost", &cost);
    }
    let seconds = inspector.manifest.recorded_seconds();
    if let Some(seconds) = seconds.filter(|_| inspector.recording != Recording::Pictures) {
        fact_ui(ui, if is_live { "So far" } else { "Took" }, &duration(seconds));
    }
    // By the most turns it may take, so it is said on hover what the estimate goes by.
    if let Some(left) = spent.left.filter(|_| is_live) {
        fact_because_ui(ui, "Left", &left_words(&left), &left_basis(&left));
    }
}

/// How a model was asked.
fn model_words(model: &Value) -> String {
    let provider = &model["provider"];
    let kind = provider["kind"].as_str().map(|kind| kind.replace('_', " "));
    let address = provider["base_url"].as_str().map(|address| format!("at {address}"));
    let temperature = model["temperature"].as_f64().map(|t| format!("temperature {t}"));
    let tokens = model["max_tokens"].as_u64().map(|tokens| format!("{tokens} tokens an answer"));
    let parts = [kind, temperature, tokens, address].into_iter().flatten();
    parts.collect::<Vec<_>>().join(" · ")
}

fn agent_words(inspector: &Inspector<'_>) -> String {
    let agent = &inspector.manifest.agent;
    // An agent of ours is called by its kind unless it is a model or a program of somebody.
    let kind =
        (agent.kind != agent.name && !agent.kind.is_empty()).then(|| format!("({})", agent.kind));
    let parts = [Some(agent.name.clone()), kind, agent.version.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn outcome_words(outcome: &Outcome, state: &RunState) -> String {
    match outcome {
        Outcome::Running if *state == RunState::Live => "at work".to_owned(),
        Outcome::Running => "never ended".to_owned(),
        Outcome::Completed => "completed".to_owned(),
        Outcome::LimitReached(limit) => format!("limit reached: {limit}"),
        Outcome::Cancelled => "stopped".to_owned(),
        // Why, the banner above says in full.
        Outcome::Failed(_) => "failed".to_owned(),
    }
}

/// RFC 3339 to the minute.
fn started_words(started: &str) -> String {
    // By place and not parsed: what is not of that form is shown as it is.
    match (started.get(..10), started.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => started.to_owned(),
    }
}

/// `max_turns` is `Max turns`, as the other names of facts are.
fn setting_name(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

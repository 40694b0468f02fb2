//! What a run is, and what a task asks.

use egui::{Label, RichText, Ui, vec2};
use serde_json::Value;

use super::section;
use super::step::{duration, text_ui};
use crate::agent::models::{MODE_SETTING, MODEL_SETTING, PROMPTS_SETTING};
use crate::agent::runner::COMPAT_SETTING;
use crate::run::Outcome;
use crate::task::{DesignBrief, Task, TaskKind};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::spending::{cost_words, left_basis, left_words};
use crate::ui::status_bar::grouped;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Look, elided_label, path_label, section_header};
use crate::workbench::RunState;
use crate::workbench::views::{self, Inspector};

/// Draws what the run is.
pub(super) fn run_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    let manifest = inspector.manifest;
    section(ui, false, |ui| {
        let is_paused = inspector.pause.is_on() && *inspector.state == RunState::Live;
        let word = if is_paused { inspector.pause.word() } else { inspector.state.word() };
        section_header(ui, "Run", word);
        fact(ui, "Agent", &agent_words(inspector));
        fact(ui, "Task", &format!("{} · {}", manifest.task.id, manifest.task.set));
        fact(ui, "Outcome", &outcome_words(&manifest.outcome, inspector.state));
        if !manifest.mode.is_empty() {
            fact(ui, "Mode", &manifest.mode.replace('_', " "));
        }
        spending_ui(ui, inspector);
        if !manifest.started.is_empty() {
            fact(ui, "Started", &started_words(&manifest.started));
        }
        if let Some(compat) = &manifest.compat {
            fact(ui, "Tools", &format!("as {compat}"));
        }
        // Where the tasks lay is for the commands, not for people: a row above names the task, and
        // another how the tools behaved.
        // Prompts are long, and in the run for those who want to repeat it.
        let is_said = |name: &str| {
            ["tasks", COMPAT_SETTING, MODE_SETTING, MODEL_SETTING, PROMPTS_SETTING].contains(&name)
        };
        if let Some(model) = manifest.settings.get(MODEL_SETTING) {
            fact(ui, "Asked", &model_words(model));
        }
        let settings = manifest.settings.iter().filter(|(name, _)| !is_said(name));
        for (name, value) in settings.take(12) {
            fact(ui, &setting_name(name), &setting_words(value));
        }
        if !inspector.dir.as_os_str().is_empty() {
            path_fact(ui, "Folder", &inspector.dir.display().to_string());
        }
        ui.add_space(8.0);
        actions_ui(ui, cx, inspector);
    });
}

/// What can be done to the run: pause and stop it while it is made here, make it again.
fn actions_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    let is_made_here = inspector.job.is_some_and(|job| cx.state.jobs.is_active(job));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if is_made_here {
            let is_on = inspector.pause.is_on();
            let (icon, words) =
                if is_on { (icons::PLAY, "Resume") } else { (icons::PAUSE, "Pause") };
            let look = Look::Raised;
            CommandButton::icon(CommandId::PauseRun, icon).short(words).look(look).show(ui, cx);
            let stop = CommandButton::icon(CommandId::StopRun, icons::STOP).short("Stop");
            stop.look(look).show(ui, cx);
        } else {
            let again = CommandButton::icon(CommandId::RunAgain, icons::AGAIN).short("Run again");
            again.look(Look::Raised).show(ui, cx);
        }
        let with = CommandButton::text(CommandId::RunWith).short("Run task with…");
        with.look(Look::Raised).show(ui, cx);
    });
}

/// Turns, tokens, money and time, so far or in all.
fn spending_ui(ui: &mut Ui, inspector: &Inspector<'_>) {
    let totals = &inspector.manifest.totals;
    let spent = views::run_spending(inspector.manifest);
    let is_live = *inspector.state == RunState::Live;
    if totals.turns > 0 || is_live {
        let failed = if totals.failures > 0 {
            format!(", {} failed", totals.failures)
        } else {
            String::new()
        };
        let most = if is_live { format!(" of {}", spent.max_turns) } else { String::new() };
        fact(ui, "Turns", &format!("{}{most} · {} calls{failed}", totals.turns, totals.calls));
    }
    if spent.tokens > 0 {
        let (read, written) = (grouped(totals.input_tokens), grouped(totals.output_tokens));
        fact(ui, "Tokens", &format!("{read} in · {written} out"));
    }
    if let Some(cost) = cost_words(&spent) {
        fact(ui, "Cost", &cost);
    }
    if totals.seconds > 0.0 {
        fact(ui, if is_live { "So far" } else { "Took" }, &duration(totals.seconds));
    }
    if let Some(left) = spent.left.filter(|_| is_live) {
        fact_because(ui, "Left", &left_words(&left), &left_basis(&left));
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
    let kind =
        (agent.kind != agent.name && !agent.kind.is_empty()).then(|| format!("({})", agent.kind));
    let parts = [Some(agent.name.clone()), kind, agent.version.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn outcome_words(outcome: &Outcome, state: &RunState) -> String {
    match outcome {
        Outcome::Running if *state == RunState::Live => "at work".to_owned(),
        Outcome::Running => "never ended".to_owned(),
        Outcome::Completed => "the agent said it was done".to_owned(),
        Outcome::LimitReached(limit) => format!("limit reached: {limit}"),
        Outcome::Cancelled => "stopped".to_owned(),
        // Why, the banner above says in full.
        Outcome::Failed(_) => "failed".to_owned(),
    }
}

/// RFC 3339 to the minute.
fn started_words(started: &str) -> String {
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

fn setting_words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// A name at the left, what it is at one indent.
fn fact(ui: &mut Ui, name: &str, words: &str) {
    row(ui, name, |ui| {
        let words = RichText::new(words).font(Type::Body.font()).color(tokens(ui).text);
        ui.add(Label::new(words).truncate().selectable(true));
    });
}

/// The same with what it goes by, on hover.
fn fact_because(ui: &mut Ui, name: &str, words: &str, why: &str) {
    row(ui, name, |ui| {
        let words = RichText::new(words).font(Type::Body.font()).color(tokens(ui).text);
        ui.add(Label::new(words).truncate()).on_hover_text(why);
    });
}

/// The same of a path, whose end says more than its start.
fn path_fact(ui: &mut Ui, name: &str, path: &str) {
    row(ui, name, |ui| path_label(ui, path));
}

fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    const NAMES: f32 = 84.0;
    let tokens = tokens(ui);
    ui.spacing_mut().interact_size.y = 21.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let before = ui.cursor().left();
        ui.allocate_ui(vec2(NAMES - 8.0, 21.0), |ui| {
            elided_label(ui, name, Type::Body, tokens.dim);
        });
        ui.add_space((before + NAMES - ui.cursor().left()).max(0.0));
        add(ui);
    });
}

/// Draws what the task asks.
pub(super) fn task_ui(ui: &mut Ui, cx: &ViewContext<'_>, task: &Task) {
    section(ui, true, |ui| {
        section_header(ui, "Instruction", &task.id);
        let color = tokens(ui).text;
        text_ui(ui, "instruction", task.instruction.trim(), color);
        ui.add_space(10.0);
        CommandButton::text(CommandId::RunAgent)
            .with_icon(icons::PLAY)
            .look(Look::Raised)
            .show(ui, cx);
        ui.add_space(4.0);
    });
    section(ui, false, |ui| {
        section_header(ui, "Task", "");
        fact(ui, "Kind", kind_words(task.kind));
        fact(ui, "Environment", &task.environment);
        for (name, value) in [("Category", &task.category), ("Difficulty", &task.difficulty)] {
            if let Some(value) = value {
                fact(ui, name, value);
            }
        }
        if let Some(size) = task.canvas_size {
            fact(ui, "Canvas", &format!("{:.0} × {:.0}", size.width, size.height));
        }
        let truth = match (&task.ground_truth, &task.brief) {
            (Some(_), _) => "yes",
            (None, Some(_)) => "none: asked for in words",
            (None, None) => "none: nothing can be scored",
        };
        fact(ui, "Ground truth", truth);
        if let Some(brief) = &task.brief {
            brief_ui(ui, brief);
        }
        if !task.reference_tools.is_empty() {
            fact(ui, "Tools", &task.reference_tools.join(", "));
        }
        if !task.tags.is_empty() {
            fact(ui, "Tags", &task.tags.join(", "));
        }
    });
}

/// What a design query brings along.
fn brief_ui(ui: &mut Ui, brief: &DesignBrief) {
    let images: Vec<String> =
        brief.query.images.iter().map(|image| image.name.replace('_', " ")).collect();
    if !images.is_empty() {
        fact(ui, "Pictures", &images.join(", "));
    }
    if !brief.questions.is_empty() {
        fact(ui, "Questions", &brief.questions.len().to_string());
    }
    if let Some(plan) = &brief.reference_plan {
        fact(ui, "Human plan", &format!("{} steps", plan.steps().count()));
    }
}

fn kind_words(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Replication => "replication",
        TaskKind::AttributeUpdate => "attribute update",
        TaskKind::ComponentInsertion => "component insertion",
        TaskKind::ModeChange => "mode change",
        TaskKind::Composition => "composition",
    }
}

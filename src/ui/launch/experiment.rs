//! An experiment: what is crossed with the models and the tasks, and how often that is repeated.

use egui::{Id, RichText, TextEdit, Ui};

use super::parts::{label_ui, number_ui, wrapped_ui};
use super::prompts::prompts_ui;
use crate::agent::AgentKind;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    caption_row_ui, give_up_on_escape, rich_text, section_header_ui, tick_ui,
};
use crate::workbench::{Command, ExperimentEdit, LaunchEdit};

/// Whether it is an experiment, and of what.
pub(super) fn experiment_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let launch = &cx.state.launch;
    // A script does the same every time.
    if launch.agent == AgentKind::Scripted {
        return;
    }
    let draft = &launch.experiment;
    section_header_ui(ui, "Experiment", "");
    let is_model = launch.agent == AgentKind::Model;
    let (words, tooltip) = if is_model {
        (
            "Compare modes, temperatures, prompts; repeat runs",
            "Every model works in every mode, at every temperature and with every set of prompts on \
             every task, as often as it is repeated. What was launched is kept beside the runs as \
             experiment.json, which `pentimento run --experiment` goes on with.",
        )
    } else {
        (
            "Repeat runs",
            "Every task is done as often as it is repeated. What was launched is kept beside the runs \
             as experiment.json, which `pentimento run --experiment` goes on with.",
        )
    };
    if let Some(is_on) = tick_ui(ui, words, tooltip, draft.is_on) {
        send(cx, ExperimentEdit::On(is_on));
    }
    if draft.is_on {
        let tooltip = "Runs go to a folder of this name and remember it. Launched again by the same \
                       name, it goes on: what is finished is not made again.";
        text_ui(
            ui,
            cx,
            ("Name", "Name of the experiment", &draft.name, "needed"),
            tooltip,
            ExperimentEdit::Name,
        );
        number_ui(ui, cx, ("Repeats", "each"), draft.repeats, 1..=500, |repeats| {
            LaunchEdit::Experiment(ExperimentEdit::Repeats(repeats))
        });
        if is_model {
            model_ui(ui, cx);
        }
    }
    ui.add_space(6.0);
}

/// What only models can be told.
fn model_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let draft = &cx.state.launch.experiment;
    let tooltip = "From 0 to 2, divided by commas: each is compared. Empty: as the file of models says, or \
                   as the model has it.";
    let words = ("Temp.", "Temperatures", draft.temperatures.as_str(), "0, 0.7, 1");
    text_ui(ui, cx, words, tooltip, ExperimentEdit::Temperatures);
    prompts_ui(ui, cx);
    let words =
        rich_text("Tick several modes above to compare them.", Type::Caption, tokens(ui).dim);
    wrapped_ui(ui, words);
}

fn text_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (label, name, before, hint): (&str, &str, &str, &str),
    tooltip: &str,
    edit: impl FnOnce(String) -> ExperimentEdit,
) {
    let dim = tokens(ui).dim;
    caption_row_ui(ui, |ui| {
        label_ui(ui, label);
        // A copy for egui to type into, and a command for the state.
        let mut text = before.to_owned();
        let field = TextEdit::singleline(&mut text)
            .id(Id::unique(("launch_experiment", label)))
            .desired_width(f32::INFINITY)
            .hint_text(RichText::new(hint).color(dim));
        let mut response = ui.add(field).accessible_name(name);
        give_up_on_escape(ui, &mut response, &mut text, before);
        if response.changed() {
            send(cx, edit(text));
        }
        response.on_hover_text(tooltip);
    });
    ui.add_space(4.0);
}

fn send(cx: &ViewContext<'_>, edit: ExperimentEdit) {
    cx.send(Command::EditLaunch(LaunchEdit::Experiment(edit)));
}

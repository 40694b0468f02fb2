//! The launch dialog: which tasks, which agents, with what.
//!
//! [`tasks`] is its left side; [`agents`], [`keys`], [`experiment`] with [`prompts`], and [`limits`] its right one;
//! [`parts`] what both are made of.

mod agents;
mod experiment;
mod keys;
mod limits;
mod parts;
mod prompts;
mod tasks;

use egui::{Align, Id, Key, Layout, Modal, Modifiers, RichText, ScrollArea, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{
    Button, Look, count, elided_label_ui, escape_left_field, grouped, hairline_ui,
};
use crate::agent::batch::{EXPECTED_TOKENS_A_TURN, Estimate, Experiment, ModelEstimate};
use crate::workbench::{Command, Fetched, LaunchEdit, views};

/// Draws the dialog.
pub(super) fn launch_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("launch"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(0));
    let room = ui.ctx().content_rect().size();
    // Room is left above it for what is told meanwhile.
    let height = (room.y - 290.0).clamp(160.0, 640.0);
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room.x - 120.0).clamp(360.0, 760.0));
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        padded_ui(ui, 12, |ui| header_ui(ui, cx));
        start_ui(ui, cx);
        hairline_ui(ui);
        padded_ui(ui, 4, |ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            // Two columns of one height, each scrolled by itself: the footer stays where it is.
            ui.columns_const(|[left, right]| {
                left.spacing_mut().item_spacing.x = 8.0;
                right.spacing_mut().item_spacing.x = 8.0;
                tasks::tasks_ui(left, cx, height);
                settings_ui(right, cx, height);
            });
        });
        hairline_ui(ui);
        padded_ui(ui, 12, |ui| footer_ui(ui, cx));
    });
    // Enter in a field ends the typing; it launches when nothing is typed into.
    let enter = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
    if enter && views::why_no_launch(cx.state).is_none() {
        cx.send(Command::Launch);
    }
    if !escape_left_field(ui.ctx()) && response.should_close() {
        keys::forget_typed(ui);
        cx.send(Command::CloseOverlay);
    }
}

fn padded_ui(ui: &mut Ui, above: i8, add: impl FnOnce(&mut Ui)) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(16, above)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal(|ui| {
        let title = RichText::new("Run an agent").font(Type::Display.font());
        ui.label(title.color(tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = Button::icon(icons::CLOSE, "Close").look(Look::Tool);
            if close.key(Some("Esc".to_owned())).show(ui).clicked() {
                cx.send(Command::CloseOverlay);
            }
        });
    });
}

/// What the runs begin with, where that is not their tasks' own start.
fn start_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(words) = views::launched_start(cx.state) else { return };
    padded_ui(ui, 4, |ui| {
        ui.horizontal(|ui| {
            let own = Button::text("Begin with the task's own start");
            let is_clicked = own.look(Look::Tool).height(22.0).show(ui).clicked();
            if is_clicked {
                cx.send(Command::EditLaunch(LaunchEdit::OwnStart));
            }
            elided_label_ui(ui, &words, Type::Body, tokens(ui).text);
        });
    });
}

fn settings_ui(ui: &mut Ui, cx: &ViewContext<'_>, height: f32) {
    ScrollArea::vertical()
        .id_salt("launch_settings")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            // The scroll bar has a place of its own beside the fields.
            ui.set_max_width(ui.available_width() - 14.0);
            agents::agents_ui(ui, cx);
            experiment::experiment_ui(ui, cx);
            limits::pictures_ui(ui, cx);
            limits::limits_ui(ui, cx);
        });
}

fn footer_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let launch = &cx.state.launch;
    let runs = views::launched_runs(cx.state).unwrap_or(0);
    // The button is off with its reason beside it, so that nobody has to press it to learn why.
    let why_not = views::why_no_launch(cx.state);
    let can_launch = why_not.is_none();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(size::BUTTON);
        let words = format!("Launch {}", count(runs, "run"));
        let button = Button::text(&words).with_icon(icons::PLAY).look(Look::Primary);
        let tooltip = why_not
            .as_deref()
            .unwrap_or("They run in the background; the first comes on the stage.");
        let key = egui::KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
        let key = super::widgets::key_text(ui, key);
        let button = button.enabled(why_not.is_none()).tooltip(tooltip).key(Some(key));
        if button.show(ui).clicked() {
            cx.send(Command::Launch);
        }
        let cancel = Button::text("Cancel").tooltip("Close without launching.");
        if cancel.key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
        // How the number of runs comes about is said where it is not plain to see.
        let experiment = views::launched_experiment(cx.state).and_then(Result::ok);
        let words = why_not.unwrap_or_else(|| match &experiment {
            Some(experiment) => format!(
                "{} × {} × {}",
                count(launch.tasks.len(), "task"),
                count(experiment.cells().len(), "cell"),
                count(experiment.repeats as usize, "repeat")
            ),
            _ if launch.agents() < 2 => String::new(),
            _ => format!(
                "{} by {}",
                count(launch.tasks.len(), "task"),
                count(launch.agents(), "model")
            ),
        });
        if can_launch {
            estimate_ui(ui, cx);
        }
        let response = elided_label_ui(ui, &words, Type::Body, tokens(ui).dim);
        if let Some(experiment) = experiment.filter(|_| can_launch) {
            response.on_hover_ui(|ui| {
                ui.label(cell_names(&experiment));
            });
        }
    });
}

/// Most cells of an experiment that are named.
const MOST_NAMED: usize = 24;

/// The cells of an experiment by name, a line each.
fn cell_names(experiment: &Experiment) -> String {
    let cells = experiment.cells();
    let mut lines: Vec<String> =
        cells.iter().take(MOST_NAMED).map(|cell| cell.label.clone()).collect();
    if let Some(more) = cells.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

/// What the launch would cost, if a model acts and its prices are known.
fn estimate_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(key) = views::estimate_key(cx.state) else { return };
    let (words, more) = match cx.state.derived.estimates.get(&key) {
        None | Some(Fetched::Pending) => ("estimating…".to_owned(), String::new()),
        Some(Fetched::Failed(why)) => ("no estimate".to_owned(), why.clone()),
        Some(Fetched::Ready(estimate)) => (estimate_words(estimate), estimate_details(estimate)),
    };
    let label = egui::Label::new(super::widgets::rich_text(&words, Type::Body, tokens(ui).text));
    let response = ui.add(label.selectable(false));
    if !more.is_empty() {
        response.on_hover_text(more);
    }
    ui.add_space(8.0);
}

/// The expected cost with the most it can be; of models without prices the tokens.
fn estimate_words(estimate: &Estimate) -> String {
    let sum =
        |of: fn(&ModelEstimate) -> Option<f64>| estimate.models.iter().map(of).sum::<Option<f64>>();
    let costs = sum(|model| model.expected_usd).zip(sum(|model| model.most_usd));
    if let Some((expected, most)) = costs {
        return format!("about ${expected:.2}, at most ${most:.2}");
    }
    let tokens = estimate.models.iter();
    let tokens: u64 = tokens.map(|it| it.expected.input + it.expected.output).sum();
    format!("about {} tokens, no prices", grouped(tokens))
}

/// How the estimate comes about, a line a model.
fn estimate_details(estimate: &Estimate) -> String {
    let lines = estimate.models.iter().map(|model| {
        let [expected, most] = [model.expected_usd, model.most_usd]
            .map(|usd| usd.map_or("no prices".to_owned(), |usd| format!("${usd:.2}")));
        format!(
            "{}: {}, {} tokens read, {} written, {expected} (at most {most})\n",
            model.label,
            count(model.runs as usize, "run"),
            grouped(model.expected.input),
            grouped(model.expected.output),
        )
    });
    let lines: String = lines.collect();
    format!(
        "{lines}Expected: {} turns a run of {EXPECTED_TOKENS_A_TURN} tokens each. At most: {} turns, every \
         answer as long as it may be. Caching by the provider is not counted.",
        estimate.expected_turns, estimate.most_turns
    )
}

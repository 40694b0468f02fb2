//! The plan that a run carried out: its stages side by side, with what is wrong at the step that
//! made it.

use egui::{Frame, Label, Margin, RichText, ScrollArea, Sense, Ui, vec2};

use super::parts::quiet_ui;
use crate::metric::plan::errors::{PlanError, PlanErrorClass};
use crate::metric::plan::{PlanStep, Stage, StageForm, StageItem};
use crate::run::RunPlan;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, EmptyState, Look, rich_text, section_header_in_ui, section_header_ui,
};
use crate::workbench::views;
use crate::workbench::{Command, PlaybackCommand};

/// Width of a stage.
const COLUMN: f32 = 228.0;
/// Longer texts are cut: a stage that did not parse may be anything.
const LONG: usize = 4000;
/// Most steps that are listed of a stage.
const MOST_STEPS: usize = 500;

/// Draws the stages.
pub(super) fn plan_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let inspector = views::inspector(cx.state);
    let run = inspector.as_ref().and_then(|it| it.run);
    let Some(plan) = run.and_then(|run| run.plan.as_deref()) else {
        let words = "A run of the design suite that was planned first shows its stages here.";
        EmptyState::new(icons::INFO, "This run has no plan", words).show(ui, |_| {});
        return;
    };
    let current = inspector.map_or(0, |it| it.step_number);
    counts_ui(ui, plan);
    // Side by side from two columns on; below that each stage has the panel's width, under the other.
    if ui.available_width() < 2.0 * COLUMN {
        ScrollArea::vertical().id_salt("plan_stages_below").auto_shrink(false).show(ui, |ui| {
            let margin = Margin::symmetric(size::GUTTER as i8, 0);
            Frame::new().inner_margin(margin).show(ui, |ui| stages_ui(ui, cx, plan, current));
        });
        return;
    }
    ScrollArea::both().id_salt("plan_stages").auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            ui.add_space(size::GUTTER);
            stages_ui(ui, cx, plan, current);
        });
    });
}

/// How many errors there are of each class.
fn counts_ui(ui: &mut Ui, plan: &RunPlan) {
    let counts = PlanErrorClass::ALL.into_iter().filter_map(|class| {
        let count = plan.errors.iter().filter(|error| error.class == class).count();
        (count > 0).then(|| format!("{count} {}", class.label()))
    });
    let counts: Vec<String> = counts.collect();
    let margin = Margin { left: 12, right: 12, top: 8, bottom: 6 };
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let (words, color) = if counts.is_empty() {
            ("None of the six classes of plan errors was found.".to_owned(), tokens(ui).dim)
        } else {
            (format!("Errors: {}", counts.join(" · ")), tokens(ui).loss)
        };
        ui.add(Label::new(RichText::new(words).color(color)).wrap());
    });
}

/// The stages, the last first: what was carried out, and what it came from.
fn stages_ui(ui: &mut Ui, cx: &ViewContext<'_>, plan: &RunPlan, current: u32) {
    // From the actions back to the recruits: who reads wants what was done first, and then why.
    let row = &plan.row;
    let actions = &row.final_workflow;
    column_ui(ui, "Actions", &aside(actions), |ui| {
        for (item, number) in actions.items.iter().zip(1..).take(MOST_STEPS) {
            action_ui(ui, cx, plan, item, (number, current));
        }
        if actions.items.is_empty() {
            raw_ui(ui, actions);
        }
    });
    stage_ui(ui, "Merged", &row.combined);
    for workflow in &row.workflows {
        // A workflow does not name its expert; its steps do.
        let owner = workflow.steps().find_map(|(_, step)| step.expert.as_deref());
        stage_ui(ui, owner.unwrap_or("Workflow"), workflow);
    }
    column_ui(ui, "Recruited", &row.recruits.len().to_string(), |ui| {
        if row.recruits.is_empty() {
            quiet_ui(ui, "Nobody, or it could not be read.");
        }
        for recruit in &row.recruits {
            ui.label(rich_text(&recruit.expert, Type::Strong, tokens(ui).text));
            text_ui(ui, &recruit.task);
            ui.add_space(8.0);
        }
    });
}

/// A stage whose steps are words.
fn stage_ui(ui: &mut Ui, title: &str, stage: &Stage) {
    column_ui(ui, title, &aside(stage), |ui| {
        for (item, number) in stage.items.iter().zip(1..).take(MOST_STEPS) {
            ui.push_id(number, |ui| match item {
                StageItem::Step(step) => {
                    text_ui(ui, &format!("{number}. {}", described(step)));
                    ui.add_space(4.0);
                }
                StageItem::Unreadable(value) => unreadable_ui(ui, &value.to_string()),
            });
        }
        if stage.items.is_empty() {
            raw_ui(ui, stage);
        }
    });
}

fn described(step: &PlanStep) -> &str {
    step.description.as_deref().unwrap_or("(no description)")
}

fn aside(stage: &Stage) -> String {
    let count = stage.items.len();
    match stage.form {
        StageForm::List => format!("{count} steps"),
        StageForm::MendedText => format!("{count} steps, mended"),
        StageForm::BrokenList => format!("{count} items, broken"),
        StageForm::Text => "did not parse".to_owned(),
        StageForm::NotRetrieved => "not retrieved".to_owned(),
        StageForm::Absent => "not there".to_owned(),
    }
}

/// A step with its action; pressed, the run goes there.
fn action_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    plan: &RunPlan,
    item: &StageItem,
    (number, current): (u32, u32),
) {
    let tokens = tokens(ui);
    // The step on the stage, since the actions of the plan are the steps of the run.
    let fill = if number == current { tokens.accent_wash } else { egui::Color32::TRANSPARENT };
    let frame = Frame::new().fill(fill).corner_radius(4).inner_margin(Margin::symmetric(6, 4));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        match item {
            StageItem::Step(step) => {
                let action = step.action.as_deref().unwrap_or("(no action)");
                let name = RichText::new(format!("{number}. {action}")).font(Type::Mono.font());
                ui.add(Label::new(name.color(tokens.text)).truncate());
                let expert = step.expert.as_deref().unwrap_or("(nobody)");
                let words = RichText::new(format!("{expert}: {}", described(step)));
                ui.add(Label::new(words.font(Type::Caption.font()).color(tokens.dim)).wrap());
            }
            StageItem::Unreadable(value) => unreadable_ui(ui, &value.to_string()),
        }
        if let Some(error) = plan.error_at(number) {
            let words = format!("{}: {}", error.class.label(), error.message);
            let words = rich_text(words, Type::Caption, tokens.loss);
            ui.add(Label::new(words).wrap());
        }
    });
    // Over what is drawn already: the card is as high as its words.
    let name = format!("Go to step {number}");
    let response =
        ui.interact(shown.response.rect, ui.scope_id().with(("action", number)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.clicked() {
        cx.send(Command::Playback(PlaybackCommand::Step(number)));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand);
}

/// What is wrong with the selected step of the plan, and who should have done what.
pub(super) fn error_ui(ui: &mut Ui, cx: &ViewContext<'_>, error: &PlanError) {
    let tokens = tokens(ui);
    section_header_in_ui(ui, "Wrong in the plan", error.class.label(), tokens.loss);
    let frame = Frame::new().fill(tokens.loss_wash).corner_radius(size::RADIUS);
    frame.inner_margin(Margin::symmetric(10, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        text_ui(ui, &error.message);
        let Some(step) = error.maker.and_then(|maker| maker.step) else { return };
        ui.add_space(4.0);
        let words = format!("Go to step {step}, which makes it");
        if Button::text(&words).look(Look::Tool).height(24.0).show(ui).clicked() {
            let step = u32::try_from(step).unwrap_or(u32::MAX);
            cx.send(Command::Playback(PlaybackCommand::Step(step)));
        }
    });
}

fn column_ui(ui: &mut Ui, title: &str, aside: &str, add: impl FnOnce(&mut Ui)) {
    // Two stages may have the same title and steps with the same numbers.
    let id = ui.next_auto_id();
    ui.push_id(id, |ui| {
        let is_column = ui.layout().is_horizontal();
        let width = if is_column { COLUMN } else { ui.available_width() };
        ui.allocate_ui_with_layout(
            vec2(width, 0.0),
            egui::Layout::top_down(egui::Align::Min),
            |ui| {
                ui.set_width(width);
                section_header_ui(ui, title, aside);
                add(ui);
            },
        );
    });
}

fn raw_ui(ui: &mut Ui, stage: &Stage) {
    match &stage.raw {
        serde_json::Value::Null => quiet_ui(ui, "This stage is not in the plan."),
        serde_json::Value::String(text) => unreadable_ui(ui, text),
        other => unreadable_ui(ui, &other.to_string()),
    }
}

fn unreadable_ui(ui: &mut Ui, raw: &str) {
    // By letters, as a cut at a byte may fall into one.
    let mut shown: String = raw.chars().take(LONG).collect();
    if shown.len() < raw.len() {
        shown.push('…');
    }
    let words = rich_text(shown, Type::Mono, tokens(ui).warn);
    ui.add(Label::new(words).wrap().selectable(true));
}

fn text_ui(ui: &mut Ui, words: &str) {
    let shown: String = words.chars().take(LONG).collect();
    ui.add(Label::new(RichText::new(shown).color(tokens(ui).text)).wrap().selectable(true));
}

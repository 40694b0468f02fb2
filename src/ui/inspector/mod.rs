//! The inspector: the selected step and its run, or the selected task; the nodes of the design; the
//! step's scores; the plan; what of its query the design has.
//!
//! A file a view; [`parts`] is what they are made of.

mod arguments;
mod checks;
mod find;
mod labels;
mod losses;
mod nodes;
mod note;
mod parts;
mod plan;
mod query;
mod ranges;
mod run_summary;
mod runs;
mod scores;
mod step;
mod task;
mod tools;
mod what_if;

use egui::{Align, Frame, Layout, Margin, Panel, RichText, ScrollArea, Ui, vec2};

use super::commands::{CommandButton, CommandId, command};
use super::context::ViewContext;
use super::icons;
use super::panel_windows::head_menu;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, EmptyState, Look, kbd_ui, rich_text};
use crate::workbench::views::{self, Inspector};
use crate::workbench::{
    Command, FindCommand, InspectorTab, NodeRef, Overlay, PanelWindow, Pause, RunState,
};
use parts::section_ui;

/// What the panel itself remembers.
#[derive(Debug, Default)]
pub(super) struct InspectorPanel {
    nodes: nodes::NodesList,
    answers: query::AnswerList,
    find: find::FindField,
    step_note: note::NoteField,
    run_note: note::NoteField,
    ranges: ranges::RangesList,
    what_if: what_if::WhatIfPanel,
}

impl InspectorPanel {
    /// The node under the pointer in the list of nodes, or of the answer under it.
    pub(super) fn hovered(&self) -> Option<&NodeRef> {
        self.nodes.hovered().or_else(|| self.answers.hovered())
    }

    /// Opens the field that finds words in the run, with the cursor in it.
    pub(super) fn find(&mut self, cx: &ViewContext<'_>) {
        cx.send(Command::ShowInspector(InspectorTab::Step));
        cx.send(Command::Find(FindCommand::Open));
        self.find.focus();
    }

    /// Puts the cursor into the note on the step.
    pub(super) fn write_note(&mut self, cx: &ViewContext<'_>) {
        cx.send(Command::ShowInspector(InspectorTab::Step));
        self.step_note.focus();
    }

    /// Puts the cursor into the name of the marked range.
    pub(super) fn name_range(&mut self, cx: &ViewContext<'_>) {
        cx.send(Command::ShowInspector(InspectorTab::Step));
        self.ranges.focus();
    }

    /// Draws the panel. `on_stage`: the node under the pointer there.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, on_stage: Option<&NodeRef>) {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        // Only the list that is drawn this frame may say what the pointer is on.
        self.answers.clear();
        self.nodes.clear();
        if cx.state.selection.task.is_none() && cx.state.selection.run.is_none() {
            without_run_ui(ui, cx);
            return;
        }
        tabs_ui(ui, cx);
        match cx.state.inspector_tab() {
            InspectorTab::Step => self.step_tab_ui(ui, cx),
            InspectorTab::Nodes => self.nodes.show(ui, cx, on_stage),
            InspectorTab::Scores => scores::scores_ui(ui, cx),
            InspectorTab::Plan => plan::plan_ui(ui, cx),
            InspectorTab::Query => self.answers.show(ui, cx, on_stage),
            InspectorTab::WhatIf => self.what_if.show(ui, cx),
            InspectorTab::Runs => runs::runs_ui(ui, cx),
            InspectorTab::Labels => labels::labels_ui(ui, cx),
        }
    }
}

impl InspectorPanel {
    fn step_tab_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let Some(inspector) = views::inspector(cx.state) else {
            without_run_ui(ui, cx);
            return;
        };
        self.find.show(ui, cx);
        ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            hint_ui(ui, cx);
            banners_ui(ui, cx, &inspector);
            step::step_ui(ui, cx, &inspector);
            section_ui(ui, false, |ui| self.step_note.show(ui, cx, Some(inspector.step_number)));
            self.ranges.show(ui, cx);
            run_summary::run_ui(ui, cx, &inspector);
            section_ui(ui, false, |ui| tools::tools_ui(ui, cx));
            section_ui(ui, false, |ui| self.run_note.show(ui, cx, None));
            ui.add_space(12.0);
        });
    }
}

/// The views of the panel.
fn tabs_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let bar = Frame::new().fill(tokens(ui).panel);
    let now = cx.state.inspector_tab();
    let tabs = tabs(cx);
    let head = Panel::top("inspector_tabs").exact_size(size::TOOLBAR).frame(bar).show(ui, |ui| {
        // Five tabs in a panel of its smallest width would cut the last; closer together they all
        // fit.
        let is_narrow = tabs.len() > MOST_TABS && ui.available_width() < size::INSPECTOR;
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(8.0);
            for (tab, id, words) in tabs {
                let button = CommandButton::text(id).short(words).look(Look::Tool);
                let button = if is_narrow { button.compact() } else { button };
                button.selected(now == tab).show(ui, cx);
            }
        });
    });
    head_menu(&head.response, cx, PanelWindow::Inspector);
}

/// More tabs than this stand closer in a narrow panel.
const MOST_TABS: usize = 4;

/// A view: its tab, its command, and what its tab says.
type Tab = (InspectorTab, CommandId, &'static str);

/// The views there are for what is selected: few runs have a plan or a query.
fn tabs(cx: &ViewContext<'_>) -> Vec<Tab> {
    let now = cx.state.inspector_tab();
    let first = if cx.state.selection.run.is_some() { "Step" } else { "Task" };
    let all = [
        (InspectorTab::Step, CommandId::InspectStep, first),
        (InspectorTab::Nodes, CommandId::InspectNodes, "Nodes"),
        (InspectorTab::Scores, CommandId::InspectScores, "Scores"),
        (InspectorTab::Plan, CommandId::InspectPlan, "Plan"),
        (InspectorTab::Query, CommandId::InspectQuery, "Query"),
        (InspectorTab::WhatIf, CommandId::InspectWhatIf, "What-if"),
        (InspectorTab::Runs, CommandId::InspectRuns, "Runs"),
        (InspectorTab::Labels, CommandId::InspectLabels, "Labels"),
    ];
    let run = views::inspector(cx.state).and_then(|inspector| inspector.run);
    let has_plan = run.is_some_and(|run| run.plan.is_some());
    // A tab is there where it has something to say. That of the plan stays while a run is read, or it would come and
    // go.
    let tabs = all.into_iter().filter(|(tab, ..)| match tab {
        InspectorTab::Plan => now == *tab || has_plan,
        InspectorTab::Query => cx.state.has_query(),
        InspectorTab::WhatIf => views::what_if_subject(cx.state).is_some(),
        InspectorTab::Runs => cx.state.alignment_key().is_some(),
        InspectorTab::Labels => cx.state.has_labels(),
        InspectorTab::Step | InspectorTab::Nodes | InspectorTab::Scores => true,
    });
    tabs.collect()
}

fn without_run_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    match cx.state.selected_task() {
        Some(task) => {
            ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| {
                ui.add_space(4.0);
                task::task_ui(ui, cx, task);
            });
        }
        // The stage says it then, larger and with a button.
        None if cx.state.library.sets.is_empty() && cx.state.library.runs.is_empty() => {}
        None => {
            let words = "What a step thought, called and changed shows here.";
            EmptyState::new(icons::INFO, "No step selected", words).show(ui, |_| {});
        }
    }
}

/// What to try first, until somebody closes it.
fn hint_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    // One thing at a time: who is being shown around sees it afterwards.
    let is_on_tour = matches!(cx.state.overlay, Some(Overlay::Tour(_)));
    if cx.state.settings.hint_is_closed || is_on_tour {
        return;
    }
    let tokens = tokens(ui);
    let frame = Frame::new()
        .fill(tokens.raised)
        .corner_radius(size::RADIUS)
        .inner_margin(Margin::symmetric(10, 8))
        .outer_margin(Margin { left: 8, right: 8, top: 4, bottom: 6 });
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(rich_text("Three things to try", Type::Strong, tokens.text));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let close = Button::icon(icons::CLOSE, "Close the hint").look(Look::Tool);
                if close.height(20.0).tooltip("Do not show it again.").show(ui).clicked() {
                    cx.send(Command::CloseHint);
                }
            });
        });
        for (id, words) in [
            (CommandId::StepForward, "Go step by step"),
            (CommandId::NextLoss, "Go to where the score falls"),
        ] {
            let key = command(id).key(ui, cx.state).unwrap_or_default();
            hint_row_ui(ui, &key, words);
        }
        hint_row_ui(ui, "hold G", "See the ground truth in place");
    });
}

fn hint_row_ui(ui: &mut Ui, key: &str, words: &str) {
    ui.horizontal(|ui| {
        ui.set_min_height(23.0);
        kbd_ui(ui, key);
        ui.label(rich_text(words, Type::Body, tokens(ui).dim));
    });
}

/// What is wrong with the run as a whole, above everything else.
fn banners_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    // A run that ended while it was paused is paused no more, whatever its job said last.
    if inspector.pause.is_on() && *inspector.state == RunState::Live {
        paused_ui(ui, cx, inspector.pause);
    }
    match inspector.state {
        RunState::Failed(why) => banner_ui(ui, true, "The run failed", why),
        RunState::Unreadable(why) => banner_ui(ui, true, "The run cannot be read", why),
        RunState::Interrupted => {
            let why = "Its process died before it ended. Every finished turn is here.";
            banner_ui(ui, false, "The run was interrupted", why);
        }
        RunState::Live | RunState::Finished | RunState::Cancelled => {}
    }
    if let Some(torn) = inspector.torn {
        banner_ui(ui, false, "Part of the run is missing", &torn.message);
    }
}

/// What a paused run does, and how it goes on.
fn paused_ui(ui: &mut Ui, cx: &ViewContext<'_>, pause: Pause) {
    let (title, words) = match pause {
        Pause::Asked => ("Pausing", "The turn it is at is finished and recorded first."),
        Pause::Waits | Pause::No => {
            ("Paused", "Paused. No requests are sent and time limits are stopped.")
        }
    };
    banner_ui(ui, false, title, words);
    // Here and not with the run below: what to do about it is what one looks for.
    section_ui(ui, true, |ui| {
        ui.horizontal(|ui| {
            CommandButton::icon(CommandId::PauseRun, icons::PLAY).short("Resume").show(ui, cx);
            CommandButton::icon(CommandId::StopRun, icons::STOP).short("Stop").show(ui, cx);
        });
        ui.add_space(6.0);
    });
}

fn banner_ui(ui: &mut Ui, failed: bool, title: &str, words: &str) {
    let tokens = tokens(ui);
    let (wash, ink, icon) = if failed {
        (tokens.loss_wash, tokens.loss, icons::ERROR)
    } else {
        (tokens.warn_wash, tokens.warn, icons::WARNING)
    };
    let frame = Frame::new()
        .fill(wash)
        .corner_radius(size::RADIUS)
        .inner_margin(Margin::symmetric(10, 8))
        .outer_margin(Margin { left: 8, right: 8, top: 4, bottom: 6 });
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(rich_text(icon, Type::Icon, ink));
            ui.label(rich_text(title, Type::Strong, tokens.text));
        });
        ui.add_space(2.0);
        ui.add(egui::Label::new(RichText::new(words).color(tokens.text)).wrap().selectable(true));
    });
}

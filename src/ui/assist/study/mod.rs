//! Studies in the window: what who takes part sees, what who leads it sees, and practice.
//!
//! [`bar`] stands over the task, [`pages`] between tasks, [`form`] asks; [`lead`] is the view of who leads, with
//! [`results`] and their menu of [`agents`]; [`practice`] is the bar of practice, [`start`] begins.

mod agents;
mod bar;
mod form;
mod lead;
mod pages;
mod parts;
mod practice;
mod results;
mod start;

use egui::{CentralPanel, Event, Frame, Panel, Ui};

use crate::study::NextThing;
use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;
use crate::workbench::{AssistDesk, StudyCommand, TrialPhase};

use form::FormPage;
use parts::study;
pub(super) use start::start_ui;

/// How high the bar is.
const BAR: f32 = 40.0;

/// What belongs to the study's pages alone.
#[derive(Debug, Default)]
pub(super) struct StudyParts {
    form: FormPage,
    /// Whether the window had the keyboard when it was last drawn, and how far the task was.
    had_focus: Option<(bool, TrialPhase)>,
}

impl StudyParts {
    /// Tells what only the window knows: that it went to the back, that something was pressed.
    pub(super) fn watch(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let has_focus = ui.input(|input| input.focused);
        let Some((_, trial)) = cx.state.assist.study.desk.as_ref().and_then(|desk| desk.trial())
        else {
            self.had_focus = None;
            return;
        };
        // Told again when the clock begins to run: it may be in the back by then.
        if self.had_focus != Some((has_focus, trial.phase)) {
            self.had_focus = Some((has_focus, trial.phase));
            study(cx, StudyCommand::Focus(has_focus));
        }
        let is_pressed = ui.input(|input| {
            input.events.iter().any(|event| {
                matches!(
                    event,
                    Event::Key { pressed: true, .. } | Event::PointerButton { pressed: true, .. }
                )
            })
        });
        if is_pressed && !trial.had_input && trial.phase == TrialPhase::Running {
            study(cx, StudyCommand::Input);
        }
    }

    /// The task's picture is on the screen: from now on the clock runs.
    pub(super) fn drawn(cx: &ViewContext<'_>, desk: &AssistDesk) {
        let trial = cx.state.assist.study.desk.as_ref().and_then(|desk| desk.trial());
        let is_awaited = trial.is_some_and(|(_, trial)| {
            trial.phase == TrialPhase::Opening && trial.desk == Some(desk.number)
        });
        if is_awaited && cx.state.derived.design_pictures.ready(&desk.picture_key()).is_some() {
            study(cx, StudyCommand::Drawn);
        }
    }

    /// Draws the page that stands in the place of a design, if one does.
    pub(super) fn page_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) -> bool {
        let room = &cx.state.assist.study;
        let Some(desk) = room.desk.as_deref() else { return false };
        let ground = Frame::new().fill(tokens(ui).stage);
        if room.practice.is_some() {
            return false;
        }
        let Some(sitting) = &desk.sitting else {
            CentralPanel::default().frame(ground).show(ui, |ui| lead::lead_ui(ui, cx, desk));
            lead::withdrawal_ui(ui, cx, desk);
            return true;
        };
        if let Some(trial) = &sitting.trial {
            let is_open = trial.desk.is_some()
                && cx.state.assist.desk.as_ref().map(|desk| desk.number) == trial.desk;
            if is_open && !room.hides_canvas() {
                return false;
            }
            Self::bar_ui(ui, cx);
            CentralPanel::default().frame(ground).show(ui, |ui| pages::stopped_ui(ui, cx, trial));
            return true;
        }
        CentralPanel::default().frame(ground).show(ui, |ui| match sitting.next {
            NextThing::Consent => pages::consent_ui(ui, cx, desk),
            NextThing::Form(_) => self.form.show(ui, cx, desk),
            NextThing::Task(_) if !sitting.had_practice => pages::practice_ui(ui, cx, desk),
            NextThing::Task(planned) => pages::between_ui(ui, cx, (desk, sitting), planned),
            NextThing::End => pages::end_ui(ui, cx, desk),
        });
        lead::withdrawal_ui(ui, cx, desk);
        true
    }

    /// Draws the bar over the design: of the task of a study, or of practice; nothing else has one.
    pub(super) fn bar_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
        let room = &cx.state.assist.study;
        let panel = Frame::new().fill(tokens(ui).panel);
        if let Some(practice) = &room.practice {
            Panel::top("practice_bar").resizable(false).frame(panel).show(ui, |ui| {
                practice::bar_ui(ui, cx, practice);
            });
            return;
        }
        let Some(desk) = room.desk.as_deref() else { return };
        if desk.trial().is_some() {
            Panel::top("study_bar").exact_size(BAR).frame(panel).show(ui, |ui| {
                bar::bar_ui(ui, cx, desk);
            });
            bar::give_up_ui(ui, cx, desk);
        }
    }

    /// What is to be done, where the assistant does not say it.
    pub(super) fn brief_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        bar::brief_ui(ui, cx, desk);
    }
}

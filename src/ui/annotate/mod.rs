//! The room in which people label.
//!
//! [`start`] opens a project and asks who labels, [`confirmations`] asks before what cannot be taken back; [`reading`]
//! and [`survey`] come before the first item; then [`queue`] is at the left, [`evidence`] in the middle below its
//! [`toolbar`] and above the [`strip`] of the last answers, and [`form`] at the right. For who settles what others
//! answered, [`review`] is around the same pictures. [`marks`] draws places on pictures, [`clock`] counts how long an
//! item is on the screen.

mod clock;
mod confirmations;
mod difference;
mod evidence;
mod films;
mod form;
mod layers;
mod marks;
mod parts;
mod queue;
mod reading;
mod review;
mod start;
mod strip;
mod study;
mod survey;
mod toolbar;
mod wizard;

use egui::{CentralPanel, Frame, Panel, Ui};

use super::context::ViewContext;
use super::stage::Drawing;
use super::theme::{size, tokens};
use crate::workbench::Dwell;

use clock::Clock;
use confirmations::confirmations_ui;
use evidence::Evidence;
use form::FormPanel;
pub(super) use form::{Field, markdown_ui, option_ui, row_option_ui};
use parts::confirm;
use queue::QueuePanel;
use reading::ReadingPage;
use review::{SettlePanel, TopicsPanel};
use start::Start;
use wizard::wizard_ui;

/// The item's queue when first seen.
const QUEUE: f32 = 224.0;
/// Questions with how far people agree, when first seen.
const TOPICS: f32 = 288.0;
/// The form when first seen.
const FORM: f32 = 300.0;
/// The strip of the last answers.
const STRIP: f32 = 56.0;

/// What the room itself remembers.
#[derive(Debug, Default)]
pub(super) struct AnnotateRoom {
    clock: Clock,
    start: Start,
    queue: QueuePanel,
    reading: ReadingPage,
    evidence: Evidence,
    form: FormPanel,
    topics: TopicsPanel,
    settle: SettlePanel,
}

impl AnnotateRoom {
    /// How long the item on the screen was there so far.
    pub(super) fn dwell(&self) -> &Dwell {
        self.clock.dwell()
    }

    /// Puts the cursor into the note, next frame.
    pub(super) fn write_note(&mut self) {
        self.form.write_note();
        self.settle.write_note();
    }

    /// Writes the answer down, as a button does.
    pub(super) fn confirm(&self, cx: &ViewContext<'_>) {
        confirm(cx, self.clock.dwell());
    }

    /// Zooms about the middle of the view, next frame.
    pub(super) fn zoom_step(&mut self, inward: bool) {
        self.evidence.zoom_step(inward);
    }

    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.evidence.readout()
    }

    /// Draws the room.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, drawing: &mut Drawing) {
        self.clock.tick(ui.ctx(), cx);
        if cx.state.annotate.at_desk().is_none() {
            self.evidence.clear();
            let ground = Frame::new().fill(tokens(ui).stage);
            CentralPanel::default().frame(ground).show(ui, |ui| match &cx.state.annotate.new {
                Some(new) if cx.state.annotate.opening.is_none() => wizard_ui(ui, cx, new),
                _ => self.start.show(ui, cx),
            });
            confirmations_ui(ui, cx);
            return;
        }
        if self.before_ui(ui, cx) {
            return;
        }
        let width = ui.available_width();
        let class = if width < 1200.0 { "narrow" } else { "wide" };
        // Who settles has other panels around the same evidence.
        let settles = cx.state.annotate.desk.as_ref().is_some_and(|desk| desk.review.is_some());
        if settles {
            self.review_ui(ui, cx, class);
            confirmations_ui(ui, cx);
        } else {
            self.label_ui(ui, cx, class);
        }
        let ground = Frame::new().fill(tokens(ui).stage);
        CentralPanel::default().frame(ground).show(ui, |ui| self.evidence.show(ui, cx, drawing));
    }

    /// What comes before the first item; whether anything does.
    fn before_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) -> bool {
        let Some((labels, desk)) = cx.state.annotate.at_desk() else { return false };
        let is_survey = desk.unit().is_some_and(|unit| labels.is_survey(unit));
        if desk.reading.is_none() {
            self.reading.clear();
        }
        if desk.reading.is_none() && !is_survey {
            return false;
        }
        self.evidence.clear();
        let ground = Frame::new().fill(tokens(ui).stage);
        CentralPanel::default().frame(ground).show(ui, |ui| match desk.reading {
            Some(reading) => self.reading.show(ui, cx, (labels, desk, reading)),
            None => survey::survey_ui(ui, cx, &mut self.form, self.clock.dwell()),
        });
        true
    }

    /// Around the pictures, while somebody settles what others answered.
    fn review_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, class: &str) {
        let width = ui.available_width();
        let panel = Frame::new().fill(tokens(ui).panel);
        Panel::left(("label_topics", class))
            .default_size(TOPICS.min(width * 0.25))
            .size_range(220.0..=(width * 0.36).max(220.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.topics.show(ui, cx);
            });
        Panel::right(("label_settle", class))
            .default_size(FORM.min(width * 0.29))
            .size_range(250.0..=(width * 0.45).max(250.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.settle.show(ui, cx);
            });
        Panel::top("label_toolbar").exact_size(size::TOOLBAR).frame(panel).show(ui, |ui| {
            toolbar::toolbar_ui(ui, cx, self.evidence.scale());
        });
    }

    /// Around the pictures, while somebody labels.
    fn label_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, class: &str) {
        let width = ui.available_width();
        let panel = Frame::new().fill(tokens(ui).panel);
        Panel::left(("label_queue", class))
            .default_size(QUEUE.min(width * 0.2))
            .size_range(170.0..=(width * 0.3).max(170.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.queue.show(ui, cx, self.clock.minutes_without_break());
            });
        // Both sides before what stands between them: the toolbar and the strip are as wide as the pictures.
        Panel::right(("label_form", class))
            .default_size(FORM.min(width * 0.29))
            .size_range(250.0..=(width * 0.45).max(250.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.form.show(ui, cx, self.clock.dwell());
            });
        Panel::top("label_toolbar").exact_size(size::TOOLBAR).frame(panel).show(ui, |ui| {
            toolbar::toolbar_ui(ui, cx, self.evidence.scale());
        });
        Panel::bottom("label_strip").exact_size(STRIP).frame(panel).show(ui, |ui| {
            strip::strip_ui(ui, cx);
        });
    }
}

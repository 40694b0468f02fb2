//! Before there is a design: what to begin with.
//!
//! At the left a [`brief`] and the [`tasks`] of the set that is looked at, at the right a new frame, a file, and
//! [`designs`] that were worked on before.

mod begin;
mod brief;
mod designs;
mod sizes;
mod tasks;

use egui::{Align, Layout, ScrollArea, Ui};

use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::stage::Textures;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{EmptyState, Look, rich_text, section_header_ui};

use super::study::start_ui;
use brief::BriefField;
use sizes::NewFrame;

/// The page is not wider, however wide the window is.
const WIDTH: f32 = 880.0;
/// Narrower than this, what stands side by side stands one below the other.
const NARROW: f32 = 640.0;
/// Between the columns.
const GAP: f32 = 24.0;

/// What is typed.
#[derive(Debug, Default)]
pub(super) struct Start {
    new_frame: NewFrame,
    brief: BriefField,
}

impl Start {
    /// Draws what there is to choose.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        let assist = &cx.state.assist;
        if assist.opening.is_some() {
            let words = "The design and what is to come of it are being read.";
            EmptyState::new(icons::OPEN, "Opening the design", words).show(ui, |_| {});
            return;
        }
        let room = ui.available_width();
        let width = (room - 2.0 * GAP).clamp(120.0, WIDTH);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space(GAP);
            ui.horizontal_top(|ui| {
                ui.add_space(((room - width) / 2.0).max(0.0));
                ui.vertical(|ui| {
                    ui.set_width(width);
                    self.page_ui(ui, cx, textures);
                });
            });
            ui.add_space(GAP);
        });
    }

    fn page_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        let tokens = tokens(ui);
        ui.label(rich_text("Design by hand", Type::Display, tokens.text));
        ui.add_space(4.0);
        let words = "What you do is recorded as a run, step by step.";
        ui.label(rich_text(words, Type::Body, tokens.dim));
        ui.add_space(12.0);
        if let Some(why) = &cx.state.assist.problem {
            let words = format!("The last design could not be opened: {why}.");
            ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.loss)).wrap());
            ui.add_space(12.0);
        }
        designs::again_ui(ui, cx);
        if is_new_here(cx) {
            practice_ui(ui, cx);
        }
        let width = ui.available_width();
        if width < NARROW {
            self.new_ui(ui, cx);
            ui.add_space(16.0);
            self.asked_ui(ui, cx, textures);
            return;
        }
        ui.spacing_mut().item_spacing.x = GAP;
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            left.spacing_mut().item_spacing.x = 8.0;
            right.spacing_mut().item_spacing.x = 8.0;
            // Columns are justified, and so would be the words in them.
            let layout = Layout::top_down(Align::Min);
            left.with_layout(layout, |ui| self.asked_ui(ui, cx, textures));
            right.with_layout(layout, |ui| self.new_ui(ui, cx));
        });
    }

    /// What a design can be made for.
    fn asked_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        self.brief.show(ui, cx);
        ui.add_space(16.0);
        tasks::tasks_ui(ui, cx, textures);
    }

    fn new_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        self.new_frame.show(ui, cx);
        ui.add_space(16.0);
        designs::designs_ui(ui, cx);
        ui.add_space(16.0);
        if is_new_here(cx) {
            section_header_ui(ui, "Studies", "");
        } else {
            section_header_ui(ui, "Practice and studies", "");
            CommandButton::text(CommandId::Practise).with_icon(icons::PLAY).show(ui, cx);
            ui.add_space(8.0);
        }
        start_ui(ui, cx);
    }
}

/// Whether nothing was worked on here before, as far as is known.
fn is_new_here(cx: &ViewContext<'_>) -> bool {
    cx.state.assist.again.is_none() && cx.state.earlier_designs().is_empty()
}

/// Where somebody learns how it goes who was never here.
fn practice_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    tokens.card_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            let practise = CommandButton::text(CommandId::Practise).look(Look::Primary);
            practise.with_icon(icons::PLAY).show(ui, cx);
            ui.add_space(4.0);
            let words = "New here? Six small tasks show how the canvas and the assistant work.";
            ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.text)).wrap());
        });
    });
    ui.add_space(16.0);
}

//! What is read before anything is answered: a text to agree to, and examples with their pictures.

use std::collections::BTreeMap;

use egui::{Align, Frame, Layout, Margin, ScrollArea, TextureHandle, Ui, vec2};

use super::form::markdown_ui;
use super::parts::annotate;
use crate::label::{MarkdownPart, markdown_parts};
use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, color_image, hairline_ui, rich_text};
use crate::workbench::{AnnotateCommand, Desk, OpenLabels, Reading, Saving};

/// How wide a text is set.
const TEXT: f32 = 680.0;
/// How high a picture is at most.
const PICTURE: f32 = 380.0;
/// What stands below the text.
const FOOT: f32 = 56.0;

/// The pictures that were shown.
#[derive(Default)]
pub(super) struct ReadingPage {
    textures: BTreeMap<String, TextureHandle>,
}

impl std::fmt::Debug for ReadingPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ReadingPage({} pictures)", self.textures.len())
    }
}

impl ReadingPage {
    /// Lets go of the pictures: nothing is read.
    pub(super) fn clear(&mut self) {
        self.textures.clear();
    }

    /// Draws the page.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        (labels, desk, reading): (&OpenLabels, &Desk, Reading),
    ) {
        let tokens = tokens(ui);
        let study = &labels.project.study;
        let (title, about, text) = match reading {
            Reading::Consent => (
                "Before you begin",
                "Please read this. Nothing is asked before you agree.",
                &study.consent,
            ),
            Reading::Examples => {
                ("Examples", "What answers should and should not be like.", &study.examples)
            }
        };
        let height = (ui.available_height() - FOOT).max(80.0);
        let width = (ui.available_width() - 48.0).clamp(200.0, TEXT);
        // Each is read from its beginning.
        let salt = ("label_reading", title);
        let area = ScrollArea::vertical().id_salt(salt).max_height(height);
        area.auto_shrink([false, false]).show(ui, |ui| {
            ui.vertical_centered(|ui| {
                ui.add_space((height * 0.06).clamp(12.0, 56.0));
                ui.set_max_width(width);
                ui.with_layout(Layout::top_down(Align::Min), |ui| {
                    ui.set_width(width);
                    ui.label(rich_text(title, Type::Display, tokens.text));
                    let words = format!("{} · {about}", labels.project.name);
                    ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
                    ui.add_space(12.0);
                    let card = tokens.card_frame().inner_margin(Margin::symmetric(20, 16));
                    card.show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.spacing_mut().item_spacing.y = 8.0;
                        self.text_ui(ui, labels, text);
                    });
                    ui.add_space(16.0);
                });
            });
        });
        hairline_ui(ui);
        ui.vertical_centered(|ui| {
            ui.set_max_width(width);
            let room = vec2(width, FOOT - 4.0);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(room, layout, |ui| foot_ui(ui, cx, desk, reading));
        });
    }

    fn text_ui(&mut self, ui: &mut Ui, labels: &OpenLabels, text: &str) {
        for part in markdown_parts(text) {
            match part {
                MarkdownPart::Words(words) => markdown_ui(ui, words),
                MarkdownPart::Picture { caption, target } => {
                    self.picture_ui(ui, labels, (caption, target));
                }
            }
        }
    }

    fn picture_ui(&mut self, ui: &mut Ui, labels: &OpenLabels, (caption, target): (&str, &str)) {
        let tokens = tokens(ui);
        let Some(pixels) = labels.pictures.get(target) else {
            let words = format!("The picture {caption:?} is not in the project.");
            ui.label(rich_text(words, Type::Body, tokens.warn));
            return;
        };
        let texture = self.textures.entry(target.to_owned()).or_insert_with(|| {
            let options = egui::TextureOptions::LINEAR;
            ui.ctx().load_texture("label_reading", color_image(pixels), options)
        });
        let natural = vec2(pixels.width() as f32, pixels.height() as f32);
        let room = vec2(ui.available_width(), PICTURE);
        let scale = (room.x / natural.x).min(room.y / natural.y).min(1.0);
        let image = egui::Image::new((texture.id(), natural * scale)).corner_radius(size::RADIUS);
        ui.add_space(4.0);
        let frame = Frame::new().stroke(tokens.line()).corner_radius(size::RADIUS);
        frame.show(ui, |ui| ui.add(image.alt_text(caption)));
        if !caption.is_empty() {
            let label = rich_text(caption, Type::Caption, tokens.dim);
            ui.add(egui::Label::new(label).wrap());
        }
    }
}

fn foot_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk, reading: Reading) {
    let tokens = tokens(ui);
    let key = command(CommandId::ConfirmAnswer).key(ui, cx.state);
    match reading {
        Reading::Consent => {
            let agree = Button::text("I agree").look(Look::Primary).with_icon(icons::CHECK);
            // Not twice: whether somebody agreed is written once, and seen to be on disk before anything else.
            let is_free = !matches!(desk.saving, Saving::Writing(_) | Saving::Failing { .. });
            if agree.key(key).enabled(is_free).show(ui).clicked() {
                annotate(cx, AnnotateCommand::Agree);
            }
            ui.add_space(4.0);
            let leave = Button::text("I do not agree");
            if leave.tooltip("Nothing is written down, and nothing asked.").show(ui).clicked() {
                annotate(cx, AnnotateCommand::GetUp);
            }
        }
        Reading::Examples => {
            let go_on = Button::text("Go on").look(Look::Primary).with_icon(icons::CHECK);
            if go_on.key(key).show(ui).clicked() {
                annotate(cx, AnnotateCommand::ToggleExamples);
            }
        }
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let (words, ink) = match &desk.saving {
            Saving::Failing { why, .. } => (format!("Not saved: {why}"), tokens.loss),
            Saving::Writing(_) => ("Saving…".to_owned(), tokens.dim),
            _ => (desk.person.clone(), tokens.dim),
        };
        ui.add(egui::Label::new(rich_text(words, Type::Body, ink)).truncate());
    });
}

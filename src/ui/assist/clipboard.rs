//! Between the clipboard of the system and the design.
//!
//! egui turns the keys of copying, cutting and pasting into events of their own; those that mean text fields are left
//! to them.

use std::sync::Arc;

use egui::{Color32, ColorImage, Event, Ui, ViewportCommand};

use crate::base::{Pixels, Rect};
use crate::editor::PastePlace;
use crate::ui::context::ViewContext;
use crate::ui::widgets::{color_image, events_of_no_field};
use crate::workbench::{AssistCommand, ClipboardCommand, Command, CopiedForm};

/// How long an answer of the system is waited for, in seconds.
const PATIENCE: f64 = 1.0;

/// What of the clipboard was seen to.
#[derive(Debug, Default)]
pub(super) struct Clipboard {
    /// The number of what was copied last.
    copied: u64,
    /// The number of what was asked for last.
    asked: u64,
    /// Where that goes when it comes, and when it was asked for: a clipboard with nothing on it gives no answer.
    place: Option<(PastePlace, f64)>,
}

impl Clipboard {
    /// Copies what is to be copied, and takes what is pasted while no field is typed into. `visible` is the part of the
    /// page that is seen.
    pub(super) fn show(&mut self, ui: &Ui, cx: &ViewContext<'_>, visible: Option<Rect>) {
        self.copy_outgoing(ui, cx);
        self.ask(ui, cx);
        if cx.state.overlay.is_some() {
            return;
        }
        for event in events_of_no_field(ui.ctx()) {
            match event {
                Event::Copy => send(cx, ClipboardCommand::Copy),
                Event::Cut => send(cx, ClipboardCommand::Cut),
                Event::Paste(text) => {
                    let place = self.taken_place(ui);
                    send(cx, ClipboardCommand::PasteText { text, place, visible });
                }
                Event::PasteImage(image) => {
                    let place = self.taken_place(ui);
                    if let Some(picture) = pixels_of(&image) {
                        send(cx, ClipboardCommand::PastePicture { picture, place, visible });
                    }
                }
                _ => {}
            }
        }
    }

    fn taken_place(&mut self, ui: &Ui) -> PastePlace {
        let now = ui.input(|input| input.time);
        let asked = self.place.take().filter(|(_, at)| now - at < PATIENCE);
        asked.map_or(PastePlace::default(), |(place, _)| place)
    }

    fn copy_outgoing(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let outgoing = &cx.state.assist.clipboard.outgoing;
        let Some((number, form)) = outgoing.as_ref().filter(|(number, _)| *number != self.copied)
        else {
            return;
        };
        self.copied = *number;
        match form {
            CopiedForm::Text(text) => ui.ctx().copy_text(text.as_ref().to_owned()),
            CopiedForm::Picture(pixels) => {
                ui.ctx().copy_image(color_image(pixels));
            }
        }
    }

    fn ask(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let asked = cx.state.assist.clipboard.asked;
        let Some((number, place)) = asked.filter(|(number, _)| *number != self.asked) else {
            return;
        };
        self.asked = number;
        self.place = Some((place, ui.input(|input| input.time)));
        ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste);
    }
}

fn send(cx: &ViewContext<'_>, command: ClipboardCommand) {
    cx.send(Command::Assist(AssistCommand::Clipboard(command)));
}

/// The picture of an image; `None` of one that is larger than pictures may be.
fn pixels_of(image: &Arc<ColorImage>) -> Option<Pixels> {
    let [width, height] = image.size.map(|side| u32::try_from(side).ok());
    let rgba = image.pixels.iter().flat_map(Color32::to_srgba_unmultiplied).collect();
    Pixels::from_rgba(width?, height?, rgba).ok()
}

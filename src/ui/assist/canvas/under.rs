//! What lies under the pointer.

use egui::{Key, Pos2, Rect, Ui};

use super::view::CanvasView;
use crate::editor::{Pointer, PointerKeys};

/// What lies under the pointer: the canvas, and the page on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Under {
    pub(super) rect: Rect,
    pub(super) view: CanvasView,
}

impl Under {
    /// The pointer at a place of the screen.
    pub(super) fn pointer(self, ui: &Ui, pos: Pos2) -> Pointer {
        Pointer {
            at: self.view.to_page(pos),
            zoom: self.view.zoom,
            visible: self.view.visible(self.rect),
            keys: keys(ui),
        }
    }
}

pub(super) fn keys(ui: &Ui) -> PointerKeys {
    ui.input(|input| PointerKeys {
        shift: input.modifiers.shift,
        alt: input.modifiers.alt,
        command: input.modifiers.command,
        space: input.key_down(Key::Space),
    })
}

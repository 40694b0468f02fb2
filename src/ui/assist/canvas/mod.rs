//! The canvas: the picture of the design, what is selected, and hands on it.
//!
//! [`view`] is where the page lies on the screen; [`overlay`] draws over the picture.

mod ghost;
mod overlay;
mod picture;
mod view;

use egui::{PointerButton, Rect, Response, Sense, Ui};

use super::act;
use crate::editor::{Act, Pointer, PointerAct, PointerKeys};
use crate::ui::context::ViewContext;
use crate::workbench::AssistDesk;

use ghost::GhostLayer;
use picture::CanvasPicture;
use view::CanvasView;

/// The canvas with what belongs to it alone.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// Where the page lies; `None` until the design is first drawn, which fits it.
    view: Option<(u64, CanvasView)>,
    picture: CanvasPicture,
    ghost: GhostLayer,
    readout: Option<String>,
}

impl Canvas {
    /// Nothing is shown any more.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.readout.as_deref()
    }

    /// Points of the screen a unit of the page.
    pub(super) fn zoom(&self) -> f64 {
        self.view.as_ref().map_or(1.0, |(_, view)| view.zoom)
    }

    /// Draws the canvas, and takes what is done on it.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let view = match self.view {
            Some((of, view)) if of == desk.number => view,
            _ => CanvasView::fitted(desk.screen(), rect),
        };
        let view = view.navigated(ui, rect, &response);
        self.view = Some((desk.number, view));
        self.pointer(ui, cx, desk, (rect, view), &response);
        let painter = ui.painter().with_clip_rect(rect);
        self.picture.paint(&painter, cx, desk, view);
        overlay::paint(ui, &painter, desk, view);
        self.ghost.paint(ui, &painter, cx, desk, view);
    }

    /// Presses, drags and clicks become acts of the editor.
    fn pointer(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        (rect, view): (Rect, CanvasView),
        response: &Response,
    ) {
        let modifiers = ui.input(|input| input.modifiers);
        let pointer = |pos| Pointer {
            at: view.to_page(pos),
            zoom: view.zoom,
            visible: view.visible(rect),
            keys: PointerKeys {
                shift: modifiers.shift,
                alt: modifiers.alt,
                command: modifiers.command,
                space: false,
            },
        };
        let hover = response.hover_pos().map(|pos| view.to_page(pos));
        self.readout = hover.map(|at| format!("{:.0}, {:.0}", at.x, at.y));
        let pressed = ui.input(|input| input.pointer.primary_pressed());
        if pressed && response.contains_pointer() {
            if let Some(pos) = ui.input(|input| input.pointer.press_origin()) {
                response.request_focus();
                act(cx, Act::Pointer(PointerAct::Press(pointer(pos))));
            }
        } else if response.drag_stopped_by(PointerButton::Primary)
            || (desk.editor.is_holding() && !ui.input(|input| input.pointer.primary_down()))
        {
            if let Some(pos) = ui.input(|input| input.pointer.latest_pos()) {
                act(cx, Act::Pointer(PointerAct::Release(pointer(pos))));
            }
        } else if response.dragged_by(PointerButton::Primary)
            && let Some(pos) = response.interact_pointer_pos()
        {
            act(cx, Act::Pointer(PointerAct::Move(pointer(pos))));
        }
        if response.double_clicked()
            && let Some(pos) = response.interact_pointer_pos()
        {
            act(cx, Act::Pointer(PointerAct::DoubleClick(pointer(pos))));
        }
    }
}

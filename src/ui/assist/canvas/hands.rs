//! Presses, drags and clicks on the canvas become acts of the editor.

use egui::{CursorIcon, Key, Pos2, Response, Ui};

use super::handles::grip_cursor;
use super::under::{Under, keys};
use crate::design::NodeId;
use crate::editor::{Act, PointerAct, PointerKeys, Tool};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::workbench::AssistDesk;

/// What the first button is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Button {
    #[default]
    Up,
    /// It went down on the canvas; where the editor heard of the pointer last, and with which keys.
    Works(Pos2, PointerKeys),
    /// It moves the page.
    Pans,
    /// What it did was given up while it is still down.
    Idle,
}

/// The pointer on the canvas.
#[derive(Debug, Default)]
pub(super) struct Hands {
    button: Button,
    /// What a click would select.
    hovered: Option<NodeId>,
}

impl Hands {
    /// Whether the first button moves the page.
    pub(super) fn pans(&self) -> bool {
        self.button == Button::Pans
    }

    /// What a click would select.
    pub(super) fn hovered(&self) -> Option<&NodeId> {
        self.hovered.as_ref()
    }

    /// Takes what the pointer does.
    pub(super) fn update(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        under: Under,
        response: &Response,
    ) {
        let send = |pointer: PointerAct| act(cx, Act::Pointer(pointer));
        let (is_pressed, is_down, is_released, pos) = ui.input(|input| {
            let pointer = &input.pointer;
            let pos = pointer.latest_pos();
            (pointer.primary_pressed(), pointer.primary_down(), pointer.primary_released(), pos)
        });
        let may_begin = self.button == Button::Up && is_pressed && response.contains_pointer();
        // Of a button that was let go in the same frame it is not known any more where it went down.
        let from = ui.input(|input| input.pointer.press_origin()).or(pos);
        if may_begin && let Some(from) = from {
            response.request_focus();
            let pans = desk.editor.tool() == Tool::Hand || keys(ui).space;
            if pans {
                self.button = Button::Pans;
            } else {
                let pointer = under.pointer(ui, from);
                send(match desk.canvas.editing_gradient {
                    Some(fill) => PointerAct::PressGradient(pointer, fill),
                    None => PointerAct::Press(pointer),
                });
                self.button = Button::Works(from, pointer.keys);
            }
        }
        if let Button::Works(last, last_keys) = self.button {
            // Outside the window nobody knows where it is.
            let pos = pos.unwrap_or(last);
            let pointer = under.pointer(ui, pos);
            if !is_down {
                // Let go while the canvas was not seen, it is nobody's wish where the pointer is now.
                send(if is_released { PointerAct::Release(pointer) } else { PointerAct::Cancel });
            } else if ui.input(|input| input.key_pressed(Key::Escape)) {
                send(PointerAct::Cancel);
                self.button = Button::Idle;
            } else if pos != last || pointer.keys != last_keys {
                send(PointerAct::Move(pointer));
                self.button = Button::Works(pos, pointer.keys);
            }
        }
        if !is_down {
            self.button = Button::Up;
        }
        // Each further click of a fast series goes one level further in.
        if (response.double_clicked() || response.triple_clicked())
            && let Some(pos) = response.interact_pointer_pos()
            && desk.editor.tool() != Tool::Hand
        {
            send(PointerAct::DoubleClick(under.pointer(ui, pos)));
        }
        self.hover(ui, desk, under, response);
    }

    /// What a click would select, and the form of the pointer.
    fn hover(&mut self, ui: &Ui, desk: &AssistDesk, under: Under, response: &Response) {
        let tool = desk.editor.tool();
        let pos = response.hover_pos();
        let pans = self.pans() || tool == Tool::Hand || (pos.is_some() && keys(ui).space);
        let cursor = match (self.button, pos) {
            (Button::Pans, _) => Some(CursorIcon::Grabbing),
            (_, None) => None,
            _ if pans && !desk.editor.is_holding() => Some(CursorIcon::Grab),
            (Button::Up, Some(pos)) => {
                let grip = desk.editor.grip_at(under.pointer(ui, pos));
                grip.map(|grip| grip_cursor(desk, under.view, grip))
            }
            _ => None,
        };
        let draws = !matches!(tool, Tool::Move | Tool::Scale | Tool::Hand);
        let cursor = cursor.or((draws && pos.is_some()).then_some(CursorIcon::Crosshair));
        if let Some(cursor) = cursor {
            ui.ctx().set_cursor_icon(cursor);
        }
        if self.button != Button::Up {
            return;
        }
        let can_select = matches!(tool, Tool::Move | Tool::Scale) && !pans;
        if response.contains_pointer() {
            let hovered = pos.filter(|_| can_select);
            let hovered = hovered.and_then(|pos| desk.editor.hovered(under.pointer(ui, pos)));
            self.hovered = hovered;
        } else {
            self.hovered = None;
        }
    }
}

//! What is done to the canvas and not to the design.

use crate::workbench::model::CanvasDesk;
use crate::workbench::protocol::CanvasCommand;

/// Does it.
pub(super) fn carry_out(canvas: &mut CanvasDesk, command: CanvasCommand) {
    match command {
        CanvasCommand::EditGradient(fill) => canvas.editing_gradient = fill,
    }
}

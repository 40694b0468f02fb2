//! What panels of the room do to the design.

use crate::editor::Act;
use crate::ui::context::ViewContext;
use crate::workbench::{AssistCommand, Command};

/// Does something to the design.
pub(super) fn act(cx: &ViewContext<'_>, act: Act) {
    cx.send(Command::Assist(AssistCommand::Act(Box::new(act))));
}

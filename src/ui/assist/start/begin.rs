//! Beginning with a design.

use crate::ui::context::ViewContext;
use crate::workbench::{AssistCommand, AssistStart, Command};

/// Has it opened.
pub(super) fn open(cx: &ViewContext<'_>, start: AssistStart) {
    cx.send(Command::Assist(AssistCommand::Open(start)));
}

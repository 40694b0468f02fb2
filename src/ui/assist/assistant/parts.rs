//! What the parts of the panel have in common.

use crate::ui::context::ViewContext;
use crate::ui::theme::size;
use crate::workbench::{AssistCommand, AssistDesk, AssistantCommand, AssistantSource, Command};

/// The width of a row inside the panel below which what stands beside goes below.
pub(super) const NARROW: f32 = 250.0;
/// The height of the header.
pub(super) const HEADER: f32 = size::TOOLBAR;

/// What people call whoever is asked.
pub(super) fn source_words(desk: &AssistDesk) -> String {
    match &desk.assistant.source {
        AssistantSource::Answer if desk.goal_design().is_some() => "knows the answer".to_owned(),
        AssistantSource::Answer | AssistantSource::Flaws if desk.brief.is_some() => {
            "checks the brief".to_owned()
        }
        AssistantSource::Answer | AssistantSource::Flaws => "looks for flaws".to_owned(),
        AssistantSource::Model(name) => name.clone(),
    }
}

/// Asks something of the assistant.
pub(super) fn send(cx: &ViewContext<'_>, command: AssistantCommand) {
    cx.send(Command::Assist(AssistCommand::Assistant(command)));
}

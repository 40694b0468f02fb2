//! Making the calls that are shown the reference of their task: asked first, as it writes into the task set.

use egui::{Label, Ui};

use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text};
use crate::workbench::views;
use crate::workbench::{Command, ReferenceKind, WhatIfCommand};

/// The button that begins it.
pub(super) fn ask_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    CommandButton::icon(CommandId::MakeReference, icons::GROUND_TRUTH).show(ui, cx);
}

/// As what the calls become the reference; nothing where the task can have tools alone.
fn choice_ui(ui: &mut Ui, cx: &ViewContext<'_>, asked: ReferenceKind) {
    if views::reference_order(cx.state, ReferenceKind::Plan).is_none() {
        return;
    }
    ui.horizontal(|ui| {
        for (kind, words) in
            [(ReferenceKind::Tools, "Reference tools"), (ReferenceKind::Plan, "Reference plan")]
        {
            let button = Button::text(words).look(Look::Tool).compact().selected(kind == asked);
            if button.show(ui).clicked() {
                cx.send(Command::WhatIf(WhatIfCommand::AskReference(Some(kind))));
            }
        }
    });
    ui.add_space(4.0);
}

/// What would be written and where, with the two answers.
pub(super) fn reference_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(kind) = cx.state.what_if.asks_reference else { return };
    let tokens = tokens(ui);
    let Some(order) = views::reference_order(cx.state, kind) else { return };
    ui.add_space(4.0);
    tokens.card_frame().show(ui, |ui| {
        choice_ui(ui, cx, kind);
        let words = format!("Make these the {} of {}?", order.reference.name(), order.task.id);
        ui.add(Label::new(rich_text(words, Type::Strong, tokens.text)).wrap());
        let summary = order.reference.summary();
        ui.add(Label::new(rich_text(summary, Type::Body, tokens.text)).wrap());
        // By the name of the set, as that is what is changed; the path is under the pointer.
        let mut sets = cx.state.library.sets.iter();
        let name = sets.find(|set| set.set.id == order.task.set).map_or("", |set| &set.set.name);
        let words = format!(
            "Written into the taskset.json of {name}; the file as it is now is kept beside it."
        );
        let label = Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap();
        ui.add(label).on_hover_text(order.set_dir.join("taskset.json").display().to_string());
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let send = |command| cx.send(Command::WhatIf(command));
            let write = match kind {
                ReferenceKind::Tools => "Write them",
                ReferenceKind::Plan => "Write it",
            };
            if Button::text(write).look(Look::Primary).show(ui).clicked() {
                send(WhatIfCommand::MakeReference);
            }
            if Button::text("Cancel").show(ui).clicked() {
                send(WhatIfCommand::AskReference(None));
            }
        });
    });
}

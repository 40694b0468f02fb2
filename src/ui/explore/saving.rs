//! Plots and figures as files and on the clipboard.

use egui::{Popup, Ui};

use crate::ui::context::ViewContext;
use crate::ui::widgets::{Button, Look, color_image};
use crate::workbench::{Browse, Command, ExploreCommand, StageForm};

/// A button that asks as what a figure or a plot is written to a file; `name` is for screen readers.
pub(super) fn save_menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, name: &str, id: &'static str) {
    let save = Button::text("Save…").named(name).look(Look::Tool).height(20.0);
    let save = save.tooltip("Write it to a file, which says how it was made, or copy it.").show(ui);
    Popup::menu(&save).show(|ui| save_buttons_ui(ui, cx, id));
}

/// What that menu offers, for a menu that is open already.
pub(in crate::ui) fn save_buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: &'static str) {
    for (name, form) in
        [("SVG…", StageForm::Svg), ("PDF…", StageForm::Pdf), ("PNG…", StageForm::Png)]
    {
        if ui.button(name).clicked() {
            cx.send(Command::Browse(Browse::Figure(id, form)));
        }
    }
    if ui.button("Copy as a picture").clicked() {
        cx.send(Command::Explore(ExploreCommand::CopyFigure(id.to_owned())));
    }
}

/// Puts what was copied of plots onto the system's clipboard.
#[derive(Debug, Default)]
pub(super) struct PlotClipboard {
    /// The number of what was put there last.
    copied: u64,
}

impl PlotClipboard {
    /// Call once a frame.
    pub(super) fn show(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let outgoing = cx.state.explore.outgoing.as_ref();
        let Some((number, pixels)) = outgoing.filter(|(number, _)| *number != self.copied) else {
            return;
        };
        self.copied = *number;
        ui.ctx().copy_image(color_image(pixels));
    }
}

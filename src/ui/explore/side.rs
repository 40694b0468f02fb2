//! To the right of the table: plots, or the figures of the papers.

use egui::{ScrollArea, Ui};

use super::figures::figures_ui;
use super::parts::explore;
use super::plots::Plots;
use crate::ui::context::ViewContext;
use crate::ui::theme::{size, tokens};
use crate::ui::widgets::{Button, Look, hairline_ui};
use crate::workbench::{ExploreCommand, ExplorePanel};

/// Draws it.
pub(super) fn side_ui(ui: &mut Ui, cx: &ViewContext<'_>, plots: &mut Plots) {
    let panel = cx.state.explore.view.panel;
    ui.horizontal(|ui| {
        ui.set_min_height(size::TOOLBAR);
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        for (name, of) in [("Plots", ExplorePanel::Plots), ("Figures", ExplorePanel::Figures)] {
            if Button::text(name).look(Look::Tool).selected(panel == of).show(ui).clicked() {
                explore(cx, ExploreCommand::Panel(of));
            }
        }
        if panel == ExplorePanel::Plots {
            super::plots::legend_ui(ui, cx);
        }
    });
    hairline_ui(ui);
    ui.style_mut().visuals.extreme_bg_color = tokens(ui).panel;
    ScrollArea::vertical().id_salt("explore_side").auto_shrink(false).show(ui, |ui| match panel {
        ExplorePanel::Plots => plots.show(ui, cx),
        ExplorePanel::Figures => figures_ui(ui, cx),
    });
}

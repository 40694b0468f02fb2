//! The room with the table over all runs.
//!
//! [`filter_line`] is across the top, [`table`] below it under its [`toolbar`], [`side`] to the right: [`plots`] with
//! the figure of a study ([`study_plot`]), the [`distribution`], the [`curves`], [`pair`] and its [`matched`] tasks, or
//! the [`figures`] of the papers. What is selected in one is selected in all; [`parts`] is what they share, [`plotting`]
//! what plots do, [`saving`] writes and copies them.

mod curves;
mod distribution;
mod figures;
mod filter_line;
mod matched;
mod pair;
mod parts;
mod plots;
mod plotting;
mod saving;
mod side;
mod study_plot;
mod table;
mod toolbar;

use egui::{CentralPanel, Context, Frame, Panel, Ui};

use super::commands::{CommandButton, CommandId};
use super::context::ViewContext;
use super::icons;
use super::panel_windows::head_menu;
use super::stage::Textures;
use super::theme::{size, tokens};
use super::widgets::{EmptyState, Look};
use crate::workbench::{PanelWindow, TableFormat};

pub(super) use figures::figure_ui;
use filter_line::FilterLine;
use plots::Plots;
use saving::PlotClipboard;
pub(super) use saving::{save_buttons_ui, study_tables_ui, table_buttons_ui};
use table::RunTable;
use toolbar::Toolbar;

/// The side when first seen.
const SIDE: f32 = 420.0;

/// What the room itself remembers.
#[derive(Debug, Default)]
pub(super) struct ExploreRoom {
    filter: FilterLine,
    toolbar: Toolbar,
    table: RunTable,
    plots: Plots,
    clipboard: PlotClipboard,
}

/// Copies the table as a spreadsheet takes it.
pub(super) fn copy_table(ctx: &Context, cx: &ViewContext<'_>) {
    ctx.copy_text(cx.state.explored_text(TableFormat::Tsv));
}

impl ExploreRoom {
    /// Puts the cursor into the filter, next frame.
    pub(super) fn focus_filter(&mut self) {
        self.filter.focus();
    }

    /// Shows the columns to choose from, or hides them.
    pub(super) fn choose_columns(&mut self) {
        self.toolbar.choose_columns();
    }

    /// Puts what was copied of plots, here or beside the stage, onto the system's clipboard.
    pub(super) fn copy_outgoing(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        self.clipboard.show(ui, cx);
    }

    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.plots.readout()
    }

    /// Draws the room.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        let panel = Frame::new().fill(tokens(ui).panel);
        if cx.state.library.runs.is_empty() {
            CentralPanel::default().frame(Frame::new().fill(tokens(ui).stage)).show(ui, |ui| {
                let words = "Open a folder with runs: they are listed here, whatever sets they are of, to be \
                             filtered, sorted, plotted and compared.";
                EmptyState::new(icons::TABLE, "No runs are open", words).show(ui, |ui| {
                    CommandButton::text(CommandId::OpenFolder).look(Look::Primary).show(ui, cx);
                });
            });
            return;
        }
        Panel::top("explore_filter").resizable(false).frame(panel).show(ui, |ui| {
            self.filter.show(ui, cx);
        });
        let width = ui.available_width();
        // A width of its own for narrow and for wide windows, each as it was dragged last.
        let class = if width < 1200.0 { "narrow" } else { "wide" };
        Panel::right(("explore_side", class))
            .default_size(SIDE.min(width * 0.38))
            .size_range(260.0..=(width * 0.6).max(260.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                side::side_ui(ui, cx, &mut self.plots);
            });
        let head = Panel::top("explore_toolbar").exact_size(size::TOOLBAR).frame(panel);
        let head = head.show(ui, |ui| self.toolbar.show(ui, cx));
        head_menu(&head.response, cx, PanelWindow::Explore);
        // Last, as egui gives the middle what the panels left.
        CentralPanel::default().frame(panel).show(ui, |ui| self.table.show(ui, cx, textures));
    }
}

//! Plots, figures and tables as files and on the clipboard.

use egui::{Popup, Ui};

use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, color_image, rich_text};
use crate::workbench::{
    Browse, Command, ExploreCommand, ExportedTable, StageForm, StudyRows, StudySource, TableFile,
    TableFormat,
};

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

/// What a menu offers to write a table as.
pub(super) fn table_files_ui(ui: &mut Ui, cx: &ViewContext<'_>, table: ExportedTable) {
    for (name, format) in [
        ("CSV…", TableFile::Text(TableFormat::Csv)),
        ("Markdown…", TableFile::Text(TableFormat::Markdown)),
        ("LaTeX…", TableFile::Text(TableFormat::Latex)),
        ("Tab-separated values…", TableFile::Text(TableFormat::Tsv)),
        ("Parquet…", TableFile::Parquet),
    ] {
        if ui.button(name).clicked() {
            cx.send(Command::Browse(Browse::Table(table, format)));
        }
    }
}

/// Buttons that write a table that is there to a file and copy it; `what` it is, such as `the tasks`, is for screen
/// readers.
pub(in crate::ui) fn table_buttons_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    table: ExportedTable,
    what: &str,
) {
    let (saves, copies) = (format!("Save {what}"), format!("Copy {what}"));
    let save = Button::text("Save…").named(&saves).look(Look::Tool).height(20.0);
    let tip = "Write it to a file, with what is found over it and the command that makes it again.";
    let save = save.tooltip(tip).show(ui);
    Popup::menu(&save).show(|ui| {
        table_files_ui(ui, cx, table);
        ui.separator();
        if ui.button("Copy as Markdown").clicked() {
            copy_text(ui, cx, table, TableFormat::Markdown);
        }
    });
    let copy = Button::text("Copy").named(&copies).look(Look::Tool).height(20.0);
    if copy.tooltip("Copy it as a spreadsheet takes it.").show(ui).clicked() {
        copy_text(ui, cx, table, TableFormat::Tsv);
    }
}

/// The same for both tables of a study that is counted, beside each other.
pub(in crate::ui) fn study_tables_ui(ui: &mut Ui, cx: &ViewContext<'_>, of: StudySource) {
    for (caption, what, rows) in [
        ("Levels", "success and time", StudyRows::Levels),
        ("Attempts", "the attempts", StudyRows::Attempts),
    ] {
        ui.label(rich_text(caption, Type::Caption, tokens(ui).dim));
        table_buttons_ui(ui, cx, ExportedTable::Study(of, rows), what);
        ui.add_space(8.0);
    }
}

fn copy_text(ui: &Ui, cx: &ViewContext<'_>, table: ExportedTable, format: TableFormat) {
    // Its buttons stand only where there is one.
    if let Ok((text, _)) = cx.state.exported_text(table, format) {
        ui.ctx().copy_text(text);
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

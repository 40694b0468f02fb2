//! Above the table: group, columns, what is selected, export.

use egui::{Align, Layout, Popup, PopupCloseBehavior, SetOpenCommand, Ui};

use super::parts::explore;
use super::saving::table_files_ui;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, grouped, rich_text, tick_ui};
use crate::workbench::{
    Column, ColumnKind, Command, ExploreCommand, ExportedTable, Overlay, TableFormat,
};

/// What the toolbar itself remembers.
#[derive(Debug, Default)]
pub(super) struct Toolbar {
    wants_columns: bool,
    /// What columns are looked for.
    filter: String,
}

impl Toolbar {
    /// Shows the columns to choose from, or hides them.
    pub(super) fn choose_columns(&mut self) {
        self.wants_columns = true;
    }

    /// Draws it.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        ui.horizontal_centered(|ui| {
            ui.add_space(6.0);
            group_ui(ui, cx);
            sort_ui(ui, cx);
            self.columns_ui(ui, cx);
            if cx.state.explores_asked() {
                CommandButton::text(CommandId::AskModels)
                    .short("Ask…")
                    .look(Look::Tool)
                    .show(ui, cx);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(10.0);
                export_ui(ui, cx);
                let open = CommandButton::text(CommandId::OpenRows).with_icon(icons::RUN);
                open.short("Open").show(ui, cx);
                let selected = cx.state.explore.selected.len();
                if selected > 0 {
                    let words = format!("{} selected", grouped(selected as u64));
                    ui.label(rich_text(words, Type::Caption, tokens.dim));
                }
            });
        });
    }

    fn columns_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let chosen = &cx.state.explore.view.columns;
        let table = &cx.state.explore.table;
        let named = table.settings().len() + table.imported().len();
        let all = Column::all().count() + named + cx.state.variants.len();
        let words = format!("Columns {} of {all}", chosen.len());
        let button = Button::text(&words)
            .named("Columns")
            .look(Look::Tool)
            .tooltip("Choose which columns the table has.")
            .key(command(CommandId::ChooseColumns).key(ui, cx.state))
            .show(ui);
        let toggle = std::mem::take(&mut self.wants_columns);
        let menu = Popup::menu(&button)
            .open_memory((toggle || button.clicked()).then_some(SetOpenCommand::Toggle))
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        menu.show(|ui| {
            ui.set_min_width(260.0);
            let hint = rich_text("Find a column", Type::Body, tokens(ui).dim);
            // A menu has less around its rows than a field needs around its words.
            let field = egui::TextEdit::singleline(&mut self.filter)
                .id(egui::Id::unique("explore_columns"))
                .hint_text(hint);
            let field = field.margin(egui::Margin::symmetric(8, 5));
            ui.add(field).accessible_name("Find a column");
            let sought = self.filter.to_lowercase();
            egui::ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
                let scores = cx.state.variants.iter().map(|it| Column::Score(it.id.clone()));
                let settings = table.settings().map(Column::setting);
                let imported = table.imported().map(Column::imported);
                for column in Column::all().chain(settings).chain(imported).chain(scores) {
                    let heading = cx.state.column_heading(&column);
                    let is_sought = heading.to_lowercase().contains(&sought)
                        || column.id().to_lowercase().contains(&sought);
                    if !is_sought {
                        continue;
                    }
                    let is_on = chosen.contains(&column);
                    if tick_ui(ui, &heading, column.id(), is_on).is_some() {
                        explore(cx, ExploreCommand::ToggleColumn(column));
                    }
                }
            });
        });
    }
}

fn group_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let group = cx.state.explore.view.group.as_ref();
    let words = match group {
        Some(column) => format!("Group: {}", cx.state.column_heading(column).to_lowercase()),
        None => "Group".to_owned(),
    };
    let button = Button::text(&words)
        .named("Group")
        .look(Look::Tool)
        .tooltip("Put the runs below what they have in common, with means.")
        .key(command(CommandId::GroupRows).key(ui, cx.state))
        .show(ui);
    Popup::menu(&button).show(|ui| {
        if ui.radio(group.is_none(), "Not at all").clicked() {
            explore(cx, ExploreCommand::Group(None));
        }
        let columns = Column::all()
            .filter(|column| column.kind() != ColumnKind::Number && *column != Column::Started);
        for column in columns {
            if ui.radio(group == Some(&column), cx.state.column_heading(&column)).clicked() {
                explore(cx, ExploreCommand::Group(Some(column)));
            }
        }
    });
}

/// Says by what it is sorted; heads do the sorting.
fn sort_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let sort = &cx.state.explore.view.sort;
    if sort.is_empty() {
        return;
    }
    let keys: Vec<String> = sort.iter().map(|key| cx.state.column_heading(&key.column)).collect();
    let words = format!("Sort: {}", keys.join(", "));
    let button = Button::text(&words).look(Look::Tool).named("Sorted by");
    let tip = "Click a head to sort by it, Shift-click to add it. Click here to sort by nothing.";
    if button.tooltip(tip).show(ui).clicked() {
        for key in sort {
            // Each once more or twice, until it is off.
            let starts_descending = key.column.kind() != ColumnKind::Text;
            let times = if key.is_descending == starts_descending { 2 } else { 1 };
            for _ in 0..times {
                let column = key.column.clone();
                explore(cx, ExploreCommand::Sort { column, is_added: true });
            }
        }
    }
}

fn export_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let button = Button::text("Export")
        .with_icon(icons::EXPORT)
        .tooltip("Write or copy the runs that are shown, or the selected ones.")
        .show(ui);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(220.0);
        let explored = &cx.state.explore;
        let runs = if explored.selected.is_empty() {
            explored.table.shown.len()
        } else {
            explored.selected.len()
        };
        let words =
            format!("{} runs · {} columns", grouped(runs as u64), explored.view.columns.len());
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
        table_files_ui(ui, cx, ExportedTable::Runs);
        ui.separator();
        if ui.button("Pictures, report or folders…").clicked() {
            cx.send(Command::ToggleOverlay(Overlay::Export));
        }
        ui.separator();
        for (name, format) in [
            ("Copy for a spreadsheet", TableFormat::Tsv),
            ("Copy as Markdown", TableFormat::Markdown),
        ] {
            if ui.button(name).clicked() {
                ui.ctx().copy_text(cx.state.explored_text(format));
            }
        }
    });
}

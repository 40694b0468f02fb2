//! The tools of the run: beside those of the reference, and by what they moved.

use egui::{Align, CollapsingHeader, Layout, Ui};

use super::parts::quiet_ui;
use crate::metric::VariantSpec;
use crate::metric::behavior::{Moved, ToolAgreement};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{caption_row_ui, metric_change_words, rich_text, share_words};
use crate::workbench::views::{self, RunTools, ToolRow};

/// Draws the section, folded until somebody asks.
pub(super) fn tools_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let title = rich_text("Tools", Type::Section, tokens(ui).dim);
    // What is folded is not counted: of a long run that is a pass over all its steps.
    CollapsingHeader::new(title).id_salt("run_tools").show_unindented(ui, |ui| {
        match views::run_tools(cx.state) {
            Some(tools) => table_ui(ui, &tools),
            None => quiet_ui(ui, "No calls were recorded."),
        }
    });
}

fn table_ui(ui: &mut Ui, tools: &RunTools<'_>) {
    if let Some(agreement) = &tools.agreement {
        agreement_ui(ui, agreement);
    }
    let Some(variant) = tools.variant else { return };
    let label = variant.label;
    let (known, all) = tools.scored;
    let calls = match tools.range {
        Some(range) => format!("Calls of steps {} to {}", range.first, range.last),
        None => "Calls".to_owned(),
    };
    // A sum over some of the steps would look like that over all.
    let words = if known == all {
        format!("{calls}, and what they moved {label} by")
    } else {
        format!("{calls}, and what they moved {label} by: {known} of {all} steps scored")
    };
    ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    for row in &tools.tools {
        tool_ui(ui, row, variant);
    }
    ui.add_space(6.0);
    ui.label(rich_text("By kind of work", Type::Caption, tokens(ui).dim));
    for (category, moved) in &tools.by_category {
        row_ui(ui, category, &format!("{}×", moved.steps), Some(*moved), variant);
    }
}

fn agreement_ui(ui: &mut Ui, agreement: &ToolAgreement) {
    let tokens = tokens(ui);
    let [precision, recall] = [&agreement.precision, &agreement.recall].map(share_words);
    let words = format!("Against the reference: precision {precision}, recall {recall}");
    ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.text)).wrap());
    if !agreement.unused.is_empty() {
        let words = format!("Missing: {}", agreement.unused.join(", "));
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.loss)).wrap());
    }
    ui.add_space(6.0);
}

fn tool_ui(ui: &mut Ui, row: &ToolRow, variant: &VariantSpec) {
    let count = match row.is_reference {
        Some(true) => format!("{} {}×", icons::CHECK, row.calls),
        _ => format!("{}×", row.calls),
    };
    let count = match row.failed {
        0 => count,
        failed => format!("{count}, {failed} failed"),
    };
    row_ui(ui, &row.name, &count, row.moved, variant);
}

fn row_ui(ui: &mut Ui, name: &str, count: &str, moved: Option<Moved>, variant: &VariantSpec) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (words, ink) = match moved {
                Some(moved) => {
                    // Less may be better: then a fall is the gain, and is coloured as one.
                    let gain = views::gain(variant, moved.total());
                    (metric_change_words(variant.range, moved.total()), tokens.change(gain))
                }
                None => ("·".to_owned(), tokens.dim),
            };
            let change = ui.label(rich_text(words, Type::Medium, ink));
            if let Some(moved) = moved {
                let [up, down] =
                    [moved.up, moved.down].map(|by| metric_change_words(variant.range, by));
                change.on_hover_text(format!("{up} up, {down} down"));
            }
            ui.label(rich_text(count, Type::Caption, tokens.dim));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = rich_text(name, Type::Body, tokens.text);
                ui.add(egui::Label::new(name).truncate());
            });
        });
    });
}

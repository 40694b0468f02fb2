//! What the list shows: compared with what, filtered how.

use egui::{Align, Id, Key, Layout, Margin, TextEdit, Ui, vec2};

use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, caption_row_ui, count, rich_text};
use crate::workbench::protocol::ExportFormat;
use crate::workbench::views::{Nodes, PaneStatus};
use crate::workbench::{
    Browse, ChangeKind, Command, Comparison, LayerTree, NodesCommand, PairedBy, PictureKey,
};

/// Draws the rows above the list.
pub(super) fn toolbar_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    filter: &mut FilterField,
    nodes: &Nodes<'_>,
) {
    ui.add_space(6.0);
    slot_ui(ui, cx);
    ui.add_space(4.0);
    compare_ui(ui, cx);
    ui.add_space(4.0);
    // What is compared can be chosen before anything is listed; filters and counts need the list.
    let Some(layers) = nodes.layers else { return };
    filter_ui(ui, cx, filter);
    ui.add_space(4.0);
    counts_ui(ui, cx, nodes, layers);
    ui.add_space(2.0);
}

fn row(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let height = size::BUTTON;
    let wanted = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(size::GUTTER);
        add(ui);
    });
}

/// Whose nodes are listed, and what can be done with all of them.
fn slot_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let of_truth = matches!(cx.state.nodes_slot(), Some(PictureKey::GroundTruth(_)));
    row(ui, |ui| {
        let words = match cx.state.nodes_slot() {
            Some(PictureKey::GroundTruth(_)) => "Ground truth".to_owned(),
            Some(PictureKey::Step(_, step)) if step > 0 => format!("Step {step}"),
            // A document of the suite is called by its program, as there are several at one step.
            Some(PictureKey::Document(_, step, program)) => {
                let documents = cx.state.documents();
                let program = documents.and_then(|documents| documents.program(program));
                program.map_or_else(|| format!("Step {step}"), |program| program.name.clone())
            }
            _ => "Start state".to_owned(),
        };
        let title = rich_text(words, Type::Title, tokens(ui).text);
        ui.label(title);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(8.0);
            export_ui(ui, cx);
            CommandButton::icon(CommandId::UnfoldNodes, icons::UNFOLD_ALL).show(ui, cx);
            CommandButton::icon(CommandId::FoldNodes, icons::FOLD_ALL).show(ui, cx);
            CommandButton::icon(CommandId::ListGroundTruth, icons::GROUND_TRUTH)
                .selected(of_truth)
                .show(ui, cx);
        });
    });
}

fn export_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let what = if cx.state.nodes.selected.is_some() { "the selected node" } else { "the design" };
    let tooltip = format!("Write {what} to a file.");
    let button = Button::icon(icons::EXPORT, "Export").look(Look::Tool).tooltip(&tooltip);
    let button = button.enabled((command(CommandId::ExportJson).enabled)(cx.state)).show(ui);
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(190.0);
        let caption = egui::RichText::new(format!("Export {what}")).font(Type::Caption.font());
        ui.label(caption.color(tokens(ui).dim));
        for scale in 1..=4 {
            // Twice the size is what the key exports; the other scales are here only.
            let id = (scale == 2).then_some(CommandId::ExportPng);
            let words = format!("PNG at {scale}×…");
            export_item_ui(ui, cx, &words, id, ExportFormat::Png { scale });
        }
        export_item_ui(ui, cx, "SVG…", Some(CommandId::ExportSvg), ExportFormat::Svg);
        let id = Some(CommandId::ExportJson);
        export_item_ui(ui, cx, "JSON (Figma REST)…", id, ExportFormat::Json);
    });
}

fn export_item_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    words: &str,
    id: Option<CommandId>,
    format: ExportFormat,
) {
    let key = id.and_then(|id| command(id).key(ui, cx.state)).unwrap_or_default();
    if ui.add(egui::Button::new(words).shortcut_text(key)).clicked() {
        cx.send(Command::Browse(Browse::Export(format)));
    }
}

/// The three comparisons.
fn compare_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = cx.state.nodes_comparison();
    row(ui, |ui| {
        let words = rich_text("Compare", Type::Body, tokens(ui).dim);
        ui.label(words);
        ui.add_space(8.0);
        for (against, words, name, tooltip) in [
            (Comparison::None, "Off", "Compare with nothing", "List the nodes as they are."),
            (
                Comparison::Previous,
                "Last step",
                "Compare with the step before",
                "Show what this step changed.",
            ),
            (
                Comparison::GroundTruth,
                "Truth",
                "Compare with the ground truth",
                "Show how the design differs from the ground truth.",
            ),
        ] {
            // Off with the reason, where there is no document to compare with.
            let can = cx.state.can_compare(against);
            let why = cx.state.why_no_truth_document().unwrap_or(tooltip);
            let tooltip = if can || against != Comparison::GroundTruth { tooltip } else { why };
            let button = Button::text(words).named(name).look(Look::Tool).tooltip(tooltip);
            let key = command(CommandId::NextComparison).key(ui, cx.state);
            let button = button.selected(now == against).enabled(can).key(key).height(24.0);
            if button.show(ui).clicked() {
                cx.send(Command::Nodes(NodesCommand::Compare(against)));
            }
        }
    });
}

/// The field, and the button that leaves only what differs.
fn filter_ui(ui: &mut Ui, cx: &ViewContext<'_>, filter: &mut FilterField) {
    row(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.add_space(8.0);
            CommandButton::icon(CommandId::OnlyChanged, icons::CHANGED)
                .selected(cx.state.nodes.only_changed)
                .show(ui, cx);
            filter.show(ui, cx);
        });
    });
}

/// How many nodes differ in which way; each is a filter.
fn counts_ui(ui: &mut Ui, cx: &ViewContext<'_>, nodes: &Nodes<'_>, layers: &LayerTree) {
    let against = nodes.key.as_ref().map_or(Comparison::None, |key| key.against);
    // Without a comparison there are no differences to count: the nodes themselves are.
    if against == Comparison::None {
        let shown = nodes.rows.iter().filter(|row| row.is_match).count();
        let own = layers.rows.len();
        let words =
            if nodes.is_filtered { format!("{shown} of {own} nodes") } else { count(own, "node") };
        caption_ui(ui, &words, "");
        return;
    }
    let paired = layers.paired();
    if layers.counts.is_empty() {
        caption_ui(ui, &format!("No differences in {}", count(paired, "node")), "");
        return;
    }
    let area = vec2(ui.available_width(), 0.0);
    ui.allocate_ui_with_layout(area, Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(8.0);
        // Scoped, because the narrower width and the spacing must not reach the caption below.
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width() - 8.0);
            ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
            ui.horizontal_wrapped(|ui| {
                for mark in ChangeKind::ALL {
                    if let Some(count) = layers.counts.get(&mark) {
                        count_ui(ui, cx, mark, *count, against);
                    }
                }
            });
        });
    });
    let by = match layers.paired_by {
        Some(PairedBy::Content) => "Paired by what they are and where: kind, place, size, words.",
        _ => "Paired by their ids.",
    };
    let loading = if nodes.status == PaneStatus::Loading { " · loading…" } else { "" };
    caption_ui(ui, &format!("{} paired{loading}", count(paired, "node")), by);
}

fn caption_ui(ui: &mut Ui, words: &str, tooltip: &str) {
    caption_row_ui(ui, |ui| {
        ui.add_space(size::GUTTER);
        let words = rich_text(words, Type::Caption, tokens(ui).dim);
        let label = ui.label(words);
        if !tooltip.is_empty() {
            label.on_hover_text(tooltip);
        }
    });
}

/// A count with its icon, as a toggle.
fn count_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    mark: ChangeKind,
    count: usize,
    against: Comparison,
) {
    let word = mark.word(against);
    let words = format!("{count} {word}");
    let on = cx.state.nodes.only_change_kind == Some(mark);
    let tooltip = format!("List only what is {word}; press again for all.");
    let chip = Button::text(&words).with_icon(icons::of_change_kind(mark)).look(Look::Tool);
    let ink = tokens(ui).mark(mark, against);
    let chip = chip.tint(ink).selected(on).tooltip(&tooltip).height(22.0).compact();
    if chip.show(ui).clicked() {
        cx.send(Command::Nodes(NodesCommand::ToggleChangeKind(mark)));
    }
}

/// What is being typed; the state has what was sent.
#[derive(Debug, Default)]
pub(super) struct FilterField {
    text: String,
    has_focus: bool,
}

impl FilterField {
    fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        // The state is the filter; while somebody types, the field is ahead of it.
        if !self.has_focus {
            self.text.clone_from(&cx.state.nodes.filter);
        }
        let tokens = tokens(ui);
        let outline = if self.has_focus { tokens.accent } else { tokens.hairline };
        let width = ui.available_width();
        let frame = egui::Frame::new()
            .stroke(egui::Stroke::new(1.0, outline))
            .corner_radius(size::RADIUS)
            .inner_margin(Margin::symmetric(8, 0));
        let response = frame.show(ui, |ui| {
            ui.set_width(width - 18.0);
            ui.set_height(size::BUTTON - 2.0);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| self.edit_ui(ui, cx));
        });
        // The frame answers to nothing; the field inside it does.
        let _frame: egui::Response = response.response;
    }

    fn edit_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        ui.spacing_mut().item_spacing.x = 6.0;
        let icon = egui::RichText::new(icons::SEARCH).font(Type::IconSmall.font());
        ui.label(icon.color(tokens.dim));
        let edit = TextEdit::singleline(&mut self.text)
            .id(Id::unique("nodes_filter"))
            .frame(egui::Frame::NONE)
            .margin(Margin::ZERO)
            .align(egui::Align2::LEFT_CENTER)
            .min_size(vec2(0.0, 18.0))
            .desired_width(ui.available_width())
            .hint_text(egui::RichText::new("Filter by name").color(tokens.dim));
        let response = ui.add(edit).accessible_name("Filter the nodes");
        // By the focus of the last frame: Escape has taken it away by now.
        let escape = self.has_focus && ui.input(|input| input.key_pressed(Key::Escape));
        self.has_focus = response.has_focus();
        if escape {
            self.text.clear();
        }
        if response.changed() || escape {
            cx.send(Command::Nodes(NodesCommand::SetFilter(self.text.clone())));
        }
    }
}

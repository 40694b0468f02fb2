//! Where the loss is: areas of the heat, each with what lies there and the call that changed it last.

use egui::{Align2, Id, Role, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::parts::quiet_ui;
use crate::metric::MapKind;
use crate::ui::context::ViewContext;
use crate::ui::explore::table_buttons_ui;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{paint_numbers, paint_text, section_header_ui};
use crate::workbench::views::{
    Heat, Loss, PaneStatus, heat, is_history_due, losses, why_no_losses,
};
use crate::workbench::{Command, ExportedTable, InspectorTab, NodesCommand, PlaybackCommand};

/// Height of a row: a name, and below it a call.
const ROW: f32 = 40.0;
/// Where names begin.
const INDENT: f32 = 22.0;

/// Draws the list; nothing where there is no heat.
pub(super) fn losses_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let heat = heat(cx.state);
    let Some(variant) = heat.variant else { return };
    let (title, table, of, none) = if heat.is_saliency() && heat.kind != MapKind::Difference {
        let none = "Nothing is as salient as the heat's threshold.";
        ("Where the saliency is", "where the saliency is", &*variant.variant_label, none)
    } else {
        let none = "Nothing differs by as much as the heat's threshold.";
        ("Where the loss is", "where the loss is", variant.label, none)
    };
    section_header_ui(ui, title, of);
    match losses(cx.state) {
        // Without a map there is either one to come or a reason; both are words and no empty list.
        None if heat.status == PaneStatus::Loading => quiet_ui(ui, "Being compared…"),
        None => quiet_ui(ui, why_no_losses(cx.state).unwrap_or("Being looked for…")),
        Some(losses) if losses.is_empty() => {
            quiet_ui(ui, none);
        }
        Some(losses) => {
            for (at, loss) in losses.iter().enumerate() {
                loss_ui(ui, cx, &heat, at, loss);
            }
            ui.horizontal(|ui| table_buttons_ui(ui, cx, ExportedTable::Losses, table));
        }
    }
}

/// Whether there is a heat to look for losses on: one against a picture beside the run shows none.
pub(super) fn has_heat(cx: &ViewContext<'_>) -> bool {
    let heat = heat(cx.state);
    heat.slot.is_none() && !matches!(heat.status, PaneStatus::Nothing(_) | PaneStatus::Failed(_))
}

fn loss_ui(ui: &mut Ui, cx: &ViewContext<'_>, heat: &Heat<'_>, at: usize, loss: &Loss<'_>) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let id = Id::unique(("loss", at));
    let row = ui.interact(rect, id, Sense::click());
    let (name, aside) = names(loss, heat.kind);
    let share = share_words(loss.share);
    let call = call_words(loss, is_history_due(cx.state));
    let spoken = format!("{share} {}: {name} {aside}. {call}", heat.whole_name());
    let node = loss.node_ref();
    let is_selected = node.is_some() && cx.state.nodes.selected == node;
    row.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &spoken));
    if is_selected || row.hovered() || row.has_focus() {
        let fill = if is_selected { tokens.accent_wash } else { tokens.raised_hover };
        ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), size::RADIUS, fill);
    }
    if row.has_focus() {
        let line = egui::Stroke::new(1.5, tokens.accent);
        let around = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_stroke(around, size::RADIUS, line, StrokeKind::Inside);
    }
    let (upper, lower) = (rect.top() + 13.0, rect.top() + 28.0);
    let kind = loss.node.or(loss.truth).map_or("", |node| node.kind.as_str());
    let icon = if kind.is_empty() { icons::PICTURE } else { icons::of_node_kind(kind) };
    let style = (Type::IconSmall, tokens.dim);
    paint_text(
        ui.painter(),
        pos2(rect.left() + 2.0, upper),
        Align2::LEFT_CENTER,
        icon,
        style,
        20.0,
    );
    let style = (Type::Strong, tokens.text);
    let right = pos2(rect.right(), upper);
    let numbers = paint_numbers(ui.painter(), right, Align2::RIGHT_CENTER, &share, style);
    let left = rect.left() + INDENT;
    let room = numbers.left() - left - 8.0;
    let style = (Type::Body, tokens.text);
    let named =
        paint_text(ui.painter(), pos2(left, upper), Align2::LEFT_CENTER, &name, style, room);
    let is_missing = loss.node.is_none() && heat.kind != MapKind::GroundTruth;
    let style = (Type::Caption, if is_missing { tokens.loss } else { tokens.dim });
    let after = pos2(named.right() + 6.0, upper);
    let rest = numbers.left() - after.x - 8.0;
    if rest > 20.0 {
        paint_text(ui.painter(), after, Align2::LEFT_CENTER, &aside, style, rest);
    }
    let style = (Type::Caption, tokens.dim);
    let room = rect.right() - left;
    paint_text(ui.painter(), pos2(left, lower), Align2::LEFT_CENTER, &call, style, room);
    let tip = "Click to select it everywhere; twice to go to the call that changed it last.";
    let row = row.on_hover_text(tip);
    if row.double_clicked()
        && let Some((step, _)) = loss.call
    {
        cx.send(Command::Playback(PlaybackCommand::JumpTo(step)));
    } else if row.clicked()
        && let Some(node) = node
    {
        cx.send(Command::Nodes(NodesCommand::Select(Some(node))));
        // Here its row lights up; the list of nodes is one key away.
        cx.send(Command::ShowInspector(InspectorTab::Step));
    }
}

/// What lies there, and what is to be said of it.
fn names(loss: &Loss<'_>, kind: MapKind) -> (String, String) {
    match (loss.node, loss.truth) {
        (Some(node), Some(truth)) if node.name == truth.name => (node.name.clone(), String::new()),
        (Some(node), Some(truth)) => (node.name.clone(), format!("for {}", truth.name)),
        (Some(node), None) => (node.name.clone(), String::new()),
        (None, Some(truth)) if kind == MapKind::GroundTruth => (truth.name.clone(), String::new()),
        (None, Some(truth)) => (truth.name.clone(), "missing".to_owned()),
        (None, None) => ("No node".to_owned(), String::new()),
    }
}

fn call_words(loss: &Loss<'_>, is_due: bool) -> String {
    match (&loss.call, loss.node) {
        (Some((step, tool)), _) => format!("last changed by {tool} · step {step}"),
        (None, Some(_)) if is_due => "finding the call that changed it…".to_owned(),
        (None, Some(_)) => "no call is known that changed it".to_owned(),
        (None, None) => {
            let place = loss.place;
            format!("at {:.0} %, {:.0} % of the picture", place.x * 100.0, place.y * 100.0)
        }
    }
}

fn share_words(share: f64) -> String {
    if share < 0.005 { "< 1 %".to_owned() } else { format!("{:.0} %", share * 100.0) }
}

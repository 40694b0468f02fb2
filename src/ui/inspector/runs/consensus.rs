//! What of the ground truth all runs have, and what none has.

use egui::{Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::evaluate::alignment::{ConsensusNode, MissedByAll};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::inspector::parts::{quiet_ui, section_ui};
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    caption_row_ui, elided_label_ui, rich_text, say_picture, section_header_ui,
};
use crate::workbench::views::RunsBeside;
use crate::workbench::{Command, NodeRef, NodeSide, NodesCommand};

/// Height of a bar.
const BAR: f32 = 8.0;
/// Most areas that are listed.
const AREAS: usize = 5;

/// Most nodes that are listed.
const NODES: usize = 60;

/// Draws the part.
pub(super) fn consensus_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &RunsBeside<'_>) {
    ScrollArea::vertical().id_salt("consensus").auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        section_ui(ui, true, |ui| {
            section_header_ui(ui, "At their ends, of the ground truth", "");
            let consensus = match view.consensus {
                Some(Ok(consensus)) => consensus,
                Some(Err(why)) => {
                    quiet_ui(ui, why);
                    return;
                }
                None => {
                    quiet_ui(ui, "Comparing their ends with the ground truth…");
                    return;
                }
            };
            // Each by itself: of runs without documents the pictures still say something.
            match &consensus.areas {
                Ok(missed) => picture_ui(ui, missed),
                Err(why) => quiet_ui(ui, why),
            }
            ui.add_space(6.0);
            match &consensus.nodes {
                Ok(nodes) => nodes_ui(ui, cx, view, nodes),
                Err(why) => quiet_ui(ui, &format!("Nodes: {why}")),
            }
            ui.add_space(8.0);
        });
    });
}

fn picture_ui(ui: &mut Ui, missed: &MissedByAll) {
    let none = (1.0 - missed.had_by_all - missed.had_by_some).max(0.0);
    let shares = [missed.had_by_all, missed.had_by_some, none];
    let percent = shares.map(|share| format!("{:.1} %", share * 100.0));
    let words = format!("Picture: all {}, some {}, none {}", percent[0], percent[1], percent[2]);
    elided_label_ui(ui, &words, Type::Caption, tokens(ui).text);
    shares_ui(ui, "picture", shares, &words);
    let [width, height] = missed.size.map(f64::from);
    for area in missed.areas.iter().take(AREAS) {
        let middle = area.area.center();
        let words = format!(
            "{:.0} % of what none has, at {:.0} %, {:.0} % of the picture",
            area.share * 100.0,
            middle.x / width * 100.0,
            middle.y / height * 100.0,
        );
        elided_label_ui(ui, &words, Type::Caption, tokens(ui).dim);
    }
}

/// Three shares as one bar: what all have, what some have, what none has.
fn shares_ui(ui: &mut Ui, id: &str, shares: [f64; 3], words: &str) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR + 6.0), Sense::hover());
    let bar = Rect::from_center_size(rect.center(), vec2(rect.width(), BAR));
    let inks = [tokens.gain, tokens.warn, tokens.loss];
    let mut left = bar.left();
    for (share, ink) in shares.into_iter().zip(inks) {
        let width = bar.width() * share as f32;
        let part = Rect::from_min_size(pos2(left, bar.top()), vec2(width, BAR));
        ui.painter().rect_filled(part, 2, ink);
        left += width;
    }
    say_picture(ui, egui::Id::unique(("consensus", id)), rect, words);
}

fn nodes_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &RunsBeside<'_>, nodes: &[ConsensusNode]) {
    let runs = view.runs.len();
    let all = nodes.iter().filter(|node| count(node) == runs).count();
    let none = nodes.iter().filter(|node| count(node) == 0).count();
    let some = nodes.len() - all - none;
    let words = format!("Nodes: all {all}, some {some}, none {none} of {}", nodes.len());
    elided_label_ui(ui, &words, Type::Caption, tokens(ui).text);
    let of = nodes.len().max(1) as f64;
    shares_ui(ui, "nodes", [all, some, none].map(|count| count as f64 / of), &words);
    // Those that are missed by most first: what all have needs no list.
    let mut missed: Vec<&ConsensusNode> = nodes.iter().filter(|node| count(node) < runs).collect();
    missed.sort_by_key(|node| count(node));
    for node in missed.iter().take(NODES) {
        node_ui(ui, cx, view, node);
    }
    if missed.len() > NODES {
        quiet_ui(ui, &format!("and {} more", missed.len() - NODES));
    }
}

fn count(node: &ConsensusNode) -> usize {
    node.had_by.iter().filter(|has| **has).count()
}

fn node_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &RunsBeside<'_>, node: &ConsensusNode) {
    let tokens = tokens(ui);
    let have = view.runs.iter().zip(&node.had_by).filter(|(_, has)| **has);
    let have: Vec<&str> = have.map(|(run, _)| run.letter()).collect();
    let who = if have.is_empty() {
        "none has it".to_owned()
    } else {
        format!("only {}", have.join(", "))
    };
    let row = ui.scope(|ui| {
        caption_row_ui(ui, |ui| {
            ui.label(rich_text(icons::of_node_kind(&node.kind), Type::IconSmall, tokens.dim));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let ink = if have.is_empty() { tokens.loss } else { tokens.dim };
                ui.label(rich_text(&who, Type::Caption, ink));
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    elided_label_ui(ui, &node.name, Type::Body, tokens.text);
                });
            });
        });
    });
    // The whole row answers to a click, and not its words alone.
    let rect = row.response.rect;
    let id = egui::Id::unique(("consensus_node", node.id.to_string()));
    let response = ui.interact(rect, id, Sense::click());
    let of_node = NodeRef { side: NodeSide::GroundTruth, id: node.id.clone() };
    let is_selected = cx.state.nodes.selected.as_ref() == Some(&of_node);
    let spoken = format!("{}: {who}", node.name);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &spoken));
    if response.hovered() || is_selected {
        let line = egui::Stroke::new(1.0, tokens.accent);
        let around = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_stroke(around, size::RADIUS, line, egui::StrokeKind::Inside);
    }
    if response.clicked() {
        cx.send(Command::Nodes(NodesCommand::Select(Some(of_node))));
    }
}

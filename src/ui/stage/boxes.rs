//! What is drawn around nodes: boxes by how they stand to the ground truth, and the outlines of the
//! selected node, of the one under the pointer, and of their partners.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::geometry::{Arrangement, PaneBox};
use super::shown::{ShownPanes, is_compared, is_held};
use crate::base::{Rect as CanvasRect, Size};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Tokens, Type, tokens, tokens_on_heat};
use crate::ui::widgets::{paint_text, say, text_width};
use crate::workbench::views::{self, BoxKind};
use crate::workbench::{NodeRef, NodeSide, StagePane};

/// Draws the boxes, if they are wanted.
pub(super) fn boxes_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    arrangement: &Arrangement<StagePane>,
    shown: &ShownPanes<'_>,
) {
    if !cx.state.stage.boxes {
        return;
    }
    // Once for all panes: the boxes of both sides come in one list.
    let (boxes, _) = views::boxes(cx.state);
    for pane in &arrangement.panes {
        let tokens = tokens_on(ui, pane.pane);
        let Some(side) = compared_side(cx, pane.pane) else { continue };
        let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
        for found in boxes.iter().filter(|found| found.side == side) {
            let rect = on_screen(pane, shown, found.screen_box, found.screen);
            // A page may have thousands, of which a zoomed pane shows a few.
            if let Some(rect) = rect.filter(|rect| rect.intersects(pane.visible)) {
                let color = tokens.box_kind(found.kind);
                if found.kind.is_filled() {
                    painter.rect_filled(rect, 0, color.gamma_multiply(0.12));
                }
                paint_outline(&painter, rect, Stroke::new(1.0, color), Color32::TRANSPARENT);
            }
        }
    }
}

/// Draws the outlines of the selected and the pointed-at node, in every pane that shows them.
pub(super) fn outlines_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    arrangement: &Arrangement<StagePane>,
    shown: &ShownPanes<'_>,
    pointed: Option<&NodeRef>,
) {
    let selected = cx.state.nodes.selected.as_ref();
    // The selected one has its own outline; a thinner one in the same colour would only blur it.
    let pointed = pointed.filter(|node| Some(*node) != selected);
    for (node, width) in [(pointed, 1.0), (selected, 2.0)] {
        let Some(node) = node else { continue };
        // Several documents may be open side by side, each with nodes of its own ids.
        if cx.state.has_documents() {
            own_outlines_ui(ui, cx, arrangement, shown, (node, width));
        }
        for found in views::outlined(cx.state, node) {
            for pane in &arrangement.panes {
                // Where it was at the step before is drawn over the run, dashed, since there is no
                // pane of that step.
                if matches!(pane.pane, StagePane::Slot(_)) {
                    // Another run has nodes of its own.
                    continue;
                }
                let shows_run = matches!(pane.pane, StagePane::Run | StagePane::Overlaid);
                let is_before = found.side == NodeSide::Before && shows_run;
                let is_own = !draws_own(cx, pane.pane) && side_of(cx, pane.pane) == found.side;
                if !is_own && !is_before {
                    continue;
                }
                let Some(rect) = on_screen(pane, shown, found.screen_box, found.screen) else {
                    continue;
                };
                let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
                let tokens = tokens_on(ui, pane.pane);
                let stroke = Stroke::new(width, tokens.accent);
                if is_before {
                    paint_dashed(&painter, rect, stroke);
                } else {
                    paint_outline(&painter, rect, stroke, tokens.halo);
                }
            }
        }
    }
}

/// Frames the region of a place that somebody pointed at while labelling, while its step is shown.
pub(super) fn place_ui(ui: &Ui, cx: &ViewContext<'_>, arrangement: &Arrangement<StagePane>) {
    let selection = &cx.state.selection;
    let Some((run, place)) = &cx.state.stage.place else { return };
    let is_here =
        selection.run == Some(*run) && place.step.is_none_or(|step| step == selection.step);
    let canvas = cx.state.selected_run().and_then(|run| run.manifest.canvas_size);
    let (Some([x, y, width, height]), Some(canvas)) = (place.region.filter(|_| is_here), canvas)
    else {
        return;
    };
    for pane in arrangement.panes.iter().filter(|pane| pane.pane == StagePane::Run) {
        let fraction = |x: f64, y: f64| {
            [(x / canvas.width.max(1.0)) as f32, (y / canvas.height.max(1.0)) as f32]
        };
        let corners = [fraction(x, y), fraction(x + width, y + height)];
        let [min, max] = corners.map(|at| pane.screen_from_fraction(at));
        let rect = Rect::from_two_pos(min, max);
        let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
        let tokens = tokens_on(ui, pane.pane);
        paint_outline(&painter, rect, Stroke::new(2.0, tokens.accent), tokens.halo);
        say(ui, "labelled_region", rect.intersect(pane.visible), "Region that somebody showed");
    }
}

/// The colours that show on what a pane shows.
fn tokens_on(ui: &Ui, pane: StagePane) -> &'static Tokens {
    if pane.facts().is_map { tokens_on_heat() } else { tokens(ui) }
}

/// Whether the outlines of a pane go by the nodes of its own picture: where a run has several
/// documents, a pane may show another one than is listed.
fn draws_own(cx: &ViewContext<'_>, pane: StagePane) -> bool {
    let shows_document = matches!(pane, StagePane::Run | StagePane::Program(_));
    cx.state.has_documents() && shows_document && !is_held(cx, pane)
}

/// The outline of a node of the run in the panes whose picture has it.
fn own_outlines_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    arrangement: &Arrangement<StagePane>,
    shown: &ShownPanes<'_>,
    (node, width): (&NodeRef, f32),
) {
    if node.side != NodeSide::Canvas {
        return;
    }
    for pane in arrangement.panes.iter().filter(|pane| draws_own(cx, pane.pane)) {
        let Some(picture) = shown.pane(pane.pane).picture else { continue };
        let found = picture.nodes.iter().find(|known| known.id == node.id.as_str());
        let Some(found) = found else { continue };
        let pixels = [picture.pixels.width(), picture.pixels.height()];
        let rect = pane.screen_from_pixels(found.pixel_box, pixels);
        let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
        let tokens = tokens(ui);
        paint_outline(&painter, rect, Stroke::new(width, tokens.accent), tokens.halo);
    }
}

/// Whose boxes are drawn over a pane: none over a document that is not compared.
fn compared_side(cx: &ViewContext<'_>, pane: StagePane) -> Option<NodeSide> {
    (is_held(cx, pane) || is_compared(cx, pane)).then(|| side_of(cx, pane))
}

/// Whose nodes lie in a pane.
fn side_of(cx: &ViewContext<'_>, pane: StagePane) -> NodeSide {
    if is_held(cx, pane) { NodeSide::GroundTruth } else { views::side_in(cx.state, pane) }
}

/// Where a box lies that is given in units of a screen, which the picture shows from edge to edge.
fn on_screen(
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
    screen_box: CanvasRect,
    screen: Size,
) -> Option<Rect> {
    let pixels = shown.pixels(pane.pane)?;
    // By the width alone: the picture shows a screen from edge to edge, and may be higher than the
    // screen says.
    let scale = f64::from(pixels[0]) / screen.width.max(1.0);
    let CanvasRect { x, y, width, height } = screen_box;
    let pixel_box = CanvasRect::new(x * scale, y * scale, width * scale, height * scale);
    Some(pane.screen_from_pixels(pixel_box, pixels))
}

fn paint_outline(painter: &Painter, rect: Rect, stroke: Stroke, halo: Color32) {
    // Under the line, so that the accent is seen on a picture that has its colour.
    if halo != Color32::TRANSPARENT {
        let around = Stroke::new(stroke.width + 1.5, halo);
        painter.rect_stroke(rect, 1, around, StrokeKind::Middle);
    }
    painter.rect_stroke(rect, 1, stroke, StrokeKind::Middle);
}

fn paint_dashed(painter: &Painter, rect: Rect, stroke: Stroke) {
    let corners: [Pos2; 5] = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    painter.extend(Shape::dashed_line(&corners, stroke, 4.0, 3.0));
}

/// Draws the legend: the colours, and how many nodes there are of each.
pub(super) fn legend_ui(ui: &Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let area = ui.available_rect_before_wrap();
    let (_, counts) = views::boxes(cx.state);
    if views::compared_layers(cx.state).is_none() {
        let why = cx.state.compared_slot().and_then(|slot| cx.state.why_no_document(&slot));
        let words = why.or_else(|| cx.state.why_no_truth_document()).unwrap_or("Boxes loading…");
        let style = (Type::Caption, tokens.dim);
        let center = Align2::CENTER_CENTER;
        paint_text(ui.painter(), area.center(), center, words, style, area.width() - 24.0);
        say(ui, "boxes_legend", area, words);
        return;
    }
    let entries = BoxKind::ALL.map(|kind| {
        let count = counts.get(&kind).copied().unwrap_or(0);
        (kind, format!("{} {count}", kind.label()))
    });
    let widths = entries.each_ref().map(|(_, words)| text_width(ui, words, Type::Caption) + 34.0);
    // In the middle while there is room, then from the left edge.
    let mut x = (area.center().x - widths.iter().sum::<f32>() * 0.5).max(area.left() + 12.0);
    let y = area.center().y - 2.0;
    for ((kind, words), width) in entries.iter().zip(widths) {
        let color = tokens.box_kind(*kind);
        let key = Rect::from_min_size(pos2(x, y - 5.0), vec2(10.0, 10.0));
        if kind.is_filled() {
            ui.painter().rect_filled(key, 1, color.gamma_multiply(0.25));
        }
        ui.painter().rect_stroke(key, 1, Stroke::new(1.5, color), StrokeKind::Inside);
        let style = (Type::Caption, tokens.dim);
        let at = pos2(x + 16.0, y);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, words, style, width);
        x += width;
    }
    let words: Vec<&str> = entries.iter().map(|(_, words)| words.as_str()).collect();
    say(ui, "boxes_legend", area, &words.join(", "));
}

//! What would come of the assistant's step, over the picture: outlines, names with their signs, and the numbers that
//! stand in its words. Nothing of it is in the design, and nothing of it can be selected.

use egui::{Painter, Pos2, Rect, Shape, Stroke, Ui, vec2};

use super::overlay::corners_of;
use super::view::CanvasView;
use crate::base::Point;
use crate::design::NodeId;
use crate::ui::ghost::{ghost_sign, paint_disc, paint_ghost, paint_ghost_tag};
use crate::ui::theme::tokens;
use crate::ui::widgets::say;
use crate::workbench::{AssistDesk, HelpLevel};

/// Most nodes that are named; all are outlined.
const MOST_TAGS: usize = 12;

/// Paints it.
pub(super) fn paint(ui: &Ui, painter: &Painter, desk: &AssistDesk, view: CanvasView) {
    let assistant = &desk.assistant;
    let Some(offer) = assistant.offer.as_ref().filter(|_| !assistant.is_hidden) else { return };
    let visible = painter.clip_rect();
    let mut tags = 0;
    for (at, outline) in assistant.ghost().iter().enumerate() {
        let [before, after] = [outline.before, outline.after].map(|it| on_screen(view, it));
        paint_ghost(ui, painter, outline.change, before, after);
        let Some(corners) = after.or(before) else { continue };
        // What comes with a node that is put in is named by that.
        let is_named = offer
            .hunks
            .iter()
            .any(|hunk| hunk.change == outline.change && hunk.name == outline.name);
        if !is_named || tags == MOST_TAGS {
            continue;
        }
        tags += 1;
        let words = format!("{} {}", ghost_sign(outline.change), outline.name);
        let around = Rect::from_points(&corners);
        let named = (outline.change, words.as_str());
        let tag = paint_ghost_tag(ui, painter, named, around, visible);
        say(ui, ("assist_ghost", at), tag, &words);
    }
    for (at, node) in assistant.discs().iter().enumerate() {
        let Some(corners) = place_of(desk, node, view) else { continue };
        let around = Rect::from_points(&corners);
        if offer.level < HelpLevel::Ghost {
            // Where it is, without what would come of it.
            painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(4.0, tokens(ui).halo)));
            painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(2.0, tokens(ui).warn)));
        }
        let center = around.left_center() - vec2(14.0, 0.0);
        paint_disc(ui, painter, center, at + 1);
        let name = desk.editor.shown().get(node).map(|node| node.name.as_str());
        let words = format!("{}: {}", at + 1, name.unwrap_or("to be added"));
        say(ui, ("assist_disc", at), Rect::from_center_size(center, vec2(16.0, 16.0)), &words);
    }
}

/// Where a node is on the screen, or would be.
fn place_of(desk: &AssistDesk, node: &NodeId, view: CanvasView) -> Option<[Pos2; 4]> {
    if let Some(corners) = corners_of(desk.editor.shown(), node) {
        return on_screen(view, Some(corners));
    }
    // What is to be put in is nowhere yet; told where it would be only with the rest of the picture.
    let offer = desk.assistant.offer.as_ref()?;
    let hunk = offer.hunks.iter().find(|hunk| hunk.value.node == *node)?;
    let mut outlines = desk.assistant.ghost().iter();
    let outline = outlines.find(|it| it.change == hunk.change && it.name == hunk.name)?;
    on_screen(view, outline.after.or(outline.before))
}

fn on_screen(view: CanvasView, corners: Option<[Point; 4]>) -> Option<[Pos2; 4]> {
    corners.map(|corners| corners.map(|corner| view.to_screen(corner)))
}

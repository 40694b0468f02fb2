//! What would come of the assistant's step, over the picture: outlines, names with their signs, and the numbers that
//! stand in its words. Nothing of it is in the design, and nothing of it can be selected.

use std::sync::Arc;

use egui::{Painter, Pos2, Rect, Shape, Stroke, TextureHandle, TextureOptions, Ui, pos2, vec2};

use super::overlay::corners_of;
use super::view::CanvasView;
use crate::agent::assistant::GhostChange;
use crate::base::Point;
use crate::design::NodeId;
use crate::ui::context::ViewContext;
use crate::ui::ghost::{ghost_sign, paint_disc, paint_ghost, paint_ghost_tag};
use crate::ui::theme::{picture_tint, tokens};
use crate::ui::widgets::{color_image, say};
use crate::workbench::{AssistDesk, AssistGhostKey, GhostPicture, HelpLevel};

/// Most nodes that are named; all are outlined.
const MOST_TAGS: usize = 12;
/// How opaque what would be there is.
const OPACITY: f32 = 0.6;

/// What would come of the step, drawn.
#[derive(Default)]
pub(super) struct GhostLayer {
    shown: Option<(AssistGhostKey, Arc<GhostPicture>, TextureHandle)>,
}

impl std::fmt::Debug for GhostLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.shown.as_ref().map(|(key, ..)| key);
        f.debug_struct("GhostLayer").field("shown", &key).finish()
    }
}

impl GhostLayer {
    /// Paints it.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
    ) {
        let assistant = &desk.assistant;
        let Some(offer) = assistant
            .offer
            .as_ref()
            .filter(|_| !assistant.is_hidden && desk.other_page().is_none())
        else {
            self.shown = None;
            return;
        };
        self.take(painter, cx, desk);
        let visible = painter.clip_rect();
        let mut named: Vec<Rect> = Vec::new();
        for (at, outline) in assistant.ghost().iter().enumerate() {
            let [before, after] = [outline.before, outline.after].map(|it| on_screen(view, it));
            // What comes with a node that is put in is drawn and named by that.
            let is_named = offer
                .hunks
                .iter()
                .any(|hunk| hunk.change == outline.change && hunk.name == outline.name);
            let around = after.or(before).map(|corners| Rect::from_points(&corners));
            let around = around.filter(|_| is_named);
            if let Some(around) = around.filter(|_| outline.change != GhostChange::Removed)
                && !named.iter().any(|known| known.contains_rect(around))
            {
                self.paint_look(painter, around, view);
            }
            paint_ghost(ui, painter, outline.change, before, after);
            let Some(around) = around.filter(|_| named.len() < MOST_TAGS) else { continue };
            named.push(around);
            let words = format!("{} {}", ghost_sign(outline.change), outline.name);
            let tag = paint_ghost_tag(ui, painter, (outline.change, &words), around, visible);
            say(ui, ("assist_ghost", at), tag, &words);
        }
        discs_ui(ui, painter, desk, (offer.level, view));
    }

    /// Takes the picture, once it is there.
    fn take(&mut self, painter: &Painter, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let Some(key) = desk.ghost_key() else {
            self.shown = None;
            return;
        };
        if self.shown.as_ref().is_some_and(|(of, ..)| *of == key) {
            return;
        }
        // What is not so any more is not shown while the new one is made.
        self.shown = None;
        let Some(picture) = cx.state.derived.assist_ghosts.ready(&key) else { return };
        let image = color_image(&picture.0.pixels);
        let texture = painter.ctx().load_texture("ghost", image, TextureOptions::LINEAR);
        self.shown = Some((key, Arc::clone(picture), texture));
    }

    /// Paints how a part of the page would look, so that what is there shines through.
    fn paint_look(&self, painter: &Painter, part: Rect, view: CanvasView) {
        let Some((_, picture, texture)) = &self.shown else { return };
        let painter = painter.with_clip_rect(part.intersect(painter.clip_rect()));
        let place = view.rect_to_screen(picture.0.area);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), place, whole, picture_tint(OPACITY));
    }
}

/// The numbers that stand in the words, beside the layers they mean.
fn discs_ui(ui: &Ui, painter: &Painter, desk: &AssistDesk, (level, view): (HelpLevel, CanvasView)) {
    for (at, node) in desk.assistant.discs().iter().enumerate() {
        let Some(corners) = place_of(desk, node, view) else { continue };
        let around = Rect::from_points(&corners);
        if level < HelpLevel::Ghost {
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

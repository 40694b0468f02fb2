//! What would come of the assistant's step, over the picture: outlines, names with their signs, and the numbers that
//! stand in its words. Nothing of it is in the design, and nothing of it can be selected.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{
    Key, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, pos2,
    vec2,
};

use super::overlay::corners_of;
use super::view::CanvasView;
use crate::agent::assistant::GhostChange;
use crate::base::Point;
use crate::design::NodeId;
use crate::ui::context::ViewContext;
use crate::ui::ghost::{ghost_color, ghost_sign, paint_disc, paint_ghost, paint_ghost_tag};
use crate::ui::theme::{picture_tint, size, tokens};
use crate::ui::widgets::{color_image, say};
use crate::workbench::{
    AssistDesk, AssistGhostKey, GhostOutline, GhostPicture, HelpLevel, Offer, OfferedHunk,
};

/// Most nodes that are named, but for the one that is pointed at; all are outlined.
const MOST_TAGS: usize = 12;
/// How opaque what would be there is.
const OPACITY: f32 = 0.6;

/// What would come of the step, drawn.
#[derive(Default)]
pub(super) struct GhostLayer {
    shown: Option<(AssistGhostKey, Arc<GhostPicture>, TextureHandle)>,
    /// The node whose tag is under the pointer.
    pointed: Option<NodeId>,
}

impl std::fmt::Debug for GhostLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.shown.as_ref().map(|(key, ..)| key);
        let mut shown = f.debug_struct("GhostLayer");
        shown.field("shown", &key).field("pointed", &self.pointed).finish()
    }
}

impl GhostLayer {
    /// The node whose tag is under the pointer.
    pub(super) fn pointed(&self) -> Option<&NodeId> {
        self.pointed.as_ref()
    }

    /// Paints it, but for as long as the design is looked at without it. `pointed`: the node of the change that is
    /// pointed at in the list.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
        pointed: Option<&NodeId>,
    ) {
        let pointed = self.pointed.take().or_else(|| pointed.cloned());
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
        if is_held_back(ui, cx) {
            return;
        }
        let ticked = ticked_hunks(offer);
        let nodes: BTreeSet<&NodeId> = ticked.iter().map(|hunk| &hunk.value.node).collect();
        let visible = painter.clip_rect();
        let (mut named, mut tags): (Vec<Rect>, Vec<Rect>) = (Vec::new(), Vec::new());
        for (at, outline) in assistant.ghost().iter().enumerate() {
            let [before, after] = [outline.before, outline.after].map(|it| on_screen(view, it));
            // What comes with a node that is put in is drawn and named by that.
            let around = after.or(before).map(|corners| Rect::from_points(&corners));
            let around = around.filter(|_| nodes.contains(&outline.node));
            if let Some(around) = around.filter(|_| outline.change != GhostChange::Removed)
                && !named.iter().any(|known| known.contains_rect(around))
            {
                self.paint_look(painter, around, view);
            }
            paint_ghost(ui, painter, outline.change, before, after);
            let is_pointed = pointed.as_ref() == Some(&outline.node);
            let Some(around) = around.filter(|_| is_pointed || named.len() < MOST_TAGS) else {
                continue;
            };
            named.push(around);
            let words = tag_words(outline, &ticked);
            let named_as = (outline.change, &*words);
            let tag = paint_ghost_tag(ui, painter, named_as, around, (visible, &tags));
            tags.push(tag);
            if is_pointed {
                let ring = Stroke::new(2.0, ghost_color(ui, outline.change));
                painter.rect_stroke(tag, size::RADIUS_SMALL, ring, StrokeKind::Outside);
                if let Some(corners) = after.or(before) {
                    painter.add(Shape::closed_line(corners.to_vec(), ring));
                }
            }
            if say(ui, ("assist_ghost", at), tag, &words).contains_pointer() {
                self.pointed = Some(outline.node.clone());
            }
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

/// Whether the design is looked at as it is, as long as the key for that is down.
fn is_held_back(ui: &Ui, cx: &ViewContext<'_>) -> bool {
    let is_free = cx.state.overlay.is_none() && !ui.ctx().text_edit_focused();
    is_free && ui.input(|input| input.key_down(Key::B) && input.modifiers.is_none())
}

/// The hunks that what is drawn comes of.
fn ticked_hunks(offer: &Offer) -> Vec<&OfferedHunk> {
    offer.ticked_fitting().into_iter().filter_map(|at| offer.hunks.get(at)).collect()
}

/// The sign, the name, and of what is changed the values before and after.
fn tag_words(outline: &GhostOutline, hunks: &[&OfferedHunk]) -> String {
    let mut words = format!("{} {}", ghost_sign(outline.change), outline.name);
    let own = hunks.iter().filter(|hunk| hunk.value.node == outline.node);
    let changed = own.filter(|hunk| hunk.change == GhostChange::Changed).map(|hunk| &hunk.value);
    // Of an order there are no values.
    let values = changed.filter(|value| !value.from.is_empty() || !value.to.is_empty());
    let values: Vec<String> =
        values.map(|value| format!("{} → {}", value.from, value.to)).collect();
    if !values.is_empty() {
        words.push_str("  ");
        words.push_str(&values.join("; "));
    }
    words
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
    let outline = outlines.find(|it| it.node == hunk.value.node)?;
    on_screen(view, outline.after.or(outline.before))
}

fn on_screen(view: CanvasView, corners: Option<[Point; 4]>) -> Option<[Pos2; 4]> {
    corners.map(|corners| corners.map(|corner| view.to_screen(corner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::assistant::HunkValue;
    use crate::design::hunk::Field;

    #[test]
    fn a_tag_says_the_values_of_its_own_node_alone() {
        let outline = |node: &str, change| GhostOutline {
            node: node.into(),
            change,
            name: format!("tile {node}"),
            before: None,
            after: None,
        };
        let hunk = |node: &str, field: Field, [from, to]: [&str; 2]| OfferedHunk {
            change: GhostChange::Changed,
            name: format!("tile {node}"),
            value: HunkValue {
                marks: None,
                with: Vec::new(),
                node: node.into(),
                field: field.into(),
                from: from.to_owned(),
                to: to.to_owned(),
            },
        };
        let hunks = [
            hunk("1:1", Field::Size, ["24 × 24", "32 × 32"]),
            hunk("1:2", Field::Rotation, ["0°", "90°"]),
            hunk("1:1", Field::Place, ["0, 0", "8, 8"]),
            hunk("1:3", Field::Order, ["", ""]),
        ];
        let changed =
            |node: &str| tag_words(&outline(node, GhostChange::Changed), &hunks.each_ref());
        assert_eq!(changed("1:1"), "~ tile 1:1  24 × 24 → 32 × 32; 0, 0 → 8, 8");
        assert_eq!(changed("1:2"), "~ tile 1:2  0° → 90°");
        assert_eq!(changed("1:3"), "~ tile 1:3");
        let added = OfferedHunk { change: GhostChange::Added, ..hunks[0].clone() };
        assert_eq!(tag_words(&outline("1:1", GhostChange::Added), &[&added]), "+ tile 1:1");
    }
}

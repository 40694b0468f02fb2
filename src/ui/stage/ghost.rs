//! What the assistant would do next, outlined over the design that it is about: nothing of it is in the picture.

use egui::{Rect, Ui};

use super::geometry::{Arrangement, PaneBox};
use super::page_view::PageView;
use crate::base::Point;
use crate::ui::context::ViewContext;
use crate::ui::ghost::{ghost_sign, paint_ghost, paint_ghost_tag};
use crate::ui::widgets::say;
use crate::workbench::{GhostOutline, StagePane, views};

/// Most nodes that are named; all are outlined.
const MOST_TAGS: usize = 12;

/// Draws the outlines over the pane that shows the end of the branch.
pub(super) fn ghost_ui(ui: &Ui, cx: &ViewContext<'_>, arrangement: &Arrangement<StagePane>) {
    let Some(step) = views::ghost_step(cx.state) else { return };
    let is_branch = views::is_branch_edited(cx.state);
    let own = if is_branch { StagePane::Branch } else { StagePane::Run };
    for pane in arrangement.panes.iter().filter(|pane| pane.pane == own) {
        let view = PageView::of(pane, step.screen);
        for (at, outline) in step.ghost.iter().enumerate() {
            outline_ui(ui, pane, view, outline);
            if at < MOST_TAGS {
                tag_ui(ui, pane, view, (at, outline));
            }
        }
    }
}

fn outline_ui(ui: &Ui, pane: &PaneBox<StagePane>, view: PageView, outline: &GhostOutline) {
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let [before, after] =
        [outline.before, outline.after].map(|corners| corners.map(|it| on_screen(view, it)));
    paint_ghost(ui, &painter, outline.change, before, after);
}

/// The sign and the name, above the outline.
fn tag_ui(
    ui: &Ui,
    pane: &PaneBox<StagePane>,
    view: PageView,
    (at, outline): (usize, &GhostOutline),
) {
    let Some(corners) = outline.after.or(outline.before) else { return };
    let words = format!("{} {}", ghost_sign(outline.change), outline.name);
    let around = Rect::from_points(&on_screen(view, corners));
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let named = (outline.change, words.as_str());
    let tag = paint_ghost_tag(ui, &painter, named, around, (pane.visible, &[]));
    say(ui, ("ghost", pane.pane, at), tag, &words);
}

fn on_screen(view: PageView, corners: [Point; 4]) -> [egui::Pos2; 4] {
    corners.map(|corner| view.screen_from_page(corner))
}

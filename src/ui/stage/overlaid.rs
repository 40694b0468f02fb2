//! The run and what it is compared with, over one another: swipe, onion skin, difference, blink.

use egui::{Align2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::compositing::{Room, Shades};
use super::drawing::Drawing;
use super::geometry::{self, PaneBox};
use super::picture::picture_ui;
use super::shown::{ShownPanes, name_of};
use crate::base::Palette;
use crate::metric::ScalarMap;
use crate::raster::overlay::Overlay;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, picture_tint, tokens};
use crate::ui::widgets::{paint_text, say_picture, text_width};
use crate::workbench::{
    Command, FAINTEST_PIXEL_DIFFERENCE, Fetched, MapKey, PIXEL_DIFFERENCE_SCALE, StageCommand,
    StagePane, StageView,
};

/// Seconds that each picture is seen while they blink.
const BLINK: f64 = 0.7;
/// The draw of a frame that this is, beside those of the heat.
const NUMBER: u64 = 1000;
/// What the map of pixels that differ is kept under, among those of variants.
const PIXELS: &str = "pixels";

/// Draws both.
pub(super) fn overlaid_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
) {
    let against = shown.pane(shown.against);
    let (Some(run), Some(other)) = (shown.run.picture, against.picture) else {
        // One of them is on its way: what there is stays in its place.
        let there = if shown.run.picture.is_some() { &shown.run } else { against };
        picture_ui(ui, &mut drawing.textures, pane, there, 0.0);
        return;
    };
    // The held key shows the other picture, whatever else is shown of both.
    if !cx.state.stage.hold_ground_truth
        && let Some(key) = cx.state.pixel_difference_key()
        && let Some(Fetched::Ready(found)) = cx.state.derived.pixel_differences.get(&key)
    {
        tolerant_ui(ui, cx, drawing, pane, shown, &found.map);
        return;
    }
    let at = edge(cx, pane);
    let scale = ui.pixels_per_point();
    let stage = &cx.state.stage;
    let how = match stage.view {
        _ if stage.hold_ground_truth => Overlay::Mix(1.0),
        // On whole pixels, so that both machines part them at the same.
        StageView::Swipe if stage.swipe_down => Overlay::SwipeDown((at.y * scale).round()),
        StageView::Swipe => Overlay::Swipe((at.x * scale).round()),
        StageView::OnionSkin => Overlay::Mix(stage.onion),
        StageView::Difference => Overlay::Difference(stage.gain),
        StageView::Blink => Overlay::Mix(blink(ui)),
        StageView::SideBySide => Overlay::Mix(0.0),
    };
    let size = [other.pixels.width() as f32, other.pixels.height() as f32];
    let second = geometry::as_wide_as(vec2(pane.picture.width(), 0.0), size.into());
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let number = drawing.first_draw + NUMBER;
    let room = Room { number, visible: painter.clip_rect(), picture: pane.picture };
    let ground = match how {
        // In both themes as it is saved and counted: what is clear differs from white by nothing.
        Overlay::Difference(_) => picture_tint(1.0),
        Overlay::Swipe(_) | Overlay::SwipeDown(_) | Overlay::Mix(_) => tokens(ui).panel,
    };
    drawing.compositing.overlay_ui(&painter, room, ([run, other], second), how, ground);
    let name = format!("{} of the run and {}", stage.view.name(), name_of(cx, shown.against));
    say_picture(ui, ui.make_persistent_id("stage_overlaid"), pane.visible, &name);
    match how {
        Overlay::Swipe(_) | Overlay::SwipeDown(_) => edge_ui(ui, cx, pane, shown, at),
        // Else nobody could tell which of the two is seen.
        Overlay::Mix(share) if matches!(stage.view, StageView::Blink) || share >= 1.0 => {
            let name = if share < 0.5 { run_name(cx) } else { name_of(cx, shown.against) };
            chip_ui(ui, pane.visible.left_top() + vec2(8.0, 8.0), Align2::LEFT_TOP, &name);
        }
        Overlay::Mix(_) | Overlay::Difference(_) => {}
    }
}

/// Draws which pixels differ, with what is let pass and left out; until that is known, the channels are told apart.
fn tolerant_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
    map: &ScalarMap,
) {
    let Some(run) = cx.state.selection.run else { return };
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.rect_filled(pane.visible, 0, tokens(ui).heat_ground);
    let height = pane.picture.width() * map.height as f32 / (map.width as f32).max(1.0);
    let picture = Rect::from_min_size(pane.picture.min, vec2(pane.picture.width(), height));
    let number = drawing.first_draw + NUMBER;
    let room = Room { number, visible: painter.clip_rect(), picture };
    let step = cx.state.selection.step;
    let key = MapKey::of(run, step, PIXELS);
    let palette = Palette::Sequential(cx.state.settings.heat_colors);
    let shades = Shades { threshold: FAINTEST_PIXEL_DIFFERENCE, opacity: 1.0, palette };
    drawing.compositing.heat_ui(&painter, room, (&key, map, PIXEL_DIFFERENCE_SCALE), shades);
    let name = format!("Pixels of the run that differ from {}", name_of(cx, shown.against));
    say_picture(ui, ui.make_persistent_id("stage_overlaid"), pane.visible, &name);
}

/// The mouse leads the edge: it lies where the pointer is.
pub(super) fn lead(
    ui: &Ui,
    cx: &ViewContext<'_>,
    pane: &PaneBox<StagePane>,
    response: &egui::Response,
) {
    let stage = &cx.state.stage;
    let is_led = stage.view == StageView::Swipe && pane.pane == StagePane::Overlaid;
    // While a button is down the pictures are moved; what lies over the window takes the pointer.
    let moves =
        ui.input(|input| !input.pointer.any_down() && input.pointer.delta() != egui::Vec2::ZERO);
    let pointer = response.hover_pos().filter(|_| moves && cx.state.overlay.is_none());
    let Some(pos) = pointer.filter(|pos| is_led && pane.visible.contains(*pos)) else { return };
    let [x, y] = pane.fraction_at(pos);
    let share = if stage.swipe_down { y } else { x };
    if (share - stage.swipe).abs() > 1e-4 {
        cx.send(Command::Stage(StageCommand::Swipe(share)));
    }
}

/// Where the edge lies: in the picture, but within what is seen of it.
fn edge(cx: &ViewContext<'_>, pane: &PaneBox<StagePane>) -> egui::Pos2 {
    let share = cx.state.stage.swipe;
    pane.screen_from_fraction([share, share]).clamp(pane.visible.min, pane.visible.max)
}

fn edge_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
    at: egui::Pos2,
) {
    let tokens = tokens(ui);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let down = cx.state.stage.swipe_down;
    for (width, color) in [(3.0, tokens.halo), (1.0, tokens.handle)] {
        let stroke = Stroke::new(width, color);
        if down {
            painter.hline(pane.visible.x_range(), at.y, stroke);
        } else {
            painter.vline(at.x, pane.visible.y_range(), stroke);
        }
    }
    let middle = pane.visible.center();
    let (center, size) = if down {
        (pos2(middle.x, at.y), vec2(28.0, 6.0))
    } else {
        (pos2(at.x, middle.y), vec2(6.0, 28.0))
    };
    let grip = Rect::from_center_size(center, size);
    painter.rect(grip, 3, tokens.handle, Stroke::new(1.0, tokens.halo), StrokeKind::Outside);
    let (run, other) = (run_name(cx), name_of(cx, shown.against));
    let corner = pane.visible.shrink(8.0);
    chip_ui(ui, corner.left_top(), Align2::LEFT_TOP, &run);
    if down {
        chip_ui(ui, corner.left_bottom(), Align2::LEFT_BOTTOM, &other);
    } else {
        chip_ui(ui, corner.right_top(), Align2::RIGHT_TOP, &other);
    }
}

/// A name on a picture of any colour.
fn chip_ui(ui: &Ui, at: egui::Pos2, align: Align2, words: &str) {
    let tokens = tokens(ui);
    let width = text_width(ui, words, Type::Caption).min(160.0) + 12.0;
    let rect = align.anchor_size(at, vec2(width, 18.0));
    ui.painter().rect(rect, 4, tokens.overlay, tokens.line(), StrokeKind::Inside);
    let style = (Type::Caption, tokens.text);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, words, style, width - 8.0);
}

fn run_name(cx: &ViewContext<'_>) -> String {
    cx.state.selected_run().map_or_else(String::new, |run| run.manifest.agent.name.clone())
}

/// Which of the two is seen now: 0 the run, 1 the other.
fn blink(ui: &Ui) -> f32 {
    let time = ui.input(|input| input.time);
    let phase = (time / BLINK).floor();
    let left = (phase + 1.0) * BLINK - time;
    ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left.max(0.01)));
    if phase % 2.0 < 1.0 { 0.0 } else { 1.0 }
}

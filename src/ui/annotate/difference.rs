//! The heat of a difference, over the picture of a run.

use egui::{Rect, Ui, vec2};

use crate::base::Palette;
use crate::ui::context::ViewContext;
use crate::ui::stage::geometry::PaneBox;
use crate::ui::stage::{Drawing, Room, Shades};
use crate::ui::widgets::say;
use crate::workbench::views::{self, EvidenceShown};
use crate::workbench::{EvidencePane, Fetched, MapKey};

/// As a share of the largest difference there is: about three times the least that people see.
const THRESHOLD: f32 = 0.025;
/// The picture below is still seen.
const OPACITY: f32 = 0.85;

/// Draws it where it is shown, as far as it lies within `clip`; what is the same stays clear.
pub(super) fn difference_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    (pane, clip): (&PaneBox<EvidencePane>, Rect),
    shown: &EvidenceShown<'_>,
) {
    if !views::shows_difference(cx.state) {
        return;
    }
    let Some(key) = shown.difference_key() else { return };
    let words = match cx.state.derived.differences.get(&key) {
        Some(Fetched::Ready(map)) => {
            let (variant, scale) = views::difference_scale();
            let map_key = MapKey::of(key.run, key.step, variant);
            // By the map's own shape, which need not be that of the picture below it.
            let height = pane.picture.width() * map.height as f32 / (map.width as f32).max(1.0);
            let picture = Rect::from_min_size(pane.picture.min, vec2(pane.picture.width(), height));
            let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
            let room = Room { number: number(shown.pane), visible: painter.clip_rect(), picture };
            let palette = Palette::Sequential(cx.state.settings.heat_colors);
            let shades = Shades { threshold: THRESHOLD, opacity: OPACITY, palette };
            drawing.compositing.heat_ui(&painter, room, (&map_key, map, scale), shades);
            format!("Difference of {} from the ground truth", shown.title)
        }
        Some(Fetched::Failed(why)) => {
            let why = views::evidence_failure(cx.state, why);
            format!("No difference of {}: {why}", shown.title)
        }
        Some(Fetched::Pending) | None => format!("Difference of {} being compared", shown.title),
    };
    say(ui, ("evidence_difference", shown.title), clip, &words);
}

/// Which draw of a frame it is.
fn number(pane: EvidencePane) -> u64 {
    match pane {
        EvidencePane::Truth => 0,
        // No difference lies over a candidate; a number of its own costs nothing.
        EvidencePane::Run(at) | EvidencePane::Candidate(at) => 1 + u64::from(at),
    }
}

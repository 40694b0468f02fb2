//! The heat of a difference, over the picture of a run.

use egui::{Rect, Ui, pos2};

use crate::ui::context::ViewContext;
use crate::ui::stage::Textures;
use crate::ui::stage::geometry::PaneBox;
use crate::ui::theme::picture_tint;
use crate::ui::widgets::say;
use crate::workbench::views::{self, EvidenceShown};
use crate::workbench::{EvidencePane, Fetched, MapKey};

const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };
/// As a share of the largest difference there is: about three times the least that people see.
const THRESHOLD: f32 = 0.025;
/// The picture below is still seen.
const OPACITY: f32 = 0.85;

/// Draws it where it is shown; what is the same stays clear.
pub(super) fn difference_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    pane: &PaneBox<EvidencePane>,
    shown: &EvidenceShown<'_>,
) {
    if !views::shows_difference(cx.state) {
        return;
    }
    let Some(key) = shown.difference_key() else { return };
    let words = match cx.state.derived.differences.get(&key) {
        Some(Fetched::Ready(map)) => {
            let (variant, scale) = views::difference_scale();
            let texture_key = MapKey { run: key.run, step: key.step, variant };
            let per_pixel =
                pane.picture.width() * ui.pixels_per_point() / (map.width as f32).max(1.0);
            let drawn = (&**map, scale);
            let texture = textures.heat(ui.ctx(), &texture_key, drawn, THRESHOLD, per_pixel);
            let height = pane.picture.width() * map.height as f32 / (map.width as f32).max(1.0);
            let rect =
                Rect::from_min_size(pane.picture.min, egui::vec2(pane.picture.width(), height));
            let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
            painter.image(texture, rect, WHOLE, picture_tint(OPACITY));
            format!("Difference of {} from the ground truth", shown.title)
        }
        Some(Fetched::Failed(why)) => format!("No difference of {}: {why}", shown.title),
        Some(Fetched::Pending) | None => format!("Difference of {} being compared", shown.title),
    };
    say(ui, ("evidence_difference", shown.title), pane.visible, &words);
}

//! What each step changed by the chosen metric: a bar up for the better, down for the worse.

use egui::{Id, Rect, Stroke, Ui, pos2};

use super::axis::TimelineAxis;
use crate::ui::theme::tokens;
use crate::ui::widgets::{change_words, say_picture};
use crate::workbench::views::Timeline;

/// Draws the row.
pub(super) fn changes_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    let tokens = tokens(ui);
    let middle = rect.center().y.round() + 0.5;
    ui.painter().hline(rect.x_range(), middle, Stroke::new(1.0, tokens.hairline));
    let gains = timeline.steps.iter().filter_map(|step| step.gain);
    let most = gains.fold(0.0_f64, |most, gain| most.max(gain.abs()));
    if most <= 0.0 {
        return;
    }
    let [better, worse] = tokens.bars;
    let half = rect.height() * 0.5 - 1.0;
    let width = (axis.column * 0.6).clamp(1.0, 10.0);
    // Of many steps in a point the largest either way is drawn: the others would lie under it.
    let per_bar = (1.0 / axis.column.max(1e-4)).ceil().max(1.0) as usize;
    for steps in timeline.steps.chunks(per_bar) {
        let gains = || steps.iter().filter_map(|step| step.gain);
        let up = gains().fold(0.0_f64, f64::max);
        let down = gains().fold(0.0_f64, f64::min);
        let Some(first) = steps.first() else { continue };
        let x = axis.x_of(first.number);
        for (gain, color) in [(up, better), (down, worse)] {
            // What is too small to be seen is no bar: a line everywhere would say that every step moved it.
            let length = (gain / most) as f32 * half;
            if length.abs() >= 0.5 {
                let left = x - width * 0.5;
                let bar =
                    Rect::from_two_pos(pos2(left, middle), pos2(left + width, middle - length));
                ui.painter().rect_filled(bar, 0, color);
            }
        }
    }
    let (best, worst) = (extreme(timeline, 1.0), extreme(timeline, -1.0));
    let said =
        [("most gained", best), ("most lost", worst)].into_iter().filter_map(|(words, at)| {
            let (step, delta) = at?;
            Some(format!(", {words} at step {step}: {}", change_words(delta)))
        });
    let name = format!("Change at each step{}", said.collect::<String>());
    say_picture(ui, Id::unique("timeline_changes"), rect, &name);
}

/// The step with the largest gain (1) or loss (−1), and what it changed.
fn extreme(timeline: &Timeline<'_>, sign: f64) -> Option<(u32, f64)> {
    let known = timeline.steps.iter().filter_map(|step| Some((step, step.gain? * sign)));
    let (step, _) = known.filter(|(_, size)| *size > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((step.number, step.delta?))
}

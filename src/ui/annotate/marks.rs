//! Places on the pictures: marks, and what shows an answer.

use egui::{Align2, Color32, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};

use crate::label::{Answer, AnswerValue, Place};
use crate::ui::stage::geometry::PaneBox;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::paint_text;
use crate::workbench::EvidencePane;

/// A place with what stands at its corner.
pub(super) struct ShownPlace<'a> {
    pub(super) place: &'a Place,
    pub(super) label: String,
    /// Whether it is the one that keys change, or that is pointed at.
    pub(super) is_strong: bool,
}

/// Every place of an answer: marks by their numbers, places that show an answer by a dot.
pub(super) fn places_of<'a>(
    answer: &'a Answer,
    selected: Option<&(String, usize)>,
) -> Vec<ShownPlace<'a>> {
    let mut shown = Vec::new();
    for (question, value) in &answer.values {
        let AnswerValue::Marks(marks) = value else { continue };
        for (at, mark) in marks.iter().enumerate() {
            let is_strong = selected.is_some_and(|(of, which)| of == question && *which == at);
            shown.push(ShownPlace { place: &mark.place, label: (at + 1).to_string(), is_strong });
        }
    }
    for places in answer.evidence.values() {
        let places = places.iter();
        shown.extend(places.map(|place| ShownPlace {
            place,
            label: "•".to_owned(),
            is_strong: false,
        }));
    }
    shown
}

/// Draws a place in its pane, if it lies in what the pane shows. `canvas`: the size that regions count in.
pub(super) fn place_ui(
    ui: &Ui,
    pane: &PaneBox<EvidencePane>,
    canvas: [f64; 2],
    step: Option<u32>,
    shown: &ShownPlace<'_>,
) {
    let EvidencePane::Run(run) = pane.pane else { return };
    let is_here = shown.place.run.unwrap_or(0) == u32::from(run)
        && (shown.place.step.is_none() || step.is_none() || shown.place.step == step);
    let Some([x, y, width, height]) = shown.place.region.filter(|_| is_here) else { return };
    let at = |x: f64, y: f64| {
        let fraction = [(x / canvas[0].max(1.0)) as f32, (y / canvas[1].max(1.0)) as f32];
        pane.screen_from_fraction(fraction)
    };
    let rect = Rect::from_two_pos(at(x, y), at(x + width, y + height));
    let painter = ui.painter().with_clip_rect(pane.visible.expand(12.0).intersect(ui.clip_rect()));
    region_ui(ui, &painter, rect, shown.is_strong);
    badge_ui(ui, &painter, rect.left_top(), &shown.label, shown.is_strong);
}

/// The outline of a region, dark beside bright, to be seen on anything.
pub(super) fn region_ui(ui: &Ui, painter: &egui::Painter, rect: Rect, is_strong: bool) {
    let tokens = tokens(ui);
    let width = if is_strong { 2.5 } else { 1.5 };
    painter.rect_stroke(rect.expand(1.0), 2, Stroke::new(1.0, tokens.halo), StrokeKind::Outside);
    painter.rect_stroke(rect, 2, Stroke::new(width, tokens.accent), StrokeKind::Outside);
    if is_strong {
        painter.rect_filled(rect, 2, tokens.accent.gamma_multiply(0.15));
    }
}

fn badge_ui(ui: &Ui, painter: &egui::Painter, corner: Pos2, label: &str, is_strong: bool) {
    let tokens = tokens(ui);
    let center = corner + vec2(-2.0, -2.0);
    let radius = if is_strong { 10.0 } else { 9.0 };
    painter.circle(center, radius, tokens.accent, Stroke::new(1.5, tokens.halo));
    let ink: Color32 = tokens.on_accent;
    paint_text(painter, center, Align2::CENTER_CENTER, label, (Type::Caption, ink), 20.0);
}

//! A value with its interval, on a line.

use egui::{Color32, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::label::agreement::QuestionAgreement;
use crate::ui::theme::tokens;

/// Where agreement is drawn from; less is drawn at the end.
const LEAST: f64 = -0.4;
/// Below this conclusions should not be drawn, says Krippendorff (2004, section 11.4.2).
const TENTATIVE: f64 = 0.667;

/// How much a coefficient of agreement is worth, as a colour.
pub(super) fn agreement_ink(ui: &Ui, alpha: Option<f64>) -> Color32 {
    let tokens = tokens(ui);
    match alpha {
        Some(alpha) if alpha < TENTATIVE => tokens.warn,
        Some(_) => tokens.text,
        None => tokens.dim,
    }
}

/// α as a dot with its interval, from −0.4 to 1, with a line at 0.
pub(super) fn agreement_ui(ui: &mut Ui, found: &QuestionAgreement, width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
    let words = agreement_words(found);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let response = response.on_hover_text(words);
    let tokens = tokens(ui);
    let painter = ui.painter();
    let rail = rect.shrink2(vec2(4.0, 0.0));
    painter.hline(rail.x_range(), rail.center().y, Stroke::new(1.0, tokens.hairline));
    painter.vline(x_of(rail, 0.0), rail.shrink2(vec2(0.0, 3.0)).y_range(), tokens.line());
    let Ok(alpha) = found.alpha else { return };
    let ink = agreement_ink(ui, Some(alpha));
    if let Ok(interval) = &found.interval {
        let (low, high) = (interval.interval.low, interval.interval.high);
        let range = x_of(rail, low)..=x_of(rail, high);
        painter.hline(range, rail.center().y, Stroke::new(2.0, ink.gamma_multiply(0.6)));
    }
    let dot = pos2(x_of(rail, alpha), rail.center().y);
    painter.circle_filled(dot, 3.5, ink);
    if response.hovered() {
        painter.circle_stroke(dot, 5.5, Stroke::new(1.0, ink));
    }
}

fn x_of(rail: Rect, value: f64) -> f32 {
    let share = (value.clamp(LEAST, 1.0) - LEAST) / (1.0 - LEAST);
    rail.left() + share as f32 * rail.width()
}

/// α, its interval and what they are of, or why there is none.
pub(super) fn agreement_words(found: &QuestionAgreement) -> String {
    match (&found.alpha, &found.interval) {
        (Err(why), _) => why.to_string(),
        (Ok(alpha), Err(why)) => format!("α {}; no interval: {why}", two(*alpha)),
        (Ok(alpha), Ok(of)) => {
            let [low, high] = [of.interval.low, of.interval.high].map(two);
            format!("α {} [{low}, {high}]", two(*alpha))
        }
    }
}

/// Two decimals, with a minus and no hyphen.
pub(super) fn two(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}

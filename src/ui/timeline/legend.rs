//! What the colours of the timeline mean, and what the curves are at a step.

use std::collections::BTreeSet;

use egui::{Align2, Id, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::calls::reference_mark_ui;
use super::curve::{CurveStroke, variant_words};
use crate::environment::ToolCategory;
use crate::metric::Score;
use crate::metric::behavior::ToolAgreement;
use crate::ui::theme::{Type, category_color, tokens};
use crate::ui::widgets::{
    paint_numbers, paint_text, say, score_words, share_words, text_width, tooltip_ui,
};
use crate::workbench::RunState;
use crate::workbench::views::{CurveEnd, EndOfCurve, Timeline};

/// The lanes of the calls, from the top.
const LANES: &str = "lanes: photo, vector, layout · calls";
/// The first row, which has the calls as well.
const FIRST_ROW: f32 = 26.0;
/// Any other.
const ROW: f32 = 17.0;
/// What the button that chooses curves takes before the first row.
const BUTTON: f32 = 26.0;

/// A curve as the legend lists it.
struct LegendEntry {
    /// What is shown.
    words: String,
    /// The same with where the curve peaked, for who points at it or has it read out.
    sentence: String,
    /// Of a curve beside the chosen one, its ink and its variant.
    beside: Option<(usize, String)>,
    /// The room it takes, with its line and the gap behind it.
    width: f32,
}

/// The curves at a step in rows, as many as there is room for.
pub(super) struct Legend {
    rows: Vec<Vec<LegendEntry>>,
    /// How many curves have no row.
    hidden: usize,
}

/// What stands before an entry's words, and behind them.
const LINE: f32 = 16.0;
const GAP: f32 = 18.0;

impl Legend {
    /// The curves at this step, in a timeline of this size: rows that would leave the curves no room are left out.
    pub(super) fn new(ui: &Ui, timeline: &Timeline<'_>, step: u32, area: Rect) -> Self {
        let mut legend = Self { rows: vec![Vec::new()], hidden: 0 };
        if timeline.is_without_truth {
            return legend;
        }
        let most = 1 + ((area.height() * 0.2) / ROW).floor().max(0.0) as usize;
        let room = area.width() - BUTTON;
        let mut left = room;
        for entry in entries(ui, timeline, step) {
            if entry.width > left && left < room {
                if legend.rows.len() >= most {
                    legend.hidden += 1;
                    continue;
                }
                legend.rows.push(Vec::new());
                left = room;
            }
            left -= entry.width;
            if let Some(row) = legend.rows.last_mut() {
                row.push(entry);
            }
        }
        legend
    }

    /// How high it is.
    pub(super) fn height(&self) -> f32 {
        FIRST_ROW + (self.rows.len().saturating_sub(1)) as f32 * ROW
    }

    /// Draws it: the curves from the left, the calls where the first row has room at its right.
    pub(super) fn show(&self, ui: &Ui, timeline: &Timeline<'_>, rect: Rect) {
        let first = rect.with_max_y(rect.top() + FIRST_ROW);
        for (at, row) in self.rows.iter().enumerate() {
            let top =
                if at == 0 { first.top() } else { first.bottom() - 3.0 + (at - 1) as f32 * ROW };
            let height = if at == 0 { FIRST_ROW } else { ROW };
            let y = top + height * 0.5;
            let mut x = rect.left() + if timeline.is_without_truth { 0.0 } else { BUTTON };
            for entry in row {
                entry.show(ui, pos2(x, y), height);
                x += entry.width;
            }
            let is_last = at + 1 == self.rows.len();
            if is_last && self.hidden > 0 {
                let words = format!("and {} more", self.hidden);
                let style = (Type::Caption, tokens(ui).dim);
                paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, &words, style, 80.0);
                x += 80.0;
            }
            if at == 0 {
                calls_ui(ui, timeline, first, x - GAP);
            }
        }
    }
}

impl LegendEntry {
    fn show(&self, ui: &Ui, at: egui::Pos2, height: f32) {
        let line = vec![at, at + vec2(10.0, 0.0)];
        match self.beside {
            None => {
                let stroke = Stroke::new(2.0, tokens(ui).accent);
                ui.painter().line_segment([line[0], line[1]], stroke);
            }
            Some((place, _)) => CurveStroke::of(ui, place).line_ui(ui, line),
        }
        let style = (Type::Caption, tokens(ui).dim);
        let place = at + vec2(LINE, 0.0);
        paint_numbers(ui.painter(), place, Align2::LEFT_CENTER, &self.words, style);
        let rect = Rect::from_min_size(
            pos2(at.x, at.y - height * 0.5),
            vec2((self.width - GAP).max(0.0), height),
        );
        let variant = self.beside.as_ref().map(|(_, variant)| variant.as_str());
        say(ui, ("timeline_curve", variant), rect, &self.sentence);
        let id = Id::unique(("timeline_curve_hover", variant));
        ui.interact(rect, id, Sense::hover())
            .on_hover_ui(|ui| tooltip_ui(ui, &self.sentence, None));
    }
}

/// The chosen curve, then those beside it.
fn entries(ui: &Ui, timeline: &Timeline<'_>, step: u32) -> Vec<LegendEntry> {
    let entry = |value: String, end: Option<CurveEnd>, shows_end: bool, beside| {
        let sentence = match &end {
            Some(end) => format!("{value} · {}", end_words(end)),
            None => value.clone(),
        };
        let words = match &end {
            Some(end) if shows_end => format!("{value} · {}", short_end_words(end)),
            _ => value,
        };
        let width = LINE + text_width(ui, &words, Type::Caption) + GAP;
        LegendEntry { words, sentence, beside, width }
    };
    let score = timeline.steps.get(step as usize).and_then(|step| step.score);
    let is_waiting = timeline.why_not_scored.is_none();
    let chosen = value_words(variant_words(timeline), score, is_waiting);
    // Of a run that ended by itself, its sentence stands above the timeline where it is alone; else it is said there how
    // the run was broken off.
    let is_alone = timeline.beside.is_empty();
    let is_said = is_alone && timeline.run.state == RunState::Finished;
    let end = timeline.end().filter(|_| !is_said);
    let mut all = vec![entry(chosen, end, is_alone && !timeline.is_live, None)];
    for (at, curve) in timeline.beside.iter().enumerate() {
        let score = curve.scores.get(step as usize).and_then(Option::as_ref);
        let value = value_words(curve.variant.label, score, true);
        all.push(entry(value, curve.end, true, Some((at, curve.variant.id.to_string()))));
    }
    all
}

fn calls_ui(ui: &Ui, timeline: &Timeline<'_>, rect: Rect, left: f32) {
    let y = rect.center().y;
    let style = (Type::Caption, tokens(ui).dim);
    // Only the kinds that the run has: all eight would not fit.
    let categories: BTreeSet<ToolCategory> =
        timeline.steps.iter().filter_map(|step| step.category).collect();
    let mut x = rect.right();
    if let Some(agreement) = &timeline.agreement {
        x = agreement_ui(ui, agreement, pos2(x, y), left + 80.0);
    }
    for category in ToolCategory::ALL.into_iter().rev().filter(|it| categories.contains(it)) {
        let middle = entry_ui(ui, pos2(x, y), category.label());
        let swatch = Rect::from_center_size(middle, vec2(8.0, 8.0));
        ui.painter().rect_filled(swatch, 2, category_color(category));
        x = swatch.left() - 12.0;
        // Entries are left out from the left, where the value of the step must stay.
        if x < left + 80.0 {
            return;
        }
    }
    if categories.is_empty() {
        return;
    }
    let words = if timeline.has_experts() { LANES } else { "calls" };
    let width = text_width(ui, words, Type::Caption) + 2.0;
    if x - width > left + 12.0 {
        paint_text(ui.painter(), pos2(x, y), Align2::RIGHT_CENTER, words, style, width);
    }
}

/// What a curve is at a step.
pub(super) fn value_words(label: &str, score: Option<&Score>, is_waiting: bool) -> String {
    match score {
        Some(Score::Value(value)) => format!("{label} {}", score_words(*value)),
        Some(Score::Missing(why)) => format!("{label}: {why}"),
        None if is_waiting => format!("{label} …"),
        None => format!("{label} –"),
    }
}

/// How a curve went, in a sentence without its first letter.
pub(super) fn end_words(end: &CurveEnd) -> String {
    if let EndOfCurve::AtBest { value } = end.end {
        return format!("{}, {}", short_end_words(end), score_words(value));
    }
    let (step, peak) = end.peak;
    format!("peaked at step {step} ({}), {}", score_words(peak), short_end_words(end))
}

/// How far from its peak a curve ended that fell; `None` of one that did not, or of which that is not known.
pub(super) fn fall_words(end: &CurveEnd) -> Option<String> {
    let EndOfCurve::Fallen { value, by } = end.end else { return None };
    // From what is infinite no number is lost.
    if by.is_infinite() {
        return Some(format!("at {}", score_words(value)));
    }
    // Of a metric where less is better the peak is the lowest value.
    let side = if end.peak.1 > value { "lower" } else { "higher" };
    Some(format!("{} {side}", score_words(by)))
}

/// The same where there is no room for all of it.
pub(super) fn short_end_words(end: &CurveEnd) -> String {
    let is_scored = end.end != EndOfCurve::NotScored;
    match (fall_words(end), end.is_live) {
        (Some(fall), true) => format!("{fall} now"),
        (Some(fall), false) => format!("ended {fall}"),
        (None, true) if is_scored => "at its best".to_owned(),
        (None, false) if is_scored => "ended at its best".to_owned(),
        (None, true) => "not scored now".to_owned(),
        (None, false) => "not scored at its end".to_owned(),
    }
}

/// How the tools agree with those of the reference, from the right end, and what the marks below the calls mean; as much as
/// there is room for. Gives where what is left of it ends.
fn agreement_ui(ui: &Ui, agreement: &ToolAgreement, right: egui::Pos2, least: f32) -> f32 {
    let [precision, recall] = [&agreement.precision, &agreement.recall].map(share_words);
    let missing = format!("{} missing", agreement.unused.len());
    let all = format!("precision {precision} · recall {recall} · {missing}");
    // In a narrow timeline what is missing is all that no mark says.
    let mut words = [all, missing].into_iter();
    let words = words.find(|it| right.x - text_width(ui, it, Type::Caption) > least);
    let Some(words) = words else { return right.x };
    let width = text_width(ui, &words, Type::Caption);
    let style = (Type::Caption, tokens(ui).dim);
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &words, style, width + 2.0);
    let mut sentence =
        format!("Tools against the reference: precision {precision}, recall {recall}");
    for (what, names) in [("missing", &agreement.unused), ("extra", &agreement.unexpected)] {
        if !names.is_empty() {
            sentence = format!("{sentence}; {what}: {}", names.join(", "));
        }
    }
    let rect =
        Rect::from_center_size(pos2(right.x - width * 0.5, right.y), vec2(width, FIRST_ROW - 8.0));
    say(ui, "timeline_agreement", rect, &sentence)
        .on_hover_ui(|ui| tooltip_ui(ui, &sentence, None));
    let mut x = rect.left() - 12.0;
    for (words, is_reference) in [("extra", false), ("hit", true)] {
        if x - text_width(ui, words, Type::Caption) - 16.0 < least {
            return x;
        }
        let middle = entry_ui(ui, pos2(x, right.y), words);
        reference_mark_ui(ui, middle, 4.0, is_reference);
        x = middle.x - 16.0;
    }
    x
}

/// The words of one entry, from their right end; gives the middle of what stands before them.
fn entry_ui(ui: &Ui, right: egui::Pos2, words: &str) -> egui::Pos2 {
    let width = text_width(ui, words, Type::Caption);
    let style = (Type::Caption, tokens(ui).dim);
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, words, style, width + 2.0);
    pos2(right.x - width - 11.0, right.y)
}

//! Words and numbers, painted where a layout has a fixed place for them.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Color32, Id, Painter, Pos2, Rect, Response, RichText, Sense, Ui, vec2};

use crate::task::TaskKind;
use crate::ui::theme::{Type, tokens};

/// Paints one line at `pos`, cut with an ellipsis at `max_width`. Gives the box it took.
pub(crate) fn paint_text(
    painter: &Painter,
    pos: Pos2,
    anchor: Align2,
    text: &str,
    style: (Type, Color32),
    max_width: f32,
) -> Rect {
    let (font, color) = style;
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font.font(), color);
    // A negative room would not cut but be ignored.
    job.wrap = TextWrapping::truncate_at_width(max_width.max(0.0));
    let galley = painter.layout_job(job);
    let rect = anchor.anchor_size(pos, galley.size());
    painter.galley(rect.min, galley, color);
    rect
}

/// Paints a number whose digits all take the same room, so that columns of numbers stand still.
///
/// Inter's own digits differ in width; each stands in the middle of the room of the widest.
pub(crate) fn paint_numbers(
    painter: &Painter,
    pos: Pos2,
    anchor: Align2,
    text: &str,
    style: (Type, Color32),
) -> Rect {
    let (font, color) = style;
    let (job, after) = numbers_job(painter, text, font, color);
    let galley = painter.layout_job(job);
    let rect = anchor.anchor_size(pos, galley.size() + vec2(after, 0.0));
    painter.galley(rect.min, galley, color);
    rect
}

/// The line, and the room that its last digit leaves free.
fn numbers_job(painter: &Painter, text: &str, font: Type, color: Color32) -> (LayoutJob, f32) {
    let font = font.font();
    let mut room = 0.0f32;
    for digit in '0'..='9' {
        room = room.max(painter.fonts_mut(|fonts| fonts.glyph_width(&font, digit)));
    }
    let mut job = LayoutJob::default();
    let mut before = 0.0;
    for c in text.chars() {
        // Half of what a narrow digit leaves goes before it, the other half before what follows.
        let free = if c.is_ascii_digit() {
            (room - painter.fonts_mut(|fonts| fonts.glyph_width(&font, c))) * 0.5
        } else {
            0.0
        };
        let format = TextFormat::simple(font.clone(), color);
        job.append(c.encode_utf8(&mut [0; 4]), before + free, format);
        before = free;
    }
    job.wrap.max_rows = 1;
    (job, before)
}

/// Words in one of our styles.
pub(crate) fn rich_text(words: impl Into<String>, style: Type, color: Color32) -> RichText {
    RichText::new(words).font(style.font()).color(color)
}

/// The words with a capital at their begin.
pub(crate) fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// How wide one line is.
pub(crate) fn text_width(ui: &Ui, text: &str, font: Type) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font.font(), Color32::PLACEHOLDER).size().x
}

/// A label of one line that is cut with an ellipsis where the room ends, and then shows all of
/// itself on hover.
pub(crate) fn elided_label_ui(ui: &mut Ui, text: &str, font: Type, color: Color32) -> Response {
    let label = egui::Label::new(rich_text(text, font, color));
    ui.add(label.truncate())
}

/// The label of a path: where the room ends it is cut at its start, because its end says more, and
/// shows all of itself on hover.
pub(crate) fn path_label_ui(ui: &mut Ui, path: &str) {
    let room = ui.available_width();
    let shown = tail_that_fits(path, |words| text_width(ui, words, Type::Body) <= room);
    // On hover only then: what is shown whole needs no tooltip.
    let is_cut = shown != path;
    let color = tokens(ui).text;
    let response = elided_label_ui(ui, &shown, Type::Body, color);
    if is_cut {
        response.on_hover_text(path);
    }
}

/// The text, or an ellipsis and the longest end of it that fits.
fn tail_that_fits(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let tails = text.char_indices().map(|(at, _)| format!("…{}", text.split_at(at).1));
    let tails: Vec<String> = tails.collect();
    // The longest comes first, and from the first that fits on all do: a bisection lays out few.
    let first = tails.partition_point(|tail| !fits(tail));
    tails.into_iter().nth(first).unwrap_or_else(|| "…".to_owned())
}

/// Tells screen readers about something that was only painted.
pub(crate) fn say(ui: &Ui, id: impl egui::AsIdSalt, rect: Rect, text: &str) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    response
}

/// A kind of task in words.
pub(crate) fn task_kind_words(kind: TaskKind) -> &'static str {
    kind.word()
}

/// Tells screen readers about a picture that was only painted.
pub(crate) fn say_picture(ui: &Ui, id: Id, rect: Rect, text: &str) {
    let response = ui.interact(rect, id, Sense::empty());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, text));
}

/// What a text field keeps for itself: Escape too, which it answers. Without that egui would take the
/// focus away first, and Escape would be another command's key.
pub(crate) fn with_escape() -> egui::EventFilter {
    let arrows = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
    egui::EventFilter { vertical_arrows: true, escape: true, ..arrows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn numbers_of_as_many_digits_take_the_same_room() {
        let ctx = egui::Context::default();
        crate::ui::theme::install(&ctx);
        let mut widths = Vec::new();
        for _ in 0..2 {
            widths.clear();
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                for text in ["0.111", "0.888", "0.704"] {
                    let style = (Type::Body, Color32::BLACK);
                    let rect =
                        paint_numbers(ui.painter(), pos2(0.0, 0.0), Align2::LEFT_TOP, text, style);
                    widths.push(rect.width());
                }
            });
            output.textures_delta.clear();
        }
        assert!((widths[0] - widths[1]).abs() < 0.51, "{widths:?}");
        assert!((widths[0] - widths[2]).abs() < 0.51, "{widths:?}");
    }

    #[test]
    fn a_path_keeps_the_longest_end_that_fits() {
        for (path, letters, shown) in [
            ("/runs", 5, "/runs"),
            ("/häuser/runs", 6, "…/runs"),
            ("/runs", 1, "…"),
            ("/runs", 0, "…"),
            ("", 0, ""),
        ] {
            assert_eq!(tail_that_fits(path, |words| words.chars().count() <= letters), shown);
        }
    }
}

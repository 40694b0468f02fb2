//! What the model of a run was asked and answered, as it went over the wire: every attempt on the left,
//! one of them on the right, laid out or raw.

use egui::{
    Align, Align2, Id, Key, Label, Layout, Modal, Panel, Role, ScrollArea, Sense, Ui, WidgetInfo,
    pos2, vec2,
};

use super::context::ViewContext;
use super::icons;
use super::theme::{Tokens, Type, size, tokens};
use super::widgets::{
    ArrowList, Button, EmptyState, Look, allocate_stable_of, count, duration, elided_label_ui,
    hairline_ui, paint_text, rich_text,
};
use crate::agent::chat::{ExchangeEnd, ExchangeHead};
use crate::run::exchanges::Located;
use crate::workbench::views::{self, Exchanges, PaneStatus};
use crate::workbench::{BodyText, Command, ExchangeSide, ExchangesCommand};

/// Two lines.
const ROW: f32 = 42.0;
/// Between two rows of a body.
const LINE: f32 = 16.0;
/// How wide the list is.
const LIST: f32 = 216.0;

/// Draws the overlay.
pub(super) fn exchanges_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("exchanges"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(0));
    let room = ui.ctx().content_rect().size();
    let size = vec2((room.x - 96.0).clamp(480.0, 1180.0), (room.y - 96.0).max(300.0));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_min_size(size);
        ui.set_max_size(size);
        let view = views::exchanges(cx.state);
        Panel::top("exchanges_head").exact_size(48.0).show_separator_line(false).show(ui, |ui| {
            head_ui(ui, cx, view.as_ref());
        });
        match view.as_ref().and_then(|view| Some((view, view.list?))) {
            Some((view, list)) if !list.exchanges.is_empty() => {
                Panel::left("exchanges_list").exact_size(LIST).resizable(false).show(ui, |ui| {
                    list_ui(ui, cx, view, &list.exchanges);
                });
                exchange_ui(ui, cx, view, &list.exchanges);
            }
            _ => nothing_ui(ui, view.as_ref()),
        }
    });
    if response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: Option<&Exchanges<'_>>) {
    let tokens = tokens(ui);
    ui.horizontal_centered(|ui| {
        ui.add_space(8.0);
        ui.label(rich_text("Requests and answers", Type::Display, tokens.text));
        if let Some(list) = view.and_then(|view| view.list) {
            let all = count(list.exchanges.len(), "request");
            let words = match list.damaged {
                0 => all,
                damaged => format!("{all}, {} cannot be read", count(damaged, "line")),
            };
            let ink = if list.damaged > 0 { tokens.warn } else { tokens.dim };
            ui.label(rich_text(words, Type::Body, ink));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(4.0);
            let close = Button::icon(icons::CLOSE, "Close").look(Look::Tool);
            if close.key(Some("Esc".to_owned())).show(ui).clicked() {
                cx.send(Command::CloseOverlay);
            }
        });
    });
}

fn nothing_ui(ui: &mut Ui, view: Option<&Exchanges<'_>>) {
    let (title, words) = match view.map(|view| &view.status) {
        Some(PaneStatus::Failed(why)) => ("The requests cannot be read", *why),
        Some(PaneStatus::Nothing(why)) => ("No requests", *why),
        Some(_) => ("Reading…", ""),
        None => ("No requests", "Select a run of a model."),
    };
    ui.vertical_centered(|ui| EmptyState::new(icons::INFO, title, words).show(ui, |_| {}));
}

fn list_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    view: &Exchanges<'_>,
    listed: &[Located<ExchangeHead>],
) {
    // Whoever opened it wants to walk through it: the arrows are the list's at once.
    if ui.memory(|memory| memory.focused().is_none()) {
        ArrowList::Exchanges.take_keyboard(ui);
    }
    for key in ArrowList::Exchanges.arrows(ui) {
        let by = if key == Key::ArrowDown { 1 } else { -1 };
        cx.send(Command::Exchanges(ExchangesCommand::SelectBy(by)));
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("exchange_rows").auto_shrink(false);
    // The selected row is brought into sight once, and whoever scrolls on is left alone.
    let shown = Id::unique("exchange_shown");
    if ui.data(|data| data.get_temp::<Option<usize>>(shown)) != Some(view.selected) {
        ui.data_mut(|data| data.insert_temp(shown, view.selected));
        let row = view.selected.unwrap_or(0) as f32 * ROW;
        area = area.vertical_scroll_offset((row - ui.available_height() * 0.5).max(0.0));
    }
    area.show_rows(ui, ROW, listed.len(), |ui, range| {
        for at in range {
            let Some(exchange) = listed.get(at) else { continue };
            let attempt = attempt_of(listed, at);
            row_ui(ui, cx, (at, view.selected == Some(at)), exchange, attempt);
        }
    });
}

/// Which attempt of its turn an exchange is, from 1.
fn attempt_of(listed: &[Located<ExchangeHead>], at: usize) -> usize {
    let turn = listed.get(at).map(|it| it.value.turn);
    let before = listed.get(..at).unwrap_or_default().iter().rev();
    1 + before.take_while(|it| Some(it.value.turn) == turn).count()
}

fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (at, is_selected): (usize, bool),
    exchange: &Located<ExchangeHead>,
    attempt: usize,
) {
    let tokens = tokens(ui);
    let head = &exchange.value;
    let (rect, response) =
        allocate_stable_of(ui, at, vec2(ui.available_width(), ROW), Sense::CLICK);
    let (status, ink) = status_words(tokens, head);
    let title = match attempt {
        1 => format!("Turn {}", head.turn),
        attempt => format!("Turn {}, request {attempt}", head.turn),
    };
    let bytes = exchange.bytes.end - exchange.bytes.start;
    let facts = format!("{} · {}", duration(head.milliseconds / 1000.0), size_words(bytes));
    let spoken = format!("{title}: {status}, {facts}");
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, &spoken));
    if is_selected {
        ui.painter().rect_filled(rect, 0.0, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, tokens.raised);
    }
    let (left, right) = (rect.left() + 12.0, rect.right() - 12.0);
    let painter = ui.painter();
    // The status first, from the right: the title gets the room that it leaves.
    let style = (Type::Caption, ink);
    let top = rect.top() + 13.0;
    let drawn =
        paint_text(painter, pos2(right, top), Align2::RIGHT_CENTER, &status, style, LIST * 0.5);
    let style = (Type::Medium, tokens.text);
    let width = drawn.left() - left - 8.0;
    paint_text(painter, pos2(left, top), Align2::LEFT_CENTER, &title, style, width);
    let style = (Type::Caption, tokens.dim);
    let below = pos2(left, rect.top() + 30.0);
    paint_text(painter, below, Align2::LEFT_CENTER, &facts, style, right - left);
    if response.clicked() {
        ArrowList::Exchanges.take_keyboard(ui);
        cx.send(Command::Exchanges(ExchangesCommand::Select(at)));
    }
}

/// The status of an answer, or why there is none, in a few words.
fn status_words(tokens: &Tokens, head: &ExchangeHead) -> (String, egui::Color32) {
    let (words, is_good) = match (&head.end, head.status) {
        (ExchangeEnd::Whole, Some(status)) => (status.to_string(), status < 400),
        (ExchangeEnd::Whole, None) => ("no status".to_owned(), false),
        (ExchangeEnd::Unreachable { .. }, _) => ("unreachable".to_owned(), false),
        (ExchangeEnd::BrokenOff { .. }, _) => ("broken off".to_owned(), false),
        (ExchangeEnd::TimedOut { .. }, _) => ("timed out".to_owned(), false),
        (ExchangeEnd::Abandoned, _) => ("stopped".to_owned(), false),
    };
    (words, if is_good { tokens.dim } else { tokens.loss })
}

/// Why an exchange has no whole answer.
fn end_words(end: &ExchangeEnd) -> Option<String> {
    match end {
        ExchangeEnd::Whole => None,
        ExchangeEnd::Unreachable { why } => Some(format!("No connection: {why}")),
        ExchangeEnd::BrokenOff { why } => Some(format!("The connection broke: {why}")),
        ExchangeEnd::TimedOut { seconds, .. } => Some(format!("No answer within {seconds} s")),
        ExchangeEnd::Abandoned => Some("Stopped: the rest was not read".to_owned()),
    }
}

fn size_words(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn exchange_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    view: &Exchanges<'_>,
    listed: &[Located<ExchangeHead>],
) {
    let tokens = tokens(ui);
    let Some(exchange) = view.selected.and_then(|at| listed.get(at)) else { return };
    let side = cx.state.exchanges.side;
    // Both sides of an exchange are read together: changing over waits for nothing.
    let body = view.text.map(|text| match side {
        ExchangeSide::Request => &text.request,
        ExchangeSide::Answer => &text.answer,
    });
    let margin = egui::Margin::symmetric(size::GUTTER as i8, 8);
    Panel::top("exchange_head").show_separator_line(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(rich_text(&exchange.value.method, Type::Strong, tokens.text));
                elided_label_ui(ui, &exchange.value.url, Type::Body, tokens.dim);
            });
            if let Some(why) = end_words(&exchange.value.end) {
                ui.add(Label::new(rich_text(why, Type::Body, tokens.loss)).wrap());
            }
            ui.add_space(4.0);
            sides_ui(ui, cx, body);
        });
        hairline_ui(ui);
    });
    match (body, &view.status) {
        (Some(body), _) => body_ui(ui, cx, body),
        (None, PaneStatus::Failed(why)) => {
            EmptyState::new(icons::ERROR, "The request cannot be read", why).show(ui, |_| {});
        }
        (None, _) => {
            ui.label(rich_text("Reading…", Type::Body, tokens.dim));
        }
    }
}

/// Which side is shown and how, and the way to copy it.
fn sides_ui(ui: &mut Ui, cx: &ViewContext<'_>, body: Option<&BodyText>) {
    let panel = &cx.state.exchanges;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (side, words) in [(ExchangeSide::Request, "Request"), (ExchangeSide::Answer, "Answer")]
        {
            let button = Button::text(words).look(Look::Tool).selected(panel.side == side);
            if button.show(ui).clicked() {
                cx.send(Command::Exchanges(ExchangesCommand::ShowSide(side)));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = Button::icon(icons::COPY, "Copy the body").look(Look::Tool);
            let copy = copy.enabled(body.is_some()).tooltip("Copy the body as it went.");
            if copy.show(ui).clicked()
                && let Some(body) = body
            {
                // As it went, also while it is laid out: what is copied is evidence.
                ui.ctx().copy_text(body.raw.clone());
            }
            for (is_raw, words, tooltip) in [
                (true, "Raw", "Show the body as it went."),
                (false, "Formatted", "Lay the body out to be read, where it is JSON."),
            ] {
                let button = Button::text(words).look(Look::Tool).tooltip(tooltip);
                if button.selected(panel.is_raw == is_raw).show(ui).clicked() {
                    cx.send(Command::Exchanges(ExchangesCommand::ShowRaw(is_raw)));
                }
            }
        });
    });
}

fn body_ui(ui: &mut Ui, cx: &ViewContext<'_>, body: &BodyText) {
    let tokens = tokens(ui);
    let panel = &cx.state.exchanges;
    let formatted = body.formatted.as_ref().filter(|_| !panel.is_raw);
    let lines = formatted.unwrap_or(&body.lines);
    let headers = body.headers.len();
    // One blank line between headers and body, as on the wire.
    let all = headers + 1 + lines.len().max(1);
    ui.spacing_mut().item_spacing.y = 0.0;
    // A place of its own for each view, or one text would open where another was scrolled to.
    let id = (view_id(cx), panel.side, panel.is_raw);
    // Only lines in sight are laid out, as a body may be very long.
    ScrollArea::both().id_salt(("exchange_body", id)).auto_shrink(false).show_rows(
        ui,
        LINE,
        all,
        |ui, range| {
            for at in range {
                let (words, ink) = match at.checked_sub(headers + 1) {
                    Some(at) => match lines.get(at) {
                        Some(line) => (line.clone(), tokens.text),
                        None => ("No body.".to_owned(), tokens.dim),
                    },
                    None => match body.headers.get(at) {
                        Some((name, value)) => (format!("{name}: {value}"), tokens.dim),
                        None => (String::new(), tokens.dim),
                    },
                };
                line_ui(ui, &words, ink);
            }
        },
    );
}

/// Another exchange begins at its top.
fn view_id(cx: &ViewContext<'_>) -> Option<crate::workbench::ExchangeKey> {
    views::exchanges(cx.state).and_then(|view| view.key)
}

fn line_ui(ui: &mut Ui, words: &str, ink: egui::Color32) {
    let left = size::GUTTER + 8.0;
    // Nothing in it is pressed: as high as the list of lines counts them.
    ui.spacing_mut().interact_size.y = LINE;
    ui.horizontal(|ui| {
        ui.set_min_height(LINE);
        ui.set_max_height(LINE);
        ui.add_space(left);
        ui.add(Label::new(rich_text(words, Type::Mono, ink)).extend().selectable(true));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(turns: &[u32]) -> Vec<Located<ExchangeHead>> {
        let heads = turns.iter().map(|turn| ExchangeHead {
            turn: *turn,
            method: "POST".to_owned(),
            url: "https://example.org/v1".to_owned(),
            status: Some(200),
            end: ExchangeEnd::Whole,
            milliseconds: 1.0,
        });
        heads.map(|value| Located { value, bytes: 0..1 }).collect()
    }

    #[test]
    fn attempts_are_counted_by_turn() {
        let listed = listed(&[1, 2, 2, 2, 3]);
        let attempts: Vec<usize> = (0..5).map(|at| attempt_of(&listed, at)).collect();
        assert_eq!(attempts, [1, 1, 2, 3, 1]);
    }

    #[test]
    fn sizes_are_short() {
        let words = [0, 999, 1_000, 42_300, 2_350_000].map(size_words);
        assert_eq!(words, ["0 bytes", "999 bytes", "1 kB", "42 kB", "2.4 MB"]);
    }
}

//! Things in the order of their ranks: by keys, by clicks, or dragged to a place.

use egui::{CursorIcon, Response, Sense, Stroke, Ui};

use super::options::row_option_ui;
use super::shown::ShownQuestion;
use crate::label::AnswerValue;
use crate::ui::annotate::parts::annotate;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::rich_text;
use crate::workbench::AnnotateCommand;
use crate::workbench::views::{self, RankedThing};

/// Draws what is ranked: the ranked ones on top, the best first, and below them those that are to be ranked.
pub(super) fn ranking_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    shown: &ShownQuestion<'_>,
    has_ties: bool,
) {
    let mut things = views::ranked_things(cx.state, shown.question);
    // In their order as far as it goes, then what has no place yet, as it is listed.
    things.sort_by_key(|thing| thing.rank.unwrap_or(usize::MAX));
    let order = views::order_of(shown.value());
    let mut rows: Vec<(&RankedThing, Response)> = Vec::with_capacity(things.len());
    for thing in &things {
        let key = shown.key_of(&thing.id);
        let aside = aside(thing);
        let sense = Sense::click_and_drag();
        let response = row_option_ui(ui, (key, sense), &thing.words, &aside, thing.rank.is_some());
        if response.clicked() {
            send(cx, shown, views::toggled(order, &thing.id));
        }
        rows.push((thing, response));
    }
    if let Some((dragged, response)) =
        rows.iter().find(|(_, response)| response.dragged() || response.drag_stopped())
    {
        drag_ui(ui, cx, shown, &rows, (dragged, response));
    }
    let words = match (has_ties, order.len()) {
        (true, 1..) => "J ties the last one with the one before it, or divides the two.",
        (true, 0) => "Best first: keys, clicks, or drag one to its place. Ties can be said.",
        (false, _) => "Best first: keys, clicks, or drag one to its place. Without ties.",
    };
    if shown.is_focused {
        let label = egui::Label::new(rich_text(words, Type::Caption, tokens(ui).dim));
        ui.add(label.wrap());
    }
}

fn aside(thing: &RankedThing) -> String {
    match (thing.rank, thing.is_tied) {
        (None, _) => String::new(),
        (Some(rank), false) => format!("rank {rank}"),
        (Some(rank), true) => format!("rank {rank}, tied"),
    }
}

/// A line where what is dragged would go; let go of, it stands there.
fn drag_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    shown: &ShownQuestion<'_>,
    rows: &[(&RankedThing, Response)],
    (dragged, response): (&RankedThing, &Response),
) {
    let Some(pos) = response.interact_pointer_pos() else { return };
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let others = rows.iter().filter(|(thing, _)| thing.id != dragged.id);
    let above: Vec<_> = others.filter(|(_, row)| row.rect.center().y < pos.y).collect();
    if response.drag_stopped() {
        // Those that are tied are one place, and what is not ranked yet is none.
        let mut places: Vec<usize> = above.iter().filter_map(|(thing, _)| thing.rank).collect();
        places.dedup();
        let order = views::order_of(shown.value());
        send(cx, shown, views::moved(order, &dragged.id, places.len()));
        return;
    }
    let y = match above.last() {
        Some((_, row)) => row.rect.bottom() + 2.0,
        None => rows.first().map_or(pos.y, |(_, row)| row.rect.top() - 2.0),
    };
    let line = Stroke::new(2.0, tokens(ui).accent);
    ui.painter().hline(response.rect.x_range(), y, line);
}

fn send(cx: &ViewContext<'_>, shown: &ShownQuestion<'_>, order: Vec<String>) {
    let value = (!order.is_empty()).then_some(AnswerValue::Ranking(order));
    let question = shown.question.id.clone();
    annotate(cx, AnnotateCommand::Answer { question, value });
}

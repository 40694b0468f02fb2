//! The step that is offered: in words, with its changes to be ticked, and what can be done with it.

use egui::{Align, Frame, Label, Layout, Margin, Rect, Sense, Ui, vec2};

use super::parts::{NARROW, send};
use crate::agent::assistant::{Freshness, GhostChange};
use crate::design::Document;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::ghost::{ghost_sign, paint_disc};
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Look, elided_label_ui, rich_text, say, text_width, tick_look};
use crate::workbench::{AssistDesk, AssistantCommand, HelpLevel, Offer, OfferedHunk};

/// Most changes that are listed; all are taken all the same.
const MOST_HUNKS: usize = 12;

/// Draws the card, and gives where it is.
pub(super) fn card_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk, offer: &Offer) -> Rect {
    let tokens = tokens(ui);
    ui.add_space(4.0);
    let frame = Frame::new()
        .stroke(tokens.line())
        .corner_radius(size::RADIUS_LARGE)
        .inner_margin(Margin::symmetric(10, 10));
    let card = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        heading_ui(ui, desk, offer);
        words_ui(ui, desk.editor.shown(), offer);
        if offer.freshness == Freshness::Stale {
            let words =
                "You changed some of this meanwhile: what is greyed cannot be taken any more.";
            ui.add(Label::new(rich_text(words, Type::Caption, tokens.warn)).wrap());
        }
        if offer.level >= HelpLevel::Value {
            hunks_ui(ui, cx, offer);
        }
        ui.add_space(6.0);
        if desk.assistant.is_playing() {
            let stop = CommandButton::text(CommandId::StopAssistant).short("Stop");
            stop.with_icon(icons::STOP).with_key().show(ui, cx);
        } else {
            buttons_ui(ui, cx, offer);
        }
    });
    card.response.rect
}

fn heading_ui(ui: &mut Ui, desk: &AssistDesk, offer: &Offer) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.label(rich_text("Next step", Type::Strong, tokens.text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let left = desk.assistant.standing.as_ref().and_then(|(_, standing)| standing.left);
            let words = match left {
                Some(left) => format!("about {left} left"),
                None => offer.suggestion.stage.label().to_owned(),
            };
            elided_label_ui(ui, &words, Type::Caption, tokens.dim);
        });
    });
}

/// The words, with the numbers of the layers that are named in them.
fn words_ui(ui: &mut Ui, document: &Document, offer: &Offer) {
    let tokens = tokens(ui);
    let is_stale = offer.freshness != Freshness::Fresh;
    let ink = if is_stale { tokens.dim } else { tokens.text };
    let words = offer.words(document);
    let pieces = pieces(&words, document, offer);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (text, number) in pieces {
            if !text.is_empty() {
                ui.label(rich_text(text, Type::Body, ink));
            }
            if let Some(number) = number {
                disc_ui(ui, number);
            }
        }
    });
}

/// The words in pieces, each with the number that stands behind it: behind the name of a layer, or else at the end.
fn pieces(words: &str, document: &Document, offer: &Offer) -> Vec<(String, Option<usize>)> {
    if offer.level < HelpLevel::Where {
        return vec![(words.to_owned(), None)];
    }
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut unnamed = Vec::new();
    for (at, node) in offer.discs.iter().enumerate() {
        let name = document.get(node).map(|node| format!("\"{}\"", node.name));
        let found = name.and_then(|name| Some(words.find(&name)? + name.len()));
        match found.filter(|end| places.iter().all(|(known, _)| known != end)) {
            Some(end) => places.push((end, at + 1)),
            None => unnamed.push(at + 1),
        }
    }
    places.sort_unstable();
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (end, number) in places {
        let piece = words.get(from..end).unwrap_or_default().trim();
        pieces.push((piece.to_owned(), Some(number)));
        from = end;
    }
    pieces.push((words.get(from..).unwrap_or_default().trim().to_owned(), None));
    // More would be a row of numbers and no words.
    pieces.extend(unnamed.into_iter().take(3).map(|number| (String::new(), Some(number))));
    pieces
}

fn disc_ui(ui: &mut Ui, number: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
    paint_disc(ui, ui.painter(), rect.center(), number);
    say(ui, ("disc", number), rect, &format!("number {number} on the canvas"));
}

fn hunks_ui(ui: &mut Ui, cx: &ViewContext<'_>, offer: &Offer) {
    ui.add_space(4.0);
    for (at, hunk) in offer.hunks.iter().enumerate().take(MOST_HUNKS) {
        hunk_ui(ui, cx, offer, (at, hunk));
    }
    let more = offer.hunks.len().saturating_sub(MOST_HUNKS);
    if more > 0 {
        let words = format!("and {more} more");
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    }
}

fn hunk_ui(ui: &mut Ui, cx: &ViewContext<'_>, offer: &Offer, (at, hunk): (usize, &OfferedHunk)) {
    let tokens = tokens(ui);
    let fits = offer.fitting.contains(&at);
    let value = &hunk.value;
    let what = match hunk.change {
        GhostChange::Added => "added".to_owned(),
        GhostChange::Removed => "removed".to_owned(),
        GhostChange::Changed => format!("{} {} → {}", value.field.label(), value.from, value.to),
    };
    let color = match hunk.change {
        _ if !fits => tokens.dim,
        GhostChange::Added => tokens.gain,
        GhostChange::Removed => tokens.loss,
        GhostChange::Changed => tokens.warn,
    };
    let name = if hunk.name.is_empty() { value.node.as_str() } else { &hunk.name };
    let room = ui.available_width() - text_width(ui, name, Type::Body) - 60.0;
    let is_beside = ui.available_width() >= NARROW && text_width(ui, &what, Type::Caption) <= room;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        tick_look(ui);
        let mut is_ticked = offer.ticked.contains(&at) && fits;
        let tick = egui::Checkbox::without_text(&mut is_ticked);
        let tick = ui.add_enabled(fits, tick).accessible_name(format!("{name}: {what}"));
        if tick.changed() {
            send(cx, AssistantCommand::Tick(at));
        }
        ui.label(rich_text(ghost_sign(hunk.change), Type::Strong, color));
        let ink = if fits { tokens.text } else { tokens.dim };
        if !is_beside {
            elided_label_ui(ui, name, Type::Body, ink);
            return;
        }
        ui.label(rich_text(name, Type::Body, ink));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(&what, Type::Caption, tokens.dim));
        });
    });
    if !is_beside {
        ui.horizontal(|ui| {
            ui.add_space(26.0);
            ui.add(Label::new(rich_text(&what, Type::Caption, tokens.dim)).wrap());
        });
    }
}

fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, offer: &Offer) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        if offer.level >= HelpLevel::Value {
            let accept = CommandButton::text(CommandId::AcceptSuggestion).short("Accept");
            accept.with_icon(icons::CHECK).look(Look::Primary).with_key().show(ui, cx);
            let ticked = offer.ticked_fitting().len();
            if offer.hunks.len() > 1 && ticked < offer.fitting.len() {
                let part = CommandButton::text(CommandId::AcceptTicked).short("Accept part");
                part.show(ui, cx).on_hover_text(format!("{ticked} of {}", offer.hunks.len()));
            }
        }
        let more = match offer.level {
            HelpLevel::What => "Where?",
            HelpLevel::Where => "Which value?",
            HelpLevel::Value | HelpLevel::Ghost => "Show me",
        };
        if offer.level < HelpLevel::Ghost {
            CommandButton::text(CommandId::ShowMe).short(more).with_key().show(ui, cx);
        }
        CommandButton::text(CommandId::DoSuggestion).short("Do it for me").with_key().show(ui, cx);
        CommandButton::text(CommandId::SayWhy).short("Why").with_key().show(ui, cx);
        let another = CommandButton::text(CommandId::AnotherSuggestion);
        another.with_key().show(ui, cx);
        if offer.level >= HelpLevel::Value {
            let is_outlined = offer.level == HelpLevel::Ghost;
            let outline = CommandButton::text(CommandId::ShowSuggestion).short("On canvas");
            outline.selected(is_outlined).with_key().show(ui, cx);
        }
        CommandButton::text(CommandId::RefuseSuggestion).short("Refuse").show(ui, cx);
    });
}

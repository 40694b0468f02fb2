//! The step that is offered: in words, with its changes to be ticked, and what can be done with it.

use std::sync::Arc;

use egui::{
    Align, Frame, Galley, Label, Layout, Margin, Rect, ScrollArea, Sense, Shape, Ui, UiBuilder,
    vec2,
};

use super::parts::{NARROW, send};
use crate::agent::assistant::{Freshness, GhostChange};
use crate::design::{Document, NodeId};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::ghost::{ghost_sign, paint_disc};
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Look, elided_label_ui, rich_text, say, tick_look};
use crate::workbench::{AssistDesk, AssistantCommand, HelpLevel, Offer, OfferedHunk};

/// Most changes that stand in the card one below the other with all of their values; more are scrolled through.
const MOST_WHOLE: usize = 12;
/// The height of what is scrolled through, at most.
const SCROLLED: f32 = 240.0;
/// Beside those, for the scroll bar that lies over them.
const BAR: f32 = 12.0;

/// How a change is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChangeLayout {
    /// With its values beside its name if they fit there, else below, in as many lines as it takes.
    Whole,
    /// With its values beside its name.
    Beside,
    /// With its values in a line below its name, cut where the room ends.
    Below,
}

/// Draws the card; gives where it is, and the layer of the change that the pointer is over. `pointed`: that of the
/// change which it is over on the canvas.
pub(super) fn card_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    desk: &AssistDesk,
    offer: &Offer,
    pointed: Option<&NodeId>,
) -> (Rect, Option<NodeId>) {
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
        let hovered =
            if offer.level >= HelpLevel::Value { hunks_ui(ui, cx, offer, pointed) } else { None };
        ui.add_space(6.0);
        if desk.assistant.is_playing() {
            let stop = CommandButton::text(CommandId::StopAssistant).short("Stop");
            stop.with_icon(icons::STOP).with_key().show(ui, cx);
        } else {
            buttons_ui(ui, cx, offer);
        }
        hovered
    });
    (card.response.rect, card.inner)
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

/// The changes, all of them, each to be ticked; gives the layer of the one that the pointer is over.
fn hunks_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    offer: &Offer,
    pointed: Option<&NodeId>,
) -> Option<NodeId> {
    ui.add_space(4.0);
    let mut hovered = None;
    if offer.hunks.len() <= MOST_WHOLE {
        for hunk in offer.hunks.iter().enumerate() {
            if row_ui(ui, cx, offer, hunk, ChangeLayout::Whole, pointed) {
                hovered = Some(hunk.1.value.node.clone());
            }
        }
        return hovered;
    }
    // Rows of one height, so that of hundreds only those in view are laid out.
    let room = ui.available_width() - BAR;
    let are_beside = (offer.hunks.iter().enumerate())
        .all(|(at, hunk)| Texts::of(ui, hunk, offer.fitting.contains(&at)).fit_beside(room));
    let line = ui.spacing().interact_size.y;
    let (told, height) = if are_beside {
        (ChangeLayout::Beside, line)
    } else {
        (ChangeLayout::Below, 2.0 * line + ui.spacing().item_spacing.y)
    };
    let area = ScrollArea::vertical().id_salt("assist_hunks").max_height(SCROLLED);
    area.auto_shrink([false, true]).show_rows(ui, height, offer.hunks.len(), |ui, range| {
        for hunk in offer.hunks.iter().enumerate().take(range.end).skip(range.start) {
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
            let place = UiBuilder::new().id_salt(("assist_hunk", hunk.0));
            let inside = rect.with_max_x(rect.right() - BAR);
            let mut row = ui.new_child(place.max_rect(inside));
            if row_ui(&mut row, cx, offer, hunk, told, pointed) {
                hovered = Some(hunk.1.value.node.clone());
            }
        }
    });
    hovered
}

/// A change in its row, which is lit while the pointer is over it or over its layer's tag on the canvas; gives whether
/// it is over the row.
fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    offer: &Offer,
    hunk: (usize, &OfferedHunk),
    told: ChangeLayout,
    pointed: Option<&NodeId>,
) -> bool {
    let ground = ui.painter().add(Shape::Noop);
    let row = ui.scope(|ui| hunk_ui(ui, cx, offer, hunk, told)).response.rect;
    let row = Rect::from_x_y_ranges(ui.max_rect().x_range(), row.y_range());
    let is_hovered = ui.rect_contains_pointer(row);
    if is_hovered || pointed == Some(&hunk.1.value.node) {
        let around = row.expand2(vec2(4.0, 1.0));
        ui.painter().set(ground, Shape::rect_filled(around, size::RADIUS_SMALL, tokens(ui).raised));
    }
    is_hovered
}

/// What a change comes to.
fn what(hunk: &OfferedHunk) -> String {
    let value = &hunk.value;
    match hunk.change {
        GhostChange::Added => "added".to_owned(),
        GhostChange::Removed => "removed".to_owned(),
        GhostChange::Changed => format!("{} {} → {}", value.field.label(), value.from, value.to),
    }
}

fn name(hunk: &OfferedHunk) -> &str {
    if hunk.name.is_empty() { hunk.value.node.as_str() } else { &hunk.name }
}

/// The name of a change and what it comes to, laid out once: as they are measured they are drawn.
struct Texts {
    name: Arc<Galley>,
    what: Arc<Galley>,
}

impl Texts {
    /// `fits`: whether the change can still be taken.
    fn of(ui: &Ui, hunk: &OfferedHunk, fits: bool) -> Self {
        let (painter, tokens) = (ui.painter(), tokens(ui));
        let ink = if fits { tokens.text } else { tokens.dim };
        Self {
            name: painter.layout_no_wrap(name(hunk).to_owned(), Type::Body.font(), ink),
            what: painter.layout_no_wrap(what(hunk), Type::Caption.font(), tokens.dim),
        }
    }

    /// Whether both stand beside each other in so much room.
    fn fit_beside(&self, room: f32) -> bool {
        let left = room - self.name.size().x - 60.0;
        room >= NARROW && self.what.size().x <= left
    }
}

fn hunk_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    offer: &Offer,
    (at, hunk): (usize, &OfferedHunk),
    told: ChangeLayout,
) {
    let tokens = tokens(ui);
    let fits = offer.fitting.contains(&at);
    let (name, what, texts) = (name(hunk), what(hunk), Texts::of(ui, hunk, fits));
    let color = match hunk.change {
        _ if !fits => tokens.dim,
        GhostChange::Added => tokens.gain,
        GhostChange::Removed => tokens.loss,
        GhostChange::Changed => tokens.warn,
    };
    let is_beside = match told {
        ChangeLayout::Whole => texts.fit_beside(ui.available_width()),
        ChangeLayout::Beside => true,
        ChangeLayout::Below => false,
    };
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
        if !is_beside {
            let ink = if fits { tokens.text } else { tokens.dim };
            elided_label_ui(ui, name, Type::Body, ink);
            return;
        }
        ui.label(texts.name);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(texts.what));
    });
    if !is_beside {
        ui.horizontal(|ui| {
            ui.add_space(26.0);
            if told == ChangeLayout::Below {
                elided_label_ui(ui, &what, Type::Caption, tokens.dim);
            } else {
                ui.add(Label::new(rich_text(&what, Type::Caption, tokens.dim)).wrap());
            }
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

//! Three cards that show a newcomer around, once.

use egui::{Align, Id, Key, Layout, Modal, Modifiers, Ui, vec2};

use super::commands::{CommandId, command};
use super::context::ViewContext;
use super::icons;
use super::theme::{Type, tokens};
use super::widgets::{Button, Look, kbd_ui, rich_text};
use crate::workbench::{Command, TOUR_CARDS};

const WIDTH: f32 = 460.0;

/// A card: its icon and title, what it says, and the keys it names.
struct Card {
    icon: &'static str,
    title: &'static str,
    words: &'static str,
    keys: [(CommandId, &'static str); 3],
}

/// As many as [`TOUR_CARDS`].
static CARDS: [Card; TOUR_CARDS as usize] = [
    Card {
        icon: icons::PLAY,
        title: "Step through a run",
        words: "Choose a run at the left. The stage shows it beside its ground truth, with the heat of where \
                they differ; the timeline below has every call and the score after it.",
        keys: [
            (CommandId::StepForward, "next step"),
            (CommandId::NextLoss, "to where the score falls"),
            (CommandId::NextView, "swipe, onion skin, difference, blink"),
        ],
    },
    Card {
        icon: icons::EDIT,
        title: "Find the call that broke it",
        words: "Point at a hot area to see which call last touched it. What-if makes the run again without a \
                call, with another one or in another order, and says what each call brought.",
        keys: [
            (CommandId::NextLossArea, "to the next hot area"),
            (CommandId::InspectWhatIf, "what-if"),
            (CommandId::DropCall, "leave the selected call out"),
        ],
    },
    Card {
        icon: icons::TABLE,
        title: "Compare many, and label",
        words: "Explore has all runs in one table with filters, plots and the papers' figures. Annotate is where \
                people label them. Whatever you look for, type its name.",
        keys: [
            (CommandId::ShowExplore, "explore"),
            (CommandId::ShowAnnotate, "annotate"),
            (CommandId::Palette, "go to anything"),
        ],
    },
];

/// Draws the card of this place.
pub(super) fn tour_ui(ui: &Ui, cx: &ViewContext<'_>, at: u8) {
    let Some(card) = CARDS.get(usize::from(at)) else { return };
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("tour"))
        .frame(tokens.overlay_frame().inner_margin(20))
        .backdrop_color(tokens.backdrop);
    let shown = modal.show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        ui.horizontal(|ui| {
            ui.label(rich_text(card.icon, Type::Icon, tokens.accent));
            ui.label(rich_text(card.title, Type::Title, tokens.text));
        });
        ui.add_space(8.0);
        ui.add(egui::Label::new(rich_text(card.words, Type::Body, tokens.text)).wrap());
        ui.add_space(10.0);
        // Keys as they are bound now: who changed them learns their own.
        for (id, words) in card.keys {
            ui.horizontal(|ui| {
                ui.set_min_height(26.0);
                let key = command(id).key(ui, cx.state).unwrap_or_default();
                ui.allocate_ui_with_layout(
                    vec2(110.0, 22.0),
                    Layout::left_to_right(Align::Center),
                    |ui| {
                        ui.set_min_width(110.0);
                        kbd_ui(ui, &key);
                    },
                );
                ui.label(rich_text(words, Type::Body, tokens.dim));
            });
        }
        ui.add_space(14.0);
        buttons_ui(ui, cx, at);
    });
    if shown.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, at: u8) {
    let go = |to: u8| cx.send(Command::ShowTour(to));
    ui.horizontal(|ui| {
        let place = format!("{} of {TOUR_CARDS}", at + 1);
        ui.label(rich_text(place, Type::Caption, tokens(ui).dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_last = at + 1 == TOUR_CARDS;
            let words = if is_last { "Begin" } else { "Next" };
            let next = Button::text(words).look(Look::Primary).key(Some("Enter".to_owned()));
            let is_clicked = next.show(ui).clicked();
            // Enter on another button presses that one.
            let is_free = ui.memory(|memory| memory.focused().is_none());
            let is_entered =
                is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if is_clicked || is_entered {
                if is_last { cx.send(Command::CloseOverlay) } else { go(at + 1) }
            }
            if at > 0 && Button::text("Back").show(ui).clicked() {
                go(at - 1);
            }
            if !is_last {
                let skip = Button::text("Skip").look(Look::Tool).key(Some("Esc".to_owned()));
                if skip.tooltip("It does not come again; the palette has it.").show(ui).clicked() {
                    cx.send(Command::CloseOverlay);
                }
            }
        });
    });
}

//! The assistant: the goal, what was done since, what was said, and the step it offers.
//!
//! | file | draws |
//! |---|---|
//! | [`header`] | who is asked, and its menu |
//! | [`goal`] | what is to come of the design, and how far it is |
//! | [`history`] | what was done, and what was said |
//! | [`card`] | the step that is offered |
//! | [`measures`] | how the work went, in numbers |
//! | [`parts`] | what these have in common |
//!
//! Nothing here changes the design; that takes a command.

mod card;
mod goal;
mod header;
mod history;
mod measures;
mod parts;

use egui::{Frame, Id, Key, Label, Layout, Margin, Panel, ScrollArea, TextEdit, Ui};

use crate::design::NodeId;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, hairline_ui, kbd_ui, rich_text, with_escape};
use crate::workbench::{AssistDesk, AssistantCommand, AssistantDesk};

use goal::GoalPicture;
use parts::send;

/// How long an offer is in view until it counts as shown, in seconds.
const SHOWN_SECS: f64 = 0.5;
/// Between two changes that are carried out one after the other, in seconds.
const PLAY_SECS: f64 = 0.45;

/// What belongs to the panel alone.
#[derive(Debug, Default)]
pub(super) struct AssistantPanel {
    /// What is being typed.
    text: String,
    /// Whether the field is to have the cursor.
    focuses: bool,
    goal: GoalPicture,
    /// Whether all that was done is listed.
    lists_all: bool,
    /// The offer in view, and since when.
    in_view: Option<(u32, f64)>,
    /// When the next change is carried out.
    plays_at: Option<f64>,
    /// The steps that there were when a hand last did something, and when that was.
    idle: Option<(u64, f64)>,
}

impl AssistantPanel {
    /// Puts the cursor into the field.
    pub(super) fn focus(&mut self) {
        self.focuses = true;
    }

    /// Draws the panel; gives the layer of the change that the pointer is over. `pointed`: that of the change which it
    /// is over on the canvas.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        pointed: Option<&NodeId>,
    ) -> Option<NodeId> {
        let assistant = &desk.assistant;
        if assistant.is_hidden {
            return None;
        }
        self.wait_for_idleness(ui, cx, desk);
        header::header_ui(ui, cx, desk);
        let below = Frame::new().inner_margin(Margin::symmetric(12, 8));
        Panel::bottom("assist_ask").resizable(false).frame(below).show(ui, |ui| {
            self.field_ui(ui, cx);
        });
        self.goal.show(ui, desk);
        hairline_ui(ui);
        let inside = Frame::new().inner_margin(Margin::symmetric(12, 8));
        let area = ScrollArea::vertical().id_salt("assist_talk").auto_shrink(false);
        let shown = area.stick_to_bottom(true).show(ui, |ui| {
            inside.show(ui, |ui| {
                ui.set_width(ui.available_width());
                history::done_ui(ui, assistant, &mut self.lists_all);
                history::talk_ui(ui, assistant);
                if assistant.shows_measures {
                    measures::measures_ui(ui, assistant);
                }
                self.offer_ui(ui, cx, desk, pointed)
            })
        });
        shown.inner.inner
    }

    /// The step that is offered, or what there is to ask for.
    fn offer_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        pointed: Option<&NodeId>,
    ) -> Option<NodeId> {
        let assistant = &desk.assistant;
        if assistant.is_thinking() {
            thinking_ui(ui, cx, assistant);
        }
        let Some(offer) = &assistant.offer else {
            self.in_view = None;
            if !assistant.is_thinking() {
                ask_ui(ui, cx);
            }
            return None;
        };
        let (card, hovered) = card::card_ui(ui, cx, desk, offer, pointed);
        let now = ui.input(|input| input.time);
        if !ui.is_rect_visible(card) || offer.is_shown {
            self.in_view = None;
            return hovered;
        }
        let since = match self.in_view {
            Some((number, since)) if number == offer.number => since,
            _ => now,
        };
        self.in_view = Some((offer.number, since));
        if now - since >= SHOWN_SECS {
            send(cx, AssistantCommand::Shown(offer.number));
        } else {
            let left = (SHOWN_SECS - (now - since)).max(0.01);
            ui.request_repaint_after(std::time::Duration::from_secs_f64(left));
        }
        hovered
    }

    /// Has the next change carried out, if one is due, whether the panel is seen or not.
    pub(super) fn play(&mut self, ui: &Ui, cx: &ViewContext<'_>, assistant: &AssistantDesk) {
        if !assistant.is_playing() {
            self.plays_at = None;
            return;
        }
        let now = ui.input(|input| input.time);
        let due = *self.plays_at.get_or_insert(now + PLAY_SECS);
        if now >= due {
            self.plays_at = Some(now + PLAY_SECS);
            send(cx, AssistantCommand::PlayNext);
        }
        ui.request_repaint_after(std::time::Duration::from_secs_f64((due - now).max(0.02)));
    }

    /// Asks for a step once nobody did anything for as long as was set.
    fn wait_for_idleness(&mut self, ui: &Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let Some(secs) = desk.assistant.idle_secs else {
            self.idle = None;
            return;
        };
        let (now, has_input) =
            ui.input(|input| (input.time, !input.events.is_empty() || input.pointer.any_down()));
        let steps = desk.editor.steps();
        let is_busy = desk.assistant.is_thinking() || desk.assistant.offer.is_some();
        let since = match self.idle {
            Some((of, since)) if of == steps && !has_input && !is_busy => since,
            _ => now,
        };
        self.idle = Some((steps, since));
        if is_busy {
            return;
        }
        if now - since >= secs {
            self.idle = Some((steps, now));
            send(cx, AssistantCommand::Ask);
        } else {
            let left = (secs - (now - since)).max(0.05);
            ui.request_repaint_after(std::time::Duration::from_secs_f64(left));
        }
    }

    fn field_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        let mut is_sent = false;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                let button = Button::icon(icons::BECOMES, "Send").look(Look::Raised);
                let can_send = !self.text.trim().is_empty();
                is_sent = button.enabled(can_send).show(ui).clicked();
                let hint = "Ask, or say what you want to do";
                let field = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("assist_field"))
                    .hint_text(rich_text(hint, Type::Body, tokens.dim))
                    .event_filter(with_escape())
                    .margin(Margin::symmetric(8, 5))
                    .desired_width(f32::INFINITY);
                let response = ui.add(field).accessible_name("Ask the assistant");
                if std::mem::take(&mut self.focuses) {
                    response.request_focus();
                }
                if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                    response.surrender_focus();
                }
                is_sent |= response.lost_focus() && ui.input(|it| it.key_pressed(Key::Enter));
            });
        });
        if is_sent && !self.text.trim().is_empty() {
            send(cx, AssistantCommand::Say(std::mem::take(&mut self.text)));
        }
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let words = "Nothing changes until you accept it.";
            ui.label(rich_text(words, Type::Caption, tokens.dim));
            if let Some(key) = command(CommandId::RefuseSuggestion).key(ui, cx.state) {
                kbd_ui(ui, &key);
                ui.label(rich_text("refuses", Type::Caption, tokens.dim));
            }
        });
    }
}

/// What there is to ask for while nothing is offered.
fn ask_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        let next = CommandButton::text(CommandId::AskStep).short("Next step");
        next.look(Look::Primary).with_key().show(ui, cx);
        CommandButton::text(CommandId::ShowMe).with_key().show(ui, cx);
        CommandButton::text(CommandId::CheckWork).show(ui, cx);
    });
}

/// While a step is looked for, or a model asked: its words as they come, and a way to stop it.
fn thinking_ui(ui: &mut Ui, cx: &ViewContext<'_>, assistant: &AssistantDesk) {
    let tokens = tokens(ui);
    ui.add_space(4.0);
    match assistant.heard() {
        Some("") => {
            ui.label(rich_text("Asking the model…", Type::Body, tokens.dim));
        }
        Some(words) => {
            ui.add(Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        }
        None => {
            ui.label(rich_text("Looking for a step…", Type::Body, tokens.dim));
        }
    }
    ui.add_space(4.0);
    let stop = CommandButton::text(CommandId::StopAssistant).short("Stop");
    stop.with_icon(icons::STOP).with_key().show(ui, cx);
}

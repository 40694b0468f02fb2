//! The filter across the room, and below it how it may go on.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{EventFilter, Id, Key, Margin, Modifiers, Popup, TextBuffer, TextEdit, Ui, vec2};

use super::parts::explore;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::filter_text::colored;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{Button, Look, grouped, rich_text};
use crate::workbench::{ExploreCommand, SavedFilter};

/// What is being typed; the state has what was sent.
#[derive(Debug, Default)]
pub(super) struct FilterLine {
    text: String,
    wants_focus: bool,
    has_focus: bool,
    /// Which way to go on is chosen.
    chosen: usize,
    /// The name of a filter that is being saved.
    name: String,
}

impl FilterLine {
    /// Puts the cursor in, next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Draws the line and what is below it.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        // While it is typed into, the field is ahead of the state by a frame and must not be overwritten.
        if !self.has_focus {
            self.text.clone_from(&cx.state.explore.view.filter);
        }
        let tokens = tokens(ui);
        ui.add_space(7.0);
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            let room = ui.available_width() - 172.0;
            self.field_ui(ui, cx, tokens, room);
            self.saved_ui(ui, cx);
            CommandButton::icon(CommandId::FilterBack, icons::UNDO).show(ui, cx);
            ui.add_space(6.0);
        });
        ui.add_space(3.0);
        self.below_ui(ui, cx, tokens);
        ui.add_space(5.0);
    }

    fn field_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, tokens: &Tokens, width: f32) {
        let table = &cx.state.explore.table;
        let outline = match &table.problem {
            Some(_) => tokens.warn,
            None if self.has_focus => tokens.accent,
            None => tokens.hairline,
        };
        let frame = egui::Frame::new()
            .stroke(egui::Stroke::new(1.0, outline))
            .corner_radius(size::RADIUS)
            .inner_margin(Margin::symmetric(8, 0));
        let frame = frame.show(ui, |ui| {
            ui.set_width((width - 16.0).max(80.0));
            ui.set_height(size::BUTTON - 2.0);
            ui.horizontal_centered(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(rich_text(icons::FILTER, Type::Icon, tokens.dim));
                let all = grouped(table.runs.len() as u64);
                let counts = match table.awaited {
                    0 => format!("{} of {all} runs", grouped(table.shown.len() as u64)),
                    awaited => format!(
                        "{} of {all} runs · {} not known yet",
                        grouped(table.shown.len() as u64),
                        grouped(awaited as u64)
                    ),
                };
                // Measured first, as the field gets the room that the counts leave.
                let room = crate::ui::widgets::text_width(ui, &counts, Type::Caption) + 34.0;
                self.edit_ui(ui, cx, tokens, room);
                ui.label(rich_text(counts, Type::Caption, tokens.dim));
                let clear = Button::icon(icons::CLOSE, "Clear the filter")
                    .look(Look::Tool)
                    .height(20.0)
                    .tooltip("Show every run again.")
                    .enabled(!self.text.is_empty());
                if clear.show(ui).clicked() {
                    self.put(ui, cx, String::new());
                }
            });
        });
        // The frame answers to nothing; the field inside it does.
        let _frame: egui::Response = frame.response;
    }

    fn id() -> Id {
        Id::unique("explore_filter_field")
    }

    fn edit_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, tokens: &Tokens, beside: f32) {
        let id = Self::id();
        self.keys(ui, cx);
        let hint = rich_text(
            "Filter: model:gpt-4.1 ssim<0.7 tool:set_layout_mode error:any turns>20",
            Type::Body,
            tokens.dim,
        );
        // Keys that choose a completion are the field's: egui would move the focus with them.
        let own = EventFilter { tab: true, escape: true, vertical_arrows: true, ..horizontal() };
        let response = ui
            .add(
                TextEdit::singleline(&mut self.text)
                    .id(id)
                    .frame(egui::Frame::NONE)
                    .margin(Margin::ZERO)
                    .align(egui::Align2::LEFT_CENTER)
                    .min_size(vec2(0.0, 18.0))
                    .desired_width((ui.available_width() - beside).max(40.0))
                    .hint_text(hint)
                    .event_filter(own)
                    .layouter(&mut |ui: &Ui, text: &dyn TextBuffer, _wrap: f32| {
                        let job = colored(text.as_str(), &cx.state.variants, tokens);
                        ui.painter().layout_job(job)
                    }),
            )
            .accessible_name("Filter the table");
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
        }
        if self.has_focus && ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
        }
        self.has_focus = response.has_focus();
        if response.changed() {
            self.chosen = 0;
            explore(cx, ExploreCommand::SetFilter(self.text.clone()));
        }
    }

    /// Tab takes the way to go on that is chosen, the arrows choose another, Enter leaves the field.
    fn keys(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let ways = &cx.state.explore.table.completions;
        // Of the text in the state: what was typed in this frame is not known there yet.
        if !self.has_focus || ways.is_empty() || self.text != cx.state.explore.view.filter {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::ArrowDown) {
            self.chosen = (self.chosen + 1) % ways.len();
        }
        if pressed(Key::ArrowUp) {
            self.chosen = (self.chosen + ways.len() - 1) % ways.len();
        }
        if pressed(Key::Tab)
            && let Some(way) = ways.get(self.chosen.min(ways.len() - 1))
        {
            self.put(ui, cx, way.filter.clone());
        }
    }

    /// Puts a filter into the field, the cursor at its end.
    fn put(&mut self, ui: &Ui, cx: &ViewContext<'_>, filter: String) {
        self.text = filter;
        self.chosen = 0;
        let end = CCursor::new(self.text.chars().count());
        let mut state = TextEditState::load(ui.ctx(), Self::id()).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::one(end)));
        state.store(ui.ctx(), Self::id());
        explore(cx, ExploreCommand::SetFilter(self.text.clone()));
    }

    fn below_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, tokens: &Tokens) {
        let table = &cx.state.explore.table;
        ui.horizontal(|ui| {
            ui.set_min_height(size::ROW);
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.add_space(12.0);
            // While it is typed a filter is wrong most of the time; what may follow is of more use then.
            if let Some(problem) =
                table.problem.as_ref().filter(|_| !self.has_focus || table.completions.is_empty())
            {
                let words = format!("{}. Until then, every run is shown.", problem.message);
                crate::ui::widgets::elided_label_ui(ui, &words, Type::Caption, tokens.warn);
                return;
            }
            // The room stays, or the table would move with every letter.
            if table.completions.is_empty() {
                return;
            }
            ui.label(rich_text("Go on with", Type::Caption, tokens.dim));
            let mut taken = None;
            for (at, way) in table.completions.iter().enumerate() {
                let words = match way.runs {
                    Some(runs) => format!("{} {}", way.term, grouped(runs as u64)),
                    None => way.term.clone(),
                };
                // What has no room is had by typing on.
                if ui.available_width()
                    < crate::ui::widgets::text_width(ui, &words, Type::Body) + 150.0
                {
                    break;
                }
                let is_chosen = self.has_focus && at == self.chosen;
                let button = Button::text(&words).compact().height(22.0).selected(is_chosen);
                if button.tooltip("Put this into the filter.").show(ui).clicked() {
                    taken = Some(way.filter.clone());
                }
            }
            if let Some(filter) = taken {
                self.put(ui, cx, filter);
                self.wants_focus = true;
            }
            if self.has_focus {
                ui.label(rich_text("Tab takes it, ↓ ↑ choose", Type::Caption, tokens.dim));
            }
        });
    }

    fn saved_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let button =
            Button::text("Saved").with_icon(icons::STAR).tooltip("Filters with a name.").show(ui);
        Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_min_width(260.0);
            let view = &cx.state.explore.view;
            if view.saved.is_empty() {
                let words = "No filter is saved. Type one, give it a name, and it stays from session to session.";
                // In a menu's own layout words would be spread to both edges.
                ui.horizontal_wrapped(|ui| ui.label(rich_text(words, Type::Caption, tokens(ui).dim)));
            }
            let mut taken = None;
            for SavedFilter { name, filter } in &view.saved {
                ui.horizontal(|ui| {
                    if ui.button(name).on_hover_text(filter).clicked() {
                        taken = Some(filter.clone());
                    }
                    let forget = format!("Forget {name}");
                    let forget = Button::icon(icons::CLOSE, &forget).look(Look::Tool).height(20.0);
                    if forget.tooltip("Forget this filter.").show(ui).clicked() {
                        explore(cx, ExploreCommand::ForgetFilter(name.clone()));
                    }
                });
            }
            if let Some(filter) = taken {
                self.put(ui, cx, filter);
            }
            ui.separator();
            ui.horizontal(|ui| {
                let hint = rich_text("Name", Type::Body, tokens(ui).dim);
                let field = TextEdit::singleline(&mut self.name)
                    .id(Id::unique("filter_name")).desired_width(150.0).hint_text(hint);
                let field = field.margin(Margin::symmetric(8, 5));
                ui.add(field).accessible_name("Name of the filter");
                let save = Button::text("Save").enabled(!self.text.trim().is_empty());
                if save.tooltip("Keep the filter that is on under this name.").show(ui).clicked() {
                    explore(cx, ExploreCommand::SaveFilter(std::mem::take(&mut self.name)));
                }
            });
        });
    }
}

fn horizontal() -> EventFilter {
    EventFilter { horizontal_arrows: true, ..EventFilter::default() }
}

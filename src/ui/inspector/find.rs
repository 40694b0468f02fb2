//! The field that finds words in the run, and what was found.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Id, Key, Layout, Margin, ScrollArea, Sense, TextEdit, Ui, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, grouped, hairline_ui, rich_text, with_escape};
use crate::workbench::{Command, FindCommand, Found};

/// Rows seen at once.
const ROWS: f32 = 5.0;

/// What is being typed; the state has what was sent.
#[derive(Debug, Default)]
pub(super) struct FindField {
    text: String,
    wants_focus: bool,
    has_focus: bool,
    /// The place that the list was last scrolled to.
    scrolled_to: Option<usize>,
}

impl FindField {
    /// Puts the cursor in, next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Draws the field and the list, if they are open.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        if !cx.state.find.is_open {
            return;
        }
        if !self.has_focus {
            self.text.clone_from(&cx.state.find.query);
        }
        egui::Frame::new().inner_margin(Margin::symmetric(8, 6)).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    Self::buttons_ui(ui, cx);
                    self.field_ui(ui, cx);
                });
            });
        });
        self.list_ui(ui, cx);
        hairline_ui(ui);
    }

    fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
        let find = &cx.state.find;
        let close = Button::icon(icons::CLOSE, "Close the search").look(Look::Tool);
        if close.key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::Find(FindCommand::Close));
        }
        // From the right: the field gets what buttons and count leave, and nothing moves as the count grows.
        let is_any = !find.found.is_empty();
        for (icon, name, key, by) in [
            (icons::UNFOLDED, "Next match", "Enter", 1),
            (icons::CARET_UP, "Previous match", "Shift Enter", -1),
        ] {
            let button = Button::icon(icon, name).look(Look::Tool).enabled(is_any);
            if button.key(Some(key.to_owned())).show(ui).clicked() {
                cx.send(Command::Find(FindCommand::By(by)));
            }
        }
        let words = match (find.at, find.found.len()) {
            _ if find.query.trim().is_empty() => String::new(),
            (_, 0) => "No match".to_owned(),
            (Some(at), count) => format!("{} of {}", grouped(at as u64 + 1), grouped(count as u64)),
            (None, count) => grouped(count as u64),
        };
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
        ui.add_space(4.0);
    }

    fn field_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let hint = rich_text("Find in the run", Type::Body, tokens(ui).dim);
        let field = TextEdit::singleline(&mut self.text)
            .id(Id::unique("find_in_run"))
            .hint_text(hint)
            .margin(Margin::symmetric(8, 4))
            .align(Align2::LEFT_CENTER)
            .event_filter(with_escape())
            .desired_width(ui.available_width());
        let response = ui.add(field).accessible_name("Find in the run");
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
        }
        let (escape, enter, shift) = ui.input(|input| {
            (input.key_pressed(Key::Escape), input.key_pressed(Key::Enter), input.modifiers.shift)
        });
        let had_focus = std::mem::replace(&mut self.has_focus, response.has_focus());
        if response.changed() {
            cx.send(Command::Find(FindCommand::SetQuery(self.text.clone())));
        }
        if had_focus && enter {
            // The field gives up the keyboard with Enter, and is wanted for the next.
            self.wants_focus = true;
            cx.send(Command::Find(FindCommand::By(if shift { -1 } else { 1 })));
        }
        if had_focus && escape {
            response.surrender_focus();
            cx.send(Command::Find(FindCommand::Close));
        }
    }

    fn list_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let find = &cx.state.find;
        if find.found.is_empty() {
            return;
        }
        let rows = (find.found.len() as f32).min(ROWS);
        let mut area = ScrollArea::vertical()
            .id_salt("found")
            .max_height(rows * size::ROW)
            .auto_shrink([false, true]);
        // Once a match, so that the list can be scrolled away from it.
        if self.scrolled_to != find.at {
            self.scrolled_to = find.at;
            let at = find.at.unwrap_or_default() as f32;
            area = area.vertical_scroll_offset(((at - 2.0) * size::ROW).max(0.0));
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        area.show_rows(ui, size::ROW, find.found.len(), |ui, range| {
            for index in range {
                let Some(found) = find.found.get(index) else { continue };
                if found_ui(ui, index, found, find.at == Some(index)) {
                    cx.send(Command::Find(FindCommand::GoTo(index)));
                }
            }
        });
    }
}

/// A place in a line; whether it was clicked.
fn found_ui(ui: &mut Ui, index: usize, found: &Found, is_selected: bool) -> bool {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (_, rect) = ui.allocate_space(wanted);
    let response = ui.interact(rect, Id::unique(("found", index)), Sense::click());
    let name = format!("Step {}, {}: {}", found.step, found.place.label(), found.excerpt);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, is_selected, &name)
    });
    let body = rect.shrink2(vec2(6.0, 0.0));
    if is_selected {
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.accent_wash);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.raised);
    }
    let quiet = TextFormat::simple(Type::Caption.font(), tokens.dim);
    let plain = TextFormat::simple(Type::Body.font(), tokens.text);
    let marked = TextFormat { background: tokens.warn_wash, ..plain.clone() };
    let mut job = LayoutJob::default();
    job.append(&format!("{} · {}", found.step, found.place.label()), 0.0, quiet);
    // The words around it stay plain: the mark is what the eye looks for.
    let parts = [
        (0..found.span.start, 10.0, &plain),
        (found.span.clone(), 0.0, &marked),
        (found.span.end..found.excerpt.len(), 0.0, &plain),
    ];
    for (range, space, format) in parts {
        job.append(found.excerpt.get(range).unwrap_or_default(), space, format.clone());
    }
    job.wrap = egui::text::TextWrapping::truncate_at_width(body.width() - 16.0);
    let galley = ui.painter().layout_job(job);
    let at = body.left_center() + vec2(8.0, -galley.size().y * 0.5);
    ui.painter().galley(at, galley, tokens.text);
    response.clicked()
}

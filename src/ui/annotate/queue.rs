//! The queue: how far somebody is, and every item.

use egui::{Align, Align2, Frame, Layout, Margin, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::parts::{annotate, item_name};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, count, elided_label_ui, hairline_ui, paint_text,
    progress_bar_ui, rich_text,
};
use crate::workbench::views::{QueueFilter, queue_rows};
use crate::workbench::{AnnotateCommand, Desk, UnitState};

/// Fewer answers than this say nothing of how long the rest takes.
const LEAST_FOR_ESTIMATE: usize = 3;

/// What the panel remembers.
#[derive(Debug, Default)]
pub(super) struct QueuePanel {
    filter: QueueFilter,
    /// The unit that was in sight last: the list follows only when it changes.
    shown: Option<usize>,
}

impl QueuePanel {
    /// Draws the panel. `worked`: minutes without a break, once one is due.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, worked: Option<u64>) {
        let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
        let tokens = tokens(ui);
        let margin = Margin::symmetric(size::GUTTER as i8, 8);
        Frame::new().inner_margin(margin).show(ui, |ui| {
            elided_label_ui(ui, &labels.project.name, Type::Strong, tokens.text);
            let form = desk.unit().and_then(|unit| labels.form(unit)).or(labels.forms.first());
            let title = form.map_or("", |form| form.title.in_language(&desk.language));
            elided_label_ui(ui, title, Type::Body, tokens.dim);
            ui.add_space(4.0);
            progress_ui(ui, desk);
            if let Some(minutes) = worked {
                let words = format!("{minutes} min without a break: time for one?");
                ui.label(rich_text(words, Type::Caption, tokens.warn));
            }
        });
        self.filter_ui(ui, desk);
        hairline_ui(ui);
        // The list has what head and foot leave; egui gives a scroll area all there is.
        let foot = 40.0;
        let height = (ui.available_height() - foot).max(40.0);
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| self.list_ui(ui, cx, desk));
        hairline_ui(ui);
        ui.horizontal_centered(|ui| {
            ui.add_space(8.0);
            let guide = CommandButton::text(CommandId::ShowGuide).short("Guide").look(Look::Tool);
            guide.selected(desk.shows_guide).show(ui, cx);
            if !labels.project.study.examples.is_empty() {
                let examples = Button::text("Examples").look(Look::Tool);
                if examples.tooltip("Show the good and bad examples again.").show(ui).clicked() {
                    annotate(cx, AnnotateCommand::ToggleExamples);
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(8.0);
                CommandButton::text(CommandId::GetUp).short(PERSON).look(Look::Tool).show(ui, cx);
                elided_label_ui(ui, &desk.person, Type::Body, tokens.dim);
            });
        });
    }

    fn filter_ui(&mut self, ui: &mut Ui, desk: &Desk) {
        let progress = &desk.progress;
        let open = progress.all() - progress.answered();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(6.0);
            let filters = [
                (QueueFilter::All, "All".to_owned(), "Every item.", true),
                (QueueFilter::Open, format!("To do {open}"), "Items without an answer.", true),
                (
                    QueueFilter::Skipped,
                    format!("Skipped {}", progress.skipped()),
                    "Items that were put off.",
                    progress.skipped() > 0,
                ),
                (
                    QueueFilter::Flagged,
                    format!("Flagged {}", progress.flagged()),
                    "Items with which something is wrong.",
                    progress.flagged() > 0,
                ),
            ];
            for (filter, words, tooltip, is_any) in filters {
                // Without any of them there is nothing to choose; the one that is chosen stays.
                if !is_any && self.filter != filter {
                    continue;
                }
                let button = Button::text(&words).look(Look::Tool).tooltip(tooltip).compact();
                if button.selected(self.filter == filter).show(ui).clicked() {
                    self.filter = filter;
                }
            }
        });
        ui.add_space(4.0);
    }

    fn list_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk) {
        let rows = queue_rows(cx.state, self.filter);
        if rows.is_empty() {
            ui.add_space(8.0);
            ui.vertical_centered(|ui| {
                ui.label(rich_text("None", Type::Body, tokens(ui).dim));
            });
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        let offset = self.offset(ui, &rows, desk.at);
        let area = match offset {
            Some(offset) => area.vertical_scroll_offset(offset),
            None => area,
        };
        area.show_rows(ui, size::ROW, rows.len(), |ui, range| {
            for at in rows.get(range).unwrap_or_default() {
                let state = desk.progress.states.get(*at).copied().unwrap_or_default();
                row_ui(ui, cx, *at, state, *at == desk.at);
            }
        });
    }

    /// Where to scroll, once the unit on the screen is another one.
    fn offset(&mut self, ui: &Ui, rows: &[usize], at: usize) -> Option<f32> {
        if self.shown.replace(at) == Some(at) {
            return None;
        }
        let row = rows.iter().position(|row| *row == at)?;
        let height = ui.available_height();
        Some((row as f32 * size::ROW - height * 0.4).max(0.0))
    }
}

/// What the button that lets somebody else sit down says, where a name stands beside it.
const PERSON: &str = "Change";

fn progress_ui(ui: &mut Ui, desk: &Desk) {
    let tokens = tokens(ui);
    let progress = &desk.progress;
    tokens.card_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let done = progress.answered().to_string();
            ui.label(rich_text(done, Type::Title, tokens.text));
            let words = format!("of {} answered", progress.all());
            ui.label(rich_text(words, Type::Body, tokens.dim));
        });
        let share = progress.answered() as f32 / progress.all().max(1) as f32;
        progress_bar_ui(ui, "Answered", Some(share), ui.available_width());
        ui.label(rich_text(estimate(desk), Type::Caption, tokens.dim));
    });
}

/// How long the rest takes, if answers took long enough to say.
fn estimate(desk: &Desk) -> String {
    let left = (desk.progress.all() - desk.progress.answered()) as u64;
    if left == 0 {
        return "all done".to_owned();
    }
    match desk.progress.median_millis() {
        Some((median, answers)) if answers >= LEAST_FOR_ESTIMATE => {
            let minutes = (median * left).div_ceil(60_000);
            format!("about {minutes} min left · {} s each, median", median.div_ceil(1000))
        }
        _ => count(desk.progress.all() - desk.progress.answered(), "item") + " left",
    }
}

fn row_ui(ui: &mut Ui, cx: &ViewContext<'_>, at: usize, state: UnitState, is_now: bool) {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, at, wanted, Sense::click());
    let name = item_name(cx.state, at);
    let words = state_words(state);
    let told = format!("{name}, {words}");
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_now, &told));
    let body = rect.shrink2(vec2(6.0, 0.0));
    if is_now {
        ui.painter().rect_filled(body, size::RADIUS, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(body, size::RADIUS, tokens.raised);
    }
    // What is to be looked at again goes before what is done.
    let (icon, ink) = match state {
        UnitState { is_flagged: true, .. } => (icons::FLAG, tokens.warn),
        UnitState { is_answered: true, revisions: 1.., .. } => (icons::EDIT, tokens.dim),
        UnitState { is_answered: true, .. } => (icons::DONE, tokens.gain),
        UnitState { is_skipped: true, .. } => (icons::SKIP, tokens.dim),
        UnitState { .. } => (icons::OPEN_ITEM, tokens.faint),
    };
    let left = Align2::LEFT_CENTER;
    let painter = ui.painter();
    paint_text(painter, body.left_center() + vec2(8.0, 0.0), left, icon, (Type::Icon, ink), 20.0);
    let at_name = body.left_center() + vec2(30.0, 0.0);
    let name = paint_text(painter, at_name, left, &name, (Type::Body, tokens.text), 120.0);
    let aside = match (is_now, state.millis) {
        (true, _) => "now".to_owned(),
        (false, Some(millis)) if state.is_answered => format!("{} s", millis.div_ceil(1000)),
        (false, _) if state.is_skipped => "skipped".to_owned(),
        (false, _) => String::new(),
    };
    let right = body.right_center() - vec2(8.0, 0.0);
    let room = right.x - name.right() - 8.0;
    paint_text(painter, right, Align2::RIGHT_CENTER, &aside, (Type::Caption, tokens.dim), room);
    if response.clicked() {
        annotate(cx, AnnotateCommand::GoTo(at));
    }
}

fn state_words(state: UnitState) -> &'static str {
    match state {
        UnitState { is_flagged: true, .. } => "flagged",
        UnitState { is_answered: true, revisions: 1.., .. } => "answered, changed since",
        UnitState { is_answered: true, .. } => "answered",
        UnitState { is_skipped: true, .. } => "skipped",
        UnitState { .. } => "to do",
    }
}

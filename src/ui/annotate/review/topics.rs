//! Every question with how far people agree, and the items of one.

use egui::{
    Align, Align2, Frame, Layout, Margin, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};

use super::interval::{agreement_ink, agreement_ui, two};
use crate::label::Provenance;
use crate::label::agreement::QuestionAgreement;
use crate::ui::annotate::parts::{annotate, item_name};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, elided_label_ui, hairline_ui, paint_text, rich_text,
    section_header_ui,
};
use crate::workbench::{
    AnnotateCommand, Desk, OpenLabels, Review, ReviewCommand, ReviewFindings, ReviewList,
    ReviewRow, Topic, views,
};

/// A topic's row.
const TOPIC: f32 = 28.0;

/// What the panel remembers.
#[derive(Debug, Default)]
pub(in crate::ui::annotate) struct TopicsPanel {
    /// The item that was in sight last: the list follows only when it changes.
    shown: Option<(usize, usize)>,
    /// The topic that was in sight last.
    topic: Option<usize>,
}

impl TopicsPanel {
    /// Draws the panel.
    pub(in crate::ui::annotate) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
        let Some(review) = &desk.review else { return };
        let tokens = tokens(ui);
        let margin = Margin::symmetric(size::GUTTER as i8, 8);
        Frame::new().inner_margin(margin).show(ui, |ui| {
            elided_label_ui(ui, &labels.project.name, Type::Strong, tokens.text);
            elided_label_ui(ui, "Krippendorff’s α, 95 %", Type::Body, tokens.dim);
        });
        let found = views::findings(cx.state);
        let room = (ui.available_height() * 0.45).max(120.0);
        let area = ScrollArea::vertical().id_salt("review_topics").max_height(room);
        area.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            // Once a change, or nobody could scroll away from it.
            let moved = self.topic.replace(review.topic) != Some(review.topic);
            let response = topics_ui(ui, cx, (labels, desk, review), found.map(AsRef::as_ref));
            if let Some(response) = response.filter(|_| moved) {
                response.scroll_to_me(None);
            }
        });
        hairline_ui(ui);
        let Some(found) = found else {
            ui.add_space(12.0);
            ui.vertical_centered(|ui| {
                ui.label(rich_text("Counting…", Type::Body, tokens.dim));
            });
            return;
        };
        lists_ui(ui, cx, review, found);
        let foot = 40.0;
        let height = (ui.available_height() - foot).max(40.0);
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| self.rows_ui(ui, cx, desk, review));
        hairline_ui(ui);
        ui.horizontal_centered(|ui| {
            ui.add_space(size::GUTTER);
            elided_label_ui(ui, &desk.person, Type::Body, tokens.dim);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(8.0);
                let leave = CommandButton::text(CommandId::GetUp).short("Leave").look(Look::Tool);
                leave.show(ui, cx);
            });
        });
    }

    fn rows_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk, review: &Review) {
        let rows = views::review_rows(cx.state);
        if rows.is_empty() {
            ui.add_space(12.0);
            ui.vertical_centered(|ui| {
                let words = match review.list {
                    ReviewList::ToSettle => "Nothing is left to settle here.",
                    ReviewList::Differ => "Everybody answered the same.",
                    ReviewList::All => "Nobody answered it yet.",
                };
                ui.label(rich_text(words, Type::Body, tokens(ui).dim));
            });
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let now = desk.unit().map(|unit| unit.turn.index);
        let area = ScrollArea::vertical().id_salt("review_rows").auto_shrink([false, false]);
        let shown = now.map(|now| (review.topic, now));
        let moved = shown.is_some() && self.shown != shown;
        self.shown = shown;
        // Rows out of sight are not drawn and cannot scroll themselves into it: their place is worked out.
        let at = rows.iter().position(|row| Some(row.item) == now).filter(|_| moved);
        let area = match at {
            Some(at) => {
                let offset = at as f32 * size::ROW - ui.available_height() * 0.4;
                area.vertical_scroll_offset(offset.max(0.0))
            }
            None => area,
        };
        let Some(topic) = views::review_topic(cx.state) else { return };
        area.show_rows(ui, size::ROW, rows.len(), |ui, range| {
            for row in rows.get(range).unwrap_or_default() {
                row_ui(ui, cx, row, &topic, Some(row.item) == now);
            }
        });
    }
}

/// Draws the topics; gives the one that is looked at.
fn topics_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (labels, desk, review): (&OpenLabels, &Desk, &Review),
    found: Option<&ReviewFindings>,
) -> Option<Response> {
    let (mut form, mut now) = (None, None);
    for (at, topic) in labels.topics().iter().enumerate() {
        let Some(asked) = labels.forms.get(topic.form) else { continue };
        // Topics of one form stand together, below its title.
        if form.replace(topic.form) != Some(topic.form) {
            ui.horizontal(|ui| {
                ui.add_space(size::GUTTER);
                section_header_ui(ui, asked.title.in_language(&desk.language), "");
            });
        }
        let of_form = found.and_then(|found| found.forms.get(topic.form));
        let agreement = of_form.and_then(|found| {
            found.agreement.iter().find(|it| {
                it.question == topic.question && it.option.as_deref() == topic.option.as_deref()
            })
        });
        let words = topic_words(labels, desk, topic);
        let is_now = at == review.topic;
        let response = topic_ui(ui, cx, (at, &words), agreement, is_now);
        now = Some(response).filter(|_| is_now).or(now);
    }
    now
}

/// What people call a topic: the option, else the question.
pub(super) fn topic_words(labels: &OpenLabels, desk: &Desk, topic: &Topic) -> String {
    let question = labels.forms.get(topic.form).and_then(|form| form.question(&topic.question));
    let Some(question) = question else { return topic.question.clone() };
    let option = topic.option.as_ref().and_then(|id| {
        question.answer.options().iter().find(|option| option.id == *id).map(|it| &it.text)
    });
    option.unwrap_or(&question.text).in_language(&desk.language).to_owned()
}

fn topic_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (at, words): (usize, &str),
    agreement: Option<&QuestionAgreement>,
    is_now: bool,
) -> Response {
    const NUMBER: f32 = 40.0;
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), TOPIC);
    let (rect, response) = allocate_stable_of(ui, at, wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_now, words));
    let body = rect.shrink2(vec2(6.0, 1.0));
    if is_now {
        ui.painter().rect_filled(body, size::RADIUS, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(body, size::RADIUS, tokens.raised);
    }
    let alpha = agreement.and_then(|it| it.alpha.as_ref().ok().copied());
    let number = match (agreement, alpha) {
        (_, Some(alpha)) => two(alpha),
        (Some(_), None) => "–".to_owned(),
        (None, None) => String::new(),
    };
    // The interval beside the number: two values that look different may not be.
    let plot = (body.width() * 0.3).clamp(52.0, 96.0);
    let room = body.width() - plot - NUMBER - 16.0;
    let left = body.left_center() + vec2(6.0, 0.0);
    let name = (Type::Body, tokens.text);
    paint_text(ui.painter(), left, Align2::LEFT_CENTER, words, name, room);
    let right = body.right_center() - vec2(6.0, 0.0);
    let style = (Type::Medium, agreement_ink(ui, alpha));
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &number, style, NUMBER);
    if let Some(agreement) = agreement {
        let at = egui::Rect::from_min_size(
            egui::pos2(right.x - NUMBER - plot, body.center().y - 8.0),
            vec2(plot, 16.0),
        );
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(at));
        agreement_ui(&mut inner, agreement, plot);
    }
    if response.clicked() {
        annotate(cx, AnnotateCommand::Review(ReviewCommand::Topic(at)));
    }
    response
}

fn lists_ui(ui: &mut Ui, cx: &ViewContext<'_>, review: &Review, found: &ReviewFindings) {
    let rows = found.rows.get(review.topic).map_or(&[][..], Vec::as_slice);
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(6.0);
        for (list, name, tooltip) in [
            (ReviewList::ToSettle, "To settle", "Items without a final answer."),
            (ReviewList::Differ, "Differ", "Items that people do not all agree on."),
            (ReviewList::All, "All", "Every item that somebody answered."),
        ] {
            let count = rows.iter().filter(|row| row.is_in(list)).count();
            let words = format!("{name} {count}");
            let button = Button::text(&words).look(Look::Tool).tooltip(tooltip).compact();
            if button.selected(review.list == list).show(ui).clicked() {
                annotate(cx, AnnotateCommand::Review(ReviewCommand::List(list)));
            }
        }
    });
    ui.add_space(4.0);
}

fn row_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &ReviewRow, topic: &Topic, is_now: bool) {
    let tokens = tokens(ui);
    let Some(unit) = views::review_unit(cx.state, topic, row.item) else { return };
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, row.item, wanted, Sense::click());
    let name = item_name(cx.state, unit);
    let votes: Vec<String> = row.votes.iter().map(|(_, count)| count.to_string()).collect();
    let votes = votes.join(" : ");
    // The sign before the name is told in words: nobody hears a colour.
    let told = format!("{name}, {}, votes {votes}", row.provenance.name());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_now, &told));
    let body = rect.shrink2(vec2(6.0, 0.0));
    if is_now {
        ui.painter().rect_filled(body, size::RADIUS, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(body, size::RADIUS, tokens.raised);
    }
    let (icon, ink) = match row.provenance {
        Provenance::Unresolved => (icons::UNSURE, tokens.warn),
        Provenance::Adjudicated => (icons::EDIT, tokens.accent),
        Provenance::Unanimous => (icons::DONE, tokens.gain),
        Provenance::Majority => (icons::DONE, tokens.dim),
        Provenance::Single => (icons::OPEN_ITEM, tokens.dim),
    };
    let left = Align2::LEFT_CENTER;
    let painter = ui.painter();
    paint_text(painter, body.left_center() + vec2(8.0, 0.0), left, icon, (Type::Icon, ink), 20.0);
    let at_name = body.left_center() + vec2(30.0, 0.0);
    paint_text(painter, at_name, left, &name, (Type::Body, tokens.text), 90.0);
    let right = body.right_center() - vec2(8.0, 0.0);
    let style = (Type::Caption, tokens.dim);
    let room = body.width() - 130.0;
    paint_text(painter, right, Align2::RIGHT_CENTER, &votes, style, room);
    if response.clicked() {
        annotate(cx, AnnotateCommand::GoTo(unit));
    }
}

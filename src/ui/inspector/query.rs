//! What of its query the design has: each component with what is asked of it, yes or no, and why.
//! Pointing at an answer outlines its node on the stage, a click selects it.

use egui::{
    Align, Frame, Id, Key, Label, Layout, Margin, Rect, RichText, Role, ScrollArea, Sense, Shape,
    Ui, WidgetInfo, pos2, vec2,
};

use crate::metric::constraint::{Finding, Findings, Verdict};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{
    ArrowList, Button, EmptyState, Look, caption_row_ui, elided_label_ui, hairline_ui, rich_text,
    say, sentence,
};
use crate::workbench::views::{self, AnswerRow, ComponentAnswers, PaneStatus, QueryAnswers};
use crate::workbench::{Command, FindingRef, NodeRef, NodeSide, QueryCommand};

/// How high the bar of shares is.
const BAR: f32 = 4.0;
/// From the panel's edge to the words of an answer: its icon stands before them.
const INDENT: f32 = 22.0;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub(super) struct AnswerList {
    hovered: Option<NodeRef>,
    /// The answer the list was last scrolled to.
    shown: Option<FindingRef>,
}

impl AnswerList {
    /// The node of the answer under the pointer.
    pub(super) fn hovered(&self) -> Option<&NodeRef> {
        self.hovered.as_ref()
    }

    /// The list is not shown.
    pub(super) fn clear(&mut self) {
        self.hovered = None;
    }

    /// Draws the answers. `on_stage`: the node under the pointer there.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, on_stage: Option<&NodeRef>) {
        self.hovered = None;
        let view = views::query(cx.state);
        let Some(findings) = view.findings else {
            status_ui(ui, view.status);
            return;
        };
        ui.add_space(6.0);
        title_ui(ui, &view, findings);
        bar_ui(ui, findings);
        filters_ui(ui, cx, findings);
        hairline_ui(ui);
        // Before the rows: what a key selects is drawn as selected in this frame.
        for key in ArrowList::Answers.arrows(ui) {
            let by = if key == Key::ArrowDown { 1 } else { -1 };
            cx.send(Command::Query(QueryCommand::SelectBy(by)));
        }
        ScrollArea::vertical().id_salt("answer_rows").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
            ui.set_width(ui.available_width());
            // Said with a way out: who filtered long ago would take it for no answers at all.
            if let Some(only) = cx.state.query.only.filter(|_| view.components.is_empty()) {
                let words = format!("No answer is {:?} at this step.", only.word());
                EmptyState::new(icons::FILTER, "Nothing found", &words).show(ui, |ui| {
                    if Button::text("Show all answers").show(ui).clicked() {
                        cx.send(Command::Query(QueryCommand::ToggleOnly(only)));
                    }
                });
            }
            for component in &view.components {
                self.component_ui(ui, cx, component, on_stage);
            }
            ui.add_space(12.0);
        });
    }

    fn component_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        component: &ComponentAnswers<'_>,
        on_stage: Option<&NodeRef>,
    ) {
        ui.add_space(6.0);
        caption_row_ui(ui, |ui| {
            ui.add_space(size::GUTTER);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(size::GUTTER);
                let words = format!("{} of {}", component.yes, component.answered);
                ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let name = component.name.replace('_', " ");
                    elided_label_ui(ui, &name, Type::Strong, tokens(ui).text);
                });
            });
        });
        for row in &component.rows {
            self.answer_ui(ui, cx, row, on_stage);
        }
    }

    /// An answer: its icon, what is asked of what, the answer in a word, and below why.
    fn answer_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        row: &AnswerRow<'_>,
        on_stage: Option<&NodeRef>,
    ) {
        let node = node_of(row.finding);
        let is_pointed_at = node.is_some() && node.as_ref() == on_stage;
        // The ground lies under words whose height is known only when they are drawn: its place is
        // kept.
        let ground = ui.painter().add(Shape::Noop);
        let margin = Margin { left: 12, right: 12, top: 3, bottom: 4 };
        let drawn = Frame::new().inner_margin(margin).show(ui, |ui| words_ui(ui, row.finding));
        let rect = drawn.response.rect;
        let FindingRef { component, aspect, nth } = &row.at;
        // By what is asked and not by the place: filters and steps change the places.
        let id = Id::unique(("answer", component.as_str(), aspect.word(), *nth));
        let response = ui.interact(rect, id, Sense::CLICK);
        let spoken = spoken(row.finding);
        response.widget_info(|| WidgetInfo::selected(Role::Row, true, row.is_selected, &spoken));
        let tokens = tokens(ui);
        let fill = match (row.is_selected, response.hovered() || is_pointed_at) {
            (true, _) => Some(tokens.accent_wash),
            (false, true) => Some(tokens.raised),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            let body = rect.shrink2(vec2(6.0, 0.0));
            ui.painter().set(ground, Shape::rect_filled(body, size::RADIUS_SMALL, fill));
        }
        if response.hovered() {
            self.hovered = node;
        }
        if response.clicked() {
            ArrowList::Answers.take_keyboard(ui);
            // Again on the same one takes the selection away, as in the list of nodes.
            let answer = (!row.is_selected).then(|| row.at.clone());
            cx.send(Command::Query(QueryCommand::Select(answer)));
        }
        // Once per selection, so that the list can be scrolled away from it.
        if row.is_selected && self.shown.as_ref() != Some(&row.at) {
            self.shown = Some(row.at.clone());
            ui.scroll_to_rect(rect, None);
        }
        response.on_hover_cursor(egui::CursorIcon::PointingHand);
    }
}

/// The node an answer is about.
fn node_of(finding: &Finding) -> Option<NodeRef> {
    finding.node.clone().map(|id| NodeRef { side: NodeSide::Canvas, id })
}

/// In place of the answers: why there are none.
fn status_ui(ui: &mut Ui, status: PaneStatus<'_>) {
    match status {
        PaneStatus::Failed(why) => {
            EmptyState::new(icons::ERROR, "No answers", why).show(ui, |_| {});
        }
        PaneStatus::Nothing(why) | PaneStatus::Asked(why) => {
            EmptyState::new(icons::QUERY, "No query", why).show(ui, |_| {});
        }
        PaneStatus::Current | PaneStatus::Loading => {
            let words = "The design is being held against its query.";
            EmptyState::new(icons::QUERY, "Answers loading…", words).show(ui, |_| {});
        }
    }
}

/// How many of the answers are yes, at which step.
fn title_ui(ui: &mut Ui, view: &QueryAnswers<'_>, findings: &Findings) {
    let (yes, no) = (findings.count(Verdict::Yes, None), findings.count(Verdict::No, None));
    let wanted = vec2(ui.available_width(), size::BUTTON);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(size::BUTTON);
        ui.add_space(size::GUTTER);
        let words = format!("{yes} of {} yes", yes + no);
        ui.label(rich_text(words, Type::Title, tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(size::GUTTER);
            let at = match (view.status, view.step) {
                (PaneStatus::Loading, _) => "being checked…".to_owned(),
                (_, 0) => "start state".to_owned(),
                (_, step) => format!("step {step}"),
            };
            ui.label(rich_text(at, Type::Caption, tokens(ui).dim));
        });
    });
}

/// The shares of the three answers, side by side.
fn bar_ui(ui: &mut Ui, findings: &Findings) {
    let wanted = vec2(ui.available_width(), BAR + 8.0);
    let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
    let area = Rect::from_center_size(
        rect.center(),
        vec2((rect.width() - 2.0 * size::GUTTER).max(0.0), BAR),
    );
    let all = findings.0.len().max(1) as f32;
    let mut left = area.left();
    let mut spoken = Vec::new();
    for verdict in Verdict::ALL {
        let count = findings.count(verdict, None);
        spoken.push(format!("{count} {}", verdict.word()));
        // From the running edge, so that rounding leaves no gap at the end.
        let right = left + area.width() * count as f32 / all;
        // A hair of the ground keeps neighbours apart.
        let part = Rect::from_min_max(
            pos2(left, area.top()),
            pos2((right - 1.0).max(left), area.bottom()),
        );
        ui.painter().rect_filled(part, 2, ink(tokens(ui), verdict));
        left = right;
    }
    say(ui, "answers_bar", area, &spoken.join(", "));
}

/// How many answers there are of each kind; each is a filter.
fn filters_ui(ui: &mut Ui, cx: &ViewContext<'_>, findings: &Findings) {
    let area = vec2(ui.available_width(), 28.0);
    ui.allocate_ui_with_layout(area, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        for verdict in Verdict::ALL {
            let (count, word) = (findings.count(verdict, None), verdict.word());
            let words = format!("{count} {word}");
            let tooltip = format!("List only what is answered {word:?}; press again for all.");
            let chip = Button::text(&words).with_icon(icon(verdict)).look(Look::Tool).compact();
            let chip = chip.tint(ink(tokens(ui), verdict)).tooltip(&tooltip).height(22.0);
            if chip.selected(cx.state.query.only == Some(verdict)).show(ui).clicked() {
                cx.send(Command::Query(QueryCommand::ToggleOnly(verdict)));
            }
        }
    });
    ui.add_space(4.0);
}

fn words_ui(ui: &mut Ui, finding: &Finding) {
    let tokens = tokens(ui);
    ui.set_width(ui.available_width());
    ui.spacing_mut().item_spacing = vec2(6.0, 1.0);
    let row = vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(18.0);
        let icon = RichText::new(icon(finding.verdict)).font(Type::Icon.font());
        // Icons differ in width; the words of all answers begin at one line.
        let drawn = ui.label(icon.color(ink(tokens, finding.verdict)));
        ui.add_space((INDENT - drawn.rect.width() - 6.0).max(0.0));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let word = RichText::new(finding.verdict.word()).font(Type::Caption.font());
            ui.label(word.color(verdict_ink(tokens, finding.verdict)));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = RichText::new(finding.aspect.label()).color(tokens.text);
                ui.add(Label::new(label).extend());
                if let Some(asked) = &finding.asked {
                    let asked = asked.split_whitespace().collect::<Vec<_>>().join(" ");
                    elided_label_ui(ui, &asked, Type::Body, tokens.dim);
                }
            });
        });
    });
    ui.horizontal_top(|ui| {
        ui.add_space(INDENT - ui.spacing().item_spacing.x + 6.0);
        let reason = RichText::new(reason_words(&finding.reason)).font(Type::Caption.font());
        let reason = reason.color(tokens.dim);
        ui.add(Label::new(reason).wrap());
    });
}

/// With a capital at its begin; no line ends between a number and its sign.
fn reason_words(words: &str) -> String {
    sentence(&words.replace(" %", "\u{a0}%"))
}

fn icon(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => icons::DONE,
        Verdict::No => icons::NOT_SO,
        Verdict::CantSay => icons::UNSURE,
    }
}

/// The colour of an answer's icon and of its share of the bar.
fn ink(tokens: &Tokens, verdict: Verdict) -> egui::Color32 {
    match verdict {
        Verdict::Yes => tokens.gain,
        Verdict::No => tokens.loss,
        Verdict::CantSay => tokens.faint,
    }
}

/// The colour of its word: what is as it should be is quiet.
fn verdict_ink(tokens: &Tokens, verdict: Verdict) -> egui::Color32 {
    match verdict {
        Verdict::Yes | Verdict::CantSay => tokens.dim,
        Verdict::No => tokens.loss,
    }
}

/// What a screen reader says.
fn spoken(finding: &Finding) -> String {
    let Finding { component, aspect, asked, verdict, reason, .. } = finding;
    let asked = asked.as_ref().map(|asked| format!(", asked {asked}")).unwrap_or_default();
    format!("{component}, {}{asked}: {}. {reason}", aspect.label(), verdict.word())
}

//! The run with other calls: its calls, each to be left out, moved, changed or joined by another, what came of
//! them, and what each brought.
//!
//! [`attribution`] says what calls brought, [`ablation`] what tools did over many runs, [`reorder`] lets them be
//! dragged, [`reference`] asks before a task's reference tools are written, [`next_step`] has what the assistant would
//! do next. [`form`] asks for the arguments of a call by its tool's schema; [`details`] is what stands below the list
//! of the selected call.

mod ablation;
mod attribution;
mod details;
mod form;
mod next_step;
mod reference;
mod reorder;

use egui::{
    Align, Align2, Frame, Id, Key, Layout, Panel, Rect, Response, Role, ScrollArea, Sense, Stroke,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::parts::{quiet_ui, section_ui};
use crate::metric::Score;
use crate::run::CallSource;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    ArrowList, EmptyState, allocate_stable_of, change_words, hairline_ui, paint_numbers,
    paint_text, rich_text, score_words,
};
use crate::workbench::views::{self, WhatIfRow, WhatIfView};
use crate::workbench::{Command, WhatIfCommand, WhatIfSubject};
use details::CallDetails;

/// How wide the bars of what calls brought are.
const BAR: f32 = 56.0;
/// What the number of a call takes across.
const NUMBER: f32 = 34.0;

/// What the view itself remembers.
#[derive(Debug, Default)]
pub(super) struct WhatIfPanel {
    details: CallDetails,
    /// The call that is being dragged, by its place in the list.
    dragged: Option<usize>,
}

/// Where the list ends and what is said of a call begins: in the middle, also where what stands above takes more room
/// than before, until somebody drags it. It is remembered with the heights of panels.
struct Split {
    /// The half that it was drawn at first, in points.
    half: f32,
    /// How often it was put into the middle anew: a panel of another name has no height yet.
    times: u32,
}

impl Split {
    const NAME: &str = "what_if_split";

    /// Where it is now that half of the room is this high.
    fn of(ui: &Ui, half: f32) -> Self {
        let id = Id::unique(Self::NAME);
        let known: Option<(f32, f32, u32)> = ui.data_mut(|data| data.get_persisted(id));
        let Some((before, drawn, times)) = known else { return Self { half, times: 0 } };
        let is_other = (half - before).abs() > 0.5;
        // Drawn at another height than the half it was given, it was dragged.
        if is_other && (drawn - before).abs() < 1.0 {
            Self { half, times: times.wrapping_add(1) }
        } else {
            Self { half: before, times }
        }
    }

    /// Remembers how high what is below was drawn, in points.
    fn remember(self, ui: &Ui, drawn: f32) {
        let known = (self.half, drawn, self.times);
        ui.data_mut(|data| data.insert_persisted(Id::unique(Self::NAME), known));
    }
}

impl WhatIfPanel {
    /// Draws the view.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let Some(view) = views::what_if(cx.state) else {
            let words = "Only pictures were recorded of this run: there are no calls to change.";
            EmptyState::new(icons::INFO, "No calls", words).show(ui, |_| {});
            return;
        };
        let Some(edited) = view.edited else {
            quiet_ui(ui, "The run is being read.");
            return;
        };
        ui.add_space(4.0);
        section_ui(ui, true, |ui| {
            head_ui(ui, cx, &view);
            by_hand_ui(ui, cx, &view);
            ui.add_space(4.0);
            score_ui(ui, cx, &view);
            if matches!(view.subject, WhatIfSubject::Run(_)) {
                attribution::leave_out_ui(ui, cx, &view);
                ablation::ablation_ui(ui, cx);
            }
            reference::reference_ui(ui, cx);
            next_step::next_step_ui(ui, cx);
        });
        ui.add_space(4.0);
        hairline_ui(ui);
        let below = Frame::new().fill(tokens(ui).panel);
        let room = ui.available_height();
        let half = (room * 0.5).max(120.0);
        let split = Split::of(ui, half);
        let details = Panel::bottom(("what_if_call", split.times))
            .resizable(true)
            .default_size(half)
            .size_range(80.0..=(room - 80.0).max(80.0))
            .frame(below)
            .show(ui, |ui| {
                // What is in it stays what it is where the panel has another name.
                let known = UiBuilder::new().scope_id(Id::unique("what_if_details"));
                ui.scope_builder(known, |ui| self.details.show(ui, cx, &view));
            });
        split.remember(ui, details.response.rect.height());
        for key in ArrowList::Calls.arrows(ui) {
            let by = if key == Key::ArrowDown { 1 } else { -1 };
            cx.send(Command::WhatIf(WhatIfCommand::SelectBy(by)));
        }
        if edited.now.items.is_empty() {
            let words = "Choose a tool below; each call is made and drawn at once.";
            EmptyState::new(icons::EDIT, "No calls yet", words).show(ui, |_| {});
            return;
        }
        // Thousands of rows: only those in sight are drawn.
        ScrollArea::vertical().id_salt("what_if_calls").auto_shrink(false).show_rows(
            ui,
            size::ROW,
            view.rows.len(),
            |ui, shown| {
                ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
                let rows = view.rows.get(shown).unwrap_or_default();
                let drawn: Vec<(usize, Response)> =
                    rows.iter().map(|row| (row.at, row_ui(ui, cx, &view, row))).collect();
                // In the order of what they brought there is no place to drag a call to.
                if !cx.state.what_if.is_ranked {
                    reorder::reorder_ui(ui, cx, &mut self.dragged, &drawn);
                }
            },
        );
    }
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let by_hand = view.edited.and_then(|edited| edited.now.by_hand);
        let is_what_if = matches!(view.subject, WhatIfSubject::Run(_)) && by_hand.is_none();
        let title = if is_what_if { "What-if" } else { "By hand" };
        ui.label(rich_text(title, Type::Section, tokens(ui).dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            CommandButton::text(CommandId::SaveBranch).short("Save as run").show(ui, cx);
            reference::ask_ui(ui, cx);
            CommandButton::icon(CommandId::DiscardBranch, icons::CLOSE).show(ui, cx);
            CommandButton::icon(CommandId::RedoBranch, icons::AGAIN).show(ui, cx);
            CommandButton::icon(CommandId::UndoBranch, icons::UNDO).show(ui, cx);
        });
    });
}

/// Which run a person goes on with, and from where.
fn by_hand_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
    let Some(by_hand) = view.edited.and_then(|edited| edited.now.by_hand) else { return };
    let name = cx.state.selected_run().map_or("the run", |run| &run.manifest.agent.name);
    let from = match by_hand.step {
        0 => "its start".to_owned(),
        step => format!("step {step}"),
    };
    let words = format!("You go on with {name} from {from}. Each call you put in is made at once.");
    quiet_ui(ui, &words);
}

/// The score of the run's end, of the branch's, and the change.
fn score_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
    let tokens = tokens(ui);
    if let Some(problem) = view.problem {
        ui.label(rich_text(problem, Type::Body, tokens.loss));
        return;
    }
    let name = cx.state.curve_variant().map_or("Score", |variant| variant.label);
    let [run, branch] = view.scores.map(|score| score.and_then(Score::value));
    // While the branch is made the run's own score stays, so that the line does not jump.
    let words = match (run, branch) {
        (Some(run), None) if !view.is_edited => {
            format!("{name} {} as it was made", score_words(run))
        }
        (Some(run), Some(branch)) => {
            let change = change_words(branch - run);
            format!("{name} {} → {}  {change}", score_words(run), score_words(branch))
        }
        (None, Some(branch)) => format!("{name} {}", score_words(branch)),
        (Some(run), None) => format!("{name} {} → …", score_words(run)),
        // The line is there before the score, too.
        (None, None) if view.scores.iter().all(Option::is_none) => format!("{name} …"),
        (None, None) => String::new(),
    };
    if !words.is_empty() {
        ui.label(rich_text(words, Type::Body, tokens.text));
    }
}

fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    view: &WhatIfView<'_>,
    row: &WhatIfRow<'_>,
) -> Response {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, row.at, wanted, Sense::click_and_drag());
    let is_selected = cx.state.what_if.selected == Some(row.at);
    let planned = &row.item.planned;
    let (number, is_inserted) = match planned.source {
        CallSource::Recorded(step) => (step.to_string(), false),
        CallSource::Inserted(number) => (format!("+{number}"), true),
    };
    let state = match (row.item.is_dropped, planned.is_edited, row.outcome.map(|it| it.failed)) {
        (true, ..) => ", left out",
        (_, _, Some(true)) => ", fails",
        (_, true, _) => ", changed",
        _ => "",
    };
    let brought = row.brought().map(|it| format!(", brought {}", change_words(it)));
    let shapley = row.shapley.map(|it| format!(", Shapley {}", attribution::shapley_words(it)));
    let spoken = [
        &format!("{number} {}{state}", planned.call.name),
        brought.as_deref().unwrap_or_default(),
        shapley.as_deref().unwrap_or_default(),
    ]
    .concat();
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, &spoken));
    let fill = match (is_selected, response.hovered()) {
        (true, _) => Some(tokens.accent_wash),
        (false, true) => Some(tokens.raised),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.shrink2(vec2(6.0, 0.0)), size::RADIUS_SMALL, fill);
    }
    let middle = rect.center().y;
    let color = if row.item.is_dropped { tokens.dim } else { tokens.text };
    let number_color = if is_inserted { tokens.accent_ink } else { tokens.dim };
    let right_of_number = rect.left() + size::GUTTER + NUMBER;
    let at = pos2(right_of_number, middle);
    paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, &number, (Type::Body, number_color));
    let right = marks_ui(ui, view, row, rect);
    let left = right_of_number + 8.0;
    let style = (Type::Body, color);
    let room = (right - left).max(20.0);
    let named = paint_text(
        ui.painter(),
        pos2(left, middle),
        Align2::LEFT_CENTER,
        &planned.call.name,
        style,
        room,
    );
    if row.item.is_dropped {
        ui.painter().hline(named.x_range(), middle.round() + 0.5, Stroke::new(1.0, tokens.dim));
    }
    if response.clicked() {
        ArrowList::Calls.take_keyboard(ui);
        cx.send(Command::WhatIf(WhatIfCommand::Select(Some(row.at))));
    }
    if response.double_clicked() {
        cx.send(Command::WhatIf(WhatIfCommand::ToggleDropped(row.at)));
    }
    // What is being dragged is looked at for where it goes, not for what it is.
    if response.dragged() {
        return response;
    }
    if let Some(outcome) = row.outcome.filter(|outcome| outcome.failed) {
        response.on_hover_text(&outcome.text)
    } else if let Some(effect) = row.effect {
        let broke = effect.broke.len();
        let words = if broke == 0 {
            format!("{}: {spoken}", effect.group.label)
        } else {
            format!("{}: {spoken}. Without it {broke} other calls fail.", effect.group.label)
        };
        response.on_hover_text(words)
    } else {
        response
    }
}

/// What stands at the right end of a row: what it brought, and that it fails or was changed; gives where that
/// begins.
fn marks_ui(ui: &Ui, view: &WhatIfView<'_>, row: &WhatIfRow<'_>, rect: Rect) -> f32 {
    let tokens = tokens(ui);
    let middle = rect.center().y;
    let is_inserted = matches!(row.item.planned.source, CallSource::Inserted(_));
    let mut right = rect.right() - size::GUTTER;
    // From the right, each taking its room: the name gets what is left.
    if view.shapley.is_some() {
        let place = Rect::from_x_y_ranges(right - BAR..=right, rect.y_range());
        attribution::shapley_bar_ui(ui, row, view.most_brought, place);
        right -= BAR + 6.0;
    }
    if view.effects.is_some() {
        let place = Rect::from_x_y_ranges(right - BAR..=right, rect.y_range());
        attribution::bar_ui(ui, row, view.most_brought, place);
        right -= BAR + 6.0;
    }
    if row.outcome.is_some_and(|outcome| outcome.failed) {
        let style = (Type::IconSmall, tokens.loss);
        paint_text(
            ui.painter(),
            pos2(right, middle),
            Align2::RIGHT_CENTER,
            icons::ERROR,
            style,
            20.0,
        );
        right -= 18.0;
    } else if row.item.planned.is_edited && !is_inserted {
        let style = (Type::IconSmall, tokens.accent);
        paint_text(
            ui.painter(),
            pos2(right, middle),
            Align2::RIGHT_CENTER,
            icons::EDIT,
            style,
            20.0,
        );
        right -= 18.0;
    }
    right
}

//! What calls brought: without each of them, and on average over all orders.

use egui::{DragValue, Rect, Stroke, Ui, pos2, vec2};

use crate::evaluate::what_if::{Grouping, ShapleyPlan};
use crate::metric::stats::{ShapleyMethod, ShapleyValue};
use crate::ui::context::ViewContext;
use crate::ui::explore::table_buttons_ui;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, add_stable, change_words, grouped, progress_bar_ui, rich_text, tick_ui,
};
use crate::workbench::views::{WhatIfRow, WhatIfView};
use crate::workbench::{Command, ExportedTable, WhatIfCommand};

/// Orders that are drawn unless somebody asks for others: enough to see what counts, soon.
const FIRST_PLAN: ShapleyPlan = ShapleyPlan { orders: 100, seed: 1 };
/// Most orders that can be asked for.
const MOST_ORDERS: usize = 10_000;

/// Leaving calls out: what together, how far it is, and in which order the list is.
pub(super) fn leave_out_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
    let asked = cx.state.what_if.leaving_out;
    let send = |command| cx.send(Command::WhatIf(command));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(rich_text("Leave out each", Type::Body, tokens(ui).dim));
        for grouping in Grouping::ALL {
            let is_on = asked == Some(grouping);
            let tooltip = "Make the run without each of these and show what they brought.";
            let button = Button::text(grouping.name()).look(Look::Tool).selected(is_on).compact();
            if button.tooltip(tooltip).show(ui).clicked() {
                // The same button once more takes the bars away.
                send(WhatIfCommand::LeaveOut((!is_on).then_some(grouping)));
            }
        }
    });
    // One of three stands here: how far it is, why it cannot be, or how it is listed.
    if let Some(progress) = view.leaving_out {
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 70.0).max(40.0);
            progress_bar_ui(ui, "Leaving calls out", progress.fraction(), width);
            if Button::text("Stop").look(Look::Tool).height(20.0).show(ui).clicked() {
                send(WhatIfCommand::LeaveOut(None));
            }
        });
    } else if let Some(why) = view.effects_problem {
        ui.label(rich_text(why, Type::Caption, tokens(ui).loss));
    } else if view.effects.is_some() {
        let is_ranked = cx.state.what_if.is_ranked;
        let tooltip = "What brought most first; else in the order they are made.";
        ui.horizontal(|ui| {
            if let Some(on) = tick_ui(ui, "Ranked", tooltip, is_ranked) {
                send(WhatIfCommand::Rank(on));
            }
            table_buttons_ui(ui, cx, ExportedTable::Calls, "what calls brought");
        });
    }
    if asked.is_some() {
        shapley_ui(ui, cx, view);
    }
}

/// Shapley values of the same groups: whether, by how many orders and by which seed, and how far they are.
fn shapley_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
    let send = |plan| cx.send(Command::WhatIf(WhatIfCommand::Shapley(plan)));
    let asked = cx.state.what_if.shapley;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let tooltip = "What each brought on average over all orders in which they could have come, with an interval of 95 % (Student’s t) where enough orders are drawn.";
        if let Some(on) = tick_ui(ui, "Shapley values", tooltip, asked.is_some()) {
            send(on.then_some(FIRST_PLAN));
        }
        let Some(plan) = asked else { return };
        let mut now = plan;
        let orders = DragValue::new(&mut now.orders).range(2..=MOST_ORDERS).speed(2);
        // Sent when it is settled: each number would begin anew.
        let orders = add_stable(ui, orders.update_while_editing(false)).on_hover_text("Orders that are drawn");
        orders.widget_info(|| named_number("Orders", plan.orders as f64));
        ui.label(rich_text("orders, seed", Type::Caption, tokens(ui).dim));
        let seed = add_stable(ui, DragValue::new(&mut now.seed).update_while_editing(false));
        seed.widget_info(|| named_number("Seed", plan.seed as f64));
        if now != plan && !orders.dragged() && !seed.dragged() {
            send(Some(now));
        }
    });
    if let Some(progress) = view.drawing_orders {
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 70.0).max(40.0);
            progress_bar_ui(ui, "Drawing orders", progress.fraction(), width);
            if Button::text("Stop")
                .named("Stop drawing orders")
                .look(Look::Tool)
                .height(20.0)
                .show(ui)
                .clicked()
            {
                send(None);
            }
        });
    } else if let Some(why) = &view.shapley_problem {
        ui.label(rich_text(why, Type::Caption, tokens(ui).loss));
    } else if let Some(shapley) = view.shapley {
        let words = match shapley.method {
            ShapleyMethod::Exact => "Left: without it. Right: Shapley, exact.".to_owned(),
            ShapleyMethod::Sampled { orders } => {
                let intervals = shapley.method.why_no_intervals();
                let intervals = intervals
                    .map_or_else(|| "95 %".to_owned(), |why| format!("without intervals ({why})"));
                let orders = grouped(orders as u64);
                format!("Left: without it. Right: Shapley of {orders} orders, {intervals}.")
            }
        };
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
        ui.horizontal(|ui| {
            table_buttons_ui(ui, cx, ExportedTable::Shapley, "the Shapley values");
        });
    }
}

fn named_number(name: &str, value: f64) -> egui::WidgetInfo {
    egui::WidgetInfo {
        label: Some(name.to_owned()),
        value: Some(value),
        ..egui::WidgetInfo::new(egui::Role::SpinButton)
    }
}

/// A value with its interval.
pub(super) fn shapley_words(value: &ShapleyValue) -> String {
    match value.interval {
        Some(interval) => format!(
            "{} ({} to {})",
            change_words(value.value),
            change_words(interval.low),
            change_words(interval.high)
        ),
        None => change_words(value.value),
    }
}

/// To the right what it brought, to the left what it cost.
pub(super) fn bar_ui(ui: &Ui, row: &WhatIfRow<'_>, most: f64, rect: Rect) {
    let tokens = tokens(ui);
    let center = rect.center();
    ui.painter().vline(
        center.x,
        rect.shrink2(vec2(0.0, 5.0)).y_range(),
        Stroke::new(1.0, tokens.hairline),
    );
    let Some(brought) = row.brought().filter(|_| most > 0.0) else { return };
    let length = (brought / most) as f32 * rect.width() * 0.5;
    let color = if brought < 0.0 { tokens.loss } else { tokens.gain };
    let bar =
        Rect::from_two_pos(pos2(center.x, center.y - 4.0), pos2(center.x + length, center.y + 4.0));
    ui.painter().rect_filled(bar, 1, color);
}

/// The same of its Shapley value, with the interval as a line.
pub(super) fn shapley_bar_ui(ui: &Ui, row: &WhatIfRow<'_>, most: f64, rect: Rect) {
    let tokens = tokens(ui);
    let center = rect.center();
    let line = rect.shrink2(vec2(0.0, 5.0)).y_range();
    ui.painter().vline(center.x, line, Stroke::new(1.0, tokens.hairline));
    let Some(value) = row.shapley.filter(|_| most > 0.0) else { return };
    let x = |value: f64| center.x + (value / most) as f32 * rect.width() * 0.5;
    let color = if value.value < 0.0 { tokens.loss } else { tokens.gain };
    let end = pos2(x(value.value), center.y + 4.0);
    let bar = Rect::from_two_pos(pos2(center.x, center.y - 4.0), end);
    ui.painter().rect_filled(bar, 1, color.gamma_multiply(0.7));
    if let Some(interval) = value.interval {
        let ink = Stroke::new(1.0, tokens.text);
        let (low, high) = (x(interval.low), x(interval.high));
        ui.painter().hline(low..=high, center.y.round() + 0.5, ink);
        for x in [low, high] {
            ui.painter().vline(x, center.y - 3.0..=center.y + 4.0, ink);
        }
    }
}

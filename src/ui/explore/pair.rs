//! Two groups of runs on the same tasks: who passes where, and how they differ.

use egui::{Align, Align2, ComboBox, Layout, Role, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::matched::{matched_ui, names, press_of, short_name};
use super::parts::{caption_ui, explore, number_words, paint_mark, series_of_group};
use super::saving::table_buttons_ui;
use crate::evaluate::groups::threshold_word;
use crate::evaluate::p_words;
use crate::metric::stats::{PMethod, holm};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, add_stable, allocate_stable, change_words, chosen_look, count, paint_text,
    rich_text, score_words, section_header_ui,
};
use crate::workbench::{
    Column, ContingencyCell, Difference, ExploreCommand, ExportedTable, Fetched, PairCell,
    PairTable, Statistics,
};

/// Draws it.
pub(super) fn pair_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let table = &cx.state.explore.table;
    let both =
        table.pair.as_ref().map(|pair| format!("{} of both", count(pair.both().count(), "task")));
    section_header_ui(ui, "Two groups on the same tasks", &both.unwrap_or_default());
    by_ui(ui, cx);
    let Some(pair) = &table.pair else {
        let by = cx.state.column_heading(&cx.state.explore.view.pair_by).to_lowercase();
        let words = format!("Runs of two groups by {by} are needed, at the same tasks.");
        caption_ui(ui, &words, tokens.dim);
        return;
    };
    ui.horizontal(|ui| {
        if let Some(first) = side_ui(ui, cx, "First group", &pair.first) {
            explore(cx, ExploreCommand::Pair(first, pair.second.to_string()));
        }
        if let Some(second) = side_ui(ui, cx, "Second group", &pair.second) {
            explore(cx, ExploreCommand::Pair(pair.first.to_string(), second));
        }
    });
    threshold_ui(ui, cx, pair);
    if pair.both().next().is_none() {
        caption_ui(ui, "There is no task that both have a value for.", tokens.dim);
    } else {
        cells_ui(ui, cx, pair);
        tests_ui(ui, cx, pair);
    }
    matched_ui(ui, cx, pair);
}

/// From which value on a run passes, or up to which: the usual one, or as somebody said.
fn threshold_ui(ui: &mut Ui, cx: &ViewContext<'_>, pair: &PairTable) {
    let tokens = tokens(ui);
    let column = &cx.state.explore.view.metric;
    let (metric, heading) = (cx.state.group_metric(column), cx.state.column_heading(column));
    let word = threshold_word(metric.direction);
    let rule = cx.state.explore_pass_rule();
    if rule.is_none() {
        let words = format!(
            "Nothing says {word} which {heading} a run passes. Set it here to see who passes where."
        );
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
    }
    ui.horizontal(|ui| {
        let words = format!("passes: {heading} {word}");
        ui.label(rich_text(words, Type::Caption, tokens.dim));
        let values = pair.both().flat_map(|(first, second)| [first, second]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (value.min(low), value.max(high))
        });
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        // Where nobody has said one yet, it is dragged from the middle of what there is.
        let mut from = rule.map_or(f64::midpoint(low, high), |rule| rule.from);
        let speed = ((high - low) / 100.0).max(1e-3);
        let drag = egui::DragValue::new(&mut from).speed(speed).max_decimals(3);
        let drag =
            if rule.is_some() { drag } else { drag.custom_formatter(|_, _| "not set".to_owned()) };
        let drag = add_stable(ui, drag).accessible_name(format!("Passes {word}"));
        if drag.on_hover_text("Drag it, or click and type a number.").changed() {
            explore(cx, ExploreCommand::PassesFrom(Some(from)));
        }
        if cx.state.explore.view.thresholds.contains_key(column) {
            let tip = match metric.usual_threshold() {
                Some(usual) => format!("Back to {usual}, which is usual."),
                None => "Take it away: then nothing is said of passing.".to_owned(),
            };
            let reset = Button::text("Reset").named("Reset who passes").look(Look::Tool);
            if reset.height(20.0).tooltip(&tip).show(ui).clicked() {
                explore(cx, ExploreCommand::PassesFrom(None));
            }
        }
    });
}

/// What separates the groups.
fn by_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = &cx.state.explore.view.pair_by;
    let settings = cx.state.explore.table.settings().map(Column::setting);
    let columns = Column::all().chain(settings).filter(|column| column.group_by().is_some());
    let words = cx.state.column_heading(now);
    ui.horizontal(|ui| {
        ui.label(rich_text("by", Type::Caption, tokens(ui).dim));
        let combo = ComboBox::from_id_salt("pair_by").selected_text(&words).width(120.0);
        let response = combo.show_ui(ui, |ui| {
            chosen_look(ui);
            for column in columns {
                let heading = cx.state.column_heading(&column);
                let row = ui.selectable_label(column == *now, heading).on_hover_text(column.id());
                if row.clicked() {
                    explore(cx, ExploreCommand::PairBy(column));
                }
            }
        });
        let name = format!("Groups by: {words}");
        response.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &name));
        if cx.state.explore.table.pair.is_some() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                table_buttons_ui(ui, cx, ExportedTable::MatchedTasks, "the matched tasks");
            });
        }
    });
}

fn side_ui(ui: &mut Ui, cx: &ViewContext<'_>, name: &str, now: &str) -> Option<String> {
    let mut chosen = None;
    let sides = &cx.state.explore.table.sides;
    let (mark, _) = ui.allocate_exact_size(vec2(10.0, size::BUTTON), Sense::hover());
    let by = &cx.state.explore.view.pair_by;
    paint_mark(ui.painter(), mark.center(), tokens(ui), series_of_group(cx.state, by, now));
    let combo = ComboBox::from_id_salt(name).selected_text(short_name(now, sides)).width(130.0);
    let response = combo.show_ui(ui, |ui| {
        chosen_look(ui);
        for (side, runs) in sides {
            let words = format!("{} · {runs}", short_name(side, sides));
            let row = ui.selectable_label(&**side == now, words).on_hover_text(&**side);
            if row.clicked() {
                chosen = Some(side.to_string());
            }
        }
    });
    response
        .response
        .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{name}: {now}")));
    chosen
}

fn cells_ui(ui: &mut Ui, cx: &ViewContext<'_>, pair: &PairTable) {
    let Some(counts) = cx.state.explore_contingency() else { return };
    let tokens = tokens(ui);
    let names = names(cx, pair);
    let by = &cx.state.explore.view.pair_by;
    let width = (ui.available_width() - 6.0) / 2.0;
    for row in [
        [ContingencyCell::Both, ContingencyCell::OnlyFirst],
        [ContingencyCell::OnlySecond, ContingencyCell::Neither],
    ] {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            for cell in row {
                let (tasks, words) = match cell {
                    ContingencyCell::Both => (counts.both, "both pass".to_owned()),
                    ContingencyCell::OnlyFirst => (counts.only_first, format!("only {}", names[0])),
                    ContingencyCell::OnlySecond => (counts.only_second, format!("only {}", names[1])),
                    ContingencyCell::Neither => (counts.neither, "both fail".to_owned()),
                };
                let (rect, response) = allocate_stable(ui, vec2(width, 44.0), Sense::click());
                let told = format!("{words}: {tasks} tasks");
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &told));
                let series = match cell {
                    ContingencyCell::OnlyFirst => series_of_group(cx.state, by, &pair.first),
                    ContingencyCell::OnlySecond => series_of_group(cx.state, by, &pair.second),
                    ContingencyCell::Both | ContingencyCell::Neither => None,
                };
                let tint = series.and_then(|at| tokens.series.get(at));
                let fill = tint.map_or(tokens.raised, |color| color.gamma_multiply(0.22));
                let fill = if response.hovered() { tokens.raised_hover } else { fill };
                ui.painter().rect(rect, size::RADIUS, fill, tokens.line(), StrokeKind::Inside);
                let left = Align2::LEFT_CENTER;
                let at = pos2(rect.left() + 10.0, rect.top() + 14.0);
                let style = (Type::Title, tokens.text);
                paint_text(ui.painter(), at, left, &tasks.to_string(), style, width);
                let at = pos2(rect.left() + 10.0, rect.bottom() - 13.0);
                paint_text(ui.painter(), at, left, &words, (Type::Caption, tokens.text), width - 16.0);
                let response = response.on_hover_text(
                    "Click to select the runs of both at these tasks, Ctrl-click to filter to them.",
                );
                if response.clicked() {
                    explore(
                        cx,
                        press_of(ui, PairCell::Passing(cell)),
                    );
                }
            }
        });
    }
}

/// McNemar's test of the table, Wilcoxon's of the differences, and what Holm makes of both.
fn tests_ui(ui: &mut Ui, cx: &ViewContext<'_>, pair: &PairTable) {
    let tokens = tokens(ui);
    let mcnemar = cx.state.explore_contingency().map(|counts| counts.mcnemar());
    let difference = pair.difference.as_ref().map(|key| cx.state.derived.statistics.get(key));
    let found = match difference {
        Some(Some(Fetched::Ready(statistics))) => match &**statistics {
            Statistics::Difference(difference) => Some(difference),
            Statistics::Relation(_) => None,
        },
        _ => None,
    };
    let wilcoxon = found.and_then(|found| found.signed_rank.as_ref().ok());
    // Corrected over those tests that have a p-value: what could not be tested costs nothing.
    let p: Vec<f64> =
        [mcnemar.as_ref().and_then(|it| it.as_ref().ok().copied()), wilcoxon.map(|test| test.p)]
            .into_iter()
            .flatten()
            .collect();
    let adjusted = holm(&p);
    ui.add_space(4.0);
    // The place of the second test among them, which is the first place where McNemar's has none.
    let mut at = 0;
    match mcnemar {
        Some(Ok(p)) => {
            caption_ui(
                ui,
                &format!("McNemar, exact: p {}{}", p_words(p), holm_words(&adjusted, 0)),
                tokens.text,
            );
            at = 1;
        }
        Some(Err(_)) => {
            caption_ui(
                ui,
                "McNemar: both pass at the same tasks, there is nothing to test",
                tokens.dim,
            );
        }
        None => {}
    }
    match (found, difference) {
        (Some(found), _) => difference_ui(ui, cx, pair, found, &holm_words(&adjusted, at)),
        (None, Some(Some(Fetched::Failed(why)))) => caption_ui(ui, why, tokens.warn),
        (None, _) if cx.state.awaits_scores_in(&cx.state.explore.view.metric) => {
            caption_ui(ui, "The difference is tested once all runs are scored.", tokens.dim);
        }
        (None, _) => caption_ui(ui, "Testing the difference…", tokens.dim),
    }
}

/// What a p-value becomes by Holm's correction, where there are several.
fn holm_words(adjusted: &[f64], at: usize) -> String {
    match adjusted.get(at).filter(|_| adjusted.len() > 1) {
        Some(p) => format!(", Holm {}", p_words(*p)),
        None => String::new(),
    }
}

fn difference_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    pair: &PairTable,
    found: &Difference,
    holm: &str,
) {
    let tokens = tokens(ui);
    let metric = &cx.state.explore.view.metric;
    let names = names(cx, pair);
    match &found.signed_rank {
        Ok(test) => {
            let method = match test.method {
                PMethod::Exact => "exact",
                _ => "normal",
            };
            let words = format!(
                "Wilcoxon, {method}: p {}{holm} · rank-biserial {} · {} ties",
                p_words(test.p),
                change_words(test.rank_biserial),
                test.ties
            );
            caption_ui(ui, &words, tokens.text);
        }
        Err(why) => caption_ui(ui, &format!("Wilcoxon: {why}"), tokens.dim),
    }
    match &found.mean {
        Ok((mean, interval)) => {
            let d = found
                .cohen_d
                .as_ref()
                .map(|d| format!(" · d {}", score_words(*d)))
                .unwrap_or_default();
            let words = format!(
                "{} − {}: {} [{}, {}]{d}",
                names[0],
                names[1],
                change_words(*mean),
                number_words(cx.state, metric, interval.low),
                number_words(cx.state, metric, interval.high),
            );
            caption_ui(ui, &words, tokens.text);
        }
        Err(why) => caption_ui(ui, &why.to_string(), tokens.dim),
    }
}

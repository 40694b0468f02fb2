//! The table: only the rows in sight are drawn.

use egui::{Align, Align2, Color32, Layout, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use egui_extras::{Column as Width, TableBuilder, TableRow};

use super::parts::{explore, number_words, paint_mark, series_of, series_of_group};
use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::stage::Textures;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{
    EmptyState, count, elided_label_ui, paint_numbers, paint_sparkline, paint_text, rich_text,
};
use crate::workbench::{
    Cell, Column, ColumnKind, ExploreCommand, ExploreRow, GroupRow, PictureKey, RunId, RunState,
    Selecting, Summary,
};

/// A row of a run, of a group, and the head.
const ROW: f32 = 28.0;
const GROUP: f32 = 40.0;
const HEAD: f32 = 26.0;
/// The picture of how a run ended.
const THUMBNAIL: f32 = 30.0;
/// The curve of the score that stands for a run.
const CURVE: f32 = 84.0;
/// Most points of that.
const CURVE_POINTS: usize = 60;
/// What is said besides of a column that a model fills.
const ASKED: &str = " A model answers it: Ask… above asks for what is missing.";
/// What stands in the place of a number that has no bound, as of pictures that are equal.
const INFINITE: &str = "∞";

/// What the table itself remembers.
#[derive(Debug, Default)]
pub(super) struct RunTable {
    in_sight: Vec<RunId>,
    /// Where the arrows stood when it was last scrolled.
    shown: Option<RunId>,
}

impl RunTable {
    /// Draws the table, and the means of all below it.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        let table = &cx.state.explore.table;
        if table.rows.is_empty() {
            empty_ui(ui, cx);
            return;
        }
        let columns = &cx.state.explore.view.columns;
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        // As everywhere: a wash behind words that keep their colours.
        ui.visuals_mut().selection.bg_fill = tokens(ui).accent_wash;
        let widths: f32 = columns.iter().map(width_of).sum::<f32>() + THUMBNAIL + CURVE + 16.0;
        let height = ui.available_height();
        // All columns have their room: what does not fit is scrolled to.
        egui::ScrollArea::horizontal().id_salt("explore_across").auto_shrink(false).show(
            ui,
            |ui| {
                ui.set_min_width(widths.max(ui.available_width()));
                ui.set_height(height);
                self.table_ui(ui, cx, textures, columns);
            },
        );
    }

    fn table_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        textures: &mut Textures,
        columns: &[Column],
    ) {
        let table = &cx.state.explore.table;
        let foot = GROUP + 2.0;
        let mut in_sight = Vec::new();
        let mut builder = TableBuilder::new(ui)
            .id_salt("explore_table")
            .sense(Sense::click())
            .resizable(false)
            .auto_shrink(false)
            .min_scrolled_height(60.0)
            .max_scroll_height(f32::INFINITY)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Width::exact(THUMBNAIL + 8.0));
        for column in columns {
            builder = builder.column(Width::exact(width_of(column)).clip(true));
        }
        builder = builder.column(Width::exact(CURVE)).column(Width::remainder());
        if let Some(row) = self.scroll_to_cursor(cx) {
            builder = builder.scroll_to_row(row, None);
        }
        let body = builder.header(HEAD, |mut header| {
            header.col(|_| {});
            for column in columns {
                header.col(|ui| head_ui(ui, cx, column));
            }
            header.col(|ui| {
                ui.label(rich_text("By step", Type::Caption, tokens(ui).dim));
            });
            header.col(|_| {});
        });
        let heights = table.rows.iter().map(|row| match row {
            ExploreRow::Run(_) => ROW,
            ExploreRow::Group(_) => GROUP,
        });
        // The row of all sticks to the bottom: it is the last of the body, drawn where the body ends.
        body.body(|body| {
            body.heterogeneous_rows(heights.chain([foot]), |mut row| {
                match table.rows.get(row.index()) {
                    Some(ExploreRow::Run(run)) => {
                        in_sight.push(*run);
                        run_ui(&mut row, cx, textures, columns, *run);
                    }
                    Some(ExploreRow::Group(at)) => {
                        if let Some(group) = table.groups.get(*at) {
                            group_ui(&mut row, cx, columns, group);
                        }
                    }
                    None => all_ui(&mut row, cx, columns),
                }
            });
        });
        // Only what is new: a command a frame would keep the window awake.
        if self.in_sight != in_sight {
            self.in_sight.clone_from(&in_sight);
            explore(cx, ExploreCommand::InSight(in_sight));
        }
    }

    /// The row to scroll to where the arrows moved.
    fn scroll_to_cursor(&mut self, cx: &ViewContext<'_>) -> Option<usize> {
        let cursor = cx.state.explore.cursor;
        if std::mem::replace(&mut self.shown, cursor) == cursor {
            return None;
        }
        let run = cursor?;
        cx.state.explore.table.rows.iter().position(|row| *row == ExploreRow::Run(run))
    }
}

/// How wide a column is.
fn width_of(column: &Column) -> f32 {
    match column {
        Column::Task => 132.0,
        Column::Model | Column::Labels => 128.0,
        Column::Set | Column::Category | Column::Kind | Column::Started | Column::Imported(_) => {
            110.0
        }
        Column::State => 92.0,
        _ if column.kind() == ColumnKind::Text => 92.0,
        Column::Score(_) => 74.0,
        _ => 64.0,
    }
}

fn empty_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let table = &cx.state.explore.table;
    // Nothing else is left out without a filter.
    if cx.state.explore.view.filter.trim().is_empty() && table.awaited == 0 {
        let words = "Only scripts that stood for people made these runs, which are listed once the filter names them.";
        EmptyState::new(icons::TABLE, "Only scripted runs", words).show(ui, |ui| {
            if crate::ui::widgets::Button::text("List scripted runs").show(ui).clicked() {
                explore(cx, ExploreCommand::SetFilter("agent:scripted".to_owned()));
            }
        });
        return;
    }
    let words = match table.awaited {
        0 => "No run passes the filter. Take a term away, or clear it.".to_owned(),
        awaited => format!(
            "No run passes so far. Of {} it is not known yet: their scores or calls are on the way.",
            count(awaited, "run")
        ),
    };
    EmptyState::new(icons::FILTER, "Nothing to list", &words).show(ui, |ui| {
        if crate::ui::widgets::Button::text("Clear the filter").show(ui).clicked() {
            explore(cx, ExploreCommand::SetFilter(String::new()));
        }
    });
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, column: &Column) {
    let tokens = tokens(ui);
    let heading = cx.state.column_heading(column);
    let sort = &cx.state.explore.view.sort;
    let key = sort.iter().position(|key| key.column == *column);
    let rect = ui.max_rect();
    let response = ui.interact(rect, ui.scope_id().with(("head", column.id())), Sense::click());
    let direction = key.and_then(|at| sort.get(at)).map(|key| key.is_descending);
    let told = match direction {
        Some(true) => format!("{heading}, sorted, largest first"),
        Some(false) => format!("{heading}, sorted, smallest first"),
        None => format!("Sort by {heading}"),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &told));
    let mut words = heading.clone();
    if let Some(is_descending) = direction {
        words.push_str(if is_descending { " ↓" } else { " ↑" });
        if sort.len() > 1 {
            words.push_str(&(key.unwrap_or_default() + 1).to_string());
        }
    }
    let ink = if direction.is_some() || response.hovered() { tokens.text } else { tokens.dim };
    let style = (if direction.is_some() { Type::Section } else { Type::Caption }, ink);
    let (at, anchor) = if column.kind() == ColumnKind::Text {
        (pos2(rect.left() + 4.0, rect.center().y), Align2::LEFT_CENTER)
    } else {
        (pos2(rect.right() - 10.0, rect.center().y), Align2::RIGHT_CENTER)
    };
    paint_text(ui.painter(), at, anchor, &words, style, rect.width() - 8.0);
    let asked = if cx.state.is_asked_column(column) { ASKED } else { "" };
    let response = response.on_hover_text(format!(
        "{heading} ({}). Click to sort by it, Shift-click to add it to what it is sorted by.{asked}",
        column.id()
    ));
    if response.clicked() {
        let is_added = ui.input(|input| input.modifiers.shift);
        explore(cx, ExploreCommand::Sort { column: column.clone(), is_added });
    }
}

fn run_ui(
    row: &mut TableRow<'_, '_>,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    columns: &[Column],
    id: RunId,
) {
    let explored = &cx.state.explore;
    let is_selected = explored.selected.contains(&id);
    row.set_selected(is_selected);
    row.col(|ui| thumbnail_ui(ui, cx, textures, id));
    for column in columns {
        row.col(|ui| cell_ui(ui, cx, column, id));
    }
    row.col(|ui| curve_ui(ui, cx, id));
    row.col(|_| {});
    let response = row.response();
    let Some(run) = cx.state.library.runs.get(&id) else { return };
    let told = format!("{}, {}", run.task.id, run.manifest.agent.name);
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, &told));
    if explored.cursor == Some(id) {
        let stroke = egui::Stroke::new(1.0, tokens_of(&response).accent);
        // A row has no painter of its own; over its cells, and no further than what is seen of them.
        let painter = response.ctx.layer_painter(response.layer_id);
        let painter = painter.with_clip_rect(response.interact_rect);
        painter.rect_stroke(
            response.rect.shrink(0.5),
            size::RADIUS_SMALL,
            stroke,
            egui::StrokeKind::Inside,
        );
    }
    // A double click is a click as well, and so it is asked for first.
    if response.double_clicked() {
        explore(cx, ExploreCommand::Select(Selecting::Only(id)));
        explore(cx, ExploreCommand::Open);
    } else if response.clicked() {
        let modifiers = response.ctx.input(|input| input.modifiers);
        let selecting = if modifiers.shift {
            Selecting::To(id)
        } else if modifiers.command || modifiers.ctrl {
            Selecting::Toggle(id)
        } else {
            Selecting::Only(id)
        };
        explore(cx, ExploreCommand::Select(selecting));
    }
}

fn tokens_of(response: &egui::Response) -> &'static crate::ui::theme::Tokens {
    crate::ui::theme::tokens_in(response.ctx.theme() == egui::Theme::Dark)
}

fn thumbnail_ui(ui: &Ui, cx: &ViewContext<'_>, textures: &mut Textures, id: RunId) {
    let cell = ui.max_rect();
    let rect = Rect::from_center_size(pos2(cell.left() + 20.0, cell.center().y), vec2(20.0, 24.0));
    ui.painter().rect_filled(rect, 2, tokens(ui).raised);
    let Some(run) = cx.state.library.runs.get(&id) else { return };
    let key = PictureKey::Thumbnail(id, run.steps);
    let Some(picture) = cx.state.ready_picture(&key) else { return };
    textures.cover(ui.painter(), &key, picture, rect);
    ui.painter().rect_stroke(rect, 1, tokens(ui).line(), egui::StrokeKind::Outside);
}

fn cell_ui(ui: &mut Ui, cx: &ViewContext<'_>, column: &Column, id: RunId) {
    let tokens = tokens(ui);
    let rect = ui.max_rect();
    match cx.state.explore.table.cell(id, column) {
        Some(Cell::Number(number)) => {
            let words = number_words(cx.state, column, *number);
            let state = cx.state.library.runs.get(&id).map(|run| &run.state);
            let ink = number_ink(tokens, column, *number, state);
            let at = pos2(rect.right() - 10.0, rect.center().y);
            paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, &words, (Type::Body, ink));
        }
        Some(Cell::Text(text) | Cell::Written(text, _)) => {
            ui.add_space(4.0);
            let style = if *column == Column::Task { Type::Strong } else { Type::Body };
            let ink = match (column, &**text) {
                (Column::State, "failed" | "unreadable") => tokens.loss,
                (Column::State, "interrupted" | "cancelled" | "damaged") => tokens.warn,
                (Column::Task, _) => tokens.text,
                _ => tokens.dim,
            };
            if *column == cx.state.explore.view.color_by {
                let series = series_of(cx.state, text);
                paint_mark(ui.painter(), pos2(rect.left() + 9.0, rect.center().y), tokens, series);
                ui.add_space(14.0);
            }
            elided_label_ui(ui, text, style, ink);
        }
        Some(Cell::Flag(true)) => {
            let style = (Type::IconSmall, tokens.warn);
            paint_text(
                ui.painter(),
                rect.center(),
                Align2::CENTER_CENTER,
                icons::STAR,
                style,
                20.0,
            );
        }
        Some(Cell::Flag(false)) | None => {}
        Some(Cell::Missing(gap)) => {
            let is_text = column.kind() == ColumnKind::Text;
            // Mostly nothing is missing where there are no words; every run has a beginning.
            let is_told = !is_text || *column == Column::Started;
            if !is_told && *gap == crate::workbench::Gap::NotRecorded {
                return;
            }
            let (at, anchor) = if is_text {
                (pos2(rect.left() + 4.0, rect.center().y), Align2::LEFT_CENTER)
            } else {
                (pos2(rect.right() - 10.0, rect.center().y), Align2::RIGHT_CENTER)
            };
            // A dot is on its way, a dash never comes, and what is equal has no bound.
            let is_on_its_way =
                matches!(gap, crate::workbench::Gap::NotRead | crate::workbench::Gap::NotScored);
            let words = match gap {
                _ if is_on_its_way => "·",
                crate::workbench::Gap::Infinite(_) => INFINITE,
                _ => "–",
            };
            let shown = paint_text(ui.painter(), at, anchor, words, (Type::Body, tokens.dim), 30.0);
            let why = format!("{}: {gap}", cx.state.column_heading(column));
            let around = shown.expand2(vec2(8.0, 4.0));
            ui.interact(around, ui.scope_id().with("gap"), Sense::hover()).on_hover_text(why);
        }
    }
}

/// The ink of a number of a run.
fn number_ink(tokens: &Tokens, column: &Column, number: f64, state: Option<&RunState>) -> Color32 {
    match column {
        Column::Failures if number > 0.0 => tokens.loss,
        // What a run that failed left behind is scored, and is no result.
        Column::Score(_) if state.is_some_and(|state| !state.is_result()) => tokens.dim,
        _ => tokens.text,
    }
}

fn curve_ui(ui: &Ui, cx: &ViewContext<'_>, id: RunId) {
    let Some(run) = cx.state.library.runs.get(&id) else { return };
    let curve = run.curves.of(PrimaryMetric::of_run(&run.manifest).variant());
    let stride = curve.len().div_ceil(CURVE_POINTS).max(1);
    let last = curve.len().saturating_sub(1);
    let thinned = curve.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
    let values: Vec<Option<f64>> =
        thinned.map(|(_, score)| score.as_ref().and_then(Score::value)).collect();
    let rect = ui.max_rect().shrink2(vec2(6.0, 7.0));
    paint_sparkline(ui.painter(), rect, &values, tokens(ui).dim);
}

fn group_ui(
    row: &mut TableRow<'_, '_>,
    cx: &ViewContext<'_>,
    columns: &[Column],
    group: &GroupRow,
) {
    row.col(|ui| {
        let icon = if group.is_folded { icons::FOLDED } else { icons::UNFOLDED };
        let at = pos2(ui.max_rect().left() + 18.0, ui.max_rect().center().y);
        let style = (Type::IconSmall, tokens(ui).dim);
        paint_text(ui.painter(), at, Align2::CENTER_CENTER, icon, style, 20.0);
    });
    summary_ui(row, cx, columns, &group.name, group.runs, &group.summary);
    row.col(|_| {});
    row.col(|_| {});
    let response = row.response();
    let told = format!("{}, {}", group.name, count(group.runs, "run"));
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, !group.is_folded, &told));
    if response.clicked() {
        explore(cx, ExploreCommand::ToggleGroup(group.name.to_string()));
    }
}

fn all_ui(row: &mut TableRow<'_, '_>, cx: &ViewContext<'_>, columns: &[Column]) {
    let table = &cx.state.explore.table;
    row.col(|_| {});
    summary_ui(row, cx, columns, "All shown", table.shown.len(), &table.all);
    row.col(|_| {});
    row.col(|_| {});
    // Over all cells, each of which would cut it at its edge.
    let response = row.response();
    let painter = response.ctx.layer_painter(response.layer_id);
    let painter = painter.with_clip_rect(response.interact_rect);
    painter.hline(response.rect.x_range(), response.rect.top(), tokens_of(&response).line());
}

/// The name in the first column, means with half of their intervals in those of numbers.
fn summary_ui(
    row: &mut TableRow<'_, '_>,
    cx: &ViewContext<'_>,
    columns: &[Column],
    name: &str,
    runs: usize,
    summary: &Summary,
) {
    for (at, column) in columns.iter().enumerate() {
        let place = cx.state.explore.table.place(column);
        let mean = place.and_then(|place| *summary.means.get(place)?);
        row.col(|ui| {
            let tokens = tokens(ui);
            let rect = ui.max_rect();
            if at == 0 {
                name_ui(ui, cx, name, runs);
            } else if let Some((mean, half, count)) = mean {
                let right = rect.right() - 10.0;
                let words = mean_words(cx, column, mean);
                let (above, below) = (rect.center().y - 8.0, rect.center().y + 8.0);
                let style = (Type::Strong, tokens.text);
                paint_numbers(
                    ui.painter(),
                    pos2(right, above),
                    Align2::RIGHT_CENTER,
                    &words,
                    style,
                );
                let half_words = half.map(|half| format!("±{}", mean_words(cx, column, half)));
                if let Some(words) = &half_words {
                    let style = (Type::Caption, tokens.dim);
                    paint_numbers(
                        ui.painter(),
                        pos2(right, below),
                        Align2::RIGHT_CENTER,
                        words,
                        style,
                    );
                }
                let told = format!(
                    "{}: mean {words}{} of {count} runs (95 %, Student's t){}{}",
                    cx.state.column_heading(column),
                    half_words.map(|half| format!(" {half}")).unwrap_or_default(),
                    counted_too(column),
                    left_out_words(summary, place),
                );
                ui.interact(rect, ui.scope_id().with("mean"), Sense::hover()).on_hover_text(told);
            } else if let Some(infinite) = infinite_of(summary, place) {
                // Where a mean would stand, beside those of other columns.
                let at = pos2(rect.right() - 10.0, rect.center().y - 8.0);
                let style = (Type::Strong, tokens.dim);
                paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, INFINITE, style);
                let heading = cx.state.column_heading(column);
                let runs = count(infinite, "run");
                let told =
                    format!("{heading}: infinite in {runs}, a number in none: there is no mean");
                ui.interact(rect, ui.scope_id().with("mean"), Sense::hover()).on_hover_text(told);
            }
        });
    }
}

fn name_ui(ui: &mut Ui, cx: &ViewContext<'_>, name: &str, runs: usize) {
    let tokens = tokens(ui);
    let rect = ui.max_rect();
    let mut left = rect.left() + 4.0;
    if let Some(by) = &cx.state.explore.view.group
        && let Some(series) = series_of_group(cx.state, by, name)
    {
        paint_mark(ui.painter(), pos2(left + 4.0, rect.center().y), tokens, Some(series));
        left += 14.0;
    }
    let room = rect.right() - left;
    let at = pos2(left, rect.center().y - 8.0);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, (Type::Strong, tokens.text), room);
    let at = pos2(left, rect.center().y + 8.0);
    let words = count(runs, "run");
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &words, (Type::Caption, tokens.dim), room);
}

/// What counts in a mean though it is no result.
fn counted_too(column: &Column) -> &'static str {
    match column {
        Column::Score(_) => ", those that failed, were stopped or broke off among them",
        _ => "",
    }
}

/// How many runs are in no mean as they are equal to their truth.
fn left_out_words(summary: &Summary, place: Option<usize>) -> String {
    infinite_of(summary, place).map_or_else(String::new, |infinite| {
        format!(", and {infinite} infinite, which are left out")
    })
}

/// How many runs are infinite in a column; `None` where none is.
fn infinite_of(summary: &Summary, place: Option<usize>) -> Option<usize> {
    place.and_then(|place| summary.infinite.get(place).copied()).filter(|infinite| *infinite > 0)
}

/// A mean of counts has a decimal more than a count.
fn mean_words(cx: &ViewContext<'_>, column: &Column, mean: f64) -> String {
    match column {
        Column::Turns | Column::Steps | Column::Calls | Column::Failures | Column::Tools => {
            format!("{mean:.1}")
        }
        _ => number_words(cx.state, column, mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::tokens_in;

    #[test]
    fn the_score_of_a_run_that_failed_is_dimmed_and_its_other_numbers_are_not() {
        let tokens = tokens_in(true);
        let score = Column::Score(PrimaryMetric::Similarity.variant().into());
        let ink = |column: &Column, state| number_ink(tokens, column, 0.9, Some(&state));
        for state in
            [RunState::Failed("why".to_owned()), RunState::Cancelled, RunState::Interrupted]
        {
            assert_eq!(ink(&score, state.clone()), tokens.dim);
            assert_eq!(ink(&Column::Turns, state), tokens.text);
        }
        for state in [RunState::Finished, RunState::Live] {
            assert_eq!(ink(&score, state), tokens.text);
        }
        assert_eq!(number_ink(tokens, &score, 0.9, None), tokens.text);
    }
}

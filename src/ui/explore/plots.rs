//! Plots of the runs that are shown: a scatter of two columns, the distribution of one, the score by step.

use std::sync::Arc;

use egui::{
    Align, Align2, ComboBox, Layout, Popup, Rect, ScrollArea, Sense, Ui, Vec2b, pos2, vec2,
};
use egui_plot::{FilledArea, Line, LineStyle, Plot, PlotPoints, PlotTransform, Points};

use super::pair::pair_ui;
use super::parts::{
    caption_ui, explained_ui, explore, look_of, number_words, paint_mark, series_of,
};
use super::saving::save_menu_ui;
use super::study_plot::study_ui;
use crate::evaluate::figures::{DISTRIBUTION, MEAN_CURVES, MeanPoint, SCATTER, mean_points};
use crate::evaluate::{Coefficient, Relation, p_words};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, change_words, chosen_look, count, paint_text, rich_text, text_width,
};
use crate::workbench::{
    Column, ColumnKind, ExploreCommand, Fetched, RunId, Selecting, State, Statistics,
};

/// Bins of a distribution.
const BINS: usize = 24;
/// How near the pointer has to be to a dot.
const NEAR: f32 = 10.0;

/// What the plots themselves remember.
#[derive(Debug, Default)]
pub(super) struct Plots {
    /// Where a drag began, in which plot.
    dragged: Option<(egui::Id, egui::Pos2)>,
    readout: Option<String>,
    /// What is drawn of thousands of runs is worked out once for every table: the dots, the distribution, and the
    /// mean curves by model, each with the number of the table it is of.
    dots: Option<(u64, Arc<[Dot]>)>,
    distribution: Option<(u64, Arc<Distribution>)>,
    curves: Option<(u64, Vec<MeanCurve>)>,
}

/// The mean score of a model by step, with its interval.
#[derive(Debug)]
struct MeanCurve {
    /// The model, if it has a colour of its own.
    series: Option<usize>,
    points: Vec<MeanPoint>,
    runs: usize,
}

impl Plots {
    /// What is under the pointer.
    pub(super) fn readout(&self) -> Option<&str> {
        self.readout.as_deref()
    }

    /// Draws all of them.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        self.readout = None;
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 6)).show(ui, |ui| {
            self.readout = study_ui(ui, cx);
            self.scatter_ui(ui, cx);
            ui.add_space(8.0);
            self.distribution_ui(ui, cx);
            self.curves_ui(ui, cx);
            ui.add_space(8.0);
            pair_ui(ui, cx);
        });
    }

    fn scatter_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let (x, y) = cx.state.explore.view.axes.clone();
        ui.horizontal(|ui| {
            if let Some(column) = column_ui(ui, cx, "Upwards", &y) {
                explore(cx, ExploreCommand::Axes(x.clone(), column));
            }
            ui.label(rich_text("against", Type::Caption, tokens(ui).dim));
            if let Some(column) = column_ui(ui, cx, "To the right", &x) {
                explore(cx, ExploreCommand::Axes(column, y.clone()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                save_menu_ui(ui, cx, "Save the scatter", SCATTER);
            });
        });
        relation_ui(ui, cx);
        let table = &cx.state.explore.table;
        let (Some(at_x), Some(at_y)) = (table.place(&x), table.place(&y)) else { return };
        let known = self.dots.as_ref().filter(|(of, _)| *of == table.made());
        let dots = match known {
            Some((_, dots)) => Arc::clone(dots),
            None => dots_of(cx.state, [at_x, at_y]),
        };
        self.dots = Some((table.made(), Arc::clone(&dots)));
        if dots.is_empty() {
            caption_ui(ui, "No run has both values yet.", tokens(ui).dim);
            return;
        }
        let name =
            format!("{} against {}", cx.state.column_heading(&y), cx.state.column_heading(&x));
        let response = scatter_plot(ui, cx, &dots);
        response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
        self.dot_ui(ui, cx, &dots, &response.transform, &response.response, [&x, &y]);
        if let Some(area) = self.drag(ui, &response.response) {
            let within =
                |dot: &&Dot| dot.is_shown && area.contains(on_screen(&response.transform, dot.at));
            let runs = dots.iter().filter(within).map(|dot| dot.id).collect();
            explore(cx, ExploreCommand::Select(selecting_area(ui, runs)));
        }
    }

    /// What the pointer is on: named, and chosen by a click.
    fn dot_ui(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        dots: &[Dot],
        transform: &PlotTransform,
        response: &egui::Response,
        axes: [&Column; 2],
    ) {
        let Some(pointer) = response.hover_pos() else { return };
        let shown = dots.iter().filter(|dot| dot.is_shown);
        let away = shown.map(|dot| (on_screen(transform, dot.at).distance(pointer), dot));
        let nearest = away.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(away, _)| *away < NEAR);
        let Some((dot, run)) =
            nearest.and_then(|(_, dot)| Some((dot, cx.state.library.runs.get(&dot.id)?)))
        else {
            // A click beside all dots lets go of the selection.
            if response.clicked() {
                explore(cx, ExploreCommand::Select(Selecting::None));
            }
            return;
        };
        let at = on_screen(transform, dot.at);
        ui.painter().circle_stroke(at, 6.5, egui::Stroke::new(1.5, tokens(ui).text));
        let values = axes.iter().zip(dot.at).map(|(column, value)| {
            format!("{} {}", cx.state.column_heading(column), number_words(cx.state, column, value))
        });
        let values: Vec<String> = values.collect();
        let words =
            format!("{} · {} · {}", run.task.id, run.manifest.agent.name, values.join(" · "));
        response.clone().on_hover_text_at_pointer(&words);
        self.readout = Some(words);
        if response.clicked() {
            let many = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            let selecting = if many { Selecting::Toggle(dot.id) } else { Selecting::Only(dot.id) };
            explore(cx, ExploreCommand::Select(selecting));
        }
    }

    /// The rectangle of a drag that has ended; one that goes on is painted.
    fn drag(&mut self, ui: &Ui, response: &egui::Response) -> Option<Rect> {
        if response.drag_started() {
            self.dragged = response.interact_pointer_pos().map(|at| (response.id, at));
        }
        let (id, from) = self.dragged?;
        if id != response.id {
            return None;
        }
        let to = ui.input(|input| input.pointer.latest_pos()).unwrap_or(from);
        let area = Rect::from_two_pos(from, to);
        if response.drag_stopped() {
            self.dragged = None;
            return Some(area);
        }
        let tokens = tokens(ui);
        let painter = ui.painter().with_clip_rect(response.rect);
        let stroke = egui::Stroke::new(1.0, tokens.accent);
        painter.rect(area, 2, tokens.accent.gamma_multiply(0.15), stroke, egui::StrokeKind::Inside);
        None
    }

    fn distribution_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let metric = cx.state.explore.view.metric.clone();
        ui.horizontal(|ui| {
            ui.label(rich_text("Distribution of", Type::Section, tokens(ui).dim));
            if let Some(column) = column_ui(ui, cx, "Distribution of", &metric) {
                explore(cx, ExploreCommand::Metric(column));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                save_menu_ui(ui, cx, "Save the distribution", DISTRIBUTION);
            });
        });
        let table = &cx.state.explore.table;
        let Some(place) = table.place(&metric) else { return };
        let known = self.distribution.as_ref().filter(|(of, _)| *of == table.made());
        let shown = match known {
            Some((_, shown)) => Arc::clone(shown),
            None => Arc::new(distribution_of(cx.state, place)),
        };
        self.distribution = Some((table.made(), Arc::clone(&shown)));
        let Distribution { values, low, width, counts } = &*shown;
        if values.is_empty() {
            caption_ui(ui, "No run that is shown has a value yet.", tokens(ui).dim);
            return;
        }
        let tokens = tokens(ui);
        let plot = base_plot(ui, "explore_distribution", 110.0).show_y(false).include_y(0.0);
        let shown = plot.show(ui, |plot| {
            for (series, bins) in counts.iter().enumerate() {
                let total: usize = bins.iter().sum();
                if total == 0 {
                    continue;
                }
                let series = (series < 4).then_some(series);
                let points: PlotPoints<'_> = bins
                    .iter()
                    .enumerate()
                    .map(|(bin, count)| {
                        // Shares and not counts, as models have unequally many runs.
                        [low + (bin as f64 + 0.5) * width, *count as f64 / total as f64]
                    })
                    .collect();
                plot.line(styled(Line::new("", points), tokens, series));
            }
        });
        let by = cx.state.column_heading(&cx.state.explore.view.color_by).to_lowercase();
        let name = format!("Distribution of {} by {by}", cx.state.column_heading(&metric));
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
        if let Some(area) = self.drag(ui, &shown.response) {
            let range = [area.left(), area.right()]
                .map(|x| shown.transform.value_from_position(pos2(x, area.center().y)).x);
            let within = values.iter().filter(|(_, value)| (range[0]..=range[1]).contains(value));
            let runs = within.map(|(id, _)| *id).collect();
            explore(cx, ExploreCommand::Select(selecting_area(ui, runs)));
        }
    }

    fn curves_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let made = cx.state.explore.table.made();
        // Once for every table, as it goes through the curves of all runs.
        if self.curves.as_ref().is_none_or(|(of, _)| *of != made) {
            let curves = cx.state.explore_curves().into_iter().map(|of| MeanCurve {
                series: series_of(cx.state, &of.name),
                points: mean_points(&of.values),
                runs: of.values.len(),
            });
            self.curves = Some((made, curves.collect()));
        }
        let Some((_, curves)) = &self.curves else { return };
        if curves.is_empty() {
            return;
        }
        ui.add_space(8.0);
        let runs: usize = curves.iter().map(|curve| curve.runs).sum();
        ui.horizontal(|ui| {
            let words = format!("mean, 95 % · {} with a whole curve", count(runs, "run"));
            ui.label(rich_text("Score by step", Type::Section, tokens(ui).dim));
            ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                save_menu_ui(ui, cx, "Save the score by step", MEAN_CURVES);
            });
        });
        let tokens = tokens(ui);
        let shown = base_plot(ui, "explore_curves", 120.0).show(ui, |plot| {
            for curve in curves {
                let (color, _) = look_of(tokens, curve.series);
                let points = curve.points.iter();
                let steps: Vec<f64> = points.clone().map(|point| point.step as f64).collect();
                let low: Vec<f64> = points.clone().map(|point| point.low).collect();
                let high: Vec<f64> = points.clone().map(|point| point.high).collect();
                plot.add(
                    FilledArea::new("", &steps, &low, &high).fill_color(color.gamma_multiply(0.25)),
                );
                let mean: PlotPoints<'_> =
                    points.map(|point| [point.step as f64, point.mean]).collect();
                plot.line(styled(Line::new("", mean), tokens, curve.series));
            }
        });
        let name = format!("Mean score by step of {}", count(runs, "run"));
        shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
    }
}

/// A run as a dot.
#[derive(Debug)]
struct Dot {
    id: RunId,
    at: [f64; 2],
    is_shown: bool,
    /// What it is told apart by, if that has a colour of its own.
    series: Option<usize>,
}

/// The runs that have both values, shown or not; the columns by their places.
fn dots_of(state: &State, [x, y]: [usize; 2]) -> Arc<[Dot]> {
    let table = &state.explore.table;
    let colors = table.place(&state.explore.view.color_by);
    let dots = table.runs.iter().filter_map(|(id, run)| {
        let at = [run.cells.get(x)?.number()?, run.cells.get(y)?.number()?];
        let series = colors.and_then(|place| series_of(state, run.cells.get(place)?.text()?));
        Some(Dot { id, at, is_shown: run.passes, series })
    });
    dots.collect()
}

/// The values of the runs that are shown, counted by model.
#[derive(Debug)]
struct Distribution {
    values: Vec<(RunId, f64)>,
    low: f64,
    /// Of a bin.
    width: f64,
    /// By model; those without a colour of their own share the fifth.
    counts: [[usize; BINS]; 5],
}

fn distribution_of(state: &State, place: usize) -> Distribution {
    let table = &state.explore.table;
    let values = table
        .shown
        .iter()
        .filter_map(|id| Some((*id, table.runs.get(*id)?.cells.get(place)?.number()?)));
    let values: Vec<(RunId, f64)> = values.collect();
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, it)| {
            (it.min(low), it.max(high))
        });
    // Equal values would make bins of no width.
    let width = ((high - low) / BINS as f64).max(1e-9);
    let mut counts = [[0; BINS]; 5];
    for (id, value) in &values {
        let series = series_of_run(state, *id).unwrap_or(4);
        let bin = (((value - low) / width) as usize).min(BINS - 1);
        if let Some(count) = counts.get_mut(series).and_then(|bins| bins.get_mut(bin)) {
            *count += 1;
        }
    }
    Distribution { values, low, width, counts }
}

fn on_screen(transform: &PlotTransform, [x, y]: [f64; 2]) -> egui::Pos2 {
    transform.position_from_point(&egui_plot::PlotPoint::new(x, y))
}

/// With Shift or Ctrl what is dragged over comes beside what is selected.
fn selecting_area(ui: &Ui, runs: Vec<RunId>) -> Selecting {
    let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
    if adds { Selecting::Add(runs) } else { Selecting::These(runs) }
}

/// The place of a run's model, or of what else it is told apart by, if that has a colour of its own.
fn series_of_run(state: &State, run: RunId) -> Option<usize> {
    series_of(state, state.explore.table.text(run, &state.explore.view.color_by)?)
}

/// A plot that stays where it is: dragging selects.
fn base_plot(ui: &Ui, name: &'static str, height: f32) -> Plot<'static> {
    Plot::new(name)
        .grid_color(tokens(ui).hairline)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .auto_bounds(Vec2b::TRUE)
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .sense(Sense::click_and_drag())
        .label_formatter(|_| None)
}

fn styled<'a>(
    line: Line<'a>,
    tokens: &crate::ui::theme::Tokens,
    series: Option<usize>,
) -> Line<'a> {
    let (color, _) = look_of(tokens, series);
    let style = match series {
        Some(1) => LineStyle::dashed_dense(),
        Some(2) => LineStyle::dotted_dense(),
        Some(3) => LineStyle::dashed_loose(),
        _ => LineStyle::Solid,
    };
    line.color(color).width(1.6).style(style).allow_hover(false)
}

fn scatter_plot(ui: &mut Ui, cx: &ViewContext<'_>, dots: &[Dot]) -> egui_plot::PlotResponse<()> {
    let tokens = tokens(ui);
    let selected = &cx.state.explore.selected;
    base_plot(ui, "explore_scatter", 210.0).show(ui, |plot| {
        // Behind: what is outside of the filter.
        let behind: PlotPoints<'_> =
            dots.iter().filter(|dot| !dot.is_shown).map(|dot| dot.at).collect();
        plot.points(Points::new("", behind).color(tokens.context).radius(1.6).allow_hover(false));
        for series in (0..4).map(Some).chain([None]) {
            let (color, form) = look_of(tokens, series);
            let of_series = dots.iter().filter(|dot| dot.is_shown && dot.series == series);
            let points: PlotPoints<'_> = of_series.map(|dot| dot.at).collect();
            plot.points(
                Points::new("", points).color(color).shape(form).radius(2.8).allow_hover(false),
            );
        }
        let chosen = dots.iter().filter(|dot| selected.contains(&dot.id));
        let chosen: PlotPoints<'_> = chosen.map(|dot| dot.at).collect();
        let ring = Points::new("", chosen).color(tokens.accent).filled(false).radius(6.0);
        plot.points(ring.allow_hover(false));
    })
}

/// A menu of columns of numbers, settings and what was imported among them, and yes and no as 1 and 0; gives what was
/// chosen.
fn column_ui(ui: &mut Ui, cx: &ViewContext<'_>, name: &str, now: &Column) -> Option<Column> {
    let mut chosen = None;
    let shown = rich_text(cx.state.column_heading(now), Type::Strong, tokens(ui).text);
    let combo = ComboBox::from_id_salt(("explore_column", name)).selected_text(shown);
    let response = combo.show_ui(ui, |ui| {
        chosen_look(ui);
        let numbers = Column::all().filter(|column| column.kind() != ColumnKind::Text);
        let table = &cx.state.explore.table;
        let settings = table.number_settings().map(Column::setting);
        let imported = table.number_imported().map(Column::imported);
        let scores = cx.state.variants.iter().map(|it| Column::Score(it.id.clone()));
        for column in numbers.chain(settings).chain(imported).chain(scores) {
            let row = ui.selectable_label(column == *now, cx.state.column_heading(&column));
            if row.on_hover_text(column.id()).clicked() {
                chosen = Some(column);
            }
        }
    });
    response.response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("{name}: {}", now.heading()))
    });
    chosen
}

/// ρ, τ and r with their p-values and intervals.
fn relation_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let Some(key) = &cx.state.explore.table.relation else { return };
    match cx.state.derived.statistics.get(key) {
        Some(Fetched::Ready(statistics)) => {
            if let Statistics::Relation(relation) = &**statistics {
                found_ui(ui, cx, relation);
            }
        }
        Some(Fetched::Failed(why)) => caption_ui(ui, why, tokens.warn),
        Some(Fetched::Pending) | None => {
            let (x, y) = &cx.state.explore.view.axes;
            let words = if cx.state.awaits_scores_in(x) || cx.state.awaits_scores_in(y) {
                "How the two go together is computed once all runs are scored."
            } else {
                "Computing how the two go together…"
            };
            caption_ui(ui, words, tokens.dim);
            // As many lines as the result will have, so that nothing below moves when it comes.
            caption_ui(ui, "", tokens.dim);
        }
    }
}

/// The coefficients, or why there are none, in two lines; how each was found where the pointer rests.
fn found_ui(ui: &mut Ui, cx: &ViewContext<'_>, relation: &Relation) {
    let (tokens, table) = (tokens(ui), &cx.state.explore.table);
    let (x, y) = &cx.state.explore.view.axes;
    let names = [x, y].map(|column| cx.state.column_heading(column));
    let names = [names[0].as_str(), names[1].as_str()];
    let mut more = relation.lines(names);
    more.push(runs_words(table.shown.len() - relation.runs, table.runs.len() - table.shown.len()));
    let more = more.join("\n");
    if let Some(why) = relation.gap(names) {
        explained_ui(ui, &why, tokens.dim, &more);
        explained_ui(ui, "", tokens.dim, &more);
        return;
    }
    let words = format!(
        "{} · n {} · {} without both",
        coefficient_words("Spearman ρ", &relation.spearman),
        relation.runs,
        table.shown.len() - relation.runs
    );
    explained_ui(ui, &words, tokens.text, &more);
    let words = format!(
        "{} · {} · 95 % by {} resamples",
        coefficient_words("Kendall τ", &relation.kendall),
        coefficient_words("Pearson r", &relation.pearson),
        relation.resamples
    );
    explained_ui(ui, &words, tokens.dim, &more);
}

/// Which runs are not among those that the coefficients are of.
fn runs_words(without: usize, behind: usize) -> String {
    let without = count(without, "run");
    let behind = count(behind, "run");
    format!("Not among them: {without} without one of the values, {behind} outside the filter.")
}

fn coefficient_words(name: &str, coefficient: &Coefficient) -> String {
    match &coefficient.of_all {
        Err(why) => format!("{name}: {why}"),
        Ok(found) => {
            let value = change_words(found.value);
            let interval = match &coefficient.interval {
                Ok(it) => {
                    let [low, high] = [it.interval.low, it.interval.high].map(change_words);
                    format!(" [{low}, {high}]")
                }
                Err(_) => " [no interval]".to_owned(),
            };
            let p = match &found.p {
                Ok(p) => format!("p {}", p_words(*p)),
                Err(_) => "no p".to_owned(),
            };
            format!("{name} {value}{interval}, {p}")
        }
    }
}

/// What the colours are of, to be chosen, and the models, or what else it is, that have a colour and form of their own.
pub(super) fn legend_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    color_ui(ui, cx);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(10.0);
        let known = cx.state.explore.table.series.iter().take(4).enumerate();
        for (series, (name, _)) in known.rev() {
            let width = text_width(ui, name, Type::Caption).min(120.0) + 20.0;
            if ui.available_width() < width {
                break;
            }
            let (rect, response) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
            paint_mark(
                ui.painter(),
                pos2(rect.left() + 6.0, rect.center().y),
                tokens,
                Some(series),
            );
            let at = pos2(rect.left() + 14.0, rect.center().y);
            let style = (Type::Caption, tokens.text);
            paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, style, width - 16.0);
            response.on_hover_text(&**name);
        }
    });
}

/// By what runs have their colours: a column of words, or a setting.
fn color_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = &cx.state.explore.view.color_by;
    let heading = cx.state.column_heading(now).to_lowercase();
    let name = format!("Colors by: {heading}");
    let button = Button::text("Colors").named(&name).look(Look::Tool);
    let button = button.tooltip("Choose what runs are told apart by in the plots.").show(ui);
    Popup::menu(&button).show(|ui| {
        let words = Column::all().filter(|column| column.kind() == ColumnKind::Text);
        let words = words.filter(|column| !matches!(column, Column::Task | Column::Started));
        let settings = cx.state.explore.table.settings();
        let settings = settings.map(Column::setting);
        ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            for column in words.chain(settings) {
                let row = ui.radio(column == *now, cx.state.column_heading(&column));
                if row.on_hover_text(column.id()).clicked() {
                    explore(cx, ExploreCommand::ColorBy(column));
                }
            }
        });
    });
}

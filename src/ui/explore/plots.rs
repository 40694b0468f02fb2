//! Plots of the runs that are shown: a scatter of two columns, and below it the others.

use std::sync::Arc;

use egui::{Align, Align2, Layout, Popup, ScrollArea, Sense, Ui, pos2, vec2};
use egui_plot::{PlotPoints, PlotTransform, Points};

use super::curves::CurvesPlot;
use super::distribution::DistributionPlot;
use super::pair::pair_ui;
use super::parts::{
    caption_ui, explained_ui, explore, look_of, number_words, paint_mark, series_of,
};
use super::plotting::{AreaDrag, NEAR, base_plot, column_ui, on_screen, selecting_runs};
use super::saving::save_menu_ui;
use super::study_plot::study_ui;
use crate::evaluate::figures::SCATTER;
use crate::evaluate::{Coefficient, Relation, p_words};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, change_words, count, paint_text, rich_text, text_width};
use crate::workbench::{
    Column, ColumnKind, ExploreCommand, Fetched, RunId, Selecting, State, Statistics,
};

/// What the plots themselves remember.
#[derive(Debug, Default)]
pub(super) struct Plots {
    readout: Option<String>,
    /// Worked out once for every table, as they are of thousands of runs, with its number.
    dots: Option<(u64, Arc<[Dot]>)>,
    drag: AreaDrag,
    distribution: DistributionPlot,
    curves: CurvesPlot,
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
            let of_distribution = self.distribution.show(ui, cx);
            let of_curves = self.curves.show(ui, cx);
            self.readout = self.readout.take().or(of_distribution).or(of_curves);
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
        if let Some(area) = self.drag.area(ui, &response.response) {
            let within =
                |dot: &&Dot| dot.is_shown && area.contains(on_screen(&response.transform, dot.at));
            let runs = dots.iter().filter(within).map(|dot| dot.id).collect();
            explore(cx, ExploreCommand::Select(selecting_runs(ui, runs)));
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
    // For the frame after a letter of the filter it is of the runs that were shown before.
    let without = table.shown.len().saturating_sub(relation.runs);
    more.push(runs_words(without, table.runs.len() - table.shown.len()));
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
        without
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

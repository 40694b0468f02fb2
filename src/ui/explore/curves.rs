//! The score by step: the mean over the runs of each model, whose runs a click selects, and over those that are
//! selected.

use std::collections::BTreeSet;

use egui::{Align, Layout, Pos2, Role, Ui, WidgetInfo};
use egui_plot::{FilledArea, Line, PlotPoints, PlotResponse, PlotTransform};

use super::parts::{explore, look_of, series_of};
use super::plotting::{NEAR, base_plot, on_screen, selecting_runs, styled};
use super::saving::save_menu_ui;
use crate::evaluate::figures::{MEAN_CURVES, MeanPoint, mean_points};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{count, rich_text};
use crate::workbench::{ExploreCommand, RunId, Selecting, State};

/// What the plot remembers: what goes through the curves of all runs is worked out once for every table.
#[derive(Debug, Default)]
pub(super) struct CurvesPlot {
    /// By model, with the number of the table they are of.
    curves: Option<(u64, Vec<MeanCurve>)>,
    /// Of the runs that are selected.
    selected: Option<(u64, BTreeSet<RunId>, Vec<MeanPoint>)>,
}

/// The mean score of a model by step, with its interval.
#[derive(Debug)]
struct MeanCurve {
    name: String,
    /// The model, if it has a colour of its own.
    series: Option<usize>,
    points: Vec<MeanPoint>,
    runs: Vec<RunId>,
}

impl CurvesPlot {
    /// Draws it, nothing where no run has a whole curve; gives what is under the pointer.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) -> Option<String> {
        self.refresh(cx.state);
        let (_, curves) = self.curves.as_ref().filter(|(_, curves)| !curves.is_empty())?;
        ui.add_space(8.0);
        let runs: usize = curves.iter().map(|curve| curve.runs.len()).sum();
        ui.horizontal(|ui| {
            let words = format!("mean, 95 % · {} with a whole curve", count(runs, "run"));
            ui.label(rich_text("Score by step", Type::Section, tokens(ui).dim));
            ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                save_menu_ui(ui, cx, "Save the score by step", MEAN_CURVES);
            });
        });
        let selected = self.selected.as_ref().map(|(.., points)| points.as_slice());
        let shown = plot_ui(ui, curves, selected.unwrap_or_default());
        let name = format!("Mean score by step of {}", count(runs, "run"));
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
        curve_ui(ui, cx, curves, &shown)
    }

    fn refresh(&mut self, state: &State) {
        let (made, selected) = (state.explore.table.made(), &state.explore.selected);
        if self.curves.as_ref().is_none_or(|(of, _)| *of != made) {
            let curves = state.explore_curves().into_iter().map(|of| {
                let series = series_of(state, &of.name);
                let (runs, values): (Vec<RunId>, Vec<Vec<f64>>) = of.values.into_iter().unzip();
                MeanCurve { name: of.name, series, points: mean_points(&values), runs }
            });
            self.curves = Some((made, curves.collect()));
        }
        let known = self.selected.as_ref();
        if known.is_none_or(|(of, runs, _)| *of != made || runs != selected) {
            let points = mean_points(&state.explore_selected_curves());
            self.selected = Some((made, selected.clone(), points));
        }
    }
}

impl MeanCurve {
    /// How far a place is from its line.
    fn away(&self, transform: &PlotTransform, place: Pos2) -> f32 {
        let points = self.points.iter();
        let points: Vec<Pos2> =
            points.map(|it| on_screen(transform, [it.step as f64, it.mean])).collect();
        let pieces = points.windows(2).map(|ends| {
            let along = ends[1] - ends[0];
            let share = (place - ends[0]).dot(along) / along.length_sq().max(1e-6);
            place.distance(ends[0] + along * share.clamp(0.0, 1.0))
        });
        pieces.fold(f32::INFINITY, f32::min)
    }
}

fn plot_ui(ui: &mut Ui, curves: &[MeanCurve], selected: &[MeanPoint]) -> PlotResponse<()> {
    let tokens = tokens(ui);
    base_plot(ui, "explore_curves", 120.0).show(ui, |plot| {
        for curve in curves {
            let (color, _) = look_of(tokens, curve.series);
            let points = curve.points.iter();
            let steps: Vec<f64> = points.clone().map(|point| point.step as f64).collect();
            let low: Vec<f64> = points.clone().map(|point| point.low).collect();
            let high: Vec<f64> = points.map(|point| point.high).collect();
            plot.add(
                FilledArea::new("", &steps, &low, &high).fill_color(color.gamma_multiply(0.25)),
            );
            plot.line(styled(Line::new("", means(&curve.points)), tokens, curve.series));
        }
        // Last, above the line of its model where all of its runs are selected.
        let chosen = Line::new("", means(selected)).color(tokens.accent).width(2.4);
        plot.line(chosen.allow_hover(false));
    })
}

fn means(points: &[MeanPoint]) -> PlotPoints<'static> {
    points.iter().map(|point| [point.step as f64, point.mean]).collect()
}

/// The curve under the pointer, whose runs a click selects; in words.
fn curve_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    curves: &[MeanCurve],
    shown: &PlotResponse<()>,
) -> Option<String> {
    let (transform, response) = (&shown.transform, &shown.response);
    let pointer = response.hover_pos()?;
    let away = curves.iter().map(|curve| (curve.away(transform, pointer), curve));
    let nearest = away.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(away, _)| *away < NEAR);
    let Some((_, curve)) = nearest else {
        // A click beside all curves lets go of the selection.
        if response.clicked() {
            explore(cx, ExploreCommand::Select(Selecting::None));
        }
        return None;
    };
    let words = format!("{} · {}", curve.name, count(curve.runs.len(), "run"));
    response.clone().on_hover_text_at_pointer(&words);
    if response.clicked() {
        explore(cx, ExploreCommand::Select(selecting_runs(ui, curve.runs.clone())));
    }
    Some(words)
}

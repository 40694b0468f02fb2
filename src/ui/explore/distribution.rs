//! The distribution of a column over the runs that are shown, a line a model; a click on a bin selects its runs.

use std::collections::BTreeSet;

use egui::{Align, Layout, Rect, Role, Ui, WidgetInfo, pos2};
use egui_plot::{Line, PlotPoints, PlotResponse, Points};

use super::parts::{caption_ui, explore, number_words, series_of};
use super::plotting::{AreaDrag, base_plot, column_ui, on_screen, selecting_runs, styled};
use super::saving::save_menu_ui;
use crate::evaluate::figures::DISTRIBUTION;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{count, rich_text};
use crate::workbench::{Column, ExploreCommand, RunId, Selecting, State};

const BINS: usize = 24;
/// Models that have a colour of their own; all others share one line more.
const MODELS: usize = 4;

/// What the plot remembers.
#[derive(Debug, Default)]
pub(super) struct DistributionPlot {
    /// Counted once for every table, with its number, as it goes through thousands of runs.
    counted: Option<(u64, Distribution)>,
    drag: AreaDrag,
}

/// The values of the runs that are shown, counted by model.
#[derive(Debug)]
struct Distribution {
    values: Vec<BinnedRun>,
    low: f64,
    /// Of a bin.
    width: f64,
    /// By model; those without a colour of their own come last.
    counts: [[usize; BINS]; MODELS + 1],
}

/// A run, and where it is counted.
#[derive(Debug)]
struct BinnedRun {
    run: RunId,
    value: f64,
    series: usize,
    bin: usize,
}

impl DistributionPlot {
    /// Draws it, and gives what is under the pointer.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) -> Option<String> {
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
        let place = table.place(&metric)?;
        if self.counted.as_ref().is_none_or(|(of, _)| *of != table.made()) {
            self.counted = Some((table.made(), Distribution::of(cx.state, place)));
        }
        let (_, counted) = self.counted.as_ref()?;
        if counted.values.is_empty() {
            caption_ui(ui, "No run that is shown has a value yet.", tokens(ui).dim);
            return None;
        }
        let shown = counted.plot_ui(ui, &cx.state.explore.selected);
        let by = cx.state.column_heading(&cx.state.explore.view.color_by).to_lowercase();
        let name = format!("Distribution of {} by {by}", cx.state.column_heading(&metric));
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
        let readout = counted.bin_ui(ui, cx, &metric, &shown);
        if let Some(area) = self.drag.area(ui, &shown.response) {
            let range = [area.left(), area.right()]
                .map(|x| shown.transform.value_from_position(pos2(x, area.center().y)).x);
            let values = counted.values.iter();
            let within = values.filter(|it| (range[0]..=range[1]).contains(&it.value));
            let runs = within.map(|it| it.run).collect();
            explore(cx, ExploreCommand::Select(selecting_runs(ui, runs)));
        }
        readout
    }
}

impl Distribution {
    fn of(state: &State, place: usize) -> Self {
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
        let mut counts = [[0; BINS]; MODELS + 1];
        let values = values.into_iter().map(|(run, value)| {
            let series = series_of_run(state, run).unwrap_or(MODELS);
            let bin = (((value - low) / width) as usize).min(BINS - 1);
            if let Some(count) = counts.get_mut(series).and_then(|bins| bins.get_mut(bin)) {
                *count += 1;
            }
            BinnedRun { run, value, series, bin }
        });
        Self { values: values.collect(), low, width, counts }
    }

    fn plot_ui(&self, ui: &mut Ui, selected: &BTreeSet<RunId>) -> PlotResponse<()> {
        let tokens = tokens(ui);
        let plot = base_plot(ui, "explore_distribution", 110.0).show_y(false).include_y(0.0);
        plot.show(ui, |plot| {
            for (series, bins) in self.counts.iter().enumerate() {
                if bins.iter().all(|count| *count == 0) {
                    continue;
                }
                let points: PlotPoints<'_> = (0..BINS).map(|bin| self.point(series, bin)).collect();
                let series = (series < MODELS).then_some(series);
                plot.line(styled(Line::new("", points), tokens, series));
            }
            let chosen: PlotPoints<'_> = self.selected_points(selected).into_iter().collect();
            let ring = Points::new("", chosen).color(tokens.accent).filled(false).radius(5.0);
            plot.points(ring.allow_hover(false));
        })
    }

    /// Where the line of a model is at a bin.
    fn point(&self, series: usize, bin: usize) -> [f64; 2] {
        let bins = self.counts.get(series);
        let total: usize = bins.iter().copied().flatten().sum();
        let count = bins.and_then(|bins| bins.get(bin)).copied().unwrap_or_default();
        // Shares and not counts, as models have unequally many runs.
        [self.low + (bin as f64 + 0.5) * self.width, count as f64 / total.max(1) as f64]
    }

    /// Where runs that are selected are counted.
    fn selected_points(&self, selected: &BTreeSet<RunId>) -> Vec<[f64; 2]> {
        // Asked every frame, of thousands of values.
        if selected.is_empty() {
            return Vec::new();
        }
        let values = self.values.iter().filter(|it| selected.contains(&it.run));
        let places: BTreeSet<(usize, usize)> = values.map(|it| (it.series, it.bin)).collect();
        places.into_iter().map(|(series, bin)| self.point(series, bin)).collect()
    }

    /// The bin under the pointer, whose runs a click selects; in words.
    fn bin_ui(
        &self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        metric: &Column,
        shown: &PlotResponse<()>,
    ) -> Option<String> {
        let (transform, response) = (&shown.transform, &shown.response);
        let pointer = response.hover_pos()?;
        let share = (transform.value_from_position(pointer).x - self.low) / self.width;
        let bin = (share >= 0.0).then_some(share as usize);
        let runs = self.values.iter().filter(|it| Some(it.bin) == bin).map(|it| it.run);
        let runs: Vec<RunId> = runs.collect();
        let (Some(bin), false) = (bin, runs.is_empty()) else {
            // A click beside all runs lets go of the selection.
            if response.clicked() {
                explore(cx, ExploreCommand::Select(Selecting::None));
            }
            return None;
        };
        let ends = [bin, bin + 1].map(|edge| self.low + edge as f64 * self.width);
        let [left, right] = ends.map(|end| on_screen(transform, [end, 0.0]).x);
        let area = Rect::from_x_y_ranges(left..=right, response.rect.y_range());
        let area = area.intersect(response.rect);
        ui.painter().rect_filled(area, 0, tokens(ui).dim.gamma_multiply(0.12));
        let [low, high] = ends.map(|end| number_words(cx.state, metric, end));
        let words = format!("{} · {low} to {high}", count(runs.len(), "run"));
        response.clone().on_hover_text_at_pointer(&words);
        if response.clicked() {
            explore(cx, ExploreCommand::Select(selecting_runs(ui, runs)));
        }
        Some(words)
    }
}

/// The place of a run's model, or of what else it is told apart by, if that has a colour of its own.
fn series_of_run(state: &State, run: RunId) -> Option<usize> {
    series_of(state, state.explore.table.text(run, &state.explore.view.color_by)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_selected_is_marked_once_on_the_line_it_is_counted_in() {
        let places = [(0, 0), (0, 3), (0, 3), (4, 3)];
        let mut counts = [[0; BINS]; MODELS + 1];
        let values = (0..).zip(places).map(|(run, (series, bin))| {
            counts[series][bin] += 1;
            BinnedRun { run: RunId(run), value: bin as f64, series, bin }
        });
        let values: Vec<BinnedRun> = values.collect();
        let distribution = Distribution { values, low: 0.0, width: 1.0, counts };
        let marked =
            |runs: &[u32]| distribution.selected_points(&runs.iter().copied().map(RunId).collect());
        assert!(marked(&[]).is_empty());
        assert_eq!(marked(&[1, 2]), [[3.5, 2.0 / 3.0]]);
        assert_eq!(marked(&[0, 3]), [[0.5, 1.0 / 3.0], [3.5, 1.0]]);
    }
}

//! The plots of the room as figures for files: what is shown, as the room colours it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::evaluate::PrimaryMetric;
use crate::evaluate::figures::{
    DISTRIBUTION, Figure, MEAN_CURVES, MOST_STEPS, PlotSeries, RUN_CURVES, SCATTER, STUDY,
    STUDY_PROGRESS, STUDY_RESULTS, distribution, mean_curves, scatter,
};
use crate::workbench::model::{Column, Fetched, LibraryRun, RunId, State, Statistics};

/// So many models, or what else runs are told apart by, have a colour of their own; all others share one.
const OWN_COLORS: usize = 4;
const OTHERS: &str = "others";

impl State {
    /// A figure of the papers or a plot of the room, by its id, of the runs that are shown; the curves of the run on
    /// the stage; or a figure of what the study that is open comes to.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn explore_figure(&self, id: &str) -> Result<Figure, String> {
        match id {
            SCATTER => self.explore_scatter(),
            DISTRIBUTION => self.explore_distribution(),
            MEAN_CURVES => self.explore_mean_curves(),
            RUN_CURVES => self.run_curves_figure(),
            STUDY => self.explore_study_figure(),
            STUDY_RESULTS => self.study_findings()?.figure.clone(),
            STUDY_PROGRESS => self.study_findings()?.progress.clone(),
            _ => self.paper_figure(id),
        }
    }

    fn explore_scatter(&self) -> Result<Figure, String> {
        let (table, axes) = (&self.explore.table, &self.explore.view.axes);
        let (Some(x), Some(y)) = (table.place(&axes.0), table.place(&axes.1)) else {
            return Err("its columns are not in the table".to_owned());
        };
        let dot = |run: &RunId| {
            let cells = &table.runs.get(*run)?.cells;
            Some([cells.get(x)?.number()?, cells.get(y)?.number()?])
        };
        // What the filter leaves out stays behind as dots: a cloud is read against the whole.
        let behind = table.runs.iter().filter(|(_, run)| !run.passes);
        let behind: Vec<[f64; 2]> = behind.filter_map(|(id, _)| dot(&id)).collect();
        let names = [&axes.0, &axes.1].map(|column| self.column_heading(column));
        let series = self.by_series(table.shown.iter().filter_map(|run| Some((*run, dot(run)?))));
        let mut figure = scatter([names[0].as_str(), names[1].as_str()], &series, &behind)?;
        figure.remarks.extend(self.relation_remarks([&names[0], &names[1]]));
        figure.remarks.extend(self.plot_remarks([&axes.0, &axes.1].into_iter(), &series));
        Ok(self.with_colors_named(figure))
    }

    /// How the two columns of the scatter go together, or why that is not known.
    fn relation_remarks(&self, names: [&str; 2]) -> Vec<String> {
        let Some(key) = &self.explore.table.relation else { return Vec::new() };
        match self.derived.statistics.get(key) {
            Some(Fetched::Ready(statistics)) => match &**statistics {
                Statistics::Relation(relation) => relation.lines(names),
                Statistics::Difference(_) => Vec::new(),
            },
            Some(Fetched::Failed(why)) => vec![format!("No correlations: {why}.")],
            Some(Fetched::Pending) | None => {
                vec!["Correlations were not computed yet when this was drawn.".to_owned()]
            }
        }
    }

    fn explore_distribution(&self) -> Result<Figure, String> {
        let (table, column) = (&self.explore.table, &self.explore.view.metric);
        let values = table.shown.iter();
        let values = values.filter_map(|run| Some((*run, table.number(*run, column)?)));
        let series = self.by_series(values);
        let mut figure = distribution(&self.column_heading(column), &series)?;
        figure.remarks.extend(self.plot_remarks(std::iter::once(column), &series));
        Ok(self.with_colors_named(figure))
    }

    /// The figure with what its colours are of, in its numbers and below it, where that is not the model.
    fn with_colors_named(&self, mut figure: Figure) -> Figure {
        let by = &self.explore.view.color_by;
        if *by != Column::Model {
            if let Some(head) = figure.numbers.first_mut().and_then(|heads| heads.first_mut()) {
                by.id().clone_into(head);
            }
            figure.remarks.push(format!("Colors: by {}.", by.id()));
        }
        figure
    }

    /// The scores after each step of the runs that are shown, by what they are told apart by: of those that have one
    /// after every step, each by the variant that stands for it.
    pub fn explore_curves(&self) -> Vec<PlotSeries<(RunId, Vec<f64>)>> {
        let shown = self.explore.table.shown.iter();
        let curves = shown.filter_map(|id| {
            let (_, curve) = whole_curve(self.library.runs.get(id)?)?;
            Some((*id, (*id, curve)))
        });
        self.by_series(curves)
    }

    /// Those of the selected runs alone.
    pub fn explore_selected_curves(&self) -> Vec<Vec<f64>> {
        let shown = self.explore.table.shown.iter();
        let selected = shown.filter(|id| self.explore.selected.contains(id));
        let curves = selected.filter_map(|id| whole_curve(self.library.runs.get(id)?));
        curves.map(|(_, curve)| curve).collect()
    }

    fn explore_mean_curves(&self) -> Result<Figure, String> {
        let series = self.explore_curves().into_iter().map(|of| PlotSeries {
            name: of.name,
            values: of.values.into_iter().map(|(_, curve)| curve).collect(),
        });
        let series: Vec<PlotSeries<Vec<f64>>> = series.collect();
        let mut figure = mean_curves(&series)?;
        let shown = self.explore.table.shown.iter().filter_map(|id| self.library.runs.get(id));
        let variants: BTreeSet<&str> =
            shown.clone().filter_map(whole_curve).map(|(variant, _)| variant).collect();
        figure.remarks.push(scored_by(variants.into_iter()));
        figure.remarks.extend(self.left_out_of(&series, "not scored after each step"));
        if shown.map(|run| run.curves.len()).any(|len| len > MOST_STEPS + 1) {
            figure.remarks.push(format!("Steps after {MOST_STEPS} are not drawn."));
        }
        Ok(self.with_colors_named(figure))
    }

    /// By which variants the columns of a plot are, and how many of the runs that are shown have no place in it.
    fn plot_remarks<'a, T>(
        &self,
        columns: impl Iterator<Item = &'a Column>,
        series: &[PlotSeries<T>],
    ) -> Vec<String> {
        let variants = columns.filter_map(|column| match column {
            Column::Score(id) => Some(&**id),
            _ => None,
        });
        let variants: BTreeSet<&str> = variants.collect();
        let scores = (!variants.is_empty()).then(|| scored_by(variants.into_iter()));
        scores.into_iter().chain(self.left_out_of(series, "without a value")).collect()
    }

    fn left_out_of<T>(&self, series: &[PlotSeries<T>], why: &str) -> Option<String> {
        let drawn: usize = series.iter().map(|of| of.values.len()).sum();
        match self.explore.table.shown.len().saturating_sub(drawn) {
            0 => None,
            1 => Some(format!("Left out: 1 run {why}.")),
            many => Some(format!("Left out: {many} runs {why}.")),
        }
    }

    /// Values by what their runs are told apart by: those with most runs first, as in the room, then all others
    /// together.
    fn by_series<T>(&self, values: impl Iterator<Item = (RunId, T)>) -> Vec<PlotSeries<T>> {
        let known = self.explore.table.series.iter().take(OWN_COLORS);
        let names: Vec<Arc<str>> = known.map(|(name, _)| Arc::clone(name)).collect();
        let named = names.iter().map(|name| &**name).chain([OTHERS]);
        let mut series: Vec<PlotSeries<T>> =
            named.map(|name| PlotSeries { name: name.to_owned(), values: Vec::new() }).collect();
        let table = &self.explore.table;
        let place = table.place(&self.explore.view.color_by);
        for (run, value) in values {
            let word = place.and_then(|place| table.runs.get(run)?.cells.get(place)?.text());
            let own = names.iter().position(|name| Some(&**name) == word);
            if let Some(of) = series.get_mut(own.unwrap_or(names.len())) {
                of.values.push(value);
            }
        }
        // An empty series would take a place in the legend and say nothing.
        series.retain(|of| !of.values.is_empty());
        series
    }
}

/// The scores of a run after each step by the variant that stands for it. One step without a score leaves the run out:
/// else each point of a mean would be that of other runs.
fn whole_curve(run: &LibraryRun) -> Option<(&'static str, Vec<f64>)> {
    let variant = PrimaryMetric::of_run(&run.manifest).variant();
    let scores = run.curves.of(variant).iter().take(MOST_STEPS + 1);
    let scores: Vec<f64> = scores.map(|score| score.as_ref()?.value()).collect::<Option<_>>()?;
    (scores.len() > 1).then_some((variant, scores))
}

fn scored_by<'a>(variants: impl Iterator<Item = &'a str>) -> String {
    format!("Scores by {}.", variants.collect::<Vec<_>>().join(", "))
}

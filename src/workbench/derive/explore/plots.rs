//! The plots of the room as figures for files: what is shown, by model as the room colours them.

use std::sync::Arc;

use crate::evaluate::figures::{
    DISTRIBUTION, FIGURES, Figure, PlotSeries, SCATTER, STUDY, distribution, scatter,
};
use crate::workbench::model::{RunId, State};

/// So many models have a colour of their own; all others share one.
const OWN_COLORS: usize = 4;
const OTHERS: &str = "others";

impl State {
    /// A figure of the papers or a plot of the room, by its id, of the runs that are shown.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn explore_figure(&self, id: &str) -> Result<Figure, String> {
        match id {
            SCATTER => self.explore_scatter(),
            DISTRIBUTION => self.explore_distribution(),
            STUDY => self.explore_study_figure(),
            _ => match FIGURES.iter().find(|kind| kind.id == id) {
                Some(kind) => kind.make(&self.explore_figure_sources()),
                None => Err(format!("there is no figure {id}")),
            },
        }
    }

    fn explore_scatter(&self) -> Result<Figure, String> {
        let (table, axes) = (&self.explore.table, &self.explore.view.axes);
        let (Some(x), Some(y)) = (table.place(&axes.0), table.place(&axes.1)) else {
            return Err("its columns are not in the table".to_owned());
        };
        let dot = |run: &RunId| {
            let cells = &table.runs.get(run)?.cells;
            Some([cells.get(x)?.number()?, cells.get(y)?.number()?])
        };
        let behind = table.runs.iter().filter(|(_, run)| !run.passes);
        let behind: Vec<[f64; 2]> = behind.filter_map(|(id, _)| dot(id)).collect();
        let names = [&axes.0, &axes.1].map(|column| self.column_heading(column));
        let series = self.by_model(table.shown.iter().filter_map(|run| Some((*run, dot(run)?))));
        scatter([names[0].as_str(), names[1].as_str()], &series, &behind)
    }

    fn explore_distribution(&self) -> Result<Figure, String> {
        let (table, column) = (&self.explore.table, &self.explore.view.metric);
        let values = table.shown.iter();
        let values = values.filter_map(|run| Some((*run, table.number(*run, column)?)));
        distribution(&self.column_heading(column), &self.by_model(values))
    }

    /// Values by the model of their runs: those with most runs first, as in the room, then all others together.
    fn by_model<T>(&self, values: impl Iterator<Item = (RunId, T)>) -> Vec<PlotSeries<T>> {
        let models = self.explore.table.models.iter().take(OWN_COLORS);
        let names: Vec<Arc<str>> = models.map(|(name, _)| Arc::clone(name)).collect();
        let named = names.iter().map(|name| &**name).chain([OTHERS]);
        let mut series: Vec<PlotSeries<T>> =
            named.map(|name| PlotSeries { name: name.to_owned(), values: Vec::new() }).collect();
        for (run, value) in values {
            let Some(run) = self.library.runs.get(&run) else { continue };
            let own = names.iter().position(|name| **name == *run.manifest.agent.name);
            if let Some(of) = series.get_mut(own.unwrap_or(names.len())) {
                of.values.push(value);
            }
        }
        series.retain(|of| !of.values.is_empty());
        series
    }
}

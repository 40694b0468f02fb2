//! The curves of the timeline as a figure for files: the run on the stage, by the variants that are shown there.

use crate::evaluate::figures::{Figure, RunCurve, run_curves};
use crate::metric::{Score, VariantSpec};
use crate::workbench::model::State;

impl State {
    /// The variants whose curves the timeline shows, the chosen one first.
    pub(in crate::workbench) fn shown_curves(&self) -> impl Iterator<Item = &VariantSpec> {
        self.curve_variant().into_iter().chain(self.curves_beside())
    }

    /// The curves of the run on the stage as a figure.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub(in crate::workbench) fn run_curves_figure(&self) -> Result<Figure, String> {
        let run = self.selected_run().ok_or("no run is selected")?;
        let curves = self.shown_curves().map(|variant| {
            let scores = (0..run.curves.len()).map(|step| {
                match run.curves.of(&variant.id).get(step).and_then(Option::as_ref) {
                    Some(Score::Value(value)) => Ok(*value),
                    // A gap keeps its reason: the figure says below how many there are, and why.
                    Some(Score::Missing(why)) => Err(why.to_string()),
                    None => Err("not scored yet".to_owned()),
                }
            });
            RunCurve {
                label: variant.label.to_owned(),
                variant: variant.id.to_string(),
                scores: scores.collect(),
            }
        });
        let of = format!("{} · {}", run.task.id, run.manifest.agent.name);
        let direction = self.curve_variant().map(|variant| variant.direction);
        let changes = direction.filter(|_| self.settings.shows_changes);
        run_curves(&of, &curves.collect::<Vec<_>>(), changes)
    }
}

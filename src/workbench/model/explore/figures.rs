//! The figures of the papers of the runs that are shown, which the worker makes.

use crate::evaluate::figures::{
    Figure, FigurePlan, FigureSources, project_attempts, project_preferences,
};
use crate::workbench::model::annotate::LabelsInput;
use crate::workbench::model::values::ResourceKey;

/// The figures of what is shown, told from others by a hash of what they are made of
/// ([`State::explore_figures_revision`](crate::workbench::State::explore_figures_revision)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FiguresKey(pub u64);

/// All of them in the order of [`FIGURES`](crate::evaluate::figures::FIGURES), each made, or what it lacks.
#[derive(Clone, Debug)]
pub struct PaperFigures(pub Vec<Result<Figure, String>>);

/// What figures are made of, as it lies in the state: gathered in a moment, as all that is large is shared.
#[derive(Clone, Debug, Default)]
pub struct FigureInput {
    /// What is known of it as it stands: of the runs neither conditions nor plans, of people only attempts of the
    /// study that is open.
    pub known: FigureSources,
    /// The labelling project that is open, unless nothing of it may show.
    pub labels: Option<LabelsInput>,
}

impl FigureInput {
    /// All that figures are made of.
    pub fn sources(&self) -> FigureSources {
        let mut sources = self.known.clone();
        for run in &mut sources.runs {
            run.condition.clone_from(&run.digest.condition);
            run.others.clone_from(&run.digest.others);
            sources.plans.extend(FigurePlan::of_run(run));
        }
        sources.name_rows();
        if let Some(LabelsInput { labels, ledger }) = &self.labels {
            let (forms, items) = (&labels.forms, &labels.items);
            sources.preferences = project_preferences(forms, items, ledger);
            sources.attempts.splice(0..0, project_attempts(forms, items, ledger));
        }
        sources
    }
}

impl ResourceKey for FiguresKey {
    type Value = PaperFigures;
    // Whoever goes back to a filter finds them again.
    const BUDGET: usize = 8;

    fn cost(_: &PaperFigures) -> usize {
        1
    }
}

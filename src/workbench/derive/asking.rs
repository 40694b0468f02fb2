//! What is asked of models behind endpoints: which scores are not there, of the runs that are meant.

use crate::evaluate::VariantId;
use crate::metric::{MissingScore, Needs, Score, VariantSpec};
use crate::task::Task;
use crate::workbench::model::{
    AskEstimateKey, AskScope, AskedInput, AskedRun, Column, JobKind, LibraryRun, RunId, RunState,
    State, Workspace,
};

/// Most pictures that are looked at for an estimate.
const MOST_LOOKED_AT: usize = 48;

/// A variant with all that one answer gives, itself among them.
type AskedVariant<'a> = (&'a VariantSpec, Vec<&'a VariantSpec>);

impl State {
    /// The variants whose values models behind endpoints are asked for, in the order of tables.
    pub fn asked_variants(&self) -> impl Iterator<Item = &VariantSpec> {
        self.variants.iter().filter(|variant| variant.is_asked)
    }

    /// Whether there is anybody to be asked, and a run to be asked about.
    pub fn can_ask(&self) -> bool {
        self.asked_variants().next().is_some() && self.ask_scopes().next().is_some()
    }

    /// Whether the table over all runs shows a column of a score that is asked for.
    pub fn explores_asked(&self) -> bool {
        self.explore.view.columns.iter().any(|column| self.is_asked_column(column))
    }

    /// Whether a column is of such a score.
    pub fn is_asked_column(&self, column: &Column) -> bool {
        match column {
            Column::Score(id) => self.variants.get(id).is_some_and(|variant| variant.is_asked),
            _ => false,
        }
    }

    /// About which runs can be asked: those that are seen, in the main window or in one of a panel, and those of the
    /// room first.
    pub fn ask_scopes(&self) -> impl Iterator<Item = AskScope> {
        let (of_step, of_table) =
            ([AskScope::Step, AskScope::Run], [AskScope::Listed, AskScope::Selected]);
        let [first, then] = match self.workspace {
            Workspace::Explore => [of_table, of_step],
            Workspace::Inspect | Workspace::Annotate | Workspace::Assist => [of_step, of_table],
        };
        first.into_iter().chain(then).filter(move |scope| match scope {
            AskScope::Step | AskScope::Run => self.shows_step() && self.selection.run.is_some(),
            AskScope::Listed => self.shows_explore() && !self.explore.table.shown.is_empty(),
            AskScope::Selected => self.shows_explore() && !self.explore.selected.is_empty(),
        })
    }

    /// About which of them: those that were chosen, or else the first.
    pub fn ask_scope(&self) -> AskScope {
        let chosen = self.ask_scopes().find(|scope| *scope == self.asking.scope);
        chosen.or_else(|| self.ask_scopes().next()).unwrap_or_default()
    }

    /// What is asked by the dialog as it is: of each run that lacks one of the chosen scores, what it lacks. What a
    /// model answered, or cannot be asked about, is left out.
    pub fn asked_runs(&self) -> Vec<AskedRun> {
        // Once for all runs: this is asked in every frame.
        let answers = self.chosen_answers();
        let steps: Vec<u32> = match self.ask_scope() {
            AskScope::Step => vec![self.selection.step],
            AskScope::Run => (0..=self.last_step()).collect(),
            AskScope::Listed => return self.asked_ends(&self.explore.table.shown, &answers),
            AskScope::Selected => return self.asked_ends(&self.explore.selected, &answers),
        };
        let run = self.selection.run;
        let asked = run.and_then(|run| {
            let task = self.library.task(&self.library.runs.get(&run)?.task)?;
            self.asked_run(run, Some(&steps), task, &answers)
        });
        asked.into_iter().collect()
    }

    /// What runs of the table lack at their ends.
    fn asked_ends<'a>(
        &self,
        runs: impl IntoIterator<Item = &'a RunId>,
        answers: &[AskedVariant<'_>],
    ) -> Vec<AskedRun> {
        let asked = runs
            .into_iter()
            .filter_map(|run| self.asked_run(*run, None, self.explored_task(*run)?, answers));
        asked.collect()
    }

    /// What a run lacks after these steps, or at its end.
    fn asked_run(
        &self,
        run: RunId,
        steps: Option<&[u32]>,
        task: &Task,
        answers: &[AskedVariant<'_>],
    ) -> Option<AskedRun> {
        let entry = self.library.runs.get(&run)?;
        if matches!(entry.state, RunState::Live | RunState::Unreadable(_)) || !task.is_measurable()
        {
            return None;
        }
        let looked_at = steps.unwrap_or(std::slice::from_ref(&entry.steps));
        let lacking = answers.iter().filter(|(variant, given)| {
            let mut scores = given.iter().flat_map(|it| looked_at.iter().map(move |at| (it, *at)));
            can_be_asked(task, entry, variant.needs)
                && scores.any(|(it, step)| is_open(entry, &it.id, step))
        });
        let variants: Vec<VariantId> = lacking.map(|(variant, _)| variant.id.clone()).collect();
        let steps = steps.unwrap_or_default().iter().copied();
        let steps = steps.filter(|step| variants.iter().any(|id| is_open(entry, id, *step)));
        let steps = steps.collect();
        (!variants.is_empty()).then_some(AskedRun { run, steps, variants })
    }

    /// The variants whose values come with what is chosen.
    fn chosen_answers(&self) -> Vec<AskedVariant<'_>> {
        let all = self.asked_variants().map(|variant| {
            let given = self.asked_variants().filter(|it| come_together(variant, it));
            (variant, given.collect::<Vec<_>>())
        });
        let chosen = &self.asking.variants;
        all.filter(|(_, given)| given.iter().any(|it| chosen.contains(&it.id))).collect()
    }

    /// What an estimate is wanted of, while the dialog is open.
    pub fn ask_estimate_key(&self) -> Option<AskEstimateKey> {
        let runs = self.asked_runs();
        (!runs.is_empty()).then_some(AskEstimateKey { runs })
    }

    /// Why nothing can be asked now, if so; of what is asked by the dialog, which is a pass over all runs.
    pub fn why_not_asked(&self, runs: &[AskedRun]) -> Option<&'static str> {
        if self.jobs.active().any(|(_, job)| job.kind == JobKind::Ask) {
            return Some(
                "Questions are on their way: wait for them, or stop them in the list of jobs.",
            );
        }
        if !self.asked_variants().any(|variant| self.asking.variants.contains(&variant.id)) {
            return Some("Choose a score to ask for.");
        }
        let why = "There is nothing to ask: what can be is answered.";
        runs.is_empty().then_some(why)
    }

    /// The same with what the worker needs for it.
    pub(in crate::workbench) fn asked_inputs(&self, runs: Vec<AskedRun>) -> Vec<AskedInput> {
        let inputs = runs.into_iter().filter_map(|asked| {
            let entry = self.library.runs.get(&asked.run)?;
            let (dir, manifest) = entry.on_disk();
            let task = self.library.shared_task(&entry.task).cloned();
            Some(AskedInput { asked, dir, manifest, task })
        });
        inputs.collect()
    }
}

/// Pictures that stand for all that is asked about, evenly among them.
pub(in crate::workbench) fn looked_at(runs: &[AskedRun]) -> Vec<AskedRun> {
    let pictures: usize = runs.iter().map(AskedRun::pictures).sum();
    let stride = pictures.div_ceil(MOST_LOOKED_AT).max(1);
    let mut at: usize = 0;
    let mut looked_at = Vec::new();
    for asked in runs {
        let all: Vec<Option<u32>> = if asked.steps.is_empty() {
            vec![None]
        } else {
            asked.steps.iter().copied().map(Some).collect()
        };
        let mut steps = Vec::new();
        let mut is_taken = false;
        for step in all {
            if at.is_multiple_of(stride) {
                is_taken = true;
                steps.extend(step);
            }
            at += 1;
        }
        if is_taken {
            looked_at.push(AskedRun { steps, ..asked.clone() });
        }
    }
    looked_at
}

/// Whether one answer gives both: what captions say is compared in two ways, the questions about a result give two rates,
/// and those about a plan four scores.
fn come_together(one: &VariantSpec, other: &VariantSpec) -> bool {
    let is_shared = matches!(one.needs, Needs::Questions | Needs::Plan);
    one.metric() == other.metric() || is_shared && one.needs == other.needs
}

/// Whether there is what a question about a run would be about, as far as that is known before the run is read.
fn can_be_asked(task: &Task, run: &LibraryRun, needs: Needs) -> bool {
    match needs {
        Needs::Questions => task.brief.as_ref().is_some_and(|brief| !brief.questions.is_empty()),
        Needs::Plan => {
            run.loaded.as_ref().is_none_or(|run| run.plan.is_some())
                && run.digest.read().is_none_or(|digest| digest.plan.is_some())
        }
        needs => task.ground_truth.is_some() || !needs.is_ground_truth(),
    }
}

/// Whether a model may be asked for a score: it was not, or gave no answer that counts.
fn is_open(run: &LibraryRun, variant: &str, step: u32) -> bool {
    match run.score_by(variant, step) {
        None => true,
        Some(Score::Value(_)) => false,
        Some(Score::Missing(why)) => matches!(
            why,
            MissingScore::NotAsked
                | MissingScore::NoJudgement(_)
                | MissingScore::NoCaption(_)
                | MissingScore::Failed { .. }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(run: u32, steps: u32) -> AskedRun {
        AskedRun { run: RunId(run), steps: (0..steps).collect(), variants: Vec::new() }
    }

    #[test]
    fn few_pictures_stand_for_many_and_all_of_a_few_for_themselves() {
        let few = [asked(0, 0), asked(1, 3)];
        assert_eq!(looked_at(&few), few);
        let ends: Vec<AskedRun> = (0..100).map(|run| asked(run, 0)).collect();
        let runs: Vec<u32> = looked_at(&ends).iter().map(|asked| asked.run.0).collect();
        assert_eq!(runs, (0..100).step_by(3).collect::<Vec<_>>());
        let [long] = &looked_at(&[asked(7, 97)])[..] else { panic!("one run") };
        assert_eq!(long.steps, (0..97).step_by(3).collect::<Vec<_>>());
    }
}

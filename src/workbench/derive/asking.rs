//! What is asked of models behind endpoints: which scores are not there, of the runs that are meant.

use crate::evaluate::VariantId;
use crate::metric::{MissingScore, Score, VariantSpec};
use crate::workbench::model::{
    AskEstimateKey, AskScope, AskedInput, AskedRun, Column, JobKind, LibraryRun, RunId, RunState,
    State, Workspace,
};

/// Most pictures that are looked at for an estimate.
const MOST_LOOKED_AT: usize = 48;

impl State {
    /// The variants whose values models behind endpoints are asked for, in the order of tables.
    pub fn asked_variants(&self) -> impl Iterator<Item = &VariantSpec> {
        self.variants.iter().filter(|variant| variant.is_asked)
    }

    /// Whether there is anybody to be asked, and a run to be asked about.
    pub fn can_ask(&self) -> bool {
        let has_run = match self.workspace {
            Workspace::Inspect => self.selection.run.is_some(),
            Workspace::Explore => !self.explore.table.shown.is_empty(),
            Workspace::Annotate | Workspace::Assist => false,
        };
        has_run && self.asked_variants().next().is_some()
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

    /// About which runs can be asked here.
    pub fn ask_scopes(&self) -> &'static [AskScope] {
        match self.workspace {
            Workspace::Explore if self.explore.selected.is_empty() => &[AskScope::Listed],
            Workspace::Explore => &[AskScope::Listed, AskScope::Selected],
            _ => &[AskScope::Step, AskScope::Run],
        }
    }

    /// About which of them: those that were chosen, or else the first.
    pub fn ask_scope(&self) -> AskScope {
        let scopes = self.ask_scopes();
        scopes.iter().copied().find(|scope| *scope == self.asking.scope).unwrap_or(scopes[0])
    }

    /// What is asked by the dialog as it is: of each run that lacks one of the chosen scores, what it lacks. What a
    /// model answered, or cannot be asked about, is left out.
    pub fn asked_runs(&self) -> Vec<AskedRun> {
        let runs: Vec<(RunId, Option<Vec<u32>>)> = match self.ask_scope() {
            AskScope::Step => {
                let step = self.selection.step;
                self.selection.run.into_iter().map(|run| (run, Some(vec![step]))).collect()
            }
            AskScope::Run => {
                let steps = (0..=self.last_step()).collect::<Vec<_>>();
                self.selection.run.into_iter().map(|run| (run, Some(steps.clone()))).collect()
            }
            AskScope::Listed => self.explore.table.shown.iter().map(|run| (*run, None)).collect(),
            AskScope::Selected => self.explore.selected.iter().map(|run| (*run, None)).collect(),
        };
        runs.into_iter().filter_map(|(run, steps)| self.asked_run(run, steps)).collect()
    }

    /// What a run lacks after these steps, or at its end.
    fn asked_run(&self, run: RunId, steps: Option<Vec<u32>>) -> Option<AskedRun> {
        let entry = self.library.runs.get(&run)?;
        let task = self.library.task(&entry.task)?;
        if matches!(entry.state, RunState::Live | RunState::Unreadable(_)) || !task.is_measurable()
        {
            return None;
        }
        let has_truth = task.ground_truth.is_some();
        let looked_at = steps.clone().unwrap_or_else(|| vec![entry.steps]);
        let variants = self.asked_variants().filter(|variant| {
            let is_chosen =
                self.of_one_answer(variant).any(|it| self.asking.variants.contains(&it.id));
            let mut given = self.of_one_answer(variant);
            let lacks = given.any(|it| looked_at.iter().any(|step| is_open(entry, &it.id, *step)));
            is_chosen && lacks && (has_truth || !variant.needs.is_ground_truth())
        });
        let variants: Vec<VariantId> = variants.map(|variant| variant.id.clone()).collect();
        let steps = steps.unwrap_or_default().into_iter();
        let steps = steps.filter(|step| variants.iter().any(|id| is_open(entry, id, *step)));
        let steps = steps.collect();
        (!variants.is_empty()).then_some(AskedRun { run, steps, variants })
    }

    /// The variants that one answer gives, this among them: what captions say is compared in two ways.
    fn of_one_answer(&self, variant: &VariantSpec) -> impl Iterator<Item = &VariantSpec> {
        let metric = variant.metric().to_owned();
        self.asked_variants().filter(move |it| it.metric() == metric)
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

//! What bars and curves are called, so that none is a mean over runs or plans that were made differently.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{Attempt, FigureRun, FigureSources, count};
use crate::evaluate::condition::{Condition, OtherSettings, RowNames, mixed};

/// What a figure is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum MadeOf {
    /// Runs: the part of the figure that a run is drawn in; `None` of one that it does not draw.
    Runs(fn(&FigureRun) -> Option<&'static str>),
    /// Plans, published or of runs.
    Plans,
    /// What people said and did.
    People,
}

/// A run or a plan, as far as it matters how it was made.
struct RowSource<'a> {
    model: &'a str,
    row: &'a str,
    part: Option<&'static str>,
    condition: &'a Condition,
    others: &'a OtherSettings,
    has_failed: bool,
}

impl FigureSources {
    /// Names the row of each run and each plan, as the tables do: by its model, and where runs of one were made with
    /// different settings, by what tells them apart. To be called when all of them are there, and before a figure is
    /// made.
    pub fn name_rows(&mut self) {
        let drawn = self.runs.iter().filter(|run| run.is_on_canvas());
        let names = RowNames::of(drawn.map(|run| (run.model.as_str(), &run.condition)));
        let of_runs: Vec<String> =
            self.runs.iter().map(|run| names.name(&run.model, &run.condition)).collect();
        let plans = self.plans.iter();
        let names = RowNames::of(plans.map(|plan| (plan.model.as_str(), &plan.condition)));
        let of_plans: Vec<String> =
            self.plans.iter().map(|plan| names.name(&plan.model, &plan.condition)).collect();
        for (run, row) in self.runs.iter_mut().zip(of_runs) {
            run.row = row;
        }
        for (plan, row) in self.plans.iter_mut().zip(of_plans) {
            plan.row = row;
        }
    }

    /// How the rows of a figure were made, in what the runs of one row differ all the same, and how many failed.
    pub(super) fn made_with(&self, of: MadeOf) -> Vec<String> {
        let made: Vec<RowSource<'_>> = match of {
            MadeOf::Runs(part_of) => {
                let drawn = self.runs.iter().filter(|run| run.is_on_canvas());
                let made = drawn.map(|run| RowSource {
                    model: &run.model,
                    row: &run.row,
                    part: part_of(run),
                    condition: &run.condition,
                    others: &run.others,
                    has_failed: run.has_failed,
                });
                made.collect()
            }
            MadeOf::Plans => {
                let made = self.plans.iter().map(|plan| RowSource {
                    model: &plan.model,
                    row: &plan.row,
                    part: Some(""),
                    condition: &plan.condition,
                    others: &plan.others,
                    has_failed: plan.has_failed,
                });
                made.collect()
            }
            MadeOf::People => Vec::new(),
        };
        let mut means: BTreeMap<(&str, &str), Vec<&OtherSettings>> = BTreeMap::new();
        let mut failed: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for it in &made {
            let Some(part) = it.part else { continue };
            means.entry((it.row, part)).or_default().push(it.others);
            let counts = failed.entry(it.row).or_default();
            counts[0] += usize::from(it.has_failed);
            counts[1] += 1;
        }
        // Said once of a row, though its means in several parts may all be mixed alike.
        let notes = means.into_iter().filter_map(|((row, _), others)| {
            let note = mixed(others)?;
            Some(format!("{row}: {note}."))
        });
        let notes: BTreeSet<String> = notes.collect();
        let names = RowNames::of(made.iter().map(|it| (it.model, it.condition)));
        let failed = failed.into_iter().filter(|(_, [failed, _])| *failed > 0);
        let failed = failed.map(|(row, [failed, all])| {
            format!("{row}: {failed} of {} failed.", count(all, "run"))
        });
        names.remark().into_iter().chain(notes).chain(failed).collect()
    }

    /// The row of plans that an attempt belongs to: the only one of its model, or the only one of its mode; `None` if
    /// that is not clear.
    pub(super) fn row_of_plans(&self, attempt: &Attempt) -> Option<&str> {
        let of_model = self.plans.iter().filter(|plan| plan.model == attempt.model);
        let rows = of_model.map(|plan| (plan.row.as_str(), plan.condition.mode()));
        let mut rows: BTreeSet<(&str, Option<&str>)> = rows.collect();
        if rows.len() > 1 {
            let said = attempt.mode.as_deref();
            rows.retain(|(_, mode)| said.is_some() && *mode == said);
        }
        let first = rows.pop_first().filter(|_| rows.is_empty());
        first.map(|(row, _)| row)
    }

    /// That attempts are in no mean, as their model has several rows and they do not say which is theirs.
    pub(super) fn unclear_attempts(&self) -> Option<String> {
        let unclear = self.attempts.iter().filter(|attempt| {
            self.row_of_plans(attempt).is_none()
                && self.plans.iter().any(|plan| plan.model == attempt.model)
        });
        let unclear = unclear.count();
        (unclear > 0).then(|| {
            let attempts = count(unclear, "attempt");
            format!("Left out: {attempts} of a model with several rows, not said of which.")
        })
    }
}

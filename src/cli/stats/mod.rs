//! `pentimento stats`: agreement, correlation, regression, proportions, votes, comparisons of models
//! and rankings from a table.

mod agreement;
mod correlation;
mod difference;
mod findings;
mod logit;
mod ranking;
mod vote;
mod wilson;

use crate::metric::stats::BootstrapPlan;

use super::arguments::{Coefficient, StatsArguments};
use super::output::{print, print_json};
use super::sheet::Sheet;
use findings::Findings;

/// Does the command.
pub(super) fn compute(arguments: &StatsArguments) -> anyhow::Result<()> {
    let sheet = Sheet::open(&arguments.file)?;
    let findings = findings(&sheet, arguments)?;
    if arguments.json { print_json(&findings.to_json()) } else { Ok(print(&findings.to_text())?) }
}

fn findings(sheet: &Sheet, arguments: &StatsArguments) -> anyhow::Result<Findings> {
    let plan = BootstrapPlan {
        resamples: arguments.resamples.get(),
        seed: arguments.seed,
        ..BootstrapPlan::default()
    };
    Ok(match arguments.coefficient {
        Coefficient::Kappa => agreement::kappa(sheet),
        Coefficient::Alpha => agreement::alpha(sheet),
        Coefficient::Fleiss => agreement::fleiss(sheet),
        Coefficient::Tau => correlation::tau(sheet)?,
        Coefficient::Spearman => correlation::spearman(sheet)?,
        Coefficient::Pearson => correlation::pearson(sheet)?,
        Coefficient::Logit => logit::logit(sheet, arguments.seed)?,
        Coefficient::Wilson => wilson::wilson(sheet)?,
        Coefficient::Majority => vote::majority(sheet)?,
        Coefficient::Describe => difference::describe(sheet, &plan)?,
        Coefficient::Bootstrap => difference::bootstrap(sheet, &plan)?,
        Coefficient::Sign => difference::sign(sheet)?,
        Coefficient::BradleyTerry => ranking::ranking(sheet)?,
    })
}

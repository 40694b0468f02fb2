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
use super::data_table::DataTable;
use super::output::{print, print_json};
use findings::Findings;

/// Does the command.
pub(super) fn compute(arguments: &StatsArguments) -> anyhow::Result<()> {
    let data = DataTable::open(&arguments.file)?;
    let findings = findings(&data, arguments)?;
    if arguments.json { print_json(&findings.to_json()) } else { Ok(print(&findings.to_text())?) }
}

fn findings(data: &DataTable, arguments: &StatsArguments) -> anyhow::Result<Findings> {
    let plan = BootstrapPlan {
        resamples: arguments.resamples.get(),
        seed: arguments.seed,
        ..BootstrapPlan::default()
    };
    Ok(match arguments.coefficient {
        Coefficient::Kappa => agreement::kappa(data),
        Coefficient::Alpha => agreement::alpha(data),
        Coefficient::Fleiss => agreement::fleiss(data),
        Coefficient::Tau => correlation::tau(data)?,
        Coefficient::Spearman => correlation::spearman(data)?,
        Coefficient::Pearson => correlation::pearson(data)?,
        Coefficient::Logit => logit::logit(data, arguments.seed)?,
        Coefficient::Wilson => wilson::wilson(data)?,
        Coefficient::Majority => vote::majority(data)?,
        Coefficient::Describe => difference::describe(data, &plan)?,
        Coefficient::Bootstrap => difference::bootstrap(data, &plan)?,
        Coefficient::Sign => difference::sign(data)?,
        Coefficient::BradleyTerry => ranking::ranking(data)?,
    })
}

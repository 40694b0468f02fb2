//! `pentimento stats`: agreement, correlation, regression and proportions from a table of labels.

mod agreement;
mod correlation;
mod findings;
mod logit;
mod wilson;

use super::arguments::{Coefficient, StatsArguments};
use super::output::{print, print_json};
use findings::Findings;
use super::sheet::Sheet;

/// Does the command.
pub(super) fn compute(arguments: &StatsArguments) -> anyhow::Result<()> {
    let sheet = Sheet::open(&arguments.file)?;
    let findings = findings(&sheet, arguments)?;
    if arguments.json { print_json(&findings.to_json()) } else { Ok(print(&findings.to_text())?) }
}

fn findings(sheet: &Sheet, arguments: &StatsArguments) -> anyhow::Result<Findings> {
    Ok(match arguments.coefficient {
        Coefficient::Kappa => agreement::kappa(sheet),
        Coefficient::Alpha => agreement::alpha(sheet),
        Coefficient::Fleiss => agreement::fleiss(sheet),
        Coefficient::Tau => correlation::tau(sheet)?,
        Coefficient::Spearman => correlation::spearman(sheet)?,
        Coefficient::Pearson => correlation::pearson(sheet)?,
        Coefficient::Logit => logit::logit(sheet, arguments.seed)?,
        Coefficient::Wilson => wilson::wilson(sheet)?,
    })
}

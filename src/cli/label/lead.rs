//! What whoever leads a study decides: who withdraws, who is let on, when names are revealed.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use super::exchange::open;
use crate::cli::output::{note, print};
use crate::label::{Act, FormHash, ItemId, Qualification, qualification};
use crate::store::labels::{LabelFile, NewEvent};

/// Who withdraws.
#[derive(Args, Debug)]
pub(super) struct WithdrawArguments {
    /// The project.
    project: PathBuf,
    /// Who no longer takes part.
    #[arg(long, value_name = "NAME")]
    person: String,
    /// Remove it: there is no way back.
    #[arg(long)]
    yes: bool,
}

/// Who is let on.
#[derive(Args, Debug)]
pub(super) struct LetOnArguments {
    /// The project.
    project: PathBuf,
    /// Who may label though they failed the qualification.
    #[arg(long, value_name = "NAME")]
    person: String,
    /// Who decides it.
    #[arg(long = "as", value_name = "NAME")]
    lead: String,
}

/// Who reveals.
#[derive(Args, Debug)]
pub(super) struct RevealArguments {
    /// The project.
    project: PathBuf,
    /// Who decides it.
    #[arg(long = "as", value_name = "NAME")]
    lead: String,
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// Removes all that a person did; without `--yes` it says what that is, and changes nothing.
pub(super) fn withdraw(arguments: &WithdrawArguments) -> anyhow::Result<()> {
    let (file, person) = (open(&arguments.project)?, arguments.person.trim());
    ensure!(!person.is_empty(), "the person has a name");
    let ledger = file.ledger()?;
    let is_known = file.project().people.iter().any(|known| known == person)
        || ledger.people().any(|known| known == person);
    ensure!(is_known, "nobody called {person:?} is in this project");
    ensure!(!ledger.has_withdrawn(person), "{person} has withdrawn already");
    let theirs = ledger.backwards(person).filter(|event| event.act.is_personal());
    let (mut answers, mut all) = (0, 0);
    for event in theirs {
        all += 1;
        answers += usize::from(matches!(event.act, Act::Answered(_)));
    }
    // With the numbers before the deed, as it cannot be undone.
    ensure!(
        arguments.yes,
        "{all} events of {person} would be removed for good, {answers} of them answers; nothing was changed: \
         say --yes to remove them"
    );
    let done = file.withdraw(person, now())?;
    if !done.is_scrubbed {
        note(
            "another program reads the file: traces may be left in the log beside it until all have closed it; \
             nobody is shown them",
        );
    }
    for copy in older_copies(&arguments.project) {
        note(&format!("an older copy still has what was removed: {}", copy.display()));
    }
    Ok(print(&format!("{person} has withdrawn: {} events are gone for good", done.removed))?)
}

/// What was kept beside the file when it became one of a newer version.
fn older_copies(project: &Path) -> Vec<PathBuf> {
    let copies = (1..100).map(|version| {
        let mut name = project.as_os_str().to_owned();
        name.push(format!(".version-{version}"));
        PathBuf::from(name)
    });
    copies.filter(|copy| copy.exists()).collect()
}

fn decide(file: &LabelFile, lead: &str, act: Act) -> anyhow::Result<()> {
    ensure!(!lead.trim().is_empty(), "who decides it has a name");
    ensure!(
        file.project().packet.is_none(),
        "that is a packet: only who leads the project decides it, in the project's own file"
    );
    let (item, form) = (ItemId::study(), FormHash::NONE);
    file.record(NewEvent { at: now(), person: lead.trim().to_owned(), item, form, act })?;
    Ok(())
}

/// Lets somebody label who failed the qualification.
pub(super) fn let_on(arguments: &LetOnArguments) -> anyhow::Result<()> {
    let (file, person) = (open(&arguments.project)?, arguments.person.trim());
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    match qualification(file.project(), &forms, &items, &ledger, person) {
        Qualification::NotAsked => anyhow::bail!("the project has no qualification"),
        Qualification::Passed(_) => anyhow::bail!("{person} has passed the qualification"),
        Qualification::LetOn(_) => anyhow::bail!("{person} is let on already"),
        Qualification::Open => {
            let is_known = file.project().people.iter().any(|known| known == person)
                || ledger.people().any(|known| known == person);
            ensure!(is_known, "nobody called {person:?} is in this project");
        }
        Qualification::Failed(_) => {}
    }
    decide(&file, &arguments.lead, Act::LetOn { person: person.to_owned() })?;
    Ok(print(&format!("{person} may label"))?)
}

/// Reveals who made what, to whoever reviews.
pub(super) fn reveal(arguments: &RevealArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    ensure!(file.project().queue.is_blind, "the project is not blind: there is nothing to reveal");
    if let Some(revealed) = file.ledger()?.revealed() {
        anyhow::bail!("it was revealed already, by {} at {}", revealed.person, revealed.at);
    }
    decide(&file, &arguments.lead, Act::Revealed)?;
    Ok(print("revealed: who made what is shown in reviews from now on")?)
}

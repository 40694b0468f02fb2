//! `label settle`: an adjudicator says what the answer is in the end.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::exchange::open;
use super::rows::form_named;
use crate::cli::output::print;
use crate::label::{Act, ItemId, MOST_NOTE_CHARACTERS};
use crate::store::labels::NewEvent;

/// What is settled.
#[derive(Args, Debug)]
pub(super) struct SettleArguments {
    /// The project.
    project: PathBuf,
    /// About which item, by its id.
    #[arg(long, value_name = "ID")]
    item: String,
    /// By which form, if the project has several.
    #[arg(long)]
    form: Option<String>,
    /// Which question.
    #[arg(long)]
    question: String,
    /// Which of its options, where several can be chosen: each is a yes or no of its own.
    #[arg(long)]
    option: Option<String>,
    /// The answer: an option, `yes` or `no`, `first`, `tie` or `second`, or a number.
    #[arg(long)]
    value: String,
    /// Who settles it.
    #[arg(long = "as", value_name = "NAME")]
    person: String,
    /// Why.
    #[arg(long, default_value = "")]
    note: String,
}

/// Writes down what was settled; what people answered stays.
pub(super) fn settle(arguments: &SettleArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    let forms = file.forms()?;
    let form = form_named(&forms, arguments.form.as_deref())?;
    ensure!(!arguments.person.trim().is_empty(), "who settles it has a name");
    let length = arguments.note.chars().count();
    ensure!(
        length <= MOST_NOTE_CHARACTERS,
        "the note has {length} characters, at most {MOST_NOTE_CHARACTERS} are kept"
    );
    // Question, option and value are looked at by the file, as for whoever else writes into it.
    file.record(NewEvent {
        at: jiff::Timestamp::now().to_string(),
        person: arguments.person.clone(),
        item: ItemId(arguments.item.clone()),
        form: form.hash(),
        act: Act::Settled {
            question: arguments.question.clone(),
            option: arguments.option.clone(),
            value: arguments.value.clone(),
            note: arguments.note.clone(),
        },
    })?;
    let about = match &arguments.option {
        Some(option) => format!("{}: {option}", arguments.question),
        None => arguments.question.clone(),
    };
    Ok(print(&format!("{about} of {} is settled: {}", arguments.item, arguments.value))?)
}

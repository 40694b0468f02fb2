//! `pentimento label`: labelling projects without the window.

mod attempts;
mod exchange;
mod hours;
mod judge;
mod judges;
mod label_studio;
mod lead;
mod models;
mod new;
mod pack;
mod packet_page;
mod participants;
mod people;
mod prodigy;
mod relocate;
mod report;
mod rows;
mod settle;
mod versus;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use crate::label::form::{builtin_form, builtin_forms};

pub(super) use attempts::{is_project, read_labels, said_for_figures};
use exchange::{ExchangeFormat, ImportFormat};

use super::output::{print, print_json};
use super::table::{Column, Table};

/// Make labelling projects, take answers in and out, join copies, and see how far people agree
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct LabelArguments {
    /// What to do.
    #[command(subcommand)]
    command: LabelCommand,
}

/// What can be done with labelling projects.
#[derive(Debug, Subcommand)]
enum LabelCommand {
    /// The forms that come with the program; one of them as JSON, to be changed.
    Forms {
        /// Which one.
        id: Option<String>,
    },
    /// Make a project of runs and forms.
    New(Box<new::NewArguments>),
    /// Take answers in: from CSV or JSON Lines with the columns `person`, `item`, `form` and one a question, from
    /// Label Studio (JSON, JSON-MIN, CSV, TSV) or from Prodigy.
    Import {
        /// The project.
        project: PathBuf,
        /// The answers.
        answers: PathBuf,
        /// As what they are written.
        #[arg(long, value_enum, default_value_t = ImportFormat::Table)]
        format: ImportFormat,
    },
    /// Write what one person labels into a file of its own, with its pictures and without a name of any model, agent
    /// or run: it opens on any machine, and `merge` takes its answers in.
    Pack(pack::PackArguments),
    /// Take in what was done in other copies of the project: in any order, twice or in parts.
    Merge {
        /// The project.
        project: PathBuf,
        /// The copies, or their events as JSON Lines.
        #[arg(required = true)]
        copies: Vec<PathBuf>,
    },
    /// Every answer that stands, to stdout.
    Export {
        /// The project.
        project: PathBuf,
        /// As what.
        #[arg(long, value_enum, default_value_t = ExchangeFormat::Csv)]
        format: ExchangeFormat,
        /// Of label-studio and prodigy, which form, if the project has several.
        #[arg(long)]
        form: Option<String>,
    },
    /// How far people agree on each question, who answers how, and what their answers come to.
    Report(report::ReportArguments),
    /// Ask a model the forms of the project: its answers are marked as a machine's, and no figure about people
    /// counts them.
    Judge(judge::JudgeArguments),
    /// Say what the answer to a question about an item is in the end; what people answered stays.
    Settle(settle::SettleArguments),
    /// Remove all that a person did, for good: from this file, and from every copy that is joined with it later.
    Withdraw(lead::WithdrawArguments),
    /// Let somebody label who failed the qualification.
    LetOn(lead::LetOnArguments),
    /// Find runs that were moved, by what is in them, and write down where they lie.
    Relocate(relocate::RelocateArguments),
    /// Show who made what in reviews of a blind project, from now on; answers given later say so.
    Reveal(lead::RevealArguments),
    /// Who worked how long on which day, as CSV.
    Hours {
        /// The project.
        project: PathBuf,
    },
    /// Look whether everything in the project can be read and every answer fits its form.
    Verify {
        /// The project.
        project: PathBuf,
    },
}

const EXAMPLES: &str = "\
Examples:
  pentimento label forms ndec > my-form.json
  pentimento label new study.labels runs --form pairwise-preference --person ada --person bo
  pentimento label import study.labels answers.csv
  pentimento label pack study.labels --for bo --out for-bo.labels
  pentimento label merge study.labels bo.labels
  pentimento label report study.labels --json
  pentimento label report pairs.labels --metrics --only ssim/uniform7 --only component_similarity/canvas
  pentimento label judge pairs.labels --model anthropic:MODEL --limit 20 --dry-run
  pentimento label settle study.labels --item 5c1f… --question preference --value first --as lead";

/// Does the command.
pub(super) fn label(arguments: &LabelArguments) -> anyhow::Result<()> {
    match &arguments.command {
        LabelCommand::Forms { id: Some(id) } => {
            let form = builtin_form(id);
            print_json(
                form.with_context(|| {
                    format!("no form that comes with the program is called {id:?}")
                })?,
            )
        }
        LabelCommand::Forms { id: None } => list_forms(),
        LabelCommand::New(arguments) => new::new_project(arguments),
        LabelCommand::Import { project, answers, format } => {
            exchange::import(project, answers, *format)
        }
        LabelCommand::Pack(arguments) => pack::pack_project(arguments),
        LabelCommand::Merge { project, copies } => exchange::merge(project, copies),
        LabelCommand::Export { project, format, form } => {
            exchange::export(project, *format, form.as_deref())
        }
        LabelCommand::Report(arguments) => report::report(arguments),
        LabelCommand::Judge(arguments) => judge::judge(arguments),
        LabelCommand::Settle(arguments) => settle::settle(arguments),
        LabelCommand::Withdraw(arguments) => lead::withdraw(arguments),
        LabelCommand::LetOn(arguments) => lead::let_on(arguments),
        LabelCommand::Relocate(arguments) => relocate::relocate_project(arguments),
        LabelCommand::Reveal(arguments) => lead::reveal(arguments),
        LabelCommand::Hours { project } => hours::hours(project),
        LabelCommand::Verify { project } => exchange::verify(project),
    }
}

fn list_forms() -> anyhow::Result<()> {
    let columns = [
        Column::left("form"),
        Column::left("about"),
        Column::right("questions"),
        Column::left("title"),
    ];
    let mut table = Table::new(&columns);
    for form in builtin_forms() {
        let questions = form.questions.len().to_string();
        let title = form.title.in_language("en").to_owned();
        table.push(vec![form.id.clone(), form.about.name().to_owned(), questions, title]);
    }
    Ok(print(&table.to_text())?)
}

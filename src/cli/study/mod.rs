//! `pentimento study`: studies of people who design, without the window.

mod agents;
mod material;
mod new;
mod packets;
mod report;
mod report_json;
mod report_text;
mod simulate;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::output::print;
use crate::study::{
    ParticipantKind, StudyRecord, next_free_row, participant_of, schedule, withdraw,
};

/// Plan studies of people who design, try them with scripted participants, and see what they come to
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct StudyArguments {
    /// What to do.
    #[command(subcommand)]
    command: StudyCommand,
}

/// What can be done with studies.
#[derive(Debug, Subcommand)]
enum StudyCommand {
    /// Make a study of the tasks of a set: DIR/study.json, to be changed by hand.
    New(new::NewArguments),
    /// Who takes part next, and what they do in which order.
    Next {
        /// The folder of the study.
        dir: PathBuf,
    },
    /// Let scripted participants do a study, for tests and demonstrations: everything of theirs says so.
    Simulate(simulate::SimulateArguments),
    /// Write the study for one person into a file that they open elsewhere, in the window.
    Pack(packets::PackArguments),
    /// Unpack such a file into a folder: a study of one person.
    Unpack(packets::UnpackArguments),
    /// Write what was done in an unpacked folder into a file that goes back.
    Answers(packets::AnswersArguments),
    /// Take such files in, as often and in whatever order they come.
    Merge(packets::MergeArguments),
    /// What a study comes to: success, time, tests, questionnaires, and the figure.
    Report(report::ReportArguments),
    /// Remove all that a person did, for good. Whoever comes next takes their place in the plan.
    Withdraw {
        /// The folder of the study.
        dir: PathBuf,
        /// Who, such as P03.
        person: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  pentimento study new my-study --tasks sample_runs --preset small
  pentimento study next my-study
  pentimento study simulate --participants 24 --tasks sample_runs --seed 1 --out tried
  pentimento study report tried --include-scripted --out figures
  pentimento study report my-study --agents runs --out figures
  pentimento study report my-study --json
  pentimento study report my-study --table study.tex
  pentimento study report my-study --table-of attempts --table attempts.csv
  pentimento study withdraw my-study P03
  pentimento study pack my-study --for P03
  pentimento study merge my-study P03.study-answers";

/// Does the command.
pub(super) fn study(arguments: &StudyArguments) -> anyhow::Result<()> {
    match &arguments.command {
        StudyCommand::New(arguments) => new::new_study(arguments),
        StudyCommand::Next { dir } => next(&StudyRecord::open(dir)?),
        StudyCommand::Simulate(arguments) => simulate::simulate(arguments),
        StudyCommand::Pack(arguments) => packets::pack(arguments),
        StudyCommand::Unpack(arguments) => packets::unpack(arguments),
        StudyCommand::Answers(arguments) => packets::answers(arguments),
        StudyCommand::Merge(arguments) => packets::merge(arguments),
        StudyCommand::Report(arguments) => report::report(arguments),
        StudyCommand::Withdraw { dir, person } => {
            withdraw(dir, person)?;
            Ok(print(&format!("All that {person} did is removed."))?)
        }
    }
}

fn next(record: &StudyRecord) -> anyhow::Result<()> {
    let plan = &record.plan;
    let row = next_free_row(&record.taken_rows(ParticipantKind::Person));
    let mut text = format!("{}, of {} planned\n", participant_of(row), plan.people);
    for block in schedule(plan, row) {
        let tasks = block.tasks.iter().map(|at| plan.tasks[*at].id.as_str());
        let condition = &plan.conditions[block.condition].title;
        writeln!(text, "{condition}: {}", tasks.collect::<Vec<_>>().join(", ")).ok();
    }
    Ok(print(&text)?)
}

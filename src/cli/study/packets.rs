//! `study pack`, `unpack`, `answers` and `merge`: people who take part elsewhere.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;

use crate::cli::output::{note, print};
use crate::evaluate::studies::{StudyMaterial, pack_study};
use crate::study::{Packet, ParticipantKind, StudyRecord, next_free_row, participant_of};

/// What is packed.
#[derive(Args, Debug)]
pub(super) struct PackArguments {
    /// The folder of the study.
    dir: PathBuf,
    /// For whom, such as P03; else for who comes next.
    #[arg(long = "for", value_name = "NAME")]
    person: Option<String>,
    /// The packet's file; nothing may be there yet. Else beside the study, as STUDY-for-NAME.study-packet.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is unpacked.
#[derive(Args, Debug)]
pub(super) struct UnpackArguments {
    /// The packet.
    packet: PathBuf,
    /// The folder; else beside the packet, with its name.
    dir: Option<PathBuf>,
}

/// What goes back.
#[derive(Args, Debug)]
pub(super) struct AnswersArguments {
    /// The folder that was unpacked.
    dir: PathBuf,
    /// The file; else beside the folder, as NAME.study-answers.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is taken in.
#[derive(Args, Debug)]
pub(super) struct MergeArguments {
    /// The folder of the study.
    dir: PathBuf,
    /// What was done in packets of it.
    #[arg(required = true)]
    answers: Vec<PathBuf>,
}

/// Packs what one person does.
pub(super) fn pack(arguments: &PackArguments) -> anyhow::Result<()> {
    let material = StudyMaterial::open(&arguments.dir)?;
    for warning in &material.warnings {
        note(&format!("warning: {warning}"));
    }
    let record = StudyRecord::open(&arguments.dir)?;
    let row = match &arguments.person {
        Some(person) => row_of(person)?,
        None => next_free_row(&record.taken_rows(ParticipantKind::Person)),
    };
    let out = arguments.out.clone().unwrap_or_else(|| {
        let name = format!("{}-for-{}.study-packet", material.plan.id, participant_of(row));
        arguments.dir.parent().unwrap_or_else(|| Path::new("")).join(name)
    });
    // The one that is there may have been made for somebody who has not begun.
    ensure!(!out.exists(), "a file is there already: {}", out.display());
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    let id = format!("{:032x}", u128::from_be_bytes(bytes));
    let who = pack_study(&arguments.dir, &material, (row, id), &out)?;
    let size = std::fs::metadata(&out).map_or(0, |it| it.len());
    Ok(print(&format!("{who}, {:.1} MB: {}", size as f64 / 1e6, out.display()))?)
}

/// The row of somebody called so.
fn row_of(person: &str) -> anyhow::Result<u32> {
    let number = person.strip_prefix('P').and_then(|digits| digits.parse::<u32>().ok());
    let row = number.and_then(|number| number.checked_sub(1));
    let row = row.filter(|row| participant_of(*row) == person);
    row.with_context(|| format!("{person:?} is none of P01, P02 …"))
}

/// Unpacks a packet.
pub(super) fn unpack(arguments: &UnpackArguments) -> anyhow::Result<()> {
    let packet =
        Packet::open(&arguments.packet).with_context(|| arguments.packet.display().to_string())?;
    let dir = arguments.dir.clone().unwrap_or_else(|| arguments.packet.with_extension(""));
    packet.unpack(&dir)?;
    Ok(print(&format!("{}: {}", packet.head.participant, dir.display()))?)
}

/// Writes what was done.
pub(super) fn answers(arguments: &AnswersArguments) -> anyhow::Result<()> {
    let answers = Packet::answers(&arguments.dir)?;
    let who = &answers.head.participant;
    let out = arguments.out.clone().unwrap_or_else(|| {
        let name = format!("{who}.study-answers");
        arguments.dir.parent().unwrap_or_else(|| Path::new("")).join(name)
    });
    answers.write(&out)?;
    Ok(print(&format!("{who}, {} files: {}", answers.files.len(), out.display()))?)
}

/// Takes answers in.
pub(super) fn merge(arguments: &MergeArguments) -> anyhow::Result<()> {
    for path in &arguments.answers {
        let named = || path.display().to_string();
        let packet = Packet::open(path).with_context(named)?;
        let merged = packet.merge_into(&arguments.dir).with_context(named)?;
        print(&format!(
            "{}: {} taken in, {} known already",
            packet.head.participant, merged.taken, merged.known
        ))?;
    }
    Ok(())
}

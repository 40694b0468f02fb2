//! `label relocate`: runs that were moved, found by what is in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use super::exchange::open;
use crate::agent::batch::seen_from;
use crate::cli::output::{note, print};
use crate::evaluate::relocate;

/// What is looked for where.
#[derive(Args, Debug)]
pub(super) struct RelocateArguments {
    /// The project.
    project: PathBuf,
    /// Where its runs lie now, or a folder around them.
    dir: PathBuf,
}

/// Finds the runs and writes their places down, once for all.
pub(super) fn relocate_project(arguments: &RelocateArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    ensure!(
        file.project().packet.is_none(),
        "a packet has its pictures in it: nothing is looked for"
    );
    ensure!(arguments.dir.is_dir(), "there is no folder {}", arguments.dir.display());
    let home = arguments.project.parent().unwrap_or_else(|| Path::new(""));
    let items = file.items()?;
    // By what is in them and not by their names: a folder that was copied is found, one that changed is not.
    let found = relocate(&items, home, &arguments.dir)?;
    let places: BTreeMap<String, String> =
        found.found.iter().map(|(hash, dir)| (hash.clone(), seen_from(home, dir))).collect();
    let sets: Vec<String> = found.task_sets.iter().map(|dir| seen_from(home, dir)).collect();
    let moved = if places.is_empty() { 0 } else { file.relocate(&places, &sets)? };
    for path in &found.missing {
        note(&format!("not found, or no longer what it was: {path}"));
    }
    Ok(print(&format!(
        "{} runs were where they lay, {} are found elsewhere, {} are missing; {moved} items changed",
        found.in_place,
        found.found.len(),
        found.missing.len()
    ))?)
}

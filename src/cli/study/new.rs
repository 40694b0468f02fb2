//! `study new`: a study of the tasks of a set.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};

use super::material::{candidates, sets_at};
use crate::agent::batch::seen_from;
use crate::base::read_file_limited;
use crate::cli::output::{print, write_atomic};
use crate::study::{Balance, Preset, STUDY_FILE, StartChoice, StudyPlan};

/// Most bytes of a consent text.
const MOST_CONSENT: u64 = 1 << 20;

/// What a new study is made of.
#[derive(Args, Debug)]
pub(super) struct NewArguments {
    /// The folder of the study; made if it is missing. No study may be there yet.
    dir: PathBuf,
    /// Where the tasks lie: a task set, or a folder with sets in it.
    #[arg(long, value_name = "PATH")]
    tasks: PathBuf,
    /// Which study: psbench (between people, all tasks, 5, 10 and 20 minutes) or small (within people, 12 tasks in
    /// three groups).
    #[arg(long, value_enum, default_value_t = PresetArgument::Small)]
    preset: PresetArgument,
    /// What tasks begin with: what they give, or their ground truth changed in a few places.
    #[arg(long, value_enum, default_value_t = StartArgument::Given)]
    start: StartArgument,
    /// How many people; else as the study has it.
    #[arg(long, value_name = "N")]
    people: Option<u32>,
    /// Which tasks are drawn, and all orders: the same number gives the same.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What people agree to before they begin: Markdown.
    #[arg(long, value_name = "FILE.md")]
    consent: Option<PathBuf>,
}

/// The studies that come with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PresetArgument {
    /// As PSBench's user study.
    Psbench,
    /// Twelve people, twelve tasks.
    Small,
}

/// What tasks begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StartArgument {
    /// What the tasks give.
    Given,
    /// The ground truth, changed: 2 places of easy tasks, 4 of medium ones, 8 of hard ones.
    ChangedTruth,
}

impl From<PresetArgument> for Preset {
    fn from(argument: PresetArgument) -> Self {
        match argument {
            PresetArgument::Psbench => Self::Psbench,
            PresetArgument::Small => Self::Small,
        }
    }
}

/// Makes the study, and says how even its plan is.
pub(super) fn new_study(arguments: &NewArguments) -> anyhow::Result<()> {
    let start = match arguments.start {
        StartArgument::Given => StartChoice::Given,
        StartArgument::ChangedTruth => StartChoice::ChangedTruth,
    };
    let sets = sets_at(&arguments.tasks)?;
    let task_sets = vec![seen_from(&absolute(&arguments.dir), &absolute(&arguments.tasks))];
    let preset = Preset::from(arguments.preset);
    let mut plan = preset.plan(&candidates(&sets), task_sets, start, arguments.seed)?;
    if let Some(people) = arguments.people {
        plan.people = people;
    }
    if let Some(path) = &arguments.consent {
        let bytes = read_file_limited(path, MOST_CONSENT)?;
        let text = String::from_utf8(bytes);
        plan.consent = text.with_context(|| format!("{} is not UTF-8", path.display()))?;
    }
    write_plan(&plan, &arguments.dir)?;
    // Said at once: so many people may not be a multiple of what a square takes.
    let balance = Balance::of(&plan, 0..plan.people);
    let even = if balance.is_even() { "even" } else { "as even as so many people can be" };
    let (people, tasks) = (plan.people, plan.tasks.len());
    Ok(print(&format!(
        "{}: {people} people, {tasks} tasks, {} conditions; the plan is {even}.",
        arguments.dir.join(STUDY_FILE).display(),
        plan.conditions.len()
    ))?)
}

/// Writes a plan into its folder, which has none yet.
pub(super) fn write_plan(plan: &StudyPlan, dir: &Path) -> anyhow::Result<()> {
    plan.check()?;
    let path = dir.join(STUDY_FILE);
    ensure!(!path.exists(), "there is a study already: {}", path.display());
    std::fs::create_dir_all(dir)
        .with_context(|| format!("cannot make the folder {}", dir.display()))?;
    let json = serde_json::to_string_pretty(plan)? + "\n";
    write_atomic(&path, json.as_bytes())
}

/// The path from the root.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

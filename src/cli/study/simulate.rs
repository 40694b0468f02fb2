//! `study simulate`: scripted participants do a study.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use super::material::{candidates, forms_of, sets_at, tasks_of};
use super::new::{PresetArgument, absolute, write_plan};
use crate::agent::batch::seen_from;
use crate::cli::environments::environments;
use crate::cli::output::{note, print};
use crate::cli::progress::SharedProgress;
use crate::study::scripted::{Simulation, check_starts};
use crate::study::{PEOPLE_DIR, Preset, StartChoice, StudyPlan};
use crate::task::TaskSet;

/// What scripted participants do.
#[derive(Args, Debug)]
pub(super) struct SimulateArguments {
    /// Where the tasks lie: their ground truths are changed in a few places, which the scripts find and mend.
    #[arg(long, value_name = "PATH", required_unless_present = "study")]
    tasks: Option<PathBuf>,
    /// Which study, of the tasks at --tasks.
    #[arg(long, value_enum, default_value_t = PresetArgument::Small)]
    preset: PresetArgument,
    /// A study's file instead, whose tasks begin with a changed truth.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tasks", "preset", "seed"])]
    study: Option<PathBuf>,
    /// How many take part.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    participants: u32,
    /// Everything follows from it: the same number gives the same files.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The folder to record in; made if it is missing. No study may be there yet.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Lets them do it.
pub(super) fn simulate(arguments: &SimulateArguments) -> anyhow::Result<()> {
    let (plan, sets, forms_dir) = material(arguments)?;
    ensure!(
        !arguments.out.join(PEOPLE_DIR).exists(),
        "somebody took part already: {}",
        arguments.out.join(PEOPLE_DIR).display()
    );
    // Before anything is written.
    check_starts(&plan)?;
    let (tasks, set_dirs) = tasks_of(&plan, &sets)?;
    let forms = forms_of(&plan, &forms_dir)?;
    write_plan(&plan, &arguments.out)?;
    // The folder is there now: the runs say where their tasks lie as seen from it.
    let set_dirs: Vec<PathBuf> =
        set_dirs.iter().map(|set| PathBuf::from(seen_from(&arguments.out, set))).collect();
    let progress = SharedProgress::start(arguments.participants as usize, "participants");
    let environments = environments();
    let simulation = Simulation {
        plan: &plan,
        dir: &arguments.out,
        tasks: &tasks,
        forms: &forms,
        set_dirs: &set_dirs,
        participants: arguments.participants,
        open_environment: &environments.opener(),
        passed: &|who| progress.passed(who),
    };
    let done = simulation.run()?;
    note("These are scripts, not people: reports leave them out without --include-scripted.");
    Ok(print(&format!(
        "{}: {} scripted participants, {} runs",
        arguments.out.display(),
        done.participants,
        done.runs
    ))?)
}

/// The plan, the sets of its tasks, and the folder that its forms are named from.
fn material(arguments: &SimulateArguments) -> anyhow::Result<(StudyPlan, Vec<TaskSet>, PathBuf)> {
    let out = absolute(&arguments.out);
    if let Some(path) = &arguments.study {
        let home = path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let mut plan = StudyPlan::open(path)?;
        let mut sets = Vec::new();
        for set in &mut plan.task_sets {
            let at = absolute(&home.join(&*set));
            sets.extend(sets_at(&at)?);
            // The copy of the plan lies elsewhere.
            *set = seen_from(&out, &at);
        }
        plan.people = arguments.participants;
        return Ok((plan, sets, home));
    }
    let tasks = arguments.tasks.clone().unwrap_or_default();
    let sets = sets_at(&tasks)?;
    let task_sets = vec![seen_from(&out, &absolute(&tasks))];
    let preset = Preset::from(arguments.preset);
    let start = StartChoice::ChangedTruth;
    let mut plan = preset.plan(&candidates(&sets), task_sets, start, arguments.seed)?;
    plan.people = arguments.participants;
    Ok((plan, sets, out))
}

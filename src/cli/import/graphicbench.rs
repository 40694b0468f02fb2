//! `pentimento import graphicbench`: published plans as runs.
//!
//! Each line of `{model}/{type}.jsonl` becomes a run of its own: its plan is kept as it stands, with
//! every stage, and its final workflow is carried out step by step. A line that is no plan becomes a
//! run too, of which the line is the only step: such are the errors that people study. Rows of the
//! training set have a plan that people made, and become runs of theirs ([`PlanLine`]).
//!
//! A run comes into its place when it is whole, so that what a stopped import left can be gone on
//! with: what is there already stays.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::agent::planner::PlayedPlan;
use crate::agent::runner::{Attempt, COMPAT_SETTING, NoObserver, RunLimits, run_task};
use crate::agent::{CpuPool, PICTURES_SETTING, PictureSource};
use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::output::{note, print, print_json};
use crate::cli::plans;
use crate::cli::progress::SharedProgress;
use crate::cli::table::{Column, Table};
use crate::environment::Compat;
use crate::environment::FailureClass;
use crate::metric::constraint::DesignType;
use crate::run::recorder::Durability;
use crate::run::{AgentRef, IMPORTED_KIND, Manifest, TaskRef, folder, reader};
use crate::task::{PictureFolder, Task};

use super::line::{self, PlanLine};

/// Carry out the plans that GraphicBench's authors publish, each as a run
///
/// Every line becomes a run in DIR/graphicbench-test/<type>-<id>/<model>-<n>, with its plan as it
/// stands and each step of the final workflow carried out. What is there already stays, so that a
/// stopped import can be gone on with.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct GraphicbenchArguments {
    /// Files of plans, one a line, or folders of them: {model}/{type}.jsonl.
    #[arg(value_name = "PLANS", required = true)]
    plans: Vec<PathBuf>,
    /// Folder the runs go to; made if it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the queries' pictures are looked for, at any depth: PNG and JPEG by their names, SVG by
    /// title and keywords too. What is not there is drawn as a placeholder; run.json says which file
    /// each name got.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Only lines whose place holds TEXT, such as chatgpt/poster.jsonl:17.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Whose behaviour the actions follow: graphicbench takes values by their position, as the
    /// released executor does. As documented without it.
    #[arg(long, value_name = "NAME", value_parser = crate::cli::arguments::suite_compat)]
    compat: Option<Compat>,
    /// Plans at the same time; as many as the machine has cores without it.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento import graphicbench plans --out runs
  pentimento import graphicbench plans/chatgpt --out runs --pictures /usr/share/openclipart/svg
  pentimento import graphicbench plans --out runs --filter poster.jsonl:17 --json

JSON: {\"imported\", \"found\", \"seconds\", \"files\": [{\"model\", \"design\", \"plans\", \"steps\",
\"failed_steps\", \"plans_without_failure\", \"failures\": {CLASS: count}}]}; the failures are those of what was
imported now.";

/// What runs call this kind of agent.
/// The settings that say which line of which file a run was.
const SOURCE_SETTING: &str = "source";
/// Most steps that are carried out of one plan.
const MOST_STEPS: u32 = 10_000;

/// What came of a line.
struct Imported {
    model: String,
    design: Option<DesignType>,
    result: LineResult,
}

/// What came of carrying it out.
enum LineResult {
    /// It was carried out: its totals and the failures of its steps by class.
    Made(Manifest, BTreeMap<String, usize>),
    /// It was there already.
    Found(Manifest),
    /// It could not be recorded.
    Failed(String),
}

/// What all lines share.
struct Import<'a> {
    arguments: &'a GraphicbenchArguments,
    pictures: PictureSource,
    /// Where runs are made before they come into their place.
    making: PathBuf,
}

/// Does the command.
pub(super) fn import(arguments: &GraphicbenchArguments) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut lines = Vec::new();
    for path in &arguments.plans {
        let found = plans::files(path);
        anyhow::ensure!(!found.is_empty(), "there is no file of plans in {}", path.display());
        for file in found {
            let read = line::read(&file)?;
            // Beside plans lie queries, and questions about them, with the same names.
            if read.iter().any(PlanLine::is_plan) {
                lines.extend(read);
            } else {
                note(&format!("warning: {} holds no plan, and is passed over", file.display()));
            }
        }
    }
    anyhow::ensure!(
        !lines.is_empty(),
        "there is no plan; queries are for `pentimento run --tasks`"
    );
    if let Some(filter) = &arguments.filter {
        lines.retain(|line| line.source.contains(filter.as_str()));
    }
    anyhow::ensure!(!lines.is_empty(), "no line of these files is asked for");
    let making = arguments.out.join(".importing");
    std::fs::create_dir_all(&making)
        .with_context(|| format!("cannot make the folder {}", making.display()))?;
    let pictures = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let import = Import { arguments, pictures, making };
    let imported = import.all(lines)?;
    // Holds nothing any more, unless a run failed.
    std::fs::remove_dir(&import.making).ok();
    let seconds = began.elapsed().as_secs_f64();
    if arguments.json {
        print_json(&to_json(&imported, seconds))?;
    } else {
        print(&text(&imported, seconds))?;
    }
    // Printed before: the figures of the others are of use although some failed.
    let failed = imported.iter().filter(|it| matches!(it.result, LineResult::Failed(_))).count();
    anyhow::ensure!(failed == 0, "{failed} of {} lines could not be imported", imported.len());
    Ok(())
}

impl Import<'_> {
    fn all(&self, lines: Vec<PlanLine>) -> anyhow::Result<Vec<Imported>> {
        let progress = SharedProgress::start(lines.len(), "plans");
        let mut threads = rayon::ThreadPoolBuilder::new().thread_name(|at| format!("import {at}"));
        if let Some(jobs) = self.arguments.jobs {
            threads = threads.num_threads(jobs.get());
        }
        let threads = threads.build().context("no threads to import with")?;
        let imported = threads.install(|| {
            let imported = lines.into_par_iter().map(|line| {
                let result = self.one(&line);
                progress.passed(&line.source);
                if let LineResult::Failed(why) = &result {
                    note(&format!("warning: {}: {why}", line.source));
                }
                Imported { model: line.model, design: line.design, result }
            });
            imported.collect()
        });
        Ok(imported)
    }

    fn one(&self, line: &PlanLine) -> LineResult {
        let task = line.task();
        let task_ref = TaskRef::new(line.set, &task.id);
        match self.place(line, &task_ref) {
            RunFolder::Taken(manifest) => LineResult::Found(*manifest),
            RunFolder::Free(_) => self
                .make(line, &task, &task_ref)
                .unwrap_or_else(|error| LineResult::Failed(format!("{error:#}"))),
        }
    }

    /// Where the run of a line is to be, or is.
    fn place(&self, line: &PlanLine, task: &TaskRef) -> RunFolder {
        let numbered =
            (1..).map(|number| folder::numbered(&self.arguments.out, task, &line.model, number));
        for place in numbered {
            if !place.exists() {
                return RunFolder::Free(place);
            }
            // The same line carried out otherwise is another run. One that cannot be read is somebody
            // else's, and keeps its place.
            if let Ok(peek) = reader::peek(&place)
                && self.is_of_line(&peek.manifest, line)
            {
                return RunFolder::Taken(Box::new(peek.manifest));
            }
        }
        // The numbers do not end.
        RunFolder::Free(folder::numbered(&self.arguments.out, task, &line.model, 1))
    }

    /// Whether a run is of this line, carried out as it is to be now.
    fn is_of_line(&self, manifest: &Manifest, line: &PlanLine) -> bool {
        let settings = &manifest.settings;
        settings.get(SOURCE_SETTING).is_some_and(|source| *source == line.source)
            && settings.get(COMPAT_SETTING).and_then(Value::as_str)
                == self.arguments.compat.map(Compat::name)
            && settings.get(PICTURES_SETTING) == self.pictures_setting().as_ref()
    }

    fn make(&self, line: &PlanLine, task: &Task, task_ref: &TaskRef) -> anyhow::Result<LineResult> {
        // Inside --out, so on the same disk as its place, and moved there in one step.
        let dir = tempfile::Builder::new().prefix("run-").tempdir_in(&self.making)?;
        let identity =
            AgentRef { kind: IMPORTED_KIND.to_owned(), name: line.model.clone(), version: None };
        let mut agent = PlayedPlan::new(line.plan.clone(), identity);
        let attempt = Attempt {
            set: &task_ref.set,
            task,
            limits: RunLimits {
                max_calls: MOST_STEPS,
                max_turns: MOST_STEPS,
                ..RunLimits::default()
            },
            settings: self.settings(line),
            dir: dir.path(),
            open_environment: &environments().opener(),
            pictures: &self.pictures,
            // Thousands of short runs: what a crash takes, the same command makes again.
            durability: Durability::NoFsync,
            // It is on a thread of the import's own.
            cpu: &CpuPool::default(),
        };
        let manifest = run_task(&attempt, &mut agent, &CancelToken::new(), &mut NoObserver)?;
        let failures = failures(dir.path())?;
        self.settle(&dir.keep(), line, task_ref)?;
        Ok(LineResult::Made(manifest, failures))
    }

    /// Brings a whole run into its place. Another line of the same query may come first.
    fn settle(&self, dir: &Path, line: &PlanLine, task: &TaskRef) -> anyhow::Result<()> {
        loop {
            let RunFolder::Free(place) = self.place(line, task) else {
                return Ok(std::fs::remove_dir_all(dir)?);
            };
            let parent = place.parent().context("the place of a run has a folder around it")?;
            std::fs::create_dir_all(parent)?;
            match std::fs::rename(dir, &place) {
                Ok(()) => return Ok(()),
                // Lost the race for this number: look again, as the winner may be of this very line.
                Err(_) if place.exists() => {}
                Err(error) => return Err(error).context(place.display().to_string()),
            }
        }
    }

    fn settings(&self, line: &PlanLine) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert(SOURCE_SETTING.to_owned(), json!(line.source));
        // What is not said is not written: that is what an import without the option is found again by.
        if let Some(compat) = self.arguments.compat {
            settings.insert(COMPAT_SETTING.to_owned(), json!(compat.name()));
        }
        if let Some(pictures) = self.pictures_setting() {
            settings.insert(PICTURES_SETTING.to_owned(), pictures);
        }
        settings
    }

    fn pictures_setting(&self) -> Option<Value> {
        self.arguments.pictures.as_ref().map(|pictures| json!(pictures.display().to_string()))
    }
}

/// The place of a run.
enum RunFolder {
    Free(PathBuf),
    Taken(Box<Manifest>),
}

/// The failures of a run's steps by their class.
fn failures(dir: &Path) -> anyhow::Result<BTreeMap<String, usize>> {
    let run = reader::open(dir)?;
    let mut failures = BTreeMap::new();
    for step in &run.steps {
        let failure = step.outcome.as_ref().and_then(|outcome| outcome.failure.as_ref());
        if let Some(failure) = failure {
            *failures.entry(class_name(failure.class)).or_default() += 1;
        }
    }
    Ok(failures)
}

/// A class as the files of runs write it.
fn class_name(class: FailureClass) -> String {
    let name = serde_json::to_value(class).ok();
    name.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Sums over the lines of a model and a type.
#[derive(Default)]
struct FailureSums {
    plans: usize,
    steps: u32,
    failed: u32,
    without_failure: usize,
    failures: BTreeMap<String, usize>,
}

fn sums(imported: &[Imported]) -> BTreeMap<(String, Option<DesignType>), FailureSums> {
    let mut all: BTreeMap<_, FailureSums> = BTreeMap::new();
    for it in imported {
        let sums = all.entry((it.model.clone(), it.design)).or_default();
        let manifest = match &it.result {
            LineResult::Made(manifest, failures) => {
                for (class, count) in failures {
                    *sums.failures.entry(class.clone()).or_default() += count;
                }
                manifest
            }
            LineResult::Found(manifest) => manifest,
            LineResult::Failed(_) => continue,
        };
        // Totals are of what was there too, so that a stopped import ends with the figures of a whole one.
        sums.plans += 1;
        sums.steps += manifest.totals.calls;
        sums.failed += manifest.totals.failures;
        sums.without_failure += usize::from(manifest.totals.failures == 0);
    }
    all
}

fn to_json(imported: &[Imported], seconds: f64) -> Value {
    let all = sums(imported);
    let files = all.iter().map(|((model, design), sums)| {
        json!({
            "model": model,
            "design": design.map(DesignType::key),
            "plans": sums.plans,
            "steps": sums.steps,
            "failed_steps": sums.failed,
            "plans_without_failure": sums.without_failure,
            "failures": sums.failures,
        })
    });
    let (made, found) = counts(imported);
    json!({
        "imported": made, "found": found, "seconds": seconds, "files": files.collect::<Vec<_>>(),
    })
}

fn counts(imported: &[Imported]) -> (usize, usize) {
    let made = imported.iter().filter(|it| matches!(it.result, LineResult::Made(..))).count();
    (made, imported.iter().filter(|it| matches!(it.result, LineResult::Found(_))).count())
}

fn text(imported: &[Imported], seconds: f64) -> String {
    let mut table = Table::new(&[
        Column::left("model"),
        Column::left("design"),
        Column::right("plans"),
        Column::right("steps"),
        Column::right("failed"),
        Column::right("plans without failure"),
    ]);
    for ((model, design), sums) in sums(imported) {
        let design = design.map_or("—", DesignType::words).to_owned();
        let counts = [sums.plans.to_string(), sums.steps.to_string(), sums.failed.to_string()];
        let mut row = vec![model, design];
        row.extend(counts);
        row.push(sums.without_failure.to_string());
        table.push(row);
    }
    let (made, found) = counts(imported);
    let found = if found > 0 { format!(", {found} were there") } else { String::new() };
    format!("{}\n{made} plans imported{found}, {seconds:.1} s\n", table.to_text())
}

//! Runs that go on with a recorded one: `--continue`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::agent::PreparedTask;
use crate::agent::batch::{Order, root_of};
use crate::agent::runner::{RunSettings, StartRun};
use crate::cli::arguments::RunArguments;
use crate::cli::environments::environments;
use crate::run::reader;

use super::again::{find_task, pictures};
use super::plan;
use super::planned::{PlannedRun, alike};

/// Each agent on the task of the run, beginning behind one of its steps.
pub(super) fn planned_runs(
    said: &Path,
    arguments: &RunArguments,
) -> anyhow::Result<Vec<PlannedRun>> {
    let (dir, step) = run_and_step(said)?;
    let dir = std::path::absolute(dir)?;
    let run = reader::open(&dir)?;
    let manifest = &run.manifest;
    let (set_dir, task) = find_task(&dir, manifest, arguments)?;
    let out = arguments.out.clone().or_else(|| root_of(manifest, &dir)).with_context(|| {
        format!(
            "say where the new run goes: --out DIR; the run does not lie in a batch's folder: {}",
            dir.display()
        )
    })?;
    let step = step.unwrap_or_else(|| u32::try_from(run.steps.len()).unwrap_or(u32::MAX));
    let mut settings = plan::settings(arguments, &out)?;
    settings.pictures = pictures(&dir, manifest, arguments)?;
    settings.options.fonts = RunSettings::from_json(&manifest.settings)?.fonts;
    settings.options.start_run = Some(StartRun { path: dir, run: manifest.id.clone(), step });
    // Before anybody is asked and any folder is made: all of them would be refused for the same reason.
    let told = settings.options.run_settings();
    PreparedTask::new(&task, &told, &settings.pictures, &environments().opener())?;
    let agents = plan::agent_configs(arguments)?;
    plan::ensure_prices(arguments.budget, &agents)?;
    let orders = agents.into_iter().map(|agent| Order {
        set: manifest.task.set.clone(),
        set_dir: set_dir.clone(),
        task: Arc::clone(&task),
        agent,
    });
    Ok(alike(orders.collect(), settings))
}

/// The folder of a run, and the step behind an `@`, if one is said.
fn run_and_step(said: &Path) -> anyhow::Result<(PathBuf, Option<u32>)> {
    // A folder may have an @ in its own name.
    let parted = said.to_str().and_then(|text| text.rsplit_once('@'));
    let Some((dir, step)) = parted.filter(|_| !said.exists()) else {
        return Ok((said.to_path_buf(), None));
    };
    let step = step.parse().ok().with_context(|| {
        format!("the step behind the @ must be a number from 0, not {step:?}: {}", said.display())
    })?;
    Ok((PathBuf::from(dir), Some(step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_stands_behind_an_at_unless_the_folder_has_it_in_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("team@2");
        std::fs::create_dir(&run).unwrap();
        let behind = |text: &str| PathBuf::from(format!("{}{text}", run.display()));
        assert_eq!(run_and_step(&run).unwrap(), (run.clone(), None));
        assert_eq!(run_and_step(&behind("@7")).unwrap(), (run.clone(), Some(7)));
        assert_eq!(run_and_step(Path::new("runs/a")).unwrap(), ("runs/a".into(), None));
        for bad in ["@", "@-1", "@last", "@4294967296"] {
            let error = run_and_step(&behind(bad)).unwrap_err().to_string();
            assert!(error.contains("must be a number"), "{error}");
        }
    }
}

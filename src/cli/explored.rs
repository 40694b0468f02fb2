//! The table over all runs without a window: the same library, filter, cells and order as in *Explore*, filled here
//! with what the worker would tell of the runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use rayon::prelude::*;

use crate::base::CancelToken;
use crate::evaluate::{PrimaryMetric, Relation, RunDigest, VariantId, Wanted};
use crate::metric::Measured;
use crate::model::program::ProgramSettings;
use crate::run::{Manifest, Run, RunOrigin, TaskRef, reader};
use crate::store::Store;
use crate::study::SCRIPTED_PARTICIPANT_KIND;
use crate::task::{self, FoundTask, SetOrigin, TaskFinder, TaskSet};
use crate::workbench::protocol::ListedRun;
use crate::workbench::views::{Filter, shows_scripts};
use crate::workbench::{
    AnnotateCommand, Column, Command, Curves, DigestState, Event, ExploreCommand, ExploreView,
    Fetched, JobId, JobOutcome, LabelNews, Request, RunId, RunState, State, Statistics, Variants,
    Workspace, apply, handle,
};
use crate::worker::{self, read_labels};

use super::environments::workspace;
use super::output::{note, runs};
use super::own_metrics::written;
use super::progress::SharedProgress;
use super::scoring::{
    Cache, ScoreJob, Scored, ScoredBy, captions, check_variants, last_step, models, note_problem,
    scorer,
};

/// What the table is made of.
#[derive(Debug, Default)]
pub(super) struct ExploredSources<'a> {
    /// Where tasks are, which count before those that lie elsewhere. Runs that lie there are none of the table's.
    pub(super) tasks: &'a [PathBuf],
    /// Runs and task sets, or folders with them, in the order in which a window would open them behind the tasks.
    pub(super) paths: &'a [PathBuf],
    /// The labelling project whose answers are counted.
    pub(super) labels: Option<&'a Path>,
    /// Which models learned metrics go by.
    pub(super) models: Option<&'a Path>,
    /// Metrics of one's own beside those that the models' file names.
    pub(super) programs: &'a [ProgramSettings],
    /// Captions that were made before.
    pub(super) captions: Option<&'a Path>,
    /// Whether scores of before are used and new ones kept.
    pub(super) cache: Cache,
    /// Of which runs every step is scored.
    pub(super) curves: ScoredCurves<'a>,
}

/// Of which runs every step is scored, and by what.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum ScoredCurves<'a> {
    /// Of all, by the variant that stands for each, if the filter asks for what a step changed.
    #[default]
    Filtered,
    /// Also of those that pass, whatever the filter asks for.
    Shown,
    /// Of the only run in a folder, which is selected, by these variants.
    OfRun {
        /// The folder.
        dir: &'a Path,
        /// The first one is gone by, the others stand beside it.
        variants: &'a [String],
    },
}

/// A view without plots, which would want scores of their own.
pub(super) fn plain_view() -> ExploreView {
    let axes = (Column::Turns, Column::Turns);
    ExploreView { axes, metric: Column::Turns, ..ExploreView::default() }
}

/// The state of a window that shows these runs so: every score that the table shows or filters by is measured, every
/// call read. The names of columns are resolved against the variants there are.
pub(super) fn explored(
    sources: &ExploredSources<'_>,
    view: impl FnOnce(&Variants) -> anyhow::Result<ExploreView>,
) -> anyhow::Result<State> {
    let mut settings = models(sources.models)?;
    settings.programs.extend(sources.programs.iter().cloned());
    let scorer = scorer(sources.cache, &settings);
    let captions = captions(sources.captions, &settings)?;
    let mut state = State { variants: Variants::of(scorer.registry()), ..State::default() };
    let view = view(&state.variants)?;
    // Before anything is opened: what is wrong with it is known without a run.
    let filter = Filter::parse(&view.filter, &state.variants)
        .map_err(|error| anyhow::anyhow!("--filter: {}", error.message))?;
    state.workspace = Workspace::Explore;
    state.explore.view = view;
    state.named_metrics = sources.programs.iter().map(written).collect();
    state.settings.models = sources.models.map(absolute).transpose()?;
    state.settings.captions = sources.captions.map(absolute).transpose()?;
    open(&mut state, sources)?;
    anyhow::ensure!(!state.library.runs.is_empty(), "there is no run in {}", named(sources));
    if asks_for_scores(&state, &filter) {
        note_without_task(&state);
    }
    read_notes(&mut state)?;
    if let Some(path) = sources.labels {
        open_labels(&mut state, absolute(path)?)?;
    }
    let read = read_runs(&mut state);
    let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted: Wanted::ALL };
    // In the order in which it costs more: ends of all runs, then curves of those that a filter or a figure needs.
    score_ends(&mut state, &read, by);
    if filter.asks_for_changes() {
        let all: Vec<RunId> = state.library.runs.keys().copied().collect();
        score_curves(&mut state, &read, by, &all);
    }
    match sources.curves {
        ScoredCurves::Filtered => {}
        ScoredCurves::Shown if filter.asks_for_changes() => {}
        ScoredCurves::Shown => {
            refresh(&mut state);
            let shown = state.explore.table.shown.clone();
            score_curves(&mut state, &read, by, &shown);
        }
        ScoredCurves::OfRun { dir, variants } => {
            score_run(&mut state, &read, by, dir, variants)?;
        }
    }
    note_problem(&scorer);
    refresh(&mut state);
    Ok(state)
}

/// The folders of the runs at these paths that pass a filter, in the order in which a window would have opened them.
pub(super) fn passing(sources: &ExploredSources<'_>, filter: &str) -> anyhow::Result<Vec<PathBuf>> {
    let runs = passing_numbers(sources, filter, &Column::Task)?;
    Ok(runs.into_iter().map(|(dir, _)| dir).collect())
}

/// The same, each with the number that it has in a column.
pub(super) fn passing_numbers(
    sources: &ExploredSources<'_>,
    filter: &str,
    column: &Column,
) -> anyhow::Result<Vec<(PathBuf, Option<f64>)>> {
    let columns = vec![column.clone()];
    let view = ExploreView { filter: filter.to_owned(), columns, ..plain_view() };
    let state = explored(sources, |_| Ok(view))?;
    let shown = state.exported_runs().into_iter();
    let runs = shown.filter_map(|id| {
        let run = state.library.runs.get(&id)?;
        Some((run.dir.clone(), state.explore.table.number(id, column)))
    });
    let runs: Vec<(PathBuf, Option<f64>)> = runs.collect();
    let runs_of_scripts = state.library.runs.values().filter(|run| is_of_script(&run.manifest));
    let scripted = if shows_scripts(filter) { 0 } else { runs_of_scripts.count() };
    note_scripted(scripted);
    anyhow::ensure!(!runs.is_empty(), "the filter leaves no run");
    Ok(runs)
}

/// Whether a script that stands for somebody in a study made a run.
pub(super) fn is_of_script(manifest: &Manifest) -> bool {
    manifest.agent.kind == SCRIPTED_PARTICIPANT_KIND
}

/// Says how many runs are left out as the filter does not name scripts, if any are.
pub(super) fn note_scripted(runs: usize) {
    if runs > 0 {
        note(&format!(
            "{runs} runs of scripts that stand for people in studies are left out: --filter agent:scripted takes them in."
        ));
    }
}

/// Has everything follow from what is in the state now; what would be asked of a worker is known already.
pub(super) fn refresh(state: &mut State) {
    drop(handle(state, Command::Explore(ExploreCommand::InSight(Vec::new()))));
}

/// Works out how the two columns of the scatter go together, which a window asks its worker for.
pub(super) fn relate(state: &mut State) {
    let Some(key) = state.explore.table.relation.clone() else { return };
    // Nobody raises the token: Ctrl-C ends the command.
    let Ok(relation) = Relation::of(&key.pairs, &CancelToken::new()) else { return };
    let statistics = Arc::new(Statistics::Relation(relation));
    state.derived.statistics.insert(key, Fetched::Ready(statistics));
}

/// The path from the root on, as windows know paths.
pub(super) fn absolute(path: impl AsRef<Path>) -> anyhow::Result<PathBuf> {
    let path = path.as_ref();
    std::path::absolute(path).with_context(|| path.display().to_string())
}

fn named(sources: &ExploredSources<'_>) -> String {
    let paths = sources.tasks.iter().chain(sources.paths);
    paths.map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Whether the table shows or filters by a score.
fn asks_for_scores(state: &State, filter: &Filter) -> bool {
    let mut columns = state.explore.view.needed().into_iter();
    filter.variants().next().is_some() || columns.any(|column| matches!(column, Column::Score(_)))
}

/// Says that runs are without their tasks, if some are, which have no score.
fn note_without_task(state: &State) {
    let without = state.library.runs.values().filter(|run| {
        let is_over = !matches!(run.state, RunState::Live | RunState::Unreadable(_));
        is_over && state.library.task(&run.task).is_none()
    });
    let without = without.count();
    if without > 0 {
        note(&format!(
            "The tasks of {} were not found: say where they are with --tasks PATH",
            runs(without)
        ));
    }
}

/// Opens what was named, and the task sets that runs lead to.
fn open(state: &mut State, sources: &ExploredSources<'_>) -> anyhow::Result<()> {
    let tasks = sources.tasks.iter().map(|path| (path, SetOrigin::Named));
    let all = tasks.chain(sources.paths.iter().map(|path| (path, SetOrigin::BesideRuns)));
    let (mut paths, mut origins) = (Vec::new(), Vec::new());
    for (path, origin) in all {
        paths.push(absolute(path)?);
        origins.push(origin);
    }
    let (tasks, runs) = paths.split_at(sources.tasks.len());
    // What is named as both is taken for both.
    state.named_tasks = tasks.iter().filter(|path| !runs.contains(path)).cloned().collect();
    // By the state of the window, which then has what it would have after opening the same: a table is the same here
    // and there.
    let requests = handle(state, Command::Open(paths.clone()));
    let job = requests.iter().find_map(|request| match request {
        Request::Open { job, .. } => Some(*job),
        _ => None,
    });
    let job = job.context("nothing was opened")?;
    let mut finder = TaskFinder::default();
    for (path, origin) in paths.iter().zip(origins) {
        let found = task::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        for warning in &found.warnings {
            note(&format!("warning: {warning}"));
        }
        finder.take_in(path, &found.sets, origin);
        let sets = found.sets.into_iter().map(|(set, warnings)| (Arc::new(set), warnings));
        let is_of_tasks = state.named_tasks.contains(path);
        let runs = found.runs.into_iter().filter(|_| !is_of_tasks).map(|run| ListedRun {
            dir: run.dir,
            manifest: run.manifest,
            steps: run.steps,
            live: run.live,
            unreadable: run.unreadable,
        });
        let (sets, runs) = (sets.collect(), runs.collect());
        drop(apply(state, Event::Opened { job, sets, runs, warnings: Vec::new() }));
    }
    follow_tasks(state, &mut finder, job);
    drop(apply(state, Event::JobEnded(job, JobOutcome::Done)));
    Ok(())
}

/// Has each run be an attempt at the task that other commands find for it, and opens the sets that runs lead to.
fn follow_tasks(state: &mut State, finder: &mut TaskFinder, job: JobId) {
    let runs = state.library.runs.iter();
    let found: Vec<(RunId, Option<FoundTask>)> =
        runs.map(|(id, run)| (*id, finder.find(&run.dir, &run.manifest))).collect();
    for warning in finder.take_warnings() {
        note(&format!("warning: {warning}"));
    }
    let mut known: BTreeSet<SetPlace> = open_sets(state).into_keys().collect();
    let mut led_to = Vec::new();
    for found in found.iter().filter_map(|(_, found)| found.as_ref()) {
        if known.insert((found.set.id.clone(), found.place.clone())) {
            // Its place as it would be named, without the steps up by which the run led there.
            let set = TaskSet { dir: found.place.clone(), ..TaskSet::clone(&found.set) };
            led_to.push((Arc::new(set), Vec::new()));
        }
    }
    if !led_to.is_empty() {
        let (runs, warnings) = (Vec::new(), Vec::new());
        drop(apply(state, Event::Opened { job, sets: led_to, runs, warnings }));
    }
    let open = open_sets(state);
    for (id, found) in found {
        let Some(run) = state.library.runs.get(&id) else { continue };
        let recorded = &run.manifest.task;
        let set = if let Some(found) = found {
            open.get(&(found.set.id.clone(), found.place)).cloned()
        } else {
            // Of several that hold it none is known to be meant: it is of none of those that are open.
            let guess = state.library.task(&run.task);
            guess.map(|_| format!("{} (several)", recorded.set))
        };
        let task = set.map(|set| TaskRef::new(&set, &recorded.id));
        if let (Some(task), Some(run)) = (task, state.library.runs.get_mut(&id)) {
            run.task = task;
        }
    }
}

/// A task set by its id in its file and where it lies, through all links.
type SetPlace = (String, PathBuf);

/// The ids by which the library knows its sets.
fn open_sets(state: &State) -> BTreeMap<SetPlace, String> {
    let sets = state.library.sets.iter().map(|entry| {
        let dir = &entry.set.dir;
        let place = dir.canonicalize().unwrap_or_else(|_| dir.clone());
        ((entry.recorded_id.clone(), place), entry.set.id.clone())
    });
    sets.collect()
}

/// What people wrote and starred in the window.
fn read_notes(state: &mut State) -> anyhow::Result<()> {
    // A workspace that is not there yet has no notes, and none is made for that.
    let Some(path) = workspace().filter(|path| path.is_file()) else { return Ok(()) };
    let read = Store::open(&path)
        .and_then(|store| worker::read_notes(&store))
        .with_context(|| format!("cannot read the notes in {}", path.display()))?;
    drop(apply(state, read));
    Ok(())
}

fn open_labels(state: &mut State, path: PathBuf) -> anyhow::Result<()> {
    let read = read_labels(&path).map_err(|why| anyhow::anyhow!("{why}"))?;
    drop(handle(state, Command::Annotate(AnnotateCommand::Open(path.clone()))));
    drop(apply(state, Event::Labels(LabelNews::Opened { path, result: Ok(read) })));
    // Opening a project goes to the room for it.
    state.workspace = Workspace::Explore;
    Ok(())
}

/// Reads what every run called that is over; those that cannot be read say why in their cells.
fn read_runs(state: &mut State) -> BTreeMap<RunId, Arc<Run>> {
    let over = state.library.runs.iter();
    let over =
        over.filter(|(_, run)| !matches!(run.state, RunState::Live | RunState::Unreadable(_)));
    let over: Vec<(RunId, &PathBuf)> = over.map(|(id, run)| (*id, &run.dir)).collect();
    let read: Vec<_> = over.into_par_iter().map(|(id, dir)| (id, reader::open(dir))).collect();
    let mut runs = BTreeMap::new();
    for (id, result) in read {
        let Some(entry) = state.library.runs.get_mut(&id) else { continue };
        match result {
            Ok(mut run) => {
                // What a run of pictures is, its place among others says better than its own files.
                if matches!(run.origin, RunOrigin::Pictures { .. }) {
                    run.manifest = entry.manifest.clone();
                }
                entry.digest = DigestState::Read(Arc::new(RunDigest::of_folder(&run, &entry.dir)));
                runs.insert(id, Arc::new(run));
            }
            Err(error) => entry.digest = DigestState::Failed(error.to_string().into()),
        }
    }
    runs
}

/// Scores the ends of runs by the variants they lack, those that lack the same together.
fn score_ends(state: &mut State, read: &BTreeMap<RunId, Arc<Run>>, by: ScoredBy<'_>) {
    // Runs that lack the same variants in one go: pictures are opened once for all of them.
    let mut lacking: BTreeMap<Vec<VariantId>, Vec<RunId>> = BTreeMap::new();
    for (run, variants) in state.explored_scores_due() {
        lacking.entry(variants).or_default().push(run);
    }
    for (variants, runs) in lacking {
        let ids: Vec<&str> = variants.iter().map(|id| &**id).collect();
        let by = ScoredBy { wanted: Wanted { variants: Some(&ids), map: None }, ..by };
        for (id, scored) in scored(state, read, by, &runs, |run| vec![last_step(run)]) {
            let Some(entry) = state.library.runs.get_mut(&id) else { continue };
            let own = PrimaryMetric::of_run(&entry.manifest).variant();
            for Measured { variant, measurement } in
                scored.steps.into_iter().flat_map(|(_, all)| all)
            {
                if *variant.id == *own {
                    entry.last_score = Some(measurement.score);
                } else {
                    entry.last_scores.insert(variant.id, measurement.score);
                }
            }
        }
    }
}

/// Scores every step of these runs, each by the variant that stands for it.
fn score_curves(
    state: &mut State,
    read: &BTreeMap<RunId, Arc<Run>>,
    by: ScoredBy<'_>,
    runs: &[RunId],
) {
    // Each run by its own: a query has no picture to be like.
    for metric in [PrimaryMetric::Similarity, PrimaryMetric::Constraints] {
        let variant = metric.variant();
        let of_metric = runs.iter().copied().filter(|id| {
            let run = state.library.runs.get(id);
            run.is_some_and(|run| PrimaryMetric::of_run(&run.manifest).variant() == variant)
        });
        let of_metric: Vec<RunId> = of_metric.collect();
        let ids = [variant];
        let by = ScoredBy { wanted: Wanted { variants: Some(&ids), map: None }, ..by };
        for (id, scored) in scored(state, read, by, &of_metric, every_step) {
            let scores = scored.steps.into_iter().map(|(_, measured)| {
                measured.into_iter().next().map(|measured| measured.measurement.score)
            });
            if let Some(entry) = state.library.runs.get_mut(&id) {
                entry.curves = Curves::of_one(variant, scores.collect());
            }
        }
    }
}

/// Selects the only run in a folder, and scores every step of it by these variants, which are shown then.
fn score_run(
    state: &mut State,
    read: &BTreeMap<RunId, Arc<Run>>,
    by: ScoredBy<'_>,
    dir: &Path,
    variants: &[String],
) -> anyhow::Result<()> {
    let whole = absolute(dir)?;
    let runs = state.library.runs.iter().filter(|(_, run)| run.dir.starts_with(&whole));
    let runs: Vec<RunId> = runs.map(|(id, _)| *id).collect();
    let [id] = *runs.as_slice() else {
        anyhow::bail!("there are {} runs in {}; name one of them", runs.len(), dir.display())
    };
    drop(handle(state, Command::SelectRun(id)));
    let (first, others) = variants.split_first().context("--curve names no variant")?;
    let ids: Vec<&str> = variants.iter().map(String::as_str).collect();
    check_variants(by.scorer.registry(), &ids)?;
    state.settings.curve_variant.clone_from(first);
    state.settings.curves_beside = others.to_vec();
    for variant in variants {
        // What the task has nothing for would be passed over, or another shown in its place.
        let is_shown = state.listed_variants().any(|listed| *listed.id == **variant);
        anyhow::ensure!(is_shown, "{variant} is nothing for the task of this run");
    }
    let by = ScoredBy { wanted: Wanted { variants: Some(&ids), map: None }, ..by };
    let found = scored(state, read, by, &runs, every_step);
    let steps = found.into_iter().next().map(|(_, scored)| scored.steps);
    let steps =
        steps.context("the task of this run was not found: say where it is with --tasks")?;
    let mut curves = Curves::of_one(first.clone(), vec![None; steps.len()]);
    for (step, measured) in steps {
        for Measured { variant, measurement } in measured {
            curves.put(&variant.id, step, measurement.score);
        }
    }
    if let Some(entry) = state.library.runs.get_mut(&id) {
        entry.curves = curves;
    }
    Ok(())
}

/// Those of these runs that were read and whose task is open, scored at these steps.
fn scored(
    state: &State,
    read: &BTreeMap<RunId, Arc<Run>>,
    by: ScoredBy<'_>,
    runs: &[RunId],
    steps: fn(&Run) -> Vec<u32>,
) -> Vec<(RunId, Scored)> {
    let known = runs.iter().filter_map(|id| {
        let (run, entry) = (read.get(id)?, state.library.runs.get(id)?);
        let task = state.library.shared_task(&entry.task)?;
        Some((*id, entry.dir.clone(), Arc::clone(run), Arc::clone(task)))
    });
    let (mut ids, mut jobs) = (Vec::new(), Vec::new());
    for (place, (id, dir, run, task)) in known.enumerate() {
        ids.push(id);
        jobs.push(ScoreJob::ended(place, dir, run, Some(task)));
    }
    let progress = SharedProgress::start(jobs.len(), "runs");
    let scored = by.score_all(jobs, steps, |it| progress.passed(&it.job.dir.display().to_string()));
    ids.into_iter().zip(scored).collect()
}

/// The start and every step of a run.
fn every_step(run: &Run) -> Vec<u32> {
    (0..=last_step(run)).collect()
}

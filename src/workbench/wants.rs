//! What the selection needs and nobody has asked for yet.
//!
//! [`ask`] runs after every command and every event. It compares what is there with what is wanted,
//! so no place that changes the selection has to know what that takes; asking twice asks once. Order
//! of importance: the run itself, the pictures on the stage, the answers about the query, the score and map of the step,
//! the table of scores, pictures of the steps around it, the rest of the curve, the filmstrip, last scores for the library.

use crate::agent::AgentKind;
use crate::evaluate::PrimaryMetric;
use crate::metric::{Score, VariantSpec};
use crate::run::{Run, TaskRef};
use crate::task::Task;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::cache;
use super::jobs::{JobId, JobKind, Jobs};
use super::library::{LibraryRun, RunId, RunState};
use super::nodes::InspectorTab;
use super::outline::{Comparison, OutlineKey};
use super::protocol::{PictureKey, Request, ScorePurpose, VariantId};
use super::query::CheckKey;
use super::state::{Fetched, Listed, Overlay, State};
use super::views::{self, filmstrip_steps};
use super::work::ScoreWork;

/// How far around the selected step pictures are made ahead.
const PREFETCH_STEPS: u32 = 2;
/// How many last scores are asked for at a time.
const FINALS_AT_ONCE: usize = 4;

/// Requests for what is wanted and not there, and cancels for what is not wanted any more.
pub(super) fn ask(state: &mut State) -> Vec<Request> {
    let mut requests = Vec::new();
    let wanted = wanted_now(state);
    drop_unwanted_pictures(state, &wanted, &mut requests);
    drop_unwanted_scores(state, &mut requests);
    drop_unwanted_loads(state, &mut requests);
    requests.extend(cache::evict_runs(state));
    requests.extend(watch_selected(state));
    requests.extend(list_models(state));
    list_pictures(state, &mut requests);
    requests.extend(load_selected(state));
    for key in stage_keys(state) {
        requests.extend(picture(state, key));
    }
    drop_unwanted_outlines(state, &mut requests);
    for key in wanted_outlines(state) {
        requests.extend(outline(state, key));
    }
    drop_unwanted_check(state, &mut requests);
    requests.extend(check(state));
    requests.extend(score_step(state));
    requests.extend(score_table(state));
    for key in prefetch_keys(state) {
        requests.extend(picture(state, key));
    }
    requests.extend(score_curve(state));
    for key in filmstrip_keys(state) {
        requests.extend(picture(state, key));
    }
    while let Some(request) = score_final(state) {
        requests.push(request);
    }
    cache::touch(state, &wanted);
    remember_shown(state);
    requests
}

/// Every picture the selection wants: on the stage, around the step, in the filmstrip.
pub(super) fn wanted_now(state: &State) -> BTreeSet<PictureKey> {
    let shown = state.work.shown_picture.clone();
    let keys = stage_keys(state).into_iter().chain(prefetch_keys(state));
    keys.chain(filmstrip_keys(state)).chain(shown).collect()
}

/// The outlines the selection wants: what the inspector lists, and, to draw boxes or to find the
/// partner of the selected node, how the run differs from the ground truth.
pub(super) fn wanted_outlines(state: &State) -> BTreeSet<OutlineKey> {
    let mut keys = BTreeSet::new();
    let shows_nodes = matches!(state.settings.inspector_tab, InspectorTab::Nodes)
        || wanted_check(state).is_some();
    if shows_nodes && let Some(slot) = state.nodes_slot() {
        keys.insert(OutlineKey { slot, against: state.nodes_comparison() });
    }
    let needs_partners = state.stage.boxes || state.nodes.selected.is_some();
    if needs_partners
        && state.why_no_truth_document().is_none()
        && let Some(slot) = state.compared_slot()
    {
        keys.insert(OutlineKey { slot, against: Comparison::GroundTruth });
    }
    keys.retain(|key| state.why_no_document(&key.slot).is_none());
    keys
}

/// The check the inspector wants, while it shows one.
fn wanted_check(state: &State) -> Option<CheckKey> {
    state.check_key().filter(|_| state.settings.inspector_tab == InspectorTab::Query)
}

/// The task as the worker takes it.
pub(super) fn shared_task(state: &State, task: &TaskRef) -> Option<Arc<Task>> {
    state.library.task(task).map(|task| Arc::new(task.clone()))
}

fn stage_keys(state: &State) -> Vec<PictureKey> {
    let has_truth = state.selected_task().is_some_and(|task| task.ground_truth.is_some());
    let truth = state.selection.task.clone().filter(|_| has_truth).map(PictureKey::GroundTruth);
    let others = state.document_pictures_at(state.selection.step);
    state.compared_slot().into_iter().chain(others).chain(truth).collect()
}

fn prefetch_keys(state: &State) -> Vec<PictureKey> {
    let (Some(run), step) = (state.selection.run, state.selection.step) else { return Vec::new() };
    let last = state.last_step();
    let around = (1..=PREFETCH_STEPS).flat_map(|by| [step.checked_add(by), step.checked_sub(by)]);
    let within = around.flatten().filter(|step| *step <= last);
    let of_step = |step: u32| {
        let others = state.document_pictures_at(step);
        std::iter::once(PictureKey::Step(run, step)).chain(others)
    };
    within.flat_map(of_step).collect()
}

fn filmstrip_keys(state: &State) -> Vec<PictureKey> {
    let Some(run) = state.selection.run else { return Vec::new() };
    filmstrip_steps(state.last_step()).map(|step| PictureKey::Thumbnail(run, step)).collect()
}

fn drop_unwanted_pictures(
    state: &mut State,
    wanted: &BTreeSet<PictureKey>,
    requests: &mut Vec<Request>,
) {
    let unwanted: Vec<PictureKey> =
        state.work.pictures.keys().filter(|key| !wanted.contains(key)).cloned().collect();
    for key in unwanted {
        if let Some(job) = state.work.pictures.remove(&key) {
            state.pictures.remove(&key);
            requests.push(give_up(state, job));
        }
    }
}

fn drop_unwanted_outlines(state: &mut State, requests: &mut Vec<Request>) {
    let wanted = wanted_outlines(state);
    let unwanted: Vec<OutlineKey> =
        state.work.outlines.keys().filter(|key| !wanted.contains(key)).cloned().collect();
    for key in unwanted {
        if let Some(job) = state.work.outlines.remove(&key) {
            state.outlines.remove(&key);
            state.work.outline_last_wanted.remove(&key);
            requests.push(give_up(state, job));
        }
    }
}

fn drop_unwanted_check(state: &mut State, requests: &mut Vec<Request>) {
    let wanted = wanted_check(state);
    if let Some((key, job)) = state.work.check.take_if(|(key, _)| Some(*key) != wanted) {
        state.checks.remove(&key);
        requests.push(give_up(state, job));
    }
}

fn drop_unwanted_scores(state: &mut State, requests: &mut Vec<Request>) {
    let (run, step) = (state.selection.run, state.selection.step);
    let on_stage = stage_variants(state);
    let stale = |work: &mut ScoreWork| {
        Some(work.run) != run || !work.steps.contains(&step) || work.variants != on_stage
    };
    if let Some(work) = state.work.step_score.take_if(stale) {
        requests.push(give_up(state, work.job));
    }
    let curve = state.curve_variant().map(|variant| variant.id.clone());
    let stale =
        |work: &mut ScoreWork| Some(work.run) != run || work.variants.first() != curve.as_ref();
    if let Some(work) = state.work.curve.take_if(stale) {
        requests.push(give_up(state, work.job));
    }
    let wanted = table_steps(state);
    let stale = |work: &mut ScoreWork| {
        let is_wanted = wanted.first().is_some_and(|step| work.steps.contains(step));
        Some(work.run) != run || !is_wanted
    };
    if let Some(work) = state.work.table.take_if(stale) {
        requests.push(give_up(state, work.job));
    }
}

/// Whoever leafs through runs faster than they are read wants only the one he stops at.
fn drop_unwanted_loads(state: &mut State, requests: &mut Vec<Request>) {
    let selected = state.selection.run;
    let unwanted: Vec<RunId> =
        state.work.loads.keys().filter(|run| Some(**run) != selected).copied().collect();
    for run in unwanted {
        if let Some(job) = state.work.loads.remove(&run) {
            requests.push(give_up(state, job));
        }
    }
}

/// Stops a job whose result does not matter any more; whatever it still says is stale from here on.
pub(super) fn give_up(state: &mut State, job: JobId) -> Request {
    state.jobs.by_id.remove(&job);
    Request::Cancel(job)
}

/// All of a launched run is told only while it is on the stage.
fn watch_selected(state: &mut State) -> Option<Request> {
    let is_launched = |run: &RunId| state.work.launches.values().any(|launched| launched == run);
    let wanted = state.selection.run.filter(is_launched);
    if wanted == state.work.watched {
        return None;
    }
    state.work.watched = wanted;
    Some(Request::Watch(wanted))
}

/// The launch dialog lists the models of its file, while it is open and a model is to act.
fn list_models(state: &mut State) -> Option<Request> {
    let launch = &state.launch;
    let is_shown = state.overlay == Some(Overlay::Launch) && launch.agent == AgentKind::Model;
    let path = launch.model.file.as_ref();
    let (known, work) = (&mut state.launch_models, &mut state.work.model_list);
    let (job, path) = list(is_shown, path, known, work, &mut state.jobs)?;
    Some(Request::ListModels { job, path })
}

/// It says what is in its folder of pictures, while it is open and queries are chosen. A folder may be
/// large: reading it ends when nobody waits for it any more.
fn list_pictures(state: &mut State, requests: &mut Vec<Request>) {
    let is_shown = state.overlay == Some(Overlay::Launch) && views::launches_queries(state);
    let path = state.launch.pictures.clone();
    let known = state.launch_pictures.as_ref().map(|known| &known.path);
    let is_wanted = is_shown && known == path.as_ref();
    if let Some(job) = state.work.picture_list.take_if(|_| !is_wanted) {
        requests.push(give_up(state, job));
        state.launch_pictures = None;
    }
    let (known, work) = (&mut state.launch_pictures, &mut state.work.picture_list);
    let asked = list(is_shown, path.as_ref(), known, work, &mut state.jobs);
    requests.extend(asked.map(|(job, path)| Request::ListPictures { job, path }));
}

/// The job and path to list what a file or folder holds, if it is shown and not known; what was asked
/// of another one does not matter any more.
fn list<T>(
    is_shown: bool,
    path: Option<&PathBuf>,
    known: &mut Option<Listed<T>>,
    work: &mut Option<JobId>,
    jobs: &mut Jobs,
) -> Option<(JobId, PathBuf)> {
    if !is_shown || path == known.as_ref().map(|known| &known.path) {
        return None;
    }
    if let Some(earlier) = work.take() {
        jobs.by_id.remove(&earlier);
    }
    *known = path.map(|path| Listed { path: path.clone(), listed: None });
    let path = path?.clone();
    let job = jobs.start(JobKind::List, "");
    *work = Some(job);
    Some((job, path))
}

fn load_selected(state: &mut State) -> Option<Request> {
    let run_id = state.selection.run?;
    let entry = state.library.runs.get(&run_id)?;
    let comes_by_itself = state.work.launches.values().any(|launched| *launched == run_id);
    let is_asked = state.work.loads.contains_key(&run_id) || comes_by_itself;
    if entry.loaded.is_some() || is_asked || matches!(entry.state, RunState::Unreadable(_)) {
        return None;
    }
    let (dir, manifest) = (entry.dir.clone(), Box::new(entry.manifest.clone()));
    let task = shared_task(state, &manifest.task);
    let job = state.jobs.start(JobKind::Load, format!("reading {}", dir.display()));
    state.work.loads.insert(run_id, job);
    Some(Request::LoadRun { job, run: run_id, dir, manifest, task })
}

fn picture(state: &mut State, key: PictureKey) -> Option<Request> {
    if state.pictures.contains_key(&key) {
        return None;
    }
    let (task, run) = made_of(state, &key)?;
    let job = state.jobs.start(JobKind::Picture, "");
    state.pictures.insert(key.clone(), Fetched::Pending);
    state.work.pictures.insert(key.clone(), job);
    Some(Request::Picture { job, key, task, run })
}

fn outline(state: &mut State, key: OutlineKey) -> Option<Request> {
    if state.outlines.contains_key(&key) {
        return None;
    }
    let (task, run) = made_of(state, &key.slot)?;
    let job = state.jobs.start(JobKind::Outline, "");
    state.outlines.insert(key.clone(), Fetched::Pending);
    state.work.outlines.insert(key.clone(), job);
    Some(Request::Outline { job, key, task, run })
}

fn check(state: &mut State) -> Option<Request> {
    let key = wanted_check(state)?;
    if state.checks.contains_key(&key) || key.step > state.last_step() {
        return None;
    }
    let (run, task) = scorable(state, key.run)?;
    let job = state.jobs.start(JobKind::Check, "");
    state.checks.insert(key, Fetched::Pending);
    state.work.check = Some((key, job));
    Some(Request::Check { job, key, task, run })
}

/// What a design is made of: its task and its run. `None` while the run is being read, or has no
/// such step.
pub(super) fn made_of(state: &State, slot: &PictureKey) -> Option<MadeOf> {
    match slot {
        PictureKey::Start(task) | PictureKey::GroundTruth(task) => {
            Some((shared_task(state, task), None))
        }
        PictureKey::Step(run, step)
        | PictureKey::Thumbnail(run, step)
        | PictureKey::Document(run, step, _) => {
            let (entry, loaded) = loaded_run(state, *run)?;
            let has_step = *step <= entry.steps;
            let task = shared_task(state, &entry.manifest.task);
            has_step.then(|| (task, Some(Arc::clone(loaded))))
        }
    }
}

/// A task and a run as the worker takes them.
pub(super) type MadeOf = (Option<Arc<Task>>, Option<Arc<Run>>);

fn loaded_run(state: &State, run: RunId) -> Option<(&LibraryRun, &Arc<Run>)> {
    let entry = state.library.runs.get(&run)?;
    Some((entry, entry.loaded.as_ref()?))
}

/// What a score takes; `None` if the run is not there or there is nothing to measure it by. A run
/// whose task set is not open has the query of its own plan.
fn scorable(state: &State, run_id: RunId) -> Option<(Arc<Run>, Arc<Task>)> {
    let (entry, run) = loaded_run(state, run_id)?;
    let known = shared_task(state, &entry.manifest.task);
    let task = known.or_else(|| Task::of_plan(run).map(Arc::new))?;
    task.is_measurable().then(|| (Arc::clone(run), task))
}

/// The variants of the step on the stage: the heat's first, then the curve's.
fn stage_variants(state: &State) -> Vec<VariantId> {
    let heat = state.heat_variant().map(|variant| variant.id.clone());
    let curve = state.curve_variant().map(|variant| variant.id.clone());
    let curve = curve.filter(|curve| Some(curve) != heat.as_ref());
    heat.into_iter().chain(curve).collect()
}

fn score_step(state: &mut State) -> Option<Request> {
    let (run_id, step) = (state.selection.run?, state.selection.step);
    // Without a ground truth there is no map, and the rest comes with the curve.
    state.selected_task()?.ground_truth.as_ref()?;
    let key = state.heat_key()?;
    let curves = &state.library.runs.get(&run_id)?.curves;
    let is_there = match curves.get(&key.variant, step) {
        Some(Score::Value(_)) => state.maps.contains_key(&key),
        Some(Score::Missing(_)) => true,
        None => false,
    };
    let is_beyond = step as usize >= curves.len();
    let is_asked = state.work.step_score.is_some() || state.work.step_scored.as_ref() == Some(&key);
    if is_there || is_beyond || is_asked {
        return None;
    }
    let variants = stage_variants(state);
    let purpose = ScorePurpose::Stage { map: key.variant };
    let (work, request) = score(state, run_id, vec![step], variants, purpose)?;
    state.work.step_score = Some(work);
    Some(request)
}

fn score_curve(state: &mut State) -> Option<Request> {
    let run_id = state.selection.run?;
    if state.work.curve.is_some() {
        return None;
    }
    let variant = state.curve_variant()?.id.clone();
    let steps = unscored_steps(state, run_id, &variant);
    if steps.is_empty() {
        return None;
    }
    let (work, request) = score(state, run_id, steps, vec![variant], ScorePurpose::Curve)?;
    state.work.curve = Some(work);
    Some(request)
}

/// The scores of the table that are not there, its own step first.
fn score_table(state: &mut State) -> Option<Request> {
    let run_id = state.selection.run?;
    if state.work.table.is_some() {
        return None;
    }
    let curves = &state.library.runs.get(&run_id)?.curves;
    let is_open = |variant: &VariantSpec, step: u32| curves.get(&variant.id, step).is_none();
    let mut steps = table_steps(state);
    steps.retain(|step| {
        (*step as usize) < curves.len() && state.listed_variants().any(|v| is_open(v, *step))
    });
    if steps.is_empty() {
        return None;
    }
    let variants = state.listed_variants().map(|variant| variant.id.clone()).collect();
    let (work, request) = score(state, run_id, steps, variants, ScorePurpose::Table)?;
    state.work.table = Some(work);
    Some(request)
}

/// The steps the table has columns for, while it is looked at: the selected one, the one before for
/// the change, the start and the last.
fn table_steps(state: &State) -> Vec<u32> {
    if state.settings.inspector_tab != InspectorTab::Scores {
        return Vec::new();
    }
    let (step, last) = (state.selection.step, state.last_step());
    let mut steps = vec![step];
    for other in [step.saturating_sub(1), 0, last] {
        if !steps.contains(&other) {
            steps.push(other);
        }
    }
    steps
}

fn score(
    state: &mut State,
    run_id: RunId,
    steps: Vec<u32>,
    variants: Vec<VariantId>,
    purpose: ScorePurpose,
) -> Option<(ScoreWork, Request)> {
    let (run, task) = scorable(state, run_id)?;
    let job = state.jobs.start(JobKind::Score, "");
    let of_steps = steps.iter().copied().collect();
    let work = ScoreWork { job, run: run_id, steps: of_steps, variants: variants.clone() };
    Some((work, Request::Score { job, run_id, run, task, steps, variants, purpose }))
}

/// Steps without a score that is on its way, the last one first: it is the one the library shows.
fn unscored_steps(state: &State, run_id: RunId, variant: &VariantId) -> Vec<u32> {
    let Some(entry) = state.library.runs.get(&run_id) else { return Vec::new() };
    let under_way = state.work.step_score.as_ref().filter(|work| work.run == run_id);
    let is_open = |step: &u32| {
        under_way.is_none_or(|work| !work.steps.contains(step) || !work.variants.contains(variant))
    };
    let mut steps: Vec<u32> = entry.curves.missing(variant).filter(is_open).collect();
    if steps.last() == Some(&entry.steps) {
        steps.rotate_right(1);
    }
    steps
}

fn score_final(state: &mut State) -> Option<Request> {
    if state.work.finals.len() >= FINALS_AT_ONCE {
        return None;
    }
    loop {
        let run_id = state.work.finals_due.pop_first()?;
        let Some(entry) = state.library.runs.get(&run_id) else { continue };
        let comes_by_curve = state.selection.run == Some(run_id)
            && state.curve_variant().is_some_and(|variant| {
                variant.id == PrimaryMetric::of_run(&entry.manifest).variant()
            });
        let has_score = entry.last_score.is_some() || comes_by_curve;
        let readable = !matches!(entry.state, RunState::Live | RunState::Unreadable(_));
        let task = state.library.task(&entry.manifest.task);
        let Some(task) = task.filter(|task| task.ground_truth.is_some() || task.brief.is_some())
        else {
            continue;
        };
        if has_score || !readable {
            continue;
        }
        let task = Arc::new(task.clone());
        let (dir, manifest) = (entry.dir.clone(), Box::new(entry.manifest.clone()));
        let job = state.jobs.start(JobKind::Score, "");
        state.work.finals.insert(job, run_id);
        return Some(Request::ScoreFinal { job, run_id, dir, manifest, task });
    }
}

/// Remembers what is on the stage, to show it on while the next thing loads.
fn remember_shown(state: &mut State) {
    let wanted = wanted_outlines(state);
    state.work.clock += 1;
    let now = state.work.clock;
    state.work.outline_last_wanted.extend(wanted.into_iter().map(|key| (key, now)));
    if let Some(key) = wanted_check(state).filter(|key| state.ready_check(*key).is_some()) {
        state.work.shown_check = Some(key);
    }
    let listed = state.nodes_slot();
    let listed = listed.map(|slot| OutlineKey { slot, against: state.nodes_comparison() });
    if let Some(key) = listed.filter(|key| state.ready_outline(key).is_some()) {
        state.work.shown_outline = Some(key);
    }
    if let Some(key) = state.run_picture_key().filter(|key| state.ready_picture(key).is_some()) {
        state.work.shown_picture = Some(key);
    }
    remember_documents(state);
    if let Some(key) = state.heat_key().filter(|key| state.maps.contains_key(key)) {
        state.work.map_last_wanted.insert(key.clone(), state.work.clock);
        state.work.shown_map = Some(key);
    }
}

fn remember_documents(state: &mut State) {
    for program in state.programs_side_by_side() {
        let picture = state.document_picture(program);
        if let Some(key) = picture.filter(|key| state.ready_picture(key).is_some()) {
            state.work.shown_programs.insert(program, key);
        }
    }
    let Some(run) = state.selection.run else { return };
    let now = state.ready_picture(&PictureKey::Step(run, state.selection.step));
    if let Some(documents) = now.and_then(|picture| picture.documents.clone()) {
        state.work.shown_documents = Some((run, documents));
    }
}

//! What somebody begins with, as a desk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::beside::{VersionLine, comments_of, pending_of, versions_of};
use super::desk::{HandDesk, HandStart};
use crate::agent::runner::RunSettings;
use crate::agent::{PictureSource, PreparedTask};
use crate::base::{CancelToken, Limits, Size, parse_json, read_file_limited};
use crate::design::Document;
use crate::environment::canvas::{CanvasSettings, HandTools};
use crate::environment::{
    Environment, EnvironmentKind, FALLBACK_CANVAS, FONTS_SETTING, FontSource, HANDS_SETTING,
    StartState, pictures_beside,
};
use crate::evaluate::what_if::child_manifest;
use crate::render::TextMeasurer;
use crate::run::recorder::Recorder;
use crate::run::replay::start_state;
use crate::run::{AgentRef, BRIEF_SETTING, BY_HAND_KIND, CallEdit, Manifest, Run, TaskRef, reader};
use crate::task::{DesignBrief, Task, TaskFinder};
use crate::workbench::protocol::{DesignVersion, HandsStart, OpenedDesign};
use crate::workbench::{AssistStart, BriefStart, DesignGoal, StudyStart, TrialPlace};
use crate::worker::compute::canvas::canvas_settings;
use crate::worker::compute::compared_task_of;
use crate::worker::shared::Shared;
use crate::worker::study::open_practice;

/// The set of designs that are of no task.
const OWN_SET: &str = "designs";
/// The name of a design that has none.
const UNTITLED: &str = "Untitled";

/// Opens what somebody begins with.
pub(super) fn open(
    shared: &Shared,
    start: HandsStart,
) -> Result<(OpenedDesign, Option<HandDesk>), String> {
    match &start.study {
        Some(StudyStart::Practice(task, seed)) => {
            return open_practice(shared, task, *seed).map(|opened| (opened, None));
        }
        Some(StudyStart::Trial(place)) => {
            let place = Arc::clone(place);
            let (mut opened, desk) = of_trial(&place)?.open(shared, start)?;
            opened.document.add_images_of(&place.goal);
            opened.instruction = Some(&place.words).filter(|words| !words.is_empty()).cloned();
            opened.goal = Some(DesignGoal::of_design(Arc::clone(&place.goal)));
            return Ok((opened, Some(desk)));
        }
        None => {}
    }
    let opening = match &start.start {
        AssistStart::Task(task_ref) => {
            let task = start.task.as_ref().ok_or("the task set is not open any more")?;
            of_task(shared, task_ref, task)?
        }
        AssistStart::Brief(brief) => {
            let plan = brief.plan.as_deref().map(|dir| plan_of(shared, dir)).transpose()?;
            let (mut opened, desk) = of_brief(brief, plan.as_ref()).open(shared, start)?;
            if let Some(plan) = &plan {
                opened.document.add_images_of(plan);
            }
            opened.plan = plan;
            return Ok((opened, Some(desk)));
        }
        AssistStart::Blank(size) => of_blank(*size),
        AssistStart::File(path) => of_file(path)?,
        AssistStart::Run(_, step) => of_run(&run_of(&start)?, *step)?,
        AssistStart::Again(dir) => of_broken_off(dir)?,
    };
    opening.open(shared, start).map(|(opened, desk)| (opened, Some(desk)))
}

/// What is known before the canvas is opened.
struct Opening {
    start: StartState,
    manifest: Manifest,
    /// The run whose steps are made first, and up to which.
    replayed: Option<(Arc<Run>, u32)>,
    /// The recorder of that run, where it is gone on with in its own folder.
    recorder: Option<Recorder>,
}

impl Opening {
    /// A run that is gone on with in its own folder, behind its last step.
    fn of_resumed(run: Run, start: StartState, recorder: Recorder) -> Self {
        let manifest = run.manifest.clone();
        let last = count(run.steps.len());
        Self { start, manifest, replayed: Some((Arc::new(run), last)), recorder: Some(recorder) }
    }

    fn open(self, shared: &Shared, order: HandsStart) -> Result<(OpenedDesign, HandDesk), String> {
        let Self { start, manifest, replayed, recorder } = self;
        if start.environment != EnvironmentKind::Canvas {
            return Err(format!(
                "only designs of the vector canvas can be worked on by hand; this one is of the \
                 environment {}",
                start.environment
            ));
        }
        let mut environment =
            (shared.open_environment)(&start).map_err(|error| error.to_string())?;
        let begun = environment.design().ok_or("there is no vector design")?;
        let is_whole = |(run, step): &(Arc<Run>, u32)| *step >= count(run.steps.len());
        let is_whole = replayed.as_ref().is_some_and(is_whole);
        let mut versions = Vec::new();
        let mut taken_over = None;
        let (mut recorded, dir) = ((0, 0), recorder.as_ref().map(|it| it.dir().to_path_buf()));
        match (replayed, &dir) {
            // Gone on with where it is: the canvas is brought to its end.
            (Some((run, _)), Some(dir)) => {
                versions = replay(&mut *environment, &run, &begun, dir);
                recorded = (count(run.turns.len()), count(run.steps.len()));
            }
            // The steps are calls of the new run as well, made by its own desk.
            (Some(replayed), None) => taken_over = Some(replayed),
            (None, _) => {}
        }
        // Of a run that is over, too: what was offered at its end is no less pending.
        let left = dir.as_deref().or(order.run_dir.as_deref().filter(|_| is_whole));
        let pending = left.and_then(|dir| pending_of(dir, &TextMeasurer(&shared.render)));
        // The library may not know a run that is gone on with: it says itself where its tasks lie.
        let found = || TaskFinder::default().task_of(dir.as_deref()?, &manifest);
        let task = order.task.or_else(found);
        let task = task.as_ref();
        let goal = task.map_or(Ok(None), |task| goal_of(shared, task))?;
        // Kept with the run, so that going on with it another time still has it.
        let words = manifest.settings.get(BRIEF_SETTING).and_then(Value::as_str);
        let words = words.map(str::to_owned);
        let brief = words.as_deref().map(|words| Arc::new(DesignBrief::described(words)));
        let settings = CanvasSettings {
            hands: start.hands,
            ..canvas_settings(&shared.render, start.compat.as_deref())
        };
        // A design is called by its task, or by the name that stands in the place of one.
        let title = manifest.task.id.clone();
        let desk = HandDesk::new(HandStart {
            number: order.desk,
            environment,
            settings,
            manifest,
            document: start.document,
            set_dir: order.set_dir,
            out_dir: order.out_dir,
            taken_over,
            recorder,
            recorded,
        });
        let mut document = desk.design();
        if let Some(goal) = goal.as_ref().and_then(DesignGoal::design) {
            document.add_images_of(goal);
        }
        let instruction = task.map(|task| task.instruction.clone()).or(words);
        let opened = OpenedDesign {
            title,
            instruction: instruction.filter(|words| !words.is_empty()),
            goal,
            brief,
            document,
            plan: None,
            render: shared.render.clone(),
            comments: dir.as_deref().map(comments_of).unwrap_or_default(),
            pending,
            kept: dir,
            versions,
        };
        Ok((opened, desk))
    }
}

fn of_task(shared: &Shared, task_ref: &TaskRef, task: &Task) -> Result<Opening, String> {
    let (settings, pictures) = (RunSettings::default(), PictureSource::default());
    let mut prepared = PreparedTask::new(task, &settings, &pictures, &*shared.open_environment)
        .map_err(|error| error.to_string())?;
    prepared.start.hands = HandTools::Allowed;
    let mut manifest = prepared.manifest(task_ref.clone(), AgentRef::by_hand(), Map::new());
    BY_HAND_KIND.clone_into(&mut manifest.mode);
    Ok(Opening { start: prepared.start, manifest, replayed: None, recorder: None })
}

fn of_blank(size: Size) -> Opening {
    let start = start_of(size, None, None);
    let manifest = own_manifest(UNTITLED, &start);
    Opening { start, manifest, replayed: None, recorder: None }
}

/// An empty page for a brief, as large as the page of its plan if that is taken over.
fn of_brief(brief: &BriefStart, plan: Option<&Document>) -> Opening {
    let of_plan = plan.and_then(|plan| plan.main_frame()).map(|page| page.size);
    let start = start_of(of_plan.unwrap_or(brief.size), None, None);
    let title = DesignBrief::described(&brief.words).title(&brief.words);
    let mut manifest = own_manifest(&title, &start);
    manifest.settings.insert(BRIEF_SETTING.to_owned(), Value::from(brief.words.as_str()));
    Opening { start, manifest, replayed: None, recorder: None }
}

/// The design that a planner's run led to.
fn plan_of(shared: &Shared, dir: &Path) -> Result<Document, String> {
    let run = reader::open(dir).map_err(|error| error.to_string())?;
    let start = start_state(&run).map_err(|error| error.to_string())?;
    let mut environment = (shared.open_environment)(&start).map_err(|error| error.to_string())?;
    for step in run.steps.iter() {
        if let Some(call) = &step.call {
            environment.call(call, &CancelToken::default());
        }
    }
    if environment.documents().is_some_and(|documents| documents.list().is_empty()) {
        return Err("the plan made no document: its run says what failed".to_owned());
    }
    let why = || format!("what the environment {} makes has no layers", start.environment);
    environment.design().ok_or_else(why)
}

fn of_file(path: &Path) -> Result<Opening, String> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(|error| error.to_string())?;
    let json: Value = parse_json(&bytes).map_err(|error| format!("{error}: {}", path.display()))?;
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let title = name.unwrap_or_else(|| UNTITLED.to_owned());
    // No task says which frame of it counts.
    let start = StartState {
        hands: HandTools::WholeFile,
        ..start_of(FALLBACK_CANVAS, Some(json), pictures_beside(path))
    };
    let manifest = own_manifest(&title, &start);
    Ok(Opening { start, manifest, replayed: None, recorder: None })
}

/// The run at a step, to be gone on with as another.
fn of_run(run: &Arc<Run>, step: u32) -> Result<Opening, String> {
    let mut start = start_state(run).map_err(|error| error.to_string())?;
    start.hands = start.hands.allowed();
    let last = count(run.steps.len());
    let step = step.min(last);
    // What its agent did from there on is left out; what is done instead are calls of the new run.
    let edits = (step + 1..=last).map(|step| CallEdit::Drop { step }).collect();
    let mut settings = Map::new();
    settings.insert(FONTS_SETTING.to_owned(), Value::from(start.fonts.name()));
    settings.extend(start.hands.setting().map(|hands| (HANDS_SETTING.to_owned(), hands)));
    let brief = run.manifest.settings.get(BRIEF_SETTING).cloned();
    settings.extend(brief.map(|brief| (BRIEF_SETTING.to_owned(), brief)));
    let now = jiff::Timestamp::now().to_string();
    let manifest = child_manifest(run, AgentRef::by_hand(), settings, edits, &now);
    Ok(Opening { start, manifest, replayed: Some((Arc::clone(run), step)), recorder: None })
}

/// A run by hand that was broken off, to be gone on with where it is.
fn of_broken_off(dir: &Path) -> Result<Opening, String> {
    // First, so that nobody else records into it while it is read.
    let recorder = Recorder::resume(dir).map_err(|error| error.to_string())?;
    let run = reader::open(dir).map_err(|error| error.to_string())?;
    if run.manifest.agent.kind != BY_HAND_KIND {
        return Err(format!("this run was not made by hand: {}", dir.display()));
    }
    let mut start = start_state(&run).map_err(|error| error.to_string())?;
    start.hands = start.hands.allowed();
    Ok(Opening::of_resumed(run, start, recorder))
}

/// A task of a study, whose run is begun already; gone on with behind its last step.
fn of_trial(place: &TrialPlace) -> Result<Opening, String> {
    let recorder = Recorder::resume(&place.dir).map_err(|error| error.to_string())?;
    let run = reader::open(&place.dir).map_err(|error| error.to_string())?;
    let start = StartState { hands: HandTools::Allowed, ..place.start.clone() };
    Ok(Opening::of_resumed(run, start, recorder))
}

/// Makes all calls of a run; gives its versions that have names.
fn replay(
    environment: &mut dyn Environment,
    run: &Run,
    begun: &Document,
    dir: &Path,
) -> Vec<DesignVersion> {
    let mut lines = versions_of(dir);
    let mut versions = Vec::with_capacity(lines.len());
    let mut take = |step: u32, document: &Document| {
        for VersionLine { name, at, .. } in lines.extract_if(.., |line| line.step == step) {
            versions.push(DesignVersion { name, at, document: document.clone() });
        }
    };
    take(0, begun);
    for step in run.steps.iter() {
        if let Some(call) = &step.call {
            environment.call(call, &CancelToken::default());
        }
        take(step.number, &environment.design().unwrap_or_default());
    }
    versions
}

fn run_of(start: &HandsStart) -> Result<Arc<Run>, String> {
    if let Some(run) = &start.run {
        return Ok(Arc::clone(run));
    }
    let dir = start.run_dir.as_ref().ok_or("the run is not open any more")?;
    reader::open(dir).map(Arc::new).map_err(|error| error.to_string())
}

fn start_of(size: Size, document: Option<Value>, pictures: Option<PathBuf>) -> StartState {
    StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: size,
        document,
        pictures,
        given: Vec::new(),
        compat: None,
        hands: HandTools::Allowed,
        fonts: FontSource::default(),
    }
}

/// The manifest of a design that is of no task.
fn own_manifest(name: &str, start: &StartState) -> Manifest {
    let task = TaskRef { set: OWN_SET.to_owned(), id: name.to_owned() };
    let mut settings = Map::new();
    settings.insert(FONTS_SETTING.to_owned(), Value::from(start.fonts.name()));
    settings.extend(start.hands.setting().map(|hands| (HANDS_SETTING.to_owned(), hands)));
    Manifest {
        mode: BY_HAND_KIND.to_owned(),
        canvas_size: Some(start.canvas_size),
        settings,
        ..Manifest::new(task, AgentRef::by_hand(), jiff::Timestamp::now().to_string())
    }
}

fn goal_of(shared: &Shared, task: &Arc<Task>) -> Result<Option<DesignGoal>, String> {
    let compared = compared_task_of(shared, task).map_err(|error| error.to_string())?;
    let truth = compared.as_ref().and_then(|compared| compared.truth().design.as_ref());
    if let Some(truth) = truth {
        return Ok(Some(DesignGoal::of_design(Arc::new(truth.clone()))));
    }
    // Where there is a picture alone, what agents get: in the units of the canvas, and no larger than pictures may be.
    let input = task.agent_input().map_err(|error| error.to_string())?;
    let goal = input.picture.map(|picture| DesignGoal::of_picture(picture, input.canvas_size));
    goal.transpose().map_err(|error| error.to_string())
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

//! A workbench full of things, made by hand: no worker, no file, the same bytes everywhere.

#![expect(clippy::unreadable_literal, reason = "colours are written as designers write them")]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use serde_json::json;

use pentimento::agent::AgentKind;
use pentimento::base::{Pixels, Rect, Size};
use pentimento::environment::{EnvironmentKind, FailureClass, ToolCall, ToolCategory, ToolFailure};
use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::{ScalarMap, Score};
use pentimento::run::{
    AgentRef, FORMAT, Manifest, Outcome, Run, RunOrigin, Step, StepOutcome, TaskRef, Totals, Turn,
    Usage,
};
use pentimento::task::{Artifact, Task, TaskKind, TaskSet};
use pentimento::workbench::protocol::{NodeBox, StagePicture};
use pentimento::workbench::{
    Curves, Fetched, JobKind, LibraryRun, LibrarySet, MapKey, Pause, PictureKey, RunId, RunState,
    State,
};

pub(crate) const STEPS: u32 = 26;
/// The run on the stage.
pub(crate) const RUN: RunId = RunId(1);
const WIDTH: u32 = 393;
const HEIGHT: u32 = 852;

/// SSIM after each step: up to a peak at step 4, then slowly down.
const CURVE: [f64; 27] = [
    0.712, 0.713, 0.714, 0.761, 0.781, 0.752, 0.741, 0.748, 0.738, 0.739, 0.736, 0.733, 0.731,
    0.728, 0.729, 0.726, 0.731, 0.736, 0.690, 0.688, 0.684, 0.681, 0.683, 0.677, 0.675, 0.672,
    0.669,
];

pub(crate) fn task_ref(id: &str) -> TaskRef {
    TaskRef { set: "replication".to_owned(), id: id.to_owned() }
}

/// Nothing open.
pub(crate) fn empty() -> State {
    State::default()
}

/// Five task sets, many runs, the run on the stage at step 18.
pub(crate) fn full() -> State {
    // Painted once for all tests: it takes longer than drawing a window.
    static FULL: LazyLock<State> = LazyLock::new(painted);
    FULL.clone()
}

fn painted() -> State {
    let mut state = State::default();
    // It has a test of its own.
    state.settings.hint_is_closed = true;
    add_sets(&mut state);
    add_runs(&mut state);
    add_pictures(&mut state);
    state.selection.task = Some(task_ref("gid11-16"));
    state.selection.run = Some(RUN);
    state.selection.step = 18;
    state.launch.agent = AgentKind::Tracer;
    state.launch.options.limits.max_turns = 50;
    state.launch.options.at_once = 2;
    state.launch.options.out_dir = PathBuf::from("/home/someone/pentimento/runs");
    state
}

/// The same with runs at work in the background.
pub(crate) fn busy() -> State {
    let mut state = full();
    for (index, task) in
        ["gid1-22", "gid6-27", "gid11-16", "gid28-1", "gid68-81"].iter().enumerate()
    {
        let id = state.jobs.start(JobKind::Run, format!("tracer on {task}"));
        if let Some(job) = state.jobs.by_id.get_mut(&id) {
            job.progress.total = 50;
            job.progress.done = 9 * (5 - index as u64);
            job.progress.message = format!("turn {}", job.progress.done);
            job.outcome = match index {
                0 => Some(pentimento::workbench::JobOutcome::Done),
                1 => Some(pentimento::workbench::JobOutcome::Failed(
                    "no space left on the disk: /home/someone/pentimento/runs".to_owned(),
                )),
                _ => None,
            };
        }
    }
    state
}

/// Runs of the window's own at work on one task: one running, one paused, one that waits to begin, one
/// that ended. The running one is on the stage.
pub(crate) fn running() -> State {
    let mut state = full();
    let of_task = |state: &State| -> Vec<RunId> {
        let runs = state.library.runs.iter();
        let of_task = runs.filter(|(_, run)| run.manifest.task == task_ref("gid1-22"));
        of_task.map(|(id, _)| *id).collect()
    };
    state.library.folded.tasks.remove(&task_ref("gid1-22"));
    for (at, run_id) in of_task(&state).into_iter().enumerate() {
        let name = state.library.runs[&run_id].manifest.agent.name.clone();
        let job = state.jobs.start(JobKind::Run, format!("{name} on gid1-22"));
        let entry = state.library.runs.get_mut(&run_id).expect("it was just found");
        let known = state.jobs.by_id.get_mut(&job).expect("it was just started");
        (entry.job, known.run) = (Some(job), Some(run_id));
        known.progress.total = 50;
        known.progress.done = 14;
        if name == "tracer" {
            entry.manifest.agent.kind = "tracer".to_owned();
            known.outcome = Some(pentimento::workbench::JobOutcome::Done);
            continue;
        }
        entry.state = RunState::Live;
        entry.manifest.outcome = Outcome::Running;
        entry.last_score = None;
        if at == 0 {
            entry.manifest.totals.cost_usd = Some(0.213);
            state.selection.task = Some(task_ref("gid1-22"));
            state.selection.run = Some(run_id);
            state.selection.step = 0;
        } else {
            (entry.pause, known.pause) = (Pause::Waits, Pause::Waits);
        }
    }
    state.jobs.start(JobKind::Run, "tracer on gid28-1");
    state.jobs.at_once = 2;
    state
}

/// The run on the stage is paused.
pub(crate) fn paused() -> State {
    let mut state = full();
    let job = state.jobs.start(JobKind::Run, "gpt-4.1 on gid11-16");
    let entry = state.library.runs.get_mut(&RUN).expect("the fixture has it");
    let known = state.jobs.by_id.get_mut(&job).expect("it was just started");
    (entry.job, known.run) = (Some(job), Some(RUN));
    (entry.pause, known.pause) = (Pause::Waits, Pause::Waits);
    entry.state = RunState::Live;
    entry.manifest.totals.cost_usd = Some(0.213);
    state.selection.step = entry.steps;
    state
}

fn add_sets(state: &mut State) {
    let replication = [
        ("gid1-22", "Home & feeds"),
        ("gid6-27", "Cart & checkout"),
        ("gid11-16", "Content detail"),
        ("gid28-1", "Profile"),
        ("gid68-81", "Search"),
    ];
    let tasks = replication.map(|(id, category)| task(id, category, TaskKind::Replication));
    push_set(state, "replication", "CANVAS samples · replication", tasks.to_vec());
    for (id, name, kind) in [
        ("task-1", "CANVAS samples · attribute update", TaskKind::AttributeUpdate),
        ("task-2", "CANVAS samples · component insertion", TaskKind::ComponentInsertion),
        ("task-3", "CANVAS samples · mode change", TaskKind::ModeChange),
    ] {
        let tasks = (1..=3).map(|n| task(&format!("gid{n}-{id}"), "", kind)).collect();
        push_set(state, id, name, tasks);
        state.library.folded.sets.insert(id.to_owned());
    }
    let own = (1..=16).map(|n| task(&format!("own-{n}"), "Onboarding", TaskKind::Replication));
    push_set(state, "own", "Own samples", own.collect());
    state.library.folded.sets.insert("own".to_owned());
}

fn push_set(state: &mut State, id: &str, name: &str, tasks: Vec<Task>) {
    let set = TaskSet {
        id: id.to_owned(),
        name: name.to_owned(),
        dir: PathBuf::from("/samples").join(id),
        tasks: tasks.into_iter().map(Arc::new).collect(),
    };
    state.library.sets.push(LibrarySet::new(Arc::new(set), Vec::new()));
}

fn task(id: &str, category: &str, kind: TaskKind) -> Task {
    Task {
        id: id.to_owned(),
        environment: EnvironmentKind::Canvas,
        kind,
        instruction: "Recreate the screen in the picture as a Figma design: same layout, same \
                      text, same colours. Name your layers."
            .to_owned(),
        start: None,
        ground_truth: Some(Artifact { document: None, picture: Some(PathBuf::from("gt.png")) }),
        canvas_size: Some(Size { width: f64::from(WIDTH), height: f64::from(HEIGHT) }),
        reference_tools: Vec::new(),
        reference_plan: None,
        category: Some(category.to_owned()).filter(|category| !category.is_empty()),
        difficulty: None,
        tags: Vec::new(),
        checks: None,
        brief: None,
        given: Vec::new(),
    }
}

fn add_runs(state: &mut State) {
    let agents = [
        ("gemini-2.5-pro", RunState::Finished, 0.649),
        ("gpt-4.1", RunState::Finished, 0.669),
        ("gpt-4o", RunState::Finished, 0.650),
        ("claude-3-5-sonnet", RunState::Failed("the model gave no answer".to_owned()), 0.521),
        ("gemini-2.5-flash", RunState::Interrupted, 0.734),
        ("tracer", RunState::Live, 0.831),
    ];
    for (index, (name, run_state, last)) in agents.into_iter().enumerate() {
        add_run(state, "gid11-16", name, run_state, index as f64 * 0.7, last);
    }
    for task in ["gid1-22", "gid6-27", "gid28-1", "gid68-81"] {
        for (index, name) in ["gpt-4.1", "gpt-4o", "tracer"].into_iter().enumerate() {
            add_run(state, task, name, RunState::Finished, index as f64, 0.7);
        }
        state.library.folded.tasks.insert(task_ref(task));
    }
    let run = Arc::new(run(&state.library.runs[&RUN].manifest));
    if let Some(entry) = state.library.runs.get_mut(&RUN) {
        let curve = CURVE.iter().map(|value| Some(Score::Value(*value))).collect();
        entry.curves = Curves::of_one(PrimaryMetric::Similarity.variant(), curve);
        entry.loaded = Some(run);
    }
}

fn add_run(state: &mut State, task: &str, name: &str, run_state: RunState, phase: f64, last: f64) {
    let id = RunId(state.library.next_run);
    state.library.next_run += 1;
    let curve = (0..20).map(|step| {
        let wave = (f64::from(step) * 0.6 + phase).sin() * 0.05;
        Some(Score::Value(last + wave * (1.0 - f64::from(step) / 19.0)))
    });
    let run = LibraryRun {
        manifest: manifest(task, name, &run_state),
        task: task_ref(task),
        dir: PathBuf::from(format!("/home/someone/pentimento/runs/replication/{task}/{name}-01")),
        loaded: None,
        steps: STEPS,
        state: run_state,
        job: None,
        pause: Pause::No,
        answering: None,
        last_score: Some(Score::Value(last)),
        last_scores: std::collections::BTreeMap::new(),
        is_torn: false,
        digest: pentimento::workbench::DigestState::default(),
        curves: Curves::of_one(PrimaryMetric::Similarity.variant(), curve.collect()),
    };
    state.library.runs.insert(id, run);
}

fn manifest(task: &str, name: &str, run_state: &RunState) -> Manifest {
    Manifest {
        format: FORMAT.to_owned(),
        version: 1,
        id: format!("{name}-{task}"),
        task: task_ref(task),
        environment: EnvironmentKind::Canvas,
        agent: AgentRef { kind: "model".to_owned(), name: name.to_owned(), version: None },
        mode: "multi_turn".to_owned(),
        compat: None,
        canvas_size: None,
        start: None,
        given: Vec::new(),
        parent: None,
        imported: None,
        settings: json!({ "max_turns": 50 }).as_object().cloned().unwrap_or_default(),
        started: "2026-03-14T09:26:53Z".to_owned(),
        finished: None,
        outcome: match run_state {
            RunState::Live | RunState::Interrupted => Outcome::Running,
            RunState::Failed(why) => Outcome::Failed(why.clone()),
            _ => Outcome::Completed,
        },
        totals: Totals {
            turns: 14,
            calls: 26,
            failures: 1,
            input_tokens: 48_210,
            output_tokens: 6_312,
            cost_usd: None,
            seconds: 94.0,
            providers: None,
        },
    }
}

/// Tools in order, with the kind of work each does.
const CALLS: [(&str, ToolCategory); 26] = [
    ("create_frame", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("create_text", ToolCategory::Text),
    ("create_rectangle", ToolCategory::Creation),
    ("create_ellipse", ToolCategory::Creation),
    ("set_fill_color", ToolCategory::Style),
    ("create_rectangle", ToolCategory::Creation),
    ("set_text_content", ToolCategory::Text),
    ("create_rectangle", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("set_corner_radius", ToolCategory::Style),
    ("move_node", ToolCategory::Operation),
    ("create_rectangle", ToolCategory::Creation),
    ("create_rectangle", ToolCategory::Creation),
    ("get_node_info", ToolCategory::Inspection),
    ("set_layout_mode", ToolCategory::Layout),
    ("set_text_content", ToolCategory::Text),
    ("create_rectangle", ToolCategory::Creation),
    ("set_fill_color", ToolCategory::Style),
    ("create_rectangle", ToolCategory::Creation),
    ("set_text_content", ToolCategory::Text),
    ("group_nodes", ToolCategory::Operation),
    ("set_stroke", ToolCategory::Style),
    ("get_result_image", ToolCategory::Inspection),
];

fn run(manifest: &Manifest) -> Run {
    let steps: Vec<Step> =
        CALLS.iter().enumerate().map(|(index, call)| step(index, *call)).collect();
    let turns = (0..13).map(|turn| Turn {
        number: turn + 1,
        thought: "The transactions should form an even list. I'll switch the list to a vertical \
                  auto layout so that its rows keep the same distance."
            .to_owned(),
        first_step: turn as usize * 2,
        step_count: 2,
        usage: Some(Usage { input_tokens: 1_004, output_tokens: 200, cost_usd: None }),
        seconds: Some(3.1),
        observation: None,
    });
    Run {
        manifest: manifest.clone(),
        origin: RunOrigin::Recorded { dir: PathBuf::from("/runs/gpt-4.1-01") },
        turns: turns.collect(),
        steps: steps.into(),
        notes: Vec::new(),
        torn: None,
        plan: None,
    }
}

fn step(index: usize, (name, category): (&str, ToolCategory)) -> Step {
    let failed = index == 21;
    let arguments = match name {
        "set_layout_mode" => {
            json!({ "nodeId": "1:42", "layoutMode": "VERTICAL", "layoutWrap": "NO_WRAP" })
        }
        "create_rectangle" => json!({
            "x": 24, "y": 180, "width": 345, "height": 72, "name": "Transaction row",
            "parentId": "1:2", "fillColor": { "r": 0.32, "g": 0.18, "b": 0.86, "a": 1 },
        }),
        _ => json!({ "nodeId": "1:42", "text": "Transaction report" }),
    };
    let failure = failed.then(|| ToolFailure {
        class: FailureClass::UnknownNode,
        message: "no node has the id \"1:99\": use get_page_structure to see the ids there are"
            .to_owned(),
    });
    Step {
        number: index as u32 + 1,
        turn: index as u32 / 2 + 1,
        call: Some(ToolCall { id: format!("call_{index}"), name: name.to_owned(), arguments }),
        category,
        outcome: Some(StepOutcome {
            text: if failed {
                String::new()
            } else {
                "Set the layout of \"Transactions\"".to_owned()
            },
            structured: (!failed).then(|| json!({ "id": "1:42", "name": "Transactions" })),
            image: None,
            failure,
            latency_ms: 4.0,
        }),
    }
}

fn add_pictures(state: &mut State) {
    let truth = screen(STEPS, false);
    for step in 0..=STEPS {
        let picture = screen(step, true);
        if step == 18 {
            put_map(state, step, map(&whole(&truth), &whole(&picture)));
        }
        let small = thumbnail(&whole(&picture));
        let small = bare(small);
        put(state, PictureKey::Thumbnail(RUN, step), small);
        put(state, PictureKey::Step(RUN, step), picture);
    }
    for step in [17, 19, 22] {
        put_map(state, step, map(&whole(&truth), &whole(&screen(step, true))));
    }
    put(state, PictureKey::GroundTruth(task_ref("gid11-16")), truth);
    let blank = Pixels::filled(WIDTH, HEIGHT, [255; 4]).expect("not empty");
    put(state, PictureKey::Start(task_ref("gid11-16")), bare(blank));
}

fn put_map(state: &mut State, step: u32, map: ScalarMap) {
    state.derived.maps.insert(map_key(step), Fetched::Ready(Arc::new(map)));
}

fn map_key(step: u32) -> MapKey {
    MapKey::of(RUN, step, PrimaryMetric::Similarity.variant())
}

/// A picture of which nothing more is known.
pub(crate) fn bare(pixels: Pixels) -> StagePicture {
    StagePicture {
        pixels: pixels.into(),
        reduced: Arc::default(),
        nodes: Arc::from([]),
        diagnostics: Vec::new(),
        documents: None,
    }
}

pub(crate) fn put(state: &mut State, key: PictureKey, picture: StagePicture) {
    state.derived.pictures.insert(key, Fetched::Ready(Arc::new(picture)));
}

/// A part of the screen: from which step on it is there, its name, its box, radius and colour.
type Part = (u32, &'static str, [f64; 4], f64, u32);

const PARTS: [Part; 14] = [
    (1, "Screen", [0.0, 0.0, 393.0, 852.0], 0.0, 0xFBFCFA),
    (2, "Header", [0.0, 0.0, 393.0, 260.0], 0.0, 0x4A20D8),
    (3, "Title", [56.0, 46.0, 170.0, 16.0], 4.0, 0xE9E4FF),
    (4, "Card", [30.0, 108.0, 333.0, 200.0], 18.0, 0x1E6EF5),
    (5, "Card holder", [50.0, 134.0, 120.0, 18.0], 4.0, 0xFFFFFF),
    (6, "Card number", [50.0, 214.0, 210.0, 12.0], 4.0, 0xCFE0FF),
    (7, "Balance", [50.0, 244.0, 110.0, 18.0], 4.0, 0xFFFFFF),
    (8, "Brand", [300.0, 258.0, 44.0, 18.0], 4.0, 0xFFFFFF),
    (9, "Today", [34.0, 330.0, 44.0, 10.0], 3.0, 0x9A9FA8),
    (10, "Transaction row 1", [34.0, 352.0, 40.0, 40.0], 12.0, 0x5A3FF0),
    (12, "Transaction row 2", [34.0, 430.0, 40.0, 40.0], 12.0, 0xF04F6B),
    (14, "Transaction row 3", [34.0, 508.0, 40.0, 40.0], 12.0, 0x1E88F5),
    (16, "Transaction row 4", [34.0, 586.0, 40.0, 40.0], 12.0, 0xF5B02E),
    (20, "Transaction row 5", [34.0, 664.0, 40.0, 40.0], 12.0, 0x3FC9B0),
];

/// The screen after a step. The run draws its rows closer together than the ground truth has them.
fn screen(step: u32, drawn: bool) -> StagePicture {
    let mut painting = Painting::new();
    let mut nodes = Vec::new();
    for (from, name, [x, y, width, height], radius, color) in PARTS {
        if step < from {
            continue;
        }
        let row = name.starts_with("Transaction");
        let y = if drawn && step >= 18 && y > 320.0 { 320.0 + (y - 320.0) * 0.62 } else { y };
        let y = if drawn && name == "Card" { y + 6.0 } else { y };
        let area = Rect { x, y, width, height };
        painting.fill(area, radius, color);
        if row {
            let title = Rect { x: x + 54.0, y: y + 6.0, width: 110.0, height: 11.0 };
            let detail = Rect { x: x + 54.0, y: y + 24.0, width: 70.0, height: 8.0 };
            let amount = Rect { x: 316.0, y: y + 12.0, width: 46.0, height: 11.0 };
            painting.fill(title, 3.0, 0x2A2C33);
            painting.fill(detail, 3.0, 0xB4B8C0);
            painting.fill(amount, 3.0, if from % 4 == 0 { 0x3A52E0 } else { 0xE04F5F });
        }
        let pixel_box = if row { Rect { x, y, width: 328.0, height: 44.0 } } else { area };
        nodes.push(NodeBox {
            id: format!("1:{}", 30 + nodes.len()),
            name: name.to_owned(),
            kind: "FRAME".to_owned(),
            pixel_box,
        });
    }
    let list = Rect { x: 24.0, y: 340.0, width: 345.0, height: 380.0 };
    nodes.insert(
        0,
        NodeBox {
            id: "1:42".to_owned(),
            name: "Transactions".to_owned(),
            kind: "FRAME".to_owned(),
            pixel_box: list,
        },
    );
    StagePicture { nodes: nodes.into(), ..bare(painting.finish()) }
}

struct Painting(Vec<u8>);

impl Painting {
    fn new() -> Self {
        Self([0xFF, 0xFF, 0xFF, 0xFF].repeat((WIDTH * HEIGHT) as usize))
    }

    fn fill(&mut self, area: Rect, radius: f64, color: u32) {
        let [_, r, g, b] = color.to_be_bytes();
        for y in area.y as u32..(area.bottom() as u32).min(HEIGHT) {
            for x in area.x as u32..(area.right() as u32).min(WIDTH) {
                if inside(area, radius, f64::from(x) + 0.5, f64::from(y) + 0.5) {
                    let at = ((y * WIDTH + x) * 4) as usize;
                    self.0[at..at + 4].copy_from_slice(&[r, g, b, 255]);
                }
            }
        }
    }

    fn finish(self) -> Pixels {
        Pixels::from_rgba(WIDTH, HEIGHT, self.0).expect("as many bytes as pixels")
    }
}

fn inside(area: Rect, radius: f64, x: f64, y: f64) -> bool {
    let dx = (area.x + radius - x).max(x - (area.right() - radius)).max(0.0);
    let dy = (area.y + radius - y).max(y - (area.bottom() - radius)).max(0.0);
    dx * dx + dy * dy <= radius * radius + 1e-9
}

fn whole(picture: &StagePicture) -> Pixels {
    picture.pixels.unpacked().expect("it was packed by nobody")
}

fn thumbnail(pixels: &Pixels) -> Pixels {
    let (width, height) = (pixels.width() / 9, pixels.height() / 9);
    let rgba = (0..height)
        .flat_map(|y| {
            (0..width).flat_map(move |x| pixels.get(x * 9 + 4, y * 9 + 4).unwrap_or([0; 4]))
        })
        .collect();
    Pixels::from_rgba(width, height, rgba).expect("as many bytes as pixels")
}

/// Something that looks like the map of a local metric: one where equal, low near edges that moved.
fn map(a: &Pixels, b: &Pixels) -> ScalarMap {
    let differs = |x: i64, y: i64| {
        let (x, y) = (x.clamp(0, i64::from(WIDTH) - 1), y.clamp(0, i64::from(HEIGHT) - 1));
        let (a, b) = (a.get(x as u32, y as u32), b.get(x as u32, y as u32));
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        (0..3).map(|c| f32::from(a[c].abs_diff(b[c]))).sum::<f32>() / 765.0
    };
    let values = (0..i64::from(HEIGHT)).flat_map(|y| {
        (0..i64::from(WIDTH)).map(move |x| {
            let around = [(0, 0), (3, 0), (-3, 0), (0, 3), (0, -3), (2, 2), (-2, -2)];
            let sum: f32 = around.iter().map(|(dx, dy)| differs(x + dx, y + dy)).sum();
            1.0 - (sum / 7.0 * 1.6).min(1.0)
        })
    });
    ScalarMap { width: WIDTH, height: HEIGHT, values: values.collect() }
}

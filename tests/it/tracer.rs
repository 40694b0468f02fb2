//! The tracer on the real canvas, over real and hostile pictures.

mod held_out;

use std::path::Path;

use pentimento::agent::tracer::Tracer;
use pentimento::agent::{Agent as _, AgentView, NoLog};
use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{
    Environment, EnvironmentKind, PictureRequest, StartState, ToolCall, ToolOutcome,
    open_environment,
};
use pentimento::metric::ssim::SsimUniform7;
use pentimento::run::TaskRef;
use pentimento::task;
use serde_json::Value;

use crate::shared;

fn task_ref() -> TaskRef {
    TaskRef { set: "s".into(), id: "t".into() }
}

/// What a run came to.
struct Drawn {
    /// Calls of each turn with their outcomes.
    turns: Vec<Vec<(ToolCall, ToolOutcome)>>,
    picture: Pixels,
    document: Value,
}

impl Drawn {
    fn calls(&self) -> impl Iterator<Item = &(ToolCall, ToolOutcome)> {
        self.turns.iter().flatten()
    }

    fn failures(&self) -> Vec<&str> {
        self.calls().filter(|(_, o)| o.is_error()).map(|(_, o)| o.text.as_str()).collect()
    }

    fn nodes(&self) -> usize {
        count_nodes(&self.document["document"])
    }
}

fn count_nodes(node: &Value) -> usize {
    1 + node["children"].as_array().map_or(0, |c| c.iter().map(count_nodes).sum())
}

/// Lets the tracer draw `picture` on an empty canvas of its size, to the end.
fn draw(picture: &Pixels, size: Size) -> Drawn {
    draw_on(None, picture, size)
}

/// Lets the tracer bring what is on the canvas to `picture`, to the end.
fn draw_on(document: Option<Value>, picture: &Pixels, size: Size) -> Drawn {
    let start = StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: size,
        document,
        pictures: None,
        given: Vec::new(),
        compat: None,
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: pentimento::environment::FontSource::default(),
    };
    let mut environment = open_environment(&start).unwrap();
    let tools = environment.tools().to_vec();
    let main_frame = environment.document_json()["document"]["id"].as_str().unwrap().to_owned();
    let mut agent = Tracer::new();
    let mut turns: Vec<Vec<(ToolCall, ToolOutcome)>> = Vec::new();
    for turn in 1..=50 {
        let view = AgentView {
            task: &task_ref(),
            turn,
            instruction: "Draw the screen.",
            ground_truth: Some(picture),
            canvas_size: size,
            query: None,
            input_pictures: &[],
            main_frame: &main_frame,
            tools: &tools,
            last_turn: turns.last().map_or(&[], Vec::as_slice),
        };
        let answer = agent.next_turn(&view, &mut NoLog, &CancelToken::new()).unwrap();
        assert!(!answer.thought.is_empty(), "turn {turn} has no thought");
        if answer.calls.is_empty() {
            break;
        }
        let answered = answer.calls.into_iter().map(|call| {
            let outcome = environment.call(&call, &CancelToken::default());
            (call, outcome)
        });
        turns.push(answered.collect());
    }
    finished(&*environment, turns)
}

fn finished(environment: &dyn Environment, turns: Vec<Vec<(ToolCall, ToolOutcome)>>) -> Drawn {
    let picture = environment.picture(&PictureRequest::default()).unwrap().pixels;
    Drawn { turns, picture, document: environment.document_json() }
}

/// What holds for every picture.
fn check(drawn: &Drawn, name: &str) {
    assert_eq!(drawn.failures(), Vec::<&str>::new(), "{name}");
    assert!(drawn.nodes() <= 150, "{name}: {} nodes", drawn.nodes());
    assert!(drawn.turns.len() <= 12, "{name}: {} turns", drawn.turns.len());
}

fn ssim(target: &Path, drawn: &Pixels) -> f64 {
    let target = Pixels::open(target).unwrap();
    SsimUniform7::score(&target, drawn, &CancelToken::new()).value().unwrap()
}

#[test]
fn real_screens_are_drawn_near_to_the_picture_within_the_rules() {
    let Some(dir) = shared::path("data/canvas-samples/replication") else { return };
    let opened = task::open(&dir).unwrap();
    let mut scores = Vec::new();
    for task in &opened.sets[0].0.tasks {
        let input = task.agent_input().unwrap();
        let drawn = draw(&input.picture.unwrap(), input.canvas_size);
        check(&drawn, &task.id);
        assert!(drawn.turns.len() >= 4, "{}: {} turns", task.id, drawn.turns.len());
        let target = task.ground_truth.as_ref().unwrap().picture.as_ref().unwrap();
        scores.push(ssim(target, &drawn.picture));
        let (nodes, turns) = (drawn.nodes(), drawn.turns.len());
        println!(
            "{:12} SSIM {:.4}, {nodes} nodes, {turns} turns",
            task.id,
            scores[scores.len() - 1]
        );
        if let Some(out) = std::env::var_os("TRACER_PICTURES") {
            drawn.picture.save_png(&Path::new(&out).join(format!("{}.png", task.id))).unwrap();
        }
        assert!(median_box_area(&drawn) >= 60.0, "{}: a mosaic", task.id);
    }
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    println!("mean SSIM {mean:.4}");
    assert!(scores.len() == 5 && mean > 0.95, "mean SSIM {mean:.4}");
}

/// The median area of the rectangles it made, in square units.
fn median_box_area(drawn: &Drawn) -> f64 {
    let boxes = drawn.calls().filter(|(call, _)| call.name == "create_rectangle");
    let side = |call: &ToolCall, key: &str| call.arguments[key].as_f64().unwrap();
    let mut areas: Vec<f64> =
        boxes.map(|(call, _)| side(call, "width") * side(call, "height")).collect();
    areas.sort_by(f64::total_cmp);
    areas.get(areas.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// A picture whose pixels follow from their place.
fn picture(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 4]) -> Pixels {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba = places.flat_map(|(x, y)| colour(x, y)).collect::<Vec<u8>>();
    Pixels::from_rgba(width, height, rgba).unwrap()
}

/// A stable stand-in for noise.
fn noise(x: u32, y: u32, seed: u32) -> u8 {
    let mixed = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed;
    (mixed.wrapping_mul(0xC2B2_AE3D) >> 24) as u8
}

#[test]
fn hostile_pictures_are_drawn_without_a_failure() {
    let opaque = |v: u8| [v, v, v, 255];
    let pictures = [
        ("one pixel", picture(1, 1, |_, _| [200, 10, 10, 255])),
        ("one column", picture(1, 300, |_, y| opaque((y % 256) as u8))),
        ("transparent", picture(60, 40, |_, _| [0, 0, 0, 0])),
        ("noise", picture(160, 120, |x, y| [noise(x, y, 1), noise(x, y, 2), noise(x, y, 3), 255])),
        ("gradient", picture(120, 200, |x, y| [x as u8, (y % 256) as u8, 128, 255])),
        (
            "chequers",
            picture(90, 90, |x, y| opaque(if (x / 3 + y / 3) % 2 == 0 { 0 } else { 255 })),
        ),
        ("stripes", picture(80, 80, |x, _| opaque(if x % 2 == 0 { 0 } else { 255 }))),
        (
            "rings",
            picture(100, 100, |x, y| {
                opaque(((x.wrapping_sub(50) ^ y.wrapping_sub(50)) % 256) as u8)
            }),
        ),
    ];
    for (name, picture) in pictures {
        let size = Size::new(f64::from(picture.width()), f64::from(picture.height()));
        check(&draw(&picture, size), name);
    }
}

#[test]
fn the_same_picture_gives_the_same_calls() {
    let screen = picture(120, 90, |x, y| {
        let inside = (20..100).contains(&x) && (15..60).contains(&y);
        if inside { [30, 90, 220, 255] } else { [250, 250, 250, 255] }
    });
    let size = Size::new(120.0, 90.0);
    let (a, b) = (draw(&screen, size), draw(&screen, size));
    assert_eq!(a.turns, b.turns);
    assert!(a.document == b.document && a.picture == b.picture);
    let wanted = SsimUniform7::score(&screen, &a.picture, &CancelToken::new()).value().unwrap();
    assert!(wanted > 0.99, "a plain card: {wanted}");
}

#[test]
fn a_task_without_a_picture_is_refused_with_the_reason() {
    let view = AgentView {
        task: &task_ref(),
        turn: 1,
        instruction: "",
        ground_truth: None,
        canvas_size: Size::new(10.0, 10.0),
        query: None,
        input_pictures: &[],
        main_frame: "1:2",
        tools: &[],
        last_turn: &[],
    };
    let error = Tracer::new().next_turn(&view, &mut NoLog, &CancelToken::new()).unwrap_err();
    assert!(error.to_string().contains("a picture"), "{error}");
}

#[test]
fn a_canvas_that_lacks_a_tool_it_uses_is_refused_at_the_start() {
    let target = picture(64, 48, |x, y| match (x, y) {
        (8..40, 8..30) => [200, 40, 40, 255],
        (44..60, 10..26) => [30, 60, 200, 255],
        _ => [240, 240, 236, 255],
    });
    let drawn = draw(&target, Size::new(64.0, 48.0));
    let used: std::collections::BTreeSet<&str> =
        drawn.calls().map(|(call, _)| call.name.as_str()).collect();
    assert!(used.contains("get_page_structure") && used.len() > 3, "{used:?}");
    let start = StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: Size::new(64.0, 48.0),
        document: None,
        pictures: None,
        given: Vec::new(),
        compat: None,
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: pentimento::environment::FontSource::default(),
    };
    let environment = open_environment(&start).unwrap();
    for missing in used {
        let tools: Vec<_> =
            environment.tools().iter().filter(|tool| tool.name != missing).cloned().collect();
        let view = AgentView {
            task: &task_ref(),
            turn: 1,
            instruction: "Draw the screen.",
            ground_truth: Some(&target),
            canvas_size: Size::new(64.0, 48.0),
            query: None,
            input_pictures: &[],
            main_frame: "1:1",
            tools: &tools,
            last_turn: &[],
        };
        let error = Tracer::new().next_turn(&view, &mut NoLog, &CancelToken::new()).unwrap_err();
        assert!(error.to_string().contains("drawing tools"), "{missing}: {error}");
    }
}

#[test]
fn a_stopped_tracer_says_so() {
    let picture = picture(40, 40, |x, _| [x as u8, 0, 0, 255]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let view = AgentView {
        task: &task_ref(),
        turn: 1,
        instruction: "",
        ground_truth: Some(&picture),
        canvas_size: Size::new(40.0, 40.0),
        query: None,
        input_pictures: &[],
        main_frame: "1:2",
        tools: &[],
        last_turn: &[],
    };
    let error = Tracer::new().next_turn(&view, &mut NoLog, &cancel).unwrap_err();
    assert_eq!(error.to_string(), "stopped");
}

/// The ids of all nodes, by kind.
fn ids(node: &Value, out: &mut Vec<String>) {
    out.extend(node["id"].as_str().map(ToOwned::to_owned));
    for child in node["children"].as_array().into_iter().flatten() {
        ids(child, out);
    }
}

fn ids_of(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    ids(&document["document"], &mut found);
    found
}

/// The document that a shipped task begins with, as a canvas has it, and its picture.
fn start_of(task: &task::Task) -> (Value, Pixels, Size) {
    let input = task.agent_input().unwrap();
    let start = task.start.as_ref().unwrap().document.as_ref().unwrap();
    let document: Value = serde_json::from_slice(&std::fs::read(start).unwrap()).unwrap();
    let start = StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: input.canvas_size,
        document: Some(document.clone()),
        pictures: None,
        given: Vec::new(),
        compat: None,
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: pentimento::environment::FontSource::default(),
    };
    let environment = open_environment(&start).unwrap();
    let picture = environment.picture(&PictureRequest::default()).unwrap().pixels;
    (document, picture, input.canvas_size)
}

fn shipped_modifications() -> Vec<std::sync::Arc<task::Task>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/taskset.json");
    let tasks = task::open(&dir).unwrap().sets[0].0.tasks.clone();
    tasks.into_iter().filter(|task| task.start.is_some()).collect()
}

#[test]
fn a_start_is_changed_where_it_differs_and_otherwise_left() {
    let tasks = shipped_modifications();
    assert_eq!(tasks.len(), 6);
    for task in tasks {
        let (document, before, size) = start_of(&task);
        let input = task.agent_input().unwrap();
        let drawn = draw_on(Some(document.clone()), &input.picture.unwrap(), size);
        check(&drawn, &task.id);
        let (was, is) = (ids_of(&document), ids_of(&drawn.document));
        let gone: Vec<&String> = was.iter().filter(|id| !is.contains(id)).collect();
        assert!(gone.is_empty(), "{}: {gone:?} are gone", task.id);
        let target = task.ground_truth.as_ref().unwrap().picture.as_ref().unwrap();
        let (left, done) = (ssim(target, &before), ssim(target, &drawn.picture));
        println!("{:16} SSIM {left:.4} -> {done:.4}, {} calls", task.id, drawn.calls().count());
        assert!(done > left && done > 0.99, "{}: {left:.4} -> {done:.4}", task.id);
    }
}

#[test]
fn a_start_that_is_as_it_should_be_is_only_looked_at() {
    for task in shipped_modifications().iter().take(1) {
        let (document, picture, size) = start_of(task);
        let drawn = draw_on(Some(document), &picture, size);
        let looks = ["get_page_structure", "get_result_image", "get_node_info"];
        let others: Vec<&str> = drawn
            .calls()
            .map(|(call, _)| call.name.as_str())
            .filter(|n| !looks.contains(n))
            .collect();
        assert!(others.is_empty(), "{}: {others:?}", task.id);
    }
}

#[test]
fn a_start_that_has_nothing_to_do_with_the_picture_is_drawn_over_without_a_failure() {
    let task = &shipped_modifications()[0];
    let (document, _, size) = start_of(task);
    let [width, height] = [size.width, size.height].map(|side| side as u32);
    let noisy = picture(width, height, |x, y| [noise(x, y, 1), noise(x, y, 2), 90, 255]);
    let drawn = draw_on(Some(document.clone()), &noisy, size);
    assert_eq!(drawn.failures(), Vec::<&str>::new());
    let small = picture(40, 60, |x, _| [x as u8 * 6, 200, 90, 255]);
    let drawn = draw_on(Some(document), &small, size);
    assert_eq!(drawn.failures(), Vec::<&str>::new());
}

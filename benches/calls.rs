//! Tool calls on a design that grows with them, against the clock; and what it takes to remember the
//! state after each of many calls.

use std::hint::black_box;

use criterion::Criterion;
use pentimento::base::{CancelToken, Size};
use pentimento::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use pentimento::environment::{Environment as _, Snapshot, ToolCall};
use serde_json::{Value, json};

/// Calls of a run whose every state is remembered.
const LONG_RUN: usize = 10_000;

/// The design at the end of a run, and after each call.
type Run = (Option<CanvasEnvironment>, Vec<Snapshot>);

/// An empty screen.
fn blank() -> Option<CanvasEnvironment> {
    let start = Start::Blank(Size::new(393.0, 852.0));
    CanvasEnvironment::new(start, CanvasSettings::default()).ok()
}

/// Makes a call; gives the id of the node it made, if it made one.
fn call(canvas: &mut CanvasEnvironment, name: &str, arguments: Value) -> Option<String> {
    let call = ToolCall { id: String::new(), name: name.to_owned(), arguments };
    let outcome = canvas.call(&call, &CancelToken::default());
    assert!(!outcome.is_error(), "{}", outcome.text);
    outcome.structured?.get("id")?.as_str().map(str::to_owned)
}

/// The nodes that calls go on about.
#[derive(Default)]
struct Hands {
    card: Option<String>,
    last: Option<String>,
}

impl Hands {
    /// The `n`th call of a run that builds cards: four in eight make a node, the others change the
    /// last one.
    fn make_call(&mut self, canvas: &mut CanvasEnvironment, n: usize) {
        let (x, y) = ((n / 8 % 4 * 98) as f64, (n / 32 * 13 % 840) as f64);
        let (card, last) = (&self.card, &self.last);
        match n % 8 {
            0 => {
                let arguments = json!({"x": x, "y": y, "width": 90, "height": 60, "name": "Card"});
                self.card = call(canvas, "create_frame", arguments);
            }
            1 | 4 => {
                let arguments = json!({"x": x + 4.0, "y": y + 4.0, "width": 30, "height": 20,
                    "name": "Picture", "parentId": card});
                self.last = call(canvas, "create_rectangle", arguments);
            }
            2 => {
                let arguments = json!({"nodeId": last, "r": 0.2, "g": 0.4, "b": 0.9, "a": 1});
                call(canvas, "set_fill_color", arguments);
            }
            3 => {
                let arguments = json!({"x": x + 6.0, "y": y + 30.0, "width": 60, "height": 16,
                    "text": format!("Item {n}"), "fontSize": 12, "name": "Title",
                    "parentId": card});
                self.last = call(canvas, "create_text", arguments);
            }
            5 => {
                call(canvas, "set_corner_radius", json!({"nodeId": last, "radius": 4}));
            }
            6 => {
                call(canvas, "move_node", json!({"nodeId": last, "x": x + 9.0, "y": y + 9.0}));
            }
            _ => {
                let arguments = json!({"nodeId": last, "newName": format!("Title {n}")});
                call(canvas, "rename_node", arguments);
            }
        }
    }
}

/// A run of so many calls, with the state after each.
fn run(calls: usize) -> Run {
    let (mut hands, mut states) = (Hands::default(), Vec::with_capacity(calls));
    let mut canvas = blank();
    for n in 0..calls {
        let Some(canvas) = &mut canvas else { continue };
        hands.make_call(canvas, n);
        states.push(canvas.snapshot());
    }
    (canvas, states)
}

/// Megabytes of this process in memory, where the system says.
fn resident_megabytes() -> Option<f64> {
    const PAGE_BYTES: f64 = 4096.0;
    let figures = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = figures.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES / 1e6)
}

/// A run of so many calls that put everything into one frame, with the state after each.
fn flat_run(calls: usize) -> Run {
    let (mut canvas, mut states) = (blank(), Vec::with_capacity(calls));
    let frame = json!({"x": 0, "y": 0, "width": 390, "height": 840, "name": "Screen"});
    let frame = canvas.as_mut().and_then(|canvas| call(canvas, "create_frame", frame));
    for n in 0..calls {
        let Some(canvas) = &mut canvas else { continue };
        let arguments = json!({"x": n % 300, "y": n / 300 * 20, "width": 30, "height": 20,
            "name": "Dot", "parentId": frame});
        call(canvas, "create_rectangle", arguments);
        states.push(canvas.snapshot());
    }
    (canvas, states)
}

#[expect(clippy::print_stdout, reason = "a bench tells its figure")]
fn remember_every_state(run: impl Fn(usize) -> Run) -> Run {
    run(16); // Fonts and tables are there before the figure is taken.
    let before = resident_megabytes();
    let (canvas, states) = run(LONG_RUN);
    let nodes = canvas.as_ref().map_or(0, |canvas| canvas.document().len());
    if let (Some(before), Some(after)) = (before, resident_megabytes()) {
        let took = after - before;
        println!("{} states of up to {nodes} nodes take {took:.1} MB", states.len());
    }
    (canvas, states)
}

fn main() {
    // Both are kept until both are measured: memory given back would count for the second.
    let kept = [remember_every_state(run), remember_every_state(flat_run)];
    drop(kept);
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    criterion.bench_function("1,000 tool calls with a snapshot each", |bencher| {
        bencher.iter(|| black_box(run(1_000)));
    });
    criterion.final_summary();
}

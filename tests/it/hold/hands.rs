//! Nodes dragged on the canvas: how long from what the pointer did until the shapes of the window are there; and how
//! much memory very many nodes take.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2, vec2};

use pentimento::base::{Affine, Rgba, Size};
use pentimento::design::{Document, Node, NodeId, NodeKind, Paint, figma};
use pentimento::editor::{Act, SelectAct};
use pentimento::ui::{self, CommandQueue, ViewContext, Window};
use pentimento::workbench::{AssistCommand, Command, State, handle};

use super::frames::{forget_peak, memory};
use crate::window::assist_state;

/// Moves of a drag.
const MOVES: usize = 200;

#[test]
#[ignore = "a measurement: cargo test --release --test it hold::hands -- --ignored --nocapture"]
fn two_hundred_of_two_thousand_nodes_follow_the_pointer() {
    measure(2_000, 200, Duration::from_millis(33));
}

#[test]
#[ignore = "a measurement: cargo test --release --test it hold::hands -- --ignored --nocapture"]
fn two_hundred_of_three_hundred_nodes_follow_the_pointer() {
    measure(300, 200, Duration::from_millis(16));
}

/// Of a design whose file was read, and at most while it is read; the process's own is what there was before.
#[test]
#[ignore = "a measurement: cargo test --release --test it hold::hands -- --ignored --nocapture"]
fn the_memory_of_three_hundred_thousand_nodes() {
    let nodes = 300_000;
    // Written down without a design in memory, which would leave room for the next one behind.
    let mut file = r#"{"id":"screen","name":"Screen","type":"FRAME","children":["#.to_owned();
    for n in 0..nodes {
        let (comma, x, y) = (if n > 0 { "," } else { "" }, n % 50 * 12, n / 50 * 12);
        write!(
            file,
            r#"{comma}{{"id":"n{n}","name":"n{n}","type":"RECTANGLE",
            "absoluteBoundingBox":{{"x":{x},"y":{y},"width":9,"height":9}},
            "fills":[{{"type":"SOLID","blendMode":"NORMAL","color":{{"r":0,"g":0,"b":0,"a":1}}}}]}}"#
        )
        .unwrap();
    }
    file.push_str(r#"],"absoluteBoundingBox":{"x":0,"y":0,"width":600,"height":500}}"#);
    let before = memory("VmRSS");
    forget_peak();
    let json = serde_json::from_str(&file).unwrap();
    let loaded = figma::from_json(json).unwrap();
    let [kept, most] = ["VmRSS", "VmHWM"].map(|name| memory(name).saturating_sub(before));
    println!(
        "{nodes} nodes of a file of {} MB: {kept} MB, {most} MB at most while it is read",
        file.len() >> 20
    );
    // The screen itself is one more.
    assert_eq!(loaded.document.len(), nodes + 1);
}

fn measure(nodes: usize, dragged: usize, hold: Duration) {
    let mut desk = Desk::new(nodes);
    let ids: Vec<NodeId> = (0..dragged).map(|n| NodeId::from(format!("n{n}").as_str())).collect();
    desk.act(Act::Select(SelectAct::Only(ids)));
    desk.frame(Vec::new());
    desk.frame(Vec::new());
    let start = desk.place_of("n0");
    desk.frame(vec![Event::PointerMoved(start)]);
    desk.frame(vec![button(start, true)]);
    let mut spent = Vec::new();
    for at in 0..MOVES {
        let way = vec2(at as f32 * 0.7 + 6.0, (at % 40) as f32);
        let began = Instant::now();
        // What the pointer did is done once the first frame is drawn; the next one shows it.
        desk.frame(vec![Event::PointerMoved(start + way)]);
        desk.frame(Vec::new());
        spent.push(began.elapsed());
    }
    let end = start + vec2(146.0, 39.0);
    desk.frame(vec![button(end, false)]);
    let editor = &desk.state.assist.desk.as_ref().unwrap().editor;
    assert_eq!(editor.steps(), 1, "it was moved");
    spent.sort_unstable();
    let [median, late, most] = [MOVES / 2, MOVES * 99 / 100, MOVES - 1].map(|at| spent[at]);
    println!(
        "{dragged} of {nodes} nodes: {median:.2?} in the median, {late:.2?} at the 99th of a hundred, {most:.2?} at \
         most; {hold:.2?} are allowed"
    );
}

fn button(pos: Pos2, pressed: bool) -> Event {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    Event::PointerButton { pos, button, pressed, modifiers }
}

/// The window without a graphics card and without a worker.
struct Desk {
    ctx: egui::Context,
    window: Window,
    state: State,
    frames: f64,
}

impl Desk {
    fn new(nodes: usize) -> Self {
        let ctx = egui::Context::default();
        ui::install(&ctx);
        let state = assist_state(document(nodes));
        Self { ctx, window: Window::default(), state, frames: 0.0 }
    }

    fn act(&mut self, act: Act) {
        drop(handle(&mut self.state, Command::Assist(AssistCommand::Act(Box::new(act)))));
    }

    fn frame(&mut self, events: Vec<Event>) {
        self.frames += 1.0;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1440.0, 900.0))),
            time: Some(self.frames / 60.0),
            events,
            ..egui::RawInput::default()
        };
        let queue = CommandQueue::default();
        let (window, state) = (&mut self.window, &self.state);
        let mut output = self.ctx.run_ui(input, |ui| {
            window.show(ui, &ViewContext { state, commands: &queue });
        });
        assert!(!output.shapes.is_empty());
        output.textures_delta.clear();
        while let Some(command) = queue.next(&self.state) {
            drop(handle(&mut self.state, command));
        }
    }

    /// The middle of a node in the window: the page lies in the middle of the canvas.
    fn place_of(&self, id: &str) -> Pos2 {
        let canvas = self.ctx.read_response(egui::Id::unique("assist_canvas")).unwrap().rect;
        let desk = self.state.assist.desk.as_ref().unwrap();
        let (screen, node) =
            (desk.screen(), desk.editor.shown().absolute_box(&NodeId::from(id)).unwrap());
        let room: Vec2 = canvas.shrink(40.0).size();
        let zoom = (room.x / screen.width as f32).min(room.y / screen.height as f32).min(1.0);
        let off = node.center().since(screen.center());
        canvas.center() + pos2(off.x as f32, off.y as f32).to_vec2() * zoom
    }
}

/// A screen full of small tiles.
fn document(nodes: usize) -> Document {
    let columns = 50;
    let mut screen = Node::new("screen".into(), "Screen", NodeKind::Frame);
    screen.size = Size::new(600.0, 500.0);
    let tiles = (0..nodes).map(|n| {
        let id = format!("n{n}");
        let mut tile = Node::new(id.as_str().into(), id.as_str(), NodeKind::Rectangle);
        let (x, y) = ((n % columns) as f64 * 12.0, (n / columns) as f64 * 12.0);
        tile.parent = Some("screen".into());
        (tile.transform, tile.size) = (Affine::translate(x, y), Size::new(9.0, 9.0));
        tile.fills = vec![Paint::solid(Rgba::BLACK)];
        tile
    });
    Document::from_nodes(std::iter::once(screen).chain(tiles)).unwrap()
}

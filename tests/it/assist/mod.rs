//! The offline assistant: the way to a known design, and what the command line says of it.

mod brief;
mod cli;
pub(crate) mod desk;
mod following;
mod gestures;
mod steps;

use std::sync::Arc;

use pentimento::agent::assistant::{AssistContext, Guide, Names, Suggestion};
use pentimento::base::{Affine, Rgba, Size};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    AutoLayout, AutoResize, Direction, Document, EllipseArc, Node, NodeId, NodeKind, Paint, Sides,
    TextContent,
};
use pentimento::environment::canvas::CanvasSettings;
use pentimento::render::TextMeasurer;

/// What steps are worked out with, and the document after each.
struct Assistant {
    canvas: CanvasSettings,
}

impl Assistant {
    fn new() -> Self {
        let render = crate::render::sketch::context();
        Self { canvas: CanvasSettings { render, ..CanvasSettings::default() } }
    }

    fn next(&self, guide: &Guide, document: &Document) -> Option<Suggestion> {
        let measure = TextMeasurer(&self.canvas.render);
        guide.next_step(document, AssistContext { measure: &measure, canvas: &self.canvas })
    }

    /// Takes some hunks of a step, as a person would.
    fn take(&self, step: &Suggestion, taken: &[usize], document: &mut Document) {
        let measure = TextMeasurer(&self.canvas.render);
        step.carry_out(document, taken, &measure).unwrap();
    }

    /// Changes a document as by hand: what follows from it is done.
    fn edit(&self, document: &mut Document, change: impl FnOnce(&mut Transaction<'_>)) {
        let mut transaction = Transaction::begin(document);
        change(&mut transaction);
        transaction.commit_with(&TextMeasurer(&self.canvas.render));
    }
}

fn guide(current: &Document, goal: &Document) -> Guide {
    Guide::new(current, goal.clone(), Names::Ignored).unwrap()
}

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    node.transform = Affine::translate(x, y);
    node.size = Size::new(w, h);
    node
}

fn shape(id: &str, parent: &str, at: [f64; 4], color: [u8; 3]) -> Node {
    let [r, g, b] = color;
    let mut node = node(id, NodeKind::Rectangle, Some(parent), at);
    node.fills = vec![Paint::solid(Rgba::from_u8([r, g, b, 255]))];
    node
}

fn frame(id: &str, parent: Option<&str>, at: [f64; 4]) -> Node {
    let mut node = node(id, NodeKind::Frame, parent, at);
    node.fills = vec![Paint::solid(Rgba::WHITE)];
    node
}

fn text(id: &str, parent: &str, at: [f64; 4], words: &str) -> Node {
    let mut content = TextContent { characters: words.to_owned(), ..TextContent::default() };
    content.style.auto_resize = AutoResize::None;
    let mut node = node(id, NodeKind::Text(Box::new(content)), Some(parent), at);
    node.fills = vec![Paint::solid(Rgba::BLACK)];
    node
}

/// A screen with a bar, a row that auto layout places, a card, and a group in a group.
fn screen() -> Document {
    let mut row = frame("row", Some("screen"), [20.0, 300.0, 152.0, 56.0]);
    let mut layout = AutoLayout::new(Direction::Horizontal);
    (layout.item_spacing, layout.padding) = (8.0, Sides::uniform(8.0));
    row.auto_layout = Some(Box::new(layout));
    let mut dot = shape("dot", "inner", [0.0, 0.0, 12.0, 12.0], [200, 40, 40]);
    dot.kind = NodeKind::Ellipse(EllipseArc::WHOLE);
    Document::from_nodes([
        frame("screen", None, [100.0, 50.0, 400.0, 600.0]),
        frame("bar", Some("screen"), [0.0, 0.0, 400.0, 60.0]),
        text("title", "bar", [20.0, 20.0, 200.0, 20.0], "Good morning"),
        shape("menu", "bar", [360.0, 20.0, 20.0, 20.0], [40, 40, 40]),
        frame("card", Some("screen"), [20.0, 80.0, 360.0, 200.0]),
        shape("photo", "card", [20.0, 20.0, 120.0, 160.0], [120, 160, 200]),
        text("name", "card", [160.0, 20.0, 180.0, 20.0], "A red kite"),
        shape("buy", "card", [160.0, 140.0, 120.0, 40.0], [27, 77, 255]),
        row,
        shape("one", "row", [8.0, 8.0, 40.0, 40.0], [230, 230, 230]),
        shape("two", "row", [56.0, 8.0, 40.0, 40.0], [230, 230, 230]),
        shape("three", "row", [104.0, 8.0, 40.0, 40.0], [230, 230, 230]),
        node("badge", NodeKind::Group, Some("screen"), [300.0, 400.0, 60.0, 40.0]),
        shape("plate", "badge", [0.0, 0.0, 60.0, 40.0], [250, 220, 120]),
        node("inner", NodeKind::Group, Some("badge"), [10.0, 10.0, 32.0, 12.0]),
        dot,
        shape("dash", "inner", [20.0, 4.0, 12.0, 4.0], [40, 40, 200]),
    ])
    .unwrap()
}

fn update(change: &mut Transaction<'_>, id: &str, how: impl FnOnce(&mut Node)) {
    change.update(&id.into(), how).unwrap();
}

fn get<'d>(document: &'d Document, id: &str) -> &'d Arc<Node> {
    document.get(&id.into()).unwrap()
}

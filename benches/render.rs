//! Pictures against the clock: a screen of 150 nodes, as agents draw them, whole and after a change;
//! and a page of a published file, with `PENTIMENTO_SHARED` set to the folder that has it.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use pentimento::base::{Affine, Rgba, Size};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    CornerRadii, Document, EllipseArc, Node, NodeId, NodeKind, Paint, Stroke, TextContent,
    TextStyle, figma,
};
use pentimento::render::{RenderContext, RenderOptions, Repainter, render_node, render_page};

fn node(id: String, kind: NodeKind, [x, y, width, height]: [f64; 4], gray: f64) -> Node {
    let mut node = Node::new(NodeId::new(id), "", kind);
    node.transform = Affine::translate(x, y);
    node.size = Size::new(width, height);
    node.fills = vec![Paint::solid(Rgba::new(gray, gray, gray, 1.0))];
    node.parent = Some("screen".into());
    node
}

fn text(id: String, at: [f64; 4], characters: String, font_size: f64) -> Node {
    let style = TextStyle { font_size, ..TextStyle::default() };
    let content = TextContent { characters, style, ..TextContent::default() };
    node(id, NodeKind::Text(Box::new(content)), at, 0.1)
}

/// A row of a list: card with a border, round picture, title, two lines of text, badge.
fn row(index: usize) -> [Node; 5] {
    let y = 96.0 + 25.0 * index as f64;
    let id = |part: &str| format!("{part}{index}");
    let mut card = node(id("card"), NodeKind::Rectangle, [16.0, y, 361.0, 22.0], 1.0);
    card.corner_radii = CornerRadii::uniform(8.0);
    card.stroke = Stroke { paints: vec![Paint::solid(Rgba::BLACK)], ..Stroke::default() };
    let picture =
        node(id("picture"), NodeKind::Ellipse(EllipseArc::WHOLE), [20.0, y + 2.0, 18.0, 18.0], 0.7);
    let title =
        text(id("title"), [44.0, y + 1.0, 200.0, 12.0], format!("Parcel number {index}"), 10.0);
    let words = "Arrives tomorrow between 9:00 and 12:30 at the side door".to_owned();
    let detail = text(id("detail"), [44.0, y + 11.0, 280.0, 11.0], words, 8.0);
    let mut badge = node(id("badge"), NodeKind::Rectangle, [340.0, y + 6.0, 30.0, 10.0], 0.9);
    badge.opacity = 0.8;
    [card, picture, title, detail, badge]
}

fn screen() -> Document {
    let mut frame = node("screen".to_owned(), NodeKind::Frame, [0.0, 0.0, 393.0, 852.0], 0.96);
    frame.parent = None;
    frame.clips_content = true;
    let nodes = std::iter::once(frame).chain((0..30).flat_map(row));
    Document::from_nodes(nodes).unwrap_or_default()
}

/// The same document again and again, as when one scrubs through a run.
fn render_screen(criterion: &mut Criterion) {
    let (context, document) = (RenderContext::default(), screen());
    let id = NodeId::new("screen");
    criterion.bench_function("render 151 nodes at 393 x 852", |bencher| {
        bencher.iter(|| render_node(&context, black_box(&document), &id, RenderOptions::default()));
    });
}

/// In a context that has set no text and drawn nothing before.
fn render_screen_first(criterion: &mut Criterion) {
    let document = screen();
    criterion.bench_function("render 151 nodes at 393 x 852 for the first time", |bencher| {
        bencher.iter(|| {
            let (context, id) = (RenderContext::default(), NodeId::new("screen"));
            render_node(&context, &document, &id, RenderOptions::default())
        });
    });
}

/// One title takes another colour, and the picture follows.
fn edit_screen(criterion: &mut Criterion) {
    let (context, mut document, mut repainter) =
        (RenderContext::default(), screen(), Repainter::default());
    let id = NodeId::new("screen");
    let mut turn = 0u32;
    criterion.bench_function("change one of 151 nodes and repaint", |bencher| {
        bencher.iter(|| {
            turn += 1;
            let color = Rgba::new(f64::from(turn % 256) / 255.0, 0.2, 0.4, 1.0);
            let mut change = Transaction::begin(&mut document);
            let title = NodeId::new(format!("title{}", turn % 30));
            let changed = change.update(&title, |node| node.fills = vec![Paint::solid(color)]);
            change.commit();
            (
                changed.is_ok(),
                repainter.render_node(&context, &document, &id, RenderOptions::default()),
            )
        });
    });
}

/// A page of a published Figma file, of 1,205 nodes; left out where the file is not there.
fn render_page_of_file(criterion: &mut Criterion) {
    let shared = std::env::var_os("PENTIMENTO_SHARED").map(PathBuf::from).unwrap_or_default();
    let json = std::fs::read(shared.join("data/figma/figmagic-2022.json")).ok();
    let json = json.and_then(|json| serde_json::from_slice(&json).ok());
    let Some(file) = json.and_then(|json| figma::from_json(json).ok()) else { return };
    let context = RenderContext::default();
    let name = format!("render a page of {} nodes", file.document.len());
    criterion.bench_function(&name, |bencher| {
        bencher.iter(|| render_page(&context, black_box(&file.document), RenderOptions::default()));
    });
}

criterion_group!(benches, render_screen, render_screen_first, edit_screen, render_page_of_file);
criterion_main!(benches);

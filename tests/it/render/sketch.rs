//! Documents in few words.

use std::sync::LazyLock;

use pentimento::base::{Affine, Point, Rgba, Size};
use pentimento::design::{
    ColorStop, Document, Gradient, GradientKind, Node, NodeId, NodeKind, Paint, PaintKind, Stroke,
    StrokeAlign, TextContent, TextStyle,
};
use pentimento::render::{
    Coverage, RenderContext, RenderOptions, Rendered, TextLayout, TextMeasure, layout_text,
    measure_text, render_node, render_page, text_coverage,
};

/// The vendored fonts, and what all tests kept that were drawn before.
pub(crate) fn context() -> RenderContext {
    static CONTEXT: LazyLock<RenderContext> = LazyLock::new(RenderContext::default);
    CONTEXT.clone()
}

/// The text in its box.
pub(super) fn layout(content: &TextContent, size: Size) -> TextLayout {
    layout_text(&context(), content, size)
}

/// What the text takes.
pub(super) fn measure(content: &TextContent, width: Option<f64>) -> TextMeasure {
    measure_text(&context(), content, width)
}

/// How much of each pixel the text covers.
pub(super) fn coverage(content: &TextContent, size: Size) -> Option<Coverage> {
    text_coverage(&context(), content, size)
}

/// A node of this kind at (x, y) in its parent, `width` by `height`.
pub(super) fn node(id: &str, kind: NodeKind, [x, y, width, height]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.transform = Affine::translate(x, y);
    node.size = Size::new(width, height);
    node
}

/// The node in this parent.
pub(super) fn within(parent: &str, mut node: Node) -> Node {
    node.parent = Some(parent.into());
    node
}

/// The node with one solid fill, `0xRRGGBB`.
pub(super) fn filled(mut node: Node, rgb: u32) -> Node {
    node.fills = vec![solid(rgb)];
    node
}

/// The node with a solid stroke.
pub(super) fn stroked(mut node: Node, rgb: u32, weight: f64, align: StrokeAlign) -> Node {
    node.stroke = Stroke { paints: vec![solid(rgb)], weight, align, ..Stroke::default() };
    node
}

/// An opaque paint, `0xRRGGBB`.
pub(super) fn solid(rgb: u32) -> Paint {
    Paint::solid(color(rgb))
}

/// An opaque colour, `0xRRGGBB`.
pub(super) fn color(rgb: u32) -> Rgba {
    let [_, r, g, b] = rgb.to_be_bytes();
    Rgba::from_u8([r, g, b, 255])
}

/// A gradient between two colours along `from`–`to` in unit space.
pub(super) fn gradient(kind: GradientKind, from: Point, to: Point, colors: [u32; 2]) -> Paint {
    let width_end = Point::new(from.x - (to.y - from.y), from.y + (to.x - from.x));
    let stop = |position: f64, rgb: u32| ColorStop { position, color: color(rgb) };
    let stops = vec![stop(0.0, colors[0]), stop(1.0, colors[1])];
    let kind = PaintKind::Gradient(Gradient { kind, handles: [from, to, width_end], stops });
    Paint { kind, ..solid(0) }
}

/// A text node in Inter.
pub(super) fn text(id: &str, at: [f64; 4], characters: &str, style: TextStyle) -> Node {
    let content =
        TextContent { characters: characters.to_owned(), style, ..TextContent::default() };
    node(id, NodeKind::Text(Box::new(content)), at)
}

/// A style of Inter.
pub(super) fn inter(size: f64, weight: f64) -> TextStyle {
    TextStyle { font_size: size, font_weight: weight, ..TextStyle::default() }
}

/// The page of these nodes.
pub(super) fn page(nodes: impl IntoIterator<Item = Node>) -> Document {
    Document::from_nodes(nodes).unwrap()
}

/// The node with this id, drawn on white at scale 1.
pub(super) fn draw(document: &Document, id: &str) -> Rendered {
    let options = RenderOptions { background: [255; 4], ..RenderOptions::default() };
    render_node(&context(), document, &NodeId::new(id), options).unwrap()
}

/// The page, drawn on white at scale 1.
pub(super) fn draw_page(document: &Document) -> Rendered {
    let options = RenderOptions { background: [255; 4], ..RenderOptions::default() };
    render_page(&context(), document, options).unwrap()
}

/// What was said about the picture.
pub(super) fn messages(rendered: &Rendered) -> Vec<String> {
    rendered.diagnostics.iter().map(|d| format!("{}: {}", d.node, d.message)).collect()
}

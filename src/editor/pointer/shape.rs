//! Frames, sections, shapes, lines and texts that are drawn as boxes.

use std::sync::Arc;

use super::feedback::Reading;
use super::input::{Pointer, PointerKeys};
use super::preview::Preview;
use super::putting::{
    DRAG, InsertedNode, along_eighth, numbered, parent_at, put_in, snapped, stroke_black, take_made,
};
use crate::base::{Affine, Point, Rect, Rgba, Size, Vector};
use crate::design::{
    AutoResize, Document, DocumentError, EllipseArc, Node, NodeId, NodeKind, Paint, StrokeAlign,
    StrokeCap, TextContent,
};
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::edited::{InPlace, TypedText, typing_burst};
use crate::editor::error::EditorError;
use crate::editor::tool::Tool;

/// The side of what a click draws.
const CLICKED: f64 = 100.0;
/// How opaque the edge of a section is.
const SECTION_EDGE: f64 = 0.1;
/// The most boxes that draw.
const MOST_OTHERS: usize = 100;

/// A shape that is drawn.
#[derive(Clone, Debug)]
pub(in crate::editor) struct ShapeDrawing {
    tool: Tool,
    start: Document,
    parent: Option<NodeId>,
    others: Vec<Rect>,
    from: Point,
    last: Point,
    pub(super) preview: Preview,
    /// The node that is in the preview.
    made: Option<NodeId>,
}

/// Where what is drawn lies on the page, and how large it is in its own space.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DrawnBox {
    page_from_node: Affine,
    size: Size,
}

impl ShapeDrawing {
    pub(super) fn begin(editor: &impl Drafting, tool: Tool, pointer: Pointer) -> Self {
        let start = editor.document().clone();
        let parent = parent_at(&editor.on_page(), pointer.at);
        let parent = if tool == Tool::Section { around_section(&start, parent) } else { parent };
        let others = others(&start, parent.as_ref(), pointer.visible);
        let (from, _) = snapped(pointer.at, &others, pointer);
        let preview = Preview::default();
        Self { tool, start, parent, others, from, last: from, preview, made: None }
    }

    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let (to, guides) = snapped(pointer.at, &self.others, pointer);
        let by = to.since(self.last);
        if pointer.keys.space {
            self.from = Point::new(self.from.x + by.x, self.from.y + by.y);
        }
        (self.last, self.preview.feedback.guides) = (to, guides);
        let way = to.since(self.from);
        let far = way.x.hypot(way.y) * pointer.zoom;
        // What was a drag stays one: back at the press it is small, and no click.
        if self.made.is_none() && far < DRAG {
            self.preview.feedback.guides.clear();
            return Ok(());
        }
        let extent = self.extent(way, pointer.keys);
        let made = self.make(extent, context)?;
        self.preview.dragged = Some(made.dragged);
        self.made = Some(made.id);
        self.preview.feedback.floating = vec![extent.corners()];
        if matches!(self.tool, Tool::Line | Tool::Arrow) {
            self.preview.feedback.reading = Some(Reading::Length(extent.size.width));
        }
        Ok(())
    }

    fn extent(&self, way: Vector, keys: PointerKeys) -> DrawnBox {
        if matches!(self.tool, Tool::Line | Tool::Arrow) {
            let way = if keys.shift { along_eighth(way) } else { way };
            let length = way.x.hypot(way.y);
            let (cos, sin) =
                if length > 0.0 { (way.x / length, way.y / length) } else { (1.0, 0.0) };
            let twice = if keys.alt { 2.0 } else { 1.0 };
            let from = if keys.alt {
                Point::new(self.from.x - way.x, self.from.y - way.y)
            } else {
                self.from
            };
            let turned = Affine { a: cos, b: sin, c: -sin, d: cos, e: from.x, f: from.y };
            return DrawnBox { page_from_node: turned, size: Size::new(length * twice, 0.0) };
        }
        let way = if keys.shift {
            let side = way.x.abs().max(way.y.abs());
            Vector { x: side.copysign(way.x), y: side.copysign(way.y) }
        } else {
            way
        };
        let to = Point::new(self.from.x + way.x, self.from.y + way.y);
        let from =
            if keys.alt { Point::new(self.from.x - way.x, self.from.y - way.y) } else { self.from };
        DrawnBox::of_box(Rect::from_corners(from, to))
    }

    fn make(
        &self,
        extent: DrawnBox,
        context: &EditorContext<'_>,
    ) -> Result<InsertedNode, DocumentError> {
        let mut node = Node::new("new".into(), "", NodeKind::Rectangle);
        dress(&mut node, self.tool);
        // A text is named by what it says.
        if self.tool != Tool::Text {
            node.name = numbered(&self.start, self.parent.as_ref(), self.tool.label());
        }
        if let Some(text) = node.text_mut()
            && extent.size != Size::default()
        {
            text.style.auto_resize = AutoResize::None;
        }
        node.size = extent.size;
        put_in(&self.start, node, self.parent.as_ref(), extent.page_from_node, context)
    }

    pub(super) fn finish(
        self,
        editor: &mut impl Drafting,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let drawn = self.made.clone().zip(self.preview.dragged.clone());
        let made = if let Some((id, dragged)) = drawn {
            InsertedNode { dragged, id }
        } else {
            let size = match self.tool {
                Tool::Text => Size::default(),
                Tool::Line | Tool::Arrow => Size::new(CLICKED, 0.0),
                _ => Size::new(CLICKED, CLICKED),
            };
            let page_from_node = Affine::translate(self.from.x, self.from.y);
            self.make(DrawnBox { page_from_node, size }, context)?
        };
        let is_text = self.tool == Tool::Text;
        let burst = is_text.then(|| typing_burst(&made.id));
        take_made(editor, self.tool.label(), &made, burst);
        editor.set_tool(Tool::Move);
        if is_text {
            // As one step with what is typed then.
            editor.set_in_place(InPlace::Text(TypedText::new(made.id, true)));
        }
        Ok(())
    }
}

impl DrawnBox {
    /// Its corners on the page.
    fn corners(self) -> [Point; 4] {
        let Size { width, height } = self.size;
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        corners.map(|(x, y)| self.page_from_node.apply(Point::new(x, y)))
    }

    fn of_box(at: Rect) -> Self {
        Self { page_from_node: Affine::translate(at.x, at.y), size: at.size() }
    }
}

/// What a section is drawn into: a section or the page, as Figma has it; without a page, as all else, the screen.
fn around_section(document: &Document, parent: Option<NodeId>) -> Option<NodeId> {
    let takes = |node: &&Arc<Node>| matches!(node.kind, NodeKind::Section | NodeKind::Canvas);
    let found = parent.as_ref().and_then(|id| {
        let mut upwards = document.get(id).into_iter().chain(document.ancestors(id));
        Some(upwards.find(takes)?.id.clone())
    });
    found.or(parent)
}

/// What Figma gives a new node of a tool.
fn dress(node: &mut Node, tool: Tool) {
    match tool {
        Tool::Frame => {
            node.kind = NodeKind::Frame;
            node.fills = vec![Paint::solid(Rgba::WHITE)];
            node.clips_content = true;
        }
        Tool::Section => {
            node.kind = NodeKind::Section;
            node.fills = vec![Paint::solid(Rgba::WHITE)];
            stroke_black(node);
            node.stroke.paints = vec![Paint::solid(Rgba { a: SECTION_EDGE, ..Rgba::BLACK })];
            node.stroke.align = StrokeAlign::Inside;
        }
        Tool::Line | Tool::Arrow => {
            node.kind = NodeKind::Line;
            stroke_black(node);
            if tool == Tool::Arrow {
                node.stroke.cap = StrokeCap::LineArrow;
            }
        }
        Tool::Text => {
            let mut text = TextContent::default();
            text.style.auto_resize = AutoResize::WidthAndHeight;
            node.kind = NodeKind::Text(Box::new(text));
            "Text".clone_into(&mut node.name);
            node.fills = vec![Paint::solid(Rgba::BLACK)];
        }
        _ => {
            node.kind = match tool {
                Tool::Ellipse => NodeKind::Ellipse(EllipseArc::WHOLE),
                Tool::Polygon => NodeKind::RegularPolygon { corners: 3 },
                Tool::Star => NodeKind::Star { tips: 5, inner_ratio: NodeKind::STAR_INNER_RATIO },
                _ => NodeKind::Rectangle,
            };
            node.fills = vec![Paint::solid(Rgba::DEFAULT_SHAPE)];
        }
    }
}

/// The boxes that what is drawn into a parent may be drawn to: the parent, what is in it and what is beside it, only
/// what is on the screen.
fn others(document: &Document, parent: Option<&NodeId>, visible: Rect) -> Vec<Rect> {
    let beside = parent.and_then(|id| document.get(id)).and_then(|node| node.parent.as_ref());
    let ids = parent.into_iter().chain(document.children_of(parent).iter());
    let ids = ids.chain(document.children_of(beside).iter());
    let mut boxes = Vec::new();
    for id in ids {
        let Some(node) = document.get(id).filter(|node| node.visible && node.has_box()) else {
            continue;
        };
        let Ok(bounds) = document.absolute_box(&node.id) else { continue };
        if bounds.expand(1e-6).intersection(visible).is_some() && !boxes.contains(&bounds) {
            boxes.push(bounds);
        }
        if boxes.len() == MOST_OTHERS {
            break;
        }
    }
    boxes
}

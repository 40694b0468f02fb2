//! Drawing with a tool: frames, shapes, lines, texts, and what the pen, the pencil and the points of a path are held by.
//!
//! [`take`] asks first: what a tool other than moving and scaling takes hold of is a [`Drawing`].

use super::contour::{PointDrag, take_points};
use super::drop_target::landing_at;
use super::feedback::Reading;
use super::input::{Pointer, PointerKeys};
use super::pen::{PenDrag, PencilDrag, take_pen};
use super::preview::Preview;
use crate::base::{Affine, Axis, Limits, Point, Rect, Rgba, Size, Vector};
use crate::design::edit::Transaction;
use crate::design::gesture::{BurstKey, Dragged, Guide, snap_move};
use crate::design::{
    AutoResize, Contour, Document, DocumentError, EllipseArc, Node, NodeId, NodeKind, Paint,
    StrokeAlign, StrokeCap, TextContent,
};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::in_place::InPlace;
use crate::editor::selection::Selection;
use crate::editor::tool::Tool;
use crate::editor::typing::{begin_new, typing_burst};

/// How far the pointer goes, in points of the screen, until a press is a drag.
pub(super) const DRAG: f64 = 4.0;
/// The side of what a click draws.
const CLICKED: f64 = 100.0;
/// The most boxes that draw.
const MOST_OTHERS: usize = 100;

/// What a tool draws, while the button is down.
#[derive(Clone, Debug)]
pub(in crate::editor) enum Drawing {
    /// A shape, a frame or the box of a text.
    Shape(Box<ShapeDrawing>),
    /// The anchor that the pen has just set.
    Pen(Box<PenDrag>),
    /// A free line.
    Pencil(Box<PencilDrag>),
    /// Points of a path.
    Points(Box<PointDrag>),
}

/// What a press came to.
#[derive(Debug)]
pub(in crate::editor) enum Taken {
    /// It is not about drawing: who moves and resizes goes on.
    NotDrawing,
    /// It did what there was to do.
    Done,
    /// It took hold of this.
    Held(Drawing),
}

/// Takes hold of what the tool in hand draws.
pub(in crate::editor) fn take(
    editor: &mut Editor,
    pointer: Pointer,
    context: &EditorContext<'_>,
) -> Result<Taken, EditorError> {
    if !pointer.at.is_finite() || pointer.zoom.is_nan() || pointer.zoom <= 0.0 {
        return Err(EditorError::NotPossible("the pointer is nowhere on the page".to_owned()));
    }
    if matches!(editor.in_place(), InPlace::Points(_)) {
        return take_points(editor, pointer, context);
    }
    let tool = editor.tool();
    match tool {
        Tool::Move | Tool::Scale => Ok(Taken::NotDrawing),
        Tool::Hand | Tool::Eyedropper | Tool::Comment => Ok(Taken::Done),
        Tool::Pen => Ok(take_pen(editor, pointer)),
        Tool::Pencil => {
            let pencil = PencilDrag::begin(editor, pointer);
            Ok(Taken::Held(Drawing::Pencil(Box::new(pencil))))
        }
        Tool::Frame
        | Tool::Rectangle
        | Tool::Ellipse
        | Tool::Line
        | Tool::Arrow
        | Tool::Polygon
        | Tool::Star
        | Tool::Text => {
            let drawing = ShapeDrawing::begin(editor, tool, pointer);
            Ok(Taken::Held(Drawing::Shape(Box::new(drawing))))
        }
    }
}

impl Drawing {
    /// Works out what it comes to with the pointer there.
    pub(in crate::editor) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        if !pointer.at.is_finite() {
            return Ok(());
        }
        match self {
            Self::Shape(shape) => shape.go_to(pointer, context),
            Self::Pen(pen) => {
                pen.go_to(pointer);
                Ok(())
            }
            Self::Pencil(pencil) => {
                pencil.go_to(pointer);
                Ok(())
            }
            Self::Points(points) => points.go_to(pointer, context),
        }
    }

    /// What it would come to.
    pub(super) fn preview(&self) -> &Preview {
        match self {
            Self::Shape(shape) => &shape.preview,
            Self::Pen(pen) => &pen.preview,
            Self::Pencil(pencil) => &pencil.preview,
            Self::Points(points) => &points.preview,
        }
    }

    /// Makes it a step.
    pub(in crate::editor) fn finish(
        self,
        editor: &mut Editor,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        match self {
            Self::Shape(shape) => shape.finish(editor, context),
            Self::Pen(pen) => pen.finish(editor, context),
            Self::Pencil(pencil) => pencil.finish(editor, context),
            Self::Points(points) => {
                points.finish(editor);
                Ok(())
            }
        }
    }
}

/// The path that is drawn, with what is under way, on the page; `None` while none is.
pub(in crate::editor) fn shown_path(
    in_place: &InPlace,
    drawing: Option<&Drawing>,
) -> Option<Contour> {
    let path = match in_place {
        InPlace::Pen(path) => Some(path),
        _ => None,
    };
    match drawing {
        Some(Drawing::Pen(drag)) => Some(drag.after(path).contour),
        Some(Drawing::Pencil(pencil)) => Some(pencil.contour()),
        _ => path.map(|path| path.contour.clone()),
    }
}

/// A shape that is drawn.
#[derive(Clone, Debug)]
pub(in crate::editor) struct ShapeDrawing {
    tool: Tool,
    start: Document,
    parent: Option<NodeId>,
    others: Vec<Rect>,
    from: Point,
    last: Point,
    preview: Preview,
    /// The node that is in the preview.
    made: Option<NodeId>,
}

/// A node that was put in.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) dragged: Dragged,
    pub(super) id: NodeId,
}

/// Where what is drawn lies on the page, and how large it is in its own space.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    page_from_node: Affine,
    size: Size,
}

impl ShapeDrawing {
    fn begin(editor: &Editor, tool: Tool, pointer: Pointer) -> Self {
        let start = editor.document().clone();
        let parent = parent_at(&start, pointer.at);
        let others = others(&start, parent.as_ref(), pointer.visible);
        let (from, _) = snapped(pointer.at, &others, pointer);
        let preview = Preview::default();
        Self { tool, start, parent, others, from, last: from, preview, made: None }
    }

    fn go_to(&mut self, pointer: Pointer, context: &EditorContext<'_>) -> Result<(), EditorError> {
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

    fn extent(&self, way: Vector, keys: PointerKeys) -> Extent {
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
            return Extent { page_from_node: turned, size: Size::new(length * twice, 0.0) };
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
        Extent::of_box(Rect::from_corners(from, to))
    }

    fn make(&self, extent: Extent, context: &EditorContext<'_>) -> Result<Made, DocumentError> {
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

    fn finish(self, editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
        let drawn = self.made.clone().zip(self.preview.dragged.clone());
        let made = if let Some((id, dragged)) = drawn {
            Made { dragged, id }
        } else {
            let size = match self.tool {
                Tool::Text => Size::default(),
                Tool::Line | Tool::Arrow => Size::new(CLICKED, 0.0),
                _ => Size::new(CLICKED, CLICKED),
            };
            let page_from_node = Affine::translate(self.from.x, self.from.y);
            self.make(Extent { page_from_node, size }, context)?
        };
        let is_text = self.tool == Tool::Text;
        let burst = is_text.then(|| typing_burst(&made.id));
        take_made(editor, self.tool.label(), &made, burst);
        editor.set_tool(Tool::Move);
        if is_text {
            begin_new(editor, made.id);
        }
        Ok(())
    }
}

impl Extent {
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

/// Makes what was put in a step, and selects it.
pub(super) fn take_made(editor: &mut Editor, label: &str, made: &Made, burst: Option<BurstKey>) {
    editor.take_in(label, std::slice::from_ref(&made.id), made.dragged.edit.clone(), burst);
    let parent = editor.document().get(&made.id).and_then(|node| node.parent.clone());
    let screen = editor.document().main_frame().map(|screen| screen.id.clone());
    let entered = parent.filter(|parent| Some(parent) != screen.as_ref());
    editor.set_selection(Selection { nodes: vec![made.id.clone()], entered });
}

/// Puts a node on top of a parent, where it lies on the page.
pub(super) fn put_in(
    start: &Document,
    mut node: Node,
    parent: Option<&NodeId>,
    page_from_node: Affine,
    context: &EditorContext<'_>,
) -> Result<Made, DocumentError> {
    let mut document = start.clone();
    let mut change = Transaction::begin(&mut document);
    let id = change.new_id();
    node.id = id.clone();
    change.insert(node, parent, None)?;
    change.set_absolute_transform(&id, page_from_node)?;
    let edit = change.commit_with(context.measure);
    Ok(Made { dragged: Dragged { document, edit }, id })
}

/// What Figma gives a new node of a tool.
fn dress(node: &mut Node, tool: Tool) {
    match tool {
        Tool::Frame => {
            node.kind = NodeKind::Frame;
            node.fills = vec![Paint::solid(Rgba::WHITE)];
            node.clips_content = true;
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

/// The stroke of a new line: black, 1 wide, in the middle.
pub(super) fn stroke_black(node: &mut Node) {
    node.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
    node.stroke.weight = 1.0;
    node.stroke.align = StrokeAlign::Center;
}

/// A name with the next number that no node of the page has behind the same word.
pub(super) fn numbered(document: &Document, parent: Option<&NodeId>, stem: &str) -> String {
    let around = parent.into_iter().flat_map(|id| {
        document.get(id).into_iter().chain(document.ancestors(id)).map(|node| &node.id)
    });
    let page = around.last();
    let own = page.map(|page| document.subtree(page).collect::<Vec<_>>());
    let nodes = own.unwrap_or_else(|| document.iter_depth_first().collect());
    let numbers = nodes.iter().filter_map(|node| {
        let number = node.name.strip_prefix(stem)?.strip_prefix(' ')?;
        number.parse::<u32>().ok()
    });
    format!("{stem} {}", numbers.max().unwrap_or(0).saturating_add(1))
}

/// What is drawn into at a point: the topmost frame there, else the page; without a page the screen.
pub(super) fn parent_at(document: &Document, at: Point) -> Option<NodeId> {
    landing_at(document, &[], at).map(|landing| landing.frame).or_else(|| {
        let screen = document.main_frame().filter(|node| node.kind.is_container());
        document.page().or(screen).map(|node| node.id.clone())
    })
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

/// A point drawn to edges of others on each axis; where nothing is near, whole numbers.
pub(super) fn snapped(at: Point, others: &[Rect], pointer: Pointer) -> (Point, Vec<Guide>) {
    let most = Limits::COORDINATE;
    let at = Point::new(at.x.clamp(-most, most), at.y.clamp(-most, most));
    let whole = Point::new(at.x.round(), at.y.round());
    if pointer.keys.command {
        return (whole, Vec::new());
    }
    let found = snap_move(Rect::new(at.x, at.y, 0.0, 0.0), others, pointer.zoom);
    let to = Point::new(
        line_near(&found.guides, Axis::Horizontal, at.x).unwrap_or(whole.x),
        line_near(&found.guides, Axis::Vertical, at.y).unwrap_or(whole.y),
    );
    (to, found.guides)
}

/// The line of an axis that is nearest to a coordinate. Gaps are none: a point has nothing beside it.
fn line_near(guides: &[Guide], axis: Axis, value: f64) -> Option<f64> {
    let guides = guides.iter().filter(|guide| guide.axis == axis);
    guides.map(|guide| guide.at).min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()))
}

/// The same way along the nearest of eight directions.
pub(super) fn along_eighth(way: Vector) -> Vector {
    const EIGHTH: f64 = std::f64::consts::FRAC_PI_4;
    let (sin, cos) = ((way.y.atan2(way.x) / EIGHTH).round() * EIGHTH).sin_cos();
    let along = way.x * cos + way.y * sin;
    // The cosine of a quarter turn is dust, and no way.
    let [x, y] = [cos, sin].map(|share| if share.abs() < 1e-9 { 0.0 } else { along * share });
    Vector { x, y }
}

#[cfg(test)]
mod tests;

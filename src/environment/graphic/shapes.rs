//! The shapes of an SVG as nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use usvg::tiny_skia_path::{Path, PathSegment, Transform};

use crate::base::{Affine, Pixels, Point, Rect, Size};
use crate::design::edit::Transaction;
use crate::design::{
    BlendMode, DocumentError, FigmaPath, ImagePaint, Node, NodeId, NodeKind, Paint, PaintKind,
    PathGeometry, StrokeAlign, WindingRule,
};

use super::omitted::Omitted;
use super::paint::{self, PaintSpace, tidy};

/// Finer than this, curves of outlines are not split.
const STROKE_RESOLUTION: f32 = 4.0;

/// Most dashes of all outlines; what has more is drawn without.
const DASHES: f64 = 200_000.0;

/// What was drawn.
#[derive(Debug)]
pub(in crate::environment) struct Drawn {
    /// How many shapes there are.
    pub(in crate::environment) shapes: usize,
    /// The pictures that they show, by name.
    pub(in crate::environment) pictures: BTreeMap<String, Arc<Pixels>>,
}

/// Puts the shapes of the SVG into the frame.
pub(in crate::environment) fn draw(
    change: &mut Transaction<'_>,
    tree: &usvg::Tree,
    frame: &NodeId,
    omitted: &mut Omitted,
) -> Result<Drawn, DocumentError> {
    let drawn = Drawn { shapes: 0, pictures: BTreeMap::new() };
    let mut drawing =
        ShapeBuilder { change, omitted, drawn, dashes_left: DASHES, wrappers: Vec::new() };
    let at = Inside { parent: frame.clone(), origin: Point::ZERO, effect: GroupCompositing::NONE };
    // The root group has no look of its own, and so no node.
    drawing.children(tree.root(), &at)?;
    drawing.remove_empty()?;
    Ok(drawing.drawn)
}

struct ShapeBuilder<'a, 'b> {
    change: &'a mut Transaction<'b>,
    omitted: &'a mut Omitted,
    drawn: Drawn,
    dashes_left: f64,
    /// Groups and frames, those around others before them.
    wrappers: Vec<NodeId>,
}

/// Where nodes go: into which parent, where its left top corner is in the SVG, and what an enclosing
/// group that has no node of its own does to them.
struct Inside {
    parent: NodeId,
    origin: Point,
    effect: GroupCompositing,
}

/// What a group does to its children.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroupCompositing {
    opacity: f64,
    blend_mode: BlendMode,
}

impl GroupCompositing {
    const NONE: Self = Self { opacity: 1.0, blend_mode: BlendMode::PassThrough };

    fn of(group: &usvg::Group) -> Self {
        Self {
            opacity: tidy(group.opacity().get()),
            blend_mode: paint::blend_mode(group.blend_mode()),
        }
    }

    /// Both effects in one, where that means the same.
    fn with(self, outer: Self) -> Option<Self> {
        let blend_mode = match (outer.blend_mode, self.blend_mode) {
            (BlendMode::PassThrough, inner) => inner,
            (outer, BlendMode::PassThrough) => outer,
            _ => return None,
        };
        Some(Self { opacity: self.opacity * outer.opacity, blend_mode })
    }

    fn apply(self, node: &mut Node) {
        node.opacity = self.opacity;
        node.blend_mode = self.blend_mode;
    }
}

impl ShapeBuilder<'_, '_> {
    fn children(&mut self, group: &usvg::Group, at: &Inside) -> Result<(), DocumentError> {
        for child in group.children() {
            match child {
                usvg::Node::Group(group) => self.group(group, at)?,
                usvg::Node::Path(path) => self.path(path, at)?,
                usvg::Node::Text(text) => self.text(text, at)?,
                usvg::Node::Image(image) => self.image(image, at)?,
            }
        }
        Ok(())
    }

    /// A group becomes a FRAME if it is cut to a rectangle, nothing of its own if it only wraps one
    /// node or does nothing, else a GROUP.
    fn group(&mut self, group: &usvg::Group, at: &Inside) -> Result<(), DocumentError> {
        self.omitted.add("mask", usize::from(group.mask().is_some()));
        self.omitted.add("filter", group.filters().len());
        let own = GroupCompositing::of(group);
        let clip = group.clip_path().map(|clip| clip_rect(group, clip));
        if clip == Some(None) {
            self.omitted.note("clip path");
        }
        // One node takes the group's effect on itself; over several it would show where they overlap.
        let is_plain = group.id().is_empty() && own == GroupCompositing::NONE;
        match (clip.flatten(), own.with(at.effect)) {
            (Some(rect), _) => self.clip_frame(group, rect, at),
            (None, Some(effect)) if is_plain || group.children().len() == 1 => {
                let at = Inside { parent: at.parent.clone(), origin: at.origin, effect };
                self.children(group, &at)
            }
            (None, _) => {
                let name = if group.id().is_empty() { "Group" } else { group.id() };
                let (node, inside) = self.wrapper(name, NodeKind::Group, group, at);
                self.fill_wrapper(node, group, at, &inside)
            }
        }
    }

    fn clip_frame(
        &mut self,
        group: &usvg::Group,
        rect: Rect,
        at: &Inside,
    ) -> Result<(), DocumentError> {
        let name = if group.id().is_empty() { "Clip" } else { group.id() };
        let (mut node, mut inside) = self.wrapper(name, NodeKind::Frame, group, at);
        // The frame's corner is the clip's; what lies in it is placed from there.
        node.transform = Affine::translate(rect.x - at.origin.x, rect.y - at.origin.y);
        node.size = rect.size();
        node.clips_content = true;
        inside.origin = rect.origin();
        self.fill_wrapper(node, group, at, &inside)
    }

    fn wrapper(
        &mut self,
        name: &str,
        kind: NodeKind,
        group: &usvg::Group,
        at: &Inside,
    ) -> (Node, Inside) {
        let id = self.change.new_id();
        let mut node = Node::new(id.clone(), name, kind);
        let own = GroupCompositing::of(group);
        // Where two blend modes meet the inner one stays, as the outer has no node to be on.
        own.with(at.effect).unwrap_or(own).apply(&mut node);
        (node, Inside { parent: id, origin: at.origin, effect: GroupCompositing::NONE })
    }

    /// Takes out the wrappers in which nothing was drawn.
    fn remove_empty(&mut self) -> Result<(), DocumentError> {
        // The innermost first: what only held empty groups is empty then.
        for id in std::mem::take(&mut self.wrappers).iter().rev() {
            // A GROUP goes with the last node that is taken out of it.
            let document = self.change.document();
            if document.get(id).is_some() && document.children_of(Some(id)).is_empty() {
                self.change.remove(id)?;
            }
        }
        Ok(())
    }

    /// Puts a wrapper in and draws into it.
    fn fill_wrapper(
        &mut self,
        node: Node,
        group: &usvg::Group,
        at: &Inside,
        inside: &Inside,
    ) -> Result<(), DocumentError> {
        self.wrappers.push(node.id.clone());
        self.change.insert(node, Some(&at.parent), None)?;
        self.children(group, inside)
    }

    /// Text becomes the outlines of its letters, named by what it says.
    fn text(&mut self, text: &usvg::Text, at: &Inside) -> Result<(), DocumentError> {
        // All of it, whatever its chunks are placed like.
        let words: String = text.chunks().iter().map(usvg::TextChunk::text).collect();
        let name: String = words.chars().take(40).collect();
        // A layer without a name cannot be told from others in a list.
        let name = if name.trim().is_empty() { "Text" } else { name.trim() };
        let id = self.change.new_id();
        let mut node = Node::new(id.clone(), name, NodeKind::Group);
        at.effect.apply(&mut node);
        // The effect is on the group, so that its letters have none of their own.
        let inside = Inside { parent: id, origin: at.origin, effect: GroupCompositing::NONE };
        self.fill_wrapper(node, text.flattened(), at, &inside)
    }

    fn image(&mut self, image: &usvg::Image, at: &Inside) -> Result<(), DocumentError> {
        // `visibility` is inherited, so that it is asked of each node alone.
        if !image.is_visible() {
            return Ok(());
        }
        // SVG inside SVG, mostly.
        let Some((name, pixels)) = decode_picture(image) else {
            self.omitted.note("picture");
            return Ok(());
        };
        let mut node = picture_node(self.change.new_id(), image, &name);
        let parent_from_svg = Affine::translate(-at.origin.x, -at.origin.y);
        node.transform = parent_from_svg.after(node.transform);
        at.effect.apply(&mut node);
        self.drawn.pictures.insert(name, Arc::new(pixels));
        self.drawn.shapes += 1;
        self.change.insert(node, Some(&at.parent), None)
    }

    fn path(&mut self, path: &usvg::Path, at: &Inside) -> Result<(), DocumentError> {
        if !path.is_visible() {
            return Ok(());
        }
        let svg_from_user = paint::affine(path.abs_transform());
        // In the SVG's own space: the nodes have no transform but their place.
        let Some(outline) = path.data().clone().transform(path.abs_transform()) else {
            return Ok(());
        };
        let Some(bounds) = outline.compute_tight_bounds().map(rect) else { return Ok(()) };
        let place = PaintSpace { svg_from_user, bounds };
        let id = self.change.new_id();
        let name = if path.id().is_empty() { "Vector" } else { path.id() };
        let dashing = self.dashing(path);
        let kind = NodeKind::Vector(geometry(path, &outline, bounds.origin(), dashing));
        let mut node = Node::new(id, name, kind);
        at.effect.apply(&mut node);
        node.transform = Affine::translate(bounds.x - at.origin.x, bounds.y - at.origin.y);
        node.size = bounds.size();
        node.stroke.align = StrokeAlign::Center;
        if let Some(fill) = path.fill() {
            let fill = paint::paint(fill.paint(), fill.opacity().get(), place, self.omitted);
            node.fills.extend(fill);
        }
        if let Some(stroke) = path.stroke() {
            node.stroke = paint::stroke(stroke, place, self.omitted);
            if dashing == Dashing::Solid {
                node.stroke.dashes.clear();
            }
        }
        // Figma paints fills first, always.
        let both = path.fill().is_some() && path.stroke().is_some();
        if both && path.paint_order() == usvg::PaintOrder::StrokeAndFill {
            self.omitted.note("outline below its fill");
        }
        // All it was painted with was left out, and noted.
        if node.fills.is_empty() && node.stroke.paints.is_empty() {
            return Ok(());
        }
        self.drawn.shapes += 1;
        self.change.insert(node, Some(&at.parent), None)
    }

    /// Whether the outline of a path is drawn in its dashes, of which there are not too many in all.
    fn dashing(&mut self, path: &usvg::Path) -> Dashing {
        let dashes = path.stroke().and_then(usvg::Stroke::dasharray);
        let Some(dashes) = dashes else { return Dashing::AsItIs };
        // Counted before they are cut, as a thousandth of a pixel over a long line takes minutes.
        let period: f64 = dashes.iter().map(|dash| f64::from(*dash)).sum();
        let count = length_at_most(path.data()) / period.max(1e-9) * dashes.len() as f64;
        if count > self.dashes_left {
            self.omitted.note("dashes of an outline");
            return Dashing::Solid;
        }
        self.dashes_left -= count;
        Dashing::AsItIs
    }
}

/// The picture with its name: the BLAKE3 hash of its bytes. `None` for what is no PNG or JPEG.
fn decode_picture(image: &usvg::Image) -> Option<(String, Pixels)> {
    let (usvg::ImageKind::PNG(bytes) | usvg::ImageKind::JPEG(bytes)) = image.kind() else {
        return None;
    };
    let name = blake3::hash(bytes).to_hex().to_string();
    Some((name, Pixels::decode(bytes).ok()?))
}

/// A RECTANGLE that shows the picture, in the space of the SVG. What the SVG scales is in the node's
/// size; only turns and skews stay in its transform.
fn picture_node(id: NodeId, image: &usvg::Image, name: &str) -> Node {
    let label = if image.id().is_empty() { "Image" } else { image.id() };
    let mut node = Node::new(id, label, NodeKind::Rectangle);
    let svg_from_image = paint::affine(image.abs_transform());
    // Lengths of the sides; the height by the area, so that a skew does not count.
    let across = svg_from_image.a.hypot(svg_from_image.b);
    let down = svg_from_image.determinant().abs() / across;
    // A picture squeezed to a line keeps its own size under a flat map, which the document refuses.
    let is_flat = !(across > 0.0 && down > 0.0 && down.is_finite());
    let (across, down) = if is_flat { (1.0, 1.0) } else { (across, down) };
    let (width, height) = (tidy(image.size().width()), tidy(image.size().height()));
    node.size = Size::new(width * across, height * down);
    node.transform = svg_from_image.after(Affine::scale(1.0 / across, 1.0 / down));
    let picture = ImagePaint { image_ref: Some(name.to_owned()), ..ImagePaint::default() };
    node.fills = vec![Paint {
        kind: PaintKind::Image(picture),
        visible: true,
        opacity: 1.0,
        blend_mode: BlendMode::Normal,
    }];
    node
}

/// How an outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dashing {
    AsItIs,
    Solid,
}

/// No path is longer than the way along its control points.
fn length_at_most(path: &Path) -> f64 {
    let ways = path.points().iter().zip(path.points().iter().skip(1));
    let lengths = ways.map(|(a, b)| f64::from(b.x - a.x).hypot(f64::from(b.y - a.y)));
    // A closing line is no longer than the rest of its contour.
    2.0 * lengths.sum::<f64>()
}

fn geometry(path: &usvg::Path, outline: &Path, origin: Point, dashing: Dashing) -> PathGeometry {
    let fill = path.fill().map(|fill| {
        let winding = match fill.rule() {
            usvg::FillRule::EvenOdd => WindingRule::EvenOdd,
            usvg::FillRule::NonZero => WindingRule::NonZero,
        };
        FigmaPath::new(paint::path_data(outline, origin), winding)
    });
    let stroke = path.stroke().and_then(|stroke| expanded(path, stroke, dashing));
    let stroke = stroke
        .map(|outline| FigmaPath::new(paint::path_data(&outline, origin), WindingRule::NonZero));
    PathGeometry { fill: fill.into_iter().collect(), stroke: stroke.into_iter().collect() }
}

/// The outline of the stroke in the SVG's space. Stroked before it is transformed, so that it is
/// exact for stretched and skewed shapes too.
fn expanded(path: &usvg::Path, stroke: &usvg::Stroke, dashing: Dashing) -> Option<Path> {
    let transform: Transform = path.abs_transform();
    let (sx, sy) = transform.get_scale();
    // Curves are split as finely as they are seen.
    let resolution = STROKE_RESOLUTION * sx.max(sy).clamp(1e-3, 1e3);
    let mut stroke = stroke.to_tiny_skia();
    if dashing == Dashing::Solid {
        stroke.dash = None;
    }
    let dashed = stroke.dash.as_ref().and_then(|dash| path.data().dash(dash, resolution));
    let source = dashed.as_ref().unwrap_or_else(|| path.data());
    source.stroke(&stroke, resolution)?.transform(transform)
}

fn rect(rect: usvg::Rect) -> Rect {
    Rect::new(tidy(rect.x()), tidy(rect.y()), tidy(rect.width()), tidy(rect.height()))
}

/// The clip path of a group as an upright rectangle in the SVG's space, if it is one.
fn clip_rect(group: &usvg::Group, clip: &usvg::ClipPath) -> Option<Rect> {
    let [usvg::Node::Path(path)] = clip.root().children() else { return None };
    // A clip of a clip is a rectangle only by luck.
    if clip.clip_path().is_some() {
        return None;
    }
    let to_svg =
        group.abs_transform().pre_concat(clip.transform()).pre_concat(path.abs_transform());
    let outline = path.data().clone().transform(to_svg)?;
    let bounds = outline.bounds();
    let size = Size::new(f64::from(bounds.width()), f64::from(bounds.height()));
    let is_upright = to_svg.kx == 0.0 && to_svg.ky == 0.0;
    (is_upright && is_rect(&outline) && size.width > 0.0 && size.height > 0.0).then(|| rect(bounds))
}

/// Whether a path goes once around its own box.
fn is_rect(path: &Path) -> bool {
    let bounds = path.bounds();
    let mut corners = 0;
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) | PathSegment::LineTo(p) => {
                // Exactly: the corners were made by the same arithmetic as the bounds.
                let on_x = p.x == bounds.left() || p.x == bounds.right();
                let on_y = p.y == bounds.top() || p.y == bounds.bottom();
                if !on_x || !on_y {
                    return false;
                }
                corners += 1;
            }
            PathSegment::Close => {}
            PathSegment::QuadTo(..) | PathSegment::CubicTo(..) => return false,
        }
    }
    (4..=5).contains(&corners) && bounds.width() > 0.0
}

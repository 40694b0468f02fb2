//! Builds the design call by call.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::base::{Affine, CancelToken, Point, Rect, Rgba};
use crate::design::edit::Transaction;
use crate::design::{
    BlendMode, BooleanOp, ChildList, Document, MaskType, Node, NodeId, NodeKind, Paint,
};
use crate::environment::{Environment as _, Snapshot, ToolCall};
use crate::render::svg::{ExportedSvg, SvgOptions, export_node};
use crate::render::{RenderContext, RenderError, render_bounds};

use super::calls::{self, TranscriptCall};
use super::visual_eq::looks_alike;
use crate::environment::canvas::environment::CanvasEnvironment;
use crate::environment::canvas::start::{CanvasSettings, Start, StartError};

/// What can be beyond a frame's edge without being missed.
const SLACK: f64 = 0.01;

/// The calls that build a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// In order, for a blank canvas of the design's size.
    pub calls: Vec<ToolCall>,
    /// What could not be built as it is, and how it was built instead, for people.
    pub remarks: Vec<String>,
}

/// Why a design cannot be written down as calls.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// There is nothing to build, or the canvas refuses its size.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A tool refused what was asked.
    #[error("{tool} refused: {message}")]
    Refused {
        /// Which tool.
        tool: String,
        /// Why.
        message: String,
    },
    /// A node could not be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Writes down the main frame of a design as calls.
pub fn transcribe(
    render: &RenderContext,
    design: &Document,
) -> Result<Transcript, TranscribeError> {
    Transcriber::new(render, design)?.write()
}

struct Transcriber {
    render: RenderContext,
    /// What is wanted, its main frame at (0, 0).
    design: Document,
    screen: NodeId,
    /// What is built so far.
    canvas: CanvasEnvironment,
    calls: Vec<ToolCall>,
    remarks: Vec<String>,
}

/// A place to come back to.
struct Checkpoint {
    canvas: Snapshot,
    calls: usize,
    remarks: usize,
}

impl Transcriber {
    fn new(render: &RenderContext, design: &Document) -> Result<Self, TranscribeError> {
        let settings = CanvasSettings { render: render.clone(), ..CanvasSettings::default() };
        // A canvas puts the design's main frame at (0, 0), as the blank one has it.
        let wanted = CanvasEnvironment::new(Start::Design(design.clone()), settings.clone())?;
        let screen = wanted.start_frame().clone();
        let design = wanted.document().clone();
        // The blank canvas is as large as the design's own screen.
        let size = design.node(&screen).map_err(StartError::from)?.size;
        let canvas = CanvasEnvironment::new(Start::Blank(size), settings)?;
        Ok(Self {
            render: render.clone(),
            design,
            screen,
            canvas,
            calls: Vec::new(),
            remarks: Vec::new(),
        })
    }

    fn write(mut self) -> Result<Transcript, TranscribeError> {
        let wanted = self.wanted(&self.screen.clone())?;
        let built = self.canvas.start_frame().to_string();
        // The screen is there already, and white: it is painted rather than made.
        let fill = calls::seen(&wanted.fills).and_then(Paint::solid_color);
        let fill = fill.unwrap_or(Rgba::TRANSPARENT);
        let color = json!({"r": fill.r, "g": fill.g, "b": fill.b, "a": fill.a});
        self.request(("set_fill_color", fields(color)), Some(&built))?;
        self.finish(&wanted, &built)?;
        if !self.is_built(&built, &wanted) {
            self.background(&wanted, &built)?;
        }
        self.siblings(&wanted.children.to_vec(), &built)?;
        Ok(Transcript { calls: self.calls, remarks: self.remarks })
    }

    /// Builds nodes of one parent, bottom first; gives the ids of what is now in `parent`.
    fn siblings(
        &mut self,
        wanted: &[NodeId],
        parent: &str,
    ) -> Result<Vec<String>, TranscribeError> {
        let mut all = Vec::new();
        let mut rest = wanted;
        while let Some((first, after)) = rest.split_first() {
            if !self.is_mask(first) {
                all.extend(self.node(first, parent)?);
                rest = after;
                continue;
            }
            // A mask holds for its later siblings, up to the next mask.
            let end = after.iter().position(|id| self.is_mask(id)).unwrap_or(after.len());
            let (masked, next) = after.split_at(end);
            all.extend(self.masked(first, masked, parent)?);
            rest = next;
        }
        Ok(all)
    }

    fn masked(
        &mut self,
        mask: &NodeId,
        masked: &[NodeId],
        parent: &str,
    ) -> Result<Vec<String>, TranscribeError> {
        let wanted = self.wanted(mask)?;
        if wanted.mask_type != MaskType::Alpha {
            self.remark(&wanted, "masks by its alpha, as there is no tool for other masks");
        }
        // The mask comes first, as its id names it in the call.
        let made = self.node(mask, parent)?;
        let contents: Vec<String> =
            masked.iter().map(|id| self.node(id, parent)).collect::<Result<Vec<_>, _>>()?.concat();
        // A mask of nothing, or one that paints nothing, leaves its siblings as they are.
        let (Some(mask), false) = (made.first(), contents.is_empty()) else {
            return Ok([made, contents].concat());
        };
        let arguments = json!({"maskNodeId": mask, "contentNodeIds": contents});
        let reply = self.request(("create_mask", fields(arguments)), None)?;
        Ok(id_in(&reply).into_iter().collect())
    }

    /// Builds one node with what is in it; gives the ids of what is now in `parent`: one, or several
    /// where a group could not be kept.
    fn node(&mut self, id: &NodeId, parent: &str) -> Result<Vec<String>, TranscribeError> {
        let wanted = self.wanted(id)?;
        // What nobody sees is not built.
        if !wanted.visible || wanted.opacity <= 0.0 || wanted.kind == NodeKind::Slice {
            return Ok(Vec::new());
        }
        match &wanted.kind {
            NodeKind::Group => self.group(&wanted, parent),
            NodeKind::BooleanOperation(op) => self.combined(&wanted, *op, parent),
            kind if kind.is_container() => self.frame(&wanted, parent),
            _ => Ok(self.leaf(&wanted, parent)?.into_iter().collect()),
        }
    }

    fn leaf(&mut self, wanted: &Node, parent: &str) -> Result<Option<String>, TranscribeError> {
        let page_from_node = self.page_from(wanted);
        let at = calls::upright_box(page_from_node, wanted.size);
        let request = match &wanted.kind {
            NodeKind::Rectangle => calls::shape("create_rectangle", wanted, at, parent),
            NodeKind::Ellipse(_) => calls::shape("create_ellipse", wanted, at, parent),
            NodeKind::RegularPolygon { corners } => {
                let mut polygon = calls::shape("create_polygon", wanted, at, parent);
                polygon.1.insert("pointCount".to_owned(), (*corners).into());
                polygon
            }
            NodeKind::Star { tips, inner_ratio } => {
                let mut star = calls::shape("create_star", wanted, at, parent);
                star.1.insert("pointCount".to_owned(), (*tips).into());
                star.1.insert("innerRadius".to_owned(), (inner_ratio * 100.0).into());
                star
            }
            NodeKind::Line => calls::line(wanted, page_from_node, parent),
            NodeKind::Text(content) => calls::text(&self.render, wanted, content, at, parent),
            _ => return self.graphic(wanted, parent),
        };
        // Tried, and taken back if it came out otherwise: a vector graphic can be anything.
        let before = self.checkpoint();
        let built = self.attempt(wanted, request, page_from_node);
        match built {
            Ok(id) if self.is_built(&id, wanted) => Ok(Some(id)),
            _ => {
                self.back_to(&before);
                self.graphic(wanted, parent)
            }
        }
    }

    fn attempt(
        &mut self,
        wanted: &Node,
        request: TranscriptCall,
        page_from_node: Affine,
    ) -> Result<String, TranscribeError> {
        let reply = self.request(request, None)?;
        let id = id_in(&reply).unwrap_or_default();
        if let Some(content) = wanted.text() {
            for request in calls::letters(content) {
                self.request(request, Some(&id))?;
            }
        }
        self.finish(wanted, &id)?;
        // A line was made between its two ends, turn included.
        if wanted.kind != NodeKind::Line
            && let Some(request) = calls::rotation(page_from_node)
        {
            self.request(request, Some(&id))?;
        }
        Ok(id)
    }

    /// A frame, or where it lets its children hang out, a group of its own look and them.
    fn frame(&mut self, wanted: &Node, parent: &str) -> Result<Vec<String>, TranscribeError> {
        let page_from_node = self.page_from(wanted);
        // Turning a frame made of calls would turn its children with it, each by its own rounding.
        if !page_from_node.is_translation() {
            return Ok(self.graphic(wanted, parent)?.into_iter().collect());
        }
        let at = page_from_node.bounds_of(wanted.size);
        // Every frame that the tools make cuts; where nothing hangs out that is not seen.
        if !wanted.clips_content && self.hangs_out(wanted, at) {
            return self.loose_frame(wanted, parent);
        }
        let reply = self.request(calls::shape("create_frame", wanted, at, parent), None)?;
        let id = id_in(&reply).unwrap_or_default();
        self.finish(wanted, &id)?;
        if !self.is_built(&id, wanted) {
            self.background(wanted, &id)?;
        }
        self.siblings(&wanted.children.to_vec(), &id)?;
        Ok(vec![id])
    }

    fn loose_frame(&mut self, wanted: &Node, parent: &str) -> Result<Vec<String>, TranscribeError> {
        self.remark(wanted, "became a group, as there is no tool that stops a frame from clipping");
        let own = self.graphic_of(own_look(wanted), calls::effects(wanted), parent)?;
        let mut made: Vec<String> = own.into_iter().collect();
        made.extend(self.siblings(&wanted.children.to_vec(), parent)?);
        self.grouped(wanted, made, parent)
    }

    fn group(&mut self, wanted: &Node, parent: &str) -> Result<Vec<String>, TranscribeError> {
        let made = self.siblings(&wanted.children.to_vec(), parent)?;
        self.grouped(wanted, made, parent)
    }

    /// Groups what was made. One node alone cannot be grouped: it stays as it is, in a frame where
    /// the group has a look of its own.
    fn grouped(
        &mut self,
        wanted: &Node,
        made: Vec<String>,
        parent: &str,
    ) -> Result<Vec<String>, TranscribeError> {
        let look = calls::look(wanted);
        if made.len() > 1 {
            let arguments = json!({"nodeIds": made, "groupName": wanted.name});
            let reply = self.request(("group_nodes", fields(arguments)), None)?;
            let id = id_in(&reply).unwrap_or_default();
            for request in calls::layer(wanted) {
                self.request(request, Some(&id))?;
            }
            return Ok(vec![id]);
        }
        let ([only], false) = (&made[..], look.is_empty()) else { return Ok(made) };
        let only = NodeId::from(only.as_str());
        let Some(bounds) = render_bounds(&self.render, self.canvas.document(), &only) else {
            return Ok(made);
        };
        // A frame cuts: it goes around all that the node paints, on whole pixels.
        let around = Rect::from_corners(
            Point::new(bounds.x.floor(), bounds.y.floor()),
            Point::new(bounds.right().ceil(), bounds.bottom().ceil()),
        );
        let bare = Node { fills: Vec::new(), children: ChildList::new(), ..Node::clone(wanted) };
        let reply = self.request(calls::shape("create_frame", &bare, around, parent), None)?;
        let id = id_in(&reply).unwrap_or_default();
        let at = self.canvas.document().absolute_box(&only).map_err(StartError::from)?;
        let arguments = json!({"nodeId": only.as_str(), "x": at.x, "y": at.y, "parentId": id});
        self.request(("move_node", fields(arguments)), None)?;
        for request in calls::layer(wanted) {
            self.request(request, Some(&id))?;
        }
        Ok(vec![id])
    }

    fn combined(
        &mut self,
        wanted: &Node,
        op: BooleanOp,
        parent: &str,
    ) -> Result<Vec<String>, TranscribeError> {
        let before = self.checkpoint();
        // Its shapes first: only what is on the canvas can be combined.
        let made = self.siblings(&wanted.children.to_vec(), parent)?;
        // The tool's words, which are Figma's.
        let operation = match op {
            BooleanOp::Union => "UNION",
            BooleanOp::Intersect => "INTERSECT",
            BooleanOp::Subtract => "SUBTRACT",
            BooleanOp::Exclude => "EXCLUDE",
        };
        if made.len() > 1 {
            let arguments = json!({"nodeIds": made, "operation": operation});
            let reply = self.request(("boolean_nodes", fields(arguments)), None)?;
            let id = id_in(&reply).unwrap_or_default();
            let rename = json!({"newName": wanted.name});
            self.request(("rename_node", fields(rename)), Some(&id))?;
            if let Some(fill) = calls::seen(&wanted.fills).and_then(Paint::solid_color) {
                let color = json!({"r": fill.r, "g": fill.g, "b": fill.b, "a": fill.a});
                self.request(("set_fill_color", fields(color)), Some(&id))?;
            }
            self.finish(wanted, &id)?;
            if self.is_built(&id, wanted) {
                return Ok(vec![id]);
            }
        }
        self.back_to(&before);
        Ok(self.graphic(wanted, parent)?.into_iter().collect())
    }

    /// The own look of a frame that tools cannot give it, as its lowest child.
    fn background(&mut self, wanted: &Node, frame: &str) -> Result<(), TranscribeError> {
        let clear = json!({"r": 0, "g": 0, "b": 0, "a": 0});
        self.request(("set_fill_color", fields(clear)), Some(frame))?;
        self.graphic_of(own_look(wanted), Vec::new(), frame)?;
        Ok(())
    }

    /// A node with its subtree as SVG.
    fn graphic(&mut self, wanted: &Node, parent: &str) -> Result<Option<String>, TranscribeError> {
        let mut plain = wanted.clone();
        (plain.opacity, plain.blend_mode) = (1.0, BlendMode::PassThrough);
        plain.is_mask = false;
        plain.effects.clear();
        let mut requests = calls::effects(wanted);
        requests.extend(calls::layer(wanted));
        self.graphic_of(plain, requests, parent)
    }

    /// `shown` as SVG, in the place of the node it is a variant of; `requests` are what SVG does not
    /// bring with it. `None` if it paints nothing.
    fn graphic_of(
        &mut self,
        shown: Node,
        requests: Vec<TranscriptCall>,
        parent: &str,
    ) -> Result<Option<String>, TranscribeError> {
        let (id, name) = (shown.id.clone(), shown.name.clone());
        // What paints nothing has no SVG, and needs no node.
        let Some(exported) = self.exported(shown)? else { return Ok(None) };
        let at = exported.page_box;
        let arguments = json!({
            "svg": exported.svg, "name": name, "x": at.x, "y": at.y, "parentId": parent,
        });
        let Ok(reply) = self.request(("create_graphic", fields(arguments)), None) else {
            self.remarks.push(format!("{id} \"{name}\" was left out: its SVG has no shape"));
            return Ok(None);
        };
        let built = id_in(&reply).unwrap_or_default();
        for request in requests {
            self.request(request, Some(&built))?;
        }
        // What the export could not say is said to the person who reads the script.
        for diagnostic in &exported.diagnostics {
            self.remarks.push(format!("{}: {}", diagnostic.node, diagnostic.message));
        }
        Ok(Some(built))
    }

    /// `None` if there is nothing to be seen.
    fn exported(&self, shown: Node) -> Result<Option<ExportedSvg>, TranscribeError> {
        // On a copy of the design with the variant in its place: its surroundings are those of the page.
        let mut document = self.design.clone();
        let id = shown.id.clone();
        let mut change = Transaction::begin(&mut document);
        // The variant stands for the node alone.
        if shown.children.is_empty() {
            let children = change.document().children_of(Some(&id)).to_vec();
            for child in &children {
                change.remove(child).map_err(StartError::from)?;
            }
        }
        change.update(&id, |node| *node = shown).map_err(StartError::from)?;
        change.commit();
        match export_node(&self.render, &document, &id, SvgOptions::default()) {
            Ok(exported) => Ok(Some(exported)),
            Err(RenderError::Empty(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn finish(&mut self, wanted: &Node, id: &str) -> Result<(), TranscribeError> {
        for request in calls::look(wanted) {
            self.request(request, Some(id))?;
        }
        Ok(())
    }

    /// Plays a call and writes it down.
    fn request(
        &mut self,
        (tool, mut arguments): TranscriptCall,
        node: Option<&str>,
    ) -> Result<Value, TranscribeError> {
        // Its id is only known once it was made.
        if let Some(node) = node {
            arguments.insert("nodeId".to_owned(), node.into());
        }
        let call = ToolCall {
            // Numbered in order, so that the same design gives the same script.
            id: format!("call-{}", self.calls.len() + 1),
            name: tool.to_owned(),
            arguments: Value::Object(arguments),
        };
        // Played before it is written down: a call that fails is not part of the script.
        let outcome = self.canvas.call(&call, &CancelToken::default());
        if let Some(failure) = outcome.failure {
            return Err(TranscribeError::Refused { tool: call.name, message: failure.message });
        }
        self.calls.push(call);
        Ok(outcome.structured.unwrap_or_default())
    }

    fn is_built(&self, id: &str, wanted: &Node) -> bool {
        let canvas = self.canvas.document();
        let built = canvas.get(&NodeId::from(id));
        built.is_some_and(|built| looks_alike((built, canvas), (wanted, &self.design)))
    }

    fn wanted(&self, id: &NodeId) -> Result<Arc<Node>, TranscribeError> {
        Ok(Arc::clone(self.design.node(id).map_err(StartError::from)?))
    }

    fn is_mask(&self, id: &NodeId) -> bool {
        self.design.get(id).is_some_and(|node| node.is_mask)
    }

    fn page_from(&self, wanted: &Node) -> Affine {
        self.design.absolute_transform(&wanted.id).unwrap_or(wanted.transform)
    }

    /// Whether something in the frame is painted beyond its edge.
    fn hangs_out(&self, wanted: &Node, at: Rect) -> bool {
        let around = at.expand(SLACK);
        wanted
            .children
            .iter()
            .filter_map(|child| render_bounds(&self.render, &self.design, child))
            .any(|child| {
                child.x < around.x
                    || child.y < around.y
                    || child.right() > around.right()
                    || child.bottom() > around.bottom()
            })
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            canvas: self.canvas.snapshot(),
            calls: self.calls.len(),
            remarks: self.remarks.len(),
        }
    }

    fn back_to(&mut self, checkpoint: &Checkpoint) {
        self.canvas.restore(&checkpoint.canvas);
        self.calls.truncate(checkpoint.calls);
        self.remarks.truncate(checkpoint.remarks);
    }

    fn remark(&mut self, node: &Node, what: &str) {
        self.remarks.push(format!("{} \"{}\" {what}", node.id, node.name));
    }
}

/// The node without what is in it and what the frame built for it has already. A rectangle, as a
/// frame's picture ends at its edge, where its outline may not.
fn own_look(node: &Node) -> Node {
    Node {
        kind: NodeKind::Rectangle,
        children: ChildList::new(),
        effects: Vec::new(),
        opacity: 1.0,
        blend_mode: BlendMode::PassThrough,
        ..node.clone()
    }
}

/// The arguments of a call.
fn fields(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The id of the node that a call made.
fn id_in(reply: &Value) -> Option<String> {
    let id = ["id", "groupId"].iter().find_map(|key| reply.get(*key)?.as_str());
    id.map(str::to_owned)
}

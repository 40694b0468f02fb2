//! Draws what it sees: the honest baseline that needs no model.
//!
//! `tracer` gets what a model gets (instruction, size, the picture to arrive at, tools, outcomes)
//! and nothing of the ground truth's document. It finds regions, boxes, corners, outlines, fills,
//! texts and small forms, draws each as one named node, groups what belongs together, looks at
//! its own picture and mends. At most 150 nodes a screen, and no mosaic: every node is a thing that
//! a person would name.
//!
//! - [`see`] makes a draft of the picture: [`segment`] and [`boxes`] for areas, [`residual`], [`text`]
//!   and [`trace`] for what lies on them;
//! - [`plan`] chooses what is worth its node, names and groups it;
//! - [`calls`] puts pieces into tool calls; [`correct`] compares the result with the picture;
//! - [`edit`] does the same to a design that is there already, of which most is left as it is;
//! - [`Tracer`] does this turn by turn. Start reading there.
//!
//! Limits: it reads Latin letters that look like Inter's; gradients run along an axis; shadows,
//! blurs and photos are not drawn.

mod area;
mod boxes;
mod calls;
mod closeness;
mod corners;
mod correct;
mod draft;
mod draw;
mod edges;
mod edit;
mod fills;
mod ink;
mod mask;
mod picture;
mod plan;
mod residual;
mod see;
mod segment;
mod text;
mod trace;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};
use crate::base::{CancelToken, Cancelled};
use crate::environment::{ToolCall, ToolOutcome};
use crate::run::AgentRef;

use area::Area;
use calls::Scale;
use correct::Correction;
use draft::{Piece, Role, Shape, TextRun};
use picture::Picture;
use plan::Plan;
use see::Draft;

/// How often it looks at its own picture and mends, at most.
const MOST_LOOKS: usize = 3;

/// The tools it works with.
const TOOLS: [&str; 15] = [
    "create_rectangle",
    "create_ellipse",
    "create_text",
    "create_graphic",
    "set_fill_color",
    "set_fill_gradient",
    "set_corner_radius",
    "set_stroke",
    "set_text_properties",
    "move_node",
    "delete_node",
    "group_nodes",
    "get_page_structure",
    "get_node_info",
    "get_result_image",
];

/// The agent. One run each.
#[derive(Debug, Default)]
pub struct Tracer {
    stage: TracerStage,
    work: Option<Work>,
}

/// What the next turn is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TracerStage {
    #[default]
    Look,
    /// What there is already is described, or the frame is empty.
    Study,
    /// The start is changed where it differs.
    Edit,
    /// What is new in the picture is added.
    Add,
    /// What was added and did not help is taken back.
    Judge,
    Regions,
    Boxes,
    Forms,
    Texts,
    Groups,
    Mend(usize),
    Done,
}

/// What it knows once it has seen the picture.
#[derive(Debug)]
struct Work {
    picture: Picture,
    /// All that is seen in it, whether it is worth a node or not.
    whole: Draft,
    /// The canvas as it was seen before it was changed last.
    before: Option<Picture>,
    plan: Plan,
    scale: Scale,
    main_frame: String,
    /// The node of each piece that was made.
    nodes: Vec<Option<String>>,
    /// Which piece each call of the last turn makes, by the call's id.
    making: BTreeMap<String, usize>,
    /// Pieces whose nodes still lack what their creation cannot give.
    unfinished: Vec<usize>,
    /// What each moved text was before, and how near its surroundings were.
    moved: BTreeMap<usize, (TextRun, f64)>,
}

impl Tracer {
    /// A tracer at the beginning of its work.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Agent for Tracer {
    fn identity(&self) -> AgentRef {
        AgentRef {
            kind: AgentKind::Tracer.name().to_owned(),
            name: AgentKind::Tracer.name().to_owned(),
            version: Some("1".to_owned()),
        }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        cancel.check()?;
        let work = match self.work.take() {
            Some(work) => self.work.insert(work),
            None => self.work.insert(Work::begin(view, cancel)?),
        };
        work.take_in(view.last_turn);
        let mut turn = TracerTurn::new(view.turn);
        // A stage with nothing to do is no turn.
        while turn.calls.is_empty() && self.stage != TracerStage::Done {
            self.stage = work.act(self.stage, view, cancel, &mut turn)?;
        }
        if turn.thought.is_empty() {
            turn.thought.push_str("The canvas is as near to the picture as I can bring it.");
        }
        Ok(AgentTurn { thought: turn.thought, calls: turn.calls, ..AgentTurn::default() })
    }
}

/// An answer being put together.
struct TracerTurn {
    number: u32,
    thought: String,
    calls: Vec<ToolCall>,
}

impl TracerTurn {
    fn new(number: u32) -> Self {
        Self { number, thought: String::new(), calls: Vec::new() }
    }

    /// Adds a call; gives its id.
    fn call(&mut self, name: &str, arguments: Value) -> String {
        let id = format!("tracer-{}-{}", self.number, self.calls.len() + 1);
        self.calls.push(ToolCall { id: id.clone(), name: name.to_owned(), arguments });
        id
    }
}

impl Work {
    fn begin(view: &AgentView<'_>, cancel: &CancelToken) -> Result<Self, AgentError> {
        // Both are looked for before any work: what it lacks is said in the first turn.
        let pixels = view.ground_truth.ok_or(AgentError::Needs("a picture of the ground truth"))?;
        if TOOLS.iter().any(|name| view.tools.iter().all(|tool| tool.name != *name)) {
            return Err(AgentError::Needs("the drawing tools of a vector canvas"));
        }
        let picture = Picture::of(pixels);
        let whole = see::see(&picture, cancel)?;
        cancel.check()?;
        let plan = plan::plan(&picture, whole.clone());
        // The working picture may be smaller than what was shown, and that of another scale than
        // the canvas.
        let scale = Scale {
            x: view.canvas_size.width / picture.width() as f64,
            y: view.canvas_size.height / picture.height() as f64,
        };
        let nodes = vec![None; plan.draft.pieces.len()];
        let main_frame = view.main_frame.to_owned();
        Ok(Self {
            picture,
            whole,
            before: None,
            plan,
            scale,
            main_frame,
            nodes,
            making: BTreeMap::new(),
            unfinished: Vec::new(),
            moved: BTreeMap::new(),
        })
    }

    /// Learns the ids of the nodes that the last turn made.
    fn take_in(&mut self, last_turn: &[(ToolCall, ToolOutcome)]) {
        // A piece whose call failed has no node, and is left out of all that follows.
        for (call, outcome) in last_turn {
            let Some(piece) = self.making.remove(&call.id) else { continue };
            let id = outcome.structured.as_ref().and_then(|s| s.get("id")).and_then(Value::as_str);
            if let (false, Some(id)) = (outcome.is_error(), id) {
                self.nodes[piece] = Some(id.to_owned());
                self.unfinished.push(piece);
            }
        }
        // What was asked and not answered was never made: the run was cut between the calls.
        self.making.clear();
    }

    /// Does a stage; gives the next.
    fn act(
        &mut self,
        stage: TracerStage,
        view: &AgentView<'_>,
        cancel: &CancelToken,
        turn: &mut TracerTurn,
    ) -> Result<TracerStage, Cancelled> {
        // Ids are known a turn later: radii, gradients and outlines are set in the turn after the
        // creation.
        self.finish_new(turn);
        Ok(match stage {
            TracerStage::Look => {
                turn.thought.push_str("I look at what is on the canvas.");
                turn.call("get_page_structure", json!({}));
                turn.call("get_result_image", json!({}));
                TracerStage::Study
            }
            TracerStage::Study => self.study(view.last_turn, turn),
            TracerStage::Edit => self.edit(view.last_turn, cancel, turn)?,
            TracerStage::Add => self.add(view.last_turn, turn),
            TracerStage::Judge => self.judge(view.last_turn, turn),
            TracerStage::Regions => {
                let first_box = self.first_box();
                self.make(turn, "regions of the background", |i, _| i < first_box);
                TracerStage::Boxes
            }
            TracerStage::Boxes => {
                let first_box = self.first_box();
                self.make(turn, "boxes, discs and lines", |i, shape| {
                    i >= first_box && matches!(shape, Shape::Box(_) | Shape::Ellipse)
                });
                TracerStage::Forms
            }
            TracerStage::Forms => {
                self.make(turn, "icons and other small forms", |_, s| matches!(s, Shape::Trace(_)));
                TracerStage::Texts
            }
            TracerStage::Texts => {
                self.make(turn, "texts", |_, s| matches!(s, Shape::Text(_) | Shape::Paragraph(_)));
                TracerStage::Groups
            }
            TracerStage::Groups => {
                self.group(turn);
                turn.call("get_result_image", json!({}));
                TracerStage::Mend(1)
            }
            TracerStage::Mend(round) => self.mend(round, view.last_turn, turn),
            TracerStage::Done => TracerStage::Done,
        })
    }

    fn start(&self, turn: &mut TracerTurn) {
        let pieces = &self.plan.draft.pieces;
        let texts = pieces.iter().filter(|piece| piece.role == Role::Text).count();
        let forms = pieces.iter().filter(|piece| piece.role == Role::Icon).count();
        let boxes = pieces.len() - texts - forms;
        turn.thought = format!(
            "I see {boxes} boxes and lines, {forms} small forms and {texts} lines of text. I begin with the background."
        );
        let mut arguments = calls::colour(self.plan.draft.backdrop);
        arguments["nodeId"] = json!(self.main_frame);
        turn.call("set_fill_color", arguments);
    }

    /// Asks for what is on the main frame already; of an empty one, begins to draw.
    fn study(
        &mut self,
        last_turn: &[(ToolCall, ToolOutcome)],
        turn: &mut TracerTurn,
    ) -> TracerStage {
        let structure = last_turn.iter().find(|(call, _)| call.name == "get_page_structure");
        let tree = structure.and_then(|(_, outcome)| outcome.structured.as_ref());
        let ids = edit::ids_of_start(tree, &self.main_frame);
        let seen = picture_of(last_turn).filter(|seen| seen.area() == self.picture.area());
        let Some(seen) = seen.filter(|_| !ids.is_empty()) else {
            self.start(turn);
            return TracerStage::Regions;
        };
        turn.thought.push_str("There is a design already: I change only what differs.");
        turn.call("get_node_info", json!({"nodeIds": ids}));
        self.before = Some(seen);
        TracerStage::Edit
    }

    /// Changes nodes of the start where the picture has them otherwise.
    fn edit(
        &mut self,
        last_turn: &[(ToolCall, ToolOutcome)],
        cancel: &CancelToken,
        turn: &mut TracerTurn,
    ) -> Result<TracerStage, Cancelled> {
        let told = last_turn.iter().find_map(|(_, outcome)| outcome.structured.as_ref());
        let (Some(told), Some(before)) = (told, self.before.take()) else {
            return Ok(TracerStage::Done);
        };
        let seen = see::see(&before, cancel)?;
        let target = (&self.picture, &self.whole);
        let (calls, added) = edit::edits(told, (&before, &seen), target, self.scale);
        turn.thought = format!("{} of its nodes are to be otherwise.", calls.len());
        for (tool, arguments) in calls {
            turn.call(tool, arguments);
        }
        self.set_pieces(added);
        turn.call("get_result_image", json!({}));
        Ok(TracerStage::Add)
    }

    /// Adds what is new and brings the picture nearer.
    fn add(&mut self, last_turn: &[(ToolCall, ToolOutcome)], turn: &mut TracerTurn) -> TracerStage {
        let seen = picture_of(last_turn).filter(|seen| seen.area() == self.picture.area());
        let Some(mut canvas) = seen else { return TracerStage::Done };
        let mut kept = Vec::new();
        for piece in std::mem::take(&mut self.plan.draft.pieces) {
            let area = plan::touched(&piece, &self.picture);
            let (wanted, now) = (self.picture.crop(area), canvas.crop(area));
            let whole = Area::new(0, 0, area.width(), area.height());
            let Some(then) = draw::draw_over(&now, &piece, area) else { continue };
            let gain = closeness::similarity_sum(&wanted, &then, whole).0
                - closeness::similarity_sum(&wanted, &now, whole).0;
            if gain >= plan::LEAST_GAIN {
                canvas.put(&then, area);
                kept.push(piece);
            }
        }
        self.set_pieces(kept);
        self.make(turn, "pieces that are new", |_, _| true);
        if turn.calls.is_empty() {
            return TracerStage::Done;
        }
        self.before = picture_of(last_turn);
        turn.call("get_result_image", json!({}));
        TracerStage::Judge
    }

    /// Takes back what was added and brought the picture no nearer.
    fn judge(
        &mut self,
        last_turn: &[(ToolCall, ToolOutcome)],
        turn: &mut TracerTurn,
    ) -> TracerStage {
        let (Some(before), Some(now)) = (self.before.take(), picture_of(last_turn)) else {
            return TracerStage::Done;
        };
        let mut removed = 0;
        for i in 0..self.nodes.len() {
            let area = plan::touched(&self.plan.draft.pieces[i], &self.picture);
            let was = closeness::similarity_sum(&self.picture, &before, area).0;
            if self.nodes[i].is_some()
                && closeness::similarity_sum(&self.picture, &now, area).0 < was
            {
                self.remove(i, turn);
                removed += 1;
            }
        }
        if removed > 0 {
            turn.thought = mended(0, removed);
        }
        TracerStage::Done
    }

    /// Draws these pieces from now on.
    fn set_pieces(&mut self, pieces: Vec<Piece>) {
        let draft = Draft { backdrop: self.plan.draft.backdrop, pieces };
        self.plan = plan::named(draft);
        self.nodes = vec![None; self.plan.draft.pieces.len()];
    }

    /// Where the pieces that lie on the regions begin.
    fn first_box(&self) -> usize {
        let pieces = &self.plan.draft.pieces;
        pieces.iter().position(|p| p.role != Role::Region).unwrap_or(pieces.len())
    }

    /// Makes the nodes of the pieces that are chosen.
    fn make(&mut self, turn: &mut TracerTurn, what: &str, chosen: impl Fn(usize, &Shape) -> bool) {
        let mut made = 0;
        for (i, piece) in self.plan.draft.pieces.iter().enumerate() {
            if !chosen(i, &piece.shape) || self.nodes[i].is_some() {
                continue;
            }
            let name = &self.plan.names[i];
            let (tool, arguments) = calls::create(piece, name, &self.main_frame, self.scale);
            self.making.insert(turn.call(tool, arguments), i);
            made += 1;
        }
        if made > 0 {
            turn.thought = format!("Next the {what}: {made} of them.");
        }
    }

    /// Gives the nodes of the last turn what their creation could not.
    fn finish_new(&mut self, turn: &mut TracerTurn) {
        for i in std::mem::take(&mut self.unfinished) {
            let Some(node) = &self.nodes[i] else { continue };
            for (tool, arguments) in calls::finish(&self.plan.draft.pieces[i], node, self.scale) {
                turn.call(tool, arguments);
            }
        }
    }

    fn group(&self, turn: &mut TracerTurn) {
        let mut made = 0;
        for (name, members) in &self.plan.groups {
            let ids: Vec<&String> =
                members.iter().filter_map(|m| self.nodes[*m].as_ref()).collect();
            // One that is left of a group, the others having failed, needs none.
            if ids.len() >= 2 {
                turn.call("group_nodes", json!({"nodeIds": ids, "groupName": name}));
                made += 1;
            }
        }
        turn.thought = format!(
            "I put what belongs together into {made} groups and look at the result beside the picture."
        );
    }

    /// Compares the canvas with the picture and mends what is off.
    fn mend(
        &mut self,
        round: usize,
        last_turn: &[(ToolCall, ToolOutcome)],
        turn: &mut TracerTurn,
    ) -> TracerStage {
        // Compared pixel by pixel, so of one size or not at all.
        let drawn = picture_of(last_turn).filter(|drawn| drawn.area() == self.picture.area());
        let Some(drawn) = drawn else {
            turn.thought.push_str(
                "The picture of the canvas has another size than the one to arrive at, so I leave it.",
            );
            return TracerStage::Done;
        };
        // What the last look moved is judged first, and taken back where it did not help, so that
        // the same text is not moved to and fro.
        let back = self.moved_for_the_worse(&drawn);
        let corrections = if round >= MOST_LOOKS {
            Vec::new()
        } else {
            correct::corrections(&self.picture, &drawn, &self.plan, round, |i| {
                self.nodes[i].is_some() && !back.contains(&i)
            })
        };
        let (mut moved, mut removed, apart) = (back.len(), 0, self.nodes.len());
        for i in back {
            if let Some((run, _)) = self.moved.remove(&i) {
                self.place_text(i, run, turn);
            }
        }
        for correction in corrections {
            match correction {
                Correction::Remove(i) => {
                    self.remove(i, turn);
                    removed += 1;
                }
                Correction::Shift(i, by) => {
                    self.shift_paragraph(i, by, turn);
                    moved += 1;
                }
                Correction::Split(i) => {
                    moved += self.take_apart(i, turn);
                }
                Correction::Refit(i, run) => {
                    // Kept with the text as it was, for the next look to judge the move by.
                    let before = self.closeness_at(i, &drawn);
                    if let Shape::Text(old) = &self.plan.draft.pieces[i].shape {
                        self.moved.insert(i, (old.clone(), before));
                    }
                    self.place_text(i, run, turn);
                    moved += 1;
                }
            }
        }
        self.make(turn, "lines of text", |i, _| i >= apart);
        if turn.calls.is_empty() {
            return TracerStage::Done;
        }
        turn.thought = mended(moved, removed);
        turn.call("get_result_image", json!({}));
        TracerStage::Mend(round + 1)
    }

    /// Texts whose last move brought the picture no nearer.
    fn moved_for_the_worse(&self, drawn: &Picture) -> Vec<usize> {
        let moved = self.moved.iter();
        let worse = moved.filter(|(i, (_, before))| self.closeness_at(**i, drawn) < *before);
        worse.map(|(i, _)| *i).collect()
    }

    fn closeness_at(&self, piece: usize, drawn: &Picture) -> f64 {
        let area = plan::touched(&self.plan.draft.pieces[piece], &self.picture);
        closeness::similarity_sum(&self.picture, drawn, area).0
    }

    fn place_text(&mut self, i: usize, run: TextRun, turn: &mut TracerTurn) {
        let Some(node) = &self.nodes[i] else { return };
        let piece = &mut self.plan.draft.pieces[i];
        let Shape::Text(old) = &piece.shape else { return };
        // A call for the spacing only where it changes; the place always does.
        if old.spacing != run.spacing {
            turn.call("set_text_properties", calls::spacing(&run, node, self.scale));
        }
        let (x, y) = calls::text_origin(&run, self.scale);
        let (x, y) = (calls::number(x), calls::number(y));
        turn.call("move_node", json!({"nodeId": node, "x": x, "y": y}));
        piece.bounds.x += f64::from(run.left - old.left);
        piece.bounds.y += f64::from(run.baseline - old.baseline);
        piece.shape = Shape::Text(run);
    }

    fn shift_paragraph(&mut self, i: usize, [dx, dy]: [f32; 2], turn: &mut TracerTurn) {
        let Some(node) = &self.nodes[i] else { return };
        let Shape::Paragraph(paragraph) = &mut self.plan.draft.pieces[i].shape else { return };
        paragraph.text.left += dx;
        paragraph.text.baseline += dy;
        let (x, y) = calls::paragraph_origin(paragraph, self.scale);
        let (x, y) = (calls::number(x), calls::number(y));
        turn.call("move_node", json!({"nodeId": node, "x": x, "y": y}));
    }

    /// Makes a text of each line of a paragraph; gives how many there are.
    fn take_apart(&mut self, i: usize, turn: &mut TracerTurn) -> usize {
        let Shape::Paragraph(paragraph) = &self.plan.draft.pieces[i].shape else { return 0 };
        let lines = paragraph.lines.clone();
        self.remove(i, turn);
        // What is drawn of it from now on are its lines.
        self.plan.draft.pieces[i].shape = Shape::Trace(Vec::new());
        for line in &lines {
            let Shape::Text(run) = &line.shape else { continue };
            self.plan.names.push(run.content.chars().take(40).collect());
            self.plan.draft.pieces.push(line.clone());
            self.nodes.push(None);
        }
        lines.len()
    }

    fn remove(&mut self, i: usize, turn: &mut TracerTurn) {
        if let Some(node) = self.nodes[i].take() {
            turn.call("delete_node", json!({"nodeIds": [node]}));
        }
    }
}

/// The newest picture among the outcomes of a turn.
fn picture_of(last_turn: &[(ToolCall, ToolOutcome)]) -> Option<Picture> {
    let image = last_turn.iter().rev().find_map(|(_, outcome)| outcome.image.as_ref());
    image.map(Picture::of)
}

/// What is said of a look at the own picture that led to corrections.
fn mended(moved: usize, removed: usize) -> String {
    let texts = match moved {
        0 => None,
        1 => Some("one line of text stands a little off".to_owned()),
        n => Some(format!("{n} lines of text stand a little off")),
    };
    let pieces = match removed {
        0 => None,
        1 => Some("one piece does not fit".to_owned()),
        n => Some(format!("{n} pieces do not fit")),
    };
    let found: Vec<String> = texts.into_iter().chain(pieces).collect();
    format!("Beside the picture, {}; I mend that and look again.", found.join(" and "))
}

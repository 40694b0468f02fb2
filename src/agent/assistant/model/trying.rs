//! The calls of a model, made on a copy of the canvas, and what they changed as hunks.

use std::sync::Arc;

use super::answer::Said;
use super::question::is_offered;
use crate::agent::assistant::describing::{AssistContext, Described};
use crate::agent::assistant::suggestion::{Reason, Stage, Suggestion};
use crate::base::CancelToken;
use crate::design::diff::{diff, pair_by_id};
use crate::design::hunk::{Consequences, Field, Hunk, HunkChange, apply_hunks};
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::environment::canvas::{CanvasEnvironment, Start};
use crate::environment::{Environment as _, ToolCall};

/// Most hunks of one step: more is another design.
const MOST_HUNKS: usize = 60;

/// What a model proposes for a design; `None` if it only says something.
///
/// # Errors
///
/// Why it cannot be done, for the model and for people. The design is never touched.
pub(super) fn suggestion_of(
    said: &Said,
    design: &Document,
    context: AssistContext<'_>,
    cancel: &CancelToken,
) -> Result<Option<Suggestion>, String> {
    for id in &said.nodes {
        if design.get(&NodeId::from(id.as_str())).is_none() {
            return Err(format!("there is no layer {:?}", short(id)));
        }
    }
    if said.calls.is_empty() {
        return Ok(None);
    }
    // On a copy: what the calls come to is known before anything is offered, and the design is not touched.
    let mut canvas = CanvasEnvironment::new(Start::Design(design.clone()), context.canvas.clone())
        .map_err(|error| format!("the design cannot be opened on the canvas: {error}"))?;
    let start = canvas.document().clone();
    let screen = canvas.main_frame();
    let mut calls = Vec::new();
    for (at, asked) in said.calls.iter().enumerate() {
        let name = &asked.tool;
        if !canvas.tools().iter().any(|tool| tool.name == name && is_offered(tool)) {
            return Err(format!("there is no tool {:?} for a step", short(name)));
        }
        let id = format!("step-{}", at + 1);
        let arguments = asked.arguments.clone().unwrap_or_default().into();
        let call = ToolCall { id, name: name.clone(), arguments };
        let outcome = canvas.call(&call, cancel);
        if let Some(failure) = outcome.failure {
            return Err(format!("{name}: {}", short(&failure.message)));
        }
        calls.push(call);
    }
    let end = canvas.document();
    // The screen is what everything is measured and drawn by.
    if screen.is_some_and(|screen| !keeps(&screen, &start, end)) {
        let why = "a step changes the screen, and neither deletes it nor puts it elsewhere";
        return Err(why.to_owned());
    }
    let hunks = hunks_between(&start, end, design);
    // What follows by itself is nobody's change.
    let mut own = hunks.iter().filter(|hunk| !follows(hunk, end));
    if let Some(locked) = own.find_map(|hunk| hunk.locked_in(design)) {
        return Err(format!("the layer {:?} is locked", short(locked.as_str())));
    }
    if hunks.is_empty() {
        return Err("the calls change nothing".to_owned());
    }
    if hunks.len() > MOST_HUNKS {
        return Err(format!("one step changes {MOST_HUNKS} things at most, not {}", hunks.len()));
    }
    let described = nearest(hunks, end, design, context)?;
    let stage = described.hunks.first().map_or(Stage::Detail, Stage::of_hunk);
    let why = Reason::Said(said.why.clone());
    let made = described.suggestion(design, stage, why, context);
    Ok(Some(Suggestion { words: said.words.clone(), calls, ..made }))
}

/// Whether a node is still there, in what it lay in.
fn keeps(id: &NodeId, before: &Document, after: &Document) -> bool {
    let (before, after) = (before.get(id), after.get(id));
    after.is_some_and(|after| before.is_none_or(|before| before.parent == after.parent))
}

/// The hunks carried out so that the design comes nearest to what the canvas came to: with what follows by itself left
/// to auto layout and groups, or else with all of it said.
fn nearest(
    hunks: Vec<Hunk>,
    wanted: &Document,
    design: &Document,
    context: AssistContext<'_>,
) -> Result<Described, String> {
    let own: Vec<Hunk> = hunks.iter().filter(|hunk| !follows(hunk, wanted)).cloned().collect();
    let mut best: Option<(usize, Described)> = None;
    let mut refused = String::new();
    // Either what was asked for, with auto layout settling the rest, or all as it came out: whichever is nearer to
    // the end.
    for (hunks, consequences) in [(own, Consequences::Settle), (hunks, Consequences::Leave)] {
        if hunks.is_empty() {
            continue;
        }
        let mut after = design.clone();
        if let Err(error) = apply_hunks(&mut after, &hunks, consequences, context.measure) {
            refused = error.to_string();
            continue;
        }
        let left = diff(&after, wanted, &pair_by_id(&after, wanted)).nodes.len();
        if best.as_ref().is_none_or(|(least, _)| left < *least) {
            let pairs = Vec::new();
            best = Some((left, Described { hunks, consequences, after, pairs }));
        }
    }
    best.map(|(_, described)| described).ok_or(refused)
}

/// Whether auto layout or the group that it is brings a change about by itself.
fn follows(hunk: &Hunk, wanted: &Document) -> bool {
    let HunkChange::Set { field: Field::Place | Field::Size, .. } = &hunk.change else {
        return false;
    };
    let Some(node) = wanted.get(&hunk.node) else { return false };
    let around = node.parent.as_ref().and_then(|parent| wanted.get(parent));
    matches!(node.kind, NodeKind::Group) || around.is_some_and(|it| it.auto_layout.is_some())
}

/// What leads from one state of the canvas to another, as hunks of the design that was opened there.
fn hunks_between(start: &Document, end: &Document, design: &Document) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    for differing in diff(start, end, &pair_by_id(start, end)).nodes {
        match (&differing.before, &differing.after) {
            (None, Some(id)) => hunks.extend(insertion(start, end, id)),
            (Some(id), None) => {
                let around = start.get(id).and_then(|node| node.parent.as_ref());
                // What goes with what it lies in is part of that.
                if around.is_none_or(|around| end.get(around).is_some()) {
                    hunks.extend(Hunk::new(design, id, HunkChange::Remove));
                }
            }
            (Some(id), Some(_)) => {
                let Some(node) = end.get(id) else { continue };
                let fields = differing.changes.iter().flat_map(Field::of_change);
                hunks.extend(fields.filter_map(|field| change_of(field, node, end, design)));
            }
            (None, None) => {}
        }
    }
    hunks
}

fn change_of(field: Field, node: &Arc<Node>, end: &Document, design: &Document) -> Option<Hunk> {
    let parent = node.parent.clone();
    let index = end.children_of(parent.as_ref()).position(&node.id).unwrap_or_default();
    match field {
        Field::Existence => None,
        Field::Parent => {
            let transform = node.transform;
            Hunk::new(design, &node.id, HunkChange::Reparent { parent, index, transform })
        }
        Field::Order => Hunk::new(design, &node.id, HunkChange::Reorder { index }),
        field => Hunk::set(design, &node.id, field, node),
    }
}

/// A node that was put in, with what was put in below it; `None` of one that came with what it lies in.
fn insertion(start: &Document, end: &Document, id: &NodeId) -> Option<Hunk> {
    let parent = end.get(id)?.parent.clone();
    if parent.as_ref().is_some_and(|parent| start.get(parent).is_none()) {
        return None;
    }
    let index = end.children_of(parent.as_ref()).position(id).unwrap_or_default();
    // What was there before goes into it by a change of its own.
    let nodes = end.subtree(id).filter(|node| start.get(&node.id).is_none()).cloned().collect();
    Hunk::insert(nodes, parent, index)
}

/// In one line, and not too long.
fn short(text: &str) -> String {
    crate::model::wire::in_one_line(text).chars().take(160).collect()
}

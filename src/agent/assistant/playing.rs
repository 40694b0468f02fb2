//! Trying out the calls of a step on a canvas.

use serde_json::Value;

use super::calls::{ToolRequest, WantedDesign};
use crate::base::{CancelToken, Point};
use crate::design::diff::{Pairing, pair_by_id};
use crate::design::goal::{Goal, Names};
use crate::design::hunk::{Hunk, HunkChange};
use crate::design::{Document, NodeId};
use crate::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
use crate::environment::{Environment as _, ToolCall};

/// The calls that lead from a design, opened on a canvas, to what the hunks make of it; none if no tools
/// lead to exactly that.
pub(super) fn calls_of(
    hunks: &[Hunk],
    before: &Document,
    after: &Document,
    settings: &CanvasSettings,
) -> Vec<ToolCall> {
    let played = Player::open(before, after, settings).and_then(|mut player| {
        hunks.iter().try_for_each(|hunk| player.make(hunk))?;
        player.is_done().then_some(player.calls)
    });
    played.unwrap_or_default()
}

struct Player<'a> {
    canvas: CanvasEnvironment,
    /// What is to come of it.
    goal: Goal,
    pairing: Pairing,
    after: &'a Document,
    /// Of the screen on its page, seen from where it lies on the canvas.
    corner: Point,
    calls: Vec<ToolCall>,
}

impl<'a> Player<'a> {
    fn open(before: &Document, after: &'a Document, settings: &CanvasSettings) -> Option<Self> {
        let goal = Goal::new(after.clone(), Names::Ignored)?;
        let start = Start::Design(before.clone());
        let canvas = CanvasEnvironment::new(start, settings.clone()).ok()?;
        let opened = canvas.document().absolute_box(&canvas.main_frame()?).ok()?;
        let by = after.absolute_box(&goal.screen).ok()?.origin().since(opened.origin());
        let corner = Point::new(by.x, by.y);
        // Ids stay as they are; what is made later is paired when it is made.
        let pairing = pair_by_id(canvas.document(), after);
        Some(Self { canvas, goal, pairing, after, corner, calls: Vec::new() })
    }

    /// Makes the calls of a hunk; `None` if a tool is missing or refuses.
    fn make(&mut self, hunk: &Hunk) -> Option<()> {
        let HunkChange::Insert { nodes, parent, .. } = &hunk.change else {
            let requests = self.wanted().of_hunk(hunk);
            return if requests.is_empty() { None } else { self.play_all(requests) };
        };
        // No tool makes a group out of nothing.
        let node = self.after.get(&hunk.node).filter(|_| nodes.len() == 1)?;
        // What it goes into may have been made here too, and then has another id.
        let parent = self.pairing.before(parent.as_ref()?)?;
        let creation = self.wanted().creation(node, parent)?;
        let reply = self.play(creation)?;
        let made = NodeId::from(reply.get("id")?.as_str()?);
        self.pairing.insert(&made, &hunk.node);
        // What the tool gave it otherwise than it is wanted, field by field.
        let open = self.goal.open_changes(self.canvas.document(), &self.pairing);
        for open in open.iter().filter(|open| open.goal.as_ref() == Some(&hunk.node)) {
            let requests = self.wanted().of_field(open.field, node, &made);
            self.play_all(requests)?;
        }
        Some(())
    }

    fn wanted(&self) -> WantedDesign<'_> {
        WantedDesign { now: self.canvas.document(), design: self.after, corner: self.corner }
    }

    fn play_all(&mut self, requests: Vec<ToolRequest>) -> Option<()> {
        for request in requests {
            // One call may be the answer to several fields: all of an outline is set at once.
            let is_repeated = self.calls.last().is_some_and(|last| {
                last.name == request.0 && last.arguments == request.1 && last.name != "reorder_node"
            });
            if !is_repeated {
                self.play(request)?;
            }
        }
        Some(())
    }

    fn play(&mut self, (tool, arguments): ToolRequest) -> Option<Value> {
        let id = format!("step-{}", self.calls.len() + 1);
        let call = ToolCall { id, name: tool.to_owned(), arguments };
        let outcome = self.canvas.call(&call, &CancelToken::default());
        if outcome.is_error() {
            return None;
        }
        self.calls.push(call);
        Some(outcome.structured.unwrap_or_default())
    }

    /// Whether the canvas has come to what is wanted.
    fn is_done(&self) -> bool {
        self.goal.distance(self.canvas.document(), &self.pairing) == 0
    }
}

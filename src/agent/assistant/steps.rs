//! The steps that there could be next, the best first.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::suggestion::Stage;
use crate::base::{Affine, Point};
use crate::design::diff::{Pairing, StyleField};
use crate::design::goal::{Goal, OpenChange};
use crate::design::hunk::{Field, Hunk, HunkChange};
use crate::design::{ChildList, Document, Node, NodeId, NodeKind};

/// What a node of a group is moved by at least.
const TOLERANCE: f64 = 1e-3;

/// A step that could be taken.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) stage: Stage,
    pub(super) hunks: Vec<Hunk>,
    /// The nodes that it puts in, with those of the goal.
    pub(super) pairs: Vec<(NodeId, NodeId)>,
    /// By how much the distance is expected to fall.
    pub(super) fall: u32,
    /// Whether something is open in the same stage of what the node lies in: that comes first.
    is_blocked: bool,
    area: f64,
    /// How far it is from what was touched last.
    far: f64,
    /// Its place in paint order.
    order: usize,
}

/// What steps are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps<'a> {
    pub(super) current: &'a Document,
    pub(super) goal: &'a Goal,
    pub(super) pairing: &'a Pairing,
    /// The node that was touched last.
    pub(super) last_touched: Option<&'a NodeId>,
}

impl Steps<'_> {
    /// Steps for what is open, the best first: by stage; missing containers, then what lies in nothing
    /// that is open itself; the greatest fall of the distance; the larger, and the nearer to what was
    /// touched last.
    pub(super) fn candidates(&self, open: &[OpenChange]) -> Vec<Candidate> {
        let removable = self.removable(open);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (order, open) in open.iter().enumerate() {
            let made = match open.field {
                Field::Existence if open.node.is_some() => self.removal(open, &removable),
                Field::Existence => self.addition(open),
                Field::Parent => self.reparenting(open),
                Field::Order => self.reordering(open),
                field => self.setting(open, field),
            };
            candidates.extend(made.map(|made| Candidate { order, ..made }));
        }
        candidates.extend(self.moves_in_groups(open));
        self.mark_blocked(&mut candidates);
        let mut candidates = merged(candidates, &self.goal.document, self.pairing);
        candidates.sort_by(Candidate::before);
        candidates
    }

    fn candidate(&self, hunks: Vec<Hunk>, fall: u32) -> Option<Candidate> {
        let first = hunks.first()?;
        let stage = Stage::of_hunk(first);
        // By its place now, or where it will be.
        let node = first.was().or(match &first.change {
            HunkChange::Insert { nodes, .. } => nodes.first(),
            _ => None,
        })?;
        let area = node.size.width * node.size.height;
        let touched = self.last_touched.and_then(|id| self.middle(id));
        let here = self.middle(&node.id).or_else(|| self.middle(node.parent.as_ref()?));
        let far = touched.zip(here).map_or(0.0, |(touched, here)| {
            let by = here.since(touched);
            by.x.hypot(by.y)
        });
        let pairs = Vec::new();
        Some(Candidate { stage, hunks, pairs, fall, is_blocked: false, area, far, order: 0 })
    }

    fn middle(&self, id: &NodeId) -> Option<Point> {
        Some(self.current.absolute_box(id).ok()?.center())
    }

    /// The node of the goal and the one it is now.
    fn pair<'s>(&'s self, open: &'s OpenChange) -> Option<(&'s NodeId, &'s Arc<Node>)> {
        Some((open.node.as_ref()?, self.goal.document.get(open.goal.as_ref()?)?))
    }

    /// The node that stands for a node of the goal, if it is there.
    fn now(&self, goal: &NodeId) -> Option<&NodeId> {
        self.pairing.before(goal).filter(|id| self.current.get(id).is_some())
    }

    fn setting(&self, open: &OpenChange, field: Field) -> Option<Candidate> {
        let (id, like) = self.pair(open)?;
        let mut fall = field.weight();
        // Once a frame places its children, those that it places are where they are to be.
        if field == Field::Style(StyleField::AutoLayout) {
            fall = fall.saturating_add(count(like.children.len(), Field::Place.weight()));
        }
        self.candidate(vec![Hunk::set(self.current, id, field, like)?], fall)
    }

    fn reparenting(&self, open: &OpenChange) -> Option<Candidate> {
        let (id, like) = self.pair(open)?;
        let NewParent(parent) = self.new_parent(like)?;
        let index = self.index_in(parent.as_ref(), like, Some(id));
        let change = HunkChange::Reparent { parent, index, transform: like.transform };
        let place = Field::Parent.weight() + Field::Place.weight();
        self.candidate(vec![Hunk::new(self.current, id, change)?], place)
    }

    fn reordering(&self, open: &OpenChange) -> Option<Candidate> {
        let (id, like) = self.pair(open)?;
        let parent = self.current.get(id)?.parent.clone();
        let index = self.index_in(parent.as_ref(), like, Some(id));
        let hunk = Hunk::new(self.current, id, HunkChange::Reorder { index })?;
        self.candidate(vec![hunk], Field::Order.weight())
    }

    /// Where a node of the goal goes: what stands for its parent. `None` while that is missing itself.
    fn new_parent(&self, like: &Node) -> Option<NewParent> {
        if like.id == self.goal.screen {
            return Some(NewParent(self.current.page().map(|page| page.id.clone())));
        }
        match &like.parent {
            None => Some(NewParent(None)),
            Some(parent) => Some(NewParent(Some(self.now(parent)?.clone()))),
        }
    }

    /// The place, among the children of a parent without the node itself, above the nearest sibling that
    /// is below it in the goal.
    fn index_in(&self, parent: Option<&NodeId>, like: &Node, own: Option<&NodeId>) -> usize {
        let siblings = self.current.children_of(parent);
        let siblings: Vec<&NodeId> = siblings.iter().filter(|id| Some(*id) != own).collect();
        let wanted: &ChildList = self.goal.document.children_of(like.parent.as_ref());
        let at = wanted.position(&like.id).unwrap_or_default();
        let below: Vec<&NodeId> = wanted.iter().take(at).collect();
        let found = below.into_iter().rev().find_map(|goal| {
            let now = self.now(goal)?;
            siblings.iter().position(|id| *id == now)
        });
        found.map_or(0, |below| below + 1)
    }

    /// The nodes that are too many and hold nothing that is to stay.
    fn removable(&self, open: &[OpenChange]) -> BTreeSet<NodeId> {
        let too_many: BTreeSet<&NodeId> = open
            .iter()
            .filter(|open| open.field == Field::Existence)
            .filter_map(|open| open.node.as_ref())
            .collect();
        let empty = too_many
            .iter()
            .filter(|id| self.current.subtree(id).all(|inside| too_many.contains(&inside.id)));
        empty.map(|id| (*id).clone()).collect()
    }

    fn removal(&self, open: &OpenChange, removable: &BTreeSet<NodeId>) -> Option<Candidate> {
        let id = open.node.as_ref().filter(|id| removable.contains(*id))?;
        let parent = self.current.get(id)?.parent.as_ref();
        // It goes with its parent.
        if parent.is_some_and(|parent| removable.contains(parent)) {
            return None;
        }
        let fall = count(self.current.subtree(id).count(), Field::Existence.weight());
        let hunk = Hunk::new(self.current, id, HunkChange::Remove)?;
        self.candidate(vec![hunk], fall)
    }

    /// A missing node; a group or a combined shape with all that it is to hold, as it is nothing without.
    fn addition(&self, open: &OpenChange) -> Option<Candidate> {
        let like = self.goal.document.get(open.goal.as_ref()?)?;
        let NewParent(parent) = self.new_parent(like)?;
        let contents = match like.kind {
            NodeKind::Group | NodeKind::BooleanOperation(_) => Contents::All,
            _ => Contents::None,
        };
        self.made(like, parent.as_ref(), contents)
    }

    fn made(&self, like: &Node, parent: Option<&NodeId>, contents: Contents) -> Option<Candidate> {
        let (nodes, taken) = (Vec::new(), Vec::new());
        let mut made = GatheredNodes { steps: *self, ids: BTreeMap::new(), nodes, taken };
        made.node(like, parent.cloned());
        if contents == Contents::All {
            made.inside(like);
        }
        let GatheredNodes { ids, nodes, taken, .. } = made;
        let fall = count(nodes.len(), Field::Existence.weight());
        let index = self.index_in(parent, like, None);
        let hunk = Hunk::insert(nodes, parent.cloned(), index);
        let mut hunks: Vec<Hunk> = hunk.into_iter().collect();
        hunks.extend(taken);
        let pairs = ids.into_iter().map(|(goal, made)| (made, goal)).collect();
        Some(Candidate { pairs, ..self.candidate(hunks, fall)? })
    }

    /// The whole screen anew: what is left where no smaller step brings the goal nearer.
    pub(super) fn replacement(&self) -> Option<Candidate> {
        let like = self.goal.document.get(&self.goal.screen)?;
        let old = self.goal.screen_of(self.current, self.pairing);
        let old = old.as_ref().and_then(|id| self.current.get(id));
        let page = self.current.page().map(|page| page.id.clone());
        let parent = old.map_or(page, |old| old.parent.clone());
        // As if nothing were paired: nothing of what is there is taken over.
        let made = Steps { pairing: &Pairing::default(), ..*self }.made(
            like,
            parent.as_ref(),
            Contents::All,
        )?;
        let removal = old.and_then(|old| Hunk::new(self.current, &old.id, HunkChange::Remove));
        let hunks = removal.into_iter().chain(made.hunks).collect();
        Some(Candidate { hunks, stage: Stage::Frame, ..made })
    }

    /// Nodes in groups, each put where it is to be on the screen: a group follows what it holds, so that
    /// places inside it say little.
    fn moves_in_groups(&self, open: &[OpenChange]) -> Vec<Candidate> {
        let placed = open.iter().filter(|open| matches!(open.field, Field::Place | Field::Size));
        let mut groups: BTreeSet<&NodeId> = BTreeSet::new();
        for id in placed.filter_map(|open| open.node.as_ref()) {
            let around = self.current.ancestors(id).map(|node| &node.id);
            groups.extend(std::iter::once(id).chain(around).filter(|id| self.is_group(id)));
        }
        let children = groups.iter().flat_map(|group| self.current.children_of(Some(*group)));
        children.filter_map(|id| self.move_in_group(id)).collect()
    }

    fn is_group(&self, id: &NodeId) -> bool {
        self.current.get(id).is_some_and(|node| node.kind == NodeKind::Group)
    }

    fn move_in_group(&self, id: &NodeId) -> Option<Candidate> {
        let goal = self.pairing.after(id).and_then(|goal| self.goal.document.get(goal))?;
        let node = self.current.get(id)?;
        // In the nearest box around that is none of the groups, on both sides.
        let frame = self.current.ancestors(id).find(|node| node.kind != NodeKind::Group)?;
        let frame_in_goal =
            self.goal.document.ancestors(&goal.id).find(|node| node.kind != NodeKind::Group)?;
        if self.pairing.after(&frame.id) != Some(&frame_in_goal.id) {
            return None;
        }
        let goal_from_page = self.goal.document.absolute_transform(&frame_in_goal.id).ok()?;
        let in_frame =
            goal_from_page.inverse()?.after(self.goal.document.absolute_transform(&goal.id).ok()?);
        let on_page = self.current.absolute_transform(&frame.id).ok()?.after(in_frame);
        let parent = self.current.absolute_transform(node.parent.as_ref()?).ok()?;
        let wanted: Affine = parent.inverse()?.after(on_page);
        let by = wanted
            .bounds_of(goal.size)
            .origin()
            .since(node.transform.bounds_of(node.size).origin());
        if by.x.abs() <= TOLERANCE && by.y.abs() <= TOLERANCE {
            return None;
        }
        let like = Arc::new(Node { transform: wanted, ..Node::clone(goal) });
        let hunk = Hunk::set(self.current, id, Field::Place, &like)?;
        // Its own place, and as a rule the group's.
        self.candidate(vec![hunk], 2 * Field::Place.weight())
    }

    fn mark_blocked(&self, candidates: &mut [Candidate]) {
        let mut open: BTreeSet<(Stage, NodeId)> = BTreeSet::new();
        for candidate in &*candidates {
            open.extend(candidate.hunks.iter().map(|hunk| (candidate.stage, hunk.node.clone())));
        }
        for candidate in candidates {
            let node = candidate.hunks.first().map(|hunk| &hunk.node);
            let around = node.into_iter().flat_map(|id| self.current.ancestors(id));
            let mut around = around.map(|node| (candidate.stage, node.id.clone()));
            candidate.is_blocked = around.any(|key| open.contains(&key));
        }
    }
}

/// What is made together with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    None,
    All,
}

/// What a node goes into; `None` is the page.
struct NewParent(Option<NodeId>);

/// Nodes that are put in, while they are gathered.
struct GatheredNodes<'a> {
    steps: Steps<'a>,
    /// The ids that nodes of the goal get.
    ids: BTreeMap<NodeId, NodeId>,
    nodes: Vec<Arc<Node>>,
    /// Nodes that are there, and go in.
    taken: Vec<Hunk>,
}

impl GatheredNodes<'_> {
    fn node(&mut self, like: &Node, parent: Option<NodeId>) {
        let id = self.id_for(&like.id);
        self.ids.insert(like.id.clone(), id.clone());
        let children = ChildList::new();
        self.nodes.push(Arc::new(Node { id, parent, children, ..Node::clone(like) }));
    }

    /// All that a node of the goal holds: what is missing is made, what is there is taken in.
    fn inside(&mut self, like: &Node) {
        let steps = self.steps;
        let parent = self.ids.get(&like.id).cloned();
        for (index, child) in like.children.iter().enumerate() {
            let Some(child) = steps.goal.document.get(child) else { continue };
            if let Some(now) = steps.now(&child.id) {
                let (parent, transform) = (parent.clone(), child.transform);
                let change = HunkChange::Reparent { parent, index, transform };
                self.taken.extend(Hunk::new(steps.current, now, change));
            } else {
                self.node(child, parent.clone());
                self.inside(child);
            }
        }
    }

    /// The id of the goal, if nobody has it here; or else one that nobody has in either.
    fn id_for(&self, goal: &NodeId) -> NodeId {
        if self.steps.current.get(goal).is_none() {
            return goal.clone();
        }
        let mut fresh = (1..u32::MAX).map(|n| NodeId::new(format!("{goal}+{n}")));
        fresh.find(|id| self.is_free(id)).unwrap_or_else(|| goal.clone())
    }

    fn is_free(&self, id: &NodeId) -> bool {
        let Steps { current, goal, .. } = self.steps;
        let is_made = self.ids.values().any(|taken| taken == id);
        current.get(id).is_none() && goal.document.get(id).is_none() && !is_made
    }
}

impl Candidate {
    fn before(&self, other: &Self) -> Ordering {
        self.rank()
            .cmp(&other.rank())
            .then_with(|| other.area.total_cmp(&self.area))
            .then_with(|| self.far.total_cmp(&other.far))
            .then_with(|| self.order.cmp(&other.order))
    }

    fn rank(&self) -> (Stage, bool, bool, Reverse<u32>) {
        let adds = self.hunks.iter().any(|hunk| hunk.was().is_none());
        (self.stage, !(self.stage == Stage::Frame && adds), self.is_blocked, Reverse(self.fall))
    }

    /// Of a step for several nodes, one for each; none of any other.
    pub(super) fn apart(&self) -> Vec<Self> {
        let are_values =
            self.hunks.iter().all(|hunk| matches!(hunk.change, HunkChange::Set { .. }));
        if self.hunks.len() < 2 || !are_values {
            return Vec::new();
        }
        let hunks = self.hunks.iter();
        hunks.map(|hunk| Self { hunks: vec![hunk.clone()], fall: 1, ..self.clone() }).collect()
    }

    /// The field that it sets, if that is all it does; of those that several nodes can get at once.
    fn shared_field(&self) -> Option<Field> {
        let [hunk] = self.hunks.as_slice() else { return None };
        match hunk.change {
            HunkChange::Set { field: Field::Size, .. } => Some(Field::Size),
            HunkChange::Set { field: Field::Style(style), .. }
                if !matches!(style, StyleField::Shape | StyleField::AutoLayout) =>
            {
                Some(Field::Style(style))
            }
            _ => None,
        }
    }
}

/// Steps that give several nodes the same value in one field become one step.
fn merged(candidates: Vec<Candidate>, goal: &Document, pairing: &Pairing) -> Vec<Candidate> {
    let mut merged: Vec<Candidate> = Vec::new();
    // For each field, the steps that more may join, with the node of the goal that says the value.
    let mut open: BTreeMap<(Field, bool), Vec<(usize, NodeId)>> = BTreeMap::new();
    for candidate in candidates {
        let wanted = candidate.hunks.first().and_then(|hunk| pairing.after(&hunk.node));
        let key = candidate.shared_field().zip(wanted.and_then(|id| goal.get(id)));
        let Some((field, wanted)) = key else {
            merged.push(candidate);
            continue;
        };
        let joined = open.entry((field, candidate.is_blocked)).or_default();
        let same = joined.iter().find(|(_, other)| {
            // Of texts and others a value may look the same and mean something else.
            goal.get(other).is_some_and(|other| {
                field.is_same(other, wanted) && other.text().is_some() == wanted.text().is_some()
            })
        });
        let step = same.and_then(|(at, _)| merged.get_mut(*at));
        if let Some(step) = step {
            step.hunks.extend(candidate.hunks);
            step.fall = step.fall.saturating_add(candidate.fall);
            step.area = step.area.max(candidate.area);
            step.far = step.far.min(candidate.far);
        } else {
            joined.push((merged.len(), wanted.id.clone()));
            merged.push(candidate);
        }
    }
    merged
}

/// What so many nodes count together.
fn count(nodes: usize, each: u32) -> u32 {
    u32::try_from(nodes).unwrap_or(u32::MAX).saturating_mul(each)
}

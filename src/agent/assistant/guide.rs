//! Step by step to a design that is known.

use std::collections::BTreeSet;

use super::describing::{AssistContext, Described};
use super::steps::{Candidate, Steps};
use super::suggestion::{Reason, Stage, Suggestion};
use crate::base::{CancelToken, Cancelled};
use crate::design::diff::Pairing;
use crate::design::goal::{Goal, Names};
use crate::design::hunk::{Consequences, Hunk, apply_hunks};
use crate::design::{Document, Measure, NodeId};

/// Most steps that are tried out for the length of a plan: somebody waits for it, and a longer one says little.
const MOST_TRIED: usize = 200;

/// Leads a design to another one that is known, a step at a time.
///
/// Every step brings the design nearer: the *distance* ([`Goal::distance`]) falls by at least 1, so that
/// following it always ends, and at distance 0 there is no step.
///
/// # Examples
///
/// ```
/// use pentimento_core::agent::assistant::{AssistContext, Guide, Names};
/// use pentimento_core::base::Size;
/// use pentimento_core::design::{Document, Node, NodeKind};
/// use pentimento_core::environment::canvas::CanvasSettings;
/// use pentimento_core::render::TextMeasurer;
///
/// let mut screen = Node::new("1:1".into(), "Screen", NodeKind::Frame);
/// screen.size = Size::new(393.0, 852.0);
/// let goal = Document::from_nodes([screen.clone()])?;
/// screen.opacity = 0.5;
/// let mut design = Document::from_nodes([screen])?;
///
/// let canvas = CanvasSettings::default();
/// let measure = TextMeasurer(&canvas.render);
/// let context = AssistContext { measure: &measure, canvas: &canvas };
/// let guide = Guide::new(&design, goal, Names::Ignored).unwrap();
/// let step = guide.next_step(&design, context).unwrap();
/// assert_eq!(step.words, "Opacity 50 % → 100 % on \"Screen\"");
/// step.carry_out(&mut design, &step.all(), context.measure)?;
/// assert_eq!(guide.distance(&design), 0);
/// # Ok::<(), pentimento_core::design::DocumentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Guide {
    goal: Goal,
    pairing: Pairing,
    last_touched: Option<NodeId>,
}

/// A step that was tried out on a copy.
struct Tried {
    described: Described,
    stage: Stage,
    distance: u32,
}

impl Guide {
    /// A guide from a design to a goal. `None` if the goal is empty.
    ///
    /// Nodes are paired by id where most ids mean the same in both, or else by what they are.
    pub fn new(current: &Document, goal: Document, names: Names) -> Option<Self> {
        let goal = Goal::fitted(goal, names)?;
        let pairing = goal.pair(current);
        Some(Self { goal, pairing, last_touched: None })
    }

    /// How far a design is from the goal; 0 for one that needs no step.
    pub fn distance(&self, current: &Document) -> u32 {
        self.goal.distance(current, &self.pairing)
    }

    /// How many nodes of the goal's screen are there just as they are wanted, and how many it has.
    pub fn matching(&self, current: &Document) -> [usize; 2] {
        let open = self.goal.open_changes(current, &self.pairing);
        let differing: BTreeSet<&NodeId> =
            open.iter().filter_map(|open| open.goal.as_ref()).collect();
        let all = self.goal.node_count();
        [all.saturating_sub(differing.len()), all]
    }

    /// About how many steps are left: those that could be taken now. One may make another needless, or needed.
    pub fn open_steps(&self, current: &Document) -> usize {
        let open = self.goal.open_changes(current, &self.pairing);
        let steps = Steps {
            current,
            goal: &self.goal,
            pairing: &self.pairing,
            last_touched: self.last_touched.as_ref(),
        };
        steps.candidates(&open).len()
    }

    /// The next step; `None` at distance 0.
    ///
    /// Steps come in the order of a designer: frames, layout, type, colours, details. Within a stage
    /// missing containers come first, then what lies in nothing that is open itself, the greatest fall of
    /// the distance, the larger node, the nearer to what was touched last. Steps that give several nodes
    /// the same value are one.
    pub fn next_step(&self, current: &Document, context: AssistContext<'_>) -> Option<Suggestion> {
        self.steps(current, context).next()
    }

    /// All steps that could be taken now, the best first: [`Self::next_step`], then other ways on. Each is
    /// tried out when it is asked for.
    pub fn steps<'a>(
        &'a self,
        current: &'a Document,
        context: AssistContext<'a>,
    ) -> impl Iterator<Item = Suggestion> + 'a {
        let before = self.distance(current);
        self.tries(current, before, context.measure).flatten().map(move |tried| {
            let Tried { described, stage, distance } = tried;
            let reason = Reason::Goal { before, after: distance };
            described.suggestion(current, stage, reason, context)
        })
    }

    /// How many steps lead from a design to the goal if each [`Self::next_step`] is followed: the length of the plan,
    /// which measures take for the fewest that are needed. 0 at distance 0; `None` of a plan that takes more than two
    /// hundred tries, or does not arrive.
    ///
    /// # Errors
    ///
    /// [`Cancelled`].
    pub fn least_steps(
        &self,
        start: &Document,
        measure: &dyn Measure,
        cancel: &CancelToken,
    ) -> Result<Option<u32>, Cancelled> {
        let (mut guide, mut design) = (self.clone(), start.clone());
        let (mut steps, mut left) = (0, MOST_TRIED);
        loop {
            let before = guide.distance(&design);
            if before == 0 {
                return Ok(Some(steps));
            }
            let mut next = None;
            for tried in guide.tries(&design, before, measure).take(left) {
                cancel.check()?;
                left -= 1;
                if tried.is_some() {
                    next = tried;
                    break;
                }
            }
            let Some(Tried { described, .. }) = next else { return Ok(None) };
            guide.made(&described.hunks, &described.pairs, &described.after);
            design = described.after;
            steps += 1;
        }
    }

    /// The same from a design to a goal of which no guide is known yet; `None` also where there is no guide.
    ///
    /// # Errors
    ///
    /// [`Cancelled`].
    pub fn least_steps_between(
        start: &Document,
        goal: &Document,
        measure: &dyn Measure,
        cancel: &CancelToken,
    ) -> Result<Option<u32>, Cancelled> {
        let mut start = start.clone();
        start.add_images_of(goal);
        let guide = Self::new(&start, goal.clone(), Names::Ignored);
        guide.map_or(Ok(None), |guide| guide.least_steps(&start, measure, cancel))
    }

    /// The steps that could be taken now, the best first, each tried out when it is asked for; `None` for one that
    /// brings the design no nearer.
    fn tries<'a>(
        &'a self,
        current: &'a Document,
        before: u32,
        measure: &'a dyn Measure,
    ) -> impl Iterator<Item = Option<Tried>> + 'a {
        let open = self.goal.open_changes(current, &self.pairing);
        let steps = Steps {
            current,
            goal: &self.goal,
            pairing: &self.pairing,
            last_touched: self.last_touched.as_ref(),
        };
        let candidates = steps.candidates(&open);
        // Where several together do not bring it nearer, one of them alone may. The last resort always does.
        let apart = candidates.iter().flat_map(Candidate::apart).collect::<Vec<Candidate>>();
        let last = std::iter::once_with(move || steps.replacement()).flatten();
        let all = candidates.into_iter().chain(apart).chain(last.filter(move |_| before > 0));
        all.map(move |candidate| {
            // What a group, or auto layout, makes of a step is only known once it is tried.
            let tried = self.tried(current, candidate, before, measure)?;
            (tried.distance < before).then_some(tried)
        })
    }

    /// A step carried out on a copy, with what follows from it or without: whichever brings it nearer.
    fn tried(
        &self,
        current: &Document,
        candidate: Candidate,
        before: u32,
        measure: &dyn Measure,
    ) -> Option<Tried> {
        let Candidate { stage, hunks, pairs, fall, .. } = candidate;
        let mut best: Option<(Consequences, Document, u32)> = None;
        for consequences in [Consequences::Settle, Consequences::Leave] {
            let mut after = current.clone();
            if apply_hunks(&mut after, &hunks, consequences, measure).is_err() {
                continue;
            }
            let distance = self.distance_with(&after, &pairs);
            if best.as_ref().is_none_or(|(_, _, least)| distance < *least) {
                best = Some((consequences, after, distance));
            }
            // What it does as by hand is as good as was to be expected.
            if distance.saturating_add(fall) <= before {
                break;
            }
        }
        let (consequences, after, distance) = best?;
        Some(Tried { described: Described { hunks, consequences, after, pairs }, stage, distance })
    }

    fn distance_with(&self, after: &Document, pairs: &[(NodeId, NodeId)]) -> u32 {
        if pairs.is_empty() {
            return self.distance(after);
        }
        self.goal.distance(after, &with_pairs(&self.pairing, after, pairs))
    }

    /// Takes note of a suggestion that was carried out, whole or in part.
    pub fn followed(&mut self, suggestion: &Suggestion, after: &Document) {
        self.made(&suggestion.hunks, &suggestion.pairs, after);
    }

    fn made(&mut self, hunks: &[Hunk], pairs: &[(NodeId, NodeId)], after: &Document) {
        self.pairing = with_pairs(&self.pairing, after, pairs);
        self.last_touched = hunks.last().map(|hunk| hunk.node.clone());
        self.changed(after);
    }

    /// The same guide on a design that may have been changed by hand.
    #[must_use]
    pub fn changed_to(&self, design: &Document) -> Self {
        let mut guide = self.clone();
        guide.changed(design);
        guide
    }

    /// Takes note of changes by hand: what is gone has no partner any more, and what is new may have one.
    pub fn changed(&mut self, after: &Document) {
        self.pairing = self.goal.pair_more(after, &self.pairing);
    }
}

/// Pairs of which both are there, those of nodes that were put in before all others.
fn with_pairs(known: &Pairing, after: &Document, made: &[(NodeId, NodeId)]) -> Pairing {
    let mut pairs = known.clone();
    let made = made.iter().filter(|(made, _)| after.get(made).is_some());
    let made: Vec<&(NodeId, NodeId)> = made.collect();
    // What stood for one of them, wherever it is, does no longer.
    pairs.retain(|node, goal| {
        after.get(node).is_some() && made.iter().all(|(_, wanted)| wanted != goal)
    });
    for (made, goal) in made {
        pairs.insert(made, goal);
    }
    pairs
}

//! What the assistant would do next on a branch, without a model.

use crate::agent::assistant::{
    AssistContext, GhostChange, Guide, Names, Reason, Suggestion, ghost, mend,
};
use crate::base::{CancelToken, Rect};
use crate::design::{Document, NodeId};
use crate::environment::EnvironmentKind;
use crate::evaluate::flaws::find_flaws;
use crate::evaluate::what_if::{Branch, Looks};
use crate::render::TextMeasurer;
use crate::run::PlannedCall;
use crate::workbench::{
    BranchInput, DesignStanding, GhostOutline, Inputs, NextStep, NextStepKey, OfferedHunk,
    OfferedStep,
};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

use super::canvas::{canvas_settings, screen_of};
use super::pictures::compared_task_of;
use super::what_if::base_of;

/// Most steps that are tried out before it is said that no tool does the first of them.
const MOST_TRIED: usize = 24;

/// Finds the step, and the calls that do the same behind the last call of the branch.
pub(super) fn find_next_step(
    shared: &Shared,
    key: &NextStepKey,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<NextStep, JobError> {
    let base = base_of(shared, inputs, cancel)?;
    if base.start().environment != EnvironmentKind::Canvas {
        return Err(JobError::failed("the assistant knows vector designs only"));
    }
    let input = inputs.branch.as_ref().ok_or_else(JobError::not_read)?;
    let mut branch = Branch::new(&base, Looks::Skipped, &*shared.open_environment)?;
    branch.run(&input.calls, cancel, |_, _| ())?;
    let task = inputs.task.as_ref();
    let compared = task.map(|task| compared_task_of(shared, task)).transpose()?.flatten();
    let goal = compared.as_ref().and_then(|compared| compared.truth().design.as_ref());
    let canvas = canvas_settings(&shared.render, base.start().compat.as_deref());
    let measure = TextMeasurer(&canvas.render);
    let start = branch.environment_at(0).design().unwrap_or_default();
    let mut design = branch.environment_at(usize::MAX).design().unwrap_or_default();
    if let Some(goal) = goal {
        // What is put in from it may show its pictures.
        design.add_images_of(goal);
    }
    let context = AssistContext { measure: &measure, canvas: &canvas };
    let guides = goal.map(|goal| Guides::new(&start, goal, &branch, cancel)).transpose()?;
    let assistant = Assistant { guides: guides.as_ref(), context };
    let standing = assistant.standing(&design);
    let screen = screen_of(branch.environment(), &design);
    let mut finding = Finding { assistant, design: &design, input, branch, screen, cancel };
    let step = finding.step(key.way, standing.count())?;
    Ok(NextStep { standing, step })
}

/// Which node stands for which of the goal. Those that were there before the first call are paired as they were
/// then, those that calls made by what they are: an id that the canvas gives says nothing of the goal's.
struct Guides {
    /// By what they are now: of many the likest are found.
    by_content: Guide,
    /// By what they were when a call made them: a node that was moved since is still the same.
    by_history: Guide,
}

impl Guides {
    fn new(
        start: &Document,
        goal: &Document,
        branch: &Branch<'_>,
        cancel: &CancelToken,
    ) -> Result<Self, JobError> {
        let guide = Guide::new(start, goal.clone(), Names::Ignored);
        let by_content = guide.ok_or_else(|| JobError::failed("the ground truth is empty"))?;
        let mut by_history = by_content.clone();
        let mut before = start;
        for design in branch.designs() {
            cancel.check()?;
            // Many calls only look.
            if design != before {
                by_history.changed(design);
                before = design;
            }
        }
        Ok(Self { by_content, by_history })
    }

    /// The guide on a design: of the two the one that has less to do, as either may have paired what is not the same.
    fn guide_on(&self, design: &Document) -> Guide {
        let [by_content, by_history] =
            [&self.by_content, &self.by_history].map(|guide| guide.changed_to(design));
        let is_nearer = by_history.distance(design) < by_content.distance(design);
        if is_nearer { by_history } else { by_content }
    }
}

/// What steps are worked out with.
#[derive(Clone, Copy)]
struct Assistant<'a> {
    /// To the goal, if one is known.
    guides: Option<&'a Guides>,
    context: AssistContext<'a>,
}

impl Assistant<'_> {
    fn guide(&self, design: &Document) -> Option<Guide> {
        self.guides.map(|guides| guides.guide_on(design))
    }

    fn standing(&self, design: &Document) -> DesignStanding {
        if let Some(guide) = self.guide(design) {
            return DesignStanding::Distance(guide.distance(design));
        }
        let flaws = find_flaws(design, self.context.measure).len();
        DesignStanding::Flaws(u32::try_from(flaws).unwrap_or(u32::MAX))
    }

    /// What could be mended without a goal, the worst first.
    fn mends<'b>(
        design: &'b Document,
        context: AssistContext<'b>,
    ) -> impl Iterator<Item = Suggestion> + 'b {
        find_flaws(design, context.measure).into_iter().filter_map(move |flaw| {
            let why = format!("{}: {}", flaw.kind.label(), flaw.found);
            // What the document refuses is nothing to suggest.
            mend(design, flaw.hunks, why, context).ok().flatten()
        })
    }
}

struct Finding<'a> {
    assistant: Assistant<'a>,
    design: &'a Document,
    input: &'a BranchInput,
    branch: Branch<'a>,
    /// The box of the screen on its page.
    screen: Rect,
    cancel: &'a CancelToken,
}

impl Finding<'_> {
    /// The step of this way, among those that tools do and that do bring the design nearer; if there are none, the
    /// best that a person would have to do by hand.
    fn step(&mut self, way: u32, standing: u32) -> Result<Option<OfferedStep>, JobError> {
        if standing == 0 {
            return Ok(None);
        }
        let (design, context) = (self.design, self.assistant.context);
        let guide = self.assistant.guide(design);
        let suggestions: Box<dyn Iterator<Item = Suggestion>> = match &guide {
            Some(guide) => Box::new(guide.steps(design, context)),
            None => Box::new(Assistant::mends(design, context)),
        };
        let (mut by_tools, mut by_hand) = (Vec::new(), None);
        for suggestion in suggestions.take(MOST_TRIED) {
            self.cancel.check()?;
            let Some((calls, after)) = self.tried(&suggestion, standing)? else {
                if by_hand.is_none() && self.is_nearer_by_hand(&suggestion, standing) {
                    by_hand = Some(suggestion);
                }
                continue;
            };
            by_tools.push((suggestion, calls, after));
            if by_tools.len() > way as usize {
                break;
            }
        }
        let at = way as usize % by_tools.len().max(1);
        if let Some((suggestion, calls, after)) = by_tools.into_iter().nth(at) {
            return Ok(Some(self.offered(suggestion, calls, Some(after))?));
        }
        by_hand.map(|suggestion| self.offered(suggestion, Vec::new(), None)).transpose()
    }

    /// The calls of a suggestion as they are put in, and how far the design then is; `None` if no tools bring it
    /// nearer.
    fn tried(
        &mut self,
        suggestion: &Suggestion,
        standing: u32,
    ) -> Result<Option<(Vec<PlannedCall>, u32)>, JobError> {
        if suggestion.calls.is_empty() {
            return Ok(None);
        }
        let put_in =
            self.branch.put_in(&suggestion.calls, self.input.next_inserted, self.cancel)?;
        let after = self.branch.environment().design().unwrap_or_default();
        self.branch.run(&self.input.calls, self.cancel, |_, _| ())?;
        let Some(calls) = put_in else { return Ok(None) };
        let after = self.assistant.standing(&after).count();
        Ok((after < standing).then_some((calls, after)))
    }

    /// Whether a step brings the design nearer, whatever tools there are: a mend may bring about another flaw.
    fn is_nearer_by_hand(&self, suggestion: &Suggestion, standing: u32) -> bool {
        match suggestion.reason {
            // A guide has tried it out.
            Reason::Goal { .. } | Reason::Said(_) => true,
            Reason::Flaw(_) => {
                let measure = self.assistant.context.measure;
                let after = suggestion.carried_out(self.design, &suggestion.all(), measure);
                after.is_ok_and(|after| self.assistant.standing(&after).count() < standing)
            }
        }
    }

    fn offered(
        &self,
        suggestion: Suggestion,
        calls: Vec<PlannedCall>,
        left: Option<u32>,
    ) -> Result<OfferedStep, JobError> {
        let measure = self.assistant.context.measure;
        let seen = ghost(self.design, &suggestion, &suggestion.all(), measure);
        let seen = seen.map_err(JobError::failed)?;
        let values = suggestion.values(self.design, &seen.after).into_iter();
        let hunks = values.map(|value| {
            let is_there = [self.design, &seen.after].map(|it| it.get(&value.node).is_some());
            let change = match is_there {
                [false, _] => GhostChange::Added,
                [true, false] => GhostChange::Removed,
                [true, true] => GhostChange::Changed,
            };
            OfferedHunk { change, name: name_of(&value.node, self.design, &seen.after), value }
        });
        let outlines = seen.nodes.iter().map(|node| GhostOutline {
            node: node.id.clone(),
            change: node.change,
            name: name_of(&node.id, self.design, &seen.after),
            before: node.before,
            after: node.after,
        });
        let why = match suggestion.reason {
            Reason::Goal { before, after } => {
                let after = left.unwrap_or(after);
                format!("The assistant knows the answer: distance {before} → {after}.")
            }
            Reason::Flaw(words) | Reason::Said(words) => words,
        };
        Ok(OfferedStep {
            words: suggestion.words,
            why,
            stage: suggestion.stage,
            hunks: hunks.collect(),
            calls,
            first_inserted: self.input.next_inserted,
            ghost: outlines.collect(),
            screen: self.screen,
        })
    }
}

/// What a node is called, of the one design or else of the other.
fn name_of(id: &NodeId, design: &Document, other: &Document) -> String {
    let node = design.get(id).or_else(|| other.get(id));
    node.map(|node| node.name.clone()).unwrap_or_default()
}

//! What the assistant says of a design that somebody works on by hand: how far it is, and a step.

use std::sync::Arc;

use crate::agent::assistant::{AssistContext, Guide, Names, Reason, Suggestion};
use crate::base::CancelToken;
use crate::design::Document;
use crate::environment::canvas::CanvasSettings;
use crate::graphictown::Query;
use crate::render::TextMeasurer;
use crate::workbench::{
    AssistGhostKey, AssistGuides, AssistInput, AssistStep, AssistStepKey, DesignPicture,
    DesignStanding, FoundStep, GhostPicture, Inputs, StepAsk,
};
use crate::worker::shared::job_border::JobError;

use super::amiss::Amiss;
use super::canvas::canvas_settings;
use super::design_picture::{drawn, picture_of};

/// Most ways on that are looked for.
const MOST_WAYS: usize = 24;
/// Most lines of what is amiss or differs.
const MOST_LINES: usize = 6;
/// Most hunks of a step that are held against the goal one by one.
const MOST_JUDGED: usize = 60;

/// Finds what is asked.
pub(super) fn find_step(
    key: &AssistStepKey,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<AssistStep, JobError> {
    let input = inputs.assist.as_deref().ok_or_else(JobError::not_read)?;
    let canvas = canvas_of(input);
    let measure = TextMeasurer(&canvas.render);
    let context = AssistContext { measure: &measure, canvas: &canvas };
    let design = design_of(input);
    let guides = guides_of(input, cancel)?;
    let guide = guides.as_ref().map(|guides| guide_on(guides, &design));
    let query = query_of(input, inputs);
    let amiss = Amiss::of(&design, query, context);
    // With a goal its distance, which rules of thumb must not change: they know nothing of it.
    let standing = if let Some(guide) = &guide {
        DesignStanding::Distance(guide.distance(&design))
    } else {
        DesignStanding::Flaws(u32::try_from(amiss.count()).unwrap_or(u32::MAX))
    };
    let mut found = Vec::new();
    let step = match (key.asks, &guide) {
        (StepAsk::Standing, _) => None,
        (StepAsk::Answer(way), Some(guide)) => {
            let steps = guide.steps(&design, context);
            chosen(steps, way, cancel)?.map(|suggestion| FoundStep {
                suggestion: Arc::new(suggestion),
                is_right: Some(true),
                // Each part is as the goal has it, also where it alone brings nothing nearer yet.
                are_right: Vec::new(),
            })
        }
        (StepAsk::Answer(way) | StepAsk::Flaws(way), _) => {
            let mend = chosen(amiss.mends(), way, cancel)?;
            mend.map(|mend| found_step(guides.as_ref(), &design, mend, context, cancel))
                .transpose()?
        }
        (StepAsk::Check, guide) => {
            found = match guide {
                Some(guide) => check_against_goal(guide, &design, context, cancel)?,
                None if query.is_some() && !amiss.has_brief() => {
                    let why = "the design has no page with an area: it cannot be checked";
                    return Err(JobError::failed(why));
                }
                None => check_alone(&amiss),
            };
            None
        }
    };
    Ok(AssistStep {
        standing,
        layers: guide.as_ref().map(|guide| guide.matching(&design)),
        left: guide.as_ref().map(|guide| guide.open_steps(&design)),
        least_steps: least_steps(input, context, cancel)?,
        guides: guides.map(Arc::new),
        step,
        found,
        goal: goal_picture(input),
    })
}

/// What the canvas measures and draws with.
pub(super) fn canvas_of(input: &AssistInput) -> CanvasSettings {
    canvas_settings(&input.render, None)
}

/// The design, with the pictures that what is put in from the goal may show.
pub(super) fn design_of(input: &AssistInput) -> Document {
    let mut design = input.document.clone();
    if let Some(goal) = &input.goal {
        design.add_images_of(goal);
    }
    design
}

/// Which node stands for which, remembered along the work; `None` without a goal.
pub(super) fn guides_of(
    input: &AssistInput,
    cancel: &CancelToken,
) -> Result<Option<AssistGuides>, JobError> {
    let Some(goal) = &input.goal else { return Ok(None) };
    let mut since = input.since.iter();
    let mut guides = if let Some(guides) = &input.guides {
        AssistGuides::clone(guides)
    } else {
        let start = since.next().map_or(&input.document, |start| &start.document);
        let guide = Guide::new(start, Document::clone(goal), Names::Ignored);
        let guide = guide.ok_or_else(|| JobError::failed("the goal is empty"))?;
        AssistGuides::new(guide)
    };
    for since in since {
        cancel.check()?;
        match &since.followed {
            Some(suggestion) => guides.by_history.followed(suggestion, &since.document),
            None => guides.by_history.changed(&since.document),
        }
    }
    Ok(Some(guides))
}

/// How many steps lead from what it began with to the goal. Found once, before guides are known: it stays as it is. On a
/// large design the first step waits for it.
fn least_steps(
    input: &AssistInput,
    context: AssistContext<'_>,
    cancel: &CancelToken,
) -> Result<Option<u32>, JobError> {
    let Some(goal) = input.goal.as_ref().filter(|_| input.guides.is_none()) else {
        return Ok(None);
    };
    let start = input.since.first().map_or(&input.document, |start| &start.document);
    Ok(Guide::least_steps_between(start, goal, context.measure, cancel)?)
}

/// The guide on a design: of the two the one that has less to do, as either may have paired what is not the same.
pub(super) fn guide_on(guides: &AssistGuides, design: &Document) -> Guide {
    let [by_content, by_history] =
        [&guides.by_content, &guides.by_history].map(|guide| guide.changed_to(design));
    let is_nearer = by_content.distance(design) < by_history.distance(design);
    if is_nearer { by_content } else { by_history }
}

/// A step of somebody who does not know the goal, with whether it brings the design nearer to that, where there is one:
/// all of it, and each of its hunks carried out alone.
pub(super) fn found_step(
    guides: Option<&AssistGuides>,
    design: &Document,
    suggestion: Suggestion,
    context: AssistContext<'_>,
    cancel: &CancelToken,
) -> Result<FoundStep, JobError> {
    let (mut is_right, mut are_right) = (None, Vec::new());
    if let Some(guides) = guides {
        let judged = Judged { guides, design, before: guide_on(guides, design).distance(design) };
        is_right = judged.is_right(&suggestion, &suggestion.all(), context);
        // One hunk is as the whole.
        if (2..=MOST_JUDGED).contains(&suggestion.hunks.len()) {
            for at in suggestion.all() {
                cancel.check()?;
                are_right.push(judged.is_right(&suggestion, &[at], context));
            }
        }
    }
    Ok(FoundStep { suggestion: Arc::new(suggestion), is_right, are_right })
}

/// A design that is held against its goal.
struct Judged<'a> {
    guides: &'a AssistGuides,
    design: &'a Document,
    /// How far it is.
    before: u32,
}

impl Judged<'_> {
    /// Whether hunks of a suggestion bring it nearer; `None` where they cannot be carried out by themselves.
    fn is_right(
        &self,
        suggestion: &Suggestion,
        hunks: &[usize],
        context: AssistContext<'_>,
    ) -> Option<bool> {
        // What goes into something that another hunk puts in is nothing alone.
        if suggestion.fitting_of(self.design, hunks).is_empty() {
            return None;
        }
        let after = suggestion.carried_out(self.design, hunks, context.measure).ok()?;
        Some(guide_on(self.guides, &after).distance(&after) < self.before)
    }
}

/// The suggestion of this way; behind the last comes the first.
fn chosen(
    suggestions: impl Iterator<Item = Suggestion>,
    way: u32,
    cancel: &CancelToken,
) -> Result<Option<Suggestion>, JobError> {
    let way = way as usize;
    let mut ways = Vec::new();
    for suggestion in suggestions.take(MOST_WAYS) {
        cancel.check()?;
        ways.push(suggestion);
        if ways.len() > way {
            break;
        }
    }
    let at = way % ways.len().max(1);
    Ok(ways.into_iter().nth(at))
}

/// What the design is to have: the brief that was typed for it, or that of its task.
fn query_of<'a>(input: &'a AssistInput, inputs: &'a Inputs) -> Option<&'a Query> {
    let of_task = inputs.task.as_ref().and_then(|task| task.brief.as_ref());
    input.brief.as_ref().or(of_task).map(|brief| &brief.query)
}

/// What differs from the goal, in lines.
fn check_against_goal(
    guide: &Guide,
    design: &Document,
    context: AssistContext<'_>,
    cancel: &CancelToken,
) -> Result<Vec<String>, JobError> {
    let mut lines = Vec::new();
    let left = guide.open_steps(design);
    for suggestion in guide.steps(design, context).take(MOST_LINES) {
        cancel.check()?;
        let why = match &suggestion.reason {
            Reason::Goal { .. } => "differs from the goal",
            Reason::Flaw(why) | Reason::Said(why) => why,
        };
        lines.push(format!("{} ({why})", suggestion.words));
    }
    let more = left.saturating_sub(lines.len());
    if more > 0 {
        lines.push(format!("… and about {more} more"));
    }
    Ok(lines)
}

/// What is amiss, in lines.
fn check_alone(amiss: &Amiss<'_>) -> Vec<String> {
    let mut lines: Vec<String> = amiss.lines().collect();
    let more = lines.len().saturating_sub(2 * MOST_LINES);
    lines.truncate(2 * MOST_LINES);
    if more > 0 {
        lines.push(format!("… and {more} more"));
    }
    lines
}

/// The goal drawn, if that is wanted; one that cannot be drawn is not shown.
fn goal_picture(input: &AssistInput) -> Option<Arc<DesignPicture>> {
    let goal = input.goal_shown.as_ref().filter(|_| input.draws_goal)?;
    picture_of(goal, &input.render, 1).ok().map(Arc::new)
}

/// Draws what would come of an offer.
pub(super) fn draw_ghost(key: &AssistGhostKey, inputs: &Inputs) -> Result<GhostPicture, JobError> {
    let input = inputs.design.as_deref().ok_or_else(JobError::not_read)?;
    drawn(input, key.scale).map(GhostPicture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::assistant::mend;
    use crate::base::{Affine, Size};
    use crate::design::diff::StyleField;
    use crate::design::hunk::{Field, Hunk};
    use crate::design::{Node, NodeId, NodeKind};

    /// A screen with three tiles of these opacities.
    fn tiles(opacities: [f64; 3]) -> Document {
        let mut screen = Node::new(NodeId::new("1:1"), "screen", NodeKind::Frame);
        screen.size = Size::new(400.0, 400.0);
        let tiles = opacities.into_iter().enumerate().map(|(at, opacity)| {
            let id = NodeId::new(format!("1:{}", at + 2));
            let mut tile = Node::new(id, "tile", NodeKind::Rectangle);
            tile.parent = Some(NodeId::new("1:1"));
            tile.transform = Affine::translate(20.0 + 100.0 * at as f64, 20.0);
            tile.size = Size::new(80.0, 80.0);
            tile.opacity = opacity;
            tile
        });
        Document::from_nodes(std::iter::once(screen).chain(tiles)).unwrap()
    }

    #[test]
    fn each_part_of_a_step_is_held_against_the_goal_by_itself() {
        let (design, goal) = (tiles([0.5, 0.5, 1.0]), tiles([1.0, 1.0, 1.0]));
        // Two that the goal has so, and one that it has not.
        let wanted = tiles([1.0, 1.0, 0.2]);
        let hunks = ["1:2", "1:3", "1:4"].map(|id| {
            let id = NodeId::new(id);
            let field = Field::Style(StyleField::Opacity);
            Hunk::set(&design, &id, field, wanted.get(&id).unwrap()).unwrap()
        });
        let canvas = CanvasSettings::default();
        let measure = TextMeasurer(&canvas.render);
        let context = AssistContext { measure: &measure, canvas: &canvas };
        let step = mend(&design, hunks.to_vec(), "a model says so".to_owned(), context);
        let step = step.unwrap().unwrap();
        let guide = Guide::new(&design, goal, Names::Ignored).unwrap();
        let guides = AssistGuides::new(guide);
        let cancel = CancelToken::default();
        let [found, blind] = [Some(&guides), None]
            .map(|guides| found_step(guides, &design, step.clone(), context, &cancel).unwrap());
        assert_eq!(found.is_right, Some(true), "as a whole it is nearer");
        assert_eq!(found.are_right, [Some(true), Some(true), Some(false)]);
        assert_eq!((blind.is_right, blind.are_right.len()), (None, 0));
        cancel.cancel();
        assert!(found_step(Some(&guides), &design, step, context, &cancel).is_err());
    }
}

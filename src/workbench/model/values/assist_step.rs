//! What the assistant says of the design that somebody works on by hand.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::agent::assistant::model::ModelQuestion;
use crate::agent::assistant::{Guide, Suggestion};
use crate::agent::models::ModelChoice;
use crate::design::Document;
use crate::render::RenderContext;
use crate::task::DesignBrief;

use super::design_picture::{DesignPicture, PagePart};
use super::next_step::DesignStanding;
use super::resource::ResourceKey;

/// Most of them kept: they are small.
const KEPT: usize = 32;
/// What pictures of offers may take, in bytes.
const GHOST_BUDGET: usize = 16 << 20;

/// What is asked about a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepAsk {
    /// How far it is.
    Standing,
    /// And a step towards the goal: which of the ways on, from 0; behind the last comes the first again.
    Answer(u32),
    /// And a step against what is amiss, whatever the goal is; the same.
    Flaws(u32),
    /// And all that is amiss or differs, in words.
    Check,
}

/// What the assistant says of a design as it is behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssistStepKey {
    /// Of which desk.
    pub desk: u64,
    /// Behind which step of the editor: gestures that are under way do not count.
    pub step: u64,
    /// What is asked.
    pub asks: StepAsk,
}

/// What a step or an answer is made of.
#[derive(Clone, Debug)]
pub struct AssistInput {
    /// The design.
    pub document: Document,
    /// What it is measured and drawn with.
    pub render: RenderContext,
    /// The layers that are to come of it, if they are known.
    pub goal: Option<Arc<Document>>,
    /// What is drawn to see what is to come of it: those, or a screen that shows a picture.
    pub goal_shown: Option<Arc<Document>>,
    /// The brief that was typed for it.
    pub brief: Option<Arc<DesignBrief>>,
    /// Which node stands for which, as far as that was remembered.
    pub guides: Option<Arc<AssistGuides>>,
    /// The designs since then, oldest first; without guides the first is the one it began with.
    pub since: Vec<SinceStep>,
    /// Whether the goal is to be drawn.
    pub draws_goal: bool,
    /// What a model is asked.
    pub question: Option<ModelQuestion>,
}

/// A design that came about.
#[derive(Clone, Debug)]
pub struct SinceStep {
    /// By which step of the editor; 0 of the one it began with.
    pub step: u64,
    /// The design.
    pub document: Document,
    /// The suggestion that was taken with it, whole or in part.
    pub followed: Option<Arc<Suggestion>>,
}

/// Which node stands for which of the goal.
#[derive(Clone, Debug)]
pub struct AssistGuides {
    /// By what they were at first: of many the likest are found anew each time.
    pub by_content: Guide,
    /// Remembered along the work: a node that was moved since is still the same.
    pub by_history: Guide,
}

impl AssistGuides {
    /// Before anything was done.
    pub fn new(guide: Guide) -> Self {
        Self { by_content: guide.clone(), by_history: guide }
    }
}

/// What the assistant says of a design.
#[derive(Clone, Debug)]
pub struct AssistStep {
    /// How far it is.
    pub standing: DesignStanding,
    /// How many layers of the goal are just as they are wanted, and how many it has; `None` without a goal.
    pub layers: Option<[usize; 2]>,
    /// About how many steps are left; `None` without a goal.
    pub left: Option<usize>,
    /// How many steps the plan has from what it began with to the goal; `None` without a goal, of too long a plan, and
    /// once guides are known.
    pub least_steps: Option<u32>,
    /// Which node stands for which now.
    pub guides: Option<Arc<AssistGuides>>,
    /// The step, if one was asked for and there is one.
    pub step: Option<FoundStep>,
    /// What is amiss or differs, a line each, if that was asked for.
    pub found: Vec<String>,
    /// The goal drawn, if that was wanted.
    pub goal: Option<Arc<DesignPicture>>,
}

/// A step that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundStep {
    /// The step.
    pub suggestion: Arc<Suggestion>,
    /// Whether it lowers the distance to the goal, if one is known.
    pub is_right: Option<bool>,
    /// The same of each hunk carried out alone, `None` where that cannot be; empty where all are as the whole.
    pub are_right: Vec<Option<bool>>,
}

/// A picture of what would come of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssistGhostKey {
    /// Of which desk.
    pub desk: u64,
    /// Of which offer.
    pub offer: u32,
    /// Of which version of it: with other hunks ticked, or on another design, it is another.
    pub version: u64,
    /// Pixels a unit of the page, 1..=4.
    pub scale: u8,
    /// The part of a large page; `None`: all that is looked at.
    pub part: Option<PagePart>,
}

/// What would come of an offer, drawn.
#[derive(Clone, Debug)]
pub struct GhostPicture(pub DesignPicture);

/// A question to a model about the design that somebody works on. Told from others by its number: each is paid for.
#[derive(Clone, Debug)]
pub struct AssistAnswerKey {
    /// Of which desk.
    pub desk: u64,
    /// The how-manieth question it is.
    pub number: u64,
    /// Which model.
    pub choice: ModelChoice,
}

/// What a model said.
#[derive(Clone, Debug, PartialEq)]
pub struct AssistAnswer {
    /// Its words; empty if nothing could be used.
    pub words: String,
    /// The step that it proposes.
    pub step: Option<FoundStep>,
    /// Why its last answer could not be used.
    pub problem: Option<String>,
    /// Tokens read and written; `None` if the provider does not say.
    pub tokens: Option<[u64; 2]>,
    /// What it cost, in US dollars; `None` where that is not known.
    pub cost_usd: Option<f64>,
}

impl ResourceKey for AssistGhostKey {
    type Value = GhostPicture;
    const BUDGET: usize = GHOST_BUDGET;

    fn cost(GhostPicture(picture): &GhostPicture) -> usize {
        picture.pixels.width() as usize * picture.pixels.height() as usize * 4
    }
}

impl ResourceKey for AssistStepKey {
    type Value = AssistStep;
    const BUDGET: usize = KEPT;

    fn cost(_: &AssistStep) -> usize {
        1
    }
}

impl AssistAnswerKey {
    fn parts(&self) -> (u64, u64) {
        (self.desk, self.number)
    }
}

impl PartialEq for AssistAnswerKey {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for AssistAnswerKey {}

impl PartialOrd for AssistAnswerKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AssistAnswerKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl ResourceKey for AssistAnswerKey {
    type Value = AssistAnswer;
    const BUDGET: usize = 8;

    fn cost(_: &AssistAnswer) -> usize {
        1
    }
}

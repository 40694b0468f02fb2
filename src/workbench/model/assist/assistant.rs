//! The assistant at the side of a design that somebody works on: what it offers, what was said, what became of it.
//!
//! It never changes the design. What is offered is an [`Offer`]; taking it is an edit of the editor like any other,
//! by [`Author::Assistant`].

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::agent::assistant::{
    AssistAct, AssistEvent, Author, Freshness, Ghost, GhostChange, HunkValue, Ledger, Level,
    Measures, Suggestion, SuggestionState, ghost,
};
use crate::design::hunk::{Field, Hunk};
use crate::design::{Document, DocumentError, Measure, NodeId};
use crate::workbench::model::values::{
    AssistAnswerKey, AssistGuides, AssistStep, AssistStepKey, DesignPicture, FoundStep,
    GhostOutline, OfferedHunk, SinceStep, StepAsk,
};

/// Most lines of the conversation, and of what was done, that are kept.
const MOST_LINES: usize = 200;
/// Most steps of one design that are gone back to.
const MOST_WAYS: usize = 50;

/// Who is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AssistantSource {
    /// Nobody but the goal, which is known: the steps lead there.
    Answer,
    /// The rules that look for what is amiss whatever the goal is.
    #[default]
    Flaws,
    /// A model of the launch settings, by its name.
    Model(String),
}

/// How much of an offer is told; asked again, it tells more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HelpLevel {
    /// Which control is to be used.
    What,
    /// And on what.
    Where,
    /// And with which value.
    Value,
    /// And what would come of it, over the picture.
    #[default]
    Ghost,
}

impl HelpLevel {
    /// The one that tells more, if there is one.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::What => Some(Self::Where),
            Self::Where => Some(Self::Value),
            Self::Value => Some(Self::Ghost),
            Self::Ghost => None,
        }
    }
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The assistant.
    Assistant,
    /// The program, of something that did not work.
    Problem,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Talk {
    /// By whom.
    pub by: Speaker,
    /// What.
    pub words: String,
    /// What it cost, in US dollars; `None` where nothing was paid or nobody knows.
    pub cost_usd: Option<f64>,
}

/// Something that was done, in one line.
#[derive(Clone, Debug, PartialEq)]
pub struct DoneLine {
    /// By whom.
    pub by: Author,
    /// What.
    pub words: String,
    /// When, in seconds since the work began.
    pub at_secs: f64,
}

/// A suggestion that is offered.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its number in the ledger.
    pub number: u32,
    /// The suggestion.
    pub suggestion: Arc<Suggestion>,
    /// How much of it is told.
    pub level: HelpLevel,
    /// The places of the hunks that are ticked.
    pub ticked: BTreeSet<usize>,
    /// What it changes, hunk by hunk.
    pub hunks: Vec<OfferedHunk>,
    /// The places of the hunks that can still be taken.
    pub fitting: Vec<usize>,
    /// What became of it since it was made, by the design alone.
    pub freshness: Freshness,
    /// The nodes that would be others if what is ticked were taken.
    pub ghost: Vec<GhostOutline>,
    /// The design as it would be then.
    pub after: Document,
    /// Grows whenever that is another.
    pub(in crate::workbench) version: u64,
    /// The nodes it is about in the order of their numbers: the discs on the canvas and in the words.
    pub discs: Vec<NodeId>,
    /// Whether it was in view for long enough.
    pub is_shown: bool,
}

/// An offer that nobody decided of, as it is kept with the run.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingOffer {
    /// Its number in the ledger of the run.
    pub number: u32,
    /// How much of it was told.
    pub level: HelpLevel,
    /// The step.
    pub found: FoundStep,
    /// The design that it was made for.
    pub design: Document,
}

/// What is to be lit up beside the canvas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Highlight {
    /// The field of the panel of properties by which it is done.
    pub field: Option<Field>,
    /// The layers.
    pub nodes: Vec<NodeId>,
}

/// What models cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelCosts {
    /// How many answers came.
    pub answers: u32,
    /// In US dollars, of those of which it is known.
    pub known_usd: f64,
    /// Of how many it is not known.
    pub unknown: u32,
    /// Tokens read and written, as far as providers say.
    pub tokens: [u64; 2],
}

/// A suggestion that was offered before.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct PastOffer {
    pub(in crate::workbench) number: u32,
    pub(in crate::workbench) words: String,
    /// What was taken of it.
    pub(in crate::workbench) taken: Vec<HunkValue>,
    /// Whether the person changed something of that later.
    pub(in crate::workbench) is_edited: bool,
}

/// The steps that were offered of a design as it is, one instead of the other: what is gone back and forth through.
#[derive(Clone, Debug, Default)]
pub(in crate::workbench) struct OfferedWays {
    /// Of the design behind which step of its editor.
    step: u64,
    /// In the order in which they came first, each once; what was refused is not among them.
    found: Vec<FoundStep>,
    /// The place of the one that was offered last.
    at: usize,
}

/// A step that is asked for and not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workbench) struct Wish {
    /// What.
    pub(in crate::workbench) asks: StepAsk,
    /// How much of it is told.
    pub(in crate::workbench) level: HelpLevel,
}

/// A model that is being asked.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct WaitingModel {
    pub(in crate::workbench) key: AssistAnswerKey,
    /// How much of its step is told.
    pub(in crate::workbench) level: HelpLevel,
    /// What the person said, if it was not just for the next step.
    pub(in crate::workbench) asked: Option<String>,
    /// What was heard of it so far.
    pub(in crate::workbench) heard: String,
}

/// A suggestion that is carried out hunk by hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::workbench) struct Playing {
    /// The places of the hunks that are to come.
    pub(in crate::workbench) left: VecDeque<usize>,
}

/// The assistant of a design that somebody works on.
#[derive(Clone, Debug, Default)]
pub struct AssistantDesk {
    /// Whether it is not there at all, as where somebody is to work alone.
    pub is_hidden: bool,
    /// Who is asked.
    pub source: AssistantSource,
    /// How much is told of a step that is asked for.
    pub first_level: HelpLevel,
    /// After so many seconds of inactivity a step is offered unasked; `None`: never.
    pub idle_secs: Option<f64>,
    /// The suggestion that is offered.
    pub offer: Option<Offer>,
    /// What was said, oldest first.
    pub talk: Vec<Talk>,
    /// What was done, oldest first.
    pub done: Vec<DoneLine>,
    /// How many steps were made, by the person and by the assistant: `done` forgets the oldest.
    steps_by: [usize; 2],
    /// How far the design is, as it was last known, and behind which step of the editor that was.
    pub standing: Option<(u64, Arc<AssistStep>)>,
    /// The goal drawn.
    pub goal_picture: Option<Arc<DesignPicture>>,
    /// What models cost.
    pub costs: ModelCosts,
    /// Whether the measures of the work are shown.
    pub shows_measures: bool,
    /// What happened.
    pub ledger: Ledger,
    /// What was offered when the design was left, until that is offered again.
    pub(in crate::workbench) left: Option<Box<PendingOffer>>,
    /// What is offered, with the design that it was made for.
    pub(in crate::workbench) pending: Option<Arc<PendingOffer>>,
    /// Which offer is kept with the run, and how much was told of it then.
    pub(in crate::workbench) kept_offer: Option<(u32, HelpLevel)>,
    pub(in crate::workbench) wish: Option<Wish>,
    pub(in crate::workbench) waiting: Option<WaitingModel>,
    pub(in crate::workbench) playing: Option<Playing>,
    pub(in crate::workbench) past: Vec<PastOffer>,
    /// Which way on was offered last.
    pub(in crate::workbench) way: u32,
    /// Those that were offered of the design as it is.
    pub(in crate::workbench) ways: OfferedWays,
    /// How many questions were put to models.
    pub(in crate::workbench) questions: u64,
    pub(in crate::workbench) guides: Option<Arc<AssistGuides>>,
    /// The designs that the guides do not know.
    pub(in crate::workbench) since: Vec<SinceStep>,
    /// What was followed with the step that is made next.
    pub(in crate::workbench) following: Option<Arc<Suggestion>>,
    /// Which value was taken in last.
    pub(in crate::workbench) seen: Option<AssistStepKey>,
    /// What the clock of whoever runs the application says, in seconds since 1970; 0 until it does.
    pub(in crate::workbench) now_secs: f64,
    /// The same when the work began.
    pub(in crate::workbench) began_secs: Option<f64>,
}

impl AssistantDesk {
    /// The assistant of a design with which nothing was done yet.
    pub fn new(document: &Document, knows_goal: bool) -> Self {
        let source = if knows_goal { AssistantSource::Answer } else { AssistantSource::default() };
        let since = vec![SinceStep { step: 0, document: document.clone(), followed: None }];
        Self { source, since, ..Self::default() }
    }

    /// Takes the time from whoever runs the application, in seconds since 1970. It never goes back.
    pub fn tell_time(&mut self, now_secs: f64) {
        if now_secs.is_finite() && now_secs > self.now_secs {
            self.now_secs = now_secs;
        }
        self.began_secs.get_or_insert(self.now_secs);
    }

    /// Whether a step is being looked for, or a model asked.
    pub fn is_thinking(&self) -> bool {
        self.wish.is_some() || self.waiting.is_some()
    }

    /// Whether a model is being asked, and what was heard of it so far.
    pub fn heard(&self) -> Option<&str> {
        self.waiting.as_ref().map(|waiting| waiting.heard.as_str())
    }

    /// Whether a suggestion is being carried out, step by step.
    pub fn is_playing(&self) -> bool {
        self.playing.is_some()
    }

    /// The offer that can be taken: its values are told, and something of it still fits.
    pub fn takeable(&self) -> Option<&Offer> {
        let offer = self.offer.as_ref()?;
        let is_told = offer.level >= HelpLevel::Value && !self.is_playing();
        (is_told && offer.freshness != Freshness::Withdrawn).then_some(offer)
    }

    /// What would come of the offer, to be drawn over the picture.
    pub fn ghost(&self) -> &[GhostOutline] {
        let offer = self.offer.as_ref().filter(|offer| offer.level == HelpLevel::Ghost);
        offer.map(|offer| offer.ghost.as_slice()).unwrap_or_default()
    }

    /// The nodes of the offer that have a number on the canvas, in its order.
    pub fn discs(&self) -> &[NodeId] {
        let offer = self.offer.as_ref().filter(|offer| offer.level >= HelpLevel::Where);
        offer.map(|offer| offer.discs.as_slice()).unwrap_or_default()
    }

    /// What is to be lit up beside the canvas: the control, and from the second level on the layers.
    pub fn highlight(&self) -> Highlight {
        let Some(offer) = self.offer.as_ref().filter(|_| !self.is_hidden) else {
            return Highlight::default();
        };
        let first = offer.fitting.first().and_then(|at| offer.suggestion.hunks.get(*at));
        Highlight { field: first.map(Hunk::field), nodes: self.discs().to_vec() }
    }

    /// How people and the assistant worked together so far.
    pub fn measures(&self) -> Measures {
        Measures::of(&self.ledger)
    }

    /// How many steps were made: by the person, and by the assistant.
    pub fn steps_by(&self) -> [usize; 2] {
        self.steps_by
    }

    /// The question that a model is being asked.
    pub fn answer_key(&self) -> Option<&AssistAnswerKey> {
        self.waiting.as_ref().map(|waiting| &waiting.key)
    }

    /// The step that was offered before the one that is offered, or last where none is, of the design behind this step
    /// of its editor.
    pub fn way_before(&self, step: u64) -> Option<&FoundStep> {
        let at = if self.offer.is_some() { self.ways.at.checked_sub(1)? } else { self.ways.at };
        self.ways.found.get(at).filter(|_| self.ways.step == step)
    }

    /// The step that was offered after the one that is offered, of the design behind this step of its editor.
    pub fn way_after(&self, step: u64) -> Option<&FoundStep> {
        let after = self.ways.found.get(self.ways.at.saturating_add(1));
        after.filter(|_| self.offer.is_some() && self.ways.step == step)
    }

    /// What is to be known of the design behind a step; `None` if nothing is.
    pub(in crate::workbench) fn step_key(&self, desk: u64, step: u64) -> Option<AssistStepKey> {
        let is_known = self.standing.as_ref().is_some_and(|(of, _)| *of == step);
        let asks = match self.wish {
            Some(wish) => wish.asks,
            None if is_known => return None,
            None => StepAsk::Standing,
        };
        Some(AssistStepKey { desk, step, asks })
    }

    /// Adds to the conversation.
    pub(in crate::workbench) fn say(&mut self, by: Speaker, words: impl Into<String>) {
        self.talk.push(Talk { by, words: words.into(), cost_usd: None });
        let surplus = self.talk.len().saturating_sub(MOST_LINES);
        self.talk.drain(..surplus);
    }

    /// Adds to what was done.
    pub(in crate::workbench) fn did(&mut self, by: Author, words: String) {
        self.steps_by[usize::from(by != Author::Person)] += 1;
        let at_secs = self.now_secs - self.began_secs.unwrap_or(self.now_secs);
        self.done.push(DoneLine { by, words, at_secs });
        let surplus = self.done.len().saturating_sub(MOST_LINES);
        self.done.drain(..surplus);
    }

    /// The event of now.
    pub(in crate::workbench) fn event(&self, act: AssistAct) -> AssistEvent {
        AssistEvent { at: self.now_secs, act }
    }

    /// What became of suggestions, the newest last, in one line each.
    pub(in crate::workbench) fn fates(&self) -> Vec<String> {
        let lines = self.past.iter().map(|past| {
            let fate = match self.ledger.state(past.number) {
                Some(SuggestionState::Accepted) => "taken",
                Some(SuggestionState::Partly) => "taken in part",
                Some(SuggestionState::Refused) => "refused",
                Some(SuggestionState::Withdrawn | SuggestionState::Stale) => {
                    "overtaken by what the person did"
                }
                _ => "not decided",
            };
            let edited = if past.is_edited { ", then changed by the person" } else { "" };
            format!("{}: {fate}{edited}", past.words)
        });
        lines.collect()
    }
}

impl OfferedWays {
    /// Takes note that a step is offered of the design behind this step of its editor.
    pub(in crate::workbench) fn offered(&mut self, step: u64, found: &FoundStep) {
        if self.step != step {
            (self.step, self.found) = (step, Vec::new());
        }
        let known = self.found.iter().position(|known| known.suggestion == found.suggestion);
        self.at = known.unwrap_or_else(|| {
            let surplus = (self.found.len() + 1).saturating_sub(MOST_WAYS);
            self.found.drain(..surplus);
            self.found.push(found.clone());
            self.found.len() - 1
        });
    }

    /// What was offered last was refused: it is not gone back to.
    pub(in crate::workbench) fn refuse(&mut self) {
        if self.at < self.found.len() {
            self.found.remove(self.at);
        }
        self.at = self.at.saturating_sub(1);
    }
}

impl Offer {
    /// A suggestion, offered on a design.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub(in crate::workbench) fn new(
        number: u32,
        suggestion: Arc<Suggestion>,
        level: HelpLevel,
        document: &Document,
        measure: &dyn Measure,
    ) -> Result<Self, DocumentError> {
        let all = suggestion.all();
        // Carried out once on a copy: what it comes to is shown, compared and taken from there.
        let seen = ghost(document, &suggestion, &all, measure)?;
        let values = suggestion.values(document, &seen.after).into_iter();
        let hunks = values.map(|value| offered_hunk(value, document, &seen.after)).collect();
        let discs = suggestion.nodes().into_iter().cloned().collect();
        let ghost = outlines(&seen, document);
        Ok(Self {
            number,
            level,
            ticked: all.iter().copied().collect(),
            hunks,
            fitting: all,
            freshness: Freshness::Fresh,
            ghost,
            after: seen.after,
            version: 1,
            discs,
            is_shown: false,
            suggestion,
        })
    }

    /// Looks again at what of it holds, on a design that may be another.
    pub(in crate::workbench) fn refresh(&mut self, document: &Document, measure: &dyn Measure) {
        self.freshness = self.suggestion.freshness(document);
        self.fitting = self.suggestion.fitting(document);
        let taken = self.ticked_fitting();
        // What the document refuses would not be taken either.
        self.version += 1;
        match ghost(document, &self.suggestion, &taken, measure) {
            Ok(seen) => {
                self.ghost = outlines(&seen, document);
                self.after = seen.after;
            }
            Err(_) => self.ghost.clear(),
        }
    }

    /// The places of the hunks that are ticked and can still be taken.
    pub fn ticked_fitting(&self) -> Vec<usize> {
        self.fitting.iter().copied().filter(|at| self.ticked.contains(at)).collect()
    }

    /// What it says, as far as it is told.
    pub fn words(&self, document: &Document) -> String {
        let level = match self.level {
            HelpLevel::What => Level::What,
            HelpLevel::Where => Level::Where,
            HelpLevel::Value | HelpLevel::Ghost => Level::Value,
        };
        self.suggestion.told(level, document)
    }
}

fn offered_hunk(value: HunkValue, before: &Document, after: &Document) -> OfferedHunk {
    let change = match [before, after].map(|it| it.get(&value.node).is_some()) {
        [false, _] => GhostChange::Added,
        [true, false] => GhostChange::Removed,
        [true, true] => GhostChange::Changed,
    };
    OfferedHunk { change, name: name_of(&value.node, before, after), value }
}

fn outlines(seen: &Ghost, before: &Document) -> Vec<GhostOutline> {
    let outlines = seen.nodes.iter().map(|node| GhostOutline {
        node: node.id.clone(),
        change: node.change,
        name: name_of(&node.id, before, &seen.after),
        before: node.before,
        after: node.after,
    });
    outlines.collect()
}

/// What a node is called, of the one design or else of the other.
fn name_of(id: &NodeId, design: &Document, other: &Document) -> String {
    let node = design.get(id).or_else(|| other.get(id));
    node.map(|node| node.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_are_counted_though_the_oldest_lines_are_forgotten() {
        let mut assistant = AssistantDesk::default();
        for number in 0..MOST_LINES + 50 {
            assistant.did(Author::Person, format!("step {number}"));
        }
        assistant.did(Author::AssistantAlone, "its own".to_owned());
        assert_eq!(assistant.done.len(), MOST_LINES);
        assert_eq!(assistant.steps_by(), [MOST_LINES + 50, 1]);
    }
}

//! Tasks in memory.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::Size;
use crate::environment::EnvironmentKind;
use crate::environment::suite::GivenPicture;
use crate::metric::constraint::{Query, read_brief};
use crate::metric::plan::Stage;
use crate::metric::plan::sequence::distinct_actions;
use crate::metric::transformation::Checks;

/// Tasks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSet {
    /// Unique among sets; what runs refer to.
    pub id: String,
    /// For people.
    pub name: String,
    /// Where it lies.
    pub dir: PathBuf,
    /// In order; each shared with whatever is made of it.
    pub tasks: Vec<Arc<Task>>,
}

/// One thing to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Unique in its set, such as `gid6-27`.
    pub id: String,
    /// Which environment.
    pub environment: EnvironmentKind,
    /// What is asked.
    pub kind: TaskKind,
    /// The words the agent gets.
    pub instruction: String,
    /// What the canvas holds at first; `None`: an empty frame.
    pub start: Option<Artifact>,
    /// What it should become.
    pub ground_truth: Option<Artifact>,
    /// The size of the main frame, in canvas units, where known.
    pub canvas_size: Option<Size>,
    /// Tools a person used for it, if annotated.
    pub reference_tools: Vec<String>,
    /// How people planned it, if they did: a task of the design suite.
    pub reference_plan: Option<Stage>,
    /// The UI category, such as `Cart & checkout`, if known.
    pub category: Option<String>,
    /// `easy`, `medium`, `hard` or other, if known.
    pub difficulty: Option<String>,
    /// Free words.
    pub tags: Vec<String>,
    /// What must be true of the picture at the end, beside that of the start, if the task says.
    pub checks: Option<Checks>,
    /// What it asks for in words, component by component, if it is a design query.
    pub brief: Option<Arc<DesignBrief>>,
    /// The pictures it hands out, for an environment that imports pictures; those of a design query
    /// are found by [`given_pictures`](super::given_pictures) instead.
    pub given: Vec<GivenPicture>,
}

impl TaskKind {
    /// In words, as tables have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Replication => "replication",
            Self::AttributeUpdate => "attribute update",
            Self::ComponentInsertion => "component insertion",
            Self::ModeChange => "mode change",
            Self::Composition => "composition",
        }
    }
}

impl Task {
    /// A task on the canvas of which nothing else is known.
    pub fn new(id: impl Into<String>, kind: TaskKind, instruction: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            environment: EnvironmentKind::Canvas,
            kind,
            instruction: instruction.into(),
            start: None,
            ground_truth: None,
            canvas_size: None,
            reference_tools: Vec::new(),
            reference_plan: None,
            category: None,
            difficulty: None,
            tags: Vec::new(),
            checks: None,
            brief: None,
            given: Vec::new(),
        }
    }

    /// Gives it another reference plan. Tools that were the actions of the one before are those of this one.
    pub fn set_reference_plan(&mut self, plan: Stage) {
        if self.reference_tools == actions_of(self.reference_plan.as_ref()) {
            self.reference_tools = actions_of(Some(&plan));
        }
        self.reference_plan = Some(plan);
    }

    /// Whether anything can be measured of an attempt at it: it has a ground truth, or asks in words.
    pub fn is_measurable(&self) -> bool {
        self.ground_truth.is_some() || self.brief.is_some() || !self.given.is_empty()
    }
}

/// The actions of a plan in the order of their first use: its reference tools, where none are named.
pub(in crate::task) fn actions_of(plan: Option<&Stage>) -> Vec<String> {
    let actions = plan.map(distinct_actions).unwrap_or_default();
    actions.into_iter().map(str::to_owned).collect()
}

/// What a published design query holds beside its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignBrief {
    /// What it wants on the page, with the names and URLs of its pictures.
    pub query: Query,
    /// Yes/no questions about the result, if there are any.
    pub questions: Vec<String>,
}

/// The longest title of a brief, in characters.
const TITLE_CHARS: usize = 40;
/// A brief without a text is called after so many of its words.
const TITLE_WORDS: usize = 5;

impl DesignBrief {
    /// The brief that somebody describes in words; see [`read_brief`] for how they are read.
    pub fn described(words: &str) -> Self {
        Self { query: read_brief(words).0, questions: Vec::new() }
    }

    /// Whether nothing is asked that could be made.
    pub fn asks_nothing(&self) -> bool {
        let Query { background, texts, visuals, .. } = &self.query;
        background.is_none() && texts.is_empty() && visuals.is_empty()
    }

    /// What a design is called that is made for it: its first text, or the first of the words it was described with.
    pub fn title(&self, words: &str) -> String {
        let text = self.query.texts.first().and_then(|text| text.content.as_deref());
        let first = text.unwrap_or(words).split_whitespace().take(TITLE_WORDS);
        let title = first.collect::<Vec<_>>().join(" ");
        let title: String = title.chars().take(TITLE_CHARS).collect();
        if title.trim().is_empty() { "Untitled".to_owned() } else { title }
    }
}

/// A state of a design on disk: its document, its picture, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Artifact {
    /// Figma JSON.
    pub document: Option<PathBuf>,
    /// PNG or JPEG.
    pub picture: Option<PathBuf>,
}

/// What a task asks: screens as CANVAS divides it, and designs from a query.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Build the whole screen.
    Replication,
    /// Change attributes (CANVAS task 1).
    AttributeUpdate,
    /// Add a component (CANVAS task 2).
    ComponentInsertion,
    /// Switch between light and dark (CANVAS task 3).
    ModeChange,
    /// Design a page from a query in words (GraphicBench).
    Composition,
}

//! What of an item is shown, and how.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::open_labels::OpenLabels;
use crate::label::{Item, Place};
use crate::run::Run;
use crate::task::Task;
use crate::workbench::model::ids::EvidenceKey;
use crate::workbench::model::values::ResourceKey;

/// Most items of a project that can be shown: each run of each has a number of its own.
pub const MOST_ITEMS: usize = 1 << 27;

/// The runs of an item, opened, and their task.
#[derive(Clone, Debug)]
pub struct ItemEvidence {
    /// In the item's order; of each that cannot be shown, why.
    pub runs: Vec<Result<Arc<Run>, String>>,
    /// What they are attempts at, if its set was found.
    pub task: Option<Arc<Task>>,
}

impl ResourceKey for EvidenceKey {
    type Value = ItemEvidence;
    // The one on the screen, those around it, and those of the last answers.
    const BUDGET: usize = 16;

    fn cost(_: &ItemEvidence) -> usize {
        1
    }
}

/// An item as its evidence is made of it.
#[derive(Clone, Debug)]
pub struct ItemInput {
    labels: Arc<OpenLabels>,
    at: usize,
    /// Whether what cannot be shown must not say where it lay.
    pub is_blind: bool,
}

impl ItemInput {
    /// The item at a place of the project, if it has so many.
    pub(in crate::workbench) fn new(
        labels: &Arc<OpenLabels>,
        at: usize,
        is_blind: bool,
    ) -> Option<Self> {
        let labels = Arc::clone(labels);
        (at < labels.items.len()).then_some(Self { labels, at, is_blind })
    }

    /// The item.
    pub fn item(&self) -> &Item {
        &self.labels.items[self.at]
    }

    /// The project's file.
    pub fn file(&self) -> &Path {
        &self.labels.path
    }

    /// Where task sets are looked for first, as seen from the file.
    pub fn task_sets(&self) -> &[String] {
        &self.labels.project.task_sets
    }

    /// Whether the file is a packet: its pictures are in it.
    pub fn is_packet(&self) -> bool {
        self.labels.project.packet.is_some()
    }
}

/// A picture of the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidencePane {
    /// A run of the item, by its place in it.
    Run(u8),
    /// The ground truth of its task.
    Truth,
    /// A candidate of a query, by its place in the item.
    Candidate(u8),
}

/// How two runs are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvidenceLayout {
    /// Beside each other, the ground truth in the middle.
    #[default]
    SideBySide,
    /// Over each other, divided by a line that is dragged.
    Swipe,
    /// Over each other, one at a time.
    Blink,
}

impl EvidenceLayout {
    /// All, in the order of the toolbar.
    pub const ALL: [Self; 3] = [Self::SideBySide, Self::Swipe, Self::Blink];

    /// What people call it, and what answers keep of how long it was used.
    pub fn name(self) -> &'static str {
        match self {
            Self::SideBySide => "side by side",
            Self::Swipe => "swipe",
            Self::Blink => "blink",
        }
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::SideBySide => Self::Swipe,
            Self::Swipe => Self::Blink,
            Self::Blink => Self::SideBySide,
        }
    }
}

/// What of the item is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceView {
    /// How.
    pub layout: EvidenceLayout,
    /// `None`: fit; else screen points a pixel of the reference.
    pub zoom: Option<f32>,
    /// The middle of the view as a fraction of the picture.
    pub center: [f32; 2],
    /// The steps of the runs, where it is not the last one, by their place in the item.
    pub steps: BTreeMap<u8, u32>,
    /// Whether the ground truth shows in place of the runs for now.
    pub holds_truth: bool,
    /// Whether a heat of the difference lies over the runs, where the form allows it.
    pub shows_difference: bool,
    /// Whether the layers of a run stand beside it; `None`: where it is beside its gold trajectory.
    pub shows_layers: Option<bool>,
    /// Whether the gold trajectory follows the run, to the step that goes with the run's.
    pub gold_follows: bool,
    /// Where the line of [`EvidenceLayout::Swipe`] is, as a fraction; which is in front while blinking is
    /// left or right of a half.
    pub divide: f32,
    /// What a drag or a key is to point at, while something is being pointed at.
    pub pointing: Option<Pointing>,
    /// The place that is made good to see, such as of a mark under the pointer.
    pub shown_place: Option<Place>,
}

/// What a place is being shown for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointing {
    /// As evidence of the answer to a question.
    Evidence(String),
    /// Of a mark, by its question and its place among its marks.
    Mark(String, usize),
}

impl Default for EvidenceView {
    fn default() -> Self {
        Self {
            layout: EvidenceLayout::default(),
            zoom: None,
            center: [0.5, 0.5],
            steps: BTreeMap::new(),
            holds_truth: false,
            shows_difference: false,
            shows_layers: None,
            gold_follows: true,
            divide: 0.5,
            pointing: None,
            shown_place: None,
        }
    }
}

impl EvidenceView {
    /// As the next item is shown: laid out the same, at its end and fitted.
    #[must_use]
    pub(in crate::workbench) fn for_next(&self) -> Self {
        let Self { layout, shows_difference, shows_layers, gold_follows, .. } = *self;
        Self { layout, shows_difference, shows_layers, gold_follows, ..Self::default() }
    }
}

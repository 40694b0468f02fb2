//! The room in which people label: one project at a time.

mod draft;
mod evidence;
mod new_labels;
mod open_labels;
mod progress;
mod review;
mod run_labels;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::label::study::{Audience, is_blind};
use crate::label::{Form, FormHash, Item, ItemId, Ledger, Qualification};

pub use draft::Draft;
pub use evidence::{
    EvidenceLayout, EvidencePane, EvidenceView, ItemEvidence, ItemInput, MOST_ITEMS, Pointing,
};
pub use new_labels::{NewLabels, NewLabelsFile, NewText, OwnForm};
pub use open_labels::{OpenLabels, Unit, survey_item};
pub use progress::{LabelProgress, PersonProgress, UnitState};
pub use review::{FindingsKey, LabelsInput, Review, ReviewFindings, ReviewList, ReviewRow, Topic};
pub use run_labels::{LabelsByRun, RunLabels, StepLabel};

/// A room of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Workspace {
    /// Runs are stepped through.
    #[default]
    Inspect,
    /// All runs are listed, plotted and compared.
    Explore,
    /// People label.
    Annotate,
    /// People design by hand.
    Assist,
}

/// What the room shows.
#[derive(Clone, Debug, Default)]
pub struct Annotate {
    /// The project that is open.
    pub labels: Option<Arc<OpenLabels>>,
    /// The file that is being opened.
    pub opening: Option<PathBuf>,
    /// A project that is being made.
    pub new: Option<NewLabels>,
    /// Why the last one could not be opened.
    pub problem: Option<String>,
    /// All that was done, as far as it is on disk.
    pub ledger: Arc<Ledger>,
    /// Who labels, as the project names them or as they labelled in it; counted while nobody sits there.
    pub people: Vec<PersonProgress>,
    /// What people said of each run. Read by [`Annotate::said_of`], which keeps it from who labels blind.
    pub(in crate::workbench) by_run: LabelsByRun,
    /// What lies on other desks at the same file: it is asked later.
    pub held: BTreeSet<(ItemId, FormHash)>,
    /// Who labels, with their queue; `None`: nobody has said yet.
    pub desk: Option<Desk>,
    /// Whom it is asked of whether they are to be removed with all they did.
    pub asking_withdrawal: Option<String>,
    /// Who is being removed.
    pub withdrawing: Option<String>,
    /// Whether it is asked of whoever reviews if names are to be revealed.
    pub asking_reveal: bool,
}

/// Where a person sits: what is theirs to answer, and where they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    /// Who.
    pub person: String,
    /// What they are asked, in order: each turn by each form about such items.
    pub units: Vec<Unit>,
    /// Where the unit of an item by a form is.
    pub places: Arc<BTreeMap<ItemId, BTreeMap<FormHash, usize>>>,
    /// How far each unit is, in their order.
    pub progress: LabelProgress,
    /// Which unit is on the screen; beyond the last: all is done.
    pub at: usize,
    /// What is being answered.
    pub draft: Draft,
    /// What was begun and left, by unit.
    pub left: BTreeMap<usize, Draft>,
    /// What is shown of the item.
    pub view: EvidenceView,
    /// What is being written.
    pub saving: Saving,
    /// What undo or redo last did, in words, until something else is done.
    pub told: Option<String>,
    /// The question whose words are to get the cursor.
    pub writing: Option<String>,
    /// Whether the guide is open.
    pub shows_guide: bool,
    /// The reason of a flag that is being typed.
    pub flagging: Option<String>,
    /// The language forms are read in.
    pub language: String,
    /// Where an adjudicator is, if who sits there settles what others answered.
    pub review: Option<Review>,
    /// What is read before anything is answered.
    pub reading: Option<Reading>,
    /// How far the person is with the qualification.
    pub qualification: Qualification,
}

/// What is read before anything is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The text that is agreed to.
    Consent,
    /// Good and bad examples.
    Examples,
}

/// Whether what was done is on disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Saving {
    /// All of it.
    #[default]
    Done,
    /// Something is on its way there.
    Writing(Written),
    /// It could not be written, and is tried again.
    Failing {
        /// What.
        written: Written,
        /// Why.
        why: String,
    },
    /// An answer is on disk, and the next item follows in a moment.
    GoingOn,
}

/// What is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number it was sent under.
    pub number: u64,
    /// What it is for.
    pub purpose: WrittenFor,
}

/// What an event is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenFor {
    /// The unit is answered, or put off: the next one follows.
    Leaving,
    /// Something is said of it, and it stays.
    Staying,
    /// The text was agreed to.
    Agreeing,
    /// Undo, to this unit.
    Undo(usize),
    /// Redo, to this unit.
    Redo(usize),
}

impl Annotate {
    /// The people a project names and whoever labelled beside them, with how much of theirs is answered.
    pub(in crate::workbench) fn count_people(&mut self) {
        let Some(labels) = &self.labels else { return };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for key in self.ledger.cell_keys() {
            let is_answered = self.ledger.answer(key).is_some();
            *counts.entry(&key.person).or_default() += usize::from(is_answered);
        }
        let named = labels.project.people.iter().map(String::as_str);
        let mut names: Vec<&str> = named.collect();
        // Who answered and is not named is counted as well: their work is in the file.
        let others: Vec<&str> =
            counts.keys().filter(|name| !names.contains(*name)).copied().collect();
        names.extend(others);
        let all = labels.item_unit_counts(&names);
        let people = names.into_iter().zip(all).map(|(name, all)| PersonProgress {
            name: name.to_owned(),
            answered: counts.get(name).copied().unwrap_or(0),
            all,
            has_withdrawn: self.ledger.has_withdrawn(name),
        });
        self.people = people.collect();
    }

    /// Counts what people said of each run.
    pub(in crate::workbench) fn count_by_run(&mut self) {
        if let Some(labels) = &self.labels {
            self.by_run = LabelsByRun::count(labels, &self.ledger);
        }
    }

    /// Whether names, scores and costs are kept from who looks at the screen.
    pub fn is_blind(&self) -> bool {
        let reviews = self.desk.as_ref().is_some_and(|desk| desk.review.is_some());
        let audience = if reviews { Audience::Reviews } else { Audience::Labels };
        let labels = self.labels.as_ref();
        labels.is_some_and(|labels| is_blind(&labels.project, &self.ledger, audience))
    }

    /// Whether somebody labels blind just now: nothing of what anybody said of any run shows then, in no room.
    /// Whoever settles sees all answers anyway.
    pub fn hides_labels(&self) -> bool {
        let is_labelling = self.desk.as_ref().is_some_and(|desk| desk.review.is_none());
        is_labelling && self.is_blind()
    }

    /// What people said of the run in a folder, if anything; nothing while [`Self::hides_labels`].
    pub fn said_of(&self, folder: &Path) -> Option<&RunLabels> {
        self.by_run.of(folder).filter(|_| !self.hides_labels())
    }

    /// Whether the run in a folder is of the project, and what was said of it is hidden just now.
    pub fn hides_labels_of(&self, folder: &Path) -> bool {
        self.hides_labels() && !self.by_run.items_of(folder).is_empty()
    }

    /// Whether what the room shows is a project that is being made.
    pub fn is_making(&self) -> bool {
        self.new.is_some() && self.desk.is_none() && self.opening.is_none()
    }

    /// The project with the person at it.
    pub fn at_desk(&self) -> Option<(&Arc<OpenLabels>, &Desk)> {
        Some((self.labels.as_ref()?, self.desk.as_ref()?))
    }

    /// What is asked now: the item and the form.
    pub fn asked(&self) -> Option<(&Item, &Form)> {
        let (labels, desk) = self.at_desk()?;
        let unit = desk.unit()?;
        Some((labels.item(unit)?, labels.form(unit)?))
    }
}

impl Desk {
    /// The unit on the screen.
    pub fn unit(&self) -> Option<&Unit> {
        self.units.get(self.at)
    }

    /// The unit of an item by a form.
    pub fn unit_of(&self, (item, form): (&ItemId, FormHash)) -> Option<usize> {
        self.places.get(item)?.get(&form).copied()
    }

    /// Whether the unit can be answered or left now: nothing is being written.
    pub fn is_free(&self) -> bool {
        matches!(self.saving, Saving::Done)
    }
}

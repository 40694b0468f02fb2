//! What a person who labels can do, and what is asked and heard of the project's file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::label::{Act, AnswerValue, Event, Form, FormHash, ItemId, Ledger, Place};
use crate::workbench::model::{
    EvidenceLayout, NewLabels, NewLabelsFile, OpenLabels, Pointing, ReviewList, Workspace,
};

/// Something that is done where people label.
#[derive(Clone, Debug, PartialEq)]
pub enum AnnotateCommand {
    /// Show this room of the window.
    Show(Workspace),
    /// Open a labelling project.
    Open(PathBuf),
    /// Make a project of the runs that the library lists.
    BeginNew,
    /// Choose something of it: in place of all that was chosen.
    EditNew(Box<NewLabels>),
    /// Take something of it from this file.
    ChooseNewFile(NewLabelsFile, PathBuf),
    /// Leave it.
    LeaveNew,
    /// Make it, in this file.
    Make(PathBuf),
    /// Close the project that is open.
    Close,
    /// Say that whoever closes the window again gives up the answer that is not on disk.
    WarnOfUnsaved,
    /// Somebody sits down to label.
    SitDown(String),
    /// Somebody sits down to see how far people agree, and to settle what they differ on.
    SitDownToSettle(String),
    /// Do something there.
    Review(ReviewCommand),
    /// The text about consent is agreed to.
    Agree,
    /// Show the examples, or leave them.
    ToggleExamples,
    /// Look for runs that were moved, in this folder and below.
    Relocate(PathBuf),
    /// Ask whether somebody is to be removed with all they did; `None`: nobody.
    AskWithdrawal(Option<String>),
    /// Remove all that somebody did, for good.
    Withdraw(String),
    /// Whoever labels gets up; the project stays open.
    GetUp,
    /// Read forms in this language.
    Language(String),
    /// Answer a question, or take the answer away.
    Answer {
        /// Which question, by its id.
        question: String,
        /// With what.
        value: Option<AnswerValue>,
    },
    /// Have keys answer this question.
    Focus(String),
    /// Put the cursor into the words that answer this question; `None`: it is there.
    Write(Option<String>),
    /// Have keys answer the question this many further.
    FocusBy(i32),
    /// Say that one is not sure, or is.
    ToggleUnsure,
    /// Put a note in the place of what was there.
    Note(String),
    /// Point at a place: the next drag or click on a picture is it.
    Point(Option<Pointing>),
    /// This is the place that is pointed at.
    PointedAt(Place),
    /// Take a place away that shows an answer, by its place in the list.
    RemoveEvidence {
        /// Of the answer to which question.
        question: String,
        /// Which.
        at: usize,
    },
    /// Add a mark of this option, at the step on the screen.
    AddMark {
        /// To which question.
        question: String,
        /// What is there.
        option: String,
    },
    /// Change a mark.
    EditMark {
        /// Of which question.
        question: String,
        /// Which.
        at: usize,
        /// How.
        edit: MarkEdit,
    },
    /// Make a place good to see, such as of a mark under the pointer; `None`: none.
    ShowPlace(Option<Place>),
    /// The form is done: write it down, and go on.
    Submit(Dwell),
    /// The pause after an answer is over.
    GoOn,
    /// Put the item off.
    Skip,
    /// Say what is wrong with the item; `None`: leave it, or begin to say.
    EditFlag(Option<String>),
    /// Flag the item with what was typed.
    Flag,
    /// Nothing is wrong with it after all.
    Unflag,
    /// Take the last thing back.
    Undo,
    /// Bring it back.
    Redo,
    /// Show this unit.
    GoTo(usize),
    /// Show the unit this many further.
    GoBy(i32),
    /// Show or hide the guide.
    ToggleGuide,
    /// Change what is shown of the item.
    View(EvidenceCommand),
}

/// Something that an adjudicator does.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewCommand {
    /// Look at this topic, by its place among the project's.
    Topic(usize),
    /// List these answers.
    List(ReviewList),
    /// Why the next one is settled as it is.
    Note(String),
    /// This is what the answer is in the end.
    Settle(String),
    /// Take one's own settlement back.
    Unsettle,
    /// Let somebody label who failed the qualification.
    LetOn(String),
    /// Ask whether who made what is to be revealed, or leave it.
    AskReveal(bool),
    /// Reveal who made what, to whoever reviews.
    Reveal,
}

/// A change of a mark.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkEdit {
    /// How bad it is, from 1.
    Severity(u32),
    /// What there is to say of it.
    Note(String),
    /// It is the one that keys change.
    Select,
    /// It was none.
    Remove,
}

/// A change of what is shown of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EvidenceCommand {
    /// Lay the runs out like this.
    Layout(EvidenceLayout),
    /// Scale the pictures to the room there is.
    Fit,
    /// Zoom and middle of the view: screen points a pixel of the reference, a fraction of the picture.
    View {
        /// Zoom.
        zoom: f32,
        /// Middle of the view.
        center: [f32; 2],
    },
    /// Show a run at this step.
    Step {
        /// Which, by its place in the item.
        run: u8,
        /// Which step; 0 is the start.
        step: u32,
    },
    /// Show every run this many steps further.
    StepBy(i32),
    /// Show the ground truth in place of the runs while held.
    HoldTruth(bool),
    /// Lay a heat of the difference over the runs, where the form allows it, or take it away.
    Difference(bool),
    /// Show the layers of the runs beside them, or not.
    Layers(bool),
    /// Have the gold trajectory follow the run, or let each be where it is.
    GoldFollows(bool),
    /// Put the line between two runs that lie over each other there, as a fraction.
    Divide(f32),
}

/// How long an item was on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dwell {
    /// In all, in milliseconds.
    pub millis: u64,
    /// In each view, by its name.
    pub views: BTreeMap<String, u64>,
}

/// What is asked of a labelling project's file. No jobs: each answer says itself what became of it.
#[derive(Clone, Debug)]
pub enum LabelOrder {
    /// Open this project in place of the one that is open.
    Open(PathBuf),
    /// Write down what somebody did; tried again until it is done or the project is closed.
    Write {
        /// The number to answer with.
        number: u64,
        /// What.
        done: Box<UnsavedAct>,
    },
    /// Look for its runs that were moved, in this folder and below.
    Relocate(PathBuf),
    /// Remove all that somebody did.
    Withdraw(String),
    /// This item by this form lies on the desk now; `None`: nothing. Others are asked it later.
    Hold(Option<(ItemId, FormHash)>),
    /// Close it.
    Close,
}

/// What somebody did, before it is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct UnsavedAct {
    /// Who.
    pub person: String,
    /// About which item.
    pub item: ItemId,
    /// By which form.
    pub form: FormHash,
    /// What.
    pub act: Act,
}

/// What is heard of a labelling project's file.
#[derive(Clone, Debug)]
pub enum LabelNews {
    /// It is open, or cannot be.
    Opened {
        /// Which file.
        path: PathBuf,
        /// What is in it, or why it cannot be opened.
        result: Result<(Arc<OpenLabels>, Box<Ledger>), String>,
    },
    /// Something is on disk; or is not, and is tried again.
    Written {
        /// The number it was sent under.
        number: u64,
        /// As it is on disk, or why it is not.
        result: Result<Box<Event>, String>,
    },
    /// Somebody is removed with all they did, or cannot be.
    Withdrawn {
        /// Who.
        person: String,
        /// What keeps it from coming back, how many events are gone, and whether nothing of them is left in the
        /// file's log; or why they are still there.
        result: Result<(Box<Event>, usize, bool), String>,
    },
    /// A form for a project that is being made was read from this file, or why it cannot be.
    FormRead {
        /// The file.
        path: PathBuf,
        /// What it asks.
        result: Result<Box<Form>, String>,
    },
    /// Runs were looked for: what was found, in words, and whether anything was written; or why nothing could be.
    Relocated(Result<(String, bool), String>),
    /// Another window or program wrote this into the same file.
    Others(Vec<Event>),
    /// These items by these forms lie on other desks: all that do.
    Held(BTreeSet<(ItemId, FormHash)>),
}

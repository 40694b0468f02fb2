//! What can be done with studies, and what is asked and heard of the thread that keeps the one that is open.

use std::path::PathBuf;
use std::sync::Arc;

use crate::design::Document;
use crate::label::{AnswerValue, Form};
use crate::study::{
    Counted, Happening, PauseReason, PersonProgress, StartChoice, StudyEvent, StudyPlan,
    StudyRecord,
};
use crate::workbench::model::{OpenedTask, StudyCount, StudyFindings, TrialPlace};

/// Something that is done in a study.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyCommand {
    /// Open the study in a folder, or a packet.
    Open(PathBuf),
    /// Say what a new study is made of.
    EditNew(NewStudyEdit),
    /// Make it in this folder.
    Make(PathBuf),
    /// Leave the study; who sits there gets up.
    Close,
    /// Let the next person in: the first row that nobody has.
    Join,
    /// Let somebody go on who was there before, such as `P03`.
    Continue(String),
    /// Agree to the study's text.
    Consent,
    /// Practise first, or go on without.
    LeavePractice,
    /// Begin the next task, or go on with one that was broken off.
    Begin,
    /// The task is drawn: the clock runs.
    Drawn,
    /// A button or key was pressed.
    Input,
    /// The window came to the front, or went to the back.
    Focus(bool),
    /// Hold the clock, for this reason.
    Pause(PauseReason),
    /// Let the clock go on.
    Resume,
    /// Done with the task.
    Done,
    /// Ask whether they want to give up, or ask no more.
    AskGiveUp(bool),
    /// Give up the task.
    GiveUp,
    /// Answer a question of the form that is asked; `None` takes the answer away.
    Answer {
        /// Which question.
        question: String,
        /// With what.
        value: Option<AnswerValue>,
    },
    /// Keys answer this question, by its place among what is asked.
    FocusQuestion(usize),
    /// Hand the form in.
    SendForm,
    /// Hand the form in without an answer.
    SkipForm,
    /// Get up: the task is left as it is, and can be gone on with.
    GetUp,
    /// Show what the study comes to, or who takes part.
    ShowResults(bool),
    /// Count what it comes to.
    Count(Counted),
    /// Count no further: what was counted before stays.
    StopCounting,
    /// Count it with the agents of the runs in this folder beside the people, or without them again.
    ToggleAgents(PathBuf),
    /// Ask whether all that somebody did shall be removed, or ask no more.
    AskWithdrawal(Option<String>),
    /// Remove all that they did, for good.
    Withdraw(String),
    /// Write what somebody is to do into a file that they open elsewhere.
    Pack {
        /// Their row of the plan.
        row: u32,
        /// The file.
        path: PathBuf,
    },
    /// Write what was done in a packet into a file that goes back.
    SaveAnswers(PathBuf),
    /// Take in what was done in a packet.
    Merge(PathBuf),
    /// Practise: this task, by its place.
    Practise(usize),
    /// Practise anew with other starts.
    PractiseAgain,
    /// Leave practice.
    EndPractice,
}

/// A change of what a new study is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewStudyEdit {
    /// Begin, or back out.
    Show(bool),
    /// Where the tasks lie.
    Tasks(PathBuf),
    /// Which preset, by its place.
    Preset(usize),
    /// What tasks begin with.
    Start(StartChoice),
    /// From what all orders follow.
    Seed(u64),
}

/// What the thread that keeps a study is asked.
#[derive(Clone, Debug)]
pub enum StudyOrder {
    /// Open a study or a packet.
    Open(PathBuf),
    /// Make a study of these tasks.
    Make(Box<StudyRecipe>),
    /// Nothing more comes of it.
    Close,
    /// Let somebody in; `None`: the next one.
    Seat(Option<String>),
    /// They got up.
    GetUp,
    /// Make ready the task at this position, in their plan.
    Begin(u32),
    /// Something happened: at the task at a position, or beside tasks.
    Happened {
        /// At which task.
        position: Option<u32>,
        /// What.
        what: Box<Happening>,
    },
    /// Hold the document at the end against the task's rule.
    Check {
        /// Of the task at this position.
        position: u32,
        /// The document.
        document: Box<Document>,
    },
    /// Count what it comes to. What is being counted before is given up.
    Count(StudyCount),
    /// Count no further.
    StopCounting,
    /// Remove all that somebody did.
    Withdraw(String),
    /// Write a packet.
    Pack {
        /// For whom.
        row: u32,
        /// Its file.
        path: PathBuf,
    },
    /// Write what was done in a packet.
    SaveAnswers(PathBuf),
    /// Take in what was done in one.
    Merge(PathBuf),
}

/// What a study is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyRecipe {
    /// Its folder.
    pub dir: PathBuf,
    /// Where the tasks lie.
    pub tasks: PathBuf,
    /// Which preset, by its place.
    pub preset: usize,
    /// What tasks begin with.
    pub start: StartChoice,
    /// From what all orders follow.
    pub seed: u64,
}

/// What that thread says.
#[derive(Clone, Debug)]
pub enum StudyNews {
    /// A study was opened, or not.
    Opened {
        /// As it was asked for.
        path: PathBuf,
        /// The study, or why not.
        result: Result<Box<OpenedStudy>, String>,
    },
    /// Somebody was let in, or not.
    Seated(Result<Box<PersonProgress>, String>),
    /// A task is ready, or why not.
    Begun {
        /// At which position.
        position: u32,
        /// Where it is recorded and what it begins with, with what was in its log already.
        result: Result<Box<(TrialPlace, Vec<StudyEvent>)>, String>,
    },
    /// Something is on disk.
    Kept {
        /// At which task.
        position: Option<u32>,
        /// What.
        event: Box<StudyEvent>,
    },
    /// Something is not, for this reason, and is tried again; `None`: all is by now.
    Unwritten(Option<String>),
    /// The check says nothing, for this reason.
    Unchecked(String),
    /// The clock of the task.
    Clock {
        /// At which position.
        position: u32,
        /// Milliseconds at it.
        active_ms: u64,
        /// Milliseconds that it stands still now.
        stopped_ms: u64,
    },
    /// What lies on disk now.
    Read(Arc<StudyRecord>),
    /// What it comes to, or why that cannot be said; nothing comes of a count that was given up.
    Counted(StudyCount, Result<Arc<StudyFindings>, String>),
    /// Something was done, in words, or not.
    Told(Result<String, String>),
}

/// A study that was opened.
#[derive(Clone, Debug)]
pub struct OpenedStudy {
    /// Its folder.
    pub dir: PathBuf,
    /// Its plan.
    pub plan: Arc<StudyPlan>,
    /// The forms of its instruments, in its order.
    pub forms: Arc<Vec<Form>>,
    /// Its tasks, in its order.
    pub tasks: Arc<Vec<OpenedTask>>,
    /// All that was recorded.
    pub record: Arc<StudyRecord>,
    /// Of a packet: the only one who takes part.
    pub packet: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

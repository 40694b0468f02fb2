//! The columns of the table over all runs, and what stands in its cells.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluate::VariantId;
use crate::evaluate::groups::{GroupBy, GroupMetric};
use crate::metric::Direction;

/// What the id of a setting begins with.
const SETTINGS: &str = "settings.";
/// What the id of a score begins with that others gave.
const IMPORTED: &str = "imported.";

/// A column: what of a run is listed, sorted, grouped or plotted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Column {
    /// Id of its task.
    Task,
    /// Id of the task's set.
    Set,
    /// The agent's name: mostly a model's.
    Model,
    /// The agent's kind.
    Agent,
    /// How the agent worked.
    Mode,
    /// The experiment it is of.
    Experiment,
    /// The condition of the study it is of.
    Condition,
    /// Who took part in the study it is of.
    Participant,
    /// Whether it succeeded, by the rule of the study it is of.
    Success,
    /// After how many seconds at the task, pauses not counted.
    SuccessSeconds,
    /// The folder that its batch was recorded in.
    Folder,
    /// What is asked.
    Kind,
    /// The category of the task.
    Category,
    /// How hard the task is said to be.
    Difficulty,
    /// How it stands or ended.
    State,
    /// When it began.
    Started,
    /// Model answers.
    Turns,
    /// Steps.
    Steps,
    /// Tool calls.
    Calls,
    /// Failed calls.
    Failures,
    /// Different tools.
    Tools,
    /// The share of the called tools that people used too.
    Precision,
    /// US dollars.
    Cost,
    /// Wall time.
    Seconds,
    /// Tokens read and written.
    Tokens,
    /// Answers of people who label.
    Answers,
    /// The share of people who preferred it.
    Preferred,
    /// The share of NDEC checks it passed.
    Ndec,
    /// What people chose or marked.
    Labels,
    /// Whether it is starred.
    Starred,
    /// The score at its end by a variant.
    Score(VariantId),
    /// A setting that it was made with, by its id: `settings.` and its path.
    Setting(String),
    /// What others scored it before it was imported, by its id: `imported.` and the record's own name. It is no score
    /// of ours, whatever it is called.
    Imported(String),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers: they are averaged and plotted.
    Number,
    /// Words: they are grouped by.
    Text,
    /// Yes or no.
    Flag,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number; finite.
    Number(f64),
    /// Words.
    Text(Arc<str>),
    /// A number of a setting, finite, and the words that it is written in: groups are made by these.
    Written(Arc<str>, f64),
    /// Yes or no.
    Flag(bool),
    /// Nothing, and why.
    Missing(Gap),
}

/// Why there is nothing in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nobody recorded it.
    NotRecorded,
    /// The run's events are still to be read.
    NotRead,
    /// The score is still to be measured.
    NotScored,
    /// It is infinite, and why: the pictures are equal. It is in no mean.
    Infinite(Arc<str>),
    /// It cannot be had.
    Because(Arc<str>),
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRecorded => f.write_str("not recorded"),
            Self::NotRead => f.write_str("not read yet"),
            Self::NotScored => f.write_str("not scored yet"),
            Self::Infinite(why) | Self::Because(why) => f.write_str(why),
        }
    }
}

impl Cell {
    /// The number, if it is one; a flag is 0 or 1.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) | Self::Written(_, number) => Some(*number),
            Self::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Self::Text(_) | Self::Missing(_) => None,
        }
    }

    /// The same, or infinity where there is no number for that.
    pub fn number_or_infinity(&self) -> Option<f64> {
        if self.is_infinite() { Some(f64::INFINITY) } else { self.number() }
    }

    /// Whether there is no number as it is infinite.
    pub fn is_infinite(&self) -> bool {
        matches!(self, Self::Missing(Gap::Infinite(_)))
    }

    /// Yes or no, if it says one of them.
    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Number(_) | Self::Text(_) | Self::Written(..) | Self::Missing(_) => None,
        }
    }

    /// The words, if it has some.
    pub fn text(&self) -> Option<&str> {
        self.shared_text().map(|text| &**text)
    }

    /// The same, to be kept.
    pub(in crate::workbench) fn shared_text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Text(text) | Self::Written(text, _) => Some(text),
            Self::Number(_) | Self::Flag(_) | Self::Missing(_) => None,
        }
    }

    /// A number where it is known.
    pub(in crate::workbench) fn of_number(number: Option<f64>) -> Self {
        let number = number.filter(|number| number.is_finite());
        number.map_or(Self::Missing(Gap::NotRecorded), Self::Number)
    }

    /// Words where there are some.
    pub(in crate::workbench) fn of_text(text: Option<&str>) -> Self {
        let text = text.filter(|text| !text.is_empty());
        text.map_or(Self::Missing(Gap::NotRecorded), |text| Self::Text(text.into()))
    }
}

/// Every column but scores, settings and what was imported, with its id, its heading and what it holds.
const COLUMNS: [(Column, &str, &str, ColumnKind); 30] = [
    (Column::Task, "task", "Task", ColumnKind::Text),
    (Column::Set, "set", "Set", ColumnKind::Text),
    (Column::Model, "model", "Model", ColumnKind::Text),
    (Column::Agent, "agent", "Agent", ColumnKind::Text),
    (Column::Mode, "mode", "Mode", ColumnKind::Text),
    (Column::Experiment, "experiment", "Experiment", ColumnKind::Text),
    (Column::Condition, "condition", "Condition", ColumnKind::Text),
    (Column::Participant, "participant", "Participant", ColumnKind::Text),
    (Column::Success, "success", "Success", ColumnKind::Flag),
    (Column::SuccessSeconds, "success_seconds", "Time of success", ColumnKind::Number),
    (Column::Folder, "folder", "Folder", ColumnKind::Text),
    (Column::Kind, "type", "Type", ColumnKind::Text),
    (Column::Category, "category", "Category", ColumnKind::Text),
    (Column::Difficulty, "difficulty", "Difficulty", ColumnKind::Text),
    (Column::State, "state", "State", ColumnKind::Text),
    (Column::Started, "started", "Started", ColumnKind::Text),
    (Column::Turns, "turns", "Turns", ColumnKind::Number),
    (Column::Steps, "steps", "Steps", ColumnKind::Number),
    (Column::Calls, "calls", "Calls", ColumnKind::Number),
    (Column::Failures, "failures", "Failed", ColumnKind::Number),
    (Column::Tools, "tools", "Tools", ColumnKind::Number),
    (Column::Precision, "precision", "Tool prec.", ColumnKind::Number),
    (Column::Cost, "cost", "Cost", ColumnKind::Number),
    (Column::Seconds, "seconds", "Seconds", ColumnKind::Number),
    (Column::Tokens, "tokens", "Tokens", ColumnKind::Number),
    (Column::Answers, "answers", "Answers", ColumnKind::Number),
    (Column::Preferred, "preferred", "Preferred", ColumnKind::Number),
    (Column::Ndec, "ndec", "NDEC", ColumnKind::Number),
    (Column::Labels, "labels", "Labels", ColumnKind::Text),
    (Column::Starred, "starred", "Starred", ColumnKind::Flag),
];

impl Column {
    /// Every column but scores, settings and what was imported, in the order of the chooser.
    pub fn all() -> impl Iterator<Item = Self> {
        COLUMNS.into_iter().map(|(column, ..)| column)
    }

    /// Its name in files, settings and filters: a word, the id of the variant, `settings.` and a path, or `imported.`
    /// and a name.
    pub fn id(&self) -> &str {
        match self {
            Self::Score(variant) => variant,
            Self::Setting(id) | Self::Imported(id) => id,
            column => column.entry().map_or("", |entry| entry.1),
        }
    }

    /// What a column of no score is headed with; a score says what its variant is called. What was imported keeps its
    /// prefix, so that nobody takes it for a score of ours.
    pub fn heading(&self) -> &str {
        match self {
            Self::Score(variant) => variant,
            Self::Setting(id) => id.strip_prefix(SETTINGS).unwrap_or(id),
            Self::Imported(id) => id,
            column => column.entry().map_or("", |entry| entry.2),
        }
    }

    /// What it holds. Of what was imported, some runs may have words in the place of a number.
    pub fn kind(&self) -> ColumnKind {
        match self {
            Self::Score(_) | Self::Imported(_) => ColumnKind::Number,
            Self::Setting(_) => ColumnKind::Text,
            column => column.entry().map_or(ColumnKind::Number, |entry| entry.3),
        }
    }

    /// Whether it is about what people who label said.
    pub fn is_about_labels(&self) -> bool {
        matches!(self, Self::Answers | Self::Preferred | Self::Ndec | Self::Labels)
    }

    /// The path of the setting that it is of, without `settings.`.
    pub fn setting_path(&self) -> Option<&str> {
        match self {
            Self::Setting(id) => id.strip_prefix(SETTINGS),
            _ => None,
        }
    }

    /// The column of a setting, by its path without `settings.`.
    pub fn setting(path: &str) -> Self {
        Self::Setting(format!("{SETTINGS}{path}"))
    }

    /// What others called the score that it is of, without `imported.`.
    pub fn imported_name(&self) -> Option<&str> {
        match self {
            Self::Imported(id) => id.strip_prefix(IMPORTED),
            _ => None,
        }
    }

    /// The column of what others scored by this name.
    pub fn imported(name: &str) -> Self {
        Self::Imported(format!("{IMPORTED}{name}"))
    }

    /// What groups of runs it makes that may be attempts at the same tasks; `None`: it makes none.
    pub fn group_by(&self) -> Option<GroupBy> {
        match self {
            Self::Condition => "settings.study.condition".parse().ok(),
            Self::Participant => "settings.study.participant".parse().ok(),
            Self::Setting(_)
            | Self::Model
            | Self::Agent
            | Self::Mode
            | Self::Experiment
            | Self::Folder => self.id().parse().ok(),
            _ => None,
        }
    }

    /// What groups of runs are compared by where it is this column. Which way is better of a score says its variant
    /// alone: [`State::group_metric`](crate::workbench::State::group_metric).
    pub fn group_metric(&self) -> GroupMetric {
        let (direction, range) = match self {
            Self::Success | Self::Starred | Self::Precision | Self::Preferred | Self::Ndec => {
                (Direction::HigherIsBetter, (0.0, 1.0))
            }
            // What a run takes.
            Self::SuccessSeconds
            | Self::Turns
            | Self::Steps
            | Self::Calls
            | Self::Failures
            | Self::Cost
            | Self::Seconds
            | Self::Tokens => (Direction::LowerIsBetter, (0.0, f64::INFINITY)),
            _ => (Direction::HigherIsBetter, (f64::NEG_INFINITY, f64::INFINITY)),
        };
        GroupMetric { id: self.id().to_owned(), direction, range }
    }

    fn entry(&self) -> Option<&'static (Self, &'static str, &'static str, ColumnKind)> {
        static KNOWN: &[(Column, &str, &str, ColumnKind)] = &COLUMNS;
        KNOWN.iter().find(|(column, ..)| column == self)
    }
}

impl From<String> for Column {
    /// What is no word of a column, no setting and not imported is the id of a variant.
    fn from(id: String) -> Self {
        if id.starts_with(SETTINGS) {
            return Self::Setting(id);
        }
        if id.starts_with(IMPORTED) {
            return Self::Imported(id);
        }
        let known = COLUMNS.into_iter().find(|(_, known, ..)| *known == id);
        known.map_or_else(|| Self::Score(id.into()), |(column, ..)| column)
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.id().to_owned()
    }
}

//! The filter language of the library.
//!
//! Terms are divided by spaces and all of them have to hold:
//!
//! | term | holds if |
//! |---|---|
//! | `card`, `"credit card"` | the words are in the set's name, the task's id, category, instruction or tags, or the agent's name |
//! | `type:replication` | the task is of this kind: `replication`, `attribute`, `insertion`, `mode`, `modification` (the latter three), `composition` |
//! | `agent:`, `set:`, `task:`, `category:`, `difficulty:`, `tag:` | the text is in that field |
//! | `state:failed` | the run stands there: `live`, `finished`, `cancelled`, `failed`, `interrupted`, `unreadable` |
//! | `label:text_overflow`, `label:layout` | somebody who labelled chose or marked that, or something under that heading; only of the labelling project that is open |
//! | `preferred>0.5`, `ndec<0.5`, `labels>=3` | the share of people who preferred the run (a tie counts half), of checks it passed, how many answers there are |
//! | `is:starred`, `is:noted` | the run or a step of it is starred, or has a note |
//! | `ssim<0.75`, `constraints<1` (design queries), `steps>=20`, `turns`, `failures` | the number compares so, by `<`, `<=`, `>`, `>=` or `=`; a run without the number does not |
//! | `-term` | the term does not hold |
//!
//! A field takes several values with commas, any of which may hold: `state:failed,cancelled`.
//! Letters' case does not matter.

use std::ops::Range;

use crate::evaluate::PrimaryMetric;
use crate::run::TaskRef;
use crate::task::{Task, TaskKind, TaskSet};
use crate::workbench::model::{LibraryRun, RunLabels, RunNotes, RunState};

const FIELDS: [(&str, Field); 10] = [
    ("label", Field::Label),
    ("type", Field::Kind),
    ("agent", Field::Agent),
    ("state", Field::State),
    ("set", Field::Set),
    ("task", Field::Task),
    ("category", Field::Category),
    ("difficulty", Field::Difficulty),
    ("tag", Field::Tag),
    ("is", Field::Is),
];
const NUMBERS: [(&str, Number); 8] = [
    ("preferred", Number::Preferred),
    ("ndec", Number::Ndec),
    ("labels", Number::Labels),
    ("ssim", Number::Score(PrimaryMetric::Similarity.variant())),
    ("constraints", Number::Score(PrimaryMetric::Constraints.variant())),
    ("steps", Number::Steps),
    ("turns", Number::Turns),
    ("failures", Number::Failures),
];
const KINDS: [&str; 6] =
    ["replication", "attribute", "insertion", "mode", "modification", "composition"];
const MARKS: [&str; 2] = ["starred", "noted"];
const STATES: [&str; 6] = ["live", "finished", "cancelled", "failed", "interrupted", "unreadable"];

/// A filter that was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<FilterTerm>,
}

/// One term of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterTerm {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Whether it is a `field:value` or a comparison, not free words.
    pub is_field: bool,
    negated: bool,
    test: Test,
}

/// What is wrong with a filter, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FilterError {
    /// What is wrong and what would be right.
    pub message: String,
    /// The term it is in, in bytes of the text.
    pub span: Range<usize>,
}

/// What a filter is asked about: a task, or a run at a task. What is not known does not hold.
#[derive(Clone, Copy, Debug)]
pub struct FilterItem<'a> {
    /// The set, if it is open.
    pub set: Option<&'a TaskSet>,
    /// The task, if its set is open.
    pub task: Option<&'a Task>,
    /// Which task.
    pub task_ref: &'a TaskRef,
    /// The run; `None` asks about the task itself.
    pub run: Option<&'a LibraryRun>,
    /// What people wrote to it.
    pub notes: Option<&'a RunNotes>,
    /// What people who label said of it.
    pub labels: Option<&'a RunLabels>,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Words(String),
    Field(Field, Vec<String>),
    Number(Number, Comparison, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Kind,
    Agent,
    State,
    Set,
    Task,
    Category,
    Difficulty,
    Tag,
    Is,
    Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// That the library shows, if it is by this variant.
    Score(&'static str),
    Steps,
    Turns,
    Failures,
    Preferred,
    Ndec,
    Labels,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
}

impl Filter {
    /// Reads a filter; the first thing that is wrong with it is the error.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let terms = split(text)?.into_iter().map(|span| parse_term(text, span));
        Ok(Self { terms: terms.collect::<Result<_, _>>()? })
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its terms, in order.
    pub fn terms(&self) -> &[FilterTerm] {
        &self.terms
    }

    /// Whether a term is about a score.
    pub fn asks_for_score(&self) -> bool {
        let is_score = |term: &FilterTerm| matches!(term.test, Test::Number(Number::Score(_), ..));
        self.terms.iter().any(is_score)
    }

    /// Whether the run does not pass because a score is not known that may let it.
    pub fn awaits_score(&self, item: &FilterItem<'_>) -> bool {
        let is_unknown = |term: &FilterTerm| match term.test {
            Test::Number(number @ Number::Score(_), ..) => {
                item.run.is_some_and(|run| number.is_awaited(run))
            }
            _ => false,
        };
        self.terms.iter().any(is_unknown)
            && self.terms.iter().all(|t| is_unknown(t) || t.test.holds(item) != t.negated)
    }

    /// Whether every term holds. A score that is not known yet neither passes nor is passed over: the
    /// term does not hold, negated or not.
    pub fn matches(&self, item: &FilterItem<'_>) -> bool {
        self.terms.iter().all(|term| term.test.holds(item) != term.negated)
            && !self.awaits_score(item)
    }
}

/// Spans of terms: divided by white space outside of quotes.
fn split(text: &str) -> Result<Vec<Range<usize>>, FilterError> {
    let (mut spans, mut start, mut quote) = (Vec::new(), None, None);
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && quote.is_none() {
            spans.extend(start.take().map(|start| start..at));
            continue;
        }
        start.get_or_insert(at);
        // A quote may stand within a term: `agent:"a b"`.
        if letter == '"' {
            quote = if quote.is_some() { None } else { Some(at) };
        }
    }
    if let Some(at) = quote {
        let message = "a quote is opened and not closed: add \" at the end".to_owned();
        return Err(FilterError { message, span: at..text.len() });
    }
    spans.extend(start.map(|start| start..text.len()));
    Ok(spans)
}

fn parse_term(text: &str, span: Range<usize>) -> Result<FilterTerm, FilterError> {
    let term = text.get(span.clone()).unwrap_or_default();
    let (negated, body) = match term.strip_prefix('-') {
        Some(rest) if !rest.is_empty() => (true, rest),
        _ => (false, term),
    };
    match parse_test(body) {
        Ok(test) => {
            Ok(FilterTerm { span, is_field: !matches!(test, Test::Words(_)), negated, test })
        }
        Err(message) => Err(FilterError { message, span }),
    }
}

fn parse_test(body: &str) -> Result<Test, String> {
    // An operator at the very start has no name before it: then all of it is words.
    let operator = body.find([':', '<', '>', '=', '"']).filter(|at| *at > 0);
    let Some((name, rest)) = operator.map(|at| body.split_at(at)) else {
        return Ok(Test::Words(unquoted(body)));
    };
    match rest.strip_prefix(':') {
        Some(values) => parse_field(name, values),
        None if rest.starts_with('"') => Ok(Test::Words(unquoted(body))),
        None => parse_comparison(name, rest),
    }
}

fn unquoted(text: &str) -> String {
    text.replace('"', "").to_lowercase()
}

fn parse_field(name: &str, values: &str) -> Result<Test, String> {
    let field = known(&FIELDS, name)?;
    let values: Vec<String> =
        values.split(',').map(unquoted).filter(|value| !value.is_empty()).collect();
    if values.is_empty() {
        return Err(format!("`{name}:` needs a value, such as {}", example(field)));
    }
    // Said while it is typed: a misspelt state would find nothing and say nothing.
    let allowed: &[&str] = match field {
        Field::Kind => &KINDS,
        Field::State => &STATES,
        Field::Is => &MARKS,
        _ => &[],
    };
    match values.iter().find(|value| !allowed.is_empty() && !allowed.contains(&value.as_str())) {
        Some(value) => Err(format!("`{value}` is no {name}: use {}", allowed.join(", "))),
        None => Ok(Test::Field(field, values)),
    }
}

fn example(field: Field) -> &'static str {
    match field {
        Field::Kind => "type:replication",
        Field::Agent => "agent:tracer",
        Field::State => "state:failed",
        Field::Set => "set:samples",
        Field::Task => "task:gid6-27",
        Field::Category => "category:profile",
        Field::Difficulty => "difficulty:easy",
        Field::Tag => "tag:dark",
        Field::Is => "is:starred",
        Field::Label => "label:text_overflow",
    }
}

fn parse_comparison(name: &str, rest: &str) -> Result<Test, String> {
    let number = known(&NUMBERS, name)?;
    // The longer signs first: `<` begins `<=` too.
    let (comparison, value) = [
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ]
    .into_iter()
    .find_map(|(sign, comparison)| Some((comparison, rest.strip_prefix(sign)?)))
    .ok_or_else(|| format!("`{name}{rest}` is no comparison: write {name}<0.75"))?;
    match value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Test::Number(number, comparison, value)),
        _ => Err(format!("`{value}` is no number: write {name}<0.75")),
    }
}

fn known<T: Copy>(table: &[(&str, T)], name: &str) -> Result<T, String> {
    let lower = name.to_lowercase();
    table.iter().find(|(known, _)| *known == lower).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
        format!("`{name}` is not known here: use {}; or quote the words", names.join(", "))
    })
}

impl Test {
    fn holds(&self, item: &FilterItem<'_>) -> bool {
        match self {
            Self::Words(words) => item.texts().any(|text| contains(text, words)),
            Self::Field(field, values) => values.iter().any(|value| field.holds(value, item)),
            Self::Number(number, comparison, value) => item
                .run
                .and_then(|run| number.of(run, item.labels))
                .is_some_and(|is| comparison.holds(is, *value)),
        }
    }
}

impl Field {
    fn holds(self, value: &str, item: &FilterItem<'_>) -> bool {
        let text = match self {
            Self::Kind => return item.task.is_some_and(|task| kind_is(task.kind, value)),
            Self::Agent => return item.agent_names().any(|name| contains(name, value)),
            Self::State => {
                // A run that is paused is live all the same, and found by both words.
                let mut words = item.run.into_iter().flat_map(|run| [run.state.word(), run.word()]);
                return words.any(|word| word == value);
            }
            Self::Is => {
                let holds = if value == "noted" { RunNotes::has_text } else { RunNotes::has_star };
                return item.notes.is_some_and(holds);
            }
            Self::Label => {
                return item.labels.is_some_and(|labels| labels.words.contains(value));
            }
            Self::Tag => {
                let mut tags = item.task.into_iter().flat_map(|task| &task.tags);
                return tags.any(|tag| contains(tag, value));
            }
            Self::Set if contains(&item.task_ref.set, value) => return true,
            Self::Set => item.set_name(),
            Self::Task => Some(item.task_ref.id.as_str()),
            Self::Category => item.task.and_then(|task| task.category.as_deref()),
            Self::Difficulty => item.task.and_then(|task| task.difficulty.as_deref()),
        };
        text.is_some_and(|text| contains(text, value))
    }
}

fn kind_is(kind: TaskKind, word: &str) -> bool {
    match word {
        "modification" => ![TaskKind::Replication, TaskKind::Composition].contains(&kind),
        "replication" => kind == TaskKind::Replication,
        "attribute" => kind == TaskKind::AttributeUpdate,
        "insertion" => kind == TaskKind::ComponentInsertion,
        "composition" => kind == TaskKind::Composition,
        // No other word got through the reading of the filter.
        _ => kind == TaskKind::ModeChange,
    }
}

impl Number {
    /// Whether the run has such a score, and it was not measured yet.
    fn is_awaited(self, run: &LibraryRun) -> bool {
        matches!(self, Self::Score(by) if by == PrimaryMetric::of_run(&run.manifest).variant())
            && run.last_score.is_none()
    }

    fn of(self, run: &LibraryRun, labels: Option<&RunLabels>) -> Option<f64> {
        match self {
            Self::Score(by) if by != PrimaryMetric::of_run(&run.manifest).variant() => None,
            Self::Score(_) => run.last_score.as_ref()?.value(),
            Self::Steps => Some(f64::from(run.steps)),
            Self::Turns => Some(f64::from(run.manifest.totals.turns)),
            Self::Failures => Some(f64::from(run.manifest.totals.failures)),
            Self::Preferred => labels?.preferred(),
            Self::Ndec => labels?.ndec(),
            Self::Labels => Some(labels?.answers as f64),
        }
        // What was listed of a run that cannot be read may be anything; a score was measured.
        .filter(|_| !matches!(run.state, RunState::Unreadable(_)) || matches!(self, Self::Score(_)))
    }
}

impl Comparison {
    fn holds(self, is: f64, value: f64) -> bool {
        match self {
            Self::Less => is < value,
            Self::LessOrEqual => is <= value,
            Self::Greater => is > value,
            Self::GreaterOrEqual => is >= value,
            Self::Equal => is == value,
        }
    }
}

impl<'a> FilterItem<'a> {
    fn set_name(&self) -> Option<&'a str> {
        self.set.map(|set| set.name.as_str())
    }

    fn agent_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let agent = self.run.map(|run| &run.manifest.agent);
        agent.into_iter().flat_map(|agent| [agent.name.as_str(), agent.kind.as_str()])
    }

    fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let of_task = self.task.into_iter().flat_map(|task| {
            [Some(task.instruction.as_str()), task.category.as_deref()]
                .into_iter()
                .flatten()
                .chain(task.tags.iter().map(String::as_str))
        });
        let ids = [self.task_ref.id.as_str(), self.task_ref.set.as_str()];
        ids.into_iter().chain(self.set_name()).chain(self.agent_names()).chain(of_task)
    }
}

/// Whether `text` holds `lower`, letters' case aside. No allocation for ASCII.
fn contains(text: &str, lower: &str) -> bool {
    if lower.is_empty() {
        return true;
    }
    // Called for every task and run in every frame, and nearly all of these texts are ASCII.
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        return text.windows(lower.len()).any(|window| window.eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}

//! What a term of a filter asks of a run, and whether it holds.

use std::ops::Range;

use memchr::memchr2_iter;

use crate::evaluate::groups::{experiment_of, folder_of, setting_of};
use crate::evaluate::{Failed, PrimaryMetric, RunDigest, StepDigest, VariantId};
use crate::metric::Score;
use crate::run::{Manifest, TaskRef};
use crate::task::{Task, TaskKind, TaskSet};
use crate::workbench::model::{DigestState, LibraryRun, RunLabels, RunNotes, RunState};

/// One term of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterTerm {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Whether it is a `field:value` or a comparison, not free words.
    pub is_field: bool,
    pub(super) negated: bool,
    pub(super) test: Test,
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
pub(super) enum Test {
    Words(String),
    /// The text is in the field.
    Field(FilterKey, Vec<String>),
    /// The text is all of the field; sorted.
    Exact(FilterKey, Vec<String>),
    /// What has a name in the run itself is or holds one of these.
    Named {
        of: FilterName,
        values: Vec<String>,
        is_exact: bool,
    },
    Number(FilterNumber, ComparisonOperator, f64),
    /// Of one of the run's steps.
    Step(StepTest),
}

/// What is in a run by a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilterName {
    /// A setting, by its path.
    Setting(String),
    /// What others scored, by their name of it.
    Imported(String),
}

/// The names of which one has to be in a field of an item, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedNames<'t> {
    pub(super) field: FilterKey,
    pub(super) names: &'t [String],
    pub(super) negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterKey {
    Kind,
    Agent,
    Model,
    Mode,
    State,
    Set,
    Task,
    Category,
    Difficulty,
    Tag,
    Is,
    Label,
    Tool,
    Error,
    Experiment,
    Folder,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilterNumber {
    /// At the end of the run, by this variant.
    Score(VariantId),
    /// What others scored, by their name of it.
    Imported(String),
    Steps,
    Turns,
    Calls,
    Failures,
    Tools,
    Cost,
    Seconds,
    Tokens,
    Preferred,
    Ndec,
    Answers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparisonOperator {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
}

/// What is asked of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StepTest {
    Tool(Vec<String>),
    Error(Vec<String>),
    Work(Vec<String>),
    Expert(Vec<String>),
    Number(StepNumber, ComparisonOperator, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepNumber {
    /// Its place in the run, from 1.
    Step,
    /// Its turn, from 1.
    Turn,
    /// What it changed in the score that stands for the run.
    Change,
}

impl FilterTerm {
    /// Whether the item has what the term asks about, and it is not known yet.
    pub(super) fn is_awaited(&self, item: &FilterItem<'_>) -> bool {
        let Some(run) = item.run else { return false };
        match &self.test {
            Test::Number(number, ..) => number.is_awaited(run),
            Test::Field(field, _) | Test::Exact(field, _) => field.is_awaited(item),
            Test::Step(_) => is_unread(run),
            Test::Words(_) | Test::Named { .. } => false,
        }
    }

    /// The names of which one has to be in a field, or none, if that is all it asks: it depends on nothing else of a
    /// run.
    pub(super) fn asked_names(&self) -> Option<AskedNames<'_>> {
        let negated = self.negated;
        let (field, names) = match &self.test {
            Test::Field(field, names) => (*field, names),
            // A step by the tool is there wherever the tool was called, and so is one that failed where a call did. That
            // none is like it is said only of a run whose steps are known.
            Test::Step(StepTest::Tool(names)) if !negated => (FilterKey::Tool, names),
            Test::Step(StepTest::Error(words))
                if !negated && words.iter().all(|word| word != "none") =>
            {
                (FilterKey::Error, words)
            }
            _ => return None,
        };
        Some(AskedNames { field, names, negated })
    }

    /// Whether it is about what people who label said.
    pub(super) fn is_about_labels(&self) -> bool {
        match &self.test {
            Test::Field(field, _) | Test::Exact(field, _) => *field == FilterKey::Label,
            Test::Number(number, ..) => {
                matches!(
                    number,
                    FilterNumber::Preferred | FilterNumber::Ndec | FilterNumber::Answers
                )
            }
            Test::Words(_) | Test::Step(_) | Test::Named { .. } => false,
        }
    }

    /// Whether it is about a step: such terms hold together.
    pub(super) fn step_test(&self) -> Option<&StepTest> {
        match &self.test {
            Test::Step(test) => Some(test),
            _ => None,
        }
    }
}

/// Whether the run's events are still to be read; those of a live one are when it has ended.
fn is_unread(run: &LibraryRun) -> bool {
    !matches!(run.state, RunState::Unreadable(_)) && run.digest == DigestState::NotRead
}

impl Test {
    pub(super) fn holds(&self, item: &FilterItem<'_>) -> bool {
        match self {
            Self::Words(words) => item.texts().any(|text| contains(text, words)),
            Self::Field(field, values) => values.iter().any(|value| field.holds(value, item)),
            Self::Exact(field, values) => field.is_one_of(values, item),
            Self::Named { of, values, is_exact } => {
                let is = item.run.and_then(|run| of.words(&run.manifest));
                is.is_some_and(|is| {
                    // In quotes a value is meant as a whole: "4" must not find 40.
                    let is_whole = values.contains(&is.to_lowercase());
                    is_whole || (!is_exact && values.iter().any(|value| contains(&is, value)))
                })
            }
            Self::Number(number, comparison, value) => item
                .run
                .and_then(|run| number.of(run, item.labels))
                .is_some_and(|is| comparison.holds(is, *value)),
            Self::Step(test) => holds_of_a_step([(test, false)].into_iter(), item),
        }
    }
}

impl FilterName {
    fn words(&self, manifest: &Manifest) -> Option<String> {
        match self {
            Self::Setting(path) => setting_of(manifest, path),
            Self::Imported(name) => Some(manifest.imported.as_ref()?.score(name)?.to_string()),
        }
    }
}

/// Whether one step of the run is as all these ask, each negated or not; of negated ones alone, whether no step is
/// as they say.
pub(super) fn holds_of_a_step<'t>(
    tests: impl Iterator<Item = (&'t StepTest, bool)>,
    item: &FilterItem<'_>,
) -> bool {
    let Some((run, digest)) = item.run.and_then(|run| Some((run, run.digest.read()?))) else {
        return false;
    };
    let mut asked: Vec<(TestInRun<'_>, bool)> = Vec::new();
    for (test, negated) in tests {
        let test = TestInRun::new(test, digest);
        // No step of the run can be as this one asks: most runs are told so without a look at their steps.
        if !negated && test.holds_nowhere() {
            return false;
        }
        asked.push((test, negated));
    }
    let mut steps = digest.steps.iter().zip(1_u32..);
    if asked.iter().all(|(_, negated)| *negated) {
        return steps.all(|step| asked.iter().all(|(test, _)| !test.holds(run, step)));
    }
    steps.any(|step| asked.iter().all(|(test, negated)| test.holds(run, step) != *negated))
}

/// What is asked of the steps of one run. Thousands of runs are asked at each letter that is typed, so that names are
/// compared once for each of the run's tools and not at every step.
struct TestInRun<'a> {
    test: &'a StepTest,
    /// By the places of the run's tools: whether it is one that is asked for; of the first so many in bits.
    first: u64,
    others: Vec<bool>,
}

impl<'a> TestInRun<'a> {
    fn new(test: &'a StepTest, digest: &RunDigest) -> Self {
        let (mut first, mut others) = (0, Vec::new());
        if let StepTest::Tool(names) = test {
            for (place, tool) in digest.tools.iter().enumerate() {
                let is_asked = names.iter().any(|name| contains(&tool.name, name));
                // Nearly every run calls fewer, and nothing is set aside for it.
                if place < u64::BITS as usize {
                    first |= u64::from(is_asked) << place;
                } else {
                    others.push(is_asked);
                }
            }
        }
        Self { test, first, others }
    }

    fn is_asked(&self, tool: u16) -> bool {
        match usize::from(tool).checked_sub(u64::BITS as usize) {
            None => self.first >> tool & 1 == 1,
            Some(place) => self.others.get(place).copied().unwrap_or(false),
        }
    }

    /// Whether it is of a tool that the run never called.
    fn holds_nowhere(&self) -> bool {
        matches!(self.test, StepTest::Tool(_)) && self.first == 0 && !self.others.contains(&true)
    }

    fn holds(&self, run: &LibraryRun, (step, number): (&StepDigest, u32)) -> bool {
        match self.test {
            StepTest::Tool(_) => self.is_asked(step.tool),
            StepTest::Error(words) => words.iter().any(|word| failed_so(step.failure, word)),
            StepTest::Work(words) => words.iter().any(|word| step.category.label() == word),
            StepTest::Expert(names) => {
                let is = step.expert.map_or("", |expert| expert.name());
                names.iter().any(|name| !is.is_empty() && contains(is, name))
            }
            StepTest::Number(of, comparison, value) => {
                let is = match of {
                    StepNumber::Step => Some(f64::from(number)),
                    StepNumber::Turn => Some(f64::from(step.turn)),
                    StepNumber::Change => change_at(run, number),
                };
                is.is_some_and(|is| comparison.holds(is, *value))
            }
        }
    }
}

/// By how much a step changed the score that stands for the run, where its curve is known.
fn change_at(run: &LibraryRun, step: u32) -> Option<f64> {
    let variant = PrimaryMetric::of_run(&run.manifest).variant();
    Some(run.curves.value(variant, step)? - run.curves.value(variant, step.checked_sub(1)?)?)
}

fn failed_so(failure: Option<Failed>, word: &str) -> bool {
    match (failure, word) {
        (Some(_), "any") | (None, "none") => true,
        (Some(failure), word) => failure.word() == word,
        (None, _) => false,
    }
}

impl FilterKey {
    /// Whether the item has something in it, and it is not known yet.
    pub(super) fn is_awaited(self, item: &FilterItem<'_>) -> bool {
        matches!(self, Self::Tool | Self::Error) && item.run.is_some_and(is_unread)
    }

    /// Whether a name that an item has in it is what is asked for.
    pub(super) fn fits(self, name: &str, asked: &str) -> bool {
        match self {
            // Words of a list, and labels: `good` must not find `not good`.
            Self::Kind | Self::State | Self::Is | Self::Error | Self::Label => name == asked,
            _ => contains(name, asked),
        }
    }

    /// Hands over each name that an item has in it, with whether a filter that is being typed goes on with it: one of
    /// which [`Self::fits`] says that it is meant is there just where [`Self::holds`].
    pub(super) fn each_name<'a>(self, item: &FilterItem<'a>, mut name: impl FnMut(&'a str, bool)) {
        match self {
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                for tool in digest.into_iter().flat_map(|digest| &digest.tools) {
                    name(&tool.name, true);
                }
            }
            Self::Error => {
                let Some(digest) = item.run.and_then(|run| run.digest.read()) else { return };
                let mut words: Vec<&str> = Vec::new();
                for word in digest.steps.iter().filter_map(|step| Some(step.failure?.word())) {
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
                words.push(if words.is_empty() { "none" } else { "any" });
                for word in words {
                    name(word, true);
                }
            }
            Self::Tag => {
                for tag in item.task.into_iter().flat_map(|task| &task.tags) {
                    name(tag, true);
                }
            }
            Self::Kind => {
                let Some(task) = item.task else { return };
                for word in super::parse::KINDS.iter().filter(|word| kind_is(task.kind, word)) {
                    name(word, true);
                }
            }
            Self::State => {
                let Some(run) = item.run else { return };
                name(run.word(), true);
                if run.state == RunState::Live && run.word() != RunState::Live.word() {
                    name(RunState::Live.word(), true);
                }
            }
            Self::Is => {
                for mark in super::parse::MARKS.iter().filter(|mark| self.holds(mark, item)) {
                    name(mark, true);
                }
            }
            Self::Label => {
                for word in item.labels.into_iter().flat_map(|labels| &labels.words) {
                    name(word, true);
                }
            }
            Self::Agent => {
                for (at, text) in item.agent_names().enumerate() {
                    name(text, at == 0);
                }
            }
            Self::Set => {
                name(&item.task_ref.set, true);
                if let Some(text) = item.set_name() {
                    name(text, false);
                }
            }
            _ => {
                if let Some(text) = self.text_of(item) {
                    name(text, true);
                }
            }
        }
    }

    fn holds(self, value: &str, item: &FilterItem<'_>) -> bool {
        let text = match self {
            Self::Kind => return item.task.is_some_and(|task| kind_is(task.kind, value)),
            Self::Agent => return item.agent_names().any(|name| contains(name, value)),
            Self::State => {
                // A run that is paused is live all the same.
                let is_live = item.run.is_some_and(|run| run.state == RunState::Live);
                let word = item.run.map(LibraryRun::word);
                return word == Some(value) || (is_live && value == RunState::Live.word());
            }
            Self::Is => {
                let holds = if value == "noted" { RunNotes::has_text } else { RunNotes::has_star };
                return item.notes.is_some_and(holds);
            }
            Self::Label => {
                // As a whole, unlike names: `good` must not find `not good`.
                return item.labels.is_some_and(|labels| labels.words.contains(value));
            }
            Self::Tag => {
                let mut tags = item.task.into_iter().flat_map(|task| &task.tags);
                return tags.any(|tag| contains(tag, value));
            }
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                let mut tools = digest.into_iter().flat_map(|digest| &digest.tools);
                return tools.any(|tool| contains(&tool.name, value));
            }
            Self::Error => {
                // Of a run whose calls are not known nothing is claimed, `none` included.
                let Some(digest) = item.run.and_then(|run| run.digest.read()) else { return false };
                return match value {
                    "none" => digest.steps.iter().all(|step| step.failure.is_none()),
                    word => digest.steps.iter().any(|step| failed_so(step.failure, word)),
                };
            }
            Self::Set if contains(&item.task_ref.set, value) => return true,
            _ => self.text_of(item),
        };
        text.is_some_and(|text| contains(text, value))
    }

    /// Whether one of the values, which are sorted, is all of the field.
    fn is_one_of(self, values: &[String], item: &FilterItem<'_>) -> bool {
        match self {
            Self::Set => {
                is_among(values, &item.task_ref.set)
                    || item.set_name().is_some_and(|name| is_among(values, name))
            }
            Self::Agent => item.agent_names().any(|name| is_among(values, name)),
            Self::Tag => {
                item.task.is_some_and(|task| task.tags.iter().any(|tag| is_among(values, tag)))
            }
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                digest.is_some_and(|it| it.tools.iter().any(|tool| is_among(values, &tool.name)))
            }
            Self::Model
            | Self::Mode
            | Self::Task
            | Self::Category
            | Self::Difficulty
            | Self::Experiment
            | Self::Folder => self.text_of(item).is_some_and(|text| is_among(values, text)),
            // Words of a list: whole in either way of writing.
            Self::Kind | Self::State | Self::Is | Self::Label | Self::Error => {
                values.iter().any(|value| self.holds(value, item))
            }
        }
    }

    fn text_of<'a>(self, item: &FilterItem<'a>) -> Option<&'a str> {
        match self {
            Self::Set => item.set_name(),
            Self::Task => Some(item.task_ref.id.as_str()),
            Self::Category => item.task.and_then(|task| task.category.as_deref()),
            Self::Difficulty => item.task.and_then(|task| task.difficulty.as_deref()),
            Self::Model => item.run.map(|run| run.manifest.agent.name.as_str()),
            Self::Mode => item.run.map(|run| run.manifest.mode.as_str()),
            Self::Experiment => item.run.and_then(|run| experiment_of(&run.manifest)),
            Self::Folder => item.run.and_then(|run| folder_of(&run.manifest, &run.dir).to_str()),
            _ => None,
        }
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

impl FilterNumber {
    /// Whether the run has such a number, and it is not known yet.
    fn is_awaited(&self, run: &LibraryRun) -> bool {
        match self {
            Self::Score(by) => is_of_run(by, run) && run.last_score_by(by).is_none(),
            Self::Tools => is_unread(run),
            _ => false,
        }
    }

    fn of(&self, run: &LibraryRun, labels: Option<&RunLabels>) -> Option<f64> {
        let totals = &run.manifest.totals;
        match self {
            Self::Score(by) if !is_of_run(by, run) => None,
            Self::Score(by) => run.last_score_by(by).and_then(Score::value),
            Self::Imported(name) => run.manifest.imported.as_ref()?.score(name)?.number(),
            Self::Steps => Some(f64::from(run.steps)),
            Self::Turns => Some(f64::from(totals.turns)),
            Self::Calls => Some(f64::from(totals.calls)),
            Self::Failures => Some(f64::from(totals.failures)),
            Self::Tools => Some(run.digest.read()?.tool_diversity()? as f64),
            Self::Cost => totals.cost_usd,
            Self::Seconds => run.manifest.recorded_seconds(),
            Self::Tokens => Some(totals.input_tokens.saturating_add(totals.output_tokens) as f64),
            Self::Preferred => labels?.preferred(),
            Self::Ndec => labels?.ndec(),
            Self::Answers => Some(labels?.answers as f64),
        }
        // What was listed of a run that cannot be read may be anything; a score was measured.
        .filter(|_| !matches!(run.state, RunState::Unreadable(_)) || matches!(self, Self::Score(_)))
    }
}

/// Whether a text is one of these values, which are sorted and in lower case.
fn is_among(values: &[String], text: &str) -> bool {
    // Mostly nothing has to be made lower case.
    if text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        values.binary_search(&text.to_lowercase()).is_ok()
    } else {
        values.binary_search_by(|value| value.as_str().cmp(text)).is_ok()
    }
}

/// Whether runs like this are measured so: the score that stands for those of one environment is none of
/// another's.
fn is_of_run(variant: &str, run: &LibraryRun) -> bool {
    let primary = [PrimaryMetric::Similarity, PrimaryMetric::Constraints];
    let is_primary = primary.iter().any(|metric| metric.variant() == variant);
    !is_primary || PrimaryMetric::of_run(&run.manifest).variant() == variant
}

impl ComparisonOperator {
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
pub(super) fn contains(text: &str, lower: &str) -> bool {
    if lower.is_empty() {
        return true;
    }
    // Called for every task and run in every frame, and nearly all of these texts are ASCII.
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        let Some(last) = text.len().checked_sub(lower.len()) else { return false };
        // Instructions have hundreds of letters, few of which are the first of the word.
        let [small, large] = [lower[0], lower[0].to_ascii_uppercase()];
        return memchr2_iter(small, large, &text[..=last])
            .any(|at| text[at..at + lower.len()].eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_is_found_as_the_standard_library_finds_it(
            text in "[a-cA-C é\u{212a}]{0,24}",
            word in "[a-cé k]{0,4}",
        ) {
            prop_assert_eq!(contains(&text, &word), text.to_lowercase().contains(&word));
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            prop_assert_eq!(contains(&ascii, &word), ascii.to_lowercase().contains(&word));
        }
    }
}

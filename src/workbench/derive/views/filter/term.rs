//! What a term of a filter asks of a run, and whether it holds.

use std::ops::Range;

use super::field::{FilterField, FilterItem, contains, failed_so, is_unread};
use crate::evaluate::groups::setting_of;
use crate::evaluate::{PrimaryMetric, RunDigest, StepDigest, VariantId};
use crate::metric::Score;
use crate::run::Manifest;
use crate::workbench::model::{LibraryRun, RunLabels, RunState};

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

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Words(String),
    /// The text is in the field.
    Field(FilterField, Vec<String>),
    /// The text is all of the field; sorted.
    Exact(FilterField, Vec<String>),
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
pub(in crate::workbench) struct AskedNames<'t> {
    pub(super) field: FilterField,
    pub(super) names: &'t [String],
    pub(super) negated: bool,
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
pub(in crate::workbench) enum ComparisonOperator {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
}

/// What is asked of a step.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) enum StepTest {
    Tool(Vec<String>),
    Error(Vec<String>),
    Work(Vec<String>),
    Expert(Vec<String>),
    Number(StepNumber, ComparisonOperator, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workbench) enum StepNumber {
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
    /// run. `of_steps`: the names are those of some steps only, and it is one of these that is asked for.
    pub(super) fn asked_names(&self, of_steps: bool) -> Option<AskedNames<'_>> {
        let negated = self.negated;
        let (field, names) = match &self.test {
            Test::Field(field, names) if !of_steps => (*field, names),
            // A step by the tool is there wherever the tool was called, and so is one that failed where a call did. That
            // none is like it is said only of a run whose steps are known.
            Test::Step(StepTest::Tool(names)) if !negated => (FilterField::Tool, names),
            Test::Step(StepTest::Error(words))
                if !negated && (of_steps || words.iter().all(|word| word != "none")) =>
            {
                (FilterField::Error, words)
            }
            _ => return None,
        };
        Some(AskedNames { field, names, negated })
    }

    /// Whether it is about what people who label said.
    pub(super) fn is_about_labels(&self) -> bool {
        match &self.test {
            Test::Field(field, _) | Test::Exact(field, _) => *field == FilterField::Label,
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

/// Hands over each name that a run has in a field in the steps that are as all these ask, each negated or not: of the
/// tools that were called there, and of whether and how they failed.
pub(super) fn each_name_of_steps<'a>(
    field: FilterField,
    tests: &[(StepTest, bool)],
    item: &FilterItem<'a>,
    mut name: impl FnMut(&'a str),
) {
    let Some((run, digest)) = item.run.and_then(|run| Some((run, run.digest.read()?))) else {
        return;
    };
    let asked: Vec<(TestInRun<'_>, bool)> =
        tests.iter().map(|(test, negated)| (TestInRun::new(test, digest), *negated)).collect();
    if asked.iter().any(|(test, negated)| !negated && test.holds_nowhere()) {
        return;
    }
    let mut named: Vec<&str> = Vec::new();
    for step in digest.steps.iter().zip(1_u32..) {
        if !asked.iter().all(|(test, negated)| test.holds(run, step) != *negated) {
            continue;
        }
        let tool = || digest.tools.get(usize::from(step.0.tool)).map(|tool| &*tool.name);
        let words = match (field, step.0.failure) {
            (FilterField::Tool, _) => [tool(), None],
            (_, Some(failure)) => [Some(failure.word()), Some("any")],
            (_, None) => [Some("none"), None],
        };
        for word in words.into_iter().flatten() {
            if !named.contains(&word) {
                named.push(word);
                name(word);
            }
        }
    }
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
            Self::Tokens => Some(totals.known_tokens()? as f64),
            Self::Preferred => labels?.preferred(),
            Self::Ndec => labels?.ndec(),
            Self::Answers => Some(labels?.answers as f64),
        }
        // What was listed of a run that cannot be read may be anything; a score was measured.
        .filter(|_| !matches!(run.state, RunState::Unreadable(_)) || matches!(self, Self::Score(_)))
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

//! `run.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::Size;
use crate::environment::EnvironmentKind;

use super::call_edit::CallEdit;
use super::event::{ImageRef, Usage};

/// The format's name, in every manifest.
pub const FORMAT: &str = "pentimento/run";
/// The version this program writes; it reads this and every older one.
///
/// 2: [`Totals::providers`].
pub const VERSION: u32 = 2;

/// The setting of a run's manifest that says where its task set lies as seen from the run's folder,
/// so that it can be scored without being told again, also after both were moved together.
pub const TASKS_SETTING: &str = "tasks";

/// The setting of a design made by hand that holds the brief it is made for, in the words of whoever typed it.
pub const BRIEF_SETTING: &str = "brief";

/// The setting that says how the run's model was asked.
pub const MODEL_SETTING: &str = "model";

/// The setting that says how the model worked, as [`Manifest::mode`] does.
pub const MODE_SETTING: &str = "mode";

/// The setting that holds the prompts the model was given, by name.
pub const PROMPTS_SETTING: &str = "prompts";

/// The setting that says whose behaviour the tools follow, such as `canvas-2026-01`.
pub const COMPAT_SETTING: &str = "compat";

/// The setting that names the design a run begins with instead of the task's own start.
pub const START_DESIGN_SETTING: &str = "start_design";

/// The setting that names the run that a run goes on with.
pub const START_RUN_SETTING: &str = "start_run";

/// The setting that says of which experiment and which repeat a run is.
pub const EXPERIMENT_SETTING: &str = "experiment";

/// What a run is: the whole of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// Always [`FORMAT`].
    pub format: String,
    /// The format's version, from 1.
    pub version: u32,
    /// Unique among runs: agent, task, time and a hash of them.
    pub id: String,
    /// Which task.
    pub task: TaskRef,
    /// Which environment, such as `canvas`.
    #[schemars(with = "String")]
    pub environment: EnvironmentKind,
    /// Who acted.
    pub agent: AgentRef,
    /// How the agent worked: `multi_turn`, `single_turn`, `script` …
    pub mode: String,
    /// Whose behaviour the tools followed: `canvas-2026-01` reproduces the published canvas tools' faults,
    /// `graphicbench` takes the values of the suite's actions as its released executor does;
    /// `documented` or absent: as documented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<String>,
    /// The size of the main frame at the start, in canvas units; absent in picture-only runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canvas_size: Option<Size>,
    /// The file in the folder with the document at the start, always [`START_FILE`]; absent: the
    /// run began with an empty frame.
    ///
    /// [`START_FILE`]: super::folder::START_FILE
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The pictures that the task handed out, in its order: which file each name got. Their bytes are
    /// in the start state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<GivenFile>,
    /// The run that this one was made of by editing its calls; absent: of none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
    /// The agent's settings, as given.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// RFC 3339, UTC; empty where it is not known, as in picture-only runs.
    pub started: String,
    /// RFC 3339, UTC; absent while running, or after a crash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Sums over the run so far.
    #[serde(default)]
    pub totals: Totals,
    /// What another program's record said of the run, if it was imported from one; absent in runs that
    /// this program made itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportRecord>,
}

impl Manifest {
    /// A run of the `canvas` environment that begins at `started` (RFC 3339) and has done nothing.
    ///
    /// The id is made of the agent, the task and a hash of both with the time, so that it stays the
    /// same wherever the folder is moved to.
    pub fn new(task: TaskRef, agent: AgentRef, started: impl Into<String>) -> Self {
        let started = started.into();
        // The time makes runs of one agent on one task differ.
        let hash = short_hash(&[&task.set, &task.id, &agent.kind, &agent.name, &started]);
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: format!("{}-{}-{hash}", slug(&agent.name), slug(&task.id)),
            task,
            environment: EnvironmentKind::Canvas,
            agent,
            mode: "multi_turn".to_owned(),
            compat: None,
            canvas_size: None,
            start: None,
            given: Vec::new(),
            parent: None,
            settings: Map::new(),
            started,
            finished: None,
            outcome: Outcome::Running,
            totals: Totals::default(),
            imported: None,
        }
    }

    /// Whether it is known how it ended: of a run that was imported, only if its record says so.
    pub fn says_outcome(&self) -> bool {
        let is_recorded = self.imported.as_ref().is_some_and(|record| record.outcome.is_some());
        is_recorded || self.agent.kind != IMPORTED_KIND
    }

    /// How it ended in one word, as [`Outcome::word`] has it; `imported` where nobody recorded it.
    pub fn outcome_word(&self) -> &'static str {
        match &self.outcome {
            Outcome::Completed if !self.says_outcome() => "imported",
            outcome => outcome.word(),
        }
    }

    /// When it began, RFC 3339, UTC; `None` where nobody recorded it. That a plan was carried out on import, and when,
    /// says nothing of who planned it.
    pub fn recorded_start(&self) -> Option<&str> {
        Some(self.started.as_str()).filter(|started| !started.is_empty() && !self.is_played())
    }

    /// How many seconds it took; `None` where nobody recorded it, as of a plan that was carried out on import.
    pub fn recorded_seconds(&self) -> Option<f64> {
        Some(self.totals.seconds).filter(|seconds| *seconds > 0.0 && !self.is_played())
    }

    /// Whether it is a plan that was carried out on import, so that its times are those of the import.
    fn is_played(&self) -> bool {
        self.agent.kind == IMPORTED_KIND && self.imported.is_none()
    }

    /// JSON Schema of `run.json`; kept in `assets/schema/run.schema.json`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

/// Longest name made of an id, in characters.
const SLUG_CHARS: usize = 80;

/// A folder name for an id: ASCII letters, digits, `.`, `_` and `-` stay, all else becomes `-`. An id in another script, of
/// which nothing would be left, is called by its hash.
pub fn slug(id: &str) -> String {
    let is_legible = id.chars().take(SLUG_CHARS).any(|c| c.is_ascii_alphanumeric());
    // Ids of signs alone keep the names they had.
    if !is_legible && !id.is_ascii() {
        return format!("unnamed-{}", short_hash(&[id]));
    }
    let name: String = id
        .chars()
        .take(SLUG_CHARS)
        .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' })
        .collect();
    // Neither hidden nor `..`.
    let name = name.trim_start_matches('.');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

/// Eight hex digits that depend on every part and on where one ends and the next begins.
pub(crate) fn short_hash(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // The length first, or "ab" and "c" would hash as "a" and "bc".
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(8).collect()
}

/// Which file a picture had that the task handed out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenFile {
    /// What the task calls it.
    pub name: String,
    /// Where it lay on the machine that made the run; absent: there was no file of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its key among the `pictures` of the start state, a hash of the file's bytes; absent: a placeholder
    /// stood for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Why a placeholder stood for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Which task a run is an attempt at.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct TaskRef {
    /// Id of the task set.
    pub set: String,
    /// Id of the task in it.
    pub id: String,
}

impl TaskRef {
    /// The task of this id in the set of that one.
    pub fn new(set: &str, id: &str) -> Self {
        Self { set: set.to_owned(), id: id.to_owned() }
    }
}

/// Who acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentRef {
    /// The agent's kind, such as `tracer`.
    pub kind: String,
    /// The name shown, such as a model's; often the kind itself.
    pub name: String,
    /// The agent's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl AgentRef {
    /// A person, call by call.
    pub fn by_hand() -> Self {
        Self { kind: BY_HAND_KIND.to_owned(), name: "by hand".to_owned(), version: None }
    }
}

/// The kind of the agent of runs that were imported from another program's file.
pub const IMPORTED_KIND: &str = "imported";

/// The kind of the agent of runs that were made of others by editing their calls.
pub const WHAT_IF_KIND: &str = "what_if";

/// The kind of the agent of runs that a person made call by call.
pub const BY_HAND_KIND: &str = "by_hand";

/// What a run was made of, if its calls are those of another with edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Parent {
    /// The id of the other run.
    pub run: String,
    /// Its last step that both have in common with everything before it; 0: only the start.
    pub step: u32,
    /// What was changed of its calls.
    pub edits: Vec<CallEdit>,
}

/// What another program's record said of a run beside its steps. What it did not say is absent: times,
/// costs and an outcome that are not there are not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImportRecord {
    /// The format of the record, such as `osworld`.
    pub format: String,
    /// The file or folder it was read from, with the place in it if it holds several runs.
    pub source: String,
    /// What the agent was asked to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// How it ended, in the record's own words; absent: it does not say, and [`Manifest::outcome`] means
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What others scored it, by the record's own names; as they stand there.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub scores: Map<String, Value>,
    /// What else the record says of the run as a whole.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub facts: Map<String, Value>,
    /// The picture before the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_picture: Option<ImageRef>,
}

/// What others scored an imported run by one name.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportedScore<'a> {
    /// A number; finite.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Words, not empty; of a list its JSON.
    Words(Cow<'a, str>),
}

impl ImportRecord {
    /// What others scored by a name, or of a score of several parts by `NAME.PART`; `None` if they did not.
    pub fn score(&self, name: &str) -> Option<ImportedScore<'_>> {
        let whole = self.scores.get(name).filter(|value| !value.is_object());
        let value = whole.or_else(|| {
            self.scores.iter().find_map(|(whole, parts)| {
                parts.get(name.strip_prefix(whole.as_str())?.strip_prefix('.')?)
            })
        });
        ImportedScore::of(value?)
    }

    /// The names that [`Self::score`] gives something for, each with its number, if it is one. A name with a comma in
    /// it is left out: where columns are listed, it would be two.
    pub fn score_names(&self) -> BTreeMap<String, Option<f64>> {
        let mut names: Vec<String> = Vec::new();
        for (name, value) in &self.scores {
            match value.as_object() {
                Some(parts) => names.extend(parts.keys().map(|part| format!("{name}.{part}"))),
                None => names.push(name.clone()),
            }
        }
        names.retain(|name| !name.contains(','));
        let known = names.into_iter().filter_map(|name| {
            let number = self.score(&name)?.number();
            Some((name, number))
        });
        known.collect()
    }
}

impl<'a> ImportedScore<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            Value::Number(number) => {
                number.as_f64().filter(|number| number.is_finite()).map(Self::Number)
            }
            Value::String(words) => (!words.is_empty()).then_some(Self::Words(words.into())),
            Value::Array(_) | Value::Object(_) => Some(Self::Words(value.to_string().into())),
        }
    }

    /// The number, if it is one; yes and no are 1 and 0.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Self::Words(_) => None,
        }
    }
}

/// In words, as the record has it.
impl fmt::Display for ImportedScore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "state", content = "detail")]
pub enum Outcome {
    /// Not yet; or the process died.
    Running,
    /// The agent said it was done.
    Completed,
    /// A limit was met, such as the number of turns.
    LimitReached(String),
    /// Somebody stopped it.
    Cancelled,
    /// It could not go on.
    Failed(String),
}

impl Outcome {
    /// Whether it could not go on, or somebody gave it up.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Cancelled)
    }

    /// In one word, as reports and tables have it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running => "unfinished",
            Self::Completed => "completed",
            Self::LimitReached(_) => "limit",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
}

/// Sums over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Model answers.
    pub turns: u32,
    /// Tool calls.
    pub calls: u32,
    /// Calls that failed.
    pub failures: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Wall time.
    pub seconds: f64,
    /// What was asked of each provider of models, by its name, such as `anthropic`; nothing where no
    /// model was asked. Absent where it was not recorded: in runs of version 1 of the format, and in
    /// imported ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub providers: Option<BTreeMap<String, ProviderTotals>>,
}

impl Totals {
    /// Tokens read and written; `None` where no model was asked, or its answers did not say.
    pub fn known_tokens(&self) -> Option<u64> {
        Some(self.input_tokens.saturating_add(self.output_tokens)).filter(|tokens| *tokens > 0)
    }

    /// Adds what a turn cost. Once a cost is known, turns without one count as free.
    pub(super) fn add(&mut self, usage: &Usage) {
        let mut sum = Usage {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost_usd: self.cost_usd,
        };
        sum.add(usage);
        (self.input_tokens, self.output_tokens) = (sum.input_tokens, sum.output_tokens);
        self.cost_usd = sum.cost_usd;
    }

    /// What was asked of all providers together; `None`: it was not recorded.
    pub fn all_providers(&self) -> Option<ProviderTotals> {
        let mut sum = ProviderTotals::default();
        self.providers.as_ref()?.values().for_each(|one| sum.add(one));
        Some(sum)
    }
}

/// What was asked of a provider in a run, and what came of it. Every request that went out counts,
/// whether or not its answer was of use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProviderTotals {
    /// Requests sent.
    pub attempts: u32,
    /// Those of them that asked again what the one before had not answered: it was busy, broke off or
    /// could not be read.
    pub retries: u32,
    /// Answers that came whole and could be read.
    pub answers: u32,
    /// Answers in which the model would not go on, or a filter of the provider kept it from it.
    pub refusals: u32,
    /// Requests whose answer could not be read.
    pub malformed_answers: u32,
    /// Calls in answers that could not be read: by the provider, or because their arguments are no
    /// JSON object.
    pub malformed_calls: u32,
    /// Answers that were cut off at the limit of tokens.
    pub length_stops: u32,
    /// Tokens and cost of all requests whose provider told, those that failed among them.
    #[serde(flatten)]
    pub usage: Usage,
}

/// In words: what was asked and answered, and of what went wrong whatever happened at all.
impl fmt::Display for ProviderTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (self.attempts, "request", "requests"),
            (self.answers, "answer", "answers"),
            (self.retries, "retry", "retries"),
            (self.refusals, "refusal", "refusals"),
            (self.malformed_answers, "malformed answer", "malformed answers"),
            (self.malformed_calls, "malformed call", "malformed calls"),
            (
                self.length_stops,
                "answer cut off at the limit of tokens",
                "answers cut off at the limit of tokens",
            ),
        ];
        for (at, (count, one, more)) in words.into_iter().enumerate() {
            // What was asked and answered is always said, even that it was nothing.
            if at < 2 || count > 0 {
                let comma = if at == 0 { "" } else { ", " };
                write!(f, "{comma}{count} {}", if count == 1 { one } else { more })?;
            }
        }
        Ok(())
    }
}

impl ProviderTotals {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        let Self { attempts, retries, answers, refusals, .. } = other;
        // Saturating, as a file may say any number.
        self.attempts = self.attempts.saturating_add(*attempts);
        self.retries = self.retries.saturating_add(*retries);
        self.answers = self.answers.saturating_add(*answers);
        self.refusals = self.refusals.saturating_add(*refusals);
        self.malformed_answers = self.malformed_answers.saturating_add(other.malformed_answers);
        self.malformed_calls = self.malformed_calls.saturating_add(other.malformed_calls);
        self.length_stops = self.length_stops.saturating_add(other.length_stops);
        self.usage.add(&other.usage);
    }
}

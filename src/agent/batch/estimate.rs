//! What a batch would cost, before anything is asked.
//!
//! What a request holds at first is known (words, tools, picture); how many turns a model takes and how
//! much it says is not, so the figures are for an assumed number of turns and for the most there can be.
//! Every turn sends the whole conversation again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::PreparedTask;
use crate::agent::chat::TokenUsage;
use crate::agent::model_agent::Mode;
use crate::agent::models::OpenedModel;
use crate::agent::runner::RunSettings;
use crate::base::{CancelToken, Cancelled};
use crate::environment::OpenEnvironment;
use crate::environment::suite::GivenPicture;
use crate::run::TaskRef;

use super::agent_config::AgentConfig;
use super::order::Order;
use super::settings::BatchSettings;

/// Bytes of English or JSON that make a token, about.
const BYTES_PER_TOKEN: f64 = 4.0;
/// Pixels of a picture that make a token: about what the large providers count.
const PIXELS_PER_TOKEN: f64 = 750.0;
/// Stages of a plan by three experts.
const PLAN_STAGES: u32 = 9;
/// Turns of a run, if a model may take that many.
const EXPECTED_TURNS: u32 = 20;
/// Tokens that a model is assumed to say in a turn.
pub const EXPECTED_TOKENS_A_TURN: f64 = 300.0;
/// Tokens that its calls are assumed to be answered with.
const ANSWERED_TOKENS: f64 = 300.0;

/// What a batch would read, write and cost, by agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Of each model, in the order they act; other agents cost nothing.
    pub models: Vec<ModelEstimate>,
    /// Turns that a run is assumed to take, if it may.
    pub expected_turns: u32,
    /// Turns that a run may take.
    pub most_turns: u32,
}

/// What the runs of one model would read, write and cost.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelEstimate {
    /// What tables call it.
    pub label: String,
    /// How many runs.
    pub runs: u32,
    /// Tokens, with the assumed number of turns.
    pub expected: TokenUsage,
    /// What they cost in dollars; `None`: nobody said its prices.
    pub expected_usd: Option<f64>,
    /// The same with all turns a run may take and every answer as long as it may be.
    pub most_usd: Option<f64>,
}

/// Why a batch cannot be estimated.
#[derive(Debug, thiserror::Error)]
pub enum EstimateError {
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A task cannot be opened.
    #[error("{task} cannot be opened: {why}")]
    Task {
        /// Which.
        task: String,
        /// Why.
        why: String,
    },
}

/// Tokens read and written by one run, and by several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tokens {
    input: f64,
    output: f64,
}

impl Tokens {
    fn usage(self) -> TokenUsage {
        TokenUsage {
            input: self.input.round() as u64,
            output: self.output.round() as u64,
            ..TokenUsage::default()
        }
    }

    fn add(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
    }
}

/// The sums of one agent's runs.
struct AgentSums<'a> {
    agent: &'a AgentConfig,
    runs: u32,
    expected: Tokens,
    most: Tokens,
}

/// What these runs would read, write and cost. Tasks are opened, and nothing is asked.
pub fn estimate<'a>(
    runs: impl IntoIterator<Item = (&'a Order, &'a BatchSettings)>,
    open_environment: &OpenEnvironment,
    cancel: &CancelToken,
) -> Result<Estimate, EstimateError> {
    let mut sums: Vec<AgentSums<'_>> = Vec::new();
    let mut most_turns = 0;
    // What a run begins with differs by its task and by who is asked, and not by its repeat.
    let mut openings: BTreeMap<(TaskRef, *const AgentConfig), f64> = BTreeMap::new();
    for (order, settings) in runs {
        cancel.check()?;
        most_turns = most_turns.max(settings.options.limits.max_turns);
        let Some(model) = order.agent.model() else { continue };
        let key = (order.task_ref(), Arc::as_ptr(&order.agent));
        let opening = match openings.get(&key) {
            Some(known) => *known,
            None => opening_tokens(order, settings, model, open_environment)?,
        };
        openings.insert(key, opening);
        // Only a run of many turns may stop early; a plan has as many stages as experts make of it.
        let turns = match (model.mode(), model.mode().plan_way()) {
            (Mode::MultiTurn, _) => settings.options.limits.max_turns,
            (_, Some(way)) if !way.direct => PLAN_STAGES,
            _ => 1,
        };
        let expected = tokens_of(opening, turns.min(EXPECTED_TURNS), EXPECTED_TOKENS_A_TURN);
        let most = tokens_of(opening, turns, f64::from(model.entry().max_tokens));
        match sums.iter_mut().find(|sum| sum.agent.label() == order.agent.label()) {
            Some(sum) => {
                sum.runs += 1;
                sum.expected.add(expected);
                sum.most.add(most);
            }
            None => sums.push(AgentSums { agent: &order.agent, runs: 1, expected, most }),
        }
    }
    let models = sums.into_iter().map(|sum| ModelEstimate {
        label: sum.agent.label().to_owned(),
        runs: sum.runs,
        expected: sum.expected.usage(),
        expected_usd: cost_usd(sum.agent, sum.expected),
        most_usd: cost_usd(sum.agent, sum.most),
    });
    let expected_turns = most_turns.min(EXPECTED_TURNS);
    Ok(Estimate { models: models.collect(), expected_turns, most_turns })
}

fn cost_usd(agent: &AgentConfig, tokens: Tokens) -> Option<f64> {
    let prices = agent.model()?.entry().provider.prices.as_ref()?;
    prices.cost_usd(&tokens.usage())
}

/// What the first request of a run holds.
fn opening_tokens(
    order: &Order,
    settings: &BatchSettings,
    model: &OpenedModel,
    open_environment: &OpenEnvironment,
) -> Result<f64, EstimateError> {
    let failed = |why: String| EstimateError::Task { task: order.task.id.clone(), why };
    // The tools' schemas are most of what is sent, and stand only in an open environment. Compat and
    // fonts change neither their length nor the size of the picture by much; what was done before does.
    let (start_design, start_run) =
        (settings.options.start_design.clone(), settings.options.start_run.clone());
    let told = RunSettings { start_design, start_run, ..RunSettings::default() };
    let prepared = PreparedTask::new(&order.task, &told, &settings.pictures, open_environment);
    let prepared = prepared.map_err(|error| failed(error.to_string()))?;
    let environment = prepared.open(open_environment).map_err(|error| failed(error.to_string()))?;
    let tools: usize = environment
        .tools()
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.schema.to_string().len())
        .sum();
    let used = if model.mode().plan_way().is_some() { "plan_" } else { "agent_" };
    let prompts = model.prompts().texts().iter().filter(|(name, _)| name.starts_with(used));
    let prompts: usize = prompts.map(|(_, text)| text.len()).sum();
    let bytes = (tools + prompts + prepared.instruction(&order.task).len()) as f64;
    let mut pixels = prepared
        .input
        .picture
        .as_ref()
        .map_or(0.0, |picture| f64::from(picture.width()) * f64::from(picture.height()));
    // A planner is shown the pictures that come with the query beside that to arrive at.
    if model.mode().plan_way().is_some_and(|way| way.shows_pictures) {
        let sizes = prepared.input_pictures.iter().filter_map(GivenPicture::size);
        pixels += sizes.map(|size| size.width * size.height).sum::<f64>();
    }
    Ok(request_tokens(bytes, pixels))
}

/// About how many tokens a request of so many bytes of words and so many pixels of pictures holds.
pub fn request_tokens(bytes: f64, pixels: f64) -> f64 {
    bytes / BYTES_PER_TOKEN + pixels / PIXELS_PER_TOKEN
}

/// The tokens of a run: each turn sends what was said before, and what came of it.
fn tokens_of(opening: f64, turns: u32, said: f64) -> Tokens {
    let turns = f64::from(turns);
    // Turn n sends what n - 1 turns before it said and were answered: 0 + 1 + ... of them in all.
    let earlier_turns = turns * (turns - 1.0) / 2.0;
    Tokens {
        input: turns * opening + earlier_turns * (said + ANSWERED_TOKENS),
        output: turns * said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_sends_all_that_was_said_before() {
        assert_eq!(tokens_of(1000.0, 1, 50.0), Tokens { input: 1000.0, output: 50.0 });
        let three = tokens_of(1000.0, 3, 50.0);
        assert_eq!(three.output, 150.0);
        assert_eq!(three.input, 3000.0 + (0.0 + 1.0 + 2.0) * (50.0 + ANSWERED_TOKENS));
    }
}

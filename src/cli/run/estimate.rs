//! What a batch would cost: `--dry-run`.
//!
//! Nothing is asked. What a request holds at first is known (words, tools, picture); how many turns a
//! model takes and how much it says is not, so the figures are for an assumed number of turns and for
//! the most there can be. Every turn sends the whole conversation again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::batch::{AgentConfig, Order};
use crate::agent::chat::TokenUsage;
use crate::agent::model_agent::Mode;
use crate::agent::models::OpenedModel;
use crate::agent::runner::RunSettings;
use crate::agent::{PictureSource, PreparedTask};
use crate::cli::environments::environments;
use crate::cli::output::print;
use crate::cli::table::{Column, Side, Table};
use crate::cli::token_estimate::tokens;
use crate::environment::suite::GivenPicture;
use crate::run::TaskRef;

use super::planned::PlannedRun;

/// Stages of a plan by three experts.
const PLAN_STAGES: u32 = 9;
/// Turns of a run, if a model may take that many.
const EXPECTED_TURNS: u32 = 20;
/// Tokens that a turn adds to the conversation: what the model says, and what its calls answer.
const SAID_TOKENS: f64 = 300.0;
const ANSWERED_TOKENS: f64 = 300.0;

/// Tokens read and written by one run.
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

    fn plus(self, other: Self) -> Self {
        Self { input: self.input + other.input, output: self.output + other.output }
    }
}

/// Prints what each model would read, write and cost.
pub(super) fn estimate(runs: &[PlannedRun]) -> anyhow::Result<()> {
    let mut models: Vec<(&AgentConfig, u32, Tokens, Tokens)> = Vec::new();
    // What a run begins with differs by its task and by who is asked, and not by its repeat.
    let mut openings: BTreeMap<(TaskRef, *const AgentConfig), f64> = BTreeMap::new();
    for PlannedRun { order, settings } in runs {
        let Some(model) = order.agent.model() else { continue };
        let key = (order.task_ref(), Arc::as_ptr(&order.agent));
        let opening = match openings.get(&key) {
            Some(known) => *known,
            None => opening_tokens(order, &settings.pictures, model)?,
        };
        openings.insert(key, opening);
        // Only a run of many turns may stop early; a plan has as many stages as experts make of it.
        let turns = match (model.mode(), model.mode().plan_way()) {
            (Mode::MultiTurn, _) => settings.options.limits.max_turns,
            (_, Some(way)) if !way.direct => PLAN_STAGES,
            _ => 1,
        };
        let expected = tokens_of(opening, turns.min(EXPECTED_TURNS), SAID_TOKENS);
        let most = tokens_of(opening, turns, f64::from(model.entry().max_tokens));
        match models.iter_mut().find(|(known, ..)| known.label() == order.agent.label()) {
            Some((_, count, sum, most_sum)) => {
                *count += 1;
                (*sum, *most_sum) = (sum.plus(expected), most_sum.plus(most));
            }
            None => models.push((&order.agent, 1, expected, most)),
        }
    }
    anyhow::ensure!(!models.is_empty(), "nothing to estimate: only models cost anything");
    Ok(print(&(table(&models).to_text() + &words(runs)))?)
}

fn words(runs: &[PlannedRun]) -> String {
    let turns = runs.iter().map(|run| run.settings.options.limits.max_turns).max().unwrap_or(0);
    format!(
        "\nexpected: {} turns a run of {SAID_TOKENS} tokens each; at most: {turns} turns, every answer as \
         long as it may be.\nNothing was asked. Caching by the provider is not counted.\n",
        turns.min(EXPECTED_TURNS)
    )
}

fn table(models: &[(&AgentConfig, u32, Tokens, Tokens)]) -> Table<'static> {
    let mut columns = vec![Column { heading: "model", side: Side::Left }];
    for heading in ["runs", "tokens read", "written", "expected cost", "at most"] {
        columns.push(Column { heading, side: Side::Right });
    }
    let mut table = Table::new(&columns);
    for (model, count, expected, most) in models {
        let usage = expected.usage();
        table.push(vec![
            model.label().to_owned(),
            count.to_string(),
            usage.input.to_string(),
            usage.output.to_string(),
            cost(model, *expected),
            cost(model, *most),
        ]);
    }
    table
}

fn cost(agent: &AgentConfig, tokens: Tokens) -> String {
    let Some(model) = agent.model() else { return "nothing".to_owned() };
    let prices = model.entry().provider.prices.as_ref();
    let usd = prices.and_then(|prices| prices.cost_usd(&tokens.usage()));
    usd.map_or_else(|| "no prices".to_owned(), |usd| format!("${usd:.2}"))
}

/// What the first request of a run holds.
fn opening_tokens(
    order: &Order,
    pictures: &PictureSource,
    model: &OpenedModel,
) -> anyhow::Result<f64> {
    // The tools' schemas are most of what is sent, and stand only in an open environment. Compat and
    // fonts change neither their length nor the size of the picture by much.
    let told = RunSettings::default();
    let prepared = PreparedTask::new(&order.task, &told, pictures, &environments().opener())?;
    let environment = prepared.open(&environments().opener())?;
    let tools: usize = environment
        .tools()
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.schema.to_string().len())
        .sum();
    let used = if model.mode().plan_way().is_some() { "plan_" } else { "agent_" };
    let prompts = model.prompts().texts().iter().filter(|(name, _)| name.starts_with(used));
    let prompts: usize = prompts.map(|(_, text)| text.len()).sum();
    let bytes = (tools + prompts + order.task.instruction.len()) as f64;
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
    Ok(tokens(bytes, pixels))
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

//! Many runs that belong together: tasks by agents, in one folder, on one budget.
//!
//! - [`AgentChoice`] is who is to act, as a person said it or as a recorded run did it; opened it is an
//!   [`AgentConfig`], which acts in any number of runs;
//! - an [`Order`] is one task for one agent; a [`Batch`] executes it into a run, or finds that there is
//!   one, or goes on with what a broken-off batch left ([`LaunchOptions::resume`]), and counts what that
//!   costs on its [`Budget`];
//! - an [`OrderQueue`] holds the orders that have not begun and has threads work them off;
//! - [`LeastTurns`]: a run that its agent ended too soon is made again;
//! - an [`Experiment`] says in one file what is crossed with what, and how often it is repeated;
//! - [`estimate`] says what it would cost, before anything is asked;
//! - [`check_again`] says whether a recorded run can be made again.
//!
//! The command line and the window work the same way here; what is their own is whom they tell, and
//! that the window pauses. Uses `agent`, `run`, `task` and `base`. Start with `execute`.

mod agent_config;
mod budget;
mod cells;
mod earlier;
mod estimate;
mod execute;
mod experiment;
mod order;
mod questions;
mod queue;
mod settings;

pub use agent_config::{
    AgainError, AgentChoice, AgentChoiceError, AgentConfig, check_again, root_of,
};
pub use budget::Budget;
pub use cells::{Actor, EXPERIMENT_SETTING, ExperimentCell};
pub use estimate::{
    EXPECTED_TOKENS_A_TURN, Estimate, EstimateError, ModelEstimate, estimate, request_tokens,
};
pub use execute::{Batch, ExecuteError, ExecutedRun, Openers, Provenance};
pub use experiment::{
    EXPERIMENT_FORMAT, EXPERIMENT_VERSION, Experiment, ExperimentError, Fault, Places, Variation,
};
pub use order::Order;
pub use questions::{QuestionsEstimate, tokens_cost_usd};
pub use queue::OrderQueue;
pub use settings::{BatchSettings, LaunchOptions, LeastTurns, relative_path, seen_from};

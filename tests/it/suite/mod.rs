//! The suite environment: GraphicTown's three programs and their 48 actions.

pub(crate) mod given;
mod hand_made;
mod hostile;
pub(crate) mod plans;
mod programs;
mod properties;
pub(crate) mod published;
mod runs;

use pentimento::base::CancelToken;
use pentimento::environment::suite::{Compat, GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, FailureClass, ToolCall, ToolOutcome};
use serde_json::Value;

/// An empty suite.
fn suite() -> SuiteEnvironment {
    SuiteEnvironment::new(SuiteStart::default()).unwrap()
}

/// A suite that hands out pictures without files.
fn suite_with(names: &[&str], compat: Compat) -> SuiteEnvironment {
    let given = |name: &&str| GivenPicture { name: (*name).to_owned(), ..GivenPicture::default() };
    let given = names.iter().map(given).collect();
    SuiteEnvironment::new(SuiteStart { given, compat, ..SuiteStart::default() }).unwrap()
}

/// Calls an action with an expert and its parameters.
fn call(suite: &mut SuiteEnvironment, expert: &str, action: &str, values: &Value) -> ToolOutcome {
    let mut arguments = values.clone();
    arguments["expert"] = expert.into();
    suite
        .call(&ToolCall { id: "1".into(), name: action.into(), arguments }, &CancelToken::default())
}

/// Calls an action that must work.
fn done(suite: &mut SuiteEnvironment, expert: &str, action: &str, values: &Value) -> ToolOutcome {
    let outcome = call(suite, expert, action, values);
    assert!(!outcome.is_error(), "{action} {values}: {}", outcome.text);
    outcome
}

/// Calls an action that must fail; gives its class and its words.
fn failed(
    suite: &mut SuiteEnvironment,
    expert: &str,
    action: &str,
    values: &Value,
) -> (FailureClass, String) {
    let outcome = call(suite, expert, action, values);
    let failure = outcome.failure.unwrap_or_else(|| panic!("{action} {values}: {}", outcome.text));
    (failure.class, failure.message)
}

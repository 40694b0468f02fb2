//! What made a file, for whoever wants to make it again.

use serde::Serialize;

use super::output::print_json_text;
use crate::base::shell_line;
use crate::evaluate::{self, PROGRAM};

/// A result as JSON, behind what makes it again.
#[derive(Debug, Serialize)]
struct ResultJson<'a, T> {
    program: &'static str,
    command: String,
    #[serde(flatten)]
    result: &'a T,
}

/// The command as it was given, to be given again.
pub(super) fn command_words() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    shell_line(std::iter::once("pentimento").chain(words.iter().map(String::as_str)))
}

/// Which version of this program.
pub(super) fn program_words() -> String {
    PROGRAM.to_owned()
}

/// Which version wrote it, and by which command.
pub(super) fn made_by() -> String {
    evaluate::made_by(&command_words())
}

/// A result, which has names for all it holds, as indented JSON: its first names are `program` and `command`.
pub(super) fn result_json(result: &impl Serialize) -> anyhow::Result<String> {
    let json = ResultJson { program: PROGRAM, command: command_words(), result };
    Ok(serde_json::to_string_pretty(&json)?)
}

/// Writes that to stdout.
pub(super) fn print_result_json(result: &impl Serialize) -> anyhow::Result<()> {
    Ok(print_json_text(&result_json(result)?)?)
}

//! Writing to stdout and stderr.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use crate::base::{replace_file, visible_json};
use crate::export::missing_letters_words;
use crate::metric::{Measured, MissingScore, Score};

use super::table::visible;

/// What was asked for could not be written to stdout.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to stdout: {0}")]
pub(super) struct StdoutError(pub(super) io::Error);

/// Writes data, ending with a new line, to stdout; what would control a terminal is spelled out.
pub(super) fn print(text: &str) -> Result<(), StdoutError> {
    write_out(&visible(text))
}

fn write_out(text: &str) -> Result<(), StdoutError> {
    // Flushed here, so that a full disk or a closed pipe is an error of ours and not lost at the exit.
    let mut stdout = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    write!(stdout, "{text}{end}").and_then(|()| stdout.flush()).map_err(StdoutError)
}

/// Writes indented JSON to stdout.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(print_json_text(&serde_json::to_string_pretty(value)?)?)
}

/// Writes JSON, or lines of it, to stdout.
pub(super) fn print_json_text(json: &str) -> Result<(), StdoutError> {
    write_out(&visible_json(json))
}

/// Writes a line for people to stderr. If there is no stderr, there is nobody to tell.
pub(super) fn note(line: &str) {
    writeln!(io::stderr().lock(), "{}", visible(line)).ok();
}

/// Says on stderr which letters of what is written no font has, if there are any.
pub(super) fn note_missing_letters(letters: &[char]) {
    if let Some(words) = missing_letters_words(letters) {
        note(&words);
    }
}

/// Replaces a file by these bytes, or says which could not be.
pub(super) fn write_atomic(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace_file(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// A score in JSON: its value, or null with the reason.
#[derive(Debug, Serialize)]
pub(super) struct ScoreJson {
    /// Id of the variant, such as `ssim/uniform7`.
    id: String,
    value: Option<f64>,
    /// Why there is no value, as a word for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl ScoreJson {
    /// The JSON of a score of this variant.
    pub(super) fn new(measured: &Measured) -> Self {
        let score = &measured.measurement.score;
        let missing = match score {
            Score::Value(_) => None,
            Score::Missing(missing) => Some(missing),
        };
        Self {
            id: measured.variant.id.to_string(),
            value: score.value(),
            reason: missing.map(MissingScore::reason),
            message: missing.map(ToString::to_string),
        }
    }
}

/// A score for people: four decimals, or why there is none.
pub(super) fn score_text(score: &Score) -> String {
    match score {
        Score::Value(value) => format!("{value:.4}"),
        Score::Missing(missing) => format!("— ({missing})"),
    }
}

/// So many runs, in words.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

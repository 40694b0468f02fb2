//! Checks of an edit: what was to be done to a picture, and whether it was.

use std::path::Path;

use anyhow::Context as _;

use crate::base::{CancelToken, Limits, Pixels, read_file_limited};
use crate::metric::transformation::{Checks, Verdict};

/// Reads a checks file.
pub(super) fn read(path: &Path) -> anyhow::Result<Checks> {
    read_file_limited(path, Limits::JSON_BYTES)
        .map_err(anyhow::Error::from)
        .and_then(|bytes| Ok(Checks::parse(&bytes)?))
        .with_context(|| format!("the checks in {} cannot be used", path.display()))
}

/// A verdict for each check, or why there is none.
pub(super) fn judge(
    checks: &Checks,
    before: Option<&Pixels>,
    after: Option<&Pixels>,
    cancel: &CancelToken,
) -> Result<Vec<Verdict>, String> {
    // The start first: without it nothing can be said of a change, whatever the end is.
    let before = before.ok_or("there is no picture of what was there before")?;
    let after = after.ok_or("there is no picture of what was made")?;
    checks.judge(before, after, cancel).map_err(|cancelled| cancelled.to_string())
}

/// A verdict for people: the check, yes or no, and the figure that decided.
pub(super) fn line(verdict: &Verdict) -> String {
    let passed = if verdict.passed { "yes" } else { "no" };
    format!("check {}: {passed} ({})\n", verdict.check, verdict.why)
}

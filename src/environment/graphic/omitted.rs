//! What was left out of a graphic.

use std::collections::BTreeMap;

/// What was left out of a graphic, with how many times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::environment) struct Omitted(BTreeMap<&'static str, usize>);

impl Omitted {
    /// One more of these.
    pub(super) fn note(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    /// So many more of these.
    pub(super) fn add(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// What was left out, such as `mask (2×)`; empty if nothing was.
    pub(in crate::environment) fn lines(&self) -> Vec<String> {
        self.0.iter().map(|(what, count)| format!("{what} ({count}×)")).collect()
    }
}

//! Steps of several runs that go together.

use super::trace::{Likeness, RunTrace};

/// Steps of several runs that go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedRow {
    /// By run: its step, from 1; `None` where it has none that goes with the others.
    pub steps: Vec<Option<u32>>,
    /// By run: which runs' canvases look the same after the row: those of the same number, which are given
    /// from 0 as they come.
    pub looks: Vec<u8>,
}

impl AlignedRow {
    /// In which ways all who have a step in the row are alike; `None` where fewer than two have one.
    pub fn likeness(&self, traces: &[&RunTrace]) -> Option<Likeness> {
        let known = self.steps.iter().zip(traces);
        let mut steps = known.filter_map(|(step, trace)| trace.step((*step)?));
        let first = steps.next()?;
        let all = steps.map(|step| Likeness::between(first, step));
        all.reduce(|one, other| Likeness {
            tool: one.tool && other.tool,
            call: one.call && other.call,
            effect: one.effect && other.effect,
            picture: one.picture && other.picture,
        })
    }

    /// Whether all canvases look the same after it.
    pub fn is_same_for_all(&self) -> bool {
        self.looks.iter().all(|look| *look == 0)
    }
}

//! What of steps is compared, as small numbers: a long run is compared with another some hundred million times.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::fingerprint::Fingerprint;
use super::trace::{Likeness, RunTrace};

/// What of a step is compared: the same number for the same, 0 for what is not known and like nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    tool: u32,
    call: u32,
    effect: u32,
    /// Of the canvas, where it looks different from before.
    picture: u32,
}

impl Features {
    /// Those of all steps of runs, step n at n − 1.
    pub(super) fn of_runs(traces: &[&RunTrace]) -> Vec<Vec<Self>> {
        let mut tools: HashMap<&str, u32> = HashMap::new();
        // Of calls, effects and pictures together: they are never compared with one another.
        let mut prints: HashMap<Fingerprint, u32> = HashMap::new();
        let mut runs = Vec::with_capacity(traces.len());
        for trace in traces {
            let steps = trace.steps.iter().map(|step| Self {
                tool: number(&mut tools, step.tool.as_deref()),
                call: number(&mut prints, step.call),
                effect: number(&mut prints, step.effect),
                picture: number(&mut prints, step.state.picture.filter(|_| step.is_seen)),
            });
            runs.push(steps.collect());
        }
        runs
    }

    /// How much it speaks for two steps to stand in one row: as much as [`Likeness::between`] them.
    pub(super) fn weight(self, other: Self) -> u32 {
        let likeness = Likeness {
            tool: is_same(self.tool, other.tool),
            call: is_same(self.call, other.call),
            effect: is_same(self.effect, other.effect),
            picture: is_same(self.picture, other.picture),
        };
        likeness.weight()
    }
}

fn number<K: Hash + Eq>(known: &mut HashMap<K, u32>, key: Option<K>) -> u32 {
    let Some(key) = key else { return 0 };
    let next = u32::try_from(known.len()).unwrap_or(u32::MAX).saturating_add(1);
    *known.entry(key).or_insert(next)
}

fn is_same(one: u32, other: u32) -> bool {
    one != 0 && one == other
}

/// All that some steps have.
#[derive(Debug, Default)]
pub(super) struct KnownFeatures {
    tools: HashSet<u32>,
    calls: HashSet<u32>,
    effects: HashSet<u32>,
    pictures: HashSet<u32>,
}

impl KnownFeatures {
    pub(super) fn of<'a>(steps: impl IntoIterator<Item = &'a Features>) -> Self {
        let mut known = Self::default();
        for step in steps {
            known.tools.insert(step.tool);
            known.calls.insert(step.call);
            known.effects.insert(step.effect);
            known.pictures.insert(step.picture);
        }
        known
    }

    /// The most that a step weighs with any of them, or more: what it has in common may be with several.
    pub(super) fn most_with(&self, step: Features) -> u32 {
        let likeness = Likeness {
            tool: step.tool != 0 && self.tools.contains(&step.tool),
            call: step.call != 0 && self.calls.contains(&step.call),
            effect: step.effect != 0 && self.effects.contains(&step.effect),
            picture: step.picture != 0 && self.pictures.contains(&step.picture),
        };
        likeness.weight()
    }
}

//! Calls that are left out together.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::run::id_arguments::ids_in;

use super::base::{Base, BaseCall};

/// The arguments that name a layer, in environments whose nodes have names and no ids.
const LAYER_KEYS: [&str; 2] = ["layerName", "layer"];
/// Deepest value in which a layer is looked for.
const DEPTH: usize = 8;
/// Longest label, in characters.
const LABEL_CHARS: usize = 80;
/// Most ranges of steps that a list names.
const MOST_LISTED: usize = 8;

/// Which calls are left out together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grouping {
    /// Each by itself.
    #[default]
    Call,
    /// Those of one answer of the agent.
    Turn,
    /// Those that make or change one node; those about none together.
    Node,
    /// Those of one tool.
    Tool,
}

/// Calls that are left out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGroup {
    /// What they have in common, for people: the tool, the turn, the node.
    pub label: String,
    /// Their steps, ascending.
    pub steps: Vec<u32>,
}

impl Grouping {
    /// Every grouping, in the order of lists.
    pub const ALL: [Self; 4] = [Self::Call, Self::Turn, Self::Node, Self::Tool];

    /// Its name on the command line and in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Turn => "turn",
            Self::Node => "node",
            Self::Tool => "tool",
        }
    }
}

/// Steps for people, ascending as they are given: `3, 7-9`; of many ranges the first.
pub fn steps_words(steps: &[u32]) -> String {
    let runs = steps.chunk_by(|a, b| a + 1 == *b);
    let runs = runs.filter_map(|run| match run {
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
        [] => None,
    });
    let mut runs: Vec<String> = runs.collect();
    if runs.len() > MOST_LISTED {
        runs.truncate(MOST_LISTED);
        runs.push("…".to_owned());
    }
    runs.join(", ")
}

/// The groups of a run's calls, each call in one, in the order of their first calls.
pub fn groups_of(base: &Base, grouping: Grouping) -> Vec<CallGroup> {
    let mut groups: Vec<CallGroup> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    // What a node was called by whoever made it says more than its id.
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    for (step, call) in (1..).zip(base.calls()) {
        for node in call.made.iter() {
            let label = format!("{} ({})", node.name(), node.id());
            labels.insert(node.id().to_string(), label);
        }
        let (key, label) = match grouping {
            Grouping::Call => (step.to_string(), call.call.name.clone()),
            Grouping::Turn => (call.turn.to_string(), format!("turn {}", call.turn)),
            Grouping::Tool => (call.call.name.clone(), call.call.name.clone()),
            Grouping::Node => match node_of(call) {
                Some(node) => {
                    let of_start = base.beginning().design.get(&node.as_str().into());
                    let of_start = of_start.map(|found| format!("{} ({node})", found.name));
                    let label = labels.get(&node).cloned().or(of_start);
                    (node.clone(), label.unwrap_or(node))
                }
                None => (String::new(), "no node".to_owned()),
            },
        };
        let place = *places.entry(key).or_insert_with(|| {
            let label = label.chars().take(LABEL_CHARS).collect();
            groups.push(CallGroup { label, steps: Vec::new() });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.steps.push(step);
        }
    }
    groups
}

/// The node that a call makes, or else the one it is about; a layer's name where nodes have no ids.
fn node_of(call: &BaseCall) -> Option<String> {
    if let Some(made) = call.made.first() {
        return Some(made.id().to_string());
    }
    let arguments = &call.call.arguments;
    // A call may name a parent or a source beside the node that it changes.
    let itself = ["nodeId", "nodeIds"].into_iter().find_map(|key| {
        let value = arguments.get(key)?;
        value.as_str().or_else(|| value.get(0)?.as_str())
    });
    let named = itself.or_else(|| ids_in(arguments).first().copied());
    named.or_else(|| layer_in(arguments, DEPTH)).map(str::to_owned)
}

fn layer_in(value: &Value, depth: usize) -> Option<&str> {
    let fields = value.as_object()?;
    let named = LAYER_KEYS.into_iter().find_map(|key| fields.get(key)?.as_str());
    let depth = depth.checked_sub(1)?;
    named.or_else(|| fields.values().find_map(|field| layer_in(field, depth)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_follow_each_other_are_one_range() {
        assert_eq!(steps_words(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
        assert_eq!(steps_words(&[]), "");
        let many: Vec<u32> = (0..20).map(|n| n * 2).collect();
        assert!(steps_words(&many).ends_with(", …"));
    }
}

//! What an experiment crosses: models × modes × folders of prompts × settings, each an [`ExperimentCell`], each cell on
//! every task, [`Experiment::repeats`] times.
//!
//! What a cell's runs are told is the command line's and the window's to set up.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::experiment::{Experiment, Variation, mode};
use crate::agent::model_agent::Mode;

pub use crate::run::EXPERIMENT_SETTING;

/// Most runs.
const MOST_RUNS: usize = 1_000_000;

/// Who acts in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Actor {
    /// An agent that needs no model, as the file names it.
    Agent(String),
    /// A model.
    Model {
        /// Its name.
        name: String,
        /// How it works.
        mode: Mode,
        /// The folder of its prompts; `None`: those that come with the program.
        prompts: Option<PathBuf>,
    },
}

/// One of all that are compared: who acts, and with what.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentCell {
    /// Who.
    pub actor: Actor,
    /// With what.
    pub variation: Variation,
    /// What it is called: the actor, and what of it is varied in the experiment.
    pub label: String,
}

impl Experiment {
    /// Everything crossed with everything: agents, then models by mode, prompts and settings, in the order
    /// of the file.
    pub fn cells(&self) -> Vec<ExperimentCell> {
        let variations = match self.settings.as_slice() {
            [] => vec![Variation::default()],
            some => some.to_vec(),
        };
        let mut cells = Vec::new();
        for actor in self.actors() {
            for variation in &variations {
                let label = self.label(&actor, variation);
                cells.push(ExperimentCell {
                    actor: actor.clone(),
                    variation: variation.clone(),
                    label,
                });
            }
        }
        cells
    }

    fn actors(&self) -> Vec<Actor> {
        let modes: Vec<Mode> = self.modes.iter().filter_map(|name| mode(name)).collect();
        let modes = if modes.is_empty() { vec![Mode::default()] } else { modes };
        let prompts = match self.prompts.as_slice() {
            [] => vec![None],
            some => some.to_vec(),
        };
        let mut actors: Vec<Actor> = self.agents.iter().cloned().map(Actor::Agent).collect();
        for name in &self.models {
            for mode in &modes {
                let models = prompts.iter().map(|prompts| Actor::Model {
                    name: name.clone(),
                    mode: *mode,
                    prompts: prompts.clone(),
                });
                actors.extend(models);
            }
        }
        actors
    }

    /// The name of a cell: its actor, and of what is varied what it has.
    fn label(&self, actor: &Actor, variation: &Variation) -> String {
        let mut parts = Vec::new();
        match actor {
            Actor::Agent(name) => parts.push(name.clone()),
            Actor::Model { name, mode, prompts } => {
                parts.push(name.clone());
                if self.modes.len() > 1 {
                    parts.push(mode.name().to_owned());
                }
                if self.prompts.len() > 1 {
                    parts.push(self.prompts_label(prompts.as_deref()));
                }
            }
        }
        if !variation.name.is_empty() {
            parts.push(variation.name.clone());
        }
        parts.join(" · ")
    }

    /// The name of the folder, or all of it where another is called the same.
    fn prompts_label(&self, prompts: Option<&Path>) -> String {
        let Some(folder) = prompts else { return "own prompts".to_owned() };
        let others = self.prompts.iter().flatten();
        let alike = others.filter(|other| other.file_name() == folder.file_name()).count();
        let name = folder.file_name().filter(|_| alike < 2).unwrap_or(folder.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// What the runs of a cell remember of the experiment at one repeat, from 1. With the name of what is
    /// varied: two cells are two, though what they vary may be nothing to who acts.
    pub fn told(&self, cell: &ExperimentCell, repeat: u32) -> Value {
        let mut told = json!({ "name": self.name, "repeat": repeat });
        if !cell.variation.name.is_empty() {
            told["settings"] = json!(cell.variation.name);
        }
        told
    }

    /// How many runs it makes on so many tasks; `None`: more than are made.
    pub fn runs(&self, tasks: usize) -> Option<usize> {
        let runs = tasks.checked_mul(self.cells().len())?.checked_mul(self.repeats as usize)?;
        (runs <= MOST_RUNS).then_some(runs)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::agent::batch::experiment::tests::{example, read};

    #[test]
    fn everything_is_crossed_with_everything() {
        let experiment = read(&example()).unwrap();
        let cells = experiment.cells();
        assert_eq!(cells.len(), 2 + 2 * 2 * 2 * 2);
        let labels: BTreeSet<&String> = cells.iter().map(|cell| &cell.label).collect();
        assert_eq!(labels.len(), cells.len(), "each is told from all others: {labels:?}");
        assert_eq!(cells[0].label, "tracer · cold");
        assert_eq!(cells[2].label, "gemini:a · multi_turn · own prompts · cold");
        assert_eq!(cells[2].variation.temperature, Some(Some(0.0)));
        assert_eq!(cells[3].variation.temperature, Some(None), "null is said");
        let tasks = &experiment.tasks.as_slice()[0];
        assert!(tasks.ends_with("../tasks") && tasks.is_absolute());
    }

    #[test]
    fn cells_are_told_from_each_other_whatever_they_vary() {
        let mut odd = example();
        odd["prompts"] = json!(["a/terse", "b/terse"]);
        odd["agents"] = json!(["tracer"]);
        let experiment = read(&odd).unwrap();
        let cells = experiment.cells();
        let labels: BTreeSet<&String> = cells.iter().map(|cell| &cell.label).collect();
        assert_eq!(labels.len(), cells.len(), "{labels:?}");
        // A tracer knows no temperature, and yet these are two cells.
        assert_ne!(experiment.told(&cells[0], 1), experiment.told(&cells[1], 1));
    }

    #[test]
    fn what_is_not_varied_is_as_run_has_it() {
        let mut plain = example();
        for list in ["modes", "prompts", "settings", "agents", "repeats"] {
            plain.as_object_mut().unwrap().remove(list);
        }
        let experiment = read(&plain).unwrap();
        let cells = experiment.cells();
        let labels: Vec<&str> = cells.iter().map(|cell| cell.label.as_str()).collect();
        assert_eq!((labels, experiment.repeats), (vec!["gemini:a", "gemini:b"], 1));
        assert_eq!(cells[0].variation, Variation::default());
    }
}

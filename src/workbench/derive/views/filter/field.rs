//! What a filter is asked about, and the fields that it has.

use memchr::memchr2_iter;

use crate::evaluate::Failed;
use crate::evaluate::groups::{experiment_of, folder_of};
use crate::run::TaskRef;
use crate::task::{Task, TaskKind, TaskSet};
use crate::workbench::model::{DigestState, LibraryRun, RunLabels, RunNotes, RunState};

pub(super) const KINDS: [&str; 6] =
    ["replication", "attribute", "insertion", "mode", "modification", "composition"];
pub(super) const MARKS: [&str; 2] = ["starred", "noted"];

/// What a filter is asked about: a task, or a run at a task. What is not known does not hold.
#[derive(Clone, Copy, Debug)]
pub struct FilterItem<'a> {
    /// The set, if it is open.
    pub set: Option<&'a TaskSet>,
    /// The task, if its set is open.
    pub task: Option<&'a Task>,
    /// Which task.
    pub task_ref: &'a TaskRef,
    /// The run; `None` asks about the task itself.
    pub run: Option<&'a LibraryRun>,
    /// What people wrote to it.
    pub notes: Option<&'a RunNotes>,
    /// What people who label said of it.
    pub labels: Option<&'a RunLabels>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterField {
    Kind,
    Agent,
    Model,
    Mode,
    State,
    Set,
    Task,
    Category,
    Difficulty,
    Tag,
    Is,
    Label,
    Tool,
    Error,
    Experiment,
    Folder,
}

/// Whether the run's events are still to be read; those of a live one are when it has ended.
pub(super) fn is_unread(run: &LibraryRun) -> bool {
    !matches!(run.state, RunState::Unreadable(_)) && run.digest == DigestState::NotRead
}

pub(super) fn failed_so(failure: Option<Failed>, word: &str) -> bool {
    match (failure, word) {
        (Some(_), "any") | (None, "none") => true,
        (Some(failure), word) => failure.word() == word,
        (None, _) => false,
    }
}

impl FilterField {
    /// Whether the item has something in it, and it is not known yet.
    pub(super) fn is_awaited(self, item: &FilterItem<'_>) -> bool {
        matches!(self, Self::Tool | Self::Error) && item.run.is_some_and(is_unread)
    }

    /// Whether a name that an item has in it is what is asked for.
    pub(super) fn fits(self, name: &str, asked: &str) -> bool {
        match self {
            // Words of a list, and labels: `good` must not find `not good`.
            Self::Kind | Self::State | Self::Is | Self::Error | Self::Label => name == asked,
            _ => contains(name, asked),
        }
    }

    /// Hands over each name that an item has in it, with whether a filter that is being typed goes on with it: one of
    /// which [`Self::fits`] says that it is meant is there just where [`Self::holds`].
    pub(super) fn each_name<'a>(self, item: &FilterItem<'a>, mut name: impl FnMut(&'a str, bool)) {
        match self {
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                for tool in digest.into_iter().flat_map(|digest| &digest.tools) {
                    name(&tool.name, true);
                }
            }
            Self::Error => {
                let Some(digest) = item.run.and_then(|run| run.digest.read()) else { return };
                let mut words: Vec<&str> = Vec::new();
                for word in digest.steps.iter().filter_map(|step| Some(step.failure?.word())) {
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
                words.push(if words.is_empty() { "none" } else { "any" });
                for word in words {
                    name(word, true);
                }
            }
            Self::Tag => {
                for tag in item.task.into_iter().flat_map(|task| &task.tags) {
                    name(tag, true);
                }
            }
            Self::Kind => {
                let Some(task) = item.task else { return };
                for word in KINDS.iter().filter(|word| kind_is(task.kind, word)) {
                    name(word, true);
                }
            }
            Self::State => {
                let Some(run) = item.run else { return };
                name(run.word(), true);
                if run.state == RunState::Live && run.word() != RunState::Live.word() {
                    name(RunState::Live.word(), true);
                }
            }
            Self::Is => {
                for mark in MARKS.iter().filter(|mark| self.holds(mark, item)) {
                    name(mark, true);
                }
            }
            Self::Label => {
                for word in item.labels.into_iter().flat_map(|labels| &labels.words) {
                    name(word, true);
                }
            }
            Self::Agent => {
                for (at, text) in item.agent_names().enumerate() {
                    name(text, at == 0);
                }
            }
            Self::Set => {
                name(&item.task_ref.set, true);
                if let Some(text) = item.set_name() {
                    name(text, false);
                }
            }
            _ => {
                if let Some(text) = self.text_of(item) {
                    name(text, true);
                }
            }
        }
    }

    pub(super) fn holds(self, value: &str, item: &FilterItem<'_>) -> bool {
        let text = match self {
            Self::Kind => return item.task.is_some_and(|task| kind_is(task.kind, value)),
            Self::Agent => return item.agent_names().any(|name| contains(name, value)),
            Self::State => {
                // A run that is paused is live all the same.
                let is_live = item.run.is_some_and(|run| run.state == RunState::Live);
                let word = item.run.map(LibraryRun::word);
                return word == Some(value) || (is_live && value == RunState::Live.word());
            }
            Self::Is => {
                let holds = if value == "noted" { RunNotes::has_text } else { RunNotes::has_star };
                return item.notes.is_some_and(holds);
            }
            Self::Label => {
                // As a whole, unlike names: `good` must not find `not good`.
                return item.labels.is_some_and(|labels| labels.words.contains(value));
            }
            Self::Tag => {
                let mut tags = item.task.into_iter().flat_map(|task| &task.tags);
                return tags.any(|tag| contains(tag, value));
            }
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                let mut tools = digest.into_iter().flat_map(|digest| &digest.tools);
                return tools.any(|tool| contains(&tool.name, value));
            }
            Self::Error => {
                // Of a run whose calls are not known nothing is claimed, `none` included.
                let Some(digest) = item.run.and_then(|run| run.digest.read()) else { return false };
                return match value {
                    "none" => digest.steps.iter().all(|step| step.failure.is_none()),
                    word => digest.steps.iter().any(|step| failed_so(step.failure, word)),
                };
            }
            Self::Set if contains(&item.task_ref.set, value) => return true,
            _ => self.text_of(item),
        };
        text.is_some_and(|text| contains(text, value))
    }

    /// Whether one of the values, which are sorted, is all of the field.
    pub(super) fn is_one_of(self, values: &[String], item: &FilterItem<'_>) -> bool {
        match self {
            Self::Set => {
                is_among(values, &item.task_ref.set)
                    || item.set_name().is_some_and(|name| is_among(values, name))
            }
            Self::Agent => item.agent_names().any(|name| is_among(values, name)),
            Self::Tag => {
                item.task.is_some_and(|task| task.tags.iter().any(|tag| is_among(values, tag)))
            }
            Self::Tool => {
                let digest = item.run.and_then(|run| run.digest.read());
                digest.is_some_and(|it| it.tools.iter().any(|tool| is_among(values, &tool.name)))
            }
            Self::Model
            | Self::Mode
            | Self::Task
            | Self::Category
            | Self::Difficulty
            | Self::Experiment
            | Self::Folder => self.text_of(item).is_some_and(|text| is_among(values, text)),
            // Words of a list: whole in either way of writing.
            Self::Kind | Self::State | Self::Is | Self::Label | Self::Error => {
                values.iter().any(|value| self.holds(value, item))
            }
        }
    }

    fn text_of<'a>(self, item: &FilterItem<'a>) -> Option<&'a str> {
        match self {
            Self::Set => item.set_name(),
            Self::Task => Some(item.task_ref.id.as_str()),
            Self::Category => item.task.and_then(|task| task.category.as_deref()),
            Self::Difficulty => item.task.and_then(|task| task.difficulty.as_deref()),
            Self::Model => item.run.map(|run| run.manifest.agent.name.as_str()),
            Self::Mode => item.run.map(|run| run.manifest.mode.as_str()),
            Self::Experiment => item.run.and_then(|run| experiment_of(&run.manifest)),
            Self::Folder => item.run.and_then(|run| folder_of(&run.manifest, &run.dir).to_str()),
            _ => None,
        }
    }
}

fn kind_is(kind: TaskKind, word: &str) -> bool {
    match word {
        "modification" => ![TaskKind::Replication, TaskKind::Composition].contains(&kind),
        "replication" => kind == TaskKind::Replication,
        "attribute" => kind == TaskKind::AttributeUpdate,
        "insertion" => kind == TaskKind::ComponentInsertion,
        "composition" => kind == TaskKind::Composition,
        // No other word got through the reading of the filter.
        _ => kind == TaskKind::ModeChange,
    }
}

/// Whether a text is one of these values, which are sorted and in lower case.
fn is_among(values: &[String], text: &str) -> bool {
    // Mostly nothing has to be made lower case.
    if text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        values.binary_search(&text.to_lowercase()).is_ok()
    } else {
        values.binary_search_by(|value| value.as_str().cmp(text)).is_ok()
    }
}

impl<'a> FilterItem<'a> {
    fn set_name(&self) -> Option<&'a str> {
        self.set.map(|set| set.name.as_str())
    }

    fn agent_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let agent = self.run.map(|run| &run.manifest.agent);
        agent.into_iter().flat_map(|agent| [agent.name.as_str(), agent.kind.as_str()])
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let of_task = self.task.into_iter().flat_map(|task| {
            [Some(task.instruction.as_str()), task.category.as_deref()]
                .into_iter()
                .flatten()
                .chain(task.tags.iter().map(String::as_str))
        });
        let ids = [self.task_ref.id.as_str(), self.task_ref.set.as_str()];
        ids.into_iter().chain(self.set_name()).chain(self.agent_names()).chain(of_task)
    }
}

/// Whether `text` holds `lower`, letters' case aside. No allocation for ASCII.
pub(super) fn contains(text: &str, lower: &str) -> bool {
    if lower.is_empty() {
        return true;
    }
    // Called for every task and run in every frame, and nearly all of these texts are ASCII.
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        let Some(last) = text.len().checked_sub(lower.len()) else { return false };
        // Instructions have hundreds of letters, few of which are the first of the word.
        let [small, large] = [lower[0], lower[0].to_ascii_uppercase()];
        return memchr2_iter(small, large, &text[..=last])
            .any(|at| text[at..at + lower.len()].eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_is_found_as_the_standard_library_finds_it(
            text in "[a-cA-C é\u{212a}]{0,24}",
            word in "[a-cé k]{0,4}",
        ) {
            prop_assert_eq!(contains(&text, &word), text.to_lowercase().contains(&word));
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            prop_assert_eq!(contains(&ascii, &word), ascii.to_lowercase().contains(&word));
        }
    }
}

//! In what order the library lists runs, and below what.

use serde::{Deserialize, Serialize};

/// In what order the library lists runs, and below what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrangement {
    /// What runs stand below.
    pub grouping: Grouping,
    /// Their order within a group.
    pub sort: SortBy,
    /// The other way round; runs without the number stay last.
    pub is_reversed: bool,
}

/// What runs stand below in the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// Task sets and tasks; tasks without runs are listed too.
    #[default]
    Task,
    /// Agents, by name.
    Agent,
    /// Nothing: one list.
    None,
}

/// What runs are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    /// As they were opened: by folder.
    #[default]
    Opened,
    /// Name of the agent.
    Agent,
    /// Score at the last step, best first; runs of one main metric stand together, those whose score is no result
    /// ([`RunState::is_result`](super::RunState::is_result)) behind the others.
    Score,
    /// Failed calls, most first.
    Failures,
    /// When they began, newest first.
    Started,
    /// Steps, most first.
    Steps,
    /// Cost in US dollars, most first.
    Cost,
}

impl Grouping {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Task, Self::Agent, Self::None];

    /// What the menu calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Task => "Task",
            Self::Agent => "Agent",
            Self::None => "None",
        }
    }

    /// The one after it; the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Task => Self::Agent,
            Self::Agent => Self::None,
            Self::None => Self::Task,
        }
    }
}

impl SortBy {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 7] = [
        Self::Opened,
        Self::Agent,
        Self::Score,
        Self::Failures,
        Self::Started,
        Self::Steps,
        Self::Cost,
    ];

    /// What the menu calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Opened => "Folder",
            Self::Agent => "Agent",
            Self::Score => "Score",
            Self::Failures => "Failed calls",
            Self::Started => "Start time",
            Self::Steps => "Steps",
            Self::Cost => "Cost",
        }
    }

    /// The one after it; the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_goes_through_all() {
        let sorts = std::iter::successors(Some(SortBy::Opened), |sort| Some(sort.next()));
        assert_eq!(sorts.take(7).collect::<Vec<_>>(), SortBy::ALL);
        assert_eq!(SortBy::Cost.next(), SortBy::Opened);
        let groupings = std::iter::successors(Some(Grouping::Task), |group| Some(group.next()));
        assert_eq!(groupings.take(3).collect::<Vec<_>>(), Grouping::ALL);
    }
}

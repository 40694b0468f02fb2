//! What is found: a step and what it clashes with.

/// A step that clashes with its words, the components or another step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// At which item of the workflow, from 1.
    pub step: usize,
    /// By which rule.
    pub rule: ClashRule,
    /// The words that clash, or what was there before.
    pub said: String,
    /// What the step sets.
    pub set: String,
}

/// By which rule a step is inconsistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClashRule {
    /// Its own words name another part of the page.
    Place,
    /// The components do.
    ComponentPlace,
    /// Its own words or the components name another colour.
    Color,
    /// Its own words, the components or another text name another size.
    Size,
    /// Its own words or the components have another text.
    Wording,
    /// Another layer is in the same place.
    OnePlace,
    /// The action is for another kind of layer.
    Kind,
    /// The words can only mean another kind of action.
    Action,
}

impl ClashRule {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::Kind,
        Self::Action,
        Self::Place,
        Self::Color,
        Self::Size,
        Self::Wording,
        Self::ComponentPlace,
        Self::OnePlace,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::ComponentPlace => "component place",
            Self::Color => "colour",
            Self::Size => "size",
            Self::Wording => "wording",
            Self::OnePlace => "one place",
            Self::Kind => "kind of layer",
            Self::Action => "kind of action",
        }
    }
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}, but {}", self.rule.name(), self.said, self.set)
    }
}

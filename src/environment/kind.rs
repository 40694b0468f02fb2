//! The environments there are, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which environment an agent acts on: the word of manifests and task sets. A word that this version
/// does not know is kept as it stands, so that runs of a later one can still be listed and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum EnvironmentKind {
    /// CANVAS's vector design.
    #[default]
    Canvas,
    /// GraphicTown's three programs.
    Suite,
    /// A page in HTML.
    Page,
    /// None of this program's.
    Unknown(Box<str>),
}

impl EnvironmentKind {
    /// Its word in manifests and task sets.
    pub fn name(&self) -> &str {
        match self {
            Self::Canvas => "canvas",
            Self::Suite => "suite",
            Self::Page => "page",
            Self::Unknown(name) => name,
        }
    }
}

impl From<&str> for EnvironmentKind {
    fn from(name: &str) -> Self {
        [Self::Canvas, Self::Suite, Self::Page]
            .into_iter()
            .find(|kind| kind.name() == name)
            .unwrap_or_else(|| Self::Unknown(name.into()))
    }
}

impl From<String> for EnvironmentKind {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl From<EnvironmentKind> for String {
    fn from(kind: EnvironmentKind) -> Self {
        kind.name().to_owned()
    }
}

impl fmt::Display for EnvironmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_comes_back_as_it_was_read() {
        for (word, kind) in [
            ("canvas", EnvironmentKind::Canvas),
            ("suite", EnvironmentKind::Suite),
            ("page", EnvironmentKind::Page),
            ("Canvas", EnvironmentKind::Unknown("Canvas".into())),
            ("", EnvironmentKind::Unknown("".into())),
        ] {
            let json = serde_json::to_string(word).unwrap();
            assert_eq!(serde_json::from_str::<EnvironmentKind>(&json).unwrap(), kind);
            assert_eq!(serde_json::to_string(&kind).unwrap(), json);
        }
    }
}

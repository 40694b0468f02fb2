//! The three experts, each with a program of his own.

use serde::{Deserialize, Serialize};

/// Who acts, and so in which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Expert {
    /// Edits photos: pixels, layers, filters.
    #[serde(rename = "Photo Editor")]
    PhotoEditor,
    /// Draws vectors.
    #[serde(rename = "Vector Graphic Editor")]
    VectorGraphicEditor,
    /// Lays out pages.
    #[serde(rename = "Layout Designer")]
    LayoutDesigner,
}

impl Expert {
    /// All of them, in the order of the papers.
    pub const ALL: [Self; 3] = [Self::PhotoEditor, Self::VectorGraphicEditor, Self::LayoutDesigner];

    /// The expert of this name. `Graphic Designer` is the vector graphic editor: the released
    /// planner's own other name for him (dayeonki/designbench, `planning/planner.py`).
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "Photo Editor" => Some(Self::PhotoEditor),
            "Vector Graphic Editor" | "Graphic Designer" => Some(Self::VectorGraphicEditor),
            "Layout Designer" => Some(Self::LayoutDesigner),
            _ => None,
        }
    }

    /// His name in the papers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PhotoEditor => "Photo Editor",
            Self::VectorGraphicEditor => "Vector Graphic Editor",
            Self::LayoutDesigner => "Layout Designer",
        }
    }

    /// The formats his program writes, its own first. The first is live: what is imported of it
    /// stays editable.
    pub const fn formats(self) -> &'static [&'static str] {
        match self {
            Self::PhotoEditor => &["psd", "pdf", "png", "jpg", "jpeg"],
            Self::VectorGraphicEditor => &["ai", "pdf", "png", "jpg", "jpeg", "svg"],
            Self::LayoutDesigner => &["indd", "pdf", "png", "jpg", "jpeg"],
        }
    }

    /// His place in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::PhotoEditor => 0,
            Self::VectorGraphicEditor => 1,
            Self::LayoutDesigner => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expert_is_found_by_his_name_and_his_place() {
        for (at, expert) in Expert::ALL.into_iter().enumerate() {
            assert_eq!((Expert::from_name(expert.name()), expert.index()), (Some(expert), at));
        }
        assert_eq!(Expert::from_name("Text Editor"), None);
    }
}

//! A score with what explains it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::component::Components;
use super::constraint::Findings;
use super::fidelity::InputPlace;
use super::{MissingScore, Score};

/// A score with what explains it.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The number, or why there is none.
    pub score: Score,
    /// Why the number is what it is, if the metric can show it.
    pub evidence: Option<Evidence>,
}

/// What explains a score.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// A value at each pixel.
    Map(ScalarMap),
    /// Which nodes were taken for which.
    Components(Arc<Components>),
    /// Where people are expected to look, on both sides.
    Saliency(SaliencyMaps),
    /// Where the pictures that the task gave fit best.
    Places(Vec<InputPlace>),
    /// What was said of both pictures.
    Captions {
        /// Of the ground truth.
        ground_truth: String,
        /// Of what was made.
        generated: String,
    },
    /// What a judge answered, word for word.
    Judgement(Vec<JudgeAnswer>),
    /// What of a design query the design has.
    Findings(Findings),
}

/// Where people are expected to look: the maps that were compared. All are of one size, which need
/// not be that of the pictures; each covers its whole picture. With a score all are there; without
/// one ([`Metric::partial_evidence`](super::Metric::partial_evidence)), those that can be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaliencyMaps {
    /// Of the ground truth, within 0..=1.
    pub ground_truth: Option<ScalarMap>,
    /// Of what was made, within 0..=1.
    pub generated: Option<ScalarMap>,
    /// How much more salient what was made is, within −1..=1.
    pub difference: Option<ScalarMap>,
}

/// Which of the maps that explain a score.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum MapKind {
    /// How both sides differ: the one that every metric with a map has.
    #[default]
    Difference,
    /// Of what was made alone.
    Generated,
    /// Of the ground truth alone.
    GroundTruth,
}

/// One question to a judge and what it answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeAnswer {
    /// What was asked, such as `originality` or a question about the picture.
    pub question: String,
    /// The answer, word for word; empty if there was none.
    pub answer: String,
    /// Why the answer does not count, if it does not.
    pub problem: Option<String>,
}

/// A value at each pixel, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarMap {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width * height` values.
    pub values: Arc<[f32]>,
}

impl Measurement {
    /// A number that needs no explanation.
    pub fn of(score: Score) -> Self {
        Self { score, evidence: None }
    }

    /// No number, and why.
    pub fn missing(why: MissingScore) -> Self {
        Self::of(Score::Missing(why))
    }

    /// The map that explains the score, if that is what does.
    pub fn map(&self) -> Option<&ScalarMap> {
        match self.evidence.as_ref()? {
            Evidence::Map(map) => Some(map),
            // Of the three maps the one that says what changed.
            Evidence::Saliency(maps) => maps.difference.as_ref(),
            _ => None,
        }
    }

    /// The pairs of nodes that explain the score, if they are what does.
    pub fn components(&self) -> Option<&Components> {
        match self.evidence.as_ref()? {
            Evidence::Components(components) => Some(components),
            _ => None,
        }
    }
}

impl Evidence {
    /// The map, if it is one.
    pub fn into_map(self) -> Option<ScalarMap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Saliency(maps) => maps.difference,
            _ => None,
        }
    }

    /// All maps that it has, each with what it is of.
    pub fn into_maps(self) -> Vec<(MapKind, ScalarMap)> {
        let maps = match self {
            Self::Map(map) => return vec![(MapKind::Difference, map)],
            Self::Saliency(maps) => maps,
            _ => return Vec::new(),
        };
        let kinds = [
            (MapKind::Difference, maps.difference),
            (MapKind::Generated, maps.generated),
            (MapKind::GroundTruth, maps.ground_truth),
        ];
        kinds.into_iter().filter_map(|(kind, map)| Some((kind, map?))).collect()
    }
}

impl ScalarMap {
    /// The value at a pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<f32> {
        // Asked for each side: x beyond the right edge would else be a value of the next row.
        (x < self.width && y < self.height)
            .then(|| self.values.get(y as usize * self.width as usize + x as usize).copied())
            .flatten()
    }
}

//! Scores: which are asked for, and what comes of it.

use crate::evaluate::VariantId;
use crate::metric::{MapKind, ScalarMap, Score};
use crate::workbench::model::ids::RunId;

use super::inputs::Urgency;
use super::pictures::PictureKey;
use super::resource::ResourceKey;

/// Most bytes of maps kept, the one on the stage aside.
pub const MAP_CACHE_BYTES: usize = 96 << 20;

/// Which map: one of a variant, at a step of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MapKey {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: u32,
    /// The variant.
    pub variant: VariantId,
    /// Which of its maps.
    pub kind: MapKind,
    /// The picture beside the run that it is compared with; `None`: the ground truth.
    pub against: Option<PictureKey>,
}

/// Which difference: of a run from its ground truth, after a step, as both are shown of an item that is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DifferenceKey {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: u32,
}

/// Steps of a run to score, the first named first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoreKey {
    /// The run.
    pub run: RunId,
    /// Which steps, 0 the start state; none: the last one of a run that is still to be read.
    pub steps: Vec<u32>,
    /// By which variants.
    pub variants: Vec<VariantId>,
    /// What for.
    pub purpose: ScorePurpose,
}

/// What scores are for, and so how soon they are wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScorePurpose {
    /// For the stage, which shows the map of this variant.
    Stage {
        /// Which.
        map: VariantId,
    },
    /// For the table of all variants.
    Table,
    /// For the curve.
    Curve,
    /// For the library, which shows the last step by its [`PrimaryMetric`](crate::evaluate::PrimaryMetric); gives
    /// nothing of the run itself back.
    Last,
    /// For the line beside a run in the library: some steps of a run that nobody has opened.
    Sketch,
}

/// Scores of one step, as soon as they are known: those of one metric.
#[derive(Clone, Debug)]
pub struct ScoredStep {
    /// Of which run.
    pub run: RunId,
    /// After which step.
    pub step: u32,
    /// Scores by variant.
    pub scores: Vec<(VariantId, Score)>,
    /// The maps of a variant, if asked for.
    pub maps: Vec<(VariantId, MapKind, ScalarMap)>,
}

impl MapKey {
    /// That of how the run differs from the ground truth.
    pub fn of(run: RunId, step: u32, variant: impl Into<VariantId>) -> Self {
        Self { run, step, variant: variant.into(), kind: MapKind::Difference, against: None }
    }
}

impl ResourceKey for MapKey {
    type Value = ScalarMap;
    const BUDGET: usize = MAP_CACHE_BYTES;

    fn cost(map: &ScalarMap) -> usize {
        map.values.len() * size_of::<f32>()
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run || self.against.as_ref().is_some_and(|against| against.is_of_run(run))
    }
}

impl ResourceKey for DifferenceKey {
    type Value = ScalarMap;
    const BUDGET: usize = MAP_CACHE_BYTES;

    fn cost(map: &ScalarMap) -> usize {
        MapKey::cost(map)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

impl ScorePurpose {
    /// How soon such scores are wanted.
    pub fn urgency(&self) -> Urgency {
        match self {
            Self::Stage { .. } => Urgency::Stage,
            Self::Table => Urgency::Table,
            Self::Curve => Urgency::Curve,
            Self::Last => Urgency::Library,
            Self::Sketch => Urgency::Sketch,
        }
    }
}

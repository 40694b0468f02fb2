//! Which pixels of the run and what it is compared with differ, with what somebody lets pass.

use crate::metric::picture::PixelDifference;
use crate::workbench::model::heat_scale::HeatScale;
use crate::workbench::model::ids::RunId;
use crate::workbench::model::notes::IgnoredArea;
use crate::workbench::model::stage::PixelTolerance;

use super::pictures::PictureKey;
use super::resource::ResourceKey;
use super::scores::MAP_CACHE_BYTES;

/// Differences below this share of the largest are not drawn: whatever differs is, and nothing else.
pub const FAINTEST_PIXEL_DIFFERENCE: f32 = 0.01;
/// Half of the largest difference is drawn as all of it: those that matter are seldom of black and white.
pub const PIXEL_DIFFERENCE_SCALE: HeatScale =
    HeatScale { same: 0.0, different: 0.5, is_signed: false };

/// Which difference of two pictures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PixelDifferenceKey {
    /// The run's picture.
    pub run: PictureKey,
    /// What it is compared with.
    pub against: PictureKey,
    /// What is let pass.
    pub tolerance: PixelTolerance,
    /// What is left out.
    pub ignored: Vec<IgnoredArea>,
}

impl ResourceKey for PixelDifferenceKey {
    type Value = PixelDifference;
    const BUDGET: usize = MAP_CACHE_BYTES;

    fn cost(difference: &PixelDifference) -> usize {
        difference.map.values.len() * size_of::<f32>()
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run.is_of_run(run) || self.against.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.run.is_of_set(set) || self.against.is_of_set(set)
    }
}

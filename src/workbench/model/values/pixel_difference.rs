//! Which pixels of the run and what it is compared with differ, with what somebody lets pass.

use crate::metric::picture::PixelDifference;
use crate::workbench::model::ids::RunId;
use crate::workbench::model::notes::IgnoredArea;
use crate::workbench::model::stage::PixelTolerance;

use super::pictures::PictureKey;
use super::resource::ResourceKey;
use super::scores::MAP_CACHE_BYTES;

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

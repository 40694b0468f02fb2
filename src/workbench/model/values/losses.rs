//! Where the loss is: areas of the heat.

use crate::metric::LossArea;
use crate::workbench::model::ids::RunId;

use super::resource::ResourceKey;
use super::scores::MapKey;

/// Most of them kept: they are small.
const KEPT: usize = 64;

/// The areas of a map from a threshold on, in hundredths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LossKey {
    /// Which map.
    pub map: MapKey,
    /// Below this share of the largest difference nothing counts.
    pub threshold: u8,
}

/// The areas of a map, those with the most difference first.
#[derive(Clone, Debug, PartialEq)]
pub struct LossAreas {
    /// In pixels of the map.
    pub areas: Vec<LossArea>,
    /// Pixels of the map across and down.
    pub size: [u32; 2],
}

impl ResourceKey for LossKey {
    type Value = LossAreas;
    const BUDGET: usize = KEPT;

    fn cost(_: &LossAreas) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.map.run == run
    }
}

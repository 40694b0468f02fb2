//! Where the run differs from a picture beside it: the heat while the two are compared.

use std::sync::Arc;

use crate::metric::ScalarMap;
use crate::workbench::model::ids::RunId;

use super::pictures::PictureKey;
use super::resource::ResourceKey;
use super::scores::{MAP_CACHE_BYTES, MapKey};

/// Which map against a picture beside the run: one that names such a picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotMapKey(MapKey);

/// The map, shared with what is made of it.
#[derive(Clone, Debug)]
pub struct SlotMap(pub Arc<ScalarMap>);

impl SlotMapKey {
    /// A map, if it is against a picture beside the run.
    pub fn of(map: MapKey) -> Option<Self> {
        map.against.is_some().then_some(Self(map))
    }

    /// The same as any map is named.
    pub fn map_key(&self) -> &MapKey {
        &self.0
    }

    /// What the run is compared with, and the run's picture.
    pub(in crate::workbench) fn pictures(&self) -> Option<[PictureKey; 2]> {
        Some([self.0.against.clone()?, PictureKey::Step(self.0.run, self.0.step)])
    }
}

impl ResourceKey for SlotMapKey {
    type Value = SlotMap;
    const BUDGET: usize = MAP_CACHE_BYTES;

    fn cost(map: &SlotMap) -> usize {
        MapKey::cost(&map.0)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.0.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.0.against.as_ref().is_some_and(|against| against.is_of_set(set))
    }
}

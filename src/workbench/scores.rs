//! Which variants there are, and which are looked at.

use std::ops::Deref;
use std::sync::Arc;

use crate::metric::{Registry, VariantSpec};

use super::protocol::{MapKey, VariantId};
use super::state::State;

/// The variants scores are measured by, in the order of tables: those of the worker's registry.
#[derive(Clone, Debug)]
pub struct Variants(Arc<[VariantSpec]>);

impl Variants {
    /// The variants of a registry.
    pub fn of(registry: &Registry) -> Self {
        Self(registry.variants().cloned().collect())
    }

    /// These, in this order.
    pub fn new(variants: impl IntoIterator<Item = VariantSpec>) -> Self {
        Self(variants.into_iter().collect())
    }

    /// The variant of this id.
    pub fn get(&self, id: &str) -> Option<&VariantSpec> {
        self.iter().find(|variant| variant.id == id)
    }

    /// The id of the variant at this place of the table.
    pub(super) fn get_at(&self, place: usize) -> Option<VariantId> {
        self.0.get(place).map(|variant| variant.id.clone())
    }
}

impl Default for Variants {
    fn default() -> Self {
        Self::of(&Registry::built_in())
    }
}

impl Deref for Variants {
    type Target = [VariantSpec];

    fn deref(&self) -> &[VariantSpec] {
        &self.0
    }
}

impl State {
    /// The variant whose curve the timeline shows: the chosen one, or, if it is not there any more,
    /// the first. `None` only where nothing can be measured at all.
    pub fn curve_variant(&self) -> Option<&VariantSpec> {
        self.variants.get(&self.settings.curve_variant).or(self.variants.first())
    }

    /// The variant whose map the heat shows, likewise among those that have one.
    pub fn heat_variant(&self) -> Option<&VariantSpec> {
        let has_map = |variant: &&VariantSpec| variant.map_range.is_some();
        let chosen = self.variants.get(&self.settings.heat_variant).filter(has_map);
        chosen.or_else(|| self.variants.iter().find(has_map))
    }

    /// Which map the heat pane wants.
    pub fn heat_key(&self) -> Option<MapKey> {
        let variant: VariantId = self.heat_variant()?.id.clone();
        Some(MapKey { run: self.selection.run?, step: self.selection.step, variant })
    }
}

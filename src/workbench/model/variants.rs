//! Which variants there are.

use std::ops::Deref;
use std::sync::Arc;

use crate::metric::{Registry, VariantSpec};

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
}

impl Default for Variants {
    fn default() -> Self {
        // Until the worker says what there is, what there is without any model.
        Self::of(&Registry::built_in())
    }
}

impl Deref for Variants {
    type Target = [VariantSpec];

    fn deref(&self) -> &[VariantSpec] {
        &self.0
    }
}

//! What a metric is: something with variants that measures a comparison.

use std::fmt::Debug;

use crate::base::{CancelToken, Cancelled};

use super::{Comparison, Measurement, MissingScore, Score, VariantId, VariantSpec};

/// A metric of a design against its ground truth: one or more numbers from one pass.
pub trait Metric: Debug + Send + Sync {
    /// Its variants, the one of the published code first.
    fn variants(&self) -> &[VariantSpec];

    /// What it goes by beside its variants and the comparison, as a text that is another for another
    /// model, whatever that is called: a hash of its files, or how it is asked. Scores are remembered
    /// by it. `None`: nothing.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// A measurement for each of [`Self::variants`], in their order. What is missing in the
    /// comparison, or undefined on it, is the reason in the score; what these are once `cancel` is
    /// raised does not matter ([`Self::measure`]).
    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement>;

    /// The measurements by their variants.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised: what was stopped in the middle is no result.
    fn measure(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Vec<(VariantId, Measurement)>, Cancelled> {
        let measurements = self.measurements(comparison, cancel);
        cancel.check()?;
        let ids = self.variants().iter().map(|variant| variant.id.clone());
        Ok(ids.zip(measurements).collect())
    }

    /// The same with the variants whole.
    ///
    /// # Errors
    ///
    /// As [`Self::measure`].
    fn measured(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Vec<Measured>, Cancelled> {
        let measurements = self.measure(comparison, cancel)?;
        let variants = self.variants().iter().cloned().zip(measurements);
        Ok(variants.map(|(variant, (_, measurement))| Measured { variant, measurement }).collect())
    }
}

/// One variant with what it gave.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Which variant.
    pub variant: VariantSpec,
    /// What it gave.
    pub measurement: Measurement,
}

/// What a metric gives that cannot measure anything: the same reason for each of its variants.
pub(super) fn all_missing(variants: &[VariantSpec], why: &MissingScore) -> Vec<Measurement> {
    variants.iter().map(|_| Measurement::of(Score::Missing(why.clone()))).collect()
}

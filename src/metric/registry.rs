//! Every metric of a design against its ground truth.

use std::fmt::Debug;
use std::sync::Arc;

use crate::base::CancelToken;

use super::{
    Comparison, Measurement, MissingScore, Score, VariantSpec, component, constraint, fidelity,
    picture, saliency, ssim,
};

/// A metric of a design against its ground truth: one or more numbers from one pass.
pub trait Metric: Debug + Send + Sync {
    /// Its variants, the one of the published code first.
    fn variants(&self) -> &[VariantSpec];

    /// A measurement for each of [`Self::variants`], in their order. What is missing in the
    /// comparison, or undefined on it, is the reason in the score.
    fn measure(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement>;
}

/// The metrics that can be computed here, in the order of tables.
#[derive(Clone, Debug)]
pub struct Registry {
    metrics: Vec<Arc<dyn Metric>>,
}

/// One variant with what it gave.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Which variant.
    pub variant: VariantSpec,
    /// What it gave.
    pub measurement: Measurement,
}

impl Registry {
    /// The metrics that need no model.
    pub fn built_in() -> Self {
        Self {
            metrics: vec![
                Arc::new(ssim::SsimUniform7),
                Arc::new(ssim::SsimGaussian),
                Arc::new(picture::SquaredError),
                Arc::new(picture::ColorDifference),
                Arc::new(saliency::Saliency::new(Arc::new(saliency::SpectralResidual))),
                Arc::new(component::ComponentSimilarity),
                Arc::new(constraint::Constraints),
                Arc::new(fidelity::Fidelity),
            ],
        }
    }

    /// With this metric after the others.
    #[must_use]
    pub fn with(mut self, metric: Arc<dyn Metric>) -> Self {
        self.metrics.push(metric);
        self
    }

    /// The metrics.
    pub fn metrics(&self) -> &[Arc<dyn Metric>] {
        &self.metrics
    }

    /// Every variant, in the order of tables.
    pub fn variants(&self) -> impl Iterator<Item = &VariantSpec> {
        self.metrics.iter().flat_map(|metric| metric.variants())
    }

    /// The variant of this id.
    pub fn variant(&self, id: &str) -> Option<&VariantSpec> {
        self.variants().find(|variant| variant.id == id)
    }

    /// The metric that has the variant of this id, and which of its variants it is.
    pub fn find(&self, id: &str) -> Option<(&Arc<dyn Metric>, usize)> {
        self.metrics.iter().find_map(|metric| {
            let at = metric.variants().iter().position(|variant| variant.id == id)?;
            Some((metric, at))
        })
    }

    /// Everything: each variant with its value or the reason why there is none.
    pub fn measure(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measured> {
        let measure = |metric: &Arc<dyn Metric>| {
            let measurements = metric.measure(comparison, cancel);
            let variants = metric.variants().iter().cloned();
            variants
                .zip(measurements)
                .map(|(variant, measurement)| Measured { variant, measurement })
                .collect::<Vec<_>>()
        };
        self.metrics.iter().flat_map(measure).collect()
    }

    /// The measurement of one variant; `None` if there is no such variant.
    pub fn measure_one(
        &self,
        id: &str,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Option<Measurement> {
        let (metric, at) = self.find(id)?;
        metric.measure(comparison, cancel).into_iter().nth(at)
    }
}

/// What a metric gives that cannot measure anything: the same reason for each of its variants.
pub(super) fn all_missing(variants: &[VariantSpec], why: &MissingScore) -> Vec<Measurement> {
    variants.iter().map(|_| Measurement::of(Score::Missing(why.clone()))).collect()
}

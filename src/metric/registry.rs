//! Every metric of a design against its ground truth.

use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};

use super::{
    Comparison, Measured, Measurement, Metric, VariantSpec, component, constraint, fidelity,
    picture, saliency, ssim,
};

/// The metrics that can be computed here, in the order of tables.
#[derive(Clone, Debug)]
pub struct Registry {
    metrics: Vec<Arc<dyn Metric>>,
}

impl Registry {
    /// The metrics that need no model.
    pub fn built_in() -> Self {
        Self {
            metrics: vec![
                // Two SSIMs, as the published code and the paper's text differ; the code's comes first.
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
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised.
    pub fn measure(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Vec<Measured>, Cancelled> {
        let mut all = Vec::new();
        for metric in &self.metrics {
            all.extend(metric.measured(comparison, cancel)?);
        }
        Ok(all)
    }

    /// The measurement of one variant; `None` if there is no such variant.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised.
    pub fn measure_one(
        &self,
        id: &str,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Option<Measurement>, Cancelled> {
        let Some((metric, at)) = self.find(id) else { return Ok(None) };
        // One pass gives all variants of a metric, so the others cost nothing more and are dropped.
        let measured = metric.measure(comparison, cancel)?;
        Ok(measured.into_iter().nth(at).map(|(_, measurement)| measurement))
    }
}

//! LPIPS: how far apart two pictures are to a network that was trained on what people say.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use crate::base::CancelToken;

use super::plane::Plane;
use super::resize::compared_planes;
use super::{Comparison, Direction, Measurement, Metric, MissingScore, Needs, Score, VariantSpec};

/// A network that says how far apart two pictures look.
pub trait PerceptualNetwork: Debug + Send + Sync {
    /// The name of the network, as it stands in a variant's id: lower case, no slash, such as `alex`.
    fn name(&self) -> &str;

    /// What it is beside its name, as [`Metric::fingerprint`] has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// The distance of two pictures of one size, each as red, green and blue.
    ///
    /// # Errors
    ///
    /// [`MissingScore::NoModel`] if the network cannot be loaded or does not do what it should,
    /// [`MissingScore::TooSmall`] if it cannot see pictures that small.
    fn distance(&self, a: &[Plane; 3], b: &[Plane; 3]) -> Result<f64, MissingScore>;
}

/// LPIPS, compared at the smaller width and height ([`compared_planes`]). 0 for equal pictures, more
/// the further they look apart. Without a network it is `lpips/alex` and always
/// [`MissingScore::NoModel`].
#[derive(Debug)]
pub struct Lpips {
    network: Result<Arc<dyn PerceptualNetwork>, MissingScore>,
    variants: [VariantSpec; 1],
}

impl Lpips {
    /// The metric going by this network.
    pub fn new(network: Arc<dyn PerceptualNetwork>) -> Self {
        let variants = [variant(network.name())];
        Self { network: Ok(network), variants }
    }

    /// The metric without a network: it gives this reason.
    pub fn without_model(why: &str) -> Self {
        let network = Err(MissingScore::NoModel(why.to_owned()));
        // The id of the published network, so that tables have the column and say why it is empty.
        Self { network, variants: [variant("alex")] }
    }

    fn distance(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<f64, MissingScore> {
        // First, as resizing for a network that is not there would be in vain.
        let network = self.network.as_ref().map_err(Clone::clone)?;
        let (truth, generated) = comparison.pictures_at_size(cancel)?;
        let [truth, generated] = compared_planes(&truth, generated, cancel)?;
        network.distance(&truth, &generated)
    }
}

fn variant(network: &str) -> VariantSpec {
    VariantSpec {
        id: Cow::Owned(format!("lpips/{network}")),
        label: "LPIPS",
        variant_label: Cow::Owned(network.to_owned()),
        needs: Needs::Pictures,
        is_asked: false,
        direction: Direction::LowerIsBetter,
        range: (0.0, f64::INFINITY),
        map_range: None,
        version: 1,
        source: "Zhang et al. 2018; CANVAS, Evaluation; kixlab/canvas evaluation/metrics (lpips 0.1.4)",
    }
}

impl Metric for Lpips {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.network.as_ref().ok()?.fingerprint()
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        let distance = self.distance(comparison, cancel);
        vec![Measurement::of(distance.map_or_else(Score::Missing, Score::from_number))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;

    #[test]
    fn without_a_network_it_says_so() {
        let picture = Pixels::filled(9, 9, [0; 4]).unwrap();
        let measured = Lpips::without_model("no network is named")
            .measurements(&Comparison::of_pictures(&picture, &picture), &CancelToken::new());
        let why = MissingScore::NoModel("no network is named".to_owned());
        assert_eq!(measured[0].score, Score::Missing(why));
    }
}

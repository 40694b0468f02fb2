//! What a metric is: something with variants that measures a comparison.

use std::borrow::Cow;
use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::base::{CancelToken, Cancelled, Pixels};

use super::{Comparison, Evidence, Measurement, MissingScore, Score};

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

    /// What it goes by beside what a comparison hashes to, such as the questions that a task asks, as a text that is
    /// another for other questions. Scores are remembered by it too. `None`: nothing.
    fn asked_about(&self, _: &Comparison<'_>) -> Option<String> {
        None
    }

    /// Why nobody need be asked about a comparison: what a question would be about is not there.
    fn lacking(&self, _: &Comparison<'_>) -> Option<MissingScore> {
        None
    }

    /// A measurement for each of [`Self::variants`], in their order. What is missing in the
    /// comparison, or undefined on it, is the reason in the score; what these are once `cancel` is
    /// raised does not matter ([`Self::measure`]).
    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement>;

    /// The questions that measuring would send to models behind endpoints, without those whose answers are kept.
    fn questions(&self, _: &Comparison<'_>) -> Vec<QuestionSize> {
        Vec::new()
    }

    /// What there is to be shown though there is no score, such as the map of the one side that is there.
    /// Asked for only where somebody looks at it.
    fn partial_evidence(&self, _: &Comparison<'_>) -> Option<Evidence> {
        None
    }

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
        // Only here, after the metric has returned: what it gave may be half of a map, and must not
        // be remembered as a score.
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

/// What a question to a model holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionSize {
    /// Bytes of words.
    pub bytes: usize,
    /// Pixels of its picture.
    pub pixels: u64,
}

impl QuestionSize {
    /// That of so many bytes of words, and of a picture if there is one.
    pub fn new(bytes: usize, picture: Option<&Pixels>) -> Self {
        let pixels = picture.map_or(0, |it| u64::from(it.width()) * u64::from(it.height()));
        Self { bytes, pixels }
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

/// The id of a variant, such as `ssim/uniform7`.
pub type VariantId = Cow<'static, str>;

/// What a variant of a metric is: everything a table, a plot or a reader of a file has to know to
/// read the number.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantSpec {
    /// `metric/variant`, such as `ssim/uniform7`: the name in files and tables.
    pub id: VariantId,
    /// For people, such as `SSIM`.
    pub label: &'static str,
    /// What distinguishes the variant, such as `uniform 7×7`; of one that goes by a model, its name.
    pub variant_label: Cow<'static, str>,
    /// What it measures on.
    pub needs: Needs,
    /// Whether a model behind an endpoint is asked for its values. That is a request each time, which may cost
    /// money: nobody sends one unless somebody said so.
    pub is_asked: bool,
    /// Which way is better.
    pub direction: Direction,
    /// Smallest and largest possible value; a bound may be infinite.
    pub range: (f64, f64),
    /// Smallest and largest value of its map, the first being the worst; `None` if it has no map.
    pub map_range: Option<(f64, f64)>,
    /// Goes up whenever the numbers change, so that none of before is taken for one of now.
    pub version: u32,
    /// Paper and section, and repository and path of the published code.
    pub source: &'static str,
}

/// What a variant measures on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Needs {
    /// The pictures of both sides.
    Pictures,
    /// The designs of both sides.
    Designs,
    /// A caption of each side, and a model that embeds sentences.
    Captions,
    /// The generated picture and the pictures that the task gave.
    Inputs,
    /// The generated picture, the instruction, and a model that embeds both or judges.
    Instruction,
    /// The generated design, and what a design query asks for.
    Query,
    /// The generated picture, questions about it, and a judge.
    Questions,
    /// The plan alone, which is the same after every step, and a judge.
    Plan,
}

impl Needs {
    /// Whether it is something of a ground truth.
    pub const fn is_ground_truth(self) -> bool {
        match self {
            // The rest is measured on what was made and on what the task said, so open-ended tasks
            // have it too.
            Self::Pictures | Self::Designs | Self::Captions => true,
            Self::Inputs | Self::Instruction | Self::Query | Self::Questions | Self::Plan => false,
        }
    }
}

/// Which way is better; in files `higher` or `lower`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// More is better.
    #[default]
    #[serde(rename = "higher")]
    HigherIsBetter,
    /// Less is better.
    #[serde(rename = "lower")]
    LowerIsBetter,
}

impl VariantSpec {
    /// The name of the metric without the variant, such as `ssim`.
    pub fn metric(&self) -> &str {
        self.id.split('/').next().unwrap_or(&self.id)
    }

    /// Whether `new` is better than `old`.
    pub fn is_better(&self, new: f64, old: f64) -> bool {
        match self.direction {
            Direction::HigherIsBetter => new > old,
            Direction::LowerIsBetter => new < old,
        }
    }
}

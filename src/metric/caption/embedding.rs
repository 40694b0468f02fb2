//! Meaning as a direction, and the models that say what something means.

use std::fmt::Debug;

use crate::base::Pixels;
use crate::metric::MissingScore;

/// What a model takes something to mean: a direction, so its length says nothing.
///
/// Holds at least one value; all are finite and not all zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Box<[f32]>);

impl Embedding {
    /// The direction of these values, brought to length 1; `None` if they have none: no values, a
    /// value that is not finite, or all zero.
    pub fn new(values: &[f32]) -> Option<Self> {
        // In double precision: squares of small f32 values would vanish, those of large ones
        // overflow.
        let length = dot(values, values).sqrt();
        let has_direction = length.is_finite() && length > 0.0;
        has_direction
            .then(|| Self(values.iter().map(|v| (f64::from(*v) / length) as f32).collect()))
    }

    /// The values: a vector of length 1, up to rounding.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// The cosine of the angle to another embedding, within −1..=1; `None` if they come from models
    /// of different width. Symmetric; of an embedding and itself exactly 1.
    pub fn cosine(&self, other: &Self) -> Option<f64> {
        if self == other {
            return Some(1.0);
        }
        // Rounding to f32 leaves lengths of about 1, so they are divided by again.
        let lengths = (dot(&self.0, &self.0) * dot(&other.0, &other.0)).sqrt();
        (self.0.len() == other.0.len()).then(|| (dot(&self.0, &other.0) / lengths).clamp(-1.0, 1.0))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// A model that says what a sentence means.
///
/// The same sentence always gives the same embedding.
pub trait SentenceEmbedder: Debug + Send + Sync {
    /// The name of the model, as it stands in a variant's id: lower case, no slash, such as
    /// `minilm`.
    fn name(&self) -> &str;

    /// What a sentence means. Long texts are cut where the model cannot read on.
    ///
    /// # Errors
    ///
    /// [`MissingScore::NoModel`] if the model cannot be loaded or does not do what it should.
    fn embed(&self, sentence: &str) -> Result<Embedding, MissingScore>;
}

/// A model that says what pictures and texts mean, both in one space.
pub trait PictureTextEmbedder: Debug + Send + Sync {
    /// The name of the model, as it stands in a variant's id: lower case, no slash, such as
    /// `clip-vit-base-patch16`.
    fn name(&self) -> &str;

    /// What it is beside its name, as [`Metric::fingerprint`](crate::metric::Metric::fingerprint) has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// What a picture shows.
    ///
    /// # Errors
    ///
    /// [`MissingScore::NoModel`] if the model cannot be loaded or does not do what it should.
    fn embed_picture(&self, picture: &Pixels) -> Result<Embedding, MissingScore>;

    /// What a text says, in the space of the pictures.
    ///
    /// # Errors
    ///
    /// As [`Self::embed_picture`].
    fn embed_text(&self, text: &str, long_text: LongText) -> Result<Embedding, MissingScore>;
}

/// What becomes of a text with more tokens than the model reads (CLIP: 77, both marks among them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongText {
    /// All that is past the last token goes, and so the mark at the end. CLIP reads a text at that mark;
    /// without one it reads its first token, so that all long texts are the same to it.
    ///
    /// Source: torchmetrics functional/multimodal/clip_score.py.
    CutWithEndMark,
    /// The text is cut before the mark at its end, as huggingface/transformers truncates.
    CutBeforeEndMark,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn embedding() -> impl Strategy<Value = Embedding> {
        proptest::collection::vec(-1e3f32..1e3, 5)
            .prop_filter_map("a direction", |values| Embedding::new(&values))
    }

    #[test]
    fn what_has_no_direction_is_no_embedding() {
        for values in [&[][..], &[0.0, 0.0], &[1.0, f32::NAN], &[f32::INFINITY]] {
            assert_eq!(Embedding::new(values), None, "{values:?}");
        }
    }

    #[test]
    fn embeddings_of_different_width_have_no_cosine() {
        let narrow = Embedding::new(&[1.0]).unwrap();
        let wide = Embedding::new(&[1.0, 0.0]).unwrap();
        assert_eq!(narrow.cosine(&wide), None);
    }

    #[test]
    fn the_length_of_the_values_does_not_count() {
        let short = Embedding::new(&[3e-30, 4e-30]).unwrap();
        let long = Embedding::new(&[-3e30, -4e30]).unwrap();
        assert!((short.cosine(&long).unwrap() + 1.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn the_cosine_is_symmetric_in_range_and_one_with_itself(a in embedding(), b in embedding()) {
            prop_assert_eq!(a.cosine(&b), b.cosine(&a));
            prop_assert!((-1.0..=1.0).contains(&a.cosine(&b).unwrap()));
            prop_assert_eq!(a.cosine(&a), Some(1.0));
        }
    }
}

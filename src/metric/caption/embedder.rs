//! The models that the metrics of this module go by.

use std::fmt::Debug;

use crate::base::Pixels;

use super::Embedding;
use crate::metric::MissingScore;

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

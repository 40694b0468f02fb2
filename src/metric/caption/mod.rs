//! Meaning: whether two pictures say the same, and whether a picture shows what was asked for.
//!
//! [`CaptionSimilarity`] compares what captions of both pictures say, [`ClipScore`] a picture with
//! the instruction. Both go by a model, which is a trait here ([`SentenceEmbedder`],
//! [`PictureTextEmbedder`]) and has its backends in `model`.
//!
//! Start with [`Embedding`].

mod caption_similarity;
mod clip_score;
mod embedding;

pub use caption_similarity::CaptionSimilarity;
pub use clip_score::ClipScore;
pub use embedding::{Embedding, LongText, PictureTextEmbedder, SentenceEmbedder};

//! Texts as token ids: the only place that names the tokenizers.

use std::path::Path;

use tokenizers::{Tokenizer, TruncationParams};

use super::ModelError;

/// A tokenizer from its `tokenizer.json`, that cuts texts after `max_tokens` and does not pad.
pub(super) fn tokenizer(
    json: &[u8],
    max_tokens: usize,
    path: &Path,
) -> Result<Tokenizer, ModelError> {
    let wrong = |error: tokenizers::Error| ModelError::NotATokenizer {
        why: error.to_string(),
        path: path.to_path_buf(),
    };
    let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
    let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
    tokenizer.with_padding(None).with_truncation(Some(truncation)).map_err(wrong)?;
    Ok(tokenizer)
}

/// The ids of a text's tokens, with the marks that the model wants at both ends.
pub(super) fn token_ids(tokenizer: &Tokenizer, text: &str) -> Result<Vec<i32>, ModelError> {
    let encoding =
        tokenizer.encode_fast(text, true).map_err(|error| ModelError::Tokens(error.to_string()))?;
    Ok(encoding.get_ids().iter().map(|id| *id as i32).collect())
}

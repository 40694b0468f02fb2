//! Texts as token ids: the only place that names the tokenizers.

use std::path::Path;

use tokenizers::{Tokenizer, TruncationParams};

use super::ModelError;

/// A tokenizer from its `tokenizer.json`, that does not pad. With `max_tokens` it cuts texts so that
/// they have at most so many, marks at both ends included.
pub(super) fn tokenizer(
    json: &[u8],
    max_tokens: Option<usize>,
    path: &Path,
) -> Result<Tokenizer, ModelError> {
    // Files say how to pad and cut for the training they come from; here each text is by itself.
    let truncation =
        max_tokens.map(|max_length| TruncationParams { max_length, ..TruncationParams::default() });
    let tokenizer = Tokenizer::from_bytes(json).and_then(|mut tokenizer| {
        tokenizer.with_padding(None).with_truncation(truncation)?;
        Ok(tokenizer)
    });
    tokenizer.map_err(|error| ModelError::NotATokenizer {
        why: error.to_string(),
        path: path.to_path_buf(),
    })
}

/// The ids of a text's tokens, with the marks that the model wants at both ends.
pub(super) fn token_ids(tokenizer: &Tokenizer, text: &str) -> Result<Vec<i32>, ModelError> {
    let encoding =
        tokenizer.encode_fast(text, true).map_err(|error| ModelError::Tokens(error.to_string()))?;
    Ok(encoding.get_ids().iter().map(|id| *id as i32).collect())
}

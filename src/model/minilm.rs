//! all-MiniLM-L6-v2: what sentences mean, from the model that comes with the program.

use std::path::{Path, PathBuf};

use tokenizers::Tokenizer;

use crate::base::{read_file_limited, shipped, shipped_folders};
use crate::metric::MissingScore;
use crate::metric::caption::{Embedding, SentenceEmbedder};

use super::ModelError;
use super::lazy::Lazy;
use super::network::{Input, Network, Output, Samples};
use super::text::{token_ids, tokenizer};

/// Its network, too large to be part of the program: a path from the top of the sources.
const NETWORK: &str = "assets/models/all-MiniLM-L6-v2/model.onnx";
/// The BLAKE3 hash of that file. Another file gives other numbers, and is refused.
const NETWORK_HASH: &str = "422ca9c2d1a20b63a4f5e7fd75dddf08950a8937b84d75ceb010a96a090e338d";
/// Its vocabulary, likewise.
const TOKENIZER: &str = "assets/models/all-MiniLM-L6-v2/tokenizer.json";
/// The BLAKE3 hash of that file, for the same reason.
const TOKENIZER_HASH: &str = "82483bb4f0bdb81779f295ecc5a93285d2156834e994a2169f9800e4c8f250c1";
/// Largest such file read, in bytes.
const TOKENIZER_BYTES: u64 = 1 << 20;
/// Most tokens read of a sentence, marks at both ends included; what follows is cut.
const MAX_TOKENS: usize = 256;
/// The network's output: one vector a token.
const OUTPUT: &str = "last_hidden_state";
/// Values of an embedding.
const WIDTH: usize = 384;

/// all-MiniLM-L6-v2, as sentence-transformers runs it: at most 256 tokens, the mean of the vectors
/// of the tokens, brought to length 1.
///
/// Loaded at the first sentence. The weights have 16 bits (`assets/models/README.md`): similarities
/// agree with the published model's to 0.00003; the last digits may differ between kinds of
/// processors.
///
/// Source: Reimers and Gurevych 2019; UKPLab/sentence-transformers, sentence_transformers/models.
#[derive(Debug)]
pub struct MiniLm {
    model: Lazy<LoadedEncoder>,
}

struct LoadedEncoder {
    network: Network,
    tokenizer: Tokenizer,
}

impl MiniLm {
    /// The model that comes with the program, not loaded yet.
    pub fn new() -> Self {
        Self { model: Lazy::new(|| LoadedEncoder::load(&shipped_file(NETWORK)?)) }
    }

    /// The same with its network from this file, which has to be the one that comes with the program.
    pub fn from_file(path: PathBuf) -> Self {
        Self { model: Lazy::new(move || LoadedEncoder::load(&path)) }
    }
}

fn shipped_tokenizer() -> Result<Tokenizer, ModelError> {
    let path = shipped_file(TOKENIZER)?;
    let json = read_file_limited(&path, TOKENIZER_BYTES)?;
    if blake3::hash(&json).to_hex().as_str() != TOKENIZER_HASH {
        return Err(ModelError::NotATokenizer {
            why: "not the file that comes with the program".to_owned(),
            path,
        });
    }
    tokenizer(&json, Some(MAX_TOKENS), &path)
}

fn shipped_file(name: &'static str) -> Result<PathBuf, ModelError> {
    shipped(name).ok_or_else(|| ModelError::NotShipped {
        file: name,
        folders: shipped_folders().iter().map(|folder| folder.display().to_string()).collect(),
    })
}

impl Default for MiniLm {
    fn default() -> Self {
        Self::new()
    }
}

impl SentenceEmbedder for MiniLm {
    fn name(&self) -> &'static str {
        "minilm"
    }

    fn embed(&self, sentence: &str) -> Result<Embedding, MissingScore> {
        Ok(self.model.get()?.embed(sentence)?)
    }
}

impl LoadedEncoder {
    fn load(network: &Path) -> Result<Self, ModelError> {
        Ok(Self {
            network: Network::open_known(network, NETWORK_HASH)?,
            tokenizer: shipped_tokenizer()?,
        })
    }

    fn embed(&self, sentence: &str) -> Result<Embedding, ModelError> {
        let ids = token_ids(&self.tokenizer, sentence)?;
        let tokens = ids.len();
        // One sentence at a time has no padding: every token counts, all are of the first segment.
        let inputs = [
            ("attention_mask", vec![1; tokens]),
            ("token_type_ids", vec![0; tokens]),
            ("input_ids", ids),
        ];
        let inputs = inputs.map(|(name, ids)| Input {
            name,
            shape: vec![1, tokens],
            samples: Samples::Integers(ids),
        });
        let vectors = self.network.run(inputs.into(), OUTPUT)?;
        self.mean(&vectors, tokens)
    }

    fn mean(&self, vectors: &Output, tokens: usize) -> Result<Embedding, ModelError> {
        // Its hash was checked, so that this can only be the engine's doing; a sum over the wrong
        // axis would still look like an embedding.
        if vectors.shape != [1, tokens, WIDTH] {
            return Err(self.network.wrong_shape(format!(
                "its output is {:?} and not [1, {tokens}, {WIDTH}]",
                vectors.shape
            )));
        }
        // The sum points where the mean does: an embedding is brought to length 1 anyway.
        let mut sum = vec![0.0; WIDTH];
        for vector in vectors.values.chunks_exact(WIDTH) {
            for (sum, value) in sum.iter_mut().zip(vector) {
                *sum += value;
            }
        }
        Embedding::new(&sum)
            .ok_or_else(|| self.network.wrong_shape("its output is not finite".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Loading takes longer than all tests.
    static MODEL: std::sync::LazyLock<MiniLm> = std::sync::LazyLock::new(MiniLm::new);

    fn cosine(a: &str, b: &str) -> f64 {
        MODEL.embed(a).unwrap().cosine(&MODEL.embed(b).unwrap()).unwrap()
    }

    #[test]
    fn a_paraphrase_is_nearer_than_another_subject() {
        let near = cosine("a login screen of a phone app", "a mobile sign-in page");
        let far = cosine("a login screen of a phone app", "a dog runs along a beach");
        assert!(near > far + 0.3, "{near} and {far}");
    }

    #[test]
    fn what_stands_after_256_tokens_is_not_read() {
        let long = "word ".repeat(254);
        assert_eq!(MODEL.embed(&long).unwrap(), MODEL.embed(&format!("{long} and more")).unwrap());
        let short = "word ".repeat(253);
        assert_ne!(MODEL.embed(&long).unwrap(), MODEL.embed(&short).unwrap());
    }

    #[test]
    fn another_network_is_refused_and_a_missing_one_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.onnx");
        let why = MiniLm::from_file(path.clone()).embed("a").unwrap_err().to_string();
        assert!(why.contains("model.onnx"), "{why}");
        std::fs::write(&path, b"another").unwrap();
        let why = MiniLm::from_file(path).embed("a").unwrap_err().to_string();
        assert!(why.contains("not the file that comes with the program"), "{why}");
    }

    #[test]
    fn an_empty_sentence_has_an_embedding_too() {
        assert_eq!(MODEL.embed("").unwrap().values().len(), WIDTH);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn any_text_is_embedded_with_length_one(text in "\\PC{0,40}") {
            let embedding = MODEL.embed(&text).unwrap();
            let length: f32 = embedding.values().iter().map(|v| v * v).sum();
            prop_assert!((length - 1.0).abs() < 1e-5);
        }
    }
}

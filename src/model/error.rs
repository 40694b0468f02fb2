//! Why a model cannot be used.

use std::path::PathBuf;

use crate::base::JsonLimitError;
use crate::metric::MissingScore;

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file of the model cannot be read, or is larger than the limit.
    #[error("a file of the model {0}")]
    File(#[from] JsonLimitError),
    /// A file that comes with the program is not where it should be.
    #[error(
        "the file {file}, which comes with the program, is not there: put it into one of {}, or name it in the file of models",
        folders.join(", ")
    )]
    NotShipped {
        /// Its path from each of the folders.
        file: &'static str,
        /// Where it was looked for.
        folders: Vec<String>,
    },
    /// The file is no ONNX model that can be run here.
    #[error("not an ONNX model that can be run here ({why}): {}", path.display())]
    NotAModel {
        /// What the engine says.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// The model is another than the one it should be.
    #[error("not the model it should be: {why}: {}", path.display())]
    WrongShape {
        /// What it has, and what it should have.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// The tokenizer's file is not a tokenizer.
    #[error("not a tokenizer.json ({why}): {}", path.display())]
    NotATokenizer {
        /// What the reader says.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// The model failed on an input.
    #[error("the model failed ({why}): {}", path.display())]
    Run {
        /// What the engine says.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// A text cannot be cut into tokens.
    #[error("a text cannot be cut into tokens: {0}")]
    Tokens(String),
    /// The picture cannot be brought to the size that the model takes.
    #[error("the picture cannot be prepared for the model: {0}")]
    Picture(String),
}

impl From<ModelError> for MissingScore {
    fn from(error: ModelError) -> Self {
        Self::NoModel(error.to_string())
    }
}

//! Who says what a picture shows.

use std::fmt::Debug;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::metric::QuestionSize;

use crate::model::endpoint::{Asker, EndpointError};
use crate::model::prompts::PromptSet;

/// Who says what a picture shows.
pub trait Captioner: Debug + Send + Sync {
    /// The name of the model, as it stands beside every number that goes by its captions.
    fn name(&self) -> &str;

    /// What asking about a picture would send; `None`: nothing, as what it said before is kept.
    fn question_size(&self, picture: &Pixels) -> Option<QuestionSize> {
        Some(QuestionSize::new(0, Some(picture)))
    }

    /// One sentence about a picture, trimmed and in lower case, as the published captioner writes
    /// it.
    ///
    /// # Errors
    ///
    /// Why there is none; its text is what [`crate::metric::Absence::caption`] is for.
    fn caption(&self, picture: &Pixels, cancel: &CancelToken) -> Result<String, EndpointError>;
}

/// A captioner behind an endpoint.
#[derive(Debug)]
pub struct EndpointCaptioner {
    name: String,
    asker: Arc<Asker>,
    prompt: String,
}

impl EndpointCaptioner {
    /// The captioner that this endpoint is.
    pub fn new(asker: Arc<Asker>, prompts: &PromptSet) -> Self {
        Self { name: asker.model_name(), asker, prompt: prompts.caption() }
    }
}

impl Captioner for EndpointCaptioner {
    fn name(&self) -> &str {
        &self.name
    }

    fn question_size(&self, picture: &Pixels) -> Option<QuestionSize> {
        let is_known = self.asker.knows(&self.prompt, Some(picture));
        (!is_known).then(|| QuestionSize::new(self.prompt.len(), Some(picture)))
    }

    fn caption(&self, picture: &Pixels, cancel: &CancelToken) -> Result<String, EndpointError> {
        let answer = self.asker.ask(&self.prompt, Some(picture), cancel)?;
        Ok(answer.trim().to_lowercase())
    }
}

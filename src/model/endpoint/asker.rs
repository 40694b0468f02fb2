//! An endpoint with its cache of answers.

use parking_lot::Mutex;

use crate::base::{CancelToken, Pixels};

use super::cache::CachedQuestion;
use super::{AnswerCache, ChatEndpoint, ChatRequest, EndpointError, EndpointSettings};

/// An endpoint with its cache of answers: asks only what was not asked before.
///
/// Only whole answers are kept: no refusal, no cut answer, no error.
#[derive(Debug)]
pub struct Asker {
    endpoint: ChatEndpoint,
    cache: Option<AnswerCache>,
    warning: Mutex<Option<String>>,
}

impl Asker {
    /// This endpoint with this cache, or with none: then every question is asked anew.
    pub fn new(endpoint: ChatEndpoint, cache: Option<AnswerCache>) -> Self {
        Self { endpoint, cache, warning: Mutex::new(None) }
    }

    /// The name of the model that answers, as it may stand in a variant's id: without slashes.
    pub fn model_name(&self) -> String {
        self.endpoint.settings().model.replace('/', "-")
    }

    /// How the model is asked.
    pub fn settings(&self) -> &EndpointSettings {
        self.endpoint.settings()
    }

    /// Whether the answer to a prompt is kept, so that asking sends nothing.
    pub fn knows(&self, prompt: &str, picture: Option<&Pixels>) -> bool {
        // Without a cache no picture need be hashed.
        self.cache.as_ref().is_some_and(|it| it.get(&self.question(prompt, picture)).is_some())
    }

    /// Has a prompt asked anew the next time, as the answer that is kept is of no use.
    pub fn set_aside(&self, prompt: &str, picture: Option<&Pixels>) {
        if let Some(cache) = &self.cache {
            cache.set_aside(&self.question(prompt, picture));
        }
    }

    /// The answer to a prompt, about a picture if there is one.
    pub fn ask(
        &self,
        prompt: &str,
        picture: Option<&Pixels>,
        cancel: &CancelToken,
    ) -> Result<String, EndpointError> {
        let question = self.question(prompt, picture);
        if let Some(answer) = self.cache.as_ref().and_then(|cache| cache.get(&question)) {
            return Ok(answer);
        }
        // Encoded only if it is sent: for the question its samples are enough, and quicker.
        let png = picture.map(Pixels::to_png).transpose();
        let png = png.map_err(|error| EndpointError::Picture(error.to_string()))?;
        let request = ChatRequest { prompt, png: png.as_deref() };
        let answer = self.endpoint.complete(request, cancel)?;
        self.keep(&question, &answer);
        Ok(answer)
    }

    /// What went wrong besides, the last of it: answers that could not be kept and so will be paid
    /// for again.
    pub fn warning(&self) -> Option<String> {
        self.warning.lock().clone()
    }

    fn keep(&self, question: &CachedQuestion, answer: &str) {
        let kept = self.cache.as_ref().map_or(Ok(()), |cache| cache.put(question, answer));
        // No reason to lose an answer that was paid for.
        if let Err(error) = kept {
            *self.warning.lock() = Some(error.to_string());
        }
    }

    fn question(&self, prompt: &str, picture: Option<&Pixels>) -> CachedQuestion {
        let settings = self.endpoint.settings();
        CachedQuestion {
            // All that could change the answer, and neither key nor patience.
            address: self.endpoint.address(),
            model: settings.model.clone(),
            parameters: settings.parameters.clone(),
            prompt: prompt.to_owned(),
            picture: picture.map(hash_of),
        }
    }
}

/// BLAKE3 of a picture's size and pixels.
fn hash_of(picture: &Pixels) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&picture.width().to_le_bytes());
    hasher.update(&picture.height().to_le_bytes());
    hasher.update(picture.rgba());
    hasher.finalize().to_hex().to_string()
}

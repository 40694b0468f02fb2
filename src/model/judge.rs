//! A judge behind an endpoint.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::metric::judging::{Judge, JudgeForm, JudgeQuestion};
use crate::metric::{MissingScore, QuestionSize};

use super::endpoint::{Asker, EndpointError};
use super::prompts::PromptSet;

/// A judge behind an endpoint, asked with the wording of a [`PromptSet`].
#[derive(Debug)]
pub struct EndpointJudge {
    name: String,
    asker: Arc<Asker>,
    prompts: PromptSet,
}

impl EndpointJudge {
    /// The judge that this endpoint is.
    pub fn new(asker: Arc<Asker>, prompts: PromptSet) -> Self {
        Self { name: asker.model_name(), asker, prompts }
    }
}

impl Judge for EndpointJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        let settings = self.asker.settings();
        // Where it is asked for what, and in which words: not how patiently.
        let parameters = serde_json::Value::Object(settings.parameters.clone()).to_string();
        // Each variable stands for itself: the wording alone, whatever will be asked.
        let wording = JudgeForm::ALL.map(|form| self.prompts.judgement(form, form.variables()));
        let parts = [&settings.base_url, &settings.model, &parameters];
        for part in parts.into_iter().chain(&wording) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    fn question_size(&self, question: &JudgeQuestion<'_>) -> Option<QuestionSize> {
        let prompt = self.prompts.judgement(question.form, question.values);
        let is_known = self.asker.knows(&prompt, question.picture);
        (!is_known).then(|| QuestionSize::new(prompt.len(), question.picture))
    }

    fn set_aside(&self, question: &JudgeQuestion<'_>) {
        let prompt = self.prompts.judgement(question.form, question.values);
        self.asker.set_aside(&prompt, question.picture);
    }

    fn answer(
        &self,
        question: &JudgeQuestion<'_>,
        cancel: &CancelToken,
    ) -> Result<String, MissingScore> {
        let prompt = self.prompts.judgement(question.form, question.values);
        self.asker.ask(&prompt, question.picture, cancel).map_err(|error| match error {
            EndpointError::Cancelled => MissingScore::Cancelled,
            error => MissingScore::NoJudgement(error.to_string()),
        })
    }
}

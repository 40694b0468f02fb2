//! A model in the assistant's place: asked in a thread of its own, heard as it answers.

use std::time::{Duration, Instant};

use crate::agent::assistant::AssistContext;
use crate::agent::assistant::model::{ModelAskError, ModelQuestion, ShownDesign, ask};
use crate::base::CancelToken;
use crate::design::Document;
use crate::render::TextMeasurer;
use crate::workbench::protocol::{AssistantNews, HandsNews};
use crate::workbench::{AssistAnswer, AssistAnswerKey, AssistInput, DesignPicture, Event, Inputs};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

use super::assist_step::{canvas_of, design_of, found_step, guides_of};
use super::design_picture::{picture_of, scale_of_screen};

/// Least time between two tellings of words that grow.
const TELLING: Duration = Duration::from_millis(60);

/// Asks the model. Its calls are tried on a copy; the design is not touched.
pub(super) fn ask_model(
    shared: &Shared,
    key: &AssistAnswerKey,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<AssistAnswer, JobError> {
    let input = inputs.assist.as_deref().ok_or_else(JobError::not_read)?;
    let question = input.question.as_ref().ok_or_else(JobError::not_read)?;
    let opened = key.choice.open(&shared.variables).map_err(JobError::failed)?;
    let question = ModelQuestion {
        goal_shown: input.goal_shown.as_deref().map(|goal| shown(goal, input)).transpose()?,
        design_shown: Some(shown(&input.document, input)?),
        ..question.clone()
    };
    let canvas = canvas_of(input);
    let measure = TextMeasurer(&canvas.render);
    let context = AssistContext { measure: &measure, canvas: &canvas };
    // Words come by the hundred: now and then is often enough to see it write.
    let mut told: Option<Instant> = None;
    let mut tell = |words: &str| {
        if told.is_some_and(|told| told.elapsed() < TELLING) {
            return;
        }
        told = Some(Instant::now());
        let (desk, number, words) = (key.desk, key.number, words.to_owned());
        let news = AssistantNews::Growing { desk, number, words };
        shared.mailbox.send(Event::Hands(HandsNews::Assistant(news)));
    };
    let answer =
        ask(&opened, &question, context, &mut tell, cancel).map_err(|error| match error {
            ModelAskError::Cancelled(cancelled) => JobError::from(cancelled),
            error => JobError::failed(error),
        })?;
    // Only now: without an answer nothing is held against the goal.
    let guides = guides_of(input, cancel)?;
    let design = design_of(input);
    let step = answer
        .suggestion
        .map(|suggestion| found_step(guides.as_ref(), &design, suggestion, context, cancel))
        .transpose()?;
    Ok(AssistAnswer {
        words: answer.words,
        step,
        problem: answer.problem,
        tokens: answer.usage.map(|usage| [usage.input, usage.output]),
        cost_usd: answer.cost_usd,
    })
}

/// A design drawn for the model: no larger than providers take, which refuse pictures of more than 8000 pixels a side,
/// unless its screen has more than 800,000 units.
fn shown(document: &Document, input: &AssistInput) -> Result<ShownDesign, JobError> {
    let DesignPicture { pixels, area } = picture_of(document, &input.render, 1)?;
    let png = pixels.to_png().map_err(JobError::failed)?.into();
    Ok(ShownDesign { png, scale: scale_of_screen(area, 1) })
}

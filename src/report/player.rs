//! A run as one page with a step slider: whoever opens it goes through the run and lays it over the ground
//! truth, in any browser and without a network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::base::{CancelToken, Cancelled, Pixels, PixelsError};
use crate::evaluate::{
    CanvasError, ComparedSide, ComparedTask, PrimaryMetric, RunCanvas, Scorer, Wanted,
    compared_step,
};
use crate::metric::{Direction, Needs, Score, VariantSpec};
use crate::run::{Manifest, Run, Step};
use crate::task::Task;

use super::html::{escape, shorten};

const STYLE: &str = include_str!("player.css");
const SCRIPT: &str = include_str!("player.js");
/// Characters of arguments, outcomes and thoughts that are kept.
const FULL: usize = 4000;

/// Most bytes of all pictures, as they stand in the page: more than that no browser opens with pleasure.
const MOST_BYTES: usize = 256 << 20;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The run cannot be drawn.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There are more pictures than a page holds.
    #[error(
        "the pictures up to step {step} take more than {} MB: choose a smaller --width",
        MOST_BYTES >> 20
    )]
    TooLarge {
        /// Where it was too much.
        step: u32,
    },
    /// There is nothing to show.
    #[error("the run has no picture")]
    NoPicture,
}

/// What a page is made of.
#[derive(Debug)]
pub struct Player<'a> {
    /// What it was an attempt at, if that is known.
    pub task: Option<&'a Task>,
    /// What it is compared with, or why with nothing.
    pub truth: Result<&'a ComparedTask, String>,
    /// Who scores.
    pub scorer: &'a Scorer,
    /// By which variants, the first of which is drawn as a curve.
    pub variants: Vec<&'a VariantSpec>,
    /// How wide pictures are at least; larger ones are made smaller by whole factors.
    pub width: u32,
    /// Which program wrote it, and by which command.
    pub made_by: &'a str,
}

impl<'a> Player<'a> {
    /// The variants of these ids, or, where there are none, the one that stands for a run in lists.
    pub fn variants_of(
        scorer: &'a Scorer,
        only: &[&str],
        manifest: &Manifest,
    ) -> Vec<&'a VariantSpec> {
        let own = [PrimaryMetric::of_run(manifest).variant()];
        let ids = if only.is_empty() { &own[..] } else { only };
        ids.iter().filter_map(|id| scorer.registry().variant(id)).collect()
    }
}

impl Player<'_> {
    /// The page of a run.
    ///
    /// # Errors
    ///
    /// [`PlayerError`].
    pub fn page(
        &self,
        canvas: &mut RunCanvas,
        smaller: impl Fn(&Pixels, u32) -> Result<Pixels, PixelsError>,
        cancel: &CancelToken,
    ) -> Result<String, PlayerError> {
        let run = canvas.run().clone();
        let mut pictures: Vec<String> = Vec::new();
        let mut before: Option<Pixels> = None;
        let mut bytes = 0;
        let go_by_pictures = self.variants.iter().all(|it| it.needs == Needs::Pictures);
        let mut scores: Vec<Value> = Vec::new();
        let mut steps = Vec::with_capacity(run.steps.len() + 1);
        for number in 0..=run.steps.len() as u32 {
            let made = compared_step(canvas, number, cancel)?;
            // Many calls change nothing that can be seen: their pictures are one.
            let is_same = made.picture.is_some() && made.picture == before;
            if let Some(picture) = made.picture.as_ref().filter(|_| !is_same) {
                let shown = data_uri(&smaller(picture, self.width)?)?;
                bytes += shown.len();
                // Counted as they stand in the page, in base64, a third larger than the files.
                if bytes > MOST_BYTES {
                    return Err(PlayerError::TooLarge { step: number });
                }
                pictures.push(shown);
                before = Some(picture.clone());
            }
            // Scores that go by pictures alone are those of the same picture before.
            if !is_same || !go_by_pictures {
                scores = self.scores(&made, cancel)?;
            }
            let step = (number as usize).checked_sub(1).and_then(|at| run.steps.get(at));
            let picture = pictures.len().checked_sub(1);
            steps.push(step_json(&run, step, picture, &scores));
        }
        if pictures.is_empty() {
            return Err(PlayerError::NoPicture);
        }
        let truth = match &self.truth {
            Ok(truth) => match &truth.truth().picture {
                Some(picture) => Some(data_uri(&smaller(picture, self.width)?)?),
                None => None,
            },
            Err(_) => None,
        };
        Ok(self.html(&run, &steps, &pictures, truth.as_deref()))
    }

    /// By variant, in their order; null where there is no value.
    fn scores(&self, made: &ComparedSide, cancel: &CancelToken) -> Result<Vec<Value>, Cancelled> {
        let mut scores: Vec<Value> = vec![Value::Null; self.variants.len()];
        let Ok(truth) = &self.truth else { return Ok(scores) };
        let ids: Vec<&str> = self.variants.iter().map(|variant| &*variant.id).collect();
        let wanted = Wanted { variants: Some(&ids), map: None };
        self.scorer.score(truth, made, wanted, cancel, |measured| {
            for measured in measured {
                let at = ids.iter().position(|id| *id == &*measured.variant.id);
                if let (Some(at), Score::Value(value)) = (at, &measured.measurement.score) {
                    scores[at] = json!(value);
                }
            }
        })?;
        Ok(scores)
    }

    fn html(&self, run: &Run, steps: &[Value], pictures: &[String], truth: Option<&str>) -> String {
        let variants = self.variants.iter().map(|variant| {
            let is_higher_better = variant.direction == Direction::HigherIsBetter;
            json!({ "id": variant.id, "label": variant.label, "higherIsBetter": is_higher_better })
        });
        let variants: Vec<Value> = variants.collect();
        let why = self.truth.as_ref().err();
        let data = json!({
            "steps": steps, "pictures": pictures, "truth": truth, "variants": variants,
            "notScored": why,
        });
        // What could end the element or the string is written as an escape, which JSON reads alike.
        let data = data.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028");
        let data = data.replace('\u{2029}', "\\u2029");
        let title = format!("{} · {}", run.manifest.task.id, run.manifest.agent.name);
        let instruction = self.task.map(|task| task.instruction.trim()).unwrap_or_default();
        let instruction = match instruction {
            "" => String::new(),
            words => format!("<p class=\"asked\">{}</p>", escape(&shorten(words, FULL))),
        };
        // The policy lets the page load nothing from anywhere, whatever words of a run end up in it.
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header><h1>{title}</h1>{instruction}</header>\n<main id=\"player\"></main>\n\
             <footer>{made_by}</footer>\n\
             <noscript>This page shows a run step by step, for which it needs JavaScript.</noscript>\n\
             <script type=\"application/json\" id=\"run\">{data}</script>\n<script>\n{SCRIPT}</script>\n\
             </body>\n</html>\n",
            title = escape(&title),
            made_by = escape(self.made_by),
        )
    }
}

fn step_json(run: &Run, step: Option<&Step>, picture: Option<usize>, scores: &[Value]) -> Value {
    let Some(step) = step else {
        return json!({ "turn": 0, "picture": picture, "scores": scores });
    };
    let turn = run.turns.iter().find(|turn| turn.number == step.turn);
    let call = step.call.as_ref();
    let outcome = step.outcome.as_ref();
    // A call that nobody answered did not work, as far as anybody knows.
    let failed = call.is_some() && outcome.is_none_or(|outcome| outcome.failure.is_some());
    let arguments = call.and_then(|call| serde_json::to_string_pretty(&call.arguments).ok());
    json!({
        "turn": step.turn,
        "tool": call.map(|call| &call.name),
        "arguments": arguments.map(|text| shorten(&text, FULL)),
        "outcome": outcome.map(|outcome| shorten(&outcome.text, FULL)),
        "failed": failed,
        "thought": turn.map(|turn| shorten(turn.thought.trim(), FULL)),
        "picture": picture,
        "scores": scores,
    })
}

fn data_uri(picture: &Pixels) -> Result<String, PixelsError> {
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(picture.to_png()?)))
}

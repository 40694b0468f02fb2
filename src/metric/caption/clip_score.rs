//! Whether a picture shows what was asked for.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::CancelToken;

use super::{LongText, PictureTextEmbedder};
use crate::metric::{
    Comparison, Direction, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};

/// The largest score: picture and instruction mean the same.
const MAX_SCORE: f64 = 100.0;

/// CLIPScore: how near the generated picture is to the instruction in CLIP's space.
///
/// `max(100 · cosine, 0)`, so within 0..=100, as torchmetrics has it. (Hessel et al. multiply by 2.5
/// instead of 100.) Variants are named after the model; without one they are `clip_score/clip` and
/// always [`MissingScore::NoModel`]. They differ for instructions of more tokens than the model reads:
///
/// | variant | a long instruction |
/// |---|---|
/// | `clip_score/<model>` | as torchmetrics: loses the mark that CLIP reads it by, [`LongText::CutWithEndMark`] |
/// | `clip_score/<model>/end_mark` | is cut before that mark, [`LongText::CutBeforeEndMark`] |
#[derive(Debug)]
pub struct ClipScore {
    embedder: Result<Arc<dyn PictureTextEmbedder>, MissingScore>,
    variants: [VariantSpec; 2],
}

impl ClipScore {
    /// The metric going by this model.
    pub fn new(embedder: Arc<dyn PictureTextEmbedder>) -> Self {
        Self { variants: variants(embedder.name()), embedder: Ok(embedder) }
    }

    /// The metric without a model: it gives this reason.
    pub fn without_model(why: &str) -> Self {
        Self { embedder: Err(MissingScore::NoModel(why.to_owned())), variants: variants("clip") }
    }

    /// By each way to cut a long instruction, in the order of the variants.
    fn scores(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<[f64; 2], MissingScore> {
        // In this order, so that without a model that is the reason, whatever the task lacks as
        // well.
        let embedder = self.embedder.as_ref().map_err(Clone::clone)?;
        let picture = comparison.generated_picture()?;
        let instruction = comparison.instruction()?;
        // A model takes seconds and cannot be stopped within; so between its two halves.
        cancel.check()?;
        let picture = embedder.embed_picture(picture)?;
        cancel.check()?;
        let mut scores = [0.0; 2];
        for (score, long_text) in
            scores.iter_mut().zip([LongText::CutWithEndMark, LongText::CutBeforeEndMark])
        {
            let text = embedder.embed_text(instruction, long_text)?;
            let cosine = picture.cosine(&text).ok_or_else(|| {
                let name = embedder.name();
                MissingScore::NoModel(format!(
                    "{name} embeds pictures and texts in different spaces"
                ))
            })?;
            *score = (MAX_SCORE * cosine).max(0.0);
        }
        Ok(scores)
    }
}

fn variants(model: &str) -> [VariantSpec; 2] {
    [variant(model.to_owned()), variant(format!("{model}/end_mark"))]
}

fn variant(name: String) -> VariantSpec {
    VariantSpec {
        id: Cow::Owned(format!("clip_score/{name}")),
        label: "CLIPScore",
        variant_label: Cow::Owned(name),
        needs: Needs::Instruction,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (0.0, MAX_SCORE),
        map_range: None,
        version: 2,
        source: "GraphicBench §4.2, Hessel et al. 2021; torchmetrics functional/multimodal/clip_score.py",
    }
}

impl Metric for ClipScore {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.embedder.as_ref().ok()?.fingerprint()
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        match self.scores(comparison, cancel) {
            Ok(scores) => scores.map(|score| Measurement::of(Score::from_number(score))).into(),
            Err(why) => vec![Measurement::of(Score::Missing(why)); 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;
    use crate::metric::Side;
    use crate::metric::caption::Embedding;

    /// Red, green and blue of the first pixel; of a text, the colour it names.
    #[derive(Debug)]
    struct Colours;

    impl PictureTextEmbedder for Colours {
        fn name(&self) -> &'static str {
            "colours"
        }

        fn embed_picture(&self, picture: &Pixels) -> Result<Embedding, MissingScore> {
            let [r, g, b, _] = picture.get(0, 0).unwrap();
            Ok(Embedding::new(&[r, g, b].map(|v| f32::from(v) - 127.5)).unwrap())
        }

        fn embed_text(&self, text: &str, _: LongText) -> Result<Embedding, MissingScore> {
            let has = ["red", "green", "blue"]
                .map(|name| if text.contains(name) { 127.5 } else { -127.5 });
            Ok(Embedding::new(&has).unwrap())
        }
    }

    fn score(picture: Option<&Pixels>, instruction: Option<&str>) -> Score {
        let generated = Side { picture, ..Side::default() };
        let comparison = Comparison { generated, instruction, ..Comparison::default() };
        ClipScore::new(Arc::new(Colours))
            .measurements(&comparison, &CancelToken::new())
            .remove(0)
            .score
    }

    #[test]
    fn the_same_meaning_is_100_and_the_opposite_is_0() {
        let red = Pixels::filled(1, 1, [255, 0, 0, 255]).unwrap();
        assert_eq!(score(Some(&red), Some("red")), Score::Value(100.0));
        assert_eq!(score(Some(&red), Some("green, blue")), Score::Value(0.0));
    }

    #[test]
    fn what_is_missing_is_named() {
        let red = Pixels::filled(1, 1, [255, 0, 0, 255]).unwrap();
        for (picture, instruction, reason) in [
            (None, Some("red"), "no_picture"),
            (Some(&red), None, "no_instruction"),
            (Some(&red), Some(" \t"), "no_instruction"),
        ] {
            let Score::Missing(why) = score(picture, instruction) else { panic!("a score") };
            assert_eq!(why.reason(), reason);
        }
    }

    #[test]
    fn without_a_model_it_says_so() {
        let metric = ClipScore::without_model("no CLIP files are named");
        let measured = metric.measurements(&Comparison::default(), &CancelToken::new());
        let why = MissingScore::NoModel("no CLIP files are named".to_owned());
        assert_eq!(measured[0].score, Score::Missing(why));
        assert_eq!(metric.variants()[0].id, "clip_score/clip");
    }
}

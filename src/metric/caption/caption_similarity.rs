//! Whether captions of both pictures say the same.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::CancelToken;

use super::SentenceEmbedder;
use crate::metric::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};

/// What the published captioner writes into a caption that it could not make.
const CAPTION_ERROR: &str = "Error:";

/// Similarity of captions: the cosine of what a sentence model takes them to mean.
///
/// Captions are compared trimmed and in lower case. Two variants:
///
/// - `caption_similarity/<model>`: the cosine. A caption that is missing, blank or an error message
///   of the captioner (it holds `Error:`) is [`MissingScore::NoCaption`].
/// - `caption_similarity/canvas`: as the CANVAS evaluator has it: rounded to four decimals, and 0
///   where one of the captions is missing, blank or an error message. Where nobody captioned either
///   side there is no score, as published for a case that the file of captions does not list.
#[derive(Debug)]
pub struct CaptionSimilarity {
    embedder: Arc<dyn SentenceEmbedder>,
    variants: [VariantSpec; 2],
}

impl CaptionSimilarity {
    /// The metric going by this model.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        let name = embedder.name();
        let variants = [
            variant("canvas", "as published"),
            variant(name, if name == "minilm" { "all-MiniLM-L6-v2" } else { name }),
        ];
        Self { embedder, variants }
    }

    /// The same where a model behind an endpoint is asked for captions that are not there.
    #[must_use]
    pub fn asking(mut self) -> Self {
        for variant in &mut self.variants {
            variant.is_asked = true;
        }
        self
    }

    /// The cosine of what two captions say.
    fn cosine(&self, ground_truth: &str, generated: &str) -> Result<f64, MissingScore> {
        let ground_truth = self.embedder.embed(&normalised(ground_truth))?;
        let generated = self.embedder.embed(&normalised(generated))?;
        ground_truth.cosine(&generated).ok_or_else(|| {
            let name = self.embedder.name();
            MissingScore::NoModel(format!("{name} gives embeddings of different lengths"))
        })
    }
}

fn variant(name: &str, label: &str) -> VariantSpec {
    VariantSpec {
        id: Cow::Owned(format!("caption_similarity/{name}")),
        label: "Caption similarity",
        variant_label: Cow::Owned(label.to_owned()),
        needs: Needs::Captions,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (-1.0, 1.0),
        map_range: None,
        version: 1,
        source: "CANVAS, Evaluation (BLIP score); kixlab/canvas evaluation/semantic/precompute_blip.py",
    }
}

impl Metric for CaptionSimilarity {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        let similarity = usable_captions(comparison).and_then(|(truth, generated)| {
            cancel.check()?;
            self.cosine(truth, generated)
        });
        let published = as_published(comparison, &similarity);
        let plain = similarity.map_or_else(Score::Missing, Score::from_number);
        let evidence = evidence(comparison);
        [published, plain].map(|score| Measurement { score, evidence: evidence.clone() }).into()
    }
}

/// Both captions, if both say something.
fn usable_captions<'a>(comparison: &Comparison<'a>) -> Result<(&'a str, &'a str), MissingScore> {
    let (truth, generated) = comparison.captions()?;
    for (caption, side) in [(truth, "the ground truth"), (generated, "what was made")] {
        if caption.trim().is_empty() {
            return Err(MissingScore::NoCaption(format!("that of {side} is blank")));
        }
        // Anywhere in it, as published.
        if caption.contains(CAPTION_ERROR) {
            let why = format!("the captioner failed on {side}: {}", caption.trim());
            return Err(MissingScore::NoCaption(why));
        }
    }
    Ok((truth, generated))
}

/// What the published evaluator makes of the similarity, or of there being none.
fn as_published(comparison: &Comparison<'_>, similarity: &Result<f64, MissingScore>) -> Score {
    let sides = [comparison.ground_truth, comparison.generated];
    let captioned = sides.iter().any(|side| side.caption.is_some());
    match similarity {
        // Four decimals, as the published evaluator writes them.
        Ok(value) => Score::from_number((value * 1e4).round() / 1e4),
        // The published evaluator takes a failed caption for an empty one, and that for no likeness
        // at all; without a model there is no score there either.
        Err(MissingScore::NoCaption(_)) if captioned => Score::Value(0.0),
        Err(missing) => Score::Missing(missing.clone()),
    }
}

/// The captions: they are what explains the number.
fn evidence(comparison: &Comparison<'_>) -> Option<Evidence> {
    let (ground_truth, generated) = comparison.captions().ok()?;
    Some(Evidence::Captions {
        ground_truth: ground_truth.trim().to_owned(),
        generated: generated.trim().to_owned(),
    })
}

/// As captions are compared: the published captioner trims its own and makes them lower case.
fn normalised(caption: &str) -> String {
    caption.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::caption::Embedding;
    use crate::metric::{Absence, Side};

    /// Counts letters: words of the same letters mean the same.
    #[derive(Debug)]
    struct Letters;

    impl SentenceEmbedder for Letters {
        fn name(&self) -> &'static str {
            "letters"
        }

        fn embed(&self, sentence: &str) -> Result<Embedding, MissingScore> {
            let mut counts = [0.0; 26];
            for letter in sentence.bytes().filter(u8::is_ascii_alphabetic) {
                counts[usize::from(letter - b'a')] += 1.0;
            }
            Embedding::new(&counts).ok_or_else(|| MissingScore::NoModel("no letters".to_owned()))
        }
    }

    fn scores(ground_truth: Option<&str>, generated: Option<&str>) -> [Score; 2] {
        let comparison = Comparison {
            ground_truth: Side { caption: ground_truth, ..Side::default() },
            generated: Side { caption: generated, ..Side::default() },
            ..Comparison::default()
        };
        let measured = CaptionSimilarity::new(Arc::new(Letters))
            .measurements(&comparison, &CancelToken::new());
        <[Score; 2]>::try_from(measured.into_iter().map(|m| m.score).collect::<Vec<_>>()).unwrap()
    }

    fn is_no_caption(score: &Score) -> bool {
        matches!(score, Score::Missing(MissingScore::NoCaption(_)))
    }

    #[test]
    fn captions_that_differ_in_case_and_blanks_alone_are_the_same() {
        assert_eq!(
            scores(Some(" A Login\n"), Some("a login")),
            [Score::Value(1.0), Score::Value(1.0)]
        );
    }

    #[test]
    fn the_published_variant_is_rounded_to_four_decimals() {
        let [published, plain] = scores(Some("aab"), Some("a"));
        let expected = 2.0 / 5f64.sqrt();
        assert_eq!(published, Score::Value(0.8944));
        assert!((plain.value().unwrap() - expected).abs() < 1e-6);
    }

    #[test]
    fn a_missing_blank_or_failed_caption_is_zero_as_published_and_no_score_else() {
        for generated in [None, Some(""), Some(" \n"), Some("Error: CUDA out of memory")] {
            let [published, plain] = scores(Some("a login"), generated);
            assert_eq!(published, Score::Value(0.0), "{generated:?}");
            assert!(is_no_caption(&plain), "{generated:?} gave {plain:?}");
        }
    }

    #[test]
    fn where_nobody_captioned_there_is_no_score_at_all() {
        let [published, plain] = scores(None, None);
        assert!(is_no_caption(&published) && is_no_caption(&plain));
    }

    #[test]
    fn the_reason_why_there_is_no_caption_is_passed_on() {
        let absence = Absence { caption: Some("no captioner is configured"), ..Absence::default() };
        let side = Side { absence, ..Side::default() };
        let comparison =
            Comparison { ground_truth: side, generated: side, ..Comparison::default() };
        let measured = CaptionSimilarity::new(Arc::new(Letters))
            .measurements(&comparison, &CancelToken::new());
        let why = MissingScore::NoCaption("no captioner is configured".to_owned());
        assert!(measured.iter().all(|m| m.score == Score::Missing(why.clone())), "{measured:?}");
    }

    #[test]
    fn a_model_that_fails_is_the_reason_in_both_variants() {
        for score in scores(Some("12"), Some("a")) {
            assert_eq!(score, Score::Missing(MissingScore::NoModel("no letters".to_owned())));
        }
    }
}

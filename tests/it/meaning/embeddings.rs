//! Sentence embeddings against those of the published model.

use std::sync::Arc;

use pentimento::base::CancelToken;
use pentimento::metric::caption::{CaptionSimilarity, Embedding, SentenceEmbedder as _};
use pentimento::metric::{Comparison, Metric as _, Score, Side};
use pentimento::model::MiniLm;
use serde_json::Value;

use crate::shared;

/// How near an embedding must be to the published model's.
const MIN_COSINE: f64 = 0.999_99;
/// How far the similarity of two sentences may be from the published model's: 16-bit weights.
const TOLERANCE: f64 = 1e-4;

struct Reference {
    sentences: Vec<String>,
    /// The first eight of 384 values of each embedding.
    first_eight: Vec<Vec<f64>>,
    cosine: Vec<Vec<f64>>,
}

fn reference() -> Option<Reference> {
    let file = shared::path("reference/embeddings.json")?;
    let json: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let rows = |key: &str| serde_json::from_value(json[key].clone()).unwrap();
    let sentences: Vec<String> = serde_json::from_value(json["sentences"].clone()).unwrap();
    assert!(!sentences.is_empty());
    Some(Reference { sentences, first_eight: rows("first_eight"), cosine: rows("cosine") })
}

/// The cosine over the first eight values alone.
fn cosine_of_eight(embedding: &Embedding, expected: &[f64]) -> f64 {
    let found: Vec<f64> = embedding.values().iter().take(8).map(|v| f64::from(*v)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(&found, expected) / (dot(&found, &found) * dot(expected, expected)).sqrt()
}

#[test]
fn sentences_mean_what_the_published_model_takes_them_to_mean() {
    let Some(reference) = reference() else { return };
    let model = MiniLm::new();
    let embeddings: Vec<Embedding> =
        reference.sentences.iter().map(|sentence| model.embed(sentence).unwrap()).collect();
    for (at, embedding) in embeddings.iter().enumerate() {
        let cosine = cosine_of_eight(embedding, &reference.first_eight[at]);
        assert!(cosine >= MIN_COSINE, "{cosine} for {:?}", reference.sentences[at]);
        for (other, expected) in embeddings.iter().zip(&reference.cosine[at]) {
            let found = embedding.cosine(other).unwrap();
            let sentence = &reference.sentences[at];
            assert!((found - expected).abs() <= TOLERANCE, "{found}, not {expected}: {sentence:?}");
        }
    }
}

#[test]
fn captions_of_one_screen_score_higher_than_captions_of_two() {
    let metric = CaptionSimilarity::new(Arc::new(MiniLm::new()));
    let score = |ground_truth, generated| {
        let side = |caption| Side { caption: Some(caption), ..Side::default() };
        let comparison = Comparison {
            ground_truth: side(ground_truth),
            generated: side(generated),
            ..Comparison::default()
        };
        let measured = metric.measurements(&comparison, &CancelToken::new());
        let [Score::Value(published), Score::Value(plain)] =
            [&measured[0].score, &measured[1].score]
        else {
            panic!("no scores: {measured:?}");
        };
        assert!((published - plain).abs() <= 0.5e-4);
        *plain
    };
    assert_eq!(score("A Login Screen", " a login screen "), 1.0);
    let near = score("a login screen with a blue button", "a sign in page of an app");
    let far = score("a login screen with a blue button", "a map of hiking trails");
    assert!(near > far, "{near} and {far}");
}

#[test]
fn the_same_sentence_gives_the_same_bits_on_every_thread() {
    let model = Arc::new(MiniLm::new());
    let here = model.embed("a settings page").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(model.embed("a settings page").unwrap(), here));
        }
    });
}

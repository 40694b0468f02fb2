//! What a metric of one's own may write as its answer.

use pentimento::model::program::PairAnswer;

use super::campaign;

const ANSWERS: [&str; 8] = [
    "{\"value\": 0.83}",
    "{\"value\": -1e308}",
    "{\"value\": 9007199254740993}",
    "{\"missing\": \"no text in the picture\"}",
    "{\"error\": \"no key\"}",
    "{\"value\": NaN, \"missing\": null}",
    "{\"protocol\": 2, \"value\": 1}",
    " [0.5]\r",
];

#[test]
fn metric_answers() {
    let corpus: Vec<Vec<u8>> = ANSWERS.iter().map(|answer| answer.as_bytes().to_vec()).collect();
    campaign(
        "metric-answers",
        |mutator| mutator.text(&corpus),
        |input| {
            let answer: PairAnswer = match serde_json::from_slice(input) {
                Ok(answer) => answer,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    return;
                }
            };
            if let PairAnswer::Value(value) = answer {
                assert!(value.is_finite(), "{input:?}");
            }
            let written = serde_json::to_vec(&answer).unwrap();
            assert_eq!(serde_json::from_slice::<PairAnswer>(&written).unwrap(), answer);
        },
    );
}

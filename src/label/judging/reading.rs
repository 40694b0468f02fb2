//! What a model answered, read strictly: one JSON object, of which every part has to fit the form.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::wording::takes_confidence;
use crate::base::parse_json;
use crate::label::form::{Form, Question, QuestionKind};
use crate::label::{Answer, AnswerError, AnswerValue, Item, ItemKind, Mark, Place, Preferred};

use crate::metric::judging::without_fences;

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeAnswer {
    /// What, of the item's own first and second.
    pub answer: Answer,
    /// How sure it says it is, 0 to 1, by question.
    pub confidence: BTreeMap<String, f64>,
}

/// Why what a model wrote is no answer; for the model, which is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableAnswer {
    /// Not one JSON object of the shape.
    #[error("it is not the JSON object that was asked for: {0}")]
    Shape(String),
    /// A preference in other words.
    #[error("{question}: must be {expected}")]
    Preference {
        /// Of which question.
        question: String,
        /// What it should be.
        expected: &'static str,
    },
    /// How sure it is of what cannot be said, or no share.
    #[error("confidence of {question}: {why}")]
    Confidence {
        /// Of which question.
        question: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A place in a design that is not there.
    #[error("a place is in the design \"left\" or \"right\", not {0:?}")]
    Design(String),
    /// It does not fit the form.
    #[error(transparent)]
    Form(#[from] AnswerError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAnswer {
    answers: Map<String, Value>,
    #[serde(default)]
    confidence: BTreeMap<String, Option<f64>>,
    #[serde(default)]
    evidence: BTreeMap<String, Vec<WrittenPlace>>,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    design: Option<String>,
    step: Option<u32>,
    layer: Option<String>,
    region: Option<[f64; 4]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMark {
    option: String,
    severity: Option<u32>,
    note: Option<String>,
    design: Option<String>,
    step: Option<u32>,
    layer: Option<String>,
    region: Option<[f64; 4]>,
}

/// Reads an answer to a form about an item, of a pair with the item's second on the left where `is_swapped`.
/// Fences of Markdown around the object are passed over, and nothing else.
///
/// # Errors
///
/// [`UnreadableAnswer`], the first that is wrong.
pub fn read_answer(
    form: &Form,
    item: &Item,
    is_swapped: bool,
    text: &str,
) -> Result<JudgeAnswer, UnreadableAnswer> {
    let value = parse_json(without_fences(text).as_bytes())
        .map_err(|error| UnreadableAnswer::Shape(error.to_string()))?;
    let written: WrittenAnswer = serde_json::from_value(value)
        .map_err(|error| UnreadableAnswer::Shape(error.to_string()))?;
    let sides = SideLayout { is_pair: item.kind == ItemKind::Pair, is_swapped };
    let mut answer = Answer::default();
    let mut plain: BTreeMap<String, Value> = BTreeMap::new();
    // `null` is what models write for what they leave out.
    for (id, value) in written.answers.into_iter().filter(|(_, value)| !value.is_null()) {
        match form.question(&id) {
            Some(question) if matches!(question.answer, QuestionKind::Preference { .. }) => {
                let value = AnswerValue::Preference(sides.preferred(question, &value)?);
                answer.values.insert(id, value);
            }
            Some(question) if matches!(question.answer, QuestionKind::Marks { .. }) => {
                answer.values.insert(id, sides.marks(&value)?);
            }
            // Whatever is no question is refused there.
            _ => {
                plain.insert(id, value);
            }
        }
    }
    answer.values.extend(Answer::from_plain(form, &plain)?.values);
    for value in answer.values.values_mut() {
        if let AnswerValue::Text(text) = value {
            *text = printable(text);
        }
    }
    for (id, places) in written.evidence {
        let places: Result<Vec<Place>, _> =
            places.into_iter().map(|place| sides.place(place)).collect();
        // An empty list shows nothing.
        let places = places?;
        if !places.is_empty() {
            answer.evidence.insert(id, places);
        }
    }
    answer.note = printable(&written.note.unwrap_or_default());
    answer.check(form, &item.candidates)?;
    let mut confidence = BTreeMap::new();
    for (id, sure) in written.confidence {
        let Some(sure) = sure else { continue };
        check_confidence(form, &answer, &id, sure)?;
        confidence.insert(id, sure);
    }
    Ok(JudgeAnswer { answer, confidence })
}

/// Without characters that would colour or clear a terminal; the answer as it came is in the record.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn check_confidence(
    form: &Form,
    answer: &Answer,
    id: &str,
    sure: f64,
) -> Result<(), UnreadableAnswer> {
    let why = match form.question(id) {
        None => "there is no such question",
        Some(question) if !takes_confidence(question) => {
            "is not asked, only of questions with one value"
        }
        Some(_) if !answer.values.contains_key(id) => "the question is not answered",
        Some(_) if !(0.0..=1.0).contains(&sure) => "must be a number from 0 to 1",
        Some(_) => return Ok(()),
    };
    Err(UnreadableAnswer::Confidence { question: id.to_owned(), why })
}

/// What stands on which side.
#[derive(Clone, Copy)]
struct SideLayout {
    is_pair: bool,
    is_swapped: bool,
}

impl SideLayout {
    fn preferred(self, question: &Question, value: &Value) -> Result<Preferred, UnreadableAnswer> {
        let QuestionKind::Preference { tie } = question.answer else {
            return Err(AnswerError::UnknownQuestion(question.id.clone()).into());
        };
        let preferred = match (value.as_str().map(str::trim), self.is_swapped) {
            (Some("left"), false) | (Some("right"), true) => Some(Preferred::First),
            (Some("right"), false) | (Some("left"), true) => Some(Preferred::Second),
            (Some("tie"), _) if tie => Some(Preferred::Tie),
            _ => None,
        };
        preferred.ok_or_else(|| UnreadableAnswer::Preference {
            question: question.id.clone(),
            expected: if tie { "left, tie or right" } else { "left or right" },
        })
    }

    /// The item's run of a design; `None` where there is but one.
    fn run(self, design: Option<String>) -> Result<Option<u32>, UnreadableAnswer> {
        let Some(design) = design else { return Ok(None) };
        match (design.as_str(), self.is_swapped) {
            _ if !self.is_pair => Err(UnreadableAnswer::Design(design)),
            ("left", false) | ("right", true) => Ok(Some(0)),
            ("right", false) | ("left", true) => Ok(Some(1)),
            _ => Err(UnreadableAnswer::Design(design)),
        }
    }

    fn place(self, written: WrittenPlace) -> Result<Place, UnreadableAnswer> {
        let WrittenPlace { design, step, layer, region } = written;
        let node = layer.map(|layer| printable(&layer));
        Ok(Place { run: self.run(design)?, step, node, region })
    }

    fn marks(self, value: &Value) -> Result<AnswerValue, UnreadableAnswer> {
        let written: Vec<WrittenMark> = serde_json::from_value(value.clone())
            .map_err(|error| UnreadableAnswer::Shape(error.to_string()))?;
        let marks = written.into_iter().map(|mark| {
            let WrittenMark { option, severity, note, design, step, layer, region } = mark;
            let place = self.place(WrittenPlace { design, step, layer, region })?;
            Ok(Mark { option, place, severity, note: printable(&note.unwrap_or_default()) })
        });
        marks.collect::<Result<_, _>>().map(AnswerValue::Marks)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::ItemId;
    use crate::label::form::{builtin_form, builtin_forms};

    fn item(kind: ItemKind) -> Item {
        Item {
            candidates: vec!["a".to_owned(), "b".to_owned()],
            ..Item::bare(ItemId("item".to_owned()), kind)
        }
    }

    fn read(form: &str, is_swapped: bool, text: &str) -> Result<JudgeAnswer, String> {
        let form = builtin_form(form).unwrap();
        read_answer(form, &item(form.about), is_swapped, text).map_err(|error| error.to_string())
    }

    #[test]
    fn sides_become_the_items_own_first_and_second() {
        let text = r#"{"answers": {"preference": "left", "content": null}, "confidence": {"preference": 0.75}}"#;
        for (is_swapped, expected) in [(false, Preferred::First), (true, Preferred::Second)] {
            let found = read("pairwise-preference", is_swapped, text).unwrap();
            assert_eq!(found.answer.values["preference"], AnswerValue::Preference(expected));
            assert_eq!(found.confidence["preference"], 0.75);
            assert!(!found.answer.values.contains_key("content"));
        }
        let fenced = format!("```json\n{text}\n```\n");
        assert_eq!(
            read("pairwise-preference", true, &fenced),
            read("pairwise-preference", true, text)
        );
    }

    #[test]
    fn what_is_no_answer_says_what_it_should_be() {
        let long =
            format!(r#"{{"answers": {{"success": "yes"}}, "note": "{}"}}"#, "n".repeat(50_001));
        for (form, text, said) in [
            ("task-success", "Yes, it did.", "not the JSON object"),
            ("task-success", "[]", "not the JSON object"),
            (
                "task-success",
                r#"{"answers": {"success": "yes"}, "score": 3}"#,
                "unknown field `score`",
            ),
            ("task-success", r#"{"answers": {"success": "maybe"}}"#, "must be yes or no"),
            ("task-success", r#"{"answers": {"taste": "yes"}}"#, "nothing called \"taste\""),
            ("task-success", r#"{"answers": {}}"#, "success is not answered"),
            (
                "task-success",
                "{\"answers\": {\"success\": \"yes\"}, \"note\": \"a\u{1}\"}",
                "control character",
            ),
            ("task-success", long.as_str(), "50001 characters"),
            (
                "task-success",
                r#"{"answers": {"success": "yes"}, "confidence": {"success": 1.5}}"#,
                "from 0 to 1",
            ),
            (
                "task-success",
                r#"{"answers": {"success": "yes"}, "confidence": {"taste": 1}}"#,
                "no such question",
            ),
            (
                "pairwise-preference",
                r#"{"answers": {"preference": "first"}}"#,
                "left, tie or right",
            ),
            (
                "pairwise-preference",
                r#"{"answers": {"preference": {"preference": "first"}}}"#,
                "left, tie or right",
            ),
            ("plan-errors", r#"{"answers": {"errors": ["rust"]}}"#, "must be any of"),
            (
                "plan-errors",
                r#"{"answers": {"errors": ["none"]}, "confidence": {"errors": 1}}"#,
                "with one value",
            ),
            (
                "plan-errors",
                r#"{"answers": {"errors": ["none"]}, "evidence": {"errors": [{"design": "left"}]}}"#,
                "a place is in the design",
            ),
        ] {
            let error = read(form, false, text).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
        // What is written as JSON writes it is a character; those that no terminal should see are taken out.
        let found =
            read("task-success", false, r#"{"answers": {"success": "yes"}, "note": "a\u001b[2J"}"#);
        assert_eq!(found.unwrap().answer.note, "a[2J");
    }

    proptest! {
        #[test]
        fn nothing_that_a_model_may_write_breaks_the_reader(
            text in prop_oneof![
                any::<String>(),
                r#"\{"answers": \{"(preference|success|errors|rating)": ("[a-z]{0,6}"|[0-9]|\[\]|null)\}(, "confidence": \{"[a-z]{0,9}": -?[0-9]\.[0-9]\})?\}"#,
            ],
            is_swapped in any::<bool>(),
        ) {
            for form in builtin_forms() {
                let item = item(form.about);
                if let Ok(found) = read_answer(form, &item, is_swapped, &text) {
                    prop_assert!(found.answer.check(form, &item.candidates).is_ok());
                }
            }
        }
    }
}

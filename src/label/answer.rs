//! What somebody answers: a value a question, with the places that show it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::form::{Condition, Evidence, Form, Question, QuestionKind, QuestionOption};

/// Most characters of an answer in words, and of a note.
pub const MOST_NOTE_CHARACTERS: usize = 50_000;
/// What stands between the ids of what is tied in a ranking.
pub const TIE: char = '=';
/// Most marks and most places of one answer.
const MOST_PLACES: usize = 1_000;

/// The answers to a form's questions, by their ids. What was not answered is not in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The values.
    pub values: BTreeMap<String, AnswerValue>,
    /// Where that is seen, by question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Vec<Place>>,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether the person is not sure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
}

/// An answer to one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerValue {
    /// Which of the item's two, whatever side it was shown on.
    Preference(Preferred),
    /// Yes or no.
    YesNo(bool),
    /// The id of an option.
    Choice(String),
    /// The ids of options.
    Choices(BTreeSet<String>),
    /// A step of the scale.
    Rating(i32),
    /// The ids of what is ranked, the best first; those that are tied in one text, with [`TIE`] between them.
    Ranking(Vec<String>),
    /// Words.
    Text(String),
    /// Places with what is there.
    Marks(Vec<Mark>),
}

/// Which of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preferred {
    /// The item's first.
    First,
    /// They are equal.
    Tie,
    /// The item's second.
    Second,
}

impl Preferred {
    /// As conditions, tables and filters say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Tie => "tie",
            Self::Second => "second",
        }
    }
}

/// Where something is. All parts are optional: a run, a step of it, a node of its document, a region of
/// its picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Which of the item's runs, from 0; none: the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Which step, from 1; 0 is the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Which node or layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Left, top, width and height in pixels of the canvas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<[f64; 4]>,
}

/// Something at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The id of the option it is.
    pub option: String,
    /// Where.
    #[serde(default)]
    pub place: Place,
    /// How bad, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<u32>,
    /// What there is to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Why something is no answer to a form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The form asks nothing of this name.
    #[error("the form asks nothing called {0:?}")]
    UnknownQuestion(String),
    /// A question that depends on another one was not asked.
    #[error("{0} was not asked: it depends on another answer")]
    NotAsked(String),
    /// The value is of another kind than the question's answers.
    #[error("{question}: {why}")]
    Value {
        /// Which question.
        question: String,
        /// What it should be.
        why: String,
    },
    /// The question has to be answered.
    #[error("{0} is not answered")]
    Missing(String),
    /// The question's answer has to be shown somewhere.
    #[error("{0} needs a step, a layer or a region that shows it")]
    NoEvidence(String),
    /// A text is too long.
    #[error("{place} has {found} characters, at most {MOST_NOTE_CHARACTERS} are kept")]
    TooLong {
        /// Which.
        place: String,
        /// How many it has.
        found: usize,
    },
}

impl AnswerError {
    /// The same for who answers: in the words of the form, in their language.
    pub fn in_words(&self, form: &Form, language: &str) -> String {
        match self {
            Self::Missing(id) => format!("Not answered yet: {}", asks(form, id, language)),
            Self::NoEvidence(id) => {
                format!("{}: show a step, a layer or a region", asks(form, id, language))
            }
            Self::Value { question, why } => format!("{}: {why}", asks(form, question, language)),
            Self::NotAsked(_) | Self::UnknownQuestion(_) | Self::TooLong { .. } => self.to_string(),
        }
    }
}

impl AnswerValue {
    /// The single values it is, as conditions, tables and filters say them.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Preference(preferred) => vec![preferred.name().to_owned()],
            Self::YesNo(yes) => vec![if *yes { "yes" } else { "no" }.to_owned()],
            Self::Choice(option) => vec![option.clone()],
            Self::Choices(options) => options.iter().cloned().collect(),
            Self::Rating(number) => vec![number.to_string()],
            Self::Ranking(order) => order.clone(),
            Self::Text(text) => vec![text.clone()],
            Self::Marks(marks) => marks.iter().map(|mark| mark.option.clone()).collect(),
        }
    }
}

impl Answer {
    /// Whether an option was chosen, or something was marked as it, of a question where each is a yes or no
    /// of its own; `None` where that was not answered. Who was not asked to mark anything, or marked nothing
    /// where that was optional, saw nothing to mark.
    pub fn has_option(&self, question: &Question, option: &str) -> Option<bool> {
        match (self.values.get(&question.id), &question.answer) {
            (Some(AnswerValue::Choices(chosen)), _) => Some(chosen.contains(option)),
            (Some(AnswerValue::Marks(marks)), _) => {
                Some(marks.iter().any(|mark| mark.option == option))
            }
            (None, QuestionKind::Marks { .. }) => {
                (question.when.is_some() || question.optional).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether the question is asked after these answers.
    pub fn asks(&self, form: &Form, question: &Question) -> bool {
        let Some(Condition { question: other, is }) = &question.when else { return true };
        // What was asked in vain is as good as not asked.
        let is_asked = form.question(other).is_some_and(|other| self.asks(form, other));
        let value = self.values.get(other).filter(|_| is_asked);
        value.is_some_and(|value| value.words().iter().any(|word| is.contains(word)))
    }

    /// The questions that are asked after these answers.
    pub fn asked<'a>(&self, form: &'a Form) -> Vec<&'a Question> {
        form.questions.iter().filter(|question| self.asks(form, question)).collect()
    }

    /// The first question that still has to be answered.
    pub fn next_missing<'a>(&self, form: &'a Form) -> Option<&'a Question> {
        self.asked(form)
            .into_iter()
            .find(|question| !question.optional && self.missing(question).is_some())
    }

    fn missing(&self, question: &Question) -> Option<AnswerError> {
        if !self.values.contains_key(&question.id) {
            return Some(AnswerError::Missing(question.id.clone()));
        }
        let has_evidence = self.evidence.get(&question.id).is_some_and(|it| !it.is_empty());
        let needs_evidence = question.evidence == Evidence::Required && !has_evidence;
        needs_evidence.then(|| AnswerError::NoEvidence(question.id.clone()))
    }

    /// The same without what is not asked any more, because an answer it depended on has changed.
    #[must_use]
    pub fn without_unasked(mut self, form: &Form) -> Self {
        let asked: BTreeSet<String> =
            self.asked(form).into_iter().map(|question| question.id.clone()).collect();
        self.values.retain(|id, _| asked.contains(id));
        self.evidence.retain(|id, _| asked.contains(id));
        self
    }

    /// Whether it is a whole answer to the form about an item with these candidates.
    ///
    /// # Errors
    ///
    /// The first [`AnswerError`].
    pub fn check(&self, form: &Form, candidates: &[String]) -> Result<(), AnswerError> {
        self.check_values(form, candidates)?;
        let asked = self.asked(form).into_iter();
        let mut wanted = asked.filter(|it| !it.optional || self.values.contains_key(&it.id));
        wanted.find_map(|question| self.missing(question)).map_or(Ok(()), Err)
    }

    /// The same of an answer that is still being given: what there is fits the form.
    ///
    /// # Errors
    ///
    /// The first [`AnswerError`], never that something is missing.
    pub fn check_values(&self, form: &Form, candidates: &[String]) -> Result<(), AnswerError> {
        for id in self.values.keys().chain(self.evidence.keys()) {
            let question =
                form.question(id).ok_or_else(|| AnswerError::UnknownQuestion(id.clone()))?;
            if !self.asks(form, question) {
                return Err(AnswerError::NotAsked(id.clone()));
            }
        }
        check_length("the note", &self.note)?;
        for question in self.asked(form) {
            if let Some(value) = self.values.get(&question.id) {
                check_value(question, value, candidates)?;
            }
            check_places(&question.id, self.evidence.get(&question.id).map_or(&[], Vec::as_slice))?;
        }
        Ok(())
    }

    /// Reads an answer from outside: values of the right kind for their questions, written plainly, as
    /// `{"preference": "first", "layout": "tie", "note": …}` of people's own scripts, or in full.
    ///
    /// # Errors
    ///
    /// [`AnswerError`]; whether all is answered is [`Self::check`]'s to say.
    pub fn from_plain(form: &Form, values: &BTreeMap<String, Value>) -> Result<Self, AnswerError> {
        let mut answer = Self::default();
        for (id, value) in values {
            let question =
                form.question(id).ok_or_else(|| AnswerError::UnknownQuestion(id.clone()))?;
            answer.values.insert(id.clone(), plain_value(question, value)?);
        }
        Ok(answer)
    }
}

/// What the question asks, or its id where the form has none of it.
fn asks<'a>(form: &'a Form, question: &'a str, language: &str) -> &'a str {
    form.question(question).map_or(question, |it| it.text.in_language(language))
}

fn wrong(question: &Question, why: impl Into<String>) -> AnswerError {
    AnswerError::Value { question: question.id.clone(), why: why.into() }
}

fn plain_value(question: &Question, value: &Value) -> Result<AnswerValue, AnswerError> {
    // As our own files write it, with its kind. Tried last: a form's words may look like it by chance.
    let as_written = serde_json::from_value::<AnswerValue>(value.clone()).ok();
    let text = value.as_str().map(str::trim);
    let read = match &question.answer {
        QuestionKind::Preference { .. } => match text {
            Some("first") => Some(AnswerValue::Preference(Preferred::First)),
            Some("tie") => Some(AnswerValue::Preference(Preferred::Tie)),
            Some("second") => Some(AnswerValue::Preference(Preferred::Second)),
            _ => None,
        },
        // JSON's own booleans too, as models like to answer with them.
        QuestionKind::YesNo => match (text, value.as_bool()) {
            (Some("yes"), _) | (_, Some(true)) => Some(AnswerValue::YesNo(true)),
            (Some("no"), _) | (_, Some(false)) => Some(AnswerValue::YesNo(false)),
            _ => None,
        },
        QuestionKind::Choice { .. } => text.map(|text| AnswerValue::Choice(text.to_owned())),
        QuestionKind::Text => value.as_str().map(|text| AnswerValue::Text(text.to_owned())),
        QuestionKind::Rating { .. } => {
            // Numbers that stand in quotes are taken, fractions are not: a scale has whole steps.
            let number = value.as_i64().or_else(|| text?.parse().ok());
            number.and_then(|number| i32::try_from(number).ok()).map(AnswerValue::Rating)
        }
        QuestionKind::Choices { .. } => {
            words(value).map(|words| AnswerValue::Choices(words.into_iter().collect()))
        }
        QuestionKind::Ranking { .. } => words(value).map(AnswerValue::Ranking),
        QuestionKind::Marks { .. } => {
            serde_json::from_value(value.clone()).ok().map(AnswerValue::Marks)
        }
    };
    read.or(as_written).ok_or_else(|| wrong(question, expected(&question.answer)))
}

/// A list of words, or words divided by `|` as tables hold them.
fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => {
            let words = text.split('|').map(str::trim).filter(|word| !word.is_empty());
            Some(words.map(str::to_owned).collect())
        }
        Value::Array(list) => list.iter().map(|word| word.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// What an answer must be; for people.
fn expected(kind: &QuestionKind) -> String {
    match kind {
        QuestionKind::Preference { tie: true } => "must be first, tie or second".to_owned(),
        QuestionKind::Preference { tie: false } => "must be first or second".to_owned(),
        QuestionKind::YesNo => "must be yes or no".to_owned(),
        QuestionKind::Choice { options, .. } => format!("must be one of {}", ids(options)),
        QuestionKind::Choices { options } => format!("must be any of {}", ids(options)),
        QuestionKind::Rating { least, most, .. } => {
            format!("must be a whole number from {least} to {most}")
        }
        QuestionKind::Ranking { ties: false, .. } => {
            "must name everything that is ranked, each once and without ties".to_owned()
        }
        QuestionKind::Ranking { ties: true, .. } => {
            format!("must name everything that is ranked, each once; {TIE} stands between ties")
        }
        QuestionKind::Text => "must be words".to_owned(),
        QuestionKind::Marks { options, .. } => {
            format!("must be a list of marks, each one of {}", ids(options))
        }
    }
}

fn ids(options: &[QuestionOption]) -> String {
    let ids: Vec<&str> = options.iter().map(|option| option.id.as_str()).collect();
    ids.join(", ")
}

fn check_value(
    question: &Question,
    value: &AnswerValue,
    candidates: &[String],
) -> Result<(), AnswerError> {
    let fits = match (&question.answer, value) {
        (QuestionKind::Preference { tie }, AnswerValue::Preference(preferred)) => {
            *tie || *preferred != Preferred::Tie
        }
        (QuestionKind::YesNo, AnswerValue::YesNo(_)) => true,
        (kind @ QuestionKind::Choice { .. }, AnswerValue::Choice(id)) => kind.has_option(id),
        (kind @ QuestionKind::Choices { .. }, AnswerValue::Choices(ids)) => {
            ids.iter().all(|id| kind.has_option(id))
        }
        (QuestionKind::Rating { least, most, .. }, AnswerValue::Rating(number)) => {
            (least..=most).contains(&number)
        }
        (QuestionKind::Ranking { options, ties }, AnswerValue::Ranking(order)) => {
            // Tied ones share a place as one text. Counted as well as collected, as a name that stands twice must not
            // pass.
            let named: Vec<&str> = order.iter().flat_map(|tied| tied.split(TIE)).collect();
            let ranked: BTreeSet<&str> = named.iter().copied().collect();
            let all: BTreeSet<&str> = if options.is_empty() {
                candidates.iter().map(String::as_str).collect()
            } else {
                options.iter().map(|option| option.id.as_str()).collect()
            };
            ranked == all && named.len() == all.len() && (*ties || order.len() == named.len())
        }
        // These two say what is wrong by themselves: "expected" would not name the mark or the length.
        (QuestionKind::Text, AnswerValue::Text(text)) => {
            return check_length(&question.id, text);
        }
        (QuestionKind::Marks { severities, .. }, AnswerValue::Marks(marks)) => {
            return check_marks(question, marks, *severities);
        }
        // A value of another kind than the question's.
        _ => false,
    };
    if fits { Ok(()) } else { Err(wrong(question, expected(&question.answer))) }
}

fn check_marks(question: &Question, marks: &[Mark], severities: u32) -> Result<(), AnswerError> {
    if marks.len() > MOST_PLACES {
        return Err(wrong(question, format!("at most {MOST_PLACES} marks")));
    }
    for mark in marks {
        if !question.answer.options().iter().any(|option| option.id == mark.option) {
            return Err(wrong(question, expected(&question.answer)));
        }
        // All marks have one or none has: a mean over some of them would be of whoever bothered.
        let fits = match mark.severity {
            None => severities == 0,
            Some(severity) => (1..=severities).contains(&severity),
        };
        if !fits {
            let why = match severities {
                0 => "severity is not asked".to_owned(),
                _ => format!("every mark has a severity from 1 to {severities}"),
            };
            return Err(wrong(question, why));
        }
        check_length(&question.id, &mark.note)?;
        check_places(&question.id, std::slice::from_ref(&mark.place))?;
    }
    Ok(())
}

fn check_places(question: &str, places: &[Place]) -> Result<(), AnswerError> {
    let odd = |why: &str| AnswerError::Value { question: question.to_owned(), why: why.to_owned() };
    if places.len() > MOST_PLACES {
        return Err(odd("too many places"));
    }
    for place in places {
        if let Some(region) = place.region {
            let [.., width, height] = region;
            if !(region.iter().all(|it| it.is_finite()) && width >= 0.0 && height >= 0.0) {
                return Err(odd("a region is left, top, width and height, from 0"));
            }
        }
        check_length(question, place.node.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

fn check_length(place: &str, text: &str) -> Result<(), AnswerError> {
    let found = text.chars().count();
    if found > MOST_NOTE_CHARACTERS {
        return Err(AnswerError::TooLong { place: place.to_owned(), found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::label::form::builtin_form;

    fn answer(form: &Form, values: Value) -> Result<Answer, AnswerError> {
        let values: BTreeMap<String, Value> = serde_json::from_value(values).unwrap();
        let answer = Answer::from_plain(form, &values)?;
        answer.check(form, &["a".into(), "b".into(), "c".into()]).map(|()| answer)
    }

    #[test]
    fn plain_values_are_read_and_written_ones_are_read_again() {
        let form = builtin_form("component-alignment").unwrap();
        let values =
            json!({"background": 4, "text": "5", "image": 1, "layout": 3, "ranking": "b|a|c"});
        let read = answer(form, values).unwrap();
        assert_eq!(
            read.values["ranking"],
            AnswerValue::Ranking(vec!["b".into(), "a".into(), "c".into()])
        );
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(serde_json::from_value::<Answer>(written.clone()).unwrap(), read);
        assert_eq!(answer(form, written["values"].clone()).unwrap(), read);
    }

    #[test]
    fn what_depends_on_another_answer_is_asked_and_dropped_with_it() {
        let form = builtin_form("psbench-errors").unwrap();
        let mut failed = answer(form, json!({"success": "no", "cause": "planning"})).unwrap();
        assert_eq!(failed.next_missing(form), None);
        failed.values.insert("success".into(), AnswerValue::YesNo(true));
        assert_eq!(failed.check(form, &[]), Err(AnswerError::NotAsked("cause".into())));
        let mended = failed.without_unasked(form);
        assert_eq!((mended.values.len(), mended.check(form, &[])), (1, Ok(())));
        let open =
            Answer::from_plain(form, &[("success".to_owned(), json!(false))].into()).unwrap();
        assert_eq!(open.next_missing(form).unwrap().id, "cause");
        assert_eq!(open.check(form, &[]), Err(AnswerError::Missing("cause".into())));
    }

    #[test]
    fn what_is_no_answer_says_what_it_should_be() {
        let likert = builtin_form("likert").unwrap();
        for (values, said) in [
            (json!({"rating": 6}), "rating: must be a whole number from 1 to 5"),
            (json!({"rating": "good"}), "rating: must be a whole number from 1 to 5"),
            (json!({"rating": 3, "speed": 1}), "the form asks nothing called \"speed\""),
            (json!({"reason": "none"}), "rating is not answered"),
            (json!({"rating": 3, "reason": "x".repeat(50_001)}), "at most 50000 are kept"),
        ] {
            let error = answer(likert, values).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert!(answer(likert, json!({"rating": 3, "reason": "x".repeat(50_000)})).is_ok());
        let query = builtin_form("component-alignment").unwrap();
        for order in ["a|b", "a|b|b", "a|b|c|c", "a|b|d"] {
            let ranked =
                json!({"background": 1, "text": 1, "image": 1, "layout": 1, "ranking": order});
            let error = answer(query, ranked).unwrap_err().to_string();
            assert!(error.contains("each once"), "{order}: {error}");
        }
        let order = |order: &str| json!({"background": 1, "text": 1, "image": 1, "layout": 1, "ranking": order});
        let error = answer(query, order("a=b|c")).unwrap_err().to_string();
        assert!(error.contains("without ties"), "{error}");
        let mut with_ties = query.clone();
        with_ties.questions[4].answer = QuestionKind::Ranking { options: Vec::new(), ties: true };
        assert!(answer(&with_ties, order("a=b|c")).is_ok());
        for odd in ["a=a|b|c", "a=|b|c", "a=b", "a=b=c=d"] {
            assert!(answer(&with_ties, order(odd)).is_err(), "{odd}");
        }
        let marks = builtin_form("canvas-errors").unwrap();
        for (mark, said) in [
            (json!({"option": "text_overflow"}), "a severity from 1 to 3"),
            (json!({"option": "text_overflow", "severity": 4}), "a severity from 1 to 3"),
            (json!({"option": "rust", "severity": 1}), "each one of"),
            (
                json!({"option": "other", "severity": 1, "place": {"region": [0, 0, -1, 4]}}),
                "a region is left",
            ),
        ] {
            let error = answer(marks, json!({"has_errors": true, "errors": [mark]})).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
        let mark =
            json!({"option": "other", "severity": 1, "place": {"step": 3, "region": [1, 2, 3, 4]}});
        assert!(answer(marks, json!({"has_errors": true, "errors": [mark]})).is_ok());
    }

    #[test]
    fn evidence_that_is_required_is_asked_for() {
        let mut form = builtin_form("task-success").unwrap().clone();
        form.questions[0].evidence = Evidence::Required;
        let mut answer =
            Answer::from_plain(&form, &[("success".into(), json!(true))].into()).unwrap();
        assert_eq!(answer.check(&form, &[]), Err(AnswerError::NoEvidence("success".into())));
        let place = Place { step: Some(4), ..Place::default() };
        answer.evidence.insert("success".into(), vec![place]);
        assert_eq!(answer.check(&form, &[]), Ok(()));
    }
}

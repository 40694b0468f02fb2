//! Reading a form's file, and what a form must be like to be asked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::definition::{FORM_FORMAT, FORM_VERSION, Form, ItemKind};
use super::question::{Evidence, Question, QuestionKind, QuestionOption};
use super::text::FormText;
use crate::base::{JsonLimitError, Limits, check_id, parse_json, read_file_limited};

/// Most questions of a form.
const MOST_QUESTIONS: usize = 200;
/// Most options of a question.
const MOST_OPTIONS: usize = 500;
/// Most steps of a rating.
const MOST_STEPS: i64 = 100;
/// Most characters of a text.
const MOST_CHARACTERS: usize = 20_000;
/// Most severities: they are keys.
const MOST_SEVERITIES: u32 = 9;

/// What a form asks that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct FormFault {
    /// Where in the file, such as `questions[2].answer.options[0]`.
    pub place: String,
    /// What is wrong.
    pub why: String,
}

/// Why there is no form.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// The file cannot be read, or is no JSON of a form.
    #[error("not a form ({source}): {}", path.display())]
    File {
        /// The cause, with the line.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It asks what cannot be asked.
    #[error("{fault}: {}", path.display())]
    Fault {
        /// What, and where.
        fault: FormFault,
        /// Which file.
        path: PathBuf,
    },
}

impl Form {
    /// Reads and checks a form's file.
    ///
    /// # Errors
    ///
    /// [`FormError`], which names the place.
    pub fn open(path: &Path) -> Result<Self, FormError> {
        let file = |source| FormError::File { source, path: path.to_path_buf() };
        let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(file)?;
        let form: Self = parse_json(&bytes).map_err(file)?;
        form.check().map_err(|fault| FormError::Fault { fault, path: path.to_path_buf() })?;
        Ok(form)
    }

    /// Whether everything it asks can be asked.
    ///
    /// # Errors
    ///
    /// The first [`FormFault`].
    pub fn check(&self) -> Result<(), FormFault> {
        validate(self)
    }
}

fn fault(place: impl Into<String>, why: impl Into<String>) -> FormFault {
    FormFault { place: place.into(), why: why.into() }
}

fn validate(form: &Form) -> Result<(), FormFault> {
    // The format before all else: of another format no further word would make sense.
    if form.format != FORM_FORMAT {
        return Err(fault("format", format!("must be {FORM_FORMAT:?}")));
    }
    if form.version != FORM_VERSION {
        return Err(fault(
            "version",
            format!("{} is not known, only {FORM_VERSION}", form.version),
        ));
    }
    check_id(&form.id).map_err(|why| fault("id", why))?;
    if form.title.is_empty() {
        return Err(fault("title", "say what people call the form"));
    }
    if form.questions.is_empty() {
        return Err(fault("questions", "a form asks something"));
    }
    if form.questions.len() > MOST_QUESTIONS {
        return Err(fault("questions", format!("more than {MOST_QUESTIONS}")));
    }
    for (place, text) in form.texts() {
        check_text(&place, text)?;
    }
    // Only what a run made has something that it should have looked like.
    let has_truth = matches!(form.about, ItemKind::Run | ItemKind::Pair | ItemKind::Step);
    if form.evidence.difference && !has_truth {
        let why = "only a form about runs, pairs or steps has something to compare";
        return Err(fault("evidence.difference", why));
    }
    // Only questions before it: a condition on a later one could go in a circle, and an annotator would be
    // asked in the wrong order.
    let mut earlier: Vec<&Question> = Vec::new();
    for (at, question) in form.questions.iter().enumerate() {
        let place = format!("questions[{at}]");
        check_id(&question.id).map_err(|why| fault(format!("{place}.id"), why))?;
        if earlier.iter().any(|known| known.id == question.id) {
            return Err(fault(format!("{place}.id"), "another question is called the same"));
        }
        if question.text.is_empty() {
            return Err(fault(format!("{place}.text"), "say what is asked"));
        }
        check_kind(&format!("{place}.answer"), question, form.about)?;
        check_condition(&format!("{place}.when"), question, &earlier)?;
        earlier.push(question);
    }
    if form.questions.iter().all(|question| question.when.is_some()) {
        // The first cannot be: it has no earlier one.
        return Err(fault("questions", "every question depends on another one"));
    }
    Ok(())
}

fn check_text(place: &str, text: &FormText) -> Result<(), FormFault> {
    for (language, words) in text.wordings() {
        let is_tag = !language.is_empty()
            && language.len() <= 35
            && language.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_tag {
            return Err(fault(place, format!("{language:?} is no language, such as de or pt-BR")));
        }
        if words.chars().count() > MOST_CHARACTERS {
            return Err(fault(place, format!("a text of more than {MOST_CHARACTERS} characters")));
        }
        // Whatever moves or hides other words has no place in a question.
        let odd = words.chars().find(|c| {
            c.is_control() && !matches!(c, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(c)
        });
        if let Some(odd) = odd {
            return Err(fault(place, format!("the control character {odd:?} stands in it")));
        }
    }
    Ok(())
}

fn check_kind(place: &str, question: &Question, about: ItemKind) -> Result<(), FormFault> {
    // What all kinds have in common first; below each arm is one fault of one kind, and what matches none is right.
    let options = question.answer.options();
    check_options(&format!("{place}.options"), options)?;
    match &question.answer {
        QuestionKind::Preference { .. } if about != ItemKind::Pair => Err(fault(
            place,
            "a preference is between the two of a pair: the form must be about pairs",
        )),
        QuestionKind::Choice { .. } if options.len() < 2 => {
            Err(fault(format!("{place}.options"), "a choice is between two or more"))
        }
        QuestionKind::Choices { .. } | QuestionKind::Marks { .. } if options.is_empty() => {
            Err(fault(format!("{place}.options"), "there is nothing to choose"))
        }
        QuestionKind::Ranking { options, .. } if options.is_empty() && about != ItemKind::Query => {
            Err(fault(place, "only a query has candidates to rank: say the options"))
        }
        QuestionKind::Ranking { options, .. } if options.len() == 1 => {
            Err(fault(format!("{place}.options"), "one alone cannot be ranked"))
        }
        QuestionKind::Rating { least, most, .. }
            // Widened before the difference: `most - least` of two extreme i32 would overflow.
            if !(1..=MOST_STEPS).contains(&(i64::from(*most) - i64::from(*least))) =>
        {
            Err(fault(
                place,
                format!("from {least} to {most} is no scale of 2 to {} steps", MOST_STEPS + 1),
            ))
        }
        QuestionKind::Marks { severities, .. } if *severities > MOST_SEVERITIES => {
            Err(fault(format!("{place}.severities"), format!("more than {MOST_SEVERITIES}")))
        }
        // Or one would be asked for a place twice, with the mark and as evidence.
        QuestionKind::Marks { .. } if question.evidence != Evidence::None => {
            Err(fault(place, "marks are places themselves: say no evidence"))
        }
        _ => Ok(()),
    }
}

fn check_options(place: &str, options: &[QuestionOption]) -> Result<(), FormFault> {
    if options.len() > MOST_OPTIONS {
        return Err(fault(place, format!("more than {MOST_OPTIONS}")));
    }
    let (mut ids, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for (at, option) in options.iter().enumerate() {
        let place = format!("{place}[{at}]");
        check_id(&option.id).map_err(|why| fault(format!("{place}.id"), why))?;
        if !ids.insert(&option.id) {
            return Err(fault(format!("{place}.id"), "another option is called the same"));
        }
        if option.text.is_empty() {
            return Err(fault(format!("{place}.text"), "say what the option is called"));
        }
        if let Some(key) = &option.key {
            let mut characters = key.chars();
            let is_key =
                characters.next().is_some_and(char::is_alphanumeric) && characters.next().is_none();
            if !is_key {
                return Err(fault(format!("{place}.key"), "must be one letter or digit"));
            }
            // Without case: with Shift or without, it is the same key.
            if !keys.insert(key.to_lowercase()) {
                return Err(fault(format!("{place}.key"), "another option has this key"));
            }
        }
    }
    Ok(())
}

fn check_condition(
    place: &str,
    question: &Question,
    earlier: &[&Question],
) -> Result<(), FormFault> {
    let Some(when) = &question.when else { return Ok(()) };
    let asked = earlier.iter().find(|known| known.id == when.question).ok_or_else(|| {
        fault(
            format!("{place}.question"),
            format!("no question before it is called {:?}", when.question),
        )
    })?;
    if when.is.is_empty() {
        return Err(fault(format!("{place}.is"), "say the answers it is asked after"));
    }
    // Empty of rankings, texts and marks, whose answers no condition can name.
    let values = asked.answer.values();
    match when.is.iter().find(|value| !values.contains(value)) {
        None => Ok(()),
        Some(value) if values.is_empty() => Err(fault(
            format!("{place}.question"),
            format!("{value:?}: {} is answered with no single value", when.question),
        )),
        Some(value) => Err(fault(
            format!("{place}.is"),
            format!("{value:?} is no answer to {}: {}", when.question, values.join(", ")),
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn example() -> Value {
        json!({
            "format": "pentimento/form", "version": 1, "id": "quality", "title": "Quality", "about": "run",
            "questions": [
                {"id": "good", "text": {"en": "Good?", "de": "Gut?"}, "answer": {"kind": "yes_no"}},
                {"id": "why", "text": "Why not?", "when": {"question": "good", "is": ["no"]},
                    "answer": {"kind": "choice", "options": [
                        {"id": "slow", "text": "Slow", "key": "s"}, {"id": "ugly", "text": "Ugly"}]}},
                {"id": "rating", "text": "Rate it", "answer": {"kind": "rating", "least": 1, "most": 5}},
            ],
        })
    }

    fn read(value: &Value) -> Result<Form, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("form.json");
        std::fs::write(&path, value.to_string()).unwrap();
        Form::open(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn a_form_of_ones_own_is_read_and_its_hash_is_what_it_asks() {
        let form = read(&example()).unwrap();
        let mut other = example();
        // Laid out otherwise it is the same form; asked otherwise it is another.
        let title = other.as_object_mut().unwrap().shift_remove("title").unwrap();
        other["title"] = title;
        assert_eq!(read(&other).unwrap().hash(), form.hash());
        other["questions"][0]["text"]["de"] = json!("Schön?");
        assert_ne!(read(&other).unwrap().hash(), form.hash());
        assert_eq!(crate::label::FormHash::from_hex(&form.hash().to_hex()), Some(form.hash()));
        assert_eq!(form.languages().into_iter().collect::<Vec<_>>(), ["de", "en"]);
        let missing = form.untranslated("de");
        assert_eq!(missing, ["title", "why", "why, slow", "why, ugly", "rating"]);
    }

    #[test]
    fn what_cannot_be_asked_is_refused_with_its_place() {
        let odd = |change: fn(&mut Value), said: &str| {
            let mut value = example();
            change(&mut value);
            let error = read(&value).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        };
        odd(|it| it["format"] = json!("x"), "format: must be");
        odd(|it| it["version"] = json!(9), "version: 9 is not known");
        odd(|it| it["id"] = json!("a b"), "id: \"a b\" must be");
        odd(|it| it["title"] = json!("  "), "title: say");
        odd(|it| it["questions"] = json!([]), "questions: a form asks something");
        odd(|it| it["questions"][1]["id"] = json!("good"), "questions[1].id: another question");
        odd(
            |it| it["questions"][1]["when"]["is"] = json!(["maybe"]),
            "\"maybe\" is no answer to good",
        );
        odd(
            |it| it["questions"][0]["when"] = json!({"question": "why", "is": ["slow"]}),
            "no question before",
        );
        odd(|it| it["questions"][1]["answer"]["options"] = json!([]), "a choice is between two");
        odd(
            |it| it["questions"][1]["answer"]["options"][1]["key"] = json!("S"),
            "another option has this key",
        );
        odd(
            |it| it["questions"][1]["answer"]["options"][1]["key"] = json!("F5"),
            "one letter or digit",
        );
        odd(
            |it| it["questions"][1]["answer"]["options"][1]["id"] = json!("slow"),
            "another option",
        );
        odd(|it| it["questions"][2]["answer"]["most"] = json!(1), "is no scale");
        odd(|it| it["questions"][2]["answer"]["least"] = json!(i32::MIN), "is no scale");
        odd(
            |it| it["questions"][2]["answer"] = json!({"kind": "preference"}),
            "must be about pairs",
        );
        odd(
            |it| it["questions"][2]["answer"] = json!({"kind": "ranking"}),
            "only a query has candidates",
        );
        odd(|it| it["questions"][0]["text"] = json!("a\u{7}b"), "control character");
        odd(|it| it["questions"][0]["text"] = json!("a\u{202e}b"), "control character");
        odd(|it| it["questions"][0]["text"] = json!({"": "x"}), "is no language");
        odd(|it| it["questions"][0]["text"] = json!("x".repeat(20_001)), "more than 20000");
        odd(|it| it["questions"][0]["colour"] = json!("red"), "not a form");
        odd(|it| it["questions"][0]["answer"]["kind"] = json!("guess"), "not a form");
    }
}

//! Questions about a picture, to be answered with yes or no.
//!
//! Three shapes are read:
//! - the published one, JSON Lines of `{"id", "design", "questions"}`, where `questions` is a list or
//!   a text that holds one (GraphicBench, `data/with_questions`);
//! - a JSON list of questions;
//! - plain text, one question a line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::base::{JsonLimitError, Limits, parse_json, read_file_limited};

use super::graphicbench::list_of;

/// The most questions about one picture; the published data have up to 20.
const MOST_QUESTIONS: usize = 1000;

/// What is asked about one picture, or about every one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureQuestions {
    /// Of which design; `None`: of whichever is shown.
    pub id: Option<String>,
    /// The type of design, such as `poster`, if it is said.
    pub design: Option<String>,
    /// In order.
    pub questions: Vec<String>,
}

/// Questions out of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionFile {
    /// In the order of the file; of entries with the same id and design only the first, as the
    /// published files hold some twice.
    pub entries: Vec<PictureQuestions>,
    /// Lines that were passed over, and why.
    pub warnings: Vec<String>,
}

/// Why a file gives no questions.
#[derive(Debug, thiserror::Error)]
pub enum QuestionsError {
    /// It cannot be read, or is no JSON though it begins like it.
    #[error("the questions cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It is no text.
    #[error("the questions are not UTF-8 text: {}", .0.display())]
    NotText(PathBuf),
    /// It holds none.
    #[error("there is no question in {}", .0.display())]
    None(PathBuf),
    /// The list holds something else.
    #[error("item {item} of the list is no question but {found}: {}", path.display())]
    NoQuestion {
        /// Which, from 1.
        item: usize,
        /// What it is.
        found: &'static str,
        /// Which file.
        path: PathBuf,
    },
}

impl QuestionFile {
    /// Reads a file of questions.
    ///
    /// # Errors
    ///
    /// [`QuestionsError`] if nothing can be asked. A line of JSON Lines that is broken is a warning.
    pub fn open(path: &Path) -> Result<Self, QuestionsError> {
        let bytes = read_file_limited(path, Limits::JSON_BYTES)
            .map_err(|source| QuestionsError::Read { source, path: path.to_owned() })?;
        let text = String::from_utf8(bytes)
            .map_err(|_not_text| QuestionsError::NotText(path.to_owned()))?;
        // What comes first tells the shape, as the ending says nothing: all three are found as
        // `.txt`, `.json` and `.jsonl`.
        let text = text.trim_start_matches('\u{feff}').trim();
        let file = match text.chars().next() {
            Some('[') => Self::of_list(text, path)?,
            Some('{') => Self::of_lines(text),
            _ => Self::of_questions(text.lines().map(str::to_owned).collect()),
        };
        if file.entries.iter().all(|entry| entry.questions.is_empty()) {
            return Err(QuestionsError::None(path.to_owned()));
        }
        Ok(file)
    }

    /// The questions about the design of this id and, if one is given, of this type; those about
    /// every picture where the file names no designs.
    pub fn about(&self, id: Option<&str>, design: Option<&str>) -> Option<&PictureQuestions> {
        self.entries.iter().find(|entry| match (&entry.id, id) {
            (None, _) => true,
            // Numbers begin anew with each type of design, so the id alone is not enough.
            (Some(of), Some(id)) => of == id && is_same_design(entry.design.as_deref(), design),
            (Some(_), None) => false,
        })
    }

    fn of_list(text: &str, path: &Path) -> Result<Self, QuestionsError> {
        let items: Vec<Value> = parse_json(text.as_bytes())
            .map_err(|source| QuestionsError::Read { source, path: path.to_owned() })?;
        let mut questions = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            // A list is written by hand: what is no question there is a slip, and not to be
            // passed over as in the published lines.
            let Value::String(text) = item else {
                let (item, found) = (at + 1, kind(&item));
                return Err(QuestionsError::NoQuestion { item, found, path: path.to_owned() });
            };
            questions.push(text);
        }
        Ok(Self::of_questions(questions))
    }

    fn of_questions(questions: Vec<String>) -> Self {
        let entry = PictureQuestions { questions: asked(questions), ..PictureQuestions::default() };
        Self { entries: vec![entry], warnings: Vec::new() }
    }

    fn of_lines(text: &str) -> Self {
        let (mut file, mut seen) = (Self::default(), BTreeSet::new());
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match entry(line) {
                Ok(entry) => {
                    // The first of two counts, as in the task sets made of these files.
                    if seen.insert((entry.id.clone(), entry.design.clone())) {
                        file.entries.push(entry);
                    }
                }
                Err(problem) => file.warnings.push(format!("line {}: {problem}", at + 1)),
            }
        }
        file
    }
}

/// Whether two names are of the same type of design: case, spaces and signs do not matter, and a
/// type that is not said is any.
fn is_same_design(of: Option<&str>, wanted: Option<&str>) -> bool {
    let Some((of, wanted)) = of.zip(wanted) else { return true };
    let [of, wanted] = [of, wanted].map(|name| {
        name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    });
    of == wanted
}

/// A line of JSON Lines.
fn entry(line: &str) -> Result<PictureQuestions, String> {
    let fields: Map<String, Value> =
        parse_json(line.as_bytes()).map_err(|error| format!("not an object of JSON: {error}"))?;
    let questions = fields.get("questions").ok_or("it has no questions")?;
    let questions =
        list_of(questions).map_err(|why| format!("its questions are not read: {why}"))?;
    Ok(PictureQuestions {
        // The published files have `id`, and what reads them in the released code looks for `ID`.
        id: fields.get("id").or_else(|| fields.get("ID")).and_then(plain_text),
        design: fields.get("design").or_else(|| fields.get("type")).and_then(plain_text),
        questions: asked(questions),
    })
}

/// The questions without what is empty, and not endlessly many.
fn asked(questions: Vec<String>) -> Vec<String> {
    let trimmed = questions.into_iter().map(|question| question.trim().to_owned());
    trimmed.filter(|question| !question.is_empty()).take(MOST_QUESTIONS).collect()
}

/// A text, or a number as one: ids are both.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<QuestionFile, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("questions");
        std::fs::write(&path, text).unwrap();
        QuestionFile::open(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn the_published_shape_is_read_and_its_doubles_are_dropped() {
        let line = r#"{"id": 4, "design": "poster", "questions": "[\"Is it red?\", \" \"]"}"#;
        let other = r#"{"ID": "4", "design": "postcard", "questions": ["Is it blue?"]}"#;
        let file = read(&format!("{line}\n{line}\n\n{other}\n")).unwrap();
        assert_eq!((file.entries.len(), file.warnings.len()), (2, 0));
        assert_eq!(file.about(Some("4"), None).unwrap().questions, ["Is it red?"]);
        assert_eq!(file.about(Some("4"), Some("Post Card")).unwrap().questions, ["Is it blue?"]);
        assert_eq!((file.about(Some("5"), None), file.about(None, None)), (None, None));
    }

    #[test]
    fn a_list_or_lines_are_about_every_picture() {
        for text in ["[\"Is it red?\", \"Is there a moon?\"]", "Is it red?\r\n\nIs there a moon?\n"]
        {
            let file = read(text).unwrap();
            assert_eq!(file.about(Some("any"), None), file.about(None, None));
            assert_eq!(file.entries[0].questions, ["Is it red?", "Is there a moon?"], "{text}");
        }
    }

    #[test]
    fn a_broken_line_is_a_warning_and_a_file_without_questions_an_error() {
        let file =
            read("{\"id\": 1, \"questions\": []}\n{\n{\"id\": 2, \"questions\": [\"a?\"]}\n");
        let file = file.unwrap();
        assert_eq!(file.entries.len(), 2);
        assert!(file.warnings[0].starts_with("line 2: not an object of JSON"), "{file:?}");
        for (text, message) in [
            ("", "there is no question"),
            ("[]", "there is no question"),
            ("[\"a?\", 3]", "item 2 of the list is no question but a number"),
            ("[", "cannot be read"),
            ("{\"id\": 1}", "there is no question"),
            ("\u{0}\u{1}", ""),
        ] {
            let error = read(text);
            assert!(
                text == "\u{0}\u{1}" || error.clone().unwrap_err().contains(message),
                "{error:?}"
            );
        }
    }
}

//! What a model said.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::base::visible;

/// Most words of a step and of its reason; what is more is cut.
const MOST_WORDS: usize = 25;
/// Most letters of a word: without spaces a text is one.
const MOST_WORD_LETTERS: usize = 60;
/// Most letters of an answer.
const MOST_LETTERS: usize = 40_000;
/// Most calls of a step.
const MOST_CALLS: usize = 12;

/// An answer that could be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// What to do, in at most 25 words.
    pub(super) words: String,
    /// Why, the same.
    pub(super) why: String,
    /// The nodes it is about, as the model names them.
    pub(super) nodes: Vec<String>,
    /// What does it.
    pub(super) calls: Vec<SaidCall>,
}

/// A call as it was said.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct SaidCall {
    #[serde(alias = "name")]
    pub(super) tool: String,
    pub(super) arguments: Option<Map<String, Value>>,
}

/// Every field may be missing, or null.
#[derive(Deserialize)]
struct Raw {
    words: Option<String>,
    why: Option<String>,
    nodes: Option<Vec<String>>,
    calls: Option<Vec<SaidCall>>,
}

impl Said {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for the model and for people.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("the answer was empty".to_owned());
        }
        if text.chars().nth(MOST_LETTERS).is_some() {
            return Err(format!("the answer has more than {MOST_LETTERS} letters"));
        }
        // Models write words before and after the object, and fences of Markdown around it.
        let object = text.find('{').zip(text.rfind('}')).and_then(|(from, to)| text.get(from..=to));
        let object = object.ok_or("the answer is no JSON object")?;
        let raw: Raw = serde_json::from_str(object)
            .map_err(|error| format!("the answer is not the JSON that was asked for: {error}"))?;
        let (nodes, calls) = (raw.nodes.unwrap_or_default(), raw.calls.unwrap_or_default());
        if calls.len() > MOST_CALLS {
            return Err(format!("one step has {MOST_CALLS} calls at most, not {}", calls.len()));
        }
        let [words, why] = [raw.words, raw.why].map(|text| cut(&text.unwrap_or_default()));
        // Words that nobody can see, or signs alone, are none.
        if !words.chars().any(char::is_alphanumeric) {
            return Err("the answer has no \"words\"".to_owned());
        }
        Ok(Self { words, why, nodes, calls })
    }
}

/// In one line, with 25 words at most.
fn cut(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = String::new();
    for word in words.by_ref().take(MOST_WORDS) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(visible(word).chars().take(MOST_WORD_LETTERS));
    }
    if words.next().is_some() {
        line.push('…');
    }
    line
}

/// As much of the "words" as has come, of an answer that is still being written; empty before they begin.
pub(super) fn words_so_far(text: &str) -> String {
    let Some((_, rest)) = text.split_once("\"words\"") else { return String::new() };
    let Some((_, rest)) = rest.split_once(':') else { return String::new() };
    let Some((_, rest)) = rest.split_once('"') else { return String::new() };
    let mut words = String::new();
    let mut chars = rest.chars();
    while let Some(next) = chars.next() {
        match next {
            '"' => break,
            '\\' => match chars.next() {
                Some('n' | 't' | 'r') => words.push(' '),
                // Four digits, which come again whole once the answer is read.
                Some('u') => {
                    let _digits = chars.by_ref().take(4).count();
                }
                Some(other) => words.push(other),
                None => break,
            },
            next => words.push(next),
        }
    }
    cut(&words)
}

//! What a model answered to a form, or why it gave no answer: an act of its own, so that nothing that counts
//! people's answers meets it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answer::Answer;

/// Most characters of why there is no answer; one that is cut ends in `…`.
const MOST_REASON_CHARACTERS: usize = 600;

/// What came of asking a model a form about an item, in one order of what is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Which model, asked how.
    pub judge: JudgeIdentity,
    /// Whether the item's second was shown first, as left.
    #[serde(default)]
    pub is_swapped: bool,
    /// The places of candidates, in the order they were shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<u32>,
    /// What came of it.
    pub outcome: Judgement,
    /// Under which number its requests and answers are recorded, from 1.
    pub asked: u32,
    /// Tokens read and written, as far as the provider tells.
    #[serde(default)]
    pub tokens: [u64; 2],
    /// What that cost in US dollars; `None`: no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// Which model was asked, and in which words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeIdentity {
    /// Whose API it speaks, such as `anthropic`.
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// The hash of the wording and of the settings that could change an answer.
    pub prompt: String,
}

/// What came of asking a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It answered, and the answer fits the form.
    Answered {
        /// What, of the item's own first and second.
        answer: Box<Answer>,
        /// How sure it says it is of questions with one value, 0 to 1.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        confidence: BTreeMap<String, f64>,
    },
    /// It gave no answer that fits the form.
    Failed {
        /// Why.
        reason: String,
    },
}

impl Judgement {
    /// That there is no answer. The reason may quote anything: it becomes one line of limited length.
    pub fn failed(reason: &str) -> Self {
        let words = reason.split(|c: char| c.is_whitespace() || c.is_control());
        let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let reason = match line.char_indices().nth(MOST_REASON_CHARACTERS) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
            None => line,
        };
        Self::Failed { reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_of_limited_length() {
        let long = format!("bell\u{7}\n{}", "ä ".repeat(5_000));
        let Judgement::Failed { reason } = Judgement::failed(&long) else { panic!() };
        assert!(reason.starts_with("bell ä") && reason.ends_with('…'), "{reason}");
        assert_eq!(reason.chars().count(), MOST_REASON_CHARACTERS + 1);
    }
}

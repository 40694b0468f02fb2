//! A form, as its file says it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::question::{Question, QuestionKind};
use super::text::FormText;

/// What a file of this format says of itself.
pub const FORM_FORMAT: &str = "pentimento/form";
/// The newest version of the format.
pub const FORM_VERSION: u32 = 1;

/// Questions about one kind of thing, asked together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// `pentimento/form`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// What projects call it: letters, digits, `_` and `-`.
    pub id: String,
    /// What people call it.
    pub title: FormText,
    /// What it is about.
    pub about: ItemKind,
    /// How to answer, in Markdown; beside the questions.
    #[serde(default, skip_serializing_if = "FormText::is_empty")]
    pub guide: FormText,
    /// Where it is published: paper and section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the window may show beside the pictures.
    #[serde(default, skip_serializing_if = "ShownAids::is_none")]
    pub evidence: ShownAids,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

/// What may be shown of the pictures beside themselves: it leads the eye, and so the form decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ShownAids {
    /// Whether a heat of the difference from the ground truth can be laid over a run.
    pub difference: bool,
}

impl ShownAids {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What is labelled.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// One run.
    Run,
    /// Two runs of one task.
    Pair,
    /// One step of a run.
    Step,
    /// A task.
    Task,
    /// A design.
    Design,
    /// Words.
    Text,
    /// A query with its candidate pictures.
    Query,
}

impl ItemKind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Run, Self::Pair, Self::Step, Self::Task, Self::Design, Self::Text, Self::Query];

    /// As files say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Pair => "pair",
            Self::Step => "step",
            Self::Task => "task",
            Self::Design => "design",
            Self::Text => "text",
            Self::Query => "query",
        }
    }
}

/// The version of a form: the hash of what it asks. Answers name it, so that nobody takes an answer to
/// one question for one to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormHash([u8; 16]);

impl FormHash {
    /// No form: of what is done about a study itself.
    pub const NONE: Self = Self([0; 16]);

    /// As 32 hex digits.
    pub fn to_hex(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }

    /// What [`Self::to_hex`] wrote.
    pub fn from_hex(text: &str) -> Option<Self> {
        // A sign would be read as part of the number.
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bytes = u128::from_str_radix(text, 16).ok().filter(|_| is_hex)?.to_be_bytes();
        Some(Self(bytes))
    }
}

impl std::fmt::Debug for FormHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FormHash({})", self.to_hex())
    }
}

impl Serialize for FormHash {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for FormHash {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let hash = Self::from_hex(&text);
        hash.ok_or_else(|| serde::de::Error::custom("a form's version is 32 hex digits"))
    }
}

impl Form {
    /// The schema of the file, as it is in `assets/schema`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }

    /// Its version. Equal forms have equal hashes, however their files are laid out.
    pub fn hash(&self) -> FormHash {
        // Written in the order of the types' fields and of the languages' names, never of the file's.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        let mut hash = [0; 16];
        let digest = blake3::hash(&bytes);
        hash.copy_from_slice(&digest.as_bytes()[..16]);
        FormHash(hash)
    }

    /// The question of this id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }

    /// Its first preference: where there are several, those that follow mostly say the same.
    pub fn preference(&self) -> Option<&Question> {
        self.questions
            .iter()
            .find(|question| matches!(question.answer, QuestionKind::Preference { .. }))
    }

    /// Every text of it, with its place.
    pub(super) fn texts(&self) -> Vec<(String, &FormText)> {
        let mut texts = vec![("title".to_owned(), &self.title), ("guide".to_owned(), &self.guide)];
        for question in &self.questions {
            let id = &question.id;
            texts.push((id.clone(), &question.text));
            texts.push((format!("{id}, help"), &question.help));
            if let QuestionKind::Rating { least_text, most_text, .. } = &question.answer {
                texts.push((format!("{id}, least"), least_text));
                texts.push((format!("{id}, most"), most_text));
            }
            for option in question.answer.options() {
                texts.push((format!("{id}, {}", option.id), &option.text));
                texts.push((format!("{id}, {}, help", option.id), &option.help));
            }
        }
        texts
    }

    /// The languages any of its texts is in, beside English.
    pub fn languages(&self) -> BTreeSet<String> {
        let texts = self.texts();
        texts.iter().flat_map(|(_, text)| text.languages()).map(str::to_owned).collect()
    }

    /// The places of texts that somebody who chose this language reads in another.
    pub fn untranslated(&self, language: &str) -> Vec<String> {
        let texts = self.texts().into_iter();
        let missing = texts.filter(|(_, text)| !text.is_empty() && text.falls_back(language));
        missing.map(|(place, _)| place).collect()
    }
}

//! The wording of what models are asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::{JsonLimitError, read_file_limited};
use crate::metric::judging::JudgeForm;

/// Largest prompt file read, in bytes.
const PROMPT_BYTES: u64 = 256 << 10;
/// The name of the captioner's prompt.
const CAPTION: &str = "caption";

/// The prompts: built in, or from a user's folder (`assets/prompts/README.md`).
#[derive(Clone, Debug)]
pub struct PromptSet {
    templates: BTreeMap<&'static str, Template>,
}

/// A prompt with places for values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(String),
}

/// Why a prompt cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The folder of prompts is not there.
    #[error("there is no folder of prompts: {}", path.display())]
    NoFolder {
        /// Which folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("a prompt {0}")]
    File(#[from] JsonLimitError),
    /// The file is not text.
    #[error("the prompt is not UTF-8 text: {}", path.display())]
    NotText {
        /// Which file.
        path: PathBuf,
    },
    /// The prompt is blank.
    #[error("the prompt is empty: {}", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// A variable that the form has is not used.
    #[error("the prompt does not use {{{{{variable}}}}}: {}", path.display())]
    MissingVariable {
        /// Which variable.
        variable: &'static str,
        /// Which file.
        path: PathBuf,
    },
    /// A variable is used that the form does not have.
    #[error("the prompt uses {{{{{variable}}}}}, which there is not: {}", path.display())]
    UnknownVariable {
        /// Which variable.
        variable: String,
        /// Which file.
        path: PathBuf,
    },
}

impl PromptSet {
    /// The prompts that come with the program.
    pub fn built_in() -> Self {
        let forms = JudgeForm::ALL.map(|form| (form.name(), Template::parse(built_in_text(form))));
        let caption = Template::parse(include_str!("../../assets/prompts/caption.md"));
        Self { templates: forms.into_iter().chain([(CAPTION, caption)]).collect() }
    }

    /// The prompts that come with the program, but those that the folder has a file for.
    pub fn from_folder(folder: &Path) -> Result<Self, PromptError> {
        if !folder.is_dir() {
            return Err(PromptError::NoFolder { path: folder.to_path_buf() });
        }
        let mut prompts = Self::built_in();
        let forms = JudgeForm::ALL.map(|form| (form.name(), form.variables()));
        for (name, variables) in forms.into_iter().chain([(CAPTION, &[][..])]) {
            let path = folder.join(format!("{name}.md"));
            if path.exists() {
                prompts.templates.insert(name, read_template(&path, variables)?);
            }
        }
        Ok(prompts)
    }

    /// What the captioner is asked.
    pub fn caption(&self) -> String {
        self.filled(CAPTION, &[], &[])
    }

    /// What a judge is asked: the form's wording with these values in place of its variables.
    pub fn judgement(&self, form: JudgeForm, values: &[&str]) -> String {
        self.filled(form.name(), form.variables(), values)
    }

    fn filled(&self, name: &str, variables: &[&str], values: &[&str]) -> String {
        let value_of = |variable: &str| {
            let at = variables.iter().position(|name| *name == variable)?;
            values.get(at).copied()
        };
        self.templates.get(name).map(|template| template.fill(value_of)).unwrap_or_default()
    }
}

impl Template {
    /// Reads `{{name}}` as a variable; anything else in braces is text.
    fn parse(text: &str) -> Self {
        let (mut pieces, mut rest) = (Vec::new(), text.trim());
        while let Some((before, name, after)) = next_variable(rest) {
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Variable(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Self(pieces)
    }

    fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text with each variable's value; braces in a value stay what they are.
    fn fill<'a>(&self, value_of: impl Fn(&str) -> Option<&'a str>) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => value_of(name).unwrap_or_default().trim().to_owned(),
        };
        self.0.iter().map(text).collect()
    }
}

/// The text before the next `{{name}}`, the name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find("{{")?;
        let (name, after) = text[open + 2..].split_once("}}")?;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        if !name.is_empty() && name.chars().all(is_name) {
            return Some((&text[..open], name, after));
        }
        from = open + 2;
    }
}

fn read_template(path: &Path, variables: &[&'static str]) -> Result<Template, PromptError> {
    let path_buf = || path.to_path_buf();
    let bytes = read_file_limited(path, PROMPT_BYTES)?;
    let text = str::from_utf8(&bytes).map_err(|_utf8| PromptError::NotText { path: path_buf() })?;
    if text.trim().is_empty() {
        return Err(PromptError::Empty { path: path_buf() });
    }
    let template = Template::parse(text);
    if let Some(unknown) = template.variables().find(|name| !variables.contains(name)) {
        return Err(PromptError::UnknownVariable {
            variable: unknown.to_owned(),
            path: path_buf(),
        });
    }
    let unused = |variable: &&&'static str| !template.variables().any(|used| used == **variable);
    match variables.iter().find(unused) {
        Some(variable) => Err(PromptError::MissingVariable { variable, path: path_buf() }),
        None => Ok(template),
    }
}

fn built_in_text(form: JudgeForm) -> &'static str {
    match form {
        JudgeForm::Vqa => include_str!("../../assets/prompts/vqa.md"),
        JudgeForm::DesignColor => include_str!("../../assets/prompts/design_color.md"),
        JudgeForm::DesignText => include_str!("../../assets/prompts/design_text.md"),
        JudgeForm::DesignImage => include_str!("../../assets/prompts/design_image.md"),
        JudgeForm::Originality => include_str!("../../assets/prompts/originality.md"),
        JudgeForm::Elaboration => include_str!("../../assets/prompts/elaboration.md"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folder_with(name: &str, text: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        folder
    }

    #[test]
    fn the_built_in_prompts_use_exactly_the_variables_of_their_form() {
        for form in JudgeForm::ALL {
            let template = Template::parse(built_in_text(form));
            let mut used: Vec<&str> = template.variables().collect();
            let mut known = form.variables().to_vec();
            used.sort_unstable();
            known.sort_unstable();
            assert_eq!(used, known, "{}", form.name());
        }
    }

    #[test]
    fn a_users_file_replaces_one_prompt_and_leaves_the_others() {
        let folder = folder_with("vqa.md", b"Look. {{ question }} Yes or No?\n");
        let prompts = PromptSet::from_folder(folder.path()).unwrap();
        assert_eq!(prompts.judgement(JudgeForm::Vqa, &["Red?"]), "Look. Red? Yes or No?");
        assert_eq!(prompts.caption(), PromptSet::built_in().caption());
    }

    #[test]
    fn a_prompt_that_leaves_a_variable_out_or_invents_one_is_refused() {
        let error = |name, text: &[u8]| {
            PromptSet::from_folder(folder_with(name, text).path()).unwrap_err().to_string()
        };
        assert!(error("vqa.md", b"Is it red?").contains("does not use {{question}}"));
        assert!(error("caption.md", b"{{plan}}").contains("{{plan}}, which there is not"));
        assert!(error("caption.md", b" \n").contains("is empty"));
        assert!(error("caption.md", &[0xff]).contains("UTF-8"));
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_and_not_the_built_in_prompts() {
        let folder = tempfile::tempdir().unwrap();
        let error = PromptSet::from_folder(&folder.path().join("none")).unwrap_err();
        assert!(matches!(error, PromptError::NoFolder { .. }));
    }

    #[test]
    fn braces_in_a_value_are_not_filled_again() {
        let prompt =
            PromptSet::built_in().judgement(JudgeForm::DesignText, &["{{plan}}", "a plan"]);
        assert!(prompt.contains("{{plan}}") && prompt.contains("a plan"), "{prompt}");
    }

    proptest! {
        #[test]
        fn any_text_without_variables_is_itself(text in "[a-z{} \n]{0,40}") {
            let template = Template::parse(&text);
            if template.variables().next().is_none() {
                prop_assert_eq!(template.fill(|_| None), text.trim());
            }
        }
    }
}

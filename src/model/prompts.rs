//! The wording of what models are asked.

use std::collections::BTreeMap;
use std::path::Path;

use crate::metric::judging::JudgeForm;

use super::template::{PromptError, Template};

/// The name of the captioner's prompt.
const CAPTION: &str = "caption";
/// The name of what a judge of a labelling project is asked about an item, and what has to stand in it.
const LABEL_ITEM: &str = "label_item";
const LABEL_ITEM_VARIABLES: [&str; 5] = ["title", "guide", "evidence", "questions", "shape"];
/// The name of what it is told when its answer cannot be used.
const LABEL_AGAIN: &str = "label_again";
const LABEL_AGAIN_VARIABLES: [&str; 1] = ["problem"];

/// Prompts of no form, each with what has to stand in it.
const OTHERS: [(&str, &[&str], &str); 3] = [
    (CAPTION, &[], include_str!("../../assets/prompts/caption.md")),
    (LABEL_ITEM, &LABEL_ITEM_VARIABLES, include_str!("../../assets/prompts/label_item.md")),
    (LABEL_AGAIN, &LABEL_AGAIN_VARIABLES, include_str!("../../assets/prompts/label_again.md")),
];

/// The prompts: built in, or from a user's folder (`assets/prompts/README.md`).
#[derive(Clone, Debug)]
pub struct PromptSet {
    templates: BTreeMap<&'static str, Template>,
}

impl PromptSet {
    /// The prompts that come with the program.
    pub fn built_in() -> Self {
        let forms = JudgeForm::ALL.map(|form| (form.name(), Template::parse(built_in_text(form))));
        let others = OTHERS.map(|(name, _, text)| (name, Template::parse(text)));
        Self { templates: forms.into_iter().chain(others).collect() }
    }

    /// The prompts that come with the program, but those that the folder has a file for.
    pub fn from_folder(folder: &Path) -> Result<Self, PromptError> {
        // A misspelt folder must not mean the built-in prompts: scores would go by another wording
        // than their reader believes.
        if !folder.is_dir() {
            return Err(PromptError::NoFolder { path: folder.to_path_buf() });
        }
        let mut prompts = Self::built_in();
        let forms = JudgeForm::ALL.map(|form| (form.name(), form.variables()));
        let others = OTHERS.map(|(name, variables, _)| (name, variables));
        for (name, variables) in forms.into_iter().chain(others) {
            let path = folder.join(format!("{name}.md"));
            if path.exists() {
                prompts.templates.insert(name, Template::read(&path, variables, &[])?);
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

    /// What a judge of a labelling project is asked about an item: the form's title and guide, what is shown, the
    /// questions, and what the answer looks like.
    pub fn label_item(&self, values: &[&str; 5]) -> String {
        self.filled(LABEL_ITEM, &LABEL_ITEM_VARIABLES, values)
    }

    /// What it is told when its answer cannot be used.
    pub fn label_again(&self, problem: &str) -> String {
        self.filled(LABEL_AGAIN, &LABEL_AGAIN_VARIABLES, &[problem])
    }

    /// The wording of both, each variable standing for itself.
    pub fn label_wording(&self) -> [String; 2] {
        [self.label_item(&LABEL_ITEM_VARIABLES), self.label_again(LABEL_AGAIN_VARIABLES[0])]
    }

    fn filled(&self, name: &str, variables: &[&str], values: &[&str]) -> String {
        let Some(template) = self.templates.get(name) else { return String::new() };
        template.fill(|variable| {
            let at = variables.iter().position(|name| *name == variable)?;
            values.get(at).copied()
        })
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
        JudgeForm::StepConsistency => include_str!("../../assets/prompts/step_consistency.md"),
    }
}

#[cfg(test)]
mod tests {
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
        for (name, known, text) in OTHERS {
            let template = Template::parse(text);
            let used: std::collections::BTreeSet<&str> = template.variables().collect();
            assert_eq!(used, known.iter().copied().collect(), "{name}");
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
        for (name, text, why) in [
            ("vqa.md", &b"Is it red?"[..], "does not use {{question}}"),
            ("caption.md", b"{{plan}}", "{{plan}}, which there is not"),
            ("caption.md", b" \n", "is empty"),
            ("caption.md", &[0xff], "UTF-8"),
        ] {
            let error = PromptSet::from_folder(folder_with(name, text).path()).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
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
}

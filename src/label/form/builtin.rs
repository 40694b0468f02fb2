//! The forms that come with the program.

use std::sync::LazyLock;

use super::definition::Form;

/// Their files, in the order of lists.
const FILES: [&str; 16] = [
    include_str!("../../../assets/forms/pairwise-preference.json"),
    include_str!("../../../assets/forms/ndec.json"),
    include_str!("../../../assets/forms/canvas-errors.json"),
    include_str!("../../../assets/forms/psbench-errors.json"),
    include_str!("../../../assets/forms/plan-errors.json"),
    include_str!("../../../assets/forms/task-success.json"),
    include_str!("../../../assets/forms/component-alignment.json"),
    include_str!("../../../assets/forms/usefulness.json"),
    include_str!("../../../assets/forms/plan-quality.json"),
    include_str!("../../../assets/forms/image-edit-shortcomings.json"),
    include_str!("../../../assets/forms/design-revision.json"),
    include_str!("../../../assets/forms/required-tools.json"),
    include_str!("../../../assets/forms/question-check.json"),
    include_str!("../../../assets/forms/background.json"),
    include_str!("../../../assets/forms/likert.json"),
    include_str!("../../../assets/forms/free-text.json"),
];

/// Questionnaires of studies: what people say of tasks they did themselves.
const QUESTIONNAIRES: [&str; 8] = [
    include_str!("../../../assets/forms/nasa-tlx.json"),
    include_str!("../../../assets/forms/nasa-tlx-pairs.json"),
    include_str!("../../../assets/forms/sus.json"),
    include_str!("../../../assets/forms/csi.json"),
    include_str!("../../../assets/forms/csi-pairs.json"),
    include_str!("../../../assets/forms/confidence.json"),
    include_str!("../../../assets/forms/trust-control.json"),
    include_str!("../../../assets/forms/remarks.json"),
];

/// Read once; a test holds that every one can be.
static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let files = FILES.iter().chain(&QUESTIONNAIRES);
    files.filter_map(|file| serde_json::from_str(file).ok()).collect()
});

/// The forms that come with the program, in the order of lists.
pub fn builtin_forms() -> &'static [Form] {
    &FORMS
}

/// Those of them that label what somebody else did.
pub fn labelling_forms() -> &'static [Form] {
    FORMS.get(..FILES.len()).unwrap_or(&FORMS)
}

/// The one of this id.
pub fn builtin_form(id: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_comes_with_the_program_can_be_asked() {
        let count = FILES.len() + QUESTIONNAIRES.len();
        assert_eq!(builtin_forms().len(), count);
        let mut ids: Vec<&str> = builtin_forms().iter().map(|form| form.id.as_str()).collect();
        for form in builtin_forms() {
            assert_eq!(form.check(), Ok(()), "{}", form.id);
        }
        assert_eq!(labelling_forms().last().map(|form| form.id.as_str()), Some("free-text"));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "each has a name of its own");
    }
}

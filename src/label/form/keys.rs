//! Keys that options choose for themselves, beside those of the room in which people label.

use super::definition::Form;
use super::validate::FormFault;

/// Letters that do something where people label, and what: of each, the words that the window's table of commands has
/// for it, and of `g`, which is held, those of the sheet of keys.
pub const ROOM_KEYS: [(char, &str); 10] = [
    ('c', "Write a note"),
    ('d', "Show where"),
    (DIFFERENCE_KEY, "Difference"),
    ('f', "Flag"),
    ('g', "Ground truth in place of the runs"),
    ('h', "Show the guide"),
    ('k', "Skip"),
    ('r', "Fit"),
    ('u', "I am not sure"),
    ('v', "Next layout"),
];

/// The key of the heat, which is a command only where a form allows it.
pub const DIFFERENCE_KEY: char = 'e';

impl Form {
    /// What can be asked, and costs something that its author may not know of: an option with the key of a command of
    /// the room takes it from the command while its question has the keys. In the order of the options.
    pub fn warnings(&self) -> Vec<FormFault> {
        let mut warnings = Vec::new();
        for (at, question) in self.questions.iter().enumerate() {
            for (place, option) in question.answer.options().iter().enumerate() {
                let own = option.key.as_deref().and_then(|key| key.chars().next());
                let own = own.map(|key| key.to_ascii_lowercase());
                // Without the heat there is no such command.
                let own = own.filter(|key| *key != DIFFERENCE_KEY || self.evidence.difference);
                let command = ROOM_KEYS.into_iter().find(|(key, _)| Some(*key) == own);
                if let Some((key, command)) = command {
                    warnings.push(FormFault {
                        place: format!("questions[{at}].answer.options[{place}].key"),
                        why: format!(
                            "“{key}” is the key of {command}, which has none while this is asked"
                        ),
                    });
                }
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::label::form::builtin_forms;

    fn keyed(key: &str, difference: bool) -> Vec<String> {
        let form: Form = serde_json::from_value(json!({
            "format": "pentimento/form", "version": 1, "id": "keyed", "title": "Keyed", "about": "run",
            "evidence": {"difference": difference},
            "questions": [
                {"id": "why", "text": "Why?", "answer": {"kind": "choice", "options": [
                    {"id": "other", "text": "Other"}, {"id": "this", "text": "This", "key": key}]}},
            ],
        }))
        .unwrap();
        form.warnings().iter().map(FormFault::to_string).collect()
    }

    #[test]
    fn an_option_with_the_key_of_a_command_is_told_of() {
        let place = "questions[0].answer.options[1].key";
        let flag = "“f” is the key of Flag, which has none while this is asked";
        assert_eq!(keyed("F", false), [format!("{place}: {flag}")]);
        assert!(keyed("q", false).is_empty() && keyed("1", true).is_empty());
        assert!(keyed("e", false).is_empty() && !keyed("e", true).is_empty());
        for form in builtin_forms() {
            assert!(form.warnings().is_empty(), "{}", form.id);
        }
    }
}

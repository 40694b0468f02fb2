//! A form in words, as a model reads it.

use std::fmt::Write as _;

use crate::label::form::{
    Evidence, FALLBACK_LANGUAGE, Form, Question, QuestionKind, QuestionOption, Scale,
};

/// Every question with its answers, one below the other. `candidates` are those of the item, in the order they
/// are shown.
pub fn questions_in_words(form: &Form, candidates: &[&str]) -> String {
    let mut words = String::new();
    for question in &form.questions {
        // Writing to a String cannot fail, here and below.
        write!(words, "- \"{}\": {}", question.id, english(&question.text)).ok();
        words.push('\n');
        // Help is several lines for people; indented, it stays part of its question for a model.
        for line in english(&question.help).lines().filter(|line| !line.trim().is_empty()) {
            writeln!(words, "  {line}").ok();
        }
        writeln!(words, "  Answer with {}.", answers(question, candidates)).ok();
        if let Some(when) = &question.when {
            // The condition in words, as a model has no window that hides a question.
            let quoted: Vec<String> = when.is.iter().map(|it| format!("\"{it}\"")).collect();
            let (other, is) = (&when.question, quoted.join(" or "));
            writeln!(words, "  Asked only where \"{other}\" is {is}; else leave it out.").ok();
        }
        if question.optional {
            words += "  You may leave it out.\n";
        }
        match question.evidence {
            Evidence::None => {}
            Evidence::Optional => {
                words += "  You may show under \"evidence\" where that is seen.\n";
            }
            Evidence::Required => words += "  Show under \"evidence\" where that is seen.\n",
        }
    }
    words.trim_end().to_owned()
}

fn english(text: &crate::label::form::FormText) -> &str {
    text.in_language(FALLBACK_LANGUAGE)
}

/// What an answer to a question is written as.
fn answers(question: &Question, candidates: &[&str]) -> String {
    match &question.answer {
        QuestionKind::Preference { tie: true } => "\"left\", \"tie\" or \"right\"".to_owned(),
        QuestionKind::Preference { tie: false } => "\"left\" or \"right\"".to_owned(),
        QuestionKind::YesNo => "\"yes\" or \"no\"".to_owned(),
        QuestionKind::Choice { options, .. } => format!("one of these:{}", listed(options)),
        QuestionKind::Choices { options } => {
            format!("a list of any of these, empty for none:{}", listed(options))
        }
        QuestionKind::Rating { least, most, least_text, most_text } => {
            let ends = [(least, least_text), (most, most_text)];
            // A number with no word at its end stands for itself.
            let [least, most] = ends.map(|(number, text)| match english(text) {
                "" => number.to_string(),
                text => format!("{number} ({text})"),
            });
            format!("a whole number from {least} to {most}")
        }
        QuestionKind::Ranking { options, ties } => {
            let ties = if *ties { " (those with the same place as one text, \"a=b\")" } else { "" };
            // Options of the form come before the candidates of an item, as where answers are checked.
            let ranked = if options.is_empty() {
                let ids: Vec<String> = candidates.iter().map(|id| format!("\"{id}\"")).collect();
                format!(" {}", ids.join(", "))
            } else {
                listed(options)
            };
            format!("a list of all of these, the best first{ties}:{ranked}")
        }
        QuestionKind::Text => "words of your own".to_owned(),
        QuestionKind::Marks { options, severities } => {
            let severity = match severities {
                0 => String::new(),
                most => format!(", each with a \"severity\" from 1 to {most}, the worst"),
            };
            format!(
                "a list of marks, empty for none: objects with an \"option\" of these{severity}, a place as in \
                 \"evidence\", and perhaps a \"note\":{}",
                listed(options)
            )
        }
    }
}

/// Options, a line each.
fn listed(options: &[QuestionOption]) -> String {
    let lines = options.iter().map(|option| {
        let help = match english(&option.help) {
            "" => String::new(),
            help => format!(". {help}"),
        };
        format!("\n    \"{}\": {}{help}", option.id, english(&option.text))
    });
    lines.collect()
}

/// Whether a judge says how sure it is of a question: of those with one value.
pub(super) fn takes_confidence(question: &Question) -> bool {
    matches!(question.answer.scale(), Scale::Nominal | Scale::Ordinal)
}

/// What the object that holds an answer looks like.
pub fn answer_shape(form: &Form) -> String {
    let mut lines =
        vec!["\"answers\": an object with the questions' names and your answers".to_owned()];
    // Confidence is asked only where it can be checked against people later.
    let sure: Vec<String> = form
        .questions
        .iter()
        .filter(|question| takes_confidence(question))
        .map(|question| format!("\"{}\"", question.id))
        .collect();
    if !sure.is_empty() {
        lines.push(format!(
            "\"confidence\": an object with how probable it is that your answer is right, a number from 0 to 1, for {}",
            sure.join(", ")
        ));
    }
    if form.questions.iter().any(|question| question.evidence != Evidence::None) {
        // Sides are named as the model saw them, which may be the other way round than in the item.
        let design = match form.about {
            crate::label::ItemKind::Pair => "\"design\" (\"left\" or \"right\"), ",
            _ => "",
        };
        lines.push(format!(
            "\"evidence\": an object with a list of places for each question that has any: objects with {design}\
             \"step\" (a number), \"layer\" (its name) or \"region\" (left, top, width and height in pixels), as \
             far as they apply"
        ));
    }
    lines.push("\"note\": what else there is to say, in a sentence; may be left out".to_owned());
    format!("- {}", lines.join("\n- "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_forms;

    #[test]
    fn every_question_and_every_option_of_every_form_is_named() {
        for form in builtin_forms() {
            let words = questions_in_words(form, &["a", "b"]);
            for question in &form.questions {
                assert!(words.contains(&format!("- \"{}\": ", question.id)), "{words}");
                for option in question.answer.options() {
                    assert!(words.contains(&format!("\"{}\": ", option.id)), "{words}");
                }
                let sure = answer_shape(form).contains("\"confidence\"");
                assert!(sure || !takes_confidence(question), "{}", form.id);
            }
        }
    }
}

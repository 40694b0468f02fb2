//! Reading a yes or a no out of an answer.

/// Whether the published evaluator counts an answer as yes: trimmed and in lower case it must be
/// exactly `yes`, `true`, `t` or `y`. Everything else is no, `Yes.` included.
///
/// Source: dayeonki/designbench, evaluation/evaluation_execution.py, eval_vqa.
pub fn counts_as_published(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "yes" | "true" | "t" | "y")
}

/// The yes or no that an answer holds; `None` if it says neither, or both.
///
/// The first word decides if it is one of `yes`, `true`, `t`, `y`, `no`, `false`, `f`, `n`, whatever
/// follows (`Yes, the title is centred`). Else the answer must hold only one of `yes` and `no` as a
/// word (`The answer is **no**.`).
pub fn parse_yes_no(answer: &str) -> Option<bool> {
    let lower = answer.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words().next()?;
    if let Some(decided) = decides(first) {
        return Some(decided);
    }
    match (words().any(|word| word == "yes"), words().any(|word| word == "no")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn decides(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" | "t" | "y" => Some(true),
        "no" | "false" | "f" | "n" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bare_word_is_a_yes_as_published() {
        for yes in ["Yes", " yes\n", "TRUE", "t", "Y"] {
            assert!(counts_as_published(yes), "{yes}");
        }
        for no in ["Yes.", "yes, it is", "No", "", "1"] {
            assert!(!counts_as_published(no), "{no}");
        }
    }

    #[test]
    fn the_first_word_decides_whatever_follows() {
        assert_eq!(parse_yes_no("Yes, there is no doubt."), Some(true));
        assert_eq!(parse_yes_no("**No** — although yes in part"), Some(false));
        assert_eq!(parse_yes_no("\"True\""), Some(true));
    }

    #[test]
    fn a_lone_yes_or_no_within_a_sentence_counts() {
        assert_eq!(parse_yes_no("The answer is: no."), Some(false));
        assert_eq!(parse_yes_no("Answer: Yes"), Some(true));
    }

    #[test]
    fn neither_and_both_are_no_answer() {
        for answer in ["", "?!", "It might be.", "Answer: yes or no", "nothing", "yesterday"] {
            assert_eq!(parse_yes_no(answer), None, "{answer}");
        }
    }
}

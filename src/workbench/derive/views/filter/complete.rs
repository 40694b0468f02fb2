//! How a filter that is being typed may go on.

use std::ops::Range;

use super::field::contains;
use super::names::FieldNames;
use super::parse::{FIELDS, IMPORTED, NUMBERS, allowed, is_one_name, is_or, metric_names, split};
use crate::environment::ToolCategory;
use crate::metric::VariantSpec;

/// Most ways that are given.
pub(in crate::workbench) const MOST_WAYS: usize = 12;
/// Most values of a field that are looked at.
const MOST_VALUES: usize = 400;
/// What is offered before anything is typed.
const FIRST: [&str; 8] =
    ["model:", "tool:", "error:any", "ssim<", "state:failed", "label:", "is:starred", "step:"];

/// A filter that is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workbench) struct Typed<'a> {
    /// All before the last term.
    pub(in crate::workbench) head: &'a str,
    /// Of that the alternatives before its own, if there are any.
    pub(in crate::workbench) earlier: Option<&'a str>,
    /// And what stands before it in its own.
    pub(in crate::workbench) before: &'a str,
    /// The last term, as far as it is typed; empty after a space.
    pub(in crate::workbench) term: &'a str,
}

/// Divides the term that is being typed, at the end, from those before it; `None` if those are not to be read.
pub(in crate::workbench) fn typed(text: &str) -> Option<Typed<'_>> {
    let (mut start, mut is_quoted) = (0, false);
    for (at, letter) in text.char_indices() {
        is_quoted ^= letter == '"';
        if letter.is_whitespace() && !is_quoted {
            start = at + letter.len_utf8();
        }
    }
    let (head, term) = text.split_at(start);
    let is_or = |span: &Range<usize>| head.get(span.clone()).is_some_and(is_or);
    let or = split(head).ok()?.into_iter().rfind(is_or);
    let (earlier, before) = match or {
        // It stands between two terms.
        Some(or) if head[..or.start].trim().is_empty() => return None,
        Some(or) => (Some(&head[..or.start]), &head[or.end..]),
        None => (None, head),
    };
    Some(Typed { head, earlier, before, term })
}

/// The names there are of numbers, beside those that are always there.
#[derive(Clone, Copy, Debug)]
pub(in crate::workbench) struct KnownNames<'a> {
    /// What scores are measured by.
    pub(in crate::workbench) variants: &'a [VariantSpec],
    /// What others called the scores of runs that were imported.
    pub(in crate::workbench) imported: &'a [String],
}

/// How a term may go on: whole terms, and fields that want a value, of which `names` says what there is in its field.
pub(in crate::workbench) fn suggested(
    term: &str,
    known: KnownNames<'_>,
    names_in: Option<&FieldNames<'_>>,
) -> Vec<String> {
    let values = || names_in.map(|names| names.values(MOST_VALUES)).unwrap_or_default();
    let (sign, body) = match term.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", term),
    };
    let mut found = if body.is_empty() {
        FIRST.map(str::to_owned).to_vec()
    } else if let Some(of_step) = body.strip_prefix("step:") {
        let terms = of_step_terms(of_step, &values);
        terms.into_iter().map(|term| format!("step:{term}")).collect()
    } else if let Some((name, typed)) = body.split_once(':') {
        with_values(name, typed, &values)
    } else {
        names(body, known)
    };
    // What is typed already is no way to go on.
    found.retain(|it| it != body);
    found.truncate(MOST_WAYS);
    found.into_iter().map(|it| format!("{sign}{it}")).collect()
}

fn names(start: &str, known: KnownNames<'_>) -> Vec<String> {
    let start = start.to_lowercase();
    let fields = FIELDS.iter().map(|(name, ..)| format!("{name}:"));
    let numbers = NUMBERS.iter().map(|(name, _)| format!("{name}>"));
    let metrics = metric_names(known.variants).map(|name| format!("{name}<"));
    let imported = known.imported.iter().filter(|name| is_one_name(name));
    let imported = imported.map(|name| format!("{IMPORTED}{name}<"));
    let all = fields.chain(["step:".to_owned()]).chain(numbers).chain(metrics).chain(imported);
    let mut found: Vec<String> =
        all.filter(|name| name.to_lowercase().starts_with(&start)).collect();
    found.dedup();
    found
}

fn of_step_terms<'v>(body: &str, values: &impl Fn() -> Vec<&'v str>) -> Vec<String> {
    match body.split_once(':') {
        Some(("work", typed)) => {
            let words = ToolCategory::ALL.into_iter().map(ToolCategory::label);
            let words = words.filter(|word| word.starts_with(typed));
            words.map(|word| format!("work:{word}")).collect()
        }
        Some((name, typed)) => with_values(name, typed, values),
        None => ["tool:", "error:any", "work:", "expert:", "turn>", "step>", "change<"]
            .into_iter()
            .filter(|name| name.starts_with(body))
            .map(str::to_owned)
            .collect(),
    }
}

fn with_values<'v>(name: &str, typed: &str, values: &impl Fn() -> Vec<&'v str>) -> Vec<String> {
    let field = FIELDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    let Some((name, field, _)) = field else { return Vec::new() };
    // After a comma another value of the same field.
    let (before, start) = match typed.rfind(',') {
        Some(at) => typed.split_at(at + 1),
        None => ("", typed),
    };
    let words = allowed(*field);
    let words = if words.is_empty() { values() } else { words };
    let start = start.replace('"', "").to_lowercase();
    let fitting = words.into_iter().filter(|word| {
        let is_given = before.split(',').any(|given| given.eq_ignore_ascii_case(word));
        contains(word, &start) && !is_given
    });
    let mut fitting: Vec<&str> = fitting.collect();
    // What begins so is more likely meant than what only holds it.
    fitting.sort_by_key(|word| !word.to_lowercase().starts_with(&start));
    fitting.into_iter().map(|word| format!("{name}:{before}{}", quoted(word))).collect()
}

/// A value as a term has it.
pub(in crate::workbench) fn quoted(value: &str) -> String {
    let is_plain = !value.contains(|letter: char| letter.is_whitespace() || letter == ',');
    if is_plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::derive::views::Filter;
    use crate::workbench::derive::views::filter::field::FilterField;
    use crate::workbench::model::Variants;

    /// As of runs that have these names in the field that a term names.
    fn went_on(term: &str, known: KnownNames<'_>) -> Vec<String> {
        let mut names = FieldNames::of_term(term, std::iter::empty());
        if let Some(names) = &mut names {
            let met: &[&str] = match names.field {
                FilterField::Model => &["gpt-4.1", "gpt-4o", "gemini 2.5"],
                FilterField::Tool => &["create_text"],
                _ => &[],
            };
            for name in met {
                names.add_name(name, true);
            }
        }
        suggested(term, known, names.as_ref())
    }

    #[test]
    fn a_term_goes_on_with_fields_and_then_with_what_is_in_them() {
        let plain = |before, term| Some(Typed { head: before, earlier: None, before, term });
        assert_eq!(typed("a \"b c"), plain("a ", "\"b c"));
        assert_eq!(typed("a "), plain("a ", ""));
        assert_eq!(typed("a \"b or c\" "), plain("a \"b or c\" ", ""));
        assert_eq!((typed("or b"), typed("a or")), (None, plain("a ", "or")));
        let (head, earlier) = ("a OR b or c ", Some("a OR b "));
        assert_eq!(typed("a OR b or c d"), Some(Typed { head, earlier, before: " c ", term: "d" }));
        let (head, earlier) = ("a or ", Some("a "));
        assert_eq!(typed("a or "), Some(Typed { head, earlier, before: " ", term: "" }));
        let (variants, imported) = (Variants::default(), ["Grade", "two words"].map(str::to_owned));
        let known = KnownNames { variants: &variants, imported: &imported };
        for (term, ways) in [
            ("mod", &["model:", "mode:"][..]),
            ("model:gp", &["model:gpt-4.1", "model:gpt-4o"]),
            ("-model:gpt-4o,gem", &["-model:gpt-4o,\"gemini 2.5\""]),
            ("step:tool:c", &["step:tool:create_text"]),
            ("imported.g", &["imported.Grade<"]),
            ("imp", &["imported.Grade<"]),
            ("nothing:x", &[]),
        ] {
            assert_eq!(went_on(term, known), ways, "{term}");
        }
        assert_eq!(went_on("error:n", known)[0], "error:none");
        assert!(!went_on("", known).is_empty());
    }

    #[test]
    fn whatever_is_suggested_is_a_filter_or_wants_a_value() {
        let (variants, imported) = (Variants::default(), ["Grade".to_owned()]);
        let known = KnownNames { variants: &variants, imported: &imported };
        for start in ["", "s", "c", "i", "state:", "error:", "type:", "is:", "step:", "step:work:"]
        {
            for term in went_on(start, known) {
                let wants = term.ends_with([':', '<', '>']);
                assert!(wants || Filter::parse(&term, &variants).is_ok(), "{term}");
                let finished = if term.ends_with(':') { "x" } else { "1" };
                let is_closed = ["state:", "type:", "is:", "error:", "step:", "step:work:"];
                if wants && !is_closed.contains(&term.as_str()) {
                    let whole = format!("{term}{finished}");
                    assert!(Filter::parse(&whole, &variants).is_ok(), "{term}");
                }
            }
        }
    }
}

//! Reading a filter.

use std::collections::BTreeSet;
use std::ops::Range;

use super::field::{FilterField, KINDS, MARKS};
use super::term::{
    ComparisonOperator, FilterName, FilterNumber, FilterTerm, StepNumber, StepTest, Test,
};
use crate::environment::ToolCategory;
use crate::evaluate::{Failed, PrimaryMetric};
use crate::metric::VariantSpec;

/// Fields of text, with an example of each.
pub(super) const FIELDS: [(&str, FilterField, &str); 16] = [
    ("label", FilterField::Label, "text_overflow"),
    ("type", FilterField::Kind, "replication"),
    ("agent", FilterField::Agent, "tracer"),
    ("model", FilterField::Model, "gpt-4.1"),
    ("mode", FilterField::Mode, "multi_turn"),
    ("state", FilterField::State, "failed"),
    ("set", FilterField::Set, "samples"),
    ("task", FilterField::Task, "gid6-27"),
    ("category", FilterField::Category, "profile"),
    ("difficulty", FilterField::Difficulty, "easy"),
    ("tag", FilterField::Tag, "dark"),
    ("is", FilterField::Is, "starred"),
    ("tool", FilterField::Tool, "set_layout_mode"),
    ("error", FilterField::Error, "any"),
    ("experiment", FilterField::Experiment, "warm"),
    ("folder", FilterField::Folder, "runs/warm"),
];
/// Numbers that are no scores.
pub(super) const NUMBERS: [(&str, FilterNumber); 11] = [
    ("preferred", FilterNumber::Preferred),
    ("ndec", FilterNumber::Ndec),
    ("labels", FilterNumber::Answers),
    ("steps", FilterNumber::Steps),
    ("turns", FilterNumber::Turns),
    ("calls", FilterNumber::Calls),
    ("failures", FilterNumber::Failures),
    ("tools", FilterNumber::Tools),
    ("cost", FilterNumber::Cost),
    ("seconds", FilterNumber::Seconds),
    ("tokens", FilterNumber::Tokens),
];
const STEP_FIELDS: [&str; 4] = ["tool", "error", "work", "expert"];
const STEP_NUMBERS: [(&str, StepNumber); 3] =
    [("step", StepNumber::Step), ("turn", StepNumber::Turn), ("change", StepNumber::Change)];
pub(super) const STATES: [&str; 8] =
    ["live", "finished", "cancelled", "failed", "interrupted", "damaged", "imported", "unreadable"];
/// What stands before the name of a score that others gave.
pub(super) const IMPORTED: &str = "imported.";
/// What ends a name, and says how it is compared.
const OPERATORS: [char; 5] = [':', '<', '>', '=', '"'];
/// What stands between two alternatives.
const OR: &str = "or";

/// What is wrong with a filter, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FilterError {
    /// What is wrong and what would be right.
    pub message: String,
    /// The term it is in, in bytes of the text.
    pub span: Range<usize>,
}

/// Names of metrics, each once, and ids of all variants.
pub(super) fn metric_names(variants: &[VariantSpec]) -> impl Iterator<Item = &str> {
    let mut seen = BTreeSet::new();
    let mut names: Vec<&str> = variants.iter().map(VariantSpec::metric).collect();
    // Variants of one metric need not stand together: those by a network come behind all others.
    names.retain(|name| seen.insert(*name));
    names.into_iter().chain(variants.iter().map(|variant| &*variant.id))
}

/// The terms, and where among them another alternative begins.
pub(super) fn read(
    text: &str,
    variants: &[VariantSpec],
) -> Result<(Vec<FilterTerm>, Vec<usize>), FilterError> {
    let (mut terms, mut starts) = (Vec::new(), Vec::new());
    let mut open: Option<Range<usize>> = None;
    for span in split(text)? {
        if !text.get(span.clone()).is_some_and(is_or) {
            open = None;
            terms.push(parse_term(text, span, variants)?);
        // It stands between two terms: alone, first or twice in a row it says nothing.
        } else if terms.is_empty() || open.is_some() {
            return Err(alone(span));
        } else {
            starts.push(terms.len());
            open = Some(span);
        }
    }
    match open {
        Some(span) => Err(alone(span)),
        None => Ok((terms, starts)),
    }
}

/// Whether a word divides alternatives.
pub(super) fn is_or(word: &str) -> bool {
    word.eq_ignore_ascii_case(OR)
}

fn alone(span: Range<usize>) -> FilterError {
    let message = "`or` stands between two terms; to look for the word, quote it".to_owned();
    FilterError { message, span }
}

/// Spans of terms: divided by white space outside of quotes.
pub(super) fn split(text: &str) -> Result<Vec<Range<usize>>, FilterError> {
    let (mut spans, mut start, mut quote) = (Vec::new(), None, None);
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && quote.is_none() {
            spans.extend(start.take().map(|start| start..at));
            continue;
        }
        start.get_or_insert(at);
        // A quote may stand within a term: `agent:"a b"`.
        if letter == '"' {
            quote = if quote.is_some() { None } else { Some(at) };
        }
    }
    if let Some(at) = quote {
        let message = "a quote is opened and not closed: add \" at the end".to_owned();
        return Err(FilterError { message, span: at..text.len() });
    }
    spans.extend(start.map(|start| start..text.len()));
    Ok(spans)
}

fn parse_term(
    text: &str,
    span: Range<usize>,
    variants: &[VariantSpec],
) -> Result<FilterTerm, FilterError> {
    let term = text.get(span.start..span.end).unwrap_or_default();
    let (negated, body) = match term.strip_prefix('-') {
        // A dash alone is being typed, and is looked for like any word.
        Some(rest) if !rest.is_empty() => (true, rest),
        _ => (false, term),
    };
    match parse_test(body, variants) {
        Ok(test) => {
            Ok(FilterTerm { span, is_field: !matches!(test, Test::Words(_)), negated, test })
        }
        Err(message) => Err(FilterError { message, span }),
    }
}

fn parse_test(body: &str, variants: &[VariantSpec]) -> Result<Test, String> {
    // An operator at the very start has no name before it: then all of it is words.
    let operator = body.find(OPERATORS).filter(|at| *at > 0);
    let Some((name, rest)) = operator.map(|at| body.split_at(at)) else {
        return Ok(Test::Words(unquoted(body)));
    };
    if let Some((path, sign)) = setting_path(name).zip(rest.chars().next())
        && (sign == ':' || sign == '=')
    {
        return parse_setting(path, rest.get(1..).unwrap_or_default(), sign == '=');
    }
    if let Some(score) = name.strip_prefix(IMPORTED).filter(|score| !score.is_empty()) {
        return parse_imported(score, rest);
    }
    match rest.strip_prefix(':') {
        Some(of_step) if name.eq_ignore_ascii_case("step") => parse_step(of_step).map(Test::Step),
        Some(values) => {
            let (field, values) = parse_field(name, values, variants)?;
            Ok(Test::Field(field, values))
        }
        None if rest.starts_with('"') => Ok(Test::Words(unquoted(body))),
        None => match rest.strip_prefix('=').filter(|_| field_of(name).is_some()) {
            Some(values) => {
                let (field, mut values) = parse_field(name, values, variants)?;
                values.sort_unstable();
                Ok(Test::Exact(field, values))
            }
            None => parse_comparison(name, rest, variants),
        },
    }
}

/// The path of a setting, from a name such as `settings.model.temperature`.
fn setting_path(name: &str) -> Option<&str> {
    name.strip_prefix("settings.").filter(|path| !path.is_empty())
}

fn parse_setting(path: &str, values: &str, is_exact: bool) -> Result<Test, String> {
    let values = values_of(values);
    if values.is_empty() {
        return Err(format!("`settings.{path}` needs a value, such as settings.{path}=0.5"));
    }
    Ok(Test::Named { of: FilterName::Setting(path.to_owned()), values, is_exact })
}

/// Whether a name can stand in a filter.
pub(super) fn is_one_name(name: &str) -> bool {
    !name.contains(|letter: char| letter.is_whitespace() || OPERATORS.contains(&letter))
}

/// What others scored: a number that is compared, or words, which are or hold others as settings do.
fn parse_imported(name: &str, rest: &str) -> Result<Test, String> {
    // A number is compared as one, whatever way the record wrote it.
    let exact = rest.strip_prefix('=').filter(|value| value.parse::<f64>().is_err());
    let Some(values) = exact.or(rest.strip_prefix(':')) else {
        let (comparison, value) = parse_sign(&format!("{IMPORTED}{name}"), rest, "0.75")?;
        return Ok(Test::Number(FilterNumber::Imported(name.to_owned()), comparison, value));
    };
    let values = values_of(values);
    if values.is_empty() {
        return Err(format!("`{IMPORTED}{name}` needs a value, such as {IMPORTED}{name}>=0.5"));
    }
    let of = FilterName::Imported(name.to_owned());
    Ok(Test::Named { of, values, is_exact: exact.is_some() })
}

fn unquoted(text: &str) -> String {
    text.replace('"', "").to_lowercase()
}

/// The values between commas; those within quotes are no commas of ours.
fn values_of(text: &str) -> Vec<String> {
    let mut is_quoted = false;
    let parts = text.split(|letter| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    });
    parts.map(unquoted).filter(|value| !value.is_empty()).collect()
}

fn field_of(name: &str) -> Option<(FilterField, &'static str)> {
    let known = FIELDS.into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    known.map(|(_, field, example)| (field, example))
}

fn parse_field(
    name: &str,
    values: &str,
    variants: &[VariantSpec],
) -> Result<(FilterField, Vec<String>), String> {
    let (field, example) = field_of(name).ok_or_else(|| unknown(name, variants))?;
    let values = values_of(values);
    if values.is_empty() {
        return Err(format!("`{name}:` needs a value, such as {name}:{example}"));
    }
    // Said while it is typed: a misspelt state would find nothing and say nothing.
    allow(name, &values, &allowed(field))?;
    Ok((field, values))
}

/// The values a field may have; empty: any.
pub(super) fn allowed(field: FilterField) -> Vec<&'static str> {
    match field {
        FilterField::Kind => KINDS.to_vec(),
        FilterField::State => STATES.to_vec(),
        FilterField::Is => MARKS.to_vec(),
        FilterField::Error => errors(),
        _ => Vec::new(),
    }
}

fn errors() -> Vec<&'static str> {
    ["any", "none"].into_iter().chain(Failed::words()).collect()
}

fn allow(name: &str, values: &[String], allowed: &[&str]) -> Result<(), String> {
    match values.iter().find(|value| !allowed.is_empty() && !allowed.contains(&value.as_str())) {
        Some(value) => Err(format!("`{value}` is no {name}: use {}", allowed.join(", "))),
        None => Ok(()),
    }
}

fn parse_step(body: &str) -> Result<StepTest, String> {
    // A sign at the very beginning leaves no name before it.
    let operator = body.find([':', '<', '>', '=']).filter(|at| *at > 0);
    let Some((name, rest)) = operator.map(|at| body.split_at(at)) else {
        return Err(
            "`step:` asks about one step: step:tool:create_text, step:error:any, step:turn>5"
                .to_owned(),
        );
    };
    let name = name.to_lowercase();
    let Some(values) = rest.strip_prefix(':') else {
        let of = STEP_NUMBERS.iter().find(|(known, _)| *known == name);
        let of = of.map(|(_, of)| *of).ok_or_else(|| unknown_of_step(&name))?;
        let (comparison, value) = parse_sign(&format!("step:{name}"), rest, "5")?;
        return Ok(StepTest::Number(of, comparison, value));
    };
    let values = values_of(values);
    if values.is_empty() && STEP_FIELDS.contains(&name.as_str()) {
        return Err(format!("`step:{name}:` needs a value"));
    }
    let work: Vec<&str> = ToolCategory::ALL.into_iter().map(ToolCategory::label).collect();
    match name.as_str() {
        "tool" => Ok(StepTest::Tool(values)),
        "expert" => Ok(StepTest::Expert(values)),
        "error" => allow("error", &values, &errors()).map(|()| StepTest::Error(values)),
        "work" => allow("kind of work", &values, &work).map(|()| StepTest::Work(values)),
        _ => Err(unknown_of_step(&name)),
    }
}

fn unknown_of_step(name: &str) -> String {
    let numbers = STEP_NUMBERS.iter().map(|(known, _)| *known);
    let known: Vec<&str> = STEP_FIELDS.into_iter().chain(numbers).collect();
    format!("`step:{name}` is not known here: of a step use {}", known.join(", "))
}

fn parse_comparison(name: &str, rest: &str, variants: &[VariantSpec]) -> Result<Test, String> {
    let number = number_of(name, variants).ok_or_else(|| unknown(name, variants))?;
    let (comparison, value) = parse_sign(name, rest, "0.75")?;
    Ok(Test::Number(number, comparison, value))
}

fn parse_sign(name: &str, rest: &str, example: &str) -> Result<(ComparisonOperator, f64), String> {
    // The longer signs first: `<` begins `<=` too.
    let (comparison, value) = [
        ("<=", ComparisonOperator::LessOrEqual),
        (">=", ComparisonOperator::GreaterOrEqual),
        ("<", ComparisonOperator::Less),
        (">", ComparisonOperator::Greater),
        ("=", ComparisonOperator::Equal),
    ]
    .into_iter()
    .find_map(|(sign, comparison)| Some((comparison, rest.strip_prefix(sign)?)))
    .ok_or_else(|| format!("`{name}{rest}` is no comparison: write {name}<{example}"))?;
    match value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((comparison, value)),
        _ => Err(format!("`{value}` is no number: write {name}<{example}")),
    }
}

/// The number of a name: a column, a metric by its name, or a variant by its id.
fn number_of(name: &str, variants: &[VariantSpec]) -> Option<FilterNumber> {
    let lower = name.to_lowercase();
    let column = NUMBERS.iter().find(|(known, _)| *known == lower);
    if let Some((_, number)) = column {
        return Some(number.clone());
    }
    // Where a metric stands for runs, its name means the variant that does.
    let primary = [PrimaryMetric::Similarity, PrimaryMetric::Constraints];
    let stands = primary
        .iter()
        .map(|metric| metric.variant())
        .find(|id| id.split('/').next() == Some(lower.as_str()));
    if let Some(id) = stands {
        return Some(FilterNumber::Score(id.into()));
    }
    let exact = variants.iter().find(|variant| variant.id.to_lowercase() == lower);
    let first = variants.iter().find(|variant| variant.metric() == lower);
    exact.or(first).map(|variant| FilterNumber::Score(variant.id.clone()))
}

fn unknown(name: &str, variants: &[VariantSpec]) -> String {
    let fields = FIELDS.iter().map(|(known, ..)| *known);
    let numbers = NUMBERS.iter().map(|(known, _)| *known);
    let metrics: Vec<&str> = metric_names(variants).filter(|name| !name.contains('/')).collect();
    let names: Vec<&str> = fields.chain(numbers).chain(["step"]).collect();
    // A whole text pasted by mistake would push the rest of the message out of sight.
    let shown: String = name.chars().take(60).collect();
    format!(
        "`{shown}` is not known here: use {}; a metric such as {}; or quote the words",
        names.join(", "),
        metrics.iter().take(4).copied().collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_an_error_holds_another() {
        // Where ways to go on are counted, a word is found by what it holds.
        for word in errors() {
            let holding: Vec<&str> = errors().into_iter().filter(|it| it.contains(word)).collect();
            assert_eq!(holding, [word]);
        }
    }
}

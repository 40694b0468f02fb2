//! How the released evaluator tries to mend a plan that is a text.

use serde_json::Value;

/// A text as the released evaluator reads it: mended ([`mended`]) and parsed; the mended text where
/// that is no JSON. Anything else stays what it is.
///
/// Source: dayeonki/designbench, `evaluation/evaluation_workflow.py`.
pub(super) fn evaluated(stage: &Value) -> Value {
    let Value::String(text) = stage else { return stage.clone() };
    let text = mended(text);
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// Without commas before a closing bracket, and with double quotes around texts that follow a colon
/// in single ones.
///
/// Source: dayeonki/designbench, `evaluation/utils.py` (`clean_json_string`).
pub(super) fn mended(text: &str) -> String {
    with_double_quotes(&without_last_commas(text))
}

fn without_last_commas(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(',') {
        let (before, from_comma) = rest.split_at(at);
        let after = &from_comma[1..];
        mended.push_str(before);
        let bracket = after.trim_start();
        if bracket.starts_with(']') {
            rest = bracket;
        } else {
            mended.push(',');
            rest = after;
        }
    }
    mended + rest
}

fn with_double_quotes(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(": '") {
        let (before, quoted) = rest.split_at(at + 3);
        match quoted.find('\'') {
            Some(end) if end > 0 => {
                mended.push_str(&before[..at + 2]);
                mended.extend(["\"", &quoted[..end], "\""]);
                rest = &quoted[end + 1..];
            }
            // An empty text stays; without another quote there is nothing more to mend.
            Some(_) => {
                mended.push_str(before);
                rest = quoted;
            }
            None => break,
        }
    }
    mended + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_mended_as_published() {
        assert_eq!(mended("[1, 2, \n]"), "[1, 2]");
        assert_eq!(mended("[,,]"), "[,]");
        assert_eq!(mended("{\"a\": 'b', 'c': 'd'}"), "{\"a\": \"b\", 'c': \"d\"}");
        assert_eq!(mended("{\"a\": ''}"), "{\"a\": ''}");
        assert_eq!(mended("{\"a\": 'open"), "{\"a\": 'open");
    }

    #[test]
    fn what_cannot_be_mended_stays_a_text() {
        let stage = Value::from("NOT RETRIEVED");
        assert_eq!(evaluated(&stage), stage);
        assert_eq!(evaluated(&Value::from("[1,]")), serde_json::json!([1]));
    }
}

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(text: &str) -> Value {
    read_literal(text).unwrap_or_else(|error| panic!("{error}: {text}")).value
}

#[test]
fn literals_without_mistakes_are_read_without_mends() {
    for (text, value) in [
        (
            "{'a': 1, \"b\": [True, None, -2.5], 'c': ('x',)}",
            json!({"a": 1, "b": [true, null, -2.5], "c": ["x"]}),
        ),
        (r"'it\'s \\ \x41\u00e9\n'", json!("it's \\ Aé\n")),
        ("[]", json!([])),
        (" {} ", json!({})),
        ("'12'", json!("12")),
        (r#"{"size": 72, "ok": true}"#, json!({"size": 72, "ok": true})),
    ] {
        let literal = read_literal(text).unwrap();
        assert_eq!((literal.value, literal.repairs), (value, vec![]), "{text}");
    }
}

#[test]
fn every_mistake_of_the_published_rows_is_seen_through() {
    for (text, value) in [
        // Quotes inside texts.
        (
            "{'a': 'Coffee n' Chill', 'b': 'all the world's oceans'}",
            json!({"a": "Coffee n' Chill", "b": "all the world's oceans"}),
        ),
        ("['save 'x.psd'.', 'b']", json!(["save 'x.psd'.", "b"])),
        // No quote after a text.
        (
            "{'color': 'dark blue, 'placement': 'top', 'font': 'X'}",
            json!({"color": "dark blue", "placement": "top", "font": "X"}),
        ),
        // A comma in the place of a colon.
        (
            "{'placement', 'center, below', 'font': 'X'}",
            json!({"placement": "center, below", "font": "X"}),
        ),
        // No quote after a key, and before one.
        ("{'size: 'cover half', 'at': 1}", json!({"size": "cover half", "at": 1})),
        (
            "{'a': {'b': 1}, geometric_shape': {'size': 'large'}}",
            json!({"a": {"b": 1}, "geometric_shape": {"size": "large"}}),
        ),
        ("{'a': 'x', shape': 'y'}", json!({"a": "x", "shape": "y"})),
        // Brackets that are not closed, and one too many.
        ("{'a': {'b': ['c'", json!({"a": {"b": ["c"]}})),
        ("{'a': [1}", json!({"a": [1]})),
        ("[1]]", json!([1])),
        // Plans: dictionaries in quotes in a list.
        (
            "['{'id': 1, 'p': {'n': 'x'}},'{'id': 2}]",
            json!([{"id": 1, "p": {"n": "x"}}, {"id": 2}]),
        ),
        (
            "['{'id': 1, 'p': {'n': 'x'}}','{'id': 2}']",
            json!([{"id": 1, "p": {"n": "x"}}, {"id": 2}]),
        ),
        ("['[draft] title']", json!(["[draft] title"])),
        ("[\"one\ntwo\", \"it\\'s\"]", json!(["one\ntwo", "it's"])),
    ] {
        assert_eq!(read(text), value, "{text}");
    }
}

#[test]
fn what_holds_nothing_or_nests_without_end_is_refused() {
    assert_eq!(read_literal(" \n"), Err(LiteralError::Empty));
    assert_eq!(read_literal("}"), Err(LiteralError::NoValue { at: 0 }));
    let deep = "[".repeat(1000);
    assert!(matches!(read_literal(&deep), Err(LiteralError::TooDeep { .. })));
    // Each quoted bracket could begin a literal or a text, which would double with each.
    let tangled = |levels: usize| "['".repeat(levels) + &"x".repeat(100_000);
    assert_eq!(read_literal(&tangled(60)), Err(LiteralError::TooDeep { at: 65 }));
    assert!(read_literal(&tangled(30)).is_ok(), "what is not too deep is read, and soon");
}

/// Whether no text in it holds what is looked through for other values (`'[1]'`), and no number is
/// one that JSON rounds.
fn is_plain(value: &Value) -> bool {
    let is_plain_text =
        |text: &String| text.chars().all(|letter| letter.is_alphanumeric() || letter == ' ');
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => !number.is_f64(),
        Value::String(text) => is_plain_text(text),
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(fields) => {
            fields.iter().all(|(key, value)| is_plain_text(key) && is_plain(value))
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in r#"[\[\]{}()'",:\\nux0-9a TN .é-]{0,300}"#) {
        match read_literal(&text) {
            Ok(literal) => {
                let is_in_order = literal.repairs.iter().all(|repair| repair.at <= text.len());
                prop_assert!(is_in_order, "{:?}", literal.repairs);
                // What was seen in it is what its own JSON says, which needs no repair.
                if is_plain(&literal.value) {
                    let again = read_literal(&literal.value.to_string()).unwrap();
                    prop_assert_eq!(again.value, literal.value);
                    prop_assert_eq!(again.repairs, vec![]);
                }
            }
            Err(LiteralError::Empty) => prop_assert!(text.trim().is_empty()),
            Err(
                LiteralError::TooDeep { at }
                | LiteralError::TooTangled { at }
                | LiteralError::NoValue { at },
            ) => {
                prop_assert!(text.is_char_boundary(at), "{at} in {} bytes", text.len());
            }
            Err(LiteralError::TooLong) => prop_assert!(false, "{} bytes", text.len()),
        }
    }

    #[test]
    fn json_reads_as_itself(words in proptest::collection::btree_map("[a-z]{1,8}", "[a-z ]{0,12}", 0..6)) {
        let value = json!({"list": [words, 3, null, 1.5]});
        let literal = read_literal(&value.to_string()).unwrap();
        prop_assert_eq!(literal.value, value);
        prop_assert!(literal.repairs.is_empty());
    }
}

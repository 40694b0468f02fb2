//! Any sequence of calls: no panic, exact snapshots, the same bytes again.

use pentimento::base::CancelToken;
use pentimento::environment::suite::{Compat, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, PictureRequest, ToolCall};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::{Value, json};

use super::suite_with;

/// A value that a plan might give for a parameter of this name.
fn value(name: &str) -> BoxedStrategy<Value> {
    let word = |words: &'static [&'static str]| prop::sample::select(words).prop_map(Value::from);
    match name {
        "layerName" => word(&["a", "b", "c", "A ", ""]).boxed(),
        "fileName" => word(&["f", "g.psd", "f.ai", "f.png", "moon", "moon.jpg", "nothing"]).boxed(),
        "format" => word(&["psd", "ai", "indd", "png", "pdf", "jpg", "svg", "gif"]).boxed(),
        "docType" => word(&["postcard", "label", "poster", "zine"]).boxed(),
        "alignment" => word(&["left", "center", "right", "below"]).boxed(),
        "arrangement" => word(&["front", "frontward", "backward", "back", "up"]).boxed(),
        "filterType" => word(&["Sepia", "Deep Blue", "Snow"]).boxed(),
        "fontName" => word(&["Inter", "Arial Black", "Nothing Mono Italic"]).boxed(),
        "textString" => {
            word(&["words", "", "two\nlines", "\u{202e}\u{0}", "🙂", "many words to break "])
                .boxed()
        }
        "linkeURL" => word(&["https://example.org", "", "x"]).boxed(),
        _ => prop_oneof![
            8 => (-20_i64..400).prop_map(Value::from),
            2 => (-1e3..1e3_f64).prop_map(Value::from),
            1 => prop::sample::select(vec![
                json!(null), json!("12"), json!("x"), json!(1e12), json!([1]), json!("NaN"),
            ]),
        ]
        .boxed(),
    }
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    let tools: Vec<(String, Vec<String>, Vec<Value>)> =
        SuiteEnvironment::new(SuiteStart::default())
            .unwrap()
            .tools()
            .iter()
            .map(|tool| {
                let properties = tool.schema["properties"].as_object().unwrap();
                let names = properties.keys().filter(|name| *name != "expert").cloned().collect();
                let experts =
                    tool.schema["properties"]["expert"]["enum"].as_array().unwrap().clone();
                (tool.name.to_owned(), names, experts)
            })
            .collect();
    // Documents, imports and texts more often: without them nothing follows.
    let often =
        ["CreateDocumentCustom", "CreateDocument", "CreateText", "ImportObject", "SaveDocument"];
    let weighted: Vec<_> = tools
        .iter()
        .flat_map(|tool| {
            let times = if often.contains(&tool.0.as_str()) { 8 } else { 1 };
            std::iter::repeat_n(tool.clone(), times)
        })
        .collect();
    prop::sample::select(weighted).prop_flat_map(|(name, parameters, experts)| {
        let values: Vec<_> = parameters.iter().map(|name| value(name)).collect();
        (Just(name), Just(parameters), values, prop::sample::select(experts)).prop_map(
            |(name, parameters, values, expert)| {
                let mut arguments: Value =
                    parameters.into_iter().zip(values).collect::<serde_json::Map<_, _>>().into();
                arguments["expert"] = expert;
                ToolCall { id: "1".into(), name, arguments }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_calls_have_outcomes_exact_snapshots_and_the_same_bytes_again(
        calls in prop::collection::vec(any_call(), 1..60),
        compat in prop::sample::select(Compat::ALL.to_vec()),
        half in 0..60_usize,
    ) {
        let start = || suite_with(&["moon"], compat);
        let (mut first, mut second) = (start(), start());
        let mut snapshot = None;
        for (at, call) in calls.iter().enumerate() {
            if at == half.min(calls.len() - 1) {
                snapshot = Some((first.snapshot(), first.document_json(), at));
            }
            let before = first.document_json();
            let outcome = first.call(call, &CancelToken::default());
            prop_assert_eq!(&outcome, &second.call(call, &CancelToken::default()));
            prop_assert!(!outcome.is_error() || first.document_json() == before);
        }
        let end = first.document_json();
        prop_assert_eq!(&end, &second.document_json());
        let picture = first.picture(&PictureRequest::default()).unwrap().pixels;
        prop_assert!(picture == second.picture(&PictureRequest::default()).unwrap().pixels);
        let (snapshot, json, at) = snapshot.unwrap();
        first.restore(&snapshot);
        prop_assert_eq!(first.document_json(), json);
        for call in calls.iter().skip(at) {
            first.call(call, &CancelToken::default());
        }
        prop_assert_eq!(&first.document_json(), &end);
        let start = SuiteStart { state: Some(end.clone()), compat, ..SuiteStart::default() };
        let read = SuiteEnvironment::new(start).unwrap();
        prop_assert_eq!(read.document_json(), end);
    }

    #[test]
    fn arguments_of_any_shape_have_an_outcome(
        name in "[A-Za-z\\[\\], ]{0,20}",
        keys in prop::collection::vec("[a-zA-Z]{0,10}", 0..6),
        number in prop::num::f64::ANY,
    ) {
        let mut suite = suite_with(&[], Compat::GraphicBench);
        let mut arguments = json!({"expert": "Photo Editor", "parameters": keys});
        for arguments in [arguments.take(), json!(keys), json!(number), json!({"expert": number})] {
            let names = ["CreateDocumentCustom", "ImportObject", name.as_str()];
            for name in names {
                suite.call(&ToolCall { id: "1".into(), name: name.into(), arguments: arguments.clone() }, &CancelToken::default());
            }
        }
    }
}

#[test]
fn most_random_calls_do_something() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let calls = prop::collection::vec(any_call(), 200);
    let calls = calls.new_tree(&mut runner).unwrap().current();
    let mut suite = suite_with(&["moon"], Compat::Documented);
    let worked =
        calls.iter().filter(|call| !suite.call(call, &CancelToken::default()).is_error()).count();
    assert!(worked > 40, "{worked} of 200");
}

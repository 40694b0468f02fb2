//! What the tools accept and refuse.

use pentimento::environment::{Environment as _, FailureClass, ToolSpec, check_arguments};
use proptest::prelude::*;
use proptest::test_runner::TestRng;
use serde_json::{Map, Value, json};

use super::{bad, blank, call};
use crate::shared;

fn tools() -> Vec<ToolSpec> {
    blank().tools().to_vec()
}

#[test]
fn the_schemas_are_those_of_the_published_server() {
    let Some(path) = shared::path("reference/canvas-tools.json") else { return };
    let reference: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let published = reference["tools"].as_array().unwrap();
    assert_eq!(tools().len(), published.len());
    for tool in tools() {
        let there = published.iter().find(|p| p["name"] == tool.name);
        let there = there.unwrap_or_else(|| panic!("{} is not published", tool.name));
        assert_eq!(tool.schema, there["inputSchema"], "{}", tool.name);
        let keys = |value: &Value| {
            value["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        let (mut ours, mut theirs) = (keys(&tool.schema), keys(&there["inputSchema"]));
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs);
    }
}

#[test]
fn the_tools_come_in_the_published_order_with_unique_names_and_words_for_a_model() {
    let Some(path) = shared::path("reference/canvas-tools.json") else { return };
    let reference: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let names = reference["tools"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str());
    let names: Vec<&str> = names.collect();
    let ours: Vec<&str> = tools().iter().map(|tool| tool.name).collect();
    assert_eq!((ours.len(), ours), (50, names));
    assert!(tools().iter().all(|tool| tool.description.len() > 20));
}

#[test]
fn an_unknown_tool_is_named() {
    let outcome = call(&mut blank(), "make_coffee", json!({}));
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.class, FailureClass::UnknownTool);
    assert!(failure.message.contains("make_coffee"));
}

#[test]
fn every_fault_of_a_call_is_named_by_its_path() {
    let arguments = json!({
        "x": "left", "y": 1e308, "width": 10, "height": 10, "fillColor": {"r": 1.5, "g": 0, "b": 0},
        "colour": "red"
    });
    let message = bad(&mut blank(), "create_rectangle", arguments, FailureClass::BadArguments);
    for part in ["x: expected a number", "y: must lie within", "name: is missing"] {
        assert!(message.contains(part), "{message}");
    }
    for part in ["fillColor.r: must be within 0 and 1, got 1.5", "colour: is not known"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn deep_and_long_arguments_are_refused_in_a_short_message() {
    let mut deep = json!(1);
    for _ in 0..400 {
        deep = json!([deep]);
    }
    let message = bad(&mut blank(), "rename_node", deep.clone(), FailureClass::BadArguments);
    assert!(message.len() < 500);
    let arguments = json!({"nodeId": deep, "newName": "x".repeat(100_000)});
    let message = bad(&mut blank(), "rename_node", arguments, FailureClass::BadArguments);
    assert!(message.len() < 500);
    let arguments = json!({"nodeId": "y".repeat(100_000), "newName": "x"});
    let message = bad(&mut blank(), "rename_node", arguments, FailureClass::UnknownNode);
    assert!(message.len() < 500);
}

/// Arguments that fit a schema, drawn at random.
fn fitting(schema: &Value, rng: &mut TestRng) -> Value {
    match schema["type"].as_str().unwrap() {
        "object" => fitting_object(schema, rng),
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            let most = schema["maxItems"].as_u64().unwrap_or(least + 3);
            let count = rng.random_range(least..=most);
            (0..count).map(|_| fitting(&schema["items"], rng)).collect()
        }
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(-100);
            json!(rng.random_range(least..=schema["maximum"].as_i64().unwrap_or(least + 100)))
        }
        "number" => {
            let least = schema["minimum"].as_f64().unwrap_or(-1e7);
            let most = schema["maximum"].as_f64().unwrap_or(1e7);
            let number = rng.random_range(least..=most);
            if rng.random_bool(0.3) { json!(number.round() as i64) } else { json!(number) }
        }
        "string" => match schema["enum"].as_array() {
            Some(words) => words[rng.random_range(0..words.len())].clone(),
            None => json!(["", "1:2", "Text", "ü\n\u{2028}"][rng.random_range(0..4)]),
        },
        "boolean" => json!(rng.random_bool(0.5)),
        other => panic!("no {other} in these schemas"),
    }
}

fn fitting_object(schema: &Value, rng: &mut TestRng) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().unwrap();
    let mut fields = Map::new();
    for (key, property) in properties {
        if required.contains(&json!(key)) || rng.random_bool(0.5) {
            fields.insert(key.clone(), fitting(property, rng));
        }
    }
    Value::Object(fields)
}

/// A value of another type than the schema wants.
fn misfit(schema: &Value) -> Value {
    if schema["type"] == "string" { json!(7) } else { json!("seven") }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arguments_made_from_a_schema_are_accepted(seed in any::<[u8; 32]>()) {
        let mut rng = TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &seed);
        for tool in tools() {
            let arguments = fitting(&tool.schema, &mut rng);
            let errors = check_arguments(&tool.schema, &arguments);
            prop_assert!(errors.is_empty(), "{}: {errors:?} in {arguments}", tool.name);
            let judge = jsonschema::validator_for(&tool.schema).unwrap();
            prop_assert!(judge.is_valid(&arguments), "{}: {arguments}", tool.name);
        }
    }

    #[test]
    fn spoilt_arguments_are_refused_naming_the_key(seed in any::<[u8; 32]>()) {
        let mut rng = TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &seed);
        for tool in tools() {
            let mut with_extra = fitting(&tool.schema, &mut rng);
            with_extra["surplus"] = json!(1);
            refused(&tool, &with_extra, "surplus")?;
            for (key, property) in tool.schema["properties"].as_object().unwrap() {
                let mut mistyped = fitting(&tool.schema, &mut rng);
                mistyped[key] = misfit(property);
                refused(&tool, &mistyped, key)?;
                if property["minimum"].is_number() {
                    let mut too_small = fitting(&tool.schema, &mut rng);
                    too_small[key] = json!(property["minimum"].as_f64().unwrap() - 0.5);
                    refused(&tool, &too_small, key)?;
                }
                if property["maximum"].is_number() {
                    let mut too_large = fitting(&tool.schema, &mut rng);
                    too_large[key] = json!(property["maximum"].as_f64().unwrap() + 0.5);
                    refused(&tool, &too_large, key)?;
                }
            }
            for key in tool.schema["required"].as_array().into_iter().flatten() {
                let mut without = fitting(&tool.schema, &mut rng);
                without.as_object_mut().unwrap().remove(key.as_str().unwrap());
                refused(&tool, &without, key.as_str().unwrap())?;
            }
        }
    }
}

/// Both we and the independent validator refuse, and we name the key.
fn refused(tool: &ToolSpec, arguments: &Value, key: &str) -> Result<(), TestCaseError> {
    let errors = check_arguments(&tool.schema, arguments);
    prop_assert!(
        errors.iter().any(|e| e.path.starts_with(key)),
        "{}: {arguments} gave {errors:?}",
        tool.name
    );
    let judge = jsonschema::validator_for(&tool.schema).unwrap();
    prop_assert!(!judge.is_valid(arguments));
    Ok(())
}

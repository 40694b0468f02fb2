//! Which arguments of calls of the same tool differ.

use serde_json::Value;

use crate::environment::ToolCall;

/// Deepest value that is looked into.
const DEPTH: usize = 8;

/// An argument that is not the same in all calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentDifference {
    /// Its name; of one that lies in others theirs before it, with points between.
    pub name: String,
    /// By call: its value as JSON; `None` where the call has none.
    pub values: Vec<Option<String>>,
}

/// The arguments that are not the same in all of these calls, in the order of their names. Lists are one
/// argument, objects are looked into.
pub fn argument_differences(calls: &[&ToolCall]) -> Vec<ArgumentDifference> {
    let arguments: Vec<Option<&Value>> = calls.iter().map(|call| Some(&call.arguments)).collect();
    let mut found = Vec::new();
    look_into("", &arguments, DEPTH, &mut found);
    found
}

fn look_into(
    name: &str,
    values: &[Option<&Value>],
    depth: usize,
    found: &mut Vec<ArgumentDifference>,
) {
    // A call that left the argument out differs as well: it has `None` here.
    let is_same = values.windows(2).all(|two| two[0] == two[1]);
    if is_same {
        return;
    }
    // Calls without the argument do not hinder looking into those of the others.
    let are_objects = values.iter().flatten().all(|value| value.is_object());
    // Lists are compared as a whole: their items have no names by which they would go together.
    if depth == 0 || !are_objects {
        let values = values.iter().map(|value| Some((*value)?.to_string())).collect();
        found.push(ArgumentDifference { name: name.to_owned(), values });
        return;
    }
    let objects = values.iter().flatten().filter_map(|value| value.as_object());
    let mut names: Vec<&String> = objects.flat_map(|object| object.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for field in names {
        let whole = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
        let fields: Vec<Option<&Value>> =
            values.iter().map(|value| value.and_then(|value| value.get(field))).collect();
        look_into(&whole, &fields, depth - 1, found);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(arguments: Value) -> ToolCall {
        ToolCall { id: String::new(), name: "set_fill".to_owned(), arguments }
    }

    #[test]
    fn what_differs_is_named_down_to_the_field() {
        let [one, other] = [
            call(json!({ "nodeId": "1:2", "color": { "r": 1, "g": 0 }, "weight": 2 })),
            call(json!({ "nodeId": "1:2", "color": { "r": 0.5, "g": 0 }, "dashes": [1, 2] })),
        ];
        let found = argument_differences(&[&one, &other]);
        let as_text = |value: &str| Some(value.to_owned());
        let expected = [
            ("color.r", vec![as_text("1"), as_text("0.5")]),
            ("dashes", vec![None, as_text("[1,2]")]),
            ("weight", vec![as_text("2"), None]),
        ];
        let expected = expected.map(|(name, values)| {
            let name = name.to_owned();
            ArgumentDifference { name, values }
        });
        assert_eq!(found, expected);
        assert!(argument_differences(&[&one, &one.clone()]).is_empty());
        assert!(argument_differences(&[]).is_empty());
    }
}

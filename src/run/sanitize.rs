//! Events that a reader can read back: finite numbers, bounded depth.

use serde_json::{Value, json};

use crate::base::Limits;

use super::event::Event;

/// Deepest nesting of a value inside an event: the event itself takes a few levels.
const VALUE_DEPTH: usize = Limits::JSON_DEPTH - 16;

/// The event with what JSON or the reader's limits cannot hold replaced: numbers that are not
/// finite by 0 (a clock that went wrong), values that nest too deep by `{"omitted": "…"}`.
pub(super) fn sanitize(mut event: Event) -> Event {
    match &mut event {
        Event::Call { call, .. } => bound_depth(&mut call.arguments),
        Event::Outcome { structured, latency_ms, .. } => {
            if let Some(value) = structured {
                bound_depth(value);
            }
            make_finite(latency_ms);
        }
        // No cost is better than a wrong one: a sum with one NaN in it would be NaN for good.
        Event::Usage { usage, .. } => usage.cost_usd = usage.cost_usd.filter(|c| c.is_finite()),
        Event::HumanAction { detail, .. } => bound_depth(detail),
        Event::TurnEnd { seconds, .. } => make_finite(seconds),
        Event::Turn { .. }
        | Event::Thought { .. }
        | Event::Observation { .. }
        | Event::Note { .. }
        | Event::Error { .. } => {}
    }
    event
}

fn make_finite(number: &mut f64) {
    if !number.is_finite() {
        *number = 0.0;
    }
}

fn bound_depth(value: &mut Value) {
    if is_deeper_than(value, VALUE_DEPTH) {
        *value = json!({ "omitted": format!("nests deeper than {VALUE_DEPTH} levels") });
    }
}

fn is_deeper_than(value: &Value, limit: usize) -> bool {
    // By a list and not by calling itself: what nests too deep would end the stack first.
    let mut pending = vec![(value, 1)];
    while let Some((value, depth)) = pending.pop() {
        if depth > limit && (value.is_array() || value.is_object()) {
            return true;
        }
        match value {
            Value::Array(items) => pending.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => {
                pending.extend(fields.values().map(|field| (field, depth + 1)));
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_nested_brackets() {
        let value = json!([[1], { "a": [] }]);
        assert!(is_deeper_than(&value, 2));
        assert!(!is_deeper_than(&value, 3));
    }

    #[test]
    fn what_json_cannot_hold_is_replaced() {
        let event = sanitize(Event::TurnEnd { turn: 1, seconds: f64::NAN });
        assert_eq!(event, Event::TurnEnd { turn: 1, seconds: 0.0 });
        let tower = (0..=VALUE_DEPTH).fold(Value::Null, |inner, _| json!([inner]));
        let Event::HumanAction { detail, .. } =
            sanitize(Event::HumanAction { action: "drag".into(), detail: tower })
        else {
            panic!("another event came back")
        };
        assert!(detail["omitted"].is_string(), "{detail}");
    }
}

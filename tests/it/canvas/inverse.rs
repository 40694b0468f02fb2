//! Every tool at random: undoing a call gives the document that was, no call makes a bad one, and
//! the same calls give the same bytes.

use std::collections::BTreeSet;

use pentimento::base::CancelToken;
use pentimento::design::{Node, NodeKind};
use pentimento::environment::{Environment as _, ToolCall, ToolCategory, ToolSpec};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Map, Value, json};

use super::validity::validate;
use super::*;

/// Whether what a call gets may be nonsense.
#[derive(Clone, Copy, PartialEq)]
enum Manners {
    Polite,
    Hostile,
}

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'>\
    <g id='a'><path d='M1 1H9V9Z'/><circle cx='12' cy='12' r='5' fill='red'/></g></svg>";

/// Makes calls that fit the schemas, on nodes that are there.
struct Caller {
    rng: TestRng,
    manners: Manners,
    ids: Vec<String>,
}

impl Caller {
    fn new(seed: &[u8; 32], manners: Manners) -> Self {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, seed);
        Self { rng, manners, ids: Vec::new() }
    }

    /// A call of any tool; more often one that makes nodes, so that there is something to work on.
    fn any(&mut self, canvas: &CanvasEnvironment) -> ToolCall {
        let tools = canvas.tools();
        let makes = |tool: &&ToolSpec| tool.name.starts_with("create_");
        let makers: Vec<&ToolSpec> = tools.iter().filter(makes).collect();
        let tool = if canvas.document().len() < 8 || self.rng.random_bool(0.2) {
            makers[self.rng.random_range(0..makers.len())].clone()
        } else {
            tools[self.rng.random_range(0..tools.len())].clone()
        };
        self.of(canvas, &tool)
    }

    fn of(&mut self, canvas: &CanvasEnvironment, tool: &ToolSpec) -> ToolCall {
        let suits = |node: &Node| match tool.category {
            ToolCategory::Text => node.text().is_some(),
            ToolCategory::Layout => node.kind == NodeKind::Frame,
            _ => true,
        };
        let is_picky = self.rng.random_bool(0.7);
        let nodes = canvas.document().iter_depth_first();
        let nodes = nodes.filter(|node| !is_picky || suits(node));
        self.ids = nodes.map(|node| node.id.to_string()).collect();
        if self.ids.is_empty() {
            self.ids.push(canvas.start_frame().to_string());
        }
        let arguments = self.fitting("", &tool.schema);
        ToolCall { id: "c".to_owned(), name: tool.name.to_owned(), arguments }
    }

    fn fitting(&mut self, key: &str, schema: &Value) -> Value {
        match schema["type"].as_str().unwrap() {
            "object" => self.object(schema),
            "array" => {
                let least = schema["minItems"].as_u64().unwrap_or(0).max(1);
                let most = schema["maxItems"].as_u64().unwrap_or(least + 2);
                let count = self.rng.random_range(least..=most);
                (0..count).map(|_| self.fitting(key, &schema["items"])).collect()
            }
            "number" | "integer" => self.number(schema),
            "boolean" => json!(self.rng.random_bool(0.5)),
            _ => self.string(key, schema),
        }
    }

    fn object(&mut self, schema: &Value) -> Value {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut fields = Map::new();
        for (key, property) in schema["properties"].as_object().unwrap() {
            if required.contains(&json!(key)) || self.rng.random_bool(0.4) {
                fields.insert(key.clone(), self.fitting(key, property));
            }
        }
        Value::Object(fields)
    }

    fn number(&mut self, schema: &Value) -> Value {
        let hostile = [0.0, -0.0, -1.0, 1e-9, 0.01, 1e7, -1e7, 9_999_999.5, 1e300];
        if self.manners == Manners::Hostile && self.rng.random_bool(0.15) {
            return json!(hostile[self.rng.random_range(0..hostile.len())]);
        }
        let least = schema["minimum"].as_f64().unwrap_or(2.0);
        let most = schema["maximum"].as_f64().unwrap_or(least + 300.0);
        let number = self.rng.random_range(least..=most);
        let whole = schema["type"] == "integer" || self.rng.random_bool(0.5);
        if whole && number.round() >= least && number.round() <= most {
            return json!(number.round() as i64);
        }
        json!(number)
    }

    fn string(&mut self, key: &str, schema: &Value) -> Value {
        if let Some(words) = schema["enum"].as_array() {
            return words[self.rng.random_range(0..words.len())].clone();
        }
        let is_id = key.ends_with("Id") || key.ends_with("Ids");
        let wild = self.manners == Manners::Hostile && self.rng.random_bool(0.1);
        match key {
            _ if wild => json!(["", "7:777", "0:1", "\u{0}ü\u{2028}"][self.rng.random_range(0..4)]),
            "pageId" => json!("0:1"),
            _ if is_id => json!(self.ids[self.rng.random_range(0..self.ids.len())]),
            "types" => json!(["TEXT", "RECTANGLE", "FRAME"][self.rng.random_range(0..3)]),
            "svg" => json!(SVG),
            "jsonString" => json!(design()),
            "channel" => json!("1-A"),
            "family" => json!("Inter"),
            "style" => json!(["Bold", "Italic", "Thin"][self.rng.random_range(0..3)]),
            _ => json!(["Text", "two\nlines", "ü"][self.rng.random_range(0..3)]),
        }
    }
}

/// Makes calls of every tool, now and then with nonsense in them.
pub(crate) struct HostileCaller(Caller);

impl HostileCaller {
    pub(crate) fn new(seed: &[u8; 32]) -> Self {
        Self(Caller::new(seed, Manners::Hostile))
    }

    pub(crate) fn next(&mut self, canvas: &CanvasEnvironment) -> ToolCall {
        self.0.any(canvas)
    }
}

/// A design with kinds that no tool makes.
fn design() -> String {
    let at = json!({"x": 20, "y": 10, "width": 30, "height": 40});
    json!({"name": "file", "styles": {}, "document": {
        "id": "3:1", "name": "Screen", "type": "FRAME",
        "absoluteBoundingBox": {"x": 5, "y": 6, "width": 300, "height": 400},
        "children": [
            {"id": "3:2", "name": "i", "type": "INSTANCE", "absoluteBoundingBox": at, "children": []},
            {"id": "3:3", "name": "s", "type": "SECTION", "absoluteBoundingBox": at, "children": [
                {"id": "3:4", "name": "c", "type": "SLICE", "absoluteBoundingBox": at}]},
            {"id": "3:5", "name": "w", "type": "WIDGET", "absoluteBoundingBox": at},
            {"id": "3:6", "name": "t", "type": "TEXT", "absoluteBoundingBox": at,
             "characters": "hello", "style": {"fontFamily": "Inter", "fontSize": 12,
             "textAutoResize": "WIDTH_AND_HEIGHT"}}
        ]
    }})
    .to_string()
}

/// A canvas with something on it, half the time with auto layout in its frames.
fn filled(caller: &mut Caller, calls: usize) -> CanvasEnvironment {
    let mut canvas = blank();
    let makers: Vec<ToolSpec> = canvas.tools().to_vec();
    let makers: Vec<&ToolSpec> =
        makers.iter().filter(|tool| tool.name.starts_with("create_")).collect();
    for at in 0..calls {
        let call = caller.of(&canvas, makers[at % makers.len()]);
        canvas.call(&call, &CancelToken::default());
    }
    if caller.rng.random_bool(0.5) {
        let frames =
            canvas.document().iter_depth_first().filter(|node| node.kind == NodeKind::Frame);
        let frames: Vec<String> = frames.map(|node| node.id.to_string()).collect();
        for frame in frames {
            let arguments = json!({"nodeId": frame, "layoutMode": "HORIZONTAL"});
            good(&mut canvas, "set_layout_mode", arguments);
        }
    }
    canvas
}

/// Where two JSON values first differ, as a pointer with both values.
fn first_difference(a: &Value, b: &Value) -> Option<String> {
    let within = |key: String, inner: String| format!("/{key}{inner}");
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let mut pairs = a.iter().zip(b.values());
            pairs.find_map(|((key, a), b)| Some(within(key.clone(), first_difference(a, b)?)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(at, (a, b))| Some(within(at.to_string(), first_difference(a, b)?)))
        }
        _ => (a != b).then(|| format!(": {a} != {b}")),
    }
}

/// Makes a call and checks that what it changed can be undone and done again. Gives whether it
/// worked.
fn check_call(canvas: &mut CanvasEnvironment, call: &ToolCall) -> Result<bool, TestCaseError> {
    let (before, before_json) = (canvas.document().clone(), canvas.document_json());
    let outcome = canvas.call(call, &CancelToken::default());
    prop_assert_eq!(outcome.is_error(), outcome.structured.is_none());
    if let Err(fault) = validate(canvas.document()) {
        return Err(TestCaseError::fail(format!("{call:?}: {fault}")));
    }
    let Some(edit) = canvas.last_edit().cloned() else {
        prop_assert!(*canvas.document() == before, "{call:?} changed without an edit");
        return Ok(!outcome.is_error());
    };
    prop_assert!(!outcome.is_error(), "{call:?} failed but changed");
    let (state, after, after_json) =
        (canvas.snapshot(), canvas.document().clone(), canvas.document_json());
    canvas.apply(&edit.inverse());
    prop_assert!(*canvas.document() == before, "{call:?} is not undone");
    let differs = first_difference(&before_json, &canvas.document_json());
    prop_assert_eq!(differs, None, "{:?} is not undone in JSON", call);
    canvas.apply(&edit);
    prop_assert!(*canvas.document() == after, "{call:?} is not done again");
    let differs = first_difference(&after_json, &canvas.document_json());
    prop_assert_eq!(differs, None, "{:?} is not done again in JSON", call);
    canvas.restore(&state);
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn undoing_a_call_of_any_tool_gives_the_document_that_was(seed in any::<[u8; 32]>()) {
        let mut caller = Caller::new(&seed, Manners::Polite);
        let canvas = filled(&mut caller, 12);
        let start = canvas.snapshot();
        let mut canvas = canvas;
        for tool in canvas.tools().to_vec() {
            canvas.restore(&start);
            let call = caller.of(&canvas, &tool);
            check_call(&mut canvas, &call)?;
        }
    }

    #[test]
    fn no_sequence_of_calls_makes_a_bad_document(
        seed in any::<[u8; 32]>(), count in 1usize..=60, hostile in any::<bool>()
    ) {
        let manners = if hostile { Manners::Hostile } else { Manners::Polite };
        let mut caller = Caller::new(&seed, manners);
        let mut canvas = blank();
        let mut calls = Vec::new();
        for _ in 0..count {
            let call = caller.any(&canvas);
            check_call(&mut canvas, &call)?;
            calls.push(call);
        }
        let mut again = blank();
        for call in &calls {
            again.call(call, &CancelToken::default());
        }
        let bytes = |canvas: &CanvasEnvironment| serde_json::to_vec(&canvas.document_json()).unwrap();
        prop_assert!(bytes(&again) == bytes(&canvas), "the same calls gave other bytes");
    }
}

#[test]
fn a_call_done_again_leaves_the_screen_that_it_had_left() {
    let mut canvas = blank();
    let rectangle =
        json!({"x": 0, "y": 0, "width": 9, "height": 9, "name": "r", "parentId": "0:1"});
    good(&mut canvas, "create_rectangle", rectangle);
    let screen = canvas.start_frame().to_string();
    good(&mut canvas, "delete_node", json!({"nodeIds": [screen]}));
    let frame = json!({"x": 0, "y": 0, "width": 50, "height": 50, "name": "f", "parentId": "0:1"});
    good(&mut canvas, "create_frame", frame);
    let (edit, after) = (canvas.last_edit().unwrap().clone(), canvas.document_json());
    canvas.apply(&edit.inverse());
    assert_ne!(canvas.document_json(), after);
    canvas.apply(&edit);
    assert_eq!(canvas.document_json(), after);
}

#[test]
fn each_tool_works_on_some_random_document() {
    let mut worked = BTreeSet::new();
    let mut seed = [0; 32];
    for round in 0..60 {
        seed[0] = round;
        let mut caller = Caller::new(&seed, Manners::Polite);
        let mut canvas = filled(&mut caller, 14);
        let start = canvas.snapshot();
        for tool in canvas.tools().to_vec() {
            if !worked.contains(tool.name) {
                canvas.restore(&start);
                let call = caller.of(&canvas, &tool);
                if check_call(&mut canvas, &call).unwrap() {
                    worked.insert(tool.name);
                }
            }
        }
    }
    let missing: Vec<_> = blank()
        .tools()
        .iter()
        .map(|tool| tool.name)
        .filter(|name| !worked.contains(name))
        .collect();
    assert_eq!(missing, [""; 0], "{} of 50 worked", worked.len());
}

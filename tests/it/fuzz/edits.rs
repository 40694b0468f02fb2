//! Edits of a run's calls as a file or somebody's hand may have them: planned, made, saved, read back.

use std::collections::BTreeMap;
use std::sync::Arc;

use pentimento::environment::open_environment;
use pentimento::evaluate::what_if::{
    Base, Branch, Looks, SaveBranch, branch_manifest, save_branch, turns_of,
};
use pentimento::run::{CallEdit, reader};
use serde_json::{Value, json};

use super::campaign;
use crate::what_if::{colour, never, picture, recorded, rectangle};

fn corpus() -> Vec<Value> {
    let text = json!({"x": 5, "y": 5, "text": "Hello", "fontSize": 12, "name": "T"});
    vec![
        json!([{"edit": "drop", "step": 1}, {"edit": "move", "step": 3, "after": 0}]),
        json!([
            {"edit": "replace", "step": 2, "arguments": {"x": 60, "y": 10, "width": 20, "height": 20}},
            {"edit": "insert", "after": 2, "name": "create_text", "arguments": text},
        ]),
        json!([
            {"edit": "insert", "after": 0, "name": "delete_node", "arguments": {"nodeId": "2:1"}},
            {"edit": "insert", "after": 4, "name": "no_such_tool", "arguments": {}},
            {"edit": "drop", "step": 4},
        ]),
    ]
}

#[test]
fn what_if_edits() {
    let dir = tempfile::tempdir().unwrap();
    let calls =
        [rectangle(10.0, "A"), rectangle(50.0, "B"), rectangle(90.0, "C"), colour("2:1", 0.9)];
    let run = Arc::new(recorded(dir.path(), &calls));
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let corpus = corpus();
    campaign(
        "what-if-edits",
        |mutator| mutator.json(&corpus),
        |input| {
            let Ok(Value::Array(edits)) = serde_json::from_slice(input) else { return };
            let edits: Vec<CallEdit> =
                edits.into_iter().filter_map(|edit| serde_json::from_value(edit).ok()).collect();
            let Ok(planned) = base.planned(&edits) else { return };
            let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
            branch.run(&planned, &never(), |_, _| ()).unwrap();
            assert_eq!(branch.steps().len(), planned.len());
            drop(picture(branch.environment()));
            let out = tempfile::tempdir().unwrap();
            let now = "2026-01-01T00:00:00Z";
            let order = SaveBranch {
                dir: out.path(),
                manifest: &branch_manifest(&run, edits, now),
                calls: &planned,
                turns: &turns_of(&base, &planned),
                thoughts: &BTreeMap::new(),
                now,
            };
            save_branch(&order, &base, &open_environment, &never()).unwrap();
            let read = reader::open(out.path()).unwrap();
            assert_eq!((read.torn, read.steps.len()), (None, planned.len()));
        },
    );
}

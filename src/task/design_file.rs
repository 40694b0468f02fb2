//! A Figma document opened by itself: one task, to replicate it.

use std::path::Path;

use serde_json::{Map, Value};

use crate::base::{Limits, parse_json, read_file_limited};

use super::artifact::frame_size;
use super::instruction;
use super::model::{Artifact, Task, TaskKind, TaskSet};

/// The task of replicating the design in a file; `None` if the file is not JSON or holds no node.
///
/// The set's id is `design-` and the file's name, so that runs of it find it again.
pub(super) fn read(path: &Path) -> Option<TaskSet> {
    if !path.is_file() || path.extension()? != "json" {
        return None;
    }
    let bytes = read_file_limited(path, Limits::JSON_BYTES).ok()?;
    let json: Value = parse_json(&bytes).ok()?;
    if !json.as_object().is_some_and(is_design) {
        return None;
    }
    let name = path.file_stem()?.to_str()?.to_owned();
    let document = std::path::absolute(path).ok()?;
    let task = Task {
        id: name.clone(),
        environment: "canvas".to_owned(),
        kind: TaskKind::Replication,
        instruction: instruction::for_pictures(TaskKind::Replication, &name),
        start: None,
        ground_truth: Some(Artifact { document: Some(document.clone()), picture: None }),
        canvas_size: frame_size(&json),
        reference_tools: Vec::new(),
        category: None,
        difficulty: None,
        tags: Vec::new(),
        checks: None,
        given: Vec::new(),
        brief: None,
    };
    let dir = document.parent()?.to_path_buf();
    Some(TaskSet { id: format!("design-{name}"), name, dir, tasks: vec![task] })
}

/// Whether this is a file, a `nodes` answer or a node, told from its first fields.
fn is_design(json: &Map<String, Value>) -> bool {
    let is_node = |value: &Value| value.get("type").is_some_and(Value::is_string);
    json.get("document").is_some_and(is_node)
        || json.get("nodes").is_some_and(Value::is_object)
        || (json.get("type").is_some_and(Value::is_string) && json.contains_key("id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;

    #[test]
    fn a_figma_document_is_a_task_and_other_json_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let node = r#"{"id": "1:1", "type": "FRAME", "name": "Card", "children": [],
            "absoluteBoundingBox": {"x": 7, "y": 8, "width": 300, "height": 200}}"#;
        let set = read(&write("card.json", node)).unwrap();
        assert_eq!((set.id.as_str(), set.tasks.len()), ("design-card", 1));
        assert!(set.tasks[0].ground_truth.as_ref().unwrap().document.is_some());
        assert_eq!(set.tasks[0].canvas_size, Some(Size::new(300.0, 200.0)));
        let file = format!(r#"{{"document": {node}}}"#);
        assert!(read(&write("file.json", &file)).is_some());
        assert!(read(&write("other.json", r#"{"format": "pentimento/run"}"#)).is_none());
        assert!(read(&write("broken.json", "{")).is_none());
        assert!(read(&write("card.txt", node)).is_none());
    }
}

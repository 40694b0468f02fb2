//! A Figma document opened by itself: one task, to replicate it.

use std::path::Path;
use std::sync::Arc;

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
    // A run of it is replayed later, from whatever folder the program is started in then.
    let document = std::path::absolute(path).ok()?;
    let dir = document.parent()?.to_path_buf();
    let instruction = instruction::for_pictures(TaskKind::Replication, &name);
    let task = Task {
        ground_truth: Some(Artifact { document: Some(document), picture: None }),
        canvas_size: frame_size(&json),
        ..Task::new(name.clone(), TaskKind::Replication, instruction)
    };
    Some(TaskSet { id: format!("design-{name}"), name, dir, tasks: vec![Arc::new(task)] })
}

/// Whether this is a file, a `nodes` answer or a node, told from its first fields.
fn is_design(json: &Map<String, Value>) -> bool {
    json.get("document").is_some_and(|node| node["type"].is_string())
        || json.get("nodes").is_some_and(Value::is_object)
        || (json.get("type").is_some_and(Value::is_string) && json.contains_key("id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;

    #[test]
    fn a_figma_document_is_a_task_and_other_json_is_not() {
        let node = r#"{"id": "1:1", "type": "FRAME", "name": "Card", "children": [],
            "absoluteBoundingBox": {"x": 7, "y": 8, "width": 300, "height": 200}}"#;
        let set = read_as("card.json", node).unwrap();
        assert_eq!((set.id.as_str(), set.tasks.len()), ("design-card", 1));
        assert!(set.tasks[0].ground_truth.as_ref().unwrap().document.is_some());
        assert_eq!(set.tasks[0].canvas_size, Some(Size::new(300.0, 200.0)));
        assert!(read_as("file.json", &format!(r#"{{"document": {node}}}"#)).is_some());
        assert!(read_as("other.json", r#"{"format": "pentimento/run"}"#).is_none());
        assert!(read_as("broken.json", "{").is_none());
        assert!(read_as("card.txt", node).is_none());
    }

    fn read_as(name: &str, text: &str) -> Option<TaskSet> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        read(&path)
    }
}

//! Writes reference tools into `taskset.json`.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::base::{JsonLimitError, parse_json, read_file_limited, replace_file};

use super::file::{FILE, FORMAT, VERSION};

/// Largest `taskset.json`, in bytes.
const SET_BYTES: u64 = 64 << 20;
/// Most backups beside it.
const BACKUPS: u32 = 9_999;

/// Why reference tools could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The set is not in our format, which alone is written.
    #[error("reference tools are written only into sets of this program's own format: there is no {FILE} in {}", .0.display())]
    OtherFormat(PathBuf),
    /// The file cannot be read.
    #[error("{source} in {}", path.display())]
    Json {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It says something that cannot be, or of a newer version.
    #[error("{what}: nothing was changed in {}", path.display())]
    BadSet {
        /// What cannot be.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot be written: {source}: {}", path.display())]
    Write {
        /// The cause.
        source: io::Error,
        /// Which file.
        path: PathBuf,
    },
}

/// Makes `tools` the reference tools of a task, in the set that lies in a folder; everything else of the file
/// stays, also what this program does not know. The file as it was is kept beside it first; gives the path of
/// that copy.
///
/// # Errors
///
/// [`ReferenceError`]; the file is then as it was.
pub fn write_reference_tools(
    set_dir: &Path,
    task: &str,
    tools: &[String],
) -> Result<PathBuf, ReferenceError> {
    let path = set_dir.join(FILE);
    if !path.is_file() {
        return Err(ReferenceError::OtherFormat(set_dir.to_path_buf()));
    }
    let json_error = |source| ReferenceError::Json { source, path: path.clone() };
    let bytes = read_file_limited(&path, SET_BYTES).map_err(json_error)?;
    let mut set: Value = parse_json(&bytes).map_err(json_error)?;
    let refused = |what: String| ReferenceError::BadSet { what, path: path.clone() };
    let is_known = set["format"] == FORMAT
        && set["version"].as_u64().is_some_and(|version| version <= u64::from(VERSION));
    if !is_known {
        return Err(refused(format!("it is not {FORMAT:?} of a version up to {VERSION}")));
    }
    // The first of that id, as readers take it.
    let tasks = set.get_mut("tasks").and_then(Value::as_array_mut);
    let entry = tasks.and_then(|tasks| tasks.iter_mut().find(|entry| entry["id"] == task));
    let Some(Value::Object(entry)) = entry else {
        return Err(refused(format!("it has no task {task:?}")));
    };
    entry.insert("reference_tools".to_owned(), json!(tools));
    let text = serde_json::to_string_pretty(&set).map_err(|e| refused(e.to_string()))? + "\n";
    let backup = keep_copy(&path, &bytes)?;
    replace_file(&path, text.as_bytes())
        .map_err(|source| ReferenceError::Write { source, path: path.clone() })?;
    Ok(backup)
}

/// Writes the bytes beside the file under the first free name.
fn keep_copy(path: &Path, bytes: &[u8]) -> Result<PathBuf, ReferenceError> {
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 1..=BACKUPS {
        let backup = path.with_file_name(format!("{FILE}.before-{number}"));
        // Made and not looked for: of two that write at once, none takes the other's copy.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&backup) {
            Ok(mut file) => {
                let written = io::Write::write_all(&mut file, bytes).and_then(|()| file.sync_all());
                return match written {
                    Ok(()) => Ok(backup),
                    Err(source) => {
                        // Half a copy helps nobody.
                        std::fs::remove_file(&backup).ok();
                        Err(ReferenceError::Write { source, path: backup })
                    }
                };
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(source) => return Err(ReferenceError::Write { source, path: backup }),
        }
    }
    Err(ReferenceError::Write { source: last, path: path.to_path_buf() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tools_of_that_task_change_and_the_file_before_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let before = r#"{"format": "pentimento/taskset", "version": 1, "id": "s", "name": "S", "mine": 7,
            "tasks": [{"id": "a", "kind": "replication", "instruction": "x"}, 5, {"id": "b", "note": [1]}]}"#;
        std::fs::write(&path, before).unwrap();
        let tools = ["move_node".to_owned(), "set_opacity".to_owned()];
        let backup = write_reference_tools(dir.path(), "b", &tools).unwrap();
        assert_eq!(std::fs::read_to_string(&backup).unwrap(), before);
        let after: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(after["tasks"][2]["reference_tools"], json!(tools));
        assert_eq!((&after["mine"], &after["tasks"][1]), (&json!(7), &json!(5)));
        assert!(after["tasks"][0].get("reference_tools").is_none());
        assert_ne!(write_reference_tools(dir.path(), "b", &[]).unwrap(), backup);
    }

    #[test]
    fn what_is_not_ours_or_has_no_such_task_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let none = write_reference_tools(dir.path(), "a", &[]).unwrap_err().to_string();
        assert!(none.contains("own format"), "{none}");
        let path = dir.path().join(FILE);
        for (text, words) in [
            ("{", "taskset.json"),
            (r#"{"format": "other"}"#, "it is not"),
            (r#"{"format": "pentimento/taskset", "version": 99}"#, "it is not"),
            (r#"{"format": "pentimento/taskset", "version": 1, "tasks": []}"#, "no task \"a\""),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = write_reference_tools(dir.path(), "a", &[]).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no copy is left");
        }
    }
}

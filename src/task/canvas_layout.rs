//! The published CANVAS dataset, as its own code reads it (kixlab/canvas, `README.md`,
//! `src/experiments`): `replication_gt/{id}.png|.json|-meta.json` and
//! `modification_gt/task-N/{id}-base|-target.png|.json`, `{id}-target-meta.json`.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::base::{Size, parse_json, read_file_limited};

use super::artifact::canvas_size_of_file;
use super::instruction;
use super::listing::Listing;
use super::model::{Artifact, Task, TaskKind, TaskSet};
use super::picture_layout::{kind_of, name_of};
use super::reference_tools::ReferenceTools;

/// The folder of replication tasks.
const REPLICATION: &str = "replication_gt";
/// Largest `-meta.json`, in bytes.
const META_BYTES: u64 = 4 << 20;

/// The set in `dir`, if it is a folder of tasks of this layout, with what was odd about it.
pub(super) fn read(dir: &Path, listing: &Listing) -> Option<(TaskSet, Vec<String>)> {
    let folder = dir.file_name()?.to_string_lossy().into_owned();
    let ids = ids_with(listing, "-target.png");
    let mut reader = LayoutReader { dir, folder: &folder, listing, warnings: Vec::new() };
    // A folder of modifications is known by its files, as its name is only a convention; one of
    // replications by its name, since any folder of pictures has files that end in `.png`.
    let tasks: Vec<Arc<Task>> = if !ids.is_empty() {
        let tools = reader.reference_tools();
        ids.iter().map(|id| Arc::new(reader.modification(id, &tools))).collect()
    } else if folder == REPLICATION {
        ids_with(listing, ".png").iter().map(|id| Arc::new(reader.replication(id))).collect()
    } else {
        return None;
    };
    let warnings = reader.warnings;
    let set = TaskSet {
        id: format!("canvas-{}", folder.trim_end_matches("_gt")),
        name: format!("CANVAS · {}", name_of(&folder)),
        dir: dir.to_path_buf(),
        tasks,
    };
    (!set.tasks.is_empty()).then_some((set, warnings))
}

/// The beginnings of the file names that end so.
fn ids_with(listing: &Listing, end: &str) -> Vec<String> {
    listing.files.iter().filter_map(|name| name.strip_suffix(end)).map(str::to_owned).collect()
}

struct LayoutReader<'a> {
    dir: &'a Path,
    folder: &'a str,
    listing: &'a Listing,
    warnings: Vec<String>,
}

impl LayoutReader<'_> {
    fn reference_tools(&mut self) -> ReferenceTools {
        // One file stands beside the folders of all three modification tasks.
        let above = self.dir.parent().unwrap_or(self.dir);
        ReferenceTools::read(above).unwrap_or_else(|warning| {
            self.warnings.push(warning);
            ReferenceTools::default()
        })
    }

    fn replication(&mut self, id: &str) -> Task {
        let ground_truth = self.artifact(id);
        self.task(id, TaskKind::Replication, None, ground_truth)
    }

    fn modification(&mut self, id: &str, tools: &ReferenceTools) -> Task {
        // Of a folder with another name only this much is known: something is there that changes.
        let kind = kind_of(self.folder).unwrap_or(TaskKind::AttributeUpdate);
        let start = self.artifact(&format!("{id}-base"));
        if start.is_none() {
            self.warnings.push(format!("{id} has no start state: {id}-base.json is not there."));
        }
        let ground_truth = self.artifact(&format!("{id}-target"));
        let mut task = self.task(id, kind, start, ground_truth);
        if let Some(instruction) = self.instruction(id) {
            task.instruction = instruction;
        }
        task.reference_tools = tools.of(self.folder, id);
        task
    }

    fn task(
        &mut self,
        id: &str,
        kind: TaskKind,
        start: Option<Artifact>,
        ground_truth: Option<Artifact>,
    ) -> Task {
        Task {
            canvas_size: self.canvas_size(id, start.as_ref(), ground_truth.as_ref()),
            start,
            ground_truth,
            ..Task::new(id, kind, instruction::for_pictures(kind, id))
        }
    }

    fn artifact(&self, name: &str) -> Option<Artifact> {
        let artifact = Artifact {
            document: self.listing.path_of(self.dir, &format!("{name}.json")),
            picture: self.listing.path_of(self.dir, &format!("{name}.png")),
        };
        (artifact != Artifact::default()).then_some(artifact)
    }

    /// By the picture's header. A start document knows better, and is asked when it is read.
    fn canvas_size(
        &mut self,
        id: &str,
        start: Option<&Artifact>,
        ground_truth: Option<&Artifact>,
    ) -> Option<Size> {
        // A document says the size in units, a picture only in pixels.
        if start.is_some_and(|start| start.document.is_some()) {
            return None;
        }
        let mut pictures = [start, ground_truth].into_iter().flatten();
        let picture = pictures.find_map(|artifact| artifact.picture.as_ref())?;
        canvas_size_of_file(picture)
            .map_err(|error| {
                self.warnings.push(format!("The canvas size of {id} is not known: {error}."));
            })
            .ok()
    }

    fn instruction(&mut self, id: &str) -> Option<String> {
        let name = format!("{id}-target-meta.json");
        let path = self.listing.path_of(self.dir, &name)?;
        let read =
            read_file_limited(&path, META_BYTES).and_then(|bytes| parse_json::<Value>(&bytes));
        let meta = read
            .map_err(|error| self.warnings.push(format!("{name} is not used: {error}.")))
            .ok()?;
        // As the published runner reads it, `message` standing in for `instruction`.
        let text = ["instruction", "message"].iter().find_map(|key| meta[*key].as_str());
        if text.is_none() {
            self.warnings.push(format!("{name} has no instruction."));
        }
        text.map(str::to_owned)
    }
}

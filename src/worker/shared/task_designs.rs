//! Designs of tasks, each read once.

use std::sync::{Mutex, PoisonError};

use crate::base::FileStamp;
use crate::design::Document;

/// Designs of tasks, read once as long as the file stays as it is; each with that.
#[derive(Debug, Default)]
pub(in crate::worker) struct TaskDesigns(Mutex<Vec<(FileStamp, Document)>>);

/// How many designs of tasks are kept.
const TASK_DESIGNS: usize = 8;

impl TaskDesigns {
    pub(in crate::worker) fn known(&self, file: &FileStamp) -> Option<Document> {
        let designs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        designs.iter().find(|(known, _)| known == file).map(|(_, design)| design.clone())
    }

    pub(in crate::worker) fn put(&self, file: FileStamp, design: Document) {
        let mut designs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        designs.retain(|(known, _)| known.path() != file.path());
        designs.push((file, design));
        if designs.len() > TASK_DESIGNS {
            designs.remove(0);
        }
    }
}

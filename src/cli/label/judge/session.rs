//! What asking about an item needs, opened once.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::cli::environments::environments;
use crate::cli::output::note;
use crate::environment::OpenEnvironment;
use crate::evaluate::ItemEvidence;
use crate::label::Item;
use crate::store::labels::LabelFile;
use crate::task::TaskFinder;

/// Everything that asking about an item needs.
pub(super) struct JudgeSession<'a> {
    pub(super) file: &'a LabelFile,
    pub(super) home: PathBuf,
    pub(super) tasks: Mutex<TaskFinder>,
    pub(super) open_environment: Box<OpenEnvironment>,
    pub(super) most_pictures: usize,
}

impl<'a> JudgeSession<'a> {
    pub(super) fn new(file: &'a LabelFile, project: &Path, most_pictures: usize) -> Self {
        let home = project.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let mut tasks = TaskFinder::default();
        for set in &file.project().task_sets {
            if let Err(error) = tasks.search(&home.join(set)) {
                note(&format!("warning: {error}"));
            }
        }
        let open_environment = Box::new(environments().opener());
        Self { file, home, tasks: Mutex::new(tasks), open_environment, most_pictures }
    }

    /// What is shown of an item; `None` where it cannot be, which is said.
    pub(super) fn evidence(&self, item: &Item) -> Option<ItemEvidence> {
        let mut tasks = self.tasks.lock();
        let evidence = ItemEvidence::of(item, &self.home, &mut tasks, &*self.open_environment);
        match evidence.and_then(|evidence| evidence.with_candidates(item, self.file)) {
            Ok(evidence) => Some(evidence),
            Err(error) => {
                note(&format!("warning: {} is left out: {error}", item.id.0));
                None
            }
        }
    }
}

//! Opening a design for practice.

use std::sync::Arc;

use crate::study::practice::PracticeTask;
use crate::workbench::protocol::OpenedDesign;
use crate::workbench::{Comments, DesignGoal};
use crate::worker::shared::Shared;

/// Opens it.
pub(in crate::worker) fn open_practice(
    shared: &Shared,
    task: &PracticeTask,
    seed: u64,
) -> Result<OpenedDesign, String> {
    let begun = task.start(seed).map_err(|error| error.to_string())?;
    Ok(OpenedDesign {
        title: task.title.clone(),
        instruction: Some(&task.words).filter(|words| !words.is_empty()).cloned(),
        goal: Some(DesignGoal::of_design(Arc::new(begun.goal))),
        brief: None,
        document: begun.start,
        plan: None,
        render: shared.render.clone(),
        kept: None,
        versions: Vec::new(),
        comments: Comments::default(),
        pending: None,
    })
}

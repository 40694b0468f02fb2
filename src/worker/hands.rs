//! The thread that keeps what people design by hand: it opens designs, and records what is done as a run.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::agent::runner::RunSettings;
use crate::agent::{PictureSource, PreparedTask};
use crate::design::Document;
use crate::task::Task;
use crate::workbench::protocol::{HandsNews, HandsOrder, HandsStart, OpenedDesign};
use crate::workbench::{AssistStart, Event};

use super::compute::compared_task_of;
use super::shared::Shared;
use super::study::open_for_study;

/// Opens and records until nobody can give orders any more.
pub(super) fn keep_hands_until_closed(shared: &Shared, orders: &Receiver<HandsOrder>) {
    while let Ok(order) = orders.recv() {
        match order {
            HandsOrder::Open(start) => {
                let (desk, result) = (start.desk, open(shared, &start).map(Box::new));
                shared.mailbox.send(Event::Hands(HandsNews::Opened { desk, result }));
            }
            HandsOrder::Record { .. } | HandsOrder::Close(_) => {}
        }
    }
}

fn open(shared: &Shared, start: &HandsStart) -> Result<OpenedDesign, String> {
    if let Some(study) = &start.study {
        return open_for_study(shared, study);
    }
    match &start.start {
        AssistStart::Task(_) => {
            let task = start.task.as_ref().ok_or("the task set is not open any more")?;
            open_task(shared, task)
        }
        AssistStart::Blank(_) | AssistStart::Run(..) | AssistStart::File(_) => {
            Err("this cannot be opened yet".to_owned())
        }
    }
}

fn open_task(shared: &Shared, task: &Arc<Task>) -> Result<OpenedDesign, String> {
    let (settings, pictures) = (RunSettings::default(), PictureSource::default());
    let prepared = PreparedTask::new(task, &settings, &pictures, &*shared.open_environment)
        .map_err(|error| error.to_string())?;
    let environment =
        (shared.open_environment)(&prepared.start).map_err(|error| error.to_string())?;
    let mut document =
        environment.design().ok_or("the task is not about a vector design".to_owned())?;
    let goal = goal_of(shared, task)?;
    if let Some(goal) = &goal {
        document.add_images_of(goal);
    }
    Ok(OpenedDesign {
        title: task.id.clone(),
        instruction: Some(task.instruction.clone()).filter(|words| !words.is_empty()),
        goal,
        document,
        render: shared.render.clone(),
    })
}

fn goal_of(shared: &Shared, task: &Arc<Task>) -> Result<Option<Arc<Document>>, String> {
    let compared = compared_task_of(shared, task).map_err(|error| error.to_string())?;
    let truth = compared.as_ref().and_then(|compared| compared.truth().design.as_ref());
    Ok(truth.map(|truth| Arc::new(truth.clone())))
}

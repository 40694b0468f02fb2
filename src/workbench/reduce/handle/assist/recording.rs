//! Having what was done kept.

use crate::workbench::model::AssistDesk;
use crate::workbench::protocol::{HandsOrder, Request};

/// Has the steps kept that were made since the last time.
pub(super) fn record(desk: &mut AssistDesk) -> Vec<Request> {
    let number = desk.number;
    let steps = desk.editor.take_steps().into_iter();
    let orders = steps.map(|step| HandsOrder::Record { desk: number, step: Box::new(step) });
    orders.map(Request::Hands).collect()
}

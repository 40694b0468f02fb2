//! Having what was done kept.

use super::offering;
use crate::workbench::model::AssistDesk;
use crate::workbench::protocol::{HandsOrder, Request};

/// Has the steps kept that were made since the last time.
pub(super) fn record(desk: &mut AssistDesk) -> Vec<Request> {
    let mut requests = Vec::new();
    for step in desk.editor.take_steps() {
        requests.extend(offering::stepped(desk, &step));
        let step = Box::new(step);
        requests.push(Request::Hands(HandsOrder::Record { desk: desk.number, step }));
    }
    // What is done is kept before anything else begins.
    if desk.editor.take_ended_burst() {
        requests.push(Request::Hands(HandsOrder::EndBurst(desk.number)));
    }
    requests
}

//! What a hand did to the design of a branch, as calls behind its last.

use crate::agent::assistant::recorded_calls;
use crate::base::CancelToken;
use crate::design::gesture::Drag;
use crate::evaluate::what_if::{Branch, Looks};
use crate::render::TextMeasurer;
use crate::workbench::{DragCalls, Inputs, NodeGesture};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

use super::canvas::canvas_settings;
use super::what_if::base_of;

/// Finds the calls; it is an error if no tools do exactly the same.
pub(super) fn record_drag(
    shared: &Shared,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<DragCalls, JobError> {
    let base = base_of(shared, inputs, cancel)?;
    let input = inputs.branch.as_ref().ok_or_else(JobError::not_read)?;
    let dragged = inputs.drag.as_ref().ok_or_else(JobError::not_read)?;
    let mut branch = Branch::new(&base, Looks::Skipped, &*shared.open_environment)?;
    branch.run(&input.calls, cancel, |_, _| ())?;
    let design = branch.environment().design().unwrap_or_default();
    let canvas = canvas_settings(&shared.render, base.start().compat.as_deref());
    let measure = TextMeasurer(&canvas.render);
    let drag = Drag::begin(&design, std::slice::from_ref(&dragged.node));
    let after = match dragged.gesture {
        NodeGesture::Move(by) => drag.moved(by, &measure),
        NodeGesture::Resize(handle, by, keys) => drag.resized(handle, by, keys, &measure),
    };
    let after = after.map_err(JobError::failed)?;
    if after.edit.is_empty() {
        return Err(JobError::failed("auto layout places it"));
    }
    let calls = recorded_calls(&design, &after.document, drag.nodes(), &canvas);
    let put_in =
        if calls.is_empty() { None } else { branch.put_in(&calls, input.next_inserted, cancel)? };
    let calls =
        put_in.ok_or_else(|| JobError::failed("no tool of the canvas does exactly this"))?;
    Ok(DragCalls { calls, first_inserted: input.next_inserted })
}

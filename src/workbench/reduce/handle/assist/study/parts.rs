//! What the files of studies share.

use crate::study::Happening;
use crate::workbench::model::{Sitting, State};
use crate::workbench::protocol::{Request, StudyOrder};

/// Has something done by the thread that keeps studies.
pub(super) fn order(order: StudyOrder) -> Vec<Request> {
    vec![Request::Study(order)]
}

/// Has something written down; nothing else is done until it is.
pub(super) fn happens(position: Option<u32>, what: Happening) -> Vec<Request> {
    order(StudyOrder::Happened { position, what: Box::new(what) })
}

/// Who takes part.
pub(super) fn sitting(state: &mut State) -> Option<&mut Sitting> {
    state.assist.study.desk.as_mut()?.sitting.as_mut()
}

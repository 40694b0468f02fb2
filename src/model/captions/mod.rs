//! What pictures show, in a sentence each: from a captioner, or from a file made before.

mod captioner;
mod precomputed;

pub use captioner::{Captioner, EndpointCaptioner};
pub use precomputed::{
    CaptionFileError, CaptionsOfCase, CaptionsOfRun, CaseError, PrecomputedCaptions, SNAPSHOT_FILE,
};

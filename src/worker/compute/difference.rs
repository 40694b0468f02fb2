//! How far each pixel of a labelled run is from its ground truth.

use crate::base::{CancelToken, Pixels};
use crate::metric::picture::ColorDifference;
use crate::metric::{
    Comparison, Evidence, Measurement, Metric as _, MissingScore, ScalarMap, Score,
};
use crate::worker::shared::job_border::JobError;

/// The map of colour differences, by the metric whose heat the stage shows too.
pub(super) fn difference(
    truth: &Pixels,
    run: &Pixels,
    cancel: &CancelToken,
) -> Result<ScalarMap, JobError> {
    let comparison = Comparison::of_pictures(truth, run);
    let measured = ColorDifference.measurements(&comparison, cancel);
    cancel.check()?;
    let Some(Measurement { score, evidence }) = measured.into_iter().next() else {
        return Err(JobError::failed(MissingScore::NoGroundTruth));
    };
    match (evidence.and_then(Evidence::into_map), score) {
        (Some(map), _) => Ok(map),
        (None, Score::Missing(why)) => Err(JobError::failed(why)),
        (None, Score::Value(_)) => Err(JobError::failed(MissingScore::NoGroundTruth)),
    }
}

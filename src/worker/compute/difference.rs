//! How far each pixel of a labelled run is from its ground truth, where a run differs from a picture beside it, and
//! which pixels of two pictures on the stage differ.

use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::evaluate::{ComparedSide, ComparedTask, Wanted};
use crate::metric::picture::{
    ColorDifference, PixelBox, PixelDifference, PixelMatch, PixelMatchError,
};
use crate::metric::{
    Comparison, Evidence, Measured, Measurement, Metric as _, MissingScore, ScalarMap, Score,
};
use crate::workbench::{IgnoredArea, Inputs, PixelDifferenceKey, SlotMap, SlotMapKey, StagePixels};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

/// The map of colour differences, by the metric whose heat the stage shows too.
pub(super) fn difference(
    truth: &Pixels,
    run: &Pixels,
    cancel: &CancelToken,
) -> Result<ScalarMap, JobError> {
    let comparison = Comparison::of_pictures(truth, run);
    let measured = ColorDifference.measure(&comparison, cancel)?;
    let Some((_, Measurement { score, evidence })) = measured.into_iter().next() else {
        return Err(JobError::failed(MissingScore::NoGroundTruth));
    };
    match (evidence.and_then(Evidence::into_map), score) {
        (Some(map), _) => Ok(map),
        (None, Score::Missing(why)) => Err(JobError::failed(why)),
        (None, Score::Value(_)) => Err(JobError::failed(MissingScore::NoGroundTruth)),
    }
}

/// Where the run's picture differs from one beside it, by the metric of the heat. Of either only its picture is known: a
/// metric that goes by more says so.
pub(super) fn slot_map(
    shared: &Shared,
    key: &SlotMapKey,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<SlotMap, JobError> {
    let pictures = inputs.pictures.as_ref().ok_or_else(JobError::not_read)?;
    let [against, run] = pictures;
    let task = ComparedTask::new(side_of(against)?, Vec::new(), None);
    let run = side_of(run)?;
    let variant: &str = &key.map_key().variant;
    let ids = [variant];
    let wanted = Wanted { variants: Some(&ids), map: Some(variant) };
    let mut found: Vec<Measured> = Vec::new();
    let by = shared.scorers.current();
    by.scorer.score(&task, &run, wanted, cancel, |measured| found.extend(measured))?;
    let Some(Measured { measurement, .. }) = found.pop() else {
        return Err(JobError::failed("there is no such metric any more"));
    };
    let Measurement { score, evidence } = measurement;
    match (evidence.and_then(Evidence::into_map), score) {
        (Some(map), _) => Ok(SlotMap(Arc::new(map))),
        (None, Score::Missing(why)) => Err(JobError::failed(why)),
        (None, Score::Value(_)) => Err(JobError::failed("of two pictures it makes no map")),
    }
}

fn side_of(picture: &StagePixels) -> Result<ComparedSide, JobError> {
    let picture = Some(picture.unpacked().map_err(JobError::failed)?);
    Ok(ComparedSide { picture, ..ComparedSide::default() })
}

/// Which pixels differ, with what the key lets pass and leaves out.
pub(super) fn pixel_difference(
    key: &PixelDifferenceKey,
    run: &Pixels,
    against: &Pixels,
    cancel: &CancelToken,
) -> Result<PixelDifference, JobError> {
    let how = PixelMatch {
        threshold: f32::from(key.tolerance.threshold_percent) / 100.0,
        ignores_antialiasing: key.tolerance.ignores_antialiasing,
        shift: u32::from(key.tolerance.shift),
    };
    // Whole pixels, also those of which only a part was drawn over.
    let unit = run.width() as f32 / IgnoredArea::WIDTH;
    let boxes = key.ignored.iter().map(|area| PixelBox {
        min: area.min.map(|at| (at as f32 * unit).floor() as u32),
        max: area.max.map(|at| (at as f32 * unit).ceil() as u32),
    });
    let boxes: Vec<PixelBox> = boxes.collect();
    how.compare(run, against, &boxes, cancel).map_err(|error| match error {
        PixelMatchError::Cancelled(cancelled) => cancelled.into(),
        error @ PixelMatchError::TooLarge { .. } => JobError::failed(error),
    })
}

//! Pos@K of a run that edits, in the words of CANVAS's figure 33.

use crate::base::{CancelToken, Cancelled};
use crate::metric::Measured;
use crate::metric::behavior::{EditedScore, NoChange, Pos};
use crate::task::TaskKind;

use super::canvas::RunCanvas;
use super::compared::{ComparedTask, compared_step};
use super::primary::VariantId;
use super::scorer::{Scorer, Wanted};

/// The scores that Pos@K counts: CANVAS's, but for the one that a model has to be asked for.
const METRICS: [&str; 3] = ["ssim", "saliency_sim", "component_similarity"];

/// The variants that Pos@K counts: the first of each metric, which is the one of the published code.
pub fn pos_variants(scorer: &Scorer) -> Vec<VariantId> {
    let variants = METRICS.iter().filter_map(|metric| {
        let mut all = scorer.registry().variants();
        all.find(|variant| variant.metric() == *metric).map(|variant| variant.id.clone())
    });
    variants.collect()
}

/// `Pos@K of N`, or why there is none (CANVAS, Table 2 and figure 33).
///
/// # Errors
///
/// [`Cancelled`] once `cancel` is raised.
pub fn pos_words(
    canvas: &mut RunCanvas,
    truth: &ComparedTask,
    scorer: &Scorer,
    cancel: &CancelToken,
) -> Result<String, Cancelled> {
    let kind = canvas.task().map(|task| task.kind);
    let is_edit = matches!(
        kind,
        Some(TaskKind::AttributeUpdate | TaskKind::ComponentInsertion | TaskKind::ModeChange)
    );
    if !is_edit {
        return Ok("Pos – (no start)".to_owned());
    }
    // The papers' failed run: nothing was changed, and no metric says anything of that.
    if canvas.run().is_idle() == Some(true) {
        return Ok("F: no call did anything".to_owned());
    }
    let last = u32::try_from(canvas.run().steps.len()).unwrap_or(u32::MAX);
    let variants = pos_variants(scorer);
    let ids: Vec<&str> = variants.iter().map(|id| &**id).collect();
    let wanted = Wanted { variants: Some(&ids), map: None };
    let mut ends: [Vec<Measured>; 2] = [Vec::new(), Vec::new()];
    for (step, measured) in [0, last].into_iter().zip(&mut ends) {
        let made = compared_step(canvas, step, cancel)?;
        scorer.score(truth, &made, wanted, cancel, |of_metric| measured.extend(of_metric))?;
    }
    let [before, after] = &ends;
    let scores: Vec<EditedScore<'_>> = before
        .iter()
        .zip(after)
        .map(|(before, after)| EditedScore {
            before: &before.measurement.score,
            after: &after.measurement.score,
            direction: before.variant.direction,
        })
        .collect();
    Ok(match Pos::of(&scores, NoChange::IsBetterUnlessAllStay) {
        Ok(Pos::At(count)) => format!("Pos@{count} of {}", scores.len()),
        Ok(Pos::Failed) => "F: no call did anything".to_owned(),
        Err(why) => format!("Pos – ({why})"),
    })
}

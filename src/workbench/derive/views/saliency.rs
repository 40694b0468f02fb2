//! The heats of saliency: which there are, and why one cannot be shown.

use crate::metric::saliency::Saliency;
use crate::metric::{MapKind, VariantSpec};
use crate::workbench::model::State;

/// The maps of saliency, in the order they are offered.
const KINDS: [MapKind; 3] = [MapKind::Generated, MapKind::GroundTruth, MapKind::Difference];

/// A heat of saliency that can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct SaliencyHeat<'a> {
    /// By which variant; its second half is the predictor.
    pub variant: &'a VariantSpec,
    /// Of what.
    pub kind: MapKind,
    /// Whether it is the one that is shown.
    pub is_shown: bool,
    /// Why it cannot be shown now.
    pub why_not: Option<&'static str>,
}

/// The heats of saliency: three for each predictor there is.
pub fn saliency_heats(state: &State) -> Vec<SaliencyHeat<'_>> {
    let shown = state.heat_variant().filter(|variant| Saliency::has(variant));
    let mut heats: Vec<SaliencyHeat<'_>> = Vec::new();
    for variant in state.variants.iter().filter(|variant| Saliency::has(variant)) {
        // All variants of a predictor are measured on the same maps.
        if heats.iter().any(|heat| is_same_predictor(heat.variant, variant)) {
            continue;
        }
        let is_of_shown = shown.is_some_and(|shown| is_same_predictor(shown, variant));
        heats.extend(KINDS.map(|kind| SaliencyHeat {
            variant,
            kind,
            is_shown: is_of_shown && state.heat_map() == kind,
            why_not: why_no_saliency(state, kind),
        }));
    }
    heats
}

fn is_same_predictor(one: &VariantSpec, other: &VariantSpec) -> bool {
    one.variant_label == other.variant_label
}

/// What a heat of saliency is called.
pub fn saliency_name(kind: MapKind) -> &'static str {
    match kind {
        MapKind::Generated => "Saliency of the run",
        MapKind::GroundTruth => "Saliency of the ground truth",
        MapKind::Difference => "Difference of saliency",
    }
}

/// Why a map of saliency cannot be shown of what is selected; `None`: it can.
pub fn why_no_saliency(state: &State, kind: MapKind) -> Option<&'static str> {
    if state.saliency_variant().is_none() {
        return Some("No saliency model is in use.");
    }
    if state.selection.run.is_none() {
        return Some("Select a run first.");
    }
    let Some(task) = state.selected_task() else {
        return Some("The task set of this run is not open: nothing of it is measured.");
    };
    match kind {
        _ if task.ground_truth.is_some() => None,
        MapKind::Generated if task.is_measurable() => None,
        MapKind::Generated => Some("The task has neither a ground truth nor a query."),
        MapKind::Difference | MapKind::GroundTruth if task.brief.is_some() => {
            Some("The task asks in words: there is no ground truth.")
        }
        MapKind::Difference | MapKind::GroundTruth => Some("The task has no ground truth."),
    }
}

//! The pictures of the item on the screen.

use std::sync::Arc;

use crate::evaluate::VariantId;
use crate::label::ItemKind;
use crate::metric::Metric as _;
use crate::metric::picture::ColorDifference;
use crate::workbench::model::{
    AlignmentKey, Comparison, DifferenceKey, EvidenceKey, EvidencePane, Fetched, ItemEvidence,
    LayerTree, LayerTreeKey, OpenLabels, PictureKey, RunId, StagePicture, State, TraceKey, Unit,
};

use super::ranking::{CANDIDATES, shown_candidates};
use crate::workbench::derive::views::HeatScale;
use crate::workbench::derive::views::stage::{Pane, PaneStatus};

/// A picture of the evidence with its title.
#[derive(Debug)]
pub struct EvidenceShown<'a> {
    /// Which.
    pub pane: EvidencePane,
    /// What people call it: `A`, `B`, by the side it stands on.
    pub title: &'static str,
    /// Who made it, where that is not kept from who looks.
    pub made_by: Option<&'a str>,
    /// What it shows.
    pub shown: Pane<'a>,
    /// The step it is at, and the last there is, where the item is about how a run came about.
    pub step: Option<(u32, u32)>,
}

impl EvidenceShown<'_> {
    /// The heat over it: of a run whose picture is there.
    pub fn difference_key(&self) -> Option<DifferenceKey> {
        match self.shown.key {
            Some(PictureKey::Step(run, step)) => Some(DifferenceKey { run, step }),
            _ => None,
        }
    }
}

/// Whether a heat of the difference from the ground truth can be laid over the runs of the item on the screen: its
/// form allows it, and there is a ground truth.
pub fn can_show_difference(state: &State) -> bool {
    state.annotate.asked().is_some_and(|(_, form)| form.evidence.difference)
        && evidence_panes(state).iter().any(|shown| {
            shown.pane == EvidencePane::Truth
                && matches!(shown.shown.status, PaneStatus::Current | PaneStatus::Loading)
        })
}

/// By which variant it is measured, and what its values mean.
pub fn difference_scale() -> (VariantId, HeatScale) {
    ColorDifference.variants().first().map_or_else(
        || (VariantId::from(""), HeatScale::default()),
        |variant| (variant.id.clone(), HeatScale::of(variant)),
    )
}

/// Whether that heat is shown.
pub fn shows_difference(state: &State) -> bool {
    state.annotate.desk.as_ref().is_some_and(|desk| desk.view.shows_difference)
        && can_show_difference(state)
}

/// The evidence of the item on the screen.
pub fn evidence_key(state: &State) -> Option<EvidenceKey> {
    let (labels, desk) = state.annotate.at_desk()?;
    key_of(labels, desk.unit()?)
}

/// The evidence of the item that follows.
pub fn next_evidence_key(state: &State) -> Option<EvidenceKey> {
    let (labels, desk) = state.annotate.at_desk()?;
    let next = desk.progress.next(Some(desk.at)).filter(|next| *next != desk.at)?;
    key_of(labels, desk.units.get(next)?)
}

/// Who is asked about themselves looks at nothing.
fn key_of(labels: &OpenLabels, unit: &Unit) -> Option<EvidenceKey> {
    if labels.is_survey(unit) {
        return None;
    }
    u32::try_from(unit.turn.index).ok().map(EvidenceKey)
}

/// What is known of the evidence on the screen.
pub fn evidence(state: &State) -> Option<&Fetched<ItemEvidence>> {
    state.derived.evidence.get(&evidence_key(state)?)
}

fn ready(state: &State) -> Option<&Arc<ItemEvidence>> {
    state.derived.evidence.ready(&evidence_key(state)?)
}

/// The last step of each run of the item on the screen; `None` of one that cannot be shown.
pub fn evidence_steps(state: &State) -> Vec<Option<u32>> {
    let Some(evidence) = ready(state) else { return Vec::new() };
    let steps = evidence.runs.iter().map(|run| {
        let run = run.as_ref().ok()?;
        Some(u32::try_from(run.steps.len()).unwrap_or(u32::MAX))
    });
    steps.collect()
}

/// The step a run of the item on the screen is shown at: the one that was chosen, that of an item that is a
/// step, or the last.
pub fn evidence_step(state: &State, run: u8) -> Option<u32> {
    let last = evidence_steps(state).get(usize::from(run)).copied().flatten()?;
    let (labels, desk) = state.annotate.at_desk()?;
    let of_item = labels.item(desk.unit()?).and_then(|item| item.step);
    let chosen = desk.view.steps.get(&run).copied();
    let follows = chosen.is_none() && run == GOLD && gold_follows(state);
    let aligned = if follows { aligned_gold_step(state) } else { None };
    Some(chosen.or(aligned).or(of_item).unwrap_or(last).min(last))
}

/// The gold trajectory of an item, by its place in it: what its run should have been like.
pub const GOLD: u8 = 1;

/// Whether the item on the screen is a run beside its gold trajectory, both step by step.
pub fn has_gold(state: &State) -> bool {
    let runs = state.annotate.asked().map_or(0, |(item, _)| item.runs.len());
    runs == 2 && has_evidence_steps(state)
}

/// Whether that goes to the step that goes with the run's, as the run moves.
pub fn gold_follows(state: &State) -> bool {
    has_gold(state) && state.annotate.desk.as_ref().is_some_and(|desk| desk.view.gold_follows)
}

/// What the gold trajectory is aligned by; of a packet there are pictures alone.
pub fn gold_alignment_key(state: &State) -> Option<AlignmentKey> {
    let key = evidence_key(state).filter(|_| gold_follows(state))?;
    let (labels, _) = state.annotate.at_desk()?;
    let steps = evidence_steps(state);
    let trace = |at: u8| {
        let steps = steps.get(usize::from(at)).copied().flatten()?;
        Some(TraceKey { run: RunId::of_item(key, at), steps })
    };
    let runs = vec![trace(0)?, trace(GOLD)?];
    labels.project.packet.is_none().then_some(AlignmentKey { runs })
}

/// The step of the gold trajectory that goes with the run's; until both are aligned, as if they went together from
/// the start, and ended together.
fn aligned_gold_step(state: &State) -> Option<u32> {
    let step = evidence_step(state, 0)?;
    let is_end = evidence_steps(state).first().copied().flatten() == Some(step);
    if is_end {
        return None;
    }
    let key = gold_alignment_key(state);
    let aligned = key.and_then(|key| state.derived.alignments.ready(&key));
    let aligned = aligned.map(|it| it.alignment.step_with((0, step), usize::from(GOLD)));
    Some(aligned.unwrap_or(step))
}

/// Whether the layers of the runs of the item on the screen can stand beside them: they are in no packet.
pub fn can_show_layers(state: &State) -> bool {
    let labels = state.annotate.labels.as_ref();
    has_evidence_steps(state) && labels.is_some_and(|labels| labels.project.packet.is_none())
}

/// Whether they are to.
pub fn shows_evidence_layers(state: &State) -> bool {
    let chosen = state.annotate.desk.as_ref().and_then(|desk| desk.view.shows_layers);
    can_show_layers(state) && chosen.unwrap_or_else(|| has_gold(state))
}

/// The layers of a run at the step it is shown at, with what the step changed.
pub fn evidence_layers_key(state: &State, run: u8) -> Option<LayerTreeKey> {
    let key = evidence_key(state).filter(|_| shows_evidence_layers(state))?;
    let step = evidence_step(state, run)?;
    let against = if step > 0 { Comparison::Previous } else { Comparison::None };
    Some(LayerTreeKey { slot: PictureKey::Step(RunId::of_item(key, run), step), against })
}

/// What is known of them.
pub fn evidence_layers(state: &State, run: u8) -> Option<&Fetched<LayerTree>> {
    state.derived.layer_trees.get(&evidence_layers_key(state, run)?)
}

/// Whether the item on the screen is about how a run came about, step by step; of a pair only the end is
/// looked at.
pub fn has_evidence_steps(state: &State) -> bool {
    let Some((item, _)) = state.annotate.asked() else { return false };
    let is_of_steps = matches!(item.kind, ItemKind::Run | ItemKind::Step);
    is_of_steps && evidence_steps(state).into_iter().flatten().any(|last| last > 1)
}

/// A small picture of a step of an item's run, if it is there.
pub fn evidence_thumbnail(
    state: &State,
    item: EvidenceKey,
    run: u8,
    step: u32,
) -> Option<(PictureKey, &Arc<StagePicture>)> {
    let key = PictureKey::Thumbnail(RunId::of_item(item, run), step);
    let picture = state.ready_picture(&key)?;
    Some((key, picture))
}

/// A candidate of the query on the screen, by its place in the item.
fn candidate_pane<'a>(state: &'a State, place: u8, title: &'static str) -> EvidenceShown<'a> {
    let asked = state.annotate.asked().filter(|_| !state.annotate.is_blind());
    let made_by = asked.and_then(|(item, _)| item.sources.get(usize::from(place)));
    let shown = match evidence_key(state) {
        Some(item) => fetched(state, PictureKey::Candidate(item, place)),
        None => without_picture(PaneStatus::Loading),
    };
    EvidenceShown {
        pane: EvidencePane::Candidate(place),
        title,
        made_by: made_by.map(String::as_str).filter(|source| !source.is_empty()),
        shown,
        step: None,
    }
}

/// The pictures of the item on the screen, from left to right.
pub fn evidence_panes(state: &State) -> Vec<EvidenceShown<'_>> {
    let Some((item, _)) = state.annotate.asked() else { return Vec::new() };
    let is_swapped = state
        .annotate
        .at_desk()
        .and_then(|(_, desk)| desk.unit())
        .is_some_and(|unit| unit.turn.is_swapped);
    let mut panes = Vec::new();
    match (item.kind, item.runs.len()) {
        (ItemKind::Pair, _) => {
            let (left, right) = if is_swapped { (1, 0) } else { (0, 1) };
            panes.push(run_pane(state, left, "A"));
            panes.extend(truth_pane(state));
            panes.push(run_pane(state, right, "B"));
        }
        (ItemKind::Query, _) => {
            let shown = shown_candidates(state).into_iter().zip(CANDIDATES);
            panes.extend(shown.map(|((place, _), title)| candidate_pane(state, place, title)));
        }
        // Words are all there is to see, above the pictures.
        (ItemKind::Text, _) => {}
        (_, 0) => panes.extend(truth_pane(state)),
        (_, 1) => {
            panes.push(run_pane(state, 0, "Design"));
            panes.extend(truth_pane(state));
        }
        // What it should have been like is recorded as a run of its own.
        (_, _) => {
            panes.push(run_pane(state, 0, "Agent"));
            panes.push(run_pane(state, 1, "Gold"));
        }
    }
    panes
}

fn run_pane<'a>(state: &'a State, at: u8, title: &'static str) -> EvidenceShown<'a> {
    let pane = EvidencePane::Run(at);
    let shows_steps = has_evidence_steps(state);
    let last = evidence_steps(state).get(usize::from(at)).copied().flatten();
    let step = evidence_step(state, at).zip(last).filter(|_| shows_steps);
    let asked = state.annotate.asked().filter(|_| !state.annotate.is_blind());
    let run = asked.and_then(|(item, _)| item.runs.get(usize::from(at)));
    let made_by = run.map(|run| run.model.as_str()).filter(|model| !model.is_empty());
    EvidenceShown { pane, title, made_by, shown: shown_run(state, at), step }
}

fn shown_run(state: &State, at: u8) -> Pane<'_> {
    let evidence = match evidence(state) {
        Some(Fetched::Ready(evidence)) => evidence,
        Some(Fetched::Failed(why)) => {
            return without_picture(PaneStatus::Failed(evidence_failure(state, why)));
        }
        Some(Fetched::Pending) | None => return without_picture(PaneStatus::Loading),
    };
    match evidence.runs.get(usize::from(at)) {
        Some(Err(why)) => without_picture(PaneStatus::Failed(why)),
        Some(Ok(_)) => match evidence_key(state).zip(evidence_step(state, at)) {
            Some((item, step)) => fetched(state, PictureKey::Step(RunId::of_item(item, at), step)),
            None => without_picture(PaneStatus::Loading),
        },
        None => without_picture(PaneStatus::Nothing("there is no such run")),
    }
}

/// Why something of an item cannot be shown: of a blind project not in full, as files that cannot be read are named
/// with their folders.
pub fn evidence_failure<'a>(state: &State, why: &'a str) -> &'a str {
    if state.annotate.is_blind() { "it cannot be shown: tell who leads the project" } else { why }
}

fn without_picture(status: PaneStatus<'_>) -> Pane<'_> {
    Pane { picture: None, key: None, status }
}

/// The ground truth, if the task has one or it is not known yet.
fn truth_pane(state: &State) -> Option<EvidenceShown<'_>> {
    let key = evidence_key(state)?;
    let shown = match evidence(state) {
        Some(Fetched::Ready(evidence)) => match &evidence.task {
            Some(task) if task.ground_truth.is_some() => fetched(state, PictureKey::ItemTruth(key)),
            // A task without a ground truth has no pane for one; a task that is missing says so in it.
            Some(_) => return None,
            None => Pane {
                picture: None,
                key: None,
                status: PaneStatus::Nothing("the task set was not found"),
            },
        },
        Some(Fetched::Failed(_)) => return None,
        Some(Fetched::Pending) | None => without_picture(PaneStatus::Loading),
    };
    Some(EvidenceShown {
        pane: EvidencePane::Truth,
        title: "Ground truth",
        made_by: None,
        shown,
        step: None,
    })
}

fn fetched(state: &State, key: PictureKey) -> Pane<'_> {
    match state.derived.pictures.get(&key) {
        Some(Fetched::Ready(picture)) => {
            Pane { picture: Some(picture), key: Some(key), status: PaneStatus::Current }
        }
        Some(Fetched::Failed(why)) => {
            without_picture(PaneStatus::Failed(evidence_failure(state, why)))
        }
        Some(Fetched::Pending) | None => without_picture(PaneStatus::Loading),
    }
}

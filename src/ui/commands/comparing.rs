//! What enables the commands of the stage and of runs with other calls, and what they ask for.

use super::command::Effect;
use crate::metric::MapKind;
use crate::workbench::views::PaneStatus;
use crate::workbench::{
    Command, DocumentChoice, EditedCalls, MOST_SHIFT, NodesCommand, Overlay, PixelTolerance,
    ReferenceKind, ScoresCommand, StageCommand, StagePane, StageView, State, WhatIfCommand, views,
};

pub(super) fn what_if(command: WhatIfCommand) -> Effect {
    Effect::Send(Command::WhatIf(command))
}

pub(super) fn can_branch(state: &State) -> bool {
    views::what_if_subject(state).is_some()
}

/// Whether the what-if of a run is shown, below which it stands what tools brought in many.
pub(super) fn can_ablate(state: &State) -> bool {
    views::shows_what_if(state) && state.selection.run.is_some()
}

pub(super) fn has_selected_call(state: &State) -> bool {
    views::shows_what_if(state) && state.what_if.selected.is_some()
}

pub(super) fn can_undo_branch(state: &State) -> bool {
    let subject = views::what_if_subject(state).filter(|_| views::shows_what_if(state));
    subject.and_then(|it| state.what_if.of(&it)).is_some_and(EditedCalls::can_undo)
}

pub(super) fn can_redo_branch(state: &State) -> bool {
    let subject = views::what_if_subject(state).filter(|_| views::shows_what_if(state));
    subject.and_then(|it| state.what_if.of(&it)).is_some_and(EditedCalls::can_redo)
}

pub(super) fn has_offered_step(state: &State) -> bool {
    views::offered_step(state).is_some()
}

/// Whether tools do what the assistant says.
pub(super) fn can_accept_step(state: &State) -> bool {
    views::offered_step(state).is_some_and(|step| !step.calls.is_empty())
}

pub(super) fn can_make_reference(state: &State) -> bool {
    views::reference_order(state, ReferenceKind::Tools).is_some()
}

pub(super) fn can_make_plan(state: &State) -> bool {
    views::reference_order(state, ReferenceKind::Plan).is_some()
}

/// Asks, and where that is asked already, does not any more.
pub(super) fn ask_reference(state: &State, kind: ReferenceKind) -> Effect {
    let asks = state.what_if.asks_reference != Some(kind);
    what_if(WhatIfCommand::AskReference(asks.then_some(kind)))
}

/// Without a selected task, nothing that anybody notices.
pub(super) fn by_hand(state: &State) -> Effect {
    state
        .selection
        .task
        .clone()
        .map_or(Effect::Send(Command::ToggleOverlay(Overlay::Jobs)), |task| {
            what_if(WhatIfCommand::ByHand(task))
        })
}

/// Whether the stage shows a difference of two pictures.
pub(super) fn shows_difference(state: &State) -> bool {
    state.shows_difference()
}

pub(super) fn switch_antialiasing(state: &State) -> Effect {
    let now = state.stage.tolerance;
    let ignores_antialiasing = !now.ignores_antialiasing;
    stage(StageCommand::Tolerate(PixelTolerance { ignores_antialiasing, ..now }))
}

/// One pixel more; after the most, none.
pub(super) fn next_shift(state: &State) -> Effect {
    let now = state.stage.tolerance;
    let shift = if now.shift < MOST_SHIFT { now.shift + 1 } else { 0 };
    stage(StageCommand::Tolerate(PixelTolerance { shift, ..now }))
}

pub(super) fn draw_ignored(state: &State) -> Effect {
    stage(StageCommand::DrawIgnored(!state.stage.draws_ignored))
}

pub(super) fn stage(command: StageCommand) -> Effect {
    Effect::Send(Command::Stage(command))
}

/// Of a task that asks in words, the pane shows them.
pub(super) fn has_truth_pane(state: &State) -> bool {
    let truth = views::pane(state, StagePane::GroundTruth).status;
    state.selection.task.is_some() && !matches!(truth, PaneStatus::Nothing(_))
}

pub(super) fn has_documents(state: &State) -> bool {
    state.has_documents()
}

pub(super) fn documents(choice: DocumentChoice) -> Effect {
    stage(StageCommand::ShowDocuments(choice))
}

pub(super) fn all_documents(state: &State) -> Effect {
    let are_shown = state.settings.documents == DocumentChoice::All;
    documents(if are_shown { DocumentChoice::Current } else { DocumentChoice::All })
}

/// Whether there is a ground truth that the run differs from, or the heat shows the run's own saliency, which is
/// there without one too.
pub(super) fn can_show_heat(state: &State) -> bool {
    let is_alone = state.heat_map() == MapKind::Generated;
    has_truth_pane(state) && !state.asks_in_words()
        || is_alone && has_saliency(state, MapKind::Generated)
}

pub(super) fn has_saliency(state: &State, kind: MapKind) -> bool {
    views::why_no_saliency(state, kind).is_none()
}

/// Without a variant, nothing that anybody notices.
pub(super) fn show_saliency(state: &State, kind: MapKind) -> Effect {
    let variant = state.saliency_variant().map(|variant| variant.id.clone());
    Effect::Send(Command::Scores(ScoresCommand::ShowMap(variant.unwrap_or_default(), kind)))
}

pub(super) fn has_losses(state: &State) -> bool {
    views::losses(state).is_some_and(|losses| losses.iter().any(|loss| loss.node_ref().is_some()))
}

/// The node of the area after that of the selected node; after the last comes the first.
pub(super) fn next_loss(state: &State) -> Effect {
    let losses = views::losses(state).unwrap_or_default();
    let nodes: Vec<_> = losses.iter().filter_map(views::Loss::node_ref).collect();
    let selected = state.nodes.selected.as_ref();
    let at = nodes.iter().position(|node| Some(node) == selected).map_or(0, |at| at + 1);
    let node = nodes.get(at).or(nodes.first()).cloned();
    Effect::Send(Command::Nodes(NodesCommand::Select(node)))
}

pub(super) fn is_swiped(state: &State) -> bool {
    state.stage.view == StageView::Swipe && state.selection.run.is_some()
}

pub(super) fn has_slots(state: &State) -> bool {
    !state.stage.slots.is_empty()
}

/// Whether the run can be laid over more than the ground truth.
pub(super) fn has_choice(state: &State) -> bool {
    has_slots(state) || views::is_branch_edited(state)
}

pub(super) fn has_aligned(state: &State) -> bool {
    state.alignment_key().is_some()
}

pub(super) fn has_divergence(state: &State) -> bool {
    state.aligned_runs().is_some_and(|aligned| aligned.alignment.divergence.is_some())
}

pub(super) fn has_other_run(state: &State) -> bool {
    state.next_run_to_compare().is_some()
}

pub(super) fn add_next_run(state: &State) -> Effect {
    // Without another run, nothing that anybody notices.
    let run = state.next_run_to_compare();
    run.map_or(stage(StageCommand::CloseSlots), |run| stage(StageCommand::ToggleSlot(run)))
}

//! Choosing the variant whose curve and map are shown.

use crate::workbench::command::ScoresCommand;
use crate::workbench::protocol::VariantId;
use crate::workbench::state::{StagePane, State};

pub(super) fn scores(state: &mut State, command: ScoresCommand) {
    match command {
        ScoresCommand::Choose(variant) => choose(state, &variant),
        ScoresCommand::ChooseBy(by) => choose_by(state, by),
    }
}

fn choose(state: &mut State, id: &VariantId) {
    let Some(variant) = state.variants.get(id) else { return };
    let has_map = variant.map_range.is_some();
    state.settings.curve_variant = id.to_string();
    if has_map {
        state.settings.heat_variant = id.to_string();
        state.stage.panes.insert(StagePane::Heat);
    }
    // The library's score may have been on its way with the curve that is not wanted any more.
    let is_open = state.selected_run().is_some_and(|run| run.last_score.is_none());
    state.work.finals_due.extend(state.selection.run.filter(|_| is_open));
}

fn choose_by(state: &mut State, by: i32) {
    let Some(last) = state.variants.len().checked_sub(1) else { return };
    let chosen = state.curve_variant().map(|variant| variant.id.clone());
    let at = state.variants.iter().position(|variant| Some(&variant.id) == chosen.as_ref());
    let to = at.unwrap_or(0).saturating_add_signed(by as isize).min(last);
    if let Some(id) = state.variants.get_at(to) {
        choose(state, &id);
    }
}

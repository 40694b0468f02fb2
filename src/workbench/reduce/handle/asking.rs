//! Asking models behind endpoints for scores: the dialog, and the questions.

use std::collections::BTreeSet;

use crate::evaluate::VariantId;
use crate::workbench::model::{Column, JobKind, NoticeLevel, Overlay, State};
use crate::workbench::protocol::{AskCommand, Request};

pub(super) fn ask(state: &mut State, command: AskCommand) -> Vec<Request> {
    match command {
        AskCommand::Open => open(state),
        AskCommand::Scope(scope) => state.asking.scope = scope,
        AskCommand::Toggle(variant) => {
            if !state.asking.variants.remove(&variant) {
                state.asking.variants.insert(variant);
            }
        }
        AskCommand::Start => return start(state),
    }
    Vec::new()
}

/// Opens the dialog on the scores that are looked at: of the table, those that have a column.
fn open(state: &mut State) {
    if !state.can_ask() {
        let words = "There is nobody to ask: name a judge or a captioner in the file of models, and choose a run.";
        state.notify(NoticeLevel::Info, words);
        return;
    }
    let shown = state.asked_variants().map(|variant| variant.id.clone());
    let all: BTreeSet<VariantId> = shown.collect();
    // In a room of its own, what was chosen in another one is not what is looked at.
    let first = state.ask_scopes().next().unwrap_or_default();
    if first.is_of_table() != state.asking.scope.is_of_table() {
        state.asking.scope = first;
    }
    let columns = &state.explore.view.columns;
    let of_table = all.iter().filter(|id| columns.contains(&Column::Score((*id).clone())));
    let of_table: BTreeSet<VariantId> = of_table.cloned().collect();
    let is_table = state.ask_scope().is_of_table() && !of_table.is_empty();
    state.asking.variants = if is_table { of_table } else { all };
    state.overlay = Some(Overlay::Ask);
}

/// Sends what the dialog says, as one job.
fn start(state: &mut State) -> Vec<Request> {
    let runs = state.asked_runs();
    if let Some(why) = state.why_not_asked(&runs) {
        state.notify(NoticeLevel::Info, why);
        return Vec::new();
    }
    let runs = state.asked_inputs(runs);
    state.overlay = None;
    let label = match runs.len() {
        1 => "asking about a run".to_owned(),
        many => format!("asking about {many} runs"),
    };
    let job = state.jobs.start(JobKind::Ask, label);
    vec![Request::Ask { job, runs }]
}

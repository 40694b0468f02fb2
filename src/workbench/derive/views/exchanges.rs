//! What a model was asked and answered, and which of it is looked at.

use std::sync::Arc;

use crate::run::RunOrigin;
use crate::workbench::model::{
    ExchangeKey, ExchangeList, ExchangeListKey, ExchangeText, Fetched, RunState, State,
};

use super::stage::PaneStatus;

/// The exchanges of the run on the stage.
#[derive(Debug)]
pub struct Exchanges<'a> {
    /// All of them; `None` while they are read, or cannot be.
    pub list: Option<&'a ExchangeList>,
    /// Which is selected, by its place in the list.
    pub selected: Option<usize>,
    /// Its key.
    pub key: Option<ExchangeKey>,
    /// Its text, once it is read.
    pub text: Option<&'a ExchangeText>,
    /// How the list stands, or the text where the list is there.
    pub status: PaneStatus<'a>,
}

const NONE: &str = "The run recorded no exchange with a model.";

/// The exchanges of the run on the stage; `None` without one that can have any.
pub fn exchanges(state: &State) -> Option<Exchanges<'_>> {
    let key = state.exchange_list_key()?;
    let mut view = Exchanges {
        list: None,
        selected: None,
        key: None,
        text: None,
        status: PaneStatus::Loading,
    };
    let list = match state.derived.exchange_lists.get(&key) {
        Some(Fetched::Ready(list)) => list,
        Some(Fetched::Failed(why)) => {
            return Some(Exchanges { status: PaneStatus::Failed(why), ..view });
        }
        Some(Fetched::Pending) | None => return Some(view),
    };
    view.list = Some(list);
    view.selected = selected(state, list);
    let Some(listed) = view.selected.and_then(|at| list.exchanges.get(at)) else {
        return Some(Exchanges { status: PaneStatus::Nothing(NONE), ..view });
    };
    // The list says how long each is; its text may be megabytes and is read only where it is looked at.
    let of_text = ExchangeKey::of(key.run, listed);
    view.key = Some(of_text);
    (view.text, view.status) = match state.derived.exchanges.get(&of_text) {
        Some(Fetched::Ready(text)) => (Some(&**text), PaneStatus::Current),
        Some(Fetched::Failed(why)) => (None, PaneStatus::Failed(why)),
        Some(Fetched::Pending) | None => (None, PaneStatus::Loading),
    };
    Some(view)
}

/// The chosen one, or the first of the turn on the stage; of a run that ended without an answer to its
/// last question, at its end that question.
fn selected(state: &State, list: &Arc<ExchangeList>) -> Option<usize> {
    let last = list.exchanges.len().checked_sub(1)?;
    if let Some(selected) = state.exchanges.selected {
        return Some(selected.min(last));
    }
    let entry = state.selected_run()?;
    let step = state.selection.step;
    // At the end of a failed run one looks for why, and that is the last request.
    if step == entry.steps && matches!(entry.state, RunState::Failed(_)) {
        return Some(last);
    }
    let turn = turn_on_stage(state).unwrap_or(1);
    let found = list.exchanges.iter().position(|it| it.value.turn >= turn);
    Some(found.unwrap_or(last))
}

fn turn_on_stage(state: &State) -> Option<u32> {
    let run = state.selected_run()?.loaded.as_ref()?;
    let step = run.steps.get(state.selection.step.checked_sub(1)? as usize)?;
    Some(step.turn)
}

impl State {
    /// Which list of exchanges the run on the stage has; `None` where no model was asked, as far as its
    /// manifest says.
    pub fn exchange_list_key(&self) -> Option<ExchangeListKey> {
        let run = self.selection.run?;
        let entry = self.library.runs.get(&run)?;
        let loaded = entry.loaded.as_ref()?;
        // Nothing was recorded of what other programs made.
        if !matches!(loaded.origin, RunOrigin::Recorded { .. }) {
            return None;
        }
        let asked = entry.manifest.totals.providers.as_ref().is_some_and(|all| !all.is_empty());
        let is_model = entry.manifest.agent.kind == crate::agent::AgentKind::Model.name();
        let is_over = entry.state != RunState::Live;
        let key = ExchangeListKey { run, turns: loaded.turns.len(), is_over };
        (asked || is_model).then_some(key)
    }
}

//! Looking at what a model was asked and answered.

use crate::workbench::derive::views;
use crate::workbench::model::{ExchangesPanel, Overlay, State};
use crate::workbench::protocol::ExchangesCommand;

pub(super) fn exchanges(state: &mut State, command: ExchangesCommand) {
    match command {
        ExchangesCommand::Open => {
            // Of the turn on the stage, whatever was looked at before; side and form stay.
            state.exchanges = ExchangesPanel { selected: None, ..state.exchanges };
            state.overlay = Some(Overlay::Exchanges);
        }
        ExchangesCommand::Select(at) => state.exchanges.selected = Some(at),
        ExchangesCommand::SelectBy(by) => {
            let Some(view) = views::exchanges(state) else { return };
            let count = view.list.map_or(0, |list| list.exchanges.len());
            let Some(last) = count.checked_sub(1) else { return };
            let now = view.selected.unwrap_or(0);
            let next = now.saturating_add_signed(by as isize).min(last);
            state.exchanges.selected = Some(next);
        }
        ExchangesCommand::ShowSide(side) => state.exchanges.side = side,
        ExchangesCommand::ShowRaw(is_raw) => state.exchanges.is_raw = is_raw,
    }
}

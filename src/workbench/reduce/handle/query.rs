//! Choosing among the answers about a query.

use crate::workbench::derive::views::{self, AnswerRow};
use crate::workbench::model::{FindingRef, NodeRef, NodeSide, State};
use crate::workbench::protocol::QueryCommand;

use super::select::moved;

pub(super) fn query(state: &mut State, command: QueryCommand) {
    match command {
        QueryCommand::Select(answer) => select(state, answer),
        QueryCommand::SelectBy(by) => select_by(state, by),
        QueryCommand::ToggleOnly(verdict) => {
            let again = state.query.only == Some(verdict);
            state.query.only = (!again).then_some(verdict);
        }
    }
}

/// The answer is selected, and with it the node it is about.
fn select(state: &mut State, answer: Option<FindingRef>) {
    let view = views::query(state);
    let rows = view.components.iter().flat_map(|component| &component.rows);
    let chosen = rows.into_iter().find(|row| Some(&row.at) == answer.as_ref());
    let node = chosen.and_then(|row| row.finding.node.clone());
    let is_there = chosen.is_some();
    // First, because selecting a node takes the selection of answers back.
    super::nodes::select(state, node.map(|id| NodeRef { side: NodeSide::Canvas, id }));
    state.query.selected = answer.filter(|_| is_there);
}

fn select_by(state: &mut State, by: i32) {
    let view = views::query(state);
    let mut rows: Vec<AnswerRow<'_>> =
        view.components.into_iter().flat_map(|component| component.rows).collect();
    if let Some(to) = moved(rows.iter().position(|row| row.is_selected), by, rows.len()) {
        let answer = rows.swap_remove(to).at;
        select(state, Some(answer));
    }
}

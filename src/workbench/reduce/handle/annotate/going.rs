//! From unit to unit.

use crate::label::{Act, CellKey};
use crate::workbench::model::{Annotate, Desk, Draft, Saving, State, UnitState};

/// After the pause: to the next unit that is open.
pub(super) fn go_on(state: &mut State) {
    let annotate = &mut state.annotate;
    let Some(desk) = &mut annotate.desk else { return };
    if desk.saving != Saving::GoingOn {
        return;
    }
    desk.saving = Saving::Done;
    let next = desk.progress.next(Some(desk.at)).unwrap_or(desk.units.len());
    place(annotate, next);
}

/// To a unit, whatever is open there. What was begun here is kept.
pub(super) fn go_to(state: &mut State, at: usize) {
    let annotate = &mut state.annotate;
    let Some(desk) = &mut annotate.desk else { return };
    if matches!(desk.saving, Saving::Writing(_) | Saving::Failing { .. }) {
        return;
    }
    desk.saving = Saving::Done;
    desk.told = None;
    place(annotate, at);
}

pub(super) fn go_by(state: &mut State, by: i32) {
    let Some(desk) = &state.annotate.desk else { return };
    let last = desk.units.len().saturating_sub(1);
    let at = desk.at.min(last).saturating_add_signed(by as isize).min(last);
    go_to(state, at);
}

/// Shows a unit: with what was begun there, or what was answered.
pub(super) fn place(annotate: &mut Annotate, at: usize) {
    let at = annotate.desk.as_ref().map_or(0, |desk| at.min(desk.units.len()));
    let answered = draft_of(annotate, at);
    let Some(desk) = &mut annotate.desk else { return };
    let leaving = std::mem::take(&mut desk.draft);
    if leaving.is_touched && desk.at != at {
        desk.left.insert(desk.at, leaving);
    }
    desk.at = at;
    desk.draft = desk.left.remove(&at).or(answered).unwrap_or_default();
    desk.view = desk.view.for_next();
    desk.flagging = None;
}

/// What stands as the answer of a unit, to be changed.
pub(super) fn draft_of(annotate: &Annotate, at: usize) -> Option<Draft> {
    let desk = annotate.desk.as_ref()?;
    let key = cell_of(annotate, desk, at)?;
    let answered = annotate.ledger.answer(&key)?;
    Some(Draft::of(answered.answer.clone()))
}

/// The cell of a unit.
pub(super) fn cell_of(annotate: &Annotate, desk: &Desk, at: usize) -> Option<CellKey> {
    let labels = annotate.labels.as_ref()?;
    let unit = desk.units.get(at)?;
    Some(CellKey::new(&labels.item(unit)?.id, labels.form_hash(unit)?, &desk.person))
}

/// How far a unit is, by what is on disk.
pub(super) fn unit_state(annotate: &Annotate, at: usize) -> UnitState {
    let key = annotate.desk.as_ref().and_then(|desk| cell_of(annotate, desk, at));
    let Some(key) = key else { return UnitState::default() };
    let cell = annotate.ledger.cell(&key);
    let answered = cell.answer.and_then(|id| annotate.ledger.event(id)).map(|event| &event.act);
    let millis = match answered {
        Some(Act::Answered(answered)) => answered.millis,
        _ => None,
    };
    UnitState {
        is_answered: cell.answer.is_some(),
        is_skipped: cell.is_skipped,
        is_flagged: cell.flag.is_some(),
        revisions: cell.revisions,
        millis,
    }
}

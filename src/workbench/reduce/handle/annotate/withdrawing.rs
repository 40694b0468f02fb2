//! Somebody no longer takes part.

use crate::label::Event;
use crate::workbench::model::{NoticeLevel, NoticeSubject, State};
use crate::workbench::protocol::{LabelOrder, Request};

use super::writing::others;

/// Has all removed that a person did. Nobody sits there then.
pub(super) fn withdraw(state: &mut State, person: String) -> Vec<Request> {
    let annotate = &mut state.annotate;
    if annotate.labels.is_none() || annotate.desk.is_some() || annotate.withdrawing.is_some() {
        return Vec::new();
    }
    annotate.asking_withdrawal = None;
    annotate.withdrawing = Some(person.clone());
    vec![Request::Labels(LabelOrder::Withdraw(person))]
}

/// Asks whether somebody is to be removed; `None`: nobody.
pub(super) fn ask(state: &mut State, person: Option<String>) {
    let ledger = &state.annotate.ledger;
    state.annotate.asking_withdrawal = person.filter(|person| !ledger.has_withdrawn(person));
}

/// It was removed, or could not be.
pub(in crate::workbench::reduce) fn withdrawn(
    state: &mut State,
    person: &str,
    result: Result<(Box<Event>, usize, bool), String>,
) {
    state.annotate.withdrawing = None;
    let (level, text) = match result {
        Ok((event, removed, is_scrubbed)) => {
            // Like an event of another program: the ledger takes it in and all that follows from it.
            others(state, vec![*event]);
            let gone = format!("{person} has withdrawn: {removed} events are gone for good.");
            if is_scrubbed {
                (NoticeLevel::Info, gone)
            } else {
                let rest =
                    "Another program reads the file: its log is emptied once that is closed.";
                (NoticeLevel::Warning, format!("{gone} {rest}"))
            }
        }
        Err(why) => (NoticeLevel::Error, format!("{person} could not be withdrawn: {why}")),
    };
    state.notify_about(NoticeSubject::Labelling, level, text);
}

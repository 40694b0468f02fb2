//! Opening a project, and sitting down to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::label::{FormHash, ItemId, Ledger};
use crate::workbench::model::{
    Annotate, Desk, Draft, EvidenceView, LabelProgress, NoticeLevel, NoticeSubject, OpenLabels,
    PictureKey, Review, SavedLabels, Saving, State, Unit, Workspace, remember_opened,
};
use crate::workbench::protocol::{LabelOrder, Request};

use super::going::{self, unit_state};
use super::reading;

/// Most characters of a person's name.
const MOST_NAME_CHARACTERS: usize = 80;

/// Has a project opened. The one that is open stays until it is there.
pub(super) fn open(state: &mut State, path: PathBuf) -> Vec<Request> {
    state.workspace = Workspace::Annotate;
    state.overlay = None;
    if is_writing(state) {
        return Vec::new();
    }
    state.annotate.opening = Some(path.clone());
    state.annotate.problem = None;
    vec![Request::Labels(LabelOrder::Open(path))]
}

pub(super) fn close(state: &mut State) -> Vec<Request> {
    if is_writing(state) {
        return Vec::new();
    }
    state.in_flight.labels_again = None;
    forget_evidence(state);
    state.annotate = Annotate::default();
    vec![Request::Labels(LabelOrder::Close)]
}

/// About what is labelled, so that it shows over a blind project, too; until it is dismissed.
pub(super) fn warn_of_unsaved(state: &mut State) {
    let text = "The last answer is not on disk yet, and is tried again. Closing the window again gives it up.";
    state.notify_about(NoticeSubject::Labelling, NoticeLevel::Error, text.to_owned());
}

/// Has runs looked for that were moved, while nobody sits there.
pub(super) fn relocate(state: &mut State, dir: PathBuf) -> Vec<Request> {
    let annotate = &state.annotate;
    let labels = annotate.labels.as_ref().filter(|_| annotate.desk.is_none());
    if labels.is_none_or(|labels| labels.project.packet.is_some()) {
        return Vec::new();
    }
    // Where that is may name who made them.
    let text = "Looking for the runs…".to_owned();
    state.notify_about(NoticeSubject::Labelling, NoticeLevel::Info, text);
    vec![Request::Labels(LabelOrder::Relocate(dir))]
}

/// Runs were looked for: if any was found, the project is read anew.
pub(in crate::workbench::reduce) fn relocated(
    state: &mut State,
    result: Result<(String, bool), String>,
) -> Vec<Request> {
    let (level, text, is_changed) = match result {
        Ok((words, is_changed)) => (NoticeLevel::Info, words, is_changed),
        Err(why) => (NoticeLevel::Error, why, false),
    };
    state.notify_about(NoticeSubject::Labelling, level, text);
    let path = state.annotate.labels.as_ref().map(|labels| labels.path.clone());
    match path {
        Some(path) if is_changed && state.annotate.desk.is_none() => open(state, path),
        _ => Vec::new(),
    }
}

/// Whether something is not on disk yet: then the project is not left.
fn is_writing(state: &mut State) -> bool {
    let desk = state.annotate.desk.as_ref();
    let is_writing =
        desk.is_some_and(|desk| matches!(desk.saving, Saving::Writing(_) | Saving::Failing { .. }));
    if is_writing {
        let text = "The last answer is not on disk yet: the project is left when it is.";
        state.notify_about(NoticeSubject::Labelling, NoticeLevel::Warning, text.to_owned());
    }
    is_writing
}

/// The project is open, or cannot be.
pub(in crate::workbench::reduce) fn opened(
    state: &mut State,
    path: PathBuf,
    result: Result<(Arc<OpenLabels>, Box<Ledger>), String>,
) {
    // Another one was asked for in the meantime, or none any more.
    if state.annotate.opening.as_ref() != Some(&path) {
        return;
    }
    state.annotate.opening = None;
    match result {
        Ok((labels, ledger)) => {
            forget_evidence(state);
            // Held anew: the file was opened anew.
            state.in_flight.on_desk = None;
            remember_opened(&mut state.settings.recent_labels, path);
            state.annotate = Annotate {
                labels: Some(labels),
                ledger: Arc::new(*ledger),
                // It was told just before.
                held: std::mem::take(&mut state.annotate.held),
                ..Annotate::default()
            };
            state.annotate.count_people();
            state.annotate.count_by_run();
            sit_down_again(state);
            sit_down_to_packet(state);
        }
        Err(why) => {
            // The last session's project may be gone: that is told where one is opened.
            state.in_flight.labels_again = None;
            state.annotate.problem = Some(why);
        }
    }
}

/// Who sat there in the last session sits there again, before what was on the screen.
fn sit_down_again(state: &mut State) {
    let Some(labels) = &state.annotate.labels else { return };
    let again = state.in_flight.labels_again.take().filter(|again| again.path == labels.path);
    let Some(SavedLabels { person: Some(person), item, form, draft, .. }) = again else { return };
    sit_down(state, &person);
    let annotate = &mut state.annotate;
    let Some((labels, desk)) = annotate.at_desk() else { return };
    let item = item.as_ref();
    let at = desk.units.iter().position(|unit| {
        unit.form == form && labels.item(unit).is_some_and(|known| Some(&known.id.0) == item)
    });
    let Some(at) = at else { return };
    going::place(annotate, at);
    // The form may have been changed since: then what was begun is no answer to it.
    let draft = draft
        .zip(annotate.asked())
        .filter(|(draft, (item, form))| draft.answer.check_values(form, &item.candidates).is_ok());
    if let Some((draft, _)) = draft
        && let Some(desk) = &mut annotate.desk
    {
        desk.draft = draft;
    }
}

/// A packet is for one person.
fn sit_down_to_packet(state: &mut State) {
    let Some(labels) = state.annotate.labels.as_ref().map(Arc::clone) else { return };
    if let Some(packet) = &labels.project.packet
        && state.annotate.desk.is_none()
    {
        sit_down(state, &packet.person);
    }
}

pub(super) fn sit_down(state: &mut State, person: &str) {
    let Some((labels, person)) = who(state, person) else { return };
    let packet = labels.project.packet.as_ref();
    let person = packet.map_or(person, |packet| packet.person.clone());
    state.settings.annotator.clone_from(&person);
    if state.annotate.ledger.has_withdrawn(&person) {
        let text = format!("{person} has withdrawn: nothing more is asked or kept of them.");
        state.notify_about(NoticeSubject::Labelling, NoticeLevel::Warning, text);
        return;
    }
    let units = labels.units_of(&person, &state.annotate.ledger);
    sit_at(state, &labels, person, units, None);
}

/// Somebody sits down to settle what others answered.
pub(super) fn sit_down_to_settle(state: &mut State, person: &str) {
    let Some((labels, person)) = who(state, person) else { return };
    // Who labels does not settle what others differ on.
    if labels.project.packet.is_some() {
        return;
    }
    state.settings.adjudicator.clone_from(&person);
    let units = labels.all_units(&person);
    sit_at(state, &labels, person, units, Some(Review::default()));
}

/// The project, and the name as it is kept; `None` without either.
fn who(state: &State, person: &str) -> Option<(Arc<OpenLabels>, String)> {
    let person: String =
        person.trim().chars().filter(|c| !c.is_control()).take(MOST_NAME_CHARACTERS).collect();
    let labels = state.annotate.labels.as_ref().filter(|_| !person.is_empty())?;
    Some((Arc::clone(labels), person))
}

/// Where the unit of an item by a form is.
fn places_of(labels: &OpenLabels, units: &[Unit]) -> BTreeMap<ItemId, BTreeMap<FormHash, usize>> {
    let mut places: BTreeMap<ItemId, BTreeMap<FormHash, usize>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        if let Some((item, form)) = labels.item(unit).zip(labels.form_hash(unit)) {
            places.entry(item.id.clone()).or_default().insert(form, at);
        }
    }
    places
}

/// What a person is asked may be more or less than before: what was answered decides it. Nothing else of where
/// they sit changes.
pub(super) fn restage(annotate: &mut Annotate) {
    let labels = annotate.labels.as_ref().filter(|labels| labels.is_staged());
    let Some(labels) = labels.map(Arc::clone) else { return };
    let Some(desk) = annotate.desk.as_mut().filter(|desk| desk.review.is_none()) else { return };
    desk.qualification = labels.qualification(&desk.person, &annotate.ledger);
    let units = labels.units_of(&desk.person, &annotate.ledger);
    if units == desk.units {
        return;
    }
    desk.places = Arc::new(places_of(&labels, &units));
    // Beyond the last: all was done.
    let is_beyond = desk.at >= desk.units.len();
    desk.left.retain(|at, _| *at < units.len());
    desk.units = units;
    let count = desk.units.len();
    desk.at = if is_beyond { count } else { desk.at.min(count) };
    let states = (0..count).map(|at| unit_state(annotate, at)).collect();
    if let Some(desk) = &mut annotate.desk {
        desk.progress = LabelProgress::new(states);
        desk.progress.set_held(held_units(desk, &annotate.held));
    }
}

/// The units that lie on other desks.
fn held_units(desk: &Desk, held: &BTreeSet<(ItemId, FormHash)>) -> BTreeSet<usize> {
    held.iter().filter_map(|(item, form)| desk.unit_of((item, *form))).collect()
}

/// What lies on other desks is asked later, as long as there is anything else.
pub(in crate::workbench::reduce) fn held(state: &mut State, held: BTreeSet<(ItemId, FormHash)>) {
    let annotate = &mut state.annotate;
    if let Some(desk) = &mut annotate.desk {
        desk.progress.set_held(held_units(desk, &held));
    }
    annotate.held = held;
}

/// Says what lies on the desk, when that is another item than before.
pub(in crate::workbench::reduce) fn hold(state: &mut State) -> Option<Request> {
    let labelling = state.annotate.at_desk().filter(|(_, desk)| desk.review.is_none());
    let on_desk = labelling.and_then(|(labels, desk)| {
        let unit = desk.unit().filter(|unit| desk.reading.is_none() && !labels.is_survey(unit))?;
        Some((labels.item(unit)?.id.clone(), labels.form_hash(unit)?))
    });
    if on_desk == state.in_flight.on_desk {
        return None;
    }
    state.in_flight.on_desk.clone_from(&on_desk);
    Some(Request::Labels(LabelOrder::Hold(on_desk)))
}

fn sit_at(
    state: &mut State,
    labels: &OpenLabels,
    person: String,
    units: Vec<Unit>,
    review: Option<Review>,
) {
    // What cannot be shown may have said where it lay, to whoever was there before.
    if state.annotate.ledger.revealed().is_some() {
        state.derived.evidence.forget(|_, _| true);
    }
    let ledger = &state.annotate.ledger;
    let settles = review.is_some();
    let qualification = labels.qualification(&person, ledger);
    let desk = Desk {
        reading: reading::first(labels, ledger, &person).filter(|_| !settles),
        qualification,
        person,
        places: Arc::new(places_of(labels, &units)),
        units,
        progress: LabelProgress::default(),
        at: 0,
        draft: Draft::default(),
        left: BTreeMap::new(),
        view: EvidenceView::default(),
        saving: Saving::Done,
        told: None,
        writing: None,
        shows_guide: true,
        flagging: None,
        language: state.settings.form_language.clone(),
        review,
    };
    let annotate = &mut state.annotate;
    annotate.desk = Some(desk);
    let count = annotate.desk.as_ref().map_or(0, |desk| desk.units.len());
    let states = (0..count).map(|at| unit_state(annotate, at)).collect();
    let Some(desk) = &mut annotate.desk else { return };
    desk.progress = LabelProgress::new(states);
    desk.progress.set_held(held_units(desk, &annotate.held));
    let first = desk.progress.next(None).unwrap_or(count);
    // Nothing was begun yet, and so nothing is kept of where the desk stood.
    desk.at = count;
    going::place(annotate, first);
}

pub(super) fn get_up(state: &mut State) {
    if !is_writing(state) {
        state.annotate.desk = None;
        state.annotate.count_people();
    }
}

/// Lets go of what was shown of another project: its items have the same numbers.
fn forget_evidence(state: &mut State) {
    state.derived.evidence.forget(|_, _| true);
    state.derived.findings.forget(|_, _| true);
    state.derived.pictures.forget(|key: &PictureKey, _| key.is_labelled());
    state.derived.differences.forget(|_, _| true);
    state.derived.layer_trees.forget(|key, _| key.slot.is_labelled());
    state.derived.traces.forget(|key, _| key.run.as_of_item().is_some());
    let alignments = &mut state.derived.alignments;
    alignments.forget(|key, _| key.runs.iter().any(|it| it.run.as_of_item().is_some()));
}

/// The ledger let go of what a person did: what was counted of it is counted anew.
pub(super) fn left(state: &mut State, person: &str) {
    // Counts go by how many events there are, and those are fewer.
    state.derived.findings.forget(|_, _| true);
    let annotate = &mut state.annotate;
    annotate.count_by_run();
    annotate.desk.take_if(|desk| desk.person == person && desk.review.is_none());
    annotate.count_people();
}

//! A packet: what one person labels of a project, in a file of its own that names nobody and nothing.
//!
//! Its items have random ids and stand as that person sees them; which items of the project they are is known
//! to the project's own file alone ([`PackedItem`]), by which answers come back.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, AnswerValue, Place, Preferred, TIE};
use super::event::{Act, Answered, Event, Shown};
use super::item::{Item, ItemId, ItemRole, LabelledRun};
use super::project::{Packet, Project};
use super::queue::{Queue, Sides, Turn};

/// Which item of the project an item of a packet is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedItem {
    /// Its id in the packet.
    pub id: ItemId,
    /// The item.
    pub item: ItemId,
    /// Whether the packet's first run is the item's second.
    pub is_swapped: bool,
    /// Its candidates, in the order they are shown.
    pub candidates: Vec<PackedCandidate>,
}

/// Which candidate of the project's item a candidate of a packet's is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedCandidate {
    /// Its id in the packet.
    pub id: String,
    /// The candidate's.
    pub candidate: String,
    /// Its place among the item's.
    pub place: u32,
}

/// What one person labels: the packet's project, its items in the order they are asked, and which items of the
/// project they are. `random` gives 16 hex digits that nobody can guess. Items that nothing can be shown of
/// are left out by the caller before: `mine` says which there are.
pub fn pack(
    project: &Project,
    items: &[Item],
    (person, mine): (&str, &[bool]),
    mut random: impl FnMut() -> String,
) -> (Project, Vec<(Item, PackedItem)>) {
    let queue = Queue::of((&project.id, person), items, mine, project.queue.sides);
    let packed = queue.turns.iter().filter_map(|turn| {
        let item = items.get(turn.index)?;
        let mut known = PackedItem {
            id: ItemId(random()),
            item: item.id.clone(),
            is_swapped: turn.is_swapped,
            candidates: Vec::new(),
        };
        for place in &turn.candidates {
            let candidate = item.candidates.get(*place as usize)?.clone();
            known.candidates.push(PackedCandidate { id: random(), candidate, place: *place });
        }
        let mut blinded = blinded(item, turn, &known);
        if project.queue.proposals.time().is_none() {
            blinded.proposal = None;
        }
        Some((blinded, known))
    });
    let packed = packed.collect();
    let packet = Project {
        id: random(),
        name: project.name.clone(),
        // Where task sets lie says which they are.
        task_sets: Vec::new(),
        // Nobody else is asked.
        people: vec![person.to_owned()],
        queue: super::QueueSettings { sides: Sides::AsGiven, ..project.queue },
        packet: Some(Packet { of: project.id.clone(), person: person.to_owned() }),
        ..project.clone()
    };
    (packet, packed)
}

/// The item without anything that says what it is of: its pictures are found by its id.
fn blinded(item: &Item, turn: &Turn, packed: &PackedItem) -> Item {
    let bare = LabelledRun { path: String::new(), content: String::new(), model: String::new() };
    let is_practice = item.role == ItemRole::Practice;
    // That it is asked first is seen; of the qualification the answers stay behind.
    let role = if item.role.comes_first() { item.role } else { ItemRole::Plain };
    let known = item.known.clone().filter(|_| is_practice);
    let as_packed = |answer: &mut Answer| {
        if turn.is_swapped {
            answer.values.values_mut().for_each(swap_value);
            answer.evidence.values_mut().flatten().for_each(swap_place);
        }
        let candidates = &packed.candidates;
        rename(answer, |id| Some(&candidates.iter().find(|it| it.candidate == id)?.id));
    };
    Item {
        runs: vec![bare; item.runs.len()],
        step: item.step,
        candidates: packed.candidates.iter().map(|it| it.id.clone()).collect(),
        text: item.text.clone(),
        // What is known is told of practice alone; of the others that it is known would be told too.
        role,
        known: known.map(|mut known| {
            as_packed(&mut known);
            known
        }),
        proposal: item.proposal.clone(),
        // That it is asked once more would be told, too.
        ..Item::bare(packed.id.clone(), item.kind)
    }
}

/// Has rankings name other ids, where there are such: of a ranking of a form's own options there are none.
fn rename<'a>(answer: &mut Answer, named: impl Fn(&str) -> Option<&'a String>) {
    for value in answer.values.values_mut() {
        let AnswerValue::Ranking(order) = value else { continue };
        for tied in order {
            let ids = tied.split(TIE).map(|id| named(id).map_or(id, String::as_str));
            *tied = ids.collect::<Vec<_>>().join(&TIE.to_string());
        }
    }
}

impl PackedItem {
    /// What was done in the packet, as it is of the project.
    pub fn of_project(&self, event: Event) -> Event {
        let Event { id, clock, at, person, form, act, .. } = event;
        let act = match act {
            Act::Answered(mut answered) => {
                self.turn_back(&mut answered);
                Act::Answered(answered)
            }
            act => act,
        };
        Event { id, clock, at, person, item: self.item.clone(), form, act }
    }

    fn turn_back(&self, answered: &mut Answered) {
        let shown = answered.shown.take();
        answered.shown = shown.map(|shown| Shown {
            // Turned in the packet and once more on the screen is not turned.
            is_swapped: shown.is_swapped != self.is_swapped,
            candidates: shown
                .candidates
                .iter()
                .filter_map(|at| Some(self.candidates.get(*at as usize)?.place))
                .collect(),
            ..shown
        });
        let known = &self.candidates;
        rename(&mut answered.answer, |id| Some(&known.iter().find(|it| it.id == id)?.candidate));
        if self.is_swapped {
            answered.answer.values.values_mut().for_each(swap_value);
            answered.answer.evidence.values_mut().flatten().for_each(swap_place);
        }
    }
}

fn swap_value(value: &mut AnswerValue) {
    match value {
        AnswerValue::Preference(preferred) => {
            *preferred = match preferred {
                Preferred::First => Preferred::Second,
                Preferred::Tie => Preferred::Tie,
                Preferred::Second => Preferred::First,
            }
        }
        AnswerValue::Marks(marks) => marks.iter_mut().for_each(|mark| swap_place(&mut mark.place)),
        _ => {}
    }
}

/// Of two runs a place is in the other one.
fn swap_place(place: &mut Place) {
    place.run = place.run.map(|run| match run {
        0 => 1,
        1 => 0,
        other => other,
    });
}

//! A labelling project, and what of it is whose to answer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::label::{Form, Item, ItemId, Project, Queue, Turn, assigned};

/// A labelling project, as it was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenLabels {
    /// Its file.
    pub path: PathBuf,
    /// What it says of itself.
    pub project: Project,
    /// Its forms, in its order.
    pub forms: Vec<Form>,
    /// Its items, in its order.
    pub items: Vec<Item>,
    /// Whether nothing can be written into it.
    pub is_read_only: bool,
    /// Where each item is among them.
    pub places: BTreeMap<ItemId, usize>,
}

/// An item by a form: what is answered at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The item, and what stands where.
    pub turn: Turn,
    /// Which form, by its place.
    pub form: usize,
}

impl OpenLabels {
    /// All items by all forms that are about them, for who settles what others answered; sides are as for
    /// anybody.
    pub(in crate::workbench) fn all_units(&self, person: &str) -> Vec<Unit> {
        self.units_among(person, &vec![true; self.items.len()])
    }

    /// The units of a person.
    pub(in crate::workbench) fn units_of(&self, person: &str) -> Vec<Unit> {
        let (project, items) = (&self.project, &self.items);
        let of = (project.people.as_slice(), person);
        self.units_among(person, &assigned(&project.id, of, items, project.queue.labels_per_item))
    }

    fn units_among(&self, person: &str, mine: &[bool]) -> Vec<Unit> {
        let (project, items) = (&self.project, &self.items);
        let queue = match &project.packet {
            // They stand as this person is asked them.
            Some(_) => Queue::as_given(items),
            None => Queue::of((&project.id, person), items, mine, project.queue.sides),
        };
        let mut units = Vec::with_capacity(queue.turns.len());
        for turn in queue.turns {
            let Some(item) = items.get(turn.index) else { continue };
            for (form, asked) in self.forms.iter().enumerate() {
                if asked.about == item.kind {
                    units.push(Unit { turn: turn.clone(), form });
                }
            }
        }
        units
    }

    /// Where an item is among the project's.
    pub(in crate::workbench) fn place_of(&self, item: &ItemId) -> Option<usize> {
        self.places.get(item).copied()
    }

    /// The item of a unit.
    pub fn item(&self, unit: &Unit) -> Option<&Item> {
        self.items.get(unit.turn.index)
    }

    /// The form of a unit.
    pub fn form(&self, unit: &Unit) -> Option<&Form> {
        self.forms.get(unit.form)
    }

    /// The name of the file, without its folder.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

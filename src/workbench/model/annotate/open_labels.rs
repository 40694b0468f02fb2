//! A labelling project, and what of it is whose to answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::Pixels;
use crate::label::{
    Form, FormHash, Item, ItemId, ItemKind, ItemRole, Ledger, Project, Qualification, Queue, Turn,
    assigned, assigned_to_each, qualification,
};

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
    /// Items of which a run is not where it lay: they are not asked.
    pub missing: BTreeSet<usize>,
    /// What people are asked about themselves, with what stands for an item of it.
    pub survey: Option<(Item, Form)>,
    /// The pictures of the texts before the first item, by their hash.
    pub pictures: Arc<BTreeMap<String, Pixels>>,
}

/// What stands for an item where people are asked about themselves.
pub fn survey_item() -> Item {
    Item::bare(ItemId::study(), ItemKind::Text)
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

    /// The units of a person, as far as they may come: first what is asked about them, then practice and the
    /// qualification, then the rest. What is behind grows at the end alone.
    pub(in crate::workbench) fn units_of(&self, person: &str, ledger: &Ledger) -> Vec<Unit> {
        let mut units: Vec<Unit> = self.survey_unit().into_iter().collect();
        if !units.is_empty() && ledger.survey(&self.project, person).is_none() {
            return units;
        }
        let lets_label = self.qualification(person, ledger).lets_label();
        let of_items = self.item_units_of(person).into_iter();
        units.extend(of_items.filter(|unit| {
            lets_label || self.item(unit).is_some_and(|item| item.role.comes_first())
        }));
        units
    }

    /// The units of a person that are about items, whether they have come to them or not.
    pub(in crate::workbench) fn item_units_of(&self, person: &str) -> Vec<Unit> {
        let (project, items) = (&self.project, &self.items);
        let of = (project.people.as_slice(), person);
        let mine = assigned(&project.id, of, items, project.queue.labels_per_item);
        let mut units = self.units_among(person, &mine);
        // Left out at the end: what stands on which side is as if all were there.
        units.retain(|unit| !self.missing.contains(&unit.turn.index));
        units
    }

    /// How many units [`Self::item_units_of`] gives for each of these people, in their order.
    pub(in crate::workbench) fn item_unit_counts(&self, persons: &[&str]) -> Vec<usize> {
        let Project { id, people, queue, packet, .. } = &self.project;
        let asks = self.items.iter().enumerate().map(|(at, item)| {
            let forms = self.forms.iter().filter(|form| form.about == item.kind).count();
            if self.missing.contains(&at) { 0 } else { forms }
        });
        let asks: Vec<usize> = asks.collect();
        // A packet is asked whole, whoever sits there.
        let is_packet = packet.is_some();
        let of = (people.as_slice(), persons);
        let lists = assigned_to_each(id, of, &self.items, queue.labels_per_item).into_iter();
        let counts = lists.map(|mine| {
            let mine = asks.iter().zip(mine).filter(|(_, mine)| *mine || is_packet);
            mine.map(|(asks, _)| asks).sum()
        });
        counts.collect()
    }

    /// How far somebody is with the qualification.
    pub fn qualification(&self, person: &str, ledger: &Ledger) -> Qualification {
        qualification(&self.project, &self.forms, &self.items, ledger, person)
    }

    /// Whether what somebody is asked depends on what they answered.
    pub(in crate::workbench) fn is_staged(&self) -> bool {
        self.survey.is_some() || self.items.iter().any(|item| item.role == ItemRole::Qualification)
    }

    /// What asks people about themselves.
    fn survey_unit(&self) -> Option<Unit> {
        let turn = Turn { index: self.items.len(), is_swapped: false, candidates: Vec::new() };
        self.survey.as_ref().map(|_| Unit { turn, form: self.forms.len() })
    }

    /// Whether a unit asks people about themselves.
    pub fn is_survey(&self, unit: &Unit) -> bool {
        unit.turn.index == self.items.len()
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
        self.items.get(unit.turn.index).or_else(|| {
            let (item, _) = self.survey.as_ref().filter(|_| self.is_survey(unit))?;
            Some(item)
        })
    }

    /// The form of a unit.
    pub fn form(&self, unit: &Unit) -> Option<&Form> {
        self.forms.get(unit.form).or_else(|| {
            let (_, form) = self.survey.as_ref().filter(|_| self.is_survey(unit))?;
            Some(form)
        })
    }

    /// The version of the form of a unit.
    pub fn form_hash(&self, unit: &Unit) -> Option<FormHash> {
        let of_items = self.project.forms.get(unit.form).copied();
        of_items.or_else(|| self.project.study.pre_survey.filter(|_| self.is_survey(unit)))
    }

    /// The name of the file, without its folder.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;
    use crate::label::{Packet, QueueSettings, StudySettings};

    fn open(labels_per_item: u32, packet: Option<Packet>) -> OpenLabels {
        let forms = ["likert", "task-success", "pairwise-preference"];
        let forms: Vec<Form> = forms.into_iter().filter_map(builtin_form).cloned().collect();
        let items = (0..50).map(|at| Item {
            role: if at < 3 { ItemRole::Practice } else { ItemRole::Plain },
            ..Item::bare(
                ItemId(format!("item-{at}")),
                if at % 5 == 0 { ItemKind::Pair } else { ItemKind::Run },
            )
        });
        let items: Vec<Item> = items.collect();
        OpenLabels {
            path: PathBuf::from("study.labels"),
            project: Project {
                id: "5eed".to_owned(),
                name: "Study".to_owned(),
                forms: forms.iter().map(Form::hash).collect(),
                guidelines: String::new(),
                task_sets: Vec::new(),
                people: ["ada", "bo", "cy"].map(str::to_owned).to_vec(),
                queue: QueueSettings { labels_per_item, ..QueueSettings::default() },
                study: StudySettings::default(),
                packet,
            },
            forms,
            places: BTreeMap::new(),
            items,
            is_read_only: false,
            missing: BTreeSet::from([7, 10]),
            survey: None,
            pictures: Arc::default(),
        }
    }

    #[test]
    fn units_are_counted_as_they_are_dealt() {
        let packet = Packet { of: "of".to_owned(), person: "ada".to_owned() };
        for (labels_per_item, packet) in [(1, None), (2, None), (3, None), (1, Some(packet))] {
            let labels = open(labels_per_item, packet);
            let persons = ["ada", "somebody else", "bo", "cy"];
            let counted = labels.item_unit_counts(&persons);
            let dealt = persons.map(|person| labels.item_units_of(person).len());
            assert_eq!(counted, dealt);
            assert!(counted.iter().all(|count| *count > 0));
        }
    }
}

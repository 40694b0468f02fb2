//! A labelling project that is being made.

use std::path::PathBuf;

use crate::evaluate::{LabelPlan, StudyPlan};
use crate::label::form::builtin_form;
use crate::label::sample::{Allocation, Sample};
use crate::label::{Form, QueueSettings, Sides};
use crate::workbench::model::ids::JobId;

/// What somebody chose so far.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLabels {
    /// What people call it.
    pub name: String,
    /// The forms that come with the program, by their ids, in the order they are asked.
    pub forms: Vec<String>,
    /// Who labels, divided by commas or lines.
    pub people: String,
    /// How many people label each item.
    pub per_item: u32,
    /// So many items are asked once more.
    pub repeat: u32,
    /// Only so many tasks; `None`: all.
    pub sample: Option<u32>,
    /// As many tasks of each type and difficulty; else in proportion.
    pub is_equal: bool,
    /// Whether names, scores and costs are kept from who labels.
    pub is_blind: bool,
    /// Whether the first of a pair always stands left.
    pub has_fixed_sides: bool,
    /// How to label, in Markdown.
    pub guidelines: String,
    /// What makes it, once that was asked for, and where it goes.
    pub making: Option<(JobId, PathBuf)>,
    /// Why it could not be made.
    pub problem: Option<String>,
}

impl Default for NewLabels {
    fn default() -> Self {
        Self {
            name: String::new(),
            forms: Vec::new(),
            people: String::new(),
            per_item: 3,
            repeat: 0,
            sample: None,
            is_equal: false,
            is_blind: true,
            has_fixed_sides: false,
            guidelines: String::new(),
            making: None,
            problem: None,
        }
    }
}

impl NewLabels {
    /// The forms, as far as they are known.
    pub fn chosen_forms(&self) -> impl Iterator<Item = &'static Form> {
        self.forms.iter().filter_map(|id| builtin_form(id))
    }

    /// The people, as they are named.
    pub fn named_people(&self) -> Vec<String> {
        let names = self.people.split([',', ';', '\n']).map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// The project, before it has items; `stem` is what its file is called.
    pub(in crate::workbench) fn plan(&self, stem: &str, task_sets: Vec<String>) -> LabelPlan {
        let name = self.name.trim();
        LabelPlan {
            name: if name.is_empty() { stem } else { name }.to_owned(),
            forms: self.chosen_forms().cloned().collect(),
            guidelines: self.guidelines.clone(),
            people: self.named_people(),
            queue: QueueSettings {
                labels_per_item: self.per_item,
                sides: if self.has_fixed_sides { Sides::AsGiven } else { Sides::Balanced },
                is_blind: self.is_blind,
                ..QueueSettings::default()
            },
            sample: self.sample.map(|count| Sample {
                count: usize::try_from(count).unwrap_or(usize::MAX),
                by: vec!["type".to_owned(), "difficulty".to_owned()],
                allocation: if self.is_equal {
                    Allocation::Equal
                } else {
                    Allocation::Proportional
                },
                seed: 0,
            }),
            repeat: usize::try_from(self.repeat).unwrap_or(usize::MAX),
            task_sets,
            study: StudyPlan::default(),
            texts: Vec::new(),
        }
    }
}

//! A labelling project that is being made.

use std::path::PathBuf;

use crate::evaluate::{KnownTable, LabelPlan, StudyPlan, StudySources, TextSource};
use crate::label::form::builtin_form;
use crate::label::sample::{Allocation, Sample};
use crate::label::{Form, ItemKind, ItemRole, PassMark, Proposals, QueueSettings, Sides};
use crate::workbench::model::ids::JobId;

/// What somebody chose so far.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLabels {
    /// What people call it.
    pub name: String,
    /// The forms that come with the program, by their ids, in the order they are asked.
    pub forms: Vec<String>,
    /// Forms from files, asked after those.
    pub own_forms: Vec<OwnForm>,
    /// Queries with candidate pictures: a folder or a table.
    pub queries: Option<PathBuf>,
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
    /// What is agreed to before anything is answered.
    pub consent: NewText,
    /// Good and bad examples.
    pub examples: NewText,
    /// The form that people are asked about themselves, by its id.
    pub pre_survey: Option<String>,
    /// The table of items to learn by, whose answer is told.
    pub practice: Option<PathBuf>,
    /// The table of answers that are known.
    pub known: Option<PathBuf>,
    /// So many of its items decide who labels; the others are asked without being told from the rest.
    pub qualifying: u32,
    /// How many of these in a hundred have to be answered as is known, 1 to 100.
    pub pass_percent: u32,
    /// When a program's proposal is shown.
    pub proposals: Proposals,
    /// What makes it, once that was asked for, and where it goes.
    pub making: Option<(JobId, PathBuf)>,
    /// Why it could not be made.
    pub problem: Option<String>,
}

/// A form that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnForm {
    /// The file.
    pub path: PathBuf,
    /// What it asks.
    pub form: Form,
}

/// A text that is typed, or in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewText {
    /// As far as it is typed.
    pub typed: String,
    /// The file, in the place of what is typed.
    pub file: Option<PathBuf>,
}

/// What a project that is being made takes from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewLabelsFile {
    /// What is agreed to.
    Consent,
    /// Good and bad examples.
    Examples,
    /// Items to learn by.
    Practice,
    /// Answers that are known.
    Known,
    /// Queries with candidate pictures: a table.
    Queries,
    /// The same as a folder.
    QueryFolder,
    /// A form.
    Form,
}

impl NewText {
    fn source(&self) -> TextSource {
        match &self.file {
            Some(path) => TextSource::File(path.clone()),
            None => TextSource::Typed(self.typed.clone()),
        }
    }
}

impl Default for NewLabels {
    fn default() -> Self {
        Self {
            name: String::new(),
            forms: Vec::new(),
            own_forms: Vec::new(),
            queries: None,
            people: String::new(),
            per_item: 3,
            repeat: 0,
            sample: None,
            is_equal: false,
            is_blind: true,
            has_fixed_sides: false,
            guidelines: String::new(),
            consent: NewText::default(),
            examples: NewText::default(),
            pre_survey: None,
            practice: None,
            known: None,
            qualifying: 0,
            pass_percent: 80,
            proposals: Proposals::default(),
            making: None,
            problem: None,
        }
    }
}

impl NewLabels {
    /// The forms, as far as they are known.
    pub fn chosen_forms(&self) -> impl Iterator<Item = &Form> {
        let builtin = self.forms.iter().filter_map(|id| builtin_form(id));
        builtin.chain(self.own_forms.iter().map(|own| &own.form))
    }

    /// Whether a form ranks the pictures of queries.
    pub fn asks_queries(&self) -> bool {
        self.chosen_forms().any(|form| form.about == ItemKind::Query)
    }

    /// Whether all forms are about queries, so that no run is needed.
    pub fn needs_no_run(&self) -> bool {
        self.asks_queries() && self.chosen_forms().all(|form| form.about == ItemKind::Query)
    }

    /// The people, as they are named.
    pub fn named_people(&self) -> Vec<String> {
        let names = self.people.split([',', ';', '\n']).map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Takes something from this file; `None`: no longer from one. Forms are read first ([`Self::own_forms`]).
    pub fn set_file(&mut self, what: NewLabelsFile, path: Option<PathBuf>) {
        match what {
            NewLabelsFile::Consent => self.consent.file = path,
            NewLabelsFile::Examples => self.examples.file = path,
            NewLabelsFile::Known => self.known = path,
            NewLabelsFile::Practice => self.practice = path,
            NewLabelsFile::Queries | NewLabelsFile::QueryFolder => self.queries = path,
            NewLabelsFile::Form => {}
        }
    }

    /// What comes before the first item.
    pub(in crate::workbench) fn study(&self) -> StudySources {
        let is_qualified = self.known.is_some() && self.qualifying > 0;
        let pass_mark = PassMark::try_from(f64::from(self.pass_percent) / 100.0).ok();
        StudySources {
            consent: self.consent.source(),
            examples: self.examples.source(),
            pre_survey: self.pre_survey.as_deref().and_then(builtin_form).cloned(),
            pass_mark: pass_mark.filter(|_| is_qualified),
        }
    }

    fn known_tables(&self) -> Vec<KnownTable> {
        let most = usize::try_from(self.qualifying).ok();
        let tables = [
            (&self.practice, ItemRole::Practice, None),
            (&self.known, ItemRole::Qualification, most),
        ];
        let tables = tables
            .into_iter()
            .filter_map(|(path, role, most)| Some(KnownTable { path: path.clone()?, role, most }));
        tables.collect()
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
                proposals: self.proposals,
            },
            sample: self.sample.map(|count| Sample {
                count: usize::try_from(count).unwrap_or(usize::MAX),
                by: vec!["type".to_owned(), "difficulty".to_owned()],
                allocation: if self.is_equal {
                    Allocation::Equal
                } else {
                    Allocation::Proportional
                },
                // The same runs give the same sample whenever the project is made again.
                seed: 0,
            }),
            repeat: usize::try_from(self.repeat).unwrap_or(usize::MAX),
            task_sets,
            study: StudyPlan::default(),
            known: self.known_tables(),
            texts: Vec::new(),
            queries: self.queries.as_ref().filter(|_| self.asks_queries()).cloned(),
        }
    }
}

//! A labelling project before it is one: what is asked of whom about which runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::label::form::{Evidence, Question, QuestionKind};
use crate::label::sample::{Sample, draw};
use crate::label::{
    Form, Item, ItemId, ItemKind, ItemRole, PassMark, Project, QueueSettings, StudySettings,
};
use crate::store::labels::StudyPictures;

use super::label_items::{ItemRun, label_items, text_items};
use super::study_text::StudyText;

/// What a project is to be made of, its runs aside.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelPlan {
    /// What people call it.
    pub name: String,
    /// What is asked.
    pub forms: Vec<Form>,
    /// How to label, in Markdown.
    pub guidelines: String,
    /// Who labels.
    pub people: Vec<String>,
    /// How items are asked.
    pub queue: QueueSettings,
    /// Only some of the tasks.
    pub sample: Option<Sample>,
    /// So many items are asked once more.
    pub repeat: usize,
    /// Where the runs' task sets lie, as seen from the project's file, if not where the runs say.
    pub task_sets: Vec<String>,
    /// What comes before the first item.
    pub study: StudyPlan,
    /// Answers that are known.
    pub known: Vec<KnownTable>,
    /// Words that are labelled beside what runs have.
    pub texts: Vec<String>,
    /// Queries with candidate pictures: a folder or a table ([`QueryItems`](super::QueryItems)).
    pub queries: Option<PathBuf>,
}

/// A table of answers that are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownTable {
    /// CSV or JSON Lines, as answers are taken in from.
    pub path: PathBuf,
    /// Why its items are among the items of the project.
    pub role: ItemRole,
    /// Only so many of its items, in the order of the table, are there for that; the others are asked as items
    /// whose answer is known. `None`: all.
    pub most: Option<usize>,
}

/// What comes before the first item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyPlan {
    /// What is agreed to.
    pub consent: StudyText,
    /// Good and bad examples.
    pub examples: StudyText,
    /// What people are asked about themselves.
    pub pre_survey: Option<Form>,
    /// The share of the qualification that is enough.
    pub pass_mark: Option<PassMark>,
}

/// Why there is no project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelPlanError {
    /// Nothing is asked.
    #[error("a project has at least one form")]
    NoForm,
    /// A form is about queries, and there are none.
    #[error("the form {0} ranks candidate pictures: say which queries have some (--queries)")]
    NoQueries(String),
    /// Queries are given, and no form is about them.
    #[error(
        "queries are for a form about queries, such as component-alignment, and none of the forms is"
    )]
    QueriesUnasked,
    /// A person without a name.
    #[error("a person has a name")]
    NoName,
    /// Somebody is named more than once.
    #[error("{0} is named twice")]
    Twice(String),
    /// A question about people needs something to look at.
    #[error(
        "the form {form} cannot be asked about people: its question {question} needs something to look at"
    )]
    NotAboutPeople {
        /// Which form.
        form: String,
        /// Which question.
        question: String,
    },
    /// There is nothing to be asked about.
    #[error("{}", if *.pairs_alone { "no task has two runs by different agents: there is no pair" } else { "there is no run to be labelled" })]
    NoItem {
        /// Whether only pairs were asked for.
        pairs_alone: bool,
    },
    /// Nothing says of any task what strata are to be made of.
    #[error("no task says its {0}: strata are made of what tasks say, such as type and difficulty")]
    NoStratum(String),
    /// More items are to be asked once more than there are.
    #[error(
        "{repeat} items cannot be asked once more: there are {plain} beside practice and known answers"
    )]
    TooManyRepeats {
        /// How many were asked for.
        repeat: usize,
        /// How many there are.
        plain: usize,
    },
}

impl LabelPlan {
    /// Looks whether anything can be made of it, before runs are read.
    ///
    /// # Errors
    ///
    /// [`LabelPlanError`] of forms and people.
    pub fn check(&self) -> Result<(), LabelPlanError> {
        if self.forms.is_empty() {
            return Err(LabelPlanError::NoForm);
        }
        // A form about queries without queries has nothing to ask; queries without one would lie in the file for
        // nothing.
        let of_queries = self.forms.iter().find(|it| it.about == ItemKind::Query);
        match (of_queries, &self.queries) {
            (Some(form), None) => return Err(LabelPlanError::NoQueries(form.id.clone())),
            (None, Some(_)) => return Err(LabelPlanError::QueriesUnasked),
            (None, None) | (Some(_), Some(_)) => {}
        }
        if let Some(survey) = &self.study.pre_survey
            && let Some(question) = question_of_item(survey)
        {
            let (form, question) = (survey.id.clone(), question.id.clone());
            return Err(LabelPlanError::NotAboutPeople { form, question });
        }
        let mut people = BTreeSet::new();
        for person in &self.people {
            if person.trim().is_empty() {
                return Err(LabelPlanError::NoName);
            }
            if !people.insert(person) {
                return Err(LabelPlanError::Twice(person.clone()));
            }
        }
        Ok(())
    }

    /// The items of these runs and these queries, or of those that are drawn; the second number says how many were
    /// left out as they are of copied runs.
    ///
    /// # Errors
    ///
    /// [`LabelPlanError`].
    pub fn items(
        &self,
        runs: &[ItemRun],
        queries: Vec<Item>,
    ) -> Result<(Vec<Item>, usize), LabelPlanError> {
        self.check()?;
        let kinds: BTreeSet<ItemKind> = self.forms.iter().map(|form| form.about).collect();
        let (mut items, copies) = label_items(&kinds, runs);
        // Words from elsewhere are labelled in the place of tasks' own.
        if kinds.contains(&ItemKind::Text) && !self.texts.is_empty() {
            items.retain(|item| item.kind != ItemKind::Text);
            items.extend(text_items(self.texts.iter().cloned()));
        }
        items.extend(queries);
        if let Some(sample) = &self.sample {
            // Tasks are drawn and not items, so that all runs of a task stay together and can be compared.
            let mut tasks: BTreeMap<String, &BTreeMap<String, String>> = BTreeMap::new();
            for item in &items {
                tasks.entry(task_name(item)).or_insert(&item.strata);
            }
            let known: BTreeSet<&String> = tasks.values().flat_map(|it| it.keys()).collect();
            // A name that no task has is a misspelt one, and would put all tasks into one stratum without a word.
            if let Some(unknown) = sample.by.iter().find(|by| !known.contains(by)) {
                return Err(LabelPlanError::NoStratum(unknown.clone()));
            }
            let named: Vec<(&str, &BTreeMap<String, String>)> =
                tasks.iter().map(|(name, strata)| (name.as_str(), *strata)).collect();
            let drawn: BTreeSet<String> =
                draw(&named, sample).into_iter().map(|at| named[at].0.to_owned()).collect();
            items.retain(|item| drawn.contains(&task_name(item)));
        }
        if items.is_empty() {
            let pairs_alone = kinds.iter().all(|kind| *kind == ItemKind::Pair);
            return Err(LabelPlanError::NoItem { pairs_alone });
        }
        Ok((items, copies))
    }

    /// Asks some items once more, after practice and known answers are told from the others.
    ///
    /// # Errors
    ///
    /// [`LabelPlanError::TooManyRepeats`].
    pub fn ask_again(&self, items: &mut Vec<Item>) -> Result<(), LabelPlanError> {
        let plain = items.iter().filter(|item| item.role == ItemRole::Plain).count();
        if self.repeat > plain {
            return Err(LabelPlanError::TooManyRepeats { repeat: self.repeat, plain });
        }
        let again = repeated(items, self.repeat);
        items.extend(again);
        Ok(())
    }

    /// The project, under an id that was drawn at random.
    pub fn project(&self, id: String) -> Project {
        Project {
            id,
            name: self.name.clone(),
            forms: self.forms.iter().map(Form::hash).collect(),
            guidelines: self.guidelines.clone(),
            task_sets: self.task_sets.clone(),
            people: self.people.clone(),
            queue: self.queue,
            study: StudySettings {
                consent: self.study.consent.text.clone(),
                examples: self.study.examples.text.clone(),
                pre_survey: self.study.pre_survey.as_ref().map(Form::hash),
                pass_mark: self.study.pass_mark,
            },
            packet: None,
        }
    }

    /// All forms: what is asked of items, and of people.
    pub fn all_forms(&self) -> Vec<Form> {
        self.forms.iter().chain(&self.study.pre_survey).cloned().collect()
    }

    /// The pictures of the texts.
    pub fn study_pictures(&self) -> StudyPictures {
        let StudyPlan { consent, examples, .. } = &self.study;
        consent
            .pictures
            .iter()
            .chain(&examples.pictures)
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    }
}

/// The first question of a form that cannot be asked about people, as it is answered by looking at something.
pub fn question_of_item(form: &Form) -> Option<&Question> {
    form.questions.iter().find(|question| needs_item(question))
}

/// Whether a question is answered by looking at something.
fn needs_item(question: &Question) -> bool {
    let looks = match &question.answer {
        QuestionKind::Preference { .. } | QuestionKind::Marks { .. } => true,
        QuestionKind::Ranking { options, .. } => options.is_empty(),
        _ => false,
    };
    looks || question.evidence != Evidence::None
}

fn task_name(item: &Item) -> String {
    match &item.task {
        Some(task) => format!("{}/{}", task.set, task.id),
        // A query is of no task, and drawn by itself.
        None if item.kind == ItemKind::Query => item.id.0.clone(),
        None => String::new(),
    }
}

/// Items that ask about some of these once more: which ones follows from their ids, which are as good as drawn.
fn repeated(items: &[Item], count: usize) -> Vec<Item> {
    let mut plain: Vec<(String, &Item)> = items
        .iter()
        .filter(|item| item.role == ItemRole::Plain)
        .map(|item| {
            let hash = blake3::hash(format!("again {}", item.id.0).as_bytes()).to_hex();
            (hash[..16].to_owned(), item)
        })
        .collect();
    plain.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let again = plain.into_iter().take(count).map(|(id, item)| Item {
        id: ItemId(id),
        repeats: Some(item.id.clone()),
        ..item.clone()
    });
    again.collect()
}

//! What people said of each run of a labelling project, for the library.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher};
use std::path::{Component, Path, PathBuf};

use crate::label::form::{FALLBACK_LANGUAGE, QuestionKind};
use crate::label::{AnswerValue, Form, Item, ItemKind, Ledger, Preferred};

use super::open_labels::OpenLabels;

/// The option by which forms say that there is nothing of the others: nothing that could be marked.
const NOTHING: &str = "none";
/// The form whose yeses are counted as NDEC.
const NDEC_FORM: &str = "ndec";

/// What people said of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunLabels {
    /// Answers about it, by anybody and any form.
    pub answers: usize,
    /// Answers about pairs it is one of, and how many preferred it; a tie counts half.
    pub preferences: (usize, f64),
    /// NDEC checklists of it, and the sum of their shares of yes.
    pub ndec: (usize, f64),
    /// Ids of options that were chosen or marked, with their headings, in lower case.
    pub words: BTreeSet<String>,
    /// What was chosen of or marked at which step, in the order of the steps.
    pub steps: Vec<StepLabel>,
}

/// What people said of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepLabel {
    /// The step, 0 the start.
    pub step: u32,
    /// The option's words.
    pub words: String,
    /// How many people said so.
    pub people: usize,
    /// Of how many who were asked about it.
    pub asked: usize,
}

impl RunLabels {
    /// The share of answers about pairs that preferred it, 0 to 1, a tie counting half; `None`: it is in no pair
    /// that was answered.
    pub fn preferred(&self) -> Option<f64> {
        let (answers, sum) = self.preferences;
        (answers > 0).then(|| sum / answers as f64)
    }

    /// The mean share of yes of its NDEC checklists, 0 to 1; `None`: there is none.
    pub fn ndec(&self) -> Option<f64> {
        let (checklists, sum) = self.ndec;
        (checklists > 0).then(|| sum / checklists as f64)
    }

    /// Hashes all of it.
    pub(in crate::workbench) fn hash_counts(&self, hasher: &mut impl Hasher) {
        (self.answers, self.preferences.0, self.ndec.0).hash(hasher);
        (self.preferences.1.to_bits(), self.ndec.1.to_bits()).hash(hasher);
        (&self.words, &self.steps).hash(hasher);
    }
}

/// What people said, by the folder of the run; and in which items each run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelsByRun {
    runs: BTreeMap<PathBuf, RunLabels>,
    items: BTreeMap<PathBuf, Vec<usize>>,
}

impl LabelsByRun {
    /// Counts all answers of a project.
    pub(in crate::workbench) fn count(labels: &OpenLabels, ledger: &Ledger) -> Self {
        let mut counted = Self::default();
        for (at, item) in labels.items.iter().enumerate() {
            for run in &item.runs {
                let folder = folder_of(labels, &run.path);
                counted.items.entry(folder).or_default().push(at);
            }
        }
        let folders: Vec<PathBuf> = counted.items.keys().cloned().collect();
        for folder in folders {
            counted.count_run(&folder, (labels, ledger));
        }
        counted
    }

    /// Counts anew what is said of the runs of an item.
    pub(in crate::workbench) fn recount(
        &mut self,
        labels: &OpenLabels,
        ledger: &Ledger,
        item: usize,
    ) {
        let runs = labels.items.get(item).into_iter().flat_map(|item| &item.runs);
        let folders: Vec<PathBuf> = runs.map(|run| folder_of(labels, &run.path)).collect();
        for folder in folders {
            self.count_run(&folder, (labels, ledger));
        }
    }

    fn count_run(&mut self, folder: &Path, of: (&OpenLabels, &Ledger)) {
        let mut counted = RunLabels::default();
        for at in self.items.get(folder).into_iter().flatten() {
            count_item(&mut counted, folder, of, *at);
        }
        if counted.answers > 0 {
            self.runs.insert(folder.to_path_buf(), counted);
        } else {
            self.runs.remove(folder);
        }
    }

    /// Hashes what was said of every run, as filters and cells ask for it.
    pub(in crate::workbench) fn hash_counts(&self, hasher: &mut impl Hasher) {
        for (folder, labels) in &self.runs {
            folder.hash(hasher);
            labels.hash_counts(hasher);
        }
    }

    /// What was said of the run in a folder, if anything.
    pub fn of(&self, folder: &Path) -> Option<&RunLabels> {
        self.runs.get(folder)
    }

    /// The items that a run is in, by their places in the project; none: it is not of the project.
    pub fn items_of(&self, folder: &Path) -> &[usize] {
        self.items.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Whether nothing was said of any run.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

fn count_item(
    counted: &mut RunLabels,
    folder: &Path,
    (labels, ledger): (&OpenLabels, &Ledger),
    at: usize,
) {
    let Some(item) = labels.items.get(at) else { return };
    let Some(place) = labels.labelled_run(item, folder) else { return };
    for (form, hash) in labels.forms.iter().zip(&labels.project.forms) {
        // By step and words; each person once.
        let mut said: BTreeMap<(u32, String), usize> = BTreeMap::new();
        let mut asked = 0;
        for (_, answered) in ledger.answers_about(&item.id, *hash) {
            counted.answers += 1;
            asked += 1;
            let mut own = BTreeSet::new();
            for (question, value) in &answered.answer.values {
                count_value(counted, form, question, value, place);
                own.extend(said_of_steps(form, question, value, item.step));
            }
            for label in own {
                *said.entry(label).or_default() += 1;
            }
            if form.id == NDEC_FORM {
                let yes = answered.answer.values.values();
                let yes = yes.filter(|value| **value == AnswerValue::YesNo(true)).count();
                counted.ndec.0 += 1;
                counted.ndec.1 += yes as f64 / form.questions.len().max(1) as f64;
            }
        }
        counted.steps.extend(said.into_iter().map(|((step, words), people)| StepLabel {
            step,
            words,
            people,
            asked,
        }));
    }
    counted.steps.sort_by_key(|label| label.step);
}

/// What a value says of steps: marks of the step they are at, choices of the step that the item is.
fn said_of_steps(
    form: &Form,
    question: &str,
    value: &AnswerValue,
    step: Option<u32>,
) -> Vec<(u32, String)> {
    let Some(known) = form.question(question) else { return Vec::new() };
    let options = known.answer.options();
    let chosen: Vec<(Option<u32>, &str)> = match value {
        AnswerValue::Marks(marks) => {
            marks.iter().map(|mark| (mark.place.step.or(step), mark.option.as_str())).collect()
        }
        AnswerValue::Choice(option) => vec![(step, option.as_str())],
        AnswerValue::Choices(options) => {
            options.iter().map(|option| (step, option.as_str())).collect()
        }
        _ => Vec::new(),
    };
    // "Nothing" is an answer of the form, and a mark on the timeline would say the opposite.
    let said = chosen.into_iter().filter(|(_, id)| *id != NOTHING).filter_map(|(step, id)| {
        let option = options.iter().find(|option| option.id == id)?;
        Some((step?, option.text.in_language(FALLBACK_LANGUAGE).to_owned()))
    });
    said.collect()
}

fn count_value(
    counted: &mut RunLabels,
    form: &Form,
    question: &str,
    value: &AnswerValue,
    place: usize,
) {
    let Some(known) = form.question(question) else { return };
    // Only the first question of a form says which run is better as a whole.
    let is_main = form.questions.first().is_some_and(|first| first.id == question);
    match value {
        AnswerValue::Preference(preferred) if is_main => {
            counted.preferences.0 += 1;
            counted.preferences.1 += match (preferred, place) {
                (Preferred::Tie, _) => 0.5,
                (Preferred::First, 0) | (Preferred::Second, 1) => 1.0,
                (Preferred::First | Preferred::Second, _) => 0.0,
            };
        }
        AnswerValue::Choice(_) | AnswerValue::Choices(_) => {
            counted.words.extend(value.words().iter().map(|word| word.to_lowercase()));
        }
        AnswerValue::Marks(marks) => {
            for mark in marks {
                counted.words.insert(mark.option.to_lowercase());
                counted.words.extend(group_of(&known.answer, &mark.option));
            }
        }
        _ => {}
    }
}

/// The heading an option stands under, in lower case.
fn group_of(kind: &QuestionKind, option: &str) -> Option<String> {
    let found = kind.options().iter().find(|known| known.id == option)?;
    found.group.as_ref().map(|group| group.to_lowercase())
}

impl OpenLabels {
    /// Which of an item's runs the one in a folder is, if it is labelled there: of a run beside its gold
    /// trajectory only the first is.
    pub fn labelled_run(&self, item: &Item, folder: &Path) -> Option<usize> {
        let place = item.runs.iter().position(|run| folder_of(self, &run.path) == folder);
        place.filter(|place| item.kind == ItemKind::Pair || *place == 0)
    }
}

/// The folder of a run as the library knows it: absolute, without steps back.
fn folder_of(labels: &OpenLabels, path: &str) -> PathBuf {
    let home = labels.path.parent().unwrap_or_else(|| Path::new(""));
    let mut folder = PathBuf::new();
    for part in home.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                folder.pop();
            }
            part => folder.push(part),
        }
    }
    folder
}

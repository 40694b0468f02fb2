//! What people and judges said of attempts: one attempt a row, in CSV or JSON Lines.
//!
//! | column | what | range |
//! |---|---|---|
//! | `model` | who tried | must be there |
//! | `task` | which task | |
//! | `mode` | how the model worked, as runs say it: `direct_plan`, `agentic` … | |
//! | `difficulty` | how hard it is, in the task set's own words | |
//! | `layers` | whether it is about layers | yes or no |
//! | `success` | whether it succeeded | yes or no |
//! | `seconds` | how long it took | 0 and up |
//! | `smart_objects`, `masks`, `smart_filters`, `adjustment_layers`, `duplicate_layers`, `blank_layers` | the NDEC checklist: is proper use made of these | yes or no |
//! | `design` | the type of design, such as `poster` | |
//! | `color`, `text`, `image` | how well the plan does what was asked of these | 1 to 5 |
//! | `executed` | whether a file came out of the plan | yes or no |
//! | `fidelity` | of the design | 0 to 1 |
//! | `content_similarity` | CLIPScore | 0 to 100 |
//! | `vqa` | questions about the design answered with yes, in per cent | 0 to 100 |
//! | `originality`, `elaboration` | of the design | 1 to 5 |
//!
//! An empty cell is not known. Columns that are none of these are passed over with a warning.

use std::path::Path;

use crate::metric::checklist::{Checklist, ChecklistItem, LayerRelation, TaskResult};

use super::output::note;
use crate::evaluate::data_table::{DataTable, DataTableError, text, within, yes_or_no};

/// What was said of one attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Label {
    /// Who tried.
    pub(super) model: String,
    /// Which task.
    pub(super) task: Option<String>,
    /// How the model worked, in the words of runs' manifests.
    pub(super) mode: Option<String>,
    /// How hard it is.
    pub(super) difficulty: Option<String>,
    /// Whether it is about layers.
    pub(super) layers: Option<LayerRelation>,
    /// Whether it succeeded.
    pub(super) success: Option<bool>,
    /// How long it took.
    pub(super) seconds: Option<f64>,
    /// The NDEC checklist; `None` if no question of it is answered.
    pub(super) checklist: Option<Checklist>,
    /// The type of design.
    pub(super) design: Option<String>,
    /// Whether a file came out of the plan.
    pub(super) executed: Option<bool>,
    /// Numbers, in the order of [`Measure::ALL`].
    pub(super) measures: [Option<f64>; 8],
}

/// A number that a label may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Color,
    Text,
    Image,
    Fidelity,
    ContentSimilarity,
    Vqa,
    Originality,
    Elaboration,
}

impl Measure {
    /// All, in the order of columns.
    const ALL: [Self; 8] = [
        Self::Color,
        Self::Text,
        Self::Image,
        Self::Fidelity,
        Self::ContentSimilarity,
        Self::Vqa,
        Self::Originality,
        Self::Elaboration,
    ];

    /// The column's name.
    fn name(self) -> &'static str {
        match self {
            Self::Color => "color",
            Self::Text => "text",
            Self::Image => "image",
            Self::Fidelity => "fidelity",
            Self::ContentSimilarity => "content_similarity",
            Self::Vqa => "vqa",
            Self::Originality => "originality",
            Self::Elaboration => "elaboration",
        }
    }

    /// What a cell must be.
    fn range(self) -> (f64, f64, &'static str) {
        match self {
            Self::Fidelity => (0.0, 1.0, "a number from 0 to 1"),
            Self::ContentSimilarity | Self::Vqa => (0.0, 100.0, "a number from 0 to 100"),
            _ => (1.0, 5.0, "a number from 1 to 5"),
        }
    }
}

/// The columns but those of the checklist and the measures.
const COLUMNS: [&str; 9] =
    ["model", "task", "mode", "difficulty", "layers", "success", "seconds", "design", "executed"];

const YES_OR_NO: &str = "yes or no";

impl Label {
    /// Reads a file of labels.
    pub(super) fn read(path: &Path) -> Result<Vec<Self>, DataTableError> {
        let data = DataTable::open(path)?;
        // A warning and no error: such files have columns of their own for notes and names of raters.
        for name in data.names().iter().filter(|name| !is_known(name)) {
            note(&format!("warning: column {name:?} is none of labels: {}", path.display()));
        }
        Self::from_table(&data)
    }

    fn from_table(data: &DataTable) -> Result<Vec<Self>, DataTableError> {
        // The one column that must be there: it says how many labels there are.
        let models = data.required("model", "a text", text)?;
        let mut labels: Vec<Self> =
            models.into_iter().map(|model| Self { model, ..Self::default() }).collect();
        put(&mut labels, data.named("task", "a text", text)?, |it, is| it.task = is);
        put(&mut labels, data.named("mode", "a text", text)?, |it, is| it.mode = is);
        put(&mut labels, data.named("difficulty", "a text", text)?, |it, is| {
            // People write Easy and easy, and cells of tables are found by it.
            it.difficulty = is.map(|difficulty: String| difficulty.to_lowercase());
        });
        put(&mut labels, data.named("layers", YES_OR_NO, relation)?, |it, is| it.layers = is);
        put(&mut labels, data.named("success", YES_OR_NO, yes_or_no)?, |it, is| it.success = is);
        let seconds = data.named("seconds", "a number from 0", within(0.0, f64::MAX))?;
        put(&mut labels, seconds, |it, is| it.seconds = is);
        put(&mut labels, data.named("design", "a text", text)?, |it, is| it.design = is);
        put(&mut labels, data.named("executed", YES_OR_NO, yes_or_no)?, |it, is| it.executed = is);
        for (at, item) in ChecklistItem::ALL.into_iter().enumerate() {
            let answers = data.named(&column_of(item), YES_OR_NO, yes_or_no)?;
            put(&mut labels, answers, |it, is| it.answer(at, is));
        }
        for (at, measure) in Measure::ALL.into_iter().enumerate() {
            let (low, high, wanted) = measure.range();
            let values = data.named(measure.name(), wanted, within(low, high))?;
            put(&mut labels, values, |it, is| it.put_measure(at, is));
        }
        Ok(labels)
    }

    fn answer(&mut self, at: usize, answer: Option<bool>) {
        // A checklist of which nothing is answered is none, so an empty cell must not make one.
        if answer.is_some()
            && let Some(place) = self.checklist.get_or_insert_default().0.get_mut(at)
        {
            *place = answer;
        }
    }

    fn put_measure(&mut self, at: usize, value: Option<f64>) {
        if let Some(place) = self.measures.get_mut(at) {
            *place = value;
        }
    }

    /// What a judge said of a plan: of color, text and image, each 1 to 5.
    pub(super) fn judged(model: &str, design: Option<&str>, said: [Option<f64>; 3]) -> Self {
        let mut label =
            Self { model: model.to_owned(), design: design.map(str::to_owned), ..Self::default() };
        for (at, value) in said.into_iter().enumerate() {
            label.put_measure(at, value);
        }
        label
    }

    /// A number, if it was given.
    pub(super) fn measure(&self, measure: Measure) -> Option<f64> {
        // By place, which is the same in `ALL` and in the label.
        let at = Measure::ALL.iter().position(|known| *known == measure)?;
        self.measures.get(at).copied().flatten()
    }

    /// How well colour, text and images follow what was asked, 1 to 5.
    pub(super) fn design_measures(&self) -> [Option<f64>; 3] {
        [Measure::Color, Measure::Text, Measure::Image].map(|measure| self.measure(measure))
    }

    /// Whether it says anything of success or of how a person would have worked.
    pub(super) fn is_of_photo(&self) -> bool {
        self.success.is_some() || self.checklist.is_some()
    }

    /// Whether it says anything of a plan or of what came out of it.
    pub(super) fn is_of_suite(&self) -> bool {
        self.executed.is_some() || self.measures.iter().any(Option::is_some)
    }

    /// The same as checklists are counted.
    pub(super) fn result(&self) -> TaskResult<'_> {
        TaskResult {
            model: &self.model,
            difficulty: self.difficulty.as_deref().unwrap_or_default(),
            layers: self.layers,
            success: self.success,
            seconds: self.seconds,
            checklist: self.checklist,
        }
    }
}

/// Gives each label what a column has for it.
fn put<T>(labels: &mut [Label], column: Vec<Option<T>>, set: impl Fn(&mut Label, Option<T>)) {
    for (label, cell) in labels.iter_mut().zip(column) {
        set(label, cell);
    }
}

fn is_known(name: &str) -> bool {
    COLUMNS.iter().any(|column| column.eq_ignore_ascii_case(name))
        || ChecklistItem::ALL.iter().any(|item| column_of(*item).eq_ignore_ascii_case(name))
        || Measure::ALL.iter().any(|measure| measure.name().eq_ignore_ascii_case(name))
}

/// The column of a question of the checklist.
pub(super) fn column_of(item: ChecklistItem) -> String {
    item.label().replace(' ', "_")
}

/// Whether a task is about layers, also in the paper's own abbreviations.
fn relation(cell: &str) -> Option<LayerRelation> {
    // The abbreviations stand in no other column, so they are no yes or no there.
    let is_about = match cell.to_ascii_uppercase().as_str() {
        "LR" => true,
        "NLR" => false,
        _ => yes_or_no(cell)?,
    };
    Some(if is_about { LayerRelation::LayerRelated } else { LayerRelation::NotLayerRelated })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<Label>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        Label::read(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn labels_are_the_same_in_both_forms() {
        let csv = "model,layers,success,masks,color,note\nA,LR,yes,no,4.5,x\nB,,,,,\n";
        let csv = read("l.csv", csv).unwrap();
        let lines = "{\"model\": \"A\", \"layers\": true, \"success\": 1, \"masks\": false, \
                     \"color\": 4.5}\n{\"model\": \"B\"}\n";
        assert_eq!(read("l.jsonl", lines).unwrap(), csv);
        let first = &csv[0];
        assert_eq!(first.layers, Some(LayerRelation::LayerRelated));
        assert_eq!(first.checklist.unwrap().0[1], Some(false));
        assert_eq!((first.measure(Measure::Color), first.measure(Measure::Vqa)), (Some(4.5), None));
        assert!(first.is_of_photo() && first.is_of_suite());
        assert!(!csv[1].is_of_photo() && !csv[1].is_of_suite());
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_column() {
        for (text, words) in [
            ("task\nx\n", "there is no column \"model\""),
            ("model,success\nA,maybe\n", "line 2, column \"success\": \"maybe\" is not yes or no"),
            ("model,color\nA,0\n", "line 2, column \"color\": \"0\" is not a number from 1 to 5"),
            ("model,vqa\n,3\n", "line 2, column \"model\" is empty"),
        ] {
            let error = read("l.csv", text).unwrap_err();
            assert!(error.contains(words) && error.contains("l.csv"), "{error}");
        }
    }
}

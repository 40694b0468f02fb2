//! What figures are made of, and what a figure is.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::drawing::VectorPicture;
use crate::environment::EnvironmentKind;
use crate::evaluate::condition::{Condition, OtherSettings};
use crate::evaluate::digest::RunDigest;
use crate::evaluate::made_by::made_by;
use crate::evaluate::primary::VariantId;
use crate::evaluate::typed_table::push_separated;
use crate::metric::VariantSpec;
use crate::metric::plan::errors::PlanErrorClass;
use crate::task::TaskKind;

/// The scores of CANVAS's curves and of its Pos@K: by the first variant of each metric, and what the paper calls it.
const CANVAS_SCORES: [(&str, &str); 4] = [
    ("ssim", "SSIM"),
    ("saliency_sim", "Saliency"),
    ("caption_similarity", "BLIP"),
    ("component_similarity", "Comp. Wise"),
];

/// Those of them that there are, for [`FigureSources::curves`].
pub fn canvas_curves<'a>(
    variants: impl Iterator<Item = &'a VariantSpec>,
) -> Vec<(VariantId, String)> {
    let variants: Vec<&VariantSpec> = variants.collect();
    let curves = CANVAS_SCORES.iter().filter_map(|(metric, name)| {
        let variant = variants.iter().find(|variant| variant.metric() == *metric)?;
        Some((variant.id.clone(), (*name).to_owned()))
    });
    curves.collect()
}

/// What figures are made of.
#[derive(Clone, Debug, Default)]
pub struct FigureSources {
    /// Runs that came to their end.
    pub runs: Vec<FigureRun>,
    /// Plans, published or of runs.
    pub plans: Vec<FigurePlan>,
    /// Which model people preferred.
    pub preferences: Vec<Preference>,
    /// What was said of attempts; what the logs of studies say of runs is in their digests.
    pub attempts: Vec<Attempt>,
    /// The scores of curves, in the order of [`FigureRun::scores`], with what they are called.
    pub curves: Vec<(VariantId, String)>,
    /// Runs that did not come to their end, which no figure shows.
    pub unfinished: usize,
    /// Runs whose calls are not known, as they cannot be read or were not yet: none shows them either.
    pub unread: usize,
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct FigureRun {
    /// Its number in the library, if it is of one.
    pub number: Option<u32>,
    /// Who acted.
    pub model: String,
    /// What its bar or curve is called, which [`FigureSources::name_rows`] says.
    pub row: String,
    /// What it was made with, as far as it changes what comes of it.
    pub condition: Condition,
    /// What else it was made with.
    pub others: OtherSettings,
    /// Where.
    pub environment: EnvironmentKind,
    /// What was asked, if the task is known.
    pub kind: Option<TaskKind>,
    /// Model answers.
    pub turns: u32,
    /// Whether it ended by failing: it counts all the same.
    pub has_failed: bool,
    /// What was called.
    pub digest: Arc<RunDigest>,
    /// At the start and at the end of each turn: by curve. Empty where nobody measured.
    pub scores: Vec<Vec<Option<f64>>>,
}

impl FigureRun {
    /// Whether it acted on a canvas, with tools or by code, as the runs of CANVAS do.
    pub(super) fn is_on_canvas(&self) -> bool {
        [EnvironmentKind::Canvas, EnvironmentKind::Page].contains(&self.environment)
    }
}

/// A plan.
#[derive(Clone, Debug, Default)]
pub struct FigurePlan {
    /// The number of its run in the library, if it is of one.
    pub number: Option<u32>,
    /// Who planned.
    pub model: String,
    /// What its bar or curve is called, which [`FigureSources::name_rows`] says.
    pub row: String,
    /// What its run was made with, as far as it changes what comes of it; nothing is known of published plans.
    pub condition: Condition,
    /// What else its run was made with.
    pub others: OtherSettings,
    /// Whether its run ended by failing: it counts all the same.
    pub has_failed: bool,
    /// Experts and actions, step by step.
    pub steps: Vec<(Option<String>, Option<String>)>,
    /// What is wrong with it.
    pub errors: Vec<PlanErrorClass>,
    /// Delivery, step efficiency, expert use efficiency, each 0 to 1.
    pub numbers: [Option<f64>; 3],
}

impl FigurePlan {
    /// The plan that a run carried out, if it did.
    pub fn of_run(run: &FigureRun) -> Option<Self> {
        let digest = &run.digest;
        let plan = digest.plan.as_ref()?;
        let steps = digest.steps.iter().map(|step| {
            let expert = step.expert.map(|expert| expert.name().to_owned());
            (expert, Some(digest.tool_of(step).to_owned()))
        });
        Some(Self {
            number: run.number,
            model: run.model.clone(),
            condition: run.condition.clone(),
            others: run.others.clone(),
            has_failed: run.has_failed,
            steps: steps.collect(),
            errors: plan.errors.clone(),
            numbers: plan.numbers,
            ..Self::default()
        })
    }
}

/// How often people preferred a model to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preference {
    /// The one.
    pub model: String,
    /// The other.
    pub against: String,
    /// The one was preferred.
    pub wins: usize,
    /// Neither was.
    pub ties: usize,
    /// The other was.
    pub losses: usize,
}

/// What was said of an attempt.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// The number of its run in the library, if it is of one.
    pub number: Option<u32>,
    /// Who tried.
    pub model: String,
    /// How.
    pub mode: Option<String>,
    /// How hard the task is said to be, in lower case.
    pub difficulty: Option<String>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// Whether it succeeded.
    pub success: Option<bool>,
    /// How well colour, text and images follow what was asked, 1 to 5.
    pub design: [Option<f64>; 3],
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its id, such as `canvas-4`.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The picture.
    pub drawing: VectorPicture,
    /// The numbers in it: the first row names the columns.
    pub numbers: Vec<Vec<String>>,
    /// How it was made, and what was left out.
    pub remarks: Vec<String>,
}

impl Figure {
    /// What a file of it says of itself: what it shows, what is to be said of it, and which program made it by which
    /// command.
    pub fn about(&self, command: &str) -> String {
        let made = made_by(command);
        let lines = [self.title].into_iter().chain(self.remarks.iter().map(String::as_str));
        lines.chain([made.as_str()]).collect::<Vec<_>>().join("\n")
    }

    /// Its numbers as comma-separated values; no name among them is a formula to a spreadsheet.
    pub fn numbers_csv(&self) -> String {
        self.separated(',')
    }

    /// The same with tabs, as spreadsheets take what is pasted.
    pub fn numbers_tsv(&self) -> String {
        self.separated('\t')
    }

    fn separated(&self, separator: char) -> String {
        let mut text = String::new();
        for row in &self.numbers {
            push_separated(&mut text, row.iter().cloned(), separator);
        }
        text
    }
}

/// What a function that makes a figure gives: the picture, the numbers and remarks, or what is missing.
pub(super) type FigureResult = Result<(VectorPicture, Vec<Vec<String>>, Vec<String>), String>;

/// `1 run`, `2 runs`.
pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A row of numbers as text.
pub(super) fn row(cells: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

/// What belongs to each row, by name.
pub(super) fn by_row<'a, T>(
    items: impl IntoIterator<Item = &'a T>,
    row: impl Fn(&'a T) -> &'a str,
) -> BTreeMap<&'a str, Vec<&'a T>> {
    let mut rows = BTreeMap::<&str, Vec<&T>>::new();
    for item in items {
        rows.entry(row(item)).or_default().push(item);
    }
    rows
}

//! What the tables need to know of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::environment::EnvironmentKind;
use crate::evaluate::{Condition, OtherSettings};
use crate::metric::checklist::LayerRelation;
use crate::metric::constraint::DesignType;
use crate::metric::plan::PlanExecution;
use crate::metric::{Measured, MissingScore, Registry, Score, VariantSpec};
use crate::run::{EXPERIMENT_SETTING, Manifest, ProviderTotals, Run, RunOrigin, Step};
use crate::task::{Task, TaskKind};

use crate::cli::scoring::{Scored, last_step};

/// The scores a paper prints, each by a variant, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns(Vec<Column>);

/// A score that a paper prints.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// What the paper calls it.
    pub(super) name: &'static str,
    /// What stands above it: the name, and which model it goes by where that is another than the
    /// paper's.
    pub(super) heading: String,
    /// By which variant; `None` if there is none of that metric.
    pub(super) variant: Option<VariantSpec>,
}

/// The metric that stands for nothing without its predictor: CANVAS's is UMSI++.
const SALIENCY: &str = "saliency_sim";

/// What CANVAS prints, and what the metric is called here.
const CANVAS: [(&str, &str); 4] = [
    ("SSIM", "ssim"),
    ("Saliency", SALIENCY),
    ("BLIP", "caption_similarity"),
    ("Comp. Wise", "component_similarity"),
];

/// What GraphicBench and GraphicWeaver print of designs, and what the metric is called here; and our
/// own check of them.
const SUITE: [(&str, &str); 15] = [
    ("Fidelity", "fidelity"),
    ("Content Similarity", "clip_score"),
    ("Creativity (O)", "originality"),
    ("Creativity (E)", "elaboration"),
    ("VQA Pass Rate", "vqa"),
    ("Design Pass · Color", "design_color"),
    ("Design Pass · Text", "design_text"),
    ("Design Pass · Image", "design_image"),
    ("Constraints", "constraints/all"),
    ("Constraints · Present", "constraints/present"),
    ("Constraints · Colour", "constraints/color"),
    ("Constraints · Size", "constraints/size"),
    ("Constraints · Position", "constraints/position"),
    ("Constraints · On the page", "constraints/on_page"),
    ("Constraints · Contrast", "constraints/contrast"),
];

impl Columns {
    /// The scores of CANVAS.
    pub(super) fn canvas(registry: &Registry) -> Self {
        Self::printed(registry, &CANVAS)
    }

    /// The scores of GraphicBench and GraphicWeaver.
    pub(super) fn suite(registry: &Registry) -> Self {
        Self::printed(registry, &SUITE)
    }

    /// The first variant of each metric, which is the one of the published code, or the variant of that
    /// id.
    fn printed(registry: &Registry, printed: &[(&'static str, &str)]) -> Self {
        let columns = printed.iter().map(|(name, metric)| {
            let variant = registry
                .variants()
                .find(|variant| variant.metric() == *metric || variant.id == *metric);
            let heading = match variant.filter(|_| *metric == SALIENCY) {
                Some(variant) => format!("{name} ({})", variant.variant_label),
                None => (*name).to_owned(),
            };
            Column { name, heading, variant: variant.cloned() }
        });
        Self(columns.collect())
    }

    /// The columns.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Column> {
        self.0.iter()
    }

    /// The place of the column of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column.name == name)
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The ids of the variants there are.
    pub(super) fn ids(&self) -> Vec<&str> {
        self.0.iter().filter_map(|column| Some(&*column.variant.as_ref()?.id)).collect()
    }
}

/// What the tables need to know of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct RunSummary {
    /// Who acted.
    pub(super) model: String,
    /// With what, as far as it changes results.
    pub(super) condition: Condition,
    /// With what else.
    pub(super) others: OtherSettings,
    /// The environment of its task.
    pub(super) environment: EnvironmentKind,
    /// What was asked, if the task is known.
    pub(super) kind: Option<TaskKind>,
    /// Nodes of the ground truth.
    pub(super) nodes: Option<usize>,
    /// Which task, for counting each once.
    pub(super) task: String,
    /// Which repeat of an experiment, from 1; `None`: it is of none.
    pub(super) repeat: Option<u32>,
    /// When it began.
    pub(super) started: String,
    /// Whether it ended by failing, or in a study by being given up.
    pub(super) has_failed: bool,
    /// The tools that people used.
    pub(super) reference_tools: BTreeSet<String>,
    /// The tools that were called; `None` if only pictures were recorded.
    pub(super) tools: Option<BTreeSet<String>>,
    /// Whether no call did anything; `None` if the calls are not known.
    pub(super) is_idle: Option<bool>,
    /// How hard its task is, in lower case.
    pub(super) difficulty: Option<String>,
    /// Whether its task is about layers, where its tags say: `LR` or `NLR`.
    pub(super) layers: Option<LayerRelation>,
    /// The category of its task: the type of design.
    pub(super) design: Option<String>,
    /// What came of its calls as a plan; `None` if the calls are not known.
    pub(super) execution: Option<PlanExecution>,
    /// What was asked of each provider of models; `None`: it was not recorded.
    pub(super) providers: Option<BTreeMap<String, ProviderTotals>>,
    /// At the start, at the end of each turn: by column, as below.
    pub(super) points: Vec<Vec<ColumnScore>>,
}

/// The score of a column, or why there is none.
pub(super) type ColumnScore = Result<f64, String>;

/// The steps that are scored: the start and the end, or the ends of all turns.
pub(super) fn steps(run: &Run, with_turns: bool) -> Vec<u32> {
    let mut steps = vec![0];
    if with_turns {
        let ends = run.turns.iter().map(|turn| turn.first_step.saturating_add(turn.step_count));
        steps.extend(ends.filter_map(|end| u32::try_from(end).ok()));
    }
    // Turns without calls end where the one before did: each step is scored once.
    steps.push(last_step(run));
    steps.sort_unstable();
    steps.dedup();
    steps
}

impl RunSummary {
    /// What is known of a run that was scored at [`steps`].
    pub(super) fn new(scored: &Scored, columns: &Columns) -> Self {
        let (run, task) = (&scored.job.run, scored.job.task.as_ref());
        let manifest = &run.manifest;
        let (condition, others) = Condition::of(manifest);
        Self {
            model: manifest.agent.name.clone(),
            condition,
            others,
            environment: manifest.environment.clone(),
            kind: task.map(|task| task.kind),
            nodes: task.and_then(nodes_of),
            task: format!("{}/{}", manifest.task.set, manifest.task.id),
            repeat: repeat_of(manifest),
            started: manifest.started.clone(),
            has_failed: manifest.outcome.is_failure(),
            reference_tools: task
                .map(|task| task.reference_tools.iter().cloned().collect())
                .unwrap_or_default(),
            tools: called_tools(run),
            is_idle: run.is_idle(),
            difficulty: task
                .and_then(|task| task.difficulty.as_ref())
                .map(|difficulty| difficulty.to_lowercase()),
            layers: task.and_then(|task| layers(&task.tags)),
            // Imported plans may be without their set, but their ids begin with the type.
            design: task.and_then(|task| task.category.clone()).or_else(|| {
                let design = DesignType::of_task(&manifest.task.id)?;
                Some(design.title().to_owned())
            }),
            execution: execution(run),
            providers: manifest.totals.providers.clone(),
            points: scored.steps.iter().map(|(_, scores)| point(scores, columns)).collect(),
        }
    }

    /// The score of a column at the end.
    pub(super) fn last(&self, column: usize) -> ColumnScore {
        score_at(self.points.last(), column)
    }

    /// The score of a column at the start.
    pub(super) fn first(&self, column: usize) -> ColumnScore {
        score_at(self.points.first(), column)
    }

    /// The score of a column at the end minus that at the start.
    pub(super) fn gain(&self, column: usize) -> ColumnScore {
        Ok(self.last(column)? - self.first(column)?)
    }
}

/// The value of a score, or why there is none, without saying that it is undefined.
pub(super) fn value_or_reason(score: &Score) -> ColumnScore {
    match score {
        Score::Value(value) => Ok(*value),
        Score::Missing(MissingScore::Undefined(why)) => Err(why.clone()),
        Score::Missing(why) => Err(why.to_string()),
    }
}

fn score_at(point: Option<&Vec<ColumnScore>>, column: usize) -> ColumnScore {
    let score = point.and_then(|point| point.get(column));
    score.cloned().unwrap_or_else(|| Err("it was not computed".to_owned()))
}

fn point(scores: &[Measured], columns: &Columns) -> Vec<ColumnScore> {
    columns.iter().map(|column| column_score(scores, column)).collect()
}

fn column_score(scores: &[Measured], column: &Column) -> ColumnScore {
    // A column that the paper prints stays in the table, also where nothing can fill it.
    let Some(variant) = &column.variant else {
        return Err(format!("{} cannot be computed here", column.name));
    };
    let measured = scores.iter().find(|measured| measured.variant.id == variant.id);
    match measured.map(|measured| &measured.measurement.score) {
        Some(Score::Value(value)) => Ok(*value),
        Some(Score::Missing(why)) => Err(why.to_string()),
        None => Err("it was not computed".to_owned()),
    }
}

/// Nodes of the ground truth's document; `None` without one.
fn nodes_of(task: &Arc<Task>) -> Option<usize> {
    // A ground truth that cannot be read is told of by its scores; here its size is only not known.
    let json = task.load_ground_truth_document().ok().flatten()?;
    Some(crate::design::figma::from_json(json).ok()?.document.len())
}

fn repeat_of(manifest: &Manifest) -> Option<u32> {
    let settings = serde_json::to_value(&manifest.settings).ok()?;
    u32::try_from(settings.get(EXPERIMENT_SETTING)?.get("repeat")?.as_u64()?).ok()
}

fn called_tools(run: &Run) -> Option<BTreeSet<String>> {
    if matches!(run.origin, RunOrigin::Pictures { .. }) {
        return None;
    }
    // Names alone, each once: diversity is of different tools.
    let calls = run.steps.iter().filter_map(|step| step.call.as_ref());
    Some(calls.map(|call| call.name.clone()).collect())
}

/// What the tags of a task say of layers, in PSBench's abbreviations.
fn layers(tags: &[String]) -> Option<LayerRelation> {
    tags.iter().find_map(|tag| match tag.to_ascii_uppercase().as_str() {
        "LR" | "LAYER-RELATED" => Some(LayerRelation::LayerRelated),
        "NLR" | "NON-LAYER-RELATED" => Some(LayerRelation::NotLayerRelated),
        _ => None,
    })
}

/// The actions of the design suite that write a file.
const MAKE_A_FILE: [&str; 2] = ["SaveDocument", "ExportDocument"];

/// The calls of a run as the execution of a plan.
fn execution(run: &Run) -> Option<PlanExecution> {
    if matches!(run.origin, RunOrigin::Pictures { .. }) {
        return None;
    }
    let good: Vec<&Step> = run.steps.iter().filter(|step| step.went_well()).collect();
    let failed_steps = run.steps.len() - good.len();
    let mut calls = good.iter().filter_map(|step| step.call.as_ref());
    let made_a_file = calls.any(|call| MAKE_A_FILE.contains(&call.name.as_str()));
    Some(PlanExecution { made_a_file, steps: run.steps.len(), failed_steps })
}

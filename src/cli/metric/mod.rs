//! `pentimento metric`: two pictures or designs, every metric that can be computed.
//!
//! [`side`] reads what is compared; the scores are the scorer's. [`captions`] writes what the pictures of
//! runs show. [`plan`], [`constraints`],
//! [`ndec`], [`skills`] and [`vqa`] measure what is no pair of designs.

mod captions;
mod constraints;
mod ndec;
mod plan;
mod side;
mod skills;
mod vqa;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::base::{CancelToken, Pixels};
use crate::evaluate::{ComparedSide, ComparedTask, Scorer, Wanted};
use crate::metric::transformation::Verdict;
use crate::metric::{Direction, Measured, Needs};
use crate::model::captions::{CaptionsOfCase, CaseError, PrecomputedCaptions};

use super::checks;
use super::made_by::print_result_json;
use super::output::{ScoreJson, note, print, score_text};
use super::own_metrics::OwnMetrics;
use super::scoring::{Cache, models, scorer};
use side::SideJson;

/// Compare two pictures or designs with every metric there is
///
/// A picture is PNG, JPEG, WebP, GIF or BMP, a design Figma REST JSON, which is also drawn at one
/// pixel a unit for the metrics of pictures. Pictures are compared as 8-bit RGB: alpha is dropped,
/// and pictures of different sizes are both resized to the smaller width and the smaller height.
#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct MetricArguments {
    /// Something else than a pair of pictures or designs.
    #[command(subcommand)]
    command: Option<MetricCommand>,
    /// The ground truth.
    #[arg(long, value_name = "A", required = true)]
    gt: Option<PathBuf>,
    /// What was generated.
    #[arg(long = "gen", value_name = "B", required = true)]
    generated: Option<PathBuf>,
    /// What was there before, of a modification: its scores and the change against them.
    #[arg(long, value_name = "C")]
    base: Option<PathBuf>,
    /// Pictures that the task gave to be used.
    #[arg(long, value_name = "PICTURE", num_args = 1..)]
    inputs: Vec<PathBuf>,
    /// What the task asked for.
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// Captions, as CANVAS publishes them: {"gt_caption", "gen_caption"}, or a list of such.
    #[arg(long, value_name = "FILE.json")]
    captions: Option<PathBuf>,
    /// Which case of --captions.
    #[arg(long, value_name = "ID", requires = "captions")]
    case: Option<String>,
    /// Which models there are, such as {"clip": …, "saliency": …, "judge": …}; what is not named is
    /// the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Checks of what was to be done to --base: {"checks": [{"check": "flip", "axis": "horizontal"}]}.
    #[arg(long, value_name = "FILE.json", requires = "base")]
    checks: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// What can be measured beside pictures and designs.
#[derive(Debug, Subcommand)]
enum MetricCommand {
    Captions(captions::CaptionsArguments),
    Plan(plan::PlanArguments),
    Constraints(constraints::ConstraintsArguments),
    Ndec(ndec::NdecArguments),
    Skills(skills::SkillsArguments),
    Vqa(vqa::VqaArguments),
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric --gt target.png --gen canvas.png
  pentimento metric --gt target.png --gen canvas.png --json | jq '.metrics[0].value'
  pentimento metric --gt target.png --gen canvas.png --metric 'exec:python3 mine.py'
  pentimento metric --gt target.json --gen final.json --base start.json
  pentimento metric --gt target.png --gen after.png --base before.png --checks checks.json
  pentimento metric plan graphicbench/plans
  pentimento metric ndec labels.csv
  pentimento metric skills trials.csv
  pentimento metric vqa designs/ --questions poster.jsonl --models models.json

JSON, with the program and the command: {\"ground_truth\": {\"path\", \"kind\", \"width\", \"height\"}, \"generated\": {…},
\"compared_size\": {\"width\", \"height\"},
\"metrics\": [{\"id\", \"value\"} or {\"id\", \"value\": null, \"reason\", \"message\"}]}
Each of the metrics also has \"label\", \"variant\", \"better\", \"range\" and \"source\", and with --base
\"base\" (a score as above) and \"delta\" (the value minus the base's). With --checks there is
\"checks\": [{\"check\", \"passed\", \"measured\", \"wanted\", \"why\"}].

A metric that has no value says why; that is no failure.";

/// The JSON that `--json` prints.
#[derive(Debug, Serialize)]
struct ComparisonJson {
    ground_truth: SideJson,
    generated: SideJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<SideJson>,
    /// The smaller width and the smaller height; null unless both sides have a picture.
    compared_size: Option<SizeJson>,
    metrics: Vec<MetricJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<Verdict>>,
}

#[derive(Debug, Serialize)]
struct SizeJson {
    width: u32,
    height: u32,
}

/// A score with what has to be known to read it, and what it was before.
#[derive(Debug, Serialize)]
struct MetricJson {
    #[serde(flatten)]
    score: ScoreJson,
    label: &'static str,
    variant: String,
    /// `higher` or `lower`: which way is better.
    better: &'static str,
    /// Smallest and largest possible value; null where there is no bound.
    range: [Option<f64>; 2],
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<ScoreJson>,
    /// The value minus that of the base; null where one of them is missing, absent without a base.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<ScoreChange>,
}

/// How far a value is from that of the base; null where one of them is missing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct ScoreChange(Option<f64>);

/// Does the command.
pub(super) fn measure(arguments: &MetricArguments) -> anyhow::Result<()> {
    match &arguments.command {
        Some(MetricCommand::Captions(arguments)) => return captions::write(arguments),
        Some(MetricCommand::Constraints(arguments)) => return constraints::measure(arguments),
        Some(MetricCommand::Plan(arguments)) => return plan::measure(arguments),
        Some(MetricCommand::Ndec(arguments)) => return ndec::tabulate_labels(arguments),
        Some(MetricCommand::Skills(arguments)) => return skills::measure(arguments),
        Some(MetricCommand::Vqa(arguments)) => return vqa::measure(arguments),
        None => {}
    }
    // clap asks for both where there is no subcommand, which types cannot say.
    let gt = arguments.gt.as_deref().context("say what is compared: --gt A")?;
    let generated = arguments.generated.as_deref().context("say what is compared: --gen B")?;
    compare(arguments, gt, generated)
}

fn compare(arguments: &MetricArguments, gt: &Path, made: &Path) -> anyhow::Result<()> {
    let mut truth = side::open(gt, "the ground truth")?;
    let mut generated = side::open(made, "the generated")?;
    let base = arguments.base.as_deref().map(|path| side::open(path, "the base"));
    let mut base = base.transpose()?;
    if let Some(file) = &arguments.captions {
        let known = read_captions(file, arguments.case.as_deref())?;
        truth.caption = known.ground_truth;
        generated.caption = known.generated;
        if let Some(base) = &mut base {
            base.caption = known.base;
        }
    }
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    // A captioner is asked only where nobody was to say what the pictures show.
    if arguments.captions.is_some() || models.captioner.is_none() {
        for side in [Some(&mut truth), Some(&mut generated), base.as_mut()].into_iter().flatten() {
            side.no_caption
                .get_or_insert_with(|| "none was given; --captions names a file".to_owned());
        }
    }
    // Before the scores, which may take long: a file of checks that cannot be read is said at once.
    let verdicts = verdicts(arguments, base.as_ref(), &generated)?;
    let inputs = open_inputs(&arguments.inputs)?;
    let task = ComparedTask::new(truth, inputs, arguments.instruction.clone());
    // Nothing is kept: what is compared here is most often being worked on.
    let scorer = scorer(Cache::None, &models);
    let scores = scores_of(&scorer, &task, &generated);
    let before = base.as_ref().map(|base| scores_of(&scorer, &task, base));
    if !arguments.json {
        let checks = verdicts.iter().flatten().map(checks::line).collect::<String>();
        return Ok(print(&(table(&scores, before.as_deref()) + &checks))?);
    }
    print_result_json(&ComparisonJson {
        compared_size: compared_size(task.truth(), &generated),
        ground_truth: SideJson::new(gt, task.truth()),
        generated: SideJson::new(made, &generated),
        base: arguments
            .base
            .as_deref()
            .zip(base.as_ref())
            .map(|(path, it)| SideJson::new(path, it)),
        metrics: metrics(&scores, before.as_deref()),
        checks: verdicts,
    })
}

/// Every score of a side but those of queries, of their questions and of plans: none is given here, and `metric
/// constraints`, `metric vqa` and `report tables` have them.
fn scores_of(scorer: &Scorer, task: &ComparedTask, side: &ComparedSide) -> Vec<Measured> {
    let (mut all, never) = (Vec::new(), CancelToken::new());
    let variants = scorer
        .registry()
        .variants()
        .filter(|variant| !matches!(variant.needs, Needs::Query | Needs::Questions | Needs::Plan));
    let ids: Vec<&str> = variants.map(|variant| &*variant.id).collect();
    let wanted = Wanted { variants: Some(&ids), map: None };
    // Nobody raises the token.
    scorer.score(task, side, wanted, &never, |of_metric| all.extend(of_metric)).ok();
    all
}

/// What --checks found, if it was given.
fn verdicts(
    arguments: &MetricArguments,
    before: Option<&ComparedSide>,
    after: &ComparedSide,
) -> anyhow::Result<Option<Vec<Verdict>>> {
    let checks = arguments.checks.as_deref().map(checks::read).transpose()?;
    let verdicts = checks.zip(before).map(|(checks, before)| {
        let never = CancelToken::new();
        checks::judge(&checks, before.picture.as_ref(), after.picture.as_ref(), &never)
    });
    verdicts.transpose().map_err(anyhow::Error::msg)
}

/// The captions in a file: its only case, or that of this id. A caption that failed, or is null, is
/// taken as it is: what it scores is the metric's to say.
fn read_captions(path: &Path, case: Option<&str>) -> anyhow::Result<CaptionsOfCase> {
    let shown = format!("the captions cannot be read: {}", path.display());
    let captions = PrecomputedCaptions::open(path).with_context(|| shown.clone())?;
    for warning in &captions.warnings {
        note(&format!("warning: {}: {warning}", path.display()));
    }
    let chosen = captions.choose(case).map_err(|error| match error {
        // The option is the command line's own, so that only here it can be named.
        CaseError::Several(_) => anyhow::anyhow!("{error}: say which with --case ID"),
        error => error.into(),
    });
    chosen.cloned().context(shown)
}

fn open_inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<Pixels>> {
    let inputs = paths.iter().map(|path| {
        Pixels::open(path).with_context(|| format!("an input cannot be opened: {}", path.display()))
    });
    inputs.collect()
}

fn compared_size(a: &ComparedSide, b: &ComparedSide) -> Option<SizeJson> {
    let (a, b) = (a.picture.as_ref()?, b.picture.as_ref()?);
    Some(SizeJson { width: a.width().min(b.width()), height: a.height().min(b.height()) })
}

fn metrics(scores: &[Measured], before: Option<&[Measured]>) -> Vec<MetricJson> {
    // By place: both sides were measured by the same variants in the same order.
    let metrics = scores.iter().enumerate().map(|(place, measured)| {
        MetricJson::new(measured, before.and_then(|before| before.get(place)))
    });
    metrics.collect()
}

/// The change from the base, where both have a value.
fn change(measured: &Measured, before: &Measured) -> Option<f64> {
    Some(measured.measurement.score.value()? - before.measurement.score.value()?)
}

fn table(scores: &[Measured], before: Option<&[Measured]>) -> String {
    let width = scores.iter().map(|measured| measured.variant.id.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut table = String::new();
    for (place, measured) in scores.iter().enumerate() {
        let (id, score) = (&measured.variant.id, score_text(&measured.measurement.score));
        let change = before.and_then(|before| change(measured, before.get(place)?));
        let change = change.map(|change| format!("  (Δ {change:+.4})")).unwrap_or_default();
        // Writing to a String cannot fail.
        writeln!(table, "{id:width$}  {score}{change}").ok();
    }
    table
}

impl MetricJson {
    fn new(measured: &Measured, before: Option<&Measured>) -> Self {
        let variant = &measured.variant;
        let (low, high) = variant.range;
        Self {
            score: ScoreJson::new(measured),
            label: variant.label,
            variant: variant.variant_label.to_string(),
            better: match variant.direction {
                Direction::HigherIsBetter => "higher",
                Direction::LowerIsBetter => "lower",
            },
            // JSON has no infinity.
            range: [low, high].map(|bound| bound.is_finite().then_some(bound)),
            source: variant.source,
            base: before.map(ScoreJson::new),
            delta: before.map(|before| ScoreChange(change(measured, before))),
        }
    }
}

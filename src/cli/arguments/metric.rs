//! What `pentimento metric` takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Compare two pictures or designs with every metric there is
///
/// A picture is PNG or JPEG, a design Figma REST JSON, which is also drawn at one pixel a unit for
/// the metrics of pictures. Pictures are compared as 8-bit RGB: alpha is dropped, and pictures of
/// different sizes are both resized to the smaller width and the smaller height.
#[derive(Args, Debug)]
#[command(
    after_help = METRIC_EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(in crate::cli) struct MetricArguments {
    /// Something else than a pair of pictures or designs.
    #[command(subcommand)]
    pub(in crate::cli) command: Option<MetricCommand>,
    /// The ground truth.
    #[arg(long, value_name = "A", required = true)]
    pub(in crate::cli) gt: Option<PathBuf>,
    /// What was generated.
    #[arg(long = "gen", value_name = "B", required = true)]
    pub(in crate::cli) generated: Option<PathBuf>,
    /// What was there before, of a modification: its scores and the change against them.
    #[arg(long, value_name = "C")]
    pub(in crate::cli) base: Option<PathBuf>,
    /// Pictures that the task gave to be used.
    #[arg(long, value_name = "PICTURE", num_args = 1..)]
    pub(in crate::cli) inputs: Vec<PathBuf>,
    /// What the task asked for.
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) instruction: Option<String>,
    /// Captions, as CANVAS publishes them: {"gt_caption", "gen_caption"}, or a list of such.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) captions: Option<PathBuf>,
    /// Which case of --captions.
    #[arg(long, value_name = "ID", requires = "captions")]
    pub(in crate::cli) case: Option<String>,
    /// Which models there are, such as {"clip": …, "saliency": …, "judge": …}; what is not named is
    /// the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: Option<PathBuf>,
    /// Checks of what was to be done to --base: {"checks": [{"check": "flip", "axis": "horizontal"}]}.
    #[arg(long, value_name = "FILE.json", requires = "base")]
    pub(in crate::cli) checks: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// What can be measured beside pictures and designs.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum MetricCommand {
    Captions(CaptionsArguments),
    Plan(PlanArguments),
    Constraints(ConstraintsArguments),
    Ndec(NdecArguments),
    Skills(SkillsArguments),
    Vqa(VqaArguments),
}

/// Measure plans of the design suite, as GraphicBench publishes them
///
/// Delivery as published and strictly, step and expert-use efficiency, who was recruited and planned
/// how much, and what is wrong with each step. Nothing is executed.
#[derive(Args, Debug)]
#[command(after_help = PLAN_EXAMPLES)]
pub(in crate::cli) struct PlanArguments {
    /// Files of plans, one a line, or folders of them: {model}/{type}.jsonl.
    #[arg(value_name = "PLANS", required = true)]
    pub(in crate::cli) plans: Vec<PathBuf>,
    /// List every error with its step.
    #[arg(long)]
    pub(in crate::cli) errors: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Hold designs against what their queries ask for, component by component
///
/// Texts present and exact, colours close to their names, sizes, places, on the page, readable: each a
/// yes, a no, or why there is no answer. No model is asked.
#[derive(Args, Debug)]
#[command(after_help = CONSTRAINTS_EXAMPLES)]
pub(in crate::cli) struct ConstraintsArguments {
    /// Runs of the design suite, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Where the queries of these runs are; imported plans have their own. May be given several times.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) tasks: Vec<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Count success and NDEC checklists by model, difficulty and relation to layers
///
/// LABELS is what `report tables --labels` takes; `pentimento report tables --help` lists its columns.
#[derive(Args, Debug)]
#[command(after_help = NDEC_EXAMPLES)]
pub(in crate::cli) struct NdecArguments {
    /// What was said of attempts, one a row, CSV or JSON Lines.
    #[arg(value_name = "LABELS", required = true)]
    pub(in crate::cli) labels: Vec<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Write what the pictures of runs show, once and for all
///
/// A captioner describes the ground truth, the end and, of modifications, the start of every run; the
/// file has the shape of CANVAS's precomputed_blip_scores.json, each case with the id of its run.
/// `score` and `report tables` read it (--captions), and a file of models can name it ("captions").
#[derive(Args, Debug)]
#[command(after_help = CAPTIONS_EXAMPLES)]
pub(in crate::cli) struct CaptionsArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) tasks: Vec<PathBuf>,
    /// Which models there are: {"captioner": {"base_url", "model", …}}.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) out: PathBuf,
    /// Describe every step too, in precomputed_blip_scores_snapshot.json beside the file.
    #[arg(long)]
    pub(in crate::cli) steps: bool,
    /// How many runs are described at once.
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(in crate::cli) jobs: u16,
}

/// Measure skills: success@k, cost, Hit@k, and a judge against people
///
/// TRIALS is CSV or JSON Lines, one trial or query a row. All columns may be left out.
#[derive(Args, Debug)]
#[command(after_help = SKILLS_EXAMPLES)]
pub(in crate::cli) struct SkillsArguments {
    /// The trials.
    #[arg(value_name = "TRIALS")]
    pub(in crate::cli) trials: PathBuf,
    /// Up to how many trials or items.
    #[arg(long, value_name = "K", default_value = "3", value_parser = most_k)]
    pub(in crate::cli) k: NonZeroUsize,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Ask a judge yes/no questions about pictures: the VQA pass rate
///
/// As published, a bare "yes" counts and all else is a no; parsed, yes and no are read out of
/// sentences too, over the questions that got a readable answer.
#[derive(Args, Debug)]
#[command(after_help = VQA_EXAMPLES)]
pub(in crate::cli) struct VqaArguments {
    /// Pictures or designs, or folders of them. Where the questions are about designs by id, the
    /// file's name begins with it: 17.png, 17_final.png.
    #[arg(value_name = "PICTURES", required = true)]
    pub(in crate::cli) pictures: Vec<PathBuf>,
    /// The questions: GraphicBench's JSON Lines, a JSON list, or one question a line.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) questions: PathBuf,
    /// Whose questions are asked, if the file's name does not say; for one picture.
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) id: Option<String>,
    /// The type of design, such as poster, where ids are used more than once.
    #[arg(long, value_name = "TYPE")]
    pub(in crate::cli) design: Option<String>,
    /// Which models there are: {"judge": {"base_url", "model", …}}.
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) models: PathBuf,
    /// How many pictures are asked about at once.
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(in crate::cli) jobs: u16,
    /// Whose designs they are: the column `model` of --labels.
    #[arg(long, value_name = "NAME", requires = "labels")]
    pub(in crate::cli) of: Option<String>,
    /// Write the rates as labels, which `report tables --labels` takes. Not over a file.
    #[arg(long, value_name = "FILE.csv", requires = "of")]
    pub(in crate::cli) labels: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Largest k of success@k and Hit@k.
const MOST_K: usize = 1000;

fn most_k(text: &str) -> Result<NonZeroUsize, String> {
    let k: NonZeroUsize = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if k.get() > MOST_K { Err(format!("must be at most {MOST_K}")) } else { Ok(k) }
}

const METRIC_EXAMPLES: &str = "\
Examples:
  pentimento metric --gt target.png --gen canvas.png
  pentimento metric --gt target.png --gen canvas.png --json | jq '.metrics[0].value'
  pentimento metric --gt target.json --gen final.json --base start.json
  pentimento metric --gt target.png --gen after.png --base before.png --checks checks.json
  pentimento metric plan graphicbench/plans
  pentimento metric ndec labels.csv
  pentimento metric skills trials.csv
  pentimento metric vqa designs/ --questions poster.jsonl --models models.json

JSON: {\"ground_truth\": {\"path\", \"kind\", \"width\", \"height\"}, \"generated\": {…},
\"compared_size\": {\"width\", \"height\"},
\"metrics\": [{\"id\", \"value\"} or {\"id\", \"value\": null, \"reason\", \"message\"}]}
Each of the metrics also has \"label\", \"variant\", \"better\", \"range\" and \"source\", and with --base
\"base\" (a score as above) and \"delta\" (the value minus the base's). With --checks there is
\"checks\": [{\"check\", \"passed\", \"measured\", \"wanted\", \"why\"}].

A metric that has no value says why; that is no failure.";

const PLAN_EXAMPLES: &str = "\
Examples:
  pentimento metric plan plans/chatgpt/poster.jsonl
  pentimento metric plan plans --json | jq '.files[] | {path, delivery_published}'
  pentimento metric plan plans/chatgpt --errors | grep 'global dependency'

JSON: {\"files\": [{\"path\", \"model\", \"plans\", \"difficulty\", \"delivery_published\",
\"delivery_strict\", \"released_scripts\" (the share of plans of which the released scripts leave a
file), \"step_efficiency\", \"expert_use_efficiency\", \"recruited\", \"workload\", \"agents\",
\"steps\", \"errors\": {CLASS: count}, \"each\": [{\"id\", \"experts\", \"actions\", \"errors\": [{\"class\",
\"step\", \"message\", \"object\", \"maker\"}], …}]}]}. A number that is not there is {\"missing\": \"why\"}.";

const NDEC_EXAMPLES: &str = "\
Examples:
  pentimento metric ndec labels.csv
  pentimento metric ndec labels.jsonl --json | jq '.cells[] | select(.difficulty == null)'

JSON: {\"cells\": [{\"model\", \"difficulty\", \"layers\" (null: all of them), \"attempts\", \"judged\",
\"successes\", \"success_rate\", \"completion_secs\" (of successes), \"ndec\", \"by_item\"}]}, rates in per
cent. Several rows of one attempt each count.";

const SKILLS_EXAMPLES: &str = "\
Columns:
  task, success           a trial of a task, in order: success@k as the paper counts it, and unbiased
  seconds, tokens         what it cost, of rows that have both
  predicted, correct      items divided by semicolons, the best first: Hit@k and recall@k
  judge, people           yes or no of both: precision, recall, F1 and accuracy of the judge

Examples:
  pentimento metric skills trials.csv
  pentimento metric skills trials.csv --k 5 --json | jq '.skills[\"success@5\"]'

JSON: {\"skills\": {NUMBER: value or {\"missing\": \"why\"}}}";

const VQA_EXAMPLES: &str = "\
Examples:
  pentimento metric vqa poster.png --questions questions.txt --models models.json
  pentimento metric vqa results/gpt/poster --questions poster.jsonl --models models.json --json
  pentimento metric vqa poster/ --questions poster.jsonl --models m.json --of gpt --labels vqa.csv

With \"answers_folder\" in the file of models, no question is asked twice.

JSON: {\"judge\", \"mean\": {\"published\", \"parsed\"}, \"pictures\": [{\"path\", \"id\", \"published\", \"parsed\",
\"answers\": [{\"question\", \"answer\", \"problem\"}]} or {\"path\", \"problem\"}]}. A number that is not there
is {\"missing\": \"why\"}; rates are in per cent.";

const CONSTRAINTS_EXAMPLES: &str = "\
Examples:
  pentimento metric constraints runs/graphicbench-test/poster-261/rules-01 --tasks test.jsonl
  pentimento metric constraints runs --tasks test.jsonl --json | jq .by_aspect

JSON: {\"share\", \"by_aspect\": {ASPECT: {\"yes\", \"no\"}}, \"runs\": [{\"dir\", \"agent\", \"task\", \"share\",
\"findings\": [{\"component\", \"aspect\", \"verdict\", \"node\", \"why\"}]} or {…, \"problem\"}]}";

const CAPTIONS_EXAMPLES: &str = "\
Examples:
  pentimento metric captions runs --models models.json --out captions.json
  pentimento score runs --captions captions.json
  pentimento report tables runs --captions captions.json --only canvas-1";

//! `pentimento metric captions`: a captioner says once what the pictures of runs show, and a file in the
//! published shape keeps it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::base::{CancelToken, Pixels};
use crate::cli::collection::Collection;
use crate::cli::environments::{environments, variables};
use crate::cli::output::{note, runs, write_atomic};
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{ScoreJob, last_step, models, read_runs};
use crate::environment::PictureRequest;
use crate::evaluate::ComparedTask;
use crate::evaluate::RunCanvas;
use crate::metric::caption::CaptionSimilarity;
use crate::metric::{Comparison, Metric as _, Side};
use crate::model::MiniLm;
use crate::model::captions::{Captioner, SNAPSHOT_FILE};
use crate::task::TaskKind;

/// Write what the pictures of runs show, once and for all
///
/// A captioner describes the ground truth, the end and, of modifications, the start of every run; the
/// file has the shape of CANVAS's precomputed_blip_scores.json, each case with the id of its run.
/// `score` and `report tables` read it (--captions), and a file of models can name it ("captions").
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CaptionsArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Which models there are: {"captioner": {"base_url", "model", …}}.
    #[arg(long, value_name = "FILE.json")]
    models: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
    /// Describe every step too, in precomputed_blip_scores_snapshot.json beside the file.
    #[arg(long)]
    steps: bool,
    /// How many runs are described at once.
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric captions runs --models models.json --out captions.json
  pentimento score runs --captions captions.json
  pentimento report tables runs --captions captions.json --only canvas-1";

/// What a caption begins with that could not be made, as in the published files.
const FAILED: &str = "Error: ";

/// What the pictures of a run show.
struct CaptionedRun {
    case: Value,
    snapshots: Vec<Value>,
}

/// Does the command.
pub(super) fn write(arguments: &CaptionsArguments) -> anyhow::Result<()> {
    let captioner =
        models(Some(&arguments.models))?.captioner(&variables()).context("nobody can be asked")?;
    let captioner = captioner.context("the file of --models names no captioner")?;
    let snapshots = arguments.out.with_file_name(SNAPSHOT_FILE);
    anyhow::ensure!(
        !arguments.steps || snapshots != arguments.out,
        "{SNAPSHOT_FILE} is where the captions of steps go: name --out otherwise"
    );
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        note(&format!("error: {problem}"));
    }
    // Where a run broke off is nowhere that its agent wanted to be.
    let (jobs, unfinished): (Vec<_>, Vec<_>) = jobs.into_iter().partition(ScoreJob::has_ended);
    if !unfinished.is_empty() {
        note(&format!("warning: {} without an end left out", runs(unfinished.len())));
    }
    let progress = SharedProgress::start(jobs.len(), "runs");
    let similarity = CaptionSimilarity::new(Arc::new(MiniLm::new()));
    // Threads of its own: they wait for a server, and as many as that server bears.
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(arguments.jobs)).build()?;
    let made: Vec<anyhow::Result<CaptionedRun>> = threads.install(|| {
        let captioned = jobs.par_iter().map(|job| {
            let made = Captioning { captioner: &captioner, similarity: &similarity, job }
                .run(arguments.steps)
                .with_context(|| job.dir.display().to_string());
            let said = made
                .as_ref()
                .map_or_else(|error| format!("{error:#}"), |_| job.dir.display().to_string());
            progress.done(&said);
            made
        });
        captioned.collect()
    });
    let failed = problems.len() + made.iter().filter(|run| run.is_err()).count();
    // What was described is kept although others failed: asking again would cost as much again.
    let (cases, steps): (Vec<_>, Vec<_>) =
        made.into_iter().flatten().map(|run| (run.case, run.snapshots)).unzip();
    save(&arguments.out, &cases)?;
    if arguments.steps {
        save(&snapshots, &steps.concat())?;
    }
    anyhow::ensure!(failed == 0, "{failed} of the runs have no captions");
    Ok(())
}

fn save(path: &Path, entries: &[Value]) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(entries)? + "\n";
    write_atomic(path, text.as_bytes())
}

/// One run being described.
struct Captioning<'a> {
    captioner: &'a dyn Captioner,
    similarity: &'a CaptionSimilarity,
    job: &'a ScoreJob,
}

impl Captioning<'_> {
    fn run(&self, with_steps: bool) -> anyhow::Result<CaptionedRun> {
        let (run, task) = (&self.job.run, self.job.task.as_ref());
        let task = task.context("its task cannot be found: say where it is with --tasks PATH")?;
        let truth = ComparedTask::load(task, &environments().opener())?;
        let truth = truth.as_ref().and_then(|task| task.truth().picture.as_ref());
        let truth = self.caption(truth.context("its task has no ground truth")?);
        let opened =
            RunCanvas::open(Arc::clone(run), Some(Arc::clone(task)), &environments().opener());
        let mut canvas = opened?;
        let last = last_step(run);
        let made = self.caption_step(&mut canvas, last)?;
        let mut case = self.entry(&[("gen_caption", &made)]);
        // A screen that is built starts from nothing; one that is changed, from something.
        if task.kind == TaskKind::Replication {
            case.insert("blip_score".to_owned(), self.score(&truth, &made));
            case.insert("gt_caption".to_owned(), json!(truth));
        } else {
            let base = self.caption_step(&mut canvas, 0)?;
            let scores = [self.score(&truth, &base), self.score(&truth, &made)];
            let gain = scores[1].as_f64().zip(scores[0].as_f64()).map(|(made, base)| made - base);
            let [of_base, of_made] = scores;
            case.insert("blip_score_base_target".to_owned(), of_base);
            case.insert("blip_score_gen_target".to_owned(), of_made);
            case.insert("blip_score_improvement".to_owned(), json!(gain));
            case.insert("gt_caption_base".to_owned(), json!(base));
            case.insert("gt_caption_target".to_owned(), json!(truth));
        }
        let mut snapshots = Vec::new();
        // Without the ends, whose captions the case itself has.
        for step in (1..last).filter(|_| with_steps) {
            let made = self.caption_step(&mut canvas, step)?;
            let mut entry = self.entry(&[("gt_caption", &truth), ("gen_caption", &made)]);
            entry.insert("snapshot_num".to_owned(), json!(step));
            entry.insert("blip_score".to_owned(), self.score(&truth, &made));
            snapshots.push(Value::Object(entry));
        }
        Ok(CaptionedRun { case: Value::Object(case), snapshots })
    }

    /// What the canvas shows after a step.
    fn caption_step(&self, canvas: &mut RunCanvas, step: u32) -> anyhow::Result<String> {
        let scale = PictureRequest::default().scale;
        Ok(self.caption(&canvas.picture(step, scale, &CancelToken::new())?.pixels))
    }

    fn entry(&self, captions: &[(&str, &String)]) -> Map<String, Value> {
        let id = [("case_id".to_owned(), json!(self.job.run.manifest.id))];
        let captions = captions.iter().map(|(name, text)| ((*name).to_owned(), json!(text)));
        id.into_iter().chain(captions).collect()
    }

    /// What a picture shows, or that nobody could say it.
    fn caption(&self, picture: &Pixels) -> String {
        // In the file rather than an error of the run, as the published files have such entries.
        let said = self.captioner.caption(picture, &CancelToken::new());
        said.unwrap_or_else(|error| format!("{FAILED}{error}"))
    }

    /// How alike two captions are, as the published evaluator rounds it.
    fn score(&self, ground_truth: &str, generated: &str) -> Value {
        let [ground_truth, generated] = [ground_truth, generated]
            .map(|caption| Side { caption: Some(caption), ..Side::default() });
        let comparison = Comparison { ground_truth, generated, ..Comparison::default() };
        let measured = self.similarity.measurements(&comparison, &CancelToken::new());
        json!(measured.first().and_then(|published| published.score.value()))
    }
}

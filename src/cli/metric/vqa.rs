//! `pentimento metric vqa`: a judge is asked yes/no questions about pictures.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::environments::variables;
use crate::cli::made_by::print_result_json;
use crate::cli::output::{note, print};
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::models;
use crate::cli::table::{Column, Table};
use crate::evaluate::typed_table::push_separated;
use crate::metric::judging::{Judge as _, VqaPassRate, vqa_pass_rate};
use crate::metric::{MissingScore, Score};
use crate::model::EndpointJudge;
use crate::task::{PictureQuestions, QuestionFile};

use super::ndec::score;
use super::side;

/// Ask a judge yes/no questions about pictures: the VQA pass rate
///
/// As published, a bare "yes" counts and all else is a no; parsed, yes and no are read out of
/// sentences too, over the questions that got a readable answer.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct VqaArguments {
    /// Pictures or designs, or folders of them. Where the questions are about designs by id, the
    /// file's name begins with it: 17.png, 17_final.png.
    #[arg(value_name = "PICTURES", required = true)]
    pictures: Vec<PathBuf>,
    /// The questions: GraphicBench's JSON Lines, a JSON list, or one question a line.
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    /// Whose questions are asked, if the file's name does not say; for one picture.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The type of design, such as poster, where ids are used more than once.
    #[arg(long, value_name = "TYPE")]
    design: Option<String>,
    /// Which models there are: {"judge": {"base_url", "model", …}}.
    #[arg(long, value_name = "FILE.json")]
    models: PathBuf,
    /// How many pictures are asked about at once.
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Whose designs they are: the column `model` of --labels.
    #[arg(long, value_name = "NAME", requires = "labels")]
    of: Option<String>,
    /// Write the rates as labels, which `report tables --labels` takes. Not over a file.
    #[arg(long, value_name = "FILE.csv", requires = "of")]
    labels: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric vqa poster.png --questions questions.txt --models models.json
  pentimento metric vqa results/gpt/poster --questions poster.jsonl --models models.json --json
  pentimento metric vqa poster/ --questions poster.jsonl --models m.json --of gpt --labels vqa.csv

With \"answers_folder\" in the file of models, no question is asked twice.

JSON, with the program and the command: {\"judge\", \"mean\": {\"published\", \"parsed\"}, \"pictures\": [{\"path\", \"id\", \"published\", \"parsed\",
\"answers\": [{\"question\", \"answer\", \"problem\"}]} or {\"path\", \"problem\"}]}. A number that is not there
is {\"missing\": \"why\"}; rates are in per cent.";

/// The most pictures of a folder.
const MOST_PICTURES: usize = 100_000;

/// A picture to be asked about.
struct AskedPicture<'a> {
    path: PathBuf,
    id: Option<String>,
    questions: Option<&'a PictureQuestions>,
}

/// What came of it: the rates, or why nothing was asked.
struct Answered {
    path: PathBuf,
    id: Option<String>,
    rate: Result<VqaPassRate, String>,
}

/// Does the command.
pub(super) fn measure(arguments: &VqaArguments) -> anyhow::Result<()> {
    let judge = models(Some(&arguments.models))?
        .judge(&variables())
        .context("the judge cannot be asked")?;
    let judge = judge.context("the file of --models names no judge")?;
    let questions = QuestionFile::open(&arguments.questions)?;
    for warning in &questions.warnings {
        note(&format!("warning: {}: {warning}", arguments.questions.display()));
    }
    let asked = pictures(arguments, &questions)?;
    // Opened before anything is asked: answers cost money, and must not be lost to a wrong path.
    let labels = arguments.labels.as_deref().map(create_new).transpose()?;
    let answered = ask_all(&judge, asked, usize::from(arguments.jobs))?;
    if let Some(file) = labels {
        write_labels(file, arguments, &answered)?;
    }
    if arguments.json {
        return print_result_json(&to_json(&judge, &answered));
    }
    Ok(print(&text(&answered))?)
}

/// Which pictures there are, each with its questions.
fn pictures<'a>(
    arguments: &VqaArguments,
    questions: &'a QuestionFile,
) -> anyhow::Result<Vec<AskedPicture<'a>>> {
    let mut paths = Vec::new();
    for path in &arguments.pictures {
        if path.is_dir() { paths.extend(pictures_in(path)?) } else { paths.push(path.clone()) }
    }
    anyhow::ensure!(!paths.is_empty(), "there is no picture and no design in these folders");
    anyhow::ensure!(
        arguments.id.is_none() || paths.len() == 1,
        "--id is of one picture, but there are {}",
        paths.len()
    );
    // A picture without an id in its name is asked what is asked of every picture.
    let asked = paths.into_iter().map(|path| {
        let id = arguments.id.clone().or_else(|| id_of_name(&path));
        let design = arguments.design.as_deref();
        AskedPicture { questions: questions.about(id.as_deref(), design), id, path }
    });
    Ok(asked.collect())
}

/// What a folder holds that can be shown, by name with numbers in their order.
fn pictures_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("the folder cannot be read: {}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        matches!(end.as_deref(), Some("png" | "jpg" | "jpeg" | "json")) && path.is_file()
    });
    let mut paths: Vec<PathBuf> = paths.take(MOST_PICTURES).collect();
    paths.sort_by_key(|path| {
        let id = id_of_name(path);
        // As numbers where they are numbers, so that 10 comes after 9; the path decides between equals,
        // so that the order is the same on every machine.
        (id.as_ref().and_then(|id| id.parse::<u64>().ok()), id, path.clone())
    });
    Ok(paths)
}

/// The file's name up to its first underscore: the published executions write `{id}_…`.
fn id_of_name(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy();
    stem.split('_').next().filter(|id| !id.is_empty()).map(str::to_owned)
}

fn ask_all(
    judge: &EndpointJudge,
    asked: Vec<AskedPicture<'_>>,
    jobs: usize,
) -> anyhow::Result<Vec<Answered>> {
    let progress = SharedProgress::start(asked.len(), "pictures");
    // As many as --jobs and not as there are cores: they only wait for the judge.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .thread_name(|at| format!("vqa {at}"))
        .build()
        .context("no threads to ask with")?;
    let answered = pool.install(|| {
        let answered = asked.into_par_iter().map(|asked| {
            let rate = ask(judge, &asked);
            progress.done(&asked.path.display().to_string());
            Answered { path: asked.path, id: asked.id, rate }
        });
        answered.collect()
    });
    Ok(answered)
}

fn ask(judge: &EndpointJudge, asked: &AskedPicture<'_>) -> Result<VqaPassRate, String> {
    // Before the picture is opened: most of what is in a folder may not be asked about.
    let questions = asked.questions.ok_or_else(|| match &asked.id {
        Some(id) => format!("the file has no questions about {id:?}"),
        None => "the file's name says no id, and the questions are by id".to_owned(),
    })?;
    let side = side::open(&asked.path, "the").map_err(|error| format!("{error:#}"))?;
    let picture = side
        .picture
        .ok_or_else(|| side.no_picture.unwrap_or_else(|| "there is no picture".to_owned()))?;
    let questions: Vec<&str> = questions.questions.iter().map(String::as_str).collect();
    Ok(vqa_pass_rate(judge, &picture, &questions, &CancelToken::new()))
}

/// The mean of what has a value, of the published and the parsed rate.
fn means(answered: &[Answered]) -> [Score; 2] {
    let both: [fn(&VqaPassRate) -> &Score; 2] = [|rate| &rate.published, |rate| &rate.parsed];
    both.map(|which| {
        // A mean over pictures as the papers have it, however many questions each was asked.
        let rates = answered.iter().filter_map(|it| which(it.rate.as_ref().ok()?).value());
        let rates: Vec<f64> = rates.collect();
        if rates.is_empty() {
            let why = "no picture has a rate".to_owned();
            return Score::Missing(MissingScore::Undefined(why));
        }
        Score::from_number(rates.iter().sum::<f64>() / rates.len() as f64)
    })
}

fn to_json(judge: &EndpointJudge, answered: &[Answered]) -> Value {
    let [published, parsed] = means(answered);
    json!({
        "judge": judge.name(),
        "mean": { "published": score(&published), "parsed": score(&parsed) },
        "pictures": answered.iter().map(Answered::json).collect::<Vec<_>>(),
    })
}

impl Answered {
    fn json(&self) -> Value {
        let path = self.path.display().to_string();
        match &self.rate {
            Err(problem) => json!({ "path": path, "id": self.id, "problem": problem }),
            Ok(rate) => json!({
                "path": path,
                "id": self.id,
                "published": score(&rate.published),
                "parsed": score(&rate.parsed),
                "answers": rate.answers.iter().map(|answer| json!({
                    "question": answer.question,
                    "answer": answer.answer,
                    "problem": answer.problem,
                })).collect::<Vec<_>>(),
            }),
        }
    }
}

/// A row a picture, the means, and what a single picture was asked.
fn text(answered: &[Answered]) -> String {
    let mut table = Table::new(&[
        Column::left("picture"),
        Column::right("questions"),
        Column::right("published %"),
        Column::right("parsed %"),
        Column::left("problem"),
    ]);
    for it in answered {
        let path = it.path.display().to_string();
        table.push(match &it.rate {
            Err(why) => {
                vec![path, "—".to_owned(), "—".to_owned(), "—".to_owned(), why.clone()]
            }
            Ok(rate) => vec![
                path,
                rate.answers.len().to_string(),
                cell(&rate.published),
                cell(&rate.parsed),
                problem(rate),
            ],
        });
    }
    if answered.len() > 1 {
        let [published, parsed] = means(answered).map(|mean| cell(&mean));
        table.push(vec!["mean".to_owned(), String::new(), published, parsed, String::new()]);
    }
    // Of one picture every question is of interest, of many only the rates.
    let each = match answered {
        [Answered { rate: Ok(rate), .. }] => questions(rate),
        _ => String::new(),
    };
    table.to_text() + &each
}

/// Every question with its answer.
fn questions(rate: &VqaPassRate) -> String {
    let mut table = Table::new(&[Column::left("question"), Column::left("answer")]);
    for answer in &rate.answers {
        let said = answer.answer.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = match (&answer.problem, said.is_empty()) {
            (Some(problem), true) => format!("— ({problem})"),
            (Some(problem), false) => format!("{said} ({problem})"),
            (None, _) => said,
        };
        table.push(vec![answer.question.clone(), said]);
    }
    format!("\n{}", table.to_text())
}

/// What went wrong first, if something did.
fn problem(rate: &VqaPassRate) -> String {
    rate.answers.iter().find_map(|answer| answer.problem.clone()).unwrap_or_default()
}

fn cell(rate: &Score) -> String {
    rate.value().map_or_else(|| "—".to_owned(), |value| format!("{value:.2}"))
}

fn create_new(path: &Path) -> anyhow::Result<File> {
    // Never over a file that is there: it may hold what people said, which nobody can compute again.
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.with_context(|| format!("the labels cannot be written: {}", path.display()))
}

/// One label a picture that has a published rate.
fn write_labels(mut file: File, arguments: &VqaArguments, all: &[Answered]) -> anyhow::Result<()> {
    let mut text = String::new();
    let headings = ["model", "task", "design", "vqa"];
    push_separated(&mut text, headings.into_iter().map(str::to_owned), ',');
    let model = arguments.of.as_deref().unwrap_or_default();
    let design = arguments.design.as_deref().unwrap_or_default();
    for answered in all {
        // A label without a rate would say that the design was judged and had none.
        let Ok(rate) = &answered.rate else { continue };
        let Some(vqa) = rate.published.value() else { continue };
        let task = answered.id.as_deref().unwrap_or_default();
        let row = [model, task, design].into_iter().map(str::to_owned);
        push_separated(&mut text, row.chain([vqa.to_string()]), ',');
    }
    Ok(file.write_all(text.as_bytes())?)
}

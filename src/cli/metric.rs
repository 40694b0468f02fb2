//! `pentimento metric`: two pictures, every picture metric.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use crate::base::{CancelToken, Pixels};
use crate::metric::{Measured, Registry};

use super::arguments::MetricArguments;
use super::output::{ScoreJson, print, print_json, score_text};

/// The JSON that `--json` prints.
#[derive(Debug, Serialize)]
struct Comparison {
    ground_truth: PictureJson,
    generated: PictureJson,
    compared_size: SizeJson,
    metrics: Vec<ScoreJson>,
}

#[derive(Debug, Serialize)]
struct PictureJson {
    path: String,
    #[serde(flatten)]
    size: SizeJson,
}

#[derive(Debug, Serialize)]
struct SizeJson {
    width: u32,
    height: u32,
}

/// Does the command.
pub(super) fn compare(arguments: &MetricArguments) -> anyhow::Result<()> {
    let ground_truth = open(&arguments.gt, "the ground truth")?;
    let generated = open(&arguments.generated, "the generated picture")?;
    let scores = scores(&ground_truth, &generated);
    if !arguments.json {
        return Ok(print(&table(&scores))?);
    }
    print_json(&Comparison {
        compared_size: SizeJson {
            width: ground_truth.width().min(generated.width()),
            height: ground_truth.height().min(generated.height()),
        },
        ground_truth: PictureJson::new(&arguments.gt, &ground_truth),
        generated: PictureJson::new(&arguments.generated, &generated),
        metrics: scores.iter().map(ScoreJson::new).collect(),
    })
}

/// Opens a picture; the error names the file and its part.
fn open(path: &Path, part: &str) -> anyhow::Result<Pixels> {
    Pixels::open(path).with_context(|| format!("{part} cannot be opened: {}", path.display()))
}

fn scores(ground_truth: &Pixels, generated: &Pixels) -> Vec<Measured> {
    let comparison = crate::metric::Comparison::of_pictures(ground_truth, generated);
    Registry::built_in().measure(&comparison, &CancelToken::new())
}

fn table(scores: &[Measured]) -> String {
    let width = scores.iter().map(|measured| measured.variant.id.len()).max().unwrap_or(0);
    scores.iter().fold(String::new(), |mut table, measured| {
        // Writing to a String cannot fail.
        writeln!(
            table,
            "{:width$}  {}",
            measured.variant.id,
            score_text(&measured.measurement.score)
        )
        .ok();
        table
    })
}

impl PictureJson {
    fn new(path: &Path, picture: &Pixels) -> Self {
        Self {
            path: path.display().to_string(),
            size: SizeJson { width: picture.width(), height: picture.height() },
        }
    }
}

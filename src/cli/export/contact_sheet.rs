//! `pentimento export contact-sheet`: a run as a contact sheet.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::base::CancelToken;
use crate::cli::made_by::made_by;
use crate::cli::output::write_atomic;
use crate::cli::scoring::{Cache, check_variants, compared_task, scorer};
use crate::evaluate::{ComparedTask, Scorer, Wanted, compared_step};
use crate::export::{ContactSheet, ContactSheetCell, Frame, PageForm};
use crate::model::ModelSettings;
use crate::render::RenderContext;

use super::pictured::{EveryArgument, Pictured, score_words, variant_of};

/// Write a run as a contact sheet: its pictures, each with its step, the call and the score
#[derive(Args, Debug)]
pub(super) struct ContactSheetArguments {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The file to write; its ending says what it is.
    #[arg(long, value_name = "FILE.png|.svg|.pdf")]
    out: PathBuf,
    /// Where the task of the run is; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Which steps are shown.
    #[arg(long, value_name = "step|turn", default_value = "step")]
    every: EveryArgument,
    /// Most pictures; of more, evenly chosen ones are shown, the first and the last among them.
    #[arg(long, value_name = "N", default_value = "40")]
    most: NonZeroU32,
    /// How many stand beside each other.
    #[arg(long, value_name = "N", default_value = "8")]
    columns: NonZeroU32,
    /// How wide a picture is, in points.
    #[arg(long, value_name = "POINTS", default_value = "120")]
    width: NonZeroU32,
    /// Pixels a point of a PNG, 0.1 to 8.
    #[arg(long, value_name = "S", default_value = "2", value_parser = scale)]
    scale: f64,
    /// Score by this variant. Without it, by the one that stands for the run in lists.
    #[arg(long, value_name = "ID")]
    only: Option<String>,
}

/// Pixels a point.
pub(super) fn scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if (0.1..=8.0).contains(&scale) {
        Ok(scale)
    } else {
        Err("must be within 0.1 and 8".to_owned())
    }
}

/// Does the command.
pub(super) fn write(arguments: &ContactSheetArguments) -> anyhow::Result<()> {
    let form = PageForm::of(&arguments.out)?;
    let mut pictured = Pictured::open(&arguments.run, &arguments.tasks)?;
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let variant = variant_of(arguments.only.as_deref(), &pictured.run);
    check_variants(scorer.registry(), &[&variant])?;
    // Twice what is seen at one pixel a point, so that print is sharp.
    let all = pictured.frames(arguments.every, arguments.width.get() * 2)?;
    anyhow::ensure!(!all.is_empty(), "the run has no picture: {}", arguments.run.display());
    let count = all.len();
    // Chosen from pictures and not from steps: equal ones were joined before.
    let frames = chosen(all, arguments.most.get() as usize);
    let kind = &pictured.run.manifest.environment;
    let truth = compared_task(pictured.task.as_deref(), Some(kind));
    let mut remarks = Vec::new();
    if frames.len() < count {
        remarks.push(format!("{} of {count} pictures, evenly chosen.", frames.len()));
    }
    if let Err(why) = &truth {
        remarks.push(format!("Not scored: {why}."));
    }
    remarks.push(made_by());
    let mut cells = Vec::with_capacity(frames.len());
    for frame in frames {
        let score = match &truth {
            Ok(truth) => score(&mut pictured, &scorer, truth, &variant, frame.step)?,
            Err(_) => String::new(),
        };
        cells.push(cell(&pictured, frame, score));
    }
    let sheet = ContactSheet {
        title: pictured.title(),
        cells,
        columns: arguments.columns.get() as usize,
        cell_width: f64::from(arguments.width.get()),
        remarks,
    };
    let bytes = sheet.page()?.write(form, arguments.scale, &RenderContext::default())?;
    write_atomic(&arguments.out, &bytes)
}

/// So many of them, evenly, the first and the last among them.
fn chosen(frames: Vec<Frame>, most: usize) -> Vec<Frame> {
    let count = frames.len();
    if count <= most {
        return frames;
    }
    let gaps = most.saturating_sub(1).max(1);
    let wanted: Vec<usize> = (0..most).map(|at| at * (count - 1) / gaps).collect();
    let frames = frames.into_iter().enumerate();
    frames.filter(|(at, _)| wanted.contains(at)).map(|(_, frame)| frame).collect()
}

fn cell(pictured: &Pictured, frame: Frame, score: String) -> ContactSheetCell {
    let call = (frame.step as usize).checked_sub(1).and_then(|at| pictured.run.steps.get(at));
    let call = call.and_then(|step| step.call.as_ref());
    let name = match (frame.step, call) {
        (0, _) => "Start".to_owned(),
        (step, Some(call)) => format!("{step}  {}", call.name),
        (step, None) => step.to_string(),
    };
    ContactSheetCell { picture: frame.picture, name, detail: score }
}

fn score(
    pictured: &mut Pictured,
    scorer: &Scorer,
    truth: &ComparedTask,
    variant: &str,
    step: u32,
) -> anyhow::Result<String> {
    let never = CancelToken::new();
    let made = compared_step(&mut pictured.canvas, step, &never)?;
    let variants = [variant];
    let wanted = Wanted { variants: Some(&variants), map: None };
    let mut words = String::new();
    scorer
        .score(truth, &made, wanted, &never, |measured| {
            if let Some(measured) = measured.first() {
                words = score_words(&measured.variant.id, &measured.measurement.score);
            }
        })
        .context("scoring was stopped")?;
    Ok(words)
}

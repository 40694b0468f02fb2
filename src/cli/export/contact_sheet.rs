//! `pentimento export contact-sheet`: a run as a contact sheet.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use crate::cli::output::write_atomic;
use crate::cli::scoring::{Cache, scorer};
use crate::export::{ContactSheet, PageForm, SheetOptions};
use crate::model::ModelSettings;

use super::runs::{EveryArgument, one_run, page_bytes, scale, steps, with_context};

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
    /// Only these steps, 0 the start, such as 0-12.
    #[arg(long, value_name = "FIRST-LAST", value_parser = steps)]
    steps: Option<RangeInclusive<u32>>,
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

/// Does the command.
pub(super) fn write(arguments: &ContactSheetArguments) -> anyhow::Result<()> {
    let form = PageForm::of(&arguments.out)?;
    let run = one_run(&arguments.run, &arguments.tasks)?;
    let options = SheetOptions {
        every: arguments.every.into(),
        steps: arguments.steps.clone(),
        most: arguments.most.get() as usize,
        columns: arguments.columns.get() as usize,
        width: arguments.width.get(),
        variant: arguments.only.clone(),
    };
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let sheet =
        with_context(&scorer, "steps", |context| ContactSheet::of_run(&run, &options, context))?;
    write_atomic(&arguments.out, &page_bytes(sheet.page()?, form, arguments.scale)?)
}

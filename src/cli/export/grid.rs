//! `pentimento export grid`: tasks by models.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use crate::cli::environments::workspace;
use crate::cli::output::{note, write_atomic};
use crate::cli::scoring::{Cache, scorer};
use crate::export::{ExportRun, Grid, GridBadge, GridBoxes, GridOptions, PageForm};
use crate::model::ModelSettings;
use crate::run::reader;
use crate::store::Store;
use crate::workbench::NoteKey;

use super::runs::{filtered_runs, page_bytes, scale, with_context};

/// Write the ends of runs as a grid: a row a task with its start and target, a column a model
///
/// Of several runs of a model at a task, the first is shown, and how many there are is said. A file in .tex is a
/// LaTeX table (booktabs, graphicx), whose pictures lie in a folder beside it.
#[derive(Args, Debug)]
pub(super) struct GridArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The file to write; its ending says what it is.
    #[arg(long, value_name = "FILE.png|.svg|.pdf|.tex")]
    out: PathBuf,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
    /// Only these tasks, in this order: ID is all tasks of that id, SET/ID that of one set; may be given several
    /// times, or divided by commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only_task: Vec<String>,
    /// Only these models, in this order; may be given several times, or divided by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    model: Vec<String>,
    /// Score by this variant. Without it, by the one that stands for a run in lists.
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// What stands below the pictures.
    #[arg(long, value_name = "BADGE", default_value = "score")]
    badge: Badge,
    /// Put below each picture what people wrote of its run in the window: the note on the run, and that on its last
    /// step.
    #[arg(long)]
    notes: bool,
    /// Draw boxes around the nodes that are not as they were at the start.
    #[arg(long)]
    changed: bool,
    /// How wide a picture is, in points.
    #[arg(long, value_name = "POINTS", default_value = "110")]
    width: NonZeroU32,
    /// Pixels a point of a PNG, 0.1 to 8.
    #[arg(long, value_name = "S", default_value = "2", value_parser = scale)]
    scale: f64,
}

/// What stands below a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Badge {
    /// The score of the end.
    Score,
    /// How many of CANVAS's scores do not fall from start to end (Pos@K), of tasks that change a start.
    Pos,
}

impl From<Badge> for GridBadge {
    fn from(badge: Badge) -> Self {
        match badge {
            Badge::Score => Self::Score,
            Badge::Pos => Self::Pos,
        }
    }
}

/// Does the command.
pub(super) fn write(arguments: &GridArguments) -> anyhow::Result<()> {
    let is_latex = arguments.out.extension().is_some_and(|ending| ending == "tex");
    let form = if is_latex { None } else { Some(PageForm::of(&arguments.out)?) };
    let mut runs = filtered_runs(&arguments.runs, &arguments.tasks, &arguments.filter)?;
    if arguments.notes {
        add_notes(&mut runs)?;
    }
    let options = GridOptions {
        tasks: arguments.only_task.clone(),
        models: arguments.model.clone(),
        badge: arguments.badge.into(),
        boxes: if arguments.changed { GridBoxes::Changed } else { GridBoxes::None },
        width: arguments.width.get(),
        variant: arguments.only.clone(),
    };
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let (grid, left_out) =
        with_context(&scorer, "tasks", |context| Grid::of_runs(&runs, &options, context))?;
    for why in left_out {
        note(&format!("left out: {why}"));
    }
    // LaTeX sets the page itself: it gets the pictures in a folder, and no page.
    let Some(form) = form else { return write_latex(&grid, &arguments.out) };
    write_atomic(&arguments.out, &page_bytes(grid.page()?, form, arguments.scale)?)
}

/// Adds what people wrote of the runs in the window: the note on each, then that on its last step, in one line.
fn add_notes(runs: &mut [ExportRun]) -> anyhow::Result<()> {
    // A workspace that is not there yet has no notes, and none is made for that.
    let Some(path) = workspace().filter(|path| path.is_file()) else { return Ok(()) };
    let notes = Store::open(&path)
        .and_then(|store| store.notes())
        .with_context(|| format!("cannot read the notes in {}", path.display()))?;
    for run in runs {
        let dir = run.dir.display();
        // Notes of the window know folders by their whole paths.
        let whole = std::path::absolute(&run.dir).with_context(|| dir.to_string())?;
        let known = NoteKey::run_id(&run.manifest, &whole);
        // One that cannot be read has no last step, and says so where it would be drawn.
        let last = reader::peek(&run.dir).ok().map(|peek| peek.steps);
        let steps = [None, last].into_iter().take(if last.is_some() { 2 } else { 1 });
        let found = steps
            .filter_map(|step| notes.iter().find(|note| note.run == known && note.step == step));
        let words: Vec<&str> = found.flat_map(|note| note.text.split_whitespace()).collect();
        run.note = words.join(" ");
    }
    Ok(())
}

/// The table, and its pictures in a folder beside it.
fn write_latex(grid: &Grid, out: &Path) -> anyhow::Result<()> {
    let stem =
        out.file_stem().map_or_else(|| "grid".to_owned(), |it| it.to_string_lossy().into_owned());
    let latex = grid.to_latex(&stem)?;
    let folder = out.with_file_name(&latex.folder);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, png) in &latex.pictures {
        write_atomic(&folder.join(name), png)?;
    }
    write_atomic(out, latex.table.as_bytes())
}

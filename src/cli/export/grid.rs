//! `pentimento export grid`: tasks by models.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use crate::base::{CancelToken, Pixels, Rect};
use crate::cli::collection::Collection;
use crate::cli::environments::{environments, workspace};
use crate::cli::made_by::made_by;
use crate::cli::output::{note, write_atomic};
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{ScoreJob, last_step, read_runs, score_at, score_end};
use crate::design::Document;
use crate::design::diff::{diff, pair_by_id};
use crate::environment::{Environment, PictureRequest};
use crate::evaluate::RunCanvas;
use crate::evaluate::canvas::{ground_truth, start_of};
use crate::export::{Grid, GridCell, GridRow, PageForm, latex, smaller};
use crate::metric::Registry;
use crate::metric::behavior::{EditedScore, NoChange, Pos};
use crate::render::RenderContext;
use crate::run::{Run, TaskRef};
use crate::store::{Store, StoredNote};
use crate::task::{Task, TaskKind};
use crate::workbench::NoteKey;

use super::contact_sheet::scale;
use super::pictured::{score_words, variant_of};

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
    /// Only these tasks, in this order; may be given several times, or divided by commas.
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
    /// Put below each picture what people wrote of its run in the window: the note on the run, and that on its last step.
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

/// The scores that Pos@K counts: CANVAS's, but for the one that a model has to be asked for.
const POS: [&str; 3] = ["ssim", "saliency_sim", "component_similarity"];

/// What is asked of each cell.
struct Wanted<'a> {
    arguments: &'a GridArguments,
    /// The variants that Pos@K counts.
    pos: Vec<String>,
    notes: Vec<StoredNote>,
}

/// The runs at one task, by model.
struct TaskRuns {
    task: Option<Arc<Task>>,
    by_model: BTreeMap<String, Vec<ScoreJob>>,
}

/// Does the command.
pub(super) fn write(arguments: &GridArguments) -> anyhow::Result<()> {
    let is_latex = arguments.out.extension().is_some_and(|ending| ending == "tex");
    let form = if is_latex { None } else { Some(PageForm::of(&arguments.out)?) };
    let grid = gather(arguments)?;
    let Some(form) = form else { return write_latex(&grid, &arguments.out) };
    let bytes = grid.page()?.write(form, arguments.scale, &RenderContext::default())?;
    write_atomic(&arguments.out, &bytes)
}

fn gather(arguments: &GridArguments) -> anyhow::Result<Grid> {
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (jobs, problems) = read_runs(&mut collection);
    let mut remarks: Vec<String> = Vec::new();
    for problem in &problems {
        note(&format!("left out: {problem}"));
    }
    if !problems.is_empty() {
        remarks.push(format!("Left out: {} that cannot be read.", counted(problems.len(), "run")));
    }
    let mut tasks: BTreeMap<TaskRef, TaskRuns> = BTreeMap::new();
    for job in jobs {
        let of = tasks.entry(job.run.manifest.task.clone());
        let of =
            of.or_insert_with(|| TaskRuns { task: job.task.clone(), by_model: BTreeMap::new() });
        let model = job.run.manifest.agent.name.clone();
        of.by_model.entry(model).or_default().push(job);
    }
    let chosen = chosen(arguments, tasks)?;
    let models = models(arguments, &chosen)?;
    // Said with their number, so that nobody takes the first run for the best.
    let several: usize = chosen
        .iter()
        .flat_map(|(_, runs)| runs.by_model.values())
        .filter(|runs| runs.len() > 1)
        .count();
    if several > 0 {
        let cells = counted(several, "cell");
        remarks.push(format!("{cells} of several runs: the first is shown."));
    }
    let wanted = Wanted { arguments, pos: pos_variants(), notes: notes(arguments)? };
    if arguments.badge == Badge::Pos {
        let counted = wanted.pos.join(", ");
        remarks.push(format!("Pos@K: K of {counted} do not fall from start to end."));
    }
    let mut columns = vec!["Start".to_owned(), "Target".to_owned()];
    columns.extend(models.iter().cloned());
    let progress = SharedProgress::start(chosen.len(), "tasks");
    let mut rows = Vec::with_capacity(chosen.len());
    for (task, runs) in chosen {
        rows.push(row(&wanted, &task, &runs, &models, &mut remarks)?);
        progress.passed(&task.id);
    }
    drop(progress);
    remarks.push(made_by());
    Ok(Grid {
        title: format!("{} by {}", counted(rows.len(), "task"), counted(models.len(), "model")),
        columns,
        rows,
        cell_width: f64::from(arguments.width.get()),
        remarks,
    })
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn models(arguments: &GridArguments, tasks: &[(TaskRef, TaskRuns)]) -> anyhow::Result<Vec<String>> {
    let mut known: Vec<String> =
        tasks.iter().flat_map(|(_, runs)| runs.by_model.keys().cloned()).collect();
    known.sort_unstable();
    known.dedup();
    for model in &arguments.model {
        anyhow::ensure!(
            known.contains(model),
            "there is no run of {model}; there are runs of {}",
            known.join(", ")
        );
    }
    Ok(if arguments.model.is_empty() { known } else { arguments.model.clone() })
}

fn chosen(
    arguments: &GridArguments,
    mut tasks: BTreeMap<TaskRef, TaskRuns>,
) -> anyhow::Result<Vec<(TaskRef, TaskRuns)>> {
    if arguments.only_task.is_empty() {
        return Ok(tasks.into_iter().collect());
    }
    let mut chosen = Vec::new();
    for id in &arguments.only_task {
        let of = tasks.keys().find(|task| task.id == *id).cloned();
        let of = of.with_context(|| format!("there is no run at the task {id}"))?;
        chosen.extend(tasks.remove_entry(&of));
    }
    Ok(chosen)
}

fn row(
    wanted: &Wanted<'_>,
    task: &TaskRef,
    runs: &TaskRuns,
    models: &[String],
    remarks: &mut Vec<String>,
) -> anyhow::Result<GridRow> {
    // Twice what is seen at one pixel a point, so that print is sharp.
    let width = wanted.arguments.width.get() * 2;
    let plain = |picture: Option<Pixels>| -> anyhow::Result<Option<GridCell>> {
        let Some(picture) = picture else { return Ok(None) };
        let picture = smaller(&picture, width)?;
        Ok(Some(GridCell { picture, badge: String::new(), note: String::new(), boxes: Vec::new() }))
    };
    let (start, target) = match &runs.task {
        Some(task) => (start_picture(task)?, ground_truth(task, &environments().opener())?),
        None => (None, None),
    };
    let mut cells = vec![plain(start)?, plain(target)?];
    for model in models {
        let first = runs.by_model.get(model).and_then(|runs| runs.first());
        // One that cannot be drawn costs nobody the others.
        cells.push(match first.map(|job| end_of(wanted, job, width)) {
            Some(Ok(cell)) => Some(cell),
            Some(Err(error)) => {
                note(&format!("left out: {error:#}"));
                remarks.push(format!("Left out: {model} at {}, which cannot be drawn.", task.id));
                None
            }
            None => None,
        });
    }
    let detail = runs.task.as_ref().map_or("task not found", |task| task.kind.word()).to_owned();
    Ok(GridRow { name: task.id.clone(), detail, cells })
}

/// What the task begins with.
fn start_picture(task: &Task) -> anyhow::Result<Option<Pixels>> {
    if let Some(picture) = task.load_start_picture()? {
        return Ok(Some(picture));
    }
    let start = start_of(task, task.start.as_ref(), task.load_start_document()?);
    let environment = environments().opener()(&start)?;
    // An environment that cannot draw its start has none to show.
    Ok(environment.picture(&PictureRequest::default()).ok().map(|picture| picture.pixels))
}

fn end_of(wanted: &Wanted<'_>, job: &ScoreJob, width: u32) -> anyhow::Result<GridCell> {
    let dir = job.dir.display();
    let variant = variant_of(wanted.arguments.only.as_deref(), &job.run);
    let badge = match &job.task {
        Some(task) if wanted.arguments.badge == Badge::Pos => pos_words(wanted, &job.run, task),
        Some(task) => {
            let measured = score_end(&job.run, task, &[&variant]);
            let first = measured.first();
            first.map(|it| score_words(&variant, &it.measurement.score)).unwrap_or_default()
        }
        None => String::new(),
    };
    let opener = environments().opener();
    let canvas = RunCanvas::open(Arc::clone(&job.run), job.task.clone(), &opener);
    let mut canvas = canvas.with_context(|| dir.to_string())?;
    let never = CancelToken::new();
    let last = last_step(&job.run);
    let picture = canvas.picture(last, 1.0, &never).with_context(|| dir.to_string())?.pixels;
    let boxes = if wanted.arguments.changed { changed(&mut canvas, last)? } else { Vec::new() };
    // Notes of the window know folders by their whole paths.
    let whole = std::path::absolute(&job.dir).with_context(|| dir.to_string())?;
    let noted = NoteKey::run_id(&job.run.manifest, &whole);
    let note = note_on(&wanted.notes, &noted, last);
    Ok(GridCell { picture: smaller(&picture, width)?, badge, note, boxes })
}

/// What people wrote in the window, if it is asked for.
fn notes(arguments: &GridArguments) -> anyhow::Result<Vec<StoredNote>> {
    // A workspace that is not there yet has no notes, and none is made for that.
    let kept = workspace().filter(|path| arguments.notes && path.is_file());
    let Some(path) = kept else { return Ok(Vec::new()) };
    Store::open(&path)
        .and_then(|store| store.notes())
        .with_context(|| format!("cannot read the notes in {}", path.display()))
}

/// The note on a run, known as [`NoteKey::run_id`] says, then that on its last step, in one line.
fn note_on(notes: &[StoredNote], run: &str, last: u32) -> String {
    let steps = [None, Some(last)];
    let found = steps
        .iter()
        .filter_map(|step| notes.iter().find(|note| note.run == run && note.step == *step));
    let words: Vec<&str> = found.flat_map(|note| note.text.split_whitespace()).collect();
    words.join(" ")
}

/// The first variant of each metric, which is the one of the published code.
fn pos_variants() -> Vec<String> {
    let registry = Registry::built_in();
    let variants = POS.iter().filter_map(|metric| {
        registry.variants().find(|variant| variant.metric() == *metric).map(|it| it.id.to_string())
    });
    variants.collect()
}

/// `Pos@K of N`, or why there is none (CANVAS, Table 2 and figure 33).
fn pos_words(wanted: &Wanted<'_>, run: &Arc<Run>, task: &Arc<Task>) -> String {
    let is_edit = matches!(
        task.kind,
        TaskKind::AttributeUpdate | TaskKind::ComponentInsertion | TaskKind::ModeChange
    );
    if !is_edit {
        return "Pos – (no start)".to_owned();
    }
    if run.is_idle() == Some(true) {
        return "F: no call did anything".to_owned();
    }
    let variants: Vec<&str> = wanted.pos.iter().map(String::as_str).collect();
    let ends = score_at(run, task, &variants, &[0, last_step(run)]);
    let [before, after] = ends.as_slice() else { return "Pos –".to_owned() };
    let scores: Vec<EditedScore<'_>> = before
        .iter()
        .zip(after)
        .map(|(before, after)| EditedScore {
            before: &before.measurement.score,
            after: &after.measurement.score,
            direction: before.variant.direction,
        })
        .collect();
    match Pos::of(&scores, NoChange::IsBetterUnlessAllStay) {
        Ok(Pos::At(count)) => format!("Pos@{count} of {}", scores.len()),
        Ok(Pos::Failed) => "F: no call did anything".to_owned(),
        Err(why) => format!("Pos – ({why})"),
    }
}

/// Where the nodes lie that are not as they were at the start, as fractions of the main frame.
fn changed(canvas: &mut RunCanvas, last: u32) -> anyhow::Result<Vec<Rect>> {
    let never = CancelToken::new();
    let before = canvas.environment_at(0, &never)?.and_then(Environment::design);
    let after = canvas.environment_at(last, &never)?;
    let frame = after.and_then(Environment::main_frame);
    let after = after.and_then(Environment::design);
    let (Some(before), Some(after), Some(frame)) = (before, after, frame) else {
        return Ok(Vec::new());
    };
    let frame = after.absolute_box(&frame)?;
    let diff = diff(&before, &after, &pair_by_id(&before, &after));
    let nodes = diff.nodes.iter().filter(|node| !node.changes.is_empty());
    let boxes =
        nodes.filter_map(|node| node.after.as_ref()).filter_map(|id| box_in(&after, id, frame));
    Ok(boxes.collect())
}

fn box_in(design: &Document, id: &crate::design::NodeId, frame: Rect) -> Option<Rect> {
    let own = design.absolute_box(id).ok()?.intersection(frame)?;
    // The frame itself would be a box around everything.
    (own != frame).then(|| {
        Rect::new(
            (own.x - frame.x) / frame.width,
            (own.y - frame.y) / frame.height,
            own.width / frame.width,
            own.height / frame.height,
        )
    })
}

/// The table, and its pictures in a folder beside it.
fn write_latex(grid: &Grid, out: &Path) -> anyhow::Result<()> {
    let stem =
        out.file_stem().map_or_else(|| "grid".to_owned(), |it| it.to_string_lossy().into_owned());
    let folder = out.with_file_name(format!("{stem}-pictures"));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut files = Vec::with_capacity(grid.rows.len());
    for (row_at, row) in grid.rows.iter().enumerate() {
        let mut of_row = Vec::with_capacity(row.cells.len());
        for (column, cell) in row.cells.iter().enumerate() {
            of_row.push(match cell {
                None => None,
                Some(cell) => {
                    let name = format!("{}-{}.png", row_at + 1, column + 1);
                    write_atomic(&folder.join(&name), &cell.picture.to_png()?)?;
                    Some(format!("{stem}-pictures/{name}"))
                }
            });
        }
        files.push(of_row);
    }
    write_atomic(out, latex(grid, &files).as_bytes())
}

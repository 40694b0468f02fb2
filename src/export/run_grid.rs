//! What a grid of tasks by models is made of, out of runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Pixels, Rect};
use crate::design::diff::{diff, pair_by_id};
use crate::design::{Document, NodeId};
use crate::environment::{Environment, PictureRequest};
use crate::evaluate::canvas::{ground_truth, start_of};
use crate::evaluate::{RunCanvas, pos_variants, pos_words};
use crate::run::TaskRef;
use crate::task::{Task, TaskContent};

use super::frames::smaller;
use super::grid::{Grid, GridCell, GridRow};
use super::run::{ExportContext, ExportRun, PicturedRun, RunExportError, variant_of};

/// How a grid is made.
#[derive(Clone, Debug)]
pub struct GridOptions {
    /// Only these tasks, in this order, each as `ID`, which is all tasks of that id, or `SET/ID`; empty for all.
    pub tasks: Vec<String>,
    /// Only these models, in this order; empty for all.
    pub models: Vec<String>,
    /// What stands below the pictures.
    pub badge: GridBadge,
    /// Whether boxes are drawn around the nodes that are not as they were at the start.
    pub boxes: GridBoxes,
    /// How wide a picture is, in points.
    pub width: u32,
    /// By which variant it is scored; `None`: by the one that stands for a run in lists.
    pub variant: Option<String>,
}

/// What stands below a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridBadge {
    /// The score of the end.
    #[default]
    Score,
    /// How many of CANVAS's scores do not fall from start to end (Pos@K), of tasks that change a start.
    Pos,
}

/// What is boxed on a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridBoxes {
    /// Nothing.
    #[default]
    None,
    /// The nodes that are not as they were at the start.
    Changed,
}

/// The runs at one task, by model.
#[derive(Default)]
struct TaskRuns<'a> {
    task: Option<&'a Arc<Task>>,
    by_model: BTreeMap<&'a str, Vec<&'a ExportRun>>,
}

/// A task, and the how-manieth it is of those of its id in sets of one id.
type TaskKey<'a> = (&'a TaskRef, usize);

impl Grid {
    /// A grid of runs, a row a task and a column a model, with what is to be said of it below. Of several runs of a
    /// model at a task, the first is shown, and how many cells that is. What cannot be drawn costs nobody the others:
    /// why is in the second value.
    ///
    /// # Errors
    ///
    /// [`RunExportError`].
    pub fn of_runs(
        runs: &[ExportRun],
        options: &GridOptions,
        context: &ExportContext<'_>,
    ) -> Result<(Self, Vec<String>), RunExportError> {
        let mut tasks: BTreeMap<TaskKey<'_>, TaskRuns<'_>> = BTreeMap::new();
        for run in runs {
            let id = &run.manifest.task;
            let same_id = tasks.range((id, 0)..=(id, usize::MAX));
            let known = same_id.clone().find(|(_, of)| is_one_task(of.task, run.task.as_ref()));
            let key = known.map_or_else(|| (id, same_id.count()), |(key, _)| *key);
            let of = tasks.entry(key).or_default();
            of.task = of.task.or(run.task.as_ref());
            of.by_model.entry(&run.manifest.agent.name).or_default().push(run);
        }
        let chosen = chosen(options, tasks)?;
        let names = row_names(&chosen);
        let models = models(options, &chosen)?;
        let of_models = chosen.iter().flat_map(|(_, runs)| &runs.by_model);
        let of_models = of_models.filter(|(model, _)| models.contains(model));
        let count: usize = of_models.map(|(_, runs)| runs.len()).sum();
        let mut remarks = vec![format!("{}.", counted(count, "run"))];
        // Said with their number, so that nobody takes the first run for the best.
        let cells = chosen.iter().flat_map(|(_, runs)| runs.by_model.values());
        let several = cells.filter(|runs| runs.len() > 1).count();
        if several > 0 {
            let cells = counted(several, "cell");
            remarks.push(format!("{cells} of several runs: the first is shown."));
        }
        if options.badge == GridBadge::Pos {
            let counted = pos_variants(context.scorer).join(", ");
            remarks.push(format!("Pos@K: K of {counted} do not fall from start to end."));
        }
        let mut columns = vec!["Start".to_owned(), "Target".to_owned()];
        columns.extend(models.iter().map(|model| (*model).to_owned()));
        let (mut rows, mut left_out) = (Vec::with_capacity(chosen.len()), Vec::new());
        let count = chosen.len();
        for (done, ((_, runs), name)) in chosen.into_iter().zip(names).enumerate() {
            context.cancel.check()?;
            (context.progress)(done, count, &name);
            let task = runs.task.map(|task| &**task);
            let mut row = row_of(name, task, options, context)?;
            for model in &models {
                let of_model = runs.by_model.get(model).map_or(&[][..], Vec::as_slice);
                let cell = first_drawn(of_model, options, context, &mut left_out)?;
                if cell.is_none() && !of_model.is_empty() {
                    let place = format!("{model} at {}", row.name);
                    remarks.push(format!("Left out: {place}, which cannot be drawn."));
                }
                row.cells.push(cell);
            }
            rows.push(row);
        }
        remarks.push(context.made_by.to_owned());
        let title =
            format!("{} by {}", counted(rows.len(), "task"), counted(models.len(), "model"));
        let cell_width = f64::from(options.width);
        Ok((Self { title, columns, rows, cell_width, remarks }, left_out))
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn chosen<'a>(
    options: &GridOptions,
    mut tasks: BTreeMap<TaskKey<'a>, TaskRuns<'a>>,
) -> Result<Vec<(TaskKey<'a>, TaskRuns<'a>)>, RunExportError> {
    if options.tasks.is_empty() {
        return Ok(tasks.into_iter().collect());
    }
    let mut chosen: Vec<(TaskKey<'a>, TaskRuns<'a>)> = Vec::new();
    for name in &options.tasks {
        let named: Vec<TaskKey<'a>> =
            tasks.keys().copied().filter(|(task, _)| is_named(task, name)).collect();
        // A task may be named twice, itself and by an id that others have too: it is one row.
        let is_chosen = chosen.iter().any(|((task, _), _)| is_named(task, name));
        if named.is_empty() && !is_chosen {
            return Err(RunExportError::NoRunAt(name.clone()));
        }
        chosen.extend(named.iter().filter_map(|key| tasks.remove_entry(key)));
    }
    Ok(chosen)
}

/// Whether a name is that of the task: `ID` or `SET/ID`.
fn is_named(task: &TaskRef, name: &str) -> bool {
    let set = name.strip_suffix(task.id.as_str());
    let set = set.and_then(|set| set.strip_suffix('/'));
    task.id == name || set == Some(task.set.as_str())
}

/// Whether runs at tasks of one id are at one task: what they ask is the same wherever the sets lie, or it is not known.
fn is_one_task(a: Option<&Arc<Task>>, b: Option<&Arc<Task>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    if Arc::ptr_eq(a, b) {
        return true;
    }
    let [of_a, of_b] = [a, b].map(|task| TaskContent::of(task).ok());
    of_a.is_some() && of_a == of_b
}

/// What the rows are called: the ids of their tasks, with as much before and behind as tells each from the others.
fn row_names(chosen: &[(TaskKey<'_>, TaskRuns<'_>)]) -> Vec<String> {
    let named = chosen.iter().map(|((task, number), _)| {
        let same_id = chosen.iter().filter(|((other, _), _)| other.id == task.id);
        let same_set = same_id.clone().filter(|((other, _), _)| other.set == task.set);
        match (same_id.count(), same_set.count()) {
            (..=1, _) => task.id.clone(),
            (_, ..=1) => format!("{}/{}", task.set, task.id),
            _ => format!("{}/{} ({})", task.set, task.id, number + 1),
        }
    });
    named.collect()
}

fn models<'a>(
    options: &'a GridOptions,
    tasks: &[(TaskKey<'a>, TaskRuns<'a>)],
) -> Result<Vec<&'a str>, RunExportError> {
    let mut known: Vec<&str> =
        tasks.iter().flat_map(|(_, runs)| runs.by_model.keys().copied()).collect();
    known.sort_unstable();
    known.dedup();
    if let Some(model) = options.models.iter().find(|model| !known.contains(&model.as_str())) {
        return Err(RunExportError::NoModel { model: model.clone(), known: known.join(", ") });
    }
    let chosen = options.models.iter().map(String::as_str);
    Ok(if options.models.is_empty() { known } else { chosen.collect() })
}

/// The row of a task with its start and its target.
fn row_of(
    name: String,
    task: Option<&Task>,
    options: &GridOptions,
    context: &ExportContext<'_>,
) -> Result<GridRow, RunExportError> {
    let (start, target) = match task {
        Some(task) => {
            let truth = ground_truth(task, context.open_environment);
            (start_picture(task, context)?, truth.map_err(RunExportError::Truth)?)
        }
        None => (None, None),
    };
    let mut cells = Vec::with_capacity(2);
    for picture in [start, target] {
        cells.push(match picture {
            Some(picture) => Some(plain(&picture, options)?),
            None => None,
        });
    }
    let detail = task.map_or("task not found", |task| task.kind.word()).to_owned();
    Ok(GridRow { name, detail, cells })
}

fn plain(picture: &Pixels, options: &GridOptions) -> Result<GridCell, RunExportError> {
    // Twice what is seen at one pixel a point, so that print is sharp.
    let picture = smaller(picture, options.width.saturating_mul(2))?;
    Ok(GridCell { picture, badge: String::new(), note: String::new(), boxes: Vec::new() })
}

/// What the task begins with.
fn start_picture(
    task: &Task,
    context: &ExportContext<'_>,
) -> Result<Option<Pixels>, RunExportError> {
    if let Some(picture) = task.load_start_picture()? {
        return Ok(Some(picture));
    }
    let start = start_of(task, task.start.as_ref(), task.load_start_document()?);
    let environment = (context.open_environment)(&start)?;
    // An environment that cannot draw its start has none to show.
    Ok(environment.picture(&PictureRequest::default()).ok().map(|picture| picture.pixels))
}

/// The first of these runs that can be drawn; why the others cannot be is added to `left_out`.
fn first_drawn(
    runs: &[&ExportRun],
    options: &GridOptions,
    context: &ExportContext<'_>,
    left_out: &mut Vec<String>,
) -> Result<Option<GridCell>, RunExportError> {
    for run in runs {
        match end_of(run, options, context) {
            Ok(cell) => return Ok(Some(cell)),
            // That it does not exist is true of all of them.
            Err(error @ RunExportError::NoVariant { .. }) => return Err(error),
            Err(error) => {
                context.cancel.check()?;
                left_out.push(error.to_string());
            }
        }
    }
    Ok(None)
}

fn end_of(
    of: &ExportRun,
    options: &GridOptions,
    context: &ExportContext<'_>,
) -> Result<GridCell, RunExportError> {
    let variant = variant_of(options.variant.as_deref(), &of.manifest, context.scorer)?;
    let mut pictured = PicturedRun::open(of, context)?;
    let last = pictured.last_step();
    let truth = if pictured.task.is_some() { pictured.compared(context).ok() } else { None };
    let badge = match (&truth, options.badge) {
        (None, GridBadge::Score) if pictured.task.is_some() => format!("{variant} –"),
        (None, _) => String::new(),
        (Some(truth), GridBadge::Score) => pictured.score_words(last, &variant, truth, context)?,
        (Some(truth), GridBadge::Pos) => {
            pos_words(&mut pictured.canvas, truth, context.scorer, context.cancel)?
        }
    };
    let canvas = &mut pictured.canvas;
    let picture =
        canvas.picture(last, 1.0, context.cancel).map_err(|source| of.not_drawn(source))?.pixels;
    let boxes = match options.boxes {
        GridBoxes::None => Vec::new(),
        GridBoxes::Changed => changed(of, canvas, last, context)?,
    };
    Ok(GridCell { badge, note: of.note.clone(), boxes, ..plain(&picture, options)? })
}

/// Where the nodes lie that are not as they were at the start, as fractions of the main frame.
fn changed(
    of: &ExportRun,
    canvas: &mut RunCanvas,
    last: u32,
    context: &ExportContext<'_>,
) -> Result<Vec<Rect>, RunExportError> {
    let before = canvas.environment_at(0, context.cancel).map_err(|source| of.not_drawn(source))?;
    let before = before.and_then(Environment::design);
    let after =
        canvas.environment_at(last, context.cancel).map_err(|source| of.not_drawn(source))?;
    // Boxes are told in the screen's own place: pages may hold it anywhere.
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

fn box_in(design: &Document, id: &NodeId, frame: Rect) -> Option<Rect> {
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

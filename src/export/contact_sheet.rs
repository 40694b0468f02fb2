//! A run as a contact sheet: its pictures in rows, each with its step, what was called and the score.

use std::ops::RangeInclusive;

use crate::base::{Pixels, Rect};
use crate::run::Run;

use super::frames::{Every, Frame, FrameOptions, frames};
use super::run::{ExportContext, ExportRun, PicturedRun, RunExportError, variant_of};

use super::page::{DETAIL, LINE_HEIGHT as LINE, NAME, Page, PageError, TITLE, lines};

/// Room around everything.
const MARGIN: f64 = 24.0;
/// Between cells.
const GAP: f64 = 16.0;

/// A picture of a sheet.
#[derive(Clone, Debug)]
pub struct ContactSheetCell {
    /// The picture.
    pub picture: Pixels,
    /// What stands below it.
    pub name: String,
    /// What stands below that; empty for nothing.
    pub detail: String,
}

/// A sheet of pictures of one run.
#[derive(Clone, Debug, Default)]
pub struct ContactSheet {
    /// What stands above it.
    pub title: String,
    /// The pictures in order.
    pub cells: Vec<ContactSheetCell>,
    /// How many stand beside each other.
    pub columns: usize,
    /// How wide each is, in points.
    pub cell_width: f64,
    /// What stands below it, a line each.
    pub remarks: Vec<String>,
}

/// How a run becomes a contact sheet.
#[derive(Clone, Debug)]
pub struct SheetOptions {
    /// Which steps are shown.
    pub every: Every,
    /// Only those within, 0 the start; `None`: all.
    pub steps: Option<RangeInclusive<u32>>,
    /// Most pictures; of more, evenly chosen ones are shown, the first and the last among them.
    pub most: usize,
    /// How many stand beside each other.
    pub columns: usize,
    /// How wide a picture is, in points.
    pub width: u32,
    /// By which variant it is scored; `None`: by the one that stands for a run in lists.
    pub variant: Option<String>,
}

impl ContactSheet {
    /// A run: its pictures, each with its step, the call and the score, and what is to be said of them below.
    ///
    /// # Errors
    ///
    /// [`RunExportError`].
    pub fn of_run(
        of: &ExportRun,
        options: &SheetOptions,
        context: &ExportContext<'_>,
    ) -> Result<Self, RunExportError> {
        let variant = variant_of(options.variant.as_deref(), &of.manifest, context.scorer)?;
        let mut pictured = PicturedRun::open(of, context)?;
        let taken = FrameOptions {
            every: options.every,
            steps: options.steps.clone(),
            // Twice what is seen at one pixel a point, so that print is sharp.
            width: options.width.saturating_mul(2),
        };
        let all = frames(&mut pictured.canvas, &taken, context.cancel, &|done, count| {
            (context.progress)(done, count, "drawing");
        })?;
        if all.is_empty() {
            return Err(RunExportError::NoPicture(of.dir.clone()));
        }
        let count = all.len();
        // Chosen from pictures and not from steps: equal ones were joined before.
        let frames = evenly_chosen(all, options.most);
        let truth = pictured.compared(context);
        let mut remarks = Vec::new();
        if let Some(steps) = &options.steps {
            remarks.push(format!("Steps {} to {}.", steps.start(), steps.end()));
        }
        if frames.len() < count {
            remarks.push(format!("{} of {count} pictures, evenly chosen.", frames.len()));
        }
        if let Err(why) = &truth {
            remarks.push(format!("Not scored: {why}."));
        }
        remarks.push(context.made_by.to_owned());
        let shown = frames.len();
        let mut cells = Vec::with_capacity(shown);
        for (done, frame) in frames.into_iter().enumerate() {
            (context.progress)(done, shown, "scoring");
            let detail = match &truth {
                Ok(truth) => pictured.score_words(frame.step, &variant, truth, context)?,
                Err(_) => String::new(),
            };
            cells.push(cell(&pictured.run, frame, detail));
        }
        Ok(Self {
            title: pictured.title(),
            cells,
            columns: options.columns,
            cell_width: f64::from(options.width),
            remarks,
        })
    }

    /// Lays it out.
    ///
    /// # Errors
    ///
    /// [`PageError::TooLarge`].
    pub fn page(self) -> Result<Page, PageError> {
        // Never zero and never more than there are cells: empty columns would widen the page for nothing.
        let columns = self.columns.clamp(1, self.cells.len().max(1));
        let width = columns as f64 * (self.cell_width + GAP) - GAP;
        let lines = lines(&self.remarks, width);
        // A row is as high as its highest picture, so that names stand on one line.
        let heights: Vec<f64> = self
            .cells
            .chunks(columns)
            .map(|row| {
                row.iter().map(|cell| height_at(&cell.picture, self.cell_width)).fold(0.0, f64::max)
            })
            .collect();
        let rows: f64 = heights.iter().map(|height| height + 2.0 * LINE + GAP).sum();
        let height = MARGIN * 2.0 + 28.0 + rows + LINE * lines.len() as f64;
        // The one place that can fail: what is drawn below fits by how it was measured.
        let mut page = Page::new(width + 2.0 * MARGIN, height)?;
        page.text(Rect::new(MARGIN, MARGIN, width, 20.0), &self.title, TITLE);
        let mut top = MARGIN + 28.0;
        let mut cells = self.cells.into_iter();
        for row in heights {
            for (column, cell) in cells.by_ref().take(columns).enumerate() {
                let left = MARGIN + column as f64 * (self.cell_width + GAP);
                let own = height_at(&cell.picture, self.cell_width);
                page.picture(Rect::new(left, top, self.cell_width, own), cell.picture);
                let below = top + row + 3.0;
                page.text(Rect::new(left, below, self.cell_width, LINE), &cell.name, NAME);
                let lower = Rect::new(left, below + LINE - 1.0, self.cell_width, LINE);
                page.text(lower, &cell.detail, DETAIL);
            }
            top += row + 2.0 * LINE + GAP;
        }
        page.remarks(MARGIN, top, &lines);
        page.describe(&self.title, &self.remarks);
        Ok(page)
    }
}

/// So many of them, evenly, the first and the last among them.
fn evenly_chosen(frames: Vec<Frame>, most: usize) -> Vec<Frame> {
    let count = frames.len();
    if count <= most {
        return frames;
    }
    let gaps = most.saturating_sub(1).max(1);
    let wanted: Vec<usize> = (0..most).map(|at| at * (count - 1) / gaps).collect();
    let frames = frames.into_iter().enumerate();
    frames.filter(|(at, _)| wanted.contains(at)).map(|(_, frame)| frame).collect()
}

fn cell(run: &Run, frame: Frame, detail: String) -> ContactSheetCell {
    let call = (frame.step as usize).checked_sub(1).and_then(|at| run.steps.get(at));
    let call = call.and_then(|step| step.call.as_ref());
    let name = match (frame.step, call) {
        (0, _) => "Start".to_owned(),
        (step, Some(call)) => format!("{step}  {}", call.name),
        (step, None) => step.to_string(),
    };
    ContactSheetCell { picture: frame.picture, name, detail }
}

/// How high a picture is that is drawn so wide.
pub(super) fn height_at(picture: &Pixels, width: f64) -> f64 {
    width * f64::from(picture.height()) / f64::from(picture.width().max(1))
}

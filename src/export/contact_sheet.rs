//! A run as a contact sheet: its pictures in rows, each with its step, what was called and the score.

use crate::base::{Pixels, Rect};

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

impl ContactSheet {
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
        Ok(page)
    }
}

/// How high a picture is that is drawn so wide.
pub(super) fn height_at(picture: &Pixels, width: f64) -> f64 {
    width * f64::from(picture.height()) / f64::from(picture.width().max(1))
}

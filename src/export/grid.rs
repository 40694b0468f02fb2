//! Tasks by models: a row a task, its start and its ground truth first, then what each model came to, as
//! CANVAS's figures 32 and 33 and GraphicBench's table 14 show runs.

use std::fmt::Write as _;

use crate::base::{Pixels, PixelsError, Rect, Rgba};
use crate::evaluate::text_table::{escaped_latex, latex_comment};

use super::contact_sheet::height_at;
use super::page::{DETAIL, LINE_HEIGHT as LINE, NAME, Page, PageError, TITLE, lines};

/// Room around everything.
const MARGIN: f64 = 24.0;
/// Between cells.
const GAP: f64 = 12.0;
/// What a task's name takes across.
const NAMES: f64 = 110.0;
/// Around nodes that changed.
const CHANGED: Rgba = Rgba { r: 0.76, g: 0.19, b: 0.25, a: 1.0 };

/// A picture of a grid.
#[derive(Clone, Debug)]
pub struct GridCell {
    /// The picture.
    pub picture: Pixels,
    /// What stands below it, such as a score; empty for nothing.
    pub badge: String,
    /// What people wrote of it, below that; empty for nothing.
    pub note: String,
    /// Boxes to be drawn on it, as fractions of the picture.
    pub boxes: Vec<Rect>,
}

/// A task.
#[derive(Clone, Debug, Default)]
pub struct GridRow {
    /// What it is called.
    pub name: String,
    /// What is said of it; empty for nothing.
    pub detail: String,
    /// A picture for each column; `None` where there is none.
    pub cells: Vec<Option<GridCell>>,
}

/// Tasks by models.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// What stands above it.
    pub title: String,
    /// What the columns are.
    pub columns: Vec<String>,
    /// The tasks.
    pub rows: Vec<GridRow>,
    /// How wide a picture is, in points.
    pub cell_width: f64,
    /// What stands below it, a line each.
    pub remarks: Vec<String>,
}

impl Grid {
    /// Lays it out.
    ///
    /// # Errors
    ///
    /// [`PageError::TooLarge`].
    pub fn page(self) -> Result<Page, PageError> {
        let Self { title, columns, rows, cell_width, remarks } = self;
        let width = NAMES + columns.len() as f64 * (cell_width + GAP);
        let lines = lines(&remarks, width);
        // Measured before anything is drawn, as the page must know its height when it is made.
        let heights: Vec<f64> = rows.iter().map(|row| row_height(row, cell_width)).collect();
        let notes: Vec<Vec<Vec<String>>> = rows.iter().map(|row| notes(row, cell_width)).collect();
        let below: Vec<f64> = notes.iter().map(|notes| height_below(notes)).collect();
        let all: f64 = heights.iter().zip(&below).map(|(height, below)| height + below + GAP).sum();
        let height = 2.0 * MARGIN + 28.0 + LINE + 4.0 + all + LINE * lines.len() as f64;
        let mut page = Page::new(width + 2.0 * MARGIN, height)?;
        page.text(Rect::new(MARGIN, MARGIN, width, 20.0), &title, TITLE);
        let mut top = MARGIN + 28.0;
        for (column, name) in columns.iter().enumerate() {
            page.text(Rect::new(left_of(column, cell_width), top, cell_width, LINE), name, NAME);
        }
        top += LINE + 4.0;
        for ((row, height), (notes, below)) in
            rows.into_iter().zip(heights).zip(notes.into_iter().zip(below))
        {
            page.text(Rect::new(MARGIN, top, NAMES - GAP, LINE), &row.name, NAME);
            let detail = Rect::new(MARGIN, top + LINE, NAMES - GAP, LINE);
            page.text(detail, &row.detail, DETAIL);
            for (column, (cell, notes)) in row.cells.into_iter().zip(notes).enumerate() {
                let left = left_of(column, cell_width);
                // An empty place would look like a picture that is white.
                let Some(cell) = cell else {
                    page.text(Rect::new(left, top, cell_width, LINE), "no run", DETAIL);
                    continue;
                };
                let room = Rect::new(left, top, cell_width, height_at(&cell.picture, cell_width));
                page.picture(room, cell.picture);
                // Boxes are shares of the picture, as it may be drawn at any width.
                for part in &cell.boxes {
                    let boxed = Rect::new(
                        room.x + part.x * room.width,
                        room.y + part.y * room.height,
                        part.width * room.width,
                        part.height * room.height,
                    );
                    page.outline(boxed, CHANGED, 0.75);
                }
                // Below the row and not below the picture: badges of one row stand on one line.
                let mut line = Rect::new(left, top + height + 2.0, cell_width, LINE);
                page.text(line, &cell.badge, DETAIL);
                for words in &notes {
                    line.y += LINE;
                    page.text(line, words, DETAIL);
                }
            }
            top += height + below + GAP;
        }
        page.remarks(MARGIN, top, &lines);
        page.describe(&title, &remarks);
        Ok(page)
    }
}

fn left_of(column: usize, cell_width: f64) -> f64 {
    MARGIN + NAMES + column as f64 * (cell_width + GAP)
}

fn row_height(row: &GridRow, width: f64) -> f64 {
    let pictures = row.cells.iter().flatten();
    // At least the two lines that say which task it is.
    pictures.map(|cell| height_at(&cell.picture, width)).fold(2.0 * LINE, f64::max)
}

/// The lines of each cell's note.
fn notes(row: &GridRow, width: f64) -> Vec<Vec<String>> {
    let notes = row.cells.iter().map(|cell| match cell {
        Some(cell) if !cell.note.is_empty() => lines(std::slice::from_ref(&cell.note), width),
        _ => Vec::new(),
    });
    notes.collect()
}

/// What a row takes below its pictures: a line of badges, and as many as the longest note has.
fn height_below(notes: &[Vec<String>]) -> f64 {
    let most = notes.iter().map(Vec::len).max().unwrap_or(0);
    LINE * (1 + most) as f64
}

/// A grid as files of LaTeX: the table, and the pictures it shows.
#[derive(Clone, Debug, Default)]
pub struct LatexGrid {
    /// The table (booktabs, graphicx), which looks for its pictures in the folder beside it.
    pub table: String,
    /// The name of that folder.
    pub folder: String,
    /// Names of pictures in it, with their bytes as PNG.
    pub pictures: Vec<(String, Vec<u8>)>,
}

impl Grid {
    /// The same as LaTeX, to be written to a file whose name without its ending is `stem`.
    ///
    /// # Errors
    ///
    /// [`PixelsError`] where a picture cannot be encoded.
    pub fn to_latex(&self, stem: &str) -> Result<LatexGrid, PixelsError> {
        let folder = picture_folder(stem);
        let mut pictures = Vec::new();
        let mut files = Vec::with_capacity(self.rows.len());
        for (row_at, row) in self.rows.iter().enumerate() {
            let mut of_row = Vec::with_capacity(row.cells.len());
            for (column, cell) in row.cells.iter().enumerate() {
                of_row.push(match cell {
                    None => None,
                    Some(cell) => {
                        // By their places: names of tasks and models may hold what no file name may.
                        let name = format!("{}-{}.png", row_at + 1, column + 1);
                        pictures.push((name.clone(), cell.picture.to_png()?));
                        Some(format!("{folder}/{name}"))
                    }
                });
            }
            files.push(of_row);
        }
        Ok(LatexGrid { table: latex(self, &files), folder, pictures })
    }
}

/// The folder of the pictures of a file: a name that means itself to LaTeX, whatever the file is called.
fn picture_folder(stem: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !stem.is_empty() && stem.chars().all(plain) {
        return format!("{stem}-pictures");
    }
    let safe: String = stem.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    // Files whose names differ in other letters alone would share a folder.
    let hash: String = blake3::hash(stem.as_bytes()).to_hex().chars().take(8).collect();
    format!("{safe}-{hash}-pictures")
}

/// The table, whose pictures lie in files: `files` has the path of each cell's picture, row by row.
fn latex(grid: &Grid, files: &[Vec<Option<String>>]) -> String {
    let mut text = String::new();
    for line in std::iter::once(&grid.title).chain(&grid.remarks) {
        text += &latex_comment(line);
    }
    // Writing to a String cannot fail, here and below.
    // The names of the rows take what is left of the line.
    let share = 0.86 / grid.columns.len().max(1) as f64;
    writeln!(text, "\\begin{{tabular}}{{l{}}}\n\\toprule", "c".repeat(grid.columns.len())).ok();
    let names: Vec<String> = grid.columns.iter().map(|name| escaped_latex(name)).collect();
    writeln!(text, " & {} \\\\\n\\midrule", names.join(" & ")).ok();
    for (row, files) in grid.rows.iter().zip(files) {
        let pictures = files.iter().map(|file| match file {
            Some(file) => format!("\\includegraphics[width={share:.3}\\linewidth]{{{file}}}"),
            None => "--".to_owned(),
        });
        let pictures: Vec<String> = pictures.collect();
        writeln!(text, "{} & {} \\\\", escaped_latex(&row.name), pictures.join(" & ")).ok();
        let badges: Vec<String> = row
            .cells
            .iter()
            .map(|cell| cell.as_ref().map(|cell| escaped_latex(&cell.badge)).unwrap_or_default())
            .collect();
        let notes: Vec<String> = row
            .cells
            .iter()
            .map(|cell| match cell {
                Some(cell) if !cell.note.is_empty() => format!(
                    "\\parbox[t]{{{share:.3}\\linewidth}}{{\\footnotesize {}}}",
                    escaped_latex(&cell.note)
                ),
                _ => String::new(),
            })
            .collect();
        // A line of nothing but cell separators would still take a line's height.
        if badges.iter().any(|badge| !badge.is_empty()) {
            writeln!(text, "{} & {} \\\\", escaped_latex(&row.detail), badges.join(" & ")).ok();
        }
        if notes.iter().any(|note| !note.is_empty()) {
            writeln!(text, " & {} \\\\", notes.join(" & ")).ok();
        }
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_lie_where_latex_finds_them_whatever_the_file_is_called() {
        let grid = Grid {
            columns: vec!["a".to_owned()],
            rows: vec![GridRow {
                cells: vec![Some(GridCell {
                    picture: Pixels::filled(1, 1, [0; 4]).unwrap(),
                    badge: String::new(),
                    note: String::new(),
                    boxes: Vec::new(),
                })],
                ..GridRow::default()
            }],
            ..Grid::default()
        };
        assert_eq!(grid.to_latex("my_grid-2").unwrap().folder, "my_grid-2-pictures");
        let mut folders = Vec::new();
        for stem in ["g 100%_#1", "g 100%_#2", "gr{id}", "a~b", "a b", "a.b", "表", ""] {
            let latex = grid.to_latex(stem).unwrap();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            assert!(latex.folder.chars().all(is_plain), "{}", latex.folder);
            assert!(latex.table.contains(&format!("{{{}/1-1.png}}", latex.folder)), "{stem}");
            assert!(!folders.contains(&latex.folder), "{stem} has a folder of its own");
            folders.push(latex.folder);
        }
    }
}

//! The table as text: for a spreadsheet, a page, a paper; and what it says of itself.

use crate::evaluate::MadeBy;
use crate::evaluate::text_table::{
    TextCell, TextColumn, TextSide, TextTable, escaped_markdown, latex_comment, markdown_code,
};
use crate::evaluate::typed_table::{TypedColumn, TypedTable, TypedValues, push_separated};
use crate::workbench::model::{
    Cell, Column, ColumnKind, ExportedTable, RunId, State, Summary, TableFile, TableFormat,
};

/// What provenance calls the command and the filter, which are printed as code.
const COMMAND: &str = "command";
pub(super) const FILTER: &str = "filter";
/// What stands in the place of a number that is infinite, where people read it.
const INFINITE: &str = "infinite";

impl State {
    /// The columns of the table as text, with what stands above each.
    fn explored_columns(&self) -> Vec<(&Column, String)> {
        let columns = self.explore.view.columns.iter();
        columns.map(|column| (column, self.column_heading(column))).collect()
    }

    /// What stands above a column: of a score what its variant is called, and how it differs from its like where
    /// it is not the one that stands for runs; of what others scored, that it was imported.
    pub fn column_heading(&self, column: &Column) -> String {
        if let Some(name) = column.imported_name() {
            return format!("{name} · imported");
        }
        let Column::Score(id) = column else { return column.heading().to_owned() };
        let Some(variant) = self.variants.get(id) else { return id.to_string() };
        let mut of_metric = self.variants.iter().filter(|it| it.metric() == variant.metric());
        if of_metric.next().is_some_and(|first| first.id == variant.id) {
            variant.label.to_owned()
        } else {
            format!("{} · {}", variant.label, variant.variant_label)
        }
    }

    /// The table as it is shown, as text: all runs that pass, or the selected ones if there are some. Of CSV and
    /// tab-separated values numbers are whole; of what papers print they are rounded, and groups are their means.
    pub fn explored_text(&self, format: TableFormat) -> String {
        let runs = self.exported_runs();
        match format {
            TableFormat::Csv => self.separated(&runs, ','),
            TableFormat::Tsv => self.separated(&runs, '\t'),
            TableFormat::Markdown => {
                let about = self.explored_provenance(TableFile::Text(format));
                // The command on a line of its own: it is the one thing that is copied out again.
                let (commands, about): (Vec<_>, Vec<_>) =
                    about.into_iter().partition(|(name, _)| name == COMMAND);
                let about = about.iter().map(|(name, value)| match name.as_str() {
                    FILTER => format!("{name}: {}", markdown_code(value)),
                    _ => format!("{name}: {}", escaped_markdown(value)),
                });
                let about = about.collect::<Vec<_>>().join(" · ");
                let command = commands
                    .iter()
                    .map(|(name, value)| format!("\n{name}: {}\n", markdown_code(value)));
                let command: String = command.collect();
                format!("{}\n{about}\n{command}", self.printed_table(&runs).to_markdown())
            }
            TableFormat::Latex => {
                let about = self.explored_provenance(TableFile::Text(format));
                let about =
                    about.iter().map(|(name, value)| latex_comment(&format!("{name}: {value}")));
                let needs = "% needs \\usepackage{booktabs}; ± is half a 95 % interval (Student's t); (n of m): of \
                             how many runs a mean is, where some have no number\n";
                about.collect::<String>() + needs + &self.printed_table(&runs).to_latex("")
            }
        }
    }

    /// The same runs with the types of their columns. What is missing is null, and a column says why; the filter and
    /// how many runs it leaves stand in what the table says of itself.
    pub fn explored_table(&self) -> TypedTable {
        let runs = self.exported_runs();
        let mut columns: Vec<TypedColumn> = Vec::new();
        for column in &self.explore.view.columns {
            let cells = runs.iter().map(|run| self.explore.table.cell(*run, column));
            let has_words = cells.clone().any(|cell| matches!(cell, Some(Cell::Text(_))));
            let values = match column.kind() {
                // What others scored may be words of some runs: then it is words of all.
                ColumnKind::Number if has_words => {
                    TypedValues::Texts(cells.map(|cell| words_of(cell?)).collect())
                }
                ColumnKind::Number => {
                    TypedValues::Numbers(cells.map(|cell| cell?.number()).collect())
                }
                ColumnKind::Flag => TypedValues::Flags(cells.map(|cell| cell?.flag()).collect()),
                ColumnKind::Text => {
                    TypedValues::Texts(cells.map(|cell| cell?.text().map(str::to_owned)).collect())
                }
            };
            columns.push(TypedColumn { name: column.id().to_owned(), values });
        }
        // A table with types has no room for a reason in a cell: it stands in a column beside it.
        let gaps = runs.iter().map(|run| self.gaps_of(*run));
        columns.push(TypedColumn::texts("missing", gaps.collect()));
        let folders = runs.iter().map(|run| {
            let run = self.library.runs.get(run)?;
            Some(run.dir.display().to_string())
        });
        columns.push(TypedColumn::texts("run", folders.collect()));
        TypedTable { columns, about: self.explored_provenance(TableFile::Parquet) }
    }

    /// A table that is exported, with its types and what it says of itself.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn exported_table(
        &self,
        table: ExportedTable,
        file: TableFile,
    ) -> Result<TypedTable, String> {
        match table {
            ExportedTable::Runs => Ok(self.explored_table()),
            ExportedTable::MatchedTasks => self.matched_table(file),
            ExportedTable::Study(of, rows) => self.study_table(of, rows, table.file_name(file)),
            ExportedTable::Calls => self.calls_table(file),
            ExportedTable::Shapley => self.shapley_values_table(file),
            ExportedTable::Tools => self.tools_table(file),
            ExportedTable::Losses => self.losses_table(),
        }
    }

    /// The same as text, and what it says of itself, for a file beside a text that has no place for it.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn exported_text(
        &self,
        table: ExportedTable,
        format: TableFormat,
    ) -> Result<(String, Vec<(String, String)>), String> {
        let file = TableFile::Text(format);
        if table == ExportedTable::Runs {
            return Ok((self.explored_text(format), self.explored_provenance(file)));
        }
        let table = self.exported_table(table, file)?;
        Ok((format.text_of(&table), table.about))
    }

    /// Why a run has nothing in some columns; `None` if it has something in all.
    fn gaps_of(&self, run: RunId) -> Option<String> {
        let columns = self.explore.view.columns.iter();
        let gaps: Vec<String> = columns
            .filter_map(|column| match self.explore.table.cell(run, column) {
                Some(Cell::Missing(gap)) => Some(format!("{}: {gap}", column.id())),
                _ => None,
            })
            .collect();
        (!gaps.is_empty()).then(|| gaps.join("; "))
    }

    /// What has to be known of a table that is exported as this: which program wrote it, by which command it is made
    /// again, of how many runs it is, what was left out and by what, and which variants its scores are. Files of text
    /// that have no place for it get it in a file beside them ([`beside`](crate::evaluate::typed_table::beside)).
    pub fn explored_provenance(&self, file: TableFile) -> Vec<(String, String)> {
        let (open, runs) = (self.library.runs.len(), self.exported_runs().len());
        let filter = self.explored_filter().map(|filter| (FILTER, filter.to_owned()));
        let mut choices: Vec<(&'static str, String)> = filter.into_iter().collect();
        if !self.explore.selected.is_empty() {
            choices.push(("selected", "only the selected runs".to_owned()));
        }
        let scores = self.explore.view.columns.iter().filter_map(|column| match column {
            Column::Score(id) => Some(id.to_string()),
            _ => None,
        });
        let awaited = match self.explore.table.awaited {
            0 => None,
            awaited => Some(format!("{awaited} of which it is not known whether they pass")),
        };
        let made_by = MadeBy {
            command: self.explored_command(file),
            runs: format!("{runs} of {open} that are open"),
            choices,
            variants: scores.collect(),
            left_out: awaited.into_iter().collect(),
        };
        made_by.entries()
    }

    /// The filter, if it hides something; one that is wrong does not.
    pub(super) fn explored_filter(&self) -> Option<&str> {
        let filter = self.explore.view.filter.trim();
        (!filter.is_empty() && self.explore.table.problem.is_none()).then_some(filter)
    }

    /// The runs that pass, or the selected ones of them if there are some.
    pub fn exported_runs(&self) -> Vec<RunId> {
        let selected = &self.explore.selected;
        let shown = self.explore.table.shown.iter().copied();
        shown.filter(|run| selected.is_empty() || selected.contains(run)).collect()
    }

    fn separated(&self, runs: &[RunId], separator: char) -> String {
        let columns = self.explored_columns();
        let mut text = String::new();
        let headings = columns.iter().map(|(column, _)| column.id().to_owned());
        let headings = headings.chain(["run".to_owned()]);
        push_separated(&mut text, headings, separator);
        for id in runs {
            let cells =
                columns.iter().map(|(column, _)| match self.explore.table.cell(*id, column) {
                    Some(Cell::Number(number)) => number.to_string(),
                    _ => self.explore_cell_words(*id, column),
                });
            let run = self.library.runs.get(id);
            // The folder last: with it the run is found again.
            let folder = run.map(|run| run.dir.display().to_string()).unwrap_or_default();
            push_separated(&mut text, cells.chain([folder]), separator);
        }
        text
    }

    /// Rows as papers print them: the groups' means if there are groups and nothing is selected, else the runs; the
    /// means of all last.
    fn printed_rows(&self, runs: &[RunId]) -> Vec<Vec<String>> {
        let columns = self.explored_columns();
        let table = &self.explore.table;
        let mut rows: Vec<Vec<String>> = Vec::new();
        // As it is seen: of groups their means, unless somebody chose single runs.
        if self.explore.selected.is_empty() && !table.groups.is_empty() {
            for group in &table.groups {
                rows.push(self.mean_row(&group.name, group.runs, &group.summary, &columns));
            }
        } else {
            for id in runs {
                let words = columns.iter().map(|(column, _)| self.printed_words(*id, column));
                rows.push(words.collect());
            }
        }
        if self.explore.selected.is_empty() {
            rows.push(self.mean_row("All shown", table.shown.len(), &table.all, &columns));
        }
        rows
    }

    /// What stands in a cell as papers print it.
    fn printed_words(&self, run: RunId, column: &Column) -> String {
        if self.explore.table.cell(run, column).is_some_and(Cell::is_infinite) {
            return INFINITE.to_owned();
        }
        let words = self.explore_cell_words(run, column);
        if words.is_empty() { "—".to_owned() } else { words }
    }

    fn mean_row(
        &self,
        name: &str,
        runs: usize,
        summary: &Summary,
        columns: &[(&Column, String)],
    ) -> Vec<String> {
        let cells = columns.iter().enumerate().map(|(at, (column, _))| {
            let place = self.explore.table.place(column);
            let mean = place.and_then(|place| *summary.means.get(place)?);
            let infinite = place.and_then(|place| summary.infinite.get(place).copied());
            let infinite = infinite.unwrap_or_default();
            match mean {
                _ if at == 0 => format!("{name} ({runs})"),
                Some((mean, half, counted)) => {
                    let half = half.map(|half| format!(" ± {}", number_words(half)));
                    let words = format!("{}{}", number_words(mean), half.unwrap_or_default());
                    // A mean of fewer runs than the row has is not the row's, unless that is said.
                    match infinite {
                        _ if counted == runs => words,
                        0 => format!("{words} ({counted} of {runs})"),
                        _ => format!("{words} ({counted} of {runs}, {infinite} {INFINITE})"),
                    }
                }
                None if infinite > 0 => format!("{INFINITE} ({infinite} of {runs})"),
                None => String::new(),
            }
        });
        cells.collect()
    }

    /// The table as papers print it.
    fn printed_table(&self, runs: &[RunId]) -> TextTable {
        let columns = self.explored_columns().into_iter().map(|(column, heading)| {
            let is_text = column.kind() == ColumnKind::Text;
            TextColumn { heading, side: if is_text { TextSide::Left } else { TextSide::Right } }
        });
        let rows = self.printed_rows(runs).into_iter();
        let rows = rows.map(|row| row.into_iter().map(TextCell::from).collect());
        TextTable { columns: columns.collect(), rows: rows.collect() }
    }
}

/// A number or words as words.
fn words_of(cell: &Cell) -> Option<String> {
    let number = cell.number().map(|number| number.to_string());
    cell.text().map(str::to_owned).or(number)
}

/// A number as tables print it.
pub(super) fn number_words(number: f64) -> String {
    let decimals = match number.abs() {
        _ if number.fract() == 0.0 && number.abs() < 1e15 => 0,
        size if size < 10.0 => 3,
        size if size < 1000.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_what_is_read() {
        assert_eq!(
            ["0.12345", "12", "1234.5", "12.34"].map(|it| number_words(it.parse().unwrap())),
            ["0.123", "12", "1234", "12.3"]
        );
    }
}

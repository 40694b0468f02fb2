//! A result as a table in a file of its own: CSV, Markdown, LaTeX, Parquet or tab-separated values, by the ending of
//! its name. The file says of what the table is and which command makes it again; that of CSV and of tab-separated
//! values stands beside it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::output::write_atomic;
use crate::evaluate::typed_table::{TypedTable, beside, provenance_json};
use crate::export::table_as_parquet;
use crate::workbench::TableFile;

/// What the name of such a file ends with, for the help of commands.
pub(super) const TABLE_FILE: &str = "FILE.csv|.md|.tex|.parquet|.tsv";

/// Where a table goes, and as what.
#[derive(Clone, Debug)]
pub(super) struct TablePath {
    path: PathBuf,
    form: TableFile,
}

impl TablePath {
    /// The file of this name, which says by its ending as what: for the command line, before anything is worked out.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let path = PathBuf::from(name);
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        let known =
            TableFile::ALL.into_iter().find(|form| Some(form.file().1) == ending.as_deref());
        let form = known.ok_or_else(|| {
            let endings = TableFile::ALL.map(|form| format!(".{}", form.file().1));
            format!("its name says by its ending what it is: {}", endings.join(", "))
        })?;
        Ok(Self { path, form })
    }

    /// Writes the table.
    pub(super) fn write(&self, table: &TypedTable) -> anyhow::Result<()> {
        let path: &Path = &self.path;
        let bytes = match self.form {
            TableFile::Text(format) => format.text_of(table).into_bytes(),
            TableFile::Parquet => {
                table_as_parquet(table).with_context(|| path.display().to_string())?
            }
        };
        write_atomic(path, &bytes)?;
        if self.form.lacks_provenance() {
            write_atomic(&beside(path), provenance_json(&table.about).as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::typed_table::TypedColumn;
    use crate::workbench::TableFormat;

    fn table() -> TypedTable {
        TypedTable {
            columns: vec![
                TypedColumn::texts("task", vec![Some("a".to_owned()), None]),
                TypedColumn::numbers("ssim", vec![Some(0.5), None]),
            ],
            about: vec![("command".to_owned(), "pentimento x".to_owned())],
        }
    }

    #[test]
    fn separated_values_say_beside_them_where_they_are_from() {
        let dir = tempfile::tempdir().unwrap();
        for (name, expected) in
            [("t.csv", "task,ssim\na,0.5\n,\n"), ("t.tsv", "task\tssim\na\t0.5\n\t\n")]
        {
            let path = dir.path().join(name);
            TablePath::parse(path.to_str().unwrap()).unwrap().write(&table()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
            let about = std::fs::read_to_string(dir.path().join(format!("{name}.json"))).unwrap();
            assert!(about.contains("\"command\": \"pentimento x\""), "{about}");
        }
    }

    #[test]
    fn the_ending_of_a_name_says_what_a_file_is() {
        assert_eq!(TablePath::parse("a/b.TEX").unwrap().form, TableFile::Text(TableFormat::Latex));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        TablePath::parse(path.to_str().unwrap()).unwrap().write(&table()).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"PAR1"));
        for name in ["table", "table.xlsx", ""] {
            let why = TablePath::parse(name).unwrap_err();
            assert!(why.contains(".csv, .md, .tex, .tsv, .parquet"), "{name}: {why}");
        }
    }
}

//! Tables as Apache Parquet, as pandas, polars, DuckDB and R read them.
//!
//! Columns are `DOUBLE`, `BOOLEAN` or UTF-8 text, all optional: what is not known is null. What the table says of
//! itself stands in the file's key-value metadata. Pages are not compressed, as a table of runs is small.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::evaluate::PROGRAM;
use crate::evaluate::typed_table::{TypedColumn, TypedTable, TypedValues};

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetExportError {
    /// A column is longer than another.
    #[error("the column {0:?} has another length than the first one")]
    Ragged(String),
    /// The writer refused it.
    #[error("the table cannot be written as Parquet: {0}")]
    Writer(#[from] ParquetError),
    /// A column has a type that its writer does not.
    #[error("the column {0:?} has no writer of its type")]
    Mismatch(String),
}

/// The table as a file of one row group.
///
/// # Errors
/// Columns of different lengths, and whatever the writer refuses.
pub fn table_as_parquet(table: &TypedTable) -> Result<Vec<u8>, ParquetExportError> {
    let rows = table.columns.first().map_or(0, |column| column.values.rows());
    if let Some(ragged) = table.columns.iter().find(|column| column.values.rows() != rows) {
        return Err(ParquetExportError::Ragged(ragged.name.clone()));
    }
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    let about = table
        .about
        .iter()
        .map(|(name, value)| KeyValue::new(name.clone(), value.clone()))
        .collect();
    let properties = WriterProperties::builder()
        // Without a time: the same table is the same file.
        .set_created_by(PROGRAM.to_owned())
        .set_key_value_metadata(Some(about))
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in &table.columns {
        let Some(mut writer) = group.next_column()? else {
            return Err(ParquetExportError::Mismatch(column.name.clone()));
        };
        write_column(column, writer.untyped())?;
        writer.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn field(column: &TypedColumn) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match &column.values {
        TypedValues::Numbers(_) => (PhysicalType::DOUBLE, None),
        TypedValues::Flags(_) => (PhysicalType::BOOLEAN, None),
        TypedValues::Texts(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

/// Values that are there, and a definition level a row: 1 where there is one, 0 where there is none.
fn write_column(
    column: &TypedColumn,
    writer: &mut ColumnWriter<'_>,
) -> Result<(), ParquetExportError> {
    match (&column.values, writer) {
        (TypedValues::Numbers(values), ColumnWriter::DoubleColumnWriter(writer)) => {
            // Values without their gaps, and beside them which rows have one: so Parquet keeps what is null.
            let known: Vec<f64> = values.iter().flatten().copied().collect();
            writer.write_batch(&known, Some(&levels(values)), None)?;
        }
        (TypedValues::Flags(values), ColumnWriter::BoolColumnWriter(writer)) => {
            let known: Vec<bool> = values.iter().flatten().copied().collect();
            writer.write_batch(&known, Some(&levels(values)), None)?;
        }
        (TypedValues::Texts(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            let known: Vec<ByteArray> =
                values.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
            writer.write_batch(&known, Some(&levels(values)), None)?;
        }
        _ => return Err(ParquetExportError::Mismatch(column.name.clone())),
    }
    Ok(())
}

fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    fn fields(table: &TypedTable) -> Vec<Vec<(String, Field)>> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&table_as_parquet(table).unwrap()).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        rows.map(|row| {
            row.get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect()
        })
        .collect()
    }

    #[test]
    fn what_is_not_known_is_null_and_everything_else_itself() {
        let table = TypedTable {
            columns: vec![
                TypedColumn::texts("run", vec![Some("é, \"a\"\n".to_owned()), None]),
                TypedColumn::numbers("ssim", vec![None, Some(0.1 + 0.2)]),
                TypedColumn {
                    name: "saved".to_owned(),
                    values: TypedValues::Flags(vec![Some(true), Some(false)]),
                },
            ],
            about: vec![("command".to_owned(), "pentimento report tables runs".to_owned())],
        };
        let rows = fields(&table);
        assert_eq!(rows[0][0], ("run".to_owned(), Field::Str("é, \"a\"\n".to_owned())));
        assert_eq!(rows[0][1], ("ssim".to_owned(), Field::Null));
        assert_eq!(rows[1][0].1, Field::Null);
        assert_eq!(rows[1][1].1, Field::Double(0.1 + 0.2));
        assert_eq!((&rows[0][2].1, &rows[1][2].1), (&Field::Bool(true), &Field::Bool(false)));
    }

    #[test]
    fn a_table_without_rows_has_its_columns_and_a_ragged_one_is_refused() {
        let mut table =
            TypedTable { columns: vec![TypedColumn::numbers("n", vec![])], about: vec![] };
        assert!(fields(&table).is_empty());
        table.columns.push(TypedColumn::texts("of", vec![None]));
        let error = table_as_parquet(&table).unwrap_err();
        assert!(error.to_string().contains("\"of\""), "{error}");
    }
}

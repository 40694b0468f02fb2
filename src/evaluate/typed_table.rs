//! A table whose columns have types, for formats that keep them; and what tables say of themselves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// A table: columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedTable {
    /// In order, with names of their own.
    pub columns: Vec<TypedColumn>,
    /// What the file says of itself: names and values, such as the command that makes it again.
    pub about: Vec<(String, String)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedColumn {
    /// Its name.
    pub name: String,
    /// A value a row; `None` where nothing is known.
    pub values: TypedValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedValues {
    /// Finite numbers.
    Numbers(Vec<Option<f64>>),
    /// Words.
    Texts(Vec<Option<String>>),
    /// Yes or no.
    Flags(Vec<Option<bool>>),
}

impl TypedValues {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }
}

impl TypedColumn {
    /// A column of words.
    pub fn texts(name: impl Into<String>, values: Vec<Option<String>>) -> Self {
        Self { name: name.into(), values: TypedValues::Texts(values) }
    }

    /// A column of numbers.
    pub fn numbers(name: impl Into<String>, values: Vec<Option<f64>>) -> Self {
        Self { name: name.into(), values: TypedValues::Numbers(values) }
    }
}

/// The file in which a table of comma-separated values says where it comes from: beside it, called as it is and
/// `.json`. Comments are no part of CSV (RFC 4180), and programs that read it would take them for rows.
pub fn beside(table: &Path) -> PathBuf {
    let mut name = OsString::from(table);
    name.push(".json");
    name.into()
}

/// What a table says of itself as indented JSON: an object of words, in order.
pub fn provenance_json(about: &[(String, String)]) -> String {
    let members = about.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    let object = Value::Object(members.collect::<Map<String, Value>>());
    format!("{object:#}\n")
}

//! Which packets of a study were handed out.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::{JsonLimitError, parse_json, read_file_limited, replace_file};

/// Which packets of a study were handed out, in its folder.
pub const PACKED_FILE: &str = "packets.json";
/// Largest such file, in bytes.
const PACKED_BYTES: u64 = 16 << 20;

/// A packet that was handed out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedRow {
    /// Its id.
    pub packet: String,
    /// For whom.
    pub participant: String,
    /// Their row of the plan.
    pub row: u32,
    /// Whether they have withdrawn: nothing comes back any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_withdrawn: bool,
}

/// Why it is not known which packets there are.
#[derive(Debug, thiserror::Error)]
pub enum PackedError {
    /// The file cannot be read.
    #[error("the list of packets ({source}): {}", path.display())]
    File {
        /// The cause.
        source: JsonLimitError,
        /// Which.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("the list of packets ({source}): {}", path.display())]
    Io {
        /// The cause.
        source: io::Error,
        /// Which.
        path: PathBuf,
    },
}

/// The packets that were handed out of a study.
///
/// # Errors
///
/// [`PackedError`].
pub fn packed_rows(dir: &Path) -> Result<Vec<PackedRow>, PackedError> {
    let path = dir.join(PACKED_FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let read = read_file_limited(&path, PACKED_BYTES).and_then(|bytes| parse_json(&bytes));
    read.map_err(|source| PackedError::File { source, path })
}

/// Marks the packets of somebody who withdraws; whether there were some.
pub(super) fn withdraw_packets(dir: &Path, participant: &str) -> Result<bool, PackedError> {
    let mut packed = packed_rows(dir)?;
    let mut found = false;
    for row in &mut packed {
        if row.participant == participant && !row.is_withdrawn {
            (row.is_withdrawn, found) = (true, true);
        }
    }
    if found {
        write_packed(dir, &packed)?;
    }
    Ok(found)
}

pub(super) fn write_packed(dir: &Path, packed: &[PackedRow]) -> Result<(), PackedError> {
    let path = dir.join(PACKED_FILE);
    let written = serde_json::to_vec_pretty(packed)
        .map_err(io::Error::other)
        .and_then(|json| replace_file(&path, &json));
    written.map_err(|source| PackedError::Io { source, path })
}

/// The rows of those that were handed out and not taken back.
pub(super) fn rows_of(packed: &[PackedRow]) -> BTreeSet<u32> {
    packed.iter().filter(|row| !row.is_withdrawn).map(|row| row.row).collect()
}

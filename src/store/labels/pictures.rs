//! The pictures of a packet, and where each is shown.

use std::collections::BTreeMap;

use rusqlite::{Transaction, params};

use crate::label::ItemId;

/// Of what a picture of an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceSlot {
    /// The ground truth of its task.
    Truth,
    /// A run, by its place in the item, after a step; 0 is the start.
    Step {
        /// Which run.
        run: u8,
        /// Which step.
        step: u32,
    },
    /// A candidate of a query, by its place in the item. Projects have them too, not only packets.
    Candidate(u8),
}

impl EvidenceSlot {
    pub(super) fn key(self) -> (i64, i64) {
        match self {
            Self::Truth => (-1, 0),
            Self::Candidate(place) => (-2, i64::from(place)),
            Self::Step { run, step } => (i64::from(run), i64::from(step)),
        }
    }
}

/// The pictures of the texts before the first item, encoded, by their hash.
pub type StudyPictures = BTreeMap<String, Vec<u8>>;

/// The pictures of a packet, or of a project's queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PacketPictures {
    /// Those of the texts before the first item.
    pub study: StudyPictures,
    /// The encoded pictures, by numbers that say nothing.
    pub pictures: BTreeMap<i64, Vec<u8>>,
    /// Which picture is where.
    pub slots: Vec<(ItemId, EvidenceSlot, i64)>,
}

/// Puts pictures into a new file.
pub(super) fn put_pictures(
    transaction: &Transaction<'_>,
    pictures: &PacketPictures,
) -> rusqlite::Result<()> {
    for (hash, content) in &pictures.study {
        transaction.execute(
            "INSERT INTO study_picture (hash, content) VALUES (?1, ?2)",
            params![hash, content],
        )?;
    }
    for (id, content) in &pictures.pictures {
        transaction
            .execute("INSERT INTO picture (id, content) VALUES (?1, ?2)", params![id, content])?;
    }
    for (item, slot, picture) in &pictures.slots {
        let (run, step) = slot.key();
        transaction.execute(
            "INSERT INTO evidence (item, run, step, picture) VALUES (?1, ?2, ?3, ?4)",
            params![item.0, run, step, picture],
        )?;
    }
    Ok(())
}

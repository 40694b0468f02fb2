//! Packets: a file with pictures, and which items of the project its items are.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};

use super::LabelFileError;
use super::file::{LabelFile, Merged};
use super::pictures::{EvidenceSlot, PacketPictures};
use crate::label::{Act, Event, Form, Item, ItemId, PackedItem, Project, WriterId};

impl LabelFile {
    /// Makes a packet's file.
    ///
    /// # Errors
    ///
    /// As [`Self::create`].
    pub fn create_packet(
        path: &Path,
        packet: &Project,
        (forms, items): (&[Form], &[Item]),
        pictures: &PacketPictures,
        writer: WriterId,
    ) -> Result<Self, LabelFileError> {
        Self::create_with(path, packet, (forms, items), Some(pictures), writer)
    }

    /// Keeps which items of this project those of a packet are: before the packet is given away.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; then nothing was written.
    pub fn keep_packed(&self, packet: &str, packed: &[PackedItem]) -> Result<(), LabelFileError> {
        self.write(|connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for item in packed {
                transaction.execute(
                    "INSERT INTO packed (packet, id, item, is_swapped) VALUES (?1, ?2, ?3, ?4)",
                    params![packet, item.id.0, item.item.0, item.is_swapped],
                )?;
            }
            transaction.commit()
        })
    }

    /// Which items of this project those of a packet are; empty of a packet that is not of it.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn packed(&self, packet: &str) -> Result<BTreeMap<ItemId, PackedItem>, LabelFileError> {
        self.read(|connection| {
            let query = "SELECT id, item, is_swapped FROM packed WHERE packet = ?1";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([packet], |row| {
                let id = ItemId(row.get(0)?);
                let item = ItemId(row.get(1)?);
                Ok((id.clone(), PackedItem { id, item, is_swapped: row.get(2)? }))
            })?;
            rows.collect()
        })
    }

    /// Takes in what was done in a packet of this project: all of it, or nothing.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::OtherProject`] of a packet of another project; [`LabelFileError::Unknown`] of an item
    /// that it was not given, or of another person than it is for; else as [`Self::merge`].
    pub fn merge_packet(
        &self,
        packet: &Project,
        events: Vec<Event>,
    ) -> Result<Merged, LabelFileError> {
        let other = || {
            let (other, path) = (packet.name.clone(), self.path().to_path_buf());
            LabelFileError::OtherProject { other, path }
        };
        let of = packet.packet.as_ref().filter(|it| it.of == self.project().id);
        let person = &of.ok_or_else(other)?.person;
        let packed = self.packed(&packet.id)?;
        if packed.is_empty() {
            return Err(other());
        }
        let unknown = |what| LabelFileError::Unknown { what, path: self.path().to_path_buf() };
        let mut of_project = Vec::with_capacity(events.len());
        for event in events {
            if event.person != *person {
                return Err(unknown(format!(
                    "answers of {} in a packet for {person}",
                    event.person
                )));
            }
            // Who labels does not settle what others differ on.
            if matches!(event.act, Act::Settled { .. }) {
                return Err(unknown("what a packet says is settled".to_owned()));
            }
            let known = packed.get(&event.item);
            let known =
                known.ok_or_else(|| unknown(format!("item {:?} of the packet", event.item.0)))?;
            of_project.push(known.of_project(event));
        }
        self.merge(self.project(), &of_project)
    }

    /// An encoded picture of an item of a packet, if there is one.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn picture(
        &self,
        item: &ItemId,
        slot: EvidenceSlot,
    ) -> Result<Option<Vec<u8>>, LabelFileError> {
        let (run, step) = slot.key();
        self.read(|connection| {
            let query = "SELECT content FROM picture JOIN evidence ON picture.id = evidence.picture \
                         WHERE item = ?1 AND run = ?2 AND step = ?3";
            connection.query_row(query, params![item.0, run, step], |row| row.get(0)).optional()
        })
    }

    /// The last step there is a picture of, by run, and whether there is one of the ground truth.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn pictured(&self, item: &ItemId) -> Result<(BTreeMap<u8, u32>, bool), LabelFileError> {
        let found: Vec<(i64, i64)> = self.read(|connection| {
            let query = "SELECT run, max(step) FROM evidence WHERE item = ?1 GROUP BY run";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([&item.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        let has_truth = found.iter().any(|(run, _)| *run == -1);
        let runs = found
            .into_iter()
            .filter_map(|(run, step)| Some((u8::try_from(run).ok()?, u32::try_from(step).ok()?)));
        Ok((runs.collect(), has_truth))
    }
}

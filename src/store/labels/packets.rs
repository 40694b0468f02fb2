//! Packets: a file with pictures, and which items of the project its items are.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};

use super::LabelFileError;
use super::file::{LabelFile, Merged, parsed, to_json};
use super::pictures::{EvidenceSlot, PacketPictures};
use crate::label::{Act, Event, Form, Item, ItemId, PackedItem, Packet, Project, WriterId};

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
                    "INSERT INTO packed (packet, id, item, is_swapped, candidates) \
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        packet,
                        item.id.0,
                        item.item.0,
                        item.is_swapped,
                        to_json(&item.candidates)?
                    ],
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
        let rows: Vec<(String, String, bool, String)> = self.read(|connection| {
            let query = "SELECT id, item, is_swapped, candidates FROM packed WHERE packet = ?1";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([packet], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?;
            rows.collect()
        })?;
        let packed = rows.into_iter().map(|(id, item, is_swapped, candidates)| {
            let what = format!("the candidates of item {id:?} of a packet");
            let candidates = parsed(&candidates, &what, self.path())?;
            let (id, item) = (ItemId(id), ItemId(item));
            Ok((id.clone(), PackedItem { id, item, is_swapped, candidates }))
        });
        packed.collect()
    }

    /// Takes in what was done in the packet of this id: all of it, or nothing.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::OtherProject`] of a packet of another project; [`LabelFileError::Unknown`] of an item
    /// that it was not given, of another person than it is for, or of an answer that does not fit its form; else
    /// as [`Self::merge`].
    pub fn merge_packet(
        &self,
        id: &str,
        packet: &Packet,
        events: Vec<Event>,
    ) -> Result<Merged, LabelFileError> {
        let person = &packet.person;
        let packed = self.packed(id)?;
        if packed.is_empty() || packet.of != self.project().id {
            let (other, path) = (format!("a packet for {person}"), self.path().to_path_buf());
            return Err(LabelFileError::OtherProject { other, path });
        }
        let (forms, items) = (self.forms()?, self.items()?);
        let candidates: BTreeMap<&ItemId, &[String]> =
            items.iter().map(|item| (&item.id, item.candidates.as_slice())).collect();
        let mut of_project = Vec::with_capacity(events.len());
        for event in events {
            if event.person != *person {
                let what = format!("answers of {} in a packet for {person}", event.person);
                return Err(self.unknown(what));
            }
            // Who labels does not settle what others differ on, and decides nothing of the study.
            if matches!(event.act, Act::Settled { .. } | Act::LetOn { .. } | Act::Revealed) {
                return Err(self.unknown("what a packet says is settled or decided".to_owned()));
            }
            if event.item.is_study() {
                of_project.push(event);
                continue;
            }
            // And models are asked by who leads the project.
            if matches!(event.act, Act::Judged(_)) {
                return Err(self.unknown("what a packet says a model answered".to_owned()));
            }
            let known = packed
                .get(&event.item)
                .ok_or_else(|| self.unknown(format!("item {:?} of the packet", event.item.0)))?;
            let event = known.of_project(event);
            // What a browser's page or somebody's editor wrote is looked at as if typed anew.
            if let Act::Answered(answered) = &event.act {
                let form = self.form_among(&forms, event.form)?;
                let candidates = candidates.get(&event.item).copied().unwrap_or_default();
                answered.answer.check(form, candidates).map_err(|error| {
                    self.unknown(format!("answer about {}: {error}", known.id.0))
                })?;
            }
            of_project.push(event);
        }
        self.merge(self.project(), &of_project)
    }

    /// An encoded picture of an item of a packet, or a candidate of a project's query, if there is one.
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

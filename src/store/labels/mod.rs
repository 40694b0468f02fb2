//! A labelling project's file (`.labels`): one SQLite file with its forms, items and events.
//!
//! [`LabelFile::record`] returns once what somebody did is on disk (`synchronous=FULL`): only then may the
//! next item show. Several windows and command lines may have one file open; what each does gets its number
//! and its place in the order in one transaction. [`LabelFile::merge`] takes in what was done in another
//! copy, in any order, twice or in parts. Nothing is ever changed, and nothing deleted but what is of somebody who
//! withdraws ([`LabelFile::withdraw`]). [`LabelFile::create_packet`] writes what
//! one person labels elsewhere, with its pictures; [`LabelFile::merge_packet`] takes their answers in.

mod connection;
mod desks;
mod error;
mod file;
mod packets;
mod pictures;
mod places;
mod study;
mod tables;
mod withdrawal;

pub use desks::{DeskFile, HELD_SECS, OnDesk};
pub use error::LabelFileError;
pub use file::{LabelFile, Merged, NewEvent};
pub use pictures::{EvidenceSlot, PacketPictures, StudyPictures};
pub use withdrawal::Withdrawal;

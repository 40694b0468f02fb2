//! What an earlier run asked and was answered.

use std::path::{Path, PathBuf};

use crate::base::read_file_limited;
use crate::run::exchanges::{self, ExchangesError};
use crate::run::folder::IMAGES_DIR;
use crate::run::images;

use crate::agent::chat::{Exchange, ExchangeEnd, RecordedExchange};
use crate::agent::providers::{ReplayError, ReplayWire};

/// Largest picture of a request, in bytes.
const PICTURE_BYTES: u64 = 64 << 20;

/// What an earlier run asked and was answered, as it went over the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    dir: PathBuf,
    exchanges: Vec<Exchange>,
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ExchangesError),
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] ReplayError),
}

impl Recorded {
    /// Reads what the run in `dir` recorded.
    pub fn open(dir: &Path) -> Result<Self, RecordedError> {
        let lines: Vec<RecordedExchange> = exchanges::read(dir)?;
        let exchanges = lines.into_iter().map(|line| line.exchange).collect();
        Ok(Self { dir: dir.to_path_buf(), exchanges })
    }

    /// Only the answers that came whole: to go on from, not to see the failures again.
    #[must_use]
    pub fn answers(mut self) -> Self {
        self.exchanges.retain(|exchange| {
            // A refusal is whole too, and would be met again instead of being asked anew.
            exchange.end == ExchangeEnd::Whole
                && exchange.status.is_some_and(|status| (200..300).contains(&status))
        });
        self
    }

    /// How many exchanges there are.
    pub fn len(&self) -> usize {
        self.exchanges.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty()
    }

    /// Whether it begins with all that another asked and was answered.
    pub fn begins_with(&self, other: &Self) -> bool {
        let mut both = self.exchanges.iter().zip(&other.exchanges);
        other.len() <= self.len()
            && both.all(|(one, other)| {
                one.url == other.url && one.request == other.request && one.answer == other.answer
            })
    }

    /// Plays them.
    pub(super) fn wire(&self) -> Result<ReplayWire, ReplayError> {
        let folder = self.dir.join(IMAGES_DIR);
        ReplayWire::new(&self.exchanges, &mut |name| {
            // Only a name that is a hash can be followed: no other is one of a picture kept there.
            if !images::is_name(name) {
                return None;
            }
            let png = read_file_limited(&folder.join(name), PICTURE_BYTES).ok()?;
            (images::name_of(&png) == name).then_some(png)
        })
    }
}

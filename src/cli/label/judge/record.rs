//! What went over the wire, in a folder beside the project, and what it cost.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::agent::chat::{Exchange, ExchangeEnd, RecordedExchange};
use crate::run::exchange_folder::{ExchangeFolder, ExchangeFolderError};

/// How much is kept of an answer that is larger than a line of a record may be, in bytes.
const KEPT_OF_TOO_LARGE: usize = 1 << 20;

/// The record of one judge, shared by threads.
pub(super) struct Record {
    folder: Mutex<ExchangeFolder>,
    dir: PathBuf,
    spent: Mutex<([u64; 2], Option<f64>)>,
}

impl Record {
    /// The record of a judge of this name of a project: `PROJECT.judges/NAME`.
    pub(super) fn open(project: &Path, name: &str) -> Result<Self, ExchangeFolderError> {
        let dir = project.with_extension("judges").join(folder_name(name));
        let folder = Mutex::new(ExchangeFolder::open(&dir)?);
        Ok(Self { folder, dir, spent: Mutex::new(([0; 2], None)) })
    }

    /// Where it lies.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A number for what is asked next.
    pub(super) fn next_number(&self) -> u32 {
        self.folder.lock().next_number()
    }

    /// Keeps an exchange under a number; on disk when this returns.
    pub(super) fn keep(&self, number: u32, exchange: &Exchange) -> Result<(), ExchangeFolderError> {
        let (request, mut pictures) = exchange.request.without_pictures();
        let (answer, more) = exchange.answer.without_pictures();
        pictures.extend(more);
        let pictures: Vec<(String, Vec<u8>)> =
            pictures.into_iter().map(|picture| (picture.file, picture.png)).collect();
        let exchange = Exchange { request, answer, ..exchange.clone() };
        let mut line = RecordedExchange { turn: number, exchange };
        let mut folder = self.folder.lock();
        match folder.keep(&line, &pictures) {
            Err(ExchangeFolderError::TooLarge(_)) => {}
            kept => return kept,
        }
        // What was asked and how it ended is kept of it all the same.
        line.exchange.answer.shorten(KEPT_OF_TOO_LARGE);
        line.exchange.end = ExchangeEnd::Abandoned;
        folder.keep(&line, &pictures)
    }

    /// Counts what a request cost.
    pub(super) fn spend(&self, tokens: [u64; 2], cost_usd: Option<f64>) {
        let mut spent = self.spent.lock();
        for (sum, more) in spent.0.iter_mut().zip(tokens) {
            *sum = sum.saturating_add(more);
        }
        if let Some(cost) = cost_usd {
            spent.1 = Some(spent.1.unwrap_or(0.0) + cost);
        }
    }

    /// Tokens read and written, and what that cost as far as prices are known.
    pub(super) fn spent(&self) -> ([u64; 2], Option<f64>) {
        *self.spent.lock()
    }
}

/// A name may hold anything: what no folder may be called gives place to `-`, and what then could be another's is
/// told apart by its hash.
fn folder_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .take(60)
        .map(|c| match c {
            '.' | '_' | '-' => c,
            _ if c.is_ascii_alphanumeric() => c,
            _ => '-',
        })
        .collect();
    if plain == name && !plain.starts_with('.') && !plain.ends_with('.') {
        return plain;
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    format!("{}-{}", plain.trim_matches('.'), &hash[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_different_names_differ_and_lead_nowhere_else() {
        let names = ["a", "a/b", "a-b", "..", ".", "a b", "ä", "con\u{7}", &"x".repeat(300)];
        let folders: std::collections::BTreeSet<String> =
            names.iter().map(|name| folder_name(name)).collect();
        assert_eq!(folders.len(), names.len(), "{folders:?}");
        assert!(
            folders.iter().all(|it| !it.contains('/') && it.len() < 80 && !it.starts_with('.'))
        );
    }
}

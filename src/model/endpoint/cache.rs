//! Answers kept in a folder, so that no question is paid for twice.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::{parse_json, read_file_limited};

/// Goes up whenever a file of before must not be taken for one of now.
const FORMAT: u32 = 1;
/// Largest file of the cache read, in bytes.
const ENTRY_BYTES: u64 = 16 << 20;

/// Answers kept in a folder: one JSON file an answer, named by the hash of all that was asked.
///
/// A file holds the prompt, the model, its settings and the picture's hash beside the answer, so that
/// people can read why a number is what it is. A file that is damaged or of another question counts
/// as not there. Several programs may use one folder: files appear whole.
#[derive(Clone, Debug)]
pub struct AnswerCache {
    folder: PathBuf,
}

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The folder cannot be made.
    #[error("the folder for answers cannot be made: {source}: {}", path.display())]
    Folder {
        /// The cause.
        source: std::io::Error,
        /// Which folder.
        path: PathBuf,
    },
    /// An answer cannot be kept.
    #[error("the answer cannot be kept: {source}: {}", path.display())]
    Write {
        /// The cause.
        source: std::io::Error,
        /// Which file.
        path: PathBuf,
    },
}

/// All that decides an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedQuestion {
    /// The address of the endpoint, without secrets.
    pub(super) address: String,
    pub(super) model: String,
    pub(super) parameters: Map<String, Value>,
    pub(super) prompt: String,
    /// BLAKE3 of the picture's size and pixels; `None` if there is none.
    pub(super) picture: Option<String>,
}

#[derive(Deserialize)]
struct CacheEntry {
    format: u32,
    question: CachedQuestion,
    answer: String,
}

#[derive(Serialize)]
struct EntryRef<'a> {
    format: u32,
    question: &'a CachedQuestion,
    answer: &'a str,
}

impl AnswerCache {
    /// The cache in this folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Self, CacheError> {
        std::fs::create_dir_all(folder)
            .map_err(|source| CacheError::Folder { source, path: folder.to_path_buf() })?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// The answer to a question, if it is kept.
    pub(super) fn get(&self, question: &CachedQuestion) -> Option<String> {
        let bytes = read_file_limited(&self.path_of(question), ENTRY_BYTES).ok()?;
        let entry: CacheEntry = parse_json(&bytes).ok()?;
        // The name alone would do but for files that people moved or copied.
        (entry.format == FORMAT && entry.question == *question).then_some(entry.answer)
    }

    /// Keeps an answer.
    pub(super) fn put(&self, question: &CachedQuestion, answer: &str) -> Result<(), CacheError> {
        let path = self.path_of(question);
        let entry = EntryRef { format: FORMAT, question, answer };
        let written = serde_json::to_vec_pretty(&entry)
            .map_err(std::io::Error::from)
            .and_then(|json| write_whole(&path, &json));
        written.map_err(|source| CacheError::Write { source, path })
    }

    /// Has a question asked anew the next time. What was answered stays beside, for people to read.
    pub(super) fn set_aside(&self, question: &CachedQuestion) {
        let path = self.path_of(question);
        // Where nothing was kept there is nothing to be set aside.
        std::fs::rename(&path, path.with_extension("unusable.json")).ok();
    }

    fn path_of(&self, question: &CachedQuestion) -> PathBuf {
        // The text form of the question is the same for equal questions: maps keep their order.
        let text = serde_json::to_string(question).unwrap_or_default();
        let hash = blake3::hash(text.as_bytes()).to_hex();
        // 256 folders: file systems and people have trouble with one of a hundred thousand files.
        self.folder.join(&hash.as_str()[..2]).join(format!("{hash}.json"))
    }
}

/// Writes beside and renames, so that nobody sees half a file.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // A name of its own for every thread and process that writes the same answer at once.
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{count}.tmp", std::process::id()));
    let written =
        std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        // What is left of it is only waste; the cause is what matters.
        drop(std::fs::remove_file(&temporary));
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(prompt: &str) -> CachedQuestion {
        CachedQuestion {
            address: "https://host/v1/chat/completions".to_owned(),
            model: "m".to_owned(),
            parameters: Map::new(),
            prompt: prompt.to_owned(),
            picture: None,
        }
    }

    #[test]
    fn an_answer_is_found_by_its_question_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = AnswerCache::open(folder.path()).unwrap();
        cache.put(&question("a"), "1").unwrap();
        assert_eq!(cache.get(&question("a")).as_deref(), Some("1"));
        assert_eq!(cache.get(&question("b")), None);
        let other_model = CachedQuestion { model: "n".to_owned(), ..question("a") };
        assert_eq!(cache.get(&other_model), None);
    }

    #[test]
    fn a_damaged_or_foreign_file_counts_as_not_there_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = AnswerCache::open(folder.path()).unwrap();
        cache.put(&question("b"), "2").unwrap();
        let path = cache.path_of(&question("a"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for bytes in
            [&b"{\"format\":1,"[..], &std::fs::read(cache.path_of(&question("b"))).unwrap()]
        {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(cache.get(&question("a")), None);
        }
        cache.put(&question("a"), "1").unwrap();
        assert_eq!(cache.get(&question("a")).as_deref(), Some("1"));
    }

    #[test]
    fn nothing_but_whole_files_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let cache = AnswerCache::open(folder.path()).unwrap();
        cache.put(&question("a"), "1").unwrap();
        cache.put(&question("a"), "2").unwrap();
        let dir = cache.path_of(&question("a"));
        assert_eq!(std::fs::read_dir(dir.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(cache.get(&question("a")).as_deref(), Some("2"));
    }

    #[test]
    fn what_was_set_aside_is_asked_anew_and_stays_to_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let cache = AnswerCache::open(folder.path()).unwrap();
        cache.set_aside(&question("a"));
        cache.put(&question("a"), "five").unwrap();
        cache.set_aside(&question("a"));
        assert_eq!(cache.get(&question("a")), None);
        let kept = cache.path_of(&question("a")).with_extension("unusable.json");
        assert!(std::fs::read_to_string(kept).unwrap().contains("five"));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = AnswerCache::open(&file.join("answers")).unwrap_err().to_string();
        assert!(error.contains("answers"), "{error}");
    }
}

//! A model that is loaded when it is first needed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::base::open_file;
use crate::metric::MissingScore;

use super::ModelError;

/// A model that is loaded when it is first needed; if that fails, the reason is kept.
pub(super) struct Lazy<T> {
    load: Box<dyn Fn() -> Result<T, ModelError> + Send + Sync>,
    loaded: OnceLock<Result<T, MissingScore>>,
}

impl<T: Send + Sync> Lazy<T> {
    pub(super) fn new(load: impl Fn() -> Result<T, ModelError> + Send + Sync + 'static) -> Self {
        Self { load: Box::new(load), loaded: OnceLock::new() }
    }

    /// The model, or why there is none.
    pub(super) fn get(&self) -> Result<&T, MissingScore> {
        // A failure is kept too: a file that is not there is not looked for at every score.
        self.loaded.get_or_init(|| self.load_apart()).as_ref().map_err(Clone::clone)
    }

    /// Loads on a thread of its own, which belongs to no pool: a worker that waits for the engine's
    /// pool takes other work meanwhile, may come to the same model, and would wait for itself.
    fn load_apart(&self) -> Result<T, MissingScore> {
        let loaded = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("model".to_owned());
            let loading = thread.spawn_scoped(scope, || (self.load)())?;
            loading.join().map_err(|_panicked| io::Error::other("the model cannot be loaded"))
        });
        match loaded {
            Ok(model) => model.map_err(MissingScore::from),
            Err(error) => Err(MissingScore::NoModel(error.to_string())),
        }
    }
}

/// What the files of a model hold, hashed when that is first asked for. The same model has the same
/// wherever it lies and whatever it is called.
#[derive(Debug)]
pub(super) struct FileHash {
    files: Vec<PathBuf>,
    hash: OnceLock<String>,
}

impl FileHash {
    /// The hash of these files together, in this order.
    pub(super) fn new(files: Vec<PathBuf>) -> Self {
        Self { files, hash: OnceLock::new() }
    }

    /// Hexadecimal digits, or a word for files that cannot be read: then there is no model either.
    pub(super) fn get(&self) -> &str {
        self.hash.get_or_init(|| hash_of(&self.files).unwrap_or_else(|_| "unreadable".to_owned()))
    }
}

fn hash_of(files: &[PathBuf]) -> io::Result<String> {
    let mut all = blake3::Hasher::new();
    for path in files {
        // A hash of hashes: their length is fixed, so that no file runs into the next.
        all.update(hash_of_file(path)?.as_bytes());
    }
    Ok(all.finalize().to_hex().to_string())
}

fn hash_of_file(path: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open_file(path)?)?;
    Ok(hasher.finalize())
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.loaded.get() {
            None => "not loaded",
            Some(Ok(_)) => "loaded",
            Some(Err(_)) => "failed to load",
        };
        f.write_str(state)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn many_workers_of_a_pool_may_ask_for_a_model_that_another_pool_loads() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let engine = pool(2);
        let load = move || {
            engine.install(|| std::thread::sleep(Duration::from_millis(50)));
            Ok(7)
        };
        let (model, workers) = (Lazy::new(load), pool(3));
        let (done, answers) = crossbeam_channel::bounded(1);
        // Were one to wait for itself, nothing would end it: the test does not wait for the pool.
        let asking = std::thread::Builder::new().name("asks".to_owned()).spawn(move || {
            let sum: i32 =
                workers.install(|| (0..64).into_par_iter().map(|_| *model.get().unwrap()).sum());
            done.send(sum).unwrap();
        });
        drop(asking.unwrap());
        assert_eq!(answers.recv_timeout(Duration::from_mins(1)), Ok(64 * 7));
    }

    #[test]
    fn a_model_is_known_by_what_its_files_hold_and_not_by_their_names() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [("a", "one"), ("b", "one"), ("c", "other")] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        assert_eq!(hash_in(dir.path(), &["a"]), hash_in(dir.path(), &["b"]));
        assert_ne!(hash_in(dir.path(), &["a"]), hash_in(dir.path(), &["c"]));
        assert_ne!(hash_in(dir.path(), &["a", "c"]), hash_in(dir.path(), &["c", "a"]));
        assert_eq!(hash_in(dir.path(), &["none"]), "unreadable");
        assert_eq!(hash_in(dir.path(), &["."]), "unreadable");
    }

    fn hash_in(dir: &Path, names: &[&str]) -> String {
        FileHash::new(names.iter().map(|name| dir.join(name)).collect()).get().to_owned()
    }
}

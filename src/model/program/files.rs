//! What a program is, as far as its command says.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::base::{CommandWords, FileStamp, Variables};
use crate::model::lazy::hash_of_file;

/// The files of a command: the program itself and those among its arguments. Other files that it reads are not known.
#[derive(Debug)]
pub(super) struct ProgramFiles {
    words: CommandWords,
    files: Vec<PathBuf>,
    hashed: Mutex<Option<Hashed>>,
}

/// A hash with what it was made of.
#[derive(Debug)]
struct Hashed {
    stamps: Vec<FileStamp>,
    hash: String,
}

impl ProgramFiles {
    /// The files of a command that is started in a folder; a program without a path is looked for where these
    /// variables say.
    pub(super) fn new(words: &CommandWords, folder: &Path, variables: &Variables) -> Self {
        let mut files: Vec<PathBuf> = program(words, folder, variables).into_iter().collect();
        files.extend(words.files_in(folder));
        Self { words: words.clone(), files, hashed: Mutex::default() }
    }

    /// A text that is another for another command or other files: hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        let stamps: Vec<FileStamp> = self.files.iter().map(|path| FileStamp::of(path)).collect();
        let mut hashed = self.hashed.lock();
        if let Some(known) = hashed.as_ref().filter(|known| known.stamps == stamps) {
            return known.hash.clone();
        }
        let hash = self.read();
        *hashed = Some(Hashed { stamps, hash: hash.clone() });
        hash
    }

    fn read(&self) -> String {
        let mut all = blake3::Hasher::new();
        let words = self.words.arguments().iter().map(String::as_str);
        for word in std::iter::once(self.words.program()).chain(words) {
            // The length before the word: "ab" and "c" must not hash as "a" and "bc".
            all.update(&(word.len() as u64).to_le_bytes());
            all.update(word.as_bytes());
        }
        for path in &self.files {
            // What cannot be read counts as such: a script that is not there gives no numbers either.
            let hash = hash_of_file(path).map_or([0; 32], |hash| *hash.as_bytes());
            all.update(&hash);
        }
        all.finalize().to_hex().to_string()
    }
}

/// The file of the program; `None` if it is not found.
fn program(words: &CommandWords, folder: &Path, variables: &Variables) -> Option<PathBuf> {
    let program = words.program_in(folder);
    if program.components().count() > 1 {
        return Some(program);
    }
    let paths = variables.get("PATH")?;
    std::env::split_paths(paths).map(|path| path.join(&program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_command_and_other_files_have_another_hash() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("mean.py");
        std::fs::write(&script, "one").unwrap();
        std::fs::write(dir.path().join("python"), "binary").unwrap();
        let path = Variables::new([("PATH".into(), dir.path().into())], None);
        let files = |command: &str| {
            ProgramFiles::new(&CommandWords::split(command).unwrap(), dir.path(), &path)
        };
        let program = files("python mean.py");
        assert_eq!(program.files, [dir.path().join("python"), script.clone()]);
        let first = program.hash();
        assert_eq!(program.hash(), first);
        assert_ne!(files("python mean.py --fast").hash(), first);
        assert_ne!(files("python 'mean.py' ''").hash(), first);
        std::fs::write(&script, "another").unwrap();
        let second = program.hash();
        assert_ne!(second, first);
        std::fs::write(dir.path().join("python"), "newer binary").unwrap();
        assert_ne!(program.hash(), second);
        assert_eq!(files("none here.py").files, Vec::<PathBuf>::new());
        assert_eq!(files("./mean.py").files, [dir.path().join("./mean.py")]);
    }
}
